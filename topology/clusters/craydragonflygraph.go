package clusters

import (
	"fmt"
	"iter"
	"sort"

	"github.com/plenum-planner/plenum/internal/arith"
	"github.com/plenum-planner/plenum/topology"
)

func (g *crayDragonfly) Family() string           { return g.name }
func (g *crayDragonfly) Kinds() []topology.Kind   { return g.kinds }
func (g *crayDragonfly) Levels() []topology.Level { return g.levels }

// switchOf is the switch of a switch or node, and the kind of its group.
func (g *crayDragonfly) switchOf(v int) (sw int, k *groupKind) {
	last := len(g.parts) - 1
	if v < g.kinds[1].First {
		k = &g.parts[sort.Search(last, func(i int) bool { return v < g.parts[i+1].sw })]
		return v, k
	}
	v -= g.kinds[1].First
	k = &g.parts[sort.Search(last, func(i int) bool { return v < g.parts[i+1].node })]
	return k.sw + (v-k.node)/k.terminals, k
}

// Groupings are the switches with their nodes, the chassis where there are two dimensions, and the groups.
func (g *crayDragonfly) Groupings() []topology.Grouping {
	out := []topology.Grouping{{Name: "block", Count: g.kinds[0].Count, Of: func(v int) int32 {
		sw, _ := g.switchOf(v)
		return int32(sw)
	}}}
	if len(g.widths) == 2 {
		chassis, firsts := 0, make([]int, len(g.parts))
		for i, k := range g.parts {
			firsts[i] = chassis
			chassis += k.count * k.dims[1]
		}
		out = append(out, topology.Grouping{Name: "chassis", Count: chassis, Of: func(v int) int32 {
			sw, k := g.switchOf(v)
			return int32(firsts[g.partOf(k.first)] + (sw-k.sw)/k.dims[0])
		}})
	}
	return append(out, topology.Grouping{Name: "group", Count: g.groups, Of: func(v int) int32 {
		sw, k := g.switchOf(v)
		return int32(k.first + (sw-k.sw)/k.size)
	}})
}

// Label is the group and place of a switch, or those of a node's switch and the node's port there: "(32,7)", in two
// dimensions "(32,7,2)"; "(32,7):3".
func (g *crayDragonfly) Label(v int) string {
	sw, k := g.switchOf(v)
	place := (sw - k.sw) % k.size
	name := fmt.Sprintf("(%d,%d)", k.first+(sw-k.sw)/k.size, place)
	if len(k.dims) == 2 {
		name = fmt.Sprintf("(%d,%d,%d)", k.first+(sw-k.sw)/k.size, place%k.dims[0], place/k.dims[0])
	}
	if v >= g.kinds[1].First {
		name += fmt.Sprintf(":%d", (v-g.kinds[1].First-k.node)%k.terminals)
	}
	return name
}

// Links yields the terminals, the local links group by group, and the global links.
func (g *crayDragonfly) Links() iter.Seq[topology.Link] {
	return func(yield func(topology.Link) bool) {
		_ = g.terminal(yield) && g.local(yield) && g.global(yield)
	}
}

func (g *crayDragonfly) terminal(yield func(topology.Link) bool) bool {
	v := g.kinds[1].First
	for _, k := range g.parts {
		for sw := k.sw; sw < k.sw+k.count*k.size; sw++ {
			for port := range k.terminals {
				if !yield(topology.Link{A: int32(sw), B: int32(v), PortA: int32(port), Width: 1}) {
					return false
				}
				v++
			}
		}
	}
	return true
}

func (g *crayDragonfly) local(yield func(topology.Link) bool) bool {
	for i := range g.parts {
		k := &g.parts[i]
		for group := range k.count {
			stride, port := 1, k.terminals
			for d, side := range k.dims {
				if !g.dimension(k, k.sw+group*k.size, d, stride, port, yield) {
					return false
				}
				stride *= side
				port += (side - 1) * g.widths[d]
			}
		}
	}
	return true
}

// dimension yields the links of dimension d of the group that begins at a switch; neighbours are stride apart, and the
// ports begin at port.
func (g *crayDragonfly) dimension(
	k *groupKind, first, d, stride, port int, yield func(topology.Link) bool,
) bool {
	side, width := k.dims[d], g.widths[d]
	for line := range k.size / side {
		start := first + line/stride*stride*side + line%stride
		for i := range side {
			for j := i + 1; j < side; j++ {
				if !yield(topology.Link{
					A: int32(start + i*stride), B: int32(start + j*stride), PortA: int32(port + (j-1)*width),
					PortB: int32(port + i*width), Level: int32(1 + d), Width: int32(width),
				}) {
					return false
				}
			}
		}
	}
	return true
}

// LevelChannels: all nodes, all lines of all dimensions, and what is given for every two groups.
func (g *crayDragonfly) LevelChannels() []int64 {
	out := make([]int64, len(g.levels))
	out[0] = int64(g.kinds[1].Count)
	for i, k := range g.parts {
		for d, side := range k.dims {
			out[1+d] += int64(k.count) * int64(k.size/side) * int64(g.widths[d]) * int64(side) * int64(side-1) / 2
		}
		for j := i; j < len(g.parts); j++ {
			channels := int64(g.pairs[i][j]) * int64(g.others(i, j)) * int64(k.count)
			if i == j { // from either end
				channels /= 2
			}
			out[len(out)-1] += channels
		}
	}
	return out
}

// PlacementGroups are the groups.
func (g *crayDragonfly) PlacementGroups() (strategy string, grouping int) {
	return "groups", len(g.Groupings()) - 1
}

// evenDragonfly is a crayDragonfly with groups of one kind.
type evenDragonfly struct{ *crayDragonfly }

var (
	_ topology.Symmetric   = (*evenDragonfly)(nil)
	_ topology.Formulas    = (*evenDragonfly)(nil)
	_ topology.Grouped     = (*evenDragonfly)(nil)
	_ topology.UsualRouter = (*evenDragonfly)(nil)
	_ topology.WorstCase   = (*evenDragonfly)(nil)
)

// Orbits is one for each switch of a group where the channels of a group depend on the difference to the other group's
// number only.
func (g *evenDragonfly) Orbits() []topology.Orbit {
	if g.order == absolute {
		return alone(g.kinds[0].Count)
	}
	out := make([]topology.Orbit, g.parts[0].size)
	for i := range out {
		out[i] = topology.Orbit{Vertex: i, Size: g.groups}
	}
	return out
}

// ClosedForms has the degrees, and the channels between halves of the groups.
func (g *evenDragonfly) ClosedForms() topology.ClosedForms {
	c := noForms()
	k, links := &g.parts[0], g.pairs[0][0]
	if g.groups == 1 || links > k.size {
		return c
	}
	degree := 0
	c.SingleLinks = true
	for d, side := range k.dims {
		degree += side - 1
		c.SingleLinks = c.SingleLinks && (g.widths[d] == 1 || side == 1)
	}
	c.DegreeMin, c.DegreeMax = degree+k.channels/k.size, degree+arith.CeilDiv(k.channels, k.size)
	if g.groups%2 == 0 {
		c.Bisection = float64(g.groups/2) * float64(g.groups/2) * float64(links)
		c.BisectionSource = "s g^2/4, between halves of the g groups with s channels for each pair"
	}
	return c
}

// RoutingGroups are the groups, every two of which are joined.
func (g *evenDragonfly) RoutingGroups() topology.Grouping {
	groupings := g.Groupings()
	return groupings[len(groupings)-1]
}

// UsualRouting is UGAL by the queues of the source.
func (g *evenDragonfly) UsualRouting() string { return "ugal-l" }

// WorstCaseTraffic sends all traffic of a group to the next one (J. Kim et al., ISCA 2008, section 4.2).
func (g *evenDragonfly) WorstCaseTraffic() string { return "next-group" }
