package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/render"
)

// runEstimate prints an estimate of the ports and cables of a machine file or a bare topology. asked is --estimate,
// without which --model is an error, as are flags of a plan.
func runEstimate(cmd *cobra.Command, args []string, asked bool, model string, asJSON bool) error {
	var wrong []error
	if !asked {
		wrong = append(wrong, errors.New("--model goes with --estimate"))
	}
	for _, name := range []string{
		"output", "only", "summary", "effort", "objective", "rules", "alpha-ns",
		"beta-ns-per-m", "routing",
	} {
		if cmd.Flags().Changed(name) {
			wrong = append(wrong, fmt.Errorf("--%s cannot be combined with --estimate, which places nothing and "+
				"writes no files", name))
		}
	}
	if model != "" && !slices.Contains(cost.ModelNames(), model) {
		wrong = append(wrong, cli.NoValue("model", "model", model, cost.ModelNames()))
	}
	if err := errors.Join(wrong...); err != nil {
		return cli.InputError(err)
	}
	s, err := estimateSpec(args)
	if err != nil {
		return err
	}
	if model != "" {
		s.Prices.Model = model
	}
	e, err := machine.Estimate(cmd.Context(), s)
	if err != nil {
		return cli.AsInput(err)
	}
	if asJSON {
		return render.Document(cmd.Context(), cmd.OutOrStdout(), e)
	}
	return printEstimate(cmd.OutOrStdout(), s.Name, e)
}

// estimateSpec reads the machine file or example of args. An argument with { or [ that is not a file is a topology
// section.
func estimateSpec(args []string) (*spec.Spec, error) {
	if len(args) > 0 {
		if _, err := os.Stat(args[0]); err != nil && strings.ContainsAny(args[0], "{[") {
			t, err := spec.ParseTopology(args[0])
			return &spec.Spec{Topology: t}, err
		}
	}
	return cli.LoadSpec(args)
}

// printEstimate prints an estimate for people.
func printEstimate(w io.Writer, name string, e *cost.Estimate) error {
	var b strings.Builder
	if name == "" {
		name = e.Family
	}
	fmt.Fprintf(&b, "%s: estimate, model %s\n\n", name, e.Model)
	t := tabwriter.NewWriter(&b, 0, 4, 2, ' ', 0)
	row := func(format string, args ...any) { fmt.Fprintf(t, "  "+format+"\n", args...) }
	row("source\t%s", e.Source)
	if e.Layout != "" {
		row("layout\t%s", e.Layout)
	}
	row("nodes\t%s", english.Grouped(int64(e.Nodes)))
	row("routers\t%s, of up to %d ports", english.Grouped(int64(e.Routers)), e.Radix)
	row("ports\t%s used of %s", english.Grouped(e.Ports), english.Grouped(e.PortsTotal))
	if e.NetworkPorts != nil {
		row("network ports\t%d per router at most, %s in all", *e.NetworkPorts, english.Grouped(*e.AllNetworkPorts))
	}
	row("links\t%s", english.Grouped(e.Links))
	if l := e.Length; l != nil {
		row("racks\t%s", english.Grouped(int64(e.Racks)))
		row("cable\t%s cables, %s m in all, %.2f m mean, %.2f m longest", english.Grouped(e.Cables),
			english.Grouped(int64(l.Total+0.5)), l.Mean, l.Max)
	}
	if e.Power != nil {
		row("power\t%v, %.4g W per node%s", *e.Power, *e.PowerPerNode,
			cost.NewPowerNote(e.PowerBasis, e.PowerUnstated).After())
	}
	if e.Constant != nil {
		row("c_C\t%s (switches)", english.Grouped(*e.Constant))
		row("c_L\t%s (switches x radix)", english.Grouped(*e.Linear))
		row("c_Q\t%s (switches x radix^2)", english.Grouped(*e.Quadratic))
	}
	t.Flush()
	if c := e.Cost; c != nil {
		b.WriteString("\nPorts and cables\n")
		table := [][]string{
			{"", "cost " + e.Currency},
			{"switches", c.Switches.String()},
			{"adapters", c.Adapters.String()},
			{"cables and optics", c.Cables.String()},
			{"panels", c.Panels.String()},
		}
		if c.Midplanes > 0 {
			table = append(table, []string{"midplanes", c.Midplanes.String()})
		}
		excludes := report.Omitted{Parts: c.Excludes, Kinds: excludedKinds(e), Cables: c.Unmade}
		cli.WriteTable(&b, append(table, [][]string{
			{"labour", c.Labour.String()},
			{"total" + andWithout(excludes), c.Total.String()},
			{"per node" + andWithout(excludes), c.PerNode.String()},
			{"per port" + andWithout(excludes), c.PerPort.String()},
		}...))
		for _, s := range excludes.Sentences() {
			fmt.Fprintf(&b, "  %s\n", s)
		}
	}
	estimatedFabrics(&b, e)
	b.WriteString("\nLinks by level\n")
	table := [][]string{{"level", "links"}}
	if e.Length != nil {
		table[0] = append(table[0], "cables", "mean m", "longest m", "cost "+e.Currency)
	}
	for _, l := range e.Levels {
		line := []string{l.Level, english.Grouped(l.Links)}
		if e.Length != nil {
			money := "-"
			if l.Cost != nil {
				money = l.Cost.String()
			}
			line = append(line, english.Grouped(l.Cables), fmt.Sprintf("%.2f", l.Mean), fmt.Sprintf("%.2f", l.Max),
				money)
		}
		table = append(table, line)
	}
	cli.WriteTable(&b, table)
	if len(e.BOM) > 0 {
		b.WriteString("\nBill of materials\n")
		cli.WriteTable(&b, bomTable(&report.Plan{
			BOM: e.BOM, Currency: e.Currency, Cost: report.Cost{Total: *e.Cost.Bill},
		}))
		omitted := report.OmittedOf(e.BOM, e.Cost.NotInBill)
		omitted.Cables = e.Cost.Unmade
		for _, s := range omitted.Sentences() {
			fmt.Fprintf(&b, "  %s\n", s)
		}
	}
	if e.Accuracy != "" {
		fmt.Fprintf(&b, "\naccuracy: %s\n", e.Accuracy)
	}
	for _, n := range e.Notes {
		fmt.Fprintf(&b, "\nnote: %s\n", n)
	}
	return cli.Print(w, b.String())
}

// excludedKinds are the kinds of what the total of an estimate excludes; none for the published models, which have no
// bill.
func excludedKinds(e *cost.Estimate) []report.UnpricedKind {
	var rows []cost.Row
	for i := range e.BOM {
		if r := &e.BOM[i]; r.HasCost() || slices.Contains(e.Cost.Excludes, r.Item.String()) {
			rows = append(rows, *r)
		}
	}
	return report.OmittedOf(rows, nil).Kinds
}

// estimatedFabrics prints the networks of a machine of several.
func estimatedFabrics(b *strings.Builder, e *cost.Estimate) {
	if len(e.Fabrics) == 0 {
		return
	}
	table, title := [][]string{{"fabric", "nodes", "ends", "switches", "links"}}, "Fabrics"
	if e.Cost != nil {
		table[0] = append(table[0], "cables", "mean m", "longest m", "cost "+e.Currency)
		title += " (cost of their switches, cables and optics)"
	}
	for i := range e.Fabrics {
		f := &e.Fabrics[i]
		line := []string{
			f.Name, english.Grouped(int64(f.Nodes)), english.Grouped(int64(f.Ends)), english.Grouped(int64(f.Switches)),
			english.Grouped(f.Links),
		}
		if f.Cost != nil {
			line = append(line, english.Grouped(f.Cables), fmt.Sprintf("%.2f", f.Length.Mean),
				fmt.Sprintf("%.2f", f.Length.Max), f.Cost.Total.String())
		}
		table = append(table, line)
	}
	b.WriteString("\n" + title + "\n")
	cli.WriteTable(b, table)
}
