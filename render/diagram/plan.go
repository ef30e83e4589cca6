package diagram

import (
	"cmp"
	"slices"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// Planned is the topology of a plan, or of one of its fabrics, with racks as groups: rows where there are too many, and
// of containers those of the lowest level that has few enough. The error is that of Result.Fabric.
func Planned(r *machine.Result, fabric string) (*Subject, error) {
	network := &r.Network // that of all fabrics together
	if fabric != "" {
		var err error
		if network, err = r.Fabric(fabric); err != nil {
			return nil, err
		}
	}
	s := &Subject{Name: cmp.Or(r.Spec.Name, "machine"), Graph: network.Graph, Label: network.Graph.Label}
	if network.Name != "" {
		s.Name += ": " + network.Name
	}
	if network.Names != nil {
		s.Label = network.Names.NameOrAddress
	}
	box := boxes(r, network)
	l := r.Placement.Layout
	level := layout.RackLevel
	if l.Room != nil {
		s.Word = "rack"
		if len(r.Placement.Racks) > mostGroups {
			level, s.Word = layout.RowLevel, "row"
		}
	} else {
		level = 0
		deepest := len(l.Levels) - 1
		if rack := l.LevelOf(layout.RoleRack); rack >= 0 {
			deepest = rack
		}
		for level < deepest && l.Slots()/l.Tree.Cells(level+1) <= mostGroups {
			level++
		}
		s.Word = l.Levels[level].Name
	}
	var used []int32
	for v := range topology.Vertices(network.Graph) {
		if b := box(v); b >= 0 {
			used = append(used, l.Container(level, r.Placement.Slot[b]))
		}
	}
	slices.Sort(used)
	used = slices.Compact(used)
	number := map[int32]int32{}
	for i, c := range used {
		number[c] = int32(i)
		s.Groups = append(s.Groups, l.ContainerName(level, c))
	}
	s.Of = func(v int) int32 {
		if b := box(v); b >= 0 {
			return number[l.Container(level, r.Placement.Slot[b])]
		}
		return -1
	}
	return s, nil
}

// boxes finds the box of each vertex of a network: itself in that of the machine, that of its name in a fabric's; -1
// where there is none.
func boxes(r *machine.Result, network *machine.Network) func(v int) int {
	if network == &r.Network || r.Names == nil || network.Names == nil {
		return func(v int) int { return v }
	}
	named := map[string]int{}
	for v := range topology.Vertices(r.Graph) {
		named[r.Names.NameOrAddress(v)] = v
	}
	return func(v int) int {
		if b, is := named[network.Names.NameOrAddress(v)]; is {
			return b
		}
		return -1
	}
}
