package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/meter"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/sim/goal"
	"github.com/plenum-planner/plenum/sim/loggops"
	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/sim/workload"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// goalCommand holds the flags of plenum sim goal, the LogGOPS model.
type goalCommand struct {
	*simInput
	schedule, pattern, out string
	ranks                  int
	bytes                  int64
	params                 loggops.Params
	job                    workloadFlags
	latency                units.Time
	perRank                bool
}

// goalFlags gives the flag that sets each field of the library's options; "" for a field that no flag sets.
var goalFlags = map[string]string{
	"Overhead": "overhead-ns", "Gap": "gap-ns", "GapByte": "gap-ns-per-byte", "OverheadByte": "overhead-ns-per-byte",
	"Rendezvous": "rendezvous-above", "Name": "pattern", "Ranks": "ranks", "Bytes": "bytes", "Routing": "routing",
	"Placement": "placement", "Graph": "", "Hop": "alpha-ns", "Propagation": "beta-ns-per-m",
}

func newSimGoal(in *simInput) *simModel {
	s := &goalCommand{simInput: in, params: loggops.DefaultParams()}
	cmd := &cobra.Command{
		Use:   "goal [FILE]",
		Short: "Play a schedule of sends, receives and calculations under the LogGOPS model",
		Long: `Play a schedule of sends, receives and calculations in GOAL, the format of
LogGOPSim, on a planned machine, on a topology without a room, or with one latency for
all ranks:

  plenum sim goal machine.yaml --schedule app.goal
  plenum sim goal --topology '{family: torus, dims: [8, 8, 8]}' --pattern dissemination
  plenum sim goal --latency-ns 2500 --pattern linear-all-to-all --ranks 1024

The latency L of a message is the delay of the path between the nodes of its ranks,
with planned lengths and hop delays, without queues; on a topology alone it is that of
the hops, 100 ns each unless --alpha-ns says otherwise. What a byte takes, G, is that of
the machine's slowest port. All other parameters are LogGOPSim's unless they are given.

--pattern makes the schedule of a collective operation. --workload makes that of a step
of a training job from its description, of a published job by its name, or of execution
traces of MLCommons Chakra. --output writes the schedule as text, for other tools, and
plays nothing.

  plenum sim goal superpod-h100-compute --workload job.yaml --ranks-per-node 8`,
	}
	m := newModel("goal", cmd, s.run)
	under(cmd, generalFlags, func(f *pflag.FlagSet) {
		in.topologyFlag(f)
		cli.FabricFlag(f, &in.fabric)
		in.seedFlag(f)
		in.jsonFlag(f)
		in.timingFlag(f)
	})
	under(cmd, "Schedule", func(f *pflag.FlagSet) {
		var names []string
		for _, p := range goal.Patterns() {
			names = append(names, p.Name)
		}
		f.StringVar(&s.schedule, "schedule", "", "GOAL file to play")
		f.StringVar(&s.pattern, "pattern", "", "schedule to make and play: "+strings.Join(names, ", "))
		s.job.flags(f)
		f.IntVar(&s.ranks, "ranks", 0, "ranks of --pattern; one for each node when 0")
		f.Int64Var(&s.bytes, "bytes", 8, "bytes of a message of --pattern, or of the vector of an all-reduce")
		in.placementFlag(f)
		f.StringVarP(&s.out, "output", "o", "", "GOAL file to write the schedule into, in place of playing it")
		f.BoolVar(&s.perRank, "per-rank", false, "with --json, list when each rank ends")
	})
	under(cmd, "Delays", func(f *pflag.FlagSet) {
		in.routingFlag(f)
		in.hopFlag(f, "override the per-hop latency of all switches and routers, from 0 to 1e9")
		in.propagationFlag(f)
		f.Float64Var((*float64)(&s.latency), "latency-ns", 0,
			"L: the same between all ranks, in place of planned delays; from 0 to 1e9")
	})
	under(cmd, "LogGOPS", func(f *pflag.FlagSet) {
		p := &s.params
		f.Float64Var((*float64)(&p.Overhead), "overhead-ns", float64(p.Overhead),
			"o: what a message takes of a CPU, at either end")
		f.Float64Var((*float64)(&p.Gap), "gap-ns", float64(p.Gap), "g: from message to message of an interface")
		f.Float64Var((*float64)(&p.GapByte), "gap-ns-per-byte", float64(p.GapByte),
			"G: what a byte takes of an interface; by the machine's slowest port when left out")
		f.Float64Var((*float64)(&p.OverheadByte), "overhead-ns-per-byte", 0, "O: what a byte takes of a CPU")
		f.Int64Var(&p.Rendezvous, "rendezvous-above", p.Rendezvous,
			"S: bytes above which a send waits for its receive")
	})
	return m
}

// goalReport is the document of the LogGOPS model.
type goalReport struct {
	Model string `json:"model"` // `goal`
	// Machine is its name in the machine file; left out without one.
	Machine string `json:"machine,omitempty"`
	// Topology is as in the machine file, or as given; left out with one latency for all.
	Topology *topology.Spec `json:"topology,omitempty"`
	// Routing is the name of the function whose paths messages take; left out with one latency for all.
	Routing string `json:"routing,omitempty"`
	// Schedule is the file, or the name of the pattern or workload.
	Schedule string `json:"schedule"`
	// Step is figures of a training job; left out for other schedules.
	Step *goalStep `json:"step,omitempty"`
	// Untimed is the calculations of traces without a duration, which take no time here; left out without traces.
	Untimed *int `json:"untimed,omitempty"`
	// LatencyCovers is what latencies consist of: `hops and propagation`, `hops`, or `nothing else` for one that was
	// given.
	LatencyCovers string `json:"latency_covers"`
	loggops.Params
	*loggops.Result
	// FinishByRank is when each rank has ended; left out without `--per-rank`.
	FinishByRank []units.Time `json:"finish_by_rank_ns,omitempty"`
}

// goalStep is figures of a step of a training job.
type goalStep struct {
	Tokens          int64   `json:"tokens"`               // over all ranks
	TokensPerSecond float64 `json:"tokens_per_s"`         // while steps take as long as this one
	Calculating     float64 `json:"compute_s"`            // seconds that a step takes if messages take no time
	Source          string  `json:"compute_source"`       // where the times of calculations are from
	Published       float64 `json:"published_s,omitzero"` // seconds that were published; left out where none were
	// PublishedSource is where they are from; left out where none were.
	PublishedSource string `json:"published_source,omitempty"`
}

// stepOf returns the figures of a training job whose step took the given time.
func stepOf(j *workload.Job, took units.Time) *goalStep {
	s := &goalStep{Tokens: j.Tokens(), Calculating: float64(j.Calculates()) / 1e9, Source: j.Compute.Source}
	s.TokensPerSecond = float64(s.Tokens) / (float64(took) / 1e9)
	if p := j.Published; p != nil {
		s.Published, s.PublishedSource = p.Seconds, p.Source
	}
	return s
}

// run simulates a schedule and prints its report.
func (s *goalCommand) run(cmd *cobra.Command, args []string, wrong []error) error {
	if err := s.check(cmd, args, wrong); err != nil {
		return cli.InputError(err)
	}
	p := meter.New(cmd.ErrOrStderr())
	defer p.Clear()
	r := &goalReport{
		Model: "goal", Schedule: s.schedule + s.pattern + s.job.file, LatencyCovers: "nothing else", Params: s.params,
	}
	var on *goalNetwork
	var err error
	if len(args)+len(s.topology) > 0 {
		if on, err = s.network(cmd, args, r, p); err != nil {
			return err
		}
		if s.ranks == 0 {
			s.ranks = on.net.Terminals()
		}
	}
	if err := s.affordSchedule(cmd.Context()); err != nil {
		return err
	}
	p.Stage("reading the schedule", 0, 1)
	schedule, job, err := s.read(r)
	if err != nil {
		return err
	}
	if err := cli.Afford(cmd.Context(), cli.OpNeed.Times(float64(len(schedule.Ops()))), "%s", r.Schedule); err != nil {
		return err
	}
	if s.out != "" {
		err := outfile.Write(cmd.Context(), s.out, func(w io.Writer) error { return goal.Write(w, schedule) })
		if err != nil {
			return cli.InputUnlessDiagnosed(err)
		}
		return nil
	}
	opt := loggops.Options{
		Params: r.Params, Latency: loggops.Constant(s.latency),
		Progress: func(done, total int) { p.Stage("playing events", done, total) },
	}
	if on != nil {
		if opt.Latency, err = on.latency(s.placement, schedule.Ranks(), s.job.perNode, s.seed); err != nil {
			return err
		}
	}
	r.Result, err = loggops.Play(cmd.Context(), schedule, opt)
	p.Clear()
	if errors.As(err, new(*loggops.UnfinishedError)) || errors.Is(err, loggops.ErrTooLong) {
		return cli.InputError(err)
	}
	if err != nil {
		return cli.Spelled(err, goalFlags)
	}
	if !s.timing {
		r.Wall, r.Prepared = 0, 0
	}
	if job != nil {
		r.Step = stepOf(job, r.Makespan)
	}
	if s.perRank {
		r.FinishByRank = r.Finish
	}
	if s.asJSON {
		return render.Document(cmd.Context(), cmd.OutOrStdout(), r)
	}
	return r.print(cmd.OutOrStdout())
}

// check returns all errors in the flags that can be found without a machine, with those in wrong.
func (s *goalCommand) check(cmd *cobra.Command, args []string, wrong []error) error {
	given := cmd.Flags().Changed
	machines := len(args) + len(s.topology)
	switch {
	case machines > 1:
		wrong = append(wrong, errors.New("the model takes one machine file or one --topology"))
	case machines == 1 && given("latency-ns"):
		wrong = append(wrong, errors.New("--latency-ns: is in place of a machine"))
	case machines == 0 && !given("latency-ns") && s.out == "":
		wrong = append(wrong, errors.New("a machine file, --topology or --latency-ns is needed"))
	}
	sources := 0
	for _, text := range []string{s.schedule, s.pattern, s.job.file} {
		if text != "" {
			sources++
		}
	}
	if sources != 1 {
		wrong = append(wrong, errors.New("one of --schedule, --pattern and --workload is needed"))
	}
	if err := s.job.check(func(string) bool { return false }); err != nil { // schedules may share nodes, too
		wrong = append(wrong, err)
	}
	if s.pattern == "" {
		for _, name := range []string{"ranks", "bytes"} {
			if given(name) {
				wrong = append(wrong, fmt.Errorf("--%s: goes with --pattern only", name))
			}
		}
	} else if machines == 0 && s.ranks == 0 {
		wrong = append(wrong, errors.New("--ranks is needed where there is no machine"))
	}
	if s.perRank && !s.asJSON {
		wrong = append(wrong, errors.New("--per-rank: goes with --json only"))
	}
	if machines == 0 {
		for _, name := range []string{"routing", "placement", "ranks-per-node", "alpha-ns", "beta-ns-per-m"} {
			if given(name) {
				wrong = append(wrong, fmt.Errorf("--%s: goes with a machine or a topology only", name))
			}
		}
	} else {
		wrong = append(wrong, needsRoom(cmd, args, "beta-ns-per-m")...)
	}
	if !(s.latency >= 0 && s.latency <= 1e9) {
		wrong = append(wrong, fmt.Errorf("--latency-ns: must be from 0 to 1e9, not %g", float64(s.latency)))
	}
	for _, err := range []error{s.params.Check(), s.override(cmd).Check()} {
		if err != nil {
			wrong = append(wrong, cli.Spelled(err, goalFlags))
		}
	}
	return errors.Join(wrong...)
}

// read reads the schedule of --schedule, or makes that of --pattern or --workload; job is nil unless a training job is
// simulated.
func (s *goalCommand) read(r *goalReport) (schedule *goal.Schedule, job *workload.Job, err error) {
	if s.pattern != "" {
		made, err := goal.NewPattern(s.pattern, s.ranks, s.bytes)
		return made, nil, cli.Spelled(err, goalFlags)
	}
	if s.job.file != "" {
		w, err := workload.Read(s.job.file, s.job.groups)
		if err != nil {
			return nil, nil, cli.InputError(err)
		}
		if w.Trace != nil {
			r.Untimed = &w.Trace.Untimed
		}
		return w.Schedule, w.Job, nil
	}
	f, err := os.Open(s.schedule)
	if err != nil {
		return nil, nil, cli.InputError(err)
	}
	defer f.Close()
	if schedule, err = goal.Read(f, s.schedule); err != nil {
		return nil, nil, cli.InputUnlessDiagnosed(err)
	}
	return schedule, nil, nil
}

// goalNetwork is a network with the delays between its nodes, from which latencies are taken.
type goalNetwork struct {
	net   *routing.Network
	pairs *delay.Pairs
}

// network returns the network of a machine file, which it plans, or of --topology, and adds their names and defaults to
// the report. It is not called if one latency for all is given.
func (s *goalCommand) network(cmd *cobra.Command, args []string, r *goalReport, p *meter.Line) (*goalNetwork, error) {
	if len(args) == 0 {
		return s.bareNetwork(cmd.Context(), r)
	}
	spec, err := cli.NamedSpec(args[0])
	if err != nil {
		return nil, cli.InputUnlessDiagnosed(err)
	}
	plan, network, err := s.planned(cmd, spec, machine.Options{Progress: p.Stage})
	if err != nil {
		return nil, err
	}
	rate := plan.PortRate(network)
	network = network.Seen()
	if network.Links.Count() == 0 {
		return nil, noLengths(args[0], plan)
	}
	if rate > 0 && !cmd.Flags().Changed("gap-ns-per-byte") {
		r.GapByte = loggops.PerByteAt(rate)
	}
	if r.Machine = plan.Spec.Name; r.Machine == "" {
		r.Machine = filepath.Base(args[0])
	}
	r.Topology, r.LatencyCovers = &network.Topology, "hops and propagation"
	if err := goalNeed.Afford(cmd.Context(), "finding paths in a network of", network.Graph); err != nil {
		return nil, err
	}
	return s.measured(network.Graph, network.Model.With(network.Graph.Kinds(), s.override(cmd)), network.Links, r)
}

// bareNetwork returns the network of --topology: links take no time, and all hops take the same.
func (s *goalCommand) bareNetwork(ctx context.Context, r *goalReport) (*goalNetwork, error) {
	spec, err := cli.TopologySpec(s.topology[0])
	if err != nil {
		return nil, err
	}
	g, _, err := cli.TopologyOf(s.topology[0], s.fabric)
	if err != nil {
		return nil, err
	}
	if o, ok := g.(topology.Optical); ok {
		g = o.Logical()
	}
	if err := goalNeed.Afford(ctx, "finding paths in a network of", g); err != nil {
		return nil, err
	}
	m := delay.Model{Media: make([]delay.Medium, 1)}
	for _, k := range g.Kinds() {
		m.Hop = append(m.Hop, topology.Charge(k.Role, s.hop, 0))
	}
	var l delay.Links
	for range g.Links() {
		l.Add(0, 0)
	}
	r.Topology, r.LatencyCovers = &spec, "hops"
	return s.measured(g, m, l, r)
}

func (s *goalCommand) measured(g topology.Graph, m delay.Model, l delay.Links, r *goalReport) (*goalNetwork, error) {
	var err error
	var on *goalNetwork
	on, r.Routing, err = measuredOn(g, m, l, s.routing, s.seed)
	return on, err
}

// measuredOn returns the network with the delays between its nodes along the paths of a routing function, and the name
// of that function.
func measuredOn(g topology.Graph, m delay.Model, l delay.Links, by string, seed uint64) (*goalNetwork, string, error) {
	net, err := routing.NewNetwork(g)
	if err != nil {
		return nil, "", cli.InputError(err)
	}
	f, err := routing.New(net, by, routing.Options{Delay: m.Arcs(g, l)})
	if err != nil {
		return nil, "", cli.Spelled(diag.Fieldf("Routing", "%v", err), goalFlags)
	}
	pairs, err := delay.NewPairs(net, f, m, l, seed)
	return &goalNetwork{net, pairs}, f.Name(), err
}

// latency returns the function that gives the delay between two ranks, of which perNode share each node of a placement.
func (on *goalNetwork) latency(placement string, ranks, perNode int, seed uint64) (loggops.Latency, error) {
	place, err := traffic.ParsePlacement(placement, (ranks+perNode-1)/perNode, on.net.Terminals(), seed)
	if err != nil {
		return nil, cli.InputUnlessDiagnosed(cli.Spelled(diag.Fieldf("Placement", "%v", err), goalFlags))
	}
	each := int32(perNode)
	return func(src, dst int32) (units.Time, error) {
		return on.pairs.Between(place[src/each], place[dst/each])
	}, nil
}

func (r *goalReport) print(w io.Writer) error {
	var b strings.Builder
	if r.Machine != "" {
		fmt.Fprintf(&b, "%s: ", r.Machine)
	}
	fmt.Fprintf(&b, "%s on %s, %s\n\n", r.Schedule, english.Count(r.Ranks, "rank"),
		map[string]string{
			"nothing else":         "one latency for all",
			"hops":                 "latencies of hops only",
			"hops and propagation": "latencies of planned paths",
		}[r.LatencyCovers])
	t := tabwriter.NewWriter(&b, 0, 4, 2, ' ', 0)
	row := func(format string, args ...any) { fmt.Fprintf(t, "  "+format+"\n", args...) }
	row("finish\t%.3f ns for rank %d, the last; mean %.3f, first %.3f", float64(r.Makespan), r.Last,
		float64(r.FinishMean), float64(r.FinishMin))
	if p := r.Step; p != nil {
		row("step\t%.4g s, %.4g s if messages took no time", float64(r.Makespan)/1e9, p.Calculating)
		row("tokens\t%s, %s a second", english.Grouped(p.Tokens), english.Grouped(int64(p.TokensPerSecond+0.5)))
		if p.Published > 0 {
			row("published\t%.4g s", p.Published)
		}
	}
	if r.Untimed != nil && *r.Untimed > 0 {
		row("untimed\t%s without a duration, which take no time here",
			english.Count(*r.Untimed, "calculation"))
	}
	row("latency L\t%.3f ns mean over the messages, %.3f most", float64(r.LatencyMean), float64(r.LatencyMax))
	row("parameters\to %g ns, g %g ns, G %g ns/byte, O %g ns/byte, S %s bytes", float64(r.Overhead), float64(r.Gap),
		float64(r.GapByte), float64(r.OverheadByte), english.Grouped(r.Rendezvous))
	row("operations\t%s, of which %s", english.Grouped(int64(r.Ops)), english.Count(r.Messages, "send"))
	if r.Wall == 0 {
		row("events\t%s", english.Grouped(r.Events))
	} else {
		row("events\t%s in %.3f s, after %.3f s of preparation", english.Grouped(r.Events), float64(r.Wall),
			float64(r.Prepared))
	}
	t.Flush()
	if p := r.Step; p != nil {
		fmt.Fprintf(&b, "\n%s\n", "compute times: "+p.Source)
		if p.PublishedSource != "" {
			fmt.Fprintf(&b, "%s\n", "published: "+p.PublishedSource)
		}
	}
	return cli.Print(w, b.String())
}
