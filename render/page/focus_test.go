package page_test

import (
	"bytes"
	"image"
	"image/png"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// TestFocusIsSeen gives the focus to the floor, the view in three dimensions and the tables, as keys do: each has a
// ring then, which changes as many pixels as two lines around it have.
func TestFocusIsSeen(t *testing.T) {
	b := open(t, write(t, planOf(t, "basepod")), 1200, 800)
	shot := func() image.Image {
		eval[bool](b, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
		data, err := chromedp.Run(b.Ctx, chromedp.CaptureScreenshot())
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		return img
	}
	for _, kind := range []input.DispatchKeyEventType{
		input.DispatchKeyEventTypeRawKeyDown, input.DispatchKeyEventTypeKeyUp,
	} {
		call(b, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: "Tab", WindowsVirtualKeyCode: 9})
	}
	for _, c := range []struct{ view, element string }{
		{"floor", ".plan"},
		{"floor", ".details"},
		{"cables", "#view-cables .longbody"},
		{"bill", "#view-bill .scroll"},
		{"space", "canvas.space"},
	} {
		eval[bool](b, `(document.querySelector('[aria-controls="view-`+c.view+`"]').click(), true)`)
		if c.view == "space" {
			b.Run(chromedp.WaitVisible(chromedp.CSS("canvas.space[data-drawn]")))
		}
		b.settle()
		eval[bool](b, `(document.activeElement.blur(), true)`)
		without := shot()
		around := eval[float64](b, `(() => { const e = document.querySelector("`+c.element+`");
			const r = e.getBoundingClientRect();
			e.focus();
			return 2 * (r.width + Math.min(r.height, innerHeight - r.top)); })()`)
		with, changed := shot(), 0
		for x := range with.Bounds().Dx() {
			for y := range with.Bounds().Dy() {
				if with.At(x, y) != without.At(x, y) {
					changed++
				}
			}
		}
		if float64(changed) < 1.8*around {
			t.Errorf("%s: the focus changes %d pixels, of a ring of %.0f", c.element, changed, around)
		}
		b.Shot("focus-" + c.view)
	}

	// What readers of screens say of the figures, and of tables.
	got := eval[string](b, `[...document.querySelectorAll(".key button")].map((e) => e.ariaLabel).slice(0, 3).join()`)
	if got != "Boxes: 31,Racks: 6,Cables: 157" {
		t.Errorf("the figures are named %q", got)
	}
	b.Quiet()
}
