package measure

import (
	"context"
	"math"

	"github.com/plenum-planner/plenum/topology"
)

// EvenThroughput returns the uniform traffic that g carries over its paths with the fewest hops, as a share of what the
// ports of its nodes send, at most 1: every node sends the same to every other, over each of these paths the same
// share, where a link is as many paths as it has channels. It is what some routing carries, and so a lower bound of the
// throughput of uniform traffic, where [Throughput] is an upper one. Where nodes have different numbers of ports, the
// share is of their mean; a node that forwards has one port to itself. It is 0 where two nodes have no path, and 1
// where there are fewer than two. The error is that of ctx.
func EvenThroughput(ctx context.Context, g topology.Graph) (float64, error) {
	nodes, ports := int64(0), int64(0)
	for _, k := range g.Kinds() {
		switch k.Role {
		case topology.Switch:
		case topology.Terminal:
			nodes += int64(k.Count)
			ports += int64(k.Count) * int64(k.Ports)
		default:
			nodes += int64(k.Count)
			ports += int64(k.Count)
		}
	}
	if nodes < 2 {
		return 1, ctx.Err()
	}
	hops, err := Hops(ctx, g, Terminals, HopOptions{})
	if err != nil {
		return 0, err
	}
	if hops.Unreachable > 0 {
		return 0, nil
	}
	loads, err := LinkLoads(ctx, g, LoadOptions{ByChannels: true, Work: math.MaxInt64})
	if err != nil {
		return 0, err
	}
	// What a node sends to each other node where its ports are full.
	unit := float64(ports) / float64(nodes) / float64(nodes-1)
	share, levels, i := 1.0, g.Levels(), 0
	for l := range g.Links() {
		oneWay := loads[i]
		if !l.Simplex {
			oneWay /= 2 // paths back are those there, reversed
		}
		if oneWay > 0 {
			share = min(share, float64(l.Channels(levels))/(oneWay*unit))
		}
		i++
	}
	return share, nil
}
