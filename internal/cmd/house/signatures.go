package main

import (
	"go/ast"
	"strconv"
	"strings"
)

// internalSignatures finds exported functions, fields and methods, outside of internal packages and commands, whose
// types are from internal packages: who imports the module cannot name these.
func internalSignatures(t *tree) []finding {
	var out []finding
	for s := range t.code {
		if strings.Contains("/"+s.folder()+"/", "/internal/") || s.ast.Name.Name == "main" {
			continue
		}
		names := internalImports(s.ast)
		if len(names) == 0 {
			continue
		}
		for _, decl := range s.ast.Decls {
			for label, node := range signatures(decl) {
				ast.Inspect(node, func(n ast.Node) bool {
					if sel, ok := n.(*ast.SelectorExpr); ok {
						if x, ok := sel.X.(*ast.Ident); ok && names[x.Name] {
							out = append(out, finding{
								s.folder() + "." + label + " has the type " + x.Name + "." + sel.Sel.Name, 1,
								[]string{t.place(sel.Pos())},
							})
						}
					}
					return true
				})
			}
		}
	}
	return out
}

// internalImports returns the names by which a file uses internal packages.
func internalImports(f *ast.File) map[string]bool {
	names := map[string]bool{}
	for _, i := range f.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil || !strings.Contains("/"+path+"/", "/internal/") {
			continue
		}
		name := path[strings.LastIndex(path, "/")+1:]
		if i.Name != nil {
			name = i.Name.Name
		}
		names[name] = true
	}
	return names
}

// signatures returns the exported parts of a declaration: the types of a function, of exported fields, of variables.
func signatures(decl ast.Decl) map[string]ast.Node {
	out := map[string]ast.Node{}
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && ofExported(d) {
			out[receiver(d)+d.Name.Name] = d.Type
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch v := spec.(type) {
			case *ast.TypeSpec:
				if v.Name.IsExported() {
					exportedParts(v, out)
				}
			case *ast.ValueSpec:
				if v.Names[0].IsExported() && v.Type != nil {
					out[v.Names[0].Name] = v.Type
				}
			}
		}
	}
	return out
}

// exportedParts adds the exported fields of a struct, or the whole of another type.
func exportedParts(v *ast.TypeSpec, out map[string]ast.Node) {
	s, ok := v.Type.(*ast.StructType)
	if !ok {
		out[v.Name.Name] = v.Type
		return
	}
	for _, f := range s.Fields.List {
		for _, n := range f.Names {
			if n.IsExported() {
				out[v.Name.Name+"."+n.Name] = f.Type
			}
		}
		if len(f.Names) == 0 {
			out[v.Name.Name] = f.Type
		}
	}
}
