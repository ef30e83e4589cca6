package machines

import (
	"slices"

	"github.com/plenum-planner/plenum/internal/arith"
	"github.com/plenum-planner/plenum/internal/galois"
	"github.com/plenum-planner/plenum/topology"
)

// shapes are configurations that topology.Sizes does not list, because they are less regular or one of very many, and
// that a designer considers for a machine of a given size: narrower trees, other numbers of nodes on a switch, fewer
// groups, grids of unequal sides.
func (s *Search) shapes(family string, radix int) []topology.Size {
	e := &shapeSearch{
		min: s.MinNodes, max: s.MaxNodes, ports: radix, radices: []int{radix}, capacity: s.greatestCapacity(),
	}
	if radix == 0 {
		e.ports, e.radices = usualPorts, []int{32, 36, 40, 48, 64, usualPorts}
	}
	switch family {
	case "fat-tree":
		e.fatTrees()
	case "folded-clos":
		e.foldedClos()
	case "dragonfly":
		e.dragonflies()
	case "dragonfly-plus":
		e.dragonfliesPlus()
	case "slim-fly":
		e.addConcentrated(3, func(q int) (switches, links int) {
			delta := (q+1)%4 - 1 // q = 4 w + delta, with delta -1, 0 or 1
			return 2 * q * q, (3*q - delta) / 2
		}, func(q, terminals int) topology.Params { return topology.SlimFly{Q: q, Terminals: terminals} })
	case "polarfly":
		e.addConcentrated(2, func(q int) (switches, links int) { return q*q + q + 1, q + 1 },
			func(q, terminals int) topology.Params { return topology.PolarFly{Q: q, Terminals: terminals} })
	case "hyperx":
		e.grids()
	}
	return e.found
}

// usualPorts is the most ports of the switches of shapes where none are asked for.
const usualPorts = 128

// shapeSearch collects the shapes of a family within a range, up to one more than are enumerated.
type shapeSearch struct {
	min, max int
	ports    int   // the most of a switch
	radices  []int // of the switches of trees
	capacity int   // the greatest that a link may have: as many times more nodes can be on a switch
	found    []topology.Size
}

// full reports whether there are more than are enumerated.
func (e *shapeSearch) full() bool { return len(e.found) > mostOfFamily }

// add takes a shape whose graph has no more ports than asked for. The diameter is -1 where it is not known.
func (e *shapeSearch) add(p topology.Params, ports, diameter int) {
	spec := topology.Spec{Params: p}
	if ports > e.ports || e.full() {
		return
	}
	g, err := topology.New(spec)
	if err != nil {
		return // no such member of the family
	}
	size := topology.Size{Spec: spec, Ports: ports, Diameter: diameter}
	for _, k := range g.Kinds() {
		if k.Role == topology.Switch {
			size.Switches += k.Count
		} else {
			size.Nodes += k.Count
		}
	}
	if size.Nodes >= e.min && size.Nodes <= e.max {
		e.found = append(e.found, size)
	}
}

// within visits the numbers of nodes on a switch, from least to most, with which so many switches are in the range.
func (e *shapeSearch) within(switches, least, most int, visit func(p int)) {
	for p := max(least, arith.CeilDiv(e.min, switches)); p <= min(most, e.max/switches); p++ {
		visit(p)
	}
}

// ends are the numbers of nodes at both ends of the range.
func (e *shapeSearch) ends() []int { return slices.Compact([]int{e.min, e.max}) }

// tapers are ratios of down to up ports beside the 1, 2 and 3 of topology.Sizes.
var tapers = []float64{1.5, 4, 5, 6, 8}

func (e *shapeSearch) fatTrees() {
	for _, nodes := range e.ends() {
		for _, radix := range e.radices {
			for tiers := 2; tiers <= 3; tiers++ {
				for _, taper := range tapers {
					e.add(topology.FatTree{Nodes: nodes, Radix: radix, Tiers: tiers, Taper: taper}, radix, -1)
				}
			}
		}
	}
}

func (e *shapeSearch) foldedClos() {
	for _, nodes := range e.ends() {
		for _, radix := range e.radices {
			for _, taper := range tapers {
				e.add(topology.FoldedClos{Nodes: nodes, Radix: radix, Taper: taper}, radix, -1)
			}
		}
	}
}

// dragonflies have groups of h to 4h switches with h/2 to 2h nodes each, in fewer groups than there can be, with as
// many links between every two as use all global ports.
func (e *shapeSearch) dragonflies() {
	for h := 1; arith.CeilDiv(h, 2)+2*h-1 <= e.ports && !e.full(); h++ {
		for a := h; a <= min(4*h, e.ports-h); a++ {
			e.groups(a*h, func(groups, perPair int) {
				e.within(a*groups, arith.CeilDiv(h, 2), min(2*h*e.capacity, e.ports-a+1-h), func(p int) {
					e.add(topology.Dragonfly{P: p, A: a, H: h, Groups: groups, LinksPerPair: perPair}, p+a-1+h, -1)
				})
			})
		}
	}
}

// dragonfliesPlus have as many spines as leaves in a group, k, with k/2, k or 2k global ports and k/2 to 2k nodes.
func (e *shapeSearch) dragonfliesPlus() {
	for k := 1; k < e.ports && !e.full(); k++ {
		for _, h := range slices.Compact([]int{arith.CeilDiv(k, 2), k, 2 * k}) {
			e.groups(k*h, func(groups, perPair int) {
				e.within(k*groups, arith.CeilDiv(k, 2), min(2*k*e.capacity, e.ports-k), func(p int) {
					e.add(topology.DragonflyPlus{P: p, A: k, H: h, Groups: groups, LinksPerPair: perPair},
						max(p+k, k+h), -1)
				})
			})
		}
	}
}

// groups visits numbers of groups whose global ports are all used, by two links or more between every two groups.
func (e *shapeSearch) groups(ports int, visit func(groups, perPair int)) {
	for perPair := 2; perPair <= ports; perPair++ {
		if ports%perPair == 0 {
			visit(ports/perPair+1, perPair)
		}
	}
}

// addConcentrated adds the graphs of diameter 2 of prime powers from first on, with a quarter to one and a half times
// as many nodes on a switch as it has links to others.
func (e *shapeSearch) addConcentrated(first int, of func(q int) (switches, links int),
	params func(q, terminals int) topology.Params,
) {
	for q := first; q <= galois.MaxOrder && q*q <= e.max; q++ {
		if p, _ := galois.PrimePower(q); p == 0 {
			continue
		}
		switches, links := of(q)
		e.within(switches, arith.CeilDiv(links, 4), min(3*links*e.capacity/2, e.ports-links), func(t int) {
			e.add(params(q, t), t+links, 2)
		})
	}
}

// grids are those of one to three dimensions, the longest side at most twice the shortest, whose relative bisection is
// from 1/4 to 1 with some of the capacities.
func (e *shapeSearch) grids() {
	var extend func(dims []int, switches, ports, n int)
	extend = func(dims []int, switches, ports, n int) {
		least := arith.CeilDiv(dims[0], 2) // nodes on a switch
		if len(dims) == n {
			e.within(switches, least, min(2*dims[0]*e.capacity, e.ports-ports), func(t int) {
				e.add(topology.HyperX{Dims: slices.Clone(dims), Terminals: t}, ports+t, n)
			})
			return
		}
		for side := dims[len(dims)-1]; side <= min(2*dims[0], e.max/(switches*least)); side++ {
			extend(append(slices.Clone(dims), side), switches*side, ports+side-1, n)
		}
	}
	for n := 1; n <= 3; n++ {
		for side := 2; side < e.ports && !e.full(); side++ {
			extend([]int{side}, side, side-1, n)
		}
	}
}
