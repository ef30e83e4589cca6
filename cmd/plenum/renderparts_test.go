package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestPartsReplaceEarlierOnes writes a paper in three files, in two, in one and again in two: only those of the last
// run are there, beside files of other names, and a run that fails leaves them as they were.
func TestPartsReplaceEarlierOnes(t *testing.T) {
	dir := t.TempDir()
	others := []string{"pull-1-of-x.pdf", "pull-01-of-2.pdf", "pull-1-of-2.csv", "pull-sheets.pdf"}
	for _, name := range others {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	x := renderCommand{output: filepath.Join(dir, "pull.pdf")}
	var said bytes.Buffer
	write := func(n int, fail error) error {
		rows := make([][]string, n)
		for i := range rows {
			rows[i] = []string{string(rune('a' + i)), "z"}
		}
		cmd := &cobra.Command{}
		cmd.SetContext(t.Context())
		said.Reset()
		cmd.SetErr(&said)
		return x.parts(cmd, "row", sheets(rows, func(r *string) string { return *r }, func(w io.Writer, i int) error {
			if i == n-1 && fail != nil {
				return fail
			}
			_, err := io.WriteString(w, rows[i][0])
			return err
		}))
	}
	there := func(want ...string) {
		t.Helper()
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range entries {
			if !slices.Contains(others, e.Name()) {
				got = append(got, e.Name())
			}
		}
		if !slices.Equal(got, want) || len(entries) != len(others)+len(want) {
			t.Errorf("%v", entries)
		}
	}
	three := []string{"pull-1-of-3.pdf", "pull-2-of-3.pdf", "pull-3-of-3.pdf"}
	if err := write(3, nil); err != nil {
		t.Fatal(err)
	}
	there(three...)
	if text := said.String(); !strings.Contains(text, "note: pull-2-of-3.pdf: rows 3 to 4, b to z\n") {
		t.Error(text)
	}
	if err := write(2, errors.New("no")); err == nil {
		t.Error("no error")
	}
	there(three...)
	if err := write(2, nil); err != nil {
		t.Fatal(err)
	}
	there("pull-1-of-2.pdf", "pull-2-of-2.pdf")
	if err := write(1, nil); err != nil || said.Len() > 0 {
		t.Fatal(err, said.String())
	}
	there("pull.pdf")
	if err := write(2, nil); err != nil {
		t.Fatal(err)
	}
	there("pull-1-of-2.pdf", "pull-2-of-2.pdf")
	if text, err := os.ReadFile(filepath.Join(dir, "pull-2-of-2.pdf")); err != nil || string(text) != "b" {
		t.Errorf("%q, %v", text, err)
	}
	x.output = dir
	if err := write(2, nil); err == nil || !strings.Contains(err.Error(), "expected a name for ordinary files") {
		t.Error(err)
	}
}
