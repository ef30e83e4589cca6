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

// TestBackAndForward goes back and forward through views and selections by the browser's history; filters and places of
// the floor are not steps of it.
func TestBackAndForward(t *testing.T) {
	path := write(t, planOf(t, "superpod-h100-4su"))
	b := open(t, path, 1200, 800)
	const is = `[document.body.dataset.view, plenum.state.model.racks.names[plenum.state.selected.rack] ?? "",
		plenum.state.selected.cable, location.hash.replace(/&?(at|set)=[^&]*/g, "")].join(" ")`
	steps := []struct{ act, want string }{
		{"", "floor  -1 "},
		{`document.querySelector('[aria-controls="view-cables"]').click()`, "cables  -1 #view=cables"},
		{`document.querySelectorAll("#view-cables .longrow")[5].click()`, "cables  4 #view=cables&cable=C0005"},
		{`document.querySelector(".details button.link").click()`, "cables C02 -1 #view=cables&rack=C02"},
		{`document.querySelector('[aria-controls="view-floor"]').click()`, "floor C02 -1 #rack=C02"},
	}
	for _, s := range steps {
		if s.act != "" {
			eval[bool](b, `(`+s.act+`, true)`)
		}
		b.until(is + ` === ` + quoted(s.want))
	}
	before := eval[int](b, `history.length`)
	eval[bool](b, `(plenum.state.floor.zoom(3), true)`)
	eval[bool](b, `(document.querySelector('.filters input[name="fabrics"]').click(), true)`)
	b.until(`/at=.*set=/.test(location.hash)`)
	if n := eval[int](b, `history.length`); n != before {
		t.Errorf("filters and zooms made %d steps of the history", n-before)
	}
	for i := len(steps) - 2; i >= 0; i-- {
		eval[bool](b, `(history.back(), true)`)
		b.until(is + ` === ` + quoted(steps[i].want))
	}
	if !eval[bool](b, `document.querySelector('.filters input[name="fabrics"]').checked`) {
		t.Error("back at the page as it opened, a filter is set")
	}
	for _, s := range steps[1:] {
		eval[bool](b, `(history.forward(), true)`)
		b.until(is + ` === ` + quoted(s.want))
	}
	if eval[bool](b, `document.querySelector('.filters input[name="fabrics"]').checked`) {
		t.Error("the last step is not as it was left: a filter is not set")
	}
	b.Quiet()
}

// TestLinksToWhatIsGone says what a link names that the plan does not have, and marks the row of a cable that it has.
func TestLinksToWhatIsGone(t *testing.T) {
	path := write(t, planOf(t, "superpod-h100-4su"))
	b := start(t, path, 1200, 800)
	show := func(fragment string) {
		b.Run(chromedp.Navigate("about:blank"), chromedp.Navigate("file://"+path+"#"+fragment),
			chromedp.WaitVisible(chromedp.CSS(`body[data-ready="yes"]`)))
	}
	for fragment, want := range map[string]string{
		"rack=Z99":                `rack "Z99", which this plan does not have`,
		"cable=C9999&view=cables": `cable "C9999", which this plan does not have`,
		"rack=C01":                `position C01, which is free in this plan`,
		"view=nowhere":            `a view "nowhere", which this page does not have`,
	} {
		show(fragment)
		b.until(`document.querySelector(".details").innerText.includes(` + quoted(want) + `)`)
	}
	b.Shot("link-gone")
	show("view=cables&cable=C2000")
	b.until(`(() => { const row = document.querySelector("#view-cables .longrow.focus");
		const box = row?.closest(".longbody");
		if (!row || !row.textContent.startsWith("C2000")) return false;
		const r = row.getBoundingClientRect(), around = box.getBoundingClientRect();
		return r.top >= around.top && r.bottom <= around.bottom &&
			box.getAttribute("aria-activedescendant") === row.id &&
			!document.querySelector(".details").innerText.includes("does not"); })()`)
	b.Quiet()
}
