package machine

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/internal/infile"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine/owned"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/fabrics"
	"github.com/plenum-planner/plenum/topology/names"
)

// naming is how the boxes of a machine get their names.
type naming struct {
	names.Rules
	keys    []string              // of names.boxes, by kind
	entries map[int32]names.Entry // of the table
	fabrics []string              // of each kind of switches, "" of others
	cables  cabling.Naming        // but for boxes
	called  *names.Names          // before boxes stand as far as is known then; callAnew replaces it
}

// call finds out what boxes are called, as far as that does not depend on where they stand.
func (r *resolver) call() {
	n := &r.naming
	n.cables = r.spec.Names.Naming()
	r.showPorts()
	kinds := r.graph.Kinds()
	r.fabricsOf(kinds)
	n.called = names.Of(r.graph)
	if !r.patterns(kinds) || !r.allSure() {
		return
	}
	if table := r.spec.Names.Table; table != "" {
		// A table may call boxes as patterns do, and mend what these would call alike.
		n.called = r.apply(n.called, func(string, string, ...any) {})
		if n.entries = r.table(table); n.entries == nil {
			return
		}
		n.Table = map[int32]string{}
		for v, e := range n.entries {
			n.Table[v] = e.Name
		}
		n.called = names.Of(r.graph)
	}
	n.called = r.apply(n.called, r.fault)
}

// showPorts shows the ports of all boxes by the name that the file has chosen.
func (r *resolver) showPorts() {
	by := r.spec.Names.Ports
	if by == "" || by == catalog.NamedByLabel {
		return
	}
	for _, b := range r.boxes {
		if b == nil {
			continue
		}
		if port := b.ShowPorts(by); port != "" {
			r.fault("names.ports", "port %q of %s has no name of this kind\nwrite it under %s of the part's ports, or "+
				"show ports by their label", port, b.Part.ID, catalog.NamedByInterface)
			return
		}
	}
}

// fabricsOf sets naming.fabrics to the name of the fabric of each kind of switches.
func (r *resolver) fabricsOf(kinds []topology.Kind) {
	r.naming.fabrics = make([]string, len(kinds))
	for _, f := range r.fabrics {
		for _, at := range f.switches {
			r.naming.fabrics[at.Kind] = f.name
		}
	}
}

// patterns finds the pattern of names of each kind, nil for none, and the fields that patterns may have. It reports
// mistakes, and returns false if there are any.
func (r *resolver) patterns(kinds []topology.Kind) bool {
	n := &r.naming
	n.Patterns, n.keys = make([]*names.Pattern, len(kinds)), make([]string, len(kinds))
	later := placeFields(r.tree)
	known := r.fields()
	sound := true
	used := map[string]bool{}
	var words []string
	for i, k := range kinds {
		words = append(words, k.Name)
		text, key := r.spec.Names.Pattern(k, n.fabrics[i])
		if key == "" {
			continue
		}
		used[key] = true
		fields := later
		if k.Count > 0 {
			fields = slices.Concat(names.KnownFields(known, k.First), later)
		}
		p, err := names.Parse(text)
		switch {
		case err != nil: // Spec.Check has told
			sound = false
			continue
		case k.Count > 0:
			err = p.CheckFields(k.Name, fields)
		}
		if err != nil {
			if !r.draft() || slices.ContainsFunc(p.Fields(), func(f string) bool { return isSlip(f, fields) }) {
				r.fault(diag.Key("names.boxes", key), "%v", err)
			}
			sound = false
			continue
		}
		n.Patterns[i], n.keys[i] = p, key
	}
	for _, key := range slices.Sorted(maps.Keys(r.spec.Names.Boxes)) {
		if !used[key] && !r.maybe(key) {
			r.fault(diag.OfKey("names.boxes", key), "there are no boxes called %q\n%s", key,
				diag.Suggest(key, append(words, "switch"), "kinds are "))
			sound = false
		}
	}
	n.Fields, n.Later = known, later
	return sound
}

// fields lists what is known of boxes before they stand.
func (r *resolved) fields() []names.Field {
	out := names.Fields(r.graph)
	kinds := r.graph.Kinds()
	if len(r.spec.Fabrics) > 0 {
		fabrics := r.naming.fabrics
		out = append(out, names.Field{Name: "fabric", Of: func(v int) names.Value {
			return names.Text(fabrics[topology.KindOf(kinds, v)])
		}})
	}
	return slices.DeleteFunc(out, func(f names.Field) bool {
		return slices.Contains(placeFields(r.tree), f.Name)
	})
}

// placeFields are what patterns can say of where a box stands.
func placeFields(tree *layout.Tree) []string {
	if tree != nil {
		out := []string{"container", "in_container", "cell"}
		for i := range tree.Levels {
			if is := tree.Levels[i].Is; is == layout.RoleRack || is == layout.RoleRow {
				out = append(out, string(is), "in_"+string(is))
			}
		}
		return out
	}
	return []string{"row", "in_row", "rack", "in_rack", "position", "u", "cell"}
}

// apply names boxes. Mistakes are reported at the place of the pattern or of the table.
func (r *resolved) apply(n *names.Names, fault spec.Reporter) *names.Names {
	k := &r.naming
	if len(k.Table) == 0 && !slices.ContainsFunc(k.Patterns, func(p *names.Pattern) bool { return p != nil }) {
		return n
	}
	kinds := r.graph.Kinds()
	return n.With(k.Rules, func(v int, format string, args ...any) {
		if e, ok := k.entries[int32(v)]; ok {
			fault("names.table", "%v", e.At.Errorf(format, args...))
			return
		}
		path := "names.boxes"
		if key := k.keys[topology.KindOf(kinds, v)]; key != "" {
			path = diag.Key(path, key)
		}
		fault(path, format, args...)
	})
}

// table reads the file of names; nil if something is wrong.
func (r *resolver) table(file string) map[int32]names.Entry {
	const path = "names.table"
	if strings.EqualFold(filepath.Ext(file), ".xlsx") {
		text, at, err := owned.ReadNames(file)
		if err != nil {
			r.blame(path, err)
			return nil
		}
		entries, err := r.naming.called.ReadTable(file, strings.NewReader(text))
		r.blame(path, at(err))
		return entries
	}
	f, err := infile.Open(file)
	if err != nil {
		r.fault(path, "%v", err)
		return nil
	}
	defer f.Close()
	entries, err := r.naming.called.ReadTable(file, f)
	r.blame(path, err)
	return entries
}

// callAnew names all boxes again now that they stand, by patterns that say where, and by the numbers of fabrics that
// boxes are plugged into by place. It changes r.naming; the error is about names that are not valid or not unique.
func (r *resolved) callAnew(pl *embed.Placement) error {
	k := &r.naming
	if len(k.Patterns) == 0 {
		return nil
	}
	k.Fields, k.Later = slices.Concat(r.places(pl), r.fields()), nil
	var faults diag.FieldErrors
	k.called = r.apply(names.Of(r.graph), faults.Add)
	return faults.Err()
}

// places are the fields of places.
func (r *resolved) places(pl *embed.Placement) []names.Field {
	l, kinds := pl.Layout, r.graph.Kinds()
	cell := names.Field{Name: "cell", Of: func(v int) names.Value {
		if c := l.Cell(pl.Slot[v]); c >= 0 {
			return names.Number(int(c) + 1)
		}
		return names.Value{}
	}}
	if l.Room == nil {
		out := []names.Field{cell}
		add := func(name string, level int) {
			of := func(v int) int { return int(l.Container(level, pl.Slot[v])) }
			out = append(out,
				names.Field{Name: name, Of: func(v int) names.Value {
					return names.Text(l.ContainerName(level, int32(of(v))))
				}},
				names.Field{Name: "in_" + name, Of: names.CountInGroups(kinds, of, func(a, b int) int {
					return int(pl.Slot[a] - pl.Slot[b])
				})})
		}
		add("container", len(l.Levels)-1)
		for level := range l.Levels {
			if is := l.Levels[level].Is; is == layout.RoleRack || is == layout.RoleRow {
				add(string(is), level)
			}
		}
		return out
	}
	at := func(v int) *layout.Place { return &l.Room.Places[l.Container(layout.RackLevel, pl.Slot[v])] }
	rack := func(v int) int { return int(l.Container(layout.RackLevel, pl.Slot[v])) }
	row := func(v int) int { return at(v).Row }
	order := func(a, b int) int {
		if c := compareSlots(l, pl.Slot[a], pl.Slot[b]); c != 0 {
			return c
		}
		return int(l.Cell(pl.Slot[a]) - l.Cell(pl.Slot[b]))
	}
	return []names.Field{
		cell,
		{Name: "row", Of: func(v int) names.Value { return names.Text(l.Room.Rows[row(v)].Name) }},
		{Name: "in_row", Of: names.CountInGroups(kinds, row, order)},
		{Name: "rack", Of: func(v int) names.Value { return names.Text(l.Room.Name(rack(v))) }},
		{Name: "in_rack", Of: names.CountInGroups(kinds, rack, order)},
		{Name: "position", Of: func(v int) names.Value { return names.Number(at(v).Number) }},
		{Name: "u", Of: func(v int) names.Value {
			if u := l.Unit(pl.Slot[v]); u > 0 {
				return names.Number(u)
			}
			return names.Value{}
		}},
	}
}

// checkPanels refuses the first name of a panel that is not valid, or that a box or another panel has already.
func (r *resolved) checkPanels(s *cabling.Schedule) error {
	if s.Patching == nil || s.Naming.Panels == nil {
		return nil
	}
	var faults diag.FieldErrors
	seen := map[string]bool{}
	for i := range s.Patching.Panels {
		name := s.Device(s.Patching.Vertex(int32(i)))
		if err := names.CheckName(name); err != nil {
			faults.Add("names.panels", "%v", err)
		} else if v, taken := s.Naming.Boxes.Lookup(name); taken && s.Naming.Boxes.Name(v) == name {
			faults.Add("names.panels", "a panel and %s are both called %q\nnames are unique", s.Naming.Boxes.Address(v),
				name)
		} else if seen[name] {
			faults.Add("names.panels", "two panels are called %q\nnames are unique: add {n}", name)
		}
		seen[name] = true
		if len(faults) > 0 {
			break
		}
	}
	return faults.Err()
}

// namesIn are those of the boxes of a fabric.
func (r *resolved) namesIn(f *fabric) *names.Names {
	joint, several := r.graph.(*fabrics.Machine)
	if !several {
		return r.naming.called
	}
	return r.naming.called.In(f.graph, func(v int) int { return joint.Vertex(f.part, v) })
}

// namesAlone returns the names of the boxes of a topology by the patterns and the table of a spec, without a plan:
// fields that say where boxes stand are not known.
func namesAlone(given *spec.Spec, g topology.Graph) (*names.Names, error) {
	n := &given.Names
	if len(n.Boxes) == 0 && n.Table == "" {
		return names.Of(g), nil
	}
	r := &resolver{resolved: resolved{spec: given, graph: g}}
	if len(given.Room.Containers) > 0 {
		r.tree = &layout.Tree{} // the fields of places are its
		for i := range given.Room.Containers {
			r.tree.Levels = append(r.tree.Levels, layout.TreeLevel{Is: given.Room.Containers[i].Is})
		}
	}
	if r.small("topology", g) {
		r.call()
	}
	if len(r.faults) > 0 {
		return nil, located(given, r.faults)
	}
	return r.naming.called, nil
}

// calls is what the boxes, cables and ends of a machine are called.
func (r *resolved) calls() cabling.Naming {
	out := r.naming.cables
	out.Boxes = r.naming.called
	return out
}
