package scheduler

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
)

// Labels of the nodes of Kubernetes, as NVIDIA's topograph writes them
// (https://docs.nvidia.com/topograph/reference/node-labels-and-annotations, of November 2026).
const (
	tierLabel   = "fabric.topograph.run/tier-" // and the tier, from 0 at the node
	domainLabel = "accelerator.topograph.run/domain"
)

// WriteKubernetes writes a document for each node with the labels of the groups that it is in, as topograph calls them,
// for kubectl apply --server-side: the switches of a tree tier by tier, tier 0 the closest, or the block of a network
// that is not a tree as its domain.
func WriteKubernetes(ctx context.Context, w io.Writer, t *Topology) error {
	out := bufio.NewWriter(w)
	node := func(name string, labels [][2]string) {
		fmt.Fprintf(out, "---\napiVersion: v1\nkind: Node\nmetadata:\n  name: %q\n  labels:\n", name)
		for _, l := range labels {
			fmt.Fprintf(out, "    %s: %q\n", l[0], l[1])
		}
	}
	for _, g := range t.Blocks {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, name := range g.Nodes {
			node(name, [][2]string{{domainLabel, g.Name}})
		}
	}
	if t.Tiers == nil {
		return out.Flush()
	}
	// The groups above each of the lowest tier.
	above := make([][][2]string, len(t.Tiers[0]))
	inner := make([][]int, len(t.Tiers[0])) // of the tier below, the groups of the lowest tier in each
	for i := range inner {
		inner[i] = []int{i}
	}
	for tier, groups := range t.Tiers {
		lowest := make([][]int, len(groups))
		for i := range groups {
			if tier == 0 {
				lowest[i] = inner[i]
			} else {
				for _, k := range groups[i].Inner {
					lowest[i] = append(lowest[i], inner[k]...)
				}
			}
			for _, leaf := range lowest[i] {
				above[leaf] = append(above[leaf], [2]string{tierLabel + strconv.Itoa(tier), groups[i].Name})
			}
		}
		inner = lowest
	}
	for i, g := range t.Tiers[0] {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, name := range g.Nodes {
			node(name, above[i])
		}
	}
	return out.Flush()
}
