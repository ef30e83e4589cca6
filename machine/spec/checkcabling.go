package spec

import (
	"slices"
	"strings"

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

// CheckShufflePart finds a panel that holds no shuffles, or none as large as its ports can be numbered.
func (s *Spec) CheckShufflePart(c *catalog.Catalog, report Reporter) {
	part := c.Part(s.Cabling.Shuffle)
	switch {
	case s.Cabling.Shuffle == BoxShuffle:
		report("cabling.shuffle", "no part has its shuffle inside: of nvidia-sn6800, which has four chips in a box, "+
			"no source says which lane of a connector leads to which chip\nuse rack or octopus")
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

// CheckStructuredParts finds panels and trunks that do not go together.
func (s *Spec) CheckStructuredParts(c *catalog.Catalog, report Reporter) {
	k := s.Cabling.Structured
	if k == nil {
		return
	}
	panel, trunk := c.Part(k.Panel), c.Part(k.Trunk)
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
	trunks := c.Trunks(panel.Panel.Connector, panel.Panel.Fibre)
	switch {
	case panel.Panel.Ports > mostAdapters:
		report("cabling.structured.panel", "%s has %d adapters; at most %d can be planned", k.Panel, panel.Panel.Ports,
			mostAdapters)
	case trunk != nil && (trunk.Cable.Connector != panel.Panel.Connector || trunk.Cable.Medium != panel.Panel.Fibre):
		report("cabling.structured.trunk", "%s has %s plugs of %s fibre, and %s takes %s of %s", k.Trunk,
			trunk.Cable.Connector, trunk.Cable.Medium, k.Panel, panel.Panel.Connector, panel.Panel.Fibre)
	case trunk != nil && trunk.Cable.Legs > panel.Panel.Ports:
		report("cabling.structured.trunk", "%s has %d plugs at each end, and %s takes %d", k.Trunk, trunk.Cable.Legs,
			k.Panel, panel.Panel.Ports)
	case trunk == nil && len(trunks) == 0:
		report("cabling.structured.panel", "no trunk has %s plugs of %s fibre, as %s takes\n"+
			"add one to parts, or choose another panel", panel.Panel.Connector, panel.Panel.Fibre, k.Panel)
	}
}
