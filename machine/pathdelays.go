package machine

import (
	"cmp"
	"context"
	"crypto/sha256"
	"sync"

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

// routingSeed is that of what routing functions draw in a plan. It is that of the simulators where nothing else is
// given, so that their packets take the paths that the plan measures.
const routingSeed = 1

// measuring is what delays are measured of.
type measuring struct {
	*resolved
	placement *embed.Placement
	cables    *cabled
	extent    extent
	adjacent  []func() *topology.CSR // of each fabric, as packets see it
	progress  func(string, int, int)
	known     *known // nil where nothing is kept for further plans
}

// networks sums up the delays of links and, if that is asked for, measures those of the paths over them: of the
// machine, or of each of its fabrics where there are several.
func (m *measuring) networks(ctx context.Context) (Delays, []*Network, error) {
	s := m.cables.signals
	all := Delays{LevelDelay: s.Level, LayoutDelay: s.Within}
	joint, several := m.graph.(*fabrics.Machine)
	if !several {
		all.HopUnstated = m.delaysOf(0).unstatedHops(m.graph.Kinds(), m.boxes)
		if !m.extent.paths {
			return all, nil, nil
		}
		all.Model, all.Links = s.Model, s.Links
		err := m.paths(ctx, 0, func(v int) int { return v }, &all)
		return all, nil, err
	}
	all.HopUnstated = m.unstatedHops()
	var out []*Network
	for i, f := range m.fabrics {
		n := &Network{
			Name: f.name, Topology: m.spec.Fabrics[i].Topology, Graph: f.graph, Names: m.namesIn(f),
		}
		first, end := joint.FabricLevels(f.part)
		n.Counts = countsOf(f.graph, m.cables.schedule.Tallies[first:end])
		n.LevelDelay = s.Level[first:end]
		kinds, boxes, adapters := m.inMachine(f)
		for k, of := range f.kinds {
			if kinds[k].Role == topology.Switch {
				n.switches = append(n.switches, of)
			}
		}
		d := m.delaysOf(i)
		n.HopUnstated = d.unstatedHops(kinds, boxes)
		if m.extent.paths {
			n.Model, n.Links = delay.Model{Hop: d.hops(kinds, boxes, adapters), Media: s.Model.Media}, s.links[i]
			vertex := func(v int) int { return joint.Vertex(f.part, v) }
			if err := m.paths(ctx, i, vertex, &n.Delays); err != nil {
				return all, nil, err
			}
		}
		out = append(out, n)
	}
	return all, out, nil
}

// adjacent begins to find the neighbours in each fabric, where paths are to be measured: while cables are scheduled,
// one after the other, another core has nothing to do.
func (r *resolved) adjacent(e extent) []func() *topology.CSR {
	if !e.paths {
		return nil
	}
	var out []func() *topology.CSR
	for _, f := range r.fabrics {
		if o, ok := f.graph.(topology.Optical); ok {
			out = append(out, func() *topology.CSR { return topology.NewCSR(o.Logical()) })
			continue
		}
		of := sync.OnceValue(func() *topology.CSR { return topology.NewCSR(f.graph) })
		out = append(out, of)
		go of()
	}
	return out
}

// countsOf is topology.Count of a fabric, whose links were counted as they were cabled.
func countsOf(g topology.Graph, tallies [][]cabling.Tally) topology.Counts {
	c := topology.Counts{ByLevel: make([]int64, len(tallies))}
	for _, k := range g.Kinds() {
		if k.Role == topology.Switch {
			c.Switches += k.Count
		} else {
			c.Nodes += k.Count
		}
	}
	for level, within := range tallies {
		for i := range within {
			c.ByLevel[level] += within[i].Links
		}
		c.Links += c.ByLevel[level]
	}
	return c
}

// paths measures the delays of the paths of fabric i, of whose vertices the machine's are known.
func (m *measuring) paths(ctx context.Context, i int, vertex func(int) int, out *Delays) error {
	f := m.fabrics[i]
	if n := out.Links.Count(); n > topology.MaxLinks {
		return diag.Fieldf(f.path, "the delays of paths over %d links cannot be measured; the most is %d", n,
			topology.MaxLinks)
	}
	d, seed := m.delaysOf(i), m.spec.Embedding.Seed
	routing, from := d.spec.Routing, "delay.routing"
	if d.own.Routing != nil {
		routing, from = d.own.Routing, diag.Elem("fabrics", i)+"."+from
	}
	strict, samples := cmp.Or(d.own.ExactLimit, d.spec.ExactLimit), cmp.Or(d.own.Samples, d.spec.Samples)
	exact := cmp.Or(strict, DefaultExactLimit)
	options := func(stage string, limit int) delay.Options {
		o := delay.Options{
			Limit: limit, Sources: samples, Seed: seed,
			Progress: func(done, total int) { m.progress(stage, done, total) },
		}
		if samples == 0 {
			o.Sources, o.First, o.Within = DefaultSamples, FirstSamples, SampledWithin
		}
		return o
	}
	g, model, links := seen(f.graph, out.Model, out.Links)
	adjacent := m.adjacent[i]()
	all := options("measuring delays", exact)
	if strict == 0 {
		all.Work = delay.ModestWork
	}
	at := func(v int) [3]units.Length {
		q := m.placement.Layout.Position(m.placement.Slot[vertex(v)])
		return [3]units.Length{q.X, q.Y, q.Z}
	}
	some := options("measuring stretch", min(exact, stretchLimit))
	fresh := func() (*pathDelays, error) {
		var d pathDelays
		var err error
		d.delay, d.stretch, err = delay.PathsAndStretch(ctx, g, adjacent, model, links, at, all, some)
		return &d, err
	}
	var of delay.Inputs
	if m.known != nil {
		of = delay.InputsOf(g, adjacent, model, links, at, all, some)
	}
	measured, err := m.known.pathsOr(ctx, of, fresh)
	if err != nil {
		return ofDelay(err)
	}
	out.Delay, out.Stretch = measured.delay, measured.stretch
	out.Alpha, out.Beta = model.Typical(g, links)
	inputs := routedInputs{paths: of}
	for _, name := range routing {
		if name == spec.NoRouting {
			continue
		}
		if name == spec.OwnRouting {
			name = ""
		}
		if inputs.name = name; m.known != nil && inputs.network == [sha256.Size]byte{} {
			if inputs.network, err = networkSum(m.topologyOf(i), g); err != nil {
				return err
			}
		}
		routed, err := m.known.routedOr(ctx, inputs, func() (*delay.Routed, error) {
			o := options("following packets", 0)
			o.Seed = routingSeed
			return delay.MeasureRouted(ctx, g, name, model, links, o)
		})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil { // it does not fit the network, or takes too much
			return d.unrouted(from, err)
		}
		out.Routed = append(out.Routed, routed)
	}
	return nil
}

// topologyOf is the section of the machine file that a network by its number is made from.
func (m *measuring) topologyOf(i int) *topology.Spec {
	if len(m.spec.Fabrics) > 0 {
		return &m.spec.Fabrics[i].Topology
	}
	return &m.spec.Topology
}

// unrouted tells that a routing function, which the file has at a path, does not fit a network.
func (d delays) unrouted(path string, err error) error {
	if d.fabric != "" && d.own.Routing == nil {
		return diag.Fieldf(path, "%s: %v\ngive routing under delay in the fabrics that it is for", d.fabric, err)
	}
	return diag.Fieldf(path, "%v", err)
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
	if cabled.Count() == 0 { // a summary keeps none
		return logical, model, links
	}
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
