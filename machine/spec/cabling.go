package spec

import (
	"slices"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/units"
)

// Route modes.
const (
	Direct    = "direct"    // straight line between the ports
	Manhattan = "manhattan" // along the axes
	Tray      = "tray"      // up to the trays, along them, and down
)

// Cabling says how cables run and which may be used where.
type Cabling struct {
	Route       string        `yaml:"route,omitempty" json:"route,omitempty"`
	Slack       Slack         `yaml:"slack,omitempty" json:"slack,omitzero"`
	Crossing    *units.Length `yaml:"crossing,omitempty" json:"crossing,omitempty" most:"10000"`
	Manager     string        `yaml:"manager,omitempty" json:"manager,omitempty"`
	Door        string        `yaml:"door,omitempty" json:"door,omitempty" jsonschema:"enum=left,enum=right"`
	RoundUp     units.Length  `yaml:"round_up,omitempty" json:"round_up,omitempty" most:"10000"`
	Bundle      int           `yaml:"bundle,omitempty" json:"bundle,omitempty" jsonschema:"minimum=1"`
	Media       []MediaRule   `yaml:"media,omitempty" json:"media,omitempty"`
	Colours     *Colours      `yaml:"colours,omitempty" json:"colours,omitempty"`
	Structured  *Structured   `yaml:"structured,omitempty" json:"structured,omitempty"`
	Shuffle     string        `yaml:"shuffle,omitempty" json:"shuffle,omitempty"`
	MatedPairs  int           `yaml:"mated_pairs,omitempty" json:"mated_pairs,omitempty" jsonschema:"minimum=1"`
	Consolidate *Consolidate  `yaml:"consolidate,omitempty" json:"consolidate,omitempty"`
	Excess      *Excess       `yaml:"excess,omitempty" json:"excess,omitempty" most:"10000" signed:"true"`
}

// ShuffleWays are the values of Cabling.Shuffle that say how the lanes of split ports are led.
var ShuffleWays = []string{RackShuffle, OctopusShuffle, BoxShuffle}

// Values of Cabling.Shuffle besides the part of a panel of shuffles.
const (
	AutoShuffle = "auto"
	NoShuffle   = "none"
	// RackShuffle has all shuffles in panels in racks, which auto does as well.
	RackShuffle = "rack"
	// OctopusShuffle has octopus cables that meet in patch panels in place of shuffles.
	OctopusShuffle = "octopus"
	// BoxShuffle would have shuffles inside boxes. No part has one, so that it is refused.
	BoxShuffle = "box"
)

// namesShufflePart reports whether a value of Cabling.Shuffle is the id of a part, or "".
func namesShufflePart(shuffle string) bool {
	return shuffle != AutoShuffle && shuffle != NoShuffle && !slices.Contains(ShuffleWays, shuffle)
}

// Structured is structured cabling: links over patch panels and trunks.
type Structured struct {
	Levels  []string `yaml:"levels,omitempty" json:"levels,omitempty"`
	Beyond  string   `yaml:"beyond,omitempty" json:"beyond,omitempty" jsonschema:"enum=rack,enum=row"`
	AtLeast int      `yaml:"at_least,omitempty" json:"at_least,omitempty" jsonschema:"minimum=1"`
	Panel   string   `yaml:"panel,omitempty" json:"panel,omitempty"`
	Trunk   string   `yaml:"trunk,omitempty" json:"trunk,omitempty"`
	Spare   float64  `yaml:"spare,omitempty" json:"spare,omitempty" jsonschema:"minimum=0"`
	// Panels are other panels by the names of racks.
	Panels map[string]string `yaml:"panels,omitempty" json:"panels,omitempty"`
	// Polarity is a method of TIA-568.3.
	Polarity string `yaml:"polarity,omitempty" json:"polarity,omitempty" jsonschema:"enum=A,enum=B,enum=C"`
}

// What a consolidation bounds.
const (
	PerFamily = "family"
	PerAll    = "all"
)

// Consolidate bounds the number of different cable products.
type Consolidate struct {
	Most int    `yaml:"most" json:"most" jsonschema:"minimum=1"`
	Per  string `yaml:"per,omitempty" json:"per,omitempty" jsonschema:"enum=family,enum=all"`
}

// Slack is length added to a cable beyond its route.
type Slack struct {
	Fixed   *units.Length `yaml:"fixed,omitempty" json:"fixed,omitempty" most:"10000"`
	InRack  *units.Length `yaml:"in_rack,omitempty" json:"in_rack,omitempty" most:"10000"`
	Percent float64       `yaml:"percent,omitempty" json:"percent,omitempty" jsonschema:"minimum=0" most:"1000"`
	Loop    units.Length  `yaml:"loop,omitempty" json:"loop,omitempty" most:"10000"`
}

// MediaRule allows media or parts for the links it matches. All conditions
// that are given must hold.
type MediaRule struct {
	Levels  []string     `yaml:"levels,omitempty" json:"levels,omitempty"`
	Fabrics []string     `yaml:"fabrics,omitempty" json:"fabrics,omitempty"`
	Boxes   []string     `yaml:"boxes,omitempty" json:"boxes,omitempty"`
	Within  string       `yaml:"within,omitempty" json:"within,omitempty"`
	Beyond  string       `yaml:"beyond,omitempty" json:"beyond,omitempty"`
	Longest units.Length `yaml:"longest,omitempty" json:"longest,omitempty"`
	Use     []string     `yaml:"use" json:"use"`
	// Ends are the kinds that both ends of a link have to be of.
	Ends []catalog.EndKind `yaml:"ends,omitempty" json:"ends,omitempty"`
}
