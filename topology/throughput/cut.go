package throughput

import (
	"slices"

	"github.com/plenum-planner/plenum/topology"
)

// Cut lowers the bounds by a cut of g, the graph that b bounds: side[v] is 0 or 1 for every vertex v that forwards. A
// terminal belongs to the side to which most of its ports lead; ports that lead to the other side are part of the cut.
//
// With p and q ports of terminals on the two sides and c channels from one side to the other, uniform traffic sends
// p q / (p + q - 1) of what a port carries across, and the worst permutation min(p, q). Neither can have a larger share
// than c over this, in the direction that has fewer channels.
func (b *Bound) Cut(g topology.Graph, side []uint8) {
	side = slices.Clone(side)
	terminal := settle(g, side)
	var ports, channels [2]int64
	for _, k := range g.Kinds() {
		for v := k.First; v < k.First+k.Count && k.Role == topology.Node; v++ {
			ports[side[v]]++
		}
	}
	levels := g.Levels()
	for l := range g.Links() {
		carries := int64(l.Channels(levels))
		if terminal[l.A] != terminal[l.B] {
			end := l.A
			if terminal[l.B] {
				end = l.B
			}
			ports[side[end]] += carries
		}
		if side[l.A] == side[l.B] {
			continue
		}
		channels[side[l.A]] += carries
		if !l.Simplex {
			channels[side[l.B]] += carries
		}
	}
	if ports[0] == 0 || ports[1] == 0 {
		return
	}
	p, q, c := float64(ports[0]), float64(ports[1]), float64(min(channels[0], channels[1]))
	b.Uniform = min(b.Uniform, c*(p+q-1)/(p*q))
	if worst := c / min(p, q); worst < b.Worst {
		b.Worst, b.WorstMethod = worst, ByCut
	}
	b.order()
}

// settle changes side: it puts every terminal on the side to which most of its ports lead, side 0 if there are as many
// on both. It returns for every vertex whether it is a terminal.
func settle(g topology.Graph, side []uint8) (terminal []bool) {
	terminal = make([]bool, len(side))
	for _, k := range g.Kinds() {
		for v := k.First; v < k.First+k.Count; v++ {
			terminal[v] = k.Role == topology.Terminal
		}
	}
	lean := make([]int32, len(side)) // ports that lead to side 1 less those to side 0
	levels := g.Levels()
	for l := range g.Links() {
		if terminal[l.A] == terminal[l.B] {
			continue
		}
		end, at := l.A, l.B
		if terminal[at] {
			end, at = at, end
		}
		lean[end] += l.Channels(levels) * (2*int32(side[at]) - 1)
	}
	for v, is := range terminal {
		if is {
			side[v] = 0
			if lean[v] > 0 {
				side[v] = 1
			}
		}
	}
	return terminal
}
