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
		r.HopsStdErr, r.NsStdErr = round(d.HopsStdErr), round(float64(d.LeastStdErr))
	}
	return r
}
