package cabling

import (
	"math"
	"slices"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/units"
)

// trayRouter routes cables on the trays of a room.
type trayRouter struct {
	net     *layout.TrayNetwork
	height  []units.Length
	groups  []trayGroup
	groupOf map[catalog.Medium]uint8
}

// trayGroup is a group of media that may use the same levels.
type trayGroup struct{ levels []int32 }

// trayOption is the shortest way of one group of media.
type trayOption struct {
	level int32 // -1 for none
	parts Parts
}

// maxTrayLevels bounds the levels of trays.
const maxTrayLevels = 16

func newTrayRouter(net *layout.TrayNetwork, rules []TrayRule) *trayRouter {
	t := &trayRouter{net: net, groupOf: map[catalog.Medium]uint8{}}
	for _, l := range net.Levels {
		t.height = append(t.height, l.Height)
	}
	for _, m := range catalog.Media {
		var g trayGroup
		for level := range net.Levels {
			if rules[level].takes(m) {
				g.levels = append(g.levels, int32(level))
			}
		}
		i := slices.IndexFunc(t.groups, func(o trayGroup) bool { return slices.Equal(o.levels, g.levels) })
		if i < 0 {
			i = len(t.groups)
			t.groups = append(t.groups, g)
		}
		t.groupOf[m] = uint8(i)
	}
	return t
}

// rise is the way between a port and the trays of a level.
func (t *trayRouter) rise(level, rack int32, z units.Length) units.Length {
	return (t.net.Floor(rack) + t.height[level] - z).Abs()
}

// options finds the shortest way for every group of media, and the groups that
// have none. What p has is part of the length of each.
func (t *trayRouter) options(
	out []trayOption, r *router, p Parts, pa, pb layout.Point, rackA, rackB int32,
) (_ []trayOption, barred uint8) {
	beside := r.beside(p, pa, pb, rackA, rackB)
	if len(t.height) == 1 {
		run := t.net.DistanceOn(0, rackA, rackB)
		for g := range t.groups { // one, or another of media that no tray takes
			o := trayOption{level: -1}
			if len(t.groups[g].levels) > 0 && !math.IsInf(float64(run), 1) {
				o = trayOption{0, r.along(beside, pa, pb, rackA, rackB, 0, run)}
			} else {
				barred |= 1 << g
			}
			out = append(out, o)
		}
		return out, barred
	}
	var parts [maxTrayLevels]Parts
	for level := range t.height {
		run := units.Length(-1)
		for i := range level {
			if t.net.SamePlan(i, level) {
				run = parts[i].Run
				break
			}
		}
		if run < 0 {
			run = t.net.DistanceOn(level, rackA, rackB)
		}
		parts[level] = r.along(beside, pa, pb, rackA, rackB, int32(level), run)
	}
	for g := range t.groups {
		best := trayOption{level: -1}
		for _, level := range t.groups[g].levels {
			if p := parts[level]; !math.IsInf(float64(p.Run), 1) && (best.level < 0 || p.Total() < best.parts.Total()) {
				best = trayOption{level, p}
			}
		}
		if best.level < 0 {
			barred |= 1 << g
		}
		out = append(out, best)
	}
	return out, barred
}

// bars tells whether cables of a medium find no tray, given the groups that have
// none.
func (t *trayRouter) bars(m catalog.Medium, barred uint8) bool {
	return barred&(1<<t.groupOf[m]) != 0
}

// barredOn is the groups that may not use a level.
func (t *trayRouter) barredOn(level int32) uint8 {
	barred := uint8(0)
	for g := range t.groups {
		if !slices.Contains(t.groups[g].levels, level) {
			barred |= 1 << g
		}
	}
	return barred
}

// barredSets lists the sets of groups that may find no tray between two racks.
func (t *trayRouter) barredSets() []uint8 {
	always := uint8(0)
	for g := range t.groups {
		if len(t.groups[g].levels) == 0 {
			always |= 1 << g
		}
	}
	if t.net.Connected() {
		return []uint8{always}
	}
	var out []uint8
	for set := range uint8(1) << len(t.groups) {
		if set&always == always {
			out = append(out, set)
		}
	}
	return out
}

func isCopper(m catalog.Medium) bool { return m == catalog.PassiveCopper || m == catalog.ActiveCopper }
