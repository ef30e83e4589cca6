package routing

import (
	"iter"
	"math/rand/v2"
	"testing"

	"github.com/plenum-planner/plenum/topology"
)

// widened is a graph that has parallel channels in place of a capacity: port p of a vertex is ports p*most and on.
type widened struct {
	topology.Graph
	most int32
}

func (w widened) Kinds() []topology.Kind {
	var out []topology.Kind
	for _, k := range w.Graph.Kinds() {
		k.Ports *= int(w.most)
		out = append(out, k)
	}
	return out
}

func (w widened) Levels() []topology.Level {
	var out []topology.Level
	for _, l := range w.Graph.Levels() {
		out = append(out, topology.Level{Name: l.Name})
	}
	return out
}

func (w widened) Links() iter.Seq[topology.Link] {
	return func(yield func(topology.Link) bool) {
		levels := w.Graph.Levels()
		for l := range w.Graph.Links() {
			c := max(1, levels[l.Level].Capacity)
			for i := range l.Width { // the channels of a port behind each other
				part := l
				part.Width, part.PortA, part.PortB = c, (l.PortA+i)*w.most, (l.PortB+i)*w.most
				if !yield(part) {
					return
				}
			}
		}
	}
}

// withCapacity draws a capacity for every level of a topology.
func withCapacity(t *testing.T, p topology.Params, r *rand.Rand) topology.Spec {
	t.Helper()
	g, err := topology.New(p)
	if err != nil {
		t.Fatal(err)
	}
	out := topology.Spec{Params: p, LevelCapacity: topology.LevelCapacity{Capacity: map[string]int{}}}
	for _, l := range g.Levels() {
		out.LevelCapacity.Capacity[l.Name] = 1 + r.IntN(3)
	}
	return out
}

// A network has the channels of one with parallel links in place of a capacity, in the same order.
func TestCapacityIsParallelChannels(t *testing.T) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	for name, p := range small {
		for range 3 {
			s := withCapacity(t, p, r)
			n := network(t, s)
			twin, err := NewNetwork(widened{n.Graph, 3})
			if err != nil {
				t.Fatal(err)
			}
			if n.Channels() != twin.Channels() || n.Routers() != twin.Routers() {
				t.Fatalf("%s: %d channels and %d routers, %d and %d of parallel links", name, n.Channels(), n.Routers(),
					twin.Channels(), twin.Routers())
			}
			for c := range n.To {
				if n.From[c] != twin.From[c] || n.To[c] != twin.To[c] || n.Level[c] != twin.Level[c] ||
					n.Reverse[c] != twin.Reverse[c] {
					t.Fatalf("%s, %v: channel %d differs from that of parallel links", name, s, c)
				}
			}
		}
	}
}

// Every function that fits a network of links with a capacity brings packets to where they go, over all channels of a
// link in turn.
func TestRoutesOverLinksOfCapacity(t *testing.T) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 2))
	for name, p := range small {
		s := withCapacity(t, p, r)
		n := network(t, s)
		if _, err := New(n, "", Options{}); err != nil {
			t.Errorf("%s, %v: %v", name, s, err)
		}
		for _, info := range Functions() {
			f, err := New(n, info.Name, Options{})
			if err != nil {
				continue
			}
			if err := CheckDependencies(n, f, 1); err != nil {
				t.Errorf("%s, %v, %s: %v", name, s, info.Name, err)
			}
		}
	}
}
