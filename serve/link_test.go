package serve_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/plenum-planner/plenum/internal/browsertest"
	"github.com/plenum-planner/plenum/serve"
)

// TestLinkToARackOfAVariant opens the link of a page that shows a rack of a variant: the fresh page has the variant,
// the way to edit, and the rack with its ways to move and copy it.
func TestLinkToARackOfAVariant(t *testing.T) {
	v := run(t, clusters)
	beside := filepath.Join(filepath.Dir(v.path), "machine.large.yaml")
	if err := os.WriteFile(beside, []byte(strings.Replace(clusters, "nodes: 64", "nodes: 96", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	b := open(t, v.s.URL())
	b.until(`document.body.dataset.ready === "yes" && plenum.state.floor.idle()`)
	b.press(button("Variants"))
	b.press(`document.querySelector('[data-variant="large"]')`)
	b.until(`document.querySelector(".editbar h2").textContent === "machine.large.yaml" &&
		plenum.state.model.plan.nodes === 96`)
	b.click(b.rackAt("A01"))
	b.until(`["variant=large", "tab=variants", "rack=A01"].every((part) => location.hash.includes(part))`)
	eval[bool](b, `(navigator.clipboard.writeText = (text) => { window.copied = text;
		return Promise.resolve(); }, true)`)
	b.press(`document.querySelector('button.copylink')`)
	b.until(`document.querySelector(".copylink output").textContent === "Link copied"`)
	link := eval[string](b, `window.copied`)
	if now := eval[string](b, `location.href`); link != now {
		t.Errorf("%s is copied at %s", link, now)
	}
	b.shot("link-copied")

	again := &browser{browsertest.New(t, 1440, 900, "http://127.0.0.1:")} // whose editor shows no text
	again.Run(chromedp.Navigate(link), chromedp.WaitVisible(chromedp.CSS(`.editbar .save`)))
	again.until(`document.querySelector(".editbar h2").textContent === "machine.large.yaml" &&
		plenum.state?.model.plan.nodes === 96 && document.querySelector(".details h3").textContent === "Rack A01"`)
	for _, name := range []string{"Move", "Copy", "Copy a box ..."} {
		again.until(button(name))
	}
	if got := eval[string](again, `document.querySelector(".editor").dataset.tab`); got != "variants" {
		t.Errorf("the editor shows %q", got)
	}
	again.shot("link-opened")

	// So does a link to a rack of the machine file; one to a variant that is not there says so.
	plain := open(t, v.s.URL()+"#rack=A01")
	plain.until(button("Move"))
	eval[bool](plain, `(location.hash = "variant=none&rack=A03", true)`)
	plain.until(editorSays + `.includes("variant none of the link is not opened")`)
	b.Quiet()
}

// TestExampleOpensAtItsTop opens an example far down on the start page of a phone: the planner begins at its top.
func TestExampleOpensAtItsTop(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new.yaml")
	b := &browser{browsertest.New(t, 390, 844, "http://127.0.0.1:")}
	b.Run(chromedp.Navigate(start(t, serve.Options{Path: path, Name: path, Start: true}).s.URL()),
		chromedp.WaitVisible(chromedp.CSS(`#examples button`)))
	eval[bool](b, `((e) => { e.scrollIntoView(); e.click(); return scrollY > 500; })(
		[...document.querySelectorAll("#examples button")].find((e) => e.textContent.startsWith("DGX BasePOD")))`)
	b.Run(chromedp.WaitVisible(chromedp.CSS(`.editbar .save`)))
	b.untilPage(`document.body.dataset.ready === "yes" && window.plenum?.state?.floor.idle()`)
	if got := eval[int](b, `scrollY`); got != 0 {
		t.Errorf("the page begins %d pixels below its top", got)
	}
	b.shot("example-top")
}
