package machine

import (
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
)

// store sets r.stock to what is in stock, and refuses pieces of parts that are not kept in stock.
func (r *resolver) store() {
	r.stock = map[catalog.Item]int64{}
	add := func(path string, item catalog.Item, n int64, pos *diag.Position) {
		if err := r.catalog.Storable(item); err == nil {
			r.stock[r.catalog.Part(item.Part).Item(item.Length)] += n
		} else if r.unsound[item.Part] || r.idsLost {
			return // the mistake of the part is reported
		} else if pos != nil {
			r.blame(path, diag.List{*pos.Errorf("%v", err)})
		} else {
			for _, e := range diag.Fields(err) {
				r.fault(path+".part", "%s\n%s", e.Message, e.Suggestion)
			}
		}
	}
	for i := range r.spec.Stock {
		in, path := &r.spec.Stock[i], diag.Elem("stock", i)
		if in.File == "" {
			if item, err := catalog.ParseItem(in.Part); err == nil { // else Check has reported it
				add(path, item, int64(in.Quantity), nil)
			}
			continue
		}
		if in.Part != "" || in.Quantity != 0 {
			continue // likewise
		}
		listed, err := catalog.LoadStock(r.spec.Beside(in.File))
		r.blame(path, err)
		for _, s := range listed {
			add(path, s.Item, s.Quantity, &s.Pos)
		}
	}
}

// cablesInStore lists the cables in stock, in the order of their items, without those that existing links keep.
func (r *resolved) cablesInStore() []cabling.InStore {
	var items []catalog.Item
	lying := r.lying()
	for item, n := range r.stock {
		if n > lying[item] && r.catalog.Part(item.Part).Cable != nil {
			items = append(items, item)
		}
	}
	slices.SortFunc(items, catalog.Item.Compare)
	var out []cabling.InStore
	for _, item := range items {
		out = append(out, cabling.InStore{
			Part: r.catalog.Part(item.Part), Length: item.Length, Quantity: r.stock[item] - lying[item],
		})
	}
	return out
}

// opticsInStore reports whether there are transceivers in stock, which make fibre cheaper than its price says.
func (r *resolved) opticsInStore() bool {
	for item, n := range r.stock {
		if n > 0 && r.catalog.Part(item.Part).Optic != nil {
			return true
		}
	}
	return false
}
