package serve_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/plenum-planner/plenum/internal/browsertest"
	"github.com/plenum-planner/plenum/serve"
)

// TestFirstFile has the first machine file written, once, and never over another one.
func TestFirstFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "new.yaml")
	v := start(t, serve.Options{Path: path, Name: path, Start: true})
	ask := func(answers map[string]any) answered {
		text, err := json.Marshal(answers)
		if err != nil {
			t.Fatal(err)
		}
		return v.ask("POST", "/api/start", string(text), nil)
	}
	answers := func(change string, value any) map[string]any {
		a := map[string]any{"name": "new", "nodes": "8", "ports": "1", "rate": "400G", "room": "auto"}
		a[change] = value
		return a
	}
	for _, tt := range []struct {
		change string
		value  any
		why    string
	}{
		{"nodes", "many", "not a whole number"},
		{"ports", "9", "not a whole number"},
		{"rate", "1G", "not one of"},
		{"room", "2", "not width x depth"},
		{"room", "1.5x1.5", "no rack"},
		{"name", " ", "needs a name"},
		{"example", "none", "no example"},
	} {
		a := ask(answers(tt.change, tt.value))
		if r := a.reply(t); a.status != 422 || !strings.Contains(r.Error, tt.why) {
			t.Errorf("%s %v: %d %s", tt.change, tt.value, a.status, a.body)
		}
	}
	if a := v.ask("POST", "/api/start", "{", nil); a.status != 400 {
		t.Error(a)
	}
	if a := v.ask("POST", "/api/save", small, nil); a.status != 403 {
		t.Error(a)
	}
	if _, err := os.Stat(path); err == nil {
		t.Fatal("a file was written for refused answers")
	}
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if a := ask(answers("name", "new")); a.status != 422 || !strings.Contains(a.body, "exists") {
		t.Error(a)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if a := ask(answers("management", true)); a.status != 200 {
		t.Fatal(a)
	}
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), "count: 8") || !strings.Contains(string(text), "management") {
		t.Errorf("%s, %v", text, err)
	}
	if a := ask(answers("name", "new")); a.status != 409 {
		t.Error(a)
	}
	if a := v.ask("GET", "/?token="+v.token, "", nil); a.status != 200 || !strings.Contains(a.body, "editbar") {
		t.Error("the file that was written is not served:", a.status)
	}
}

// TestFirstFileHasAName refuses names that lead out of the directory.
func TestFirstFileHasAName(t *testing.T) {
	t.Chdir(t.TempDir())
	v := start(t, serve.Options{Start: true})
	for _, name := range []string{"../x", "a/b", `a\b`, ".hidden", "basepod", strings.Repeat("x", 200), "c:x"} {
		text, _ := json.Marshal(map[string]string{
			"name": name, "nodes": "8", "ports": "1", "rate": "400G", "room": "auto",
		})
		if a := v.ask("POST", "/api/start", string(text), nil); a.status != 422 {
			t.Errorf("%q: %v", name, a)
		}
	}
	if a := v.ask("POST", "/api/start", `{"example": "basepod"}`, nil); a.status != 200 {
		t.Error(a)
	}
	if _, err := os.Stat("basepod.yaml"); err != nil {
		t.Error(err)
	}
}

// TestChoicesAreNotCut has room for every choice of the start page's selects on a phone.
func TestChoicesAreNotCut(t *testing.T) {
	b := &browser{browsertest.New(t, 390, 844, "http://127.0.0.1:")}
	b.Run(chromedp.Navigate(start(t, serve.Options{Path: filepath.Join(t.TempDir(), "new.yaml"), Start: true}).s.URL()),
		chromedp.WaitVisible(chromedp.CSS(`#import`)))
	const arrow = "24" // pixels
	for _, cut := range eval[[]string](b, `[...document.querySelectorAll("select")].flatMap((s) => {
		const style = getComputedStyle(s), pen = document.createElement("canvas").getContext("2d");
		pen.font = style.font;
		const free = s.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - `+arrow+`;
		return [...s.options].map((o) => o.text).filter((text) => pen.measureText(text).width > free);
	})`) {
		t.Errorf("%q is cut", cut)
	}
	const formats = `document.getElementById("formats").textContent`
	if got := eval[string](b, formats); !strings.Contains(got, "LLDP") {
		t.Errorf("cabling is read from %q", got)
	}
	eval[bool](b, `(() => { const s = document.querySelector('[name="kind"]'); s.value = "drawing";
		return s.dispatchEvent(new Event("change")); })()`)
	if got := eval[string](b, formats); !strings.Contains(got, "DXF") {
		t.Errorf("drawings are read from %q", got)
	}
	b.Quiet()
}

// clicks counts what a person does with the mouse and enters into fields.
type clicks struct {
	b *browser
	n int
}

// press clicks on what an expression finds.
func (c *clicks) press(expression string) {
	c.b.T.Helper()
	c.n++
	c.b.press(expression)
}

// enters puts a value into the field that a selector finds, as one entry.
func (c *clicks) enters(selector, value string) {
	c.b.T.Helper()
	c.n++
	s, _ := json.Marshal(selector)
	v, _ := json.Marshal(value)
	eval[bool](c.b, `(() => { const e = document.querySelector(`+string(s)+`); e.focus(); e.value = `+string(v)+`;
		e.dispatchEvent(new Event("input", { bubbles: true }));
		return e.dispatchEvent(new Event("change", { bubbles: true })); })()`)
}

// TestFromNothing does a whole task without the text: 96 servers with two fabrics in a given room with a column, a
// quote, an order and a saved file, in at most 60 clicks and entries.
func TestFromNothing(t *testing.T) {
	for _, width := range []int64{1440, 390} {
		t.Run(strconv.FormatInt(width, 10), func(t *testing.T) { planFromNothing(t, width) })
	}
}

// planFromNothing does the task in a window of some width.
func planFromNothing(t *testing.T, width int64) {
	shot := func(b *browser, name string) { b.Shot("task-" + strconv.FormatInt(width, 10) + "-" + name) }
	path := filepath.Join(t.TempDir(), "hall.yaml")
	v := start(t, serve.Options{Path: path, Name: path, Start: true})
	b := &browser{browsertest.New(t, width, 900, "http://127.0.0.1:")}
	b.Run(chromedp.Navigate(v.s.URL()), chromedp.WaitVisible(chromedp.CSS(`#examples button`)))
	shot(b, "1-start")
	c := &clicks{b: b}
	c.enters(`[name="nodes"]`, "96")
	c.enters(`[name="ports"]`, "2")
	c.enters(`[name="room"]`, "20x15")
	c.press(`document.querySelector('[name="management"]')`)
	shot(b, "2-described")
	c.press(`[...document.querySelectorAll("button")].find((e) => e.textContent === "Plan it")`)
	b.Run(chromedp.WaitVisible(chromedp.CSS(`.editbar .save`)))
	b.untilPage(`document.body.dataset.ready === "yes" && plenum.state.floor.view.width > 1`)
	shot(b, "3-planned")
	c.press(button("Build"))
	shot(b, "4-build")
	c.press(button("Add a column"))
	shot(b, "5-placing")
	n := eval[int](b, `+(document.body.dataset.planned || 0)`)
	x, y := b.onFloor("5", "2.2")
	c.n++
	b.click(x, y)
	b.planned(n)
	c.press(`document.querySelector('[aria-label="Change the part of compute/leaf"]')`)
	shot(b, "6-parts")
	c.press(`document.querySelector('[data-part="nvidia-qm9700"]')`)
	shot(b, "7-part")
	c.press(`document.querySelector('[data-use="compute/leaf"]')`)
	b.until(editorSays + `.startsWith("nvidia-qm9700 for compute/leaf")`)
	quote := "part,unit price,currency,date\ngeneric-switch-64x400g,27000,USD,2026-01-15\n"
	sent := filepath.Join(t.TempDir(), "quote.csv")
	if err := os.WriteFile(sent, []byte(quote), 0o600); err != nil {
		t.Fatal(err)
	}
	c.press(button("Build"))
	b.until(`document.querySelector('[data-path="prices.quote"]')`)
	eval[bool](b, `(document.querySelector('[data-path="prices.quote"]').scrollIntoView(), true)`)
	shot(b, "8-quote")
	// The panel is made anew with the page, and a field that is found in the old one is gone.
	eval[bool](b, `new Promise((done) => setTimeout(() => done(true), 700))`)
	b.until(settled)
	before := eval[float64](b, `plenum.state.model.plan.cost.total`)
	n = eval[int](b, `+(document.body.dataset.planned || 0)`)
	c.n += 2 // the button, and the file in the dialog of the browser
	b.Run(chromedp.SetUploadFiles(chromedp.CSS(`[aria-label="Choose a supplier's quote"]`), []string{sent}))
	b.planned(n)
	if text, err := os.ReadFile(filepath.Join(filepath.Dir(path), "quote.csv")); err != nil || string(text) != quote {
		t.Errorf("beside the machine file, the quote is %s, %v", text, err)
	}
	if after := eval[float64](b, `plenum.state.model.plan.cost.total`); after == before {
		t.Error("the quote changes nothing of the cost")
	}
	c.press(button("Download orders.csv"))
	b.until(editorSays + `.startsWith("orders.csv: ")`)
	c.press(`[...document.querySelectorAll('[role="tab"]')].find((t) => t.textContent === "Bill")`)
	shot(b, "9-bill")
	c.press(`[...document.querySelectorAll('[role="tab"]')].find((t) => t.textContent === "Floor")`)
	c.press(`document.querySelector(".editbar .save")`)
	b.until(editorSays + ` === "Saved"`)
	shot(b, "10-saved")
	p := eval[[]float64](b, `[plenum.state.model.plan.nodes, plenum.state.model.plan.fabrics.length,
		plenum.state.model.plan.cost.total, plenum.state.model.plan.spec.room.columns.length]`)
	if p[0] != 96 || p[1] != 2 || p[2] <= 0 || p[3] != 1 {
		t.Errorf("nodes, fabrics, cost and columns are %v", p)
	}
	if c.n > 60 {
		t.Errorf("%d clicks and entries", c.n)
	}
	t.Log(c.n, "clicks and entries")
	if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), "columns:") {
		t.Errorf("saved: %s, %v", text, err)
	}
	b.Quiet()
}
