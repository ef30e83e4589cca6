package machine

import (
	"slices"

	"github.com/plenum-planner/plenum/identity"
	"github.com/plenum-planner/plenum/machine/owned"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/names"
)

// keepNames has boxes that exist keep their names, but for those that the table of names calls otherwise, and those
// whose pattern says where they stand, which they do not leave. Boxes that are added and would be called as one that
// exists get the names that are left over.
func (r *resolver) keepNames(path string, exist []owned.Box, vertex []int32) {
	n := &r.naming
	kinds := r.graph.Kinds()
	kept := map[int32]string{}
	others := false
	for i, v := range vertex {
		if v < 0 || r.namedByPlace(topology.KindOf(kinds, int(v))) {
			continue
		}
		if _, listed := n.entries[v]; listed {
			continue
		}
		name := exist[i].Name
		if err := names.CheckName(name); err != nil {
			r.fault(path, "%v", exist[i].Pos.Errorf("%v", err))
			continue
		}
		kept[v] = name
		others = others || name != n.called.Name(int(v))
	}
	if !others {
		return
	}
	taken := map[string]int32{}
	for i, v := range vertex {
		name, ok := kept[v]
		if !ok {
			continue
		}
		if other, twice := taken[identity.Key(name)]; twice {
			r.fault(path, "%v", exist[i].Pos.Errorf("a box in %s is called %q too\nnames are unique",
				exist[other].Pos.Place(), name))
			continue
		}
		taken[identity.Key(name)] = int32(i)
	}
	table := map[int32]string{}
	for v, name := range n.Table {
		table[v] = name
	}
	for _, k := range kinds {
		r.nameRest(k, kept, taken, table)
	}
	for v, name := range kept {
		table[v] = name
	}
	n.Table = table
	n.called = r.apply(names.Of(r.graph), func(_, format string, args ...any) { r.fault(path, format, args...) })
}

// namedByPlace reports whether the names of a kind of boxes say where they stand.
func (r *resolver) namedByPlace(kind int) bool {
	p := r.naming.Patterns[kind]
	later := r.naming.Later
	return p != nil && slices.ContainsFunc(p.Fields(), func(f string) bool { return slices.Contains(later, f) })
}

// nameRest names the boxes of a kind that are added and whose names are taken: there are as many names as boxes, so
// that for each box that keeps another name than it would get, one is left over.
func (r *resolver) nameRest(k topology.Kind, kept map[int32]string, taken map[string]int32, table map[int32]string) {
	called := r.naming.called
	var left []string
	for v := k.First; v < k.First+k.Count; v++ {
		if _, is := kept[int32(v)]; !is {
			continue
		}
		if name := called.Name(v); !has(taken, identity.Key(name)) {
			left = append(left, name)
		}
	}
	for v := k.First; v < k.First+k.Count && len(left) > 0; v++ {
		if _, is := kept[int32(v)]; is || has(table, int32(v)) {
			continue
		}
		if has(taken, identity.Key(called.Name(v))) {
			table[int32(v)] = left[0]
			left = left[1:]
		}
	}
}

// has reports whether a map has a key.
func has[K comparable, V any](m map[K]V, key K) bool {
	_, ok := m[key]
	return ok
}
