package exported

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/template"

	"golang.org/x/tools/go/packages"
)

const module = "github.com/plenum-planner/plenum"

//go:embed testdata/calls.go.tmpl
var calls string

// load reads the types and the comments of the public packages.
func load(t *testing.T) []*packages.Package {
	t.Helper()
	all, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedTypes | packages.NeedSyntax,
		Dir:  "../..",
	}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	var public []*packages.Package
	for _, p := range all {
		for _, e := range p.Errors {
			t.Fatal(e)
		}
		if !isInternal(p.PkgPath) && p.Name != "main" {
			public = append(public, p)
		}
	}
	if len(public) < 50 {
		t.Fatalf("only %d public packages", len(public))
	}
	return public
}

func isInternal(path string) bool { return strings.Contains("/"+path+"/", "/internal/") }

// A function is exported by a public package.
type function struct {
	Name       string // with the folder of its package: cost.NewBill
	Expression string // that of the program which calls it
}

// functionsOf lists the exported functions of packages, except those that help tests and those with type parameters.
func functionsOf(list []*packages.Package) []function {
	var out []function
	for i, p := range list {
		for _, f := range exportedFunctions(p) {
			if !strings.Contains(f.Signature().String(), "testing.") && f.Signature().TypeParams().Len() == 0 {
				full := strings.TrimPrefix(p.PkgPath, module+"/") + "." + f.Name()
				out = append(out, function{full, fmt.Sprintf("p%d.%s", i, f.Name())})
			}
		}
	}
	return out
}

// A function may demand something by its own comment (the graph must be connected) or by that of a type that it takes
// (a zero Network is not usable).
var (
	demand = regexp.MustCompile(`\b([Mm]ust|panics)\b`)
	unfit  = regexp.MustCompile(`\b[Zz]ero\s+\w+\s+is\s+not\s+usable\b`)
)

// preconditions finds the functions whose comments, or those of the types that they take, say what callers must give.
func preconditions(list []*packages.Package) map[string]bool {
	comments, types := map[string]string{}, map[string]bool{}
	for _, p := range list {
		for _, file := range p.Syntax {
			for _, decl := range file.Decls {
				switch d := decl.(type) {
				case *ast.FuncDecl:
					if d.Recv == nil {
						comments[p.PkgPath+"."+d.Name.Name] = d.Doc.Text()
					}
				case *ast.GenDecl:
					for _, spec := range d.Specs {
						if s, ok := spec.(*ast.TypeSpec); ok && unfit.MatchString(d.Doc.Text()+s.Doc.Text()) {
							types[p.PkgPath+"."+s.Name.Name] = true
						}
					}
				}
			}
		}
	}
	out := map[string]bool{}
	for _, p := range list {
		for _, f := range exportedFunctions(p) {
			full := p.PkgPath + "." + f.Name()
			documented := demand.MatchString(comments[full])
			for v := range f.Signature().Params().Variables() {
				documented = documented || types[named(v.Type())]
			}
			out[strings.TrimPrefix(full, module+"/")] = documented
		}
	}
	return out
}

// named returns the package and the name of the type that a parameter is of, points to or is a slice of.
func named(t types.Type) string {
	switch u := t.(type) {
	case *types.Pointer:
		return named(u.Elem())
	case *types.Slice:
		return named(u.Elem())
	}
	return types.TypeString(t, nil)
}

// exportedFunctions lists the functions that a package exports.
func exportedFunctions(p *packages.Package) []*types.Func {
	var out []*types.Func
	for _, name := range p.Types.Scope().Names() {
		if f, ok := p.Types.Scope().Lookup(name).(*types.Func); ok && f.Exported() {
			out = append(out, f)
		}
	}
	return out
}

// Every exported function takes zero values and pointers to them, returns an error, or says what it must be given: in
// its own comment, or in that of a type. It need not take nil pointers and nil interfaces.
func TestFunctionsTakeZeroValues(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program of all packages")
	}
	list := load(t)
	functions := functionsOf(list)
	if len(functions) < 600 {
		t.Fatalf("only %d functions", len(functions))
	}
	documented, excused := preconditions(list), 0
	for _, r := range run(t, list, functions) {
		switch {
		case r.Fault == "" || r.Nil:
		case documented[r.Name]:
			excused++
		default:
			t.Errorf("%s: %s; its comment does not say what it must be given\n%s", r.Name, r.Fault, place(r.Stack))
		}
	}
	if excused > len(functions)/5 {
		t.Errorf("%d of %d functions demand more than zero values", excused, len(functions))
	}
	t.Logf("%d functions, of which %d demand more than zero values", len(functions), excused)
}

// A result is what came of a call.
type result struct {
	Name  string
	Nil   bool   // an argument is a nil interface, which functions need not take
	Fault string // empty if it returned
	Stack string
}

// run builds and runs the program that calls functions. Its source lies over the module, in no folder of it.
func run(t *testing.T, list []*packages.Package, functions []function) []result {
	t.Helper()
	var paths []string
	for _, p := range list {
		paths = append(paths, p.PkgPath)
	}
	var source bytes.Buffer
	err := template.Must(template.New("calls").Parse(calls)).Execute(&source, map[string]any{
		"Packages": paths, "Functions": functions,
	})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "main.go")
	write(t, file, unused(source.Bytes(), len(paths)))
	overlay, err := json.Marshal(map[string]map[string]string{
		"Replace": {filepath.Join(root, "internal", "exported", "calls", "main.go"): file},
	})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "overlay.json"), overlay)
	program := filepath.Join(dir, "calls")
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-ldflags=-s -w",
		"-overlay="+filepath.Join(dir, "overlay.json"), "-o", program, "./internal/exported/calls")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var results []result
	for len(results) < len(functions) {
		var stderr bytes.Buffer
		cmd := exec.CommandContext(t.Context(), program, strconv.Itoa(len(results)))
		cmd.Dir, cmd.Stderr = t.TempDir(), &stderr
		out, err := cmd.Output()
		for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
			var r result
			if err := d.Decode(&r); err != nil {
				t.Fatal(err)
			}
			results = append(results, r)
		}
		switch {
		case err != nil && len(results) < len(functions): // a panic that no call can recover
			results = append(results, result{
				Name: functions[len(results)].Name, Fault: "ends the program", Stack: stderr.String(),
			})
		case err != nil:
			t.Fatal(err, stderr.String())
		}
	}
	return results
}

// unused removes the imports of packages without functions that are called.
func unused(source []byte, packages int) []byte {
	for i := range packages {
		if !bytes.Contains(source, fmt.Appendf(nil, " p%d.", i)) {
			source = bytes.Replace(source, fmt.Appendf(nil, "\tp%d ", i), []byte("\t_ "), 1)
		}
	}
	return source
}

func write(t *testing.T, file string, data []byte) {
	t.Helper()
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// place returns the first lines of a stack below the panic.
func place(stack string) string {
	_, after, ok := strings.Cut(stack, "panic(")
	if !ok {
		after = stack
	}
	lines := strings.Split(after, "\n")
	return strings.Join(slices.DeleteFunc(lines[min(2, len(lines)):min(8, len(lines))], func(s string) bool {
		return strings.Contains(s, "runtime/")
	}), "\n")
}

// Programs outside of the module can name every type of exported signatures, those that are inferred included.
func TestSignaturesHaveNoInternalTypes(t *testing.T) {
	for _, p := range load(t) {
		scope := p.Types.Scope()
		for _, name := range scope.Names() {
			o := scope.Lookup(name)
			if !o.Exported() {
				continue
			}
			for _, s := range signatures(o) {
				types.TypeString(s, func(q *types.Package) string {
					if isInternal(q.Path()) {
						t.Errorf("%s.%s has a type of %s", p.PkgPath, name, q.Path())
					}
					return q.Name()
				})
			}
		}
	}
}

// signatures lists the types that an exported object shows: its own, and those of exported fields and methods.
func signatures(o types.Object) []types.Type {
	name, ok := o.(*types.TypeName)
	if !ok {
		return []types.Type{o.Type()}
	}
	var out []types.Type
	set := types.NewMethodSet(types.NewPointer(name.Type()))
	for m := range set.Methods() {
		if m.Obj().Exported() {
			out = append(out, m.Type())
		}
	}
	s, ok := name.Type().Underlying().(*types.Struct)
	if !ok {
		return append(out, name.Type().Underlying())
	}
	for f := range s.Fields() {
		if f.Exported() {
			out = append(out, f.Type())
		}
	}
	return out
}
