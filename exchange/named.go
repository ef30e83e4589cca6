package exchange

import (
	"iter"
	"slices"
	"strconv"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// place is an end of a planned link: a port as it is printed and as systems call it, and the rack of its box.
type place struct {
	box, port, part string
	called          catalog.PortIdentity
	row, rack       string // of containers, the innermost as the rack
	unit            int    // 0 where there is none
	number          int    // of the port, as a subnet counts it
	isSwitch        bool
	hasDevices      bool // the part tells the RDMA devices of some ports
}

// named is a planned link with its ends by name, over panels or not.
type named struct {
	a, b     place
	segments []cabling.Segment // its cords and the position of a trunk between them, or its cable
}

// withDevice reports whether a group of ports says which RDMA devices they are.
func withDevice(g catalog.PortGroup) bool { return g.Device != nil }

// namedLinks yields the links of a fabric of a plan, of all fabrics where the name is empty.
func namedLinks(r *machine.Result, fabric string) iter.Seq[named] {
	s := r.Schedule
	kinds := s.Graph.Kinds()
	end := func(v int32, port uint16) place {
		l, slot := s.Placement.Layout, s.Placement.Slot[v]
		k := topology.KindOf(kinds, int(v))
		p := place{
			box: s.Device(v), port: s.PortName(v, port), called: s.PortIdentity(v, port), number: s.PortNumber(v, port),
			part: s.Boxes[k].Part.ID, hasDevices: slices.ContainsFunc(s.Boxes[k].Part.Ports, withDevice),
			isSwitch: kinds[k].Role == topology.Switch, rack: l.Rack(slot), unit: l.Unit(slot),
		}
		if row := l.LevelOf(layout.RoleRow); row >= 0 {
			p.row = l.ContainerName(row, l.Container(row, slot))
		}
		return p
	}
	return func(yield func(named) bool) {
		for l := range PlannedLinks(r, fabric) {
			if !yield(named{end(l.A, l.PortA), end(l.B, l.PortB), l.Segments}) {
				return
			}
		}
	}
}

// adapter returns what UFM calls the adapter of a node behind a port: its RDMA device if the part states it, the port's
// name in the operating system if the part states only those of other ports, as a number could be that of one of these,
// and otherwise mlx5_ with the number of the port, from 0.
func (p *place) adapter() string {
	switch {
	case p.called.Device != "":
		return p.called.Device
	case p.hasDevices:
		return p.called.System()
	}
	return "mlx5_" + strconv.Itoa(p.number-1)
}
