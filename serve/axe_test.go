package serve_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/plenum-planner/plenum/internal/browsertest"
	"github.com/plenum-planner/plenum/serve"
)

// axe is the source of axe-core, which judges the accessibility of pages; PLENUM_AXE names its directory.
func axe(t *testing.T) string {
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

// judged lists what axe finds in a page: a line for each rule, with the first elements.
func (b *browser) judged() []string {
	b.T.Helper()
	return eval[[]string](b, `axe.run().then((r) => r.violations.map((v) =>
		v.id + " (" + v.nodes.length + "): " + v.help + v.nodes.slice(0, 3).map((n) =>
			"\n\t" + [...n.target, n.html.slice(0, 150), n.any[0] ? n.any[0].message : ""].join(" ")).join("")))`)
}

// wide sets the width of the window.
func (b *browser) wide(width int64) {
	browsertest.Call(b.Page, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: width, Height: 900, DeviceScaleFactor: 1,
	})
}

// TestAccessible has axe judge each state of the pages, wide and as wide as a phone, where nothing may be scrolled to
// the side.
func TestAccessible(t *testing.T) {
	source := axe(t)
	path := filepath.Join(t.TempDir(), "new.yaml")
	first := &browser{browsertest.New(t, 1440, 900, "http://127.0.0.1:")}
	first.Run(chromedp.Navigate(start(t, serve.Options{Path: path, Name: path, Start: true}).s.URL()),
		chromedp.WaitVisible(chromedp.CSS(`#import`)))
	eval[bool](first, source+"\ntrue")
	planner := open(t, run(t, pods).s.URL())
	planner.until(`document.body.dataset.ready === "yes" && plenum.state.floor.idle()`)
	eval[bool](planner, source+"\ntrue")
	for _, width := range []int64{1440, 390} {
		for _, state := range []string{"start", "Text", "Build", "Parts", "Variants"} {
			b := planner
			if state == "start" {
				b = first
			}
			b.wide(width)
			if state != "start" {
				b.press(button(state))
				b.until(`document.querySelector(".editor").dataset.tab === "` + strings.ToLower(state) + `"`)
			}
			b.Shot("axe-" + state + "-" + map[int64]string{1440: "wide", 390: "phone"}[width])
			for _, found := range b.judged() {
				t.Errorf("%s, %d wide: %s", state, width, found)
			}
			if over := eval[int](b, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
				t.Errorf("%s, %d wide: %d pixels are scrolled to the side", state, width, over)
			}
		}
	}
}
