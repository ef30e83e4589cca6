package cabling

import (
	"math"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/units"
)

// mounting is how a port is in its rack. Boxes of a kind stand alike in many racks, so that what a cable needs at
// either end is found once for all of them.
type mounting struct {
	z, floor units.Length // from the ground of the building
	side     units.Length // the way to the side of the rack
	front    bool         // the port is at the front of the rack
	unsteady bool         // only rounding tells at which face it is
}

// pose is what boxes have in common whose ports have the same mountings: heights to the last bit, as they go into
// lengths as they are, and where in its rack a box stands in units of poseGrain, which is far less than lengths are
// rounded to.
type pose struct {
	kind         int32
	dx, dy       int32 // from the middle of the rack
	z, floor     units.Length
	rear, turned bool
}

const poseGrain = 1e-8

func (p pose) hash() uint64 {
	h := math.Float64bits(float64(p.z)) ^ math.Float64bits(float64(p.floor))*31
	h ^= uint64(uint32(p.dx))<<32 | uint64(uint32(p.dy))
	h ^= uint64(p.kind) << 4
	if p.rear {
		h ^= 1
	}
	if p.turned {
		h ^= 2
	}
	h *= 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// mountings finds the mountings of ports.
type mountings struct {
	poses numbering[pose]
	first []int32        // of each pose: the mounting of its first port
	all   []mounting     // of the ports of each pose
	rises []units.Length // of each mounting, level by level: the way to the trays
	// of says where the mountings of each vertex are: first and 1; 0 where that was not asked for yet, -1 where they
	// are not kept, as too many boxes stand in ways of their own.
	of []int32
	// measured tells that the ways to the sides and through racks count.
	measured bool
}

// at is the number of the mounting of a port, -1 for none.
func (t *mountings) at(w *worker, e *ends, v, port int32) int32 {
	if t.of == nil {
		t.of = make([]int32, w.kinds[len(w.kinds)-1].last+1)
		s := &w.p.Slack
		t.measured = s.Manager != AnySide || s.Crossing != 0
	}
	of := t.of[v]
	if of == 0 {
		of = t.find(w, e, v)
		t.of[v] = of
	}
	if of < 0 || int(port) >= e.box.Box.PortCount() {
		return -1
	}
	return of - 1 + port
}

// find finds the mountings of a vertex.
func (t *mountings) find(w *worker, e *ends, v int32) int32 {
	slot := w.slot[v]
	room := w.layout.Room
	rack := w.layout.Container(layout.RackLevel, slot)
	at, p := &room.Places[rack], w.layout.Position(slot)
	key := pose{
		kind: int32(e.index), z: p.Z, floor: w.s.router.trays.net.Floor(rack), rear: w.layout.Rear(slot),
		turned: at.Turned,
	}
	dx, dy := math.Round(float64(p.X-at.X)/poseGrain), math.Round(float64(p.Y-at.Y)/poseGrain)
	if math.Abs(dx) > math.MaxInt32 || math.Abs(dy) > math.MaxInt32 {
		return -1 // many metres beside its rack
	}
	key.dx, key.dy = int32(dx), int32(dy)
	n, known := t.poses.find(key)
	if known {
		return t.first[n]
	}
	ports := e.box.Box.PortCount()
	if len(t.all)+ports > 1<<16+2*len(t.of) { // memory follows vertices
		t.first = append(t.first, -1)
		return -1
	}
	t.first = append(t.first, int32(len(t.all))+1)
	for port := range ports {
		q := w.layout.At(slot, e.box.Box.Port(port))
		s := mounting{z: q.Z, floor: key.floor}
		if t.measured {
			f := faceOf(room, rack, q)
			s.front, s.side = f.front, f.toSide(w.p.Slack.Manager, room.Type(rack).Width)
			s.unsteady = (q.Y - at.Y).Abs() < 10*poseGrain
		}
		t.all = append(t.all, s)
		for level := range w.s.router.trays.height {
			t.rises = append(t.rises, w.s.router.trays.rise(int32(level), rack, q.Z).Round4())
		}
	}
	return t.first[n]
}

// manager is the way of a cable to the sides of its racks; false where rounding may tell racks apart in which boxes
// stand alike.
func (t *mountings) manager(a, b *mounting, side Side) (units.Length, bool) {
	if !t.measured {
		return 0, true
	}
	if a.unsteady || b.unsteady {
		return 0, false
	}
	if side == AnySide {
		return 0, true
	}
	exact := float64(a.side+b.side) * 1e4
	whole := math.Round(exact)
	return units.Length(whole / 1e4), math.Abs(exact-whole) < 0.499
}
