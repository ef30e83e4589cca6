package cabling

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
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

// laneKind is what the transceivers in split cages that links join have in common.
type laneKind struct {
	family string // of standards, without the number of lanes
	fibre  catalog.Medium
	plug   string     // that the adapters of their shuffles take
	rate   units.Rate // of a plug of the transceivers
	lanes  int        // of such a plug
}

// laneKinds are the kinds of a transceiver: one for each plug that shuffles take and fibre from it may end in, its own
// plug first.
func (k *shuffler) laneKinds(o *catalog.Optic) []laneKind {
	var out []laneKind
	parts := k.w.p.Catalog.Parts()
	for i := range parts {
		p := parts[i].Panel
		if p == nil || p.Shuffle == 0 || p.Fibre != o.Fibre || k.w.p.Shuffle.Part != nil &&
			parts[i].ID != k.w.p.Shuffle.Part.ID || len(k.w.p.Catalog.Fibres(o.Plug, p.Connector, o.Fibre)) == 0 {
			continue
		}
		kind := laneKind{lanes(o.Standard), o.Fibre, p.Connector, o.Rate, o.Lanes()}
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

func (k laneKind) compare(o laneKind) int {
	return cmp.Or(strings.Compare(string(k.fibre), string(o.fibre)), strings.Compare(k.family, o.family),
		strings.Compare(k.plug, o.plug), cmp.Compare(k.rate, o.rate), cmp.Compare(k.lanes, o.lanes))
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
	most  int64 // plugs of a cage
	ports map[*catalog.PortGroup]*splitPorts
	pairs map[[2]*catalog.PortGroup]bool
	plugs []plugged
	// mayTake is whether a media rule allows the fibre of some transceiver that fits ports.
	mayTake map[ruledPorts]bool
	// rules are the sets of media rules that decide about the links of a plug; the first is empty.
	rules [][]int
	edges []laneLink
	cages [][]*catalog.PortGroup // of each kind of box
	place []int16                // of each plug on its side, from 1
	near  map[int32][]int32      // racks around others
	made  map[madeCords]*chooser
	links int64
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

// shuffle finds the links that run over shuffles, and stands these in racks.
func (w *worker) shuffle() error {
	k := &shuffler{
		w: w, ports: map[*catalog.PortGroup]*splitPorts{}, pairs: map[[2]*catalog.PortGroup]bool{},
		mayTake: map[ruledPorts]bool{}, made: map[madeCords]*chooser{}, rules: [][]int{nil},
	}
	if w.p.Shuffle == nil || w.layout.Room == nil || !k.prepare() || w.cageCount()*k.most > math.MaxInt32 {
		return nil
	}
	k.survey()
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
	return k.stand()
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
			for _, kind := range k.laneKinds(o.Optic) {
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

// survey finds the links that may run over shuffles, chooses the transceivers of each set of ports, and gathers the
// plugs that the links join.
func (k *shuffler) survey() {
	w := k.w
	w.channels(func(c *channel, pa, pb *Port) {
		rule, ok := k.may(c, pa, pb)
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
		a.longest = max(a.longest, k.straight(c))
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
	k.gather()
}

// gather lists the links that may run over shuffles with the transceivers that were chosen, and the plugs that they
// join.
func (k *shuffler) gather() {
	w := k.w
	k.links, k.edges = 0, nil
	k.plugs = make([]plugged, w.cageCount()*k.most)
	for i := range k.plugs {
		k.plugs[i] = plugged{panel: noPanel, product: NoProduct}
	}
	w.channels(func(c *channel, pa, pb *Port) {
		rule, ok := k.may(c, pa, pb)
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

// may reports whether a channel may run over a shuffle: its ports are split at both ends, no cable joins them, and the
// media rule that decides about its link allows fibre. It returns that rule.
func (k *shuffler) may(c *channel, pa, pb *Port) (rule int, ok bool) {
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
	rule = w.buyer.decides(w.layout, &class, w.p.Graph.Levels()[c.link.Level].Name, k.straight(c))
	if rule < 0 {
		return rule, false
	}
	key := ruledPorts{rule, pa.Group}
	allowed, ok := k.mayTake[key]
	if !ok {
		allowed = slices.ContainsFunc(k.ports[pa.Group].optics, func(o *catalog.Part) bool {
			return w.buyer.rules[rule].allowsEnds(o) && slices.ContainsFunc(k.laneKinds(o.Optic),
				func(kind laneKind) bool {
					return slices.ContainsFunc(w.p.Catalog.Fibres(o.Optic.Plug, kind.plug, kind.fibre),
						w.buyer.rules[rule].allows)
				})
		})
		k.mayTake[key] = allowed
	}
	return rule, allowed
}

// ruledPorts are ports whose links a media rule decides about.
type ruledPorts struct {
	rule  int
	group *catalog.PortGroup
}

// straight is the length of one cable between the ends of a channel, on the shortest way of all media.
func (k *shuffler) straight(c *channel) units.Length {
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

// detourOverShuffle is how much longer than one cable a link over a shuffle is taken to be, while the kind of
// transceiver is chosen: the way to the shuffle in the rack of one end.
const detourOverShuffle units.Length = 10

// choose finds the kind of transceiver of a set: the cheapest that reaches, else the one that reaches farthest. Of
// equal ones, that with the most links in a plug is taken, as it takes the fewest cords. Kinds that were tried are
// passed over, and so are then those that do not reach. It returns false where no kind is left.
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
	k.take(set, best.kind)
	return true
}

// isTried reports whether a kind left links of the set without a panel.
func (s *splitSet) isTried(kind laneKind) bool {
	return slices.ContainsFunc(s.tried, func(t triedKind) bool { return t.kind == kind })
}

// take gives all ports of a set the cheapest transceivers of a kind.
func (k *shuffler) take(set *splitSet, kind laneKind) {
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
			k.take(set, least.kind)
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

// cheapest is the cheapest transceiver of a kind for ports that reaches, else the one that reaches farthest; nil where
// there is none of the kind that the media rules of all links allow.
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
		if !slices.Contains(k.laneKinds(o.Optic), kind) || k.w.buyer.forbids(p.rules, nil, o) >= 0 {
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

// plug is the number of the plug of a port among all, and which part of the plug's links the port is, from 0.
func (k *shuffler) plug(e *ends, v int32, p *Port) (plug int32, lane uint8) {
	each, at := k.ports[p.Group].each, p.inCage()
	return int32(int64(e.cageOf(v, p))*k.most) + int32(at/each), uint8(at % each)
}

// locate finds the vertex of a plug and the ports there.
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

// rack is that of a plug.
func (k *shuffler) rack(plug int32) int32 {
	v, _ := k.locate(plug)
	return k.w.rack(v)
}

// linksOf is how many links a plug takes.
func (k *shuffler) linksOf(plug int32) int {
	_, ports := k.locate(plug)
	return ports.each
}

// group is plugs that links join, with those of one side before those of the other.
type group struct {
	links []laneLink
	near  []int32
	far   []int32
	// adapters are the plugs of both sides in the order of the adapters of a module that is on sale, -1 for one that
	// stays free; nil where the fibres are led otherwise than in such a module.
	adapters *[2][]int32
}

// groups calls visit with every group of plugs, in the order of their first links.
func (k *shuffler) groups(visit func(g *group)) {
	// A forest: each plug knows whether it is on the other side of its group than its parent.
	parent, other := make([]int32, len(k.plugs)), make([]bool, len(k.plugs))
	for i := range parent {
		parent[i] = int32(i)
	}
	root := func(plug int32) (root int32, flipped bool) {
		root = plug
		for parent[root] != root {
			flipped = flipped != other[root]
			root = parent[root]
		}
		for at, left := plug, flipped; parent[at] != at; { // the way becomes shorter
			next, own := parent[at], other[at]
			parent[at], other[at] = root, left
			at, left = next, left != own
		}
		return root, flipped
	}
	var odd []int32 // plugs of groups that have no two sides
	for _, e := range k.edges {
		a, flippedA := root(e.a)
		b, flippedB := root(e.b)
		switch {
		case a != b:
			parent[max(a, b)], other[max(a, b)] = min(a, b), flippedA == flippedB
		case flippedA == flippedB:
			odd = append(odd, a)
		}
	}
	sideless := map[int32]bool{}
	for _, plug := range odd {
		r, _ := root(plug)
		sideless[r] = true
	}
	number := make([]int32, len(k.plugs)) // of the group of each root, from 1
	var first []int32
	for _, e := range k.edges {
		r, _ := root(e.a)
		if number[r] == 0 {
			first = append(first, 0)
			number[r] = int32(len(first))
		}
		first[number[r]-1]++
	}
	at := int32(0)
	for i, n := range first {
		first[i], at = at, at+n
	}
	sorted := make([]laneLink, len(k.edges))
	next := slices.Clone(first)
	for _, e := range k.edges {
		r, _ := root(e.a)
		n := number[r] - 1
		sorted[next[n]] = e
		next[n]++
	}
	k.place = make([]int16, len(k.plugs))
	for i, from := range first {
		g := group{links: sorted[from:next[i]]}
		r, flipped := root(g.links[0].a)
		k.arrange(&g, func(plug int32) bool {
			_, f := root(plug)
			return f == flipped
		})
		if !sideless[r] {
			k.share(&g)
		}
		visit(&g)
	}
	k.place = nil
}

// arrange lists the plugs of a group by side.
func (k *shuffler) arrange(g *group, near func(plug int32) bool) {
	for _, e := range g.links {
		for _, plug := range [2]int32{e.a, e.b} {
			if k.place[plug] != 0 {
				continue
			}
			k.place[plug] = noPlace
			if near(plug) {
				g.near = append(g.near, plug)
			} else {
				g.far = append(g.far, plug)
			}
		}
	}
}

// noPlace is the place on its side of a plug that was met and has none yet; places count from 1.
const noPlace = -1

// share finds whether each plug shares its lanes evenly among all of the other side, the i-th share of plug j with the
// j-th share of plug i, and puts the plugs into that order.
func (k *shuffler) share(g *group) {
	first := &g.links[0]
	each := k.linksOf(first.a)
	parallel := 0 // links between two plugs
	for _, e := range g.links {
		if e.a == first.a && e.b == first.b || e.a == first.b && e.b == first.a {
			parallel++
		}
	}
	if each%parallel != 0 || each == parallel {
		return
	}
	for _, e := range g.links {
		if int(e.laneA)%parallel != int(e.laneB)%parallel || k.linksOf(e.a) != each || k.linksOf(e.b) != each {
			return
		}
		for _, end := range [2]struct {
			plug int32
			lane uint8
		}{{e.b, e.laneA}, {e.a, e.laneB}} {
			place := int16(int(end.lane)/parallel + 1)
			if old := k.place[end.plug]; old != noPlace && old != place {
				return
			}
			k.place[end.plug] = place
		}
	}
	n := each / parallel
	ordered := func(list []int32) []int32 { // -1 for an adapter that stays free, nil where two plugs claim one
		out := slices.Repeat([]int32{-1}, n)
		for _, plug := range list {
			at := &out[k.place[plug]-1]
			if *at >= 0 {
				return nil
			}
			*at = plug
		}
		return out
	}
	if near, far := ordered(g.near), ordered(g.far); near != nil && far != nil {
		g.adapters = &[2][]int32{near, far}
	}
}

// sides are the plugs at the adapters of both sides of a module, -1 for an adapter that stays free: none does of a
// module to order.
func (g *group) sides(p *catalog.Panel) [2][]int32 {
	if p.ToOrder {
		return [2][]int32{g.near, g.far}
	}
	return *g.adapters
}

// size is how many adapters of a panel a group takes.
func (g *group) size(p *catalog.Panel) int {
	sides := g.sides(p)
	return len(sides[0]) + len(sides[1])
}

// part is the panel for the shuffle of a group: the one that costs the least for each shuffle, of those on sale first;
// nil where none takes it.
func (k *shuffler) part(g *group) *catalog.Part {
	var best *catalog.Part
	var least bid
	_, ports := k.locate(g.links[0].a)
	for _, p := range k.panels(ports.set.root().kind) {
		if p.Panel.ToOrder && max(len(g.near), len(g.far)) > p.Panel.Shuffle ||
			!p.Panel.ToOrder && (g.adapters == nil || p.Panel.Shuffle != len(g.adapters[0])) {
			continue
		}
		q := k.w.buyer.quote(p, 0)
		b := bid{cost: int64(q.Unit) * int64(g.size(p.Panel)) / int64(p.Panel.Ports)}
		if !q.Priced {
			b.unpriced = 1
		}
		if best == nil || b.compare(least) < 0 {
			best, least = p, b
		}
	}
	return best
}

// berths are panels of shuffles while they are filled.
type berths struct {
	k       *shuffler
	panels  []Panel
	used    []layout.UnitSet // units of each rack
	current map[berth]int    // index in panels plus 1
	full    map[berth]int    // how many of the racks around one have no room for modules of a part
}

// berth is the panel of a part in a rack that is being filled.
type berth struct {
	rack int32
	part *catalog.Part
}

// find returns the index of a panel with room for so many adapters, in the first rack that has one or free units for
// one: those of the group first, and then others by how far they stand from the first of these. It returns false where
// no rack has.
func (b *berths) find(g *group, part *catalog.Part, size int) (panel int, ok bool) {
	room := func(rack int32) bool {
		at, units := berth{rack, part}, max(part.Units, 1)
		if n := b.current[at]; n > 0 && b.panels[n-1].Ports+size <= part.Panel.Ports {
			panel = n - 1
			return true
		}
		unit, free := b.used[rack].Free(units, b.k.w.layout.Room.Type(rack).Units, true)
		if !free {
			return false
		}
		b.used[rack].Add(unit, units)
		panel = len(b.panels)
		b.panels = append(b.panels, Panel{Rack: rack, Unit: unit, Part: part})
		b.current[at] = len(b.panels)
		return true
	}
	racks := b.k.racks(g)
	if slices.ContainsFunc(racks, room) {
		return panel, true
	}
	list, at := b.k.around(racks[0]), berth{racks[0], part}
	i := slices.IndexFunc(list[b.full[at]:], room)
	if i >= 0 && !part.Panel.ToOrder { // a smaller one may have room in racks before it
		b.full[at] += i
	}
	return panel, i >= 0
}

// stand chooses the part and the rack of every shuffle and stands their panels.
func (k *shuffler) stand() error {
	w := k.w
	p := &Patching{Method: Reversed, first: int32(topology.Vertices(w.p.Graph))}
	b := &berths{k: k, used: w.usedUnits(), current: map[berth]int{}, full: map[berth]int{}}
	var failed error
	for _, ports := range k.ports {
		ports.set.root().left, ports.set.root().plugs = 0, 0
	}
	k.groups(func(g *group) {
		if failed != nil {
			return
		}
		if len(g.near) == 1 && len(g.far) == 1 && g.adapters == nil {
			k.plugs[g.near[0]].panel, k.plugs[g.far[0]].panel = ownCable, ownCable
			return
		}
		part := k.part(g)
		if part == nil {
			_, ports := k.locate(g.links[0].a)
			set := ports.set.root()
			set.left += int64(len(g.links))
			set.plugs = max(set.plugs, len(g.near), len(g.far))
			return
		}
		panel, ok := b.find(g, part, g.size(part.Panel))
		if !ok {
			v, _ := k.locate(g.links[0].a)
			failed = diag.Fieldf("Shuffle", "no rack unit is free for the shuffles of %s, neither in the racks of the "+
				"boxes nor in others\nleave units free: fewer boxes in a rack (per_rack), a taller rack, or "+
				"cabling.shuffle: none", w.s.Device(v))
			return
		}
		p.Shuffles = append(p.Shuffles, k.fill(g, panel, &b.panels[panel]))
		p.Links += int64(len(g.links))
	})
	if failed != nil {
		return failed
	}
	if k.retry() {
		k.gather()
		return k.stand()
	}
	k.edges = nil
	if len(b.panels) == 0 {
		return nil
	}
	k.number(p, b.panels)
	p.Part = p.Panels[0].Part
	w.s.Patching = p
	w.standPanels()
	return nil
}

// fill gives the plugs of a group their adapters, the next ones of a panel: the near side first.
func (k *shuffler) fill(g *group, panel int, to *Panel) Shuffle {
	p := to.Part.Panel
	m := Shuffle{Panel: int32(panel), First: uint16(to.Ports), Links: int32(len(g.links)), ToOrder: p.ToOrder}
	used := [2]*uint16{&m.Near, &m.Far}
	for i, side := range g.sides(p) {
		for _, plug := range side {
			if plug >= 0 {
				k.plugs[plug].panel, k.plugs[plug].adapter = int32(panel), uint16(to.Ports)
				to.Links++
				*used[i]++
			}
			to.Ports++
		}
	}
	return m
}

// number lists panels by rack, the highest first, and tells shuffles and plugs their numbers.
func (k *shuffler) number(p *Patching, panels []Panel) {
	order := make([]int32, len(panels))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(x, y int32) int {
		return cmp.Or(cmp.Compare(panels[x].Rack, panels[y].Rack), cmp.Compare(panels[y].Unit, panels[x].Unit))
	})
	number := make([]int32, len(panels))
	for i, old := range order {
		number[old] = int32(i)
		p.Panels = append(p.Panels, panels[old])
	}
	for i := range p.Shuffles {
		p.Shuffles[i].Panel = number[p.Shuffles[i].Panel]
	}
	for i := range k.plugs {
		if at := &k.plugs[i]; at.panel >= 0 {
			at.panel = number[at.panel]
		}
	}
}

// racks lists the racks of the plugs of a group, those with the most of them first.
func (k *shuffler) racks(g *group) []int32 {
	count := map[int32]int{}
	for _, plug := range slices.Concat(g.near, g.far) {
		count[k.rack(plug)]++
	}
	var out []int32
	for rack := range count {
		out = append(out, rack)
	}
	slices.SortFunc(out, func(x, y int32) int { return cmp.Or(cmp.Compare(count[y], count[x]), cmp.Compare(x, y)) })
	return out
}

// around lists all racks by how far they stand from one.
func (k *shuffler) around(rack int32) []int32 {
	if k.near == nil {
		k.near = map[int32][]int32{}
	}
	list, ok := k.near[rack]
	if ok {
		return list
	}
	room := k.w.layout.Room
	from := &room.Places[rack]
	far := func(n int32) units.Length {
		p := &room.Places[n]
		return (p.X - from.X).Abs() + (p.Y - from.Y).Abs() + (room.Rows[p.Row].Z-room.Rows[from.Row].Z).Abs()*2
	}
	for i := range k.w.p.Placement.Racks {
		list = append(list, k.w.p.Placement.Racks[i].Place)
	}
	slices.SortStableFunc(list, func(x, y int32) int { return cmp.Compare(far(x), far(y)) })
	k.near[rack] = list
	return list
}

// serves reports whether a channel runs over a shuffle or shares a cable with the other links of its plugs.
func (k *shuffler) serves(ch *channel) bool {
	if k == nil {
		return false
	}
	pa, pb := ch.ports()
	if pa == nil {
		return false
	}
	if _, ok := k.may(ch, pa, pb); !ok || k.ports[pa.Group].set.root().none {
		return false
	}
	a, _ := k.plug(ch.a, ch.link.A, pa)
	return k.plugs[a].panel != noPanel
}

// plugPair is the transceivers at both ends of a cable, nil at a shuffle.
type plugPair [2]*catalog.Part

// fibres lists the families of cables between two transceivers, or of cords between a shuffle and one, that some media
// rule allows.
func (k *shuffler) fibres(ends plugPair, kind laneKind) []*catalog.Part {
	plugs := [2]string{kind.plug, kind.plug}
	for i, o := range ends {
		if o != nil {
			plugs[i] = o.Optic.Plug
		}
	}
	return slices.DeleteFunc(k.w.p.Catalog.Fibres(plugs[0], plugs[1], kind.fibre), func(f *catalog.Part) bool {
		return !slices.ContainsFunc(k.w.buyer.rules, func(m MediaRule) bool { return m.allows(f) })
	})
}

// allowedFibres lists those fibres that all of some media rules allow.
func (k *shuffler) allowedFibres(ends plugPair, kind laneKind, rules []int) []*catalog.Part {
	return slices.DeleteFunc(k.fibres(ends, kind), func(f *catalog.Part) bool {
		return k.w.buyer.forbids(rules, f) >= 0
	})
}

// madeCords are cables or cords of a kind, for links about which a set of media rules decides.
type madeCords struct {
	ends  plugPair
	kind  laneKind
	rules int32 // index in shuffler.rules
}

// chooserOf is the step function of cables between two transceivers, or of cords between a shuffle and one, among those
// that the media rules of all their links allow.
func (k *shuffler) chooserOf(ends plugPair, kind laneKind, rules int32) *chooser {
	key := madeCords{ends, kind, rules}
	c := k.made[key]
	if c == nil {
		c = k.w.buyer.cords(k.allowedFibres(ends, kind, k.rules[rules]), ends[0], ends[1])
		k.made[key] = c
		k.w.s.Products = k.w.buyer.products
	}
	return c
}

// link schedules a channel over a shuffle, or in a cable that it shares with the other links of its plugs.
func (k *shuffler) link(index int32, ch *channel) {
	w := k.w
	s, l := w.s, &ch.link
	pa, pb := ch.ports()
	a, _ := k.plug(ch.a, l.A, pa)
	b, _ := k.plug(ch.b, l.B, pb)
	opticA, opticB := k.ports[pa.Group].optic, k.ports[pb.Group].optic
	set := k.ports[pa.Group].set.root()
	whole := Segment{
		A: l.A, PortA: uint16(ch.portA), B: l.B, PortB: uint16(ch.portB), Link: index, Level: uint8(l.Level),
		Within: uint8(ch.common),
	}
	var segs []Segment
	if k.plugs[a].panel == ownCable {
		k.cord(&whole, &k.plugs[min(a, b)], plugPair{opticA, opticB}, set)
		segs = append(segs, whole)
	} else {
		near, far := whole, whole
		near.B, near.PortB = s.Patching.Vertex(k.plugs[a].panel), k.plugs[a].adapter
		far.A, far.PortA = near.B, k.plugs[b].adapter
		for _, seg := range []*Segment{&near, &far} {
			seg.Within = uint8(w.layout.Common(w.slot[seg.A], w.slot[seg.B]))
		}
		k.cord(&near, &k.plugs[a], plugPair{opticA, nil}, set)
		k.cord(&far, &k.plugs[b], plugPair{nil, opticB}, set)
		segs = append(segs, near, far)
	}
	tally, last := &s.Tallies[l.Level][ch.common], &segs[len(segs)-1]
	if segs[0].Product >= 0 {
		w.plugOptic(tally, ch.a, l.A, segs[0].PortA, pa.Cage, opticA)
	}
	if last.Product >= 0 {
		w.plugOptic(tally, ch.b, l.B, last.PortB, pb.Cage, opticB)
	}
	k.check(segs, opticA, opticB)
	length := units.Length(0)
	for i := range segs {
		length += segs[i].Length
	}
	w.countLink(tally, ch, length.Round4())
	for i := range segs {
		s.Wired++
		w.seg = segs[i]
		w.show(w.place(&w.seg))
	}
}

// cord lays the cord of a plug, when its first link comes up. That one may have the plug at its other end.
func (k *shuffler) cord(seg *Segment, at *plugged, ends plugPair, set *splitSet) {
	w := k.w
	if at.cable != 0 {
		seg.Product, seg.Cable, seg.Bundle, seg.Length = at.product, at.cable, at.bundle, at.length
		if seg.Product < 0 {
			return
		}
		if p := w.s.Products[seg.Product]; p.OpticA != ends[0] || p.OpticB != ends[1] { // the link leads back
			p.OpticA, p.OpticB, p.NearB = ends[0], ends[1], p.Part.Cable.FarConnector() != p.Part.Cable.Connector &&
				!p.NearB
			seg.Product = w.piece(p)
		}
		return
	}
	c := k.chooserOf(ends, set.kind, at.rules)
	w.layCord(seg, c, set.kind.fibre, &w.s.Tallies[seg.Level][seg.Within])
	at.product, at.cable, at.bundle, at.length = seg.Product, seg.Cable, seg.Bundle, seg.Length
	switch need, longest := units.FormatDistinct(seg.Length, c.longest()); {
	case seg.Product != NoProduct:
	case len(c.steps) == 0:
		w.reportUnpatched(seg, "the media rules of the links in this cord (cabling.media) allow no cord in common")
	default:
		w.reportUnpatched(seg, "%s needed, the longest cord is %s", need, longest)
	}
}

// check holds the fibre of a link against the reach and the loss of its transceivers.
func (k *shuffler) check(segs []Segment, opticA, opticB *catalog.Part) {
	s := k.w.s
	g, over := glass{stated: true}, ""
	for i := range segs {
		if segs[i].Product >= 0 {
			g.add(&s.Products[segs[i].Product])
		}
	}
	first, last := &segs[0], &segs[len(segs)-1]
	if first != last {
		panel := s.Patching.Panels[s.Panel(last.A)].Part.Panel
		g.loss += panel.Loss
		g.stated = g.stated && panel.Loss > 0
		over = "a shuffle and "
	}
	o := patchOption{reach: least(opticA.Optic.Reach, opticB.Optic.Reach), budget: lossBudget(opticA, opticB)}
	if s.Patching != nil {
		s.Patching.note(&g, &o)
	}
	if !o.reaches(&g) {
		for i := range segs {
			if way, _ := s.WayOf(&segs[i]); way >= 0 && s.Ways[way].detour >= 0 {
				k.w.failed = append(k.w.failed, segs[i].Bundle-1)
			}
		}
		k.w.reportUnpatched(first, "%s%v of fibre, the optics reach %v", over, g.length, o.reach)
	}
	if !o.affords(&g) {
		k.w.lossy(first, last, &g, &o, over)
	}
}

// explainUnshuffled says why a link between ports that are split at both ends does not run over a shuffle; it is empty
// for any other link.
func (w *worker) explainUnshuffled(pa, pb *Port) string {
	if perCage(pa.Group) == 1 || perCage(pb.Group) == 1 || pa.Group.Rate != pb.Group.Rate {
		return ""
	}
	switch {
	case w.layout.Room == nil:
		return "; a shuffle could join them, which stands in a rack, and there are none"
	case w.p.Shuffle == nil:
		return "; a shuffle could join them, and cabling.shuffle is none"
	}
	if why := w.shuffler.explainLeft(pa, pb); why != "" {
		return why
	}
	of := [2]string{}
	kinds := [2][]string{}
	for i, g := range [2]*catalog.PortGroup{pa.Group, pb.Group} {
		of[i] = describePort(g)
		for _, o := range w.p.Catalog.SplitOptics(g) {
			kind := fmt.Sprintf("%s of %v over %s", o.Optic.Standard, o.Optic.Rate, o.Optic.Fibre)
			if !slices.Contains(kinds[i], kind) {
				kinds[i] = append(kinds[i], kind)
			}
		}
		if slices.Sort(kinds[i]); len(kinds[i]) == 0 {
			return fmt.Sprintf("; no shuffle joins them: no transceiver fills the cage of %s ports with lanes for "+
				"each of them", of[i])
		}
	}
	if !slices.ContainsFunc(kinds[0], func(kind string) bool { return slices.Contains(kinds[1], kind) }) {
		return fmt.Sprintf("; no shuffle joins them: transceivers that split are %s for %s, %s for %s",
			english.List(kinds[0]), of[0], english.List(kinds[1]), of[1])
	}
	return "; no shuffle joins them: it takes transceivers that fill both cages, with lanes for each of their ports, " +
		"a plug that some panel of shuffles takes, and a cord to it; the media rules of all links of these ports " +
		"have to allow both"
}

// explainLeft says which shuffles are on sale for the transceivers of two ports whose links none of them takes; it is
// empty where shuffles were not looked for.
func (k *shuffler) explainLeft(pa, pb *Port) string {
	if k == nil || k.ports[pa.Group] == nil || k.ports[pb.Group] == nil || k.ports[pa.Group].set.root().left == 0 {
		return ""
	}
	a, b := k.ports[pa.Group], k.ports[pb.Group]
	set := a.set.root()
	var sold []string
	for _, p := range k.panels(set.kind) {
		size := fmt.Sprintf("%d by %d plugs", p.Panel.Shuffle, p.Panel.Shuffle)
		if p.Panel.ToOrder {
			size = fmt.Sprintf("at most %s to order", size)
		}
		sold = append(sold, size)
	}
	optics := a.optic.ID
	if b.optic != a.optic {
		optics += " and " + b.optic.ID
	}
	return fmt.Sprintf("; no shuffle joins them: with %s, links lead from plug to plug through up to %d plugs on a "+
		"side, %d links each, and shuffles of %s over %s are of %s", optics, set.plugs, max(a.each, b.each),
		set.kind.plug, set.kind.fibre, english.List(sold))
}
