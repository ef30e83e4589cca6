package deployability

import (
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/topology"
)

// deployUnit returns the unit in which a network is deployed: the groups of the coarsest grouping of the graph that has
// several groups and more than one switch in some group; the rack if there is none, and the box without racks.
func deployUnit(g topology.Graph, at *embed.Placement) report.DeployUnit {
	n := topology.Vertices(g)
	rack := at.Layout.LevelOf(layout.RoleRack)
	nests := g.Groupings()
	for i := len(nests) - 1; i >= 0; i-- {
		if unit, ok := unitOf(g, at, rack, nests[i]); ok {
			return unit
		}
	}
	if rack < 0 {
		return report.DeployUnit{Name: "box", Count: n, Boxes: 1}
	}
	boxes := map[int32]int{}
	unit := report.DeployUnit{Name: "rack", Racks: 1}
	for v := range n {
		c := at.Layout.Container(rack, at.Slot[v])
		boxes[c]++
		unit.Boxes = max(unit.Boxes, boxes[c])
	}
	unit.Count = len(boxes)
	return unit
}

// unitOf returns the figures of the groups of a grouping. It returns false if there is only one group, or one switch in
// each.
func unitOf(g topology.Graph, at *embed.Placement, rack int, nest topology.Grouping) (report.DeployUnit, bool) {
	unit := report.DeployUnit{Name: nest.Name, Count: nest.Count}
	type place struct{ group, rack int32 }
	boxes, forward, racks := make([]int, nest.Count), make([]int, nest.Count), make([]int, nest.Count)
	seen := map[place]bool{}
	several := false
	for _, k := range g.Kinds() {
		for v := k.First; v < k.First+k.Count; v++ {
			group := nest.Of(v)
			if group < 0 {
				continue
			}
			boxes[group]++
			unit.Boxes = max(unit.Boxes, boxes[group])
			if k.Role != topology.Terminal {
				forward[group]++
				several = several || forward[group] > 1
			}
			if rack < 0 {
				continue
			}
			p := place{group, at.Layout.Container(rack, at.Slot[v])}
			if !seen[p] {
				seen[p] = true
				racks[group]++
				unit.Racks = max(unit.Racks, racks[group])
			}
		}
	}
	return unit, several && nest.Count > 1
}

// replaceable returns the unit that is replaced as a whole: the outermost level of containers whose boxes are connected
// by traces, or the box if there is none.
func replaceable(l *layout.Layout, slots []int32) report.ReplaceableUnit {
	for i := range l.Levels {
		if !l.Levels[i].Traces {
			continue
		}
		out := report.ReplaceableUnit{Name: l.Levels[i].Name}
		boxes := map[int32]int{}
		for _, slot := range slots {
			if c := l.Container(i, slot); c >= 0 {
				boxes[c]++
				out.Boxes = max(out.Boxes, boxes[c])
			}
		}
		if out.Boxes > 0 {
			return out
		}
	}
	return report.ReplaceableUnit{Name: "box", Boxes: 1}
}
