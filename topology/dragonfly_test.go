package topology_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
)

func checkDragonfly(t graphtest.T, s topology.Dragonfly, g topology.Graph) {
	t.Helper()
	if local := s.Local; local != nil {
		s.Local = nil
		checkComposed(t, s, local, 1, s.A, g)
		return
	}
	group := g.Groupings()[1]
	perPair := max(s.LinksPerPair, 1)
	channels := perPair * (group.Count - 1) // of a group
	switches := group.Count * s.A
	c := topology.Count(g)
	graphtest.Equal(t, "switches", int64(c.Switches), int64(switches))
	graphtest.Equal(t, "nodes", int64(c.Nodes), int64(switches*s.P))
	graphtest.Equal(t, "local links", c.ByLevel[1], int64(switches*(s.A-1)/2))
	graphtest.Equal(t, "global links", c.ByLevel[2], int64(channels*group.Count/2))

	global := make([]int, switches)
	pairs := make(map[[2]int32]int)
	for l := range g.Links() {
		x, y := group.Of(int(l.A)), group.Of(int(l.B))
		if (l.Level == 2) == (x == y) {
			t.Fatalf("%+v joins groups %d and %d", l, x, y)
		}
		if l.Level < 2 {
			continue
		}
		if perPair <= s.A && l.Width != 1 {
			t.Fatalf("%+v: copies join the same two switches", l)
		}
		if perPair == 1 && group.Count == s.A*s.H+1 && s.Arrangement != topology.AbsoluteArrangement {
			checkCanonical(t, s, g, l)
		}
		global[l.A] += int(l.Width)
		global[l.B] += int(l.Width)
		pairs[[2]int32{min(x, y), max(x, y)}] += int(l.Width)
	}
	for v, n := range global {
		if n < channels/s.A || n > (channels+s.A-1)/s.A {
			t.Fatalf("switch %s has %d of the %d global channels of its group", g.Label(v), n, channels)
		}
	}
	graphtest.Equal(t, "joined pairs of groups", int64(len(pairs)), int64(group.Count*(group.Count-1)/2))
	for p, n := range pairs {
		if n != perPair {
			t.Fatalf("groups %v have %d channels, expected %d", p, n, perPair)
		}
	}
}

// checkCanonical checks both ends of a global link: channel t of group x goes
// to group x+1+t from switch floor(t/h).
func checkCanonical(t graphtest.T, s topology.Dragonfly, g topology.Graph, l topology.Link) {
	t.Helper()
	groups := int32(s.A*s.H + 1)
	base := int32(s.P + s.A - 1)
	for _, e := range [][3]int32{{l.A, l.PortA, l.B}, {l.B, l.PortB, l.A}} {
		v, port, w := e[0], e[1], e[2]
		x, y := v/int32(s.A), w/int32(s.A)
		channel := v%int32(s.A)*int32(s.H) + port - base
		if (x+1+channel)%groups != y {
			t.Fatalf("%+v: channel %d of group %d leads to group %d", l, channel, x, y)
		}
	}
}

func TestDragonflyDiameter(t *testing.T) {
	tests := []struct {
		name string
		spec topology.Params
		want int32
	}{
		{"Kim et al. 2008, p=2 a=4 h=2", topology.Dragonfly{P: 2, A: 4, H: 2}, 3},
		{"ATOP, SIGCOMM 2025, p=4 a=8 h=4", topology.Dragonfly{P: 4, A: 8, H: 4}, 3},
		{"two groups, every switch linked", topology.Dragonfly{P: 1, A: 4, H: 1, Groups: 2, LinksPerPair: 4}, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := graphtest.New(t, tt.spec)
			if got := diameter(g, g.Kinds()[0].Count); got != tt.want {
				t.Errorf("diameter %d, expected %d", got, tt.want)
			}
		})
	}
}

// TestAbsoluteArrangement: more groups leave the links of the others as they are.
func TestAbsoluteArrangement(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := topology.Dragonfly{
			P: 1, A: rapid.IntRange(1, 6).Draw(t, "a"), LinksPerPair: rapid.IntRange(1, 9).Draw(t, "links per pair"),
			Groups: rapid.IntRange(2, 7).Draw(t, "groups"), Arrangement: topology.AbsoluteArrangement,
		}
		q := p
		q.Groups += rapid.IntRange(1, 4).Draw(t, "more")
		p.H = (q.Groups-1)*p.LinksPerPair/p.A + 1
		q.H = p.H
		ends := func(p topology.Dragonfly) map[[4]int32]int32 { // widths, by both switches with their ports
			g, err := topology.New(p)
			if err != nil {
				t.Fatal(err)
			}
			out := map[[4]int32]int32{}
			for l := range g.Links() {
				if l.Level > 0 {
					out[[4]int32{l.A, l.PortA, l.B, l.PortB}] = l.Width
				}
			}
			return out
		}
		there := ends(q)
		for l, width := range ends(p) {
			if there[l] != width {
				t.Fatalf("%+v: the link %v of %d channels has %d in %+v", p, l, width, there[l], q)
			}
		}
	})
}
