package names

import (
	"slices"
	"strconv"
	"sync"

	"github.com/plenum-planner/plenum/topology"
)

// Field is a property of boxes that patterns can write into names.
type Field struct {
	Name string
	// Of returns the value for a vertex; Value.IsKnown is false for one that has none.
	Of func(v int) Value
}

// InPrefix begins the fields that count the boxes of a kind in a group from 1: in_rack, in_pod.
const InPrefix = "in_"

// Fields lists the fields that a graph has for its vertices. Of two with one name, the first here counts:
//
//	n          number among those of its kind, from 1
//	kind       name of the kind
//	address    label in the notation of the family: "(3,0,7)"
//	dim1 ...   coordinates of a lattice, from 0, those of its router for a terminal; x, y and z are the first three
//	unit ...   the groups that the family names (its groupings), from 0
//	rail ...   further numbers that the family knows (topology.Coordinated), from 0
//	in_unit    number among those of its kind in that group, from 1
func Fields(g topology.Graph) []Field {
	kinds := g.Kinds()
	out := []Field{
		{"n", func(v int) Value { return Number(v - kinds[topology.KindOf(kinds, v)].First + 1) }},
		{"kind", func(v int) Value { return Text(kinds[topology.KindOf(kinds, v)].Name) }},
		{"address", func(v int) Value { return Text(g.Label(v)) }},
	}
	if l, ok := g.(topology.Lattice); ok {
		out = append(out, coordinates(l)...)
	}
	add := func(name string, of func(v int) int32) {
		if slices.ContainsFunc(out, func(f Field) bool { return f.Name == name }) {
			return
		}
		group := func(v int) int { return int(of(v)) }
		out = append(out, Field{name, func(v int) Value {
			if i := group(v); i >= 0 {
				return Number(i)
			}
			return Value{}
		}}, Field{InPrefix + name, CountInGroups(kinds, group, nil)})
	}
	for _, grouping := range g.Groupings() {
		add(grouping.Name, grouping.Of)
	}
	if c, ok := g.(topology.Coordinated); ok {
		for _, x := range c.Coordinates() {
			add(x.Name, x.Of)
		}
	}
	return out
}

// coordinates returns the fields of a lattice: dim1, dim2, ..., x, y, z, and terminal where routers have terminals.
func coordinates(l topology.Lattice) []Field {
	var out []Field
	dims, kinds := l.Dims(), l.Kinds()
	router := func(v int) int {
		if k := &kinds[0]; v >= k.First+k.Count {
			if per := l.TerminalsPerRouter(); per > 0 {
				return (v - k.First - k.Count) / per
			}
			return -1
		}
		return v
	}
	stride := 1
	var axes []Field
	for d, side := range dims {
		step := stride
		of := func(v int) Value {
			r := router(v)
			if r < 0 {
				return Value{}
			}
			return Number(r / step % side)
		}
		out = append(out, Field{"dim" + strconv.Itoa(d+1), of})
		if d < 3 {
			axes = append(axes, Field{string("xyz"[d]), of})
		}
		stride *= side
	}
	if per := l.TerminalsPerRouter(); per > 0 {
		first := kinds[0].First + kinds[0].Count
		axes = append(axes, Field{"terminal", func(v int) Value {
			if v < first {
				return Value{}
			}
			return Number((v - first) % per)
		}})
	}
	return append(out, axes...)
}

// CountInGroups returns a function with the number of a box among those of its kind in its group, from 1: in the order
// of their numbers, or in that of less if it is not nil. A negative group is none, and such a box has no number. It
// counts at the first call, which may come from any goroutine.
func CountInGroups(kinds []topology.Kind, group func(v int) int, less func(a, b int) int) func(v int) Value {
	var once sync.Once
	var numbers []int32
	count := func() {
		for _, k := range kinds {
			order := make([]int, k.Count)
			for i := range order {
				order[i] = k.First + i
			}
			if less != nil {
				slices.SortStableFunc(order, less)
			}
			own, next := make([]int32, k.Count), map[int]int32{}
			for _, v := range order {
				if g := group(v); g >= 0 {
					next[g]++
					own[v-k.First] = next[g]
				}
			}
			numbers = append(numbers, own...)
		}
	}
	return func(v int) Value {
		once.Do(count)
		if numbers[v] == 0 {
			return Value{}
		}
		return Number(int(numbers[v]))
	}
}

// KnownFields lists the names of the fields that a vertex has a value of, in their order.
func KnownFields(fields []Field, v int) []string {
	var out []string
	for _, f := range fields {
		if f.Of(v).IsKnown() {
			out = append(out, f.Name)
		}
	}
	return out
}
