package render

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/internal/csvtable"
)

// mostPrinted is the most rows of the list of cables that is made for paper, a few hundred pages.
const mostPrinted = 20_000

// listColumns are the columns of the list of cables. Those of Progress among them have its names, so that the sheet,
// saved as comma-separated values, is read as a progress file.
var listColumns = []string{
	"a_rack", "a_unit", "a_device", "a_port", "b_rack", "b_unit", "b_device", "b_port", "cable_id", "product",
	"bundle", "done", "by", "when", "remark", "length_m", "polarity", "from_stock",
}

// Columns of listColumns, from 0.
const (
	listDone   = 11
	listWhen   = 13
	listRemark = 14
)

// listRowHeight is that of a row of the list of cables, in points: as low as its letters allow.
const listRowHeight = 13.5

// cableList is what a technician has on paper: of every cable what it is and where it goes, in as many columns as can
// be read on a page. Cables are in the order in which an installer walks: by row, rack and unit of their first end.
func (b *book) cableList() *grid {
	g := &grid{
		name: listSheet, frozen: 1, filterTop: 1, portrait: true, printed: listWhen + 1, rowHeight: listRowHeight,
		ruled: 1,
	}
	g.add(heads(listColumns...)...)
	s := b.r.Schedule
	switch {
	case s.Segments == nil:
		g.add(text(b.unlisted()).as(note))
		return g
	case s.Wired > mostPrinted:
		g.add(text(fmt.Sprintf("More than %s cables are not for paper: they are on the sheet %s and in cables.csv.",
			grouped(mostPrinted), cablesSheet)).as(note))
		return g
	}
	type walked struct {
		seg        *cabling.Segment
		near, away WalkEnd
	}
	var order []walked
	l := s.Placement.Layout
	s.Each(func(_ int64, seg *cabling.Segment) bool {
		near, away := WalkEnds(l, s.Placement.Slot, seg)
		order = append(order, walked{seg, near, away})
		return true
	})
	slices.SortStableFunc(order, func(x, y walked) int { return x.near.Compare(y.near) })
	bundles := newBundleText(b.r)
	for _, w := range order {
		var row []cell
		for _, e := range []WalkEnd{w.near, w.away} {
			at := placeOf(s, l, e.Vertex)
			unit := cell{}
			if at.unit > 0 {
				unit = whole(int64(at.unit))
			}
			row = append(row, text(at.rack).linkTo(b.rackRow[at.rack]), unit, text(at.device),
				text(s.PortName(e.Vertex, e.Port)).as(printed))
		}
		item := product(s, w.seg)
		row = append(row, text(s.CableID(int64(w.seg.Cable))), text(item).linkTo(b.bomItem[item]), cell{},
			text("☐").as(editedText), text("").as(editedText), text("").as(editedText), text("").as(editedText),
			long(w.seg.Length), text(string(s.Polarity(w.seg))), cell{})
		if w.seg.Bundle > 0 {
			row[10] = text(string(bundles.appendID(nil, w.seg.Bundle)))
		}
		if w.seg.Product >= 0 && s.Products[w.seg.Product].Stock {
			row[17] = text(inStock)
		}
		g.add(row...)
	}
	g.filter = max(g.next()-1, 2)
	g.fitted = g.tightWidths()
	for column, width := range map[int]float64{listDone + 1: 8, listWhen: 16, listRemark: 20} {
		g.fitted[column] = width
	}
	g.choices = []choice{
		{column: listDone + 1, words: csvtable.MarkChoices, hint: csvtable.MarkWords},
		{column: listWhen + 1, prompt: "When the cable was laid, as 2026-03-01 10:15."},
	}
	return g
}

// tightWidths fits the columns to their longest cells, without room for the buttons of filters.
func (g *grid) tightWidths() []float64 {
	var out []float64
	for _, row := range g.rows {
		for i, c := range row {
			if i == len(out) {
				out = append(out, 5)
			}
			out[i] = max(out[i], float64(c.width())+1.2)
		}
	}
	return out
}

// linkTo is the cell of a sheet, as links have it.
func linkTo(sheet string, column, row int) string {
	return quoted(sheet) + "!$" + ref(column, 1)[:len(ref(column, 1))-1] + "$" + strconv.Itoa(row)
}
