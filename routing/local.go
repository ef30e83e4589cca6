package routing

import (
	"fmt"
	"math"

	"github.com/plenum-planner/plenum/internal/splitmix"
	"github.com/plenum-planner/plenum/topology"
)

// maxLocal is the most routers of a local network, whose table has two bytes for each pair of them.
const maxLocal = 1 << 14

// local routes within the local networks of a topology.Composed by minimal paths, from a table of the distances in one
// of them.
type local struct {
	net      *Network
	size     int
	first    int32    // the first level of the local networks
	levels   int32    // their number
	distance []uint16 // from the router of one place to that of another
	diameter int
}

// newLocal returns nil for a network without local networks.
func newLocal(n *Network) (*local, error) {
	g, level := topology.LocalNetworkOf(n.Graph)
	if g == nil {
		return nil, nil
	}
	l := &local{net: n, size: topology.Vertices(g), first: int32(level), levels: int32(len(g.Levels()))}
	if l.size > maxLocal {
		return nil, fmt.Errorf("a table of paths in local networks of %d routers is too large; %d at most", l.size,
			maxLocal)
	}
	l.distance = make([]uint16, l.size*l.size)
	for i := range l.distance {
		l.distance[i] = math.MaxUint16
	}
	queue := make([]int32, 0, l.size)
	for from := range l.size {
		row := l.distance[from*l.size : (from+1)*l.size]
		row[from] = 0
		queue = append(queue[:0], int32(from))
		for i := 0; i < len(queue); i++ {
			at := queue[i]
			for c := n.First[at]; c < n.First[at+1]; c++ {
				if next := n.To[c]; l.has(c) && row[next] == math.MaxUint16 {
					row[next] = row[at] + 1
					queue = append(queue, next)
				}
			}
		}
		if len(queue) < l.size {
			return nil, fmt.Errorf("some nodes of the local %s do not reach each other", g.Family())
		}
		l.diameter = max(l.diameter, int(row[queue[len(queue)-1]]))
	}
	return l, nil
}

// has reports whether a channel is of a local network.
func (l *local) has(c int32) bool {
	level := l.net.Level[c] - l.first
	return level >= 0 && level < l.levels
}

// hops is the distance between two routers of a local network.
func (l *local) hops(from, to int32) int {
	return int(l.distance[int(from)%l.size*l.size+int(to)%l.size])
}

// channels appends the working channels that lead nearer to a router of the same local network.
func (l *local) channels(at, to int32, out []int32) []int32 {
	n := l.net
	nearer := l.hops(at, to) - 1
	for c := n.First[at]; c < n.First[at+1]; c++ {
		if l.has(c) && l.hops(n.To[c], to) == nearer && n.Works(c) {
			out = append(out, c)
		}
	}
	return out
}

// channel is one of the channels that lead nearer to a router of the same local network, for packets to a goal; -1 if
// none works.
func (l *local) channel(at, to, goal int32) int32 {
	var space [64]int32
	channels := l.channels(at, to, space[:0])
	if len(channels) == 0 {
		return -1
	}
	return channels[splitmix.First(uint64(at)<<32|uint64(uint32(goal)))%uint64(len(channels))]
}
