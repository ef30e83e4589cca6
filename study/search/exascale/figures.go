package exascale

import (
	"context"
	"io"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/render/chart"
)

// Figure is a chart as the paper has it, and the name of its file without the extension.
type Figure struct {
	Name  string // figure-11-ports
	Chart chart.CurveChart
}

// Figures are the paper's Figures 11 to 14, of which the thirteenth is two.
func Figures(networks []Network) []Figure {
	every := func(*Network) bool { return true }
	torus := func(n *Network) bool { return n.Group == "torus" }
	notTorus := func(n *Network) bool { return n.Group != "torus" }
	draw := func(name, title, y string, of func(*Network) bool, value func(*Network) float64) Figure {
		return Figure{name, chart.CurveChart{
			Title: title, Y: y, X: "nodes", LogX: true, LogY: true, Height: 1000,
			Note:   "After S. Li et al., MEMSYS 2016. Every node is its own router, of at most 300 ports.",
			Curves: lines(networks, of, value),
			Groups: []string{"torus", "flattened butterfly", "Moore bound", "dragonfly", "Angelfish", "Flying Fish"},
		}}
	}
	return []Figure{
		draw("figure-11-ports", "Ports of a router", "ports", notTorus,
			func(n *Network) float64 { return float64(n.Ports) }),
		draw("figure-12-hops", "Mean hops in tori", "mean hops", torus,
			func(n *Network) float64 { return n.HopsMean }),
		draw("figure-13-bisection", "Bisection", "channels between two halves", every,
			func(n *Network) float64 { return n.Bisection }),
		draw("figure-13-bisection-per-node", "Bisection for each node",
			"channels between two halves per node", every,
			func(n *Network) float64 { return n.BisectionPerNode }),
		draw("figure-14-efficiency", "Bisection for each port, hop and node",
			"channels between two halves per port, hop and node", every,
			func(n *Network) float64 { return n.Efficiency }),
	}
}

// lines are the curves of some networks.
func lines(networks []Network, of func(*Network) bool, value func(*Network) float64) []chart.Curve {
	var out []chart.Curve
	for i := range networks {
		n := &networks[i]
		if !of(n) {
			continue
		}
		if last := len(out) - 1; last < 0 || out[last].Name != n.Curve {
			out = append(out, chart.Curve{Name: n.Curve, Group: n.Group, Mark: mark(n)})
		}
		c := &out[len(out)-1]
		c.Points = append(c.Points, chart.Point{X: float64(n.Nodes), Y: value(n)})
	}
	return out
}

// mark is what tells a curve apart within its group: "3D", "2" for a diameter, "4" for links between two groups.
func mark(n *Network) string {
	words := strings.Fields(n.Curve)
	switch n.Group {
	case "Moore bound":
		return "diameter " + words[len(words)-1]
	case "dragonfly":
		if len(words) == 1 {
			return "1 link"
		}
		return strings.Join(words[1:], " ")
	case "Angelfish", "Flying Fish":
		return n.Curve
	}
	return words[0]
}

// WriteTable writes the networks as a CSV table.
func WriteTable(ctx context.Context, w io.Writer, networks []Network) error {
	t := csvtable.NewWriter(ctx, w, []string{
		"curve", "topology", "nodes", "ports", "hops_mean", "hops_sources", "bisection", "bisection_per_node",
		"bisection_per_port_hop_node",
	})
	number := func(v float64) {
		t.Append(1, func(row []byte) []byte { return strconv.AppendFloat(row, v, 'g', 10, 64) })
	}
	for _, n := range networks {
		t.Texts(n.Curve, n.Topology)
		t.Int(n.Nodes)
		t.Int(int64(n.Ports))
		number(n.HopsMean)
		t.Int(int64(n.HopsSources))
		number(n.Bisection)
		number(n.BisectionPerNode)
		number(n.Efficiency)
		if err := t.End(); err != nil {
			return err
		}
	}
	return t.Flush()
}
