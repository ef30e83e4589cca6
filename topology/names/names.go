package names

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/topology"
)

// Given is a graph whose source names the vertices, so that boxes are called by these names and not by codes and
// numbers.
type Given interface {
	topology.Graph
	// DeviceName returns the name of the box of a vertex, unique in the graph. It is "" for all vertices of a graph
	// whose source has no names for boxes.
	DeviceName(v int) string
}

// Code returns the short form of the name of a kind of vertices, for boxes that have no names: "LF" for leaf. For kinds
// other than those of trees it is the name in capitals with a hyphen, "ROUTER-".
func Code(kind string) string {
	switch kind {
	case "node":
		return "N"
	case "switch":
		return "SW"
	case "leaf":
		return "LF"
	case "spine":
		return "SP"
	case "core":
		return "CR"
	}
	return strings.ToUpper(kind) + "-"
}

// Names has the names of the boxes of a graph's vertices. Of, With and In return one; a zero Names is not usable. It
// does not change, and several goroutines may use it at once.
type Names struct {
	graph topology.Graph
	kinds []topology.Kind
	codes []string
	given func(v int) string // nil where the graph names none
	own   []string           // names of the machine file by vertex, "" for none; nil without rules
	later []bool             // kinds whose patterns wait for what is not known yet; nil for none

	once      sync.Once
	byName    map[string]int32 // of all names, if any is given; nil if none is
	addressed sync.Once
	byAddress map[string]int32 // -1 where several have it
}

// Of returns the names that the vertices of a graph have without a machine file: those of its source, else the code of
// the kind and the number in the kind from 1, with zeros to as many digits as the last has: LF01 of 12 leaves.
func Of(g topology.Graph) *Names {
	n := &Names{graph: g, kinds: g.Kinds()}
	if named, ok := g.(Given); ok {
		n.given = named.DeviceName
	}
	for _, k := range n.kinds {
		n.codes = append(n.codes, Code(k.Name))
	}
	return n
}

// Code returns the code of a kind, by its number; "" where no box of the kind is called by code and number.
func (n *Names) Code(kind int) string {
	k := &n.kinds[kind]
	for v := k.First; v < k.First+k.Count; v++ {
		if n.givenName(v) == "" && (n.given == nil || n.given(v) == "") {
			return n.codes[kind]
		}
		if n.own == nil {
			break // a graph names all or none
		}
	}
	return ""
}

// givenName returns the name that the machine file gives the box of a vertex, "" where it gives none.
func (n *Names) givenName(v int) string {
	if n.own != nil {
		return n.own[v]
	}
	return ""
}

// Append appends the name of the box of a vertex.
func (n *Names) Append(b []byte, v int) []byte {
	if n.own != nil && n.own[v] != "" {
		return append(b, n.own[v]...)
	}
	return n.appendUsual(b, v)
}

// appendUsual appends the name that a box has where the machine file gives none: that of the graph's source, else code
// and number.
func (n *Names) appendUsual(b []byte, v int) []byte {
	if n.given != nil {
		if name := n.given(v); name != "" {
			return append(b, name...)
		}
	}
	i := topology.KindOf(n.kinds, v)
	k := &n.kinds[i]
	b = append(b, n.codes[i]...)
	number := v - k.First + 1
	for limit := 10; limit <= k.Count; limit *= 10 {
		if number < limit {
			b = append(b, '0')
		}
	}
	return strconv.AppendInt(b, int64(number), 10)
}

// Name returns the name of the box of a vertex, from 0.
func (n *Names) Name(v int) string {
	if name := n.givenName(v); name != "" {
		return name
	}
	return string(n.appendUsual(nil, v))
}

// Address returns the label of a vertex in the notation of its family, such as its coordinates (Graph.Label).
func (n *Names) Address(v int) string { return n.graph.Label(v) }

// Rules is how a machine file names boxes.
type Rules struct {
	Patterns []*Pattern // one for each kind of the graph; nil for kinds without one
	Fields   []Field    // that patterns may have
	// Later are fields that get their values after this, as those of places do: a box whose pattern has one is not
	// named yet.
	Later []string
	Table map[int32]string // by vertex; goes before patterns
}

// With returns names by rules for the same graph: those of rules of n are not kept, and n is not changed. Mistakes are
// reported to fail, at most mostFaults of them, with the vertex whose name is to be mended: of each pattern the first
// box that it cannot name and the first two that it names alike, and each entry of the table whose name another box
// has. Names with mistakes are returned, too.
func (n *Names) With(r Rules, fail func(v int, format string, args ...any)) *Names {
	out := &Names{graph: n.graph, kinds: n.kinds, codes: n.codes, given: n.given}
	out.own = make([]string, topology.Vertices(n.graph))
	told := 0
	report := func(v int, format string, args ...any) bool {
		told++
		fail(v, format, args...)
		return told < mostFaults
	}
	for i, k := range n.kinds {
		p := r.Patterns[i]
		if p == nil {
			continue
		}
		if slices.ContainsFunc(p.Fields(), func(f string) bool { return slices.Contains(r.Later, f) }) {
			if out.later == nil {
				out.later = make([]bool, len(n.kinds))
			}
			out.later[i] = true
			continue
		}
		if !out.byPattern(p, &k, r, report) {
			return out
		}
	}
	for v, name := range r.Table {
		out.own[v] = name
	}
	out.unique(r.Table, report)
	return out
}

// mostFaults is the most mistakes in names that are reported.
const mostFaults = 10

// byPattern names the boxes of a kind that are not in the table, up to the first mistake, which it reports. It returns
// what report returns: false where no more mistakes are to be reported.
func (n *Names) byPattern(p *Pattern, k *topology.Kind, r Rules, report func(int, string, ...any) bool) bool {
	find := map[string]func(v int) Value{}
	for _, f := range r.Fields {
		find[f.Name] = f.Of
	}
	var b []byte
	for v := k.First; v < k.First+k.Count; v++ {
		if _, ok := r.Table[int32(v)]; ok {
			continue
		}
		var err error
		b, err = p.Append(b[:0], func(field string) Value {
			if of := find[field]; of != nil {
				return of(v)
			}
			return Value{}
		})
		if missing := (*MissingError)(nil); errors.As(err, &missing) {
			return report(v, "%s has no {%s}\n%s", n.Address(v), missing.Field,
				suggest(missing.Field, KnownFields(r.Fields, v)))
		} else if err == nil {
			err = CheckName(string(b))
		}
		if err != nil {
			return report(v, "%s: %v", n.Address(v), err)
		}
		n.own[v] = string(b)
	}
	return true
}

// unique reports boxes with the same name, at the later one unless the machine file names the earlier one alone. Of a
// pattern that names several alike, the first two are reported.
func (n *Names) unique(table map[int32]string, report func(int, string, ...any) bool) {
	type hashed struct {
		hash uint64
		v    int32
	}
	all := make([]hashed, 0, len(n.own))
	var b []byte
	for i, k := range n.kinds {
		for v := k.First; v < k.First+k.Count; v++ {
			if n.later != nil && n.later[i] && n.own[v] == "" {
				continue
			}
			b = n.Append(b[:0], v)
			all = append(all, hashed{hash(b), int32(v)})
		}
	}
	slices.SortFunc(all, func(x, y hashed) int { return cmp.Or(cmp.Compare(x.hash, y.hash), cmp.Compare(x.v, y.v)) })
	var same [][2]int
	for i := 1; i < len(all); i++ {
		for j := i - 1; j >= 0 && all[j].hash == all[i].hash; j-- { // names that differ seldom have one hash
			if a, z := int(all[j].v), int(all[i].v); n.Name(a) == n.Name(z) {
				same = append(same, [2]int{a, z})
				break
			}
		}
	}
	slices.SortFunc(same, func(x, y [2]int) int { return x[1] - y[1] })
	told := make([]bool, len(n.kinds))
	for _, pair := range same {
		a, z := pair[0], pair[1]
		if n.own[z] == "" {
			a, z = z, a // what the file says is to be mended
		}
		if n.own[z] == "" { // an imported graph names one by the code of the other
			continue
		}
		if _, single := table[int32(z)]; !single {
			kind := topology.KindOf(n.kinds, z)
			if told[kind] {
				continue
			}
			told[kind] = true
		}
		if !report(z, "%s and %s are both called %q\nnames are unique: add a field that tells them apart",
			n.who(a), n.who(z), n.Name(z)) {
			return
		}
	}
}

// hash is the FNV-1a hash of a name.
func hash(name []byte) uint64 {
	h := uint64(0xcbf29ce484222325)
	for _, c := range name {
		h = (h ^ uint64(c)) * 0x100000001b3
	}
	return h
}

// who describes the box of a vertex in a message, by kind and address: "leaf 3".
func (n *Names) who(v int) string {
	kind, address := n.kinds[topology.KindOf(n.kinds, v)].Name, n.Address(v)
	if strings.HasPrefix(address, kind) { // the boxes of several fabrics are called so
		return address
	}
	return kind + " " + address
}

// NameOrAddress returns how a vertex is called where no boxes are planned: by Name if a machine file or a graph gives
// names of its own (see Any), by Address if neither does.
func (n *Names) NameOrAddress(v int) string {
	if n.Any() {
		return n.Name(v)
	}
	return n.Address(v)
}

// In returns names for another graph. vertex returns the vertex of this graph that a vertex of the other one is, by
// whose name it is called.
func (n *Names) In(g topology.Graph, vertex func(v int) int) *Names {
	out := Of(g)
	out.given = func(v int) string { return n.Name(vertex(v)) }
	return out
}

// Any reports whether there are rules of a machine file, even if these name no box, or names of the graph's source.
func (n *Names) Any() bool {
	return n.own != nil || n.given != nil && topology.Vertices(n.graph) > 0 && n.given(0) != ""
}

// Lookup returns the vertex with a name, else the vertex of a code and a number with its zeros, even if that is called
// otherwise. Case matters. It returns -1 and false for any other text.
func (n *Names) Lookup(name string) (int, bool) {
	n.once.Do(func() {
		if !n.Any() {
			return
		}
		count := topology.Vertices(n.graph)
		n.byName = make(map[string]int32, count)
		for v := range count {
			n.byName[n.Name(v)] = int32(v)
		}
	})
	if v, ok := n.byName[name]; ok {
		return int(v), true
	}
	return n.usual(name)
}

// usual returns the vertex of a code and a number with its zeros, unless the graph's source names the vertex otherwise;
// -1 and false if there is none.
func (n *Names) usual(name string) (int, bool) {
	for i, k := range n.kinds {
		digits, ok := strings.CutPrefix(name, n.codes[i])
		if !ok {
			continue
		}
		number, err := strconv.Atoi(digits)
		if err == nil && number >= 1 && number <= k.Count && string(n.appendUsual(nil, k.First+number-1)) == name {
			return k.First + number - 1, true
		}
	}
	return -1, false
}

// Find returns the vertex of a text that is, in this order: its name, its code and number (see Lookup), its label in
// the notation of the family if no other vertex has it, or its number from 0. The error says what was expected, or
// which name is near.
func (n *Names) Find(text string) (int, error) {
	if v, ok := n.Lookup(text); ok {
		return v, nil
	}
	if v, ok := n.FindByAddress(text); ok {
		return v, nil
	}
	count := topology.Vertices(n.graph)
	if v, err := strconv.Atoi(text); err == nil && v >= 0 && v < count {
		return v, nil
	}
	return -1, fmt.Errorf("no vertex %q: %s", text, n.describeExpected(text))
}

// mostCompared is the number of vertices up to which a misspelt name is compared with their names and labels; in larger
// graphs, none is.
const mostCompared = 1 << 14

// describeExpected returns the end of a message about a text that names no vertex: the nearest name or label, or
// examples of what was expected.
func (n *Names) describeExpected(text string) string {
	v := topology.Vertices(n.graph) - 1
	if _, err := strconv.Atoi(text); err != nil && v < mostCompared {
		known := make([]string, 0, 2*v+2)
		for w := range v + 1 {
			known = append(known, n.Name(w), n.Address(w))
		}
		if near, ok := diag.Closest(text, known); ok {
			return diag.DidYouMean(near)
		}
	}
	if !n.Any() {
		return fmt.Sprintf("expected a label like %q or a number from 0 to %d", n.Address(v), v)
	}
	return fmt.Sprintf("expected a name like %q, a label like %q or a number from 0 to %d", n.Name(v), n.Address(v), v)
}

// FindByAddress returns the vertex with a label in the notation of the family; false if none or several have it.
func (n *Names) FindByAddress(text string) (int, bool) {
	n.addressed.Do(func() {
		count := topology.Vertices(n.graph)
		n.byAddress = make(map[string]int32, count)
		for v := range count {
			label := n.Address(v)
			if _, again := n.byAddress[label]; again {
				n.byAddress[label] = -1
				continue
			}
			n.byAddress[label] = int32(v)
		}
	})
	v, ok := n.byAddress[text]
	return int(v), ok && v >= 0
}
