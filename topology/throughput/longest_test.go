package throughput

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/topology"
)

// The longest matching takes as many channels as the bound says that the worst permutation does, which symmetry tells
// without one, and gives every terminal one partner at most.
func TestLongestMatchingIsThatOfTheBound(t *testing.T) {
	graphs := []topology.Graph{
		build(t, topology.Torus{Dims: topology.Ints{4, 5}}),
		build(t, topology.HyperX{Dims: topology.Ints{3, 4}, Terminals: 5}),
		build(t, topology.Dragonfly{P: 2, A: 4, H: 2}),
		build(t, topology.KAryNTree{Down: 4, Levels: 3}),
		build(t, topology.SlimFly{Q: 5}),
		build(t, topology.FatTree{Nodes: 50, Radix: 10}),
		build(t, topology.RandomRegular{Nodes: 40, Degree: 3, Terminals: 2, Seed: 3}),
	}
	for _, g := range graphs {
		to, err := LongestMatching(context.Background(), g)
		if err != nil {
			t.Fatalf("%s: %v", g.Family(), err)
		}
		apart := channelsApart(g)
		taken, sum := map[int32]bool{}, 0
		for from, at := range to {
			if at < 0 {
				continue
			}
			if taken[at] {
				t.Fatalf("%s: two send to %d", g.Family(), at)
			}
			taken[at] = true
			sum += apart(from, int(at))
		}
		if b := of(t, g); !near(float64(sum), b.HopsWorst*float64(b.Ports)) {
			t.Errorf("%s: %d channels, by the bound %g", g.Family(), sum, b.HopsWorst*float64(b.Ports))
		}
	}
}

// channelsApart searches for the channels between the switches of two terminals, breadth first.
func channelsApart(g topology.Graph) func(from, to int) int {
	var vertex []int32
	terminal := make([]bool, topology.Vertices(g))
	for _, k := range g.Kinds() {
		for v := k.First; v < k.First+k.Count && k.Role != topology.Switch; v++ {
			vertex = append(vertex, int32(v))
			terminal[v] = k.Role == topology.Terminal
		}
	}
	next := make([][]int32, len(terminal))
	for l := range g.Links() {
		next[l.A], next[l.B] = append(next[l.A], l.B), append(next[l.B], l.A)
	}
	return func(from, to int) int {
		hops := map[int32]int{vertex[from]: 0}
		for queue := []int32{vertex[from]}; len(queue) > 0; queue = queue[1:] {
			v := queue[0]
			for _, w := range next[v] {
				if _, seen := hops[w]; !seen {
					hops[w] = hops[v] + 1
					queue = append(queue, w)
				}
			}
		}
		d := hops[vertex[to]]
		if terminal[vertex[from]] && from != to {
			d -= 2 // the links of the two
		}
		return d
	}
}

// Whatever the ends, no terminal has two partners, and the same graph gives the same matching.
func TestLongestMatchingOfDrawnNetworks(t *testing.T) {
	for seed := range uint64(60) {
		g := draw(rand.New(rand.NewPCG(seed, 7)))
		to, err := LongestMatching(context.Background(), g)
		if err != nil {
			continue // no terminal has a link
		}
		again, _ := LongestMatching(context.Background(), g)
		taken := map[int32]bool{}
		for from, at := range to {
			if at != again[from] || at >= 0 && taken[at] || int(at) >= len(to) {
				t.Fatalf("seed %d: %v, then %v", seed, to, again)
			}
			taken[at] = true
		}
	}
}

func TestLongestMatchingOfTooManySwitches(t *testing.T) {
	g := build(t, topology.Torus{Dims: topology.Ints{65, 65}})
	_, err := LongestMatching(context.Background(), g)
	if err == nil || !strings.Contains(err.Error(), "4096 at most") {
		t.Errorf("%v", err)
	}
}
