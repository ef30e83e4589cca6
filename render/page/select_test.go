package page_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/png"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// until waits until an expression holds in the page.
func (b *browser) until(expression string) {
	b.T.Helper()
	eval[bool](b, `new Promise((done, fail) => { const end = performance.now() + 30000; const look = () => {
		if (`+expression+`) done(true);
		else if (performance.now() > end) fail(new Error("never: " + document.body.innerText.slice(0, 400)));
		else setTimeout(look, 20); }; look(); })`)
}

// TestRacksAreSelectedInThreeDimensions clicks a rack in the room: it is outlined, its details are beside it, and the
// address has it. One that is selected on the floor is outlined as well, and Escape clears both.
func TestRacksAreSelectedInThreeDimensions(t *testing.T) {
	b := open(t, write(t, planOf(t, twoHalls)), 1400, 900)
	b.view("space")
	b.Run(chromedp.WaitVisible(chromedp.CSS("canvas.space[data-drawn]")))
	const selected = `document.querySelector("canvas.space").dataset.selected`
	names := eval[[]string](b, `(() => { const r = plenum.state.model.racks;
		return r.names.filter((_, i) => r.boxes[i] > 0); })()`)
	for _, name := range []string{names[0], names[len(names)-1]} {
		at := eval[[]float64](b, `(() => { const { model: { racks: r, room }, selected: { space } } = plenum.state;
			const i = r.names.indexOf(`+quoted(name)+`), b = room.bound_m;
			space.lookFrom({ turn: 0.2, rise: 1.2, far: 7, target: { x: r.x_m[i] - (b[0] + b[2]) / 2, y: r.height_m[i],
				z: (b[1] + b[3]) / 2 - r.y_m[i] } });
			return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
				const box = document.querySelector("canvas.space").getBoundingClientRect();
				done([box.left + box.width / 2, box.top + box.height / 2]); }))); })()`)
		for _, kind := range []input.DispatchMouseEventType{
			input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased,
		} {
			call(b, input.DispatchMouseEvent, input.DispatchMouseEventParams{
				Type: kind, X: at[0], Y: at[1], Button: input.MouseButtonLeft, Buttons: 1, ClickCount: 1,
			})
		}
		b.until(selected + ` === ` + quoted(name) + ` && location.hash.includes("rack=` + name + `")`)
		if got := b.text("#view-space .details h3"); got != "Rack "+name {
			t.Errorf("beside the room are the details of %q, want rack %s", got, name)
		}
	}
	b.Shot("space-selected")
	eval[bool](b, `document.querySelector("canvas.space").dispatchEvent(new KeyboardEvent("keydown",
		{ key: "Escape" }))`)
	if got := eval[string](b, selected); got != "" || eval[bool](b,
		`document.querySelector("#view-space .details").checkVisibility()`) {
		t.Errorf("cleared, %q is outlined, or its details are there still", got)
	}
	b.view("floor")
	eval[bool](b, `(plenum.state.pickRack(plenum.state.model.racks.names.indexOf(`+quoted(names[1])+`)), true)`)
	b.view("space")
	if got := eval[string](b, selected); got != names[1] {
		t.Errorf("%q is outlined, want the rack that is selected on the floor, %s", got, names[1])
	}
	b.Quiet()
}

// TestNamesStayInThreeDimensions has names on racks from all sides, and names of rows apart from them.
func TestNamesStayInThreeDimensions(t *testing.T) {
	b := open(t, write(t, planOf(t, "basepod")), 1400, 900)
	b.view("space")
	b.Run(chromedp.WaitVisible(chromedp.CSS("canvas.space[data-drawn]")))
	named := func() (out map[string]int) {
		text := eval[string](b, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() =>
			done(document.querySelector(".spacenames").dataset.names))))`)
		if err := json.Unmarshal([]byte(text), &out); err != nil {
			t.Fatal(err, text)
		}
		return out
	}
	for _, turn := range []string{"-0.6", "0.2", "0.8", "1.571", "3"} {
		eval[bool](b, `(plenum.state.selected.space.whole(`+turn+`, 0.8), true)`)
		if n := named(); n["racks"] < 4 || n["rows"] != 1 {
			t.Errorf("turned by %s, there are names %v", turn, n)
		}
	}
	b.Shot("space-names")
	eval[bool](b, `([...document.querySelectorAll(".sight fieldset")][1].querySelectorAll("label").forEach((l) => {
		if (l.textContent.trim() === "racks") l.firstChild.click(); }), true)`)
	if n := named(); n["racks"] != 0 || n["rows"] != 1 {
		t.Errorf("without names of racks, there are names %v", n)
	}
	b.Quiet()
}

// TestRacksHaveEdgesInTheDark counts the pixels of the colour of edges, which a room without racks does not have.
func TestRacksHaveEdgesInTheDark(t *testing.T) {
	b := open(t, write(t, planOf(t, "basepod")), 1000, 800)
	eval[bool](b, `(document.querySelector(".theme").click(), true)`)
	b.view("space")
	b.Run(chromedp.WaitVisible(chromedp.CSS("canvas.space[data-drawn]")))
	var want [3]int
	line := eval[string](b, `getComputedStyle(document.documentElement).getPropertyValue("--rack-line").trim()`)
	if _, err := fmt.Sscanf(line, "#%02x%02x%02x", &want[0], &want[1], &want[2]); err != nil {
		t.Fatal(err)
	}
	count := func() (n int) {
		eval[bool](b, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
		data, err := chromedp.Run(b.Ctx, chromedp.CaptureScreenshot())
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		for x := range img.Bounds().Dx() {
			for y := range img.Bounds().Dy() {
				r, g, bl, _ := img.At(x, y).RGBA()
				near := true
				for i, v := range []uint32{r, g, bl} {
					near = near && max(int(v>>8)-want[i], want[i]-int(v>>8)) < 14
				}
				if near {
					n++
				}
			}
		}
		return n
	}
	with := count()
	b.Shot("space-dark")
	eval[bool](b, `(document.querySelector(".sight fieldset label input").click(), true)`)
	if without := count(); with < without+300 {
		t.Errorf("%d pixels have the colour of edges, %d without racks", with, without)
	}
	b.Quiet()
}

// TestSelectionByKeysKeepsTheFloor: the floor stays where the next rack is in sight, and otherwise moves until it is.
func TestSelectionByKeysKeepsTheFloor(t *testing.T) {
	b := open(t, write(t, planOf(t, "superpod-h100-4su")), 1400, 900)
	const at = `JSON.stringify([plenum.state.floor.view.x, plenum.state.floor.view.y])`
	step := func() {
		eval[bool](b, `plenum.state.floor.element.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight",
			shiftKey: true }))`)
	}
	const rack = `plenum.state.selected.rack`
	before := eval[string](b, at)
	step()
	first := eval[int](b, rack)
	step()
	if now, next := eval[string](b, at), eval[int](b, rack); now != before || next == first {
		t.Errorf("racks %d and %d are in sight, and the floor moves from %s to %s", first, next, before, now)
	}
	eval[bool](b, `(plenum.state.floor.zoom(20), true)`)
	for range 3 {
		step()
		if !eval[bool](b, `(() => { const { floor: { view: v }, model: { racks: r } } = plenum.state, i = `+rack+`;
			return Math.abs(r.x_m[i] - v.x) * v.scale < v.width / 2 &&
				Math.abs(r.y_m[i] - v.y) * v.scale < v.height / 2; })()`) {
			t.Errorf("rack %d is not in sight", eval[int](b, rack))
		}
	}
	b.Quiet()
}

// TestNoRowIsMarkedBeforeItIsChosen: a list of cables marks a row once a key or a click has chosen it.
func TestNoRowIsMarkedBeforeItIsChosen(t *testing.T) {
	b := open(t, write(t, planOf(t, "basepod")), 1400, 900)
	b.view("cables")
	const marked = `document.querySelectorAll("#view-cables .longrow.focus").length`
	if n := eval[int](b, marked); n != 0 {
		t.Errorf("%d rows are marked, and nothing is selected", n)
	}
	key := func(name string) {
		eval[bool](b, `document.querySelector("#view-cables .longbody").dispatchEvent(new KeyboardEvent("keydown",
			{ key: "`+name+`" }))`)
	}
	key("ArrowDown")
	key("Enter")
	if n, cable := eval[int](b, marked), eval[int](b, `plenum.state.selected.cable`); n != 1 || cable != 0 {
		t.Errorf("%d rows are marked, cable %d is selected", n, cable)
	}
}

// TestViewsScrollWithinThePage: nothing in a view makes the page itself longer than the window.
func TestViewsScrollWithinThePage(t *testing.T) {
	const longer = `document.documentElement.scrollHeight - innerHeight`
	b := open(t, write(t, planOf(t, "superpod-h100-4su")), 1200, 700)
	for _, view := range []string{"figures", "bill", "rules", "basis", "cables", "floor"} {
		b.view(view)
		eval[bool](b, `(document.querySelectorAll("details").forEach((d) => { d.open = true; }), true)`)
		if over := eval[int](b, longer); over > 0 {
			t.Errorf("%s: the page is %d pixels longer than the window", view, over)
		}
	}
	b.view("figures")
	eval[bool](b, `(document.getElementById("view-figures").style.position = "static", true)`)
	if over := eval[int](b, longer); over <= 0 {
		t.Error("words for screen readers that are placed on the page itself do not make it longer")
	}
}
