package render

import (
	"slices"

	"github.com/plenum-planner/plenum/render/page"
	"github.com/plenum-planner/plenum/units"
)

// alternatives are the figures of a comparison that can be drawn over each other: those that are numbers. Money comes
// first, over mean delay, or power where no delays are compared. Money and power are those of a node where machines
// differ in their nodes, since a smaller machine would look better. Money has the currency as its unit where all
// machines have one.
func alternatives(machines []string, rows []CompareRow) *page.Alternatives {
	out := &page.Alternatives{Title: "Comparison of machines", Names: machines, Figures: []page.Figure{}}
	heading, currency := "", CommonCurrency(rows)
	power, measured := 0, false
	money, watts := "cost", "power"
	if differInNodes(rows) {
		money, watts = "cost per node", "power per node"
	}
	for i := range rows {
		r := &rows[i]
		if len(r.Values) == 0 {
			heading = r.Figure
			continue
		}
		f := page.Figure{Name: heading + ": " + r.Figure, Unit: r.UnitWith(currency), Lower: r.isBetterLow()}
		some := false
		for k := range r.Values {
			var value *float64
			if v, ok := numeric(r.Values[k]); ok {
				value, some = &v, true
			}
			f.Values = append(f.Values, value)
		}
		if !some {
			continue
		}
		switch {
		case r.Figure == money:
			out.X = len(out.Figures)
		case !measured && r.Figure == "own delay, mean":
			out.Y, measured = len(out.Figures), true
		case r.Figure == watts:
			power = len(out.Figures)
		}
		out.Figures = append(out.Figures, f)
	}
	if !measured {
		out.Y = power
	}
	return out
}

// differInNodes reports whether machines have different numbers of nodes, all at least one.
func differInNodes(rows []CompareRow) bool {
	i := slices.IndexFunc(rows, func(r CompareRow) bool { return r.Figure == "nodes" && len(r.Values) > 0 })
	return i >= 0 && !alike(rows[i].Values) && !slices.ContainsFunc(rows[i].Values, func(v any) bool {
		n, isNumber := numeric(v)
		return !isNumber || n <= 0
	})
}

// isBetterLow reports whether less of a figure is better: money, power, times, lengths, and numbers of switches, racks
// and cables.
func (r *CompareRow) isBetterLow() bool {
	isMoney := func(v any) bool { _, is := v.(units.Money); return is }
	return slices.ContainsFunc(r.Values, isMoney) || slices.Contains([]string{"kW", "W", "ns", "m"}, r.Unit) ||
		slices.Contains([]string{"switches", "racks", "cables"}, r.Figure)
}

// CommonCurrency is the currency of all machines, "" where they have several.
func CommonCurrency(rows []CompareRow) string {
	for i := range rows {
		if r := &rows[i]; r.Figure == "currency" && len(r.Values) > 0 && alike(r.Values) {
			currency, _ := r.Values[0].(string)
			return currency
		}
	}
	return ""
}

// UnitWith is the unit of a row, that of money being a currency.
func (r *CompareRow) UnitWith(currency string) string {
	isMoney := func(v any) bool { _, is := v.(units.Money); return is }
	if r.Unit == "" && slices.ContainsFunc(r.Values, isMoney) {
		return currency
	}
	return r.Unit
}

// differing is the table of the figures in which machines differ from one of them, with the differences in per cent.
type differing struct {
	Of   int // the machine that the others are set against, from 0
	Rows []differingRow
}

// differingRow is a figure in which machines differ: what each machine has, and how much more that is. A row without
// values is the heading of the rows after it.
type differingRow struct {
	Figure, Unit string
	Values       []string
	Against      []string
}

// differencesOf lists the figures that differ among machines, in the order of the rows; figures of one name differ
// in their units.
func differencesOf(rows []CompareRow, of int) differing {
	out := differing{Of: of}
	currency, heading := CommonCurrency(rows), ""
	for i := range rows {
		r := &rows[i]
		switch {
		case len(r.Values) == 0:
			heading = r.Figure
			continue
		case len(r.Values) == 1, alike(r.Values):
			continue
		}
		if _, isNumber := numeric(r.Values[of]); !isNumber {
			continue // words are in the table of all figures
		}
		line := differingRow{Figure: r.Figure, Unit: r.UnitWith(currency)}
		some := false
		for k := range r.Values {
			against := r.Against(k, of)
			some = some || against != "" || k != of && r.Text(k) != r.Text(of)
			line.Values, line.Against = append(line.Values, r.Text(k)), append(line.Against, against)
		}
		if !some {
			continue
		}
		if heading != "" {
			out.Rows, heading = append(out.Rows, differingRow{Figure: heading}), ""
		}
		out.Rows = append(out.Rows, line)
	}
	return out
}

// alike reports whether all values are the same.
func alike(values []any) bool {
	return !slices.ContainsFunc(values, func(v any) bool { return v != values[0] })
}
