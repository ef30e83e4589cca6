package main

import (
	"go/ast"
	"go/token"
)

// findUndocumented finds the exported names without a comment: functions, types, methods of exported types, and
// constants and variables, of which a comment on the group will do.
func findUndocumented(t *tree) []finding {
	var out []finding
	for s := range t.code {
		for _, decl := range s.ast.Decls {
			for _, name := range bare(decl) {
				out = append(out, finding{s.folder() + "." + name.label, 1, []string{t.place(name.pos)}})
			}
		}
	}
	return out
}

// A bareName is an exported name without a comment.
type bareName struct {
	label string
	pos   token.Pos
}

func bare(decl ast.Decl) []bareName {
	var out []bareName
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Doc == nil && d.Name.IsExported() && ofExported(d) {
			out = append(out, bareName{receiver(d) + d.Name.Name, d.Pos()})
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch v := spec.(type) {
			case *ast.TypeSpec:
				if d.Doc == nil && v.Doc == nil && v.Comment == nil && v.Name.IsExported() {
					out = append(out, bareName{v.Name.Name, v.Pos()})
				}
			case *ast.ValueSpec:
				if d.Doc == nil && v.Doc == nil && v.Comment == nil && v.Names[0].IsExported() {
					out = append(out, bareName{v.Names[0].Name, v.Pos()})
				}
			}
		}
	}
	return out
}

// ofExported reports whether a function is a method of an exported type, or none.
func ofExported(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	name, _ := receiverType(d)
	return ast.IsExported(name)
}

// withoutPackageComment finds the packages of which no file says what they are for.
func withoutPackageComment(t *tree) []finding {
	var order []string
	commented := map[string]bool{}
	for s := range t.code {
		if _, seen := commented[s.folder()]; !seen {
			order = append(order, s.folder())
		}
		commented[s.folder()] = commented[s.folder()] || s.ast.Doc != nil
	}
	var out []finding
	for _, pkg := range order {
		if !commented[pkg] {
			out = append(out, finding{pkg, 1, nil})
		}
	}
	return out
}
