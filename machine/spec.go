package machine

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Spec is a machine file. Only Topology is required; everything else has a
// default that Defaults fills in and that the plan reports.
//
// The tags rule both the reader and the schema of machine files: a field
// without omitempty is required; minimum and enum hold for the elements of a
// list or mapping too; numbers and quantities are not negative unless tagged
// signed.
type Spec struct {
	Name        string         `yaml:"name,omitempty" json:"name,omitempty" jsonschema_description:"Name of the machine, printed on every output."`
	Description string         `yaml:"description,omitempty" json:"description,omitempty" jsonschema_description:"A sentence or two about the machine."`
	Topology    topology.Spec  `yaml:"topology" json:"topology" jsonschema_description:"The interconnect: a family and its parameters."`
	Packaging   Packaging      `yaml:"packaging,omitempty" json:"packaging,omitzero" jsonschema_description:"Which box realises each kind of vertex and what shares a chassis or rack."`
	Room        Room           `yaml:"room,omitempty" json:"room,omitzero" jsonschema_description:"Where the boxes stand: racks in rows, or nested containers."`
	Parts       []catalog.Part `yaml:"parts,omitempty" json:"parts,omitempty" jsonschema_description:"Parts of the machine's own, added to the catalog or replacing parts of the same id."`
	Cabling     Cabling        `yaml:"cabling,omitempty" json:"cabling,omitzero" jsonschema_description:"How cables run and which may be used where."`
	Delay       Delay          `yaml:"delay,omitempty" json:"delay,omitzero" jsonschema_description:"Hop and propagation delays that replace the parts' own."`
	Prices      Prices         `yaml:"prices,omitempty" json:"prices,omitzero" jsonschema_description:"What things cost."`
	Operation   *Operation     `yaml:"operation,omitempty" json:"operation,omitempty" jsonschema_description:"What the power of the network costs over the years."`
	Rules       Rules          `yaml:"rules,omitempty" json:"rules,omitzero" jsonschema_description:"Design rules that the plan is checked against."`
	Embedding   Embedding      `yaml:"embedding,omitempty" json:"embedding,omitzero" jsonschema_description:"How vertices are assigned to places."`

	source *document // where it was read from, nil if it was not
}

// Packaging names the box of every kind of vertex. Which kinds exist depends on
// the topology; Switch stands for every kind of switch that has no entry of its
// own.
type Packaging struct {
	Node    *Box               `yaml:"node,omitempty" json:"node,omitempty" jsonschema_description:"The box of a node."`
	Switch  *Box               `yaml:"switch,omitempty" json:"switch,omitempty" jsonschema_description:"The box of every kind of switch without an entry of its own."`
	Leaf    *Box               `yaml:"leaf,omitempty" json:"leaf,omitempty" jsonschema_description:"The box of a leaf switch of a tree."`
	Spine   *Box               `yaml:"spine,omitempty" json:"spine,omitempty" jsonschema_description:"The box of a spine switch of a tree."`
	Core    *Box               `yaml:"core,omitempty" json:"core,omitempty" jsonschema_description:"The box of a core switch of a three-tier tree."`
	Chassis map[string]Chassis `yaml:"chassis,omitempty" json:"chassis,omitempty" jsonschema_description:"Enclosures that boxes slide into, by name."`
}

// Places where boxes of a kind may stand.
const (
	InRack     = "in-rack"     // in the racks of the nodes they serve
	EndOfRow   = "end-of-row"  // in racks at the ends of the rows
	NetworkRow = "network-row" // in racks of their own in the middle of the room
)

// Box realises one vertex.
type Box struct {
	Part     string  `yaml:"part,omitempty" json:"part,omitempty" jsonschema_description:"Id of a node or switch part, of the catalog or of this file."`
	Place    string  `yaml:"place,omitempty" json:"place,omitempty" jsonschema:"enum=in-rack,enum=end-of-row,enum=network-row" jsonschema_description:"Where boxes of this kind stand. Nodes and the switches of direct networks default to in-rack, leaves of several rails, spines and cores to network-row."`
	Units    []int   `yaml:"units,omitempty" json:"units,omitempty" jsonschema:"minimum=1" jsonschema_description:"The rack units (lowest of each box, counted from 1 at the bottom) that boxes of this kind take in every rack, in order."`
	PerRack  int     `yaml:"per_rack,omitempty" json:"per_rack,omitempty" jsonschema:"minimum=1" jsonschema_description:"Most boxes of this kind in one rack."`
	Chassis  string  `yaml:"chassis,omitempty" json:"chassis,omitempty" jsonschema_description:"Name of the chassis that boxes of this kind slide into."`
	Breakout int     `yaml:"breakout,omitempty" json:"breakout,omitempty" jsonschema:"minimum=1" jsonschema_description:"Ports that each port of the part is broken out into, 2, 4 or 8: they share its rate and are joined by splitters. Port 3 becomes 3/1, 3/2, ..., or what the part says."`
	Ports    []Ports `yaml:"ports,omitempty" json:"ports,omitempty" jsonschema_description:"Ports in the order in which links are plugged in: names as printed on the box, and ranges such as 33-64 or swp33-64. Ports that are not listed stay free. In the order of the part when left out."`
	Adapter  string  `yaml:"adapter,omitempty" json:"adapter,omitempty" jsonschema_description:"Id of the adapter part that gives the box its ports, bought separately. 'none' where the box comes with its ports."`
}

// Ports names a port of a box, or a range of numbered ones: "swp3", "33-64".
type Ports string

// Chassis is an enclosure in a rack that holds boxes in a grid.
type Chassis struct {
	Units   int            `yaml:"units" json:"units" jsonschema:"minimum=1" jsonschema_description:"Height in rack units."`
	Slots   []int          `yaml:"slots" json:"slots" jsonschema:"minimum=1" jsonschema_description:"Boxes across the width, the depth and the height; one number for boxes side by side."`
	Pitch   []units.Length `yaml:"pitch,omitempty" json:"pitch,omitempty" jsonschema_description:"Distance between neighbouring boxes across width, depth and height. The chassis is filled evenly when left out."`
	PerRack int            `yaml:"per_rack,omitempty" json:"per_rack,omitempty" jsonschema:"minimum=1" jsonschema_description:"Most of these chassis in one rack."`
	Links   string         `yaml:"links,omitempty" json:"links,omitempty" jsonschema:"enum=trace,enum=cable" jsonschema_description:"Whether links inside the chassis are board or midplane traces (default) or cables."`
}

// Room is either racks in rows or, if Containers is given, nested containers.
type Room struct {
	Containers []Container `yaml:"containers,omitempty" json:"containers,omitempty" jsonschema_description:"Nested containers instead of racks, outermost first."`

	Rows        int           `yaml:"rows,omitempty" json:"rows,omitempty" jsonschema:"minimum=1" jsonschema_description:"Number of rows. As many as the machine needs when left out."`
	RacksPerRow int           `yaml:"racks_per_row,omitempty" json:"racks_per_row,omitempty" jsonschema:"minimum=1" jsonschema_description:"Rack positions in a row. As many as make the floor about square when left out."`
	Rack        string        `yaml:"rack,omitempty" json:"rack,omitempty" jsonschema_description:"Id of the rack part."`
	ColdAisle   *units.Length `yaml:"cold_aisle,omitempty" json:"cold_aisle,omitempty" jsonschema_description:"Width of the aisles that rack fronts face."`
	HotAisle    *units.Length `yaml:"hot_aisle,omitempty" json:"hot_aisle,omitempty" jsonschema_description:"Width of the aisles that rack backs face."`
	Facing      string        `yaml:"facing,omitempty" json:"facing,omitempty" jsonschema:"enum=alternate,enum=same" jsonschema_description:"Whether neighbouring rows face each other across cold aisles (alternate, the default) or all face the same way."`
	Gaps        []Gap         `yaml:"gaps,omitempty" json:"gaps,omitempty" jsonschema_description:"Cross-aisles that interrupt every row. One of 1.2 m after every 20 racks when left out."`
	Margin      *units.Length `yaml:"margin,omitempty" json:"margin,omitempty" jsonschema_description:"Free floor around the rows."`
	Columns     []Rect        `yaml:"columns,omitempty" json:"columns,omitempty" jsonschema_description:"Building columns: no rack stands where one is."`
	KeepOuts    []Area        `yaml:"keep_outs,omitempty" json:"keep_outs,omitempty" jsonschema_description:"Areas where no rack may stand."`
	RowPower    units.Power   `yaml:"row_power,omitempty" json:"row_power,omitempty" jsonschema_description:"Most power that a row can supply."`
	RowWeight   units.Mass    `yaml:"row_weight,omitempty" json:"row_weight,omitempty" jsonschema_description:"Most weight of boxes that the floor under a row bears."`
	Trays       Trays         `yaml:"trays,omitempty" json:"trays,omitzero" jsonschema_description:"Cable trays."`
	Halls       []Hall        `yaml:"halls,omitempty" json:"halls,omitempty" jsonschema_description:"Halls or floors that the rows are divided among, in order. Cables between them need room.trays.paths."`
}

// Container is one level of nested containers.
type Container struct {
	Name  string         `yaml:"name" json:"name" jsonschema_description:"Name of the level."`
	Count []int          `yaml:"count,omitempty" json:"count,omitempty" jsonschema:"minimum=1" jsonschema_description:"Containers of the next level (or places for boxes, at the last level) along x, y and z; one number for all three. Chosen by strategy cubes when left out."`
	Pitch []units.Length `yaml:"pitch,omitempty" json:"pitch,omitempty" jsonschema_description:"Distance between neighbouring cells along x, y and z; one number for all. The inner size plus the gap when left out."`
	Gap   units.Length   `yaml:"gap,omitempty" json:"gap,omitempty" jsonschema_description:"Free space between neighbouring cells, when no pitch is given."`
	Links string         `yaml:"links,omitempty" json:"links,omitempty" jsonschema:"enum=trace,enum=cable" jsonschema_description:"Whether links inside one container of this level are traces or cables (default)."`
}

// Gap is a cross-aisle after a given rack position of every row.
type Gap struct {
	After int          `yaml:"after" json:"after" jsonschema:"minimum=1" jsonschema_description:"Rack position after which the gap comes."`
	Width units.Length `yaml:"width" json:"width" jsonschema_description:"Width of the gap."`
}

// Rect is a rectangle on the floor.
type Rect struct {
	X     units.Length `yaml:"x" json:"x" signed:"true" jsonschema_description:"Left edge, along the rows."`
	Y     units.Length `yaml:"y" json:"y" signed:"true" jsonschema_description:"Lower edge, across the rows."`
	Width units.Length `yaml:"width" json:"width" jsonschema_description:"Extent along the rows."`
	Depth units.Length `yaml:"depth" json:"depth" jsonschema_description:"Extent across the rows."`
}

// Area is a polygon on the floor.
type Area struct {
	Name   string           `yaml:"name,omitempty" json:"name,omitempty" jsonschema_description:"What is there."`
	Points [][]units.Length `yaml:"points" json:"points" signed:"true" jsonschema_description:"Corners, each [x, y], at least three."`
}

// Trays describes the cable trays: on every level one along every row, joined by
// cross trays. Without Levels there is one overhead level, which takes every
// cable.
type Trays struct {
	Height     units.Length  `yaml:"height,omitempty" json:"height,omitempty" jsonschema_description:"Height of the trays above the floor."`
	Cross      []int         `yaml:"cross,omitempty" json:"cross,omitempty" jsonschema_description:"Rack positions after which a cross tray joins the rows; 0 is before the first rack. At both ends of the rows, in every gap and at least after every ten racks when left out."`
	Part       string        `yaml:"part,omitempty" json:"part,omitempty" jsonschema_description:"Id of the tray part."`
	Count      int           `yaml:"count,omitempty" json:"count,omitempty" jsonschema:"minimum=1" jsonschema_description:"Trays side by side. One where a part or levels are given; as many as the fullest piece needs where nothing is said."`
	Fill       float64       `yaml:"fill,omitempty" json:"fill,omitempty" jsonschema_description:"Share of a tray's cross-section that cables may take, in per cent (50 when left out)."`
	Levels     []TrayLevel   `yaml:"levels,omitempty" json:"levels,omitempty" jsonschema_description:"Levels of trays, such as a copper ladder, a fibre runner and trays under the floor. A cable stays on one level."`
	Paths      []TrayPath    `yaml:"paths,omitempty" json:"paths,omitempty" jsonschema_description:"Trays from a rack position to one in another row, as from hall to hall or floor to floor."`
	Separation *units.Length `yaml:"separation,omitempty" json:"separation,omitempty" jsonschema_description:"Least clear height between power trays and data trays (0.2 m when left out)."`
}

// TrayLevel is one level of trays.
type TrayLevel struct {
	Name   string        `yaml:"name" json:"name" jsonschema_description:"Name of the level."`
	Height *units.Length `yaml:"height,omitempty" json:"height,omitempty" signed:"true" jsonschema_description:"Height of the level above the floor of the racks, negative under a raised floor. Above the racks, 0.3 m apart from each other, when left out."`
	Cross  []int         `yaml:"cross,omitempty" json:"cross,omitempty" jsonschema_description:"Rack positions after which a cross tray of this level joins the rows; as for all levels when left out."`
	Part   string        `yaml:"part,omitempty" json:"part,omitempty" jsonschema_description:"Id of the tray part; as for all levels when left out."`
	Count  int           `yaml:"count,omitempty" json:"count,omitempty" jsonschema:"minimum=1" jsonschema_description:"Trays side by side; as for all levels when left out."`
	Fill   float64       `yaml:"fill,omitempty" json:"fill,omitempty" jsonschema_description:"Share of the cross-section that cables may take, in per cent; as for all levels when left out."`
	Use    []string      `yaml:"use,omitempty" json:"use,omitempty" jsonschema_description:"Media, or groups of media, that may lie on the level; any when left out."`
	Power  bool          `yaml:"power,omitempty" json:"power,omitempty" jsonschema_description:"The level is for power: no data cable lies on it, and data levels keep their distance."`
}

// TrayPath is a declared way between two rows.
type TrayPath struct {
	Name   string       `yaml:"name" json:"name" jsonschema_description:"Name of the path."`
	From   string       `yaml:"from" json:"from" jsonschema_description:"Rack position at one end, such as A03, whether or not a rack stands there."`
	To     string       `yaml:"to" json:"to" jsonschema_description:"Rack position at the other end, in another row."`
	Length units.Length `yaml:"length,omitempty" json:"length,omitempty" jsonschema_description:"Length of the path; along the axes when left out."`
	Levels []string     `yaml:"levels,omitempty" json:"levels,omitempty" jsonschema_description:"Levels that the path joins; all when left out."`
}

// Hall is a hall or a floor with some of the rows.
type Hall struct {
	Name     string        `yaml:"name" json:"name" jsonschema_description:"Name of the hall."`
	Rows     int           `yaml:"rows" json:"rows" jsonschema:"minimum=1" jsonschema_description:"Number of its rows."`
	Distance *units.Length `yaml:"distance,omitempty" json:"distance,omitempty" jsonschema_description:"Free floor between the last row of the hall before and its first (5 m when left out)."`
	Floor    units.Length  `yaml:"floor,omitempty" json:"floor,omitempty" signed:"true" jsonschema_description:"Height of its floor above that of the first hall."`
}

// Route modes.
const (
	Direct    = "direct"    // straight line between the ports
	Manhattan = "manhattan" // along the axes
	Tray      = "tray"      // up to the trays, along them, and down
)

// Cabling says how cables run and which may be used where.
type Cabling struct {
	Route       string        `yaml:"route,omitempty" json:"route,omitempty" jsonschema:"enum=direct,enum=manhattan,enum=tray" jsonschema_description:"How lengths are measured. tray for racks, manhattan for nested containers when left out."`
	Slack       Slack         `yaml:"slack,omitempty" json:"slack,omitzero" jsonschema_description:"Length added to every cable."`
	Crossing    *units.Length `yaml:"crossing,omitempty" json:"crossing,omitempty" jsonschema_description:"Added to a cable on trays that joins a port at the front of its rack with one at the rear of another: the way through the rack. The depth of the rack when left out."`
	Manager     string        `yaml:"manager,omitempty" json:"manager,omitempty" jsonschema:"enum=nearest,enum=left,enum=right" jsonschema_description:"Side of the rack, seen from the face of the port, at which cables run up and down; the way from the port to it is measured. Left out of the length when left out."`
	Door        string        `yaml:"door,omitempty" json:"door,omitempty" jsonschema:"enum=left,enum=right" jsonschema_description:"Side at which the rack doors are hinged, seen from the face: cables run up and down at the other side, where no hinge pinches them. In place of manager."`
	RoundUp     units.Length  `yaml:"round_up,omitempty" json:"round_up,omitempty" jsonschema_description:"Lengths are rounded up to a multiple of it; to a tenth of a millimetre when left out."`
	Bundle      int           `yaml:"bundle,omitempty" json:"bundle,omitempty" jsonschema:"minimum=1" jsonschema_description:"Most cables between two racks that are tied into one bundle (24 when left out)."`
	Media       []MediaRule   `yaml:"media,omitempty" json:"media,omitempty" jsonschema_description:"Which cables may be used where; the first rule that matches a link decides. Anything that fits when left out."`
	Structured  *Structured   `yaml:"structured,omitempty" json:"structured,omitempty" jsonschema_description:"Structured cabling: links between racks run over patch panels at the top of the racks and trunks between them. Every link has a cable of its own when left out."`
	Consolidate *Consolidate  `yaml:"consolidate,omitempty" json:"consolidate,omitempty" jsonschema_description:"Bounds the number of different cable products: lengths that are little used are bought longer. Every length is bought as it is when left out."`
}

// Structured is structured cabling: links over patch panels and trunks.
type Structured struct {
	Levels  []string `yaml:"levels,omitempty" json:"levels,omitempty" jsonschema_description:"Topology levels of the links that run over panels; all when left out."`
	Beyond  string   `yaml:"beyond,omitempty" json:"beyond,omitempty" jsonschema:"enum=rack,enum=row" jsonschema_description:"What a link has to leave to run over panels: its row (default) or only its rack."`
	AtLeast int      `yaml:"at_least,omitempty" json:"at_least,omitempty" jsonschema:"minimum=1" jsonschema_description:"Fewest links of one level between two racks that take a trunk; fewer keep cables of their own (1 when left out)."`
	Panel   string   `yaml:"panel,omitempty" json:"panel,omitempty" jsonschema_description:"Id of the panel part. When left out, the one for which most of the links have optics, and the cheapest."`
	Trunk   string   `yaml:"trunk,omitempty" json:"trunk,omitempty" jsonschema_description:"Id of the trunk part. When left out, for each pair of racks the smallest that holds its links, else the largest."`
	Spare   float64  `yaml:"spare,omitempty" json:"spare,omitempty" jsonschema:"minimum=0" jsonschema_description:"Positions that are kept free in every trunk, in per cent of those that may be used: 20 keeps two of twelve. None when left out."`
}

// What a consolidation bounds.
const (
	PerFamily = "family"
	PerAll    = "all"
)

// Consolidate bounds the number of different cable products.
type Consolidate struct {
	Most int    `yaml:"most" json:"most" jsonschema:"minimum=1" jsonschema_description:"Most products (a cable family in one length)."`
	Per  string `yaml:"per,omitempty" json:"per,omitempty" jsonschema:"enum=family,enum=all" jsonschema_description:"Whether most holds for each cable family (family, the default) or for all together."`
}

// Slack is length added to a cable beyond its route.
type Slack struct {
	Fixed   *units.Length `yaml:"fixed,omitempty" json:"fixed,omitempty" jsonschema_description:"Added to every cable between racks."`
	InRack  *units.Length `yaml:"in_rack,omitempty" json:"in_rack,omitempty" jsonschema_description:"Added to every cable inside one rack; as fixed when left out."`
	Percent float64       `yaml:"percent,omitempty" json:"percent,omitempty" jsonschema:"minimum=0" jsonschema_description:"Added in proportion to the route."`
	Loop    units.Length  `yaml:"loop,omitempty" json:"loop,omitempty" jsonschema_description:"Service loop at each end of a cable that leaves its rack. None when left out: fixed has to cover it."`
}

// MediaRule allows media or parts for the links it matches. All conditions
// that are given must hold.
type MediaRule struct {
	Levels  []string     `yaml:"levels,omitempty" json:"levels,omitempty" jsonschema_description:"Topology levels of the link: terminal, dim1, tier1, local, global, ..."`
	Within  string       `yaml:"within,omitempty" json:"within,omitempty" jsonschema_description:"The link stays inside one container of this layout level: chassis name, rack, row, ..."`
	Beyond  string       `yaml:"beyond,omitempty" json:"beyond,omitempty" jsonschema_description:"The link leaves the container of this layout level."`
	Longest units.Length `yaml:"longest,omitempty" json:"longest,omitempty" jsonschema_description:"The rule holds only where at most this length is needed, slack included; other links fall to the next rule."`
	Use     []string     `yaml:"use" json:"use" jsonschema_description:"Media (passive-copper, active-copper, active-optical, multimode, single-mode), groups of media (copper, fibre, optical, any) or ids of cable parts."`
}

// Lengths that delays may be measured over.
const (
	Routed  = "routed"  // the length that a cable needs, slack included
	Stocked = "stocked" // the length that is bought
)

// Delay replaces the delays of the parts.
type Delay struct {
	Length      string                       `yaml:"length,omitempty" json:"length,omitempty" jsonschema:"enum=routed,enum=stocked" jsonschema_description:"Whether signals travel the length a cable needs with its slack (routed, the default) or all of the stocked length that is bought (stocked)."`
	Hop         map[string]units.Time        `yaml:"hop,omitempty" json:"hop,omitempty" jsonschema_description:"Delay of passing a vertex, by kind of vertex: node, switch, leaf, ..."`
	Propagation map[string]units.Propagation `yaml:"propagation,omitempty" json:"propagation,omitempty" jsonschema_description:"Delay per length, by medium or group of media, or trace."`
	Ends        map[string]units.Time        `yaml:"ends,omitempty" json:"ends,omitempty" jsonschema_description:"Delay added at each end of a link, by medium or group of media, or trace."`
	Routing     []string                     `yaml:"routing,omitempty" json:"routing,omitempty" jsonschema_description:"Routing functions along whose paths delays are measured too: own for that of the family, valiant, dor, minimal, tree, updown, clex, clex-recursive, ..."`
	ExactLimit  int                          `yaml:"exact_limit,omitempty" json:"exact_limit,omitempty" jsonschema:"minimum=1" jsonschema_description:"Number of vertices up to which path delays are computed over all pairs (65536 when left out)."`
	Samples     int                          `yaml:"samples,omitempty" json:"samples,omitempty" jsonschema:"minimum=2" jsonschema_description:"Number of sources sampled above the limit (256 when left out)."`
}

// Prices chooses a price set and changes it. Prices of Unit go before those of
// Quote, and those before the set's.
type Prices struct {
	Set         string                   `yaml:"set,omitempty" json:"set,omitempty" jsonschema_description:"Name of a price set of the catalog."`
	Model       string                   `yaml:"model,omitempty" json:"model,omitempty" jsonschema:"enum=parts,enum=cabinet,enum=slim-fly,enum=perseus,enum=thin-tree,enum=ports" jsonschema_description:"How plan --estimate reckons: parts (the default), or a published model with its layout. A full plan takes no notice."`
	Quote       []string                 `yaml:"quote,omitempty" json:"quote,omitempty" jsonschema_description:"Files with suppliers' quotes (CSV or XLSX), beside the machine file, whose prices go before the set's; the first file that prices a part wins."`
	Currency    string                   `yaml:"currency,omitempty" json:"currency,omitempty" jsonschema_description:"Currency of the bill (ISO 4217): that of the set when left out."`
	Rates       map[string]float64       `yaml:"rates,omitempty" json:"rates,omitempty" jsonschema_description:"Exchange rates: what one unit of another currency is worth in that of the bill, by ISO 4217 code."`
	RatesDate   string                   `yaml:"rates_date,omitempty" json:"rates_date,omitempty" jsonschema_description:"Date of the rates, as 2025-06-01; required beside them."`
	Spares      map[string]float64       `yaml:"spares,omitempty" json:"spares,omitempty" jsonschema_description:"Spares in per cent of the quantity, rounded up, by kind of part: switch, cable, optic, panel, adapter, node."`
	Ranges      map[string][]units.Money `yaml:"ranges,omitempty" json:"ranges,omitempty" jsonschema_description:"Least and most that a price may be, by part id or by 'id@3 m', in the currency of the bill: [80, 150]. They bound the price wherever it is from."`
	Freight     float64                  `yaml:"freight,omitempty" json:"freight,omitempty" jsonschema:"minimum=0" jsonschema_description:"Freight, in per cent of the parts."`
	Contingency float64                  `yaml:"contingency,omitempty" json:"contingency,omitempty" jsonschema:"minimum=0" jsonschema_description:"Contingency, in per cent of parts, labour and freight."`
	Seed        uint64                   `yaml:"seed,omitempty" json:"seed,omitempty" jsonschema_description:"Seed of the draws that tell how far the total may be off."`
	Unit        map[string]units.Money   `yaml:"unit,omitempty" json:"unit,omitempty" jsonschema_description:"Unit prices of your own, by part id, in the currency of the bill. A cable's price may depend on its length: 'id@3 m'."`
}

// Operation prices power.
type Operation struct {
	Tariff      float64     `yaml:"tariff" json:"tariff" jsonschema:"minimum=0" jsonschema_description:"Price of a kWh, in the currency of the bill."`
	TariffRange []float64   `yaml:"tariff_range,omitempty" json:"tariff_range,omitempty" jsonschema:"minimum=0" jsonschema_description:"Least and most that a kWh may cost: [0.08, 0.2]."`
	PUE         float64     `yaml:"pue,omitempty" json:"pue,omitempty" jsonschema:"minimum=1" jsonschema_description:"Power of the site by that of its equipment; 1.3 when left out."`
	Years       float64     `yaml:"years,omitempty" json:"years,omitempty" jsonschema_description:"Years of operation; 5 when left out."`
	Idle        *float64    `yaml:"idle,omitempty" json:"idle,omitempty" jsonschema_description:"Share of its power, in per cent, that a switch draws with no port lit; 100 when left out."`
	PortPower   units.Power `yaml:"port_power,omitempty" json:"port_power,omitempty" jsonschema_description:"What a lit port of a switch draws, in place of the power of the parts."`
}

// Rules changes how a plan is held against the design rules.
type Rules struct {
	Suppress []Suppression `yaml:"suppress,omitempty" json:"suppress,omitempty" jsonschema_description:"Breaches that do not count. They stay listed, with the reason."`
}

// Suppression keeps breaches of one design rule from counting.
type Suppression struct {
	Rule   string `yaml:"rule" json:"rule" jsonschema_description:"Id of the rule; plenum plan --rules lists them."`
	Where  string `yaml:"where,omitempty" json:"where,omitempty" jsonschema_description:"Where the breach is, as the plan lists it; * stands for any run of characters. Anywhere when left out."`
	Reason string `yaml:"reason" json:"reason" jsonschema_description:"Why the breach is accepted."`
}

// Embedding says how vertices are assigned to places.
type Embedding struct {
	Strategy  embed.Strategy           `yaml:"strategy,omitempty" json:"strategy,omitempty" jsonschema_description:"How places are filled: auto takes what suits the topology."`
	Seed      uint64                   `yaml:"seed,omitempty" json:"seed,omitempty" jsonschema_description:"Seed of everything random."`
	Effort    string                   `yaml:"effort,omitempty" json:"effort,omitempty" jsonschema:"enum=none,enum=quick,enum=normal,enum=thorough" jsonschema_description:"How long places are optimised after filling, racks first and then boxes: none (default), quick, normal, thorough. More effort is never worse."`
	Objective string                   `yaml:"objective,omitempty" json:"objective,omitempty" jsonschema:"enum=money,enum=length,enum=longest,enum=delay" jsonschema_description:"What is made small: money (of cables, optics and labour; the default), length (of all cables), longest (the longest cable first, then the length of all) or delay (of links, as often as the paths of all pairs of nodes take them)."`
	Weights   map[string]float64       `yaml:"weights,omitempty" json:"weights,omitempty" jsonschema_description:"A mix of objectives in place of one: what a unit of money, a metre of length, a nanosecond of mean delay is worth; or metres of length against metres of the longest cable."`
	Together  []string                 `yaml:"together,omitempty" json:"together,omitempty" jsonschema_description:"Groups of the topology (block, pod, group, ...) each of which the optimiser keeps in one rack."`
	Apart     []Apart                  `yaml:"apart,omitempty" json:"apart,omitempty" jsonschema_description:"What the optimiser keeps from crowding a rack or a row."`
	Fold      Fold                     `yaml:"fold,omitempty" json:"fold,omitempty" jsonschema_description:"Whether rings are folded so that no link spans a whole dimension: true (default), false, or the dimensions that are: [dim1, dim3]."`
	Blocks    map[string]topology.Ints `yaml:"blocks,omitempty" json:"blocks,omitempty" jsonschema:"minimum=1" jsonschema_description:"Routers along each dimension of a lattice that one container holds, by layout level (chassis name, rack, row, or a container's name)."`
	Placement string                   `yaml:"placement,omitempty" json:"placement,omitempty" jsonschema_description:"Table of places (CSV, as placement.csv), beside the machine file. Vertices that it lists stand where it says; the others are placed around them."`
	Lock      []string                 `yaml:"lock,omitempty" json:"lock,omitempty" jsonschema_description:"Which of the vertices that placement lists may not be moved: all (default), none, or kinds and labels of vertices."`
}

// Apart keeps boxes from crowding one rack or row: failure domains.
type Apart struct {
	Of     string `yaml:"of" json:"of" jsonschema_description:"Kind of vertices, or group of the topology: leaf, block, pod, group, ... Of a group's vertices, each group's for themselves."`
	Within string `yaml:"within,omitempty" json:"within,omitempty" jsonschema:"enum=rack,enum=row" jsonschema_description:"Where they must not crowd: rack (default) or row."`
	AtMost int    `yaml:"at_most,omitempty" json:"at_most,omitempty" jsonschema:"minimum=1" jsonschema_description:"How many of them may stand there; 1 when left out."`
}

// Fold lists the dimensions of a lattice whose rings are folded, dim1, dim2,
// ...; or it is true or false for all of them.
type Fold []string

// folded tells whether dimension d, from 0, is folded.
func (f Fold) folded(d int) bool {
	return f == nil || f.all() || slices.Contains(f, "dim"+strconv.Itoa(d+1))
}

func (f Fold) all() bool { return len(f) == 1 && f[0] == "true" }

func (f Fold) none() bool { return len(f) == 1 && f[0] == "false" }

// MarshalJSON writes a truth value or the list.
func (f Fold) MarshalJSON() ([]byte, error) { return json.Marshal(f.value()) }

// MarshalYAML writes a truth value or the list.
func (f Fold) MarshalYAML() (any, error) { return f.value(), nil }

func (f Fold) value() any {
	if f.all() || f.none() {
		return f.all()
	}
	return []string(f)
}
