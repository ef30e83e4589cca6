package cost

import (
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// EstimatedFabric is one network of a machine that has several.
type EstimatedFabric struct {
	Name        string // before the names of its levels: "compute/tier1"
	Topology    topology.Spec
	Nodes, Ends int   // boxes that are plugged in: nodes, and all
	Boxes       []int // the kinds of these boxes
	Kinds       []int // those of its switches
}

// EstimateFabric is one network of a machine of several. What the fabrics share, such as racks, is in the figures of
// the machine.
type EstimateFabric struct {
	Name     string        `json:"name"`     // as in the machine file
	Topology topology.Spec `json:"topology"` // its family and parameters
	Nodes    int           `json:"nodes"`    // the nodes that are plugged in
	// Ends are all boxes that are plugged in: nodes, services, and switches of other fabrics.
	Ends     int            `json:"ends"`
	Switches int            `json:"switches"` // its own
	Links    int64          `json:"links"`    // its channels, uplinks to other fabrics too
	Cables   int64          `json:"cables"`   // those of these links
	Length   EstimateLength `json:"length_m"` // of these cables
	// Levels are the links by the level of its topology, and `uplink` to other fabrics.
	Levels []EstimateLevel `json:"levels"`
	// Cost is of what it does not share; left out by models without money.
	Cost *FabricCost `json:"cost,omitempty"`
}

// FabricCost is what a fabric costs without spares and labour.
type FabricCost struct {
	Total    units.Money `json:"total"`    // switches and cables
	Switches units.Money `json:"switches"` // boxes of its switches; those without a price are left out
	Cables   units.Money `json:"cables"`   // cables and the optics that they light
}

// lead are the kinds of boxes of the first fabric; none of a machine with one topology.
func (r *reckoner) lead() []int {
	if len(r.in.Fabrics) == 0 {
		return nil
	}
	return r.in.Fabrics[0].Boxes
}

// beyond is how far cables of a kind go on out of the room.
func (r *reckoner) beyond(kind int) units.Length {
	if r.in.Boxes == nil {
		return 0
	}
	return r.in.Boxes[kind].Beyond
}

// ofSwitches books what the switches of a kind cost on their fabric.
func (r *reckoner) ofSwitches(kind int, price units.Money) {
	for i := range r.in.Fabrics {
		if slices.Contains(r.in.Fabrics[i].Kinds, kind) {
			r.switchCost[i] += price
		}
	}
}

// fabrics divides the figures among the networks of a machine that has several.
func (r *reckoner) fabrics() {
	for i := range r.in.Fabrics {
		of := &r.in.Fabrics[i]
		f := EstimateFabric{
			Name: of.Name, Topology: of.Topology, Nodes: of.Nodes, Ends: of.Ends,
		}
		if r.e.Cost != nil {
			f.Cost = &FabricCost{Switches: r.switchCost[i]}
		}
		for _, k := range of.Kinds {
			f.Switches += r.in.Graph.Kinds()[k].Count
		}
		for level, l := range r.e.Levels {
			name, own := strings.CutPrefix(l.Level, of.Name+"/")
			if !own {
				continue
			}
			l.Level = name
			f.Levels = append(f.Levels, l)
			f.Links += l.Links
			f.Cables += l.Cables
			if r.metres != nil {
				f.Length.Total += r.metres[level]
			}
			f.Length.Max = max(f.Length.Max, l.Max)
			if l.Cost != nil {
				f.Cost.Cables += *l.Cost
			}
		}
		if f.Cables > 0 {
			f.Length.Mean = roundTo4(f.Length.Total / units.Length(f.Cables))
		}
		f.Length.Total = roundTo4(f.Length.Total)
		if f.Cost != nil {
			f.Cost.Total = f.Cost.Switches + f.Cost.Cables
		}
		r.e.Fabrics = append(r.e.Fabrics, f)
	}
}
