package delay

import (
	"context"

	"github.com/plenum-planner/plenum/topology"
)

// Plainly measures all pairs of ends one by one.
func Plainly(g topology.Graph, m Model, l Links) (*Result, error) {
	n, err := newNetwork(g.Kinds(), topology.NewCSR(g), m, l, false)
	if err != nil {
		return nil, err
	}
	return plainly(n), nil
}

// Searched measures all pairs by searches from every source, regardless of the shape of the network.
func Searched(ctx context.Context, g topology.Graph, m Model, l Links) (*Result, error) {
	csr := topology.NewCSR(g)
	n, err := newNetwork(g.Kinds(), csr, m, l, false)
	if err != nil {
		return nil, err
	}
	return n.measure(ctx, csr.Vertices(), bySource{}, Options{Limit: csr.Vertices()}, nil)
}

// SameFigures tells how two results differ.
func SameFigures(want, got *Result) string { return sameFigures(want, got) }
