package delay

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/topology"
)

const (
	finest   = 32  // delays are rounded to 2^-finest ns at the finest
	coarsest = 10  // and to 2^-coarsest ns at the coarsest
	perMetre = 1e4 // lengths are rounded to 0.1 mm
	maxArcs  = math.MaxUint32
)

// scale is the format of keys. A key combines a delay and a length: delay<<lenBits | length. The keys of the arcs of a
// path add up to the key of the path, and the lowest key belongs to the fastest path, and to the shortest one of
// equally fast paths.
type scale struct {
	lenBits  uint   // bits of the length, in 0.1 mm
	timeBits int    // the unit of delays is 2^-timeBits ns
	maxTime  uint64 // upper bound of the delay of a path
}

// split returns the delay and the length of a key.
func (s scale) split(key uint64) (time, length uint64) {
	return key >> s.lenBits, key & (1<<s.lenBits - 1)
}

// quanta converts nanoseconds to the unit of delays, rounded.
func (s scale) quanta(ns float64) uint64 { return uint64(math.Round(math.Ldexp(ns, s.timeBits))) }

// ns converts a delay from the unit of delays to nanoseconds.
func (s scale) ns(v float64) float64 { return math.Ldexp(v, -s.timeBits) }

// arc is one direction of a link: the vertex that it leads to, and the index of its weight in network.weights.
type arc struct{ to, weight uint32 }

// weight is the key of an arc, and its delay as a floating-point number.
type weight struct {
	key  uint64
	time float64
}

// end is an injecting vertex, seen from a vertex of the network: that vertex itself, or a terminal whose single link
// leads to it.
type end struct {
	up, down uint64 // keys of entering the network, with the delay of the source itself, and of leaving it
	hops     uint64 // 1 for a terminal behind a link
}

// bundle is a number of ends with the same delay.
type bundle struct{ time, count uint64 }

// place sums up the ends at a vertex as targets of paths.
type place struct {
	count, hops, time, length uint64 // number of ends, and sums over them from the vertex on
	maxHops                   uint64
	maxTime, maxLength        uint64
	down                      uint32 // index in network.downs of the delays of leaving
}

// network is a graph in the form that is searched: without the terminals that have a single link.
// Vertices that forward packets come first.
type network struct {
	scale
	forward uint32 // vertices below this forward
	first   []uint32
	arcs    []arc
	weights []weight
	places  []place    // the different places
	placeOf []uint32   // index in places of every vertex
	downs   [][]bundle // different lists of delays of leaving
	endsOf  []int32    // ends of v are ends[endsOf[v]:endsOf[v+1]]
	ends    []end
	plain   bool     // every vertex is its own only end, and all have the same delay as a source
	own     uint64   // that delay, if plain
	order   []int32  // number in the graph of every vertex
	more    uint64   // result of moreHops
	lattice *lattice // result of rows, if looked is true
	looked  bool
	tree    *tree // result of newTree in methodFor, nil before
}

func (n *network) vertices() int { return len(n.first) - 1 }

// at returns the place of a vertex.
func (n *network) at(v uint32) *place { return &n.places[n.placeOf[v]] }

// reduction maps the vertices of a graph to those of its network.
type reduction struct {
	index []int32 // number in the network of every vertex, -1 for a terminal with a single link
	order []int32 // vertices of the graph in the order of the network
}

// reduce numbers the network's vertices, and returns how many of them forward packets. With keep, no terminal is
// removed.
func reduce(kinds []topology.Kind, c *topology.CSR, keep bool) (r reduction, forward int) {
	roles := make([]topology.Role, c.Vertices())
	for _, k := range kinds {
		for v := k.First; v < k.First+k.Count; v++ {
			roles[v] = k.Role
		}
	}
	r.index = make([]int32, len(roles))
	for v, role := range roles {
		if role != topology.Terminal {
			r.index[v] = int32(len(r.order))
			r.order = append(r.order, int32(v))
		}
	}
	forward = len(r.order)
	for v, role := range roles {
		if role != topology.Terminal {
			continue
		}
		if to := c.Neighbours(v); !keep && len(to) == 1 && roles[to[0]] != topology.Terminal {
			r.index[v] = -1
			continue
		}
		r.index[v] = int32(len(r.order))
		r.order = append(r.order, int32(v))
	}
	return r, forward
}

// kindsOf returns the index of the kind of each of n vertices.
func kindsOf(kinds []topology.Kind, n int) []int32 {
	of := make([]int32, n)
	for i, k := range kinds {
		for v := k.First; v < k.First+k.Count; v++ {
			of[v] = int32(i)
		}
	}
	return of
}

// newNetwork returns the network of a graph with adjacency c. With keep, terminals with a single link are not removed.
func newNetwork(kinds []topology.Kind, c *topology.CSR, m Model, l Links, keep bool) (*network, error) {
	r, forward := reduce(kinds, c, keep)
	n := &network{forward: uint32(forward), order: r.order}
	if err := n.copyArcs(c, r); err != nil {
		return nil, err
	}
	injectors := 0
	for _, k := range kinds {
		if k.Role != topology.Switch {
			injectors += k.Count
		}
	}
	if err := n.fit(n.longest(), injectors, m, l); err != nil {
		return nil, err
	}
	kind := kindsOf(kinds, c.Vertices())
	key := func(link int32, to int32) uint64 {
		length, medium := l.At(int(link))
		d := float64(m.Arc(length, medium, int(kind[to])))
		return n.quanta(d)<<n.lenBits | uint64(math.Round(float64(length)*perMetre))
	}
	n.weigh(c, r, key)
	n.more = n.moreHops()
	n.place(kinds, kind, m, injectors, c, r, key)
	return n, nil
}

// copyArcs copies the arcs between the network's vertices, without weights.
func (n *network) copyArcs(c *topology.CSR, r reduction) error {
	count := 0
	for _, to := range c.To {
		if r.index[to] >= 0 {
			count++
		}
	}
	if count > maxArcs {
		return fmt.Errorf("delay: %d arcs; the limit is %d", count, maxArcs)
	}
	n.first = make([]uint32, 1, len(r.order)+1)
	n.arcs = make([]arc, 0, count)
	for _, v := range r.order {
		for _, to := range c.Neighbours(int(v)) {
			if i := r.index[to]; i >= 0 {
				n.arcs = append(n.arcs, arc{to: uint32(i)})
			}
		}
		n.first = append(n.first, uint32(len(n.arcs)))
	}
	return nil
}

// longest returns an upper bound of the hops of a hop-minimal path: twice the depth of a search from
// one forwarding vertex of each component, and two for a terminal at each end.
func (n *network) longest() int {
	seen := make([]bool, n.forward)
	queue := make([]uint32, 0, n.forward)
	deepest := 0
	for root := range seen {
		if seen[root] {
			continue
		}
		seen[root] = true
		queue = append(queue[:0], uint32(root))
		for depth, at := 0, 0; at < len(queue); depth++ {
			deepest = max(deepest, depth)
			for stop := len(queue); at < stop; at++ {
				for _, a := range n.arcs[n.first[queue[at]]:n.first[queue[at]+1]] {
					if a.to < n.forward && !seen[a.to] {
						seen[a.to] = true
						queue = append(queue, a.to)
					}
				}
			}
		}
	}
	return 2*deepest + 2
}

// fit sets the scale such that the delay and length of a path of at most so many hops fit into a key, and sums
// of keys over all injecting vertices into 64 bits. It returns an error if delays would be too coarse.
func (n *network) fit(hops, injectors int, m Model, l Links) error {
	var length, time, hop float64
	for _, h := range m.Hop {
		hop = max(hop, float64(h))
	}
	for i := range l.length {
		x, medium := l.At(i)
		length = max(length, float64(x))
		time = max(time, float64(m.Wire(x, medium))+hop)
	}
	// One quantum of length and a nanosecond more per arc make room for rounding.
	length = (length + 1/perMetre) * float64(hops)
	time = (time+1)*float64(hops) + hop + 1 // the last is of the source
	_, lengthBits := math.Frexp(length * perMetre)
	_, nsBits := math.Frexp(time)
	targetBits := bits.Len(uint(injectors))
	n.lenBits = uint(max(lengthBits, 0))
	n.timeBits = min(finest, 63-lengthBits-nsBits, 61-targetBits-nsBits)
	if n.timeBits < coarsest || lengthBits+targetBits > 62 {
		return diag.Fieldf("", "paths of up to %d hops, %.4g m and %.4g ns are too long to be summed over %d vertices",
			hops, length, time, injectors)
	}
	n.maxTime = uint64(math.Ldexp(time, n.timeBits))
	return nil
}

// weigh sets the weights of the arcs. There are few different ones in a real machine, so that their table stays in the
// cache of a core.
func (n *network) weigh(c *topology.CSR, r reduction, key func(link, to int32) uint64) {
	each := func(do func(i int, key uint64)) {
		i := 0
		for _, v := range r.order {
			for a := c.First[v]; a < c.First[v+1]; a++ {
				if r.index[c.To[a]] >= 0 {
					do(i, key(c.Link[a], c.To[a]))
					i++
				}
			}
		}
	}
	keys := make([]uint64, len(n.arcs))
	each(func(i int, k uint64) { keys[i] = k })
	all := distinct(keys)
	for _, k := range all {
		time, _ := n.split(k)
		n.weights = append(n.weights, weight{k, float64(time)})
	}
	last := 0 // adjacent arcs often have the same key
	for i, k := range keys {
		if all[last] != k {
			last, _ = slices.BinarySearch(all, k)
		}
		n.arcs[i].weight = uint32(last)
	}
}

// fewKeys is the number of different keys beyond which distinct sorts all keys.
const fewKeys = 1 << 10

// distinct lists the different keys in rising order.
func distinct(keys []uint64) []uint64 {
	seen := map[uint64]bool{}
	last := uint64(0)
	for i, k := range keys {
		if i > 0 && k == last {
			continue
		}
		last = k
		if seen[k] = true; len(seen) > fewKeys {
			all := slices.Clone(keys)
			slices.Sort(all)
			return slices.Compact(all)
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// place sets the ends and places of all vertices, and plain and own.
func (n *network) place(kinds []topology.Kind, kind []int32, m Model, injectors int, c *topology.CSR, r reduction,
	key func(link, to int32) uint64,
) {
	start := make([]uint64, len(kinds)) // keys
	for i := range kinds {
		start[i] = n.quanta(float64(m.Start(i))) << n.lenBits
	}
	n.plain = true
	lists := downLists{}
	n.endsOf = make([]int32, 1, len(r.order)+1)
	n.placeOf = make([]uint32, len(r.order))
	number := map[place]uint32{}
	n.ends = make([]end, 0, injectors)
	var times []uint64
	var list []bundle
	for i, v := range r.order {
		from := len(n.ends)
		if kinds[kind[v]].Role != topology.Switch {
			n.ends = append(n.ends, end{up: start[kind[v]]})
		}
		for a := c.First[v]; a < c.First[v+1]; a++ {
			if r.index[c.To[a]] < 0 {
				n.ends = append(n.ends, end{
					up: start[kind[c.To[a]]] + key(c.Link[a], v), down: key(c.Link[a], c.To[a]), hops: 1,
				})
			}
		}
		n.endsOf = append(n.endsOf, int32(len(n.ends)))
		ends := n.ends[from:]
		n.plain = n.plain && len(ends) == 1 && ends[0] == end{up: n.ends[0].up}
		var p place
		p, times = n.sumUp(ends, times[:0])
		list = bundleUp(list[:0], times)
		p.down = lists.number(n, list)
		at, known := number[p]
		if !known {
			at = uint32(len(n.places))
			number[p] = at
			n.places = append(n.places, p)
		}
		n.placeOf[i] = at
	}
	if n.plain && len(n.ends) > 0 {
		n.own, _ = n.split(n.ends[0].up)
	}
}

// downLists has the number of each list in network.downs, by its bytes.
type downLists map[string]uint32

// number returns the number of a list, which it adds if it is new.
func (d downLists) number(n *network, list []bundle) uint32 {
	if last := len(n.downs) - 1; last >= 0 && slices.Equal(n.downs[last], list) {
		return uint32(last)
	}
	key := make([]byte, 0, 16*len(list))
	for _, b := range list {
		key = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(key, b.time), b.count)
	}
	i, known := d[string(key)]
	if !known {
		i = uint32(len(n.downs))
		n.downs = append(n.downs, slices.Clone(list))
		d[string(key)] = i
	}
	return i
}

// sumUp returns the place of ends, except for down; it appends their delays of leaving to times.
func (n *network) sumUp(ends []end, times []uint64) (place, []uint64) {
	p := place{count: uint64(len(ends))}
	for _, e := range ends {
		time, length := n.split(e.down)
		p.hops += e.hops
		p.time += time
		p.length += length
		p.maxHops = max(p.maxHops, e.hops)
		p.maxTime = max(p.maxTime, time)
		p.maxLength = max(p.maxLength, length)
		times = append(times, time)
	}
	return p, times
}

// bundleUp appends the different times and the number of each; it sorts times.
func bundleUp(out []bundle, times []uint64) []bundle {
	slices.Sort(times)
	for i, t := range times {
		if i > 0 && t == times[i-1] {
			out[len(out)-1].count++
			continue
		}
		out = append(out, bundle{t, 1})
	}
	return out
}
