package delay_test

import (
	"context"
	"math"
	"testing"

	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// The mean and the greatest delay over all pairs are those that MeasureRouted finds.
func TestPairsAreThoseOfRoutedPaths(t *testing.T) {
	for _, spec := range []topology.Params{
		topology.Torus{Dims: topology.Ints{4, 3}},
		topology.ThinTree{Down: 4, Up: 3, Levels: 2},
		topology.Dragonfly{P: 2, A: 4, H: 2},
	} {
		g, err := topology.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		m := delay.Model{Media: []delay.Medium{{Propagation: 5}, {Propagation: 4, End: 30}}}
		for i := range g.Kinds() {
			m.Hop = append(m.Hop, units.Time(10*i+90))
		}
		var l delay.Links
		i := 0
		for range g.Links() {
			l.Add(units.Length(i%7)+0.5, uint8(i%2))
			i++
		}
		want, err := delay.MeasureRouted(context.Background(), g, "", m, l, delay.Options{})
		if err != nil {
			t.Fatal(err)
		}
		n, err := routing.NewNetwork(g)
		if err != nil {
			t.Fatal(err)
		}
		f, err := routing.New(n, "", routing.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := delay.NewPairs(n, f, m, l, 0)
		if err != nil {
			t.Fatal(err)
		}
		var sum, most float64
		for a := range int32(n.Terminals()) {
			for b := range int32(n.Terminals()) {
				d, err := p.Between(a, b)
				if err != nil || a == b && d != 0 {
					t.Fatal(a, b, d, err)
				}
				sum, most = sum+float64(d), max(most, float64(d))
			}
		}
		mean := sum / float64(n.Terminals()*(n.Terminals()-1))
		if math.Abs(mean-float64(want.Mean)) > 1e-6 || math.Abs(most-float64(want.Max)) > 1e-6 {
			t.Errorf("%T: mean %g and most %g, routed %g and %g", spec, mean, most, float64(want.Mean),
				float64(want.Max))
		}
	}
}
