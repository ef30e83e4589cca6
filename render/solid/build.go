package solid

import (
	"context"
	"fmt"
	"strconv"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Limits is how much of a machine is drawn one by one.
type Limits struct {
	// Boxes is the most boxes with a name and a place of their own. With more, a rack has its boxes as one stack, of
	// which racks that are alike share one, and containers are drawn down to a level with no more.
	Boxes int
	// Bends is the most points of all bundles together. With more, the trays have what lies on them as one body.
	Bends int
}

// DefaultLimits keep a machine of 10,000 racks to some tens of megabytes.
var DefaultLimits = Limits{Boxes: 20_000, Bends: 60_000}

// builder makes a model.
type builder struct {
	*Model
	r      *machine.Result
	limits Limits
	roles  []Kind           // of the boxes of each kind of vertices
	shapes map[string]int32 // by what they consist of
	key    []byte
}

// New makes the model of a plan.
func New(ctx context.Context, r *machine.Result, limits Limits) (*Model, error) {
	b := &builder{Model: &Model{Name: r.Spec.Name}, r: r, limits: limits, shapes: map[string]int32{}}
	if b.Name == "" {
		b.Name = "machine"
	}
	for i, k := range r.Schedule.Kinds {
		role := Node
		switch {
		case k.Role == topology.Switch:
			role = Switch
		case i < len(r.Spec.Boxes) && r.Spec.Boxes[i].Role == spec.Service:
			role = Service
		}
		b.roles = append(b.roles, role)
	}
	if r.Room() == nil {
		b.Storeys = []Storey{{Name: "machine"}}
		b.containers()
		return b.Model, ctx.Err()
	}
	b.rooms()
	b.racks()
	if ctx.Err() == nil {
		b.trays()
	}
	return b.Model, ctx.Err()
}

// group adds a group.
func (b *builder) group(name string, in int32) int32 {
	return b.add(Solid{Kind: Group, Name: name, Shape: -1, In: in})
}

func (b *builder) add(s Solid) int32 {
	b.Solids = append(b.Solids, s)
	return int32(len(b.Solids) - 1)
}

// shape returns the number of a shape, the same for those that are alike.
func (b *builder) shape(parts ...Part) int32 {
	k := b.key[:0]
	number := func(v float64) { k = append(strconv.AppendFloat(k, v, 'f', 5, 64), ' ') }
	for i := range parts {
		p := &parts[i]
		k = append(k, byte(p.Kind))
		for a := range 3 {
			number(p.Lo[a])
			number(p.Hi[a])
		}
		for _, q := range p.Ring {
			number(q[0])
			number(q[1])
		}
		k = append(k, ';')
	}
	b.key = k
	if n, known := b.shapes[string(k)]; known {
		return n
	}
	n := int32(len(b.Shapes))
	b.Shapes = append(b.Shapes, Shape{parts})
	b.shapes[string(k)] = n
	return n
}

// block is a part between two corners.
func block(k Kind, x0, y0, z0, x1, y1, z1 float64) Part {
	return Part{Kind: k, Lo: [3]float64{x0, y0, z0}, Hi: [3]float64{x1, y1, z1}}
}

// centred is a block on the floor about the origin.
func centred(k Kind, width, depth, z0, z1 float64) Part {
	return block(k, -width/2, -depth/2, z0, width/2, depth/2, z1)
}

func text(key, s string) Fact { return Fact{Key: key, Text: s} }

func count(key string, n int64) Fact { return Fact{Key: key, Measure: Count, Number: float64(n)} }

func power(p units.Power) Fact {
	return Fact{Key: "power_w", Measure: Watts, Number: tenth(float64(p))}
}

func weight(m units.Mass) Fact {
	return Fact{Key: "weight_kg", Measure: Kilograms, Number: tenth(float64(m))}
}

func metres(key string, l units.Length) Fact {
	return Fact{Key: key, Measure: Metres, Number: float64(l.Round4())}
}

func percent(key string, share float64) Fact {
	return Fact{Key: key, Measure: Percent, Number: tenth(100 * share)}
}

// tenth rounds to as much as a figure of a rack is worth.
func tenth(v float64) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'f', 1, 64), 64)
	return r
}

// containers adds containers: a frame for each, and the boxes in the innermost.
func (b *builder) containers() {
	l := b.r.Placement.Layout
	tree := l.Tree
	deepest := 0 // the last level whose containers are drawn one by one
	for deepest+1 < len(tree.Levels) && l.Slots()/tree.Cells(deepest+1) <= b.limits.Boxes {
		deepest++
	}
	held := make([][]int32, deepest+1) // the solid of each container
	for level := range held {
		n := l.Slots() / tree.Cells(level)
		shape := b.frame(tree.Size(level), level == deepest && l.Slots() > b.limits.Boxes)
		held[level] = make([]int32, n)
		for c := range int32(n) {
			in, at := int32(-1), tree.Origin(level, c)
			if level > 0 {
				outer := c / int32(tree.Cells(level-1)/tree.Cells(level))
				in, at = held[level-1][outer], minus(at, tree.Origin(level-1, outer))
			}
			held[level][c] = b.add(Solid{
				Kind: Container, Name: l.ContainerName(level, c), Shape: shape, In: in, At: at,
				Facts: []Fact{text("level", tree.Levels[level].Name), count("places", int64(tree.Cells(level)))},
			})
		}
	}
	if l.Slots() > b.limits.Boxes {
		b.Notes = append(b.Notes, fmt.Sprintf("containers inside a %s, and boxes, are not drawn one by one",
			tree.Levels[deepest].Name))
		b.between(deepest)
		return
	}
	pitch := tree.Levels[len(tree.Levels)-1].Pitch
	kinds := b.r.Graph.Kinds()
	const share = 0.38 // of the pitch, either way from the middle: neighbours stay apart
	for v, slot := range b.r.Placement.Slot {
		kind := topology.KindOf(kinds, v)
		x, y, z := share*float64(pitch[0]), share*float64(pitch[1]), share*float64(pitch[2])
		inner := l.Container(deepest, slot)
		b.add(Solid{
			Kind: b.roles[kind], Name: b.r.Schedule.Device(int32(v)), In: held[deepest][inner],
			Shape: b.shape(block(b.roles[kind], -x, -y, -z, x, y, z)),
			At:    minus(l.Position(slot), tree.Origin(deepest, inner)),
			Facts: []Fact{text("part", b.r.Schedule.Boxes[kind].Part.ID)}, Ports: b.r.Schedule.Boxes[kind].Part.Ports,
		})
	}
	b.between(deepest)
}

// frame is the twelve edges of a container, or all of it.
func (b *builder) frame(size [3]units.Length, filled bool) int32 {
	s := [3]float64{float64(size[0]), float64(size[1]), float64(size[2])}
	if filled {
		return b.shape(block(Container, 0, 0, 0, s[0], s[1], s[2]))
	}
	thick := 0.006 * max(s[0], s[1], s[2])
	var edges []Part
	for a := range 3 { // the axis along which four edges run
		o, p := (a+1)%3, (a+2)%3
		for i := range 4 {
			e := Part{Kind: Container}
			e.Lo[a], e.Hi[a] = 0, s[a]
			for k, axis := range []int{o, p} {
				if i>>k&1 == 1 {
					e.Lo[axis], e.Hi[axis] = s[axis]-thick, s[axis]
				} else {
					e.Hi[axis] = thick
				}
			}
			edges = append(edges, e)
		}
	}
	return b.shape(edges...)
}

func minus(p, q layout.Point) layout.Point {
	return layout.Point{X: p.X - q.X, Y: p.Y - q.Y, Z: p.Z - q.Z}
}
