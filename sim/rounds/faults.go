package rounds

import "math"

// faults knows what has failed. A share of the links fails by a hash of the
// link, so that nothing is stored for any of them.
type faults struct {
	m      machine
	node   []bool // nil where no node failed
	chance uint64 // of a link, in units of 2^-64
	seed   uint64
	listed map[Edge]bool // normalised
	// live counts the working edges of each node, by level from 2 on.
	live [][]uint16
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
	if o.FailNodes == 0 && o.FailLinks == 0 && len(o.FailedNodes) == 0 && len(o.FailedLinks) == 0 {
		return nil
	}
	f := &faults{
		m: m, node: make([]bool, m.nodes), chance: chance(o.FailLinks),
		seed: mix(o.Seed + 0x5851f42d4c957f2d), listed: map[Edge]bool{},
	}
	most := chance(o.FailNodes)
	for v := range f.node {
		f.node[v] = most > 0 && mix(mix(f.seed)+uint64(v)) <= most
	}
	for _, v := range o.FailedNodes {
		f.node[v] = true
	}
	for _, e := range o.FailedLinks {
		f.listed[f.normal(e)] = true
	}
	return f
}

// normal is a name for a link that both directions, and edges that run beside
// each other, have in common.
func (f *faults) normal(e Edge) Edge {
	if e.Level > 0 && f.m.digit(int(e.From), e.Level+1) == int(e.From)%f.m.clique {
		e.Level = 0
	}
	if e.From > e.To {
		e.From, e.To = e.To, e.From
	}
	return e
}

// down tells whether an edge cannot be used. Level is an index into the graph's
// levels. Loops never fail.
func (f *faults) down(from, to, level int) bool {
	if f.node[to] || f.node[from] {
		return true
	}
	if from == to || f.chance == 0 && len(f.listed) == 0 {
		return false
	}
	e := f.normal(Edge{int32(from), int32(to), level})
	if f.chance > 0 && mix(mix(f.seed+uint64(e.Level)+1)^(uint64(e.From)<<32|uint64(e.To))) <= f.chance {
		return true
	}
	return f.listed[e]
}

// count fills in live for the nodes lo to hi-1.
func (f *faults) count(lo, hi int) {
	for k := 2; k <= f.m.levels; k++ {
		for v := lo; v < hi; v++ {
			n := uint16(0)
			for e := range f.m.edges() {
				if !f.down(v, f.m.along(v, k, e), k-1) {
					n++
				}
			}
			f.live[k-2][v] = n
		}
	}
}

// leads tells whether a node can pass messages on over its edges of level k.
func (f *faults) leads(v, k int) bool { return f.live[k-2][v] > 0 }

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

// along is where edge e of level k leads: digit k becomes the last digit, and
// the last digit e, or the old digit k in the bundled form.
func (m *machine) along(v, k, e int) int {
	i, j := m.digit(v, k), v%m.clique
	if m.bundled {
		e = i
	}
	return v + (j-i)*m.power[k-1] - j + e
}
