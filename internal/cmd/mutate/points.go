package main

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// A point is a place in a file that can be mutated.
type point struct {
	id       int // from 1
	from, to token.Pos
	what     string // the mutation, for people: "+ becomes -"
	// render returns the text that holds both the original and the mutated code.
	render func(src *source) string
}

// operators are the mutations of binary operators: the function of package mutant, and what it does.
var operators = map[token.Token][2]string{
	token.ADD: {"Add", "+ becomes -"}, token.SUB: {"Sub", "- becomes +"}, token.MUL: {"Mul", "* becomes /"},
	token.QUO: {"Quo", "/ becomes *"}, token.REM: {"Rem", "% becomes /"},
	token.LSS: {"Lss", "< becomes >="}, token.LEQ: {"Leq", "<= becomes >"},
	token.GTR: {"Gtr", "> becomes <="}, token.GEQ: {"Geq", ">= becomes <"},
}

// roundings are functions that round, each with what it becomes.
var roundings = map[string]string{"math.Ceil": "math.Floor", "math.Floor": "math.Ceil", "math.Round": "math.Floor"}

// ends are the fields of the two ends of something, each with the other.
var ends = func() map[string]string {
	both := map[string]string{}
	for _, p := range [][2]string{
		{"A", "B"},
		{"PortA", "PortB"},
		{"OpticA", "OpticB"},
		{"From", "To"},
		{"Src", "Dst"},
		{"Low", "High"},
		{"SlotA", "SlotB"},
		{"Width", "Depth"},
	} {
		both[p[0]], both[p[1]] = p[1], p[0]
	}
	return both
}()

// finder collects the points of a package.
type finder struct {
	pkg    *packages.Package
	points []*point
	next   int
}

func (f *finder) add(n ast.Node, what string, render func(src *source, id int) string) {
	f.next++
	id := f.next
	f.points = append(f.points, &point{id, n.Pos(), n.End(), what, func(src *source) string { return render(src, id) }})
}

// file finds the points of a file.
func (f *finder) file(file *ast.File) {
	var path []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		if f.skips(n) {
			return false
		}
		f.visit(n, path)
		path = append(path, n)
		return true
	})
}

// skips reports whether nothing in a node is to be mutated: types, constants, and what only reserves memory.
func (f *finder) skips(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Tok == token.CONST || n.Tok == token.IMPORT || n.Tok == token.TYPE
	case *ast.CallExpr:
		name := f.callee(n)
		return name == "make" || name == "panic" || name == "slices.Grow"
	case *ast.FuncDecl:
		return n.Body == nil || n.Name.Name == "String" || n.Name.Name == "Error"
	}
	return false
}

// callee names a called builtin function or function of another package.
func (f *finder) callee(c *ast.CallExpr) string {
	switch fun := c.Fun.(type) {
	case *ast.Ident:
		if _, ok := f.pkg.TypesInfo.Uses[fun].(*types.Builtin); ok {
			return fun.Name
		}
	case *ast.SelectorExpr:
		if x, ok := fun.X.(*ast.Ident); ok {
			if _, ok := f.pkg.TypesInfo.Uses[x].(*types.PkgName); ok {
				return x.Name + "." + fun.Sel.Name
			}
		}
	}
	return ""
}

func (f *finder) visit(n ast.Node, path []ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		op, ok := operators[n.Op]
		if !ok || !f.number(n.X) || !f.number(n.Y) || f.constant(n) {
			return
		}
		f.add(n, op[1], func(src *source, id int) string {
			return src.call(op[0], id, n.X, n.Y)
		})
	case *ast.CallExpr:
		f.call(n)
	case *ast.AssignStmt:
		f.assignment(n, path)
	case *ast.SelectorExpr:
		f.end(n, path)
	}
}

// call mutates roundings, and the least and the greatest of two numbers.
func (f *finder) call(n *ast.CallExpr) {
	if f.constant(n) || len(n.Args) == 0 || !f.number(n.Args[0]) {
		return
	}
	name := f.callee(n)
	if to := roundings[name]; to != "" {
		f.add(n, name+" becomes "+to, func(src *source, id int) string {
			return src.helper("Pick") + "(" + src.number(id) + ", " + name + ", " + to + ")(" +
				src.text(n.Args[0].Pos(), n.Args[0].End()) + ")"
		})
	}
	if name == "min" && len(n.Args) == 2 {
		f.add(n, "min becomes max", func(src *source, id int) string { return src.call("Min", id, n.Args...) })
	}
	if name == "max" && len(n.Args) == 2 {
		f.add(n, "max becomes min", func(src *source, id int) string { return src.call("Max", id, n.Args...) })
	}
}

// assignment mutates x += y and x -= y: the other sign, and without the statement.
func (f *finder) assignment(n *ast.AssignStmt, path []ast.Node) {
	other := map[token.Token]string{token.ADD_ASSIGN: "-=", token.SUB_ASSIGN: "+="}[n.Tok]
	if other == "" || !f.number(n.Lhs[0]) || !inList(path) {
		return
	}
	f.next++
	drop := f.next // is rendered with the other
	f.points = append(f.points, &point{id: drop, from: n.Pos(), to: n.End(), what: "without the statement"})
	f.add(n, n.Tok.String()+" becomes "+other, func(src *source, id int) string {
		x, y := src.text(n.Lhs[0].Pos(), n.Lhs[0].End()), src.text(n.Rhs[0].Pos(), n.Rhs[0].End())
		return "{ if " + src.on(drop) + " { _ = " + y + " } else if " + src.on(id) + " { " + x + other +
			src.original(n.Rhs[0].Pos(), n.Rhs[0].End()) + " } else { " + x + n.Tok.String() + y + " } }"
	})
}

// inList reports whether the innermost node is a list of statements.
func inList(path []ast.Node) bool {
	switch path[len(path)-1].(type) {
	case *ast.BlockStmt, *ast.CaseClause:
		return true
	}
	return false
}

// end mutates a field of one end that is read: to the same field of the other end.
func (f *finder) end(n *ast.SelectorExpr, path []ast.Node) {
	other, ok := ends[n.Sel.Name]
	sel := f.pkg.TypesInfo.Selections[n]
	if !ok || sel == nil || sel.Kind() != types.FieldVal || !f.plain(n.X) {
		return
	}
	switch p := path[len(path)-1].(type) {
	case *ast.AssignStmt:
		for _, l := range p.Lhs {
			if l == n {
				return
			}
		}
	case *ast.UnaryExpr, *ast.IncDecStmt, *ast.SelectorExpr, *ast.RangeStmt, *ast.StarExpr, *ast.IndexExpr,
		*ast.SliceExpr:
		return // may be assigned to, or its address taken
	}
	if t, _, _ := types.LookupFieldOrMethod(sel.Recv(), true, f.pkg.Types, other); t == nil ||
		!types.Identical(t.Type(), sel.Type()) {
		return
	}
	if _, isFunc := sel.Type().Underlying().(*types.Signature); isFunc {
		return
	}
	f.add(n, n.Sel.Name+" becomes "+other, func(src *source, id int) string {
		x := src.original(n.X.Pos(), n.X.End())
		return src.helper("Pick") + "(" + src.number(id) + ", " + x + "." + n.Sel.Name + ", " + x + "." + other + ")"
	})
}

// plain reports whether reading an expression twice is the same as once.
func (f *finder) plain(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return f.plain(x.X)
	}
	return false
}

// number reports whether an expression is a number.
func (f *finder) number(x ast.Expr) bool {
	t := f.pkg.TypesInfo.TypeOf(x)
	if t == nil {
		return false
	}
	if _, generic := t.(*types.TypeParam); generic {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsInteger|types.IsFloat) != 0
}

func (f *finder) constant(x ast.Expr) bool {
	v := f.pkg.TypesInfo.Types[x].Value
	return v != nil && v.Kind() != constant.Unknown
}
