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
	e := &shapeSearch{min: s.MinNodes, max: s.MaxNodes, radix: radix}
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
		e.concentrated(3, func(q int) (switches, links int) {
			delta := (q+1)%4 - 1 // q = 4 w + delta, with delta -1, 0 or 1
			return 2 * q * q, (3*q - delta) / 2
		}, func(q, terminals int) topology.Params { return topology.SlimFly{Q: q, Terminals: terminals} })
	case "polarfly":
		e.concentrated(2, func(q int) (switches, links int) { return q*q + q + 1, q + 1 },
			func(q, terminals int) topology.Params { return topology.PolarFly{Q: q, Terminals: terminals} })
	case "hyperx":
		e.grids()
	}
	return e.found
}

// shapeSearch collects the shapes of a family within a range.
type shapeSearch struct {
	min, max, radix int
	found           []topology.Size
}

// add takes a shape whose graph has no more ports than asked for. The diameter is -1 where it is not known.
func (e *shapeSearch) add(p topology.Params, ports, diameter int) {
	spec := topology.Spec{Params: p}
	if e.radix > 0 && ports > e.radix {
		return
	}
	g, err := topology.New(spec)
	if err != nil {
		return // no such member of the family
	}
	c := topology.Count(g)
	if c.Nodes < e.min || c.Nodes > e.max {
		return
	}
	e.found = append(e.found, topology.Size{
		Spec: spec, Nodes: c.Nodes, Switches: c.Switches, Ports: ports, Links: c.Links, Diameter: diameter,
	})
}

// ends are the numbers of nodes at both ends of the range.
func (e *shapeSearch) ends() []int { return slices.Compact([]int{e.min, e.max}) }

// radices are the ports of switches in trees: those asked for, or usual ones.
func (e *shapeSearch) radices() []int {
	if e.radix > 0 {
		return []int{e.radix}
	}
	return []int{32, 36, 40, 48, 64, 128}
}

// tapers are ratios of down to up ports beside the 1, 2 and 3 of topology.Sizes.
var tapers = []float64{1.5, 4, 5, 6, 8}

func (e *shapeSearch) fatTrees() {
	for _, nodes := range e.ends() {
		for _, radix := range e.radices() {
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
		for _, radix := range e.radices() {
			for _, taper := range tapers {
				e.add(topology.FoldedClos{Nodes: nodes, Radix: radix, Taper: taper}, radix, -1)
			}
		}
	}
}

// dragonflies have groups of h to 4h switches with h/2 to 2h nodes each, in fewer groups than there can be, with as
// many links between every two as use all global ports.
func (e *shapeSearch) dragonflies() {
	for h := 1; h*h <= e.max; h++ {
		for a := h; a <= 4*h; a++ {
			e.groups(a*h, func(groups, perPair int) {
				for p := arith.CeilDiv(h, 2); p <= 2*h && int64(p)*int64(a*groups) <= int64(e.max); p++ {
					if p*a*groups >= e.min {
						e.add(topology.Dragonfly{P: p, A: a, H: h, Groups: groups, LinksPerPair: perPair}, p+a-1+h, -1)
					}
				}
			})
		}
	}
}

// dragonfliesPlus have as many spines as leaves in a group, k, with k/2, k or 2k global ports and k/2 to 2k nodes.
func (e *shapeSearch) dragonfliesPlus() {
	for k := 1; k*k <= e.max; k++ {
		for _, h := range slices.Compact([]int{arith.CeilDiv(k, 2), k, 2 * k}) {
			e.groups(k*h, func(groups, perPair int) {
				for p := arith.CeilDiv(k, 2); p <= 2*k && int64(p)*int64(k*groups) <= int64(e.max); p++ {
					if p*k*groups >= e.min {
						e.add(topology.DragonflyPlus{P: p, A: k, H: h, Groups: groups, LinksPerPair: perPair},
							max(p+k, k+h), -1)
					}
				}
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

// concentrated are the graphs of diameter 2 of prime powers from first on, with a quarter to one and a half times as
// many nodes on a switch as it has links to others.
func (e *shapeSearch) concentrated(first int, of func(q int) (switches, links int),
	params func(q, terminals int) topology.Params,
) {
	for q := first; q <= galois.MaxOrder && q*q <= e.max; q++ {
		if p, _ := galois.PrimePower(q); p == 0 {
			continue
		}
		switches, links := of(q)
		for t := arith.CeilDiv(links, 4); 2*t <= 3*links && t*switches <= e.max; t++ {
			if t*switches >= e.min {
				e.add(params(q, t), t+links, 2)
			}
		}
	}
}

// grids are those of one to three dimensions, the longest side at most twice the shortest, whose relative bisection is
// from 1/4 to 1.
func (e *shapeSearch) grids() {
	var extend func(dims []int, product, n int)
	extend = func(dims []int, product, n int) {
		if len(dims) == n {
			ports := 0
			for _, side := range dims {
				ports += side - 1
			}
			for t := arith.CeilDiv(dims[0], 2); t <= 2*dims[0] && t*product <= e.max; t++ {
				if t*product >= e.min {
					e.add(topology.HyperX{Dims: slices.Clone(dims), Terminals: t}, ports+t, n)
				}
			}
			return
		}
		for side := dims[len(dims)-1]; side <= 2*dims[0] && product*side <= e.max; side++ {
			extend(append(slices.Clone(dims), side), product*side, n)
		}
	}
	for n := 1; n <= 3; n++ {
		for side := 2; side*side <= 2*e.max; side++ {
			extend([]int{side}, side, n)
		}
	}
}
