package render

import (
	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/render/palette"
)

// The charts of the summary stand to the right of its first blocks, one above the other, each so many rows high.
const (
	chartColumn = 5
	chartRow    = 5
	chartRows   = 16
	rowPixels   = 17 // the least that spreadsheets give a row with letters of 11 points
)

// summaryCharts draws what kinds of parts cost and how long cables are, over the cells that say so. What is added to
// the sheet next stands below them.
func (b *book) summaryCharts(g *grid) {
	row := chartRow
	place := func(c *excelize.Chart) {
		c.Dimension = excelize.ChartDimension{Width: 640, Height: (chartRows - 1) * rowPixels}
		g.beside = append(g.beside, drawn{ref(chartColumn, row), c})
		row += chartRows
	}
	if b.kindsLast >= b.kindsFirst && b.report.Cost.Total > 0 {
		place(costChart(b.kindsFirst, b.kindsLast, b.report.Currency))
	}
	if len(b.lengthMedia) > 0 {
		place(b.lengthChart())
	}
	for len(g.beside) > 0 && g.next() < row {
		g.add()
	}
}

// costChart draws what kinds of parts cost, from rows of the summary.
func costChart(first, last int, currency string) *excelize.Chart {
	gap, vary := uint(30), false
	return &excelize.Chart{
		Type: excelize.Bar,
		Title: excelize.ChartTitle{Paragraph: []excelize.RichTextRun{{
			Text: "Cost by kind, " + currency,
		}}},
		XAxis: excelize.ChartAxis{ReverseOrder: true, Font: excelize.Font{Color: "404040"}},
		YAxis: excelize.ChartAxis{
			MajorGridLines: true, NumFmt: excelize.ChartNumFmt{CustomNumFmt: "#,##0"},
			TickLabelPosition: excelize.ChartTickLabelHigh, // below, as the kinds stand from the top down
			Font:              excelize.Font{Color: "404040"},
		},
		Legend: excelize.ChartLegend{Position: "none"}, GapWidth: &gap, VaryColors: &vary,
		Series: []excelize.ChartSeries{{
			Name:       quoted(summarySheet) + "!" + fixed(1, first-1),
			Categories: quoted(summarySheet) + "!" + span(1, first, last),
			Values:     quoted(summarySheet) + "!" + span(2, first, last),
			Fill:       excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{palette.Hex(palette.Series(0))}},
		}},
	}
}

// narrow keeps the columns of the summary behind the first one narrow, for the charts to stand beside its figures; what
// is said in them runs on.
func (g *grid) narrow() {
	const third, others = 30, 20
	g.fitted = g.widths()
	for i := range g.fitted {
		switch {
		case i == 2:
			g.fitted[i] = min(g.fitted[i], third)
		case i > 2:
			g.fitted[i] = min(g.fitted[i], others)
		}
	}
}
