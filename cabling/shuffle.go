package cabling

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/units"
)

// Where the ports at both ends of links are parts of the same plug, as four planes of one adapter that meet four
// adapters in each switch cage, no cable can join them: the lanes of each plug have to be led to several others. A
// shuffle does that. Plugs that links join, directly or through others, are a group; each group has a shuffle, with a
// cord from every plug to an adapter of it. Where all links of a plug lead to one other plug, they share a cable.

// Shuffling says that links between plugs that are split at both ends run over shuffles.
type Shuffling struct {
	// Part is the panel in which all shuffles are; chosen for each when nil.
	Part *catalog.Part
	// Octopus says that octopus cables take the place of shuffles: cables of one plug to several duplex plugs, those of
	// both ends of links meeting at the adapters of patch panels.
	Octopus bool
}

// Shuffle is a module of a panel that leads the lanes of some plugs to others.
type Shuffle struct {
	Panel     int32  // index in Patching.Panels
	First     uint16 // its first adapter, from 0: those of the near side, then those of the far side
	Near, Far uint16 // adapters in use on each side
	Links     int32
	// ToOrder says that its fibres are not led as in the part on sale: see Schedule.Strands.
	ToOrder bool
}

// laneKind holds the properties that transceivers at both sides of a shuffle must share.
type laneKind struct {
	family string // of standards, without the number of lanes
	fibre  catalog.Medium
	plug   string     // that the adapters of their shuffles take
	rate   units.Rate // of a plug of the transceivers
	lanes  int        // of such a plug
	legs   int        // of the octopus cable in such a plug; 0 where shuffles lead the lanes
}

// laneKinds returns the kinds of a transceiver in a cage of so many ports: one for each type of plug that shuffles on
// sale take and that fibre from the transceiver can end in. The kind with the transceiver's own type of plug is first.
// Of octopus cables, it is the one kind that patch panels take.
func (k *shuffler) laneKinds(o *catalog.Optic, ports int) []laneKind {
	if k.w.p.Shuffle.Octopus {
		return k.octopusKinds(o, ports)
	}
	var out []laneKind
	parts := k.w.p.Catalog.Parts()
	for i := range parts {
		p := parts[i].Panel
		if p == nil || p.Shuffle == 0 || p.Fibre != o.Fibre || k.w.p.Shuffle.Part != nil &&
			parts[i].ID != k.w.p.Shuffle.Part.ID || len(k.w.p.Catalog.Fibres(o.Plug, p.Connector, o.Fibre)) == 0 {
			continue
		}
		kind := laneKind{lanes(o.Standard), o.Fibre, p.Connector, o.Rate, o.Lanes(), 0}
		if slices.Contains(out, kind) {
			continue
		}
		at := len(out)
		if p.Connector == o.Plug {
			at = 0
		}
		out = slices.Insert(out, at, kind)
	}
	return out
}

// compare orders kinds, so that the selection does not depend on the order of parts.
func (k laneKind) compare(o laneKind) int {
	return cmp.Or(strings.Compare(string(k.fibre), string(o.fibre)), strings.Compare(k.family, o.family),
		strings.Compare(k.plug, o.plug), cmp.Compare(k.rate, o.rate), cmp.Compare(k.lanes, o.lanes),
		cmp.Compare(k.legs, o.legs))
}

// splitPorts are the ports of a group that are split, and the transceivers that may fill their cages.
type splitPorts struct {
	set    *splitSet
	optics []*catalog.Part
	rules  []int         // media rules that decide about links of the ports, each once
	optic  *catalog.Part // chosen
	ports  int           // of a cage
	each   int           // of a plug of the transceiver that was chosen
}

// splitSet is groups of ports that links join: all of them take one kind of transceiver.
type splitSet struct {
	into    *splitSet // the set that this one was merged into, or nil
	kinds   []laneKind
	kind    laneKind
	longest units.Length // link in one cable
	none    bool         // no kind fits all of them
	left    int64        // links in groups of plugs for which there is no panel
	plugs   int          // most plugs on a side of such a group
	tried   []triedKind  // kinds before, that left links without a panel
}

// triedKind is a kind of transceiver that some groups of plugs have no panel for.
type triedKind struct {
	kind laneKind
	left int64 // links in these groups
}

// root returns the set into which this one was merged in the end.
func (s *splitSet) root() *splitSet {
	for s.into != nil {
		s = s.into
	}
	return s
}

// plugged is what is known of one plug.
type plugged struct {
	panel   int32 // index in Patching.Panels; noPanel or ownCable
	rules   int32 // index in shuffler.rules: the media rules that decide about its links
	adapter uint16
	product int16
	cable   int32
	bundle  int32
	length  units.Length
}

// Values of plugged.panel besides an index.
const (
	noPanel  = -1
	ownCable = -2 // all its links share a cable to one other plug
)

// shuffler decides which links run over shuffles, and lays their cords.
type shuffler struct {
	w     *worker
	most  int64 // the largest number of plugs of a transceiver; cage c has the plug numbers c*most to c*most+most-1
	ports map[*catalog.PortGroup]*splitPorts
	pairs map[[2]*catalog.PortGroup]bool
	plugs []plugged
	// fibreAllowed is whether a media rule allows the fibre of some transceiver that fits ports.
	fibreAllowed map[ruledPorts]bool
	// rules are the sets of media rules that decide about the links of a plug; the first is empty.
	rules [][]int
	edges []laneLink
	cages [][]*catalog.PortGroup // of each kind of box
	place []int16                // of each plug on its side of the shuffle, from 1; 0 before, noPlace if it has none
	near  map[int32][]int32      // racks around others
	made  map[madeCords]*chooser
	links int64
	patch *catalog.Part // the patch panel in which octopus cables meet
	// sides are the ends of links, 0 for A, at which the octopus cable in a plug is.
	sides map[int32]int
	// longest is the longest leg of the octopus cable in each plug.
	longest []legEnd
}

// laneLink is a link between two plugs, with the number of its part of each.
type laneLink struct {
	a, b         int32
	laneA, laneB uint8
}

// inCage is the number of a port in its cage, from 0.
func (p *Port) inCage() int {
	per := perCage(p.of)
	return p.number%per*max(p.into, 1) + max(p.Lane-1, 0)
}

// shuffle finds the links that run over shuffles, and places the shuffles in racks.
func (w *worker) shuffle() error {
	k := &shuffler{
		w: w, ports: map[*catalog.PortGroup]*splitPorts{}, pairs: map[[2]*catalog.PortGroup]bool{},
		fibreAllowed: map[ruledPorts]bool{}, made: map[madeCords]*chooser{}, rules: [][]int{nil},
	}
	if w.p.Shuffle == nil || w.layout.Room == nil {
		return nil
	}
	if w.p.Shuffle.Octopus {
		k.patch = k.octopusPanel()
	}
	ready := k.prepare()
	if w.p.Shuffle.Octopus {
		if err := k.refuseOctopus(); err != nil {
			return err
		}
	}
	if !ready || w.cageCount()*k.most > math.MaxInt32 {
		return nil
	}
	k.countLinks()
	if k.links == 0 {
		return nil
	}
	switch {
	case w.s.Patching != nil:
		return diag.Fieldf("Structured", "%s links are between ports that are split at both ends, which run over "+
			"shuffles, not over panels\nremove structured, or give cabling.shuffle: none", english.Grouped(k.links))
	case w.p.Consolidate != nil:
		return diag.Fieldf("Consolidate", "%s links are between ports that are split at both ends; the lengths of "+
			"cords to shuffles cannot be consolidated\nremove consolidate, or give cabling.shuffle: none",
			english.Grouped(k.links))
	}
	w.shuffler = k
	return k.placeShuffles()
}

// prepare finds the groups of ports that are split. It returns false where no two of them can be joined over a shuffle.
func (k *shuffler) prepare() bool {
	w := k.w
	for _, g := range w.portGroups() {
		n := perCage(g)
		if n == 1 {
			continue
		}
		optics := slices.DeleteFunc(w.p.Catalog.SplitOptics(g), func(o *catalog.Part) bool {
			return !slices.ContainsFunc(w.buyer.rules, func(m MediaRule) bool { return m.allowsEnds(o) })
		})
		if len(optics) == 0 {
			continue
		}
		p := &splitPorts{set: &splitSet{}, optics: optics, ports: n}
		for _, o := range optics {
			for _, kind := range k.laneKinds(o.Optic, n) {
				if !slices.Contains(p.set.kinds, kind) {
					p.set.kinds = append(p.set.kinds, kind)
				}
			}
			k.most = max(k.most, int64(max(o.Optic.Ports, 1)))
		}
		k.ports[g] = p
	}
	for _, e := range w.kinds {
		groups := make([]*catalog.PortGroup, e.cages)
		for i := range e.box.Ports {
			groups[e.box.Ports[i].Cage] = e.box.Ports[i].Group
		}
		k.cages = append(k.cages, groups)
	}
	found := false
	for a, pa := range k.ports {
		for b, pb := range k.ports {
			ok := a.Rate == b.Rate && slices.ContainsFunc(pa.set.kinds, func(kind laneKind) bool {
				return slices.Contains(pb.set.kinds, kind)
			}) && !w.canJoin(a, b)
			k.pairs[[2]*catalog.PortGroup{a, b}] = ok
			found = found || ok
		}
	}
	return found
}

// canJoin reports whether some cable that a media rule allows joins two ports with one link each.
func (w *worker) canJoin(a, b *catalog.PortGroup) bool {
	return slices.ContainsFunc(w.buyer.candidates(a, b), func(c candidate) bool {
		return slices.ContainsFunc(w.buyer.rules, func(m MediaRule) bool { return m.permits(&c) })
	})
}

// countLinks counts the links that may run over shuffles, chooses the transceivers of each set of ports, and joins the
// sets that links connect.
func (k *shuffler) countLinks() {
	w := k.w
	w.channels(func(c *channel, pa, pb *Port) {
		rule, ok := k.ruleOf(c, pa, pb)
		if !ok {
			return
		}
		k.links++
		for _, p := range [2]*splitPorts{k.ports[pa.Group], k.ports[pb.Group]} {
			if !slices.Contains(p.rules, rule) {
				p.rules = append(p.rules, rule)
			}
		}
		a, b := k.ports[pa.Group].set.root(), k.ports[pb.Group].set.root()
		a.longest = max(a.longest, k.direct(c))
		if a != b {
			b.into = a
			a.longest = max(a.longest, b.longest)
			a.kinds = slices.DeleteFunc(a.kinds, func(kind laneKind) bool { return !slices.Contains(b.kinds, kind) })
		}
	})
	if k.links == 0 {
		return
	}
	seen := map[*splitSet]bool{}
	for _, g := range w.portGroups() {
		if p := k.ports[g]; p != nil && !seen[p.set.root()] {
			seen[p.set.root()] = true
			k.choose(p.set.root())
		}
	}
	k.listLinks()
}

// listLinks lists the links that may run over shuffles with the transceivers that were chosen, and the plugs that they
// join.
func (k *shuffler) listLinks() {
	w := k.w
	k.links, k.edges = 0, nil
	k.plugs = make([]plugged, w.cageCount()*k.most)
	for i := range k.plugs {
		k.plugs[i] = plugged{panel: noPanel, product: NoProduct}
	}
	w.channels(func(c *channel, pa, pb *Port) {
		rule, ok := k.ruleOf(c, pa, pb)
		if !ok || k.ports[pa.Group].set.root().none {
			return
		}
		k.links++
		a, laneA := k.plug(c.a, c.link.A, pa)
		b, laneB := k.plug(c.b, c.link.B, pb)
		k.edges = append(k.edges, laneLink{a, b, laneA, laneB})
		for _, plug := range [2]int32{a, b} {
			k.plugs[plug].rules = k.withRule(k.plugs[plug].rules, rule)
		}
	})
}

// withRule returns the index in rules of a set with one more media rule.
func (k *shuffler) withRule(set int32, rule int) int32 {
	at, ok := slices.BinarySearch(k.rules[set], rule)
	if ok {
		return set
	}
	more := slices.Insert(slices.Clone(k.rules[set]), at, rule)
	i := slices.IndexFunc(k.rules, func(have []int) bool { return slices.Equal(have, more) })
	if i < 0 {
		i = len(k.rules)
		k.rules = append(k.rules, more)
	}
	return int32(i)
}

// forbids returns the first of some media rules that does not allow a fibre or one of the transceivers at its ends; -1
// if all of them do.
func (b *buyer) forbids(rules []int, fibre *catalog.Part, ends ...*catalog.Part) int {
	i := slices.IndexFunc(rules, func(rule int) bool {
		m := &b.rules[rule]
		return fibre != nil && !m.allows(fibre) || !m.allowsEnds(ends...)
	})
	if i < 0 {
		return -1
	}
	return rules[i]
}

// ruleOf returns the media rule for the link of a channel, and whether the channel may run over a shuffle: its ports
// are split at both ends, no cable joins them, and the rule allows fibre.
func (k *shuffler) ruleOf(c *channel, pa, pb *Port) (rule int, ok bool) {
	w := k.w
	if c.trace || !k.pairs[[2]*catalog.PortGroup{pa.Group, pb.Group}] {
		return -1, false
	}
	if w.cages != nil {
		ca, cb := c.a.cageOf(c.link.A, pa), c.b.cageOf(c.link.B, pb)
		if near := w.shares(ca, cb, pa.Group, pb.Group); near != noCage {
			n, group := &w.cages[near], pa.Group
			if near == cb {
				group = pb.Group
			}
			if n.product == undecided {
				w.decide(n, near, group, near == cb)
			}
			if n.product != apart {
				return -1, false
			}
		}
	}
	if len(w.p.Media) == 0 {
		return 0, true
	}
	class := linkClass{groupA: pa.Group, groupB: pb.Group, level: uint8(c.link.Level), within: uint8(c.common)}
	need := units.Length(0) // only rules with a longest length compare it
	if slices.ContainsFunc(w.buyer.rules, func(m MediaRule) bool { return m.Longest > 0 }) {
		need = k.direct(c)
	}
	rule = w.buyer.decides(w.layout, &class, w.p.Graph.Levels()[c.link.Level].Name, need)
	if rule < 0 {
		return rule, false
	}
	key := ruledPorts{rule, pa.Group}
	allowed, ok := k.fibreAllowed[key]
	if !ok {
		allowed = slices.ContainsFunc(k.ports[pa.Group].optics, func(o *catalog.Part) bool {
			return w.buyer.rules[rule].allowsEnds(o) && slices.ContainsFunc(
				k.laneKinds(o.Optic, k.ports[pa.Group].ports), func(kind laneKind) bool {
					return slices.ContainsFunc(k.families(plugPair{o, nil}, kind), w.buyer.rules[rule].allows)
				})
		})
		k.fibreAllowed[key] = allowed
	}
	return rule, allowed
}

// ruledPorts are ports whose links a media rule decides about.
type ruledPorts struct {
	rule  int
	group *catalog.PortGroup
}

// direct returns the length of one cable between the ends of a channel, on the shortest route that any medium can take;
// 0 if there is no route.
func (k *shuffler) direct(c *channel) units.Length {
	w := k.w
	if !w.s.router.onTrays(c.common) {
		a, b := w.ends(c)
		return w.s.router.parts(a, b, c.common).Total()
	}
	ways, _ := w.routes(w.across(c))
	least := units.Length(math.Inf(1))
	for i := range ways {
		if ways[i].level >= 0 {
			least = min(least, ways[i].total)
		}
	}
	if math.IsInf(float64(least), 1) {
		return 0
	}
	return least
}

// detourOverShuffle is an estimate, in metres, of how much longer a link over a shuffle is than one cable: the route to
// the shuffle in the rack of one end. It is only used to select the kind of transceiver.
const detourOverShuffle units.Length = 10

// choose selects the kind of transceiver of a set: the cheapest whose reach suffices, else the one with the longest
// reach. Among equal prices, it prefers the plug with the highest rate: its plugs take the most links, so it needs the
// fewest cords. It skips kinds that were tried; once any was tried, it also skips kinds whose reach does not suffice.
// It returns false if no kind is left.
func (k *shuffler) choose(set *splitSet) bool {
	w := k.w
	type choice struct {
		kind  laneKind
		reach units.Length
		bid   bid
	}
	var best *choice
	for _, kind := range set.kinds {
		if set.isTried(kind) {
			continue
		}
		c := choice{kind: kind, reach: units.Length(math.Inf(1))}
		corded := true // every rule allows some cord from every transceiver to a shuffle
		for _, g := range w.portGroups() {
			p := k.ports[g]
			if p == nil || p.set.root() != set {
				continue
			}
			o := k.cheapest(p, kind, set.longest+detourOverShuffle)
			if o == nil {
				corded = false
				break
			}
			for _, rule := range p.rules {
				corded = corded && len(k.allowedFibres(plugPair{o, nil}, kind, []int{rule})) > 0
			}
			if o.Optic.Reach > 0 {
				c.reach = min(c.reach, o.Optic.Reach)
			}
			if q := w.buyer.quote(o, 0); q.Priced {
				c.bid.cost += int64(q.Unit) * 100 / int64(perCage(g))
			} else {
				c.bid.unpriced++
			}
		}
		if !corded {
			continue
		}
		if c.reach < set.longest+detourOverShuffle {
			c.bid.unmade = 1
			if len(set.tried) > 0 {
				continue
			}
		}
		better := best == nil || cmp.Or(c.bid.compare(best.bid), cmp.Compare(best.kind.rate, kind.rate),
			kind.compare(best.kind)) < 0
		if best != nil && c.bid.unmade > 0 && best.bid.unmade > 0 {
			better = c.reach > best.reach
		}
		if better {
			best = &c
		}
	}
	if best == nil {
		set.none = len(set.tried) == 0
		return false
	}
	k.setKind(set, best.kind)
	return true
}

// isTried reports whether a kind left links of the set without a panel.
func (s *splitSet) isTried(kind laneKind) bool {
	return slices.ContainsFunc(s.tried, func(t triedKind) bool { return t.kind == kind })
}

// setKind sets the kind of a set, and the cheapest transceivers of this kind for all its ports.
func (k *shuffler) setKind(set *splitSet, kind laneKind) {
	set.kind = kind
	for _, p := range k.ports {
		if p.set.root() == set {
			p.optic = k.cheapest(p, set.kind, set.longest+detourOverShuffle)
			p.each = p.ports / max(p.optic.Optic.Ports, 1)
		}
	}
}

// retry chooses another kind of transceiver for each set some of whose links have no panel: shuffles wired to order,
// say, are on sale for some kinds only. Where no kind serves all links, that with the fewest left is taken. It returns
// false where all sets keep their kinds.
func (k *shuffler) retry() bool {
	changed := false
	seen := map[*splitSet]bool{}
	for _, g := range k.w.portGroups() {
		p := k.ports[g]
		if p == nil || seen[p.set.root()] {
			continue
		}
		set := p.set.root()
		seen[set] = true
		if set.left == 0 || set.isTried(set.kind) {
			continue
		}
		set.tried = append(set.tried, triedKind{set.kind, set.left})
		if k.choose(set) {
			changed = true
			continue
		}
		least := slices.MinFunc(set.tried, func(a, b triedKind) int { return cmp.Compare(a.left, b.left) })
		if least.kind != set.kind {
			k.setKind(set, least.kind)
			changed = true
		}
	}
	return changed
}

// panels lists the panels of shuffles for a kind.
func (k *shuffler) panels(kind laneKind) []*catalog.Part {
	if part := k.w.p.Shuffle.Part; part != nil {
		if part.Panel.Connector != kind.plug || part.Panel.Fibre != kind.fibre {
			return nil
		}
		return []*catalog.Part{part}
	}
	return k.w.p.Catalog.Shuffles(kind.plug, kind.fibre)
}

// cheapest returns the cheapest transceiver of a kind for ports whose reach is at least need, else the one with the
// longest reach; nil if the media rules of all links allow none of the kind.
func (k *shuffler) cheapest(p *splitPorts, kind laneKind, need units.Length) *catalog.Part {
	price := func(o *catalog.Part) bid {
		q := k.w.buyer.quote(o, 0)
		if !q.Priced {
			return bid{unpriced: 1}
		}
		return bid{cost: int64(q.Unit)}
	}
	var best *catalog.Part
	for _, o := range p.optics {
		if !slices.Contains(k.laneKinds(o.Optic, p.ports), kind) || k.w.buyer.forbids(p.rules, nil, o) >= 0 {
			continue
		}
		short := func(o *catalog.Part) bool { return o.Optic.Reach > 0 && o.Optic.Reach < need-1e-9 }
		switch {
		case best == nil:
			best = o
		case short(best) && short(o):
			if o.Optic.Reach > best.Optic.Reach {
				best = o
			}
		case short(best) || !short(o) && price(o).compare(price(best)) < 0:
			best = o
		}
	}
	return best
}

// plug returns the number of the plug of a port among all plugs, and the number of the port in the plug, from 0.
func (k *shuffler) plug(e *ends, v int32, p *Port) (plug int32, lane uint8) {
	each, at := k.ports[p.Group].each, p.inCage()
	return int32(int64(e.cageOf(v, p))*k.most) + int32(at/each), uint8(at % each)
}

// locate returns the vertex of a plug and the ports of its cage.
func (k *shuffler) locate(plug int32) (vertex int32, ports *splitPorts) {
	cage := int64(plug) / k.most
	for i := range k.w.kinds {
		e := &k.w.kinds[i]
		if n := cage - e.cageBase; n < int64(e.cages)*int64(e.last-e.first+1) {
			return e.first + int32(n/int64(e.cages)), k.ports[k.cages[i][n%int64(e.cages)]]
		}
	}
	panic("cabling: plug outside all kinds")
}

// rack returns the rack position of a plug.
func (k *shuffler) rack(plug int32) int32 {
	v, _ := k.locate(plug)
	return k.w.rack(v)
}

// linksOf returns the number of links that a plug takes.
func (k *shuffler) linksOf(plug int32) int {
	_, ports := k.locate(plug)
	return ports.each
}
