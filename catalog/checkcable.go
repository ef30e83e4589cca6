package catalog

import (
	"slices"

	"github.com/plenum-planner/plenum/diag"
)

func (k *checker) checkCable(c *Cable) {
	word(k, "cable.medium", c.Medium, Media)
	switch {
	case c.Kind != "" && c.Medium.Fibre():
		k.fault("cable.kind", "the ends of passive fibre are those of its optics, which state their kind")
	default:
		k.checkEnd("cable.kind", c.Kind, DAC, ACC, AEC, AOC, BaseT)
	}
	if c.Medium.Fibre() {
		notNegative(k, "cable.rate", c.Rate)
	} else {
		positive(k, "cable.rate", c.Rate)
	}
	k.checkLengths("cable", Lengths{c.Lengths, c.MadeToMeasure, c.Step})
	notNegative(k, "cable.reach", c.Reach)
	positive(k, "cable.propagation", c.Propagation)
	notNegative(k, "cable.diameter", c.Diameter)
	notNegative(k, "cable.bend", c.Bend)
	notNegative(k, "cable.end", c.End)
	notNegative(k, "cable.attenuation", c.Attenuation)
	k.checkReach(c)
	k.checkShape(c)
	if !k.isPlugUsed(c, c.Connector) {
		k.fault("cable.connector", "no port or optic takes %q\n%s", c.Connector, k.nearConnector(c.Connector))
	}
}

// checkLengths checks the lengths in which a cable or hose is sold; what is the key of its block.
func (k *checker) checkLengths(what string, s Lengths) {
	step := s.Step
	if step == 0 {
		step = 1
	}
	if s.MadeToMeasure/step > mostSteps {
		k.fault(what+".step", "more than %d lengths up to %v", mostSteps, s.MadeToMeasure)
	}
	if len(s.Stocked) == 0 && s.MadeToMeasure == 0 {
		k.fault(what+".lengths", "neither lengths nor made_to_measure is stated")
	}
	for i, l := range s.Stocked {
		if !finite(l) || l <= 0 {
			k.fault(what+".lengths", "%v is not a length of a %s", l, what)
		} else if i > 0 && l <= s.Stocked[i-1] {
			k.fault(what+".lengths", "%v stands after %v: lengths must ascend", l, s.Stocked[i-1])
		}
	}
	notNegative(k, what+".made_to_measure", s.MadeToMeasure)
	notNegative(k, what+".step", s.Step)
}

// mostSteps is the most lengths that a family made to measure may come in.
const mostSteps = 4096

// checkReach checks that no length is longer than the signal goes.
func (k *checker) checkReach(c *Cable) {
	if c.Reach <= 0 {
		return
	}
	for _, l := range c.Lengths {
		if l > c.Reach+lengthTolerance {
			k.fault("cable.lengths", "%v is beyond the reach of %v", l, c.Reach)
		}
	}
	if c.MadeToMeasure > c.Reach+lengthTolerance {
		k.fault("cable.made_to_measure", "%v is beyond the reach of %v", c.MadeToMeasure, c.Reach)
	}
}

// mostLinks is the most links that a plug holds, and the most plugs of a trunk.
const mostLinks = 64

// checkShape checks the ends of cables that are not one link between two plugs.
func (k *checker) checkShape(c *Cable) {
	plugs := 0
	if c.Far != nil {
		plugs = c.Far.Plugs
	}
	for _, n := range []struct {
		key   string
		value int
	}{{"links", c.Links}, {"legs", c.Legs}, {"fibres", c.Fibres}, {"far.plugs", plugs}} {
		notNegative(k, "cable."+n.key, n.value)
		if n.value > mostLinks {
			k.fault("cable."+n.key, "%d are more than any cable has (%d)", n.value, mostLinks)
		}
	}
	k.checkFibres("cable.fibres", c.Fibres, c.Connector)
	if c.Far == nil {
		return
	}
	notNegative(k, "cable.far.power", c.Far.Power)
	k.checkPowers("cable.far.", c.Far.Power, &c.Far.Powers)
	switch plugs := c.FarPlugs(); {
	case c.Trunk() && plugs > 1:
		k.fault("cable.legs", "a cable is a trunk or a splitter, not both")
	case max(c.Links, 1)%plugs != 0:
		k.fault("cable.far.plugs", "%d plugs do not share %d links evenly", plugs, max(c.Links, 1))
	}
	switch {
	case c.Far.Connector == "":
		k.fault("cable.far.connector", "missing")
	case !k.isPlugUsed(c, c.Far.Connector):
		k.fault("cable.far.connector", "no port or optic takes %q\n%s", c.Far.Connector,
			k.nearConnector(c.Far.Connector))
	}
}

// checkFibres checks the number of fibres of a plug with a row of them.
func (k *checker) checkFibres(at string, fibres int, plug string) {
	switch n := Positions(plug); {
	case fibres == 0:
	case n == 0:
		k.fault(at, "%q is not a plug with a row of fibres, such as mpo12-apc", plug)
	case fibres > n || fibres%2 != 0:
		k.fault(at, "%d fibres are not the first and the last of %d positions of %s\nuse an even number up to %d",
			fibres, n, plug, n)
	}
}

// isPlugUsed reports whether some part takes a plug of the cable.
func (k *checker) isPlugUsed(c *Cable, connector string) bool {
	return slices.ContainsFunc(k.catalog.parts, func(p Part) bool {
		if c.Medium.Fibre() {
			return slices.ContainsFunc(p.Ports, func(g PortGroup) bool {
				return g.Optic != nil && g.Connector == connector && g.Optic.Fibre == c.Medium
			}) || p.Optic != nil && p.Optic.Plug == connector && p.Optic.Fibre == c.Medium ||
				p.Panel != nil && p.Panel.Fibre == c.Medium &&
					(p.Panel.Connector == connector || p.Panel.RearConnector() == connector)
		}
		return p.hasPort(connector)
	})
}

// nearConnector suggests the connector that a misspelt word means: one that
// ports, plugs or optics of other parts have.
func (k *checker) nearConnector(word string) string {
	if len(k.faults) > diag.Most {
		return "" // nobody reads so many, and each looks at all parts
	}
	var known []string
	for i := range k.catalog.parts {
		p := &k.catalog.parts[i]
		if p.ID == k.part {
			continue
		}
		for _, g := range p.Ports {
			known = append(known, g.Connector)
		}
		if p.Cable != nil {
			known = append(known, p.Cable.Connector, p.Cable.FarConnector())
		}
		if p.Optic != nil {
			known = append(known, p.Optic.Form, p.Optic.Plug)
		}
	}
	known = slices.DeleteFunc(known, func(c string) bool { return c == word || c == "" })
	return diag.Suggest(word, known, "")
}

func (p *Part) hasPort(connector string) bool {
	return slices.ContainsFunc(p.Ports, func(g PortGroup) bool { return g.Connector == connector })
}

func (k *checker) checkOptic(o *Optic) {
	k.checkEnd("optic.kind", o.Kind, DSP, LRO, LPO)
	word(k, "optic.fibre", o.Fibre, fibreMedia)
	positive(k, "optic.rate", o.Rate)
	positive(k, "optic.reach", o.Reach)
	notNegative(k, "optic.ports", o.Ports)
	notNegative(k, "optic.end", o.End)
	notNegative(k, "optic.loss", o.Loss)
	if o.Standard == "" {
		k.fault("optic.standard", "missing")
	}
	if !slices.ContainsFunc(k.catalog.parts, func(p Part) bool { return p.hasPort(o.Form) }) {
		k.fault("optic.form", "no port takes %q\n%s", o.Form, k.nearConnector(o.Form))
	}
	fibres := k.catalog.find(func(p *Part) bool {
		return p.Cable != nil && !p.Cable.Trunk() && p.Cable.FarPlugs() == 1 && max(p.Cable.Links, 1) == 1 &&
			fibreTo(p, o.Plug, o.Fibre)
	})
	if len(fibres) == 0 {
		k.fault("optic.plug", "no %s cable ends in %q\n%s", o.Fibre, o.Plug, k.nearConnector(o.Plug))
	}
	for _, f := range fibres {
		if lost := f.Cable.Attenuation.Over(o.Reach); o.Loss > 0 && lost > o.Loss {
			k.fault("optic.reach", "%v of %s lose %v, and the optic bears %v", o.Reach, f.ID, lost, o.Loss)
		}
	}
}

// checkPortOptic checks the optics of ports that take fibre themselves.
func (k *checker) checkPortOptic(at string, g *PortGroup) {
	o := g.Optic
	k.checkEnd(at+".kind", o.Kind, CPO, LPO)
	word(k, at+".fibre", o.Fibre, fibreMedia)
	positive(k, at+".reach", o.Reach)
	notNegative(k, at+".end", o.End)
	notNegative(k, at+".loss", o.Loss)
	if o.Standard == "" {
		k.fault(at+".standard", "missing")
	}
	if g.Connector != "" && len(k.catalog.find(func(p *Part) bool { return fibreTo(p, g.Connector, o.Fibre) })) == 0 {
		k.fault(at, "no %s cable ends in %q\n%s", o.Fibre, g.Connector, k.nearConnector(g.Connector))
	}
}

// fibreTo reports whether a part is a cable of passive fibre with a plug that fits a connector.
func fibreTo(p *Part, connector string, medium Medium) bool {
	return p.Cable != nil && p.Cable.Medium == medium && medium.Fibre() &&
		(p.Cable.Connector == connector || p.Cable.FarConnector() == connector)
}

func (k *checker) checkPanel(p *Panel) {
	word(k, "panel.fibre", p.Fibre, fibreMedia)
	positive(k, "panel.ports", p.Ports)
	notNegative(k, "panel.loss", p.Loss)
	notNegative(k, "panel.shuffle", p.Shuffle)
	switch {
	case p.Shuffle == 1:
		k.fault("panel.shuffle", "a module of one adapter on each side permutes nothing")
	case p.Shuffle > 0 && p.Ports > 0 && 2*p.Shuffle > p.Ports:
		k.fault("panel.shuffle", "a module of %d adapters on each side does not fit %d ports", p.Shuffle, p.Ports)
	case p.ToOrder && p.Shuffle == 0:
		k.fault("panel.to_order", "only a shuffle is wired to order: give panel.shuffle")
	}
	k.checkCassette(p)
	if !slices.ContainsFunc(k.catalog.parts, func(q Part) bool {
		return q.Cable != nil && q.Cable.Medium == p.Fibre &&
			(q.Cable.Connector == p.Connector || q.Cable.FarConnector() == p.Connector)
	}) {
		k.fault("panel.connector", "no %s cable ends in %q\n%s", p.Fibre, p.Connector, k.nearConnector(p.Connector))
	}
}
