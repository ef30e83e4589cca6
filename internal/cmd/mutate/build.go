package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"golang.org/x/tools/go/packages"
)

//go:embed mutant.go.txt
var mutantSource []byte

// load reads packages with their types.
func load(ctx context.Context, patterns []string) ([]*packages.Package, error) {
	loaded, err := packages.Load(&packages.Config{
		Context: ctx,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedSyntax |
			packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedDeps |
			packages.NeedModule,
	}, patterns...)
	if err != nil {
		return nil, err
	}
	if packages.PrintErrors(loaded) > 0 {
		return nil, errors.New("packages that do not compile cannot be mutated")
	}
	return loaded, nil
}

// A binary is the compiled tests of a package with all its mutations in them.
type binary struct {
	path   string
	points []*point
}

// build compiles the mutated tests of a package into a folder. Mutations that do not compile are left out.
func build(ctx context.Context, pkg *packages.Package, dir string) (*binary, error) {
	f := &finder{pkg: pkg}
	for _, file := range pkg.Syntax {
		f.file(file)
	}
	for range 20 {
		b := &binary{filepath.Join(dir, "mutated.test"), f.points}
		bad, err := b.compile(ctx, pkg, dir)
		if err == nil || len(bad) == 0 {
			return b, err
		}
		before := len(f.points)
		f.points = slices.DeleteFunc(f.points, func(p *point) bool {
			from, to := pkg.Fset.Position(p.from), pkg.Fset.Position(p.to)
			return slices.ContainsFunc(bad, func(at place) bool {
				return at.file == filepath.Base(from.Filename) && from.Line <= at.line && at.line <= to.Line
			})
		})
		if len(f.points) == before {
			return nil, err
		}
	}
	return nil, errors.New("the mutated package does not compile")
}

// A place is a line that does not compile.
type place struct {
	file string
	line int
}

// compile builds the tests and returns the lines with errors.
func (b *binary) compile(ctx context.Context, pkg *packages.Package, dir string) ([]place, error) {
	replaced := map[string]string{}
	write := func(path string, data []byte) error {
		to := filepath.Join(dir, strconv.Itoa(len(replaced))+".go")
		replaced[path] = to
		return os.WriteFile(to, data, 0o600)
	}
	helper := pkg.Module.Path + "/internal/mutant"
	if err := write(filepath.Join(pkg.Module.Dir, "internal", "mutant", "mutant.go"), mutantSource); err != nil {
		return nil, err
	}
	for i, file := range pkg.Syntax {
		path := pkg.CompiledGoFiles[i]
		points := slices.DeleteFunc(slices.Clone(b.points), func(p *point) bool {
			return p.from < file.FileStart || p.to > file.FileEnd
		})
		if len(points) == 0 {
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		src := newSource(data, file.FileStart, points)
		name := file.Name.End()
		text := src.original(file.FileStart, name) + "; import " + helperName + " " + strconv.Quote(helper) +
			src.text(name, file.FileEnd)
		if err := write(path, []byte(text)); err != nil {
			return nil, err
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return nil, err
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-gcflags=-e", "-overlay", list, "-o", b.path,
		pkg.PkgPath)
	cmd.Dir = pkg.Module.Dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		// The compiler names the files that stand in for the originals.
		names := map[string]string{}
		for path, to := range replaced {
			names[filepath.Base(to)] = filepath.Base(path)
		}
		bad := errorLines(stderr.String())
		for i := range bad {
			bad[i].file = cmp.Or(names[bad[i].file], bad[i].file)
		}
		return bad, fmt.Errorf("%w\n%s", err, stderr.String())
	}
	return nil, nil
}

var errorLine = regexp.MustCompile(`(?m)([^/\s:]+\.go):(\d+):\d+: `)

// errorLines reads the places from what the compiler prints. Mutated files keep the lines of their originals.
func errorLines(text string) []place {
	var out []place
	for _, m := range errorLine.FindAllStringSubmatch(text, -1) {
		line, _ := strconv.Atoi(m[2])
		out = append(out, place{m[1], line})
	}
	return out
}
