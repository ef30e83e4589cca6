package edited

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/owned"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Change is an edit that was taken.
type Change struct {
	At   diag.Position // of its cell
	What string        // such as: price of nvidia-qm9700: 25000.00, was 28000.00
}

// Edits is what a workbook changes in a machine file.
type Edits struct {
	Path    string
	Changes []Change // in the order of sheets, rows and columns
	// Left are edits that nobody reads and that do no harm: sheets and columns that were added, renamed or deleted, and
	// formulas that were changed.
	Left []Change

	prices               map[string]units.Money
	placed, named, owned bool
	lock                 []string      // addresses of boxes
	racks                []spec.RackOf // nil where none was moved
}

// Read finds what was edited in the workbook of a plan, which is what the machine file comes to without edits. The
// error is a diag.List with every edit that cannot be taken, or that of reading.
func Read(ctx context.Context, path string, plan *machine.Result) (*Edits, error) {
	size, unzipped := limits(plan.Schedule.Wired)
	if err := fits(path, size); err != nil {
		return nil, err
	}
	r := &reader{plan: plan, asPlanned: func() (*excelize.File, error) { return unedited(ctx, plan) }}
	return r.read(ctx, path, func() (*excelize.File, error) { return excelize.OpenFile(path, options(unzipped)) })
}

// unedited is the workbook of a plan as nobody has edited it, without its cables.
func unedited(ctx context.Context, plan *machine.Result) (*excelize.File, error) {
	var b bytes.Buffer
	if err := render.WorkbookWithoutCables(ctx, &b, plan); err != nil {
		return nil, err
	}
	return excelize.OpenReader(&b, options(excelize.UnzipSizeLimit))
}

// reader compares a workbook with a plan.
type reader struct {
	*Edits
	plan      *machine.Result
	asPlanned func() (*excelize.File, error)
	found     diag.List
}

// read finds what was edited in a workbook.
func (r *reader) read(ctx context.Context, path string, open func() (*excelize.File, error)) (out *Edits, err error) {
	// The library reads hostile files beyond its care in places.
	defer func() {
		if p := recover(); p != nil {
			out, err = nil, diag.List{*diag.Position{File: path}.Errorf("the workbook cannot be read: %v", p)}
		}
	}()
	r.Edits = &Edits{Path: path, prices: map[string]units.Money{}}
	f, err := open()
	if err != nil {
		return nil, diag.List{*diag.Position{File: path}.Errorf("the workbook cannot be read: %v\n"+
			"save it as .xlsx", err)}
	}
	defer f.Close()
	b := &book{path: path, f: f, found: &r.found, most: mostRows}
	b.most = min(max(len(r.plan.Bill.Rows), topology.Vertices(r.plan.Graph))+mostMore, mostRows)
	r.cables(b)
	if s := b.sheet(owned.PartsSheet, 0, "part", "unit cost"); s != nil {
		r.marks(s)
		r.bill(s)
	}
	if s := b.sheet(owned.BoxesSheet, 0, "label", "kind", "part", "container", "address"); s != nil {
		r.marks(s)
		r.readBoxes(s)
	}
	if err := r.racks(ctx, b); err != nil {
		return nil, err
	}
	if err := r.others(ctx, b); err != nil {
		return nil, err
	}
	if err := r.found.Err(); err != nil {
		return nil, err
	}
	return r.Edits, nil
}

// addChange adds an edit that is used.
func (r *reader) addChange(at diag.Position, format string, args ...any) {
	r.Changes = append(r.Changes, Change{at, fmt.Sprintf(format, args...)})
}

// addLeft adds an edit that is ignored.
func (r *reader) addLeft(at diag.Position, format string, args ...any) {
	r.Left = append(r.Left, Change{at, fmt.Sprintf(format, args...)})
}

// marks notes a column that marks what exists.
func (r *reader) marks(s *sheet) {
	if s.has(ownedColumn) {
		r.owned = true
		r.addChange(s.where(-1, ownedColumn), "marks of what is owned")
	}
}

// cableSheets names the sheets of cables.
var cableSheets = regexp.MustCompile(`^` + owned.CablesSheet + `( \d+)?$`)

// cables looks for marks on the sheets of cables.
func (r *reader) cables(b *book) {
	for _, name := range b.f.GetSheetList() {
		if cableSheets.MatchString(name) {
			if s := b.sheet(name, 1); s != nil {
				r.marks(s)
			}
		}
	}
}

// totals are in the first column behind the bill.
var totals = []string{"", "Total", "Network", "Grand total"}

// bill finds edited prices.
func (r *reader) bill(s *sheet) {
	rows := map[string]int{}
	var parts []string
	for i := range r.plan.Bill.Rows {
		name := r.plan.Bill.Rows[i].Item.String()
		rows[name] = i
		parts = append(parts, name)
	}
	seen := map[string]bool{}
	for n := range s.rows {
		part := s.get(n, "part")
		if slices.Contains(totals, part) {
			break
		}
		i, ok := rows[part]
		switch {
		case !ok:
			r.found.Addf(s.where(n, "part"), "the plan has no part %q\n%s", clip(part),
				diag.Suggest(part, parts, "leave the parts as they are: "))
			continue
		case seen[part]:
			r.found.Addf(s.where(n, "part"), "the part %q comes twice", part)
			continue
		}
		seen[part] = true
		row := &r.plan.Bill.Rows[i]
		planned := strconv.FormatInt(row.Qty, 10)
		if !r.owned && s.has("quantity") && !same(s.get(n, "quantity"), planned) {
			r.found.Addf(s.where(n, "quantity"), "%q, but the plan takes %s: a quantity follows from the machine file",
				clip(s.get(n, "quantity")), planned)
		}
		cell := s.get(n, "unit cost")
		was := "no price"
		if row.UnitCost != nil {
			was = row.UnitCost.Decimal()
		}
		if cell == "" && row.UnitCost == nil {
			continue
		}
		v, err := strconv.ParseFloat(cell, 64)
		const most = 1e12
		switch price := units.MoneyOf(v); {
		case err != nil || !(v >= 0 && v <= most):
			r.found.Addf(s.where(n, "unit cost"), "%q is not a price\nwrite a number, as the plan has: %s",
				clip(cell), was)
		case row.UnitCost != nil && (price == *row.UnitCost || math.Abs(v-row.UnitCost.Float()) < 1e-9):
		case row.Percent > 0:
			r.found.Addf(s.where(n, "unit cost"),
				"%s is a share of the lines above it, here %s\nchange prices in the machine file", part, was)
		default:
			r.prices[part] = price
			r.addChange(s.where(n, "unit cost"), "price of %s: %s, was %s", part, price.Decimal(), was)
		}
	}
	for _, part := range parts {
		if !seen[part] && !r.owned {
			r.found.Addf(diag.Position{File: s.file}, "the sheet %s has no row of %s\nput it back", s.name, part)
		}
	}
}

// Apply has the spec of the machine file say what was edited.
func (e *Edits) Apply(s *spec.Spec) error {
	if len(e.prices) > 0 {
		all := maps.Clone(s.Prices.Unit)
		if all == nil {
			all = map[string]units.Money{}
		}
		maps.Copy(all, e.prices)
		s.Prices.Unit = all
	}
	if e.named {
		if s.Names.Table != "" {
			return fmt.Errorf("%s has names, and so has %s, which names.table of the machine file names\n"+
				"write the new names there", e.Path, s.Names.Table)
		}
		s.Names.Table = e.Path
	}
	if e.owned {
		if s.Owned != nil {
			return fmt.Errorf("%s has marks of what is owned, and so has the machine file\nremove one of them", e.Path)
		}
		s.Owned = &spec.Owned{Workbook: e.Path}
	}
	if e.placed {
		s.Embedding.Placement = e.Path
		s.Embedding.Racks = nil // the sheet says where their boxes stand
		s.Embedding.Lock = e.locked()
	}
	if e.racks != nil {
		s.Embedding.Racks = e.racks
	}
	return nil
}

// locked is what embedding.lock says.
func (e *Edits) locked() []string {
	if len(e.lock) == 0 {
		return []string{"none"}
	}
	return e.lock
}

// String lists the edits, one a line.
func (e *Edits) String() string {
	var b strings.Builder
	for _, c := range e.Changes {
		fmt.Fprintf(&b, "taken: %v: %s\n", c.At, c.What)
	}
	for _, c := range e.Left {
		fmt.Fprintf(&b, "not taken: %v: %s\n", c.At, c.What)
	}
	if len(e.Changes) == 0 {
		fmt.Fprintf(&b, "taken: nothing; %s is as it was planned\n", e.Path)
	}
	return b.String()
}
