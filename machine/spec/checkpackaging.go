package spec

import (
	"maps"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
)

func (s *Spec) checkPackaging(report Reporter) {
	for _, b := range s.Packaging.boxes() {
		ascending(report, b.path()+".units", b.Units)
		s.checkChassis(report, b.path(), b.Chassis)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Packaging.Chassis)) {
		c := s.Packaging.Chassis[name]
		at := diag.Key("packaging.chassis", name)
		if cells(c.Slots) > maxCells {
			report(at+".slots", "more than %d boxes in a chassis", maxCells)
		}
		checkAxes(report, at+".slots", at+".pitch", len(c.Slots), c.Pitch)
	}
}

// racked is a kind of box at a path of the file.
type racked struct {
	path         string
	racks, place string
}

// racked lists the kinds of boxes that the file names, in its order.
func (s *Spec) racked() []racked {
	var out []racked
	for _, b := range s.Packaging.boxes() {
		out = append(out, racked{b.path(), b.Racks, b.Place})
	}
	for i, b := range s.Boxes {
		out = append(out, racked{diag.Elem("boxes", i), b.Racks, b.Place})
	}
	for i, f := range s.Fabrics {
		for _, key := range slices.Sorted(maps.Keys(f.Switches)) {
			b := f.Switches[key]
			out = append(out, racked{diag.Key(diag.Elem("fabrics", i)+".switches", key), b.Racks, b.Place})
		}
	}
	return out
}

// PlaceOfRacks is where the racks stand that kinds of boxes share by a name: that of the template of the name, else the
// place that one of the kinds gives, network-row where none does.
func (s *Spec) PlaceOfRacks(name string) string {
	for i := range s.Racks {
		if s.Racks[i].Name == name {
			return s.Racks[i].PlaceOf()
		}
	}
	for _, b := range s.racked() {
		if b.racks == name && b.place != "" {
			return b.place
		}
	}
	return NetworkRow
}

// checkRacks finds names of racks that are none, and kinds that share racks and stand at different places.
func (s *Spec) checkRacks(report Reporter) {
	first := map[string]racked{} // of each name, the first kind that gives a place
	for _, b := range s.racked() {
		before, again := first[b.racks]
		switch {
		case b.racks == "":
		case strings.TrimSpace(b.racks) != b.racks || strings.ContainsAny(b.racks, "/, \t\n"):
			report(b.path+".racks", "%q has blanks, commas or slashes\nnames of racks are single words", b.racks)
		case b.place == "":
		case !again:
			first[b.racks] = b
		case before.place != b.place:
			report(b.path+".place", "%s, and %s shares the racks %q and has %s\nracks of one name have one place",
				b.place, before.path, b.racks, before.place)
		}
	}
}

// checkChassis finds a chassis that the box at a path slides into and that there is not.
func (s *Spec) checkChassis(report Reporter, path, chassis string) {
	if _, ok := s.Packaging.Chassis[chassis]; chassis != "" && !ok {
		names := slices.Sorted(maps.Keys(s.Packaging.Chassis))
		report(path+".chassis", "no chassis %q under packaging.chassis\n%s", chassis,
			diag.Suggest(chassis, names, "it is one of "))
	}
}

// checkParts checks what can go wrong between the parts of the file and the
// rest of it; a part by itself is for the catalog to judge.
func (s *Spec) checkParts(report Reporter) {
	first := map[string]int{}
	for i, p := range s.Parts {
		at := diag.Elem("parts", i) + ".id"
		_, alias := catalog.MediumAliases[p.ID]
		switch j, again := first[p.ID]; {
		case again:
			report(at, "parts[%d] has the id %q already", j, p.ID)
		case strings.Contains(p.ID, "@"):
			report(at, "an id has no @: it separates id and length in prices.unit")
		case alias || p.ID == "none" || p.ID == string(catalog.Trace) ||
			slices.Contains(catalog.Media, catalog.Medium(p.ID)):
			report(at, "%q has a meaning of its own in machine files\nchoose another id", p.ID)
		}
		first[p.ID] = i
	}
}
