package solid

import (
	"fmt"
	"math"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/units"
)

// Sizes of trays that state none, in metres.
const (
	trayWidth = 0.3
	trayDepth = 0.1
	metal     = 0.004 // of a tray's bottom and sides
)

// section is the width and depth of the trays of a level, all side by side.
func (b *builder) section(level int) (width, depth float64) {
	t := b.r.Schedule.Trays
	rule := &t.Rules[level]
	width = float64(t.Network.Levels[level].Width)
	if width == 0 {
		width = float64(rule.Width) * float64(max(rule.Count, 1))
	}
	if width == 0 {
		width = trayWidth
	}
	if depth = float64(rule.Depth); depth == 0 {
		depth = trayDepth
	}
	return width, depth
}

// trays adds the trays, and what lies on them.
func (b *builder) trays() {
	t := b.r.Schedule.Trays
	if t == nil {
		b.bundles()
		return
	}
	for level := range t.Network.Levels {
		group := b.group("trays: "+t.Network.Levels[level].Name, -1)
		b.stretches(level, func(first, last int32) bool {
			return (t.Excess(first) > 0) == (t.Excess(last) > 0)
		}, func(first, last int32, from, to layout.Point) { b.tray(group, level, first, last, from, to) })
	}
	b.bundles()
}

// stretches visits the runs of consecutive pieces of a level that lie in one line and are alike.
func (b *builder) stretches(
	level int, alike func(first, last int32) bool, visit func(first, last int32, from, to layout.Point),
) {
	n := b.r.Schedule.Trays.Network
	var first, last int32 = -1, -1
	var from, to layout.Point
	var name string
	end := func() {
		if first >= 0 {
			visit(first, last, from, to)
		}
		first = -1
	}
	for piece := range int32(n.Pieces()) {
		if n.LevelOf(piece) != level || !n.IsLaid(piece) {
			continue
		}
		p := n.Piece(piece)
		if p.From.Distance(p.To) < 1e-6 {
			continue
		}
		if first < 0 || p.Name != name || last != piece-1 || to.Distance(p.From) > 1e-6 ||
			!straight(from, to, p.To) || !alike(first, piece) {
			end()
			first, from, name = piece, p.From, p.Name
		}
		last, to = piece, p.To
	}
	end()
}

// hall is the storey of a rack position.
func (b *builder) hall(place int32) int32 {
	room := b.r.Room()
	return int32(room.Rows[room.Places[place].Row].Hall)
}

// storey is that of the row nearest to a point of a tray.
func (b *builder) storey(p layout.Point) int32 {
	room := b.r.Room()
	best, nearest := int32(0), math.Inf(1)
	for i := range room.Rows {
		row := &room.Rows[i]
		if d := math.Hypot(float64(row.Y-p.Y), float64(row.Z-p.Z)); d < nearest {
			best, nearest = int32(row.Hall), d
		}
	}
	return best
}

// straight reports whether three points lie on one line along an axis of the floor.
func straight(a, b, c layout.Point) bool {
	return a.Z == c.Z && (a.Y == b.Y && b.Y == c.Y || a.X == b.X && b.X == c.X)
}

// tray adds a stretch of tray.
func (b *builder) tray(group int32, level int, first, last int32, from, to layout.Point) {
	t := b.r.Schedule.Trays
	width, depth := b.section(level)
	kind := Tray
	if t.Excess(first) > 0 {
		kind = FullTray
	}
	var most int64
	fill := 0.0
	for piece := first; piece <= last; piece++ {
		if t.Network.IsLaid(piece) {
			most, fill = max(most, t.Loads[piece].Cables), max(fill, t.Fill(piece))
		}
	}
	ids := t.ID(first)
	if last != first {
		ids += "-" + t.ID(last)
	}
	length := from.Distance(to)
	facts := []Fact{text("segments", ids), metres("length_m", length), count("cables_most", most)}
	if t.Section(level) > 0 {
		facts = append(facts, percent("fill_percent_most", fill))
	}
	name := t.Network.DescribeRun(first, last)
	s, along := b.lying(from, to)
	if !along {
		b.Lines = append(b.Lines, Line{
			Kind: kind, Name: name, In: group, Points: []layout.Point{from, to}, Diameter: units.Length(depth),
			Facts: facts, Storey: b.storey(from),
		})
		return
	}
	l := float64(length)
	s.Kind, s.Name, s.In, s.Facts, s.Storey = kind, name, group, facts, b.storey(from)
	s.Shape = b.shape( // the bottom goes on to where cables turn into a tray across
		block(kind, -width/2, -width/2, 0, l+width/2, width/2, metal),
		block(kind, 0, -width/2, metal, l, metal-width/2, depth),
		block(kind, 0, width/2-metal, metal, l, width/2, depth),
	)
	b.add(s)
}

// lying begins a solid whose shape runs along x from its origin; false where it would run along no axis of the floor.
func (b *builder) lying(from, to layout.Point) (s Solid, ok bool) {
	s.At = from
	switch {
	case math.Abs(float64(from.Z-to.Z)) > 1e-6:
		return s, false
	case math.Abs(float64(from.Y-to.Y)) < 1e-6:
		if to.X < from.X {
			s.At = to
		}
		return s, true
	case math.Abs(float64(from.X-to.X)) < 1e-6:
		if to.Y < from.Y {
			s.At = to
		}
		s.Turned = 1
		return s, true
	}
	return s, false
}

// bundles adds the cables between racks: every bundle along its way, or what all of them amount to.
func (b *builder) bundles() {
	s := b.r.Schedule
	if len(s.Bundles) == 0 {
		return
	}
	order := s.PullOrder()
	lines := make([]Line, 0, len(order))
	digits := max(4, len(fmt.Sprint(len(s.Bundles))))
	lanes := newLanes(b)
	bends := 0
	for _, i := range order {
		points := b.way(&s.Bundles[i], lanes)
		if len(points) < 2 {
			continue
		}
		if bends += len(points); bends > b.limits.Bends {
			b.amounts()
			return
		}
		lines = append(lines, b.bundle(fmt.Sprintf("B%0*d", digits, i+1), &s.Bundles[i], points))
	}
	group := b.group("bundles", -1)
	for i := range lines {
		lines[i].In = group
	}
	b.Lines = append(b.Lines, lines...)
}

// thinnest is the least diameter of a bundle: that of a cable, where nothing is stated.
const thinnest = 0.006

// bundle is a bundle as a line.
func (b *builder) bundle(id string, x *cabling.Bundle, points []layout.Point) Line {
	room := b.r.Room()
	kind := Mixed
	switch x.Kind() {
	case "copper":
		kind = Copper
	case "fibre":
		kind = Fibre
	}
	return Line{
		Kind: kind, Name: id, Points: points, Diameter: max(x.Diameter(), thinnest), Storey: b.hall(x.A),
		Facts: []Fact{
			text("a_rack", room.Name(int(x.A))), text("b_rack", room.Name(int(x.B))), count("cables", int64(x.Cables)),
			metres("longest_m", x.Longest), metres("diameter_m", x.Diameter()), weight(x.Weight()),
		},
	}
}

// amounts adds what all bundles amount to: bodies in the trays, and one at every rack from which cables rise to them.
func (b *builder) amounts() {
	s, room := b.r.Schedule, b.r.Room()
	b.Notes = append(b.Notes, "bundles are drawn as bodies of their cross-section, not one by one")
	if s.Trays == nil {
		return
	}
	t := s.Trays
	group := b.group("cables", -1)
	for level := range t.Network.Levels {
		width, depth := b.section(level)
		width -= 4 * metal
		b.stretches(level, func(first, last int32) bool {
			return t.Loads[first].Cables == t.Loads[last].Cables && t.Loads[first].Area() == t.Loads[last].Area()
		}, func(first, last int32, from, to layout.Point) {
			cables := t.Loads[first].Cables
			x, along := b.lying(from, to)
			if cables == 0 || !along {
				return
			}
			high := max(thinnest, min(loose*float64(t.Loads[first].Area())*1e-6/width, 3*depth))
			x.Kind, x.Name, x.In = Mixed, "cables on "+t.Network.DescribeRun(first, last), group
			l := float64(from.Distance(to))
			x.Shape = b.shape(block(Mixed, 0, -width/2, metal, l, width/2, round3(metal+high)))
			x.Facts, x.Storey = []Fact{count("cables", cables)}, b.storey(from)
			b.add(x)
		})
	}
	type drop struct {
		cables int64
		area   float64
	}
	drops := make([]drop, len(room.Places)*len(t.Rules))
	for i := range s.Bundles {
		x := &s.Bundles[i]
		if x.Way < 0 {
			continue
		}
		for _, place := range []int32{x.A, x.B} {
			d := &drops[int(place)*len(t.Rules)+int(s.Ways[x.Way].Level)]
			d.cables, d.area = d.cables+int64(x.Cables), d.area+float64(x.Area())*1e-6
		}
	}
	for i, d := range drops {
		if d.cables == 0 {
			continue
		}
		place, level := int32(i/len(t.Rules)), i%len(t.Rules)
		from, to := b.rise(place, t.Network.Levels[level].Height)
		if from.Z > to.Z {
			from, to = to, from
		}
		side := round3(max(thinnest, min(math.Sqrt(loose*d.area), float64(room.Type(place).Width)/2)))
		b.add(Solid{
			Kind: Mixed, Name: "cables of " + room.Name(int(place)), In: group, At: from, Storey: b.hall(place),
			Shape: b.shape(centred(Mixed, side, side, 0, float64((to.Z - from.Z).Round4()))),
			Facts: []Fact{count("cables", d.cables)},
		})
	}
}

// loose is what a bundle of round cables takes over their cross-sections.
const loose = 1.5

// round3 rounds to whole millimetres, so that what is nearly alike has one shape.
func round3(v float64) float64 { return math.Round(v*1e3) / 1e3 }

// rise is the way from a rack to the tray above it, or below: from the middle of its top or bottom.
func (b *builder) rise(place int32, height units.Length) (from, to layout.Point) {
	room := b.r.Room()
	p := &room.Places[place]
	row := &room.Rows[p.Row]
	from = layout.Point{X: p.X, Y: row.Y, Z: row.Z + room.Type(place).Height}
	to = layout.Point{X: p.X, Y: row.Y, Z: row.Z + height}
	if height < room.Type(place).Height/2 {
		from.Z = row.Z
	}
	return from, to
}

// way is the line that a bundle takes.
func (b *builder) way(x *cabling.Bundle, lanes *lanes) []layout.Point {
	s, room := b.r.Schedule, b.r.Room()
	if x.Way < 0 {
		top := func(place int32) layout.Point {
			p := &room.Places[place]
			return layout.Point{X: p.X, Y: p.Y, Z: room.Rows[p.Row].Z + room.Type(place).Height}
		}
		from, to := top(x.A), top(x.B)
		over := max(from.Z, to.Z) + 0.1
		return tidy([]layout.Point{
			from, {X: from.X, Y: from.Y, Z: over}, {X: from.X, Y: to.Y, Z: over}, {X: to.X, Y: to.Y, Z: over}, to,
		})
	}
	level := int(s.Ways[x.Way].Level)
	height := s.Trays.Network.Levels[level].Height
	legs := s.WayLegs(x.Way)
	from, at := b.rise(x.A, height)
	points := []layout.Point{from, at}
	for _, leg := range legs {
		leg.Pieces(func(piece int32) {
			p := s.Trays.Network.Piece(piece)
			next := p.To
			if at.Distance(p.To) < at.Distance(p.From) {
				next = p.From
			}
			points = append(points, next)
			at = next
		})
	}
	to, above := b.rise(x.B, height)
	points = tidy(append(points, above, to))
	across, up := lanes.takeLane(level, legs)
	for i := range points {
		points[i].X += across
		points[i].Y += across
		if i > 0 && i < len(points)-1 {
			points[i].Z += up
		}
	}
	return points
}

// tidy leaves out points that change nothing.
func tidy(points []layout.Point) []layout.Point {
	out := points[:0]
	for _, p := range points {
		if n := len(out); n > 0 && out[n-1].Distance(p) < 1e-6 {
			continue
		}
		if n := len(out); n > 1 {
			a, z := out[n-2], out[n-1]
			if (a.Distance(z) + z.Distance(p) - a.Distance(p)).Abs() < 1e-7 {
				out[n-1] = p
				continue
			}
		}
		out = append(out, p)
	}
	return out
}
