package catalog

import (
	"strconv"

	"github.com/plenum-planner/plenum/diag"
)

// Stocked is pieces of an item in stock.
type Stocked struct {
	Item     Item
	Quantity int64
	Pos      diag.Position
}

// MostStocked is the most pieces of an item in stock.
const MostStocked = 1_000_000_000

// stockForm is a list of what is in stock.
var stockForm = tableForm{
	columns: map[string][]string{
		"part":     {"part", "part_id", "id", "product"},
		"length":   {"length", "length_m"},
		"quantity": {"quantity", "qty", "pieces", "in_stock", "stock", "on_hand"},
	},
	key: []string{"part", "quantity"}, others: true, list: "part, length, quantity",
	headless: "no header: one of the first rows names the columns part and quantity",
	empty:    "nothing below the header",
}

// LoadStock reads what is in stock from a file. See ReadStock.
func LoadStock(path string) ([]Stocked, error) {
	data, err := loadTable(path)
	if err != nil {
		return nil, err
	}
	return ReadStock(path, data)
}

// ReadStock reads what is in stock: CSV (with commas, semicolons or tabs) or a workbook for Excel. One of its first
// rows is a header that names the columns part and quantity, and length if cables do not have theirs with the part
// ("id@3 m"); other columns are ignored, and so are rows of no pieces. Several rows may have one item; whether an item
// exists is for Storable to say. The result is in the order of the file. The error is a diag.List, with no result.
func ReadStock(name string, data []byte) ([]Stocked, error) {
	var out []Stocked
	rows := 0
	r := &tableReader{form: stockForm, file: name, taken: func() bool { return rows > 0 }}
	r.take = func(in row) {
		rows++
		before := len(r.found)
		cell := r.cells(in)
		s := Stocked{Item: r.item(cell), Pos: in.place(0)}
		text, place := cell("quantity")
		n, err := strconv.ParseInt(text, 10, 64)
		switch {
		case text == "":
			r.found.Addf(place, "no quantity")
		case err != nil || n < 0 || n > MostStocked:
			r.found.Addf(place, "%q is not a number of pieces", clip(text))
		}
		if s.Quantity = n; len(r.found) == before && n > 0 {
			out = append(out, s)
		}
	}
	r.read(data)
	if err := r.found.Err(); err != nil {
		return nil, err
	}
	return out, nil
}

// Storable returns an error that says why an item cannot be in stock, nil if it can: a part that does not exist, a
// cable without a length or in one that it does not come in. Cables may have any length up to the longest that is sold,
// or, where it is stated, their reach.
func (c *Catalog) Storable(i Item) error {
	p := c.Part(i.Part)
	switch {
	case p == nil:
		var ids []string
		for j := range c.parts {
			ids = append(ids, c.parts[j].ID)
		}
		return diag.Fieldf("", "there is no part %q\n%s", i.Part, diag.Suggest(i.Part, ids, ""))
	case !p.HasLength() && i.Length > 0:
		return diag.Fieldf("", "%s is not a cable and has no length", i.Part)
	case !p.HasLength():
		return nil
	case i.Length == 0:
		first, ok := p.Stock(1)
		if sold, _ := p.Lengths(); !ok {
			first = sold.Longest()
		}
		return diag.Fieldf("", "no length\nwrite %s, a line for every length", p.Item(first))
	}
	sold, _ := p.Lengths()
	longest := sold.Longest()
	if p.Cable != nil && p.Cable.Reach > 0 {
		longest = p.Cable.Reach
	}
	if i.Length > longest+lengthTolerance {
		return diag.Fieldf("", "%s reaches %v, and %v is longer", i.Part, longest, i.Length)
	}
	return nil
}
