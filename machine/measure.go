package machine

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Delays of media that no part states.
const (
	// tracePropagation is of a stripline on common board material with a
	// relative permittivity of 4: sqrt(4)/c.
	tracePropagation  units.Propagation = 6.67
	copperPropagation units.Propagation = 4.5
	fibrePropagation  units.Propagation = 5
)

// defaultPropagation is used where a cable part states none.
func defaultPropagation(m catalog.Medium) units.Propagation {
	switch m {
	case catalog.Trace:
		return tracePropagation
	case catalog.PassiveCopper, catalog.ActiveCopper:
		return copperPropagation
	}
	return fibrePropagation
}

// delays measures links as they are scheduled.
type delays struct {
	spec  *Delay
	model delay.Model
	index map[delay.Medium]uint8 // in model.Media
	// kinds holds the last vertex of each kind.
	kinds         []int32
	trace, unmade uint8   // media of traces and of cables without a product
	product       []uint8 // media of products
	level, layout []delay.Class
	cables        []CableLengths // of each medium of the model; traces have none
	links         delay.Links    // of every link, where paths will be measured
	keep          bool
	last          int32
	cable         int32 // number of the last one
	way           patchedWay
	patched       map[[2]int16]uint8 // media by the products of the cords
	err           error
}

// replaced looks a medium up in a table of the machine file, by its own name
// first, then by the groups it belongs to.
func replaced[T any](table map[string]T, m catalog.Medium) (T, bool) {
	if v, ok := table[string(m)]; ok {
		return v, true
	}
	for _, group := range []string{"copper", "fibre", "optical", "any"} {
		for _, member := range catalog.MediumAliases[group] {
			if v, ok := table[group]; ok && member == m {
				return v, true
			}
		}
	}
	var none T
	return none, false
}

// newDelays collects the hop delays of the kinds. Links are kept if keep is
// set.
func newDelays(r *resolved, l *layout.Layout, keep bool) *delays {
	d := &delays{
		spec: &r.spec.Delay, index: map[delay.Medium]uint8{}, keep: keep, last: -1,
		level:  make([]delay.Class, len(r.graph.Levels())),
		layout: make([]delay.Class, len(l.Levels)),
	}
	for i, k := range r.graph.Kinds() {
		hop := r.boxes[i].Part.Hop
		if k.Role == topology.Terminal {
			hop = 0 // a terminal passes nothing on
		}
		if own, ok := d.spec.Hop["switch"]; ok && k.Role == topology.Switch {
			hop = own
		}
		if own, ok := d.spec.Hop[k.Name]; ok {
			hop = own
		}
		d.model.Hop = append(d.model.Hop, hop)
		d.kinds = append(d.kinds, int32(k.First+k.Count-1))
	}
	d.trace = d.medium(d.spec.mediumOf(catalog.Trace, 0, 0))
	d.unmade = d.medium(d.spec.mediumOf(catalog.SingleMode, 0, 0))
	return d
}

// mediumOf is the delays of a medium, with what the machine file replaces.
func (s *Delay) mediumOf(m catalog.Medium, propagation units.Propagation, end units.Time) delay.Medium {
	if propagation == 0 {
		propagation = defaultPropagation(m)
	}
	if own, ok := replaced(s.Propagation, m); ok {
		propagation = own
	}
	if own, ok := replaced(s.Ends, m); ok {
		end = own
	}
	return delay.Medium{Name: string(m), Propagation: propagation, End: end}
}

// cableMedium is that of a cable with its optics.
func (s *Delay) cableMedium(p *cabling.Product) delay.Medium {
	end := p.Part.Cable.End
	for _, o := range []*catalog.Part{p.OpticA, p.OpticB} { // one of them is missing where a panel is
		if o != nil {
			end += o.Optic.End / 2
		}
	}
	return s.mediumOf(p.Part.Cable.Medium, p.Part.Cable.Propagation, end)
}

// linkDelay is that of a link before its boxes have places, without the boxes.
func (s *Delay) linkDelay(m *cabling.Measured) units.Time {
	length := m.Length
	var medium delay.Medium
	switch {
	case m.Trace:
		medium = s.mediumOf(catalog.Trace, 0, 0)
	case m.Product == nil:
		medium = s.mediumOf(catalog.SingleMode, 0, 0)
	default:
		medium = s.cableMedium(m.Product)
		if s.Length == Stocked {
			length = m.Product.Length
		}
	}
	return 2*medium.End + units.Time(float64(length)*float64(medium.Propagation))
}

// SetHop gives every kind of vertex that passes messages on the same hop delay.
func (s *Spec) SetHop(alpha units.Time) error {
	g, err := topology.New(s.Topology)
	if err != nil {
		return err
	}
	s.Delay.Hop = map[string]units.Time{}
	for _, k := range g.Kinds() {
		if k.Role != topology.Terminal {
			s.Delay.Hop[k.Name] = alpha
		}
	}
	return nil
}

// SetPropagation gives all links the same propagation delay and none at their
// ends.
func (s *Spec) SetPropagation(beta units.Propagation) {
	s.Delay.Propagation, s.Delay.Ends = map[string]units.Propagation{}, map[string]units.Time{}
	for _, m := range append(slices.Clone(catalog.Media), catalog.Trace) {
		s.Delay.Propagation[string(m)], s.Delay.Ends[string(m)] = beta, 0
	}
}

// medium numbers a medium.
func (d *delays) medium(medium delay.Medium) uint8 {
	i, ok := d.index[medium]
	if !ok {
		if len(d.model.Media) > math.MaxUint8 {
			d.err = fmt.Errorf("cables of more than %d different delays", math.MaxUint8)
			return 0
		}
		i = uint8(len(d.model.Media))
		d.index[medium] = i
		d.model.Media = append(d.model.Media, medium)
		d.cables = append(d.cables, CableLengths{Medium: catalog.Medium(medium.Name)})
	}
	return i
}

// of returns the medium of a segment.
func (d *delays) of(s *cabling.Schedule, seg *cabling.Segment) uint8 {
	switch seg.Product {
	case cabling.IsTrace:
		return d.trace
	case cabling.NoProduct:
		return d.unmade
	}
	for i := len(d.product); i <= int(seg.Product); i++ {
		d.product = append(d.product, d.medium(d.spec.cableMedium(&s.Products[i])))
	}
	return d.product[seg.Product]
}

func (d *delays) kind(v int32) int {
	for i, last := range d.kinds {
		if v <= last {
			return i
		}
	}
	return -1
}

// visit is called with every segment.
func (d *delays) visit(s *cabling.Schedule, seg *cabling.Segment) {
	medium := d.of(s, seg)
	length := seg.Length
	if d.spec.Length == Stocked && seg.Product >= 0 {
		length = s.Products[seg.Product].Length
	}
	if seg.Cable > d.cable { // cables are numbered as they come up: a shared one counts once
		d.cable = seg.Cable
		d.cables[medium].add(seg.Length)
	}
	from, within := seg.A, seg.Within
	switch {
	case s.Panel(seg.A) < 0 && s.Panel(seg.B) >= 0:
		d.way = patchedWay{from: seg.A, length: length, product: seg.Product}
		return
	case s.Panel(seg.B) >= 0:
		d.way.length += length
		d.way.within = seg.Within
		return
	case s.Panel(seg.A) >= 0:
		from, within = d.way.from, d.way.within
		length = (d.way.length + length).Round4()
		medium = d.overPanels(s, d.way.product, seg.Product)
	}
	ns := d.model.Link(length, int(medium), d.kind(from), d.kind(seg.B))
	d.level[seg.Level].Add(ns)
	d.layout[within].Add(ns)
	if d.keep && seg.Link != d.last { // the first channel stands for the link
		d.last = seg.Link
		d.links.Length = append(d.links.Length, float32(length))
		d.links.Medium = append(d.links.Medium, medium)
	}
}

// patchedWay is the way of a link over panels so far.
type patchedWay struct {
	from    int32 // vertex
	within  uint8
	product int16 // of the first cord
	length  units.Length
}

// overPanels returns the medium of a link over panels whose cords are of the given
// products: cords and trunk delay a signal alike, and there is an optic at either
// end.
func (d *delays) overPanels(s *cabling.Schedule, a, b int16) uint8 {
	if a < 0 || b < 0 {
		return d.unmade
	}
	key := [2]int16{a, b}
	medium, ok := d.patched[key]
	if !ok {
		whole := s.Products[a]
		whole.OpticB = s.Products[b].OpticB
		medium = d.medium(d.spec.cableMedium(&whole))
		if d.patched == nil {
			d.patched = map[[2]int16]uint8{}
		}
		d.patched[key] = medium
	}
	return medium
}

// CableLengths is about the cables of one medium: the lengths that they need.
type CableLengths struct {
	Medium catalog.Medium
	Cables int64
	Metres units.Length
	Spread delay.Spread
}

func (c *CableLengths) add(length units.Length) {
	c.Cables++
	c.Metres += length
	c.Spread.Add(float64(length))
}

// byMedium merges what differs in delay only, in the order of the catalog's
// media.
func (d *delays) byMedium() []CableLengths {
	var out []CableLengths
	for _, medium := range catalog.Media {
		all := CableLengths{Medium: medium}
		for i := range d.cables {
			if c := &d.cables[i]; c.Medium == medium {
				all.Cables += c.Cables
				all.Metres += c.Metres
				all.Spread.Merge(&c.Spread)
			}
		}
		if all.Cables > 0 {
			out = append(out, all)
		}
	}
	return out
}

// stretchLimit is the number of vertices up to which the stretch is measured
// over all pairs.
const stretchLimit = 4096

// measurePaths computes the delays of paths from those of the links.
func (p *Result) measurePaths(ctx context.Context, d *delays, progress func(string, int, int)) (err error) {
	if n := len(d.links.Length); n > topology.MaxLinks {
		return fmt.Errorf("the delays of paths over %d links cannot be measured; the most is %d", n, topology.MaxLinks)
	}
	p.Model, p.Links = d.model, d.links
	adjacent := topology.NewCSR(p.Graph)
	p.Delay, err = delay.Paths(ctx, p.Graph, adjacent, d.model, d.links, delay.Options{
		Limit: d.spec.ExactLimit, Sources: d.spec.Samples, Seed: p.Spec.Embedding.Seed,
		Progress: func(done, total int) { progress("measuring delays", done, total) },
	})
	if err != nil {
		return err
	}
	at := func(v int) [3]float64 {
		q := p.Placement.Layout.Position(p.Placement.Slot[v])
		return [3]float64{q.X, q.Y, q.Z}
	}
	p.Stretch, err = delay.MeasureStretch(ctx, p.Graph, adjacent, d.model, d.links, at, delay.Options{
		Limit: min(d.spec.ExactLimit, stretchLimit), Sources: d.spec.Samples, Seed: p.Spec.Embedding.Seed,
		Progress: func(done, total int) { progress("measuring stretch", done, total) },
	})
	if err != nil {
		return err
	}
	p.Alpha, p.Beta = d.typical(p.Graph)
	for _, name := range d.spec.Routing {
		if name == OwnRouting {
			name = ""
		}
		r, err := delay.MeasureRouted(ctx, p.Graph, name, d.model, d.links, delay.Options{
			Sources: d.spec.Samples, Seed: p.Spec.Embedding.Seed,
			Progress: func(done, total int) { progress("following packets", done, total) },
		})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil { // it does not fit the network, or takes too much
			return p.Spec.refuse("delay.routing", "%v", err)
		}
		p.Routed = append(p.Routed, r)
	}
	return nil
}

// OwnRouting stands for the usual routing function of the topology's family.
const OwnRouting = "own"

// RoutingNames are the words that a machine file may use.
func RoutingNames() []string {
	names := []string{OwnRouting}
	for _, f := range routing.Functions() {
		names = append(names, f.Name)
	}
	return names
}

// typical is one hop delay and one propagation delay that stand for all.
func (d *delays) typical(g topology.Graph) (units.Time, units.Propagation) {
	kinds := g.Kinds()
	passes := make([]int64, len(kinds)) // ends of links at vertices that pass on
	for l := range g.Links() {
		for _, v := range [2]int32{l.A, l.B} {
			if kind := d.kind(v); kinds[kind].Role != topology.Terminal {
				passes[kind]++
			}
		}
	}
	return d.model.Typical(passes, d.links)
}

// delayReport is nil where no paths were measured.
func (p *Result) delayReport() *DelayReport {
	d := p.Delay
	if d == nil {
		return nil
	}
	r := &DelayReport{
		HopsMean: round(d.HopsMean), HopsMax: d.HopsMax,
		PathMean: round(float64(d.PathMean)), PathMax: round(float64(d.PathMax)),
		NsMean: round(float64(d.LeastMean)), NsMax: round(float64(d.LeastMax)),
		NsPathsMean: round(float64(d.AverageMean)), NsPathsMax: round(float64(d.AverageMax)),
		NsP50: round(float64(d.P50)), NsP90: round(float64(d.P90)), NsP99: round(float64(d.P99)),
		NsFastestMean: round(float64(d.FastestMean)), NsFastestMax: round(float64(d.FastestMax)), DetourPairs: d.Detours,
		Exact: d.Exact, Sources: d.Sources, UnreachedPairs: d.Unreachable,
		Histogram: DelayHistogram{BinNs: round(float64(d.Histogram.Width)), Pairs: d.Histogram.Pairs},
	}
	mean, most := d.Reach().D(p.Alpha, p.Beta)
	r.Definition = DefinitionReport{
		Alpha: round(float64(p.Alpha)), Beta: round(float64(p.Beta)),
		NsMean: round(float64(mean)), NsMax: round(float64(most)),
	}
	if s := p.Stretch; s != nil {
		r.Stretch = StretchReport{
			Mean: round(s.Mean), Total: round(s.Total), Max: round(s.Max),
			Exact: s.Exact, Sources: s.Sources, StdErr: round(s.MeanStdErr),
		}
	}
	r.Routed = []RoutedReport{}
	for _, k := range p.Routed {
		r.Routed = append(r.Routed, RoutedReport{
			Routing: k.Routing, HopsMean: round(k.HopsMean), HopsMax: k.HopsMax,
			PathMean: round(float64(k.PathMean)), PathMax: round(float64(k.PathMax)),
			NsMean: round(float64(k.Mean)), NsMax: round(float64(k.Max)), NsPairMax: round(float64(k.PairMax)),
			Exact: k.Exact, Sources: k.Sources, NsStdErr: round(float64(k.StdErr)), Undelivered: k.Undelivered,
		})
	}
	if !d.Exact {
		r.HopsStdErr, r.NsStdErr = round(d.HopsStdErr), round(float64(d.LeastStdErr))
	}
	return r
}
