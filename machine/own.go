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
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology/fabrics"
)

// existing is what exists of a machine already, as its file names it.
type existing struct {
	boxes  []owned.Box
	cables []owned.Cable
	cooled []owned.Cooled
	cords  []owned.Cord
	vertex []int32        // of boxes; -1 for one that this machine does not have
	plugs  *cabling.Plugs // where links are plugged in; nil before boxes stand
	found  *owned.Machine // finds boxes by the names of the tables; nil before boxes stand, and where no table needs it
	notes  []string
	absent []string         // boxes that a table lists and does not mark
	others map[string]int64 //  pieces of parts that the catalog does not have
}

// exists reads what exists: boxes keep their places, unless a placement says where they are to stand, and pieces are as
// in stock.
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
	read("cooling", o.Cooling, func() (err error) { own.cooled, err = owned.ReadCooling(o.Cooling); return err })
	read("power", o.Power, func() (err error) { own.cords, err = owned.ReadPower(o.Power); return err })
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
	vertex = m.Settle(own.boxes, vertex, own.cables, r.catalog, r.staysInTopology(), r.pluggedAfterwards())
	own.vertex = vertex
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

// staysInTopology returns which kinds of boxes keep their vertices: those that templates of racks hold, and switches of
// fabrics whose boxes are plugged in by where they stand.
func (r *resolver) staysInTopology() func(kind int) bool {
	stays := map[int]bool{}
	for kind, word := range r.words {
		stays[kind] = len(r.spec.TemplatesOf(word)) > 0
	}
	for i, f := range r.fabrics {
		if len(r.spec.Fabrics) > 0 && r.spec.Fabrics[i].Order == spec.ByPlace {
			for _, at := range f.switches {
				stays[at.Kind] = true
			}
		}
	}
	return func(kind int) bool { return stays[kind] }
}

// pluggedAfterwards returns which levels are of boxes that are plugged in once those that exist have vertices: of
// fabrics whose boxes are plugged in by where they stand, and of those whose boxes keep their places among several
// kinds.
func (r *resolved) pluggedAfterwards() func(level int32) bool {
	later := map[int32]bool{}
	g, ok := r.graph.(*fabrics.Machine)
	if !ok {
		return func(int32) bool { return false }
	}
	for i, f := range r.fabrics {
		byPlace := len(r.spec.Fabrics) > 0 && r.spec.Fabrics[i].Order == spec.ByPlace
		if !byPlace && !f.deals && !keepsPlaces(f) {
			continue
		}
		first, end := g.FabricLevels(f.part)
		for level := first; level < end; level++ {
			later[int32(level)] = byPlace
		}
		if byPlace {
			continue
		}
		isPlace := f.hasPlace()
		for l := range f.bare.Links() {
			if isPlace(l.A) || isPlace(l.B) {
				later[int32(first)+l.Level] = true
			}
		}
	}
	return func(level int32) bool { return later[level] }
}

// machineOwned is the machine with the boxes that exist at the vertices that they have.
func (r *resolved) machineOwned() *owned.Machine {
	m, _ := owned.NewMachine(r.graph, r.naming.called, r.boxes, r.existing.boxes, r.existing.absent...)
	m.Call(r.existing.boxes, r.existing.vertex, r.existing.absent...)
	return m
}

// ownedPart adds pieces that exist to what is in stock. Parts that the catalog does not have are noted: this machine
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

// keepPorts plugs links in where cables lie, now that boxes stand and all networks are plugged in, and prepares hoses
// and power cords to stay. The receiver stays as it is. The error is a diag.List.
func (r *resolved) keepPorts() (*resolved, error) {
	if r.existing == nil || len(r.existing.cables)+len(r.existing.cooled)+len(r.existing.cords) == 0 {
		return r, nil
	}
	plugged, own := *r, *r.existing
	plugged.existing = &own
	own.notes = slices.Clone(own.notes)
	m := r.machineOwned()
	if own.found = m; len(own.cables) == 0 {
		return &plugged, nil
	}
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
		english.Grouped(int64(kept.Links)), lyingCount(&kept, kept.Lying)))
	if kept.Moved > 0 {
		own.notes = append(own.notes, moves(&kept))
	}
	if kept.Unknown > 0 {
		own.notes = append(own.notes,
			fmt.Sprintf("%s that exist lead to boxes, ports or levels that this machine does not have",
				lyingCount(&kept, kept.Unknown)))
	}
	return &plugged, nil
}

// vertices are the boxes that exist by their names in the tables of them, nil where none does.
func (own *existing) vertices() map[string]int32 {
	if own == nil || len(own.boxes) == 0 {
		return nil
	}
	out := map[string]int32{}
	for i, v := range own.vertex {
		if v >= 0 {
			out[own.boxes[i].Name] = v
		}
	}
	return out
}

// plugged is where links are plugged in, nil where nothing exists.
func (own *existing) plugged() *cabling.Plugs {
	if own == nil {
		return nil
	}
	return own.plugs
}

// moves says how many cables move, and how few would have to.
func moves(k *owned.Kept) string {
	text := lyingCount(k, k.Moved) + " that exist move"
	if more := k.Moved - k.InPlace; more > 0 {
		text += fmt.Sprintf(", %s for want of ports of the same kind", english.Grouped(int64(more)))
	}
	if k.InPlace > 0 {
		text += fmt.Sprintf(": between the boxes of %s, this machine has fewer links",
			english.Grouped(int64(k.InPlace)))
	}
	if k.Least == k.Moved {
		return text + "; no other choice of boxes for the positions of the topology moves fewer"
	}
	if k.Least == 0 {
		return text + "; no lower bound over all choices of boxes for the positions of the topology is known"
	}
	return text + fmt.Sprintf("; a lower bound over all choices of boxes for the positions of the topology is %s",
		english.Grouped(int64(k.Least)))
}

// lyingCount counts n of what exists: cables, or their links if cables and links are not the same in number.
func lyingCount(k *owned.Kept, n int) string {
	if k.Shared {
		return english.Count(n, "link") + " of cables"
	}
	return english.Count(n, "cable")
}

// lying counts the cables that are kept for the links whose ports they hold, which nobody else may take.
func (r *resolved) lying() map[catalog.Item]int64 {
	out := map[catalog.Item]int64{}
	if r.existing == nil || r.existing.plugs == nil {
		return out
	}
	p := r.existing.plugs
	for _, i := range p.Cable {
		if i >= 0 && !p.Cables[i].Shared {
			out[p.Cables[i].Part.Item(p.Cables[i].Length)]++
		}
	}
	return out
}
