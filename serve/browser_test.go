package serve_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/internal/browsertest"
)

// TestMain has all tests share a browser.
func TestMain(m *testing.M) { browsertest.Main(m) }

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

// untilPage waits until an expression holds in a page that may have no editor yet.
func (b *browser) untilPage(expression string) {
	b.T.Helper()
	eval[bool](b, `new Promise((done, fail) => { const end = performance.now() + 60000; const look = () => {
		if (`+expression+`) done(true);
		else if (performance.now() > end) fail(new Error("never: " + document.body.innerText));
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

	// Typing plans after a pause, and what changes is shown.
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
	b.press(button("Build"))
	b.until(`document.querySelector('[data-path="room.width"]')`)
	eval[bool](b, `(document.querySelector("#plenum-status").textContent = "Planned", true)`) // without its time
	b.Picture("../docs/img/serve.png")
	b.press(button("Text"))

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
	eval[bool](b, `(() => { const s = document.querySelector('.sliders [data-path="room.trays.height"]'); s.value = "3";
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

// rackAt is where the middle of a rack is in the window.
func (b *browser) rackAt(name string) (x, y float64) {
	b.T.Helper()
	at := eval[[]float64](b, `((name) => {
		const { floor, model: m } = plenum.state, v = floor.view, i = m.racks.names.indexOf(name);
		const box = floor.element.getBoundingClientRect();
		return [box.left + (m.racks.x_m[i] - v.x) * v.scale + v.width / 2,
			box.top + v.height / 2 - (m.racks.y_m[i] - v.y) * v.scale];
		})("`+name+`")`)
	return at[0], at[1]
}

// TestPlansAfterTheListOfCables: after a visit to the list, plans leave one panel of details on the floor, as large as
// before.
func TestPlansAfterTheListOfCables(t *testing.T) {
	text, err := examples.Files.ReadFile("superpod-h100-4su.yaml")
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, run(t, string(text)).s.URL())
	b.until(`document.body.dataset.ready === "yes"`)
	tab := func(view string) { b.press(`document.querySelector('[aria-controls="view-` + view + `"]')`) }
	const height = `document.querySelector(".floorview .floorbox").getBoundingClientRect().height`
	before := eval[float64](b, height)
	tab("cables")
	b.until(`document.querySelectorAll(".cablesview .side .details").length === 1`)
	tab("floor")
	for _, slack := range []string{"2 m", "3 m", "4 m"} {
		length := eval[float64](b, `plenum.state.model.plan.length_m.total`)
		b.typed("fixed: "+slack, "fixed: "+string(slack[0]+1)+" m")
		b.until(fmt.Sprintf(`plenum.state.model.plan.length_m.total > %g && %s.startsWith("Planned")`,
			length, editorSays))
		if n := eval[int](b, `document.querySelectorAll(".floorview .details").length`); n != 1 {
			t.Errorf("%d panels of details on the floor", n)
		}
	}
	if after := eval[float64](b, height); math.Abs(after-before) > 40 {
		t.Errorf("the floor is %g pixels high, %g before", after, before)
	}
	tab("cables")
	b.until(`document.querySelectorAll(".cablesview .side .details").length === 1`)
}

const (
	tip      = `document.querySelector(".tip").textContent`
	textOf   = `document.querySelector(".editor textarea").value`
	saysDone = editorSays + `.includes(" moved to ")`
)

func TestRacksAreDragged(t *testing.T) {
	text, err := examples.Files.ReadFile("superpod-h100-4su.yaml")
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, run(t, string(text)).s.URL())
	b.until(`document.body.dataset.ready === "yes" && plenum.state.floor.view.width > 1`)
	mouse := func(kind input.DispatchMouseEventType, x, y float64) {
		browsertest.Call(b.Page, input.DispatchMouseEvent, input.DispatchMouseEventParams{
			Type: kind, X: x, Y: y, Button: input.MouseButtonLeft, Buttons: 1, ClickCount: 1,
		})
	}
	cost := eval[float64](b, `plenum.state.model.plan.cost.total`)
	x, y := b.rackAt("A01")
	mouse(input.DispatchMouseEventTypeMousePressed, x, y)
	mouse(input.DispatchMouseEventTypeMouseReleased, x, y)
	b.until(`document.querySelector(".details h3").textContent === "Rack A01"`)

	// Dragged, it tells what would change before it is dropped, and moves nothing when Escape is pressed.
	drag := func(to string) {
		x, y := b.rackAt("A01")
		mouse(input.DispatchMouseEventTypeMousePressed, x, y)
		tx, ty := b.rackAt(to)
		for i := range 5 {
			k := float64(i+1) / 5
			mouse(input.DispatchMouseEventTypeMouseMoved, x+k*(tx-x), y+k*(ty-y))
		}
		b.until(tip + `.includes("A01 to ` + to + `") && !` + tip + `.includes("planning")`)
	}
	drag("E08")
	got := eval[string](b, tip)
	if !strings.Contains(got, "cost +") || !strings.Contains(got, "mean delay of compute +") {
		t.Errorf("the tip says %q", got)
	}
	b.shot("dragged")
	eval[bool](b, `plenum.state.floor.element.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }))`)
	b.until(editorSays + ` === "Not moved."`)
	tx, ty := b.rackAt("E08")
	mouse(input.DispatchMouseEventTypeMouseReleased, tx, ty)
	if got := eval[string](b, textOf); got != string(text) {
		t.Errorf("let go with Escape, the text is %s", got)
	}

	// Dropped, it is in the text, planned, and selected where it stands; the view and the filters stay.
	eval[bool](b, `(document.querySelector('.filters input[name="media"]').click(), true)`)
	media := eval[int](b, `plenum.state.panel.want.media.size`)
	drag("E08")
	mouse(input.DispatchMouseEventTypeMouseReleased, tx, ty)
	b.until(saysDone)
	want := string(text) + "\nembedding:\n  racks:\n    - {with: dgx-001, at: E08}\n"
	if got := eval[string](b, textOf); got != want {
		t.Errorf("moved, the text ends %q", got[max(0, len(got)-120):])
	}
	if now := eval[float64](b, `plenum.state.model.plan.cost.total`); now <= cost {
		t.Errorf("a rack of a unit far from the others makes %g of %g", now, cost)
	}
	if got := eval[string](b, `document.querySelector(".details h3").textContent`); got != "Rack E08" {
		t.Errorf("%s is picked", got)
	}
	if now := eval[int](b, `plenum.state.panel.want.media.size`); now != media {
		t.Errorf("%d media are shown, of %d", now, media)
	}
	b.shot("moved")

	// It is taken back as what is typed is.
	eval[bool](b, `(plenum.state.floor.element.focus(), document.activeElement.dispatchEvent(
		new KeyboardEvent("keydown", { key: "z", ctrlKey: true, bubbles: true })))`)
	b.until(textOf + `.length === ` + strconv.Itoa(len(utf16.Encode([]rune(string(text))))) +
		` && plenum.state.model.plan.cost.total === ` + strconv.FormatFloat(cost, 'f', -1, 64))

	// With the keyboard: M takes the selected rack, arrows carry it, Enter puts it down.
	x, y = b.rackAt("B01")
	mouse(input.DispatchMouseEventTypeMousePressed, x, y)
	mouse(input.DispatchMouseEventTypeMouseReleased, x, y)
	b.until(`document.querySelector(".details h3").textContent === "Rack B01"`)
	key := func(k string) {
		eval[bool](b, `plenum.state.floor.element.dispatchEvent(new KeyboardEvent("keydown", { key: "`+k+`" }))`)
	}
	key("m")
	key("ArrowRight")
	b.until(tip + `.includes("B01 to B02") && ` + tip + `.includes("cost")`)
	key("Enter")
	b.until(saysDone)
	if got := eval[string](b, textOf); !strings.HasSuffix(got, "at: B02}\n") {
		t.Errorf("carried, the text ends %q", got[max(0, len(got)-120):])
	}

	// And by a name beside its figures, which is refused where there is no such position.
	to := func(name string) {
		eval[bool](b, `(() => { const f = document.querySelector(".moveto");
			f.querySelector("input").value = "`+name+`";
			f.requestSubmit(); return true; })()`)
	}
	to("Z99")
	b.until(editorSays + `.includes('Not moved: there is no rack position "Z99"')`)
	to("B01")
	b.until(saysDone + ` && ` + textOf + `.includes("at: B01}")`)
	b.Quiet()
}

// What its reader has set stays when the plan changes: the view, searches, sorted columns, the eye in the room.
func TestWhatIsSetStays(t *testing.T) {
	text := `topology: {family: torus, dims: [4, 4, 4]}
room:
  containers:
    - {name: hall, count: [2, 2, 2], pitch: [1]}
    - {name: cube, count: [2, 2, 2], pitch: [0.2, 0.3, 0.2]}
cabling: {route: manhattan}
`
	b := open(t, run(t, text).s.URL())
	b.until(`document.body.dataset.ready === "yes"`)
	got := eval[string](b, `[...document.querySelectorAll(".sliders span")].map((s) => s.textContent).join(", ")`)
	if !strings.Contains(got, "pitch in a hall, pitch in a cube, x, pitch in a cube, y, pitch in a cube, z") {
		t.Errorf("sliders: %s", got)
	}
	tab := func(name string) {
		eval[bool](b, `([...document.querySelectorAll('[role="tab"]')].find((t) => t.textContent === "`+name+`")
			.click(), true)`)
	}
	tab("Bill")
	eval[bool](b, `(() => { const search = document.querySelector("#view-bill input");
		search.value = "node";
		search.dispatchEvent(new Event("input"));
		document.querySelectorAll("#view-bill th button")[1].click();
		return true; })()`)
	const sorted = `document.querySelectorAll("#view-bill th")[1].getAttribute("aria-sort")`
	want := eval[string](b, sorted)
	slide := func(path, value, want string) {
		eval[bool](b, `(() => { const s = document.querySelector('.sliders [data-path="`+path+`"]');
			s.value = "`+value+`"; return s.dispatchEvent(new Event("input")); })()`)
		b.until(textOf + `.includes("` + want + `") && ` + editorSays + `.startsWith("Planned")`)
	}
	slide("room.containers.0.pitch", "2", "pitch: [2 m]")
	slide("room.containers.1.pitch.1", "0.4", "pitch: [0.2, 0.4 m, 0.2]")
	is := `document.body.dataset.view + " " + document.querySelector("#view-bill input").value + " " + `
	if got := eval[string](b, is+sorted); got != "bill node "+want || want == "none" {
		t.Errorf("what was set is now %q", got)
	}
	if n := eval[int](b, `document.querySelectorAll("#view-bill tbody tr").length`); n != 1 {
		t.Errorf("%d rows of the bill have a node", n)
	}

	// Containers are carried as racks are.
	tab("Floor")
	eval[bool](b, `(plenum.state.pickRack(0), true)`)
	eval[bool](b, `(() => { const f = document.querySelector(".moveto");
		f.querySelector("input").value = plenum.state.model.racks.names[5];
		f.requestSubmit(); return true; })()`)
	b.until(saysDone + ` && ` + textOf + `.includes("embedding:\n  racks:\n    - {with: ")`)
	b.Quiet()
}
