package racklist

import (
	"cmp"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/units"
)

// astray is how far the middle of a rack may be from the line of its row.
const astray units.Length = 0.3

// laying is a list that is being made rows of.
type laying struct {
	*List
	s     *layout.RoomSpec
	of    []int // the type of each rack
	names []string
	found diag.List
}

// Lay makes rows of the racks: those of one name, or those that stand in line where rows are not named. of is the type
// of each rack, as Kinds returns it; the room has these types, and Lay sets its Rows, PerRow, List and Names. Rows are
// in the order of their least y where x and y are given, else in that of the list. The error is a diag.List.
func (l *List) Lay(s *layout.RoomSpec, of []int) error {
	a := &laying{List: l, s: s, of: of}
	measured := slices.IndexFunc(l.Racks, func(r Rack) bool { return r.X != nil })
	named := slices.IndexFunc(l.Racks, func(r Rack) bool { return r.Row != "" })
	a.whole(measured, named)
	if len(a.found) > 0 {
		return a.found
	}
	if named >= 0 {
		a.byName()
	} else {
		a.byLine()
	}
	a.oneWay()
	for i := range l.rows {
		if measured >= 0 {
			a.inLine(i)
		}
	}
	if len(a.found) > 0 {
		return a.found
	}
	if measured >= 0 {
		a.order()
	}
	s.Rows, s.PerRow, s.List = len(l.rows), 0, nil
	for i, row := range l.rows {
		s.PerRow = max(s.PerRow, len(row))
		s.List = append(s.List, a.row(i, measured >= 0))
	}
	if s.Rows > layout.MaxPlaces/s.PerRow {
		a.found.Addf(diag.Position{File: l.File}, "%d rows of up to %d racks are more than can be planned", s.Rows,
			s.PerRow)
	}
	a.face(measured >= 0)
	s.Names = a.called()
	return a.found.Err()
}

// whole refuses lists that say of some racks only where they stand.
func (a *laying) whole(measured, named int) {
	for i := range a.Racks {
		r := &a.Racks[i]
		switch {
		case measured >= 0 && r.X == nil:
			a.found.Addf(a.Place(i, X), "x and y are missing\nrack %s has them: give them of all racks, or of none",
				a.Racks[measured].Name)
		case named >= 0 && r.Row == "":
			a.found.Addf(a.Place(i, Row), "the row is missing\nrack %s has one: name the rows of all racks, or of none",
				a.Racks[named].Name)
		case measured < 0 && (r.Row == "" || r.Position == 0):
			a.found.Addf(a.Place(i, Position), "nothing says where rack %s stands\n"+
				"give its row and position, or x and y", r.Name)
		case r.Position > 0 && r.Row == "":
			a.found.Addf(a.Place(i, Position), "position %d of which row?\nname the rows of all racks", r.Position)
		}
	}
}

// byName makes rows of the racks with the same name of a row, in the order in which these are listed.
func (a *laying) byName() {
	at := map[string]int{}
	a.rows = nil
	for i := range a.Racks {
		name := a.Racks[i].Row
		n, ok := at[name]
		if !ok {
			n = len(a.rows)
			at[name] = n
			a.rows, a.names = append(a.rows, nil), append(a.names, name)
		}
		a.rows[n] = append(a.rows[n], i)
	}
	for _, row := range a.rows {
		slices.SortStableFunc(row, func(i, j int) int {
			p, q := &a.Racks[i], &a.Racks[j]
			if p.X != nil {
				return cmp.Compare(*p.X, *q.X)
			}
			return cmp.Compare(p.Position, q.Position)
		})
	}
}

// byLine makes rows of the racks that stand in line.
func (a *laying) byLine() {
	order := make([]int, len(a.Racks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(a.middle(i), a.middle(j)) })
	a.rows = nil
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && a.middle(order[to])-a.middle(order[from]) <= astray {
			to++
		}
		row := slices.Clone(order[from:to])
		slices.SortStableFunc(row, func(i, j int) int { return cmp.Compare(*a.Racks[i].X, *a.Racks[j].X) })
		a.rows = append(a.rows, row)
		from = to
	}
	a.names = a.stems()
	for i := range a.names {
		if a.names[i] == "" {
			a.names[i] = layout.RowName(i)
		}
	}
}

// stems are what the names of the racks of each row have in common before their numbers, where every row has such a
// stem of its own; empty texts where not.
func (a *laying) stems() []string {
	out := make([]string, len(a.rows))
	seen := map[string]bool{}
	for i, row := range a.rows {
		for _, rack := range row {
			stem := strings.TrimRight(a.Racks[rack].Name, "0123456789")
			stem = strings.TrimRight(stem, "-._")
			if stem == "" || out[i] != "" && out[i] != stem {
				return make([]string, len(a.rows))
			}
			out[i] = stem
		}
		if seen[out[i]] {
			return make([]string, len(a.rows))
		}
		seen[out[i]] = true
	}
	return out
}

// middle is the y of the middle of a rack.
func (a *laying) middle(i int) units.Length { return *a.Racks[i].Y + a.s.Type(a.of[i]).Depth/2 }

// oneWay refuses racks of a row that face both ways.
func (a *laying) oneWay() {
	for n, row := range a.rows {
		faces := -1
		for _, i := range slices.Sorted(slices.Values(row)) {
			r := &a.Racks[i]
			if r.Turned != nil {
				if faces >= 0 && *a.Racks[faces].Turned != *r.Turned {
					a.found.Addf(a.Place(i, Turned), "rack %s of row %s faces the other way\n"+
						"give it a row of its own", a.Racks[faces].Name, a.names[n])
				} else {
					faces = i
				}
			}
		}
	}
}

// inLine refuses racks that stand beside the line of their row.
func (a *laying) inLine(n int) {
	row := a.rows[n]
	middles := make([]units.Length, len(row))
	for i, rack := range row {
		middles[i] = a.middle(rack)
	}
	slices.Sort(middles)
	line := middles[len(middles)/2]
	for _, rack := range row {
		if off := (a.middle(rack) - line).Abs(); off > astray {
			a.found.Addf(a.Place(rack, Y), "rack %s stands %v off the line of its row %s\ngive it another row",
				a.Racks[rack].Name, off.Round4(), a.names[n])
		}
	}
}

// order puts rows in the order of their distance from the south wall.
func (a *laying) order() {
	type measured struct {
		y, x units.Length
		row  []int
		name string
	}
	rows := make([]measured, len(a.rows))
	for i, row := range a.rows {
		rows[i] = measured{a.front(row), *a.Racks[row[0]].X, row, a.names[i]}
	}
	slices.SortStableFunc(rows, func(p, q measured) int { return cmp.Or(cmp.Compare(p.y, q.y), cmp.Compare(p.x, q.x)) })
	for i := range rows {
		a.rows[i], a.names[i] = rows[i].row, rows[i].name
	}
}

// front is the least y of the racks of a row.
func (a *laying) front(row []int) units.Length {
	y := *a.Racks[row[0]].Y
	for _, i := range row {
		y = min(y, *a.Racks[i].Y)
	}
	return y
}

// row is a row as a layout has it.
func (a *laying) row(n int, measured bool) layout.RowSpec {
	row := a.rows[n]
	out := layout.RowSpec{Name: a.names[n], Racks: len(row), Stand: make([]layout.Standing, len(row))}
	y0, y1 := units.Length(0), units.Length(0)
	if measured {
		y0 = a.front(row)
		for _, i := range row {
			y1 = max(y1, *a.Racks[i].Y+a.s.Type(a.of[i]).Depth)
		}
		out.Y = &y0
	}
	x, last := a.s.Margin, 0 // behind the position before
	for p, i := range row {
		r, t := &a.Racks[i], a.s.Type(a.of[i])
		stand := &out.Stand[p]
		stand.Reserved, stand.For = r.Reserved, r.For
		if measured {
			stand.Left = *r.X
			if stand.Off = (a.middle(i) - (y0 + (y1-y0)/2)); stand.Off.Abs() < 1e-9 {
				stand.Off = 0
			}
		} else {
			x += units.Length(r.Position-last-1) * a.s.Rack.Width
			stand.Left = x
			x, last = x+t.Width, r.Position
		}
		if r.Turned != nil {
			out.Turned = r.Turned
		}
		if of := a.of[i]; of > 0 {
			if k := len(out.Types) - 1; k >= 0 && out.Types[k].Type == of && out.Types[k].Last == p {
				out.Types[k].Last = p + 1
			} else {
				out.Types = append(out.Types, layout.TypeStretch{
					Stretch: layout.Stretch{First: p + 1, Last: p + 1}, Type: of,
				})
			}
		}
	}
	return out
}

// face has rows that do not say which way they face do so by the line on which they stand, as neighbouring lines face
// each other.
func (a *laying) face(measured bool) {
	if !a.s.Alternate || !measured {
		return
	}
	line, y := -1, units.Length(0)
	for i := range a.s.List {
		l := &a.s.List[i]
		if line < 0 || *l.Y-y > astray {
			line, y = line+1, *l.Y
		}
		if l.Turned == nil {
			turned := line%2 == 0
			l.Turned = &turned
		}
	}
}
