package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
)

// simulated is what a test needs of plenum sim --json.
type simulated struct {
	Workloads []struct {
		Name         string  `json:"name"`
		Cycles       float64 `json:"cycles"`
		CyclesStd    float64 `json:"cycles_std"`
		CyclesBySeed []int64 `json:"cycles_by_seed"`
		Reference    float64 `json:"reference_cycles"`
		Relative     float64 `json:"relative"`
	} `json:"workloads"`
	Runs []struct {
		Delivered int64 `json:"delivered"`
		Latency   struct {
			Propagation float64 `json:"propagation"`
		} `json:"latency_cycles"`
	} `json:"runs"`
	Phi    float64 `json:"phi"`
	PhiStd float64 `json:"phi_std"`
}

func simulate(t *testing.T, args ...string) simulated {
	t.Helper()
	var out, errs bytes.Buffer
	if status := run(context.Background(), &out, &errs,
		append([]string{"sim", "--json"}, args...)); status != cli.ExitDone {
		t.Fatalf("plenum sim %q ended with %d: %s", args, status, errs.String())
	}
	var found simulated
	if err := json.Unmarshal(out.Bytes(), &found); err != nil {
		t.Fatal(err)
	}
	return found
}

// TestSeedsAreSingleRuns: means over seeds are those of single runs with these
// seeds, with failures and places drawn anew.
func TestSeedsAreSingleRuns(t *testing.T) {
	for _, args := range [][]string{
		{
			"--topology", "{family: thin-tree, down: 4, up: 2, levels: 2}", "--reference",
			"{family: k-ary-n-tree, down: 4, levels: 2}",
		},
		{
			"--topology", "{family: torus, dims: [4, 4]}", "--routing", "updown", "--faults", "10%", "--placement",
			"random", "--reference", "{family: torus, dims: [4, 4]}",
		},
	} {
		args = append(args, "--workload", "W2:bytes=2048")
		all := simulate(t, append(slices.Clone(args), "--seed", "5", "--seeds", "3")...)
		var cycles []int64
		var sum, reference, squares float64
		var phis []float64
		for _, seed := range []string{"5", "6", "7"} {
			one := simulate(t, append(slices.Clone(args), "--seed", seed)...)
			w := one.Workloads[0]
			cycles = append(cycles, int64(w.Cycles))
			sum += w.Cycles
			reference += w.Reference
			phis = append(phis, one.Phi)
		}
		w := all.Workloads[0]
		if !slices.Equal(w.CyclesBySeed, cycles) {
			t.Errorf("%q: %v, alone %v", args, w.CyclesBySeed, cycles)
		}
		for _, c := range cycles {
			squares += (float64(c) - sum/3) * (float64(c) - sum/3)
		}
		mean := (phis[0] + phis[1] + phis[2]) / 3
		spread := 0.0
		for _, phi := range phis {
			spread += (phi - mean) * (phi - mean)
		}
		for _, x := range []struct {
			name      string
			got, want float64
		}{
			{"mean", w.Cycles, sum / 3},
			{"deviation", w.CyclesStd, math.Sqrt(squares / 2)},
			{"reference", w.Reference, reference / 3},
			{"relative", w.Relative, sum / reference},
			{"phi", all.Phi, reference / sum},
			{"deviation of phi", all.PhiStd, math.Sqrt(spread / 2)},
		} {
			if math.Abs(x.got-x.want) > 1e-9*max(1, math.Abs(x.want)) {
				t.Errorf("%q: %s %v, not %v", args, x.name, x.got, x.want)
			}
		}
	}
}
