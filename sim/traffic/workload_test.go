package traffic_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/sim/traffic"
)

// dependencies is a workload written out: the causes and the length of every
// message.
type dependencies struct {
	causes map[send][]send
	bytes  map[send]int32
}

func newDependencies() dependencies {
	return dependencies{make(map[send][]send), make(map[send]int32)}
}

func (d dependencies) add(s send, bytes int32, causes ...send) {
	d.causes[s], d.bytes[s] = causes, bytes
}

// longest is the number of messages on the longest chain, by looking at all.
func (d dependencies) longest() int {
	known := make(map[send]int)
	var depth func(s send) int
	depth = func(s send) int {
		if n, ok := known[s]; ok {
			return n
		}
		n := 0
		for _, c := range d.causes[s] {
			n = max(n, depth(c))
		}
		known[s] = n + 1
		return n + 1
	}
	n := 0
	for s := range d.causes {
		n = max(n, depth(s))
	}
	return n
}

// at returns the task at (x, y, z) of a mesh with sides w, h, d, or -1.
func at(x, y, z, w, h, d int) int {
	if x < 0 || y < 0 || z < 0 || x >= w || y >= h || z >= d {
		return -1
	}
	return x + w*(y+h*z)
}

func wavefrontDependencies(w, h, d int, bytes int32) dependencies {
	all := newDependencies()
	last := w*h*d - 1
	for _, up := range []int{1, -1} {
		for z := range d {
			for y := range h {
				for x := range w {
					t := at(x, y, z, w, h, d)
					var causes []send
					for _, p := range []int{at(x-up, y, z, w, h, d), at(x, y-up, z, w, h, d), at(x, y, z-up, w, h, d)} {
						if p >= 0 {
							causes = append(causes, send{p, t, 0})
						}
					}
					if up < 0 && t == last {
						for _, p := range []int{
							at(x-1, y, z, w, h, d), at(x, y-1, z, w, h, d),
							at(x, y, z-1, w, h, d),
						} {
							if p >= 0 {
								causes = append(causes, send{p, t, 0})
							}
						}
					}
					for _, n := range []int{at(x+up, y, z, w, h, d), at(x, y+up, z, w, h, d), at(x, y, z+up, w, h, d)} {
						if n >= 0 {
							all.add(send{t, n, 0}, bytes, causes...)
						}
					}
				}
			}
		}
	}
	return all
}

func waterfallDependencies(w, h, waves int, bytes int32) dependencies {
	all := newDependencies()
	for y := range h {
		for x := range w {
			t := at(x, y, 0, w, h, 1)
			var causes []send
			for wave := range waves {
				// Waves before this one are causes too, as they are passed on in
				// order.
				for _, p := range []int{at(x-1, y, 0, w, h, 1), at(x, y-1, 0, w, h, 1)} {
					if p >= 0 {
						causes = append(causes, send{p, t, wave})
					}
				}
				for _, n := range []int{at(x+1, y, 0, w, h, 1), at(x, y+1, 0, w, h, 1)} {
					if n >= 0 {
						all.add(send{t, n, wave}, bytes, append([]send(nil), causes...)...)
					}
				}
			}
		}
	}
	return all
}

func haloDependencies(w, h, d int, wrap bool, rounds int, bytes int32) dependencies {
	all := newDependencies()
	neighbours := func(x, y, z int) []int {
		var list []int
		for dim, side := range []int{w, h, d} {
			for _, step := range []int{1, -1} {
				c := [3]int{x, y, z}
				c[dim] += step
				if wrap {
					if side == 1 {
						continue
					}
					c[dim] = (c[dim] + side) % side
				}
				if n := at(c[0], c[1], c[2], w, h, d); n >= 0 {
					list = append(list, n)
				}
			}
		}
		return list
	}
	for z := range d {
		for y := range h {
			for x := range w {
				t := at(x, y, z, w, h, d)
				all.haloOf(t, neighbours(x, y, z), rounds, bytes)
			}
		}
	}
	return all
}

// haloOf adds the messages of task t. A neighbour that is listed twice sends and
// gets two messages a round.
func (d dependencies) haloOf(t int, neighbours []int, rounds int, bytes int32) {
	times := make(map[int]int)
	for _, n := range neighbours {
		times[n]++
	}
	var causes []send
	for round := range rounds {
		for n, k := range times {
			for i := range k {
				d.add(send{t, n, round*k + i}, bytes, append([]send(nil), causes...)...)
			}
		}
		for n, k := range times {
			for i := range k {
				causes = append(causes, send{n, t, round*k + i})
			}
		}
	}
}

func exchangeDependencies(n int, distances []int, lengths []int32) dependencies {
	all := newDependencies()
	for t := range n {
		var causes []send
		times := make(map[int]int)
		for i, d := range distances {
			partner := t ^ d
			all.add(send{t, partner, times[partner]}, lengths[i], append([]send(nil), causes...)...)
			causes = append(causes, send{partner, t, times[partner]})
			times[partner]++
		}
	}
	return all
}

func treeDependencies(n int, bytes int32) dependencies {
	all := newDependencies()
	for t := 1; t < n; t++ {
		low := 1
		for t&low == 0 {
			low *= 2
		}
		var causes []send
		for step := 1; step < low; step *= 2 {
			if t+step < n {
				causes = append(causes, send{t + step, t, 0})
			}
		}
		all.add(send{t, t - low, 0}, bytes, causes...)
	}
	return all
}

func ringDependencies(n int, part int32) dependencies {
	all := newDependencies()
	for step := range 2 * (n - 1) {
		for t := range n {
			var causes []send
			if step > 0 {
				causes = []send{{(t + n - 1) % n, t, step - 1}}
			}
			all.add(send{t, (t + 1) % n, step}, part, causes...)
		}
	}
	return all
}

var workloadCases = []struct {
	job  string
	want dependencies
	path int // messages on the longest chain, by hand
}{
	{"W2:dims=4x4", wavefrontDependencies(4, 4, 1, 40960), 12},
	{"W2:dims=5x3,bytes=100", wavefrontDependencies(5, 3, 1, 100), 12},
	{"W2:dims=1x1", wavefrontDependencies(1, 1, 1, 1), 0},
	{"W3:tasks=27", wavefrontDependencies(3, 3, 3, 40960), 12},
	{"W3:dims=2x3x4", wavefrontDependencies(2, 3, 4, 40960), 12},
	{"WF:dims=4x4,waves=5", waterfallDependencies(4, 4, 5, 1024), 6},
	{"WF:dims=3x2,waves=1,bytes=7", waterfallDependencies(3, 2, 1, 7), 3},
	{"M2:tasks=16", haloDependencies(4, 4, 1, false, 1, 40960), 1},
	{"M3:tasks=27,rounds=3", haloDependencies(3, 3, 3, false, 3, 40960), 3},
	{"halo:dims=3x4x5,rounds=4,bytes=64", haloDependencies(3, 4, 5, true, 4, 64), 4},
	{"halo:dims=2x3,rounds=3,bytes=64", haloDependencies(2, 3, 1, true, 3, 64), 3},
	{"halo:dims=4x2,rounds=2,wrap=false", haloDependencies(4, 2, 1, false, 2, 65536), 2},
	{"BU:tasks=32", exchangeDependencies(32, []int{1, 2, 4, 8, 16}, []int32{40960, 40960, 40960, 40960, 40960}), 5},
	{"BU:tasks=1", newDependencies(), 0},
	{
		"recursive-halving-all-reduce:tasks=8,bytes=1001",
		exchangeDependencies(8, []int{4, 2, 1, 1, 2, 4}, []int32{501, 251, 126, 126, 251, 501}), 6,
	},
	{"BT:tasks=32", treeDependencies(32, 40960), 5},
	{"BT:tasks=21,bytes=9", treeDependencies(21, 9), 4},
	{"ring-all-reduce:tasks=6,bytes=1000", ringDependencies(6, 167), 10},
	{"ring-all-reduce:tasks=1", newDependencies(), 0},
}

func TestMessagesWaitForTheirCausesAndForNothingElse(t *testing.T) {
	for _, c := range workloadCases {
		for seed := range uint64(6) {
			checkDependencies(t, c.job, c.want, seed)
		}
	}
}

func checkDependencies(t *testing.T, name string, want dependencies, seed uint64) {
	t.Helper()
	job := parseJob(t, name)
	emitted, delivered, bytes := shuffled(t, job.New(), seed)
	if strings.HasPrefix(name, "ring") {
		// Parts that overtake each other are passed on as they come.
		emitted, delivered, bytes = shuffledByTag(t, job.New(), seed)
	}
	if len(emitted) != len(want.causes) || len(delivered) != len(want.causes) {
		t.Fatalf("%s: %d messages emitted, %d delivered, expected %d", name, len(emitted), len(delivered),
			len(want.causes))
	}
	for s, causes := range want.causes {
		step, ok := emitted[s]
		if !ok {
			t.Fatalf("%s: message %v is missing", name, s)
		}
		if bytes[s] != want.bytes[s] {
			t.Fatalf("%s: message %v has %d bytes, expected %d", name, s, bytes[s], want.bytes[s])
		}
		free := 0
		for _, cause := range causes {
			free = max(free, delivered[cause])
		}
		if step != free {
			t.Fatalf("%s: message %v was sent at step %d, its causes had come at %d", name, s, step, free)
		}
	}
}

func parseJob(t *testing.T, name string) traffic.Job {
	t.Helper()
	job, err := traffic.ParseJob(name, 4096)
	if err != nil {
		t.Fatal(err)
	}
	return job
}

func TestCriticalPathsOnTheIdealNetwork(t *testing.T) {
	for _, c := range workloadCases {
		if got := c.want.longest(); got != c.path {
			t.Errorf("%s: the longest chain written out has %d messages, by hand %d", c.job, got, c.path)
		}
		cycles, _ := idealNetwork{latency: 1}.run(t, parseJob(t, c.job).New())
		if cycles != int64(c.path) {
			t.Errorf("%s: %d cycles on a network of latency 1, expected %d", c.job, cycles, c.path)
		}
	}
}

// On a network that sends 1 byte per cycle, the times follow from the sums that
// textbooks give.
func TestTimesWithBandwidth(t *testing.T) {
	for _, c := range []struct {
		job    string
		cycles int64
	}{
		{"BU:tasks=16,bytes=100", 4 * (100 + 7)},
		{"BT:tasks=16,bytes=100", 4 * (100 + 7)},
		{"M2:dims=4x4,bytes=100", 4*100 + 7}, // an inner task sends four in turn
		{"M3:dims=3x3x3,bytes=100", 6*100 + 7},
		{"ring-all-reduce:tasks=5,bytes=500", 8 * (100 + 7)},
		{"recursive-halving-all-reduce:tasks=8,bytes=800", 2*(400+200+100) + 6*7},
		{"all-to-all:tasks=9,bytes=100,window=9", 8*100 + 7},
		{"all-to-all:tasks=9,bytes=100", 8 * (100 + 7)},
		// Two messages leave the first task in turn, and two the last.
		{"W2:dims=2x2,bytes=100", (200 + 7) + (100 + 7) + (200 + 7) + (100 + 7)},
	} {
		cycles, _ := idealNetwork{latency: 7, perCycle: 1}.run(t, parseJob(t, c.job).New())
		if cycles != c.cycles {
			t.Errorf("%s: %d cycles, expected %d", c.job, cycles, c.cycles)
		}
	}
}

func TestAllToAllReachesEveryPairAndKeepsFewInFlight(t *testing.T) {
	for _, window := range []int{1, 3, 12} {
		w, err := traffic.NewAllToAll(12, window, 8)
		if err != nil {
			t.Fatal(err)
		}
		emitted, _, _ := shuffled(t, w, 1)
		if len(emitted) != 12*11 {
			t.Errorf("window %d: %d messages, expected %d", window, len(emitted), 12*11)
		}
		for s := range emitted {
			if s.k > 0 {
				t.Errorf("window %d: two messages from %d to %d", window, s.src, s.dst)
			}
		}
		w, _ = traffic.NewAllToAll(12, window, 8)
		if _, most := (idealNetwork{latency: 50, perCycle: 1}).run(t, w); most > 12*window {
			t.Errorf("window %d: %d messages in flight", window, most)
		}
	}
}

// "All the nodes inject one message per direction (2-4 for M2, 3-6 for M3)", "two
// (three for W3) messages in node 0", "a message at odd-numbered nodes": thin
// trees, section 4.3.
func TestFirstMessagesOfTheThinTreePaper(t *testing.T) {
	for _, c := range []struct {
		job   string
		first int
	}{{"W2", 2}, {"W3", 3}, {"M2", 4 * 8 * 7}, {"M3", 6 * 16 * 3}, {"BU", 64}, {"BT", 32}, {"WF", 2 * 40}} {
		job, err := traffic.ParseJob(c.job, 64)
		if err != nil {
			t.Fatal(err)
		}
		first := 0
		w := job.New()
		w.Start(func(traffic.Message) { first++ })
		if first != c.first || job.Tasks != 64 {
			t.Errorf("%s: %d first messages of %d tasks, expected %d of 64", c.job, first, job.Tasks, c.first)
		}
	}
}

func TestJobsStartAfresh(t *testing.T) {
	for _, info := range traffic.Jobs() {
		job, err := traffic.ParseJob(info.Name, 64)
		if err != nil {
			t.Fatal(err)
		}
		one, _ := idealNetwork{latency: 3, perCycle: 64}.run(t, job.New())
		two, _ := idealNetwork{latency: 3, perCycle: 64}.run(t, job.New())
		if one != two || one == 0 {
			t.Errorf("%s takes %d cycles, then %d", info.Name, one, two)
		}
	}
}

func TestParseJobNamesWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"W4", `did you mean "W2"?`},
		{"ring-allreduce", `did you mean "ring-all-reduce"?`},
		{"", "the name of the workload is missing"},
		{"W2:tasks=29", "29 tasks fill no square, nor a grid of sides that are at most twice each other; give dims, " +
			"like 29x1"},
		{"W3", "30 tasks fill no cube"},
		{"BU", "needs a power of two of tasks, not 30; 16 and 32 are the nearest"},
		{"W2:dims=6x6", "36 tasks do not fit on 30 terminals"},
		{"BT:tasks=2000000000", "2000000000 tasks do not fit on 30 terminals"},
		{"BT:task=5", `did you mean "tasks"?`},
		{"BT:tasks=5,tasks=6", "given twice"},
		{"BT:tasks", `"tasks" is not a parameter`},
		{"BT:tasks=0", "tasks must be from 1"},
		{"W2:dims=3x3,tasks=8", "tasks is 8, but the grid has 9"},
		{"W2:dims=3y3", `"3y3" is not a side`},
		{"W2:dims=3x3,bytes=0", "bytes must be a length"},
		{"W2:dims=3x3,bytes=1.5", "bytes must be a length"},
		{"W2:dims=3x3,bytes=4GiB", "bytes must be a length"},
		{"halo:wrap=maybe", "wrap must be true or false"},
		{"WF:dims=3x3,waves=2000000000", "waves must be from 1 to"},
		{"all-to-all:window=31", "window must be from 1 to the number of tasks, 30, not 31"},
		{"trace", "needs the name of a file"},
		{"trace:/does/not/exist", "no such file"},
	} {
		_, err := traffic.ParseJob(c.text, 30)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, expected one with %q", c.text, err, c.want)
		}
	}
}

func TestHaloTakesNearlyEqualSides(t *testing.T) {
	for _, c := range []struct{ tasks, messages int }{
		{64, 64 * 6}, // 4 x 4 x 4
		{12, 12 * 6}, // 3 x 2 x 2
		{7, 7 * 2},   // 7 x 1 x 1
		{30, 30 * 6}, // 5 x 3 x 2
	} {
		job, err := traffic.ParseJob("halo", c.tasks)
		if err != nil {
			t.Fatal(err)
		}
		if emitted, _, _ := shuffled(t, job.New(), 1); len(emitted) != c.messages {
			t.Errorf("%d tasks send %d messages, expected %d", c.tasks, len(emitted), c.messages)
		}
	}
}

const smallTrace = `# a small trace
tasks 4
0 0      1 100   # @0
0 250    2 100   # @1
1 @0     3 50    # @2
2 @1+500 3 60
3 @2&3   0 70    # waits for two
`

func TestTraceOnTheIdealNetwork(t *testing.T) {
	trace, err := traffic.ReadTrace(strings.NewReader(smallTrace), "small")
	if err != nil {
		t.Fatal(err)
	}
	if trace.Tasks() != 4 || trace.Messages() != 5 {
		t.Errorf("%d ranks and %d messages", trace.Tasks(), trace.Messages())
	}
	// @1 leaves at 250, arrives at 360; @3 leaves at 860, arrives at 930; @4
	// arrives at 1010.
	for range 2 {
		if cycles, _ := (idealNetwork{latency: 10, perCycle: 1}).run(t, trace.Replay()); cycles != 1010 {
			t.Errorf("%d cycles, expected 1010", cycles)
		}
	}
	name := filepath.Join(t.TempDir(), "small.trace")
	if err := os.WriteFile(name, []byte(smallTrace), 0o600); err != nil {
		t.Fatal(err)
	}
	job, err := traffic.ParseJob("trace:"+name, 4)
	if err != nil || job.Tasks != 4 {
		t.Errorf("job %+v, error %v", job, err)
	}
	if _, err := traffic.ParseJob("trace:"+name, 3); err == nil {
		t.Error("4 tasks fit on 3 terminals")
	}
}

func TestReadTraceNamesTheLine(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "t:1: the trace has no messages"},
		{"0 0 1", "t:1: expected rank, start, destination and bytes, found 3 fields"},
		{"0 0 1 1\n\nx 0 1 1", `t:3: the rank must be from 0 to 2147483646, not "x"`},
		{"0 0 0 1", "t:1: rank 0 sends to itself"},
		{"0 0 1 0", `the number of bytes must be from 1`},
		{"0 -1 1 1", `the start must be a cycle`},
		{"0 5+5 1 1", `the start must be a cycle`},
		{"0 @0+x 1 1", `the start must be a cycle`},
		{"0 @ 1 1", `the number of a message must be from 0`},
		{"0 @1 1 1", "t:1: there is no message @1: the trace has messages 0 to 0"},
		{"0 @0 1 1", "t:1: message @0 waits for itself"},
		{"0 0 1 1\n2 @0 1 1", "t:2: rank 2 waits for message @0, which goes from rank 0 to rank 1"},
		{"0 @1 1 1\n1 @0 0 1", "t:1: message @0 can never start"},
		{"tasks 2\n0 0 2 1", "t:2: there is no rank 2: the trace has 2 tasks"},
		{"tasks 2\ntasks 2\n0 0 1 1", "t:2: the number of tasks is given twice"},
		{"tasks\n0 0 1 1", "t:1: "},
		{"0 0 1 99999999999", "t:1: the number of bytes"},
		{strings.Repeat("x", 1<<20+10), "t:1: the line is longer than 1 MiB"},
	} {
		_, err := traffic.ReadTrace(strings.NewReader(c.text), "t")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: error %.200v, expected one with %q", c.text, err, c.want)
		}
	}
	_, err := traffic.ReadTrace(strings.NewReader(strings.Repeat("x\n", 1000)), "t")
	if err == nil || strings.Count(err.Error(), "\n") != 19 {
		t.Errorf("1000 mistakes are reported as %v", err)
	}
}

func FuzzReadTrace(f *testing.F) {
	f.Add(smallTrace)
	f.Add("0 0 1 1\n1 @0&0+3 0 5\n")
	f.Add("tasks 9\n0 @1 1 1\n1 @0 0 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		trace, err := traffic.ReadTrace(strings.NewReader(text), "t")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "t:") {
				t.Errorf("error without a line: %v", err)
			}
			return
		}
		delivered := 0
		var air []traffic.Message
		w := trace.Replay()
		w.Start(func(m traffic.Message) { air = append(air, m) })
		for ; len(air) > 0; delivered++ {
			m := air[len(air)-1]
			air = air[:len(air)-1]
			w.Delivered(m, func(m traffic.Message) { air = append(air, m) })
		}
		if delivered != trace.Messages() {
			t.Errorf("%d of %d messages delivered", delivered, trace.Messages())
		}
	})
}

func TestPlacements(t *testing.T) {
	place, err := traffic.ParsePlacement("consecutive", 3, 5, 1)
	if err != nil || fmt.Sprint(place) != "[0 1 2]" {
		t.Errorf("%v, %v", place, err)
	}
	seen := make(map[string]bool)
	for seed := range uint64(20) {
		place, err := traffic.ParsePlacement("random", 3, 5, seed)
		if err != nil || len(place) != 3 {
			t.Fatalf("%v, %v", place, err)
		}
		used := make(map[int32]bool)
		for _, terminal := range place {
			if terminal < 0 || terminal >= 5 || used[terminal] {
				t.Errorf("random placement %v", place)
			}
			used[terminal] = true
		}
		seen[fmt.Sprint(place)] = true
	}
	if len(seen) < 10 {
		t.Errorf("20 seeds give %d placements", len(seen))
	}
	name := filepath.Join(t.TempDir(), "placement")
	if err := os.WriteFile(name, []byte("# task terminal\n1 4\n0 2\n\n2 0 # last\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if place, err = traffic.ParsePlacement("file:"+name, 3, 5, 1); err != nil || fmt.Sprint(place) != "[2 4 0]" {
		t.Errorf("%v, %v", place, err)
	}
}

func TestPlacementNamesWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"consecutive:2", "takes no argument"},
		{"random:2", "takes no argument"},
		{"randon", `did you mean "random"?`},
		{"file", "needs the name of a file"},
		{"file:/does/not/exist", "no such file"},
	} {
		_, err := traffic.ParsePlacement(c.text, 2, 2, 1)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, expected one with %q", c.text, err, c.want)
		}
	}
	if _, err := traffic.ParsePlacement("random", 3, 2, 1); err == nil {
		t.Error("3 tasks fit on 2 terminals")
	}
	for _, c := range []struct{ text, want string }{
		{"0 0\n1 0", "p:2: terminal 0 already has task 0"},
		{"0 0\n0 1", "p:2: task 0 is placed twice"},
		{"0 0 0", "p:1: expected a task and its terminal, found 3 fields"},
		{"2 0", "p:1: the task must be from 0 to 1"},
		{"0 2", "p:1: the terminal must be from 0 to 1"},
		{"0 1", "p: task 1 has no terminal"},
	} {
		_, err := traffic.ReadPlacement(strings.NewReader(c.text), "p", 2, 2)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, expected one with %q", c.text, err, c.want)
		}
	}
}
