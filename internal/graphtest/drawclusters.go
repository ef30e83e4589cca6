package graphtest

import (
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/clusters"
)

// The functions of this file draw parameters of the families of package topology/clusters. Some parameters are small
// enough for the limits of tests but contradict each other, so that topology.New refuses them: Member and Network draw
// again then.

// maybe draws a parameter from 1 to most or, in two of three draws, 0 for a parameter that is left out.
func maybe(t *rapid.T, name string, most int) int {
	if rapid.IntRange(0, 2).Draw(t, "give "+name) > 0 {
		return 0
	}
	return rapid.IntRange(1, most).Draw(t, name)
}

func drawAccess(t *rapid.T) clusters.Access {
	return clusters.Access{
		Nodes:    rapid.IntRange(1, 100).Draw(t, "nodes"),
		Down:     rapid.IntRange(0, 20).Draw(t, "down"),
		Switches: maybe(t, "switches", 30),
		Uplinks:  rapid.IntRange(0, 3).Draw(t, "uplinks"),
		Spread:   rapid.Bool().Draw(t, "spread"),
	}
}

func drawLeafPair(t *rapid.T) clusters.LeafPair {
	return clusters.LeafPair{
		Nodes:     rapid.IntRange(1, 60).Draw(t, "nodes"),
		Down:      rapid.IntRange(0, 20).Draw(t, "down"),
		Links:     rapid.IntRange(0, 4).Draw(t, "links"),
		Pairs:     maybe(t, "pairs", 12),
		PeerLinks: rapid.IntRange(0, 5).Draw(t, "peer links"),
	}
}

func drawLeafSpine(t *rapid.T) clusters.LeafSpine {
	s := clusters.LeafSpine{
		Nodes:  rapid.IntRange(1, 200).Draw(t, "nodes"),
		Rails:  maybe(t, "rails", 4),
		Links:  maybe(t, "links", 3),
		Planes: maybe(t, "planes", 3),
		Up:     rapid.IntRange(1, 12).Draw(t, "up"),
	}
	each := max(s.Rails, 1) * max(s.Planes, 1)
	if rapid.Bool().Draw(t, "give leaves") {
		s.Leaves = each * rapid.IntRange(1, 16).Draw(t, "units")
	} else {
		s.Down = rapid.IntRange(1, 24).Draw(t, "down")
	}
	if rapid.Bool().Draw(t, "three tiers") {
		s.Pods, s.SpineUp = maybe(t, "pods", 5), rapid.IntRange(1, 8).Draw(t, "spine up")
		s.Cores = max(s.Planes, 1) * rapid.IntRange(1, 6).Draw(t, "cores")
	}
	s.Spines = max(s.Planes, 1) * max(s.Pods, 1) * rapid.IntRange(1, s.Up).Draw(t, "spines")
	if rapid.IntRange(0, 3).Draw(t, "directors") == 0 {
		fabric := rapid.IntRange(1, 4).Draw(t, "fabric")
		s.Director = topology.Ints{
			rapid.IntRange(1, 8).Draw(t, "line cards"), fabric + rapid.IntRange(0, 5).Draw(t, "more"), fabric,
		}
	}
	return s
}

func drawZCube(t *rapid.T) clusters.ZCube {
	return clusters.ZCube{Side: rapid.IntRange(1, 16).Draw(t, "side"), Links: rapid.IntRange(0, 3).Draw(t, "links")}
}

func drawHexagonalTorus(t *rapid.T) clusters.HexagonalTorus {
	side := rapid.IntRange(1, 12)
	return clusters.HexagonalTorus{
		Dims: topology.Ints{side.Draw(t, "x"), side.Draw(t, "y")}, Triads: rapid.Bool().Draw(t, "triads"),
		Terminals: drawTerminals(t),
	}
}

func drawCrayDragonfly(t *rapid.T) clusters.CrayDragonfly {
	n := func(name string, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(t, name) }
	list := func(name string, length, hi int) topology.Ints {
		return rapid.SliceOfN(rapid.IntRange(1, hi), length, length).Draw(t, name)
	}
	rank := n("rank", 1, 2)
	s := clusters.CrayDragonfly{
		Dims: list("dims", rank, 5), Terminals: n("terminals", 1, 3), Groups: n("groups", 1, 12),
		Arrangement: rapid.SampledFrom([]string{"", "absolute", "relative", "circulant"}).Draw(t, "arrangement"),
	}
	if rapid.Bool().Draw(t, "wide") {
		s.Widths = list("widths", rank, 3)
	}
	if others := n("others", 0, 2); others > 0 && rapid.Bool().Draw(t, "kinds") {
		s.OtherGroups = list("other groups", others, 4)
		if rapid.Bool().Draw(t, "sizes") {
			s.OtherDims, s.OtherTerminals = list("other dims", others*rank, 4), list("other terminals", others, 2)
		}
		s.PairLinks = list("pair links", (others+1)*(others+2)/2, 9)
		return s
	}
	s.LinksPerPair = n("links per pair", 0, 9)
	return s
}

func drawOCSTorus(t *rapid.T) clusters.OCSTorus {
	s := clusters.OCSTorus{Side: rapid.SampledFrom([]int{2, 2, 3, 4, 0}).Draw(t, "side")}
	side := s.Side
	if side == 0 {
		side = 4
	}
	for _, n := range rapid.SliceOfN(rapid.IntRange(1, 3), 1, 3).Draw(t, "cubes") {
		s.Dims = append(s.Dims, side*n)
	}
	s.Twist = rapid.Bool().Draw(t, "twist") && len(s.Dims) > 1
	return s
}
