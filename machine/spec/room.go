package spec

import (
	"encoding/json"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/units"
)

// Room is either racks in rows or, if Containers is given, containers.
type Room struct {
	Containers []Container `yaml:"containers,omitempty" json:"containers,omitempty"`

	Width *units.Length `yaml:"width,omitempty" json:"width,omitempty" most:"10000"`
	Depth *units.Length `yaml:"depth,omitempty" json:"depth,omitempty" most:"10000"`
	Doors []Door        `yaml:"doors,omitempty" json:"doors,omitempty"`

	Drawing *Drawing `yaml:"drawing,omitempty" json:"drawing,omitempty"`
	Tile    *Tile    `yaml:"tile,omitempty" json:"tile,omitempty"`

	Rows        Rows `yaml:"rows,omitempty" json:"rows,omitzero" jsonschema:"minimum=1" most:"10000"`
	RacksPerRow int  `yaml:"racks_per_row,omitempty" json:"racks_per_row,omitempty" jsonschema:"minimum=1" most:"10000"`

	RackList string `yaml:"rack_list,omitempty" json:"rack_list,omitempty"`

	Rack      string        `yaml:"rack,omitempty" json:"rack,omitempty"`
	RackTypes []RackType    `yaml:"rack_types,omitempty" json:"rack_types,omitempty"`
	ColdAisle *units.Length `yaml:"cold_aisle,omitempty" json:"cold_aisle,omitempty" most:"10000"`
	HotAisle  *units.Length `yaml:"hot_aisle,omitempty" json:"hot_aisle,omitempty" most:"10000"`
	// AisleClear is what stays free of every aisle beside columns and keep-outs.
	AisleClear *units.Length `yaml:"aisle_clear,omitempty" json:"aisle_clear,omitempty" most:"10000"`

	Facing    string        `yaml:"facing,omitempty" json:"facing,omitempty" jsonschema:"enum=alternate,enum=same"`
	Gaps      []Gap         `yaml:"gaps,omitempty" json:"gaps,omitempty"`
	Margin    *units.Length `yaml:"margin,omitempty" json:"margin,omitempty" most:"10000"`
	Columns   []Rect        `yaml:"columns,omitempty" json:"columns,omitempty"`
	KeepOuts  []Area        `yaml:"keep_outs,omitempty" json:"keep_outs,omitempty"`
	RowPower  units.Power   `yaml:"row_power,omitempty" json:"row_power,omitempty"`
	RowWeight units.Mass    `yaml:"row_weight,omitempty" json:"row_weight,omitempty"`

	FloorLoad units.FloorLoad `yaml:"floor_load,omitempty" json:"floor_load,omitempty"`

	Trays Trays  `yaml:"trays,omitempty" json:"trays,omitzero"`
	Halls []Hall `yaml:"halls,omitempty" json:"halls,omitempty"`
	Feeds []Feed `yaml:"feeds,omitempty" json:"feeds,omitempty"`
	Loops []Loop `yaml:"loops,omitempty" json:"loops,omitempty" items:"10000"`
	// RowAir is the most heat that the air of a row takes; 0 for no stated limit.
	RowAir units.Power `yaml:"row_air,omitempty" json:"row_air,omitempty"`
}

// Loop is a loop of coolant: boxes that cool it, and the racks that it serves.
type Loop struct {
	Name string `yaml:"name" json:"name" letters:"64"`
	// CDUs is the kind of boxes that cool it, those in the halls of its racks before others.
	CDUs string `yaml:"cdus" json:"cdus"`
	// Count is how many it has: 0 for all in the halls of its racks that no other loop has, and at least one.
	Count int `yaml:"count,omitempty" json:"count,omitempty" jsonschema:"minimum=1" most:"1000"`
	Spare int `yaml:"spare,omitempty" json:"spare,omitempty" most:"1000"`
	// Racks are rows, positions, ranges of either, and templates of racks; all racks if there are none.
	Racks     []string   `yaml:"racks,omitempty" json:"racks,omitempty" items:"10000"`
	FlowPerKW units.Flow `yaml:"flow_per_kw,omitempty" json:"flow_per_kw,omitempty"`
	// Hose is the part of its hoses; none are bought if it is empty.
	Hose      string       `yaml:"hose,omitempty" json:"hose,omitempty"`
	HoseSlack units.Length `yaml:"hose_slack,omitempty" json:"hose_slack,omitempty" most:"100"`

	grows bool // takes more units than Count, in the larger machine of Grown
}

// TakesMore reports whether the loop takes what is left of its units in the halls of its racks.
func (l *Loop) TakesMore() bool { return l.Count == 0 || l.grows }

// Tile is a tile of a raised floor, and where the grid of them begins.
type Tile struct {
	Width *units.Length `yaml:"width,omitempty" json:"width,omitempty" most:"100"`
	Depth *units.Length `yaml:"depth,omitempty" json:"depth,omitempty" most:"100"`
	X     units.Length  `yaml:"x,omitempty" json:"x,omitempty" signed:"true" most:"10000"`
	Y     units.Length  `yaml:"y,omitempty" json:"y,omitempty" signed:"true" most:"10000"`
}

// DefaultTile is the side of a tile of which nothing is said: 600 mm are the usual one of raised floors.
const DefaultTile units.Length = 0.6

// Size is its width and depth.
func (t *Tile) Size() (width, depth units.Length) {
	width, depth = DefaultTile, DefaultTile
	if t.Width != nil {
		width = *t.Width
	}
	if t.Depth != nil {
		depth = *t.Depth
	}
	return width, depth
}

// Feed is a supply of power and what draws from it: rows ("A"), rack positions ("B03") and ranges of either, all racks
// if there are none. Racks may draw from several feeds.
type Feed struct {
	Name  string   `yaml:"name" json:"name"`
	Racks []string `yaml:"racks,omitempty" json:"racks,omitempty"`

	Volts    units.Voltage `yaml:"volts,omitempty" json:"volts,omitempty"`
	Breaker  units.Current `yaml:"breaker,omitempty" json:"breaker,omitempty"`
	RowPower units.Power   `yaml:"row_power,omitempty" json:"row_power,omitempty"`

	BreakerLoad int `yaml:"breaker_load,omitempty" json:"breaker_load,omitempty" jsonschema:"minimum=1" most:"100"`
}

// DefaultBreakerLoad is the share of a breaker's rating that a load may have for hours, in per cent: by the National
// Electrical Code of the United States.
const DefaultBreakerLoad = 80

// Drawing is the drawing of the building that the room is in.
type Drawing struct {
	File     string        `yaml:"file" json:"file"`
	Unit     string        `yaml:"unit,omitempty" json:"unit,omitempty"`
	Property string        `yaml:"property,omitempty" json:"property,omitempty"`
	Pixel    units.Length  `yaml:"pixel,omitempty" json:"pixel,omitempty" most:"100"`
	Origin   []float64     `yaml:"origin,omitempty" json:"origin,omitempty" signed:"true"`
	Rotate   float64       `yaml:"rotate,omitempty" json:"rotate,omitempty" signed:"true"`
	Layers   DrawingLayers `yaml:"layers,omitempty" json:"layers,omitzero"`
}

// DrawingLayers says what is drawn on which layers, by names or patterns.
type DrawingLayers struct {
	Outline  []string `yaml:"outline,omitempty" json:"outline,omitempty"`
	Walls    []string `yaml:"walls,omitempty" json:"walls,omitempty"`
	Columns  []string `yaml:"columns,omitempty" json:"columns,omitempty"`
	KeepOuts []string `yaml:"keep_outs,omitempty" json:"keep_outs,omitempty"`
	Doors    []string `yaml:"doors,omitempty" json:"doors,omitempty"`
}

// Door is a door in a wall of a room, and the floor before it.
type Door struct {
	Name  string        `yaml:"name,omitempty" json:"name,omitempty"`
	Wall  string        `yaml:"wall" json:"wall" jsonschema:"enum=south,enum=east,enum=north,enum=west"`
	At    units.Length  `yaml:"at" json:"at" most:"10000"`
	Width units.Length  `yaml:"width" json:"width" most:"10000"`
	Clear *units.Length `yaml:"clear,omitempty" json:"clear,omitempty" most:"10000"`
}

// Container is one level of containers.
type Container struct {
	Name  string       `yaml:"name" json:"name" letters:"64"`
	Count []int        `yaml:"count,omitempty" json:"count,omitempty" jsonschema:"minimum=1"`
	Pitch []Pitch      `yaml:"pitch,omitempty" json:"pitch,omitempty" most:"10000"`
	Gap   units.Length `yaml:"gap,omitempty" json:"gap,omitempty" most:"10000"`
	Fill  float64      `yaml:"fill,omitempty" json:"fill,omitempty"`
	Links string       `yaml:"links,omitempty" json:"links,omitempty" jsonschema:"enum=trace,enum=cable"`
	Is    layout.Role  `yaml:"is,omitempty" json:"is,omitempty" jsonschema:"enum=hall,enum=row,enum=rack"`
	Part  string       `yaml:"part,omitempty" json:"part,omitempty"`
}

// Gap is a cross-aisle after a given rack position of every row.
type Gap struct {
	After int          `yaml:"after" json:"after" jsonschema:"minimum=1"`
	Width units.Length `yaml:"width" json:"width" most:"10000"`
}

// Rect is a rectangle on the floor.
type Rect struct {
	X     units.Length `yaml:"x" json:"x" signed:"true" most:"10000"`
	Y     units.Length `yaml:"y" json:"y" signed:"true" most:"10000"`
	Width units.Length `yaml:"width" json:"width" most:"10000"`
	Depth units.Length `yaml:"depth" json:"depth" most:"10000"`
}

// Area is a polygon on the floor, and how high what stands there is.
type Area struct {
	Name   string           `yaml:"name,omitempty" json:"name,omitempty"`
	Height units.Length     `yaml:"height,omitempty" json:"height,omitempty" most:"1000"`
	Points [][]units.Length `yaml:"points" json:"points" signed:"true" most:"10000"`
}

// Trays describes the cable trays: on every level one along every row, joined by
// cross trays. Without Levels there is one overhead level, which takes every
// cable.
type Trays struct {
	Height     units.Length  `yaml:"height,omitempty" json:"height,omitempty" most:"10000"`
	Cross      []int         `yaml:"cross,omitempty" json:"cross,omitempty"`
	Part       string        `yaml:"part,omitempty" json:"part,omitempty"`
	Count      int           `yaml:"count,omitempty" json:"count,omitempty" jsonschema:"minimum=1"`
	Fill       float64       `yaml:"fill,omitempty" json:"fill,omitempty"`
	Levels     []TrayLevel   `yaml:"levels,omitempty" json:"levels,omitempty"`
	Paths      []TrayPath    `yaml:"paths,omitempty" json:"paths,omitempty"`
	Separation *units.Length `yaml:"separation,omitempty" json:"separation,omitempty" most:"10000"`
}

// TrayLevel is one level of trays.
type TrayLevel struct {
	Name   string        `yaml:"name" json:"name" letters:"64"`
	Height *units.Length `yaml:"height,omitempty" json:"height,omitempty" signed:"true" most:"10000"`
	Cross  []int         `yaml:"cross,omitempty" json:"cross,omitempty"`
	Part   string        `yaml:"part,omitempty" json:"part,omitempty"`
	Count  int           `yaml:"count,omitempty" json:"count,omitempty" jsonschema:"minimum=1"`
	Fill   float64       `yaml:"fill,omitempty" json:"fill,omitempty"`
	Use    []string      `yaml:"use,omitempty" json:"use,omitempty"`
	Power  bool          `yaml:"power,omitempty" json:"power,omitempty"`
}

// TrayPath is a declared way between two rows, or through openings in the walls or floors of two halls.
type TrayPath struct {
	Name   string       `yaml:"name" json:"name"`
	From   PathEnd      `yaml:"from" json:"from"`
	To     PathEnd      `yaml:"to" json:"to"`
	Length units.Length `yaml:"length,omitempty" json:"length,omitempty" most:"10000"`
	Levels []string     `yaml:"levels,omitempty" json:"levels,omitempty"`
	// Width and Height are the clear opening for the trays of one level; 0 for one as large as these.
	Width  units.Length `yaml:"width,omitempty" json:"width,omitempty" most:"100"`
	Height units.Length `yaml:"height,omitempty" json:"height,omitempty" most:"100"`
}

// PathEnd is where a declared path ends: at a rack position, or at an opening of a hall.
type PathEnd struct {
	Position string       // name of a rack position; "" where Opening is given
	Opening  *HallOpening // nil for a rack position
}

// HallOpening is an opening in a wall of a hall, or, with X and Y, in its floor or ceiling.
type HallOpening struct {
	Hall string `yaml:"hall" json:"hall"`

	Wall string `yaml:"wall,omitempty" json:"wall,omitempty" jsonschema:"enum=south,enum=east,enum=north,enum=west"`

	At *units.Length `yaml:"at,omitempty" json:"at,omitempty" most:"10000"`
	X  *units.Length `yaml:"x,omitempty" json:"x,omitempty" most:"10000"`
	Y  *units.Length `yaml:"y,omitempty" json:"y,omitempty" most:"10000"`
}

// Written implements strictyaml.Alternative: a section is an opening, anything else the name of a rack position.
func (e *PathEnd) Written(tag string) (target any, take func()) {
	if tag == "!!map" {
		e.Opening = &HallOpening{}
		return e.Opening, func() {}
	}
	return &e.Position, func() {}
}

// value returns the opening, or the name of the position where there is none.
func (e PathEnd) value() any {
	if e.Opening != nil {
		return e.Opening
	}
	return e.Position
}

// MarshalYAML writes a name or a section.
func (e PathEnd) MarshalYAML() (any, error) { return e.value(), nil }

// MarshalJSON writes a name or a section.
func (e PathEnd) MarshalJSON() ([]byte, error) { return json.Marshal(e.value()) }

// Point returns where the opening is, from the south-western corner of a hall of a size.
func (o *HallOpening) Point(width, depth units.Length) (x, y units.Length) {
	at := func(l *units.Length) units.Length {
		if l == nil {
			return 0
		}
		return *l
	}
	switch o.Wall {
	case "south":
		return at(o.At), 0
	case "north":
		return at(o.At), depth
	case "west":
		return 0, at(o.At)
	case "east":
		return width, at(o.At)
	}
	return at(o.X), at(o.Y)
}

// Hall is a hall or a floor with some of the rows.
type Hall struct {
	Name     string        `yaml:"name" json:"name" letters:"64"`
	Rows     int           `yaml:"rows" json:"rows" jsonschema:"minimum=1" most:"10000"`
	Distance *units.Length `yaml:"distance,omitempty" json:"distance,omitempty" most:"10000"`
	Floor    units.Length  `yaml:"floor,omitempty" json:"floor,omitempty" signed:"true" most:"10000"`
	Width    *units.Length `yaml:"width,omitempty" json:"width,omitempty" most:"10000"`
	Depth    *units.Length `yaml:"depth,omitempty" json:"depth,omitempty" most:"10000"`
	Doors    []Door        `yaml:"doors,omitempty" json:"doors,omitempty"`
}
