package render

import (
	"context"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/units"
)

// cableColumns are the columns of the cable schedule, in every format.
var cableColumns = []string{
	"cable_id", "level", "layout_level", "product", "medium", "stock_length_m", "length_m",
	"a_label", "a_rack", "a_unit", "a_device", "a_port",
	"b_label", "b_rack", "b_unit", "b_device", "b_port",
	"optic_a", "optic_b",
	"rise_m", "run_m", "drop_m", "manager_m", "crossing_m", "slack_m", "loop_m", "rounding_m",
	"diameter_mm", "weight_kg_m", "bundle", "tray_route", "link", "leg", "from_stock",
	"polarity", "colour",
}

// Columns of the cable schedule, from 0, by which others go.
const (
	cableLeg = 32 + iota
	cableStock
	cablePolarity
	cableColour
)

// inStock is what the column of cables from the store says of those that are.
const inStock = "yes"

// Cables writes the cable schedule as comma-separated values (RFC 4180), a row for each link that is not a trace, in
// the order of the schedule. A twin-port cable or splitter has a row for each link that it carries, with the same
// cable_id; leg counts them, and is 1 for every other cable. A cable that no product can make has no product, medium
// and stock length; the rack of a box in containers is its innermost container. The needed length is the sum of the
// eight columns from rise_m on: up to the tray, along it, down from it, to the sides of the racks, through a rack,
// slack, service loops, rounding; off the trays, the whole route is the run. Diameter and weight are of the jacket;
// they are empty for a link in the jacket of another. tray_route lists the pieces of tray from end A to end B by their
// ids in trays.csv, runs of consecutive ids by their first and last. link counts the links, from 1: one over patch
// panels has three rows, a cord, a position of a trunk and a cord, with the same number; in all others it is the row's
// own. from_stock is yes of a cable that is taken from the store; polarity is the type that one with MPO plugs has to
// be of, A or B. colour is that of cabling.colours, empty where none is stated.
func Cables(ctx context.Context, w io.Writer, r *machine.Result) error {
	return cables(ctx, w, r, newEndText(r.Schedule))
}

func cables(ctx context.Context, w io.Writer, r *machine.Result, ends *endText) error {
	out := csvtable.NewWriter(ctx, w, cableColumns)
	t := newCableText(r, ends)
	for some := range slices.Chunk(r.Schedule.Segments, 64) {
		err := out.Rows(len(some), func(b []byte) []byte {
			for i := range some {
				if seg := &some[i]; seg.Product != cabling.IsTrace {
					b = append(t.append(b, int64(seg.Cable), seg), csvtable.RowEnd...)
				}
			}
			return b
		})
		if err != nil {
			return err
		}
	}
	return out.Flush()
}

// cableText holds what the rows of a schedule are put together from, ready as
// fields.
type cableText struct {
	schedule       *cabling.Schedule
	legs           *cabling.Legs
	link           int64
	levels, within [][]byte    // of the topology and the layout
	products       [][3][]byte // before the ends, after them, and the jacket
	bundles        *bundleText
	ends           *endText
	parts          [8]knownLength // that the row before had
}

// knownLength is a length as it is written.
type knownLength struct {
	l    units.Length
	text []byte
}

func newCableText(r *machine.Result, ends *endText) *cableText {
	s := r.Schedule
	l := s.Placement.Layout // with the panels
	t := &cableText{schedule: s, legs: s.Legs(), ends: ends}
	for _, level := range r.Graph.Levels() {
		t.levels = append(t.levels, csvtable.AppendText(nil, level.Name))
	}
	for _, level := range l.Levels {
		t.within = append(t.within, csvtable.AppendText(nil, level.Name))
	}
	for i := range s.Products {
		p := &s.Products[i]
		head := csvtable.AppendText(nil, p.Item().String())
		head = append(csvtable.AppendText(append(head, ','), string(p.Part.Cable.Medium)), ',')
		head = appendMetres(head, p.Length)
		var optics []byte
		for end, optic := range p.Transceivers() {
			if end > 0 {
				optics = append(optics, ',')
			}
			if optic != nil {
				optics = csvtable.AppendText(optics, optic.ID)
			}
		}
		body := appendDecimal(nil, float64(p.Part.Cable.Diameter)*1e3, 3)
		body = appendDecimal(append(body, ','), float64(p.Part.Weight), 4)
		t.products = append(t.products, [3][]byte{head, optics, body})
	}
	t.bundles = newBundleText(r)
	return t
}

// place is where a box stands, in words.
type place struct {
	path, rack, device string
	unit               int
}

// placeOf returns the place of a vertex.
func placeOf(s *cabling.Schedule, l *layout.Layout, v int32) place {
	slot := s.Placement.Slot[v]
	return place{path: l.Path(slot), device: s.Device(v), rack: l.Rack(slot), unit: l.Unit(slot)}
}

// append appends the row of a cable.
func (t *cableText) append(b []byte, number int64, seg *cabling.Segment) []byte {
	b = t.ends.appendID(b, number)
	b = append(append(b, ','), t.levels[seg.Level]...)
	b = append(append(b, ','), t.within[seg.Within]...)
	b = append(b, ',')
	head, optics, body := []byte(",,"), []byte(","), []byte(",")
	leg := t.legs.Next(seg)
	if seg.Product >= 0 {
		p := &t.products[seg.Product]
		head, optics = p[0], p[1]
		if t.schedule.Jacket(seg, leg) {
			body = p[2]
		}
	}
	b = append(append(b, head...), ',')
	b = appendMetres(b, seg.Length)
	b = t.appendEnd(append(b, ','), seg.A, seg.PortA)
	b = t.appendEnd(append(b, ','), seg.B, seg.PortB)
	b = append(append(b, ','), optics...)
	parts := t.schedule.Parts(seg)
	for i, l := range parts.List() {
		k := &t.parts[i]
		if l != k.l || k.text == nil { // most are those of the row before
			k.l, k.text = l, appendMetres(append(k.text[:0], ','), l)
		}
		b = append(b, k.text...)
	}
	b = append(append(append(b, ','), body...), ',')
	if seg.Bundle > 0 {
		b = t.bundles.appendID(b, seg.Bundle)
	}
	b = append(b, ',')
	if way, back := t.schedule.WayOf(seg); way >= 0 {
		b = append(b, t.bundles.routeOf(way, back)...)
	}
	if !t.schedule.Continues(seg) {
		t.link++
	}
	b = strconv.AppendInt(append(b, ','), t.link, 10)
	b = append(strconv.AppendInt(append(b, ','), int64(leg), 10), ',')
	if seg.Product >= 0 && t.schedule.Products[seg.Product].Stock {
		b = append(b, inStock...)
	}
	b = append(append(b, ','), t.schedule.Polarity(seg)...)
	return append(append(b, ','), t.schedule.Colour(seg)...)
}

// appendEnd appends the label, rack, unit, device and port of one end.
func (t *cableText) appendEnd(b []byte, v int32, port uint16) []byte {
	b = append(t.ends.appendLabel(b, v, port), ',')
	b = append(append(b, t.ends.place(v)...), ',')
	if t.ends.plainPorts {
		return append(b, t.ends.port(v, port)...)
	}
	return csvtable.AppendText(b, t.ends.port(v, port))
}

// appendMetres appends what units.Length.Number returns, without the detour
// over a float's shortest digits.
func appendMetres(b []byte, l units.Length) []byte {
	if l == 0 { // as most pieces of lengths are
		return append(b, '0')
	}
	n := int64(math.Round(float64(l) * 1e4))
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	if n == 0 {
		return append(b, '0')
	}
	fraction := uint32(n % 1e4)
	switch whole := n / 1e4; {
	case whole < 10:
		b = append(b, byte('0'+whole))
	case whole < 100:
		b = append(b, byte('0'+whole/10), byte('0'+whole%10))
	default:
		b = strconv.AppendInt(b, whole, 10)
	}
	if fraction == 0 {
		return b
	}
	b = append(b, '.', byte('0'+fraction/1000), byte('0'+fraction/100%10), byte('0'+fraction/10%10),
		byte('0'+fraction%10))
	for b[len(b)-1] == '0' {
		b = b[:len(b)-1]
	}
	return b
}
