package cabling

import (
	"cmp"
	"fmt"

	"github.com/plenum-planner/plenum/catalog"
)

// Miswiring is a mistake in the wiring of a plug of a trunk or of one of its cassettes, and what it does to one link.
type Miswiring struct {
	What string // "a trunk of type A in place of C"
	// Leads is the adapter, among those of the panel at end B of the link, at which the link's end A finds a
	// transceiver that receives from it and sends to it; -1 where there is none.
	Leads int
}

// Miswirings lists what a trunk of another polarity and a cassette that leads its fibres otherwise, at either end, do
// to a link over panels: the same mistakes, in the same order, for all links of a plug. way is the segments of the
// link. The result is nil for links that do not run over two panels, and where plugs have no fibre for each lane.
func (s *Schedule) Miswirings(way []Segment) []Miswiring {
	if len(way) != 3 {
		return nil
	}
	k, n := s.newStrandKey(way)
	if n == 0 {
		return nil
	}
	method := s.Patching.Method
	panels := [2]*catalog.Panel{k.panels[0].Panel, k.panels[1].Panel}
	first := int(way[2].PortA) - k.fronts[1]
	var out []Miswiring
	add := func(what string, panels [2]*catalog.Panel, trunk Polarity) {
		leads := k.leads(method, trunk, panels)
		if leads >= 0 {
			leads += first
		}
		out = append(out, Miswiring{what, leads})
	}
	if MultiFibre(panels[0].RearConnector()) {
		for _, trunk := range []Polarity{Straight, Reversed, Flipped} {
			if trunk != method {
				add(fmt.Sprintf("a trunk of type %s in place of %s", trunk, method), panels, trunk)
			}
		}
	}
	for end, at := range [2]struct {
		v    int32
		port uint16
	}{{way[0].B, way[0].PortB}, {way[2].A, way[2].PortA}} {
		c := panels[end].Cassette
		if c == nil {
			continue
		}
		other, have := *c, cmp.Or(c.Pairs, catalog.Neighbours)
		if other.Pairs = catalog.Ends; have == catalog.Ends {
			other.Pairs = catalog.Neighbours
		}
		changed, panel := panels, *panels[end]
		panel.Cassette, changed[end] = &other, &panel
		add(fmt.Sprintf("a cassette at %s with pairs at %s in place of %s",
			s.Label(at.v, s.PlugPort(at.v, s.Patching.Rear(at.port))), other.Pairs, have), changed, method)
	}
	return out
}

// leads returns the adapter of the far cassette to which both fibres of each lane lead, -1 where there is none.
func (k *strandKey) leads(method, trunk Polarity, panels [2]*catalog.Panel) int {
	to := -1
	n := positions(panels[0].Connector)
	for lane := range k.lanes {
		a, b := k.laneA+lane+1, k.laneB+lane+1
		p := passage{method: method, of: trunk, panels: panels, trunk: k.trunk.Cable, adapter: k.fronts[0]}
		at, ok := p.follow(a)
		if !ok || at[len(at)-1] != n+1-b || to >= 0 && p.adapter != to {
			return -1
		}
		to = p.adapter
		p.back, p.panels = true, [2]*catalog.Panel{panels[1], panels[0]}
		if at, ok = p.follow(b); !ok || at[len(at)-1] != n+1-a || p.adapter != k.fronts[0] {
			return -1
		}
	}
	return to
}
