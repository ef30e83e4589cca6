package cabling

import (
	"cmp"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/units"
)

// Octopus cables are the other way to lead the lanes of a plug to several others: one in each plug, from a row of
// fibres to a duplex plug for each link, and the legs of both ends of a link meet at an adapter of a patch panel. There
// is one mated pair on the way, where a shuffle has two, and an adapter for each link, where a shuffle has one for each
// plug.

// legEnd is where the longest leg of an octopus cable ends.
type legEnd struct {
	panel   int32 // vertex; 0 where there is no leg
	adapter uint16
	within  uint8
	length  units.Length
}

// octopusPanel returns the patch panel in which octopus cables meet: the one that serves the most groups of ports,
// of these the one whose adapters cost the least; nil if none serves any.
func (k *shuffler) octopusPanel() *catalog.Part {
	var best *catalog.Part
	var least bid
	most := 0
	parts := k.w.p.Catalog.Parts()
	for i := range parts {
		p := &parts[i]
		if p.Panel == nil || p.Panel.Shuffle > 0 || p.Panel.Cassette != nil {
			continue
		}
		k.patch = p
		served := 0
		for _, g := range k.w.portGroups() {
			if n := perCage(g); n > 1 && slices.ContainsFunc(k.w.p.Catalog.SplitOptics(g), func(o *catalog.Part) bool {
				return len(k.octopusKinds(o.Optic, n)) > 0
			}) {
				served++
			}
		}
		q := k.w.buyer.quote(p, 0)
		b := bid{cost: int64(q.Unit) / int64(p.Panel.Ports)}
		if !q.Priced {
			b.unpriced = 1
		}
		if served > 0 && (best == nil || cmp.Or(cmp.Compare(most, served), b.compare(least),
			strings.Compare(p.ID, best.ID)) < 0) {
			best, least, most = p, b, served
		}
	}
	return best
}

// isOctopus reports whether a cable is fibre from one plug to several, with one link in each.
func isOctopus(c *catalog.Cable) bool {
	return c.Medium.Fibre() && c.FarPlugs() > 1 && max(c.Links, 1) == c.FarPlugs() && !c.Trunk()
}

// octopusKinds returns the kind of a transceiver in a cage of so many ports whose plugs take octopus cables with a leg
// for each link: none unless a plug of the panel takes the lanes of a link, one of a duplex plug.
func (k *shuffler) octopusKinds(o *catalog.Optic, ports int) []laneKind {
	if k.patch == nil || k.patch.Panel.Fibre != o.Fibre {
		return nil
	}
	legs := ports / max(o.Ports, 1)
	kind := laneKind{lanes(o.Standard), o.Fibre, k.patch.Panel.Connector, o.Rate, o.Lanes(), legs}
	if legs == 0 || o.Lanes() == 0 || o.Lanes()%legs != 0 || 2*o.Lanes()/legs > positions(kind.plug) ||
		len(k.octopusCables(o.Plug, kind)) == 0 {
		return nil
	}
	return []laneKind{kind}
}

// octopusCables lists the octopus cables from a plug whose legs the panels take.
func (k *shuffler) octopusCables(plug string, kind laneKind) []*catalog.Part {
	return slices.DeleteFunc(k.w.p.Catalog.Splitters(plug), func(p *catalog.Part) bool {
		c := p.Cable
		return !isOctopus(c) || c.Medium != kind.fibre || c.FarConnector() != kind.plug || c.FarPlugs() != kind.legs
	})
}

// refuseOctopus reports links between ports that are split at both ends and that octopus cables do not join.
func (k *shuffler) refuseOctopus() error {
	w, links := k.w, int64(0)
	var first [2]*catalog.PortGroup
	w.channels(func(c *channel, pa, pb *Port) {
		a, b := pa.Group, pb.Group
		if c.trace || perCage(a) == 1 || perCage(b) == 1 || k.pairs[[2]*catalog.PortGroup{a, b}] || w.canJoin(a, b) {
			return
		}
		if links++; links == 1 {
			first = [2]*catalog.PortGroup{a, b}
		}
	})
	if links == 0 {
		return nil
	}
	return diag.Fieldf("Shuffle", "%s have no octopus cables, the first of them between %s and %s ports: it takes "+
		"transceivers of one kind at both ends that fill the cages, a fibre cable from their plug to a plug for each "+
		"link (duplex for one lane, MPO for several), and a patch panel for these\nuse cabling.shuffle: rack",
		english.Count(links, "link"), describePort(first[0]), describePort(first[1]))
}

// meet gives each plug at an end A of links of a group adapters for all its links, next to each other. The octopus
// cables of ends A are at the fronts of adapters, those of ends B at their rears.
func (k *shuffler) meet(g *group, b *berths) error {
	for _, e := range g.links {
		if err := k.noteSides(e); err != nil {
			return err
		}
		at := &k.plugs[e.a]
		if at.panel == noPanel {
			each := k.linksOf(e.a)
			panel, ok := b.find(g, k.patch, each)
			if !ok {
				v, _ := k.locate(e.a)
				return k.w.noUnit("octopus cables", v)
			}
			at.panel, at.adapter = int32(panel), uint16(b.panels[panel].Ports)
			b.panels[panel].Ports += each
		}
		b.panels[at.panel].Links++
	}
	return nil
}

// noteSides records at which ends of links the octopus cables of a link are. It returns an error for one at both kinds
// of ends where cables at end B are of another type.
func (k *shuffler) noteSides(e laneLink) error {
	if MultiFibre(k.patch.Panel.Connector) && isAngled(k.patch.Panel.Connector) {
		for side, plug := range [2]int32{e.a, e.b} {
			if k.sides == nil {
				k.sides = map[int32]int{}
			}
			if before, ok := k.sides[plug]; ok && before != side {
				v, _ := k.locate(plug)
				return diag.Fieldf("Shuffle", "an octopus cable at %s has ends A and ends B of links, and legs with "+
					"angled plugs (%s) are straight at the former and reversed at the latter\nuse "+
					"cabling.shuffle: rack, or legs with plugs that are not angled",
					k.w.s.AppendDevice(nil, v), k.patch.Panel.Connector)
			}
			k.sides[plug] = side
		}
	}
	return nil
}

// adapters returns the panel over which a link of two plugs runs, and the ports there of its ends A and B.
func (k *shuffler) adapters(a int32, laneA uint8, b int32) (panel int32, portA, portB uint16) {
	p := k.w.s.Patching
	panel = p.Vertex(k.plugs[a].panel)
	if !p.Octopus {
		return panel, k.plugs[a].adapter, k.plugs[b].adapter
	}
	portA = k.plugs[a].adapter + uint16(laneA)
	return panel, portA, p.Rear(portA)
}

// measure finds the longest leg of every octopus cable, as all legs of one are as long.
func (k *shuffler) measure() {
	w := k.w
	k.longest = make([]legEnd, len(k.plugs))
	w.channels(func(c *channel, pa, pb *Port) {
		if _, ok := k.ruleOf(c, pa, pb); !ok || k.ports[pa.Group].set.root().none {
			return
		}
		a, laneA := k.plug(c.a, c.link.A, pa)
		b, _ := k.plug(c.b, c.link.B, pb)
		if k.plugs[a].panel < 0 {
			return
		}
		panel, portA, portB := k.adapters(a, laneA, b)
		medium := k.ports[pa.Group].set.root().kind.fibre
		for _, leg := range [2]struct {
			plug, v, port int32
			adapter       uint16
		}{{a, c.link.A, c.portA, portA}, {b, c.link.B, c.portB, portB}} {
			within := w.layout.Common(w.slot[leg.v], w.slot[panel])
			from, to := w.s.end(leg.v, uint16(leg.port)), w.s.end(panel, leg.adapter)
			var length units.Length
			if r := &w.s.router; r.onTrays(within) {
				ways, _ := w.routes(w.between(from, to))
				length = ways[r.trays.groupOf[medium]].total
			} else {
				length = r.parts(from, to, within).Total()
			}
			if at := &k.longest[leg.plug]; at.panel == 0 || length > at.length {
				*at = legEnd{panel, leg.adapter, uint8(within), length}
			}
		}
	})
}

// layOctopus lays the octopus cable of a plug as long as its longest leg, and returns what layCord does.
func (k *shuffler) layOctopus(seg *Segment, plug int32, c *chooser, medium catalog.Medium) (barred uint8) {
	whole, leg := *seg, k.longest[plug]
	whole.Within = leg.within
	if k.w.s.Panel(seg.A) >= 0 {
		whole.A, whole.PortA = leg.panel, leg.adapter
	} else {
		whole.B, whole.PortB = leg.panel, leg.adapter
	}
	barred = k.w.layCord(&whole, c, medium, &k.w.s.Tallies[whole.Level][whole.Within])
	seg.Product, seg.Cable, seg.Bundle, seg.Length = whole.Product, whole.Cable, whole.Bundle, whole.Length
	return barred
}
