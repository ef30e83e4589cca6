package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// TestRepositoryHasNoViolations runs every check on this repository.
func TestRepositoryHasNoViolations(t *testing.T) {
	root, err := findRoot()
	if err != nil {
		t.Fatal(err)
	}
	tree, err := readTree(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	for _, message := range violations(tree) {
		t.Error(message)
	}
	for _, s := range sizes {
		if findings := s.largest(tree); len(findings) == 0 || findings[0].value == 0 {
			t.Errorf("%s measured nothing", s.name)
		}
	}
	if n := len(tree.imports()); n < 15 {
		t.Errorf("only %d packages", n)
	}
}

// read makes a tree of the files of an archive, and of a module file.
func read(t *testing.T, archive string) *tree {
	t.Helper()
	fsys := fstest.MapFS{"go.mod": {Data: []byte("module example.org/m\n")}}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		fsys[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	tree, err := readTree(fsys)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func names(findings []finding) []string {
	var out []string
	for _, f := range findings {
		out = append(out, f.name)
	}
	return out
}

func TestArrowsOfPageAndCodeAreEqual(t *testing.T) {
	const code = `
-- roof/a.go --
package roof
import (
	"fmt"

	"example.org/m/floor"
	"example.org/m/internal/x"
	"example.org/m/units"
)
-- roof/a_test.go --
package roof
import "example.org/m/cellar"
-- floor/a.go --
package floor
import "example.org/m/cellar"
-- cellar/a.go --
package cellar
-- units/a.go --
package units
-- internal/x/a.go --
package x
-- docs/reference/imports.md --
## Who imports whom

The rest is text -> and not read.

`
	for _, c := range []struct {
		name, lines string
		want        []string
	}{
		{"equal", "roof -> floor\nfloor -> cellar\ncellar -> nothing", nil},
		{"over two lines", "roof ->\n     floor\nfloor -> cellar\ncellar -> nothing", nil},
		{"an arrow too few", "roof -> nothing\nfloor -> cellar\ncellar -> nothing", []string{"roof->floor"}},
		{"an arrow too many", "roof -> floor, cellar\nfloor -> cellar\ncellar -> nothing", []string{"roof->cellar"}},
		{"upwards", "floor -> cellar\nroof -> floor\ncellar -> nothing", []string{"roof->floor"}},
		{"no line", "roof -> floor\nfloor -> cellar", []string{"cellar"}},
		{"two lines", "roof -> floor\nfloor -> cellar\ncellar -> nothing\nfloor -> cellar", []string{"floor"}},
		{"no package", "attic -> roof\nroof -> floor\nfloor -> cellar\ncellar -> nothing", []string{"attic"}},
		{"the ground", "roof -> floor, units\nfloor -> cellar\ncellar -> nothing", []string{"roof->units"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			page := "    " + strings.ReplaceAll(c.lines, "\n", "\n    ") + "\n\n## Another\n\n    x -> y\n"
			if diff := cmp.Diff(c.want, names(arrows(read(t, code+page)))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFunctionsAreMeasured(t *testing.T) {
	tree := read(t, `
-- p/a.go --
package p

// F has three lines and three ways.
func F(a, b bool) bool {
	return a && b || func() bool { return a }()
}

func (t *T[K, V]) M() {}

func (T[K, V]) N() { if true { } }

var G, H = func() {
}, 2
-- p/b.go --
package p

func init() {}
func init() {

}
-- p/testdata/a.go --
package p
func Unseen() {}
`)
	got := map[string]string{}
	branches := complexities(tree)
	for i, f := range tree.functionLines(tree.code) {
		got[f.name] = fmt.Sprint(f.value, " lines, complexity ", branches[i].value)
	}
	want := map[string]string{
		"p.F":      "3 lines, complexity 3",
		"p.(*T).M": "1 lines, complexity 1",
		"p.T.N":    "1 lines, complexity 2",
		"p.G":      "2 lines, complexity 1",
		"p.init":   "3 lines, complexity 1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestColumns(t *testing.T) {
	for line, want := range map[string]int{"": 0, "abc": 3, "\t\tx": 9, "äöü →": 5} {
		if got := columns(line); got != want {
			t.Errorf("%q has %d columns, want %d", line, got, want)
		}
	}
}

func TestWideLinesOfPages(t *testing.T) {
	wide := strings.Repeat("wide ", 30)
	unbroken := strings.Repeat("x", 130)
	for _, c := range []struct {
		name, page string
		want       int
	}{
		{"prose", wide, 1},
		{"a list", "* " + wide, 1},
		{"a heading", "# " + wide, 1},
		{"a table", "| " + wide + "|", 0},
		{"a link by itself", "[x](https://" + unbroken + ")", 0},
		{"a link in a list", "* <https://" + unbroken + ">", 0},
		{"a link behind words", "see [x](https://" + unbroken + ")", 1},
		{"a fence", "```sh\n" + wide + "\n```\n" + wide, 1},
		{"a fence in a fence", "````\n```\n" + wide + "\n````\n" + wide, 1},
		{"indented code", "text\n\n    " + wide + "\n    " + wide, 0},
		{"an indented continuation", "* text\n    " + wide, 1},
		{"just fits", strings.Repeat("x ", 60), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := wideLines(read(t, "-- a.md --\n"+c.page+"\n"))
			if len(got) != c.want || len(got) == 1 && got[0].value != 1 {
				t.Errorf("%v, want %d", got, c.want)
			}
		})
	}
}

func TestDocumented(t *testing.T) {
	tree := read(t, `
-- p/a.go --
package p

type Bare struct{ Field int }

// Told is.
type Told struct{}

func (*Bare) Method() {}
func (*Told) method() {}
func (hidden) Method() {}

type hidden int

// A group.
const (
	A = 1
	B = 2
)

const (
	C = 1 // told
	D = 2
)

func Function() {}
-- q/a.go --
// Package q is told.
package q
-- q/b.go --
package q
-- q/a_test.go --
package q
func Helper() {}
`)
	want := []string{"p.Bare", "p.(*Bare).Method", "p.D", "p.Function"}
	if diff := cmp.Diff(want, names(findUndocumented(tree))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"p"}, names(withoutPackageComment(tree))); diff != "" {
		t.Error(diff)
	}
}

// TestSizesNeverFail: p.f has 9,002 lines and 4,500 branches.
func TestSizesNeverFail(t *testing.T) {
	code := "-- p/a.go --\n// Package p is.\npackage p\nfunc f(a bool) {\n" +
		strings.Repeat("if a {\n}\n", 4500) + "}\n"
	tree := read(t, code+"-- docs/reference/imports.md --\n## Who imports whom\n\n    p -> nothing\n")
	if got := violations(tree); len(got) > 0 {
		t.Errorf("violations %q", got)
	}
	var b bytes.Buffer
	tree.printSizes(&b)
	for _, want := range []string{"lines a package        9004    9004  9004  p 9004", "p.f 9002", "p.f 4501"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

func TestViolationsNameTheirPlaces(t *testing.T) {
	wide := "//" + strings.Repeat(" wide", 24) + "\n"
	got := violations(read(t, "-- p/a.go --\npackage p\n\nfunc F() {}\n"+strings.Repeat(wide, 6)))
	want := []string{
		"arrows: p\n\tp: docs/reference/imports.md does not say what p imports",
		"line-width: p/a.go\n\tp/a.go:4: 122 columns\n\tp/a.go:5: 122 columns\n\tp/a.go:6: 122 columns\n" +
			"\tp/a.go:7: 122 columns\n\tp/a.go:8: 122 columns\n\t...",
		"documented: p.F\n\tp/a.go:3",
		"package-comment: p",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestInternalTypesInSignatures(t *testing.T) {
	tree := read(t, `-- a/a.go --
// Package a is public.
package a

import (
	"example.org/m/internal/i"
	other "example.org/m/internal/j"
)

func F(i.T) {}
func (s S) M() *other.T { return nil }
func hidden(i.T) {}

type S struct {
	Field []i.T
	own   i.T
	In    S
}
-- internal/i/i.go --
// Package i is internal.
package i

type T int
`)
	want := []string{"a.F has the type i.T", "a.S.M has the type other.T", "a.S.Field has the type i.T"}
	if diff := cmp.Diff(want, names(internalSignatures(tree))); diff != "" {
		t.Error(diff)
	}
}

func TestPrivateWords(t *testing.T) {
	tree := read(t, `-- p/a.go --
// Package p tells
// whether a breach is known.
package p

// Breaches is the name of the variable, and p.Breaches another.
var Breaches = "none picked"

// T has a tag, and there is no fault.
type T struct {
	F int `+"`json:\"x\" note:\"was told\"`"+`
}

const key = "picked"
-- p/a_test.go --
package p

var message = "it is told"
-- a.md --
The key `+"`breaches`"+`, and no breach. It is no
key. It is no longer.
-- b.yaml --
# reckoned
`)
	var got []string
	for _, f := range privateWords(tree) {
		got = append(got, f.where...)
	}
	want := []string{
		"p/a.go:1: tells whether", "a.md:1: It is no key", "p/a.go:2: breach", "a.md:1: breach",
		"p/a.go:6: picked", "b.yaml:1: reckoned",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
