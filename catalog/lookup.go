package catalog

import (
	"math"
	"slices"

	"github.com/plenum-planner/plenum/units"
)

// lengthTolerance is how much longer than a stocked length a need may be and
// still count as that length: it absorbs the last bits of sums of lengths.
const lengthTolerance units.Length = 1e-9

// Cables returns the ordinary direct-attach families (passive and active copper,
// active optical; one link between two like plugs) that plug into a cage of the given connector and run at the given
// rate or faster, sorted by id. The connector must be the same word: an adapter
// between form factors is a part of its own. A cable faster than its port is
// allowed because it is the same plug with margin to spare, and some rates have
// no cable of their own.
func (c *Catalog) Cables(connector string, rate units.Rate) []*Part {
	return c.find(func(p *Part) bool {
		return p.Cable != nil && p.Cable.Ordinary() && !p.Cable.Medium.Fibre() && p.Cable.Connector == connector &&
			p.Cable.Rate >= rate
	})
}

// Optics returns the transceivers that fit a cage of the given form and run its
// ports at exactly the given rate, sorted by id.
func (c *Catalog) Optics(form string, rate units.Rate) []*Part {
	return c.find(func(p *Part) bool {
		return p.Optic != nil && p.Optic.Form == form && p.Optic.Rate == rate
	})
}

// PortOptics returns the transceivers of which one gives each port of a group a plug of its own: those that fit its
// cages and fill them, sorted by id, or the one inside the box; none where ports with optics inside share a connector.
func (c *Catalog) PortOptics(g *PortGroup) []*Part {
	per := max(g.PerCage, 1)
	if p := g.BuiltIn(); p != nil {
		if per > 1 {
			return nil
		}
		return []*Part{p}
	}
	return slices.DeleteFunc(c.Optics(g.Connector, g.Rate), func(p *Part) bool { return max(p.Optic.Ports, 1) != per })
}

// CageOptics returns the transceivers with one plug that carries the links of all ports of a cage, or connector, of a
// group: those that fit, sorted by id, or the one inside the box.
func (c *Catalog) CageOptics(g *PortGroup) []*Part {
	if p := g.BuiltIn(); p != nil {
		return []*Part{p}
	}
	return slices.DeleteFunc(c.Optics(g.Connector, g.Rate*units.Rate(max(g.PerCage, 1))),
		func(p *Part) bool { return max(p.Optic.Ports, 1) != 1 })
}

// Fibres returns the passive fibre families of the given medium, one link between two plugs, that end in one of the
// given plugs at each side, sorted by id: no splitters and no trunks.
func (c *Catalog) Fibres(a, b string, medium Medium) []*Part {
	return c.find(func(p *Part) bool {
		return p.Cable != nil && medium.Fibre() && p.Cable.Medium == medium && !p.Cable.Trunk() &&
			p.Cable.FarPlugs() == 1 && max(p.Cable.Links, 1) == 1 && p.Cable.joins(a, b)
	})
}

// Twins returns the direct-attach families whose plugs at both ends fill a cage
// of several ports: near and far name the cages, rate is that of one port and
// ports their number. Sorted by id.
func (c *Catalog) Twins(near, far string, rate units.Rate, ports int) []*Part {
	return c.find(func(p *Part) bool {
		return p.Cable != nil && !p.Cable.Medium.Fibre() && !p.Cable.Trunk() && p.Cable.FarPlugs() == 1 &&
			max(p.Cable.Links, 1) == ports && p.Cable.Rate >= rate && p.Cable.joins(near, far)
	})
}

// Splitters returns the cables, fibre too, whose near plug fits the given
// connector and whose far end has several plugs, sorted by id. The links that a
// plug holds, and their rate, are for the caller to judge.
func (c *Catalog) Splitters(near string) []*Part {
	return c.find(func(p *Part) bool {
		return p.Cable != nil && p.Cable.Connector == near && p.Cable.FarPlugs() > 1
	})
}

// Trunks returns the trunks of the given medium whose legs end in the given plug,
// sorted by id.
func (c *Catalog) Trunks(plug string, medium Medium) []*Part {
	return c.find(func(p *Part) bool {
		return p.Cable != nil && p.Cable.Trunk() && p.Cable.Medium == medium && p.Cable.Connector == plug
	})
}

// Panels returns the patch panels whose adapters take the given plug, sorted by
// id. Shuffles are none.
func (c *Catalog) Panels(plug string, medium Medium) []*Part {
	return c.find(func(p *Part) bool {
		return p.Panel != nil && p.Panel.Shuffle == 0 && p.Panel.Connector == plug && p.Panel.Fibre == medium
	})
}

// Shuffles returns the panels of shuffles whose adapters take the given plug, sorted by id.
func (c *Catalog) Shuffles(plug string, medium Medium) []*Part {
	return c.find(func(p *Part) bool {
		return p.Panel != nil && p.Panel.Shuffle > 0 && p.Panel.Connector == plug && p.Panel.Fibre == medium
	})
}

// SplitOptics returns the transceivers that fill the cages of a group of ports with fewer plugs, each of which has
// lanes enough for several ports: those that fit, sorted by id, or the one inside the box.
func (c *Catalog) SplitOptics(g *PortGroup) []*Part {
	ports := max(g.PerCage, 1)
	splits := func(p *Part) bool {
		plugs := max(p.Optic.Ports, 1)
		each := ports / plugs // ports of a plug
		return plugs*each == ports && each > 1 && p.Optic.Lanes() > 0 && p.Optic.Lanes()%each == 0
	}
	if p := g.BuiltIn(); p != nil {
		if !splits(p) {
			return nil
		}
		return []*Part{p}
	}
	return c.find(func(p *Part) bool {
		return p.Optic != nil && p.Optic.Form == g.Connector && splits(p) &&
			p.Optic.Rate == g.Rate*units.Rate(ports/max(p.Optic.Ports, 1))
	})
}

// joins reports whether one end fits each of two connectors.
func (c *Cable) joins(a, b string) bool {
	near, far := c.Connector, c.FarConnector()
	return near == a && far == b || near == b && far == a
}

func (c *Catalog) find(wanted func(*Part) bool) []*Part {
	var found []*Part
	for i := range c.parts {
		if wanted(&c.parts[i]) {
			found = append(found, &c.parts[i])
		}
	}
	return found
}

// Lengths are the lengths in which a cable or hose is sold.
type Lengths struct {
	Stocked             []units.Length // ascending
	MadeToMeasure, Step units.Length   // see Cable
}

// Lengths returns the lengths in which the part is sold, and whether it is sold by its length.
func (p *Part) Lengths() (Lengths, bool) {
	switch {
	case p.Cable != nil:
		return Lengths{p.Cable.Lengths, p.Cable.MadeToMeasure, p.Cable.Step}, true
	case p.Hose != nil:
		return Lengths{p.Hose.Lengths, p.Hose.MadeToMeasure, p.Hose.Step}, true
	}
	return Lengths{}, false
}

// Longest returns the longest length.
func (s *Lengths) Longest() units.Length {
	out := s.MadeToMeasure
	for _, l := range s.Stocked {
		out = max(out, l)
	}
	return out
}

// Stock returns the shortest length of the family of cables or hoses that covers need, and
// whether there is one: the shortest stocked length, or the need rounded up to
// the step of a family made to measure, whichever is shorter. A family made to
// measure stops at its limit even where that is not a whole number of steps. A
// need that exceeds a length by 1e-9 m or less is covered by it. Other parts have no length.
func (p *Part) Stock(need units.Length) (units.Length, bool) {
	sold, ok := p.Lengths()
	if !ok || math.IsNaN(float64(need)) {
		return 0, false
	}
	best, found := sold.made(need)
	for _, l := range sold.Stocked {
		if l+lengthTolerance < need {
			continue
		}
		if !found || l < best {
			best, found = l, true
		}
		break // lengths ascend
	}
	return best, found
}

// made returns the shortest length made to measure that covers need.
func (s *Lengths) made(need units.Length) (units.Length, bool) {
	if s.MadeToMeasure <= 0 || need > s.MadeToMeasure+lengthTolerance {
		return 0, false
	}
	step := s.Step
	if step == 0 {
		step = 1
	}
	steps := max(1, math.Ceil(float64((need-lengthTolerance)/step)))
	length := units.Length(steps) * step
	if round := length.Round4(); round+lengthTolerance >= need {
		length = round
	}
	return min(length, s.MadeToMeasure), true
}
