package machine

import (
	"context"

	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// stretchLimit is the number of vertices up to which the stretch is measured
// over all pairs.
const stretchLimit = 4096

// measurePaths sums up the delays of links and, if that is asked for, measures those of
// the paths over them.
func measurePaths(ctx context.Context, r *resolved, pl *embed.Placement, s *signals, e extent,
	progress func(string, int, int),
) (Delays, error) {
	out := Delays{LevelDelay: s.Level, LayoutDelay: s.Within}
	out.HopUnstated = s.delays.unstatedHops(r.graph.Kinds(), r.boxes)
	if !e.paths {
		return out, nil
	}
	if n := s.Links.Count(); n > topology.MaxLinks {
		return out, diag.Fieldf("topology", "the delays of paths over %d links cannot be measured; the most is %d", n,
			topology.MaxLinks)
	}
	out.Model, out.Links = s.Model, s.Links
	asked, seed := &r.spec.Delay, r.spec.Embedding.Seed
	options := func(stage string, limit int) delay.Options {
		return delay.Options{
			Limit: limit, Sources: asked.Samples, Seed: seed,
			Progress: func(done, total int) { progress(stage, done, total) },
		}
	}
	adjacent := topology.NewCSR(r.graph)
	var err error
	all := options("measuring delays", asked.ExactLimit)
	if out.Delay, err = delay.Paths(ctx, r.graph, adjacent, out.Model, out.Links, all); err != nil {
		return out, ofDelay(err)
	}
	at := func(v int) [3]units.Length {
		q := pl.Layout.Position(pl.Slot[v])
		return [3]units.Length{q.X, q.Y, q.Z}
	}
	some := options("measuring stretch", min(asked.ExactLimit, stretchLimit))
	if out.Stretch, err = delay.MeasureStretch(ctx, r.graph, adjacent, out.Model, out.Links, at, some); err != nil {
		return out, ofDelay(err)
	}
	out.Alpha, out.Beta = out.Model.Typical(r.graph, out.Links)
	for _, name := range asked.Routing {
		if name == spec.OwnRouting {
			name = ""
		}
		routed, err := delay.MeasureRouted(ctx, r.graph, name, out.Model, out.Links, options("following packets", 0))
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if err != nil { // it does not fit the network, or takes too much
			return out, diag.Fieldf("delay.routing", "%v", err)
		}
		out.Routed = append(out.Routed, routed)
	}
	return out, nil
}

// ofDelay tells mistakes in what delays are measured of as those of the section.
func ofDelay(err error) error {
	if diag.Fields(err) == nil {
		return err
	}
	return diag.Under("delay", err)
}
