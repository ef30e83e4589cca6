package serve_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/serve"
)

// TestVariants writes, lists, reads and saves variants beside the machine file and nowhere else.
func TestVariants(t *testing.T) {
	v := run(t, small)
	dir := filepath.Dir(v.path)
	names := func() (out []string) {
		var list struct{ Variants []serve.Variant }
		a := v.ask("GET", "/api/variants", "", nil)
		if err := json.Unmarshal([]byte(a.body), &list); err != nil || a.status != 200 {
			t.Fatal(a, err)
		}
		for _, one := range list.Variants {
			out = append(out, one.Name)
		}
		return out
	}
	other := strings.Replace(small, "rows: 2", "rows: 4", 1)
	for name, want := range map[string]string{
		"": "needs a name", "../x": "not the name", "a/b": "not the name", `a\b`: "not the name", ".x": "not the name",
		"a.b": "not the name", "é": "not the name", strings.Repeat("x", 41): "not the name", "-x": "not the name",
	} {
		a := v.ask("POST", "/api/duplicate?name="+strings.ReplaceAll(name, `\`, "%5c"), small, nil)
		if r := a.reply(t); a.status != 422 || !strings.Contains(r.Error, want) {
			t.Errorf("%q: %d %s", name, a.status, a.body)
		}
	}
	wrong := strings.Replace(small, "rows: 2", "rows: x", 1)
	if a := v.ask("POST", "/api/duplicate?name=wide", wrong, nil); a.status != 422 || len(a.reply(t).Messages) != 1 {
		t.Error(a)
	}
	if got := names(); len(got) != 1 || got[0] != "" {
		t.Errorf("variants %q before the first one", got)
	}
	a := v.ask("POST", "/api/duplicate?name=wide", other, nil)
	if a.status != 200 {
		t.Fatal(a)
	}
	base := a.reply(t).Base
	a = v.ask("POST", "/api/duplicate?name=wide", small, nil)
	if a.status != 422 || !strings.Contains(a.body, "exists") {
		t.Error("written over another one:", a)
	}
	a = v.ask("GET", "/api/variant?name=wide", "", nil)
	if r := a.reply(t); r.Text != other || r.Base != base {
		t.Errorf("read again: %v", a)
	}

	// Links and directories are not listed, read or written.
	outside := filepath.Join(t.TempDir(), "outside.yaml")
	if err := os.WriteFile(outside, []byte(small), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "machine.link.yaml")); err != nil {
		t.Skip(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "machine.dir.yaml"), 0o777); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(names(), ","); got != ",wide" {
		t.Errorf("variants %q", got)
	}
	save := func(name, text, base string) answered {
		return v.ask("POST", "/api/save?variant="+name, text, func(r *http.Request) {
			r.Header.Set("Plenum-Base", base)
		})
	}
	if a := v.ask("GET", "/api/variant?name=link", "", nil); a.status != 409 {
		t.Error("a link is read:", a)
	}
	sum := a.reply(t).Base
	if a := save("link", other, sum); a.status != 409 {
		t.Error("a link is followed:", a)
	}

	// A variant is saved as the machine file is, and that stays as it was.
	last := strings.Replace(small, "rows: 2", "rows: 3", 1)
	if a := save("wide", last, "else"); a.status != 409 || !strings.Contains(a.body, "changed by others") {
		t.Error(a)
	}
	if a := save("../wide", last, base); a.status != 422 {
		t.Error(a)
	}
	if a := save("wide", wrong, base); a.status != 422 {
		t.Error(a)
	}
	if a := save("wide", last, base); a.status != 200 {
		t.Error(a)
	}
	for path, want := range map[string]string{
		v.path: small, filepath.Join(dir, "machine.wide.yaml"): last, outside: small,
	} {
		if now, err := os.ReadFile(path); err != nil || string(now) != want {
			t.Errorf("%s is now %s, %v", path, now, err)
		}
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 4 {
		t.Errorf("%v, %v", list, err)
	}
}

// TestExamplesHaveNoVariants refuses them where there is no file.
func TestExamplesHaveNoVariants(t *testing.T) {
	v := start(t, serve.Options{Name: "small.yaml", Text: []byte(small)})
	for path, method := range map[string]string{
		"/api/variants": "GET", "/api/variant?name=": "GET", "/api/duplicate?name=x": "POST",
		"/api/rename?name=x&to=y": "POST", "/api/delete?name=x": "POST",
	} {
		if a := v.ask(method, path, small, nil); a.status != 403 || !strings.Contains(a.body, "plenum init") {
			t.Errorf("%s: %v", path, a)
		}
	}
}

// TestComparedAsByCompare holds the table of differences against plenum compare.
func TestComparedAsByCompare(t *testing.T) {
	v := run(t, small)
	other := strings.Replace(strings.Replace(small, "rows: 2", "rows: 4, cold_aisle: 3 m", 1), "dims: [4, 2]",
		"dims: [4, 4]", 1)
	body, _ := json.Marshal(map[string]string{"a": small, "b": other})
	a := v.ask("POST", "/api/compare", string(body), nil)
	var got struct {
		Figures []serve.Figure
		Notes   []string
	}
	if err := json.Unmarshal([]byte(a.body), &got); err != nil || a.status != 200 {
		t.Fatal(a, err)
	}
	var machines []machine.Candidate
	for _, text := range []string{small, other} {
		s, err := machine.Parse("x", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		machines = append(machines, machine.Candidate{File: "x", Spec: s})
	}
	c, err := machine.Compare(t.Context(), machines, machine.CompareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]serve.Figure{}
	for _, f := range got.Figures {
		if _, ok := at[f.Name+f.Unit]; !ok { // terms repeat some figures
			at[f.Name+f.Unit] = f
		}
	}
	if _, ok := at["costUSD"]; !ok {
		t.Error("the cost has no currency")
	}
	rows := append(render.CompareRows(c), render.ProductRows(c)...)
	for _, r := range rows {
		f, ok := at[r.Figure+r.UnitWith(render.CommonCurrency(rows))]
		if !ok || r.Figure != "nodes" && r.Values != nil && (f.A != r.Text(0) || f.B != r.Text(1)) {
			t.Errorf("%s: %+v", r.Figure, f)
		}
	}
	for name, want := range map[string]string{"nodes": "+8", "cables": "+14", "racks": "+4"} {
		if f := at[name]; f.Difference != want || !f.Differs {
			t.Errorf("%s: %+v", name, f)
		}
	}
	// All links are cables of some product.
	sum := map[string]int64{}
	for _, r := range render.ProductRows(c) {
		for i, v := range r.Values {
			sum[string(rune('a'+i))] += v.(int64)
		}
	}
	if sum["a"] != c.Machines[0].Cables || sum["b"] != c.Machines[1].Cables {
		t.Errorf("%v pieces of %d and %d cables", sum, c.Machines[0].Cables, c.Machines[1].Cables)
	}
	main := 0
	for _, f := range got.Figures {
		if f.Main {
			main++
		}
	}
	if main != 9 { // all but the mean delay of fabrics
		t.Errorf("%d figures are always shown", main)
	}

	body, _ = json.Marshal(map[string]string{"a": small, "b": strings.Replace(small, "rows: 2", "rows: x", 1)})
	a = v.ask("POST", "/api/compare", string(body), nil)
	if r := a.reply(t); a.status != 422 || !strings.HasPrefix(r.Error, "B has mistakes: ") || len(r.Messages) != 1 {
		t.Error(a)
	}
	if a := v.ask("POST", "/api/compare", "{", nil); a.status != 400 {
		t.Error(a)
	}
}

// TestRenameAndDelete renames and deletes variants as the page knows them, and nothing else.
func TestRenameAndDelete(t *testing.T) {
	v := run(t, small)
	dir := filepath.Dir(v.path)
	var base string
	for _, name := range []string{"wide", "other"} {
		a := v.ask("POST", "/api/duplicate?name="+name, small, nil)
		if base = a.reply(t).Base; a.status != 200 {
			t.Fatal(a)
		}
	}
	outside := filepath.Join(t.TempDir(), "outside.yaml")
	if err := os.WriteFile(outside, []byte(small), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "machine.link.yaml")); err != nil {
		t.Skip(err)
	}
	known := func(r *http.Request) { r.Header.Set("Plenum-Base", base) }
	for query, want := range map[string]struct {
		status int
		says   string
	}{
		"rename?name=&to=x":          {422, "the machine file itself"},
		"delete?name=":               {422, "the machine file itself"},
		"rename?name=wide&to=":       {422, "needs a name"},
		"rename?name=wide&to=../x":   {422, "not the name"},
		"rename?name=../x&to=x":      {422, "not the name"},
		"rename?name=wide&to=other":  {422, "exists"},
		"rename?name=wide&to=link":   {422, "exists"},
		"rename?name=gone&to=x":      {409, "no such file"},
		"delete?name=gone":           {409, "no such file"},
		"delete?name=link":           {409, "not an ordinary file"},
		"rename?name=link&to=linked": {409, "not an ordinary file"},
	} {
		a := v.ask("POST", "/api/"+query, "", known)
		if a.status != want.status || !strings.Contains(a.body, want.says) {
			t.Errorf("%s: %v", query, a)
		}
	}
	for _, query := range []string{"rename?name=wide&to=x", "delete?name=wide"} {
		a := v.ask("POST", "/api/"+query, "", nil)
		if a.status != 409 || !strings.Contains(a.body, "changed by others") {
			t.Errorf("%s: %v", query, a)
		}
	}
	a := v.ask("POST", "/api/rename?name=wide&to=slim", "", known)
	if !strings.Contains(a.body, `"machine.slim.yaml"`) {
		t.Error(a)
	}
	if a := v.ask("POST", "/api/delete?name=other", "", known); a.status != 200 {
		t.Error(a)
	}
	entries, err := os.ReadDir(dir)
	names := ""
	for _, e := range entries {
		names += e.Name() + " "
	}
	if want := "machine.link.yaml machine.slim.yaml machine.yaml "; names != want || err != nil {
		t.Errorf("files %q, want %q, %v", names, want, err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "machine.slim.yaml")); err != nil || string(text) != small {
		t.Errorf("renamed, it is %s, %v", text, err)
	}
}

// TestSwitchVariants duplicates a machine, changes the copy, switches between the two and compares them.
func TestSwitchVariants(t *testing.T) {
	v := run(t, clusters)
	b := open(t, v.s.URL())
	b.until(`document.body.dataset.ready === "yes" && plenum.state.floor.idle()`)
	compared := func(expression string) {
		t.Helper()
		n := eval[int](b, `+(document.body.dataset.compared || 0)`)
		b.press(expression)
		count, _ := json.Marshal(n)
		b.until(`+(document.body.dataset.compared || 0) > ` + string(count))
	}
	b.press(button("Variants"))
	b.until(`document.querySelector('[name="variant"]')`)
	b.press(`document.querySelector('[name="variant"]')`)
	eval[bool](b, `document.execCommand("insertText", false, "large")`)
	compared(button("Duplicate"))
	path := filepath.Join(filepath.Dir(v.path), "machine.large.yaml")
	if text, err := os.ReadFile(path); err != nil || string(text) != clusters {
		t.Fatalf("%s, %v", text, err)
	}
	const title = `document.querySelector(".editbar h2").textContent`
	if got := eval[string](b, title); got != "machine.large.yaml" {
		t.Errorf("%q is open", got)
	}
	const says = `document.querySelector(".variants [role=status]").textContent`
	if got := eval[string](b, says); got != "No figure differs." {
		t.Errorf("a copy: %s", got)
	}
	b.press(button("Text"))
	n := eval[int](b, `+(document.body.dataset.planned || 0)`)
	b.typed("nodes: 64", "nodes: 96")
	b.planned(n)
	const cost = `plenum.state.model.plan.cost.total`
	large := eval[float64](b, cost)
	compared(button("Variants"))
	const figure = `(name) => [...document.querySelectorAll(".variants tr.changed")].find((r) =>
		r.firstChild.textContent === name)?.innerText.replace(/\t/g, "|").replace(/\s+/g, " ") || ""`
	if got := eval[string](b, `(`+figure+`)("nodes")`); got != "nodes|64|96|+32 +50.0 %" {
		t.Errorf("nodes: %q", got)
	}
	if !eval[bool](b, `[...document.querySelectorAll(".variants tr")].some((r) => /^cost USD\t/.test(r.innerText)) &&
		[...document.querySelectorAll(".variants tr")].some((r) => r.textContent === "Cables by product")`) {
		t.Error("no cost, or no products")
	}
	b.shot("variants")

	// Switched, the machine file is in the editor as it was, and the copy keeps its text and its undo.
	compared(button("Switch A and B"))
	if got := eval[string](b, textOf); got != clusters {
		t.Errorf("the machine file is now %s", got)
	}
	if got := eval[string](b, title); got != "machine.yaml" {
		t.Errorf("%q is open", got)
	}
	if small := eval[float64](b, cost); small >= large {
		t.Errorf("64 nodes cost %g, 96 cost %g", small, large)
	}
	if got := eval[string](b, `(`+figure+`)("nodes")`); got != "nodes|96|64|-32 -33.3 %" {
		t.Errorf("nodes: %q", got)
	}
	if !eval[bool](b, button("undo")+`.disabled`) {
		t.Error("the machine file has something to undo")
	}
	compared(`document.querySelector('[data-variant="large"]')`)
	if got := eval[string](b, textOf); !strings.Contains(got, "nodes: 96") {
		t.Errorf("the copy is now %s", got)
	}
	b.does(button("undo"))
	if got := eval[string](b, textOf); got != clusters {
		t.Errorf("undone, the copy is %s", got)
	}
	b.does(button("redo"))
	b.press(`document.querySelector(".editbar .save")`)
	b.until(editorSays + ` === "Saved"`)
	for file, want := range map[string]string{v.path: "nodes: 64", path: "nodes: 96"} {
		if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s has no %s, %v", file, want, err)
		}
	}

	// Both floors are shown beside each other, as plenum compare draws them.
	b.press(button("Floors side by side"))
	b.until(`[...document.querySelectorAll("dialog img")].filter((e) => e.naturalWidth > 200).length === 2`)
	b.shot("side-by-side")
	const names = `[...document.querySelectorAll("dialog figcaption")].map((e) => e.textContent).join()`
	if got := eval[string](b, names); got != "A: the machine file,B: large, as in the editor" {
		t.Errorf("floors of %s", got)
	}
	if eval[bool](b, `((a, b) => a.src === b.src)(...document.querySelectorAll("dialog img"))`) {
		t.Error("the floors of 64 and 96 nodes are the same")
	}
	wide := func() float64 {
		return eval[float64](b, `document.querySelector("dialog img").getBoundingClientRect().width`)
	}
	whole := wide()
	b.press(`document.querySelector('dialog [aria-label="zoom in"]')`)
	if now := wide(); now < 1.5*whole {
		t.Errorf("a floor is %g pixels wide, and %g after zooming in", whole, now)
	}
	eval[bool](b, `(document.querySelectorAll(".floorscroll")[1].scrollLeft = 90, true)`)
	b.until(`document.querySelector(".floorscroll").scrollLeft === 90`)
	b.press(`document.querySelector('dialog [aria-label="show all"]')`)
	if now := wide(); now != whole {
		t.Errorf("a floor is %g pixels wide at first, and %g shown as a whole", whole, now)
	}
	eval[bool](b, `(document.documentElement.dataset.theme = "dark", true)`)
	if got := eval[string](b, `getComputedStyle(document.querySelector("dialog img")).filter`); got == "none" {
		t.Error("the floors are white on a dark page")
	}
	b.shot("side-by-side-dark")
	eval[bool](b, `delete document.documentElement.dataset.theme`)
	const rows = `document.querySelectorAll("dialog tbody tr").length`
	few := eval[int](b, rows)
	b.press(`document.querySelector("dialog input[type=checkbox]")`)
	if all := eval[int](b, rows); few == 0 || all <= few {
		t.Errorf("%d rows of the table beside the floors, %d with all", few, all)
	}
	b.press(button("Close"))
	b.until(`!document.querySelector("dialog") && document.activeElement.textContent === "Floors side by side"`)

	// Renamed, the text and its undo stay; deleted after a question, the other one is open.
	b.press(`document.querySelector('[name="renamed"]')`)
	eval[bool](b, `(document.activeElement.select(), document.execCommand("insertText", false, "larger"))`)
	b.press(button("Rename"))
	b.until(title + ` === "machine.larger.yaml"`)
	if _, err := os.Stat(path); err == nil {
		t.Error("the old name is still there")
	}
	if eval[bool](b, button("undo")+`.disabled`) {
		t.Error("the undo is gone")
	}
	b.press(button("Delete"))
	b.press(button("Keep it"))
	b.press(button("Delete"))
	b.shot("delete")
	b.press(button("Delete the file"))
	b.until(title + ` === "machine.yaml" && !document.querySelector('[data-variant="larger"]')`)
	if list, err := os.ReadDir(filepath.Dir(v.path)); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
	b.Quiet()
}
