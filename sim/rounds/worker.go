package rounds

import (
	"context"

	"github.com/plenum-planner/plenum/units"
)

// Slots name the arrays of destinations that a call of A(k) may be given. The
// slots from 1 on are the intermediate destinations that A(k+1) chose, and
// those from slotDetour on the same for detours within C(k); they live in the
// worker and move with the messages while they are needed.
const (
	slotDetour = 31
	slotTarget = 62
	slotAim    = 63
)

// worker runs the steps of one copy after the other.
type worker struct {
	r      *run
	ctx    context.Context // of the stage at hand
	number int
	rng    stream
	err    error
	sent   uint64 // fingerprints of messages made
	tally  tally

	plain bool // on a detour, which takes none of its own
	now   int  // the store that holds the messages of the copy at hand
	base  int  // index of the first message of that copy
	slots [64][2][]uint32

	// Of a clique.
	want           []uint16 // last digit of each message's destination, gone for those that stay
	holder, rivals []int32  // by link: the message or request that has it, how many wanted it
	rest           []pending
	grouped        []pending
	asks           []ask
	heads          []int32
	pool           []uint16
	identity       []uint16
	again, spare   []uint32

	// Of a hop.
	shared stream
	edges  []uint16 // the order in which the nodes of a copy use their edges
	take   []uint32 // messages of one store
	put    []int32  // and their places in the other
}

// pending is a message that the direct phase left over.
type pending struct {
	message  int32
	from, to uint16
	asks     int32 // its first request of the phase
	asked    int32 // how many
}

// ask is a request to a relay, or a copy sent to one.
type ask struct {
	relay uint16
	void  bool // lost, or of no use to the relay
}

func newWorker(r *run) *worker {
	n1 := r.clique
	w := &worker{
		r: r, number: len(r.workers), holder: make([]int32, n1*n1), rivals: make([]int32, n1*n1),
		heads: make([]int32, n1+2), pool: make([]uint16, n1),
		tally: newTally(r.levels), edges: make([]uint16, n1),
	}
	for i := range n1 {
		w.identity = append(w.identity, uint16(i))
	}
	return w
}

func (w *worker) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// enter takes up a copy of C(levels-1), or the whole machine if that is a
// clique.
func (w *worker) enter(copy int) {
	r := w.r
	w.now, w.plain = r.now, r.plain
	b := &r.buf[r.now]
	first, last := 0, r.nodes/r.clique
	if r.levels > 1 {
		size := r.power[r.levels-2]
		first, last = copy*size, (copy+1)*size
	}
	w.base = int(b.start[first])
	size := int(b.start[last-1]+b.count[last-1]) - w.base
	for k := 1; k < r.levels; k++ {
		// Level 1 gets its destinations from the level above, unless some stay.
		if k > 1 || r.faults != nil || r.opt.Valiant == 1 {
			w.room(k, size)
		}
		if k > 1 && r.faults != nil {
			w.room(slotDetour+k, size)
		}
	}
}

// room makes a slot large enough; a little more saves doing so again for the
// next copy.
func (w *worker) room(slot, size int) {
	if len(w.slots[slot][0]) < size {
		for i := range w.slots[slot] {
			w.slots[slot][i] = make([]uint32, size+size/32)
		}
	}
}

// slice is the part of a slot that belongs to a clique.
func (w *worker) slice(slot, clique int) []uint32 {
	b := &w.r.buf[w.now]
	lo := int(b.start[clique])
	hi := lo + int(b.count[clique])
	switch slot {
	case slotTarget:
		return b.target[lo:hi]
	case slotAim:
		return b.aim[lo:hi]
	}
	return w.slots[slot][w.now][lo-w.base : hi-w.base]
}

// cliques is the range of the cliques of a copy of C(k).
func (r *run) cliques(k, copy int) (first, last int) {
	return copy * r.power[k-1], (copy + 1) * r.power[k-1]
}

// algorithm is A(k), for k below the number of levels, on one copy of C(k).
// Slot holds the destinations, of which the lowest k digits count; live has a
// bit for each slot of the worker that has to move with the messages, this one
// included.
func (w *worker) algorithm(k, copy, slot int, live, path uint64) {
	if k == 1 {
		w.clique(copy, slot, 1, path)
		return
	}
	w.noteLoad(k, copy, slot)
	w.body(k, copy, slot, live, path)
	if w.r.faults == nil || w.plain {
		return
	}
	w.plain = true
	defer func() { w.plain = false }()
	detour := slotDetour + k
	for try := range *w.r.opt.Detours {
		p := step(path, 2*try+2)
		if w.aimPending(k, copy, slot, true, p) == 0 {
			return
		}
		w.body(k, copy, detour, live|1<<detour, p)
		w.aimPending(k, copy, slot, false, p)
		w.body(k, copy, detour, live|1<<detour, step(path, 2*try+3))
	}
}

// body is the three steps of A(k). It moves the messages to the other store.
func (w *worker) body(k, copy, slot int, live, path uint64) {
	r := w.r
	now := w.now
	for sub := copy * r.clique; sub < (copy+1)*r.clique; sub++ {
		w.now = now
		w.first(k, sub, slot, live, step(path, 0))
	}
	first, last := r.cliques(k, copy)
	for c := first; c < last; c++ {
		w.send(k, c, slot, step(path, 0))
	}
	r.layOut(w.now, k, copy)
	for group := range r.groups(k) {
		w.scatter(k, copy, group, live)
	}
	w.now ^= 1
	now = w.now
	for sub := copy * r.clique; sub < (copy+1)*r.clique; sub++ {
		w.now = now
		w.third(k, sub, slot, live, step(path, 1))
	}
}

// first is step 1 of A(k) in one copy of C(k-1): it sends every message to a
// random node whose edges of level k lead to the copy that the message is for.
func (w *worker) first(k, sub, slot int, live, path uint64) {
	r := w.r
	if k == 2 && r.faults == nil {
		w.clique(sub, slot, r.clique, path)
		return
	}
	w.rng.start(r.opt.Seed, k, sub, path)
	first, last := r.cliques(k-1, sub)
	choices := r.power[k-2]
	for c := first; c < last; c++ {
		to, aim := w.slice(slot, c), w.slice(k-1, c)
		for m, t := range to {
			if t == stay {
				aim[m] = stay
				continue
			}
			digit := r.digit(int(t), k)
			if r.faults != nil {
				aim[m] = w.bridge(k, sub, digit)
				continue
			}
			aim[m] = uint32(w.rng.below(choices)*r.clique + digit)
		}
	}
	w.algorithm(k-1, sub, k-1, live|1<<(k-1), path)
}

// bridge draws a node of a copy of C(k-1) that works, as do some of its edges
// of level k, which lead to copy digit; stay if there is none.
func (w *worker) bridge(k, sub, digit int) uint32 {
	r := w.r
	base, choices := sub*r.power[k-1], r.power[k-2]
	good := func(x int) bool {
		v := base + x*r.clique + digit
		return !r.faults.node[v] && r.faults.leads(v, k)
	}
	for range min(8, choices) {
		if x := w.rng.below(choices); good(x) {
			return uint32(x*r.clique + digit)
		}
	}
	n := 0
	for x := range choices {
		if good(x) {
			n++
		}
	}
	if n == 0 {
		return stay
	}
	n = w.rng.below(n)
	for x := 0; ; x++ {
		if good(x) {
			if n == 0 {
				return uint32(x*r.clique + digit)
			}
			n--
		}
	}
}

// third is step 3 of A(k) in one copy of C(k-1): it sends every message to its
// destination. With failures, what did not get to this copy stays.
func (w *worker) third(k, sub, slot int, live, path uint64) {
	r := w.r
	if r.faults == nil {
		w.algorithm(k-1, sub, slot, live, path)
		return
	}
	first, last := r.cliques(k-1, sub)
	own := sub % r.clique
	for c := first; c < last; c++ {
		to, aim := w.slice(slot, c), w.slice(k-1, c)
		for m, t := range to {
			if t != stay && r.digit(int(t), k) != own {
				t = stay
			}
			aim[m] = t
		}
	}
	w.algorithm(k-1, sub, k-1, live|1<<(k-1), path)
}

// aimPending aims the messages of a copy that are not at their destinations at
// random nodes of the copy, or at their destinations again, and all others at
// nothing. It returns how many they are.
func (w *worker) aimPending(k, copy, slot int, random bool, path uint64) int {
	r := w.r
	if random {
		w.rng.start(r.opt.Seed, r.levels+1, copy, path)
	}
	n := 0
	b := &r.buf[w.now]
	first, last := r.cliques(k, copy)
	for c := first; c < last; c++ {
		lo := b.start[c]
		n += w.divert(w.slice(slotDetour+k, c), w.slice(slot, c), b.last[lo:lo+b.count[c]], c, k, copy*r.power[k],
			random)
	}
	return n
}

// divert is aimPending for the messages of one clique: base is the first node of the copy, last the digits of the nodes
// at which the messages are.
func (w *worker) divert(aim, to []uint32, last []uint16, clique, k, base int, random bool) int {
	r := w.r
	n, size := 0, r.power[k]
	for m, t := range to {
		aim[m] = stay
		if t == stay || last[m] == gone || (clique*r.clique+int(last[m]))%size == int(t)%size {
			continue
		}
		n++
		aim[m] = t
		if random {
			aim[m] = uint32(base + r.liveBelow(&w.rng, base, size))
		}
	}
	return n
}

// noteLoad counts the messages that an instance of A(k) has to deal with.
func (w *worker) noteLoad(k, copy, slot int) {
	b := &w.r.buf[w.now]
	n := int64(0)
	first, last := w.r.cliques(k, copy)
	for c := first; c < last; c++ {
		if w.r.faults == nil {
			n += int64(b.count[c])
			continue
		}
		for _, t := range w.slice(slot, c) {
			if t != stay {
				n++
			}
		}
	}
	w.tally.load[k] = max(w.tally.load[k], n)
}

// cross adds the wire of a link to a message. Loops have none.
func (w *worker) cross(wire *uint32, ns units.Time) {
	ps := float64(*wire) + float64(ns)*1000 + 0.5
	if !(ns >= 0) || ps > 1<<32-1 {
		w.fail(errWire)
		return
	}
	*wire = uint32(ps)
}

// wireOf is the propagation over a link; level is an index into the graph's
// levels.
func (w *worker) wireOf(from, to, level int) units.Time {
	if from == to {
		return 0
	}
	return w.r.wire(int32(from), int32(to), level)
}
