package workload

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/sim/goal"
	"github.com/plenum-planner/plenum/sim/loggops"
	"github.com/plenum-planner/plenum/units"
)

func drawJob(t *rapid.T) *Job {
	draw := func(name string, most int) int { return rapid.IntRange(1, most).Draw(t, name) }
	j := &Job{
		Model: Model{
			Hidden: draw("hidden", 64), Parameters: float64(draw("parameters", 1000000)), ValueBytes: 2,
			GradientBytes: 4,
		},
		Parallel: Parallel{Tensor: draw("tensor", 4), Pipeline: draw("pipeline", 4), Expert: draw("expert", 3)},
		Batch: Batch{
			Microbatches: draw("microbatches", 6), Sequences: draw("sequences", 3), Tokens: draw("tokens", 64),
		},
		Compute: Compute{
			Forward: units.Time(1000 * draw("forward", 9)), Backward: units.Time(1000 * draw("backward", 9)),
		},
	}
	j.Parallel.Data = j.Parallel.Expert * draw("data", 3)
	j.Model.Layers = j.Parallel.Pipeline * draw("layers", 3)
	if j.Parallel.Expert > 1 {
		j.Model.ExpertLayers, j.Model.TopK = draw("expert layers", j.Model.Layers), draw("top k", 4)
		j.Model.ExpertParameters = float64(draw("expert parameters", int(j.Model.Parameters)))
	}
	return j
}

func (j *Job) schedule(t *rapid.T) *goal.Schedule {
	j.check(func(path, format string, args ...any) { t.Fatalf(path+": "+format, args...) })
	s, err := j.Schedule()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestStepWithoutMessages has messages that take no time: a step takes what the pipeline does, (microbatches + stages -
// 1) times a pass forward and one backward (D. Narayanan et al., SC'21, section 2.2.1).
func TestStepWithoutMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		j := drawJob(t)
		got, want := took(t, j.schedule(t), loggops.Params{Rendezvous: math.MaxInt64}, 0), j.Calculates()
		off := 2 * j.Model.Layers * 2 * (j.Batch.Microbatches + j.Parallel.Pipeline) // ns, rounded each
		if math.Abs(float64(got-want)) > float64(off) {
			t.Fatalf("%v; want %v", got, want)
		}
		one := j.Batch.Microbatches
		j.Batch.Microbatches++
		if more := j.Calculates() - want; more != j.Compute.Forward+j.Compute.Backward {
			t.Fatalf("microbatch %d takes %v", one+1, more)
		}
	})
}

// TestBytesOfJob counts the bytes of each kind of message of a job over a network.
func TestBytesOfJob(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		j := drawJob(t)
		s := j.schedule(t)
		var sent [expertGradientTag + 1]int64
		for _, op := range s.Ops() {
			if op.Kind == goal.Send {
				sent[op.Tag] += op.Size
			}
		}
		up := func(a, b int) int64 { return int64((a + b - 1) / b) }
		p, m, b := j.Parallel, j.Model, j.Batch
		act := b.Sequences * b.Tokens * m.Hidden * 2
		ways := p.Tensor * p.Data
		pipe := int64(ways*(p.Pipeline-1)*b.Microbatches) * up(act, p.Tensor)
		tensor := int64(p.Data*b.Microbatches*m.Layers*4) * int64(p.Tensor) * 2 * int64(p.Tensor-1) * up(act, p.Tensor)
		expert := int64(ways*b.Microbatches*m.ExpertLayers*4) * int64(p.Expert-1) * up(act*m.TopK/p.Tensor, p.Expert)
		shares := p.Tensor * p.Pipeline
		dense := up(int(m.Parameters-m.ExpertParameters)*4, shares)
		gradients := j.Ranks() * 2 * int64(p.Data-1) * up(int(dense), p.Data)
		same := p.Data / p.Expert
		own := up(int(m.ExpertParameters)*4, shares*p.Expert)
		expertGradients := j.Ranks() * 2 * int64(same-1) * up(int(own), same)
		want := [...]int64{pipe, pipe, tensor, expert, gradients, expertGradients}
		if sent != want {
			t.Fatalf("%v; want %v", sent, want)
		}
		if got := float64(len(s.Ops())); got > j.ops() {
			t.Fatalf("%g operations, at most %g", got, j.ops())
		}
	})
}

// TestWithinNode plays a job whose tensor-parallel ranks share a node: their all-reduces take the time of their bytes.
func TestWithinNode(t *testing.T) {
	j := &Job{
		Model:    Model{Layers: 2, Hidden: 100, Parameters: 8, ValueBytes: 2, GradientBytes: 4},
		Parallel: Parallel{Tensor: 4, Pipeline: 1, Data: 1, Expert: 1},
		Batch:    Batch{Microbatches: 3, Sequences: 1, Tokens: 1000},
		Compute:  Compute{Forward: 10000, Backward: 20000},
		Node:     &Node{Ranks: 8, Rate: 400},
	}
	s, err := j.Schedule()
	if err != nil || s.Messages() != 0 {
		t.Fatal(s.Messages(), err)
	}
	// 200,000 bytes in four parts, six of which each rank sends: 300,000 bytes at 400 Gb/s are 6,000 ns, 4 x 2 times.
	if got := took(t, s, loggops.Params{}, 0); got != 3*(30000+8*6000) {
		t.Error(got)
	}
	j.Node.Ranks = 2
	if s, err := j.Schedule(); err != nil || s.Messages() == 0 {
		t.Error("ranks of two nodes send nothing", err)
	}
	j.Parallel, j.Node.Ranks = Parallel{Tensor: 2, Pipeline: 1, Data: 2, Expert: 1}, 4
	if s, err = j.Schedule(); err != nil || s.Messages() != 0 {
		t.Fatal(s.Messages(), err)
	}
	// Two parts of 100,000 bytes, two of which each rank sends: 4,000 ns, 8 times; the gradients take 0.32 ns.
	if got := took(t, s, loggops.Params{}, 0); got != 3*(30000+8*4000) {
		t.Error(got)
	}
}

const jobText = `name: small
source: a test
model: {layers: 4, hidden: 64, parameters: 1e6, value_bytes: 2, gradient_bytes: 4}
parallel: {tensor: 2, pipeline: 2, data: 3}
batch: {microbatches: 4, sequences: 1, tokens: 128}
compute: {forward: 1 ms, backward: 2 ms, source: a test}
`

// TestJobText reads a description, and refuses those that contradict themselves.
func TestJobText(t *testing.T) {
	j, err := ParseJob("job.yaml", []byte(jobText))
	if err != nil {
		t.Fatal(err)
	}
	if j.Ranks() != 12 || j.Tokens() != 3*4*128 || j.Calculates() != 5*3e6 || j.Parallel.Expert != 1 {
		t.Errorf("%+v", j)
	}
	for _, tt := range []struct{ old, new, want string }{
		{"pipeline: 2", "pipeline: 5", "job.yaml:4:33: parallel.pipeline: must be at most 4"},
		{"data: 3", "data: 3, expert: 2", "parallel.expert: must divide 3"},
		{"data: 3", "data: 4, expert: 2", "expert_layers is missing"},
		{"layers: 4,", "layers: 4, expert_layers: 5, top_k: 1,", "at most 4, the layers"},
		{"layers: 4,", "layers: 4, expert_layers: 2,", "top_k is missing"},
		{"layers: 4,", "layers: 4, expert_layers: 2, top_k: 1,", "expert_parameters is missing"},
		{"layers: 4,", "layers: 4, expert_layers: 2, top_k: 1, expert_parameters: 2e6,", "at most 1e+06"},
		{"tensor: 2", "tensor: 4000000", "ranks; a schedule has at most"},
		{"data: 3", "data: 30000", "operations; a schedule has at most"},
		{"hidden: 64", "hidden: 1000000", ""},
		{"tokens: 128", "tokens: 100000000", ""},
		{"batch:", "node: {ranks: 3, rate: 400G, source: x}\nbatch:", "node.ranks: must be a multiple or a divisor"},
		{"batch:", "node: {ranks: 2, rate: 0G, source: x}\nbatch:", "node.rate: must be above 0"},
		{"sequences: 1", "sequences: 1000000, x: 1", "x"},
	} {
		_, err := ParseJob("job.yaml", []byte(strings.Replace(jobText, tt.old, tt.new, 1)))
		if (tt.want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v; want %s", tt.new, err, tt.want)
		}
	}
}
