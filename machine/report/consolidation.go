package report

import (
	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/units"
)

// Consolidation says what fewer products cost, at the prices of the
// smallest quantity and without spares.
type Consolidation struct {
	Most int `json:"most"` // the limit that the machine file asks for
	// Per is what the limit holds for: `family`, each cable family, or `all`, all together.
	Per    string `json:"per"`
	Before int    `json:"products_before"` // cable parts by length, as chosen link by link
	After  int    `json:"products"`        // cable parts by length, as bought
	// Extra is what the longer pieces cost more, at the price of the smallest quantity and without spares.
	Extra    units.Money  `json:"extra_cost"`
	Metres   units.Length `json:"extra_length_m"` // length ordered beyond the lengths that were chosen
	Replaced []Replaced   `json:"replaced"`       // the lengths that are no longer bought
}

// Replaced is a length that is bought in another one.
type Replaced struct {
	Part  string       `json:"part"`            // the id of the cable family
	From  units.Length `json:"length_m"`        // the length that was chosen
	To    units.Length `json:"bought_length_m"` // the length that is bought in its place
	Qty   int64        `json:"qty"`             // pieces, without spares
	Extra units.Money  `json:"extra_cost"`      // what they cost more, all together
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
