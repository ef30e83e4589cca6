package packet

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/parallel"
	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/units"
)

// Suite is workloads that are played on several networks, each with several seeds.
type Suite struct {
	Workloads []string // as traffic.ParseJob reads them
	// Weights of the workloads in phi; 1 each when nil.
	Weights []float64
	// Tasks of each job of a workload but traces; of all together one for each terminal when 0.
	Tasks int
	// Jobs is how often a workload is played side by side, each time as a job with tasks of its own; once when 0.
	Jobs int
	// Placement is the terminals of the tasks, as traffic.PlaceJobs reads it.
	Placement string
	// Seeds is the number of runs of a workload, from 1 to 1000, each with the next
	// seed.
	Seeds int
}

// ParseWorkloads reads a list of workloads: names between commas, one workload with
// parameters, or all for traffic.ThinTreeSuite.
func ParseWorkloads(text string) []string {
	switch {
	case text == "all":
		return traffic.ThinTreeSuite()
	case strings.Contains(text, "="): // parameters have commas of their own
		return []string{text}
	}
	return strings.Split(text, ",")
}

// ParseWeights reads NAME=WEIGHT,... for workloads; those that are left out have
// weight 1. The error is a diag.FieldError of Suite.Weights.
func ParseWeights(text string, workloads []string) ([]float64, error) {
	out := make([]float64, len(workloads))
	for i := range out {
		out[i] = 1
	}
	if text == "" {
		return out, nil
	}
	sum := 0.0
	for item := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(item, "=")
		w, err := strconv.ParseFloat(value, 64)
		if err != nil || !(w >= 0) || math.IsInf(w, 0) {
			return nil, diag.Fieldf("Weights", "%q is not a workload with a weight, like W2=0.5", item)
		}
		i := slices.IndexFunc(workloads, func(n string) bool { return strings.EqualFold(n, strings.TrimSpace(name)) })
		if i < 0 {
			return nil, diag.Fieldf("Weights", "no workload %q is run; those are %s", name,
				strings.Join(workloads, ", "))
		}
		out[i] = w
	}
	for _, w := range out {
		sum += w
	}
	if sum == 0 {
		return nil, diag.Fieldf("Weights", "all are 0")
	}
	return out, nil
}

// maxSeeds bounds the runs of a workload.
const maxSeeds = 1000

// Check says what is wrong by itself, as diag.FieldErrors. Names of workloads and
// placements are read in Play, which knows the terminals.
func (s *Suite) Check() error {
	var wrong diag.FieldErrors
	inRange(&wrong, "Tasks", s.Tasks, 0, math.MaxInt32)
	inRange(&wrong, "Jobs", s.Jobs, 0, math.MaxInt32)
	inRange(&wrong, "Seeds", s.Seeds, 1, maxSeeds)
	if s.Weights != nil && len(s.Weights) != len(s.Workloads) {
		wrong.Add("Weights", "%d weights for %d workloads", len(s.Weights), len(s.Workloads))
	}
	return wrong.Err()
}

// Contestant is a named Subject.
type Contestant struct {
	Name string
	*Subject
}

// Play runs every workload on every contestant with every seed, side by side, and returns the results by contestant,
// workload and seed. done, if not nil, receives how many runs of how many have ended; not from two goroutines at once.
// Results do not depend on the number of cores.
func (s *Suite) Play(ctx context.Context, on []Contestant, done func(done, total int)) ([][][]*JobResult, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	// The runs of a contestant stand together, of these those of a workload.
	results := make([]*JobResult, len(on)*len(s.Workloads)*s.Seeds)
	runs := make([]jobRun, len(on)*len(s.Workloads))
	for i, c := range on {
		for j, name := range s.Workloads {
			var err error
			if runs[i*len(s.Workloads)+j], err = s.prepare(c.Subject, name, Share(len(results))); err != nil {
				return nil, under(c.Name, err)
			}
		}
	}
	count := counter{total: len(results), tell: done}
	err := parallel.Each(ctx, len(results), func(ctx context.Context, i int) error {
		of := i / s.Seeds
		contestant := on[of/len(s.Workloads)]
		seed := contestant.Seed + uint64(i%s.Seeds)
		var err error
		if results[i], err = runs[of](ctx, seed); err != nil {
			return fmt.Errorf("%s on %s, seed %d: %w", s.Workloads[of%len(s.Workloads)], contestant.Name, seed, err)
		}
		count.one()
		return nil
	})
	if err != nil {
		return nil, err
	}
	byWorkload := slices.Collect(slices.Chunk(results, s.Seeds))
	return slices.Collect(slices.Chunk(byWorkload, len(s.Workloads))), nil
}

// under says whose mistakes they are.
func under(name string, err error) error {
	var all diag.FieldErrors
	for _, e := range diag.Fields(err) {
		own := *e
		own.Message = name + ": " + e.Message
		all = append(all, &own)
	}
	if all == nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return all
}

// jobRun is a workload on a network, to be run with any seed.
type jobRun func(ctx context.Context, seed uint64) (*JobResult, error)

// Job reads a workload for a network, and the terminals of its tasks. Errors are diag.FieldErrors of Suite.
func (s *Suite) Job(on *Subject, name string) (traffic.Job, []int32, error) {
	if s.Tasks > 0 && !strings.HasPrefix(strings.ToLower(name), "trace") {
		separator := ":"
		if strings.Contains(name, ":") {
			separator = ","
		}
		name += separator + "tasks=" + strconv.Itoa(s.Tasks)
	}
	terminals, jobs := on.Network.Terminals(), s.jobs()
	if jobs > terminals {
		return traffic.Job{}, nil, diag.Fieldf("Jobs", "%d jobs do not fit on %d terminals", jobs, terminals)
	}
	job, err := traffic.ParseJob(name, terminals/jobs)
	if err != nil {
		if jobs > 1 {
			err = fmt.Errorf("each of %d jobs on %d terminals: %w", jobs, terminals, err)
		}
		return traffic.Job{}, nil, diag.Fieldf("Workloads", "%v", err)
	}
	place, err := s.place(on, job.Tasks, on.Seed)
	if err != nil {
		return traffic.Job{}, nil, diag.Fieldf("Placement", "%v", err)
	}
	return job.Times(jobs), place, nil
}

// jobs is how many jobs are played side by side.
func (s *Suite) jobs() int { return max(1, s.Jobs) }

// place returns the terminals of the tasks of all jobs, of which each has so many.
func (s *Suite) place(on *Subject, tasks int, seed uint64) ([]int32, error) {
	return traffic.PlaceJobs(s.Placement, on.Network.Graph, s.jobs(), tasks, seed)
}

// prepare reads a workload for a network.
func (s *Suite) prepare(on *Subject, name string, cores int) (jobRun, error) {
	job, _, err := s.Job(on, name)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, seed uint64) (*JobResult, error) {
		place, err := s.place(on, job.Tasks/s.jobs(), seed)
		if err != nil {
			return nil, err
		}
		drawn, err := on.WithSeed(seed)
		if err != nil {
			return nil, err
		}
		cfg := drawn.Config
		cfg.Cores = cores
		return RunJob(ctx, cfg, job.New(), place)
	}, nil
}

// LoadRun is a run of a contestant at a load.
type LoadRun struct {
	On  int // number of the contestant
	Run *Result
}

// SweepAll runs every load on every contestant, side by side, contestant i with open[i]. tell, if not nil, receives how
// many cycles of how many have been simulated in all; not from two goroutines at once. The runs come by contestant and
// then by load; the first error, with the name of the contestant and the load, ends all.
func SweepAll(ctx context.Context, on []Contestant, open []OpenLoop, loads []float64, tell func(cycles, of int64)) (
	[]LoadRun, error,
) {
	runs := make([]LoadRun, len(on)*len(loads))
	least, err := leastCycles(open, len(loads))
	if err != nil {
		return nil, err
	}
	count := newCycleCounter(least, tell)
	err = parallel.Each(ctx, len(runs), func(ctx context.Context, i int) error {
		c := on[i/len(loads)]
		o := open[i/len(loads)]
		o.Load, o.Progress = loads[i%len(loads)], count.run(i)
		cfg := c.Config
		cfg.Cores = Share(len(runs))
		r, err := Run(ctx, cfg, o)
		if err != nil {
			return fmt.Errorf("%s at load %g: %w", c.Name, o.Load, err)
		}
		runs[i] = LoadRun{i / len(loads), r}
		return nil
	})
	return runs, err
}

// leastCycles are those of every load of every open loop.
func leastCycles(open []OpenLoop, loads int) ([]int64, error) {
	var out []int64
	for i := range open {
		m, err := open[i].withDefaults()
		if err != nil {
			return nil, err
		}
		out = append(out, slices.Repeat([]int64{m.least()}, loads)...)
	}
	return out, nil
}

// Saturations finds the saturation of every contestant, side by side, contestant i with open[i], and returns them in
// that order; see SweepAll for tell.
func Saturations(ctx context.Context, on []Contestant, open []OpenLoop, tell func(cycles, of int64)) ([]*Saturation,
	error,
) {
	found := make([]*Saturation, len(on))
	least, err := leastCycles(open, 1)
	if err != nil {
		return nil, err
	}
	count := newCycleCounter(least, tell)
	err = parallel.Each(ctx, len(on), func(ctx context.Context, i int) error {
		o := open[i]
		o.Progress = count.run(i)
		cfg := on[i].Config
		cfg.Cores = Share(len(on))
		var err error
		found[i], err = FindSaturation(ctx, cfg, o)
		return err
	})
	return found, err
}

// Level gives the switches of all contestants buffers of the same size, by their Config.BufferPackets: as large as the
// longest link of any of them needs for a stream of packets to fill it. Where a routing needs more virtual channels
// than others have, these share the room of the others'. Options.BufferPackets and BufferPhits must be 0. Without links
// between switches it changes nothing. The error is that of Check, with the name of the contestant.
func Level(on []Contestant) error {
	most := 0
	for _, c := range on {
		e, err := planEngine(c.Config)
		if err != nil {
			return under(c.Name, err)
		}
		packet := int(e.phits / e.cell)
		for c := range e.channels {
			most = max(most, (max(4*packet, e.roundTrip(c))+packet-1)/packet)
		}
	}
	if most == 0 {
		return nil // no links between switches
	}
	for _, c := range on {
		c.Config.BufferPackets = max(1, most*min(FairVCs, c.Channels())/c.Channels())
	}
	return nil
}

// Unequal says in what contestants are not on equal terms: virtual channels, room of the buffers, and clocks, by which
// loads and cycles go. Of each it names the first contestant and the first that differs from it. One contestant or none
// is on equal terms. The error is that of Check, with the name of the contestant.
func Unequal(on []Contestant, clocks []units.Frequency) ([]string, error) {
	var out []string
	room := make([]int, len(on))
	for i, c := range on {
		buffer, _, err := Check(c.Config)
		if err != nil {
			return nil, under(c.Name, err)
		}
		o, err := c.Options.withDefaults()
		if err != nil {
			return nil, under(c.Name, err)
		}
		room[i] = c.Channels() * max(buffer.Packets*o.PacketPhits, buffer.Phits) * o.PhitBytes
	}
	if len(on) == 0 {
		return nil, nil
	}
	tell := func(what string, of func(i int) string) {
		first := of(0)
		for i := range on {
			if other := of(i); other != first {
				out = append(out, fmt.Sprintf("%s: %s has %s, and %s has %s", what, on[0].Name, first, on[i].Name,
					other))
				return
			}
		}
	}
	tell("not on equal terms", func(i int) string {
		return english.Count(on[i].Channels(), "virtual channel") + " a port"
	})
	tell("not on equal terms", func(i int) string {
		return fmt.Sprintf("buffers of %d bytes a port at least", room[i])
	})
	tell("loads are shares of what a port carries, cycles those of its clock", func(i int) string {
		return fmt.Sprintf("a clock of %g GHz", float64(clocks[i]))
	})
	return out, nil
}
