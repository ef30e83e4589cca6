package verify

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/internal/english"
)

// Identified is a box that a source calls by a name that the plan does not have, found by how it is cabled.
type Identified struct {
	Found string `json:"found"` // as the source calls it
	Box   string `json:"box"`   // as the plan does
}

// arc is a link as it looks from one of its boxes: the own port, the far one, and the far box.
type arc struct {
	own, far uint64
	box      int32
}

// matcher finds out which box of the plan is meant by the links of a found one. Ports are distinguished as well as
// boxes, so that few vertices look alike: leaf 7 of a tree is in port 7 of every spine.
//
// Anchors, besides the boxes known by name, are those that look like one of the plan and like no other: some rounds of
// colour refinement deep or, where faults are near, by most of the pairs of ports that their links join. From these on,
// a found box is the one that the plan has at the other end of most of its links. What is then left is symmetric, as a
// torus is: one box is laid down by choice, the best of those tried, and all others follow.
type matcher struct {
	p           *Plan
	w           *exchange.Wiring
	plan, found [][]arc
	at          map[planPort]arc
	to          []int32          // by found box, the box of the plan, -1 for none
	from        []int32          // by box of the plan, the found box, -1 for none
	named       []bool           // by found box, whether it is known by name
	choices     map[int32]string // by found box, how many others it could be
}

type planPort struct {
	box int32
	key uint64
}

// rounds of refinement: after so many, a fault has spread to all that is this many links away.
const rounds = 3

// mostTried is how many boxes are tried where symmetry leaves a choice.
const mostTried = 16

// match finds the boxes of a source that are not found by name; known has those that are, by number, -1 elsewhere. It
// becomes the matcher's.
func (p *Plan) match(w *exchange.Wiring, known []int32) *matcher {
	m := &matcher{
		p: p, w: w, found: make([][]arc, len(w.Boxes)), to: known, from: slices.Repeat([]int32{-1}, len(p.home)),
	}
	m.named = make([]bool, len(m.to))
	for x, v := range m.to {
		if v >= 0 {
			m.from[v], m.named[x] = int32(x), true
		}
	}
	m.graphs()
	if m.star() { // what one box sees says which box is meant only where that or a neighbour is known
		m.propagate()
		return m
	}
	m.anchors()
	m.propagate()
	m.likely()
	m.propagate()
	for depth := rounds; depth > 0; {
		if !m.choose(depth) {
			depth--
		}
	}
	for m.mend() {
	}
	return m
}

// witnesses is how many links of a found box are as planned.
func (m *matcher) witnesses(x int32) int {
	n := 0
	for _, a := range m.found[x] {
		if m.as(x, a) {
			n++
		}
	}
	return n
}

// as reports whether a found link is as planned.
func (m *matcher) as(x int32, a arc) bool {
	if m.to[x] < 0 || m.to[a.box] < 0 {
		return false
	}
	p, ok := m.at[planPort{m.to[x], a.own}]
	return ok && p.box == m.to[a.box] && p.far == a.far
}

// mend takes back found boxes of which less than half of the links are right, as what followed from a fault is, and
// hears their links again. It reports whether more is right then, and otherwise leaves all as it was.
func (m *matcher) mend() bool {
	var doubtful []int32
	before := m.right(func(x int32, right int) {
		if m.to[x] >= 0 && !m.named[x] && 2*right < len(m.found[x]) {
			doubtful = append(doubtful, x)
		}
	})
	if len(doubtful) == 0 {
		return false
	}
	to, from := slices.Clone(m.to), slices.Clone(m.from)
	for _, x := range doubtful {
		m.to[x], m.from[to[x]] = -1, -1
	}
	m.propagate()
	if m.right(nil) > before {
		return true
	}
	m.to, m.from = to, from
	return false
}

// star reports whether all links of the source are at one box, as in what a host says of its neighbours.
func (m *matcher) star() bool {
	for _, arcs := range m.found {
		if len(arcs) == len(m.w.Links) {
			return true
		}
	}
	return false
}

// portKey is a port's name or number, in small letters.
func portKey(seed maphash.Seed, text string) uint64 {
	return maphash.String(seed, strings.ToLower(text))
}

// planGraph is the links of a plan as a matcher looks at them.
type planGraph struct {
	seed maphash.Seed // of the names of ports
	arcs [][]arc      // by box
	at   map[planPort]arc
}

// graph is the links of the plan, with ports by what is printed or by number. It is made once, as there may be a source
// for every box.
func (p *Plan) graph(numbers bool) *planGraph {
	of := &p.byName
	if numbers {
		of = &p.byNumber
	}
	of.once.Do(func() { of.planGraph = p.newGraph(numbers) })
	return of.planGraph
}

func (p *Plan) newGraph(numbers bool) *planGraph {
	g := &planGraph{
		seed: maphash.MakeSeed(), arcs: make([][]arc, len(p.first)-1), at: make(map[planPort]arc, 2*len(p.links)),
	}
	name := func(v int32, port int32) uint64 {
		if !numbers {
			return portKey(g.seed, p.portName(v, port))
		}
		return portKey(g.seed, strconv.Itoa(p.schedule.PortNumber(v, uint16(port-p.first[v]))))
	}
	for _, l := range p.links {
		if p.only >= 0 && l.fabric != p.only {
			continue
		}
		a, b := p.vertex(l.a), p.vertex(l.b)
		ka, kb := name(a, l.a), name(b, l.b)
		g.arcs[a], g.arcs[b] = append(g.arcs[a], arc{ka, kb, b}), append(g.arcs[b], arc{kb, ka, a})
		g.at[planPort{a, ka}], g.at[planPort{b, kb}] = arc{ka, kb, b}, arc{kb, ka, a}
	}
	return g
}

// graphs finds both graphs. Ports are distinguished by number where the source has numbers, else by what is printed.
func (m *matcher) graphs() {
	numbers := true
	for _, l := range m.w.Links {
		numbers = numbers && digits(l.A.Port) && digits(l.B.Port)
	}
	g := m.p.graph(numbers)
	m.plan, m.at = g.arcs, g.at
	for _, l := range m.w.Links {
		a, b := l.A.Box, l.B.Box
		ka, kb := portKey(g.seed, l.A.Port), portKey(g.seed, l.B.Port)
		m.found[a] = append(m.found[a], arc{ka, kb, int32(b)})
		m.found[b] = append(m.found[b], arc{kb, ka, int32(a)})
	}
}

func digits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// refined gives every box a colour: boxes of the same colour look alike from the distance of a round more than before.
func refined(graph [][]arc, colour []uint64, seed maphash.Seed) []uint64 {
	out := make([]uint64, len(graph))
	var seen []uint64
	for v, arcs := range graph {
		seen = seen[:0]
		for _, a := range arcs {
			var b [24]byte
			binary.LittleEndian.PutUint64(b[:], a.own)
			binary.LittleEndian.PutUint64(b[8:], a.far)
			binary.LittleEndian.PutUint64(b[16:], colour[a.box])
			seen = append(seen, maphash.Bytes(seed, b[:]))
		}
		slices.Sort(seen)
		var h maphash.Hash
		h.SetSeed(seed)
		for _, s := range append(seen, colour[v]) {
			maphash.WriteComparable(&h, s)
		}
		out[v] = h.Sum64()
	}
	return out
}

// anchors are boxes that look like one of the plan and like no other.
func (m *matcher) anchors() {
	seed := maphash.MakeSeed()
	plan, found := make([]uint64, len(m.plan)), make([]uint64, len(m.found))
	for x, v := range m.to { // those that are known look like themselves alone, all others are of the colour 0
		if v >= 0 {
			plan[v] = ^uint64(v)
			found[x] = plan[v]
		}
	}
	for range rounds {
		plan, found = refined(m.plan, plan, seed), refined(m.found, found, seed)
		one := map[uint64]int32{} // of the plan, by colour; -1 where several have it
		for v, c := range plan {
			if _, ok := one[c]; ok || len(m.plan[v]) == 0 || m.from[v] >= 0 {
				one[c] = -1
			} else {
				one[c] = int32(v)
			}
		}
		count := map[uint64]int{}
		for _, c := range found {
			count[c]++
		}
		for x, c := range found {
			if v, ok := one[c]; ok && v >= 0 && count[c] == 1 && m.to[x] < 0 {
				m.assign(int32(x), v)
			}
		}
	}
}

// tooMany is how many boxes of the plan may have a pair of ports joined by a link for it to tell anything.
const tooMany = 256

// likely takes a box for that of the plan which has most of its links, by the ports at both ends, if no other has
// nearly as many.
func (m *matcher) likely() {
	type pair struct{ own, far uint64 }
	with := map[pair][]int32{}
	for v, arcs := range m.plan {
		if m.from[v] >= 0 {
			continue
		}
		for _, a := range arcs {
			if p := (pair{a.own, a.far}); len(with[p]) <= tooMany {
				with[p] = append(with[p], int32(v))
			}
		}
	}
	score := map[int32]int{}
	for x, arcs := range m.found {
		if m.to[x] >= 0 {
			continue
		}
		clear(score)
		for _, a := range arcs {
			if boxes := with[pair{a.own, a.far}]; len(boxes) <= tooMany {
				for _, v := range boxes {
					score[v]++
				}
			}
		}
		best, most, second := int32(-1), 0, 0
		for v, n := range score {
			if n > most {
				best, most, second = v, n, most
			} else if n > second {
				second = n
			}
		}
		if most >= 2 && most >= second+2 && 2*most > len(arcs) && m.from[best] < 0 {
			m.assign(int32(x), best)
		}
	}
}

// assign records that found box x is box v of the plan.
func (m *matcher) assign(x, v int32) { m.to[x], m.from[v] = v, x }

// propagate assigns found boxes to the boxes of the plan that most of their links point to, until nothing changes.
// Those with the clearest majority go first and, of these, the ones found first. So knowledge grows on all sides, and a
// faulty link that is the only evidence counts after all others.
func (m *matcher) propagate() {
	var waiting [][]int32 // found boxes by how clear they are
	add := func(x int32, ahead int) {
		if ahead == 0 {
			return
		}
		for len(waiting) <= ahead {
			waiting = append(waiting, nil)
		}
		waiting[ahead] = append(waiting[ahead], x)
	}
	hear := func(x int32) {
		if m.to[x] < 0 {
			_, ahead := m.vote(x)
			add(x, ahead)
		}
	}
	for x := range m.found {
		hear(int32(x))
	}
	for top := len(waiting) - 1; top > 0; top = len(waiting) - 1 {
		if len(waiting[top]) == 0 {
			waiting = waiting[:top]
			continue
		}
		x := waiting[top][0]
		waiting[top] = waiting[top][1:]
		if m.to[x] >= 0 {
			continue
		}
		v, ahead := m.vote(x)
		if ahead != top { // boxes have been taken since
			add(x, ahead)
			continue
		}
		m.assign(x, v)
		for _, a := range m.found[x] {
			hear(a.box)
		}
	}
}

// vote is the box of the plan that most links of a found one lead to, and by how many links it is ahead of the next.
func (m *matcher) vote(x int32) (box int32, ahead int) {
	var votes []int32
	for _, a := range m.found[x] {
		w := m.to[a.box]
		if w < 0 {
			continue
		}
		// The plan has this at the other end of the far port.
		if back, ok := m.at[planPort{w, a.far}]; ok && back.far == a.own && m.from[back.box] < 0 {
			votes = append(votes, back.box)
		}
	}
	slices.Sort(votes)
	best, most, second := int32(-1), 0, 0
	for i := 0; i < len(votes); {
		j := i
		for j < len(votes) && votes[j] == votes[i] {
			j++
		}
		switch n := j - i; {
		case n > most:
			best, most, second = votes[i], n, most
		case n > second:
			second = n
		}
		i = j
	}
	return best, most - second
}

// choose lays down one found box that symmetry leaves open, and what follows from it, and reports whether there was
// one. It is one of those that look as most do, so many links deep, where no fault is near; of the boxes of the plan
// that look like it, the one is taken with which most links are right.
func (m *matcher) choose(depth int) bool {
	seed := maphash.MakeSeed()
	plan, found := make([]uint64, len(m.plan)), make([]uint64, len(m.found))
	for range depth {
		plan, found = refined(m.plan, plan, seed), refined(m.found, found, seed)
	}
	like := map[uint64][]int32{} // boxes of the plan that are not taken
	for v, c := range plan {
		if m.from[v] < 0 && len(m.plan[v]) > 0 {
			like[c] = append(like[c], int32(v))
		}
	}
	count := map[uint64]int{}
	for x, c := range found {
		if m.to[x] < 0 {
			count[c]++
		}
	}
	first := int32(-1)
	for x, c := range found {
		if m.to[x] < 0 && len(like[c]) > 0 && len(m.found[x]) > 0 && (first < 0 || count[c] > count[found[first]]) {
			first = int32(x)
		}
	}
	if first < 0 {
		return false
	}
	of := like[found[first]]
	type try struct {
		to, from []int32
		right    int
	}
	before := try{slices.Clone(m.to), slices.Clone(m.from), 0}
	best := try{right: m.right(nil)} // one that makes nothing right is not chosen
	for _, v := range of[:min(len(of), mostTried)] {
		m.to, m.from = slices.Clone(before.to), slices.Clone(before.from)
		m.assign(first, v)
		m.propagate()
		if right := m.right(nil); right > best.right {
			best = try{m.to, m.from, right}
		}
	}
	if best.to == nil {
		m.to, m.from = before.to, before.from
		return false
	}
	m.to, m.from = best.to, best.from
	if len(of) > 1 {
		if m.choices == nil {
			m.choices = map[int32]string{}
		}
		m.choices[first] = fmt.Sprintf("%s could be any of %s boxes that look alike, and was taken for %s",
			m.w.Boxes[first].Name, english.Grouped(int64(len(of))), m.p.schedule.Device(m.to[first]))
	}
	return true
}

// right counts the ends of found links that are as planned, in all and for each found box.
func (m *matcher) right(each func(x int32, right int)) int {
	all := 0
	for x, arcs := range m.found {
		n := 0
		for _, a := range arcs {
			if m.as(int32(x), a) {
				n++
			}
		}
		all += n
		if each != nil {
			each(int32(x), n)
		}
	}
	return all
}

// identified lists what was found by structure, by name.
func (m *matcher) identified(byName func(x int) bool) []Identified {
	var out []Identified
	for x, v := range m.to {
		if v >= 0 && !byName(x) {
			out = append(out, Identified{m.w.Boxes[x].Name, m.p.schedule.Device(v)})
		}
	}
	slices.SortFunc(out, func(a, b Identified) int { return cmp.Compare(a.Found, b.Found) })
	return out
}
