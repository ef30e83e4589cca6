package edited

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/topology"
)

// Columns of the sheet Boxes.
const (
	labelColumn = "label"
	nameColumn  = "name"
	lockColumn  = "lock"
)

// placeColumns are the columns with the slot of a box.
var placeColumns = []string{"container", "cell", "unit", "face"}

// maxNameLength is the largest number of characters (runes) of a name.
const maxNameLength = 128

// mostCompared is the largest number of known names for which the one nearest to a misspelt name is suggested.
const mostCompared = 1 << 14

// readBoxes finds boxes that were moved, renamed or locked. Boxes whose row was deleted are placed anew, unless the
// sheet has the column owned, which allows rows to be missing. A sheet whose only row refers to placement.csv, as the
// sheet of a machine with too many boxes does, has no edits.
func (r *reader) readBoxes(s *sheet) {
	g := r.plan.Schedule
	vertices := topology.Vertices(r.plan.Graph)
	vertex := make(map[string]int, vertices)
	for v := range vertices {
		vertex[g.Device(int32(v))] = v
	}
	if len(s.rows) == 1 && len(s.rows[0]) == 1 { // the reference to placement.csv
		if _, ok := vertex[s.get(0, labelColumn)]; !ok && vertices > 1 {
			return
		}
	}
	known := r.containerNames()
	seen := map[int]bool{}
	named := map[string]int{} // rows by new names
	for n := range s.rows {
		label := s.get(n, labelColumn)
		if label == "" && len(strings.Join(s.rows[n], "")) == 0 {
			continue
		}
		v, ok := vertex[label]
		if !ok {
			hint := "leave the labels as they are; new names go into the column name"
			if len(vertex) <= mostCompared {
				if near, ok := diag.Closest(label, slices.Sorted(maps.Keys(vertex))); ok {
					hint = diag.DidYouMean(near) + " New names go into the column name."
				}
			}
			r.found.Addf(s.where(n, labelColumn), "the plan has no box %q\n%s", clip(label), hint)
			continue
		}
		if seen[v] {
			r.found.Addf(s.where(n, labelColumn), "the box %q comes twice", label)
			continue
		}
		seen[v] = true
		r.readBox(s, n, v, known)
		r.readName(s, n, label, vertex, named)
	}
	gone := 0
	for v := range vertices {
		if !seen[v] {
			gone++
		}
	}
	if gone > 0 && !s.has(ownedColumn) {
		r.placed = true
		r.addChange(diag.Position{File: s.file, Sheet: s.name, Line: 1, Column: 1},
			"%d boxes have no row: they are placed anew around the others", gone)
	}
}

// containerNames returns the names of all rack positions or, of a machine without a room, of all innermost containers.
func (r *reader) containerNames() map[string]bool {
	out := map[string]bool{}
	if room := r.plan.Room(); room != nil {
		for p := range room.Places {
			out[room.Name(p)] = true
		}
		return out
	}
	l := r.plan.Placement.Layout
	for slot := range l.Slots() {
		out[l.Innermost(int32(slot))] = true
	}
	return out
}

// readBox compares row n with the box v that it is about. Kind, part and address must be as planned. A box that was
// moved is locked in its new place, also if its column lock says no.
func (r *reader) readBox(s *sheet, n, v int, known map[string]bool) {
	g := r.plan.Schedule
	l := g.Placement.Layout
	slot := g.Placement.Slot[v]
	kind := topology.KindOf(g.Kinds, v)
	for _, fixed := range [][2]string{
		{"kind", g.Kinds[kind].Name}, {"part", g.Boxes[kind].Part.ID}, {"address", g.Naming.Boxes.Address(v)},
	} {
		if got := s.get(n, fixed[0]); !same(got, fixed[1]) {
			r.found.Addf(s.where(n, fixed[0]), "%q, but the plan has %q: this is not edited here", clip(got), fixed[1])
		}
	}
	planned := []string{l.Innermost(slot), "", "", ""}
	if c := l.Cell(slot); c >= 0 {
		planned[1] = strconv.Itoa(int(c) + 1)
	}
	if l.Room != nil {
		planned[2], planned[3] = strconv.Itoa(l.Unit(slot)), "front"
		if l.Rear(slot) {
			planned[3] = "rear"
		}
	}
	locked, ok := csvtable.Mark(s.get(n, lockColumn))
	if !ok {
		r.found.Addf(s.where(n, lockColumn), "%q is not a mark\nwrite yes or no", clip(s.get(n, lockColumn)))
	}
	owned, _ := csvtable.Mark(s.get(n, ownedColumn))
	for i, column := range placeColumns {
		got := s.get(n, column)
		if same(got, planned[i]) {
			continue
		}
		if s.has(ownedColumn) && !owned {
			r.found.Addf(s.where(n, column), "%q, but the plan has %q: the box is not marked as owned, and its "+
				"place is found anew", clip(got), planned[i])
			continue
		}
		if i == 0 && !r.isContainer(s.where(n, column), got, known) {
			continue
		}
		r.placed = true
		locked = true
		r.addChange(s.where(n, column), "%s of %s: %s, was %s", column, s.get(n, labelColumn), cmp.Or(got, "none"),
			cmp.Or(planned[i], "none"))
	}
	if locked && ok {
		if yes, _ := csvtable.Mark(s.get(n, lockColumn)); yes {
			r.addChange(s.where(n, lockColumn), "%s stays where it is", s.get(n, labelColumn))
		}
		r.placed = true
		r.lock = append(r.lock, g.Naming.Boxes.Address(v))
	}
}

// isContainer reports whether boxes can be placed in a container: in one of the known names or, in a room, in an
// enclosure of one ("RACK/...", of which only the rack is checked here). If not, it notes the mistake.
func (r *reader) isContainer(at diag.Position, container string, known map[string]bool) bool {
	rack := container
	if r.plan.Room() != nil {
		rack, _, _ = strings.Cut(container, "/")
	}
	if known[rack] {
		return true
	}
	hint := "write the name of a rack of the sheet Racks"
	if len(known) <= mostCompared {
		if near, ok := diag.Closest(rack, slices.Sorted(maps.Keys(known))); ok {
			hint = diag.DidYouMean(near)
		}
	}
	r.found.Addf(at, "there is no place called %q\n%s", clip(container), hint)
	return false
}

// readName finds a new name of a box. An empty cell changes nothing. vertex has the names of all planned boxes, and
// named the rows of the new names so far: a new name must not be among them.
func (r *reader) readName(s *sheet, n int, label string, vertex map[string]int, named map[string]int) {
	name := s.get(n, nameColumn)
	if name == "" || name == label {
		return
	}
	at := s.where(n, nameColumn)
	if utf8.RuneCountInString(name) > maxNameLength || strings.ContainsFunc(name, unicode.IsControl) ||
		!utf8.ValidString(name) {
		r.found.Addf(at, "%q is not a name: at most %d characters, none of them a control character", clip(name),
			maxNameLength)
		return
	}
	if other, twice := named[name]; twice {
		r.found.Addf(at, "%q is the new name of another box, in %s", name, s.where(other, nameColumn).Place())
		return
	}
	if _, taken := vertex[name]; taken {
		r.found.Addf(at, "%q is a box of the plan already", name)
		return
	}
	named[name] = n
	r.named = true
	r.addChange(at, "name of %s: %s", label, name)
}
