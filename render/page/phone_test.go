package page_test

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// openOnPhone shows the page of a plan on a phone, which is touched.
func openOnPhone(t *testing.T, path string) *browser {
	t.Helper()
	b := start(t, path, 390, 844)
	call(b, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{
		Enabled: true, MaxTouchPoints: 2,
	})
	b.load()
	return b
}

// TestPhoneLeadsToDetails selects a cable in the list, a rack and a search hit on a phone, where the details are below
// what is in sight: a bar names the selection, leads to its details, and goes once they are in sight.
func TestPhoneLeadsToDetails(t *testing.T) {
	b := openOnPhone(t, write(t, planOf(t, "superpod-h100-4su")))
	if got := eval[float64](b, `document.querySelector(".top").getBoundingClientRect().height`); got > 160 {
		t.Errorf("the head of the page is %.0f pixels high", got)
	}
	const lead = `document.querySelector(".lead")`
	if eval[bool](b, lead+`.checkVisibility()`) {
		t.Error("with nothing selected, there is a bar")
	}
	b.view("cables")
	eval[bool](b, `(document.querySelectorAll("#view-cables .longrow:not(.head)")[4].click(), true)`)
	b.until(lead + `.checkVisibility() && ` + lead + `.innerText.startsWith("C0005, 10.64 m")`)
	b.Shot("phone-lead")
	b.Run(chromedp.Click(chromedp.CSS(".lead")))
	const top = `document.querySelector(".details").getBoundingClientRect().top`
	b.until(top + ` < 300 && !` + lead + `.checkVisibility()`)
	if got := b.text(".details h3"); got != "Cable C0005" {
		t.Errorf("the bar leads to %q", got)
	}
	eval[bool](b, `(scrollTo(0, 0), true)`)
	b.until(lead + `.checkVisibility()`)
	b.view("bill")
	if eval[bool](b, lead+`.checkVisibility()`) {
		t.Error("the bill, which has no details, has a bar that leads there")
	}

	// The figures are one line, which opens.
	lines := func() int {
		return eval[int](b, `new Set([...document.querySelectorAll(".key > div")].map((e) =>
			Math.round(e.getBoundingClientRect().top))).size`)
	}
	if n := lines(); n != 1 || strings.Contains(b.text(".key"), "without the price") {
		t.Errorf("the figures are in %d lines: %s", n, b.text(".key"))
	}
	b.Run(chromedp.Click(chromedp.CSS(".keymore")))
	if n := lines(); n < 2 || !strings.Contains(b.text(".key"), "without the price") {
		t.Errorf("once opened, the figures are in %d lines: %s", n, b.text(".key"))
	}
	b.Shot("phone-figures-opened")
	b.Quiet()
}

// TestPhoneTellsEndsApart reads the rows of the lists of cables on a phone: nothing of them leaves the window, and the
// ends of what is shown differ.
func TestPhoneTellsEndsApart(t *testing.T) {
	b := openOnPhone(t, write(t, planOf(t, "superpod-h100-4su")))
	check := func(list string) {
		t.Helper()
		cells := eval[[]string](b, `[...document.querySelectorAll("`+list+` .longrow:not(.head) > span")]
			.flatMap((e) => { const r = e.getBoundingClientRect();
			const tail = e.querySelector(".cut > :last-child")?.getBoundingClientRect();
			const inside = r.left >= 0 && r.right <= innerWidth + 0.5 && (!tail || tail.right <= r.right + 0.5);
			return inside && e.scrollWidth <= e.clientWidth + 1 ? [] : [e.textContent]; })`)
		if len(cells) > 0 {
			t.Errorf("%s: cut: %q", list, cells[:min(4, len(cells))])
		}
		seen := map[string]bool{}
		for _, row := range eval[[]string](b, `[...document.querySelectorAll("`+list+` .longrow:not(.head)")]
			.map((e) => e.innerText.split(/\s+/).slice(1).join(" "))`) {
			if seen[row] {
				t.Errorf("%s: two rows show %q", list, row)
			}
			seen[row] = true
		}
		if len(seen) < 5 {
			t.Errorf("%s has %d rows", list, len(seen))
		}
	}
	b.view("cables")
	b.until(`document.querySelector("#view-cables .longrow.tall")`)
	check("#view-cables")
	b.view("floor")
	eval[bool](b, `(plenum.state.pickRack(plenum.state.model.racks.names.indexOf("C04")), true)`)
	b.until(`document.querySelector(".details .longrow.tall")`)
	check(".details")
	eval[bool](b, `(document.querySelector(".details").scrollIntoView(), true)`)
	b.Shot("phone-rack-cables")

	// Beside a floor, where names have no room, they lose letters in the middle.
	wide := open(t, write(t, planOf(t, "superpod-h100-4su")), 1200, 800)
	eval[bool](wide, `(plenum.state.pickRack(plenum.state.model.racks.names.indexOf("C04")), true)`)
	for _, end := range eval[[]string](wide, `[...document.querySelectorAll(".details .longrow:not(.head)")]
		.map((row) => row.children[1]).flatMap((e) => { const tail = e.querySelector(".cut > :last-child");
			const r = tail.getBoundingClientRect();
			return /-\d+ \d+$/.test(tail.textContent) && tail.scrollWidth <= tail.clientWidth &&
				r.right <= e.getBoundingClientRect().right + 0.5 ? [] : [e.textContent]; })`) {
		t.Errorf("the end of %q is cut", end)
	}
	b.Quiet()
}

// TestFingersFindTargets measures what can be tapped on a phone, in all views: nothing is smaller than 24 pixels.
func TestFingersFindTargets(t *testing.T) {
	b := openOnPhone(t, write(t, planOf(t, "basepod")))
	check := func(state string) {
		t.Helper()
		for _, small := range eval[[]string](b, `[...document.querySelectorAll(
			"button, input, select, summary, a[href], [role=tab], .elevation .box, .longrow:not(.head)")]
			.flatMap((e) => {
			if (!e.checkVisibility({ visibilityProperty: true }) || e.closest("[inert]")) return [];
			const of = e.type === "checkbox" || e.type === "radio" ? e.closest("label") || e : e;
			const r = of.getBoundingClientRect();
			return r.width < 23.9 || r.height < 23.9 ? [(e.getAttribute("aria-label") || e.textContent || e.name ||
				e.className).trim().slice(0, 30) + " " + r.width.toFixed() + " x " + r.height.toFixed()] : []; })`) {
			t.Errorf("%s: %s", state, small)
		}
	}
	for _, view := range []string{"floor", "figures", "cables", "bill", "rules", "basis", "space"} {
		b.view(view)
		if view == "space" {
			b.Run(chromedp.WaitVisible(chromedp.CSS("canvas.space[data-drawn]")))
			eval[bool](b, `(document.querySelector(".sight").open = true)`)
		}
		check(view)
		b.Shot("phone-targets-" + view)
	}
	b.view("floor")
	eval[bool](b, `(plenum.state.pickRack(plenum.state.model.racks.names.indexOf("A04")), true)`)
	check("rack")
	eval[bool](b, `(plenum.state.go.cable(0), true)`)
	check("cable")
	b.Quiet()
}
