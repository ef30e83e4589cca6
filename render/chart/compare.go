package chart

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/units"
)

// machineLegend names all machines that draw says are drawn.
func machineLegend(c *report.Comparison, drawn func(m *report.Compared) bool,
	note func(m *report.Compared) string, swatch func(int) func(*pen.Canvas, pen.Box),
) []pen.Item {
	var out []pen.Item
	for i := range c.Machines {
		if m := &c.Machines[i]; drawn(m) {
			out = append(out, pen.Item{Text: Numbered(i, m.Machine) + note(m), Swatch: swatch(i)})
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

// hopWords says which hop delay delays are made of, for the titles of charts.
func hopWords(c *report.Comparison) string {
	if hop := c.Equal.Hop; hop != nil {
		return "hop delay of " + Short(float64(*hop)) + " ns for all"
	}
	return "each machine's own hop delay"
}

// Delays draws which share of the pairs of nodes is reached in which time.
func Delays(c *report.Comparison, style Style) (*Drawing, error) {
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
	d, area, err := begin(style, head{"Delay between nodes, " + hopWords(c), "Share of the ordered pairs of nodes " +
		"whose fastest path with the fewest hops takes at most this time, propagation included."},
		720, leastPanel, machineLegend(c, measuredPaths, delaysNote, swatch))
	if err != nil {
		return nil, err
	}
	x := axis{label: "delay (ns)", lo: lo, hi: hi, log: logarithmic(lo, hi)}
	y := axis{label: "pairs within (%)", lo: 0, hi: 100}
	d.Data = machineTable(c, curves, x.label, y.label)
	if hi == 0 {
		d.empty(area, "No delays between nodes were measured.")
		return d, nil
	}
	x.widen()
	p := d.panel(area, x, y)
	p.continuous(curves, func(points [][2]float64) [][2]float64 { return append(points, [2]float64{x.hi, 100}) })
	return d, nil
}

// machineTable is the data of curves, one for each machine.
func machineTable(c *report.Comparison, curves [][][2]float64, x, y string) *Table {
	t := &Table{Head: []string{"machine", x, y}}
	for i, points := range curves {
		for _, q := range points {
			t.add(Numbered(i, c.Machines[i].Machine), q[0], q[1])
		}
	}
	return t
}

// continuous draws curves of many values, with some markers on each.
func (p *panel) continuous(curves [][][2]float64, whole func([][2]float64) [][2]float64) {
	for i, points := range curves {
		if len(points) > 0 {
			points = whole(points)
			p.line(looks(i), 3, points)
			p.along(i, points)
		}
	}
}

// errNoMachines refuses a comparison without machines.
var errNoMachines = errors.New("a comparison needs a machine at least")

// CostDelay draws what a node's share of the machine costs against the mean delay. It refuses a comparison without
// machines.
func CostDelay(c *report.Comparison, style Style) (*Drawing, error) {
	if len(c.Machines) == 0 {
		return nil, errNoMachines
	}
	drawn := func(m *report.Compared) bool {
		return measuredPaths(m) && m.Delay.NsMean > 0 && !m.Delay.AtLeast() && m.Currency == c.Machines[0].Currency
	}
	x := axis{label: "mean delay between nodes (ns)", lo: math.Inf(1), hi: math.Inf(-1)}
	y := axis{label: "cost per node (" + c.Machines[0].Currency + ")", lo: math.Inf(1), hi: math.Inf(-1)}
	data := &Table{Head: []string{"machine", x.label, y.label}}
	at := make([][2]float64, len(c.Machines))
	for i := range c.Machines {
		if m := &c.Machines[i]; drawn(m) {
			at[i] = [2]float64{float64(m.Delay.NsMean), m.PerNode(m.Cost.Total).Float()}
			x.lo, x.hi = min(x.lo, at[i][0]), max(x.hi, at[i][0])
			y.lo, y.hi = min(y.lo, at[i][1]), max(y.hi, at[i][1])
			data.add(Numbered(i, m.Machine), at[i][0], at[i][1])
		}
	}
	note := "Prices of each machine's own price set." + omittedNote(c)
	if !c.OneCurrency() {
		note += " Machines of other currencies are left out."
	}
	d, area, err := begin(style, head{"Cost against delay, " + hopWords(c), note}, 720, leastPanel,
		machineLegend(c, drawn, sampledNote, spot))
	if err != nil {
		return nil, err
	}
	d.Data = data
	if !(x.hi >= x.lo) {
		d.empty(area, "No machine has both a cost and measured delays.")
		return d, nil
	}
	x.log, y.log = logarithmic(x.lo, x.hi), logarithmic(y.lo, y.hi)
	x.widen()
	y.widen()
	p := d.panel(area, x, y)
	var all []label
	for i := range c.Machines {
		m := &c.Machines[i]
		if !drawn(m) {
			continue
		}
		q := p.at(at[i][0], at[i][1])
		marker(d.Canvas, looks(i), q[0], q[1], 9, false)
		star := ""
		if m.Cost.Omitted().Short() != "" {
			star = "*"
		}
		name := d.Fit(Numbered(i, m.Machine), markLetter, min(320, p.Width()/2)) + star
		all = append(all, label{q, []string{name, fmt.Sprint(i+1) + star}})
	}
	d.placeLabels(all, nil, p.Box)
	return d, nil
}

// omittedNote says which machines costs favour and what costs leave out; a star marks those that leave out anything.
func omittedNote(c *report.Comparison) string {
	warning := ""
	if s := c.CostWarning(); s != "" {
		warning = " " + s
	}
	var all, out []string
	of := map[string][]string{}
	for i := range c.Machines {
		if s := c.Machines[i].Cost.Omitted().Short(); s != "" {
			if of[s] == nil {
				all = append(all, s)
			}
			of[s] = append(of[s], strconv.Itoa(i+1))
		}
	}
	if all == nil {
		return warning
	}
	for _, s := range all {
		out = append(out, english.List(of[s])+" "+s)
	}
	return warning + " * Costs leave something out: " + strings.Join(out, "; ") + "."
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
	{"service boxes", palette.Services, func(r *report.Cost) units.Money { return r.Services }},
	{"other", palette.Other, otherCost},
}

// otherCost is what the kinds above leave of the total.
func otherCost(r *report.Cost) units.Money {
	rest := r.Total - r.Switches - r.Adapters - r.Cables - r.Optics - r.Racks - r.Panels - r.Midplanes - r.Labour -
		r.Services
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

// Cost draws the cost by kind, of the machines and of their nodes: side by side, or one above the other where the page
// is narrow.
func Cost(c *report.Comparison, style Style) (*Drawing, error) {
	if len(c.Machines) == 0 {
		return nil, errNoMachines
	}
	var legend []pen.Item
	kinds := CostKinds(c)
	data := &Table{Head: []string{"machine", "currency", "nodes", "kind", "cost of the machine", "cost per node"}}
	for _, k := range kinds {
		legend = append(legend, pen.Item{Text: k.Name, Swatch: pen.Filled(k.Colour)})
	}
	for i := range c.Machines {
		m := &c.Machines[i]
		for _, k := range kinds {
			cost := k.Of(&m.Cost)
			data.add(Numbered(i, m.Machine), m.Currency, int64(m.Nodes), k.Name, cost.Float(),
				cost.Float()/float64(max(m.Nodes, 1)))
		}
	}
	const row, leastBar, axes, names = 64, 26, 80, 400
	note := "By kind of part." + omittedNote(c)
	unit := " (" + c.Machines[0].Currency + ")"
	if !c.OneCurrency() {
		note += " Bars of different currencies cannot be compared."
		unit = " (currency of the machine)"
	}
	rows := float64(len(c.Machines))
	stacked := 1.0
	if style.printed() && onPaper(style.Width) < 1000 {
		stacked = 2
	}
	d, area, err := begin(style, head{"Cost", note}, row*rows+120, stacked*(leastBar*rows+axes), legend)
	if err != nil {
		return nil, err
	}
	d.Data = data
	perNode := func(m *report.Compared) float64 { return 1 / float64(max(m.Nodes, 1)) }
	left, right, wide := area, area, 0.0
	if stacked > 1 {
		left.Y1 = (area.Y0 + area.Y1) / 2
		right.Y0 = left.Y1
		wide = min(names, 0.35*area.Width())
		d.bars(right, c, "per node"+unit, wide, perNode)
	} else {
		wide = min(names, 0.3*area.Width())
		left.X1 = area.X0 + wide + (area.Width()-wide)/2
		right.X0 = left.X1 + 20
		d.bars(right, c, "per node"+unit, 0, perNode)
	}
	d.bars(left, c, "whole machine"+unit, wide, func(*report.Compared) float64 { return 1 })
	return d, nil
}

// bars draws the kinds of the cost of each machine, by a factor, as a bar with its total behind it. Machines are named
// in the width for names, if there is any.
func (d *Drawing) bars(area pen.Box, c *report.Comparison, label string, names float64,
	factor func(*report.Compared) float64,
) {
	last := len(c.Machines) - 1
	totals := make([]float64, last+1)
	rows := make([]string, last+1)
	for i := range c.Machines {
		m := &c.Machines[i]
		totals[i] = m.Cost.Total.Float() * factor(m)
		if names > 0 { // from below, as axes count
			rows[last-i] = d.Fit(Numbered(i, m.Machine), tickLetter, names-20)
		}
	}
	behind := 0.0 // where totals stand
	words := distinctLabels(totals)
	for i := range words {
		words[i] += " " + c.Machines[i].Currency
		if c.Machines[i].Cost.Omitted().Short() != "" {
			words[i] += " *"
		}
		behind = max(behind, d.Width(words[i], tickLetter)+12)
	}
	bars := area.Width() - names - behind - 12 // the axis goes on under the total of the longest bar
	x := axis{label: label, hi: max(slices.Max(totals), 0.01) * max(1.02, (bars+behind)/max(bars, 1))}
	p := d.panel(area, x, axis{lo: -0.5, hi: float64(last) + 0.5, names: rows})
	thick := min(44, 0.7*p.Height()/float64(last+1))
	for i := range c.Machines {
		m := &c.Machines[i]
		sum := 0.0
		for _, k := range CostKinds(c) {
			v := k.Of(&m.Cost).Float() * factor(m)
			if v <= 0 {
				continue
			}
			from, to := p.at(sum, float64(last-i)), p.at(min(sum+v, x.hi), float64(last-i))
			b := pen.Box{X0: from[0], Y0: from[1] - thick/2, X1: to[0], Y1: from[1] + thick/2}
			d.Fill(b, k.Colour)
			if b.Width() > 4 { // an edge, for eyes and printers that do not see the colours
				d.Frame(b, 1, palette.Ink)
			}
			sum += v
		}
		at := p.at(min(totals[i], x.hi), float64(last-i))
		d.Text(words[i], tickLetter, at[0]+8, at[1], 0, palette.Ink)
	}
}

// Lengths draws how many cables of each medium need which length, a panel for each machine.
func Lengths(c *report.Comparison, style Style) (*Drawing, error) {
	var legend []pen.Item
	for _, m := range c.Media() {
		legend = append(legend, pen.Item{Text: string(m), Swatch: pen.Filled(palette.Medium(m))})
	}
	const high, gap, leastWide, title = 300, 20, 260, 30
	n := len(c.Machines)
	columns := 2
	if style.printed() && onPaper(style.Width) < 2*leastWide || n == 1 {
		columns = 1
	}
	rows := (n + columns - 1) / columns
	d, area, err := begin(style, head{"Lengths of cables", "Share of each machine's cables by the length that they " +
		"need, slack included; media are stacked."}, float64(high*rows), float64((leastPanel-40)*rows), legend)
	if err != nil {
		return nil, err
	}
	d.Data = &Table{Head: []string{"machine", "medium", "from (m)", "to (m)", "cables"}}
	scale := newLengthScale(c)
	wide, tall := (area.Width()-float64(gap*(columns-1)))/float64(columns), area.Height()/float64(rows)
	for i := range c.Machines {
		m := &c.Machines[i]
		x0 := area.X0 + float64(i%columns)*(wide+gap)
		y0 := area.Y0 + float64(i/columns)*tall
		d.Text(d.Fit(Numbered(i, m.Machine), smallTitle, wide), smallTitle, x0, y0+12, 0, palette.Ink)
		b := pen.Box{X0: x0, Y0: y0 + title, X1: x0 + wide, Y1: y0 + tall - 10}
		if len(m.Lengths) == 0 {
			d.empty(b, "No cables.")
			continue
		}
		for _, l := range m.Lengths {
			for k, cables := range l.Bins {
				if cables > 0 {
					d.Data.add(Numbered(i, m.Machine), string(l.Medium), float64(units.Length(k)*l.BinMetres),
						float64(units.Length(k+1)*l.BinMetres), cables)
				}
			}
		}
		d.lengths(b, m, scale)
	}
	return d, nil
}

// binned returns the histograms of media in bins of one width, with a row for each medium. The width is the narrowest
// that holds whole bins of each, unless one is given.
func binned(all []report.Lengths, width units.Length) (bin units.Length, counts [][]int64) {
	n := 1
	if bin = width; bin == 0 {
		bin = commonBin(all)
	}
	at := func(l report.Lengths, k int) int {
		return int(math.Floor(float64(units.Length(k)*l.BinMetres/bin) + 1e-6))
	}
	for _, l := range all {
		if len(l.Bins) > 0 {
			n = max(n, at(l, len(l.Bins)-1)+1)
		}
	}
	for _, l := range all {
		row := make([]int64, n)
		for k, cables := range l.Bins {
			row[at(l, k)] += cables
		}
		counts = append(counts, row)
	}
	return bin, counts
}

// commonBin returns the narrowest width of bins that holds whole bins of all histograms.
func commonBin(all []report.Lengths) (bin units.Length) {
	widest := units.Length(0)
	for _, l := range all {
		widest = max(widest, l.BinMetres)
	}
	isBroken := func(l report.Lengths) bool {
		ratio := float64(bin / l.BinMetres)
		return l.BinMetres > 0 && math.Abs(ratio-math.Round(ratio)) >= 1e-6
	}
	const most = 20 // widths are round, such as 0.2 m and 0.5 m
	for k := 1; k <= most; k++ {
		if bin = widest * units.Length(k); !slices.ContainsFunc(all, isBroken) {
			break
		}
	}
	return bin
}

// lengthScale is what the panels of lengths share.
type lengthScale struct {
	longest units.Length
	bin     units.Length // width of the bins of all machines that are not short
	share   float64      // the highest bar, in per cent of the cables of its machine
}

// isShort reports whether the lengths of a machine would be too short to be seen on the scale of all.
func (s *lengthScale) isShort(m *report.Compared) bool { return m.Length.Max < s.longest/8 }

// newLengthScale returns the scale of all machines: one width of bins, and one height.
func newLengthScale(c *report.Comparison) *lengthScale {
	s := &lengthScale{}
	for i := range c.Machines {
		s.longest = max(s.longest, c.Machines[i].Length.Max)
	}
	var all []report.Lengths
	for i := range c.Machines {
		if m := &c.Machines[i]; !s.isShort(m) {
			all = append(all, m.Lengths...)
		}
	}
	s.bin, _ = binned(all, 0)
	for i := range c.Machines {
		m := &c.Machines[i]
		_, counts := s.of(m)
		cables := max(sumOf(counts...), 1)
		for k := range counts[0] {
			n := int64(0)
			for _, row := range counts {
				n += row[k]
			}
			s.share = max(s.share, 100*float64(n)/float64(cables))
		}
	}
	return s
}

// of returns the histograms of the media of a machine, in the bins of all unless the machine is short.
func (s *lengthScale) of(m *report.Compared) (bin units.Length, counts [][]int64) {
	if len(m.Lengths) == 0 {
		return s.bin, [][]int64{nil}
	}
	if s.isShort(m) {
		return binned(m.Lengths, 0)
	}
	return binned(m.Lengths, s.bin)
}

func sumOf(rows ...[]int64) int64 {
	var sum int64
	for _, row := range rows {
		for _, n := range row {
			sum += n
		}
	}
	return sum
}

// lengths draws the histogram of one machine, media stacked, as shares of its cables. All machines share the scales and
// the width of bins; a short one has a scale of lengths of its own. Bars are wide and high enough to be seen.
func (d *Drawing) lengths(b pen.Box, m *report.Compared, scale *lengthScale) {
	bin, counts := scale.of(m)
	x := axis{label: "length (m), bins of " + Short(float64(bin)) + " m", hi: float64(scale.longest)}
	if scale.isShort(m) {
		x.hi, x.label = float64(m.Length.Max), "length, own scale (m), bins of "+Short(float64(bin))+" m"
	}
	if x.hi == 0 {
		x.hi = 1
	}
	x.hi *= 1.02
	y := axis{label: "cables (%)", hi: 1.05 * scale.share}
	cables := max(sumOf(counts...), 1)
	p := d.panel(b, x, y)
	for k := range counts[0] {
		from, to := p.at(float64(units.Length(k)*bin), 0), p.at(float64(units.Length(k+1)*bin), 0)
		right, bottom := min(max(to[0], from[0]+2), p.X1), from[1]
		for i, l := range m.Lengths {
			if n := counts[i][k]; n > 0 {
				top := bottom - max(1, p.Height()*100*float64(n)/float64(cables)/y.hi)
				d.Fill(pen.Box{X0: min(from[0], right-1), Y0: top, X1: right, Y1: bottom}, palette.Medium(l.Medium))
				bottom = top
			}
		}
	}
}

// BreakEven draws, over alpha/beta, the mean D of every machine relative to that of the fastest, with the points where
// another becomes the fastest.
func BreakEven(c *report.Comparison, style Style) (*Drawing, error) {
	drawn := func(m *report.Compared) bool { return m.Reach != nil && m.Nodes > 1 }
	d, area, err := begin(style, head{
		"Break-even of " + c.Count.Words() + " and metres, one hop delay (alpha) for all",
		"Mean D = alpha × " + c.Count.Words() + " + beta × distance, relative to the fastest machine, over " +
			"alpha/beta: the metres of cable that take as long as a router. Circles: another machine becomes the " +
			"fastest.",
	}, 760, leastPanel, machineLegend(c, drawn, sampledNote, swatch))
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
	y := axis{label: "D relative to the fastest machine", lo: 1, hi: 1}
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
	x := axis{label: "alpha / beta (m)", lo: lo, hi: hi, log: true}
	d.Data = machineTable(c, curves, x.label, y.label)
	if !slices.ContainsFunc(curves, func(points [][2]float64) bool { return len(points) > 0 }) {
		d.empty(area, "No delays between nodes were measured.")
		return d, nil
	}
	y.log = y.hi > 4
	y.widen()
	y.lo = 1 - 0.03*min(y.hi-1, 1)
	p := d.panel(area, x, y)
	p.continuous(curves, func(points [][2]float64) [][2]float64 { return points })
	d.turns(p, fastest, curves)
	return d, nil
}

// turns marks where another machine becomes the fastest, with a word where there is room for it off the curves.
func (d *Drawing) turns(p *panel, fastest []delay.Fastest, curves [][][2]float64) {
	const step, high = 14, 12
	type sign struct {
		b    pen.Box
		word string
	}
	var written []sign
	isFree := func(b pen.Box) bool {
		return b.Within(p.Box) == b && !p.crosses(b, curves) &&
			!slices.ContainsFunc(written, func(s sign) bool { return s.b.Overlaps(b) })
	}
	for k, r := range fastest {
		if k == 0 || r.From <= 0 {
			continue
		}
		foot := p.at(float64(r.From), 1)
		x, top := foot[0], p.Y0
		before, after := fastest[k-1].Machine+1, r.Machine+1
	search:
		for _, word := range []string{
			fmt.Sprintf("fastest: %d below %s m, %d above", before, Short(float64(r.From)), after),
			fmt.Sprintf("fastest: %d, then %d", before, after),
		} {
			half := d.Width(word, markLetter)/2 + 8
			middle := min(max(x, p.X0+half+4), p.X1-half-4)
			for at := p.Y0 + 24; at+high < p.Y1-20; at += step {
				for _, mid := range []float64{middle, x - half, x + half} {
					b := pen.Box{X0: mid - half, Y0: at - high, X1: mid + half, Y1: at + high}
					if isFree(b) {
						written = append(written, sign{b, word})
						top = b.Y1
						break search
					}
				}
			}
		}
		d.Line(x, top, x, foot[1], 1, palette.Ink)
		d.Ring(x, foot[1], 7, 2, palette.Ink)
	}
	for _, s := range written {
		d.Fill(s.b, palette.Ground)
		d.Frame(s.b, 1, palette.Outline)
		d.Text(s.word, markLetter, (s.b.X0+s.b.X1)/2, (s.b.Y0+s.b.Y1)/2, 0.5, palette.Ink)
	}
}

// crosses reports whether a curve runs through a box, or so close that its line or a marker touches it.
func (p *panel) crosses(b pen.Box, curves [][][2]float64) bool {
	const near = 10
	b = pen.Box{X0: b.X0 - near, Y0: b.Y0 - near, X1: b.X1 + near, Y1: b.Y1 + near}
	for _, points := range curves {
		for k := range max(len(points)-1, 0) {
			a, z := p.at(points[k][0], points[k][1]), p.at(points[k+1][0], points[k+1][1])
			if max(a[0], z[0]) >= b.X0 && min(a[0], z[0]) <= b.X1 && max(a[1], z[1]) >= b.Y0 &&
				min(a[1], z[1]) <= b.Y1 {
				return true
			}
		}
	}
	return false
}

// meanD is D/beta in metres.
func meanD(m *report.Compared, ratio float64) float64 {
	return float64(ratio*m.Reach.HopsMean) + float64(m.Reach.PathMean)
}
