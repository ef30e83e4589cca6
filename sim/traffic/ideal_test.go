package traffic_test

import (
	"cmp"
	"container/heap"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/plenum-planner/plenum/sim/traffic"
)

// idealNetwork delivers every message latency cycles after its last byte has left
// its sender, which sends perCycle bytes a cycle (all at once where that is 0),
// one message after the other. It is the simplest network that keeps time.
type idealNetwork struct {
	latency  int64
	perCycle int64
}

type arrival struct {
	at int64
	traffic.Message
}

type arrivals []arrival

func (a arrivals) Len() int { return len(a) }
func (a arrivals) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(a[i].at, a[j].at), cmp.Compare(a[i].ID, a[j].ID)) < 0
}
func (a arrivals) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *arrivals) Push(x any)   { *a = append(*a, x.(arrival)) }
func (a *arrivals) Pop() any {
	last := (*a)[len(*a)-1]
	*a = (*a)[:len(*a)-1]
	return last
}

// run returns the cycle of the last delivery and the most messages in flight.
func (n idealNetwork) run(t *testing.T, w traffic.Workload) (cycles int64, inFlight int) {
	t.Helper()
	var flying arrivals
	free := make([]int64, w.Tasks())
	now, next := int64(0), int64(0)
	emit := func(m traffic.Message) {
		checkMessage(t, w, m, next)
		next++
		start := now + m.Delay
		if n.perCycle > 0 {
			start = max(start, free[m.Src])
			start += (int64(m.Bytes) + n.perCycle - 1) / n.perCycle
			free[m.Src] = start
		}
		heap.Push(&flying, arrival{start + n.latency, m})
	}
	w.Start(emit)
	for len(flying) > 0 {
		inFlight = max(inFlight, len(flying))
		a := heap.Pop(&flying).(arrival)
		now = a.at
		w.Delivered(a.Message, emit)
	}
	return now, inFlight
}

func checkMessage(t *testing.T, w traffic.Workload, m traffic.Message, id int64) {
	t.Helper()
	n := int32(w.Tasks())
	if m.Src < 0 || m.Src >= n || m.Dst < 0 || m.Dst >= n || m.Src == m.Dst || m.Bytes < 1 || m.Delay < 0 ||
		m.ID != id {
		t.Fatalf("message %+v among %d tasks, expected ID %d", m, n, id)
	}
}

// send names a message of a workload: the k-th from src to dst, from 0, or that
// with tag k.
type send struct{ src, dst, k int }

// shuffled runs a workload on a network that delivers in any order, and returns
// when each message was emitted and delivered, in steps. Every call is one step.
func shuffled(t *testing.T, w traffic.Workload, seed uint64) (emitted, delivered map[send]int, bytes map[send]int32) {
	t.Helper()
	count := make(map[[2]int32]int)
	return shuffledNaming(t, w, seed, func(m traffic.Message) send {
		pair := [2]int32{m.Src, m.Dst}
		count[pair]++
		return send{int(m.Src), int(m.Dst), count[pair] - 1}
	})
}

func shuffledByTag(
	t *testing.T, w traffic.Workload, seed uint64,
) (emitted, delivered map[send]int, bytes map[send]int32) {
	t.Helper()
	return shuffledNaming(t, w, seed, func(m traffic.Message) send { return send{int(m.Src), int(m.Dst), int(m.Tag)} })
}

func shuffledNaming(
	t *testing.T, w traffic.Workload, seed uint64, name func(traffic.Message) send,
) (emitted, delivered map[send]int, bytes map[send]int32) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	emitted, delivered, bytes = make(map[send]int), make(map[send]int), make(map[send]int32)
	type flying struct {
		send
		traffic.Message
	}
	var air []flying
	step, next := 0, int64(0)
	emit := func(m traffic.Message) {
		checkMessage(t, w, m, next)
		next++
		s := name(m)
		emitted[s], bytes[s] = step, m.Bytes
		air = append(air, flying{s, m})
	}
	w.Start(emit)
	for len(air) > 0 {
		step++
		i := r.IntN(len(air))
		f := air[i]
		air = slices.Delete(air, i, i+1)
		delivered[f.send] = step
		w.Delivered(f.Message, emit)
	}
	return emitted, delivered, bytes
}
