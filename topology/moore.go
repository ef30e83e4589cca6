package topology

import (
	"fmt"
	"iter"
)

// moore is one of the three Moore graphs of diameter 2 that are known: p links
// on each of p^2 + 1 nodes, the most that any graph of diameter 2 can have (A.
// J. Hoffman and R. R. Singleton, "On Moore graphs with diameters 2 and 3", IBM
// Journal of Research and Development 4, 1960).
//
// The pentagon joins i to i+1 modulo 5. The Petersen graph has the pentagon
// P: i ~ i+1, nodes 0-4, and the pentagram Q: j ~ j+2, nodes 5-9, with i ~ 5+i.
// The Hoffman-Singleton graph has five pentagons P(h) and five pentagrams Q(k);
// node i of P(h) is joined to node h k + i of Q(k) (N. Robertson's
// construction). P(h), node i is vertex 10 h + i and Q(h), node j is vertex
// 10 h + 5 + j, so that each ten vertices are a Petersen graph. All three are
// vertex-transitive.
//
// The only kind is "node"; the levels are ring, within pentagons and pentagrams, and cross, between them; the groupings
// are "pentagon" and "petersen". Port 0 leads to the next node of the ring (i+1 or j+2), port 1 to the previous one and
// the ports from 2 on to the pentagons or pentagrams by number.
type moore struct {
	name   string
	kinds  []Kind
	levels []Level
}

var (
	_ Symmetric = (*moore)(nil)
	_ Formulas  = (*moore)(nil)
	_ WorstCase = (*moore)(nil)
)

// mooreSizes is the number of Petersen graphs in each graph: half of one in a
// pentagon counts as none.
var mooreSizes = map[string]int{"pentagon": 0, "petersen": 1, "hoffman-singleton": 5}

var mooreNames = []string{"pentagon", "petersen", "hoffman-singleton"}

var mooreFamily = Family{
	Name:   "moore",
	Doc:    "a graph that reaches the Moore bound at diameter 2",
	Source: "A. J. Hoffman and R. R. Singleton, On Moore graphs with diameters 2 and 3, IBM J. Res. Dev. 4, 1960",
	Params: []Param{
		{Name: "graph", Doc: "pentagon, petersen or hoffman-singleton", Required: true}, optionalTerminals,
	},
	Zero:     Moore{},
	Sizes:    mooreMembers,
	SizesDoc: "all",
}

// Moore is one of the Moore graphs of diameter 2.
type Moore struct {
	Graph string `yaml:"graph,omitempty" json:"graph,omitempty"` // pentagon, petersen or hoffman-singleton
	// nodes on each switch; 0 where it is a node itself
	Terminals int `yaml:"terminals,omitempty" json:"terminals,omitempty"`
}

// Family is "moore".
func (Moore) Family() string { return "moore" }

// Build makes the graph.
func (p Moore) Build(m *Mistakes) Graph {
	return WithTerminals(p.routers(m), p.Terminals, m)
}

// routers is the network without terminals.
func (p Moore) routers(m *Mistakes) Graph {
	m.OneOf("graph", p.Graph, mooreNames)
	if !m.None() {
		return nil
	}
	return newMoore(p.Graph)
}

func newMoore(name string) *moore {
	n, ports := 5, 2
	levels := []Level{{Name: "ring"}}
	if k := mooreSizes[name]; k > 0 {
		n, ports = 10*k, 2+k
		levels = append(levels, Level{Name: "cross"})
	}
	return &moore{name: name, kinds: []Kind{{Name: "node", Count: n, Role: Node, Ports: ports}}, levels: levels}
}

func (g *moore) Family() string  { return "moore" }
func (g *moore) Kinds() []Kind   { return g.kinds }
func (g *moore) Levels() []Level { return g.levels }

func (g *moore) Groupings() []Grouping {
	n := g.kinds[0].Count
	if n == 5 {
		return nil
	}
	groupings := []Grouping{{Name: "pentagon", Count: n / 5, Of: func(v int) int32 { return int32(v / 5) }}}
	if n > 10 {
		petersen := func(v int) int32 { return int32(v / 10) }
		groupings = append(groupings, Grouping{Name: "petersen", Count: n / 10, Of: petersen})
	}
	return groupings
}

// Label is P or Q, the number of the pentagon or pentagram where there are
// several, and the node: "P3", "Q4.2".
func (g *moore) Label(v int) string {
	if g.kinds[0].Count > 10 {
		return fmt.Sprintf("%c%d.%d", "PQ"[v/5%2], v/10, v%5)
	}
	return fmt.Sprintf("%c%d", "PQ"[v/5%2], v%5)
}

func (g *moore) Orbits() []Orbit { return []Orbit{{0, g.kinds[0].Count}} }

func (g *moore) ClosedForms() ClosedForms {
	return diameter2(g.kinds[0].Count, g.kinds[0].Ports)
}

// Links yields the rings, then the links between them.
func (g *moore) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		n := int32(g.kinds[0].Count)
		for base := int32(0); base < n; base += 5 {
			step := 1 + base/5%2
			for i := range int32(5) {
				if !yield(Link{A: base + i, B: base + (i+step)%5, PortB: 1, Width: 1}) {
					return
				}
			}
		}
		for h := range n / 10 {
			for k := range n / 10 {
				for i := range int32(5) {
					if !yield(Link{
						A: 10*h + i, B: 10*k + 5 + (h*k+i)%5,
						PortA: 2 + k, PortB: 2 + h, Level: 1, Width: 1,
					}) {
						return
					}
				}
			}
		}
	}
}

// WorstCaseTraffic is that of M. Besta and T. Hoefler, SC 2014, section V-C, for graphs of
// diameter 2.
func (g *moore) WorstCaseTraffic() string { return "two-hop-paths" }

// mooreMembers offers the three graphs.
func mooreMembers(s *SizeSearch) {
	for _, name := range mooreNames {
		g := newMoore(name)
		s.Add(0, regularSize(Moore{Graph: name}, g.kinds[0].Count, g.kinds[0].Ports, 2))
	}
}
