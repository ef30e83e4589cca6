package traffic

import "fmt"

// BinaryTree is the gathering of messages from all tasks at task 0 along a
// binomial tree: the pattern BT of J. Navaridas et al., "Reducing complexity in
// tree-like computer interconnection networks", Parallel Computing 36, 2010,
// section 4.3. Task t sends once, to t less its lowest bit, when it has the
// messages of t+1, t+2, t+4 ... below that bit. Odd tasks start; task 0 ends with
// the messages of all powers of two.
type BinaryTree struct {
	tasks int32
	bytes int32
	issuer
	waiting []uint8 // messages that a task lacks before it sends
}

var _ Workload = (*BinaryTree)(nil)

// NewBinaryTree returns the gathering from a number of tasks, each of which sends so many bytes. The error says which
// of the two is out of range; a workload that comes with it must not be used.
func NewBinaryTree(tasks int, bytes int32) (*BinaryTree, error) {
	if tasks < 1 || tasks > 1<<30 {
		return nil, fmt.Errorf("needs from 1 to %d tasks, not %d", 1<<30, tasks)
	}
	b := &BinaryTree{tasks: int32(tasks), bytes: bytes, waiting: make([]uint8, tasks)}
	for t := int32(1); t < b.tasks; t++ {
		b.waiting[parent(t)]++
	}
	return b, errBytes(bytes)
}

func parent(t int32) int32 { return t & (t - 1) }

// Tasks implements Workload.
func (b *BinaryTree) Tasks() int { return int(b.tasks) }

// Start implements Workload.
func (b *BinaryTree) Start(emit func(Message)) {
	for t := int32(1); t < b.tasks; t++ {
		if b.waiting[t] == 0 {
			b.send(emit, t, parent(t), b.bytes, 0)
		}
	}
}

// Delivered implements Workload.
func (b *BinaryTree) Delivered(m Message, emit func(Message)) {
	t := m.Dst
	b.waiting[t]--
	if b.waiting[t] == 0 && t > 0 {
		b.send(emit, t, parent(t), b.bytes, 0)
	}
}

// AllToAll is the exchange of a message between every pair of tasks. Task t
// sends to t+1, t+2 ... t+n-1 mod n in this order, window messages at first and
// then one for each that it gets, so that the messages in flight follow the
// tasks. It sends n-1 messages and gets n-1.
type AllToAll struct {
	tasks  int32
	window int32
	bytes  int32
	issuer
	sent []int32
}

var _ Workload = (*AllToAll)(nil)

// NewAllToAll returns the exchange with at most window messages of a task that no received one has paid for; window is
// from 1 to the number of tasks. The error is as in NewBinaryTree.
func NewAllToAll(tasks, window int, bytes int32) (*AllToAll, error) {
	if tasks < 1 || tasks > 1<<30 {
		return nil, fmt.Errorf("needs from 1 to %d tasks, not %d", 1<<30, tasks)
	}
	if window < 1 || window > tasks {
		return nil, fmt.Errorf("window must be from 1 to the number of tasks, %d, not %d", tasks, window)
	}
	return &AllToAll{tasks: int32(tasks), window: int32(window), bytes: bytes, sent: make([]int32, tasks)},
		errBytes(bytes)
}

// Tasks implements Workload.
func (a *AllToAll) Tasks() int { return int(a.tasks) }

func (a *AllToAll) messages() (all, atOnce int64) {
	n := int64(a.tasks)
	return n * (n - 1), n * min(int64(a.window), n-1)
}

// Start implements Workload.
func (a *AllToAll) Start(emit func(Message)) {
	for t := range a.tasks {
		for range a.window {
			a.next(t, emit)
		}
	}
}

// Delivered implements Workload.
func (a *AllToAll) Delivered(m Message, emit func(Message)) { a.next(m.Dst, emit) }

func (a *AllToAll) next(t int32, emit func(Message)) {
	if a.sent[t] == a.tasks-1 {
		return
	}
	a.sent[t]++
	to := t + a.sent[t]
	if to >= a.tasks {
		to -= a.tasks
	}
	a.send(emit, t, to, a.bytes, 0)
}

// Ring is the all-reduce of a vector along a ring of n tasks: the vector is cut
// into n parts; each task sends a part to the next task and passes on what it
// gets, n-1 times to add up and n-1 times to spread the sums (P. Patarasuk and X.
// Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations",
// J. Parallel and Distributed Computing 69, 2009, section 4).
type Ring struct {
	tasks int32
	part  int32
	issuer
}

var _ Workload = (*Ring)(nil)

// NewRing returns the all-reduce of a vector of a length in bytes, of which messages have a part by the number of
// tasks, rounded up. The error is as in NewBinaryTree.
func NewRing(tasks int, bytes int32) (*Ring, error) {
	if tasks < 1 || tasks > 1<<30 {
		return nil, fmt.Errorf("needs from 1 to %d tasks, not %d", 1<<30, tasks)
	}
	part := (int64(bytes) + int64(tasks) - 1) / int64(tasks)
	return &Ring{tasks: int32(tasks), part: int32(part)}, errBytes(bytes)
}

func (r *Ring) messages() (all, atOnce int64) {
	n := int64(r.tasks)
	return 2 * n * (n - 1), n
}

// Tasks implements Workload.
func (r *Ring) Tasks() int { return int(r.tasks) }

// Start implements Workload.
func (r *Ring) Start(emit func(Message)) {
	if r.tasks < 2 {
		return
	}
	for t := range r.tasks {
		r.send(emit, t, (t+1)%r.tasks, r.part, 0)
	}
}

// Delivered implements Workload.
func (r *Ring) Delivered(m Message, emit func(Message)) {
	if step := m.Tag + 1; step < 2*(int64(r.tasks)-1) {
		r.send(emit, m.Dst, (m.Dst+1)%r.tasks, r.part, step)
	}
}
