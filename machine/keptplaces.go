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
// of a rack are plugged into its own, however many of them each has. Where ports are dealt out to the switches, each is
// a place of its own. Otherwise it returns g.
func (w *weaver) roomy(f *spec.Fabric, g topology.Graph) topology.Graph {
	p, ok := f.Topology.Params.(clusters.Access)
	ofRacks := isOfRacks(f)
	own := ofRacks || len(w.spec.TemplatesOf(f.Name+"/"+accessSwitch)) > 0
	byPlace := f.Order == "" || f.Order == spec.ByPlace
	if !ok || w.spec.Owned == nil && (!own || p.Spread) || !p.Spread && (p.Down > 0 && !ofRacks || !byPlace) {
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
	free -= w.uplinksTo(f.Name+"/"+leaf.Name, leaf.Count)
	if p.Down > 0 {
		free = min(free, p.Down)
	}
	places := leaf.Count / max(p.Uplinks, 1) * free
	if p.Spread {
		places = leaf.Count * max(free, leaf.Ports)
		p.Switches, p.Uplinks = leaf.Count, 0
	}
	if places <= p.Nodes && !p.Spread {
		return g
	}
	p.Nodes = places
	more, err := topology.New(topology.Spec{Params: p})
	if err != nil {
		return g
	}
	return more
}

// uplinksTo is how many ports of each of count switches of a kind the uplinks of fabrics take that name no ports there.
func (w *weaver) uplinksTo(kind string, count int) int {
	n := 0
	for i := range w.spec.Fabrics {
		f := &w.spec.Fabrics[i]
		for j := range f.Uplinks {
			u := &f.Uplinks[j]
			if u.To != kind || u.ToPorts != nil {
				continue
			}
			_, name := lowerSwitches(f, u)
			from, words := 0, f.Name+"/"+name
			if below, known := w.known[words]; known {
				from = w.kinds[below].Count
			} else if entry, key := f.Entry(name); key != "" { // of a fabric further down in the file
				from, _ = w.placesIn(words, w.catalog.Part(entry.Part))
			}
			n += fabrics.Uplinks{From: from, To: count, Each: max(u.Each, 1)}.Kinds()[1].Ports
		}
	}
	return n
}

// keptSeats finds seats in the topology of a fabric for its boxes such that those that are plugged into switches stay
// there, at their ports. Boxes that are new take seats at switches of their rack, else at new switches in racks without
// boxes, about as many each, else at the nearest with free ports, or are dealt out to all switches; order has all boxes
// by where they stand. It returns nil where there are not enough seats, and where no cables of the fabric exist and its
// switches are not those of racks.
func (r *resolved) keptSeats(f *fabric, pl *embed.Placement, order []fabrics.Box) [][]fabrics.Seat {
	exists, own := r.hasCables(), r.ownSwitches(f)
	if !exists && !own && !f.deals {
		return nil
	}
	k := r.newSeatKeeper(f, pl)
	kept := k.stay(order)
	if f.deals && k.deal(order) || !f.deals && (kept || own) && k.add(order) {
		return k.seats
	}
	if f.deals || !kept {
		return nil
	}
	k = r.newSeatKeeper(f, pl) // boxes that share places need fewer where they are packed
	if k.stay(order); k.fill() {
		return k.seats
	}
	return nil
}

// keptInList finds seats in the topology of a fabric whose boxes are plugged in by the order of its ends, such that
// those that exist stay at their switches and ports: where there are more boxes of one kind, those of the next kinds
// would move up. Boxes that are new take the seats that are left, in the order of the ends and from the place on that
// their end states, or are dealt out to the switches. It returns nil where it finds none.
func (r *resolved) keptInList(f *fabric, pl *embed.Placement) [][]fabrics.Seat {
	if !f.deals && (!r.hasCables() || !keepsPlaces(f)) {
		return nil
	}
	k := r.newSeatKeeper(f, pl)
	order := f.inTurn()
	if kept := k.stay(order); f.deals && k.deal(order) || !f.deals && kept && k.fill() {
		return k.seats
	}
	return nil
}

// hasCables reports whether cables of the machine exist already.
func (r *resolved) hasCables() bool { return r.existing != nil && len(r.existing.cables) > 0 }

// inTurn is the boxes of a fabric in the order of its ends: kind after kind, or all ports of a box together where these
// are dealt out to the switches.
func (f *fabric) inTurn() []fabrics.Box {
	order := fabrics.InTurn(f.ends)
	if f.deals {
		slices.SortStableFunc(order, func(a, b fabrics.Box) int {
			p, q := f.attached[a.Kind], f.attached[b.Kind]
			return cmp.Or(cmp.Compare(p.Kind, q.Kind), cmp.Compare(p.First+a.Number, q.First+b.Number))
		})
	}
	return order
}

// keepsPlaces reports whether boxes that exist keep their places in a fabric whose boxes are plugged in by the order of
// its ends: where these are several, and nodes are linked to switches alone.
func keepsPlaces(f *fabric) bool {
	if len(f.ends) < 2 {
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

// newSeatKeeper returns a keeper of the seats of a fabric, of whose boxes none has one yet.
func (r *resolved) newSeatKeeper(f *fabric, pl *embed.Placement) *seatKeeper {
	k := &seatKeeper{r: r, f: f, pl: pl, kinds: r.graph.Kinds(), places: fabrics.PlacesOf(f.bare)}
	if r.hasCables() {
		k.far = r.machineOwned().Far(r.existing.cables, r.catalog)
	}
	for _, e := range f.ends {
		k.seats = append(k.seats, slices.Repeat([]fabrics.Seat{{Place: -1}}, e.Count))
	}
	k.findPlaces()
	return k
}

// seatKeeper keeps boxes at the switches that they are plugged into.
type seatKeeper struct {
	r      *resolved
	f      *fabric
	pl     *embed.Placement
	kinds  []topology.Kind
	places fabrics.Places
	far    map[owned.End]owned.End // what exists: the other end of the cable at a port

	at     [][]owned.End              // of every place, the ports of switches that it is linked to; Vertex -1 for none
	seatAt map[owned.End]fabrics.Seat // the port of a place that is linked to a port of a switch
	taken  [][]bool                   // of every place, its ports
	group  []int                      // of every place: those that are linked to the same switches
	lead   []int32                    // of every group, the first of these; -1 for none
	free   [][]int                    // of every group, the places without boxes
	shared [][]int                    // of every group, the places with boxes and ports that are left
	seats  [][]fabrics.Seat           // found, by kind of ends and number; Place -1 for none
}

// findPlaces finds the switches that every place is linked to.
func (k *seatKeeper) findPlaces() {
	bare := k.f.bare.Kinds()
	number := make([]int, topology.Vertices(k.f.bare)) // of the place that a vertex is
	for _, kind := range bare {
		for v := kind.First; v < kind.First+kind.Count; v++ {
			if number[v] = -1; kind.Role != topology.Switch {
				number[v] = len(k.at)
				k.at = append(k.at, slices.Repeat([]owned.End{{Vertex: -1}}, k.places.Ports))
				k.taken = append(k.taken, make([]bool, k.places.Ports))
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
	k.seatAt = map[owned.End]fabrics.Seat{}
	for p, ends := range k.at {
		var key []byte
		for _, e := range ends {
			key = binary.LittleEndian.AppendUint32(key, uint32(e.Vertex))
		}
		g, ok := groups[string(key)]
		if !ok {
			g = len(groups)
			groups[string(key)] = g
			k.free, k.shared = append(k.free, nil), append(k.shared, nil)
			k.lead = append(k.lead, ends[0].Vertex)
		}
		k.group = append(k.group, g)
		k.free[g] = append(k.free[g], p)
		for j, e := range ends {
			if e.Vertex >= 0 {
				k.seatAt[e] = fabrics.Seat{Place: p, Port: j}
			}
		}
	}
}

// hasSeat reports whether a box has a seat.
func (k *seatKeeper) hasSeat(b fabrics.Box) bool { return k.seats[b.Kind][b.Number].Place >= 0 }

// isFree reports whether a seat has free ports for boxes of a kind.
func (k *seatKeeper) isFree(s fabrics.Seat, kind int) bool {
	n := k.places.PortsTaken(k.f.ends[kind])
	return s.Port >= 0 && s.Port+n <= k.places.Ports && !slices.Contains(k.taken[s.Place][s.Port:s.Port+n], true)
}

// freeAt returns the first free seat at a place for a box of a kind that suits; any suits where suits is nil.
func (k *seatKeeper) freeAt(place, kind int, suits func(s fabrics.Seat) bool) (fabrics.Seat, bool) {
	for port := range k.places.Ports {
		if s := (fabrics.Seat{Place: place, Port: port}); k.isFree(s, kind) && (suits == nil || suits(s)) {
			return s, true
		}
	}
	return fabrics.Seat{}, false
}

// freeIn is freeAt for the places of a group, those that boxes share already first.
func (k *seatKeeper) freeIn(g, kind int, suits func(s fabrics.Seat) bool) (fabrics.Seat, bool) {
	for _, place := range slices.Concat(k.shared[g], k.free[g][:min(1, len(k.free[g]))]) {
		if s, ok := k.freeAt(place, kind, suits); ok {
			return s, true
		}
	}
	return fabrics.Seat{}, false
}

// setSeat gives a box a seat, whose ports are no longer free.
func (k *seatKeeper) setSeat(b fabrics.Box, s fabrics.Seat) {
	k.seats[b.Kind][b.Number] = s
	for port := range k.places.PortsTaken(k.f.ends[b.Kind]) {
		k.taken[s.Place][s.Port+port] = true
	}
	g := k.group[s.Place]
	without := func(places []int) []int {
		return slices.DeleteFunc(places, func(p int) bool { return p == s.Place })
	}
	k.free[g], k.shared[g] = without(k.free[g]), without(k.shared[g])
	if slices.Contains(k.taken[s.Place], false) {
		k.shared[g] = append(k.shared[g], s.Place)
	}
}

// stay has boxes that exist keep their switches, and their ports where the topology has a seat at these. It reports
// whether any does.
func (k *seatKeeper) stay(order []fabrics.Box) bool {
	kept := false
	for round := range 2 { // ports first
		for _, b := range order {
			if k.hasSeat(b) {
				continue
			}
			plugged := k.plugged(b)
			leads := func(s fabrics.Seat) bool { return k.leads(s, plugged) }
			s, ok := k.seatOf(plugged)
			ok = ok && k.isFree(s, b.Kind) && leads(s)
			for g := 0; round == 1 && !ok && g < len(k.free) && isPlugged(plugged); g++ {
				s, ok = k.freeIn(g, b.Kind, leads)
			}
			if ok {
				k.setSeat(b, s)
				kept = true
			}
		}
	}
	return kept
}

// plugged lists the ports of switches that the cables of a box lead to, Vertex -1 where there is none.
func (k *seatKeeper) plugged(b fabrics.Box) []owned.End {
	v, own := int32(k.f.vertex(k.kinds, b)), k.f.attached[b.Kind].Port
	out := slices.Repeat([]owned.End{{Vertex: -1}}, k.f.ends[b.Kind].Ports)
	for j := range out {
		if far, ok := k.far[owned.End{Vertex: v, Port: uint16(own + j)}]; ok {
			out[j] = far
		}
	}
	return out
}

// isPlugged reports whether a box has cables, as most boxes that are new have not.
func isPlugged(plugged []owned.End) bool {
	return slices.ContainsFunc(plugged, func(e owned.End) bool { return e.Vertex >= 0 })
}

// seatOf returns the seat of which the first cable of a box leads to the port; false where the topology has none.
func (k *seatKeeper) seatOf(plugged []owned.End) (fabrics.Seat, bool) {
	for j, e := range plugged {
		if e.Vertex >= 0 {
			s, ok := k.seatAt[e]
			s.Port -= j
			return s, ok
		}
	}
	return fabrics.Seat{}, false
}

// leads reports whether a seat is linked to the switches that cables lead to.
func (k *seatKeeper) leads(s fabrics.Seat, plugged []owned.End) bool {
	for j, e := range plugged {
		if e.Vertex >= 0 && k.at[s.Place][s.Port+j].Vertex != e.Vertex {
			return false
		}
	}
	return isPlugged(plugged)
}

// fill gives boxes without a seat those that are left, kind after kind: from the place on where the kind or one before
// it begins, or where none is left there, any. It reports whether there are enough.
func (k *seatKeeper) fill() bool {
	begin := 0
	for kind, e := range k.f.ends {
		begin = max(begin, e.At)
		place, turns := begin, 0
		for number := range e.Count {
			b := fabrics.Box{Kind: kind, Number: number}
			for !k.hasSeat(b) {
				if place == len(k.at) {
					place, turns = 0, turns+1
				}
				if turns == 2 {
					return false
				}
				if s, ok := k.freeAt(place, kind, nil); ok {
					k.setSeat(b, s)
				} else {
					place++
				}
			}
		}
	}
	return true
}

// deal deals the ports of boxes without a seat out to the switches: each to the one with the fewest cables, those of a
// box to several as far as these have free ports. It reports whether there are enough.
func (k *seatKeeper) deal(order []fabrics.Box) bool {
	uses := map[int]map[int]bool{} // the groups, which are switches, of every vertex
	use := func(b fabrics.Box) map[int]bool {
		v := k.f.vertex(k.kinds, b)
		if uses[v] == nil {
			uses[v] = map[int]bool{}
		}
		return uses[v]
	}
	for _, b := range order {
		if k.hasSeat(b) {
			use(b)[k.group[k.seats[b.Kind][b.Number].Place]] = true
		}
	}
	for _, b := range order {
		if k.hasSeat(b) {
			continue
		}
		used, best := use(b), 0
		worth := func(g int) int { // 0 without free ports; all switches have as many
			if n := len(k.free[g]); n == 0 || used[g] {
				return n
			}
			return len(k.free[g]) + len(k.at)
		}
		for g := range k.free {
			if worth(g) > worth(best) {
				best = g
			}
		}
		if worth(best) == 0 {
			return false
		}
		k.setSeat(b, fabrics.Seat{Place: k.free[best][0]})
		used[best] = true
	}
	return true
}

// add finds seats for the boxes that have none yet. It reports whether there are enough.
func (k *seatKeeper) add(order []fabrics.Box) bool {
	inUse := make([]bool, len(k.free)) // groups of which a box has a seat
	for _, seats := range k.seats {
		for _, s := range seats {
			if s.Place >= 0 {
				inUse[k.group[s.Place]] = true
			}
		}
	}
	var fresh []int
	ofRack := map[int32][]int{} // groups by the rack of their first switch
	for g := range k.free {
		if k.space(g) == 0 {
			continue
		}
		rack := k.rack(k.lead[g])
		ofRack[rack] = append(ofRack[rack], g)
		if !inUse[g] {
			fresh = append(fresh, g)
		}
	}
	left := slices.DeleteFunc(slices.Clone(order), k.hasSeat)
	before := map[int]int{}
	for _, g := range fresh {
		before[g] = k.space(g)
	}
	left = k.withinRacks(left, ofRack)
	fresh = slices.DeleteFunc(fresh, func(g int) bool { // those that serve their own rack take boxes nearby only
		return k.space(g) == 0 || k.space(g) < before[g]
	})
	slot := func(g int) int32 { return k.pl.Slot[max(0, k.lead[g])] }
	slices.SortStableFunc(fresh, func(g, h int) int { return compareSlots(k.pl.Layout, slot(g), slot(h)) })
	each := 0
	if len(fresh) > 0 {
		each = arith.CeilDiv(len(left), len(fresh))
	}
	for _, g := range fresh {
		for range min(each, len(left)) {
			s, ok := k.freeIn(g, left[0].Kind, nil)
			if !ok {
				break
			}
			k.setSeat(left[0], s)
			left = left[1:]
		}
	}
	for _, b := range left {
		s, ok := k.nearest(b)
		if !ok {
			return false
		}
		k.setSeat(b, s)
	}
	return true
}

// space returns the number of places of a group with free ports.
func (k *seatKeeper) space(g int) int { return len(k.free[g]) + len(k.shared[g]) }

// withinRacks gives boxes places at the switches of their racks, about as many at each, and returns those for which
// there are none. ofRack has the groups of every rack.
func (k *seatKeeper) withinRacks(boxes []fabrics.Box, ofRack map[int32][]int) []fabrics.Box {
	rackOf := func(b fabrics.Box) int32 { return k.rack(int32(k.f.vertex(k.kinds, b))) }
	number := map[int32]int{} // of boxes in every rack
	for _, b := range boxes {
		number[rackOf(b)]++
	}
	quota := map[int]int{} // of every group
	for rack, groups := range ofRack {
		n := number[rack]
		bySpace := slices.Clone(groups) // the fullest first, which leave more to the others
		slices.SortStableFunc(bySpace, func(g, h int) int { return cmp.Compare(k.space(g), k.space(h)) })
		for i, g := range bySpace {
			quota[g] = min(arith.CeilDiv(n, len(groups)-i), k.space(g))
			n -= quota[g]
		}
	}
	return slices.DeleteFunc(boxes, func(b fabrics.Box) bool {
		for _, g := range ofRack[rackOf(b)] {
			if s, ok := k.freeIn(g, b.Kind, nil); ok && quota[g] > 0 {
				quota[g]--
				k.setSeat(b, s)
				return true
			}
		}
		return false
	})
}

// rack is the rack in which a vertex stands, -1 for none.
func (k *seatKeeper) rack(v int32) int32 {
	if v < 0 {
		return -1
	}
	return k.pl.Layout.Container(layout.RackLevel, k.pl.Slot[v])
}

// nearest is a free seat for a box at the group whose first switch is nearest to it, along rows and across them; false
// where none has any.
func (k *seatKeeper) nearest(b fabrics.Box) (fabrics.Seat, bool) {
	var best fabrics.Seat
	found, least := false, 0.0
	from := k.pl.Layout.Position(k.pl.Slot[k.f.vertex(k.kinds, b)])
	for g, lead := range k.lead {
		s, ok := k.freeIn(g, b.Kind, nil)
		if !ok || lead < 0 {
			continue
		}
		to := k.pl.Layout.Position(k.pl.Slot[lead])
		if away := float64((to.X - from.X).Abs() + (to.Y - from.Y).Abs()); !found || away < least {
			best, found, least = s, true, away
		}
	}
	return best, found
}
