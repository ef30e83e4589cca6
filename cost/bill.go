package cost

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Row is one line of the bill of materials.
type Row struct {
	Item catalog.Item `json:"part"` // the id of the part, with the length for a cable or hose
	// Kind is `node`, `switch`, `adapter`, `cable`, `optic`, `panel`, `midplane`, `chassis`, `frame`, `rack`, `tray`,
	// `hose`, `labour`, `freight` or `contingency`.
	Kind        catalog.Kind `json:"kind"`
	Description string       `json:"description,omitempty"` // as the catalog has it
	Qty         int64        `json:"qty"`                   // pieces that the machine takes; of labour, cables
	Spares      int64        `json:"spares"`                // pieces on top, as the machine file asks for
	// FromStock is how many of the pieces and spares come out of the store; left out where none do.
	FromStock int64 `json:"from_stock,omitzero"`
	// Buy is the pieces to buy: what the store does not have of pieces and spares, in whole packs.
	Buy int64 `json:"to_buy"`
	// Pack is the number of pieces in a pack; left out for parts bought by the piece.
	Pack int64 `json:"pack,omitzero"`
	// Colours divides the pieces of cables among the colours in which they are ordered, by name; left out where no
	// colours are stated.
	Colours []ColourQty `json:"colours,omitempty"`
	// UnitCost is of a piece, at the quantity that is bought; null where no price is known.
	UnitCost *units.Money `json:"unit_cost"`
	// Cost is that of all pieces to buy; null where some are and no price is known.
	Cost *units.Money `json:"cost"`
	// From is the price set or quote that the price is from, `machine file` for one of its own; left out without a
	// price.
	From string `json:"price_from,omitempty"`
	// Source is where that has the price from; left out without a price.
	Source string `json:"price_source,omitempty"`
	// Confidence is how good the price is: `datasheet`, `paper`, `derived`, `estimate` or `user`; docs/catalog.md.
	Confidence catalog.Confidence `json:"price_confidence,omitempty"`

	Maker      string `json:"maker,omitempty"`       // of the part, as the catalog has it
	PartNumber string `json:"part_number,omitempty"` // the maker's, by the quote or the catalog
	Supplier   string `json:"supplier,omitempty"`    // by the quote or the catalog
	// Lead is how long the supplier takes to deliver; left out where it is not stated.
	Lead units.Days `json:"lead_time_days,omitempty"`

	// Of is the amount that freight and contingency are a percentage of; left out of all other lines.
	Of *units.Money `json:"percentage_of,omitempty"`
	// Percent is what a line of freight or contingency is of the lines before.
	Percent float64 `json:"-"`

	// Low and High bound UnitCost; they equal it where no range is known.
	Low, High units.Money `json:"-"`

	Medium catalog.Medium `json:"-"` // of cables

	// Quoted tells that the price is from a supplier's quote.
	Quoted bool `json:"-"`
}

// HasCost reports whether the cost of the line is known. The cost of a line of which nothing is bought is known.
func (r *Row) HasCost() bool { return r.Cost != nil }

// Need returns the pieces of the line with spares, whether bought or in stock.
func (r *Row) Need() int64 { return r.Qty + r.Spares }

// Power is the power that the boxes, optics and cables of a machine draw, without spares. Nodes are all boxes that are
// not switches, services too; adapters count with their boxes, both ends of a cable with the cable.
type Power struct {
	Nodes, Switches, Optics, Cables units.Power
	Enclosures                      units.Power // midplanes, chassis and frames, without the boxes in them
}

// Total returns the sum of all parts.
func (p Power) Total() units.Power { return p.Nodes + p.Switches + p.Optics + p.Cables + p.Enclosures }

// NetworkKinds are the kinds of parts that count as the network in Bill.Network.
var NetworkKinds = []catalog.Kind{
	catalog.KindSwitch, catalog.KindAdapter, catalog.KindCable, catalog.KindOptic, catalog.KindPanel,
	catalog.KindMidplane,
}

// NetworkWords are NetworkKinds in words.
const NetworkWords = "switches, adapters, cables, optics, panels and midplanes"

// Bill is the bill of materials with its totals.
type Bill struct {
	Currency string
	Rows     []Row // by kind, then by part, cables by length
	ByKind   map[catalog.Kind]units.Money
	Total    units.Money // of all rows that have a cost, freight and contingency included
	// Network is what the network costs: the parts of NetworkKinds, spares included. Nodes, chassis, frames, racks,
	// trays, hoses, labour, freight and contingency are not in it.
	Network units.Money
	// Unpriced are the items that the total excludes, in the order of their texts;
	// nodes, which are seldom bought with the network, are not among them.
	Unpriced []catalog.Item
	// NotInBill are the levels of packaging without a part, outermost first: the bill has no line for their containers.
	NotInBill []NotInBill
	// Unmade counts the cables that no product makes: the bill has no line for them.
	Unmade int64
	// Notes are remarks for the user, such as quotes that apply only to larger quantities.
	Notes []string
	Power Power
	// PowerBasis is the basis of the figures of power; nil where the input names none.
	PowerBasis *PowerBasis
	// PowerUnstated are the parts of boxes that state no power, which Power leaves out.
	PowerUnstated []OtherPower
	// FabricSpares has the spares that each fabric of the input requires; they are included in the spares of the rows.
	FabricSpares [][]Spare
	// LevelCost is the cost of the cables and their optics, without spares, by [topology level][layout level]; an optic
	// that links of several classes light is shared by them evenly. Pieces from stock and parts without a price count
	// as 0.
	LevelCost [][]units.Money
	// Ends counts the ends of all links by kind.
	Ends []EndCount
}

// NotInBill is a level of packaging whose containers no line of the bill buys.
type NotInBill struct {
	Level string `json:"level"` // its name
	Count int    `json:"count"` // containers of the level that hold boxes
}

// String returns the level with the number of its containers: "shelf (3,312)".
func (n NotInBill) String() string { return n.Level + " (" + english.Grouped(int64(n.Count)) + ")" }

// Enclosure is the containers of one level of packaging, such as chassis or frames: Count of them hold boxes.
type Enclosure struct {
	Level string
	Part  *catalog.Part // nil where the machine file names none
	Count int
}

// RackCount is a number of racks of one part.
type RackCount struct {
	Part  *catalog.Part
	Count int
}

// Input is the input of NewBill.
type Input struct {
	Schedule *cabling.Schedule
	Catalog  *catalog.Catalog
	// PowerBasis is the basis of the power of the parts; empty for the power that each part states without a basis.
	PowerBasis catalog.PowerBasis
	Prices     *catalog.PriceSet
	// Offers are quotes in the currency of Prices. They have priority over Prices, and earlier ones over later ones.
	Offers []*catalog.Offer
	// Own has unit prices with priority over all others. For a cable, a price of its length has priority over that of
	// its family.
	Own map[catalog.Item]units.Money
	// Ranges has the lowest and the highest unit price, looked up in the same way as Own. They replace the range of a
	// price from any source.
	Ranges map[catalog.Item][2]units.Money
	// Freight is in per cent of the cost of parts, Contingency in per cent of the cost of parts, labour and
	// freight.
	Freight, Contingency float64
	// Spares is in per cent of the quantity, rounded up, by kind of part; Fabrics may have their own.
	Spares  map[catalog.Kind]float64
	Fabrics []Fabric
	// LeastSpares is the minimum number of spares of each product, by the id of its part or, for parts that are not
	// listed, by kind of part.
	LeastSpares map[string]int64
	// Stock is the number of pieces in stock, by item. The schedule determines which cables are taken from it; the
	// remaining ones are used as spares.
	Stock map[catalog.Item]int64
	// Services is true for each kind of vertices whose boxes are neither nodes nor switches; nil if there are none.
	Services []bool
	// Adapters is the adapter part of each kind of vertices, nil for a kind without one; nil if no kind has one.
	Adapters []*catalog.Part
	Racks    []RackCount // racks of each type; empty without racks
	Trays    []Laid      // trays of each level
	Hoses    []Hose      // for coolant, of the parts that the machine file names
	// Enclosures are the levels of packaging, outermost first: of a machine in containers, and of chassis in racks.
	Enclosures []Enclosure
}

// Laid is trays of one part: Count of them side by side, with a total length of Run each.
type Laid struct {
	Part  *catalog.Part
	Run   units.Length
	Count int
}

// Hose is a number of hoses of one part and length.
type Hose struct {
	Part   *catalog.Part
	Length units.Length // in which it is sold
	Count  int
}

// MachineFile is the source, in Row.From, of prices that the machine file states.
const MachineFile = "machine file"

// Quoter returns the price of one piece of a part if qty pieces are ordered. A qty of 0 is priced as the smallest
// quantity that is offered. The length is that of a cable or hose in metres, and
// ignored for other parts.
type Quoter func(part *catalog.Part, length units.Length, qty int64) catalog.Quote

// NewQuoter returns a Quoter that takes the price of a part from the user's own prices, else from the first of the
// offers that has one at the quantity, else from the price set, which must not be nil and does not go by quantity.
func NewQuoter(own map[catalog.Item]units.Money, offers []*catalog.Offer, set *catalog.PriceSet) Quoter {
	return func(part *catalog.Part, length units.Length, qty int64) catalog.Quote {
		item := part.Item(length)
		if m, ok := find(own, item); ok {
			return ownQuote(m)
		}
		for _, o := range offers {
			if q := o.Quote(item, qty); q.Priced {
				return q
			}
		}
		return set.Quote(part, length)
	}
}

// find looks up an item and, if it is not listed, its family.
func find[T any](table map[catalog.Item]T, item catalog.Item) (T, bool) {
	v, ok := table[item]
	if !ok {
		v, ok = table[item.Family()]
	}
	return v, ok
}

// ownQuote returns the quote of a price that the machine file states.
func ownQuote(m units.Money) catalog.Quote {
	return catalog.Quote{
		Unit: m, Low: m, High: m, Priced: true, From: MachineFile, Source: MachineFile,
		Confidence: catalog.User,
	}
}

// NewBill returns the bill of materials; the input is not changed. Without a schedule, it has no boxes and cables;
// without prices, no part has a price. Stands, trays and enclosures are priced as the input counts them.
func NewBill(in *Input) *Bill {
	in = in.withDefaults()
	b := &builder{
		in: in, quote: NewQuoter(in.Own, in.Offers, in.Prices), wages: NewWages(in.Own, in.Offers, in.Prices),
		index: map[catalog.Item]int{},
	}
	b.bill = &Bill{Currency: in.Prices.Currency, ByKind: map[catalog.Kind]units.Money{}}
	for range in.Fabrics {
		b.own = append(b.own, map[int]int64{})
	}
	b.boxes()
	b.cables()
	b.panels()
	b.colours()
	b.enclosures()
	b.room()
	b.labour()
	b.price()
	b.levels()
	b.fabricSpares()
	b.ends()
	b.powerBasis()
	b.powerUnstated()
	b.colourNotes()
	b.noteUnquotedLabour()
	b.total()
	b.surcharges()
	return b.bill
}

// withDefaults returns the input with empty values in place of nil ones.
func (in *Input) withDefaults() *Input {
	out := *in
	if out.Schedule == nil {
		out.Schedule = &cabling.Schedule{}
	}
	if out.Catalog == nil {
		out.Catalog = &catalog.Catalog{}
	}
	if out.Prices == nil {
		out.Prices = &catalog.PriceSet{}
	}
	if out.Adapters == nil {
		out.Adapters = make([]*catalog.Part, len(out.Schedule.Kinds))
	}
	return &out
}

type builder struct {
	in    *Input
	quote Quoter
	wages Wages
	bill  *Bill
	lots  []lot                // of each row
	index map[catalog.Item]int // row of each item
	uses  []use                // of cables and optics
	own   []map[int]int64      // by fabric: pieces of each row that it does not share with other fabrics
	// soldAs has, for each row of a length that is not on sale, the row of the length that is bought for its spares.
	soldAs map[int]int
}

// lot is the part of a row and, for a cable or hose, its exact length, by which a price per metre is multiplied. Labour
// has no part.
type lot struct {
	part   *catalog.Part
	length units.Length
}

// use is the pieces of a row that are used for the links of a topology level whose innermost common container is on a
// layout level.
type use struct {
	level, common int // topology level and layout level
	row           int
	qty           int64
	share         float64 // of optics: with those that are shared with links of other uses, in pieces
	stock         bool    // cables that are taken from stock
}

// add counts pieces of a part and returns its row.
func (b *builder) add(part *catalog.Part, length units.Length, qty int64) int {
	item := part.Item(length)
	i, ok := b.index[item]
	if !ok {
		i = len(b.bill.Rows)
		b.index[item] = i
		row := Row{Item: item, Kind: part.Kind, Description: part.Description}
		if part.Cable != nil {
			row.Medium = part.Cable.Medium
		}
		b.bill.Rows = append(b.bill.Rows, row)
		b.lots = append(b.lots, lot{part, length})
	}
	b.bill.Rows[i].Qty += qty
	return i
}

// boxes adds nodes, switches and adapters.
func (b *builder) boxes() {
	s := b.in.Schedule
	var services, others []int // rows
	for i, k := range s.Kinds {
		if k.Count == 0 {
			continue
		}
		part := s.Boxes[i].Part
		row := b.add(part, 0, int64(k.Count))
		b.bookOwned(b.in.fabricOfKind(i), row, int64(k.Count))
		if i < len(b.in.Services) && b.in.Services[i] {
			services = append(services, row)
		} else {
			others = append(others, row)
		}
		power := units.Power(float64(part.Power) * float64(k.Count))
		if a := b.in.Adapters[i]; a != nil {
			per := max(a.PortCount(), 1)
			n := int64((k.Ports + per - 1) / per)
			b.add(a, 0, n*int64(k.Count))
			power += units.Power(float64(a.Power) * float64(n) * float64(k.Count))
		}
		if k.Role == topology.Switch {
			b.bill.Power.Switches += power
		} else {
			b.bill.Power.Nodes += power
		}
	}
	for _, row := range services {
		if !slices.Contains(others, row) {
			b.bill.Rows[row].Kind = catalog.KindService
		}
	}
}

// panels adds patch panels and the panels of shuffles.
func (b *builder) panels() {
	if k := b.in.Schedule.Patching; k != nil {
		for i := range k.Panels {
			b.add(k.Panels[i].Part, 0, 1)
		}
	}
}

// cables adds cables and optics, and records which links use them.
func (b *builder) cables() {
	s := b.in.Schedule
	for level, tallies := range s.Tallies {
		for common := range tallies {
			t := &tallies[common]
			for i, n := range t.Product {
				if n == 0 {
					continue
				}
				p := &s.Products[i]
				row := b.add(p.Part, p.Length, n)
				if p.Stock {
					b.bill.Rows[row].FromStock += n
				}
				b.uses = append(b.uses, use{level, common, row, n, float64(n), p.Stock})
				b.bill.Power.Cables += units.Power(float64(n) * float64(p.Part.CablePower()))
			}
			for optic, share := range t.OpticShares {
				n := t.Optics[optic]
				b.uses = append(b.uses, use{level, common, b.add(optic, 0, n), n, share, false})
			}
		}
	}
	for _, u := range b.uses {
		b.bookOwned(b.in.fabricOfLevel(u.level), u.row, u.qty)
	}
}

// enclosures adds the containers of levels of packaging, and records the levels without a part.
func (b *builder) enclosures() {
	for _, e := range b.in.Enclosures {
		switch {
		case e.Count == 0:
		case e.Part == nil:
			b.bill.NotInBill = append(b.bill.NotInBill, NotInBill{e.Level, e.Count})
		default:
			b.add(e.Part, 0, int64(e.Count))
			if slices.Contains(catalog.EnclosureKinds, e.Part.Kind) {
				b.bill.Power.Enclosures += units.Power(float64(e.Part.Power) * float64(e.Count))
			}
		}
	}
}

// room adds racks, trays and hoses.
func (b *builder) room() {
	for _, r := range b.in.Racks {
		if r.Part != nil && r.Count > 0 {
			b.add(r.Part, 0, int64(r.Count))
		}
	}
	for _, t := range b.in.Trays {
		if t.Run <= 0 {
			continue
		}
		section := t.Part.Section
		if section <= 0 {
			section = 1
		}
		b.add(t.Part, 0, int64(max(t.Count, 1))*int64(math.Ceil(float64(t.Run/section)-1e-9)))
	}
	for _, h := range b.in.Hoses {
		b.add(h.Part, h.Length, int64(h.Count))
	}
}

// labour adds the installation of cables that products make by where they run, and the termination of fibre if there is
// a price for it.
func (b *builder) labour() {
	s := b.in.Schedule
	qty := map[string]int64{}
	for _, tallies := range s.Tallies {
		for common := range tallies {
			t := &tallies[common]
			qty[InstallLabour(s.Placement.Layout, common)] += t.Cables - t.Unmade() - t.Kept
			qty[TerminateFibre] -= t.KeptFibre
			for i, n := range t.Product {
				if s.Products[i].Part.Cable.Medium.Fibre() {
					qty[TerminateFibre] += n * int64(max(s.Products[i].Part.Cable.Legs, 1))
				}
			}
		}
	}
	if !b.wages(TerminateFibre, qty[TerminateFibre]).Priced {
		delete(qty, TerminateFibre)
	}
	for _, id := range LabourIDs {
		if n := qty[id]; n > 0 {
			b.bill.Rows = append(b.bill.Rows, Row{
				Item: catalog.Item{Part: id}, Kind: catalog.KindLabour, Description: labourWords[id], Qty: n,
			})
			b.lots = append(b.lots, lot{})
		}
	}
}

// noteUnquotedLabour notes the labour that no quote has, where one has some of it: orders are made of the quoted lines.
func (b *builder) noteUnquotedLabour() {
	var without []string
	quoted := false
	for i := range b.bill.Rows {
		switch r := &b.bill.Rows[i]; {
		case r.Kind != catalog.KindLabour:
		case r.Quoted:
			quoted = true
		default:
			without = append(without, r.Item.Part)
		}
	}
	if quoted && len(without) > 0 {
		b.bill.Notes = append(b.bill.Notes, fmt.Sprintf("no order has the labour %s, of which no quote has a price",
			english.List(without)))
	}
}

// price adds spares to the rows and prices them at the ordered quantity.
func (b *builder) price() {
	for i := range b.bill.Rows {
		b.spares(i)
	}
	b.moveUnsoldSpares()
	for i := range b.bill.Rows {
		r := &b.bill.Rows[i]
		q := b.buy(r, &b.lots[i])
		if bounds, ok := find(b.in.Ranges, r.Item); ok && q.Priced { // the machine file's own
			q.Low, q.High = bounds[0], bounds[1]
		}
		b.noteLargerOffers(r, &q)
		if !q.Priced {
			if r.Buy == 0 {
				r.Cost = new(units.Money)
			}
			continue
		}
		unit, cost := q.Unit, q.Unit.Times(r.Buy)
		r.UnitCost, r.Cost = &unit, &cost
		r.Low, r.High, r.From, r.Source, r.Confidence = q.Low, q.High, q.From, q.Source, q.Confidence
		r.Quoted = r.From != MachineFile && slices.ContainsFunc(b.in.Offers,
			func(o *catalog.Offer) bool { return o.Name == r.From })
	}
}

// buy takes as much of a row as possible from stock, rounds the rest up to whole packs, and returns its price.
func (b *builder) buy(r *Row, of *lot) catalog.Quote {
	stock := b.in.Stock[r.Item]
	switch {
	case of.part == nil: // labour
	case r.Kind == catalog.KindCable: // the schedule has taken its pieces
		r.FromStock += max(0, min(stock-r.FromStock, r.Spares))
	default:
		r.FromStock = min(stock, r.Need())
	}
	r.Buy = r.Need() - r.FromStock
	if of.part == nil {
		q := b.wages(r.Item.Part, r.Buy)
		r.PartNumber, r.Supplier, r.Lead = q.Order.PartNumber, q.Order.Supplier, q.Order.Lead
		return q
	}
	r.divideColours()
	order := of.part.Order()
	q := b.quote(of.part, of.length, r.inPacks(order.Pack))
	if q.Order.Pack > 0 && q.Order.Pack != order.Pack { // the supplier's packs go before the maker's
		more := b.quote(of.part, of.length, r.inPacks(q.Order.Pack))
		if more.Order.Pack == q.Order.Pack {
			q = more
		}
	}
	order = q.Order.Over(order)
	r.Buy = r.inPacks(order.Pack)
	if r.Colours != nil {
		r.buyColours(order, of.part.Cable.Colours, q.From)
	}
	if order.Pack > 1 {
		r.Pack = order.Pack
	}
	r.Maker, r.PartNumber, r.Supplier, r.Lead = of.part.Maker, order.PartNumber, order.Supplier, order.Lead
	return q
}

// roundToPacks rounds a number of pieces up to whole packs.
func roundToPacks(pieces, pack int64) int64 {
	if pack <= 1 {
		return pieces
	}
	return (pieces + pack - 1) / pack * pack
}

// noteLargerOffers adds notes about offers that apply only to larger quantities than the row's, if neither an offer nor
// the machine file has priced the row.
func (b *builder) noteLargerOffers(r *Row, q *catalog.Quote) {
	offered := func(o *catalog.Offer) bool { return o.Name == q.From }
	if r.Buy == 0 || q.Priced && (q.From == MachineFile || slices.ContainsFunc(b.in.Offers, offered)) {
		return
	}
	for _, o := range b.in.Offers {
		if least := o.Least(r.Item); least > 0 {
			b.bill.Notes = append(b.bill.Notes, fmt.Sprintf("%s offers %s from %d pieces, and the bill has %d",
				o.Name, r.Item, least, r.Buy))
		}
	}
}

// levels computes LevelCost and Unmade.
func (b *builder) levels() {
	for _, tallies := range b.in.Schedule.Tallies {
		b.bill.LevelCost = append(b.bill.LevelCost, make([]units.Money, len(tallies)))
		for i := range tallies {
			b.bill.Unmade += tallies[i].Unmade()
		}
	}
	used := map[int]float64{} // optics of a row so far; those from stock are given to the first uses
	for _, u := range b.uses {
		r := &b.bill.Rows[u.row]
		if u.stock || r.UnitCost == nil {
			continue
		}
		level := &b.bill.LevelCost[u.level][u.common]
		if r.Kind == catalog.KindCable {
			*level = level.Plus(r.UnitCost.Times(u.qty))
			continue
		}
		// Shares are rounded where they add up, so that the levels cost what the row costs.
		bought := func() units.Money {
			return units.MoneyOf(r.UnitCost.Float() * max(0, used[u.row]-float64(r.FromStock)))
		}
		before := bought()
		used[u.row] += u.share
		*level = level.Plus(bought() - before)
	}
}

// total sums up ByKind, Total, Network, Unpriced and the power of optics, and sorts rows and notes: indices of rows are
// not valid after it.
func (b *builder) total() {
	bill := b.bill
	for i := range bill.Rows {
		r := &bill.Rows[i]
		if !r.HasCost() {
			if r.Kind != catalog.KindNode && r.Kind != catalog.KindService {
				bill.Unpriced = append(bill.Unpriced, r.Item)
			}
			continue
		}
		bill.ByKind[r.Kind] = bill.ByKind[r.Kind].Plus(*r.Cost)
		bill.Total = bill.Total.Plus(*r.Cost)
	}
	for _, kind := range NetworkKinds {
		bill.Network = bill.Network.Plus(bill.ByKind[kind])
	}
	kind := func(r *Row) int { return slices.Index(catalog.Kinds, r.Kind) }
	slices.SortFunc(bill.Rows, func(x, y Row) int {
		return cmp.Or(cmp.Compare(kind(&x), kind(&y)), x.Item.Compare(y.Item))
	})
	slices.SortFunc(bill.Unpriced, func(x, y catalog.Item) int { return strings.Compare(x.String(), y.String()) })
	slices.Sort(bill.Notes)
	for i := range bill.Rows { // in the order of the bill, so that the sum never changes
		if r := &bill.Rows[i]; r.Kind == catalog.KindOptic {
			bill.Power.Optics += units.Power(float64(r.Qty) * float64(b.in.Catalog.Part(r.Item.Part).Power))
		}
	}
}

// Ids of the lines whose cost is a percentage of other lines.
const (
	Freight     = "freight"
	Contingency = "contingency"
)

// surcharges adds freight and contingency as lines of their own.
func (b *builder) surcharges() {
	bill := b.bill
	parts := "the parts, spares included, without labour"
	if bill.ByKind[catalog.KindNode] != 0 {
		parts = "the parts, nodes and spares included, without labour"
	}
	add := func(id string, kind catalog.Kind, percent float64, of units.Money, what string) {
		if percent <= 0 {
			return
		}
		cost := share(of, percent)
		bill.Rows = append(bill.Rows, Row{
			Item: catalog.Item{Part: id}, Kind: kind, Description: fmt.Sprintf("%v %% of %v for %s", percent, of, what),
			Qty:      1,
			Buy:      1,
			UnitCost: &cost, Cost: &cost, Low: cost, High: cost, Percent: percent, Of: &of,
			From: MachineFile, Source: MachineFile, Confidence: catalog.User,
		})
		bill.ByKind[kind] = bill.ByKind[kind].Plus(cost)
		bill.Total = bill.Total.Plus(cost)
	}
	add(Freight, catalog.KindFreight, b.in.Freight, bill.Total-bill.ByKind[catalog.KindLabour], parts)
	add(Contingency, catalog.KindContingency, b.in.Contingency, bill.Total, "parts, labour and freight")
}

// share returns a percentage of an amount, to the nearest cent.
func share(of units.Money, percent float64) units.Money {
	return cents(float64(float64(of) * percent / 100))
}
