package cost

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"plenum/cabling"
	"plenum/catalog"
	"plenum/topology"
	"plenum/units"
)

// Row is one line of the bill of materials.
type Row struct {
	Part        string       `json:"part"` // id; cables with their length: "dac-400g@1.5 m"
	Kind        catalog.Kind `json:"kind"`
	Description string       `json:"description,omitempty"`
	Qty         int64        `json:"qty"`
	Spares      int64        `json:"spares"`
	// UnitCost and Cost are null where no price is known.
	UnitCost *units.Money `json:"unit_cost"`
	Cost     *units.Money `json:"cost"`
	// From names the price set or the quote that the price is from, "machine
	// file" for one of its own; Source says where that has it from.
	From       string             `json:"price_from,omitempty"`
	Source     string             `json:"price_source,omitempty"`
	Confidence catalog.Confidence `json:"price_confidence,omitempty"`

	// Low and High bound UnitCost; they equal it where no range is known.
	Low, High units.Money `json:"-"`

	// Of cables: the product's stocked length and medium.
	Length units.Length   `json:"-"`
	Medium catalog.Medium `json:"-"`
}

// Power is the draw of a machine.
type Power struct {
	Nodes, Switches, Optics, Cables units.Power
}

// Total adds the parts up.
func (p Power) Total() units.Power { return p.Nodes + p.Switches + p.Optics + p.Cables }

// Bill is the bill of materials with its totals.
type Bill struct {
	Currency string
	Rows     []Row // by kind, then by part, cables by length
	ByKind   map[catalog.Kind]units.Money
	Total    units.Money
	// Unpriced are the parts that the total excludes; nodes, which are seldom
	// bought with the network, are not among them.
	Unpriced []string
	// Notes say where a quote was passed over.
	Notes []string
	Power Power
	// LevelCost is the cost of the cables, and of the optics that they light
	// first, by [topology level][layout level]; spares are not in it.
	LevelCost [][]units.Money
}

// Input is what a bill is made from.
type Input struct {
	Schedule *cabling.Schedule
	Catalog  *catalog.Catalog
	Prices   *catalog.PriceSet
	// Offers are quotes in the currency of Prices, which go before it, the first
	// before the others.
	Offers []*catalog.Offer
	// Own holds unit prices that go before all others, by part id or, for cables
	// of one length, by "id@3 m".
	Own map[string]units.Money
	// Spares is in per cent of the quantity, rounded up, by kind of part.
	Spares map[catalog.Kind]float64
	// Adapters is the adapter part of each kind of vertex, nil for none.
	Adapters []*catalog.Part
	Rack     *catalog.Part // nil without racks
	Racks    int
	Tray     *catalog.Part // nil without trays
	TrayRun  units.Length
}

// MachineFile is what a price of the user's own is from.
const MachineFile = "machine file"

// Quoter prices pieces of a part of which qty are bought; with a qty of 0, at the
// price of the smallest quantity that is offered.
type Quoter func(part *catalog.Part, length units.Length, qty int64) catalog.Quote

// NewQuoter prices parts by the user's own prices, then by the offers, then by the
// set.
func NewQuoter(own map[string]units.Money, offers []*catalog.Offer, set *catalog.PriceSet) Quoter {
	keyed := make(map[string]units.Money, len(own))
	for _, key := range slices.Sorted(maps.Keys(own)) {
		id, text, _ := strings.Cut(key, "@")
		if length, err := units.ParseLength(text); err == nil {
			id += "@" + length.Number() // "300 cm" is "3"
		}
		keyed[id] = own[key]
	}
	return func(part *catalog.Part, length units.Length, qty int64) catalog.Quote {
		for _, key := range []string{part.ID + "@" + length.Number(), part.ID} {
			if m, ok := keyed[key]; ok {
				return ownQuote(m)
			}
		}
		for _, o := range offers {
			if q := o.Quote(part.ID, length, qty); q.Priced {
				return q
			}
		}
		return set.Quote(part, length)
	}
}

func ownQuote(m units.Money) catalog.Quote {
	return catalog.Quote{Unit: m, Low: m, High: m, Priced: true, From: MachineFile, Source: MachineFile, Confidence: catalog.User}
}

// NewBill adds everything up.
func NewBill(in *Input) *Bill {
	b := &builder{in: in, quote: NewQuoter(in.Own, in.Offers, in.Prices), index: map[string]int{}}
	b.bill = &Bill{Currency: in.Prices.Currency, ByKind: map[catalog.Kind]units.Money{}}
	b.boxes()
	b.cables()
	b.room()
	b.labour()
	b.price()
	b.levels()
	b.total()
	return b.bill
}

type builder struct {
	in    *Input
	quote Quoter
	bill  *Bill
	parts []*catalog.Part // of the rows; nil for labour
	index map[string]int  // of rows by part
	uses  []use           // of cables and optics
}

// use is how many pieces of a row the links of a class take.
type use struct {
	level, common int
	row           int
	qty           int64
}

// add counts pieces of a part and returns its row.
func (b *builder) add(part *catalog.Part, length units.Length, qty int64) int {
	name := part.ID
	if part.Kind == catalog.KindCable {
		name += "@" + length.Number() + " m"
	}
	i, ok := b.index[name]
	if !ok {
		i = len(b.bill.Rows)
		b.index[name] = i
		row := Row{Part: name, Kind: part.Kind, Description: part.Description, Length: length}
		if part.Cable != nil {
			row.Medium = part.Cable.Medium
		}
		b.bill.Rows = append(b.bill.Rows, row)
		b.parts = append(b.parts, part)
	}
	b.bill.Rows[i].Qty += qty
	return i
}

// boxes lists nodes, switches and adapters.
func (b *builder) boxes() {
	s := b.in.Schedule
	for i, k := range s.Kinds {
		if k.Count == 0 {
			continue
		}
		part := s.Boxes[i].Part
		b.add(part, 0, int64(k.Count))
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
}

// cables lists cables and optics, and notes which links take them.
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
				b.uses = append(b.uses, use{level, common, b.add(p.Part, p.Length, n), n})
				b.bill.Power.Cables += units.Power(float64(n) * float64(p.Part.CablePower()))
			}
			for optic, n := range t.Optics {
				b.uses = append(b.uses, use{level, common, b.add(optic, 0, n), n})
			}
		}
	}
}

// room lists racks and trays.
func (b *builder) room() {
	if b.in.Rack != nil && b.in.Racks > 0 {
		b.add(b.in.Rack, 0, int64(b.in.Racks))
	}
	if b.in.Tray != nil && b.in.TrayRun > 0 {
		section := b.in.Tray.Section
		if section <= 0 {
			section = 1
		}
		b.add(b.in.Tray, 0, int64(math.Ceil(float64(b.in.TrayRun/section)-1e-9)))
	}
}

// Ids of the rows for installing cables, by which a machine file prices them.
const (
	InstallInRack       = "install-in-rack"
	InstallBetweenRacks = "install-between-racks"
)

// Labour returns what installing a cable costs inside a rack and between racks:
// what the set says, unless the prices of one's own say otherwise.
func Labour(prices *catalog.PriceSet, own map[string]units.Money) (inRack, between units.Money) {
	inRack, between = prices.Labour.InRack, prices.Labour.BetweenRacks
	if m, ok := own[InstallInRack]; ok {
		inRack = m
	}
	if m, ok := own[InstallBetweenRacks]; ok {
		between = m
	}
	return inRack, between
}

// labour lists the installing of cables, inside a rack and beyond.
func (b *builder) labour() {
	s := b.in.Schedule
	var inRack, beyond int64
	for _, tallies := range s.Tallies {
		for common := range tallies {
			if s.InRack(common) {
				inRack += tallies[common].Cables
			} else {
				beyond += tallies[common].Cables
			}
		}
	}
	for _, l := range []struct {
		id, what string
		n        int64
	}{
		{InstallInRack, "Installing one cable inside a rack", inRack},
		{InstallBetweenRacks, "Installing one cable between racks", beyond},
	} {
		if l.n > 0 {
			b.bill.Rows = append(b.bill.Rows, Row{Part: l.id, Kind: catalog.KindLabour, Description: l.what, Qty: l.n})
			b.parts = append(b.parts, nil)
		}
	}
}

// labourQuote prices the installing of cables.
func (b *builder) labourQuote(id string, qty int64) catalog.Quote {
	if own, ok := b.in.Own[id]; ok {
		return ownQuote(own)
	}
	for _, o := range b.in.Offers {
		if q := o.Quote(id, 0, qty); q.Priced {
			return q
		}
	}
	rates := b.in.Prices.Labour
	rate := rates.InRack
	if id == InstallBetweenRacks {
		rate = rates.BetweenRacks
	}
	return catalog.Quote{
		Unit: rate, Low: rate, High: rate, Priced: rate != 0,
		From: b.in.Prices.Name, Source: rates.Source, Confidence: rates.Confidence,
	}
}

// price adds spares to the rows and prices them at the quantity that is bought.
func (b *builder) price() {
	for i := range b.bill.Rows {
		r := &b.bill.Rows[i]
		if percent := b.in.Spares[r.Kind]; percent > 0 && r.Kind != catalog.KindLabour {
			r.Spares = int64(math.Ceil(float64(r.Qty)*percent/100 - 1e-9))
		}
		bought := r.Qty + r.Spares
		var q catalog.Quote
		id := r.Part
		if part := b.parts[i]; part != nil {
			q, id = b.quote(part, r.Length, bought), part.ID
		} else {
			q = b.labourQuote(id, bought)
		}
		b.passedOver(r, id, &q)
		if !q.Priced {
			continue
		}
		unit, cost := q.Unit, q.Unit*units.Money(bought)
		r.UnitCost, r.Cost = &unit, &cost
		r.Low, r.High, r.From, r.Source, r.Confidence = q.Low, q.High, q.From, q.Source, q.Confidence
	}
}

// passedOver notes offers of larger quantities than are bought, where no offer
// priced the row.
func (b *builder) passedOver(r *Row, id string, q *catalog.Quote) {
	if q.Priced && (q.From == MachineFile || slices.ContainsFunc(b.in.Offers, func(o *catalog.Offer) bool { return o.Name == q.From })) {
		return
	}
	for _, o := range b.in.Offers {
		if least := o.Least(id, r.Length); least > 0 {
			b.bill.Notes = append(b.bill.Notes, fmt.Sprintf("%s offers %s from %d pieces, and the bill has %d", o.Name, r.Part, least, r.Qty+r.Spares))
		}
	}
}

// levels books cables and optics on the levels of the links that take them.
func (b *builder) levels() {
	for _, tallies := range b.in.Schedule.Tallies {
		b.bill.LevelCost = append(b.bill.LevelCost, make([]units.Money, len(tallies)))
	}
	for _, u := range b.uses {
		if unit := b.bill.Rows[u.row].UnitCost; unit != nil {
			b.bill.LevelCost[u.level][u.common] += *unit * units.Money(u.qty)
		}
	}
}

// total sums the rows up and sorts them.
func (b *builder) total() {
	bill := b.bill
	for i := range bill.Rows {
		r := &bill.Rows[i]
		if r.UnitCost == nil {
			if r.Kind != catalog.KindNode {
				bill.Unpriced = append(bill.Unpriced, r.Part)
			}
			continue
		}
		bill.ByKind[r.Kind] += *r.Cost
		bill.Total += *r.Cost
	}
	kind := func(r *Row) int { return slices.Index(catalog.Kinds, r.Kind) }
	slices.SortFunc(bill.Rows, func(x, y Row) int {
		return cmp.Or(cmp.Compare(kind(&x), kind(&y)), compareParts(&x, &y))
	})
	slices.Sort(bill.Unpriced)
	slices.Sort(bill.Notes)
	for i := range bill.Rows { // in the order of the bill, so that the sum never changes
		if r := &bill.Rows[i]; r.Kind == catalog.KindOptic {
			bill.Power.Optics += units.Power(float64(r.Qty) * float64(b.in.Catalog.Part(r.Part).Power))
		}
	}
}

// compareParts sorts cables by family, then length, everything else by id.
func compareParts(x, y *Row) int {
	if x.Length != 0 && y.Length != 0 {
		fx, fy := family(x.Part), family(y.Part)
		return cmp.Or(cmp.Compare(fx, fy), cmp.Compare(x.Length, y.Length))
	}
	return cmp.Compare(x.Part, y.Part)
}

// family is the part id of a cable row without its length.
func family(part string) string {
	id, _, _ := strings.Cut(part, "@")
	return id
}
