package page_test

import (
	"cmp"
	"image/color"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"

	"github.com/plenum-planner/plenum/render/palette"
)

// TestRacksAreGreyBehindCables: as in drawings, colours belong to cables where these are shown, and else to racks and
// trays; the legend says so.
func TestRacksAreGreyBehindCables(t *testing.T) {
	b := open(t, write(t, planOf(t, "superpod-h100-4su")), 1600, 1000)
	colour := func() string { return strings.ToUpper(eval[string](b, `plenum.state.look.rackColour(0)`)) }
	if got, want := colour(), "#"+palette.Hex(palette.Behind(palette.NodeFill)); got != want {
		t.Errorf("behind cables a rack of nodes is %s, not %s", got, want)
	}
	if got := b.text(".filters"); !strings.Contains(got, "cable tray") || strings.Contains(got, "fill limit") {
		t.Errorf("legend behind cables: %q", got)
	}
	eval[bool](b, `(document.querySelector(".flags input").click(), true)`)
	b.settle()
	if got, want := colour(), "#"+palette.Hex(palette.NodeFill); got != want {
		t.Errorf("without cables a rack of nodes is %s, not %s", got, want)
	}
	if wide := eval[int](b, `(() => { const f = document.querySelector(".filters");
		return f.scrollWidth - f.clientWidth; })()`); wide > 0 {
		t.Errorf("the panel of filters is %d pixels too narrow", wide)
	}
	if cut := eval[int](b, `[...document.querySelectorAll(".range input")].filter((e) =>
		e.scrollWidth > e.clientWidth).length`); cut > 0 {
		t.Errorf("%d numbers of lengths are cut", cut)
	}
	if got := b.text(".filters"); !strings.Contains(got, "tray up to 25 % of its fill limit") {
		t.Errorf("legend without cables: %q", got)
	}
}

// TestCablesHaveTheirStatedColours: coloured by what the machine file states, cables are drawn as in floor plans and
// counted in the legend. Machines that state no colours do not offer it.
func TestCablesHaveTheirStatedColours(t *testing.T) {
	r := planOf(t, `
name: colours
boxes: [{name: node, count: 12, part: node}]
fabrics:
  - name: compute
    topology: {family: leaf-spine, rails: 4, down: 8, up: 4, spines: 2}
    ends: [{boxes: node, ports: compute}]
    switches: {switch: {part: nvidia-sn5610}}
  - name: oob
    topology: {family: access, down: 48}
    ends: [{boxes: node, ports: bmc}]
    switches: {leaf: {part: nvidia-sn2201}}
room: {rows: 2, racks_per_row: 12}
cabling: {colours: {fabrics: {oob: blue}, rails: {compute: [red, black, Night Watch]}}}
prices: {set: estimate-2026}
parts:
  - {id: node, kind: node, units: 8, ports: [{name: compute, count: 4, connector: osfp, rate: 800G},
     {name: bmc, count: 1, connector: rj45, rate: 1G}]}
`)
	counts := map[string]int{}
	for i := range r.Schedule.Segments {
		counts[cmp.Or(r.Schedule.Colour(&r.Schedule.Segments[i]), "no stated colour")]++
	}
	b := open(t, write(t, r), 1600, 1000)
	eval[bool](b, `(() => { const s = [...document.querySelectorAll(".filters select")]
		.find((s) => [...s.options].some((o) => o.value === "stated"));
		s.value = "stated"; s.dispatchEvent(new Event("change")); return true; })()`)
	b.settle()
	b.Shot("stated-colours")
	names := []string{"Night Watch", "black", "blue", "red", ""} // as floor plans have them
	colours := map[string]color.RGBA{}
	for i, c := range palette.Jackets(names) {
		colours[cmp.Or(names[i], "no stated colour")] = c
	}
	colours["black"] = palette.Tint(colours["black"], 0.7) // to be seen on dark ground
	type class struct {
		Name, Colour string
		Lines        int
	}
	classes := eval[[]class](b, `plenum.state.look.classes.map((c, i) => ({Name: c.name, Colour: c.colour,
		Lines: plenum.state.look.byClass[i].length}))`)
	for _, c := range classes {
		if want := colours[c.Name]; c.Lines != counts[c.Name] || !strings.EqualFold(c.Colour, "#"+palette.Hex(want)) {
			t.Errorf("%+v, want %d of %v", c, counts[c.Name], want)
		}
		b.has(".filters", c.Name)
	}
	if len(classes) != len(counts) {
		t.Errorf("%v, want %v", classes, counts)
	}
	without := open(t, write(t, planOf(t, "superpod-h100-4su")), 1600, 1000)
	if got := without.text(".filters"); strings.Contains(got, "stated") {
		t.Errorf("a machine without colours: %q", got)
	}
}

// TestAllIsInSightInThreeDimensions: the first view of the room shows all of it, in a window of any shape, with names.
func TestAllIsInSightInThreeDimensions(t *testing.T) {
	b := open(t, write(t, planOf(t, "superpod-h100-4su")), 1600, 1000)
	b.view("space")
	shown := func() (far float64) {
		eval[bool](b, `new Promise((done) => { const look = () => (document.querySelector("canvas.space[data-drawn]")
			? setTimeout(() => done(true), 300) : setTimeout(look, 50)); look(); })`)
		n := eval[int](b, `(() => { const c = document.querySelector(".spacenames");
			const bytes = [...c.getContext("2d").getImageData(0, 0, c.width, c.height).data];
			return bytes.filter((v, i) => i % 4 === 3 && v).length; })()`)
		if n == 0 {
			t.Error("no names")
		}
		return eval[float64](b, `plenum.state.selected.space.eye.far`)
	}
	wide := shown()
	call(b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: 390, Height: 844, DeviceScaleFactor: 1,
	})
	if narrow := shown(); narrow <= wide {
		t.Errorf("the eye is %g m away in a narrow window, %g m in a wide one", narrow, wide)
	}
}
