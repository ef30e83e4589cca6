package machines

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// Level is the ports that the links of a level take.
type Level struct {
	Level string `json:"level"` // its name
	Links int64  `json:"links"` // of the topology, each of which takes as many ports at either end
	// Capacity is what a link carries each way, in units of the rate of a port.
	Capacity int32   `json:"capacity"`
	Ports    int32   `json:"ports_per_link"` // and cables
	Rate     float64 `json:"rate_gbps"`      // the least that each of these ports has; 0 where parts state none
}

// levelsOf are the levels of a planned network.
func levelsOf(p *machine.Result, n *machine.Network) []Level {
	levels := n.Graph.Levels()
	links := make([]int64, len(levels))
	for l := range n.Graph.Links() {
		links[l.Level] += int64(l.Width)
	}
	base := float64(p.PortRate(n))
	var out []Level
	for i, l := range levels {
		each := math.Ceil(float64(l.Channels()) / float64(l.Ports()))
		out = append(out, Level{
			Level: l.Name, Links: links[i], Capacity: l.Channels(), Ports: l.Ports(), Rate: base * each,
		})
	}
	return out
}

// withCapacities lists every candidate once for each choice of the capacities of its levels, which it adds to the names
// of levels; of more than are enumerated it lists one too many.
func (s *Search) withCapacities(all []*candidate, names map[string]bool) ([]*candidate, error) {
	if len(s.Capacity) == 0 {
		return all, nil
	}
	var out []*candidate
	for _, c := range all {
		g, err := topology.New(c.size.Spec)
		if err != nil {
			return nil, fmt.Errorf("%v: %w", c.size.Spec, err)
		}
		levels := g.Levels()
		for _, l := range levels {
			names[l.Name] = true
		}
		s.choose(levels, map[string]int{}, func(capacity map[string]int) bool {
			own := *c
			own.size.Spec.LevelCapacity.Capacity = capacity
			out = append(out, &own)
			return len(out) <= mostOfFamily
		})
	}
	return out, nil
}

// choose visits every choice of capacities of levels, the last level varying fastest, until visit returns false. A
// capacity that the family itself gives a level is not named.
func (s *Search) choose(levels []topology.Level, given map[string]int, visit func(map[string]int) bool) bool {
	if len(levels) == 0 {
		if len(given) == 0 {
			return visit(nil)
		}
		return visit(maps.Clone(given))
	}
	level, choices := levels[0], s.Capacity[levels[0].Name]
	if choices == nil {
		return s.choose(levels[1:], given, visit)
	}
	for _, n := range choices {
		if delete(given, level.Name); n != int(level.Channels()) {
			given[level.Name] = n
		}
		if !s.choose(levels[1:], given, visit) {
			return false
		}
	}
	delete(given, level.Name)
	return true
}

// greatestCapacity is the greatest capacity that a level may have, at least 1.
func (s *Search) greatestCapacity() int {
	most := 1
	for _, choices := range s.Capacity {
		most = max(most, slices.Max(choices))
	}
	return most
}

// checkLevels finds levels with capacities that no candidate has.
func (s *Search) checkLevels(names map[string]bool, wrong *diag.FieldErrors) {
	known := slices.Sorted(maps.Keys(names))
	if len(known) == 0 {
		return
	}
	for _, level := range slices.Sorted(maps.Keys(s.Capacity)) {
		if !names[level] {
			wrong.Add(diag.Key("capacity", level), "no candidate has a level %q\n%s", level,
				diag.Suggest(level, known, "the levels of the candidates are "))
		}
	}
}
