package traffic

// Wavefront is a sweep along the diagonal of a mesh of tasks and back again (J.
// Navaridas et al., "Reducing complexity in tree-like computer interconnection
// networks", Parallel Computing 36, 2010, section 4.3, patterns W2 and W3). The
// first task sends a message up in every dimension. A task that has a message
// from each neighbour below it sends one to each neighbour above. The last
// task, once it has all of its own, starts the same sweep downwards, which ends
// at the first task. Every link of the mesh carries a message in each direction.
type Wavefront struct {
	mesh  mesh
	bytes int32
	issuer
	waiting [2][]uint8 // messages that a task lacks before it passes on: up, down
}

var _ Workload = (*Wavefront)(nil)

const (
	up = iota
	down
)

// NewWavefront returns the sweep over a mesh of the sides dims, whose messages
// have a length in bytes. The error is as in NewBinaryTree.
func NewWavefront(dims []int, bytes int32) (*Wavefront, error) {
	m, err := newMesh(dims)
	if err != nil {
		return nil, err
	}
	w := &Wavefront{mesh: m, bytes: bytes}
	for phase := range w.waiting {
		w.waiting[phase] = make([]uint8, m.tasks)
		for t := range m.tasks {
			w.waiting[phase][t] = m.countPreceding(t, phase == up)
		}
	}
	return w, errBytes(bytes)
}

// Tasks implements Workload.
func (w *Wavefront) Tasks() int { return int(w.mesh.tasks) }

// Start implements Workload.
func (w *Wavefront) Start(emit func(Message)) { w.pass(0, up, emit) }

// Delivered implements Workload.
func (w *Wavefront) Delivered(m Message, emit func(Message)) {
	w.waiting[m.Tag][m.Dst]--
	if w.waiting[m.Tag][m.Dst] > 0 {
		return
	}
	w.pass(m.Dst, int(m.Tag), emit)
	if m.Tag == up && m.Dst == w.mesh.tasks-1 {
		w.pass(m.Dst, down, emit)
	}
}

func (w *Wavefront) pass(task int32, phase int, emit func(Message)) {
	for d := range w.mesh.dims {
		if to := w.mesh.step(task, d, phase == up); to >= 0 {
			w.send(emit, task, to, w.bytes, int64(phase))
		}
	}
}

// Waterfall is a burst of sweeps that follow each other without a pause, from
// the first task of a mesh to the last (Navaridas et al. 2010, section 4.3,
// pattern WF; "a burst of W2s ... using small messages"). The first task sends
// all its messages at once, wave by wave. Another task passes a wave on when it
// has it from every neighbour below, and has passed on all waves before it. The
// run ends when the last wave reaches the last task.
//
// State is one byte for each task and wave.
type Waterfall struct {
	mesh  mesh
	waves int32
	bytes int32
	issuer
	waiting []uint8 // [task*waves+wave]
	passed  []int32 // waves that a task has passed on
}

var _ Workload = (*Waterfall)(nil)

// NewWaterfall returns a burst of sweeps over a mesh of the sides dims, whose messages have a length in bytes. The
// error is as in NewBinaryTree.
func NewWaterfall(dims []int, waves int, bytes int32) (*Waterfall, error) {
	m, err := newMesh(dims)
	if err != nil {
		return nil, err
	}
	if err := checkRepeats("waves", waves, int(m.tasks)); err != nil {
		return nil, err
	}
	w := &Waterfall{
		mesh: m, waves: int32(waves), bytes: bytes,
		waiting: make([]uint8, int(m.tasks)*waves), passed: make([]int32, m.tasks),
	}
	for t := range m.tasks {
		lacks := m.countPreceding(t, true)
		for i := range waves {
			w.waiting[int(t)*waves+i] = lacks
		}
	}
	return w, errBytes(bytes)
}

// Tasks implements Workload.
func (w *Waterfall) Tasks() int { return int(w.mesh.tasks) }

// Start implements Workload.
func (w *Waterfall) Start(emit func(Message)) { w.advance(0, emit) }

// Delivered implements Workload.
func (w *Waterfall) Delivered(m Message, emit func(Message)) {
	w.waiting[int64(m.Dst)*int64(w.waves)+m.Tag]--
	w.advance(m.Dst, emit)
}

// advance passes on the waves that are complete, in order.
func (w *Waterfall) advance(task int32, emit func(Message)) {
	first := int64(task) * int64(w.waves)
	for wave := w.passed[task]; wave < w.waves && w.waiting[first+int64(wave)] == 0; wave++ {
		for d := range w.mesh.dims {
			if to := w.mesh.step(task, d, true); to >= 0 {
				w.send(emit, task, to, w.bytes, int64(wave))
			}
		}
		w.passed[task] = wave + 1
	}
}
