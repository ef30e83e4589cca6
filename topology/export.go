package topology

import (
	"bufio"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// linkAttributes returns a function that gives the attributes of a link as a
// file has them: those that an Attributed graph keeps, and level, width and
// simplex where they say something.
func linkAttributes(g Graph) func(i int, l Link) map[string]string {
	levels := g.Levels()
	kept, _ := g.(Attributed)
	return func(i int, l Link) map[string]string {
		attrs := make(map[string]string)
		if kept != nil {
			maps.Copy(attrs, kept.EdgeAttributes(i))
		}
		if len(levels) > 1 || levels[l.Level].Name != "link" {
			attrs["level"] = levels[l.Level].Name
		}
		if l.Width > 1 {
			attrs["width"] = strconv.Itoa(int(l.Width))
		}
		if l.Simplex {
			attrs["simplex"] = "true"
		}
		return attrs
	}
}

// each calls write for every link with its attributes in order.
func each(g Graph, write func(l Link, keys []string, attrs map[string]string) error) error {
	of := linkAttributes(g)
	i := 0
	for l := range g.Links() {
		attrs := of(i, l)
		if err := write(l, slices.Sorted(maps.Keys(attrs)), attrs); err != nil {
			return err
		}
		i++
	}
	return nil
}

// WriteEdges writes an edge list: a line for every link with the numbers of its
// ends and its attributes as name=value. A blank in a value becomes an
// underscore. Kinds and labels are lost.
func WriteEdges(w io.Writer, g Graph) error {
	out := bufio.NewWriter(w)
	plain := strings.NewReplacer(" ", "_", "\t", "_", "\n", "_", "\r", "_", "#", "_", "=", "_")
	err := each(g, func(l Link, keys []string, attrs map[string]string) error {
		fmt.Fprintf(out, "%d %d", l.A, l.B)
		for _, k := range keys {
			fmt.Fprintf(out, " %s=%s", plain.Replace(k), plain.Replace(attrs[k]))
		}
		return out.WriteByte('\n')
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

// dotQuote writes a quoted string of the DOT language.
func dotQuote(s string) string { return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"` }

// WriteDOT writes the DOT language: nodes are numbers with kind, role and
// label. A graph with simplex links becomes a digraph, in which the other links
// have dir=both.
func WriteDOT(w io.Writer, g Graph) error {
	out := bufio.NewWriter(w)
	word, arrow := "graph", "--"
	directed := Count(g).Simplex > 0
	if directed {
		word, arrow = "digraph", "->"
	}
	fmt.Fprintf(out, "%s %s {\n", word, dotQuote(g.Family()))
	for _, k := range g.Kinds() {
		for v := k.First; v < k.First+k.Count; v++ {
			fmt.Fprintf(out, "\t%d [kind=%s, role=%s, label=%s];\n", v, dotQuote(k.Name), k.Role, dotQuote(g.Label(v)))
		}
	}
	err := each(g, func(l Link, keys []string, attrs map[string]string) error {
		fmt.Fprintf(out, "\t%d %s %d", l.A, arrow, l.B)
		if directed && !l.Simplex {
			attrs["dir"] = "both"
			keys = append(keys, "dir")
		}
		for i, k := range keys {
			fmt.Fprintf(out, "%s%s=%s", [2]string{" [", ", "}[min(i, 1)], dotQuote(k), dotQuote(attrs[k]))
		}
		if len(keys) > 0 {
			out.WriteByte(']')
		}
		_, err := out.WriteString(";\n")
		return err
	})
	if err != nil {
		return err
	}
	out.WriteString("}\n")
	return out.Flush()
}

func xmlText(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder never fails
	return b.String()
}

// WriteGraphML writes GraphML. It walks the links twice, first for the names of
// their attributes.
func WriteGraphML(w io.Writer, g Graph) error {
	out := bufio.NewWriter(w)
	seen := make(map[string]bool)
	if _, ok := g.(Attributed); ok {
		_ = each(g, func(_ Link, keys []string, _ map[string]string) error {
			for _, k := range keys {
				seen[k] = true
			}
			return nil
		})
	}
	for _, k := range []string{"level", "width"} {
		seen[k] = true
	}
	delete(seen, "simplex")
	keys := slices.Sorted(maps.Keys(seen))
	id := make(map[string]int)
	out.WriteString(xml.Header + `<graphml xmlns="http://graphml.graphdrawing.org/xmlns">` + "\n")
	for _, k := range []string{"kind", "role", "label"} {
		fmt.Fprintf(out, `<key id="%s" for="node" attr.name="%s" attr.type="string"/>`+"\n", k, k)
	}
	for i, k := range keys {
		id[k] = i
		fmt.Fprintf(out, `<key id="e%d" for="edge" attr.name="%s" attr.type="string"/>`+"\n", i, xmlText(k))
	}
	fmt.Fprintf(out, `<graph id="%s" edgedefault="undirected">`+"\n", xmlText(g.Family()))
	for _, k := range g.Kinds() {
		for v := k.First; v < k.First+k.Count; v++ {
			fmt.Fprintf(out, `<node id="%d"><data key="kind">%s</data><data key="role">%s</data><data key="label">%s</data></node>`+"\n",
				v, xmlText(k.Name), k.Role, xmlText(g.Label(v)))
		}
	}
	err := each(g, func(l Link, keys []string, attrs map[string]string) error {
		fmt.Fprintf(out, `<edge source="%d" target="%d"`, l.A, l.B)
		if l.Simplex {
			out.WriteString(` directed="true"`)
		}
		out.WriteByte('>')
		for _, k := range keys {
			if k != "simplex" {
				fmt.Fprintf(out, `<data key="e%d">%s</data>`, id[k], xmlText(attrs[k]))
			}
		}
		_, err := out.WriteString("</edge>\n")
		return err
	})
	if err != nil {
		return err
	}
	out.WriteString("</graph>\n</graphml>\n")
	return out.Flush()
}

// WriteAnynet writes a BookSim network file: the vertices that forward are
// routers, terminals and vertices of role Node are nodes. A latency that the
// graph does not keep is 1 cycle. The format has neither simplex links nor
// parallel channels nor nodes on several routers; graphs with them are refused.
func WriteAnynet(w io.Writer, g Graph) error {
	kinds := g.Kinds()
	n := Vertices(g)
	router, node := make([]int32, n), make([]int32, n) // numbers, -1 for none
	routers, nodes := int32(0), int32(0)
	for _, k := range kinds {
		for v := k.First; v < k.First+k.Count; v++ {
			router[v], node[v] = -1, -1
			if k.Role != Terminal {
				router[v] = routers
				routers++
			}
			if k.Role != Switch {
				node[v] = nodes
				nodes++
			}
		}
	}
	latency := make([][2]string, 0)
	attributed, _ := g.(Attributed)
	attached := make([]bool, n)
	i := 0
	for l := range g.Links() {
		switch {
		case l.Simplex:
			return fmt.Errorf("anynet has no simplex links, and %s - %s is one", g.Label(int(l.A)), g.Label(int(l.B)))
		case l.Width > 1:
			return fmt.Errorf("anynet has no parallel channels, and %s - %s has %d", g.Label(int(l.A)), g.Label(int(l.B)), l.Width)
		case router[l.A] < 0 && router[l.B] < 0:
			return fmt.Errorf("anynet joins no nodes to each other, and %s - %s does", g.Label(int(l.A)), g.Label(int(l.B)))
		}
		for _, v := range []int32{l.A, l.B} {
			if router[v] < 0 {
				if attached[v] {
					return fmt.Errorf("anynet has a node on one router, and %s is on several", g.Label(int(v)))
				}
				attached[v] = true
			}
		}
		if attributed != nil {
			attrs := attributed.EdgeAttributes(i)
			there := attrs["latency"]
			if there == "" {
				there = "1"
			}
			back := attrs["latency_back"]
			if back == "" {
				back = there
			}
			latency = append(latency, [2]string{there, back})
		}
		i++
	}
	c := NewCSR(g)
	out := bufio.NewWriter(w)
	ends := make([]int32, 0, i) // the first end of every link
	for l := range g.Links() {
		ends = append(ends, l.A)
	}
	for v := range n {
		if router[v] < 0 {
			continue
		}
		fmt.Fprintf(out, "router %d", router[v])
		if node[v] >= 0 {
			fmt.Fprintf(out, " node %d", node[v])
		}
		for a := c.First[v]; a < c.First[v+1]; a++ {
			to, link := c.To[a], c.Link[a]
			if router[to] < 0 {
				fmt.Fprintf(out, " node %d", node[to])
				continue
			}
			cycles := "1"
			if attributed != nil {
				cycles = latency[link][0]
				if ends[link] != int32(v) {
					cycles = latency[link][1]
				}
			}
			fmt.Fprintf(out, " router %d %s", router[to], cycles)
		}
		out.WriteByte('\n')
	}
	return out.Flush()
}

// jsonVertex and jsonLink are what WriteJSON writes of a vertex and a link.
type jsonVertex struct {
	ID    int    `json:"id"`
	Kind  string `json:"kind"`
	Role  string `json:"role"`
	Label string `json:"label"`
}

type jsonLink struct {
	A       int32             `json:"a"`
	B       int32             `json:"b"`
	PortA   int32             `json:"port_a"`
	PortB   int32             `json:"port_b"`
	Level   string            `json:"level"`
	Width   int32             `json:"width"`
	Simplex bool              `json:"simplex,omitempty"`
	Attrs   map[string]string `json:"attributes,omitempty"`
}

// WriteJSON writes an object with the family, the vertices and the links, each
// on a line of its own, with the ports of both ends.
func WriteJSON(w io.Writer, g Graph) error {
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
	sep = "\n"
	kept, _ := g.(Attributed)
	i := 0
	for l := range g.Links() {
		x := jsonLink{l.A, l.B, l.PortA, l.PortB, g.Levels()[l.Level].Name, l.Width, l.Simplex, nil}
		if kept != nil {
			x.Attrs = kept.EdgeAttributes(i)
		}
		if err := write(sep, x); err != nil {
			return err
		}
		sep = ",\n"
		i++
	}
	out.WriteString("]}\n")
	return out.Flush()
}
