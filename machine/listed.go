package machine

import (
	"slices"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine/racklist"
)

// listRacks reads the list of the racks of the room, finds the part of each of their kinds, and has the spec know rows
// and names. It is nil without such a list, or where something is wrong with it.
func (r *resolver) listRacks() *racklist.List {
	room := &r.spec.Room
	if room.RackList == "" || room.Doubly() {
		return nil
	}
	list, unread := racklist.Load(room.RackList)
	r.blame("room.rack_list", unread)
	if list == nil {
		return nil
	}
	known, parts := r.knownRacks()
	kinds, of, err := list.Kinds(known)
	r.blame("room.rack_list", err)
	if unread != nil || err != nil {
		return nil
	}
	floor := &layout.RoomSpec{Rack: kinds[0].RackType, Margin: *room.Margin, Alternate: room.Facing != "same"}
	for i := range kinds[1:] {
		floor.Types = append(floor.Types, kinds[i+1].RackType)
	}
	if err := list.Lay(floor, of); err != nil {
		r.blame("room.rack_list", err)
		return nil
	}
	r.racks = nil
	for _, k := range kinds {
		r.racks = append(r.racks, parts[k.Of])
	}
	r.rack = r.racks[0]
	r.listedFor(kinds)
	r.spec.SetListed(floor)
	r.spec.CheckListed(r.fault)
	return list
}

// knownRacks are the types that racks of a list may have, with their parts: that of the room, those that it names, and
// all racks of the catalog.
func (r *resolver) knownRacks() (known []racklist.Known, parts []*catalog.Part) {
	add := func(name string, part *catalog.Part, t layout.RackType, taken bool) {
		t.Listed = name
		known = append(known, racklist.Known{Name: name, RackType: t, Taken: taken})
		parts = append(parts, part)
	}
	add(r.rack.ID, r.rack, rackType(r.rack), false)
	for i, t := range r.types() {
		add(t.Name, r.racks[i+1], t, r.spec.Room.RackTypes[i].For != nil)
	}
	all := r.catalog.Parts()
	for i := range all {
		if p := &all[i]; p.Kind == catalog.KindRack && p.ID != r.rack.ID {
			add(p.ID, p, rackType(p), false)
		}
	}
	return known, parts
}

// listedFor finds the kinds of racks of a list that each kind of box may stand in, where types of the room say so.
func (r *resolver) listedFor(kinds []racklist.Kind) {
	types := r.spec.Room.RackTypes
	for i, of := range r.typesOf {
		var out []int
		for n, k := range kinds {
			if k.Of > len(types) {
				k.Of = 0 // open to all that no type is for
			}
			if slices.Contains(of, k.Of) {
				out = append(out, n)
			}
		}
		if out == nil {
			r.fault("room.rack_list", "no rack of the list is of type %s, which alone is for boxes of kind %s",
				types[of[0]-1].Name, r.graph.Kinds()[i].Name)
		}
		r.typesOf[i] = out
	}
}
