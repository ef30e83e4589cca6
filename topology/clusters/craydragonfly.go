package clusters

import (
	"fmt"

	"github.com/plenum-planner/plenum/internal/arith"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/topology"
)

// crayDragonfly is a dragonfly as Cray and HPE built them: groups of switches that are fully joined (Slingshot: D. De
// Sensi et al., "An in-depth analysis of the Slingshot interconnect", SC 2020, section II), or in each of two
// dimensions, chassis and slot (XC: G. Faanes et al., "Cray Cascade: a scalable HPC system based on a Dragonfly
// network", SC 2012, section III), groups of several kinds for computing, storage and services, and a given number of
// global links between two groups.
//
// A group has a list of its global channels, by rounds: the first has one channel to every other group, the next one to
// every group to which there are two, and so on. In a round the groups stand in the order of the arrangement (E.
// Hastings et al., "Comparing global link arrangements for Dragonfly networks", CLUSTER 2015): absolute, by number;
// relative, by how much higher the number is, modulo the number of groups (as in the family dragonfly, with which it
// agrees); circulant, by how far it is, up before down. Switch i of a switches has channels floor(i T/a) and on of T,
// so that every switch has its share. Copy q of the channels between two groups is copy q at both ends, in the relative
// arrangement the q-th from the end at the other. Channels between the same two switches are one link.
//
// The kinds are "switch" and "node"; the levels are terminal, local (in two dimensions local1 and local2) and global;
// the groupings are "block", a switch with its nodes, "chassis", a line of the first of two dimensions, and "group".
// The nodes of a switch are on its first ports; then come the local ones, by dimension and by the other coordinate, and
// the global ones by group in the order of the arrangement.
type crayDragonfly struct {
	name   string
	order  string // the arrangement
	parts  []groupKind
	pairs  [][]int // global channels between two groups of two kinds
	widths []int
	groups int
	rounds int
	kinds  []topology.Kind
	levels []topology.Level
}

// groupKind is groups that are alike.
type groupKind struct {
	first, count int // groups
	dims         []int
	size         int // switches of a group
	terminals    int // nodes of a switch
	sw, node     int // the first switch, and the first node from 0
	local        int // the nodes and local ports of a switch
	channels     int // global, of a group
}

var (
	_ topology.Counted   = (*crayDragonfly)(nil)
	_ topology.Placeable = (*crayDragonfly)(nil)
)

// The arrangements of global links.
const (
	absolute  = "absolute"
	relative  = "relative"
	circulant = "circulant"
)

var crayDragonflyFamily = topology.Family{
	Name: "cray-dragonfly",
	Doc: "groups of switches, fully joined in one dimension or two, of several kinds, with any number of links to " +
		"each other",
	Source: "G. Faanes et al., Cray Cascade: a scalable HPC system based on a Dragonfly network, SC 2012; E. " +
		"Hastings et " +
		"al., Comparing global link arrangements for Dragonfly networks, CLUSTER 2015",
	Params: []topology.Param{
		{
			Name: "dims", Doc: "the switches of a group, or those of a chassis and the chassis of a group",
			Required: true,
		},
		{Name: "terminals", Doc: "the number of nodes on each switch, at least 1", Required: true},
		{Name: "groups", Doc: "the number of groups", Required: true},
		{Name: "widths", Doc: "the parallel links in each dimension of a group; 1 when left out"},
		{Name: "links_per_pair", Doc: "the number of global links between two groups; 1 when left out"},
		{Name: "h", Doc: "the ports for global links that a switch has; as many as are needed when left out"},
		{Name: "arrangement", Doc: "the order in which the global links of a group go to the others: absolute, " +
			"relative or " +
			"circulant; relative when left out"},
		{Name: "other_groups", Doc: "the numbers of groups of further kinds, behind the first"},
		{Name: "other_dims", Doc: "the switches of a group of each further kind, as many numbers for each as dims; " +
			"as dims " +
			"when left out"},
		{Name: "other_terminals", Doc: "the nodes on each switch of each further kind; as terminals when left out"},
		{Name: "pair_links", Doc: "in place of links_per_pair, the global links between two groups by their kinds: " +
			"of the " +
			"first with itself and each further one, then of the second with itself and on"},
	},
	Zero: CrayDragonfly{},
}

// CrayDragonfly is groups of switches, fully joined in one dimension or two, with any number of links to each other.
type CrayDragonfly struct {
	Dims      topology.Ints `yaml:"dims,omitempty" json:"dims,omitempty"`           // switches of a group
	Widths    topology.Ints `yaml:"widths,omitempty" json:"widths,omitempty"`       // parallel links in each dimension
	Terminals int           `yaml:"terminals,omitempty" json:"terminals,omitempty"` // nodes on each switch
	H         int           `yaml:"h,omitempty" json:"h,omitempty"`                 // global ports that a switch has
	Groups    int           `yaml:"groups,omitempty" json:"groups,omitempty"`       // those of further kinds apart
	// global links between two groups, 1 when left out
	LinksPerPair int `yaml:"links_per_pair,omitempty" json:"links_per_pair,omitempty"`
	// order of the global links: absolute, relative (default) or circulant
	Arrangement string `yaml:"arrangement,omitempty" json:"arrangement,omitempty"`
	// numbers of groups of further kinds
	OtherGroups topology.Ints `yaml:"other_groups,omitempty" json:"other_groups,omitempty"`
	// switches of a group of each further kind
	OtherDims topology.Ints `yaml:"other_dims,omitempty" json:"other_dims,omitempty"`
	// nodes on each switch of each further kind
	OtherTerminals topology.Ints `yaml:"other_terminals,omitempty" json:"other_terminals,omitempty"`
	// global links between two groups by their kinds
	PairLinks topology.Ints `yaml:"pair_links,omitempty" json:"pair_links,omitempty"`
}

// Family is "cray-dragonfly".
func (CrayDragonfly) Family() string { return "cray-dragonfly" }

// ShortName has the groups and the switches of one: "cray-dragonfly 74x32".
func (p CrayDragonfly) ShortName() string {
	return fmt.Sprintf("cray-dragonfly %dx%s", p.Groups, p.Dims.Sides())
}

// Build makes the groups.
func (p CrayDragonfly) Build(m *topology.Mistakes) topology.Graph {
	p.check(m)
	if !m.None() {
		return nil
	}
	g := &crayDragonfly{name: p.Family(), order: p.Arrangement, widths: p.Widths}
	if g.order == "" {
		g.order = relative
	}
	if len(g.widths) == 0 {
		g.widths = []int{1, 1}[:len(p.Dims)]
	}
	g.addParts(p, m)
	if !m.None() {
		return nil
	}
	g.addPairs(p, m)
	if !m.None() {
		return nil
	}
	g.addChannels(p, m)
	if !m.None() {
		return nil
	}
	if len(g.parts) == 1 {
		return &evenDragonfly{g}
	}
	return g
}

// check checks each parameter by itself.
func (p CrayDragonfly) check(m *topology.Mistakes) {
	dims, others := len(p.Dims), len(p.OtherGroups)
	if dims > 2 {
		m.Add("dims", "takes one or two numbers, not %d", dims)
	}
	m.Within("terminals", p.Terminals, 1, topology.MaxPorts)
	m.Within("groups", p.Groups, 1, topology.MaxVertices)
	m.Within("links_per_pair", p.LinksPerPair, 1, topology.MaxPorts)
	m.Within("h", p.H, 1, topology.MaxPorts)
	m.OneOf("arrangement", p.Arrangement, []string{absolute, relative, circulant})
	if others > 16 {
		m.Add("other_groups", "there may be 16 further kinds, not %d", others)
	}
	pairs := (others + 1) * (others + 2) / 2
	for _, list := range []struct {
		name       string
		values     topology.Ints
		want, most int
	}{
		{"dims", p.Dims, dims, topology.MaxPorts},
		{"widths", p.Widths, dims, topology.MaxPorts},
		{"other_groups", p.OtherGroups, others, topology.MaxVertices},
		{"other_dims", p.OtherDims, others * dims, topology.MaxPorts},
		{"other_terminals", p.OtherTerminals, others, topology.MaxPorts},
		{"pair_links", p.PairLinks, pairs, topology.MaxPorts},
	} {
		if n := len(list.values); n != 0 && n != list.want {
			m.Add(list.name, "has %s; %d are wanted", english.Count(n, "number"), list.want)
		}
		for i, v := range list.values {
			if v < 1 || v > list.most {
				m.AddAt(list.name, i, "must be from 1 to %d, not %d", list.most, v)
			}
		}
	}
	if len(p.PairLinks) > 0 && p.LinksPerPair != 0 {
		m.Add("links_per_pair", "follows from pair_links")
	}
}

// addParts lists the kinds of groups.
func (g *crayDragonfly) addParts(p CrayDragonfly, m *topology.Mistakes) {
	rank := len(p.Dims)
	switches, nodes := int64(0), int64(0)
	for i := range 1 + len(p.OtherGroups) {
		k := groupKind{first: g.groups, count: p.Groups, dims: p.Dims, terminals: p.Terminals, size: 1}
		if i > 0 {
			k.count = p.OtherGroups[i-1]
			if len(p.OtherDims) > 0 {
				k.dims = p.OtherDims[(i-1)*rank : i*rank]
			}
			if len(p.OtherTerminals) > 0 {
				k.terminals = p.OtherTerminals[i-1]
			}
		}
		ports := int64(k.terminals)
		for d, side := range k.dims {
			k.size *= side
			ports += int64(side-1) * int64(g.widths[d])
		}
		m.Ports("dims", ports)
		k.local, k.sw, k.node = int(ports), int(switches), int(nodes)
		switches += arith.Times(int64(k.count), int64(k.size))
		m.Vertices("groups", switches)
		if !m.None() {
			return
		}
		nodes += int64(k.count) * int64(k.size) * int64(k.terminals)
		m.Vertices("groups", switches+nodes)
		if !m.None() {
			return
		}
		g.groups += k.count
		g.parts = append(g.parts, k)
	}
	g.kinds = []topology.Kind{
		{Name: "switch", Count: int(switches), Role: topology.Switch},
		{Name: "node", First: int(switches), Count: int(nodes), Role: topology.Terminal, Ports: 1},
	}
	g.levels = []topology.Level{{Name: "terminal"}, {Name: "local"}, {Name: "global"}}
	if rank == 2 {
		g.levels = []topology.Level{{Name: "terminal"}, {Name: "local1"}, {Name: "local2"}, {Name: "global"}}
	}
}

// addPairs notes the channels between two groups of any two kinds.
func (g *crayDragonfly) addPairs(p CrayDragonfly, _ *topology.Mistakes) {
	g.pairs = make([][]int, len(g.parts))
	for i := range g.pairs {
		g.pairs[i] = make([]int, len(g.parts))
	}
	next := 0
	for i := range g.parts {
		for j := i; j < len(g.parts); j++ {
			links := max(p.LinksPerPair, 1)
			if len(p.PairLinks) > 0 {
				links = p.PairLinks[next]
			}
			next++
			g.pairs[i][j], g.pairs[j][i] = links, links
			g.rounds = max(g.rounds, links)
		}
	}
}

// addChannels counts the global channels of the groups, which are shared out to their switches.
func (g *crayDragonfly) addChannels(p CrayDragonfly, m *topology.Mistakes) {
	param := "links_per_pair"
	if len(p.PairLinks) > 0 {
		param = "pair_links"
	}
	for i := range g.parts {
		k := &g.parts[i]
		sum := int64(0)
		for j := range g.parts {
			sum += int64(g.pairs[i][j]) * int64(g.others(i, j))
		}
		if sum > topology.MaxVertices {
			m.Add(param, "gives a group %d global links; the most possible is %d", sum, topology.MaxVertices)
			return
		}
		k.channels = int(sum)
		each := arith.CeilDiv(k.channels, k.size)
		if p.H != 0 && each > p.H {
			m.Add("h", "a group has %s, %d to a switch at most", english.Count(k.channels, "global link"), each)
		}
		m.Ports(param, int64(k.local)+int64(each))
		g.kinds[0].Ports = max(g.kinds[0].Ports, k.local+each)
	}
}

// others is the groups of kind j that a group of kind i is joined to.
func (g *crayDragonfly) others(i, j int) int {
	if i == j {
		return g.parts[j].count - 1
	}
	return g.parts[j].count
}
