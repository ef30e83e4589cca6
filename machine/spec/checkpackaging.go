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
