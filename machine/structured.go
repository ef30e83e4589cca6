package machine

import (
	"fmt"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/units"
)

// mostSpare bounds the positions of trunks that are kept free, in per cent of
// those that may be used.
const mostSpare = 400

// mostAdapters bounds those of a panel: ports are numbers of 16 bits, a front and
// a rear for each.
const mostAdapters = 1<<15 - 1

// checkStructured finds what structured cabling cannot be combined with.
func (s *Spec) checkStructured(report reporter) {
	k := s.Cabling.Structured
	if k == nil {
		return
	}
	const at = "cabling.structured"
	if len(s.Room.Containers) > 0 {
		report(at, "patch panels stand in racks, and the machine stands in nested containers\nremove structured, or give the room rows of racks")
	}
	if s.Cabling.Consolidate != nil {
		report(at, "lengths of patch cords and trunks cannot be consolidated\nremove cabling.consolidate, or structured")
	}
	if k.Spare > mostSpare {
		report(at+".spare", "%v %% spare positions; at most %d %% can be planned", k.Spare, mostSpare)
	}
}

// checkStructuredParts finds panels and trunks that do not go together.
func (s *Spec) checkStructuredParts(c *catalog.Catalog, report reporter) {
	k := s.Cabling.Structured
	if k == nil {
		return
	}
	panel, trunk := c.Part(k.Panel), c.Part(k.Trunk)
	if trunk != nil && trunk.Cable != nil && !trunk.Cable.Trunk() {
		report("cabling.structured.trunk", "%s is no trunk: it has one plug at each end", k.Trunk)
		return
	}
	if panel == nil || panel.Panel == nil || k.Trunk != "" && (trunk == nil || trunk.Cable == nil) {
		return // checkCatalog has reported it
	}
	trunks := c.Trunks(panel.Panel.Connector, panel.Panel.Fibre)
	switch {
	case panel.Panel.Ports > mostAdapters:
		report("cabling.structured.panel", "%s has %d adapters; at most %d can be planned", k.Panel, panel.Panel.Ports, mostAdapters)
	case trunk != nil && (trunk.Cable.Connector != panel.Panel.Connector || trunk.Cable.Medium != panel.Panel.Fibre):
		report("cabling.structured.trunk", "%s has %s plugs of %s fibre, and %s takes %s of %s", k.Trunk, trunk.Cable.Connector, trunk.Cable.Medium, k.Panel, panel.Panel.Connector, panel.Panel.Fibre)
	case trunk != nil && trunk.Cable.Legs > panel.Panel.Ports:
		report("cabling.structured.trunk", "%s has %d plugs at each end, and %s takes %d", k.Trunk, trunk.Cable.Legs, k.Panel, panel.Panel.Ports)
	case trunk == nil && len(trunks) == 0:
		report("cabling.structured.panel", "no trunk has %s plugs of %s fibre, as %s takes\nadd one to parts, or choose another panel", panel.Panel.Connector, panel.Panel.Fibre, k.Panel)
	}
}

// StructuredReport is about the links that run over patch panels.
type StructuredReport struct {
	Panel     string `json:"panel"` // part
	Panels    int    `json:"panels"`
	Racks     int    `json:"racks"` // with panels
	Trunks    int    `json:"trunks"`
	Positions int    `json:"positions"` // of all trunks
	Links     int64  `json:"links"`     // that run over panels, a position each
	// Kept is the links that were selected and have a cable of their own all the
	// same.
	Kept int64 `json:"links_kept_single"`
	// Loss is the most that a link loses, null where parts do not state what they
	// lose.
	Loss *units.Loss `json:"loss_db_max"`
}

// structured is nil where no links were to run over panels.
func (p *Result) structured() *StructuredReport {
	k := p.Schedule.Patching
	if k == nil {
		return nil
	}
	r := &StructuredReport{Panel: k.Part.ID, Panels: len(k.Panels), Trunks: len(k.Trunks), Links: k.Links, Kept: k.Kept}
	rack := int32(-1)
	for i := range k.Panels {
		if k.Panels[i].Rack != rack { // panels are listed by rack
			rack = k.Panels[i].Rack
			r.Racks++
		}
	}
	for i := range k.Trunks {
		r.Positions += k.Trunks[i].Part.Cable.Legs
	}
	if !k.Unstated {
		loss := round(k.Loss)
		r.Loss = &loss
	}
	return r
}

// structuredNotes say what was not done, and not checked.
func structuredNotes(s *cabling.Schedule) []string {
	k := s.Patching
	if k == nil {
		return nil
	}
	var out []string
	if k.Kept > 0 {
		out = append(out, fmt.Sprintf("%d of the links that structured cabling selects keep cables of their own: their media rule does not allow the fibre of %s, their ports take no optic with its plug, or they are fewer than at_least", k.Kept, k.Part.ID))
	}
	if k.Links > 0 && k.Unstated {
		out = append(out, "the insertion loss of links over panels is not checked everywhere: some panel, fibre or optic states none")
	}
	return out
}

// way lists the cables of a link over panels.
func (p *Result) way(s *cabling.Schedule, way *[3]cabling.Segment) WayReport {
	out := WayReport{A: s.Label(way[0].A, way[0].PortA), B: s.Label(way[2].B, way[2].PortB)}
	for i := range way {
		seg := &way[i]
		c := WayCableReport{Cable: s.CableID(int64(seg.Cable)), Length: round(seg.Length)}
		if seg.Product >= 0 {
			c.Product = s.Products[seg.Product].Item().String()
		}
		out.Cables = append(out.Cables, c)
		out.Length = round(out.Length + c.Length)
	}
	return out
}
