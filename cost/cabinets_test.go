package cost

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// TestBlocksAreTheMostCubic compares blocks with steps by hand: the smallest side grows to its next divisor while the
// block has room.
func TestBlocksAreTheMostCubic(t *testing.T) {
	for _, c := range []struct {
		sides []int
		n     int
		want  []int
	}{
		{[]int{12, 10}, 42, []int{6, 5}},     // 2 2, 3 2, 3 5, 4 5, 6 5; 6 10 and 12 5 are 60
		{[]int{12, 10}, 60, []int{6, 10}},    // the smaller side, 5, grows first
		{[]int{12, 10}, 59, []int{6, 5}},     // one place too few
		{[]int{8, 8, 8}, 42, []int{4, 4, 2}}, // 64 are too many
		{[]int{80}, 42, []int{40}},
		{[]int{7, 9}, 6, []int{1, 3}}, // 7 is prime: 3 of 9 only
		{[]int{5, 1}, 100, []int{5, 1}},
		{[]int{5, 7}, 1, []int{1, 1}},
	} {
		if got := blocks(c.sides, c.n); !slices.Equal(got, c.want) {
			t.Errorf("%v in blocks of %d: %v, expected %v", c.sides, c.n, got, c.want)
		}
	}
}

// TestCabinetsOfATorusByHand: 12 x 10 nodes are 2 x 2 cabinets of 6 x 5. On the floor of 0.60 m x 2.10 m both
// dimensions
// go along the row, as 2 x 0.60 m are less than 2.10 m: four cabinets side by side. On 1 m x 1 m they are a square.
func TestCabinetsOfATorusByHand(t *testing.T) {
	g, err := topology.New(topology.Torus{Dims: topology.Ints{12, 10}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		floor *Floor
		at    [][2]int32
		// lengths from the first cabinet to each
		lengths []units.Length
	}{
		{&CabinetFloor, [][2]int32{{0, 0}, {1, 0}, {2, 0}, {3, 0}}, []units.Length{2, 4.6, 5.2, 5.8}},
		{&SlimFlyFloor, [][2]int32{{0, 0}, {1, 0}, {0, 1}, {1, 1}}, []units.Length{1, 3, 3, 4}},
	} {
		got := newCabinets(g, c.floor, []Stand{{Units: 1}}, nil)
		if got.count != 4 || !slices.Equal(got.at, c.at) {
			t.Errorf("%v: %d cabinets at %v, expected %v", c.floor, got.count, got.at, c.at)
		}
		for i, want := range c.lengths {
			if l := got.length(c.floor, 0, int32(i)); math.Abs(float64(l-want)) > 1e-9 {
				t.Errorf("%v: %v from cabinet 0 to %d, expected %v", c.floor, l, i, want)
			}
		}
		for v := range 120 {
			if want := int32(v%12/6 + v/12/5*2); got.of[v] != want {
				t.Fatalf("%v: node %d in cabinet %d, expected %d", c.floor, v, got.of[v], want)
			}
		}
	}
}

// TestRingsAreFolded: cabinets of a ring stand so that neighbours are at most two apart: 0 2 4 ... 5 3 1.
func TestRingsAreFolded(t *testing.T) {
	for _, n := range []int{2, 3, 5, 6} {
		g, err := topology.New(topology.Torus{Dims: topology.Ints{41 * n}}) // 41 is prime and fills a cabinet
		if err != nil {
			t.Fatal(err)
		}
		c := newCabinets(g, &CabinetFloor, []Stand{{Units: 1}}, nil)
		var columns []int32
		for _, at := range c.at {
			columns = append(columns, at[0])
		}
		want := map[int]string{2: "[0 1]", 3: "[0 2 1]", 5: "[0 2 4 3 1]", 6: "[0 2 4 5 3 1]"}[n]
		if got := fmt.Sprint(columns); got != want {
			t.Errorf("%d cabinets stand at %s, expected %s", n, got, want)
		}
	}
}

// TestRowsOfCabinets: ten cabinets of 0.60 m x 2.10 m on a square floor are ceil(sqrt(10 * 2.1 / 0.6)) = 6 to a row,
// with as many to a row as rows ceil(10 / 4) = 3. Those of the network, the last two, stand in the middle.
func TestRowsOfCabinets(t *testing.T) {
	square := CabinetFloor
	square.EqualRowCount = false
	for _, c := range []struct {
		floor   Floor
		columns int32
	}{{square, 6}, {CabinetFloor, 3}} {
		got := &cabinets{count: 10}
		got.rows(&c.floor, 8)
		for i, at := range got.at {
			place := []int32{0, 1, 2, 3, 6, 7, 8, 9, 4, 5}[i]
			if want := [2]int32{place % c.columns, place / c.columns}; at != want {
				t.Errorf("%d columns: cabinet %d at %v, expected %v", c.columns, i, at, want)
			}
		}
	}
	var none cabinets
	none.rows(&square, 0)
	none.rows(&CabinetFloor, 0)
	if len(none.at) != 0 {
		t.Errorf("cabinets at %v", none.at)
	}
}

// TestFillOfACabinet: 42 units hold 42 boxes of one unit, 8 of five, one of fifty; with two units of terminals beside
// each of four units, seven.
func TestFillOfACabinet(t *testing.T) {
	for _, c := range []struct {
		stand Stand
		more  int
		want  int
	}{
		{Stand{Units: 1}, 0, 42},
		{Stand{}, 0, 42},
		{Stand{Units: 5}, 0, 8},
		{Stand{Units: 50}, 0, 1},
		{Stand{Units: 4}, 2, 7},
		{Stand{Units: 1, PerRack: 9}, 0, 9},
		{Stand{Units: 5, PerRack: 9}, 0, 8},
	} {
		if got := c.stand.fill(&CabinetFloor, c.more); got != c.want {
			t.Errorf("%+v with %d units more: %d boxes, expected %d", c.stand, c.more, got, c.want)
		}
	}
}

// TestCabinetsHoldWhatFits draws trees, torus and dragonflies whose boxes stand in all ways, and checks cabinet by
// cabinet: no more units than there are, no more of a kind than wanted, network cabinets with one kind only and in the
// middle, names not mixed, and one cabinet at each place.
func TestCabinetsHoldWhatFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := func(name string, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(t, name) }
		var params topology.Params
		switch rapid.SampledFrom([]string{"tree", "torus", "dragonfly"}).Draw(t, "family") {
		case "tree":
			params = topology.FatTree{Nodes: n("nodes", 2, 150), Radix: 16}
		case "torus":
			params = topology.Torus{Dims: topology.Ints{n("x", 2, 12), n("y", 2, 9)}}
		default:
			params = topology.Dragonfly{P: n("p", 1, 3), A: n("a", 2, 4), H: n("h", 1, 2)}
		}
		g, err := topology.New(params)
		if err != nil {
			t.Fatal(err)
		}
		kinds := g.Kinds()
		var stands []Stand
		for range kinds {
			s := Stand{Units: n("units", 0, 9), PerRack: n("per rack", 0, 7)}
			switch n("place", 0, 4) {
			case 0:
				s.Network = true
			case 1:
				s.Group = "core"
			case 2:
				s.Beside = true
			}
			stands = append(stands, s)
		}
		var lead []int
		if rapid.Bool().Draw(t, "lead") {
			lead = []int{n("lead kind", 0, len(kinds)-1)}
		}
		c := newCabinets(g, &CabinetFloor, stands, lead)
		type content struct {
			units int
			boxes map[int]int
		}
		in := make([]content, c.count)
		all := 0
		for i, k := range kinds {
			for v := k.First; v < k.First+k.Count; v++ {
				at := c.of[v]
				if at < 0 || int(at) >= c.count {
					t.Fatalf("vertex %d in cabinet %d of %d", v, at, c.count)
				}
				if in[at].boxes == nil {
					in[at].boxes = map[int]int{}
				}
				in[at].boxes[i]++
				if !stands[i].Beside {
					in[at].units += max(1, stands[i].Units)
				}
				all++
			}
		}
		places := map[[2]int32]bool{}
		for at, held := range in {
			if held.units > CabinetFloor.Units {
				t.Fatalf("cabinet %d holds %d units", at, held.units)
			}
			groups := map[string]bool{}
			for i, boxes := range held.boxes {
				if s := stands[i]; !s.Beside {
					groups[s.Group] = true
					if s.PerRack > 0 && boxes > s.PerRack {
						t.Fatalf("cabinet %d holds %d of kind %d, of at most %d", at, boxes, i, s.PerRack)
					}
				}
			}
			if len(groups) > 1 {
				t.Fatalf("cabinet %d is shared by %v", at, groups)
			}
			for i := range held.boxes {
				if s := stands[i]; s.Network && !s.apart() {
					for j := range held.boxes {
						if j != i && !stands[j].Beside {
							t.Fatalf("kinds %d and %d share the network cabinet %d", i, j, at)
						}
					}
				}
			}
			if places[c.at[at]] {
				t.Fatalf("two cabinets at %v", c.at[at])
			}
			places[c.at[at]] = true
		}
		if all != topology.Vertices(g) {
			t.Fatalf("%d boxes of %d", all, topology.Vertices(g))
		}
		a, b := int32(n("cabinet", 0, c.count-1)), int32(n("other", 0, c.count-1))
		want := 2.0
		if a != b {
			dx, dy := float64(c.at[a][0]-c.at[b][0]), float64(c.at[a][1]-c.at[b][1])
			want = 4 + 0.6*max(dx, -dx) + 2.1*max(dy, -dy)
		}
		if got := float64(c.length(&CabinetFloor, a, b)); math.Abs(got-want) > 1e-4 {
			t.Fatalf("%v from %d to %d, expected %v", got, a, b, want)
		}
	})
}

// swapped is a graph whose links have their ends the other way round.
type swapped struct{ topology.Graph }

func (s swapped) Links() iter.Seq[topology.Link] {
	return func(yield func(topology.Link) bool) {
		for l := range s.Graph.Links() {
			l.A, l.B, l.PortA, l.PortB = l.B, l.A, l.PortB, l.PortA
			if !yield(l) {
				return
			}
		}
	}
}

// TestEndsOfLinksMayBeSwapped: which switch a node hangs on, and which switches come with which box, does not depend on
// the order of the ends of links.
func TestEndsOfLinksMayBeSwapped(t *testing.T) {
	g, err := topology.New(topology.FatTree{Nodes: 40, Radix: 16})
	if err != nil {
		t.Fatal(err)
	}
	kinds := g.Kinds()
	stands := make([]Stand, len(kinds))
	if a, b := homes(g, kinds), homes(swapped{g}, kinds); !slices.Equal(a, b) {
		t.Errorf("nodes hang on %v, with swapped ends on %v", a, b)
	}
	a, b := switchesByBox(g, stands), switchesByBox(swapped{g}, stands)
	if fmt.Sprint(a) != fmt.Sprint(b) || len(a) == 0 {
		t.Errorf("switches come with %v, with swapped ends with %v", a, b)
	}
	for box, switches := range a { // eight nodes to a leaf: each leaf comes with the first of them
		if kinds[topology.KindOf(kinds, int(box))].Role != topology.Terminal || len(switches) != 1 ||
			(int(box)-kinds[len(kinds)-1].First)%8 != 0 {
			t.Errorf("box %d comes after %v", box, switches)
		}
	}
}
