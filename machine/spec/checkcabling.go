package spec

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/units"
)

// leastRound is the finest step that lengths are rounded up to.
const leastRound units.Length = 0.001

// checkLengths checks the rules by which lengths are made.
func (s *Spec) checkLengths(report Reporter) {
	c := &s.Cabling
	if c.RoundUp != 0 && c.RoundUp < leastRound {
		report("cabling.round_up", "less than a millimetre")
	}
	if c.Door != "" && c.Manager != "" {
		report("cabling.door", "says the same as manager in another way\nremove one of them")
	}
	route := c.Route
	if route == "" && len(s.Room.Containers) > 0 {
		route = Manhattan
	}
	if route == "" || route == Tray {
		return
	}
	for key, given := range map[string]bool{
		"crossing": c.Crossing != nil, "manager": c.Manager != "",
		"door": c.Door != "",
	} {
		if given {
			report("cabling."+key, "only for cables on trays: route %s measures from port to port\nremove it", route)
		}
	}
}

func (s *Spec) checkCabling(report Reporter) {
	s.checkLengths(report)
	s.checkColours(report)
	s.checkMedia(report, "cabling.media", s.Cabling.Media)
}

// checkMedia checks the rules of a media policy.
func (s *Spec) checkMedia(report Reporter, path string, rules []MediaRule) {
	for i, m := range rules {
		at := diag.Elem(path, i)
		s.checkLevel(report, at+".within", m.Within)
		s.checkLevel(report, at+".beyond", m.Beyond)
		if m.Within != "" && m.Within == m.Beyond {
			report(at+".beyond", "no link is within a %s and leaves it", m.Within)
		}
		for j, kind := range m.Ends {
			if !slices.Contains(catalog.EndKinds, kind) {
				report(diag.Elem(at+".ends", j), "%q is not a kind of ends\n%s", kind,
					diag.Suggest(string(kind), kind.Words(), "it is one of "))
			}
		}
		always := len(m.Levels) == 0 && len(m.Fabrics) == 0 && len(m.Boxes) == 0 && m.Within == "" && m.Beyond == "" &&
			m.Longest == 0
		if always && i+1 < len(rules) {
			report(at, "the rule matches every link, so that no later rule is ever used\nmove it to the end")
		}
	}
}

// mostSpare bounds the positions of trunks that are kept free, in per cent of
// those that may be used.
const mostSpare = 400

// mostAdapters bounds those of a panel: ports are numbers of 16 bits, a front and
// a rear for each.
const mostAdapters = 1<<15 - 1

// mostPositions bounds the links of a trunk.
const mostPositions = 255

// checkStructured finds what structured cabling cannot be combined with.
func (s *Spec) checkStructured(report Reporter) {
	k := s.Cabling.Structured
	if k == nil {
		return
	}
	const at = "cabling.structured"
	if len(s.Room.Containers) > 0 {
		report(at, "patch panels stand in racks, and the machine stands in containers\n"+
			"remove structured, or give the room rows of racks")
	}
	if s.Cabling.Consolidate != nil {
		report(at, "lengths of patch cords and trunks cannot be consolidated\n"+
			"remove cabling.consolidate, or structured")
	}
	if k.Spare > mostSpare {
		report(at+".spare", "%v %% spare positions; at most %d %% can be planned", k.Spare, mostSpare)
	}
}

// checkPanels finds panels of racks that differ from that of the others in more than how the fibres of their cassettes
// lead.
func (s *Spec) checkPanels(c *catalog.Catalog, panel *catalog.Part, report Reporter) {
	same := func(p *catalog.Part) bool {
		a, b := panel.Panel, p.Panel
		return a.Connector == b.Connector && a.RearConnector() == b.RearConnector() && a.Fibre == b.Fibre &&
			a.Ports == b.Ports && a.Fronts() == b.Fronts() && a.Shuffle == b.Shuffle && panel.Units == p.Units &&
			(a.Cassette == nil) == (b.Cassette == nil)
	}
	var known []string
	for _, p := range c.Parts() {
		if p.Panel != nil && same(&p) && p.ID != panel.ID {
			known = append(known, p.ID)
		}
	}
	hint := "add a part with the same units, adapters and plugs, or remove the key"
	if len(known) > 0 {
		hint = "panels with the same units, adapters and plugs are " + strings.Join(known, ", ")
	}
	panels := s.Cabling.Structured.Panels
	for _, rack := range slices.Sorted(maps.Keys(panels)) {
		if p := c.Part(panels[rack]); p != nil && p.Panel != nil && !same(p) {
			report(diag.Key("cabling.structured.panels", rack), "%s differs from %s in more than how its cassettes "+
				"lead fibres\n%s", p.ID, panel.ID, hint)
		}
	}
}

// CheckShufflePart refuses BoxShuffle, a part of cabling.shuffle that holds no shuffles, and one with more adapters
// than can be numbered.
func (s *Spec) CheckShufflePart(c *catalog.Catalog, report Reporter) {
	part := c.Part(s.Cabling.Shuffle)
	switch {
	case s.Cabling.Shuffle == BoxShuffle:
		report("cabling.shuffle", "no part has its shuffle inside: of nvidia-sn6800, which has four chips in a box, "+
			"no source says which lane of a connector leads to which chip\nuse rack or octopus, or the id of a panel "+
			"with panel.shuffle, such as a shuffle box of your own in parts")
	case !namesShufflePart(s.Cabling.Shuffle):
	case part == nil || part.Panel == nil: // CheckCatalog has reported it
	case part.Panel.Shuffle == 0:
		var known []string
		for _, p := range c.Parts() {
			if p.Panel != nil && p.Panel.Shuffle > 0 {
				known = append(known, p.ID)
			}
		}
		report("cabling.shuffle", "%s is a patch panel and holds no shuffles\nshuffles are in %s", part.ID,
			strings.Join(known, ", "))
	case part.Panel.Ports > mostAdapters:
		report("cabling.shuffle", "%s has %d adapters; at most %d can be planned", part.ID, part.Panel.Ports,
			mostAdapters)
	}
}

// CheckStructuredParts refuses panels and trunks of cabling.structured that do not go together, or are too large. It
// ignores parts that are unknown or of a wrong kind, which CheckCatalog reports.
func (s *Spec) CheckStructuredParts(c *catalog.Catalog, report Reporter) {
	k := s.Cabling.Structured
	if k == nil {
		return
	}
	panel, trunk := c.Part(k.Panel), c.Part(k.Trunk)
	if len(k.Panels) > 0 && k.Panel == "" {
		report("cabling.structured.panels", "only where panel names the part of all other panels\nadd panel")
		return
	}
	if trunk != nil && trunk.Cable != nil && !trunk.Cable.Trunk() {
		report("cabling.structured.trunk", "%s is not a trunk: it has one plug at each end", k.Trunk)
		return
	}
	if panel != nil && panel.Panel != nil && panel.Panel.Shuffle > 0 {
		report("cabling.structured.panel", "%s holds shuffles, and trunks meet in patch panels\n"+
			"give it as cabling.shuffle, or choose another panel", k.Panel)
		return
	}
	if panel == nil || panel.Panel == nil || k.Trunk != "" && (trunk == nil || trunk.Cable == nil) {
		return // CheckCatalog has reported it
	}
	rear := panel.Panel.RearConnector()
	trunks := c.Trunks(rear, panel.Panel.Fibre)
	s.checkPanels(c, panel, report)
	if k.Polarity != "" && !cabling.Joins(cabling.Polarity(k.Polarity), panel.Panel) {
		var others []string
		for _, method := range cabling.Polarities() {
			if cabling.Joins(cabling.Polarity(method), panel.Panel) {
				others = append(others, method)
			}
		}
		report("cabling.structured.polarity", "by method %s, fibres do not arrive over two %s, whose cassettes have "+
			"pairs: %s\nuse %s", k.Polarity, k.Panel, cmp.Or(panel.Panel.Cassette.Pairs, catalog.Neighbours),
			strings.Join(others, " or "))
	}
	switch {
	case panel.Panel.Ports > mostAdapters:
		report("cabling.structured.panel", "%s has %d adapters; at most %d can be planned", k.Panel, panel.Panel.Ports,
			mostAdapters)
	case trunk != nil && (trunk.Cable.Connector != rear || trunk.Cable.Medium != panel.Panel.Fibre):
		report("cabling.structured.trunk", "%s has %s plugs of %s fibre, and %s takes %s of %s", k.Trunk,
			trunk.Cable.Connector, trunk.Cable.Medium, k.Panel, rear, panel.Panel.Fibre)
	case trunk != nil && trunk.Cable.Legs > panel.Panel.Ports/panel.Panel.Fronts():
		report("cabling.structured.trunk", "%s has %d plugs at each end, and %s takes %d", k.Trunk, trunk.Cable.Legs,
			k.Panel, panel.Panel.Ports/panel.Panel.Fronts())
	case trunk != nil && trunk.Cable.Legs*panel.Panel.Fronts() > mostPositions:
		report("cabling.structured.trunk", "%s has %d positions with %s; at most %d can be planned", k.Trunk,
			trunk.Cable.Legs*panel.Panel.Fronts(), k.Panel, mostPositions)
	case trunk == nil && len(trunks) == 0:
		report("cabling.structured.panel", "no trunk has %s plugs of %s fibre, as %s takes\n"+
			"add one to parts, or choose another panel", rear, panel.Panel.Fibre, k.Panel)
	}
}
