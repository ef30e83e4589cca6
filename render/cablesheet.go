package render

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/internal/sheetzip"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// cableStyles are the styles of cableColumns.
var cableStyles = []style{
	plain, plain, plain, plain, plain, metres, metres,
	unit, plain, count, unit, count,
	unit, plain, count, unit, count,
	unit, plain,
	metres, metres, metres, metres, metres, metres, metres, metres,
	decimal, fine, plain, plain, count, count, plain, plain, plain,
}

// A schedule of a million cables is 30 million cells, more than excelize's own
// writer can take in the time a planner waits. So it is handed sheets that hold
// the head only; their rows are written here, straight into the compressor, while
// the archive is made.

// cablePages is on how many pages across all columns of a cable are readable; the sheet that is meant for paper is
// listSheet.
const cablePages = 3

// checkEvery is the number of cables after which a cancelled context is noticed.
const checkEvery = 1 << 13

// cableRows writes the rows of the Cables sheets, one sheet after the other.
type cableRows struct {
	ctx      context.Context
	s        *cabling.Schedule
	legs     *cabling.Legs
	bundles  *bundleText
	perSheet int64
	next     int   // segment
	link     int64 // number of the last one

	open           [][]byte // of each column: the cell up to the number of its row
	asPrinted      []byte   // and on to the value of a port's name
	asText, asNum  [][]byte // and on to its value
	levels, within [][]byte
	products       []productCells
	ports          [][]portCell // of each kind, and of panels
	ends           []byte       // of all vertices and panels: label up to the port, rack, device
	at             []int        // at[3v], at[3v+1], at[3v+2]: where they begin; a last one for the end
	units          []int16      // of each vertex

	row    []byte
	digits []byte // of the number of the row
}

type productCells struct {
	name, medium, length, diameter, weight []byte
	optics                                 [2][]byte // at both ends
}

type portCell struct {
	text   []byte
	number bool
}

// appendXML appends a text as the content of a cell.
func appendXML(b []byte, s string) []byte {
	s = cutText(s, mostCellText)
	plain := true
	for i := range len(s) {
		c := s[i]
		plain = plain && c >= ' ' && c < utf8.RuneSelf && c != '<' && c != '>' && c != '&' && c != '"' && c != '\''
	}
	if plain {
		return append(b, s...)
	}
	var e bytes.Buffer
	if err := xml.EscapeText(&e, []byte(s)); err != nil {
		panic(err) // a buffer takes everything
	}
	return append(b, e.Bytes()...)
}

func newCableRows(b *book) *cableRows {
	s := b.r.Schedule
	l := s.Placement.Layout // with the panels
	w := &cableRows{ctx: b.ctx, s: s, legs: s.Legs(), bundles: newBundleText(b.r), perSheet: b.perSheet}
	for i := range cableColumns {
		name := ref(i+1, 1)
		style := ""
		if id := b.styles[cableStyles[i]]; id != 0 {
			style = fmt.Sprintf(` s="%d"`, id)
		}
		w.open = append(w.open, []byte(`<c r="`+name[:len(name)-1]))
		w.asText = append(w.asText, []byte(`"`+style+` t="inlineStr"><is><t xml:space="preserve">`))
		w.asNum = append(w.asNum, []byte(`"`+style+`><v>`))
	}
	w.asPrinted = fmt.Appendf(nil, `" s="%d" t="inlineStr"><is><t xml:space="preserve">`, b.styles[printed])
	for _, level := range b.r.Graph.Levels() {
		w.levels = append(w.levels, appendXML(nil, level.Name))
	}
	for _, level := range l.Levels {
		w.within = append(w.within, appendXML(nil, level.Name))
	}
	for i := range s.Products {
		p := &s.Products[i]
		c := productCells{
			name: appendXML(nil, p.Item().String()), medium: appendXML(nil, string(p.Part.Cable.Medium)),
			length:   appendMetres(nil, p.Length),
			diameter: appendDecimal(nil, float64(p.Part.Cable.Diameter)*1e3, 3),
			weight:   appendDecimal(nil, float64(p.Part.Weight), 4),
		}
		for end, optic := range p.Transceivers() {
			if optic != nil {
				c.optics[end] = appendXML(nil, optic.ID)
			}
		}
		w.products = append(w.products, c)
	}
	for _, box := range s.Boxes {
		var ports []portCell
		for _, p := range box.Ports {
			ports = append(ports, portCell{appendXML(nil, p.Name), isWhole(p.Name)})
		}
		w.ports = append(w.ports, ports)
	}
	if s.Patching != nil {
		var ports []portCell
		for _, name := range s.Patching.PortNames() {
			ports = append(ports, portCell{appendXML(nil, name), isWhole(name)})
		}
		w.ports = append(w.ports, ports)
	}
	n := len(s.Placement.Slot) // vertices, and panels after them
	w.at = make([]int, 0, 3*n+1)
	w.units = make([]int16, n)
	for v := range n {
		e := placeOf(s, l, int32(v))
		w.units[v] = int16(e.unit)
		for _, text := range []string{e.path + "/" + e.device + "-", e.rack, e.device} {
			w.at = append(w.at, len(w.ends))
			w.ends = appendXML(w.ends, text)
		}
	}
	w.at = append(w.at, len(w.ends))
	return w
}

// isWhole reports whether a name is written as a number would be.
func isWhole(name string) bool {
	n, err := strconv.ParseInt(name, 10, 64)
	return err == nil && name == strconv.FormatInt(n, 10)
}

// sheet writes the rows of the next sheet.
func (w *cableRows) sheet(out io.Writer) error {
	segments := w.s.Segments
	for n := int64(0); n < w.perSheet && w.next < len(segments); w.next++ {
		seg := &segments[w.next]
		if seg.Product == cabling.IsTrace {
			continue
		}
		if n++; n%checkEvery == 0 && w.ctx.Err() != nil {
			return context.Cause(w.ctx)
		}
		w.cable(n+1, seg)
		if _, err := out.Write(w.row); err != nil {
			return err
		}
	}
	return nil
}

// text adds a cell with the text of two pieces.
func (w *cableRows) text(column int, piece, more []byte) {
	b := append(append(append(w.row, w.open[column]...), w.digits...), w.asText[column]...)
	w.row = append(append(append(b, piece...), more...), "</t></is></c>"...)
}

// begin starts a cell with a number, which is closed by end.
func (w *cableRows) begin(column int) {
	w.row = append(append(append(w.row, w.open[column]...), w.digits...), w.asNum[column]...)
}

func (w *cableRows) end() { w.row = append(w.row, "</v></c>"...) }

func (w *cableRows) number(column int, digits []byte) {
	w.begin(column)
	w.row = append(w.row, digits...)
	w.end()
}

// cable puts the row of a cable together.
func (w *cableRows) cable(row int64, seg *cabling.Segment) {
	w.digits = strconv.AppendInt(w.digits[:0], row, 10)
	w.row = append(append(append(w.row[:0], `<row r="`...), w.digits...), `">`...)
	leg := w.legs.Next(seg)
	w.row = append(append(append(w.row, w.open[0]...), w.digits...), w.asText[0]...)
	if w.s.Naming.Cables == nil {
		w.row = w.s.AppendCableID(w.row, int64(seg.Cable))
	} else {
		w.row = appendXML(w.row, w.s.CableID(int64(seg.Cable)))
	}
	w.row = append(w.row, "</t></is></c>"...)
	w.text(1, w.levels[seg.Level], nil)
	w.text(2, w.within[seg.Within], nil)
	var p *productCells
	if seg.Product >= 0 {
		p = &w.products[seg.Product]
		w.text(3, p.name, nil)
		w.text(4, p.medium, nil)
		w.number(5, p.length)
	}
	w.begin(6)
	w.row = appendMetres(w.row, seg.Length)
	w.end()
	w.plugged(7, seg.A, seg.PortA)
	w.plugged(12, seg.B, seg.PortB)
	if p != nil && p.optics[0] != nil {
		w.text(17, p.optics[0], nil)
	}
	if p != nil && p.optics[1] != nil {
		w.text(18, p.optics[1], nil)
	}
	parts := w.s.Parts(seg)
	for i, l := range parts.List() {
		if l != 0 || i < 3 || i == 5 { // rules that are seldom used leave their cells empty
			w.begin(19 + i)
			w.row = appendMetres(w.row, l)
			w.end()
		}
	}
	if p != nil && w.s.Jacket(seg, leg) {
		w.number(27, p.diameter)
		w.number(28, p.weight)
	}
	if seg.Bundle > 0 {
		w.row = append(append(append(w.row, w.open[29]...), w.digits...), w.asText[29]...)
		w.row = append(w.bundles.appendID(w.row, seg.Bundle), "</t></is></c>"...)
	}
	if way, back := w.s.WayOf(seg); way >= 0 {
		w.text(30, w.bundles.routeOf(way, back), nil)
	}
	if !w.s.Continues(seg) {
		w.link++
	}
	w.begin(31)
	w.row = strconv.AppendInt(w.row, w.link, 10)
	w.end()
	w.begin(cableLeg)
	w.row = strconv.AppendInt(w.row, int64(leg), 10)
	w.end()
	if seg.Product >= 0 && w.s.Products[seg.Product].Stock {
		w.text(cableStock, []byte(inStock), nil)
	}
	if polarity := w.s.Polarity(seg); polarity != "" {
		w.text(cablePolarity, []byte(polarity), nil)
	}
	if colour := w.s.Colour(seg); colour != "" {
		w.text(cableColour, []byte(colour), nil)
	}
	w.row = append(w.row, "</row>"...)
}

// plugged adds the cells of one end, from the given column on.
func (w *cableRows) plugged(column int, v int32, port uint16) {
	kind := len(w.ports) - 1 // panels, if there are any
	if w.s.Panel(v) < 0 {
		kind = topology.KindOf(w.s.Kinds, int(v))
	}
	var name portCell
	if int(port) < len(w.ports[kind]) {
		name = w.ports[kind][port]
	} else {
		text := w.s.PortName(v, port)
		name = portCell{appendXML(nil, text), isWhole(text)}
	}
	at := w.at[3*v : 3*v+4]
	if w.s.Naming.Ends == nil {
		w.text(column, w.ends[at[0]:at[1]], name.text)
	} else {
		w.text(column, appendXML(nil, w.s.Label(v, port)), nil)
	}
	w.text(column+1, w.ends[at[1]:at[2]], nil)
	if u := w.units[v]; u > 0 {
		w.begin(column + 2)
		w.row = strconv.AppendInt(w.row, int64(u), 10)
		w.end()
	}
	w.text(column+3, w.ends[at[2]:at[3]], nil)
	if name.number {
		w.number(column+4, name.text)
	} else {
		w.row = append(append(append(w.row, w.open[column+4]...), w.digits...), w.asPrinted...)
		w.row = append(append(w.row, name.text...), "</t></is></c>"...)
	}
}

// cables makes the Cables sheets, a million cables to a sheet, without their
// rows.
func (b *book) cables() error {
	if why := b.unlisted(); why != "" {
		g := &grid{name: cablesSheet, frozen: 1, screen: true}
		g.add(heads(cableColumns...)...)
		g.add(text(why).as(note))
		return g.write(b.f, b.styles)
	}
	rows := newCableRows(b)
	widths := b.cableWidths(rows)
	for sheet, left := 1, max(b.r.Schedule.Wired, 1); left > 0; sheet, left = sheet+1, left-b.perSheet {
		name := cablesSheet
		if sheet > 1 {
			name = fmt.Sprintf("%s %d", cablesSheet, sheet)
		}
		g := &grid{
			name: name, frozen: 1, filterTop: 1, across: cablePages, screen: true,
			filter: int(min(left, b.perSheet)) + 1,
		}
		g.add(heads(cableColumns...)...)
		for i := range cableColumns {
			if s := cableStyles[i]; s == count || s == metres || s == decimal || s == fine {
				g.rows[0][i].style = headRight
			}
		}
		g.fitted = widths
		if err := g.write(b.f, b.styles); err != nil {
			return err
		}
		if b.bare {
			continue
		}
		b.zip.Insert = append(b.zip.Insert,
			sheetzip.Insertion{Name: fmt.Sprintf("xl/worksheets/sheet%d.xml", b.f.SheetCount), Rows: rows.sheet})
	}
	return nil
}

// cableWidths fits the columns to the head and to some of the cables.
func (b *book) cableWidths(w *cableRows) []float64 {
	g := &grid{}
	g.add(heads(cableColumns...)...)
	segments := b.r.Schedule.Segments
	for i := 0; i < len(segments); i += max(len(segments)/500, 1) {
		if seg := &segments[i]; seg.Product != cabling.IsTrace {
			row := make([]cell, len(cableColumns))
			b.cableCells(w.bundles, b.report.Links, 1, seg, func(column int, v any) { row[column] = cell{value: v} })
			g.add(row...)
		}
	}
	return g.widths()
}

// CableCells sets the cells of a row of the sheets of cables that are not empty, by columns from 0: texts, and numbers
// (int64, float64). The row is that of a segment; link is the number of its link and leg which link of its cable that
// is, both from 1.
type CableCells func(link int64, leg int, seg *cabling.Segment, set func(column int, v any))

// NewCableCells returns the heads of the sheets of cables and what sets their cells; nil where a workbook of the plan
// does not list them.
func NewCableCells(r *machine.Result) ([]string, CableCells) {
	b := &book{r: r, report: r.Report()}
	if b.unlisted() != "" {
		return nil, nil
	}
	bundles := newBundleText(r)
	return cableColumns, func(link int64, leg int, seg *cabling.Segment, set func(int, any)) {
		b.cableCells(bundles, link, leg, seg, set)
	}
}

// cableCells sets the cells of a cable that are not empty: what cableRows writes,
// as values.
func (b *book) cableCells(bundles *bundleText, link int64, leg int, seg *cabling.Segment, set func(column int, v any)) {
	s := b.r.Schedule
	l := s.Placement.Layout
	set(0, s.CableID(int64(seg.Cable)))
	set(1, b.r.Graph.Levels()[seg.Level].Name)
	set(2, l.Levels[seg.Within].Name)
	if seg.Product >= 0 {
		p := &s.Products[seg.Product]
		set(3, p.Item().String())
		set(4, string(p.Part.Cable.Medium))
		set(5, float64(p.Length))
		for end, optic := range p.Transceivers() {
			if optic != nil {
				set(17+end, optic.ID)
			}
		}
	}
	set(6, float64(seg.Length))
	for i, end := range []struct {
		v    int32
		port uint16
	}{{seg.A, seg.PortA}, {seg.B, seg.PortB}} {
		box, at := placeOf(s, l, end.v), 7+5*i
		set(at, s.Label(end.v, end.port))
		set(at+1, box.rack)
		if box.unit > 0 {
			set(at+2, int64(box.unit))
		}
		set(at+3, box.device)
		name := s.PortName(end.v, end.port)
		if n, err := strconv.ParseInt(name, 10, 64); err == nil && isWhole(name) {
			set(at+4, n)
		} else {
			set(at+4, name)
		}
	}
	parts := s.Parts(seg)
	for i, l := range parts.List() {
		if l != 0 || i < 3 || i == 5 {
			set(19+i, float64(l))
		}
	}
	if seg.Product >= 0 && s.Jacket(seg, leg) {
		part := s.Products[seg.Product].Part
		set(27, math.Round(float64(part.Cable.Diameter)*1e6)/1e3)
		set(28, float64(part.Weight))
	}
	if seg.Bundle > 0 {
		set(29, string(bundles.appendID(nil, seg.Bundle)))
	}
	if way, back := s.WayOf(seg); way >= 0 {
		set(30, string(bundles.routeOf(way, back)))
	}
	set(31, link)
	set(cableLeg, int64(leg))
	if seg.Product >= 0 && s.Products[seg.Product].Stock {
		set(cableStock, inStock)
	}
	if polarity := s.Polarity(seg); polarity != "" {
		set(cablePolarity, string(polarity))
	}
	if colour := s.Colour(seg); colour != "" {
		set(cableColour, colour)
	}
}
