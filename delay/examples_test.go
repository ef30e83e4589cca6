package delay_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/machine"
)

// TestExamplesEqualPlainSearches measures the exact delays of every example once more: pair by pair where it has few
// ends, and otherwise by a search from every source. The short form takes some small ones.
func TestExamplesEqualPlainSearches(t *testing.T) {
	paths := []string{
		"../examples/basepod.yaml", "../examples/dragonfly-1056.yaml", "../examples/gb300-nvl72.yaml",
	}
	pairwise, most := 600, 2_000
	if os.Getenv("PLENUM_LONG") == "1" {
		paths, _ = filepath.Glob("../examples/*.yaml")
		pairwise, most = 6_000, 70_000
	}
	compared := 0
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			ctx := context.Background()
			s, err := machine.Load(path)
			if err != nil {
				t.Fatal(err)
			}
			r, err := machine.Plan(ctx, s)
			if err != nil {
				t.Fatal(err)
			}
			networks := r.Fabrics
			if len(networks) == 0 {
				networks = []*machine.Network{&r.Network}
			}
			for _, n := range networks {
				seen := n.Seen()
				got := n.Delay
				if got == nil || !got.Exact || got.Sources > most {
					t.Logf("%s: not exact, or too large: %s of %d sources", n.Name, sources(got), seen.Counts.Nodes)
					continue
				}
				how := "pair by pair"
				want, err := delay.Searched(ctx, seen.Graph, seen.Model, seen.Links)
				if got.Sources <= pairwise {
					want, err = delay.Plainly(seen.Graph, seen.Model, seen.Links)
				} else {
					how = "by sources"
				}
				if err != nil {
					t.Fatal(err)
				}
				if d := delay.SameFigures(want, got); d != "" {
					t.Errorf("%s, %s (-), planned (+):\n%s", n.Name, how, d)
				}
				compared++
				t.Logf("%s: %d sources, %s", n.Name, got.Sources, how)
			}
		})
	}
	if compared == 0 {
		t.Error("no example has exact delays")
	}
}

func sources(r *delay.Result) string {
	if r == nil {
		return "no"
	}
	return fmt.Sprint(r.Sources)
}
