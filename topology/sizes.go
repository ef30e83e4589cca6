package topology

import (
	"cmp"
	"reflect"
	"slices"
	"sort"

	"github.com/plenum-planner/plenum/internal/arith"
	"github.com/plenum-planner/plenum/internal/cuboids"
	"github.com/plenum-planner/plenum/internal/spread"
)

// Size is a member of a family that a search by size found, with what an
// architect compares first. The counts are those of Count and RouterDegrees on
// the graph that New makes of Spec.
type Size struct {
	Spec      Spec
	Nodes     int   // vertices that inject: terminals, and nodes that forward as well
	Switches  int   // vertices that only forward
	Terminals int   // terminals on each router that carries some; 0 where node and router are one
	Ports     int   // channels at the router with the most
	Links     int64 // channels
	// Diameter is the longest distance between routers, or between nodes in the
	// families in which not every switch carries nodes and in rail-only; -1
	// where no closed form is known.
	Diameter int
}

// SizeQuery says which sizes are wanted.
type SizeQuery struct {
	MinNodes int // fewest nodes; zero means 1
	MaxNodes int // most nodes; zero means MaxVertices
	MaxPorts int // most ports of a router; zero means any number
	// Terminals puts so many nodes on each router of a family whose routers are nodes without them; none when zero.
	Terminals int
	// Limit is the most sizes that are wanted, up to 10,000; zero means 50.
	Limit int
}

// SizeList is sizes in ascending order of nodes, switches and links.
type SizeList struct {
	Sizes   []Size
	LeftOut int // how many more there are in the range
}

// The limits of SizeQuery.Limit.
const (
	defaultSizes = 50
	maxSizes     = 10_000
)

// SizesDoc says which members of a family Sizes regards; it is empty if there are
// none.
func SizesDoc(family string) string {
	if f := familyNamed(family); f != nil {
		return f.SizesDoc
	}
	return ""
}

// Sizes lists members of a family within a range of nodes and ports: the regular
// ones that a designer would consider, which the SizesDoc of the Family names, not
// all that New accepts.
//
// Of more than q.Limit, those are listed that are spread most evenly: the range
// of nodes is divided into steps of equal ratio, as many as the limit but at
// most 100, and every step gives its best, then its second best and so on. What
// is better is more regular (a cube before a cuboid, a full group before a
// partly used one), then lower in diameter, routers, links and nodes.
//
// The error joins a *diag.FieldError for every mistake, whose path is family,
// nodes, ports, terminals or limit.
func Sizes(family string, q SizeQuery) (SizeList, error) {
	m := &Mistakes{}
	f := familyNamed(family)
	switch {
	case f == nil:
		m.Add("family", "%s", unknownFamily(family))
	case f.Sizes == nil:
		m.Add("family", "the size of a %s is what its parameters say: there is nothing to search", family)
	}
	if q.MaxNodes == 0 {
		q.MaxNodes = MaxVertices
	}
	if q.MinNodes == 0 {
		q.MinNodes = 1
	}
	switch {
	case q.MinNodes < 1 || q.MaxNodes < 1 || q.MinNodes > MaxVertices || q.MaxNodes > MaxVertices:
		m.Add("nodes", "must be from 1 to %d, not %d to %d", MaxVertices, q.MinNodes, q.MaxNodes)
	case q.MinNodes > q.MaxNodes:
		m.Add("nodes", "the range ends at %d, before it begins at %d", q.MaxNodes, q.MinNodes)
	}
	m.Within("ports", q.MaxPorts, 1, MaxPorts)
	m.Within("limit", q.Limit, 1, maxSizes)
	m.Within("terminals", q.Terminals, 1, MaxPorts)
	if q.Terminals > 0 && f != nil && !f.takesTerminals() {
		m.Add("terminals", "is for families whose routers may be nodes: the sizes of a %s say how many nodes there "+
			"are on a switch", f.Name)
	}
	if q.MaxPorts > 0 && q.Terminals >= q.MaxPorts {
		m.Add("terminals", "%d nodes on a router leave none of its %d ports for links", q.Terminals, q.MaxPorts)
	}
	if !m.None() {
		return SizeList{}, m.err()
	}
	if t := q.Terminals; t > 0 {
		q.MinNodes, q.MaxNodes = arith.CeilDiv(q.MinNodes, t), min(q.MaxNodes/t, MaxVertices/(t+1))
		q.MaxPorts = max(0, q.MaxPorts-t)
		if q.MinNodes > q.MaxNodes {
			return SizeList{}, nil
		}
	}
	s := newSizeSearch(q)
	s.direct = q.Terminals > 0
	f.Sizes(s)
	list := s.result()
	for i := range list.Sizes {
		list.Sizes[i] = list.Sizes[i].withTerminals(q.Terminals)
	}
	return list, nil
}

// takesTerminals reports whether the routers of a family are nodes unless it has terminals, among its parameters.
func (f *Family) takesTerminals() bool {
	for _, p := range f.Params {
		if p.Name == "terminals" {
			return !p.Required
		}
	}
	return false
}

// withTerminals is a direct network with nodes on its routers; itself with none.
func (z Size) withTerminals(terminals int) Size {
	if terminals == 0 {
		return z
	}
	params := reflect.New(reflect.TypeOf(z.Spec.Params)).Elem()
	params.Set(reflect.ValueOf(z.Spec.Params))
	params.FieldByName("Terminals").SetInt(int64(terminals))
	z.Spec.Params = params.Interface().(Params)
	z.Switches, z.Terminals, z.Ports = z.Nodes, terminals, z.Ports+terminals
	z.Nodes *= terminals
	z.Links += int64(z.Nodes)
	if z.Switches == 1 && terminals > 1 { // the distance is that between terminals
		z.Diameter = 2
	}
	return z
}

// SizeSearch is a search for members of a family by size, to which the family's Sizes offers
// those that it has in the range. Counts come from closed forms, without building a graph:
// the widest range takes a fraction of a second.
type SizeSearch struct {
	MinNodes, MaxNodes int // the range, both included
	// Radix is the number of ports that the switches shall have at most, 0 if any will do.
	// Families whose switches have ports to choose offer first those that use them all.
	Radix    int
	MaxPorts int // Radix, or the most that a vertex may have

	direct bool // only networks whose routers are nodes
	found  *spread.Selection[Size]
}

func newSizeSearch(q SizeQuery) *SizeSearch {
	return &SizeSearch{
		MinNodes: q.MinNodes, MaxNodes: q.MaxNodes,
		Radix: q.MaxPorts, MaxPorts: cmp.Or(q.MaxPorts, MaxPorts),
		found: spread.New(q.MinNodes, q.MaxNodes, cmp.Or(q.Limit, defaultSizes), compareSizes),
	}
}

// compareSizes puts the better of two sizes that are equally regular first.
func compareSizes(a, b *Size) int {
	routers := func(z *Size) int {
		if z.Switches == 0 {
			return z.Nodes
		}
		return z.Switches
	}
	return cmp.Or(cmp.Compare(a.Diameter, b.Diameter), cmp.Compare(routers(a), routers(b)),
		cmp.Compare(a.Links, b.Links), cmp.Compare(a.Nodes, b.Nodes))
}

// result lists what was chosen in ascending order.
func (s *SizeSearch) result() SizeList {
	sizes, leftOut := s.found.ChosenValues()
	slices.SortStableFunc(sizes, func(a, b Size) int {
		return cmp.Or(cmp.Compare(a.Nodes, b.Nodes), cmp.Compare(a.Switches, b.Switches), cmp.Compare(a.Links, b.Links))
	})
	return SizeList{sizes, leftOut}
}

// fits reports whether a size respects the ports and can be built.
func (s *SizeSearch) fits(z Size) bool {
	return z.Ports <= s.MaxPorts && z.Nodes+z.Switches <= MaxVertices && !(s.direct && z.Switches > 0)
}

// Add offers one size, which is left out if it has too many or too few nodes, too many ports,
// or more vertices than can be numbered. Of two sizes the one of lower rank is more regular.
func (s *SizeSearch) Add(rank int, z Size) {
	if s.fits(z) {
		s.found.Add(rank, z.Nodes, z)
	}
}

// AddRun offers n sizes of which the i-th has base + slope i nodes. Those outside the range
// are left out; the ports and vertices of all others must be within the limits. From one to
// the next, the rank rises, or it stays and diameter, routers, links and nodes do not fall.
func (s *SizeSearch) AddRun(n, base, slope int, rank func(int) int, size func(int) Size) {
	s.found.AddRun(n, base, slope, rank, size)
}

// AddFittingRun is AddRun for sizes of which only the first, or only the last, may be within
// the limits of ports and vertices; it leaves out the others.
func (s *SizeSearch) AddFittingRun(n, base, slope int, rank func(int) int, size func(int) Size) {
	from := 0
	if n > 0 && !s.fits(size(0)) {
		from = sort.Search(n, func(i int) bool { return s.fits(size(i)) })
	} else {
		n = sort.Search(n, func(i int) bool { return !s.fits(size(i)) })
	}
	s.AddRun(n-from, base+slope*from, slope,
		func(i int) int { return rank(from + i) }, func(i int) Size { return size(from + i) })
}

// Ends is the ports of switches, and the numbers of nodes at which the range begins and ends,
// for families with members of any number of nodes.
func (s *SizeSearch) Ends() (radices, nodes []int) {
	radices = []int{32, 36, 40, 48, 64, 128}
	if s.Radix > 0 {
		radices = []int{s.Radix}
	}
	return radices, slices.Compact([]int{s.MinNodes, s.MaxNodes})
}

// Powers calls visit with n = base^exponent for the exponents from first on, while the power
// is at most MaxNodes. There are none of a base below 2.
func (s *SizeSearch) Powers(base, first int, visit func(exponent, n int)) {
	if base < 2 {
		return
	}
	n := int64(1)
	for e := 1; ; e++ {
		if n = arith.Times(n, int64(base)); n > int64(s.MaxNodes) {
			return
		}
		if e >= first {
			visit(e, int(n))
		}
	}
}

// Cuboids calls visit with the first n-1 sides of every near-cubic cuboid, in ascending order,
// and the bounds of the last: sides are multiples of unit and at least 2, the largest is at
// most twice the smallest, and scale times the points lies in the range. The sides are valid
// during the call only; points are their product.
func (s *SizeSearch) Cuboids(n, unit, scale int, visit func(sides []int, points, from, to int)) {
	cuboids.Visit(n, unit, arith.CeilDiv(s.MinNodes, scale), s.MaxNodes/scale, visit)
}
