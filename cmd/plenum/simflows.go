package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plenum-planner/plenum/budget"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/meter"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/sim/flow"
	"github.com/plenum-planner/plenum/sim/packet"
	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/sim/workload"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// flowsCommand is the model of flows. It has the flags and the machines of packetsCommand.
type flowsCommand struct {
	*packetsCommand
	groups string // file with those of traces
}

func newSimFlows(packets *packetsCommand) *simModel {
	s := &flowsCommand{packetsCommand: packets}
	cmd := &cobra.Command{
		Use:   "flows [FILE...]",
		Short: "Play workloads as flows with fair rates",
		Long: `Play workloads on planned machines, with the lengths of their links, and on topologies
without a room, as plenum sim packets --workload does, but with messages that flow in
place of packets; the inputs of a switch share its outputs fairly:

  plenum sim flows machine.yaml --workload ring-all-reduce:bytes=64MiB
  plenum sim flows --topology '{family: torus, dims: [8, 8, 8]}' --workload all

The workload may also be a step of a training job, as for plenum sim goal: its
description, a published job by its name, or execution traces. Each rank then has a
terminal of its own:

  plenum sim flows machine.yaml --workload job.yaml

--jobs plays several jobs at the same time, and each alone on the same terminals, and
prints by how much they slow each other down:

  plenum sim flows machine.yaml --workload halo --jobs 8 --tasks 64 --placement random

The work follows the number of messages and not their lengths. A message that has a
choice of ways is split evenly. Queues are not known, so functions that route by them
are refused, and minimal is taken where a family has such a one; docs/traffic.md says
how far times are from those of packets.`,
	}
	m := newModel("flow", cmd, s.run)
	s.machineFlags(cmd)
	under(cmd, "Workload", func(f *pflag.FlagSet) {
		s.workloadFlags(f, "what is played: a training job (FILE.yaml), traces (NAME.0.et, NAME.0.json), "+
			strings.Join(workload.Presets(), ", ")+", or ")
		f.StringVar(&s.groups, "groups", "", "JSON file with the ranks of the process groups of traces")
	})
	under(cmd, "Routing and packets", func(f *pflag.FlagSet) {
		s.routingFlag(f)
		s.sizeFlags(f)
	})
	s.delayFlags(cmd)
	return m
}

// flowReport is the document of the model of flows.
type flowReport struct {
	Model string `json:"model"` // `flow`
	// Machines is those that were simulated, in the order in which they were given.
	Machines    []flowMachine  `json:"machines"`
	PacketPhits int            `json:"packet_phits"` // the length of a packet, of which messages have whole ones
	PhitBytes   int            `json:"phit_bytes"`   // what a phit carries
	Seed        uint64         `json:"seed"`         // of the random numbers
	Workloads   []flowWorkload `json:"workloads"`    // one for each machine and workload
	// Notes is machines on which times of flows are known to differ from those of packets, a sentence each; left out
	// where there are none.
	Notes []string `json:"notes,omitempty"`
}

type flowMachine struct {
	// Name is that in the machine file, or what its family calls the topology.
	Name      string        `json:"name"`
	Topology  topology.Spec `json:"topology"`  // as in the machine file, or as given
	Terminals int           `json:"terminals"` // where messages are made and arrive
	Routers   int           `json:"routers"`   // switches, and nodes that pass messages on
	Channels  int           `json:"channels"`  // between routers, each direction for itself
	Routing   string        `json:"routing"`   // the name of the function
	// Clock is that of its cycles: a phit a cycle at the rate of its slowest port, unless `--clock-ghz` sets it; 1
	// where no rate is known.
	Clock    units.Frequency `json:"clock_ghz"`
	Pipeline int             `json:"pipeline_cycles"` // what a phit takes through a switch, without waiting
	// Lengths is whether links take the time of their planned lengths; if not, a cycle each.
	Lengths bool `json:"planned_lengths"`
}

type flowWorkload struct {
	Machine string     `json:"machine"` // its name
	Name    string     `json:"name"`    // that of the workload
	Time    units.Time `json:"time_ns"` // `cycles` by the clock
	// Step is figures of a training job; left out for other workloads.
	Step *goalStep `json:"step,omitempty"`
	// Jobs compares jobs that were played side by side with each alone; left out for one job.
	Jobs *jobsReport `json:"jobs,omitempty"`
	*flow.Result
}

// jobsReport compares jobs that are played side by side with the same jobs alone on their terminals.
type jobsReport struct {
	Cycles float64 `json:"cycles_mean"` // mean of `job_cycles` over the jobs
	// Alone is the cycles of each job on its terminals, without the others.
	Alone []int64 `json:"alone_cycles"`
	// AloneMean is the mean of `alone_cycles` over the jobs.
	AloneMean float64 `json:"alone_cycles_mean"`
	// Slowdown is `job_cycles` divided by `alone_cycles` for each job.
	Slowdown []float64 `json:"slowdown"`
	// SlowdownMean is the mean of `slowdown` over the jobs.
	SlowdownMean float64 `json:"slowdown_mean"`
	// SlowdownMax is that of the job that others delay most.
	SlowdownMax float64 `json:"slowdown_max"`
}

// compareJobs compares the cycles of jobs side by side with those alone. A job without messages has slowdown 1.
func compareJobs(together, alone []int64) *jobsReport {
	r := &jobsReport{Alone: alone}
	jobs := float64(len(alone))
	for i, cycles := range alone {
		slowdown := 1.0
		if cycles > 0 {
			slowdown = float64(together[i]) / float64(cycles)
		}
		r.Slowdown = append(r.Slowdown, slowdown)
		r.SlowdownMax = max(r.SlowdownMax, slowdown)
		r.Cycles += float64(together[i]) / jobs
		r.AloneMean += float64(cycles) / jobs
		r.SlowdownMean += slowdown / jobs
	}
	return r
}

// run plays the workloads on all machines, one after the other, and prints the report.
func (s *flowsCommand) run(cmd *cobra.Command, args []string, wrong []error) error {
	if err := s.check(cmd, args, wrong); err != nil {
		return cli.InputError(err)
	}
	p := meter.New(cmd.ErrOrStderr())
	defer p.Clear()
	machines, err := s.machines(cmd, args, p, &packetReport{})
	if err != nil {
		return err
	}
	r := &flowReport{
		Model: "flow", PacketPhits: s.setup.PacketPhits, PhitBytes: s.setup.PhitBytes, Seed: s.seed,
		Workloads: []flowWorkload{},
	}
	for _, m := range machines {
		if err := s.withoutLoads(m); err != nil {
			return err
		}
		r.Machines = append(r.Machines, flowMachine{
			Name: m.Name, Topology: m.Topology, Terminals: m.Terminals, Routers: m.Routers, Channels: m.Channels,
			Routing: m.machineReport.Routing, Clock: m.Clock, Pipeline: m.machineReport.Pipeline, Lengths: m.Lengths,
		})
		if note := flow.Note(m.Network.Graph); note != "" {
			r.Notes = append(r.Notes, m.Name+": "+note)
		}
	}
	if isJob(s.workload) {
		if err := s.playJob(cmd, machines, p, r); err != nil {
			return err
		}
	}
	for i, m := range machines {
		for j, name := range s.suite.Workloads {
			p.Stage("playing workloads", i*len(s.suite.Workloads)+j, len(machines)*len(s.suite.Workloads))
			x, err := s.playWorkload(cmd.Context(), m, name)
			if err != nil {
				return err
			}
			r.Workloads = append(r.Workloads, x)
		}
	}
	p.Clear()
	if s.asJSON {
		return render.Document(cmd.Context(), cmd.OutOrStdout(), r)
	}
	return r.print(cmd.OutOrStdout())
}

// playWorkload plays a workload on a machine; several jobs side by side and then each alone.
func (s *flowsCommand) playWorkload(ctx context.Context, m *simMachine, name string) (flowWorkload, error) {
	job, place, err := s.suite.Job(m.Subject, name)
	if err != nil {
		return flowWorkload{}, cli.Spelled(err, cli.PacketFlags)
	}
	played, err := flow.RunJob(ctx, m.Config, job.New(), place)
	if err != nil {
		return flowWorkload{}, fmt.Errorf("%s on %s: %w", name, m.Name, err)
	}
	x := s.report(m, name, played)
	if jobs, ok := job.New().(*traffic.SideBySide); ok {
		n := m.Network
		need := budget.Need{Seconds: aloneSeconds * float64(jobs.Jobs()) * float64(n.Terminals()+n.Channels())}
		if err := cli.Afford(ctx, need, "playing %d jobs alone", jobs.Jobs()); err != nil {
			return flowWorkload{}, err
		}
		alone, err := flow.RunAlone(ctx, m.Config, jobs, place)
		if err != nil {
			return flowWorkload{}, fmt.Errorf("%s on %s: %w", name, m.Name, err)
		}
		x.Jobs = compareJobs(played.JobCycles, alone)
	}
	return x, nil
}

// report returns the report of a run of a workload on a machine.
func (s *flowsCommand) report(m *simMachine, name string, played *flow.Result) flowWorkload {
	if !s.timing {
		played.Wall = 0
	}
	return flowWorkload{
		Machine: m.Name, Name: name, Time: units.Time(float64(played.Cycles) / float64(m.Clock)), Result: played,
	}
}

// isJob reports whether a workload is a training job or traces, which are played as schedules.
func isJob(text string) bool {
	ext := filepath.Ext(text)
	return !strings.HasPrefix(text, "trace:") &&
		(ext == ".yaml" || ext == ".yml" || workload.IsTrace(text) || slices.Contains(workload.Presets(), text))
}

// playJob plays a step of a training job, or traces, on all machines, a rank on each terminal of the placement, and
// adds the results to r.
func (s *flowsCommand) playJob(cmd *cobra.Command, machines []*simMachine, p *meter.Line, r *flowReport) error {
	w, err := workload.Read(s.workload, s.groups)
	if err != nil {
		return cli.InputError(err)
	}
	if err := cli.Afford(cmd.Context(), cli.OpNeed.Times(float64(len(w.Schedule.Ops()))), "%s", w.Name); err != nil {
		return err
	}
	for i, m := range machines {
		p.Stage("playing "+w.Name, i, len(machines))
		place, err := traffic.PlaceJobs(s.placement, m.Network.Graph, 1, w.Schedule.Ranks(), s.seed)
		if err != nil {
			return cli.InputUnlessDiagnosed(cli.Spelled(diag.Fieldf("Placement", "%v", err), cli.PacketFlags))
		}
		played, err := flow.RunSchedule(cmd.Context(), m.Config, w.Schedule, place, units.Time(1/float64(m.Clock)))
		if err != nil {
			return fmt.Errorf("%s on %s: %w", w.Name, m.Name, err)
		}
		x := s.report(m, w.Name, played)
		if w.Job != nil {
			x.Step = stepOf(w.Job, x.Time)
		}
		r.Workloads = append(r.Workloads, x)
	}
	return nil
}

// withoutLoads replaces the routing of a machine by minimal routing if it chooses by loads, which flows do not have. If
// --routing names it, it returns an error.
func (s *flowsCommand) withoutLoads(m *simMachine) error {
	if !routing.LoadUseOf(m.Config.Routing).Read {
		return nil
	}
	if s.routing != "" {
		return cli.Spelled(diag.Fieldf("Routing", "%s chooses by queues, which flows do not have; take minimal or "+
			"valiant", s.routing), cli.PacketFlags)
	}
	f, err := routing.New(m.Network, "minimal", routing.Options{})
	if err != nil {
		return cli.Spelled(diag.Fieldf("Routing", "%v", err), cli.PacketFlags)
	}
	m.Config.Routing, m.machineReport.Routing = f, f.Name()
	return nil
}

// check reads the flags and returns wrong with all mistakes that can be found without a network.
func (s *flowsCommand) check(cmd *cobra.Command, args []string, wrong []error) error {
	add := func(err error) {
		if err != nil {
			wrong = append(wrong, cli.Spelled(err, cli.PacketFlags))
		}
	}
	if len(args) == 0 && len(s.topology) == 0 {
		wrong = append(wrong, errNoMachine)
	}
	if s.workload == "" {
		wrong = append(wrong, errors.New("--workload is needed"))
	}
	wrong = append(wrong, needsRoom(cmd, args, "beta-ns-per-m")...)
	add(s.override(cmd).Check())
	if cmd.Flags().Changed("clock-ghz") {
		add(delay.CheckClock(s.clock))
	}
	s.setup.Failures.Vertices, s.setup.Routing, s.suite.Placement = s.failNodes, s.routing, s.placement
	add(s.setup.Check())
	if isJob(s.workload) {
		for _, name := range []string{"tasks", "jobs"} {
			if cmd.Flags().Changed(name) {
				wrong = append(wrong, fmt.Errorf("--%s: a training job says how many ranks it has", name))
			}
		}
		if s.groups != "" && !workload.IsTrace(s.workload) {
			wrong = append(wrong, errors.New("--groups: goes with traces (NAME.0.et, NAME.0.json) only"))
		}
		return errors.Join(wrong...)
	}
	if s.groups != "" {
		wrong = append(wrong, errors.New("--groups: goes with traces (NAME.0.et, NAME.0.json) only"))
	}
	s.suite.Workloads = packet.ParseWorkloads(s.workload)
	add(s.suite.Check())
	return errors.Join(wrong...)
}

func (r *flowReport) print(w io.Writer) error {
	var b strings.Builder
	for _, m := range r.Machines {
		lengths := "links of one cycle"
		if m.Lengths {
			lengths = "planned lengths"
		}
		fmt.Fprintf(&b, "%s: %s terminals, %s routers, %s channels, %s; routing %s, flows\n", m.Name,
			english.Grouped(int64(m.Terminals)), english.Grouped(int64(m.Routers)), english.Grouped(int64(m.Channels)),
			lengths, m.Routing)
	}
	b.WriteString("\n")
	table := [][]string{{"machine", "workload", "cycles", "ns", "messages", "busiest channel"}}
	timed := slices.ContainsFunc(r.Workloads, func(x flowWorkload) bool { return x.Wall != 0 })
	several := slices.ContainsFunc(r.Workloads, func(x flowWorkload) bool { return x.Jobs != nil })
	if several {
		table[0] = append(table[0], "cycles of a job", "alone", "slowdown", "greatest")
	}
	if timed {
		table[0] = append(table[0], "seconds")
	}
	for _, x := range r.Workloads {
		row := []string{
			x.Machine, x.Name, english.Grouped(x.Cycles), fmt.Sprintf("%.0f", float64(x.Time)),
			english.Grouped(x.Messages), fmt.Sprintf("%.3f", x.BusiestUse),
		}
		if j := x.Jobs; j != nil {
			row = append(row, english.Grouped(int64(math.Round(j.Cycles))),
				english.Grouped(int64(math.Round(j.AloneMean))), fmt.Sprintf("%.2f", j.SlowdownMean),
				fmt.Sprintf("%.2f", j.SlowdownMax))
		}
		if timed {
			row = append(row, fmt.Sprintf("%.3f", float64(x.Wall)))
		}
		table = append(table, row)
	}
	cli.WriteTable(&b, table)
	source := ""
	for _, x := range r.Workloads {
		if q := x.Step; q != nil {
			fmt.Fprintf(&b, "\n%s: a step of %.4g s, %.4g s if messages took no time; %s tokens a second\n", x.Machine,
				float64(x.Time)/1e9, q.Calculating, english.Grouped(int64(q.TokensPerSecond+0.5)))
			source = q.Source
		}
	}
	if source != "" {
		fmt.Fprintf(&b, "compute times: %s\n", source)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "\nnote: %s\n", n)
	}
	return cli.Print(w, b.String())
}
