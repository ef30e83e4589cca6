package owned

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/identity"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/names"
)

// Machine is the machine that is planned, with what exists found in it.
type Machine struct {
	Graph topology.Graph
	Boxes []*cabling.Box // of each kind, with all ports that may be used

	ids *identity.Names
	// tables are the vertices of boxes as the tables of what exists call them, -1 for one that the machine does not
	// have; whole and hosts by names as they are compared, with domains and without, ambiguous for one of several.
	tables, whole, hosts map[string]int32
	known                []string // the names in the tables
}

// ambiguous stands for a name of several boxes.
const ambiguous = -2

// NewMachine finds the boxes that exist among those of a machine, by what the topology calls them, and where that finds
// none by their names, as package identity compares them. Larger units of a tree number their boxes anew: boxes that
// neither finds take the vertices of their kind that are left, in the order of both. It returns the vertex of each, -1
// where the machine has fewer boxes of the kind. Absent is the names of boxes that the tables list and that are not
// there.
func NewMachine(g topology.Graph, called *names.Names, boxes []*cabling.Box, exist []Box, absent ...string) (
	*Machine, []int32,
) {
	m := &Machine{
		Graph: g, Boxes: boxes,
		ids: identity.New(&cabling.Schedule{Graph: g, Kinds: g.Kinds(), Boxes: boxes}, called),
	}
	addresses := map[string]int32{}
	if len(exist) > 0 {
		for _, k := range g.Kinds() {
			for v := k.First; v < k.First+k.Count; v++ {
				put(addresses, k.Name+"\n"+identity.Key(g.Label(v)), int32(v))
			}
		}
	}
	out := make([]int32, len(exist))
	taken := map[int32]bool{}
	take := func(i int, v int32) {
		if v >= 0 && out[i] < 0 && !taken[v] {
			out[i], taken[v] = v, true
		}
	}
	for i := range exist {
		out[i] = -1
		if v, ok := addresses[exist[i].Kind+"\n"+identity.Key(exist[i].Address)]; ok {
			take(i, v)
		}
	}
	for i := range exist {
		take(i, m.ids.FindBox(exist[i].Name))
	}
	left := map[string][]int{} // boxes that are not found, by kind
	for i := range exist {
		if out[i] < 0 {
			left[exist[i].Kind] = append(left[exist[i].Kind], i)
		}
	}
	for _, k := range g.Kinds() {
		boxes := left[k.Name]
		for v := k.First; v < k.First+k.Count && len(boxes) > 0; v++ {
			if !taken[int32(v)] {
				take(boxes[0], int32(v))
				boxes = boxes[1:]
			}
		}
	}
	m.Call(exist, out, absent...)
	return m, out
}

// Call has the boxes of tables be certain vertices of the machine, -1 for one that it does not have: what the tables
// call a box goes before what the machine calls another. Absent is as in NewMachine.
func (m *Machine) Call(exist []Box, vertex []int32, absent ...string) {
	m.tables, m.whole, m.hosts, m.known = map[string]int32{}, map[string]int32{}, map[string]int32{}, nil
	for i := range exist {
		m.tables[exist[i].Name] = vertex[i]
		put(m.whole, identity.Key(exist[i].Name), vertex[i])
		put(m.hosts, identity.Host(exist[i].Name), vertex[i])
		m.known = append(m.known, exist[i].Name)
	}
	for _, name := range absent {
		m.tables[name] = -1
		put(m.whole, identity.Key(name), -1)
		put(m.hosts, identity.Host(name), -1)
	}
}

// put notes the vertex of a name, ambiguous where it is that of several.
func put(in map[string]int32, key string, v int32) {
	if old, ok := in[key]; ok && old != v {
		v = ambiguous
	}
	in[key] = v
}

// called finds the box of a name: as the tables call it, else as the machine does. Known reports whether either does.
func (m *Machine) called(name string) (v int32, known bool) {
	if v, ok := m.tables[name]; ok {
		return v, true
	}
	if v, ok := m.whole[identity.Key(name)]; ok && v != ambiguous {
		return v, true
	}
	if v, ok := m.hosts[identity.Host(name)]; ok {
		return v, true
	}
	v = m.ids.FindBox(name)
	return v, v >= 0
}

// Find finds the box of a name: as the tables of what exists call it, else as the machine does. It returns -1 where
// neither has it.
func (m *Machine) Find(name string) int32 {
	v, _ := m.called(name)
	return max(v, -1)
}

// placeColumns are the columns of a table of boxes that those of Places are from.
var placeColumns = []string{"label", "container", "cell", "unit", "face"}

// Places is the table of where boxes of the machine stand, in the form that package embed reads, every box in the line
// that it has in the table that it is from.
func (m *Machine) Places(exist []Box, vertex []int32) string {
	var b []byte
	b = append(b, "vertex,container,cell,unit,face\n"...) // of the columns placeColumns
	line := 2
	for i, v := range vertex {
		if v < 0 {
			continue
		}
		for ; line < exist[i].Pos.Line; line++ {
			b = append(b, '\n')
		}
		e := &exist[i]
		b = strconv.AppendInt(b, int64(v), 10)
		for _, text := range []string{e.Container, e.Cell, e.Unit, e.Face} {
			b = csvtable.AppendText(append(b, ','), text)
		}
		b = append(b, '\n')
		line++
	}
	return string(b)
}

// Left says which boxes exist that the machine does not have; "" where it has all of them.
func Left(exist []Box, vertex []int32) string {
	var left []string
	for i, v := range vertex {
		if v < 0 {
			left = append(left, exist[i].Name)
		}
	}
	return Few(left)
}

// Few lists names for a note, of many the first.
func Few(all []string) string {
	const shown = 8
	if n := len(all); n > shown {
		all = append(all[:shown:shown], fmt.Sprintf("%d more", n-shown))
	}
	return strings.Join(all, ", ")
}
