package render

import (
	"fmt"
)

// Most pieces of tray and bundles in a workbook; the files beside it have all.
const (
	mostTrays   = 10_000
	mostBundles = 20_000
)

// bundlesPrinted is how many columns of the bundles come on paper: what is pulled from where to where, and
// how thick it is.
const bundlesPrinted = 9

// noDiameter heads the column that marks lower bounds: how many cables are not in what the others fill.
const noDiameter = "No diameter"

// trays lists the pieces of tray on which cables lie, the fullest first.
func (b *book) trays() *grid {
	g := &grid{name: traysSheet, frozen: 1, filterTop: 1, screen: true}
	g.add(heads("Segment", "Level", "Tray", "From x (m)", "From y (m)", "To x (m)", "To y (m)", "Height (m)",
		"Length (m)",
		"Section (mm2)", "Limit", "Cables", "Cables (mm2)", "Fill", "Excess (mm2)", "kg/m", "Weight (kg)",
		noDiameter)...)
	g.bars = []bars{{14, 1}}
	t := b.r.Schedule.Trays
	if t == nil {
		g.add(text("The cables of this plan do not run on trays.").as(note))
		return g
	}
	used, bare := t.Fullest(), int64(0)
	for _, piece := range used[:min(len(used), mostTrays)] {
		p, l := t.Network.Piece(piece), &t.Loads[piece]
		n := g.next()
		section, limit, fill, excess, area := cell{}, cell{}, cell{}, cell{}, cell{}
		known := l.Area() > 0 || l.Bare == 0
		bare += l.Bare
		if known {
			area = number(tenth(l.Area()))
		}
		if s := t.SectionAt(piece); s > 0 {
			section = number(tenth(s))
			if known {
				fill = cell{
					value: float64(tenth(l.Area()) / tenth(s)), style: percent,
					formula: ref(13, n) + "/" + ref(10, n),
				}
			}
			if share := t.Rules[p.Level].Fill; share > 0 {
				limit = cell{value: share, style: percent}
				if known {
					excess = number(tenth(t.Excess(piece)))
				}
			}
		}
		length := p.Length.Round4()
		g.add(text(t.ID(piece)), text(t.Network.Levels[p.Level].Name), text(t.Network.DescribeRun(piece, piece)),
			long(p.From.X), long(p.From.Y), long(p.To.X), long(p.To.Y), long(p.From.Z), long(length),
			section, limit, whole(l.Cables), area, fill, excess,
			number(float64(l.LineWeight())).as(metres),
			number(float64(l.LineWeight())*float64(length)).as(decimal).by(ref(16, n)+"*"+ref(9, n)),
			whole(l.Bare))
	}
	g.filter = g.next() - 1
	g.add()
	if more := len(used) - mostTrays; more > 0 {
		g.add(text(fmt.Sprintf("%s more pieces of tray are in trays.csv.", grouped(int64(more)))).as(note))
	}
	laid := int64(0)
	for piece := range int32(t.Network.Pieces()) {
		if t.Network.IsLaid(piece) {
			laid++
		}
	}
	g.add(text(fmt.Sprintf("Pieces with cables, the fullest first, of %s in all. Fill is the cross-section of the "+
		"cables divided by that of the tray.", grouped(laid))).as(note))
	if bare > 0 {
		g.add(text("Some cables state no diameter: what the others fill is a lower bound, and nothing is shown " +
			"where none states one.").as(note))
	}
	if t.Rerouted > 0 {
		g.add(text(fmt.Sprintf("%s were led around full trays, %s longer together.", plural(t.Rerouted, "cable"),
			distance(t.Extra))).as(note))
	}
	return g
}

// bundles lists the bundles in pull order.
func (b *book) bundles() *grid {
	g := &grid{name: bundlesSheet, frozen: 1, filterTop: 1, portrait: true, printed: bundlesPrinted}
	g.add(heads("Pull", "Bundle", "Rack", "To rack", "Kind", "Cables", "Shortest (m)", "Longest (m)", "Diameter (mm)",
		"kg/m", "Weight (kg)", "Level", "Run (m)", "Trays", noDiameter)...)
	if b.r.Room() == nil {
		g.add(text("This plan has no racks: nothing is bundled.").as(note))
		return g
	}
	s := b.r.Schedule
	names, bare := newBundleText(b.r), false
	order := s.PullOrder()
	for i, n := range order[:min(len(order), mostBundles)] {
		u := &s.Bundles[n]
		level, run, route := names.way(u)
		row := []cell{
			whole(int64(i) + 1), text(string(names.appendID(nil, n+1))), text(names.room.Name(int(u.A))),
			text(names.room.Name(int(u.B))), text(u.Kind()),
			whole(int64(u.Cables)), long(u.Shortest), long(u.Longest),
			{},
			number(float64(u.LineWeight())).as(metres), number(float64(u.Weight())),
			text(level),
			{},
			text(string(route)),
			whole(int64(u.Bare)),
		}
		bare = bare || u.Bare > 0
		if u.Area() > 0 || u.Bare == 0 {
			row[8] = number(float64(u.Diameter()) * 1e3)
		}
		if level != "" {
			row[12] = long(run)
		}
		g.add(row...)
	}
	g.filter = g.next() - 1
	g.add()
	if more := len(order) - mostBundles; more > 0 {
		g.add(text(fmt.Sprintf("%s more bundles are in bundles.csv.", grouped(int64(more)))).as(note))
	}
	if bare {
		g.add(text("Some cables state no diameter: what the others measure is a lower bound, and nothing is " +
			"shown where none states one.").as(note))
	}
	for _, line := range []string{ // as long as the printed columns
		"In the order of pulling: the longest first, so that in every tray",
		"the farthest lie at the bottom. The diameter is that of the smallest",
		"circle around as many equal circles of the same area.",
	} {
		g.add(text(line).as(note))
	}
	return g
}
