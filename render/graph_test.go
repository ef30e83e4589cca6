package render_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/graphio"
)

// TestAnynetHasPlannedLatencies: an exported network, read back, has links between
// the same routers, with the cycles that a signal takes over the planned lengths,
// the same both ways.
func TestAnynetHasPlannedLatencies(t *testing.T) {
	for _, text := range []string{
		"topology: {family: dragonfly, p: 2, a: 4, h: 2}\n",
		"topology: {family: torus, dims: [4, 4, 3]}\n",
		"topology: {family: k-ary-n-tree, down: 4, levels: 2}\n",
	} {
		spec, err := machine.Parse("machine.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		plan, err := machine.Plan(context.Background(), spec)
		if err != nil {
			t.Fatal(err)
		}
		const clock = 2.5
		var file bytes.Buffer
		if err := graphio.WriteAnynet(&file, render.Graph(&plan.Network, plan.Cycles(clock,
			delay.Override{}))); err != nil {
			t.Fatal(err)
		}
		got := map[string]string{} // "router router" to latency
		for line := range strings.Lines(file.String()) {
			words := strings.Fields(line)
			for i := 2; i < len(words); {
				if words[i] == "node" {
					i += 2
					continue
				}
				got[words[1]+" "+words[i+1]] = words[i+2]
				i += 3
			}
		}
		kinds := plan.Graph.Kinds()
		number := func(v int32) int { // among what forwards
			n := int(v)
			for _, k := range kinds {
				if k.Role == topology.Terminal && k.First < int(v) {
					n -= min(k.Count, int(v)-k.First)
				}
			}
			return n
		}
		want, i := 0, -1
		for l := range plan.Graph.Links() {
			i++
			if kinds[topology.KindOf(kinds, int(l.A))].Role == topology.Terminal ||
				kinds[topology.KindOf(kinds, int(l.B))].Role == topology.Terminal {
				continue
			}
			want += 2
			ns := float64(plan.Model.Wire(plan.Links.At(i)))
			cycles := fmt.Sprint(max(1, math.Ceil(ns*clock-1e-9)))
			a, b := number(l.A), number(l.B)
			if there, back := got[fmt.Sprint(a, b)], got[fmt.Sprint(b, a)]; there != cycles || back != cycles {
				t.Fatalf("%s: %s - %s has %q and %q cycles, not %s", text, plan.Graph.Label(int(l.A)),
					plan.Graph.Label(int(l.B)), there, back, cycles)
			}
		}
		if len(got) != want {
			t.Errorf("%s: %d directions, not %d", text, len(got), want)
		}
	}
}
