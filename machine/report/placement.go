package report

import (
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/units"
)

// Placement tells how places were optimised. Figures are in the unit of
// the objective: currency, metres, or nanoseconds; of weights in no unit. They
// are measured from rack to rack, with every kind of box at its mean height.
type Placement struct {
	// Strategy is how the boxes were placed at the start, `given` where a table gave every place; docs/embedding.md.
	Strategy embed.Strategy `json:"strategy"`
	// Effort is how long was searched: `quick`, `normal` or `thorough`.
	Effort string `json:"effort"`
	// Objective is the minimized objective: `money`, `length`, `longest` or `delay`; `weights` for a weighted sum.
	Objective string `json:"objective"`
	// Unit is that of the figures below; left out for weights, which have none.
	Unit string `json:"unit,omitempty"`
	// CostBefore is the total of the bill without optimising; null where nothing could be placed without.
	CostBefore *units.Money `json:"cost_before"`
	CostAfter  units.Money  `json:"cost_after"` // the total of the bill
	// Before is the objective without optimising as the search sees it: links from rack to rack, all boxes of a kind
	// at their mean height, and of money what cables, their optics and their labour cost.
	Before float64 `json:"before"`
	After  float64 `json:"after"` // the same of the result
	// LowerBound is what no placement of such boxes on these positions can be below; null where none is known.
	LowerBound  *float64 `json:"lower_bound"`
	GapToBound  *float64 `json:"gap_to_bound"`           // (after - lower_bound) / after
	BoundMethod string   `json:"bound_method,omitempty"` // how the lower bound was found; left out without one
	// RackBound is what no order of the racks, filled as they are, can be below; null where none is known.
	RackBound      *float64 `json:"rack_bound"`
	GapToRackBound *float64 `json:"gap_to_rack_bound"` // (after - rack_bound) / after
	// RackBoundMethods is how that bound was found, by kind of cost; left out without one.
	RackBoundMethods []string `json:"rack_bound_methods,omitempty"`
	Steps            int64    `json:"steps"` // moves and exchanges that the search looked at
	// Interrupted is true where it was stopped early: the best so far; else left out.
	Interrupted bool `json:"interrupted,omitempty"`
}

// NewPlacement reports how places were optimised as asked for, and what the bill
// comes to without that, which may be nil, and with it. It is nil where nothing
// was optimised.
func NewPlacement(
	o *embed.Optimized, e *spec.Embedding, unoptimized *units.Money, bill *cost.Bill,
) *Placement {
	if o == nil {
		return nil
	}
	r := &Placement{
		Strategy: o.Strategy, Effort: e.Effort, Objective: e.Objective,
		Steps: o.Steps, Interrupted: o.Interrupted, CostBefore: unoptimized, CostAfter: bill.Total,
	}
	if o.Given {
		r.Strategy = "given"
	}
	unit, before, after := 1.0, o.Before.Sum, o.After.Sum
	switch e.Objective {
	case spec.Money:
		unit, r.Unit = 100, bill.Currency
	case spec.Length, spec.Longest:
		unit, r.Unit = 1000, "m"
	case spec.MeanNs:
		unit, r.Unit = 1000, "ns, weighted with loads"
	default:
		r.Objective = "weights"
	}
	if e.Objective == spec.Longest {
		before, after = o.Before.Longest, o.After.Longest
	} else if e.Weights[spec.Longest] == 0 {
		bounded := func(bound int64) (value, gap *float64) {
			v := Round(float64(bound) / unit)
			if after > 0 {
				g := Round(float64(after-bound) / float64(after))
				gap = &g
			}
			return &v, gap
		}
		if o.BoundMethod != "" {
			r.LowerBound, r.GapToBound = bounded(o.Bound)
			r.BoundMethod = o.BoundMethod
		}
		if len(o.RackBoundMethods) > 0 {
			r.RackBound, r.GapToRackBound = bounded(o.RackBound)
			r.RackBoundMethods = o.RackBoundMethods
		}
	}
	r.Before, r.After = Round(float64(before)/unit), Round(float64(after)/unit)
	return r
}
