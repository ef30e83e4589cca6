package traffic

import (
	"fmt"
	"math/bits"
)

// Exchange is a sequence of pairwise exchanges: in stage s a task and its
// partner, whose number differs in one bit, send each other a message. A task
// enters a stage when it has the message of the stage before. The number of
// tasks is a power of two.
type Exchange struct {
	tasks  int32
	stages []exchangeStage
	issuer
	stage   []int32  // stage that a task is in
	arrived []uint64 // stages whose message has come, a bit each
}

type exchangeStage struct {
	bit   int32 // partner of t is t xor bit
	bytes int32
}

var _ Workload = (*Exchange)(nil)

// NewButterfly returns recursive doubling: partners at distance 1, 2, 4 ...,
// messages of equal length. It is the pattern BU of J. Navaridas et al.,
// "Reducing complexity in tree-like computer interconnection networks", Parallel
// Computing 36, 2010, section 4.3, and an all-reduce for short vectors. The number of tasks must be a power of two; the
// error is as in NewBinaryTree.
func NewButterfly(tasks int, bytes int32) (*Exchange, error) {
	x, err := newExchange(tasks)
	if err != nil {
		return nil, err
	}
	for bit := int32(1); bit < x.tasks; bit <<= 1 {
		x.stages = append(x.stages, exchangeStage{bit, bytes})
	}
	return x, errBytes(bytes)
}

// NewRecursiveHalving returns the all-reduce of a vector of a length in bytes by
// recursive halving, which leaves each task with a part of the sum, and
// recursive doubling, which collects the parts (R. Thakur, R. Rabenseifner and W.
// Gropp, "Optimization of collective communication operations in MPICH", Int. J.
// High Performance Computing Applications 19, 2005, section 4.5): partners at
// distance n/2, n/4 ... 1 exchange a half, a quarter ... of the vector, rounded up, then at 1,
// 2 ... n/2 the same lengths in reverse. n, the number of tasks, must be a power of two; the error is as in
// NewBinaryTree.
func NewRecursiveHalving(tasks int, bytes int32) (*Exchange, error) {
	x, err := newExchange(tasks)
	if err != nil {
		return nil, err
	}
	for bit, part := x.tasks>>1, bytes; bit > 0; bit >>= 1 {
		part = part/2 + part%2
		x.stages = append(x.stages, exchangeStage{bit, part})
	}
	for i := len(x.stages) - 1; i >= 0; i-- {
		x.stages = append(x.stages, x.stages[i])
	}
	return x, errBytes(bytes)
}

func newExchange(tasks int) (*Exchange, error) {
	if tasks < 1 || tasks > 1<<30 || tasks&(tasks-1) != 0 {
		if tasks < 1 || tasks > 1<<30 {
			return nil, fmt.Errorf("needs a power of two of tasks, from 1 to %d, not %d", 1<<30, tasks)
		}
		above := 1 << bits.Len(uint(tasks))
		return nil, fmt.Errorf("needs a power of two of tasks, not %d; %s are the nearest", tasks,
			nearest(above/2, above))
	}
	return &Exchange{tasks: int32(tasks), stage: make([]int32, tasks), arrived: make([]uint64, tasks)}, nil
}

// Tasks implements Workload.
func (x *Exchange) Tasks() int { return int(x.tasks) }

// Start implements Workload.
func (x *Exchange) Start(emit func(Message)) {
	for t := range x.tasks {
		x.enter(t, emit)
	}
}

// Delivered implements Workload.
func (x *Exchange) Delivered(m Message, emit func(Message)) {
	t := m.Dst
	x.arrived[t] |= 1 << m.Tag
	for int(x.stage[t]) < len(x.stages) && x.arrived[t]>>x.stage[t]&1 == 1 {
		x.stage[t]++
		x.enter(t, emit)
	}
}

func (x *Exchange) enter(t int32, emit func(Message)) {
	if s := x.stage[t]; int(s) < len(x.stages) {
		x.send(emit, t, t^x.stages[s].bit, x.stages[s].bytes, int64(s))
	}
}
