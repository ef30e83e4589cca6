package measure

import (
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/topology"
)

// TooManyVerticesError says that a graph is too large to walk its links, and that its family
// has no closed forms of their number and of the degrees.
type TooManyVerticesError struct {
	Family        string
	Vertices, Max int
}

// Error tells how large the graph is, and the limit.
func (e *TooManyVerticesError) Error() string {
	return fmt.Sprintf("%s: %s vertices are more than the %s whose links are counted one by one, and this graph "+
		"has no closed forms", e.Family, english.Grouped(int64(e.Vertices)), english.Grouped(int64(e.Max)))
}

// TooManyLinksError says that a graph, of not so many vertices, has too many links to walk them, and that its family
// has no closed forms of their number and of the degrees.
type TooManyLinksError struct {
	Family string
	Max    int64
}

// Error tells the limit.
func (e *TooManyLinksError) Error() string {
	return fmt.Sprintf("%s: there are more than the %s links that are counted one by one, and this graph has no "+
		"closed forms", e.Family, english.Grouped(e.Max))
}

// fromClosedForms works out what follows from the formulas of a family, without a walk over
// the links or an array of the vertices. What of it has no formula is named as not measured.
// It reports whether there are formulas of the number of links and of the degrees.
func (m *Metrics) fromClosedForms(g topology.Graph, opt MeasureOptions) bool {
	f, formulas := g.(topology.Formulas)
	counted, ok := g.(topology.Counted)
	if !ok || !formulas || len(counted.LevelChannels()) != len(g.Levels()) {
		return false
	}
	c := f.ClosedForms()
	tree, isTree := g.(topology.EvenTree) // in one that is not, ports may be left over
	if c.DegreeMin < 0 || c.DegreeMin < c.DegreeMax && !c.SingleLinks || isTree && !tree.EvenTiers() {
		return false
	}
	limit := english.Grouped(int64(opt.MaxVertices)) + " vertices"
	if m.Vertices <= opt.MaxVertices {
		limit = english.Grouped(opt.MaxWalked) + " links"
	}
	m.countKinds(g)
	m.countLevels(g, counted.LevelChannels())
	m.closedDegrees(g, c)
	m.formulas(g, c)
	for _, metric := range AllMetrics() {
		if !slices.Contains(opt.Metrics, metric) {
			continue
		}
		if metric == MetricHops && c.Diameter >= 0 {
			m.closedHops(g, c)
			if m.HopsMean != nil {
				continue
			}
		}
		m.NotMeasured = append(m.NotMeasured, fmt.Sprintf("%s: more than %s", metric, limit))
	}
	return true
}

// closedDegrees is RouterDegrees by the formulas of a graph that is regular, or whose links are
// single channels.
func (m *Metrics) closedDegrees(g topology.Graph, c topology.ClosedForms) {
	m.DegreeMin, m.DegreeMax, m.DegreeMean = c.DegreeMin, c.DegreeMax, float64(c.DegreeMax)
	between := m.Links - m.terminalChannels(g)
	if c.SingleLinks {
		m.DegreeMean = 2 * float64(between) / float64(m.Vertices-m.Terminals)
	}
	for _, k := range g.Kinds() {
		if k.Role != topology.Terminal {
			m.PortsPerRouter = max(m.PortsPerRouter, k.Ports)
		}
	}
	if nodes := m.Vertices - m.Switches; nodes > 0 {
		m.PortsPerNode = float64(between+m.Links) / float64(nodes)
	}
}

// terminalChannels is the channels at vertices that do not forward.
func (m *Metrics) terminalChannels(g topology.Graph) int64 {
	sum := int64(0)
	if m.Terminals > 0 {
		for i, l := range g.Levels() {
			if l.Name == "terminal" {
				sum += m.Levels[i].Links
			}
		}
	}
	return sum
}

// closedHops is the distances that a family states, which are over the ends that HopEnds
// finds: the terminals of a tree and the servers of server-centric networks, the routers of
// other networks.
func (m *Metrics) closedHops(g topology.Graph, c topology.ClosedForms) {
	ends, count := Routers, m.Vertices-m.Terminals
	tree, ok := g.(topology.UpDown)
	carried := m.Switches == 0 || m.Terminals > 0 && m.Links > m.terminalChannels(g)
	if ok && tree.TurnsOnce() || !carried {
		ends, count = Terminals, m.Vertices-m.Switches
	}
	exact := true
	cost := m.CostDegree * float64(c.Diameter)
	m.HopsOver, m.Diameter, m.NetworkCost, m.Exact = ends.String(), &c.Diameter, &cost, &exact
	if ends == Routers {
		m.bounds(c.Diameter)
	}
	own := ends == Terminals || m.Terminals == 0 // the ends are the terminals
	if own {
		m.TerminalDiameter = &c.Diameter
	}
	if !(c.MeanHops >= 0) {
		return
	}
	withSelf := c.MeanHops * float64(count-1) / float64(count)
	m.HopsMean, m.HopsMeanWithSelf = &c.MeanHops, &withSelf
	if own {
		m.TerminalHopsMean = &c.MeanHops
	}
}
