package elevation

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/scene"
	"github.com/plenum-planner/plenum/units"
)

// A page is an upright A4 sheet of which a unit is a fifth of a millimetre, so that a picture with a pixel to a unit
// can be read as well.
const (
	unitMM         = 0.2
	pageW, pageH   = 1050, 1485
	margin         = 60
	headEnd        = 270 // where the views may begin
	footStart      = 1415
	viewsWidth     = 690 // of both views with their numbers, beside what is in the rack
	widest         = pageW - 2*margin
	listHigh       = 190 // of what is in the rack, below the views of a wide one
	numbers, apart = 24, 24
	unitHeight     = 0.04445  // metres
	mounting       = 0.4826   // metres: 19 inches
	cabinet, sides = 0.9, 0.1 // metres: racks that are wider have no posts for 19 inches, but sides
)

// least is the size of the smallest letters, 6 points, and leastUnit the height of a rack unit in which they fit.
const (
	least     = 6.0 / 72 * 25.4 / unitMM
	leastUnit = 1.1 * least
)

// scales are those of views, the largest first: 1:10, ...
var scales = []float64{10, 12.5, 15, 20, 25, 30, 40, 50, 100, 200}

var (
	titleLetter = pen.Letter{Size: 30, Bold: true}
	lineLetter  = pen.Letter{Size: 15}
	smallLetter = pen.Letter{Size: 12}
	headLetter  = pen.Letter{Size: 15, Bold: true}
)

// kinds are the names and colours of kinds.
var kinds = [...]struct {
	text string
	col  color.RGBA
}{
	Free:    {"free: blanking panels", palette.White},
	Node:    {"node", palette.NodeFill},
	Switch:  {"switch", palette.SwitchFill},
	Service: {"service box", palette.ServiceFill},
	Panel:   {"patch panel", palette.PanelFill},
}

// String returns what boxes of the kind are called.
func (k Kind) String() string { return kinds[k].text }

// Fill returns the colour of boxes of the kind.
func (k Kind) Fill() color.RGBA { return kinds[k].col }

// partFills are the colours of boxes of a kind by their part: the first part of the machine file has the first, and so
// on.
var partFills = map[Kind][]color.RGBA{
	Node:    {palette.NodeFill, palette.Sky, palette.Tint(palette.NodeFill, 0.5)},
	Switch:  {palette.SwitchFill, palette.MiddleFill, palette.Tint(palette.SwitchFill, 0.55)},
	Service: {palette.ServiceFill, palette.EndFill, palette.MixedFill, palette.ServedFill},
}

// partsOf returns the parts of the boxes of each kind in the order of the kinds of boxes.
func partsOf(r *machine.Result) map[Kind][]string {
	out := map[Kind][]string{}
	for i, k := range r.Schedule.Kinds {
		kind, part := boxKind(r, i), r.Schedule.Boxes[i].Part.ID
		if k.Count > 0 && !slices.Contains(out[kind], part) {
			out[kind] = append(out[kind], part)
		}
	}
	return out
}

// fill returns the colour of boxes of a kind and part.
func (d *drawing) fill(kind Kind, part string) color.RGBA {
	if i := slices.Index(d.parts[kind], part); i > 0 {
		return partFills[kind][i%len(partFills[kind])]
	}
	return kind.Fill()
}

// drawing draws pages of a machine.
type drawing struct {
	*pen.Letters
	parts   map[Kind][]string // of the boxes of a kind, each with a colour of its own
	opt     Options
	machine string
	marks   map[int][]Mark // by the places of racks
	power   string         // what figures of power are
	basis   string         // of figures of power, behind a comma; empty where the machine file names none
}

// Options says what is drawn, and what is written beside it.
type Options struct {
	// Racks are those to draw, as machine.Result.RacksOf takes them; all of them when empty.
	Racks []string
	// Group has racks that are built alike share a page.
	Group bool
	// Date stands in the title block; empty for none.
	Date string
	// Marks are drawn at what they are about and listed beside it. Where they are not nil, racks without any are left
	// out, and the book says Unmarked where there is none.
	Marks    []Mark
	Unmarked string
	// Most is the most pages of racks in a book; DefaultMost when 0.
	Most int
}

// DefaultMost is the most pages of racks in a book unless more are asked for.
const DefaultMost = 500

func newDrawing(r *machine.Result, opt Options) (*drawing, error) {
	l, err := pen.NewLetters()
	if err != nil {
		return nil, err
	}
	l.Spare = pen.Spare
	name := r.Spec.Name
	if name == "" {
		name = "Unnamed machine"
	}
	d := &drawing{
		Letters: l, opt: opt, machine: name, marks: byPlace(opt.Marks), power: "power", parts: partsOf(r),
	}
	d.basis = r.Bill.PowerNote().After()
	if p := r.Bill.PowerBasis; p != nil {
		d.power = string(p.Basis) + " power"
	}
	return d, nil
}

// sheet begins a page with its title block.
func (d *drawing) sheet(title, below string, page, pages int) *pen.Canvas {
	c := pen.New(d.Letters, pageW, pageH)
	c.Scene.Paper = unitMM
	c.Scene.Name, c.Scene.About = d.machine+": "+title, "Plenum "+machine.Version
	c.Layer("sheet")
	right := float64(pageW - margin)
	block := c.Width("Plenum "+machine.Version, lineLetter) + 180
	c.Text(d.Fit(title, titleLetter, right-margin-block), titleLetter, margin, margin+14, 0, palette.Ink)
	c.Text(d.Fit(below, lineLetter, right-margin-block), lineLetter, margin, margin+48, 0, palette.Faint)
	c.Text(d.Fit(d.machine, headLetter, block+60), headLetter, right, margin+8, 1, palette.Ink)
	words := "Plenum " + machine.Version
	if d.opt.Date != "" {
		words = d.opt.Date + ", " + words
	}
	c.Text(words, smallLetter, right, margin+30, 1, palette.Faint)
	if pages > 1 {
		c.Text(fmt.Sprintf("page %d of %d", page, pages), smallLetter, right, margin+48, 1, palette.Faint)
	}
	c.Line(margin, margin+70, right, margin+70, 1, palette.Outline)
	return c
}

// bar draws a quantity against its limit, or the quantity alone where there is none. Where the quantity is a lower
// bound, what of the limit is not known to be free is hatched.
func (d *drawing) bar(c *pen.Canvas, x, width float64, what string, have, limit float64, text string, bound bool) {
	const top = margin + 90
	k := headLetter
	for k.Size > least && d.Width(text, k) > width {
		k.Size--
	}
	c.Text(d.Fit(what, smallLetter, width+20), smallLetter, x, top, 0, palette.Faint)
	c.Text(d.Fit(text, k, width), k, x, top+20, 0, palette.Ink)
	if limit <= 0 {
		return
	}
	b := pen.Rect(x, top+36, x+width, top+46)
	c.Fill(b, palette.Grid)
	col := palette.Blue
	if have > limit*(1+1e-9) {
		col = palette.Vermillion
	}
	if share := min(have/limit, 1); share > 0 {
		c.Fill(pen.Rect(x, b.Y0, x+width*share, b.Y1), col)
		b.X0 = x + width*share
	}
	if bound && b.Width() > 0 {
		c.Hatch([][2]float64{{b.X0, b.Y0}, {b.X1, b.Y0}, {b.X1, b.Y1}, {b.X0, b.Y1}}, 7, palette.Faint)
	}
	b.X0 = x
	c.Frame(b, 1, palette.Outline)
}

// figures draws what is in racks that are built alike against their limits, of weights the largest.
func (d *drawing) figures(c *pen.Canvas, g Group) {
	r := g[0]
	heaviest := r.Weight
	for _, other := range g[1:] {
		heaviest = max(heaviest, other.Weight)
	}
	of := func(have, limit fmt.Stringer, limited, bound bool) string {
		out := have.String()
		if bound {
			out = "at least " + out
		}
		if limited {
			return out + " of " + limit.String()
		}
		return out + ", no stated limit"
	}
	const step, width = 235, 205
	powered := d.power + " including optics"
	bound := r.Unpowered() > 0
	switch {
	case bound:
		powered = fmt.Sprintf("%s: %s", d.power, stateNone(english.Count(r.Unpowered(), "box"), r.Unpowered()))
	case r.OtherPower() > 0:
		powered = fmt.Sprintf("%s, of %s another figure", d.power, english.Count(r.OtherPower(), "box"))
	}
	d.bar(c, margin, width, powered, float64(r.Power), float64(r.PowerLimit),
		of(tenth(r.Power/1e3)*1e3, r.PowerLimit, r.PowerLimit > 0, bound), bound)
	weighed, unknown := "weight with cables", []string(nil)
	if len(g) > 1 {
		weighed += ", the heaviest"
	}
	if n := r.Unweighed(); n > 0 {
		unknown = append(unknown, english.Count(n, "box"))
	}
	if n := r.UnweighedCables; n > 0 {
		unknown = append(unknown, english.Count(int(n), "cable"))
	}
	if unknown != nil {
		weighed = "weight: " + stateNone(english.List(unknown), r.Unweighed()+int(r.UnweighedCables))
	}
	d.bar(c, margin+step, width, weighed, float64(heaviest), float64(r.WeightLimit),
		of(tenth(heaviest), r.WeightLimit, r.WeightLimit > 0, unknown != nil), unknown != nil)
	d.bar(c, margin+2*step, width, "rack units in use", float64(r.UsedUnits()), float64(r.Units),
		fmt.Sprintf("%d of %d", r.UsedUnits(), r.Units), false)
	used, ports := 0, 0
	for i := range r.Stack {
		used, ports = used+r.Stack[i].Used, ports+r.Stack[i].Ports
	}
	if ports > 0 {
		d.bar(c, margin+3*step, width, "ports with a cable in them", float64(used), float64(ports),
			fmt.Sprintf("%s of %s", english.Grouped(int64(used)), english.Grouped(int64(ports))), false)
	} else {
		d.bar(c, margin+3*step, width, "ports with a cable in them", 0, 0, "not known of a summary", false)
	}
}

// stateNone says that so many things do not state a figure.
func stateNone(things string, n int) string {
	if n == 1 {
		return things + " states none"
	}
	return things + " state none"
}

func tenth[T ~float64](v T) T { return T(math.Round(float64(v)*10) / 10) }

// part is what a page shows of a rack: some of its units, from the front, from the rear, or from both.
type part struct {
	lo, hi      int
	front, rear bool
	scale       float64 // 1 to how much
	under       bool    // what is in the rack is listed under the views
}

// whole is all of a rack on one page, however small.
func whole(r *Rack) part {
	k, _, under := scale(r)
	return part{1, r.Units, true, true, k, under}
}

// parts are the pages of a rack: one, or several where names in a rack unit could not be read on it. Racks whose one
// side is too wide for a page at that scale have one page without these names.
func parts(r *Rack) []part {
	all := whole(r)
	metre := func(k float64) float64 { return 1000 / unitMM / k }
	if unitHeight*metre(all.scale) >= leastUnit {
		return []part{all}
	}
	k := all.scale
	for _, s := range scales {
		if unitHeight*metre(s) >= leastUnit {
			k = s
		}
	}
	wide := float64(r.Width) * metre(k)
	both := 2*wide+2*numbers+apart <= widest
	if wide+numbers > widest {
		return []part{all}
	}
	fit := int(((footStart-headEnd-10-listHigh)/metre(k) - 0.1) / unitHeight)
	pages := (r.Units + fit - 1) / fit
	var out []part
	for i := range pages {
		p := part{r.Units - r.Units*(i+1)/pages + 1, r.Units - r.Units*i/pages, true, true, k, true}
		if both {
			out = append(out, p)
			continue
		}
		p.rear = false
		out = append(out, p)
		p.front, p.rear = false, true
		out = append(out, p)
	}
	return out
}

// what says which part of a rack a page shows; empty for all of it.
func (p *part) what(r *Rack) string {
	out := ""
	if p.lo > 1 || p.hi < r.Units {
		out = fmt.Sprintf(", units %d to %d", p.lo, p.hi)
	}
	switch {
	case !p.rear:
		out += ", front"
	case !p.front:
		out += ", rear"
	}
	return out
}

// rack draws a page of a rack, or of racks that are alike.
func (d *drawing) rack(g Group, p part, page, pages int) *scene.Scene {
	r := g[0]
	title, below := "Rack "+r.Name+p.what(r), "row "+r.Row
	if len(g) > 1 {
		title = fmt.Sprintf("Rack %s and %s", r.Name, english.Count(len(g)-1, "other")+" like it"+p.what(r))
		var names []string
		for _, other := range g[1:] {
			names = append(names, other.Name)
		}
		below = "names are those in " + r.Name + "; also " + strings.Join(names, ", ")
	}
	c := d.sheet(title, below, page, pages)
	d.figures(c, g)
	metre := 1000 / unitMM / p.scale
	wide := float64(r.Width) * metre
	x := float64(margin + numbers)
	top := float64(headEnd)
	high := (float64(p.hi-p.lo+1)*unitHeight + 0.1) * metre
	v := view{drawing: d, c: c, r: r, part: p, metre: metre, high: high, wide: wide, y: top}
	for _, side := range []struct {
		shown bool
		name  string
	}{{p.front, "front"}, {p.rear, "rear"}} {
		if side.shown {
			v.draw(x, side.name == "rear")
			c.Layer("words")
			c.Text(side.name, headLetter, x+wide/2, top-16, 0.5, palette.Ink)
			x += wide + numbers + apart
		}
	}
	if p.under {
		at := v.y + v.high + 60
		d.contents(c, r, margin, at, 3)
		d.list(c, r, margin, at+listHigh-30)
	} else {
		right := x - apart + numbers + 10
		d.list(c, r, right, d.contents(c, r, right, headEnd, 1)+20)
	}
	foot := fmt.Sprintf("Scale 1:%g. Units count from below. After each name: ports cabled / total. Seen from "+
		"the rear, what is mounted at the front is pale.", p.scale)
	if unitHeight*metre < leastUnit {
		foot = fmt.Sprintf("Scale 1:%g. Units count from below. Names that cannot be read at this scale are left out; "+
			"elevations.csv has them.", p.scale)
	}
	c.Text(d.Fit(foot, smallLetter, pageW-2*margin), smallLetter, margin, footStart+10, 0, palette.Faint)
	return c.Scene
}

// scale is the scale at which both views of a rack fit a page, and how high it is, in metres. What is in the rack is
// listed beside the views or, where these would be small, under them.
func scale(r *Rack) (k, high float64, under bool) {
	high = float64(r.Units)*unitHeight + 0.1
	fit := func(w, h float64) float64 {
		for _, k = range scales {
			metre := 1000 / unitMM / k
			if high*metre <= h && 2*float64(r.Width)*metre+2*numbers+apart <= w {
				break
			}
		}
		return k
	}
	beside, below := fit(viewsWidth, footStart-headEnd-10), fit(widest, footStart-headEnd-10-listHigh)
	if below < beside {
		return below, high, true
	}
	return beside, high, false
}

// view is a side of a rack.
type view struct {
	*drawing
	c           *pen.Canvas
	r           *Rack
	part        part
	metre       float64 // units of the page
	high, wide  float64
	y           float64 // of the top
	left, right float64 // of what is mounted
}

// at is where unit u begins, from above: its upper edge.
func (v *view) at(u int) float64 {
	return v.y + v.high - float64((0.05+float64(u-v.part.lo+1)*unitHeight)*v.metre)
}

func (v *view) draw(x float64, rear bool) {
	c := v.c
	name := "front"
	if rear {
		name = "rear"
	}
	c.Layer(name)
	b := pen.Rect(x, v.y, x+v.wide, v.y+v.high)
	c.Fill(b, palette.Grid)
	c.Frame(b, 2, palette.Ink)
	inner := min(mounting*v.metre, v.wide-8)
	if v.r.Width > cabinet { // whose chassis are as wide as it is
		inner = v.wide - sides*v.metre
	}
	v.left, v.right = x+(v.wide-inner)/2, x+(v.wide+inner)/2
	v.openings(x, rear)
	beside := 0
	for i := range v.r.Stack {
		m := &v.r.Stack[i]
		if m.Unit == 0 {
			beside++
			continue
		}
		v.mounted(m, rear)
	}
	if rear && beside > 0 {
		v.beside(x)
	}
	u := unitHeight * v.metre
	k := pen.Letter{Size: max(min(12, 0.8*u), least)}
	step := 1
	if u < k.Size {
		step = 5 * int(math.Ceil(k.Size/(5*u)))
	}
	for n := v.part.lo; n <= v.part.hi; n++ {
		if n%step == 0 {
			c.Text(strconv.Itoa(n), k, x-4, v.at(n)+u/2, 1, palette.Faint)
		}
	}
}

// mounted draws what takes some units.
func (v *view) mounted(m *Mounted, rear bool) {
	if m.Top() > v.r.Units {
		return // a violation of the rules says so
	}
	if m.Top() < v.part.lo || m.Unit > v.part.hi {
		return // on another page
	}
	b := pen.Rect(v.left, v.at(min(m.Top(), v.part.hi)), v.right, v.at(max(m.Unit, v.part.lo)-1))
	c := v.c
	if m.Kind == Free {
		v.blank(m, b)
		return
	}
	col := v.fill(m.Kind, m.Part)
	if (m.Face == "rear") != rear {
		col = palette.Tint(col, 0.4)
	}
	c.Add(scene.Fill{Box: b, Color: pen.NRGBA(col), Name: m.What, About: m.Part})
	c.Frame(b, 1, palette.Grey)
	v.label(m, b)
	v.mark(m, b)
}

// label writes a name, the part and the ports into a box.
func (v *view) label(m *Mounted, b pen.Box) {
	const pad = 5
	c := v.c
	if b.Height() < leastUnit {
		return // too small to be read
	}
	k := pen.Letter{Size: max(min(14, math.Floor(0.72*b.Height())), least)}
	ports := ""
	if m.Ports > 0 {
		ports = fmt.Sprintf("%d/%d", m.Used, m.Ports)
	}
	inner := b.Width() - 2*pad
	title := m.title()
	for k.Size > least && v.Width(title+"  "+ports, k) > inner {
		k.Size = max(k.Size-1, least)
	}
	if v.Width(title+"  "+ports, k) > inner {
		title = m.shortTitle()
	}
	lines := int(b.Height() / (k.Size * 1.5))
	if lines < 2 {
		y := (b.Y0 + b.Y1) / 2
		w := v.Width(ports, k)
		if w > inner/2 {
			ports, w = "", 0
		}
		c.Text(v.FitName(title, k, inner-w-8), k, b.X0+pad, y, 0, palette.Ink)
		c.Text(ports, k, b.X1-pad, y, 1, palette.Ink)
		return
	}
	small := pen.Letter{Size: max(k.Size-2, least)}
	words := []string{m.Part}
	if m.Boxes > 1 {
		words = append(words, english.Count(m.Boxes, "box"))
	}
	if ports != "" {
		words = append(words, fmt.Sprintf("%d of %s used", m.Used, english.Count(m.Ports, "port")))
	}
	y := b.Y0 + k.Size*0.9
	c.Text(v.FitName(title, k, inner), k, b.X0+pad, y, 0, palette.Ink)
	for _, line := range joined(words, lines-1) {
		y += k.Size * 1.4
		if v.Width(line, small) > inner {
			small.Size = least
			line = strings.TrimSuffix(line, " used")
		}
		c.Text(v.Fit(line, small, inner), small, b.X0+pad, y, 0, palette.Ink)
	}
}

// joined puts words on lines, the last of which takes what is left.
func joined(words []string, most int) []string {
	if len(words) <= most {
		return words
	}
	return append(slices.Clone(words[:most-1]), strings.Join(words[most-1:], ", "))
}

// blank draws free units.
func (v *view) blank(m *Mounted, b pen.Box) {
	c := v.c
	c.Fill(b, palette.White)
	c.Hatch([][2]float64{{b.X0, b.Y0}, {b.X1, b.Y0}, {b.X1, b.Y1}, {b.X0, b.Y1}}, 16, palette.Grid)
	if b.Height() < leastUnit {
		return
	}
	k := pen.Letter{Size: max(min(12, math.Floor(0.7*b.Height())), least)}
	words := fmt.Sprintf("blanking, %d U", m.Units)
	y, w := (b.Y0+b.Y1)/2, v.Width(words, k)
	c.Fill(pen.Rect((b.X0+b.X1-w)/2-4, y-k.Size*0.6, (b.X0+b.X1+w)/2+4, y+k.Size*0.6), palette.White)
	c.Text(words, k, (b.X0+b.X1)/2, y, 0.5, palette.Faint)
}

// mostBeside is the most that is drawn beside the units of a rack.
const mostBeside = 8

// beside draws what takes no units to scale, side by side in the sides of the rack, around its middle as cables are
// measured. Where it is wider than a side, boxes are drawn narrower.
func (v *view) beside(x float64) {
	var sides [2][]*Mounted
	n := 0
	for i := range v.r.Stack {
		if v.r.Stack[i].Unit == 0 && n < mostBeside {
			sides[n%2] = append(sides[n%2], &v.r.Stack[i])
			n++
		}
	}
	space := v.left - x - 6
	if space < 6 {
		return
	}
	middle := v.at((v.r.Units+1)/2) + unitHeight*v.metre/2
	for side, all := range sides {
		shrink, sum := 1.0, 0.0
		for _, m := range all {
			sum += v.besideWidth(m, space)
		}
		if sum > space {
			shrink = space / sum
		}
		left := x + 3
		if side == 1 {
			left = v.right + 3
		}
		for _, m := range all {
			wide, high := v.besideWidth(m, space)*shrink, float64(m.High)*v.metre
			if m.High == 0 {
				high = float64(v.r.Units) * unitHeight * v.metre
			}
			b := pen.Rect(left, max(middle-high/2, v.y+2), left+wide, min(middle+high/2, v.y+v.high-2))
			left += wide
			if b.Y1 > b.Y0 { // else it is on another page
				v.upright(m, b)
			}
		}
	}
}

// besideWidth is how wide a box beside the units is on the page; as wide as the side where its part does not state it.
func (v *view) besideWidth(m *Mounted, space float64) float64 {
	if m.Wide == 0 {
		return space
	}
	return float64(m.Wide) * v.metre
}

// upright draws a box beside the units.
func (v *view) upright(m *Mounted, b scene.Box) {
	v.c.Add(scene.Fill{Box: b, Color: pen.NRGBA(v.fill(m.Kind, m.Part)), Name: m.What, About: m.Part})
	v.c.Frame(b, 1, palette.Grey)
	if len(v.marked(v.r, m)) > 0 {
		v.c.Frame(b, 3, palette.Vermillion)
	}
	if b.Width() >= leastUnit {
		k := pen.Letter{Size: max(min(11, math.Floor(0.7*b.Width())), least)}
		v.c.Turned(v.FitName(m.title(), k, b.Height()-8), k, (b.X0+b.X1)/2, (b.Y0+b.Y1)/2, palette.Ink)
	}
}

// contents lists the parts of a rack in columns, with the colours of what they are; it tells where the last one ends.
func (d *drawing) contents(c *pen.Canvas, r *Rack, x, top float64, columns int) (end float64) {
	type entry struct {
		kind  Kind
		part  string
		names []string // of service boxes
		boxes int
	}
	var all []entry
	freeUnits, beside := 0, 0
	for i := range r.Stack {
		m := &r.Stack[i]
		if m.Kind == Free {
			freeUnits += m.Units
			continue
		}
		if m.Unit == 0 {
			beside++
		}
		at := slices.IndexFunc(all, func(e entry) bool { return e.kind == m.Kind && e.part == m.Part })
		if at < 0 {
			at = len(all)
			all = append(all, entry{m.Kind, m.Part, nil, 0})
		}
		all[at].boxes += m.Boxes
		if m.Kind == Service && !slices.Contains(all[at].names, m.Name) {
			all[at].names = append(all[at].names, m.Name)
		}
	}
	width := (pageW - margin - x) / float64(columns)
	y, lines := top, 0
	c.Text("in this rack", headLetter, x, y-16, 0, palette.Ink)
	swatch := func(fill color.RGBA, hatched bool, first, second string) {
		b := pen.Rect(x, y, x+18, y+18)
		c.Fill(b, fill)
		if hatched {
			c.Hatch([][2]float64{{b.X0, b.Y0}, {b.X1, b.Y0}, {b.X1, b.Y1}, {b.X0, b.Y1}}, 8, palette.Grid)
		}
		c.Frame(b, 1, palette.Grey)
		c.Text(d.Fit(first, lineLetter, width-26), lineLetter, x+26, y+9, 0, palette.Ink)
		c.Text(d.Fit(second, smallLetter, width-26), smallLetter, x+26, y+26, 0, palette.Faint)
		y += 46
		if lines++; columns > 1 && lines%3 == 0 {
			x, y = x+width, top
		}
	}
	line := func(kind Kind, first, second string) { swatch(d.fill(kind, second), kind == Free, first, second) }
	most := 20
	if columns > 1 {
		most = 3*columns - 2 - len(r.Entries)
	}
	for _, e := range all[:min(len(all), most)] {
		words := english.Count(e.boxes, kinds[e.kind].text)
		if e.kind == Service { // of any use: the machine file's names say which
			words = strings.Join(e.names, ", ") + ": " + english.Count(e.boxes, "box")
		}
		line(e.kind, words, e.part)
	}
	if n := len(all) - most; n > 0 {
		c.Text(fmt.Sprintf("and %s more", english.Count(n, "part")), smallLetter, x, y+6, 0, palette.Faint)
		y += 30
	}
	if freeUnits > 0 {
		line(Free, fmt.Sprintf("%d U free", freeUnits), "blanking panels")
	}
	for i := range r.Entries {
		first, second := r.Entries[i].words()
		swatch(r.Entries[i].fill(), false, first, second)
	}
	if beside > 0 {
		text := english.Count(beside, "zero-U unit")
		if beside > mostBeside {
			text += fmt.Sprintf(", %d drawn", mostBeside)
		}
		c.Text(d.Fit(text, smallLetter, width), smallLetter, x, y+6, 0, palette.Faint)
		y += 30
	}
	return y
}

// kilowatts is a power as tables have it.
func kilowatts(p units.Power) string { return strconv.FormatFloat(float64(p)/1e3, 'f', 1, 64) }
