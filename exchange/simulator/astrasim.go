package simulator

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// astraDimension is a dimension of ASTRA-sim's analytical networks.
type astraDimension struct {
	shape   string // Ring, Switch or FullyConnected
	npus    int
	rate    units.Rate // of a node in the dimension
	latency units.Time // of a hop; Switch has two between any two nodes
}

// WriteASTRASim writes the network file (YAML) of ASTRA-sim's analytical networks: dimensions, each with a shape, a
// number of nodes, a bandwidth in GB/s for each node, and a latency.
//
// A torus of nodes has a Ring for each dimension, and the latency of a hop is the mean of the planned cables of the
// dimension and the hop delay of a router. A HyperX has a Switch for the nodes of a switch, if they are several, and a
// FullyConnected for each dimension, with the links to and from nodes in its latency. A tree has a Switch for each
// tier: twice its latency is the mean path up to that tier and down again. Bandwidth is the share of a node in the
// links. For any other network WriteASTRASim returns an exchange.LimitError and writes nothing; WriteNS3 writes every
// network.
func WriteASTRASim(ctx context.Context, w io.Writer, n *Network) error {
	dims, err := n.astraDimensions()
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	list := func(of func(d astraDimension) string) string {
		var all []string
		for _, d := range dims {
			all = append(all, of(d))
		}
		return strings.Join(all, ", ")
	}
	out := bufio.NewWriter(w)
	out.WriteString("# Latencies are means over the planned cables of a dimension.\n")
	fmt.Fprintf(out, "topology: [ %s ]\n", list(func(d astraDimension) string { return d.shape }))
	fmt.Fprintf(out, "npus_count: [ %s ]\n", list(func(d astraDimension) string { return fmt.Sprint(d.npus) }))
	fmt.Fprintf(out, "bandwidth: [ %s ] # GB/s\n", list(func(d astraDimension) string { return number(d.rate / 8) }))
	fmt.Fprintf(out, "latency: [ %s ] # ns\n", list(func(d astraDimension) string { return tenths(d.latency) }))
	return out.Flush()
}

// astraDimensions returns the dimensions of a network, or an exchange.LimitError.
func (n *Network) astraDimensions() ([]astraDimension, error) {
	if grid, ok := n.graph.(topology.PlainLattice); ok {
		return n.astraLattice(grid)
	}
	return n.astraTree()
}

// astraLattice returns the dimensions of a torus or a HyperX.
func (n *Network) astraLattice(grid topology.PlainLattice) ([]astraDimension, error) {
	sides, terminals := grid.Dims(), grid.TerminalsPerRouter()
	sum, count, rate := make([]units.Time, len(sides)), make([]int, len(sides)), make([]units.Rate, len(sides))
	stride := make([]int, len(sides)+1)
	stride[0] = 1
	toNodes, nodes, nodeRate := units.Time(0), 0, units.Rate(0) // the links of terminals
	for d, side := range sides {
		switch full := grid.DimensionPorts(d).Full; {
		case side > 1 && !full && !grid.Wraps(d):
			return nil, exchange.LimitError("ASTRA-sim has rings, and a mesh has none\nns3 has every network")
		case side > 1 && !full && terminals > 0:
			return nil, exchange.LimitError(
				"ASTRA-sim has rings of nodes, and here switches make them\nns3 has every network")
		}
		stride[d+1] = stride[d] * side
	}
	for i := range n.Links {
		l := &n.Links[i]
		if l.Of < 0 {
			continue
		}
		if min(l.A, l.B) < int32(n.Hosts) {
			toNodes, nodes, nodeRate = toNodes+n.Latency(l), nodes+1, l.Rate
			continue
		}
		a, b := int(n.Vertices[l.A].Of), int(n.Vertices[l.B].Of)
		d := 0
		for d < len(sides)-1 && (a/stride[d])%sides[d] == (b/stride[d])%sides[d] {
			d++
		}
		sum[d] += n.Latency(l)
		rate[d] = l.Rate
		count[d]++
	}
	var out []astraDimension
	if nodes > 0 {
		toNodes /= units.Time(nodes)
	}
	if terminals > 1 {
		out = append(out, astraDimension{"Switch", terminals, nodeRate, toNodes})
	}
	for d, side := range sides {
		if side < 2 {
			continue
		}
		dim := astraDimension{"Ring", side, rate[d], sum[d]/units.Time(count[d]) + 2*toNodes}
		if grid.DimensionPorts(d).Full {
			dim.shape, dim.rate = "FullyConnected", rate[d]/units.Rate(max(terminals, 1))
		}
		out = append(out, dim)
	}
	if out == nil {
		return nil, exchange.LimitError("ASTRA-sim has no network of one node")
	}
	return out, nil
}

// astraTree returns the dimensions of a tree.
func (n *Network) astraTree() ([]astraDimension, error) {
	refuse := func(format string, a ...any) ([]astraDimension, error) {
		return nil, exchange.LimitError("ASTRA-sim's analytical networks are tori and trees with even branches: " +
			fmt.Sprintf(format, a...) + "\nns3 has every network")
	}
	tier := n.tiers()
	most := int32(0)
	for _, t := range tier {
		most = max(most, t)
	}
	sum, count, rate := make([]units.Time, most+1), make([]int, most+1), make([]units.Rate, most+1)
	for i := range n.Links {
		l := &n.Links[i]
		top := max(tier[l.A], tier[l.B])
		if l.Simplex || l.Of < 0 || min(tier[l.A], tier[l.B]) != top-1 {
			return refuse("%s - %s does not join one tier with the next", n.Vertices[l.A].Name, n.Vertices[l.B].Name)
		}
		sum[top] += n.Latency(l)
		rate[top] += l.Rate
		count[top]++
	}
	var out []astraDimension
	below := n.Hosts // groups of the tier below
	way, share, last := units.Time(0), units.Rate(0), 0
	for _, g := range topology.GroupsByTier(n.graph) {
		if below%g.Count != 0 {
			return refuse("%d groups of tier %d hold %d of the tier below", g.Count, g.Tier, below)
		}
		sizes := make([]int, g.Count)
		for v := range n.Hosts {
			sizes[g.Of[n.Vertices[v].Of]]++
		}
		for _, size := range sizes {
			if size != sizes[0] {
				return refuse("groups of %d and %d nodes are at tier %d", sizes[0], size, g.Tier)
			}
		}
		for t := last + 1; t <= g.Tier; t++ {
			way += sum[t] / units.Time(count[t])
			if mine := rate[t] / units.Rate(n.Hosts); share == 0 || mine < share {
				share = mine
			}
		}
		last = g.Tier
		if npus := below / g.Count; npus > 1 {
			out = append(out, astraDimension{"Switch", npus, share, way})
		}
		below = g.Count
	}
	if below != 1 {
		return refuse("the network is in %d parts", below)
	}
	return out, nil
}
