package serve_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/plenum-planner/plenum/internal/browsertest"
	"github.com/plenum-planner/plenum/serve"
)

// Kept pictures have the mean colour of each square of the window. Letters are bars of a font of the test's own, and
// form controls are plain boxes, so that the pictures depend neither on the fonts of a machine nor much on its browser.
const (
	square   = 4  // pixels, of the window
	mostOff  = 10 // of a channel of a square, of 255
	mostCell = 16 // squares that may be further off
)

// blocks has a page show all letters as bars, also those on canvases, form controls as plain boxes, nothing that moves
// by itself, and no words about how long something took or where a file is.
const blocks = `(() => {
	const face = new FontFace("blocks", Uint8Array.from(atob("FONT"), (c) => c.charCodeAt(0)), { weight: "100 900" });
	document.fonts.add(face);
	face.load();
	const sheet = new CSSStyleSheet();
	sheet.replaceSync(` + "`" + `
		*, ::before, ::after, ::placeholder, ::marker, ::file-selector-button { font-family: blocks !important;
			text-rendering: geometricPrecision !important; /* without hints, which are settings of a machine */
			animation: none !important; transition: none !important; caret-color: transparent !important; }
		input, select, ::file-selector-button, ::-webkit-slider-thumb { appearance: none !important; }
		input:is([type="checkbox"], [type="radio"]) { width: 13px; height: 13px; border: 2px solid var(--accent); }
		input:checked { background: var(--accent); }
		input[type="range"] { height: 6px; background: var(--line); }
		::-webkit-slider-thumb { width: 12px; height: 12px; background: var(--accent); }
		::file-selector-button { border: 1px solid; }
		:is(#plenum-status, #where) { height: 40px; overflow: hidden; color: transparent !important; }
	` + "`" + `);
	document.adoptedStyleSheets.push(sheet);
	const font = Object.getOwnPropertyDescriptor(CanvasRenderingContext2D.prototype, "font");
	Object.defineProperty(CanvasRenderingContext2D.prototype, "font", { ...font, set(value) {
		font.set.call(this, value.replace(/px .*/, "px blocks"));
		this.textRendering = "geometricPrecision"; } });
})()`

// openBlocks opens an address in a page that shows blocks, and waits until a selector is in sight.
func openBlocks(t *testing.T, address, selector string) *browser {
	t.Helper()
	b := &browser{browsertest.New(t, 1440, 900, "http://127.0.0.1:")}
	browsertest.Call(b.Page, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: strings.Replace(blocks, "FONT", base64.StdEncoding.EncodeToString(blockFont()), 1),
	})
	b.Run(chromedp.Navigate(address), chromedp.WaitVisible(chromedp.CSS(selector)))
	return b
}

// picture returns the mean colours of the squares of the window.
func (b *browser) picture() *image.RGBA {
	b.T.Helper()
	b.quiet()
	fast := true
	shot := browsertest.Call(b.Page, page.CaptureScreenshot, page.CaptureScreenshotParams{OptimizeForSpeed: &fast})
	full := decode(b.T, shot.Data)
	out := image.NewRGBA(image.Rect(0, 0, full.Rect.Dx()/square, full.Rect.Dy()/square))
	for i := 0; i < len(out.Pix); i += 4 {
		x, y := square*(i/4%out.Rect.Dx()), square*(i/4/out.Rect.Dx())
		for k := range 3 {
			sum := 0
			for dy := range square {
				for dx := range square {
					sum += int(full.Pix[full.PixOffset(x+dx, y+dy)+k])
				}
			}
			out.Pix[i+k] = uint8(sum / (square * square))
		}
		out.Pix[i+3] = 0xff
	}
	return out
}

// decode reads a picture.
func decode(t *testing.T, data []byte) *image.RGBA {
	t.Helper()
	in, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	out := image.NewRGBA(in.Bounds())
	draw.Draw(out, out.Rect, in, image.Point{}, draw.Src)
	return out
}

// differing counts the squares whose colours differ.
func differing(a, b *image.RGBA) (n int) {
	if a.Rect != b.Rect {
		return a.Rect.Dx() * a.Rect.Dy()
	}
	for i := 0; i < len(a.Pix); i += 4 {
		for k := range 3 {
			if off := int(a.Pix[i+k]) - int(b.Pix[i+k]); off > mostOff || off < -mostOff {
				n++
				break
			}
		}
	}
	return n
}

// readPicture reads a kept picture, or writes it under PLENUM_UPDATE=1.
func readPicture(t *testing.T, path string, now *image.RGBA) *image.RGBA {
	t.Helper()
	if os.Getenv("PLENUM_UPDATE") == "1" {
		var out bytes.Buffer
		coarse := image.NewRGBA(now.Rect)
		for i, v := range now.Pix {
			coarse.Pix[i] = v&^7 | 4 // 32 steps a channel make small files
		}
		if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, coarse); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, out.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, data)
}

// scheme shows the page in light or dark colours.
func (b *browser) scheme(name string) {
	browsertest.Call(b.Page, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}},
	})
}

// quiet waits until the page is drawn.
func (b *browser) quiet() {
	b.T.Helper()
	eval[bool](b, `new Promise((done) => setTimeout(() => {
		const frames = () => requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
		const look = () => (window.plenum?.state?.floor?.idle() ?? true) ? frames() : setTimeout(look, 20);
		look(); }, 60))`)
}

// looksAsKept compares a part of the page with the kept picture of a state, in the ways that are named: wide, dark, or
// on a phone, which shows all that is on its screen once the part is scrolled to its top.
func (b *browser) looksAsKept(state, part string, ways ...string) {
	b.T.Helper()
	for _, way := range ways {
		switch way {
		case "dark":
			b.scheme("dark")
		case "phone":
			b.wide(390)
			b.quiet()
			eval[bool](b, `(document.querySelector(`+"`"+part+"`"+`).scrollIntoView({ block: "start" }), true)`)
		}
		got, path := b.picture(), filepath.Join("testdata", "pictures", state+"-"+way+".png")
		b.Shot("kept-" + state + "-" + way)
		if way != "phone" {
			got = b.only(got, part)
		}
		n := differing(got, readPicture(b.T, path, got))
		if n > mostCell {
			b.T.Errorf("%s, %s: %d of %d squares differ from %s; PLENUM_SHOTS=DIR shows the page, PLENUM_UPDATE=1 "+
				"keeps it: look at it then", state, way, n, len(got.Pix)/4, path)
		}
		b.T.Logf("%s, %s: %d squares differ", state, way, n)
		b.scheme("light")
		if way == "phone" {
			b.wide(1440)
			eval[bool](b, `(scrollTo(0, 0), true)`)
		}
	}
}

// only returns a part of the page from its picture.
func (b *browser) only(of *image.RGBA, part string) *image.RGBA {
	b.T.Helper()
	r := eval[[]int](b, `((r) => [r.left, r.top, r.right, r.bottom].map((v) => Math.round(v / `+
		strconv.Itoa(square)+`)))(document.querySelector(`+"`"+part+"`"+`).getBoundingClientRect())`)
	at := image.Rect(r[0], r[1], r[2], r[3]).Intersect(of.Rect)
	out := image.NewRGBA(image.Rect(0, 0, at.Dx(), at.Dy()))
	draw.Draw(out, out.Rect, of, at.Min, draw.Src)
	return out
}

// pictured is a machine with a room that breaks a rule.
var pictured = strings.Replace(pods, "room: {",
	"room: {width: 12 m, depth: 10 m, columns: [{x: 2 m, y: 2.8 m, width: 0.4 m, depth: 0.4 m}], ", 1)

// TestPictures compares the states of the page with kept pictures that were looked at, and shows that it fails for
// panels that are hidden or moved and for other colours, but not for other fonts.
func TestPictures(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new.yaml")
	first := openBlocks(t, start(t, serve.Options{Path: path, Name: "new.yaml", Start: true}).s.URL(), "#import")
	first.looksAsKept("start", "body", "wide", "dark", "phone")

	b := openBlocks(t, run(t, pictured).s.URL(), `.editor textarea`)
	b.until(`document.body.dataset.ready === "yes" && plenum.state.floor.view.width > 1`)
	b.looksAsKept("floor", "body", "wide", "dark")
	b.looksAsKept("floor", ".floorview", "phone")
	checkFloor(b)
	eval[bool](b, `(plenum.state.pickRack(0), true)`)
	b.looksAsKept("rack", ".floorview", "wide", "phone")
	for _, view := range []string{"figures", "cables", "bill", "rules"} {
		b.press(`document.querySelector('[aria-controls="view-` + view + `"]')`)
		b.looksAsKept(view, ".servedmain", "wide")
	}
	b.recoloured(b.picture(), "--good")
	b.press(`document.querySelector('[aria-controls="view-space"]')`)
	b.until(`document.querySelector("#view-space canvas[data-drawn]")`)
	b.looksAsKept("space", "#view-space", "wide", "dark")
	eval[bool](b, `(document.querySelector("#view-space .sight").open = false, true)`) // as a phone has it
	b.looksAsKept("space", "#view-space", "phone")
	b.Quiet()
}

// TestPicturesOfTheEditor compares the states of the editor beside the floor with kept pictures.
func TestPicturesOfTheEditor(t *testing.T) {
	b := openBlocks(t, run(t, pictured).s.URL(), `.editor textarea`)
	b.until(`document.body.dataset.ready === "yes" && plenum.state.floor.view.width > 1`)
	eval[bool](b, `(plenum.state.pickRack(0), true)`)
	b.press(button("Build"))
	b.until(button("Add a column"))
	b.looksAsKept("build", ".editor", "wide", "dark", "phone")
	eval[bool](b, `(`+button("Download orders.csv")+`.scrollIntoView({ block: "end" }), true)`)
	b.looksAsKept("export", ".editor", "wide")
	b.press(button("Parts"))
	b.until(`document.querySelectorAll(".partlist button").length > 20`)
	b.press(`document.querySelector(".partlist button")`)
	b.looksAsKept("parts", ".editor", "wide", "phone")
	b.press(button("Text"))
	b.typed("rows: 2", "rows: 2x")
	b.until(`document.querySelectorAll(".mistakes:not(.violations) li").length === 1`)
	b.looksAsKept("mistake", "body", "wide", "dark")
	b.looksAsKept("mistake", ".servedmain", "phone")
	b.recoloured(b.picture(), "--bad")
	b.does(button("undo"))
	b.press(button("Variants"))
	b.press(`document.querySelector('[name="variant"]')`)
	eval[bool](b, `document.execCommand("insertText", false, "other")`)
	b.press(button("Duplicate"))
	b.until(button("Floors side by side"))
	b.press(button("Text"))
	n := eval[int](b, `+(document.body.dataset.planned || 0)`)
	b.typed("count: 2", "count: 5")
	b.planned(n)
	b.press(button("Variants"))
	// A comparison may be followed by another one, of the text that was planned meanwhile.
	b.until(`document.querySelector(".variants [role=status]").textContent.endsWith("figures differ.") ?
		performance.now() - (window.compared ??= performance.now()) > 1000 : (window.compared = undefined)`)
	b.looksAsKept("variants", ".editor", "wide", "phone")
	b.press(button("Floors side by side"))
	b.until(`[...document.querySelectorAll("dialog img")].filter((e) => e.naturalWidth > 200).length === 2`)
	b.looksAsKept("compare", "dialog", "wide")
	b.Quiet()
}

// checkFloor holds that pictures notice what goes wrong on the page of a floor, and only that.
func checkFloor(b *browser) {
	b.T.Helper()
	right := b.picture()
	for _, part := range []string{
		".editbar", ".edittabs", ".editor .text", ".slidersbox", ".comparison", ".violations", ".delta", ".bar", ".key",
		".search", ".filters", ".floorbox", ".zoom", ".details",
	} {
		b.mutated(right, part+" hidden", part+" { visibility: hidden !important; }", true)
		b.mutated(right, part+" moved", part+" { translate: 20px 0 !important; }", true)
	}
	b.mutated(right, "no marks on the floor", ".floorover { display: none; }", true)
	b.mutated(right, "other colours on the floor", ".floorlayer { filter: hue-rotate(60deg); }", true)
	b.recoloured(right, "--bg", "--panel", "--soft", "--ink", "--muted", "--line", "--accent", "--warn", "--link")
	b.mutated(right, "other fonts", "* { font-family: serif; } textarea { font-family: monospace; }", false)
	b.mutated(right, "nothing", "", false)
}

// recoloured holds that pictures notice other colours of the stylesheet.
func (b *browser) recoloured(right *image.RGBA, names ...string) {
	b.T.Helper()
	for _, name := range names {
		b.mutated(right, name, ":root { "+name+": #d00090 !important; }", true)
	}
}

// mutated holds whether pictures notice a further stylesheet on a page that looks right without.
func (b *browser) mutated(right *image.RGBA, name, css string, noticed bool) {
	b.T.Helper()
	eval[bool](b, `((css) => { const s = new CSSStyleSheet();
		s.replaceSync(css);
		document.adoptedStyleSheets.push(s);
		return true; })(`+"`"+css+"`"+`)`)
	n := differing(b.picture(), right)
	eval[bool](b, `(document.adoptedStyleSheets.pop(), true)`)
	if noticed && n < 2*mostCell || !noticed && n > 0 {
		b.T.Errorf("%s changes %d squares", name, n)
	}
	b.T.Logf("%s: %d squares", name, n)
}
