package edited

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/owned"
)

// listSheet is the sheet of cables for paper, on which people note what is done.
const listSheet = "Cable list"

// mostTold is the most cells that are reported as not editable.
const mostTold = 50

// elsewhere are columns that are compared by others than pairing, in small letters, by sheets.
var elsewhere = map[string][]string{
	owned.PartsSheet: {"part", "quantity", "unit cost"},
	racksSheet:       {positionColumn},
	listSheet:        {"done", "by", "when", "remark"}, // progress, which a plan does not have
}

// others finds edits that cannot be taken: cells that differ from the workbook of the plan. Rows may be in another
// order, cells of formulas have what a spreadsheet made of them, and sheets and columns may be left out or put in,
// which nobody reads: that is reported, and is not a fault.
func (r *reader) others(ctx context.Context, b *book) error {
	was, err := r.asPlanned()
	if err != nil || was == nil {
		return err
	}
	defer was.Close()
	p := &pairing{
		was: &book{path: b.path, f: was, found: b.found, most: mostRows}, is: b, owned: r.owned, left: r.addLeft,
	}
	r.sheets(b.f.GetSheetList(), was.GetSheetList())
	listed := newCableTexts(r.plan)
	for _, name := range was.GetSheetList() {
		cables := cableSheets.MatchString(name)
		switch {
		case cables && (r.owned || listed != nil), !slices.Contains(b.f.GetSheetList(), name):
			continue
		case name == owned.BoxesSheet:
			p.besides(name)
			continue
		}
		p.compare(name)
	}
	if listed != nil && !r.owned {
		if err := p.cables(ctx, listed); err != nil {
			return err
		}
	}
	if p.told > mostTold {
		r.found.Addf(diag.Position{File: b.path}, "%d more cells differ from the plan\n"+
			"is it the workbook of this machine file, and of this version?", p.told-mostTold)
	}
	return nil
}

// sheets tells which sheets of the plan are not there, and which are there besides.
func (r *reader) sheets(is, was []string) {
	var more []string
	for _, name := range is {
		if !slices.Contains(was, name) {
			more = append(more, name)
			r.addLeft(diag.Position{File: r.Path, Sheet: name, Line: 1, Column: 1},
				"the plan has no sheet of this name: nothing on it is read")
		}
	}
	for _, name := range was {
		if slices.Contains(is, name) {
			continue
		}
		hint := ""
		if near, ok := diag.Closest(name, more); ok {
			hint = fmt.Sprintf(" (is it %q now?)", near)
		}
		r.addLeft(diag.Position{File: r.Path}, "there is no sheet %s%s: nothing on it is compared", name, hint)
	}
}

// pairing compares sheets with those of the plan.
type pairing struct {
	was, is *book
	owned   bool
	left    func(at diag.Position, format string, args ...any) // notes what is not read
	told    int
	name    string
	heads   []string // of columns of the plan, in small letters; nil where rows have none
	at      []int    // columns of the workbook, by those of the plan, -1 for none
}

// addFault records an error about a cell, up to mostTold of them.
func (p *pairing) addFault(row, column int, format string, args ...any) {
	if p.told++; p.told <= mostTold {
		p.is.found.Addf(diag.Position{File: p.is.path, Sheet: p.name, Line: row + 1, Column: column + 1}, format,
			args...)
	}
}

// compare pairs the rows of a sheet with those of the plan: first those that are alike, then those that begin alike,
// and the others in their order.
func (p *pairing) compare(name string) {
	p.name = name
	was, ok := p.was.lines(name, 0)
	if !ok {
		return
	}
	p.is.most = min(len(was)+mostMore, mostRows)
	is, ok := p.is.lines(name, 0)
	if !ok || len(was) == 0 {
		return
	}
	p.columns(was, is)
	left := map[string][]int{} // rows of the plan
	for n, row := range was {
		left[p.key(row, false)] = append(left[p.key(row, false)], n)
	}
	var changed []int
	alike := map[int]int{} // rows of the plan by those that are the same
	for n, row := range is {
		key := p.key(row, true)
		switch same := left[key]; {
		case len(same) > 0:
			left[key] = same[1:]
			alike[n] = same[0]
		case strings.Trim(key, "\x00") != "":
			changed = append(changed, n)
		}
	}
	var gone []int
	for key, rows := range left {
		if strings.Trim(key, "\x00") != "" {
			gone = append(gone, rows...)
		}
	}
	slices.Sort(gone)
	begins := map[string][]int{}
	for _, n := range gone {
		begins[normal(was[n][0])] = append(begins[normal(was[n][0])], n)
	}
	paired := map[int]bool{}
	var odd []int
	for _, n := range changed {
		begin := normal(p.cell(is[n], 0))
		if same := begins[begin]; len(same) > 0 {
			p.row(is[n], was[same[0]], n, same[0])
			begins[begin] = same[1:]
			paired[same[0]], alike[n] = true, same[0]
		} else {
			odd = append(odd, n)
		}
	}
	gone = slices.DeleteFunc(gone, func(n int) bool { return paired[n] })
	for i, n := range odd {
		if i < len(gone) {
			p.row(is[n], was[gone[i]], n, gone[i])
		} else {
			p.addFault(n, 0, "the plan has no such row: what is added here is not taken")
		}
	}
	for _, n := range gone[min(len(odd), len(gone)):] {
		p.addFault(0, 0, "the row of %q is missing, row %d of the plan: leave it", clip(was[n][0]), n+1)
	}
	p.beside(was, is)
	p.formulas(alike)
}

// columns finds the columns of the plan by their heads, where the first row has some, or takes them as they are.
func (p *pairing) columns(was, is [][]string) {
	width := 0
	for _, row := range was {
		width = max(width, len(row))
	}
	p.at, p.heads = make([]int, width), nil
	for j := range p.at {
		p.at[j] = j
	}
	lower := func(cells []string) (out []string) {
		for _, c := range cells {
			out = append(out, strings.ToLower(strings.TrimSpace(c)))
		}
		return out
	}
	heads := lower(was[0])
	if sorted := slices.Compact(slices.Sorted(slices.Values(heads))); len(heads) < 2 || len(sorted) < len(heads) ||
		sorted[0] == "" || len(is) == 0 {
		return
	}
	p.heads = heads
	there := lower(is[0])
	for j, head := range heads {
		if p.at[j] = slices.Index(there, head); p.at[j] < 0 {
			p.addFault(0, j, "there is no column %q\nleave the heads of the columns as they are", head)
		}
	}
}

// cell is what a row of the workbook has in a column of the plan.
func (p *pairing) cell(row []string, column int) string {
	if at := p.at[column]; at >= 0 && at < len(row) {
		return row[at]
	}
	return ""
}

// read reports whether a column of the plan is compared here.
func (p *pairing) read(column int) bool {
	if p.at[column] < 0 {
		return false
	}
	if p.heads == nil || column >= len(p.heads) {
		return true
	}
	return !slices.Contains(elsewhere[p.name], p.heads[column]) &&
		!(p.owned && p.name == owned.PartsSheet && p.heads[column] == "spares")
}

// key is a row as far as it is compared.
func (p *pairing) key(row []string, mine bool) string {
	var b strings.Builder
	for j := range p.at {
		switch {
		case !p.read(j):
		case mine:
			b.WriteString(normal(p.cell(row, j)))
		case j < len(row):
			b.WriteString(normal(row[j]))
		}
		b.WriteByte(0)
	}
	return b.String()
}

// row tells the cells of a row that differ, but for those that a spreadsheet has computed.
func (p *pairing) row(is, was []string, line, planned int) {
	for j := range p.at {
		var want string
		if j < len(was) {
			want = was[j]
		}
		got := p.cell(is, j)
		if !p.read(j) || normal(got) == normal(want) || alike(got, want) {
			continue
		}
		if text(p.was.f, p.name, j, planned) != "" && text(p.is.f, p.name, p.at[j], line) != "" {
			continue
		}
		p.addFault(line, p.at[j], "%q, but the plan has %q: this is not edited here", clip(got), clip(want))
	}
}

// normal has numbers in one form, as far as spreadsheets agree on them.
func normal(cell string) string {
	cell = strings.TrimSpace(cell)
	if v, err := strconv.ParseFloat(cell, 64); err == nil {
		return strconv.FormatFloat(v, 'g', 9, 64)
	}
	return cell
}

// alike reports whether a text differs only by where a plan was made: the directory of a file, and the program.
func alike(got, want string) bool {
	return strings.Contains(want, machine.Version) ||
		strings.ContainsAny(want, `/\`) && filepath.Base(filepath.ToSlash(got)) == filepath.Base(filepath.ToSlash(want))
}
