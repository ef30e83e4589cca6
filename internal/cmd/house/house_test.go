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

// TestHouseKeepsItsLimits holds this repository to its limits.
func TestHouseKeepsItsLimits(t *testing.T) {
	root, err := findRoot()
	if err != nil {
		t.Fatal(err)
	}
	tree, err := readTree(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	r := inspect(tree)
	for _, f := range r.failures {
		t.Error(f.message)
	}
	for _, v := range r.verdicts {
		if v.most > 0 && v.greatest.value == 0 {
			t.Errorf("%s measured nothing", v.name)
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
-- docs/architecture.md --
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
			if len(got) != 1 || got[0].value != c.want {
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
	if diff := cmp.Diff(want, names(undocumented(tree))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"p"}, names(withoutPackageComment(tree))); diff != "" {
		t.Error(diff)
	}
}

// TestKnownBreachesOnlyShrink: p.F has 90 lines.
func TestKnownBreachesOnlyShrink(t *testing.T) {
	long := "-- p/a.go --\n// Package p is.\npackage p\nfunc f() {\n" + strings.Repeat("\n", 88) + "}\n" +
		"-- docs/architecture.md --\n## Who imports whom\n\n    p -> nothing\n"
	for _, c := range []struct {
		name, known, kernels string
		want                 []string // what failures begin with
		shrunk               string
	}{
		{"new", "", "", []string{"function-lines: p.f"}, ""},
		{"known", "function-lines p.f 90", "", nil, "function-lines p.f 90\n"},
		{"has shrunk", "function-lines p.f 99", "", nil, "function-lines p.f 90\n"},
		{"has grown", "function-lines p.f 85", "", []string{"function-lines: p.f"}, "function-lines p.f 85\n"},
		{
			"no breach", "function-lines p.f 90\ncomplexity p.f 30", "",
			[]string{"internal/cmd/house/known.txt: complexity p.f"},
			"function-lines p.f 90\n",
		},
		{"kernel", "", "p.f is fast so", nil, ""},
		{"kernel and known", "function-lines p.f 90", "p.f is fast so", []string{knownFile}, ""},
		{"idle kernel", "", "p.f is fast so\np.g too", []string{kernelsFile + ": p.g"}, ""},
		{"kernel twice", "", "p.f is fast so\np.f again", []string{kernelsFile + ": p.f is listed twice"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := read(t, long+"-- "+knownFile+" --\n"+c.known+"\n-- "+kernelsFile+" --\n"+c.kernels+"\n")
			r := inspect(tree)
			for i, f := range r.failures {
				if i >= len(c.want) || !strings.HasPrefix(f.message, c.want[i]) {
					t.Errorf("failed: %s", f.message)
				}
			}
			if len(r.failures) < len(c.want) {
				t.Errorf("%d failures, want %q", len(r.failures), c.want)
			}
			if got := strings.TrimPrefix(string(r.shrunk(tree)), knownHeader); got != c.shrunk {
				t.Errorf("shrinks to %q, want %q", got, c.shrunk)
			}
		})
	}
}

func TestListsAreRead(t *testing.T) {
	for name, content := range map[string]string{
		knownFile:   "function-lines f",
		kernelsFile: "f",
	} {
		fsys := fstest.MapFS{"go.mod": {Data: []byte("module m\n")}, name: {Data: []byte("# x\n" + content + "\n")}}
		if _, err := readTree(fsys); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheTable(t *testing.T) {
	var b bytes.Buffer
	tree := read(t, "-- p/a.go --\npackage p\n\nfunc F() {}\n")
	tree.printFacts(&b)
	r := inspect(tree)
	r.print(&b)
	r.list(&b)
	for _, want := range []string{
		"1 packages, 1 files, 3 lines", "file-lines       600      0", "p/a.go 3",
		"docs/architecture.md does not say what p imports", "documented p.F 1",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
