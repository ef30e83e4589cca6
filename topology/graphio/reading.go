package graphio

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/plenum-planner/plenum/topology"
)

// reading collects the vertices and links of a file.
type reading struct {
	name      string
	index     map[string]int32 // of vertices, by their name in the file
	numbered  numbered         // the same of those whose names are small numbers
	vertices  []fileVertex
	recent    int32 // where the last link began, which is where the next may
	links     []fileLink
	levels    []topology.Level
	attrIndex map[string]int32
	attrs     []string
	numeric   bool // put vertices in numeric order if their names are numbers
	prefix    int  // bytes before the number in a name
	natural   bool // put vertices in the order of their names
	ported    bool // links name their ports
	portIndex map[string]int32
	portNames []string

	directed   bool // the machine file says that edges carry one way only
	undirected bool // the file says that its edges have no direction
	strict     bool // repeated edges are one
	plain      bool // the format cannot say whether its edges have a direction
	anynet     bool // a latency holds for one direction, and a direction without one has 1
	listed     bool // both ends list an edge
	mentions   []mention

	loops, firstLoop int // edges from a vertex to itself, and the line of the first
	bundles          int // pairs of vertices that several edges link
	repeated         int // edges that a strict graph repeats
	opposite         int // pairs that are drawn as two edges, one either way
	pairs, mirrored  int // pairs of vertices, and those that have as many edges either way
	notes            []string
}

type fileVertex struct {
	id, label, kind string
	role            topology.Role
	known           bool // role is given
	declared        bool
}

// mention is an edge that ends at a vertex which the file had not declared before.
type mention struct{ vertex, line, column int32 }

// declare adds a vertex of a format that lists its vertices, which may be done once.
func (b *reading) declare(id string, line, column int) (int32, error) {
	v := b.vertex(id)
	if b.vertices[v].declared {
		return v, b.errorAt(line, column, "node %q is there twice", id)
	}
	b.vertices[v].declared = true
	return v, nil
}

// mention is the vertex at the end of an edge, of a format that lists its vertices before or after.
func (b *reading) mention(id string, line, column int) int32 {
	v := b.vertex(id)
	if !b.vertices[v].declared {
		b.mentions = append(b.mentions, mention{v, int32(min(line, math.MaxInt32)), int32(min(column, math.MaxInt32))})
	}
	return v
}

// checkMentions refuses edges that end at vertices which the file does not list.
func (b *reading) checkMentions() error {
	for _, m := range b.mentions {
		if x := &b.vertices[m.vertex]; !x.declared {
			return b.errorAt(int(m.line), int(m.column), "there is no node %q, where this edge ends", x.id)
		}
	}
	return nil
}

// notef adds a note.
func (b *reading) notef(format string, args ...any) {
	b.notes = append(b.notes, filepath.Base(b.name)+": "+fmt.Sprintf(format, args...))
}

// checkTexts refuses names that are too long, and control characters that a text stands for by an escape.
func (b *reading) checkTexts() error {
	for i := range b.vertices {
		x := &b.vertices[i]
		if max(len(x.id), len(x.label), len(x.kind)) > maxName {
			long := slices.MaxFunc([]string{x.id, x.label, x.kind}, func(a, z string) int { return len(a) - len(z) })
			return fmt.Errorf("%s: the name of a vertex that begins with %.40q has more than %d bytes", b.name, long,
				maxName)
		}
		for _, s := range []string{x.id, x.label, x.kind} {
			if strings.ContainsFunc(s, isControl) {
				return fmt.Errorf("%s: the name %.60q of a vertex has a control character; remove it", b.name, s)
			}
		}
	}
	for _, l := range b.levels {
		if strings.ContainsFunc(l.Name, isControl) {
			return fmt.Errorf("%s: the name %.60q of a level has a control character; remove it", b.name, l.Name)
		}
	}
	for _, s := range b.attrs {
		if strings.ContainsFunc(s, func(r rune) bool { return r != 0 && isControl(r) }) { // 0 ends texts
			return fmt.Errorf("%s: the attributes %.60q of a link have a control character; remove it", b.name,
				strings.ReplaceAll(s, "\x00", " "))
		}
	}
	return nil
}

func isControl(r rune) bool { return unicode.IsControl(r) && r != '\t' && r != '\n' && r != '\r' }

func (b *reading) errorAt(line, column int, format string, args ...any) error {
	return fmt.Errorf("%s:%d:%d: %s", b.name, line, column, fmt.Sprintf(format, args...))
}

func (b *reading) vertex(id string) int32 {
	if int(b.recent) < len(b.vertices) && b.vertices[b.recent].id == id {
		return b.recent
	}
	if place := b.numbered.place(id); place != nil {
		if *place == 0 {
			*place = b.add(id) + 1
		}
		return *place - 1
	}
	v, ok := b.index[id]
	if !ok {
		v = b.add(id)
		b.index[b.vertices[v].id] = v
	}
	return v
}

// hasVertex reports whether there is a vertex of this name.
func (b *reading) hasVertex(id string) bool {
	if place := b.numbered.place(id); place != nil {
		return *place > 0
	}
	_, ok := b.index[id]
	return ok
}

// add adds a vertex.
func (b *reading) add(id string) int32 {
	b.vertices = append(doubleCapacity(b.vertices), fileVertex{id: strings.Clone(id)})
	return int32(len(b.vertices) - 1)
}

// doubleCapacity returns s with room for one more element. A full slice gets twice its capacity: append grows
// long slices by less.
func doubleCapacity[T any](s []T) []T {
	if len(s) == cap(s) {
		s = slices.Grow(s, max(64, len(s)))
	}
	return s
}

// numbered is a value, 0 at first, for every number of up to numberDigits digits, in pages
// that are made when needed.
type numbered [numbers / numberPage]*[numberPage]int32

const (
	numberDigits = 6
	numbers      = 1_000_000
	numberPage   = 1000
)

// place is where the value of a number stands; nil for what is not written as one.
func (x *numbered) place(id string) *int32 {
	if len(id) == 0 || len(id) > numberDigits || id[0] == '0' && len(id) > 1 {
		return nil
	}
	n := uint(0)
	for i := range len(id) {
		c := uint(id[i]) - '0'
		if c > 9 {
			return nil
		}
		n = 10*n + c
	}
	page := x[n/numberPage]
	if page == nil {
		page = new([numberPage]int32)
		x[n/numberPage] = page
	}
	return &page[n%numberPage]
}

// describe sets what the attributes of a vertex say.
func (b *reading) describe(v int32, attrs map[string]string, line, column int) error {
	x := &b.vertices[v]
	if s := strings.Join(strings.Fields(cmp.Or(attrs["label"], attrs["name"])), " "); s != "" { // on one line
		x.label = s
	}
	if s := attrs["kind"]; s != "" {
		x.kind = s
	}
	switch s := attrs["role"]; s {
	case "":
	case "node", "switch", "terminal":
		x.known = true
		x.role = map[string]topology.Role{
			"node": topology.Node, "switch": topology.Switch,
			"terminal": topology.Terminal,
		}[s]
	default:
		return b.errorAt(line, column, "role must be node, switch or terminal, not %q", s)
	}
	return nil
}

// link adds a link with its attributes, which it takes over. A link from a vertex to itself is counted and passed over.
func (b *reading) link(from, to int32, ways way, attrs map[string]string, line, column int) error {
	if from == to {
		if b.loops++; b.loops == 1 {
			b.firstLoop = line
		}
		return nil
	}
	if len(b.links) == maxGraphLinks {
		return b.errorAt(line, column, "more than %d links", maxGraphLinks)
	}
	if len(attrs) > maxAttributes {
		return b.errorAt(line, column, "more than %d attributes", maxAttributes)
	}
	b.recent = from
	l := fileLink{a: from, b: to, width: 1, line: int32(min(line, math.MaxInt32))}
	if s, ok := attrs["width"]; ok {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 || n > topology.MaxPorts {
			return b.errorAt(line, column, "width must be from 1 to %d, not %q", topology.MaxPorts, s)
		}
		l.width = int32(n)
	}
	for _, key := range measures {
		if s, ok := attrs[key]; ok {
			if x, err := strconv.ParseFloat(s, 64); err != nil || !(x >= 0) || math.IsInf(x, 0) {
				return b.errorAt(line, column, "%s must be a number of at least 0, not %q", key, s)
			}
		}
	}
	level := attrs["level"]
	if level == "" {
		level = "link"
	}
	if l.level = b.level(level); l.level < 0 {
		return b.errorAt(line, column, "more than %d levels", maxLevels)
	}
	if s, ok := attrs["simplex"]; ok {
		if s != "true" && s != "false" {
			return b.errorAt(line, column, "simplex must be true or false, not %q", s)
		}
		if ways = duplex; s == "true" {
			ways = simplex
		}
	}
	if l.way = ways; ways == arc && b.directed {
		l.way = simplex
	}
	l.attrs = b.attributes(attrs)
	b.links = append(doubleCapacity(b.links), l)
	return nil
}

// direct gives the edges that were read a direction, in a format that may say late that they have one.
func (b *reading) direct() {
	for i := range b.links {
		if l := &b.links[i]; l.way == duplex {
			if l.way = arc; b.directed {
				l.way = simplex
			}
		}
	}
}

// maxLevels bounds the levels of a file: they are searched one by one.
const maxLevels = 256

func (b *reading) level(name string) int16 {
	for i, l := range b.levels {
		if l.Name == name {
			return int16(i)
		}
	}
	if len(b.levels) == maxLevels {
		return -1
	}
	b.levels = append(b.levels, topology.Level{Name: strings.Clone(name)})
	return int16(len(b.levels) - 1)
}

// attributes is the number of a set of attributes.
func (b *reading) attributes(attrs map[string]string) int32 {
	if len(attrs) == 0 {
		return 0
	}
	text := attributeText(attrs)
	i, ok := b.attrIndex[text]
	if !ok {
		i = int32(len(b.attrs))
		b.attrIndex[text] = i
		b.attrs = append(b.attrs, text)
	}
	return i
}

// attributeText writes attributes in order, name and value in turn, each ended
// by a zero byte; those that a Link holds are left out.
func attributeText(attrs map[string]string) string {
	if len(attrs) == 0 {
		return ""
	}
	var s strings.Builder
	for _, k := range slices.Sorted(maps.Keys(attrs)) {
		if k == "level" || k == "width" || k == "simplex" {
			continue
		}
		s.WriteString(strings.ReplaceAll(k, "\x00", ""))
		s.WriteByte(0)
		s.WriteString(strings.ReplaceAll(attrs[k], "\x00", ""))
		s.WriteByte(0)
	}
	return s.String()
}

func parseAttributes(text string) map[string]string {
	attrs := make(map[string]string)
	for text != "" {
		k, rest, _ := strings.Cut(text, "\x00")
		attrs[k], text, _ = strings.Cut(rest, "\x00")
	}
	return attrs
}

// graph makes a graph of what was read.
func (b *reading) graph() (topology.Graph, error) {
	if len(b.vertices) == 0 {
		return nil, fmt.Errorf("%s: the file has no vertices", b.name)
	}
	if !b.ported {
		if err := b.merge(); err != nil {
			return nil, err
		}
	}
	g := &fileGraph{levels: b.levels, attrs: b.attrs}
	if len(g.levels) == 0 {
		g.levels = []topology.Level{{Name: "link"}}
	}
	number, err := b.number(g)
	if err != nil {
		return nil, err
	}
	for i := range b.links {
		l := &b.links[i]
		l.a, l.b = number[l.a], number[l.b]
	}
	if b.ported {
		g.ports = make([][]string, len(g.kinds))
		if err := b.plug(g); err != nil {
			return nil, err
		}
		for i := range g.kinds {
			g.kinds[i].Ports = len(g.ports[i])
		}
	}
	g.links, g.notes = b.links, b.remarks()
	if b.ported {
		return g, nil
	}
	ports := make([]int, len(number))
	for i := range g.links {
		l := &g.links[i]
		for _, v := range []int32{l.a, l.b} {
			if ports[v] += int(l.width); ports[v] > topology.MaxPorts {
				return nil, fmt.Errorf("%s:%d: vertex %s has more than %d ports", b.name, l.line, g.labels[v],
					topology.MaxPorts)
			}
		}
	}
	for i := range g.kinds {
		k := &g.kinds[i]
		k.Ports = slices.Max(ports[k.First : k.First+k.Count])
	}
	return g, nil
}

// number sets the labels and kinds of g and returns the number in g of every
// vertex of b. It gives vertices without a role that of terminals if a link of
// level terminal has them as its second end, else of switches if there are such
// links. Vertices of one kind with different roles are an error.
func (b *reading) number(g *fileGraph) ([]int32, error) {
	order := make([]int32, len(b.vertices))
	for v := range order {
		order[v] = int32(v)
	}
	if b.numeric {
		b.sortNumbers(order)
	}
	if b.natural {
		slices.SortStableFunc(order, func(v, w int32) int { return CompareNatural(b.vertices[v].id, b.vertices[w].id) })
	}
	any := false
	for _, l := range b.links {
		if x := &b.vertices[l.b]; b.levels[l.level].Name == "terminal" {
			any = true
			if !x.known {
				x.role, x.known = topology.Terminal, true
			}
		}
	}
	kinds := make(map[string]int32)
	if any { // switches come first even if a terminal has the lowest number
		for _, x := range b.vertices {
			if !x.known && x.kind == "" {
				kinds["switch"] = 0
				g.kinds = append(g.kinds, topology.Kind{Name: "switch", Role: topology.Switch})
				break
			}
		}
	}
	kindOf := make([]int32, len(order))
	for at, v := range order {
		x := &b.vertices[v]
		if !x.known && any {
			x.role = topology.Switch
		}
		if x.kind == "" {
			x.kind = [...]string{topology.Node: "node", topology.Switch: "switch", topology.Terminal: "node"}[x.role]
		}
		i := int32(0)
		if at > 0 {
			i = kindOf[order[at-1]] // most often the same
		}
		if int(i) >= len(g.kinds) || g.kinds[i].Name != x.kind {
			var ok bool
			if i, ok = kinds[x.kind]; !ok {
				i = int32(len(g.kinds))
				kinds[x.kind] = i
				g.kinds = append(g.kinds, topology.Kind{Name: x.kind, Role: x.role})
			}
		}
		kindOf[v] = i
		if g.kinds[i].Role != x.role {
			return nil, fmt.Errorf("%s: vertex %s of kind %s is a %v, others of the kind are of role %v", b.name, x.id,
				x.kind, x.role, g.kinds[i].Role)
		}
		g.kinds[i].Count++
	}
	next := make([]int32, len(g.kinds))
	for i := range g.kinds {
		if i > 0 {
			g.kinds[i].First = g.kinds[i-1].First + g.kinds[i-1].Count
		}
		next[i] = int32(g.kinds[i].First)
	}
	number := make([]int32, len(order))
	g.labels = make([]string, len(order))
	for _, v := range order {
		x := &b.vertices[v]
		i := kindOf[v]
		number[v] = next[i]
		if g.labels[next[i]] = x.label; x.label == "" {
			g.labels[next[i]] = x.id
		}
		next[i]++
	}
	b.tellApart(g, number)
	g.nameDevices()
	return number, nil
}

// tellApart adds their names in the file to labels that several vertices of a kind have.
func (b *reading) tellApart(g *fileGraph, number []int32) {
	type labelled struct {
		kind  int
		label string
	}
	times := make(map[labelled]int, len(g.labels))
	key := func(v int32) labelled { return labelled{topology.KindOf(g.kinds, int(v)), g.labels[v]} }
	for v := range g.labels {
		times[key(int32(v))]++
	}
	if len(times) == len(g.labels) {
		return
	}
	for v, at := range number {
		if times[key(at)] > 1 {
			g.labels[at] += " (" + b.vertices[v].id + ")"
		}
	}
}

// sortNumbers puts vertices in the order of the numbers in their names, behind prefix; those of the same
// number as they came. It changes nothing if a name is not such a number.
func (b *reading) sortNumbers(order []int32) {
	values := make([]int, len(order))
	most := 0
	for v, x := range b.vertices {
		n, err := strconv.Atoi(x.id[b.prefix:])
		if err != nil || n < 0 {
			return
		}
		values[v] = n
		most = max(most, n)
	}
	if most >= 4*len(order) {
		slices.SortStableFunc(order, func(v, w int32) int { return cmp.Compare(values[v], values[w]) })
		return
	}
	next := make([]int32, most+2) // place of the next vertex of a number, one on
	for _, n := range values {
		next[n+1]++
	}
	for n := range most {
		next[n+1] += next[n]
	}
	for v, n := range values {
		order[next[n]] = int32(v)
		next[n]++
	}
}
