package routing

import (
	"fmt"

	"github.com/plenum-planner/plenum/topology"
)

// lattice finds the channels of networks whose routers are points of a grid:
// torus, mesh, hypercube, HyperX and flattened butterfly.
type lattice struct {
	net    *Network
	dims   []int
	wraps  []bool
	stride []int32
	coord  []uint16 // of each router, dimension by dimension
	// base and width are the first port of each dimension and the parallel
	// channels of a link, where a dimension is fully joined; base is nil for a
	// grid of neighbours.
	base, width []int32
	cube        bool
}

// newLattice knows the families by name, as other lattices have more links.
func newLattice(n *Network) (*lattice, error) {
	g, ok := n.Graph.(topology.Lattice)
	if !ok {
		return nil, fmt.Errorf("%s is no lattice", n.Graph.Family())
	}
	l := &lattice{net: n, dims: g.Dims()}
	full := false
	switch g.Family() {
	case "torus", "mesh":
	case "hypercube":
		l.cube = true
	case "hyperx", "flattened-butterfly":
		full = true
	default:
		return nil, fmt.Errorf("%s has links besides those of a plain lattice", g.Family())
	}
	stride, port := int32(1), int32(g.TerminalsPerRouter())
	for d, side := range l.dims {
		l.stride = append(l.stride, stride)
		l.wraps = append(l.wraps, g.Wraps(d))
		if full {
			width := l.channelsOf(d)
			l.base, l.width = append(l.base, port), append(l.width, width)
			port += int32(side-1) * width
		}
		stride *= int32(side)
	}
	l.coord = make([]uint16, n.Routers()*len(l.dims))
	i := 0
	for r := range n.Routers() {
		v := r
		for _, side := range l.dims {
			l.coord[i] = uint16(v % side)
			v /= side
			i++
		}
	}
	return l, nil
}

// channelsOf counts the parallel channels of a link of a dimension.
func (l *lattice) channelsOf(d int) int32 {
	for link := range l.net.Graph.Links() {
		if l.net.Graph.Levels()[link.Level].Name == fmt.Sprintf("dim%d", d+1) {
			return link.Width
		}
	}
	return 1
}

func (l *lattice) full() bool { return l.base != nil }

// at returns the coordinates of a router.
func (l *lattice) at(r int32) []uint16 {
	d := len(l.dims)
	return l.coord[int(r)*d : int(r)*d+d]
}

// hops is the distance of two routers.
func (l *lattice) hops(from, to int32) int {
	a, b := l.at(from), l.at(to)
	sum := 0
	for d := range a {
		x := int(a[d]) - int(b[d])
		if x < 0 {
			x = -x
		}
		switch {
		case x == 0:
		case l.full():
			sum++
		case l.wraps[d]:
			sum += min(x, l.dims[d]-x)
		default:
			sum += x
		}
	}
	return sum
}

// step is the first channel from a router at coordinate from of dimension d
// towards coordinate to, of a fully joined dimension to that coordinate itself;
// up tells the direction round a ring. It returns how many parallel channels
// there are.
func (l *lattice) step(r int32, d int, from, to uint16, up bool) (channel, width int32) {
	switch {
	case l.full():
		i := int32(to)
		if to > from {
			i--
		}
		return l.net.Out(r, l.base[d]+i*l.width[d]), l.width[d]
	case l.cube:
		return l.net.Out(r, int32(d)), 1
	case up:
		return l.net.Out(r, int32(2*d)), 1
	}
	return l.net.Out(r, int32(2*d+1)), 1
}

// way is the shorter direction from coordinate from to coordinate to of a
// dimension, and whether both are as short.
func (l *lattice) way(d int, from, to uint16) (up, tie bool) {
	if !l.wraps[d] {
		return to > from, false
	}
	side := l.dims[d]
	ahead := int(to) - int(from)
	if ahead < 0 {
		ahead += side
	}
	return 2*ahead < side, 2*ahead == side
}

// crosses tells whether the way from one coordinate to another in a direction
// leads over the link that closes the ring.
func crosses(from, to uint16, up bool) bool { return up && to < from || !up && to > from }
