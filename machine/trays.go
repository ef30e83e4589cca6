package machine

import (
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/units"
)

// trayLevel is a level of data trays.
type trayLevel struct {
	part *catalog.Part
	rule cabling.TrayRule
}

// width returns the width of all trays side by side; of one if Plenum still has to choose their number.
func (l *trayLevel) width() units.Length { return l.rule.Width * units.Length(max(l.rule.Count, 1)) }

// halls returns the halls of the room, and fills in their defaults in the spec.
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
		if h.Width != nil && h.Depth != nil {
			hall.Width, hall.Depth = *h.Width, *h.Depth
			h.Doors = slices.Clone(h.Doors)
			hall.Doors = doorsIn(h.Doors)
		}
		out = append(out, hall)
	}
	return out
}

// layTrays returns the trays for data, and fills in defaults of trays in the spec.
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
	route := r.spec.Cabling.Route
	out := layout.TraySpec{Height: t.Height, Cross: t.Cross, Unused: route != "" && route != spec.Tray}
	if len(t.Levels) == 0 {
		r.trays = []trayLevel{r.trayLevel(t.Part, t.Count, t.Fill, nil)}
		out.Width = r.trays[0].width()
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
		out.Levels = append(out.Levels, layout.TrayLevel{
			Name: l.Name, Height: *l.Height, Width: r.trays[len(r.trays)-1].width(), Cross: l.Cross,
		})
	}
	out.Paths = r.paths(names)
	return out
}

// trayLevel returns a level of `count` trays side by side (0 lets Plenum choose), filled up to `fill` per cent, for the
// media in use; for all if that is empty.
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

// paths returns the declared paths between halls and racks; levels has the names of the levels for data.
func (r *resolver) paths(levels []string) []layout.TrayPath {
	var out []layout.TrayPath
	room := r.spec.Named()
	for _, p := range r.spec.Room.Trays.Paths {
		path := layout.TrayPath{Name: p.Name, Length: p.Length, Width: p.Width, Height: p.Height}
		path.From, _ = room.Position(p.From.Position)
		path.To, _ = room.Position(p.To.Position)
		path.Openings = [2]*layout.Opening{r.opening(p.From.Opening), r.opening(p.To.Opening)}
		for _, name := range p.Levels {
			path.Levels = append(path.Levels, slices.Index(levels, name))
		}
		out = append(out, path)
	}
	return out
}

// opening returns an opening of a hall for the layout, nil for nil and for a hall without a size.
func (r *resolver) opening(o *spec.HallOpening) *layout.Opening {
	if o == nil {
		return nil
	}
	for i := range r.spec.Room.Halls {
		if h := &r.spec.Room.Halls[i]; h.Name == o.Hall && h.Width != nil && h.Depth != nil {
			x, y := o.Point(*h.Width, *h.Depth)
			return &layout.Opening{Hall: i, X: x, Y: y}
		}
	}
	return nil // the spec's check has reported it
}

// trayRules returns the rules of the levels of trays for data.
func (r *resolved) trayRules() []cabling.TrayRule {
	var out []cabling.TrayRule
	for _, t := range r.trays {
		out = append(out, t.rule)
	}
	return out
}

// trayParts returns the parts of the levels of trays for data.
func (r *resolved) trayParts() []*catalog.Part {
	var out []*catalog.Part
	for _, t := range r.trays {
		out = append(out, t.part)
	}
	return out
}

// setTrayCount sets, in the spec, the number of trays that Plenum has chosen.
func (r *resolved) setTrayCount(s *cabling.Schedule) {
	t := &r.spec.Room.Trays
	switch {
	case r.room == nil:
	case s.Trays != nil && len(t.Levels) == 0:
		t.Count = s.Trays.Rules[0].Count
	default:
		setDefault(&t.Count, 1)
	}
}

// wider returns the same planning with as many trays side by side as the cables need, if Plenum chooses their number
// and the room has obstacles, which wider trays may have to avoid elsewhere. It returns nil if the trays are wide
// enough.
func (p *planning) wider() *planning {
	if p.cables == nil || p.sized {
		return nil
	}
	p.sized = true
	r, t := p.names, p.cables.schedule.Trays
	if r.room == nil || t == nil || len(r.spec.Room.Trays.Levels) > 0 || len(r.room.KeepOuts) == 0 ||
		p.trays == 0 && r.trays[0].rule.Count > 0 {
		return nil
	}
	n := t.TraysNeeded(0)
	if n <= max(p.trays, 1) {
		return nil
	}
	given := *p.given
	given.Room.Trays.Count = n
	return &planning{given: &given, opt: p.opt, known: p.known, trays: n}
}

// trayHeights returns the heights of the declared levels of trays.
func (r *resolved) trayHeights() []cabling.TrayHeight {
	var out []cabling.TrayHeight
	for _, l := range r.spec.Room.Trays.Levels {
		out = append(out, cabling.TrayHeight{
			Name: l.Name, Power: l.Power, Height: *l.Height,
			Side: r.catalog.Part(l.Part).Height,
		})
	}
	return out
}
