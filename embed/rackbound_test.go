package embed

import (
	"math"
	"slices"
	"testing"

	"github.com/plenum-planner/plenum/embed/mapping"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
)

// priced has two classes of terms, one of which costs more one way than the
// other, and charges for links inside a rack.
type priced struct{ metres }

func (priced) Classes() int { return 2 }

func (priced) Terms(terms []Term, i int, l *topology.Link) []Term {
	return append(terms, Term{i % 2, int64(l.Width)}, Term{1, 2})
}

func (p priced) Cost(class int, a, b int32) int64 {
	if a == b {
		return 30 + int64(a)
	}
	cost := p.metres.Cost(0, a, b)
	if class == 1 {
		cost = cost*cost/1000 + int64(max(a-b, 0))
	}
	return cost
}

// The bound of the racks' order is below every order of racks as they were
// filled, and not nothing.
func TestRackBoundAgainstEveryOrder(t *testing.T) {
	goals := map[string]func(*Placement) (Goal, error){
		"length":      func(pl *Placement) (Goal, error) { return metres{pl.Layout}, nil },
		"two classes": func(pl *Placement) (Goal, error) { return priced{metres{pl.Layout}}, nil },
	}
	specs := []topology.Params{
		topology.Torus{Dims: topology.Ints{5, 4}},
		topology.HyperX{Dims: topology.Ints{3, 4}, Terminals: 1},
		topology.RandomRegular{Nodes: 18, Degree: 5, Seed: 3},
	}
	for _, s := range specs {
		for name, goal := range goals {
			p := problem(graph(t, s))
			for i := range p.Kinds {
				p.Kinds[i].PerRack = max(topology.Vertices(p.Graph)/5, 1)
			}
			p.Room.Rows, p.Room.PerRow = 2, 3
			p.Optimizer = &Optimizer{Effort: mapping.Quick, Goal: goal}
			pl := place(t, p)
			g, err := goal(pl)
			if err != nil {
				t.Fatal(err)
			}
			least := leastOrder(p.Graph, pl, g)
			got := pl.Optimized
			if len(got.RackBoundMethods) == 0 || got.RackBound > least || least > got.After.Sum {
				t.Errorf("%s, %s: %d by %v, the best order costs %d, the one found %d",
					s.Family(), name, got.RackBound, got.RackBoundMethods, least, got.After.Sum)
			}
			if got.RackBound < least/10 {
				t.Errorf("%s, %s: %d is less than a tenth of %d", s.Family(), name, got.RackBound, least)
			}
		}
	}
}

// leastOrder tries every way to stand the racks of a placement.
func leastOrder(g topology.Graph, pl *Placement, goal Goal) int64 {
	var racks []int32
	site := make([]int32, len(pl.Slot))
	for v, s := range pl.Slot {
		site[v] = pl.Layout.Container(layout.RackLevel, s)
		if !slices.Contains(racks, site[v]) {
			racks = append(racks, site[v])
		}
	}
	places := len(pl.Layout.Room.Places)
	at := make(map[int32]int32)
	least := int64(math.MaxInt64)
	var try func(i int)
	try = func(i int) {
		if i == len(racks) {
			sum, n := int64(0), 0
			var terms []Term
			for l := range g.Links() {
				for _, t := range goal.Terms(terms[:0], n, &l) {
					sum += t.Weight * goal.Cost(t.Class, at[site[l.A]], at[site[l.B]])
				}
				n++
			}
			least = min(least, sum)
			return
		}
	next:
		for p := range int32(places) {
			for _, r := range racks[:i] {
				if at[r] == p {
					continue next
				}
			}
			at[racks[i]] = p
			try(i + 1)
		}
	}
	try(0)
	return least
}
