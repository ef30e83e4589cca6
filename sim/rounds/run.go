package rounds

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"

	"github.com/plenum-planner/plenum/internal/parallel"
	"github.com/plenum-planner/plenum/internal/splitmix"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// store holds the messages, those of a clique together, in the order of the
// cliques. What is true of a copy of C(k) at all times: its messages lie
// together, from the start of its first clique on.
type store struct {
	target []uint32 // the final destination
	id     []uint32
	rounds []uint32 // spent so far
	wire   []uint32 // propagation so far, in picoseconds; nil where none is asked for
	aim    []uint32 // destination of the trick of Valiant, or of a detour, through the whole machine
	last   []uint16 // last digit of the node that holds the message
	start  []int32  // of each clique
	count  []int32  // messages of each clique
}

func newStore(messages, cliques int, wire, aim bool) store {
	s := store{
		target: make([]uint32, messages), id: make([]uint32, messages),
		rounds: make([]uint32, messages), last: make([]uint16, messages),
		start: make([]int32, cliques), count: make([]int32, cliques),
	}
	if wire {
		s.wire = make([]uint32, messages)
	}
	if aim {
		s.aim = make([]uint32, messages)
	}
	return s
}

// stay as a destination takes a message out of a step; gone in place of the
// last digit takes it out of the run.
const (
	stay = math.MaxUint32
	gone = math.MaxUint16
)

// run is the state of a simulation.
type run struct {
	machine
	opt *Options
	// capacity is the messages that a link of each level carries in a round each way.
	capacity []int
	faults   *faults // nil where nothing failed
	loss     uint64  // chance in units of 2^-64
	wire     func(from, to int32, level int) units.Time

	buf   [2]store
	plain bool // on a detour
	now   int  // the store that holds the messages; a hop moves them to the other
	// Of a hop: the messages of every clique, first those that stay, then those of each
	// node; the edges that they take, or the last digits of those that stay; where the
	// messages of each node begin, and how many they are; how many of each clique stay.
	order      []uint32
	edge       []uint16
	from, many []int32
	stay       []int32

	workers []*worker
}

// Run simulates. It refuses wrong options before it begins, with an error of diag.FieldErrors. Other errors are those
// of functions of the options that return destinations or delays out of range, and that of ctx.
func Run(ctx context.Context, opt Options) (*Result, error) {
	if err := opt.check(); err != nil {
		return nil, err
	}
	r := &run{opt: &opt, machine: newMachine(opt.Topology.Clique, opt.Topology.Levels, opt.Topology.Bundled)}
	g, err := topology.New(opt.spec())
	if err != nil {
		return nil, err
	}
	for _, l := range g.Levels() {
		r.capacity = append(r.capacity, int(l.Channels()))
	}
	r.loss = chance(opt.Loss)
	r.wire = opt.Wire
	r.faults = newFaults(&opt, r.machine)
	for range opt.Workers {
		r.workers = append(r.workers, newWorker(r))
	}
	if err := r.fail(ctx); err != nil {
		return nil, err
	}
	sent, err := r.inject(ctx)
	if err != nil {
		return nil, err
	}
	if err := r.valiant(ctx); err != nil {
		return nil, err
	}
	if err := r.algorithm(ctx, slotTarget, 2); err != nil {
		return nil, err
	}
	return r.result(sent)
}

// each runs tasks on all workers. Which worker runs which is left to chance: a
// task must do the same on any.
func (r *run) each(ctx context.Context, stage string, tasks int, do func(w *worker, task int)) error {
	if r.opt.Progress != nil {
		r.opt.Progress(stage)
	}
	return parallel.With(ctx, r.workers, tasks, func(ctx context.Context, w *worker, task int) error {
		w.ctx = ctx
		do(w, task)
		return ctx.Err()
	})
}

// blocks is in how many parts the cliques are dealt out where order does not
// matter.
func (r *run) blocks() (count, size int) {
	cliques := r.nodes / r.clique
	size = max(1, cliques/1024)
	return (cliques + size - 1) / size, size
}

func (r *run) eachClique(ctx context.Context, stage string, do func(w *worker, clique int)) error {
	count, size := r.blocks()
	cliques := r.nodes / r.clique
	return r.each(ctx, stage, count, func(w *worker, b int) {
		for c := b * size; c < min(cliques, (b+1)*size); c++ {
			do(w, c)
		}
	})
}

func (r *run) fail(ctx context.Context) error {
	f := r.faults
	if f == nil {
		return nil
	}
	return r.eachClique(ctx, "failing", func(_ *worker, c int) { f.mark(c*r.clique, (c+1)*r.clique) })
}

// sums is what goes into the run, and must come out.
type sums struct {
	messages             int64
	deadEnds             int64  // never sent, since an end has failed
	check                uint64 // of the messages sent and their destinations
	delivered            int64
	sentMax, receivedMax int // by one node
}

// fingerprint is summed over messages: equal sums mean equal sets of messages
// with equal destinations, but for a chance of 2^-64.
func fingerprint(id, to uint32) uint64 { return splitmix.Mix(uint64(id)<<32 | uint64(to)) }

// inject makes the messages.
func (r *run) inject(ctx context.Context) (*sums, error) {
	n, n1 := r.nodes, r.clique
	cliques := n / n1
	s := &sums{messages: int64(n) * int64(r.opt.Load)}
	first := make([]int32, n+1) // message of each node
	if list := r.opt.Messages; list != nil {
		s.messages = int64(len(list))
		for _, m := range list {
			first[m.From+1]++
		}
		for v := range n {
			first[v+1] += first[v]
		}
	} else {
		for v := range first {
			first[v] = int32(v * r.opt.Load)
		}
	}
	for v := range n {
		s.sentMax = max(s.sentMax, int(first[v+1]-first[v]))
	}
	total := int(s.messages)
	aim := r.opt.Valiant == r.levels || r.faults != nil
	for i := range r.buf {
		r.buf[i] = newStore(total, cliques, r.wire != nil, aim)
	}
	r.order, r.edge = make([]uint32, total), make([]uint16, total)
	r.from, r.many, r.stay = make([]int32, n), make([]int32, n), make([]int32, cliques)
	b := &r.buf[0]
	listed := r.destinations(b.target, first)
	dead := make([]int64, len(r.workers))
	err := r.eachClique(ctx, "sending", func(w *worker, c int) {
		at := first[c*n1]
		b.start[c] = at
		w.rng.start(r.opt.Seed, 0, c, 0)
		for v := c * n1; v < (c+1)*n1; v++ {
			for m := first[v]; m < first[v+1]; m++ {
				var to uint32
				switch {
				case listed:
					to = b.target[m]
				case r.opt.Destination != nil:
					to = uint32(r.opt.Destination(v, int(m-first[v])))
				default:
					to = uint32(w.rng.below(n))
				}
				if int(to) >= n {
					w.fail(fmt.Errorf("message %d of node %d goes to %d; nodes are from 0 to %d", m-first[v], v,
						int32(to), n-1))
					to = 0
				}
				if r.faults != nil && (r.faults.node[v] || r.faults.node[to]) {
					dead[w.number]++
					continue
				}
				b.target[at], b.id[at], b.last[at] = to, uint32(m), uint16(v-c*n1)
				w.sent += fingerprint(uint32(m), to)
				at++
			}
		}
		b.count[c] = at - b.start[c]
	})
	if err != nil {
		return nil, err
	}
	for i, w := range r.workers {
		if w.err != nil {
			return nil, w.err
		}
		s.deadEnds += dead[i]
		s.check += w.sent
	}
	r.pack()
	return s, nil
}

// destinations fills to with the destinations by source, those of node v from first[v] on. It returns false, and leaves
// to as it is, if they are made up node by node.
func (r *run) destinations(to []uint32, first []int32) bool {
	if list := r.opt.Messages; list != nil {
		at := append([]int32(nil), first[:r.nodes]...)
		for _, m := range list {
			to[at[m.From]] = uint32(m.To)
			at[m.From]++
		}
		return true
	}
	if r.opt.Destinations != Permutation || r.opt.Destination != nil {
		return false
	}
	var rng stream
	rng.start(r.opt.Seed, 0, 0, 1)
	for i := range to {
		to[i] = uint32(i / r.opt.Load)
	}
	for i := len(to) - 1; i > 0; i-- {
		j := rng.below(i + 1)
		to[i], to[j] = to[j], to[i]
	}
	return true
}

// pack closes the gaps that messages left which were never sent.
func (r *run) pack() {
	b := &r.buf[0]
	if r.faults == nil {
		return
	}
	at := int32(0)
	for c := range b.start {
		from, n := b.start[c], b.count[c]
		b.start[c] = at
		for i := from; i < from+n; i, at = i+1, at+1 {
			b.target[at], b.id[at], b.last[at] = b.target[i], b.id[i], b.last[i]
		}
	}
}

// valiant sends every message to a random node of its copy of C(Valiant).
func (r *run) valiant(ctx context.Context) error {
	k := r.opt.Valiant
	if k == 0 {
		return nil
	}
	size := r.power[k]
	draw := func(w *worker, c int, aims []uint32) {
		w.rng.start(r.opt.Seed, 0, c, 2)
		base := c * r.clique / size * size
		for i := range aims {
			aims[i] = uint32(base + r.liveBelow(&w.rng, base, size))
		}
	}
	if k == r.levels {
		b := &r.buf[r.now]
		err := r.eachClique(ctx, "mixing", func(w *worker, c int) {
			draw(w, c, b.aim[b.start[c]:b.start[c]+b.count[c]])
		})
		if err != nil {
			return err
		}
		return r.algorithm(ctx, slotAim, 1)
	}
	// The copies of C(levels-1) are the tasks; those of C(k) lie inside.
	top := r.power[r.levels-1]
	err := r.each(ctx, "mixing", r.clique, func(w *worker, sub int) {
		w.enter(sub)
		for c := sub * top / r.clique; c < (sub+1)*top/r.clique; c++ {
			draw(w, c, w.slice(k, c))
		}
		for copy := sub * top / size; copy < (sub+1)*top/size; copy++ {
			w.now = r.now
			w.algorithm(k, copy, k, 1<<k, 1)
		}
	})
	r.flip(k)
	return err
}

// liveBelow draws an offset from base, below size, of a node that works; 0 if
// hardly any does.
func (r *run) liveBelow(rng *stream, base, size int) int {
	for range 1000 {
		x := rng.below(size)
		if r.faults == nil || !r.faults.node[base+x] {
			return x
		}
	}
	return 0
}

// flip follows what A(k) does to the stores: 2^(k-1) - 1 hops.
func (r *run) flip(k int) {
	if k > 1 {
		r.now ^= 1
	}
}

// algorithm is A(levels) on the whole machine, the copies of C(levels-1) side
// by side.
func (r *run) algorithm(ctx context.Context, slot int, path uint64) error {
	if r.levels == 1 {
		return r.each(ctx, "level 1", 1, func(w *worker, _ int) {
			w.enter(0)
			w.algorithm(1, 0, slot, 0, path)
		})
	}
	count := int64(0)
	for _, n := range r.buf[r.now].count {
		count += int64(n)
	}
	r.workers[0].tally.load[r.levels] = max(r.workers[0].tally.load[r.levels], count)
	if err := r.body(ctx, slot, path); err != nil || r.faults == nil {
		return err
	}
	if slot == slotAim {
		return nil // what did not get to its random node goes on from where it is
	}
	r.plain = true
	for try := range *r.opt.Detours {
		if lost, err := r.aimPending(ctx, path, try, true); err != nil || lost == 0 {
			return err
		}
		if err := r.body(ctx, slotAim, step(path, 2*try+2)); err != nil {
			return err
		}
		if _, err := r.aimPending(ctx, path, try, false); err != nil {
			return err
		}
		if err := r.body(ctx, slotAim, step(path, 2*try+3)); err != nil {
			return err
		}
	}
	return nil
}

// aimPending aims the messages that are not where they should be, at random nodes
// or at their targets, and counts them.
func (r *run) aimPending(ctx context.Context, path uint64, try int, random bool) (int64, error) {
	var lost atomic.Int64
	b := &r.buf[r.now]
	err := r.eachClique(ctx, "detours", func(w *worker, c int) {
		w.now = r.now
		w.rng.start(r.opt.Seed, r.levels+1, c, step(path, 2*try+2))
		lo, hi := b.start[c], b.start[c]+b.count[c]
		lost.Add(int64(w.divert(b.aim[lo:hi], b.target[lo:hi], b.last[lo:hi], c, r.levels, 0, random)))
	})
	return lost.Load(), err
}

// body is the three steps of A(levels).
func (r *run) body(ctx context.Context, slot int, path uint64) error {
	k := r.levels
	sub := func(n int) error {
		p := step(path, n)
		err := r.each(ctx, fmt.Sprintf("level %d, step %d", k, 1+2*n), r.clique, func(w *worker, copy int) {
			w.enter(copy)
			if n == 0 {
				w.first(k, copy, slot, 0, p)
			} else {
				w.third(k, copy, slot, 0, p)
			}
		})
		r.flip(k - 1)
		return err
	}
	if err := sub(0); err != nil {
		return err
	}
	err := r.eachClique(ctx, fmt.Sprintf("level %d, step 2", k), func(w *worker, c int) {
		w.now = r.now
		w.base = 0
		w.send(k, c, slot, step(path, 0))
	})
	if err != nil {
		return err
	}
	r.layOut(r.now, k, 0)
	err = r.each(ctx, fmt.Sprintf("level %d, step 2", k), r.groups(k), func(w *worker, group int) {
		w.now = r.now
		w.base = 0
		w.scatter(k, 0, group, 0)
	})
	if err != nil {
		return err
	}
	r.now ^= 1
	return sub(1)
}
