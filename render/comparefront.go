package render

import (
	"github.com/plenum-planner/plenum/render/page"
)

// alternatives are the figures of a comparison that can be drawn over each other: those that are numbers. Money and
// mean delay come first.
func alternatives(machines []string, rows []CompareRow) *page.Alternatives {
	out := &page.Alternatives{Title: "Comparison of machines", Names: machines, Figures: []page.Figure{}}
	heading := ""
	for i := range rows {
		r := &rows[i]
		if len(r.Values) == 0 {
			heading = r.Figure
			continue
		}
		f := page.Figure{Name: heading + ": " + r.Figure, Unit: r.Unit}
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
