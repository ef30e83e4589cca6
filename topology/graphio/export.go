package graphio

import (
	"bufio"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/topology"
)

// attribute is what a file says of a link.
type attribute struct{ key, value string }

// linkAttributes returns a function that gives the attributes of a link as a
// file has them, in the order of their names: those that an Attributed graph
// keeps, and level, width and simplex where they say something. The width counts
// the capacity of the level. They hold until the next call.
func linkAttributes(g topology.Graph) func(i int, l topology.Link) []attribute {
	levels := g.Levels()
	kept, _ := g.(Attributed)
	var list []attribute
	return func(i int, l topology.Link) []attribute {
		list = list[:0]
		if len(levels) > 1 || levels[l.Level].Name != "link" {
			list = append(list, attribute{"level", levels[l.Level].Name})
		}
		if l.Simplex {
			list = append(list, attribute{"simplex", "true"})
		}
		if n := l.Channels(levels); n > 1 {
			list = append(list, attribute{"width", strconv.Itoa(int(n))})
		}
		if kept == nil {
			return list
		}
		own := list
		for k, v := range kept.EdgeAttributes(i) {
			if !slices.ContainsFunc(own, func(a attribute) bool { return a.key == k }) {
				list = append(list, attribute{k, v})
			}
		}
		slices.SortFunc(list, func(a, b attribute) int { return cmp.Compare(a.key, b.key) })
		return list
	}
}

// eachLine writes a piece of text for every link, which appendLink appends.
func eachLine(w *bufio.Writer, g topology.Graph,
	appendLink func(text []byte, l topology.Link, attrs []attribute) []byte,
) error {
	of := linkAttributes(g)
	i := 0
	var text []byte
	for l := range g.Links() {
		text = appendLink(text[:0], l, of(i, l))
		if _, err := w.Write(text); err != nil {
			return err
		}
		i++
	}
	return nil
}

func appendInt(text []byte, x int32) []byte { return strconv.AppendInt(text, int64(x), 10) }

// WriteEdges writes an edge list: a line for every link with the numbers of its
// ends, from 0, and its attributes as name=value. Blanks, tabs, line breaks, # and
// = in names and values become underscores. Kinds, labels, ports and vertices
// without links are lost.
func WriteEdges(w io.Writer, g topology.Graph) error {
	out := bufio.NewWriter(w)
	err := eachLine(out, g, func(text []byte, l topology.Link, attrs []attribute) []byte {
		text = appendInt(text, l.A)
		text = append(text, ' ')
		text = appendInt(text, l.B)
		for _, a := range attrs {
			text = append(text, ' ')
			text = appendWord(text, a.key)
			text = append(text, '=')
			text = appendWord(text, a.value)
		}
		return append(text, '\n')
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

// appendWord writes an underscore for every byte that would end a word of an
// edge list.
func appendWord(text []byte, s string) []byte {
	for i := range len(s) {
		switch c := s[i]; c {
		case ' ', '\t', '\n', '\r', '#', '=':
			text = append(text, '_')
		default:
			text = append(text, c)
		}
	}
	return text
}

// appendDOT writes a quoted string of the DOT language. A backslash is written twice: one before the closing quote
// would take it into the string.
func appendDOT(text []byte, s string) []byte {
	text = append(text, '"')
	for i := range len(s) {
		if s[i] == '"' || s[i] == '\\' {
			text = append(text, '\\')
		}
		text = append(text, s[i])
	}
	return append(text, '"')
}

func dotQuote(s string) string { return string(appendDOT(nil, s)) }

// WriteDOT writes the DOT language: nodes are numbers with kind, role and label, all quoted, for node is a keyword of
// the language. A graph with simplex links becomes a digraph, in which the other links have dir=both.
func WriteDOT(w io.Writer, g topology.Graph) error {
	out := bufio.NewWriter(w)
	word, arrow := "graph", " -- "
	directed := topology.Count(g).Simplex > 0
	if directed {
		word, arrow = "digraph", " -> "
	}
	fmt.Fprintf(out, "%s %s {\n", word, dotQuote(g.Family()))
	for _, k := range g.Kinds() {
		for v := k.First; v < k.First+k.Count; v++ {
			fmt.Fprintf(out, "\t%d [kind=%s, role=%q, label=%s];\n", v, dotQuote(k.Name), k.Role, dotQuote(g.Label(v)))
		}
	}
	err := eachLine(out, g, func(text []byte, l topology.Link, attrs []attribute) []byte {
		text = append(text, '\t')
		text = appendInt(text, l.A)
		text = append(text, arrow...)
		text = appendInt(text, l.B)
		if directed && !l.Simplex {
			attrs = append(attrs, attribute{"dir", "both"})
		}
		for i, a := range attrs {
			text = append(text, [2]string{" [", ", "}[min(i, 1)]...)
			text = appendDOT(text, a.key)
			text = append(text, '=')
			text = appendDOT(text, a.value)
		}
		if len(attrs) > 0 {
			text = append(text, ']')
		}
		return append(text, ";\n"...)
	})
	if err != nil {
		return err
	}
	out.WriteString("}\n")
	return out.Flush()
}

func xmlText(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' || strings.ContainsRune(`"'&<>`, r) }) {
		return s
	}
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder never fails
	return b.String()
}

// WriteGraphML writes GraphML, a simplex link as a directed edge of an undirected
// graph. Ports are lost, unless an Attributed graph keeps them as attributes. It
// walks the links twice, first for the names of their attributes.
func WriteGraphML(w io.Writer, g topology.Graph) error {
	out := bufio.NewWriter(w)
	seen := map[string]bool{"level": true, "width": true}
	if kept, ok := g.(Attributed); ok {
		i := 0
		for range g.Links() {
			for k := range kept.EdgeAttributes(i) {
				seen[k] = true
			}
			i++
		}
	}
	delete(seen, "simplex")
	id := make(map[string]int)
	out.WriteString(xml.Header + `<graphml xmlns="http://graphml.graphdrawing.org/xmlns">` + "\n")
	for _, k := range []string{"kind", "role", "label"} {
		fmt.Fprintf(out, `<key id="%s" for="node" attr.name="%s" attr.type="string"/>`+"\n", k, k)
	}
	for i, k := range slices.Sorted(maps.Keys(seen)) {
		id[k] = i
		fmt.Fprintf(out, `<key id="e%d" for="edge" attr.name="%s" attr.type="string"/>`+"\n", i, xmlText(k))
	}
	fmt.Fprintf(out, `<graph id="%s" edgedefault="undirected">`+"\n", xmlText(g.Family()))
	for _, k := range g.Kinds() {
		for v := k.First; v < k.First+k.Count; v++ {
			fmt.Fprintf(out, `<node id="%d"><data key="kind">%s</data><data key="role">%s</data>`, v, xmlText(k.Name),
				k.Role)
			fmt.Fprintf(out, `<data key="label">%s</data></node>`+"\n", xmlText(g.Label(v)))
		}
	}
	err := eachLine(out, g, func(text []byte, l topology.Link, attrs []attribute) []byte {
		text = append(text, `<edge source="`...)
		text = appendInt(text, l.A)
		text = append(text, `" target="`...)
		text = appendInt(text, l.B)
		text = append(text, '"')
		if l.Simplex {
			text = append(text, ` directed="true"`...)
		}
		text = append(text, '>')
		for _, a := range attrs {
			if a.key != "simplex" {
				text = append(text, `<data key="e`...)
				text = strconv.AppendInt(text, int64(id[a.key]), 10)
				text = append(text, `">`...)
				text = append(text, xmlText(a.value)...)
				text = append(text, "</data>"...)
			}
		}
		return append(text, "</edge>\n"...)
	})
	if err != nil {
		return err
	}
	out.WriteString("</graph>\n</graphml>\n")
	return out.Flush()
}

// jsonVertex is what WriteJSON writes of a vertex.
type jsonVertex struct {
	ID    int    `json:"id"`
	Kind  string `json:"kind"`
	Role  string `json:"role"`
	Label string `json:"label"`
}

// WriteJSON writes an object with the family, the vertices and the links, each
// on a line of its own, with the first ports of both ends, counting from 0. The
// width of a link is multiplied by the capacity of its level.
func WriteJSON(w io.Writer, g topology.Graph) error {
	out := bufio.NewWriter(w)
	write := func(sep string, v any) error {
		text, err := json.Marshal(v)
		if err != nil {
			return err
		}
		out.WriteString(sep)
		_, err = out.Write(text)
		return err
	}
	if err := write(`{"family":`, g.Family()); err != nil {
		return err
	}
	out.WriteString(`,"vertices":[`)
	sep := "\n"
	for _, k := range g.Kinds() {
		for v := k.First; v < k.First+k.Count; v++ {
			if err := write(sep, jsonVertex{v, k.Name, k.Role.String(), g.Label(v)}); err != nil {
				return err
			}
			sep = ",\n"
		}
	}
	out.WriteString(`],"links":[`)
	if err := jsonLinks(out, g); err != nil {
		return err
	}
	out.WriteString("]}\n")
	return out.Flush()
}

// jsonLinks writes the links as json.Marshal would. An attributes object and
// "simplex" stand only where they say something.
func jsonLinks(out *bufio.Writer, g topology.Graph) error {
	var levels [][]byte
	for _, l := range g.Levels() {
		name, err := json.Marshal(l.Name)
		if err != nil {
			return err
		}
		levels = append(levels, name)
	}
	kept, _ := g.(Attributed)
	var text []byte
	sep := "\n"
	i := 0
	for l := range g.Links() {
		text = append(text[:0], sep...)
		text = appendInt(append(text, `{"a":`...), l.A)
		text = appendInt(append(text, `,"b":`...), l.B)
		text = appendInt(append(text, `,"port_a":`...), l.PortA)
		text = appendInt(append(text, `,"port_b":`...), l.PortB)
		text = append(append(text, `,"level":`...), levels[l.Level]...)
		text = appendInt(append(text, `,"width":`...), l.Channels(g.Levels()))
		if l.Simplex {
			text = append(text, `,"simplex":true`...)
		}
		if kept != nil {
			if attrs := kept.EdgeAttributes(i); len(attrs) > 0 {
				object, err := json.Marshal(attrs)
				if err != nil {
					return err
				}
				text = append(append(text, `,"attributes":`...), object...)
			}
		}
		if _, err := out.Write(append(text, '}')); err != nil {
			return err
		}
		sep = ",\n"
		i++
	}
	return nil
}
