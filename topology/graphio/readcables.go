package graphio

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/topology"
)

// Ported is a graph whose source says which ports its links are plugged into.
type Ported interface {
	topology.Graph
	// PortNames returns the names of the ports of a kind, by its index in Kinds:
	// entry p is the name of port p of Link. nil if the source does not name them.
	PortNames(kind int) []string
}

// portColumns are the columns of a list of cables that name a port, after a_ or
// b_, the first that is there.
var portColumns = []string{"port", "socket"}

// cableEnd says which columns of a list of cables name one end.
type cableEnd struct {
	prefix string
	vertex []int // joined by points
	port   int   // -1 for none
}

// readCables reads a list of cables as comma-separated or semicolon-separated
// values with a header. Columns that begin with a_ and b_ are about the two
// ends: a_port (or a_socket) is the port, and the vertex is a_device where there
// is such a column, else all others joined by points: a_cabinet, a_frame,
// a_board give "0.3.12". Tables of graphs name the ends source and target (or from and to),
// with source_port and target_port. level and width are those of the link, and every other
// column is an attribute of it. Vertices are put in the order of their names,
// numbers by their value. Cables between the same two vertices are parallel
// channels of one link, for which their ports must be next to each other.
func readCables(b *reading, r io.Reader) error {
	buffered := bufio.NewReaderSize(r, 1<<16)
	rows := csvtable.NewReader(b.name, buffered)
	rows.ReuseRecord = true
	if head, _ := buffered.Peek(1 << 12); bytes.IndexByte(head, ';') >= 0 && bytes.IndexByte(head, ',') < 0 {
		rows.Comma = ';'
	}
	header, err := rows.Read()
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: the file has no header", b.name)
	} else if err != nil {
		return b.textError(err)
	}
	header = slices.Clone(header)
	for i, name := range header {
		header[i] = strings.TrimSpace(name)
		if slices.Contains(header[:i], header[i]) {
			_, column := rows.FieldPos(i)
			return b.errorAt(1, column, "column %q comes twice", header[i])
		}
	}
	var ends [2]cableEnd
	for i, prefix := range []string{"a_", "b_"} {
		if ends[i], err = b.cableEnd(header, prefix); err != nil {
			return err
		}
	}
	if (ends[0].port < 0) != (ends[1].port < 0) {
		return b.errorAt(1, 1, "only one end has a column for its port")
	}
	b.natural, b.ported = true, ends[0].port >= 0
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return b.textError(err)
		}
		if len(row) != len(header) {
			line, column := rows.FieldPos(0)
			return b.errorAt(line, column, "%d values for %d columns", len(row), len(header))
		}
		if err := b.cable(header, ends, rows, row); err != nil {
			return err
		}
	}
}

// textError names the file in what reading it failed with, unless a mistake in the text does.
func (b *reading) textError(err error) error {
	var wrong *diag.Diagnostic
	if errors.As(err, &wrong) {
		return wrong
	}
	return fmt.Errorf("%s: %w", b.name, err)
}

// endColumns are the columns of the ends of edges in tables of graphs, such as those of Gephi and NetworkX.
var endColumns = map[string][]string{"a_": {"source", "from"}, "b_": {"target", "to"}}

// cableEnd finds the columns of one end.
func (b *reading) cableEnd(header []string, prefix string) (cableEnd, error) {
	e := cableEnd{prefix: prefix, port: -1}
	for _, name := range endColumns[prefix] {
		column := func(name string) int {
			return slices.IndexFunc(header, func(s string) bool { return strings.EqualFold(s, name) })
		}
		if i := column(name); i >= 0 && !slices.ContainsFunc(header, isEndColumn) {
			return cableEnd{prefix: prefix, vertex: []int{i}, port: column(name + "_port")}, nil
		}
	}
	for _, name := range portColumns {
		if i := slices.Index(header, prefix+name); i >= 0 && e.port < 0 {
			e.port = i
		}
	}
	if i := slices.Index(header, prefix+"device"); i >= 0 {
		e.vertex = []int{i}
		return e, nil
	}
	for i, name := range header {
		if strings.HasPrefix(name, prefix) && i != e.port {
			e.vertex = append(e.vertex, i)
		}
	}
	if len(e.vertex) == 0 {
		return e, b.errorAt(1, 1, "no column says where a cable ends: expected %sdevice and %sport, or other columns "+
			"that begin with %s, or source and target", prefix, prefix, prefix)
	}
	return e, nil
}

func isEndColumn(name string) bool {
	return strings.HasPrefix(name, "a_") || strings.HasPrefix(name, "b_")
}

// cable adds the link of a row.
func (b *reading) cable(header []string, ends [2]cableEnd, rows *csvtable.Reader, row []string) error {
	line, _ := rows.FieldPos(0)
	var vertex [2]int32
	var port [2]string
	for i, e := range ends {
		var name strings.Builder
		for k, column := range e.vertex {
			text := strings.TrimSpace(row[column])
			if text == "" {
				_, at := rows.FieldPos(column)
				return b.errorAt(line, at, "%s is empty", header[column])
			}
			if k > 0 {
				name.WriteByte('.')
			}
			name.WriteString(strings.TrimPrefix(text, "'"))
		}
		vertex[i] = b.vertex(name.String())
		if e.port >= 0 {
			if port[i] = strings.TrimPrefix(strings.TrimSpace(row[e.port]), "'"); port[i] == "" {
				_, at := rows.FieldPos(e.port)
				return b.errorAt(line, at, "%s is empty", header[e.port])
			}
		}
	}
	attrs := make(map[string]string)
	for i, name := range header {
		end := slices.Contains(ends[0].vertex, i) || slices.Contains(ends[1].vertex, i) || ends[0].port == i ||
			ends[1].port == i
		if name != "" && !isEndColumn(name) && !end && row[i] != "" {
			attrs[name] = row[i]
		}
	}
	if err := b.link(vertex[0], vertex[1], duplex, attrs, line, 1); err != nil {
		return err
	}
	if b.ported && vertex[0] != vertex[1] {
		l := &b.links[len(b.links)-1]
		if l.width != 1 {
			return b.errorAt(line, 1, "a cable in a port of its own is of width 1, not %d", l.width)
		}
		l.portA, l.portB = b.port(port[0]), b.port(port[1])
	}
	return nil
}

// port is the number of the name of a port.
func (b *reading) port(name string) int32 {
	i, ok := b.portIndex[name]
	if !ok {
		name = strings.Clone(name)
		i = int32(len(b.portNames))
		if b.portIndex == nil {
			b.portIndex = make(map[string]int32)
		}
		b.portIndex[name] = i
		b.portNames = append(b.portNames, name)
	}
	return i
}

// portAttributes takes the ports of all links from their attributes. Two opposite edges in the same ports are one
// cable, as are the same edges of a strict graph.
func (b *reading) portAttributes() error {
	type cable struct{ a, b, portA, portB int32 }
	seen := make(map[cable]bool)
	for i := range b.links {
		l := &b.links[i]
		attrs := parseAttributes(b.attrs[l.attrs])
		from, to := attrs["port_a"], attrs["port_b"]
		switch {
		case from == "" || to == "":
			return fmt.Errorf("%s:%d: the link of %s and %s names no port_a or no port_b", b.name, l.line,
				b.vertices[l.a].id, b.vertices[l.b].id)
		case l.way == simplex:
			return fmt.Errorf("%s:%d: a link in ports of its own carries both ways", b.name, l.line)
		case l.width != 1:
			return fmt.Errorf("%s:%d: a link in ports of its own is of width 1, not %d", b.name, l.line, l.width)
		}
		l.portA, l.portB = b.port(from), b.port(to)
		switch back := (cable{l.b, l.a, l.portB, l.portA}); {
		case l.way == arc && seen[back]:
			b.opposite++
			l.width = 0
		case b.strict && (seen[back] || seen[cable{l.a, l.b, l.portA, l.portB}]):
			b.repeated++
			l.width = 0
		case l.way == arc || b.strict:
			seen[cable{l.a, l.b, l.portA, l.portB}] = true
		}
		l.way = duplex
	}
	b.links = slices.DeleteFunc(b.links, func(l fileLink) bool { return l.width == 0 })
	b.ported = true
	return nil
}

// plug numbers the ports of every kind and makes one link of parallel cables.
// The links have the numbers of the graph's vertices already.
func (b *reading) plug(g *fileGraph) error {
	used := make([]map[int32]bool, len(g.kinds))
	for i := range used {
		used[i] = make(map[int32]bool)
	}
	each := func(l *fileLink, do func(v int32, port *int32)) {
		do(l.a, &l.portA)
		do(l.b, &l.portB)
	}
	for i := range b.links {
		each(&b.links[i], func(v int32, port *int32) { used[topology.KindOf(g.kinds, int(v))][*port] = true })
	}
	number := make([]map[int32]int32, len(g.kinds))
	for k := range g.kinds {
		var err error
		if number[k], err = b.portOrder(g, k, used[k]); err != nil {
			return err
		}
	}
	taken := make(map[[2]int32]int32) // vertex and port: line
	var clash error
	for i := range b.links {
		l := &b.links[i]
		each(l, func(v int32, port *int32) {
			k := topology.KindOf(g.kinds, int(v))
			*port = number[k][*port]
			if line, twice := taken[[2]int32{v, *port}]; twice && clash == nil {
				clash = fmt.Errorf("%s:%d: port %s of %s has the cable of line %d already", b.name, l.line,
					g.ports[k][*port], g.labels[v], line)
			}
			taken[[2]int32{v, *port}] = l.line
		})
		if clash != nil {
			return clash
		}
	}
	return b.parallel(g)
}

// portOrder sets the names of the ports of a kind in g and returns the number,
// from 0, of each used port by its number in portNames. The names are 1, 2, ... up
// to the highest if all that are used are such numbers, else those that are used
// in the order of their names.
func (b *reading) portOrder(g *fileGraph, kind int, used map[int32]bool) (map[int32]int32, error) {
	order := make(map[int32]int32, len(used))
	var names []string
	most, plain := 0, true
	for i := range used {
		name := b.portNames[i]
		names = append(names, name)
		n, err := strconv.Atoi(name)
		plain = plain && err == nil && n >= 1 && n <= topology.MaxPorts && name == strconv.Itoa(n)
		most = max(most, n)
	}
	if len(names) > topology.MaxPorts {
		return nil, fmt.Errorf("%s: a %s has more than %d ports", b.name, g.kinds[kind].Name, topology.MaxPorts)
	}
	if plain {
		names = names[:0]
		for n := range most {
			names = append(names, strconv.Itoa(n+1))
		}
	}
	slices.SortFunc(names, CompareNatural)
	for i, name := range names {
		if at, ok := b.portIndex[name]; ok && used[at] {
			order[at] = int32(i)
		}
	}
	g.ports[kind] = names
	return order, nil
}

// parallel makes one link of the cables that join the same two vertices on one
// level.
func (b *reading) parallel(g *fileGraph) error {
	order := b.byEnds()
	for i := 0; i < len(order); {
		first := &b.links[order[i]]
		end := i + 1
		for ; end < len(order); end++ {
			l := &b.links[order[end]]
			if !sameEnds(l, first) {
				break
			}
			if l.a != first.a {
				l.a, l.b, l.portA, l.portB = l.b, l.a, l.portB, l.portA
			}
		}
		run := order[i:end]
		slices.SortFunc(run, func(x, y int32) int { return cmp.Compare(b.links[x].portA, b.links[y].portA) })
		head := &b.links[run[0]]
		for k, at := range run[1:] {
			l := &b.links[at]
			if l.portA != head.portA+int32(k)+1 || l.portB != head.portB+int32(k)+1 {
				return fmt.Errorf("%s:%d: %s and %s are joined in line %d already, and the ports of parallel cables "+
					"have to be next to each other at both ends, in the same order",
					b.name, l.line, g.labels[l.a], g.labels[l.b], head.line)
			}
			head.width++
			l.width = 0
		}
		i = end
	}
	b.links = slices.DeleteFunc(b.links, func(l fileLink) bool { return l.width == 0 })
	return nil
}

// CompareNatural compares names byte by byte, but runs of digits by their value:
// swp2 comes before swp10, and 0.3.9 before 0.3.12. It is 0 for equal strings
// only: names that differ in leading zeros alone are compared as strings.
func CompareNatural(x, y string) int {
	a, b := x, y
	for a != "" && b != "" {
		m, n := digits(a), digits(b)
		if m == 0 || n == 0 {
			if a[0] != b[0] {
				return cmp.Compare(a[0], b[0])
			}
			a, b = a[1:], b[1:]
			continue
		}
		p, q := strings.TrimLeft(a[:m], "0"), strings.TrimLeft(b[:n], "0")
		if c := cmp.Or(cmp.Compare(len(p), len(q)), cmp.Compare(p, q)); c != 0 {
			return c
		}
		a, b = a[m:], b[n:]
	}
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(x, y))
}

// digits is the length of the run of digits at the beginning of a text.
func digits(s string) int {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return i
		}
	}
	return len(s)
}

// PortNames is the names of the ports of a kind, nil where the file names none.
func (g *fileGraph) PortNames(kind int) []string {
	if g.ports == nil {
		return nil
	}
	return g.ports[kind]
}
