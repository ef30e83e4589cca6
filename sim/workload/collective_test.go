package workload

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/sim/goal"
	"github.com/plenum-planner/plenum/sim/loggops"
	"github.com/plenum-planner/plenum/units"
)

// scheduleOf is a collective of the ranks of a group among others.
func scheduleOf(t *rapid.T, c Collective, bytes int64, ranks []int32, all int) *goal.Schedule {
	b, err := goal.NewBuilder(all)
	if err != nil {
		t.Fatal(err)
	}
	m := &maker{Builder: b}
	for at, r := range ranks {
		if err := b.Rank(r); err != nil {
			t.Fatal(err)
		}
		begin := m.after(goal.Op{Kind: goal.Calc, Size: int64(at)})
		end := m.collective(c, bytes, group{ranks, at}, 7, begin)
		m.after(goal.Op{Kind: goal.Calc, Size: 1}, end)
	}
	if m.err != nil {
		t.Fatal(m.err)
	}
	return b.Schedule()
}

// play finds what every rank knows at its end, where a message carries all that its sender knows when it is sent, and
// from whom it has heard; the last operation of a rank must know all that the rank does.
func play(t *rapid.T, s *goal.Schedule) (known, heard []map[int32]bool) {
	type queue struct{ from, to int32 }
	ops, ranks := s.Ops(), s.Ranks()
	knows := make([]map[int32]bool, len(ops))
	waits := make([]int32, len(ops))
	rankOf := make([]int32, len(ops))
	sent, taken := map[queue][]int32{}, map[queue]int{}
	var ready []int32
	for r := range ranks {
		from, to := s.Of(r)
		for i := from; i < to; i++ {
			waits[i], rankOf[i] = s.Waits(i), int32(r)
			knows[i] = map[int32]bool{int32(r): true}
			if waits[i] == 0 {
				ready = append(ready, i)
			}
		}
	}
	heard = make([]map[int32]bool, ranks)
	done := 0
	for len(ready) > 0 {
		var later []int32
		moved := false
		for _, i := range ready {
			q := queue{ops[i].Peer, rankOf[i]}
			if ops[i].Kind == goal.Recv {
				if taken[q] == len(sent[q]) {
					later = append(later, i)
					continue
				}
				from := sent[q][taken[q]]
				taken[q]++
				if ops[from].Size != ops[i].Size {
					t.Fatalf("a message of %d bytes is received as %d", ops[from].Size, ops[i].Size)
				}
				for r := range knows[from] {
					knows[i][r] = true
				}
				if heard[rankOf[i]] == nil {
					heard[rankOf[i]] = map[int32]bool{}
				}
				heard[rankOf[i]][ops[i].Peer] = true
			} else if ops[i].Kind == goal.Send {
				q := queue{rankOf[i], ops[i].Peer}
				sent[q] = append(sent[q], i)
			}
			moved = true
			done++
			for _, d := range s.Dependents(i) {
				for r := range knows[i] {
					knows[d.Op()][r] = true
				}
				if waits[d.Op()]--; waits[d.Op()] == 0 {
					later = append(later, d.Op())
				}
			}
		}
		if !moved {
			t.Fatal("the schedule does not end")
		}
		ready = later
	}
	if done != len(ops) {
		t.Fatalf("%d of %d operations end", done, len(ops))
	}
	known = make([]map[int32]bool, ranks)
	for r := range ranks {
		if from, to := s.Of(r); to > from {
			known[r] = knows[to-1]
		}
	}
	return known, heard
}

// TestCollectives finds who knows of whom after each collective, and counts messages and bytes.
func TestCollectives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.IntRange(1, 20).Draw(t, "all")
		n := rapid.IntRange(1, all).Draw(t, "ranks")
		var ranks []int32
		for _, r := range rapid.Permutation(makeRange(all)).Draw(t, "group")[:n] {
			ranks = append(ranks, int32(r))
		}
		bytes := rapid.Int64Range(0, 1000).Draw(t, "bytes")
		c := Collective(rapid.IntRange(0, int(Barrier)).Draw(t, "collective"))
		s := scheduleOf(t, c, bytes, ranks, all)
		known, heard := play(t, s)
		part := (bytes + int64(n) - 1) / int64(n)
		for at, r := range ranks {
			from, to := s.Of(int(r))
			sends, sum := 0, int64(0)
			for _, op := range s.Ops()[from:to] {
				if op.Kind == goal.Send {
					sends++
					sum += op.Size
				}
				if op.Kind != goal.Calc && (op.CPU != communicates || op.Tag != 7) {
					t.Fatal("wrong processor or tag")
				}
			}
			if got := int64(to - from - 4); n > 1 && got > c.ops(int64(n))+int64(n) {
				t.Fatalf("%s of %d has %d operations", c, n, got)
			}
			wantSum, knows := int64(0), len(ranks)
			switch c {
			case AllReduce:
				wantSum = 2 * int64(n-1) * part
			case ReduceScatter, ReduceScatterBlock:
				wantSum = int64(n-1) * part
			case AllGather:
				wantSum = int64(n-1) * bytes
			case AllToAll:
				wantSum = int64(n-1) * part
				if n > 1 && len(heard[r]) != n-1 {
					t.Fatalf("rank %d has heard of %d", r, len(heard[r]))
				}
			case Broadcast, Scatter:
				wantSum, knows = -1, 0
				if !known[r][ranks[0]] {
					t.Fatalf("rank %d does not know of the root", r)
				}
				if c == Scatter && at == 0 {
					wantSum = int64(n-1) * part
				}
			case Reduce, Gather:
				wantSum = bytes
				if at == 0 {
					wantSum = 0
				} else {
					knows = 0
				}
			case Barrier:
				wantSum = 0
			}
			if wantSum >= 0 && sum != wantSum {
				t.Fatalf("%s of %d bytes over %d: rank %d sends %d, want %d", c, bytes, n, at, sum, wantSum)
			}
			if len(known[r]) < knows {
				t.Fatalf("%s: rank %d knows of %d ranks", c, at, len(known[r]))
			}
		}
	})
}

func makeRange(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// took is when a schedule ends where messages take a latency and nothing else.
func took(t fatal, s *goal.Schedule, p loggops.Params, latency units.Time) units.Time {
	r, err := loggops.Play(context.Background(), s, loggops.Options{Params: p, Latency: loggops.Constant(latency)})
	if err != nil {
		t.Fatal(err)
	}
	return r.Makespan
}

type fatal interface{ Fatal(...any) }

// TestNames names the collectives.
func TestNames(t *testing.T) {
	for c := AllReduce; c <= Barrier; c++ {
		if c.String() == "" {
			t.Error(uint8(c))
		}
	}
	if got := fmt.Sprint(Collective(200)); got != "collective 200" {
		t.Error(got)
	}
}
