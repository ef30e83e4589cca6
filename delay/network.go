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
	finest   = 32  // bits of a nanosecond that are kept at most
	coarsest = 10  // and at least
	perMetre = 1e4 // lengths are kept in 0.1 mm
	maxArcs  = math.MaxUint32
)

// A key is a delay above a length: delay<<lenBits | length. Keys of consecutive
// arcs add up to the key of the path, and the least key belongs to the fastest
// path, the shortest one among equals.
type scale struct {
	lenBits  uint // of a path
	timeBits int  // a delay counts in 2^-timeBits ns
	maxTime  uint64
}

func (s scale) split(key uint64) (time, length uint64) {
	return key >> s.lenBits, key & (1<<s.lenBits - 1)
}

// quanta rounds a time in nanoseconds.
func (s scale) quanta(ns float64) uint64 { return uint64(math.Round(math.Ldexp(ns, s.timeBits))) }

// ns converts a number of time quanta.
func (s scale) ns(v float64) float64 { return math.Ldexp(v, -s.timeBits) }

type arc struct{ to, weight uint32 }

// weight is a key and its delay once more as a floating-point number.
type weight struct {
	key  uint64
	time float64
}

// end is an injecting vertex as seen from its place in the network: the vertex
// itself, whose delay it takes to begin there, or a terminal behind a single link.
type end struct {
	up, down uint64 // keys of entering the network, with the delay of the source itself, and of leaving it
	hops     uint64 // 1 for a terminal behind a link
}

// bundle is a number of ends with the same delay.
type bundle struct{ time, count uint64 }

// place sums up the ends at a vertex as targets.
type place struct {
	count, hops, time, length uint64 // sums
	maxHops                   uint64
	maxTime, maxLength        uint64
	down                      uint32 // delays of leaving: number in network.downs
}

// network is a graph without the terminals that hang on a single link.
// Vertices that forward come first.
type network struct {
	scale
	forward uint32 // vertices below this forward
	first   []uint32
	arcs    []arc
	weights []weight
	places  []place    // different ones
	placeOf []uint32   // that of every vertex
	downs   [][]bundle // different lists of delays of leaving
	endsOf  []int32    // ends of v are ends[endsOf[v]:endsOf[v+1]]
	ends    []end
	plain   bool    // every vertex is its own only end, and all take the same delay as a source
	own     uint64  // that delay
	order   []int32 // vertices of the graph
	more    uint64  // hops that a path which is not hop-minimal has more at least
	// lattice is that of rows, nil for none, once it was looked for.
	lattice *lattice
	looked  bool
}

func (n *network) vertices() int { return len(n.first) - 1 }

// at is the place at a vertex.
func (n *network) at(v uint32) *place { return &n.places[n.placeOf[v]] }

// reduction says where the vertices of a graph went.
type reduction struct {
	index []int32 // in the network, -1 for a terminal on a single link
	order []int32 // vertices of the graph in the order of the network
}

// reduce numbers the network's vertices. With keep, no terminal is removed.
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

// kindsOf spreads the kinds over the vertices.
func kindsOf(kinds []topology.Kind, n int) []int32 {
	of := make([]int32, n)
	for i, k := range kinds {
		for v := k.First; v < k.First+k.Count; v++ {
			of[v] = int32(i)
		}
	}
	return of
}

// newNetwork compiles a graph for searching.
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

// longest bounds the hops of a shortest path: twice the depth of a search from
// any forwarding vertex of a component, and a terminal at each end.
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

// fit chooses how many bits of a key go to the length and to fractions of a
// nanosecond, such that a path fits a key and the sum over all targets an
// integer.
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

// weigh gives the arcs their weights. There are few different ones in a real
// machine, so that the table of them stays in the cache.
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
	last := 0 // what is next to each other is often alike
	for i, k := range keys {
		if all[last] != k {
			last, _ = slices.BinarySearch(all, k)
		}
		n.arcs[i].weight = uint32(last)
	}
}

// fewKeys is how many different keys are found without sorting all.
const fewKeys = 1 << 10

// distinct lists the different keys, the least first.
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

// place lists the ends at every vertex.
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

// downLists numbers the different lists of delays.
type downLists map[string]uint32

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

// sumUp sums up ends; to times it appends those of leaving.
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

// bundleUp appends the different times and how often each stands; it sorts
// times.
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
