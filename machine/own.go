package machine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine/owned"
	"github.com/plenum-planner/plenum/topology/fabrics"
)

// existing is what exists of a machine already, as its file names it.
type existing struct {
	boxes  []owned.Box
	cables []owned.Cable
	plugs  *cabling.Plugs // where links are plugged in; nil before boxes stand
	notes  []string
	absent []string         // boxes that a table lists and does not mark
	others map[string]int64 //  pieces of parts that the catalog does not have
}

// exists reads what exists: boxes keep their places, unless a placement says where they are to stand, and pieces are as
// in store.
func (r *resolver) exists() {
	if r.spec.Owned == nil {
		return
	}
	at := func(key string) string { return "owned." + key }
	if r.spec.Owned.Plan != "" {
		at = func(string) string { return "owned.plan" }
	}
	r.spec.Owned = r.spec.Owned.Files()
	o, own := r.spec.Owned, &existing{others: map[string]int64{}}
	before := len(r.faults)
	read := func(key, file string, from func() error) {
		if file != "" {
			r.blame(at(key), from())
		}
	}
	var book *owned.Book
	read("workbook", o.Workbook, func() (err error) {
		if book, err = owned.ReadBook(o.Workbook); err != nil {
			return err
		}
		own.boxes, own.cables = book.Boxes, book.Cables
		for i := range book.Parts {
			r.ownedPart(own, "owned.workbook", &book.Parts[i])
		}
		return nil
	})
	read("placement", o.Placement, func() (err error) {
		own.boxes, own.absent, err = owned.ReadBoxes(o.Placement)
		return err
	})
	read("cables", o.Cables, func() (err error) { own.cables, err = owned.ReadCables(o.Cables); return err })
	read("parts", o.Parts, func() error {
		parts, err := owned.ReadParts(o.Parts)
		for i := range parts {
			r.ownedPart(own, at("parts"), &parts[i])
		}
		return err
	})
	if len(r.faults) > before {
		return
	}
	if o.Parts == "" && o.Workbook == "" { // then what lies is all that is known
		for item, n := range owned.Pieces(own.cables) {
			r.ownedPart(own, at("cables"), &owned.Part{Item: item, Quantity: n})
		}
	}
	r.existing = own
	m, vertex := owned.NewMachine(r.graph, r.naming.called, r.boxes, own.boxes)
	if left := owned.Left(own.boxes, vertex); left != "" {
		own.notes = append(own.notes, "of what exists, this machine does not have: "+left)
	}
	if len(own.others) > 0 {
		own.notes = append(own.notes,
			"of what exists, the catalog does not have: "+owned.Few(slices.Sorted(maps.Keys(own.others))))
	}
	key, file := "placement", o.Placement
	if o.Workbook != "" {
		key, file = "workbook", o.Workbook
	}
	if r.keepNames(at(key), own.boxes, vertex); file == "" || r.spec.Embedding.Placement != "" {
		return
	}
	places := m.Places(own.boxes, vertex)
	var err error
	r.pins, err = embed.ReadCSV(file, strings.NewReader(places), r.embedding())
	if o.Workbook != "" {
		err = book.OnSheet(err, places)
	}
	r.blame(at(key), err)
	for i := range r.pins {
		r.pins[i].Locked = true
	}
}

// ownedPart adds pieces that exist to what is in store. Parts that the catalog does not have are noted: this machine
// cannot use them.
func (r *resolver) ownedPart(own *existing, path string, p *owned.Part) {
	if r.catalog.Part(p.Item.Part) == nil {
		own.others[p.Item.String()] += p.Quantity
		return
	}
	if err := r.catalog.Storable(p.Item); err != nil {
		r.blame(path, diag.List{*p.Pos.Errorf("%v", err)})
		return
	}
	r.stock[r.catalog.Part(p.Item.Part).Item(p.Item.Length)] += p.Quantity
}

// keepPorts plugs links in where cables lie, now that boxes stand and all networks are plugged in. What it is told
// stays as it is. The error is a diag.List.
func (r *resolved) keepPorts() (*resolved, error) {
	if r.existing == nil || len(r.existing.cables) == 0 {
		return r, nil
	}
	plugged, own := *r, *r.existing
	plugged.existing = &own
	own.notes = slices.Clone(own.notes)
	m, _ := owned.NewMachine(r.graph, r.naming.called, r.boxes, own.boxes, own.absent...)
	of := make([]int, len(r.graph.Levels()))
	if g, ok := r.graph.(*fabrics.Machine); ok {
		for level, f := range r.fabricOfLevel(g) {
			of[level] = f + 1
		}
	}
	plugs, kept, err := m.Plug(own.cables, of, r.catalog)
	if err != nil {
		return nil, err
	}
	own.plugs = plugs
	own.notes = append(own.notes, fmt.Sprintf("%s of %s that exist keep their ports",
		english.Grouped(int64(kept.Links)),
		english.GroupedCount(int64(kept.Cables), "cable")))
	if kept.Unknown > 0 {
		own.notes = append(own.notes,
			fmt.Sprintf("%s that exist lead to boxes, ports or levels that this machine does not have",
				english.GroupedCount(int64(kept.Unknown), "cable")))
	}
	return &plugged, nil
}

// lying counts the cables that are kept for the links whose ports they hold, which nobody else may take.
func (r *resolved) lying() map[catalog.Item]int64 {
	out := map[catalog.Item]int64{}
	if r.existing == nil || r.existing.plugs == nil {
		return out
	}
	p := r.existing.plugs
	for _, i := range p.Cable {
		if i >= 0 {
			out[p.Cables[i].Part.Item(p.Cables[i].Length)]++
		}
	}
	return out
}
