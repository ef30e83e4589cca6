package exascale

import (
	"bytes"
	"context"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/plenum-planner/plenum/render/chart"
)

func long() bool { return os.Getenv("PLENUM_LONG") != "" }

func compare(t *testing.T) []Network {
	t.Helper()
	opt := Options{MaxNodes: 20_000, PerDecade: 6, Sources: 4}
	if long() {
		opt = Options{}
	}
	networks, err := Compare(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	return networks
}

func curve(networks []Network, name string) []Network {
	return slices.DeleteFunc(slices.Clone(networks), func(n Network) bool { return n.Curve != name })
}

// TestStatements holds what sections 3.1 and 3.2 of Li et al., MEMSYS 2016, say of Figures 11 to 14.
func TestStatements(t *testing.T) {
	networks := compare(t)
	if len(networks) < 200 {
		t.Fatalf("%d networks", len(networks))
	}
	for _, n := range networks {
		if n.Nodes < MinNodes || n.Nodes > MaxNodes || n.Ports > MaxPorts || n.HopsMean > MaxHops || n.HopsMean < 1 {
			t.Errorf("outside of the paper's limits: %+v", n)
		}
	}
	slope := func(name string) float64 { // of the bisection for each node, by the ends of the curve
		c := curve(networks, name)
		if len(c) < 3 {
			t.Fatalf("%s: %d networks", name, len(c))
		}
		a, b := c[0], c[len(c)-1]
		return math.Log(b.BisectionPerNode/a.BisectionPerNode) / math.Log(float64(b.Nodes)/float64(a.Nodes))
	}
	t.Run("section 3.1: the bisection for each node grows with the size", func(t *testing.T) {
		for _, name := range []string{
			"Moore bound of diameter 2", "Moore bound of diameter 3", "Moore bound of diameter 4", "Angelfish",
			"2D flattened butterfly", "3D flattened butterfly", "4D flattened butterfly", "Flying Fish",
			"Angelfish Mesh",
		} {
			if s := slope(name); s < 0.05 {
				t.Errorf("%s: exponent %.3f", name, s)
			}
		}
	})
	t.Run("section 3.1: it is flat", func(t *testing.T) {
		for _, name := range []string{
			"dragonfly", "dragonfly, 2 links", "dragonfly, 8 links", "Angelfish Lite", "Flying Fish Lite",
		} {
			if s := slope(name); math.Abs(s) > 0.025 {
				t.Errorf("%s: exponent %.3f", name, s)
			}
		}
	})
	t.Run("section 3.1: it falls", func(t *testing.T) {
		names := []string{"2D torus", "3D torus", "4D torus"}
		if long() {
			names = append(names, "5D torus", "6D torus", "7D torus", "8D torus")
		}
		before := math.Inf(-1)
		for _, name := range names {
			s := slope(name)
			if s > -0.05 || s < before {
				t.Errorf("%s: exponent %.3f, of one dimension fewer %.3f", name, s, before)
			}
			before = s
		}
	})
	t.Run("section 3.2: up to about 1,000 nodes dragonflies beat the Moore bound of diameter 3", func(t *testing.T) {
		moore := curve(networks, "Moore bound of diameter 3")
		for _, n := range networks {
			if n.Curve != "dragonfly limit" {
				continue
			}
			bound := moore[0]
			for _, m := range moore {
				if m.Nodes <= n.Nodes {
					bound = m
				}
			}
			if above := n.Efficiency > bound.Efficiency; n.Nodes < 600 && !above || n.Nodes > 2500 && above {
				t.Errorf("%d nodes: dragonfly %.5f, bound %.5f", n.Nodes, n.Efficiency, bound.Efficiency)
			}
		}
	})
	if !long() {
		return
	}
	t.Run("section 3.1: from 100,000 nodes on there is a gap", func(t *testing.T) {
		top, bottom := math.Inf(1), 0.0
		for _, n := range networks {
			lean := n.Group == "torus" || strings.Contains(n.Curve, "Lite") || n.Curve == "Angelfish L-Mesh"
			if n.Nodes >= 100_000 && lean {
				bottom = max(bottom, n.BisectionPerNode)
			} else if n.Nodes >= 100_000 {
				top = min(top, n.BisectionPerNode)
			}
		}
		t.Logf("at least %.3f, at most %.3f channels for each node", top, bottom)
		if top < 1.5*bottom {
			t.Error("there is none")
		}
	})
	t.Run("section 3.2: Angelfish of 38 and 58 ports, near to flattened butterflies", func(t *testing.T) {
		var ports []int
		for _, n := range curve(networks, "Angelfish") {
			ports = append(ports, n.Ports)
		}
		if !slices.Contains(ports, 38) || !slices.Contains(ports, 58) {
			t.Errorf("ports %v", ports)
		}
		a, f := curve(networks, "Angelfish"), curve(networks, "3D flattened butterfly")
		if r := a[len(a)-1].Efficiency / f[len(f)-1].Efficiency; r < 0.8 || r > 1.25 {
			t.Errorf("%.3f times as efficient", r)
		}
	})
}

// TestCoincident holds that bounds of Moore and flattened butterflies of as many hops have the same bisection at the
// same size (section 3.1), from which the formula for diameters above 2 is taken.
func TestCoincident(t *testing.T) {
	networks, err := Compare(t.Context(), Options{MinNodes: 90_000, MaxNodes: 110_000, Sources: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{"3", "4"} {
		moore := curve(networks, "Moore bound of diameter "+d)
		flat := curve(networks, d+"D flattened butterfly")
		if len(moore) == 0 || len(flat) == 0 {
			t.Fatalf("%d and %d networks", len(moore), len(flat))
		}
		if r := moore[0].BisectionPerNode / flat[0].BisectionPerNode; r < 0.85 || r > 1.15 {
			t.Errorf("diameter %s: %.3f times the bisection of %s", d, r, flat[0].Topology)
		}
	}
}

// TestSampledHops holds the mean of drawn nodes against that of all.
func TestSampledHops(t *testing.T) {
	opt := Options{MinNodes: 2400, MaxNodes: 4900, Sources: 16}
	sampled, err := Compare(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	opt.Sources = 1 << 11
	exact, err := Compare(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	drawn := 0
	for i := range sampled {
		if sampled[i].HopsSources > 0 {
			drawn++
		}
		if d := math.Abs(sampled[i].HopsMean/exact[i].HopsMean - 1); d > 0.01 {
			t.Errorf("%s: %.4f from %d nodes, %.4f from %d", exact[i].Topology, sampled[i].HopsMean,
				sampled[i].HopsSources, exact[i].HopsMean, exact[i].HopsSources)
		}
	}
	if drawn == 0 {
		t.Error("no mean is of drawn nodes")
	}
}

func TestStopped(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	<-ctx.Done()
	if _, err := Compare(ctx, Options{}); err == nil {
		t.Error("goes on")
	}
}

func TestFiguresAndTable(t *testing.T) {
	networks, err := Compare(t.Context(), Options{MaxNodes: 1000, PerDecade: 4, Sources: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range Figures(networks) {
		if _, err := f.Chart.Draw(chart.Style{}); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	var b bytes.Buffer
	if err := WriteTable(t.Context(), &b, networks); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(b.String(), "\n"); lines != len(networks)+1 {
		t.Errorf("%d lines for %d networks", lines, len(networks))
	}
}
