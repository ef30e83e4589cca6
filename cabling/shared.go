package cabling

import (
	"math"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// A plug that fills a cage of several ports carries the links of all of them: a
// twin-port cable those between two cages, a splitter those between one cage and
// several boxes. Whether the links of a cage can share a cable shows only when
// all are known, so two passes over the links go before the schedule: the first
// finds where the links of every cage lead, the second how long the longest is.
// The near cage of a shared cable is the one with more ports; of two alike, the
// one of the lower number.

// cage is what the links of one cage have in common.
type cage struct {
	peer    int32        // the only cage that they lead to, or noCage, or manyCages
	number  int32        // of the cable that they share
	need    units.Length // the longest of them
	far     *catalog.PortGroup
	product int16 // of the cable that they share; undecided at first
	links   uint8
	plugs   uint8 // cages that they lead to
	level   uint8
	within  uint8 // outermost layout level of their lowest containers
	// they are of several levels or lead to different ports, some are traces or run over panels, or they are too many
	mixed  bool
	broken bool  // some cage that they lead to has other links too
	seen   bool  // counted among the plugs of its peer
	drawn  bool  // the power of its plug is counted
	barred uint8 // groups of media that find no tray for some of its links
	kept   bool  // the cable that they share lies already
	bundle int32 // of the jacket that ends here, where a cable is shared, or unbundled
}

// unbundled is the bundle of a jacket that is laid and is in none.
const unbundled = -1

// Values of cage.peer besides the number of a cage.
const (
	noCage    = -1
	manyCages = -2
)

// Values of cage.product besides an index into the products and NoProduct.
const (
	undecided = -3
	apart     = -4 // every link has a cable of its own
)

// mostShared is the most links of a plug.
const mostShared = 64

// channel is one channel of a link on its way into the schedule.
type channel struct {
	link   topology.Link
	a, b   *ends
	first  int64 // number of the first channel of the link
	portA  int32
	portB  int32
	laid   *Laid // the cable that lies there already, nil for none
	common int
	trace  bool
	// Of a link on trays that is being scheduled: what each of its channels needs, and their ways by group of media.
	reaches []reach
	ways    []trayOption
	n       int32 // of the channel at hand
}

// ports are the ports of a channel, nil where a box has too few.
func (c *channel) ports() (a, b *Port) {
	if int(c.portA) >= len(c.a.box.Ports) || int(c.portB) >= len(c.b.box.Ports) {
		return nil, nil
	}
	return &c.a.box.Ports[c.portA], &c.b.box.Ports[c.portB]
}

// cageOf is the number of the cage of a port.
func (e *ends) cageOf(v int32, p *Port) int32 {
	return int32(e.cageBase + int64(v-e.first)*int64(e.cages) + int64(p.Cage))
}

// cageCount is the number of cages of all boxes.
func (w *worker) cageCount() int64 {
	last := w.kinds[len(w.kinds)-1]
	return last.cageBase + int64(last.cages)*int64(last.last-last.first+1)
}

// portGroups lists the groups of ports of all boxes.
func (w *worker) portGroups() []*catalog.PortGroup {
	groups := map[*catalog.PortGroup]bool{}
	var list []*catalog.PortGroup
	for _, k := range w.kinds {
		for i := range k.box.Ports {
			if g := k.box.Ports[i].Group; !groups[g] {
				groups[g] = true
				list = append(list, g)
			}
		}
	}
	return list
}

// mayShare reports whether any two kinds of ports are joined by cables that carry
// several links and that some media rule allows.
func (w *worker) mayShare() bool {
	if w.cageCount() > math.MaxInt32 {
		return false
	}
	list := w.portGroups()
	for _, near := range list {
		for _, far := range list {
			for _, c := range w.buyer.sharedFamilies(near, far) {
				for i := range w.buyer.rules {
					if w.buyer.rules[i].permits(&c) {
						return true
					}
				}
			}
		}
	}
	return false
}

// channels calls visit with every channel whose ports are known.
func (w *worker) channels(visit func(c *channel, pa, pb *Port)) {
	first := int64(0)
	for l := range topology.Cables(w.p.Graph) {
		c := w.channel(&l)
		c.first = first
		first += int64(l.Width)
		for n := range l.Width {
			w.plug(&c, n)
			if pa, pb := c.ports(); pa != nil {
				visit(&c, pa, pb)
			}
		}
	}
}

// channel is the first channel of a link.
func (w *worker) channel(l *topology.Link) channel {
	common := w.layout.Common(w.slot[l.A], w.slot[l.B])
	w.a, w.b = w.kind(l.A, w.a), w.kind(l.B, w.b)
	return channel{
		link: *l, a: w.a, b: w.b, portA: l.PortA, portB: l.PortB,
		common: common, trace: w.traces[common] || w.inTrace(common),
	}
}

// ends are where a channel is plugged.
func (w *worker) ends(c *channel) (a, b end) {
	a = end{w.slot[c.link.A], c.a.box.Box.Port(int(c.portA)), c.a.box.Beyond}
	b = end{w.slot[c.link.B], c.b.box.Box.Port(int(c.portB)), c.b.box.Beyond}
	return a, b
}

// measure notes what a channel of a near cage needs.
func (w *worker) measure(n *cage, number int32, c *channel) {
	r := &w.s.router
	if !r.onTrays(c.common) {
		a, b := w.ends(c)
		need := r.parts(a, b, c.common).Total()
		n.need = max(n.need, need)
		for g := range w.groupNeeds(number) {
			w.groupNeeds(number)[g] = max(w.groupNeeds(number)[g], need)
		}
		return
	}
	options, barred := w.routes(w.across(c))
	n.barred |= barred
	for g := range options {
		if options[g].level < 0 {
			continue
		}
		need := options[g].total
		n.need = max(n.need, need)
		if needs := w.groupNeeds(number); needs != nil {
			needs[g] = max(needs[g], need)
		}
	}
}

// groupNeeds is what the links of a cage need by group of media; nil where all
// groups use the same trays.
func (w *worker) groupNeeds(cage int32) []units.Length {
	r := w.s.router.trays
	if r == nil || len(r.groups) < 2 {
		return nil
	}
	if w.needs == nil {
		w.needs = make([]units.Length, len(w.cages)*len(r.groups))
	}
	return w.needs[int(cage)*len(r.groups) : (int(cage)+1)*len(r.groups)]
}

// findSharedCages sets cages, from which shares tells which links may share a cable; nil where no cable carries several
// links that a media rule allows.
func (w *worker) findSharedCages() {
	if !w.mayShare() {
		return
	}
	w.cages = make([]cage, w.cageCount())
	for i := range w.cages {
		w.cages[i] = cage{peer: noCage, product: undecided, within: math.MaxUint8}
	}
	w.channels(func(c *channel, pa, pb *Port) {
		ca, cb := c.a.cageOf(c.link.A, pa), c.b.cageOf(c.link.B, pb)
		_, pair := w.patchingOf(c) // a link over panels has its cords to itself
		w.cages[ca].join(cb, uint8(c.link.Level), pb.Group, c.trace || pair != nil)
		w.cages[cb].join(ca, uint8(c.link.Level), pa.Group, c.trace || pair != nil)
	})
	w.channels(func(c *channel, pa, pb *Port) {
		ca, cb := c.a.cageOf(c.link.A, pa), c.b.cageOf(c.link.B, pb)
		near, far := w.nearFar(ca, cb, pa.Group, pb.Group)
		n, f := &w.cages[near], &w.cages[far]
		if f.peer != near {
			n.broken = true
		}
		if n.mixed || f.mixed || n.broken || perCage(pa.Group) == 1 && perCage(pb.Group) == 1 {
			return
		}
		if !f.seen {
			f.seen = true
			n.plugs++
		}
		n.within = min(n.within, uint8(c.common))
		w.measure(n, near, c)
	})
}

// join notes a link to another cage.
func (c *cage) join(other int32, level uint8, far *catalog.PortGroup, trace bool) {
	switch {
	case c.peer == noCage:
		c.peer, c.level, c.far = other, level, far
	case c.peer != other:
		c.peer = manyCages
	}
	if c.links++; c.links > mostShared || c.level != level || c.far != far || trace {
		c.mixed, c.links = true, 1
	}
}

// nearFar tells which of two cages is the near one of a cable that they share.
func (w *worker) nearFar(ca, cb int32, a, b *catalog.PortGroup) (near, far int32) {
	if x, y := perCage(a), perCage(b); x < y || x == y && cb < ca {
		return cb, ca
	}
	return ca, cb
}

// shares returns the near cage of the cable that a channel may share with others,
// noCage where it cannot.
func (w *worker) shares(ca, cb int32, a, b *catalog.PortGroup) int32 {
	x, y := perCage(a), perCage(b)
	if w.cages == nil || x == 1 && y == 1 {
		return noCage
	}
	near, far := w.nearFar(ca, cb, a, b)
	n, f := &w.cages[near], &w.cages[far]
	if n.mixed || f.mixed || n.broken || x == y && n.peer != far {
		return noCage
	}
	return near
}

// sharedFamilies lists the families whose plugs fill a cage of several ports and join it
// to cages with as many or fewer: twin-port cables, splitters, and fibre splitters
// between one optic that fills the near cage and one in every far cage.
func (b *buyer) sharedFamilies(near, far *catalog.PortGroup) []candidate {
	n, f := perCage(near), perCage(far)
	if n == 1 || n < f {
		return nil
	}
	rate := min(near.Rate, far.Rate)
	var out []candidate
	if n == f {
		for _, p := range b.catalog.Twins(near.Connector, far.Connector, rate, n) {
			out = append(out, candidate{part: p, shared: true})
		}
		return out
	}
	for _, p := range b.catalog.Splitters(near.Connector) {
		if c := p.Cable; !c.Medium.Fibre() && c.FarConnector() == far.Connector && c.Rate >= rate && c.Links == n &&
			c.Links/c.FarPlugs() == f {
			out = append(out, candidate{part: p, shared: true})
		}
	}
	if f != 1 || near.Rate != far.Rate {
		return out
	}
	for _, on := range b.catalog.CageOptics(near) {
		for _, of := range b.catalog.PortOptics(far) {
			x, y := on.Optic, of.Optic
			if x.Fibre != y.Fibre || lanes(x.Standard) != lanes(y.Standard) || x.Lanes() != n*y.Lanes() {
				continue
			}
			for _, p := range b.catalog.Splitters(x.Plug) {
				if c := p.Cable; c.Medium == x.Fibre && c.FarConnector() == y.Plug && c.Links == n &&
					c.FarPlugs() == n {
					out = append(out, candidate{p, on, of, splitterReach(c, x.Reach, y.Reach), true})
				}
			}
		}
	}
	return out
}

// lanes is the name of a standard without its number of lanes: an optic of dr4
// talks to four of dr or dr1.
func lanes(standard string) string { return strings.TrimRight(standard, "0123456789") }

// splitterReach is the least of three reaches, of which that of the cable may not
// be stated.
func splitterReach(c *catalog.Cable, near, far units.Length) units.Length {
	reach := min(near, far)
	if c.Reach > 0 {
		reach = min(reach, c.Reach)
	}
	return reach
}

// decide sets the product that the links of a near cage share, a piece from stock if one was allotted, or apart where
// they have none in common, and need to what that medium needs. nearB tells that the near cage is at the B end of the
// links.
func (w *worker) decide(n *cage, number int32, near *catalog.PortGroup, nearB bool) {
	class := n.class(near, nearB)
	c := w.chooserOf(&class)
	if needs := w.groupNeeds(number); needs != nil {
		var options []trayOption
		for g, need := range needs {
			o := trayOption{total: need}
			if n.barred&(1<<g) != 0 {
				o.level = -1
			}
			options = append(options, o)
		}
		var group int
		if group, n.product = pick(c, options, w.buyer.groups); n.product >= 0 {
			n.need = needs[group]
		}
	} else {
		n.product = c.choose(n.need)
	}
	if n.product == NoProduct {
		n.product = apart
	}
	if n.product >= 0 {
		w.countNeed(&class, n.level, n.product, n.need)
		n.product, _ = w.fromStock(&class, n.product, n.need)
	}
}

// class is that of the links of a near cage.
func (n *cage) class(near *catalog.PortGroup, nearB bool) linkClass {
	return linkClass{
		groupA: near, groupB: n.far, level: n.level, within: n.within, links: n.links, plugs: n.plugs, nearB: nearB,
		barred: n.barred,
	}
}
