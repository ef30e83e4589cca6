package cabling

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/units"
)

// patcher decides which links run over the panels of one part.
type patcher struct {
	w       *worker
	rules   *Structured
	panel   *catalog.Part
	trunks  []*catalog.Part // by number of positions
	longest units.Length    // of all trunks
	levels  []bool
	beyond  int
	classes map[patchKey][]patchOption // the cheapest first; none where the links keep cables of their own
	table   numbering[wayKey]
	pairs   []patchPair
	made    map[*catalog.Part]*chooser // of the trunks
	strands map[strandKey]string       // where the fibres of links lead that do not arrive

	served, kept int64
	cost         int64
	unpriced     int64
}

// patchKey is what the choice of optics and cords for a link over panels depends
// on.
type patchKey struct {
	groupA, groupB *catalog.PortGroup
	level, within  uint8
	rule           int16
}

// patchOption is a pair of optics with the cords that are plugged into them.
type patchOption struct {
	opticA, opticB *catalog.Part
	reach          units.Length
	budget         units.Loss // 0 where one of the optics states none
	cordA, cordB   *chooser
	cost           int64
	priced         bool
}

// patchPair is the links of a level between two racks.
type patchPair struct {
	wayKey
	links int32
	first int32 // of its trunks
	count int32 // of its trunks
	fill  int32 // most links of each
	next  int32 // position of the next link
}

func newPatcher(w *worker, panel *catalog.Part) *patcher {
	rules := w.p.Structured
	k := &patcher{
		w: w, rules: rules, panel: panel, beyond: w.layout.LevelIndex(rules.Beyond),
		classes: map[patchKey][]patchOption{}, made: map[*catalog.Part]*chooser{},
		strands: map[strandKey]string{},
	}
	for _, l := range w.p.Graph.Levels() {
		k.levels = append(k.levels, len(rules.Levels) == 0 || slices.Contains(rules.Levels, l.Name))
	}
	trunks := w.p.Catalog.Trunks(panel.Panel.RearConnector(), panel.Panel.Fibre)
	if rules.Trunk != nil {
		trunks = []*catalog.Part{rules.Trunk}
	}
	for _, t := range trunks {
		if (t == rules.Trunk || !t.Cable.Custom) && positionsOf(t, panel.Panel) <= panel.Panel.Ports {
			k.trunks = append(k.trunks, t)
			k.longest = max(k.longest, slices.Max(ladder([]candidate{{part: t}})))
		}
	}
	base := 0 // cassettes that use some fibres of a plug go with trunks of as many
	if c := panel.Panel.Cassette; c != nil {
		base = c.Fibres
		k.trunks = slices.DeleteFunc(k.trunks, func(t *catalog.Part) bool {
			return t != rules.Trunk && t.Cable.Fibres > 0 && t.Cable.Fibres < c.RearFibres()
		})
	}
	other := func(t *catalog.Part) int {
		if t.Cable.Fibres == base {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(k.trunks, func(x, y *catalog.Part) int {
		return cmp.Or(cmp.Compare(x.Cable.Legs, y.Cable.Legs), cmp.Compare(other(x), other(y)))
	})
	return k
}

// structure finds the links that run over panels, and puts the panels into their
// racks.
func (w *worker) structure() error {
	if w.p.Structured == nil {
		return nil
	}
	if w.layout.Room == nil {
		return diag.Fieldf("Structured", "patch panels stand in racks, and there are none")
	}
	var best *patcher
	parts := w.p.Catalog.Parts()
	for i := range parts {
		p := &parts[i]
		named := w.p.Structured.Panel
		if p.Panel == nil || p.Panel.Shuffle > 0 || p.Panel.Ports > math.MaxUint16/2 ||
			named != nil && p.ID != named.ID || named == nil && p.Panel.Cassette != nil {
			continue
		}
		if k := newPatcher(w, p); len(k.trunks) > 0 {
			k.countLinks()
			if best == nil || k.compare(best) < 0 {
				best = k
			}
		}
	}
	if best == nil {
		return diag.Fieldf("Structured", "no panel and trunk have the same plug and fibre")
	}
	return w.mount(best)
}

// compare puts the better choice of a panel first.
func (k *patcher) compare(o *patcher) int {
	return cmp.Or(cmp.Compare(o.served, k.served), cmp.Compare(k.unpriced, o.unpriced), cmp.Compare(k.cost, o.cost),
		strings.Compare(k.panel.ID, o.panel.ID))
}

// countLinks counts the links of every pair of racks.
func (k *patcher) countLinks() {
	k.w.channels(func(c *channel, pa, pb *Port) {
		options, least, chosen := k.class(c, pa, pb)
		if len(options) == 0 {
			if chosen {
				k.kept++
			}
			return
		}
		n, known := k.table.find(k.key(c))
		if !known {
			k.pairs = append(k.pairs, patchPair{wayKey: k.table.keys[n]})
		}
		k.pairs[n].links++
		k.served++
		k.cost += options[least].cost
		if !options[least].priced {
			k.unpriced++
		}
	})
	for _, p := range k.pairs {
		if int(p.links) < k.rules.AtLeast {
			k.served -= int64(p.links)
			k.kept += int64(p.links)
		}
	}
}

func (k *patcher) key(c *channel) wayKey {
	a := k.w.layout.Container(layout.RackLevel, k.w.slot[c.link.A])
	b := k.w.layout.Container(layout.RackLevel, k.w.slot[c.link.B])
	return wayKey{a: min(a, b), b: max(a, b), level: int16(c.link.Level)}
}

// class returns the optics for a link over panels, none for one that keeps a
// cable of its own, and the index of the cheapest that reach as far as one cable
// between its boxes, for over panels the way is no shorter; chosen reports whether
// the rules would have it on panels.
func (k *patcher) class(c *channel, pa, pb *Port) (options []patchOption, least int, chosen bool) {
	if c.trace || k.w.s.router.inRack(c.common) || !k.levels[c.link.Level] || inside(k.w.layout, k.beyond, c.common) {
		return nil, 0, false
	}
	rule, need, ok := k.rule(c, pa, pb)
	if !ok {
		return nil, 0, true
	}
	key := patchKey{pa.Group, pb.Group, uint8(c.link.Level), uint8(c.common), int16(rule)}
	options, ok = k.classes[key]
	if !ok {
		options = k.options(&key)
		k.classes[key] = options
	}
	if need > k.longest+1e-9 {
		return nil, 0, true
	}
	least = slices.IndexFunc(options, func(o patchOption) bool { return o.reaches(&glass{length: need}) })
	if least < 0 {
		return nil, 0, true
	}
	return options, least, true
}

// rule is the index of the media rule that decides for one cable between the ends
// of a channel, -1 for none, and what that cable needs; false where no tray takes the fibre.
func (k *patcher) rule(c *channel, pa, pb *Port) (rule int, need units.Length, ok bool) {
	w := k.w
	if w.s.router.onTrays(c.common) {
		ways, _ := w.routes(w.across(c))
		way := &ways[w.s.router.trays.groupOf[k.panel.Panel.Fibre]]
		if way.level < 0 {
			return -1, 0, false
		}
		need = way.total
	} else {
		a, b := w.ends(c)
		need = w.s.router.parts(a, b, c.common).Total()
	}
	class := linkClass{groupA: pa.Group, groupB: pb.Group, level: uint8(c.link.Level), within: uint8(c.common)}
	return w.buyer.decides(w.layout, &class, w.p.Graph.Levels()[c.link.Level].Name, need), need, true
}

// options lists the pairs of optics for a class of links, the cheapest first.
func (k *patcher) options(key *patchKey) []patchOption {
	b := &k.w.buyer
	if key.rule < 0 {
		return nil
	}
	rule := &b.rules[key.rule]
	for _, t := range k.trunks {
		if !rule.allows(t) {
			return nil
		}
	}
	cords := func(optic *catalog.Part) []*catalog.Part {
		return slices.DeleteFunc(k.cords(optic), func(p *catalog.Part) bool {
			return !rule.allows(p) || p.Cable.Propagation != k.trunks[0].Cable.Propagation
		})
	}
	var out []patchOption
	for _, pair := range b.opticPairs(key.groupA, key.groupB) {
		x, y := pair[0], pair[1]
		cordsA, cordsB := cords(x), cords(y)
		if !rule.allowsEnds(x, y) || x.Optic.Fibre != k.panel.Panel.Fibre || len(cordsA) == 0 || len(cordsB) == 0 {
			continue
		}
		o := patchOption{
			opticA: x, opticB: y, reach: min(x.Optic.Reach, y.Optic.Reach), budget: lossBudget(x, y),
			cordA: b.cords(cordsA, x, nil), cordB: b.cords(cordsB, nil, y),
		}
		o.cost, o.priced = b.opticsOf(&candidate{opticA: x, opticB: y}, &linkClass{})
		out = append(out, o)
	}
	slices.SortStableFunc(out, func(x, y patchOption) int {
		if x.priced != y.priced {
			if x.priced {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(x.cost, y.cost), cmp.Compare(x.reach, y.reach),
			strings.Compare(x.opticA.ID, y.opticA.ID), strings.Compare(x.opticB.ID, y.opticB.ID))
	})
	return out
}

// cords lists the families of patch cords between an optic and a panel.
func (k *patcher) cords(optic *catalog.Part) []*catalog.Part {
	return k.w.p.Catalog.Fibres(optic.Optic.Plug, k.panel.Panel.Connector, k.panel.Panel.Fibre)
}

// cordsOf lists the families of patch cords that join a panel and the optics of a link between two ports, at its end A
// or B.
func (k *patcher) cordsOf(a, b *catalog.PortGroup, atB bool) []*catalog.Part {
	var out []*catalog.Part
	for _, pair := range k.w.buyer.opticPairs(a, b) {
		optic := pair[0]
		if atB {
			optic = pair[1]
		}
		for _, p := range k.cords(optic) {
			if !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}

// cords is the step function of a patch cord between a panel and an optic, or of a
// trunk between two panels.
func (b *buyer) cords(parts []*catalog.Part, opticA, opticB *catalog.Part) *chooser {
	var candidates []candidate
	for _, p := range parts {
		candidates = append(candidates, candidate{part: p, opticA: opticA, opticB: opticB})
	}
	limits := ladder(candidates)
	slices.Sort(limits)
	out := &chooser{}
	for _, limit := range slices.Compact(limits) {
		product := b.best(candidates, limit, 0, &linkClass{})
		if n := len(out.steps); n > 0 && out.steps[n-1].product == product {
			out.steps[n-1].upTo = limit
			continue
		}
		out.steps = append(out.steps, step{limit, product})
	}
	return out
}

// fill is the most links that a trunk takes, so that its spare positions stay
// free.
func (k *patcher) fill(trunk *catalog.Part) int32 {
	return int32(max(1, math.Floor(float64(positionsOf(trunk, k.panel.Panel))/(1+k.rules.Spare/100)+1e-9)))
}
