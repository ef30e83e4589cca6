package report

import (
	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/units"
)

// NewDelay reports the delays of paths. It is nil where none were measured.
func NewDelay(d *delay.Result, stretch *delay.Stretch, routed []*delay.Routed, alpha units.Time,
	beta units.Propagation, hopUnstated []Unstated,
) *Delay {
	if d == nil {
		return nil
	}
	r := &Delay{
		HopsMean: Round(d.HopsMean), HopsMax: d.HopsMax,
		PathMean: Round(d.PathMean), PathMax: Round(d.PathMax),
		NsMean: Round(d.LeastMean), NsMax: Round(d.LeastMax),
		NsPathsMean: Round(d.AverageMean), NsPathsMax: Round(d.AverageMax),
		NsP50: Round(d.P50), NsP90: Round(d.P90), NsP99: Round(d.P99),
		NsFastestMean: Round(d.FastestMean), NsFastestMax: Round(d.FastestMax), DetourPairs: d.Detours,
		Exact: d.Exact, Sources: d.Sources, UnreachedPairs: d.Unreachable,
		Histogram: DelayHistogram{BinNs: Round(d.Histogram.Width), Pairs: d.Histogram.Pairs},
	}
	mean, most := d.Reach().D(alpha, beta)
	r.HopUnstated, r.Definition = hopUnstated, Definition{Beta: Round(beta)}
	if len(hopUnstated) == 0 {
		roundAll(&alpha, &mean, &most)
		r.Definition.Alpha, r.Definition.NsMean, r.Definition.NsMax = &alpha, &mean, &most
	}
	if stretch != nil {
		r.Stretch = *stretch
		roundAll(&r.Stretch.Mean, &r.Stretch.Total, &r.Stretch.Max, &r.Stretch.MeanStdErr)
	}
	r.Routed = []delay.Routed{}
	for _, k := range routed {
		own := *k
		own.HopsMean = Round(own.HopsMean)
		roundAll(&own.PathMean, &own.PathMax)
		roundAll(&own.Mean, &own.Max, &own.PairMax, &own.StdErr)
		r.Routed = append(r.Routed, own)
	}
	if !d.Exact {
		r.HopsStdErr, r.NsStdErr = Round(d.HopsStdErr), Round(d.LeastStdErr)
	}
	return r
}

// AtLeast reports whether the delays are lower bounds, as some parts state no hop delay.
func (d *Delay) AtLeast() bool { return d != nil && len(d.HopUnstated) > 0 }
