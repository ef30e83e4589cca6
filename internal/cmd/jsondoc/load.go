package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

const module = "github.com/plenum-planner/plenum/"

// command is the package that prints documents; those in its internal folder do as well.
const command = "cmd/plenum"

// source is the repository's code: its types, and what stands beside every field.
type source struct {
	fset     *token.FileSet
	packages map[string]*packages.Package
	comments map[place]string // of fields and types
}

// place is a line of a file. Types of other packages come from compiled code, which keeps no finer positions.
type place struct {
	file string
	line int
}

// load reads the packages under a folder.
func load(dir string) (*source, error) {
	s := &source{fset: token.NewFileSet(), packages: map[string]*packages.Package{}, comments: map[place]string{}}
	list, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedTypes |
			packages.NeedSyntax | packages.NeedTypesInfo,
		Dir: dir, Fset: s.fset,
	}, "./...")
	if err != nil {
		return nil, err
	}
	for _, p := range list {
		for _, e := range p.Errors {
			return nil, fmt.Errorf("%s: %s", p.PkgPath, e.Msg)
		}
		s.packages[strings.TrimPrefix(p.PkgPath, module)] = p
		for _, file := range p.Syntax {
			ast.Inspect(file, s.note)
		}
	}
	return s, nil
}

// note keeps the comments of fields and types.
func (s *source) note(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GenDecl:
		for _, spec := range n.Specs {
			if t, ok := spec.(*ast.TypeSpec); ok {
				s.comments[s.at(t.Name.Pos())] = joinComments(n.Doc)
			}
		}
	case *ast.TypeSpec:
		if n.Doc != nil {
			s.comments[s.at(n.Name.Pos())] = joinComments(n.Doc)
		}
	case *ast.Field:
		for _, name := range n.Names {
			s.comments[s.at(name.Pos())] = joinComments(n.Doc, n.Comment)
		}
	}
	return true
}

func (s *source) at(pos token.Pos) place {
	p := s.fset.Position(pos)
	return place{p.Filename, p.Line}
}

// joinComments returns the text of comments on one line.
func joinComments(groups ...*ast.CommentGroup) string {
	var out []string
	for _, g := range groups {
		if g != nil {
			out = append(out, strings.Fields(g.Text())...)
		}
	}
	return strings.Join(out, " ")
}

// lookup finds a type by the folder of its package and its name, as cost.Row.
func (s *source) lookup(name string) (types.Type, error) {
	dir, ident, _ := strings.Cut(name, ".")
	p := s.packages[dir]
	if p == nil {
		return nil, fmt.Errorf("there is no package %s", dir)
	}
	o := p.Types.Scope().Lookup(ident)
	if o == nil {
		return nil, fmt.Errorf("there is no type %s", name)
	}
	return o.Type(), nil
}

// documents lists the types of what the command hands to render.Document, in the order of its packages and files.
func (s *source) documents() ([]string, error) {
	if s.packages[command] == nil {
		return nil, fmt.Errorf("there is no package %s", command)
	}
	var out []string
	var wrong error
	for _, name := range slices.Sorted(maps.Keys(s.packages)) {
		if name == command || strings.HasPrefix(name, command+"/internal/") {
			found, err := s.documentTypes(s.packages[name])
			out, wrong = append(out, found...), errors.Join(wrong, err)
		}
	}
	return out, wrong
}

// documentTypes lists the types of what a package hands to render.Document.
func (s *source) documentTypes(p *packages.Package) (out []string, wrong error) {
	for _, file := range p.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 3 {
				return true
			}
			f, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || f.Sel.Name != "Document" {
				return true
			}
			if x, ok := f.X.(*ast.Ident); !ok || x.Name != "render" {
				return true
			}
			name := typeName(p.TypesInfo.TypeOf(call.Args[2]))
			if name == "" {
				wrong = fmt.Errorf("%v: a document needs a type with a name", s.fset.Position(call.Pos()))
				return true
			}
			out = append(out, name)
			return true
		})
	}
	return out, wrong
}

// typeName is the name of a type, or of what it points to, by the folder of its package; none if it has none.
func typeName(t types.Type) string {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := t.(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return ""
	}
	return strings.TrimPrefix(n.Obj().Pkg().Path(), module) + "." + n.Obj().Name()
}
