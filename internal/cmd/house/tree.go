package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// A tree is what is measured of the repository.
type tree struct {
	module  string // the module's path
	fset    *token.FileSet
	sources []source
	pages   []text
	assets  []text // pages and scripts that a browser shows, machine files, style sheets
}

// A text is a file by its lines.
type text struct {
	path  string
	lines []string
}

// A source is a file of Go.
type source struct {
	text
	ast  *ast.File
	test bool
}

// folder returns the folder of a file, which for a source is its package.
func (t text) folder() string { return path.Dir(t.path) }

// readTree reads the repository at the root of a file system.
func readTree(fsys fs.FS) (*tree, error) {
	mod, err := fs.ReadFile(fsys, "go.mod")
	if err != nil {
		return nil, err
	}
	t := &tree{module: modfile.ModulePath(mod), fset: token.NewFileSet()}
	return t, fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !d.IsDir():
			return t.add(fsys, name)
		case d.Name() == "testdata" || name != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		}
		return nil
	})
}

// add reads a file if it is of a kind that is measured.
func (t *tree) add(fsys fs.FS, name string) error {
	ext := path.Ext(name)
	asset := slices.Contains([]string{".html", ".js", ".yaml"}, ext) && !strings.HasSuffix(name, ".min.js")
	if ext != ".go" && ext != ".md" && !asset {
		return nil
	}
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return err
	}
	lines := strings.Split(string(bytes.TrimSuffix(data, []byte("\n"))), "\n")
	if asset {
		t.assets = append(t.assets, text{name, lines})
		return nil
	}
	if ext == ".md" {
		t.pages = append(t.pages, text{name, lines})
		return nil
	}
	f, err := parser.ParseFile(t.fset, name, data, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("parsing: %w", err)
	}
	t.sources = append(t.sources, source{text{name, lines}, f, strings.HasSuffix(name, "_test.go")})
	return nil
}

// code yields the sources that are not tests.
func (t *tree) code(yield func(source) bool) {
	for _, s := range t.sources {
		if !s.test && !yield(s) {
			return
		}
	}
}

// tests yields the sources that are.
func (t *tree) tests(yield func(source) bool) {
	for _, s := range t.sources {
		if s.test && !yield(s) {
			return
		}
	}
}
