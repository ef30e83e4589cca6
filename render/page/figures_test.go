package page_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// figureFaults lists what is wrong with the drawings under a selector, as they are on the screen: texts that overlap,
// leave their drawing, lie over the edge of a bar, have letters below 6 points, or a contrast below 4.5 with what is
// behind them.
const figureFaults = `((selector) => {
	const out = [];
	const rgb = (s) => (s.match(/[\d.]+/g) || []).map(Number);
	const linear = (v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
	const light = (c) => { const [r, g, b] = c.slice(0, 3).map(linear);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
	const contrast = (a, b) => { const [x, y] = [light(a), light(b)];
		return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05); };
	const paper = (e) => { for (; e; e = e.parentElement) {
		const c = rgb(getComputedStyle(e).backgroundColor); if (c.length === 3 || c[3] === 1) return c; }
		return [255, 255, 255]; };
	for (const drawing of document.querySelectorAll(selector)) {
		if (!drawing.checkVisibility()) continue;
		const page = drawing.getBoundingClientRect(), name = drawing.getAttribute("aria-label").slice(0, 40);
		const order = [...drawing.querySelectorAll("text, rect")];
		const texts = order.filter((e) => e.tagName === "text" && e.firstChild).map((e) => {
			const b = e.getBoundingClientRect(), tall = b.height * 0.2; // letters are lower than their line
			return { e, said: e.firstChild.textContent, x0: b.left, x1: b.right, y0: b.top + tall / 2,
				y1: b.bottom - tall };
		});
		for (const [i, t] of texts.entries()) {
			const scale = page.width / drawing.viewBox.baseVal.width;
			const points = parseFloat(getComputedStyle(t.e).fontSize) * scale * 0.75;
			if (points < 6 - 1e-6) out.push(name + ": " + t.said + " has " + points.toFixed(2) + " points");
			if (t.x0 < page.left - 1 || t.x1 > page.right + 1 || t.y0 < page.top - 1 || t.y1 > page.bottom + 1) {
				out.push(name + ": " + t.said + " leaves the drawing");
			}
			let behind = paper(drawing);
			for (const r of order.slice(0, order.indexOf(t.e))) {
				if (r.tagName !== "rect") continue;
				const b = r.getBoundingClientRect(), fill = rgb(getComputedStyle(r).fill), y = (t.y0 + t.y1) / 2;
				if (b.left > t.x1 || b.right < t.x0 || b.top > y || b.bottom < y || b.width < 1) continue;
				if (fill.length === 3 || fill[3] === 1) behind = fill;
				if (b.left > t.x0 + 1 || b.right < t.x1 - 1)
					out.push(name + ": " + t.said + " crosses the edge of a bar");
			}
			const c = contrast(rgb(getComputedStyle(t.e).fill), behind);
			if (c < 4.5) out.push(name + ": " + t.said + " has a contrast of " + c.toFixed(2));
			for (const u of texts.slice(0, i)) {
				if (t.x0 < u.x1 - 0.5 && t.x1 > u.x0 + 0.5 && t.y0 < u.y1 - 0.5 && t.y1 > u.y0 + 0.5) {
					out.push(name + ": " + u.said + " and " + t.said + " overlap");
				}
			}
		}
		const titles = drawing.querySelectorAll("text.muted").length;
		if (drawing.querySelector("line.grid") && titles < 2) out.push(name + ": " + titles + " axes have a title");
	}
	return out;
})`

// figures reports what is wrong with the drawings of a page.
func (b *browser) figures(what, selector string, least int) {
	b.T.Helper()
	if n := eval[int](b, fmt.Sprintf("document.querySelectorAll(%s).length", quoted(selector))); n < least {
		b.T.Errorf("%s: %d drawings, want %d", what, n, least)
	}
	for i, fault := range eval[[]string](b, figureFaults+"("+quoted(selector)+")") {
		if i < 8 {
			b.T.Errorf("%s: %s", what, fault)
		}
	}
}

// TestFiguresCanBeRead reads the charts and elevations of reports as their readers do.
func TestFiguresCanBeRead(t *testing.T) {
	long := strings.Repeat("a-long-name-", 8)
	for i, source := range []string{
		"superpod-h100-4su", "torus-4096-cubes",
		"topology: {family: torus, dims: [2]}\nname: Two nodes\n",
		"name: " + long + "\ntopology: {family: fat-tree, nodes: 512, radix: 16, tiers: 3}\n" +
			"parts: [{id: " + long + ", kind: node, units: 2, width: 0.4, depth: 0.8, power: 20 kW, " +
			"ports: [{count: 1, connector: qsfp112, rate: 400G}]}]\n" +
			"packaging: {node: {part: " + long + ", per_rack: 4}}\n" +
			"prices: {unit: {" + long + ": 99999999}}\n",
	} {
		what, _, _ := strings.Cut(source, "\n")
		for _, width := range []int64{1440, 360} {
			r := planOf(t, source)
			b := open(t, write(t, r), width, 900)
			b.view("figures")
			b.figures(fmt.Sprint(what, " on ", width), "#view-figures svg.chart", 2)
			if cut := eval[int](b, `[...document.querySelectorAll("#view-figures .chartbox")]
				.filter((c) => c.scrollWidth > c.clientWidth + 1).length`); cut > 0 {
				t.Errorf("%s on %d: %d charts are wider than the screen", what, width, cut)
			}
			b.Shot(fmt.Sprint("figures-", i, "-", width))
			if r.Room() != nil {
				b.view("floor")
				rack := r.Room().Name(int(r.Placement.Racks[0].Place))
				b.Run(chromedp.MouseClickXY(b.at(rack)))
				b.settle()
				b.has(".details h3", "Rack "+rack)
				b.figures(fmt.Sprint(what, ", rack, on ", width), ".details .elevation svg", 1)
				b.Shot(fmt.Sprint("elevation-", i, "-", width))
			}
			b.Quiet()
		}
	}
}
