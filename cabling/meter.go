package cabling

import (
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Meter returns how long a link would be, and what it would cost, if its boxes were elsewhere, for an optimizer of
// placements. It measures links by class: from rack position to rack position of a room, each end at the mean position
// of the ports of its class in the placement that the Meter was made from; in containers, from slot to slot. It
// measures links over panels as single cables.
type Meter struct {
	w       *worker
	classes []meterClass
	index   map[meterKey]int
	costs   []units.Price // of a link in each product: its share of the cable and of the optics
}

// meterKey is what the cost of a link depends on, besides its place: the class of the link. Its ends are not exchanged.
// A group is nil for a port that the box's part does not list; links of such a class have no product.
type meterKey struct {
	kindA, kindB   int
	groupA, groupB *catalog.PortGroup
	level          int32
}

type meterClass struct {
	meterKey
	a, b     layout.Point // mean position of the ports: in racks over the floor, in containers relative to the slot
	beyond   units.Length // of both boxes
	choosers []*chooser   // by layout level of the common container
	// sharing chooses for cages all of whose links share a cable; nil entries where
	// no cage holds several.
	sharing []*chooser
	// trayed are the choosers between racks on levels with trays.
	trayed map[trayedKey]*chooser
}

// trayedKey is what the choice of a cable on trays depends on, besides its class.
type trayedKey struct {
	common int   // layout level of the common container
	barred uint8 // the media that find no tray, as trays.barredSets has them
	shared bool  // whether all links of a cage share the cable
}

// Measured is a link between two places.
type Measured struct {
	Length  units.Length // with slack
	Product *Product     // nil for a trace, and where no product can make the cable
	Trace   bool
	Within  int // layout level of the lowest container that holds both ends
	Level   int // of the topology
	// Cost is that of one link: its share of the cable and of the optics. Parts without a price cost nothing, and so
	// does a trace. Where no product can make the cable it is NoCable and 100 for every metre, so that shorter is
	// better.
	Cost units.Price
}

// NoCable is a cost above that of any cable.
const NoCable units.Price = 1e6

// NewMeter prepares to measure the links of a problem as single cables that are bought: stock, consolidation, panels
// and shuffles of the problem, which only all links together decide, are ignored. The problem is not changed. The error
// is that of a problem that Run refuses.
func NewMeter(p *Problem) (*Meter, error) {
	summary := *p
	summary.Summary, summary.Visit, summary.Consolidate, summary.Structured = true, nil, nil, nil
	summary.Stock, summary.Shuffle = nil, nil
	w, err := newWorker(&summary)
	if err != nil {
		return nil, err
	}
	m := &Meter{w: w, index: map[meterKey]int{}}
	m.findClasses()
	m.prepare()
	return m, nil
}

// findClasses finds the classes of links, in the order of their first links, and the mean position of their ports.
func (m *Meter) findClasses() {
	var a, b []meanPoint
	at := func(v int32, box *Box, port int32) layout.Point {
		p := box.Box.Port(int(port))
		if m.w.layout.Room == nil {
			return p
		}
		slot := m.w.slot[v]
		floor := m.w.layout.Room.Rows[m.w.layout.Container(layout.RowLevel, slot)].Z
		return layout.Point{X: p.X, Y: p.Y, Z: m.w.layout.Position(slot).Z - floor + p.Z}
	}
	for l := range topology.Cables(m.w.p.Graph) {
		key := m.key(&l)
		i, ok := m.index[key]
		if !ok {
			i = len(m.classes)
			m.index[key] = i
			m.classes = append(m.classes, meterClass{
				meterKey: key, choosers: make([]*chooser, len(m.w.layout.Levels)),
				sharing: make([]*chooser, len(m.w.layout.Levels)),
			})
			a, b = append(a, meanPoint{}), append(b, meanPoint{})
		}
		for _, x := range []struct {
			mean *meanPoint
			p    layout.Point
		}{{&a[i], at(l.A, m.w.kinds[key.kindA].box, l.PortA)}, {&b[i], at(l.B, m.w.kinds[key.kindB].box, l.PortB)}} {
			x.mean.add(x.p)
		}
	}
	for i := range m.classes {
		c := &m.classes[i]
		c.a, c.b = a[i].point(), b[i].point()
		c.beyond = m.w.kinds[c.kindA].box.Beyond + m.w.kinds[c.kindB].box.Beyond
	}
}

// meanPoint is the mean of points that are added one at a time; there is none before the first.
type meanPoint struct {
	sum layout.Point
	n   int
}

func (m *meanPoint) add(p layout.Point) {
	m.sum = m.sum.Add(p)
	m.n++
}

func (m *meanPoint) point() layout.Point {
	n := units.Length(m.n)
	return layout.Point{X: m.sum.X / n, Y: m.sum.Y / n, Z: m.sum.Z / n}
}

// key returns the class of a link.
func (m *Meter) key(l *topology.Link) meterKey {
	k := meterKey{level: l.Level, kindA: m.kind(l.A), kindB: m.kind(l.B)}
	if a := m.w.kinds[k.kindA].box.Ports; int(l.PortA) < len(a) {
		k.groupA = a[l.PortA].Group
	}
	if b := m.w.kinds[k.kindB].box.Ports; int(l.PortB) < len(b) {
		k.groupB = b[l.PortB].Group
	}
	return k
}

// kind returns the number of a vertex's kind. It panics for a vertex outside all kinds.
func (m *Meter) kind(v int32) int {
	for i := range m.w.kinds {
		if v <= m.w.kinds[i].last {
			return i
		}
	}
	panic("cabling: vertex outside all kinds")
}

// Classes returns the number of classes of links, which differ in level, kinds of boxes or groups of ports; 0 without
// links.
func (m *Meter) Classes() int { return len(m.classes) }

// Class returns the class of a link of the problem, from 0. A link unlike any in the problem gets class 0, too; one of
// a vertex outside the problem's graph panics.
func (m *Meter) Class(l *topology.Link) int { return m.index[m.key(l)] }

// Between measures a link of a class from site a, of its end A, to site b. Sites are rack positions of a room, or slots
// of containers. A cable that all links of a cage share goes before single ones, and trays are used whether they are
// full or empty. Several goroutines may call it at once.
func (m *Meter) Between(class int, a, b int32) Measured {
	c := &m.classes[class]
	common := m.common(a, b)
	out := Measured{Within: common, Level: int(c.level)}
	if m.w.layout.Room == nil {
		ea, eb := end{slot: a, port: c.a}, end{slot: b, port: c.b, beyond: c.beyond}
		if m.w.traces[common] || m.w.inTrace(common) {
			out.Trace, out.Length = true, m.w.s.router.trace(ea, eb)
			return out
		}
		out.Length = m.w.s.router.parts(ea, eb, common).Total()
	} else {
		pa, pb := m.pointInRack(a, c.a), m.pointInRack(b, c.b)
		if m.w.s.router.onTrays(common) {
			return m.onTrays(c, a, b, pa, pb, common)
		}
		out.Length = m.w.s.router.bare(pa, pb, a, common, c.beyond)
	}
	product := int16(NoProduct)
	if shared := c.sharing[common]; shared != nil {
		product = shared.choose(out.Length)
	}
	if chooser := c.choosers[common]; chooser != nil && product < 0 {
		product = chooser.choose(out.Length)
	}
	return m.buy(out, product)
}

// buy returns a measured link with its product, which may be NoProduct, and the cost of that.
func (m *Meter) buy(out Measured, product int16) Measured {
	if product == NoProduct {
		out.Cost = NoCable + 100*units.Price(out.Length)
		return out
	}
	out.Product = &m.w.buyer.products[product]
	out.Cost = m.costs[product]
	return out
}

// prepare finds the products of every class and what they cost.
func (m *Meter) prepare() {
	for i := range m.classes {
		c := &m.classes[i]
		if c.groupA == nil || c.groupB == nil {
			continue
		}
		for common := range c.choosers {
			class := linkClass{groupA: c.groupA, groupB: c.groupB, level: uint8(c.level), within: uint8(common)}
			level := m.w.p.Graph.Levels()[c.level].Name
			c.choosers[common] = m.w.buyer.chooser(m.w.layout, class, level)
			m.prepareTrays(c, common, class, level, false)
			near, far := perCage(c.groupA), perCage(c.groupB)
			if near < far {
				near, far = far, near
				class.groupA, class.groupB, class.nearB = c.groupB, c.groupA, true
			}
			if m.w.cages != nil && near > 1 && near <= mostShared {
				class.links, class.plugs = uint8(near), uint8(near/far)
				c.sharing[common] = m.w.buyer.chooser(m.w.layout, class, level)
				m.prepareTrays(c, common, class, level, true)
			}
		}
	}
	for i := range m.w.buyer.products {
		p := &m.w.buyer.products[i]
		cost, _ := m.w.buyer.cost(&candidate{part: p.Part, opticA: p.OpticA, opticB: p.OpticB}, p.Length)
		m.costs = append(m.costs, units.Price(float64(cost)/1e4/float64(p.Links())))
	}
}

// prepareTrays finds the products of a class on trays, if there are any on layout level common.
func (m *Meter) prepareTrays(c *meterClass, common int, class linkClass, level string, shared bool) {
	if !m.w.s.router.onTrays(common) {
		return
	}
	if c.trayed == nil {
		c.trayed = map[trayedKey]*chooser{}
	}
	for _, barred := range m.w.s.router.trays.barredSets() {
		class.barred = barred
		c.trayed[trayedKey{common, barred, shared}] = m.w.buyer.chooser(m.w.layout, class, level)
	}
}

// pointInRack converts a point of a box, relative to the middle of its rack, to the coordinates of the room.
func (m *Meter) pointInRack(place int32, p layout.Point) layout.Point {
	room := m.w.layout.Room
	at := room.Places[place]
	if at.Turned {
		p.X, p.Y = -p.X, -p.Y
	}
	return layout.Point{X: at.X, Y: at.Y, Z: room.Rows[at.Row].Z}.Add(p)
}

// common returns the layout level of the lowest container that holds two sites; in a room, it is that of the hall for
// two rows, even in different halls.
func (m *Meter) common(a, b int32) int {
	if m.w.layout.Room == nil {
		return m.w.layout.Common(a, b)
	}
	places := m.w.layout.Room.Places
	switch {
	case a == b:
		return layout.RackLevel
	case places[a].Row == places[b].Row:
		return layout.RowLevel
	}
	return layout.HallLevel
}

// onTrays measures between two racks on the trays, full or empty. Where no product fits, the length is that of a cable
// without trays.
func (m *Meter) onTrays(c *meterClass, a, b int32, pa, pb layout.Point, common int) Measured {
	r := &m.w.s.router
	var runs [maxTrayLevels]units.Length
	var buffer [maxTrayLevels]trayOption
	var sp span
	sp.measure(r, pa, pb, c.beyond, a, b)
	options, barred := r.trays.options(buffer[:0], r, &sp, r.trays.runs(runs[:0], a, b))
	group, product := pick(c.trayed[trayedKey{common, barred, true}], options, m.w.buyer.groups)
	if product < 0 {
		group, product = pick(c.trayed[trayedKey{common, barred, false}], options, m.w.buyer.groups)
	}
	out := Measured{Within: common, Level: int(c.level)}
	if group < 0 {
		out.Length = r.bare(pa, pb, a, common, c.beyond)
	} else {
		out.Length = options[group].total
	}
	return m.buy(out, product)
}
