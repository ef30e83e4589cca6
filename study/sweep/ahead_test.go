package sweep_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/render/chart"
	"github.com/plenum-planner/plenum/study/sweep"
)

// values are those of the axes that are drawn for studies some of whose points fail, and why.
var values = []struct {
	field string
	list  []string
}{
	{"topology", []string{"{family: torus, dims: [2, 2]}", "{family: hyperx, dims: [2, 2], terminals: 2}"}},
	{"topology.terminals", []string{"2", "3"}}, // which a torus does not take
	{"topology.dims", []string{"[2, 3]", "[0, 2]"}},
	{"room", []string{"{}", "{rows: 1, racks_per_row: 1, rack: rack-42u}"}}, // too few racks for switches apart
	{"embedding.effort", []string{"none", "quick"}},
	{"embedding.objective", []string{"money", "delay"}}, // without an effort
	{"delay.hop.switch", []string{"10", "20"}},          // of which a torus has none
	{"packaging.node.part", []string{"generic-node-1u", "generic-torus-node-1u", "missing"}},
	{"packaging.node.per_rack", []string{"1", "60"}},
	{"packets.routing", []string{"dor", "dragonfly-min", "minimal"}},
	{"packets.traffic", []string{"uniform", "tornado", "worst-case"}},
	{"packets.room", []string{"true", "false"}},
	{"metrics.fabric", []string{"''", "storage"}},
}

// drawStudy draws a study of some axes, regardless of what its points may be.
func drawStudy(t *rapid.T) *sweep.Study {
	var b strings.Builder
	b.WriteString("machine: {topology: {family: torus, dims: [2, 2]}}\naxes:\n")
	// In the order above: sections stand before what is in them.
	drawn := rapid.SliceOfNDistinct(rapid.IntRange(0, len(values)-1), 2, 4, rapid.ID).Draw(t, "axes")
	slices.Sort(drawn)
	measure := rapid.SampledFrom([][]string{{"plan"}, {"estimate"}, {"metrics"}, {"packets"}, {"plan", "packets"}}).
		Draw(t, "measure")
	for _, i := range drawn {
		v := values[i]
		if head, _, _ := strings.Cut(v.field, "."); slices.Contains(sweep.Measures(), head) &&
			!slices.Contains(measure, head) {
			continue
		}
		fmt.Fprintf(&b, "  - {field: %s, values: [%s]}\n", v.field, strings.Join(v.list, ", "))
	}
	fmt.Fprintf(&b, "  - {field: name, values: [a]}\nmeasure: [%s]\n", strings.Join(measure, ", "))
	if slices.Contains(measure, "packets") {
		b.WriteString("packets: {load: 0.1, warmup: 0, batches: 1, batch: 20}\n")
	}
	fmt.Fprintf(&b, "repeats: %d\n", rapid.IntRange(1, 2).Draw(t, "repeats"))
	s, err := sweep.Parse("sweep.yaml", []byte(b.String()))
	if err != nil {
		t.Skip(err)
	}
	return s
}

// What is said ahead of points is what their rows then say, of all and of no others.
func TestFailuresAreKnownAhead(t *testing.T) {
	graphtest.FewerDraws(t, 30)
	failed := 0
	rapid.Check(t, func(r *rapid.T) {
		s := drawStudy(r)
		ahead, err := s.CheckAll(t.Context(), 2)
		if err != nil {
			r.Fatal(err)
		}
		points := 0
		var reasons []string
		for _, row := range records(t, merged(t, run(t, s, t.TempDir(), sweep.RunOptions{}))) {
			if row["error"] != "" {
				points++
				if !slices.Contains(reasons, row["error"]) {
					reasons = append(reasons, row["error"])
				}
			}
		}
		var told []string
		for _, f := range ahead.Reasons {
			told = append(told, f.Reason)
		}
		if diff := cmp.Diff(reasons, told); diff != "" || ahead.Points != points || ahead.Checked != s.Points {
			r.Errorf("%d points fail, told %d of %d\n%s", points, ahead.Points, ahead.Checked, diff)
		}
		failed += points
	})
	if failed == 0 {
		t.Error("no point fails")
	}
}

// A field that takes the seed and that a family does not have gives its points no seed; one that none has is a mistake.
func TestSeedsOfSomeFamilies(t *testing.T) {
	const text = `
machine: {topology: {family: torus, dims: [2, 2]}}
axes:
  - field: topology
    values: [{family: torus, dims: [2, 3]}, {family: random-regular, nodes: 8, degree: 3, terminals: 2}]
    labels: [torus, random]
  - {field: name, values: [a]}
seeds: [topology.seed]
repeats: 2
measure: [metrics]
metrics: {figures: [hops]}
`
	s := parse(t, text)
	if ahead, err := s.CheckAll(t.Context(), 1); err != nil || ahead.Points > 0 {
		t.Error(ahead, err)
	}
	var got []string
	hashes := map[string]int{}
	for _, r := range records(t, merged(t, run(t, s, t.TempDir(), sweep.RunOptions{}))) {
		got = append(got, strings.Join([]string{r["topology"], r["repeat"], r["seed"], r["error"]}, " "))
		hashes[r["topology"]+r["hash"]]++
	}
	want := []string{"torus 0  ", "torus 1  ", "random 0 1 ", "random 1 2 "}
	if diff := cmp.Diff(want, got); diff != "" || len(hashes) != 3 {
		t.Error(diff, hashes)
	}
	_, err := sweep.Parse("sweep.yaml", []byte(strings.Replace(text, "family: random-regular, nodes: 8, degree: 3, "+
		"terminals: 2", "family: torus, dims: [4]", 1)))
	if err == nil || !strings.Contains(err.Error(), "seeds[0]: topology.seed: is not a parameter of torus") {
		t.Error(err)
	}
}

// The summary has the mean, the half-width and the number of each figure over the repeats that have it.
func TestSummary(t *testing.T) {
	s := parse(t, `
machine: {topology: {family: random-regular, nodes: 12, degree: 3, terminals: 1}}
axes:
  - {field: metrics.fail_links, values: [0, 0.2]}
  - {field: topology.degree, values: [3, 40]}
seeds: [topology.seed, metrics.seed]
repeats: 3
measure: [metrics]
points_per_shard: 2
`)
	d := run(t, s, t.TempDir(), sweep.RunOptions{})
	table, err := sweep.NewTable(t.Context(), []*sweep.Dir{d}, false)
	if err != nil {
		t.Fatal(err)
	}
	paths, err := table.Write(t.Context(), d.Path)
	if err != nil || len(paths) != 4 {
		t.Fatal(paths, err)
	}
	rows := records(t, merged(t, d))
	summary := records(t, read(t, d.Path, sweep.SummaryCSVName))
	if len(rows) != 12 || len(summary) != 4 {
		t.Fatalf("%d rows, %d in the summary", len(rows), len(summary))
	}
	for i, sum := range summary {
		of := rows[3*i : 3*i+3]
		failed := "0"
		if of[0]["error"] != "" {
			failed = "3"
		}
		if sum["point"] != of[0]["point"] || sum["topology.degree"] != of[0]["topology.degree"] ||
			sum["repeats"] != "3" || sum["failed"] != failed {
			t.Errorf("row %d is %v", i, sum)
		}
		figures := 0
		for name := range rows[0] {
			if !strings.HasPrefix(name, "metrics.") || sum[name] != "" {
				continue // of no number
			}
			var x []float64
			for _, r := range of {
				if v, err := strconv.ParseFloat(r[name], 64); err == nil {
					x = append(x, v)
				}
			}
			if n := sum[name+".n"]; n == "" && len(x) == 0 { // a truth value
				continue
			} else if n != strconv.Itoa(len(x)) {
				t.Fatalf("%s: %s of %v", name, n, x)
			}
			if len(x) == 0 {
				if sum[name+".mean"] != "" || sum[name+".half_width"] != "" {
					t.Errorf("%s: figures of nothing", name)
				}
				continue
			}
			figures++
			mean, half := confidence(x)
			got, err := strconv.ParseFloat(sum[name+".mean"], 64)
			if err != nil || !close(got, mean) {
				t.Errorf("%s: mean %s of %v", name, sum[name+".mean"], x)
			}
			got, err = strconv.ParseFloat(sum[name+".half_width"], 64)
			if len(x) > 1 && (err != nil || !close(got, half)) {
				t.Errorf("%s: half-width %s of %v, want %g", name, sum[name+".half_width"], x, half)
			}
		}
		if failed == "0" && figures < 5 {
			t.Errorf("row %d: %d figures", i, figures)
		}
	}
	again := t.TempDir()
	if _, err := table.Write(t.Context(), again); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{sweep.SummaryCSVName, sweep.SummaryParquetName} {
		if read(t, again, name) != read(t, d.Path, name) {
			t.Errorf("%s differs", name)
		}
	}
}

// read reads a file.
func read(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// confidence is the mean of some numbers and half its 95 % confidence interval.
func confidence(x []float64) (mean, half float64) {
	if len(x) < 2 {
		return x[0], 0
	}
	quantile := distuv.StudentsT{Sigma: 1, Nu: float64(len(x) - 1)}.Quantile(0.975)
	mean, deviation := stat.MeanStdDev(x, nil)
	return mean, quantile * deviation / math.Sqrt(float64(len(x)))
}

func close(a, b float64) bool { return math.Abs(a-b) <= 1e-3*math.Abs(b)+1e-12 }

// Error bars are half-widths where all rows of a dot are repeats, and there are none where they are not.
func TestPlotOfRepeats(t *testing.T) {
	s := parse(t, `
machine: {topology: {family: random-regular, nodes: 24, degree: 3, terminals: 1}}
axes: [{field: topology.nodes, values: [16, 24, 32]}, {field: name, values: [a, b]}]
seeds: [topology.seed]
repeats: 3
measure: [metrics]
metrics: {figures: [hops]}
`)
	d := run(t, s, t.TempDir(), sweep.RunOptions{})
	table, err := sweep.NewTable(t.Context(), []*sweep.Dir{d}, false)
	if err != nil {
		t.Fatal(err)
	}
	const x, y = "topology.nodes", "metrics.hops_mean"
	drawn, err := table.Plot(t.Context(), sweep.PlotOptions{X: x, Y: y, By: "name"})
	if err != nil {
		t.Fatal(err)
	}
	if want := " Error bars: 95 % confidence interval over repeats."; !strings.HasSuffix(drawn.Note, want) {
		t.Errorf("%q", drawn.Note)
	}
	rows := records(t, merged(t, d))
	for _, c := range drawn.Curves {
		for _, p := range c.Points {
			var at []float64
			for _, r := range rows {
				if r["name"] == c.Name && r[x] == fmt.Sprint(p.X) {
					v, err := strconv.ParseFloat(r[y], 64)
					if err != nil {
						t.Fatal(err)
					}
					at = append(at, v)
				}
			}
			mean, half := confidence(at)
			if len(at) != 3 || !close(p.Y, mean) || !close(p.HalfWidth, half) || half == 0 {
				t.Errorf("%s: %+v, want %g ± %g", c.Name, p, mean, half)
			}
		}
	}
	drawn, err = table.Plot(t.Context(), sweep.PlotOptions{X: x, Y: y})
	if err != nil {
		t.Fatal(err)
	}
	barred := slices.ContainsFunc(drawn.Curves[0].Points, func(p chart.Point) bool { return p.HalfWidth > 0 })
	if barred || strings.Contains(drawn.Note, "Error bars") {
		t.Errorf("markers of different points: %+v, %q", drawn.Curves[0].Points, drawn.Note)
	}
}
