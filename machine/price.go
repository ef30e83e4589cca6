package machine

import (
	"cmp"
	"context"
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/units"
)

// Defaults of the section operation.
const (
	DefaultPUE   = 1.3
	DefaultYears = 5
)

// price makes the bill of a machine with so many nodes, and what follows from it unless billOnly is set: operation,
// what a unit costs, and how far all of that may be off. Costs that are too large to be summed are an error of the
// section; any other is that of ctx.
func price(
	ctx context.Context, r *resolved, pl *embed.Placement, c *cabled, nodes int, billOnly bool,
) (Costs, error) {
	out := Costs{Bill: cost.NewBill(r.bill(pl, c.schedule))}
	if o := r.spec.Operation; o != nil {
		out.Operation = cost.NewOperation(c.schedule, out.Bill.Power, c.portsUsed, energy(o))
	}
	if err := checkTotals(&out); err != nil || billOnly {
		return out, err
	}
	out.Uncertainty = out.Bill.Uncertain(out.Operation, r.spec.Prices.Seed)
	var err error
	if len(r.spec.Fabrics) > 0 {
		out.PerUnit = cost.PerBox(out.Bill.Total, nodes, c.portsUsed)
	} else {
		out.PerUnit, err = cost.NewPerUnit(ctx, out.Bill.Total, c.schedule, c.portsUsed)
	}
	return out, err
}

// checkTotals refuses costs that are too large to be summed up to the cent.
func checkTotals(c *Costs) error {
	if c.Bill.Total >= units.MostMoney || -c.Bill.Total >= units.MostMoney {
		return cost.TooMuch("prices")
	}
	if o := c.Operation; o != nil && max(o.Total, o.Nodes.Cost) >= units.MostMoney {
		return cost.TooMuch("operation")
	}
	return nil
}

// energy is what the section operation says, defaults filled in.
func energy(o *spec.Operation) *cost.Energy {
	e := &cost.Energy{
		PUE: cmp.Or(o.PUE, DefaultPUE), Years: cmp.Or(o.Years, DefaultYears), Idle: 100, PortPower: o.PortPower,
		Tariff: o.Tariff, TariffLow: o.Tariff, TariffHigh: o.Tariff,
	}
	if o.Idle != nil {
		e.Idle = *o.Idle
	}
	if len(o.TariffRange) == 2 {
		e.TariffLow, e.TariffHigh = o.TariffRange[0], o.TariffRange[1]
	}
	return e
}

// costFabrics returns what each of several fabrics does not share with the others, its kinds of switches and levels,
// and its spares of that.
func (r *resolved) costFabrics() []cost.Fabric {
	out := make([]cost.Fabric, len(r.fabrics))
	for i, f := range r.fabrics {
		out[i].Spares = map[catalog.Kind]float64{}
		for kind, percent := range r.spec.Fabrics[i].Spares {
			out[i].Spares[catalog.Kind(kind)] = percent
		}
		for _, at := range f.switches {
			out[i].Kinds = append(out[i].Kinds, at.Kind)
		}
		slices.Sort(out[i].Kinds)
	}
	for level, i := range r.ownerOfLevel() {
		out[i].Levels = append(out[i].Levels, level)
	}
	return out
}

// rackCounts counts the racks of each part.
func (r *resolved) rackCounts(pl *embed.Placement) []cost.RackCount {
	var out []cost.RackCount
	for _, rack := range pl.Racks {
		part := r.racks[pl.Layout.Room.Places[rack.Place].Type]
		i := slices.IndexFunc(out, func(c cost.RackCount) bool { return c.Part == part })
		if i < 0 {
			i = len(out)
			out = append(out, cost.RackCount{Part: part})
		}
		out[i].Count++
	}
	return out
}

// enclosureCounts are the levels of packaging of a placement, outermost first, with the number of containers that hold
// boxes. Rows and halls without a part are not bought, nor is a level whose part is none.
func (r *resolved) enclosureCounts(pl *embed.Placement) []cost.Enclosure {
	var out []cost.Enclosure
	add := func(level int, part string) {
		is := pl.Layout.Levels[level].Is
		if part == spec.NoPart || part == "" && (is == layout.RoleRow || is == layout.RoleHall) {
			return
		}
		out = append(out, cost.Enclosure{
			Level: pl.Layout.Levels[level].Name, Part: r.enclosurePart(part),
			Count: pl.Layout.CountOccupied(level, pl.Slot),
		})
	}
	for i, c := range r.spec.Room.Containers {
		add(i, c.Part)
	}
	for i := range r.chassis {
		add(layout.RackLevel+1+i, r.spec.Packaging.Chassis[r.chassis[i].Name].Part)
	}
	return out
}

// bill is what the bill of a placement with its cables is made from.
func (r *resolved) bill(pl *embed.Placement, s *cabling.Schedule) *cost.Input {
	in := &cost.Input{
		Schedule: s, Catalog: r.catalog, Prices: r.prices, Offers: r.offers, Own: items(r.spec.Prices.Unit),
		PowerBasis: r.spec.PowerBasis, Stock: r.stock,
		Spares: map[catalog.Kind]float64{}, LeastSpares: map[string]int64{}, Adapters: r.adapters,
		Racks: r.rackCounts(pl), Enclosures: r.enclosureCounts(pl),
		Ranges: items(ranges(&r.spec.Prices)), Freight: r.spec.Prices.Freight, Contingency: r.spec.Prices.Contingency,
	}
	in.Hoses = r.hoses(pl, s)
	for kind, percent := range r.spec.Prices.Spares {
		in.Spares[catalog.Kind(kind)] = percent
	}
	for key, pieces := range r.spec.Prices.LeastSpares {
		in.LeastSpares[key] = int64(pieces)
	}
	for i := range r.spec.Boxes {
		in.Services = append(in.Services, r.spec.Boxes[i].Role == spec.Service)
	}
	if len(r.spec.Fabrics) > 0 {
		in.Fabrics = r.costFabrics()
	}
	if s.Trays != nil {
		for level, t := range r.trays {
			in.Trays = append(in.Trays, cost.Laid{
				Part: t.part, Run: s.Trays.Network.Length(level),
				Count: s.Trays.Rules[level].Count,
			})
		}
	}
	return in
}
