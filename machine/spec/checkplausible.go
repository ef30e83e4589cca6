package spec

import (
	"fmt"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/units"
)

// measure is the range of lengths of a kind in buildings, in metres: those outside least to most are refused, those
// outside usualMin to usualMax are odd. The bounds are within the ranges. Zero is always taken, as it says that there
// is nothing.
type measure struct {
	what               string // "an aisle": what the length is the size of
	least, most        units.Length
	usualMin, usualMax units.Length
}

// The measures. They are generous: what is refused is a slip of the pen, mostly of the unit.
var (
	roomSize      = measure{"a room", 1, 2000, 2, 300}
	aisleWidth    = measure{"an aisle", 0.02, 100, 0.5, 10}
	marginWidth   = measure{"the floor between rows and walls", 0.02, 200, 0.3, 20}
	columnSize    = measure{"a column", 0.01, 20, 0.05, 3}
	tileSize      = measure{"a tile of a raised floor", 0.1, 10, 0.3, 2}
	doorWidth     = measure{"a door", 0.1, 30, 0.6, 8}
	trayHeight    = measure{"a tray above the floor", 0.02, 50, 0.1, 8}
	rackWidth     = measure{"the width of a rack", 0.1, 5, 0.4, 1.5}
	rackDepth     = measure{"the depth of a rack", 0.1, 5, 0.4, 2}
	rackHeight    = measure{"the height of a rack", 0.1, 10, 0.3, 3.5}
	slackLength   = measure{"the slack of a cable", 0.001, 10_000, 0.01, 30}
	copperLength  = measure{"a copper cable for data", 0.01, 150, 0.2, 20}
	opticalLength = measure{"a cable within a site", 0.01, 100_000, 0.1, 2000}
)

// lengths calls visit once with each length of the file, parts included, that has a measure; the path is that of its
// key. Lengths that the file does not give may be visited as 0.
func (s *Spec) lengths(visit func(path string, l units.Length, m *measure)) {
	r := &s.Room
	given := func(path string, l *units.Length, m *measure) {
		if l != nil {
			visit(path, *l, m)
		}
	}
	given("room.width", r.Width, &roomSize)
	given("room.depth", r.Depth, &roomSize)
	given("room.cold_aisle", r.ColdAisle, &aisleWidth)
	given("room.hot_aisle", r.HotAisle, &aisleWidth)
	given("room.aisle_clear", r.AisleClear, &aisleWidth)
	given("room.margin", r.Margin, &marginWidth)
	for i, g := range r.Gaps {
		visit(diag.Elem("room.gaps", i)+".width", g.Width, &aisleWidth)
	}
	for i, c := range r.Columns {
		visit(diag.Elem("room.columns", i)+".width", c.Width, &columnSize)
		visit(diag.Elem("room.columns", i)+".depth", c.Depth, &columnSize)
	}
	if r.Tile != nil {
		given("room.tile.width", r.Tile.Width, &tileSize)
		given("room.tile.depth", r.Tile.Depth, &tileSize)
	}
	for i, d := range r.Doors {
		visit(diag.Elem("room.doors", i)+".width", d.Width, &doorWidth)
	}
	for i := range r.Halls {
		h, at := &r.Halls[i], diag.Elem("room.halls", i)
		given(at+".width", h.Width, &roomSize)
		given(at+".depth", h.Depth, &roomSize)
		for j, d := range h.Doors {
			visit(diag.Elem(at+".doors", j)+".width", d.Width, &doorWidth)
		}
	}
	visit("room.trays.height", r.Trays.Height, &trayHeight)
	for i, l := range r.Trays.Levels {
		if l.Height != nil {
			visit(diag.Elem("room.trays.levels", i)+".height", l.Height.Abs(), &trayHeight)
		}
	}
	given("cabling.slack.fixed", s.Cabling.Slack.Fixed, &slackLength)
	for i := range s.Parts {
		partLengths(diag.Elem("parts", i), &s.Parts[i], visit)
	}
}

// partLengths calls visit with the lengths of a part that have a measure; at is the path of the part.
func partLengths(at string, p *catalog.Part, visit func(path string, l units.Length, m *measure)) {
	if p.Kind == catalog.KindRack {
		visit(at+".width", p.Width, &rackWidth)
		visit(at+".depth", p.Depth, &rackDepth)
		visit(at+".height", p.Height, &rackHeight)
	}
	if c := p.Cable; c != nil {
		m := &opticalLength
		if c.Medium == catalog.PassiveCopper || c.Medium == catalog.ActiveCopper {
			m = &copperLength
		}
		for i, l := range c.Lengths {
			visit(diag.Elem(at+".cable.lengths", i), l, m)
		}
		visit(at+".cable.made_to_measure", c.MadeToMeasure, m)
	}
}

// amount is a figure of parts or of the room, in the base unit of its quantity: what is beyond most is refused, what is
// beyond usual is odd, unless they are 0. Of boxes both are for each rack unit of their height. A figure below least
// that the file gives is refused: one that is not known is left out.
type amount struct {
	what, does  string // "a box", "draws"
	least       float64
	most, usual float64
	perUnit     bool
	text        func(v float64) string
	unit, words string // "W", "watts": what is probably meant by a thousandth
}

// The amounts, as generous as the measures. The heaviest boxes are batteries and power supplies, of up to some 45 kg a
// rack unit.
var (
	boxDraw   = amount{"a box", "draws", 0, 100e3, 20e3, true, wattsText, "W", "watts"}
	plugDraw  = amount{"a plug", "draws", 0, 1000, 60, false, wattsText, "W", "watts"}
	boxWeight = amount{"a box", "weighs", 0, 250, 75, true, weightText, "kg", "kilograms"}
)

func wattsText(v float64) string  { return units.Power(v).String() }
func weightText(v float64) string { return units.Mass(v).String() }

// amounts visits the figures of the file with what they are held against, and the height of a box in units: 1 at least,
// and 1 for all else.
func (s *Spec) amounts(visit func(path string, v float64, a *amount, height float64)) {
	for i := range s.Parts {
		p, at := &s.Parts[i], diag.Elem("parts", i)
		switch p.Kind {
		case catalog.KindNode, catalog.KindSwitch:
			visit(at+".power", float64(p.Power), &boxDraw, float64(max(1, p.Units)))
			if p.Units > 0 {
				visit(at+".weight", float64(p.Weight), &boxWeight, float64(p.Units))
			}
		case catalog.KindOptic, catalog.KindCable:
			visit(at+".power", float64(p.Power), &plugDraw, 1)
		}
		partNumbers(at, p, func(path, what string, v, least float64) {
			visit(path, v, &amount{what: what, least: least, text: numberText}, 1)
		})
	}
	s.roomNumbers(func(path, what string, v, least float64) {
		visit(path, v, &amount{what: what, least: least, text: numberText}, 1)
	})
}

// tooSmall says that a given amount is too small; path is where it is.
func (a *amount) tooSmall(v float64, path string) string {
	write := "more than 0"
	if a.least >= 1 {
		write = a.text(a.least) + " or more"
	}
	key := path[strings.LastIndexByte(path, '.')+1:]
	return fmt.Sprintf("%s is impossible for %s\nwrite %s, or leave %s out", a.text(v), a.what, write, key)
}

// judge says how odd an amount is, with the unit that was probably meant in a line of its own.
func (a *amount) judge(v, height float64, odd string) string {
	upTo := a.text(a.usual)
	if a.perUnit {
		upTo += " for each rack unit"
	}
	text := fmt.Sprintf("%s is %s for %s, which usually %s up to %s", a.text(v), odd, a.what, a.does, upTo)
	if v >= 1000 && v/1000 <= a.usual*height {
		text += fmt.Sprintf("\nwrite %g %s if %s are meant", v/1000, a.unit, a.words)
	}
	return text
}

// checkPlausible reports lengths, powers and weights that nothing of their kind has, negative lengths among them, and
// which unit was probably meant.
func (s *Spec) checkPlausible(report Reporter) {
	s.amounts(func(path string, v float64, a *amount, height float64) {
		switch {
		case a.most > 0 && v > a.most*height:
			report(path, "%s", a.judge(v, height, "impossible"))
		case v < a.least && s.isGiven(path):
			report(path, "%s", a.tooSmall(v, path))
		}
	})
	s.lengths(func(path string, l units.Length, m *measure) {
		if l != 0 && (l < m.least || l > m.most) {
			report(path, "%s m is impossible for %s, which is usually from %v to %v%s", l.Number(), m.what,
				m.usualMin, m.usualMax, m.meant(l))
		}
	})
}

// Unusual returns a text about each length, power and weight that is odd for its kind but not refused, with its path
// and the unit that was probably meant; nil if there is none.
func (s *Spec) Unusual() []string {
	var out []string
	s.amounts(func(path string, v float64, a *amount, height float64) {
		if a.usual > 0 && v > a.usual*height && v <= a.most*height {
			out = append(out, path+": "+strings.Replace(a.judge(v, height, "unusual"), "\n", ": ", 1))
		}
	})
	s.lengths(func(path string, l units.Length, m *measure) {
		if l >= m.least && l <= m.most && (l < m.usualMin || l > m.usualMax) {
			hint := m.meant(l)
			if hint != "" {
				hint = ": " + hint[1:]
			}
			out = append(out, fmt.Sprintf("%s: %s m is unusual for %s, which is usually from %v to %v%s",
				path, l.Number(), m.what, m.usualMin, m.usualMax, hint))
		}
	})
	return out
}

// meant returns a suggestion, after a line break, if the same number of millimetres in place of metres, or of metres in
// place of millimetres, is usual; else "".
func (m *measure) meant(l units.Length) string {
	usual := func(l units.Length) bool { return l >= m.usualMin && l <= m.usualMax }
	switch {
	case l > m.usualMax && usual(l/1000):
		return fmt.Sprintf("\nwrite %s mm if millimetres are meant", l.Number())
	case l < m.usualMin && usual(l*1000):
		return fmt.Sprintf("\nwrite %v if metres are meant", (l * 1000).Round4())
	}
	return ""
}
