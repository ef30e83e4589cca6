package graphio_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/graphio"
)

// TestExports holds the writers against plain ones that look every attribute up
// in a map.
func TestExports(t *testing.T) {
	var graphs []topology.Graph
	for _, s := range []topology.Params{
		topology.Torus{Dims: topology.Ints{4, 3, 2}},
		topology.HyperX{Dims: topology.Ints{4, 3}, Widths: topology.Ints{2, 1}, Terminals: 1},
		topology.FatTree{Nodes: 12, Radix: 8, Rails: 2},
		topology.CLEX{Clique: 3, Levels: 3},
		topology.DeBruijn{Base: 11, Digits: 2},
		topology.RandomRegular{Nodes: 12, Degree: 3, Terminals: 2},
	} {
		graphs = append(graphs, graphtest.New(t, s))
	}
	for format, text := range map[string]string{
		"edges": "a b\nb c length_m=3.5 latency=7 x<y>=&\"'é\nc a simplex=true width=700 zz=1\n",
		"dot": `digraph { a [label="say \"x\" <&>"]; a -> b [dir=both "a key"="a=b #c	d" level="l\"1"]; ` +
			`b -> c [width=12 "back"="\\\"\\"]; c -> d; d [label="a\N\\"] }`,
		"graphml": `<graphml><key id="l" attr.name="length &lt;m&gt;"/><graph edgedefault="undirected">` +
			`<node id="a"/><node id="b"/><edge source="a" target="b"><data key="l">1&#10;2</data></edge>` +
			`</graph></graphml>`,
		"anynet": "router 0 node 0 router 1 5\nrouter 1 node 1 router 0 20 router 2 9\nrouter 2 node 2\n",
	} {
		g, err := graphio.Read("x", format, strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		graphs = append(graphs, g)
	}
	for i, g := range graphs {
		for _, f := range []struct {
			name        string
			write, want func(io.Writer, topology.Graph) error
		}{
			{"edges", graphio.WriteEdges, plainEdges},
			{"dot", graphio.WriteDOT, plainDOT},
			{"graphml", graphio.WriteGraphML, plainGraphML},
			{"json", graphio.WriteJSON, plainJSON},
		} {
			var got, want bytes.Buffer
			if err := f.write(&got, g); err != nil {
				t.Fatal(err)
			}
			if err := f.want(&want, g); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want.String(), got.String()); diff != "" {
				t.Errorf("graph %d, %s: -want +got\n%s", i, f.name, diff)
			}
		}
	}
}

// BenchmarkExport writes large graphs; edges should come at 5 million links a
// second.
func BenchmarkExport(b *testing.B) {
	g := graphtest.New(b, topology.Torus{Dims: topology.Ints{64, 64, 64}})
	all := maps.Clone(writers)
	all["json"] = graphio.WriteJSON
	for _, name := range slices.Sorted(maps.Keys(all)) {
		b.Run(name, func(b *testing.B) {
			links := topology.Count(g).Links
			for b.Loop() {
				if err := all[name](io.Discard, g); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(links)*float64(b.N)/b.Elapsed().Seconds(), "links/s")
		})
	}
}

// linkAttributes returns a function that gives the attributes of a link as a
// file has them: those that an Attributed graph keeps, and level, width and
// simplex where they say something.
func linkAttributes(g topology.Graph) func(i int, l topology.Link) map[string]string {
	levels := g.Levels()
	kept, _ := g.(graphio.Attributed)
	return func(i int, l topology.Link) map[string]string {
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
func each(g topology.Graph, write func(l topology.Link, keys []string, attrs map[string]string) error) error {
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

func plainEdges(w io.Writer, g topology.Graph) error {
	out := bufio.NewWriter(w)
	plain := strings.NewReplacer(" ", "_", "\t", "_", "\n", "_", "\r", "_", "#", "_", "=", "_")
	err := each(g, func(l topology.Link, keys []string, attrs map[string]string) error {
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

func dotQuote(s string) string {
	return `"` + strings.NewReplacer(`"`, `\"`, `\`, `\\`).Replace(s) + `"`
}

func plainDOT(w io.Writer, g topology.Graph) error {
	out := bufio.NewWriter(w)
	word, arrow := "graph", "--"
	directed := topology.Count(g).Simplex > 0
	if directed {
		word, arrow = "digraph", "->"
	}
	fmt.Fprintf(out, "%s %s {\n", word, dotQuote(g.Family()))
	for _, k := range g.Kinds() {
		for v := k.First; v < k.First+k.Count; v++ {
			fmt.Fprintf(out, "\t%d [kind=%s, role=%q, label=%s];\n", v, dotQuote(k.Name), k.Role, dotQuote(g.Label(v)))
		}
	}
	err := each(g, func(l topology.Link, keys []string, attrs map[string]string) error {
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

func plainGraphML(w io.Writer, g topology.Graph) error {
	out := bufio.NewWriter(w)
	seen := make(map[string]bool)
	if _, ok := g.(graphio.Attributed); ok {
		_ = each(g, func(_ topology.Link, keys []string, _ map[string]string) error {
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
			fmt.Fprintf(out, `<node id="%d"><data key="kind">%s</data><data key="role">%s</data>`+
				`<data key="label">%s</data></node>`+"\n", v, xmlText(k.Name), k.Role, xmlText(g.Label(v)))
		}
	}
	err := each(g, func(l topology.Link, keys []string, attrs map[string]string) error {
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

func plainJSON(w io.Writer, g topology.Graph) error {
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
	kept, _ := g.(graphio.Attributed)
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

// Files count the capacity of a link as its width, so that what reads them has as many channels.
func TestCapacityIsWidth(t *testing.T) {
	g, err := topology.New(topology.Spec{
		Params:        topology.HyperX{Dims: []int{2}, Widths: []int{2}, Terminals: 1},
		LevelCapacity: topology.LevelCapacity{Capacity: map[string]int{"dim1": 3}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for format, write := range map[string]func(io.Writer, topology.Graph) error{
		"edges": graphio.WriteEdges, "dot": graphio.WriteDOT, "graphml": graphio.WriteGraphML,
	} {
		var out bytes.Buffer
		if err := write(&out, g); err != nil {
			t.Fatal(err)
		}
		read, err := graphio.Read("x", format, &out)
		if err != nil {
			t.Fatal(err)
		}
		sum := int64(0)
		for _, n := range topology.Channels(read) {
			sum += n
		}
		if want := int64(2 + 6); sum != want {
			t.Errorf("%s: %d channels, want %d", format, sum, want)
		}
	}
	var out bytes.Buffer
	if err := graphio.WriteJSON(&out, g); err != nil || !strings.Contains(out.String(), `"width":6`) {
		t.Errorf("%v, and %s", err, out.String())
	}
	if err := graphio.WriteAnynet(&out, g); err == nil || !strings.Contains(err.Error(), "anynet has no parallel") {
		t.Error(err)
	}
}

// TestAnynetRefusesParallelLinks: BookSim would keep only the last of them.
func TestAnynetRefusesParallelLinks(t *testing.T) {
	g, err := graphio.Read("x", "edges", strings.NewReader("0 1 level=a\n1 2\n0 1 level=b\n"))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := graphio.WriteAnynet(&out, g); err == nil || out.Len() > 0 ||
		!strings.Contains(err.Error(), "0 - 1 has several") {
		t.Errorf("%v after %q", err, out.String())
	}
}
