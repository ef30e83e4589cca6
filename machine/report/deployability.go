package report

import "github.com/plenum-planner/plenum/units"

// Deployability is how hard a planned machine is to build, to repair and to grow: the five figures of M. Zhang,
// R. Niranjan Mysore, S. Supittayapornpong and R. Govindan, "Understanding Lifecycle Management Complexity of
// Datacenter Topologies" (NSDI 2019, sections 2 and 3), and others of a cabling contractor. Of a machine with several
// fabrics, all are of the whole machine but the expansion; docs/deployability.md defines them.
type Deployability struct {
	Switches int `json:"switches"` // boxes to mount that only pass messages on
	// Bundling is about the cables between racks; null where no level of the layout is a rack.
	Bundling *Bundling `json:"bundling"`
	Panels   int       `json:"panels"`      // patch panels, those of shuffles among them
	Racks    int       `json:"panel_racks"` // racks that hold panels
	// Unit is the unit of deployment.
	Unit DeployUnit `json:"unit"`
	// Replaceable is the smallest unit that is exchanged when a box fails.
	Replaceable ReplaceableUnit `json:"replaceable_unit"`
	Lengths     int             `json:"cable_lengths"`  // different lengths, as bought
	Products    int             `json:"cable_products"` // different parts, lengths not distinguished
	Items       int             `json:"cable_items"`    // different parts with their lengths: lines of an order
	LongestRun  units.Length    `json:"longest_run_m"`  // what the longest cable needs, slack included
	// Busiest is the cables in the piece of tray with the most; null without trays.
	Busiest *int64 `json:"busiest_section"`
	// Weight is that of all cables as bought whose parts state one.
	Weight    units.Mass `json:"cable_weight_kg"`
	Unweighed int64      `json:"cables_unweighed"` // cables that are not in the weight
	// Build is the work of building the machine; null where it was not scheduled.
	Build *BuildWork `json:"build"`
	// Expansion is a step of growth; null where none is known.
	Expansion *Expansion `json:"expansion"`
	// ExpansionUnknown says why none is known; left out where one is.
	ExpansionUnknown string `json:"expansion_unknown,omitempty"`
}

// BuildWork is the work of building a machine, as plenum build schedules it where nothing is said. Most labour figures
// are estimates.
type BuildWork struct {
	Labour      string  `json:"labour"`        // the set of labour figures
	Days        int     `json:"days"`          // working days
	Hours       float64 `json:"duration_h"`    // working hours that it takes
	Least       float64 `json:"lower_bound_h"` // that no schedule with as many people beats
	PersonHours float64 `json:"person_hours"`  // of all people
}

// Bundling counts what joins different racks. Cables without a product are in no bundle and in no harness.
type Bundling struct {
	Cables int64 `json:"cables"` // between different racks
	// Links are those that the cables carry: each takes a place on a panel at either end where all run over panels.
	Links int64 `json:"links"`
	// Bundles are the links between the same two racks in cables of one length, as bought.
	Bundles int `json:"bundles"`
	Types   int `json:"bundle_types"` // different pairs of the number of links in a bundle and its length
	// Harnesses are the pairs of racks that cables join.
	Harnesses int `json:"harnesses"`
	// HarnessKinds are the different lists of the lengths of all cables of a harness.
	HarnessKinds int `json:"harness_kinds"`
	// StandardShare is the share of the harnesses that are of a kind with another harness; null without harnesses.
	StandardShare *float64 `json:"standard_harness_share"`
}

// DeployUnit is the unit of deployment: the outermost group of boxes of the topology, or the rack where the topology
// has no groups larger than a switch with its nodes.
type DeployUnit struct {
	Name  string `json:"name"`  // of the group: `pod`, `group`, `rack`
	Count int    `json:"count"` // how many there are
	Boxes int    `json:"boxes"` // in the largest
	Racks int    `json:"racks"` // that the boxes of one of them are in, at most; 0 where no level is a rack
}

// ReplaceableUnit is a box, or the board that boxes are soldered to.
type ReplaceableUnit struct {
	Name  string `json:"name"`  // `box`, or the level of the layout whose containers have traces
	Boxes int    `json:"boxes"` // in the largest
}

// Expansion is a step of growth in which boxes that exist keep their ports: no box gets more of them.
type Expansion struct {
	Added int `json:"nodes_added"` // nodes of the larger network that the network does not have
	// Residual is the share of the capacity that every switch keeps in a step.
	Residual float64 `json:"residual_capacity"`
	Rewired  int64   `json:"rewired_links"` // links between boxes that exist which the larger network does not have
	// LeastRewired is a lower bound on them, for all positions that boxes can take among those of their kind.
	LeastRewired int64 `json:"rewired_links_at_least"`
	Steps        int   `json:"steps"`          // rounds of draining, rewiring and taking back into service
	LeastSteps   int   `json:"steps_at_least"` // a lower bound for these rewired links
	// PerPanelRack is the rewired links for each rack with panels and each step; null without panels or steps.
	PerPanelRack *float64 `json:"rewired_links_per_panel_rack_step"`
	// BelowResidual counts the switches that have so few links that rewiring any takes them below the residual
	// capacity; they rewire one link in a step.
	BelowResidual int `json:"switches_below_residual"`
}
