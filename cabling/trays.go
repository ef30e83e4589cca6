package cabling

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/units"
)

// TrayRule says what one level of the trays of a room takes.
type TrayRule struct {
	// Media may use the level; any when nil.
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

// takes tells whether cables of a medium may use the level.
func (r *TrayRule) takes(m catalog.Medium) bool { return r.Media == nil || slices.Contains(r.Media, m) }

// DefaultTrayFill is the share of a tray's cross-section that cables may take
// where nothing else is said: planning practice for cable trays, at most half
// (the rest is air between round cables, and room for changes).
const DefaultTrayFill = 0.5

// areaUnit is the unit in which areas are summed, a thousandth of a square
// millimetre: sums of integers do not depend on their order.
const areaUnit = 1e-9

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

// WayOf returns the index in Ways of a cable's way along the trays, and whether
// the cable runs it from its B to its A; -1 for a cable that is on no tray.
func (s *Schedule) WayOf(seg *Segment) (way int32, back bool) {
	if seg.Bundle == 0 {
		return -1, false
	}
	b := &s.Bundles[seg.Bundle-1]
	return b.Way, s.Placement.Layout.Container(layout.RackLevel, s.Placement.Slot[seg.A]) != b.A
}

// TrayLoad is what lies on one piece of tray.
type TrayLoad struct {
	Cables int64
	area   int64
	weight int64
}

// Area is the cross-section of the cables, in square millimetres.
func (l *TrayLoad) Area() float64 { return float64(l.area) * areaUnit * 1e6 }

// LineWeight is what a metre of the cables weighs.
func (l *TrayLoad) LineWeight() units.Mass { return units.Mass(float64(l.weight) / 1e6) }

// Trays is the network of trays that a schedule's cables lie on.
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

// Section is the cross-section of all trays of a level in square millimetres; 0
// where it is not stated.
func (t *Trays) Section(level int) float64 { return float64(t.Rules[level].area()) * areaUnit * 1e6 }

// Fill is the share of the cross-section that the cables of a piece take; 0 where
// the cross-section is not stated.
func (t *Trays) Fill(piece int32) float64 {
	area := t.Rules[t.Network.LevelOf(piece)].area()
	if area == 0 {
		return 0
	}
	return float64(t.Loads[piece].area) / float64(area)
}

// Fullest lists the pieces with cables, the fullest first, by number where they
// are alike.
func (t *Trays) Fullest() []int32 {
	var used []int32
	for piece := range t.Loads {
		if t.Loads[piece].Cables > 0 {
			used = append(used, int32(piece))
		}
	}
	slices.SortStableFunc(used, func(x, y int32) int {
		return cmp.Or(cmp.Compare(t.Fill(y), t.Fill(x)), cmp.Compare(t.Loads[y].Cables, t.Loads[x].Cables))
	})
	return used
}

// Excess is the area in square millimetres by which cables take more of a piece
// than its limit; 0 where they do not.
func (t *Trays) Excess(piece int32) float64 {
	limit := t.Rules[t.Network.LevelOf(piece)].limit()
	if over := t.Loads[piece].area - limit; limit > 0 && over > 0 {
		return float64(over) * areaUnit * 1e6
	}
	return 0
}

// AppendID appends the id of a piece: "T0117". Numbers count from 1, level by
// level.
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

// trayGroup is a group of media that may use the same levels.
type trayGroup struct{ levels []int32 }

// trayRouter routes cables on the trays of a room.
type trayRouter struct {
	net     *layout.TrayNetwork
	height  []units.Length
	groups  []trayGroup
	groupOf map[catalog.Medium]uint8
}

func isCopper(m catalog.Medium) bool { return m == catalog.PassiveCopper || m == catalog.ActiveCopper }

func newTrayRouter(net *layout.TrayNetwork, rules []TrayRule) *trayRouter {
	t := &trayRouter{net: net, groupOf: map[catalog.Medium]uint8{}}
	for _, l := range net.Levels {
		t.height = append(t.height, l.Height)
	}
	for _, m := range catalog.Media {
		var g trayGroup
		for level := range net.Levels {
			if rules[level].takes(m) {
				g.levels = append(g.levels, int32(level))
			}
		}
		i := slices.IndexFunc(t.groups, func(o trayGroup) bool { return slices.Equal(o.levels, g.levels) })
		if i < 0 {
			i = len(t.groups)
			t.groups = append(t.groups, g)
		}
		t.groupOf[m] = uint8(i)
	}
	return t
}

// trayOption is the shortest way of one group of media.
type trayOption struct {
	level int32 // -1 for none
	parts Parts
}

// rise is the way between a port and the trays of a level.
func (t *trayRouter) rise(level, rack int32, z units.Length) units.Length {
	return (t.net.Floor(rack) + t.height[level] - z).Abs()
}

// options finds the shortest way for every group of media, and the groups that
// have none.
func (t *trayRouter) options(out []trayOption, r *router, pa, pb layout.Point, rackA, rackB int32) (_ []trayOption,
	barred uint8,
) {
	beside := r.beside(pa, pb, rackA, rackB)
	if len(t.height) == 1 {
		run := t.net.DistanceOn(0, rackA, rackB)
		for g := range t.groups { // one, or another of media that no tray takes
			o := trayOption{level: -1}
			if len(t.groups[g].levels) > 0 && !math.IsInf(float64(run), 1) {
				o = trayOption{0, r.along(beside, pa, pb, rackA, rackB, 0, run)}
			} else {
				barred |= 1 << g
			}
			out = append(out, o)
		}
		return out, barred
	}
	var parts [maxTrayLevels]Parts
	for level := range t.height {
		run := units.Length(-1)
		for i := range level {
			if t.net.SamePlan(i, level) {
				run = parts[i].Run
				break
			}
		}
		if run < 0 {
			run = t.net.DistanceOn(level, rackA, rackB)
		}
		parts[level] = r.along(beside, pa, pb, rackA, rackB, int32(level), run)
	}
	for g := range t.groups {
		best := trayOption{level: -1}
		for _, level := range t.groups[g].levels {
			if p := parts[level]; !math.IsInf(float64(p.Run), 1) && (best.level < 0 || p.Total() < best.parts.Total()) {
				best = trayOption{level, p}
			}
		}
		if best.level < 0 {
			barred |= 1 << g
		}
		out = append(out, best)
	}
	return out, barred
}

// maxTrayLevels bounds the levels of trays.
const maxTrayLevels = 16

// bars tells whether cables of a medium find no tray, given the groups that have
// none.
func (t *trayRouter) bars(m catalog.Medium, barred uint8) bool {
	return barred&(1<<t.groupOf[m]) != 0
}

// barredOn is the groups that may not use a level.
func (t *trayRouter) barredOn(level int32) uint8 {
	barred := uint8(0)
	for g := range t.groups {
		if !slices.Contains(t.groups[g].levels, level) {
			barred |= 1 << g
		}
	}
	return barred
}

// load sums up what lies on the pieces of tray.
func (s *Schedule) load() {
	t := s.Trays
	n := t.Network.Pieces()
	t.Loads = make([]TrayLoad, n)
	end := TrayLoad{} // what would follow the last piece
	add := func(piece int32, sign int64, b *Bundle) {
		l := &end
		if int(piece) < n {
			l = &t.Loads[piece]
		}
		l.Cables += sign * int64(b.Cables)
		l.area += sign * b.area
		l.weight += sign * b.weight
	}
	last, legs := int32(-1), []layout.TrayLeg(nil)
	for i := range s.Bundles {
		b := &s.Bundles[i]
		if b.Way != last {
			last, legs = b.Way, s.WayLegs(b.Way)
		}
		for _, g := range legs { // differences from piece to piece
			add(min(g.From, g.To), 1, b)
			add(max(g.From, g.To)+1, -1, b)
		}
	}
	for i := 1; i < n; i++ {
		l, before := &t.Loads[i], &t.Loads[i-1]
		l.Cables += before.Cables
		l.area += before.area
		l.weight += before.weight
	}
}

// size gives levels without a count as many trays as their fullest piece needs.
func (t *Trays) size() {
	fullest := make([]int64, len(t.Rules))
	for piece := range t.Loads {
		level := t.Network.LevelOf(int32(piece))
		fullest[level] = max(fullest[level], t.Loads[piece].area)
	}
	for level := range t.Rules {
		r := &t.Rules[level]
		if r.Count > 0 {
			continue
		}
		r.Count = 1
		if limit := r.limit(); limit > 0 {
			r.Count = max(1, int((fullest[level]+limit-1)/limit))
		}
		for r.limit() > 0 && r.limit() < fullest[level] { // rounding
			r.Count++
		}
	}
}

// overfull tells whether some piece holds more than its limit.
func (t *Trays) overfull() bool {
	for piece := range t.Loads {
		if t.Excess(int32(piece)) > 0 {
			return true
		}
	}
	return false
}

// PieceName says where a piece is: "row C, x 3.90 m to 4.50 m", after the level's
// name where there are several.
func (t *Trays) PieceName(piece int32) string {
	p := t.Network.Piece(piece)
	name := t.TrayName(p.Level, p.Name)
	switch {
	case p.From.X != p.To.X && p.From.Y == p.To.Y && p.From.Z == p.To.Z:
		return fmt.Sprintf("%s, x %.2f m to %.2f m", name, p.From.X, p.To.X)
	case p.From.X == p.To.X && p.From.Y != p.To.Y && p.From.Z == p.To.Z:
		return fmt.Sprintf("%s, y %.2f m to %.2f m", name, p.From.Y, p.To.Y)
	}
	return name
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
			t.PieceName(piece), t.Loads[piece].Cables, t.Loads[piece].Area(), t.Section(level), 100*t.Fill(piece),
			t.Excess(piece), 100*r.Fill)
	}
}

// barredSets lists the sets of groups that may find no tray between two racks.
func (t *trayRouter) barredSets() []uint8 {
	always := uint8(0)
	for g := range t.groups {
		if len(t.groups[g].levels) == 0 {
			always |= 1 << g
		}
	}
	if t.net.Connected() {
		return []uint8{always}
	}
	var out []uint8
	for set := range uint8(1) << len(t.groups) {
		if set&always == always {
			out = append(out, set)
		}
	}
	return out
}

// pick chooses the product of a cable on trays, whose length depends on its
// medium. It starts from the shortest way of all and, where the product chosen
// may not use that way, goes on with the length that it would have. Every product
// that is returned is long enough for its own group's way. Group is that of the
// product; where none fits, of the last one that was tried, -1 where no tray
// joins the racks at all.
func pick(c *chooser, options []trayOption, groups []uint8) (group int, product int16) {
	group = -1
	for g := range options {
		if options[g].level >= 0 && (group < 0 || options[g].parts.Total() < options[group].parts.Total()) {
			group = g
		}
	}
	if group < 0 || c == nil {
		return group, NoProduct
	}
	need := options[group].parts.Total()
	for {
		product = c.choose(need)
		if product < 0 {
			return group, product
		}
		group = int(groups[product])
		own := options[group].parts.Total()
		if own > need+1e-9 {
			need = own
			continue
		}
		if own < need { // the detour of another medium is not its own
			if p := c.choose(own); p >= 0 && int(groups[p]) == group {
				product = p
			}
		}
		return group, product
	}
}

// trays prepares the trays and the bundles.
func (w *worker) trays() error {
	w.bundler = bundler{s: w.s, most: int32(w.p.Bundle)}
	if w.bundler.most <= 0 {
		w.bundler.most = DefaultBundle
	}
	if w.layout.Room == nil || w.p.Mode != Tray {
		return nil
	}
	net := w.layout.Room.Trays
	if len(net.Levels) > maxTrayLevels {
		return fmt.Errorf("cabling: more than %d levels of trays", maxTrayLevels)
	}
	rules := slices.Clone(w.p.Trays)
	if rules == nil {
		rules = make([]TrayRule, len(net.Levels))
	}
	if len(rules) != len(net.Levels) {
		return fmt.Errorf("cabling: %d rules for %d levels of trays", len(rules), len(net.Levels))
	}
	w.s.Trays = &Trays{Network: net, Rules: rules, digits: max(4, len(strconv.Itoa(net.Pieces())))}
	w.s.router.trays = newTrayRouter(net, rules)
	w.buyer.trays = w.s.router.trays
	return nil
}

// routes finds the ways of a cable between racks; they hold until the next call.
func (w *worker) routes(a, b end) (options []trayOption, barred uint8) {
	r := &w.s.router
	rackA, rackB := r.racks(a, b)
	w.found, barred = r.trays.options(w.found[:0], r, w.layout.At(a.slot, a.port), w.layout.At(b.slot, b.port), rackA,
		rackB)
	return w.found, barred
}

// lay finds the way, the length and the product of a cable that carries one link.
// A class without ports has no product.
func (w *worker) lay(seg *Segment, ch *channel, class *linkClass) {
	r := &w.s.router
	a, b := w.ends(ch)
	seg.Product = NoProduct
	if !r.onTrays(ch.common) {
		seg.Length = r.parts(a, b, ch.common).Total()
		if class.groupA != nil {
			seg.Product = w.chooserOf(class).choose(seg.Length)
		}
		w.tie(seg, a, b)
		return
	}
	options, barred := w.routes(a, b)
	class.barred = barred
	var c *chooser
	if class.groupA != nil {
		c = w.chooserOf(class)
	}
	group, product := pick(c, options, w.buyer.groups)
	if group < 0 {
		seg.Length = r.parts(a, b, ch.common).Total()
		return
	}
	o := &options[group]
	seg.Product, seg.Length = product, o.parts.Total()
	spare := units.Length(math.Inf(1))
	if c != nil {
		spare = c.longest() - seg.Length
	}
	way := w.tieOn(seg, a, b, o.level, uint8(group), o.parts.Run)
	if way.detour >= 0 {
		class.barred = r.trays.barredOn(int32(way.Level))
		seg.Length = r.trayParts(a, b, int32(way.Level), way.Run).Total()
		if class.groupA != nil {
			seg.Product = w.chooserOf(class).choose(seg.Length)
		}
		if seg.Product == NoProduct && product != NoProduct {
			w.failed = append(w.failed, seg.Bundle-1)
		}
	}
	w.tied(seg, a, b, o.parts.Total(), spare)
}

// laySharing finds the way and the length of a link whose cable is shared by the
// links of near cage n and leads to far cage f. The cable is what n needs as a
// whole: where it is led around full trays, it stays the same piece.
func (w *worker) laySharing(seg *Segment, ch *channel, n, f *cage) {
	r := &w.s.router
	a, b := w.ends(ch)
	if !r.onTrays(ch.common) {
		seg.Length = r.parts(a, b, ch.common).Total()
		if seg.Bundle = f.bundle; seg.Bundle == 0 {
			w.tie(seg, a, b)
			f.bundle = seg.Bundle
		}
		return
	}
	options, _ := w.routes(a, b)
	group := w.buyer.groups[n.product]
	o := &options[group]
	seg.Length = o.parts.Total()
	first := f.bundle == 0
	var way *Way
	if first {
		way = w.tieOn(seg, a, b, o.level, group, o.parts.Run)
		f.bundle = seg.Bundle
	} else { // in the jacket of another link
		seg.Bundle = f.bundle
		way = &w.s.Ways[w.s.Bundles[seg.Bundle-1].Way]
	}
	piece := w.s.Products[n.product].Length
	if way.detour >= 0 || int32(way.Level) != o.level {
		seg.Length = r.trayParts(a, b, int32(way.Level), way.Run).Total()
		if seg.Length > piece+1e-9 {
			w.failed = append(w.failed, seg.Bundle-1)
		}
	}
	if first {
		w.tied(seg, a, b, o.parts.Total(), piece-n.need)
	}
}

// tie puts a cable that lies on no tray into a bundle, if it leaves its rack.
func (w *worker) tie(seg *Segment, a, b end) {
	if w.layout.Room == nil || w.s.router.inRack(int(seg.Within)) {
		return
	}
	rackA, rackB := w.s.router.racks(a, b)
	seg.Bundle = w.bundler.bundle(rackA, rackB, -1, 0, w.copper(seg), 0)
	w.s.Bundles[seg.Bundle-1].add(seg.Length, w.product(seg), 0)
}

// tieOn puts a cable, whose shortest way is on a level, into a bundle and returns
// the way of that.
func (w *worker) tieOn(seg *Segment, a, b end, level int32, group uint8, run units.Length) *Way {
	rackA, rackB := w.s.router.racks(a, b)
	seg.Bundle = w.bundler.bundle(rackA, rackB, level, group, w.copper(seg), run)
	return &w.s.Ways[w.s.Bundles[seg.Bundle-1].Way]
}

// tied counts a cable in the bundle that it was put in. Shortest is its length on
// its shortest way, spare what may be added to that.
func (w *worker) tied(seg *Segment, a, b end, shortest, spare units.Length) {
	t := w.s.Trays
	u := &w.s.Bundles[seg.Bundle-1]
	if w.s.Ways[u.Way].detour >= 0 {
		t.Rerouted++
		t.Extra += seg.Length - shortest
	}
	u.spare = min(u.spare, float32(w.p.Slack.detour(spare)))
	rackA, rackB := w.s.router.racks(a, b)
	heights := w.layout.At(a.slot, a.port).Z +
		w.layout.At(b.slot, b.port).Z - t.Network.Floor(rackA) - t.Network.Floor(rackB)
	u.add(seg.Length, w.product(seg), heights)
}

// copper tells whether a segment's product is of copper.
func (w *worker) copper(seg *Segment) bool {
	return seg.Product >= 0 && isCopper(w.s.Products[seg.Product].Part.Cable.Medium)
}

// product is that of a segment, nil for none.
func (w *worker) product(seg *Segment) *Product {
	if seg.Product < 0 {
		return nil
	}
	return &w.s.Products[seg.Product]
}

// untrayed says which media find no tray.
func (w *worker) untrayed(barred uint8) string {
	var media []string
	for _, m := range catalog.Media {
		if w.s.router.trays.bars(m, barred) {
			media = append(media, string(m))
		}
	}
	if len(media) == len(catalog.Media) {
		return "; no tray joins these racks"
	}
	return "; no tray between these racks takes " + strings.Join(media, ", ")
}
