package spec

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Boxes is a kind of box of a machine of several fabrics.
type Boxes struct {
	Name     string   `yaml:"name" json:"name" letters:"64"`
	Count    int      `yaml:"count,omitempty" json:"count,omitempty" jsonschema:"minimum=1" most:"16777216"`
	Role     string   `yaml:"role,omitempty" json:"role,omitempty" jsonschema:"enum=node,enum=service"`
	Part     string   `yaml:"part" json:"part"`
	Place    string   `yaml:"place,omitempty" json:"place,omitempty"`
	Racks    string   `yaml:"racks,omitempty" json:"racks,omitempty"`
	Units    []int    `yaml:"units,omitempty" json:"units,omitempty" jsonschema:"minimum=1"`
	PerRack  int      `yaml:"per_rack,omitempty" json:"per_rack,omitempty" jsonschema:"minimum=1"`
	Chassis  string   `yaml:"chassis,omitempty" json:"chassis,omitempty"`
	Breakout Breakout `yaml:"breakout,omitempty" json:"breakout,omitempty" jsonschema:"minimum=1"`
	Adapter  string   `yaml:"adapter,omitempty" json:"adapter,omitempty"`
	// Beyond is how far cables go on from where the box stands, out of the room.
	Beyond units.Length `yaml:"beyond,omitempty" json:"beyond,omitempty"`
}

// Service is the role of boxes that are not nodes: they serve the nodes.
const Service = "service"

// Box returns the entry as Packaging has one, without Name, Count, Role and Beyond.
func (b *Boxes) Box() Box {
	return Box{
		Part: b.Part, Place: b.Place, Racks: b.Racks, Units: b.Units, PerRack: b.PerRack, Chassis: b.Chassis,
		Breakout: b.Breakout, Adapter: b.Adapter,
	}
}

// ByPlace is the order of ends by where their boxes stand.
const ByPlace = "place"

// Fabric is one network of a machine of several.
type Fabric struct {
	Name     string         `yaml:"name" json:"name" letters:"64"`
	Topology topology.Spec  `yaml:"topology" json:"topology"`
	Ends     []End          `yaml:"ends" json:"ends"`
	Order    string         `yaml:"order,omitempty" json:"order,omitempty" jsonschema:"enum=list,enum=place"`
	Switches map[string]Box `yaml:"switches,omitempty" json:"switches,omitempty"`
	Uplinks  []Uplink       `yaml:"uplinks,omitempty" json:"uplinks,omitempty"`
	Media    []MediaRule    `yaml:"media,omitempty" json:"media,omitempty"`
	// Delay is of this fabric alone, and goes before that of the machine key by key; so do Spares, in per cent by kind
	// of part, before those of Prices.
	Delay  Delay              `yaml:"delay,omitempty" json:"delay,omitzero"`
	Spares map[string]float64 `yaml:"spares,omitempty" json:"spares,omitempty"`
}

// Fabric finds a fabric by its name. Without a name it is the topology of a machine that has one. The error, of the
// field Fabric, names the fabrics that there are.
func (s *Spec) Fabric(name string) (*Fabric, error) {
	for i := range s.Fabrics {
		if s.Fabrics[i].Name == name {
			return &s.Fabrics[i], nil
		}
	}
	names := s.FabricNames()
	switch {
	case len(names) == 0 && name == "":
		return &Fabric{Topology: s.Topology}, nil
	case len(names) == 0:
		return nil, diag.Fieldf("Fabric", "there is no fabric %q: %s has one topology", name,
			cmp.Or(s.Name, "the machine"))
	case name == "":
		return nil, diag.Fieldf("Fabric", "missing: %s has several fabrics\nname one of them: %s",
			cmp.Or(s.Name, "the machine"), strings.Join(names, ", "))
	}
	return nil, diag.Fieldf("Fabric", "there is no fabric %q\n%s", name, diag.Suggest(name, names, "they are "))
}

// FabricNames are the names of the fabrics, in order; none where there is one topology.
func (s *Spec) FabricNames() []string {
	var names []string
	for i := range s.Fabrics {
		names = append(names, s.Fabrics[i].Name)
	}
	return names
}

// Entry is the box of a kind of switches, and the key that gives it; "" where there is none.
func (f *Fabric) Entry(kind string) (Box, string) {
	for _, key := range []string{kind, "switch"} {
		if b, ok := f.Switches[key]; ok {
			return b, key
		}
	}
	return Box{}, ""
}

// End is a group of ports of boxes that a fabric is plugged into: Count boxes from the First on, which counts from 1. A
// First of 0 is the first box, a Count of 0 all the rest.
type End struct {
	Boxes string  `yaml:"boxes" json:"boxes"`
	Ports []Ports `yaml:"ports,omitempty" json:"ports,omitempty"`
	First int     `yaml:"first,omitempty" json:"first,omitempty" jsonschema:"minimum=1"`
	Count int     `yaml:"count,omitempty" json:"count,omitempty" jsonschema:"minimum=1"`
	// At is the number of the topology's node, from 1, whose place the first box takes.
	At int `yaml:"at,omitempty" json:"at,omitempty" jsonschema:"minimum=1" most:"16777216"`
}

// Uplink is links from the switches of a fabric to those of another.
type Uplink struct {
	From    string  `yaml:"from,omitempty" json:"from,omitempty"`
	To      string  `yaml:"to" json:"to"`
	Each    int     `yaml:"each,omitempty" json:"each,omitempty" jsonschema:"minimum=1" most:"65535"`
	Ports   []Ports `yaml:"ports,omitempty" json:"ports,omitempty"`
	ToPorts []Ports `yaml:"to_ports,omitempty" json:"to_ports,omitempty"`
}

// KindName is the name of a kind of switches of a fabric among the boxes of the machine: "compute-leaf".
func KindName(fabric, kind string) string { return fabric + "-" + kind }

// checkFabrics finds what shows without parts and topologies.
func (s *Spec) checkFabrics(report Reporter) {
	if len(s.Fabrics) == 0 && s.Unread("fabrics") {
		return
	}
	if len(s.Fabrics) == 0 {
		if s.Topology.Params == nil {
			report("topology", "missing")
		}
		if len(s.Boxes) > 0 {
			report("boxes", "are those of fabrics, of which there are none\nname the box of every kind of vertex "+
				"in packaging, or list fabrics")
		}
		return
	}
	if s.Topology.Params != nil {
		report("topology", "a machine has either one topology or fabrics\nmove it into one of the fabrics")
	}
	for _, b := range s.Packaging.boxes() {
		report(b.path(), "the boxes of fabrics are listed in boxes, and those of their switches in their fabric")
	}
	if len(s.Boxes) == 0 {
		report("boxes", "are missing\nlist the kinds of boxes that fabrics are plugged into")
	}
	if len(s.Room.Containers) > 0 {
		report("room.containers", "several fabrics are placed in racks\nremove room.containers")
	}
	s.checkWords(report)
	for i := range s.Boxes {
		at := diag.Elem("boxes", i)
		ascending(report, at+".units", s.Boxes[i].Units)
		s.checkChassis(report, at, s.Boxes[i].Chassis)
	}
	for i := range s.Fabrics {
		f := &s.Fabrics[i]
		at := diag.Elem("fabrics", i)
		for _, key := range slices.Sorted(maps.Keys(f.Switches)) {
			b := f.Switches[key]
			ascending(report, diag.Key(at+".switches", key)+".units", b.Units)
			s.checkChassis(report, diag.Key(at+".switches", key), b.Chassis)
		}
		s.checkMedia(report, at+".media", f.Media)
		f.Delay.check(report, at+".delay")
		checkSpares(report, at+".spares", f.Spares, ofFabrics)
	}
}

// checkWords finds names of boxes and fabrics that occur twice or that other names could be taken for.
func (s *Spec) checkWords(report Reporter) {
	first := map[string]string{}
	check := func(path, name string) {
		switch {
		case name == "":
			return // the reader has told
		case strings.ContainsAny(name, "/, \t\n") || strings.TrimSpace(name) != name:
			report(path, "%q has blanks, commas or slashes\nnames of boxes and fabrics are single words", name)
		case first[name] != "":
			report(path, "%s has the name %q already", first[name], name)
		}
		first[name] = cmp.Or(first[name], strings.TrimSuffix(path, ".name"))
	}
	for i := range s.Boxes {
		check(diag.Elem("boxes", i)+".name", s.Boxes[i].Name)
	}
	clear(first)
	for i := range s.Fabrics {
		check(diag.Elem("fabrics", i)+".name", s.Fabrics[i].Name)
	}
}
