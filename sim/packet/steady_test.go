package packet

import (
	"context"
	"reflect"
	"testing"

	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/topology"
)

// general hides what a function says of itself: packets ask it anew in every cycle.
type general struct{ routing.Function }

// What packets of a steady function choose from is found once a head. The slow twin finds it whenever they ask.
func TestSteadyChoicesAreThoseOfEveryCycle(t *testing.T) {
	for name, params := range map[string]topology.Params{
		"full tree": topology.ThinTree{Down: 4, Up: 4, Levels: 3},
		"thin tree": topology.ThinTree{Down: 4, Up: 2, Levels: 3},
		"fat tree":  topology.KAryNTree{Down: 3, Levels: 3},
	} {
		n := network(t, params)
		p, err := traffic.ParsePattern("uniform", n.Graph, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range []Options{
			{}, {VCs: 1}, {VCs: 3, Arbiter: Age}, {FreeInputs: true}, {Switching: StoreAndForward},
		} {
			f := function(t, n, "tree")
			if !routing.IsSteady(f) || routing.IsSteady(general{f}) {
				t.Fatalf("%s is steady: %v", f.Name(), routing.IsSteady(f))
			}
			run := func(f routing.Function, cores int) *Result {
				m := Measurement{Warmup: new(500), Check: 200, Batches: 3, Batch: 300}
				r, err := Run(context.Background(), Config{Network: n, Routing: f, Options: o, Seed: 1, Cores: cores},
					OpenLoop{Load: 0.9, Pattern: p, Measurement: m})
				if err != nil {
					t.Fatal(err)
				}
				r.Wall = 0
				return r
			}
			slow := run(general{f}, 1)
			for _, cores := range []int{1, 3} {
				if fast := run(f, cores); !reflect.DeepEqual(fast, slow) {
					t.Errorf("%s, %+v, %d cores: %+v, slowly %+v", name, o, cores, fast, slow)
				}
			}
		}
	}
}
