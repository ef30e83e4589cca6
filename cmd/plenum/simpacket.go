package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/stat"

	"plenum/machine"
	"plenum/render"
	"plenum/routing"
	"plenum/sim/packet"
	"plenum/sim/traffic"
	"plenum/topology"
	"plenum/units"
)

// packetFlags are the flags of the model of packets.
type packetFlags struct {
	opt                          packet.Options
	switching, arbiter, selects  string
	routing                      string
	threshold                    int
	traffic, injection, sizes    string
	workload, reference, weights string
	placement                    string
	tasks, seeds                 int
	faults                       string
	clock                        float64
	saturation                   bool
	tolerance                    float64
	measure                      packet.Measurement
	out                          string
}

// packetOnly and roundsOnly name the flags that the other model does not take.
var (
	packetOnly = []string{
		"traffic", "injection", "sizes", "workload", "reference", "weights", "tasks", "seeds", "placement", "routing", "threshold", "vcs",
		"packet-phits", "phit-bytes", "buffer-packets", "buffer-phits", "shared-buffers", "injection-packets", "switching", "arbiter", "select", "pipeline", "inject",
		"eject", "free-inputs", "faults", "clock-ghz", "saturation", "tolerance", "warmup", "batches", "batch", "output",
	}
	roundsOnly = []string{"mode", "valiant", "destinations", "loss", "retries", "fail-links", "detours", "copies", "copy-growth", "handshake", "alpha-ns", "against", "chart"}
)

func (f *packetFlags) add(cmd *cobra.Command) {
	s := cmd.Flags()
	s.StringVar(&f.traffic, "traffic", "uniform", "open-loop traffic: "+strings.Join(patternNames(), ", "))
	s.StringVar(&f.injection, "injection", "bernoulli", "when messages are made: bernoulli, or burst:N")
	s.StringVar(&f.sizes, "sizes", "", "sizes of open-loop messages in phits, like 16, 8-64 or 8*0.9,64*0.1; one packet when left out")
	s.StringVar(&f.workload, "workload", "", "closed loop instead: "+strings.Join(jobNames(), ", ")+", trace:FILE, a list of these, or all for the seven of the thin-tree paper")
	s.StringVar(&f.reference, "reference", "", "topology or machine file that workload times are relative to")
	s.StringVar(&f.weights, "weights", "", "weights of the workloads in phi, like W2=2,BU=0.5; 1 for those left out")
	s.IntVar(&f.tasks, "tasks", 0, "tasks of each workload; one for each terminal when 0")
	s.IntVar(&f.seeds, "seeds", 1, "play workloads with this many seeds from --seed on, and give means and standard deviations")
	s.StringVar(&f.placement, "placement", "consecutive", "terminals of the tasks: consecutive, random or file:NAME")
	s.StringVar(&f.routing, "routing", "", "routing function; the usual one of the family when left out: "+strings.Join(routingNames(), ", "))
	s.IntVar(&f.threshold, "threshold", 0, "packets times hops by which UGAL, PAR and Clos-AD prefer the minimal path")
	s.IntVar(&f.opt.VCs, "vcs", 0, "virtual channels; as many as the routing needs when 0")
	s.IntVar(&f.opt.PacketPhits, "packet-phits", 16, "phits of a packet")
	s.IntVar(&f.opt.PhitBytes, "phit-bytes", 16, "bytes of a phit")
	s.IntVar(&f.opt.BufferPackets, "buffer-packets", 0, "packets that the buffer of a virtual channel holds; 4, or more where a link's round trip needs them, when 0")
	s.IntVar(&f.opt.BufferPhits, "buffer-phits", 0, "the same in phits, with --switching wormhole; may be less than a packet")
	s.BoolVar(&f.opt.SharedBuffers, "shared-buffers", false, "with --switching wormhole, let a buffer hold phits of several packets; otherwise it takes the next packet when it is empty")
	s.IntVar(&f.opt.InjectionPackets, "injection-packets", 8, "the same for the injection queue of a node that is its own switch")
	s.StringVar(&f.switching, "switching", string(packet.CutThrough), "virtual-cut-through, store-and-forward or wormhole (refused for routings that may then deadlock: bubble, dal, min-ad)")
	s.StringVar(&f.arbiter, "arbiter", string(packet.Random), "of output ports: random, round-robin or age")
	s.StringVar(&f.selects, "select", string(packet.Idle), "output that a packet asks for where the routing allows several: idle (a free one with most room) or room (most room, free or not)")
	s.IntVar(&f.opt.Pipeline, "pipeline", 0, "cycles of a switch besides the link's; those of the machine file's hop delay when left out")
	s.IntVar(&f.opt.Inject, "inject", 0, "cycles of a sending terminal besides its link's")
	s.IntVar(&f.opt.Eject, "eject", 0, "cycles of a receiving terminal besides its link's")
	s.BoolVar(&f.opt.FreeInputs, "free-inputs", false, "let the virtual channels of an input port send at the same time")
	s.StringVar(&f.faults, "faults", "0", "failed links between switches: a share like 5%, drawn by the seed, or links like A--B;C--D by their labels")
	s.Float64Var(&f.clock, "clock-ghz", 1, "cycles per nanosecond: a cycle is the time of a phit on a link")
	s.BoolVar(&f.saturation, "saturation", false, "find the load at which the network saturates, by halving intervals")
	s.Float64Var(&f.tolerance, "tolerance", 0.01, "width of the last interval of --saturation")
	s.IntVar(&f.measure.Warmup, "warmup", 30000, "cycles before the batches that decide whether the network is stationary")
	s.IntVar(&f.measure.Batches, "batches", 10, "batches that are measured")
	s.IntVar(&f.measure.Batch, "batch", 5000, "cycles of a batch")
	s.StringVarP(&f.out, "output", "o", "", "directory for the charts load-latency.png and load-throughput.png")
}

func patternNames() []string {
	var out []string
	for _, p := range traffic.Patterns() {
		out = append(out, p.Syntax)
	}
	return out
}

func jobNames() []string {
	var out []string
	for _, j := range traffic.Jobs() {
		out = append(out, j.Name)
	}
	return out
}

func routingNames() []string {
	var out []string
	for _, f := range routing.Functions() {
		out = append(out, f.Name)
	}
	return out
}

// packetReport is the document of the model of packets.
type packetReport struct {
	Model     string          `json:"model"`
	Machines  []machineReport `json:"machines"`
	Reference *machineReport  `json:"reference,omitempty"`

	Traffic      string  `json:"traffic,omitempty"`
	PacketPhits  int     `json:"packet_phits"`
	PhitBytes    int     `json:"phit_bytes"`
	Switching    string  `json:"switching"`
	Shared       bool    `json:"shared_buffers,omitempty"`
	Arbiter      string  `json:"arbiter"`
	Select       string  `json:"select"`
	Clock        float64 `json:"clock_ghz"`
	Seed         uint64  `json:"seed"`
	Seeds        int     `json:"seeds"`
	FailedLinks  int     `json:"failed_links"`
	FailedBoxes  int     `json:"failed_nodes"`
	workloadsRun bool

	Runs        []runReport        `json:"runs,omitempty"`
	Saturations []saturationReport `json:"saturation,omitempty"`
	Workloads   []workloadReport   `json:"workloads,omitempty"`
	// Phi and PhiPerCost are those of the first machine; Machines has all.
	Phi        *float64        `json:"phi,omitempty"`
	PhiStd     *float64        `json:"phi_std,omitempty"`
	PhiPerCost *packet.PerCost `json:"phi_per_cost,omitempty"`
	Warnings   []string        `json:"warnings,omitempty"`
}

type machineReport struct {
	Name      string        `json:"name"`
	Topology  topology.Spec `json:"topology"`
	Terminals int           `json:"terminals"`
	Routers   int           `json:"routers"`
	Channels  int           `json:"channels"`
	Routing   string        `json:"routing"`
	VCs       int           `json:"vcs"`
	packet.Buffer
	Pipeline   int             `json:"pipeline_cycles"`
	Lengths    bool            `json:"planned_lengths"`
	Phi        *float64        `json:"phi,omitempty"`     // of the mean times over the seeds
	PhiStd     *float64        `json:"phi_std,omitempty"` // of the phi of every seed
	PhiPerCost *packet.PerCost `json:"phi_per_cost,omitempty"`
}

type runReport struct {
	Machine string `json:"machine"`
	*packet.Result
	LatencyNS packet.Latency `json:"latency_ns"`
}

type saturationReport struct {
	Machine string `json:"machine"`
	*packet.Saturation
}

// workloadReport has means over the seeds. Run is that of a single seed.
type workloadReport struct {
	Machine      string            `json:"machine"`
	Name         string            `json:"name"`
	Cycles       float64           `json:"cycles"`
	CyclesStd    *float64          `json:"cycles_std,omitempty"`
	CyclesBySeed []int64           `json:"cycles_by_seed,omitempty"`
	TimeNS       float64           `json:"time_ns"`
	Reference    float64           `json:"reference_cycles,omitempty"`
	Relative     float64           `json:"relative,omitempty"`
	Run          *packet.JobResult `json:"run,omitempty"`
}

// simMachine is a machine to simulate.
type simMachine struct {
	machineReport
	cfg   packet.Config
	whole *routing.Network // without failures
}

// packets runs the model of packets.
func (s *simCommand) packets(cmd *cobra.Command, args []string) error {
	f := &s.packet
	if err := s.checkPacket(cmd, args); err != nil {
		return inputError(err)
	}
	report := &packetReport{
		Model: "packet", PacketPhits: f.opt.PacketPhits, PhitBytes: f.opt.PhitBytes, Switching: f.switching, Shared: f.opt.SharedBuffers, Arbiter: f.arbiter, Select: f.selects,
		Clock: f.clock, Seed: s.seed, Seeds: f.seeds,
	}
	progress := newProgress(cmd.ErrOrStderr())
	defer progress.clear()
	machines, err := s.simMachines(cmd, args, progress, report)
	if err != nil {
		return err
	}
	for _, m := range machines {
		report.Machines = append(report.Machines, m.machineReport)
	}
	if f.workload != "" {
		err = s.workloads(cmd, machines, report, progress)
	} else {
		err = s.openLoops(cmd, machines, report, progress)
	}
	if err != nil {
		return err
	}
	progress.clear()
	for _, w := range report.Warnings {
		fmt.Fprintln(cmd.ErrOrStderr(), "plenum:", w)
	}
	if f.out != "" {
		if err := s.charts(cmd.Context(), report); err != nil {
			return err
		}
	}
	if s.asJSON {
		return writeJSON(cmd.OutOrStdout(), report)
	}
	return printPackets(cmd.OutOrStdout(), report)
}

// checkPacket checks the flags as far as they go without a network.
func (s *simCommand) checkPacket(cmd *cobra.Command, args []string) error {
	f := &s.packet
	var wrong []error
	refuse := func(format string, a ...any) { wrong = append(wrong, fmt.Errorf(format, a...)) }
	for _, name := range roundsOnly {
		if cmd.Flags().Changed(name) {
			refuse("--%s: is of the model of rounds", name)
		}
	}
	if len(args) == 0 && len(s.topology) == 0 {
		refuse("a machine file or --topology is needed")
	}
	if len(args) == 0 && cmd.Flags().Changed("beta-ns-per-m") {
		refuse("--beta-ns-per-m: a topology has no lengths; give a machine file")
	}
	if !(s.beta >= 0) || s.beta > 1e9 {
		refuse("--beta-ns-per-m: must be from 0 to 1e9, not %g", s.beta)
	}
	for _, name := range []string{"packet-phits", "phit-bytes", "injection-packets", "batches", "batch"} {
		if v, err := cmd.Flags().GetInt(name); err == nil && v < 1 {
			refuse("--%s: must be at least 1, not %d", name, v)
		}
	}
	for _, name := range []string{"vcs", "buffer-packets", "buffer-phits", "pipeline", "inject", "eject", "warmup", "tasks", "threshold"} {
		if v, err := cmd.Flags().GetInt(name); err == nil && v < 0 {
			refuse("--%s: must not be negative", name)
		}
	}
	if f.seeds < 1 || f.seeds > 1000 {
		refuse("--seeds: must be from 1 to 1000, not %d", f.seeds)
	}
	if f.measure.Warmup == 0 {
		f.measure.Warmup = -1
	}
	if !(f.clock > 0) || f.clock > 1000 {
		refuse("--clock-ghz: must be above 0 and at most 1000, not %g", f.clock)
	}
	if !(f.tolerance > 0 && f.tolerance < 1) {
		refuse("--tolerance: must be above 0 and below 1, not %g", f.tolerance)
	}
	f.opt.Switching, f.opt.Arbiter, f.opt.Select = packet.Switching(f.switching), packet.Arbiter(f.arbiter), packet.Selection(f.selects)
	if err := f.opt.Check(); err != nil {
		wrong = append(wrong, err)
	}
	if f.workload != "" {
		for _, name := range []string{"load", "traffic", "injection", "sizes", "saturation", "warmup", "batches", "batch", "output"} {
			if cmd.Flags().Changed(name) {
				refuse("--%s: is of an open loop and does not go with --workload", name)
			}
		}
	} else {
		for _, name := range []string{"reference", "weights", "tasks", "placement"} {
			if cmd.Flags().Changed(name) {
				refuse("--%s: goes with --workload only", name)
			}
		}
		if cmd.Flags().Changed("seeds") {
			refuse("--seeds: goes with --workload only; an open loop has confidence intervals over its batches")
		}
		if _, err := s.loads(); err != nil {
			wrong = append(wrong, err)
		}
	}
	return errors.Join(wrong...)
}

// loads reads --load: a number, a list, or from:to:step.
func (s *simCommand) loads() ([]float64, error) {
	if s.load == "" {
		return []float64{0.5}, nil
	}
	var out []float64
	for item := range strings.SplitSeq(s.load, ",") {
		part := strings.Split(item, ":")
		var v [3]float64
		for i, text := range part {
			x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			if err != nil || i > 2 || !(x > 0 && x <= 1) {
				return nil, fmt.Errorf("--load: %q is not a load above 0 and at most 1 phit per cycle, nor a range like 0.1:1.0:0.1", item)
			}
			v[i] = x
		}
		switch {
		case len(part) == 1:
			out = append(out, v[0])
		case len(part) == 3 && v[1] >= v[0] && (v[1]-v[0])/v[2] < 1000:
			for i := 0; ; i++ {
				load := v[0] + float64(float64(i)*v[2])
				if load > v[1]*(1+1e-9) {
					break
				}
				out = append(out, math.Round(load*1e9)/1e9)
			}
		default:
			return nil, fmt.Errorf("--load: %q is not a range like 0.1:1.0:0.1 of at most 1000 loads", item)
		}
	}
	return out, nil
}

// simMachines reads the machines of the files and topologies.
func (s *simCommand) simMachines(cmd *cobra.Command, args []string, p *progress, report *packetReport) ([]*simMachine, error) {
	var out []*simMachine
	for _, file := range args {
		m, err := s.plannedMachine(cmd, file, p, report)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	for _, text := range s.topology {
		m, err := s.bareMachine(text, report)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	names := map[string]int{}
	for _, m := range out {
		if names[m.Name]++; names[m.Name] > 1 {
			m.Name = fmt.Sprintf("%s (%d)", m.Name, names[m.Name])
		}
	}
	return out, nil
}

// plannedMachine plans a file, whose links then have lengths.
func (s *simCommand) plannedMachine(cmd *cobra.Command, file string, p *progress, report *packetReport) (*simMachine, error) {
	spec, err := loadSpec([]string{file})
	if err != nil {
		return nil, err
	}
	plan, err := machine.PlanWith(cmd.Context(), spec, machine.Options{Progress: p.stage})
	if err != nil {
		return nil, asInput(err)
	}
	beta := units.Propagation(-1)
	if cmd.Flags().Changed("beta-ns-per-m") {
		beta = units.Propagation(s.beta)
	}
	cycles := plan.Cycles(s.packet.clock, beta)
	if cycles == nil {
		return nil, inputError(fmt.Errorf("%s: a plan of %d links is a summary, which does not keep their lengths; simulate the topology alone with --topology", file, plan.Census.Links))
	}
	name := plan.Spec.Name
	if name == "" {
		name = filepath.Base(file)
	}
	m := &simMachine{machineReport: machineReport{Name: name, Topology: plan.Spec.Topology, Lengths: true}}
	m.cfg.Options, m.cfg.Latency = s.packet.opt, cycles.Link
	if !cmd.Flags().Changed("pipeline") {
		m.cfg.Pipeline = cycles.Pipeline
		if cycles.Uneven {
			report.Warnings = append(report.Warnings, fmt.Sprintf("%s: its kinds of switches have different hop delays; all take the %d cycles of the slowest", name, cycles.Pipeline))
		}
	}
	return m, s.complete(m, plan.Graph, report)
}

// bareMachine is a topology without a room: all links take one cycle.
func (s *simCommand) bareMachine(text string, report *packetReport) (*simMachine, error) {
	spec, err := topologySpec(text)
	if err != nil {
		return nil, err
	}
	g, err := topology.New(spec)
	if err != nil {
		return nil, inputError(err)
	}
	m := &simMachine{machineReport: machineReport{Name: topologyName(g, spec), Topology: spec}}
	m.cfg.Options = s.packet.opt
	return m, s.complete(m, g, report)
}

// topologyName is short: the family with the numbers of vertices.
func topologyName(g topology.Graph, spec topology.Spec) string {
	name := spec.Family
	switch {
	case len(spec.Dims) > 0:
		sides := make([]string, len(spec.Dims))
		for i, d := range spec.Dims {
			sides[i] = strconv.Itoa(d)
		}
		name += " " + strings.Join(sides, "x")
	case spec.Down > 0 && spec.Levels > 0:
		up := spec.Up
		if up == 0 {
			up = spec.Down
		}
		name = fmt.Sprintf("%d:%d,%d-tree", spec.Down, up, spec.Levels)
	default:
		name += fmt.Sprintf(" of %d", topology.Count(g).Nodes)
	}
	return name
}

// complete makes network and routing of a machine.
func (s *simCommand) complete(m *simMachine, g topology.Graph, report *packetReport) error {
	var err error
	if m.whole, err = routing.NewNetwork(g); err != nil {
		return inputError(err)
	}
	if s.packet.traffic == "" {
		return inputError(errors.New("--traffic: is empty"))
	}
	if report.FailedLinks, report.FailedBoxes, err = s.draw(m, s.seed); err != nil {
		return inputError(err)
	}
	n, fn := m.cfg.Network, m.cfg.Routing
	buffer, warnings, err := packet.Check(m.cfg)
	if err != nil {
		return inputError(err)
	}
	for _, w := range warnings {
		report.Warnings = append(report.Warnings, m.Name+": "+w)
	}
	m.Terminals, m.Routers, m.Channels = n.Terminals(), n.Routers(), n.Channels()
	m.Routing, m.Buffer, m.Pipeline = fn.Name(), buffer, m.cfg.Pipeline
	if m.VCs = m.cfg.VCs; m.VCs == 0 {
		m.VCs = fn.Classes()
	}
	return nil
}

// draw has things fail in a machine as a seed and the flags say, routes packets
// around them, and returns how many links and vertices fail.
func (s *simCommand) draw(m *simMachine, seed uint64) (failedLinks, failedVertices int, err error) {
	f, n := &s.packet, m.whole
	links, err := chosenLinks(n, f.faults, seed)
	if err != nil {
		return 0, 0, fmt.Errorf("--faults: %w", err)
	}
	vertices, err := chosenVertices(n, s.failNodes, seed)
	if err != nil {
		return 0, 0, fmt.Errorf("--fail-nodes: %w", err)
	}
	m.cfg.Seed = seed
	if len(links)+len(vertices) > 0 {
		n = n.Fail(links, vertices)
	} else if m.cfg.Routing != nil { // nothing else depends on the seed
		return 0, 0, nil
	}
	fn, err := routing.New(n, f.routing, routing.Options{Threshold: f.threshold, VCs: m.cfg.VCs, Weights: m.cfg.Latency})
	if err != nil {
		return 0, 0, fmt.Errorf("--routing: %w", err)
	}
	m.cfg.Network, m.cfg.Routing = n, fn
	return len(links), len(vertices), nil
}

// chosenLinks reads the failed links: a share, or pairs of labels.
func chosenLinks(n *routing.Network, text string, seed uint64) ([]int32, error) {
	if !strings.Contains(text, "--") {
		share, err := parseShare(text)
		if err != nil {
			return nil, fmt.Errorf("%w, nor a list of links like A--B;C--D", err)
		}
		return packet.DrawLinks(n, share, seed), nil
	}
	var out []int32
	for item := range strings.SplitSeq(text, ";") {
		left, right, _ := strings.Cut(item, "--")
		a, err := topology.FindVertex(n.Graph, strings.TrimSpace(left))
		if err != nil {
			return nil, err
		}
		b, err := topology.FindVertex(n.Graph, strings.TrimSpace(right))
		if err != nil {
			return nil, err
		}
		link, found := int32(0), false
		for l := range n.Graph.Links() {
			if int(l.A) == a && int(l.B) == b || int(l.A) == b && int(l.B) == a {
				out = append(out, link)
				found = true
			}
			link++
		}
		if !found {
			return nil, fmt.Errorf("there is no link between %s and %s", n.Graph.Label(a), n.Graph.Label(b))
		}
	}
	return out, nil
}

// chosenVertices reads the failed nodes and switches: a share of those that
// forward, or labels.
func chosenVertices(n *routing.Network, text string, seed uint64) ([]int32, error) {
	if share, err := parseShare(text); err == nil {
		return packet.DrawRouters(n, share, seed), nil
	}
	var out []int32
	for item := range strings.SplitSeq(text, ";") {
		v, err := topology.FindVertex(n.Graph, strings.TrimSpace(item))
		if err != nil {
			return nil, fmt.Errorf("%w; or a share like 5%%", err)
		}
		out = append(out, int32(v))
	}
	return out, nil
}

// openLoops runs all loads of all machines side by side.
func (s *simCommand) openLoops(cmd *cobra.Command, machines []*simMachine, report *packetReport, p *progress) error {
	f := &s.packet
	report.Traffic = f.traffic
	loads, err := s.loads()
	if err != nil {
		return inputError(err)
	}
	type job struct {
		m    *simMachine
		open packet.OpenLoop
	}
	var jobs []job
	for _, m := range machines {
		open := packet.OpenLoop{Measurement: f.measure}
		if open.Pattern, err = traffic.ParsePattern(f.traffic, m.cfg.Network.Graph, s.seed); err != nil {
			return inputError(err)
		}
		if f.sizes != "" {
			sizes, err := traffic.ParseSizes(f.sizes)
			if err != nil {
				return inputError(err)
			}
			open.Sizes = &sizes
		}
		process, err := traffic.ParseInjection(f.injection, 1/float64(f.opt.PacketPhits), int64(f.opt.PacketPhits))
		if err != nil {
			return inputError(err)
		}
		open.Burst = process.Burst
		if f.saturation {
			jobs = append(jobs, job{m, open})
			continue
		}
		for _, load := range loads {
			open.Load = load
			jobs = append(jobs, job{m, open})
		}
	}
	if f.saturation {
		report.Saturations = make([]saturationReport, len(jobs))
	} else {
		report.Runs = make([]runReport, len(jobs))
	}
	done := 0
	return packet.Parallel(cmd.Context(), len(jobs), func(ctx context.Context, i int) error {
		m := jobs[i].m
		if f.saturation {
			found, err := packet.FindSaturation(ctx, m.cfg, jobs[i].open, f.tolerance)
			report.Saturations[i] = saturationReport{m.Name, found}
			return err
		}
		r, err := packet.Run(ctx, m.cfg, jobs[i].open)
		if err != nil {
			return fmt.Errorf("%s at load %g: %w", m.Name, jobs[i].open.Load, err)
		}
		r.Warnings = nil // once for the machine
		report.Runs[i] = runReport{m.Name, r, r.Latency.Times(1 / f.clock)}
		s.lock.Lock()
		defer s.lock.Unlock()
		done++
		p.stage("simulating", done, len(jobs))
		return nil
	})
}

// workloads plays the closed loops on all machines and on the reference.
func (s *simCommand) workloads(cmd *cobra.Command, machines []*simMachine, report *packetReport, p *progress) error {
	f := &s.packet
	report.workloadsRun = true
	names := strings.Split(f.workload, ",")
	if f.workload == "all" {
		names = traffic.ThinTreeSuite()
	} else if strings.Contains(f.workload, "=") { // parameters have commas of their own
		names = []string{f.workload}
	}
	weights, err := parseWeights(f.weights, names)
	if err != nil {
		return inputError(err)
	}
	all := machines
	if f.reference != "" {
		m, err := s.referenceMachine(cmd, p, report)
		if err != nil {
			return err
		}
		report.Reference = &m.machineReport
		all = append(slices.Clone(machines), m)
	}
	// The runs of a machine stand together, of these those of a workload.
	results := make([]*packet.JobResult, len(all)*len(names)*f.seeds)
	runs := make([]func(context.Context, uint64) (*packet.JobResult, error), len(all)*len(names))
	for i, m := range all {
		for j, name := range names {
			if runs[i*len(names)+j], err = s.job(m, name); err != nil {
				return inputError(fmt.Errorf("%s: %w", m.Name, err))
			}
		}
	}
	done := 0
	err = packet.Parallel(cmd.Context(), len(results), func(ctx context.Context, i int) error {
		var err error
		of, seed := i/f.seeds, s.seed+uint64(i%f.seeds)
		if results[i], err = runs[of](ctx, seed); err != nil {
			return fmt.Errorf("%s on %s, seed %d: %w", names[of%len(names)], all[of/len(names)].Name, seed, err)
		}
		s.lock.Lock()
		defer s.lock.Unlock()
		done++
		p.stage("playing workloads", done, len(results))
		return nil
	})
	if err != nil {
		return err
	}
	// of is the runs of a workload on a machine, by seed.
	of := func(machine, workload int) []*packet.JobResult {
		first := (machine*len(names) + workload) * f.seeds
		return results[first : first+f.seeds]
	}
	for i, m := range machines {
		var relative []float64
		bySeed := make([][]float64, f.seeds)
		for j, name := range names {
			own := of(i, j)
			w := workloadReport{Machine: m.Name, Name: name}
			var std float64
			if w.Cycles, std = cyclesOver(own); f.seeds > 1 {
				w.CyclesStd = &std
				for _, r := range own {
					w.CyclesBySeed = append(w.CyclesBySeed, r.Cycles)
				}
			} else {
				w.Run = own[0]
			}
			w.TimeNS = w.Cycles / f.clock
			if report.Reference != nil {
				base := of(len(machines), j)
				w.Reference, _ = cyclesOver(base)
				w.Relative = w.Cycles / w.Reference
				relative = append(relative, w.Relative)
				for k := range bySeed {
					bySeed[k] = append(bySeed[k], float64(own[k].Cycles)/float64(base[k].Cycles))
				}
			}
			report.Workloads = append(report.Workloads, w)
		}
		if report.Reference != nil {
			phi := packet.Phi(relative, weights)
			cost := packet.PhiPerCost(phi, m.cfg.Network.Graph, all[len(all)-1].cfg.Network.Graph)
			report.Machines[i].Phi, report.Machines[i].PhiPerCost = &phi, &cost
			if f.seeds > 1 {
				phis := make([]float64, f.seeds)
				for k := range phis {
					phis[k] = packet.Phi(bySeed[k], weights)
				}
				std := stat.StdDev(phis, nil)
				report.Machines[i].PhiStd = &std
			}
		}
	}
	first := &report.Machines[0]
	report.Phi, report.PhiStd, report.PhiPerCost = first.Phi, first.PhiStd, first.PhiPerCost
	return nil
}

// cyclesOver is the mean of the completion times and their standard deviation.
func cyclesOver(runs []*packet.JobResult) (mean, std float64) {
	cycles := make([]float64, len(runs))
	for i, r := range runs {
		cycles[i] = float64(r.Cycles)
	}
	return stat.MeanStdDev(cycles, nil)
}

// referenceMachine is a machine file, planned, or a topology.
func (s *simCommand) referenceMachine(cmd *cobra.Command, p *progress, report *packetReport) (*simMachine, error) {
	if strings.ContainsAny(s.packet.reference, "{:[") {
		return s.bareMachine(s.packet.reference, report)
	}
	return s.plannedMachine(cmd, s.packet.reference, p, report)
}

// job prepares a workload on a machine, to be run with any seed.
func (s *simCommand) job(m *simMachine, name string) (func(context.Context, uint64) (*packet.JobResult, error), error) {
	if s.packet.tasks > 0 && !strings.HasPrefix(strings.ToLower(name), "trace") {
		separator := ":"
		if strings.Contains(name, ":") {
			separator = ","
		}
		name += separator + "tasks=" + strconv.Itoa(s.packet.tasks)
	}
	terminals := m.cfg.Network.Terminals()
	job, err := traffic.ParseJob(name, terminals)
	if err != nil {
		return nil, err
	}
	placed := func(seed uint64) ([]int32, error) {
		return traffic.ParsePlacement(s.packet.placement, job.Tasks, terminals, seed)
	}
	if _, err := placed(s.seed); err != nil {
		return nil, err
	}
	return func(ctx context.Context, seed uint64) (*packet.JobResult, error) {
		place, err := placed(seed)
		if err != nil {
			return nil, err
		}
		drawn := *m
		if seed != s.seed {
			if _, _, err := s.draw(&drawn, seed); err != nil {
				return nil, err
			}
		}
		return packet.RunJob(ctx, drawn.cfg, job.New(), place)
	}, nil
}

// parseWeights reads NAME=WEIGHT,... for the workloads named.
func parseWeights(text string, names []string) ([]float64, error) {
	out := make([]float64, len(names))
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
			return nil, fmt.Errorf("--weights: %q is not a workload with a weight, like W2=0.5", item)
		}
		i := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, strings.TrimSpace(name)) })
		if i < 0 {
			return nil, fmt.Errorf("--weights: no workload %q is run; those are %s", name, strings.Join(names, ", "))
		}
		out[i] = w
	}
	for _, w := range out {
		sum += w
	}
	if sum == 0 {
		return nil, errors.New("--weights: all are 0")
	}
	return out, nil
}

// charts draws latency and throughput over the load, a curve for each machine.
func (s *simCommand) charts(ctx context.Context, r *packetReport) error {
	if len(r.Runs) == 0 {
		return inputError(errors.New("--output: charts are of runs over loads, not of --saturation"))
	}
	latency := render.CurveChart{Title: "Latency, " + r.Traffic + " traffic", X: "offered load (phits per cycle and terminal)", Y: "mean latency (cycles)"}
	through := render.CurveChart{Title: "Throughput, " + r.Traffic + " traffic", X: latency.X, Y: "accepted load (phits per cycle and terminal)", Diagonal: true}
	latency.Note = fmt.Sprintf("from the making of a packet of %d phits to the arrival of its last; cut off at six times the least", r.PacketPhits)
	through.Note = "broken line: all that is offered"
	lowest := math.Inf(1)
	for _, m := range r.Machines {
		a, b := render.Curve{Name: m.Name + ", " + m.Routing}, render.Curve{Name: m.Name + ", " + m.Routing}
		for _, run := range r.Runs {
			if run.Machine != m.Name {
				continue
			}
			if run.Delivered > 0 {
				a.Points = append(a.Points, [2]float64{run.Load, run.Latency.Mean})
				lowest = min(lowest, run.Latency.Mean)
			}
			b.Points = append(b.Points, [2]float64{run.Load, run.Accepted})
		}
		latency.Curves, through.Curves = append(latency.Curves, a), append(through.Curves, b)
	}
	latency.YMax = 6 * lowest
	for name, chart := range map[string]render.CurveChart{"load-latency.png": latency, "load-throughput.png": through} {
		if err := render.WriteFile(ctx, filepath.Join(s.packet.out, name), func(w io.Writer) error { return render.Curves(w, chart) }); err != nil {
			return err
		}
	}
	return nil
}

// printPackets prints a report for people.
func printPackets(w io.Writer, r *packetReport) error {
	var b strings.Builder
	for _, m := range r.Machines {
		lengths := "links of one cycle"
		if m.Lengths {
			lengths = "planned lengths"
		}
		buffers := fmt.Sprintf("%d packets of %d phits", m.Buffer.Packets, r.PacketPhits)
		if m.Buffer.Phits > 0 {
			buffers = fmt.Sprintf("%d phits, packets of %d phits as worms", m.Buffer.Phits, r.PacketPhits)
		}
		fmt.Fprintf(&b, "%s: %s terminals, %s switches, %s channels, %s; routing %s, %d virtual channels, buffers of %s\n",
			m.Name, grouped(int64(m.Terminals)), grouped(int64(m.Routers)), grouped(int64(m.Channels)), lengths, m.Routing, m.VCs, buffers)
	}
	if r.FailedLinks+r.FailedBoxes > 0 {
		fmt.Fprintf(&b, "failed: %s links, %s nodes and switches\n", grouped(int64(r.FailedLinks)), grouped(int64(r.FailedBoxes)))
	}
	b.WriteString("\n")
	switch {
	case r.workloadsRun:
		printWorkloads(&b, r)
	case len(r.Saturations) > 0:
		table := [][]string{{"machine", "saturates at", "accepted there", "accepted at load 1", "runs"}}
		for _, s := range r.Saturations {
			at := fmt.Sprintf("%.3f to %.3f", s.Load, s.Above)
			if s.Load == 1 {
				at = "not at all"
			}
			table = append(table, []string{s.Machine, at, fmt.Sprintf("%.4f", s.Accepted), fmt.Sprintf("%.4f", s.Full), fmt.Sprint(s.Runs)})
		}
		writeTable(&b, table)
	default:
		table := [][]string{{"machine", "load", "accepted", "mean cycles", "±", "median", "p99", "max", "mean ns", "hops", "of it links", "queues", ""}}
		for _, run := range r.Runs {
			note := ""
			switch {
			case run.Saturated():
				note = "saturated"
			case !run.Stationary:
				note = "not stationary"
			}
			if run.Undeliverable > 0 {
				note = strings.TrimPrefix(note+fmt.Sprintf(", %s undeliverable", grouped(run.Undeliverable)), ", ")
			}
			l := run.Latency
			table = append(table, []string{
				run.Machine, fmt.Sprintf("%.3g", run.Load), fmt.Sprintf("%.4f", run.Accepted), fmt.Sprintf("%.2f", l.Mean), fmt.Sprintf("%.2f", l.HalfWidth),
				fmt.Sprint(l.P50), fmt.Sprint(l.P99), fmt.Sprint(l.Max), fmt.Sprintf("%.1f", run.LatencyNS.Mean), fmt.Sprintf("%.3f", run.Hops),
				fmt.Sprintf("%.2f", l.Propagation), fmt.Sprintf("%.2f", l.Queueing), note,
			})
		}
		writeTable(&b, table)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func printWorkloads(b *strings.Builder, r *packetReport) {
	head := []string{"machine", "workload", "cycles", "ns"}
	if r.Seeds > 1 {
		fmt.Fprintf(b, "means over %d seeds, %d to %d, and standard deviations of one run\n\n", r.Seeds, r.Seed, r.Seed+uint64(r.Seeds)-1)
		head = slices.Insert(head, 3, "±")
	}
	if r.Reference != nil {
		head = append(head, r.Reference.Name, "relative")
	}
	table := [][]string{head}
	for _, w := range r.Workloads {
		row := []string{w.Machine, w.Name, grouped(int64(math.Round(w.Cycles)))}
		if w.CyclesStd != nil {
			row = append(row, grouped(int64(math.Round(*w.CyclesStd))))
		}
		row = append(row, fmt.Sprintf("%.0f", w.TimeNS))
		if r.Reference != nil {
			row = append(row, grouped(int64(math.Round(w.Reference))), fmt.Sprintf("%.4f", w.Relative))
		}
		table = append(table, row)
	}
	writeTable(b, table)
	if r.Reference == nil {
		return
	}
	head = []string{"machine", "phi", "phi per switch", "per port", "per port squared"}
	if r.Seeds > 1 {
		head = slices.Insert(head, 2, "±")
	}
	table = [][]string{head}
	for _, m := range r.Machines {
		row := []string{m.Name, fmt.Sprintf("%.4f", *m.Phi)}
		if m.PhiStd != nil {
			row = append(row, fmt.Sprintf("%.4f", *m.PhiStd))
		}
		table = append(table, append(row, fmt.Sprintf("%.4f", m.PhiPerCost.Constant), fmt.Sprintf("%.4f", m.PhiPerCost.Linear), fmt.Sprintf("%.4f", m.PhiPerCost.Quadratic)))
	}
	b.WriteString("\n")
	writeTable(b, table)
}
