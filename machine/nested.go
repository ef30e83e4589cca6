package machine

import (
	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/units"
)

// ContainerLoad is what a container holds: boxes with their adapters, and enclosures. Of a rack, and of a container
// around racks, Power includes the optics and cable ends that are plugged in.
type ContainerLoad struct {
	Power  units.Power
	Weight units.Mass // as far as parts state it, the container itself left out
}

// Loads returns what each container of a level holds, by the number of the container. Levels count from 0, the
// outermost. It must not be called for machines in a room.
func (p *Result) Loads(level int) []ContainerLoad { return p.loads(level) }

// loadsOf returns loads for a placement and its schedule.
func (r *resolved) loadsOf(pl *embed.Placement, s *cabling.Schedule) func(level int) []ContainerLoad {
	return func(level int) []ContainerLoad { return r.loads(pl, s, level) }
}

// loads works out what each container of a level holds.
func (r *resolved) loads(pl *embed.Placement, s *cabling.Schedule, level int) []ContainerLoad {
	l := pl.Layout
	cells := l.Tree.Cells(level)
	out := make([]ContainerLoad, l.Slots()/cells)
	for i, k := range s.Kinds {
		part := s.Boxes[i].Part
		each := ContainerLoad{part.Power, part.Weight}
		if a := r.adapters[i]; a != nil {
			n := (k.Ports + max(a.PortCount(), 1) - 1) / max(a.PortCount(), 1)
			each.Power += units.Power(float64(n) * float64(a.Power))
		}
		for v := k.First; v < k.First+k.Count; v++ {
			to := &out[l.Container(level, pl.Slot[v])]
			to.Power += each.Power
			to.Weight += each.Weight
		}
	}
	for inner := level + 1; inner < len(l.Levels); inner++ {
		part := r.enclosurePart(r.spec.Room.Containers[inner].Part)
		if part == nil {
			continue
		}
		per := cells / l.Tree.Cells(inner) // containers of the inner level in one of this
		for c, holds := range occupied(pl, inner) {
			if !holds {
				continue
			}
			to := &out[c/per]
			to.Weight += part.Weight
			if part.Kind != catalog.KindRack {
				to.Power += part.Power
			}
		}
	}
	if rack := l.LevelOf(layout.RoleRack); rack >= level && s.RackPower != nil {
		per := cells / l.Tree.Cells(rack)
		for c, power := range s.RackPower {
			out[c/per].Power += power
		}
	}
	return out
}

// occupied reports for each container of a level whether it holds a box.
func occupied(pl *embed.Placement, level int) []bool {
	out := make([]bool, pl.Layout.Slots()/pl.Layout.Tree.Cells(level))
	for _, slot := range pl.Slot {
		out[pl.Layout.Container(level, slot)] = true
	}
	return out
}

// checkNestedRacks holds the racks among containers against what their part supplies and bears.
func (r *resolved) checkNestedRacks(pl *embed.Placement, s *cabling.Schedule, v *cabling.Violations) {
	rack := pl.Layout.LevelOf(layout.RoleRack)
	if rack < 0 {
		return
	}
	part := r.enclosurePart(r.spec.Room.Containers[rack].Part)
	if part == nil || part.Rack == nil {
		return
	}
	for c, load := range r.loads(pl, s, rack) {
		v.CheckBusbar(pl.Layout.ContainerName(rack, int32(c)), load.Power, part.Rack)
		v.CheckLoad(pl.Layout.ContainerName(rack, int32(c)), load.Power, part.Rack.Power, load.Weight, part.Rack.Weight)
	}
}
