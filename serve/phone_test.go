package serve_test

import (
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/examples"
)

// example is the text of an example.
func example(t *testing.T, name string) string {
	t.Helper()
	text, err := examples.Files.ReadFile(name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// tab opens a view of the page.
func (b *browser) tab(view string) {
	b.T.Helper()
	b.press(`document.querySelector('[aria-controls="view-` + view + `"]')`)
}

// TestPhoneTurned shows one column on a phone that is turned, which the page scrolls: the editor is folded above, the
// figures are in one line, and each view has the width of the window.
func TestPhoneTurned(t *testing.T) {
	b := openTouched(t, run(t, example(t, "basepod")).s.URL(), 844, 390)
	const size = `((selector) => { const r = document.querySelector(selector).getBoundingClientRect();
		return [r.width, r.height]; })`
	at := func(selector string, width, least, most float64) {
		t.Helper()
		got := eval[[]float64](b, size+`(`+"`"+selector+"`"+`)`)
		if got[0] < width || got[1] < least || got[1] > most {
			t.Errorf("%s is %.0f x %.0f pixels, want %.0f x %.0f to %.0f", selector, got[0], got[1], width, least, most)
		}
	}
	at(".editor", 840, 40, 130)
	if n := eval[int](b, `new Set([...document.querySelectorAll(".key > div")].map((e) =>
		Math.round(e.getBoundingClientRect().top))).size`); n != 1 {
		t.Errorf("the figures are in %d lines", n)
	}
	b.shot("turned-top")
	for view, selector := range map[string]string{
		"floor": ".floorbox", "space": "canvas.space", "cables": ".cablesview .longbody", "bill": "#view-bill .page",
	} {
		b.tab(view)
		b.until(`document.querySelector("` + selector + `")?.getBoundingClientRect().height > 100`)
		at(selector, 820, 240, 4000)
		if over := eval[int](b, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
			t.Errorf("%s is scrolled %d pixels to the side", view, over)
		}
		if !eval[bool](b, `document.documentElement.scrollHeight > innerHeight + 40`) {
			t.Errorf("%s does not scroll with the page", view)
		}
		eval[bool](b, `(document.querySelector("`+selector+`").scrollIntoView(), true)`)
		b.shot("turned-" + view)
		eval[bool](b, `(scrollTo(0, 0), true)`)
	}
	b.Quiet()
}

// TestPhoneReadsRacksAndRules has the width of a phone for the details of a rack, for rules and for charts, which the
// page scrolls; hints speak of fingers.
func TestPhoneReadsRacksAndRules(t *testing.T) {
	b := openOnPhone(t, run(t, example(t, "basepod")).s.URL())
	if got := eval[string](b, `document.querySelector(".details").innerText`); strings.Contains(got, "Shift") ||
		!strings.Contains(got, "two fingers") {
		t.Errorf("without a selection, the page says %q", got)
	}
	eval[bool](b, `(plenum.state.pickRack(plenum.state.model.racks.names.indexOf("A04")), true)`)
	for _, selector := range []string{".details", ".filters"} {
		if got := eval[[]float64](b, `((e) => [e.clientWidth, e.scrollHeight - e.clientHeight])(
			document.querySelector("`+selector+`"))`); got[0] < 370 || got[1] > 1 {
			t.Errorf("%s is %.0f pixels wide, and scrolled by %.0f", selector, got[0], got[1])
		}
	}
	for _, word := range []string{"Ctrl", "press C", "M carries", "arrow"} {
		got := eval[string](b, `document.querySelector(".details").innerText + `+editorSays)
		if strings.Contains(got, word) {
			t.Errorf("the page of a phone speaks of %q: %q", word, got)
		}
	}
	eval[bool](b, `(document.querySelector(".details").scrollIntoView(), true)`)
	b.shot("phone-rack")
	b.tab("rules")
	if got := eval[float64](b, `Math.min(...[...document.querySelectorAll(".rule .text")].map((e) =>
		e.getBoundingClientRect().width))`); got < 300 {
		t.Errorf("a rule is told in a column of %.0f pixels", got)
	}
	b.shot("phone-rules")
	b.tab("figures")
	if got := eval[float64](b, `Math.max(...[...document.querySelectorAll(".chartbox")].map((e) =>
		e.scrollWidth - e.clientWidth))`); got > 0 {
		t.Errorf("%.0f pixels of a chart are cut", got)
	}
	b.shot("phone-figures")

	// The part of a line of the bill stays while its price is scrolled to.
	b.tab("bill")
	const part = `document.querySelector("#view-bill tbody td")`
	if got := eval[[]float64](b, `(() => { const s = document.querySelector("#view-bill .scroll");
		s.scrollLeft = 300;
		const e = `+part+`.getBoundingClientRect(), heads = document.querySelectorAll("#view-bill th");
		const cost = [...heads].find((h) => h.innerText.startsWith("cost"));
		return [s.scrollLeft, e.left, e.width, cost.getBoundingClientRect().right]; })()`); got[0] != 300 ||
		got[1] < 0 || got[2] > 160 || got[3] > 390 {
		t.Errorf("scrolled by %.0f, the part is at %.0f, %.0f wide, and the cost ends at %.0f",
			got[0], got[1], got[2], got[3])
	}
	b.shot("phone-bill")
	b.Quiet()
}
