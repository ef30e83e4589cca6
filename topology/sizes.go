package topology

import (
	"cmp"
	"math"
	"slices"
	"sort"
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
	// Limit is the most sizes that are wanted, up to 10,000; zero means 50.
	Limit int
}

// SizeList is sizes in ascending order of nodes, switches and links.
type SizeList struct {
	Sizes   []Size
	LeftOut int // how many more there are in the range
}

// The limits of SizeQuery.Limit, and the most steps that a range is divided in.
const (
	defaultSizes = 50
	maxSizes     = 10_000
	maxSteps     = 100
)

// A sizer offers the members of a family that its doc, for users, names.
type sizer struct {
	offer func(*sizeSearch)
	doc   string
}

// sizers has every family but those from files, which have no sizes.
var sizers = map[string]sizer{
	"torus":     {torusSizes, "two to six dimensions, the longest side at most twice the shortest"},
	"mesh":      {meshSizes, "two to six dimensions, the longest side at most twice the shortest"},
	"hypercube": {hypercubeSizes, "all"},
	"ibt": {
		ibtSizes,
		"two to four dimensions, sides equal but for the last, which is up to twice as long; bypass rings in one to " +
			"all of them; one or two lengths, up to half a side and 12 times the least",
	},
	"pec":             {pecSizes, "all"},
	"srt":             {srtSizes, "all"},
	"rdt":             {rdtSizes, "the longer side at most twice the shorter"},
	"ccc":             {cccSizes, "all"},
	"barrel-shifter":  {barrelShifterSizes, "all"},
	"de-bruijn":       {deBruijnSizes, "two digits or more"},
	"hybrid-fat-tree": {hybridFatTreeSizes, "all"},
	"clex":            {clexSizes, "two levels or more, bundled and full"},
	"hyperx": {
		hyperXSizes,
		"one to eight equal sides of S switches, 1 to 4 channels wide, with terminals for a relative bisection of " +
			"1/2 and 1; with --ports also those with the fewest switches at many points of the range",
	},
	"flattened-butterfly": {flattenedButterflySizes, "k-ary n-flats: n-1 sides of k switches with k nodes each"},
	"k-ary-n-tree":        {kAryNTreeSizes, "two levels or more"},
	"thin-tree":           {thinTreeSizes, "two levels or more, fewer up than down ports"},
	"fat-tree": {
		fatTreeSizes,
		"full trees of two and three tiers with tapers 1, 2 and 3; of switches of --ports ports also any number of " +
			"leaves or pods; trees for the nodes at both ends of the range",
	},
	"folded-clos": {
		foldedClosSizes,
		"full networks of two tiers or more with tapers 1, 2 and 3, of switches with an even number of ports; " +
			"networks for the nodes at both ends of the range",
	},
	"dragonfly": {
		dragonflySizes,
		"groups of h to 4h switches with h/2 to 2h nodes each, as many as there can be; with a = 2p = 2h also fewer; " +
			"nodes that are their own switches",
	},
	"dragonfly-plus": {
		dragonflyPlusSizes,
		"k leaves, k spines and k global ports, k/2 to 2k nodes on a leaf, as many groups as there can be; with k " +
			"nodes also fewer",
	},
	"moore": {mooreSizesOf, "all"},
	"slim-fly": {
		slimFlySizes,
		"every prime power, with half as many nodes as links on a router, one fewer, one more, and none",
	},
	"polarfly": {
		polarFlySizes,
		"every prime power, with half as many nodes as links on a router, one fewer, one more, and none",
	},
	"angelfish":   {angelfishSizes, "all"},
	"flying-fish": {flyingFishSizes, "all"},
	"random-regular": {
		randomRegularSizes,
		"4, 5, 6 and 7 times powers of two, and the ends of the range; 3, 4, 6, 8, 12, ... 128 links with none, half " +
			"and as many nodes; with --ports a quarter, a third and half of the ports for nodes",
	},
	"rail-only": {
		railOnlySizes,
		"4, 8 and 16 rails; full rails of one to three tiers; of switches of --ports ports also any number of leaves " +
			"or pods; rails for the servers at both ends of the range",
	},
	"bcube": {bcubeSizes, "two levels or more"},
	"dcell": {dcellSizes, "two levels or more"},
	"hammingmesh": {
		hammingMeshSizes,
		"square boards of side 2, 4 and 8, at most twice as many rows of boards as columns",
	},
}

// SizesDoc says which members of a family Sizes regards; it is empty if there are
// none.
func SizesDoc(family string) string { return sizers[family].doc }

// Sizes lists members of a family within a range of nodes and ports: the regular
// ones that a designer would consider, which SizesDoc names, not all that New
// accepts.
//
// Of more than q.Limit, those are listed that are spread most evenly: the range
// of nodes is divided into steps of equal ratio, as many as the limit but at
// most 100, and every step gives its best, then its second best and so on. What
// is better is more regular (a cube before a cuboid, a full group before a
// partly used one), then lower in diameter, routers, links and nodes.
//
// The error joins a *ParamError for every mistake, whose Param is family,
// nodes, ports or limit.
func Sizes(family string, q SizeQuery) (SizeList, error) {
	m := &Mistakes{}
	search := sizers[family].offer
	switch {
	case familyNamed(family) == nil:
		m.Add("family", "%s", unknownFamily(family))
	case search == nil:
		m.Add("family", "a graph in a file has the size it has: there is nothing to search")
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
	if !m.None() {
		return SizeList{}, m.err()
	}
	s := newSizeSearch(family, q)
	search(s)
	return s.result(), nil
}

// sizeSearch collects the sizes that a family offers: the best of each step, in
// memory that does not grow with their number.
type sizeSearch struct {
	family   string
	min, max int // nodes
	radix    int // ports as asked for, 0 if any
	ports    int // most ports
	limit    int

	bounds []int // step i has bounds[i] to bounds[i+1]-1 nodes
	steps  [][]rankedSize
	most   int // sizes that a step needs to keep
	kept   int
	total  int
}

// A rankedSize is a size with its irregularity.
type rankedSize struct {
	rank int
	size *Size
}

func newSizeSearch(family string, q SizeQuery) *sizeSearch {
	s := &sizeSearch{
		family: family, min: q.MinNodes, max: q.MaxNodes,
		radix: q.MaxPorts, ports: q.MaxPorts, limit: q.Limit,
	}
	if s.ports == 0 {
		s.ports = MaxPorts
	}
	if s.limit == 0 {
		s.limit = defaultSizes
	}
	s.most = s.limit
	steps := min(s.limit, maxSteps)
	ratio := float64(s.max+1) / float64(s.min)
	s.bounds = []int{s.min}
	for i := 1; i < steps; i++ {
		bound := int(math.Ceil(float64(s.min) * math.Pow(ratio, float64(i)/float64(steps))))
		if bound > s.bounds[len(s.bounds)-1] && bound <= s.max {
			s.bounds = append(s.bounds, bound)
		}
	}
	s.bounds = append(s.bounds, s.max+1)
	s.steps = make([][]rankedSize, len(s.bounds)-1)
	return s
}

// fits tells whether a size respects the ports and can be built.
func (s *sizeSearch) fits(z Size) bool {
	return z.Ports <= s.ports && z.Nodes+z.Switches <= MaxVertices
}

// add offers one size if it lies in the range and fits.
func (s *sizeSearch) add(rank int, z Size) {
	if z.Nodes < s.min || z.Nodes > s.max || !s.fits(z) {
		return
	}
	s.total++
	s.offer(s.stepOf(z.Nodes), rank, 0, func(int) Size { return z })
}

// run offers n sizes of which the i-th has base + slope i nodes. Those outside
// the range are left out; all others must fit. From one to the next, the rank
// rises, or it stays and diameter, routers, links and nodes do not fall.
func (s *sizeSearch) run(n, base, slope int, rank func(int) int, size func(int) Size) {
	from, to := 0, n
	switch {
	case slope > 0:
		from = max(0, ceilDiv(s.min-base, slope))
		if base > s.max {
			return
		}
		to = min(n, (s.max-base)/slope+1)
	case slope < 0:
		from = max(0, ceilDiv(base-s.max, -slope))
		if base < s.min {
			return
		}
		to = min(n, (base-s.min)/-slope+1)
	case base < s.min || base > s.max:
		return
	}
	s.total += max(0, to-from)
	for from < to {
		step, end := s.stepOf(base+slope*from), to
		if slope > 0 {
			end = min(to, ceilDiv(s.bounds[step+1]-base, slope))
		} else if slope < 0 {
			end = min(to, (base-s.bounds[step])/-slope+1)
		}
		for i := from; i < end && s.offer(step, rank(i), i, size); i++ {
		}
		from = end
	}
}

// runFitting is run for sizes of which only the first, or only the last, may
// fit.
func (s *sizeSearch) runFitting(n, base, slope int, rank func(int) int, size func(int) Size) {
	from := 0
	if n > 0 && !s.fits(size(0)) {
		from = sort.Search(n, func(i int) bool { return s.fits(size(i)) })
	} else {
		n = sort.Search(n, func(i int) bool { return !s.fits(size(i)) })
	}
	s.run(n-from, base+slope*from, slope,
		func(i int) int { return rank(from + i) }, func(i int) Size { return size(from + i) })
}

// stepOf is the step of a number of nodes in the range.
func (s *sizeSearch) stepOf(nodes int) int {
	i, found := slices.BinarySearch(s.bounds, nodes)
	if found {
		return i
	}
	return i - 1
}

// offer keeps size(i) if it is among the best of a step, and tells whether it
// is.
func (s *sizeSearch) offer(step, rank, i int, size func(int) Size) bool {
	rows := s.steps[step]
	full := len(rows) >= s.most
	if full && rank > rows[s.most-1].rank {
		return false
	}
	z := size(i)
	row := rankedSize{rank, &z}
	if full && compareRanked(row, rows[s.most-1]) >= 0 {
		return false
	}
	at, _ := slices.BinarySearchFunc(rows, row, func(a, b rankedSize) int {
		return cmp.Or(compareRanked(a, b), -1) // behind its equals
	})
	if full {
		rows = rows[:s.most-1]
		s.kept -= len(s.steps[step]) - len(rows)
	}
	s.steps[step] = slices.Insert(rows, at, row)
	if s.kept++; s.kept > 2*s.limit+len(s.steps) {
		s.prune()
	}
	return true
}

func compareRanked(a, b rankedSize) int {
	routers := func(z *Size) int {
		if z.Switches == 0 {
			return z.Nodes
		}
		return z.Switches
	}
	return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.size.Diameter, b.size.Diameter),
		cmp.Compare(routers(a.size), routers(b.size)), cmp.Compare(a.size.Links, b.size.Links),
		cmp.Compare(a.size.Nodes, b.size.Nodes))
}

// level is how many sizes each step may list so that all together are within
// the limit.
func (s *sizeSearch) level() int {
	return sort.Search(s.limit, func(level int) bool {
		sum := 0
		for _, rows := range s.steps {
			sum += min(len(rows), level+1)
		}
		return sum > s.limit
	})
}

// prune drops what cannot be listed any more: the level only falls while steps
// fill up.
func (s *sizeSearch) prune() {
	s.most = min(s.most, s.level()+1)
	s.kept = 0
	for i, rows := range s.steps {
		if len(rows) > s.most {
			clear(rows[s.most:])
			s.steps[i] = rows[:s.most]
		}
		s.kept += len(s.steps[i])
	}
}

// result lists what the steps hold, up to the level, and one more of the first
// steps until the limit is reached.
func (s *sizeSearch) result() SizeList {
	level := s.level()
	var sizes []Size
	list := func(rows []rankedSize) {
		for _, row := range rows {
			sizes = append(sizes, *row.size)
		}
	}
	for _, rows := range s.steps {
		list(rows[:min(len(rows), level)])
	}
	for _, rows := range s.steps {
		if len(rows) > level && len(sizes) < s.limit {
			list(rows[level : level+1])
		}
	}
	slices.SortStableFunc(sizes, func(a, b Size) int {
		return cmp.Or(cmp.Compare(a.Nodes, b.Nodes), cmp.Compare(a.Switches, b.Switches), cmp.Compare(a.Links, b.Links))
	})
	return SizeList{sizes, s.total - len(sizes)}
}

// powersOf calls visit with n = base^exponent for the exponents from first on,
// while the power is at most s.max.
func (s *sizeSearch) powersOf(base, first int, visit func(exponent, n int)) {
	n := int64(1)
	for e := 1; ; e++ {
		if n = times(n, int64(base)); n > int64(s.max) {
			return
		}
		if e >= first {
			visit(e, int(n))
		}
	}
}

// cuboids calls visit with the first n-1 sides of every near-cubic cuboid, in
// ascending order, and the bounds of the last: sides are multiples of unit and
// at least 2, the largest is at most twice the smallest, and scale times the
// points lies in the range. The sides are valid during the call only.
func (s *sizeSearch) cuboids(n, unit, scale int, visit func(sides []int, points, from, to int)) {
	sides := make([]int, 0, n)
	most, least := s.max/scale, ceilDiv(s.min, scale)
	var extend func(points int)
	extend = func(points int) {
		first, largest := max(unit, 2), most
		if len(sides) > 0 {
			first, largest = sides[len(sides)-1], 2*sides[0]
		}
		left := n - len(sides) // sides to choose
		if left == 1 {
			if last := min(largest, most/points); last >= first {
				visit(sides, points, first, last/unit*unit)
			}
			return
		}
		for side := first; side <= largest; side += unit {
			product, widest := points, points
			top := 2 * side
			if len(sides) > 0 {
				top = largest
			}
			for range left {
				if product *= side; product > most {
					return
				}
			}
			for range left - 1 {
				widest = min(widest*top, math.MaxInt32)
			}
			if widest < ceilDiv(least, side) {
				continue
			}
			sides = append(sides, side)
			extend(points * side)
			sides = sides[:len(sides)-1]
		}
	}
	extend(1)
}

// divisorsOfSquare calls visit with the divisors of factor n^2, factor being 1
// or 2.
func divisorsOfSquare(factor, n int, visit func(int)) {
	divisors := []int{1}
	multiply := func(p, exponent int) {
		have := len(divisors)
		for power := p; exponent > 0; power, exponent = power*p, exponent-1 {
			for _, d := range divisors[:have] {
				divisors = append(divisors, d*power)
			}
		}
	}
	twos := factor - 1
	for ; n%2 == 0; n /= 2 {
		twos += 2
	}
	multiply(2, twos)
	for p := 3; n > 1; p += 2 {
		if p*p > n {
			p = n
		}
		exponent := 0
		for ; n%p == 0; n /= p {
			exponent += 2
		}
		multiply(p, exponent)
	}
	slices.Sort(divisors)
	for _, d := range divisors {
		visit(d)
	}
}
