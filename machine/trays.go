package machine

import (
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/units"
)

// trayLevel is a level of data trays.
type trayLevel struct {
	part *catalog.Part
	rule cabling.TrayRule
}

// halls divides the rows.
func (r *resolver) halls() []layout.Hall {
	r.spec.Room.Halls = slices.Clone(r.spec.Room.Halls)
	var out []layout.Hall
	for i := range r.spec.Room.Halls {
		h := &r.spec.Room.Halls[i]
		if h.Distance = orDefault(h.Distance, DefaultDistance); i == 0 {
			h.Distance = nil
		}
		hall := layout.Hall{Name: h.Name, Rows: h.Rows, Floor: h.Floor}
		if h.Distance != nil {
			hall.Distance = *h.Distance
		}
		out = append(out, hall)
	}
	return out
}

// layTrays fills in what is left out about trays and lays those for data.
func (r *resolver) layTrays(rack layout.RackType) layout.TraySpec {
	t := &r.spec.Room.Trays
	if t.Part != "" || len(t.Levels) > 0 {
		setDefault(&t.Count, 1)
	}
	if t.Part == "" {
		t.Part = DefaultTray
	}
	setDefault(&t.Height, rack.Height+DefaultTrayRise)
	setDefault(&t.Fill, DefaultTrayFill)
	t.Separation = orDefault(t.Separation, DefaultSeparation)
	out := layout.TraySpec{Height: t.Height, Cross: t.Cross}
	if len(t.Levels) == 0 {
		r.trays = []trayLevel{r.trayLevel(t.Part, t.Count, t.Fill, nil)}
		out.Paths = r.paths(nil)
		return out
	}
	t.Levels = slices.Clone(t.Levels)
	var names []string
	for i := range t.Levels {
		l := &t.Levels[i]
		if l.Part == "" {
			l.Part = t.Part
		}
		setDefault(&l.Count, t.Count)
		setDefault(&l.Fill, t.Fill)
		l.Height = orDefault(l.Height, t.Height+units.Length(i)*DefaultTrayRise)
		if l.Power {
			continue
		}
		names = append(names, l.Name)
		r.trays = append(r.trays, r.trayLevel(l.Part, l.Count, l.Fill, l.Use))
		out.Levels = append(out.Levels, layout.TrayLevel{Name: l.Name, Height: *l.Height, Cross: l.Cross})
	}
	out.Paths = r.paths(names)
	return out
}

func (r *resolver) trayLevel(part string, count int, fill float64, use []string) trayLevel {
	l := trayLevel{part: r.part(part, catalog.KindTray), rule: cabling.TrayRule{Count: count, Fill: fill / 100}}
	if l.part != nil {
		l.rule.Width, l.rule.Depth = l.part.Width, l.part.Height
	}
	for _, u := range use {
		if alias, ok := catalog.MediumAliases[u]; ok {
			l.rule.Media = append(l.rule.Media, alias...)
		} else {
			l.rule.Media = append(l.rule.Media, catalog.Medium(u))
		}
	}
	return l
}

// paths lays declared paths; levels are the names of the levels for data.
func (r *resolver) paths(levels []string) []layout.TrayPath {
	var out []layout.TrayPath
	for _, p := range r.spec.Room.Trays.Paths {
		path := layout.TrayPath{Name: p.Name, Length: p.Length}
		path.From, _ = layout.ParsePosition(p.From)
		path.To, _ = layout.ParsePosition(p.To)
		for _, name := range p.Levels {
			path.Levels = append(path.Levels, slices.Index(levels, name))
		}
		out = append(out, path)
	}
	return out
}

// trayRules are the rules of the levels of trays.
func (r *resolved) trayRules() []cabling.TrayRule {
	var out []cabling.TrayRule
	for _, t := range r.trays {
		out = append(out, t.rule)
	}
	return out
}

// trayParts are the parts of the levels of trays.
func (r *resolved) trayParts() []*catalog.Part {
	var out []*catalog.Part
	for _, t := range r.trays {
		out = append(out, t.part)
	}
	return out
}

// counted writes into the spec how many trays a level was given that stated no
// number.
func (r *resolved) counted(s *cabling.Schedule) {
	t := &r.spec.Room.Trays
	switch {
	case r.room == nil:
	case s.Trays != nil && len(t.Levels) == 0:
		t.Count = s.Trays.Rules[0].Count
	default:
		setDefault(&t.Count, 1)
	}
}

// checkTrays checks what is said about trays and halls.
func (s *Spec) checkTrays(report reporter) {
	r := &s.Room
	t := &r.Trays
	s.checkHalls(report)
	fill := func(path string, percent float64) {
		if !(percent >= 0 && percent <= 100) {
			report(path, "%v is not a share of the cross-section, from above 0 to 100 per cent", percent)
		}
	}
	crosses := func(path string, cross []int) {
		ascending(report, path, cross)
		for i, after := range cross {
			if r.RacksPerRow > 0 && after > r.RacksPerRow {
				report(diag.Elem(path, i), "a row has only %d positions", r.RacksPerRow)
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
func (s *Spec) checkPath(report reporter, at string, p *TrayPath, names, data []string) {
	if p.Name == "" {
		report(at+".name", "a path needs a name")
	}
	var rows [2]int
	for i, end := range []struct{ key, name string }{{"from", p.From}, {"to", p.To}} {
		position, ok := layout.ParsePosition(end.name)
		rows[i] = position.Row
		switch {
		case !ok:
			rows[i] = -1 - i
			report(at+"."+end.key, "%q is no rack position\nwrite row and number: A03", end.name)
		case s.Room.RacksPerRow > 0 && position.Number > s.Room.RacksPerRow:
			report(at+"."+end.key, "a row has only %d positions", s.Room.RacksPerRow)
		case s.rows() > 0 && position.Row >= s.rows():
			report(at+"."+end.key, "there are only %d rows, the last is %s", s.rows(), layout.RowName(s.rows()-1))
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
			report(diag.Elem(at+".levels", j), "there is no level %q under room.trays.levels\n%s", name, diag.Suggest(name, data, "it is one of "))
		}
	}
}

// rows is the number of rows, 0 where it is not given.
func (s *Spec) rows() int {
	n := s.Room.Rows
	for i, h := range s.Room.Halls {
		if i == 0 {
			n = 0
		}
		n += min(max(h.Rows, 0), layout.MaxPlaces)
	}
	return n
}

func (s *Spec) checkHalls(report reporter) {
	r := &s.Room
	if n := s.rows(); len(r.Halls) > 0 && r.Rows > 0 && n != r.Rows {
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

// trayHeights says where the levels of trays hang.
func (r *resolved) trayHeights() []cabling.TrayHeight {
	var out []cabling.TrayHeight
	for _, l := range r.spec.Room.Trays.Levels {
		out = append(out, cabling.TrayHeight{Name: l.Name, Power: l.Power, Height: *l.Height, Side: r.catalog.Part(l.Part).Height})
	}
	return out
}
