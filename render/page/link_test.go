package page_test

import (
	"math"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestLinks opens the link of a page that was set up in a fresh one, which must show the same.
func TestLinks(t *testing.T) {
	path := write(t, planOf(t, "superpod-h100-4su"))
	b := open(t, path, 1200, 800)
	if got := eval[string](b, `location.hash`); got != "" {
		t.Errorf("the page opens with the fragment %q", got)
	}
	eval[bool](b, `(() => { const p = plenum.state, m = p.model;
		document.querySelector('.filters input[name="fabrics"]').click();
		p.pickRack(m.racks.names.indexOf("B03"));
		p.floor.zoom(3, 4, 5);
		return true; })()`)
	b.view("cables")
	const is = `JSON.stringify([document.body.dataset.view, plenum.state.model.racks.names[plenum.state.selected.rack],
		[...plenum.state.panel.want.fabrics].join()])`
	const at = `[plenum.state.floor.view.x, plenum.state.floor.view.y, plenum.state.floor.view.scale]`
	eval[bool](b, `new Promise((done) => { const look = () => location.hash.includes("view=cables") ? done(true)
		: setTimeout(look, 30); look(); })`)
	link, want, view := eval[string](b, `location.href`), eval[string](b, is), eval[[]float64](b, at)
	again := start(t, path, 1200, 800)
	again.Run(chromedp.Navigate(link), chromedp.WaitVisible(chromedp.CSS(`body[data-ready="yes"]`)))
	if got := eval[string](again, is); got != want {
		t.Errorf("%s shows %s, want %s", link, got, want)
	}
	for i, v := range eval[[]float64](again, at) {
		if math.Abs(v-view[i]) > 0.02 {
			t.Errorf("the floor is at %v of %v: %g", i, view, v)
		}
	}

	// A fragment that names nothing of the machine changes nothing.
	eval[bool](again, `(() => { location.hash = "view=none&rack=Z99&cable=C9&at=1+2&set=x=y&set=z"; return true; })()`)
	if got := eval[string](again, is); got != want {
		t.Errorf("after a strange fragment the page shows %s", got)
	}
	b.Quiet()
	again.Quiet()
}
