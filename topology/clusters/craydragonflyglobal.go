package clusters

import (
	"sort"

	"github.com/plenum-planner/plenum/internal/arith"
	"github.com/plenum-planner/plenum/topology"
)

// partOf is the kind of a group.
func (g *crayDragonfly) partOf(group int) int {
	return sort.Search(len(g.parts)-1, func(i int) bool { return group < g.parts[i+1].first })
}

// within counts the groups of a kind among those from `from` to `to`, which is not counted.
func (g *crayDragonfly) within(kind, from, to int) int {
	k := &g.parts[kind]
	return max(0, min(to, k.first+k.count)-max(from, k.first))
}

// turn counts the groups of a kind among n groups from `from` on, where the first follows the last.
func (g *crayDragonfly) turn(kind, from, n int) int {
	from %= g.groups
	if from+n <= g.groups {
		return g.within(kind, from, from+n)
	}
	return g.within(kind, from, g.groups) + g.within(kind, 0, from+n-g.groups)
}

// nearer counts the groups of a kind that stand before group y in the order of group x.
func (g *crayDragonfly) nearer(x, y, kind int) int {
	up := (y - x + g.groups) % g.groups
	switch g.order {
	case absolute:
		n := g.within(kind, 0, y)
		if x < y {
			n -= g.within(kind, x, x+1)
		}
		return n
	case relative:
		return g.turn(kind, x+1, up-1)
	}
	if 2*up <= g.groups {
		return g.turn(kind, x+1, up-1) + g.turn(kind, x+g.groups-up+1, up-1)
	}
	down := g.groups - up
	return g.turn(kind, x+1, down) + g.turn(kind, y+1, down-1)
}

// below counts the channels of a group of a kind in the rounds before q.
func (g *crayDragonfly) below(kind, q int) int {
	n := 0
	for j := range g.parts {
		n += g.others(kind, j) * min(g.pairs[kind][j], q)
	}
	return n
}

// course is the list of channels of a group x with regard to another, y.
type course struct {
	kind   int   // of x
	copies int   // channels to y
	nearer []int // groups by kind that stand before y
}

func (g *crayDragonfly) course(x, y int, space []int) course {
	c := course{kind: g.partOf(x), nearer: space[:0]}
	c.copies = g.pairs[c.kind][g.partOf(y)]
	for j := range g.parts {
		c.nearer = append(c.nearer, g.nearer(x, y, j))
	}
	return c
}

// before counts the groups that stand before y in round q.
func (g *crayDragonfly) before(c *course, q int) int {
	n := 0
	for j, count := range c.nearer {
		if g.pairs[c.kind][j] > q {
			n += count
		}
	}
	return n
}

// first counts, among the first n channels of the list, those to groups that stand before y, and those to y.
func (g *crayDragonfly) first(c *course, n int) (nearer, copies int) {
	round := sort.Search(g.rounds, func(q int) bool { return g.below(c.kind, q+1) > n })
	rest := n - g.below(c.kind, round)
	for j, count := range c.nearer {
		nearer += count * min(g.pairs[c.kind][j], round)
	}
	copies = min(c.copies, round)
	if round < c.copies {
		here := g.before(c, round)
		if nearer += min(here, rest); here < rest {
			copies++
		}
	} else {
		nearer += min(g.before(c, round), rest)
	}
	return nearer, copies
}

// run is the copies of a group's channels to another that belong to one switch: copies from ... to-1, on ports from
// port on.
type run struct{ sw, port, from, to int }

// runOf finds the run of a copy; sw is counted in the group.
func (g *crayDragonfly) runOf(c *course, nth int) run {
	k := &g.parts[c.kind]
	channel := g.below(c.kind, nth) + g.before(c, nth)
	sw := channel * k.size / k.channels
	nearer, from := g.first(c, arith.CeilDiv(sw*k.channels, k.size))
	next, to := g.first(c, arith.CeilDiv((sw+1)*k.channels, k.size))
	return run{sw: sw, port: k.local + next - nearer, from: from, to: to}
}

// global yields the links between groups, by the lower of the two and then by the other.
func (g *crayDragonfly) global(yield func(topology.Link) bool) bool {
	one, other := make([]int, 0, len(g.parts)), make([]int, 0, len(g.parts))
	for x := range g.groups {
		for y := x + 1; y < g.groups; y++ {
			a, b := g.course(x, y, one), g.course(y, x, other)
			if !g.between(x, y, &a, &b, yield) {
				return false
			}
		}
	}
	return true
}

// between yields the links between two groups.
func (g *crayDragonfly) between(x, y int, a, b *course, yield func(topology.Link) bool) bool {
	for nth := 0; nth < a.copies; {
		here := g.runOf(a, nth)
		l := topology.Link{
			A: int32(g.firstSwitch(x) + here.sw), PortA: int32(here.port + nth - here.from),
			Level: int32(len(g.levels) - 1),
		}
		if back := a.copies - 1 - nth; g.order == relative {
			there := g.runOf(b, back)
			width := min(here.to-nth, back+1-there.from)
			l.B, l.Width = int32(g.firstSwitch(y)+there.sw), int32(width)
			l.PortB = int32(there.port + back + 1 - width - there.from)
		} else {
			there := g.runOf(b, nth)
			l.B, l.Width = int32(g.firstSwitch(y)+there.sw), int32(min(here.to, there.to)-nth)
			l.PortB = int32(there.port + nth - there.from)
		}
		if !yield(l) {
			return false
		}
		nth += int(l.Width)
	}
	return true
}

// firstSwitch is the first switch of a group.
func (g *crayDragonfly) firstSwitch(group int) int {
	k := &g.parts[g.partOf(group)]
	return k.sw + (group-k.first)*k.size
}
