package asbuilt

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/internal/english"
)

// mostFlowWork bounds how many links are looked at to find out whether several paths are there, per moment.
const mostFlowWork = 1e9

// A TooManyPathsError refuses to look for several paths between all boxes of a machine that is too large for it.
type TooManyPathsError struct {
	Paths, Groups, Links int // that were asked for; boxes that are linked differently; links of both plans
}

// Error says what is too much, and what can be had.
func (e *TooManyPathsError) Error() string {
	return fmt.Sprintf("%s that are linked in different ways over %s are too many to look for %d paths between "+
		"each two; ask for one",
		english.GroupedCount(int64(e.Groups), "box"), english.GroupedCount(int64(e.Links), "link"),
		e.Paths)
}

// flows checks for more than one path: ends that are linked to the same boxes in both plans and at the moment are
// alike, and one of each group stands for it.
type flows struct {
	most   int // paths that are asked for
	groups [][]int32
	wanted map[[2]int32]int // of groups: paths that both plans have, at most as many as are asked for
}

// paths of a network at one moment.
type pathFinder struct {
	n      *network
	first  []int32 // of each box, its links in to
	to, at []int32
	flow   []int8 // by link: 1 from a to b, -1 from b to a
	links  []link
	seen   []int32 // by box, the search that came by last
	via    []int32 // the link by which
	search int32
	queue  []int32
}

func newPathFinder(n *network, links []link, up func(i int32) bool) *pathFinder {
	p := &pathFinder{
		n: n, first: make([]int32, len(n.forward)+1), flow: make([]int8, len(links)), links: links,
		seen: make([]int32, len(n.forward)), via: make([]int32, len(n.forward)),
	}
	for _, i := range n.links {
		if up(i) {
			p.first[links[i].a+1]++
			p.first[links[i].b+1]++
		}
	}
	for v := range n.forward {
		p.first[v+1] += p.first[v]
	}
	next := slices.Clone(p.first)
	p.to, p.at = make([]int32, p.first[len(n.forward)]), make([]int32, p.first[len(n.forward)])
	for _, i := range n.links {
		if up(i) {
			l := &links[i]
			p.to[next[l.a]], p.at[next[l.a]] = l.b, i
			next[l.a]++
			p.to[next[l.b]], p.at[next[l.b]] = l.a, i
			next[l.b]++
		}
	}
	return p
}

// between counts edge-disjoint paths between two boxes, up to most.
func (p *pathFinder) between(s, t int32, most int) int {
	var used []int32
	n := 0
	for n < most && p.augment(s, t, &used) {
		n++
	}
	for _, i := range used {
		p.flow[i] = 0
	}
	return n
}

// augment finds one path more.
func (p *pathFinder) augment(s, t int32, used *[]int32) bool {
	p.search++
	p.queue = append(p.queue[:0], s)
	p.seen[s] = p.search
	for head := 0; head < len(p.queue); head++ {
		v := p.queue[head]
		if v != s && !p.n.forward[v] {
			continue
		}
		for k := p.first[v]; k < p.first[v+1]; k++ {
			w, i := p.to[k], p.at[k]
			along := int8(1)
			if p.links[i].a != v {
				along = -1
			}
			if p.seen[w] == p.search || p.flow[i] == along {
				continue
			}
			p.seen[w], p.via[w] = p.search, i
			if w == t {
				p.push(s, t, used)
				return true
			}
			p.queue = append(p.queue, w)
		}
	}
	return false
}

func (p *pathFinder) push(s, t int32, used *[]int32) {
	for v := t; v != s; {
		i := p.via[v]
		l := &p.links[i]
		from, along := l.a, int8(1)
		if l.b != v {
			from, along = l.b, -1
		}
		p.flow[i] += along
		*used = append(*used, i)
		v = from
	}
}

// newFlows finds how many paths the ends have in both plans.
func newFlows(n *network, links []link, most int) (*flows, error) {
	f := &flows{most: most, wanted: map[[2]int32]int{}}
	in := func(side int) func(i int32) bool { return func(i int32) bool { return links[i].levels[side] != none } }
	f.groups = n.alike(links, in(0), in(1))
	groups := float64(len(f.groups))
	if groups*groups*float64(len(n.links))*float64(most) > mostFlowWork {
		return nil, &TooManyPathsError{Paths: most, Groups: len(f.groups), Links: len(n.links)}
	}
	finders := [2]*pathFinder{newPathFinder(n, links, in(0)), newPathFinder(n, links, in(1))}
	f.each(func(a, b int32, s, t int32) bool {
		has := finders[0].between(n.ends[s], n.ends[t], most)
		f.wanted[[2]int32{a, b}] = finders[1].between(n.ends[s], n.ends[t], has)
		return true
	})
	return f, nil
}

// alike groups ends by the boxes that they are linked to, in each of several states. Boxes that pass messages on are
// alone.
func (n *network) alike(links []link, states ...func(i int32) bool) [][]int32 {
	around := make(map[int32][][]int32, len(n.ends))
	for s, up := range states {
		for _, i := range n.links {
			if !up(i) {
				continue
			}
			l := &links[i]
			for _, ends := range [2][2]int32{{l.a, l.b}, {l.b, l.a}} {
				if v := ends[0]; n.isEnd[v] && !n.forward[v] {
					if around[v] == nil {
						around[v] = make([][]int32, len(states))
					}
					around[v][s] = append(around[v][s], ends[1])
				}
			}
		}
	}
	index := map[string]int{}
	var out [][]int32
	for e, v := range n.ends {
		var key []byte
		if n.forward[v] {
			key = binary.LittleEndian.AppendUint32(key, uint32(v))
		}
		for _, to := range around[v] {
			slices.Sort(to)
			for _, w := range to {
				key = binary.LittleEndian.AppendUint32(key, uint32(w))
			}
			key = append(key, '|')
		}
		at, ok := index[string(key)]
		if !ok {
			at = len(out)
			index[string(key)] = at
			out = append(out, nil)
		}
		out[at] = append(out[at], int32(e))
	}
	return out
}

// each yields pairs of groups with a box of each, a group with itself where it has two, until visit returns false.
func (f *flows) each(visit func(a, b int32, s, t int32) bool) {
	for a := range f.groups {
		for b := a; b < len(f.groups); b++ {
			s, t := f.groups[a][0], f.groups[b][0]
			if a == b {
				if len(f.groups[a]) < 2 {
					continue
				}
				t = f.groups[a][1]
			}
			if !visit(int32(a), int32(b), s, t) {
				return
			}
		}
	}
}

// enough tells whether all ends have as many paths as both plans have and are asked for, at most most.
func (n *network) enough(links []link, up func(i int32) bool, exempt []bool, most int) bool {
	f := n.flows
	if f == nil || most <= 1 {
		return true
	}
	p := newPathFinder(n, links, up)
	// Ends of a group may differ at the moment: one of each kind of them stands for the others.
	of := make([]int32, len(n.ends))
	for g, ends := range f.groups {
		for _, e := range ends {
			of[e] = int32(g)
		}
	}
	now := n.alike(links, up)
	finer := &flows{most: most}
	var coarse []int32
	for _, ends := range now {
		split := map[int32][]int32{}
		var order []int32
		for _, e := range ends {
			if exempt != nil && exempt[e] {
				continue
			}
			if split[of[e]] == nil {
				order = append(order, of[e])
			}
			split[of[e]] = append(split[of[e]], e)
		}
		for _, g := range order {
			finer.groups = append(finer.groups, split[g])
			coarse = append(coarse, g)
		}
	}
	ok := true
	finer.each(func(a, b int32, s, t int32) bool {
		x, y := coarse[a], coarse[b]
		want := min(f.wanted[[2]int32{min(x, y), max(x, y)}], most)
		ok = want == 0 || p.between(n.ends[s], n.ends[t], want) >= want
		return ok
	})
	return ok
}
