package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
)

// flat takes an object apart: the numbers and answers in it, by their keys with dots between them.
func flat(out map[string]any, under string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for key, x := range v {
			flat(out, strings.TrimPrefix(under+"."+key, "."), x)
		}
	case float64, bool:
		out[under] = v
	}
}

// The figures of a sweep's packets are those of plenum sim packets on the same machine with the same options: all that
// both state, planned or bare, at loads, of a search for saturation and of a workload.
func TestSweepAgreesWithSim(t *testing.T) {
	t.Chdir(t.TempDir())
	const dragonfly = "{topology: {family: dragonfly, p: 2, a: 4, h: 2}}"
	const rates = "{topology: {family: torus, dims: [4, 4]}, packaging: {node: {part: own}}, delay: " +
		"{hop: {node: 40}}, parts: [{id: own, kind: node, units: 1, ports: " +
		"[{count: 8, connector: qsfp56, rate: 200G}]}]}"
	const short = ", warmup: 1000, batches: 3, batch: 500"
	brief := "--warmup 1000 --batches 3 --batch 500 "
	for i, c := range []struct{ machine, options, flags, list string }{
		{
			dragonfly, "load: 1, traffic: worst-case, arbiter: age" + short,
			brief + "--load 1 --traffic worst-case --arbiter age", "runs",
		},
		{
			rates, "load: 0.4, routing: min-adaptive, vcs: 4, packet_phits: 8, faults: 10%" + short,
			brief + "--load 0.4 --routing min-adaptive --vcs 4 --packet-phits 8 --faults 10%", "runs",
		},
		{
			rates, "load: 0.3, clock_ghz: 1, pipeline: 3, beta_ns_per_m: 9, injection: 'burst:4', select: room" + short,
			brief + "--load 0.3 --clock-ghz 1 --pipeline 3 --beta-ns-per-m 9 --injection burst:4 --select room", "runs",
		},
		{
			rates, "room: false, load: 0.6, traffic: tornado, switching: store-and-forward" + short,
			brief + "--load 0.6 --traffic tornado --switching store-and-forward", "runs",
		},
		{rates, "saturation: true, tolerance: 0.2" + short, brief + "--saturation --tolerance 0.2", "saturation"},
		{
			dragonfly, "workload: halo, tasks: 8, placement: random, like: booksim",
			"--workload halo --tasks 8 --placement random --like booksim", "workloads",
		},
	} {
		name := fmt.Sprintf("%d.yaml", i)
		file := fmt.Sprintf("machine: %s\naxes: [{field: packets.seed, values: [3]}]\nmeasure: [packets]\n"+
			"packets: {%s}\n", c.machine, c.options)
		write := func(name, text string) {
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		write("sweep"+name, file)
		write(name, c.machine)
		args := append([]string{"sim", "packets", "--json", "--seed", "3"}, strings.Fields(c.flags)...)
		if strings.Contains(c.options, "room: false") {
			args = append(args, "--topology", name)
		} else {
			args = append(args, name)
		}
		var out, errs bytes.Buffer
		if status := run(t.Context(), &out, &errs, args); status != cli.ExitDone {
			t.Fatalf("%v: status %d, %s", args, status, &errs)
		}
		var report map[string]any
		if err := json.Unmarshal(out.Bytes(), &report); err != nil {
			t.Fatal(err)
		}
		simulated := map[string]any{}
		flat(simulated, "", report[c.list].([]any)[0])
		flat(simulated, "", report[c.list].([]any)[0].(map[string]any)["run"]) // of a workload
		dir := fmt.Sprint("study", i)
		sweepTo(t, "sweep"+name, dir)
		data, err := os.ReadFile(filepath.Join(dir, "shards", "000000.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		var row map[string]any
		if err := json.Unmarshal(data, &row); err != nil {
			t.Fatal(err)
		}
		both := 0
		for key, got := range row {
			want, ok := simulated[strings.TrimPrefix(key, "packets.")]
			if ok && strings.HasPrefix(key, "packets.") {
				both++
				if got != want {
					t.Errorf("%s: %s is %v, by sim packets %v", c.options, key, got, want)
				}
			}
		}
		if both < 4 {
			t.Errorf("%s: %d figures in both\n%s\n%s", c.options, both, data, &out)
		}
	}
}
