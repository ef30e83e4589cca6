package edited

import (
	"context"
	"slices"
	"strconv"
	"strings"
)

// Of a workbook, for every cable of its plan: what it may take beyond mostBytes, and unpacked beyond mostUnzipped. Ours
// take 180 and 1500 bytes.
const (
	cableBytes    = 1 << 10
	cableUnzipped = 4 << 10
)

// checkEvery is the number of rows after which a cancelled context is noticed.
const checkEvery = 1 << 12

// cableSheet is a sheet of cables that is read row by row: any number of cables take no more memory than the plan.
type cableSheet struct {
	*pairing
	want *cableTexts
	seen []bool // rows of the plan
	next int    // row of the plan that comes next where nobody has sorted the sheet
	leg  int    // column
}

// cables compares the sheets of cables with the plan. Rows may be sorted, within a sheet and across them.
func (p *pairing) cables(ctx context.Context, want *cableTexts) error {
	s := &cableSheet{pairing: p, want: want, seen: make([]bool, want.count())}
	var first string
	for _, name := range p.is.f.GetSheetList() {
		if !cableSheets.MatchString(name) {
			continue
		}
		if first == "" {
			first = name
		}
		p.name = name
		p.is.most = min(want.count()+mostMore, mostRows)
		ok := p.is.each(name, 0, func(line int, cells []string) bool {
			switch {
			case line == 0:
				p.columns([][]string{want.heads}, [][]string{cells})
				p.beside([][]string{want.heads}, [][]string{cells})
				s.leg = p.at[want.legs()]
			case s.at[0] >= 0:
				s.cable(line, cells)
			}
			return line%checkEvery != 0 || ctx.Err() == nil
		})
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if !ok || s.at[0] < 0 {
			return nil
		}
	}
	if first == "" {
		return nil
	}
	p.name = first
	for row, seen := range s.seen {
		if !seen {
			p.addFault(0, 0, "the row of cable %q is missing: leave it", want.row(row)[0])
		}
	}
	return nil
}

// cable compares a row.
func (s *cableSheet) cable(line int, cells []string) {
	id := strings.TrimSpace(s.cell(cells, 0))
	if id == "" && !slices.ContainsFunc(cells, func(c string) bool { return strings.TrimSpace(c) != "" }) {
		return
	}
	row := s.find(id, cells)
	switch {
	case row < 0:
		s.addFault(line, s.at[0], "the plan has no cable %q: what is added here is not taken", clip(id))
		return
	case s.seen[row]:
		s.addFault(line, s.at[0], "cable %q comes twice", clip(id))
		return
	}
	s.seen[row], s.next = true, row+1
	for j, want := range s.want.row(row) {
		if s.at[j] < 0 {
			continue
		}
		if got := s.cell(cells, j); got != want && normal(got) != normal(want) {
			s.addFault(line, s.at[j], "%q, but the plan has %q: this is not edited here", clip(got), clip(want))
		}
	}
}

// find is the row of the plan with the cable of a row, by its id and leg, -1 where it has none. A row whose leg is
// not one of the cable is taken for the one that comes next.
func (s *cableSheet) find(id string, cells []string) int {
	leg := 1
	if s.leg >= 0 {
		leg, _ = strconv.Atoi(strings.TrimSpace(s.cell(cells, s.want.legs())))
	}
	if row := s.want.find(id, leg); row >= 0 {
		return row
	}
	if s.next < len(s.seen) && !s.seen[s.next] && s.want.row(s.next)[0] == id {
		return s.next
	}
	return -1
}

// limits are how large a workbook of a plan with so many cables may be, and unpacked.
func limits(cables int64) (size, unzipped int64) {
	return mostBytes + cableBytes*cables, mostUnzipped + cableUnzipped*cables
}
