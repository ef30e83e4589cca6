package solid

import (
	"cmp"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Sizes of racks and boxes that nothing states, in metres.
const (
	sheet   = 0.02  // of the sides of a rack
	gap     = 0.001 // between a box and the one above it
	plate   = 0.006 // the front of a box
	strip   = 0.3   // of its height that is marked as its front
	edge    = 0.06  // the front edge of a rack's top
	usual   = 0.44  // the width of a box that states none
	ofDepth = 0.75  // the depth of such a box, as a share of the rack's
)

// rackBox is a box or panel in a rack, in the rack's own axes: its front towards -y.
type rackBox struct {
	vertex int32 // panels follow the vertices
	kind   Kind
	part   string
	at     layout.Point
	size   [3]float64
	rear   bool
	ports  []catalog.PortGroup
}

// racks adds all racks with what stands in them.
func (b *builder) racks() {
	room := b.r.Room()
	group := b.group("racks", -1)
	held := b.boxesInRacks()
	boxes := 0
	for _, h := range held {
		boxes += len(h)
	}
	single := boxes <= b.limits.Boxes
	if !single {
		b.Notes = append(b.Notes, "the boxes of a rack are drawn as one stack, without their names")
	}
	row, rowGroup := -1, int32(-1)
	for i := range b.r.Placement.Racks {
		rack := &b.r.Placement.Racks[i]
		p := &room.Places[rack.Place]
		if p.Row != row {
			row = p.Row
			rowGroup = b.group("row "+room.Rows[row].Name, group)
		}
		stack := held[rack.Place]
		t := room.Type(rack.Place)
		facts := []Fact{text("row", room.Rows[p.Row].Name)}
		if t.Name != "" {
			facts = append(facts, text("rack_type", t.Name))
		}
		facts = append(facts, count("boxes", int64(rack.Boxes)), count("units_used", int64(rack.Used)),
			count("units", int64(t.Units)), power(rack.Power))
		if s := b.r.Bill.PowerNote().Short(); s != "" {
			facts = append(facts, text("power_basis", s))
		}
		if t.Power > 0 {
			facts = append(facts, Fact{Key: "power_limit_w", Measure: Watts, Number: tenth(float64(t.Power))})
		}
		facts = append(facts, weight(rack.Weight))
		parts := shell(t, mostly(stack))
		if !single {
			facts = append(facts, summed(stack)...)
			for k := range stack {
				parts = append(parts, stack[k].body())
			}
		}
		s := Solid{
			Kind: Rack, Name: room.Name(int(rack.Place)), Shape: b.shape(parts...), In: rowGroup,
			At: layout.Point{X: p.X, Y: p.Y, Z: room.Rows[p.Row].Z}, Facts: facts,
			Storey: int32(room.Rows[p.Row].Hall),
		}
		if p.Turned {
			s.Turned = 2
		}
		n := b.add(s)
		if single {
			for k := range stack {
				b.box(n, &stack[k])
			}
		}
	}
}

// box adds a box to a rack.
func (b *builder) box(rack int32, x *rackBox) {
	w, d, h := x.size[0]/2, x.size[1]/2, x.size[2]
	s := Solid{
		Kind: x.kind, Name: b.r.Schedule.Device(x.vertex), In: rack, At: x.at, Storey: b.Solids[rack].Storey,
		Shape: b.shape(block(x.kind, -w, plate-d, 0, w, d, h), block(Front, -w, -d, 0, w, plate-d, strip*h),
			block(x.kind, -w, -d, strip*h, w, plate-d, h)),
		Facts: []Fact{text("part", x.part)}, Ports: x.ports,
	}
	if x.rear {
		s.Turned = 2
	}
	b.add(s)
}

// body is a box of a stack.
func (x *rackBox) body() Part {
	w, d := x.size[0]/2, x.size[1]/2
	px, py, pz := float64(x.at.X), float64(x.at.Y), float64(x.at.Z)
	return block(x.kind, px-w, py-d, pz, px+w, py+d, pz+x.size[2])
}

// summed counts the boxes of a stack by part.
func summed(stack []rackBox) []Fact {
	counts := map[string]int64{}
	for i := range stack {
		counts[stack[i].part]++
	}
	var out []Fact
	for i := range stack {
		if n := counts[stack[i].part]; n > 0 {
			out = append(out, count("boxes_"+strings.ReplaceAll(stack[i].part, "-", "_"), n))
			delete(counts, stack[i].part)
		}
	}
	return out
}

// mostly is the kind that takes most of a rack.
func mostly(stack []rackBox) Kind {
	var taken [kinds]float64
	best := Node
	for i := range stack {
		x := &stack[i]
		taken[x.kind] += x.size[0] * x.size[1] * x.size[2]
	}
	for k := range taken {
		if taken[k] > taken[best] {
			best = Kind(k)
		}
	}
	return best
}

// shell is a rack without what is in it: open at its front and rear, with a top in the colour of what it holds most of.
func shell(t *layout.RackType, holds Kind) []Part {
	w, d, h := float64(t.Width), float64(t.Depth), float64(t.Height)
	base := min(max(float64(t.Base), sheet), h/4)
	return []Part{
		centred(Rack, w, d, 0, base),
		block(Rack, -w/2, -d/2, base, sheet-w/2, d/2, h-sheet),
		block(Rack, w/2-sheet, -d/2, base, w/2, d/2, h-sheet),
		block(holds, -w/2, edge-d/2, h-sheet, w/2, d/2, h),
		block(Front, -w/2, -d/2, h-sheet, w/2, edge-d/2, h),
	}
}

// boxesInRacks lists the boxes and panels in every rack, from the bottom up.
func (b *builder) boxesInRacks() [][]rackBox {
	room, s := b.r.Room(), b.r.Schedule
	l := s.Placement.Layout
	out := make([][]rackBox, len(room.Places))
	ends := b.r.Graph.Kinds()
	for v := range topology.Vertices(b.r.Graph) {
		slot := s.Placement.Slot[v]
		place := l.Container(layout.RackLevel, slot)
		kind := topology.KindOf(ends, v)
		part := s.Boxes[kind].Part
		x := rackBox{vertex: int32(v), kind: b.roles[kind], part: part.ID, rear: l.Rear(slot), ports: part.Ports}
		x.at = b.within(place, l.Position(slot))
		t := room.Type(place)
		x.size = sized(t, part.Width, part.Depth, units.Length(max(part.Units, 1))*units.RackUnit)
		switch name := l.Innermost(slot); {
		case part.ZeroU:
			x.size[2] = min(float64(max(part.Height, units.RackUnit)), float64(t.Height))
			aside := max(0, t.Width/2-units.Length(sheet+x.size[0]/2)) // within the sides of the rack
			x.at.X = max(-aside, min(x.at.X, aside))
			x.at.Z = max(0, min(x.at.Z-units.Length(x.size[2]/2), t.Height-units.Length(x.size[2])))
		case strings.Contains(name, "/"):
			_, inner, _ := strings.Cut(name, "/")
			b.cell(&x, t, strings.TrimRight(inner, "0123456789"))
		}
		out[place] = append(out[place], x)
	}
	if k := s.Patching; k != nil {
		for i, p := range k.Panels {
			t := room.Type(p.Rack)
			out[p.Rack] = append(out[p.Rack], rackBox{
				vertex: k.Vertex(int32(i)), kind: Panel, part: p.Part.ID, at: layout.Point{Z: t.UnitHeight(p.Unit)},
				size:  sized(t, p.Part.Width, p.Part.Depth, units.Length(max(p.Part.Units, 1))*units.RackUnit),
				ports: p.Part.Ports,
			})
		}
	}
	for _, stack := range out {
		slices.SortStableFunc(stack, func(x, y rackBox) int { return cmp.Compare(x.at.Z, y.at.Z) })
	}
	return out
}

// cell makes a box as large as its cell of a chassis, of which the position is the middle.
func (b *builder) cell(x *rackBox, t *layout.RackType, chassis string) {
	c := b.r.Spec.Packaging.Chassis[chassis]
	inside := [3]float64{
		float64(t.Width) - 2*sheet, float64(t.Depth), float64(max(c.Units, 1)) * float64(units.RackUnit),
	}
	for a := range 3 {
		cell := inside[a]
		if a < len(c.Slots) {
			cell /= float64(max(c.Slots[a], 1))
		}
		if a < len(c.Pitch) && c.Pitch[a] > 0 {
			cell = min(cell, float64(c.Pitch[a]))
		}
		x.size[a] = 0.92 * cell
	}
	x.at.Z -= units.Length(x.size[2] / 2)
}

// within is a point in the axes of a rack.
func (b *builder) within(place int32, p layout.Point) layout.Point {
	room := b.r.Room()
	at := &room.Places[place]
	q := minus(p, layout.Point{X: at.X, Y: at.Y, Z: room.Rows[at.Row].Z})
	if at.Turned {
		q.X, q.Y = -q.X, -q.Y
	}
	return layout.Point{X: q.X.Round4(), Y: q.Y.Round4(), Z: q.Z.Round4()}
}

// sized is the outside of a box that is no larger than its rack.
func sized(t *layout.RackType, width, depth, height units.Length) [3]float64 {
	w, d := float64(width), float64(depth)
	if w == 0 {
		w = usual
	}
	if d == 0 {
		d = ofDepth * float64(t.Depth)
	}
	return [3]float64{
		min(w, float64(t.Width)-2*sheet), min(d, float64(t.Depth)), float64(height) - gap,
	}
}
