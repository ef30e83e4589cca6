package machine

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/internal/infile"
	"github.com/plenum-planner/plenum/machine/owned"
	"github.com/plenum-planner/plenum/topology"
)

// Words of embedding.lock.
const (
	lockAll  = "all"
	lockNone = "none"
)

// placement reads the file of places, if there is one.
func (r *resolver) placement() {
	e := &r.spec.Embedding
	if e.Placement == "" {
		if e.Lock != nil {
			r.fault("embedding.lock", "nothing to lock\nname the file of places with placement")
		}
		return
	}
	const path = "embedding.placement"
	if strings.EqualFold(filepath.Ext(e.Placement), ".xlsx") {
		r.workbookPlaces(path)
		return
	}
	f, err := infile.Open(e.Placement)
	if err != nil {
		r.fault(path, "%v", err)
		return
	}
	defer f.Close()
	r.pins, err = embed.ReadCSV(e.Placement, f, r.embedding())
	r.blame(path, err)
	r.lock()
}

// workbookPlaces reads places from the workbook of a plan.
func (r *resolver) workbookPlaces(path string) {
	book, err := owned.ReadBook(r.spec.Embedding.Placement)
	if err != nil {
		r.blame(path, err)
		return
	}
	m, vertex := owned.NewMachine(r.graph, r.naming.called, r.boxes, book.Boxes)
	if left := owned.Left(book.Boxes, vertex); left != "" {
		r.fault(path, "boxes that this machine does not have: %s", left)
		return
	}
	places := m.Places(book.Boxes, vertex)
	r.pins, err = embed.ReadCSV(r.spec.Embedding.Placement, strings.NewReader(places), r.embedding())
	r.blame(path, book.OnSheet(err, places))
	r.lock()
}

// lock marks the vertices that may not be moved.
func (r *resolver) lock() {
	words := r.spec.Embedding.Lock
	if words == nil {
		words = []string{lockAll}
	}
	if i := slices.IndexFunc(words, func(w string) bool { return w == lockAll || w == lockNone }); i >= 0 &&
		len(words) > 1 {
		r.fault(diag.Elem("embedding.lock", i), "%s stands alone", words[i])
		return
	}
	kinds := r.graph.Kinds()
	var names []string
	for _, k := range kinds {
		names = append(names, k.Name)
	}
	found := map[string]bool{lockAll: true, lockNone: true}
	locked := func(v int32) bool {
		kind := kinds[topology.KindOf(kinds, int(v))].Name
		return words[0] == lockAll || slices.Contains(words, kind)
	}
	vertex, label := map[int32]string{}, map[string]bool{} // of single boxes
	for _, w := range words {
		if slices.Contains(names, w) {
			found[w] = true
		} else if !found[w] {
			label[w] = true
			if v, err := r.naming.called.Find(w); err == nil {
				vertex[int32(v)] = w
			}
		}
	}
	for i := range r.pins {
		pin := &r.pins[i]
		pin.Locked = locked(pin.Vertex)
		if w, ok := vertex[pin.Vertex]; ok {
			pin.Locked, found[w] = true, true
		}
		if label[pin.Label] { // as the table calls it, which may say where it stands
			pin.Locked, found[pin.Label] = true, true
		}
	}
	for i, w := range words {
		if !found[w] {
			hint := diag.Suggest(w, append(names, lockAll, lockNone), "write all, none, the name of a box, or a kind: ")
			if near, ok := diag.Closest(w, r.listed()); ok {
				hint = diag.DidYouMean(near)
			}
			r.fault(diag.Elem("embedding.lock", i), "the placement lists no vertex %q\n%s", w, hint)
		}
	}
}

// mostCompared is how many names are compared with a misspelt one.
const mostCompared = 1 << 14

// listed are the names of the boxes that the placement lists, as it calls them; none of very many.
func (r *resolver) listed() []string {
	if len(r.pins) > mostCompared {
		return nil
	}
	out := make([]string, len(r.pins))
	for i := range r.pins {
		if out[i] = r.pins[i].Label; out[i] == "" {
			out[i] = r.naming.called.Name(int(r.pins[i].Vertex))
		}
	}
	return out
}

// placed notes what a file of places leaves open.
func (r *resolved) placed() []string {
	var out []string
	all := topology.Vertices(r.graph)
	if n := len(r.pins); r.spec.Embedding.Placement != "" && n < all {
		out = append(out, fmt.Sprintf("%s lists %d of %d vertices; the others are placed by strategy %s",
			r.spec.Embedding.Placement, n, all, strings.TrimSpace(string(r.spec.Embedding.Strategy))))
	}
	renumbered := 0
	for i := range r.pins {
		if r.pins[i].Renumbered {
			renumbered++
		}
	}
	if renumbered > 0 {
		out = append(out,
			fmt.Sprintf("%d of the vertices that %s lists have another number in this machine: they were "+
				"found by label", renumbered, r.spec.Embedding.Placement))
	}
	return out
}
