package chart

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/units"
)

// machineLegend names all machines that draw says are drawn.
func machineLegend(c *report.Comparison, drawn func(m *report.Compared) bool,
	note func(m *report.Compared) string,
) []pen.Item {
	var out []pen.Item
	for i := range c.Machines {
		if m := &c.Machines[i]; drawn(m) {
			out = append(out, pen.Item{Text: Numbered(i, m.Machine) + note(m), Swatch: stroke(i)})
		}
	}
	return out
}

func measuredPaths(m *report.Compared) bool { return m.Delay != nil }

func sampledNote(m *report.Compared) string {
	if m.Delay != nil && !m.Delay.Exact {
		return fmt.Sprintf(" (%s sources drawn)", english.Grouped(int64(m.Delay.Sources)))
	}
	return ""
}

// delaysNote is sampledNote with that delays are lower bounds, where they are.
func delaysNote(m *report.Compared) string {
	if m.Delay.AtLeast() {
		return sampledNote(m) + " (at least: some parts state no hop delay)"
	}
	return sampledNote(m)
}

// Delays draws which share of the pairs of nodes is reached in which
// time.
func Delays(c *report.Comparison) (*Drawing, error) {
	lo, hi := math.Inf(1), 0.0
	curves := make([][][2]float64, len(c.Machines))
	for i := range c.Machines {
		if !measuredPaths(&c.Machines[i]) {
			continue
		}
		h := c.Machines[i].Delay.Histogram
		var all, sum int64
		for _, n := range h.Pairs {
			all += n
		}
		for k, n := range h.Pairs {
			if n == 0 {
				continue
			}
			from := float64(max(units.Time(k)*h.BinNs, h.BinNs/4))
			curves[i] = append(curves[i], [2]float64{from, 100 * float64(sum) / float64(all)})
			if sum += n; 1000*sum >= all && 1000*(sum-n) < all { // the first thousandth
				lo = min(lo, from)
			}
			to := float64(units.Time(k+1) * h.BinNs)
			hi = max(hi, to)
			curves[i] = append(curves[i], [2]float64{to, 100 * float64(sum) / float64(all)})
		}
	}
	d, area, err := begin("Delay between nodes", "share of the ordered pairs of nodes that the fastest path with "+
		"the fewest hops joins within a time; each machine's own hop and propagation delays",
		720, machineLegend(c, measuredPaths, delaysNote))
	if err != nil {
		return nil, err
	}
	if hi == 0 {
		d.empty(area, "no delays between nodes were measured")
		return d, nil
	}
	x := axis{label: "delay (ns)", lo: lo, hi: hi, log: logarithmic(lo, hi)}
	x.widen()
	p := d.panel(area, x, axis{label: "pairs within (%)", lo: 0, hi: 100})
	for i, points := range curves {
		if len(points) > 0 {
			p.curve(i, append(points, [2]float64{x.hi, 100}))
		}
	}
	p.draw()
	return d, nil
}

// CostDelay draws what a node's share of the machine costs against the
// mean delay.
func CostDelay(c *report.Comparison) (*Drawing, error) {
	drawn := func(m *report.Compared) bool {
		return measuredPaths(m) && m.Delay.NsMean > 0 && !m.Delay.AtLeast() && m.Currency == c.Machines[0].Currency
	}
	x := axis{label: "mean delay between nodes (ns)", lo: math.Inf(1), hi: math.Inf(-1)}
	y := axis{label: "cost per node (" + c.Machines[0].Currency + ")", lo: math.Inf(1), hi: math.Inf(-1)}
	for i := range c.Machines {
		if m := &c.Machines[i]; drawn(m) {
			cost := m.PerNode(m.Cost.Total).Float()
			delay := float64(m.Delay.NsMean)
			x.lo, x.hi = min(x.lo, delay), max(x.hi, delay)
			y.lo, y.hi = min(y.lo, cost), max(y.hi, cost)
		}
	}
	note := "each machine's own delays and prices; what has no price is not in the cost"
	if !c.OneCurrency() {
		note += "; machines of other currencies are left out"
	}
	d, area, err := begin("Cost against delay", note, 720, machineLegend(c, drawn, sampledNote))
	if err != nil {
		return nil, err
	}
	if !(x.hi >= x.lo) {
		d.empty(area, "no machine has both a cost and measured delays")
		return d, nil
	}
	x.log, y.log = logarithmic(x.lo, x.hi), logarithmic(y.lo, y.hi)
	x.widen()
	y.widen()
	p := d.panel(area, x, y)
	at := func(m *report.Compared) [2]float64 {
		return [2]float64{float64(m.Delay.NsMean), m.PerNode(m.Cost.Total).Float()}
	}
	for i := range c.Machines {
		if m := &c.Machines[i]; drawn(m) {
			p.dots(palette.Series(i), 8, 0, at(m))
			if palette.Round(i) > 0 {
				p.dots(palette.Ink, 10, 1.5, at(m))
			}
		}
	}
	p.draw()
	var points [][2]float64
	var words []string
	for i := range c.Machines {
		m := &c.Machines[i]
		if !drawn(m) {
			continue
		}
		q := at(m)
		points = append(points, p.at(q[0], q[1]))
		words = append(words, d.Fit(Numbered(i, m.Machine), markLetter, 320))
	}
	d.spread(points, words, nil, p.Box)
	return d, nil
}

// CostKind is a part of the cost as it is stacked.
type CostKind struct {
	// Name is what it is called, Colour its colour, and Of its part of a cost.
	Name   string
	Colour color.RGBA
	Of     func(*report.Cost) units.Money
}

var costKinds = []CostKind{
	{"switches", palette.Switches, func(r *report.Cost) units.Money { return r.Switches }},
	{"adapters", palette.Adapters, func(r *report.Cost) units.Money { return r.Adapters }},
	{"cables", palette.Cables, func(r *report.Cost) units.Money { return r.Cables }},
	{"optics", palette.Optics, func(r *report.Cost) units.Money { return r.Optics }},
	{"racks, chassis and trays", palette.Racks, func(r *report.Cost) units.Money { return r.Racks }},
	{"patch panels", palette.Panels, func(r *report.Cost) units.Money { return r.Panels }},
	{"midplanes", palette.Midplanes, func(r *report.Cost) units.Money { return r.Midplanes }},
	{"labour", palette.Labour, func(r *report.Cost) units.Money { return r.Labour }},
	{"nodes", palette.Nodes, func(r *report.Cost) units.Money {
		if r.Nodes == nil {
			return 0
		}
		return *r.Nodes
	}},
	{"other", palette.Other, otherCost},
}

// otherCost is what the kinds above leave of the total.
func otherCost(r *report.Cost) units.Money {
	rest := r.Total - r.Switches - r.Adapters - r.Cables - r.Optics - r.Racks - r.Panels - r.Midplanes - r.Labour
	if r.Nodes != nil {
		rest -= *r.Nodes
	}
	return max(rest, 0)
}

// AllCostKinds are all kinds, in the order in which they are stacked.
func AllCostKinds() []CostKind { return slices.Clone(costKinds) }

// CostKinds are those that any machine spends money on.
func CostKinds(c *report.Comparison) []CostKind {
	var out []CostKind
	for _, k := range costKinds {
		if slices.ContainsFunc(c.Machines, func(m report.Compared) bool { return k.Of(&m.Cost) > 0 }) {
			out = append(out, k)
		}
	}
	return out
}

// Cost draws the cost by kind, of the machines and of their nodes.
func Cost(c *report.Comparison) (*Drawing, error) {
	var legend []pen.Item
	for _, k := range CostKinds(c) {
		legend = append(legend, pen.Item{Text: k.Name, Swatch: pen.Filled(k.Colour)})
	}
	const row = 64
	note := "by kind of part; what has no price is not in it"
	if !c.OneCurrency() {
		note += "; bars of different currencies cannot be compared"
	}
	d, area, err := begin("Cost", note, float64(row*len(c.Machines))+120, legend)
	if err != nil {
		return nil, err
	}
	const names = 400
	half := (area.Width() - names) / 2
	left, right := area, area
	left.X1 = area.X0 + names + half
	right.X0 = left.X1 + 20
	d.bars(left, c, "whole machine", names, func(*report.Compared) float64 { return 1 })
	d.bars(right, c, "per node", 0, func(m *report.Compared) float64 { return 1 / float64(max(m.Nodes, 1)) })
	return d, nil
}

// bars draws the kinds of the cost of each machine, by a factor, as a bar with its total behind it. Machines are named
// in the width for names, if there is any.
func (d *Drawing) bars(area pen.Box, c *report.Comparison, label string, names float64,
	factor func(*report.Compared) float64,
) {
	const behind = 140 // where totals stand
	last := len(c.Machines) - 1
	totals := make([]float64, last+1)
	rows := make([]string, last+1)
	for i := range c.Machines {
		m := &c.Machines[i]
		totals[i] = m.Cost.Total.Float() * factor(m)
		if names > 0 { // from below, as axes count
			rows[last-i] = d.Fit(Numbered(i, m.Machine), legendLetter, names-20)
		}
	}
	area.X1 -= behind
	x := axis{label: label, hi: max(slices.Max(totals), 0.01) * 1.02}
	p := d.panel(area, x, axis{lo: -0.5, hi: float64(last) + 0.5, names: rows})
	var below *plotter.BarChart
	for _, k := range CostKinds(c) {
		values := make(plotter.Values, last+1)
		for i := range c.Machines {
			m := &c.Machines[i]
			values[last-i] = k.Of(&m.Cost).Float() * factor(m)
		}
		b := &plotter.BarChart{Values: values, Width: 44, Color: k.Colour, Horizontal: true}
		if below != nil {
			b.StackOn(below)
		}
		below = b
		p.Add(b)
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, x.hi, -0.5, float64(last)+0.5
	p.draw()
	for i, text := range apart(totals) {
		at := p.at(min(totals[i], x.hi), float64(last-i))
		d.Text(text+" "+c.Machines[i].Currency, tickLetter, at[0]+8, at[1], 0, palette.Ink)
	}
}

// Lengths draws how many cables of each medium need which length, a panel
// for each machine.
func Lengths(c *report.Comparison) (*Drawing, error) {
	var legend []pen.Item
	for _, m := range c.Media() {
		legend = append(legend, pen.Item{Text: string(m), Swatch: pen.Filled(palette.Medium(m))})
	}
	const high = 300
	rows := (len(c.Machines) + 1) / 2
	d, area, err := begin("Lengths of cables", "number of cables by the length that they need, slack included; a "+
		"logarithmic scale", float64(high*rows), legend)
	if err != nil {
		return nil, err
	}
	var longest units.Length
	for i := range c.Machines {
		longest = max(longest, c.Machines[i].Length.Max)
	}
	for i := range c.Machines {
		m := &c.Machines[i]
		x0 := area.X0 + float64(i%2)*(area.Width()/2+10)
		y0 := area.Y0 + float64(i/2*high)
		d.Text(d.Fit(Numbered(i, m.Machine), smallTitle, area.Width()/2-20), smallTitle, x0, y0+12, 0, palette.Ink)
		b := pen.Box{X0: x0, Y0: y0 + 30, X1: x0 + area.Width()/2 - 20, Y1: y0 + high - 10}
		if len(m.Lengths) == 0 {
			d.empty(b, "no cables")
			continue
		}
		d.lengths(b, m, longest)
	}
	return d, nil
}

// lengths draws the histograms of one machine. All machines share the scale
// of lengths unless this one's would be too short to be seen.
func (d *Drawing) lengths(b pen.Box, m *report.Compared, longest units.Length) {
	x := axis{label: "length (m)", hi: float64(longest)}
	if m.Length.Max < longest/8 {
		x.hi, x.label = float64(m.Length.Max), "length (m); a scale of its own"
	}
	if x.hi == 0 {
		x.hi = 1
	}
	x.hi *= 1.02
	y := axis{label: "cables", lo: 0.7, hi: 10, log: true}
	for _, l := range m.Lengths {
		for _, n := range l.Bins {
			y.hi = max(y.hi, 1.5*float64(n))
		}
	}
	p := d.panel(b, x, y)
	p.Add(histogram(m.Lengths))
	p.draw()
}

// histogram is the lengths of cables of each medium. Bars stand on the lower end of the axis, which is no number that
// can be counted, and are wide enough to be seen.
type histogram []report.Lengths

// Plot draws the bars.
func (h histogram) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	for _, l := range h {
		c.SetColor(palette.Medium(l.Medium))
		for k, n := range l.Bins {
			if n == 0 {
				continue
			}
			from, to := toX(float64(units.Length(k)*l.BinMetres)), toX(float64(units.Length(k+1)*l.BinMetres))
			bar := vg.Rectangle{
				Min: vg.Point{X: from, Y: c.Min.Y}, Max: vg.Point{X: min(max(to, from+2), c.Max.X), Y: toY(float64(n))},
			}
			c.Canvas.Fill(bar.Path())
		}
	}
}

// BreakEven draws, over alpha/beta, the mean D of every machine by that of
// the fastest, with the points where another becomes the fastest.
func BreakEven(c *report.Comparison) (*Drawing, error) {
	drawn := func(m *report.Compared) bool { return m.Reach != nil && m.Nodes > 1 }
	d, area, err := begin("Break-even of hops and metres",
		"mean D = alpha × hops + beta × distance, by that of the fastest machine, over alpha/beta: the metres that a "+
			"hop is worth; circles are where another becomes the fastest", 760, machineLegend(c, drawn, sampledNote))
	if err != nil {
		return nil, err
	}
	lo, hi := 0.1, 1000.0
	fastest := c.Fastest()
	for _, r := range fastest[min(1, len(fastest)):] {
		if r.From > 0 {
			lo, hi = min(lo, float64(r.From)/3), max(hi, float64(r.From)*3)
		}
	}
	const steps = 400
	curves := make([][][2]float64, len(c.Machines))
	y := axis{label: "D by that of the fastest", lo: 1, hi: 1}
	for k := range steps + 1 {
		ratio, least := lo*math.Pow(hi/lo, float64(k)/steps), math.Inf(1)
		for i := range c.Machines {
			if m := &c.Machines[i]; drawn(m) {
				least = min(least, meanD(m, ratio))
			}
		}
		for i := range c.Machines {
			if m := &c.Machines[i]; drawn(m) && least > 0 && !math.IsInf(least, 1) {
				v := meanD(m, ratio) / least
				y.hi = max(y.hi, v)
				curves[i] = append(curves[i], [2]float64{ratio, v})
			}
		}
	}
	if !slices.ContainsFunc(curves, func(points [][2]float64) bool { return len(points) > 0 }) {
		d.empty(area, "no delays between nodes were measured")
		return d, nil
	}
	y.log = y.hi > 4
	y.widen()
	y.lo = 1 - 0.03*min(y.hi-1, 1)
	p := d.panel(area, axis{label: "alpha / beta (m)", lo: lo, hi: hi, log: true}, y)
	for i, points := range curves {
		p.curve(i, points)
	}
	p.draw()
	d.turns(p, fastest)
	return d, nil
}

// turns marks where another machine becomes the fastest.
func (d *Drawing) turns(p *panel, fastest []delay.Fastest) {
	for k, r := range fastest {
		if k == 0 || r.From <= 0 {
			continue
		}
		foot := p.at(float64(r.From), 1)
		x, at := foot[0], p.Y0+24+float64((k-1)%4*28)
		d.Line(x, at, x, foot[1], 1, palette.Ink)
		d.Ring(x, foot[1], 7, 2, palette.Ink)
		word := fmt.Sprintf("%d below %s m, %d above", fastest[k-1].Machine+1, Short(float64(r.From)), r.Machine+1)
		half := d.Width(word, markLetter)/2 + 8
		mid := min(max(x, p.X0+half+4), p.X1-half-4)
		b := pen.Box{X0: mid - half, Y0: at - 12, X1: mid + half, Y1: at + 12}
		d.Fill(b, palette.Ground)
		d.Frame(b, 1, palette.Outline)
		d.Text(word, markLetter, mid, at, 0.5, palette.Ink)
	}
}

// meanD is D/beta in metres.
func meanD(m *report.Compared, ratio float64) float64 {
	return float64(ratio*m.Reach.HopsMean) + float64(m.Reach.PathMean)
}
