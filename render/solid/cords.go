package solid

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/units"
)

// pair is two containers of one level inside the same container.
type pair struct {
	level int
	a, b  int32
}

// Cord is the cables between two containers inside the same one, of the outermost level that has them apart.
type Cord struct {
	Level          int   // of the layout
	A, B           int32 // the containers, A the first
	Cables, Copper int64
	Longest        units.Length   // that one of the cables needs
	Diameter       units.Length   // of all together, no more than a quarter of a container
	Points         []layout.Point // its way, from the middle of A to the middle of B

	squares float64 // of the cables' diameters, in square metres
}

// Kind is Copper, Fibre or Mixed.
func (c *Cord) Kind() Kind {
	switch c.Copper {
	case 0:
		return Fibre
	case c.Cables:
		return Copper
	}
	return Mixed
}

// Cords are the cables of a plan between containers, down to a level of the layout. Of the levels whose cords would
// have more than so many points together, the innermost are left out; first is the outermost of these, and deepest+1
// where none is. A summary has none.
func Cords(r *machine.Result, deepest, points int) (cords []*Cord, first int) {
	all := joined(r, deepest)
	slices.SortFunc(all, func(x, y *Cord) int {
		return cmp.Or(cmp.Compare(x.Level, y.Level), cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B))
	})
	level, bends := -1, 0
	for i, c := range all {
		if c.Level != level { // all of a level, or none
			level = c.Level
			for _, other := range all[i:] {
				if other.Level == level {
					bends += 4
				}
			}
			if bends > points {
				return all[:i], level
			}
		}
		c.lead(r, i)
	}
	return all, deepest + 1
}

// joined sums up the cables between containers.
func joined(r *machine.Result, deepest int) []*Cord {
	s, l := r.Schedule, r.Placement.Layout
	if s.Segments == nil {
		return nil
	}
	var all []*Cord
	known := map[pair]*Cord{}
	legs := s.Legs()
	s.Each(func(_ int64, seg *cabling.Segment) bool {
		leg := legs.Next(seg)
		if seg.Product >= 0 && !s.Jacket(seg, leg) {
			return true
		}
		x, y := s.Placement.Slot[seg.A], s.Placement.Slot[seg.B]
		for level := range deepest + 1 {
			p, q := l.Container(level, x), l.Container(level, y)
			if p == q {
				continue
			}
			key := pair{level, min(p, q), max(p, q)}
			c := known[key]
			if c == nil {
				c = &Cord{Level: level, A: key.a, B: key.b}
				known[key] = c
				all = append(all, c)
			}
			c.Cables++
			c.Longest = max(c.Longest, seg.Length)
			if seg.Product >= 0 {
				part := s.Products[seg.Product].Part
				d := float64(part.Cable.Diameter)
				c.squares += float64(d * d)
				if m := part.Cable.Medium; m == catalog.PassiveCopper || m == catalog.ActiveCopper {
					c.Copper++
				}
			}
			break
		}
		return true
	})
	return all
}

// lead finds the way and the diameter of the i-th cord, a little beside others.
func (c *Cord) lead(r *machine.Result, i int) {
	tree := r.Placement.Layout.Tree
	size := tree.Size(c.Level)
	middle := func(container int32) layout.Point {
		at := tree.Origin(c.Level, container)
		return layout.Point{X: at.X + size[0]/2, Y: at.Y + size[1]/2, Z: at.Z + size[2]/2}
	}
	from, to := middle(c.A), middle(c.B)
	const lanes = 7 // that lines are spread over, a thirtieth of the container apart
	side := min(size[0], size[1], size[2])
	aside := units.Length(float64(i%lanes-lanes/2) * float64(side) / 30)
	c.Points = []layout.Point{from, to}
	if r.Spec.Cabling.Route != spec.Direct {
		c.Points = tidy([]layout.Point{from, {X: to.X, Y: from.Y, Z: from.Z}, {X: to.X, Y: to.Y, Z: from.Z}, to})
	}
	for k := range c.Points {
		p := &c.Points[k]
		p.X, p.Y, p.Z = (p.X + aside).Round4(), (p.Y + aside).Round4(), (p.Z + aside).Round4()
	}
	thick := units.Length(max(thinnest, math.Sqrt(loose*c.squares)))
	c.Diameter = min(thick, side/4).Round4()
}

// between adds the cables between containers, down to a level: those between the same two as one line from the middle
// of one to the middle of the other.
func (b *builder) between(deepest int) {
	if b.r.Schedule.Segments == nil {
		b.Notes = append(b.Notes, "cables are not drawn: the plan is a summary, which has no list of them")
		return
	}
	l := b.r.Placement.Layout
	cords, first := Cords(b.r, deepest, b.limits.Bends)
	group, level := int32(-1), -1
	for _, c := range cords {
		if c.Level != level {
			level = c.Level
			group = b.group("cables between containers: "+l.Tree.Levels[level].Name, -1)
		}
		a, z := l.ContainerName(level, c.A), l.ContainerName(level, c.B)
		b.Lines = append(b.Lines, Line{
			Kind: c.Kind(), Name: a + " - " + z, In: group, Points: c.Points, Diameter: c.Diameter, Facts: []Fact{
				text("a", a), text("b", z), count("cables", c.Cables), metres("longest_m", c.Longest),
				metres("diameter_m", c.Diameter),
			},
		})
	}
	if first <= deepest {
		b.Notes = append(b.Notes, fmt.Sprintf("cables between containers %s and inside them are not drawn",
			l.Tree.Levels[first].Name))
	}
}
