package main

import (
	"go/ast"
	"go/token"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fzipp/gocyclo"
)

// A finding is one measurement: of a package, a file, a function or an arrow.
type finding struct {
	name  string // what is measured; it stays the same when lines move
	value int
	where []string // places, with what is there if that is not plain
}

func packageLines(t *tree) []finding {
	var out []finding
	index := map[string]int{}
	for s := range t.code {
		i, ok := index[s.folder()]
		if !ok {
			i = len(out)
			index[s.folder()] = i
			out = append(out, finding{name: s.folder()})
		}
		out[i].value += len(s.lines)
	}
	return out
}

func fileLines(sources iter.Seq[source]) []finding {
	var out []finding
	for s := range sources {
		out = append(out, finding{name: s.path, value: len(s.lines)})
	}
	return out
}

// A function is a declared function, a method, or a function literal that initialises a variable of a package.
type function struct {
	name string // folder.F, folder.(*T).M
	node ast.Node
}

// functions yields those of a file.
func (s source) functions(yield func(function) bool) {
	for _, decl := range s.ast.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if !yield(function{s.folder() + "." + receiver(d) + d.Name.Name, d}) {
				return
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				v, ok := spec.(*ast.ValueSpec)
				if !ok {
					continue
				}
				for i, value := range v.Values {
					lit, ok := value.(*ast.FuncLit)
					if ok && !yield(function{s.folder() + "." + v.Names[i].Name, lit}) {
						return
					}
				}
			}
		}
	}
}

// receiver returns "(*T)." or "T." of a method, without type parameters, and nothing of a function.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	name, pointer := receiverType(d)
	if pointer {
		return "(*" + name + ")."
	}
	return name + "."
}

// receiverType returns the name of the type that a method is of.
func receiverType(d *ast.FuncDecl) (name string, pointer bool) {
	x := d.Recv.List[0].Type
	for {
		switch e := x.(type) {
		case *ast.StarExpr:
			x, pointer = e.X, true
		case *ast.ParenExpr:
			x = e.X
		case *ast.IndexExpr:
			x = e.X
		case *ast.IndexListExpr:
			x = e.X
		case *ast.Ident:
			return e.Name, pointer
		default:
			return "?", pointer
		}
	}
}

// measureFunctions measures every function. Where several have one name (init, or one for each processor), the greatest
// counts.
func (t *tree) measureFunctions(sources iter.Seq[source], measure func(function) int) []finding {
	var out []finding
	index := map[string]int{}
	for s := range sources {
		for f := range s.functions {
			next := finding{f.name, measure(f), []string{t.place(f.node.Pos())}}
			if i, ok := index[f.name]; !ok {
				index[f.name] = len(out)
				out = append(out, next)
			} else if next.value > out[i].value {
				out[i] = next
			}
		}
	}
	return out
}

func (t *tree) functionLines(sources iter.Seq[source]) []finding {
	return t.measureFunctions(sources, func(f function) int {
		return t.fset.Position(f.node.End()).Line - t.fset.Position(f.node.Pos()).Line + 1
	})
}

func complexities(t *tree) []finding {
	return t.measureFunctions(t.code, func(f function) int { return gocyclo.Complexity(f.node) })
}

// place returns a position as file:line.
func (t *tree) place(p token.Pos) string {
	at := t.fset.Position(p)
	return at.Filename + ":" + strconv.Itoa(at.Line)
}

// Widths of lines.
const (
	maxColumns = 120
	tabColumns = 4
)

// columns returns the width of a line.
func columns(line string) int {
	return utf8.RuneCountInString(line) + (tabColumns-1)*strings.Count(line, "\t")
}

// wideLines finds the files that have lines which are too wide.
func wideLines(t *tree) []finding {
	var out []finding
	add := func(f finding) {
		if f.value > 0 {
			out = append(out, f)
		}
	}
	for _, s := range t.sources {
		add(s.wide(func(string) bool { return false }))
	}
	for _, p := range t.pages {
		add(p.wide(exempt()))
	}
	return out
}

func (t text) wide(exempt func(line string) bool) finding {
	f := finding{name: t.path}
	for i, line := range t.lines {
		if n := columns(line); !exempt(line) && n > maxColumns {
			f.value++
			f.where = append(f.where, t.path+":"+strconv.Itoa(i+1)+": "+strconv.Itoa(n)+" columns")
		}
	}
	return f
}

// exempt returns a function that is shown the lines of a page in their order, and says which may be of any width:
// rows of tables, blocks of code, and lines that have no space to break at behind a list's bullet.
func exempt() func(line string) bool {
	fence, before, indented := "", "", false
	return func(line string) bool {
		text := strings.TrimLeft(line, " \t")
		mark := text[:len(text)-len(strings.TrimLeft(text, "`~"))]
		wasBlank := before == ""
		before = text
		switch {
		case fence != "":
			if strings.HasPrefix(mark, fence) {
				fence = ""
			}
			return true
		case len(mark) >= 3:
			fence = mark
			return true
		case text == "":
			return true
		case strings.HasPrefix(line, "    ") && (wasBlank || indented):
			indented = true
			return true
		}
		indented = false
		for _, bullet := range []string{"* ", "- ", "> "} {
			text = strings.TrimPrefix(text, bullet)
		}
		return strings.HasPrefix(text, "|") || !strings.Contains(text, " ")
	}
}
