package cabling

import (
	"cmp"
	"slices"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// group is plugs that links join, directly or through others.
type group struct {
	links []laneLink
	near  []int32 // the plugs of one side, with end A of the first link, in the order of their first links
	far   []int32 // the plugs of the other side, in the same order
	// adapters are the plugs of both sides in the order of the adapters of a module that is on sale, -1 for one that
	// stays free; nil where the fibres are led otherwise than in such a module.
	adapters *[2][]int32
}

// groups calls visit with every group of plugs, in the order of their first links. In a group in which plugs cannot be
// divided so that every link joins two sides (a cycle of an odd number of plugs), some links are within a side, and
// adapters is nil.
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

// arrange lists the plugs of a group by side, in the order of their first links, and sets their place to noPlace.
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

// noPlace is the place on its side of a plug that was met and has none yet; places count from 1, and 0 is that of a
// plug that was not met.
const noPlace = -1

// share sets the adapters of a group in which each plug shares its lanes evenly among all of the other side, the i-th
// share of plug j with the j-th share of plug i: the plugs in that order. They stay nil in other groups, and where all
// links of a plug lead to one other plug.
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

// isStraight reports whether every link of a group joins equal lanes of its two plugs, as a cable between these would.
// It does not check that there are two plugs only.
func (g *group) isStraight() bool {
	return !slices.ContainsFunc(g.links, func(e laneLink) bool { return e.laneA != e.laneB })
}

// sides returns the plugs at the adapters of both sides of a module of panel p, -1 for an adapter that stays free; a
// module to order has only the adapters that plugs take.
func (g *group) sides(p *catalog.Panel) [2][]int32 {
	if p.ToOrder {
		return [2][]int32{g.near, g.far}
	}
	return *g.adapters
}

// size returns how many adapters of a panel a group takes on both sides, with those that stay free.
func (g *group) size(p *catalog.Panel) int {
	sides := g.sides(p)
	return len(sides[0]) + len(sides[1])
}

// part returns the panel whose adapters for the group cost the least, on sale or wired to order; nil where none takes
// the group. Panels without a price come last, and of equal ones the first id is taken.
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
// one: those of the group first, and then others by distance from the first of these. It adds a new panel in the
// highest free units; the caller takes the adapters. It returns false where no rack has room.
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

// placeShuffles chooses the part and the rack of every shuffle or, for octopus cables, of every patch panel, places the
// panels and sets Schedule.Patching. If no panel takes some groups, it tries other kinds of transceivers, and in the
// end leaves their links without a shuffle. The error is a FullRacksError, or that of octopus cables which cannot meet.
func (k *shuffler) placeShuffles() error {
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
		if len(g.near) == 1 && len(g.far) == 1 && g.adapters == nil && g.isStraight() {
			k.plugs[g.near[0]].panel, k.plugs[g.far[0]].panel = ownCable, ownCable
			return
		}
		if k.patch != nil {
			failed = k.meet(g, b)
			p.Links += int64(len(g.links))
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
			failed = w.noUnit("shuffles", v)
			return
		}
		p.Shuffles = append(p.Shuffles, k.fill(g, panel, &b.panels[panel]))
		p.Links += int64(len(g.links))
	})
	if failed != nil {
		return failed
	}
	if k.retry() {
		k.listLinks()
		return k.placeShuffles()
	}
	k.edges = nil
	if len(b.panels) == 0 {
		return nil
	}
	k.number(p, b.panels)
	p.Part = p.Panels[0].Part
	p.Octopus = k.patch != nil
	w.s.Patching = p
	w.standPanels()
	if p.Octopus {
		k.measure()
	}
	return nil
}

// FullRacksError is the error of Run that no rack with boxes has free units for the panels of shuffles or of octopus
// cables.
type FullRacksError struct{ *diag.FieldError }

// Unwrap returns the mistake in the field Shuffle.
func (e FullRacksError) Unwrap() error { return e.FieldError }

// noUnit returns the error that no rack has room for a panel that the links of vertex v run over; what is shuffles or
// octopus cables.
func (w *worker) noUnit(what string, v int32) error {
	return FullRacksError{diag.Fieldf("Shuffle", "no rack unit is free for the %s of %s, neither in the racks of the "+
		"boxes nor in others\nleave units free: embedding.free_units, fewer boxes in a rack (per_rack), a taller "+
		"rack, or cabling.shuffle: none", what, w.s.Device(v))}
}

// fill gives the plugs of a group their adapters, the next ones of a panel, the near side first, and returns the
// shuffle. panel is the index of the panel before number sorts panels. It changes the counts of the panel and the
// plugs.
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

// number adds the panels to p, sorted by rack and in each from the highest unit down, and changes the indices of panels
// in shuffles and plugs accordingly.
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

// racks lists the racks of the plugs of a group, those with the most of them first, of equal ones the lowest position.
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

// around lists all racks with boxes by their distance from one: along the two sides of the floor, and twice the rise to
// the row. The list begins with the rack itself; equal ones are in the order of Placement.Racks.
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
