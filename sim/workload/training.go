package workload

import (
	"github.com/plenum-planner/plenum/sim/goal"
	"github.com/plenum-planner/plenum/units"
)

// Tags of the messages of a training job, by what they carry. Those of a kind come in the order in which they are sent.
const (
	forwardTag uint32 = iota
	backwardTag
	tensorTag
	expertTag
	gradientTag
	expertGradientTag
)

// trainer makes the schedule of a job, rank by rank.
type trainer struct {
	*maker
	job *Job
	// place of the rank under way
	tensor, data, stage int
}

// Schedule makes the schedule of a step of a job that ParseJob has read. Errors are those of goal.Builder:
// more ranks, operations or bytes than a schedule has.
func (j *Job) Schedule() (*goal.Schedule, error) {
	b, err := goal.NewBuilder(int(j.Ranks()))
	if err != nil {
		return nil, err
	}
	t := &trainer{maker: &maker{Builder: b}, job: j}
	p := j.Parallel
	for t.stage = range p.Pipeline {
		for t.data = range p.Data {
			for t.tensor = range p.Tensor {
				if err := b.Rank(t.rank(t.tensor, t.data, t.stage)); err != nil {
					return nil, err
				}
				t.step()
				if t.err != nil {
					return nil, t.err
				}
			}
		}
	}
	return b.Schedule(), nil
}

// rank is the number of a rank.
func (t *trainer) rank(tensor, data, stage int) int32 {
	p := t.job.Parallel
	return int32(tensor + p.Tensor*(data+p.Data*stage))
}

// step adds a step of the rank: forward passes until the pipeline is full, then one backward for each forward, then the
// backward passes that are left, then the gradients.
func (t *trainer) step() {
	all := t.job.Batch.Microbatches
	ahead := min(t.job.Parallel.Pipeline-1-t.stage, all)
	before := int32(-1)
	for range ahead {
		before = t.forward(before)
	}
	for range all - ahead {
		before = t.forward(before)
		before = t.backward(before)
	}
	for range ahead {
		before = t.backward(before)
	}
	t.gradients(before)
}

// forward is the forward pass of the next microbatch.
func (t *trainer) forward(before int32) int32 {
	last := t.job.Parallel.Pipeline - 1
	return t.pass(before, t.job.Compute.Forward, forwardTag, t.stage > 0, t.stage-1, t.stage < last, t.stage+1)
}

// backward is the backward pass of the next microbatch.
func (t *trainer) backward(before int32) int32 {
	last := t.job.Parallel.Pipeline - 1
	return t.pass(before, t.job.Compute.Backward, backwardTag, t.stage < last, t.stage+1, t.stage > 0, t.stage-1)
}

// pass receives the part of an activation that the rank has, calculates, and sends what comes out on.
func (t *trainer) pass(before int32, time units.Time, tag uint32, receives bool, from int, sends bool, to int) int32 {
	part := share(t.job.activation(), t.job.Parallel.Tensor)
	got := int32(-1)
	if receives {
		got = t.receive(part, t.rank(t.tensor, t.data, from), tag)
	}
	end := t.layers(t.join(before, got), time)
	if sends {
		t.send(part, t.rank(t.tensor, t.data, to), tag, end)
	}
	return end
}

// layers calculates a pass through the layers of the stage, with the collectives within it: over the tensor-parallel
// ranks two all-reduces a layer (M. Shoeybi et al., "Megatron-LM", arXiv 1909.08053, section 3), and over the ranks
// that share experts two all-to-alls around them.
func (t *trainer) layers(before int32, time units.Time) int32 {
	j := t.job
	first, last := t.stage*j.Model.Layers/j.Parallel.Pipeline, (t.stage+1)*j.Model.Layers/j.Parallel.Pipeline
	tensor, experts := t.tensorGroup(), t.expertGroup()
	activation := int64(j.activation())
	routed := int64(j.activation()*float64(j.Model.TopK)) / int64(j.Parallel.Tensor)
	half := time / units.Time(2*(last-first))
	pending := units.Time(0)
	calculate := func() {
		if pending > 0 {
			before = t.after(goal.Op{Kind: goal.Calc, Size: int64(float64(pending) + 0.5), CPU: computes}, before)
			pending = 0
		}
	}
	over := func(c Collective, bytes int64, g group, tag uint32) {
		if len(g.ranks) < 2 {
			return
		}
		if wait, ok := t.within(c, bytes, g); ok {
			pending += wait
			return
		}
		calculate()
		before = t.collective(c, bytes, g, tag, before)
	}
	for l := first; l < last; l++ {
		pending += half
		over(AllReduce, activation, tensor, tensorTag)
		expert := (l+1)*j.Model.ExpertLayers/j.Model.Layers > l*j.Model.ExpertLayers/j.Model.Layers
		if expert {
			over(AllToAll, routed, experts, expertTag)
		}
		pending += half
		if expert {
			over(AllToAll, routed, experts, expertTag)
		}
		over(AllReduce, activation, tensor, tensorTag)
	}
	calculate()
	return before
}

// gradients reduces the gradients over the data-parallel ranks, those of experts over the ranks that have the same.
func (t *trainer) gradients(before int32) {
	j, p := t.job, t.job.Parallel
	shares := p.Tensor * p.Pipeline
	all := group{at: t.data}
	same := group{at: t.data / p.Expert}
	for d := range p.Data {
		all.ranks = append(all.ranks, t.rank(t.tensor, d, t.stage))
		if d%p.Expert == t.data%p.Expert {
			same.ranks = append(same.ranks, t.rank(t.tensor, d, t.stage))
		}
	}
	bytes := float64(j.Model.GradientBytes)
	dense := share(float64(j.Model.Parameters-j.Model.ExpertParameters)*bytes, shares)
	before = t.allReduce(dense, all, gradientTag, before)
	if j.Model.ExpertParameters > 0 {
		t.allReduce(share(float64(j.Model.ExpertParameters)*bytes, shares*p.Expert), same, expertGradientTag, before)
	}
}

func (t *trainer) allReduce(bytes int64, g group, tag uint32, before int32) int32 {
	if wait, ok := t.within(AllReduce, bytes, g); ok {
		return t.after(goal.Op{Kind: goal.Calc, Size: int64(float64(wait) + 0.5), CPU: communicates}, before)
	}
	return t.collective(AllReduce, bytes, g, tag, before)
}

func (t *trainer) tensorGroup() group {
	g := group{at: t.tensor}
	for i := range t.job.Parallel.Tensor {
		g.ranks = append(g.ranks, t.rank(i, t.data, t.stage))
	}
	return g
}

func (t *trainer) expertGroup() group {
	size := t.job.Parallel.Expert
	g := group{at: t.data % size}
	for i := range size {
		g.ranks = append(g.ranks, t.rank(t.tensor, t.data-g.at+i, t.stage))
	}
	return g
}

// within is the time of a collective of ranks of one node over the links in it, each rank at its rate; ok is false
// where they are on several nodes, or nothing is known of such links.
func (t *trainer) within(c Collective, bytes int64, g group) (wait units.Time, ok bool) {
	node := t.job.Node
	if node == nil {
		return 0, false
	}
	at := func(r int32) int { return int(r) / node.Ranks }
	for _, r := range g.ranks {
		if at(r) != at(g.ranks[0]) {
			return 0, false
		}
	}
	n := len(g.ranks)
	sent := float64(n-1) * float64(share(float64(bytes), n))
	if c == AllReduce {
		sent *= 2
	}
	return units.Time(sent * 8 / float64(node.Rate)), true
}

// share is one of so many equal parts, rounded up to a byte.
func share(bytes float64, parts int) int64 {
	return (int64(bytes) + int64(parts) - 1) / int64(parts)
}

// ops is how many operations the schedule has, at most.
func (j *Job) ops() float64 {
	p := j.Parallel
	layers := float64((j.Model.Layers + p.Pipeline - 1) / p.Pipeline)
	each := 4.0 + 3*layers // a pass
	over := func(c Collective, n, times int) {
		if n > 1 {
			each += float64(times) * (float64(c.ops(int64(n))) + 2)
		}
	}
	if j.Node == nil || j.Node.Ranks%p.Tensor != 0 {
		over(AllReduce, p.Tensor, 2*int(layers))
	}
	if j.Model.ExpertLayers > 0 {
		over(AllToAll, p.Expert, 2*int(layers))
	}
	passes := 2 * float64(j.Batch.Microbatches) * each
	return float64(j.Ranks()) * (passes + 2*(float64(AllReduce.ops(int64(p.Data)))+4))
}
