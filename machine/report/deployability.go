package report

import "github.com/plenum-planner/plenum/units"

// Deployability is how hard a planned machine is to build, to repair and to grow: the five figures of M. Zhang, R.
// Niranjan Mysore, S. Supittayapornpong and R. Govindan, "Understanding Lifecycle Management Complexity of Datacenter
// Topologies" (NSDI 2019, sections 2 and 3), and others of a cabling contractor. All are of the whole machine but the
// expansion, which is that of one fabric; docs/deployability.md defines them.
type Deployability struct {
	Switches int `json:"switches"` // boxes to mount that only pass messages on; nodes that also do are left out
	// Bundling is about the cables between racks; null where no level of the layout is a rack.
	Bundling *Bundling `json:"bundling"`
	Panels   int       `json:"panels"`      // patch panels, those of shuffles among them
	Racks    int       `json:"panel_racks"` // racks that hold panels
	// Unit is the unit of deployment.
	Unit DeployUnit `json:"unit"`
	// Replaceable is the smallest unit that is exchanged when a box fails.
	Replaceable ReplaceableUnit `json:"replaceable_unit"`
	Lengths     int             `json:"cable_lengths"`  // different lengths, as bought
	Products    int             `json:"cable_products"` // different parts of cables, lengths not distinguished
	Items       int             `json:"cable_items"`    // different parts of cables with their lengths
	LongestRun  units.Length    `json:"longest_run_m"`  // the greatest required length of a cable, slack included
	// Busiest is the number of cables in the piece of tray with the most; null without trays.
	Busiest *int64 `json:"busiest_section"`
	// Weight is that of all cables as bought whose parts state one.
	Weight    units.Mass `json:"cable_weight_kg"`
	Unweighed int64      `json:"cables_unweighed"` // cables not in the weight, those without a product among them
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

// Bundling counts what joins different racks. Cables without a product are in none of the figures.
type Bundling struct {
	Cables int64 `json:"cables"` // between different racks; a splitter counts where its first leg leads
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

// DeployUnit is the unit of deployment: the outermost of several groups of boxes of the topology with more than one
// switch in some group, else the rack, and without racks the box. Boxes in no group are not counted.
type DeployUnit struct {
	Name  string `json:"name"`  // of the group: `pod`, `group`; `rack` or `box`
	Count int    `json:"count"` // how many there are
	Boxes int    `json:"boxes"` // in the largest
	Racks int    `json:"racks"` // that the boxes of one of them are in, at most; 0 where no level is a rack
}

// ReplaceableUnit is a box, or the board that boxes are soldered to.
type ReplaceableUnit struct {
	Name  string `json:"name"`  // `box`, or the outermost level of the layout whose containers have traces
	Boxes int    `json:"boxes"` // in the largest; 1 for `box`
}

// Expansion is a growth of one fabric by a share of its nodes, in which boxes that exist get no more ports.
type Expansion struct {
	Added int `json:"nodes_added"` // nodes of the larger network that the network does not have
	// Residual is the share of the capacity that every switch keeps in a step.
	Residual float64 `json:"residual_capacity"`
	Rewired  int64   `json:"rewired_links"` // links between boxes that exist and that the larger network does not have
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
