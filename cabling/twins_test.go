package cabling_test

import (
	"math"
	"slices"
	"testing"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// slip is what the cross-section of a cable is rounded by at most, in square millimetres.
const slip = 0.51e-3

// near reports whether two figures differ by rounding only.
func near(a, b, by float64) bool { return math.Abs(a-b) <= by }

// againstTwins works out again, one segment after the other and from the places of boxes, what a schedule says of
// lengths, bundles, trays, counts and panels.
func againstTwins(t *testing.T, s *cabling.Schedule) {
	t.Helper()
	w := &twin{t: t, s: s, p: cabling.ProblemOf(s)}
	w.lengths()
	w.lengthsBought()
	w.counts()
	w.bundles()
	w.loads()
	w.panels()
}

// A twin works out a schedule again.
type twin struct {
	t *testing.T
	s *cabling.Schedule
	p *cabling.Problem
}

// end is a point at which a segment ends, from the corner of the room.
func (w *twin) end(v int32, port uint16) layout.Point {
	l := w.s.Placement.Layout
	box := w.s.Boxes[topology.KindOf(w.s.Kinds, int(v))]
	at, p := l.Position(w.s.Placement.Slot[v]), box.Box.Port(int(port))
	if l.Room != nil {
		rack := &l.Room.Places[l.Container(layout.RackLevel, w.s.Placement.Slot[v])]
		if rack.Turned != l.Rear(w.s.Placement.Slot[v]) { // half a turn: once, and not twice
			p.X, p.Y = -p.X, -p.Y
		}
	}
	return layout.Point{X: at.X + p.X, Y: at.Y + p.Y, Z: at.Z + p.Z}
}

// lengths works out the length of each cable between boxes, with the rules of docs/cabling.md.
func (w *twin) lengths() {
	s, l := w.s, w.s.Placement.Layout
	slack := w.p.Slack
	for i := range s.Segments {
		seg := &s.Segments[i]
		if seg.Product == cabling.IsTrace || s.Panel(seg.A) >= 0 || s.Panel(seg.B) >= 0 {
			continue
		}
		a, b := w.end(seg.A, seg.PortA), w.end(seg.B, seg.PortB)
		dx, dy, dz := math.Abs(float64(a.X-b.X)), math.Abs(float64(a.Y-b.Y)), math.Abs(float64(a.Z-b.Z))
		inRack := s.InRack(int(seg.Within))
		route := 0.0
		way, back := s.WayOf(seg)
		switch {
		case way >= 0:
			network := s.Trays.Network
			height := network.Levels[s.Ways[way].Level].Height
			rackA := l.Container(layout.RackLevel, s.Placement.Slot[seg.A])
			rackB := l.Container(layout.RackLevel, s.Placement.Slot[seg.B])
			if first := s.Ways[way].A; back == (rackA == first) && rackA != rackB {
				w.t.Errorf("%s: from rack %d, its way from %d, back %v", s.CableID(int64(seg.Cable)), rackA, first,
					back)
			}
			route += math.Abs(float64(network.Floor(rackA) + height - a.Z))
			route += math.Abs(float64(network.Floor(rackB) + height - b.Z))
			for _, leg := range s.WayLegs(way) {
				for piece := min(leg.From, leg.To); piece <= max(leg.From, leg.To); piece++ {
					route += float64(network.Piece(piece).Length)
				}
			}
			route += w.sides(seg, a, b)
		case w.p.Mode == cabling.Direct:
			route = math.Sqrt(dx*dx + dy*dy + dz*dz)
		case inRack && w.p.Mode == cabling.Tray && slack.Manager != cabling.AnySide:
			route = dy + dz + w.side(seg, a, b)
		default:
			route = dx + dy + dz
		}
		for _, v := range []int32{seg.A, seg.B} {
			route += float64(s.Boxes[topology.KindOf(s.Kinds, int(v))].Beyond)
		}
		w.toMiddles(seg, a, b)
		whole := route * (1 + slack.Percent/100)
		if inRack {
			whole += float64(slack.InRack)
		} else {
			whole += float64(slack.Fixed + 2*slack.Loop)
		}
		if step := float64(slack.RoundUp); step > 0 {
			whole = math.Ceil(whole/step-1e-3) * step
		}
		// each of ten parts is rounded to a tenth of a millimetre
		if !near(whole, float64(seg.Length), 6e-4) {
			w.t.Errorf("%s from %s to %s: %.4f m, by hand %.4f m", s.CableID(int64(seg.Cable)),
				s.Label(seg.A, seg.PortA), s.Label(seg.B, seg.PortB), float64(seg.Length), whole)
		}
	}
}

// toMiddles works out how much of the slack leads from the ports of a cable on trays to the middles of the racks.
func (w *twin) toMiddles(seg *cabling.Segment, a, b layout.Point) {
	parts := w.s.Parts(seg)
	gotA, gotB := w.s.ToMiddles(seg, parts)
	wantA, wantB := 0.0, 0.0
	if way, _ := w.s.WayOf(seg); way >= 0 {
		l := w.s.Placement.Layout
		middle := func(v int32) units.Length {
			return l.Room.Places[l.Container(layout.RackLevel, w.s.Placement.Slot[v])].Y
		}
		wantA, wantB = math.Abs(float64(a.Y-middle(seg.A))), math.Abs(float64(b.Y-middle(seg.B)))
		if spare := float64(w.p.Slack.Fixed); wantA+wantB > spare+2e-4 {
			wantA, wantB = 0, 0
		} else if wantA+wantB > spare-2e-4 {
			return // rounding decides
		}
	}
	if !near(float64(gotA), wantA, 2e-4) || !near(float64(gotB), wantB, 2e-4) {
		w.t.Errorf("%s: %v and %v to the middles of the racks, by hand %.4f m and %.4f m",
			w.s.CableID(int64(seg.Cable)), gotA, gotB, wantA, wantB)
	}
}

// fromLeft is how far an end is from the left side of its rack, seen from the front, how wide the rack is, and whether
// the end is at the front.
func (w *twin) fromLeft(v int32, at layout.Point) (left, width float64, front bool) {
	room := w.s.Placement.Layout.Room
	place := w.s.Placement.Layout.Container(layout.RackLevel, w.s.Placement.Slot[v])
	rack := &room.Places[place]
	width = float64(room.Type(place).Width)
	dx, dy := float64(at.X-rack.X), float64(at.Y-rack.Y)
	if rack.Turned {
		dx, dy = -dx, -dy
	}
	return width/2 + dx, width, dy <= 0
}

// sides are the ways from both ends of a cable on trays to the sides of their racks, and through one of them.
func (w *twin) sides(seg *cabling.Segment, a, b layout.Point) float64 {
	toSide := func(v int32, at layout.Point) (way float64, front bool) {
		left, width, front := w.fromLeft(v, at)
		if !front { // seen from the rear
			left = width - left
		}
		switch w.p.Slack.Manager {
		case cabling.Left:
			return max(left, 0), front
		case cabling.Right:
			return max(width-left, 0), front
		case cabling.Nearest:
			return max(min(left, width-left), 0), front
		}
		return 0, front
	}
	x, frontA := toSide(seg.A, a)
	y, frontB := toSide(seg.B, b)
	if frontA != frontB {
		return x + y + float64(w.p.Slack.Crossing)
	}
	return x + y
}

// side is the way from both ends of a cable in a rack to one side of it; left and right are as seen from end A.
func (w *twin) side(seg *cabling.Segment, a, b layout.Point) float64 {
	x, width, front := w.fromLeft(seg.A, a)
	y, _, _ := w.fromLeft(seg.B, b)
	// ports of boxes that are wider than the rack have no way to the side that they stand beyond
	left, right := max(x, 0)+max(y, 0), max(width-x, 0)+max(width-y, 0)
	switch {
	case w.p.Slack.Manager == cabling.Nearest:
		return min(left, right)
	case (w.p.Slack.Manager == cabling.Left) == front:
		return left
	}
	return right
}

// lengthsBought compares ordered with required lengths.
func (w *twin) lengthsBought() {
	s := w.s
	longest := map[int32]units.Length{} // need of each cable
	for i := range s.Segments {
		seg := &s.Segments[i]
		longest[seg.Cable] = max(longest[seg.Cable], seg.Length)
	}
	for i := range s.Segments {
		seg := &s.Segments[i]
		p := s.Product(seg)
		if p == nil {
			continue
		}
		if p.Length < longest[seg.Cable]-1e-9 {
			w.t.Errorf("%s: %v for %v", s.CableID(int64(seg.Cable)), p.Length, longest[seg.Cable])
		}
		lengths := p.Part.Cable.Lengths
		if !p.Stock && p.Part.Cable.MadeToMeasure == 0 && !slices.Contains(lengths, p.Length) {
			w.t.Errorf("%s: nobody sells %v of %s", s.CableID(int64(seg.Cable)), p.Length, p.Part.ID)
		}
		if p.OpticA != nil && p.OpticB != nil {
			if reach := min(p.OpticA.Optic.Reach, p.OpticB.Optic.Reach); p.Length > reach+1e-9 {
				w.t.Errorf("%s: %v between optics that reach %v", s.CableID(int64(seg.Cable)), p.Length, reach)
			}
		}
	}
}

// counts adds up tallies and ports again.
func (w *twin) counts() {
	s := w.s
	cables, products := map[int32]bool{}, map[int16]int64{}
	links, wired := int64(0), int64(0)
	ports := [2]int64{} // of nodes, of switches
	port := func(v int32) {
		switch {
		case s.Panel(v) >= 0:
		case s.Kinds[topology.KindOf(s.Kinds, int(v))].Role == topology.Switch:
			ports[1]++
		default:
			ports[0]++
		}
	}
	for i := range s.Segments {
		seg := &s.Segments[i]
		port(seg.A)
		port(seg.B)
		if !s.Continues(seg) {
			links++
		}
		if seg.Product == cabling.IsTrace {
			continue
		}
		wired++
		if !cables[seg.Cable] {
			cables[seg.Cable] = true
			products[seg.Product]++
		}
	}
	if int64(len(cables)) != s.Cables || wired != s.Wired || ports != [2]int64{s.PortsUsed.Node, s.PortsUsed.Switch} {
		w.t.Errorf("%d cables, %d wired, ports %v; the schedule has %d, %d, %+v", len(cables), wired, ports, s.Cables,
			s.Wired, s.PortsUsed)
	}
	tallied := map[int16]int64{}
	for _, row := range s.Tallies {
		for i := range row {
			links -= row[i].Links
			for p, n := range row[i].Product {
				tallied[int16(p)] += n
			}
		}
	}
	if links != 0 {
		w.t.Errorf("%d links are in no tally", links)
	}
	for p, n := range products {
		if p >= 0 && tallied[p] != n {
			w.t.Errorf("%d of %s, tallies have %d", n, product(&s.Products[p]), tallied[p])
		}
	}
}

// jackets calls visit with the first segment in each jacket.
func (w *twin) jackets(visit func(seg *cabling.Segment)) {
	legs := map[int32]int{}
	for i := range w.s.Segments {
		seg := &w.s.Segments[i]
		if seg.Product == cabling.IsTrace {
			continue
		}
		per := 1 // links in a jacket: a trunk and a twin-port cable have one, a splitter one for each far plug
		if p := w.s.Product(seg); p != nil {
			per = max(p.Part.Cable.Links, p.Part.Cable.Legs, 1) / p.Part.Cable.FarPlugs()
			if per == 1 && p.Part.Cable.FarPlugs() == 1 { // the links of a plug to a shuffle
				per = math.MaxInt
			}
		}
		if legs[seg.Cable]%per == 0 {
			visit(seg)
		}
		legs[seg.Cable]++
	}
}

// circle is the cross-section of a cable in square millimetres.
func circle(p *catalog.Part) float64 {
	d := float64(p.Cable.Diameter) * 1e3
	return math.Pi * d * d / 4
}

// bundles ties the cables again.
func (w *twin) bundles() {
	s, l := w.s, w.s.Placement.Layout
	type sum struct {
		cables, copper, bare      int32
		area, weight, mass        float64
		bought, longest, shortest units.Length
		thick                     float64
	}
	sums := make([]sum, len(s.Bundles))
	w.jackets(func(seg *cabling.Segment) {
		if seg.Bundle == 0 {
			if l.Room != nil && !s.InRack(int(seg.Within)) && seg.Product != cabling.NoProduct {
				w.t.Errorf("%s leaves its rack and is in no bundle", s.CableID(int64(seg.Cable)))
			}
			return
		}
		b, in := &s.Bundles[seg.Bundle-1], &sums[seg.Bundle-1]
		x := l.Container(layout.RackLevel, s.Placement.Slot[seg.A])
		y := l.Container(layout.RackLevel, s.Placement.Slot[seg.B])
		if b.A != min(x, y) || b.B != max(x, y) {
			w.t.Errorf("%s between racks %d and %d is in a bundle from %d to %d", s.CableID(int64(seg.Cable)), x, y,
				b.A,
				b.B)
		}
		in.longest = max(in.longest, seg.Length)
		if in.shortest == 0 || seg.Length < in.shortest {
			in.shortest = seg.Length
		}
		p := s.Product(seg)
		if p == nil {
			return
		}
		in.cables++
		if p.Part.Cable.Diameter == 0 {
			in.bare++
		}
		if m := p.Part.Cable.Medium; m == catalog.PassiveCopper || m == catalog.ActiveCopper {
			in.copper++
		}
		in.area += circle(p.Part)
		in.weight += float64(p.Part.Weight)
		in.mass += float64(p.Part.Weight) * float64(p.Length)
		in.bought += p.Length
		in.thick = max(in.thick, float64(p.Part.Cable.Diameter))
	})
	for i, in := range sums {
		b := &s.Bundles[i]
		if b.Cables != in.cables || b.Copper != in.copper || b.Bare != in.bare || b.Longest != in.longest ||
			b.Shortest != in.shortest || !near(float64(b.Bought), float64(in.bought), 1e-6) ||
			!near(float64(b.Area()), in.area, slip*float64(in.cables)) ||
			!near(float64(b.LineWeight()), in.weight, 1e-5) ||
			!near(float64(b.Weight()), in.mass, 1e-5) {
			w.t.Errorf("bundle %d is %+v of %v and %v, by hand %+v", i+1, b, b.Area(), b.Weight(), in)
		}
		if in.area > 0 && (float64(b.Diameter()) < in.thick-1e-4 ||
			math.Pi/4*math.Pow(float64(b.Diameter())*1e3+0.05, 2) < in.area-1e-3) { // rounded to 0.1 mm
			w.t.Errorf("bundle %d is %v thick and holds %.1f mm2", i+1, b.Diameter(), in.area)
		}
	}
	order := s.PullOrder()
	for i := 1; i < len(order); i++ {
		if s.Bundles[order[i-1]].Longest < s.Bundles[order[i]].Longest {
			w.t.Errorf("bundle %d is pulled before a longer one", order[i-1]+1)
		}
	}
	if len(order) != len(s.Bundles) {
		w.t.Errorf("%d of %d bundles are pulled", len(order), len(s.Bundles))
	}
}

// loads lays the cables on the trays again.
func (w *twin) loads() {
	s := w.s
	t := s.Trays
	if t == nil {
		return
	}
	cables := make([]int64, t.Network.Pieces())
	area := make([]float64, len(cables))
	w.jackets(func(seg *cabling.Segment) {
		way, _ := s.WayOf(seg)
		p := s.Product(seg)
		if way < 0 || p == nil {
			return
		}
		for _, leg := range s.WayLegs(way) {
			for piece := min(leg.From, leg.To); piece <= max(leg.From, leg.To); piece++ {
				cables[piece]++
				area[piece] += circle(p.Part)
			}
		}
	})
	for piece := range cables {
		load := &t.Loads[piece]
		level := t.Network.LevelOf(int32(piece))
		r := &t.Rules[level]
		section := float64(r.Width) * float64(r.Depth) * 1e6 * float64(r.Count)
		if load.Cables != cables[piece] || !near(float64(load.Area()), area[piece], slip*float64(cables[piece])) {
			w.t.Errorf("%s: %d cables of %v, by hand %d of %.3f", t.ID(int32(piece)), load.Cables, load.Area(),
				cables[piece], area[piece])
		}
		if section == 0 {
			continue
		}
		if !near(float64(t.Section(level)), section, 1e-3) || !near(t.Fill(int32(piece)), area[piece]/section, 1e-4) ||
			!near(float64(t.Excess(int32(piece))), max(0, area[piece]-r.Fill*section),
				slip*float64(cables[piece])+1e-2) {
			w.t.Errorf("%s: %v of %v too full, section %v of %.1f", t.ID(int32(piece)), t.Excess(int32(piece)),
				t.Fill(int32(piece)), t.Section(level), section)
		}
	}
	for level := range t.Rules {
		r := t.Rules[level]
		fullest := 0.0
		for piece := range cables {
			if t.Network.LevelOf(int32(piece)) == level {
				fullest = max(fullest, area[piece])
			}
		}
		need := 1
		one := float64(r.Width) * float64(r.Depth) * 1e6 * r.Fill // what one tray takes
		for one > 0 && float64(need)*one < fullest-1e-3 {
			need++
		}
		if t.TraysNeeded(level) != need {
			w.t.Errorf("level %d needs %d trays, by hand %d", level, t.TraysNeeded(level), need)
		}
	}
	fullest := t.Fullest()
	for i := 1; i < len(fullest); i++ {
		if t.Fill(fullest[i-1]) < t.Fill(fullest[i]) {
			w.t.Errorf("%s comes before %s, which is fuller", t.ID(fullest[i-1]), t.ID(fullest[i]))
		}
	}
}

// panels plugs the links over panels again.
func (w *twin) panels() {
	s := w.s
	if s.Patching == nil {
		return
	}
	if len(s.Patching.Shuffles) > 0 {
		w.shuffles()
		return
	}
	type adapter struct {
		panel int32
		port  uint16
	}
	front, rear := map[adapter]int{}, map[adapter]int{}
	links := make([]int, len(s.Patching.Panels))
	at := int32(s.Patching.Part.Panel.Ports)
	for i := range s.Segments {
		seg := &s.Segments[i]
		for _, e := range []struct {
			v    int32
			port uint16
		}{{seg.A, seg.PortA}, {seg.B, seg.PortB}} {
			panel := int32(s.Panel(e.v))
			if n := s.PortNumber(e.v, e.port); n != int(e.port)+1 && panel >= 0 {
				w.t.Errorf("port %d of panel %d counts as number %d", e.port, panel, n)
			}
			if id := s.PortIdentity(e.v, e.port); id.Label != s.PortName(e.v, e.port) {
				w.t.Errorf("port %d of panel %d is %+v and %s", e.port, panel, id, s.PortName(e.v, e.port))
			}
			switch {
			case panel < 0:
			case int32(e.port) >= at:
				rear[adapter{panel, e.port - uint16(at)}]++
			default:
				front[adapter{panel, e.port}]++
				links[panel]++
			}
		}
	}
	for a, n := range front {
		if n != 1 || rear[a] != 1 {
			w.t.Errorf("adapter %d of panel %d: %d in front, %d behind", a.port, a.panel, n, rear[a])
		}
	}
	ports := make([]int, len(links))
	carried := int64(0)
	for _, t := range s.Patching.Trunks {
		ports[t.A] += t.Part.Cable.Legs
		ports[t.B] += t.Part.Cable.Legs
		carried += int64(t.Links)
	}
	if len(front) != len(rear) || carried != s.Patching.Links || 2*carried != int64(len(front)) {
		w.t.Errorf("%d links, trunks carry %d, %d adapters in front, %d behind", s.Patching.Links, carried, len(front),
			len(rear))
	}
	for i, p := range s.Patching.Panels {
		if p.Links != links[i] || p.Ports != ports[i] || p.Ports > int(at) {
			w.t.Errorf("panel %d is %+v, by hand %d links at %d ports", i, p, links[i], ports[i])
		}
	}
}

// shuffles plugs the cords to shuffles again: one into each adapter, and no module into another.
func (w *twin) shuffles() {
	s := w.s
	cord := map[[2]int32]int32{} // of each adapter of each panel
	links := int64(0)
	for i := range s.Segments {
		seg := &s.Segments[i]
		panel, port := int32(s.Panel(seg.B)), int32(seg.PortB)
		if s.Continues(seg) {
			links++
			panel, port = int32(s.Panel(seg.A)), int32(seg.PortA)
		}
		if panel < 0 {
			continue
		}
		at := [2]int32{panel, port}
		if old, ok := cord[at]; ok && old != seg.Cable {
			w.t.Errorf("adapter %d of panel %d: cables %d and %d", port, panel, old, seg.Cable)
		}
		cord[at] = seg.Cable
	}
	ports, used, carried := make([]int, len(s.Patching.Panels)), make([]int, len(s.Patching.Panels)), int64(0)
	for _, m := range s.Patching.Shuffles {
		part := s.Patching.Panels[m.Panel].Part.Panel
		size := 2 * part.Shuffle
		if part.ToOrder {
			size = int(m.Near + m.Far)
		}
		ports[m.Panel] = max(ports[m.Panel], int(m.First)+size)
		used[m.Panel] += int(m.Near + m.Far)
		carried += int64(m.Links)
	}
	for i, p := range s.Patching.Panels {
		if p.Ports != ports[i] || p.Links != used[i] || p.Ports > p.Part.Panel.Ports {
			w.t.Errorf("panel %d is %+v, by hand %d adapters, %d of them in use", i, p, ports[i], used[i])
		}
	}
	if sum := len(cord); carried != links || links != s.Patching.Links || sum != total(used) {
		w.t.Errorf("%d links over shuffles, which carry %d, by hand %d; %d adapters in use, by hand %d",
			s.Patching.Links, carried, links, total(used), sum)
	}
}

func total(list []int) int {
	sum := 0
	for _, n := range list {
		sum += n
	}
	return sum
}
