package clusters

import (
	"fmt"

	"github.com/plenum-planner/plenum/internal/arith"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/topology"
)

// leafSpine is a folded Clos network as it was built: what a fat-tree derives from one radix and a taper is given here
// tier by tier (C. E. Leiserson, "Fat-trees: universal networks for hardware-efficient supercomputing", IEEE Trans.
// Computers C-34 (10), 1985).
//
// A node has a port, or `links` parallel ones, on each of r rails of each of p planes. A unit is r p leaves and the
// nodes on them: ports (j p + k) links ... of a node go to rail j, plane k of its unit; nodes fill the units one after
// the other. Planes are not joined to each other above the nodes, as where both ports of a twin-port cage lead to
// networks of their own.
//
// In two tiers the uplinks of the leaves of a plane, in order, are dealt out to its spines in turn, so that the widths
// between leaves and spines differ by at most one. In three tiers that holds in each pod of units, and the uplinks of
// spines are dealt out to the cores of their plane, those of spine j of every pod to the j-th group of cores where the
// spines of a pod divide the cores. Channels between the same two switches are one link, on consecutive ports at both
// ends.
//
// The switches of the highest tier may be directors: line cards with ports to the tier below, and fabric cards that
// join them inside the chassis. Uplinks are dealt out to directors in turn and in each to its line cards in turn; the
// inner ports of a line card, as many as it has outer ones, to the fabric cards.
//
// The kinds are "leaf", "spine", "core" and "node" as far as there are such; "line" and "fabric", the cards, stand in
// the place of the highest. The levels are terminal, tier1, tier2 and backplane. The groupings are "unit" and, in three
// tiers, "pod"; every director is a group of its own in both, behind the others. Down ports come first, then the up
// ports.
type leafSpine struct {
	nodes, links  int
	rails, planes int
	perUnit       int // nodes
	units         int
	podUnits      int // units of a full pod; of two tiers, all units
	pods          int
	down, up      int // ports of a leaf

	spines, spineUp int // of all pods; uplinks of each
	cores           int
	tops            int // switches of the highest tier
	line, ports     int // line cards of a director, outer ports of each; 0 without directors
	fabric          int // fabric cards of a director

	kinds  []topology.Kind
	levels []topology.Level
}

var (
	_ topology.Symmetric   = (*leafSpine)(nil)
	_ topology.Formulas    = (*leafSpine)(nil)
	_ topology.Counted     = (*leafSpine)(nil)
	_ topology.EvenTree    = (*leafSpine)(nil)
	_ topology.UpDown      = (*leafSpine)(nil)
	_ topology.Railed      = (*leafSpine)(nil)
	_ topology.UsualRouter = (*leafSpine)(nil)
	_ topology.Placeable   = (*leafSpine)(nil)
)

var leafSpineFamily = topology.Family{
	Name: "leaf-spine",
	Doc: "leaves, spines and cores whose numbers and ports are given tier by tier, on planes and with directors if " +
		"wanted",
	Source: "C. E. Leiserson, Fat-trees: universal networks for hardware-efficient supercomputing, IEEE Trans. " +
		"Computers, 1985; D. Stanzione et al., Frontera, PEARC 2020 (directors); NVIDIA DGX SuperPOD B300 reference " +
		"architecture (planes)",
	Params: []topology.Param{
		{Name: "nodes", Doc: "the number of nodes, at least 1", Required: true},
		{Name: "up", Doc: "the uplinks of a leaf", Required: true},
		{Name: "spines", Doc: "the number of spines, those of all pods and planes together", Required: true},
		{Name: "down", Doc: "the ports of a leaf for nodes; as many as the nodes need on the given leaves when left " +
			"out"},
		{Name: "leaves", Doc: "the number of leaves; the fewest that have the ports when left out"},
		{Name: "rails", Doc: "the leaves that a node is on, in each plane; 1 when left out"},
		{Name: "links", Doc: "the ports of a node on each of its leaves; 1 when left out"},
		{Name: "planes", Doc: "the networks side by side that every node is on; 1 when left out"},
		{Name: "pods", Doc: "the groups of leaves that have spines of their own (with cores); 1 when left out"},
		{Name: "spine_up", Doc: "the uplinks of a spine (with cores)"},
		{Name: "cores", Doc: "the number of cores, those of all planes together; none when left out"},
		{Name: "director", Doc: "makes the switches of the highest tier directors: three numbers, the line cards of " +
			"each, " +
			"the ports of a line card for the tier below, and the fabric cards"},
		{Name: "radix", Doc: "the ports that a leaf has; any number when left out"},
		{Name: "spine_radix", Doc: "the ports that a spine has; any number when left out"},
		{Name: "core_radix", Doc: "the ports that a core has; any number when left out"},
	},
	Zero: LeafSpine{},
}

// LeafSpine is leaves, spines and cores whose numbers and ports are given tier by tier.
type LeafSpine struct {
	Down   int `yaml:"down,omitempty" json:"down,omitempty"`     // ports of a leaf for nodes
	Up     int `yaml:"up,omitempty" json:"up,omitempty"`         // uplinks of a leaf
	Nodes  int `yaml:"nodes,omitempty" json:"nodes,omitempty"`   // the last unit may be partly filled
	Radix  int `yaml:"radix,omitempty" json:"radix,omitempty"`   // ports that a leaf has
	Leaves int `yaml:"leaves,omitempty" json:"leaves,omitempty"` // the fewest that have the ports when left out
	Rails  int `yaml:"rails,omitempty" json:"rails,omitempty"`   // leaves that a node is on, in each plane
	Links  int `yaml:"links,omitempty" json:"links,omitempty"`   // ports of a node on each of its leaves
	Planes int `yaml:"planes,omitempty" json:"planes,omitempty"` // networks side by side
	Pods   int `yaml:"pods,omitempty" json:"pods,omitempty"`     // groups of leaves with spines of their own
	Spines int `yaml:"spines,omitempty" json:"spines,omitempty"` // of all pods and planes
	// ports that a spine has
	SpineRadix int `yaml:"spine_radix,omitempty" json:"spine_radix,omitempty"`
	SpineUp    int `yaml:"spine_up,omitempty" json:"spine_up,omitempty"`     // uplinks of a spine
	Cores      int `yaml:"cores,omitempty" json:"cores,omitempty"`           // of all planes
	CoreRadix  int `yaml:"core_radix,omitempty" json:"core_radix,omitempty"` // ports that a core has
	// line cards, ports of each and fabric cards of a switch of the highest tier
	Director topology.Ints `yaml:"director,omitempty" json:"director,omitempty"`
}

// Family is "leaf-spine".
func (LeafSpine) Family() string { return "leaf-spine" }

// ShortName has the nodes and the switches of the upper tiers: "leaf-spine 127/16".
func (p LeafSpine) ShortName() string {
	name := fmt.Sprintf("leaf-spine %d/%d", p.Nodes, p.Spines)
	if p.Cores > 0 {
		name += fmt.Sprintf("/%d", p.Cores)
	}
	return name
}

// Build makes the tiers.
func (p LeafSpine) Build(m *topology.Mistakes) topology.Graph {
	p.check(m)
	if !m.None() {
		return nil
	}
	g := &leafSpine{
		nodes: p.Nodes, links: max(p.Links, 1), rails: max(p.Rails, 1), planes: max(p.Planes, 1), pods: max(p.Pods, 1),
		up: p.Up, spines: p.Spines, spineUp: p.SpineUp, cores: p.Cores, tops: p.Spines,
	}
	if p.Cores > 0 {
		g.tops = p.Cores
	}
	if len(p.Director) == 3 {
		g.line, g.ports, g.fabric = p.Director[0], p.Director[1], p.Director[2]
	}
	for _, part := range []func(LeafSpine, *topology.Mistakes){g.addLeaves, g.addSpines, g.addCores, g.addKinds} {
		if part(p, m); !m.None() {
			return nil
		}
	}
	return g
}

// check checks each parameter by itself.
func (p LeafSpine) check(m *topology.Mistakes) {
	for _, q := range []struct {
		name    string
		v, most int
	}{
		{"nodes", p.Nodes, topology.MaxVertices},
		{"up", p.Up, topology.MaxPorts},
		{"down", p.Down, topology.MaxPorts},
		{"leaves", p.Leaves, topology.MaxVertices},
		{"rails", p.Rails, topology.MaxPorts},
		{"links", p.Links, topology.MaxPorts},
		{"planes", p.Planes, topology.MaxPorts},
		{"pods", p.Pods, topology.MaxVertices},
		{"spines", p.Spines, topology.MaxVertices},
		{"spine_up", p.SpineUp, topology.MaxPorts},
		{"cores", p.Cores, topology.MaxVertices},
		{"radix", p.Radix, topology.MaxPorts},
		{"spine_radix", p.SpineRadix, topology.MaxPorts},
		{"core_radix", p.CoreRadix, topology.MaxPorts},
	} {
		m.Within(q.name, q.v, 1, q.most)
	}
	if p.Down == 0 && p.Leaves == 0 {
		m.Add("down", "is missing: give the ports of a leaf for nodes, or the number of leaves")
	}
	if p.Cores == 0 {
		for _, q := range []struct {
			name string
			v    int
		}{{"pods", p.Pods}, {"spine_up", p.SpineUp}, {"core_radix", p.CoreRadix}} {
			if q.v != 0 {
				m.Add(q.name, "is for three tiers; give cores too")
			}
		}
	} else if p.SpineUp == 0 {
		m.Add("spine_up", "is missing: the uplinks of a spine")
	}
	if n := len(p.Director); n != 0 && n != 3 {
		m.Add("director", "takes three numbers, not %d: line cards, ports of each, fabric cards", n)
		return
	}
	for i, v := range p.Director {
		if v < 1 || v > topology.MaxPorts {
			m.AddAt("director", i, "must be from 1 to %d, not %d", topology.MaxPorts, v)
		}
	}
	if len(p.Director) == 3 && p.Director[1] < p.Director[2] {
		m.AddAt("director", 1, "a line card has as many inner ports as outer ones, here %d, too few for a link to "+
			"each of "+
			"%d fabric cards", p.Director[1], p.Director[2])
	}
	if param, radix := p.topRadix(); radix != 0 && len(p.Director) > 0 {
		m.Add(param, "follows from the director")
	}
}

// topRadix is the ports of a switch of the highest tier, if they are given.
func (p LeafSpine) topRadix() (param string, radix int) {
	if p.Cores > 0 {
		return "core_radix", p.CoreRadix
	}
	return "spine_radix", p.SpineRadix
}

// addLeaves finds the units.
func (g *leafSpine) addLeaves(p LeafSpine, m *topology.Mistakes) {
	m.Ports("rails", arith.Times(int64(g.rails)*int64(g.planes), int64(g.links)))
	each := g.rails * g.planes
	if p.Leaves%each != 0 {
		m.Add("leaves", "every node is on %d of them (rails and planes), and %d is not a multiple of that", each,
			p.Leaves)
	}
	if !m.None() {
		return
	}
	if p.Down > 0 {
		g.perUnit = p.Down / g.links
		if g.perUnit < 1 {
			m.Add("down", "%s are too few for the %s of a node", english.Count(p.Down, "port"),
				english.Count(g.links, "link"))
			return
		}
		g.units = arith.CeilDiv(g.nodes, g.perUnit)
	}
	if p.Leaves > 0 {
		given := p.Leaves / each
		if g.perUnit == 0 {
			g.perUnit = arith.CeilDiv(g.nodes, given)
		} else if given < g.units {
			m.Add("leaves", "%s need at least %d of %s, not %d", english.Count(g.nodes, "node"), g.units*each,
				english.Count(p.Down, "down port"), p.Leaves)
		}
		g.units = given
	}
	g.perUnit = min(g.perUnit, g.nodes)
	g.down = g.perUnit * g.links
	m.Ports("leaves", int64(g.down)+int64(g.up))
	if used := g.down + g.up; p.Radix != 0 && used > p.Radix {
		m.Add("radix", "a leaf of %s has no room for %d down and %d up", english.Count(p.Radix, "port"), g.down, g.up)
	}
	m.Vertices("nodes", arith.Times(int64(g.units), int64(each))+int64(g.nodes))
	g.podUnits = arith.CeilDiv(g.units, g.pods)
	if m.None() && arith.CeilDiv(g.units, g.podUnits) < g.pods {
		m.Add("pods", "%s of leaves, %d each, leave some of %s empty", english.Count(g.units, "unit"), g.podUnits,
			english.Count(g.pods, "pod"))
	}
}

// podLeaves is the leaves of a plane in a full pod.
func (g *leafSpine) podLeaves() int { return g.podUnits * g.rails }

// podSpines is the spines of a plane in a pod.
func (g *leafSpine) podSpines() int { return g.spines / g.pods / g.planes }

// addSpines checks the spines. Two leaves are sure to share one as long as there are less than twice as many as
// uplinks.
func (g *leafSpine) addSpines(p LeafSpine, m *topology.Mistakes) {
	if g.spines%(g.pods*g.planes) != 0 {
		m.Add("spines", "%d do not divide evenly over %s of %s", g.spines, english.Count(g.pods, "pod"),
			english.Count(g.planes, "plane"))
		return
	}
	most, why := 2*g.up-1, "of more, not every two leaves share one"
	switch {
	case g.cores > 0:
		most, why = g.up, "a leaf is linked to every spine of its pod"
	case g.podLeaves() == 1:
		most, why = g.up, "there is one leaf"
	}
	if g.podSpines() > most {
		m.Add("spines", "leaves with %s can use at most %d in a plane of a pod, not %d: %s", english.Count(g.up,
			"uplink"),
			most, g.podSpines(), why)
		return
	}
	down := arith.CeilDiv(g.podLeaves()*g.up, g.podSpines())
	if g.cores == 0 {
		g.checkTop("spines", "spine_radix", p.SpineRadix, down, m)
		return
	}
	m.Ports("spines", int64(down)+int64(g.spineUp))
	if p.SpineRadix != 0 && down+g.spineUp > p.SpineRadix {
		m.Add("spine_radix", "a spine of %s has no room for %d down and %d up", english.Count(p.SpineRadix,
			"port"), down,
			g.spineUp)
	}
}

// addCores checks the cores. Two pods are sure to share one as long as there are less than twice as many as uplinks of
// the spines of a pod.
func (g *leafSpine) addCores(p LeafSpine, m *topology.Mistakes) {
	if g.cores == 0 {
		return
	}
	if g.cores%g.planes != 0 {
		m.Add("cores", "%d do not divide evenly over %s", g.cores, english.Count(g.planes, "plane"))
		return
	}
	uplinks := int64(g.podSpines()) * int64(g.spineUp)
	most := 2*uplinks - 1
	if g.pods == 1 {
		most = uplinks
	}
	if cores := int64(g.cores / g.planes); cores > most {
		m.Add("cores", "pods with %d uplinks in a plane can use at most %d there, not %d", uplinks, most, cores)
		return
	}
	g.checkTop("cores", "core_radix", p.CoreRadix, g.coreDown(), m)
}

// coreDown is the most channels of a core.
func (g *leafSpine) coreDown() int {
	return arith.CeilDiv(g.pods*g.podSpines()/g.coreGroups()*g.spineUp, g.coresOf())
}

// checkTop checks the ports of a switch of the highest tier.
func (g *leafSpine) checkTop(param, radixParam string, radix, down int, m *topology.Mistakes) {
	switch have := g.line * g.ports; {
	case g.line == 0:
		m.Ports(param, int64(down))
		if radix != 0 && down > radix {
			m.Add(radixParam, "%s are too few for the %d channels from below", english.Count(radix, "port"), down)
		}
	case down > have:
		m.Add("director", "%d line cards of %s are too few for the %d channels from below", g.line,
			english.Count(g.ports, "port"), down)
	}
}

// coreGroups is the number of groups of cores, each for the spines of one number in their pods.
func (g *leafSpine) coreGroups() int {
	if g.cores/g.planes%g.podSpines() == 0 {
		return g.podSpines()
	}
	return 1
}

// coresOf is the cores of a plane that a spine is dealt out to.
func (g *leafSpine) coresOf() int { return g.cores / g.planes / g.coreGroups() }

// addKinds numbers the vertices.
func (g *leafSpine) addKinds(_ LeafSpine, m *topology.Mistakes) {
	first := int64(0)
	add := func(name string, role topology.Role, count int64, ports int) {
		if g.kinds = append(g.kinds, topology.Kind{
			Name: name, First: int(first), Count: int(count), Role: role, Ports: ports,
		}); first+count <= topology.MaxVertices {
			first += count
		} else {
			m.Vertices("nodes", first+count)
		}
	}
	spineDown := arith.CeilDiv(g.podLeaves()*g.up, g.podSpines())
	add("leaf", topology.Switch, int64(g.units)*int64(g.rails*g.planes), g.down+g.up)
	top, below := "spine", spineDown
	if g.cores > 0 {
		add("spine", topology.Switch, int64(g.spines), spineDown+g.spineUp)
		top, below = "core", g.coreDown()
	}
	if g.line == 0 {
		add(top, topology.Switch, int64(g.tops), below)
	} else {
		m.Ports("director", 2*int64(g.ports))
		fabric := arith.Times(int64(g.line), int64(g.ports))/int64(g.fabric) + 1
		m.Ports("director", fabric)
		add("line", topology.Switch, int64(g.tops)*int64(g.line), arith.CeilDiv(below, g.line)+g.ports)
		add("fabric", topology.Switch, int64(g.tops)*int64(g.fabric), arith.CeilDiv(g.line*g.ports, g.fabric))
	}
	add("node", topology.Terminal, int64(g.nodes), g.rails*g.planes*g.links)
	g.levels = []topology.Level{{Name: "terminal"}, {Name: "tier1"}}
	if g.cores > 0 {
		g.levels = append(g.levels, topology.Level{Name: "tier2"})
	}
	if g.line > 0 {
		g.levels = append(g.levels, topology.Level{Name: "backplane"})
	}
}
