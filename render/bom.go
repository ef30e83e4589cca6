package render

import (
	"context"
	"io"
	"strconv"

	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/units"
)

// bomColumns are the columns of the bill in comma-separated values.
var bomColumns = []string{
	"part", "kind", "description", "quantity", "spares", "from_stock", "to_buy", "pack", "unit_cost", "cost",
	"currency",
	"unit_cost_low", "unit_cost_high", "price_from", "price_source", "confidence", "status",
	"maker", "part_number", "supplier", "lead_time_days", "colours",
}

// Values of the status column.
const (
	priced   = "priced"
	noPrice  = "unpriced"
	complete = "complete"
	partial  = "excludes unpriced"
	unpacked = "excludes packaging"
	unmade   = "excludes cables"
)

// BOM writes the bill of materials as comma-separated values (RFC 4180), a row for
// each line. Lines without a price have no amounts and the status "unpriced". The
// last row, whose kind is "total", has the status "excludes unpriced" if there are
// any; the one before, of the kind "network", is what the network alone costs. The
// description of the total names the levels of packaging that are not in the bill;
// where every line has a price, its status is then "excludes packaging". It also
// counts the cables that no product makes, with the status "excludes cables".
func BOM(ctx context.Context, w io.Writer, r *machine.Result) error {
	out := csvtable.NewWriter(ctx, w, bomColumns)
	plan := r.Report()
	bound := func(m units.Money, ranged bool) string {
		if !ranged {
			return ""
		}
		return m.Decimal()
	}
	status := complete
	for i := range plan.BOM {
		l := &plan.BOM[i]
		unit, total, of := "", "", noPrice
		if l.UnitCost != nil {
			unit = l.UnitCost.Decimal()
		}
		if l.HasCost() {
			total, of = l.Cost.Decimal(), priced
		} else {
			status = partial
		}
		ranged := l.UnitCost != nil && l.Low < l.High
		out.Texts(l.Item.String(), string(l.Kind), l.Description)
		out.Int(l.Qty)
		out.Int(l.Spares)
		out.Int(l.FromStock)
		out.Int(l.Buy)
		if l.Pack > 0 {
			out.Int(l.Pack)
		} else {
			out.Empty(1)
		}
		out.Texts(unit, total, plan.Currency, bound(l.Low, ranged), bound(l.High, ranged))
		out.Texts(l.From, l.Source, string(l.Confidence), of, l.Maker, l.PartNumber, l.Supplier, days(l.Lead),
			l.ColourWords())
		if err := out.End(); err != nil {
			return err
		}
	}
	switch {
	case status == partial:
	case plan.Cost.Unmade > 0:
		status = unmade
	case len(plan.Cost.NotInBill) > 0:
		status = unpacked
	}
	for _, sum := range []struct {
		kind, what string
		cost       units.Money
		status     string
	}{
		{"network", cost.NetworkWords, plan.Cost.Network, ""},
		{"total", plan.Cost.Omitted().Unbilled(), plan.Cost.Total, status},
	} {
		out.Texts("", sum.kind, sum.what, "", "", "", "", "", "", sum.cost.Decimal(), plan.Currency)
		out.Empty(5)
		out.Texts(sum.status, "", "", "", "", "")
		if err := out.End(); err != nil {
			return err
		}
	}
	return out.Flush()
}

// days is a time of delivery, empty where it is not stated.
func days(d units.Days) string {
	if d == 0 {
		return ""
	}
	return strconv.FormatFloat(float64(d), 'f', -1, 64)
}
