package render

import (
	"slices"

	"github.com/plenum-planner/plenum/render/page"
	"github.com/plenum-planner/plenum/units"
)

// alternatives are the figures of a comparison that can be drawn over each other: those that are numbers. Money and
// mean delay come first. Money has the currency as its unit where all machines have one.
func alternatives(machines []string, rows []CompareRow) *page.Alternatives {
	out := &page.Alternatives{Title: "Comparison of machines", Names: machines, Figures: []page.Figure{}}
	heading, currency := "", ""
	for i := range rows {
		r := &rows[i]
		if len(r.Values) == 0 {
			heading = r.Figure
			continue
		}
		if first, is := r.Values[0].(string); is && r.Figure == "currency" && alike(r.Values) {
			currency = first
		}
		f := page.Figure{Name: heading + ": " + r.Figure, Unit: r.Unit}
		if f.Unit == "" && slices.ContainsFunc(r.Values, func(v any) bool { _, is := v.(units.Money); return is }) {
			f.Unit = currency
		}
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
		case r.Figure == "cost":
			out.X = len(out.Figures)
		case out.Y == 0 && r.Figure == "own delay, mean":
			out.Y = len(out.Figures)
		}
		out.Figures = append(out.Figures, f)
	}
	return out
}

// alike reports whether all values are the same.
func alike(values []any) bool {
	return !slices.ContainsFunc(values, func(v any) bool { return v != values[0] })
}
