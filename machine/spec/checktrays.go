package spec

import (
	"slices"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
)

// checkFill checks the share of a cross-section that cables may take.
func checkFill(report Reporter, path string, percent float64) {
	if !(percent >= 0 && percent <= 100) {
		report(path, "%v is not a share of the cross-section, from above 0 to 100 per cent", percent)
	}
}

// checkTrays checks what is said about trays and halls.
func (s *Spec) checkTrays(report Reporter) {
	r := &s.Room
	t := &r.Trays
	s.checkHalls(report)
	checkFill(report, "room.trays.fill", t.Fill)
	s.checkCross(report, "room.trays.cross", t.Cross)
	var names, data []string
	media := mediumWords()
	for i, l := range t.Levels {
		at := diag.Elem("room.trays.levels", i)
		if l.Name != "" && slices.Contains(names, l.Name) {
			report(at+".name", "another level is called %q", l.Name)
		}
		names = append(names, l.Name)
		checkFill(report, at+".fill", l.Fill)
		s.checkCross(report, at+".cross", l.Cross)
		for j, u := range l.Use {
			if !slices.Contains(media, u) {
				report(diag.Elem(at+".use", j), "%q is not a medium\n%s", u, diag.Suggest(u, media, "it is one of "))
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
	for i := range t.Paths {
		t.Paths[i].check(report, diag.Elem("room.trays.paths", i), names, data)
	}
}

// checkCross checks the positions of the longest row after which cross trays run.
func (s *Spec) checkCross(report Reporter, path string, cross []int) {
	ascending(report, path, cross)
	longest := s.Room.longest()
	if s.listed != nil {
		longest = s.listed.PerRow
	}
	for i, after := range cross {
		if longest > 0 && after > longest {
			report(diag.Elem(path, i), "a row has only %d positions", longest)
		}
	}
}

// checkPositions checks every key that names rows and rack positions.
func (s *Spec) checkPositions(report Reporter) {
	for i := range s.Room.Trays.Paths {
		s.checkEnds(report, diag.Elem("room.trays.paths", i), &s.Room.Trays.Paths[i])
	}
	s.checkFeeds(report)
	s.checkLoops(report)
}

// CheckListed checks what names rows and rack positions once the list of racks has been read.
func (s *Spec) CheckListed(report Reporter) {
	t := &s.Room.Trays
	s.checkCross(report, "room.trays.cross", t.Cross)
	for i := range t.Levels {
		s.checkCross(report, diag.Elem("room.trays.levels", i)+".cross", t.Levels[i].Cross)
	}
	s.checkPositions(report)
}

// mostTrayLevels is the most levels of data trays.
const mostTrayLevels = 8

// check checks a declared path, but for its ends, against the levels that there are, and those among them for data.
func (p *TrayPath) check(report Reporter, at string, names, data []string) {
	if p.Name == "" {
		report(at+".name", "a path needs a name")
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

// checkEnds checks the ends of a declared path.
func (s *Spec) checkEnds(report Reporter, at string, p *TrayPath) {
	room := s.Named()
	room.Rows = s.rows()
	var rows [2]int
	for i, end := range []struct {
		key string
		PathEnd
	}{{"from", p.From}, {"to", p.To}} {
		if end.Opening != nil {
			rows[i] = -1 - i
			s.checkOpening(report, at+"."+end.key, end.Opening)
			continue
		}
		position, ok := room.Position(end.Position)
		rows[i] = position.Row
		switch {
		case !ok:
			rows[i] = -1 - i
			report(at+"."+end.key, "%q is not a rack position\nwrite row and number: %s", end.Position, room.Example())
		case room.RowRacks(position.Row) > 0 && position.Number > room.RowRacks(position.Row):
			report(at+"."+end.key, "a row has only %d positions", room.RowRacks(position.Row))
		case room.Rows > 0 && position.Row >= room.Rows:
			report(at+"."+end.key, "there are only %d rows, the last is %s", room.Rows, room.RowName(room.Rows-1))
		}
	}
	if rows[0] == rows[1] {
		report(at+".to", "both ends are on one row, whose own tray joins them")
	}
	s.checkOpeningPair(report, at, p, rows)
}

// checkOpeningPair checks what the ends of a path through openings have to do with each other.
func (s *Spec) checkOpeningPair(report Reporter, at string, p *TrayPath, rows [2]int) {
	if (p.Width > 0 || p.Height > 0) && p.From.Opening == nil && p.To.Opening == nil {
		report(at, "width and height are of an opening in a wall or floor, and neither end is one\nwrite an end as "+
			"{hall: NAME, wall: north, at: 2 m}")
	}
	var halls [2]int
	opens := 0
	for i, e := range []PathEnd{p.From, p.To} {
		if e.Opening != nil {
			halls[i] = s.Room.hallNumber(e.Opening.Hall)
			opens++
		} else {
			halls[i] = s.Room.hallOf(rows[i])
		}
		if halls[i] < 0 {
			return
		}
	}
	switch {
	case opens > 0 && halls[0] == halls[1]:
		report(at+".to", "both ends are in hall %s, whose cross trays join its rows", s.Room.Halls[halls[0]].Name)
	case (p.Width > 0) != (p.Height > 0):
		report(at, "an opening has a width and a height\ngive both, or neither for one as large as the trays")
	}
}

// hallNumber returns the index of a hall, -1 if there is none of the name.
func (r *Room) hallNumber(name string) int {
	return slices.IndexFunc(r.Halls, func(h Hall) bool { return h.Name == name })
}

// hallOf returns the index of the hall with a row, -1 if there is none.
func (r *Room) hallOf(row int) int {
	if row < 0 {
		return -1
	}
	for i, h := range r.Halls {
		if row -= h.Rows; row < 0 {
			return i
		}
	}
	return -1
}

// checkOpening checks an opening of a hall.
func (s *Spec) checkOpening(report Reporter, at string, o *HallOpening) {
	i := s.Room.hallNumber(o.Hall)
	if i < 0 {
		var names []string
		for _, h := range s.Room.Halls {
			names = append(names, h.Name)
		}
		report(at+".hall", "there is no hall %q under room.halls\n%s", o.Hall,
			diag.Suggest(o.Hall, names, "it is one of "))
		return
	}
	h := &s.Room.Halls[i]
	switch {
	case h.Width == nil || h.Depth == nil:
		report(at+".hall", "hall %s has no walls\ngive its width and depth", h.Name)
	case o.Wall != "" && (o.X != nil || o.Y != nil):
		report(at+".wall", "cannot be combined with x and y\nwrite wall and at for an opening in a wall, x and y for "+
			"one in the floor or ceiling")
	case o.Wall == "" && o.At != nil:
		report(at+".at", "the opening is in no wall\ngive the wall: south, east, north or west")
	case o.Wall != "" && o.At == nil:
		report(at+".wall", "it is not said where in the wall\ngive at, from its western or southern end")
	case o.Wall == "" && (o.X == nil || o.Y == nil):
		report(at, "it is not said where the opening is\ngive wall and at, or x and y")
	default:
		if x, y := o.Point(*h.Width, *h.Depth); x > *h.Width || y > *h.Depth {
			report(at, "x %v, y %v is outside hall %s of %v x %v", x, y, h.Name, *h.Width, *h.Depth)
		}
	}
}

// rows is the number of rows, 0 where it is not given.
func (s *Spec) rows() int {
	n := s.Room.Rows.Number()
	if s.listed != nil {
		n = s.listed.Rows
	}
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
		s.checkHallWalls(report, i)
	}
}
