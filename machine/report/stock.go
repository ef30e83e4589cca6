package report

import (
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/units"
)

// Stock says what the machine takes from stock, and why cables are bought all the same.
type Stock struct {
	Pieces int64 `json:"pieces"` // all that are in stock
	Used   int64 `json:"used"`   // of them, for the machine and for its spares
	// Worth is what the pieces that are used would cost, by the bill; null where no price of any is known.
	Worth *units.Money `json:"worth"`
	Rows  []StockRow   `json:"items"` // what is in stock, by part and length
	// Bought are the cables that are bought, by level of the topology, product and reason.
	Bought []StockLack `json:"bought"`
}

// StockRow is one item in stock.
type StockRow struct {
	Item   catalog.Item `json:"part"`     // the id of the part, with the length for a cable
	Qty    int64        `json:"in_store"` // pieces
	Used   int64        `json:"used"`     // of them, for the machine
	Spares int64        `json:"spares"`   // of them, as spares
	Left   int64        `json:"left"`     // of them
}

// StockLack is cables that are bought although there is a store.
type StockLack struct {
	Level   string       `json:"level"`   // of the topology
	Product catalog.Item `json:"product"` // the product that is ordered
	Cables  int64        `json:"cables"`  // that are bought, without spares
	// Shortest is the least that cables of this level and product need, which the store cannot give to all of them.
	Shortest units.Length `json:"shortest_m"`
	Longest  units.Length `json:"longest_m"` // the most that they need
	// Why is `taken` where pieces would do and other cables have them, `short` where those of the families that would
	// do are shorter than needed, `misfit` where no family in stock fits ports, media rules, cages and trays, `dear`
	// where the transceivers for a piece cost more than ordered cables, `patched` for cords and trunks of patch panels,
	// for which only the length that was chosen is taken.
	Why cabling.Reason `json:"why"`
}

// NewStock reports what becomes of what is in stock; nil where nothing is.
func NewStock(stock map[catalog.Item]int64, s *cabling.Schedule, bill *cost.Bill) *Stock {
	if len(stock) == 0 {
		return nil
	}
	out := &Stock{Rows: []StockRow{}, Bought: []StockLack{}}
	worth, priced := units.Money(0), false
	rows := map[catalog.Item]*cost.Row{}
	for i := range bill.Rows {
		rows[bill.Rows[i].Item] = &bill.Rows[i]
	}
	for item, n := range stock {
		r := StockRow{Item: item, Qty: n, Left: n}
		if row := rows[item]; row != nil {
			r.Used = min(row.FromStock, row.Qty)
			r.Spares = row.FromStock - r.Used
			r.Left -= row.FromStock
			if row.UnitCost != nil && row.FromStock > 0 {
				worth, priced = worth+*row.UnitCost*units.Money(row.FromStock), true
			}
		}
		out.Pieces += n
		out.Used += r.Used + r.Spares
		out.Rows = append(out.Rows, r)
	}
	slices.SortFunc(out.Rows, func(x, y StockRow) int { return x.Item.Compare(y.Item) })
	if priced {
		out.Worth = &worth
	}
	for _, l := range s.Lacks {
		out.Bought = append(out.Bought, StockLack{
			s.Graph.Levels()[l.Level].Name, l.Item, l.Cables, Round(l.Shortest), Round(l.Longest), l.Why,
		})
	}
	return out
}
