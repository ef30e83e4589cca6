package machine

import (
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/units"
)

// Report sums the plan up as one document.
func (p *Result) Report() *report.Plan {
	s, bill := p.Schedule, p.Bill
	return &report.Plan{
		Version: Version, Machine: p.Spec.Name,
		Currency: bill.Currency, PriceSet: p.Prices.Name, PriceDate: p.Prices.Date,
		Nodes: p.Census.Nodes, Switches: p.Census.Switches, Links: p.Census.Links,
		Cables: s.Cables, Racks: len(p.Placement.Racks), Ports: report.NewPorts(s, bill),
		Length: report.NewLengthTotal(s), Lengths: p.lengths(),
		Levels: report.NewLevels(s, bill, p.LevelDelay), LayoutLevels: report.NewLayoutLevels(s, bill, p.LayoutDelay),
		Media: report.NewProducts(bill), BOM: bill.Rows, Cost: report.NewCost(bill), CostPer: p.PerUnit,
		Operation: p.Operation, Uncertainty: p.Uncertainty,
		Power: report.Round(bill.Power.Total()), PowerBy: report.NewPower(bill),
		Delay:         report.NewDelay(p.Delay, p.Stretch, p.Routed, p.Alpha, p.Beta, p.HopUnstated),
		Placement:     report.NewPlacement(p.Placement.Optimized, &p.Spec.Embedding, p.unoptimized, bill),
		Consolidation: report.NewConsolidation(s.Consolidated, p.Spec.Cabling.Consolidate),
		Structured:    report.NewStructured(s.Patching),
		Trays:         report.NewTrays(s.Trays, p.trayParts, unstatedDiameters(s)),
		Bundles:       report.NewBundles(s),
		Violations:    p.Violations.List(), Notes: p.Notes, Spec: p.Spec,
	}
}

// lengths reports the lengths of cables by medium.
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

// Report is the document about the placement.
func (p *Placed) Report() *report.Placed {
	return report.NewPlaced(p.Spec.Name, p.Strategy, p.Placement, p.Lengths, p.Notes)
}
