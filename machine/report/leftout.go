package report

import (
	"cmp"
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
	Kinds  []UnpricedKind   // the kinds of these items; empty where they are not known
	Levels []cost.NotInBill // levels of packaging for which the machine file names no part
	Cables int64            // that no product makes
}

// UnpricedKind is a kind of parts of which some in a bill have no price.
type UnpricedKind struct {
	Kind  catalog.Kind `json:"kind"`  // as in the bill
	Parts int          `json:"parts"` // parts without a price, of any length
	// All reports whether no part of the kind in the bill has a price.
	All bool `json:"all"`
}

// nounsOf are the plurals of kinds of parts whose words are not made by adding an s.
var nounsOf = map[catalog.Kind][2]string{
	catalog.KindService: {"service box", "service boxes"},
	catalog.KindChassis: {"chassis", "chassis"},
	catalog.KindLabour:  {"labour", "labour"},
}

// NounOf is what one and what several parts of a kind are called: "switch", "switches".
func NounOf(kind catalog.Kind) (one, several string) {
	if n, ok := nounsOf[kind]; ok {
		return n[0], n[1]
	}
	return string(kind), english.Plural(2, string(kind))
}

// String names the kind: "switches" where none has a price, else "2 kinds of switch".
func (k UnpricedKind) String() string {
	one, several := NounOf(k.Kind)
	if k.All {
		return several
	}
	return english.Count(k.Parts, "kind") + " of " + one
}

// isNetwork reports whether none of the switches or none of the cables has a price, so that a total says little.
func (k UnpricedKind) isNetwork() bool {
	return k.All && (k.Kind == catalog.KindSwitch || k.Kind == catalog.KindCable)
}

// Omitted is what the total leaves out.
func (c *Cost) Omitted() Omitted { return Omitted{c.Excludes, c.UnpricedKinds, c.NotInBill, c.Unmade} }

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
	out := Omitted{Levels: levels, Kinds: unpricedKinds(rows)}
	for i := range rows {
		if !rows[i].HasCost() {
			out.Parts = append(out.Parts, rows[i].Item.String())
		}
	}
	return out
}

// unpricedKinds are the kinds of which a row has no price, in the order of the catalog.
func unpricedKinds(rows []cost.Row) []UnpricedKind {
	parts, priced := map[catalog.Kind]map[string]bool{}, map[catalog.Kind]bool{}
	for i := range rows {
		r := &rows[i]
		if r.HasCost() {
			priced[r.Kind] = true
			continue
		}
		if parts[r.Kind] == nil {
			parts[r.Kind] = map[string]bool{}
		}
		parts[r.Kind][r.Item.Part] = true
	}
	var out []UnpricedKind
	for kind, of := range parts {
		out = append(out, UnpricedKind{kind, len(of), !priced[kind]})
	}
	slices.SortFunc(out, func(x, y UnpricedKind) int {
		return cmp.Compare(slices.Index(catalog.Kinds, x.Kind), slices.Index(catalog.Kinds, y.Kind))
	})
	return out
}

// mostKinds is how many kinds beside switches and cables Omitted.Short names at most, so that it fits into the title of
// a floor plan.
const mostKinds = 4

// unpriced names the kinds of parts without a price, after "without": "any price of switches and cables, nor of racks"
// where all switches and cables are among them, else "the price of nodes and 2 kinds of cable".
func (o Omitted) unpriced() string {
	if len(o.Kinds) == 0 {
		return english.Count(len(o.Parts), "unpriced part")
	}
	var network, other []string
	for _, k := range o.Kinds {
		if k.isNetwork() {
			network = append(network, k.String())
		} else {
			other = append(other, k.String())
		}
	}
	if len(other) > mostKinds { // the sentences beside the sum name all
		left := len(other) - mostKinds + 1
		other = append(other[:mostKinds-1:mostKinds-1], english.Count(left, "other kind")+" of part")
	}
	switch {
	case network == nil:
		return "the price of " + english.List(other)
	case other == nil:
		return "any price of " + english.List(network)
	}
	return "any price of " + english.List(network) + ", nor of " + english.List(other)
}

// Short says in a few words what is left out, for the space beside the sum: "without the price of nodes and 2 kinds of
// cable". Switches and cables come first where none of them has a price. It is empty where the sum is complete.
func (o Omitted) Short() string {
	var out []string
	if n := len(o.Levels); n > 0 {
		out = append(out, english.Count(n, "level")+" of packaging")
	}
	if o.Cables > 0 {
		out = append(out, o.unmade())
	}
	rest := english.List(out)
	switch {
	case len(o.Parts) == 0 && out == nil:
		return ""
	case len(o.Parts) == 0:
		return "without " + rest
	case out == nil:
		return "without " + o.unpriced()
	}
	return "without " + o.unpriced() + ", and without " + rest
}

// Sentences name everything that is left out: "The total excludes 2 unpriced parts: a, b." They start with the switches
// and cables where none of them has a price. There are none where the sum is complete.
func (o Omitted) Sentences() []string {
	var out, network []string
	for _, k := range o.Kinds {
		if one, _ := NounOf(k.Kind); k.isNetwork() {
			network = append(network, "no "+one)
		}
	}
	if network != nil {
		out = append(out, capital(english.List(network))+" has a price.")
	}
	if n := len(o.Parts); n > 0 {
		out = append(out, fmt.Sprintf("The total excludes %s: %s.", english.Count(n, "unpriced part"),
			strings.Join(o.Parts, ", ")))
	}
	if s := o.Unbilled(); s != "" {
		out = append(out, capital(s)+".")
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

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
