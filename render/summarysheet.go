package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/machine/report"
)

// summary is the first sheet: the figures that people ask for first.
func (b *book) summary() *grid {
	g := &grid{name: summarySheet}
	r := b.report
	g.add(text(titleText(machineName(b.r))).as(title))
	g.add(text(networks(b.r.Spec)))
	g.addParagraphs(b.r.Spec.Description)
	g.add()
	g.add(heads("Machine", "", "")...)
	g.add(text("Nodes"), whole(int64(r.Nodes)))
	g.add(text("Switches"), whole(int64(r.Switches)))
	if n := r.Services(); n > 0 {
		g.add(text("Service boxes"), whole(int64(n)))
	}
	g.add(text("Links"), whole(r.Links), text("cables and traces"))
	g.add(text("Cables"), whole(r.Cables))
	g.add(text("Racks"), whole(int64(r.Racks)))
	g.add(text("Ports"), whole(r.Ports.Total))
	g.add(text("Ports used"), whole(r.Ports.Used))
	g.add(text("Cable length"), long(r.Length.Total), text("m"))
	g.add(text("Mean cable"), long(r.Length.Mean), text("m"))
	g.add(text("Longest cable"), long(r.Length.Max), text("m"))
	g.add(text("Power"), number(r.Power/1e3), text("kW"+r.PowerNote().After()))
	if r.PowerDelivered > 0 {
		g.add(text("Power delivered"), number(r.PowerDelivered/1e3), text("kW, with the losses of power supplies"))
	}
	if h := r.Heat; h != nil {
		g.add(text("Heat to liquid"), number(h.Liquid/1e3), text("kW"))
		g.add(text("Heat to air"), number(h.Air/1e3), text("kW"))
		g.add(text("Heat of parts that state no share"), number(h.Unstated/1e3), text("kW"))
	}
	if r.Cooling != nil {
		g.add(text("Liquid cooling"), text(r.Cooling.String()))
	}
	if k := r.Structured; k != nil {
		in := text(fmt.Sprintf("in %s racks", grouped(int64(k.Racks))))
		switch {
		case k.Octopus:
			g.add(text("Patch panels"), whole(int64(k.Panels)), in)
			g.add(text("Links over octopus cables"), whole(k.Links))
		case k.Shuffles > 0:
			g.add(text("Panels of shuffles"), whole(int64(k.Panels)), in)
			g.add(text("Shuffles"), whole(int64(k.Shuffles)))
			g.add(text("Links over shuffles"), whole(k.Links))
		default:
			g.add(text("Patch panels"), whole(int64(k.Panels)), in)
			g.add(text("Trunks"), whole(int64(k.Trunks)), text(fmt.Sprintf("%s positions",
				grouped(int64(k.Positions)))))
			g.add(text("Links over panels"), whole(k.Links))
		}
		if k.Loss != nil {
			g.add(text("Greatest loss"), number(*k.Loss), text("dB"))
		}
	}
	if c := r.Consolidation; c != nil {
		g.add(text("Cable products"), whole(int64(c.After)), text(fmt.Sprintf("in place of %d", c.Before)))
		g.add(text("Extra for fewer products"), amount(c.Extra), text(r.Currency))
	}
	g.add()
	b.summaryCost(g)
	if d := r.Delay; d != nil {
		b.summaryDelay(g, d)
	}
	b.summaryCharts(g)
	b.summaryFabrics(g)
	least := leastOf(len(r.HopUnstated) > 0)
	for _, levels := range []struct {
		title string
		rows  []report.Level
	}{{"Topology level", r.Levels}, {"Layout level", r.LayoutLevels}} {
		g.add(heads(levels.title, "Links", "Cables", "Mean length (m)", "Longest (m)", "Mean delay (ns)"+least,
			"Longest delay (ns)"+least, "Cost")...)
		for _, l := range levels.rows {
			money := amount(l.Cost)
			if l.CostText() == report.Unknown {
				money = text(report.Unknown)
			}
			g.add(text(l.Level), whole(l.Links), whole(l.Cables), long(l.Length.Mean), long(l.Length.Max),
				number(l.Delay.Mean), number(l.Delay.Max), money)
		}
		g.add()
	}
	if links := r.LinksOmitted().Short(); links != "" {
		g.add(text("Costs of levels and fabrics are " + links + ".").as(note))
		g.add()
	}
	b.summaryGaps(g)
	b.summaryRemarks(g)
	g.narrow()
	return g
}

// summaryGaps lists how full the gaps between containers are.
func (b *book) summaryGaps(g *grid) {
	gaps := b.report.Gaps
	if gaps == nil {
		return
	}
	least := leastOf(slices.ContainsFunc(gaps.Levels, func(l report.GapLevel) bool { return l.Unmeasured > 0 }))
	g.add(heads("Gaps between cells of", "Gaps", "Mean fill (%)"+least, "Greatest fill (%)"+least, "Limit (%)",
		"Too full", "Fullest between")...)
	share := func(percent *float64) cell {
		if percent == nil {
			return text("no gap")
		}
		return number(*percent)
	}
	for i := range gaps.Levels {
		l := &gaps.Levels[i]
		g.add(text(l.Level), whole(l.Gaps), share(l.Mean), share(l.Max), number(l.Limit), whole(l.Overfull),
			text(l.Fullest))
	}
	g.add()
}

// summaryFabrics lists the boxes and the networks of a machine of several.
func (b *book) summaryFabrics(g *grid) {
	r := b.report
	if len(r.Fabrics) == 0 {
		return
	}
	g.add(heads("Fabric", "Nodes", "Ends", "Switches", "Links", "Cables", "Mean hops",
		"Mean delay (ns)"+leastOf(len(r.HopUnstated) > 0), "Network cost")...)
	for i := range r.Fabrics {
		f := &r.Fabrics[i]
		row := []cell{
			text(f.Name), whole(int64(f.Nodes)), whole(int64(f.Ends)), whole(int64(f.Switches)), whole(f.Links),
			whole(f.Cables), text(""), text(""), amount(f.Cost.Total),
		}
		if d := f.Delay; d != nil {
			row[6], row[7] = number(d.HopsMean), number(d.NsMean)
		}
		g.add(row...)
	}
	g.add()
	g.add(heads("Boxes", "Part", "Role", "Quantity")...)
	for _, k := range r.Boxes {
		g.add(text(k.Name), text(k.Part), text(k.Role), whole(int64(k.Qty)))
	}
	g.add()
}

// summaryCost repeats the bill's totals by formula.
func (b *book) summaryCost(g *grid) {
	r := b.report
	g.add(heads("Cost", "", "")...)
	first := g.next()
	var unpriced [][]cell // below the rows that the chart is of, which would show them as 0
	for _, kind := range catalog.Kinds {
		if row, ok := b.bomKind[kind]; ok {
			_, priced := b.r.Bill.ByKind[kind]
			if !priced {
				unpriced = append(unpriced, []cell{text(capital(string(kind))), {}, text("no price")})
				continue
			}
			g.add(text(capital(string(kind))), amount(b.r.Bill.ByKind[kind]).by(bomSheet+"!"+ref(bomCost, row)))
		}
	}
	b.kindsFirst, b.kindsLast = first, g.next()-1
	for _, row := range unpriced {
		g.add(row...)
	}
	g.add(text("Network"), amount(r.Cost.Network).by(bomSheet+"!"+ref(bomCost, b.bomNetwork)))
	g.add(text("Total").as(strong), amount(r.Cost.Total).as(strongMoney).by(bomSheet+"!"+ref(bomCost, b.bomTotal)))
	const width = 80 // characters beside the charts
	g.addLines("Network: "+beside(cost.NetworkWords, r.NetworkOmitted())+".", width)
	g.addLines("Total: "+beside("prices "+strings.Join(pricedBy(r), ", "), r.Cost.Omitted())+".", width)
	for _, s := range r.Cost.Omitted().Sentences() {
		g.addLines(s, width)
	}
	g.add()
}

// leastOf is what follows the name of a delay that is a lower bound.
func leastOf(bound bool) string {
	if bound {
		return ", at least"
	}
	return ""
}

func (b *book) summaryDelay(g *grid, d *report.Delay) {
	g.add(heads("Delay between nodes", "", "")...)
	g.add(text("Hops, mean"), cell{value: d.HopsMean, style: metres})
	g.add(text("Hops, most"), whole(int64(d.HopsMax)))
	g.add(text("Path, mean"), long(d.PathMean), text("m"))
	g.add(text("Path, longest"), long(d.PathMax), text("m"))
	least := leastOf(d.AtLeast())
	g.add(text("Delay, mean"+least), number(d.NsMean), text("ns"))
	g.add(text("Delay, most"+least), number(d.NsMax), text("ns"))
	if !d.Exact && d.Sources > 0 {
		g.add(text(fmt.Sprintf("Delays are estimates from %s drawn nodes; the greatest are lower bounds.",
			grouped(int64(d.Sources)))).as(note))
	}
	g.add()
}

func (b *book) summaryRemarks(g *grid) {
	if len(b.report.Violations) > 0 {
		g.add(heads("Design rule", "Severity", "Where", "What")...)
		for _, v := range b.report.Violations {
			g.add(text(v.Rule), text(string(v.Severity)), text(v.Where), text(v.Message))
			if v.Suppressed != "" {
				g.add(text(""), text(""), text(""), text("suppressed: "+v.Suppressed).as(note))
			}
		}
		g.add()
	}
	for _, n := range b.report.Notes {
		g.add(text(n).as(note))
	}
	g.add(text("Made by Plenum " + b.report.Version).as(note))
}
