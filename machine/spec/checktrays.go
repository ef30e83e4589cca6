package spec

import (
	"slices"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
)

// checkTrays checks what is said about trays and halls.
func (s *Spec) checkTrays(report Reporter) {
	r := &s.Room
	t := &r.Trays
	s.checkHalls(report)
	longest := r.longest()
	fill := func(path string, percent float64) {
		if !(percent >= 0 && percent <= 100) {
			report(path, "%v is not a share of the cross-section, from above 0 to 100 per cent", percent)
		}
	}
	crosses := func(path string, cross []int) {
		ascending(report, path, cross)
		for i, after := range cross {
			if longest > 0 && after > longest {
				report(diag.Elem(path, i), "a row has only %d positions", longest)
			}
		}
	}
	fill("room.trays.fill", t.Fill)
	crosses("room.trays.cross", t.Cross)
	var names, data []string
	media := mediumWords()
	for i, l := range t.Levels {
		at := diag.Elem("room.trays.levels", i)
		if l.Name != "" && slices.Contains(names, l.Name) {
			report(at+".name", "another level is called %q", l.Name)
		}
		names = append(names, l.Name)
		fill(at+".fill", l.Fill)
		crosses(at+".cross", l.Cross)
		for j, u := range l.Use {
			if !slices.Contains(media, u) {
				report(diag.Elem(at+".use", j), "%q is no medium\n%s", u, diag.Suggest(u, media, "it is one of "))
			}
		}
		if l.Power && l.Use != nil {
			report(at+".use", "no data cable lies on a level for power\nremove it")
		}
		if !l.Power {
			data = append(data, l.Name)
		}
	}
	switch {
	case len(names) > 0 && len(data) == 0:
		report("room.trays.levels", "all levels are for power\ngive one for data cables")
	case len(data) > mostTrayLevels:
		report("room.trays.levels", "%d levels for data are more than %d", len(data), mostTrayLevels)
	}
	for i, p := range t.Paths {
		s.checkPath(report, diag.Elem("room.trays.paths", i), &p, names, data)
	}
}

// mostTrayLevels is the most levels of data trays.
const mostTrayLevels = 8

// checkPath checks a declared path against the levels that there are, and those
// among them for data.
func (s *Spec) checkPath(report Reporter, at string, p *TrayPath, names, data []string) {
	if p.Name == "" {
		report(at+".name", "a path needs a name")
	}
	room := s.Room.Named()
	room.Rows = s.rows()
	var rows [2]int
	for i, end := range []struct{ key, name string }{{"from", p.From}, {"to", p.To}} {
		position, ok := room.Position(end.name)
		rows[i] = position.Row
		switch {
		case !ok:
			rows[i] = -1 - i
			report(at+"."+end.key, "%q is no rack position\nwrite row and number: %s", end.name, room.Example())
		case room.RowRacks(position.Row) > 0 && position.Number > room.RowRacks(position.Row):
			report(at+"."+end.key, "a row has only %d positions", room.RowRacks(position.Row))
		case room.Rows > 0 && position.Row >= room.Rows:
			report(at+"."+end.key, "there are only %d rows, the last is %s", room.Rows, room.RowName(room.Rows-1))
		}
	}
	if rows[0] == rows[1] {
		report(at+".to", "both ends are on one row, whose own tray joins them")
	}
	for j, name := range p.Levels {
		switch {
		case slices.Contains(data, name):
		case slices.Contains(names, name):
			report(diag.Elem(at+".levels", j), "%s is a level for power, which no data cable uses", name)
		default:
			report(diag.Elem(at+".levels", j), "there is no level %q under room.trays.levels\n%s", name,
				diag.Suggest(name, data, "it is one of "))
		}
	}
}

// rows is the number of rows, 0 where it is not given.
func (s *Spec) rows() int {
	n := s.Room.Rows.Number()
	for i, h := range s.Room.Halls {
		if i == 0 {
			n = 0
		}
		n += min(max(h.Rows, 0), layout.MaxPlaces)
	}
	return n
}

func (s *Spec) checkHalls(report Reporter) {
	r := &s.Room
	switch n := s.rows(); {
	case len(r.Halls) == 0 || r.Rows.Number() == 0 || n == r.Rows.Number():
	case r.Rows.List != nil:
		report("room.rows", "%d rows are listed, the halls have %d together", len(r.Rows.List), n)
	default:
		report("room.rows", "the halls have %d rows together\nleave it out", n)
	}
	seen := map[string]bool{}
	for i, h := range r.Halls {
		if at := diag.Elem("room.halls", i); h.Name == "" || seen[h.Name] {
			report(at+".name", "every hall needs a name of its own")
		}
		seen[h.Name] = true
		if i == 0 && h.Distance != nil {
			report("room.halls[0].distance", "no hall comes before the first\nremove it")
		}
	}
}
