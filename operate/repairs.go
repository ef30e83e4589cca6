package operate

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
)

// Repair is what is expected to fail of one part, or of one kind of links.
type Repair struct {
	// Of is what fails: `access-link`, `link`, `leaf`, `switch`, `node`, `service`, `adapter`, `optic`, `cable`,
	// `panel`, `supply` or `laser`.
	Of Subject `json:"of"`
	// Part is the id of the part; of links the names of their levels, of supplies and lasers the part of their boxes.
	Part   string `json:"part"`
	Pieces int64  `json:"pieces"` // how many of them the plan has
	// RepairsPerMonth is how many of all pieces are expected to fail in a month of 730 hours; null where no rate is
	// known.
	RepairsPerMonth *Range `json:"repairs_per_month"`
	// Hours is the work of one repair of one piece; null where it is not known.
	Hours *Duration `json:"repair_hours"`
	// Source is where the rate is from; empty where none is known.
	Source     string             `json:"source"`
	Confidence catalog.Confidence `json:"confidence,omitempty"` // how good the rate is; left out where none is known
	// whether the parts are of links that have a rate of their own, so that they count for spares only
	Within bool `json:"within_links,omitempty"`

	monthly Range // of one piece
}

// known reports whether the rate is known.
func (r *Repair) known() bool { return r.RepairsPerMonth != nil }

// Spare is how many spares of a part cover the demand of a lead time.
type Spare struct {
	Of   Subject `json:"of"`   // the kind of part
	Part string  `json:"part"` // its id, of cables with the length; of supplies and lasers the part of their boxes
	// Pieces is how many of them the plan has.
	Pieces int64 `json:"pieces"`
	// Demand is how many are expected to be replaced while a spare is on its way.
	Demand float64 `json:"demand_in_lead_time"`
	// Spares is the least number that the demand does not exceed with the probability `service_level`.
	Spares int64 `json:"spares"`
	OnBill int64 `json:"spares_on_bill"` // spares that the bill of materials has
}

// inventory counts what can fail.
type inventory struct {
	rates   *Rates
	plan    *machine.Result
	leaf    []bool  // by vertex: a switch that a node or a service box is linked to
	access  []bool  // by topology level: all links join a switch and a box that is none
	links   []int64 // by topology level
	ofBoxes []int64 // of the links, those between a switch and a box that is not a switch
	ofNodes []int64 // of those, the links of nodes
	repairs []Repair
	demand  map[spareKey]*demand
}

type spareKey struct {
	of   Subject
	item string
}

// demand is what is replaced of an item in a month.
type demand struct {
	pieces  int64
	monthly float64
	onBill  int64
}

// isService reports whether the boxes of a kind are neither nodes nor switches.
func isService(plan *machine.Result, kind int) bool {
	return kind < len(plan.Spec.Boxes) && plan.Spec.Boxes[kind].Role == spec.Service
}

// isNode reports which vertices are nodes, by vertex.
func isNode(plan *machine.Result) []bool {
	var out []bool
	for i, k := range plan.Schedule.Kinds {
		node := k.Role != topology.Switch && !isService(plan, i)
		out = append(out, slices.Repeat([]bool{node}, k.Count)...)
	}
	return out
}

// newInventory counts all that can fail of a plan.
func newInventory(plan *machine.Result, rates *Rates) *inventory {
	c := &inventory{rates: rates, plan: plan, demand: map[spareKey]*demand{}}
	var end []bool // by vertex: no switch
	for _, k := range plan.Schedule.Kinds {
		end = append(end, slices.Repeat([]bool{k.Role != topology.Switch}, k.Count)...)
	}
	node := isNode(plan)
	levels := plan.Graph.Levels()
	c.leaf = make([]bool, len(end))
	c.ofBoxes, c.ofNodes = make([]int64, len(levels)), make([]int64, len(levels))
	c.access, c.links = slices.Repeat([]bool{true}, len(levels)), make([]int64, len(levels))
	for l := range plan.Graph.Links() {
		c.links[l.Level] += int64(l.Channels(levels))
		if end[l.A] == end[l.B] {
			c.access[l.Level] = false
			continue
		}
		c.ofBoxes[l.Level] += int64(l.Channels(levels))
		if node[l.A] || node[l.B] {
			c.ofNodes[l.Level] += int64(l.Channels(levels))
		}
		c.leaf[l.A], c.leaf[l.B] = c.leaf[l.A] || !end[l.A], c.leaf[l.B] || !end[l.B]
	}
	c.countLinks()
	c.countBoxes()
	c.countParts()
	return c
}

// subject returns AccessLink or Link: what the links of a level are.
func (c *inventory) subject(level int) Subject {
	if c.access[level] {
		return AccessLink
	}
	return Link
}

// add appends a row of repairs for pieces of a part and returns it, nil for no pieces; the row is valid until the next
// call. The part is nil for links. Within says that the pieces belong to links with a rate, so that they are in no sum.
func (c *inventory) add(of Subject, name string, part *catalog.Part, pieces int64, within bool) *Repair {
	if pieces <= 0 {
		return nil
	}
	row := Repair{Of: of, Part: name, Pieces: pieces, Within: within}
	if rate := c.rates.of(of, part); rate != nil {
		row.monthly = rate.monthly()
		n := float64(pieces)
		m := row.monthly
		row.RepairsPerMonth = &Range{float64(m.Low * n), float64(m.Likely * n), float64(m.High * n)}
		row.Source, row.Confidence, row.Hours = rate.Source, rate.Confidence, c.rates.work(of)
	}
	c.repairs = append(c.repairs, row)
	return &c.repairs[len(c.repairs)-1]
}

// want adds pieces of an item to the demand for spares, at the rate of row; nothing if row is nil or has no known rate.
// OnBill is how many spares of the item the bill has.
func (c *inventory) want(of Subject, item string, pieces, onBill int64, row *Repair) {
	if row == nil || !row.known() {
		return
	}
	key := spareKey{of, item}
	d := c.demand[key]
	if d == nil {
		d = &demand{}
		c.demand[key] = d
	}
	d.pieces += pieces
	d.monthly += float64(row.monthly.Likely * float64(pieces))
	d.onBill = max(d.onBill, onBill)
}

// countLinks counts the links that have a rate of their own, access links together and the others together.
func (c *inventory) countLinks() {
	for _, of := range []Subject{AccessLink, Link} {
		var names []string
		pieces := int64(0)
		for level, l := range c.plan.Graph.Levels() {
			if c.subject(level) == of && c.links[level] > 0 {
				names = append(names, l.Name)
				pieces += c.links[level]
			}
		}
		if c.rates.of(of, nil) != nil {
			c.add(of, strings.Join(names, ", "), nil, pieces, false)
		}
	}
}

// countBoxes counts switches, nodes, their power inlets and laser modules.
func (c *inventory) countBoxes() {
	for i, k := range c.plan.Schedule.Kinds {
		part := c.plan.Schedule.Boxes[i].Part
		onBill := c.onBill(part.ID)
		if k.Role != topology.Switch {
			of := Node
			if isService(c.plan, i) {
				of = Service
			}
			c.want(of, part.ID, int64(k.Count), onBill, c.add(of, part.ID, part, int64(k.Count), false))
		} else {
			leaves := int64(0)
			for v := k.First; v < k.First+k.Count; v++ {
				if c.leaf[v] {
					leaves++
				}
			}
			others := int64(k.Count) - leaves
			c.want(Switch, part.ID, leaves, onBill, c.add(Leaf, part.ID, part, leaves, false))
			c.want(Switch, part.ID, others, onBill, c.add(Switch, part.ID, part, others, false))
		}
		inlets := int64(0)
		for kind, n := range part.Inlets {
			if kind != "busbar" {
				inlets += int64(n * k.Count)
			}
		}
		c.want(Supply, part.ID, inlets, 0, c.add(Supply, part.ID, part, inlets, false))
		lasers := int64(part.Lasers * k.Count)
		c.want(Laser, part.ID, lasers, 0, c.add(Laser, part.ID, part, lasers, false))
	}
}

// onBill is the number of spares that the bill has of a part, by id; 0 where it has none.
func (c *inventory) onBill(id string) int64 {
	for i := range c.plan.Bill.Rows {
		if r := &c.plan.Bill.Rows[i]; r.Item.Part == id {
			return r.Spares
		}
	}
	return 0
}

// subjects are the kinds of parts whose quantities are those of the bill.
var subjects = map[catalog.Kind]Subject{
	catalog.KindAdapter: Adapter, catalog.KindCable: Cable, catalog.KindOptic: Optic, catalog.KindPanel: PatchPanel,
}

// partCount is how many pieces of a part the plan has, and how many of them are of links that have a rate.
type partCount struct {
	part           *catalog.Part
	pieces, within int64
}

// countParts counts what the bill has by the piece, and optics inside boxes.
func (c *inventory) countParts() {
	within, built := map[catalog.Item]int64{}, map[*catalog.Part]*partCount{}
	for level, tallies := range c.plan.Schedule.Tallies {
		rated := c.rates.of(c.subject(level), nil) != nil
		for i := range tallies {
			t := &tallies[i]
			for product, n := range t.Product {
				p := &c.plan.Schedule.Products[product]
				if rated {
					within[p.Item()] += n
				}
				for at, optic := range []*catalog.Part{p.OpticA, p.OpticB} {
					if optic == nil || !optic.IsBuiltIn() {
						continue
					}
					plugs := n
					if (at == 0) == p.NearB {
						plugs *= int64(p.Part.Cable.FarPlugs())
					}
					b := built[optic]
					if b == nil {
						b = &partCount{part: optic}
						built[optic] = b
					}
					b.pieces += plugs
					if rated {
						b.within += plugs
					}
				}
			}
			if rated {
				for optic, n := range t.Optics {
					within[optic.Item(0)] += n
				}
			}
		}
	}
	var order []string
	parts := map[string]*partCount{}
	of := map[string]Subject{}
	for i := range c.plan.Bill.Rows {
		r := &c.plan.Bill.Rows[i]
		subject, ok := subjects[r.Kind]
		part := c.plan.Catalog.Part(r.Item.Part)
		if !ok || part == nil || r.Qty == 0 {
			continue
		}
		p := parts[part.ID]
		if p == nil {
			p = &partCount{part: part}
			parts[part.ID], of[part.ID] = p, subject
			order = append(order, part.ID)
		}
		p.pieces += r.Qty
		p.within += min(within[r.Item], r.Qty)
		if rate := c.rates.of(subject, part); rate != nil {
			row := Repair{RepairsPerMonth: &Range{}, monthly: rate.monthly()}
			c.want(subject, r.Item.String(), r.Qty, r.Spares, &row)
		}
	}
	for _, id := range order {
		p := parts[id]
		c.add(of[id], id, p.part, p.pieces-p.within, false)
		c.add(of[id], id, p.part, p.within, true)
	}
	for _, p := range slices.SortedFunc(maps.Values(built), func(a, b *partCount) int {
		x, y := a.part.Optic, b.part.Optic
		return cmp.Or(cmp.Compare(x.Standard, y.Standard), cmp.Compare(x.Plug, y.Plug), cmp.Compare(x.Rate, y.Rate))
	}) {
		name := fmt.Sprintf("%s behind %s", p.part.ID, p.part.Optic.Plug)
		c.add(Optic, name, p.part, p.pieces-p.within, false)
		c.add(Optic, name, p.part, p.within, true)
	}
}

// sortedParts lists parts by id.
func sortedParts(of map[*catalog.Part]int64) []*catalog.Part {
	return slices.SortedFunc(maps.Keys(of), func(a, b *catalog.Part) int { return cmp.Compare(a.ID, b.ID) })
}

// spares lists, for every item with a known rate, the spares that cover a lead time, in months, with the probability
// level; the item with the highest demand comes first.
func (c *inventory) spares(months, level float64) []Spare {
	out := []Spare{}
	for key, d := range c.demand {
		demand := float64(d.monthly * months)
		out = append(out, Spare{
			Of: key.of, Part: key.item, Pieces: d.pieces, Demand: demand, Spares: PoissonQuantile(demand, level),
			OnBill: d.onBill,
		})
	}
	slices.SortFunc(out, func(a, b Spare) int {
		return cmp.Or(cmp.Compare(b.Demand, a.Demand), cmp.Compare(a.Of, b.Of), cmp.Compare(a.Part, b.Part))
	})
	return out
}

// PoissonQuantile returns the smallest number that a Poisson variable of the mean does not exceed with at least the
// given probability, which must be from 0 to below 1. It is the newsvendor's stock where a shortage costs
// level/(1-level) times as much as a piece that is left over.
func PoissonQuantile(mean, level float64) int64 {
	if mean <= 0 {
		return 0
	}
	// What is left out on either side has a probability below 1e-30.
	wide := 12*math.Sqrt(mean) + 60
	last := mean + wide
	k := max(0, math.Floor(mean-wide))
	for sum := 0.0; ; k++ {
		lg, _ := math.Lgamma(k + 1)
		sum += math.Exp(float64(k*math.Log(mean)) - mean - lg)
		if sum >= level || k > last {
			return int64(k)
		}
	}
}
