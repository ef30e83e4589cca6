package diagram

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/fabrics"
)

// Planned are the drawings of the topology of a plan, or of one of its fabrics, with racks as groups: rows where there
// are too many, and of containers those of the lowest level that has few enough. A machine of several fabrics has a
// subject for each, for DrawPanels; fabrics with the same picture share one that says so. The error is that of
// Result.Fabric.
func Planned(r *machine.Result, fabric string) ([]*Subject, error) {
	if fabric != "" || len(r.Fabrics) < 2 {
		s, err := planned(r, fabric)
		return []*Subject{s}, err
	}
	var out []*Subject
	var alike [][]string // names of the fabrics of each subject
	for _, f := range r.Fabrics {
		s, err := planned(r, f.Name)
		if err != nil {
			return nil, err
		}
		s.Name = f.Name
		if at := slices.IndexFunc(out, s.looksLike); at >= 0 {
			alike[at] = append(alike[at], f.Name)
			continue
		}
		out, alike = append(out, s), append(alike, []string{f.Name})
	}
	for i, names := range alike {
		if len(names) > 1 {
			out[i].alike = len(names) - 1
			out[i].Name = fmt.Sprintf("%s × %d", names[0], len(names))
			out[i].Notes = append(out[i].Notes, fmt.Sprintf("%s %s the same links between boxes and switches; "+
				"switches are named as those of %s.", english.List(names[1:]), haveOrHas(len(names)-1), names[0]))
		}
	}
	return out, nil
}

// haveOrHas is the verb for a number of things.
func haveOrHas(n int) string {
	if n == 1 {
		return "has"
	}
	return "have"
}

// looksLike reports whether two subjects have the same drawing, but for the names of their switches.
func (s *Subject) looksLike(o *Subject) bool {
	kinds := s.Graph.Kinds()
	if s.Graph.Family() != o.Graph.Family() || !slices.Equal(kinds, o.Graph.Kinds()) ||
		!slices.Equal(s.Graph.Levels(), o.Graph.Levels()) || !slices.Equal(s.Groups, o.Groups) ||
		!slices.Equal(s.Notes, o.Notes) {
		return false
	}
	for _, k := range kinds {
		for v := k.First; v < k.First+k.Count; v++ {
			if k.Role != topology.Switch && s.Label(v) != o.Label(v) || s.isMap() && s.Of(v) != o.Of(v) {
				return false
			}
		}
	}
	next, stop := iter.Pull(topology.Cables(o.Graph))
	defer stop()
	for a := range topology.Cables(s.Graph) {
		b, ok := next()
		if !ok || a.A != b.A || a.B != b.B || a.Level != b.Level || a.Width != b.Width {
			return false
		}
	}
	_, more := next()
	return !more
}

// uplinkNote says how many links lead from the switches of a fabric to other fabrics, which its own graph lacks; "" for
// none.
func uplinkNote(r *machine.Result, fabric string) string {
	at := slices.IndexFunc(r.Graph.Levels(), func(l topology.Level) bool {
		return l.Name == fabric+"/"+fabrics.UplinkLevel
	})
	if at < 0 {
		return ""
	}
	f, err := r.Spec.Fabric(fabric)
	if err != nil {
		return ""
	}
	var to []string
	for _, u := range f.Uplinks {
		if !slices.Contains(to, u.To) {
			to = append(to, u.To)
		}
	}
	return fmt.Sprintf("Not drawn: %s to %s.", english.Count(r.Counts.ByLevel[at], "uplink"), english.List(to))
}

// planned is the subject of the machine's network, or of one fabric.
func planned(r *machine.Result, fabric string) (*Subject, error) {
	network := &r.Network // that of all fabrics together
	if fabric != "" {
		var err error
		if network, err = r.Fabric(fabric); err != nil {
			return nil, err
		}
	}
	s := &Subject{Name: cmp.Or(r.Spec.Name, "machine"), Graph: network.Graph, Label: network.Graph.Label}
	if network.Name != "" {
		s.Name += ": " + network.Name
	}
	if network.Names != nil {
		s.Label = network.Names.NameOrAddress
	}
	box := boxes(r, network)
	if part := newPart(r, network); part != nil {
		s.Graph, s.Label = part, part.Label
		box = func(v int) int { return int(part.vertices[v]) }
	} else if note := uplinkNote(r, network.Name); note != "" {
		s.Notes = append(s.Notes, note)
	}
	l := r.Placement.Layout
	level := layout.RackLevel
	if l.Room != nil {
		s.Word = "rack"
		if len(r.Placement.Racks) > mostGroups {
			level, s.Word = layout.RowLevel, "row"
		}
	} else {
		level = 0
		deepest := len(l.Levels) - 1
		if rack := l.LevelOf(layout.RoleRack); rack >= 0 {
			deepest = rack
		}
		for level < deepest && l.Slots()/l.Tree.Cells(level+1) <= mostGroups {
			level++
		}
		s.Word = l.Levels[level].Name
	}
	var used []int32
	for v := range topology.Vertices(s.Graph) {
		if b := box(v); b >= 0 {
			used = append(used, l.Container(level, r.Placement.Slot[b]))
		}
	}
	slices.Sort(used)
	used = slices.Compact(used)
	number := map[int32]int32{}
	for i, c := range used {
		number[c] = int32(i)
		s.Groups = append(s.Groups, l.ContainerName(level, c))
	}
	s.Of = func(v int) int32 {
		if b := box(v); b >= 0 {
			return number[l.Container(level, r.Placement.Slot[b])]
		}
		return -1
	}
	return s, nil
}

// boxes finds the box of each vertex of a network: itself in that of the machine, that of its name in a fabric's; -1
// where there is none.
func boxes(r *machine.Result, network *machine.Network) func(v int) int {
	if network == &r.Network || r.Names == nil || network.Names == nil {
		return func(v int) int { return v }
	}
	named := map[string]int{}
	for v := range topology.Vertices(r.Graph) {
		named[r.Names.NameOrAddress(v)] = v
	}
	return func(v int) int {
		if b, is := named[network.Names.NameOrAddress(v)]; is {
			return b
		}
		return -1
	}
}
