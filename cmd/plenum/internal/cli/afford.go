package cli

import (
	"context"
	"math"
	"runtime"

	"github.com/plenum-planner/plenum/budget"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/topology"
)

// Afford refuses work that takes more than the budget of the context.
func Afford(ctx context.Context, n budget.Need, format string, args ...any) error {
	if err := budget.Check(ctx, runtime.GOMAXPROCS(0), n, format, args...); err != nil {
		return InputError(err)
	}
	return nil
}

// OpNeed is what an operation of a schedule takes at least in a simulation.
var OpNeed = budget.Need{Bytes: 100, Seconds: 0.5e-6}

// PerGraph is the memory needed for each vertex and each link of a graph, and besides.
type PerGraph struct{ Vertex, Link, Besides budget.Need }

// Afford refuses a graph that is too large for what is to be done with it, before anything is made of it. Links are
// counted no further than they are within the budget.
func (p PerGraph) Afford(ctx context.Context, what string, g topology.Graph) error {
	n := topology.Vertices(g)
	need := p.Vertex.Times(float64(n)).Plus(p.Besides)
	vertices := english.Grouped(int64(n)) + " vertices"
	if err := Afford(ctx, need, "%s %s", what, vertices); err != nil {
		return err
	}
	links, more := p.most(ctx, need), "more than "
	switch _, counted := g.(topology.Counted); {
	case links == math.MaxInt64:
		return nil
	case counted:
		links, more = 0, ""
		for _, channels := range topology.Channels(g) {
			links += channels
		}
	case topology.AtMostLinks(g, links):
		return nil
	}
	need = need.Plus(p.Link.Times(float64(links)))
	if more != "" {
		need = need.Plus(p.Link) // for the first that is one too many
	}
	return Afford(ctx, need, "%s %s and %s%s", what, vertices, more, english.Count(links, "link"))
}

// most is how many links the budget allows beside a need.
func (p PerGraph) most(ctx context.Context, n budget.Need) int64 {
	b := budget.Of(ctx)
	most := math.Inf(1)
	if b.Memory > 0 && p.Link.Bytes > 0 {
		most = (float64(b.Memory) - n.Bytes) / p.Link.Bytes
	}
	if b.Time > 0 && p.Link.Seconds > 0 {
		most = min(most, (b.Time.Seconds()*float64(runtime.GOMAXPROCS(0))-n.Seconds)/p.Link.Seconds)
	}
	if most >= math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(most)
}
