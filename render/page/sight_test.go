package page_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// twoHalls is a machine in two halls with walls, a door and a path through the wall between them.
const twoHalls = `topology: {family: fat-tree, nodes: 64, radix: 16}
packaging: {node: {per_rack: 16}, leaf: {per_rack: 8}, spine: {per_rack: 8}}
room:
  racks_per_row: 4
  halls:
    - {name: North, rows: 2, width: 9 m, depth: 8 m, doors: [{wall: south, at: 1 m, width: 1.2 m}]}
    - {name: South, rows: 2, width: 9 m, depth: 8 m, distance: 0.3 m}
  trays:
    paths:
      - {name: P1, from: {hall: North, wall: north, at: 3 m}, to: {hall: South, wall: south, at: 3 m},
         width: 400 mm, height: 100 mm}
`

// TestSight shows and hides things in three dimensions, names them, cuts the room, keeps views, and opens its link
// anew.
func TestSight(t *testing.T) {
	path := write(t, planOf(t, twoHalls))
	b := open(t, path, 1400, 900)
	b.view("space")
	b.Run(chromedp.WaitVisible(chromedp.CSS("canvas.space[data-drawn]")))
	const settles = `new Promise((done) => setTimeout(() => done(true), 150))`
	drawn := func() int {
		eval[bool](b, settles)
		return eval[int](b, `+document.querySelector("canvas.space").dataset.drawn`)
	}
	named := func() (out map[string]int) {
		eval[bool](b, settles)
		text := eval[string](b, `document.querySelector(".spacenames").dataset.names`)
		if err := json.Unmarshal([]byte(text), &out); err != nil {
			t.Fatal(err, text)
		}
		return out
	}
	check := func(legend, label string) {
		eval[bool](b, `([...document.querySelectorAll(".sight fieldset")].find((f) =>
			f.querySelector("legend").textContent === `+quoted(legend)+`).querySelectorAll("label").forEach((l) => {
			if (l.textContent.trim() === `+quoted(label)+`) l.firstChild.click(); }), true)`)
	}
	b.Shot("sight-all")
	all := drawn()
	if n := named(); n["doors"] != 1 || n["racks"] == 0 || n["trays"] != 0 || n["cables"] != 0 {
		t.Errorf("names at first: %v", n)
	}
	for _, what := range []string{"racks", "trays", "cables", "doors"} {
		check("Show", what)
		if now := drawn(); now >= all {
			t.Errorf("without %s %d triangles and lines are drawn, %d with", what, now, all)
		}
		check("Show", what)
	}
	if now := drawn(); now != all {
		t.Errorf("with all again %d are drawn, %d at first", now, all)
	}
	check("Names of", "trays")
	check("Names of", "cables")
	if n := named(); n["trays"] == 0 || n["cables"] == 0 {
		t.Errorf("names of trays and cables: %v", n)
	}
	b.Shot("sight-names")
	set := func(selector, value string) {
		eval[bool](b, `(() => { const e = document.querySelector(`+quoted(selector)+`);
			e.value = `+quoted(value)+`;
			e.dispatchEvent(new Event("input", { bubbles: true }));
			return e.dispatchEvent(new Event("change", { bubbles: true })); })()`)
	}
	set(".sight input[type=search]", "a0")
	if n := named(); n["racks"] == 0 || n["doors"] != 0 || n["trays"] != 0 {
		t.Errorf("names with a0: %v", n)
	}
	set(".sight input[type=search]", "")
	check("Names of", "cables")

	// A cut takes away what is before it; its plane stands where the slider says, and racks there cannot be clicked.
	racks := named()["racks"]
	set(".sight select", "y")
	set(".sight input[type=range]", "0.8")
	if n := named(); n["racks"] >= racks || n["doors"] != 0 {
		t.Errorf("names behind the cut: %v, %d racks before", n, racks)
	}
	if got := b.text(".sight output"); !strings.HasPrefix(got, "y 1") {
		t.Errorf("the cut is at %q", got)
	}
	b.Shot("sight-cut")
	check("Cut", "the other side")
	if n := named(); n["doors"] != 1 {
		t.Errorf("names before the cut: %v", n)
	}

	// Views are kept by name, and the link has them, the cut and the eye.
	eval[bool](b, `([...document.querySelectorAll(".sight button")].find((e) =>
		e.textContent === "front").click(), true)`)
	eval[bool](b, `(plenum.state.selected.space.lookFrom({ ...plenum.state.selected.space.eye, far: 20 }), true)`)
	set(".sight .keepview input", "the door")
	eval[bool](b, `(document.querySelector(".sight .keepview").requestSubmit(), true)`)
	eval[bool](b, `(document.querySelector(".sight summary").focus(), document.body.click(), true)`)
	eval[bool](b, `new Promise((done) => { const look = () => location.hash.includes("kept=the+door")
		&& location.hash.includes("eye=") ? done(true) : setTimeout(look, 30); look(); })`)
	const is = `(() => { const s = plenum.state.selected, e = s.space.eye; return JSON.stringify([s.sight,
		[e.turn, e.rise, e.far].map((v) => v.toFixed(2))]); })()`
	link, want := eval[string](b, `location.href`), eval[string](b, is)
	again := start(t, path, 1400, 900)
	again.Run(chromedp.Navigate(link), chromedp.WaitVisible(chromedp.CSS("canvas.space[data-drawn]")))
	eval[bool](again, settles)
	if got := eval[string](again, is); got != want {
		t.Errorf("%s shows\n%s, want\n%s", link, got, want)
	}
	again.Shot("sight-link")
	eval[bool](again, `(document.querySelector(".keptviews button").click(), true)`)
	eval[bool](again, `(document.querySelectorAll(".keptviews button")[1].click(), true)`)
	if n := eval[int](again, `plenum.state.selected.sight.kept.length`); n != 0 {
		t.Errorf("%d views are kept after one was forgotten", n)
	}
	b.Quiet()
	again.Quiet()
}
