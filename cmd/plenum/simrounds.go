package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/sim/rounds"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

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
		opt.Topology, err = inlineCLEX(s.topology[0])
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
	report.Topology.Params, report.Mode, report.Load, report.Destinations = opt.Topology, opt.Mode, opt.Load,
		opt.Destinations
	report.ValiantLevel, report.Loss, report.FailNodes, report.FailLinks = opt.Valiant, opt.Loss, opt.FailNodes,
		opt.FailLinks
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
		err := render.WriteFile(cmd.Context(), s.chart,
			func(w io.Writer) error { return render.RemainingChart(w, report.Result, name) })
		if err != nil {
			return inputUnlessDiagnosed(err)
		}
	}
	if s.asJSON {
		return render.Document(cmd.OutOrStdout(), report)
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
	if s.destinations == "" || !slices.Contains([]rounds.Destinations{rounds.Uniform, rounds.Permutation},
		opt.Destinations) {
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
		return 0, fmt.Errorf("--valiant: %q is not off, light, full or a level; the levels are from 1 to %d", text,
			levels)
	}
	return k, nil
}

// inlineCLEX reads --topology, which may also be the name of a machine file
// whose room is left out.
func inlineCLEX(text string) (topology.CLEX, error) {
	spec, err := topologySpec(text)
	if err != nil {
		return topology.CLEX{}, err
	}
	clex, ok := spec.Params.(topology.CLEX)
	if !ok {
		return clex, notCLEX(spec.Family())
	}
	if _, err := topology.New(spec); err != nil {
		return clex, inputError(err)
	}
	return clex, nil
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
	clex, ok := spec.Topology.Params.(topology.CLEX)
	if !ok {
		return "", notCLEX(spec.Topology.Family())
	}
	plan, err := machine.PlanWith(cmd.Context(), spec, machine.Options{Progress: p.stage})
	if err != nil {
		return "", asInput(err)
	}
	wires := plan.Wires(s.propagation(cmd))
	if wires == nil {
		return "", noLengths(file, plan)
	}
	opt.Topology = clex
	if !cmd.Flags().Changed("alpha-ns") {
		opt.Alpha = plan.Model.Hop[0]
	}
	opt.Wire, err = rounds.BundledWire(opt.Topology, wires)
	return plan.Spec.Name, err
}

// printRounds prints a report for people.
func printRounds(w io.Writer, r *roundsReport) error {
	var b strings.Builder
	form := "full"
	clex := r.Topology.Params.(topology.CLEX)
	if clex.Bundled {
		form = "bundled"
	}
	if r.Machine != "" {
		fmt.Fprintf(&b, "%s: ", r.Machine)
	}
	fmt.Fprintf(&b, "clex of %d levels, cliques of %d, %s\n\n", clex.Levels, clex.Clique, form)
	t := tabwriter.NewWriter(&b, 0, 4, 2, ' ', 0)
	row := func(format string, args ...any) { fmt.Fprintf(t, "  "+format+"\n", args...) }
	row("nodes\t%s", english.Grouped(int64(r.Nodes)))
	row("messages\t%s, %d a node, %s traffic", english.Grouped(r.Messages), r.Load, r.Mode)
	row("delivered\t%s", english.Grouped(r.Delivered))
	if r.Lost > 0 || r.Loss > 0 {
		row("lost\t%s", english.Grouped(r.Lost))
	}
	if r.Undeliverable > 0 || r.FailNodes > 0 || r.FailLinks > 0 {
		row("undeliverable\t%s, of which %s from or to failed nodes", english.Grouped(r.Undeliverable),
			english.Grouped(r.DeadEnds))
	}
	row("rounds\t%.2f mean, %d most of any message", r.Rounds, r.RoundsMax)
	row("hops\t%.2f mean", r.Hops)
	covers := "hops only: without a room there are no lengths"
	if r.DelayCovers != "hops" {
		covers = "hops and propagation"
	}
	row("delay\t%.1f ns mean, %.1f median, %.1f 99th percentile, %.1f most", float64(r.Delay.Mean),
		float64(r.Delay.P50), float64(r.Delay.P99), float64(r.Delay.Max))
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
		table = append(table, []string{fmt.Sprint(phase), english.Grouped(n)})
	}
	b.WriteString("\n")
	writeTable(&b, table)

	b.WriteString("\nAgainst an ideal torus of as many nodes\n")
	t = tabwriter.NewWriter(&b, 0, 4, 2, ' ', 0)
	row("hops\t%.1f mean: %.2f times the rounds here, %.2f times the hops", r.Torus.HopsMean, r.Torus.HopFactor,
		r.Torus.PathFactor)
	row("propagation\t%.2f times a shortest path, by rounds; %.2f by hops", r.Torus.PropagationRatio,
		r.Torus.PropagationRatioHops)
	row("bandwidth\t%.2f times the bound of its bisection; %.2f if both directions of the cut count",
		r.Torus.BandwidthGain, r.Torus.BandwidthGainDuplex)
	t.Flush()
	if r.Against != nil {
		r.Against.print(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
