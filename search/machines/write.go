package machines

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/render"
)

// Write writes a machine file for every entry of the front into a directory, with copies of the files that they name
// beside them, and puts their paths into the result; then a chart, a workbook and two tables of the result. Each file
// appears whole or not at all.
func (s *Search) Write(ctx context.Context, dir string, r *Result) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	copied := map[string]bool{}
	for i := range r.Front {
		e := &r.Front[i]
		data, err := yaml.Dump(e.machine)
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
	return s.summaries(ctx, func(name string) string { return filepath.Join(dir, name) }, r)
}

// writeFile writes a file whole or not at all.
func writeFile(ctx context.Context, path string, data []byte) error {
	return render.WriteFile(ctx, path, func(w io.Writer) error {
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
