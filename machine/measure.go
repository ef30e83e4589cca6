package machine

import (
	"context"

	"plenum/cabling"
	"plenum/catalog"
	"plenum/delay"
	"plenum/topology"
	"plenum/units"
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

// delayModel turns products into the media of the delay model: medium 0 is a
// trace, 1 a cable without product, and 2+i product i.
type delayModel struct {
	delay.Model
	of []uint8 // medium of each product, after the first two
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

// newDelayModel collects hop delays by kind and propagation by product.
func newDelayModel(p *Result) *delayModel {
	d := &p.Spec.Delay
	out := &delayModel{}
	for i, k := range p.Schedule.Kinds {
		hop := p.Schedule.Boxes[i].Part.Hop
		if k.Role == topology.Terminal {
			hop = 0 // a terminal passes nothing on
		}
		if own, ok := d.Hop["switch"]; ok && k.Role == topology.Switch {
			hop = own
		}
		if own, ok := d.Hop[k.Name]; ok {
			hop = own
		}
		out.Hop = append(out.Hop, hop)
	}
	index := map[delay.Medium]uint8{}
	add := func(m catalog.Medium, propagation units.Propagation, end units.Time) uint8 {
		if propagation == 0 {
			propagation = defaultPropagation(m)
		}
		if own, ok := replaced(d.Propagation, m); ok {
			propagation = own
		}
		if own, ok := replaced(d.Ends, m); ok {
			end = own
		}
		medium := delay.Medium{Name: string(m), Propagation: propagation, End: end}
		i, ok := index[medium]
		if !ok {
			i = uint8(len(out.Media))
			index[medium] = i
			out.Media = append(out.Media, medium)
		}
		return i
	}
	out.of = append(out.of, add(catalog.Trace, 0, 0), add(catalog.SingleMode, 0, 0))
	for _, product := range p.Schedule.Products {
		c := product.Part.Cable
		end := c.End
		if product.OpticA != nil {
			end += (product.OpticA.Optic.End + product.OpticB.Optic.End) / 2
		}
		out.of = append(out.of, add(c.Medium, c.Propagation, end))
	}
	return out
}

// medium returns the delay medium of a segment.
func (m *delayModel) medium(seg *cabling.Segment) uint8 {
	switch seg.Product {
	case cabling.IsTrace:
		return m.of[0]
	case cabling.NoProduct:
		return m.of[1]
	}
	return m.of[2+int(seg.Product)]
}

// measure computes the delays of links and of paths.
func (p *Result) measure(ctx context.Context, summary bool, progress func(string, int, int)) error {
	if summary {
		return nil
	}
	m := newDelayModel(p)
	links := delay.Links{}
	var within []uint8
	longest := int32(-1)
	for i := range p.Schedule.Segments {
		seg := &p.Schedule.Segments[i]
		if seg.Link != longest { // the first channel stands for the link
			longest = seg.Link
			links.Length = append(links.Length, float32(seg.Length))
			links.Medium = append(links.Medium, m.medium(seg))
			within = append(within, seg.Within)
		}
	}
	var err error
	if p.LevelDelay, err = delay.Levels(p.Graph, m.Model, links); err != nil {
		return err
	}
	var names []string
	for _, l := range p.Placement.Layout.Levels {
		names = append(names, l.Name)
	}
	if p.LayoutDelay, err = delay.Classes(p.Graph, m.Model, links, within, names); err != nil {
		return err
	}
	d := &p.Spec.Delay
	p.Delay, err = delay.Paths(ctx, p.Graph, topology.NewCSR(p.Graph), m.Model, links, delay.Options{
		Limit: d.ExactLimit, Sources: d.Samples, Seed: p.Spec.Embedding.Seed,
		Progress: func(done, total int) { progress("measuring delays", done, total) },
	})
	return err
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
		Exact: d.Exact, Sources: d.Sources, UnreachedPairs: d.Unreachable,
		Histogram: DelayHistogram{BinNs: round(float64(d.Histogram.Width)), Pairs: d.Histogram.Pairs},
	}
	if !d.Exact {
		r.HopsStdErr, r.NsStdErr = round(d.HopsStdErr), round(float64(d.LeastStdErr))
	}
	return r
}
