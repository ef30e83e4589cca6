package render

import (
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"sort"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/internal/sheetzip"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/render/chart"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/units"
)

// CompareWorkbook writes a comparison as a workbook. It refuses a comparison without machines.
func CompareWorkbook(ctx context.Context, w io.Writer, c *report.Comparison) (err error) {
	if len(c.Machines) == 0 {
		return errors.New("a comparison needs a machine at least")
	}
	f := excelize.NewFile()
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	ids, err := newStyles(f, c.Machines[0].Currency)
	if err != nil {
		return err
	}
	for _, g := range []*grid{
		compareSheet(c), rankingSheet(c), costSheet(c), breakEvenSheet(c), delaySheet(c), compareLengths(c),
	} {
		if g == nil {
			continue
		}
		if err := g.write(f, ids); err != nil {
			return err
		}
	}
	types := f.ContentTypes.Defaults
	sort.Slice(types, func(i, j int) bool { return types[i].Extension < types[j].Extension })
	if err := f.SetAppProps(&excelize.AppProperties{Application: "Plenum"}); err != nil {
		return err
	}
	err = f.SetDocProps(&excelize.DocProperties{
		Title: "Comparison of machines", Creator: "Plenum", LastModifiedBy: "Plenum",
		Description: madeBy(ctx), Created: documentDate, Modified: documentDate,
	})
	if err != nil {
		return err
	}
	return (&sheetzip.Archive{}).Write(w, f)
}

// machineHeads are heads of columns: the given ones, then the machines.
func machineHeads(c *report.Comparison, first ...string) []cell {
	for i := range c.Machines {
		first = append(first, c.Machines[i].Machine)
	}
	return heads(first...)
}

// compareSheet is the figures, a column for each machine.
func compareSheet(c *report.Comparison) *grid {
	g := &grid{name: "Comparison", frozen: 1}
	first := machineHeads(c, "Figure", "Unit")
	if c.Baseline > 0 {
		for i := range c.Machines {
			if i != c.Baseline-1 {
				name := c.Machines[i].Machine
				first = append(first, heads(name+", more than the baseline", name+", share of it")...)
			}
		}
	}
	g.add(first...)
	for _, r := range CompareRows(c) {
		if r.Values == nil {
			g.add()
			g.add(text(r.Figure).as(strong))
			continue
		}
		row := []cell{text(r.Figure), text(r.Unit)}
		for _, v := range r.Values {
			row = append(row, valueCell(v))
		}
		g.add(append(row, againstCells(c, &r, g.next())...)...)
	}
	g.add()
	terms := []string{c.TermWords(), "D counts " + c.Count.Words()}
	for _, line := range slices.Concat(terms, DifferenceWords(c), FastestWords(c), CompareNotes(c)) {
		g.add(text(line).as(note))
	}
	return g
}

func valueCell(v any) cell {
	switch v := inUnit(v).(type) {
	case string:
		return text(v)
	case int64:
		return whole(v)
	case units.Money:
		return cell{value: v.Float(), style: metres} // hundredths; the currency has a row
	case float64:
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			return cell{value: math.Round(v*1e6) / 1e6, style: metres}
		}
	}
	return cell{}
}

// costSheet is the cost by kind, with a chart.
func costSheet(c *report.Comparison) *grid {
	g := &grid{name: "Cost", frozen: 1}
	names := []string{"Machine"}
	kinds := chart.AllCostKinds()
	for _, k := range kinds {
		names = append(names, k.Name)
	}
	g.add(heads(append(names, "Total", "Currency", "Nodes", "Per node")...)...)
	n := len(kinds)
	for i := range c.Machines {
		m := &c.Machines[i]
		row, at := []cell{text(m.Machine)}, g.next()
		for _, k := range kinds {
			row = append(row, cell{value: k.Of(&m.Cost).Float(), style: metres})
		}
		total := cell{value: m.Cost.Total.Float(), style: metres}.by("SUM(" + ref(2, at) + ":" + ref(n+1, at) + ")")
		row = append(row, total, text(m.Currency), whole(int64(m.Nodes)))
		if m.Nodes > 0 {
			row = append(row, cell{
				value: m.PerNode(m.Cost.Total).Float(),
				style: metres,
			}.by(ref(n+2, at)+"/"+ref(n+4, at)))
		}
		g.add(row...)
	}
	last := g.next() - 1
	stacked, gap, vary := 100, uint(40), false
	g.chart = &excelize.Chart{
		Type:      excelize.BarStacked,
		Title:     excelize.ChartTitle{Paragraph: []excelize.RichTextRun{{Text: "Cost by kind of part"}}},
		Legend:    excelize.ChartLegend{Position: "bottom"},
		Dimension: excelize.ChartDimension{Width: 900, Height: uint(220 + 40*len(c.Machines))},
		Overlap:   &stacked, GapWidth: &gap, VaryColors: &vary,
		XAxis: excelize.ChartAxis{ReverseOrder: true},
	}
	for k := range kinds {
		g.chart.Series = append(g.chart.Series, excelize.ChartSeries{
			Name:       g.name + "!" + fixed(k+2, 1),
			Categories: g.name + "!" + span(1, 2, last),
			Values:     g.name + "!" + span(k+2, 2, last),
			Fill:       excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{palette.Hex(kinds[k].Colour)}},
		})
	}
	g.chartAt = ref(2, last+3)
	return g
}

func breakEvenSheet(c *report.Comparison) *grid {
	g := &grid{name: "Break-even", frozen: 1}
	g.add(heads("Machine", "Machine", "Mean D equal at alpha/beta (m)", "Maximal D equal at (m)",
		"Fewer hops, least mean D above")...)
	for _, k := range c.Crossings() {
		fewer := k.A
		if k.MoreHops == k.A {
			fewer = k.B
		}
		row := []cell{
			text(c.Machines[k.A].Machine), text(c.Machines[k.B].Machine), valueCell(float64(k.Mean.Ratio)),
			valueCell(float64(k.Max.Ratio)),
			{},
		}
		if k.Mean.Crosses {
			row[4] = text(c.Machines[fewer].Machine)
		}
		g.add(row...)
	}
	g.add()
	g.add(text("D = alpha x hops + beta x distance. An empty field: one machine has neither more hops nor a " +
		"longer way.").as(note))
	return g
}

// delaySheet is the distributions of delay, two columns for each machine.
func delaySheet(c *report.Comparison) *grid {
	g := &grid{name: "Delays", frozen: 1}
	var names []string
	most := 0
	for i := range c.Machines {
		d := c.Machines[i].Delay
		names = append(names, c.Machines[i].Machine+": from (ns)"+leastOf(d.AtLeast()), "pairs")
		if d != nil {
			most = max(most, len(d.Histogram.Pairs))
		}
	}
	g.add(heads(names...)...)
	for k := range most {
		var row []cell
		for i := range c.Machines {
			d := c.Machines[i].Delay
			if d == nil || k >= len(d.Histogram.Pairs) {
				row = append(row, cell{}, cell{})
				continue
			}
			row = append(row, valueCell(units.Time(k)*d.Histogram.BinNs), whole(d.Histogram.Pairs[k]))
		}
		g.add(row...)
	}
	return g
}

// compareLengths is the histograms of length by machine and medium.
func compareLengths(c *report.Comparison) *grid {
	g := &grid{name: "Lengths", frozen: 1}
	g.add(heads("Machine", "Medium", "From (m)", "To (m)", "Cables")...)
	for i := range c.Machines {
		for _, l := range c.Machines[i].Lengths {
			for k, n := range l.Bins {
				if n > 0 {
					g.add(text(c.Machines[i].Machine), text(string(l.Medium)), valueCell(units.Length(k)*l.BinMetres),
						valueCell(units.Length(k+1)*l.BinMetres), whole(n))
				}
			}
		}
	}
	return g
}
