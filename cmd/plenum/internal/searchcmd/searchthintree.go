package searchcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/meter"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/sim/packet"
	"github.com/plenum-planner/plenum/study/search/slimming"
	"github.com/plenum-planner/plenum/topology"
)

func newSearchThinTree() *cobra.Command {
	var x thinTreeSearch
	cmd := &cobra.Command{
		Use:   "thin-tree --down K --levels N [FILE]",
		Short: "Find how far a tree should be thinned: performance over cost",
		Long: `Find how far a tree should be thinned. Every K:k',N-tree with k' from 1 to K up ports
plays workloads packet by packet; phi is its performance against the full tree's, which
is 1, over what its switches cost (J. Navaridas et al., Parallel Computing 36, 2010,
section 6): the same for any number of ports, as much as they have ports, or the square of
that. With a machine FILE, whose topology is replaced, it is also over what the network
costs in money, planned in full.

  plenum search thin-tree --down 8 --levels 2
  plenum search thin-tree --down 8 --levels 3 machine.yaml --workload BU,all-to-all

Switches are those of the paper (--like thin-trees of plenum sim packets).`,
		Args: cli.Usage(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return x.run(cmd, args) },
	}
	f := cmd.Flags()
	f.IntVar(&x.Down, "down", 0, "down ports of a switch, from 2")
	f.IntVar(&x.Levels, "levels", 0, "levels of switches, from 2")
	f.StringVar(&x.workload, "workload", "all", "what is played: workloads of plenum sim packets, or all for the "+
		"paper's seven")
	f.StringVar(&x.weights, "weights", "", "weights of the workloads in phi, like W2=2,BU=0.5; 1 for those left out")
	f.IntVar(&x.Suite.Tasks, "tasks", 0, "tasks of each workload; one for each terminal when 0")
	f.IntVar(&x.Suite.Seeds, "seeds", 1, "play workloads with this many seeds from --seed on, from 1 to 1000")
	f.Uint64Var(&x.Seed, "seed", 1, "seed of random draws")
	f.BoolVar(&x.asJSON, "json", false, "print one JSON document")
	return cmd
}

// thinTreeSearch is the flags.
type thinTreeSearch struct {
	slimming.Options
	workload, weights string
	asJSON            bool
}

// thinTreeReport is the JSON document.
type thinTreeReport struct {
	Workloads []string `json:"workloads"` // what was played
	Seeds     int      `json:"seeds"`     // how often each was played
	// Currency is that of costs; left out without a machine file.
	Currency string `json:"currency,omitempty"`
	// Trees is from the thinnest to the full one.
	Trees []slimming.Tree `json:"trees"`
	// Best has the up ports of the best tree for every cost: constant, linear, quadratic and, with a machine file,
	// money.
	Best map[string]int `json:"best"`
}

func (x *thinTreeSearch) run(cmd *cobra.Command, args []string) error {
	var wrong []error
	x.Suite.Workloads, x.Suite.Placement = packet.ParseWorkloads(x.workload), "consecutive"
	var err error
	if x.Suite.Weights, err = packet.ParseWeights(x.weights, x.Suite.Workloads); err != nil {
		wrong = append(wrong, cli.Spelled(err, cli.PacketFlags))
	}
	if x.Switches, err = packet.Like("thin-trees"); err != nil {
		return err
	}
	report := &thinTreeReport{Workloads: x.Suite.Workloads, Seeds: x.Suite.Seeds, Best: map[string]int{}}
	if len(args) > 0 {
		s, err := cli.LoadSpec(args)
		switch {
		case err != nil:
			return err
		case len(s.Fabrics) > 0:
			wrong = append(wrong, fmt.Errorf("%s has several fabrics (%s), and the search is of one topology", args[0],
				strings.Join(s.FabricNames(), ", ")))
		}
		x.Money = func(ctx context.Context, p topology.Params) (float64, error) {
			return networkCost(ctx, s, p, &report.Currency)
		}
	}
	if len(wrong) > 0 {
		return cli.InputError(errors.Join(wrong...))
	}
	progress := meter.New(cmd.ErrOrStderr())
	x.Progress = func(done, total int) { progress.Stage("playing workloads", done, total) }
	report.Trees, err = slimming.Compare(cmd.Context(), x.Options)
	progress.Clear()
	if err != nil {
		flags := map[string]string{"Down": "down", "Levels": "levels"}
		for field, flag := range cli.PacketFlags {
			flags[field] = flag
		}
		return cli.AsInput(cli.Spelled(err, flags))
	}
	for _, by := range []string{slimming.Constant, slimming.Linear, slimming.Quadratic, slimming.Money} {
		if i := slimming.Best(report.Trees, by); i >= 0 {
			report.Best[by] = report.Trees[i].Up
		}
	}
	if x.asJSON {
		return render.Document(cmd.Context(), cmd.OutOrStdout(), report)
	}
	return report.print(cmd.OutOrStdout())
}

// networkCost plans a machine with another topology and says what its network costs.
func networkCost(ctx context.Context, s *spec.Spec, p topology.Params, currency *string) (float64, error) {
	own := *s
	own.Topology = topology.Spec{Params: p}
	r, err := machine.PlanWith(ctx, &own, machine.Options{Summary: true})
	if err != nil {
		return 0, err
	}
	*currency = r.Bill.Currency
	return r.Bill.Network.Float(), nil
}

// print prints a table.
func (r *thinTreeReport) print(w io.Writer) error {
	var b strings.Builder
	head := []string{"topology", "switches", "ports", "phi", "phi/switches", "phi/ports", "phi/square of ports"}
	money := r.Currency != ""
	if money {
		head = append(head, "network "+r.Currency, "phi/money")
	}
	table := [][]string{head}
	for _, t := range r.Trees {
		row := []string{
			t.Topology, english.Grouped(int64(t.Switches)), fmt.Sprint(t.Radix), fmt.Sprintf("%.4f", t.Phi),
			fmt.Sprintf("%.4f", t.PhiPerCost.Constant), fmt.Sprintf("%.4f", t.PhiPerCost.Linear),
			fmt.Sprintf("%.4f", t.PhiPerCost.Quadratic),
		}
		if money {
			row = append(row, english.Grouped(int64(*t.Cost+0.5)), fmt.Sprintf("%.4f", *t.PhiPerMoney))
		}
		table = append(table, row)
	}
	fmt.Fprintf(&b, "performance over cost, of %s with %s each; the full tree has 1\n\n",
		english.List(r.Workloads), english.Count(r.Seeds, "run"))
	cli.WriteTable(&b, table)
	full := r.Trees[len(r.Trees)-1]
	b.WriteString("\n")
	for _, by := range []struct{ cost, words string }{
		{slimming.Constant, "if a switch costs the same for any number of ports"},
		{slimming.Linear, "if it costs as much as it has ports"},
		{slimming.Quadratic, "if it costs the square of its ports"},
		{slimming.Money, "in money"},
	} {
		if up, ok := r.Best[by.cost]; ok {
			fmt.Fprintf(&b, "best %s: %d:%d\n", by.words, full.Down, up)
		}
	}
	return cli.Print(w, b.String())
}
