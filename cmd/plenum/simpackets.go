package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/meter"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/subject"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/render/chart"
	"github.com/plenum-planner/plenum/sim/packet"
	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// run simulates packets.
func (s *packetsCommand) run(cmd *cobra.Command, args []string, wrong []error) error {
	if err := s.check(cmd, args, wrong); err != nil {
		return cli.InputError(err)
	}
	o := &s.setup.Options
	report := &packetReport{
		Model: "packet", PacketPhits: o.PacketPhits, PhitBytes: o.PhitBytes, Switching: string(o.Switching),
		Shared: o.SharedBuffers, Arbiter: string(o.Arbiter), Select: string(o.Select),
		Seed: s.seed, Seeds: s.suite.Seeds,
	}
	progress := meter.New(cmd.ErrOrStderr())
	defer progress.Clear()
	machines, err := s.machines(cmd, args, progress, report)
	if err != nil {
		return err
	}
	for _, m := range machines {
		report.Machines = append(report.Machines, m.machineReport)
	}
	if err := report.unequal(machines); err != nil {
		return cli.Spelled(err, cli.PacketFlags)
	}
	if s.onePacket {
		err = s.onePackets(cmd, machines, report, progress)
	} else if s.workload != "" {
		err = s.workloads(cmd, machines, report, progress)
	} else {
		err = s.openLoops(cmd, machines, report, progress)
	}
	if err != nil {
		return err
	}
	progress.Clear()
	if !s.timing {
		report.untimed()
	}
	for _, w := range report.Warnings {
		fmt.Fprintln(cmd.ErrOrStderr(), "plenum:", w)
	}
	if s.out != "" {
		if err := s.writeCharts(cmd.Context(), report); err != nil {
			return err
		}
	}
	if s.asJSON {
		return render.Document(cmd.Context(), cmd.OutOrStdout(), report)
	}
	return printPackets(cmd.OutOrStdout(), report)
}

// simMachine is a machine to simulate.
type simMachine struct {
	machineReport
	*packet.Subject
	planned *subject.Planned // nil without a room
	delay   *delay.Result    // that of the plan; nil without one
}

// contestants returns machines as the library takes them.
func contestants(machines []*simMachine) []packet.Contestant {
	out := make([]packet.Contestant, len(machines))
	for i, m := range machines {
		out[i] = packet.Contestant{Name: m.Name, Subject: m.Subject}
	}
	return out
}

// machines prepares the machines of args, then those of --topology. Equal names get numbers. Warnings and failures go
// into the report.
func (s *packetsCommand) machines(cmd *cobra.Command, args []string, p *meter.Line, report *packetReport) (
	[]*simMachine, error,
) {
	var out []*simMachine
	for _, file := range args {
		planned, err := s.plannedMachines(cmd, file, p, report)
		if err != nil {
			return nil, err
		}
		out = append(out, planned...)
	}
	for _, text := range s.topology {
		m, err := s.bareMachine(cmd.Context(), text, report)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	if err := s.affordJobs(cmd.Context(), out); err != nil {
		return nil, err
	}
	names := map[string]int{}
	for _, m := range out {
		if names[m.Name]++; names[m.Name] > 1 {
			m.Name = fmt.Sprintf("%s (%d)", m.Name, names[m.Name])
		}
	}
	return out, nil
}

// plannedMachines plans a file, whose links then have lengths. A machine with several fabrics of which none is named is
// as many machines, each with the network of one fabric; a fabric whose nodes are not joined, as those of access
// switches with uplinks into another one, is left out with a warning.
func (s *packetsCommand) plannedMachines(cmd *cobra.Command, file string, p *meter.Line, report *packetReport,
) ([]*simMachine, error) {
	spec, err := cli.LoadSpec([]string{file})
	if err != nil {
		return nil, err
	}
	fabrics := []string{s.fabric}
	if s.fabric == "" && len(spec.Fabrics) > 0 {
		fabrics = spec.FabricNames()
	}
	plan, _, err := planFabric(cmd, spec, fabrics[0], machine.Options{Progress: p.Stage})
	if err != nil {
		return nil, err
	}
	var out []*simMachine
	for _, fabric := range fabrics {
		if len(fabrics) > 1 {
			n, err := plan.Fabric(fabric)
			if err != nil {
				return nil, err
			}
			if !isConnected(n.Graph) {
				fmt.Fprintf(cmd.ErrOrStderr(), "plenum: %s of %s is left out: it has no path between some nodes; "+
					"--fabric %s simulates it\n", fabric, file, fabric)
				continue
			}
		}
		m, err := s.fabricMachine(cmd, file, plan, fabric, report)
		if err != nil && len(fabrics) > 1 {
			err = fmt.Errorf("%w\nfabric %s cannot be simulated so; --fabric takes one of %s", err, fabric,
				strings.Join(fabrics, ", "))
		}
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	if len(out) == 0 {
		return nil, cli.Inputf("%s: none of its fabrics has paths between all nodes", file)
	}
	return out, nil
}

// isConnected reports whether links join all vertices of a network.
func isConnected(g topology.Graph) bool {
	of := make([]int32, topology.Vertices(g)) // a vertex of the same part, itself for one of them
	for v := range of {
		of[v] = int32(v)
	}
	find := func(v int32) int32 {
		for of[v] != v {
			of[v] = of[of[v]]
			v = of[v]
		}
		return v
	}
	parts := len(of)
	for l := range g.Links() {
		if a, b := find(l.A), find(l.B); a != b {
			of[a] = b
			parts--
		}
	}
	return parts <= 1
}

// fabricMachine prepares the network of a plan, or of one of its fabrics, for simulation; file is for messages.
func (s *packetsCommand) fabricMachine(cmd *cobra.Command, file string, plan *machine.Result, fabric string,
	report *packetReport,
) (*simMachine, error) {
	network, err := plan.Fabric(fabric)
	if err != nil {
		return nil, err
	}
	if err := s.affordPackets(cmd.Context(), network.Graph); err != nil {
		return nil, err
	}
	planned, err := subject.Of(plan, network, s.setup, s.seed, subject.Options{
		Clock: s.clock, Delay: s.override(cmd), Pipeline: cmd.Flags().Changed("pipeline"),
	})
	switch {
	case errors.Is(err, subject.ErrSummary):
		return nil, noLengths(file, plan)
	case errors.Is(err, subject.ErrClock):
		return nil, cli.Inputf("%s: %w; set --clock-ghz or --phit-bytes", file, err)
	case err != nil:
		return nil, cli.Spelled(err, cli.PacketFlags)
	}
	name := plan.Spec.Name
	if name == "" {
		name = filepath.Base(file)
	}
	if network.Name != "" {
		name += ", " + network.Name
	}
	m := &simMachine{machineReport{
		Name: name, Topology: network.Topology, Lengths: true, Clock: planned.Clock,
	}, planned.Subject, planned, network.Delay}
	return m, s.complete(m, report)
}

// bareMachine prepares a topology without a room: all links take one cycle.
func (s *packetsCommand) bareMachine(ctx context.Context, text string, report *packetReport) (*simMachine, error) {
	spec, err := cli.TopologySpec(text)
	if err != nil {
		return nil, err
	}
	g, called, err := cli.TopologyOf(text, "")
	if err != nil {
		return nil, err
	}
	if o, ok := g.(topology.Optical); ok {
		g = o.Logical()
		called = called.In(g, func(v int) int { return v }) // its vertices are the first
	}
	if err := s.affordPackets(ctx, g); err != nil {
		return nil, err
	}
	m := &simMachine{machineReport: machineReport{
		Name: topologyName(g, spec), Topology: spec, Clock: cmp.Or(s.clock, 1),
	}}
	setup := s.setup
	if called.Any() {
		setup.Names = called
	}
	if m.Subject, err = packet.NewSubject(g, setup, s.seed); err != nil {
		return nil, cli.Spelled(err, cli.PacketFlags)
	}
	return m, s.complete(m, report)
}

// topologyName returns a short name: that by which the family calls the network, or the family and the number of nodes.
func topologyName(g topology.Graph, spec topology.Spec) string {
	if p, ok := spec.Params.(topology.Named); ok {
		return p.ShortName()
	}
	return fmt.Sprintf("%s of %d", spec.Family(), topology.Count(g).Nodes)
}

// complete checks the configuration of a machine, sets the figures of its report, and adds warnings and failures to the
// report of the run.
func (s *packetsCommand) complete(m *simMachine, report *packetReport) error {
	report.FailedLinks, report.FailedBoxes = m.FailedLinks, m.FailedVertices
	buffer, warnings, err := packet.Check(m.Config)
	if err != nil {
		return cli.Spelled(err, cli.PacketFlags)
	}
	for _, w := range warnings {
		report.Warnings = append(report.Warnings, m.Name+": "+w)
	}
	n, fn := m.Network, m.Config.Routing
	m.Terminals = n.Terminals()
	m.Routers, m.Channels = n.CountForwarding()
	m.machineReport.Routing, m.Buffer, m.machineReport.Pipeline = fn.Name(), buffer, m.Config.Pipeline
	m.machineReport.VCs = m.Config.Channels()
	return nil
}

// openLoops simulates all loads on all machines, several at a time, or searches their saturation with --saturation, and
// adds the results to the report.
func (s *packetsCommand) openLoops(cmd *cobra.Command, machines []*simMachine, report *packetReport, p *meter.Line,
) error {
	report.Traffic = s.traffic
	on := contestants(machines)
	open := make([]packet.OpenLoop, len(on))
	for i, c := range on {
		open[i] = s.open
		var err error
		if open[i].Pattern, err = traffic.ParsePattern(s.traffic, c.Network.Graph, s.seed); err != nil {
			return cli.Spelled(diag.Fieldf("Pattern", "%v", err), cli.PacketFlags)
		}
	}
	ran := func(cycles, of int64) { p.Stage("simulating, cycle", int(cycles), int(of)) }
	if s.saturation {
		found, err := packet.Saturations(cmd.Context(), on, open, ran)
		if err != nil {
			return cli.Spelled(err, cli.PacketFlags)
		}
		for i := range found {
			report.Saturations = append(report.Saturations, saturationReport{on[i].Name, found[i]})
		}
		return nil
	}
	runs, err := packet.SweepAll(cmd.Context(), on, open, s.loads, ran)
	if err != nil {
		return cli.Spelled(err, cli.PacketFlags)
	}
	for _, run := range runs {
		run.Run.Warnings = nil // once for the machine
		times := packet.Times(run.Run.Latency, machines[run.On].Clock)
		report.Runs = append(report.Runs, runReport{on[run.On].Name, run.Run, times})
	}
	return nil
}

// onePackets sends one packet at a time on every machine, and adds the results to the report.
func (s *packetsCommand) onePackets(cmd *cobra.Command, machines []*simMachine, report *packetReport, p *meter.Line,
) error {
	for _, m := range machines {
		opt := s.single
		opt.Progress = func(done, total int) { p.Stage("sending one packet at a time", done, total) }
		if m.planned != nil {
			var err error
			if opt.Planned, err = m.planned.Planned(); err != nil {
				return err
			}
		}
		found, err := packet.SendOnePacket(cmd.Context(), m.Config, opt)
		if err != nil {
			return cli.Spelled(err, cli.PacketFlags)
		}
		r := onePacketReport{Machine: m.Name, OnePacket: found, Latency: packet.Times(found.Latency, m.Clock)}
		if q := found.Planned; q != nil {
			cycle := 1 / float64(m.Clock)
			r.Planned = &plannedReport{
				Mean: units.Time(q.Mean * cycle), Max: units.Time(q.Max * cycle),
				Slower: units.Time(q.Slower * cycle), Faster: units.Time(q.Faster * cycle),
			}
			changed := cmd.Flags().Changed
			if d := m.delay; d != nil && d.Pairs > 0 && !changed("beta-ns-per-m") && !changed("pipeline") &&
				m.FailedLinks+m.FailedVertices == 0 {
				r.Planned.Fastest = &d.LeastMean
			}
		}
		report.OnePackets = append(report.OnePackets, r)
	}
	return nil
}

// writeCharts draws latency and throughput over the load, a curve for each machine.
func (s *packetsCommand) writeCharts(ctx context.Context, r *packetReport) error {
	if len(r.Runs) == 0 {
		return cli.InputError(errors.New("--output: charts are of runs over loads, not of --saturation"))
	}
	sweeps := make([]chart.Sweep, len(r.Machines))
	for i, m := range r.Machines {
		sweeps[i].Name = fmt.Sprintf("%s, %s, %s", m.Name, m.Routing, m.channels())
		for _, run := range r.Runs {
			if run.Machine == m.Name {
				sweeps[i].Runs = append(sweeps[i].Runs, run.Result)
			}
		}
	}
	latency, throughput := chart.LoadCharts(r.Traffic, r.PacketPhits, sweeps)
	var files []outfile.File
	for _, c := range []struct {
		name  string
		chart *chart.CurveChart
	}{{"load-latency", &latency}, {"load-throughput", &throughput}} {
		d, err := c.chart.Draw(s.drawn.Style)
		if err != nil {
			return err
		}
		for _, f := range s.drawn.Files(c.name, d) {
			files = append(files, outfile.File{Name: f.Name, Write: f.Write})
		}
	}
	_, err := outfile.Set(ctx, s.out, files, nil, nil)
	return err
}

// workloads plays the closed loops on all machines and on the reference.
func (s *packetsCommand) workloads(cmd *cobra.Command, machines []*simMachine, report *packetReport, p *meter.Line,
) error {
	report.workloadsRun = true
	on := contestants(machines)
	if s.reference != "" {
		m, err := s.referenceMachine(cmd, p, report)
		if err != nil {
			return err
		}
		report.Reference = &m.machineReport
		if err := report.unequal([]*simMachine{machines[0], m}); err != nil {
			return cli.Spelled(err, cli.PacketFlags)
		}
		on = append(on, packet.Contestant{Name: m.Name, Subject: m.Subject})
	}
	results, err := s.suite.Play(cmd.Context(), on,
		func(done, total int) { p.Stage("playing workloads", done, total) })
	if err != nil {
		return cli.Spelled(err, cli.PacketFlags)
	}
	for i, m := range machines {
		own := results[i]
		for j, name := range s.suite.Workloads {
			w := played(own[j], m.Clock)
			w.Machine, w.Name = m.Name, name
			if report.Reference != nil {
				w.Reference, _ = packet.MeanCycles(results[len(machines)][j])
				w.Relative = w.Cycles / w.Reference
			}
			report.Workloads = append(report.Workloads, w)
		}
		if report.Reference != nil {
			r := &report.Machines[i]
			phi, std := packet.PhiOver(own, results[len(machines)], s.suite.Weights)
			cost := packet.PhiPerCost(phi, m.Network.Graph, on[len(machines)].Network.Graph)
			if r.Phi, r.PhiPerCost = &phi, &cost; s.suite.Seeds > 1 {
				r.PhiStd = &std
			}
		}
	}
	first := &report.Machines[0]
	report.Phi, report.PhiStd, report.PhiPerCost = first.Phi, first.PhiStd, first.PhiPerCost
	return nil
}

// played returns the means of the runs of a workload on a machine, one for each seed; a single run as a whole.
func played(runs []*packet.JobResult, clock units.Frequency) workloadReport {
	mean, std := packet.MeanCycles(runs)
	w := workloadReport{Cycles: mean, JobCycles: packet.MeanJobCycles(runs), Time: units.Time(mean / float64(clock))}
	if len(runs) == 1 {
		w.Run = runs[0]
		return w
	}
	w.CyclesStd = &std
	for _, r := range runs {
		w.CyclesBySeed = append(w.CyclesBySeed, r.Cycles)
	}
	return w
}

// referenceMachine prepares the machine of --reference: a topology if the text has {, : or [, else a machine file. A
// file with several fabrics, none of which is chosen, is an error.
func (s *packetsCommand) referenceMachine(cmd *cobra.Command, p *meter.Line, report *packetReport) (
	*simMachine, error,
) {
	if strings.ContainsAny(s.reference, "{:[") {
		return s.bareMachine(cmd.Context(), s.reference, report)
	}
	m, err := s.plannedMachines(cmd, s.reference, p, report)
	if err != nil {
		return nil, err
	}
	if len(m) > 1 {
		return nil, cli.Inputf("--reference: %s has several fabrics; name one with --fabric", s.reference)
	}
	return m[0], nil
}

// check reads the flags and returns wrong with all mistakes that can be found without a network.
func (s *packetsCommand) check(cmd *cobra.Command, args []string, wrong []error) error {
	add := func(err error) {
		if err != nil {
			wrong = append(wrong, cli.Spelled(err, cli.PacketFlags))
		}
	}
	if len(args) == 0 && len(s.topology) == 0 {
		wrong = append(wrong, errNoMachine)
	}
	wrong = append(wrong, needsRoom(cmd, args, "beta-ns-per-m")...)
	add(delay.Override{Propagation: &s.propagation}.Check())
	if cmd.Flags().Changed("clock-ghz") {
		add(delay.CheckClock(s.clock))
	}
	s.setup.Failures.Vertices, s.setup.Routing, s.suite.Placement = s.failNodes, s.routing, s.placement
	add(s.readLike(cmd))
	add(s.setup.Check())
	add(s.open.Validate())
	add(s.suite.Check())
	goes := func(why string, flags ...string) {
		for _, name := range flags {
			if cmd.Flags().Changed(name) {
				wrong = append(wrong, fmt.Errorf("--%s: %s", name, why))
			}
		}
	}
	add(s.single.Check())
	if s.onePacket {
		goes("does not go with --one-packet, which sends one packet at a time", "load", "traffic", "injection", "sizes",
			"saturation", "tolerance", "warmup", "batches", "batch", "output", "chart-formats", "workload", "reference",
			"weights", "tasks", "jobs", "placement", "seeds")
		return errors.Join(wrong...)
	}
	goes("goes with --one-packet only", "pairs")
	if s.workload != "" {
		goes("is of an open loop and does not go with --workload", "load", "traffic", "injection", "sizes",
			"saturation", "warmup", "batches", "batch", "output")
		goes("is of an open loop and does not go with --workload", s.charts.Names()...)
		s.suite.Workloads = packet.ParseWorkloads(s.workload)
		var err error
		s.suite.Weights, err = packet.ParseWeights(s.weights, s.suite.Workloads)
		add(err)
		return errors.Join(wrong...)
	}
	if s.out == "" {
		goes("goes with --output only, which has charts written", s.charts.Names()...)
	}
	var err error
	s.drawn, err = s.charts.Options(cmd.ErrOrStderr())
	add(err)
	goes("goes with --workload only", "reference", "weights", "tasks", "jobs", "placement")
	goes("goes with --workload only; an open loop has confidence intervals over its batches", "seeds")
	add(s.readOpenLoop())
	return errors.Join(wrong...)
}

// readOpenLoop reads what is sent in an open loop, but for the pattern, which depends
// on the network.
func (s *packetsCommand) readOpenLoop() error {
	var wrong []error
	if s.loads = []float64{0.5}; s.load != "" {
		var err error
		s.loads, err = packet.ParseLoads(s.load)
		wrong = append(wrong, err)
	}
	if s.sizes != "" {
		sizes, err := traffic.ParseSizes(s.sizes)
		if err != nil {
			wrong = append(wrong, diag.Fieldf("Sizes", "%v", err))
		}
		s.open.Sizes = &sizes
	}
	if phits := s.setup.PacketPhits; phits > 0 {
		process, err := traffic.ParseInjection(s.injection, 1/float64(phits), int64(phits))
		if err != nil {
			wrong = append(wrong, diag.Fieldf("Injection", "%v", err))
		}
		s.open.Burst = process.Burst
	}
	return errors.Join(wrong...)
}
