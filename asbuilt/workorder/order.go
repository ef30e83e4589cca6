package workorder

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
)

// Order is the work that changes one cabling into another, as steps of moves.
type Order struct {
	Machine string `json:"machine"` // the name of the machine as it is in the end
	From    string `json:"from"`    // the cabling before: `as found`, or the name of a plan
	To      string `json:"to"`      // the cabling in the end: `as planned`, or the name of a plan
	Steps   []Step `json:"steps"`   // one after the other
	// Take is the cables that are laid anew, by product.
	Take []Stock `json:"take"`
	// Return is the cables that are disconnected for good, by product where it is known.
	Return []Stock `json:"return"`
	// Labels is what has to be on cables that are laid, exchanged or plugged in elsewhere.
	Labels []Label  `json:"labels"`
	Faults []string `json:"faults"` // demands that no steps could keep
	// Moved says how many links move as the network grows, with a lower bound of that number; left out where none does.
	Moved string `json:"moved,omitempty"`
}

// Step is moves during which all boxes but those in Cut keep their paths. Its moves are in an order in which every port
// is free before a plug goes into it.
type Step struct {
	Step  int      `json:"step"`       // from 1
	Paths int      `json:"paths"`      // that are kept between every two boxes
	Share float64  `json:"up_percent"` // the least share of links that stay up, from 0 to 100, as plenum diff counts
	Cut   []string `json:"cut"`        // boxes without a path during the step
	Moves []Move   `json:"moves"`      // in the order in which they are done
	// Cap is the ports that are free after the step and were not before it.
	Cap []End `json:"cap"`
	// Uncap is the ports that are in use after the step and were free before it.
	Uncap []End `json:"uncap"`
}

// Do is the work of a move.
type Do string

// The kinds of work.
const (
	TakeOut  Do = "disconnect" // a cable at both ends, for good
	PullOut  Do = "pull out"   // a cable at both ends, to be laid again
	Unplug   Do = "unplug"     // one plug, which hangs until it is plugged in
	TakeAway Do = "take away"  // a box
	Stand    Do = "stand"      // a box in its new place
	MovePlug Do = "move"       // one plug from port to port
	PlugIn   Do = "plug in"    // a plug that hangs
	Lay      Do = "lay"        // a cable, at both ends
	Exchange Do = "exchange"   // a cable for another product between the same ports
)

// Sources of cables.
const (
	Reused    = "re-used"
	FromStock = "from stock"
	ToStock   = "to stock"
)

// Move is one piece of work on a cable or a box. The two ends of a cable that is disconnected or pulled out are From
// and Other, those of one that is laid To and Other.
type Move struct {
	Move int `json:"move"` // from 1, over all steps
	// Do is `disconnect`, `pull out`, `unplug`, `take away`, `stand`, `move`, `plug in`, `lay` or `exchange`.
	Do Do `json:"do"`
	// Cable is the id that the cable has in the end, or the id that it had if it is disconnected for good; empty where
	// no plan has it.
	Cable   string `json:"cable,omitempty"`
	Product string `json:"product,omitempty"` // of the cable, or the part of a box; empty where it is not known
	// Source is `re-used`, `from stock` or `to stock`; empty of boxes.
	Source string `json:"source,omitempty"`
	// From is the port that a plug leaves, or the place that a box does.
	From *End `json:"from,omitempty"`
	// To is the port that a plug goes to, or the place of a box.
	To *End `json:"to,omitempty"`
	// Other is the other end of the cable.
	Other *End `json:"other,omitempty"`
	// Was is the id that the cable had before.
	Was string `json:"was,omitempty"`
	// Colour is that of the cable by cabling.colours, where it is laid, moved, plugged in or exchanged; left out where
	// none is stated.
	Colour string `json:"colour,omitempty"`
	Note   string `json:"note,omitempty"` // what else to look out for
}

// End is a port of a box, and where it is.
type End struct {
	Rack string `json:"rack,omitempty"` // or innermost container; empty of a box that no plan has
	Unit int    `json:"unit,omitempty"` // the lowest rack unit of the box, from 1; left out where there is none
	Box  string `json:"box"`            // its name
	Port string `json:"port,omitempty"` // as the box prints it
	// Label is what the label of the end says of it; empty of ports that no plan uses.
	Label string `json:"label,omitempty"`
}

// String returns the end as text: "A03 U12 leaf-03 p7". What is not known is left out.
func (e *End) String() string {
	var parts []string
	if e.Rack != "" {
		parts = append(parts, e.Rack)
	}
	if e.Unit > 0 {
		parts = append(parts, fmt.Sprintf("U%02d", e.Unit))
	}
	parts = append(parts, e.Box)
	if e.Port != "" {
		parts = append(parts, e.Port)
	}
	return strings.Join(parts, " ")
}

// Stock is the number of cables of a product.
type Stock struct {
	Product string `json:"product"`         // empty where it is not known
	Cables  int    `json:"cables"`          // how many
	Spares  int64  `json:"spares,omitzero"` // of the product in the bill; left out where there are none
}

// Label is the text that has to be on one end of a cable.
type Label struct {
	Cable string `json:"cable"` // its id
	End   string `json:"end"`   // A or B, as in cables.csv
	Near  string `json:"near"`  // the end at which it sticks
	Far   string `json:"far"`   // the other
	// Why is `new cable`, `other product`, `plugged in elsewhere`, or `other text` of a cable that stays.
	Why    string `json:"why"`
	Colour string `json:"colour,omitempty"` // of the cable; left out where none is stated
}

// Reasons for labels.
const (
	NewCable     = "new cable"
	OtherProduct = "other product"
	Elsewhere    = "plugged in elsewhere"
	Renamed      = "other text"
)

// socket identifies a port by the names of its box and of itself.
type socket struct{ box, port string }

// Number numbers steps and moves from 1, and replaces Cap and Uncap of every step: the ports that its moves leave free
// or take in all, by place. A port that one plug leaves and another takes in the same step is in neither.
func (o *Order) Number() {
	n := 0
	for i := range o.Steps {
		st := &o.Steps[i]
		st.Step = i + 1
		change := map[socket]int{} // 1 for a port that is taken, -1 for one that is left
		at := map[socket]End{}
		note := func(e *End, by int) {
			if e != nil && e.Port != "" {
				change[socket{e.Box, e.Port}] += by
				at[socket{e.Box, e.Port}] = *e
			}
		}
		for k := range st.Moves {
			m := &st.Moves[k]
			n++
			m.Move = n
			switch m.Do {
			case TakeOut, PullOut:
				note(m.From, -1)
				note(m.Other, -1)
			case Unplug:
				note(m.From, -1)
			case MovePlug:
				note(m.From, -1)
				note(m.To, 1)
			case Lay:
				note(m.To, 1)
				note(m.Other, 1)
			case PlugIn:
				note(m.To, 1)
			}
		}
		st.Cap, st.Uncap = []End{}, []End{}
		for s, by := range change {
			if by < 0 {
				st.Cap = append(st.Cap, at[s])
			} else if by > 0 {
				st.Uncap = append(st.Uncap, at[s])
			}
		}
		slices.SortFunc(st.Cap, compare)
		slices.SortFunc(st.Uncap, compare)
	}
}

// compare orders ends by the text of the rack, the unit, the text of the box and the port, shorter names of ports
// first.
func compare(a, b End) int {
	return cmp.Or(strings.Compare(a.Rack, b.Rack), cmp.Compare(a.Unit, b.Unit), strings.Compare(a.Box, b.Box),
		cmp.Compare(len(a.Port), len(b.Port)), strings.Compare(a.Port, b.Port))
}

// Moves returns the number of moves of all steps.
func (o *Order) Moves() int {
	n := 0
	for i := range o.Steps {
		n += len(o.Steps[i].Moves)
	}
	return n
}

// Count returns the stock of a number of cables by product, sorted by product, with the spares in a bill; it is never
// nil.
func Count(products map[string]int, bill []cost.Row) []Stock {
	spares := map[string]int64{}
	for i := range bill {
		if bill[i].Kind == catalog.KindCable {
			spares[bill[i].Item.String()] = bill[i].Spares
		}
	}
	out := []Stock{}
	for _, p := range slices.Sorted(maps.Keys(products)) {
		out = append(out, Stock{Product: p, Cables: products[p], Spares: spares[p]})
	}
	return out
}

// At returns the end for a port, from 0, of a vertex or panel v of a plan.
func At(s *cabling.Schedule, v int32, port uint16) *End {
	l, slot := s.Placement.Layout, s.Placement.Slot[v]
	return &End{
		Rack: l.Rack(slot), Unit: l.Unit(slot), Box: s.Device(v), Port: s.PortName(v, port), Label: s.Label(v, port),
	}
}

// LabelsOf returns the labels of all plugs of those cables of a plan for which reasons, by id of the cable, has an
// entry, in the order of labels.csv; it is never nil.
func LabelsOf(r *machine.Result, reasons map[string]string) []Label {
	out := []Label{}
	if len(reasons) == 0 {
		return out
	}
	for p := range render.Plugs(r, "") {
		if why, ok := reasons[p.Cable]; ok {
			out = append(out, Label{
				Cable: p.Cable, End: p.End, Near: p.Near.Label, Far: p.Far.Label, Why: why,
				Colour: p.Colour,
			})
		}
	}
	return out
}

// SetColours sets the colour of the moves that lay, plug in, move or exchange a cable of the plan r, which is that of
// the end. It changes nothing if the plan states no colours.
func (o *Order) SetColours(r *machine.Result) {
	s := r.Schedule
	if !s.HasColours() {
		return
	}
	moves := map[string][]*Move{}
	for i := range o.Steps {
		for k := range o.Steps[i].Moves {
			m := &o.Steps[i].Moves[k]
			if m.Cable != "" && slices.Contains([]Do{Lay, PlugIn, MovePlug, Exchange}, m.Do) {
				moves[m.Cable] = append(moves[m.Cable], m)
			}
		}
	}
	s.Each(func(cable int64, seg *cabling.Segment) bool {
		for _, m := range moves[s.CableID(cable)] {
			m.Colour = s.Colour(seg)
		}
		return true
	})
}
