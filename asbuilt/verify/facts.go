package verify

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/identity"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// spot is an end of a link that a source has, held against the plan.
type spot struct {
	v     int32   // the box; -1 for one that is not identified
	ports []int32 // counted over all boxes; none for a port that is not identified
	sure  Confidence
	box   string // as the source calls it
	text  string // of the port, likewise
	chip  string
	other bool // text names another port than those of the part, which has names for its ports
}

// fact is a link that a source has.
type fact struct {
	a, b   spot
	link   *exchange.Link
	source string
	choice [2]int // the source and the number of links of which one is true at most
}

// meant is the box of the plan that a source means.
type meant struct {
	identity.Found
	only bool // no other adapter of the source is of this box
	all  bool // the source counts the ports of the whole box, not those of one of its adapters
}

// claimOf is what a source says of a box.
func claimOf(b *exchange.Box) *identity.BoxClaim {
	return &identity.BoxClaim{Name: b.Name, GUIDs: b.GUIDs, MACs: b.MACs, Serial: b.Serial, Address: b.Address}
}

// findNames sets byName for the kinds of which the source has a box with a name of the plan.
func (s *sight) findNames(w *exchange.Wiring) {
	for i := range w.Boxes {
		if v := s.p.names.Box(claimOf(&w.Boxes[i])).Vertex; v >= 0 {
			s.byName[topology.KindOf(s.p.kinds, int(v))] = true
		}
	}
}

// meant finds the boxes of a source by name, and the others by structure.
func (s *sight) meant(w *exchange.Wiring) []meant {
	boxes := make([]meant, len(w.Boxes))
	known := make([]int32, len(w.Boxes))
	strangers := false
	for i := range w.Boxes {
		boxes[i].Found = s.p.names.Box(claimOf(&w.Boxes[i]))
		known[i] = boxes[i].Vertex
		if v := known[i]; v >= 0 {
			s.boxWay[v] = better(s.boxWay[v], boxes[i].Way)
		}
		strangers = strangers || known[i] < 0
	}
	if strangers {
		m := s.p.match(w, known)
		// A box with a name of its own, where a source has others of its kind by theirs, is a stranger unless several
		// links say that it is not. What leads to a stranger says nothing any more.
		for again := true; again; {
			again = false
			for i, v := range m.to {
				if v < 0 || boxes[i].Vertex >= 0 {
					continue
				}
				if name, _, _, _ := identity.Description(w.Boxes[i].Name); name != "" && m.witnesses(int32(i)) < 2 &&
					s.byName[topology.KindOf(s.p.kinds, int(v))] {
					m.to[i], again = -1, true
				}
			}
		}
		for i, v := range m.to {
			if v < 0 || boxes[i].Vertex >= 0 {
				continue
			}
			boxes[i].Vertex, boxes[i].Way = v, identity.ByStructure
			s.boxWay[v] = better(s.boxWay[v], identity.ByStructure)
		}
		named := func(x int) bool { return boxes[x].Way != identity.ByStructure }
		s.identified = append(s.identified, m.identified(named)...)
		for x, note := range m.choices {
			if m.to[x] >= 0 {
				s.notes = append(s.notes, note) // they are sorted at the end
			}
		}
	}
	adapters := map[int32]int{}
	for i := range boxes {
		adapters[boxes[i].Vertex]++
	}
	for i := range boxes {
		boxes[i].only = adapters[boxes[i].Vertex] == 1
		boxes[i].all = w.Boxes[i].Role != "adapter" || w.Boxes[i].Ports > mostAdapterPorts
	}
	for _, l := range w.Links {
		for _, e := range []exchange.End{l.A, l.B} {
			if n, err := strconv.Atoi(e.Port); err == nil && n > mostAdapterPorts {
				boxes[e.Box].all = true
			}
		}
	}
	return boxes
}

// mostAdapterPorts is how many ports adapters have.
const mostAdapterPorts = 2

// better is the surer of two ways.
func better(a, b identity.Way) identity.Way {
	if a == identity.Unidentified || b != identity.Unidentified &&
		slices.Index(identity.Ways, b) < slices.Index(identity.Ways, a) {
		return b
	}
	return a
}

// compareLinks compares the links of a source with the plan.
func (s *sight) compareLinks(w *exchange.Wiring) {
	s.notes = append(s.notes, w.Notes...)
	boxes := s.meant(w)
	s.sources++
	touched := make([]bool, s.p.fabrics)
	touch := func(e *spot) {
		for _, port := range e.ports {
			if fabric := s.p.fabricAt(port); fabric >= 0 {
				touched[fabric] = true
			}
		}
	}
	for i := range w.Links {
		l := &w.Links[i]
		if l.Down {
			continue
		}
		f := fact{
			a: s.spot(w, boxes, l.A), b: s.spot(w, boxes, l.B), link: l, source: w.Source,
			choice: [2]int{s.sources, l.Choice},
		}
		touch(&f.a)
		touch(&f.b)
		s.facts = append(s.facts, f)
	}
	for i := range w.Absent { // seen, and not there
		for _, e := range [2]exchange.End{w.Absent[i].A, w.Absent[i].B} {
			if boxes[e.Box].Vertex >= 0 {
				end := s.spot(w, boxes, e)
				touch(&end)
			}
		}
	}
	s.list(w, touched, boxes)
}

// spot finds the box and the ports of the plan that an end of a link means. It counts a text that names no port, and
// notes a box that is not identified as a stranger.
func (s *sight) spot(w *exchange.Wiring, boxes []meant, e exchange.End) spot {
	b := &boxes[e.Box]
	out := spot{v: b.Vertex, box: w.Boxes[e.Box].Name, text: e.Port, chip: b.Chip}
	if b.Vertex < 0 {
		s.strange[out.box] = true
		return out
	}
	c := identity.Claim{
		Text: e.Port, Subnet: e.Form == exchange.Subnet, MAC: e.Form == exchange.Hardware,
		Untold: e.Form == exchange.Untold, Also: e.Also, Outer: e.Outer, Chip: b.Chip, Device: b.Device, Only: b.only,
		Lane: e.Lane,
	}
	// Port 1 of one of several adapters says nothing.
	c.Untold = c.Untold || c.Subnet && c.Device == "" && !b.only && b.Chip == ""
	kind := topology.KindOf(s.p.kinds, int(b.Vertex))
	// So does that of an adapter without its name, on a box that is known to have several.
	c.Untold = c.Untold || c.Subnet && c.Device == "" && !b.all && s.p.names.Devices(kind)
	ports, way := s.p.ports(b.Vertex, &c)
	out.ports, out.sure = ports, confidence(b.Way, way)
	for _, port := range ports {
		s.portWay[port] = better(s.portWay[port], way)
	}
	if ports == nil {
		s.unknown[portText{kind, e.Port}]++
		out.other = s.p.names.NamesOther(kind, &c)
	}
	return out
}

// portText is a text that names no port of the boxes of a kind.
type portText struct {
	kind int
	text string
}

// confidence is how sure a port is, by the ways in which its box and it were identified.
func confidence(ways ...identity.Way) Confidence {
	sure := Certain
	for _, w := range ways {
		switch w {
		case identity.ByStructure:
			sure = min(sure, Likely)
		case identity.ByNumber:
			sure = min(sure, Guess)
		}
	}
	return sure
}

// choose keeps, of links of which one is true at most, the link that is as planned, else the only one between ports
// that are identified. Of several others none is taken for being first, and what is in their port is not clear.
func (s *sight) choose() {
	sets := map[[2]int][]int{}
	for i := range s.facts {
		if c := s.facts[i].choice; c[1] > 0 {
			sets[c] = append(sets[c], i)
		}
	}
	drop := make([]bool, len(s.facts))
	unclear := 0
	for _, set := range sets {
		keep := func(is func(f *fact) bool) bool {
			chosen := slices.DeleteFunc(slices.Clone(set), func(i int) bool { return !is(&s.facts[i]) })
			if len(chosen) != 1 {
				return false
			}
			for _, i := range set {
				drop[i] = i != chosen[0]
			}
			return true
		}
		if len(set) == 1 || keep(s.asPlanned) ||
			keep(func(f *fact) bool { return len(f.a.ports) > 0 && len(f.b.ports) > 0 }) ||
			keep(func(f *fact) bool { return f.a.v >= 0 && f.b.v >= 0 }) {
			continue
		}
		unclear++
		in := map[int32]int{}
		for _, i := range set {
			drop[i] = true
			for _, port := range slices.Concat(s.facts[i].a.ports, s.facts[i].b.ports) {
				if in[port]++; in[port] == len(set) && int(port) < len(s.unclear) {
					s.unclear[port] = true // it hears them all
				}
			}
		}
	}
	kept := s.facts[:0]
	for i := range s.facts {
		if !drop[i] {
			kept = append(kept, s.facts[i])
		}
	}
	s.facts = kept
	if unclear > 0 {
		s.notes = append(s.notes, fmt.Sprintf("not looked at: %s with several neighbours, of which not just one is as "+
			"planned", english.Count(unclear, "port")))
	}
}

// asPlanned reports whether a link is one that is planned, as far as its ends are identified: one port and the other
// box.
func (s *sight) asPlanned(f *fact) bool {
	for _, e := range [2][2]*spot{{&f.a, &f.b}, {&f.b, &f.a}} {
		for _, port := range e[0].ports {
			l := s.p.planned[port]
			if l < 0 || e[1].v < 0 {
				continue
			}
			far := s.p.links[l].other(port)
			if slices.Contains(e[1].ports, far) || e[1].ports == nil && s.p.vertex(far) == e[1].v {
				return true
			}
		}
	}
	return false
}

// claim is a link between two ports that sources have.
type claim struct {
	a, b    int32 // a < b
	sure    Confidence
	product string
	// polarity is the types of the cables in order from a to b, with commas between them.
	polarity string
	chips    map[string]int // lanes of the link by the chip that it is one of
	rate     units.Rate     // of a lane
	errors   int64
	source   string // and where in it
	line     int
}

// settle makes links of all facts, in any order: links between identified ports first, then those of which one
// port is not identified but its box, and then those to boxes that are not.
func (s *sight) settle() {
	s.choose()
	claims := map[[2]int32]*claim{}
	var half []fact
	for i := range s.facts {
		f := &s.facts[i]
		if len(f.a.ports) == 0 || len(f.b.ports) == 0 {
			half = append(half, *f)
			continue
		}
		pairs := s.p.lanes(f.a.ports, f.b.ports)
		if pairs == nil { // no lane of this port belongs there
			open := *f
			if len(open.a.ports) > 1 {
				open.a.ports = nil
			} else {
				open.b.ports = nil
			}
			half = append(half, open)
		}
		for _, ends := range pairs {
			if ends[0] != ends[1] && !s.elsewhere(ends[0], ends[1]) {
				key := [2]int32{min(ends[0], ends[1]), max(ends[0], ends[1])}
				if claims[key] == nil {
					claims[key] = &claim{a: key[0], b: key[1], sure: Guess, chips: map[string]int{}}
				}
				claims[key].add(f, ends[0] != key[0])
			}
		}
	}
	s.enter(claims)
	s.halves(half)
	s.untold()
}

// untold takes links of which no source names a port by how many there are: where a source has as many links between
// two boxes as are planned, all of these are there. It may have those of which a port is identified as well, and
// another source, at the far end, the same ones again. A link with the name of another port than the planned ones is
// not identified: it does not make a planned link right, and not missing either, as the name may be one of its ports'.
func (s *sight) untold() {
	type pair [2]int32
	type seen struct {
		boxes  pair
		source int
	}
	of := func(a, b int32) pair { return pair{min(a, b), max(a, b)} }
	told, most, doubt := map[seen]int{}, map[pair]int{}, map[pair]bool{}
	for i := range s.facts {
		f := &s.facts[i]
		none := len(f.a.ports) == 0 && len(f.b.ports) == 0
		if f.a.v < 0 || f.b.v < 0 || none && (identity.OtherPort(f.a.text) || identity.OtherPort(f.b.text)) {
			continue
		}
		boxes := of(f.a.v, f.b.v)
		if none && (f.a.other || f.b.other) {
			doubt[boxes] = true
			continue
		}
		told[seen{boxes, f.choice[0]}] += max(min(len(f.a.ports), len(f.b.ports)), 1)
		if none {
			most[boxes] = 0
		}
	}
	if len(most)+len(doubt) == 0 {
		return
	}
	for x, n := range told {
		if was, ok := most[x.boxes]; ok {
			most[x.boxes] = max(was, n)
		}
	}
	for i := range s.links {
		if l := &s.links[i]; !s.open(l) {
			most[of(s.p.vertex(l.a), s.p.vertex(l.b))]--
		}
	}
	for l := range s.p.links {
		a, b := s.p.links[l].a, s.p.links[l].b
		if s.at[a] >= 0 || s.at[b] >= 0 || s.torn[a] || s.torn[b] || s.elsewhere(a, b) {
			continue
		}
		boxes := of(s.p.vertex(a), s.p.vertex(b))
		if most[boxes] > 0 {
			most[boxes]--
			s.join(a, b, found{sure: Likely})
		} else if doubt[boxes] {
			s.unclear[a], s.unclear[b] = true, true
		}
	}
}

// elsewhere reports whether a link between two ports is of another fabric than the compared one: one of the ports is
// planned for another, and neither for this one. It is false where all fabrics are compared.
func (s *sight) elsewhere(a, b int32) bool {
	only := s.p.only
	if only < 0 {
		return false
	}
	fa, fb := s.p.fabricAt(a), s.p.fabricAt(b)
	return fa != only && fb != only && (fa >= 0 || fb >= 0)
}

// add adds what a fact says of a link, whose end A is b of the claim where it is turned.
func (c *claim) add(f *fact, turned bool) {
	c.sure = max(c.sure, min(f.a.sure, f.b.sure))
	l := f.link
	if l.Product != "" && (c.product == "" || l.Product < c.product) {
		c.product = l.Product
	}
	polarity := l.Polarity
	if turned {
		polarity = turnedTypes(polarity)
	}
	if strings.Trim(polarity, ",") != "" && (c.polarity == "" || polarity < c.polarity) {
		c.polarity = polarity
	}
	chip := cmp.Or(f.a.chip, f.b.chip)
	c.chips[chip] = max(c.chips[chip], l.Lanes)
	if l.LaneRate > 0 && (c.rate == 0 || l.LaneRate < c.rate) {
		c.rate = l.LaneRate
	}
	c.errors = max(c.errors, l.Errors)
	if c.source == "" || cmp.Or(cmp.Compare(f.source, c.source), cmp.Compare(l.Line, c.line)) < 0 {
		c.source, c.line = f.source, l.Line
	}
}

// enter takes the links between identified ports. Where several sources or rows have different links of a port, those
// that no name proves give way; if several are left, none is taken and all are in conflict.
func (s *sight) enter(claims map[[2]int32]*claim) {
	of := map[int32][]*claim{}
	var all []*claim
	for _, c := range claims {
		all = append(all, c)
	}
	slices.SortFunc(all, func(x, y *claim) int { return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b)) })
	// The surest are entered first, so that a guess never stands against a name.
	for _, sure := range []Confidence{Certain, Likely, Guess} {
		clear(of)
		for _, c := range all {
			if c.sure == sure && s.at[c.a] < 0 && s.at[c.b] < 0 && !s.torn[c.a] && !s.torn[c.b] {
				of[c.a], of[c.b] = append(of[c.a], c), append(of[c.b], c)
			}
		}
		for _, c := range all {
			if len(of[c.a]) == 1 && len(of[c.b]) == 1 && of[c.a][0] == c {
				lanes := 0
				for _, n := range c.chips {
					lanes += n
				}
				s.join(c.a, c.b, found{
					product: c.product, polarity: c.polarity, lanes: lanes, rate: c.rate, errors: c.errors,
					sure: c.sure,
				})
			}
		}
		s.conflicts(all, of)
	}
}

// join adds a found link.
func (s *sight) join(a, b int32, f found) {
	f.a, f.b = a, b
	s.at[a], s.at[b] = int32(len(s.links)), int32(len(s.links))
	s.links = append(s.links, f)
}

// conflicts makes one fault of all claims that have ports in common, directly or over other claims; of lists the claims
// by port. It marks these ports as torn.
func (s *sight) conflicts(all []*claim, of map[int32][]*claim) {
	done := map[*claim]bool{}
	for _, c := range all {
		if done[c] || len(of[c.a]) < 2 && len(of[c.b]) < 2 {
			continue
		}
		f := fault{kind: Conflict, sure: Guess}
		for group := []*claim{c}; len(group) > 0; {
			next := group[0]
			group = group[1:]
			if done[next] {
				continue
			}
			done[next] = true
			f.claims = append(f.claims, next)
			for _, port := range [2]int32{next.a, next.b} {
				f.ports = append(f.ports, port)
				group = append(group, of[port]...)
			}
		}
		slices.SortFunc(f.claims, func(x, y *claim) int { return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b)) })
		slices.Sort(f.ports)
		f.ports = slices.Compact(f.ports)
		for _, port := range f.ports {
			s.torn[port] = true
			if l := s.p.planned[port]; l >= 0 && !slices.Contains(f.plan, l) {
				f.plan = append(f.plan, l)
			}
		}
		s.torns = append(s.torns, f)
	}
}

// halves takes links of which one port is identified alone. Where its planned link leads to the other box, it is right,
// as long as nothing else is known to be in the other port.
func (s *sight) halves(facts []fact) {
	type half struct {
		port int32
		far  *spot
		f    *fact
	}
	var all []half
	for i := range facts {
		f := &facts[i]
		for _, e := range [2][2]*spot{{&f.a, &f.b}, {&f.b, &f.a}} {
			if len(e[0].ports) > 0 && len(e[1].ports) == 0 {
				all = append(all, half{s.leading(e[0].ports, e[1].v), e[1], f})
			}
		}
	}
	slices.SortStableFunc(all, func(x, y half) int {
		right := func(h half) int {
			if l := s.p.planned[h.port]; l >= 0 && s.p.vertex(s.p.links[l].other(h.port)) == h.far.v {
				return 0
			}
			return 1
		}
		return cmp.Or(cmp.Compare(right(x), right(y)), cmp.Compare(x.port, y.port), cmp.Compare(y.far.v, x.far.v),
			cmp.Compare(x.far.box, y.far.box), cmp.Compare(x.far.text, y.far.text))
	})
	for _, h := range all {
		l := s.p.planned[h.port]
		switch {
		case s.torn[h.port] || s.at[h.port] >= 0 || s.elsewhere(h.port, h.port):
			continue // known better
		case l < 0 && h.far.v < 0:
			continue // nothing is planned there, and nobody knows the other end
		}
		if l >= 0 {
			far := s.p.links[l].other(h.port)
			if s.p.vertex(far) == h.far.v && s.at[far] < 0 && !s.torn[far] && !identity.OtherPort(h.far.text) {
				s.join(h.port, far, found{product: h.f.link.Product, sure: Likely})
				continue
			}
		}
		end := strange{End: End{Box: h.far.box, Port: h.far.text}, v: h.far.v}
		if h.far.v >= 0 {
			end.Box = s.p.schedule.Device(h.far.v)
		}
		s.at = append(s.at, -1)
		s.foreign = append(s.foreign, end)
		s.openAt[end.v] = true
		s.join(h.port, int32(len(s.at)-1), found{product: h.f.link.Product, sure: Guess})
	}
}

// leading returns the port of several lanes whose planned link leads to box v, else the first.
func (s *sight) leading(ports []int32, v int32) int32 {
	for _, port := range ports {
		if l := s.p.planned[port]; l >= 0 && s.p.vertex(s.p.links[l].other(port)) == v {
			return port
		}
	}
	return ports[0]
}

// identification counts how boxes and ports were identified, and what was not.
func (s *sight) identification() Identification {
	out := Identification{Boxes: map[identity.Way]int{}, Ports: map[identity.Way]int{}, NotPorts: []NotPort{}}
	for _, w := range s.boxWay {
		if w != identity.Unidentified {
			out.Boxes[w]++
		}
	}
	for _, w := range s.portWay {
		if w != identity.Unidentified {
			out.Ports[w]++
		}
	}
	by := map[string]int{}
	for t, n := range s.unknown {
		by[t.text] += n
		out.Unidentified += n
	}
	for text, n := range by {
		out.NotPorts = append(out.NotPorts, NotPort{text, n})
	}
	slices.SortFunc(out.NotPorts, func(a, b NotPort) int {
		return cmp.Or(cmp.Compare(b.Ends, a.Ends), strings.Compare(a.Text, b.Text))
	})
	out.NotPorts = out.NotPorts[:min(len(out.NotPorts), mostNotPorts)]
	return out
}

// mostNotPorts is how many texts that name no port are listed.
const mostNotPorts = 100
