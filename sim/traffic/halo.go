package traffic

import "fmt"

// Halo is the exchange of halos between neighbours of a mesh of tasks. In each
// round a task sends a message to both neighbours in every dimension (first up,
// then down, dimension by dimension) and starts the next round when it has
// theirs. One round on a mesh without wrap is the pattern M2 or M3 of J.
// Navaridas et al., "Reducing complexity in tree-like computer interconnection
// networks", Parallel Computing 36, 2010, section 4.3.
//
// With wrap the rims are joined. Where a side is 2, both neighbours are the same
// task, which gets two messages.
type Halo struct {
	mesh   mesh
	wrap   bool
	rounds int32
	bytes  int32
	issuer
	round   []int32    // round that a task is in
	arrived [2][]uint8 // messages that have come for an even and an odd round
}

var _ Workload = (*Halo)(nil)

// NewHalo returns rounds of exchanges on a mesh of the sides dims, which is a torus with wrap. Each message has so many
// bytes. The error is as in NewBinaryTree.
func NewHalo(dims []int, wrap bool, rounds int, bytes int32) (*Halo, error) {
	m, err := newMesh(dims)
	if err != nil {
		return nil, err
	}
	if err := checkRepeats("rounds", rounds, 1); err != nil {
		return nil, err
	}
	h := &Halo{mesh: m, wrap: wrap, rounds: int32(rounds), bytes: bytes, round: make([]int32, m.tasks)}
	for i := range h.arrived {
		h.arrived[i] = make([]uint8, m.tasks)
	}
	return h, errBytes(bytes)
}

// Tasks implements Workload.
func (h *Halo) Tasks() int { return int(h.mesh.tasks) }

// Start implements Workload.
func (h *Halo) Start(emit func(Message)) {
	for t := range h.mesh.tasks {
		h.exchange(t, emit)
	}
}

// Delivered implements Workload. A neighbour is never more than one round ahead,
// since it waits for the task's own messages.
func (h *Halo) Delivered(m Message, emit func(Message)) {
	t := m.Dst
	h.arrived[m.Tag&1][t]++
	for h.round[t] < h.rounds && h.arrived[h.round[t]&1][t] == h.neighbours(t) {
		h.arrived[h.round[t]&1][t] = 0
		h.round[t]++
		if h.round[t] < h.rounds {
			h.exchange(t, emit)
		}
	}
}

func (h *Halo) neighbour(t int32, d int, up bool) int32 {
	if h.wrap {
		return h.mesh.ring(t, d, up)
	}
	return h.mesh.step(t, d, up)
}

func (h *Halo) neighbours(t int32) uint8 {
	n := uint8(0)
	for d := range h.mesh.dims {
		for _, up := range [2]bool{true, false} {
			if h.neighbour(t, d, up) >= 0 {
				n++
			}
		}
	}
	return n
}

func (h *Halo) exchange(t int32, emit func(Message)) {
	for d := range h.mesh.dims {
		for _, up := range [2]bool{true, false} {
			if to := h.neighbour(t, d, up); to >= 0 {
				h.send(emit, t, to, h.bytes, int64(h.round[t]))
			}
		}
	}
}

// maxState is the most bytes of state that a repeated workload may ask for.
const maxState = 1 << 28

func checkRepeats(what string, n, tasks int) error {
	if n < 1 || n > maxState/tasks {
		return fmt.Errorf("%s must be from 1 to %d with %d tasks, not %d", what, maxState/tasks, tasks, n)
	}
	return nil
}
