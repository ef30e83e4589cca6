package cost

import (
	"cmp"
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
	UnitCost   *units.Money       `json:"unit_cost"`
	Cost       *units.Money       `json:"cost"`
	Source     string             `json:"price_source,omitempty"`
	Confidence catalog.Confidence `json:"price_confidence,omitempty"`

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
	Unpriced []string // parts that the total excludes
	Power    Power
	// LevelCost is the cost of the cables, and of the optics that they light
	// first, by [topology level][layout level]; spares are not in it.
	LevelCost [][]units.Money
}

// Input is what a bill is made from.
type Input struct {
	Schedule *cabling.Schedule
	Catalog  *catalog.Catalog
	Prices   *catalog.PriceSet
	// Own holds unit prices that go before the set's, by part id or, for cables
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

// Quote prices a part by the user's own prices, then by the set.
func Quote(set *catalog.PriceSet, own map[string]units.Money) cabling.Quoter {
	keyed := make(map[string]units.Money, len(own))
	for _, key := range slices.Sorted(maps.Keys(own)) {
		id, text, _ := strings.Cut(key, "@")
		if length, err := units.ParseLength(text); err == nil {
			id += "@" + length.Number() // "300 cm" is "3"
		}
		keyed[id] = own[key]
	}
	return func(part *catalog.Part, length units.Length) catalog.Quote {
		for _, key := range []string{part.ID + "@" + length.Number(), part.ID} {
			if m, ok := keyed[key]; ok {
				return catalog.Quote{Unit: m, Priced: true, Source: "machine file", Confidence: catalog.User}
			}
		}
		return set.Quote(part, length)
	}
}

// NewBill adds everything up.
func NewBill(in *Input) *Bill {
	b := &builder{in: in, quote: Quote(in.Prices, in.Own), index: map[string]int{}}
	b.bill = &Bill{Currency: in.Prices.Currency, ByKind: map[catalog.Kind]units.Money{}}
	b.boxes()
	b.cables()
	b.room()
	b.labour()
	b.total()
	return b.bill
}

type builder struct {
	in    *Input
	quote cabling.Quoter
	bill  *Bill
	index map[string]int // of rows by part
}

// add counts pieces of a part and returns its price.
func (b *builder) add(part *catalog.Part, length units.Length, qty int64) catalog.Quote {
	name := part.ID
	if part.Kind == catalog.KindCable {
		name += "@" + length.Number() + " m"
	}
	q := b.quote(part, length)
	i, ok := b.index[name]
	if !ok {
		i = len(b.bill.Rows)
		b.index[name] = i
		row := Row{Part: name, Kind: part.Kind, Description: part.Description, Source: q.Source, Confidence: q.Confidence, Length: length}
		if part.Cable != nil {
			row.Medium = part.Cable.Medium
		}
		if q.Priced {
			row.UnitCost = &q.Unit
		}
		b.bill.Rows = append(b.bill.Rows, row)
	}
	b.bill.Rows[i].Qty += qty
	return q
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

// cables lists cables and optics and books them on their levels.
func (b *builder) cables() {
	s := b.in.Schedule
	for _, tallies := range s.Tallies {
		row := make([]units.Money, len(tallies))
		for common := range tallies {
			t := &tallies[common]
			for i, n := range t.Product {
				if n == 0 {
					continue
				}
				p := &s.Products[i]
				row[common] += b.add(p.Part, p.Length, n).Unit * units.Money(n)
				b.bill.Power.Cables += units.Power(2 * float64(n) * float64(p.Part.Power))
			}
			for optic, n := range t.Optics {
				row[common] += b.add(optic, 0, n).Unit * units.Money(n)
			}
		}
		b.bill.LevelCost = append(b.bill.LevelCost, row)
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
	rates := b.in.Prices.Labour
	for _, l := range []struct {
		id, what string
		n        int64
		rate     units.Money
	}{
		{InstallInRack, "Installing one cable inside a rack", inRack, rates.InRack},
		{InstallBetweenRacks, "Installing one cable between racks", beyond, rates.BetweenRacks},
	} {
		if l.n == 0 {
			continue
		}
		row := Row{Part: l.id, Kind: catalog.KindLabour, Description: l.what, Qty: l.n, Source: rates.Source, Confidence: rates.Confidence}
		if own, ok := b.in.Own[l.id]; ok {
			row.UnitCost, row.Source, row.Confidence = &own, "machine file", catalog.User
		} else if l.rate != 0 {
			rate := l.rate
			row.UnitCost = &rate
		}
		b.bill.Rows = append(b.bill.Rows, row)
	}
}

// total adds spares, sorts the rows and sums them up.
func (b *builder) total() {
	bill := b.bill
	for i := range bill.Rows {
		r := &bill.Rows[i]
		if percent := b.in.Spares[r.Kind]; percent > 0 && r.Kind != catalog.KindLabour {
			r.Spares = int64(math.Ceil(float64(r.Qty)*percent/100 - 1e-9))
		}
		if r.UnitCost == nil {
			if r.Kind != catalog.KindNode {
				bill.Unpriced = append(bill.Unpriced, r.Part)
			}
			continue
		}
		cost := *r.UnitCost * units.Money(r.Qty+r.Spares)
		r.Cost = &cost
		bill.ByKind[r.Kind] += cost
		bill.Total += cost
	}
	kind := func(r *Row) int { return slices.Index(catalog.Kinds, r.Kind) }
	slices.SortFunc(bill.Rows, func(x, y Row) int {
		return cmp.Or(cmp.Compare(kind(&x), kind(&y)), compareParts(&x, &y))
	})
	slices.Sort(bill.Unpriced)
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
