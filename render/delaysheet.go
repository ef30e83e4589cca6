package render

import (
	"fmt"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/units"
)

// delay is what paths between nodes take: a row for each network and for each routing function, and how many pairs have
// which delay.
func (b *book) delay() *grid {
	g := &grid{name: delaysSheet, frozen: 1, filterTop: 1, screen: true}
	least := leastOf(len(b.report.HopUnstated) > 0)
	g.add(heads("Network", "Paths", "Mean hops", "Most hops", "Mean path (m)", "Longest path (m)",
		"Mean delay (ns)"+least, "50 % within (ns)", "90 % within (ns)", "99 % within (ns)",
		"Greatest delay (ns)"+least, "From nodes")...)
	type network struct {
		name string
		d    *report.Delay
	}
	var all []network
	if b.report.Delay != nil {
		all = append(all, network{machineName(b.r), b.report.Delay})
	}
	for i := range b.report.Fabrics {
		if f := &b.report.Fabrics[i]; f.Delay != nil {
			all = append(all, network{f.Name, f.Delay})
		}
	}
	for _, n := range all {
		d := n.d
		g.add(text(n.name), text("fewest hops"), cell{value: d.HopsMean, style: metres}, whole(int64(d.HopsMax)),
			long(d.PathMean), long(d.PathMax), nanoseconds(d.NsMean), nanoseconds(d.NsP50), nanoseconds(d.NsP90),
			nanoseconds(d.NsP99), nanoseconds(d.NsMax), from(d.Exact, d.Sources))
		g.add(text(n.name), text("fastest"), cell{}, cell{}, cell{}, cell{}, nanoseconds(d.NsFastestMean), cell{},
			cell{}, cell{}, nanoseconds(d.NsFastestMax), from(d.Exact, d.Sources))
		for i := range d.Routed {
			r := &d.Routed[i]
			g.add(text(n.name), text("routing: "+r.Routing), cell{value: r.HopsMean, style: metres},
				whole(int64(r.HopsMax)), long(r.PathMean), long(r.PathMax), nanoseconds(r.Mean), cell{}, cell{}, cell{},
				nanoseconds(r.Max), from(r.Exact, r.Sources))
		}
	}
	if len(all) == 0 {
		g.add(text("No delays were measured: the plan is a summary, or its nodes have no paths.").as(note))
		g.filterTop = 0
		return g
	}
	g.filter = g.next() - 1
	g.add()
	g.add(text("Over all ordered pairs of different nodes, or over those from as many drawn ones as the last column " +
		"says: the greatest are lower bounds then.").as(note))
	for _, u := range b.report.HopUnstated {
		g.add(text(fmt.Sprintf("The delay through %s is not stated: delays are lower bounds.", u.Part)).as(note))
	}
	g.add()
	for i, n := range all {
		first := g.next()
		b.delayPairs(g, n.name, n.d)
		if i == 0 && g.next() > first+2 {
			g.chart, g.chartAt = delayChart(n.name, first, g.next()-1), ref(5, first)
		}
		g.add()
	}
	return g
}

// from says from how many nodes paths were followed.
func from(exact bool, sources int) cell {
	if exact {
		return text("all")
	}
	return whole(int64(sources))
}

func nanoseconds(t units.Time) cell { return number(t) }

// delayPairs lists how many pairs of a network have which delay.
func (b *book) delayPairs(g *grid, name string, d *report.Delay) {
	pairs := d.Histogram.Pairs
	if len(pairs) == 0 {
		return
	}
	g.add(heads("Pairs of "+name, "From (ns)", "To (ns)", "Pairs")...)
	for i, n := range pairs {
		if n > 0 || i > 0 && pairs[i-1] > 0 {
			g.add(text(""), nanoseconds(units.Time(i)*d.Histogram.BinNs),
				nanoseconds(units.Time(i+1)*d.Histogram.BinNs), whole(n))
		}
	}
}

// delayChart draws the pairs in rows of the sheet, behind their head.
func delayChart(name string, head, last int) *excelize.Chart {
	gap, vary := uint(10), false
	axis := func(title string) excelize.ChartAxis {
		return excelize.ChartAxis{
			Title: excelize.ChartTitle{Paragraph: []excelize.RichTextRun{{Text: title}}},
			Font:  excelize.Font{Color: "404040"},
		}
	}
	c := &excelize.Chart{
		Type:  excelize.Col,
		Title: excelize.ChartTitle{Paragraph: []excelize.RichTextRun{{Text: "Pairs by delay: " + name}}},
		XAxis: axis("delay, from (ns)"), YAxis: axis("pairs of nodes"),
		Legend: excelize.ChartLegend{Position: "none"}, GapWidth: &gap, VaryColors: &vary,
		Dimension: excelize.ChartDimension{Width: 800, Height: 360},
		Series: []excelize.ChartSeries{{
			Name: delaysSheet + "!" + fixed(4, head), Categories: delaysSheet + "!" + span(2, head+1, last),
			Values: delaysSheet + "!" + span(4, head+1, last),
		}},
	}
	c.YAxis.MajorGridLines = true
	return c
}
