package ranking_test

import (
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/sim/workload"
	"github.com/plenum-planner/plenum/study/ranking"
)

const job = `name: a small step
source: made up
model: {layers: 2, hidden: 512, parameters: 1e8, value_bytes: 2, gradient_bytes: 4}
parallel: {tensor: 4, pipeline: 2, data: 2}
batch: {microbatches: 5, sequences: 1, tokens: 4096}
compute: {forward: 100 us, backward: 200 us, source: assumed}
`

// A step takes at least its calculations, and less on a machine of faster ports; it says what it rests on.
func TestSteps(t *testing.T) {
	j, err := workload.ParseJob("job.yaml", []byte(job))
	if err != nil {
		t.Fatal(err)
	}
	schedule, err := j.Schedule()
	if err != nil {
		t.Fatal(err)
	}
	p := ranking.Player{Workload: &workload.Workload{Name: j.Name, Schedule: schedule, Job: j}, RanksPerNode: 2}
	if got, want := p.LeastSeconds(), 5*300e-6; got != want {
		t.Errorf("five microbatches of 300 us take %v s at least, not %v", got, want)
	}
	seconds := map[string]float64{}
	for _, part := range []string{"100G", "400G"} {
		s, err := machine.Parse("m.yaml", []byte("name: m\ntopology: {family: torus, dims: [8]}\n"+
			"packaging: {node: {part: n}}\nparts: [{id: n, kind: node, description: a node, source: us, "+
			"confidence: estimate, units: 1, power: 100 W, weight: 10 kg, hop: 100 ns, "+
			"ports: [{count: 2, connector: osfp, rate: "+part+"}]}]\n"))
		if err != nil {
			t.Fatal(err)
		}
		r, err := machine.Plan(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		step, err := p.Play(t.Context(), r, &r.Network)
		if err != nil {
			t.Fatal(err)
		}
		seconds[part] = step.Seconds
		if step.Nodes != 8 || step.Ranks != 16 || step.Source != "assumed" || step.Workload != "a small step" {
			t.Errorf("the step is of %+v", step)
		}
		if want := 6 * 300e-6; *step.Compute != want { // with the pipeline filled once
			t.Errorf("the calculations take %v s, not %v", *step.Compute, want)
		}
		if got, want := *step.Tokens*step.Seconds, float64(2*5*4096); got < want*0.999 || got > want*1.001 {
			t.Errorf("%v tokens, not %v", got, want)
		}
		if step.Seconds < p.LeastSeconds() || step.Seconds < *step.Compute {
			t.Errorf("a step takes %v s, less than its calculations", step.Seconds)
		}
		p := ranking.Player{Workload: p.Workload, RanksPerNode: 1}
		if _, err := p.Play(t.Context(), r, &r.Network); err == nil ||
			!strings.Contains(err.Error(), "16 tasks do not fit on 8 terminals") {
			t.Errorf("16 ranks on 8 nodes: %v", err)
		}
	}
	if seconds["400G"] >= seconds["100G"] {
		t.Errorf("faster ports do not help: %v", seconds)
	}
}
