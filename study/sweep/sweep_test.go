package sweep_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/study/sweep"
)

// study is a small one: a torus of racks, of several sizes and slacks, one of which no machine has.
const study = `
name: slack
machine:
  name: torus
  topology: {family: torus, dims: [2, 2]}
axes:
  - {field: topology.dims, values: [[2, 2], [0, 3], [3, 4]]}
  - {field: cabling.slack.percent, from: 0, to: 0.3, step: 0.1}
repeats: 2
points_per_shard: 5
`

func parse(t *testing.T, text string) *sweep.Study {
	t.Helper()
	s, err := sweep.Parse("sweep.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// run computes a part of a study into a directory.
func run(t *testing.T, s *sweep.Study, dir string, opt sweep.RunOptions) *sweep.Dir {
	t.Helper()
	d, err := s.Prepare(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if opt.Part.Of == 0 {
		opt.Part = sweep.Whole
	}
	if err := s.Run(t.Context(), d, opt); err != nil {
		t.Fatal(err)
	}
	return d
}

// merged is the table of some directories as CSV.
func merged(t *testing.T, dirs ...*sweep.Dir) string {
	t.Helper()
	table, err := sweep.NewTable(t.Context(), dirs, false)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := table.CSV(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// records reads a table: each row by its columns.
func records(t *testing.T, table string) []map[string]string {
	t.Helper()
	all, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]string
	for _, line := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[name] = line[i]
		}
		out = append(out, row)
	}
	return out
}

// Points are numbered with the last axis changing first and repeats within; their values are exact decimals, and each
// repeat has the next seed.
func TestPointsInOrder(t *testing.T) {
	s := parse(t, study)
	if s.Points != 24 || s.Shards != 5 {
		t.Errorf("%d points in %d shards", s.Points, s.Shards)
	}
	var got []string
	for _, r := range records(t, merged(t, run(t, s, t.TempDir(), sweep.RunOptions{}))) {
		refused := ""
		if r["error"] != "" {
			refused = " refused"
		}
		got = append(got, fmt.Sprintf("%s %s %s %s %s%s", r["point"], r["topology.dims"], r["cabling.slack.percent"],
			r["repeat"], r["seed"], refused))
	}
	var want []string
	for _, dims := range []string{"[2, 2]", "[0, 3]", "[3, 4]"} {
		for _, slack := range []string{"0", "0.1", "0.2", "0.3"} {
			for repeat := range 2 {
				line := fmt.Sprintf("%d %s %s %d %d", len(want), dims, slack, repeat, repeat+1)
				if dims == "[0, 3]" {
					line += " refused"
				}
				want = append(want, line)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The figures of a point are those of the plan of a machine file with its values written in, under the names of
// plan.json; read by other means.
func TestFiguresAreThoseOfThePlan(t *testing.T) {
	rows := records(t, merged(t, run(t, parse(t, study), t.TempDir(), sweep.RunOptions{})))
	for _, r := range rows {
		text := fmt.Sprintf("name: torus\ntopology: {family: torus, dims: %s}\ncabling: {slack: {percent: %s}}\n"+
			"embedding: {seed: %s}\n", r["topology.dims"], r["cabling.slack.percent"], r["seed"])
		spec, err := machine.Parse("machine.yaml", []byte(text))
		if err != nil {
			if r["error"] == "" {
				t.Errorf("point %s: %v", r["point"], err)
			}
			continue
		}
		plan, err := machine.Plan(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(plan.Report())
		if err != nil {
			t.Fatal(err)
		}
		var document map[string]any
		if err := json.Unmarshal(data, &document); err != nil {
			t.Fatal(err)
		}
		seen := 0
		for name, cell := range r {
			path, ok := strings.CutPrefix(name, "plan.")
			if !ok || cell == "" || path == "breaches" || path == "currency" || cell == "true" || cell == "false" {
				continue
			}
			var v any = document
			for key := range strings.SplitSeq(path, ".") {
				v = v.(map[string]any)[key]
			}
			if got, err := strconv.ParseFloat(cell, 64); err != nil || got != v.(float64) {
				t.Errorf("point %s: %s is %s, in the plan %v", r["point"], name, cell, v)
			}
			seen++
		}
		if seen < 40 {
			t.Errorf("point %s: %d figures", r["point"], seen)
		}
	}
}

// However often a study is broken off, on however many cores and in however many parts it runs, the table is the same.
func TestResumed(t *testing.T) {
	s := parse(t, study+"measure: [metrics]\n")
	want := merged(t, run(t, s, t.TempDir(), sweep.RunOptions{Jobs: 1}))
	for stop := range 8 {
		d, err := s.Prepare(t.Context(), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		kills := 0
		for stopped := true; stopped; kills++ {
			ctx, cancel := context.WithCancel(t.Context())
			err := s.Run(ctx, d, sweep.RunOptions{
				Part: sweep.Whole, Resume: true, Jobs: 1 + stop%3,
				Progress: func(done, _, _ int) {
					if done >= 3+stop+kills { // a shard is 5 points: in the end one is finished
						cancel()
					}
				},
			})
			if stopped = ctx.Err() != nil; stopped != (err != nil) || stopped && !errors.Is(err, context.Canceled) {
				t.Fatalf("stopped after %d points: %v", 3+stop+kills, err)
			}
			cancel()
		}
		if kills < 3 {
			t.Errorf("%d runs", kills)
		}
		if got := merged(t, d); got != want {
			t.Errorf("stopped after %d points, then resumed:\n%s", 3+stop, cmp.Diff(want, got))
		}
	}
	dir := t.TempDir()
	for _, i := range []int{2, 0, 1} {
		run(t, s, dir, sweep.RunOptions{Part: sweep.Part{Index: i, Of: 3}})
	}
	if got := merged(t, run(t, s, dir, sweep.RunOptions{Resume: true})); got != want {
		t.Errorf("in parts:\n%s", cmp.Diff(want, got))
	}
}

// A study is begun once, and goes on only where its own results are.
func TestOtherResultsAreRefused(t *testing.T) {
	s, dir := parse(t, study), t.TempDir()
	d := run(t, s, dir, sweep.RunOptions{})
	if err := s.Run(t.Context(), d, sweep.RunOptions{Part: sweep.Whole}); !errors.As(err, new(*sweep.StartedError)) {
		t.Errorf("begun anew: %v", err)
	}
	for _, change := range []string{"0.3, step: 0.1", "repeats: 2", "name: torus", "[3, 4]", "points_per_shard: 5"} {
		other := map[string]string{
			"0.3, step: 0.1": "0.4, step: 0.1", "repeats: 2": "repeats: 3", "name: torus": "name: other",
			"[3, 4]":              "[3, 5]",
			"points_per_shard: 5": "points_per_shard: 4",
		}[change]
		changed := parse(t, strings.Replace(study, change, other, 1))
		if _, err := changed.Prepare(t.Context(), dir); !errors.As(err, new(*sweep.OtherStudyError)) {
			t.Errorf("%s: %v", other, err)
		}
	}
	same := parse(t, strings.Replace(study, "dims: [2, 2]}", "dims: [2, 2]} # a comment", 1))
	if _, err := same.Prepare(t.Context(), dir); err != nil {
		t.Errorf("with a comment more: %v", err)
	}
}

// Directories that each have some shards give the table of one that has all, shards that are in several once. What is
// missing, differs or is damaged is reported.
// TestErrorOfCallerSpoilsNoShard: what fails where rows go to says nothing of the shard that they are read from.
func TestErrorOfCallerSpoilsNoShard(t *testing.T) {
	all := run(t, parse(t, study), t.TempDir(), sweep.RunOptions{})
	err := sweep.Rows(all, 0, func() error { return syscall.ENOSPC })
	if !errors.Is(err, syscall.ENOSPC) || errors.As(err, new(*sweep.DamagedError)) {
		t.Errorf("%v", err)
	}
}

func TestMerge(t *testing.T) {
	s := parse(t, study)
	all := run(t, s, t.TempDir(), sweep.RunOptions{})
	want := merged(t, all)
	a := run(t, s, t.TempDir(), sweep.RunOptions{Part: sweep.Part{Index: 0, Of: 2}})
	b := run(t, s, t.TempDir(), sweep.RunOptions{Part: sweep.Part{Index: 1, Of: 2}})
	for _, dirs := range [][]*sweep.Dir{{a, b}, {b, a}, {a, all, b}} {
		if got := merged(t, dirs...); got != want {
			t.Error(cmp.Diff(want, got))
		}
	}
	if _, err := sweep.NewTable(t.Context(), []*sweep.Dir{a}, false); !errors.As(err, new(*sweep.IncompleteError)) {
		t.Errorf("half of it: %v", err)
	}
	half, err := sweep.NewTable(t.Context(), []*sweep.Dir{a}, true)
	if err != nil || half.Rows != 14 {
		t.Errorf("half of it: %v, %v", half, err)
	}

	shard := filepath.Join(a.Path, "shards", "000002.jsonl")
	data, err := os.ReadFile(shard)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(data), "\n")
	for _, test := range []struct{ name, text, want string }{
		{"cut off", string(data[:len(data)-20]), "the file ends inside a row"},
		{"without its last row", strings.Join(lines[:4], ""), "1 points are missing"},
		{"a row twice", lines[0] + string(data), "point 10 is not one that belongs there"},
		{"not JSON", "{" + string(data), "line 1"},
		{"another value", strings.Replace(string(data), `"seed":1`, `"seed":7`, 1), "are the same shard and differ"},
	} {
		if err := os.WriteFile(shard, []byte(test.text), 0o666); err != nil {
			t.Fatal(err)
		}
		dirs := []*sweep.Dir{a, b}
		if test.name == "another value" {
			dirs = append(dirs, all)
		}
		_, err := sweep.NewTable(t.Context(), dirs, false)
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), shard) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// What is drawn lies within its axis, is the same for a number regardless of what else is drawn, and fills the range.
func TestSample(t *testing.T) {
	const text = `
machine: {topology: {family: torus, dims: [2, 2]}}
axes:
  - {field: cabling.slack.percent, from: 10, to: 30}
  - {field: prices.seed, from: 1, to: 1000, scale: log, whole: true, name: draw}
  - {field: room.cold_aisle, values: [1 m, 2 m], labels: [narrow, wide]}
measure: [metrics]
sample: {points: %d, seed: 5}
`
	few := records(t, merged(t, run(t, parse(t, fmt.Sprintf(text, 20)), t.TempDir(), sweep.RunOptions{})))
	many := records(t, merged(t, run(t, parse(t, fmt.Sprintf(text, 400)), t.TempDir(), sweep.RunOptions{})))
	sum, sumLog, narrow := 0.0, 0.0, 0.0
	for i, r := range many {
		if i < len(few) {
			if diff := cmp.Diff(few[i], r); diff != "" {
				t.Errorf("point %d of fewer points: %s", i, diff)
			}
		}
		slack, err := strconv.ParseFloat(r["cabling.slack.percent"], 64)
		draw, err2 := strconv.Atoi(r["draw"])
		if errors.Join(err, err2) != nil || slack < 10 || slack > 30 || draw < 1 || draw > 1000 {
			t.Fatalf("point %d: %v", i, r)
		}
		sum, sumLog = sum+slack, sumLog+math.Log10(float64(draw))
		if r["room.cold_aisle"] == "narrow" {
			narrow++
		}
	}
	n := float64(len(many)) // means of 400 are within 5 standard errors
	for _, m := range []struct {
		name            string
		mean, want, std float64
	}{
		{"slack", sum / n, 20, 20 / math.Sqrt(12)},
		{"draw", sumLog / n, 1.5, 3 / math.Sqrt(12)},
		{"narrow", narrow / n, 0.5, 0.5},
	} {
		if math.Abs(m.mean-m.want) > 5*m.std/math.Sqrt(n) {
			t.Errorf("%s: mean %g", m.name, m.mean)
		}
	}
}

// Every mistake of a sweep file is reported in one run, at its place.
func TestMistakes(t *testing.T) {
	const text = `machine: superpod-h100-compute
axes:
  - {field: cabling.slak.percent, values: [1, 2]}
  - {field: cabling.slack.percent, values: [1, x, -3]}
  - {field: embedding.effort, values: [none, quik]}
  - {field: packets.load, from: 0.1, to: 3, step: 0.1}
  - {field: packets.routng, values: [own]}
  - {field: "room[", values: [1]}
  - {field: "fabrics[3].name", values: [a]}
  - {field: [delay.hop, name], values: [[1 ns, a], [b]]}
  - {field: topology, values: [{family: torus, dims: [4, x]}, {family: tors}]}
  - {field: topology.dims, values: [[2]], step: 1}
  - {field: room.rows, from: 3, to: 1, count: 2}
  - {field: room.rows, values: [1], labels: [a, b]}
measure: [plan, packets]
metrics: {figures: [hops]}
seeds: [packets.sed, embedding.effort]
repeats: 4
slurm: {partition: "a b", options: [exclusive]}
`
	const want = `3:13 axes[0].field: cabling.slak: unknown key; did you mean "slack"?
4:48 axes[1].values[1]: cabling.slack.percent: "x" is not a number
4:51 axes[1].values[2]: cabling.slack.percent: -3 is negative
5:46 axes[2].values[1]: embedding.effort: "quik" is not one of none, quick, normal, thorough; did you mean "quick"?
6:42 axes[3].to: packets.load: 3 is too large; it is at most 1
7:13 axes[4].field: packets.routng: unknown key; did you mean "routing"?
8:13 axes[5].field: "" is not the number of an element, from 0, nor a key in quotes; ` +
		`write it like topology.dims or fabrics[0].topology
9:13 axes[6].field: fabrics[3].name: there is no list to take element 3 of
10:52 axes[7].values[1]: expected a list with a value for each of the 2 fields
11:58 axes[8].values[0].dims[1]: topology.dims[1]: "x" is not a whole number
11:72 axes[8].values[1].family: topology.family: "tors" is unknown; did you mean "torus"?
12:28 axes[9].values: an axis has values, or a range with from and to, not both
13:37 axes[10].to: 1 is below from, 3
14:13 axes[11].field: room.rows is changed twice
14:37 axes[11].labels: 2 labels for 1 values
16:1 metrics: options of what is not measured; add it: measure: [plan, packets, metrics]
17:9 seeds[0]: packets.sed: unknown key; did you mean "seed"?
17:22 seeds[1]: embedding.effort is changed by an axis
19:20 slurm.partition: "a b" has a blank or a quote, which sbatch would take for something else
19:37 slurm.options[0]: "exclusive" is not an option of sbatch; it begins with -, like --exclusive`
	_, err := sweep.Parse("sweep.yaml", []byte(text))
	var list diag.List
	if !errors.As(err, &list) {
		t.Fatal(err)
	}
	var got []string
	for _, d := range list {
		if d.Pos.File != "sweep.yaml" || d.Length == 0 {
			t.Errorf("no place: %v", d)
		}
		at := d.Pos.Place()
		d.Pos, d.Length = diag.Position{}, 0
		got = append(got, at+" "+d.Error())
	}
	if diff := cmp.Diff(strings.Split(want, "\n"), got); diff != "" {
		t.Error(diff)
	}
}

// Mistakes that only one thing can have.
func TestMoreMistakes(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"machine: nowhere\naxes: [{field: name, values: [a]}]", "nowhere is neither a file beside the sweep file"},
		{"machine: [1]\naxes: [{field: name, values: [a]}]", "expected the name of a machine file"},
		{"machine: summit\naxes: []", "axes: needs at least one value"},
		{
			"machine: summit\naxes: [{field: cabling.slack.percent, from: 1, to: 2}]",
			"a range without step or count has no values for a grid",
		},
		{
			"machine: summit\naxes: [{field: topology.seed, from: 1, to: 900000, step: 1}, " +
				"{field: room.cold_aisle, from: 1, to: 2, count: 900000}]", "more than 10000000 points",
		},
		{
			"machine: {cabling: {slack: {percent: 5}}, rom: {}}\naxes: [{field: name, values: [a]}]",
			"rom: unknown key",
		},
		{
			"machine: {topology: {family: torus, dims: [4]}}\naxes: [{field: topology.dims, values: [[4]]}, " +
				"{field: topology, values: [{family: torus}]}]", "put the axis of topology first",
		},
		{"machine: summit\nseeds: [name]\naxes: [{field: name, values: [a]}]", "there is no seed to give"},
		{
			"machine: summit\naxes: [{field: packets.tasks, values: [4]}]\nmeasure: [packets]",
			"packets.tasks: goes with workload only",
		},
	} {
		_, err := sweep.Parse("sweep.yaml", []byte(test.text))
		if !errors.As(err, new(diag.List)) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s\n%v", test.text, err)
		}
	}
}

// Paths of fields are those that mistakes are reported by.
func TestPaths(t *testing.T) {
	s := parse(t, `
machine:
  fabrics: [{name: a, ends: [{boxes: b}], topology: {family: torus, dims: [2, 2]}}]
  boxes: [{name: b, count: 4, part: gpu-node-8}]
axes:
  - {field: 'prices.unit["dac@3 m"]', values: [5]}
  - {field: 'fabrics[0].topology.dims[1]', values: [3, 4]}
`)
	if s.Points != 2 {
		t.Error(s.Points)
	}
}

// Equal points have equal hashes, others have not: a value in another form is the same.
func TestHashes(t *testing.T) {
	s := parse(t, `
machine: {topology: {family: torus, dims: [2, 2]}}
axes:
  - field: topology
    values: [{family: torus, dims: [2, 2]}, {dims: [2, 2], family: torus}, {family: torus, dims: [2, 3]}]
measure: [metrics]
`)
	var got []string
	for _, r := range records(t, merged(t, run(t, s, t.TempDir(), sweep.RunOptions{}))) {
		got = append(got, r["hash"])
	}
	if got[0] != got[1] || got[1] == got[2] || slices.Contains(got, "") {
		t.Error(got)
	}
}

// A chart has the mean of the rows at each place, a curve for each value of a column, and none of those that failed.
func TestPlot(t *testing.T) {
	d := run(t, parse(t, study), t.TempDir(), sweep.RunOptions{})
	table, err := sweep.NewTable(t.Context(), []*sweep.Dir{d}, false)
	if err != nil {
		t.Fatal(err)
	}
	const x, y, by = "cabling.slack.percent", "plan.length_m.total", "topology.dims"
	chart, err := table.Plot(t.Context(), sweep.PlotOptions{X: x, Y: y, By: by})
	if err != nil {
		t.Fatal(err)
	}
	if len(chart.Curves) != 2 || chart.Note != "Curves: topology dims. Each marker is the mean of 2 rows." {
		t.Errorf("%d curves, %q", len(chart.Curves), chart.Note)
	}
	if chart.X != "cabling slack (%)" || chart.Y != "total cable length (m)" || chart.XName != x || chart.YName != y {
		t.Errorf("axes %q and %q, columns %q and %q", chart.X, chart.Y, chart.XName, chart.YName)
	}
	rows := records(t, merged(t, d))
	for _, c := range chart.Curves {
		if len(c.Points) != 4 {
			t.Errorf("%s: %d places", c.Name, len(c.Points))
		}
		for _, p := range c.Points {
			sum, n := 0.0, 0.0
			for _, r := range rows {
				if at, err := strconv.ParseFloat(r[x], 64); err == nil && at == p.X && r[by] == c.Name {
					v, err := strconv.ParseFloat(r[y], 64)
					if err != nil {
						t.Fatal(err)
					}
					sum, n = sum+v, n+1
				}
			}
			if math.Abs(sum/n-p.Y) > 1e-12*p.Y {
				t.Errorf("%s at %g: %g, not %g", c.Name, p.X, p.Y, sum/n)
			}
		}
	}
}

// What is held equal replaces what the machines of all points say, as if their files said so; a point for which it
// cannot be held says why, ahead and in its row, and another value is another study.
func TestEqual(t *testing.T) {
	const text = `
machine: {packaging: {node: {per_rack: 4}}, room: {rows: 4}, delay: {hop: {switch: 30 ns}}}
equal: {hop: 70 ns, switch: generic-switch-128x400g, per_rack: 8}
axes:
  - field: topology
    name: network
    values:
      [{family: torus, dims: [4, 4], terminals: 2}, {family: fat-tree, nodes: 32, radix: 8}, {family: mesh, dims: [4]}]
    labels: [torus, tree, mesh]
`
	s := parse(t, text)
	const refused = "equal: the part of the switches cannot be held equal: the routers of the mesh are its nodes"
	ahead, err := s.CheckAll(t.Context(), 1)
	if err != nil || ahead.Points != 1 || !strings.Contains(ahead.Reasons[0].Reason, refused) {
		t.Error(ahead, err)
	}
	rows := records(t, merged(t, run(t, s, t.TempDir(), sweep.RunOptions{})))
	if !strings.Contains(rows[2]["error"], refused) {
		t.Errorf("%q", rows[2]["error"])
	}
	own := parse(t, strings.NewReplacer(
		"equal: {hop: 70 ns, switch: generic-switch-128x400g, per_rack: 8}\n", "",
		"node: {per_rack: 4}", "node: {per_rack: 8}, switch: {part: generic-switch-128x400g}",
		"30 ns", "70 ns", ", {family: mesh, dims: [4]}", "", ", mesh", "").Replace(text))
	for i, want := range records(t, merged(t, run(t, own, t.TempDir(), sweep.RunOptions{}))) {
		if want["error"] != "" {
			t.Fatal(want["error"])
		}
		for name, cell := range want {
			if name != "hash" && rows[i][name] != cell {
				t.Errorf("%s: %s is %s, of a file that says so %s", want["network"], name, rows[i][name], cell)
			}
		}
	}
	other := records(t, merged(t, run(t, parse(t, strings.Replace(text, "70 ns", "71 ns", 1)), t.TempDir(),
		sweep.RunOptions{})))
	const mean = "plan.delay.delay_mean_ns"
	if other[0]["hash"] == rows[0]["hash"] || other[0][mean] == rows[0][mean] {
		t.Error("another hop delay is the same point")
	}
	for _, wrong := range []string{"{hop: fast}", "{per_rack: 0}", "{cost: 3}", "{hop: 2 s}", "{per_rack: -3}"} {
		_, err := sweep.Parse("sweep.yaml", []byte(strings.Replace(text,
			"{hop: 70 ns, switch: generic-switch-128x400g, per_rack: 8}", wrong, 1)))
		if err == nil || !strings.Contains(err.Error(), "sweep.yaml:3:") {
			t.Errorf("equal: %s: %v", wrong, err)
		}
	}
}

// The values of several fields have one label, and one name for its column; a name for each field will do as well.
func TestLabelsOfSeveralFields(t *testing.T) {
	const text = `
machine: {topology: {family: torus, dims: [4, 4]}}
axes:
  - {field: [room.rows, packaging.node.per_rack], values: [[1, 8], [4, 2]], labels: [dense, sparse], name: room}
`
	for _, s := range []string{text, strings.Replace(text, "name: room", "name: [room, nodes]", 1)} {
		rows := records(t, merged(t, run(t, parse(t, s), t.TempDir(), sweep.RunOptions{})))
		for i, want := range [][2]string{{"dense", "2"}, {"sparse", "8"}} {
			if got := [2]string{rows[i]["room"], rows[i]["plan.racks"]}; got != want {
				t.Errorf("room and racks %v, want %v", got, want)
			}
		}
	}
	for wrong, want := range map[string]string{
		", name: room": "give the axis a name", "name: room": "1 names for 2 fields",
	} {
		change := strings.NewReplacer(wrong, "")
		if wrong == "name: room" {
			change = strings.NewReplacer(", labels: [dense, sparse]", "")
		}
		if _, err := sweep.Parse("sweep.yaml", []byte(change.Replace(text))); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}

// Points that differ in what moves no box share the optimised places of a plan, and have the figures of one that was
// planned alone; on any number of cores and in any number of parts.
func TestPointsShareOptimisedPlaces(t *testing.T) {
	s := parse(t, `
machine:
  packaging: {node: {part: generic-node-1u, per_rack: 4}, switch: {part: generic-switch-64x400g}}
  room: {rows: 2, racks_per_row: 7}
  embedding: {effort: quick}
axes:
  - {field: topology, values: [{family: hyperx, dims: [3, 2], terminals: 2}, {family: dragonfly, p: 1, a: 2, h: 1}]}
  - {field: delay.hop.switch, values: [50, 300]}
  - {field: prices.contingency, values: [0, 5]}
points_per_shard: 1
`)
	want := merged(t, run(t, s, t.TempDir(), sweep.RunOptions{Jobs: 3}))
	dir := t.TempDir()
	var d *sweep.Dir
	for i := range 2 {
		d = run(t, s, dir, sweep.RunOptions{Jobs: 1, Part: sweep.Part{Index: i, Of: 2}})
	}
	if got := merged(t, d); got != want {
		t.Error("another table in parts")
	}
	names := map[string]string{}
	for i, r := range records(t, want) {
		alone := parse(t, fmt.Sprintf(`
machine:
  topology: %s
  packaging: {node: {part: generic-node-1u, per_rack: 4}, switch: {part: generic-switch-64x400g}}
  room: {rows: 2, racks_per_row: 7}
  embedding: {effort: quick}
  delay: {hop: {switch: %s}}
axes: [{field: prices.contingency, values: [%s]}]
`, r["topology"], r["delay.hop.switch"], r["prices.contingency"]))
		for name, cell := range records(t, merged(t, run(t, alone, t.TempDir(), sweep.RunOptions{})))[0] {
			if strings.HasPrefix(name, "plan.") && cell != r[name] {
				t.Errorf("point %d: %s is %s, alone %s", i, name, r[name], cell)
			}
			names[name] = cell
		}
	}
	if len(names) < 40 {
		t.Errorf("%d columns", len(names))
	}
}
