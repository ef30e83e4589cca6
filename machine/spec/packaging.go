package spec

import (
	"maps"
	"slices"
	"strconv"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/lazyregexp"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Packaging names the box of every kind of vertex. Which kinds exist depends on
// the topology; Switch stands for every kind of switch that has no entry of its
// own. Kinds has the entries of kinds of any other name, such as those of a graph
// from a file, and goes before the others.
type Packaging struct {
	Node    *Box               `yaml:"node,omitempty" json:"node,omitempty"`
	Switch  *Box               `yaml:"switch,omitempty" json:"switch,omitempty"`
	Leaf    *Box               `yaml:"leaf,omitempty" json:"leaf,omitempty"`
	Spine   *Box               `yaml:"spine,omitempty" json:"spine,omitempty"`
	Core    *Box               `yaml:"core,omitempty" json:"core,omitempty"`
	Kinds   map[string]*Box    `yaml:"kinds,omitempty" json:"kinds,omitempty"`
	Chassis map[string]Chassis `yaml:"chassis,omitempty" json:"chassis,omitempty"`
}

// Places where boxes of a kind may stand.
const (
	InRack      = "in-rack"       // in the racks of the nodes they serve
	EndOfRow    = "end-of-row"    // in racks at the ends of the rows
	MiddleOfRow = "middle-of-row" // in racks in the middle of the rows
	NetworkRow  = "network-row"   // in racks of their own in the middle of the room
)

// Box realises one vertex.
type Box struct {
	Part     string   `yaml:"part,omitempty" json:"part,omitempty"`
	Place    string   `yaml:"place,omitempty" json:"place,omitempty"`
	Racks    string   `yaml:"racks,omitempty" json:"racks,omitempty"`
	Units    []int    `yaml:"units,omitempty" json:"units,omitempty" jsonschema:"minimum=1"`
	PerRack  int      `yaml:"per_rack,omitempty" json:"per_rack,omitempty" jsonschema:"minimum=1"`
	Chassis  string   `yaml:"chassis,omitempty" json:"chassis,omitempty"`
	Breakout Breakout `yaml:"breakout,omitempty" json:"breakout,omitempty" jsonschema:"minimum=1"`
	Ports    []Ports  `yaml:"ports,omitempty" json:"ports,omitempty"`
	Adapter  string   `yaml:"adapter,omitempty" json:"adapter,omitempty"`
}

// Ports names a port of a box, or a range of numbered ones: "swp3", "33-64".
type Ports string

// mostRange is the most ports of a range.
const mostRange = 1 << 16

// portRange is a range of ports, with a step if there is one: "33-64", "swp33-64", "swp33-swp64", "1-63:2".
var portRange = lazyregexp.New(`^([A-Za-z_]*)([0-9]+)-([A-Za-z_]*)([0-9]+)(?::([0-9]+))?$`)

// List is the names of the ports: one, or those of a range of numbers with what stands before them. It is nil for a
// range that falls or is too long, and for a step of 0.
func (p Ports) List() []string {
	m := portRange.FindStringSubmatch(string(p))
	if m == nil {
		return []string{string(p)}
	}
	a, errA := strconv.Atoi(m[2])
	z, errZ := strconv.Atoi(m[4])
	if m[3] != "" && m[3] != m[1] {
		return []string{string(p)}
	}
	step := 1
	if m[5] != "" {
		step, _ = strconv.Atoi(m[5]) // 0 beyond all numbers
	}
	if errA != nil || errZ != nil || z < a || z-a >= mostRange || step < 1 {
		return nil
	}
	var out []string
	for n := a; n <= z; n += step {
		out = append(out, m[1]+strconv.Itoa(n))
	}
	return out
}

// NoPart is the part of a level of packaging for which nothing is bought.
const NoPart = "none"

// Chassis is an enclosure in a rack that holds boxes in a grid.
type Chassis struct {
	Units   int            `yaml:"units" json:"units" jsonschema:"minimum=1"`
	Slots   []int          `yaml:"slots" json:"slots" jsonschema:"minimum=1"`
	Pitch   []units.Length `yaml:"pitch,omitempty" json:"pitch,omitempty"`
	PerRack int            `yaml:"per_rack,omitempty" json:"per_rack,omitempty" jsonschema:"minimum=1"`
	Links   string         `yaml:"links,omitempty" json:"links,omitempty" jsonschema:"enum=trace,enum=cable"`
	Part    string         `yaml:"part,omitempty" json:"part,omitempty"`
}

// Entry returns where the packaging entry of a kind is, and its path in the file; what it points to is nil without an
// entry. Any kind that has no entry of its own and is not called node has that of Switch, for every role. To change the
// entry of one of Kinds, use SetKind: the pointer is to a copy.
func (p *Packaging) Entry(kind string, role topology.Role) (**Box, string) {
	if b := p.Kinds[kind]; b != nil {
		return &b, diag.Key("packaging.kinds", kind)
	}
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

// SetKind replaces an entry of Kinds, which must not be nil, in a copy of the map.
func (p *Packaging) SetKind(kind string, b *Box) {
	p.Kinds = maps.Clone(p.Kinds)
	p.Kinds[kind] = b
}

// box is the entry of packaging for one kind of vertex.
type box struct {
	kind string
	*Box
	any bool // one of Packaging.Kinds
}

// path is where the entry stands in the file.
func (b box) path() string {
	if b.any {
		return diag.Key("packaging.kinds", b.kind)
	}
	return "packaging." + b.kind
}

// boxes lists the entries of packaging that are given.
func (p *Packaging) boxes() []box {
	all := []box{
		{"node", p.Node, false},
		{"switch", p.Switch, false},
		{"leaf", p.Leaf, false},
		{"spine", p.Spine, false},
		{"core", p.Core, false},
	}
	for _, kind := range slices.Sorted(maps.Keys(p.Kinds)) {
		all = append(all, box{kind, p.Kinds[kind], true})
	}
	return slices.DeleteFunc(all, func(b box) bool { return b.Box == nil })
}
