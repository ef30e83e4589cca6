package cabling

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/units"
)

// A transceiver fills its cage and talks only to one of its own kind, so that all links of a cage are of one kind, and
// with them those of every cage that they lead to, over panels or not. Cages that links join, directly or through
// others, are a cluster; one kind of transceiver is chosen for all of it, the one for which its cables and transceivers
// together cost the least. Within a kind every cage takes the cheapest part that reaches as far as the longest of its
// cables.

// opticKind is what the transceivers at both ends of a link have in common.
type opticKind struct {
	standard string
	fibre    catalog.Medium
	plug     string // of those in cages; both, with a blank between them, where they differ; none inside boxes
	rate     units.Rate
	// ends are the kinds of those in cages, in order, with a blank between them where they differ; empty where no media
	// rule speaks of them.
	ends string
}

// kindOf is the kind of the transceivers at both ends of a link.
func (b *buyer) kindOf(oa, oz *catalog.Part) opticKind {
	k := kindOf(oa, oz)
	if !slices.ContainsFunc(b.rules, func(m MediaRule) bool { return len(m.Kinds) > 0 }) {
		return k
	}
	var ends []string
	for _, o := range [2]*catalog.Part{oa, oz} {
		if !o.IsBuiltIn() {
			ends = append(ends, cmp.Or(string(o.Optic.Kind), unstatedEnd))
		}
	}
	slices.Sort(ends)
	k.ends = strings.Join(slices.Compact(ends), " ")
	return k
}

// unstatedEnd stands for the kind of a transceiver that does not state it.
const unstatedEnd = "-"

func kindOf(a, b *catalog.Part) opticKind {
	k := opticKind{standard: a.Optic.Standard, fibre: a.Optic.Fibre, plug: a.Optic.Plug, rate: a.Optic.Rate}
	switch x, y := a.Optic.Plug, b.Optic.Plug; {
	case a.IsBuiltIn() && b.IsBuiltIn():
		k.plug = ""
	case a.IsBuiltIn():
		k.plug = y
	case b.IsBuiltIn() || x == y:
	default:
		k.plug = min(x, y) + " " + max(x, y)
	}
	return k
}

// takes reports whether a transceiver is one of the kind. Fibre leads from the plugs of the kind to any inside a box.
func (k *opticKind) takes(p *catalog.Part) bool {
	o := p.Optic
	if o.Standard != k.standard || o.Fibre != k.fibre || o.Rate != k.rate {
		return false
	}
	return p.IsBuiltIn() || slices.Contains(strings.Fields(k.plug), o.Plug) &&
		(k.ends == "" || slices.Contains(strings.Fields(k.ends), cmp.Or(string(o.Kind), unstatedEnd)))
}

// compare puts kinds into an order: the simpler medium first, then by name.
func (k opticKind) compare(o opticKind) int {
	return cmp.Or(cmp.Compare(slices.Index(catalog.Media, k.fibre), slices.Index(catalog.Media, o.fibre)),
		strings.Compare(k.standard, o.standard), strings.Compare(k.plug, o.plug), cmp.Compare(k.rate, o.rate),
		strings.Compare(k.ends, o.ends))
}

// bid is what a cluster would pay for one kind of transceiver.
type bid struct {
	unmade   int64 // links that have a cable of another kind, and none of this one
	unpriced int64
	cost     int64 // in a unit that the bids that are compared share
}

func (b *bid) add(o bid) {
	b.unmade += o.unmade
	b.unpriced += o.unpriced
	b.cost += o.cost
}

func (b bid) compare(o bid) int {
	return cmp.Or(cmp.Compare(b.unmade, o.unmade), cmp.Compare(b.unpriced, o.unpriced), cmp.Compare(b.cost, o.cost))
}

// scout chooses products of one kind of transceiver only. It numbers them by itself, so that what it looks at leaves no
// trace in the schedule.
type scout struct {
	kind     opticKind
	buyer    buyer
	choosers map[linkClass]*chooser
	optics   map[*catalog.PortGroup][]*catalog.Part // of each group of ports, the cheapest first
	longest  []units.Length                         // cable of each cage, or fibre over panels
	loss     []units.Loss                           // the most that a link over panels loses, of each cage
	bids     []bid                                  // of the links whose first end is in each cage
}

// clusters joins cages by their links.
type clusters struct {
	w      *worker
	scouts []scout
	parent []int32
	used   []bool
}

// chooseHeldOptics sets held, the transceiver of every cage of several ports, where there is a choice.
func (w *worker) chooseHeldOptics() {
	kinds := w.opticKinds()
	if len(kinds) == 0 || w.cageCount() > math.MaxInt32 {
		return
	}
	n := int(w.cageCount())
	c := &clusters{w: w, parent: make([]int32, n), used: make([]bool, n)}
	for i := range c.parent {
		c.parent[i] = int32(i)
	}
	for _, k := range kinds {
		s := scout{
			kind: k, buyer: w.buyer, choosers: map[linkClass]*chooser{}, longest: make([]units.Length, n),
			loss: make([]units.Loss, n), bids: make([]bid, n), optics: map[*catalog.PortGroup][]*catalog.Part{},
		}
		s.buyer.only, s.buyer.index, s.buyer.products, s.buyer.groups = &s.kind, map[Product]int16{}, nil, nil
		c.scouts = append(c.scouts, s)
	}
	var taken []patchPair // as links take their positions in the schedule
	if w.patcher != nil {
		taken = slices.Clone(w.patcher.pairs)
	}
	w.channels(func(ch *channel, pa, pb *Port) {
		several := perCage(pa.Group) > 1 || perCage(pb.Group) > 1
		options, pair := w.patchingOf(ch)
		if pair != nil {
			n, _ := w.patcher.table.find(w.patcher.key(ch))
			if number, leg := taken[n].nextPosition(); several {
				c.joinPatched(ch, pa, pb, options, &w.s.Patching.Trunks[number], leg)
			}
			return
		}
		if several && !ch.trace && !w.shuffler.serves(ch) {
			c.link(ch, pa, pb)
		}
	})
	w.held = make([]*catalog.Part, n)
	c.decide()
}

// opticKinds lists the kinds of transceivers between which the links of a cage of several ports may choose; none where
// there is only one part for every port.
func (w *worker) opticKinds() []opticKind {
	groups := w.portGroups()
	var kinds []opticKind
	choice := false
	for _, a := range groups {
		for _, z := range groups {
			if perCage(a) == 1 && perCage(z) == 1 {
				continue
			}
			pairs := map[[2]*catalog.Part]bool{}
			for _, c := range w.buyer.candidates(a, z) {
				if c.opticA == nil || !slices.ContainsFunc(w.buyer.rules,
					func(m MediaRule) bool { return m.permits(&c) }) {
					continue
				}
				pairs[[2]*catalog.Part{c.opticA, c.opticB}] = true
				if k := w.buyer.kindOf(c.opticA, c.opticB); !slices.Contains(kinds, k) {
					kinds = append(kinds, k)
				}
			}
			choice = choice || len(pairs) > 1
		}
	}
	if !choice {
		return nil
	}
	slices.SortFunc(kinds, opticKind.compare)
	return kinds
}

// root is the cage that stands for a cluster.
func (c *clusters) root(cage int32) int32 {
	for c.parent[cage] != cage {
		c.parent[cage] = c.parent[c.parent[cage]]
		cage = c.parent[cage]
	}
	return cage
}

// link joins the cages of a link, and notes what it takes of every kind. A link that none can make does not count for
// its cages: it breaks RuleReach with any content.
func (c *clusters) link(ch *channel, pa, pb *Port) {
	w := c.w
	class := linkClass{groupA: pa.Group, groupB: pb.Group, level: uint8(ch.link.Level), within: uint8(ch.common)}
	var options []trayOption
	var need units.Length
	if w.s.router.onTrays(ch.common) {
		options, class.barred = w.routes(w.across(ch))
	} else {
		a, b := w.ends(ch)
		need = w.s.router.parts(a, b, ch.common).Total()
	}
	made := false
	products := make([]int16, len(c.scouts))
	for i := range c.scouts {
		s := &c.scouts[i]
		chooser := s.chooserOf(w, &class)
		if options != nil {
			_, products[i] = pick(chooser, options, s.buyer.groups)
		} else {
			products[i] = chooser.choose(need)
		}
		made = made || products[i] >= 0
	}
	if !made {
		return
	}
	ca, cb := c.join(ch, pa, pb)
	for i := range c.scouts {
		s := &c.scouts[i]
		if products[i] < 0 {
			s.bids[ca].unmade++
			continue
		}
		p := &s.buyer.products[products[i]]
		s.longest[ca], s.longest[cb] = max(s.longest[ca], p.Length), max(s.longest[cb], p.Length)
		s.bids[ca].add(s.price(p.Part, p.Length))
	}
}

// join makes the cages of a link one cluster.
func (c *clusters) join(ch *channel, pa, pb *Port) (ca, cb int32) {
	ca, cb = ch.a.cageOf(ch.link.A, pa), ch.b.cageOf(ch.link.B, pb)
	c.used[ca], c.used[cb] = true, true
	if x, y := c.root(ca), c.root(cb); x != y {
		c.parent[max(x, y)] = min(x, y)
	}
	return ca, cb
}

// joinPatched joins the cages of a link over panels. Its cords and its trunk are the same with any optics at their
// ends, so that it bids nothing for a kind that carries through them, and which that is depends on its way alone.
func (c *clusters) joinPatched(ch *channel, pa, pb *Port, options []patchOption, trunk *Trunk, leg uint16) {
	w := c.w
	segs := w.over(ch, trunk, leg)
	o := &options[0]
	products := [3]int16{
		o.cordA.choose(w.shortest(&segs[0])), w.trunkOf(trunk.Part).choose(w.shortest(&segs[1])),
		o.cordB.choose(w.shortest(&segs[2])),
	}
	w.s.Products = w.buyer.products
	g := w.glassOf(&segs, &products)
	affordable := slices.ContainsFunc(options, func(o patchOption) bool { return o.reaches(&g) && o.affords(&g) })
	fits := func(o *patchOption) bool { return o.reaches(&g) && (o.affords(&g) || !affordable) }
	if !slices.ContainsFunc(options, func(o patchOption) bool { return fits(&o) }) {
		return
	}
	ca, cb := c.join(ch, pa, pb)
	for i := range c.scouts {
		s := &c.scouts[i]
		if !slices.ContainsFunc(options,
			func(o patchOption) bool { return w.buyer.kindOf(o.opticA, o.opticB) == s.kind && fits(&o) }) {
			s.bids[ca].unmade++
			continue
		}
		for _, cage := range []int32{ca, cb} {
			s.longest[cage], s.loss[cage] = max(s.longest[cage], g.length), max(s.loss[cage], g.loss)
		}
	}
}

func (s *scout) price(part *catalog.Part, length units.Length) bid {
	q := s.buyer.quote(part, length)
	if !q.Priced {
		return bid{unpriced: 1}
	}
	return bid{cost: int64(q.Unit)}
}

// chooserOf returns the scout's chooser of a class of links.
func (s *scout) chooserOf(w *worker, class *linkClass) *chooser {
	c, ok := s.choosers[*class]
	if !ok {
		c = s.buyer.chooser(w.layout, *class, w.p.Graph.Levels()[class.level].Name)
		s.choosers[*class] = c
	}
	return c
}

// optic is the cheapest transceiver of the scout's kind that fills a cage, reaches as far as its longest cable and, if
// there is one, may lose as much as the links over panels do; nil where none reaches.
func (s *scout) optic(g *catalog.PortGroup, cage int32) *catalog.Part {
	optics, ok := s.optics[g]
	if !ok {
		for _, o := range s.buyer.catalog.PortOptics(g) {
			if s.kind.takes(o) {
				optics = append(optics, o)
			}
		}
		slices.SortStableFunc(optics, func(x, y *catalog.Part) int { return s.price(x, 0).compare(s.price(y, 0)) })
		s.optics[g] = optics
	}
	var reaching *catalog.Part
	for _, o := range optics {
		if o.Optic.Reach > 0 && s.longest[cage] > o.Optic.Reach+1e-9 {
			continue
		}
		if o.Optic.Loss == 0 || s.loss[cage] <= o.Optic.Loss+1e-9 {
			return o
		}
		if reaching == nil {
			reaching = o
		}
	}
	return reaching
}

// cages calls visit with every cage that holds a transceiver.
func (c *clusters) cages(visit func(cage int32, g *catalog.PortGroup)) {
	for _, k := range c.w.kinds {
		groups := make([]*catalog.PortGroup, k.cages)
		for i := range k.box.Ports {
			groups[k.box.Ports[i].Cage] = k.box.Ports[i].Group
		}
		for v := range int64(k.last - k.first + 1) {
			for i, g := range groups {
				if cage := k.cageBase + v*int64(k.cages) + int64(i); c.used[cage] {
					visit(int32(cage), g)
				}
			}
		}
	}
}

// decide chooses the kind of every cluster. Where no kind can make all links, as media rules have it that want two in
// one cage, each link goes its own way, and RuleOptics names the cage.
func (c *clusters) decide() {
	for i := range c.scouts {
		s := &c.scouts[i]
		c.cages(func(cage int32, g *catalog.PortGroup) {
			b := s.bids[cage]
			s.bids[cage] = bid{}
			if s.longest[cage] > 0 {
				if o := s.optic(g, cage); o != nil {
					b.add(s.price(o, 0))
				} else {
					b.unmade++
				}
			}
			s.bids[c.root(cage)].add(b)
		})
	}
	c.cages(func(cage int32, g *catalog.PortGroup) {
		root := c.root(cage)
		best := &c.scouts[0]
		for i := range c.scouts {
			if s := &c.scouts[i]; s.bids[root].compare(best.bids[root]) < 0 {
				best = s
			}
		}
		if best.bids[root].unmade == 0 {
			c.w.held[cage] = best.optic(g, cage)
		}
	})
}

// fitHeldOptics gives a class the transceivers that the cages of a channel hold.
func (w *worker) fitHeldOptics(class *linkClass, ch *channel, pa, pb *Port) {
	if w.held != nil && (perCage(pa.Group) > 1 || perCage(pb.Group) > 1) {
		class.opticA = w.held[ch.a.cageOf(ch.link.A, pa)]
		class.opticB = w.held[ch.b.cageOf(ch.link.B, pb)]
	}
}

// holds reports whether a candidate has the transceivers that the cages of a class hold, or there are none.
func (class *linkClass) holds(c *candidate) bool {
	return class.opticA == nil || class.opticB == nil || c.opticA == class.opticA && c.opticB == class.opticB
}

// optics names the transceivers that the cages of a class hold.
func (class *linkClass) optics() string {
	if class.opticA == class.opticB {
		return class.opticA.ID
	}
	return class.opticA.ID + " and " + class.opticB.ID
}
