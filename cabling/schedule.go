package cabling

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// code is the short form of a kind of vertex in device names.
func code(kind string) string {
	switch kind {
	case "node":
		return "N"
	case "switch":
		return "SW"
	case "leaf":
		return "LF"
	case "spine":
		return "SP"
	case "core":
		return "CR"
	}
	return strings.ToUpper(kind) + "-"
}

// Values of Segment.Product other than an index into Schedule.Products.
const (
	NoProduct = -1 // no product can make this cable
	IsTrace   = -2 // a board, chassis or midplane trace
)

// Segment is one channel of a link as it is built. A channel over patch panels
// has three, one after the other: a cord, a position of a trunk, and a cord (see
// Continues).
type Segment struct {
	A, B         int32        // vertices, or panels (see Schedule.Panel)
	Link         int32        // of the topology, in the order of Graph.Links
	Cable        int32        // number of the cable, from 1; several segments may share one. 0 for a trace
	PortA, PortB uint16       // ports from 0, in the order of Box.Ports
	Product      int16        // index into Schedule.Products, NoProduct or IsTrace
	Level        uint8        // of the topology
	Within       uint8        // level of the lowest container that holds both ends
	Bundle       int32        // its number in Schedule.Bundles, from 1; 0 for none
	Length       units.Length // needed, slack included
}

// Product is a cable in one stocked length, with the optics at its ends.
type Product struct {
	Part   *catalog.Part
	Length units.Length // stocked
	// OpticA and OpticB are the transceivers at the ends of passive fibre, nil
	// for cables with plugs of their own and at panels.
	OpticA, OpticB *catalog.Part
	// NearB tells that the near plug of a cable whose ends differ is at B.
	NearB bool
	// Stock tells that the cable is taken from the store; its optics may have to be bought.
	Stock bool
}

// Item is the cable as one orders it, without its optics.
func (p *Product) Item() catalog.Item { return p.Part.Item(p.Length) }

// Links is the number of links that the cable may carry: more than one for
// twin-port cables, splitters and trunks.
func (p *Product) Links() int { return max(p.Part.Cable.Links, p.Part.Cable.Legs, 1) }

// PerPlug is the number of links that each jacket of the cable may carry at its
// far end: 2 in a twin-port cable, 1 in a splitter of two links into two plugs.
func (p *Product) PerPlug() int { return p.Links() / p.Part.Cable.FarPlugs() }

// Tally counts what one pair of levels (topology, layout) is made of.
type Tally struct {
	Links   int64        // channels
	Cables  int64        // that are no traces, with or without a product
	Metres  units.Length // of all channels
	Longest units.Length
	// CableMetres and LongestCable leave traces out.
	CableMetres, LongestCable units.Length
	Product                   []int64                 // cables by product; may be shorter than Schedule.Products
	Optics                    map[*catalog.Part]int64 // optics that links of this class are the first to use

	optics []int64 // the same by the worker's number of the part, while links are being scheduled
}

// Schedule is every segment of a machine, or only their tallies.
type Schedule struct {
	Graph     topology.Graph
	Kinds     []topology.Kind
	Boxes     []*Box // of each kind
	Placement *embed.Placement
	Products  []Product
	// Segments is nil for a summary.
	Segments []Segment
	// Tallies by [topology level][layout level].
	Tallies [][]Tally
	Cables  int64 // cables, with or without a product
	Wired   int64 // segments that are no traces
	// Patching is nil where no link runs over patch panels.
	Patching *Patching
	// Consolidated is nil where products were not consolidated.
	Consolidated *Consolidated
	// Lacks are the cables that are bought although there is a store, by level and product; none without a store.
	Lacks      []Lack
	Violations Violations
	// RackPower is what the optics and cable ends in each rack draw, by rack
	// position; nil for nested containers.
	RackPower []units.Power
	// Drawn is the same by vertex; nil unless Problem.Drawn asks for it.
	Drawn []units.Power
	// PortsUsed is the number of ports that carry a segment, on switches and on
	// nodes.
	PortsUsed struct{ Switch, Node int64 }
	// Bundles are the cables between racks, tied together; in a summary too. None
	// in nested containers.
	Bundles []Bundle
	// Ways are those of the bundles along the trays, and Trays is what lies on
	// them; nil where cables do not run on trays.
	Ways  []Way
	Trays *Trays

	detours [][]layout.TrayLeg
	router  router
	digits  int
}

// NamedDevices is a graph whose source names the vertices, so that boxes are called by
// these names and not by codes and numbers.
type NamedDevices interface {
	topology.Graph
	// DeviceName is the name of the box of a vertex, "" where it has none of its own.
	DeviceName(v int) string
}

// Device returns the name of the box of a vertex: that of a graph with NamedDevices,
// else kind code and number from 1. Panels are "PP01", "PP02", ...
func (s *Schedule) Device(v int32) string {
	return string(s.AppendDevice(nil, v))
}

// AppendDevice appends the device name of v.
func (s *Schedule) AppendDevice(b []byte, v int32) []byte {
	if panel := s.Panel(v); panel >= 0 {
		return s.Patching.appendPanel(b, panel)
	}
	if g, ok := s.Graph.(NamedDevices); ok {
		if name := g.DeviceName(int(v)); name != "" {
			return append(b, name...)
		}
	}
	k := topology.KindOf(s.Kinds, int(v))
	kind := &s.Kinds[k]
	b = append(b, s.Boxes[k].Code...)
	n := int64(int(v) - kind.First + 1)
	for limit := int64(10); limit <= int64(kind.Count); limit *= 10 {
		if n < limit {
			b = append(b, '0')
		}
	}
	return strconv.AppendInt(b, n, 10)
}

// PortName returns the name printed at port p of the box of v.
func (s *Schedule) PortName(v int32, p uint16) string {
	if s.Panel(v) >= 0 {
		return s.Patching.portName(p)
	}
	box := s.Boxes[topology.KindOf(s.Kinds, int(v))]
	if int(p) < len(box.Ports) {
		return box.Ports[p].Name
	}
	return strconv.Itoa(int(p) + 1)
}

// AppendLabel appends the label of one end, in the form of TIA-606: rack,
// rack unit, device and port, "A03/U12/SW01-24".
func (s *Schedule) AppendLabel(b []byte, v int32, p uint16) []byte {
	b = append(b, s.Placement.Layout.Path(s.Placement.Slot[v])...)
	b = append(b, '/')
	b = s.AppendDevice(b, v)
	b = append(b, '-')
	return append(b, s.PortName(v, p)...)
}

// Label returns the label of one end.
func (s *Schedule) Label(v int32, p uint16) string { return string(s.AppendLabel(nil, v, p)) }

// CableID returns the short id of the cable of the given number: "C00042". Cables
// are counted from 1 in the order of their first segments.
func (s *Schedule) CableID(number int64) string {
	return string(s.AppendCableID(nil, number))
}

// AppendCableID appends the id of a cable.
func (s *Schedule) AppendCableID(b []byte, number int64) []byte {
	return fmt.Appendf(b, "C%0*d", s.digits, number)
}

// Each calls visit for every segment that is no trace, with the number of its
// cable, in order, until it returns false. A cable that carries several links
// comes up for each of them.
func (s *Schedule) Each(visit func(number int64, seg *Segment) bool) {
	for i := range s.Segments {
		if seg := &s.Segments[i]; seg.Product != IsTrace && !visit(int64(seg.Cable), seg) {
			return
		}
	}
}

// Legs counts the links of each cable as they come up.
type Legs struct{ count []uint8 }

// Legs prepares to count. It takes memory only where some cable carries several
// links.
func (s *Schedule) Legs() *Legs {
	if s.Wired == s.Cables {
		return &Legs{}
	}
	return &Legs{make([]uint8, s.Cables+1)}
}

// Next returns which link of its cable a segment is, from 1; segments come in the
// order of Each.
func (l *Legs) Next(seg *Segment) int {
	if l.count == nil {
		return 1
	}
	l.count[seg.Cable]++
	return int(l.count[seg.Cable])
}

// Jacket tells whether a segment, the leg of its cable of that number (see Legs),
// has a jacket of its own or is the first in one that it shares.
func (s *Schedule) Jacket(seg *Segment, leg int) bool {
	return leg == 1 || seg.Product < 0 || (leg-1)%s.Products[seg.Product].PerPlug() == 0
}

// Pieces returns the named pieces that a cable's length is the sum of.
func (s *Schedule) Pieces(seg *Segment) []Piece {
	a, b := s.end(seg.A, seg.PortA), s.end(seg.B, seg.PortB)
	if seg.Product == IsTrace {
		return []Piece{{"trace", s.router.trace(a, b)}}
	}
	var trays []Piece
	if way, back := s.WayOf(seg); way >= 0 {
		legs := s.WayLegs(way)
		if back {
			legs = layout.Reversed(legs)
		}
		trays = []Piece{}
		for _, t := range s.Trays.Network.Describe(legs) {
			trays = append(trays, Piece{"tray " + s.Trays.TrayName(int(s.Ways[way].Level), t.Name), t.Length})
		}
	}
	return s.router.pieces(a, b, int(seg.Within), s.Parts(seg), trays)
}

// Parts returns what a cable's length is made of.
func (s *Schedule) Parts(seg *Segment) Parts {
	a, b := s.end(seg.A, seg.PortA), s.end(seg.B, seg.PortB)
	if way, _ := s.WayOf(seg); way >= 0 {
		return s.router.trayParts(a, b, int32(s.Ways[way].Level), s.Ways[way].Run)
	}
	return s.router.parts(a, b, int(seg.Within))
}

func (s *Schedule) end(v int32, p uint16) end {
	if s.Panel(v) >= 0 {
		return end{slot: s.Placement.Slot[v], port: s.Patching.at(p)}
	}
	box := s.Boxes[topology.KindOf(s.Kinds, int(v))]
	return end{s.Placement.Slot[v], box.Box.Port(int(p)), box.Beyond}
}

// Medium returns what carries a segment; empty where no product fits.
func (s *Schedule) Medium(seg *Segment) catalog.Medium {
	switch seg.Product {
	case IsTrace:
		return catalog.Trace
	case NoProduct:
		return ""
	}
	return s.Products[seg.Product].Part.Cable.Medium
}
