package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine/spec"
)

// Omitted is what a sum of money leaves out. Every output that shows such a sum takes its words from here.
type Omitted struct {
	Parts  []string         // items without a price
	Levels []cost.NotInBill // levels of packaging for which the machine file names no part
	Cables int64            // that no product makes
}

// Omitted is what the total leaves out.
func (c *Cost) Omitted() Omitted { return Omitted{c.Excludes, c.NotInBill, c.Unmade} }

// OmittedOf is what the costs of the lines of the bill of some kinds leave out.
func (p *Plan) OmittedOf(kinds ...catalog.Kind) Omitted {
	var rows []cost.Row
	for i := range p.BOM {
		if slices.Contains(kinds, p.BOM[i].Kind) {
			rows = append(rows, p.BOM[i])
		}
	}
	out := OmittedOf(rows, nil)
	if slices.Contains(kinds, catalog.KindCable) {
		out.Cables = p.Cost.Unmade
	}
	return out
}

// Services counts the boxes that are neither nodes nor switches.
func (p *Plan) Services() int {
	n := 0
	for _, b := range p.Boxes {
		if b.Role == spec.Service {
			n += b.Qty
		}
	}
	return n
}

// NetworkOmitted is what the cost of the network leaves out.
func (p *Plan) NetworkOmitted() Omitted { return p.OmittedOf(cost.NetworkKinds...) }

// LinksOmitted is what the costs of levels and fabrics leave out.
func (p *Plan) LinksOmitted() Omitted {
	return p.OmittedOf(catalog.KindSwitch, catalog.KindCable, catalog.KindOptic)
}

// OmittedOf is what the total of the rows of a bill leaves out: items without a price, and the given levels. It does
// not know the cables that no product makes.
func OmittedOf(rows []cost.Row, levels []cost.NotInBill) Omitted {
	out := Omitted{Levels: levels}
	for i := range rows {
		if !rows[i].HasCost() {
			out.Parts = append(out.Parts, rows[i].Item.String())
		}
	}
	return out
}

// Short says in a few words what is left out, for the space beside the sum: "without 4 unpriced parts and 2 levels of
// packaging". It is empty where the sum is complete.
func (o Omitted) Short() string {
	var out []string
	if n := len(o.Parts); n > 0 {
		out = append(out, english.Count(n, "unpriced part"))
	}
	if n := len(o.Levels); n > 0 {
		out = append(out, english.Count(n, "level")+" of packaging")
	}
	if o.Cables > 0 {
		out = append(out, o.unmade())
	}
	if out == nil {
		return ""
	}
	return "without " + english.List(out)
}

// Sentences name everything that is left out: "The total excludes 2 unpriced parts: a, b." There are none where the sum
// is complete.
func (o Omitted) Sentences() []string {
	var out []string
	if n := len(o.Parts); n > 0 {
		out = append(out, fmt.Sprintf("The total excludes %s: %s.", english.Count(n, "unpriced part"),
			strings.Join(o.Parts, ", ")))
	}
	if s := o.Unbilled(); s != "" {
		out = append(out, strings.ToUpper(s[:1])+s[1:]+".")
	}
	return out
}

// unmade counts the cables that no product makes, in words.
func (o Omitted) unmade() string {
	return english.Count(o.Cables, "cable") + " that no product makes"
}

// Unbilled says what has no line in a bill, for a line beside its total: "not in the bill: rack (432) and shelf
// (3,312), for which the machine file names no part; 12 cables that no product makes". It is empty where there is
// nothing.
func (o Omitted) Unbilled() string {
	var out []string
	for _, l := range o.Levels {
		out = append(out, l.String())
	}
	var all []string
	if out != nil {
		all = append(all, english.List(out)+", for which the machine file names no part")
	}
	if o.Cables > 0 {
		all = append(all, o.unmade())
	}
	if all == nil {
		return ""
	}
	return "not in the bill: " + strings.Join(all, "; ")
}
