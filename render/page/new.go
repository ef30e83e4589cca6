package page

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/render/palette"
)

// What a page holds at most; past it, what is coarser stands for the rest, and the page says so.
const (
	// MostCables is the most links that are listed and drawn one by one; bundles stand for more.
	MostCables = 1_000_000
	// mostBoxes is the most boxes of a plan whose cables are not listed.
	mostBoxes = 100_000
	// mostBundles is the most bundles of a plan whose cables are not listed.
	mostBundles = 200_000
	// mostRacks is the most rack positions with those that are free, and the most containers of a level.
	mostRacks = 100_000
	// mostBends is the most points of the ways of cables between containers.
	mostBends = 60_000
	// mostTrays is the most pieces of tray.
	mostTrays = 200_000
)

// New makes the data of a plan, which it does not change.
func New(ctx context.Context, r *machine.Result) (*Data, error) {
	s := r.Schedule
	d := &Data{Plan: r.Report(), Rules: []Rule{}, Left: []Left{}}
	if t := d.Plan.Trays; t != nil {
		bare := *t
		bare.Segments = nil
		d.Plan.Trays = &bare
	}
	d.Omitted, d.PowerNote = newOmitted(d.Plan), d.Plan.PowerNote().Short()
	for _, name := range report.FigureNames {
		if f := d.Plan.Explain(name); f != nil {
			d.Figures = append(d.Figures, f)
		}
	}
	d.rules(r)
	d.names(r)
	d.racks(r)
	listed := s.Segments != nil && s.Wired <= MostCables
	if !listed {
		instead := "; the bundles between racks stand for them"
		if len(s.Bundles) == 0 && d.Cords == nil {
			instead = ""
		} else if d.Cords != nil {
			instead = "; in three dimensions, one line stands for all between two containers"
		}
		why := "A summary keeps no list of cables" + instead + "."
		if s.Segments != nil {
			why = fmt.Sprintf("The plan has %s cables, which is more than a page can hold (%s)%s. cables.csv has all.",
				english.Grouped(s.Cables), english.Grouped(MostCables), instead)
		}
		d.addLeft("cables", why)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	d.boxes(r, listed)
	d.trays(s)
	d.bundles(s, listed)
	if listed {
		d.cables(s)
	}
	return d, ctx.Err()
}

// addLeft adds something that the page leaves out, with the reason.
func (d *Data) addLeft(what, why string) { d.Left = append(d.Left, Left{what, why}) }

// rules says how the plan keeps the design rules.
func (d *Data) rules(r *machine.Result) {
	unchecked, partly := r.Unchecked(), r.PartlyChecked()
	for i := range cabling.Rules {
		rule := &cabling.Rules[i]
		d.Rules = append(d.Rules, Rule{
			rule.ID, rule.Severity, rule.Text, rule.Why, rule.Mend, r.Violations.Count(*rule),
			r.Violations.CountSuppressed(*rule), unchecked[rule.ID], partly[rule.ID],
		})
	}
}

// names lists what columns refer to by number.
func (d *Data) names(r *machine.Result) {
	s := r.Schedule
	for _, l := range r.Graph.Levels() {
		fabric, level, several := strings.Cut(l.Name, "/")
		if !several || len(r.Fabrics) == 0 {
			fabric, level = "", l.Name
		}
		d.Levels = append(d.Levels, Level{level, fabric})
	}
	for _, l := range s.Placement.Layout.Levels {
		d.LayoutLevels = append(d.LayoutLevels, l.Name)
	}
	for i, k := range s.Kinds {
		b := s.Boxes[i]
		kind := Kind{
			Name: k.Name, Part: b.Part.ID,
			Role:    role(&k, i < len(r.Spec.Boxes) && r.Spec.Boxes[i].Role == spec.Service),
			NoPower: b.Part.LacksPower(), NoWeight: b.Part.Weight == 0,
			Count: k.Count, Units: max(b.Part.Units, 1), Ports: make([]string, len(b.Ports)),
		}
		if b.Part.ZeroU {
			kind.Units = 0
		}
		for p := range b.Ports {
			kind.Ports[p] = b.Ports[p].Name
		}
		if k.Count > 0 && s.Placement.Layout.Room != nil {
			kind.Whole = s.Placement.Layout.ChassisUnits(s.Placement.Slot[k.First])
		}
		d.Kinds = append(d.Kinds, kind)
	}
	if k := s.Patching; k != nil && len(k.Panels) > 0 {
		d.Kinds = append(d.Kinds, Kind{
			Name: "patch panel", Role: "panel", Part: k.Part.ID, NoWeight: k.Part.Weight == 0,
			Count: len(k.Panels), Units: max(k.Part.Units, 1), Ports: k.PortNames(),
		})
	}
	d.Products = []Product{}
	for i := range s.Products {
		p := &s.Products[i]
		optics := p.Transceivers()
		d.Products = append(d.Products, Product{
			p.Item().String(), p.Part.Cable.Medium, p.Length, id(optics[0]), id(optics[1]), p.Stock, p.Part.Source,
			p.LinksPerJacket(), p.Splits(),
		})
	}
	c := &r.Spec.Cabling
	d.Slack = Slack{c.Slack.Percent, c.Route}
	d.Colours = allColours()
}

// id is that of a part, empty where there is none.
func id(p *catalog.Part) string {
	if p == nil {
		return ""
	}
	return p.ID
}

// boxes fills the columns of boxes and panels.
func (d *Data) boxes(r *machine.Result, listed bool) {
	s := r.Schedule
	l := s.Placement.Layout
	n := len(s.Placement.Slot)
	if !listed && n > mostBoxes {
		d.addLeft("boxes", fmt.Sprintf("The machine has %s boxes, which a page without its cables does not list; "+
			"placement.csv has all.", english.Grouped(int64(n))))
		return
	}
	rack, unit, cell, rear := make([]int32, n), make([]int16, n), make([]int16, n), make([]uint8, n)
	x, y, z := make([]float32, n), make([]float32, n), make([]float32, n)
	for v, slot := range s.Placement.Slot {
		rack[v] = d.rackOf(l, slot)
		unit[v], cell[v] = int16(l.Unit(slot)), -1
		if l.Room != nil {
			cell[v] = int16(l.Cell(slot))
			if l.Rear(slot) {
				rear[v] = 1
			}
		}
		p := l.Position(slot)
		x[v], y[v], z[v] = float32(p.X), float32(p.Y), float32(p.Z)
	}
	d.Boxes = &Boxes{
		Count: n, Names: texts(n, func(v int) string { return s.Device(int32(v)) }),
		Rack: column(rack), Unit: column(unit), Cell: column(cell), Rear: column(rear),
		X: column(x), Y: column(y), Z: column(z),
	}
}

// rackOf is the index in Racks of what holds a slot.
func (d *Data) rackOf(l *layout.Layout, slot int32) int32 {
	if l.Room != nil {
		return l.Container(layout.RackLevel, slot)
	}
	return l.Container(l.LevelIndex(d.Racks.Level), slot)
}

// Classes of racks.
const (
	endOfRow    = 1
	middleOfRow = 2
)

// cables fills the columns of cables.
func (d *Data) cables(s *cabling.Schedule) {
	n := int(s.Wired)
	number, leg := make([]uint32, 0, n), make([]uint8, 0, n)
	a, b := make([]int32, 0, n), make([]int32, 0, n)
	portA, portB := make([]uint16, 0, n), make([]uint16, 0, n)
	product := make([]int16, 0, n)
	level, within := make([]uint8, 0, n), make([]uint8, 0, n)
	bundle, length := make([]int32, 0, n), make([]float32, 0, n)
	colour, numbers := make([]uint8, 0, n), colourNumbers{names: []string{""}}
	var parts [10][]int32
	for i := range parts {
		parts[i] = make([]int32, 0, n)
	}
	var axes [3][]int32
	for i := range axes {
		axes[i] = make([]int32, n)
	}
	legs := s.Legs()
	s.Each(func(c int64, seg *cabling.Segment) bool {
		number, leg = append(number, uint32(c)), append(leg, uint8(min(legs.Next(seg), 255)))
		a, b = append(a, seg.A), append(b, seg.B)
		portA, portB = append(portA, seg.PortA), append(portB, seg.PortB)
		product = append(product, seg.Product)
		level, within = append(level, seg.Level), append(within, seg.Within)
		bundle, length = append(bundle, seg.Bundle), append(length, float32(seg.Length))
		colour = append(colour, numbers.of(s.Colour(seg)))
		p := s.Parts(seg)
		list := p.List()
		middleA, middleB := s.ToMiddles(seg, p)
		for i, l := range append(list[:], middleA, middleB) {
			parts[i] = append(parts[i], int32(tenths(l)))
		}
		if seg.Bundle == 0 || s.Trays == nil {
			alongAxes(s, seg, &axes, len(number)-1)
		}
		return true
	})
	d.CableColours, d.CableJackets = numbers.names, numbers.jackets()
	c := &Cables{
		Colour: column(colour),
		Count:  len(number), Digits: len(s.CableID(1)) - 1, IDs: Array{kind: "s"},
		Number: column(number), Leg: column(leg),
		A: column(a), B: column(b), PortA: column(portA), PortB: column(portB), Product: column(product),
		Level: column(level), Within: column(within), Bundle: column(bundle), Length: column(length),
	}
	for i := range parts {
		c.Parts[i] = column(parts[i])
	}
	for i := range axes {
		c.Axes[i] = column(axes[i])
	}
	if s.Naming.Cables != nil {
		c.IDs = texts(len(number), func(i int) string { return s.CableID(int64(number[i])) })
	}
	d.Cables = c
}

// alongAxes fills in what a cable runs along each axis.
func alongAxes(s *cabling.Schedule, seg *cabling.Segment, axes *[3][]int32, at int) {
	for _, piece := range s.Pieces(seg) {
		for axis, name := range [...]string{"along x", "along y", "along z"} {
			if piece.Name == name {
				axes[axis][at] = int32(tenths(piece.Length))
			}
		}
	}
}

// colourNumbers numbers the colours of cables as they come up, at most cabling.MostColours.
type colourNumbers struct{ names []string }

// jackets are the colours as floor plans have them, where names are sorted, as #RRGGBB. Black is lighter, to be seen on
// dark ground.
func (n *colourNumbers) jackets() []string {
	sorted := slices.Sorted(slices.Values(n.names))
	sorted = append(sorted[1:], "")
	out := make([]string, len(n.names))
	for i, c := range palette.Jackets(sorted) {
		if max(c.R, c.G, c.B) < 0x40 {
			c = palette.Tint(c, 0.7)
		}
		out[n.of(sorted[i])] = hex(c)
	}
	return out
}

func (n *colourNumbers) of(name string) uint8 {
	i := slices.Index(n.names, name)
	if i < 0 {
		i = len(n.names)
		n.names = append(n.names, name)
	}
	return uint8(i)
}
