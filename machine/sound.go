package machine

import (
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/machine/spec"
)

// A file with mistakes is checked to the end: a mistake of a later check is reported as well where it does not merely
// follow from an earlier one. This file says what is sound enough to be checked further.

// sound reports whether the value at a path of the file could be read and nothing is wrong in it as far as is known.
// Values in it whose paths, from there, are listed do not count.
func (r *resolver) sound(path string, without ...string) bool {
	if r.spec.Unread(path, without...) {
		return false
	}
	return !slices.ContainsFunc(r.faults, func(e *diag.FieldError) bool {
		below, ok := diag.Below(path, e.Path)
		return ok && !diag.Within(below, without)
	})
}

// aside are values of parts that change neither where a box stands nor what is plugged into it.
var aside = []string{
	"power", "powers", "liquid", "weight", "lead_time", "supplier", "part_number", "pack", "colours", "inlets",
	"redundancy", "supply", "cooling", "hop", "description", "source", "confidence", "estimated", "lasers",
	"rack.power", "rack.weight", "rack.busbar", "rack.openings",
}

// findUnsound sets r.unsound to the file's own parts of which it is not known what they are.
func (r *resolver) findUnsound() {
	r.unsound, r.idsLost = map[string]bool{}, r.spec.Unread("parts") && len(r.spec.Parts) == 0
	for i := range r.spec.Parts {
		at := diag.Elem("parts", i)
		if !r.sound(at, aside...) {
			r.unsound[r.spec.Parts[i].ID] = true
		}
		r.idsLost = r.idsLost || r.spec.Unread(at+".id")
	}
}

// usable finds a part of any kind. It is nil if there is none, or if it is not known what it is: both have been
// reported.
func (r *resolver) usable(id string) *catalog.Part {
	if r.unsound[id] {
		return nil
	}
	return r.catalog.Part(id)
}

// unmake has words that may be of a fabric be taken for names of something in it, as its topology could not be made.
// The name "" is that of a machine with one topology.
func (r *resolver) unmake(fabric string) {
	if r.unmade == nil {
		r.unmade = map[string]bool{}
	}
	r.unmade[fabric] = true
}

// maybe reports whether a word of the file, or a pattern, may be of boxes, switches or a fabric whose names are not
// known, because they could not be read or made.
func (r *resolver) maybe(word string) bool {
	base, _, ofFabric := strings.Cut(word, "/")
	boxes := r.spec.NamesLost("boxes", len(r.spec.Boxes))
	networks := r.spec.NamesLost("fabrics", len(r.spec.Fabrics))
	if several(word) {
		return boxes || networks || len(r.unmade) > 0
	}
	for name := range r.unmade {
		if name == "" || name == base || strings.HasPrefix(word, spec.KindName(name, "")) {
			return true
		}
	}
	return networks || boxes && !ofFabric
}

// isUnwoven reports whether the links of a fabric are not among those of the machine, for its mistakes.
func (r *resolver) isUnwoven(name string) bool {
	return r.unmade[name] || slices.ContainsFunc(r.fabrics, func(f *fabric) bool {
		return f.name == name && f.part < 0
	})
}

// draft reports whether the machine is without some links or boxes for their mistakes.
func (r *resolver) draft() bool {
	return len(r.unmade) > 0 || len(r.spec.Fabrics) > 0 && slices.ContainsFunc(r.fabrics, func(f *fabric) bool {
		return f.part < 0
	})
}

// heldUnread reports whether something of what racks hold could not be read.
func (r *resolver) heldUnread() bool {
	for i := range r.spec.Racks {
		if r.spec.Unread(diag.Elem("racks", i) + ".holds") {
			return true
		}
	}
	return r.spec.Unread("racks") && len(r.spec.Racks) == 0
}

// sureOfTemplates reports whether it is known how many boxes of a kind, by the words of the file, templates hold.
func (r *resolver) sureOfTemplates(kind string) bool {
	for _, i := range r.spec.TemplatesOf(kind) {
		if at := diag.Elem("racks", i); !r.sound(at+".count") || !r.sound(at+".holds") {
			return false
		}
	}
	return !r.heldUnread()
}

// sureOfBoxes reports whether it is known how many boxes an entry of boxes is.
func (r *resolver) sureOfBoxes(i int) bool {
	b := &r.spec.Boxes[i]
	return r.sound(diag.Elem("boxes", i)) && (b.Part == "" || r.usable(b.Part) != nil) && r.sureOfTemplates(b.Name)
}

// sure reports whether all is known that the size of a fabric depends on: the boxes that it is plugged into, how many
// they are and what ports they have.
func (r *resolver) sure(i int) bool {
	f := &r.spec.Fabrics[i]
	sound := func(i int) bool {
		return r.sound(diag.Elem("fabrics", i), "spares", "delay", "media", "uplinks")
	}
	if !sound(i) {
		return false
	}
	for _, e := range f.Ends {
		if r.maybe(e.Boxes) {
			return false
		}
		for j := range r.spec.Boxes {
			if matches(e.Boxes, r.spec.Boxes[j].Name) && !r.sureOfBoxes(j) {
				return false
			}
		}
		of, _, ofFabric := strings.Cut(e.Boxes, "/")
		for j := range r.spec.Fabrics {
			name := r.spec.Fabrics[j].Name
			if ofFabric && j != i && matches(of, name) && !sound(j) {
				return false
			}
		}
	}
	return r.sureOfTemplates(f.Name + "/" + accessSwitch)
}

// sureOf reports whether it is known how many boxes of a kind of the machine there are.
func (r *resolver) sureOf(kind int) bool {
	if len(r.spec.Fabrics) == 0 {
		return r.sound("topology")
	}
	if kind < len(r.spec.Boxes) {
		return r.sureOfBoxes(kind)
	}
	of, _, _ := strings.Cut(r.words[kind], "/")
	i := slices.IndexFunc(r.spec.Fabrics, func(f spec.Fabric) bool { return f.Name == of })
	return i < 0 || r.sure(i)
}

// allSure reports whether it is known which boxes and switches the machine has.
func (r *resolver) allSure() bool {
	for kind := range r.graph.Kinds() {
		if !r.sureOf(kind) {
			return false
		}
	}
	return !r.draft()
}

// isSlip reports whether a word is not among the known ones and looks like one of them.
func isSlip(word string, known []string) bool {
	_, near := diag.Closest(word, known)
	return near && !slices.Contains(known, word)
}

// whole reports whether all is known that places depend on, so that what exists and where boxes are to stand can be
// read.
func (r *resolver) whole() bool {
	if len(r.faults) == 0 && r.spec.Locate(nil) == nil {
		return true
	}
	for _, path := range []string{
		"packaging", "racks", "names", "embedding", "topology", "fabrics", "boxes", "cabling",
	} {
		if !r.sound(path) {
			return false
		}
	}
	return r.graph != nil && !slices.Contains(r.boxes, nil) && r.allSure() &&
		(r.tree != nil && r.sound("room") || r.room != nil && r.roomSound())
}
