package loggops_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/sim/goal"
	"github.com/plenum-planner/plenum/sim/loggops"
	"github.com/plenum-planner/plenum/units"
)

// waitsAgain is an event of the twin.
type waitsAgain struct {
	at      int64 // picoseconds
	order   int
	op      int32
	message bool
}

// twin is the slow player: events in a list that is searched from end to end, each
// put back until what it takes is free, and messages and receives in lists that are
// searched for the first that fits.
type twin struct {
	s             *goal.Schedule
	opt           loggops.Options
	rank          []int
	waits         []int32
	ready         []int64
	cpu, out, in  map[[2]int]int64
	list          []waitsAgain
	posted, early [][]int32 // by rank
	order         int
	ended         int
}

func newTwin(s *goal.Schedule, opt loggops.Options) *twin {
	n := len(s.Ops())
	w := &twin{
		s: s, opt: opt, rank: make([]int, n), waits: make([]int32, n), ready: make([]int64, n), cpu: map[[2]int]int64{},
		out: map[[2]int]int64{}, in: map[[2]int]int64{}, posted: make([][]int32, s.Ranks()),
		early: make([][]int32, s.Ranks()),
	}
	for r := range s.Ranks() {
		from, to := s.Of(r)
		var free []int32
		for i := from; i < to; i++ {
			w.rank[i], w.waits[i] = r, s.Waits(i)
			if w.waits[i] == 0 {
				free = append(free, i)
			}
		}
		w.enter(free)
	}
	return w
}

func (w *twin) enter(free []int32) {
	slices.SortStableFunc(free, func(a, b int32) int {
		if w.rank[a] != w.rank[b] {
			return w.rank[a] - w.rank[b]
		}
		return int(w.s.Ops()[a].Kind) - int(w.s.Ops()[b].Kind)
	})
	for _, i := range free {
		o := w.s.Ops()[i]
		at := max(w.ready[i], w.cpu[[2]int{w.rank[i], int(o.CPU)}])
		w.add(at, i, false)
	}
}

func (w *twin) add(at int64, op int32, message bool) {
	w.order++
	w.list = append(w.list, waitsAgain{at, w.order, op, message})
}

func ps(t float64) int64 { return int64(math.RoundToEven(t * 1000)) }

// cost of a length at so much a byte after the first.
func cost(base units.Time, per loggops.PerByte, size int64) int64 {
	return ps(float64(base)) + ps(float64(max(size-1, 0))*float64(per))
}

func (w *twin) settle(op int32, start bool, at int64) (free []int32) {
	for _, d := range w.s.Dependents(op) {
		if d.OnStart() == start {
			w.ready[d.Op()] = max(w.ready[d.Op()], at)
			if w.waits[d.Op()]--; w.waits[d.Op()] == 0 {
				free = append(free, d.Op())
			}
		}
	}
	return free
}

func (w *twin) fits(message, receive int32) bool {
	m, r := w.s.Ops()[message], w.s.Ops()[receive]
	return (r.Peer == goal.AnySource || int(r.Peer) == w.rank[message]) && (r.Tag == goal.AnyTag || r.Tag == m.Tag)
}

// meet ends a send by rendezvous.
func (w *twin) meet(message int32, now int64) []int32 {
	o := w.s.Ops()[message]
	if o.Size <= w.opt.Rendezvous {
		return nil
	}
	key := [2]int{w.rank[message], int(o.CPU)}
	w.cpu[key] = max(w.cpu[key], now)
	return w.settle(message, false, now)
}

// step plays the first event, or puts it back.
func (w *twin) step() {
	first := 0
	for i, x := range w.list {
		if f := w.list[first]; x.at < f.at || x.at == f.at && x.order < f.order {
			first = i
		}
	}
	x := w.list[first]
	o, par, now := w.s.Ops()[x.op], w.opt.Params, x.at
	rank := w.rank[x.op]
	if x.message {
		rank = int(o.Peer)
	}
	cpu, nic := [2]int{rank, int(o.CPU)}, [2]int{rank, int(o.NIC)}
	free := w.cpu[cpu]
	switch {
	case x.message:
		free = max(free, w.in[nic])
	case o.Kind == goal.Send:
		free = max(free, w.out[nic])
	case o.Kind == goal.Recv:
		free = now
	}
	if free > now {
		w.list[first].at = free
		return
	}
	w.list = slices.Delete(w.list, first, first+1)
	var freed []int32
	switch {
	case x.message:
		end := now + cost(par.Overhead, max(par.GapByte, par.OverheadByte), o.Size)
		w.cpu[cpu], w.in[nic] = end, now+cost(par.Gap, par.GapByte, o.Size)
		i := slices.IndexFunc(w.posted[rank], func(r int32) bool { return w.fits(x.op, r) })
		if i < 0 {
			w.early[rank] = append(w.early[rank], x.op)
			break
		}
		receive := w.posted[rank][i]
		w.posted[rank] = slices.Delete(w.posted[rank], i, i+1)
		freed = append(w.meet(x.op, now), w.settle(receive, false, end)...)
		w.ended++
	case o.Kind == goal.Calc:
		end := now + o.Size*1000
		w.cpu[cpu] = end
		freed = append(w.settle(x.op, true, now), w.settle(x.op, false, end)...)
		w.ended++
	case o.Kind == goal.Send:
		end := now + cost(par.Overhead, par.OverheadByte, o.Size)
		w.cpu[cpu], w.out[nic] = end, now+cost(par.Gap, par.GapByte, o.Size)
		latency, _ := w.opt.Latency(int32(rank), o.Peer)
		w.add(now+ps(float64(par.Overhead))+ps(float64(latency)), x.op, true)
		freed = w.settle(x.op, true, now)
		if o.Size <= par.Rendezvous {
			freed = append(freed, w.settle(x.op, false, end)...)
		}
		w.ended++
	default:
		freed = w.settle(x.op, true, now)
		i := slices.IndexFunc(w.early[rank], func(m int32) bool { return w.fits(m, x.op) })
		if i < 0 {
			w.posted[rank] = append(w.posted[rank], x.op)
			break
		}
		message := w.early[rank][i]
		w.early[rank] = slices.Delete(w.early[rank], i, i+1)
		freed = append(freed, append(w.meet(message, now), w.settle(x.op, false, now)...)...)
		w.ended++
	}
	w.enter(freed)
}

// play returns when ranks end, and whether all operations have ended and all messages
// were received.
func (w *twin) play() ([]units.Time, bool) {
	for len(w.list) > 0 {
		w.step()
	}
	finish := make([]units.Time, w.s.Ranks())
	for key, t := range w.cpu {
		finish[key[0]] = max(finish[key[0]], units.Time(float64(t)/1000))
	}
	left := 0
	for _, l := range w.early {
		left += len(l)
	}
	return finish, w.ended == len(w.s.Ops()) && left == 0
}

// drawSchedule draws a schedule whose messages mostly find a receive.
func drawSchedule(t *rapid.T) *goal.Schedule {
	ranks := rapid.IntRange(1, 6).Draw(t, "ranks")
	plan := make([][]goal.Op, ranks)
	lanes := uint8(rapid.IntRange(1, 2).Draw(t, "lanes"))
	wild := rapid.Bool().Draw(t, "wild")
	lane := func(o goal.Op) goal.Op {
		o.CPU = rapid.Uint8Range(0, lanes-1).Draw(t, "cpu")
		if o.Kind != goal.Calc {
			o.NIC = rapid.Uint8Range(0, lanes-1).Draw(t, "nic")
		}
		return o
	}
	for range rapid.IntRange(0, 24).Draw(t, "messages") {
		src, dst := rapid.IntRange(0, ranks-1).Draw(t, "src"), rapid.IntRange(0, ranks-1).Draw(t, "dst")
		size := rapid.Int64Range(0, 20).Draw(t, "size")
		tag := rapid.Uint32Range(0, 1).Draw(t, "tag")
		if rapid.IntRange(0, 40).Draw(t, "unsent") > 0 {
			plan[src] = append(plan[src], lane(goal.Op{Kind: goal.Send, Size: size, Peer: int32(dst), Tag: tag}))
		}
		r := goal.Op{Kind: goal.Recv, Size: size, Peer: int32(src), Tag: tag}
		if wild && rapid.Bool().Draw(t, "any") {
			r.Peer = goal.AnySource
		}
		if wild && rapid.Bool().Draw(t, "any tag") {
			r.Tag = goal.AnyTag
		}
		if rapid.IntRange(0, 40).Draw(t, "lost") > 0 {
			plan[dst] = append(plan[dst], lane(r))
		}
		if rapid.Bool().Draw(t, "calc") {
			plan[dst] = append(plan[dst], lane(goal.Op{Kind: goal.Calc, Size: rapid.Int64Range(0, 30).Draw(t, "time")}))
		}
	}
	b, err := goal.NewBuilder(ranks)
	if err != nil {
		t.Fatal(err)
	}
	for rank, ops := range plan {
		if err := b.Rank(int32(rank)); err != nil {
			t.Fatal(err)
		}
		var at []int32
		for _, o := range ops {
			op, err := b.Add(o)
			if err != nil {
				t.Fatal(err)
			}
			at = append(at, op)
			for _, on := range at[:len(at)-1] {
				switch rapid.IntRange(0, 7).Draw(t, "needs") {
				case 0:
					b.Requires(op, on)
				case 1:
					b.RequiresStart(op, on)
				}
			}
		}
	}
	return b.Schedule()
}

// Every schedule ends as in the slow player, rank by rank, to the picosecond.
func TestPlaysAsTheSlowTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSchedule(t)
		time := func(name string) units.Time { return units.Time(rapid.IntRange(0, 4).Draw(t, name)) * 5 }
		opt := loggops.Options{
			Params: loggops.Params{
				Overhead: time("o"), Gap: time("g"), GapByte: loggops.PerByte(rapid.IntRange(0, 3).Draw(t, "G")) / 3,
				OverheadByte: loggops.PerByte(rapid.IntRange(0, 3).Draw(t, "O")) / 2,
				Rendezvous:   rapid.Int64Range(0, 20).Draw(t, "S"),
			},
			Latency: loggops.Constant(time("L")),
		}
		if rapid.Bool().Draw(t, "uneven") {
			opt.Latency = func(src, dst int32) (units.Time, error) { return units.Time(3*src+7*dst) / 4, nil }
		}
		want, ends := newTwin(s, opt).play()
		r, err := loggops.Play(context.Background(), s, opt)
		if !ends {
			if !errors.As(err, new(*loggops.UnfinishedError)) {
				t.Fatalf("a schedule without an end gives %v, %v", r, err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(r.Finish, want) {
			t.Fatalf("ranks end at %v, slowly at %v", r.Finish, want)
		}
		if want := int64(len(s.Ops()) + s.Messages()); r.Events != want {
			t.Fatalf("%d events of %d", r.Events, want)
		}
	})
}
