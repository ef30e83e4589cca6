package report

import (
	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/units"
)

// Consolidation says what fewer products cost, at the prices of the
// smallest quantity and without spares.
type Consolidation struct {
	Most     int          `json:"most"`
	Per      string       `json:"per"`
	Before   int          `json:"products_before"`
	After    int          `json:"products"`
	Extra    units.Money  `json:"extra_cost"`
	Metres   units.Length `json:"extra_length_m"`
	Replaced []Replaced   `json:"replaced"`
}

// Replaced is a length that is bought in another one.
type Replaced struct {
	Part  string       `json:"part"`
	From  units.Length `json:"length_m"`
	To    units.Length `json:"bought_length_m"`
	Qty   int64        `json:"qty"`
	Extra units.Money  `json:"extra_cost"`
}

// NewConsolidation reports what was consolidated as asked for. It is nil where
// products were not.
func NewConsolidation(c *cabling.Consolidated, asked *spec.Consolidate) *Consolidation {
	if c == nil || asked == nil {
		return nil
	}
	out := &Consolidation{
		Most: asked.Most, Per: asked.Per, Before: c.Before, After: c.After, Extra: c.Extra,
		Metres: Round(c.Metres), Replaced: []Replaced{},
	}
	for _, r := range c.Replaced {
		out.Replaced = append(out.Replaced, Replaced{r.Part.ID, r.From, r.To, r.Qty, r.Extra})
	}
	return out
}
