package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/asbuilt"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/meter"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/render/worksheet"
)

// diffCommand holds the flags of plenum diff.
type diffCommand struct {
	dir    string
	asJSON bool
	opt    asbuilt.Options
}

func newDiff() *cobra.Command {
	d := diffCommand{opt: asbuilt.Options{Paths: 1}}
	cmd := &cobra.Command{
		Use:   "diff OLD NEW...",
		Short: "Say what changes between two plans, and in which steps",
		Long: `Say what changes between two plans: boxes that are kept, moved, replaced, added and
removed, cables that are kept, plugged in elsewhere, added and removed, what there is
to buy and what becomes free, and the steps from one plan to the other while the
machine works. OLD and NEW are each the directory that plenum plan wrote, its
plan.json, a machine file or an example; the machines are planned again, which gives
the same plans.

  plenum diff plan-64 plan-96 --paths 2 --capacity 75 -o work

A step pulls cables out, moves boxes and plugs cables in. Meanwhile every two boxes
that both plans have keep --paths edge-disjoint paths, as far as both plans have so
many. A box that has a single link which moves cannot keep one; it is listed as
interrupted, with the steps.

--capacity keeps that share of links up: of the links of each level that boxes of a
kind have, counted at the boxes that stay where they are. --keep names the fabrics that
keep paths and capacity, if not all of them do.

--panels N adds what a layer of N patch panels between two kinds of switches would
change: how many jumpers move, a lower bound on that, and in how many stages.

With more than two plans the machine grows from each to the next, in stages: a line for
each says what is rewired, which ports were bought ahead, what is done at patch panels
and what it costs. What becomes free in one stage is used in the next ones.

  plenum diff plan-64 plan-96 plan-128 -o growth

Exit status 1 means that no steps keep what was asked for; they are shown all the
same. docs/growing.md shows a machine that grows.`,
		Args: cli.Usage(cobra.MinimumNArgs(2)),
		RunE: d.run,
	}
	f := cmd.Flags()
	f.IntVar(&d.opt.Paths, "paths", 1, "edge-disjoint paths that every two boxes keep at any moment")
	f.Float64Var(&d.opt.Capacity, "capacity", 0, "least share of the links that stay up at any moment, in per cent")
	f.StringSliceVar(&d.opt.Fabrics, "keep", nil, "fabrics that keep paths and capacity; all when left out")
	f.IntVar(&d.opt.Panels, "panels", 0, "patch panels of a layer between switches, through which it could grow")
	f.StringVarP(&d.dir, "output", "o", "",
		"directory to write work.csv, work.pdf, labels.csv, boxes.csv, parts.csv,\n"+
			"cords.csv, hoses.csv and diff.json into;\n"+
			"of several stages growth.csv and growth.json, and the work of each in stage-1 and so on")
	f.BoolVar(&d.asJSON, "json", false, "print the difference as one JSON document")
	return cmd
}

// run plans the machines and compares them: two as an old and a new plan, more as stages of growth (grow). Steps that
// do not keep what the flags demand are an error with status 1, after all output.
func (d *diffCommand) run(cmd *cobra.Command, args []string) error {
	if err := d.check(); err != nil {
		return cli.InputError(err)
	}
	var plans []*machine.Result
	progress := meter.New(cmd.ErrOrStderr())
	for _, name := range args {
		s, err := cli.PlannedSpec(name)
		if err != nil {
			return err
		}
		plan, err := machine.PlanWith(cmd.Context(), s, machine.Options{Progress: progress.Stage})
		progress.Clear()
		if err != nil {
			return cli.AsInput(err)
		}
		if plan.Schedule.Segments == nil {
			return cli.Inputf("%s has more than %s links, so that its plan has no list of cables to compare",
				name, english.Grouped(machine.MaxScheduled))
		}
		plans = append(plans, plan)
	}
	if len(plans) > 2 {
		return d.grow(cmd, plans)
	}
	diff, err := asbuilt.Compare(cmd.Context(), plans[0], plans[1], d.opt)
	if err != nil {
		return d.inputError(err)
	}
	doc := diff.Document()
	files, err := d.write(cmd.Context(), d.dir, doc)
	if err != nil {
		return err
	}
	if d.asJSON {
		err = render.Document(cmd.Context(), cmd.OutOrStdout(), doc)
	} else {
		err = printDiff(cmd.OutOrStdout(), doc, files)
	}
	if err == nil && len(doc.Faults) > 0 {
		return &cli.StatusError{Status: cli.ExitBroken, Err: errors.New(strings.Join(doc.Faults, "\nplenum: "))}
	}
	return err
}

// inputError marks the errors of a comparison that the user has to mend, with the flag that they are about.
func (d *diffCommand) inputError(err error) error {
	if errors.As(err, new(*asbuilt.NoFabricError)) {
		return cli.Inputf("--keep: %w", err)
	}
	if errors.As(err, new(*asbuilt.TooManyPathsError)) {
		return cli.Inputf("--paths: %w", err)
	}
	if errors.As(err, new(*asbuilt.CurrencyError)) {
		return cli.InputError(err)
	}
	return err
}

// check refuses values out of range.
func (d *diffCommand) check() error {
	var wrong []error
	if d.opt.Paths < 1 || d.opt.Paths > asbuilt.MostPaths {
		wrong = append(wrong, fmt.Errorf("--paths: must be from 1 to %d, not %d", asbuilt.MostPaths, d.opt.Paths))
	}
	if !(d.opt.Capacity >= 0 && d.opt.Capacity <= 100) {
		wrong = append(wrong, fmt.Errorf("--capacity: must be from 0 to 100, not %v", d.opt.Capacity))
	}
	if d.opt.Panels < 0 || d.opt.Panels > asbuilt.MostLayerPanels {
		wrong = append(wrong, fmt.Errorf("--panels: must be from 1 to %d, not %d", asbuilt.MostLayerPanels,
			d.opt.Panels))
	}
	return errors.Join(wrong...)
}

// write writes the files of a difference into a directory and returns their paths; none if dir is "". work.pdf is left
// out if it would have too many lines.
func (d *diffCommand) write(ctx context.Context, dir string, doc *asbuilt.Document) ([]string, error) {
	files := []diffFile{
		{"work.csv", func(w io.Writer) error { return doc.Work.WriteTable(ctx, w) }},
		{"work.pdf", func(w io.Writer) error { return doc.Work.WriteSheets(ctx, w, "Plenum "+machine.Version) }},
		{"labels.csv", func(w io.Writer) error { return doc.Work.WriteLabels(ctx, w) }},
		{"boxes.csv", func(w io.Writer) error { return doc.WriteBoxes(ctx, w) }},
		{"parts.csv", func(w io.Writer) error { return doc.WriteParts(ctx, w) }},
		{"diff.json", func(w io.Writer) error { return render.Document(ctx, w, doc) }},
	}
	for _, lines := range []struct {
		name    string
		changes []asbuilt.LineChange
	}{{"cords.csv", doc.CordChanges}, {"hoses.csv", doc.HoseChanges}} {
		if len(lines.changes) > 0 {
			files = slices.Insert(files, len(files)-1, diffFile{lines.name, func(w io.Writer) error {
				return doc.WriteLines(ctx, w, lines.changes)
			}})
		}
	}
	if doc.Work.Lines() > worksheet.Most { // nobody walks with so many sheets
		files = slices.DeleteFunc(files, func(f diffFile) bool { return f.name == "work.pdf" })
	}
	return writeInto(ctx, dir, files)
}

// diffFile is a file of a difference.
type diffFile struct {
	name  string
	write func(w io.Writer) error
}

// writeInto writes files into a directory and returns their paths; none if dir is "".
func writeInto(ctx context.Context, dir string, files []diffFile) ([]string, error) {
	var out []string
	if dir == "" {
		return nil, nil
	}
	for _, f := range files {
		path := filepath.Join(dir, f.name)
		err := outfile.Write(ctx, path, f.write)
		if err != nil {
			return nil, err
		}
		out = append(out, path)
	}
	return out, nil
}

// mostListed is how many boxes are named in one line for people.
const mostListed = 8

// listFirst lists names, the first mostListed and the number of the others if these are more than one.
func listFirst(names []string) string {
	if n := len(names) - mostListed; n > 1 {
		return strings.Join(names[:mostListed], ", ") + fmt.Sprintf(" and %d more", n)
	}
	return english.List(names)
}

// printDiff prints a difference for people.
func printDiff(w io.Writer, doc *asbuilt.Document, files []string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s -> %s\n\n", doc.Old, doc.New)
	x, c := &doc.Boxes, &doc.Cables
	count := func(n int) string { return english.Grouped(int64(n)) }
	cli.WriteTable(&b, [][]string{
		{"", "kept", "moved", "replaced", "added", "removed"},
		{"boxes", count(x.Kept), count(x.Moved), count(x.Replaced), count(x.Added), count(x.Removed)},
	})
	b.WriteString("\n")
	table := [][]string{{"", "kept", "re-plugged", "relaid", "exchanged", "added", "removed"}}
	line := func(what string, c *asbuilt.CableCount) {
		if c != nil {
			table = append(table, []string{
				what, count(c.Kept), count(c.Replugged), count(c.Relaid), count(c.Exchanged), count(c.Added),
				count(c.Removed),
			})
		}
	}
	line("cables", c)
	line("power cords", doc.PowerCords)
	line("hoses", doc.Hoses)
	cli.WriteTable(&b, table)
	printMoved(&b, "cords", doc.CordChanges)
	printMoved(&b, "hoses", doc.HoseChanges)
	fmt.Fprintf(&b, "\nrewired  %s between boxes that both plans have\n",
		english.Count(doc.RewiredLinks, "link"))
	if moves := doc.Moves(); moves != "" {
		fmt.Fprintf(&b, "moved    %s\n", moves)
	}
	fmt.Fprintf(&b, "ports    %s of boxes that are there already taken up, %s given up\n", count(doc.Ports.TakenUp),
		count(doc.Ports.GivenUp))
	for _, p := range doc.Panels {
		fmt.Fprintf(&b, "panels   %s: %s, %s pulled out, %s plugged in\n", p.Rack, english.Count(p.Panels, "panel"),
			count(p.Out), count(p.In))
	}
	printLayers(&b, doc.Layers)
	printMoney(&b, doc)
	printSteps(&b, doc)
	if len(files) > 0 {
		b.WriteString("\n" + cli.WrittenFiles(files))
	}
	return cli.Print(w, b.String())
}

// printMoved prints the power cords or hoses that both plans have, with other ends or products.
func printMoved(b *strings.Builder, what string, changes []asbuilt.LineChange) {
	var names []string
	for i := range changes {
		if c := &changes[i]; c.From != "" && c.To != "" {
			from, to := c.From, c.To
			if from == to {
				from, to = cmp.Or(c.Old, from), cmp.Or(c.New, to)
			}
			names = append(names, fmt.Sprintf("%s from %s to %s", c.At, from, to))
		}
	}
	if names != nil {
		fmt.Fprintf(b, "\n%-7s  %s\n", what, listFirst(names))
	}
}

// printLayers prints what layers of patch panels would change.
func printLayers(b *strings.Builder, layers []asbuilt.Layer) {
	if len(layers) == 0 {
		return
	}
	fmt.Fprintf(b, "\nWith a layer of %s between switches\n", english.Count(layers[0].Panels, "panel"))
	table := [][]string{{
		"between", "blocks", "switches above", "links", "jumpers moved", "at least", "%", "stages", "without a layer",
	}}
	var unknown []string
	count := func(n int) string { return english.Grouped(int64(n)) }
	for i := range layers {
		l := &layers[i]
		name := l.Lower + " - " + l.Upper
		if l.Why != "" {
			unknown = append(unknown, fmt.Sprintf("not known of %s: %s\n", name, l.Why))
			continue
		}
		stages := count(l.Stages)
		if !l.Keeps {
			stages += ", below --capacity"
		}
		grown := func(n [2]int) string { return count(n[0]) + " -> " + count(n[1]) }
		table = append(table, []string{
			name, grown(l.LowerBlocks) + " of a " + l.Block, grown(l.UpperBlocks), count(l.Links), count(l.Moved),
			count(l.LeastMoved), fmt.Sprintf("%.1f", l.Share()), stages, count(l.MovedCables) + " cables",
		})
	}
	if len(table) > 1 {
		cli.WriteTable(b, table)
	}
	b.WriteString(strings.Join(unknown, ""))
}

// printMoney prints what there is to buy, what becomes free and what the work costs.
func printMoney(b *strings.Builder, doc *asbuilt.Document) {
	if len(doc.Parts) > 0 {
		b.WriteString("\nParts\n")
		table := [][]string{{"part", "old", "new", "buy", "free", "cost " + doc.Currency}}
		for i := range doc.Parts {
			p := &doc.Parts[i]
			cost := "-"
			if p.Cost != nil && p.Buy > 0 {
				cost = p.Cost.String()
			}
			table = append(table, []string{
				p.Item.String(), english.Grouped(p.Old), english.Grouped(p.New), english.Grouped(p.Buy),
				english.Grouped(p.Free), cost,
			})
		}
		table = append(table, []string{"to buy", "", "", "", "", doc.BuyCost.String()})
		cli.WriteTable(b, table)
	}
	if len(doc.Labour) > 0 {
		b.WriteString("\nLabour, a cable pulled out or plugged in elsewhere at the price of installing one\n")
		table := [][]string{{"task", "cables", "cost " + doc.Currency}}
		for _, l := range doc.Labour {
			cost := "-"
			if l.Cost != nil {
				cost = l.Cost.String()
			}
			table = append(table, []string{l.Task, english.Grouped(l.Moves), cost})
		}
		table = append(table, []string{"labour", "", doc.LabourCost.String()})
		cli.WriteTable(b, table)
	}
}

// printSteps prints the steps in figures, and whom they interrupt.
func printSteps(b *strings.Builder, doc *asbuilt.Document) {
	if len(doc.Steps) == 0 {
		b.WriteString("\nNothing has to be done.\n")
		return
	}
	b.WriteString("\nSteps\n")
	table := [][]string{{"step", "pull out", "take away", "stand", "plug in", "paths kept", "links up %"}}
	for i := range doc.Steps {
		st := &doc.Steps[i]
		count := func(n int) string { return english.Grouped(int64(n)) }
		table = append(table, []string{
			fmt.Sprint(st.Step), count(len(st.Out)), count(len(st.Away)), count(len(st.Stand)), count(len(st.In)),
			fmt.Sprint(st.Paths), fmt.Sprintf("%.1f", st.Share),
		})
	}
	cli.WriteTable(b, table)
	var order []asbuilt.Interrupt
	boxes := map[asbuilt.Interrupt][]string{}
	for _, i := range doc.Interrupts {
		key := i
		key.Box = ""
		if boxes[key] == nil {
			order = append(order, key)
		}
		boxes[key] = append(boxes[key], i.Box)
	}
	for _, key := range order {
		when := fmt.Sprintf("in step %d", key.First)
		if key.Last > key.First {
			when = fmt.Sprintf("from step %d to %d", key.First, key.Last)
		}
		if key.Fabric != "" {
			when += " on " + key.Fabric
		}
		fmt.Fprintf(b, "\ninterrupted %s: %s\n", when, listFirst(boxes[key]))
	}
}
