package workload

import (
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/strictyaml"
	"github.com/plenum-planner/plenum/sim/goal"
	"github.com/plenum-planner/plenum/units"
)

// Job is one step of the training of a transformer. Its tags drive the reader of files.
type Job struct {
	Name string `yaml:"name"`
	// Source is where the sizes are from.
	Source   string   `yaml:"source"`
	Model    Model    `yaml:"model"`
	Parallel Parallel `yaml:"parallel"`
	Batch    Batch    `yaml:"batch"`
	Compute  Compute  `yaml:"compute"`
	// Node is what is known of the links within a node; without it all messages go over the network.
	Node *Node `yaml:"node,omitempty"`
	// Published is what has been published of the job, to be set beside our figures.
	Published *Published `yaml:"published,omitempty"`
}

// Model is the sizes of a transformer.
type Model struct {
	Layers        int     `yaml:"layers" jsonschema:"minimum=1" most:"100000"`
	Hidden        int     `yaml:"hidden" jsonschema:"minimum=1" most:"1000000"`              // width of an activation
	Parameters    float64 `yaml:"parameters" jsonschema:"minimum=1" most:"1000000000000000"` // of all layers
	ValueBytes    int     `yaml:"value_bytes" jsonschema:"minimum=1" most:"16"`              // of an activation's value
	GradientBytes int     `yaml:"gradient_bytes" jsonschema:"minimum=1" most:"16"`           // of a gradient
	// ExpertLayers is how many layers have experts, each of which sends every token to TopK of them.
	ExpertLayers int `yaml:"expert_layers,omitempty" most:"100000"`
	TopK         int `yaml:"top_k,omitempty" most:"100000"`
	// ExpertParameters are those of the parameters that are in experts.
	ExpertParameters float64 `yaml:"expert_parameters,omitempty" most:"1000000000000000"`
}

// Parallel is how many ways a job is split. Their product, without Expert, is the number of ranks.
type Parallel struct {
	Tensor   int `yaml:"tensor" jsonschema:"minimum=1" most:"4194304"`
	Pipeline int `yaml:"pipeline" jsonschema:"minimum=1" most:"4194304"`
	Data     int `yaml:"data" jsonschema:"minimum=1" most:"4194304"`
	// Expert is how many data-parallel ranks share the experts; 1 when left out.
	Expert int `yaml:"expert,omitempty" jsonschema:"minimum=1" most:"4194304"`
}

// Batch is what a data-parallel rank works on in a step.
type Batch struct {
	Microbatches int `yaml:"microbatches" jsonschema:"minimum=1" most:"1000000"`
	Sequences    int `yaml:"sequences" jsonschema:"minimum=1" most:"1000000"` // of a microbatch
	Tokens       int `yaml:"tokens" jsonschema:"minimum=1" most:"100000000"`  // of a sequence
}

// Compute is the time that a rank of any stage takes for its part of a microbatch, without messages.
type Compute struct {
	Forward  units.Time `yaml:"forward"`
	Backward units.Time `yaml:"backward"`
	Source   string     `yaml:"source"` // where the times are from
}

// Node is the ranks of a node and the rate at which each of them sends to the others.
type Node struct {
	Ranks  int        `yaml:"ranks" jsonschema:"minimum=1" most:"4096"`
	Rate   units.Rate `yaml:"rate"`
	Source string     `yaml:"source"`
}

// Published is figures of a job that were published.
type Published struct {
	Seconds float64 `yaml:"step_s" most:"1000000"` // that a step takes
	Source  string  `yaml:"source"`
}

var language = strictyaml.Language{
	Empty:  "it has a name, a source, a model and how it is split; docs/workloads.md has one to start from",
	Second: "a training job is a single document: remove what begins with this ---",
}

// ReadJob reads the description of a training job. The error lists all mistakes with their lines.
func ReadJob(path string) (*Job, error) {
	data, err := strictyaml.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return ParseJob(path, data)
}

// ParseJob reads the text of a description; name is that of the file. The error lists all mistakes with their lines.
func ParseJob(name string, data []byte) (*Job, error) {
	j := &Job{Parallel: Parallel{Expert: 1}}
	doc := language.Read(name, data, j)
	if doc.Err() == nil {
		j.check(func(path, format string, args ...any) { doc.Report(path, diag.Fieldf(path, format, args...)) })
	}
	if err := doc.Err(); err != nil {
		return nil, err
	}
	return j, nil
}

// check reports sizes that do not go together.
func (j *Job) check(fault func(path, format string, args ...any)) {
	p, m := j.Parallel, j.Model
	if p.Pipeline > m.Layers {
		fault("parallel.pipeline", "must be at most %d, the layers of the model", m.Layers)
	}
	if p.Data%p.Expert != 0 {
		fault("parallel.expert", "must divide %d, the data-parallel ranks", p.Data)
	}
	switch {
	case m.ExpertLayers > m.Layers:
		fault("model.expert_layers", "must be at most %d, the layers of the model", m.Layers)
	case m.ExpertLayers > 0 && m.TopK == 0:
		fault("model", "top_k is missing: the experts to which a token goes")
	case m.ExpertLayers > 0 && m.ExpertParameters == 0:
		fault("model", "expert_parameters is missing: those of the parameters that are in experts")
	case m.ExpertLayers == 0 && (m.TopK > 0 || m.ExpertParameters > 0 || p.Expert > 1):
		fault("model", "expert_layers is missing: the layers that have experts")
	case m.ExpertParameters > m.Parameters:
		fault("model.expert_parameters", "must be at most %g, the parameters of the model", m.Parameters)
	}
	if n := j.Node; n != nil {
		if n.Rate <= 0 {
			fault("node.rate", "must be above 0")
		}
		if p.Tensor > 1 && p.Tensor%n.Ranks != 0 && n.Ranks%p.Tensor != 0 {
			fault("node.ranks", "must be a multiple or a divisor of %d, the tensor-parallel ranks", p.Tensor)
		}
	}
	if ranks := j.Ranks(); ranks > goal.MaxRanks {
		fault("parallel", "are %d ranks; a schedule has at most %d", ranks, goal.MaxRanks)
	} else if ops := j.ops(); ops > goal.MaxOps {
		fault("parallel", "%.3g operations; a schedule has at most %d", ops, goal.MaxOps)
	}
	if most := max(j.activation()*float64(max(1, m.TopK)), j.gradients()); most > goal.MaxBytes {
		fault("batch", "a message of %.3g bytes; a schedule has at most %d", most, int64(goal.MaxBytes))
	}
}

// Ranks is the number of ranks.
func (j *Job) Ranks() int64 {
	return int64(j.Parallel.Tensor) * int64(j.Parallel.Pipeline) * int64(j.Parallel.Data)
}

// Tokens is those of a step, over all ranks.
func (j *Job) Tokens() int64 {
	b := j.Batch
	return int64(j.Parallel.Data) * int64(b.Microbatches) * int64(b.Sequences) * int64(b.Tokens)
}

// Calculates is what a step takes where no message takes time: the microbatches in one stage after the other, and the
// pipeline filled and drained once.
func (j *Job) Calculates() units.Time {
	return units.Time(j.Batch.Microbatches+j.Parallel.Pipeline-1) * (j.Compute.Forward + j.Compute.Backward)
}

// activation is the bytes of an activation of a microbatch.
func (j *Job) activation() float64 {
	return float64(j.Batch.Sequences) * float64(j.Batch.Tokens) * float64(j.Model.Hidden) * float64(j.Model.ValueBytes)
}

// gradients is the bytes of the gradients of the rank that has most.
func (j *Job) gradients() float64 {
	shares := float64(j.Parallel.Tensor) * float64(j.Parallel.Pipeline)
	return float64(j.Model.Parameters) * float64(j.Model.GradientBytes) / shares
}
