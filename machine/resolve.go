package machine

import (
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/paulmach/orb"

	"plenum/cabling"
	"plenum/catalog"
	"plenum/cost"
	"plenum/embed"
	"plenum/layout"
	"plenum/topology"
	"plenum/units"
)

// Defaults of a machine file.
const (
	DefaultRack       = "rack-42u"
	DefaultTray       = "tray-ladder"
	DefaultPriceSet   = "estimate-2025"
	DefaultColdAisle  = units.Length(1.22)
	DefaultHotAisle   = units.Length(0.92)
	DefaultMargin     = units.Length(1.2)
	DefaultTrayRise   = units.Length(0.3) // above the racks
	DefaultSlack      = units.Length(1.5) // the way from port to tray at both ends, and a loop
	DefaultRackSlack  = units.Length(0.3)
	DefaultPerRack    = 16 // switches in a rack of a network row
	DefaultExactLimit = 65536
	DefaultSamples    = 256
)

// resolved is a spec whose names have become things.
type resolved struct {
	spec     *Spec
	graph    topology.Graph
	catalog  *catalog.Catalog
	prices   *catalog.PriceSet
	boxes    []*cabling.Box // of each kind of vertex
	packs    []*Box         // the packaging of each kind, defaults filled in
	adapters []*catalog.Part
	rack     *catalog.Part // nil for nested containers
	tray     *catalog.Part // nil where cables do not run on trays
	chassis  []layout.Chassis
	tree     *layout.Tree
	room     *layout.RoomSpec
}

// resolver turns the names of a spec into things and reports what is wrong.
type resolver struct {
	resolved
	report reporter
	faults int
}

// fault records a mistake in the value at a path of the spec.
func (r *resolver) fault(path, format string, args ...any) {
	r.faults++
	r.report(path, format, args...)
}

// resolve checks everything that can be checked before placing and fills in
// the defaults, on a copy of the spec. It returns nil if it reported anything.
func resolve(given *Spec, report reporter) *resolved {
	spec := *given
	r := &resolver{resolved: resolved{spec: &spec}, report: report}
	spec.check(r.fault)
	r.topology()
	r.parts()
	if r.graph != nil {
		spec.checkTopology(r.graph, r.fault)
	}
	if r.catalog != nil {
		r.names()
	}
	if r.graph != nil && r.catalog != nil {
		r.packaging()
		r.place()
	}
	if r.faults > 0 {
		return nil
	}
	r.defaults()
	return &r.resolved
}

func (r *resolver) topology() {
	g, err := topology.New(r.spec.Topology)
	if err == nil {
		if n := topology.Vertices(g); n > MaxVertices {
			r.fault("topology", "%d nodes and switches are more than the %d that can be planned", n, MaxVertices)
			return
		}
		r.graph = g
		return
	}
	for _, p := range topology.ParamErrors(err) {
		path := "topology." + p.Param
		if p.Index >= 0 {
			path = fmt.Sprintf("%s[%d]", path, p.Index)
		}
		r.fault(path, "%s", p.Reason)
	}
	if len(topology.ParamErrors(err)) == 0 {
		r.fault("topology", "%v", err)
	}
}

// parts adds the file's own parts to the catalog and finds the price set.
func (r *resolver) parts() {
	c, err := catalog.Default().With(r.spec.Parts)
	if err != nil {
		for _, e := range unjoin(err) {
			path := "parts"
			var f *catalog.Fault
			if errors.As(e, &f) {
				for i := range r.spec.Parts {
					if r.spec.Parts[i].ID == f.Part {
						path = fmt.Sprintf("parts[%d]", i)
						if f.Field != "" {
							path += "." + f.Field
						}
					}
				}
			}
			r.fault(path, "%v", e)
		}
		return
	}
	r.catalog = c
}

// names checks the ids of parts and price sets.
func (r *resolver) names() {
	if r.spec.Prices.Set == "" {
		r.spec.Prices.Set = DefaultPriceSet
	}
	var ids []string
	for _, p := range r.catalog.Parts() {
		ids = append(ids, p.ID)
	}
	kind := func(id string) catalog.Kind {
		if p := r.catalog.Part(id); p != nil {
			return p.Kind
		}
		return ""
	}
	r.spec.checkCatalog(kind, ids, r.catalog.PriceSets(), r.fault)
	r.prices = r.catalog.PriceSet(r.spec.Prices.Set)
}

func unjoin(err error) []error {
	if j, ok := err.(interface{ Unwrap() []error }); ok {
		return j.Unwrap()
	}
	return []error{err}
}

// part finds a part of a kind; nil if there is none, which checkCatalog has
// reported.
func (r *resolver) part(id string, kind catalog.Kind) *catalog.Part {
	if p := r.catalog.Part(id); p != nil && p.Kind == kind {
		return p
	}
	return nil
}

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
	for _, k := range r.graph.Kinds() {
		entry, path := pk.box(k.Name, k.Role)
		box := Box{}
		if *entry != nil {
			box = **entry
		}
		if box.Part == "" {
			box.Part = r.defaultPart(path, k)
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
		r.boxes = append(r.boxes, cabling.NewBox(part, k.Name))
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

// defaultPart picks a generic part with enough ports.
func (r *resolver) defaultPart(path string, k topology.Kind) string {
	candidates := []string{"generic-node-1u", "generic-gpu-node-8u"}
	switch k.Role {
	case topology.Switch:
		candidates = []string{"generic-switch-64x400g", "generic-switch-128x400g"}
	case topology.Node:
		candidates = []string{"generic-torus-node-1u"}
	}
	for _, id := range candidates {
		if p := r.catalog.Part(id); p != nil && p.PortCount() >= k.Ports {
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
	case k.Name == "leaf" && r.spec.Topology.Rails <= 1:
		return InRack
	}
	return NetworkRow
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

func three(v []int) [3]int {
	out := [3]int{1, 1, 1}
	if len(v) == 1 {
		return [3]int{v[0], v[0], v[0]}
	}
	copy(out[:], v)
	return out
}

// place builds the tree or the room.
func (r *resolver) place() {
	room := &r.spec.Room
	if len(room.Containers) > 0 {
		r.containers()
		return
	}
	if room.Rack == "" {
		room.Rack = DefaultRack
	}
	room.ColdAisle = orDefault(room.ColdAisle, DefaultColdAisle)
	room.HotAisle = orDefault(room.HotAisle, DefaultHotAisle)
	room.Margin = orDefault(room.Margin, DefaultMargin)
	if r.rack = r.part(room.Rack, catalog.KindRack); r.rack == nil {
		return
	}
	r.fits()
	t := rackType(r.rack)
	setDefault(&room.Trays.Height, t.Height+DefaultTrayRise)
	if room.Trays.Part == "" {
		room.Trays.Part = DefaultTray
	}
	r.tray = r.part(room.Trays.Part, catalog.KindTray)
	s := &layout.RoomSpec{
		Rows: room.Rows, PerRow: room.RacksPerRow, Rack: t,
		Cold: *room.ColdAisle, Hot: *room.HotAisle, Alternate: room.Facing != "same", Margin: *room.Margin,
		Trays: layout.TraySpec{Height: room.Trays.Height, Cross: room.Trays.Cross},
	}
	for _, g := range room.Gaps {
		s.Gaps = append(s.Gaps, layout.Gap{After: g.After, Width: g.Width})
	}
	sort.SliceStable(s.Gaps, func(i, j int) bool { return s.Gaps[i].After < s.Gaps[j].After })
	for _, c := range room.Columns {
		b := orb.Bound{Min: orb.Point{float64(c.X), float64(c.Y)}, Max: orb.Point{float64(c.X + c.Width), float64(c.Y + c.Depth)}}
		s.KeepOuts = append(s.KeepOuts, layout.KeepOut{Column: true, Area: b.ToPolygon()})
	}
	for _, k := range room.KeepOuts {
		ring := make(orb.Ring, 0, len(k.Points)+1)
		for _, p := range k.Points {
			if len(p) == 2 {
				ring = append(ring, orb.Point{float64(p[0]), float64(p[1])})
			}
		}
		if len(ring) < 3 {
			continue // check has said so
		}
		if ring[0] != ring[len(ring)-1] {
			ring = append(ring, ring[0])
		}
		s.KeepOuts = append(s.KeepOuts, layout.KeepOut{Name: k.Name, Area: orb.Polygon{ring}})
	}
	r.room = s
}

// fits refuses boxes and chassis that are larger than the rack.
func (r *resolver) fits() {
	t := rackType(r.rack)
	for i, k := range r.graph.Kinds() {
		if b := r.boxes[i]; b != nil && r.packs[i].Chassis == "" && (b.Part.Width > t.Width || b.Part.Depth > t.Depth) {
			_, path := r.spec.Packaging.box(k.Name, k.Role)
			r.fault(path+".part", "%s is %v wide and %v deep, a %s only %v and %v", b.Part.ID, b.Part.Width, b.Part.Depth, r.rack.ID, t.Width, t.Depth)
		}
	}
	for _, c := range r.chassis {
		inside := [3]units.Length{t.Width, t.Depth, units.Length(c.Units) * units.RackUnit}
		for a, axis := range [3]string{"width", "depth", "height"} {
			if need := units.Length(c.Slots[a]-1) * c.Pitch[a]; need > inside[a] {
				r.fault(sub("packaging.chassis", c.Name)+".pitch", "%d slots %v apart take more than the %v of its %s", c.Slots[a], c.Pitch[a], inside[a], axis)
			}
		}
	}
}

func setDefault[T ~float64 | ~int](field *T, value T) {
	if *field == 0 {
		*field = value
	}
}

// orDefault points to a value that was given, even as zero, or to the default.
func orDefault[T any](given *T, value T) *T {
	if given != nil {
		return given
	}
	return &value
}

func (r *resolver) containers() {
	var levels []layout.TreeLevel
	for i := range r.spec.Room.Containers {
		c := &r.spec.Room.Containers[i]
		l := layout.TreeLevel{Name: c.Name, Count: three(c.Count), Gap: float64(c.Gap), Traces: c.Links == "trace"}
		for a := range 3 {
			switch {
			case len(c.Pitch) == 1:
				l.Pitch[a] = float64(c.Pitch[0])
			case a < len(c.Pitch):
				l.Pitch[a] = float64(c.Pitch[a])
			}
		}
		levels = append(levels, l)
	}
	t, err := layout.NewTree(levels)
	if err != nil {
		r.fault("room.containers", "%v", err)
		return
	}
	r.tree = t
}

// defaults fills in what is left out of the sections about cables, delays and
// placing.
func (r *resolver) defaults() {
	if r.spec.Name == "" {
		r.spec.Name = "Unnamed machine"
	}
	c := &r.spec.Cabling
	if c.Route == "" {
		c.Route = Tray
		if r.tree != nil {
			c.Route = Manhattan
		}
	}
	if c.Route != Tray {
		r.tray = nil
	}
	fixed, inRack := DefaultSlack, DefaultRackSlack
	if r.tree != nil {
		fixed, inRack = 0, 0
	}
	if c.Slack.Fixed == nil {
		c.Slack.Fixed = &fixed
	} else {
		inRack = *c.Slack.Fixed
	}
	if c.Slack.InRack == nil {
		c.Slack.InRack = &inRack
	}
	e := &r.spec.Embedding
	if e.Strategy == "" {
		e.Strategy = Auto
	}
	if e.Effort == "" {
		e.Effort = "none"
	}
	d := &r.spec.Delay
	setDefault(&d.ExactLimit, DefaultExactLimit)
	setDefault(&d.Samples, DefaultSamples)
	if d.Length == "" {
		d.Length = Routed
	}
}

// passes is the number of rounds of exchanging racks for an effort.
var passes = map[string]int{"none": 0, "quick": 1, "normal": 8, "thorough": 64}

func (r *resolved) embedding() *embed.Problem {
	e := &r.spec.Embedding
	p := &embed.Problem{
		Graph: r.graph, Chassis: r.chassis, Tree: r.tree, Room: r.room,
		Strategy: embed.Strategy(e.Strategy), Seed: e.Seed, Fold: e.Fold == nil || *e.Fold,
		Blocks: map[string][]int{}, Passes: passes[e.Effort],
	}
	for name, b := range e.Blocks {
		p.Blocks[name] = b
	}
	class := map[string]embed.Class{InRack: embed.InRack, EndOfRow: embed.EndOfRow, NetworkRow: embed.NetworkRow}
	for i, k := range r.graph.Kinds() {
		box, pack := r.boxes[i], r.packs[i]
		kind := embed.Kind{
			Box: box.Box, Power: box.Part.Power, Weight: box.Part.Weight,
			Class: class[pack.Place], Units: pack.Units, PerRack: pack.PerRack, Chassis: -1,
		}
		if a := r.adapters[i]; a != nil {
			n := (k.Ports + max(a.PortCount(), 1) - 1) / max(a.PortCount(), 1)
			kind.Power += units.Power(float64(n) * float64(a.Power))
		}
		for c := range r.chassis {
			if r.chassis[c].Name == pack.Chassis {
				kind.Chassis = c
			}
		}
		p.Kinds = append(p.Kinds, kind)
	}
	return p
}

func (r *resolved) cabling(pl *embed.Placement, summary bool) *cabling.Problem {
	c := &r.spec.Cabling
	p := &cabling.Problem{
		Graph: r.graph, Boxes: r.boxes, Placement: pl, Catalog: r.catalog,
		Quote: cost.Quote(r.prices, r.spec.Prices.Unit), Mode: cabling.Mode(c.Route),
		Slack:   cabling.Slack{Fixed: *c.Slack.Fixed, InRack: *c.Slack.InRack, Percent: c.Slack.Percent},
		Summary: summary,
	}
	for _, m := range c.Media {
		rule := cabling.MediaRule{Levels: m.Levels, Within: m.Within, Beyond: m.Beyond, Longest: m.Longest}
		for _, u := range m.Use {
			if alias, ok := catalog.MediumAliases[u]; ok {
				rule.Media = append(rule.Media, alias...)
			} else if slices.Contains(catalog.Media, catalog.Medium(u)) {
				rule.Media = append(rule.Media, catalog.Medium(u))
			} else {
				rule.Parts = append(rule.Parts, u)
			}
		}
		p.Media = append(p.Media, rule)
	}
	return p
}

func (r *resolved) bill(pl *embed.Placement, s *cabling.Schedule) *cost.Input {
	in := &cost.Input{
		Schedule: s, Catalog: r.catalog, Prices: r.prices, Own: r.spec.Prices.Unit,
		Spares: map[catalog.Kind]float64{}, Adapters: r.adapters,
		Rack: r.rack, Racks: len(pl.Racks), Tray: r.tray,
	}
	for kind, percent := range r.spec.Prices.Spares {
		in.Spares[catalog.Kind(kind)] = percent
	}
	if r.tray != nil && pl.Layout.Room != nil {
		in.TrayRun = pl.Layout.Room.Trays.Length()
	}
	return in
}
