package serve_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"

	"github.com/plenum-planner/plenum/internal/browsertest"
)

// clusters is a machine of a given room whose parts the catalog has.
const clusters = `# Two racks of nodes.
name: Hall
topology: {family: fat-tree, nodes: 64, radix: 64}   # one port a node
packaging:
  node: {part: my-node, per_rack: 32}
  leaf: {part: generic-switch-64x400g}
  spine: {part: generic-switch-64x400g}
parts:
  - {id: my-node, kind: node, units: 1, width: 44 cm, depth: 80 cm, power: 800 W, adapter: adapter-400g-qsfp112,
     ports: [{count: 1, connector: qsfp112, rate: 400G}]}
room:
  width: 20 m   # wall to wall
  depth: 15 m
cabling: {slack: {fixed: 1 m}}
prices: {set: estimate-2025}
`

// mouse sends an event of the left button at a place in the window.
func (b *browser) mouse(kind input.DispatchMouseEventType, x, y float64) {
	browsertest.Call(b.Page, input.DispatchMouseEvent, input.DispatchMouseEventParams{
		Type: kind, X: x, Y: y, Button: input.MouseButtonLeft, Buttons: 1, ClickCount: 1,
	})
}

// click clicks at a place in the window.
func (b *browser) click(x, y float64) {
	b.mouse(input.DispatchMouseEventTypeMousePressed, x, y)
	b.mouse(input.DispatchMouseEventTypeMouseReleased, x, y)
}

// settled holds when the page shows the plan of its text, or says that the text has mistakes: an act before that is one
// on the old picture, and the end of an older plan is not that of the act.
const settled = `!/planning|changed$/.test(document.querySelector(".servedmain")?.dataset.old ?? "") &&
	(window.plenum?.state?.floor?.idle() ?? true)`

// press clicks in the middle of what an expression finds, which has to be in sight there, on a settled page. A click
// that it does not receive, as the page moved it or made it anew meanwhile, is made again.
func (b *browser) press(expression string) {
	b.T.Helper()
	find := `new Promise((done, fail) => { const end = performance.now() + 60000; const look = () => {
		const e = ` + expression + `;
		if (e && ` + settled + `) {
			e.scrollIntoView({ block: "nearest" });
			const r = e.getBoundingClientRect(), x = r.left + r.width / 2, y = r.top + r.height / 2;
			const hit = document.elementFromPoint(x, y);
			if (!e.disabled && hit && (hit === e || e.contains(hit) || hit.contains(e))) {
				window.pressed = false;
				window.addEventListener("click", ({ target }) => { const now = ` + expression + `;
					window.pressed = now.contains(target) || target.contains(now) && !now.matches("button");
				}, { capture: true, once: true });
				return done([x, y]);
			}
		}
		if (performance.now() > end) fail(new Error("cannot be clicked"));
		else setTimeout(look, 30); }; look(); })`
	for range 10 {
		at := eval[[]float64](b, find)
		b.click(at[0], at[1])
		if eval[bool](b, `window.pressed !== false`) {
			return
		}
	}
	b.T.Fatal("no click reaches", expression)
}

// button is the first button of a name or a label in the editor.
func button(name string) string {
	quoted, _ := json.Marshal(name)
	return `[...document.querySelectorAll("button")].find((e) => e.checkVisibility() &&
		(e.getAttribute("aria-label") === ` + string(quoted) + ` || e.textContent === ` + string(quoted) + `))`
}

// does presses what an expression finds and waits until a plan was made of the changed text.
func (b *browser) does(expression string) {
	b.T.Helper()
	b.until(settled)
	n := eval[int](b, `+(document.body.dataset.planned || 0)`)
	b.press(expression)
	b.planned(n)
}

// planned waits until more than n plans have ended.
func (b *browser) planned(n int) {
	b.T.Helper()
	count, _ := json.Marshal(n)
	b.until(`+(document.body.dataset.planned || 0) > ` + string(count) + ` && !document.body.hasAttribute("data-old")`)
}

// onFloor is where a place on the floor, in metres, is in the window of a settled page.
func (b *browser) onFloor(x, y string) (float64, float64) {
	b.T.Helper()
	b.until(settled)
	at := eval[[]float64](b, `(() => {
		const f = plenum.state.floor, v = f.view, box = f.element.getBoundingClientRect();
		return [box.left + (`+x+` - v.x) * v.scale + v.width / 2,
			box.top + v.height / 2 - (`+y+` - v.y) * v.scale]; })()`)
	return at[0], at[1]
}

func TestBuildByHand(t *testing.T) {
	v := run(t, clusters)
	b := open(t, v.s.URL())
	b.until(`document.body.dataset.ready === "yes" && plenum.state.floor.view.width > 1`)
	b.press(button("Build"))
	b.until(`document.querySelector('[data-path="topology.nodes"]')`)
	b.shot("build")
	has := func(want string) {
		t.Helper()
		if got := eval[string](b, textOf); !strings.Contains(got, want) {
			t.Errorf("no %q in the text:\n%s", want, got)
		}
	}

	// A number of nodes.
	n := eval[int](b, `+(document.body.dataset.planned || 0)`)
	eval[bool](b, `(() => { const e = document.querySelector('[data-path="topology.nodes"]'); e.value = "96";
		return e.dispatchEvent(new Event("change")); })()`)
	b.planned(n)
	has("nodes: 96, radix: 64}   # one port a node")
	got := eval[string](b, `document.querySelector(".delta").textContent`)
	for _, want := range []string{"Not saved: cables +", "cost +", "power +"} {
		if !strings.Contains(got, want) {
			t.Errorf("the line of changes says %q without %q", got, want)
		}
	}

	// A column where the floor is clicked, and a keep-out between two corners; both are dragged elsewhere.
	b.press(button("Add a column"))
	b.clickFloor("18", "13")
	has("columns: [{x: 17.")
	b.press(button("Add a keep-out"))
	b.click(b.onFloor("16", "1"))
	b.clickFloor("19", "3")
	has("keep_outs: [{name: keep-out, points: [[1")
	x, y := b.onFloor("18", "13")
	n = eval[int](b, `+(document.body.dataset.planned || 0)`)
	b.mouse(input.DispatchMouseEventTypeMousePressed, x, y)
	x, y = b.onFloor("15", "13")
	b.mouse(input.DispatchMouseEventTypeMouseMoved, x+20, y)
	b.mouse(input.DispatchMouseEventTypeMouseMoved, x, y)
	b.shot("column-dragged")
	b.mouse(input.DispatchMouseEventTypeMouseReleased, x, y)
	b.planned(n)
	has("columns: [{x: 14.")
	b.shot("built")

	// A part from the drawer.
	b.press(`[...document.querySelectorAll("button")].find((e) =>
		e.getAttribute("aria-label") === "Change the part of leaf")`)
	b.press(`document.querySelector('[data-part="nvidia-qm9700"]')`)
	b.shot("parts")
	b.does(`document.querySelector('[data-use="spine"]')`)
	has("spine: {part: nvidia-qm9700}")
	b.shot("part-used")

	// All of it is undone by buttons and keys, act by act, and done again.
	end := eval[string](b, textOf)
	b.does(button("undo"))
	has("spine: {part: generic-switch-64x400g}")
	key := func(k string, shift bool) {
		s, _ := json.Marshal(shift)
		n := eval[int](b, `+(document.body.dataset.planned || 0)`)
		eval[bool](b, `document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "`+k+`",
			ctrlKey: true, shiftKey: `+string(s)+`, bubbles: true }))`)
		b.planned(n)
	}
	for range 4 {
		key("z", false)
	}
	if got := eval[string](b, textOf); got != clusters {
		t.Errorf("undone, the text is %s", got)
	}
	if !eval[bool](b, button("undo")+".disabled") {
		t.Error("there is more to undo")
	}
	key("y", false)
	key("Z", true)
	b.does(button("redo"))
	key("y", false)
	b.does(button("redo"))
	if got := eval[string](b, textOf); got != end {
		t.Errorf("done again, the text is %s", got)
	}

	// Saved, the line says what the save changed.
	b.press(`document.querySelector(".editbar .save")`)
	b.until(`document.querySelector(".delta").textContent.startsWith("Saved: cables +")`)
	if now, err := os.ReadFile(v.path); err != nil || string(now) != end {
		t.Errorf("saved: %s, %v", now, err)
	}
	b.shot("saved")
	b.Quiet()
}

// TestFloorStaysWhileResized has a picture of the floor at every frame, from the first in which the floor has a size,
// while the window becomes wider, narrower and lower.
func TestFloorStaysWhileResized(t *testing.T) {
	b := open(t, run(t, clusters).s.URL())
	b.until(`document.body.dataset.ready === "yes" && plenum.state.floor.idle()`)
	eval[bool](b, `(window.blank = 0, window.looked = 0, (function look() {
		const layers = [...document.querySelectorAll(".floorbox .floorlayer")];
		window.looked++;
		if (!layers.some((c) => c.style.visibility === "visible")) window.blank++;
		requestAnimationFrame(look);
	})(), true)`)
	for _, width := range []int64{1200, 1700, 900} {
		b.wide(width)
		b.until(`plenum.state.floor.idle()`)
	}
	if n := eval[int](b, `window.looked`); n < 4 {
		t.Fatalf("looked %d times", n)
	}
	if n := eval[int](b, `window.blank`); n != 0 {
		t.Errorf("%d frames without a floor", n)
	}
	b.Quiet()
}

// TestOldPictureStays has the old floor in sight at every frame while a text is planned and shown, marked as old.
func TestOldPictureStays(t *testing.T) {
	b := open(t, run(t, clusters).s.URL())
	b.until(`document.body.dataset.ready === "yes" && plenum.state.floor.idle()`)
	blank := eval[int](b, `new Promise((done) => {
		let blank = 0, marked = 0;
		const n = +(document.body.dataset.planned || 0);
		const look = () => {
			const layers = [...document.querySelectorAll(".floorbox .floorlayer")];
			const seen = layers.some((c) => c.style.visibility === "visible");
			if (!seen) blank++;
			if (document.body.hasAttribute("data-old")) marked++;
			if (+(document.body.dataset.planned || 0) > n && plenum.state.floor.idle()) done(marked ? blank : -1);
			else requestAnimationFrame(look);
		};
		const a = document.querySelector(".editor textarea");
		a.focus();
		a.setSelectionRange(a.value.indexOf("1 m}}"), a.value.indexOf("1 m}}") + 1);
		document.execCommand("insertText", false, "2");
		look();
	})`)
	if blank != 0 {
		t.Errorf("%d frames without a floor (-1: the old one was not marked)", blank)
	}
	b.until(`!document.querySelector(".oldplan")`)
	b.typed("nodes: 64", "nodes: 64x")
	b.until(`document.querySelector(".servedmain").dataset.old === "Old picture and figures: the text has mistakes"`)
	b.shot("old")
	b.Quiet()
}

func TestValues(t *testing.T) {
	v := run(t, small)
	a := v.ask("POST", "/api/values", "a: {b: [1, x]} # why\n", nil)
	if a.status != 200 || strings.TrimSpace(a.body) != `{"values":{"a":{"b":[1,"x"]}}}` {
		t.Error(a)
	}
	for _, text := range []string{"a: {", "{1: 2}: 3\n", ""} {
		if a := v.ask("POST", "/api/values", text, nil); a.status != 422 {
			t.Errorf("%q: %v", text, a)
		}
	}
	for name, want := range map[string]string{"orders.csv": "supplier", "bom.csv": "part", "floor.pdf": "%PDF"} {
		if a := v.ask("POST", "/api/file?name="+name, small, nil); a.status != 200 || !strings.Contains(a.body, want) {
			t.Errorf("%s: %d %.200s", name, a.status, a.body)
		}
	}
	if a := v.ask("POST", "/api/file?name=../x", small, nil); a.status != 404 {
		t.Error(a)
	}
	a = v.ask("POST", "/api/file?name=bom.csv", "name: x\n", nil)
	if a.status != 422 || !strings.Contains(a.body, "topology") {
		t.Error(a)
	}
	a = v.ask("GET", "/api/parts", "", nil)
	var parts struct {
		Parts  []struct{ ID string }
		Prices map[string]map[string]struct {
			Unit     float64
			Currency string
		}
	}
	if err := json.Unmarshal([]byte(a.body), &parts); err != nil || len(parts.Parts) < 100 {
		t.Fatal(err, len(parts.Parts))
	}
	if p := parts.Prices["estimate-2025"]["nvidia-qm9700"]; p.Unit <= 0 || p.Currency != "USD" {
		t.Errorf("the price of a switch is %v", p)
	}
}

// TestViolationsLeadToPlaceAndLine follows the list of violations to the floor and into the text.
func TestViolationsLeadToPlaceAndLine(t *testing.T) {
	text := strings.Replace(clusters, "cabling: {slack: {fixed: 1 m}}",
		"cabling:\n  media: [{use: [passive-copper], longest: 2 m}]\n  slack: {fixed: 1 m}", 1)
	const reach = `[...document.querySelectorAll(".violations li")].find((e) => e.textContent.startsWith("reach"))`
	b := open(t, run(t, text).s.URL())
	b.until(`document.body.dataset.ready === "yes" && document.querySelectorAll(".violations li").length > 0`)
	b.press(reach + `.firstChild`)
	b.until(`plenum.state.selected.cable >= 0`)
	b.press(reach + `.lastChild`)
	b.until(`(() => { const a = document.querySelector(".editor textarea");
		return a.value.slice(a.selectionStart, a.selectionEnd) ===
			"  media: [{use: [passive-copper], longest: 2 m}]"; })()`)
	b.shot("violations")
	b.Quiet()
}

// TestColumnInAnAisle shows a column that obstructs an aisle: in the legend, by a click, as a violation, and in three
// dimensions; it is copied, moved and removed from there.
func TestColumnInAnAisle(t *testing.T) {
	text := strings.Replace(clusters, "  depth: 15 m\n",
		"  depth: 15 m\n  columns: [{x: 2 m, y: 2.8 m, width: 0.4 m, depth: 0.4 m}]\n", 1)
	b := open(t, run(t, text).s.URL())
	b.until(`document.body.dataset.ready === "yes" && plenum.state.floor.view.width > 1`)
	if got := eval[string](b, `document.querySelector(".filters").innerText`); !strings.Contains(got,
		"building column") {
		t.Errorf("the legend says %q", got)
	}
	b.press(`[...document.querySelectorAll(".violations li")].find((e) => e.textContent.startsWith("aisle")).lastChild`)
	b.until(`(() => { const a = document.querySelector(".editor textarea");
		return a.value.slice(a.selectionStart, a.selectionEnd).includes("columns:"); })()`)
	b.click(b.onFloor("2.2", "3"))
	b.until(`document.querySelector(".details").innerText.includes("0.40 m x 0.40 m") &&
		document.querySelector(".details .warn")?.innerText.includes("of the cold aisle free")`)
	b.shot("column")
	b.does(button("Copy this column"))
	if n := eval[int](b, `plenum.state.model.plan.spec.room.columns.length`); n != 2 {
		t.Errorf("%d columns", n)
	}
	b.click(b.onFloor("2.2", "3"))
	b.until(button("Move this column"))
	b.press(button("Move this column"))
	n := eval[int](b, `+(document.body.dataset.planned || 0)`)
	for _, key := range []string{"ArrowUp", "Enter"} {
		eval[bool](b, `plenum.state.floor.element.dispatchEvent(new KeyboardEvent("keydown", { key: "`+key+`" }))`)
	}
	b.planned(n)
	if got := eval[string](b, textOf); !strings.Contains(got, "{x: 2 m, y: 2.9 m,") {
		t.Errorf("the text is %s\n%s", got, eval[string](b, editorSays))
	}
	b.press(`document.querySelector('[aria-controls="view-space"]')`)
	b.until(`document.querySelector("canvas.space")?.dataset.kept === "2"`)
	b.shot("column-space")
	b.Quiet()
}
