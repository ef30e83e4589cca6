package machine

import (
	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Delays of media that no part states.
const (
	// tracePropagation is of a stripline on common board material with a
	// relative permittivity of 4: sqrt(4)/c.
	tracePropagation  units.Propagation = 6.67
	copperPropagation units.Propagation = 4.5
	fibrePropagation  units.Propagation = 5
)

// defaultPropagation is used where a cable part states none.
func defaultPropagation(m catalog.Medium) units.Propagation {
	switch m {
	case catalog.Trace:
		return tracePropagation
	case catalog.PassiveCopper, catalog.ActiveCopper:
		return copperPropagation
	}
	return fibrePropagation
}

// replaced looks a medium up in a table of the machine file, by its own name
// first, then by the groups it belongs to.
func replaced[T any](table map[string]T, m catalog.Medium) (T, bool) {
	if v, ok := table[string(m)]; ok {
		return v, true
	}
	for _, group := range []string{"copper", "fibre", "optical", "any"} {
		for _, member := range catalog.MediumAliases[group] {
			if v, ok := table[group]; ok && member == m {
				return v, true
			}
		}
	}
	var none T
	return none, false
}

// delays says what delays things have: those of their parts, with what the
// machine file replaces.
type delays struct{ spec *spec.Delay }

// medium is that of a medium, with the figures of a part where it states some.
func (d delays) medium(m catalog.Medium, propagation units.Propagation, end units.Time) delay.Medium {
	if propagation == 0 {
		propagation = defaultPropagation(m)
	}
	if own, ok := replaced(d.spec.Propagation, m); ok {
		propagation = own
	}
	if own, ok := replaced(d.spec.Ends, m); ok {
		end = own
	}
	return delay.Medium{Name: string(m), Propagation: propagation, End: end}
}

// trace is a board or midplane trace, unmade a cable without a product.
func (d delays) trace() delay.Medium  { return d.medium(catalog.Trace, 0, 0) }
func (d delays) unmade() delay.Medium { return d.medium(catalog.SingleMode, 0, 0) }

// cable is a cable with its optics.
func (d delays) cable(p *cabling.Product) delay.Medium {
	end := p.Part.Cable.End
	for _, o := range []*catalog.Part{p.OpticA, p.OpticB} { // one of them is missing where a panel is
		if o != nil {
			end += o.Optic.End / 2
		}
	}
	return d.medium(p.Part.Cable.Medium, p.Part.Cable.Propagation, end)
}

// along is the length that signals travel in a cable of a product that needs some
// length.
func (d delays) along(need units.Length, p *cabling.Product) units.Length {
	if d.spec.Length == spec.Stocked {
		return p.Length
	}
	return need
}

// wire is the delay of a link before its boxes have places.
func (d delays) wire(m *cabling.Measured) units.Time {
	switch {
	case m.Trace:
		return d.trace().Wire(m.Length)
	case m.Product == nil:
		return d.unmade().Wire(m.Length)
	}
	return d.cable(m.Product).Wire(d.along(m.Length, m.Product))
}

// hops are the delays of entering a vertex, by kind.
func (d delays) hops(kinds []topology.Kind, boxes []*cabling.Box) []units.Time {
	var out []units.Time
	for i, k := range kinds {
		hop := boxes[i].Part.Hop
		if k.Role == topology.Terminal {
			hop = 0 // a terminal passes nothing on
		}
		if own, ok := d.spec.Hop["switch"]; ok && k.Role == topology.Switch {
			hop = own
		}
		if own, ok := d.spec.Hop[k.Name]; ok {
			hop = own
		}
		out = append(out, hop)
	}
	return out
}
