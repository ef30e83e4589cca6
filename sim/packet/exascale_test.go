package packet

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/plenum-planner/plenum/internal/parallel"
	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/topology"
)

// The networks of S. Li, P.-C. Huang and B. Jacob, "Exascale interconnect topology
// characterization and parameter exploration" (MEMSYS 2016), Fig. 15, with a node
// in every router. A series has members of growing size.
func exascaleSeries(most int) map[string][]topology.Params {
	series := make(map[string][]topology.Params)
	add := func(name string, nodes int, s topology.Params) {
		if nodes <= most {
			series[name] = append(series[name], s)
		}
	}
	for d := 2; d <= 10; d++ {
		for n := 2; ; n++ {
			nodes := 1
			for range d {
				nodes *= n
			}
			if nodes > most {
				break
			}
			if nodes < 100 || d < 5 && n != 16 && n != 32 && n != 100 && n != 6 && n != 10 && n != 21 && n != 4 &&
				n != 5 {
				continue
			}
			add(fmt.Sprintf("torus %2d-D", d), nodes,
				topology.Torus{Dims: slices.Repeat(topology.Ints{n}, d)})
			if d == 3 || d == 4 {
				add(fmt.Sprintf("flattened butterfly %d-D", d), nodes,
					topology.FlattenedButterfly{
						Dims:      slices.Repeat(topology.Ints{n}, d),
						Terminals: 1,
					})
			}
		}
	}
	for _, q := range []int{8, 11, 23, 53} {
		add("MMS2", 2*q*q, topology.SlimFly{Q: q})
	}
	for _, q := range []int{3, 4, 5, 7} {
		add("Angelfish", 2*q*q*(2*q*q+1), topology.Angelfish{Q: q})
	}
	for _, p := range []int{9, 14, 30, 98} {
		add("dragonfly", (p+1)*(p+2), topology.Dragonfly{LocalPorts: p, LinksPerPair: 1})
	}
	return series
}

// exascaleLatency is the mean latency in cycles under a constant load of uniform
// traffic, packets of one phit as in BookSim unless told otherwise. Nodes that are
// their own switches take a cycle for each way between the two, as those on links
// of their own do.
func exascaleLatency(
	t *testing.T, ctx context.Context, s topology.Params, load float64,
) (nodes int, r *Result, err error) {
	n := network(t, s)
	opt := Options{VCs: Needed, PacketPhits: 1, BufferPackets: 8, Pipeline: 1}
	if n.TerminalLink[0] < 0 {
		opt.Inject, opt.Eject = 1, 1
	}
	cfg := Config{Network: n, Routing: function(t, n, ""), Options: opt, Seed: 1}
	r, err = Run(ctx, cfg, OpenLoop{
		Pattern: traffic.Uniform(n.Terminals()), Load: load,
		Measurement: Measurement{Warmup: new(1000), Check: 500, Batches: 4, Batch: 500},
	})
	return n.Terminals(), r, err
}

// "Constant load": the paper does not say which. At 0.05 phits per cycle and node
// the worst of its networks up to 10,000 nodes, the 100 x 100 torus, which can carry
// 8/100, is not yet saturated.
const exascaleLoad = 0.05

func TestExascaleFigure15Order(t *testing.T) {
	most := 350
	if long() {
		most = 10_000
	}
	type point struct {
		series string
		nodes  int
		mean   float64
	}
	var points []point
	var specs []topology.Params
	for name, list := range exascaleSeries(most) {
		for _, s := range list {
			points = append(points, point{series: name})
			specs = append(specs, s)
		}
	}
	err := parallel.Each(context.Background(), len(points), func(ctx context.Context, i int) error {
		nodes, r, err := exascaleLatency(t, ctx, specs[i], exascaleLoad)
		if err != nil {
			return fmt.Errorf("%s: %w", points[i].series, err)
		}
		if !r.Stationary || r.Accepted < 0.97*r.Offered {
			return fmt.Errorf("%s of %d nodes accepts %.4f of %.4f", points[i].series, nodes, r.Accepted, r.Offered)
		}
		points[i].nodes, points[i].mean = nodes, r.Latency.Mean
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(points, func(a, b point) int {
		if a.series != b.series {
			return map[bool]int{true: -1, false: 1}[a.series < b.series]
		}
		return a.nodes - b.nodes
	})
	last := make(map[string]point)
	for _, p := range points {
		t.Logf("%-24s %6d nodes  %7.2f cycles", p.series, p.nodes, p.mean)
		if before, ok := last[p.series]; ok && p.mean < before.mean {
			t.Errorf("%s: %.2f cycles with %d nodes, %.2f with %d", p.series, before.mean, before.nodes, p.mean,
				p.nodes)
		}
		last[p.series] = p
	}
	slower := func(a, b string) {
		if last[a].mean <= last[b].mean {
			t.Errorf("%s (%d nodes) takes %.2f cycles, %s (%d nodes) %.2f", a, last[a].nodes, last[a].mean, b,
				last[b].nodes, last[b].mean)
		}
	}
	// "The sharply increasing slope of the low-dimension tori"; two hops, three
	// hops, four hops.
	slower("torus  2-D", "torus  3-D")
	slower("torus  3-D", "torus  4-D")
	slower("torus  3-D", "flattened butterfly 3-D")
	slower("torus  4-D", "flattened butterfly 4-D")
	slower("Angelfish", "dragonfly")
	slower("dragonfly", "MMS2")
	slower("flattened butterfly 3-D", "MMS2")
	// "At the much higher dimensions, the high-D tori will have latencies on the
	// same scale as the other topologies."
	if a, b := last["torus  8-D"], last["Angelfish"]; a.mean > 3*b.mean {
		t.Errorf("the 8-D torus takes %.2f cycles, Angelfish %.2f", a.mean, b.mean)
	}
	if long() {
		// "The Flattened Butterfly designs have half the latency of the same-sized tori."
		for _, d := range []string{"3-D", "4-D"} {
			a, b := last["torus  "+d], last["flattened butterfly "+d]
			t.Logf("%s: flattened butterfly over torus %.2f", d, b.mean/a.mean)
		}
	}
}
