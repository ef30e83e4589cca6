package spec

import (
	"maps"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
)

// suggester returns diag.Suggest for the first diag.Most words, as many as mistakes are reported, and "" after: each
// suggestion is compared with every part.
func suggester() func(word string, among []string) string {
	suggested := 0
	return func(word string, among []string) string {
		if suggested++; suggested > diag.Most {
			return ""
		}
		return diag.Suggest(word, among, "")
	}
}

// AnyKind is the kind of a part whose mistakes leave open what it is.
const AnyKind catalog.Kind = "?"

// CheckCatalog finds what the file says about parts and price sets that the catalog, with the file's own parts, does
// not have. kind tells the kind of a part, empty if there is none of that id, AnyKind if it may be any; ids and sets
// are for suggestions.
func (s *Spec) CheckCatalog(kind func(id string) catalog.Kind, ids, sets []string, report Reporter) {
	suggest := suggester()
	part := func(path, id string, want catalog.Kind) {
		have := kind(id)
		switch {
		case id == "" || have == AnyKind:
		case have == "":
			report(path, "there is no part %q\n%s", id, suggest(id, ids))
		case want != "" && have != want:
			report(path, "part %q is of kind %s, not %s", id, have, want)
		}
	}
	for _, b := range s.Packaging.boxes() {
		switch {
		case b.any: // which of the two it is, the topology knows
			part(b.path()+".part", b.Part, "")
		case b.kind == "node":
			part(b.path()+".part", b.Part, catalog.KindNode)
		default:
			part(b.path()+".part", b.Part, catalog.KindSwitch)
		}
		if b.Adapter != "none" {
			part(b.path()+".adapter", b.Adapter, catalog.KindAdapter)
		}
	}
	s.checkFabricParts(part)
	s.checkEnclosures(kind, part, report)
	part("room.rack", s.Room.Rack, catalog.KindRack)
	for i := range s.Racks {
		part(diag.Elem("racks", i)+".part", s.Racks[i].Part, catalog.KindRack)
	}
	for i, t := range s.Room.RackTypes {
		part(diag.Elem("room.rack_types", i)+".part", t.Part, catalog.KindRack)
	}
	part("room.trays.part", s.Room.Trays.Part, catalog.KindTray)
	for i, l := range s.Room.Trays.Levels {
		part(diag.Elem("room.trays.levels", i)+".part", l.Part, catalog.KindTray)
	}
	for i := range s.Room.Loops {
		part(diag.Elem("room.loops", i)+".hose", s.Room.Loops[i].Hose, catalog.KindHose)
	}
	if k := s.Cabling.Shuffle; namesShufflePart(k) {
		part("cabling.shuffle", k, catalog.KindPanel)
	}
	if k := s.Cabling.Structured; k != nil {
		part("cabling.structured.panel", k.Panel, catalog.KindPanel)
		part("cabling.structured.trunk", k.Trunk, catalog.KindCable)
		for _, rack := range slices.Sorted(maps.Keys(k.Panels)) {
			part(diag.Key("cabling.structured.panels", rack), k.Panels[rack], catalog.KindPanel)
		}
	}
	uses := func(path string, rules []MediaRule) {
		media := mediumWords()
		for i, m := range rules {
			for j, use := range m.Use {
				at := diag.Elem(diag.Elem(path, i)+".use", j)
				switch {
				case slices.Contains(media, use):
				case kind(use) == "":
					report(at, "%q is neither a medium nor a part\n%s", use,
						suggest(use, append(media, ids...)))
				default:
					part(at, use, catalog.KindCable)
				}
			}
		}
	}
	uses("cabling.media", s.Cabling.Media)
	for i := range s.Fabrics {
		uses(diag.Elem("fabrics", i)+".media", s.Fabrics[i].Media)
	}
	for _, key := range slices.Sorted(maps.Keys(s.Prices.LeastSpares)) {
		if !slices.Contains(spared, catalog.Kind(key)) && kind(key) == "" {
			report(diag.OfKey("prices.least_spares", key), "%q is neither a kind of part nor the id of one\n%s", key,
				suggest(key, append(words(spared), ids...)))
		}
	}
	priced := func(section string, keys []string) {
		for _, key := range keys {
			item, err := catalog.ParseItem(key)
			switch {
			case slices.Contains(cost.LabourIDs, key):
			case err == nil && kind(item.Part) == catalog.KindHose:
			case item.Length > 0 || err != nil:
				part(diag.OfKey(section, key), item.Part, catalog.KindCable)
			default:
				part(diag.OfKey(section, key), item.Part, "")
			}
		}
	}
	priced("prices.unit", slices.Sorted(maps.Keys(s.Prices.Unit)))
	priced("prices.ranges", slices.Sorted(maps.Keys(s.Prices.Ranges)))

	if s.Prices.Set != "" && !slices.Contains(sets, s.Prices.Set) {
		report("prices.set", "there is no price set %q\n%s", s.Prices.Set,
			diag.Suggest(s.Prices.Set, sets, "it is one of "))
	}
}

// checkEnclosures checks the parts of levels of packaging.
func (s *Spec) checkEnclosures(
	kind func(id string) catalog.Kind, part func(path, id string, want catalog.Kind), report Reporter,
) {
	check := func(path, id string, kinds []catalog.Kind) {
		switch have := kind(id); {
		case id == "" || id == NoPart || have == AnyKind:
		case have == "":
			part(path, id, "")
		case have == catalog.KindRack && !slices.Contains(kinds, have):
			report(path, "part %q is of kind rack, and this level is not a rack\nadd is: rack, or name a part of one "+
				"of these kinds: %s", id, strings.Join(words(kinds), ", "))
		case !slices.Contains(kinds, have):
			report(path, "part %q is of kind %s\na level of packaging takes a part of one of these kinds: %s", id, have,
				strings.Join(words(kinds), ", "))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Packaging.Chassis)) {
		check(diag.Key("packaging.chassis", name)+".part", s.Packaging.Chassis[name].Part, catalog.EnclosureKinds)
	}
	for i, c := range s.Room.Containers {
		kinds := catalog.EnclosureKinds
		if c.Is == layout.RoleRack {
			kinds = append([]catalog.Kind{catalog.KindRack}, kinds...)
		}
		check(diag.Elem("room.containers", i)+".part", c.Part, kinds)
	}
}

// checkFabricParts checks the parts of boxes and of the switches of fabrics.
func (s *Spec) checkFabricParts(part func(path, id string, want catalog.Kind)) {
	for i, b := range s.Boxes {
		part(diag.Elem("boxes", i)+".part", b.Part, catalog.KindNode)
		if b.Adapter != "none" {
			part(diag.Elem("boxes", i)+".adapter", b.Adapter, catalog.KindAdapter)
		}
	}
	for i := range s.Fabrics {
		for _, key := range slices.Sorted(maps.Keys(s.Fabrics[i].Switches)) {
			at := diag.Key(diag.Elem("fabrics", i)+".switches", key)
			part(at+".part", s.Fabrics[i].Switches[key].Part, catalog.KindSwitch)
		}
	}
}
