package machines

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/render/chart"
)

// Write writes a machine file for every entry of the front into a directory, with copies of the files that they name
// beside them, and puts the paths of the machine files into the result; then a chart as the options have it, a page, a
// workbook and two tables of the result. Each file appears whole or not at all. Machine files and charts of an earlier
// search in the directory that are not written anew are removed, since they would contradict the others.
func (s *Search) Write(ctx context.Context, dir string, r *Result, charts chart.Options) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	copied := map[string]bool{}
	for i := range r.Front {
		e := &r.Front[i]
		data, err := yaml.Dump(e.namedMachine())
		if err != nil {
			return err
		}
		e.File = filepath.Join(dir, fmt.Sprintf("%02d-%s.yaml", i+1, e.Family))
		if err := writeFile(ctx, e.File, data); err != nil {
			return err
		}
		for _, in := range e.inputs {
			if copied[in] {
				continue
			}
			copied[in] = true
			if err := s.copyBeside(ctx, dir, in); err != nil {
				return err
			}
		}
	}
	if err := s.removeStale(dir, r, charts); err != nil {
		return err
	}
	return s.summaries(ctx, func(name string) string { return filepath.Join(dir, name) }, r, charts)
}

// namedMachine returns the machine of an entry, which is called by its topology where the search gives it no name.
func (e *Entry) namedMachine() *yaml.Node {
	if keyIn(e.machine, "name") >= 0 {
		return e.machine
	}
	own := *e.machine
	name := strings.TrimSuffix(strings.TrimPrefix(e.Topology, "{family: "), "}")
	if e.Switch != "" {
		name += " of " + e.Switch
	}
	own.Content = slices.Insert(slices.Clone(own.Content), 0, word("name"), word(name))
	return &own
}

// machineFile is how the machine files of a front are called.
var machineFile = regexp.MustCompile(`^[0-9]{2,}-([a-z0-9-]+)\.yaml$`)

// removeStale removes the machine files and charts of an earlier search, which is known by its table, unless they are
// written anew.
func (s *Search) removeStale(dir string, r *Result, charts chart.Options) error {
	if _, err := os.Stat(filepath.Join(dir, FrontFile)); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	for _, f := range chart.Formats {
		if slices.Contains(charts.Written(), f) {
			continue
		}
		if err := os.Remove(filepath.Join(dir, ChartFile(f))); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		m := machineFile.FindStringSubmatch(name)
		written := func(e Entry) bool { return filepath.Base(e.File) == name }
		if m == nil || !slices.Contains(searchable(), m[1]) || slices.ContainsFunc(r.Front, written) {
			continue
		}
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// writeFile writes a file whole or not at all.
func writeFile(ctx context.Context, path string, data []byte) error {
	return outfile.Write(ctx, path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// copyBeside copies a file that machines name to where they look for it in a directory. Those with absolute names stay.
func (s *Search) copyBeside(ctx context.Context, dir, path string) error {
	from := filepath.Dir(s.path)
	rel, err := filepath.Rel(from, path)
	switch {
	case err != nil:
		return nil // one of the names is absolute, the other is not
	case !filepath.IsLocal(rel) && filepath.IsAbs(path):
		return nil
	case !filepath.IsLocal(rel):
		return fmt.Errorf("%s is not below the directory of the machine file, so that it cannot be copied with it\n"+
			"name it by an absolute path", path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	to := filepath.Join(dir, rel)
	return writeFile(ctx, to, data)
}
