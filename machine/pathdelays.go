package machine

import (
	"context"
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/fabrics"
	"github.com/plenum-planner/plenum/units"
)

// stretchLimit is the number of vertices up to which the stretch is measured
// over all pairs.
const stretchLimit = 4096

// measuring is what delays are measured of.
type measuring struct {
	*resolved
	placement *embed.Placement
	signals   *signals
	extent    extent
	progress  func(string, int, int)
}

// networks sums up the delays of links and, if that is asked for, measures those of the paths over them: of the
// machine, or of each of its fabrics where there are several.
func (m *measuring) networks(ctx context.Context) (Delays, []*Network, error) {
	s := m.signals
	all := Delays{LevelDelay: s.Level, LayoutDelay: s.Within}
	all.HopUnstated = s.delays.unstatedHops(m.graph.Kinds(), m.boxes)
	joint, several := m.graph.(*fabrics.Machine)
	if !several {
		if !m.extent.paths {
			return all, nil, nil
		}
		all.Model, all.Links = s.Model, s.Links
		err := m.paths(ctx, m.fabrics[0], func(v int) int { return v }, &all)
		return all, nil, err
	}
	var out []*Network
	for i, f := range m.fabrics {
		n := &Network{
			Name: f.name, Topology: m.spec.Fabrics[i].Topology, Graph: f.graph, Census: topology.Count(f.graph),
		}
		first, end := joint.FabricLevels(f.part)
		n.LevelDelay = s.Level[first:end]
		boxes := make([]*cabling.Box, len(f.kinds))
		kinds := slices.Clone(f.graph.Kinds()) // those of the machine by name, which the file's delays are about
		for k, of := range f.kinds {
			boxes[k], kinds[k].Name = m.boxes[of], m.graph.Kinds()[of].Name
			if kinds[k].Role == topology.Switch {
				n.switches = append(n.switches, of)
			}
		}
		n.HopUnstated = s.delays.unstatedHops(kinds, boxes)
		if m.extent.paths {
			n.Model, n.Links = delay.Model{Hop: s.delays.hops(kinds, boxes), Media: s.Model.Media}, s.links[i]
			vertex := func(v int) int { return joint.Vertex(f.part, v) }
			if err := m.paths(ctx, f, vertex, &n.Delays); err != nil {
				return all, nil, err
			}
		}
		out = append(out, n)
	}
	return all, out, nil
}

// paths measures the delays of the paths of a network, of whose vertices the machine's are known.
func (m *measuring) paths(ctx context.Context, f *fabric, vertex func(int) int, out *Delays) error {
	if n := out.Links.Count(); n > topology.MaxLinks {
		return diag.Fieldf(f.path, "the delays of paths over %d links cannot be measured; the most is %d", n,
			topology.MaxLinks)
	}
	asked, seed := &m.spec.Delay, m.spec.Embedding.Seed
	options := func(stage string, limit int) delay.Options {
		return delay.Options{
			Limit: limit, Sources: asked.Samples, Seed: seed,
			Progress: func(done, total int) { m.progress(stage, done, total) },
		}
	}
	g, model, links := seen(f.graph, out.Model, out.Links)
	adjacent := topology.NewCSR(g)
	var err error
	all := options("measuring delays", asked.ExactLimit)
	if out.Delay, err = delay.Paths(ctx, g, adjacent, model, links, all); err != nil {
		return ofDelay(err)
	}
	at := func(v int) [3]units.Length {
		q := m.placement.Layout.Position(m.placement.Slot[vertex(v)])
		return [3]units.Length{q.X, q.Y, q.Z}
	}
	some := options("measuring stretch", min(asked.ExactLimit, stretchLimit))
	if out.Stretch, err = delay.MeasureStretch(ctx, g, adjacent, model, links, at, some); err != nil {
		return ofDelay(err)
	}
	out.Alpha, out.Beta = model.Typical(g, links)
	for _, name := range asked.Routing {
		if name == spec.OwnRouting {
			name = ""
		}
		routed, err := delay.MeasureRouted(ctx, g, name, model, links, options("following packets", 0))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil { // it does not fit the network, or takes too much
			return diag.Fieldf("delay.routing", "%v", err)
		}
		out.Routed = append(out.Routed, routed)
	}
	return nil
}

// seen is the graph that packets see, with the delays of its links. Light passes a circuit switch without delay: two
// cables that it joins are one link of both their lengths, with the ends of the first.
func seen(g topology.Graph, model delay.Model, cabled delay.Links) (topology.Graph, delay.Model, delay.Links) {
	o, ok := g.(topology.Optical)
	if !ok {
		return g, model, cabled
	}
	logical := o.Logical()
	model.Hop = model.Hop[:len(logical.Kinds())]
	var links delay.Links
	for cables := range logical.Cables() {
		length, medium := cabled.At(int(cables[0]))
		if cables[1] >= 0 {
			second, _ := cabled.At(int(cables[1]))
			length += second
		}
		links.Add(length, uint8(medium))
	}
	return logical, model, links
}

// ofDelay tells mistakes in what delays are measured of as those of the section.
func ofDelay(err error) error {
	if diag.Fields(err) == nil {
		return err
	}
	return diag.Under("delay", err)
}
