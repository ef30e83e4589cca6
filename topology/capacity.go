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

// apply writes the capacities into the levels of g.
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
			wrong.Add(at, "a %s has no level %q; %s", g.Family(), name, diag.Suggest(name, names, "its levels are "))
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

// Channels is how many parallel channels, each of the rate of a port, a channel of the level stands for: its capacity.
func (l *Level) Channels() int32 { return max(l.Capacity, 1) }

// Channels is how many channels of the rate of a port l stands for each way: its width times the capacity of its level,
// which is one of levels.
func (l *Link) Channels(levels []Level) int32 { return l.Width * levels[l.Level].Channels() }

// Ports is how many ports at each end, and cables between them, a channel of the level takes.
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

// CablePorts has, for every kind of vertices, the number of the first of those ports of a box that each port of a
// vertex stands for, and at last the number of them all. A port of a vertex stands for one port of a box for every
// cable of its channel: for the most, where the vertices of a kind use the port on several levels.
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

// portCables has the cables of every port of every kind, and a 0 behind them.
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

// CabledKinds is the kinds of g with the ports of a box that their vertices take in place of the ports of the vertices.
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
