package machine

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/internal/arith"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine/owned"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/clusters"
	"github.com/plenum-planner/plenum/topology/fabrics"
)

// roomy returns the graph of a fabric of family access with a place for every port that its switches have for it, where
// part of the machine exists, or the switches are those of racks: boxes that exist then keep their switches, and those
// of a rack are plugged into its own, however many of them each has. Otherwise it returns g.
func (w *weaver) roomy(f *spec.Fabric, g topology.Graph) topology.Graph {
	p, ok := f.Topology.Params.(clusters.Access)
	ofRacks := isOfRacks(f)
	own := ofRacks || len(w.spec.TemplatesOf(f.Name+"/"+accessSwitch)) > 0
	if w.spec.Owned == nil && !own || !ok || p.Down > 0 && !ofRacks || p.Spread ||
		f.Order != "" && f.Order != spec.ByPlace {
		return g
	}
	leaf := g.Kinds()[0]
	entry, _ := f.Entry(leaf.Name)
	part := w.catalog.Part(entry.Part)
	if part == nil || len(part.Ports) == 0 || entry.Breakout != nil {
		return g
	}
	box := cabling.NewWholeBox(part)
	ports := defaultPorts(box)
	if entry.Ports != nil {
		ports = newPortNames(box).choose(entry.Ports, func(int, string, ...any) {})
	}
	free := 0
	for _, n := range ports { // of the group that boxes are plugged into
		if box.Ports[n].Group == box.Ports[ports[0]].Group {
			free++
		}
	}
	for _, u := range f.Uplinks {
		if u.Ports == nil && (u.From == "" || u.From == leaf.Name) {
			free -= max(u.Each, 1)
		}
	}
	if p.Down > 0 {
		free = min(free, p.Down)
	}
	places := leaf.Count / max(p.Uplinks, 1) * free
	if places <= p.Nodes {
		return g
	}
	p.Nodes = places
	more, err := topology.New(topology.Spec{Params: p})
	if err != nil {
		return g
	}
	return more
}

// keptPlaces finds places in the topology of a fabric for its boxes such that those that are plugged into switches
// already stay there, at their ports. Boxes that are new take places at switches of their rack, else at switches that
// are new, about as many each, else at the nearest with free ports; order has all boxes by where they stand. It returns
// nil where boxes share places, and where no cables of the fabric exist and its switches are not those of racks.
func (r *resolved) keptPlaces(f *fabric, pl *embed.Placement, order []fabrics.Box) [][]int {
	exists, own := r.existing != nil && len(r.existing.cables) > 0, r.ownSwitches(f)
	if !exists && !own {
		return nil
	}
	k := r.newPlaceKeeper(f, pl)
	if k == nil {
		return nil
	}
	if kept := k.stay(order); !kept && !own || !k.add(order) {
		return nil
	}
	return k.place
}

// keptInList finds places in the topology of a fabric whose boxes are plugged in by the order of its ends, such that
// those that exist stay at their switches and ports: where there are more boxes of one kind, those of the next kinds
// would move up. Boxes that are new take the places that are left, in the order of the ends. It returns nil where it
// finds none.
func (r *resolved) keptInList(f *fabric, pl *embed.Placement) [][]int {
	if r.existing == nil || len(r.existing.cables) == 0 || !keepsPlaces(f) {
		return nil
	}
	k := r.newPlaceKeeper(f, pl)
	order := fabrics.InTurn(f.ends)
	if len(k.at) < len(order) || !k.stay(order) {
		return nil
	}
	free := slices.Sorted(slices.Values(slices.Concat(k.free...)))
	for _, b := range order {
		if k.place[b.Kind][b.Number] < 0 {
			k.place[b.Kind][b.Number], free = free[0], free[1:]
		}
	}
	return k.place
}

// keepsPlaces reports whether boxes that exist keep their places in a fabric whose boxes are plugged in by the order of
// its ends: where these are several, none of which states its place or shares one, and nodes are linked to switches
// alone.
func keepsPlaces(f *fabric) bool {
	places := fabrics.PlacesOf(f.bare)
	if len(f.ends) < 2 ||
		slices.ContainsFunc(f.ends, func(e fabrics.Ends) bool { return e.At > 0 || e.Ports != places.Ports }) {
		return false
	}
	isPlace := f.hasPlace()
	for l := range f.bare.Links() {
		if isPlace(l.A) && isPlace(l.B) {
			return false
		}
	}
	return true
}

// hasPlace returns which vertices of the topology of a fabric are for boxes that are plugged in.
func (f *fabric) hasPlace() func(v int32) bool {
	kinds := f.bare.Kinds()
	return func(v int32) bool { return kinds[topology.KindOf(kinds, int(v))].Role != topology.Switch }
}

// newPlaceKeeper returns a keeper of places of a fabric, nil where boxes share places.
func (r *resolved) newPlaceKeeper(f *fabric, pl *embed.Placement) *placeKeeper {
	places := fabrics.PlacesOf(f.bare)
	for _, e := range f.ends {
		if e.Ports != places.Ports {
			return nil
		}
	}
	k := &placeKeeper{r: r, f: f, pl: pl, kinds: r.graph.Kinds(), ports: places.Ports}
	if r.existing != nil && len(r.existing.cables) > 0 {
		k.far = r.machineOwned().Far(r.existing.cables, r.catalog)
	}
	for _, e := range f.ends {
		k.place = append(k.place, slices.Repeat([]int{-1}, e.Count))
	}
	k.findPlaces()
	return k
}

// placeKeeper keeps boxes at the switches that they are plugged into.
type placeKeeper struct {
	r     *resolved
	f     *fabric
	pl    *embed.Placement
	kinds []topology.Kind
	ports int                     // of a place
	far   map[owned.End]owned.End // what exists: the other end of the cable at a port

	at      [][]owned.End     // of every place, the ports of switches that it is linked to; Vertex -1 for none
	firstAt map[owned.End]int // the place that is linked to a port of a switch by its first port
	group   []int             // of every place: those that are linked to the same switches
	free    [][]int           // of every group, the places that are left
	place   [][]int           // found, by kind of ends and number; -1 for none
}

// findPlaces finds the switches that every place is linked to.
func (k *placeKeeper) findPlaces() {
	bare := k.f.bare.Kinds()
	number := make([]int, topology.Vertices(k.f.bare)) // of the place that a vertex is
	for _, kind := range bare {
		for v := kind.First; v < kind.First+kind.Count; v++ {
			if number[v] = -1; kind.Role != topology.Switch {
				number[v] = len(k.at)
				k.at = append(k.at, slices.Repeat([]owned.End{{Vertex: -1}}, k.ports))
			}
		}
	}
	link := func(node, nodePort, to, port int32) {
		kind := &bare[topology.KindOf(bare, int(to))]
		if number[node] < 0 || kind.Role != topology.Switch {
			return
		}
		a := k.f.switches[kind.Name]
		k.at[number[node]][nodePort] = owned.End{
			Vertex: int32(k.kinds[a.Kind].First+a.First-kind.First) + to, Port: uint16(int32(a.Port) + port),
		}
	}
	for l := range k.f.bare.Links() {
		for c := range l.Width {
			link(l.A, l.PortA+c, l.B, l.PortB+c)
			link(l.B, l.PortB+c, l.A, l.PortA+c)
		}
	}
	groups := map[string]int{}
	k.firstAt = map[owned.End]int{}
	for p, ends := range k.at {
		var key []byte
		for _, e := range ends {
			key = binary.LittleEndian.AppendUint32(key, uint32(e.Vertex))
		}
		g, ok := groups[string(key)]
		if !ok {
			g = len(groups)
			groups[string(key)] = g
			k.free = append(k.free, nil)
		}
		k.group = append(k.group, g)
		k.free[g] = append(k.free[g], p)
		if ends[0].Vertex >= 0 {
			k.firstAt[ends[0]] = p
		}
	}
}

// setPlace gives a box a place, which is no longer free.
func (k *placeKeeper) setPlace(b fabrics.Box, place int) {
	g := k.group[place]
	k.place[b.Kind][b.Number] = place
	k.free[g] = slices.DeleteFunc(k.free[g], func(p int) bool { return p == place })
}

// stay has boxes that exist keep their switches, and their ports where the topology has a place at these. It reports
// whether any does.
func (k *placeKeeper) stay(order []fabrics.Box) bool {
	kept := false
	for round := range 2 { // ports first
		for _, b := range order {
			if k.place[b.Kind][b.Number] >= 0 {
				continue
			}
			plugged := k.plugged(b)
			at, ok := k.firstAt[plugged[0]]
			ok = ok && k.leads(at, plugged) && slices.Contains(k.free[k.group[at]], at)
			if round == 1 {
				at, ok = k.likewise(plugged)
			}
			if ok {
				k.setPlace(b, at)
				kept = true
			}
		}
	}
	return kept
}

// plugged lists the ports of switches that the cables of a box lead to, Vertex -1 where there is none.
func (k *placeKeeper) plugged(b fabrics.Box) []owned.End {
	v, own := int32(k.f.vertex(k.kinds, b)), k.f.attached[b.Kind].Port
	out := slices.Repeat([]owned.End{{Vertex: -1}}, k.ports)
	for j := range out {
		if far, ok := k.far[owned.End{Vertex: v, Port: uint16(own + j)}]; ok {
			out[j] = far
		}
	}
	return out
}

// leads reports whether a place is linked to the switches that cables lead to.
func (k *placeKeeper) leads(place int, plugged []owned.End) bool {
	some := false
	for j, e := range plugged {
		if e.Vertex >= 0 {
			if some = true; k.at[place][j].Vertex != e.Vertex {
				return false
			}
		}
	}
	return some
}

// likewise returns a free place that is linked to the switches that cables lead to; false where there is none.
func (k *placeKeeper) likewise(plugged []owned.End) (int, bool) {
	if !slices.ContainsFunc(plugged, func(e owned.End) bool { return e.Vertex >= 0 }) {
		return 0, false // most boxes that are new
	}
	for _, free := range k.free {
		if len(free) > 0 && k.leads(free[0], plugged) {
			return free[0], true
		}
	}
	return 0, false
}

// add finds places for the boxes that have none yet. It reports whether there are enough.
func (k *placeKeeper) add(order []fabrics.Box) bool {
	inUse := make([]bool, len(k.free)) // groups of which a box has a place
	for _, places := range k.place {
		for _, p := range places {
			if p >= 0 {
				inUse[k.group[p]] = true
			}
		}
	}
	var fresh []int
	ofRack := map[int32][]int{} // groups by the rack of their first switch
	for g := range k.free {
		if len(k.free[g]) == 0 {
			continue
		}
		rack := k.rack(k.at[k.free[g][0]][0].Vertex)
		ofRack[rack] = append(ofRack[rack], g)
		if !inUse[g] {
			fresh = append(fresh, g)
		}
	}
	left := slices.DeleteFunc(slices.Clone(order), func(b fabrics.Box) bool { return k.place[b.Kind][b.Number] >= 0 })
	left = k.withinRacks(left, ofRack)
	fresh = slices.DeleteFunc(fresh, func(g int) bool { return len(k.free[g]) == 0 })
	slot := func(g int) int32 { return k.pl.Slot[max(0, k.at[k.free[g][0]][0].Vertex)] }
	slices.SortStableFunc(fresh, func(g, h int) int { return compareSlots(k.pl.Layout, slot(g), slot(h)) })
	each := 0
	if len(fresh) > 0 {
		each = arith.CeilDiv(len(left), len(fresh))
	}
	for _, g := range fresh {
		for range min(each, len(left), len(k.free[g])) {
			k.setPlace(left[0], k.free[g][0])
			left = left[1:]
		}
	}
	for _, b := range left {
		g := k.nearest(int32(k.f.vertex(k.kinds, b)))
		if g < 0 {
			return false
		}
		k.setPlace(b, k.free[g][0])
	}
	return true
}

// withinRacks gives boxes places at the switches of their racks, about as many at each, and returns those for which
// there are none. ofRack has the groups of every rack.
func (k *placeKeeper) withinRacks(boxes []fabrics.Box, ofRack map[int32][]int) []fabrics.Box {
	rackOf := func(b fabrics.Box) int32 { return k.rack(int32(k.f.vertex(k.kinds, b))) }
	number := map[int32]int{} // of boxes in every rack
	for _, b := range boxes {
		number[rackOf(b)]++
	}
	quota := map[int]int{} // of every group
	for rack, groups := range ofRack {
		n := number[rack]
		bySpace := slices.Clone(groups) // the fullest first, which leave more to the others
		slices.SortStableFunc(bySpace, func(g, h int) int { return cmp.Compare(len(k.free[g]), len(k.free[h])) })
		for i, g := range bySpace {
			quota[g] = min(arith.CeilDiv(n, len(groups)-i), len(k.free[g]))
			n -= quota[g]
		}
	}
	return slices.DeleteFunc(boxes, func(b fabrics.Box) bool {
		for _, g := range ofRack[rackOf(b)] {
			if quota[g] > 0 {
				quota[g]--
				k.setPlace(b, k.free[g][0])
				return true
			}
		}
		return false
	})
}

// rack is the rack in which a vertex stands, -1 for none.
func (k *placeKeeper) rack(v int32) int32 {
	if v < 0 {
		return -1
	}
	return k.pl.Layout.Container(layout.RackLevel, k.pl.Slot[v])
}

// nearest is the group with free places whose first switch is nearest to a vertex, along rows and across them; -1 where
// none has any.
func (k *placeKeeper) nearest(v int32) int {
	best, least := -1, 0.0
	from := k.pl.Layout.Position(k.pl.Slot[v])
	for g, free := range k.free {
		if len(free) == 0 || k.at[free[0]][0].Vertex < 0 {
			continue
		}
		to := k.pl.Layout.Position(k.pl.Slot[k.at[free[0]][0].Vertex])
		if away := float64((to.X - from.X).Abs() + (to.Y - from.Y).Abs()); best < 0 || away < least {
			best, least = g, away
		}
	}
	return best
}
