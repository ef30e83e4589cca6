package render

import (
	"fmt"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/units"
)

// mostSwings is how many prices the tornado shows.
const mostSwings = 20

// cost is what the capital is made of and may come to, what a unit costs, what
// the power costs, and which prices matter.
func (b *book) cost() *grid {
	g := &grid{name: pricesSheet, frozen: 1, screen: true}
	r := b.report
	g.add(heads("Capital", "Cost", "P10", "P50", "P90")...)
	total := amount(r.Cost.Total).as(strongMoney).by(bomSheet + "!" + ref(bomCost, b.bomTotal))
	line := []cell{text("Total of the bill").as(strong), total}
	if u := r.Uncertainty; u != nil {
		line = append(line, quantiles(u.Capital)...)
	}
	g.add(line...)
	at := g.next() - 1
	for _, s := range r.Cost.Omitted().Sentences() {
		g.add(text(s).as(note))
	}
	g.add()
	b.perUnit(g, at)
	if o := r.Operation; o != nil {
		b.operation(g, o, at)
	}
	if u := r.Uncertainty; u != nil {
		b.tornado(g, u)
	} else {
		g.add(text("No price of this bill is a range: nothing is drawn.").as(note))
	}
	return g
}

func quantiles(q cost.Quantiles) []cell {
	return []cell{amount(q.P10), amount(q.P50), amount(q.P90)}
}

// perUnit divides the total, which stands in row at.
func (b *book) perUnit(g *grid, at int) {
	p := b.report.CostPer
	if p == nil {
		return
	}
	g.add(heads("Total per", "Cost", "Number")...)
	for _, u := range []struct {
		what string
		cost *units.Money
		n    float64
	}{
		{"Node", p.Node, float64(b.report.Nodes)},
		{"Port in use", p.Port, float64(b.report.Ports.Used)},
		{"Gb/s of injection", p.Injection, float64(p.InjectionRate)},
		{"Gb/s of bisection, by " + bisected(p.BisectionMethod), p.Bisection, float64(p.BisectionRate)},
	} {
		if u.cost != nil && u.n > 0 {
			g.add(text(u.what), amount(*u.cost).by(fmt.Sprintf("ROUND(%s/%s,2)", fixed(2, at), ref(3, g.next()))),
				number(u.n))
		}
	}
	g.add()
}

// bisected says how a bisection is known.
func bisected(method string) string {
	if method == "formula" {
		return "the formula of the family"
	}
	return "the best partition found"
}

// operation prices the power; its rows are formulas over the tariff.
func (b *book) operation(g *grid, o *cost.Operation, capital int) {
	g.add(heads("Operation", "Value", "")...)
	first := g.next()
	g.add(text("Price of a kWh"), cell{value: float64(o.Tariff), style: metres}, text(b.report.Currency))
	g.add(text("PUE"), cell{value: o.PUE, style: metres})
	g.add(text("Years"), number(o.Years))
	g.add(text("Ports of switches in use"), whole(o.UsedPorts))
	g.add()
	g.add(heads("Power of", "Cost", "Power (W)", "P10", "P50", "P90")...)
	lines := g.next()
	factor := fmt.Sprintf("%s*%s*%s*%v/1000", fixed(2, first), fixed(2, first+1), fixed(2, first+2), cost.HoursPerYear)
	add := func(what string, l cost.OperationLine) {
		g.add(text(what), amount(l.Cost).by(fmt.Sprintf("ROUND(%s*%s,2)", ref(3, g.next()), factor)),
			number(l.Power).as(metres))
	}
	add("Switches", o.Switches)
	add("Optics", o.Optics)
	add("Cables, both ends", o.Cables)
	if o.Enclosures.Power > 0 {
		add("Midplanes, chassis and frames", o.Enclosures)
	}
	sum := []cell{
		text("Operation of the network").as(strong),
		amount(o.Total).as(strongMoney).by(fmt.Sprintf("SUM(%s)", span(2, lines, g.next()-1))),
		number(o.Switches.Power + o.Optics.Power +
			o.Cables.Power + o.Enclosures.Power).as(metres).by(fmt.Sprintf("SUM(%s)", span(3, lines, g.next()-1))),
	}
	both := []cell{text("Capital and operation").as(strong), amount(b.report.Cost.Total +
		o.Total).as(strongMoney).by(fmt.Sprintf("%s+%s", fixed(2, capital), fixed(2, g.next()))), {}}
	if u := b.report.Uncertainty; u != nil && u.Operation != nil {
		sum = append(sum, quantiles(*u.Operation)...)
		both = append(both, quantiles(*u.Total)...)
	}
	g.add(sum...)
	g.add(both...)
	add("Nodes with their adapters, not in the total", o.Nodes)
	if o.SupplyLosses.Power > 0 {
		add("Losses of power supplies, not in the total", o.SupplyLosses)
	}
	if n := b.report.PowerNote(); n.Short() != "" {
		g.add(text("Power is " + n.Short() + ".").as(note))
	}
	g.add()
}

// tornado lists the prices that matter most, and draws what they do.
func (b *book) tornado(g *grid, u *cost.Uncertainty) {
	g.add(heads("Price at its least and most, all others as likely", "Total with the least", "Total with the most",
		"Less", "More")...)
	first := g.next()
	likely := b.report.Cost.Total
	shown := u.Tornado[:min(mostSwings, len(u.Tornado))]
	for _, s := range shown {
		g.add(text(s.Part), amount(s.Low), amount(s.High), amount(s.Low-likely), amount(s.High-likely))
	}
	last := g.next() - 1
	g.add()
	g.add(text(fmt.Sprintf("P10, P50 and P90: %s draws with seed %d, each price from a triangle over its least, "+
		"likely and most; one draw for a part and all its lengths, one for all wages.", grouped(int64(u.Draws)),
		u.Seed)).as(note))
	if len(u.Tornado) > len(shown) {
		g.add(text(fmt.Sprintf("%s more prices matter less.", grouped(int64(len(u.Tornado)-len(shown))))).as(note))
	}
	overlap, gap := 100, uint(30)
	g.chart = &excelize.Chart{
		// Stacked, as LibreOffice turns the legend of plain bars around where their axis is.
		Type: excelize.BarStacked,
		Title: excelize.ChartTitle{Paragraph: []excelize.RichTextRun{{Text: "What prices do to the total, " +
			b.report.Currency}}},
		Overlap: &overlap, GapWidth: &gap,
		XAxis: excelize.ChartAxis{
			ReverseOrder: true, TickLabelPosition: excelize.ChartTickLabelLow,
			Font: excelize.Font{Color: "404040"},
		},
		YAxis: excelize.ChartAxis{
			MajorGridLines: true, NumFmt: excelize.ChartNumFmt{CustomNumFmt: "#,##0"},
			Font: excelize.Font{Color: "404040"},
		},
		Legend:    excelize.ChartLegend{Position: "bottom"},
		Dimension: excelize.ChartDimension{Width: 760, Height: uint(120 + 28*len(shown))},
	}
	for _, c := range []int{4, 5} {
		g.chart.Series = append(g.chart.Series, excelize.ChartSeries{
			Name: pricesSheet + "!" + fixed(c, first-1), Categories: pricesSheet + "!" + span(1, first, last),
			Values: pricesSheet + "!" + span(c, first, last),
		})
	}
	g.chartAt = ref(8, 2)
}
