package handout

import (
	"fmt"

	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/render/worksheet"
)

// Part is which of several files a paper is, from 1; the zero value is the only one.
type Part struct{ Number, Count int }

// String is what stands behind the title of a paper: nothing where there is one file.
func (p Part) String() string {
	if p.Count < 2 {
		return ""
	}
	return fmt.Sprintf(", part %d of %d", p.Number, p.Count)
}

// PullParts divides cables to be pulled among PDF files of at most worksheet.Most rows. Those of a bundle, or of a
// rack, stay together where a file has room for them.
func PullParts(pulls []Pull) [][]Pull {
	return parts(pulls, worksheet.Most, func(a, b *Pull) bool {
		return a.Order == b.Order && (a.Order > 0 || a.From.Rack == b.From.Rack)
	})
}

// CheckParts divides the plugs of checklists, as Sorted returns them, among PDF files of at most worksheet.Most rows.
// Those of a rack stay together where a file has room for them.
func CheckParts(plugs []render.Plug) [][]render.Plug {
	return parts(plugs, worksheet.Most, func(a, b *render.Plug) bool { return a.Near.Rack == b.Near.Rack })
}

// parts divides rows among parts of at most so many. Neighbours that belong together stay in one part where it has room
// for all of them. There is always one part.
func parts[R any](rows []R, most int, together func(a, b *R) bool) [][]R {
	var out [][]R
	for len(rows) > most {
		n := most
		for n > 0 && together(&rows[n-1], &rows[n]) {
			n--
		}
		if n == 0 {
			n = most
		}
		out = append(out, rows[:n])
		rows = rows[n:]
	}
	return append(out, rows)
}
