package sweep_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/render/chart"
	"github.com/plenum-planner/plenum/study/sweep"
)

// Titles and units come from the names of columns: quantity, statistic, unit.
func TestTitlesOfColumns(t *testing.T) {
	for column, want := range map[string]string{
		"plan.cost.total":                     "total cost (USD)",
		"plan.cost_per.node":                  "cost per node (USD)",
		"plan.cost_per.injection_gbps":        "cost per injection Gb/s (USD)",
		"plan.delay.delay_mean_ns":            "mean delay (ns)",
		"plan.delay.delay_p99_ns":             "99th percentile of delay (ns)",
		"plan.delay.hops_mean":                "mean hops",
		"plan.delay.definition.beta_ns_per_m": "beta (ns/m)",
		"plan.length_m.max":                   "maximum cable length (m)",
		"plan.power_w":                        "power (W)",
		"plan.power_by_kind_w.switches":       "power switches (W)",
		"plan.uncertainty.capital.p50":        "median uncertainty capital (USD)",
		"plan.bundles.weight_max_kg":          "maximum bundles weight (kg)",
		"plan.breaches":                       "violations of design rules",
		"plan.switches":                       "switches",
		"packets.load":                        "offered load (phits per cycle and terminal)",
		"packets.latency_cycles.mean":         "mean latency (cycles)",
		"packets.latency_cycles.half_width":   "latency half width (cycles)",
		"cabling.slack.percent":               "cabling slack (%)",
		"cabling.slack.fixed_cm":              "cabling slack fixed (cm)",
		"delay.hop_ns_per_km":                 "hop (ns/km)",
		"topology.dims":                       "topology dims",
		"network":                             "network",
		"percent":                             "value (%)",
	} {
		if got := sweep.Label(column, "USD"); got != want {
			t.Errorf("%s is %q, want %q", column, got, want)
		}
	}
}

// TestValuesWithUnits plots over axes whose values are texts with units.
func TestValuesWithUnits(t *testing.T) {
	for _, test := range []struct {
		values, label string
		want          []float64
	}{
		{`[30 cm, 100 cm, 5 cm]`, "cabling slack fixed (cm)", []float64{5, 30, 100}},
		{`[30 cm, 1 m, 500 mm]`, "cabling slack fixed (m)", []float64{0.3, 0.5, 1}},
		{`[0.25, 0.5]`, "cabling slack fixed", []float64{0.25, 0.5}},
	} {
		s := parse(t, `
machine: {topology: {family: torus, dims: [2, 2]}}
axes: [{field: cabling.slack.fixed, values: `+test.values+`}]
measure: [plan]
`)
		table, err := sweep.NewTable(t.Context(), []*sweep.Dir{run(t, s, t.TempDir(), sweep.RunOptions{})}, false)
		if err != nil {
			t.Fatal(err)
		}
		c, err := table.Plot(t.Context(), sweep.PlotOptions{X: "cabling.slack.fixed", Y: "plan.length_m.total"})
		if err != nil {
			t.Errorf("%s: %v", test.values, err)
			continue
		}
		var got []float64
		for _, p := range c.Curves[0].Points {
			got = append(got, math.Round(1e9*p.X)/1e9)
		}
		if !slices.Equal(got, test.want) || c.X != test.label {
			t.Errorf("%s: %q at %v, want %q at %v", test.values, c.X, got, test.label, test.want)
		}
	}
}

// Curves stand in the order that is asked for, and what is asked for in vain is refused.
func TestOrderOfCurves(t *testing.T) {
	s := parse(t, `
machine: {topology: {family: torus, dims: [2, 2]}}
axes:
  - {field: topology, values: [{family: torus, dims: [10]}, {family: torus, dims: [4]}, {family: torus, dims: [6]}],
     labels: ["10", "4", big], name: size}
  - {field: cabling.slack.percent, values: [0, 10]}
measure: [plan]
`)
	table, err := sweep.NewTable(t.Context(), []*sweep.Dir{run(t, s, t.TempDir(), sweep.RunOptions{})}, false)
	if err != nil {
		t.Fatal(err)
	}
	o := sweep.PlotOptions{X: "cabling.slack.percent", Y: "plan.nodes", By: "size"}
	names := func(c chart.CurveChart) (out []string) {
		for _, curve := range c.Curves {
			out = append(out, curve.Name)
		}
		return out
	}
	for _, test := range []struct {
		order  string
		curves []string
		want   string
	}{
		{"", nil, "4 10 big"},
		{sweep.ByValue, nil, "4 10 big"},
		{sweep.ByTable, nil, "10 4 big"},
		{sweep.ByEnd, nil, "10 big 4"},
		{"", []string{"big", "10"}, "big 10"},
	} {
		o.Order, o.Curves = test.order, test.curves
		c, err := table.Plot(t.Context(), o)
		if err != nil || strings.Join(names(c), " ") != test.want {
			t.Errorf("%q %q: %q, %v; want %q", test.order, test.curves, names(c), err, test.want)
		}
	}
	for _, test := range []struct {
		o    sweep.PlotOptions
		want string
	}{
		{sweep.PlotOptions{X: o.X, Y: o.Y, By: o.By, Order: "values"}, "value"},
		{sweep.PlotOptions{X: o.X, Y: o.Y, By: o.By, Curves: []string{"5"}}, "5 of size"},
		{sweep.PlotOptions{X: o.X, Y: o.Y, Curves: []string{"5"}}, "tells the curves apart"},
		{sweep.PlotOptions{X: o.X, Y: o.Y, LogX: true}, "above 0"},
		{sweep.PlotOptions{X: o.X, Y: "plan.cost.optics", LogY: true}, "above 0"},
		{sweep.PlotOptions{X: "size", Y: o.Y}, "no numbers"},
		{sweep.PlotOptions{X: "plan.node", Y: o.Y}, "plan.nodes"},
	} {
		if _, err := table.Plot(t.Context(), test.o); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v, want %q", test.o, err, test.want)
		}
	}
}
