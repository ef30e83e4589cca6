package render

import (
	"context"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/units"
)

// A compareWriter draws or writes one file of a comparison.
type compareWriter func(ctx context.Context, w io.Writer, c *report.Comparison) error

// encode writes a chart.
func encode(w io.Writer, c *canvas, err error) error {
	if err != nil {
		return err
	}
	img, err := raster(c.letters, c.scene)
	if err != nil {
		return err
	}
	return png.Encode(w, img)
}

// machineLegend names all machines that draw says are drawn.
func machineLegend(c *report.Comparison, drawn func(m *report.Compared) bool,
	note func(m *report.Compared) string,
) []legendItem {
	var out []legendItem
	for i := range c.Machines {
		if m := &c.Machines[i]; drawn(m) {
			out = append(out, legendItem{numbered(i, m.Machine) + note(m), stroke(i)})
		}
	}
	return out
}

func measuredPaths(m *report.Compared) bool { return m.Delay != nil }

func sampledNote(m *report.Compared) string {
	if m.Delay != nil && !m.Delay.Exact {
		return fmt.Sprintf(" (%s sources drawn)", grouped(int64(m.Delay.Sources)))
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

// CompareDelays draws which share of the pairs of nodes is reached in which
// time.
func CompareDelays(_ context.Context, w io.Writer, c *report.Comparison) error {
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
	can, area, err := picture("Delay between nodes", "share of the ordered pairs of nodes that the fastest path with "+
		"the fewest hops joins within a time; each machine's own hop and propagation delays",
		720, machineLegend(c, measuredPaths, delaysNote))
	if err != nil {
		return err
	}
	area = box{area.X0 + 90, area.Y0, area.X1 - 10, area.Y1 - 70}
	if hi == 0 {
		can.empty(area, "no delays between nodes were measured")
		return encode(w, can, nil)
	}
	x := axis{label: "delay (ns)", lo: lo, hi: hi, log: logarithmic(lo, hi)}
	x.widen()
	p := newPanel(area, x, axis{label: "pairs within (%)", lo: 0, hi: 100})
	p.grid(can)
	for i, points := range curves {
		if len(points) > 0 {
			p.curve(can, i, append(points, [2]float64{x.hi, 100}))
		}
	}
	return encode(w, can, nil)
}

// CompareCostDelay draws what a node's share of the machine costs against the
// mean delay.
func CompareCostDelay(_ context.Context, w io.Writer, c *report.Comparison) error {
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
	can, area, err := picture("Cost against delay", note, 720, machineLegend(c, drawn, sampledNote))
	if err != nil {
		return err
	}
	area = box{area.X0 + 90, area.Y0, area.X1 - 10, area.Y1 - 70}
	if !(x.hi >= x.lo) {
		can.empty(area, "no machine has both a cost and measured delays")
		return encode(w, can, nil)
	}
	x.log, y.log = logarithmic(x.lo, x.hi), logarithmic(y.lo, y.hi)
	x.widen()
	y.widen()
	p := newPanel(area, x, y)
	p.grid(can)
	var points [][2]float64
	var words []string
	for i := range c.Machines {
		m := &c.Machines[i]
		if !drawn(m) {
			continue
		}
		px, py := p.x.at(float64(m.Delay.NsMean)), p.y.at(m.PerNode(m.Cost.Total).Float())
		can.disc(px, py, 8, colour(i))
		points = append(points, [2]float64{px, py})
		words = append(words, can.fit(numbered(i, m.Machine), markLetter, 320))
	}
	can.spread(points, words, nil, p.box)
	return encode(w, can, nil)
}

// costKind is a part of the cost as it is stacked.
type costKind struct {
	name   string
	colour color.RGBA
	of     func(*report.Cost) units.Money
}

var costKinds = []costKind{
	{"switches", color.RGBA{0x1f, 0x77, 0xb4, 0xff}, func(r *report.Cost) units.Money { return r.Switches }},
	{"adapters", color.RGBA{0x56, 0xb4, 0xe9, 0xff}, func(r *report.Cost) units.Money { return r.Adapters }},
	{"cables", color.RGBA{0xd6, 0x5f, 0x00, 0xff}, func(r *report.Cost) units.Money { return r.Cables }},
	{"optics", color.RGBA{0xf2, 0xb1, 0x34, 0xff}, func(r *report.Cost) units.Money { return r.Optics }},
	{"racks and trays", color.RGBA{0x8c, 0x56, 0x4b, 0xff}, func(r *report.Cost) units.Money { return r.Racks }},
	{"patch panels", color.RGBA{0xc9, 0x5f, 0x9c, 0xff}, func(r *report.Cost) units.Money { return r.Panels }},
	{"labour", color.RGBA{0x2c, 0x8c, 0x3c, 0xff}, func(r *report.Cost) units.Money { return r.Labour }},
	{"nodes", color.RGBA{0x6a, 0x4c, 0x9c, 0xff}, func(r *report.Cost) units.Money {
		if r.Nodes == nil {
			return 0
		}
		return *r.Nodes
	}},
	{"other", color.RGBA{0x9a, 0xa3, 0xad, 0xff}, otherCost},
}

// otherCost is what the kinds above leave of the total.
func otherCost(r *report.Cost) units.Money {
	rest := r.Total - r.Switches - r.Adapters - r.Cables - r.Optics - r.Racks - r.Panels - r.Labour
	if r.Nodes != nil {
		rest -= *r.Nodes
	}
	return max(rest, 0)
}

// usedKinds are those that any machine spends money on.
func usedKinds(c *report.Comparison) []costKind {
	var out []costKind
	for _, k := range costKinds {
		if slices.ContainsFunc(c.Machines, func(m report.Compared) bool { return k.of(&m.Cost) > 0 }) {
			out = append(out, k)
		}
	}
	return out
}

// CompareCost draws the cost by kind, of the machines and of their nodes.
func CompareCost(_ context.Context, w io.Writer, c *report.Comparison) error {
	var legend []legendItem
	for _, k := range usedKinds(c) {
		legend = append(legend, legendItem{k.name, filled(k.colour)})
	}
	const row, names = 64, 400
	note := "by kind of part; what has no price is not in it"
	if !c.OneCurrency() {
		note += "; bars of different currencies cannot be compared"
	}
	can, area, err := picture("Cost", note, float64(row*len(c.Machines))+120, legend)
	if err != nil {
		return err
	}
	var whole, share []float64
	for i := range c.Machines {
		m := &c.Machines[i]
		whole, share = append(whole, m.Cost.Total.Float()), append(share, m.PerNode(m.Cost.Total).Float())
	}
	most, mostEach := slices.Max(whole), slices.Max(share)
	ofWhole, ofNode := apart(whole), apart(share)
	half := (area.width() - names) / 2
	total := newPanel(box{area.X0 + names, area.Y0 + 36, area.X0 + names + half - 140, area.Y1 - 70},
		axis{label: "whole machine", hi: max(most, 1) * 1.02}, axis{hi: 1})
	each := newPanel(box{total.X0 + half, total.Y0, total.X1 + half, total.Y1},
		axis{label: "per node", hi: max(mostEach, 0.01) * 1.02}, axis{hi: 1})
	for _, p := range []*panel{total, each} {
		p.bars(can)
	}
	for i := range c.Machines {
		m := &c.Machines[i]
		y := total.Y0 + float64(i*row) + 10
		can.text(can.fit(numbered(i, m.Machine), legendLetter, names-20), legendLetter, area.X0, y+row/2-10, 0, ink)
		x, xEach := total.X0, each.X0
		for _, k := range costKinds {
			v := k.of(&m.Cost).Float()
			x = total.bar(can, x, y, v, k.colour)
			xEach = each.bar(can, xEach, y, v/float64(max(m.Nodes, 1)), k.colour)
		}
		can.text(ofWhole[i]+" "+m.Currency, tickLetter, x+8, y+row/2-10, 0, ink)
		can.text(ofNode[i]+" "+m.Currency, tickLetter, xEach+8, y+row/2-10, 0, ink)
	}
	return encode(w, can, nil)
}

// bars draws the ticks of a panel of horizontal bars.
func (p *panel) bars(c *canvas) {
	c.fill(p.box, floorCol)
	xTicks := p.x.ticks(int(p.width() / 90))
	xLabels := labels(xTicks)
	for i, v := range xTicks {
		x := p.x.at(v)
		c.line(x, p.Y0, x, p.Y1, 1, color.RGBA{0xdd, 0xe1, 0xe6, 0xff})
		c.text(xLabels[i], tickLetter, x, p.Y1+16, 0.5, ink)
	}
	c.text(p.x.label, axisLetter, (p.X0+p.X1)/2, p.Y1+42, 0.5, ink)
}

// bar draws a piece of a stacked bar and returns where it ends.
func (p *panel) bar(c *canvas, x, y, v float64, col color.RGBA) float64 {
	w := (p.x.at(v) - p.X0)
	if w <= 0 {
		return x
	}
	c.fill(box{x, y, x + w, y + 44}, col)
	return x + w
}

// mediumColours are those of the media in the histograms of lengths.
var mediumColours = map[catalog.Medium]color.RGBA{
	catalog.PassiveCopper: {0xd6, 0x5f, 0x00, 0xff},
	catalog.ActiveCopper:  {0xf2, 0xb1, 0x34, 0xff},
	catalog.ActiveOptical: {0x00, 0x9e, 0x9e, 0xff},
	catalog.Multimode:     {0x1f, 0x77, 0xb4, 0xff},
	catalog.SingleMode:    {0x6a, 0x4c, 0x9c, 0xff},
}

// CompareLengths draws how many cables of each medium need which length, a panel
// for each machine.
func CompareLengths(_ context.Context, w io.Writer, c *report.Comparison) error {
	var legend []legendItem
	for _, m := range c.Media() {
		legend = append(legend, legendItem{string(m), filled(mediumColours[m])})
	}
	const high = 300
	rows := (len(c.Machines) + 1) / 2
	can, area, err := picture("Lengths of cables", "number of cables by the length that they need, slack included; a "+
		"logarithmic scale", float64(high*rows), legend)
	if err != nil {
		return err
	}
	var longest units.Length
	for i := range c.Machines {
		longest = max(longest, c.Machines[i].Length.Max)
	}
	for i := range c.Machines {
		m := &c.Machines[i]
		x0 := area.X0 + float64(i%2)*(area.width()/2+10)
		y0 := area.Y0 + float64(i/2*high)
		can.text(can.fit(numbered(i, m.Machine), smallTitle, area.width()/2-20), smallTitle, x0, y0+12, 0, ink)
		b := box{x0 + 90, y0 + 30, x0 + area.width()/2 - 20, y0 + high - 74}
		if len(m.Lengths) == 0 {
			can.empty(b, "no cables")
			continue
		}
		lengthPanel(can, b, m, longest)
	}
	return encode(w, can, nil)
}

// lengthPanel draws the histograms of one machine. All machines share the scale
// of lengths unless this one's would be too short to be seen.
func lengthPanel(c *canvas, b box, m *report.Compared, longest units.Length) {
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
	p := newPanel(b, x, y)
	p.grid(c)
	for _, l := range m.Lengths {
		for k, n := range l.Bins {
			if n == 0 {
				continue
			}
			from, to := p.x.at(float64(units.Length(k)*l.BinMetres)), p.x.at(float64(units.Length(k+1)*l.BinMetres))
			c.fill(box{from, p.y.at(float64(n)), min(max(to, from+2), p.X1), p.Y1}, mediumColours[l.Medium])
		}
	}
}

// CompareBreakEven draws, over alpha/beta, the mean D of every machine by that of
// the fastest, with the points where another becomes the fastest.
func CompareBreakEven(_ context.Context, w io.Writer, c *report.Comparison) error {
	drawn := func(m *report.Compared) bool { return m.Reach != nil && m.Nodes > 1 }
	can, area, err := picture("Break-even of hops and metres",
		"mean D = alpha × hops + beta × distance, by that of the fastest machine, over alpha/beta: the metres that a "+
			"hop is worth; circles are where another becomes the fastest", 760, machineLegend(c, drawn, sampledNote))
	if err != nil {
		return err
	}
	area = box{area.X0 + 90, area.Y0, area.X1 - 10, area.Y1 - 70}
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
		can.empty(area, "no delays between nodes were measured")
		return encode(w, can, nil)
	}
	y.log = y.hi > 4
	y.widen()
	y.lo = 1 - 0.03*min(y.hi-1, 1)
	p := newPanel(area, axis{label: "alpha / beta (m)", lo: lo, hi: hi, log: true}, y)
	p.grid(can)
	for i, points := range curves {
		if len(points) > 0 {
			p.curve(can, i, points)
		}
	}
	for k, r := range fastest {
		if k == 0 || r.From <= 0 {
			continue
		}
		x, at := p.x.at(float64(r.From)), p.Y0+24+float64((k-1)%4*28)
		can.line(x, at, x, p.y.at(1), 1, ink)
		can.ring(x, p.y.at(1), 7, 2, ink)
		word := fmt.Sprintf("%d below %s m, %d above", fastest[k-1].Machine+1, short(float64(r.From)), r.Machine+1)
		half := can.width(word, markLetter)/2 + 8
		mid := min(max(x, p.X0+half+4), p.X1-half-4)
		can.fill(box{mid - half, at - 12, mid + half, at + 12}, floorCol)
		can.frame(box{mid - half, at - 12, mid + half, at + 12}, 1, outline)
		can.text(word, markLetter, mid, at, 0.5, ink)
	}
	return encode(w, can, nil)
}

// meanD is D/beta in metres.
func meanD(m *report.Compared, ratio float64) float64 {
	return float64(ratio*m.Reach.HopsMean) + float64(m.Reach.PathMean)
}
