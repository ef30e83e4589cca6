package serve_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/plenum-planner/plenum/internal/browsertest"
	"github.com/plenum-planner/plenum/machine"
)

// copied asks for a copy of a rack.
func (v *served) copied(text, from, to string) (out struct {
	Text, Error string
	Plan        struct{ Racks, Nodes int }
},
) {
	v.t.Helper()
	a := v.ask("POST", "/api/copy?"+url.Values{"from": {from}, "to": {to}}.Encode(), text, nil)
	if err := json.Unmarshal([]byte(a.body), &out); err != nil || a.status != 200 {
		v.t.Fatal(a, err)
	}
	return out
}

// TestCopies copies racks of templates, racks of nodes and racks of boxes, and refuses what cannot be one.
func TestCopies(t *testing.T) {
	v := run(t, small)
	placed := strings.Replace(pods, "count: 2", "count: 2\n    at: [A02, A04]", 1)
	numbered := strings.Replace(pods, "{name: server, part: generic-server-1u}",
		"{name: server, count: 40, part: generic-server-1u}", 1)
	boxes := `boxes:
  - {name: server, count: 20, part: generic-server-1u, per_rack: 10}
fabrics:
  - name: oob
    topology: {family: access, down: 40}
    ends: [{boxes: server, ports: bmc}]
    switches: {leaf: {part: nvidia-sn2201, place: end-of-row}}
room: {rows: 2, racks_per_row: 6}
`
	for _, tt := range []struct {
		name, text, from, to string
		want                 []string
		racks                int
	}{
		{"a template", pods, "A01", "B05", []string{"count: 3", "at: [A01, A02, B05]", "name: pod   # ours"}, 3},
		{"a template with places", placed, "A04", "B01", []string{"count: 3", "at: [A02, A04, B01]"}, 3},
		{"a template with a number of boxes", numbered, "A01", "B05", []string{"count: 60", "count: 3"}, 3},
		{
			"nodes", strings.Replace(clusters, "nodes: 64", "nodes: 32", 1), "A02", "E05",
			[]string{"nodes: 64", "at: E05}", "# Two racks of nodes."},
			3,
		},
		{"boxes", boxes, "A01", "B06", []string{"count: 30", "at: B06}"}, 4},
	} {
		got := v.copied(tt.text, tt.from, tt.to)
		for _, want := range tt.want {
			if !strings.Contains(got.Text, want) {
				t.Errorf("%s: no %q in %s%s", tt.name, want, got.Text, got.Error)
			}
		}
		if got.Plan.Racks != tt.racks {
			t.Errorf("%s: %d racks, want %d", tt.name, got.Plan.Racks, tt.racks)
			continue
		}
		before, after := standing(t, tt.text), standing(t, got.Text)
		for at, n := range before {
			if after[at] != n && strings.HasPrefix(tt.name, "a template") { // the plan places switches of others anew
				t.Errorf("%s: %d boxes at %s, %d before", tt.name, after[at], at, n)
			}
		}
		if after[tt.to] != before[tt.from] {
			t.Errorf("%s: %d boxes at %s, and %d at %s", tt.name, after[tt.to], tt.to, before[tt.from], tt.from)
		}
	}
	for _, tt := range []struct{ name, text, from, to, want string }{
		{"taken", pods, "A01", "A02", "A02 holds 21 boxes"},
		{"no position", pods, "A01", "Z01", `no rack position "Z01"`},
		{"nothing there", pods, "B01", "B02", "nothing stands at B01"},
		{"a mesh", strings.Replace(small, "racks_per_row: 2", "racks_per_row: 4", 1), "A01", "B04", "does not state"},
		{"switches", boxes, "A03", "B04", "switches only"},
		{
			"no room", strings.Replace(pods, "rows: 2, racks_per_row: 6", "rows: 1, racks_per_row: 2", 1), "A01", "B01",
			"no rack position",
		},
		{"a mistake", "x: 1", "A01", "B01", "x"},
	} {
		if got := v.copied(tt.text, tt.from, tt.to); !strings.Contains(got.Error, tt.want) || got.Text != "" {
			t.Errorf("%s: %q, want %q, with text %s", tt.name, got.Error, tt.want, got.Text)
		}
	}
}

// copiedBox asks for a copy of a box.
func (v *served) copiedBox(text, box, rack, unit string) (out struct {
	Text, Error string
	Plan        struct{ Racks, Nodes int }
},
) {
	v.t.Helper()
	query := url.Values{"from": {box}, "to": {rack}, "unit": {unit}}
	a := v.ask("POST", "/api/copybox?"+query.Encode(), text, nil)
	if err := json.Unmarshal([]byte(a.body), &out); err != nil || a.status != 200 {
		v.t.Fatal(a, err)
	}
	return out
}

// TestCopiesOfBoxes copies boxes of racks of templates and of others, and refuses what cannot be one.
func TestCopiesOfBoxes(t *testing.T) {
	v := run(t, small)
	const server = "{name: server, part: generic-server-1u}"
	numbered := strings.Replace(pods, server, "{name: server, count: 40, part: generic-server-1u}", 1)
	several := strings.Replace(pods, "fabrics:", `  - name: stores
    count: 1
    holds: [{boxes: store, units: 5}]
fabrics:`, 1)
	several = strings.Replace(several, server, server+"\n  - {name: store, part: generic-server-1u}", 1)
	several = strings.Replace(several, "ends: [{", "ends: [{boxes: store, ports: bmc}, {", 1)
	boxes := `boxes:
  - {name: server, count: 5, part: generic-server-1u, per_rack: 10}   # ours
fabrics:
  - name: oob
    topology: {family: access, down: 40}
    ends: [{boxes: server, ports: bmc}]
    switches: {leaf: {part: nvidia-sn2201, place: end-of-row}}
room: {rows: 2, racks_per_row: 6}
`
	nodes := strings.Replace(clusters, "nodes: 64", "nodes: 33", 1)
	for _, tt := range []struct {
		name, text, box, rack, unit string
		want                        []string
		nodes                       int // more than before
	}{
		{"lowest unit", pods, "server-01", "", "", []string{"units: [1-10, 21-30, 11]", "name: pod   # ours"}, 2},
		{"a unit", pods, "server-01", "A02", "35", []string{"units: [1-10, 21-30, 35]"}, 2},
		{"a unit of its own rack", pods, "server-01", "", "35", []string{"units: [1-10, 21-30, 35]"}, 2},
		{"a number of boxes", numbered, "server-01", "", "", []string{"count: 42", "units: [1-10, 21-30, 11]"}, 2},
		{"another template", several, "server-01", "A03", "", []string{"{boxes: server, units: [1]}"}, 1},
		{"a unit without brackets", several, "store-1", "A03", "", []string{"units: [5, 1]"}, 1},
		{"as many as stated", boxes, "server-1", "", "", []string{"count: 6", "# ours"}, 1},
		{"where the plan places it", boxes, "server-1", "A01", "", []string{"count: 6"}, 1},
		{"nodes", nodes, "N33", "", "", []string{"nodes: 34", "# one port a node"}, 1},
	} {
		before := v.copiedBox(tt.text, tt.box, tt.rack, tt.unit)
		plain, err := machine.Parse("x", []byte(tt.text))
		if err != nil {
			t.Fatal(tt.name, err)
		}
		for _, want := range tt.want {
			if !strings.Contains(before.Text, want) {
				t.Errorf("%s: no %q in %s%s", tt.name, want, before.Text, before.Error)
			}
		}
		r, err := machine.Plan(t.Context(), plain)
		if err != nil {
			t.Fatal(tt.name, err)
		}
		if got := before.Plan.Nodes - r.Counts.Nodes; got != tt.nodes {
			t.Errorf("%s: %d boxes more, want %d", tt.name, got, tt.nodes)
		}
	}
	for _, tt := range []struct{ name, text, box, rack, unit, want string }{
		{"a taken unit", pods, "server-01", "", "42", "unit 42 of A01 holds oob-leaf-1: choose a free unit"},
		{"no such unit", pods, "server-01", "", "43", "A01 has 42 units"},
		{"not a unit", pods, "server-01", "", "x", `"x" is not a rack unit`},
		{"no position", pods, "server-01", "Z01", "", `no rack position "Z01"`},
		{"no box", pods, "server-99", "", "", `no box "server-99"`},
		{"a switch", pods, "oob-leaf-1", "", "", "is a switch"},
		{"a mesh", small, "node-0-0", "", "", "no box"},
		{"elsewhere", boxes, "server-1", "B06", "", "the plan would place the copy at A01 unit"},
		{"another unit", boxes, "server-1", "A01", "40", "the plan would place the copy at A01 unit"},
		{"a free rack", pods, "server-01", "B01", "", "does not state how many boxes of kind server"},
	} {
		got := v.copiedBox(tt.text, tt.box, tt.rack, tt.unit)
		if !strings.Contains(got.Error, tt.want) || got.Text != "" {
			t.Errorf("%s: %q, want %q, with text %s", tt.name, got.Error, tt.want, got.Text)
		}
	}
}

// standing counts the boxes at every rack position.
func standing(t *testing.T, text string) map[string]int {
	t.Helper()
	s, err := machine.Parse("x", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int{}
	for _, slot := range r.Placement.Slot {
		out[r.Placement.Layout.Rack(slot)]++
	}
	return out
}

// TestCopyByMouseAndKeys drags a copy of a rack with Ctrl, carries one with the keyboard, and takes a name.
func TestCopyByMouseAndKeys(t *testing.T) {
	b := open(t, run(t, pods).s.URL())
	b.until(`document.body.dataset.ready === "yes" && plenum.state.floor.view.width > 1`)
	racks := `plenum.state.model.plan.racks`
	key := func(k string) {
		eval[bool](b, `plenum.state.floor.element.dispatchEvent(new KeyboardEvent("keydown", { key: "`+k+`" }))`)
	}
	x, y := b.rackAt("A01")
	b.click(x, y)
	b.until(`document.querySelector(".details h3").textContent === "Rack A01"`)

	// With the keyboard, the live region says where the copy is; Escape ends it.
	key("c")
	key("ArrowRight")
	b.until(editorSays + `.includes("Refused: a copy needs a free position, and A02 holds 21 boxes")`)
	key("ArrowRight")
	b.until(editorSays + `.startsWith("Copy of A01 to A03") && ` + editorSays + `.includes("cost +")`)
	b.shot("copy-carried")
	key("Escape")
	b.until(editorSays + ` === "Not copied."`)
	key("c")
	key("ArrowRight")
	b.until(editorSays + `.includes("At A02, where 21 boxes stand")||` + editorSays + `.includes("Refused")`)
	key("ArrowRight")
	b.until(editorSays + `.includes("Copy of A01 to A03")`)
	key("Enter")
	b.until(editorSays + `.includes("A01 copied to A03")`)
	if got := eval[int](b, racks); got != 3 {
		t.Errorf("%d racks after a copy by keys", got)
	}
	if got := eval[string](b, `document.querySelector(".details h3").textContent`); got != "Rack A03" {
		t.Errorf("%s is selected", got)
	}

	// Dragged with Ctrl to another row.
	ctrl(b, "A03", "B04")
	b.until(editorSays + `.includes("A03 copied to B04")`)
	b.until(`document.querySelector(".details h3").textContent === "Rack B04"`)
	b.shot("copied")

	// And by a name beside the figures.
	eval[bool](b, `(() => { const f = document.querySelector(".moveto");
		f.querySelector("input").value = "B06";
		f.requestSubmit(f.querySelector('[value="Copy"]')); return true; })()`)
	b.until(editorSays + `.includes("B04 copied to B06")`)
	if got := eval[string](b, textOf); !strings.Contains(got, "at: [A01, A02, A03, B04, B06]") ||
		!strings.Contains(got, "count: 5") || !strings.Contains(got, "name: pod   # ours") {
		t.Errorf("the text is %s", got)
	}
	b.does(button("undo"))
	if got := eval[int](b, racks); got != 4 {
		t.Errorf("%d racks after one was taken back", got)
	}
	b.Quiet()
}

// ctrl drags the rack at one position to another, with the key Ctrl.
func ctrl(b *browser, from, to string) {
	b.T.Helper()
	b.until(settled)
	send := func(kind input.DispatchMouseEventType, x, y float64) {
		browsertest.Call(b.Page, input.DispatchMouseEvent, input.DispatchMouseEventParams{
			Type: kind, X: x, Y: y, Button: input.MouseButtonLeft, Buttons: 1, ClickCount: 1,
			Modifiers: 2, // Ctrl
		})
	}
	x, y := b.rackAt(from)
	tx, ty := b.rackAt(to)
	send(input.DispatchMouseEventTypeMousePressed, x, y)
	send(input.DispatchMouseEventTypeMouseMoved, (x+tx)/2, (y+ty)/2)
	send(input.DispatchMouseEventTypeMouseMoved, tx, ty)
	b.until(tip + `.includes("Copy of ` + from + ` to ` + to + `") && !` + tip + `.includes("planning")`)
	send(input.DispatchMouseEventTypeMouseReleased, tx, ty)
}

// TestPlaceByKeyboard places and moves a column, a door and a rack of a template with keys alone.
func TestPlaceByKeyboard(t *testing.T) {
	b := open(t, run(t, strings.Replace(pods, "room: {rows: 2, racks_per_row: 6}",
		"room: {rows: 2, racks_per_row: 6, width: 12 m, depth: 10 m}", 1)).s.URL())
	b.until(`document.body.dataset.ready === "yes" && plenum.state.floor.view.width > 1`)
	eval[bool](b, `(document.querySelector('.edittabs [data-tab="text"]').focus(), true)`)
	key := func(keys ...string) {
		t.Helper()
		for _, k := range keys {
			b.until(settled)
			b.Run(chromedp.KeyEvent(k))
		}
	}
	key(kb.ArrowRight) // to the tab Build
	start := func(name string) {
		t.Helper()
		b.until(button(name))
		eval[bool](b, `(`+button(name)+`.focus(), true)`)
		key(kb.Enter)
		b.until(`document.activeElement.classList.contains("plan")`)
	}
	has := func(want string) {
		t.Helper()
		b.until(settled)
		if got := eval[string](b, textOf); !strings.Contains(got, want) {
			t.Errorf("no %q in %s\n%s", want, got, eval[string](b, editorSays))
		}
	}
	planned := func(keys ...string) {
		t.Helper()
		n := eval[int](b, `+(document.body.dataset.planned || 0)`)
		key(keys...)
		b.planned(n)
	}
	// to moves what is placed to a place: it begins in the middle of what is in sight, which depends on the fonts.
	to := func(x, y float64) {
		t.Helper()
		key(kb.ArrowUp)
		for range 30 {
			var atX, atY float64
			b.until(editorSays + `.startsWith("x ")`)
			says := eval[string](b, editorSays)
			if _, err := fmt.Sscanf(says, "x %f m, y %f m", &atX, &atY); err != nil {
				t.Fatalf("%q: %v", says, err)
			}
			next := ""
			switch {
			case atX > x+0.06:
				next = kb.ArrowLeft
			case atX < x-0.06:
				next = kb.ArrowRight
			case atY > y+0.06:
				next = kb.ArrowDown
			case atY < y-0.06:
				next = kb.ArrowUp
			default:
				return
			}
			key(next)
			b.until(editorSays + " !== " + strconv.Quote(says))
		}
		t.Fatalf("never at %g, %g: %s", x, y, eval[string](b, editorSays))
	}
	start("Add a column")
	to(6, 4.8)
	planned(kb.Enter)
	has("columns: [{x: 5.8 m, y: 4.6 m, width: 0.4 m, depth: 0.4 m}]")
	start("Move column 1")
	key(kb.ArrowLeft, kb.ArrowLeft)
	b.until(editorSays + `.includes("moved by -0.20 m along the rows")`)
	planned(kb.Enter)
	has("columns: [{x: 5.6 m, y: 4.6 m,")
	start("Move column 1")
	key(kb.ArrowLeft, kb.Escape)
	b.until(editorSays + ` === "Not moved."`)
	start("Add a keep-out")
	to(5.9, 4.7)
	key(kb.Enter, kb.ArrowRight, kb.ArrowUp)
	planned(kb.Enter)
	has("keep_outs: [{name: keep-out, points: [[5.9 m, 4.7 m], [6 m, 4.7 m], [6 m, 4.8 m], [5.9 m, 4.8 m]]}]")
	start("Place racks pod on the floor")
	key(kb.ArrowRight)
	b.until(editorSays + `.startsWith("At ")`)
	key(kb.ArrowDown, kb.Enter, kb.ArrowRight)
	b.shot("placed-by-keys")
	planned(kb.Enter)
	has("at: [")
	b.Quiet()
}

// TestBoxesAreCopiedInThePage copies a box by a click and the dialog, and another one with keys, and takes both back.
func TestBoxesAreCopiedInThePage(t *testing.T) {
	b := open(t, run(t, pods).s.URL())
	b.until(`document.body.dataset.ready === "yes" && plenum.state.floor.view.width > 1`)
	nodes := `plenum.state.model.plan.nodes`
	x, y := b.rackAt("A01")
	b.click(x, y)
	b.until(`document.querySelector(".details h3").textContent === "Rack A01"`)

	// Clicked, a box is selected; the dialog refuses a taken unit with the reason, and takes a free one.
	b.press(`[...document.querySelectorAll(".elevation .box:not(.switch)")][3]`)
	b.until(editorSays + `.includes("C copies it")`)
	name := eval[string](b, `plenum.state.model.boxes.names[+document.querySelector(".elevation .chosen").dataset.box]`)
	b.press(button("Copy a box ..."))
	b.until(`document.querySelector("dialog[open] form")`)
	if got := eval[string](b, `document.querySelector("dialog select").value`); got != name {
		t.Errorf("the dialog has %s, selected was %s", got, name)
	}
	unit := func(value string) {
		t.Helper()
		eval[bool](b, `((document.querySelector('dialog [name="unit"]').value = "`+value+`"), true)`)
	}
	unit("42")
	b.press(`document.querySelector("dialog form button")`)
	b.until(`document.querySelector("dialog .wrong").textContent.includes("unit 42 of A01 holds oob-leaf-1")`)
	b.shot("copy-a-box")
	unit("35")
	b.does(`document.querySelector("dialog form button")`)
	b.until(editorSays + `.includes("copied: 2 boxes more, as every rack of the template has one")`)
	if got := eval[string](b, textOf); !strings.Contains(got, "units: [1-10, 21-30, 35]") ||
		!strings.Contains(got, "name: pod   # ours") {
		t.Errorf("the text is %s", got)
	}
	b.until(`!document.querySelector("dialog") && document.querySelector(".details h3").textContent === "Rack A01"`)

	// With keys alone: arrows select, C opens the dialog, Enter copies to the lowest free unit.
	eval[bool](b, `(document.querySelector(".elevation").focus(), true)`)
	b.Run(chromedp.KeyEvent(kb.ArrowDown))
	b.Run(chromedp.KeyEvent("c")) // the topmost box is a switch
	b.until(editorSays + `.includes("is a switch or a panel")`)
	b.Run(chromedp.KeyEvent(kb.ArrowDown))
	n := eval[int](b, `+(document.body.dataset.planned || 0)`)
	b.Run(chromedp.KeyEvent("c"))
	b.until(`document.activeElement.matches('dialog [name="unit"]')`)
	b.Run(chromedp.KeyEvent(kb.Enter))
	b.planned(n)
	if got := eval[string](b, textOf); !strings.Contains(got, "units: [1-10, 21-30, 35, 11]") {
		t.Errorf("the text is %s\n%s", got, eval[string](b, editorSays))
	}
	if got := eval[int](b, nodes); got != 44 {
		t.Errorf("%d nodes, want 44", got)
	}
	b.shot("copied-a-box")
	b.until(`!document.querySelector("dialog")`)
	b.does(button("undo"))
	b.does(button("undo"))
	if got := eval[string](b, textOf); got != pods {
		t.Errorf("undone, the text is %s", got)
	}
	b.Quiet()
}
