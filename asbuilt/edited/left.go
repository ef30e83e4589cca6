package edited

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
)

// mostFormulaRows is the most rows of a sheet whose formulas are compared: the library looks for each from the first.
const mostFormulaRows = 5000

// besides tells of columns of a sheet whose rows are compared elsewhere.
func (p *pairing) besides(name string) {
	p.name, p.at = name, nil
	was, ok := p.was.lines(name, 1)
	is, ok2 := p.is.lines(name, 1)
	if ok && ok2 {
		p.beside(was, is)
	}
}

// beside tells what a sheet has besides the columns of the plan: columns with another head, and the first cell beyond
// all that the plan fills.
func (p *pairing) beside(was, is [][]string) {
	if len(was) == 0 || len(is) == 0 {
		return
	}
	width := 0
	for _, row := range was {
		width = max(width, len(row))
	}
	at := func(row, column int) diag.Position {
		return diag.Position{File: p.is.path, Sheet: p.name, Line: row + 1, Column: column + 1}
	}
	told := map[int]bool{}
	for j, head := range is[0] {
		head = strings.TrimSpace(head)
		same := func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), head) }
		if p.at != nil && slices.Contains(p.at, j) || head == "" || slices.ContainsFunc(was[0], same) ||
			strings.EqualFold(head, ownedColumn) {
			told[j] = head != ""
			continue
		}
		told[j] = true
		p.left(at(0, j), "the plan has no column %q: nothing in it is read", clip(head))
	}
	for n, row := range is {
		for j := width; j < len(row); j++ {
			if strings.TrimSpace(row[j]) != "" && !told[j] {
				told[j] = true
				p.left(at(n, j), "%q: nothing beside the columns of the plan is read", clip(row[j]))
			}
		}
	}
}

// formulas tells where a cell computes something else than in the plan, or has a value instead, by the rows of the plan
// that rows are paired with: the first of a sheet, and how many more there are.
func (p *pairing) formulas(rows map[int]int) {
	if len(rows) > mostFormulaRows {
		return
	}
	var first diag.Position
	var now, before string
	more := -1
	for _, n := range slices.Sorted(maps.Keys(rows)) {
		for j := range p.at {
			if p.at[j] < 0 {
				continue
			}
			want := text(p.was.f, p.name, j, rows[n])
			if want == "" {
				continue
			}
			got := text(p.is.f, p.name, p.at[j], n)
			if shape(got) == shape(want) {
				continue
			}
			if more++; more == 0 {
				first = diag.Position{File: p.is.path, Sheet: p.name, Line: n + 1, Column: p.at[j] + 1}
				now, before = got, want
			}
		}
	}
	if more < 0 {
		return
	}
	is := "no formula"
	if now != "" {
		is = "the formula =" + clip(now)
	}
	others := ""
	if more > 0 {
		others = ", as " + english.Count(more, "other cell") + " of the sheet"
	}
	p.left(first, "%s, the plan has =%s%s: formulas are not taken", is, clip(before), others)
}

// text is the formula of a cell, "" for none.
func text(f *excelize.File, sheet string, column, row int) string {
	at, err := excelize.CoordinatesToCellName(column+1, row+1)
	if err != nil {
		return ""
	}
	formula, err := f.GetCellFormula(sheet, at)
	if err != nil {
		return ""
	}
	return formula
}

// rowOf is a cell, or a range of rows, in a formula.
var rowOf = regexp.MustCompile(`(\$?[A-Z]{1,3})\$?[0-9]+`)

// shape is a formula as far as spreadsheets write it alike, and without the numbers of rows: these change where rows
// are sorted.
func shape(formula string) string {
	formula = strings.ToUpper(strings.Map(func(c rune) rune {
		if strings.ContainsRune(" \t\n'$", c) {
			return -1
		}
		return c
	}, strings.TrimPrefix(formula, "=")))
	formula = strings.ReplaceAll(formula, "_XLFN.", "")
	return rowOf.ReplaceAllString(formula, "$1")
}
