package machine

import (
	"fmt"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/units"
)

// ConsolidationReport says what fewer products cost, at the prices of the
// smallest quantity and without spares.
type ConsolidationReport struct {
	Most     int              `json:"most"`
	Per      string           `json:"per"`
	Before   int              `json:"products_before"`
	After    int              `json:"products"`
	Extra    units.Money      `json:"extra_cost"`
	Metres   units.Length     `json:"extra_length_m"`
	Replaced []ReplacedReport `json:"replaced"`
}

// ReplacedReport is a length that is bought in another one.
type ReplacedReport struct {
	Part  string       `json:"part"`
	From  units.Length `json:"length_m"`
	To    units.Length `json:"bought_length_m"`
	Qty   int64        `json:"qty"`
	Extra units.Money  `json:"extra_cost"`
}

// consolidation is nil where products were not consolidated.
func (p *Result) consolidation() *ConsolidationReport {
	c, asked := p.Schedule.Consolidated, p.Spec.Cabling.Consolidate
	if c == nil || asked == nil {
		return nil
	}
	out := &ConsolidationReport{
		Most: asked.Most, Per: asked.Per, Before: c.Before, After: c.After, Extra: c.Extra,
		Metres: round(c.Metres), Replaced: []ReplacedReport{},
	}
	for _, r := range c.Replaced {
		out.Replaced = append(out.Replaced, ReplacedReport{r.Part.ID, r.From, r.To, r.Qty, r.Extra})
	}
	return out
}

// consolidatedNotes say where there are more products than asked for.
func consolidatedNotes(s *cabling.Schedule, spec *Spec) []string {
	c, asked := s.Consolidated, spec.Cabling.Consolidate
	if c == nil || c.Least == 0 {
		return nil
	}
	of := "in all"
	if asked.Per == PerFamily {
		of = "of a family"
	}
	return []string{fmt.Sprintf("at most %d cable products %s were asked for; %d are the fewest, "+
		"as every family in use needs one and no optic may be out of reach", asked.Most, of, c.Least)}
}
