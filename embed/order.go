package embed

import (
	"math/rand/v2"
	"slices"

	"github.com/plenum-planner/plenum/topology"
)

// sequence is an order of vertices with the levels of groups that should stay together.
type sequence struct {
	order     []int32
	groupings []groupLevel // finest first
	seal      []bool       // order[i] starts a new chassis; nil for never
}

// groupLevel is one level of groups of a sequence.
type groupLevel struct {
	of   []int32 // number of the group of order[i]; a group is a run of equal numbers
	hard bool    // every group has a rack to itself, and fits into it
	own  bool    // every group has racks to itself
	row  bool    // every group starts a new row
}

// wanted reports whether a sequence is to contain vertex v.
type wanted func(v int32) bool

// byHierarchy orders vertices by their groups in the topology, first by the coarsest level, and by
// number within the finest groups. Vertices without a group of the coarsest level come last.
func byHierarchy(g topology.Graph, want wanted) sequence {
	groupings := g.Groupings()
	n := topology.Vertices(g)
	s := sequence{order: make([]int32, 0, n)}
	for v := range int32(n) {
		if want(v) {
			s.order = append(s.order, v)
		}
	}
	of := make([][]int32, len(groupings))
	for k, grouping := range groupings {
		of[k] = make([]int32, n)
		for _, v := range s.order {
			of[k][v] = grouping.Of(int(v))
		}
	}
	inOrder := func(a, b int32) int {
		for k := len(of) - 1; k >= 0; k-- {
			ga, gb := uint32(of[k][a]), uint32(of[k][b]) // -1 sorts last
			if ga != gb {
				if ga < gb {
					return -1
				}
				return 1
			}
		}
		return 0
	}
	if !slices.IsSortedFunc(s.order, inOrder) {
		slices.SortStableFunc(s.order, inOrder)
	}
	for k := range of {
		s.groupings = append(s.groupings, groupLevel{of: pick(of[k], s.order)})
	}
	return s
}

// pick returns the group of every vertex of an order. A vertex without a group gets a group of its own, with a negative
// number.
func pick(of, order []int32) []int32 {
	out := make([]int32, len(order))
	alone := int32(-1)
	for i, v := range order {
		if out[i] = of[v]; out[i] < 0 {
			out[i] = alone
			alone--
		}
	}
	return out
}

// shuffledOrder returns a random order without groups.
func shuffledOrder(g topology.Graph, want wanted, seed uint64) sequence {
	s := sequence{}
	for v := range int32(topology.Vertices(g)) {
		if want(v) {
			s.order = append(s.order, v)
		}
	}
	r := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	r.Shuffle(len(s.order), func(i, j int) { s.order[i], s.order[j] = s.order[j], s.order[i] })
	return s
}

// split divides a sequence into the vertices that are in groups of the coarsest level and those that are not, such as
// the spines of a tree. If there are no groups, or all or none are in one, it returns the sequence as it is.
func (s sequence) split(g topology.Graph) (nested sequence, loose []int32) {
	groupings := g.Groupings()
	if len(groupings) == 0 {
		return s, nil
	}
	coarsest := groupings[len(groupings)-1]
	n := len(s.order)
	for n > 0 && coarsest.Of(int(s.order[n-1])) < 0 { // they come last
		n--
	}
	if n == 0 || n == len(s.order) {
		return s, nil
	}
	loose = s.order[n:]
	nested = sequence{order: s.order[:n]}
	for _, grouping := range s.groupings {
		grouping.of = grouping.of[:n]
		nested.groupings = append(nested.groupings, grouping)
	}
	if s.seal != nil {
		nested.seal = s.seal[:n]
	}
	return nested, loose
}
