package loggops_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/sim/goal"
	"github.com/plenum-planner/plenum/sim/loggops"
	"github.com/plenum-planner/plenum/units"
)

func play(t *testing.T, pattern string, ranks int, bytes int64, opt loggops.Options) *loggops.Result {
	t.Helper()
	s, err := goal.NewPattern(pattern, ranks, bytes)
	if err != nil {
		t.Fatal(err)
	}
	r, err := loggops.Play(context.Background(), s, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// What LogGOPSim (commit 76451de) prints for schedules of its own generator, with its
// own parameters.
func TestFinishingTimesOfLogGOPSim(t *testing.T) {
	opt := loggops.Options{Params: loggops.DefaultParams(), Latency: loggops.Constant(2500)}
	same := func(n int, t units.Time) []units.Time {
		out := make([]units.Time, n)
		for i := range out {
			out[i] = t
		}
		return out
	}
	for _, c := range []struct {
		pattern string
		ranks   int
		bytes   int64
		want    []units.Time
	}{
		{"dissemination", 16, 8, same(16, 22168)},
		{"dissemination", 7, 70000, same(7, 1276482)},
		{"linear-all-to-all", 8, 100, same(8, 25346)},
		{"binomial-broadcast", 13, 70000, []units.Time{
			1266982, 1271482, 1271482, 1275982, 1271482, 1271982, 1271982, 1276482, 1688476, 1692976, 1692976, 1697476,
			1692976,
		}},
	} {
		r := play(t, c.pattern, c.ranks, c.bytes, opt)
		for rank, want := range c.want {
			if r.Finish[rank] != want {
				t.Errorf("%s of %d ranks, %d bytes: rank %d ends at %v, not %v", c.pattern, c.ranks, c.bytes, rank,
					r.Finish[rank], want)
			}
		}
	}
}

// The largest published schedules: 3.1 million events each, and the greatest finishing
// time that LogGOPSim (commit 76451de) prints for the first, 88,672 ns.
func TestLargeSchedules(t *testing.T) {
	if testing.Short() {
		t.Skip("six million events")
	}
	opt := loggops.Options{Params: loggops.DefaultParams(), Latency: loggops.Constant(2500)}
	r := play(t, "dissemination", 65536, 8, opt)
	if r.Events != 3145728 || r.Makespan != 88672 || r.FinishMin != 88672 {
		t.Errorf("%d events, %v", r.Events, r.Makespan)
	}
	r = play(t, "linear-all-to-all", 1024, 8, opt)
	if r.Events != 3142656 {
		t.Errorf("%d events", r.Events)
	}
}

// A step of a dissemination, with messages of a byte and a gap below the overhead, is
// the overheads of both ends and a latency, where nothing else is in the way.
func TestDisseminationTakesItsStepsOneAfterTheOther(t *testing.T) {
	for _, ranks := range []int{2, 3, 4, 5, 64, 100} {
		steps := 0
		for d := 1; d < ranks; d *= 2 {
			steps++
		}
		opt := loggops.Options{Params: loggops.Params{Overhead: 30, Gap: 10}, Latency: loggops.Constant(700)}
		if r := play(t, "dissemination", ranks, 1, opt); r.Makespan != units.Time(760*steps) {
			t.Errorf("%d ranks end at %v, not after %d steps", ranks, r.Makespan, steps)
		}
	}
}

// In a broadcast, rank 3 of four gets the message by way of rank 1; every pair has a latency
// of its own.
func TestLatencyIsThatOfThePair(t *testing.T) {
	opt := loggops.Options{
		Params:  loggops.Params{Overhead: 10, Rendezvous: 100},
		Latency: func(src, dst int32) (units.Time, error) { return units.Time(100*src + 7*dst), nil },
	}
	r := play(t, "binomial-broadcast", 4, 1, opt)
	want := []units.Time{20, 37, 44, 27 + 10 + 121 + 10}
	for rank, t0 := range want {
		if r.Finish[rank] != t0 {
			t.Errorf("rank %d ends at %v, not %v", rank, r.Finish[rank], t0)
		}
	}
	if r.LatencyMax != 121 || r.Last != 3 {
		t.Errorf("%+v", r)
	}
}

func TestSchedulesWithoutAnEnd(t *testing.T) {
	text := `num_ranks 2
rank 0 {
l1: recv 8b from 1
l2: calc 5
l2 requires l1
send 3b to 1 tag 9
}
rank 1 {
a: calc 1
b: calc 1
a requires b
b requires a
}
`
	s, err := goal.Read(strings.NewReader(text), "x.goal")
	if err != nil {
		t.Fatal(err)
	}
	_, err = loggops.Play(context.Background(), s,
		loggops.Options{Params: loggops.DefaultParams(), Latency: loggops.Constant(1)})
	want := `the schedule does not come to an end
1 operation that no message reaches:
  x.goal:3: recv 8b from 1 tag 0 of rank 0
1 operation whose message nobody receives:
  x.goal:6: send 3b to 1 tag 9 of rank 0
3 operations that cannot begin:
  x.goal:4: calc 5 of rank 0
  x.goal:9: calc 1 of rank 1
  x.goal:10: calc 1 of rank 1`
	if err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	s, err := goal.NewPattern("dissemination", 2, 8)
	if err != nil {
		t.Fatal(err)
	}
	wrong := loggops.Params{Overhead: -1, Gap: 2e9, GapByte: -1, OverheadByte: 1e7, Rendezvous: -1}
	_, err = loggops.Play(context.Background(), s, loggops.Options{Params: wrong, Latency: loggops.Constant(1)})
	if got := diag.Fields(err); len(got) != 5 {
		t.Errorf("%v", err)
	}
	_, err = loggops.Play(context.Background(), s, loggops.Options{Latency: loggops.Constant(-1)})
	if err == nil || !strings.Contains(err.Error(), "the latency from rank 0 to rank 1 is -1 ns") {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err = loggops.Play(ctx, s, loggops.Options{Latency: loggops.Constant(1)}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	text := "num_ranks 1\nrank 0 {\n" + strings.Repeat("calc 1000000000000000\n", 9) + "}\n"
	s, err = goal.Read(strings.NewReader(text), "")
	if err != nil {
		t.Fatal(err)
	}
	_, err = loggops.Play(context.Background(), s, loggops.Options{Latency: loggops.Constant(1)})
	if !errors.Is(err, loggops.ErrTooLong) {
		t.Errorf("%v", err)
	}
}

// A byte at 400 Gb/s takes 8 bits of 0.0025 ns.
func TestPerByteAt(t *testing.T) {
	if got := loggops.PerByteAt(400); got != 0.02 {
		t.Errorf("%v ns a byte", got)
	}
}
