package loggops_test

import (
	"context"
	"testing"

	"github.com/plenum-planner/plenum/sim/goal"
	"github.com/plenum-planner/plenum/sim/loggops"
	"github.com/plenum-planner/plenum/units"
)

// uneven is a latency that differs from pair to pair, as planned ones do.
func uneven(src, dst int32) (units.Time, error) {
	h := uint64(src)*0x9e3779b97f4a7c15 ^ uint64(dst)*0xc2b2ae3d27d4eb4f
	h ^= h >> 29
	return 500 + units.Time(h%3_000_000)/1000, nil
}

func BenchmarkPlay(b *testing.B) {
	for _, c := range []struct {
		pattern string
		ranks   int
		latency loggops.Latency
		name    string
	}{
		{"dissemination", 65536, loggops.Constant(2500), "constant"},
		{"dissemination", 65536, uneven, "uneven"},
		{"linear-all-to-all", 1024, loggops.Constant(2500), "constant"},
		{"linear-all-to-all", 1024, uneven, "uneven"},
	} {
		b.Run(c.pattern+"/"+c.name, func(b *testing.B) {
			s, err := goal.NewPattern(c.pattern, c.ranks, 8)
			if err != nil {
				b.Fatal(err)
			}
			var wall, prepare, events float64
			for b.Loop() {
				r, err := loggops.Play(context.Background(), s,
					loggops.Options{Params: loggops.DefaultParams(), Latency: c.latency})
				if err != nil {
					b.Fatal(err)
				}
				wall, prepare = wall+float64(r.Wall), prepare+float64(r.Prepared)
				events += float64(r.Events)
			}
			b.ReportMetric(events/wall/1e6, "Mevents/s")
			b.ReportMetric(events/(wall+prepare)/1e6, "Mevents/s-all")
		})
	}
}
