package throughput

import (
	"context"
	"fmt"

	"github.com/plenum-planner/plenum/topology"
)

// MostMatched is the most switches with terminals for which LongestMatching seeks a permutation.
const MostMatched = 1 << 12

// LongestMatching returns for every vertex that injects, numbered from 0 in their order, the one that it sends to in
// the traffic that Bound.Longest is of: a permutation of the switches whose paths are the longest in all. The terminals
// of a switch send to those of its partner in the same places; those for which the partner has no place, and terminals
// without links, have -1. No two send to the same. The error is that of ctx, or says why there is none: no vertices
// that inject, or more than MostMatched switches with terminals.
//
// S. A. Jyothi, A. Singla, P. B. Godfrey and A. Kolla, "Measuring and understanding throughput of network topologies",
// SC 2016, section II-C, have it as the longest matching: it comes close to the worst traffic in all the families that
// they measure.
func LongestMatching(ctx context.Context, g topology.Graph) ([]int32, error) {
	n, err := newNetwork(ctx, g)
	if err != nil {
		return nil, err
	}
	if len(n.ends) > MostMatched {
		return nil, fmt.Errorf("the longest matching of %d switches with terminals is not sought; of %d at most",
			len(n.ends), MostMatched)
	}
	apart, err := n.distances(ctx)
	if err != nil {
		return nil, err
	}
	a, err := worstAssignment(ctx, n, apart)
	if err != nil {
		return nil, err
	}
	number := terminals(g)
	to := make([]int32, len(number))
	for i := range to {
		to[i] = -1
	}
	for u, v := range a.to {
		if v < 0 {
			continue
		}
		from, into := n.ends[u].terminals, n.ends[v].terminals
		for i := range min(len(from), len(into)) {
			to[number[from[i]]] = number[into[i]]
		}
	}
	return to, nil
}

// terminals numbers the vertices that inject from 0, by vertex.
func terminals(g topology.Graph) map[int32]int32 {
	number := map[int32]int32{}
	for _, k := range g.Kinds() {
		if k.Role == topology.Switch {
			continue
		}
		for v := k.First; v < k.First+k.Count; v++ {
			number[int32(v)] = int32(len(number))
		}
	}
	return number
}
