package owned

import (
	"cmp"
	"maps"
	"regexp"
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/identity"
	"github.com/plenum-planner/plenum/internal/growth"
	"github.com/plenum-planner/plenum/topology"
)

// Kept says how many links of cables that exist keep their ports. A cable with several links counts once for each.
type Kept struct {
	Lying   int // links of cables that exist, from box to box
	Links   int // that take one of them, with its ports
	Unknown int // those of Lying that lead to boxes or ports that the machine does not have
	// Shared tells that a cable that exists carries several links, or a link consists of cables over panels, so that
	// Lying is not how many cables there are.
	Shared bool
	// Moved is the others, which give up a port. InPlace of them join two boxes between which the machine has fewer
	// links, so that no way to plug links in keeps them, and Least is a lower bound on that for any positions in the
	// topology boxes take. All are 0 where nothing moves.
	Moved, InPlace, Least int
}

// joint is what a cable joins: two boxes on a level.
type joint struct {
	a, b  int32
	level int32
}

// lying is a cable that exists between ports of the machine, that of the lower box first.
type lying struct {
	ports [2]uint16
	cable int32 // among the products, -1 where it may not be held to one
}

// plugger finds ports for links.
type plugger struct {
	*Machine
	kinds   []topology.Kind
	fabric  []int // of every level; links of one fabric share ports
	plugs   *cabling.Plugs
	kept    Kept
	at      []use          // both ends of every channel, in their order
	same    [][]int        // by kind and port, the first of the same name: one that is listed twice is one port
	claimed map[int64]bool // ports that cables hold: vertex and port

	named    []bool // by kind, whether some port of a cable is identified
	nameless []nameless
	wrong    diag.List
}

// use is an end of a channel at a vertex.
type use struct {
	channel int64
	far     bool // end B
	fabric  int32
	port    uint16 // of the topology
	fixed   bool   // a cable holds it
}

// Plug plugs the links of the machine in where cables lie. Fabric tells for every level which levels share ports; those
// of one number do. Nil where no cable can be used. The error is a diag.List of boxes and ports that are not
// identified.
func (m *Machine) Plug(cables []Cable, fabric []int, c *catalog.Catalog) (*cabling.Plugs, Kept, error) {
	p := m.plugger(fabric)
	lie, err := p.lie(cables, c)
	p.kept.Lying = len(cables)
	p.kept.Shared = slices.ContainsFunc(cables, func(c Cable) bool { return c.shared || c.via })
	if err != nil || len(lie) == 0 {
		return nil, p.kept, err
	}
	var g *growth.Growth
	if n := count(lie); n > 0 {
		g = p.growth(lie, nil)
	}
	p.assignCables(lie)
	if p.kept.Moved = count(lie); p.kept.Moved > 0 {
		p.kept.InPlace, p.kept.Least = int(g.Moves(m.identity())), int(g.Least())
	}
	p.rest()
	return p.plugs, p.kept, nil
}

// count is the number of cables that lie.
func count(lie map[joint][]lying) int {
	n := 0
	for _, all := range lie {
		n += len(all)
	}
	return n
}

// growth is the cables that lie, and the links of the machine, but for those of levels for which skip reports true.
// Boxes without a cable that exist are at the given vertices.
func (p *plugger) growth(lie map[joint][]lying, skip func(level int32) bool, boxes ...int32) *growth.Growth {
	kinds := make([]int32, topology.Vertices(p.Graph))
	for i, k := range p.kinds {
		for v := k.First; v < k.First+k.Count; v++ {
			kinds[v] = int32(i)
		}
	}
	var old, new [][2]int32
	exist := slices.Repeat([]int32{-1}, len(kinds))
	for _, v := range boxes {
		if v >= 0 {
			exist[v] = kinds[v]
		}
	}
	for j, all := range lie {
		if skip != nil && skip(j.level) {
			continue
		}
		exist[j.a], exist[j.b] = kinds[j.a], kinds[j.b]
		for range all {
			old = append(old, [2]int32{j.a, j.b})
		}
	}
	for l := range topology.Cables(p.Graph) {
		if skip == nil || !skip(l.Level) {
			for range l.Width {
				new = append(new, [2]int32{l.A, l.B})
			}
		}
	}
	return growth.New(exist, kinds, old, new)
}

// identity has every box at its own vertex.
func (m *Machine) identity() []int32 {
	out := make([]int32, topology.Vertices(m.Graph))
	for v := range out {
		out[v] = int32(v)
	}
	return out
}

// Settle finds vertices for the boxes that exist among those of their kinds such that fewer cables move than at the
// given ones, and has boxes called by them from then on. It leaves kinds for which stays reports true as they are, and
// does not count levels for which skip does. It returns the vertices, the given ones where it finds no better ones.
func (m *Machine) Settle(exist []Box, vertex []int32, cables []Cable, c *catalog.Catalog, stays func(kind int) bool,
	skip func(level int32) bool,
) []int32 {
	p := m.plugger(nil)
	lie, _ := p.lie(cables, c) // Plug reports mistakes
	g, at := p.growth(lie, skip, vertex...), m.identity()
	present := make([]bool, len(at))
	for _, v := range vertex {
		if v >= 0 {
			present[v] = true
		}
	}
	for v, kind := range g.OldKind {
		if kind < 0 {
			at[v] = -1 // of a box that is new
		}
	}
	if g.Moves(at) == 0 {
		return vertex
	}
	better := g.Settle(at, func(v int32) bool { return present[v] && !stays(int(g.NewKind[v])) })
	out := slices.Clone(vertex)
	for i, v := range vertex {
		if v >= 0 {
			out[i] = better[v]
		}
	}
	if slices.Equal(out, vertex) {
		return vertex
	}
	m.Call(exist, out)
	return out
}

func (m *Machine) plugger(fabric []int) *plugger {
	p := &plugger{
		Machine: m, kinds: m.Graph.Kinds(), fabric: fabric, plugs: &cabling.Plugs{},
		claimed: map[int64]bool{}, named: make([]bool, len(m.Boxes)),
	}
	for _, b := range m.Boxes {
		first := map[string]int{}
		var same []int
		for i := range b.Ports {
			if _, ok := first[b.Ports[i].Name]; !ok {
				first[b.Ports[i].Name] = i
			}
			same = append(same, first[b.Ports[i].Name])
		}
		p.same = append(p.same, same)
	}
	return p
}

// An End is a port of a box of the machine: the number of the vertex, and that of the port among those of its Box.
type End struct {
	Vertex int32
	Port   uint16
}

// Far finds what is at the other end of every port that a cable lies at. Cables whose boxes or ports the machine does
// not have are left out.
func (m *Machine) Far(cables []Cable, c *catalog.Catalog) map[End]End {
	out := map[End]End{}
	lie, _ := m.plugger(nil).lie(cables, c) // Plug tells of mistakes
	for joint, all := range lie {
		for _, l := range all {
			a, b := End{joint.a, l.ports[0]}, End{joint.b, l.ports[1]}
			out[a], out[b] = b, a
		}
	}
	return out
}

// lie finds the boxes and ports of cables, by what they join.
func (p *plugger) lie(cables []Cable, c *catalog.Catalog) (map[joint][]lying, error) {
	levels := map[string]int32{}
	for i, l := range p.Graph.Levels() {
		levels[l.Name] = int32(i)
	}
	products := map[cabling.Laid]int32{}
	out := map[joint][]lying{}
	for i := range cables {
		k := &cables[i]
		level, known := levels[k.Level]
		a, b := p.boxOf(k, 0), p.boxOf(k, 1)
		if k.Level != "" && !known || a < 0 || b < 0 {
			p.kept.Unknown++
			continue
		}
		if k.Level == "" {
			level = -1
		}
		portA, okA := p.portOf(k, 0, a)
		portB, okB := p.portOf(k, 1, b)
		if !okA || !okB {
			p.kept.Unknown++
			continue
		}
		l := lying{ports: [2]uint16{portA, portB}, cable: -1}
		if a > b {
			a, b, l.ports = b, a, [2]uint16{portB, portA}
		}
		if part := c.Part(k.Part); part != nil && part.Cable != nil && !k.via {
			laid := cabling.Laid{Part: part, Length: k.Length, Shared: k.shared || !single(part)}
			n, ok := products[laid]
			if !ok {
				n = int32(len(p.plugs.Cables))
				products[laid] = n
				p.plugs.Cables = append(p.plugs.Cables, laid)
			}
			l.cable = n
		}
		key := joint{a, b, level}
		out[key] = append(out[key], l)
	}
	return out, p.refused()
}

// boxOf finds the box of an end of a cable, below 0 where the machine does not have it. One that neither the tables of
// boxes nor the machine know is a mistake, if there are such tables.
func (p *plugger) boxOf(k *Cable, end int) int32 {
	v, known := p.called(k.Box[end])
	if !known && len(p.tables) > 0 {
		near := "delete the row, or add the box to the table of boxes"
		if len(p.known) <= mostCompared {
			if best, ok := diag.Closest(k.Box[end], p.known); ok {
				near = diag.DidYouMean(best)
			}
		}
		p.wrong.Addf(k.at(end, 0), "there is no box %q\n%s", clip(k.Box[end]), near)
	}
	return v
}

// portOf finds the port of an end of a cable, false where links of the machine cannot take it. What names no port of
// the box is noted, unless it names one for management or the like, or a port that is broken out otherwise now.
func (p *plugger) portOf(k *Cable, end int, v int32) (uint16, bool) {
	kind := topology.KindOf(p.kinds, int(v))
	found, _ := p.ids.Port(v, &identity.Claim{Text: k.Port[end]})
	if len(found) == 0 {
		whole := lane.ReplaceAllString(k.Port[end], "")
		part, _ := p.ids.Port(v, &identity.Claim{Text: whole})
		if !identity.OtherPort(k.Port[end]) && (whole == k.Port[end] || len(part) == 0) {
			p.nameless = append(p.nameless, nameless{k, end, v})
		}
		return 0, false
	}
	p.named[kind] = true
	n, same := int(found[0]), p.same[kind]
	if n >= len(same) {
		return 0, false
	}
	for _, other := range found[1:] {
		if same[other] != same[n] { // a port that is broken out, and not which lane
			return 0, false
		}
	}
	return uint16(same[n]), true
}

// lane is what the name of a port ends in that is broken out.
var lane = regexp.MustCompile(`(?:[/:s]\d{1,2}|[a-d])$`)

// nameless is an end of a cable whose port is not identified.
type nameless struct {
	cable *Cable
	end   int
	v     int32
}

// refused is the mistakes in what cables join. Where no port at all is identified of the boxes of a kind, they are made
// of another part than those that exist, which is none.
func (p *plugger) refused() error {
	for _, x := range p.nameless {
		kind := topology.KindOf(p.kinds, int(x.v))
		if !p.named[kind] {
			continue
		}
		var all, labels []string
		for n := range p.ids.PortCount(kind) {
			id := p.ids.PortIdentity(kind, n)
			labels = append(labels, id.Label)
			all = append(all, slices.Concat([]string{id.Label, id.Interface, id.Device}, id.Aliases)...)
		}
		all = slices.DeleteFunc(all, func(name string) bool { return name == "" })
		what := "its ports are " + Few(labels)
		if near, ok := diag.Closest(x.cable.Port[x.end], all); ok {
			what = diag.DidYouMean(near)
		}
		p.wrong.Addf(x.cable.at(x.end, 1), "%s has no port %q\n%s", clip(x.cable.Box[x.end]),
			clip(x.cable.Port[x.end]), what)
		if p.wrong.Full() {
			break
		}
	}
	p.wrong.Sort()
	return p.wrong.Err()
}

// single reports whether a part is a cable that carries one link only.
func single(part *catalog.Part) bool {
	return part.Cable != nil && part.Cable.Links <= 1 && part.Cable.Legs <= 1
}

// assignCables gives channels the existing cables between their boxes: first those in the same ports as in the
// topology, then others of their level, then those of other levels.
func (p *plugger) assignCables(lie map[joint][]lying) {
	n := int64(0)
	for l := range topology.Cables(p.Graph) {
		for c := range l.Width {
			p.plugs.A, p.plugs.B = append(p.plugs.A, uint16(l.PortA+c)), append(p.plugs.B, uint16(l.PortB+c))
			p.plugs.Cable = append(p.plugs.Cable, -1)
			f := int32(p.fabric[l.Level])
			p.at = append(p.at, use{n, false, f, uint16(l.PortA + c), false},
				use{n, true, f, uint16(l.PortB + c), false})
			n++
		}
	}
	p.round(func(l *topology.Link) joint {
		key := joint{min(l.A, l.B), max(l.A, l.B), l.Level}
		if len(lie[key]) == 0 {
			key.level = -1
		}
		return key
	}, lie)
	left := map[joint][]lying{}
	for _, key := range slices.SortedFunc(maps.Keys(lie), compareJoints) {
		if all := lie[key]; len(all) > 0 {
			left[joint{key.a, key.b, -1}] = append(left[joint{key.a, key.b, -1}], all...)
		}
	}
	clear(lie)
	p.round(func(l *topology.Link) joint { return joint{min(l.A, l.B), max(l.A, l.B), -1} }, left)
	maps.Copy(lie, left)
}

func compareJoints(j, k joint) int {
	return cmp.Or(cmp.Compare(j.a, k.a), cmp.Compare(j.b, k.b), cmp.Compare(j.level, k.level))
}

// round gives channels that have none yet the cables of their joints, those in the very ports of the topology first.
func (p *plugger) round(of func(l *topology.Link) joint, lie map[joint][]lying) {
	if len(lie) == 0 {
		return
	}
	n := int64(0) // of the channel
	for l := range topology.Cables(p.Graph) {
		key := of(&l)
		for round := range 2 { // then any
			for c := range l.Width {
				i := n + int64(c)
				if p.at[2*i].fixed {
					continue
				}
				at := slices.IndexFunc(lie[key], func(k lying) bool {
					ports := k.from(&l)
					same := int32(ports[0]) == l.PortA+c && int32(ports[1]) == l.PortB+c
					return (round == 1 || same) && p.fits(&l, c, ports)
				})
				if at < 0 {
					continue
				}
				k := lie[key][at]
				lie[key] = slices.Delete(lie[key], at, at+1)
				ports := k.from(&l)
				p.at[2*i].fixed, p.at[2*i+1].fixed = true, true
				p.plugs.A[i], p.plugs.B[i], p.plugs.Cable[i] = ports[0], ports[1], k.cable
				p.claimed[p.key(l.A, ports[0])], p.claimed[p.key(l.B, ports[1])] = true, true
				p.kept.Links++
			}
		}
		n += int64(l.Width)
	}
}

// from is the ports of a cable from end A of a link to end B.
func (k *lying) from(l *topology.Link) [2]uint16 {
	if l.A > l.B {
		return [2]uint16{k.ports[1], k.ports[0]}
	}
	return k.ports
}

// key is a port of a vertex, the same for all numbers that it has.
func (p *plugger) key(v int32, port uint16) int64 {
	return int64(v)<<16 | int64(p.same[topology.KindOf(p.kinds, int(v))][port])
}

// fits reports whether a channel of a link may be plugged into other ports: of the same groups, and free.
func (p *plugger) fits(l *topology.Link, c int32, ports [2]uint16) bool {
	for end, v := range [2]int32{l.A, l.B} {
		own := int(l.PortA + c)
		if end == 1 {
			own = int(l.PortB + c)
		}
		box := p.Boxes[topology.KindOf(p.kinds, int(v))]
		if own >= len(box.Ports) || p.claimed[p.key(v, ports[end])] ||
			box.Ports[own].Group != box.Ports[ports[end]].Group {
			return false
		}
	}
	return true
}

// rest gives the other channels the ports that are left: that of the topology if it is free, else the first one that
// is, of the same group, in use by the topology for links of the same fabric before others.
func (p *plugger) rest() {
	byVertex := make(map[int32][]use)
	ends := 0
	for l := range topology.Cables(p.Graph) {
		for range l.Width {
			byVertex[l.A] = append(byVertex[l.A], p.at[ends])
			byVertex[l.B] = append(byVertex[l.B], p.at[ends+1])
			ends += 2
		}
	}
	for v, uses := range byVertex {
		p.vertex(v, uses)
	}
}

// vertex plugs in what is left at a vertex. As a channel only ever takes a port of the group that the topology has it
// in, there are enough.
func (p *plugger) vertex(v int32, uses []use) {
	if !slices.ContainsFunc(uses, func(u use) bool { return u.fixed }) {
		return
	}
	kind := topology.KindOf(p.kinds, int(v))
	box, same := p.Boxes[kind], p.same[kind]
	taken := make([]bool, len(box.Ports))
	fabric := make([]int32, len(box.Ports)) // for which the topology plugs something in, from 1; 0 for none
	for _, u := range uses {
		if int(u.port) < len(box.Ports) {
			fabric[same[u.port]] = u.fabric + 1
		}
		if u.fixed {
			taken[same[p.port(u)]] = true
		}
	}
	var homeless []use
	for _, u := range uses {
		switch {
		case u.fixed || int(u.port) >= len(box.Ports):
		case taken[same[u.port]]:
			homeless = append(homeless, u)
		default:
			taken[same[u.port]] = true
		}
	}
	for _, u := range homeless {
		own := u.fabric + 1
		best, at := 3, -1
		for port := range box.Ports {
			if taken[same[port]] || box.Ports[port].Group != box.Ports[u.port].Group {
				continue
			}
			rank := 2 // a port that the topology uses for another fabric
			switch fabric[same[port]] {
			case own:
				rank = 0
			case 0:
				rank = 1
			}
			if rank < best {
				best, at = rank, port
			}
		}
		if at >= 0 {
			taken[same[at]] = true
			p.set(u, uint16(at))
		}
	}
}

func (p *plugger) port(u use) uint16 {
	if u.far {
		return p.plugs.B[u.channel]
	}
	return p.plugs.A[u.channel]
}

func (p *plugger) set(u use, port uint16) {
	if u.far {
		p.plugs.B[u.channel] = port
	} else {
		p.plugs.A[u.channel] = port
	}
}
