package machine

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/graphio"
)

// packaging finds the box of every kind of vertex and fills r.boxes, r.at, r.packs and r.adapters, each by kind; a box
// is nil where its part is wrong, which is reported. Every kind with a box gets an entry of its own, so that the
// effective spec says which box realises it.
func (r *resolver) packaging() {
	pk := &r.spec.Packaging
	r.open = r.openPorts()
	ports := capacityPorts(r.graph)
	for i, k := range r.graph.Kinds() {
		entry, path := pk.Entry(k.Name, k.Role)
		box := spec.Box{}
		if *entry != nil {
			box = **entry
		}
		inRooms := len(r.spec.Room.Containers) == 0
		if !r.templated(k.Name, path, &box) && box.Place == "" && inRooms && !r.besideUnits(&box) {
			box.Place = r.defaultPlace(r.graph, k, &box)
		}
		k.Ports = ports[i]
		realised := r.box(k, path, &box)
		if realised != nil {
			r.plug(path, i, realised, box.Ports)
		}
		r.boxes, r.at = append(r.boxes, realised), append(r.at, r.entryPath(k, path))
		switch {
		case realised == nil:
		case pk.Kinds[k.Name] != nil:
			pk.SetKind(k.Name, &box)
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
		_, path := pk.Entry(k.Name, k.Role)
		return path == "packaging.switch" && k.Role == topology.Switch
	}) {
		pk.Switch = nil // every kind of switch has an entry of its own by now
	}
}

// entryPath is where a kind has its entry in the effective spec.
func (r *resolver) entryPath(k topology.Kind, path string) string {
	if r.spec.Packaging.Kinds[k.Name] != nil {
		return path
	}
	return "packaging." + k.Name
}

// enclosures lists the chassis of the file in r.chassis, sorted by name, and refuses those that are not as high as
// their part.
func (r *resolver) enclosures() {
	for _, name := range slices.Sorted(maps.Keys(r.spec.Packaging.Chassis)) {
		c := r.spec.Packaging.Chassis[name]
		out := enclosure(name, c)
		if p := r.enclosurePart(c.Part); p != nil && !r.unsound[c.Part] {
			out.Power, out.Weight = p.Power, p.Weight
			if p.Units > 0 && p.Units != c.Units {
				r.fault(diag.Key("packaging.chassis", name)+".units",
					"%s is %s high\ngive as many units, or another part", p.ID, english.Count(p.Units, "rack unit"))
			}
		}
		r.chassis = append(r.chassis, out)
	}
}

// enclosurePart returns the catalog part of a chassis or container, of any kind of part; nil for "", for spec.NoPart
// and for an id that the catalog does not have.
func (r *resolved) enclosurePart(id string) *catalog.Part {
	if id == "" || id == spec.NoPart {
		return nil
	}
	return r.catalog.Part(id)
}

// enclosure converts a chassis of the file, without power and weight. It has one slot along an axis for which none are
// given; a single pitch is that of all three axes.
func enclosure(name string, c spec.Chassis) layout.Chassis {
	out := layout.Chassis{
		Name: name, Units: c.Units, Slots: [3]int{1, 1, 1}, Traces: c.Links != "cable", PerRack: c.PerRack,
	}
	copy(out.Slots[:], c.Slots)
	for a := range 3 {
		switch {
		case len(c.Pitch) == 1:
			out.Pitch[a] = c.Pitch[0]
		case a < len(c.Pitch):
			out.Pitch[a] = c.Pitch[a]
		}
	}
	return out
}

// box makes the box of a kind of vertex from the entry at a path, in which it fills in defaults. It returns nil where
// there is no such part. It always appends the entry to r.packs and the adapter, which may be nil, to r.adapters.
func (r *resolver) box(k topology.Kind, path string, entry *spec.Box) *cabling.Box {
	racks := len(r.spec.Room.Containers) == 0
	if r.spec.Unread(path) {
		r.packs, r.adapters = append(r.packs, entry), append(r.adapters, nil)
		return nil
	}
	if entry.Part == "" && !r.namedPorts(path, entry) {
		entry.Part = r.defaultPart(path, k, entry.Breakout.All())
	}
	var part *catalog.Part
	if entry.Part != "" {
		want := catalog.KindNode
		if k.Role == topology.Switch {
			want = catalog.KindSwitch
		}
		part = r.part(entry.Part, want)
	}
	if entry.PerRack == 0 && entry.Place == spec.NetworkRow && entry.Racks == "" && len(entry.Units) == 0 {
		entry.PerRack = DefaultPerRack
	}
	r.packs = append(r.packs, entry)
	r.adapters = append(r.adapters, r.adapter(path, entry, part))
	if part == nil {
		return nil
	}
	if len(part.Ports) == 0 && len(r.spec.Fabrics) == 0 {
		r.fault(path+".part", "%s has no ports, which the topology links", part.ID)
	}
	if part.ZeroU {
		r.checkBeside(path, entry)
	} else if part.Units == 0 && entry.Chassis == "" && racks {
		r.fault(path+".part", "%s has no height in rack units; name the chassis it slides into", part.ID)
	}
	box := cabling.NewBox
	if len(r.spec.Fabrics) > 0 {
		box = cabling.NewWholeBox
	}
	b := box(part)
	if entry.Breakout != nil {
		r.breakOut(path+".breakout", b, entry.Breakout)
	}
	return b
}

// placeOfNodes fills in the place of boxes that are not switches.
func (r *resolver) placeOfNodes(entry *spec.Box) {
	switch {
	case entry.Place != "" || r.besideUnits(entry):
	case entry.Racks != "":
		entry.Place = r.spec.PlaceOfRacks(entry.Racks)
	default:
		entry.Place = spec.InRack
	}
}

// besideUnits reports whether boxes stand beside the units of racks, wherever these are.
func (r *resolver) besideUnits(entry *spec.Box) bool {
	part := r.usable(entry.Part)
	return part != nil && part.ZeroU
}

// checkBeside refuses what boxes that take no units cannot have.
func (r *resolver) checkBeside(path string, entry *spec.Box) {
	for _, c := range []struct {
		key   string
		given bool
	}{{"place", entry.Place != ""}, {"units", entry.Units != nil}, {"chassis", entry.Chassis != ""}} {
		if c.given {
			r.fault(path+"."+c.key, "%s stands beside the units of racks that other boxes fill\nremove it", entry.Part)
		}
	}
}

// plug puts the ports of the box of a kind in the order in which links are
// plugged in: that of the machine file, or the names that the topology has.
func (r *resolver) plug(path string, kind int, b *cabling.Box, listed []spec.Ports) {
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
		r.align(b, r.graph.Kinds()[kind])
		return
	}
	ports := newPortNames(b).choose(listed, func(i int, format string, args ...any) {
		r.fault(diag.Elem(path+".ports", i), format, args...)
	})
	b.Take(ports)
}

// align puts the ports of a kind of switches in the order of alignPorts, if there are enough, with those that are left
// after them.
func (r *resolver) align(b *cabling.Box, k topology.Kind) {
	all := defaultPorts(b)
	if k.Role != topology.Switch || len(all) < k.Ports {
		return
	}
	ports, mixed := alignPorts(b, all, r.graph, k)
	r.noteMixed("", b, k, mixed)
	b.Take(append(slices.Clone(ports), slices.DeleteFunc(slices.Clone(all), func(p int) bool {
		return slices.Contains(ports, p)
	})...))
}

// noteMixed notes that a port of a kind of switches has links of two levels, if one has.
func (r *resolver) noteMixed(fabric string, b *cabling.Box, k topology.Kind, mixed *cabling.Port) {
	if mixed == nil {
		return
	}
	if fabric != "" {
		fabric += ": "
	}
	r.passed = append(r.passed, fmt.Sprintf("%sport %s of the first %s, which is broken out, has links of two levels, "+
		"which seldom share a plug: choose numbers of links that fill ports, or a part with more ports than %s", fabric,
		mixed.Whole, k.Name, b.Part.ID))
}

// defaultPart returns the id of the first generic part with at least k.Ports ports, each broken out into breakout;
// else, for switches, that of smallestSwitch. It reports a fault and returns "" if there is none.
func (r *resolver) defaultPart(path string, k topology.Kind, breakout int) string {
	candidates := []string{"generic-node-1u", "generic-gpu-node-8u"}
	switch k.Role {
	case topology.Switch:
		candidates = []string{"generic-switch-64x400g", "generic-switch-128x400g"}
	case topology.Node:
		candidates = []string{"generic-torus-node-1u"}
	}
	ports := k.Ports
	if k.Role == topology.Switch && r.open > mostGenericPorts*breakout {
		ports = r.open // one box for all kinds, as its ports differ from those of generic ones
	}
	for _, id := range candidates {
		if p := r.catalog.Part(id); p != nil && p.PortCount()*breakout >= ports {
			return id
		}
	}
	if k.Role == topology.Switch {
		if p := r.smallestSwitch(ports, breakout); p != nil {
			return p.ID
		}
	}
	what := "generic part"
	if k.Role == topology.Switch {
		what = "switch of the catalog"
	}
	several := ""
	if r.graph != nil && topology.HasCapacity(r.graph) {
		several = ", where a link takes as many of one rate as its capacity"
	}
	r.fault(path, "no %s has the %d ports of a %s%s; name one with `part`", what, k.Ports, k.Name, several)
	return ""
}

// mostGenericPorts is the ports of the largest generic switch.
const mostGenericPorts = 128

// openPorts is the most ports of the kinds of switches whose part is left open.
func (r *resolver) openPorts() int {
	most := 0
	ports := capacityPorts(r.graph)
	for i, k := range r.graph.Kinds() {
		entry, _ := r.spec.Packaging.Entry(k.Name, k.Role)
		if k.Role == topology.Switch && (*entry == nil || (*entry).Part == "") {
			most = max(most, ports[i])
		}
	}
	return most
}

// smallestSwitch returns the switch of the catalog with the fewest ports of which, each broken out into breakout, there
// are at least the given number; the first of several. It is nil where no such switch stands in a rack by itself.
func (r *resolver) smallestSwitch(ports, breakout int) *catalog.Part {
	var found *catalog.Part
	parts := r.catalog.Parts()
	for i := range parts {
		p := &parts[i]
		if p.Kind == catalog.KindSwitch && p.Units > 0 && p.PortCount()*breakout >= ports &&
			(found == nil || p.PortCount() < found.PortCount()) {
			found = p
		}
	}
	return found
}

// defaultPlace keeps switches with the nodes they serve, except the upper
// tiers of trees and leaves that every rack of a unit is linked to. What shares
// racks by a name stands where these do.
func (r *resolver) defaultPlace(g topology.Graph, k topology.Kind, box *spec.Box) string {
	switch {
	case box.Racks != "":
		return r.spec.PlaceOfRacks(box.Racks)
	case k.Role != topology.Switch, k.Name == "switch":
		return spec.InRack
	case k.Name == "leaf":
		if g, ok := g.(topology.Railed); !ok || g.Rails() <= 1 {
			return spec.InRack
		}
	}
	return spec.NetworkRow
}

// topologyFile is what to call the topology that names its ports.
func (r *resolver) topologyFile() string {
	if f, ok := r.spec.Topology.Params.(graphio.File); ok {
		return filepath.Base(f.Path)
	}
	return r.spec.Topology.Family()
}

// adapter returns the adapter of a box: the part that the entry names, else that of the box's part; nil for "none",
// without either, and for an id that is not of an adapter. It refuses an adapter unless connector, rate and ports per
// cage of its first ports are those of all ports of the box.
func (r *resolver) adapter(path string, box *spec.Box, part *catalog.Part) *catalog.Part {
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
			r.fault(path+".adapter", "%s has %s ports of %v, and %s takes %s of %v", a.ID, h.Connector, h.Rate, part.ID,
				g.Connector, g.Rate)
		}
	}
	return a
}
