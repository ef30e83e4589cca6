package routing

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/topology"
)

// TestNextHopsEqualASearchOfNeighbours: they are what the distances of all neighbours tell, with links of one
// direction and failures too.
func TestNextHopsEqualASearchOfNeighbours(t *testing.T) {
	specs := make([]string, 0, len(small))
	for name := range small {
		specs = append(specs, name)
	}
	slices.Sort(specs)
	rapid.Check(t, func(rt *rapid.T) {
		spec := small[rapid.SampledFrom(specs).Draw(rt, "spec")]
		n := network(t, spec)
		links := rapid.SliceOfN(rapid.Int32Range(0, max(slices.Max(n.Link), 1)), 0, 4).Draw(rt, "failed")
		if len(links) > 0 {
			n = n.Fail(links, nil)
		}
		kept, err := newMinimal(n, false, "minimal")
		if err != nil {
			rt.Skip(err)
		}
		if kept.next, err = newNextHops(kept.distances, destinations(n)); err != nil {
			rt.Fatal(err)
		}
		searched := *kept
		searched.next = nil
		for at := range int32(n.Routers()) {
			for to := range int32(n.Routers()) {
				h := NewHeader(at, to)
				a, b := kept.Next(&h, at, nil, nil), searched.Next(&h, at, nil, nil)
				if at != to && !slices.Equal(a, b) {
					rt.Fatalf("%T from %d to %d, failed %v: %v, expected %v", spec, at, to, links, a, b)
				}
			}
		}
	})
}

// TestNextHopsAreKeptWhereTheyGain: not of networks whose routers have few channels.
func TestNextHopsAreKeptWhereTheyGain(t *testing.T) {
	for _, c := range []struct {
		spec topology.Params
		want bool
	}{{topology.SlimFly{Q: 5}, true}, {topology.Torus{Dims: topology.Ints{4, 4}}, false}} {
		f, err := newMinimal(network(t, c.spec), false, "minimal")
		if err != nil {
			t.Fatal(err)
		}
		if got := f.next != nil; got != c.want {
			t.Errorf("%T: next hops kept: %v", c.spec, got)
		}
	}
}
