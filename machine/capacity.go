package machine

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/graphio"
	"github.com/plenum-planner/plenum/units"
)

// A link of capacity c carries c times what a port does. The rate of a port is that of the slowest ports of the
// machine's boxes. Where the boxes have a port of at least c times that rate for each link, a link takes one such port
// and one cable. Otherwise it takes the fewest ports that carry as much together, and a cable for each of them. Levels
// of the greatest capacity take theirs first; in a level all links take as many. This file decides how many, and which
// ports those are; topology.Cables yields the links with them.

// capacities decides what the links of a capacity above 1 take, and puts the ports of boxes in the order of
// topology.CablePorts. It refuses boxes that have too few ports.
func (r *resolver) capacities() {
	if !topology.HasCapacity(r.graph) || slices.Contains(r.boxes, nil) {
		return
	}
	c := newCapacities(r.graph, r.boxes)
	if c.asPlugged() {
		return
	}
	for i := range r.boxes {
		if r.fixedPorts(i) && c.lacks(i) {
			level, _ := c.findSlowPort(i)
			n := c.levels[level].Channels()
			r.fault(r.at[i], "a link of %s has a capacity of %d times %v, and is plugged into a slower port of %s\n"+
				"where ports are named, such a link takes one port: name one of at least %v, or set "+
				"the capacity of %s to 1", c.levels[level].Name, n, c.base, c.kinds[i].Name, c.base*units.Rate(n),
				c.levels[level].Name)
			return
		}
	}
	if kind, level, ok := c.choose(); !ok {
		r.fault(r.at[kind]+".part", "%s", c.missing(kind, level))
		return
	}
	for i, b := range r.boxes {
		order, ok := c.order(i)
		if !ok {
			r.fault(r.at[i]+".part", "%s", c.missing(i, c.first()))
			return
		}
		if !r.fixedPorts(i) {
			b.Take(order)
		}
	}
}

// fixedPorts reports whether the ports of a kind cannot be put in another order: those that the file names for
// fabrics or that the topology names, and those of circuit switches and what they join, which their table numbers.
func (r *resolver) fixedPorts(kind int) bool {
	if _, optical := r.graph.(topology.Optical); optical || len(r.spec.Fabrics) > 0 {
		return true
	}
	ported, ok := r.graph.(graphio.Ported)
	return ok && ported.PortNames(kind) != nil
}

// capacities is the choice of ports for the links of a graph.
type capacities struct {
	kinds  []topology.Kind
	levels []topology.Level // of the graph itself: choose sets their Cables
	boxes  []*cabling.Box
	base   units.Rate
	used   [][][]int // of every kind and port, the levels that use it
	speeds [][]int32 // of every kind and port of its box, how often it carries the rate of a port
}

// newCapacities finds which levels use each port of a kind, the base rate, and how often each port of a box carries it.
func newCapacities(g topology.Graph, boxes []*cabling.Box) *capacities {
	c := &capacities{kinds: g.Kinds(), levels: g.Levels(), boxes: boxes, base: units.Rate(math.Inf(1))}
	for _, k := range c.kinds {
		c.used = append(c.used, make([][]int, k.Ports))
	}
	topology.WalkPorts(g, func(kind int, port, level int32) {
		if at := &c.used[kind][port]; !slices.Contains(*at, int(level)) {
			*at = append(*at, int(level))
		}
	})
	for _, b := range boxes {
		for i := range b.Ports {
			if g := b.Ports[i].Group; g.Rate > 0 && !b.Part.OnlyByName(g) {
				c.base = min(c.base, g.Rate)
			}
		}
	}
	for _, b := range boxes {
		row := make([]int32, len(b.Ports))
		for i := range row {
			row[i] = max(1, int32(min(float64(b.Ports[i].Group.Rate/c.base)+1e-9, topology.MaxCapacity)))
		}
		c.speeds = append(c.speeds, row)
	}
	return c
}

// capacity returns the greatest capacity of the levels that use a port of a kind, and the first level that has it; 1
// and level 0 where none uses it.
func (c *capacities) capacity(kind, port int) (most int32, level int) {
	for _, l := range c.used[kind][port] {
		if n := c.levels[l].Channels(); n > most {
			most, level = n, l
		}
	}
	return max(most, 1), level
}

// asPlugged reports whether every link has ports of its capacity in the order in which they are.
func (c *capacities) asPlugged() bool {
	for kind := range c.kinds {
		if c.lacks(kind) {
			return false
		}
	}
	return true
}

// lacks reports whether a port of a kind is too slow for the links that use it.
func (c *capacities) lacks(kind int) bool {
	_, lacks := c.findSlowPort(kind)
	return lacks
}

// findSlowPort looks for a port of a kind that is missing or slower than the capacity of a level that uses it, and
// returns the level. found is false where all ports suffice.
func (c *capacities) findSlowPort(kind int) (level int, found bool) {
	for port := range c.used[kind] {
		if n, level := c.capacity(kind, port); n > 1 && (port >= len(c.speeds[kind]) || c.speeds[kind][port] < n) {
			return level, true
		}
	}
	return 0, false
}

// demanding are the levels with a capacity above 1, the greatest first.
func (c *capacities) demanding() []int {
	var out []int
	for i, l := range c.levels {
		if l.Channels() > 1 {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int {
		return cmp.Compare(c.levels[b].Channels(), c.levels[a].Channels())
	})
	return out
}

// first is the level that takes its ports first.
func (c *capacities) first() int { return c.demanding()[0] }

// choose sets Cables of every level with a capacity above 1: the fewest for which all kinds have ports. If ports do not
// suffice, ok is false, kind and level are the first that lack some, and earlier levels stay set.
func (c *capacities) choose() (kind, level int, ok bool) {
	free := make([][]int32, len(c.kinds)) // speeds
	open := make([]int, len(c.kinds))     // ports of vertices without any
	for i := range c.kinds {
		free[i] = slices.Sorted(slices.Values(c.speeds[i]))
		for _, levels := range c.used[i] {
			open[i] += min(len(levels), 1)
		}
	}
	for _, level := range c.demanding() {
		lacking := -1
		for _, cables := range c.options(level) {
			if lacking = c.takePorts(level, cables, free, open); lacking < 0 {
				c.levels[level].Cables = cables
				break
			}
		}
		if lacking >= 0 {
			return lacking, level, false
		}
	}
	return 0, 0, true
}

// options are the numbers of cables that a channel of a level may take, the fewest first.
func (c *capacities) options(level int) []int32 {
	n := c.levels[level].Channels()
	out := []int32{n}
	for i := range c.kinds {
		for _, s := range c.speeds[i] {
			out = append(out, (n+s-1)/s)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// takePorts takes ports for the channels of a level out of free and open, for all kinds, and returns -1. If a kind has
// too few, it takes none and returns that kind.
func (c *capacities) takePorts(level int, cables int32, free [][]int32, open []int) (lacking int) {
	need := (c.levels[level].Channels() + cables - 1) / cables
	own := make([]int, len(c.kinds))
	for i := range c.kinds {
		for _, levels := range c.used[i] {
			if slices.Contains(levels, level) {
				own[i]++
			}
		}
		from, _ := slices.BinarySearch(free[i], need)
		taken := own[i] * int(cables)
		if own[i] > 0 && (len(free[i])-from < taken || len(free[i])-taken < open[i]-own[i]) {
			return i
		}
	}
	for i, n := range own {
		if n > 0 {
			from, _ := slices.BinarySearch(free[i], need)
			free[i] = slices.Delete(slices.Clone(free[i]), from, from+n*int(cables))
			open[i] = max(open[i]-n, 0)
		}
	}
	return -1
}

// order lists the ports of a box in the order in which the cables of a vertex of a kind take them, then those that stay
// free. ok is false where a cable that needs more than the base rate finds no port; others that find none are left to
// the design rules.
func (c *capacities) order(kind int) (order []int, ok bool) {
	type want struct {
		port   int
		cables int32
		speed  int32 // of each at least
	}
	wants := make([]want, len(c.used[kind]))
	for port, levels := range c.used[kind] {
		w := want{port, 1, 1}
		for _, l := range levels {
			w.cables = max(w.cables, c.levels[l].Ports())
			w.speed = max(w.speed, (c.levels[l].Channels()+c.levels[l].Ports()-1)/c.levels[l].Ports())
		}
		wants[port] = w
	}
	bySpeed := slices.Clone(wants)
	slices.SortStableFunc(bySpeed, func(a, b want) int { return cmp.Compare(b.speed, a.speed) })
	free := make([]int, len(c.speeds[kind]))
	for i := range free {
		free[i] = i
	}
	slices.SortStableFunc(free, func(a, b int) int { return cmp.Compare(c.speeds[kind][a], c.speeds[kind][b]) })
	ports := make([][]int, len(wants))
	for _, w := range bySpeed {
		from := slices.IndexFunc(free, func(p int) bool { return c.speeds[kind][p] >= w.speed })
		if from < 0 || len(free)-from < int(w.cables) {
			if w.speed == 1 { // a box with too few ports is a violation of a design rule, which the plan reports
				continue
			}
			return nil, false
		}
		ports[w.port] = slices.Clone(free[from : from+int(w.cables)])
		free = slices.Delete(free, from, from+int(w.cables))
	}
	slices.Sort(free)
	return append(slices.Concat(ports...), free...), true
}

// missing says which ports a kind lacks for the links of a level.
func (c *capacities) missing(kind, level int) string {
	l, k := &c.levels[level], &c.kinds[kind]
	alike := 0
	for port := range c.used[kind] {
		n, _ := c.capacity(kind, port)
		alike += int(n)
	}
	has := map[units.Rate]int{}
	var rates []units.Rate
	for i := range c.boxes[kind].Ports {
		rate := c.boxes[kind].Ports[i].Group.Rate
		if has[rate]++; has[rate] == 1 {
			rates = append(rates, rate)
		}
	}
	have := []string{}
	for _, rate := range rates {
		have = append(have, fmt.Sprintf("%d of %v", has[rate], rate))
	}
	if len(have) == 0 {
		have = []string{"none"}
	}
	return fmt.Sprintf("a %s has %s; those of %s have a capacity of %d times %v\nname a part with %d ports of %v, or "+
		"with faster ones for the links of %s: one of %v for each, or several that carry as much; the ports of %s are "+
		"%s; or set topology.capacity.%s", k.Name, english.Count(k.Ports, "link"), l.Name, l.Channels(), c.base, alike,
		c.base, l.Name, c.base*units.Rate(l.Channels()), c.boxes[kind].Part.ID, strings.Join(have, " and "), l.Name)
}

// capacityPorts is how many ports of one rate every kind takes: a link takes as many as its capacity.
func capacityPorts(g topology.Graph) []int {
	kinds, levels := g.Kinds(), g.Levels()
	each := make([][]int32, len(kinds))
	out := make([]int, len(kinds))
	for i, k := range kinds {
		each[i] = slices.Repeat([]int32{1}, k.Ports)
	}
	if topology.HasCapacity(g) {
		topology.WalkPorts(g, func(kind int, port, level int32) {
			each[kind][port] = max(each[kind][port], levels[level].Channels())
		})
	}
	for i, row := range each {
		for _, n := range row {
			out[i] += int(n)
		}
	}
	return out
}
