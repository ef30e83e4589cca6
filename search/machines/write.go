package machines

import (
	"fmt"
	"os"
	"path/filepath"

	"go.yaml.in/yaml/v4"
)

// Write writes a machine file for every entry of the front into a directory, with copies of the files that they name
// beside them, and puts their paths into the result.
func (s *Search) Write(dir string, r *Result) error {
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
		if err := os.WriteFile(e.File, data, 0o666); err != nil {
			return err
		}
		for _, in := range e.inputs {
			if copied[in] {
				continue
			}
			copied[in] = true
			if err := s.copyBeside(dir, in); err != nil {
				return err
			}
		}
	}
	return nil
}

// copyBeside copies a file that machines name to where they look for it in a directory. Those with absolute names stay.
func (s *Search) copyBeside(dir, path string) error {
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
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o666)
}
