package mapping

import (
	"context"
	"fmt"
	"slices"
)

// Parts asks for a graph to be cut into parts of limited size.
type Parts struct {
	K int // number of parts
	// Size is the size of every vertex; 1 when nil.
	Size []int64
	// Capacity is the largest size of each part. When nil, all are equal and as
	// small as the slack permits.
	Capacity []int64
	// Slack is by how much the largest part may exceed the mean when Capacity is
	// nil: 0.03 stands for 3 %. With no slack it may exceed it by less than one of
	// the largest vertices.
	Slack float64
}

// Partition cuts a graph into parts so that the weight of the edges between them
// is small: a mapping whose costs are 1 between different parts and 0 in one.
// The score's sum is the edge cut.
func Partition(ctx context.Context, g *Graph, parts Parts, o Options) (*Result, error) {
	const most = 4096
	if parts.K < 1 || parts.K > most {
		return nil, fmt.Errorf("a graph is cut into 1 to %d parts, not %d", most, parts.K)
	}
	p := &Problem{Graph: g, Costs: uniform(parts.K), Size: parts.Size, Capacity: parts.Capacity}
	if p.Capacity == nil {
		total, largest := int64(g.Vertices()), int64(1)
		if parts.Size != nil {
			total, largest = 0, 1
			for _, s := range parts.Size {
				total, largest = total+s, max(largest, s)
			}
		}
		k := int64(parts.K)
		even := (total+k-1)/k + largest - 1
		p.Capacity = slices.Repeat([]int64{max(even, int64(float64(total)*(1+parts.Slack)/float64(k)))}, parts.K)
	}
	return Map(ctx, p, o)
}
