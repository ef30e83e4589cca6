package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"plenum/machine"
	"plenum/render"
	"plenum/sim/rounds"
	"plenum/topology"
	"plenum/units"
)

// defaultAlpha is the hop delay of the catalog's generic nodes, for topologies
// without a machine file.
const defaultAlpha = 100

// simModels are the models of simulation, by name.
var simModels = map[string]func(*simCommand, *cobra.Command, []string) error{
	"flood":  (*simCommand).flood,
	"packet": (*simCommand).packets,
	"rounds": (*simCommand).rounds,
}

func newSim() *cobra.Command {
	var s simCommand
	cmd := &cobra.Command{
		Use:   "sim [FILE...]",
		Short: "Simulate traffic on a planned machine, or on a topology alone",
		Long: `Simulate traffic on the machine of a machine file, with the lengths of its
planned links, or with --topology on a topology without a room:

  plenum sim machine.yaml --load 0.1:1.0:0.1 -o charts
  plenum sim --topology '{family: torus, dims: [8, 8, 8]}' --traffic tornado
  plenum sim --topology '{family: clex, clique: 32, levels: 4}' --load 28

The model of packets plays switches with input buffers, virtual channels and
credits cycle by cycle. --load is in phits per cycle and terminal: a number, a
list, or FROM:TO:STEP; loads and machines run side by side. Links take the cycles
of their planned lengths at --clock-ghz, without a room one cycle. --saturation
looks for the load that the network does not carry any more. --workload plays
messages that release each other instead: all stands for the seven of the thin-tree
paper, whose times are then set against those of --reference.

The model of rounds, the usual one for clex unless a flag of the other is given, is that of the CLEX paper (arXiv 1607.00298): all messages
start at once, and in a round every link carries one message in each direction.
It knows one family, clex, full or bundled. Per level, it counts the most rounds
of any call of the algorithm, the mean rounds and hops of a message, and the
greatest mean load of any call.

Delays are rounds x alpha + propagation. Alpha is the hop delay of the machine
file's nodes, 100 ns for a topology alone; without a room, nothing is known of
lengths, and delays are those of the hops only. The comparison with a torus of as
many nodes follows the formulas of the paper (docs/reproduction.md); --against takes
the planned lengths of another machine in place of its assumptions.

--valiant sends every message to a random node first: of the whole machine
(full), of its copy of C(2) (light; a clique if there are two levels), or of its
copy of C(K).

The model of flooding is all-to-all communication (section II-C of the CLEX paper):
every node's message floods a tree of paths with the fewest hops, in a torus
dimension by dimension, otherwise with low levels last. It counts what crosses the
channels, and how many times the least possible time that takes.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if s.model == "" {
				s.model = s.usualModel(cmd, args)
			}
			model, ok := simModels[s.model]
			if !ok {
				return inputError(fmt.Errorf("--model: no model %q; there are flood, packet, rounds", s.model))
			}
			return model(&s, cmd, args)
		},
	}
	f := cmd.Flags()
	f.StringVar(&s.model, "model", "", "model of the network: packet, rounds or flood")
	f.StringArrayVar(&s.topology, "topology", nil, "simulate this topology, without a room; may be given several times")
	f.Uint64Var(&s.seed, "seed", 1, "seed of whatever is drawn at random")
	f.BoolVar(&s.asJSON, "json", false, "print one JSON document")
	f.StringVar(&s.load, "load", "", "phits per cycle and terminal: 0.5 when left out, a list, or FROM:TO:STEP; in rounds the messages that each node sends, 1 when left out")
	f.StringVar(&s.mode, "mode", "dense", "traffic: dense (relays are asked first) or light (copies are sent at once)")
	f.StringVar(&s.valiant, "valiant", "off", "random node that a message is sent to first: off, light, full or a level K")
	f.StringVar(&s.destinations, "destinations", "uniform", "where messages go: uniform (independent) or permutation (every node receives as many)")
	f.StringVar(&s.loss, "loss", "0", "chance that a message is lost on a link, like 1%")
	f.IntVar(&s.retries, "retries", 0, "times that a hop above level 1 is repeated when its message was lost")
	f.StringVar(&s.failNodes, "fail-nodes", "0", "share of the nodes that fail at random, like 1%; of packets also labels of nodes and switches: A;B")
	f.StringVar(&s.failLinks, "fail-links", "0", "share of the links that fail at random")
	f.IntVar(&s.detours, "detours", 2, "times that a message tries a way round failures, on each level")
	f.IntVar(&s.copies, "copies", 0, "relays that a message asks in its first phase after the direct one (1 when dense, ln n1 when light)")
	f.Float64Var(&s.growth, "copy-growth", 1, "factor by which they grow from phase to phase")
	f.BoolVar(&s.handshake, "handshake", false, "count the two rounds of a request and its answer")
	f.Float64Var(&s.alpha, "alpha-ns", defaultAlpha, "time that a round takes besides propagation, in place of the machine file's hop delay")
	f.Float64Var(&s.beta, "beta-ns-per-m", 0, "propagation delay of all links, in place of the machine file's")
	f.StringVar(&s.against, "against", "", "machine file or example of a direct network, such as a torus, whose plan the run is set against")
	f.StringVar(&s.chart, "chart", "", "PNG file to draw the messages left after each phase into")
	s.packet.add(cmd)
	return cmd
}

// simCommand is the flags of plenum sim.
type simCommand struct {
	model                      string
	topology                   []string
	seed                       uint64
	asJSON                     bool
	load                       string
	mode, valiant              string
	destinations               string
	loss, failNodes, failLinks string
	retries, detours, copies   int
	growth                     float64
	handshake                  bool
	alpha, beta                float64
	against, chart             string

	packet packetFlags
	lock   sync.Mutex // of what parallel runs report
}

// usualModel is rounds for a clex, unless a flag belongs to packets alone.
func (s *simCommand) usualModel(cmd *cobra.Command, args []string) string {
	for _, name := range packetOnly {
		if cmd.Flags().Changed(name) {
			return "packet"
		}
	}
	var spec topology.Spec
	switch {
	case len(args)+len(s.topology) > 1:
		if len(args) == 1 && len(s.topology) == 1 {
			return "rounds" // which says that it is one too many
		}
	case len(args) == 1:
		if m, err := namedSpec(args[0]); err == nil {
			spec = m.Topology
		}
	case len(s.topology) == 1:
		spec, _ = topologySpec(s.topology[0])
	}
	if spec.Family == "clex" {
		return "rounds"
	}
	return "packet"
}

// roundsReport is the document of the model of rounds.
type roundsReport struct {
	Model    string        `json:"model"`
	Machine  string        `json:"machine,omitempty"`
	Topology topology.Spec `json:"topology"`

	Mode         rounds.Mode         `json:"mode"`
	Load         int                 `json:"load"`
	Destinations rounds.Destinations `json:"destinations"`
	ValiantLevel int                 `json:"valiant_level"` // 0 for off
	Loss         float64             `json:"loss"`
	FailNodes    float64             `json:"fail_nodes"`
	FailLinks    float64             `json:"fail_links"`
	Seed         uint64              `json:"seed"`

	*rounds.Result

	Alpha units.Time `json:"alpha_ns"`
	// DelayCovers says what delay_ns consists of: hops, or hops and propagation.
	DelayCovers string       `json:"delay_covers"`
	Torus       rounds.Torus `json:"torus"`
	Against     *against     `json:"against,omitempty"`
}

// rounds runs the model of rounds.
func (s *simCommand) rounds(cmd *cobra.Command, args []string) error {
	opt, err := s.roundsOptions(cmd, args)
	if err != nil {
		return inputError(err)
	}
	report := &roundsReport{Model: "rounds", DelayCovers: "hops"}
	progress := newProgress(cmd.ErrOrStderr())
	if len(args) == 0 {
		opt.Topology, err = inlineTopology(s.topology[0])
	} else {
		report.DelayCovers = "hops and propagation"
		report.Machine, err = s.plan(cmd, args[0], opt, progress)
	}
	if err != nil {
		progress.clear()
		return err
	}
	if opt.Valiant, err = valiantLevel(s.valiant, opt.Topology.Levels); err != nil {
		return inputError(err)
	}
	opt.Progress = func(stage string) { progress.stage(stage, 0, 1) }
	report.Result, err = rounds.Run(cmd.Context(), *opt)
	progress.clear()
	var wrong *rounds.OptionsError
	if errors.As(err, &wrong) {
		return inputError(err)
	}
	if err != nil {
		return err
	}
	report.Topology, report.Mode, report.Load, report.Destinations = opt.Topology, opt.Mode, opt.Load, opt.Destinations
	report.ValiantLevel, report.Loss, report.FailNodes, report.FailLinks = opt.Valiant, opt.Loss, opt.FailNodes, opt.FailLinks
	report.Seed, report.Alpha, report.Torus = opt.Seed, opt.Alpha, report.Result.Torus()
	if s.against != "" {
		if report.Against, err = s.compare(cmd, report.Result, progress); err != nil {
			progress.clear()
			return err
		}
		progress.clear()
	}
	if s.chart != "" {
		name := "CLEX in rounds"
		if report.Machine != "" {
			name = report.Machine
		}
		err := render.WriteFile(cmd.Context(), s.chart, func(w io.Writer) error { return render.RemainingChart(w, report.Result, name) })
		if err != nil {
			return inputUnlessDiagnosed(err)
		}
	}
	if s.asJSON {
		return writeJSON(cmd.OutOrStdout(), report)
	}
	return printRounds(cmd.OutOrStdout(), report)
}

// roundsOptions checks the flags, all of them, as far as they go without a
// topology.
func (s *simCommand) roundsOptions(cmd *cobra.Command, args []string) (*rounds.Options, error) {
	var wrong []error
	refuse := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf(format, args...)) }
	share := func(flag, text string) float64 {
		x, err := parseShare(text)
		if err != nil {
			refuse("--%s: %v", flag, err)
		}
		return x
	}
	opt := &rounds.Options{
		Mode: rounds.Mode(s.mode), Load: 1, Destinations: rounds.Destinations(s.destinations),
		Loss: share("loss", s.loss), Retries: s.retries,
		FailNodes: share("fail-nodes", s.failNodes), FailLinks: share("fail-links", s.failLinks),
		Detours: s.detours, Alpha: units.Time(s.alpha), Seed: s.seed,
		Reading: rounds.Reading{Copies: s.copies, CopyGrowth: s.growth, Handshake: s.handshake},
	}
	if s.detours == 0 {
		opt.Detours = -1
	}
	switch {
	case len(args) == 0 && len(s.topology) == 0:
		refuse("a machine file or --topology is needed")
	case len(args)+len(s.topology) > 1 && len(args) != 1 || len(s.topology) > 1:
		refuse("the model of rounds takes one machine")
	case len(args) > 0 && len(s.topology) > 0:
		refuse("--topology: the machine file has one already")
	case len(args) == 0 && s.against != "":
		refuse("--against: a topology has no lengths to compare; give a machine file")
	case len(args) == 0 && cmd.Flags().Changed("beta-ns-per-m"):
		refuse("--beta-ns-per-m: a topology has no lengths; give a machine file")
	}
	for _, name := range packetOnly {
		if cmd.Flags().Changed(name) {
			refuse("--%s: is of the model of packets", name)
		}
	}
	if s.load != "" {
		var err error
		if opt.Load, err = strconv.Atoi(s.load); err != nil || opt.Load < 1 {
			refuse("--load: must be a number of messages, at least 1, not %q", s.load)
		}
	}
	if s.mode == "" || !slices.Contains([]rounds.Mode{rounds.Dense, rounds.Light}, opt.Mode) {
		refuse("--mode: no mode %q; there are dense, light", s.mode)
	}
	if s.destinations == "" || !slices.Contains([]rounds.Destinations{rounds.Uniform, rounds.Permutation}, opt.Destinations) {
		refuse("--destinations: no %q; there are uniform, permutation", s.destinations)
	}
	if opt.Loss == 1 {
		refuse("--loss: everything cannot be lost")
	}
	for _, x := range []struct {
		flag string
		v    float64
	}{{"alpha-ns", s.alpha}, {"beta-ns-per-m", s.beta}} {
		if !(x.v >= 0) || x.v > 1e9 {
			refuse("--%s: must be from 0 to 1e9, not %g", x.flag, x.v)
		}
	}
	for _, x := range []struct {
		flag string
		v    int
	}{{"retries", s.retries}, {"detours", s.detours}, {"copies", s.copies}} {
		if x.v < 0 {
			refuse("--%s: must not be negative", x.flag)
		}
	}
	if !(s.growth >= 1) || math.IsInf(s.growth, 0) {
		refuse("--copy-growth: must be at least 1, not %g", s.growth)
	}
	if _, err := valiantLevel(s.valiant, math.MaxInt); err != nil {
		refuse("--valiant: %q is not off, light, full or a level", s.valiant)
	}
	return opt, errors.Join(wrong...)
}

// valiantLevel is the level of the copies within which messages are first sent
// to a random node.
func valiantLevel(text string, levels int) (int, error) {
	switch text {
	case "off":
		return 0, nil
	case "light":
		return max(1, min(2, levels-1)), nil
	case "full":
		return levels, nil
	}
	k, err := strconv.Atoi(text)
	if err != nil || k < 1 || k > levels {
		return 0, fmt.Errorf("--valiant: %q is not off, light, full or a level; the levels are from 1 to %d", text, levels)
	}
	return k, nil
}

// inlineTopology reads --topology, which may also be the name of a machine file
// whose room is left out.
func inlineTopology(text string) (topology.Spec, error) {
	spec, err := topologySpec(text)
	if err != nil {
		return spec, err
	}
	if spec.Family != "clex" {
		return spec, notCLEX(spec.Family)
	}
	if _, err := topology.New(spec); err != nil {
		return spec, inputError(err)
	}
	return spec, nil
}

func notCLEX(family string) error {
	return inputError(fmt.Errorf("the model of rounds knows the family clex only, not %s", family))
}

// plan plans the machine of a file and sets the options that follow from it. It
// returns the machine's name.
func (s *simCommand) plan(cmd *cobra.Command, file string, opt *rounds.Options, p *progress) (string, error) {
	spec, err := loadSpec([]string{file})
	if err != nil {
		return "", err
	}
	if spec.Topology.Family != "clex" {
		return "", notCLEX(spec.Topology.Family)
	}
	plan, err := machine.PlanWith(cmd.Context(), spec, machine.Options{Progress: p.stage})
	if err != nil {
		return "", asInput(err)
	}
	if plan.Links.Length == nil {
		return "", inputError(fmt.Errorf("%s: a plan of %d links is a summary, which does not keep their lengths; simulate the topology alone with --topology", file, plan.Census.Links))
	}
	links := make([]units.Time, len(plan.Links.Length))
	for i, metres := range plan.Links.Length {
		length := units.Length(metres).Round4()
		links[i] = plan.Model.Wire(length, int(plan.Links.Medium[i]))
		if cmd.Flags().Changed("beta-ns-per-m") {
			links[i] = units.Propagation(s.beta).Over(length)
		}
	}
	opt.Topology = plan.Spec.Topology
	if !cmd.Flags().Changed("alpha-ns") {
		opt.Alpha = plan.Model.Hop[0]
	}
	opt.Wire, err = rounds.BundledWire(opt.Topology, links)
	return plan.Spec.Name, err
}

// printRounds prints a report for people.
func printRounds(w io.Writer, r *roundsReport) error {
	var b strings.Builder
	form := "full"
	if r.Topology.Bundled {
		form = "bundled"
	}
	if r.Machine != "" {
		fmt.Fprintf(&b, "%s: ", r.Machine)
	}
	fmt.Fprintf(&b, "clex of %d levels, cliques of %d, %s\n\n", r.Topology.Levels, r.Topology.Clique, form)
	t := tabwriter.NewWriter(&b, 0, 4, 2, ' ', 0)
	row := func(format string, args ...any) { fmt.Fprintf(t, "  "+format+"\n", args...) }
	row("nodes\t%s", grouped(int64(r.Nodes)))
	row("messages\t%s, %d a node, %s traffic", grouped(r.Messages), r.Load, r.Mode)
	row("delivered\t%s", grouped(r.Delivered))
	if r.Lost > 0 || r.Loss > 0 {
		row("lost\t%s", grouped(r.Lost))
	}
	if r.Undeliverable > 0 || r.FailNodes > 0 || r.FailLinks > 0 {
		row("undeliverable\t%s, of which %s from or to failed nodes", grouped(r.Undeliverable), grouped(r.DeadEnds))
	}
	row("rounds\t%.2f mean, %d most of any message", r.Rounds, r.RoundsMax)
	row("hops\t%.2f mean", r.Hops)
	covers := "hops only: without a room there are no lengths"
	if r.DelayCovers != "hops" {
		covers = "hops and propagation"
	}
	row("delay\t%.1f ns mean, %.1f median, %.1f 99th percentile, %.1f most", float64(r.Delay.Mean), float64(r.Delay.P50), float64(r.Delay.P99), float64(r.Delay.Max))
	row("\t(%s; %v a round)", covers, r.Alpha)
	t.Flush()

	table := [][]string{{"level", "max rounds", "mean rounds", "max mean load", "mean hops"}}
	for _, l := range r.Levels {
		table = append(table, []string{
			fmt.Sprint(l.Level), fmt.Sprint(l.MaxRounds), fmt.Sprintf("%.3f", l.AvgRounds),
			fmt.Sprintf("%.2f", l.MaxAvgLoad), fmt.Sprintf("%.3f", l.AvgHops),
		})
	}
	b.WriteString("\n")
	writeTable(&b, table)

	table = [][]string{{"phases in a clique", "messages left"}}
	for phase, n := range r.RemainingByPhase {
		table = append(table, []string{fmt.Sprint(phase), grouped(n)})
	}
	b.WriteString("\n")
	writeTable(&b, table)

	b.WriteString("\nAgainst an ideal torus of as many nodes\n")
	t = tabwriter.NewWriter(&b, 0, 4, 2, ' ', 0)
	row("hops\t%.1f mean: %.2f times the rounds here, %.2f times the hops", r.Torus.HopsMean, r.Torus.HopFactor, r.Torus.PathFactor)
	row("propagation\t%.2f times a shortest path, by rounds; %.2f by hops", r.Torus.PropagationRatio, r.Torus.PropagationRatioHops)
	row("bandwidth\t%.2f times the bound of its bisection; %.2f if both directions of the cut count", r.Torus.BandwidthGain, r.Torus.BandwidthGainDuplex)
	t.Flush()
	if r.Against != nil {
		r.Against.print(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
