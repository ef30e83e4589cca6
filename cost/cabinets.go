package cost

import (
	"fmt"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Floor is a model of cable lengths: cabinets stand on a grid; a cable inside a cabinet has a fixed length, a cable
// between two cabinets the length of an overhead plus the taxicab distance of the cabinets.
type Floor struct {
	Name          string
	Width, Depth  units.Length // pitch of the cabinets along a row and from row to row
	Inside        units.Length // cable inside a cabinet
	Overhead      units.Length // of a cable between two
	Units         int          // rack units of a cabinet
	EqualRowCount bool         // as many cabinets in a row as rows, rather than a square floor
	Source        string
}

// CabinetFloor is the model of I. Fujiwara, M. Koibuchi et al.: cabinets 0.60 m
// wide and 2.10 m deep with their aisle, 2 m of cable inside one, 4 m and the
// Manhattan distance between two, in a grid of ceil(sqrt(m)) rows.
var CabinetFloor = Floor{
	Name: "cabinets of 0.60 m x 2.10 m", Width: 0.6, Depth: 2.1, Inside: 2, Overhead: 4, Units: 42, EqualRowCount: true,
	Source: "Fujiwara, Koibuchi et al.",
}

// SlimFlyFloor is the layout that M. Besta and T. Hoefler assume (recalled, not checked against the paper): racks on a
// grid of 1 m, 1 m of electrical cable inside a rack, 2 m plus the taxicab distance of optical cable between racks.
var SlimFlyFloor = Floor{
	Name: "racks of 1 m x 1 m", Width: 1, Depth: 1, Inside: 1, Overhead: 2, Units: 42, EqualRowCount: true,
	Source: "Besta and Hoefler, SC 2014, section VI, recalled",
}

// Stand describes how the boxes of a kind of vertices are placed in cabinets.
type Stand struct {
	Units   int  // rack units of one box; at least 1
	PerRack int  // limit of the boxes in one cabinet, 0 for none
	Network bool // in cabinets of their own in the middle of the floor
	// Group is the name of cabinets that several kinds of boxes share, without other boxes: every box goes to the first
	// cabinet with room for it. "" for none.
	Group string
	// Beside is true for boxes that take no rack units: PerRack of them (0 stands for 1) go to each cabinet of other
	// boxes.
	Beside bool
}

// cabinets is an assignment of the vertices of a graph to cabinets.
type cabinets struct {
	of    []int32 // cabinet of every vertex
	count int
	at    [][2]int32 // column and row of every cabinet
}

// newCabinets fills cabinets: a lattice in blocks with folded rings, any other graph in the order of its vertices, each
// terminal after its switch. If the graph consists of several fabrics, lead lists the kinds of boxes that the first
// fabric connects; the boxes are then placed together with their switches, each switch before the first box that it
// serves.
func newCabinets(g topology.Graph, floor *Floor, stands []Stand, lead []int) *cabinets {
	c := &cabinets{of: make([]int32, topology.Vertices(g))}
	if l, ok := g.(topology.Lattice); ok && c.lattice(l, floor, stands) {
		return c
	}
	c.inOrder(g, floor, stands, lead)
	return c
}

// fill returns the number of boxes that a cabinet holds; more is the number of further rack units for each box.
func (s *Stand) fill(floor *Floor, more int) int {
	n := max(1, floor.Units/max(1, s.Units+more))
	if s.PerRack > 0 {
		n = min(n, s.PerRack)
	}
	return n
}

// blocks returns the sides of a block of at most n points that divides the given sides, as nearly cubic as their
// divisors allow.
func blocks(sides []int, n int) []int {
	block := make([]int, len(sides))
	points := 1
	for i := range block {
		block[i] = 1
	}
	for {
		best, next := -1, 0
		for d, side := range sides {
			b := block[d] + 1
			for b <= side && side%b != 0 {
				b++
			}
			if b <= side && points/block[d]*b <= n && (best < 0 || block[d] < block[best]) {
				best, next = d, b
			}
		}
		if best < 0 {
			return block
		}
		points = points / block[best] * next
		block[best] = next
	}
}

// lattice puts blocks of routers, with their terminals, into cabinets, and places the cabinets on the floor. It returns
// false, and does nothing, if routers or terminals have cabinets of their own.
func (c *cabinets) lattice(l topology.Lattice, floor *Floor, stands []Stand) bool {
	kinds := l.Kinds()
	t := l.TerminalsPerRouter()
	if stands[0].Network || t > 0 && stands[1].Network {
		return false
	}
	if slices.ContainsFunc(stands, func(s Stand) bool { return s.apart() }) {
		return false
	}
	more := 0
	if t > 0 {
		more = t * max(1, stands[1].Units)
	}
	dims := l.Dims()
	rack := blocks(dims, stands[0].fill(floor, more))
	grid := make([]int, len(dims)) // cabinets along each dimension
	for d := range dims {
		grid[d] = dims[d] / rack[d]
	}
	c.placeOnFloor(floor, grid, l)
	routers := kinds[0].Count
	at := make([]int, len(dims))
	for r := range routers {
		cabinet, a := 0, 1
		for d := range dims {
			cabinet += at[d] / rack[d] * a
			a *= grid[d]
		}
		c.of[r] = int32(cabinet)
		for i := range t {
			c.of[routers+r*t+i] = int32(cabinet)
		}
		for d := range at {
			if at[d]++; at[d] < dims[d] {
				break
			}
			at[d] = 0
		}
	}
	return true
}

// placeOnFloor places the cabinets of a lattice on the floor. It assigns each dimension, the longest first, to
// the axis of the floor that is shorter so far, and folds rings.
func (c *cabinets) placeOnFloor(floor *Floor, grid []int, l topology.Lattice) {
	order := make([]int, len(grid))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return grid[b] - grid[a] })
	axis := make([]int, len(grid))
	size := [2]int{1, 1}
	for _, d := range order {
		if float64(size[0])*float64(floor.Width) > float64(size[1])*float64(floor.Depth) {
			axis[d] = 1
		}
		size[axis[d]] *= grid[d]
	}
	c.count = size[0] * size[1]
	c.at = make([][2]int32, c.count)
	for i := range c.at {
		rest, stride := i, [2]int{1, 1}
		for d, n := range grid {
			p := rest % n
			rest /= n
			if l.Wraps(d) {
				if p < (n+1)/2 {
					p *= 2
				} else {
					p = 2*(n-1-p) + 1
				}
			}
			c.at[i][axis[d]] += int32(p * stride[axis[d]])
			stride[axis[d]] *= n
		}
	}
}

// inOrder fills one cabinet after the other: first switches with their terminals, then the boxes with cabinets of their
// own, which it places in the middle of the floor.
func (c *cabinets) inOrder(g topology.Graph, floor *Floor, stands []Stand, lead []int) {
	kinds := g.Kinds()
	for i := range c.of {
		c.of[i] = -1
	}
	f := cabinetFiller{cabinets: c, units: floor.Units, stands: stands, boxes: make([]int, len(kinds))}
	if len(lead) > 0 {
		f.withSwitches(kinds, lead, switchesByBox(g, stands))
	} else {
		f.withTerminals(kinds, homes(g, kinds))
	}
	f.close()
	f.fillShared(kinds, false)
	alone := c.count
	f.rest(kinds, func(s *Stand) bool { return !s.apart() })
	f.close()
	f.fillShared(kinds, true)
	f.placeBeside(kinds)
	c.rows(floor, alone)
}

// rest places the boxes of some kinds that are not placed yet. Kinds with Stand.Network do not share cabinets.
func (f *cabinetFiller) rest(kinds []topology.Kind, which func(*Stand) bool) {
	for i, k := range kinds {
		if !which(&f.stands[i]) {
			continue
		}
		if f.stands[i].Network {
			f.close()
		}
		for v := k.First; v < k.First+k.Count; v++ {
			if f.of[v] < 0 {
				f.addVertex(i, v)
			}
		}
		if f.stands[i].Network {
			f.close()
		}
	}
}

// cabinetFiller puts boxes into one cabinet after the other.
type cabinetFiller struct {
	*cabinets
	units  int // of a cabinet
	stands []Stand
	used   int   // rack units taken in the present cabinet
	boxes  []int // boxes of each kind in the present cabinet
}

// withTerminals places all boxes but those with cabinets of their own. A switch with terminals comes before the first
// of these; other boxes come in order. home is the result of homes.
func (f *cabinetFiller) withTerminals(kinds []topology.Kind, home []int32) {
	for i, k := range kinds {
		if !f.stands[i].among() || k.Role == topology.Switch && hangsOn(kinds, home, k) {
			continue
		}
		for v := k.First; v < k.First+k.Count; v++ {
			if home != nil && k.Role == topology.Terminal {
				f.switchOf(kinds, home[v])
			}
			if f.of[v] < 0 {
				f.addVertex(i, v)
			}
		}
	}
}

// switchOf places the switch of a terminal, -1 for none, unless it is placed already or has cabinets of its own.
func (f *cabinetFiller) switchOf(kinds []topology.Kind, sw int32) {
	if sw < 0 || f.of[sw] >= 0 {
		return
	}
	if kind := topology.KindOf(kinds, int(sw)); f.stands[kind].among() {
		f.addVertex(kind, int(sw))
	}
}

// addVertex puts a vertex into the present cabinet, or into the next one if that has no room for it.
func (f *cabinetFiller) addVertex(kind, v int) {
	s := &f.stands[kind]
	height, most := max(1, s.Units), s.PerRack
	if f.used+height > f.units && f.used > 0 || most > 0 && f.boxes[kind] >= most {
		f.next()
	}
	f.of[v] = int32(f.count)
	f.used += height
	f.boxes[kind]++
}

// next goes on to an empty cabinet.
func (f *cabinetFiller) next() {
	f.count++
	f.used = 0
	clear(f.boxes)
}

// close goes on to an empty cabinet unless the present one is empty.
func (f *cabinetFiller) close() {
	if f.used > 0 {
		f.next()
	}
}

// homes returns the switch of every terminal, the one that its first link leads to, and -1 for other vertices. It is
// nil if there are no terminals.
func homes(g topology.Graph, kinds []topology.Kind) []int32 {
	if !slices.ContainsFunc(kinds, func(k topology.Kind) bool { return k.Role == topology.Terminal }) {
		return nil
	}
	home := make([]int32, topology.Vertices(g))
	for i := range home {
		home[i] = -1
	}
	left := 0
	for _, k := range kinds {
		if k.Role == topology.Terminal {
			left += k.Count
		}
	}
	for l := range g.Links() {
		for _, e := range [2][2]int32{{l.A, l.B}, {l.B, l.A}} {
			if kinds[topology.KindOf(kinds, int(e[0]))].Role == topology.Terminal && home[e[0]] < 0 {
				home[e[0]] = e[1]
				left--
			}
		}
		if left == 0 {
			break
		}
	}
	return home
}

// hangsOn reports whether switches of a kind have terminals.
func hangsOn(kinds []topology.Kind, home []int32, k topology.Kind) bool {
	return slices.ContainsFunc(home, func(sw int32) bool { return int(sw) >= k.First && int(sw) < k.First+k.Count })
}

// rows places cabinets on the floor, row by row. The cabinets from number alone on are in the
// middle.
func (c *cabinets) rows(floor *Floor, alone int) {
	columns := int(math.Ceil(math.Sqrt(float64(c.count) * float64(floor.Depth) / float64(floor.Width))))
	if floor.EqualRowCount {
		rows := int(math.Ceil(math.Sqrt(float64(c.count))))
		columns = (c.count + rows - 1) / max(rows, 1)
	}
	columns = max(columns, 1)
	c.at = make([][2]int32, c.count)
	network := c.count - alone
	for i := range c.at {
		place := i
		switch {
		case i >= alone:
			place = alone/2 + i - alone
		case i >= alone/2:
			place = i + network
		}
		c.at[i] = [2]int32{int32(place % columns), int32(place / columns)}
	}
}

// length returns the length of a cable between two cabinets, which may be the same.
func (c *cabinets) length(floor *Floor, a, b int32) units.Length {
	if a == b {
		return floor.Inside.Round4()
	}
	pa, pb := c.at[a], c.at[b]
	dx, dy := math.Abs(float64(pa[0]-pb[0])), math.Abs(float64(pa[1]-pb[1]))
	distance := units.Length(float64(dx*float64(floor.Width)) + float64(dy*float64(floor.Depth)))
	return (floor.Overhead + distance).Round4()
}

// String describes the model.
func (f *Floor) String() string {
	return fmt.Sprintf("%s, %v of cable inside, %v and the Manhattan distance between two (%s)",
		f.Name, f.Inside, f.Overhead, f.Source)
}
