package render

import (
	"iter"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/units"
)

// Plug is a plug of a cable, with all that its label can say. One that carries several links has the ports of the
// first.
type Plug struct {
	Cable, End string // the cable's id; A or B
	Near, Far  PlugEnd
	Bundle     string       // "" of a cable that stays in its rack
	Pull       int          // the order of the bundle, from 1; 0 without one
	Length     units.Length // as bought, or as it is needed where no product can make it
	Product    string       // "" where none can
	Colour     string       // "" where none is stated
}

// PlugEnd is an end of a cable: a port, and where its box stands.
type PlugEnd struct {
	Label           string // as in labels.csv
	Rack, Box, Port string // of containers, the innermost as the rack
	Unit            int    // 0 where there is none
	Index           int    // of the port among those of the box, from 0
}

// Plugs yields the plugs of all cables of a fabric, of all fabrics where the name is empty, in the order of Labels.
func Plugs(r *machine.Result, fabric string) iter.Seq[Plug] {
	t := newLabelText(r)
	var within []bool
	for _, level := range r.Schedule.Graph.Levels() {
		within = append(within, machine.InFabric(level.Name, fabric))
	}
	return func(yield func(Plug) bool) {
		for _, p := range t.plugs() {
			seg := &t.s.Segments[p.seg()]
			if !within[seg.Level] {
				continue
			}
			near, far, name := t.ends(p)
			out := Plug{
				Cable: t.s.CableID(int64(seg.Cable)), End: name, Near: t.end(near), Far: t.end(far), Length: seg.Length,
				Colour: t.s.Colour(seg),
			}
			if seg.Bundle > 0 {
				out.Bundle = string(t.bundles.appendID(nil, seg.Bundle))
				out.Pull = int(t.bundles.pull[seg.Bundle-1])
			}
			if seg.Product >= 0 {
				product := &t.s.Products[seg.Product]
				out.Length, out.Product = product.Length, product.Item().String()
			}
			if !yield(out) {
				return
			}
		}
	}
}

// end is what a label says of an end.
func (t *labelText) end(e plugEnd) PlugEnd {
	at := placeOf(t.s, t.layout(), e.v)
	return PlugEnd{
		Label: t.s.Label(e.v, e.port), Rack: at.rack, Box: at.device, Port: t.s.PortName(e.v, e.port), Unit: at.unit,
		Index: int(e.port),
	}
}
