package traffic

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
)

// Job is a workload by name, which can be run any number of times.
type Job struct {
	Name  string // as it was asked for: "W2:bytes=1024"
	Tasks int
	// Messages is how many messages a run has, and AtOnce how many are on their way together in the beginning. Of
	// workloads with few messages for each task both are the number of tasks, of traces 0.
	Messages, AtOnce int64
	New              func() Workload // a fresh run; safe to call from many goroutines
}

// JobInfo describes a workload that ParseJob knows.
type JobInfo struct {
	Name   string
	Params []string // names of its parameters
	Doc    string   // one line
}

// ThinTreeSuite names the seven workloads of J. Navaridas et al., "Reducing
// complexity in tree-like computer interconnection networks", Parallel Computing
// 36, 2010, section 4.3.
func ThinTreeSuite() []string { return []string{"W2", "W3", "M2", "M3", "BU", "BT", "WF"} }

// jobParams are the parameters of a job after its defaults.
type jobParams struct {
	tasks  int
	dims   []int // nil: of nearly equal sides
	bytes  int32
	rounds int
	waves  int
	window int
	wrap   bool
}

var jobs = []struct {
	JobInfo
	defaults jobParams
	build    func(p jobParams) (Workload, error)
}{
	{
		JobInfo{"W2", []string{"tasks", "dims", "bytes"}, "a sweep over a square of tasks and back"},
		jobParams{bytes: paperMessage},
		func(p jobParams) (Workload, error) { return onSides(p, 2, NewWavefront) },
	},
	{
		JobInfo{"W3", []string{"tasks", "dims", "bytes"}, "a sweep over a cube of tasks and back"},
		jobParams{bytes: paperMessage},
		func(p jobParams) (Workload, error) { return onSides(p, 3, NewWavefront) },
	},
	{
		JobInfo{"M2", []string{"tasks", "dims", "bytes", "rounds"}, "every task of a square sends to its neighbours"},
		jobParams{bytes: paperMessage, rounds: 1},
		func(p jobParams) (Workload, error) { return meshExchange(p, 2) },
	},
	{
		JobInfo{"M3", []string{"tasks", "dims", "bytes", "rounds"}, "every task of a cube sends to its neighbours"},
		jobParams{bytes: paperMessage, rounds: 1},
		func(p jobParams) (Workload, error) { return meshExchange(p, 3) },
	},
	{
		JobInfo{"BU", []string{"tasks", "bytes"}, "butterfly: recursive doubling; a power of two of tasks"},
		jobParams{bytes: paperMessage},
		func(p jobParams) (Workload, error) { return NewButterfly(p.tasks, p.bytes) },
	},
	{
		JobInfo{"BT", []string{"tasks", "bytes"}, "binary tree: all tasks to task 0"},
		jobParams{bytes: paperMessage},
		func(p jobParams) (Workload, error) { return NewBinaryTree(p.tasks, p.bytes) },
	},
	{
		JobInfo{
			"WF",
			[]string{"tasks", "dims", "bytes", "waves"},
			"waterfall: sweeps of small messages one behind the other over a square",
		},
		jobParams{bytes: 1 << 10, waves: 40},
		func(p jobParams) (Workload, error) {
			return onSides(p, 2, func(dims []int, bytes int32) (*Waterfall, error) {
				return NewWaterfall(dims, p.waves, bytes)
			})
		},
	},
	{
		JobInfo{"all-to-all", []string{"tasks", "bytes", "window"}, "a message between every pair of tasks"},
		jobParams{bytes: 4 << 10, window: 1},
		func(p jobParams) (Workload, error) { return NewAllToAll(p.tasks, p.window, p.bytes) },
	},
	{
		JobInfo{"ring-all-reduce", []string{"tasks", "bytes"}, "the sum of vectors along a ring; bytes of a vector"},
		jobParams{bytes: 1 << 20},
		func(p jobParams) (Workload, error) { return NewRing(p.tasks, p.bytes) },
	},
	{
		JobInfo{
			"recursive-halving-all-reduce",
			[]string{"tasks", "bytes"},
			"the sum of vectors by halving and doubling; a power of two of tasks; bytes of a vector",
		},
		jobParams{bytes: 1 << 20},
		func(p jobParams) (Workload, error) { return NewRecursiveHalving(p.tasks, p.bytes) },
	},
	{
		JobInfo{
			"halo",
			[]string{"tasks", "dims", "bytes", "rounds", "wrap"},
			"rounds of exchanges with the neighbours on a grid, of three nearly equal sides unless dims says otherwise",
		},
		jobParams{bytes: 64 << 10, rounds: 1, wrap: true},
		func(p jobParams) (Workload, error) {
			if p.dims == nil && p.tasks > 0 {
				p.dims = nearlyEqualSides(p.tasks, 3)
			}
			return onSides(p, 3, func(dims []int, bytes int32) (*Halo, error) {
				return NewHalo(dims, p.wrap, p.rounds, bytes)
			})
		},
	},
}

// paperMessage is the 40 KB of the thin-tree paper, section 4.3: 160 of its
// packets of 16 phits of 128 bits.
const paperMessage = 40 << 10

// onSides builds a workload on the grid given, or on nearly equal sides.
func onSides[W Workload](p jobParams, dims int, build func([]int, int32) (W, error)) (Workload, error) {
	sides := p.dims
	if sides == nil {
		var err error
		if sides, err = squarish(p.tasks, dims); err != nil {
			return nil, err
		}
	}
	return build(sides, p.bytes)
}

func meshExchange(p jobParams, dims int) (Workload, error) {
	return onSides(p, dims, func(dims []int, bytes int32) (*Halo, error) {
		return NewHalo(dims, false, p.rounds, bytes)
	})
}

// Jobs lists the workloads that ParseJob knows, but for traces.
func Jobs() []JobInfo {
	list := make([]JobInfo, len(jobs))
	for i, j := range jobs {
		list[i] = j.JobInfo
	}
	return list
}

// ParseJob makes the workload with a name and parameters, such as "W2",
// "halo:dims=8x8x4,rounds=10,bytes=64KiB" or "trace:FILE". Jobs lists names and
// parameters. A workload has as many tasks as there are terminals unless the text
// says otherwise, and never more. Lengths are in bytes, with B, kB, MB, KiB or MiB
// behind them if wanted. The error names the nearest name, or says what sizes the
// workload needs.
func ParseJob(text string, terminals int) (Job, error) {
	name, arg, _ := strings.Cut(text, ":")
	if strings.EqualFold(name, "trace") {
		return traceJob(text, arg, terminals)
	}
	names := make([]string, 0, len(jobs)+1)
	for _, j := range jobs {
		names = append(names, j.Name)
		if !strings.EqualFold(j.Name, name) {
			continue
		}
		p := j.defaults
		p.tasks = terminals
		if err := p.read(arg, j.Params); err != nil {
			return Job{}, fmt.Errorf("workload %q: %w", text, err)
		}
		if p.tasks > terminals {
			return Job{}, tooManyTasks(text, p.tasks, terminals)
		}
		first, err := j.build(p)
		if err != nil {
			return Job{}, fmt.Errorf("workload %q: %w", text, err)
		}
		n := int64(first.Tasks())
		atOnce := n
		if m, ok := first.(manyMessages); ok {
			n, atOnce = m.messages()
		}
		return Job{Name: text, Tasks: first.Tasks(), Messages: n, AtOnce: atOnce, New: func() Workload {
			w, _ := j.build(p) // it went well before
			return w
		}}, nil
	}
	return Job{}, unknownName("workload", name, append(names, "trace"))
}

// manyMessages is a workload with many more messages than tasks. It tells how many, and how many it begins with.
type manyMessages interface{ messages() (all, atOnce int64) }

func tooManyTasks(text string, tasks, terminals int) error {
	return fmt.Errorf("workload %q: %d tasks do not fit on %d terminals", text, tasks, terminals)
}

func traceJob(text, file string, terminals int) (Job, error) {
	if file == "" {
		return Job{}, errors.New("the workload trace needs the name of a file: trace:FILE")
	}
	f, err := os.Open(file)
	if err != nil {
		return Job{}, err
	}
	defer f.Close()
	t, err := ReadTrace(f, file)
	if err != nil {
		return Job{}, err
	}
	if t.Tasks() > terminals {
		return Job{}, tooManyTasks(text, t.Tasks(), terminals)
	}
	return Job{Name: text, Tasks: t.Tasks(), New: t.Replay}, nil
}

// read takes "key=value,key=value".
func (p *jobParams) read(text string, params []string) error {
	if text == "" {
		return nil
	}
	seen := make(map[string]bool)
	var tasks int
	for item := range strings.SplitSeq(text, ",") {
		key, value, ok := strings.Cut(item, "=")
		if !ok || value == "" {
			return fmt.Errorf("%q is not a parameter: expected NAME=VALUE, with the names %s", item,
				strings.Join(params, ", "))
		}
		known := false
		for _, name := range params {
			known = known || name == key
		}
		if !known {
			return unknownName("parameter", key, params)
		}
		if seen[key] {
			return fmt.Errorf("%s is given twice", key)
		}
		seen[key] = true
		var err error
		switch key {
		case "dims":
			p.dims, err = parseDims(value)
		case "bytes":
			p.bytes, err = parseBytes(value)
		case "wrap":
			p.wrap, err = strconv.ParseBool(value)
			if err != nil {
				err = fmt.Errorf("wrap must be true or false, not %q", value)
			}
		case "tasks":
			tasks, err = parseCount(key, value)
			p.tasks = tasks
		case "rounds":
			p.rounds, err = parseCount(key, value)
		case "waves":
			p.waves, err = parseCount(key, value)
		case "window":
			p.window, err = parseCount(key, value)
		}
		if err != nil {
			return err
		}
	}
	if p.dims != nil {
		n := 1
		for _, side := range p.dims {
			n *= side
		}
		if tasks != 0 && tasks != n {
			return fmt.Errorf("tasks is %d, but the grid has %d", tasks, n)
		}
		p.tasks = n
	}
	return nil
}

func parseCount(name, text string) (int, error) {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%s must be from 1 to %d, not %q", name, math.MaxInt32, text)
	}
	return int(n), nil
}

// byteUnits is in the order in which suffixes are tried.
var byteUnits = []struct {
	suffix string
	bytes  float64
}{{"kib", 1 << 10}, {"mib", 1 << 20}, {"kb", 1e3}, {"mb", 1e6}, {"b", 1}, {"", 1}}

func parseBytes(text string) (int32, error) {
	folded := strings.ToLower(text)
	for _, u := range byteUnits {
		number, ok := strings.CutSuffix(folded, u.suffix)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(number, 64)
		if err == nil && n*u.bytes >= 1 && n*u.bytes <= math.MaxInt32 && n*u.bytes == math.Trunc(n*u.bytes) {
			return int32(n * u.bytes), nil
		}
		break
	}
	return 0, fmt.Errorf("bytes must be a length from 1 to %d like 1024, 40KiB or 2MB, not %q", math.MaxInt32, text)
}
