package serve_test

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/plenum-planner/plenum/internal/browsertest"
	"github.com/plenum-planner/plenum/serve"
)

// wide sets the width of the window.
func (b *browser) wide(width int64) {
	browsertest.Call(b.Page, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: width, Height: 900, DeviceScaleFactor: 1,
	})
}

// TestAccessible has axe judge each state of the pages, wide and as wide as a phone, where nothing may be scrolled to
// the side.
func TestAccessible(t *testing.T) {
	source := browsertest.Axe(t)
	path := filepath.Join(t.TempDir(), "new.yaml")
	first := &browser{browsertest.New(t, 1440, 900, "http://127.0.0.1:")}
	first.Run(chromedp.Navigate(start(t, serve.Options{Path: path, Name: path, Start: true}).s.URL()),
		chromedp.WaitVisible(chromedp.CSS(`#import`)))
	planner := open(t, run(t, pods).s.URL())
	planner.until(`document.body.dataset.ready === "yes" && plenum.state.floor.idle()`)
	for _, width := range []int64{1440, 390} {
		judge := func(b *browser, state string) {
			t.Helper()
			b.Shot("axe-" + state + "-" + strconv.FormatInt(width, 10))
			b.Judge(source, state+", "+strconv.FormatInt(width, 10)+" wide")
		}
		first.wide(width)
		judge(first, "start")
		planner.wide(width)
		for _, tab := range []string{"Text", "Build", "Parts", "Variants"} {
			planner.press(button(tab))
			planner.until(`document.querySelector(".editor").dataset.tab === "` + strings.ToLower(tab) + `"`)
			judge(planner, tab)
		}
	}
}

// TestActsAreAccessible has axe judge the page while something is done: a mistake, completions, a rack and its forms,
// something that is placed, a variant, a question and a dialog.
func TestActsAreAccessible(t *testing.T) {
	source := browsertest.Axe(t)
	for _, width := range []int64{1440, 390} {
		b := open(t, run(t, strings.Replace(pods, "room: {", "room: {width: 12 m, depth: 10 m, ", 1)).s.URL())
		b.wide(width)
		b.until(`document.body.dataset.ready === "yes" && plenum.state.floor.idle()`)
		judge := func(state string) {
			t.Helper()
			b.Shot("axe-" + state + "-" + strconv.FormatInt(width, 10))
			b.Judge(source, state+", "+strconv.FormatInt(width, 10)+" wide")
		}
		b.typed("rows: 2", "rows: 2x")
		b.until(`document.querySelectorAll(".mistakes li").length === 1`)
		judge("mistake")
		b.does(button("undo"))
		b.typed("room: {", "room: {tra")
		eval[bool](b, `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: " ", ctrlKey: true }))`)
		b.until(`document.querySelectorAll(".completions li").length > 0`)
		judge("completions")
		eval[bool](b, `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }))`)
		b.does(button("undo"))
		eval[bool](b, `(plenum.state.pickRack(0), true)`)
		judge("rack")
		eval[bool](b, `plenum.state.floor.element.dispatchEvent(new KeyboardEvent("keydown", { key: "c" }))`)
		judge("carried")
		eval[bool](b, `plenum.state.floor.element.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }))`)
		b.press(button("Build"))
		b.press(button("Add a column"))
		judge("placing")
		eval[bool](b, `plenum.state.floor.element.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }))`)
		b.press(button("Variants"))
		b.press(`document.querySelector('[name="variant"]')`)
		eval[bool](b, `document.execCommand("insertText", false, "other")`)
		b.press(button("Duplicate"))
		b.until(button("Floors side by side"))
		b.press(button("Delete"))
		judge("question")
		b.press(button("Keep it"))
		b.press(button("Floors side by side"))
		b.until(`document.querySelector("dialog[open]")`)
		judge("dialog")
	}
}
