package serve_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/internal/browsertest"
)

// browser is a page that is open in Chromium.
type browser struct{ *browsertest.Page }

// open shows an address in a window of 1440 x 900.
func open(t *testing.T, address string) *browser {
	t.Helper()
	b := &browser{browsertest.New(t, 1440, 900, "http://127.0.0.1:")}
	b.Run(chromedp.Navigate(address), chromedp.WaitVisible(chromedp.CSS(`.editor textarea`)))
	return b
}

// eval is the value of an expression in the page.
func eval[T any](b *browser, expression string) T {
	b.T.Helper()
	return browsertest.Eval[T](b.Page, expression)
}

// until waits until an expression holds in the page.
func (b *browser) until(expression string) {
	b.T.Helper()
	eval[bool](b, `new Promise((done, fail) => { const end = performance.now() + 60000; const look = () => {
		if (`+expression+`) done(true);
		else if (performance.now() > end) fail(new Error("never: " + document.querySelector(".editor").innerText));
		else setTimeout(look, 20); }; look(); })`)
}

// typed puts a text into the editor in the place of another, as typing does.
func (b *browser) typed(old, text string) {
	b.T.Helper()
	from, _ := json.Marshal(old)
	to, _ := json.Marshal(text)
	eval[bool](b, `((from, to) => { const a = document.querySelector(".editor textarea"), at = a.value.indexOf(from);
		if (at < 0) throw new Error("not in the text");
		a.focus();
		a.setSelectionRange(at, at + from.length);
		return document.execCommand("insertText", false, to); })(`+string(from)+`,`+string(to)+`)`)
}

// shot writes a picture of the page once its floor is drawn, if the environment names a directory for them.
func (b *browser) shot(name string) {
	b.T.Helper()
	eval[bool](b, `new Promise((done) => { const look = () =>
		(!plenum.state || plenum.state.floor.idle() ? done(true) : setTimeout(look, 50)); look(); })`)
	b.Shot(name)
}

const editorSays = `document.querySelector("#plenum-status").textContent`

func TestBrowser(t *testing.T) {
	text, err := examples.Files.ReadFile("superpod-h100-4su.yaml")
	if err != nil {
		t.Fatal(err)
	}
	v := run(t, string(text))
	b := open(t, v.s.URL())
	b.until(`document.body.dataset.ready === "yes"`)
	b.shot("opened")

	// Typing plans after a pause, and what changes is told.
	eval[bool](b, `(plenum.state.floor.zoom(2), true)`)
	before := eval[float64](b, `plenum.state.model.plan.length_m.total`)
	b.typed("fixed: 2 m", "fixed: 3 m")
	b.until(editorSays + `.startsWith("Planned")`)
	if now := eval[float64](b, `plenum.state.model.plan.length_m.total`); now <= before {
		t.Errorf("a metre more for every cable makes %g m of %g m", now, before)
	}
	if n := eval[int](b, `document.querySelectorAll(".changes .changed").length`); n == 0 {
		t.Error("no difference to the saved file is shown")
	}
	if !eval[bool](b, `(() => { const f = plenum.state.floor, s = f.view.scale;
		f.fit(); return s > 1.9 * f.view.scale; })()`) {
		t.Error("the floor is no longer as it was zoomed")
	}
	t.Log(eval[string](b, editorSays))
	b.shot("changed")
	b.Picture("../docs/img/serve.png")

	// A mistake is shown at its line, and the plan before stays.
	b.typed("rows: 5 ", "rows: 5x ")
	b.until(`document.querySelectorAll(".mistakes li").length === 1`)
	line := strings.Count(string(text[:strings.Index(string(text), "rows: 5 ")]), "\n") + 1
	if got := eval[int](b, `+document.querySelector(".gutter .error").textContent`); got != line {
		t.Errorf("the mark is at line %d, want %d", got, line)
	}
	b.Run(chromedp.Click(chromedp.CSS(`.mistakes button`)))
	if at := eval[string](b, `(() => { const a = document.querySelector(".editor textarea");
		return a.value.slice(a.selectionStart, a.selectionEnd); })()`); at != "5x" {
		t.Errorf("a click on the mistake picks %q", at)
	}
	b.shot("mistake")
	b.typed("rows: 5x ", "rows: 5 ")
	eval[bool](b, `document.querySelector(".editor textarea").dispatchEvent(new KeyboardEvent("keydown",
		{ key: "Enter", ctrlKey: true, bubbles: true }))`)
	b.until(editorSays + `.startsWith("Planned")`)

	// Completion knows the keys of where the cursor is.
	b.typed("trays: {count: 2}", "trays: {count: 2, sep")
	eval[bool](b, `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: " ", ctrlKey: true }))`)
	b.until(`document.querySelectorAll(".completions li").length === 1`)
	b.shot("completion")
	eval[bool](b, `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }))`)
	b.until(`document.activeElement.value.includes("trays: {count: 2, separation: ")`)
	b.typed("trays: {count: 2, separation: ", "trays: {count: 2}")
	b.until(editorSays + `.startsWith("Planned")`)

	// A slider changes the text.
	eval[bool](b, `(() => { const s = document.querySelector('[data-path="room.trays.height"]'); s.value = "3";
		return s.dispatchEvent(new Event("input")); })()`)
	b.until(`document.querySelector(".editor textarea").value.includes("trays: {height: 3 m, count: 2}") &&
		plenum.state.model.plan.spec.room.trays.height === 3`)
	b.shot("slider")

	// Saved, the file has it all.
	b.Run(chromedp.Click(chromedp.CSS(`.editbar .save`)))
	b.until(editorSays + ` === "Saved"`)
	now, err := os.ReadFile(v.path)
	want := strings.NewReplacer("fixed: 2 m", "fixed: 3 m", "trays: {count", "trays: {height: 3 m, count").
		Replace(string(text))
	if err != nil || string(now) != want {
		t.Errorf("saved: %s, %v", now, err)
	}
	if n := eval[int](b, `document.querySelectorAll(".changes .changed").length`); n != 0 {
		t.Errorf("%d differences to the file that was just saved: %s", n,
			eval[string](b, `document.querySelector(".changes").innerText`))
	}
	b.Quiet()
}
