package flow_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/sim/flow"
	"github.com/plenum-planner/plenum/sim/goal"
	"github.com/plenum-planner/plenum/sim/packet"
)

// goalSchedule reads a schedule.
func goalSchedule(t testing.TB, text string) *goal.Schedule {
	t.Helper()
	s, err := goal.Read(strings.NewReader(text), "test.goal")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func places(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

// TestScheduleOfMessages plays one message, and rings, as the workloads of package traffic are played.
func TestScheduleOfMessages(t *testing.T) {
	s := networks()["torus"](t)
	file := filepath.Join(t.TempDir(), "a.trace")
	if err := os.WriteFile(file, []byte("0 0 1 5000\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	ring, err := goal.NewPattern("ring-all-reduce", 64, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	suite := packet.Suite{Seeds: 1, Placement: "consecutive"}
	message := goalSchedule(t, "num_ranks 2\nrank 0 {\nl: send 5000b to 1 tag 0\n}\n"+
		"rank 1 {\nl: recv 5000b from 0 tag 0\n}\n")
	for workload, schedule := range map[string]*goal.Schedule{
		"trace:" + file: message, "ring-all-reduce:tasks=64,bytes=1048576": ring,
	} {
		job, place, err := suite.Job(s, workload)
		if err != nil {
			t.Fatal(err)
		}
		want, err := flow.RunJob(t.Context(), s.Config, job.New(), place)
		if err != nil {
			t.Fatal(err)
		}
		got, err := flow.RunSchedule(t.Context(), s.Config, schedule, place, 0.5)
		if err != nil {
			t.Fatal(err)
		}
		if got.Cycles != want.Cycles || got.Messages != want.Messages {
			t.Errorf("%s: %d cycles and %d messages, as a schedule %d and %d", workload, want.Cycles, want.Messages,
				got.Cycles, got.Messages)
		}
	}
}

// TestScheduleOfCalculations holds drawn calculations, each of which may wait for one before, against the least and the
// exact times that follow from them: a CPU has one at a time, and is never idle while one of it could begin.
func TestScheduleOfCalculations(t *testing.T) {
	s := networks()["torus"](t)
	rapid.Check(t, func(t *rapid.T) {
		b, err := goal.NewBuilder(2)
		if err != nil {
			t.Fatal(err)
		}
		want, n := int64(0), rapid.IntRange(1, 8).Draw(t, "operations")
		chained := rapid.Bool().Draw(t, "chained")
		for rank := range int32(2) {
			if err := b.Rank(rank); err != nil {
				t.Fatal(err)
			}
			sum, last := int64(0), int32(-1)
			for range n {
				size := rapid.Int64Range(0, 9).Draw(t, "size")
				cpu := uint8(0)
				if chained { // then CPUs do not matter
					cpu = uint8(rapid.IntRange(0, 1).Draw(t, "cpu"))
				}
				op, err := b.Add(goal.Op{Kind: goal.Calc, Size: 4 * size, CPU: cpu})
				if err != nil {
					t.Fatal(err)
				}
				if last >= 0 && (chained || rapid.Bool().Draw(t, "waits")) {
					b.Requires(op, last)
				}
				sum, last = sum+size, op
			}
			want = max(want, sum)
		}
		got, err := flow.RunSchedule(t.Context(), s.Config, b.Schedule(), places(2), 4)
		if err != nil {
			t.Fatal(err)
		}
		if got.Cycles != want {
			t.Fatalf("%d cycles, want %d", got.Cycles, want)
		}
	})
}

// TestScheduleOfBoth: a message waits for a calculation, and a calculation for its message; CPUs work side by side.
func TestScheduleOfBoth(t *testing.T) {
	s := networks()["torus"](t)
	run := func(text string) int64 {
		t.Helper()
		r, err := flow.RunSchedule(t.Context(), s.Config, goalSchedule(t, text), places(2), 2)
		if err != nil {
			t.Fatal(err)
		}
		return r.Cycles
	}
	message := run("num_ranks 2\nrank 0 {\na: send 64b to 1 tag 0\n}\nrank 1 {\na: recv 64b from 0 tag 0\n}\n")
	both := run("num_ranks 2\nrank 0 {\na: calc 201\nb: send 64b to 1 tag 0\nb requires a\n}\n" +
		"rank 1 {\na: recv 64b from 0 tag 0\nb: calc 100\nb requires a\nc: calc 60 cpu 1\n}\n")
	if want := 101 + message + 50; both != want {
		t.Errorf("%d cycles, want %d", both, want)
	}
	got := run("num_ranks 2\nrank 0 {\na: calc 200\nb: calc 60 cpu 1\nc: calc 10\nc irequires a\n}\nrank 1 {\n}\n")
	if got != 105 {
		t.Errorf("%d cycles, want 105", got)
	}
	for text, want := range map[string]string{
		"num_ranks 2\nrank 0 {\na: recv 1b from 1 tag 0\n}\nrank 1 {\n}\n":  "1 operations of the schedule never end",
		"num_ranks 2\nrank 0 {\na: recv 1b from -1 tag 0\n}\nrank 1 {\n}\n": "from any rank",
	} {
		_, err := flow.RunSchedule(t.Context(), s.Config, goalSchedule(t, text), places(2), 2)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
}
