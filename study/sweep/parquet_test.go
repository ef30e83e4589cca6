package sweep_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plenum-planner/plenum/study/sweep"
)

// mixed is a study with columns of all kinds: whole and decimal numbers, truth values, texts, those that some rows
// lack,
// and those that all lack.
const mixed = `
machine: {topology: {family: torus, dims: [2, 2]}}
axes:
  - {field: topology, values: [{family: torus, dims: [2, 2]}, {family: torus, dims: [0]}, {family: hypercube, dims: 3}]}
  - {field: prices.seed, values: [1, 2], labels: ["a,\"b\"", "=c"]}
  - {field: cabling.slack.percent, values: [5, 7.5]}
measure: [plan, metrics]
`

// write merges a study into a directory of its own.
func write(t *testing.T, d *sweep.Dir) (csv, parquet string) {
	t.Helper()
	table, err := sweep.NewTable(t.Context(), []*sweep.Dir{d}, false)
	if err != nil {
		t.Fatal(err)
	}
	files, err := table.Write(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return files[0], files[1]
}

// The same rows give the same bytes.
func TestParquetIsReproducible(t *testing.T) {
	s := parse(t, mixed)
	var before []byte
	for range 2 {
		_, file := write(t, run(t, s, t.TempDir(), sweep.RunOptions{}))
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if before != nil && !bytes.Equal(before, data) {
			t.Error("two files of the same study differ")
		}
		before = data
	}
}

// reader prints a Parquet file as JSON: the names of its columns in order, and its rows.
const reader = `
const { asyncBufferFromFile, parquetReadObjects, parquetMetadataAsync } = await import(process.argv[2])
const file = await asyncBufferFromFile(process.argv[3])
const columns = (await parquetMetadataAsync(file)).schema.slice(1).map(c => c.name)
const rows = await parquetReadObjects({ file })
console.log(JSON.stringify({ columns, rows }, (k, v) => typeof v == 'bigint' ? Number(v) : v))
`

// hyparquet is an implementation of Parquet that shares no code with ours: the folder of its package, from npm.
func hyparquet(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("PLENUM_HYPARQUET")
	if dir == "" {
		if os.Getenv("PLENUM_REQUIRE_TOOLS") == "1" {
			t.Fatal("PLENUM_HYPARQUET does not name the folder of the npm package hyparquet")
		}
		t.Skip("needs node and the npm package hyparquet; PLENUM_HYPARQUET names its folder")
	}
	return filepath.Join(dir, "src", "node.js")
}

// An independent reader finds in the Parquet file what the CSV file has: the columns, in order, every value, and sums.
func TestParquetReadByHyparquet(t *testing.T) {
	module := hyparquet(t)
	table, file := write(t, run(t, parse(t, mixed), t.TempDir(), sweep.RunOptions{}))
	script := filepath.Join(t.TempDir(), "read.mjs")
	if err := os.WriteFile(script, []byte(reader), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "node", script, module, file).Output()
	if err != nil {
		t.Fatal(err)
	}
	var found struct {
		Columns []string         `json:"columns"`
		Rows    []map[string]any `json:"rows"`
	}
	if err := json.Unmarshal(out, &found); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := bytes.Cut(data, []byte("\r\n"))
	var names []string
	for name := range bytes.SplitSeq(head, []byte(",")) {
		names = append(names, string(name))
	}
	if diff := cmp.Diff(names, found.Columns); diff != "" {
		t.Error(diff)
	}
	rows := records(t, string(data))
	if len(rows) != 12 || len(found.Rows) != len(rows) {
		t.Fatalf("%d rows, %d in the Parquet file", len(rows), len(found.Rows))
	}
	sums, want := map[string]float64{}, map[string]float64{}
	kinds := map[string]int{}
	for i, r := range rows {
		for name, cell := range r {
			switch v := found.Rows[i][name].(type) {
			case nil:
				if kinds["null"]++; cell != "" {
					t.Errorf("row %d: %s is null, not %s", i, name, cell)
				}
			case float64:
				x, err := strconv.ParseFloat(cell, 64)
				if kinds["number"]++; err != nil || x != v {
					t.Errorf("row %d: %s is %v, not %s", i, name, v, cell)
				}
				sums[name] += v
				want[name] += x
			case bool:
				if kinds["truth"]++; strconv.FormatBool(v) != cell {
					t.Errorf("row %d: %s is %v, not %s", i, name, v, cell)
				}
			case string:
				if kinds["text"]++; v != cell && "'"+v != cell { // spreadsheets would calculate =c
					t.Errorf("row %d: %s is %q, not %q", i, name, v, cell)
				}
			}
		}
	}
	for name, sum := range want {
		if math.Abs(sums[name]-sum) > 0 {
			t.Errorf("the sum of %s is %g, not %g", name, sums[name], sum)
		}
	}
	if len(kinds) != 4 || sums["plan.cost.total"] == 0 || sums["metrics.hops_mean"] == 0 {
		t.Errorf("values %v, sums of %d columns", kinds, len(sums))
	}
}
