package report

import (
	"fmt"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/units"
)

// Cable says where everything about a cable comes from.
type Cable struct {
	Cable string `json:"cable"` // its id in the cable schedule, such as C0042
	// Product is its part with the length as bought; empty where none fits.
	Product string `json:"product"`
	// Medium is of the product, such as `passive-copper`; empty where there is none.
	Medium string `json:"medium"`
	// Length is the required length, slack included; of several links the greatest.
	Length units.Length `json:"length_m"`
	Stock  units.Length `json:"stock_length_m"` // as bought; 0 without a product
	// FromStock tells that the cable comes out of the store; left out where it is bought.
	FromStock bool `json:"from_stock,omitempty"`
	// Colour is that of cabling.colours; left out where none is stated.
	Colour string `json:"colour,omitempty"`
	// Instead is the length that was chosen, where another one is bought to have fewer products; left out elsewhere.
	Instead units.Length `json:"chosen_length_m,omitempty"`
	Links   []Link       `json:"links"` // all that the cable carries
	// Ways is the same links from box to box, where they run over patch panels; left out elsewhere.
	Ways []Way `json:"links_over_panels,omitempty"`
	// Rule is the number of the media rule that decides, from 1; 0 where the machine file has none, -1 where none
	// matches.
	Rule     int    `json:"media_rule"`
	RuleText string `json:"media_rule_text"` // what that rule says
	// Apart is why links that end in one cage have a cable each; left out where the question does not arise.
	Apart string `json:"apart,omitempty"`
	// Options are the products that fit, and those that nearly do, the chosen one first.
	Options []Option `json:"options"`
	// Elsewhere is cable families of the catalog whose plugs fit neither port; they are not among the options.
	Elsewhere int    `json:"families_of_other_connectors"`
	Currency  string `json:"currency"` // the ISO 4217 code for all money in the document
	// Prices is those of the cable and of its optics; empty without a product.
	Prices []Price `json:"prices"`
	// Labour is the installing of the cable, by the smallest container that holds all its ends: the line of the bill.
	Labour Price `json:"labour"`
}

// Link is a link that a cable carries.
type Link struct {
	A           string       `json:"a_label"`      // place, box and port at one end
	B           string       `json:"b_label"`      // place, box and port at the other
	Level       string       `json:"level"`        // that of the topology
	LayoutLevel string       `json:"layout_level"` // that of the smallest container that holds both ends
	PortA       string       `json:"a_port_kind"`  // the kind of port at the first end
	PortB       string       `json:"b_port_kind"`  // the kind of port at the other
	Length      units.Length `json:"length_m"`     // required length, slack included
	// Pieces are what the length is made of, end to end and with slack.
	Pieces []Piece `json:"pieces"`
}

// Way is a link over patch panels or a shuffle, from box to box.
type Way struct {
	A      string       `json:"a_label"`  // place, box and port at one end
	B      string       `json:"b_label"`  // place, box and port at the other
	Length units.Length `json:"length_m"` // of its three cables together, as needed
	Cables []WayCable   `json:"cables"`   // a cord, a trunk and a cord; over a shuffle, two cords
	// Octopus says that the cables are octopus cables that meet in a panel; left out where they are not.
	Octopus bool `json:"octopus,omitempty"`
	// Strands are its fibres; left out where its plugs have none for each lane, or a cable is missing.
	Strands []Strand `json:"strands,omitempty"`
	// Dark are the positions of the plug of the transceiver at end A that carry no light.
	Dark []int `json:"dark_positions,omitempty"`
}

// Strand is a fibre of a link, from the transmitter at one end to the receiver at the other.
type Strand struct {
	Lane int  `json:"lane"`        // of the link, from 1
	Back bool `json:"from_b_to_a"` // false for a fibre from A to B
	// At are the positions of the fibre in the plugs that it passes, at each end of each cable.
	At []int `json:"positions"`
	// Lost says where it leads in place of the receiver; left out of one that arrives.
	Lost string `json:"lost,omitempty"`
}

// WayCable is a cable on a link's way.
type WayCable struct {
	Cable string `json:"cable"` // its id in the cable schedule, such as C0042
	// Product is its part with the length as bought; empty where none fits.
	Product string       `json:"product"`
	Length  units.Length `json:"length_m"` // as needed, slack included
	// Polarity is its type: A, B or C, or A-to-B or A-to-A of a duplex cord; left out of one that has none.
	Polarity string `json:"polarity,omitempty"`
}

// Piece is a named piece of a length.
type Piece struct {
	Name   string       `json:"name"`     // what it is
	Length units.Length `json:"length_m"` // what it adds
}

// Option is a product that was considered.
type Option struct {
	// Product is the part, with the length it would be bought in where it reaches.
	Product string `json:"product"`
	// Optics is their parts at both ends, or at the end that is not a panel's; `built-in` and a standard stand for
	// those inside a box. Left out where the cable has plugs of its own.
	Optics []string `json:"optics,omitempty"`
	// Verdict is `chosen`, `store` where a piece is taken from there, or what speaks against it: `price`, `cage` that
	// holds another transceiver, `reach`, `policy`
	// of the media rules or trays, `rate`, `lanes` or `connector`.
	Verdict cabling.Verdict `json:"verdict"`
	Why     string          `json:"why"` // the verdict in words
	// Cost is that of all links of the cable with their optics, at the unit costs of the bill; of pieces that are not
	// bought, at the price of the smallest quantity on offer. Null without a price.
	Cost *units.Money `json:"cost"`
}

// Price is the price of a part as the bill has it.
type Price struct {
	Part string `json:"part"` // the part, with the length for a cable
	Qty  int64  `json:"qty"`  // pieces that are bought, with spares
	// Unit is of a piece, as in the bill; null where no price is known.
	Unit *units.Money `json:"unit_cost"`
	// From is the price set or quote that the price is from, `machine file` for one of its own; empty without a
	// price.
	From       string             `json:"price_from"`
	Source     string             `json:"price_source"`     // where that has the price from
	Confidence catalog.Confidence `json:"price_confidence"` // how good the price is; docs/catalog.md
	// PartSource is where the catalog has the part's figures from; empty for labour.
	PartSource string `json:"part_source"`
}

// NewCable reports an explanation, with the media rules and the bill of the plan.
func NewCable(e *cabling.Explanation, rules []spec.MediaRule, bill *cost.Bill) *Cable {
	s := e.Schedule
	out := &Cable{
		Cable: s.CableID(e.Cable), Length: Round(e.Need), Rule: e.Rule, RuleText: ruleText(rules, e.Rule),
		Apart: e.Apart, Elsewhere: e.Elsewhere, Currency: bill.Currency, Options: []Option{}, Prices: []Price{},
	}
	for i := range e.Links {
		seg := &e.Links[i]
		l := Link{
			A: s.Label(seg.A, seg.PortA), B: s.Label(seg.B, seg.PortB), PortA: s.PortKind(seg.A, seg.PortA),
			PortB: s.PortKind(seg.B, seg.PortB),
			Level: s.Graph.Levels()[seg.Level].Name, LayoutLevel: s.Placement.Layout.Levels[seg.Within].Name,
			Length: Round(seg.Length),
		}
		for _, piece := range s.Pieces(seg) {
			l.Pieces = append(l.Pieces, Piece{piece.Name, Round(piece.Length)})
		}
		out.Links = append(out.Links, l)
	}
	within := len(s.Placement.Layout.Levels) - 1
	for i := range e.Links {
		within = min(within, int(e.Links[i].Within))
	}
	out.Labour = newPrice(bill, catalog.Item{Part: cost.InstallLabour(s.Placement.Layout, within)}, "")
	for i := range e.Ways {
		out.Ways = append(out.Ways, newWay(s, e.Ways[i]))
	}
	for _, o := range e.Options {
		r := Option{Product: o.Part.ID, Verdict: o.Verdict, Why: o.Why}
		if o.Length > 0 {
			r.Product = o.Part.Item(o.Length).String()
		}
		for _, optic := range []*catalog.Part{o.OpticA, o.OpticB} { // a patch cord in stock has one at one end only
			if optic != nil {
				r.Optics = append(r.Optics, optic.ID)
			}
		}
		if o.Priced {
			r.Cost = &o.Cost
		}
		out.Options = append(out.Options, r)
	}
	if product := e.Product; product != nil {
		out.Product, out.Medium, out.Stock = product.Item().String(), string(product.Part.Cable.Medium),
			Round(product.Length)
		out.Colour = s.Colour(&e.Links[0])
		out.Instead, out.FromStock = Round(e.Instead), product.Stock
		out.Prices = append(out.Prices, newPrice(bill, product.Item(), product.Part.Source))
		transceivers := product.Transceivers()
		for _, optic := range transceivers {
			if optic != nil && (optic != transceivers[0] || len(out.Prices) == 1) {
				out.Prices = append(out.Prices, newPrice(bill, optic.Item(0), optic.Source))
			}
		}
	}
	return out
}

// newPrice returns the price of an item as its row of the bill has it; without a row, only Part and PartSource.
func newPrice(bill *cost.Bill, item catalog.Item, source string) Price {
	out := Price{Part: item.String(), PartSource: source}
	for i := range bill.Rows {
		if r := &bill.Rows[i]; r.Item == item {
			out.Qty, out.Unit, out.From, out.Source, out.Confidence = r.Buy, r.UnitCost, r.From, r.Source,
				r.Confidence
		}
	}
	return out
}

// ruleText is what a media rule says.
func ruleText(rules []spec.MediaRule, rule int) string {
	switch {
	case rule == 0:
		return "no media rules: anything that fits both ports"
	case rule < 0:
		return "no media rule matches"
	}
	m := &rules[rule-1]
	var text []string
	if len(m.Levels) > 0 {
		text = append(text, "levels "+strings.Join(m.Levels, ", "))
	}
	if len(m.Boxes) > 0 {
		text = append(text, "boxes "+strings.Join(m.Boxes, ", "))
	}
	if m.Within != "" {
		text = append(text, "within a "+m.Within)
	}
	if m.Beyond != "" {
		text = append(text, "beyond a "+m.Beyond)
	}
	if m.Longest > 0 {
		text = append(text, fmt.Sprintf("at most %v", m.Longest))
	}
	if len(text) == 0 {
		text = append(text, "all links")
	}
	ends := ""
	for i, kind := range m.Ends {
		ends += []string{", with ends ", " or "}[min(i, 1)] + string(kind)
	}
	return strings.Join(text, ", ") + ": use " + strings.Join(m.Use, ", ") + ends
}

// Part says what a plan has of a part.
type Part struct {
	Part     *catalog.Part `json:"part"`
	Currency string        `json:"currency"` // the ISO 4217 code for all money in the document
	Rows     []cost.Row    `json:"bom"`      // lines of the bill with the part; cables by length
	// Uses is how many pieces links take, by level of the topology and of the layout.
	Uses []Use `json:"uses"`
}

// Use counts pieces by level of the topology and of the layout.
type Use struct {
	Product catalog.Item `json:"product"` // the part, with the length for a cable
	Level   string       `json:"level"`   // that of the topology
	// LayoutLevel is that of the smallest container that holds both ends of a link.
	LayoutLevel string `json:"layout_level"`
	// Qty is pieces, without spares; optics where links are the first to use them.
	Qty int64 `json:"qty"`
}

// NewPart reports what a schedule and its bill have of those items of a part that
// are wanted.
func NewPart(part *catalog.Part, s *cabling.Schedule, bill *cost.Bill, wanted func(catalog.Item) bool) *Part {
	out := &Part{Part: part, Currency: bill.Currency, Rows: []cost.Row{}, Uses: []Use{}}
	for _, r := range bill.Rows {
		if wanted(r.Item) {
			out.Rows = append(out.Rows, r)
		}
	}
	use := func(item catalog.Item, level, within int, n int64) {
		if n > 0 && wanted(item) {
			out.Uses = append(out.Uses, Use{
				item, s.Graph.Levels()[level].Name, s.Placement.Layout.Levels[within].Name,
				n,
			})
		}
	}
	for level, row := range s.Tallies {
		for within := range row {
			for i, n := range row[within].Product {
				use(s.Products[i].Item(), level, within, n)
			}
			use(part.Item(0), level, within, row[within].Optics[part])
		}
	}
	return out
}
