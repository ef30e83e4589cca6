package topology_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/topology"
)

// Closed forms count what the links are.
func TestChannels(t *testing.T) {
	for family, p := range properties {
		t.Run(family, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				s := p.draw(t)
				g, err := topology.New(s)
				if err != nil {
					t.Skip(err)
				}
				if topology.Vertices(g) > 3000 {
					t.Skip("slow")
				}
				if got, want := topology.Channels(g), topology.Count(g).ByLevel; !slices.Equal(got, want) {
					t.Fatalf("%+v: %v, the links are %v", s, got, want)
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
