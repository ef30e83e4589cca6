package page_test

import (
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
	if got := b.text(".filters"); !strings.Contains(got, "tray up to 25 % of its fill limit") {
		t.Errorf("legend without cables: %q", got)
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
