package cost

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/english"
)

// ColourQty is the pieces of a line of the bill that are ordered in one colour.
type ColourQty struct {
	Colour string `json:"colour"` // empty for cables without a colour
	Qty    int64  `json:"qty"`    // pieces that the machine takes
	// Spares is the share of the spares of the line, by quantity.
	Spares    int64 `json:"spares"`
	FromStock int64 `json:"from_stock,omitzero"` // whose colour is not known
	Buy       int64 `json:"to_buy"`              // in whole packs
	// StatedBy is what says that the product exists in the colour: `part`, or the name of a quote; left out where
	// nothing does.
	StatedBy string `json:"stated_by,omitempty"`
}

// colours divides the pieces of cables among their colours.
func (b *builder) colours() {
	s := b.in.Schedule
	for _, k := range s.ColourPieces() {
		p := &s.Products[k.Product]
		r := &b.bill.Rows[b.index[p.Item()]]
		c := r.colour(k.Colour)
		c.Qty += k.Pieces
		if p.Stock {
			c.FromStock += k.Pieces
		}
	}
	for i := range b.bill.Rows {
		r := &b.bill.Rows[i]
		if r.Colours == nil {
			continue
		}
		rest := ColourQty{Qty: r.Qty, FromStock: r.FromStock}
		for _, c := range r.Colours {
			rest.Qty -= c.Qty
			rest.FromStock -= c.FromStock
		}
		if rest.Qty > 0 {
			r.Colours = append(r.Colours, rest)
		}
		slices.SortFunc(r.Colours, func(x, y ColourQty) int { return strings.Compare(x.Colour, y.Colour) })
	}
}

// colour finds the pieces of a colour.
func (r *Row) colour(name string) *ColourQty {
	i := slices.IndexFunc(r.Colours, func(c ColourQty) bool { return c.Colour == name })
	if i < 0 {
		i = len(r.Colours)
		r.Colours = append(r.Colours, ColourQty{Colour: name})
	}
	return &r.Colours[i]
}

// takeSpares adds spares of another row, in the colours of its pieces.
func (r *Row) takeSpares(of *Row, pieces int64) {
	if r.Colours == nil && of.Colours == nil {
		r.Spares += pieces
		return
	}
	if r.Colours == nil && r.Need() > 0 {
		r.Colours = []ColourQty{{Qty: r.Qty, Spares: r.Spares, FromStock: r.FromStock}}
	}
	r.Spares += pieces
	colours, qty := of.Colours, []int64(nil)
	if colours == nil {
		colours = []ColourQty{{}}
	}
	for _, c := range colours {
		qty = append(qty, c.Qty)
	}
	for i, n := range apportion(pieces, qty) {
		if n > 0 {
			r.colour(colours[i].Colour).Spares += n
		}
	}
	slices.SortFunc(r.Colours, func(x, y ColourQty) int { return strings.Compare(x.Colour, y.Colour) })
}

// divideColours divides spares and what is in stock among the colours of a row. Spares that takeSpares has added keep
// their colours.
func (r *Row) divideColours() {
	if r.Colours == nil {
		return
	}
	qty, spares, stock := make([]int64, len(r.Colours)), r.Spares, r.FromStock
	for i := range r.Colours {
		qty[i] = r.Colours[i].Qty
		spares -= r.Colours[i].Spares
		stock -= r.Colours[i].FromStock
	}
	for i, n := range apportion(spares, qty) {
		r.Colours[i].Spares += n
		qty[i] = r.Colours[i].Spares
	}
	for i, n := range apportion(stock, qty) { // spares that the store has
		r.Colours[i].FromStock += n
	}
}

// inPacks is the pieces to buy in whole packs; of a row with colours each colour is in packs of its own.
func (r *Row) inPacks(pack int64) int64 {
	if r.Colours == nil {
		return roundToPacks(r.Need()-r.FromStock, pack)
	}
	sum := int64(0)
	for i := range r.Colours {
		sum += r.Colours[i].inPacks(pack)
	}
	return sum
}

func (c *ColourQty) inPacks(pack int64) int64 { return roundToPacks(c.Qty+c.Spares-c.FromStock, pack) }

// buyColours states the pieces to buy in each colour of a row, and what says that the product exists in it: the part,
// or the quote that it is bought by.
func (r *Row) buyColours(order catalog.Order, stated []string, from string) {
	for i := range r.Colours {
		c := &r.Colours[i]
		c.Buy = c.inPacks(order.Pack)
		switch {
		case c.Colour == "":
		case slices.Contains(stated, c.Colour):
			c.StatedBy = "part"
		case slices.Contains(catalog.SplitColours(order.Colours), c.Colour):
			c.StatedBy = from
		}
	}
}

// apportion divides pieces in proportion to shares by the largest remainders, the first of equal ones: each gets its
// exact share, rounded down or up. Without shares the first gets all.
func apportion(pieces int64, shares []int64) []int64 {
	out := make([]int64, len(shares))
	sum := int64(0)
	for _, n := range shares {
		sum += n
	}
	if sum == 0 {
		out[0] = pieces
		return out
	}
	order := make([]int, len(shares))
	remainder := make([]int64, len(shares))
	left := pieces
	for i, n := range shares {
		// No bill has so many pieces that the product overflows.
		order[i], out[i], remainder[i] = i, pieces*n/sum, pieces*n%sum
		left -= out[i]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(remainder[b], remainder[a]) })
	for _, i := range order[:left] {
		out[i]++
	}
	return out
}

// ColourWords lists the pieces to buy by colour: "aqua 80, blue 40"; empty for a line without colours.
func (r *Row) ColourWords() string {
	var out []string
	for _, c := range r.Colours {
		out = append(out, cmp.Or(c.Colour, "no colour")+" "+english.Grouped(c.Buy))
	}
	return strings.Join(out, ", ")
}

// colourNotes name the products of which nothing says that they exist in the colours that are ordered.
func (b *builder) colourNotes() {
	byPart := map[string][]string{}
	var parts []string
	for i := range b.bill.Rows {
		r := &b.bill.Rows[i]
		for _, c := range r.Colours {
			id := r.Item.Part
			if c.Colour == "" || c.StatedBy != "" || c.Buy == 0 || slices.Contains(byPart[id], c.Colour) {
				continue
			}
			if byPart[id] == nil {
				parts = append(parts, id)
			}
			byPart[id] = append(byPart[id], c.Colour)
		}
	}
	for _, id := range parts {
		slices.Sort(byPart[id])
		b.bill.Notes = append(b.bill.Notes, fmt.Sprintf("neither the part nor a quote says that %s is made in %s", id,
			english.List(byPart[id])))
	}
}
