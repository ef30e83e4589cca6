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
	level      int32 // -1 for none
	run, total units.Length
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

// rise returns the length of cable between a port and the trays of a level.
func (t *trayRouter) rise(level, rack int32, z units.Length) units.Length {
	return (t.net.Floor(rack) + t.height[level] - z).Abs()
}

// options finds the shortest way for every group of media, and the groups that
// have none. Runs are the lengths along the trays of every level.
func (t *trayRouter) options(
	out []trayOption, r *router, sp *span, runs []units.Length,
) (_ []trayOption, barred uint8) {
	if len(t.height) == 1 {
		only := trayOption{level: -1}
		if !math.IsInf(float64(runs[0]), 1) {
			only = trayOption{0, runs[0], r.total(sp, 0, runs[0])}
		}
		for g := range t.groups { // one, or another of media that no tray takes
			o := only
			if len(t.groups[g].levels) == 0 {
				o = trayOption{level: -1}
			}
			if o.level < 0 {
				barred |= 1 << g
			}
			out = append(out, o)
		}
		return out, barred
	}
	var on [maxTrayLevels]trayOption
	for level := range t.height {
		on[level] = trayOption{int32(level), runs[level], r.total(sp, level, runs[level])}
	}
	for g := range t.groups {
		best := trayOption{level: -1}
		for _, level := range t.groups[g].levels {
			if o := &on[level]; !math.IsInf(float64(o.run), 1) && (best.level < 0 || o.total < best.total) {
				best = *o
			}
		}
		if best.level < 0 {
			barred |= 1 << g
		}
		out = append(out, best)
	}
	return out, barred
}

// runs finds the lengths along the trays of every level between two racks.
func (t *trayRouter) runs(out []units.Length, rackA, rackB int32) []units.Length {
	for level := range t.net.Levels {
		run := units.Length(-1)
		for i := range level {
			if t.net.SamePlan(i, level) {
				run = out[len(out)-level+i]
				break
			}
		}
		if run < 0 {
			run = t.net.DistanceOn(level, rackA, rackB).Round4()
		}
		out = append(out, run)
	}
	return out
}

// bars reports whether cables of a medium find no tray, given the groups that have
// none.
func (t *trayRouter) bars(m catalog.Medium, barred uint8) bool {
	return barred&(1<<t.groupOf[m]) != 0
}

// barredOn returns the groups of media that may not use a level, as a set of bits.
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
	if t.net.IsConnected() {
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
