package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/asbuilt"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
)

// grow compares the plans of the stages of a machine that grows, each with the one before. It writes growth.csv,
// growth.json and a folder for each stage, and prints the comparison. Faults in the order of work are an error with
// status 1, after all output.
func (d *diffCommand) grow(cmd *cobra.Command, plans []*machine.Result) error {
	g, err := asbuilt.Grow(cmd.Context(), plans, d.opt)
	if err != nil {
		return d.inputError(err)
	}
	files, err := writeInto(cmd.Context(), d.dir, []diffFile{
		{"growth.csv", func(w io.Writer) error { return g.WriteCSV(cmd.Context(), w) }},
		{"growth.json", func(w io.Writer) error { return render.Document(cmd.Context(), w, g) }},
	})
	if err != nil {
		return err
	}
	var faults []string
	for i := range g.Stages {
		st := &g.Stages[i]
		for _, fault := range st.Diff.Faults {
			faults = append(faults, fmt.Sprintf("stage %d: %s", st.Stage, fault))
		}
		dir := d.dir
		if dir != "" {
			dir = filepath.Join(dir, fmt.Sprintf("stage-%d", st.Stage))
		}
		more, err := d.write(cmd.Context(), dir, st.Diff)
		if err != nil {
			return err
		}
		files = append(files, more...)
	}
	if d.asJSON {
		err = render.Document(cmd.Context(), cmd.OutOrStdout(), g)
	} else {
		err = printGrowth(cmd.OutOrStdout(), g, files)
	}
	if err == nil && len(faults) > 0 {
		return &cli.StatusError{Status: cli.ExitBroken, Err: errors.New(strings.Join(faults, "\nplenum: "))}
	}
	return err
}

// printGrowth prints a table with a line for each stage of changes and their cost, another one of ports and patch
// panels, and the parts that stages reuse.
func printGrowth(w io.Writer, g *asbuilt.Growth, files []string) error {
	var b strings.Builder
	count := func(n int) string { return english.Grouped(int64(n)) }
	b.WriteString("Stages\n")
	table := [][]string{{
		"stage", "to", "boxes added", "moved", "cables added", "removed", "elsewhere", "rewired links",
	}}
	money := [][]string{{"stage", "buy " + g.Currency, "labour " + g.Currency}}
	for i := range g.Stages {
		st := &g.Stages[i]
		x, c := &st.Diff.Boxes, &st.Diff.Cables
		table = append(table, []string{
			fmt.Sprint(st.Stage), st.Diff.New, count(x.Added), count(x.Moved + x.Replaced), count(c.Added),
			count(c.Removed),
			count(c.Elsewhere()), english.Grouped(st.Diff.RewiredLinks),
		})
		money = append(money, []string{fmt.Sprint(st.Stage), st.BuyCost.String(), st.Diff.LabourCost.String()})
	}
	cli.WriteTable(&b, table)
	b.WriteString("\nCost of stages\n")
	cli.WriteTable(&b, append(money, []string{"all", g.BuyCost.String(), g.LabourCost.String()}))
	printStageLines(&b, g)
	b.WriteString("\nPorts and patch panels\n")
	table = [][]string{{
		"stage", "ports ahead", "taken up", "given up", "panel racks", "panels", "moves a rack and step", "steps",
		"that pull out", "least up %", "interrupted",
	}}
	ahead := g.PortsAhead
	for i := range g.Stages {
		st := &g.Stages[i]
		moves, up := "-", 100.0
		if st.PanelMoves != nil {
			moves = fmt.Sprintf("%.1f", *st.PanelMoves)
		}
		for k := range st.Diff.Steps {
			up = min(up, st.Diff.Steps[k].Share)
		}
		table = append(table, []string{
			fmt.Sprint(st.Stage), english.Grouped(ahead), count(st.Diff.Ports.TakenUp), count(st.Diff.Ports.GivenUp),
			count(st.PanelRacks), count(st.Panels), moves, count(len(st.Diff.Steps)), count(st.RewireSteps),
			fmt.Sprintf("%.1f", up), count(st.Diff.Interrupted()),
		})
		ahead = st.PortsAhead
	}
	cli.WriteTable(&b, table)
	for i := range g.Stages {
		st := &g.Stages[i]
		var reused []string
		for _, r := range st.Reused {
			reused = append(reused, english.Grouped(r.Quantity)+" of "+r.Item.String())
		}
		if len(reused) > 0 {
			fmt.Fprintf(&b, "\nstage %d takes from what became free: %s\n", st.Stage, listFirst(reused))
		}
	}
	if len(files) > 0 {
		b.WriteString("\n" + cli.WrittenFiles(files))
	}
	return cli.Print(w, b.String())
}

// printStageLines prints a table of the power cords and hoses that stages change, if some stage has any.
func printStageLines(b *strings.Builder, g *asbuilt.Growth) {
	table := [][]string{{"stage", "cords added", "removed", "elsewhere", "hoses added", "removed", "elsewhere"}}
	some := false
	for i := range g.Stages {
		st := &g.Stages[i]
		row := []string{fmt.Sprint(st.Stage)}
		for _, c := range []*asbuilt.CableCount{st.Diff.PowerCords, st.Diff.Hoses} {
			if c == nil {
				c = &asbuilt.CableCount{}
			} else {
				some = true
			}
			for _, n := range []int{c.Added, c.Removed, c.Elsewhere()} {
				row = append(row, english.Grouped(int64(n)))
			}
		}
		table = append(table, row)
	}
	if some {
		b.WriteString("\nPower cords and hoses\n")
		cli.WriteTable(b, table)
	}
}
