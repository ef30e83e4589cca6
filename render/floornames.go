package render

import (
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/units"
)

// labels names racks, rows and aisles where there is room to read it.
func (d *roomDrawing) labels() {
	d.Layer("rack-names")
	d.numberStripes()
	d.rackNames()
	d.Layer("names")
	d.reservedNames()
	d.aisleNames()
	d.keepOutNames()
	d.rowNames()
	d.hallNames()
}

// hallNames names the halls: between walls in a corner that is free, else beside the last row.
func (d *roomDrawing) hallNames() {
	const largest, least, off = 16, 10, 10 // pixels
	walls := len(d.room.Spec.Floors()) > 1
	for i, bound := range d.room.HallBounds() {
		b, name := d.boxOf(bound), d.room.Spec.Halls[i].Title()
		for size := float64(largest); size >= least; size-- {
			k := pen.Letter{Size: size, Bold: true}
			wide, high := d.Width(name, k), size+4
			top, bottom := b.Y0-off-high, b.Y1+off
			left, right := b.X0, b.X1-wide
			if walls {
				top, bottom, left, right = b.Y0+off, b.Y1-off-high, left+off, right-off
			}
			free := slices.IndexFunc([]pen.Box{
				pen.Rect(left, top, left+wide, top+high), pen.Rect(right, top, right+wide, top+high),
				pen.Rect(left, bottom, left+wide, bottom+high), pen.Rect(right, bottom, right+wide, bottom+high),
			}, d.isFree)
			if free < 0 {
				continue
			}
			x, y := [2]float64{left, right}[free%2], [2]float64{top, bottom}[free/2]
			d.Text(name, k, x, y+high/2, 0, palette.Faint)
			break
		}
	}
}

// isFree reports whether a box on the plan is clear of racks and keep-outs.
func (d *roomDrawing) isFree(b pen.Box) bool {
	meets := func(o pen.Box) bool { return b.X0 < o.X1 && o.X0 < b.X1 && b.Y0 < o.Y1 && o.Y0 < b.Y1 }
	if b.X0 < d.Plan.X0 || b.X1 > d.Plan.X1 || b.Y0 < d.Plan.Y0 || b.Y1 > d.Plan.Y1 {
		return false
	}
	return !slices.ContainsFunc(d.room.Places, func(p layout.Place) bool { return meets(d.footprint(p)) }) &&
		!slices.ContainsFunc(d.room.KeepOuts, func(k layout.KeepOut) bool { return meets(d.boxOf(k.Area.Bound())) })
}

// reservedNames says what reserved positions are kept for, once for neighbours that are kept for the same.
func (d *roomDrawing) reservedNames() {
	const largest, least = 14, 9 // pixels
	lost := d.room.Lost
	for i := 0; i < len(lost); i++ {
		text := d.keptFor(&lost[i])
		if text == "" {
			continue
		}
		at := func(i int) pen.Box { return d.footprint(d.room.At(lost[i].Row, lost[i].Number)) }
		b := at(i)
		for i+1 < len(lost) && lost[i+1].Row == lost[i].Row && lost[i+1].Number == lost[i].Number+1 &&
			d.keptFor(&lost[i+1]) == text {
			i++
			next := at(i)
			b = pen.Rect(min(b.X0, next.X0), min(b.Y0, next.Y0), max(b.X1, next.X1), max(b.Y1, next.Y1))
		}
		for size := float64(largest); size >= least; size-- {
			k := pen.Letter{Size: size}
			wide := d.Width(text, k) + 6
			if wide > b.Width() || size+6 > b.Height()/2 {
				continue
			}
			x, y := (b.X0+b.X1)/2, b.Y0+b.Height()/4 // beside the tray
			d.Fill(pen.Rect(x-wide/2, y-size/2-3, x+wide/2, y+size/2+3), contents[empty].col)
			d.Text(text, k, x, y, 0.5, palette.Ink)
			break
		}
	}
}

// keptFor is what a position is reserved for, "" where it is not reserved or where that is not said.
func (d *roomDrawing) keptFor(l *layout.Lost) string {
	if l.Why != layout.Reserved {
		return ""
	}
	return d.room.Spec.KeptFor(l.Row, l.Number)
}

// mostKeptFor is how many purposes of reserved positions the legend names, in so many letters each.
const (
	mostKeptFor    = 4
	longestKeptFor = 40
)

// reservedLegend is the legend of reserved positions, with what they are kept for.
func (d *roomDrawing) reservedLegend() string {
	var purposes []string
	for i := range d.room.Lost {
		if text := d.keptFor(&d.room.Lost[i]); text != "" && !slices.Contains(purposes, text) {
			purposes = append(purposes, text)
		}
	}
	for i, text := range purposes {
		if letters := []rune(text); len(letters) > longestKeptFor {
			purposes[i] = string(letters[:longestKeptFor-1]) + "…"
		}
	}
	text := "reserved rack position"
	if len(purposes) == 0 {
		return text
	}
	more := ""
	if len(purposes) > mostKeptFor {
		more = ", ..."
		purposes = purposes[:mostKeptFor]
	}
	return text + ": " + strings.Join(purposes, ", ") + more
}

// edgeName is what stands beside the plan, at a place along its edge.
type edgeName struct {
	text string
	at   float64
}

// rowNames names the rows, in the space between the dimension of the room's depth and the row, and counts the positions
// along them.
func (d *roomDrawing) rowNames() {
	const beside = 12 // pixels
	k := pen.Letter{Size: 18, Bold: true}
	pitch := d.Plan.Height()
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
		name := d.FitName(d.room.Rows[i].Name, k, x-beside-(d.Plan.X0-depthAt+beside))
		d.Text(name, k, x-beside, y, 1, palette.Ink)
		d.rowAt = append(d.rowAt, edgeName{name, y})
	}
	if differ { // numbers below the plan would be those of some rows only
		return
	}
	k = pen.Letter{Size: 14}
	last := d.room.Spec.PerRow
	wide := d.Width(strconv.Itoa(last), k) + 10
	step := every(wide / (float64(d.room.Spec.Rack.Width) * d.Scale))
	for _, p := range d.room.Places {
		if p.Number == 1 || p.Number%step == 0 {
			if x, _ := d.point(layout.FloorPoint(p.X, 0)); d.firstIn(p) {
				d.Text(strconv.Itoa(p.Number), k, x, d.Plan.Y1+16, 0.5, palette.Faint)
				d.numberAt = append(d.numberAt, edgeName{strconv.Itoa(p.Number), x})
			}
		}
	}
}

// firstIn reports whether a place is the first of its number in the room.
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

// nameAt is how far from the middle of a rack its name is, as a share of its depth: clear of the cables over the rack,
// as on the report's floor.
const nameAt = 0.34

// leastLetter is the size of the smallest letters in a rack where the sheet asks for no larger ones.
const leastLetter = 9

// rackLetter is the size of the names of racks, or of their numbers where full is false; 0 where neither can be read.
func (d *roomDrawing) rackLetter() (size float64, full bool) {
	rack := d.room.Spec.Rack
	width, half := float64(rack.Width)*d.Scale, float64(rack.Depth)*d.Scale/2
	high := min(0.8*(half-8), 4*(0.5-nameAt)*half)
	size = min(20, width/5, high)
	size = max(size, min(14, high))
	for ; size >= d.least; size-- {
		if d.Width(d.longestName(), pen.Letter{Size: size}) <= width-5 {
			break
		}
	}
	full = size >= d.least
	if !full {
		size = min(max(11, d.least), high)
		if size < d.least || d.Width(strconv.Itoa(d.room.Spec.PerRow), pen.Letter{Size: size}) > width-4 {
			return 0, false
		}
	}
	return size, full
}

// names reports whether racks have their names at the scale of the drawing; numbers are enough for long names.
func (d *roomDrawing) names() bool {
	size, full := d.rackLetter()
	return full || size > 0 && utf8.RuneCountInString(d.longestName()) > longestNamed
}

func (d *roomDrawing) rackNames() {
	size, full := d.rackLetter()
	if size == 0 {
		return
	}
	half := float64(d.room.Spec.Rack.Depth) * d.Scale / 2
	k := pen.Letter{Size: max(math.Floor(size), d.least)}
	for i, p := range d.room.Places {
		name := strconv.Itoa(d.room.PositionNumber(p.Row, p.Number))
		if full {
			name = d.room.Name(i)
		}
		col := d.nameCol(i)
		_, y := d.point(layout.FloorPoint(p.X, p.Y))
		rear := -nameAt * 2 * half // the half without the front's mark, beside the tray
		if p.Turned {
			rear = -rear
		}
		b := d.footprint(p)
		b.Y0, b.Y1 = y+rear-0.6*k.Size, y+rear+0.6*k.Size
		x, _ := d.crossing().wordAt(b, d.Width(name, k))
		d.overLines(i, name, k, x, y+rear)
		d.Text(name, k, x, y+rear, 0.5, col)
	}
}

// longestNamed is how many characters the names of racks may have for which a drawing is enlarged; racks with longer
// names have their numbers.
const longestNamed = 24

// scaleForNames returns the smallest scale, in pixels to a metre, at which the names of racks fit into them.
func (d *roomDrawing) scaleForNames() float64 {
	const size, high = 10, 41 // pixels: of the letters, and of a rack, half of whose depth they stand in
	rack := d.room.Spec.Rack
	name := d.longestName()
	if utf8.RuneCountInString(name) > longestNamed {
		name = strconv.Itoa(d.room.Spec.PerRow)
	}
	wide := d.Width(name, pen.Letter{Size: size}) + 6
	return max(wide/float64(rack.Width), high/float64(rack.Depth))
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
	const least = 13 // pixels
	for _, a := range d.room.AisleFloors() {
		name, col, ground := "hot aisle", palette.HotInk, palette.Hot
		if a.Cold {
			name, col, ground = "cold aisle", palette.ColdInk, palette.Cold
		}
		b := d.boxOf(a.Bound)
		name += ", " + units.Length(a.Bound.Max[1]-a.Bound.Min[1]).Round4().String()
		if b.Height() < 17 {
			continue
		}
		k := pen.Letter{Size: math.Floor(max(least, min(20, b.Height()/6)))}
		x, ok := d.freeIn(b, d.Width(name, k)+20, k.Size+4, true)
		for !ok && k.Size > least { // smaller letters fit between cables
			k.Size--
			x, ok = d.freeIn(b, d.Width(name, k)+8, k.Size+4, true)
		}
		y := (b.Y0 + b.Y1) / 2
		if !ok { // over the cables
			w := d.Width(name, k) + 8
			if x, ok = d.freeIn(b, w, k.Size+4, false); !ok {
				continue
			}
			d.Fill(pen.Rect(x-w/2, y-0.7*k.Size, x+w/2, y+0.7*k.Size), ground)
		}
		d.Text(name, k, x, y, 0.5, col)
	}
}

// freeIn finds the middle of a label of the given size in the middle of an aisle, clear of keep-outs and, where it is
// to be clear of cables, of these and of cross trays, and as near to a third of the aisle's length as can be.
func (d *roomDrawing) freeIn(aisle pen.Box, w, h float64, ofCables bool) (x float64, ok bool) {
	var taken []pen.Box
	for _, o := range d.room.KeepOuts {
		taken = append(taken, d.boxOf(o.Area.Bound()))
	}
	if ofCables {
		taken = append(taken, d.crossing().over(aisle)...)
	}
	if ofCables && d.trays != nil {
		for level := range d.trays.Rules {
			for _, c := range d.trays.Network.Crosses(level) {
				x, _ := d.point(layout.FloorPoint(c, 0))
				taken = append(taken, pen.Rect(x-8, aisle.Y0, x+8, aisle.Y1))
			}
		}
	}
	const tries = 240
	y := (aisle.Y0 + aisle.Y1) / 2
	for i := range tries {
		step := float64((i + 1) / 2)
		if i%2 == 1 {
			step = -step
		}
		x := aisle.X0 + aisle.Width()*(1.0/3+step/tries)
		label := pen.Rect(x-w/2, y-h/2, x+w/2, y+h/2)
		if label.X0 < aisle.X0 || label.X1 > aisle.X1 {
			continue
		}
		if !slices.ContainsFunc(taken, label.Overlaps) {
			return x, true
		}
	}
	return 0, false
}

// keepOutNames names the keep-outs in which there is room for it.
func (d *roomDrawing) keepOutNames() {
	k := pen.Letter{Size: 14}
	for _, o := range d.room.KeepOuts {
		b := d.boxOf(o.Area.Bound())
		name := d.Fit(o.Name, k, b.Width()-12)
		if o.Why >= layout.Column || b.Height() < 24 || len([]rune(name)) < min(4, len([]rune(o.Name))) || name == "" {
			continue
		}
		x, y := (b.X0+b.X1)/2, (b.Y0+b.Y1)/2
		w := d.Width(name, k)
		d.Fill(pen.Rect(x-w/2-4, y-10, x+w/2+4, y+10), color.White)
		col := palette.KeepOut
		if o.Why == layout.DoorZone {
			col = palette.Door
		}
		d.Text(name, k, x, y, 0.5, col)
	}
}
