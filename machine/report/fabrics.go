package report

import (
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/topology"
)

// Boxes are a kind of boxes of a machine of several fabrics.
type Boxes struct {
	Name string `json:"name"` // of the kind
	// Role is `node`, `service` for what serves the nodes, or `switch`.
	Role string `json:"role"`
	Part string `json:"part"` // its id
	Qty  int    `json:"qty"`  // how many there are
	// Fabric is that of a kind of switches; left out of other boxes.
	Fabric string `json:"fabric,omitempty"`
}

// Fabric is one network of a machine of several, with what a plan of it alone has at the top. What the fabrics share,
// such as racks, trays, nodes and labour, is in the figures of the machine.
type Fabric struct {
	Name     string        `json:"name"`     // as in the machine file
	Topology topology.Spec `json:"topology"` // its family and parameters
	Nodes    int           `json:"nodes"`    // the nodes that are plugged in
	// Ends are all boxes that are plugged in: nodes, services, and switches of other fabrics.
	Ends     int   `json:"ends"`
	Switches int   `json:"switches"` // its own
	Links    int64 `json:"links"`    // its channels, uplinks to other fabrics too
	Cables   int64 `json:"cables"`   // pieces of cable of these links
	// Levels are the links by the level of its topology, and `uplink` to other fabrics.
	Levels []Level         `json:"levels"`
	Cost   cost.FabricCost `json:"cost"` // of what it does not share
	// Spares are those that the fabric itself asks for, part of the spares of the bill; left out where it asks for
	// none.
	Spares []cost.Spare `json:"spares,omitempty"`
	// Delay is what paths between the boxes that are plugged in take; null where none were measured, as in a summary.
	Delay *Delay `json:"delay"`
}
