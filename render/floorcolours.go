package render

import (
	"context"
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/chart"
	"github.com/plenum-planner/plenum/render/elevation"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/pick"
	"github.com/plenum-planner/plenum/render/route"
	"github.com/plenum-planner/plenum/topology"
)

// FloorColours lists the properties by which racks of a floor plan can be coloured.
var FloorColours = []string{"kind", "unit", "fabric", "power", "weight", "cables", "ports"}

// FloorOptions says what a floor plan shows.
type FloorOptions struct {
	// Colour is one of FloorColours. Empty is the same as "kind", the kinds of the boxes in the rack, and the only one
	// that machines without a room take.
	Colour string
	// RackPower has the power of every rack printed in it, in kilowatts.
	RackPower bool
	// Cables are drawn along their routes; none if nil. Their colours are those of CableColour, one of route.Colours;
	// those of their media if CableColour is empty.
	Cables      *pick.Chosen
	CableColour string
	// Faults, unless nil, are drawn over racks that are coloured by them. Colour and Values are not used then.
	Faults *route.Faults
	// Values, unless nil, colour racks and trays. Colour is not used then.
	Values *RackValues
	// Date is the date in the title block; the date of the machine file if empty.
	Date string

	all bool // Cables are all that there are, as nothing was chosen
}

// withDefaults returns the options with the cables that a floor plan shows if no cables, faults, values or other
// colours than by kind are chosen: all cables, coloured by fabric if there are several, as in the report. Plans without
// a list of cables and plans without a room show none.
func (o FloorOptions) withDefaults(r *machine.Result) (FloorOptions, error) {
	chosen := o.Cables != nil || o.Faults != nil || o.Values != nil || o.Colour != "" && o.Colour != FloorColours[0]
	if chosen || r.Room() == nil || r.Schedule.Segments == nil || r.Schedule.Cables == 0 {
		return o, nil
	}
	all, err := pick.Of(r, pick.Filter{})
	if err != nil {
		return o, err
	}
	o.Cables, o.all, o.CableColour = all, true, ""
	if len(r.Fabrics) > 1 {
		o.CableColour = "fabric"
	}
	return o, nil
}

// RackValues are figures, at least 0, by which racks and pieces of tray are coloured, on one scale from 0 to the
// largest figure of both.
type RackValues struct {
	What  string    // the title of the scale in the legend: "bandwidth lost with a rack"
	Unit  string    // "%"
	Racks []float64 // by rack position
	Trays []float64 // by piece of tray; nil where trays keep their colours
	// Figures are printed in the racks, by rack position, with Figured in the legend; nil for none.
	Figures []string
	Figured string
}

// largest returns the largest of all values, 0 if there are none.
func (v *RackValues) largest() float64 {
	most := 0.0
	for _, x := range slices.Concat(v.Racks, v.Trays) {
		most = max(most, x)
	}
	return most
}

// shade is the fill of a rack: several colours are painted side by side.
type shade struct {
	cols  []color.RGBA
	about string // what the colours mean: the title of the rack in SVG, which browsers show as a tooltip, and in DXF
}

// rackShades holds the colours of racks and the figures printed in them. Without colours, racks are coloured by kind.
type rackShades struct {
	of         []shade // of each rack position; nil for the colours of kinds
	legend     []pen.Item
	byQuantity bool        // the colours are those of palette.Heat
	stripes    *subsystems // shown beside the kinds of racks; nil for none
	// figures are printed in the racks, by place, with words for them in the legend; nil for none.
	figures []string
	figured string
}

// newRackShades returns the colours of the racks of a room. It is an error if the machine has no figures for the
// colours, or opt.Colour is not one of FloorColours.
func newRackShades(r *machine.Result, opt FloorOptions) (*rackShades, error) {
	s := &rackShades{}
	if opt.RackPower {
		s.figures = make([]string, len(r.Room().Places))
		s.figured = "figures in racks: " + r.Bill.PowerNote().Words() + " in kW"
		for place, c := range rackContents(r) {
			if c != empty {
				s.figures[place] = "0.0"
			}
		}
		for i := range r.Placement.Racks {
			k := &r.Placement.Racks[i]
			s.figures[k.Place] = strconv.FormatFloat(float64(k.Power)/1e3, 'f', 1, 64)
		}
	}
	if opt.Faults != nil {
		s.faults(r, opt.Faults)
		return s, nil
	}
	if v := opt.Values; v != nil {
		s.fillRacks(r, palette.White)
		s.colourByValues(v.Racks, v.largest(), v.Unit, v.What)
		if v.Figures != nil {
			s.figures, s.figured = v.Figures, v.Figured
		}
		return s, nil
	}
	switch opt.Colour {
	case "", "kind":
		if opt.Cables == nil || opt.all {
			s.stripes = stripes(r)
		}
		return s, nil
	case "unit":
		return s, s.colourBySubsystem(r)
	case "fabric":
		return s, s.colourByFabric(r)
	case "power", "weight", "cables", "ports":
		return s, s.colourByQuantity(r, opt.Colour)
	}
	return nil, diag.Fieldf("Colour", "no colours by %q", opt.Colour)
}

// fillRacks gives every rack that is not empty the same colour.
func (s *rackShades) fillRacks(r *machine.Result, col color.RGBA) {
	s.of = make([]shade, len(r.Room().Places))
	for place, c := range rackContents(r) {
		if c != empty {
			s.of[place] = shade{[]color.RGBA{col}, contents[c].text}
		}
	}
}

// colourByQuantity colours racks by power (kW), weight (kg), number of ports with a cable or number of cables.
func (s *rackShades) colourByQuantity(r *machine.Result, what string) error {
	if r.Schedule.Segments == nil && (what == "cables" || what == "ports") {
		return diag.Fieldf("Colour", "a summary does not keep its cables, and nothing is known of the %s of a rack",
			what)
	}
	s.fillRacks(r, palette.White)
	values := make([]float64, len(s.of))
	unit := what
	switch what {
	case "power", "weight":
		for _, k := range r.Placement.Racks {
			values[k.Place] = float64(k.Power) / 1e3
			if what == "weight" {
				values[k.Place] = float64(k.Weight)
			}
		}
		unit = map[string]string{"power": "kW", "weight": "kg"}[what]
	case "ports":
		for _, k := range elevation.Of(r) {
			for i := range k.Stack {
				values[k.Place] += float64(k.Stack[i].Used)
			}
		}
		unit = "ports with a cable"
	case "cables":
		for place, n := range countRackCables(r) {
			values[place] = float64(n)
		}
	}
	by := what
	if what == "power" {
		by = r.Bill.PowerNote().Words()
	}
	s.colourByValues(values, slices.Max(values), unit, "racks by "+by)
	return nil
}

// colourByValues colours the racks that are not empty by values from 0 to most, and adds the scale to the legend.
func (s *rackShades) colourByValues(values []float64, most float64, unit, what string) {
	s.byQuantity = true
	for place := range s.of {
		if s.of[place].cols == nil {
			continue
		}
		share := 0.0
		if most > 0 {
			share = values[place] / most
		}
		s.of[place] = shade{[]color.RGBA{palette.Heat(share)}, fmt.Sprintf("%s %s", chart.Short(values[place]), unit)}
	}
	const steps = 5
	for i := range steps {
		share := float64(i) / (steps - 1)
		text := chart.Short(share*most) + " " + unit
		if i == 0 {
			text = what + ": " + text
		}
		s.legend = append(s.legend, pen.Item{Text: text, Swatch: pen.Filled(palette.Heat(share))})
		if most == 0 {
			break
		}
	}
}

// countRackCables returns the number of cables with an end in each rack, by rack position. A cable between two racks
// counts in both, a cable within a rack once.
func countRackCables(r *machine.Result) []int64 {
	s := r.Schedule
	l := s.Placement.Layout
	out := make([]int64, len(r.Room().Places))
	last := make([]int64, len(out)) // the cable counted last; segments of one follow each other
	for i := range s.Segments {
		seg := &s.Segments[i]
		if seg.Cable <= 0 {
			continue
		}
		for _, v := range [...]int32{seg.A, seg.B} {
			place := int32(0)
			if panel := s.Panel(v); panel >= 0 {
				place = s.Patching.Panels[panel].Rack
			} else {
				place = l.Container(layout.RackLevel, s.Placement.Slot[v])
			}
			if id := int64(seg.Cable); last[place] != id {
				last[place] = id
				out[place]++
			}
		}
	}
	return out
}

// subsystems holds the coarsest grouping of the topology that has several groups, such as copies, groups, pods or
// units, and the groups with boxes at each rack position.
type subsystems struct {
	name  string
	count int
	of    [][]int32 // of each place: the groups with boxes there, ascending
}

// findSubsystems finds the groups that the racks of a room hold; nil where the topology has none.
func findSubsystems(r *machine.Result) *subsystems {
	var coarsest *topology.Grouping
	for _, n := range r.Graph.Groupings() {
		if n.Count > 1 {
			coarsest = &n
		}
	}
	if coarsest == nil {
		return nil
	}
	out := &subsystems{name: coarsest.Name, count: coarsest.Count, of: make([][]int32, len(r.Room().Places))}
	for v, slot := range r.Placement.Slot {
		if g := coarsest.Of(v); g >= 0 {
			of := &out.of[r.Placement.Layout.Container(layout.RackLevel, slot)]
			if n := len(*of); n > 0 && (*of)[n-1] == g {
				continue
			}
			*of = append(*of, g)
		}
	}
	for place, of := range out.of {
		slices.Sort(of)
		out.of[place] = slices.Compact(of)
	}
	return out
}

// groupName returns the name of a group, which counts from 1: "pod 3" for g = 2.
func (u *subsystems) groupName(g int32) string { return u.name + " " + strconv.Itoa(int(g)+1) }

// mostShown is the largest number of groups of a rack that are shown; further groups are only counted.
const mostShown = 4

// about returns the groups with boxes in a rack: "pod 3, pod 4", after mostShown groups "and 2 more"; empty for none.
func (u *subsystems) about(place int) string {
	var out []string
	for _, g := range u.of[place][:min(len(u.of[place]), mostShown)] {
		out = append(out, u.groupName(g))
	}
	if n := len(u.of[place]); n > mostShown {
		out = append(out, fmt.Sprintf("and %d more", n-mostShown))
	}
	return strings.Join(out, ", ")
}

// colours returns the colours of the first mostShown groups of a rack.
func (u *subsystems) colours(place int) []color.RGBA {
	var out []color.RGBA
	for _, g := range u.of[place][:min(len(u.of[place]), mostShown)] {
		out = append(out, groupCol(g))
	}
	return out
}

// colourBySubsystem colours racks by the subsystems in them.
func (s *rackShades) colourBySubsystem(r *machine.Result) error {
	u := findSubsystems(r)
	if u == nil {
		return diag.Fieldf("Colour", "the topology has no groups, such as units or pods, to colour racks by")
	}
	s.fillRacks(r, palette.Tint(palette.Grey, 0.25))
	for place, of := range u.of {
		if len(of) > 0 {
			s.of[place] = shade{u.colours(place), u.about(place)}
		}
	}
	const most = 16
	for g := range int32(min(u.count, most)) {
		s.legend = append(s.legend, pen.Item{Text: u.groupName(g), Swatch: pen.Filled(groupCol(g))})
	}
	if u.count > most {
		s.legend = append(s.legend, pen.Item{
			Text: fmt.Sprintf("and so on, to %s %d", u.name, u.count), Swatch: pen.Filled(palette.White),
		})
	}
	s.addOtherToLegend()
	return nil
}

// stripes returns the subsystems that a floor plan by kind shows as a stripe in each rack; nil if the topology has
// none, or if more than half of the racks with any have more of them than mostShown.
func stripes(r *machine.Result) *subsystems {
	u := findSubsystems(r)
	if u == nil {
		return nil
	}
	some, many := 0, 0
	for _, of := range u.of {
		if len(of) > 0 {
			some++
		}
		if len(of) > mostShown {
			many++
		}
	}
	if 2*many > some {
		return nil
	}
	return u
}

// leastStriped is the smallest depth of a rack with a stripe, in pixels.
const leastStriped = 14

// striped reports whether racks are large enough for stripes.
func (d *roomDrawing) striped() bool {
	return d.shades != nil && d.shades.stripes != nil && float64(d.room.Spec.Rack.Depth)*d.Scale >= leastStriped
}

// stripeHeight is the height of a stripe of a rack that is so many pixels deep.
func stripeHeight(deep float64) float64 { return max(3, min(22, 0.15*deep)) }

// stripeLetter is that of the numbers in the stripes of a rack that is so many pixels deep.
func (d *roomDrawing) stripeLetter(deep float64) pen.Letter {
	return pen.Letter{Size: min(13, math.Floor(0.95*stripeHeight(deep)))}
}

// stripe draws the colours and numbers of a rack's subsystems beside the mark of its front, which is mark pixels deep.
func (d *roomDrawing) stripe(place int, b pen.Box, turned bool, mark float64) {
	cols := d.shades.stripes.colours(place)
	if len(cols) == 0 {
		return
	}
	if d.allCables { // the colours of cables mean something else
		for i := range cols {
			cols[i] = plainStripes[d.shades.stripes.of[place][i]%2]
		}
	}
	high := stripeHeight(b.Height())
	y0 := b.Y1 - mark - high
	if turned {
		y0 = b.Y0 + mark
	}
	wide := b.Width() / float64(len(cols))
	k := d.stripeLetter(b.Height())
	for i, col := range cols {
		x0 := b.X0 + wide*float64(i)
		d.Fill(pen.Rect(x0, y0, x0+wide, y0+high), col)
		if d.allCables && wide >= 4 {
			d.Frame(pen.Rect(x0, y0, x0+wide, y0+high), 1, palette.Outline)
		}
		number := strconv.Itoa(int(d.shades.stripes.of[place][i]) + 1)
		if k.Size < d.least || d.Width(number, k) >= wide-2 {
			continue
		}
		if x, ok := d.crossing().wordAt(pen.Rect(x0, y0, x0+wide, y0+high), d.Width(number, k)); ok {
			d.stripeNumbers = append(d.stripeNumbers, stripeNumber{number, k, x, y0 + high/2, col})
		}
	}
}

// stripeNumber is the number of a stripe, on its colour.
type stripeNumber struct {
	text   string
	letter pen.Letter
	x, y   float64
	ground color.RGBA
}

// numberStripes writes the numbers of stripes over the cables, as these may run along a stripe.
func (d *roomDrawing) numberStripes() {
	for _, n := range d.stripeNumbers {
		if wide := d.Width(n.text, n.letter) + 2; d.cables != nil {
			d.Fill(pen.Rect(n.x-wide/2, n.y-0.45*n.letter.Size, n.x+wide/2, n.y+0.45*n.letter.Size), n.ground)
		}
		d.Text(n.text, n.letter, n.x, n.y, 0.5, palette.On(n.ground))
	}
}

// plainStripes are the alternating colours of stripes, by number, if the plan shows all cables: colours belong to
// cables.
var plainStripes = [...]color.RGBA{palette.White, palette.Container(1)}

// stripeLegend explains the stripes.
func (d *roomDrawing) stripeLegend() []pen.Item {
	if !d.striped() {
		return nil
	}
	u := d.shades.stripes
	text := fmt.Sprintf("stripe: %s of the boxes, by number (1 to %s)", u.name, grouped(int64(u.count)))
	if d.stripeLetter(float64(d.room.Spec.Rack.Depth)*d.Scale).Size < d.least {
		text = fmt.Sprintf("stripe: %s of the boxes (1 to %s), without numbers at this scale", u.name,
			grouped(int64(u.count)))
	}
	return []pen.Item{{
		Text: text,
		Swatch: func(c *pen.Canvas, b pen.Box) {
			const shown = 4
			for i := range min(shown, u.count) {
				w := b.Width() / float64(min(shown, u.count))
				col := groupCol(int32(i))
				if d.allCables {
					col = plainStripes[i%2]
				}
				c.Fill(pen.Rect(b.X0+w*float64(i), b.Y0, b.X0+w*float64(i+1), b.Y1), col)
			}
			c.Frame(b, 1, palette.Outline)
		},
	}}
}

// groupCol returns the colour of a group, from a series of the palette; the series starts again with lighter colours.
func groupCol(g int32) color.RGBA {
	tints := [...]float64{0.65, 0.4, 0.25}
	return palette.Tint(palette.Series(int(g)), tints[palette.Round(int(g))%len(tints)])
}

// colourByFabric colours racks by the fabrics whose switches are in them; it is an error if there are fewer than two
// fabrics.
func (s *rackShades) colourByFabric(r *machine.Result) error {
	if len(r.Fabrics) < 2 {
		return diag.Fieldf("Colour", "the machine has one fabric")
	}
	s.fillRacks(r, palette.Tint(palette.Grey, 0.25))
	switching := make([]bool, len(s.of))
	for i, n := range r.Fabrics {
		col := palette.Tint(palette.Series(i), 0.65)
		for _, kind := range n.SwitchKinds() {
			k := r.Schedule.Kinds[kind]
			for v := k.First; v < k.First+k.Count; v++ {
				place := r.Placement.Layout.Container(layout.RackLevel, r.Placement.Slot[v])
				sh := &s.of[place]
				if !switching[place] {
					switching[place], sh.cols, sh.about = true, nil, "switches of"
				}
				if !slices.Contains(sh.cols, col) {
					sh.cols, sh.about = append(sh.cols, col), sh.about+" "+n.Name
				}
			}
		}
		s.legend = append(s.legend, pen.Item{Text: "switches of " + n.Name, Swatch: pen.Filled(col)})
	}
	s.addOtherToLegend()
	return nil
}

// addOtherToLegend adds racks without a group or fabric to the legend, if there are any.
func (s *rackShades) addOtherToLegend() {
	col := palette.Tint(palette.Grey, 0.25)
	if slices.ContainsFunc(s.of, func(k shade) bool { return len(k.cols) == 1 && k.cols[0] == col }) {
		s.legend = append(s.legend, pen.Item{Text: "other rack", Swatch: pen.Filled(col)})
	}
}

// fillRack fills the box of a rack with its colours, side by side.
func (d *roomDrawing) fillRack(place int, b pen.Box) {
	cols := d.shades.of[place].cols
	for i, col := range cols {
		n := float64(len(cols))
		d.Fill(pen.Rect(b.X0+b.Width()*float64(i)/n, b.Y0, b.X0+b.Width()*float64(i+1)/n, b.Y1), col)
	}
}

// nameCol returns the colour of text in a rack.
func (d *roomDrawing) nameCol(place int) color.RGBA {
	switch {
	case d.racks[place] == empty:
		return palette.Faint
	case d.shades != nil && d.shades.of != nil && len(d.shades.of[place].cols) == 1:
		return palette.On(d.shades.of[place].cols[0])
	}
	return palette.Ink
}

// rackFigures prints the figures of racks, beside the tray where they have no names.
func (d *roomDrawing) rackFigures() {
	if d.shades == nil || d.shades.figures == nil {
		return
	}
	name := "rack-power"
	if d.faults != nil {
		name = "rack-differences"
	}
	d.Layer(name)
	rack := d.room.Spec.Rack
	width, half := float64(rack.Width)*d.Scale, float64(rack.Depth)*d.Scale/2
	for i, p := range d.room.Places {
		if d.racks[i] == empty {
			continue
		}
		text := d.shades.figures[i]
		k := pen.Letter{Size: min(14, 0.7*(half-8))}
		for k.Size >= d.least && d.Width(text, k) > width-4 {
			k.Size--
		}
		if k.Size < d.least {
			continue
		}
		_, y := d.point(layout.FloorPoint(p.X, p.Y))
		front := half / 2
		if p.Turned {
			front = -front
		}
		b := d.footprint(p)
		b.Y0, b.Y1 = y+front-0.6*k.Size, y+front+0.6*k.Size
		x, _ := d.crossing().wordAt(b, d.Width(text, k))
		d.overLines(i, text, k, x, y+front)
		d.Text(text, k, x, y+front, 0.5, d.nameCol(i))
	}
}

// check returns an error if the machine has no room but the options need one. It names the option that does.
func (o *FloorOptions) check(r *machine.Result) error {
	switch {
	case r.Room() != nil:
	case o.Cables != nil:
		return errors.New("containers have no racks between which cables could be drawn")
	case o.Colour != "":
		return diag.Fieldf("Colour", "containers have no racks to colour")
	case o.RackPower:
		return diag.Fieldf("RackPower", "containers have no racks to print the power of")
	case o.Values != nil:
		return errors.New("containers have no racks to colour")
	case o.Faults != nil:
		return errors.New("containers have no racks to mark as different from the plan")
	}
	return nil
}

// DrawFloor draws the machine from above with options (see FloorOptions.withDefaults). enlarged is for formats that
// readers can enlarge: the drawing has any size, so that no name of a rack is left out; texts leave room for wider
// fonts; and the scale of the drawing is stated.
func DrawFloor(ctx context.Context, r *machine.Result, opt FloorOptions, enlarged bool) (*pen.Canvas, error) {
	if err := opt.check(r); err != nil {
		return nil, err
	}
	return drawFloorWith(ctx, r, opt, enlarged)
}
