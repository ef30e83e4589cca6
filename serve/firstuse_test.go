package serve_test

import (
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
)

// TestFirstUse does what somebody does who builds a room for the first time: warnings are counted alike everywhere, a
// rack is dragged that was not selected, places outside the room are refused, rows that do not fit say what helps, and
// the power of a rack is stated.
func TestFirstUse(t *testing.T) {
	text, err := os.ReadFile("testdata/walls.yaml")
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, run(t, string(text)).s.URL())
	b.until(`document.body.dataset.ready === "yes" && plenum.state.floor.view.width > 1`)
	got := eval[string](b, `[...document.querySelectorAll(".changes tr")].find((r) =>
		r.firstChild.textContent === "warnings").textContent`)
	if got != "warnings11=" {
		t.Errorf("against the saved file: %q", got)
	}
	if says := eval[string](b, `document.querySelector(".details").textContent`); !strings.Contains(says, "1 warning") {
		t.Errorf("the panel says %q", says)
	}

	// A rack that is not selected is dragged.
	x, y := b.rackAt("A01")
	tx, ty := b.rackAt("B04")
	n := eval[int](b, `+(document.body.dataset.planned || 0)`)
	b.mouse(input.DispatchMouseEventTypeMousePressed, x, y)
	b.mouse(input.DispatchMouseEventTypeMouseMoved, tx-10, ty)
	b.mouse(input.DispatchMouseEventTypeMouseMoved, tx, ty)
	b.until(editorSays + `.includes("A01")`)
	b.mouse(input.DispatchMouseEventTypeMouseReleased, tx, ty)
	b.planned(n)
	if got := eval[string](b, textOf); !strings.Contains(got, "at: B04}") {
		t.Errorf("dragged, the text ends %q; %s", got[max(0, len(got)-100):], eval[string](b, editorSays))
	}
	b.does(button("undo"))
	b.until(editorSays + `.startsWith("Undone")`)

	b.press(button("Build"))
	b.until(button("Add a keep-out"))
	b.press(button("Add a keep-out"))
	b.click(b.onFloor("-0.4", "4"))
	b.until(editorSays + `.includes("click inside the room")`)
	if got := eval[string](b, textOf); got != string(text) {
		t.Error("a click outside the room changes the text")
	}
	b.press(button("Add a keep-out")) // nothing is placed
	b.entered("power that a rack may draw", "40 kW")
	b.until(textOf + `.includes("rack: my-rack-42u") && ` + textOf + `.includes("power: 40 kW")`)
	b.until(`plenum.state.model.plan.racks > 14 &&
		!plenum.state.model.rules.find((r) => r.rule === "rack-power").unchecked`)

	b.does(button("State rows one by one"))
	b.press(button("Copy row A"))
	b.until(editorSays + `.startsWith("Row A copied") && ` + editorSays + `.includes("mistake")`)
	says := eval[string](b, editorSays)
	if !strings.Contains(says, "Ctrl+Z takes it back") {
		t.Errorf("the line says %q", says)
	}
	if got := eval[string](b, `document.querySelector(".mistakes").textContent`); !strings.Contains(got, "at least") {
		t.Errorf("the mistake says %q", got)
	}
	b.shot("firstuse")
	b.does(button("undo"))
	b.does(button("Remove row A")) // the next one is not spare then
	if got := eval[string](b, textOf); !strings.Contains(got, "rows: [{racks: 16}, {racks: 16") {
		t.Errorf("without row A the text is %s", got)
	}
	b.Quiet()
}
