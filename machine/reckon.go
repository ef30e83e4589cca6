package machine

import (
	"cmp"
	"context"

	"github.com/plenum-planner/plenum/cost"
)

// Defaults of the section operation.
const (
	DefaultPUE   = 1.3
	DefaultYears = 5
)

// reckon works out what follows from the bill: operation, what a unit costs, and
// how far all of that may be off. Lit is the number of ports in use by kind. The
// error is that of ctx.
func (p *Result) reckon(ctx context.Context, lit []int64) (err error) {
	if o := p.Spec.Operation; o != nil {
		e := cost.Energy{
			PUE: cmp.Or(o.PUE, DefaultPUE), Years: cmp.Or(o.Years, DefaultYears), Idle: 100, PortPower: o.PortPower,
			Tariff: o.Tariff, TariffLow: o.Tariff, TariffHigh: o.Tariff,
		}
		if o.Idle != nil {
			e.Idle = *o.Idle
		}
		if len(o.TariffRange) == 2 {
			e.TariffLow, e.TariffHigh = o.TariffRange[0], o.TariffRange[1]
		}
		p.Operation = cost.NewOperation(p.Schedule, p.Bill.Power, lit, &e)
	}
	p.Uncertainty = p.Bill.Uncertain(p.Operation, p.Spec.Prices.Seed)
	p.PerUnit, err = cost.NewPerUnit(ctx, p.Bill.Total, p.Schedule, lit)
	return err
}
