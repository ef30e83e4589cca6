package graphio_test

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/graphio"
)

// description is the vertices of a graph, with their kinds where these are not node, and its links: the level where
// it is not link, the width where it is not 1, and the attributes. A link that carries one way only has an arrow.
func description(g topology.Graph) string {
	var s strings.Builder
	for _, k := range g.Kinds() {
		for v := k.First; v < k.First+k.Count; v++ {
			fmt.Fprintf(&s, "%s", g.Label(v))
			if k.Name != "node" {
				fmt.Fprintf(&s, ":%s", k.Name)
			}
			s.WriteByte(' ')
		}
	}
	i := 0
	for l := range g.Links() {
		line := map[bool]string{false: "-", true: ">"}[l.Simplex]
		fmt.Fprintf(&s, "| %s%s%s", g.Label(int(l.A)), line, g.Label(int(l.B)))
		if level := g.Levels()[l.Level].Name; level != "link" {
			fmt.Fprintf(&s, " %s", level)
		}
		if l.Width > 1 {
			fmt.Fprintf(&s, " x%d", l.Width)
		}
		attrs := g.(graphio.Attributed).EdgeAttributes(i)
		for _, k := range slices.Sorted(maps.Keys(attrs)) {
			fmt.Fprintf(&s, " %s=%s", k, attrs[k])
		}
		s.WriteByte(' ')
		i++
	}
	return strings.TrimSpace(s.String())
}

// yed is a directed graph as yEd writes it: keys with drawings, labels within them, a group, and an edge before its
// node.
const yed = `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
<key attr.name="Description" attr.type="string" for="graph" id="d0"/>
<key for="port" id="d1" yfiles.type="portgraphics"/>
<key attr.name="role" attr.type="string" for="node" id="d4"><default>switch</default></key>
<key for="node" id="d6" yfiles.type="nodegraphics"/>
<key for="graphml" id="d7" yfiles.type="resources"/>
<key attr.name="speed" attr.type="string" for="edge" id="d9"><default/></key>
<key for="edge" id="d10" yfiles.type="edgegraphics"/>
<graph edgedefault="directed" id="G"><data key="d0"/>
<edge id="e9" source="n1::n0" target="n0"><data key="d10"><y:PolyLineEdge><y:EdgeLabel>up
<y:LabelModel/></y:EdgeLabel></y:PolyLineEdge></data></edge>
<node id="n0"><data key="d6"><y:ShapeNode><y:Geometry x="1"/><y:NodeLabel fontSize="12">spine-1
rack A<y:LabelModel><y:SmartNodeLabelModel distance="4.0"/></y:LabelModel></y:NodeLabel>
<y:NodeLabel>second</y:NodeLabel></y:ShapeNode></data></node>
<node id="n1" yfiles.foldertype="group"><data key="d6"><y:ProxyAutoBoundsNode><y:Realizers><y:GroupNode>
<y:NodeLabel>Racks</y:NodeLabel></y:GroupNode></y:Realizers></y:ProxyAutoBoundsNode></data>
<graph edgedefault="directed" id="n1:">
<node id="n1::n0"><data key="d6"><y:ShapeNode><y:NodeLabel>leaf-1</y:NodeLabel></y:ShapeNode></data></node>
<node id="n1::n1"><data key="d6"><y:ShapeNode><y:NodeLabel>leaf-2</y:NodeLabel></y:ShapeNode></data></node>
<edge id="n1::e0" source="n1::n0" target="n1::n1"/><edge id="n1::e1" source="n1::n1" target="n1::n0"/>
</graph></node>
<edge id="e1" source="n1::n1" target="n0"><data key="d9">400G</data></edge>
<edge id="e2" source="n1::n1" target="n0"><data key="d9">400G</data></edge>
</graph><data key="d7"><y:Resources><y:Resource id="1"/></y:Resources></data></graphml>`

func TestFormatsOfOtherPrograms(t *testing.T) {
	parallel := "1 pair of vertices with parallel edges: one link each, as wide as there are edges"
	opposite := "1 pair of vertices with edges in both directions: one link each, which carries both ways"
	loop := "passed over 1 edge from a vertex to itself, the first in line "
	for name, tt := range map[string]struct {
		format, text, want string
		notes              []string
	}{
		"yEd": {
			"graphml", yed,
			"leaf-1:switch spine-1 rack A:switch leaf-2:switch " +
				"| leaf-1-spine-1 rack A label=up | leaf-1-leaf-2 | leaf-2-spine-1 rack A x2 speed=400G",
			[]string{opposite, parallel},
		},
		"GraphML, parallel": {
			"graphml", `<graphml><key id="d0" for="edge" attr.name="port_a"/><key id="d1" for="edge" ` +
				`attr.name="length_m"/>` +
				`<graph edgedefault="undirected"><node id="a"/><node id="b"/>` +
				`<edge id="0" source="a" target="b"><data key="d0">swp1</data><data key="d1">2</data></edge>` +
				`<edge id="1" source="b" target="a"><data key="d0">swp2</data><data key="d1">10</data></edge>` +
				"\n" + `<edge id="2" source="b" target="b"/></graph></graphml>`,
			"a b | a-b x2 length_m=10",
			[]string{loop + "2", parallel},
		},
		"GraphML, one edge with a direction": {
			"graphml", `<graphml><graph edgedefault="undirected"><node id="a"/><node id="b"/><node id="c"/>` +
				`<edge source="a" target="b" directed="true"/><edge source="b" target="c" ` +
				`sourceport="p1"/></graph></graphml>`,
			"a b c | a>b | b-c port_a=p1", nil,
		},
		"DOT, groups": {
			"dot", "graph { a -- {b c d}; subgraph cluster_x { e; f } e -- f -- g }",
			"a b c d e f g | a-b | a-c | a-d | e-f | f-g", nil,
		},
		"DOT, groups on both sides": {
			"dot", `graph { edge [level=up] subgraph l { node [kind=leaf, role=switch] l1 l2 } -- {s1 s2} [width=2]` +
				` subgraph l -- x, y }`,
			"l1:leaf l2:leaf s1 s2 x y | l1-s1 up x2 | l1-s2 up x2 | l2-s1 up x2 | l2-s2 up x2 " +
				"| l1-x up | l1-y up | l2-x up | l2-y up", nil,
		},
		"DOT, ports": {
			"dot", `digraph { "a":"p1":ne -> b:e; c -> b [dir=back, tailport=x, headport=y]; {a -> c} -> d; b -> a }`,
			"a b c d | a-b port_a=p1 port_b=e | b-c port_a=y port_b=x | a-c | a-d | c-d",
			[]string{opposite},
		},
		"DOT, repeated edges": {"dot", "graph { a -- b; b -- a; a -- a }", "a b | a-b " +
			"x2", []string{loop + "1", parallel}},
		"DOT, strict": {
			"dot", "strict graph { a -- b [x=1 y=1]; b -- a [y=2]; a -- b [width=3] }", "a b | a-b x3 x=1 y=2",
			[]string{"passed over 2 edges that a strict graph repeats"},
		},
		"DOT, HTML": {"dot", "graph { a [label=<<b>leaf</b> &lt;1>]; a -- b }", "leaf <1 b | leaf <1-b", nil},
		"edge list, parallel": {
			"edges", "a b length_m=2 x=1 y=3\na b length_m=3 x=2 y=3\nb a width=2 y=3 latency=4\na c\n",
			"a b c | a-b x4 latency=4 length_m=3 y=3 | a-c",
			[]string{parallel},
		},
		"edge list, listed twice": {
			"edges", "0 1\n1 2\n1 0\n2 1\n", "0 1 2 | 0-1 x2 | 1-2 x2", []string{
				"2 pairs of vertices with parallel edges: one link each, as wide as there are edges",
				"every edge is listed in both directions, which count as two channels; `directed: true` makes " +
					"them one link",
			},
		},
		"edge list of NetworkX": {
			"edges", "# nx\n0 1 {}\n1 2 {\"weight\": 3}\n2 0 {'length_m': 2.5, 'name': 'a \\'b\\' #1', 'at': (1, " +
				"[2, None]), " +
				"'no': None, 'up': True, 'e': '\\u00e9'} # end\n0 3 2.5\n",
			"0 1 2 3 | 0-1 | 1-2 weight=3 | 2-0 at=(1, [2, None]) e=é length_m=2.5 name=a 'b' #1 up=True | 0-3 " +
				"weight=2.5", nil,
		},
		"anynet, latencies of nodes": {
			"anynet", "router 0 node 0 node 1 4\nrouter 1 node 2 router 0 7\n",
			"r0:switch r1:switch n0 n1 n2 | r0-n0 terminal | r0-n1 terminal latency=4 | r1-n2 terminal " +
				"| r1-r0 latency=7 latency_back=1", nil,
		},
		"anynet, lines of nodes": {
			"anynet", "router 0 router 1 15 router 2\nrouter 1 router 2\nnode 0 router 0\nnode 1 router 1 3\nnode " +
				"2 router 2\n" +
				"router 2 node 2 5\n",
			"| r0-r1 latency=15 latency_back=1 | r0-r2 | r1-r2 | r0-n0 terminal | r1-n1 terminal latency=3 " +
				"| r2-n2 terminal latency=5", nil,
		},
		"anynet, parallel": {
			"anynet", "router 0 router 1 router 1\nrouter 0 node 0\nrouter 1 node 1\nrouter 1 router 1\n",
			"| r0-r1 x2 | r0-n0 terminal | r1-n1 terminal",
			[]string{loop + "4", parallel},
		},
		"GML": {
			"gml", "# made by hand\nCreator \"x\"\ngraph [\n  multigraph 1\n  label \"Net [1]\"\n  edge [ source " +
				"7 target 3 key 0 ]\n" +
				"  node [\n    id 7\n    label \"K&#246;ln\"\n    kind \"leaf\"\n    graphics [ x 1.5 w [ y \"]\" " +
				"] ]\n  ]\n" +
				"  node [ id 3 ]\n  edge [ source 3 target 7 key 1 LinkLabel \"10 Gb/s\" ]\n]\n",
			"Köln:leaf 3 | Köln-3 x2",
			[]string{parallel},
		},
		"GML, directed": {
			"gml", `graph [ directed 1 node [ id 0 label "x" ] node [ id 1 label "x" ] node [ id 2 label "y" ]
				edge [ source 0 target 1 w 1 ] edge [ source 1 target 0 w 2 ] edge [ source 2 target 0 ] ]`,
			"x (0) x (1) y | x (0)-x (1) w=1 w_back=2 | y-x (0)",
			[]string{opposite},
		},
		"JSON, node-link": {
			"json", `{"directed": true, "multigraph": true, "graph": {"a": [1]}, "nodes": [{"id": "a", "role": ` +
				`"switch"},` +
				`{"id": 2, "name": "two"}], "links": [{"source": "a", "target": 2, "key": 0, "weight": 2.5}, ` +
				`{"source": "a", "target": 2, "key": 1, "weight": 2.5}, {"source": 2, "target": "a", "key": 0, ` +
				`"up": null}]}`,
			"a:switch two | a-two x2 weight=2.5",
			[]string{opposite, parallel},
		},
		"JSON, indices and edges first": {
			"json", `{"edges": [{"source": 1, "target": 0, "value": 1}], "nodes": [{"name": "x"}, {"name": "y"}]}`,
			"y x | y-x value=1", nil,
		},
		"METIS": {
			"metis", "% five vertices\n5 4 \n2 3\n1 3\n\t1 2 4\n% c\n3\n\n", "1 2 3 4 5 | 1-2 | 1-3 | 2-3 | 3-4", nil,
		},
		"METIS, weights": {
			"metis", "3 2 111 2\n1 7 7 2 10 3 20\n1 7 7 1 10\n1 7 7 1 20\n", "1 2 3 | 1-2 weight=10 | 1-3 weight=20",
			[]string{"passed over the weights of vertices"},
		},
		"METIS, weights of edges": {"metis", "2 1 1\n2 5\n1 5\n", "1 2 | 1-2 weight=5", nil},
		"Matrix Market": {
			"matrix-market", "%%MatrixMarket matrix coordinate pattern symmetric\n% c\n\n4 4 3\n2 1\n3 1\n3 3\n",
			"1 2 3 4 | 2-1 | 3-1",
			[]string{loop + "7"},
		},
		"Matrix Market, general": {
			"matrix-market", "%%MatrixMarket MATRIX Coordinate Real General\n3 3 4\n1 2 1.5\n2 1 2.5e0\n1 3 -1\n1 " +
				"3 -1\n",
			"1 2 3 | 1-2 weight=1.5 weight_back=2.5e0 | 1-3 x2 weight=-1",
			[]string{opposite, parallel},
		},
		"cables": {
			"cables", "a_device,b_device,level\na,b,\nb,a,\na,a,\na,b,up\n", "a b | a-b x2 | a-b up",
			[]string{loop + "4", parallel},
		},
		"table of Gephi": {
			"cables", "Source,Target,Type,Id,Label,Weight\nb,a,Undirected,0,,1.0\na,b,Undirected,1,,1.0\n",
			"a b | b-a x2 Type=Undirected Weight=1.0",
			[]string{parallel},
		},
		"table with ports": {"cables", "from,from_port,to,to_port\na,x,b,y\n", "a b | a-b", nil},
		"DOT, joined strings": {"dot", "graph { a [label=\"le\"\n + \"af\"]; a -- b; x = \"y\" }", "leaf b | " +
			"leaf-b", nil},
		"KONECT": {"edges", "% sym unweighted\n1 2\n", "1 2 | 1-2", nil},
		"cables with ports": {
			"cables", "a_device,a_port,b_device,b_port\na,1,b,1\na,2,b,2\na,3,a,4\n", "a b | a-b " +
				"x2", []string{loop + "4"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := graphio.Read("dir/x", tt.format, strings.NewReader(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			graphtest.Pieces(t, g)
			got := description(g)
			if strings.HasPrefix(tt.want, "|") {
				_, got, _ = strings.Cut(got, "|")
				got = "|" + got
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			notes := []string{}
			for _, n := range g.(topology.Advised).Advice() {
				notes = append(notes, strings.TrimPrefix(n, "x: "))
			}
			if diff := cmp.Diff(append([]string{}, tt.notes...), notes); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestDirected: with `directed: true`, edges carry one way only unless there is one back.
func TestDirected(t *testing.T) {
	for _, tt := range []struct{ format, text, want string }{
		{"edges", "0 1\n1 0\n1 2 \n1 2\n", "0 1 2 | 0-1 | 1>2 x2"},
		{"edges", "0 1 simplex=false\n1 2\n", "0 1 2 | 0-1 | 1>2"},
		{"dot", "digraph { a -> b -> a; b -> c; c -> d [dir=both] }", "a b c d | a-b | b>c | c-d"},
		{"gml", "graph [ node [ id 0 ] node [ id 1 ] edge [ source 1 target 0 ] directed 1 ]", "0 1 | 1>0"},
		{"json", `{"nodes":[{"id":0},{"id":1}],"links":[{"source":1,"target":0}],"directed":true}`, "0 1 | 1>0"},
		{"matrix-market", mm + "2 2 1\n2 1\n", "1 2 | 2>1"},
		{"graphml", strings.ReplaceAll(yed, `<edge id="e2" source="n1::n1" target="n0">`,
			`<edge id="e2" source="n0" target="n1::n1">`), "leaf-1:switch spine-1 rack A:switch leaf-2:switch " +
			"| leaf-1>spine-1 rack A label=up | leaf-1-leaf-2 | leaf-2-spine-1 rack A speed=400G"},
	} {
		g, err := graphio.ReadDirected("x", tt.format, strings.NewReader(tt.text))
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		graphtest.Pieces(t, g)
		if diff := cmp.Diff(tt.want, description(g)); diff != "" {
			t.Errorf("%s: %s", tt.format, diff)
		}
	}
	for format, text := range map[string]string{
		"dot": "graph { a -- b }", "gml": "graph [ node [ id 0 ] ]", "json": `{"nodes":[{"id":0}],"links":[]}`,
		"graphml":       `<graphml><graph edgedefault="undirected"><node id="a"/></graph></graphml>`,
		"matrix-market": "%%MatrixMarket matrix coordinate pattern symmetric\n1 1 0\n",
	} {
		_, err := graphio.ReadDirected("x", format, strings.NewReader(text))
		if err == nil || err.Error() != "x: the file says that its edges have no direction: leave out directed" {
			t.Errorf("%s: %v", format, err)
		}
	}
	for want, file := range map[string]graphio.File{
		"directed: a link in ports of its own carries both ways":     {Path: "x.dot", NamedPorts: true, Directed: true},
		"directed: the links of a file of format anynet carry both":  {Path: "x.anynet", Directed: true},
		"directed: the links of a file of format cables carry both":  {Path: "x.csv", Directed: true},
		"directed: the links of a file of format metis carry both w": {Path: "x.graph", Directed: true},
	} {
		if _, err := topology.New(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestPortsOfArcs: an edge that is drawn in both directions between the same ports is one cable.
func TestPortsOfArcs(t *testing.T) {
	for text, want := range map[string]int64{
		"digraph { a:p1 -> b:p1; b:p1 -> a:p1; b:p2 -> a:p2 }": 2, "strict graph { a:p1 -- b:p1; b:p1 -- a:p1 }": 1,
	} {
		g, err := graphio.ReadPorted("x", "dot", strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		graphtest.Check(t, g)
		if got := topology.Count(g).Links; got != want {
			t.Errorf("%s: %d links", text, got)
		}
	}
}

// TestDrawnExports writes drawn graphs in every format that keeps all of them, and reads the same back.
func TestDrawnExports(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := graphtest.DrawGraph(t)
		if topology.Vertices(g) == 0 {
			return
		}
		for format, write := range map[string]func(io.Writer, topology.Graph) error{
			"dot": graphio.WriteDOT, "graphml": graphio.WriteGraphML, "json": graphio.WriteJSON,
		} {
			var text bytes.Buffer
			if err := write(&text, g); err != nil {
				t.Fatal(err)
			}
			again, err := graphio.Read("x", format, bytes.NewReader(text.Bytes()))
			if err != nil {
				t.Fatalf("%s: %v\n%s", format, err, text.String())
			}
			if diff := cmp.Diff(linksOf(g), linksOf(again)); diff != "" {
				t.Fatalf("%s: %s\n%s", format, diff, text.String())
			}
		}
	})
}

func linksOf(g topology.Graph) []string {
	var out []string
	for l := range g.Links() {
		out = append(out, fmt.Sprintf("%s %s %s %d %v", g.Label(int(l.A)), g.Label(int(l.B)), g.Levels()[l.Level].Name,
			l.Width, l.Simplex))
	}
	return out
}

// TestDrawnEdges writes a list of edges, some of them repeated, reversed or from a vertex to itself, in every
// format, and reads as many channels between every two vertices as counting them says.
func TestDrawnEdges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 6).Draw(t, "vertices")
		var edges [][2]int
		for range rapid.IntRange(1, 20).Draw(t, "edges") {
			edges = append(edges, [2]int{rapid.IntRange(1, n).Draw(t, "a"), rapid.IntRange(1, n).Draw(t, "b")})
		}
		directed := rapid.Bool().Draw(t, "directed")
		ways := map[[2]int]int{}
		for _, e := range edges {
			ways[e]++
		}
		want := map[[2]int]int{}
		for a := 1; a <= n; a++ {
			for b := a + 1; b <= n; b++ {
				channels := ways[[2]int{a, b}] + ways[[2]int{b, a}]
				if directed {
					channels = max(ways[[2]int{a, b}], ways[[2]int{b, a}])
				}
				if channels > 0 {
					want[[2]int{a, b}] = channels
				}
			}
		}
		for format, text := range edgeTexts(n, edges, directed) {
			g, err := graphio.Read("x", format, strings.NewReader(text))
			if err != nil {
				t.Fatalf("%s: %v\n%s", format, err, text)
			}
			got := map[[2]int]int{}
			for l := range g.Links() {
				var a, b int
				fmt.Sscan(g.Label(int(l.A)), &a)
				fmt.Sscan(g.Label(int(l.B)), &b)
				got[[2]int{min(a, b), max(a, b)}] = int(l.Width)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s: %s\n%s", format, diff, text)
			}
		}
	})
}

// edgeTexts writes edges between the vertices 1 to n in the formats that can have them.
func edgeTexts(n int, edges [][2]int, directed bool) map[string]string {
	each := func(text string) string {
		var s strings.Builder
		for _, e := range edges {
			fmt.Fprintf(&s, text, e[0], e[1])
		}
		return s.String()
	}
	nodes := func(text string) string {
		var s strings.Builder
		for v := range n {
			fmt.Fprintf(&s, text, v+1)
		}
		return s.String()
	}
	number := map[bool]int{true: 1}[directed]
	out := map[string]string{
		"gml": fmt.Sprintf("graph [ directed %d %s %s ]", number, nodes("node [ id %d ] "), each("edge [ source "+
			"%d target %d ]\n")),
		"json": fmt.Sprintf(`{"directed":%v,"nodes":[%s],"links":[%s]}`, directed,
			strings.TrimSuffix(nodes(`{"id":%d},`), ","), strings.TrimSuffix(each(`{"source":%d,"target":%d},`), ",")),
		"graphml": fmt.Sprintf(`<graphml><graph edgedefault="%s">%s%s</graph></graphml>`,
			map[bool]string{true: "directed", false: "undirected"}[directed], nodes(`<node id="%d"/>`),
			each(`<edge source="%d" target="%d"/>`)),
	}
	if directed {
		out["dot"] = "digraph {" + each("%d -> %d;") + "}"
		out["matrix-market"] = fmt.Sprintf("%s%d %d %d\n%s", mm, n, n, len(edges), each("%d %d\n"))
		return out
	}
	out["dot"] = "graph {" + each("%d -- {%d};") + "}"
	out["edges"] = each("%d %d {}\n")
	lines, loops := make([]string, n), 0
	for _, e := range edges {
		if e[0] == e[1] {
			loops++
			continue
		}
		lines[e[0]-1] += fmt.Sprintf("%d ", e[1])
		lines[e[1]-1] += fmt.Sprintf("%d ", e[0])
	}
	out["metis"] = fmt.Sprintf("%d %d\n%s\n", n, len(edges)-loops, strings.Join(lines, "\n"))
	return out
}
