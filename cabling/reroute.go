package cabling

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/units"
)

// Limits of rerouting. The first is the number of times that all cables are
// scheduled anew because other products, thicker or thinner, follow from other
// lengths; the others bound one negotiation.
const (
	mostRounds       = 6
	mostNegotiations = 60
	mostPatience     = 15 // negotiations without a better state
)

// reroute takes bundles off pieces of tray that are too full and schedules all
// cables anew with the ways found, until nothing overfills or nothing more can be
// done. It returns the worker of the last schedule.
func (w *worker) reroute(ctx context.Context) (*worker, error) {
	pinned := map[int32]bool{} // bundles that have to keep to their shortest way
	base := make([]int32, len(w.s.Bundles))
	area := make([]int64, len(w.s.Bundles)) // on the shortest way
	for i := range w.s.Bundles {
		base[i], area[i] = w.s.Bundles[i].Way, w.s.Bundles[i].area
	}
	best := [2]float64{math.Inf(1)} // excess, extra length
	var bestAssigned []int32
	again := func(assigned []int32, rounds int) error {
		next, err := newWorker(w.p)
		if err != nil {
			return err
		}
		next.s.Segments = w.s.Segments[:0:cap(w.s.Segments)]
		next.s.Ways, next.s.detours = w.s.Ways, w.s.detours
		next.s.Trays.Rules, next.s.Trays.Rounds = w.s.Trays.Rules, rounds
		next.bundler.assigned = assigned
		next.replace, next.s.Consolidated = w.replace, w.s.Consolidated
		if w.p.Again != nil {
			w.p.Again()
		}
		if err := next.links(ctx); err != nil {
			return err
		}
		next.s.load()
		w = next
		return nil
	}
	rounds := 0
	for rounds < mostRounds {
		n := newNegotiation(w.s, base, area, pinned)
		if err := n.run(ctx); err != nil {
			return nil, err
		}
		if !n.moved {
			break
		}
		rounds++
		if err := again(n.way, rounds); err != nil {
			return nil, err
		}
		if len(w.failed) > 0 {
			for _, b := range w.failed {
				pinned[b] = true
			}
			continue
		}
		state := [2]float64{float64(w.s.excess()), float64(w.s.Trays.Extra)}
		if slices.Compare(state[:], best[:]) >= 0 {
			break
		}
		best, bestAssigned = state, n.way
	}
	if bestAssigned == nil { // every round left some cable without a product
		bestAssigned = base
	}
	if w.bundler.assigned != nil && !slices.Equal(bestAssigned, w.bundler.assigned) {
		if err := again(bestAssigned, rounds+1); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// excess is the area by which all pieces together are too full.
func (s *Schedule) excess() units.Area {
	sum := units.Area(0)
	for piece := range s.Trays.Loads {
		sum += s.Trays.Excess(int32(piece))
	}
	return sum
}

// negotiation reroutes bundles by negotiated congestion: a piece of tray has a
// price, its length, which rises with its present excess and with the rounds in
// which it was too full; bundles on pieces that are too full are taken up one
// after the other and laid on the way that is then cheapest, until no piece is
// too full. L. McMurchie and C. Ebeling, "PathFinder: a negotiation-based
// performance-driven router for FPGAs", FPGA 1995. Loads and prices are integers
// and bundles come in a fixed order, so that the outcome is always the same.
type negotiation struct {
	s       *Schedule
	t       *Trays
	router  *layout.TrayRouter
	length  []int64 // of every piece, in tenths of a millimetre
	limit   []int64 // of every piece; 0 for none
	load    []int64
	history []float64
	present float64
	size    int64 // of the bundle at hand

	way    []int32            // of every bundle
	base   []int32            // its shortest way
	area   []int64            // its area there; other products follow from other lengths
	legs   [][]layout.TrayLeg // of ways that were looked at
	found  map[string]int32
	pinned map[int32]bool
	moved  bool
}

func newNegotiation(s *Schedule, base []int32, area []int64, pinned map[int32]bool) *negotiation {
	t := s.Trays
	pieces := t.Network.Pieces()
	n := &negotiation{
		s: s, t: t, router: t.Network.NewRouter(), pinned: pinned, base: base, area: area, found: map[string]int32{},
		length: make([]int64, pieces), limit: make([]int64, pieces), load: make([]int64, pieces),
		history: make([]float64, pieces),
		way:     make([]int32, len(s.Bundles)),
	}
	for piece := range pieces {
		p := t.Network.Piece(int32(piece))
		n.length[piece] = max(1, int64(math.Round(float64(p.Length)*1e4)))
		n.limit[piece] = t.limit(int32(piece))
		n.load[piece] = t.Loads[piece].area
	}
	for i := range s.Bundles {
		n.way[i] = s.Bundles[i].Way
		if pinned[int32(i)] {
			n.put(int32(i), base[i])
		}
	}
	for i := range s.Ways {
		if s.Ways[i].detour >= 0 {
			n.found[n.key(&s.Ways[i], s.detours[s.Ways[i].detour])] = int32(i)
		}
	}
	return n
}

// of returns the pieces of a way.
func (n *negotiation) of(way int32) []layout.TrayLeg {
	for len(n.legs) < len(n.s.Ways) {
		n.legs = append(n.legs, nil)
	}
	if n.legs[way] == nil {
		n.legs[way] = n.s.WayLegs(way)
	}
	return n.legs[way]
}

// over is the excess of a piece.
func (n *negotiation) over(piece int32) int64 {
	if limit := n.limit[piece]; limit > 0 {
		return max(0, n.load[piece]-limit)
	}
	return 0
}

// price is what the bundle at hand pays for a piece: its length, and as much
// again, and a metre, for every time that it is overfilled.
func (n *negotiation) price(piece int32) int64 {
	length := n.length[piece]
	limit := n.limit[piece]
	if limit == 0 {
		return length
	}
	factor := n.history[piece]
	if over := n.load[piece] + n.size - limit; over > 0 {
		factor += float64(n.present * (float64(over) / float64(limit)))
	}
	return length + int64(math.Round(min(factor*float64(length+1e4), 1e15)))
}

// cappedPrice returns the price of a piece that must not be overfilled.
func (n *negotiation) cappedPrice(piece int32) int64 {
	if limit := n.limit[piece]; limit > 0 && n.load[piece]+n.size > limit {
		return layout.NoRoute
	}
	return n.length[piece]
}

// areaOf is the area of a bundle on its way.
func (n *negotiation) areaOf(bundle int32) int64 {
	if n.way[bundle] == n.base[bundle] {
		return n.area[bundle]
	}
	return n.s.Bundles[bundle].area
}

// lay adds a bundle's area to the pieces of its way, or takes it off.
func (n *negotiation) lay(bundle int32, sign int64) {
	area := sign * n.areaOf(bundle)
	for _, g := range n.of(n.way[bundle]) {
		for piece := min(g.From, g.To); piece <= max(g.From, g.To); piece++ {
			n.load[piece] += area
		}
	}
}

// put moves a bundle to a way.
func (n *negotiation) put(bundle, way int32) {
	if way != n.way[bundle] {
		n.lay(bundle, -1)
		n.way[bundle] = way
		n.lay(bundle, 1)
	}
}

// overfull reports whether a bundle lies on a piece that is too full.
func (n *negotiation) overfull(bundle int32) bool {
	for _, g := range n.of(n.way[bundle]) {
		for piece := min(g.From, g.To); piece <= max(g.From, g.To); piece++ {
			if n.over(piece) > 0 {
				return true
			}
		}
	}
	return false
}

// run negotiates until nothing is too full, or keeps the best state that there
// was.
func (n *negotiation) run(ctx context.Context) error {
	n.present = 0.5
	best, since := n.total(), 0
	bestWay := slices.Clone(n.way)
	for round := 0; round < mostNegotiations && best > 0 && since < mostPatience; round++ {
		for b := range int32(len(n.way)) {
			if b&0xfff == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if !n.pinned[b] && n.s.Bundles[b].area > 0 && n.overfull(b) {
				n.move(b, n.price)
			}
		}
		for piece := range n.load {
			if over := n.over(int32(piece)); over > 0 {
				n.history[piece] += float64(over) / float64(n.limit[piece])
			}
		}
		n.present *= 1.5
		since++
		if total := n.total(); total < best {
			best, since = total, 0
			copy(bestWay, n.way)
		}
	}
	for b := range n.way {
		n.put(int32(b), bestWay[b])
	}
	return n.shorten(ctx)
}

// total is the excess of all pieces.
func (n *negotiation) total() int64 {
	sum := int64(0)
	for piece := range n.load {
		sum += n.over(int32(piece))
	}
	return sum
}

// shorten takes detours back, the longest first, as far as there is room.
func (n *negotiation) shorten(ctx context.Context) error {
	extra := func(b int32) float64 { return float64(n.s.Ways[n.way[b]].Run - n.s.Ways[n.base[b]].Run) }
	var detours []int32
	for b := range int32(len(n.way)) {
		if n.way[b] != n.base[b] {
			detours = append(detours, b)
		}
	}
	slices.SortStableFunc(detours, func(a, b int32) int { return cmp.Compare(extra(b), extra(a)) })
	for _, b := range detours {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		n.move(b, n.cappedPrice)
	}
	for b := range n.way {
		n.moved = n.moved || n.way[b] != n.s.Bundles[b].Way
	}
	return nil
}

// move takes a bundle up and lays it on its cheapest way, of any level that its
// cables may use. Where none is cheaper, or the cables would be too long for any
// product, it stays.
func (n *negotiation) move(bundle int32, price func(int32) int64) {
	b := &n.s.Bundles[bundle]
	n.lay(bundle, -1)
	n.size = max(n.area[bundle], b.area)
	now := &n.s.Ways[n.way[bundle]]
	heights := float64(b.heights) / float64(max(b.tied, 1))
	up := func(level int32) int64 { // rise and drop, at the mean height of the ports
		return int64(math.Round(1e4 * math.Abs(2*float64(n.s.router.trays.height[level])-heights)))
	}
	best, to := up(int32(now.Level)), n.way[bundle]
	for _, g := range n.of(to) {
		g.Pieces(func(piece int32) {
			if p := price(piece); best < layout.NoRoute-p {
				best += p
			} else {
				best = layout.NoRoute
			}
		})
	}
	start := &n.s.Ways[n.base[bundle]]
	for _, level := range n.levels(bundle) {
		legs, cost := n.router.Route(int(level), b.A, b.B, price)
		if legs == nil || cost > layout.NoRoute-up(level) || cost+up(level) >= best {
			continue
		}
		run := n.run4(legs)
		longer := run - float64(start.Run) + float64(up(level)-up(int32(start.Level)))/1e4
		if longer > float64(b.spare) {
			continue
		}
		best, to = cost+up(level), n.number(bundle, level, legs, run)
	}
	n.way[bundle] = to
	n.lay(bundle, 1)
}

// levels are those that a bundle's cables may use.
func (n *negotiation) levels(bundle int32) []int32 {
	return n.s.router.trays.groups[n.s.Ways[n.base[bundle]].group].levels
}

// run4 is the length of a way, to a tenth of a millimetre.
func (n *negotiation) run4(legs []layout.TrayLeg) float64 {
	sum := int64(0)
	for _, g := range legs {
		g.Pieces(func(piece int32) { sum += n.length[piece] })
	}
	return float64(sum) / 1e4
}

// key tells ways apart.
func (n *negotiation) key(w *Way, legs []layout.TrayLeg) string {
	b := make([]byte, 0, 12+8*len(legs))
	put := func(v int32) { b = append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24)) }
	put(w.A)
	put(w.B)
	for _, g := range legs {
		put(g.From)
		put(g.To)
	}
	return string(b)
}

// number finds or adds a way.
func (n *negotiation) number(bundle, level int32, legs []layout.TrayLeg, run float64) int32 {
	s, b := n.s, &n.s.Bundles[bundle]
	if base := n.base[bundle]; int32(s.Ways[base].Level) == level && slices.Equal(legs, n.of(base)) {
		return base
	}
	w := Way{
		A: b.A, B: b.B, Level: uint8(level), group: s.Ways[n.base[bundle]].group, detour: int32(len(s.detours)),
		Run: units.Length(run),
	}
	key := n.key(&w, legs)
	if i, ok := n.found[key]; ok {
		return i
	}
	s.detours = append(s.detours, legs)
	s.Ways = append(s.Ways, w)
	n.found[key] = int32(len(s.Ways) - 1)
	return n.found[key]
}
