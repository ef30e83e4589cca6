package machine_test

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// TestFabricsAreCounted compares the links of every fabric, as they were counted while they were cabled, with those of
// its graph.
func TestFabricsAreCounted(t *testing.T) {
	for _, order := range []string{"", ", order: place"} {
		text := strings.Replace(hundredThousand, "count: 100000", "count: 300", 1)
		text = strings.Replace(text, "name: oob\n", "name: oob"+strings.Replace(order, ", ", "\n  ", 1)+"\n", 1)
		s, err := machine.Parse("m.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		r, err := machine.PlanWith(context.Background(), s, machine.Options{Summary: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Fabrics) != 4 {
			t.Fatalf("%d fabrics", len(r.Fabrics))
		}
		if want := topology.Count(r.Graph); !reflect.DeepEqual(r.Counts, want) {
			t.Errorf("%+v in all, want %+v", r.Counts, want)
		}
		for _, f := range r.Fabrics {
			if want := topology.Count(f.Graph); !reflect.DeepEqual(f.Counts, want) {
				t.Errorf("%s: %+v, want %+v", f.Name, f.Counts, want)
			}
		}
	}
}
