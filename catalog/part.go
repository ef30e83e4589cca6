package catalog

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/plenum-planner/plenum/units"
)

// Kind is what a part is, and the line under which its cost is reported.
type Kind string

// The kinds of parts.
const (
	KindNode    Kind = "node"
	KindSwitch  Kind = "switch"
	KindAdapter Kind = "adapter"
	KindCable   Kind = "cable"
	KindOptic   Kind = "optic"
	KindPanel   Kind = "panel"
	// KindMidplane is a backplane or midplane: the board whose traces join the boxes that are plugged into it.
	KindMidplane Kind = "midplane"
	KindChassis  Kind = "chassis" // an enclosure with slots, with its fans and power supplies
	// KindFrame is any other structure that holds boxes or enclosures: a shelf, a card cage, a subrack.
	KindFrame  Kind = "frame"
	KindRack   Kind = "rack"
	KindTray   Kind = "tray"
	KindHose   Kind = "hose" // for coolant, from a coolant distribution unit to a rack
	KindLabour Kind = "labour"
	// KindService is the line of a bill under which parts are that only service boxes have, such as power distribution
	// units: boxes that are neither nodes nor switches. Their parts are of KindNode.
	KindService Kind = "service"
	// KindFreight and KindContingency are lines of a bill that are a share of
	// others; no part is of these kinds, nor of KindLabour.
	KindFreight     Kind = "freight"
	KindContingency Kind = "contingency"
)

// Kinds lists the kinds in the order in which bills are sorted.
var Kinds = []Kind{
	KindNode, KindService, KindSwitch, KindAdapter, KindCable, KindOptic, KindPanel, KindMidplane, KindChassis,
	KindFrame, KindRack, KindTray, KindHose, KindLabour, KindFreight, KindContingency,
}

// EnclosureKinds are the kinds of parts that hold boxes and are not racks.
var EnclosureKinds = []Kind{KindMidplane, KindChassis, KindFrame}

// Words lists the kinds that a part can be: all but KindService and the lines of a bill that are a share of others.
func (Kind) Words() []string {
	return words(slices.DeleteFunc(slices.Clone(Kinds[:slices.Index(Kinds, KindFreight)]), func(k Kind) bool {
		return k == KindService
	}))
}

// words are the valid ones of a type of text.
func words[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = string(w)
	}
	return out
}

// Confidence grades where a figure comes from.
type Confidence string

// The grades, best first.
const (
	Datasheet Confidence = "datasheet" // the maker's own page
	Paper     Confidence = "paper"     // printed in a publication
	Derived   Confidence = "derived"   // computed from other stated figures
	Estimate  Confidence = "estimate"  // our own judgement, or recalled and unverified
	User      Confidence = "user"      // from the machine file
)

// confidences are the grades.
var confidences = []Confidence{Datasheet, Paper, Derived, Estimate, User}

// Words lists the grades.
func (Confidence) Words() []string { return words(confidences) }

// Medium is what carries the signal.
type Medium string

// The media. A trace is a board, backplane or midplane conductor: it has length
// and delay and is nothing one orders.
const (
	PassiveCopper Medium = "passive-copper"
	ActiveCopper  Medium = "active-copper" // redrivers or retimers in the plugs: ACC, AEC
	ActiveOptical Medium = "active-optical"
	Multimode     Medium = "multimode"
	SingleMode    Medium = "single-mode"
	Trace         Medium = "trace"
)

// Media lists the media of cables, the cheapest usual choice first.
var Media = []Medium{PassiveCopper, ActiveCopper, ActiveOptical, Multimode, SingleMode}

// Words lists the media of cables.
func (Medium) Words() []string { return words(Media) }

// Fibre reports whether the medium is passive fibre between two optics.
func (m Medium) Fibre() bool { return m == Multimode || m == SingleMode }

// MediumAliases are the words a media policy may use for several media.
var MediumAliases = map[string][]Medium{
	"copper":  {PassiveCopper, ActiveCopper},
	"fibre":   {Multimode, SingleMode},
	"optical": {ActiveOptical, Multimode, SingleMode},
	"any":     Media,
}

// Part is one thing a catalog lists. Which of the embedded blocks apply depends
// on its kind.
type Part struct {
	ID          string     `yaml:"id" json:"id"`
	Kind        Kind       `yaml:"kind" json:"kind"`
	Description string     `yaml:"description,omitempty" json:"description,omitempty"`
	Maker       string     `yaml:"maker,omitempty" json:"maker,omitempty"`
	Source      string     `yaml:"source,omitempty" json:"source,omitempty"`
	Confidence  Confidence `yaml:"confidence,omitempty" json:"confidence,omitempty"`
	// Estimated names the figures, by their keys ("hop", "diameter"), that are
	// an Estimate, even if Confidence is higher for the part.
	Estimated []string `yaml:"estimated,omitempty" json:"estimated,omitempty"`

	// Units is the height of a box in rack units; the usable units of a rack.
	Units int `yaml:"units,omitempty" json:"units,omitempty" most:"1000"`
	// ZeroU says that a node stands upright beside the units of a rack and takes none of them, as vertical power
	// distribution units do.
	ZeroU bool `yaml:"zero_u,omitempty" json:"zero_u,omitempty"`
	// Width, Depth and Height are outside dimensions; a box's height follows
	// from Units when left out.
	Width  units.Length `yaml:"width,omitempty" json:"width,omitempty" most:"100"`
	Depth  units.Length `yaml:"depth,omitempty" json:"depth,omitempty" most:"100"`
	Height units.Length `yaml:"height,omitempty" json:"height,omitempty" most:"100"`
	// Power is the draw of a box without its pluggable optics; of a cable, the draw per end; of an optic, the draw of
	// the whole module however many links it holds. It is planned where a machine file asks for no basis.
	Power units.Power `yaml:"power,omitempty" json:"power,omitempty"`
	// Powers are the figures of the same draw by what they hold for; Power equals one of them. Where they are left out,
	// the basis of Power is not known.
	Powers Powers `yaml:"powers,omitempty" json:"powers,omitzero"`
	// Liquid is the share of the heat of a node, switch or adapter that goes to liquid; the rest goes to air. Not known
	// when left out.
	Liquid *units.Percent `yaml:"liquid,omitempty" json:"liquid,omitempty"`
	// Weight is of the empty part; of a cable, per metre.
	Weight units.Mass `yaml:"weight,omitempty" json:"weight,omitempty"`

	// Failures and Flaps are how often an end of a link fails and loses its link a year: a transceiver, or one plug of
	// a cable with ends of its own. The rates of its kind count where both are left out: see EndOf.
	Failures *float64 `yaml:"failures,omitempty" json:"failures,omitempty"`
	Flaps    *float64 `yaml:"flaps,omitempty" json:"flaps,omitempty"`

	// PartNumber is the maker's, Supplier who sells the part, and Lead how long he takes to deliver it.
	PartNumber string     `yaml:"part_number,omitempty" json:"part_number,omitempty"`
	Supplier   string     `yaml:"supplier,omitempty" json:"supplier,omitempty"`
	Lead       units.Days `yaml:"lead_time,omitempty" json:"lead_time,omitempty"`
	// Pack is the number of pieces in a pack, of what is sold in whole packs only; sold by the piece when left out.
	Pack int `yaml:"pack,omitempty" json:"pack,omitempty" most:"100000"`

	// Ports are the network ports of a node, switch or adapter, in the order in
	// which links are plugged.
	Ports []PortGroup `yaml:"ports,omitempty" json:"ports,omitempty"`
	// Hop is the delay from a switch's (or routing node's) input to its output.
	Hop units.Time `yaml:"hop,omitempty" json:"hop,omitempty"`
	// Inlets are the power inlets of a box that take a cord each, by the type of IEC 60320: {c20: 6}. An inlet of type
	// busbar is a clip onto the busbar of the rack and takes no cord.
	Inlets map[string]int `yaml:"inlets,omitempty" json:"inlets,omitempty" jsonschema:"minimum=1" most:"100"`
	// Lasers is the number of laser modules of a switch with optics inside that are replaced by themselves: external
	// light sources. It is not known when left out.
	Lasers int `yaml:"lasers,omitempty" json:"lasers,omitempty" most:"1000"`
	// Redundancy says how many inlets the box can lose and keep running: N none, N+1 (N+2, ...) one (two, ...), 2N half
	// of them. It is not known when left out of a box with several.
	Redundancy Redundancy `yaml:"redundancy,omitempty" json:"redundancy,omitempty"`
	// Supply says that other boxes of the rack draw power from the box, and how much it can give.
	Supply *Supply `yaml:"supply,omitempty" json:"supply,omitempty"`
	// Cooling says that a node is a coolant distribution unit, and how much heat it takes from the liquid of racks.
	Cooling *Cooling `yaml:"cooling,omitempty" json:"cooling,omitempty"`
	// Adapter is the adapter part that gives a node its ports, bought
	// separately; empty where the node comes with them. The node lists the ports
	// all the same and takes as many adapters as it needs to have them.
	Adapter string `yaml:"adapter,omitempty" json:"adapter,omitempty"`

	Cable *Cable    `yaml:"cable,omitempty" json:"cable,omitempty"`
	Optic *Optic    `yaml:"optic,omitempty" json:"optic,omitempty"`
	Panel *Panel    `yaml:"panel,omitempty" json:"panel,omitempty"`
	Rack  *RackSpec `yaml:"rack,omitempty" json:"rack,omitempty"`
	Hose  *Hose     `yaml:"hose,omitempty" json:"hose,omitempty"`
	// Section is the length of tray sold as one piece.
	Section units.Length `yaml:"section,omitempty" json:"section,omitempty"`
}

// PortCount is the number of ports over all groups but those that are used only by name.
func (p *Part) PortCount() int {
	n := 0
	for i := range p.Ports {
		if !p.OnlyByName(&p.Ports[i]) {
			n += p.Ports[i].Count
		}
	}
	return n
}

// OnlyByName reports whether links are plugged into a group of ports of the part only where a machine file names the
// group or its ports: it is marked so, and is not the part's only group.
func (p *Part) OnlyByName(g *PortGroup) bool { return g.ByName && len(p.Ports) > 1 }

// Face is the side of a box at which its ports are.
type Face string

// The faces. Front is the side at the cold aisle.
const (
	Front Face = "front"
	Rear  Face = "rear"
)

// Words lists the faces.
func (Face) Words() []string { return []string{string(Front), string(Rear)} }

// PortGroup is a run of equal ports. Ports are numbered from First upwards,
// left to right seen from the face, in Rows rows, the top row first.
type PortGroup struct {
	Name  string `yaml:"name,omitempty" json:"name,omitempty"`
	Count int    `yaml:"count" json:"count"`
	// number printed at the first port; 1 when left out
	First int `yaml:"first,omitempty" json:"first,omitempty"`
	// cage or socket: "osfp", "qsfp", "qsfp112", "sfp+", ...
	Connector string     `yaml:"connector" json:"connector"`
	Rate      units.Rate `yaml:"rate" json:"rate"` // of one port
	// ByName says that the ports are for another network than the others, such as that of management: links are
	// plugged into them only where a machine file names the group. It has no effect on the only group of a part.
	ByName bool `yaml:"by_name,omitempty" json:"by_name,omitempty"`
	// PerCage is the number of ports that share a cage: 2 for a twin-port OSFP
	// cage. 1 when left out.
	PerCage int `yaml:"per_cage,omitempty" json:"per_cage,omitempty"`
	// Optic says that the ports have their optics inside the box, as co-packaged ones: fibre plugs into them without a
	// transceiver, Connector is the fibre's, and PerCage ports share one. Their power is in that of the box.
	Optic *PortOptic `yaml:"optic,omitempty" json:"optic,omitempty"`
	Face  Face       `yaml:"face,omitempty" json:"face,omitempty"` // rear when left out
	Rows  int        `yaml:"rows,omitempty" json:"rows,omitempty"` // of cages; 2 when left out and Count > 12, else 1
	// Label is the name printed at a port, as a pattern: see PortName. The bare number when left out.
	Label string `yaml:"label,omitempty" json:"label,omitempty"`
	// Split is the name of a part of a port that is broken out: see SplitIdentity. The name of the port, a slash and
	// the lane when left out.
	Split string `yaml:"split,omitempty" json:"split,omitempty"`
	// Names are the names of the ports, one each, in place of Label.
	Names []string `yaml:"names,omitempty" json:"names,omitempty"`
	// Interface, Device and PCI are the names of the ports in the operating system ("swp#"), their RDMA devices and
	// their addresses on the PCI bus: one pattern, or a name for each port, where "" stands for an unknown one.
	Interface []string `yaml:"interface,omitempty" json:"interface,omitempty"`
	Device    []string `yaml:"device,omitempty" json:"device,omitempty"`
	PCI       []string `yaml:"pci,omitempty" json:"pci,omitempty"`
	// Aliases are further names of the ports, such as those of other operating systems. Each is one pattern, or a list
	// with a name for each port.
	Aliases [][]string `yaml:"aliases,omitempty" json:"aliases,omitempty"`
	// InterfaceSplit and AliasesSplit are Interface and Aliases of the parts of a port that is broken out. These are
	// patterns: see SplitIdentity.
	InterfaceSplit string   `yaml:"interface_split,omitempty" json:"interface_split,omitempty"`
	AliasesSplit   []string `yaml:"aliases_split,omitempty" json:"aliases_split,omitempty"`
	// At is where each port is on its face: [across, up] from the lower left
	// corner as seen from the face. Ports are spread evenly in Rows when left out.
	At [][]units.Length `yaml:"at,omitempty" json:"at,omitempty"`
}

// PortOptic is the optics of a port that takes fibre itself.
type PortOptic struct {
	Kind     EndKind      `yaml:"kind,omitempty" json:"kind,omitempty"` // cpo when left out
	Standard string       `yaml:"standard" json:"standard"`             // both ends of a link must agree: "dr4"
	Fibre    Medium       `yaml:"fibre" json:"fibre"`                   // multimode or single-mode
	Reach    units.Length `yaml:"reach" json:"reach"`                   // longest fibre
	End      units.Time   `yaml:"end,omitempty" json:"end"`             // delay added at this end
	Loss     units.Loss   `yaml:"loss,omitempty" json:"loss,omitempty"`
}

// builtIn is what the optics inside a box are like.
type builtIn struct {
	optic     PortOptic
	connector string
	rate      units.Rate // of a connector
}

// builtIns holds the part of each builtIn, so that equal ones are the same part.
var builtIns sync.Map

// BuiltIn returns the optics inside the box behind a connector of the group as a transceiver that is not sold: it has
// no Form, no Power (the box has it) and no price. It is the same part for all equal ones, and for the groups that
// ports are broken out into. It is nil for cages, which take a transceiver.
func (g *PortGroup) BuiltIn() *Part {
	if g.Optic == nil {
		return nil
	}
	// Rounded, as a port that is broken out into three has a third of the rate.
	rate := units.Rate(math.Round(float64(g.Rate)*float64(max(g.PerCage, 1))*1e6) / 1e6)
	key := builtIn{*g.Optic, g.Connector, rate}
	if p, ok := builtIns.Load(key); ok {
		return p.(*Part)
	}
	o := g.Optic
	p, _ := builtIns.LoadOrStore(key, &Part{ID: "built-in " + o.Standard, Kind: KindOptic, Optic: &Optic{
		Kind: o.Kind, Standard: o.Standard, Fibre: o.Fibre, Plug: g.Connector, Rate: rate, Ports: 1, Reach: o.Reach,
		End:  o.End,
		Loss: o.Loss,
	}})
	return p.(*Part)
}

// IsBuiltIn reports whether the part is optics inside a box, which PortGroup.BuiltIn returns. It is not in a catalog.
func (p *Part) IsBuiltIn() bool { return p.Optic != nil && p.Optic.Form == "" }

// Cable is a cable family: one kind of cable stocked in several lengths. With
// nothing said about Links, Far and Legs it is an ordinary cable: one link
// between two like plugs. Otherwise it is one of
//
//   - a twin-port cable: Links is 2, and both plugs fill a cage of two ports;
//   - a splitter: Far names the plugs at the other end, among which the links are
//     divided;
//   - a trunk: Legs plugs at each end of one jacket, between two panels or a
//     panel and boxes.
type Cable struct {
	Medium Medium `yaml:"medium" json:"medium"`
	// Kind is that of the ends of copper and active optical cables: dac, acc, aec, aoc or base-t. Left out, it follows
	// from the medium; of active copper, it is not known.
	Kind EndKind `yaml:"kind,omitempty" json:"kind,omitempty"`
	// Connector is the cage or socket that the cable's near end plugs into
	// directly, and its far end too unless Far says otherwise; for passive fibre
	// the connector at the optic ("mpo12-apc", "lc").
	Connector string     `yaml:"connector" json:"connector"`
	Rate      units.Rate `yaml:"rate,omitempty" json:"rate,omitempty"` // of one link; zero for passive fibre
	// Links is the number of links in the near plug; 1 when left out.
	Links int `yaml:"links,omitempty" json:"links,omitempty"`
	// Far describes the other end where it differs.
	Far *FarEnd `yaml:"far,omitempty" json:"far,omitempty"`
	// Legs is the number of near plugs of a trunk; 1 when left out.
	Legs int `yaml:"legs,omitempty" json:"legs,omitempty"`
	// Fibres is the number of fibres in each plug of a trunk, where it is less than that of positions: 8 of base 8 in
	// MPO-12. They are the first and the last ones. All positions have a fibre when left out.
	Fibres int `yaml:"fibres,omitempty" json:"fibres,omitempty" most:"1000"`
	// Custom marks a family that is made to order: it is used only where a media
	// rule names it.
	Custom bool `yaml:"custom,omitempty" json:"custom,omitempty"`
	// Lengths are stocked, ascending. MadeToMeasure, if set, allows any length
	// up to it, rounded up to Step (a whole metre when left out).
	Lengths       []units.Length `yaml:"lengths,omitempty" json:"lengths,omitempty"`
	MadeToMeasure units.Length   `yaml:"made_to_measure,omitempty" json:"made_to_measure,omitempty"`
	Step          units.Length   `yaml:"step,omitempty" json:"step,omitempty"`
	// Colours are those of the jacket in which the cable is sold, each as an item of its own; not known when left out.
	Colours []string `yaml:"colours,omitempty" json:"colours,omitempty"`
	// Reach is the longest length over which the medium carries the rate; 0 where
	// it is not stated, and for fibre whose reach is that of its optics.
	Reach       units.Length      `yaml:"reach,omitempty" json:"reach,omitempty"`
	Diameter    units.Length      `yaml:"diameter,omitempty" json:"diameter,omitempty" most:"1"`
	Bend        units.Length      `yaml:"bend,omitempty" json:"bend,omitempty" most:"100"` // least bend radius
	Propagation units.Propagation `yaml:"propagation,omitempty" json:"propagation,omitempty"`
	End         units.Time        `yaml:"end,omitempty" json:"end,omitempty"` // delay added at each end
	// Attenuation is that of passive fibre, without its plugs.
	Attenuation units.Attenuation `yaml:"attenuation,omitempty" json:"attenuation,omitempty"`
}

// FarEnd is the far end of a cable whose ends differ.
type FarEnd struct {
	Connector string `yaml:"connector" json:"connector"`
	// Plugs is the number of plugs, which share the cable's links evenly; 1 when
	// left out.
	Plugs int         `yaml:"plugs,omitempty" json:"plugs,omitempty"`
	Power units.Power `yaml:"power,omitempty" json:"power,omitempty"` // draw of one plug
	// Powers are the figures of the same draw by what they hold for; Power equals one of them.
	Powers Powers `yaml:"powers,omitempty" json:"powers,omitzero"`
}

// Ordinary reports whether the cable is one link between two like plugs.
func (c *Cable) Ordinary() bool { return c.Far == nil && max(c.Links, 1) == 1 && max(c.Legs, 1) == 1 }

// Trunk reports whether the cable has several plugs at each end.
func (c *Cable) Trunk() bool { return c.Legs > 1 }

// FarPlugs is the number of plugs at the far end for each one at the near end.
func (c *Cable) FarPlugs() int {
	if c.Far == nil {
		return 1
	}
	return max(c.Far.Plugs, 1)
}

// FarConnector is what a plug at the far end fits.
func (c *Cable) FarConnector() string {
	if c.Far == nil {
		return c.Connector
	}
	return c.Far.Connector
}

// EndPower is what the near plug of a cable draws, and one plug at its far end.
func (p *Part) EndPower() (near, far units.Power) {
	if p.Cable != nil && p.Cable.Far != nil && p.Cable.Far.Power > 0 {
		return p.Power, p.Cable.Far.Power
	}
	return p.Power, p.Power
}

// CablePower is what all plugs of a cable draw.
func (p *Part) CablePower() units.Power {
	near, far := p.EndPower()
	return near + units.Power(float64(far)*float64(p.Cable.FarPlugs()))
}

// Optic is a pluggable transceiver.
type Optic struct {
	Kind     EndKind      `yaml:"kind,omitempty" json:"kind,omitempty"` // dsp, lro or lpo; not known when left out
	Form     string       `yaml:"form" json:"form"`                     // cage it fits: "osfp"
	Standard string       `yaml:"standard" json:"standard"`             // both ends of a link must agree: "dr4"
	Fibre    Medium       `yaml:"fibre" json:"fibre"`                   // multimode or single-mode
	Plug     string       `yaml:"plug" json:"plug"`                     // fibre connector: "mpo12-apc"
	Rate     units.Rate   `yaml:"rate" json:"rate"`                     // of one port
	Ports    int          `yaml:"ports,omitempty" json:"ports"`         // links one optic holds; 1 when left out
	Reach    units.Length `yaml:"reach" json:"reach"`                   // longest fibre
	End      units.Time   `yaml:"end,omitempty" json:"end"`             // delay added at this end
	// Loss is the most that the fibre, its plugs and panels may lose between two
	// of these optics; 0 where it is not stated.
	Loss units.Loss `yaml:"loss,omitempty" json:"loss,omitempty"`
}

// Panel is a patch panel, in which trunks and patch cables meet.
type Panel struct {
	Connector string     `yaml:"connector" json:"connector"` // of the adapters at the front
	Fibre     Medium     `yaml:"fibre" json:"fibre"`         // multimode or single-mode
	Ports     int        `yaml:"ports" json:"ports"`         // adapters: plugs at the front
	Loss      units.Loss `yaml:"loss,omitempty" json:"loss"` // insertion loss of one passage; 0 where it is not stated
	// Shuffle is the number of adapters on each side of a module that permutes lanes: each adapter of one side shares
	// its fibres evenly among all of the other side, the i-th share of adapter j with the j-th share of adapter i. 0
	// for a patch panel.
	Shuffle int `yaml:"shuffle,omitempty" json:"shuffle,omitempty" most:"1000"`
	// ToOrder says that the fibres of a shuffle lead from any adapter to any other, as ordered: Shuffle is the most
	// adapters of either side then.
	ToOrder bool `yaml:"to_order,omitempty" json:"to_order,omitempty"`
	// Cassette says that there are cassettes behind the adapters. Nil where a plug at the rear of each adapter meets
	// the one at its front.
	Cassette *Cassette `yaml:"cassette,omitempty" json:"cassette,omitempty"`
}

// Cassette is a module of a patch panel that leads the fibres of one or several plugs at its rear to adapters at the
// front, those of each plug to as many adapters of its own.
type Cassette struct {
	Rear   string `yaml:"rear" json:"rear"`                                 // plug at the rear: "mpo12-apc"
	Rears  int    `yaml:"rears,omitempty" json:"rears,omitempty" most:"64"` // plugs at the rear; 1 when left out
	Fronts int    `yaml:"fronts" json:"fronts" most:"64"`                   // adapters at the front
	Fibres int    `yaml:"fibres,omitempty" json:"fibres,omitempty"`         // as Cable.Fibres, of the plug at the rear
	Pairs  Pairs  `yaml:"pairs,omitempty" json:"pairs,omitempty"`           // neighbours when left out
}

// Pairs says which fibres of the plug at the rear of a cassette lead to an adapter at its front.
type Pairs string

// The ways to choose the fibres of adapter j. Neighbours takes those next to each other: 1 and 2 lead to the first
// duplex adapter, 3 and 4 to the second. Ends takes as many from either end: 1 and 12 lead to the first duplex adapter,
// 2 and 11 to the second.
const (
	Neighbours Pairs = "neighbours"
	Ends       Pairs = "ends"
)

// Words lists the ways.
func (Pairs) Words() []string { return []string{string(Neighbours), string(Ends)} }

// RearConnector is the connector of the plugs at the rear, in which trunks end.
func (p *Panel) RearConnector() string {
	if p.Cassette != nil {
		return p.Cassette.Rear
	}
	return p.Connector
}

// Fronts is the number of adapters that a plug at the rear leads to.
func (p *Panel) Fronts() int {
	if p.Cassette != nil {
		return p.Cassette.perRear()
	}
	return 1
}

// parallel are the standards whose lanes have a fibre each, in each direction: the name is followed by the number of
// lanes.
var parallel = []string{"dr", "psm", "sr", "vr"}

// Lanes is the number of lanes of one of the optic's plugs, where each has a fibre of its own in each direction, such
// as 4 of dr4; 0 where lanes share fibres by wavelength, as those of fr4 do, or the standard is not known.
func (o *Optic) Lanes() int {
	family := strings.TrimRight(o.Standard, "0123456789")
	if !slices.Contains(parallel, family) {
		return 0
	}
	if family == o.Standard {
		return 1
	}
	n, err := strconv.Atoi(o.Standard[len(family):])
	if err != nil {
		return 0
	}
	return n
}

// RackSpec is what a rack can take.
type RackSpec struct {
	Power  units.Power  `yaml:"power,omitempty" json:"power,omitempty"`          // most power; 0 means no limit stated
	Weight units.Mass   `yaml:"weight,omitempty" json:"weight,omitempty"`        // most load; 0 means no limit stated
	Base   units.Length `yaml:"base,omitempty" json:"base,omitempty" most:"100"` // floor to the bottom of U1
	// Busbar is what feeds the boxes of the rack, where that is a bar; nil where none is stated.
	Busbar *BusbarRating `yaml:"busbar,omitempty" json:"busbar,omitempty"`
	// Openings are those through which cables enter the rack, and its cable managers; not known when left out.
	Openings []Opening `yaml:"openings,omitempty" json:"openings,omitempty"`
}

// Opening is equal openings of a rack for cables, or cable managers in it.
type Opening struct {
	At    OpeningAt    `yaml:"at" json:"at"`
	Width units.Length `yaml:"width" json:"width" most:"100"` // of one
	Depth units.Length `yaml:"depth" json:"depth" most:"100"`
	Count int          `yaml:"count,omitempty" json:"count,omitempty" most:"1000"` // 1 when left out
	// Fill is the share that cables may take; 50 % when left out.
	Fill units.Percent `yaml:"fill,omitempty" json:"fill,omitempty"`
	// Bend is the radius to which cables bend there, such as that of a rounded edge; not known when left out.
	Bend units.Length `yaml:"bend,omitempty" json:"bend,omitempty" most:"100"`
}

// OpeningAt says where an opening is.
type OpeningAt string

// The places. A manager is a channel in which cables run up and down in the rack.
const (
	AtTop     OpeningAt = "top"
	AtBottom  OpeningAt = "bottom"
	AtManager OpeningAt = "manager"
)

// openingsAt are the places.
var openingsAt = []OpeningAt{AtTop, AtBottom, AtManager}

// Words lists the places.
func (OpeningAt) Words() []string { return words(openingsAt) }

// BusbarRating is of the vertical bars of a rack that its boxes draw from.
type BusbarRating struct {
	Amperes float64 `yaml:"amperes" json:"amperes" most:"1000000"` // most current of a bar
	Volts   float64 `yaml:"volts" json:"volts" most:"100000"`      // the lowest at which boxes draw
	// Bars is how many share the load evenly; 1 when left out.
	Bars int `yaml:"bars,omitempty" json:"bars,omitempty" most:"16"`
}

// Current returns the current of a bar, in amperes, where boxes draw so much power in all.
func (b *BusbarRating) Current(power units.Power) float64 {
	return float64(power) / b.Volts / float64(max(b.Bars, 1))
}
