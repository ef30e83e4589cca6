package sweep_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/study/sweep"
)

// writeFiles writes files into a directory.
func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// Results of files that machines name are not gone on with after one of them was changed: those of the machine file, of
// values of axes, and graphs to which one axis leads and another one the family. The message names the file.
func TestChangedFilesAreAnotherStudy(t *testing.T) {
	graphs := map[string]string{"a.txt": "0 1\n1 2\n2 0\n", "b.txt": "0 1\n1 2\n2 3\n3 0\n"}
	for name, c := range map[string]struct {
		text  string
		files map[string]string
	}{
		"graph of the machine": {`
machine: {topology: {family: file, path: a.txt}}
axes: [{field: cabling.slack.percent, values: [1, 2]}]
`, map[string]string{"a.txt": graphs["a.txt"]}},
		"graphs of an axis": {`
machine: {topology: {family: file, path: a.txt}}
axes: [{field: topology.path, values: [a.txt, b.txt]}]
`, graphs},
		"graphs and families of axes": {`
machine: {topology: {family: torus, dims: [2, 2]}}
axes:
  - {field: topology, values: [{family: torus, dims: [2, 2]}, {family: file}], labels: [torus, file]}
  - {field: topology.path, values: [a.txt, b.txt]}
`, graphs},
		"tables": {`
machine:
  topology: {family: torus, dims: [2, 2]}
  names: {table: names.csv}
  stock: stock.csv
axes: [{field: prices.quote, values: [[quote.csv], []]}]
`, map[string]string{"names.csv": "kind,index,name\n", "stock.csv": "product,pieces\n", "quote.csv": "part,price\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			writeFiles(t, dir, c.files)
			writeFiles(t, dir, map[string]string{"sweep.yaml": c.text + "points_per_shard: 1\nmeasure: [metrics]\n"})
			load := func() *sweep.Study {
				s, err := sweep.Load(filepath.Join(dir, "sweep.yaml"))
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
			out := filepath.Join(dir, "out")
			begun := run(t, load(), out, sweep.RunOptions{Part: sweep.Part{Index: 0, Of: 2}})
			if len(begun.Inputs) != len(c.files) {
				t.Errorf("inputs %v", begun.Inputs)
			}
			for file, text := range c.files {
				writeFiles(t, dir, map[string]string{file: text + "\n"})
				_, err := load().Prepare(t.Context(), out)
				if !errors.As(err, new(*sweep.OtherStudyError)) || !strings.Contains(err.Error(), file) {
					t.Errorf("%s was changed: %v", file, err)
				}
				elsewhere := run(t, load(), filepath.Join(dir, "of-"+file), sweep.RunOptions{})
				if _, err := sweep.NewTable(t.Context(), []*sweep.Dir{begun, elsewhere}, true); err == nil {
					t.Errorf("%s was changed, and results of both are merged", file)
				}
				writeFiles(t, dir, map[string]string{file: text})
			}
			run(t, load(), out, sweep.RunOptions{Resume: true})
		})
	}
}

// A file that is changed while a study runs ends it before a shard with points of both is written.
func TestChangedFilesEndARun(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"a.txt": "0 1\n1 2\n2 0\n", "sweep.yaml": `
machine: {topology: {family: file, path: a.txt}}
axes: [{field: cabling.slack.percent, values: [1, 2, 3, 4]}]
points_per_shard: 2
measure: [metrics]
`})
	s, err := sweep.Load(filepath.Join(dir, "sweep.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	d, err := s.Prepare(t.Context(), filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	change := func(done, _, _ int) {
		if done == 3 {
			writeFiles(t, dir, map[string]string{"a.txt": "0 1\n1 2\n"})
		}
	}
	err = s.Run(t.Context(), d, sweep.RunOptions{Part: sweep.Whole, Jobs: 1, Progress: change})
	if !errors.As(err, new(*sweep.ChangedInputError)) || !strings.Contains(err.Error(), "a.txt") {
		t.Errorf("%v", err)
	}
	if done, err := d.DoneShards(); err != nil || len(done) != 1 {
		t.Errorf("shards %v: %v", done, err)
	}
}
