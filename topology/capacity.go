package topology

import (
	"iter"
	"maps"
	"slices"

	"github.com/plenum-planner/plenum/diag"
)

// LevelCapacity is the key of a topology section, which every family takes, that sets the capacity of levels.
type LevelCapacity struct {
	// Capacity is the capacity of the links of a level, by the level's name, in units of the rate of a port. A level
	// that it does not name has what the family gives it: the clique size on the levels of a bundled CLEX above the
	// first, 1 elsewhere.
	Capacity map[string]int `yaml:"capacity,omitempty" json:"capacity,omitempty"`
}

// MaxCapacity is the most capacity of a link.
const MaxCapacity = MaxPorts

// apply writes the capacities into the levels of g. The errors are names of levels that g does not have, capacities out
// of range, and a graph whose Levels does not return the same slice every time.
func (c LevelCapacity) apply(g Graph) error {
	levels := g.Levels()
	var names []string
	for _, l := range levels {
		names = append(names, l.Name)
	}
	var wrong diag.FieldErrors
	for _, name := range slices.Sorted(maps.Keys(c.Capacity)) {
		at := diag.Key("capacity", name)
		capacity, level := c.Capacity[name], slices.Index(names, name)
		switch {
		case level < 0:
			wrong.Add(diag.OfKey("capacity", name), "a %s has no level %q; %s", g.Family(), name,
				diag.Suggest(name, names, "its levels are "))
		case capacity < 1 || capacity > MaxCapacity:
			wrong.Add(at, "must be from 1 to %d times the rate of a port, not %d", MaxCapacity, capacity)
		default:
			levels[level].Capacity = int32(capacity)
		}
	}
	if wrong != nil {
		return wrong
	}
	for i, l := range g.Levels() {
		if l.Capacity != levels[i].Capacity {
			return diag.Fieldf("capacity", "the family %s does not take capacities", g.Family())
		}
	}
	return nil
}

// Channels returns the capacity of the level, at least 1: the parallel channels of the rate of a port that a channel of
// the level counts as.
func (l *Level) Channels() int32 { return max(l.Capacity, 1) }

// Channels returns the channels of the rate of a port that l counts as each way: its width times the capacity of its
// level. levels are those of its graph.
func (l *Link) Channels(levels []Level) int32 { return l.Width * levels[l.Level].Channels() }

// Ports returns the number of ports that a channel of the level takes at each end, which is that of its cables; at
// least 1.
func (l *Level) Ports() int32 { return max(l.Cables, 1) }

// HasCapacity reports whether a link of g has another capacity than 1.
func HasCapacity(g Graph) bool {
	return slices.ContainsFunc(g.Levels(), func(l Level) bool { return l.Channels() > 1 })
}

// HasSeveralCables reports whether a channel of g takes several cables.
func HasSeveralCables(g Graph) bool {
	return slices.ContainsFunc(g.Levels(), func(l Level) bool { return l.Ports() > 1 })
}

// Cables yields the links of g, in the order of Links, as their cables are plugged in. A link has a channel for every
// cable; its ports are those of CablePorts.
func Cables(g Graph) iter.Seq[Link] {
	if !HasSeveralCables(g) {
		return g.Links()
	}
	return func(yield func(Link) bool) {
		kinds, levels := g.Kinds(), g.Levels()
		first := CablePorts(g)
		a, b := 0, 0
		for l := range g.Links() {
			a, b = KindNear(kinds, a, int(l.A)), KindNear(kinds, b, int(l.B))
			n := levels[l.Level].Ports()
			l.PortA, l.PortB = first[a][l.PortA], first[b][l.PortB]
			l.Width *= n
			if !yield(l) {
				return
			}
		}
	}
}

// CablePorts maps the ports of vertices to those of their boxes: entry p of the slice of a kind is the first port of a
// box that port p of a vertex stands for, counting from 0. A last entry is the number of ports of the box. A port of a
// vertex stands for as many ports of the box as its channel has cables: for the most of any level, if the vertices of a
// kind use the port on several levels. It goes through all links.
func CablePorts(g Graph) [][]int32 {
	each := portCables(g)
	for _, row := range each {
		sum := int32(0)
		for p, n := range row {
			row[p] = sum
			sum += n
		}
	}
	return each
}

// portCables returns the cables of every port of every kind, at least 1, and a 0 after those of a kind.
func portCables(g Graph) [][]int32 {
	kinds, levels := g.Kinds(), g.Levels()
	each := make([][]int32, len(kinds))
	for i, k := range kinds {
		each[i] = append(slices.Repeat([]int32{1}, k.Ports), 0)
	}
	WalkPorts(g, func(kind int, port, level int32) {
		each[kind][port] = max(each[kind][port], levels[level].Ports())
	})
	return each
}

// WalkPorts visits both ends of every channel of g by the kind, the port and the level.
func WalkPorts(g Graph, visit func(kind int, port, level int32)) {
	kinds := g.Kinds()
	a, b := 0, 0
	for l := range g.Links() {
		a, b = KindNear(kinds, a, int(l.A)), KindNear(kinds, b, int(l.B))
		for w := range l.Width {
			visit(a, l.PortA+w, l.Level)
			visit(b, l.PortB+w, l.Level)
		}
	}
}

// CabledKinds returns the kinds of g with the number of ports that their vertices take on a box (CablePorts) as Ports.
// The result is g.Kinds() itself if no channel has several cables.
func CabledKinds(g Graph) []Kind {
	kinds := g.Kinds()
	if !HasSeveralCables(g) {
		return kinds
	}
	kinds = slices.Clone(kinds)
	for i, row := range CablePorts(g) {
		kinds[i].Ports = int(row[len(row)-1])
	}
	return kinds
}
