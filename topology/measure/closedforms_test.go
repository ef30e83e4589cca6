package measure_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/clusters"
	"github.com/plenum-planner/plenum/topology/measure"
)

// closed measures a graph as if it were too large for its links to be walked.
func closed(g topology.Graph) (*measure.Metrics, error) {
	return measure.Measure(context.Background(), g,
		measure.MeasureOptions{Metrics: []measure.Metric{measure.MetricHops}, MaxVertices: 1})
}

// TestClosedForms: what is worked out from closed forms is what searches find.
func TestClosedForms(t *testing.T) {
	answered := make(map[string]int)
	for _, f := range topology.Families() {
		t.Run(f.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				_, g := graphtest.Member(t, f.Name, 600)
				if topology.Vertices(g) < 2 {
					return
				}
				got, err := closed(g)
				if tooMany := new(measure.TooManyVerticesError); errors.As(err, &tooMany) {
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				answered[f.Name]++
				want, err := measure.Measure(context.Background(), g,
					measure.MeasureOptions{Metrics: []measure.Metric{measure.MetricHops}})
				if err != nil {
					t.Fatal(err)
				}
				compareMetrics(t, got, want)
			})
		})
	}
	least := 10
	if testing.Short() {
		least = 1 // of a fifth of the draws
	}
	for _, name := range []string{
		"torus", "mesh", "hypercube", "hyperx", "flattened-butterfly", "k-ary-n-tree", "thin-tree", "dragonfly",
		"dcell",
		"slim-fly",
	} {
		if answered[name] < least {
			t.Errorf("closed forms of only %d members of %s", answered[name], name)
		}
	}
}

// compareMetrics compares the figures of got, those left out aside, with those of want.
func compareMetrics(t graphtest.T, got, want *measure.Metrics) {
	t.Helper()
	a, b := reflect.ValueOf(*got), reflect.ValueOf(*want)
	for i := range a.NumField() {
		name, x, y := a.Type().Field(i).Name, a.Field(i), b.Field(i)
		if name == "NotMeasured" || x.Kind() == reflect.Pointer && x.IsNil() ||
			(x.Kind() == reflect.Slice || x.Kind() == reflect.String) && x.Len() == 0 ||
			name == "Unreachable" && got.Diameter == nil {
			continue
		}
		if x.Kind() == reflect.Pointer {
			if y.IsNil() {
				t.Fatalf("%s is %v, and searches find none", name, x.Elem())
			}
			x, y = x.Elem(), y.Elem()
		}
		if x.Kind() == reflect.Float64 {
			graphtest.Near(t, name, x.Float(), y.Float())
		} else if fmt.Sprint(x) != fmt.Sprint(y) {
			t.Fatalf("%s is %v, searches find %v", name, x, y)
		}
	}
}

// TestGiants: the largest graphs are answered from closed forms or refused, before anything
// is allocated for their vertices.
func TestGiants(t *testing.T) {
	none := []string{
		"bisection: more than 16,777,216 vertices", "throughput: more than 16,777,216 vertices",
		"paths: more than 16,777,216 vertices",
		"availability: more than 16,777,216 vertices", "failures: more than 16,777,216 vertices",
	}
	for _, tt := range []struct {
		spec     topology.Params
		links    int64
		diameter int // -1 for none
		mean     float64
	}{
		{topology.Torus{Dims: topology.Ints{2147483647}}, 2147483647, 1<<30 - 1, 1 << 29},
		{topology.Mesh{Dims: topology.Ints{32768, 32768}}, 2 * 32768 * 32767, 65534, 2. / 3 * 32768},
		{topology.Hypercube{Dims: topology.Ints{30}}, 30 << 29, 30, 15},
		{topology.KAryNTree{Down: 4, Levels: 13}, 13 << 26, 26, 25.3333333},
		{topology.ThinTree{Down: 1000, Up: 2, Levels: 3}, 1_002_004_000, 6, 5.997998},
		{clusters.DCell{Radix: 32767, Levels: 2}, 1_610_563_584, -1, -1},
		{topology.Dragonfly{LocalPorts: 32767}, 17_592_722_915_328, 3, -1},
		{topology.HyperX{Dims: topology.Ints{200, 200, 200}, Terminals: 20}, 2_548_000_000, 3, 2.985},
	} {
		t.Run(topology.Spec{Params: tt.spec}.String(), func(t *testing.T) {
			g := graphtest.New(t, tt.spec)
			m, err := measure.Measure(context.Background(), g, measure.MeasureOptions{Metrics: measure.AllMetrics()})
			if err != nil {
				t.Fatal(err)
			}
			want := none
			if tt.mean < 0 {
				want = append([]string{"hops: more than 16,777,216 vertices"}, none...)
			} else {
				graphtest.Near(t, "mean", *m.HopsMean, tt.mean)
			}
			if m.Links != tt.links || !slices.Equal(m.NotMeasured, want) {
				t.Errorf("%d links, expected %d; not measured %q", m.Links, tt.links, m.NotMeasured)
			}
			if (m.Diameter == nil) != (tt.diameter < 0) || m.Diameter != nil && *m.Diameter != tt.diameter {
				t.Errorf("diameter %v, expected %d", m.Diameter, tt.diameter)
			}
		})
	}
	for _, s := range []topology.Params{
		topology.CCC{Dims: topology.Ints{26}},
		topology.CLEX{Clique: 30000, Levels: 2},
		topology.FatTree{Nodes: 100_000_000, Radix: 8000, Tiers: 3},
	} {
		_, err := measure.Measure(context.Background(), graphtest.New(t, s), measure.MeasureOptions{})
		if tooMany := new(measure.TooManyVerticesError); !errors.As(err, &tooMany) ||
			tooMany.Max != measure.MaxSearched {
			t.Errorf("%s: %v", s.Family(), err)
		}
	}
}

// TestTooManyLinks: graphs of few vertices and very many links are answered from closed forms where there are any, and
// refused where not, without walking further than the limit.
func TestTooManyLinks(t *testing.T) {
	for _, tt := range []struct {
		spec     topology.Params
		links    int64
		diameter int
	}{
		{topology.HyperX{Dims: topology.Ints{40000}, Terminals: 1}, 40000 + 40000*39999/2, 1},
		{topology.FlattenedButterfly{Dims: topology.Ints{2000, 2000}, Terminals: 1}, 4_000_000 * 2000, 2},
	} {
		m, err := measure.Measure(context.Background(), graphtest.New(t, tt.spec),
			measure.MeasureOptions{Metrics: measure.AllMetrics()})
		if err != nil {
			t.Fatal(err)
		}
		if m.Links != tt.links || m.Diameter == nil || *m.Diameter != tt.diameter ||
			!slices.Contains(m.NotMeasured, "bisection: more than 134,217,728 links") {
			t.Errorf("%v: %d links, diameter %v, not measured %q", tt.spec, m.Links, m.Diameter, m.NotMeasured)
		}
	}
	_, err := measure.Measure(context.Background(), graphtest.New(t, topology.CLEX{Clique: 3000, Levels: 2}),
		measure.MeasureOptions{MaxWalked: 1 << 20})
	if tooMany := new(measure.TooManyLinksError); !errors.As(err, &tooMany) || tooMany.Max != 1<<20 {
		t.Errorf("clex: %v", err)
	}
}
