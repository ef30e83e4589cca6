package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/outfile"
)

// part is one of the files of a paper that is too large for one PDF, or its only file.
type part struct {
	rows        int
	first, last string // what its first and last rows are about; "" without rows
	write       func(io.Writer) error
}

// sheets returns a file for each element of rows. name says what a row is about; write writes file i. Files are written
// one at a time, even if their writers are called together, as each is in memory until it is done.
func sheets[R any](rows [][]R, name func(r *R) string, write func(w io.Writer, i int) error) []part {
	var turn sync.Mutex
	var out []part
	for i, some := range rows {
		p := part{rows: len(some), write: func(w io.Writer) error {
			turn.Lock()
			defer turn.Unlock()
			return write(w, i)
		}}
		if len(some) > 0 {
			p.first, p.last = name(&some[0]), name(&some[len(some)-1])
		}
		out = append(out, p)
	}
	return out
}

// partName returns the name of file i, from 0, of n: NAME-1-of-3.pdf.
func partName(path string, i, n int) string {
	ext := filepath.Ext(path)
	return fmt.Sprintf("%s-%d-of-%d%s", strings.TrimSuffix(path, ext), i+1, n, ext)
}

// partNotes returns a note for each of several files about the rows in it; nil for a single file. row is the singular
// of what rows are.
func partNotes(name, row string, parts []part) []string {
	var out []string
	if len(parts) < 2 {
		return nil
	}
	at := int64(0)
	for i, p := range parts {
		out = append(out, fmt.Sprintf("%s: %ss %s to %s, %s to %s", partName(name, i, len(parts)), row,
			english.Grouped(at+1), english.Grouped(at+int64(p.rows)), p.first, p.last))
		at += int64(p.rows)
	}
	return out
}

// staleParts lists the names that earlier files of a paper may have in dir: name itself, whether or not it exists, and
// those of parts that do. Files that are written next may be among them.
func staleParts(dir, name string) []string {
	out := []string{name}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return out // it is made
	}
	for _, e := range entries {
		var i, n int
		ext := filepath.Ext(name)
		rest, ok := strings.CutPrefix(e.Name(), strings.TrimSuffix(name, ext))
		if !ok {
			continue
		}
		if _, err := fmt.Sscanf(rest, "-%d-of-%d"+ext, &i, &n); err == nil && partName(name, i-1, n) == e.Name() {
			out = append(out, e.Name())
		}
	}
	return out
}

// parts writes a paper into the file of -o, or into several (partName), removes those of an earlier run, and prints
// what is in which.
func (x *renderCommand) parts(cmd *cobra.Command, row string, parts []part) error {
	dir, name := filepath.Split(x.output)
	if dir == "" {
		dir = "."
	}
	if len(parts) > 1 {
		if info, err := os.Stat(x.output); err == nil && !info.Mode().IsRegular() {
			return cli.Inputf("-o: %s in %d files of a PDF; expected a name for ordinary files, not %s",
				english.Count(rowsOf(parts), row), len(parts), x.output)
		}
	}
	stale := staleParts(dir, name)
	if len(parts) == 1 && len(stale) == 1 {
		return x.file(cmd, parts[0].write)
	}
	files := map[string]func(io.Writer) error{}
	for i, p := range parts {
		if len(parts) == 1 {
			files[name] = p.write
		} else {
			files[partName(name, i, len(parts))] = p.write
		}
	}
	if _, err := outfile.All(cmd.Context(), dir, files, stale...); err != nil {
		return cli.InputError(err)
	}
	for _, note := range partNotes(name, row, parts) {
		fmt.Fprintln(cmd.ErrOrStderr(), "note:", note)
	}
	return nil
}

func rowsOf(parts []part) (n int) {
	for _, p := range parts {
		n += p.rows
	}
	return n
}

// partFiles returns the writers of the files of a paper: of one file under the key "", of several under their names.
func partFiles(name string, parts []part) writers {
	if len(parts) == 1 {
		return writers{"": parts[0].write}
	}
	out := writers{}
	for i, p := range parts {
		out[partName(name, i, len(parts))] = p.write
	}
	return out
}
