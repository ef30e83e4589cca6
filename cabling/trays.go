package cabling

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/units"
)

// TrayRule says what one level of the trays of a room takes.
type TrayRule struct {
	// Media may use the level; any when nil, none when empty but not nil.
	Media []catalog.Medium
	// Width and Depth are the cross-section of one tray, and Fill the share of it
	// that cables may take, 0 to 1. Without any of the three the level takes what
	// comes.
	Width, Depth units.Length
	Fill         float64
	// Count is the number of trays side by side; as many as the fullest piece
	// needs when 0.
	Count int
}

// takes reports whether cables of a medium may use the level.
func (r *TrayRule) takes(m catalog.Medium) bool { return r.Media == nil || slices.Contains(r.Media, m) }

// DefaultTrayFill is the share of a tray's cross-section that cables may take
// where nothing else is said: planning practice for cable trays, at most half
// (the rest is air between round cables, and room for changes).
const DefaultTrayFill = 0.5

// areaUnit is the unit in which areas are summed, a thousandth of a square
// millimetre: sums of integers do not depend on their order.
const areaUnit = 1e-9

// inArea is so many areaUnits.
func inArea(n int64) units.Area { return units.Area(float64(n) * areaUnit * 1e6) }

// area is the cross-section of all trays of the level; 0 for no stated one.
func (r *TrayRule) area() int64 {
	return int64(math.Round(float64(r.Width)*float64(r.Depth)/areaUnit)) * int64(max(r.Count, 1))
}

// limit is what cables may take of it; 0 for no limit.
func (r *TrayRule) limit() int64 { return int64(math.Floor(float64(r.area()) * r.Fill)) }

// cableArea is the cross-section of a cable, the circle of its outside diameter.
func cableArea(p *catalog.Part) int64 {
	d := float64(p.Cable.Diameter)
	return int64(math.Round(math.Pi / 4 * float64(d*d) / areaUnit))
}

// lineWeight is the weight of a metre of cable in milligrams.
func lineWeight(p *catalog.Part) int64 { return int64(math.Round(float64(p.Weight) * 1e6)) }

// Way is a way along the trays between two racks.
type Way struct {
	A, B  int32 // rack positions, A < B
	Level uint8
	group uint8 // of media
	// detour is the index of its pieces in Schedule.detours; -1 for the shortest
	// way on its level.
	detour int32
	Run    units.Length
}

// WayLegs returns the pieces of a way from A to B.
func (s *Schedule) WayLegs(way int32) []layout.TrayLeg {
	w := &s.Ways[way]
	if w.detour >= 0 {
		return s.detours[w.detour]
	}
	return s.Placement.Layout.Room.Trays.Route(int(w.Level), w.A, w.B)
}

// WayOf returns the index in Ways of a cable's way along the trays, and whether the cable runs it from the way's B to
// its A; -1 for a cable that is on no tray, where the second result means nothing.
func (s *Schedule) WayOf(seg *Segment) (way int32, back bool) {
	if seg.Bundle == 0 {
		return -1, false
	}
	b := &s.Bundles[seg.Bundle-1]
	return b.Way, s.Placement.Layout.Container(layout.RackLevel, s.Placement.Slot[seg.A]) != b.A
}

// TrayLoad is what lies on one piece of tray.
type TrayLoad struct {
	Cables int64 // jackets that have a product
	Bare   int64 // of them, of parts that state no diameter: with any, cross-section and fill are lower bounds
	area   int64
	weight int64
}

// Area is the cross-section of the cables.
func (l *TrayLoad) Area() units.Area { return inArea(l.area) }

// LineWeight is what a metre of the cables weighs.
func (l *TrayLoad) LineWeight() units.Mass { return units.Mass(float64(l.weight) / 1e6) }

// Trays is the network of trays that a schedule's cables lie on. Run makes it; a zero Trays is not usable, as it has
// no layout.
type Trays struct {
	Network *layout.TrayNetwork
	Rules   []TrayRule // of each level, with their counts
	Loads   []TrayLoad // of each piece
	// Rerouted is the number of cables that were taken off their shortest way
	// because trays overfilled, Extra what that adds to their lengths, and Rounds
	// the number of times that all cables were routed anew.
	Rerouted int64
	Extra    units.Length
	Rounds   int

	digits int
}

// Section is the cross-section of all trays of a level; 0 where it is not stated.
func (t *Trays) Section(level int) units.Area { return inArea(t.Rules[level].area()) }

// SectionAt is the cross-section that cables have on a piece: that of its trays, or of the opening in a wall or floor
// that they run through, if it is smaller; 0 where neither is stated.
func (t *Trays) SectionAt(piece int32) units.Area { return inArea(t.area(piece)) }

// area is SectionAt in areaUnit.
func (t *Trays) area(piece int32) int64 {
	area := t.Rules[t.Network.LevelOf(piece)].area()
	w, h := t.Network.Clear(piece)
	if clear := int64(math.Round(float64(w) * float64(h) / areaUnit)); clear > 0 && (area == 0 || clear < area) {
		return clear
	}
	return area
}

// limit is what cables may take of a piece, in areaUnit; 0 for no limit.
func (t *Trays) limit(piece int32) int64 {
	fill := t.Rules[t.Network.LevelOf(piece)].Fill
	return int64(math.Floor(float64(t.area(piece)) * fill))
}

// Fill is the share of SectionAt that the cables of a piece take, above 1 where they do not fit; 0 where the
// cross-section is not stated.
func (t *Trays) Fill(piece int32) float64 {
	area := t.area(piece)
	if area == 0 {
		return 0
	}
	return float64(t.Loads[piece].area) / float64(area)
}

// Fullest lists the pieces with cables, the largest Fill first; equal ones, as all without a stated cross-section, by
// the number of cables, then by piece.
func (t *Trays) Fullest() []int32 {
	type filled struct {
		fill   float64
		cables int64
		piece  int32
	}
	var used []filled
	for piece := range int32(len(t.Loads)) {
		if n := t.Loads[piece].Cables; n > 0 {
			used = append(used, filled{t.Fill(piece), n, piece})
		}
	}
	slices.SortFunc(used, func(x, y filled) int {
		switch {
		case x.fill != y.fill:
			return cmp.Compare(y.fill, x.fill)
		case x.cables != y.cables:
			return cmp.Compare(y.cables, x.cables)
		}
		return cmp.Compare(x.piece, y.piece)
	})
	out := make([]int32, len(used))
	for i := range used {
		out[i] = used[i].piece
	}
	return out
}

// Excess is the area by which cables take more of a piece than its limit; 0 where
// they do not.
func (t *Trays) Excess(piece int32) units.Area {
	limit := t.limit(piece)
	if over := t.Loads[piece].area - limit; limit > 0 && over > 0 {
		return inArea(over)
	}
	return 0
}

// AppendID appends the id of the piece with an index from 0, "T0117" for 116: ids count from 1, level by level.
func (t *Trays) AppendID(b []byte, piece int32) []byte {
	b = append(b, 'T')
	for limit, n := int64(10), int64(1); n < int64(t.digits); limit, n = limit*10, n+1 {
		if int64(piece)+1 < limit {
			b = append(b, '0')
		}
	}
	return strconv.AppendInt(b, int64(piece)+1, 10)
}

// ID is the id of a piece.
func (t *Trays) ID(piece int32) string { return string(t.AppendID(nil, piece)) }

// AppendRoute appends a way as the ids of its pieces, in order; runs of
// consecutive numbers by their first and last: "T0003-T0017 T0120".
func (t *Trays) AppendRoute(b []byte, legs []layout.TrayLeg) []byte {
	for i, g := range legs {
		if i > 0 {
			b = append(b, ' ')
		}
		b = t.AppendID(b, g.From)
		if g.To != g.From {
			b = t.AppendID(append(b, '-'), g.To)
		}
	}
	return b
}

// load sums up what lies on the pieces of tray.
func (s *Schedule) load() {
	t := s.Trays
	n := t.Network.Pieces()
	t.Loads = make([]TrayLoad, n)
	end := TrayLoad{} // what would follow the last piece
	add := func(piece int32, sign int64, load *TrayLoad) {
		l := &end
		if int(piece) < n {
			l = &t.Loads[piece]
		}
		l.Cables += sign * load.Cables
		l.Bare += sign * load.Bare
		l.area += sign * load.area
		l.weight += sign * load.weight
	}
	ways := make([]TrayLoad, len(s.Ways))
	for i := range s.Bundles {
		b := &s.Bundles[i]
		l := &ways[b.Way]
		l.Cables += int64(b.Cables)
		l.Bare += int64(b.Bare)
		l.area += b.area
		l.weight += b.weight
	}
	for way := range ways {
		l := &ways[way]
		if l.Cables == 0 {
			continue
		}
		for _, g := range s.WayLegs(int32(way)) { // differences from piece to piece
			add(min(g.From, g.To), 1, l)
			add(max(g.From, g.To)+1, -1, l)
		}
	}
	for i := 1; i < n; i++ {
		l, before := &t.Loads[i], &t.Loads[i-1]
		l.Cables += before.Cables
		l.Bare += before.Bare
		l.area += before.area
		l.weight += before.weight
	}
}

// size gives levels without a count as many trays as their fullest piece needs.
func (t *Trays) size() {
	for level := range t.Rules {
		if r := &t.Rules[level]; r.Count <= 0 {
			r.Count = t.TraysNeeded(level)
		}
	}
}

// TraysNeeded returns the number of trays side by side that the fullest piece of a level needs, at least 1; 1 where the
// level has no limit.
func (t *Trays) TraysNeeded(level int) int {
	fullest := int64(0)
	for piece := range t.Loads {
		if t.Network.LevelOf(int32(piece)) == level {
			fullest = max(fullest, t.Loads[piece].area)
		}
	}
	r := t.Rules[level]
	r.Count = 1
	if limit := r.limit(); limit > 0 {
		r.Count = max(1, int(fullest/limit))
	}
	for r.limit() > 0 && r.limit() < fullest {
		r.Count++
	}
	return r.Count
}

// overfull reports whether some piece holds more than its limit.
func (t *Trays) overfull() bool {
	for piece := range t.Loads {
		if t.Excess(int32(piece)) > 0 {
			return true
		}
	}
	return false
}

// PieceName says where a piece is: "row C, C03-C04", after the level's name where there are several.
func (t *Trays) PieceName(piece int32) string {
	return t.TrayName(t.Network.LevelOf(piece), t.Network.DescribeRun(piece, piece))
}

// TrayName is the name of a tray, after that of its level where there are
// several.
func (t *Trays) TrayName(level int, name string) string {
	if len(t.Rules) > 1 {
		return t.Network.Levels[level].Name + " " + name
	}
	return name
}

// report adds a violation for every piece that is too full, the fullest first.
func (t *Trays) report(v *Violations) {
	var over []int32
	for piece := range t.Loads {
		if t.Excess(int32(piece)) > 0 {
			over = append(over, int32(piece))
		}
	}
	slices.SortStableFunc(over, func(a, b int32) int { return cmp.Compare(t.Excess(b), t.Excess(a)) })
	for _, piece := range over {
		level := t.Network.LevelOf(piece)
		r := &t.Rules[level]
		v.Add(RuleTrayFill, t.ID(piece),
			"%s: %d cables take %.0f mm2 of %.0f mm2 (%.1f %%), %.0f mm2 more than the limit of %.0f %%",
			t.PieceName(piece), t.Loads[piece].Cables, t.Loads[piece].Area(), t.SectionAt(piece), 100*t.Fill(piece),
			t.Excess(piece), 100*r.Fill)
	}
}
