package render

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/layout/drawing"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/route"
	"github.com/plenum-planner/plenum/render/scene"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Floor draws the machine from above, to scale, as a PNG: the room with its
// racks, aisles, keep-outs and trays, or containers from above and from the front. The picture is at most 4,000 pixels
// wide and high; what would be too small to read at its scale is left out.
func Floor(ctx context.Context, w io.Writer, r *machine.Result) error {
	c, err := drawFloor(ctx, r, false)
	if err != nil {
		return err
	}
	return c.PNG(ctx, w)
}

// FloorOf returns SmallFloor as machine.CompareOptions draws floors.
func FloorOf(ctx context.Context) func(*machine.Result) ([]byte, error) {
	return func(r *machine.Result) ([]byte, error) {
		var b bytes.Buffer
		err := SmallFloor(ctx, &b, r)
		return b.Bytes(), err
	}
}

// FloorSVG draws the same as Floor, as an SVG: a unit of its coordinates is a millimetre of the floor (less where a
// machine is small enough for it), x and -y are those of the room, and every layer is a group with an identifier. It
// can be enlarged: no name of a rack is left out because a picture would be too small, and racks have their names and
// contents as titles.
func FloorSVG(ctx context.Context, w io.Writer, r *machine.Result) error {
	c, err := drawFloor(ctx, r, true)
	if err != nil {
		return err
	}
	return scene.SVG(ctx, w, c.Scene)
}

// drawFloor draws a machine from above: for a picture, or to be enlarged.
func drawFloor(ctx context.Context, r *machine.Result, enlarged bool) (*pen.Canvas, error) {
	return drawFloorWith(ctx, r, FloorOptions{}, enlarged)
}

// drawFloorWith is drawFloor with options.
func drawFloorWith(ctx context.Context, r *machine.Result, opt FloorOptions, enlarged bool) (*pen.Canvas, error) {
	l, err := pen.NewLetters()
	if err != nil {
		return nil, err
	}
	if enlarged {
		l.Spare = pen.Spare
	}
	if opt, err = opt.withDefaults(r); err != nil {
		return nil, err
	}
	var c *pen.Canvas
	if r.Room() == nil {
		c, err = drawTree(ctx, l, r, enlarged)
	} else if d, wrong := drawRoom(ctx, l, r, opt, enlarged); wrong != nil {
		err = wrong
	} else {
		c = d.Canvas
	}
	if err != nil {
		return nil, err
	}
	describe(c, r)
	return c, nil
}

// describe says what a drawing is of.
func describe(c *pen.Canvas, r *machine.Result) {
	c.Scene.Name = machineName(r)
	_, unit := c.Scene.Grain()
	c.Scene.About = fmt.Sprintf("Plenum %s. %s A unit is a %s of the floor.", machine.Version, drafted(c.Scene), unit)
}

// drafted says how large a drawing is on its sheet.
func drafted(s *scene.Scene) string { return "Scale " + s.Drafting().String() + " at full size." }

// content is what a rack holds.
type content uint8

const (
	empty content = iota
	nodes
	mixed
	serving
	servers
	network
	endOfRow
	middleOfRow
)

var contents = [...]struct {
	text string
	col  color.RGBA
}{
	empty:       {"free rack position", palette.Free},
	nodes:       {"rack of nodes", palette.NodeFill},
	mixed:       {"rack of nodes and switches", palette.MixedFill},
	serving:     {"rack of service boxes", palette.ServiceFill},
	servers:     {"rack of switches and service boxes", palette.ServedFill},
	network:     {"rack of switches", palette.SwitchFill},
	endOfRow:    {"switches at the end of a row", palette.EndFill},
	middleOfRow: {"switches in the middle of a row", palette.MiddleFill},
}

// closest is the largest scale of a room, in pixels to a metre: a few racks need
// no larger picture.
const closest = 150

// labelled is the width of a rack, in pixels, in which its name can be read.
const labelled = 30

// roomDrawing is a plan view of a room.
type roomDrawing struct {
	*pen.Canvas
	sheet
	room  *layout.Room
	racks []content      // of each place
	trays *cabling.Trays // nil where cables do not run on trays
	most  int64          // cables on one piece of tray
	// counted is what trays, bands and racks count.
	counted string

	building *drawing.Drawing // nil without one
	least    float64          // size of the smallest letters
	shades   *rackShades      // nil for those by kind
	cables   *route.Runs      // nil for none
	// allCables says that nobody chose cables: all of them are drawn, as on the report's floor.
	allCables bool
	faults    *route.Faults // nil for none
	values    *RackValues   // nil for none
	tile      *spec.Tile    // of a raised floor; nil for none

	rowAt, numberAt []edgeName // in pixels down and to the right, when drawn

	across *uprights // when drawn

	stripeNumbers []stripeNumber // of the racks that are drawn
}

// newRoomDrawing begins a drawing of a room.
func newRoomDrawing(l *pen.Letters, r *machine.Result, opt FloorOptions) (*roomDrawing, error) {
	s, err := newRackShades(r, opt)
	if err != nil {
		return nil, err
	}
	d := &roomDrawing{
		room: r.Room(), racks: rackContents(r), trays: r.Schedule.Trays, building: r.Drawing, shades: s,
		Canvas: &pen.Canvas{Letters: l}, tile: r.Spec.Room.Tile, faults: opt.Faults,
		values: opt.Values, counted: countedCables(r.Schedule),
		least: leastLetter,
	}
	if d.faults != nil {
		d.trays = nil // of which differences say nothing
	}
	d.count()
	d.allCables = opt.all
	if opt.Cables != nil {
		if d.cables, err = route.Of(r, opt.Cables, opt.CableColour); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func drawRoom(
	ctx context.Context, l *pen.Letters, r *machine.Result, opt FloorOptions, enlarged bool,
) (*roomDrawing, error) {
	d, err := newRoomDrawing(l, r, opt)
	if err != nil {
		return nil, err
	}
	b := newBlock(l, r, "Floor plan")
	p := paper{label: labelled / float64(d.room.Spec.Rack.Width), most: closest, largest: largest}
	if enlarged {
		p.label = max(p.label, d.scaleForNames())
		p.most, p.largest = max(closest, p.label), math.Inf(1)
	}
	bound := d.room.Bound
	for range 2 { // the legend of cables depends on the scale, and the scale on the legend's height
		b.legend = d.legend()
		d.sheet = p.arrange(bound.Max[0]-bound.Min[0], bound.Max[1]-bound.Min[1], b.headHeight, b.footHeight)
	}
	d.Canvas, d.across = newCanvas(l, &d.sheet, bound.Min), nil
	d.paint()
	names := "Rows have letters, racks count along their row."
	if d.room.Spec.Names != nil {
		names = "Rows and racks have their names from the list of racks."
	}
	if d.room.HasSeveralFloors() {
		names += " Halls on other floors are drawn one behind the other."
	}
	if enlarged {
		names += " " + drafted(d.Scene)
	}
	b.draw(d.Canvas, &d.sheet, "x runs along the rows, y across them, from the lower left corner of the room. "+names)
	return d, ctx.Err()
}

// extent is the size of the floor.
func (d *roomDrawing) extent() (wide, high float64) {
	b := d.room.Bound
	return b.Max[0] - b.Min[0], b.Max[1] - b.Min[1]
}

// edges are the names of rows and the numbers of rack positions beside the plan.
func (d *roomDrawing) edges() (rowAt, numberAt []edgeName) { return d.rowAt, d.numberAt }

// drawOn draws the room on a sheet.
func (d *roomDrawing) drawOn(_ context.Context, l *pen.Letters, s sheet) *pen.Canvas {
	d.sheet, d.rowAt, d.numberAt, d.across = s, nil, nil, nil
	d.Canvas = newCanvas(l, &d.sheet, d.room.Bound.Min)
	d.paint()
	return d.Canvas
}

// paint draws the room, from the floor upwards.
func (d *roomDrawing) paint() {
	d.stripeNumbers = nil
	d.Layer("floor")
	d.ground()
	d.aisles()
	d.tiles()
	d.underlay()
	d.Layer("free-positions")
	d.reserved()
	d.rackBoxes(false)
	d.Layer("racks")
	d.rackBoxes(true)
	d.keepOuts()
	d.trayLines()
	d.cableLines()
	d.faultLines()
	d.labels()
	d.rackFigures()
	d.walls()
	d.tileNames()
	d.dimensions()
}

// ground paints the floor; of halls with walls, only what is between them.
func (d *roomDrawing) ground() {
	floors := d.room.Spec.Floors()
	if len(floors) < 2 {
		d.Fill(d.Plan, palette.Ground)
		return
	}
	for i := range floors {
		d.Fill(d.boxOf(floors[i].Bound), palette.Ground)
	}
}

// walls draws the edge of the floor: walls with their doors, where the room has any.
func (d *roomDrawing) walls() {
	d.Layer("walls")
	floors := d.room.Spec.Floors()
	if len(floors) == 0 {
		d.Frame(d.Plan, 2, palette.Ink)
		return
	}
	const most = 7.0 // pixels, outwards
	for i := range floors {
		f, p, thick := &floors[i], d.Plan, most
		if len(floors) > 1 {
			p = d.boxOf(f.Bound)
		}
		for j := max(0, i-1); j < min(len(floors), i+2); j++ { // walls of halls do not run over the floor of the next
			if o := d.boxOf(floors[j].Bound); j != i {
				thick = min(thick, max(1, math.Floor(max(o.Y0-p.Y1, p.Y0-o.Y1)/2)))
			}
		}
		d.wallsOf(i, p, thick)
		for j := range f.Doors {
			d.door(f, &f.Doors[j], thick)
		}
	}
}

// leastGap is half the least width of an opening for cables, in pixels; usualGap is its width where nothing states it.
const (
	leastGap = 8.0
	usualGap = units.Length(0.3)
)

// wallsOf draws the walls around the floor of a hall, which leave the openings for cables free.
func (d *roomDrawing) wallsOf(hall int, p pen.Box, thick float64) {
	sides := map[layout.Wall][]pen.Box{
		layout.South: {pen.Rect(p.X0-thick, p.Y1, p.X1+thick, p.Y1+thick)},
		layout.North: {pen.Rect(p.X0-thick, p.Y0-thick, p.X1+thick, p.Y0)},
		layout.West:  {pen.Rect(p.X0-thick, p.Y0, p.X0, p.Y1)},
		layout.East:  {pen.Rect(p.X1, p.Y0, p.X1+thick, p.Y1)},
	}
	for _, g := range d.room.HallOpenings() {
		x, y := d.point(layout.FloorPoint(g.X, g.Y))
		half := max(leastGap, float64(cmp.Or(g.Width, usualGap))*d.Scale/2)
		switch {
		case g.Hall != hall:
		case g.InFloor:
			b := pen.Rect(x-half, y-half, x+half, y+half)
			d.Frame(b, 2, palette.Wall)
			d.Line(b.X0, b.Y0, b.X1, b.Y1, 1.5, palette.Wall)
			d.Line(b.X0, b.Y1, b.X1, b.Y0, 1.5, palette.Wall)
		default:
			sides[g.Wall] = cutOut(sides[g.Wall], pen.Rect(x-half, y-half, x+half, y+half), g.Wall)
		}
	}
	for _, wall := range []layout.Wall{layout.South, layout.North, layout.West, layout.East} {
		for _, b := range sides[wall] {
			d.Fill(b, palette.Wall)
		}
	}
}

// cutOut returns the pieces of a wall without an opening.
func cutOut(pieces []pen.Box, gap pen.Box, wall layout.Wall) []pen.Box {
	along := wall == layout.South || wall == layout.North
	var out []pen.Box
	for _, b := range pieces {
		one, other := b, b
		if along {
			one.X1, other.X0 = min(b.X1, gap.X0), max(b.X0, gap.X1)
		} else {
			one.Y1, other.Y0 = min(b.Y1, gap.Y0), max(b.Y0, gap.Y1)
		}
		for _, piece := range []pen.Box{one, other} {
			if piece.Width() > 0 && piece.Height() > 0 {
				out = append(out, piece)
			}
		}
	}
	return out
}

// gapLegend explains openings for cables.
func (d *roomDrawing) gapLegend() []pen.Item {
	inWall, inFloor := false, false
	for _, g := range d.room.HallOpenings() {
		inWall, inFloor = inWall || !g.InFloor, inFloor || g.InFloor
	}
	var out []pen.Item
	if inWall {
		out = append(out, pen.Item{Text: "opening in a wall for cables", Swatch: func(c *pen.Canvas, b pen.Box) {
			y, third := (b.Y0+b.Y1)/2, b.Width()/3
			c.Fill(pen.Rect(b.X0, y-3, b.X0+third, y+3), palette.Wall)
			c.Fill(pen.Rect(b.X1-third, y-3, b.X1, y+3), palette.Wall)
		}})
	}
	if inFloor {
		out = append(out, pen.Item{Text: "opening in a floor for cables", Swatch: func(c *pen.Canvas, b pen.Box) {
			x, y := (b.X0+b.X1)/2, (b.Y0+b.Y1)/2
			half := min(b.Width(), b.Height()) / 2
			c.Frame(pen.Rect(x-half, y-half, x+half, y+half), 2, palette.Wall)
			c.Line(x-half, y-half, x+half, y+half, 1.5, palette.Wall)
			c.Line(x-half, y+half, x+half, y-half, 1.5, palette.Wall)
		}})
	}
	return out
}

// door draws a door in its wall, which is so many pixels thick.
func (d *roomDrawing) door(f *layout.Floor, door *layout.Door, thick float64) {
	b := d.boxOf(f.Opening(door).Bound())
	switch door.Wall {
	case layout.South:
		b.Y1 += thick
	case layout.North:
		b.Y0 -= thick
	case layout.West:
		b.X0 -= thick
	case layout.East:
		b.X1 += thick
	}
	d.Fill(b, color.White)
	d.Frame(b, 1, palette.Door)
}

// rackContents finds what stands at every rack position.
func rackContents(r *machine.Result) []content {
	out := make([]content, len(r.Room().Places))
	p := r.Placement
	for i, k := range r.Schedule.Kinds {
		if r.Schedule.Boxes[i].Part.ZeroU {
			continue // it stands beside what the rack is for
		}
		is := nodes
		switch {
		case k.Role == topology.Switch:
			is = network
		case i < len(r.Spec.Boxes) && r.Spec.Boxes[i].Role == spec.Service:
			is = serving
		}
		for v := k.First; v < k.First+k.Count; v++ {
			place := p.Layout.Container(layout.RackLevel, p.Slot[v])
			out[place] = out[place].with(is)
		}
	}
	for _, rack := range p.Racks {
		switch holds := out[rack.Place]; {
		case holds != network && holds != servers: // of nodes or service boxes
		case rack.Class == embed.EndOfRow:
			out[rack.Place] = endOfRow
		case rack.Class == embed.MiddleOfRow:
			out[rack.Place] = middleOfRow
		}
	}
	return out
}

// with is what a rack holds with a box of nodes, network or serving besides.
func (c content) with(is content) content {
	switch {
	case c == empty || c == is:
		return is
	case c == nodes && is == serving, c == serving && is == nodes:
		return nodes
	case c == servers && is != nodes:
		return servers
	case c == network && is == serving, c == serving && is == network:
		return servers
	}
	return mixed
}

// legend explains what is drawn, and only that.
func (d *roomDrawing) legend() []pen.Item {
	var out []pen.Item
	var seen [len(contents)]bool
	for _, c := range d.racks {
		seen[c] = true
	}
	for i := range contents {
		if k := (i + 1) % len(contents); seen[k] { // free positions last
			if d.shades != nil && d.shades.of != nil && content(k) != empty {
				continue
			}
			out = append(out, pen.Item{Text: contents[k].text, Swatch: pen.Filled(d.contentCol(content(k)))})
		}
	}
	if d.shades != nil {
		out = append(d.shades.legend, out...)
		if d.shades.figured != "" {
			out = append(out, pen.Item{Text: d.shades.figured, Swatch: func(c *pen.Canvas, b pen.Box) {
				c.Text("9.9", pen.Letter{Size: 14}, (b.X0+b.X1)/2, (b.Y0+b.Y1)/2, 0.5, palette.Ink)
			}})
		}
	}
	if d.faults != nil {
		out = append(faultLegend(d.faults), out...)
	}
	if d.cables != nil {
		out = append(d.cableLegend(d.cables, d.cableLanes() != nil), out...)
	}
	out = append(out, d.stripeLegend()...)
	out = append(out, pen.Item{Text: "front of a rack", Swatch: func(c *pen.Canvas, b pen.Box) {
		c.Fill(b, contents[empty].col)
		c.Frame(b, 1, palette.Outline)
		c.Fill(pen.Rect(b.X0, b.Y1-4, b.X1, b.Y1), palette.Front)
	}})
	var cold, hot bool
	for _, a := range d.room.Aisles {
		cold, hot = cold || a.Cold, hot || !a.Cold
	}
	if cold {
		out = append(out, pen.Item{Text: "cold aisle", Swatch: pen.Filled(palette.Cold)})
	}
	if hot {
		out = append(out, pen.Item{Text: "hot aisle", Swatch: pen.Filled(palette.Hot)})
	}
	out = slices.Concat(out, d.tileLegend(), d.trayLegend())
	if slices.ContainsFunc(d.room.Lost, func(l layout.Lost) bool { return l.Why == layout.Reserved }) {
		out = append(out, pen.Item{Text: d.reservedLegend(), Swatch: func(c *pen.Canvas, b pen.Box) {
			c.Fill(b, contents[empty].col)
			c.Hatch([][2]float64{{b.X0, b.Y0}, {b.X1, b.Y0}, {b.X1, b.Y1}, {b.X0, b.Y1}}, 8, palette.Outline)
			c.Frame(b, 1, palette.Outline)
		}})
	}
	return slices.Concat(out, d.gapLegend(), d.keptLegend())
}

// contentCol is the colour of racks with a content.
func (d *roomDrawing) contentCol(c content) color.RGBA {
	if d.cables != nil {
		return palette.Behind(contents[c].col)
	}
	return contents[c].col
}

// keptLegend explains what no rack may stand on.
func (d *roomDrawing) keptLegend() []pen.Item {
	var out []pen.Item
	var kept [layout.Causes]bool
	for _, k := range d.room.KeepOuts {
		kept[k.Why] = true
	}
	if kept[layout.KeptFree] {
		out = append(out, pen.Item{Text: "keep-out", Swatch: pen.Hatched(palette.KeepOut)})
	}
	if kept[layout.DoorZone] {
		out = append(out, pen.Item{Text: "door, and the floor before it", Swatch: pen.Hatched(palette.Door)})
	}
	if kept[layout.Column] {
		out = append(out, pen.Item{Text: "building column" + d.columnSizes(), Swatch: pen.Filled(palette.Column)})
	}
	if kept[layout.Walled] {
		out = append(out, pen.Item{Text: "beyond the walls", Swatch: pen.Filled(palette.Beyond)})
	}
	if d.building != nil {
		out = append(out, pen.Item{Text: "drawing of the building", Swatch: func(c *pen.Canvas, b pen.Box) {
			c.Line(b.X0, (b.Y0+b.Y1)/2, b.X1, (b.Y0+b.Y1)/2, 1.5, underlayCol)
		}})
	}
	return out
}

// boxOf maps a part of the floor to the picture.
func (d *roomDrawing) boxOf(b orb.Bound) pen.Box {
	x0, y1 := d.point(b.Min)
	x1, y0 := d.point(b.Max)
	return pen.Rect(x0, y0, x1, y1)
}

func (d *roomDrawing) point(p orb.Point) (x, y float64) {
	return d.at(p[0]-d.room.Bound.Min[0], p[1]-d.room.Bound.Min[1])
}

func (d *roomDrawing) aisles() {
	d.Layer("aisles")
	for _, a := range d.room.AisleFloors() {
		col := palette.Hot
		if a.Cold {
			col = palette.Cold
		}
		d.Fill(d.boxOf(a.Bound), col)
	}
}

// footprint maps the floor under a rack to the picture.
func (d *roomDrawing) footprint(p layout.Place) pen.Box {
	return d.boxOf(p.Footprint(*d.room.Spec.Type(p.Type)))
}

// rackBoxes draws the racks, or the positions for some.
func (d *roomDrawing) rackBoxes(there bool) {
	for i, p := range d.room.Places {
		if there != (d.racks[i] != empty) {
			continue
		}
		b := d.footprint(p)
		c := contents[d.racks[i]]
		about, shaded := c.text, d.shades != nil && d.shades.of != nil && d.racks[i] != empty
		if shaded {
			about = d.shades.of[i].about
		}
		if d.shades != nil && d.shades.stripes != nil {
			if of := d.shades.stripes.about(i); of != "" {
				about += ", " + of
			}
		}
		kind := d.room.Type(int32(i)).Name
		if kind == "" {
			kind = "rack"
		}
		d.Add(scene.Fill{
			Box: b, Color: pen.NRGBA(d.contentCol(d.racks[i])), Name: d.room.Name(i), About: about, Block: kind,
			Turned: p.Turned,
		})
		if shaded {
			d.fillRack(i, b)
		}
		if b.Width() < 4 || b.Height() < 4 {
			continue
		}
		d.Frame(b, 1, palette.Outline)
		if d.racks[i] == empty {
			continue
		}
		mark := max(1, min(5, 0.07*b.Height()))
		front := pen.Rect(b.X0, b.Y1-mark, b.X1, b.Y1) // towards -y: down
		if p.Turned {
			front = pen.Rect(b.X0, b.Y0, b.X1, b.Y0+mark)
		}
		d.Fill(front, palette.Front)
		if d.striped() {
			d.stripe(i, b, p.Turned, mark)
		}
	}
}

// reserved draws the positions that are to stay empty.
func (d *roomDrawing) reserved() {
	for _, l := range d.room.Lost {
		if l.Why != layout.Reserved {
			continue
		}
		b := d.footprint(d.room.At(l.Row, l.Number))
		d.Fill(b, contents[empty].col)
		d.Hatch([][2]float64{{b.X0, b.Y0}, {b.X1, b.Y0}, {b.X1, b.Y1}, {b.X0, b.Y1}}, 10, palette.Outline)
		if b.Width() >= 4 && b.Height() >= 4 {
			d.Frame(b, 1, palette.Outline)
		}
	}
}

// keptLayers are the layers of what no rack may stand on, from behind.
var keptLayers = []struct {
	why  layout.Cause
	name string
}{
	{layout.KeptFree, "keep-outs"},
	{layout.DoorZone, "doors"},
	{layout.Walled, "building-walls"},
	{layout.Column, "columns"},
}

// columnSizes says how wide and deep columns are, where all are alike: ", 0.5 m x 0.5 m".
func (d *roomDrawing) columnSizes() string {
	sizes := ""
	for _, k := range d.room.KeepOuts {
		if k.Why != layout.Column {
			continue
		}
		b := k.Area.Bound()
		size := fmt.Sprintf(", %v x %v", units.Length(b.Max[0]-b.Min[0]), units.Length(b.Max[1]-b.Min[1]))
		if sizes != "" && sizes != size {
			return " of several sizes"
		}
		sizes = size
	}
	return sizes
}

func (d *roomDrawing) keepOuts() {
	for _, kept := range keptLayers {
		d.Layer(kept.name)
		for _, o := range d.room.KeepOuts {
			switch {
			case o.Why != kept.why:
			case kept.why >= layout.Column:
				d.solid(&o)
			default:
				col := palette.KeepOut
				if kept.why == layout.DoorZone {
					col = palette.Door
				}
				for _, ring := range o.Area {
					d.Hatch(d.corners(ring), 10, col)
				}
			}
		}
	}
}

// corners are those of a ring in the picture.
func (d *roomDrawing) corners(ring orb.Ring) [][2]float64 {
	var points [][2]float64
	for _, p := range ring {
		x, y := d.point(p)
		points = append(points, [2]float64{x, y})
	}
	return points
}

// solid fills a column, a wall, or the floor beyond walls.
func (d *roomDrawing) solid(o *layout.KeepOut) {
	const thin = 0.01 // metres: a wall that is drawn as a line
	b := o.Area.Bound()
	ring := o.Area[0]
	switch {
	case o.Why == layout.Column && len(ring) == 5 && math.Abs(planar.Area(ring)) > 0.999*planar.Area(b): // upright
		d.Fill(d.boxOf(b).Within(d.Plan), palette.Column)
		return
	case o.Why == layout.Walled && math.Abs(planar.Area(ring)) < thin*planar.Length(ring)/2:
		a, z := orb.Point(ring[0]), ring[1]
		x0, y0 := d.point(a)
		x1, y1 := d.point(z)
		d.Line(x0, y0, x1, y1, 3, palette.Wall)
		return
	}
	col := palette.Column
	if o.Why == layout.Walled {
		col = palette.Beyond
	}
	d.Polygon(d.corners(ring), col)
}

// depthAt is how far left of the plan the dimension of the room's depth is, in pixels.
const depthAt = 86

func (d *roomDrawing) dimensions() {
	d.Layer("dimensions")
	b := d.room.Bound
	p := d.Plan
	d.Dimension(p.X0, p.Y1+58, p.X1, p.Y1+58, units.Length(b.Max[0]-b.Min[0]).String())
	d.Dimension(p.X0-depthAt, p.Y1, p.X0-depthAt, p.Y0, units.Length(b.Max[1]-b.Min[1]).String())
}
