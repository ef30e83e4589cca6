// Package exascale compares networks by size as S. Li et al. do in "Low latency, high bisection-bandwidth networks for
// exascale memory systems" (MEMSYS 2016), section 3: ports of a router, mean hops, channels across the bisection, and
// the bisection for each port, hop and node, of all families of the paper from 100 to 1,000,000 nodes.
//
// A network is one of a curve: networks of a family that differ in size alone. Every node is its own router. Hops are
// counted in the graphs that package topology builds, from all nodes or, in large graphs without a symmetry or a closed
// form, from some that are drawn. The bisection is by the formula of the paper, with whole halves where a side or the
// number of groups is odd; docs/internals/reproduction.md says where a formula is not a minimum cut.
package exascale

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
)

// What the paper compares: networks of 100 to 1,000,000 nodes (section 1), without those of more than 300 ports or more
// than 35 hops on average (section 3.1).
const (
	MinNodes = 100
	MaxNodes = 1_000_000
	MaxPorts = 300
	MaxHops  = 35
)

// Network is a point of the paper's Figures 11 to 14.
type Network struct {
	Group string `json:"group"` // the curves of a group differ in a number or a variant: torus, dragonfly
	Curve string `json:"curve"` // 3D torus, Moore bound of diameter 2
	// Topology is what to write into a machine file; empty for a bound, which is not a graph.
	Topology string  `json:"topology,omitempty"`
	Nodes    int64   `json:"nodes"`     // each of which is its own router
	Ports    int     `json:"ports"`     // of a router, the most
	HopsMean float64 `json:"hops_mean"` // between two nodes
	// HopsSources is the nodes from which hops were counted; 0 if the mean is exact.
	HopsSources int `json:"hops_sources"`
	// Bisection is the channels between two halves, by the paper's formula.
	Bisection float64 `json:"bisection"`
	// BisectionPerNode is the bisection for each node.
	BisectionPerNode float64 `json:"bisection_per_node"`
	// Efficiency is the bisection for each port, hop and node (section 3.2 and Figure 14).
	Efficiency float64 `json:"bisection_per_port_hop_node"`
}

// Options says what is compared.
type Options struct {
	// MinNodes and MaxNodes are the range, both included; those of the paper where 0.
	MinNodes, MaxNodes int64
	// PerDecade is the most networks of a curve for a factor of ten in size; 16 where 0. What is left out lies between
	// networks that stay.
	PerDecade int
	// Sources is the nodes from which hops are counted in large graphs that have no symmetry; 16 where 0.
	Sources int
	// Progress hears, before each network, how many of all have been measured. It may be nil.
	Progress func(done, of int)
}

// candidate is a network before it is measured.
type candidate struct {
	group, curve string
	nodes        int64
	params       topology.Params // nil for a Moore bound
	ports, hops  int             // degree and diameter of a Moore bound
}

// Compare measures the networks of the paper, curve by curve, by size. It leaves out those of more than MaxPorts ports
// or MaxHops mean hops.
func Compare(ctx context.Context, opt Options) ([]Network, error) {
	opt.MinNodes, opt.MaxNodes = cmp.Or(opt.MinNodes, MinNodes), cmp.Or(opt.MaxNodes, MaxNodes)
	opt.PerDecade, opt.Sources = cmp.Or(opt.PerDecade, 16), cmp.Or(opt.Sources, 16)
	var chosen []candidate
	for _, curve := range curves(opt.MaxNodes) {
		curve = slices.DeleteFunc(curve, func(c candidate) bool {
			return c.nodes < opt.MinNodes || c.nodes > opt.MaxNodes
		})
		chosen = append(chosen, thin(curve, opt.PerDecade)...)
	}
	out := []Network{}
	for i, c := range chosen {
		if opt.Progress != nil {
			opt.Progress(i, len(chosen))
		}
		n, err := c.measure(ctx, opt)
		if err != nil {
			return nil, err
		}
		if n.Ports <= MaxPorts && n.HopsMean <= MaxHops {
			out = append(out, n)
		}
	}
	return out, nil
}

// thin leaves out networks whose size is too near to that of the one before, but not the last.
func thin(curve []candidate, perDecade int) []candidate {
	slices.SortStableFunc(curve, func(a, b candidate) int { return cmp.Compare(a.nodes, b.nodes) })
	step := math.Pow(10, 1/float64(perDecade))
	var out []candidate
	for i, c := range curve {
		if n := len(out); n == 0 || float64(c.nodes) >= float64(out[n-1].nodes)*step || i == len(curve)-1 {
			out = append(out, c)
		}
	}
	return out
}

// measure counts the ports and hops of a network.
func (c *candidate) measure(ctx context.Context, opt Options) (Network, error) {
	n := Network{Group: c.group, Curve: c.curve, Nodes: c.nodes}
	if c.params == nil {
		n.Ports, n.HopsMean = c.ports, mooreMean(c.ports, c.hops)
		// The paper states the formula for diameter 2; its section 3.1 has the bounds of 3 and 4 coincide with the
		// flattened butterflies of as many dimensions, as this does.
		n.Bisection = float64(c.ports-2) * float64(c.nodes) / 4
	} else {
		spec := topology.Spec{Params: c.params}
		g, err := topology.New(spec)
		if err != nil {
			return n, fmt.Errorf("exascale: %s: %w", spec, err)
		}
		n.Topology = spec.String()
		f, ok := g.(topology.Formulas)
		if !ok {
			return n, fmt.Errorf("exascale: %s: no formulas are known", spec)
		}
		forms := f.ClosedForms()
		n.Ports, n.Bisection = forms.DegreeMax, forms.Bisection
		if n.Ports > MaxPorts {
			return n, nil
		}
		if n.HopsMean, n.HopsSources, err = meanHops(ctx, g, forms, opt.Sources); err != nil {
			return n, err
		}
	}
	n.BisectionPerNode = n.Bisection / float64(n.Nodes)
	n.Efficiency = n.BisectionPerNode / (float64(n.Ports) * n.HopsMean)
	return n, nil
}

// meanHops is the mean distance between nodes, by the formula of the family where it has one. Sources is as in Network.
func meanHops(
	ctx context.Context, g topology.Graph, forms topology.ClosedForms, most int,
) (mean float64, sources int, err error) {
	if forms.MeanHops > 0 {
		return forms.MeanHops, 0, nil
	}
	h, err := measure.Hops(ctx, g, measure.Routers, measure.HopOptions{
		MaxSources: 1 << 11, SampleSize: most, Seed: 1,
	})
	if err != nil {
		return 0, 0, err
	}
	if !h.Exact {
		sources = h.Sources
	}
	return h.Mean, sources, nil
}

// mooreMean is the mean distance in a graph that reaches the bound of Moore: p (p-1)^(h-1) nodes are h hops away.
func mooreMean(ports, diameter int) float64 {
	var nodes, sum float64
	ring := float64(ports)
	for h := 1; h <= diameter; h++ {
		nodes, sum = nodes+ring, sum+float64(h)*ring
		ring *= float64(ports - 1)
	}
	return sum / nodes
}
