package machine

import "github.com/plenum-planner/plenum/delay"

// delayReport is nil where no paths were measured.
func (p *Result) delayReport() *DelayReport {
	d := p.Delay
	if d == nil {
		return nil
	}
	r := &DelayReport{
		HopsMean: round(d.HopsMean), HopsMax: d.HopsMax,
		PathMean: round(d.PathMean), PathMax: round(d.PathMax),
		NsMean: round(d.LeastMean), NsMax: round(d.LeastMax),
		NsPathsMean: round(d.AverageMean), NsPathsMax: round(d.AverageMax),
		NsP50: round(d.P50), NsP90: round(d.P90), NsP99: round(d.P99),
		NsFastestMean: round(d.FastestMean), NsFastestMax: round(d.FastestMax), DetourPairs: d.Detours,
		Exact: d.Exact, Sources: d.Sources, UnreachedPairs: d.Unreachable,
		Histogram: DelayHistogram{BinNs: round(d.Histogram.Width), Pairs: d.Histogram.Pairs},
	}
	mean, most := d.Reach().D(p.Alpha, p.Beta)
	r.Definition = DefinitionReport{
		Alpha: round(p.Alpha), Beta: round(p.Beta),
		NsMean: round(mean), NsMax: round(most),
	}
	if s := p.Stretch; s != nil {
		r.Stretch = *s
		roundAll(&r.Stretch.Mean, &r.Stretch.Total, &r.Stretch.Max, &r.Stretch.MeanStdErr)
	}
	r.Routed = []delay.Routed{}
	for _, k := range p.Routed {
		own := *k
		own.HopsMean = round(own.HopsMean)
		roundAll(&own.PathMean, &own.PathMax)
		roundAll(&own.Mean, &own.Max, &own.PairMax, &own.StdErr)
		r.Routed = append(r.Routed, own)
	}
	if !d.Exact {
		r.HopsStdErr, r.NsStdErr = round(d.HopsStdErr), round(d.LeastStdErr)
	}
	return r
}
