package embed

import (
	"context"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
)

// mostEmpty is the number of slots that containers may have for any number of boxes; beyond it, they may have eight
// slots for each box. A slot takes about 50 bytes of memory.
const mostEmpty = 1 << 24

// placeInTree fills containers.
func placeInTree(ctx context.Context, p *Problem) (*Placement, error) {
	n := topology.Vertices(p.Graph)
	if have := p.Tree.Cells(0); n > have {
		return nil, diag.Fieldf("Tree", "%d places for %d boxes", have, n)
	}
	if have := p.Tree.Cells(0); have > max(mostEmpty, 8*n) {
		return nil, diag.Fieldf("Tree", "%d places for %d boxes\nleave out containers that stay empty", have, n)
	}
	if p.Optimizer != nil {
		return optimizeTree(ctx, p)
	}
	slots, err := treeSlots(p, n)
	if err != nil {
		return nil, err
	}
	return &Placement{Layout: p.Tree.Layout(), Slot: slots}, nil
}

// treeSlots returns the slot of every vertex: by the strategy, with pinned vertices in their slots.
func treeSlots(p *Problem, n int) ([]int32, error) {
	slots, err := strategySlots(p, n)
	if err == nil {
		p.pinSlots(slots)
	}
	return slots, err
}

// strategySlots returns the slot of every vertex by the strategy.
func strategySlots(p *Problem, n int) ([]int32, error) {
	slots := make([]int32, n)
	all := func(int32) bool { return true }
	switch strategy := p.EffectiveStrategy(); strategy {
	case Random:
		for i, v := range shuffledOrder(p.Graph, all, p.Seed).order {
			slots[v] = int32(i)
		}
	case Cubes:
		return slots, cubeSlots(p, slots)
	case Hilbert:
		l := p.Tree.Layout()
		along := make([]int32, l.Slots())
		for i := range along {
			along[i] = int32(i)
		}
		alongHilbert(along, l.Position)
		for i, v := range byNeighbours(p.Graph, all).order {
			slots[v] = along[i]
		}
	case Folded:
		lattice := topology.GridOf(p.Graph)
		levels := make([]cells, len(p.Tree.Levels))
		for i, l := range p.Tree.Levels {
			levels[i] = cells{name: l.Name, count: l.Count, fixed: p.Blocks[l.Name]}
		}
		c, err := cutLattice(lattice, levels, p.Fold, p.Straight)
		if err != nil {
			return nil, err
		}
		if lattice.TerminalsPerRouter() == 0 && c.fits(p) {
			total := make([]int, len(levels))
			for i := range levels {
				total[i] = levels[i].total()
			}
			c.each(total, func(r int32, position int) { slots[r] = int32(position) })
			break
		}
		fillTree(p, c.sequence(levels, all), slots)
	default:
		fillTree(p, byHierarchy(p.Graph, all), slots)
	}
	return slots, nil
}

// fits reports whether containers of every level have a cell for each block of the cut.
func (c *cut) fits(p *Problem) bool {
	for i, l := range p.Tree.Levels {
		if product(c.factor[i]) > l.Count[0]*l.Count[1]*l.Count[2] {
			return false
		}
	}
	return true
}

// fillTree gives the vertices of a sequence slots in order. A group that would be divided between two containers but
// fits into one starts in the next container, as long as enough slots remain for all vertices.
func fillTree(p *Problem, s sequence, slots []int32) {
	spare := p.Tree.Cells(0) - len(s.order)
	slot := 0
	for i, v := range s.order {
		for k := len(s.groupings) - 1; k >= 0; k-- {
			of := s.groupings[k].of
			if i > 0 && of[i] == of[i-1] {
				continue
			}
			size := 1
			for i+size < len(of) && of[i+size] == of[i] {
				size++
			}
			if skip := toNext(p.Tree, slot, size); skip <= spare {
				slot += skip
				spare -= skip
			}
		}
		slots[v] = int32(slot)
		slot++
	}
}

// toNext returns how many slots to skip from slot on so that the next size slots are in one
// container of the smallest level that can hold them.
func toNext(t *layout.Tree, slot, size int) int {
	for level := len(t.Levels) - 1; level > 0; level-- {
		if cells := t.Cells(level); size <= cells {
			if at := slot % cells; at+size > cells {
				return cells - at
			}
			return 0
		}
	}
	return 0
}
