package asbuilt

import (
	"encoding/binary"
	"iter"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/fabrics"
)

// link is a channel of either plan.
type link struct {
	a, b   int32 // boxes
	levels [2]int32
}

// none is the level of a link in a plan that does not have it.
const none = -1

// network is what has to stay connected by itself: the only topology of a machine, or a fabric.
type network struct {
	name    string  // of the fabric, "" of a machine with one topology
	links   []int32 // of both plans
	has     []bool  // by link: whether it is among them
	forward []bool  // by box: whether paths may lead through it
	ends    []int32 // boxes of both plans that send and receive
	isEnd   []bool  // by box
	// before holds what each end reaches in either plan: numbers of sets of parts, see reach.
	before [2][]int32
	sets   *partSets
	flows  *flows // nil where one path is kept
}

// networks finds the networks that both plans have.
func networks(plans [2]*machine.Result, boxes []Box, links []link, levels *names) []*network {
	var shared []string
	for _, f := range plans[0].Fabrics {
		if slices.ContainsFunc(plans[1].Fabrics, func(o *machine.Network) bool { return o.Name == f.Name }) {
			shared = append(shared, f.Name)
		}
	}
	if len(plans[0].Fabrics) == 0 || len(plans[1].Fabrics) == 0 {
		shared = []string{""}
	}
	var out []*network
	for _, name := range shared {
		n := &network{
			name: name, forward: make([]bool, len(boxes)), isEnd: make([]bool, len(boxes)),
			has: make([]bool, len(links)),
		}
		n.fill(plans, boxes, links, levels)
		if len(n.ends) > 0 {
			out = append(out, n)
		}
	}
	return out
}

// fill finds the links of a network and the boxes that they lead through and to. The network of a fabric with uplinks
// is that of the fabrics above as well, through which it may be connected.
func (n *network) fill(plans [2]*machine.Result, boxes []Box, links []link, levels *names) {
	kinds := fabricOfKinds(plans)
	whole := n.name == ""
	reached := n.above(kinds, boxes, links, levels)
	for v := range boxes {
		b := &boxes[v]
		n.forward[v] = b.forward || b.swtch && (whole || reached[kinds[b.Kind]])
	}
	touched := [2][]bool{make([]bool, len(boxes)), make([]bool, len(boxes))}
	for i, l := range links {
		for side, level := range l.levels {
			if level == none {
				continue
			}
			fabric, _, _ := strings.Cut(levels.text[level], "/")
			if (whole || reached[fabric]) && !n.has[i] {
				n.has[i] = true
				n.links = append(n.links, int32(i))
			}
			if whole || fabric == n.name {
				touched[side][l.a], touched[side][l.b] = true, true
			}
		}
	}
	for v := range boxes {
		b := &boxes[v]
		if touched[0][v] && touched[1][v] && b.From != nil && b.To != nil && (!b.swtch || !n.forward[v]) {
			n.ends = append(n.ends, int32(v))
			n.isEnd[v] = true
		}
	}
}

// fabricOfKinds is the fabric of every kind of switch.
func fabricOfKinds(plans [2]*machine.Result) map[string]string {
	kinds := map[string]string{}
	for _, p := range plans {
		for _, f := range p.Fabrics {
			for _, k := range f.Graph.Kinds() {
				if k.Role == topology.Switch {
					kinds[spec.KindName(f.Name, k.Name)] = f.Name
				}
			}
		}
	}
	return kinds
}

// above finds the fabrics that a network reaches by uplinks, itself among them.
func (n *network) above(kinds map[string]string, boxes []Box, links []link, levels *names) map[string]bool {
	reached := map[string]bool{n.name: true}
	for more := n.name != ""; more; {
		more = false
		for _, l := range links {
			for _, level := range l.levels {
				if level == none {
					continue
				}
				fabric, own, _ := strings.Cut(levels.text[level], "/")
				if own != fabrics.UplinkLevel || !reached[fabric] {
					continue
				}
				for _, v := range [2]int32{l.a, l.b} {
					if up, ok := kinds[boxes[v].Kind]; ok && !reached[up] {
						reached[up], more = true, true
					}
				}
			}
		}
	}
	return reached
}

// partSets numbers sets of the parts into which a network falls.
type partSets struct {
	number map[string]int32
	sets   [][]int32
	common map[[2]int32]bool
}

func newPartSets() *partSets {
	return &partSets{number: map[string]int32{}, common: map[[2]int32]bool{}}
}

func (s *partSets) of(parts []int32) int32 {
	slices.Sort(parts)
	parts = slices.Compact(parts)
	key := make([]byte, 0, 4*len(parts))
	for _, p := range parts {
		key = binary.LittleEndian.AppendUint32(key, uint32(p))
	}
	n, ok := s.number[string(key)]
	if !ok {
		n = int32(len(s.sets))
		s.number[string(key)] = n
		s.sets = append(s.sets, slices.Clone(parts))
	}
	return n
}

// meet reports whether two sets have a part in common.
func (s *partSets) meet(a, b int32) bool {
	if a == b {
		return len(s.sets[a]) > 0
	}
	key := [2]int32{min(a, b), max(a, b)}
	is, ok := s.common[key]
	if !ok {
		x, y := s.sets[a], s.sets[b]
		for len(x) > 0 && len(y) > 0 && !is {
			switch {
			case x[0] < y[0]:
				x = x[1:]
			case x[0] > y[0]:
				y = y[1:]
			default:
				is = true
			}
		}
		s.common[key] = is
	}
	return is
}

// forest is a union-find of boxes.
type forest []int32

func newForest(n int) forest {
	f := make(forest, n)
	for i := range f {
		f[i] = int32(i)
	}
	return f
}

func (f forest) root(v int32) int32 {
	for f[v] != v {
		f[v] = f[f[v]]
		v = f[v]
	}
	return v
}

// join joins the trees of two boxes; false if they are one already.
func (f forest) join(a, b int32) bool {
	a, b = f.root(a), f.root(b)
	f[max(a, b)] = min(a, b)
	return a != b
}

// plugs yields the ends that pass no messages on with what each of their links that are up leads to, and the number of
// the link. A link between two of them comes up for both.
func (n *network) plugs(links []link, up func(i int32) bool) iter.Seq2[[2]int32, int32] {
	return func(yield func(plug [2]int32, link int32) bool) {
		for _, i := range n.links {
			l := &links[i]
			if n.forward[l.a] && n.forward[l.b] || !up(i) {
				continue
			}
			for _, plug := range [2][2]int32{{l.a, l.b}, {l.b, l.a}} {
				if v := plug[0]; n.isEnd[v] && !n.forward[v] && !yield(plug, i) {
					return
				}
			}
		}
	}
}

// reach finds for every end the parts of the network that it is plugged into, with the links that up names: one for a
// box that forwards packets, and of any other those of all boxes that it is linked to. Two ends that share a part have
// a path between them.
func (n *network) reach(links []link, up func(i int32) bool, sets *partSets) []int32 {
	f := newForest(len(n.forward))
	for _, i := range n.links {
		if l := &links[i]; n.forward[l.a] && n.forward[l.b] && up(i) {
			f.join(l.a, l.b)
		}
	}
	parts := make(map[int32][]int32, len(n.ends))
	for plug, i := range n.plugs(links, up) {
		if v, w := plug[0], plug[1]; n.forward[w] {
			parts[v] = append(parts[v], f.root(w))
		} else { // a link between two ends is a part of its own
			parts[v] = append(parts[v], -1-i)
		}
	}
	out := make([]int32, len(n.ends))
	for e, v := range n.ends {
		if n.forward[v] {
			out[e] = sets.of([]int32{f.root(v)})
		} else {
			out[e] = sets.of(parts[v])
		}
	}
	return out
}

// class is ends that reach the same in both plans and at the moment.
type class struct {
	old, new, now int32
	ends          []int32 // indices in network.ends
}

// cut lists the ends that have to be left out so that all others that have a path between them in both plans have one
// with the links that up names. Those of the largest classes stay.
func (n *network) cut(links []link, up func(i int32) bool, exempt []bool) []int32 {
	now := newPartSets()
	reached := n.reach(links, up, now)
	index := map[[3]int32]int{}
	var classes []class
	for e := range n.ends {
		if exempt != nil && exempt[e] {
			continue
		}
		key := [3]int32{n.before[0][e], n.before[1][e], reached[e]}
		at, ok := index[key]
		if !ok {
			at = len(classes)
			index[key] = at
			classes = append(classes, class{old: key[0], new: key[1], now: key[2]})
		}
		classes[at].ends = append(classes[at].ends, int32(e))
	}
	slices.SortStableFunc(classes, func(a, b class) int { return len(b.ends) - len(a.ends) })
	var kept []*class
	var out []int32
	for i := range classes {
		c := &classes[i]
		bad := func(o *class) bool {
			return n.sets.meet(c.old, o.old) && n.sets.meet(c.new, o.new) && !now.meet(c.now, o.now)
		}
		if len(c.ends) > 1 && bad(c) || slices.ContainsFunc(kept, bad) {
			out = append(out, c.ends...)
			continue
		}
		kept = append(kept, c)
	}
	return out
}
