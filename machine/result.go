package machine

import (
	"context"
	"fmt"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/layout/drawing"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/names"
	"github.com/plenum-planner/plenum/units"
)

// Result is a planned machine. Its Network is that of a machine with one topology; of several fabrics, the graph that
// joins them over their boxes, with the delays of links only. Plan makes it; a zero Result is not usable, as it has
// no topology and no layout.
type Result struct {
	Spec *spec.Spec // with its defaults filled in
	Network
	// Fabrics are the networks of a machine that has several.
	Fabrics []*Network

	Catalog   *catalog.Catalog
	Prices    *catalog.PriceSet
	Placement *embed.Placement
	Schedule  *cabling.Schedule
	Costs
	// Drawing is that of the building, moved to where the room is; nil if the machine file names none.
	Drawing *drawing.Drawing
	// Lengths are those that the cables of every medium need.
	Lengths []CableLengths

	// Power is what is plugged into the feeds of the room; nil where it has none, or no box has outlets.
	Power *PowerPlan
	// Heat is where the heat goes; nil where no part states a share of liquid.
	Heat *report.Heat

	// Cooling is which coolant distribution units serve which racks; nil where the machine has none.
	Cooling *CoolingPlan

	Violations cabling.Violations
	// Notes say what the figures leave out.
	Notes []string

	// Existing are the boxes that exist already and that the machine has, by the names that the tables of what exists
	// have for them. It is nil where nothing is owned.
	Existing map[string]int32
	// Plugs says where links are plugged in and which cables lie already; nil where nothing is owned.
	Plugs *cabling.Plugs

	loads     func(level int) []ContainerLoad // what containers hold
	stock     map[catalog.Item]int64
	trayParts []*catalog.Part   // of each level of trays for data
	rackParts []*catalog.Part   // of each type of racks
	adapters  []*catalog.Part   // of each kind of vertex, nil for a kind without
	cables    *cabling.Problem  // that Schedule answers
	unbilled  cabling.PriceFunc // of pieces that the bill does not have
	// onTrays reports what lies on trays, once for all documents and drawings that have it.
	onTrays func() *report.Trays
	fitted  [][3]bool // of containers, by level and axis: whether the pitch was fitted to cables
	// unoptimized is the total of the bill without optimising, nil where none is known.
	unoptimized *units.Money
	wires       func() wireBound // nil where nothing is bounded
}

// Network is a topology with the delays that its plan gives it. A zero Network is not usable: it has no topology.
type Network struct {
	Name     string        // of the fabric, "" of a machine that has no others
	Topology topology.Spec // none where fabrics are joined
	Graph    topology.Graph
	Names    *names.Names // of the vertices of Graph
	Counts   topology.Counts
	Delays
	switches []int // of a fabric, its kinds of switches among those of the machine
}

// SwitchKinds are the kinds of the switches of a fabric among those of the machine.
func (n *Network) SwitchKinds() []int { return n.switches }

// Costs is what a plan costs.
type Costs struct {
	Bill *cost.Bill
	// Operation is nil where the machine file has no section operation, Uncertainty where no price is a range.
	Operation   *cost.Operation
	Uncertainty *cost.Uncertainty
	PerUnit     *cost.PerUnit
}

// Delays is what a plan does to delays. A summary, unless its paths were asked for, has LevelDelay, LayoutDelay and
// HopUnstated only; all else is zero.
type Delays struct {
	// LevelDelay and LayoutDelay are the delays of links by topology level and by
	// layout level.
	LevelDelay, LayoutDelay []delay.Class
	// Model and Links are what delays are made of: every link with its length and
	// medium, in the order of Graph.Links.
	Model delay.Model
	Links delay.Links
	// Delay is about paths between nodes.
	Delay *delay.Result
	// Stretch is how much longer the paths are than straight lines.
	Stretch *delay.Stretch
	// Routed is the delays along the paths of routing functions that were asked
	// for.
	Routed []*delay.Routed
	// Alpha and Beta stand for all hop and propagation delays in the CLEX paper's
	// definition of delay, alpha*hops + beta*distance.
	Alpha units.Time
	Beta  units.Propagation
	// HopUnstated are the parts whose hop delays nothing states: without them, all delays are lower bounds.
	HopUnstated []report.Unstated
}

// Broken reports whether the plan breaks a design rule of severity error, accepted violations left out.
func (p *Result) Broken() bool { return p.Violations.Errors() > 0 }

// Room returns the room, nil for containers.
func (p *Result) Room() *layout.Room { return p.Placement.Layout.Room }

// Wires is the time that a signal takes on each link, in the order of Graph.Links,
// with the propagation delay of an override, if it has one. A plan that keeps no
// lengths, being a summary, gives nil.
func (d *Delays) Wires(o delay.Override) []units.Time {
	if d.Links.Count() == 0 {
		return nil
	}
	return d.Model.With(nil, delay.Override{Propagation: o.Propagation}).Wires(d.Links)
}

// Cycles measures the plan in cycles of a clock, with the delays of an override in
// place of the parts'. A plan that keeps no lengths, being a summary, gives nil.
func (n *Network) Cycles(clock units.Frequency, o delay.Override) *delay.Cycles {
	if n.Links.Count() == 0 {
		return nil
	}
	return n.Model.With(n.Graph.Kinds(), o).Cycles(n.Graph, n.Links, clock)
}

// Seen is the network as packets see it: without the circuit switches of a topology.Optical, every two cables that one
// joins a single link of both their lengths. Any other network is returned as it is.
func (n *Network) Seen() *Network {
	if _, ok := n.Graph.(topology.Optical); !ok {
		return n
	}
	out := *n
	out.Graph, out.Model, out.Links = seen(n.Graph, n.Model, n.Links)
	if n.Names != nil {
		out.Names = n.Names.In(out.Graph, func(v int) int { return v }) // its vertices are the first
	}
	return &out
}

// Fabric finds a network by the name of the fabric. Without a name it is that of a machine with one topology. The error
// names the fabrics that there are.
func (p *Result) Fabric(name string) (*Network, error) {
	if _, err := p.Spec.Fabric(name); err != nil {
		return nil, err
	}
	for _, f := range p.Fabrics {
		if f.Name == name {
			return f, nil
		}
	}
	return &p.Network, nil
}

// Topology builds the topology of a machine, or that of one of several fabrics with the boxes that are plugged into it,
// in the order of its ends, as nothing is placed. Errors are those of Plan and of spec.Spec.Fabric, except that
// mistakes of a machine's single topology are those of topology.New: named by its parameters, without a place in the
// file.
//
// The names are those that can be known without a plan: not those that say where a box stands.
func Topology(given *spec.Spec, fabric string) (topology.Graph, *names.Names, error) {
	if _, err := given.Fabric(fabric); err != nil {
		return nil, nil, err
	}
	if len(given.Fabrics) == 0 {
		g, err := topology.New(given.Topology)
		if err != nil {
			return nil, nil, err
		}
		called, err := namesAlone(given, g)
		return g, called, err
	}
	r, err := resolveRacked(context.Background(), given)
	if err != nil {
		return nil, nil, located(given, err)
	}
	for _, f := range r.fabrics {
		if f.name == fabric {
			return f.graph, r.namesIn(f), nil
		}
	}
	return nil, nil, fmt.Errorf("machine: no fabric %q", fabric)
}

// RackPart is the part of the rack at a rack position, by its index in Room().Places; nil where the machine file names
// none. It must not be called for containers.
func (p *Result) RackPart(place int32) *catalog.Part {
	if i := p.Room().Places[place].Type; i < len(p.rackParts) {
		return p.rackParts[i]
	}
	return nil
}
