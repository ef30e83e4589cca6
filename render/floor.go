package render

import (
	"context"
	"image/color"
	"image/png"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/drawing"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Floor draws the machine from above, to scale, as a PNG: the room with its
// racks, aisles, keep-outs and trays, or nested containers from above and from
// the front. The picture is at most 4,000 pixels wide and high; what would be too
// small to read at its scale is left out.
func Floor(ctx context.Context, w io.Writer, r *machine.Result) error {
	l, err := newLetters()
	if err != nil {
		return err
	}
	draw := drawTree
	if r.Room() != nil {
		draw = drawRoom
	}
	c, err := draw(ctx, l, r)
	if err != nil {
		return err
	}
	if c.err != nil {
		return c.err
	}
	return png.Encode(w, c.img)
}

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
	empty:       {"free rack position", color.RGBA{0xff, 0xff, 0xff, 0xff}},
	nodes:       {"rack of nodes", color.RGBA{0x9c, 0xc3, 0xe8, 0xff}},
	mixed:       {"rack of nodes and switches", color.RGBA{0x86, 0xcf, 0xb0, 0xff}},
	serving:     {"rack of service boxes", color.RGBA{0xdd, 0xcf, 0xb4, 0xff}},
	servers:     {"rack of switches and service boxes", color.RGBA{0xd9, 0xb7, 0xc4, 0xff}},
	network:     {"rack of switches", color.RGBA{0xcd, 0xa9, 0xe0, 0xff}},
	endOfRow:    {"switches at the end of a row", color.RGBA{0xf4, 0xcb, 0x62, 0xff}},
	middleOfRow: {"switches in the middle of a row", color.RGBA{0xee, 0xa8, 0x7c, 0xff}},
}

// Colours of a room.
var (
	coldCol   = color.RGBA{0xe3, 0xf0, 0xfa, 0xff}
	hotCol    = color.RGBA{0xfc, 0xe8, 0xdf, 0xff}
	coldInk   = color.RGBA{0x2b, 0x6c, 0x9e, 0xff}
	hotInk    = color.RGBA{0xb0, 0x50, 0x2c, 0xff}
	frontCol  = color.RGBA{0x16, 0x3a, 0x5c, 0xff}
	doorCol   = color.RGBA{0x2e, 0x7d, 0x5b, 0xff}
	wallCol   = color.RGBA{0x33, 0x38, 0x40, 0xff}
	keepCol   = color.RGBA{0xb8, 0x3a, 0x2e, 0xff}
	columnCol = color.RGBA{0x55, 0x5b, 0x63, 0xff}
	beyondCol = color.RGBA{0xc9, 0xcc, 0xd1, 0xff}
)

// closest is the largest scale of a room, in pixels to a metre: a few racks need
// no larger picture.
const closest = 150

// labelled is the width of a rack, in pixels, in which its name can be read.
const labelled = 30

// roomDrawing is a plan view of a room.
type roomDrawing struct {
	*canvas
	sheet
	room  *layout.Room
	racks []content      // of each place
	trays *cabling.Trays // nil where cables do not run on trays
	most  int64          // cables on one piece of tray

	building *drawing.Drawing // nil without one
}

func drawRoom(ctx context.Context, l *letters, r *machine.Result) (*canvas, error) {
	d := &roomDrawing{room: r.Room(), racks: rackContents(r), trays: r.Schedule.Trays, building: r.Drawing}
	d.count()
	b := newBlock(l, r, "Floor plan")
	b.legend = d.legend()
	bound := d.room.Bound
	d.sheet = arrange(bound.Max[0]-bound.Min[0], bound.Max[1]-bound.Min[1], labelled/float64(d.room.Spec.Rack.Width),
		closest, b.headHeight, b.footHeight)
	d.canvas = newCanvas(l, &d.sheet)
	d.paint()
	names := "Rows have letters, racks count along their row."
	if d.room.Spec.Names != nil {
		names = "Rows and racks have their names from the list of racks."
	}
	b.draw(d.canvas, &d.sheet, "x runs along the rows, y across them, from the lower left corner of the room. "+names)
	return d.canvas, ctx.Err()
}

// paint draws the room, from the floor upwards.
func (d *roomDrawing) paint() {
	d.fill(d.Plan, floorCol)
	d.aisles()
	d.underlay()
	d.rackBoxes()
	d.reserved()
	d.keepOuts()
	d.trayLines()
	d.labels()
	d.walls()
	d.dimensions()
}

// walls draws the edge of the floor: walls with their doors, where the room has any.
func (d *roomDrawing) walls() {
	s := &d.room.Spec
	if s.Width == 0 {
		d.frame(d.Plan, 2, ink)
		return
	}
	const thick = 7.0 // pixels, outwards
	p := d.Plan
	d.frame(box{p.X0 - thick, p.Y0 - thick, p.X1 + thick, p.Y1 + thick}, thick, wallCol)
	for i := range s.Doors {
		line := s.Doors[i].Opening(s.Width, s.Depth)
		b := d.boxOf(line.Bound())
		switch s.Doors[i].Wall {
		case layout.South:
			b.Y1 += thick
		case layout.North:
			b.Y0 -= thick
		case layout.West:
			b.X0 -= thick
		case layout.East:
			b.X1 += thick
		}
		d.fill(b, color.White)
		d.frame(b, 1, doorCol)
	}
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
		switch rack.Class {
		case embed.EndOfRow:
			out[rack.Place] = endOfRow
		case embed.MiddleOfRow:
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
func (d *roomDrawing) legend() []legendItem {
	var out []legendItem
	var seen [len(contents)]bool
	for _, c := range d.racks {
		seen[c] = true
	}
	for i := range contents {
		if k := (i + 1) % len(contents); seen[k] { // free positions last
			out = append(out, legendItem{contents[k].text, filled(contents[k].col)})
		}
	}
	out = append(out, legendItem{"front of a rack", func(c *canvas, b box) {
		c.fill(b, contents[empty].col)
		c.frame(b, 1, outline)
		c.fill(box{b.X0, b.Y1 - 4, b.X1, b.Y1}, frontCol)
	}})
	var cold, hot bool
	for _, a := range d.room.Aisles {
		cold, hot = cold || a.Cold, hot || !a.Cold
	}
	if cold {
		out = append(out, legendItem{"cold aisle", filled(coldCol)})
	}
	if hot {
		out = append(out, legendItem{"hot aisle", filled(hotCol)})
	}
	out = append(out, d.trayLegend()...)
	if slices.ContainsFunc(d.room.Lost, func(l layout.Lost) bool { return l.Why == layout.Reserved }) {
		out = append(out, legendItem{"reserved rack position", func(c *canvas, b box) {
			c.fill(b, contents[empty].col)
			c.hatch([][2]float64{{b.X0, b.Y0}, {b.X1, b.Y0}, {b.X1, b.Y1}, {b.X0, b.Y1}}, 8, outline)
			c.frame(b, 1, outline)
		}})
	}
	return append(out, d.keptLegend()...)
}

// keptLegend explains what no rack may stand on.
func (d *roomDrawing) keptLegend() []legendItem {
	var out []legendItem
	var kept [layout.Causes]bool
	for _, k := range d.room.KeepOuts {
		kept[k.Why] = true
	}
	if kept[layout.KeptFree] {
		out = append(out, legendItem{"keep-out", hatched(keepCol)})
	}
	if kept[layout.DoorZone] {
		out = append(out, legendItem{"door, and the floor before it", hatched(doorCol)})
	}
	if kept[layout.Column] {
		out = append(out, legendItem{"building column", filled(columnCol)})
	}
	if kept[layout.Walled] {
		out = append(out, legendItem{"beyond the walls", filled(beyondCol)})
	}
	if d.building != nil {
		out = append(out, legendItem{"drawing of the building", func(c *canvas, b box) {
			c.line(b.X0, (b.Y0+b.Y1)/2, b.X1, (b.Y0+b.Y1)/2, 1.5, underlayCol)
		}})
	}
	return out
}

// boxOf maps a part of the floor to the picture.
func (d *roomDrawing) boxOf(b orb.Bound) box {
	x0, y1 := d.point(b.Min)
	x1, y0 := d.point(b.Max)
	return box{x0, y0, x1, y1}
}

func (d *roomDrawing) point(p orb.Point) (x, y float64) {
	return d.at(p[0]-d.room.Bound.Min[0], p[1]-d.room.Bound.Min[1])
}

func (d *roomDrawing) aisles() {
	for _, a := range d.room.Aisles {
		col := hotCol
		if a.Cold {
			col = coldCol
		}
		d.fill(d.boxOf(a.Bound), col)
	}
}

// footprint maps the floor under a rack to the picture.
func (d *roomDrawing) footprint(p layout.Place) box {
	return d.boxOf(p.Footprint(*d.room.Spec.Type(p.Type)))
}

func (d *roomDrawing) rackBoxes() {
	for i, p := range d.room.Places {
		b := d.footprint(p)
		d.fill(b, contents[d.racks[i]].col)
		if b.width() < 4 || b.height() < 4 {
			continue
		}
		d.frame(b, 1, outline)
		if d.racks[i] == empty {
			continue
		}
		mark := max(1, min(5, 0.07*b.height()))
		front := box{b.X0, b.Y1 - mark, b.X1, b.Y1} // towards -y: down
		if p.Turned {
			front = box{b.X0, b.Y0, b.X1, b.Y0 + mark}
		}
		d.fill(front, frontCol)
	}
}

// reserved draws the positions that are to stay empty.
func (d *roomDrawing) reserved() {
	for _, l := range d.room.Lost {
		if l.Why != layout.Reserved {
			continue
		}
		b := d.footprint(d.room.At(l.Row, l.Number))
		d.fill(b, contents[empty].col)
		d.hatch([][2]float64{{b.X0, b.Y0}, {b.X1, b.Y0}, {b.X1, b.Y1}, {b.X0, b.Y1}}, 10, outline)
		if b.width() >= 4 && b.height() >= 4 {
			d.frame(b, 1, outline)
		}
	}
}

func (d *roomDrawing) keepOuts() {
	for _, o := range d.room.KeepOuts {
		if o.Why >= layout.Column {
			d.solid(&o)
			continue
		}
		col := keepCol
		if o.Why == layout.DoorZone {
			col = doorCol
		}
		for _, ring := range o.Area {
			d.hatch(d.corners(ring), 10, col)
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
		d.fill(d.boxOf(b).within(d.Plan), columnCol)
		return
	case o.Why == layout.Walled && math.Abs(planar.Area(ring)) < thin*planar.Length(ring)/2:
		a, z := orb.Point(ring[0]), ring[1]
		x0, y0 := d.point(a)
		x1, y1 := d.point(z)
		d.line(x0, y0, x1, y1, 3, wallCol)
		return
	}
	col := columnCol
	if o.Why == layout.Walled {
		col = beyondCol
	}
	d.polygon(d.corners(ring), col)
}

// keepOutNames names the keep-outs in which there is room for it.
func (d *roomDrawing) keepOutNames() {
	k := letter{size: 14}
	for _, o := range d.room.KeepOuts {
		b := d.boxOf(o.Area.Bound())
		name := d.fit(o.Name, k, b.width()-12)
		if o.Why >= layout.Column || b.height() < 24 || len([]rune(name)) < min(4, len([]rune(o.Name))) || name == "" {
			continue
		}
		x, y := (b.X0+b.X1)/2, (b.Y0+b.Y1)/2
		w := d.width(name, k)
		d.fill(box{x - w/2 - 4, y - 10, x + w/2 + 4, y + 10}, color.White)
		col := keepCol
		if o.Why == layout.DoorZone {
			col = doorCol
		}
		d.text(name, k, x, y, 0.5, col)
	}
}

// labels names racks, rows and aisles where there is room to read it.
func (d *roomDrawing) labels() {
	d.rackNames()
	d.aisleNames()
	d.keepOutNames()
	d.rowNames()
}

// rowNames names the rows and counts the positions along them.
func (d *roomDrawing) rowNames() {
	k := letter{size: 18, bold: true}
	pitch := d.Plan.height()
	differ := false // rows begin or are spaced differently
	for i := 1; i < len(d.room.Rows); i++ {
		if apart := float64(d.room.Rows[i].Y-d.room.Rows[i-1].Y) * d.Scale; apart > 1 {
			pitch = min(pitch, apart)
		}
		differ = differ || d.room.Rows[i].X0 != d.room.Rows[0].X0 || d.room.Spec.Names != nil
	}
	for i, step := 0, every(20/pitch); i < len(d.room.Rows); i += step {
		x, y := d.point(layout.FloorPoint(d.room.Rows[i].X0, d.room.Rows[i].Y))
		if !differ {
			x = d.Plan.X0
		}
		d.text(d.room.Rows[i].Name, k, x-12, y, 1, ink)
	}
	if differ { // numbers below the plan would be those of some rows only
		return
	}
	k = letter{size: 14}
	last := d.room.Spec.PerRow
	wide := d.width(strconv.Itoa(last), k) + 10
	step := every(wide / (float64(d.room.Spec.Rack.Width) * d.Scale))
	for _, p := range d.room.Places {
		if p.Number == 1 || p.Number%step == 0 {
			if x, _ := d.point(layout.FloorPoint(p.X, 0)); d.firstIn(p) {
				d.text(strconv.Itoa(p.Number), k, x, d.Plan.Y1+16, 0.5, faint)
			}
		}
	}
}

// firstIn tells whether a place is the first of its number in the room.
func (d *roomDrawing) firstIn(p layout.Place) bool {
	for i := range p.Row {
		if at := d.room.Rows[i].Position; p.Number <= len(at) && at[p.Number-1] >= 0 {
			return false
		}
	}
	return true
}

// every is a round step that is no less than n.
func every(n float64) int {
	for unit := 1; ; unit *= 10 {
		for _, m := range []int{1, 2, 5} {
			if float64(m*unit) >= n {
				return m * unit
			}
		}
	}
}

func (d *roomDrawing) rackNames() {
	rack := d.room.Spec.Rack
	width, half := float64(rack.Width)*d.Scale, float64(rack.Depth)*d.Scale/2
	size := min(20, width/5, 0.8*(half-8))
	size = max(size, min(14, 0.8*(half-8)))
	for ; size >= 9; size-- {
		if d.width(d.longestName(), letter{size: size}) <= width-5 {
			break
		}
	}
	full := size >= 9
	if !full {
		size = min(11, 0.8*(half-8))
		if size < 9 || d.width(strconv.Itoa(d.room.Spec.PerRow), letter{size: size}) > width-4 {
			return
		}
	}
	k := letter{size: math.Floor(size)}
	for i, p := range d.room.Places {
		name := strconv.Itoa(d.room.PositionNumber(p.Row, p.Number))
		if full {
			name = d.room.Name(i)
		}
		col := ink
		if d.racks[i] == empty {
			col = outline
		}
		x, y := d.point(layout.FloorPoint(p.X, p.Y))
		rear := -half / 2 // the half without the front's mark, beside the tray
		if p.Turned {
			rear = half / 2
		}
		d.text(name, k, x, y+rear, 0.5, col)
	}
}

func (d *roomDrawing) longestName() string {
	longest := ""
	for i := range d.room.Rows {
		name := d.room.PositionName(i, len(d.room.Rows[i].Left))
		if i == len(d.room.Rows)-1 && d.room.Spec.List == nil || len(name) > len(longest) {
			longest = name
		}
	}
	return longest
}

func (d *roomDrawing) aisleNames() {
	for _, a := range d.room.Aisles {
		name, col := "hot aisle", hotInk
		if a.Cold {
			name, col = "cold aisle", coldInk
		}
		b := d.boxOf(a.Bound)
		k := letter{size: math.Floor(max(13, min(20, b.height()/6)))}
		if b.height() < 17 {
			continue
		}
		if x, ok := d.freeIn(b, d.width(name, k)+20, k.size+4); ok {
			d.text(name, k, x, (b.Y0+b.Y1)/2, 0.5, col)
		}
	}
}

// freeIn finds the middle of a label of the given size in the middle of an
// aisle, clear of keep-outs and cross trays and as near to a third of its length
// as can be.
func (d *roomDrawing) freeIn(aisle box, w, h float64) (x float64, ok bool) {
	var taken []box
	for _, o := range d.room.KeepOuts {
		taken = append(taken, d.boxOf(o.Area.Bound()))
	}
	if d.trays != nil {
		for level := range d.trays.Rules {
			for _, c := range d.trays.Network.Crosses(level) {
				x, _ := d.point(layout.FloorPoint(c, 0))
				taken = append(taken, box{x - 8, aisle.Y0, x + 8, aisle.Y1})
			}
		}
	}
	const tries = 60
	y := (aisle.Y0 + aisle.Y1) / 2
	for i := range tries {
		step := float64((i + 1) / 2)
		if i%2 == 1 {
			step = -step
		}
		x := aisle.X0 + aisle.width()*(1.0/3+step/tries)
		label := box{x - w/2, y - h/2, x + w/2, y + h/2}
		if label.X0 < aisle.X0 || label.X1 > aisle.X1 {
			continue
		}
		if !slices.ContainsFunc(taken, label.overlaps) {
			return x, true
		}
	}
	return 0, false
}

func (d *roomDrawing) dimensions() {
	b := d.room.Bound
	p := d.Plan
	d.dimension(p.X0, p.Y1+58, p.X1, p.Y1+58, units.Length(b.Max[0]-b.Min[0]).String())
	d.dimension(p.X0-86, p.Y1, p.X0-86, p.Y0, units.Length(b.Max[1]-b.Min[1]).String())
}
