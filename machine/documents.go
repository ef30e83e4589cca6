package machine

import (
	"cmp"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/units"
)

// Report sums the plan up as one document. Figures that were not measured, as the delays over paths of most
// summaries, are left out. The document shares memory with the plan, so neither may be changed while the other is in
// use.
func (p *Result) Report() *report.Plan {
	s, bill, fabrics := p.Schedule, p.Bill, p.fabrics()
	return &report.Plan{
		Version: Version, Machine: p.Spec.Name,
		Currency: bill.Currency, PriceSet: p.Prices.Name, PriceDate: p.Prices.Date,
		Nodes: p.Counts.Nodes, Switches: p.Counts.Switches, Links: p.Counts.Links,
		Cables: s.Cables, Racks: p.Placement.RackCount(),
		Floor: report.NewFloor(p.Placement.Layout.Room, len(p.Placement.Racks)), Ports: report.NewPorts(s, bill),
		Length: report.NewLengthTotal(s), Lengths: p.lengths(),
		Boxes: p.boxes(), Fabrics: fabrics, MainFabric: p.mainFabric(fabrics),
		Levels: report.NewLevels(s, bill, p.LevelDelay), LayoutLevels: report.NewLayoutLevels(s, bill, p.LayoutDelay),
		Media: report.NewProducts(bill), BOM: bill.Rows, Cost: report.NewCost(bill), CostPer: p.PerUnit,
		Operation: p.Operation, Uncertainty: p.Uncertainty,
		Power: report.Round(bill.Power.Total()), PowerBy: report.NewPower(bill),
		PowerDelivered: report.Delivered(bill.Power.Total(), p.Power.Lost()),
		PowerBasis:     bill.PowerBasis, PowerUnstated: bill.PowerUnstated, Heat: p.Heat, Ends: report.NewEnds(bill),
		HopUnstated:   p.HopUnstated,
		Delay:         report.NewDelay(p.Delay, p.Stretch, p.Routed, p.Alpha, p.Beta, p.HopUnstated),
		Placement:     report.NewPlacement(p.Placement.Optimized, &p.Spec.Embedding, p.unoptimized, bill),
		Consolidation: report.NewConsolidation(s.Consolidated, p.Spec.Cabling.Consolidate),
		Stock:         report.NewStock(p.stock, s, bill),
		Structured:    report.NewStructured(s.Patching),
		Trays:         p.onTrays(),
		Gaps:          report.NewGaps(s.Gaps, p.fitted, unstatedDiameters(s)),
		Bundles:       report.NewBundles(s),
		Feeds:         p.feeds(),
		SupplyLosses:  p.supplyLosses(),
		Cooling:       p.cooling(),
		Violations:    p.Violations.List(), Notes: p.Notes, Spec: p.Spec,
	}
}

// boxes lists the kinds of boxes, in the order of the graph, of a machine whose file has fabrics, be it one; nil for a
// machine with a topology.
func (p *Result) boxes() []report.Boxes {
	if p.Fabrics == nil {
		return nil
	}
	owner := map[int]string{}
	for _, n := range p.Fabrics {
		for _, kind := range n.switches {
			owner[kind] = n.Name
		}
	}
	var out []report.Boxes
	for i, k := range p.Graph.Kinds() {
		b := report.Boxes{Name: k.Name, Role: "node", Part: p.Schedule.Boxes[i].Part.ID, Qty: k.Count}
		switch {
		case i >= len(p.Spec.Boxes):
			b.Role, b.Fabric = "switch", owner[i]
		case p.Spec.Boxes[i].Role == spec.Service:
			b.Role = spec.Service
		}
		out = append(out, b)
	}
	return out
}

// fabrics reports every fabric in the order of the machine file; nil for a machine with a topology. The cost of a
// fabric is that of its switches and cables.
func (p *Result) fabrics() []report.Fabric {
	if p.Fabrics == nil {
		return nil
	}
	levels := report.NewLevels(p.Schedule, p.Bill, p.LevelDelay)
	boxes := p.boxes()
	price := map[string]units.Money{}
	for _, r := range p.Bill.Rows {
		if r.UnitCost != nil && r.Kind == catalog.KindSwitch {
			price[r.Item.String()] = *r.UnitCost
		}
	}
	var out []report.Fabric
	for i, n := range p.Fabrics {
		f := report.Fabric{
			Name: n.Name, Topology: n.Topology, Nodes: nodesOf(p.Spec, &p.Spec.Fabrics[i]),
			Ends: n.Counts.Nodes, Switches: n.Counts.Switches,
			Levels: []report.Level{},
			Spares: p.Bill.FabricSpares[i],
			Delay:  report.NewDelay(n.Delay, n.Stretch, n.Routed, n.Alpha, n.Beta, n.HopUnstated),
		}
		for _, l := range levels {
			name, own := strings.CutPrefix(l.Level, n.Name+"/")
			if !own {
				continue
			}
			l.Level = name
			f.Levels = append(f.Levels, l)
			f.Links += l.Links
			f.Cables += l.Cables
			f.Cost.Cables += l.Cost
		}
		for _, kind := range n.switches {
			f.Cost.Switches += price[boxes[kind].Part] * units.Money(boxes[kind].Qty)
		}
		f.Cost.Total = f.Cost.Switches + f.Cost.Cables
		out = append(out, f)
	}
	return out
}

// mainFabric names the fabric whose links carry the most together, each as much as the slowest port of the fabric's
// switches; the first of those that carry as much. It is empty for a machine with a topology.
func (p *Result) mainFabric(fabrics []report.Fabric) string {
	name, most := "", units.Rate(-1)
	for i := range fabrics {
		if rate := p.PortRate(p.Fabrics[i]) * units.Rate(fabrics[i].Links); rate > most {
			name, most = fabrics[i].Name, rate
		}
	}
	return name
}

// nodesOf counts the nodes that are plugged into a fabric, each once, however many of its ports are. Service boxes are
// not nodes.
func nodesOf(s *spec.Spec, f *spec.Fabric) int {
	n := 0
	for _, b := range s.Boxes {
		if b.Role == spec.Service {
			continue
		}
		plugged := make([]bool, b.Count)
		for _, e := range f.Ends {
			if e.Boxes != b.Name {
				continue
			}
			first := max(e.First, 1) - 1
			for i := range cmp.Or(e.Count, b.Count-first) {
				if !plugged[first+i] {
					plugged[first+i] = true
					n++
				}
			}
		}
	}
	return n
}

// lengths reports, for each medium, the number of cables, their total length in metres and a histogram of the lengths.
func (p *Result) lengths() []report.Lengths {
	out := []report.Lengths{}
	for _, c := range p.Lengths {
		out = append(out, report.Lengths{
			Medium: c.Medium, Cables: c.Cables, Total: report.Round(c.Metres), BinMetres: units.Length(c.Spread.Width),
			Bins: c.Spread.Bins(),
		})
	}
	return out
}

// Report sums up a placement without cables: racks, and the lengths of straight lines between linked boxes by level.
func (p *Placed) Report() *report.Placed {
	return report.NewPlaced(p.Spec.Name, len(p.Spec.Fabrics) > 0, p.Strategy, p.Placement, p.Lengths, p.Notes)
}
