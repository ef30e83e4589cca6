package page_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/page"
)

// press presses keys in what has the focus.
func (b *browser) press(keys string, o ...chromedp.KeyOption) {
	b.T.Helper()
	b.Run(chromedp.KeyEvent(keys, o...))
	b.settle()
}

// at is where a rack is on the screen.
func (b *browser) at(rack string) (x, y float64) {
	b.T.Helper()
	p := eval[[]float64](b, fmt.Sprintf(`(() => {
		const { model: m, floor: f } = plenum.state, b = f.element.getBoundingClientRect(), r = m.racks;
		const i = r.names.indexOf(%s);
		return [b.left + b.width / 2 + (r.x_m[i] - f.view.x) * f.view.scale,
			b.top + b.height / 2 - (r.y_m[i] - 0.3 * r.depth_m[i] - f.view.y) * f.view.scale]; })()`, quoted(rack)))
	return p[0], p[1]
}

// click clicks at a place of the screen.
func (b *browser) click(x, y float64) {
	b.T.Helper()
	b.Run(chromedp.MouseClickXY(x, y))
	b.settle()
}

func (b *browser) has(selector, text string) {
	b.T.Helper()
	if got := b.text(selector); !strings.Contains(got, text) {
		b.T.Errorf("%s has no %q: %q", selector, text, got)
	}
}

// TestPage goes through the page of four fabrics as a reader does.
func TestPage(t *testing.T) {
	r := planOf(t, "superpod-h100-4su")
	b := open(t, write(t, r), 1440, 900)
	b.Shot("floor")
	for _, text := range []string{
		"DGX SuperPOD H100", "3,216", "25,582 m", "326", "without the price of nodes and service boxes", "optics 59 %",
		"5 accepted violations",
	} {
		b.has("header", text)
	}
	drawn := eval[int](b, "plenum.state.look.byClass.reduce((s, l) => s + l.length, 0)")
	if all := len(r.Schedule.Segments); drawn != all {
		t.Errorf("%d cables are drawn of %d", drawn, all)
	}

	x, y := b.at("D06")
	b.Run(chromedp.MouseEvent(chromedp.MouseMoved, x, y))
	b.has(".tip", "Rack D06")
	b.Run(chromedp.MouseClickXY(x, y))
	b.settle()
	b.has(".details h3", "Rack D06")
	b.has(".details .longbody", "-085 OSFP1P1") // names are cut before their end
	b.Shot("rack")
	b.Run(chromedp.Click(chromedp.CSS(".details .longrow:not(.head)")))
	b.has(".details", "Cable C")
	b.has(".pieces", "needed")
	b.Shot("cable")
	b.Picture("../../docs/img/report.png")

	b.Run(chromedp.Click(chromedp.CSS(`input[name=fabrics][value="0"]`)))
	b.settle()
	b.has(".status", "1,172 of 3,216")
	b.Shot("filtered")
	b.Run(chromedp.Click(chromedp.CSS(`input[name=fabrics][value="0"]`)))
	b.settle()

	b.press("/")
	b.Run(chromedp.SendKeys(chromedp.CSS(".search input"), "compute-spine-16"))
	b.has("#found", "compute-spine-16")
	b.press(kb.Enter)
	b.has(".details h3", "Rack C0")
	b.Run(chromedp.SendKeys(chromedp.CSS(".search input"), "c07")) // the search has the keys still
	b.has("#found li", "C07")
	b.press(kb.Enter)
	b.has(".details h3", "Rack C07") // not cable C0007

	for _, v := range []string{"figures", "space", "cables", "bill", "rules", "basis"} {
		b.view(v)
		if v == "space" {
			b.Run(chromedp.WaitVisible(chromedp.CSS("canvas.space[data-drawn]")))
			if n := eval[int](b, `+document.querySelector("canvas.space").dataset.drawn`); n < 1000 {
				t.Errorf("%d triangles and lines in three dimensions", n)
			}
		}
		b.Shot(v)
	}
	b.has("#view-rules", "redundancy")
	b.has("#view-bill", "nvidia-qm9700")
	b.Quiet()
}

// TestKeys moves the floor by the keyboard alone.
func TestKeys(t *testing.T) {
	b := open(t, write(t, planOf(t, "oracle-eight-rack")), 800, 600)
	b.Shot("small")
	eval[bool](b, `(document.querySelector(".plan").focus(), true)`)
	scale := eval[float64](b, "plenum.state.floor.view.scale")
	b.press("+")
	if now := eval[float64](b, "plenum.state.floor.view.scale"); now <= scale {
		t.Errorf("a scale of %g after +, of %g before", now, scale)
	}
	left := eval[float64](b, "plenum.state.floor.view.x")
	b.press(kb.ArrowRight)
	if now := eval[float64](b, "plenum.state.floor.view.x"); now <= left {
		t.Errorf("x is %g after the arrow to the right, %g before", now, left)
	}
	b.press("0")
	if now := eval[float64](b, "plenum.state.floor.view.scale"); now != scale {
		t.Errorf("a scale of %g after 0, want %g", now, scale)
	}
	b.press(kb.ArrowRight, chromedp.KeyModifiers(chromedp.ModifierShift))
	b.has(".details h3", "Rack ")
	b.press(kb.Escape)
	b.has(".details h3", "Nothing selected")
	b.Quiet()
}

// TestPrint prints the page with its floor.
func TestPrint(t *testing.T) {
	b := open(t, write(t, planOf(t, "superpod-h100-4su")), 1000, 800)
	pdf, err := chromedp.Run(b.Ctx, chromedp.PrintToPDF(func(p *cdppage.PrintToPDFParams) {
		p.PrintBackground = new(true)
	}))
	if err != nil {
		t.Fatal(err)
	}
	if pages := bytes.Count(pdf, []byte("/Type /Page\n")); !bytes.HasPrefix(pdf, []byte("%PDF")) || pages > 30 {
		t.Errorf("%d bytes of PDF, %d pages", len(pdf), pages)
	}
	if dir := os.Getenv("PLENUM_SHOTS"); dir != "" {
		if err := os.WriteFile(dir+"/print.pdf", pdf, 0o666); err != nil {
			t.Error(err)
		}
	}
	if size := eval[int](b, `document.querySelector(".printfloor img").naturalWidth`); size < 1000 {
		t.Errorf("the printed floor is %d pixels wide", size)
	}
	b.Quiet()
}

// TestTextsStayTexts gives everything that a plan names the name of a script.
func TestTextsStayTexts(t *testing.T) {
	r := planOf(t, "torus-4096-racks")
	r.Spec.Name = "</title></script><script>window.hit=1</script><b>machine"
	d, err := page.New(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	bad := []string{
		"<script>window.hit=2</script>", "<img src=x onerror=window.hit=3>", "\"><svg onload=window.hit=4>", "</style>",
	}
	for i := range d.Kinds {
		d.Kinds[i].Name, d.Kinds[i].Part = bad[i%4], bad[(i+1)%4]
	}
	d.Plan.Notes = bad
	d.Plan.Machine = r.Spec.Name
	page.Rename(d, func(i int) string { return bad[i%4] })
	path := t.TempDir() + "/report.html"
	var out bytes.Buffer
	if err := page.HTML(&out, d, page.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	b := open(t, path, 1200, 800)
	b.has("h1", r.Spec.Name)
	x, y := b.at(bad[0])
	b.Run(chromedp.MouseEvent(chromedp.MouseMoved, x, y))
	b.has(".tip", "<")
	b.Run(chromedp.MouseClickXY(x, y))
	b.settle()
	b.has(".details h3", "<")
	b.Run(chromedp.Click(chromedp.CSS(".details .longrow:not(.head)")))
	b.Run(chromedp.SendKeys(chromedp.CSS(".search input"), "<s"))
	b.has("#found", bad[0])
	for _, v := range []string{"figures", "cables", "bill", "rules", "basis", "floor"} {
		b.view(v)
	}
	if eval[bool](b, "window.hit !== undefined") {
		t.Error("a script of the plan ran")
	}
	b.Quiet()
}

// TestSameBytes writes a page twice.
func TestSameBytes(t *testing.T) {
	r := planOf(t, "basepod")
	var first, second bytes.Buffer
	for _, out := range []*bytes.Buffer{&first, &second} {
		d, err := page.New(t.Context(), r)
		if err == nil {
			err = page.HTML(out, d, page.Options{})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("two pages of one plan differ")
	}
}

// TestLarge keeps bundles where cables are too many.
func TestLarge(t *testing.T) {
	s := planOf(t, "basepod")
	summary, err := machine.PlanWith(t.Context(), s.Spec, machine.Options{Summary: true})
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, write(t, summary), 1200, 800)
	b.has(".filters", "bundle")
	b.view("basis")
	b.has("#view-basis", "A summary keeps no list of cables")
	b.Quiet()
}

// TestDress opens machines of other kinds, in the dark.
func TestDress(t *testing.T) {
	for _, name := range []string{"clex-4096", "frontier"} {
		b := open(t, write(t, planOf(t, name)), 1440, 900)
		b.Run(chromedp.Click(chromedp.CSS(".theme")))
		b.settle()
		b.Shot("dark-" + name)
		if got := eval[string](b, "getComputedStyle(document.body).backgroundColor"); got != "rgb(20, 24, 29)" {
			t.Errorf("%s: a ground of %s in the dark", name, got)
		}
		b.view("space")
		b.Run(chromedp.WaitVisible(chromedp.CSS("canvas.space[data-drawn]")))
		b.Shot("dark-space-" + name)
		b.view("figures")
		b.Shot("dark-figures-" + name)
		b.Quiet()
	}
}

// TestNested opens machines in containers: in three dimensions, every cable between two of them is in one line, those
// inside the innermost are drawn one by one, and filters leave out lines without a cable.
func TestNested(t *testing.T) {
	for _, name := range []string{"clex-4096", "torus-4096-cubes"} {
		b := open(t, write(t, planOf(t, name)), 1440, 900)
		b.Shot("nested-floor-" + name)
		same := eval[int](b, `(() => { const { xy, start, count } = plenum.state.paths, at = new Set();
			for (let i = 0; i < count; i++) at.add([...xy.subarray(2 * start[i], 2 * start[i + 1])].join());
			return count - at.size; })()`)
		if same > 0 {
			t.Errorf("%s: %d cables are drawn over others on the floor", name, same)
		}
		b.view("space")
		b.Run(chromedp.WaitVisible(chromedp.CSS("canvas.space[data-cords]")))
		b.Shot("nested-space-" + name)
		if name == "clex-4096" {
			b.Picture("../../docs/img/report-cubes.png")
		}
		sums := eval[[]int](b, `(() => { const { cords: k, cables: c } = plenum.state.model, out = [0, 0, k.count];
			for (const n of k.cables) out[0] += n;
			for (let i = 0; i < c.count; i++) if (c.rackA[i] !== c.rackB[i] && c.leg[i] <= 1) out[1]++;
			return out; })()`)
		if sums[0] != sums[1] || sums[1] == 0 {
			t.Errorf("%s: %d cables in lines, %d between containers", name, sums[0], sums[1])
		}
		drawn := func() int { return eval[int](b, `+document.querySelector("canvas.space").dataset.cords`) }
		if n := drawn(); n != sums[2] {
			t.Errorf("%s: %d lines of %d are drawn", name, n, sums[2])
		}
		b.view("floor")
		before := drawn()
		b.Run(chromedp.Click(chromedp.CSS(`input[name=media][value="0"]`)))
		b.settle()
		if n := drawn(); n >= before {
			t.Errorf("%s: %d lines without a medium, %d with it", name, n, before)
		}
		b.Quiet()
	}
}

// TestNestedUnlisted has lines between containers where a page lists no cables.
func TestNestedUnlisted(t *testing.T) {
	d, err := page.New(t.Context(), planOf(t, "torus-4096-cubes"))
	if err != nil {
		t.Fatal(err)
	}
	d.Cables = nil
	b := open(t, saved(t, d), 1200, 800)
	b.view("space")
	b.Run(chromedp.WaitVisible(chromedp.CSS("canvas.space[data-cords]")))
	if n := eval[int](b, `+document.querySelector("canvas.space").dataset.cords`); n != 192 {
		t.Errorf("%d lines, want three for each of 64 cubes", n)
	}
	b.Shot("nested-unlisted")
	b.Quiet()
}
