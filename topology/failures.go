package topology

import (
	"context"
	"iter"
	"math/rand/v2"
)

// Failed is a graph without some of its links and vertices. Vertices keep
// their numbers: one that failed has no links left.
type Failed struct {
	Graph
	Vertex []bool // failed vertices, nil for none
	Link   []bool // failed links in the order of Links, nil for none
}

// Links yields the links that are left.
func (f *Failed) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		i := 0
		for l := range f.Graph.Links() {
			lost := f.Link != nil && f.Link[i] || f.Vertex != nil && (f.Vertex[l.A] || f.Vertex[l.B])
			i++
			if !lost && !yield(l) {
				return
			}
		}
	}
}

// FailRandomly draws links and routers that fail, each with the given
// probability. Terminals and their links do not fail by themselves.
func FailRandomly(g Graph, links, routers float64, rng *rand.Rand) *Failed {
	role := roles(g)
	f := &Failed{Graph: g, Vertex: make([]bool, len(role))}
	for v, r := range role {
		if r != Terminal {
			f.Vertex[v] = rng.Float64() < routers
		}
	}
	for l := range g.Links() {
		f.Link = append(f.Link, role[l.A] != Terminal && role[l.B] != Terminal && rng.Float64() < links)
	}
	return f
}

// FailureStats says what is left of a graph, on average over several draws.
type FailureStats struct {
	Draws     int
	Connected float64 // share of the ordered pairs of different ends, all there were, that still have a path
	Whole     float64 // share of the draws in which all of them have
	Mean      float64 // hops between those that have, each draw counting its pairs
	Diameter  int     // the longest in any draw
}

// UnderFailures measures the hops of g with random links and routers failing,
// each with the given probability.
func UnderFailures(ctx context.Context, g Graph, ends Ends, links, routers float64, draws int, rng *rand.Rand) (*FailureStats, error) {
	s := &FailureStats{Draws: draws}
	var pairs, reached, hops float64
	for range draws {
		h, err := Hops(ctx, FailRandomly(g, links, routers, rng), ends, HopOptions{})
		if err != nil {
			return nil, err
		}
		all := float64(h.Count) * float64(h.Count-1)
		left := all - float64(h.Unreachable)
		pairs += all
		reached += left
		hops += float64(h.Mean * left)
		s.Diameter = max(s.Diameter, h.Diameter)
		if h.Unreachable == 0 {
			s.Whole += 1 / float64(draws)
		}
	}
	if pairs > 0 {
		s.Connected = reached / pairs
	}
	if reached > 0 {
		s.Mean = hops / reached
	}
	return s, nil
}

// Detour is what the failure of one link or vertex means for those on both
// sides of it.
type Detour struct {
	Extra  int // hops more than before, -1 if no path is left
	Routes int // paths with the fewest hops that are left, which share no arc
}

// LinkDetour is the detour of the two ends of a link, from A to B, if it
// fails: link counts in the order of the links.
func LinkDetour(g Graph, link int) Detour {
	i := 0
	for l := range g.Links() {
		if i == link {
			lost := make([]bool, link+1)
			lost[link] = true
			return detour(NewCSR(&Failed{Graph: g, Link: append(lost, make([]bool, linksAfter(g, link))...)}), int(l.A), int(l.B), 1)
		}
		i++
	}
	return Detour{Extra: -1}
}

func linksAfter(g Graph, link int) int {
	n := -link - 1
	for range g.Links() {
		n++
	}
	return n
}

// NodeDetour is the detour from one vertex to another if a third fails.
func NodeDetour(g Graph, from, to, failed int) Detour {
	lost := make([]bool, Vertices(g))
	before := make([]int32, len(lost))
	HopDistances(NewCSR(g), from, before, nil)
	lost[failed] = true
	return detour(NewCSR(&Failed{Graph: g, Vertex: lost}), from, to, int(before[to]))
}

func detour(left *CSR, from, to, before int) Detour {
	dist := make([]int32, left.Vertices())
	HopDistances(left, from, dist, nil)
	if dist[to] < 0 {
		return Detour{Extra: -1}
	}
	return Detour{int(dist[to]) - before, DisjointPaths(left, from, to, DisjointOptions{Minimal: true})}
}
