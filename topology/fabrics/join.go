package fabrics

import (
	"iter"
	"slices"
	"strconv"
	"sync"

	"github.com/plenum-planner/plenum/topology"
)

// Fabric is a graph that is joined with others over the boxes that they share.
type Fabric struct {
	Name  string // before the names of its levels: "compute/tier1"
	Graph topology.Graph
	// Attached says what the vertices of each kind of Graph are.
	Attached []Attachment
}

// Attachment says which boxes of a machine the vertices of one kind of a fabric's graph are: those of a kind, from one
// on, in order.
type Attachment struct {
	Kind  int // of the machine
	First int // number of the box, from 0, that is the first vertex
	// Port is the port of the machine's kind into which the fabric's port 0 is plugged; the others follow it.
	Port int
}

// Machine is the graph of all fabrics over shared boxes. Its levels are those of the fabrics, one fabric after the
// other, called by the fabric and the level: "compute/tier1".
type Machine struct {
	kinds     []topology.Kind
	levels    []topology.Level
	groupings []topology.Grouping
	fabrics   []joined
	digits    []int // of the numbers of boxes, by kind
}

// joined is a fabric as part of a machine.
type joined struct {
	Fabric
	kinds  []topology.Kind
	vertex []int32 // of each kind, what makes a vertex of the fabric one of the machine when it is added
	level  int32   // likewise of levels
}

var _ topology.Graph = (*Machine)(nil)

// Join joins fabrics over boxes of the given kinds, which cover the vertices in order without gaps. Graphs of one
// level, such as Uplinks, may share it with another of the same name of fabric and level. The groups of boxes that
// should be kept together are those of the first fabric; a switch of another belongs to the group of the first box of
// these groups that it is linked to.
func Join(kinds []topology.Kind, fabrics []Fabric) *Machine {
	m := &Machine{kinds: kinds}
	for _, k := range kinds {
		m.digits = append(m.digits, len(strconv.Itoa(k.Count)))
	}
	for _, f := range fabrics {
		j := joined{Fabric: f, kinds: f.Graph.Kinds(), level: int32(len(m.levels))}
		for i, a := range f.Attached {
			j.vertex = append(j.vertex, int32(kinds[a.Kind].First+a.First-j.kinds[i].First))
		}
		for i, l := range f.Graph.Levels() {
			own := topology.Level{Name: f.Name + "/" + l.Name, Capacity: l.Capacity}
			if at := slices.Index(m.levels, own); at >= 0 { // further uplinks of a fabric
				j.level = int32(at - i)
				continue
			}
			m.levels = append(m.levels, own)
		}
		m.fabrics = append(m.fabrics, j)
	}
	m.group()
	return m
}

// Family is "machine".
func (m *Machine) Family() string { return "machine" }

// Kinds are those of the machine's boxes.
func (m *Machine) Kinds() []topology.Kind { return m.kinds }

// Levels are those of all fabrics.
func (m *Machine) Levels() []topology.Level { return m.levels }

// FabricLevels are the numbers of the first level of fabric i, in the order of Join, and of the first behind it.
func (m *Machine) FabricLevels(i int) (first, end int) {
	f := &m.fabrics[i]
	return int(f.level), int(f.level) + len(f.Graph.Levels())
}

// Vertex is the vertex of the machine that is vertex v of fabric i.
func (m *Machine) Vertex(i, v int) int {
	f := &m.fabrics[i]
	return v + int(f.vertex[topology.KindOf(f.kinds, v)])
}

// InFabric asks about vertices of the machine what is known of those of fabric i: -1 for boxes that it does not have.
func (m *Machine) InFabric(i int, of func(v int32) int32) func(v int32) int32 {
	own := m.fabrics[i].own(func(v int) int32 { return of(int32(v)) })
	return func(v int32) int32 { return own(int(v)) }
}

// Counts is topology.Count. The links of a fabric whose family knows their numbers are not walked: such links carry
// both ways.
func (m *Machine) Counts() topology.Counts {
	c := topology.Counts{ByLevel: make([]int64, len(m.levels))}
	for _, k := range m.kinds {
		if k.Role == topology.Switch {
			c.Switches += k.Count
		} else {
			c.Nodes += k.Count
		}
	}
	for i := range m.fabrics {
		f := &m.fabrics[i]
		var own []int64
		if g, ok := f.Graph.(topology.Counted); ok {
			own = g.LevelChannels()
		}
		if len(own) != len(f.Graph.Levels()) {
			walked := topology.Count(f.Graph)
			own = walked.ByLevel
			c.Simplex += walked.Simplex
		}
		for level, n := range own {
			c.ByLevel[int(f.level)+level] += n
			c.Links += n
		}
	}
	return c
}

// Groupings are those of the first fabric.
func (m *Machine) Groupings() []topology.Grouping { return m.groupings }

// Label is the kind and the number of a box, from 1: "dgx-007".
func (m *Machine) Label(v int) string { return m.DeviceName(v) }

// DeviceName is the label of a box.
func (m *Machine) DeviceName(v int) string {
	i := topology.KindOf(m.kinds, v)
	k := &m.kinds[i]
	number := strconv.Itoa(v - k.First + 1)
	out := make([]byte, 0, len(k.Name)+1+m.digits[i])
	out = append(append(out, k.Name...), '-')
	for range m.digits[i] - len(number) {
		out = append(out, '0')
	}
	return string(append(out, number...))
}

// Coordinates are those of the fabrics: of a box that several fabrics number, that of the first.
func (m *Machine) Coordinates() []topology.Coordinate {
	var out []topology.Coordinate
	for i := range m.fabrics {
		f := &m.fabrics[i]
		c, ok := f.Graph.(topology.Coordinated)
		if !ok {
			continue
		}
		for _, x := range c.Coordinates() {
			of := f.own(x.Of)
			at := slices.IndexFunc(out, func(y topology.Coordinate) bool { return y.Name == x.Name })
			if at < 0 {
				out = append(out, topology.Coordinate{Name: x.Name, Of: of})
				continue
			}
			before := out[at].Of
			out[at].Of = func(v int) int32 {
				if n := before(v); n >= 0 {
					return n
				}
				return of(v)
			}
		}
	}
	return out
}

// own asks about vertices of the machine what is known of those of a fabric: -1 for those that it does not have.
func (f *joined) own(of func(v int) int32) func(v int) int32 {
	return func(v int) int32 {
		for i, k := range f.kinds {
			if w := v - int(f.vertex[i]); w >= k.First && w < k.First+k.Count {
				return of(w)
			}
		}
		return -1
	}
}

// Links yields those of the fabrics, one fabric after the other, each in its own order.
func (m *Machine) Links() iter.Seq[topology.Link] {
	return func(yield func(topology.Link) bool) {
		for i := range m.fabrics {
			for l := range m.fabrics[i].links() {
				if !yield(l) {
					return
				}
			}
		}
	}
}

// links yields the links of a fabric among the boxes of the machine.
func (f *joined) links() iter.Seq[topology.Link] {
	return func(yield func(topology.Link) bool) {
		a, b := 0, 0
		for l := range f.Graph.Links() {
			a, b = topology.KindNear(f.kinds, a, int(l.A)), topology.KindNear(f.kinds, b, int(l.B))
			l.A += f.vertex[a]
			l.B += f.vertex[b]
			l.PortA += int32(f.Attached[a].Port)
			l.PortB += int32(f.Attached[b].Port)
			l.Level += f.level
			if !yield(l) {
				return
			}
		}
	}
}

// group makes the groups of the first fabric those of the machine. Which boxes they hold is found when it is first
// asked for, because that walks the links.
func (m *Machine) group() {
	if len(m.fabrics) == 0 {
		return
	}
	of := sync.OnceValue(m.groupsByLevel)
	for i, grouping := range m.fabrics[0].Graph.Groupings() {
		m.groupings = append(m.groupings, topology.Grouping{
			Name: grouping.Name, Count: grouping.Count, Of: func(v int) int32 { return of()[i][v] },
		})
	}
}

// groupsByLevel returns the group of every vertex, for each grouping: that of the first fabric, which a switch of
// another joins if it is linked to a box that has one.
func (m *Machine) groupsByLevel() [][]int32 {
	last := m.kinds[len(m.kinds)-1]
	first := &m.fabrics[0]
	of := make([][]int32, len(m.groupings))
	for i, grouping := range first.Graph.Groupings() {
		of[i] = slices.Repeat([]int32{-1}, last.First+last.Count)
		for k, kind := range first.kinds {
			for v := kind.First; v < kind.First+kind.Count; v++ {
				of[i][int32(v)+first.vertex[k]] = grouping.Of(v)
			}
		}
	}
	for i := range m.fabrics[1:] {
		for box, serving := range m.fabrics[1+i].servedLinks() {
			for _, groups := range of {
				if groups[serving] < 0 {
					groups[serving] = groups[box]
				}
			}
		}
	}
	return of
}

// servedLinks yields the links between boxes and switches: the vertices of the machine, the box first.
func (f *joined) servedLinks() iter.Seq2[int32, int32] {
	return func(yield func(box, serving int32) bool) {
		a, b := 0, 0
		for l := range f.Graph.Links() {
			a, b = topology.KindNear(f.kinds, a, int(l.A)), topology.KindNear(f.kinds, b, int(l.B))
			box, serving := l.A+f.vertex[a], l.B+f.vertex[b]
			fromSwitch, toSwitch := f.kinds[a].Role == topology.Switch, f.kinds[b].Role == topology.Switch
			if fromSwitch {
				box, serving = serving, box
			}
			if fromSwitch != toSwitch && !yield(box, serving) {
				return
			}
		}
	}
}
