package measure_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/graphio"
	"github.com/plenum-planner/plenum/topology/measure"
)

// TestAvailability holds the table of section 2 of Li et al., MEMSYS 2016, as the
// worst case round a failed router: extra hops and alternative routes.
func TestAvailability(t *testing.T) {
	tests := []struct {
		spec topology.Params
		want measure.Detour
	}{
		{topology.Torus{Dims: topology.Ints{8, 8}}, measure.Detour{Extra: 2, Routes: 2}},
		{topology.Torus{Dims: topology.Ints{7, 7, 7}}, measure.Detour{Extra: 2, Routes: 4}},
		{topology.Torus{Dims: topology.Ints{7, 7, 7, 7}}, measure.Detour{Extra: 2, Routes: 6}},
		{topology.Moore{Graph: "pentagon"}, measure.Detour{Extra: 1, Routes: 1}},
		{topology.Moore{Graph: "petersen"}, measure.Detour{Extra: 1, Routes: 2}},
		// Of a flattened butterfly the paper says 0 and no route needed: the
		// other corner of the square is left.
		{topology.FlattenedButterfly{Dims: topology.Ints{5, 5}, Terminals: 1}, measure.Detour{Extra: 0, Routes: 1}},
	}
	for _, tt := range tests {
		t.Run(topology.Spec{Params: tt.spec}.String(), func(t *testing.T) {
			a, err := measure.MeasureAvailability(context.Background(), graphtest.New(t, tt.spec),
				measure.AvailabilityOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if a.Routers.Worst != tt.want || !a.Routers.Exact || a.Routers.Lost != 0 {
				t.Errorf("%+v, expected the worst %+v", a.Routers, tt.want)
			}
		})
	}
}

// TestAvailabilityPlainly looks for every detour in graphs from which the failed
// part was really taken.
func TestAvailabilityPlainly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 9).Draw(t, "vertices")
		var text strings.Builder
		text.WriteString("0 1\n")
		for b := 2; b < n; b++ {
			for a := range b {
				if rapid.Bool().Draw(t, "edge") {
					fmt.Fprintf(&text, "%d %d\n", a, b)
				}
			}
		}
		g, err := graphio.Read("drawn.edges", "edges", strings.NewReader(text.String()))
		if err != nil {
			t.Fatal(err)
		}
		got, err := measure.MeasureAvailability(context.Background(), g, measure.AvailabilityOptions{})
		if err != nil {
			t.Fatal(err)
		}
		n = topology.Vertices(g)
		dist := make([]int32, n)
		var want measure.Availability
		detour := func(s *measure.DetourStats, left topology.Graph, from, to, before int) {
			s.Pairs++
			c := topology.NewCSR(left)
			topology.HopDistances(c, from, dist, nil)
			if dist[to] < 0 {
				s.Lost++
				return
			}
			hops := int(dist[to])
			// Arcs on paths with the fewest hops, by distance from both ends.
			ahead := append([]int32(nil), dist...)
			topology.HopDistances(c, to, dist, nil)
			arcs := make([][]int, n)
			for v := range arcs {
				arcs[v] = make([]int, n)
				for _, w := range c.Neighbours(v) {
					if ahead[v] >= 0 && dist[w] >= 0 && int(ahead[v]+1+dist[w]) == hops {
						arcs[v][w]++
					}
				}
			}
			d := measure.Detour{Extra: hops - before, Routes: bruteFlow(arcs, from, to)}
			if first := s.Pairs-s.Lost == 1; first || d.Extra > s.Worst.Extra || d.Extra == s.Worst.Extra &&
				d.Routes < s.Worst.Routes {
				s.Worst = d
			}
			s.ExtraMean += float64(d.Extra)
			s.RoutesMean += float64(d.Routes)
		}
		var links []topology.Link
		for l := range g.Links() {
			links = append(links, l)
		}
		for i, l := range links {
			lost := make([]bool, len(links))
			lost[i] = true
			left := &measure.Failed{Graph: g, Link: lost}
			detour(&want.Links, left, int(l.A), int(l.B), 1)
			detour(&want.Links, left, int(l.B), int(l.A), 1)
		}
		whole := topology.NewCSR(g)
		for u := range n {
			lost := make([]bool, n)
			lost[u] = true
			left := &measure.Failed{Graph: g, Vertex: lost}
			for _, v := range whole.Neighbours(u) {
				for _, w := range whole.Neighbours(u) {
					topology.HopDistances(whole, int(v), dist, nil)
					if dist[w] == 2 {
						detour(&want.Routers, left, int(v), int(w), 2)
					}
				}
			}
		}
		want.Links.Failures, want.Routers.Failures = len(links), n
		for _, s := range []*measure.DetourStats{&want.Links, &want.Routers} {
			s.Exact = true
			if left := float64(s.Pairs - s.Lost); left > 0 {
				s.ExtraMean /= left
				s.RoutesMean /= left
			}
		}
		if *got != want {
			t.Fatalf("%s: %+v, expected %+v", text.String(), *got, want)
		}
	})
}

// TestMeasure holds the fields that other programs read, on a graph all of whose
// figures are known.
func TestMeasure(t *testing.T) {
	g := graphtest.New(t, topology.Moore{Graph: "petersen"})
	m, err := measure.Measure(context.Background(), g, measure.MeasureOptions{Metrics: measure.AllMetrics()})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]any{
		"family": "moore", "vertices": 10., "switches": 0., "terminals": 0., "links": 15.,
		"degree_min": 3., "degree_max": 3., "diameter": 2., "hops_mean": 5. / 3, "hops_mean_with_self": 1.5,
		"hops_std": math.Sqrt(.45), "bisection_formula": 2.5, "bisection_lower": 5., "bisection_upper": 5.,
		"network_cost": 6., "ports_per_router": 3., "ports_per_node": 3., "moore_bound": 10., "moore_gap": 0.,
		"hops_mean_bound": 5. / 3, "bisection_per_port_hop_node": 5 / (3 * 5. / 3 * 10), "exact": true,
		"terminal_diameter": 2., "terminal_hops_mean": 5. / 3,
	} {
		x, isNumber := got[name].(float64)
		if w, ok := want.(float64); ok {
			if !isNumber || math.Abs(x-w) > 1e-12 {
				t.Errorf("%s is %v, expected %v", name, got[name], want)
			}
		} else if got[name] != want {
			t.Errorf("%s is %v, expected %v", name, got[name], want)
		}
	}
	if h := fmt.Sprint(got["hops_histogram"]); h != "[10 30 60]" {
		t.Errorf("hops_histogram %s", h)
	}
	p := m.Paths
	if want := (measure.Spread{Min: 1, Mean: 1, Max: 1}); !p.Exact || p.Minimal != want || p.MinimalDisjoint != want {
		t.Errorf("paths %+v", p)
	}
	if want := (measure.Spread{Min: 3, Mean: 3, Max: 3}); p.LinkDisjoint != want || p.NodeDisjoint != want {
		t.Errorf("disjoint paths %+v", p)
	}
	if len(m.Failures) != len(measure.DefaultFailed()) {
		t.Errorf("%d rows of failures", len(m.Failures))
	}
}

// TestMeasureLimit leaves out what would not fit into memory, and says so.
func TestMeasureLimit(t *testing.T) {
	g := graphtest.New(t, topology.Torus{Dims: topology.Ints{8, 8}})
	m, err := measure.Measure(context.Background(), g,
		measure.MeasureOptions{Metrics: measure.AllMetrics(), MaxLinks: 127})
	if err != nil {
		t.Fatal(err)
	}
	if m.Diameter == nil || m.BisectionUpper != nil || m.Paths != nil ||
		len(m.NotMeasured) != len(measure.AllMetrics())-1 {
		t.Errorf("measured %+v", m)
	}
}

// TestNetworkCost holds the degree that Zhang et al., Table 1, multiply by the
// diameter where it is not the greatest.
func TestNetworkCost(t *testing.T) {
	for _, tt := range []struct {
		spec topology.Params
		cost float64
	}{
		{topology.HybridFatTree{Nodes: 1 << 10}, 4 * 10},
		{topology.IBT{Dims: topology.Ints{8, 8, 4}, BypassDims: 2, BypassLengths: topology.Ints{4}}, -8},
	} {
		g := graphtest.New(t, tt.spec)
		m, err := measure.Measure(context.Background(), g,
			measure.MeasureOptions{Metrics: []measure.Metric{measure.MetricHops}})
		if err != nil {
			t.Fatal(err)
		}
		want := tt.cost
		if want < 0 { // a degree
			want *= -float64(*m.Diameter)
		}
		if *m.NetworkCost != want {
			t.Errorf("%s: network cost %v, expected %v", tt.spec.Family(), *m.NetworkCost, want)
		}
	}
}

// TestMeanHopsBound builds the tree ring by ring.
func TestMeanHopsBound(t *testing.T) {
	for degree := 2; degree < 8; degree++ {
		for n := 2; n < 300; n++ {
			left, ring, hops, sum := n-1, degree, 1, 0
			for left > 0 {
				sum += min(ring, left) * hops
				left -= min(ring, left)
				ring *= degree - 1
				hops++
			}
			graphtest.Near(t, "bound", measure.MeanHopsBound(n, degree), float64(sum)/float64(n-1))
		}
	}
	if b := measure.MeanHopsBound(3, 1); !math.IsInf(b, 1) {
		t.Errorf("three vertices with a link each: %v", b)
	}
	graphtest.Near(t, "Hoffman-Singleton", measure.MeanHopsBound(50, 7), (7+42*2)/49.)
}
