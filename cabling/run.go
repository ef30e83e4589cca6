package cabling

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Problem is everything that decides a schedule.
type Problem struct {
	Graph topology.Graph
	// Channels is the number of channels of all links, where it is known; counted when 0. It sets the width of cable
	// ids.
	Channels  int64
	Boxes     []*Box // of each kind of vertex
	Placement *embed.Placement
	Naming    Naming
	Catalog   *catalog.Catalog
	Quote     PriceFunc // ranks products
	// Billed, if set, prices products in explanations: as the bill does, at the quantities that are bought. Products
	// are ranked before these are known.
	Billed PriceFunc
	Mode   Mode
	Slack  Slack
	// Media is the media policy: the first rule that matches decides. With no
	// rule, anything that fits is allowed.
	Media []MediaRule
	// Consolidate, if set, bounds the number of different products.
	Consolidate *Consolidation
	// Excess, if set, bounds the pieces that are bought longer than they have to be.
	Excess *Excess
	// Structured, if set, says which links run over patch panels; not with
	// Consolidate.
	Structured *Structured
	// Shuffle, if set, has links between ports that are split at both ends run over shuffles; not with Structured nor
	// Consolidate.
	Shuffle *Shuffling
	// MatedPairs is the most pairs of plugs that links may pass between their transceivers, DefaultMatedPairs when 0.
	MatedPairs int
	// Stock is cables in stock, which go before those on sale where that costs less. Consolidation goes before that: it
	// bounds what may be bought.
	Stock []InStore
	// Plugs, if set, says into which ports links are plugged, and which cables lie there already.
	Plugs *Plugs
	// Trays says what each level of the room's trays takes; anything when nil.
	// Cables run on them in mode Tray only.
	Trays []TrayRule
	// GapFill is the share of the gaps between containers that cables may take, by level of the tree, 0 to 1;
	// DefaultTrayFill where it is 0 or nil.
	GapFill []float64
	// Colours, if set, says which colours cables have. They do not bear on which product is chosen.
	Colours *Colours
	// Bundle is the most cables in a bundle, DefaultBundle when 0.
	Bundle int
	// Suppress lists violations of design rules that do not count.
	Suppress []Suppression
	// Summary keeps tallies only, no segments.
	Summary bool
	// Drawn asks for Schedule.Drawn.
	Drawn bool
	// Visit, if set, is called with every segment, traces too, in order; the schedule holds the products chosen so far.
	// seg may be changed after the call: copy it to keep it. The passes that count for Consolidate and Stock do not
	// call Visit.
	Visit func(s *Schedule, seg *Segment)
	// Again, if set, is called where trays overfilled and all segments are
	// visited once more with other ways: what Visit has gathered is void.
	Again func()

	counting bool       // what cables need is counted, and nothing taken from the store
	allotted *allotment // that a counting pass has led to
}

// Run schedules every channel of every link, and adds violations of the design rules that it finds on the way: of
// reach, ports, optics, loss, fill, polarity, strands and mated pairs. The problem is not changed. The error is that of
// ctx, or says which part of the problem is missing or impossible, such as a rack without room for its panels.
func Run(ctx context.Context, p *Problem) (*Schedule, error) {
	w, err := schedule(ctx, p)
	if err != nil {
		return nil, err
	}
	return w.s, nil
}

// schedule runs a problem and returns the worker that has made the schedule.
func schedule(ctx context.Context, p *Problem) (*worker, error) {
	w, err := start(ctx, p)
	if err != nil {
		return nil, err
	}
	if !p.Summary {
		w.s.Segments = make([]Segment, 0, w.total)
	}
	if err := w.links(ctx); err != nil {
		return nil, err
	}
	w.checkMatedPairs()
	if g := w.s.Gaps; g != nil {
		g.sum()
		g.report(&w.s.Violations)
	}
	t := w.s.Trays
	if t == nil {
		return w, nil
	}
	w.s.load()
	t.size()
	if t.overfull() {
		if w, err = w.reroute(ctx); err != nil {
			return nil, err
		}
	}
	w.s.Trays.report(&w.s.Violations)
	return w, nil
}

// ends is what the worker knows of a vertex's kind.
type ends struct {
	first, last int32
	box         *Box
	isSwitch    bool
	index       int // among the kinds
	cages       int32
	cageBase    int64 // index of the first vertex's first cage
}

// worker schedules one link after the other.
type worker struct {
	p      *Problem
	s      *Schedule
	layout *layout.Layout
	slot   []int32
	kinds  []ends
	traces []bool // of each layout level
	buyer  buyer
	// choosers are found by linkClass; last is the one used last.
	choosers map[linkClass]*chooser
	last     linkClass
	lastOf   *chooser
	a, b     *ends // kinds of the ends of the link at hand
	lit      cageOptics
	// cages is nil where no cable carries several links. On trays whose levels
	// depend on the medium, needs holds what the links of each cage need by group
	// of media.
	cages []cage
	needs []units.Length
	// held is the transceiver of every cage that was chosen with those of all cages that links join it to; nil where
	// links choose for themselves.
	held  []*catalog.Part
	total int64 // of all segments
	// replace says in which length a family's length is bought; nil where products
	// are not consolidated.
	replace map[catalog.Item]units.Length
	// counts or store is set where cables are in stock: the former while needs are counted.
	counts *stockCount
	store  *store

	seg       Segment // at hand: one for all, as Visit would have each on the heap
	bundler   bundler
	at        *batch       // at hand
	found     []trayOption // of the cable at hand
	span      span         // that between gave
	pairs     rackPairs
	ways      []pairWays // of each pair
	mountings mountings
	// sharings are the cables that carry all links of a cage, by the kinds of ports that they join.
	sharings map[[2]*catalog.PortGroup][]candidate
	patcher  *patcher  // nil where no link runs over panels
	shuffler *shuffler // nil where no link runs over a shuffle
	// scatterings counts links without a product for which all links were asked why they share no cable.
	scatterings int
	// failed are the bundles whose way leaves a cable without a product that
	// would have one on its shortest way.
	failed []int32
}

// check returns an error where a part of the problem that has no default is missing.
func (p *Problem) check() error {
	switch {
	case p.Graph == nil:
		return errors.New("cabling: no graph")
	case p.Placement == nil:
		return errors.New("cabling: no placement")
	case p.Catalog == nil:
		return errors.New("cabling: no catalog")
	case p.Quote == nil:
		return errors.New("cabling: no prices, by which products are ranked")
	}
	kinds := topology.CabledKinds(p.Graph)
	if len(p.Boxes) != len(kinds) {
		return fmt.Errorf("cabling: %d boxes for %d kinds of vertices", len(p.Boxes), len(kinds))
	}
	for i, b := range p.Boxes {
		if b == nil {
			return fmt.Errorf("cabling: no box for the vertices of kind %s", kinds[i].Name)
		}
	}
	return nil
}

func newWorker(p *Problem) (*worker, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	kinds := topology.CabledKinds(p.Graph)
	if len(p.Graph.Levels()) > math.MaxUint8 || len(p.Placement.Layout.Levels) > math.MaxUint8 {
		return nil, fmt.Errorf("cabling: more than %d levels", math.MaxUint8)
	}
	w := &worker{p: p, layout: p.Placement.Layout, slot: p.Placement.Slot, choosers: map[linkClass]*chooser{}}
	w.buyer = buyer{
		catalog: p.Catalog, quote: offBill(p.Quote), billed: offBill(p.Billed), excess: p.Excess, rules: p.Media,
		index: map[Product]int16{},
	}
	if len(w.buyer.rules) == 0 {
		w.buyer.rules = []MediaRule{{Media: catalog.Media}}
	}
	w.s = &Schedule{
		Graph: p.Graph, Kinds: kinds, Boxes: p.Boxes, Placement: p.Placement,
		router: newRouter(p.Mode, p.Slack, w.layout),
	}
	if w.layout.Tree != nil {
		w.s.Gaps = newGaps(w.layout.Tree, p.GapFill)
	}
	w.s.name(p.Naming)
	w.s.colouring = newColouring(p.Colours, p.Graph)
	if err := w.trays(); err != nil {
		return nil, err
	}
	w.s.Violations.Suppress(p.Suppress)
	cages := int64(0)
	for i, k := range kinds {
		b := p.Boxes[i]
		if len(b.Ports) < k.Ports {
			w.s.Violations.Add(RulePorts, k.Name, "a %s has up to %d links, but %s has %d ports%s", k.Name, k.Ports,
				b.Part.ID, len(b.Ports), b.besides())
		}
		e := ends{
			first: int32(k.First), last: int32(k.First + k.Count - 1), box: b,
			isSwitch: k.Role == topology.Switch, index: i, cages: int32(b.Cages()), cageBase: cages,
		}
		cages += int64(b.Cages()) * int64(k.Count)
		w.kinds = append(w.kinds, e)
	}
	if room := w.layout.Room; room != nil {
		w.s.RackPower = make([]units.Power, len(room.Places))
		w.s.cords = make([]cordSum, len(room.Places))
	} else if rack := w.layout.LevelOf(layout.RoleRack); rack >= 0 {
		w.s.RackPower = make([]units.Power, w.layout.Slots()/w.layout.Tree.Cells(rack))
	}
	if p.Drawn {
		w.s.Drawn = make([]units.Power, topology.Vertices(p.Graph))
	}
	for _, l := range w.layout.Levels {
		w.traces = append(w.traces, l.Traces)
	}
	w.s.Tallies = make([][]Tally, len(p.Graph.Levels()))
	for i := range w.s.Tallies {
		w.s.Tallies[i] = make([]Tally, len(w.layout.Levels))
	}
	n := p.Channels
	if n == 0 {
		n = topology.Count(p.Graph).Links
	}
	if err := w.structure(); err != nil {
		return nil, err
	}
	w.stockUp()
	w.findSharedCages()
	if err := w.shuffle(); err != nil {
		return nil, err
	}
	switch {
	case w.shuffler != nil:
		n += w.shuffler.links
	case w.s.Patching != nil:
		n += 2 * w.s.Patching.Links
	}
	w.s.digits = max(4, len(strconv.FormatInt(n, 10)))
	w.total = n
	w.chooseHeldOptics()
	return w, nil
}

// kind is that of a vertex, likely the one given, which may be nil.
func (w *worker) kind(v int32, likely *ends) *ends {
	if likely != nil && v >= likely.first && v <= likely.last {
		return likely
	}
	for i := range w.kinds {
		if v <= w.kinds[i].last {
			return &w.kinds[i]
		}
	}
	panic("cabling: vertex outside all kinds")
}

// link schedules the channels of one link, whose segments have been measured.
func (w *worker) link(ch *channel, segments []Segment) {
	l := &ch.link
	tally := &w.s.Tallies[l.Level][ch.common]
	for n := range l.Width {
		w.plug(ch, n)
		ch.n = n
		if options, pair := w.patchingOf(ch); pair != nil {
			w.patch(segments[n].Link, ch, options, pair)
			continue
		}
		if w.shuffler.serves(ch) {
			w.shuffler.link(segments[n].Link, ch)
			continue
		}
		seg := w.place(&segments[n])
		if !ch.trace {
			w.s.Wired++
			w.buy(seg, tally, ch)
		}
		w.countLink(tally, ch, seg.Length)
		w.show(seg)
	}
}

// place puts a segment behind those that are kept, where it is not there already, and returns where it is.
func (w *worker) place(seg *Segment) *Segment {
	switch n := len(w.s.Segments); {
	case w.at.kept:
		w.s.Segments = w.s.Segments[:n+1]
	case !w.p.Summary:
		w.s.Segments = append(w.s.Segments, *seg)
		return &w.s.Segments[n]
	}
	return seg
}

// show shows a segment that is done.
func (w *worker) show(seg *Segment) {
	w.s.countColour(seg)
	if w.p.Visit != nil {
		w.p.Visit(w.s, seg)
	}
}

// inTrace reports whether a container that holds one of this level has traces
// inside: containers inherit them.
func (w *worker) inTrace(common int) bool {
	if w.layout.Tree == nil {
		return false
	}
	for i := range common {
		if w.traces[i] {
			return true
		}
	}
	return false
}

// countLink counts a channel of a length, and the ports that it takes.
func (w *worker) countLink(t *Tally, ch *channel, length units.Length) {
	t.Links++
	t.Metres += length
	t.Longest = max(t.Longest, length)
	w.countPort(ch.a)
	w.countPort(ch.b)
}

func (w *worker) countPort(e *ends) {
	if e.isSwitch {
		w.s.PortsUsed.Switch++
	} else {
		w.s.PortsUsed.Node++
	}
}

// chooserOf returns the chooser of a class of links.
func (w *worker) chooserOf(class *linkClass) *chooser {
	if *class == w.last && w.lastOf != nil {
		return w.lastOf
	}
	c, ok := w.choosers[*class]
	if !ok {
		c = w.buyer.chooser(w.layout, *class, w.p.Graph.Levels()[class.level].Name)
		w.substitute(c)
		w.choosers[*class] = c
		w.s.Products = w.buyer.products
	}
	w.last, w.lastOf = *class, c
	return c
}

// count counts a cable of the given length, whose first link is of a level.
func (w *worker) count(level uint8, tally *Tally, length units.Length) int32 {
	w.s.Cables++
	if w.s.levelOf != nil {
		w.s.levelOf = append(w.s.levelOf, level)
	}
	tally.Cables++
	tally.CableMetres += length
	tally.LongestCable = max(tally.LongestCable, length)
	return int32(w.s.Cables)
}

// countBought counts one piece of a product as bought.
func (t *Tally) countBought(product int16) {
	for len(t.Product) <= int(product) {
		t.Product = append(t.Product, 0)
	}
	t.Product[product]++
}

// buy chooses the product of a segment that is not a trace.
func (w *worker) buy(seg *Segment, tally *Tally, ch *channel) {
	seg.Product = NoProduct
	portA, portB := ch.ports()
	if portA == nil { // reported once for the kind
		w.lay(seg, ch, &linkClass{})
		seg.Cable = w.count(seg.Level, tally, seg.Length)
		return
	}
	if w.cages != nil && w.share(seg, tally, ch, portA, portB) {
		return
	}
	class := linkClass{groupA: portA.Group, groupB: portB.Group, level: seg.Level, within: seg.Within}
	w.fitHeldOptics(&class, ch, portA, portB)
	kept := w.lay(seg, ch, &class)
	seg.Cable = w.count(seg.Level, tally, seg.Length)
	if seg.Product == NoProduct {
		w.unmade(seg, &class, ch, portA, portB)
		return
	}
	tally.countBought(seg.Product)
	product := &w.s.Products[seg.Product]
	if kept {
		tally.countKept(product)
	}
	near, far := product.Part.EndPower()
	if product.NearB {
		near, far = far, near
	}
	w.draw(seg.A, near)
	w.draw(seg.B, far)
	w.plugBoth(seg, tally, ch, portA, portB)
}

// plugBoth puts the optics of a segment's product into their cages.
func (w *worker) plugBoth(seg *Segment, tally *Tally, ch *channel, portA, portB *Port) {
	if product := &w.s.Products[seg.Product]; product.OpticA != nil {
		w.plugOptic(tally, ch.a, seg.A, seg.PortA, portA.Cage, product.OpticA)
		w.plugOptic(tally, ch.b, seg.B, seg.PortB, portB.Cage, product.OpticB)
	}
}

// share puts a segment on the cable that it shares with others, if there is one.
func (w *worker) share(seg *Segment, tally *Tally, ch *channel, portA, portB *Port) bool {
	ca, cb := ch.a.cageOf(seg.A, portA), ch.b.cageOf(seg.B, portB)
	near := w.shares(ca, cb, portA.Group, portB.Group)
	if near == noCage {
		return false
	}
	n, f := &w.cages[near], &w.cages[cb]
	group, nearV, farV := portA.Group, seg.A, seg.B
	if near == cb {
		f, group, nearV, farV = &w.cages[ca], portB.Group, seg.B, seg.A
	}
	if n.product == undecided {
		w.decide(n, near, group, near == cb)
	}
	if n.product == apart {
		return false
	}
	seg.Product = n.product
	product := &w.s.Products[seg.Product]
	nearPower, farPower := product.Part.EndPower()
	if product.NearB != (near == cb) && product.Part.Cable.FarConnector() != product.Part.Cable.Connector {
		nearPower, farPower = farPower, nearPower
	}
	w.laySharing(seg, ch, n, f)
	whole := &w.s.Tallies[seg.Level][n.within]
	if n.number == 0 { // the cable counts where its longest way leads
		n.number = w.count(seg.Level, whole, n.need)
		whole.countBought(seg.Product)
		w.draw(nearV, nearPower)
	}
	if !n.kept && ch.laid != nil && ch.laid.is(product) { // one link in its ports is enough: the cages are the same
		n.kept = true
		whole.countKept(product)
	}
	if seg.Length > n.need { // led around a full tray
		whole.CableMetres += seg.Length - n.need
		whole.LongestCable = max(whole.LongestCable, seg.Length)
		n.need = seg.Length
	}
	seg.Cable = n.number
	if !f.drawn {
		f.drawn = true
		w.draw(farV, farPower)
	}
	w.plugBoth(seg, tally, ch, portA, portB)
	return true
}

// unmade reports a cable that no product can make.
func (w *worker) unmade(seg *Segment, class *linkClass, ch *channel, portA, portB *Port) {
	v := &w.s.Violations
	where := w.s.CableID(int64(seg.Cable))
	if v.Full(RuleReach) {
		v.Add(RuleReach, where, "")
		return
	}
	labels := w.s.Label(seg.A, seg.PortA) + " to " + w.s.Label(seg.B, seg.PortB)
	v.Add(RuleReach, where, "%s: %s", labels, w.refusal(seg, class, ch, portA, portB))
}

// draw adds what a plug or an optic draws at a vertex to its rack.
func (w *worker) draw(v int32, power units.Power) {
	if int(v) < len(w.s.Drawn) {
		w.s.Drawn[v] += power
	}
	if w.s.RackPower != nil && power != 0 {
		w.s.RackPower[w.layout.Container(w.layout.Stands(), w.slot[v])] += power
	}
}
