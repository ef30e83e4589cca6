package embed

import (
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
)

// rackState is the contents of a rack so far. It can be copied by assignment, so that trials work on a copy.
type rackState struct {
	used        layout.UnitSet
	power       float64
	plugged     float64 // an upper bound of the power of the optics and cable ends in the boxes
	weight      float64
	boxes       int
	of          int              // type of the rack
	count       [mostKinds]int16 // boxes of each kind
	groupCounts []groupCount     // of the groups with anti-affinity; never changed in place
	chassis     [mostChassisKinds]struct {
		count  int16 // chassis of the kind in the rack
		open   int32 // lowest rack unit of the last one
		filled int32 // cells taken in the last one
	}
}

// put adds a vertex to a rack state and returns its spot, or returns false if the rack has no room for it. A sealed
// vertex starts a new chassis.
func (f *filler) put(r *rackState, v int32, sealed bool) (assignment, bool) {
	kind := topology.KindOf(f.kinds, int(v))
	k := &f.p.Kinds[kind]
	t := f.p.Room.Type(r.of)
	a := assignment{vertex: v, spot: spot{chassis: -1}, fresh: -1}
	var fresh *layout.Chassis // added for this vertex
	if k.chassis() >= 0 {
		state := &r.chassis[k.chassis()]
		if c := &f.p.Chassis[k.chassis()]; sealed || state.count == 0 || int(state.filled) == c.Cells() {
			fresh = c
		}
	}
	if !f.bears(r, v, kind, fresh) {
		return a, false
	}
	if k.chassis() >= 0 {
		c := &f.p.Chassis[k.chassis()]
		state := &r.chassis[k.chassis()]
		if fresh != nil {
			if c.PerRack > 0 && int(state.count) >= c.PerRack {
				return a, false
			}
			taken := r.used.Union(&f.reserved[kind])
			u, ok := taken.Free(c.Units, f.p.unitsFor(t), false)
			if !ok {
				return a, false
			}
			r.used.Add(u, c.Units)
			r.addChassis(c)
			state.count++
			state.filled = 0
			state.open = int32(u)
			a.fresh = k.chassis()
		}
		a.spot.unit = int16(state.open)
		a.spot.cell = state.filled
		state.filled++
	} else {
		u, ok := f.unit(r, kind, k)
		if !ok {
			return a, false
		}
		r.used.Add(u, k.Box.Units)
		a.spot.unit = int16(u)
	}
	f.add(r, v, kind)
	return a, true
}

// add counts a box of a kind in a rack.
func (f *filler) add(r *rackState, v int32, kind int) {
	k := &f.p.Kinds[kind]
	f.antiAffinity.add(r, v)
	r.count[kind]++
	r.boxes++
	r.power += float64(k.Power)
	r.plugged += float64(k.Plugged)
	r.weight += float64(k.Weight)
}

// addChassis counts a chassis without boxes in a rack.
func (r *rackState) addChassis(c *layout.Chassis) {
	r.power += float64(c.Power)
	r.weight += float64(c.Weight)
}

// bears reports whether the type of a rack, the limits of number, power and weight and the anti-affinity rules allow
// another box in it, with the chassis that is added for it (fresh, nil for none). The power of optics counts only in
// racks with other boxes, so that a box whose power exceeds the limit only with its optics gets a rack to itself.
func (f *filler) bears(r *rackState, v int32, kind int, fresh *layout.Chassis) bool {
	k, t := &f.p.Kinds[kind], f.p.Room.Type(r.of)
	power, weight := float64(k.Power)+r.power, float64(k.Weight)+r.weight
	if fresh != nil {
		power += float64(fresh.Power)
		weight += float64(fresh.Weight)
	}
	if r.boxes > 0 {
		power += float64(k.Plugged) + r.plugged
	}
	switch {
	case !f.mayStandIn(kind, r.of),
		k.PerRack > 0 && int(r.count[kind]) >= k.PerRack,
		t.Power > 0 && power > float64(t.Power)+1e-9,
		t.Weight > 0 && weight > float64(t.Weight)+1e-9:
		return false
	}
	return f.antiAffinity.takes(r, v)
}

// unit returns the lowest rack unit of the place for a box, and whether that place is free: the fixed place of its kind
// if it has one, else the highest free place for switches and the lowest for other boxes.
func (f *filler) unit(r *rackState, kind int, k *Kind) (int, bool) {
	t := f.p.Room.Type(r.of)
	if len(k.Units) > 0 {
		i := int(r.count[kind])
		if i >= len(k.Units) {
			return 0, false
		}
		u := k.Units[i]
		return u, u+k.Box.Units-1 <= t.Units && !r.used.Overlaps(u, k.Box.Units)
	}
	taken := r.used.Union(&f.reserved[kind])
	return taken.Free(k.Box.Units, f.p.unitsFor(t), f.kinds[kind].Role == topology.Switch)
}

// unitsFor returns the number of units, from the lowest, that boxes without fixed units may take in racks of a type.
func (p *Problem) unitsFor(t *layout.RackType) int { return max(t.Units-p.FreeUnits, 0) }
