package cabling

import (
	"slices"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

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
	Product      int16        // index into Schedule.Products, NoProduct or IsTrace; see Schedule.Product
	Level        uint8        // of the topology
	Within       uint8        // level of the lowest container that holds both ends
	Bundle       int32        // its number in Schedule.Bundles, from 1; 0 for none
	Length       units.Length // needed, slack included
}

// Product is a cable in one stocked length, with the optics at its ends.
type Product struct {
	Part   *catalog.Part
	Length units.Length // stocked
	// OpticA and OpticB are the optics at the ends of passive fibre, those inside boxes too (catalog.Part.IsBuiltIn);
	// nil for cables with plugs of their own and at panels.
	OpticA, OpticB *catalog.Part
	// NearB is true if the near plug of a cable whose ends differ is at B.
	NearB bool
	// Stock is true if the cable is taken from stock; its optics may have to be bought.
	Stock bool
}

// Transceivers returns the optics at both ends that are ordered and plugged into cages; nil for an end without: at
// panels, on cables with plugs of their own, and if the optics are inside the box.
func (p *Product) Transceivers() [2]*catalog.Part { return transceivers(p.OpticA, p.OpticB) }

func transceivers(a, b *catalog.Part) [2]*catalog.Part {
	out := [2]*catalog.Part{a, b}
	for i, o := range out {
		if o != nil && o.IsBuiltIn() {
			out[i] = nil
		}
	}
	return out
}

// Item returns the cable as it is ordered, without its optics.
func (p *Product) Item() catalog.Item { return p.Part.Item(p.Length) }

// Links returns the number of links that the cable may carry: more than one for
// twin-port cables, splitters and trunks.
func (p *Product) Links() int { return max(p.Part.Cable.Links, p.Part.Cable.Legs, 1) }

// PerPlug returns the number of links that each jacket of the cable may carry at its
// far end: 2 in a twin-port cable, 1 in a splitter of two links into two plugs.
func (p *Product) PerPlug() int { return p.Links() / p.Part.Cable.FarPlugs() }

// LinksPerJacket returns how many links of the cable share a jacket: 0 for all of them, as in a trunk, 1 in a splitter,
// whose legs have jackets of their own.
func (p *Product) LinksPerJacket() int {
	if p.Links() == 1 || p.Part.Cable.Trunk() {
		return 0
	}
	return p.PerPlug()
}

// Splits reports whether the cable has several jackets.
func (p *Product) Splits() bool {
	per := p.LinksPerJacket()
	return per > 0 && per < p.Links()
}

// Tally counts the links of one level of the topology whose ends meet at one level of the layout, and their cables.
type Tally struct {
	Links   int64        // channels
	Cables  int64        // that are not traces, with or without a product
	Metres  units.Length // of all channels, traces included
	Longest units.Length // channel
	// CableMetres and LongestCable are the same without traces.
	CableMetres, LongestCable units.Length
	Kept, KeptFibre           int64                   // cables that lie already, and their fibre terminations
	Product                   []int64                 // cables by product; may be shorter than Schedule.Products
	Optics                    map[*catalog.Part]int64 // optics that links of this class are the first to use
	// OpticShares are the optics that links of this class light; one that links of several classes light is shared by
	// them evenly, link by link.
	OpticShares map[*catalog.Part]float64
}

// Unmade counts the cables that no product makes.
func (t *Tally) Unmade() int64 {
	n := t.Cables
	for _, made := range t.Product {
		n -= made
	}
	return n
}

// Schedule is every segment of a machine, or only their tallies. Run makes it; a zero Schedule is not usable, as it
// has no topology.
type Schedule struct {
	Graph     topology.Graph
	Kinds     []topology.Kind
	Boxes     []*Box // of each kind
	Placement *embed.Placement
	Products  []Product
	Naming    Naming // with the names of all boxes
	// Segments is nil for a summary.
	Segments []Segment
	// Tallies by [topology level][layout level].
	Tallies [][]Tally
	Cables  int64 // cables, with or without a product
	Wired   int64 // segments that are not traces
	// Patching is nil where no link runs over patch panels.
	Patching *Patching
	// Consolidated is nil where products were not consolidated.
	Consolidated *Consolidated
	// Lacks are the cables that are bought although the machine has cables in stock, by level and product; none without
	// stock.
	Lacks      []Lack
	Violations Violations
	// RackPower is the power of the optics and cable ends in each rack: by rack position, or in a tree with a level of
	// racks by the number of the container; nil where no level is a rack.
	RackPower []units.Power
	// Drawn is the same by vertex; nil unless Problem.Drawn asks for it.
	Drawn []units.Power
	// PortsUsed is the number of ports that carry a segment, on switches and on
	// nodes.
	PortsUsed struct{ Switch, Node int64 }
	// Bundles are the cables between racks, tied together; in a summary too. None
	// in containers.
	Bundles []Bundle
	// Ways are those of the bundles along the trays, and Trays is what lies on
	// them; nil where cables do not run on trays.
	Ways  []Way
	Trays *Trays
	// Gaps are those between containers, with the cables in them; nil in rooms of racks.
	Gaps *Gaps

	detours [][]layout.TrayLeg
	router  router
	cords   []cordSum // the cables that stay inside each rack, by rack position; nil for containers
	// colouring is nil where no colours are stated.
	colouring *colouring

	digits  int
	fabrics []string // and levels without them, of each level of the topology, where names of cables tell
	levels  []string
	levelOf []uint8 // of each cable, likewise
}

// Each calls visit for every segment that is not a trace, in the order of Segments, with the number of its cable, until
// visit returns false. A cable that carries several links is visited once for each of them. A summary has no segments.
func (s *Schedule) Each(visit func(number int64, seg *Segment) bool) {
	for i := range s.Segments {
		if seg := &s.Segments[i]; seg.Product != IsTrace && !visit(int64(seg.Cable), seg) {
			return
		}
	}
}

// Legs numbers the links of each cable in the order of Each.
type Legs struct{ count []uint8 }

// Legs returns a counter for Next. It takes memory only if some cable carries several links.
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

// Jacket reports whether a segment, the leg of its cable of that number (see Legs),
// has a jacket of its own or is the first in one that it shares.
func (s *Schedule) Jacket(seg *Segment, leg int) bool {
	if leg == 1 || seg.Product < 0 {
		return true
	}
	per := s.Products[seg.Product].LinksPerJacket()
	return per > 0 && (leg-1)%per == 0
}

// HasSplitters reports whether some cable has several jackets, which bundles and trays count one by one.
func (s *Schedule) HasSplitters() bool {
	return slices.ContainsFunc(s.Products, func(p Product) bool { return p.Splits() })
}

// Pieces returns the named pieces that a cable's length is the sum of, in order from A to B; of a trace it is one
// piece.
func (s *Schedule) Pieces(seg *Segment) []Piece {
	a, b := s.end(seg.A, seg.PortA), s.end(seg.B, seg.PortB)
	if seg.Product == IsTrace {
		return []Piece{{"trace", s.router.trace(a, b)}}
	}
	var trays []Piece
	if way, back := s.WayOf(seg); way >= 0 {
		legs := s.WayLegs(way)
		if back {
			legs = layout.ReverseRoute(legs)
		}
		trays = []Piece{}
		for _, t := range s.Trays.Network.Describe(legs) {
			trays = append(trays, Piece{"tray " + s.Trays.TrayName(int(s.Ways[way].Level), t.Name), t.Length})
		}
	}
	return s.router.pieces(a, b, int(seg.Within), s.Parts(seg), trays)
}

// Parts returns what a cable's length is made of. It is not meant for traces, which have no slack. For a cable that is
// as long as the longest of several ways, as octopus cables are, the parts are those of the segment and add up to less.
func (s *Schedule) Parts(seg *Segment) (p Parts) {
	a, b := s.end(seg.A, seg.PortA), s.end(seg.B, seg.PortB)
	if way, _ := s.WayOf(seg); way >= 0 {
		return s.router.trayParts(a, b, int32(s.Ways[way].Level), s.Ways[way].Run)
	}
	return s.router.parts(a, b, int(seg.Within))
}

// ToMiddles returns how much of the slack of a cable with the given parts leads from its ports to the middles of the
// racks, above which the trays run. Both are 0 for a cable that is on no tray, and where the slack does not cover them.
func (s *Schedule) ToMiddles(seg *Segment, p Parts) (a, b units.Length) {
	if way, _ := s.WayOf(seg); way < 0 {
		return 0, 0
	}
	slack := (p.Slack - s.router.slack.proportional(p.route()).Round4()).Round4()
	return s.router.toMiddles(s.end(seg.A, seg.PortA), s.end(seg.B, seg.PortB), slack)
}

func (s *Schedule) end(v int32, p uint16) end {
	if panel := s.Panel(v); panel >= 0 {
		return end{slot: s.Placement.Slot[v], port: s.Patching.at(panel, p)}
	}
	box := s.Boxes[topology.KindOf(s.Kinds, int(v))]
	return end{s.Placement.Slot[v], box.Box.Port(int(p)), box.Beyond}
}

// Product returns the cable of a segment; nil where no product fits and for traces.
func (s *Schedule) Product(seg *Segment) *Product {
	if seg.Product < 0 {
		return nil
	}
	return &s.Products[seg.Product]
}

// Medium returns the medium of a segment; empty if no product fits.
func (s *Schedule) Medium(seg *Segment) catalog.Medium {
	switch seg.Product {
	case IsTrace:
		return catalog.Trace
	case NoProduct:
		return ""
	}
	return s.Products[seg.Product].Part.Cable.Medium
}
