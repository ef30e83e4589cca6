package solid

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/units"
)

// pair is two containers of one level inside the same container.
type pair struct {
	level int
	a, b  int32
}

// cords are the cables between two containers.
type cords struct {
	cables, copper int64
	longest        units.Length
	squares        float64 // of their diameters, in square metres
}

// between adds the cables between nested containers, down to a level: those between the same two as one line from the
// middle of one to the middle of the other.
func (b *builder) between(deepest int) {
	s := b.r.Schedule
	if s.Segments == nil {
		b.Notes = append(b.Notes, "cables are not drawn: the plan is a summary, which has no list of them")
		return
	}
	all := b.cords(deepest)
	keys := slices.SortedFunc(maps.Keys(all), func(x, y pair) int {
		return cmp.Or(cmp.Compare(x.level, y.level), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	tree := b.r.Placement.Layout.Tree
	group, level, bends := int32(-1), -1, 0
	for i, key := range keys {
		if key.level != level { // all of a level, or none
			level = key.level
			for _, k := range keys[i:] {
				if k.level == level {
					bends += 4
				}
			}
			if bends > b.limits.Bends {
				b.Notes = append(b.Notes, fmt.Sprintf("cables between containers %s and inside them are not drawn",
					tree.Levels[level].Name))
				return
			}
			group = b.group("cables between containers: "+tree.Levels[level].Name, -1)
		}
		b.Lines = append(b.Lines, b.cord(key, all[key], group, i))
	}
}

// cords sums up the cables between containers.
func (b *builder) cords(deepest int) map[pair]*cords {
	s, l := b.r.Schedule, b.r.Schedule.Placement.Layout
	all := map[pair]*cords{}
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
			c := all[key]
			if c == nil {
				c = &cords{}
				all[key] = c
			}
			c.cables++
			c.longest = max(c.longest, seg.Length)
			if seg.Product >= 0 {
				part := s.Products[seg.Product].Part
				d := float64(part.Cable.Diameter)
				c.squares += float64(d * d)
				if m := part.Cable.Medium; m == catalog.PassiveCopper || m == catalog.ActiveCopper {
					c.copper++
				}
			}
			break
		}
		return true
	})
	return all
}

// cord is the line of the cables between two containers, a little beside others.
func (b *builder) cord(key pair, c *cords, group int32, i int) Line {
	l := b.r.Placement.Layout
	size := l.Tree.Size(key.level)
	middle := func(container int32) layout.Point {
		at := l.Tree.Origin(key.level, container)
		return layout.Point{X: at.X + size[0]/2, Y: at.Y + size[1]/2, Z: at.Z + size[2]/2}
	}
	from, to := middle(key.a), middle(key.b)
	const lanes = 7 // that lines are spread over, a thirtieth of the container apart
	side := min(size[0], size[1], size[2])
	aside := units.Length(float64(i%lanes-lanes/2) * float64(side) / 30)
	points := []layout.Point{from, to}
	if b.r.Spec.Cabling.Route != spec.Direct {
		points = tidy([]layout.Point{from, {X: to.X, Y: from.Y, Z: from.Z}, {X: to.X, Y: to.Y, Z: from.Z}, to})
	}
	for k := range points {
		p := &points[k]
		p.X, p.Y, p.Z = (p.X + aside).Round4(), (p.Y + aside).Round4(), (p.Z + aside).Round4()
	}
	kind := Mixed
	switch c.copper {
	case 0:
		kind = Fibre
	case c.cables:
		kind = Copper
	}
	thick := units.Length(max(thinnest, math.Sqrt(loose*c.squares)))
	thick = min(thick, side/4).Round4()
	a, z := l.ContainerName(key.level, key.a), l.ContainerName(key.level, key.b)
	return Line{
		Kind: kind, Name: a + " - " + z, In: group, Points: points, Diameter: thick, Facts: []Fact{
			text("a", a), text("b", z), count("cables", c.cables), metres("longest_m", c.longest),
			metres("diameter_m", thick),
		},
	}
}
