package topology_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
)

// Closed forms count what the links are, and a bound of their number is met where they are.
func TestChannels(t *testing.T) {
	for _, f := range topology.Families() {
		t.Run(f.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				s, g := graphtest.Member(t, f.Name, 3000)
				if got, want := topology.Channels(g), topology.Count(g).ByLevel; !slices.Equal(got, want) {
					t.Fatalf("%+v: %v, the links are %v", s, got, want)
				}
				links := int64(0)
				for range g.Links() {
					links++
				}
				for _, most := range []int64{0, links / 2, links - 1, links, links + 1, 2*links + 1} {
					if got := topology.AtMostLinks(g, most); got != (links <= most) {
						t.Fatalf("%+v: %d links are at most %d: %v", s, links, most, got)
					}
				}
			})
		})
	}
	for _, s := range []topology.Params{
		topology.SlimFly{Q: 4},
		topology.SlimFly{Q: 5, Terminals: 3},
		topology.SlimFly{Q: 7, Terminals: 6},
		topology.SlimFly{Q: 8},
	} {
		g, err := topology.New(s)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := topology.Channels(g), topology.Count(g).ByLevel; !slices.Equal(got, want) {
			t.Errorf("%+v: %v, the links are %v", s, got, want)
		}
	}
}
