package owned

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/names"
)

// Machine is the machine that is planned, with what exists found in it.
type Machine struct {
	Graph topology.Graph
	Boxes []*cabling.Box // of each kind, with all ports that may be used

	names map[string]int32 // vertices by name, and by the names of the boxes that they are
}

// several stands for a name of several boxes.
const several = -2

// NewMachine finds the boxes that exist among those of a machine, by what the topology calls them, and where that finds
// none by their names. It returns the vertex of each, -1 where it has none.
func NewMachine(g topology.Graph, called *names.Names, boxes []*cabling.Box, exist []Box) (*Machine, []int32) {
	m := &Machine{Graph: g, Boxes: boxes, names: map[string]int32{}}
	addresses := map[string]int32{}
	put := func(in map[string]int32, key string, v int32) {
		if old, ok := in[key]; ok && old != v {
			v = several
		}
		in[key] = v
	}
	for _, k := range g.Kinds() {
		for v := k.First; v < k.First+k.Count; v++ {
			put(addresses, k.Name+"\n"+Numbered(g.Label(v)), int32(v))
			put(m.names, Numbered(called.Name(v)), int32(v))
		}
	}
	out := make([]int32, len(exist))
	taken := map[int32]bool{}
	find := func(i int, in map[string]int32, key string) {
		if v, ok := in[key]; ok && v >= 0 && out[i] < 0 && !taken[v] {
			out[i] = v
			taken[v] = true
		}
	}
	for i := range exist {
		out[i] = -1
		find(i, addresses, exist[i].Kind+"\n"+Numbered(exist[i].Address))
	}
	for i := range exist {
		find(i, m.names, Numbered(exist[i].Name))
	}
	for i := range exist { // what the tables call a box goes before what the machine calls another
		m.names[Numbered(exist[i].Name)] = out[i]
	}
	return m, out
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
