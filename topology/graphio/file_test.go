package graphio_test

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/clusters"
	"github.com/plenum-planner/plenum/topology/graphio"
)

var writers = map[string]func(io.Writer, topology.Graph) error{
	"edges": graphio.WriteEdges, "dot": graphio.WriteDOT, "graphml": graphio.WriteGraphML,
	"anynet": graphio.WriteAnynet,
}

// TestRoundTrip writes and reads graphs in every format; what was read and
// written again is the same.
func TestRoundTrip(t *testing.T) {
	for _, s := range []topology.Params{
		topology.Torus{Dims: topology.Ints{4, 3, 2}},
		topology.HyperX{Dims: topology.Ints{4, 3}, Terminals: 2},
		topology.HyperX{Dims: topology.Ints{4, 3}, Widths: topology.Ints{2, 1}, Terminals: 1},
		topology.FatTree{Nodes: 12, Radix: 8, Rails: 2},
		topology.SlimFly{Q: 5, Terminals: 2},
		clusters.BCube{Radix: 3, Levels: 2},
		topology.Moore{Graph: "petersen"},
	} {
		g := graphtest.New(t, s)
		for name, write := range writers {
			t.Run(s.Family()+" "+name, func(t *testing.T) {
				var text bytes.Buffer
				if err := write(&text, g); err != nil {
					if name != "anynet" {
						t.Fatal(err)
					}
					t.Skip(err)
				}
				again, err := graphio.Read("x", name, bytes.NewReader(text.Bytes()))
				if err != nil {
					t.Fatalf("%v\n%s", err, text.String())
				}
				graphtest.Check(t, again)
				if name == "dot" || name == "graphml" {
					if diff := cmp.Diff(graphtest.CountsText(g), graphtest.CountsText(again)); diff != "" {
						t.Error(diff)
					}
				}
				if name == "anynet" && s.Family() != "hyperx" && s.Family() != "slim-fly" {
					return // nodes that are routers become both
				}
				var second bytes.Buffer
				if err := write(&second, again); err != nil {
					t.Fatal(err)
				}
				want := text.String()
				if name != "edges" {
					want = strings.Replace(want, `"`+s.Family()+`"`, `"file"`, 1)
				}
				got := second.String()
				if name == "anynet" { // the order in a line follows the file's
					want, got = sortLines(want), sortLines(got)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
			})
		}
		var text bytes.Buffer
		if err := graphio.WriteJSON(&text, g); err != nil {
			t.Fatal(err)
		}
		var read struct{ Vertices, Links []any }
		if err := json.Unmarshal(text.Bytes(), &read); err != nil || len(read.Vertices) != topology.Vertices(g) {
			t.Errorf("JSON: %d vertices, %v", len(read.Vertices), err)
		}
	}
}

// sortLines sorts what stands in each line of an anynet file.
func sortLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		entries := strings.Split(strings.NewReplacer(" router", "\nrouter", " node", "\nnode").Replace(line), "\n")
		slices.Sort(entries[min(1, len(entries)):])
		lines[i] = strings.Join(entries, " ")
	}
	return strings.Join(lines, "\n")
}

const mm = "%%MatrixMarket matrix coordinate pattern general\n"

func TestReadErrors(t *testing.T) {
	for _, tt := range []struct{ format, text, want string }{
		{"edges", "", "x: the file has no vertices"},
		{"edges", "0 1\n2\n", `x:2:1: a line names two vertices, here is only "2"`},
		{"edges", "0 1 five\n", `x:1:5: expected an attribute as name=value, not "five"`},
		{"edges", "0 1 5 6\n", `x:1:5: expected an attribute as name=value, not "5"`},
		{"edges", "0 1 {'a': 2} x\n", "x:1:13: expected the end of the line after the attributes"},
		{"edges", "0 1 {'a': 2, 'a': 3}\n", "x:1:20: a is given twice"},
		{"edges", "0 1 {'a' 2}\n", "x:1:10: expected a colon"},
		{"edges", "0 1 {'a': 2 'b': 3}\n", "x:1:13: expected a comma or }"},
		{"edges", "0 1 {a: 2}\n", "x:1:6: expected the name of an attribute in quotes"},
		{"edges", "0 1 {'a': 'b}\n", "x:1:14: the text in quotes has no end"},
		{"edges", "0 1 {'a': [1, 2}\n", "x:1:17: the attributes have no end"},
		{"edges", "0 1 {'level': '\\x1b'}\n", "has a control character"},
		{"edges", "0 1 {\n", "x:1:6: expected the name of an attribute in quotes"},
		{"edges", "0 1\n0 1 simplex=true\n", "x:2: 1 of the channels between 0 and 1 carry one way only, and 1 both"},
		{"edges", "0 1 width=40000\n0 1 width=40000\n", "x:1: 0 and 1 are linked by more than 65535 channels"},
		{"edges", "0 1 width=0\n", `x:1:1: width must be from 1 to 65535, not "0"`},
		{"edges", "0 1 length_m=-1\n", "x:1:1: length_m must be a number of at least 0"},
		{"dot", "graph { a -> b }", "x:1:11: -> does not belong in this kind of graph"},
		{"dot", "graph { a -- b [x=", "x:1:18: expected a value"},
		{"dot", "graph {\n a -- <b }", "x:2:7: the string has no end"},
		{"dot", "graph {\n a -- ? }", "x:2:7: '?' is not understood here"},
		{"dot", "graph { a -- {b [role=boss]} }", "x:1:15: role must be node, switch or terminal"},
		{"dot", "graph { {a b} -> c }", "x:1:15: -> does not belong in this kind of graph"},
		{"dot", "graph { a, -- b }", `x:1:12: expected a node, not "--"`},
		{"dot", "grph {}", `x:1:1: expected graph or digraph, not "grph"`},
		{
			"graphml", "<graphml><graph><edge source='a' target='b'/></graph></graphml>",
			`x:1:17: there is no node "a", where this edge ends`,
		},
		{"graphml", "<graphml></graph>", "x:1:18: element <graphml> closed by </graph>"},
		{"graphml", "<graphml/>", "there is no graph element"},
		{
			"graphml", "<graphml><graph><node id='g'><graph><node id='a'/></graph></node><edge source='a' " +
				"target='g'/></graph></graphml>", `x:1:66: this edge ends at the group "g"; draw it to a node`,
		},
		{"graphml", "<graphml><graph><node id='a'/><node id='a'/></graph></graphml>", `x:1:31: node "a" is there ` +
			`twice`},
		{"gml", "", "x:1:1: there is no graph [ ]"},
		{"gml", "graph [ node [ label 1 ] ]", "x:1:14: this node has no id"},
		{"gml", "graph [ node [ id 1 ] node [ id 1 ] ]", `x:1:28: node "1" is there twice`},
		{"gml", "graph [ node [ id 1 ]\n edge [ source 1 target 2 ] ]", `x:2:7: there is no node "2", where this edge`},
		{"gml", "graph [ node [ id 1 ]", `x:1:21: expected a key, not "end of file"`},
		{"gml", "graph [ directed 2 ]", `x:1:18: directed must be 0 or 1, not "2"`},
		{"gml", "graph 5", `x:1:7: expected [, not "5"`},
		{"gml", `graph [ node [ id 1 label "&#27;" ] ]`, "has a control character"},
		{"json", "[]", "x:1:1: expected {, not ["},
		{"json", "{}", "expected an object with nodes (or vertices) and links (or edges)"},
		{"json", `{"nodes":[{"id":1}],` + "\n" + ` "links":[{"source":1,"target":2}]}`, `x:2:11: there is no node "2"`},
		{"json", `{"nodes":[1]}`, "x:1:11: expected an object, not a number"},
		{"json", `{"nodes":[{"id":1}`, "x:1:19: the text ends within the graph"},
		{"json", "{\n\"nodes\": x}", "x:2:10: invalid character 'x'"},
		{"json", `{"nodes":[{"id":1}],"links":[{"source":1}]}`, "x:1:30: this link has no source or no target"},
		{"metis", "", "x: the file has no header"},
		{"metis", "3 1\n2\n1\n", "x:1:1: the header says 3 vertices, and there are lines for 2"},
		{"metis", "2 2\n2\n1\n", "x:1:1: the header says 2 edges, and the lines list 2 neighbours, not 4"},
		{"metis", "3 1\n2 3\n\n\n", "x:2: vertex 1 lists 2 more often than 2 lists 1"},
		{"metis", "2 1\n3\n1\n", `x:2:1: expected a vertex from 1 to 2, not "3"`},
		{"metis", "2 1 1\n2\n1 1\n", "x:2:1: the last neighbour has no weight"},
		{"metis", "2 1 2\n", `x:1:5: the format has up to three digits 0 and 1, not "2"`},
		{"metis", "2 1\n2\n1\n1\n", "x:4:1: there are more lines than the 2 vertices"},
		{"metis", "9999999999 1\n", "x:1:1: 9,999,999,999 vertices are not from 1 to"},
		{"metis", "2 1 10 3\n1 1 1 2\n1 1\n", "x:3:1: vertex 2 has 2 numbers before its neighbours, not 3"},
		{"matrix-market", "1 1 0\n", "x:1:1: \"1\" is not a matrix that is read as a graph: expected %%MatrixMarket"},
		{"matrix-market", "%%MatrixMarket matrix array real general\n", "x:1:23: \"array\" is not a matrix"},
		{"matrix-market", mm + "3 2 1\n1 1\n", "x:2:3: 3 rows and 2 columns are not a graph"},
		{"matrix-market", mm + "3 3 2\n2 1\n", "x:2:1: the file has 1 entries, not the 2 of this line"},
		{"matrix-market", mm + "3 3 1\n2 1\n3 1\n", "x:4:1: there are more entries than the 1 of the header"},
		{"matrix-market", mm + "3 3 1\n2 1 5\n", "x:3:1: expected 2 numbers, not 3"},
		{"matrix-market", mm + "3 3 1\n2 4\n", `x:3:3: expected a vertex from 1 to 3, not "4"`},
		{"matrix-market", mm + "2000000000 2000000000 1\n2 1\n", "x:2:1: 1,999,999,998 rows have no entries"},
		{"anynet", "node 0 node 1\n", "x:1:8: a node is joined to a router, not to a node"},
		{"anynet", "router 0 swich 1\n", `x:1:10: expected router or node, not "swich"`},
		{"anynet", "router\n", "x:1:1: router has no number"},
		{"csv", "", `x: there is no format "csv"`},
	} {
		_, err := graphio.Read("x", tt.format, strings.NewReader(tt.text))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s %q: %v\nexpected %s", tt.format, tt.text, err, tt.want)
		}
	}
}

func TestReadAttributes(t *testing.T) {
	for format, text := range map[string]string{
		"edges": "a b length_m=3.5 latency=7 level=spine width=2\n",
		"dot":   `graph { "a":p1 -- b:"p2" [length_m=3.5 latency=7; level="spine", width=2] }`,
		"graphml": `<graphml><key id="l" attr.name="length_m"/><key id="y" attr.name="latency"/>` +
			`<key id="v" attr.name="level"/><key id="w" attr.name="width"/><graph edgedefault="undirected">` +
			`<node id="a"/><node id="b"/><edge source="a" target="b"><data key="l">3.5</data><data key="y">7</data>` +
			`<data key="v">spine</data><data key="w">2</data></edge></graph></graphml>`,
	} {
		g, err := graphio.Read("x", format, strings.NewReader(text))
		if err != nil {
			t.Errorf("%s: %v", format, err)
			continue
		}
		attrs := g.(graphio.Attributed).EdgeAttributes(0)
		if attrs["length_m"] != "3.5" || attrs["latency"] != "7" || graphtest.CountsText(g) != "node 2; spine 2" {
			t.Errorf("%s: %v, %s", format, attrs, graphtest.CountsText(g))
		}
	}
	g, err := graphio.Read("x", "anynet",
		strings.NewReader("router 0 node 0 router 1 5\nrouter 1 node 1 router 0 20 router 2 9\nrouter 2 node 2\n"))
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := graphio.WriteAnynet(&text, g); err != nil {
		t.Fatal(err)
	}
	want := "router 0 node 0 router 1 5\nrouter 1 router 0 20 node 1 router 2 9\nrouter 2 router 1 1 node 2\n"
	if text.String() != want {
		t.Errorf("%s", text.String())
	}
}

func fuzz(f *testing.F, format string, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := graphio.Read("x", format, bytes.NewReader(data))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "x:") {
				t.Fatalf("error without a place: %v", err)
			}
			return
		}
		graphtest.Pieces(t, g)
		for name, write := range writers {
			if err := write(io.Discard, g); err != nil && name != "anynet" {
				t.Fatal(err)
			}
		}
	})
}

func FuzzEdges(f *testing.F) {
	fuzz(f, "edges", "0 1\n1 2 level=a width=3\n", "# c\na b x=y\n", "0 1 {}\n1 2 {'weight': 3, \"b\": [1, (2, "+
		"None)]}\n",
		"0 1 2.5\n1 0 2\n")
}

func FuzzGML(f *testing.F) {
	fuzz(f, "gml", `graph [ multigraph 1 node [ id 0 label "a&amp;b" graphics [ x 1.5 ] ] node [ id 1 ] `+
		`edge [ source 0 target 1 key 0 ] edge [ source 0 target 1 key 1 width 2 ] ]`, "Creator \"x\"\ngraph [ "+
		"directed 1\n]")
}

func FuzzJSON(f *testing.F) {
	fuzz(f, "json", `{"directed":true,"nodes":[{"id":0,"name":"a"},{"id":"b"}],`+
		`"links":[{"source":0,"target":"b","key":0}]}`,
		`{"family":"x","vertices":[{"id":0,"kind":"node","role":"node","label":"a"},{"id":1,"kind":"switch",`+
			`"role":"switch","label":"b"}],"links":[{"a":0,"b":1,"port_a":0,"port_b":0,"level":"up","width":2,`+
			`"simplex":true,"attributes":{"x":"y"}}]}`)
}

func FuzzMETIS(f *testing.F) {
	fuzz(f, "metis", "% c\n3 2\n2\n1 3\n2\n", "2 1 111 2\n1 2 3 2 7\n1 2 3 1 7\n")
}

func FuzzMatrixMarket(f *testing.F) {
	fuzz(f, "matrix-market", "%%MatrixMarket matrix coordinate real symmetric\n% c\n3 3 2\n2 1 0.5\n3 3 "+
		"1\n", mm+"2 2 1\n1 2\n")
}

func FuzzDOT(f *testing.F) {
	fuzz(f, "dot", "graph { a -- b -- c [width=2]; node [kind=x]; subgraph s { d; c -- d } }",
		"digraph g { \"a\":x -> b [dir=both] /* c */ }")
}

func FuzzGraphML(f *testing.F) {
	fuzz(f, "graphml",
		`<graphml><key id="k" attr.name="kind"/><graph edgedefault="directed"><node id="a"><data key="k">x</data>`+
			`</node><node id="b"/><edge source="a" target="b"/></graph></graphml>`)
}

func FuzzAnynet(f *testing.F) {
	fuzz(f, "anynet", "router 0 node 0 router 1 5\nrouter 1 node 1 router 0 20\n")
}

// Whatever a file says of ports, its graph uses none twice.
func FuzzNamedPorts(f *testing.F) {
	f.Add(uint8(0), "a b port_a=x port_b=y\nb c port_a=z port_b=1\n")
	f.Add(uint8(1), `graph { "leaf1":"swp1" -- "spine1":"swp2"; "leaf1":"swp2" -- "spine1":"swp1" }`)
	f.Add(uint8(2), `<graphml><key id="p" for="edge" attr.name="port_a"/><graph><node id="a"/><node id="b"/>`+
		`<edge source="a" target="b"><data key="p">1</data></edge></graph></graphml>`)
	f.Add(uint8(3), "router 0 node 0 router 1 5\n")
	f.Add(uint8(4), "from,from_port,to,to_port\na,1,b,2\n")
	f.Add(uint8(5), `graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 port_a "x" port_b "y" ] ]`)
	formats := []string{"edges", "dot", "graphml", "anynet", "cables", "gml", "json", "metis", "matrix-market"}
	f.Fuzz(func(t *testing.T, format uint8, text string) {
		g, err := graphio.ReadPorted("x", formats[int(format)%len(formats)], strings.NewReader(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "x") {
				t.Errorf("%v names no file", err)
			}
			return
		}
		used := map[[2]int32]bool{}
		for l := range g.Links() {
			for c := range l.Width {
				for _, end := range [][2]int32{{l.A, l.PortA + c}, {l.B, l.PortB + c}} {
					if used[end] && !l.Simplex {
						t.Errorf("%q: port %d of %s is used twice", text, end[1], g.Label(int(end[0])))
					}
					used[end] = true
				}
			}
		}
	})
}
