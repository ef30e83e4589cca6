// Package closeout writes what those who build a machine hand over when they are done: test results of every link, what
// still differs from the plan, the drawings and tables of what stands, labels, and spares.
//
// What is built is known from the sources that package verify reads and from the progress table of the build. Links
// that no source sees are listed as unknown, and never as tested.
package closeout

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/plenum-planner/plenum/asbuilt/verify"
	"github.com/plenum-planner/plenum/build"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/render/elevation"
	"github.com/plenum-planner/plenum/render/scene"
)

// Package is what is handed over.
type Package struct {
	plan     *machine.Result
	found    *verify.Result
	progress *build.Progress
	links    []verify.LinkState
	sources  []string
	disputed []dispute
}

// dispute is a link that the progress table has as done, and of which the other sources say something else.
type dispute struct {
	link  int         // of Package.links
	state verify.Kind // by the other sources
}

// New makes the package of a plan and of what was found of it, by a comparison of all of its networks. The progress
// table says who has plugged in each cable; it may be nil. Sources are the names of the files that were compared.
//
// Seen is what was found without the progress table; nil where nothing else was compared. A link that is right only by
// its ticks, while the other sources see its boxes and not the link, is a conflict.
func New(
	plan *machine.Result, found, seen *verify.Result, progress *build.Progress, sources []string,
) *Package {
	p := &Package{plan: plan, found: found, progress: progress, links: found.LinkStates(), sources: sources}
	if seen == nil {
		return p
	}
	for i, l := range seen.LinkStates() { // in the same order
		if p.links[i].State == verify.Right && l.State != verify.Right && l.State != verify.Unknown {
			p.links[i].State = verify.Conflict
			p.disputed = append(p.disputed, dispute{i, l.State})
		}
	}
	return p
}

// Count counts links by state, open items and spares.
func (p *Package) Count() *build.Closeout {
	c := &build.Closeout{
		Links: len(p.links), Right: p.found.Right - len(p.disputed), Unknown: p.found.Unknown,
		Differences: len(p.found.Differences) + len(p.found.Places) + len(p.disputed), Conflicts: len(p.disputed),
	}
	for _, r := range p.spares() {
		c.Spares += r.Spares
	}
	c.Complete = c.Right == c.Links && c.Differences == 0
	return c
}

// documents are the files of the plan that are part of the package, as far as the plan has them. With plan.json, the
// directory can be given to every command that takes a plan.
var documents = []string{
	"floor.pdf", "elevations.pdf", "elevations.csv", "trays.svg", "trays.csv", "bundles.csv", "cables.csv",
	"ports.csv", "panels.csv", "power.csv", "placement.csv", "labels.csv", "bom.csv", "plan.json",
}

// Files of the package beside those of the plan. The drawings of differences are there only if there are any.
const (
	summaryName     = "closeout.txt"
	linksName       = "links.csv"
	differencesName = "differences.csv"
	sparesName      = "spares.csv"
	floorName       = "differences-floor.pdf"
	elevationsName  = "differences-elevations.pdf"
)

// Write writes the package into a directory: whole, or not at all. It returns the paths of the files, and deletes
// drawings of differences that an earlier package had and this one has not. Errors are those of render.Files.
func (p *Package) Write(ctx context.Context, dir string) ([]string, error) {
	more := render.More{Files: []render.File{
		{Name: summaryName, Write: p.writeSummary},
		{Name: linksName, Write: p.table(p.linksTable)},
		{Name: differencesName, Write: p.table(p.differencesTable)},
		{Name: sparesName, Write: p.table(p.sparesTable)},
	}}
	drawn := p.plan.Room() != nil && len(p.found.Differences) > 0
	if drawn {
		more.Files = append(more.Files,
			render.File{Name: floorName, Write: p.drawFloor},
			render.File{Name: elevationsName, Write: p.drawElevations})
	} else {
		more.Stale = []string{floorName, elevationsName}
	}
	return render.Files(ctx, p.plan, dir, render.Options{Only: documents, More: more})
}

func (p *Package) table(of func() render.Table) func(ctx context.Context, w io.Writer) error {
	return func(ctx context.Context, w io.Writer) error { return render.TableCSV(ctx, w, of()) }
}

func (p *Package) drawFloor(ctx context.Context, w io.Writer) error {
	c, err := render.DrawFloor(ctx, p.plan, render.FloorOptions{Faults: p.found.Floor()}, true)
	if err != nil {
		return err
	}
	return scene.PDF(ctx, w, c.Scene)
}

func (p *Package) drawElevations(ctx context.Context, w io.Writer) error {
	return elevation.Book(ctx, w, p.plan, elevation.Options{
		Marks: p.found.Marks(), Unmarked: "Nothing that is seen differs from the plan.",
	})
}

// linksTable is the test results: every planned link, with what the sources say of it and who has plugged it in.
func (p *Package) linksTable() render.Table {
	t := render.Table{Name: "Links", Columns: []string{
		"cables", "fabric", "product", "a_place", "a_device", "a_port", "b_place", "b_device", "b_port", "result",
		"rate_gbps", "lanes", "errors", "done", "by", "when",
	}}
	ids := map[string]int32{}
	if p.progress != nil {
		for number := int64(1); number <= p.plan.Schedule.Cables; number++ {
			ids[p.plan.Schedule.CableID(number)] = int32(number)
		}
	}
	for i := range p.links {
		l := &p.links[i]
		row := []any{
			strings.Join(l.Cables, " "), l.Fabric, l.Product, l.A.Place, l.A.Box, l.A.Port, l.B.Place, l.B.Box,
			l.B.Port, string(l.State),
		}
		var rate, lanes, errors any
		if l.Rate > 0 {
			rate = l.Rate
		}
		if l.Lanes > 0 {
			lanes = int64(l.Lanes)
		}
		if l.Errors > 0 {
			errors = l.Errors
		}
		row = append(row, rate, lanes, errors)
		done, by, when := "", "", ""
		if p.progress != nil {
			done = "yes"
			for _, id := range l.Cables {
				tick, ok := p.progress.Done(ids[id])
				if !ok {
					done = "no"
				}
				if tick.When >= when {
					by, when = tick.By, tick.When // of the cable that came last
				}
			}
		}
		t.Rows = append(t.Rows, append(row, done, by, when))
	}
	return t
}

// differencesTable lists what is not as planned: a row for each planned and each found link of a difference, and for
// each box or rack that is elsewhere.
func (p *Package) differencesTable() render.Table {
	t := render.Table{Name: "Differences", Columns: []string{
		"difference", "kind", "confidence", "is", "cable", "product", "a_place", "a_device", "a_port", "b_place",
		"b_device", "b_port", "source",
	}}
	n := int64(0)
	for i := range p.found.Differences {
		d := &p.found.Differences[i]
		n++
		for _, side := range []struct {
			is    string
			links []verify.Link
		}{{"planned", d.Plan}, {"found", d.Found}} {
			for _, l := range side.links {
				t.Rows = append(t.Rows, []any{
					n, string(d.Kind), d.Confidence.String(), side.is, l.Cable, l.Product, l.A.Place, l.A.Box, l.A.Port,
					l.B.Place, l.B.Box, l.B.Port, l.Source,
				})
			}
		}
	}
	for _, d := range p.disputed {
		l := &p.links[d.link]
		for _, side := range [2][2]string{{"planned", "the progress table has it as done"}, {
			"found", "the other sources have it as " + string(d.state),
		}} {
			t.Rows = append(t.Rows, []any{
				n + 1, string(verify.Conflict), "", side[0], strings.Join(l.Cables, " "), l.Product, l.A.Place, l.A.Box,
				l.A.Port, l.B.Place, l.B.Box, l.B.Port, side[1],
			})
		}
		n++
	}
	for _, m := range p.found.Places {
		n++
		for _, side := range [2][2]string{{"planned", m.Plan}, {"found", m.Found}} {
			t.Rows = append(t.Rows, []any{
				n, "place", "", side[0], "", "", side[1], m.What, "", "", "", "", "",
			})
		}
	}
	return t
}

// spares are the lines of the bill with spares.
func (p *Package) spares() []*cost.Row {
	var out []*cost.Row
	if p.plan.Bill == nil {
		return nil
	}
	for i := range p.plan.Bill.Rows {
		if r := &p.plan.Bill.Rows[i]; r.Spares > 0 {
			out = append(out, r)
		}
	}
	return out
}

// sparesTable lists the spares that are handed over.
func (p *Package) sparesTable() render.Table {
	t := render.Table{Name: "Spares", Columns: []string{
		"part", "kind", "description", "maker", "part_number", "in_machine", "spares",
	}}
	for _, r := range p.spares() {
		t.Rows = append(t.Rows, []any{
			r.Item.String(), string(r.Kind), r.Description, r.Maker, r.PartNumber, r.Qty, r.Spares,
		})
	}
	return t
}

// writeSummary writes the cover sheet.
func (p *Package) writeSummary(_ context.Context, w io.Writer) error {
	var b strings.Builder
	c := p.Count()
	s := p.plan.Schedule
	fmt.Fprintf(&b, "%s: closeout package\n\n", p.plan.Spec.Name)
	if c.Complete {
		b.WriteString("Every planned link was seen and is as planned.\n\n")
	} else {
		b.WriteString("NOT COMPLETE: see the open items.\n\n")
	}
	fmt.Fprintf(&b, "Links        %s planned\n", english.Grouped(int64(c.Links)))
	fmt.Fprintf(&b, "  right      %s\n", english.Grouped(int64(c.Right)))
	fmt.Fprintf(&b, "  differ     %s\n", english.Grouped(int64(c.Links-c.Right-c.Unknown)))
	fmt.Fprintf(&b, "  unknown    %s, which no source sees\n", english.Grouped(int64(c.Unknown)))
	if p.progress != nil {
		fmt.Fprintf(&b, "Cables       %s of %s ticked as done\n", english.Grouped(int64(p.progress.Cables())),
			english.Grouped(s.Cables))
	}
	fmt.Fprintf(&b, "Open items   %s\n", english.Grouped(int64(c.Differences)))
	if c.Conflicts > 0 {
		var cables []string
		for _, d := range p.disputed {
			cables = append(cables, strings.Join(p.links[d.link].Cables, " "))
		}
		fmt.Fprintf(&b, "  conflicts  %s: done by the progress table, otherwise by the other sources: %s\n",
			english.Grouped(int64(c.Conflicts)), english.List(cables[:min(len(cables), 10)]))
	}
	fmt.Fprintf(&b, "Spares       %s, of the bill\n", english.Count(c.Spares, "piece"))
	fmt.Fprintf(&b, "Sources      %s\n", english.List(p.sources))
	for _, note := range p.found.Notes {
		fmt.Fprintf(&b, "Note         %s\n", note)
	}
	b.WriteString("\nFiles\n")
	files := [][2]string{
		{linksName, "result of every link: right, a kind of difference, or unknown; rate, errors, by whom, when"},
		{differencesName, "what is not as planned, planned and found"},
	}
	if p.plan.Room() != nil && len(p.found.Differences) > 0 {
		files = append(files, [2]string{floorName, "the same on the floor"},
			[2]string{elevationsName, "the same in the racks"})
	}
	about := map[string]string{
		"floor.pdf": "floor plan", "elevations.pdf": "racks from the front and the rear",
		"elevations.csv": "the same as a table", "trays.svg": "trays with their numbers",
		"trays.csv": "every piece of tray with its fill", "bundles.csv": "bundles of cables",
		"cables.csv": "every cable with both ends", "ports.csv": "every port of every box",
		"panels.csv": "what is plugged into each patch panel", "power.csv": "which inlet is plugged into which outlet",
		"placement.csv": "where every box stands", "labels.csv": "the label of every plug",
		"bom.csv": "bill of materials", "plan.json": "the plan",
	}
	for _, name := range documents {
		if render.Lacks(p.plan, name) == "" {
			files = append(files, [2]string{name, about[name]})
		}
	}
	files = append(files, [2]string{sparesName, "spares that are handed over"})
	for _, f := range files {
		fmt.Fprintf(&b, "  %-27s%s\n", f[0], f[1])
	}
	b.WriteString("\nDrawings and tables are those of the plan")
	if !c.Complete {
		b.WriteString("; where links differ, " + differencesName + " says what is there instead")
	}
	b.WriteString(".\n")
	_, err := io.WriteString(w, b.String())
	return err
}
