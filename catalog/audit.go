package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/units"
)

// Audit returns what Check does, and what makes parts and prices useless though
// nothing in them is wrong by itself: cages that no cable and no optic fits,
// fibre longer than any optic reaches, prices of lengths that are not stocked,
// and stocked lengths that a table of prices leaves out. The embedded catalog
// has no such faults; a machine file may have parts that are never cabled, so
// New does not insist.
func (c *Catalog) Audit() []error {
	k := checker{catalog: c, faults: c.Check()}
	for i := range c.parts {
		p := &c.parts[i]
		k.at(i)
		for g := range p.Ports {
			k.auditPorts(fmt.Sprintf("ports[%d]", g), &p.Ports[g])
		}
		if p.Cable != nil && p.Cable.Medium.Fibre() {
			k.auditFibre(p.Cable)
		}
	}
	for i := range c.sets {
		s := &c.sets[i]
		k.part, k.set = "", s.Name
		for j := range s.Prices {
			k.auditLengths(fmt.Sprintf("prices[%d].by_length", j), &s.Prices[j])
		}
	}
	return k.faults
}

func (k *checker) auditPorts(at string, g *PortGroup) {
	if g.Connector == "" || g.Rate <= 0 || g.Optic != nil {
		return // reported, or fibre, which checkPorts looks for
	}
	fits := func(p *Part) bool {
		switch {
		case p.Cable != nil && !p.Cable.Medium.Fibre():
			return p.Cable.Connector == g.Connector || p.Cable.FarConnector() == g.Connector
		case p.Optic != nil:
			return p.Optic.Form == g.Connector
		}
		return false
	}
	runs := func(p *Part) bool {
		if p.Optic != nil {
			return fits(p) && p.Optic.Rate == g.Rate && max(p.Optic.Ports, 1) == max(g.PerCage, 1)
		}
		return fits(p) && p.Cable.Rate >= g.Rate && p.Cable.fills(g)
	}
	switch {
	case len(k.catalog.find(fits)) == 0:
		k.fault(at+".connector", "no cable and no optic fits %q\n%s", g.Connector, k.nearConnector(g.Connector))
	case len(k.catalog.find(runs)) == 0:
		k.fault(at+".rate", "no cable and no optic that fits %q runs %d x %v", g.Connector, max(g.PerCage, 1), g.Rate)
	}
}

// fills reports whether a plug of the cable holds as many links as a cage has
// ports.
func (c *Cable) fills(g *PortGroup) bool {
	links, ports := max(c.Links, 1), max(g.PerCage, 1)
	return c.Connector == g.Connector && links == ports ||
		c.FarConnector() == g.Connector && links/c.FarPlugs() == ports
}

// auditFibre checks fibre against the optics that take it.
func (k *checker) auditFibre(c *Cable) {
	reach := units.Length(0)
	for i := range k.catalog.parts {
		if o := k.catalog.parts[i].Optic; o != nil && o.Plug == c.Connector && o.Fibre == c.Medium {
			reach = max(reach, o.Reach)
		}
	}
	longest := c.MadeToMeasure
	if n := len(c.Lengths); n > 0 {
		longest = max(longest, c.Lengths[n-1])
	}
	if reach > 0 && longest > reach+lengthTolerance {
		k.fault("cable.lengths", "%v is beyond the %v that optics with %s plugs reach", longest, reach, c.Connector)
	}
}

// auditLengths holds a table of prices against the lengths that are stocked.
func (k *checker) auditLengths(at string, p *Price) {
	part := k.catalog.Part(p.Part)
	if len(p.ByLength) == 0 || part == nil || strings.HasSuffix(p.Part, "*") {
		return
	}
	sold, ok := part.Lengths()
	if !ok {
		k.fault(at, "%s is not a cable", p.Part)
		return
	}
	for _, text := range slices.Sorted(maps.Keys(p.ByLength)) {
		l, err := units.ParseLength(text)
		if err != nil {
			continue // reported
		}
		if stocked, ok := part.Stock(l); !ok || stocked-l > lengthTolerance {
			k.fault(at, "%s is not stocked in %v", p.Part, l)
		}
	}
	for _, l := range sold.Stocked {
		if _, ok := p.amount(part, l); !ok {
			k.fault(at, "%s is stocked in %v, which has no price", p.Part, l)
		}
	}
}
