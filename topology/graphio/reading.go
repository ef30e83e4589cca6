package graphio

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

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
	bothWays  bool // every link carries both ways, whether the file says so or not
	natural   bool // put vertices in the order of their names
	ported    bool // links name their ports
	portIndex map[string]int32
	portNames []string
}

type fileVertex struct {
	id, label, kind string
	role            topology.Role
	known           bool // role is given
}

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

// known tells whether there is a vertex of this name.
func (b *reading) known(id string) bool {
	if place := b.numbered.place(id); place != nil {
		return *place > 0
	}
	_, ok := b.index[id]
	return ok
}

// add adds a vertex.
func (b *reading) add(id string) int32 {
	b.vertices = append(doubled(b.vertices), fileVertex{id: strings.Clone(id)})
	return int32(len(b.vertices) - 1)
}

// doubled has room for one more, and for as many as there are if there is none: append grows
// long slices by less.
func doubled[T any](s []T) []T {
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
	if s := attrs["label"]; s != "" {
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

// link adds a link with its attributes, which it takes over.
func (b *reading) link(from, to int32, simplex bool, attrs map[string]string, line, column int) error {
	if from == to {
		return b.errorAt(line, column, "vertex %s is linked to itself", b.vertices[from].id)
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
	for _, key := range []string{"length_m", "latency", "latency_back"} {
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
	l.level = b.level(level)
	if l.level < 0 {
		return b.errorAt(line, column, "more than %d levels", maxLevels)
	}
	if s, ok := attrs["simplex"]; ok {
		if s != "true" && s != "false" {
			return b.errorAt(line, column, "simplex must be true or false, not %q", s)
		}
		simplex = s == "true"
	}
	if simplex {
		l.width = -l.width
	}
	l.attrs = b.attributes(attrs)
	b.links = append(doubled(b.links), l)
	return nil
}

// maxLevels bounds the levels of a file: they are searched one by one.
const maxLevels = 256

func (b *reading) level(name string) int32 {
	for i, l := range b.levels {
		if l.Name == name {
			return int32(i)
		}
	}
	if len(b.levels) == maxLevels {
		return -1
	}
	b.levels = append(b.levels, topology.Level{Name: strings.Clone(name)})
	return int32(len(b.levels) - 1)
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
	g.links = b.links
	if b.ported {
		return g, nil
	}
	ports := make([]int, len(number))
	for i := range g.links {
		l := &g.links[i]
		for _, v := range []int32{l.a, l.b} {
			if ports[v] += int(max(l.width, -l.width)); ports[v] > topology.MaxPorts {
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

// merge makes one link of two simplex links between the same vertices, one
// either way, and refuses other pairs that come twice on a level.
func (b *reading) merge() error {
	order := b.byEnds()
	same := func(x, y *fileLink) bool {
		return x.level == y.level && (x.a == y.a && x.b == y.b || x.a == y.b && x.b == y.a)
	}
	for i := 0; i < len(order); i++ {
		x := &b.links[order[i]]
		if i+1 < len(order) && same(x, &b.links[order[i+1]]) {
			y := &b.links[order[i+1]]
			opposite := x.a == y.b && x.width < 0 && x.width == y.width
			if !opposite || i+2 < len(order) && same(x, &b.links[order[i+2]]) {
				return fmt.Errorf("%s:%d: %s and %s are linked on level %s in line %d already; give parallel "+
					"channels as a width",
					b.name, y.line, b.vertices[y.a].id, b.vertices[y.b].id, b.levels[y.level].Name, x.line)
			}
			x.width = -x.width
			x.attrs = b.attributes(bothDirections(b.attrs[x.attrs], b.attrs[y.attrs]))
			y.width = 0
			i++
		} else if b.bothWays && x.width < 0 {
			x.width = -x.width
			x.attrs = b.attributes(bothDirections(b.attrs[x.attrs], ""))
		}
	}
	b.links = slices.DeleteFunc(b.links, func(l fileLink) bool { return l.width == 0 })
	return nil
}

// byEnds orders the links by their lower end, higher end and level, equal ones
// as in the file.
func (b *reading) byEnds() []int32 {
	next := make([]int32, len(b.vertices)+1)
	for i := range b.links {
		next[min(b.links[i].a, b.links[i].b)+1]++
	}
	for v := range b.vertices {
		next[v+1] += next[v]
	}
	order := make([]int32, len(b.links))
	for i := range b.links {
		v := min(b.links[i].a, b.links[i].b)
		order[next[v]] = int32(i)
		next[v]++
	}
	first := int32(0) // next[v] is now where v's links end
	for v := range b.vertices {
		slices.SortFunc(order[first:next[v]], func(i, j int32) int {
			x, y := &b.links[i], &b.links[j]
			if c := cmp.Compare(max(x.a, x.b), max(y.a, y.b)); c != 0 {
				return c
			}
			return cmp.Or(cmp.Compare(x.level, y.level), cmp.Compare(i, j))
		})
		first = next[v]
	}
	return order
}

// bothDirections is the attributes of a link from those of its directions.
// A latency that is not given is 1.
func bothDirections(there, back string) map[string]string {
	attrs := parseAttributes(there)
	other := parseAttributes(back)
	if attrs["latency"] != "" && other["latency"] == "" {
		other["latency"] = "1"
	}
	for k, v := range other {
		if own, ok := attrs[k]; !ok || own != v {
			attrs[k+"_back"] = v
		}
	}
	return attrs
}

// number sets the labels and kinds of g and returns the vertices' numbers.
func (b *reading) number(g *fileGraph) ([]int32, error) {
	order := make([]int32, len(b.vertices))
	for v := range order {
		order[v] = int32(v)
	}
	if b.numeric {
		b.sortNumbers(order)
	}
	if b.natural {
		slices.SortStableFunc(order, func(v, w int32) int { return compareNatural(b.vertices[v].id, b.vertices[w].id) })
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
	g.nameDevices()
	return number, nil
}

// sortNumbers puts vertices in the order of their names if all are numbers; those of the same
// number as they came.
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
