package cost

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/units"
)

// Fabric is one of several networks of a machine, with what it does not share with the others.
type Fabric struct {
	Kinds  []int // of its switches
	Levels []int // of its links, whose cables and optics are its own
	// Spares is in per cent of what it has of a part for itself, rounded up, by kind of part. Kinds that it does not
	// list are spared with those of the machine.
	Spares map[catalog.Kind]float64
}

// Spare is how many spares of a part a fabric asks for.
type Spare struct {
	Item catalog.Item `json:"part"` // the id of the part, with the length for a cable
	Qty  int64        `json:"qty"`  // pieces
	// Cost is that of these pieces at the unit cost of the bill; null where no price is known.
	Cost *units.Money `json:"cost"`
}

// spare is a share of a quantity in whole pieces.
func spare(qty int64, percent float64) int64 {
	return int64(math.Ceil(float64(qty)*percent/100 - 1e-9))
}

// fabricOfKind is the number of the fabric that has a kind of boxes for itself, -1 for none.
func (in *Input) fabricOfKind(kind int) int {
	return slices.IndexFunc(in.Fabrics, func(f Fabric) bool { return slices.Contains(f.Kinds, kind) })
}

// fabricOfLevel is the number of the fabric that has a level of links, -1 for none.
func (in *Input) fabricOfLevel(level int) int {
	return slices.IndexFunc(in.Fabrics, func(f Fabric) bool { return slices.Contains(f.Levels, level) })
}

// bookOwned books pieces of a row on a fabric that spares parts of the kind for itself.
func (b *builder) bookOwned(fabric, row int, qty int64) {
	if fabric < 0 {
		return
	}
	if _, ok := b.in.Fabrics[fabric].Spares[b.bill.Rows[row].Kind]; ok {
		b.own[fabric][row] += qty
	}
}

// spares sets the spares of a row: the sum of what each fabric with a share of its own asks for its own pieces, and of
// the machine's share of all other pieces, each rounded up; at least LeastSpares. Labour has none.
func (b *builder) spares(row int) {
	r := &b.bill.Rows[row]
	if r.Kind == catalog.KindLabour {
		return
	}
	rest := r.Qty
	for i, f := range b.in.Fabrics {
		own := b.own[i][row]
		r.Spares += spare(own, f.Spares[r.Kind])
		rest -= own
	}
	r.Spares += spare(rest, b.in.Spares[r.Kind])
	if r.Qty > 0 {
		least, ok := b.in.LeastSpares[r.Item.Part]
		if !ok {
			least = b.in.LeastSpares[string(r.Kind)]
		}
		r.Spares = max(r.Spares, least)
	}
}

// moveUnsoldSpares moves spares of cables and hoses in a length that nobody sells, as pieces in stock may have, to the
// row of the next longer length that is sold; as many as are left in stock in the length itself stay. Spares for which
// no length is long enough are dropped with a note.
func (b *builder) moveUnsoldSpares() {
	b.soldAs = map[int]int{}
	for i := range b.lots {
		r, part := &b.bill.Rows[i], b.lots[i].part
		if part == nil || !part.HasLength() || part.Sells(r.Item) {
			continue
		}
		short := r.Spares - max(0, b.in.Stock[r.Item]-r.FromStock)
		if short <= 0 {
			continue
		}
		r.Spares -= short
		sold, ok := part.Stock(r.Item.Length)
		if !ok {
			b.bill.Notes = append(b.bill.Notes, fmt.Sprintf("%s is not sold in %v or more: %s of it cannot be bought",
				part.ID, r.Item.Length, english.Count(short, "spare")))
			continue
		}
		row := b.add(part, sold, 0)
		b.bill.Rows[row].takeSpares(&b.bill.Rows[i], short)
		b.soldAs[i] = row
	}
}

// fabricSpares lists the spares of each fabric in the order of their items.
func (b *builder) fabricSpares() {
	left := map[int]int64{} // spares in a length that is not on sale, which are in stock
	for row := range b.soldAs {
		left[row] = b.bill.Rows[row].Spares
	}
	for i, f := range b.in.Fabrics {
		asked := map[int]int64{} // by row
		for _, row := range slices.Sorted(maps.Keys(b.own[i])) {
			n := spare(b.own[i][row], f.Spares[b.bill.Rows[row].Kind])
			if to, ok := b.soldAs[row]; ok {
				own := min(n, left[row])
				left[row] -= own
				asked[to] += n - own
				n = own
			}
			asked[row] += n
		}
		var own []Spare
		for row, n := range asked {
			if n == 0 {
				continue
			}
			r := &b.bill.Rows[row]
			s := Spare{Item: r.Item, Qty: n}
			if r.UnitCost != nil {
				s.Cost = new(r.UnitCost.Times(n))
			}
			own = append(own, s)
		}
		slices.SortFunc(own, func(x, y Spare) int { return x.Item.Compare(y.Item) })
		b.bill.FabricSpares = append(b.bill.FabricSpares, own)
	}
}
