package machine

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/graphio"
)

// box returns the packaging entry that applies to a kind, and its path.
func (p *Packaging) box(kind string, role topology.Role) (**Box, string) {
	switch kind {
	case "node":
		return &p.Node, "packaging.node"
	case "leaf":
		if p.Leaf != nil {
			return &p.Leaf, "packaging.leaf"
		}
	case "spine":
		if p.Spine != nil {
			return &p.Spine, "packaging.spine"
		}
	case "core":
		if p.Core != nil {
			return &p.Core, "packaging.core"
		}
	}
	return &p.Switch, "packaging.switch"
}

// packaging finds the box of every kind of vertex.
func (r *resolver) packaging() {
	pk := &r.spec.Packaging
	names := make([]string, 0, len(pk.Chassis))
	for name := range pk.Chassis {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		c := pk.Chassis[name]
		chassis := layout.Chassis{Name: name, Units: c.Units, Slots: [3]int{1, 1, 1}, Traces: c.Links != "cable", PerRack: c.PerRack}
		copy(chassis.Slots[:], c.Slots)
		for a := range 3 {
			switch {
			case len(c.Pitch) == 1:
				chassis.Pitch[a] = c.Pitch[0]
			case a < len(c.Pitch):
				chassis.Pitch[a] = c.Pitch[a]
			}
		}
		r.chassis = append(r.chassis, chassis)
	}
	for i, k := range r.graph.Kinds() {
		entry, path := pk.box(k.Name, k.Role)
		box := Box{}
		if *entry != nil {
			box = **entry
		}
		if box.Part == "" {
			box.Part = r.defaultPart(path, k, box.Breakout)
		}
		var part *catalog.Part
		if box.Part != "" {
			kind := catalog.KindNode
			if k.Role == topology.Switch {
				kind = catalog.KindSwitch
			}
			part = r.part(box.Part, kind)
		}
		if box.Place == "" && len(r.spec.Room.Containers) == 0 {
			box.Place = r.defaultPlace(k)
		}
		if box.PerRack == 0 && box.Place == NetworkRow && len(box.Units) == 0 {
			box.PerRack = DefaultPerRack
		}
		r.packs = append(r.packs, &box)
		r.adapters = append(r.adapters, r.adapter(path, &box, part))
		if part == nil {
			r.boxes = append(r.boxes, nil)
			continue
		}
		if len(part.Ports) == 0 {
			r.fault(path+".part", "%s has no ports", part.ID)
		}
		if part.Units == 0 && box.Chassis == "" && len(r.spec.Room.Containers) == 0 {
			r.fault(path+".part", "%s has no height in rack units; name the chassis it slides into", part.ID)
		}
		into := max(box.Breakout, 1)
		if !slices.Contains([]int{1, 2, 4, 8}, into) {
			r.fault(path+".breakout", "a port is broken out into 2, 4 or 8, not %d", into)
			into = 1
		}
		b := cabling.NewSplitBox(part, k.Name, into)
		r.plug(path, i, b, box.Ports)
		r.boxes = append(r.boxes, b)
		// Every kind gets an entry of its own, so that the effective spec says
		// which box realises it.
		switch {
		case path == "packaging.switch" && k.Name == "leaf":
			pk.Leaf = &box
		case path == "packaging.switch" && k.Name == "spine":
			pk.Spine = &box
		case path == "packaging.switch" && k.Name == "core":
			pk.Core = &box
		default:
			*entry = &box
		}
	}
	if pk.Switch != nil && !slices.ContainsFunc(r.graph.Kinds(), func(k topology.Kind) bool {
		_, path := pk.box(k.Name, k.Role)
		return path == "packaging.switch" && k.Role == topology.Switch
	}) {
		pk.Switch = nil // every kind of switch has an entry of its own by now
	}
}

// plug puts the ports of the box of a kind in the order in which links are
// plugged in: that of the machine file, or the names that the topology has.
func (r *resolver) plug(path string, kind int, b *cabling.Box, listed []Ports) {
	var names []string
	if ported, ok := r.graph.(graphio.Ported); ok {
		names = ported.PortNames(kind)
	}
	if names != nil && listed != nil {
		r.fault(path+".ports", "%s names the ports of every cable already", r.topologyFile())
		return
	}
	if names != nil {
		k := r.graph.Kinds()[kind]
		b.Plug(names, func(_ int, format string, args ...any) {
			r.fault(path+".part", "a cable of a %s: %s", k.Name, fmt.Sprintf(format, args...))
		})
		return
	}
	if listed == nil {
		return
	}
	var of []int // the entry of the list that each name is from
	for i, entry := range listed {
		more := expandPorts(string(entry))
		if more == nil {
			r.fault(diag.Elem(path+".ports", i), "%q is no range of ports\nwrite the lower number first: 1-32", entry)
		}
		for _, name := range more {
			names, of = append(names, name), append(of, i)
		}
	}
	b.Plug(names, func(i int, format string, args ...any) { r.fault(diag.Elem(path+".ports", of[i]), format, args...) })
}

// mostRange is the most ports of a range.
const mostRange = 1 << 16

// portRange is a range of ports: "33-64", "swp33-64".
var portRange = regexp.MustCompile(`^([A-Za-z_]*)([0-9]+)-([0-9]+)$`)

// expandPorts lists the ports of an entry: a name, or a range of numbers with
// what stands before them. It is nil for a range that falls or is too long.
func expandPorts(entry string) []string {
	m := portRange.FindStringSubmatch(entry)
	if m == nil {
		return []string{entry}
	}
	a, errA := strconv.Atoi(m[2])
	z, errZ := strconv.Atoi(m[3])
	if errA != nil || errZ != nil || z < a || z-a >= mostRange {
		return nil
	}
	var out []string
	for n := a; n <= z; n++ {
		out = append(out, m[1]+strconv.Itoa(n))
	}
	return out
}

// defaultPart picks a generic part with enough ports.
func (r *resolver) defaultPart(path string, k topology.Kind, breakout int) string {
	candidates := []string{"generic-node-1u", "generic-gpu-node-8u"}
	switch k.Role {
	case topology.Switch:
		candidates = []string{"generic-switch-64x400g", "generic-switch-128x400g"}
	case topology.Node:
		candidates = []string{"generic-torus-node-1u"}
	}
	for _, id := range candidates {
		if p := r.catalog.Part(id); p != nil && p.PortCount()*max(breakout, 1) >= k.Ports {
			return id
		}
	}
	r.fault(path, "no generic part has the %d ports of a %s; name one with `part`", k.Ports, k.Name)
	return ""
}

// defaultPlace keeps switches with the nodes they serve, except the upper
// tiers of trees and leaves that every rack of a unit is linked to.
func (r *resolver) defaultPlace(k topology.Kind) string {
	switch {
	case k.Role != topology.Switch, k.Name == "switch":
		return InRack
	case k.Name == "leaf":
		if g, ok := r.graph.(topology.Railed); !ok || g.Rails() <= 1 {
			return InRack
		}
	}
	return NetworkRow
}

// topologyFile is what to call the topology that names its ports.
func (r *resolver) topologyFile() string {
	if f, ok := r.spec.Topology.Params.(graphio.File); ok {
		return filepath.Base(f.Path)
	}
	return r.spec.Topology.Family()
}

// adapter finds the adapter part of a box.
func (r *resolver) adapter(path string, box *Box, part *catalog.Part) *catalog.Part {
	id := box.Adapter
	if id == "" && part != nil {
		id = part.Adapter
	}
	if id == "" || id == "none" {
		return nil
	}
	a := r.part(id, catalog.KindAdapter)
	if a == nil || part == nil || len(a.Ports) == 0 {
		return a
	}
	for _, g := range part.Ports {
		if h := a.Ports[0]; g.Connector != h.Connector || g.Rate != h.Rate || max(g.PerCage, 1) != max(h.PerCage, 1) {
			r.fault(path+".adapter", "%s has %s ports of %v, and %s takes %s of %v", a.ID, h.Connector, h.Rate, part.ID, g.Connector, g.Rate)
		}
	}
	return a
}
