package rounds

import (
	"math"
	"math/bits"

	"github.com/plenum-planner/plenum/internal/splitmix"
)

// faults knows what has failed. A share of the links fails by a hash of the
// link; what is left of the edges of each node is kept as bits.
type faults struct {
	m      machine
	node   []bool // nil where no node failed
	chance uint64 // of a link, in units of 2^-64
	seed   uint64
	listed map[Edge]bool // normalised
	// good has a bit for each edge of each node that can be used, by level; a row
	// has stride words. On level 1, edge e leads to the node with last digit e.
	good   [][]uint64
	stride int
}

// chance turns a probability below 1 into units of 2^-64.
func chance(p float64) uint64 {
	if p >= 1 {
		return math.MaxUint64
	}
	return uint64(math.Ldexp(p, 64))
}

// newFaults draws what fails; nil where nothing does.
func newFaults(o *Options, m machine) *faults {
	if !o.fails() {
		return nil
	}
	f := &faults{
		m: m, node: make([]bool, m.nodes), chance: chance(o.FailLinks),
		seed: splitmix.Mix(o.Seed + 0x5851f42d4c957f2d), listed: map[Edge]bool{},
	}
	most := chance(o.FailNodes)
	for v := range f.node {
		f.node[v] = most > 0 && splitmix.Mix(splitmix.Mix(f.seed)+uint64(v)) <= most
	}
	for _, v := range o.FailedNodes {
		f.node[v] = true
	}
	for _, e := range o.FailedLinks {
		f.listed[f.normal(e)] = true
	}
	f.stride = (m.clique + 63) / 64
	for range m.levels {
		f.good = append(f.good, make([]uint64, m.nodes*f.stride))
	}
	return f
}

// normal is a name for a link that both directions, and edges that run beside
// each other, have in common.
func (f *faults) normal(e Edge) Edge {
	if int(e.From)/f.m.clique == int(e.To)/f.m.clique {
		e.Level = 0
	}
	if e.From > e.To {
		e.From, e.To = e.To, e.From
	}
	return e
}

// isDown reports whether an edge cannot be used. Level is an index into the graph's
// levels. Loops never fail.
func (f *faults) isDown(from, to, level int) bool {
	if f.node[to] || f.node[from] {
		return true
	}
	if from == to || f.chance == 0 && len(f.listed) == 0 {
		return false
	}
	e := f.normal(Edge{int32(from), int32(to), level})
	ends := uint64(e.From)<<32 | uint64(e.To)
	if f.chance > 0 && splitmix.Mix(splitmix.Mix(f.seed+uint64(e.Level)+1)^ends) <= f.chance {
		return true
	}
	return len(f.listed) > 0 && f.listed[e]
}

// mark fills in good for the nodes lo to hi-1.
func (f *faults) mark(lo, hi int) {
	for level := range f.m.levels {
		edges := f.m.edges()
		if level == 0 {
			edges = f.m.clique
		}
		for v := lo; v < hi; v++ {
			row := f.row(v, level)
			for e := range edges {
				to := v - v%f.m.clique + e
				if level > 0 {
					to = f.m.along(v, level+1, e)
				}
				if !f.isDown(v, to, level) {
					row[e/64] |= 1 << (e % 64)
				}
			}
		}
	}
}

func (f *faults) row(v, level int) []uint64 {
	return f.good[level][v*f.stride : (v+1)*f.stride]
}

// edges fills pool with the edges of a node that can be used, and returns how
// many they are. Level is an index into the graph's levels.
func (f *faults) edges(v, level int, pool []uint16) int {
	n := 0
	for i, word := range f.row(v, level) {
		for ; word != 0; word &= word - 1 {
			pool[n] = uint16(i*64 + bits.TrailingZeros64(word))
			n++
		}
	}
	return n
}

// works reports whether a node can use its edge e of level k.
func (f *faults) works(v, k, e int) bool { return f.row(v, k-1)[e/64]>>(e%64)&1 != 0 }

// live is the number of edges of level k that a node can use.
func (f *faults) live(v, k int) int {
	n := 0
	for _, word := range f.row(v, k-1) {
		n += bits.OnesCount64(word)
	}
	return n
}

// isBroken reports whether a link between two nodes of a clique cannot be used.
func (f *faults) isBroken(from, to int) bool {
	return !f.works(from, 1, to%f.m.clique)
}

// leads reports whether a node can pass messages on over its edges of level k.
func (f *faults) leads(v, k int) bool { return f.live(v, k) > 0 }

// machine is the shape of a clex.
type machine struct {
	clique, levels, nodes int
	bundled               bool
	power                 []int // of the clique size
}

func newMachine(clique, levels int, bundled bool) machine {
	m := machine{clique: clique, levels: levels, bundled: bundled, power: []int{1}}
	for k := range levels {
		m.power = append(m.power, m.power[k]*clique)
	}
	m.nodes = m.power[levels]
	return m
}

// digit is digit k of a node, counted from 1.
func (m *machine) digit(v, k int) int { return v / m.power[k-1] % m.clique }

// edges is the number of edges that a node has on each level above 1.
func (m *machine) edges() int {
	if m.bundled {
		return 1
	}
	return m.clique
}

// along is where edge e of level k leads: the last digit becomes digit k, e the digit
// below, and what was between the two moves down by a place. In the bundled form e is
// the old digit k, and a node stays where it is if that equals the last.
func (m *machine) along(v, k, e int) int {
	size := m.power[k-1]
	i, j := v/size%m.clique, v%m.clique
	if m.bundled {
		if i == j {
			return v
		}
		e = i
	}
	return v/m.power[k]*m.power[k] + j*size + e*m.power[k-2] + v%size/m.clique
}
