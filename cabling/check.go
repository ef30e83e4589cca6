package cabling

import (
	"cmp"
	"fmt"
	"math/bits"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Checker checks a schedule against RulePorts, RuleBreakout, RuleCrossHall, RuleBend, RuleOptics, RuleLabels and
// RuleRedundancy, and adds violations to those of the schedule. Visit is called with every segment as it is scheduled,
// Finish once at the end; where Problem.Again is called, a new Checker is needed. A summary, which has no list of
// segments, is not checked against RuleRedundancy.
type Checker struct {
	graph  topology.Graph
	kinds  []topology.Kind
	boxes  []*Box
	layout *layout.Layout
	slot   []int32
	hall   int32 // layout level of halls, 0 where there is one at most
	// fitted tells which products end at which kinds of vertices:
	// fitted[product*kinds+kind].
	fitted []bool
	// used has a bit for every port of the vertices of a kind.
	used  [][]uint64
	rate  [][]units.Rate    // of the ports of each kind
	rates map[ratePair]bool // pairs of ports that differ in rate
	last  [2]*catalog.PortGroup
	// trayed are the products of which some leave their rack.
	trayed []bool
	cord   Segment // the first of the link over panels at hand
	// kinds of the ends of the segment before
	kindA, kindB int
}

// ratePair is ports of two parts that run at different rates.
type ratePair struct {
	parts [2]string
	rates [2]units.Rate
}

// NewChecker prepares to check the schedule of a problem. It must be one that Run takes.
func NewChecker(p *Problem) *Checker {
	c := &Checker{
		graph: p.Graph, kinds: topology.CabledKinds(p.Graph), boxes: p.Boxes,
		layout: p.Placement.Layout, slot: p.Placement.Slot,
		hall: int32(max(0, p.Placement.Layout.LevelIndex("hall"))), rates: map[ratePair]bool{},
	}
	for i, k := range c.kinds {
		rate := make([]units.Rate, len(p.Boxes[i].Ports))
		for port := range rate {
			rate[port] = p.Boxes[i].Ports[port].Group.Rate
		}
		c.rate = append(c.rate, rate)
		c.used = append(c.used, make([]uint64, (int64(k.Count)*int64(k.Ports)+63)/64))
	}
	return c
}

// Visit checks a segment. It is meant for Problem.Visit: segments have to come in the order of the schedule, as those
// of a link over panels are taken together.
func (c *Checker) Visit(s *Schedule, seg *Segment) {
	if s.Panel(seg.A) >= 0 || s.Panel(seg.B) >= 0 {
		c.checkPatched(s, seg)
		return
	}
	a, b := topology.KindNear(c.kinds, c.kindA, int(seg.A)), topology.KindNear(c.kinds, c.kindB, int(seg.B))
	c.kindA, c.kindB = a, b
	c.mark(s, a, seg.A, seg.PortA)
	c.mark(s, b, seg.B, seg.PortB)
	if seg.Product == IsTrace {
		return
	}
	c.compare(s, seg, a, b)
	if seg.Product < 0 {
		return
	}
	c.fit(seg.Product, a)
	c.fit(seg.Product, b)
	c.lie(seg)
	if int32(seg.Within) < c.hall || c.hallsApart(seg) {
		c.crossHall(s, seg)
	}
}

// use notes that a product is in use.
func (c *Checker) use(product int16) {
	if n := (int(product) + 1) * len(c.kinds); n > len(c.fitted) {
		c.fitted = append(c.fitted, make([]bool, n-len(c.fitted))...)
	}
}

// lie notes that a product leaves its rack, and so lies on trays if there are any.
func (c *Checker) lie(seg *Segment) {
	for len(c.trayed) <= int(seg.Product) {
		c.trayed = append(c.trayed, false)
	}
	c.trayed[seg.Product] = c.trayed[seg.Product] || seg.Bundle != 0
}

// fit notes that a product ends at a kind of vertex.
func (c *Checker) fit(product int16, kind int) {
	c.use(product)
	c.fitted[int(product)*len(c.kinds)+kind] = true
}

// checkPatched checks a segment of a link over panels: its boxes are at the outer ends
// of its first and last one.
func (c *Checker) checkPatched(s *Schedule, seg *Segment) {
	switch {
	case s.Panel(seg.A) < 0:
		c.cord = *seg
		kind := topology.KindOf(c.kinds, int(seg.A))
		c.mark(s, kind, seg.A, seg.PortA)
		if seg.Product >= 0 {
			c.fit(seg.Product, kind)
			c.lie(seg)
		}
	case s.Panel(seg.B) < 0:
		kind := topology.KindOf(c.kinds, int(seg.B))
		c.mark(s, kind, seg.B, seg.PortB)
		if seg.Product >= 0 {
			c.fit(seg.Product, kind)
			c.lie(seg)
		}
		whole := *seg
		whole.A, whole.PortA = c.cord.A, c.cord.PortA
		c.compare(s, &whole, topology.KindOf(c.kinds, int(whole.A)), kind)
	case seg.Product >= 0:
		c.use(seg.Product)
		c.lie(seg)
	}
}

// mark notes that a port is used, and breaks RulePorts if it was.
func (c *Checker) mark(s *Schedule, kind int, v int32, port uint16) {
	k := &c.kinds[kind]
	if int(port) >= k.Ports {
		return // the family's own count is wrong, or NewWorker has reported it
	}
	bit := int64(int(v)-k.First)*int64(k.Ports) + int64(port)
	word, mask := &c.used[kind][bit>>6], uint64(1)<<(bit&63)
	if *word&mask != 0 {
		if s.Violations.Full(RulePorts) {
			s.Violations.Add(RulePorts, s.Label(v, port), "")
		} else {
			s.Violations.Add(RulePorts, s.Label(v, port), "two links at one port")
		}
	}
	*word |= mask
}

// compare notes pairs of ports that run at different rates.
func (c *Checker) compare(s *Schedule, seg *Segment, a, b int) {
	at, to := c.rate[a], c.rate[b]
	if int(seg.PortA) >= len(at) || int(seg.PortB) >= len(to) || at[seg.PortA] == to[seg.PortB] {
		return
	}
	pair := [2]*catalog.PortGroup{c.boxes[a].Ports[seg.PortA].Group, c.boxes[b].Ports[seg.PortB].Group}
	if pair == c.last {
		return
	}
	c.last = pair
	found := ratePair{[2]string{c.boxes[a].Part.ID, c.boxes[b].Part.ID}, [2]units.Rate{pair[0].Rate, pair[1].Rate}}
	if c.rates[found] {
		return
	}
	c.rates[found] = true
	s.Violations.Add(RuleBreakout, found.parts[0]+" to "+found.parts[1], "a %v port on a %v port: each link runs at %v",
		found.rates[0], found.rates[1], min(found.rates[0], found.rates[1]))
}

// hallsApart reports whether the ends of a cable stand in different halls of a
// room.
func (c *Checker) hallsApart(seg *Segment) bool {
	room := c.layout.Room
	if room == nil || len(room.Spec.Halls) < 2 || seg.Within != layout.HallLevel {
		return false
	}
	row := func(v int32) *layout.Row { return &room.Rows[c.layout.Container(layout.RowLevel, c.slot[v])] }
	return row(seg.A).Hall != row(seg.B).Hall
}

// crossHall holds a cable between two halls against RuleCrossHall.
func (c *Checker) crossHall(s *Schedule, seg *Segment) {
	medium := s.Products[seg.Product].Part.Cable.Medium
	if medium != catalog.PassiveCopper && medium != catalog.ActiveCopper {
		return
	}
	where := s.CableID(int64(seg.Cable))
	if s.Violations.Full(RuleCrossHall) {
		s.Violations.Add(RuleCrossHall, where, "")
		return
	}
	s.Violations.Add(RuleCrossHall, where, "%s to %s: %s from one hall to another", s.Label(seg.A, seg.PortA),
		s.Label(seg.B, seg.PortB), s.Products[seg.Product].Item())
}

// PortsUsed returns the number of ports in use of every kind of vertex, in the order of topology.CabledKinds. A port
// that two links take counts once.
func (c *Checker) PortsUsed() []int64 {
	used := make([]int64, len(c.kinds))
	for i, words := range c.used {
		for _, w := range words {
			used[i] += int64(bits.OnesCount64(w))
		}
	}
	return used
}

// Finish checks the rules that need all cables: bends, optics, labels and redundancy. trays has the part of each level
// of trays, in their order; it may be empty without trays.
func (c *Checker) Finish(s *Schedule, trays []*catalog.Part) {
	c.bends(s, trays)
	c.optics(s)
	c.labels(s)
	c.redundancy(s)
}

// clearance is the depth that boxes of a kind leave on either side, in the shallowest rack that one stands in the
// middle of; false in containers, for boxes in chassis, and where rack or box states no depth.
func (c *Checker) clearance(kind int) (units.Length, bool) {
	k := &c.kinds[kind]
	if c.layout.Room == nil || k.Count == 0 || c.layout.Cell(c.slot[k.First]) >= 0 {
		return 0, false
	}
	rack, box := units.Length(0), c.boxes[kind].Part.Depth
	for i := range k.Count { // of the shallowest rack that one stands in
		t := c.layout.Room.Type(c.layout.Container(layout.RackLevel, c.slot[k.First+i]))
		if rack = min(t.Depth, cmp.Or(rack, t.Depth)); len(c.layout.Room.Spec.Types) == 0 {
			break
		}
	}
	return (rack - box) / 2, rack > 0 && box > 0
}

// bends holds products against the room that they have to bend.
func (c *Checker) bends(s *Schedule, trays []*catalog.Part) {
	type place struct{ part, at string }
	seen := map[place]bool{}
	tight := func(part *catalog.Part, at string, room units.Length, format string, args ...any) {
		if bend := part.Cable.Bend; room < bend-1e-9 && !seen[place{part.ID, at}] {
			seen[place{part.ID, at}] = true
			s.Violations.Add(RuleBend, at, "%s bends to %s, and "+format, append([]any{part.ID, mm(bend)}, args...)...)
		}
	}
	for i := range len(c.fitted) / max(len(c.kinds), 1) {
		part := s.Products[i].Part
		for k := range c.kinds {
			if room, ok := c.clearance(k); ok && c.fitted[i*len(c.kinds)+k] {
				tight(part, c.kinds[k].Name, room, "the rack leaves %s before the ports of %s", mm(room),
					c.boxes[k].Part.ID)
			}
		}
		if i >= len(c.trayed) || !c.trayed[i] {
			continue
		}
		for level, tray := range trays {
			if s.Trays != nil && tray.Width > 0 && s.Trays.Rules[level].takes(part.Cable.Medium) {
				tight(part, tray.ID, tray.Width, "the tray is %s wide", mm(tray.Width))
			}
		}
	}
}

// mm writes a length below a metre.
func mm(l units.Length) string { return fmt.Sprintf("%.0f mm", float64(l)*1000) }

// optics holds the two optics of every product against each other, and against its plugs.
func (c *Checker) optics(s *Schedule) {
	for i := range s.Products {
		p := &s.Products[i]
		near, far := p.OpticA, p.OpticB
		if p.NearB {
			near, far = far, near
		}
		for _, end := range []struct {
			optic *catalog.Part
			plug  string
		}{{near, p.Part.Cable.Connector}, {far, p.Part.Cable.FarConnector()}} {
			if end.optic != nil && end.optic.Optic.Plug != end.plug {
				s.Violations.Add(RuleOptics, p.Item().String(), "its %s plug does not fit %s, which takes %s", end.plug,
					end.optic.ID, end.optic.Optic.Plug)
			}
		}
		// the other end is at a panel; its optic was chosen with this one
		if s.Patching != nil && (p.OpticA == nil || p.OpticB == nil) {
			continue
		}
		if (p.OpticA == nil) != (p.OpticB == nil) {
			s.Violations.Add(RuleOptics, p.Item().String(), "an optic at one end only")
			continue
		}
		if p.OpticA == nil {
			continue
		}
		a, b := p.OpticA.Optic, p.OpticB.Optic
		if p.Part.Cable.FarPlugs() > 1 { // lanes of one optic, each of which talks to another
			continue
		}
		if a.Standard != b.Standard || a.Fibre != b.Fibre || a.Rate != b.Rate {
			s.Violations.Add(RuleOptics, p.Item().String(), "%s does not talk to %s", p.OpticA.ID, p.OpticB.ID)
		}
	}
}

// labels finds ends that cannot have labels of their own: labels are made of the
// box's place, its device name and the number of the port.
func (c *Checker) labels(s *Schedule) {
	codes := map[string]string{}
	for i, k := range c.kinds {
		box := c.boxes[i]
		if code := s.Naming.Boxes.Code(i); code != "" {
			if first, again := codes[code]; again {
				s.Violations.Add(RuleLabels, k.Name, "devices are named %s1, %s2, ... as those of %s are", code, code,
					first)
			}
			codes[code] = k.Name
		}
		names := map[string]bool{}
		for p := range min(k.Ports, len(box.Ports)) {
			name := box.Ports[p].Name
			if names[name] {
				s.Violations.Add(RuleLabels, box.Part.ID,
					"two ports are called %s: give its port groups different first numbers", name)
				break
			}
			names[name] = true
		}
	}
}

// redundancy looks for nodes all of whose rails run through one piece of tray.
func (c *Checker) redundancy(s *Schedule) {
	if c.layout.Room == nil || s.router.mode != Tray || len(s.Segments) == 0 {
		return
	}
	rows := make([]sharing, len(c.layout.Room.Rows))
	for i, k := range c.kinds {
		if k.Role == topology.Terminal && k.Ports > 1 {
			c.rails(s, &c.kinds[i], s.Boxes[i], rows)
		}
	}
	for i, f := range rows {
		if f.nodes > 0 {
			s.Violations.Add(RuleRedundancy, "row "+c.layout.Room.Rows[i].Name,
				"%d of its nodes have all rails in one piece of tray: those of %s share %s",
				f.nodes, s.AppendDevice(nil, int32(f.first)), s.Trays.stretchName(f.at))
		}
	}
}

// sharing is the nodes of a row all of whose rails share a piece of tray: how many, the first and where.
type sharing struct {
	nodes int
	first int
	at    stretch
}

// rails counts, by row, the nodes of one kind all of whose rails share a piece of tray.
func (c *Checker) rails(s *Schedule, k *topology.Kind, box *Box, rows []sharing) {
	if mostRails(s, k, box) < 2 {
		return
	}
	rails := railWays(s, k)
	ways := map[int32][]stretch{}
	for v := range k.Count {
		var shared []stretch
		for i, w := range rails.of(v) {
			way, ok := ways[w]
			if !ok && w >= 0 {
				way = stretches(s.WayLegs(w))
				ways[w] = way
			}
			if i == 0 {
				shared = way
			} else {
				shared = common(shared, way)
			}
		}
		if len(rails.of(v)) < 2 || len(shared) == 0 {
			continue
		}
		row := &rows[c.layout.Container(layout.RowLevel, c.slot[k.First+v])]
		if row.nodes == 0 {
			row.first, row.at = k.First+v, shared[0]
		}
		row.nodes++
	}
}

// mostRails is the most cables of a vertex of a kind in ports of the fastest rate of all its cables: slower ones, such
// as those of management, do not stand in for a rail.
func mostRails(s *Schedule, k *topology.Kind, box *Box) int {
	fastest, most := units.Rate(0), 0
	rails := make([]int, k.Count)
	for i := range s.Segments {
		seg := &s.Segments[i]
		if seg.Product == IsTrace {
			continue
		}
		for end, v := range []int32{seg.A, seg.B} {
			v := int(v) - k.First
			if v < 0 || v >= k.Count {
				continue
			}
			port := int([]uint16{seg.PortA, seg.PortB}[end])
			if port >= len(box.Ports) { // which rule ports tells
				continue
			}
			rate := box.Ports[port].Group.Rate
			if rate > fastest {
				fastest, most = rate, 0
				clear(rails)
			}
			if rate == fastest {
				rails[v]++
				most = max(most, rails[v])
			}
		}
	}
	return most
}

// wayLists holds a list of ways for each vertex of a kind.
type wayLists struct {
	first []int32
	ways  []int32
}

func (r *wayLists) of(v int) []int32 { return r.ways[r.first[v]:r.first[v+1]] }

// railWays lists the ways of the cables of the vertices of a kind, -1 for one
// that is on no tray.
func railWays(s *Schedule, k *topology.Kind) *wayLists {
	r := &wayLists{first: make([]int32, k.Count+2)}
	each := func(visit func(v int, seg *Segment)) {
		for i := range s.Segments {
			seg := &s.Segments[i]
			if seg.Product == IsTrace {
				continue
			}
			at := seg // on trays; of a link over panels the trunk is
			switch {
			case s.Panel(seg.A) < 0 && s.Panel(seg.B) >= 0:
				at = &s.Segments[i+1]
			case s.Panel(seg.A) >= 0 && s.Panel(seg.B) < 0:
				at = &s.Segments[i-1]
			}
			if v := int(seg.A) - k.First; v >= 0 && v < k.Count {
				visit(v, at)
			}
			if v := int(seg.B) - k.First; v >= 0 && v < k.Count {
				visit(v, at)
			}
		}
	}
	each(func(v int, _ *Segment) { r.first[v+2]++ })
	for v := 2; v < len(r.first); v++ {
		r.first[v] += r.first[v-1]
	}
	r.ways = make([]int32, r.first[len(r.first)-1])
	each(func(v int, seg *Segment) {
		r.ways[r.first[v+1]], _ = s.WayOf(seg)
		r.first[v+1]++
	})
	return r
}

// stretch is a run of pieces of a way, the lower number first.
type stretch struct{ from, to int32 }

func stretches(way []layout.TrayLeg) []stretch {
	var out []stretch
	for _, g := range way {
		out = append(out, stretch{min(g.From, g.To), max(g.From, g.To)})
	}
	return out
}

// common returns what two lists of stretches share.
func common(a, b []stretch) []stretch {
	var out []stretch
	for _, x := range a {
		for _, y := range b {
			if from, to := max(x.from, y.from), min(x.to, y.to); from <= to {
				out = append(out, stretch{from, to})
			}
		}
	}
	return out
}

// stretchName says where a stretch is: "row A, A03-A08". One that runs on to other trays is named by its first.
func (t *Trays) stretchName(s stretch) string {
	first, last := t.Network.Piece(s.from), s.from
	for n := s.from + 1; n <= s.to; n++ {
		if t.Network.Piece(n).Name == first.Name {
			last = n
		}
	}
	return t.TrayName(first.Level, t.Network.DescribeRun(s.from, last))
}
