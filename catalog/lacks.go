package catalog

import (
	"cmp"
	"slices"
)

// Lack is what is not known about a part.
type Lack struct {
	Part string `json:"part"` // its id
	Kind Kind   `json:"kind"` // what it is: docs/catalog.md
	// Missing are the figures, by their keys, that planning uses of parts of this kind and that the part does not
	// state; "price" where no price set has one.
	Missing []string `json:"missing"`
	// Estimated are those that are an estimate; "all" where that is the confidence of the part as a whole.
	Estimated []string `json:"estimated"`
}

// Lacks returns what is not known about a part of the catalog.
func (c *Catalog) Lacks(p *Part) Lack {
	lack := Lack{Part: p.ID, Kind: p.Kind, Missing: p.missingFigures(), Estimated: append([]string{}, p.Estimated...)}
	if p.Confidence == Estimate {
		lack.Estimated = []string{"all"}
	}
	if !c.hasPrice(p) {
		lack.Missing = append(lack.Missing, "price")
	}
	return lack
}

// hasPrice reports whether some price set has a price for the part, of a cable or hose in its shortest length.
func (c *Catalog) hasPrice(p *Part) bool {
	length, _ := p.Stock(0)
	for i := range c.sets {
		if c.sets[i].Quote(p, length).Priced {
			return true
		}
	}
	return false
}

// missingFigures lists the figures that planning uses of parts of this kind and that the part does not state.
func (p *Part) missingFigures() []string {
	out := []string{}
	need := func(key string, known bool) {
		if !known {
			out = append(out, key)
		}
	}
	size := func() {
		need("width", p.Width > 0)
		need("depth", p.Depth > 0)
	}
	switch p.Kind {
	case KindNode, KindSwitch:
		size()
		need("power", !p.LacksPower())
		need("weight", p.Weight > 0)
		need("hop", p.Kind == KindNode || p.Hop > 0)
		need("lasers", p.Lasers > 0 || !slices.ContainsFunc(p.Ports, func(g PortGroup) bool { return g.Optic != nil }))
	case KindAdapter:
		need("power", p.Power > 0)
	case KindCable:
		c := p.Cable
		need("power", !p.Draws() || p.Power > 0)
		need("weight", p.Weight > 0)
		need("diameter", c.Diameter > 0)
		need("bend", c.Bend > 0)
		need("end", c.Medium.Fibre() || c.Medium == PassiveCopper || c.End > 0)
		need("attenuation", !c.Medium.Fibre() || c.Attenuation > 0)
	case KindOptic:
		need("power", p.Power > 0)
		need("end", p.Optic.End > 0)
		need("loss", p.Optic.Loss > 0)
	case KindPanel:
		size()
		need("weight", p.Weight > 0)
		need("loss", p.Panel.Loss > 0)
	case KindMidplane, KindChassis, KindFrame:
		size()
		need("weight", p.Weight > 0)
	case KindRack:
		rack := cmp.Or(p.Rack, &RackSpec{})
		size()
		need("height", p.Height > 0)
		need("weight", p.Weight > 0)
		need("rack.power", rack.Power > 0)
		need("rack.weight", rack.Weight > 0)
		need("rack.base", rack.Base > 0)
	case KindTray:
		need("width", p.Width > 0)
		need("weight", p.Weight > 0)
	case KindHose:
		need("inside", p.Hose.Inside > 0)
		need("bend", p.Hose.Bend > 0)
	}
	return out
}
