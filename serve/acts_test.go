package serve_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
)

// entered puts a value into the field of a label, and waits for the plan.
func (b *browser) entered(label, value string) {
	b.T.Helper()
	b.until(settled)
	n := eval[int](b, `+(document.body.dataset.planned || 0)`)
	name, _ := json.Marshal(label)
	to, _ := json.Marshal(value)
	eval[bool](b, `((name, to) => { const e = [...document.querySelectorAll(".build input")].find((e) =>
		e.getAttribute("aria-label") === name);
		e.value = to;
		return e.dispatchEvent(new Event("change")); })(`+string(name)+`, `+string(to)+`)`)
	b.planned(n)
}

// clickFloor clicks at a place on the floor, in metres, and waits for the plan.
func (b *browser) clickFloor(x, y string) {
	b.T.Helper()
	px, py := b.onFloor(x, y)
	n := eval[int](b, `+(document.body.dataset.planned || 0)`)
	b.click(px, py)
	b.planned(n)
}

// TestDoorsRowsAndTraysByClick adds doors, turns and copies rows, and lays trays by clicks, as edits that are undone.
func TestDoorsRowsAndTraysByClick(t *testing.T) {
	b := open(t, run(t, clusters).s.URL())
	b.until(`document.body.dataset.ready === "yes" && plenum.state.floor.view.width > 1`)
	b.press(button("Build"))
	b.until(button("Add a door"))
	has := func(want string) {
		t.Helper()
		if got := eval[string](b, textOf); !strings.Contains(got, want) {
			t.Errorf("no %q in the text:\n%s\n%s", want, got, eval[string](b, editorSays))
		}
	}
	acts := 0
	does := func(what string) { t.Helper(); b.does(what); acts++ }

	// A door in the wall that is nearest to the click, and dragged along it.
	b.press(button("Add a door"))
	b.clickFloor("19.9", "13")
	acts++
	has("doors: [{wall: east, at: 12.")
	x, y := b.onFloor("20", "13")
	n := eval[int](b, `+(document.body.dataset.planned || 0)`)
	b.mouse(input.DispatchMouseEventTypeMousePressed, x, y)
	x, y = b.onFloor("20", "3")
	b.mouse(input.DispatchMouseEventTypeMouseMoved, x, y-20)
	b.mouse(input.DispatchMouseEventTypeMouseMoved, x, y)
	b.shot("door-dragged")
	b.mouse(input.DispatchMouseEventTypeMouseReleased, x, y)
	b.planned(n)
	acts++
	has("doors: [{wall: east, at: 2.")

	// Rows are stated as they stand; one is turned, copied and taken away.
	before := eval[string](b, `JSON.stringify([...plenum.state.model.racks.y_m])`)
	does(button("State rows one by one"))
	has("rows: [{racks: ")
	if now := eval[string](b, `JSON.stringify([...plenum.state.model.racks.y_m])`); now != before {
		t.Error("rows that are stated stand elsewhere")
	}
	turned := `plenum.state.model.racks.turned[plenum.state.model.racks.names.indexOf("E01")]`
	was := eval[int](b, turned)
	does(button("Turn row E"))
	if now := eval[int](b, turned); now == was {
		t.Error("the row is not turned")
	}
	does(button("Remove row E"))
	rows := `plenum.state.model.room.rows.length`
	left := eval[int](b, rows)
	does(button("Copy row D"))
	if now := eval[int](b, rows); now != left+1 {
		t.Errorf("%d rows, copied from %d", now, left)
	}

	// Trays: their number, a level, and a cross tray between two racks.
	b.entered("trays side by side", "2")
	acts++
	has("trays: {count: 2}")
	crossings := eval[int](b, `new Set([...plenum.state.model.trays.ends_m].filter((_, i, a) => i % 6 === 0 &&
		Math.abs(a[i] - a[i + 3]) < 0.01 && Math.abs(a[i + 1] - a[i + 4]) > 0.01)).size`)
	b.press(button("Add a cross tray"))
	r := `plenum.state.model.racks`
	b.clickFloor(r+`.x_m[`+r+`.names.indexOf("A04")] + 0.3`, r+`.y_m[0]`)
	acts++
	has("cross: [0, 4, ")
	if got := eval[int](b, `plenum.state.model.plan.spec.room.trays.cross.length`); got != crossings+1 {
		t.Errorf("%d cross trays, after %d", got, crossings)
	}
	b.shot("acts")
	does(button("Add a level of trays"))
	has("levels: [{name: copper}]")

	eval[bool](b, `(() => { for (let i = 0; i < `+strconv.Itoa(acts)+`; i++) document.querySelector(".undo").click();
		return true; })()`)
	b.until(button("undo") + `.disabled && !document.body.hasAttribute("data-old")`)
	if got := eval[string](b, textOf); got != clusters {
		t.Errorf("undone, the text is %s", got)
	}
	b.Quiet()
}

// pods is a machine of racks that are designed once.
const pods = `name: two racks of servers
boxes:
  - {name: server, part: generic-server-1u}
racks:
  - name: pod   # ours
    part: rack-42u
    count: 2
    holds:
      - {boxes: server, units: [1-10, 21-30]}
      - {switch: oob, units: 42}
fabrics:
  - name: oob
    topology: {family: access}
    ends: [{boxes: server, ports: bmc}]
    switches: {leaf: {part: nvidia-sn2201}}
room: {rows: 2, racks_per_row: 6}
`

// TestRackTemplatesByClick has more racks of a template, places them on the floor, and adds another template.
func TestRackTemplatesByClick(t *testing.T) {
	b := open(t, run(t, pods).s.URL())
	b.until(`document.body.dataset.ready === "yes" && plenum.state.floor.view.width > 1`)
	b.press(button("Build"))
	b.until(button("Add a rack pod"))
	b.does(button("Add a rack pod"))
	racks := `plenum.state.model.plan.racks`
	if got := eval[int](b, racks); got != 3 {
		t.Errorf("%d racks", got)
	}
	at := func(name string) (x, y string) {
		r := `plenum.state.model.racks`
		return r + `.x_m[` + r + `.names.indexOf("` + name + `")]`, r + `.y_m[` + r + `.names.indexOf("` + name + `")]`
	}
	b.press(button("Place racks pod on the floor"))
	for _, name := range []string{"B06", "B05"} {
		b.click(b.onFloor(at(name)))
		b.until(editorSays + `.includes("` + name + `")`)
	}
	b.clickFloor(at("B04"))
	b.press(button("Place racks pod on the floor")) // one more
	b.clickFloor(at("B03"))
	got := eval[string](b, textOf)
	if !strings.Contains(got, "at: [B06, B05, B04, B03]") || !strings.Contains(got, "count: 4") ||
		!strings.Contains(got, "name: pod   # ours") {
		t.Errorf("the text is %s\n%s", got, eval[string](b, editorSays))
	}
	if !eval[bool](b, `plenum.state.model.racks.boxes[plenum.state.model.racks.names.indexOf("B03")] > 0`) {
		t.Error("no rack stands at B03")
	}
	b.shot("templates")

	// Key figures explain themselves and lead on: the length to the longest cable, the cost to the bill.
	b.press(`document.querySelector('.key button[title="explain the length"]')`)
	b.press(button("explain the longest cable"))
	b.until(`document.querySelector(".details").textContent.includes("plenum explain plan-out C")`)
	longest := `Math.max(...plenum.state.model.cables.length_m)`
	if !eval[bool](b, `plenum.state.model.cables.length_m[plenum.state.selected.cable] === `+longest) {
		t.Error("another cable is explained than the longest")
	}
	b.press(`document.querySelector('.key button[title="explain the power"]')`)
	b.until(`document.querySelector(".details").textContent.includes("switches")`)
	b.press(`document.querySelector('.key button[title="explain the cost"]')`)
	b.until(`document.querySelector(".details").textContent.includes("bill of materials")`)
	b.shot("cost")
	b.press(button("show the bill"))
	b.until(`document.body.dataset.view === "bill"`)
	b.Quiet()
}

// TestRowsAroundAColumnAreStated: rows are stated one by one although a column takes positions of one of them.
func TestRowsAroundAColumnAreStated(t *testing.T) {
	b := open(t, run(t, clusters).s.URL())
	b.until(`document.body.dataset.ready === "yes" && plenum.state.floor.view.width > 1`)
	b.press(button("Build"))
	b.until(button("Add a column"))
	r := `plenum.state.model.racks`
	count := eval[int](b, r+`.names.filter((n) => n.startsWith("B")).length`)
	b.press(button("Add a column"))
	b.clickFloor(r+`.x_m[`+r+`.names.indexOf("B05")]`, r+`.y_m[`+r+`.names.indexOf("B05")]`)
	if n := eval[int](b, r+`.names.filter((n) => n.startsWith("B")).length`); n >= count {
		t.Fatalf("row B has %d racks with a column in it, and %d without", n, count)
	}
	standing := `JSON.stringify([...` + r + `.names, ...` + r + `.x_m, ...` + r + `.y_m])`
	before := eval[string](b, standing)
	b.does(button("State rows one by one"))
	if text := eval[string](b, textOf); !strings.Contains(text, "rows: [{racks: ") {
		t.Errorf("rows are not stated: %s", eval[string](b, editorSays))
	}
	if now := eval[string](b, standing); now != before {
		t.Errorf("racks that stood at %s stand at %s", before, now)
	}
	b.Quiet()
}
