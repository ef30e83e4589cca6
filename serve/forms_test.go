package serve_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/internal/browsertest"
)

// fills puts values into the fields of a form that has an accessible name, in their order, and sends it.
func (b *browser) fills(form string, values ...[2]string) {
	b.T.Helper()
	b.until(settled)
	name, _ := json.Marshal(form)
	pairs, _ := json.Marshal(values)
	eval[bool](b, `((name, pairs) => { const f = [...document.querySelectorAll(".build form")].find((e) =>
		e.getAttribute("aria-label") === name);
		for (const [k, v] of pairs) {
			const e = f.elements.namedItem(k);
			e.value = v;
			if (e.value !== v) throw new Error(k + " cannot be " + v + ": " + e.innerText);
			e.dispatchEvent(new Event("input", { bubbles: true }));
			e.dispatchEvent(new Event("change", { bubbles: true }));
		}
		f.scrollIntoView({ block: "nearest" });
		return true; })(`+string(name)+`, `+string(pairs)+`)`)
}

// sends sends a form that has an accessible name, and waits for the plan.
func (b *browser) sends(form string) {
	b.T.Helper()
	name, _ := json.Marshal(form)
	b.does(`[...document.querySelectorAll(".build form")].find((e) => e.getAttribute("aria-label") === ` +
		string(name) + `)?.querySelector("button")`)
}

// TestBoxesAndFabricsByForms describes a kind of box by height, power and ports, gives another one more ports, and
// joins them with switches that fit, all as edits of the text that are undone.
func TestBoxesAndFabricsByForms(t *testing.T) {
	b := open(t, run(t, pods).s.URL())
	b.until(`document.body.dataset.ready === "yes" && plenum.state.floor.view.width > 1`)
	b.press(button("Build"))
	b.until(`document.querySelector('[aria-label="Describe a box"]')`)
	has := func(want string) {
		t.Helper()
		if got := eval[string](b, textOf); !strings.Contains(got, want) {
			t.Errorf("no %q in the text:\n%s\n%s", want, got, eval[string](b, editorSays))
		}
	}
	b.fills("Describe a box", [2]string{"name", "store"}, [2]string{"boxes", "4"}, [2]string{"units", "2"},
		[2]string{"power", "900"}, [2]string{"group", "storage"}, [2]string{"plug", "100 qsfp28"})
	b.shot("describe")
	b.sends("Describe a box")
	has("{id: my-store, kind: node, units: 2, power: 900 W, " +
		"ports: [{name: storage, count: 2, connector: qsfp28, rate: 100G}]}")
	has("- {name: store, count: 4, part: my-store}")
	b.entered("height of my-store in rack units", "4")
	has("units: 4")
	b.fills("More ports of my-store", [2]string{"group", "bmc"}, [2]string{"count", "1"}, [2]string{"plug", "1 rj45"})
	b.sends("More ports of my-store")
	has("{name: bmc, count: 1, connector: rj45, rate: 1G, by_name: true}")

	b.fills("New fabric", [2]string{"name", "storage"}, [2]string{"boxes", "store"})
	if first := eval[string](b, `document.querySelector('[name="part"] optgroup').label`); first !=
		"ports of 100G, qsfp28 as the boxes" {
		t.Errorf("the switches are %q", first)
	}
	b.fills("New fabric", [2]string{"family", "fat-tree"}, [2]string{"part", "generic-switch-64x100g"})
	b.shot("new-fabric")
	b.sends("New fabric")
	has("- name: storage\n    topology: {family: fat-tree, radix: 64, rails: 2}\n" +
		"    ends: [{boxes: store, ports: storage}]\n" +
		"    switches: {leaf: {part: generic-switch-64x100g}, spine: {part: generic-switch-64x100g}}")
	if n := eval[int](b, `plenum.state.model.plan.fabrics.length`); n != 2 {
		t.Errorf("%d fabrics: %s", n, eval[string](b, editorSays))
	}
	b.until(`document.querySelector('[aria-label="New fabric"] [name="ports"]').innerText.includes("bmc")`)
	b.shot("two-fabrics")
	for range 4 {
		b.does(button("undo"))
	}
	if got := eval[string](b, textOf); got != pods {
		t.Errorf("undone, the text is %s", got)
	}
	b.Quiet()
}

// TestFiguresOfAnotherText marks figures, bill and cables as those of another text while the text has mistakes.
func TestFiguresOfAnotherText(t *testing.T) {
	b := open(t, run(t, clusters).s.URL())
	b.until(`document.body.dataset.ready === "yes" && plenum.state.floor.idle()`)
	colour := `getComputedStyle(document.querySelector(".key dd")).color`
	before := eval[string](b, colour)
	b.typed("nodes: 64", "nodes: 64x")
	b.until(`document.body.dataset.old === "mistakes"`)
	for _, view := range []string{"floor", "bill", "figures"} {
		b.press(`document.querySelector('[aria-controls="view-` + view + `"]')`)
		if got := eval[string](b, `document.querySelector(".delta").innerText`); !strings.Contains(got,
			"Not of this text") || !eval[bool](b, `document.querySelector(".delta").checkVisibility()`) {
			t.Errorf("over the %s, the page says %q", view, got)
		}
		if eval[string](b, colour) == before {
			t.Error("the key figures look as those of a good text")
		}
		b.shot("mistake-" + view)
	}
	if got := eval[string](b, `document.querySelector(".changes thead").innerText`); !strings.Contains(got,
		"last good text") {
		t.Errorf("the comparison says %q", got)
	}
	b.does(button("undo"))
	if eval[string](b, colour) != before || eval[bool](b, `!!document.querySelector(".delta.old")`) {
		t.Error("the mistake is gone, and the figures are marked still")
	}
	b.Quiet()
}

// TestQuoteWithUnknownParts lists what is wrong with a quote, and leaves text and files as they are.
func TestQuoteWithUnknownParts(t *testing.T) {
	v := run(t, clusters)
	b := open(t, v.s.URL())
	b.until(`document.body.dataset.ready === "yes" && plenum.state.floor.view.width > 1`)
	b.press(button("Build"))
	b.until(`document.querySelector('[data-path="prices.quote"]')`)
	sent := filepath.Join(t.TempDir(), "quote.csv")
	quote := "part,unit price,currency,date\ngeneric-switch-64x400,27000,USD,2026-01-15\n"
	if err := os.WriteFile(sent, []byte(quote), 0o600); err != nil {
		t.Fatal(err)
	}
	b.Run(chromedp.SetUploadFiles(chromedp.CSS(`[aria-label="Choose a supplier's quote"]`), []string{sent}))
	b.until(`document.querySelector(".quotewrong")?.innerText.includes("generic-switch-64x400g")`)
	if got := eval[string](b, editorSays); !strings.HasPrefix(got, "No quote, and nothing is written") {
		t.Errorf("the page says %q", got)
	}
	eval[bool](b, `(document.querySelector(".quotewrong").scrollIntoView(), true)`)
	b.shot("quote-refused")
	if got := eval[string](b, textOf); got != clusters {
		t.Errorf("the text is %s", got)
	}
	if list, err := os.ReadDir(filepath.Dir(v.path)); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
}

// touch sends an event of fingers at places in the window.
func (b *browser) touch(kind input.DispatchTouchEventType, at ...[2]float64) {
	points := []*input.TouchPoint{}
	for i, p := range at {
		id := float64(i)
		points = append(points, &input.TouchPoint{X: p[0], Y: p[1], ID: &id})
	}
	browsertest.Call(b.Page, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points})
}

// TestFingers scrolls the page of a phone past the floor with one finger, and moves and zooms the floor with two.
func TestFingers(t *testing.T) {
	b := openOnPhone(t, run(t, clusters).s.URL())
	const view = `(() => { const { x, y, scale } = plenum.state.floor.view; return [x, y, scale, scrollY]; })()`
	before := eval[[]float64](b, view)
	x, y := b.onFloor("10", "7")
	b.touch(input.DispatchTouchEventTypeTouchStart, [2]float64{x, y})
	for i := range 12 {
		b.touch(input.DispatchTouchEventTypeTouchMove, [2]float64{x, y - 20*float64(i+1)})
	}
	b.touch(input.DispatchTouchEventTypeTouchEnd)
	b.until(`scrollY > 40`)
	after := eval[[]float64](b, view)
	if !slices.Equal(before[:3], after[:3]) {
		t.Errorf("one finger moves the floor from %v to %v", before, after)
	}
	b = openOnPhone(t, run(t, clusters).s.URL()) // the first page may scroll on
	before = eval[[]float64](b, view)
	x, y = b.onFloor("10", "7")
	fingers := func(i float64) [][2]float64 { return [][2]float64{{x - 30 - 5*i, y - 6*i}, {x + 30 + 5*i, y - 6*i}} }
	b.touch(input.DispatchTouchEventTypeTouchStart, fingers(0)...)
	for i := range 8 {
		b.touch(input.DispatchTouchEventTypeTouchMove, fingers(float64(i+1))...)
	}
	b.touch(input.DispatchTouchEventTypeTouchEnd)
	b.until(fmt.Sprintf(`plenum.state.floor.view.scale > %g`, 1.5*before[2]))
	after = eval[[]float64](b, view)
	if after[3] != 0 || after[1] >= before[1] {
		t.Errorf("two fingers move the floor from %v to %v", before, after)
	}
	b.shot("fingers")
	b.Quiet()
}

// TestFingersInThreeDimensions scrolls the page of a phone past the room with one finger, moves, zooms and turns the
// room with two, and zooms, turns and resets it by buttons; a hint says so.
func TestFingersInThreeDimensions(t *testing.T) {
	b := openTouched(t, run(t, clusters).s.URL(), 390, 510) // lower than the page
	b.press(`document.querySelector('[aria-controls="view-space"]')`)
	b.until(`document.querySelector("#view-space canvas.space[data-drawn]")`)
	if got := eval[string](b, `document.querySelector("#view-space .hint").textContent`); !strings.HasPrefix(got,
		"One finger scrolls the page, two move, zoom and turn.") {
		t.Errorf("the hint says %q", got)
	}
	eval[bool](b, `(scrollTo(0, 0), document.querySelector("#view-space .sight").open = false, true)`)
	const middle = `(() => { const r = document.querySelector("#view-space canvas.space").getBoundingClientRect();
		return [r.left + r.width / 2, Math.min(innerHeight - 60, r.top + r.height / 2)]; })()`
	const view = `(() => { const { turn, rise, far, target } = plenum.state.selected.space.eye;
		return [turn, rise, far, scrollY, target.z]; })()`
	eval[bool](b, `(document.querySelector("#view-space canvas.space").scrollIntoView({ block: "center" }), true)`)
	before, at := eval[[]float64](b, view), eval[[]float64](b, middle)
	fingers := func(i float64) [][2]float64 {
		return [][2]float64{{at[0] - 30 - 5*i, at[1] - 6*i}, {at[0] + 30 + 5*i, at[1] - 6*i}}
	}
	b.touch(input.DispatchTouchEventTypeTouchStart, fingers(0)...)
	for i := range 8 {
		b.touch(input.DispatchTouchEventTypeTouchMove, fingers(float64(i+1))...)
	}
	b.touch(input.DispatchTouchEventTypeTouchEnd)
	b.until(fmt.Sprintf(`plenum.state.selected.space.eye.far < %g`, before[2]/1.5))
	two := eval[[]float64](b, view)
	if two[4] <= before[4] || two[1] != before[1] || math.Abs(two[0]-before[0]) > 0.01 || two[3] != before[3] {
		t.Errorf("two fingers move the room from %v to %v", before, two)
	}
	twist := func(angle float64) [][2]float64 {
		x, y := 50*math.Cos(angle), 50*math.Sin(angle)
		return [][2]float64{{at[0] - x, at[1] - y}, {at[0] + x, at[1] + y}}
	}
	b.touch(input.DispatchTouchEventTypeTouchStart, twist(0)...)
	for i := range 8 {
		b.touch(input.DispatchTouchEventTypeTouchMove, twist(float64(i+1)/10)...)
	}
	b.touch(input.DispatchTouchEventTypeTouchEnd)
	b.until(fmt.Sprintf(`plenum.state.selected.space.eye.turn > %g`, two[0]+0.4))
	for name, want := range map[string]string{
		"zoom in": "far < window.before.far", "zoom out": "far > window.before.far",
		"turn to the left": "turn > window.before.turn", "turn to the right": "turn < window.before.turn",
	} {
		eval[bool](b, `(window.before = { ...plenum.state.selected.space.eye }, true)`)
		b.press(`document.querySelector('#view-space .zoom [aria-label="` + name + `"]')`)
		b.until(`plenum.state.selected.space.eye.` + want)
	}
	b.press(`document.querySelector('#view-space .zoom [aria-label="show all"]')`)
	b.until(`!plenum.state.selected.space.moved()`)
	eval[bool](b, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
	eval[bool](b, `(scrollTo(0, 0), true)`)
	two, at = eval[[]float64](b, view), eval[[]float64](b, middle)
	b.touch(input.DispatchTouchEventTypeTouchStart, [2]float64{at[0], at[1]})
	for i := range 12 {
		b.touch(input.DispatchTouchEventTypeTouchMove, [2]float64{at[0], at[1] - 20*float64(i+1)})
	}
	b.touch(input.DispatchTouchEventTypeTouchEnd)
	b.until(`scrollY > 30`)
	if one := eval[[]float64](b, view); !slices.Equal(one[:3], two[:3]) {
		t.Errorf("one finger turns the room from %v to %v", two, one)
	}
	b.shot("fingers-space")
	b.Quiet()
}

// openOnPhone shows an address in a window of a phone's size that is touched, and waits for the plan.
func openOnPhone(t *testing.T, address string) *browser {
	t.Helper()
	return openTouched(t, address, 390, 844)
}

// openTouched shows an address in a window that is touched, and waits for the plan.
func openTouched(t *testing.T, address string, width, height int64) *browser {
	t.Helper()
	b := &browser{browsertest.New(t, width, height, "http://127.0.0.1:")}
	browsertest.Call(b.Page, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{
		Enabled: true, MaxTouchPoints: 2,
	})
	b.Run(chromedp.Navigate(address), chromedp.WaitVisible(chromedp.CSS(`.editbar .save`)))
	b.untilPage(`document.body.dataset.ready === "yes" && plenum.state.floor.view.width > 1 &&
		plenum.state.floor.idle()`)
	return b
}

// TestPrint holds all that a print of the page shows within its width and its length, whichever view is open.
func TestPrint(t *testing.T) {
	text, err := examples.Files.ReadFile("superpod-h100-4su.yaml")
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, run(t, string(text)).s.URL())
	b.until(`document.body.dataset.ready === "yes" && plenum.state.floor.idle()`)
	b.press(`document.querySelector('[aria-controls="view-bill"]')`)
	browsertest.Call(b.Page, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	b.wide(703) // A4 between margins of 12 mm
	eval[bool](b, `window.dispatchEvent(new Event("beforeprint"))`)
	b.shot("print")
	cut := eval[[]string](b, `(() => { const out = [], page = document.documentElement;
		for (const e of document.querySelectorAll("#app *")) {
			if (!e.checkVisibility() || e.closest("svg, .away, .printfloor, pre")) continue;
			const s = getComputedStyle(e), name = e.className + " " + e.textContent.slice(0, 60);
			const larger = e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1;
			if (s.overflow !== "visible" && s.overflow !== "clip" && larger &&
				s.display !== "-webkit-box" && s.textOverflow !== "ellipsis") out.push("cut: " + name);
			const box = e.getBoundingClientRect();
			if (box.right > innerWidth + 1) out.push("beyond the right edge: " + name);
			if (box.bottom + scrollY > page.scrollHeight + 1) out.push("beyond the end: " + name);
		}
		return out; })()`)
	for i, c := range cut {
		if i < 10 {
			t.Error(c)
		}
	}
	if n := eval[int](b, `[...document.querySelectorAll("#view-bill tbody tr")].filter((e) =>
		e.checkVisibility()).length`); n < 10 {
		t.Errorf("%d rows of the bill are printed", n)
	}
	b.Quiet()
}
