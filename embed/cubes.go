package embed

import (
	"cmp"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Copies returns, for a family of copies within copies, how many copies of the next level each copy holds, outermost
// first; the last number is of vertices. C(4) of a CLEX with cliques of 32 is 32, 32, 32, 32. It is nil where the
// groups of a level differ in size or leave vertices out, or where there are no groups.
func Copies(g topology.Graph) []int {
	groupings := g.Groupings()
	n := topology.Vertices(g)
	if len(groupings) == 0 {
		return nil
	}
	out := make([]int, 0, len(groupings)+1)
	outer := 1 // groups of the next coarser level
	for k := len(groupings) - 1; k >= 0; k-- {
		count := groupings[k].Count
		if count < 1 || n%count != 0 || count%outer != 0 {
			return nil
		}
		size := make([]int, count)
		for v := range n {
			of := groupings[k].Of(v)
			if of < 0 {
				return nil
			}
			size[of]++
		}
		for _, s := range size {
			if s != n/count {
				return nil
			}
		}
		out = append(out, count/outer)
		outer = count
	}
	return append(out, n/outer)
}

// NestCubes completes containers for a family of copies within copies, one level of containers for each level of
// copies. A level without a count gets the cuboid of cells that makes the links short over all levels. Cuboids that are
// not cubes therefore have their short side along another axis on each level: 32 copies are 4 x 4 x 2 cells, then 4 x 2
// x 4 of these, then 2 x 4 x 4, which makes 32 x 32 x 32 (C. Lenzen and R. Wattenhofer, CLEX: yet another supercomputer
// architecture?, arXiv:1607.00298, section II.B). A cuboid may have more cells than there are copies where the number
// of copies has no suitable factors.
//
// The objective is the product over the levels of the root mean square distance between two cells of a container, so
// that every level has the same weight, however short its links. Cuboids are chosen from the innermost level outwards;
// after each level, only those are kept that no other dominates in the objective and in all sides.
func NestCubes(g topology.Graph, levels []layout.TreeLevel) (*layout.Tree, error) {
	copies := Copies(g)
	if copies == nil {
		return nil, diag.Fieldf("Tree", "a count is needed: a %s has no copies within copies that could give it",
			g.Family())
	}
	if len(copies) != len(levels) {
		return nil, diag.Fieldf("Tree", "%d levels of containers without a count for the %d levels of copies of a %s",
			len(levels), len(copies), g.Family())
	}
	best := []nesting{{}}
	for i := len(levels) - 1; i >= 0; i-- {
		boxes := [][3]int{levels[i].Count}
		if levels[i].Count == [3]int{} {
			boxes = boxesOf(copies[i])
		} else if product(levels[i].Count[:]) < copies[i] {
			return nil, diag.Fieldf(diag.Elem("Tree.Levels", i)+".Count", "%d cells for %d copies",
				product(levels[i].Count[:]), copies[i])
		}
		var next []nesting
		for _, inner := range best {
			for _, box := range boxes {
				if n, ok := inner.in(box, &levels[i]); ok {
					next = append(next, n)
				}
			}
		}
		if len(next) == 0 {
			return nil, diag.Fieldf(diag.Elem("Tree.Levels", i)+".Pitch", "no box of %d cells fits this pitch",
				copies[i])
		}
		best = keepUndominated(next)
	}
	out := slices.Clone(levels)
	for i := range out {
		out[i].Count = best[0].boxes[len(levels)-1-i]
	}
	return layout.NewTree(out)
}

// nesting is a choice of cells for the inner levels of containers.
type nesting struct {
	boxes [][3]int        // cells along the axes of each level, the innermost first
	size  [3]units.Length // of the outermost of these containers
	cost  float64         // sum of the logarithms of root mean square distances between cells
}

// in adds a level whose containers have the given cells, each of which holds one container of the nesting. It returns
// false if the level's pitch is too small for these.
func (n nesting) in(box [3]int, l *layout.TreeLevel) (nesting, bool) {
	out := nesting{boxes: append(slices.Clip(n.boxes), box)}
	square := 1e-12 // mean square distance; not 0, so that a single cell has a logarithm
	for a, count := range box {
		pitch, inner := l.Pitch[a], n.size[a]
		if pitch == 0 {
			pitch = inner + l.Gap
		}
		if pitch < inner-1e-9 || pitch <= 0 {
			return out, false
		}
		if len(n.boxes) == 0 {
			inner = pitch
		}
		out.size[a] = units.Length(count-1)*pitch + inner
		square += float64(pitch) * float64(pitch) * float64(count*count-1) / 6
	}
	out.cost = n.cost + math.Log(square)/2
	return out, true
}

// mostNestings bounds the search: after each level, so many of the nestings of lowest cost are kept.
const mostNestings = 512

// keepUndominated returns the nestings that no other dominates in cost and all sides, by rising cost and at most
// mostNestings of them. Of equal ones it keeps the one with the longest first sides.
func keepUndominated(all []nesting) []nesting {
	slices.SortStableFunc(all, func(a, b nesting) int {
		if c := cmp.Compare(math.Round(a.cost*1e9), math.Round(b.cost*1e9)); c != 0 {
			return c
		}
		for i := range a.boxes {
			if c := slices.Compare(b.boxes[i][:], a.boxes[i][:]); c != 0 {
				return c
			}
		}
		return 0
	})
	var kept []nesting
	for _, n := range all {
		beaten := slices.ContainsFunc(kept, func(k nesting) bool {
			return k.size[0] <= n.size[0]+1e-9 && k.size[1] <= n.size[1]+1e-9 && k.size[2] <= n.size[2]+1e-9
		})
		if !beaten {
			if kept = append(kept, n); len(kept) == mostNestings {
				break
			}
		}
	}
	return kept
}

// boxesOf lists the cuboids of n cells whose sides differ by a factor of at most four. If there are none, it lists
// larger ones that would have fewer than n cells if their first or second side were shorter by one; the third side is
// the shortest possible for the other two.
func boxesOf(n int) [][3]int {
	longest := 4 * int(math.Ceil(math.Cbrt(float64(n))))
	var exact, more [][3]int
	for a := 1; a <= longest; a++ {
		for b := 1; b <= longest; b++ {
			c := (n + a*b - 1) / (a * b)
			if max(a, b, c) > 4*min(a, b, c) {
				continue
			}
			if a*b*c == n {
				exact = append(exact, [3]int{a, b, c})
			} else if (a-1)*b*c < n && a*(b-1)*c < n {
				more = append(more, [3]int{a, b, c})
			}
		}
	}
	if len(exact) > 0 {
		return exact
	}
	return more
}

// cubeSlots gives every copy a container of its own, in the order of the
// copies' numbers.
func cubeSlots(p *Problem, slots []int32) error {
	copies := Copies(p.Graph)
	levels := p.Tree.Levels
	if len(copies) != len(levels) {
		return diag.Fieldf("Tree", "cubes need a level of containers for each level of copies: %d for this %s, not %d",
			len(copies), p.Graph.Family(), len(levels))
	}
	for i, l := range levels {
		if have := product(l.Count[:]); have < copies[i] {
			return diag.Fieldf(diag.Elem("Tree.Levels", i)+".Count", "%d cells for %d copies", have, copies[i])
		}
	}
	s := byHierarchy(p.Graph, func(int32) bool { return true })
	// Counts up as an odometer: one digit for each level.
	digit := make([]int, len(copies))
	slot := 0
	for _, v := range s.order {
		slots[v] = int32(slot)
		cells := 1
		for i := len(copies) - 1; i >= 0; i-- {
			slot += cells
			if digit[i]++; digit[i] < copies[i] {
				break
			}
			slot -= copies[i] * cells
			digit[i] = 0
			cells *= product(levels[i].Count[:])
		}
	}
	return nil
}

// cubesFit reports whether there is a level of containers, with cells enough, for
// each level of copies.
func (p *Problem) cubesFit() bool {
	copies := Copies(p.Graph)
	if len(copies) != len(p.Tree.Levels) {
		return false
	}
	for i, l := range p.Tree.Levels {
		if product(l.Count[:]) < copies[i] {
			return false
		}
	}
	return true
}
