package exchange

import (
	"errors"
	"iter"
	"slices"
	"strconv"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// ErrSummary says that a plan has no list of cables.
var ErrSummary = errors.New("the plan is a summary, which has no list of cables")

// PlannedLink is a channel of a plan between two boxes, over patch panels or not. Traces are none.
type PlannedLink struct {
	A, B         int32  // vertices
	PortA, PortB uint16 // from 0, in the order of cabling.Box.Ports
	Cable        int32  // the number of its cable, over panels that of the cord at A
	Product      int16  // of that cable
	Fabric       int16  // of machine.Result.Fabrics; 0 where a machine has one network
}

// PlannedLinks yields the links of a plan.
func PlannedLinks(r *machine.Result) iter.Seq[PlannedLink] {
	return func(yield func(PlannedLink) bool) {
		s := r.Schedule
		var fabric []int16 // by level
		for _, level := range s.Graph.Levels() {
			i := slices.IndexFunc(r.Fabrics,
				func(n *machine.Network) bool { return machine.InFabric(level.Name, n.Name) })
			fabric = append(fabric, int16(max(i, 0)))
		}
		var start *cabling.Segment
		for i := range s.Segments {
			seg := &s.Segments[i]
			if seg.Product == cabling.IsTrace {
				continue
			}
			if !s.Continues(seg) {
				start = seg
			}
			if s.Panel(seg.B) >= 0 {
				continue // goes on beyond a panel
			}
			l := PlannedLink{start.A, seg.B, start.PortA, seg.PortB, start.Cable, start.Product, fabric[seg.Level]}
			if !yield(l) {
				return
			}
		}
	}
}

// Planned is the wiring of a plan, or of one of its fabrics: boxes by name, ports by number from 1.
func Planned(r *machine.Result, fabric string) (*Wiring, error) {
	s := r.Schedule
	if s.Segments == nil {
		return nil, ErrSummary
	}
	w := &Wiring{}
	kinds := s.Graph.Kinds()
	for v := range topology.Vertices(s.Graph) {
		k := topology.KindOf(kinds, v)
		b := Box{Name: r.Names.Name(v), Role: "adapter", Ports: len(s.Boxes[k].Ports), Listed: true}
		if kinds[k].Role == topology.Switch {
			b.Role = "switch"
		}
		w.Boxes = append(w.Boxes, b)
	}
	number := func(p uint16) string { return strconv.Itoa(int(p) + 1) }
	for l := range PlannedLinks(r) {
		if fabric != "" && r.Fabrics[l.Fabric].Name != fabric {
			continue
		}
		link := Link{A: End{int(l.A), number(l.PortA)}, B: End{int(l.B), number(l.PortB)}}
		if l.Product >= 0 {
			link.Product = s.Products[l.Product].Item().String()
		}
		w.Links = append(w.Links, link)
	}
	return w, nil
}
