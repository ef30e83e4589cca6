package page

import (
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Data is everything that the page shows of a plan. Lengths are in metres where a key does not say otherwise.
type Data struct {
	// Plan is the document of the plan, as plan.json has it, without the list of tray segments.
	Plan *report.Plan `json:"plan"`
	// Omitted is what costs leave out.
	Omitted Omitted `json:"omitted"`
	// PowerNote names the basis of all figures of power; left out where the machine file names none.
	PowerNote string `json:"power_note,omitempty"`
	// Figures explain the key figures, those that the plan has.
	Figures []*report.Figure `json:"figures"`
	// Rules are the design rules, in the order of docs/reference/rules.md.
	Rules []Rule `json:"rules"`
	// Levels are those of the topology, by which cables are numbered.
	Levels []Level `json:"levels"`
	// LayoutLevels are the names of those of the layout, outermost first.
	LayoutLevels []string `json:"layout_levels"`
	// Kinds are the kinds of boxes, in the order of their boxes; patch panels come last.
	Kinds    []Kind    `json:"kinds"`
	Products []Product `json:"products"` // cables that are bought, by which cables are numbered
	Room     *Room     `json:"room"`     // the floor; null with containers
	Racks    Racks     `json:"racks"`    // rack positions, or containers of one level
	// Trays are the pieces of tray, with cables or without; left out where there are none.
	Trays *Trays `json:"trays,omitempty"`
	Boxes *Boxes `json:"boxes,omitempty"` // left out of very large machines, see Left
	// Bundles are the cables between racks by their racks and ways; left out where there are none.
	Bundles *Bundles `json:"bundles,omitempty"`
	// Nests are the levels of containers down to those of Racks, outermost first; left out of a room.
	Nests []Nest `json:"nests,omitempty"`
	// Cords are the cables between containers; left out of a room and where there are none.
	Cords *Cords `json:"cords,omitempty"`
	// Cables are all cables that are not traces; left out of a summary and of very large machines, see Left.
	Cables *Cables `json:"cables,omitempty"`
	Slack  Slack   `json:"slack"`
	// CableColours are the names of colours of cables, the first of which is empty; null where no cables are listed.
	CableColours []string `json:"cable_colours"`
	// CableJackets are the colours in which cables of CableColours are drawn, as #RRGGBB.
	CableJackets []string `json:"cable_jackets"`
	// Colours are those of all drawings and charts.
	Colours Colours `json:"colours"`
	Left    []Left  `json:"left_out"` // what a plan of this size leaves out
}

// Omitted says what costs leave out, in words; texts are empty where they leave out nothing.
type Omitted struct {
	Cost      string   `json:"cost"`      // what the total leaves out, in a few words
	Sentences []string `json:"sentences"` // the same with every name
	Network   string   `json:"network"`   // what the cost of the network leaves out
	Links     string   `json:"links"`     // what costs of levels and fabrics leave out
}

func newOmitted(p *report.Plan) Omitted {
	all := p.Cost.Omitted()
	return Omitted{
		Cost: all.Short(), Sentences: append([]string{}, all.Sentences()...),
		Network: p.NetworkOmitted().Short(), Links: p.LinksOmitted().Short(),
	}
}

// Left says what the page leaves out.
type Left struct {
	What string `json:"what"` // `cables`, `boxes`, `bundles`, `cords`, `racks` or `trays`
	Why  string `json:"why"`  // one sentence
}

// Rule is a design rule and how the plan keeps it.
type Rule struct {
	ID       string        `json:"rule"`
	Severity diag.Severity `json:"severity"` // `error` or `warning`
	Text     string        `json:"text"`     // what must hold
	Why      string        `json:"why"`      // why it matters, and how it is checked
	Mend     string        `json:"mend"`     // what helps against a violation
	// Breaches counts all violations, Suppressed the accepted ones.
	Breaches   int `json:"breaches"`
	Suppressed int `json:"suppressed"`
	// Unchecked is why there was nothing to check; left out where there was.
	Unchecked string `json:"unchecked,omitempty"`
	// Partly is what it could not check, for want of figures; left out where it checked all.
	Partly string `json:"partly,omitempty"`
}

// Level is a level of the topology.
type Level struct {
	Name   string `json:"name"`   // without that of the fabric
	Fabric string `json:"fabric"` // empty where there is one topology
}

// Kind is a kind of boxes.
type Kind struct {
	Name  string `json:"name"`
	Role  string `json:"role"` // `node`, `switch`, `service` or `panel`
	Part  string `json:"part"` // its id
	Count int    `json:"count"`
	Units int    `json:"units"` // height in rack units; 0 beside them
	// NoPower and NoWeight report whether the part states no power and no weight, which those of racks are without.
	NoPower  bool `json:"no_power,omitempty"`
	NoWeight bool `json:"no_weight,omitempty"`
	// Whole is the height of the chassis that the boxes stand in, 0 for boxes that stand in racks themselves.
	Whole int `json:"chassis_units"`
	// Ports are their names, in the order in which cables number them.
	Ports []string `json:"ports"`
}

// Product is a cable in one length.
type Product struct {
	Name   string         `json:"name"` // the id of the part, with the length
	Medium catalog.Medium `json:"medium"`
	Length units.Length   `json:"length_m"`
	OpticA string         `json:"optic_a"` // the id of the transceiver at A; empty without one
	OpticB string         `json:"optic_b"`
	Stock  bool           `json:"from_stock"` // taken from the store
	Source string         `json:"source"`     // of the figures of the part
	// PerJacket is how many links share a jacket, 0 for all; a splitter has several jackets.
	PerJacket int  `json:"links_per_jacket,omitempty"`
	Splits    bool `json:"splits,omitempty"`
}

// Room is the floor of a room, x along the rows and y across them.
type Room struct {
	Bound [4]float64   `json:"bound_m"`           // the least and greatest x and y: x0, y0, x1, y1
	Walls bool         `json:"walls"`             // whether the floor ends at walls
	Halls [][4]float64 `json:"halls_m,omitempty"` // the floors of halls with walls, as Bound
	Doors []Line       `json:"doors"`             // their openings
	Gaps  []Gap        `json:"gaps,omitempty"`    // openings for cables in walls and floors of halls
	// HallNames are the names of halls, each at the floor between its walls or under its rows.
	HallNames []HallName `json:"hall_names,omitempty"`
	Rows      []Row      `json:"rows"`
	Aisle     []Aisle    `json:"aisles"`
	Kept      []Kept     `json:"keep_outs"`
}

// Gap is an opening for cables: its middle, its width, 0 where nothing states it, and its wall, empty for a floor or
// ceiling.
type Gap struct {
	At    [2]float64 `json:"at_m"`
	Width float64    `json:"width_m,omitempty"`
	Wall  string     `json:"wall,omitempty"`
}

// HallName is the name of a hall, with its floor as Bound.
type HallName struct {
	Name  string     `json:"name"`
	Bound [4]float64 `json:"bound_m"`
}

// Line is a straight line on the floor: x0, y0, x1, y1.
type Line [4]float64

// Row is a row of racks.
type Row struct {
	Name string     `json:"name"`
	Box  [4]float64 `json:"bound_m"` // x0, y0, x1, y1
	// Positions is how many positions the row has, those that columns and the like take included.
	Positions int `json:"positions"`
}

// Aisle is the floor between two rows.
type Aisle struct {
	Cold bool       `json:"cold"` // else hot
	Box  [4]float64 `json:"bound_m"`
}

// Kept is an area in which no rack stands.
type Kept struct {
	Name string `json:"name"`
	// Why is `keep-out`, `door`, `column`, `wall` or `reserved`.
	Why   string         `json:"why"`
	Rings [][][2]float64 `json:"rings_m"`
	// Height is that of what stands there, where the file states it.
	Height float64 `json:"height_m,omitempty"`
}

// Racks are columns of rack positions, or of containers.
type Racks struct {
	Level  string `json:"level"`   // what they are called in the layout
	Count  int    `json:"count"`   // of the columns' elements
	Names  Array  `json:"names"`   // texts
	X      Array  `json:"x_m"`     // of the middle
	Y      Array  `json:"y_m"`     // of the middle
	Z      Array  `json:"z_m"`     // of the bottom
	Width  Array  `json:"width_m"` // along x
	Depth  Array  `json:"depth_m"` // along y
	Height Array  `json:"height_m"`
	Units  Array  `json:"units"`      // usable rack units
	Turned Array  `json:"turned"`     // 1 where the front faces +y
	Boxes  Array  `json:"boxes"`      // how many stand there
	Used   Array  `json:"used_units"` // rack units
	Class  Array  `json:"class"`      // 1 for the end of a row, 2 for the middle of one, else 0
	Power  Array  `json:"power_w"`    // of boxes, optics and cable ends
	Limit  Array  `json:"limit_w"`    // 0 for no stated limit
	Weight Array  `json:"weight_kg"`  // of what stands there
}

// Trays are columns of pieces of tray.
type Trays struct {
	Levels []string  `json:"levels"`       // their names
	Limits []float64 `json:"limits"`       // the share of the section that may be filled; 0 for no limit
	Level  Array     `json:"level"`        // of the piece
	Ends   Array     `json:"ends_m"`       // six to a piece: x, y, z of both ends
	Cables Array     `json:"cables"`       // that lie on it
	Fill   Array     `json:"fill_percent"` // of its cross-section
}

// Boxes are columns of boxes, patch panels after the others. Their kinds follow from Kind.Count.
type Boxes struct {
	Count int   `json:"count"`
	Names Array `json:"names"` // texts
	Rack  Array `json:"rack"`  // index in Racks
	Unit  Array `json:"unit"`  // the lowest rack unit, 0 beside them
	Cell  Array `json:"cell"`  // in its chassis, from 0; -1 for a box in the rack itself
	Rear  Array `json:"rear"`  // 1 where the front of the box is at the rear of the rack
	X     Array `json:"x_m"`   // of the middle
	Y     Array `json:"y_m"`
	Z     Array `json:"z_m"`
}

// Bundles are columns of bundles and of the ways that they run. Points of a way are its corners along the trays, from
// the first rack to the second.
type Bundles struct {
	Count  int   `json:"count"`
	A      Array `json:"a"`        // rack
	B      Array `json:"b"`        // rack
	Way    Array `json:"way"`      // index in the ways, -1 for a bundle that is on no tray
	Cables Array `json:"cables"`   // that have a product
	Copper Array `json:"copper"`   // of them
	Far    Array `json:"length_m"` // that the longest of its cables needs

	Starts Array `json:"way_starts"`   // of each way: the number of its first point; one more at the end
	Points Array `json:"way_points_m"` // three to a point: x, y, z
	// Level is that of the trays of each way.
	Level Array `json:"way_level"`
	// Runs say which trays a way runs on: the start of each way's list, and the list of names and lengths.
	Runs      Array    `json:"way_runs"`
	RunNames  Array    `json:"run_names"` // index in TrayNames
	RunLength Array    `json:"run_length_m"`
	TrayNames []string `json:"tray_names"`
}

// Nest is a level of containers.
type Nest struct {
	Name  string `json:"name"`
	Holds int    `json:"holds"` // how many of the containers of Racks are in one
}

// Cords are columns of the cables between two containers of a level inside the same container of the level above it.
type Cords struct {
	Count    int   `json:"count"`
	Level    Array `json:"level"` // index in Nests
	A        Array `json:"a"`     // container of that level
	B        Array `json:"b"`     // the greater of the two
	Cables   Array `json:"cables"`
	Copper   Array `json:"copper"`     // of them
	Diameter Array `json:"diameter_m"` // of all together
	Starts   Array `json:"starts"`     // of each: the number of its first point; one more at the end
	Points   Array `json:"points_m"`   // three to a point: x, y, z, along the axes, or straight
}

// Cables are columns of links as they are built, in the order of cables.csv: a cable that carries several links has an
// element for each.
type Cables struct {
	Count   int   `json:"count"`
	Digits  int   `json:"digits"`   // of the number in an id
	IDs     Array `json:"ids"`      // texts; empty where ids are C and a number
	Number  Array `json:"cable"`    // from 1
	Leg     Array `json:"leg"`      // which link of its cable, from 1
	A       Array `json:"a"`        // box
	B       Array `json:"b"`        // box
	PortA   Array `json:"port_a"`   // from 0
	PortB   Array `json:"port_b"`   // from 0
	Product Array `json:"product"`  // index in Products, -1 where none can make it
	Level   Array `json:"level"`    // of the topology
	Within  Array `json:"within"`   // level of the layout
	Bundle  Array `json:"bundle"`   // from 1, 0 for none
	Length  Array `json:"length_m"` // needed
	Colour  Array `json:"colour"`   // index in CableColours
	// Parts are what lengths are made of, in tenths of a millimetre: rise, run, drop, manager, crossing, slack, loop
	// and rounding, and the slack from port to the middle of the rack at each end.
	Parts [10]Array `json:"parts_tenth_mm"`
	// Axes are what cables that are on no tray run along x, y and z, in the same unit.
	Axes [3]Array `json:"axes_tenth_mm"`
}

// Slack is what tells the pieces of slack apart.
type Slack struct {
	Percent float64 `json:"percent"` // of the route
	Route   string  `json:"route"`   // `tray`, `manhattan` or `direct`
}

// role is that of boxes of a kind.
func role(k *topology.Kind, service bool) string {
	switch {
	case k.Role == topology.Switch:
		return "switch"
	case service:
		return "service"
	}
	return "node"
}
