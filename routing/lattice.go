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
	ports  []topology.DimensionPorts
	lanes  []int32 // channels of a port in each dimension: the capacity of its level
}

// newLattice makes the lattice of a network that has no links besides those of its
// dimensions.
func newLattice(n *Network) (*lattice, error) {
	if _, ok := n.Graph.(topology.Lattice); !ok {
		return nil, fmt.Errorf("%s is not a lattice", n.Graph.Family())
	}
	g, ok := n.Graph.(topology.PlainLattice)
	if !ok {
		return nil, fmt.Errorf("%s has links besides those of a plain lattice", n.Graph.Family())
	}
	l := &lattice{net: n, dims: g.Dims(), ports: make([]topology.DimensionPorts, len(g.Dims()))}
	stride := int32(1)
	for d, side := range l.dims {
		l.stride = append(l.stride, stride)
		l.wraps = append(l.wraps, g.Wraps(d))
		l.ports[d] = g.DimensionPorts(d)
		stride *= int32(side)
	}
	if n.Ends != nil {
		return nil, fmt.Errorf("the links of terminals have a capacity above 1, and routing by the dimensions of a %s "+
			"is for terminals with one channel; minimal and updown take them", n.Graph.Family())
	}
	levels := n.Graph.Levels()
	for d := range l.dims {
		port, lanes := l.ports[d].Next, int32(1)
		if l.ports[d].Full {
			port = l.ports[d].First
		}
		if l.dims[d] > 1 {
			lanes = levels[n.Level[n.Out(0, int32(port))]].Channels()
		}
		l.lanes = append(l.lanes, lanes)
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

// full reports whether all dimensions are fully joined.
func (l *lattice) full() bool {
	for _, p := range l.ports {
		if !p.Full {
			return false
		}
	}
	return len(l.ports) > 0
}

// at returns the coordinates of a router.
func (l *lattice) at(r int32) []uint16 {
	d := len(l.dims)
	return l.coord[int(r)*d : int(r)*d+d]
}

// HopCount is the distance of two routers.
func (l *lattice) HopCount(from, to int32) int {
	a, b := l.at(from), l.at(to)
	sum := 0
	for d := range a {
		x := int(a[d]) - int(b[d])
		if x < 0 {
			x = -x
		}
		switch {
		case x == 0:
		case l.ports[d].Full:
			sum++
		case l.wraps[d]:
			sum += min(x, l.dims[d]-x)
		default:
			sum += x
		}
	}
	return sum
}

// step is the first channel from a router at coordinate from of dimension d towards coordinate to: in a fully joined
// dimension the one to that coordinate itself, in a line or ring the one to the next coordinate, by rising number if up
// is set. It returns how many parallel channels there are.
func (l *lattice) step(r int32, d int, from, to uint16, up bool) (channel, width int32) {
	port, width := l.port(d, from, to, up)
	return l.net.Out(r, port), width
}

// port is that of step.
func (l *lattice) port(d int, from, to uint16, up bool) (port, width int32) {
	p := &l.ports[d]
	switch {
	case p.Full:
		i := int(to)
		if to > from {
			i--
		}
		return int32(p.First + i*p.Width), int32(p.Width) * l.lanes[d]
	case up:
		return int32(p.Next), l.lanes[d]
	}
	return int32(p.Previous), l.lanes[d]
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

// crosses reports whether the way from one coordinate to another in a direction
// leads over the link that closes the ring.
func crosses(from, to uint16, up bool) bool { return up && to < from || !up && to > from }
