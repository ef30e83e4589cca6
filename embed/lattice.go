package embed

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/topology"
)

// cells is one level of containers that a lattice is cut into.
type cells struct {
	name  string
	count [3]int // cells along the axes; a row, a rack or a hall has one axis
	fixed []int  // routers along each dimension of one container if the machine file states them, else nil
	// whole asks for the block of matchAxes, where there is one, in place of the one that fewest links leave. It is set
	// for rows: their links cross the aisle anyway, and rings along a row stay straight.
	whole bool
}

func (c *cells) total() int { return c.count[0] * c.count[1] * c.count[2] }

// cut is a lattice cut into blocks, one factor of every dimension for each
// level of containers, outermost first: dims[d] is the product over the levels
// of factor[level][d], or less where the last of the blocks that were given is cut short.
type cut struct {
	lattice topology.Lattice
	dims    []int
	factor  [][]int
	// axes lists the dimensions in the order in which the cells of a level are
	// numbered, the fastest first.
	axes  [][]int
	inner [][]int // inner[level][d]: routers along dimension d of one cell of the level
	fold  []int   // of each dimension: the level at which its ring is folded, -1
}

// complete reports whether every two points on a line along a dimension are linked, as in a HyperX.
func complete(l topology.Lattice) bool {
	k := l.Kinds()[0]
	for d, n := range l.Dims() {
		if n > 3 {
			return !l.Wraps(d) && k.Ports-l.TerminalsPerRouter() > 2*len(l.Dims())
		}
	}
	return false
}

// cutLattice cuts a lattice into blocks, one for each container of every level. It chooses the blocks from the
// innermost level outwards: the largest that a container can hold and, among equal ones, the block that fewest links
// leave. The outermost level takes what remains. If fold is true, rings are folded along all dimensions but those in
// straight.
func cutLattice(l topology.Lattice, levels []cells, fold bool, straight []int) (*cut, error) {
	dims := l.Dims()
	leaving := outgoingLinks(l)
	c := &cut{
		lattice: l, dims: dims, factor: make([][]int, len(levels)), axes: make([][]int, len(levels)),
		inner: make([][]int, len(levels)), fold: make([]int, len(dims)),
	}
	rest := append([]int(nil), dims...)
	inner := ones(len(dims)) // routers along each dimension of one cell of the level
	for i := len(levels) - 1; i >= 0; i-- {
		level := &levels[i]
		switch {
		case level.fixed != nil:
			f, err := givenBlock(level, dims, rest, inner)
			if err != nil {
				return nil, err
			}
			c.factor[i], c.axes[i] = f, identityOrder(len(dims))
			if axes, ok := assignAxes(f, level.count); ok {
				c.axes[i] = axes
			}
		case i == 0:
			c.factor[i], c.axes[i] = append([]int(nil), rest...), identityOrder(len(dims))
			if f, axes, ok := matchAxes(rest, level.count); ok && slices.Equal(f, rest) {
				c.factor[i], c.axes[i] = f, axes
			} else if axes, ok := assignAxes(rest, level.count); ok {
				c.axes[i] = axes
			}
		default:
			fit := func() ([]int, []int, bool) { return fittingBlock(rest, inner, dims, level.count, leaving) }
			if level.whole {
				fit = func() ([]int, []int, bool) { return matchAxes(rest, level.count) }
			}
			if f, axes, ok := fit(); ok {
				c.factor[i], c.axes[i] = f, axes
				break
			}
			c.factor[i] = bestBlock(rest, inner, dims, level.total(), leaving)
			c.axes[i] = identityOrder(len(dims))
		}
		c.inner[i] = append([]int(nil), inner...)
		for d := range dims {
			rest[d] = (rest[d] + c.factor[i][d] - 1) / c.factor[i][d]
			inner[d] *= c.factor[i][d]
		}
	}
	for d := range dims {
		if rest[d] != 1 { // a fixed outermost level that does not hold all
			return nil, diag.Fieldf(diag.Key("Blocks", levels[0].name), "%d of the %d routers of dimension %d fit",
				inner[d], dims[d], d+1)
		}
		c.fold[d] = -1
		for i := range levels {
			if fold && !slices.Contains(straight, d) && l.Wraps(d) && c.factor[i][d] > 1 {
				c.fold[d] = i
				break
			}
		}
	}
	return c, nil
}

// givenBlock returns the factors of a level whose block is given by the machine file. If a dimension is not a multiple
// of the block's side, the last block along it is smaller.
func givenBlock(level *cells, dims, rest, inner []int) ([]int, error) {
	f := make([]int, len(dims))
	for d, side := range level.fixed {
		at := diag.Elem(diag.Key("Blocks", level.name), d)
		switch {
		case side == dims[d]:
			f[d] = rest[d]
		case side < 1 || side > dims[d]:
			return nil, diag.Fieldf(at, "must be from 1 to the %d routers of dimension %d, not %d", dims[d], d+1, side)
		case side%inner[d] != 0:
			return nil, diag.Fieldf(at, "must be a multiple of the %d routers of dimension %d in each container "+
				"within, not %d", inner[d], d+1, side)
		default:
			f[d] = side / inner[d]
		}
	}
	return f, nil
}

// matchAxes maps factors of dimensions to the axes of a grid of cells so that every axis is filled exactly. Axis a
// takes from dimension a first. rest has the routers along each dimension, in cells of the level; axes is as cut.axes
// has it.
func matchAxes(rest []int, count [3]int) (factor, axes []int, ok bool) {
	factor = ones(len(rest))
	left := append([]int(nil), rest...)
	taken := make([]bool, len(rest))
	for a, want := range count {
		for k := range rest {
			d := (a + k) % len(rest)
			if want == 1 || taken[d] {
				continue
			}
			if g := gcd(want, left[d]); g > 1 {
				factor[d] *= g
				left[d] /= g
				want /= g
				taken[d] = true
				axes = append(axes, d)
			}
		}
		if want != 1 {
			return nil, nil, false
		}
	}
	for d := range rest {
		if !taken[d] {
			axes = append(axes, d)
		}
	}
	return factor, axes, true
}

// fittingBlock returns the block that fewest links leave among those that fill a grid of cells exactly, every axis with
// factors of whole dimensions; among equal ones the block of matchAxes. ok is false if no block fills the grid.
func fittingBlock(
	rest, inner, dims []int, count [3]int, leaving func(block []int) float64,
) (factor, axes []int, ok bool) {
	factor, axes, ok = matchAxes(rest, count)
	least := math.Inf(1)
	if ok {
		least = leaving(times(factor, inner))
	}
	total := count[0] * count[1] * count[2]
	eachBlock(rest, inner, dims, total, func(f []int, held int) {
		if held != total {
			return
		}
		if out := leaving(times(f, inner)); out < least-1e-12 {
			if order, fits := assignAxes(f, count); fits {
				factor, axes, ok, least = slices.Clone(f), order, true, out
			}
		}
	})
	return factor, axes, ok
}

// assignAxes assigns each dimension of a block to an axis of a grid so that every axis is filled exactly, and lists the
// dimensions axis by axis. Every dimension tries the axis of its own number first. ok is false if there is no such
// assignment.
func assignAxes(factor []int, count [3]int) (axes []int, ok bool) {
	of := make([]int, len(factor)) // axis of each dimension
	var assign func(d int, left [3]int) bool
	assign = func(d int, left [3]int) bool {
		if d == len(factor) {
			return left == [3]int{1, 1, 1}
		}
		for k := range left {
			of[d] = (d + k) % len(left)
			if rest := left; rest[of[d]]%factor[d] == 0 {
				rest[of[d]] /= factor[d]
				if assign(d+1, rest) {
					return true
				}
			}
			if factor[d] == 1 {
				break
			}
		}
		return false
	}
	if product(factor) != count[0]*count[1]*count[2] || !assign(0, count) {
		return nil, false
	}
	for a := range count {
		for d := range factor {
			if of[d] == a {
				axes = append(axes, d)
			}
		}
	}
	return axes, true
}

// times returns the element-wise product of two slices.
func times(a, b []int) []int {
	out := make([]int, len(a))
	for i := range a {
		out[i] = a[i] * b[i]
	}
	return out
}

// bestBlock returns the largest block of at most `most` cells and, among equal ones, the one that fewest links leave.
func bestBlock(rest, inner, dims []int, most int, leaving func(block []int) float64) []int {
	best, size, least := ones(len(rest)), 1, leaving(inner)
	eachBlock(rest, inner, dims, most, func(f []int, held int) {
		if out := leaving(times(f, inner)); held > size || (held == size && out < least-1e-12) {
			copy(best, f)
			size, least = held, out
		}
	})
	return best
}

// eachBlock calls visit with the factors and the size of every block of at most `most` cells. Neighbouring dimensions
// of equal length are interchangeable, so of these only blocks with non-increasing factors are visited. visit must not
// keep the slice.
func eachBlock(rest, inner, dims []int, most int, visit func(factor []int, held int)) {
	f := ones(len(rest))
	var walk func(d, held int)
	walk = func(d, held int) {
		if d == len(rest) {
			visit(f, held)
			return
		}
		for x := 1; x <= rest[d] && held*x <= most; x++ {
			if rest[d]%x != 0 {
				continue
			}
			if d > 0 && rest[d] == rest[d-1] && dims[d] == dims[d-1] && inner[d] == inner[d-1] && x > f[d-1] {
				continue
			}
			f[d] = x
			walk(d+1, held*x)
		}
		f[d] = 1
	}
	walk(0, 1)
}

// outgoingLinks returns a function of the sides of a block that is proportional to the number of links per router that
// leave the block.
func outgoingLinks(l topology.Lattice) func(block []int) float64 {
	dims, full := l.Dims(), complete(l)
	lengths := bypasses(l)
	width := make([]float64, len(dims)) // parallel cables of a link; more than 1 only in dimensions of side 2
	for d := range dims {
		width[d] = 1
		if p, ok := l.(topology.PlainLattice); ok {
			width[d] = float64(max(1, p.DimensionPorts(d).Width))
		}
	}
	return func(block []int) float64 {
		out := 0.0
		for d, side := range block {
			switch {
			case side >= dims[d]:
			case full:
				out += float64(dims[d] - side)
			case l.Wraps(d):
				out += 1 / float64(side)
			default: // both ends of a line lie within blocks
				out += width[d] * (1/float64(side) - 1/float64(dims[d]))
			}
		}
		for _, b := range lengths {
			stays := 1.0
			for d, side := range block {
				if side < dims[d] {
					stays *= max(0, 1-float64(b.steps[d])/float64(side))
				}
			}
			out += b.perRouter * (1 - stays)
		}
		return out
	}
}

// bypass is a set of links of a lattice that do not lead to a neighbour along a dimension and that all make the same
// steps.
type bypass struct {
	steps     []int   // along each dimension, the shorter way round the ring
	perRouter float64 // number of links divided by the number of routers
}

// bypasses lists the links of the levels that do not run along a dimension, such as the
// bypass rings of an iBT, by the steps that they make.
func bypasses(l topology.Lattice) []bypass {
	dims := l.Dims()
	levels := l.Levels()
	extra := make([]bool, len(levels))
	for i := range levels {
		extra[i] = levels[i].Name != "terminal" && !strings.HasPrefix(levels[i].Name, "dim")
	}
	if !slices.Contains(extra, true) {
		return nil
	}
	count := map[string]int{}
	steps := make([]byte, 0, 8*len(dims))
	for link := range l.Links() {
		if !extra[link.Level] {
			continue
		}
		steps = steps[:0]
		a, b := int(link.A), int(link.B)
		for _, side := range dims {
			d := abs(a%side - b%side)
			steps = binary.AppendUvarint(steps, uint64(min(d, side-d)))
			a, b = a/side, b/side
		}
		count[string(steps)]++
	}
	var out []bypass
	for _, key := range slices.Sorted(maps.Keys(count)) {
		b := bypass{perRouter: float64(count[key]) / float64(product(dims))}
		rest := []byte(key)
		for range dims {
			step, n := binary.Uvarint(rest)
			b.steps = append(b.steps, int(step))
			rest = rest[n:]
		}
		out = append(out, b)
	}
	return out
}

func abs(n int) int { return max(n, -n) }

// positions returns, for every dimension and coordinate, the amount that it adds to the position of a router: the
// position is the sum over the dimensions. cellsOf is the number of cells of a container of each level. Cells of a
// container are numbered along its axes, the containers of a level one after the other.
func (c *cut) positions(cellsOf []int) [][]int {
	table := make([][]int, len(c.dims))
	for d, n := range c.dims {
		table[d] = make([]int, n)
	}
	below := 1 // positions in one cell of the level
	for i := len(c.factor) - 1; i >= 0; i-- {
		scale := below
		for _, d := range c.axes[i] {
			n := c.factor[i][d]
			for x := range c.dims[d] {
				cell := x / c.inner[i][d] % n
				if c.fold[d] == i {
					cell = foldedPosition(cell, n)
				}
				table[d][x] += scale * cell
			}
			scale *= n
		}
		below *= cellsOf[i]
	}
	return table
}

// usedCells returns the number of cells that the blocks of each level use.
func (c *cut) usedCells() []int {
	out := make([]int, len(c.factor))
	for i := range out {
		out[i] = product(c.factor[i])
	}
	return out
}

// foldedPosition returns the place of element x of a folded ring of n elements: the first half of the ring takes the
// even places in rising order, the other half the odd ones in falling order, so that ring neighbours are at most two
// places apart.
func foldedPosition(x, n int) int {
	if x < (n+1)/2 {
		return 2 * x
	}
	return 2*(n-1-x) + 1
}

// routers returns the routers by rising position, and their positions. Some positions are missing where the last block
// along a dimension is smaller.
func (c *cut) routers() (order []int32, at []int) {
	n, used := product(c.dims), c.usedCells()
	order, at = make([]int32, n), make([]int, n)
	if product(used) == n {
		c.each(used, func(r int32, position int) { order[position], at[position] = r, position })
		return order, at
	}
	position := make([]int, n)
	c.each(used, func(r int32, p int) { order[r], position[r] = r, p })
	slices.SortFunc(order, func(a, b int32) int { return position[a] - position[b] })
	for i, r := range order {
		at[i] = position[r]
	}
	return order, at
}

// each calls visit with every router by rising number, and its position. cellsOf is as for positions.
func (c *cut) each(cellsOf []int, visit func(r int32, position int)) {
	table := c.positions(cellsOf)
	x := make([]int, len(c.dims))
	at := 0
	for d := range x {
		at += table[d][0]
	}
	for r := range int32(product(c.dims)) {
		visit(r, at)
		for d := range x {
			at -= table[d][x[d]]
			if x[d]++; x[d] < c.dims[d] {
				at += table[d][x[d]]
				break
			}
			x[d] = 0
			at += table[d][0]
		}
	}
}

// sequence returns the wanted vertices in the order of the cut, each router after its terminals, with the groups of
// every level but the outermost. If routers have terminals, the finest groups are a router with its terminals.
func (c *cut) sequence(levels []cells, want wanted) sequence {
	t := c.lattice.TerminalsPerRouter()
	routers, position := c.routers()
	first := c.lattice.Kinds()[0].First
	count := len(routers)
	most := count * (t + 1) // boxes
	s := sequence{order: make([]int32, 0, most)}
	size := 1
	sizes := make([]int, len(levels))
	for i := len(levels) - 1; i >= 0; i-- {
		size *= product(c.factor[i])
		sizes[i] = size
	}
	groupings := make([]groupLevel, len(levels))
	for i := 1; i < len(levels); i++ {
		groupings[i].of = make([]int32, 0, most)
	}
	block := make([]int32, 0, min(t, 1)*most)
	for i, r := range routers {
		rank := position[i]
		at := len(s.order)
		for k := range t {
			if v := int32(count) + r*int32(t) + int32(k); want(v) {
				s.order = append(s.order, v)
			}
		}
		if v := int32(first) + r; want(v) {
			s.order = append(s.order, v)
		}
		for range len(s.order) - at {
			if t > 0 {
				block = append(block, int32(i))
			}
			for i := 1; i < len(levels); i++ {
				groupings[i].of = append(groupings[i].of, int32(rank/sizes[i]))
			}
		}
	}
	if t > 0 {
		s.groupings = append(s.groupings, groupLevel{of: block})
	}
	for i := len(levels) - 1; i > 0; i-- {
		groupings[i].hard = levels[i].fixed != nil && levels[i].name == "rack"
		groupings[i].row = levels[i].fixed != nil && levels[i].name == "row"
		s.groupings = append(s.groupings, groupings[i])
	}
	return s
}

func product(factors []int) int {
	n := 1
	for _, f := range factors {
		n *= f
	}
	return n
}

func ones(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = 1
	}
	return out
}

func identityOrder(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
