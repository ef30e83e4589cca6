package topology_test

import (
	"maps"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/internal/arith"
	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/clusters"
	"github.com/plenum-planner/plenum/topology/measure"
)

// inPieces lists the families whose graphs need not be connected.
var inPieces = map[string]bool{"access": true, "leaf-pair": true}

func init() {
	maps.Copy(properties, map[string]property{
		"zcube": directOf(func(s clusters.ZCube) (int64, int64) {
			n := int64(s.Side)
			return 2 * n, n * n * int64(max(s.Links, 1))
		}),
		"hexagonal-torus": directOf(func(s clusters.HexagonalTorus) (int64, int64) {
			n := int64(s.Dims[0] * s.Dims[1])
			if s.Triads {
				n *= 3
			}
			return n, 3 * n
		}),
		"access": propertyOf(func(t graphtest.T, s clusters.Access, g topology.Graph) {
			t.Helper()
			if leaf := g.Kinds()[0].Count; !s.Spread {
				uplinks := max(s.Uplinks, 1)
				down := s.Down
				if down == 0 {
					down = arith.CeilDiv(s.Nodes, leaf/uplinks)
				}
				used := arith.CeilDiv(s.Nodes, down)
				graphtest.Equal(t, "pieces", int64(graphtest.Pieces(t, g)), int64(leaf-used*(uplinks-1)))
			}
			checkEvenPorts(t, s, g)
		}),
		"leaf-pair": propertyOf(func(t graphtest.T, s clusters.LeafPair, g topology.Graph) {
			t.Helper()
			pairs := g.Groupings()[0].Count
			graphtest.Equal(t, "leaves", int64(g.Kinds()[0].Count), int64(2*pairs))
			used := make(map[int32]bool)
			for v := 2 * pairs; v < topology.Vertices(g); v++ {
				used[g.Groupings()[0].Of(v)] = true
			}
			want := pairs
			if s.PeerLinks == 0 {
				want += pairs - len(used)
			}
			graphtest.Equal(t, "pieces", int64(graphtest.Pieces(t, g)), int64(want))
		}),
		"leaf-spine": propertyOf(func(t graphtest.T, s clusters.LeafSpine, g topology.Graph) {
			t.Helper()
			directOf[clusters.LeafSpine](nil)(t, s, g)
			checkEvenWidths(t, s, g)
		}),
		"cray-dragonfly": propertyOf(checkCrayDragonfly),
		"ocs-torus":      propertyOf(checkOCSTorus),
	})
}

// checkOCSTorus: every cube has two ports of every circuit switch, and the graph that packets see is sound; without a
// twist it has the distances of a torus.
func checkOCSTorus(t graphtest.T, s clusters.OCSTorus, g topology.Graph) {
	t.Helper()
	kinds := g.Kinds()
	cubes := make(map[[2]int32]int)
	for l := range g.Links() {
		if int(l.B) >= kinds[1].First {
			cubes[[2]int32{l.B, g.Groupings()[0].Of(int(l.A))}]++
		}
	}
	graphtest.Equal(t, "circuit switches and cubes", int64(len(cubes)), int64(kinds[1].Count*kinds[1].Ports/2))
	for _, n := range cubes {
		graphtest.Equal(t, "ports of a cube on a circuit switch", int64(n), 2)
	}
	logical := g.(topology.Optical).Logical()
	graphtest.Check(t, logical)
	degrees := measure.RouterDegrees(logical)
	graphtest.Equal(t, "links of a chip, at least", int64(degrees.Min), int64(2*len(s.Dims)))
	graphtest.Equal(t, "links of a chip, at most", int64(degrees.Max), int64(2*len(s.Dims)))
	if s.Twist {
		return
	}
	torus, err := topology.New(topology.Torus{Dims: s.Dims})
	if err != nil {
		t.Fatalf("%v", err)
	}
	got, _ := graphtest.BruteHops(logical, measure.Routers)
	if want, _ := graphtest.BruteHops(torus, measure.Routers); !slices.Equal(got, want) {
		t.Fatalf("distances %v, in a torus %v", got, want)
	}
}

// checkCrayDragonfly: every two groups have their channels, the switches of a group their shares of them, and those of
// one kind that are arranged relatively are as in the family dragonfly.
func checkCrayDragonfly(t graphtest.T, s clusters.CrayDragonfly, g topology.Graph) {
	t.Helper()
	groupings := g.Groupings()
	group := groupings[len(groupings)-1]
	global := len(g.Levels()) - 1
	between := make(map[[2]int32]int)
	used := make([]int, g.Kinds()[0].Count)
	for l := range g.Links() {
		a, b := group.Of(int(l.A)), group.Of(int(l.B))
		if (a != b) != (int(l.Level) == global) {
			t.Fatalf("%+v joins groups %d and %d", l, a, b)
		}
		if a != b {
			between[[2]int32{a, b}] += int(l.Width)
			used[l.A] += int(l.Width)
			used[l.B] += int(l.Width)
		}
	}
	kind := func(group int32) int {
		i, first := 0, s.Groups
		for ; int(group) >= first; i++ {
			first += s.OtherGroups[i]
		}
		return i
	}
	for a := range int32(group.Count) {
		for b := a + 1; b < int32(group.Count); b++ {
			want := max(s.LinksPerPair, 1)
			if s.PairLinks != nil {
				i, j, kinds := kind(a), kind(b), 1+len(s.OtherGroups)
				want = s.PairLinks[i*kinds-i*(i-1)/2+j-i]
			}
			graphtest.Equal(t, "links of two groups", int64(between[[2]int32{a, b}]), int64(want))
		}
	}
	least, most := make([]int, group.Count), make([]int, group.Count)
	for i := range least {
		least[i] = math.MaxInt
	}
	for v, n := range used {
		of := group.Of(v)
		least[of], most[of] = min(least[of], n), max(most[of], n)
	}
	for i := range least {
		if most[i] > least[i]+1 {
			t.Fatalf("switches of group %d have %d to %d global links", i, least[i], most[i])
		}
	}
	if len(s.Dims) > 1 || s.OtherGroups != nil || s.Widths != nil || s.Groups == 1 || s.Arrangement == "absolute" ||
		s.Arrangement == "circulant" {
		return
	}
	channels := max(s.LinksPerPair, 1) * (s.Groups - 1)
	twin, err := topology.New(topology.Dragonfly{
		P: s.Terminals, A: s.Dims[0], H: arith.CeilDiv(channels, s.Dims[0]), Groups: s.Groups,
		LinksPerPair: s.LinksPerPair,
	})
	if err != nil {
		t.Fatalf("%v", err)
	}
	links := make(map[topology.Link]bool)
	for l := range g.Links() {
		links[l] = true
	}
	for l := range twin.Links() {
		if !links[l] {
			t.Fatalf("%+v is in the dragonfly only", l)
		}
		delete(links, l)
	}
	graphtest.Equal(t, "links that the dragonfly lacks", int64(len(links)), 0)
}

// checkEvenPorts: nodes that are dealt out leave no switch with two fewer than another.
func checkEvenPorts(t graphtest.T, s clusters.Access, g topology.Graph) {
	t.Helper()
	if !s.Spread {
		return
	}
	used := make([]int, g.Kinds()[0].Count)
	most := 0
	for l := range g.Links() {
		used[l.A]++
		most = max(most, used[l.A])
	}
	for v, n := range used {
		if n < most-1 {
			t.Fatalf("%s has %d nodes, another %d", g.Label(v), n, most)
		}
	}
}

// checkEvenWidths: the channels between a leaf and the switches above it that it may use differ by one at most, and
// every leaf has all its uplinks.
func checkEvenWidths(t graphtest.T, s clusters.LeafSpine, g topology.Graph) {
	t.Helper()
	leaves := g.Kinds()[0].Count
	widths := make([]map[int]int, leaves) // by spine, or director
	for v := range widths {
		widths[v] = make(map[int]int)
	}
	for l := range g.Links() {
		if l.Level != 1 {
			continue
		}
		upper := int(l.B) - leaves
		if len(s.Director) > 0 && s.Cores == 0 {
			upper /= s.Director[0]
		}
		widths[l.A][upper] += int(l.Width)
	}
	uppers := s.Spines / max(s.Pods, 1) / max(s.Planes, 1)
	for v, of := range widths {
		sum, most := 0, 0
		for _, n := range of {
			sum, most = sum+n, max(most, n)
		}
		if least := s.Up / uppers; sum != s.Up || most > least+1 || s.Up >= uppers && len(of) != uppers {
			t.Fatalf("leaf %s has the widths %v of %d uplinks to %d spines", g.Label(v), of, s.Up, uppers)
		}
	}
}
