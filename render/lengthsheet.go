package render

import (
	"cmp"
	"math"
	"slices"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/units"
)

// mostBins is about the largest number of bins in the histogram of lengths; bins are whole metres wide, at least one.
const mostBins = 200

// lengths returns the sheet with a histogram of the required lengths by medium, its chart, and the ordered lengths of
// every product. A summary has no histogram.
func (b *book) lengths() *grid {
	g := &grid{name: lengthsSheet, frozen: 1, screen: true}
	if b.r.Schedule.Segments == nil {
		g.add(heads("Lengths")...)
		g.add(text("This plan is a summary: it has no list of cables whose lengths could be counted.").as(note))
	} else {
		b.histogram(g)
	}
	g.add()
	b.bought(g)
	return g
}

// histogram adds a row for each bin with the number of cables by required length, a column for each medium in use.
func (b *book) histogram(g *grid) {
	s := b.r.Schedule
	longest := b.report.Length.Max
	bin := units.Length(max(1, math.Ceil(float64(longest)/mostBins)))
	bins := max(1, int(math.Floor(float64(longest/bin)))+1)
	media := append(slices.Clone(catalog.Media), "")
	counts := make([][]int64, len(media))
	for i := range counts {
		counts[i] = make([]int64, bins)
	}
	products := make([]int, len(s.Products))
	for i := range s.Products {
		products[i] = slices.Index(media, s.Products[i].Part.Cable.Medium)
	}
	legs := s.Legs()
	s.Each(func(_ int64, seg *cabling.Segment) bool {
		if legs.Next(seg) > 1 {
			return true
		}
		medium := len(media) - 1
		if seg.Product >= 0 {
			medium = products[seg.Product]
		}
		counts[medium][min(int(seg.Length/bin), bins-1)]++
		return true
	})
	names := []string{"From (m)", "To (m)"}
	var used [][]int64
	b.lengthMedia = nil
	for i, c := range counts {
		if slices.ContainsFunc(c, func(n int64) bool { return n > 0 }) {
			names = append(names, cmp.Or(string(media[i]), "no product"))
			used, b.lengthMedia = append(used, c), append(b.lengthMedia, media[i])
		}
	}
	g.add(heads(append(names, "All")...)...)
	sums := make([]int64, len(used)+1)
	for i := range bins {
		row := []cell{long(units.Length(i) * bin), long(units.Length(i+1) * bin)}
		all := int64(0)
		for m := range used {
			row = append(row, whole(used[m][i]))
			all += used[m][i]
			sums[m] += used[m][i]
		}
		sums[len(used)] += all
		n := g.next()
		total := whole(all)
		if len(used) > 0 {
			total = total.by("SUM(" + ref(3, n) + ":" + ref(len(used)+2, n) + ")")
		}
		g.add(append(row, total)...)
	}
	last := g.next() - 1
	g.filterTop, g.filter = 1, last
	row := totals("All", "")
	for c, n := range sums {
		row = append(row, whole(n).as(strongCount).by("SUM("+span(c+3, 2, last)+")"))
	}
	g.add(row...)
	if len(used) > 0 {
		b.lengthLast = last
		g.chart, g.chartAt = b.lengthChart(), ref(max(len(used)+5, 7), 2)
	}
}

// lengthChart returns the chart of the histogram, media in the colours of all drawings.
func (b *book) lengthChart() *excelize.Chart {
	stacked, gap, vary := 100, uint(20), false
	axis := func(title string) excelize.ChartAxis {
		return excelize.ChartAxis{
			Title: excelize.ChartTitle{Paragraph: []excelize.RichTextRun{{Text: title}}},
			Font:  excelize.Font{Color: "404040"},
		}
	}
	c := &excelize.Chart{
		Type:      excelize.ColStacked,
		Title:     excelize.ChartTitle{Paragraph: []excelize.RichTextRun{{Text: "Cables by needed length"}}},
		XAxis:     axis("needed length, from (m)"),
		YAxis:     axis("cables"),
		Legend:    excelize.ChartLegend{Position: "bottom"},
		Dimension: excelize.ChartDimension{Width: 900, Height: 420},
		Overlap:   &stacked, GapWidth: &gap, VaryColors: &vary,
	}
	c.YAxis.MajorGridLines = true
	for m, medium := range b.lengthMedia {
		colour := palette.Hex(palette.Medium(medium))
		c.Series = append(c.Series, excelize.ChartSeries{
			Name:       lengthsSheet + "!" + fixed(m+3, 1),
			Categories: lengthsSheet + "!" + span(1, 2, b.lengthLast),
			Values:     lengthsSheet + "!" + span(m+3, 2, b.lengthLast),
			Fill:       excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{colour}},
		})
	}
	return c
}

// bought adds a table of the ordered length of every product.
func (b *book) bought(g *grid) {
	g.add(heads("Product", "Medium", "Piece (m)", "Quantity", "Metres bought")...)
	first := g.next()
	qty, total := int64(0), units.Length(0)
	for _, m := range b.report.Media {
		n := g.next()
		length := units.Length(m.Length * units.Length(m.Qty))
		g.add(text(m.Product), text(string(m.Medium)), long(m.Length), whole(m.Qty),
			long(length).by(ref(3, n)+"*"+ref(4, n)))
		qty += m.Qty
		total += length
	}
	last := max(g.next()-1, first)
	if g.next() == first {
		g.add()
	}
	row := totals("Total", "", "")
	g.add(append(row, whole(qty).as(strongCount).by("SUM("+span(4, first, last)+")"),
		long(total).as(strongMetres).by("SUM("+span(5, first, last)+")"))...)
}
