package machine

import (
	"cmp"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Delays of media without a part: traces, and cables that no product can make. In ns a metre.
const (
	// tracePropagation is of a stripline on common board material with a
	// relative permittivity of 4: sqrt(4)/c.
	tracePropagation units.Propagation = 6.67
	fibrePropagation units.Propagation = 5
)

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
type delays struct {
	spec *spec.Delay // of the machine
	// Of a fabric among several: what its own section replaces, which goes before that of the machine, and its name.
	own    *spec.Delay
	fabric string
}

// delaysOf are the delays of a fabric by its number, those of the machine for -1.
func (r *resolved) delaysOf(fabric int) delays {
	d := delays{spec: &r.spec.Delay, own: &spec.Delay{}}
	if fabric >= 0 && len(r.spec.Fabrics) > 0 {
		f := &r.spec.Fabrics[fabric]
		d.own, d.fabric = &f.Delay, f.Name
	}
	return d
}

// medium returns a medium with the figures of a part, each replaced by that of the fabric's section or else of the
// machine's, if one has it for the medium.
func (d delays) medium(m catalog.Medium, propagation units.Propagation, end units.Time) delay.Medium {
	for _, s := range []*spec.Delay{d.spec, d.own} {
		if given, ok := replaced(s.Propagation, m); ok {
			propagation = given
		}
		if given, ok := replaced(s.Ends, m); ok {
			end = given
		}
	}
	return delay.Medium{Name: string(m), Propagation: propagation, End: end}
}

// trace is a board or midplane trace, unmade a cable without a product.
func (d delays) trace() delay.Medium  { return d.medium(catalog.Trace, tracePropagation, 0) }
func (d delays) unmade() delay.Medium { return d.medium(catalog.SingleMode, fibrePropagation, 0) }

// cable is a cable with half of what its optics at both ends add.
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
	if cmp.Or(d.own.Length, d.spec.Length) == spec.Stocked {
		return p.Length
	}
	return need
}

// wire is the delay of a link of a measured length.
func (d delays) wire(m *cabling.Measured) units.Time {
	switch {
	case m.Trace:
		return d.trace().Wire(m.Length)
	case m.Product == nil:
		return d.unmade().Wire(m.Length)
	}
	return d.cable(m.Product).Wire(d.along(m.Length, m.Product))
}

// hops are what vertices cost a packet whose path they are on, by kind: routers their own delay, end nodes that of
// their adapter, which is 0 where its part states none. An adapter is nil for a kind without one.
func (d delays) hops(kinds []topology.Kind, boxes []*cabling.Box, adapters []*catalog.Part) []units.Time {
	var out []units.Time
	for i, k := range kinds {
		var adapter units.Time
		if adapters[i] != nil {
			adapter = adapters[i].Hop
		}
		hop := topology.Charge(k.Role, boxes[i].Part.Hop, adapter)
		if own, ok := d.givenHop(k); ok {
			hop = own
		}
		out = append(out, hop)
	}
	return out
}

// givenHop is the delay that the machine file gives a kind, by its name or as one of all that pass messages on. The
// switches of a fabric go by their names in the topology in the section of the fabric.
func (d delays) givenHop(k topology.Kind) (units.Time, bool) {
	name := k.Name
	if k.Role == topology.Switch {
		name = strings.TrimPrefix(name, spec.KindName(d.fabric, ""))
	}
	all := map[topology.Role]string{topology.Switch: spec.AllSwitches, topology.Node: spec.AllNodes}[k.Role]
	for _, given := range []struct {
		hop map[string]units.Time
		key string
	}{{d.own.Hop, name}, {d.own.Hop, all}, {d.spec.Hop, k.Name}, {d.spec.Hop, all}} {
		if hop, ok := given.hop[given.key]; ok {
			return hop, true
		}
	}
	return 0, false
}

// unstatedHops lists the parts that pass messages on and state no delay of that, where the machine file gives none
// either. What a model takes them to cost, nothing, makes every delay over them a lower bound.
func (d delays) unstatedHops(kinds []topology.Kind, boxes []*cabling.Box) []report.Unstated {
	var out []report.Unstated
	for i, k := range kinds {
		if _, own := d.givenHop(k); own || k.Role == topology.Terminal || k.Count == 0 || boxes[i].Part.Hop > 0 {
			continue
		}
		out = report.AddUnstated(out, boxes[i].Part.ID, int64(k.Count))
	}
	return out
}

// Unweighed lists the boxes, panels and cables in racks whose parts state no weight, which the weights of racks are
// without; nil for containers.
func (p *Result) Unweighed() []report.Unstated {
	if p.Room() == nil {
		return nil
	}
	s := p.Schedule
	var out []report.Unstated
	add := func(part *catalog.Part, n int64) {
		if n > 0 && part.Weight == 0 {
			out = report.AddUnstated(out, part.ID, n)
		}
	}
	for i, k := range p.Graph.Kinds() {
		add(s.Boxes[i].Part, int64(k.Count))
	}
	if s.Patching != nil {
		for i := range s.Patching.Panels {
			add(s.Patching.Panels[i].Part, 1)
		}
	}
	for _, levels := range s.Tallies {
		for i := range levels {
			for product, n := range levels[i].Product {
				add(s.Products[product].Part, n)
			}
		}
	}
	return out
}

// unstatedDiameters lists the cables between racks, or between containers, that state no diameter, and so take no room
// on trays and in gaps as far as is known.
func unstatedDiameters(s *cabling.Schedule) []report.Unstated {
	inside := layout.RackLevel
	switch {
	case s.Gaps != nil:
		inside = s.Placement.Layout.Stands()
	case s.Trays == nil:
		return nil
	}
	var out []report.Unstated
	for _, levels := range s.Tallies {
		for within := range min(inside, len(levels)) {
			for product, n := range levels[within].Product {
				if p := s.Products[product].Part; n > 0 && p.Cable.Diameter == 0 {
					out = report.AddUnstated(out, p.ID, n)
				}
			}
		}
	}
	return out
}
