package graphio

import (
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/infile"
	"github.com/plenum-planner/plenum/topology"
)

// Attributed is a graph whose links carry more than a level and a width.
type Attributed interface {
	topology.Graph
	// EdgeAttributes returns what the source says of a link, by its number from 0
	// in the order of Links, without level, width and simplex: length_m, latency,
	// ... A value that holds from B to A, where it differs, has _back after its
	// name. The result may be nil.
	EdgeAttributes(link int) map[string]string
}

// fileGraph is a graph from a file. Vertices are grouped by kind, kinds in the
// order of their first vertices; within a kind vertices keep the order of the file
// or that of their names (see reading.numeric and reading.natural). Ports are
// given out in the order of the links, unless the file names them.
//
// Where the file names no kinds, a vertex that stands second in a link of the level "terminal" is a terminal of kind
// "node", and the others are of kind "switch"; without such links all are of kind "node" and forward. Links are of the
// level "link" where the file names none. There are no groupings.
type fileGraph struct {
	labels []string
	kinds  []topology.Kind
	levels []topology.Level
	links  []fileLink
	attrs  []string   // sets of attributes as attributeText writes them
	ports  [][]string // names of the ports of each kind; nil where the file names none
	named  bool       // the labels can name boxes: all differ, and they are not mere numbers
	notes  []string
}

// fileLink is a link of a file.
type fileLink struct {
	a, b, width, attrs, line int32
	portA, portB             int32 // where the file names ports
	level                    int16
	way                      way
}

// way says which ways an edge carries.
type way uint8

const (
	duplex  way = iota // both ways
	arc                // both ways, although the file draws it from one end to the other
	simplex            // one way only
)

var (
	_ Attributed       = (*fileGraph)(nil)
	_ Ported           = (*fileGraph)(nil)
	_ topology.Advised = (*fileGraph)(nil)
)

// Limits of a file.
const (
	maxGraphFile  = 256 << 20
	maxGraphLinks = 1 << 23
	maxGraphLine  = 16 << 20
	maxAttributes = 64
	maxName       = 1024 // bytes of the name of a vertex or of its kind
)

// readers is the formats by name.
var readers = map[string]func(*reading, io.Reader) error{
	"edges": readEdges, "dot": readDOT, "graphml": readGraphML, "gml": readGML, "json": readJSON, "metis": readMETIS,
	"matrix-market": readMatrixMarket, "anynet": readAnynet, "cables": readCables,
}

var formatNames = []string{"edges", "dot", "graphml", "gml", "json", "metis", "matrix-market", "anynet", "cables"}

// undirected are the formats that have no edges with a direction, or list every edge at both ends.
var undirected = []string{"metis", "anynet", "cables"}

// endings is the format that the ending of a file's name stands for.
var endings = map[string]string{
	".edges": "edges", ".edgelist": "edges", ".txt": "edges", ".dot": "dot", ".gv": "dot", ".graphml": "graphml",
	".gml": "gml", ".json": "json", ".graph": "metis", ".metis": "metis", ".mtx": "matrix-market",
	".anynet": "anynet", ".any": "anynet", ".csv": "cables",
}

var fileFamily = topology.Family{
	Name: "file",
	Doc: "any graph from a file: an edge list, DOT, GraphML, GML, JSON, METIS, Matrix Market, BookSim anynet or a " +
		"list of cables",
	Source: "the file",
	Params: []topology.Param{
		{Name: "path", Doc: "the file to read", Required: true},
		{Name: "format", Doc: "edges, dot, graphml, gml, json, metis, matrix-market, anynet or cables; the ending of " +
			"the path tells when left out"},
		{Name: "named_ports", Doc: "true: every link names its ports, as port_a and port_b or in the notation of " +
			"DOT; a list of cables does in any case"},
		{Name: "directed", Doc: "true: an edge carries from its first end to its second only, and two opposite edges " +
			"are one link that carries both ways; edges carry both ways when left out, in either direction"},
		{Name: "terminals", Doc: "the number of nodes to put on each vertex of a file all of whose vertices are " +
			"nodes of one kind, which become switches; the nodes are those of the file when left out"},
	},
	Zero: File{},
}

func init() { topology.Register(fileFamily) }

// File selects the graph in a file.
type File struct {
	Path string `yaml:"path,omitempty" json:"path,omitempty"`
	// the ending of the path tells when left out
	Format string `yaml:"format,omitempty" json:"format,omitempty"`
	// the file names the ports of all its links
	NamedPorts bool `yaml:"named_ports,omitempty" json:"named_ports,omitempty"`
	// edges carry one way only, from the first end to the second
	Directed bool `yaml:"directed,omitempty" json:"directed,omitempty"`
	// nodes to put on each vertex; 0 where the file has all nodes
	Terminals int `yaml:"terminals,omitempty" json:"terminals,omitempty"`
}

// Family is "file".
func (File) Family() string { return "file" }

// In is f with a relative path taken from a directory.
func (f File) In(dir string) topology.Params {
	if f.Path != "" && !filepath.IsAbs(f.Path) {
		f.Path = filepath.Join(dir, f.Path)
	}
	return f
}

// Build reads the graph.
func (f File) Build(m *topology.Mistakes) topology.Graph {
	m.OneOf("format", f.Format, formatNames)
	if f.Format == "" && f.Path != "" {
		if f.Format = endings[strings.ToLower(filepath.Ext(f.Path))]; f.Format == "" {
			m.Add("format", "is missing, and the ending of %s is not known: give one of %s", f.Path,
				english.List(formatNames))
		}
	}
	switch {
	case f.Directed && f.NamedPorts:
		m.Add("directed", "a link in ports of its own carries both ways: leave out directed or named_ports")
	case f.Directed && slices.Contains(undirected, f.Format):
		m.Add("directed", "the links of a file of format %s carry both ways: leave it out", f.Format)
	}
	if !m.None() {
		return nil
	}
	r, err := infile.Open(f.Path)
	if err != nil {
		m.Add("path", "%v", err)
		return nil
	}
	defer r.Close()
	g, err := f.read(r)
	if err != nil {
		m.Add("path", "%v", err)
		return nil
	}
	return f.withTerminals(g.(*fileGraph), m)
}

// withTerminals puts nodes on the vertices of a graph, as topology.WithTerminals does on those of a family; the links
// of the file keep their attributes.
func (f File) withTerminals(g *fileGraph, m *topology.Mistakes) topology.Graph {
	m.Within("terminals", f.Terminals, 1, topology.MaxPorts)
	if f.Terminals == 0 || !m.None() {
		return g
	}
	n, k := len(g.labels), &g.kinds[0]
	switch {
	case len(g.kinds) > 1 || k.Role != topology.Node:
		m.Add("terminals", "the file says which vertices are switches: it has the nodes on them as well")
	case g.ports != nil:
		m.Add("terminals", "the file names the ports of its links, and has no names for those of more nodes")
	}
	m.Ports("terminals", int64(k.Ports)+int64(f.Terminals))
	m.Vertices("terminals", int64(n)*int64(1+f.Terminals))
	if !m.None() {
		return nil
	}
	k.Name, k.Role, k.Ports = "switch", topology.Switch, k.Ports+f.Terminals
	g.kinds = append(g.kinds, topology.Kind{
		Name: "node", First: n, Count: n * f.Terminals, Role: topology.Terminal, Ports: 1,
	})
	level := int16(len(g.levels))
	g.levels = append(g.levels, topology.Level{Name: "terminal"})
	for v := range n {
		for t := range f.Terminals {
			g.links = append(g.links, fileLink{a: int32(v), b: int32(len(g.labels)), level: level, width: 1})
			g.labels = append(g.labels, g.labels[v]+":"+strconv.Itoa(t))
		}
	}
	g.nameDevices()
	return g
}

// Read reads a graph of one of the formats edges, dot, graphml, gml, json, metis, matrix-market, anynet and cables.
// name is used in errors only, which begin with it, and with line and column if the mistake is at one place. The graph
// is Attributed, topology.Advised (without notes if there is nothing to say) and Ported (nil names unless the file is a
// list of cables with ports). A file without vertices is an error.
func Read(name, format string, r io.Reader) (topology.Graph, error) {
	return File{Path: name, Format: format}.read(r)
}

// ReadPorted reads a graph all of whose links name their ports, as attributes
// port_a and port_b; in DOT "leaf1":"swp1" -- "spine1":"swp2" says it too. The
// graph is Ported. A list of cables names its ports in any case.
func ReadPorted(name, format string, r io.Reader) (topology.Graph, error) {
	return File{Path: name, Format: format, NamedPorts: true}.read(r)
}

// ReadDirected reads a graph whose edges carry from their first end to their second only; two opposite edges are one
// link that carries both ways. It refuses files that say that their edges have no direction. It is not for the formats
// anynet and cables, whose links carry both ways: it does not refuse them, which File.Build does.
func ReadDirected(name, format string, r io.Reader) (topology.Graph, error) {
	return File{Path: name, Format: format, Directed: true}.read(r)
}

// read reads the graph of a file from a reader.
func (f File) read(r io.Reader) (topology.Graph, error) {
	name, format := f.Path, f.Format
	read := readers[format]
	if read == nil {
		return nil, fmt.Errorf("%s: there is no format %q; the formats are %s", name, format,
			english.List(formatNames))
	}
	b := &reading{
		name: name, index: make(map[string]int32), attrIndex: map[string]int32{"": 0}, attrs: []string{""},
		directed: f.Directed,
	}
	limited := &io.LimitedReader{R: r, N: maxGraphFile + 1}
	if err := b.refuseLarge(format, r); err != nil {
		return nil, err
	}
	text := csvtable.Text(name, limited)
	err := read(b, text)
	if limited.N <= 0 {
		return nil, fmt.Errorf("%s: the file is larger than %d MiB", name, maxGraphFile>>20)
	}
	if wrong := csvtable.TextError(text); wrong != nil && (err == nil || strings.Contains(err.Error(), wrong.Error())) {
		return nil, wrong
	}
	if err == nil {
		err = b.checkTexts()
	}
	if err == nil && f.Directed && b.undirected {
		err = fmt.Errorf("%s: the file says that its edges have no direction: leave out directed", name)
	}
	if err == nil && f.NamedPorts && !b.ported {
		err = b.portAttributes()
	}
	if err != nil {
		return nil, err
	}
	return b.graph()
}

func (g *fileGraph) Family() string                 { return "file" }
func (g *fileGraph) Kinds() []topology.Kind         { return g.kinds }
func (g *fileGraph) Levels() []topology.Level       { return g.levels }
func (g *fileGraph) Groupings() []topology.Grouping { return nil }
func (g *fileGraph) Label(v int) string             { return g.labels[v] }

// DeviceName returns the label of a vertex as the name of its box. It is "" for all vertices if
// any two of the graph have the same label, one has none, or all labels are numbers.
func (g *fileGraph) DeviceName(v int) string {
	if !g.named {
		return ""
	}
	return g.labels[v]
}

// nameDevices finds whether the labels can name boxes.
func (g *fileGraph) nameDevices() {
	g.named = false
	if !slices.ContainsFunc(g.labels, func(label string) bool { return digits(label) < len(label) }) {
		return
	}
	seen := make(map[string]bool, len(g.labels))
	for _, label := range g.labels {
		if seen[label] || label == "" {
			return
		}
		seen[label] = true
	}
	g.named = true
}

// Advice says what was passed over in the file, and how repeated edges were read.
func (g *fileGraph) Advice() []string { return g.notes }

func (g *fileGraph) EdgeAttributes(link int) map[string]string {
	if g.links[link].attrs == 0 {
		return nil // the set that is empty
	}
	return parseAttributes(g.attrs[g.links[link].attrs])
}

// Links yields the links in the order of the file.
func (g *fileGraph) Links() iter.Seq[topology.Link] {
	return func(yield func(topology.Link) bool) {
		next := make([]int32, len(g.labels))
		for _, f := range g.links {
			l := topology.Link{
				A: f.a, B: f.b, PortA: next[f.a], PortB: next[f.b], Level: int32(f.level),
				Width: f.width, Simplex: f.way == simplex,
			}
			if g.ports != nil {
				l.PortA, l.PortB = f.portA, f.portB
			}
			next[l.A] += l.Width
			next[l.B] += l.Width
			if !yield(l) {
				return
			}
		}
	}
}
