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
	// DeviceName is the name of the box of a vertex, "" where it has none of its own.
	DeviceName(v int) string
}

// Code is the short form of a kind of vertex in the names of boxes that nobody has named: "LF".
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

// Names calls the vertices of a graph by the names of their boxes. Of and New make it; a zero Names is not usable.
type Names struct {
	graph topology.Graph
	kinds []topology.Kind
	codes []string
	given func(v int) string // nil where the graph names none
	own   []string           // by vertex, "" where none is given; nil where none is for any
	later []bool             // kinds whose patterns wait for what is not known yet; nil for none

	once      sync.Once
	byName    map[string]int32 // of names that somebody has given
	addressed sync.Once
	byAddress map[string]int32 // -1 where several have it
}

// Of names the vertices of a graph as long as nothing else does: by the names of its source, else by the code of the
// kind and the number from 1, with as many digits as the last has.
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

// Code is that of a kind, by its number, "" where nothing is called by it.
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

// appendUsual appends the name that a box has where the machine file gives none.
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

// Name is the name of the box of a vertex.
func (n *Names) Name(v int) string {
	if name := n.givenName(v); name != "" {
		return name
	}
	return string(n.appendUsual(nil, v))
}

// Address is the label of a vertex in the notation of its family.
func (n *Names) Address(v int) string { return n.graph.Label(v) }

// Rules says how a machine file names boxes.
type Rules struct {
	Patterns []*Pattern // by kind, nil for none
	Fields   []Field
	// Later are fields that get their values after this, as those of places do: a box whose pattern has one is not
	// named yet.
	Later []string
	Table map[int32]string // by vertex; goes before patterns
}

// With names boxes by rules. What is wrong with the name of a vertex is reported to fail, at most mostFaults times,
// with the vertices that it is about: two that have the same name are both named.
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

// byPattern names the boxes of a kind.
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

// unique finds boxes with the same name. Of a pattern that names several alike, the first two are reported.
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

// who tells which box a vertex is.
func (n *Names) who(v int) string {
	kind, address := n.kinds[topology.KindOf(n.kinds, v)].Name, n.Address(v)
	if strings.HasPrefix(address, kind) { // the boxes of several fabrics are called so
		return address
	}
	return kind + " " + address
}

// NameOrAddress returns the name that a machine file or an imported graph gives the box of a vertex, else its label in
// the notation of the family: what a vertex is called where no boxes are planned.
func (n *Names) NameOrAddress(v int) string {
	if n.Any() {
		return n.Name(v)
	}
	return n.Address(v)
}

// In is the names of the vertices of another graph, each of which is a vertex of this one.
func (n *Names) In(g topology.Graph, vertex func(v int) int) *Names {
	out := Of(g)
	out.given = func(v int) string { return n.Name(vertex(v)) }
	return out
}

// Any reports whether a machine file or a graph gives names of its own.
func (n *Names) Any() bool {
	return n.own != nil || n.given != nil && topology.Vertices(n.graph) > 0 && n.given(0) != ""
}

// Lookup finds the vertex of a name that somebody has given, or of a code and a number.
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

// usual finds the vertex of a code and a number, or of the name that an imported graph gives it.
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

// Find finds a vertex by its name, by its label in the notation of the family, by the name that it would have if nobody
// had named it, or by its number. The error names what was expected.
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

// mostCompared is how many names are compared with a misspelt one.
const mostCompared = 1 << 14

// describeExpected returns what a name of a vertex looks like, as the end of a message.
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

// FindByAddress finds the vertex with a label in the notation of the family, if one alone has it.
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
