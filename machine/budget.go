package machine

import (
	"context"
	"runtime"

	"github.com/plenum-planner/plenum/budget"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/topology"
)

// Need is what planning a machine takes at least, as it was measured on tori of 65,536 and 262,144 nodes. Every box has
// a slot, a position and a name; every link of a schedule has ends, a route, a length and a product.
func Need(boxes, links int64, summary bool) budget.Need {
	n := budget.Need{Bytes: 500, Seconds: 3e-6}.Times(float64(boxes))
	if summary {
		return n.Plus(budget.Need{Bytes: 8, Seconds: 0.5e-6}.Times(float64(links)))
	}
	return n.Plus(budget.Need{Bytes: 250, Seconds: 6e-6}.Times(float64(links)))
}

// affordable refuses a machine whose plan takes more than the budget.
func affordable(ctx context.Context, r *resolved, counts topology.Counts, e extent) error {
	boxes := int64(topology.Vertices(r.graph))
	need, positions := Need(boxes, counts.Links, e.summary), ""
	if room := r.room; room != nil && int64(room.Rows)*int64(room.PerRow) > mostEmpty {
		n := int64(room.Rows) * int64(room.PerRow)
		need = need.Plus(positionNeed.Times(float64(n)))
		positions = " in a room of " + english.Count(n, "rack position")
	}
	err := budget.Check(ctx, runtime.GOMAXPROCS(0), need, "planning %s and %s%s", english.Count(boxes, "box"),
		english.Count(counts.Links, "link"), positions)
	if err == nil {
		return nil
	}
	hint := ""
	if !e.summary {
		hint = "\na summary takes less: --summary"
	}
	return r.tooLarge(err, hint)
}

// placeNeed is what placing a box takes at least, as it was measured on tori of a million nodes.
var placeNeed = budget.Need{Bytes: 90, Seconds: 0.2e-6}

// tooLarge returns err, with a hint, as a mistake of the topology or the fabrics of the file.
func (r *resolved) tooLarge(err error, hint string) error {
	path := "topology"
	if len(r.spec.Fabrics) > 0 {
		path = "fabrics"
	}
	return diag.Fieldf(path, "%v%s", err, hint)
}
