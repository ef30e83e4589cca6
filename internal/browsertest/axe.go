package browsertest

import (
	"os"
	"path/filepath"
	"testing"
)

// Axe is the source of axe-core, which judges the accessibility of pages; PLENUM_AXE names its directory. The test is
// skipped without it, or fails if PLENUM_REQUIRE_TOOLS is 1.
func Axe(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(os.Getenv("PLENUM_AXE"), "axe.min.js"))
	if err != nil {
		if os.Getenv("PLENUM_REQUIRE_TOOLS") == "1" {
			t.Fatal(err)
		}
		t.Skip("no axe-core of npm, which judges the accessibility of pages (PLENUM_AXE)")
	}
	return string(text)
}

// Judge reports what axe, whose source is given, finds in a page, as errors of a test: a line for each rule, with the
// first elements. It also reports how far the page can be scrolled to the side.
func (p *Page) Judge(axe, state string) {
	p.T.Helper()
	Eval[bool](p, `window.axe ? true : (() => {`+axe+`
		return true; })()`)
	found := Eval[[]string](p, `axe.run().then((r) => r.violations.map((v) =>
		v.id + " (" + v.nodes.length + "): " + v.help + v.nodes.slice(0, 3).map((n) =>
			"\n\t" + [...n.target, n.html.slice(0, 150), n.any[0] ? n.any[0].message : ""].join(" ")).join("")))`)
	for _, line := range found {
		p.T.Errorf("%s: %s", state, line)
	}
	if over := Eval[int](p, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
		p.T.Errorf("%s: %d pixels are scrolled to the side by %s", state, over, Eval[string](p, `[
			...document.body.querySelectorAll("*")].find((e) => e.getBoundingClientRect().right > innerWidth)?.outerHTML
			.slice(0, 200) ?? "nothing"`))
	}
}
