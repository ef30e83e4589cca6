package serve_test

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/plenum-planner/plenum/serve"
)

// TestPressesCount: every press on a button counts that goes by the number before, also while plans of the earlier
// ones are being made, and fields that a machine needs are not emptied.
func TestPressesCount(t *testing.T) {
	v := run(t, clusters)
	b := open(t, v.s.URL())
	b.until(`document.body.dataset.ready === "yes" && plenum.state.floor.view.width > 1`)
	b.press(button("Build"))
	b.until(`document.querySelector('[data-path="topology.nodes"]')`)
	const less = "Remove a rack position of every row"
	before := eval[int](b, `Math.round(plenum.state.model.racks.count / plenum.state.model.room.rows.length)`)
	eval[bool](b, `(() => { for (let i = 0; i < 7; i++) { const e = `+button(less)+`; e.focus(); e.click(); }
		return true; })()`)
	per, _ := json.Marshal(before - 7)
	b.until(`/racks_per_row: ` + string(per) + `\b/.test(` + textOf + `) && plenum.state.model.racks.count === ` +
		string(per) + ` * plenum.state.model.room.rows.length && ` + settled)
	if at := eval[string](b, `document.activeElement.getAttribute("aria-label")`); at != less {
		t.Errorf("the focus is at %q", at)
	}
	text := eval[string](b, textOf)
	eval[bool](b, `(() => { const e = document.querySelector('[data-path="topology.nodes"]'); e.value = "";
		return e.dispatchEvent(new Event("change")); })()`)
	b.until(editorSays + `.startsWith("Not changed: nodes")`)
	if eval[string](b, textOf) != text ||
		eval[string](b, `document.querySelector('[data-path="topology.nodes"]').value`) != "64" {
		t.Error("the number of nodes is gone")
	}

	// What is gone leaves the focus to what has taken its place.
	b.does(button("State rows one by one"))
	remove := `[...document.querySelectorAll("button")].find((e) => /^Remove row /.test(e.getAttribute("aria-label")))`
	b.until(remove)
	eval[bool](b, `(`+remove+`.focus(), true)`)
	b.does(remove)
	if at := eval[string](b, `document.activeElement.tagName`); at == "BODY" {
		t.Error("the focus is lost")
	}
	b.Quiet()
}

// TestOthersChangeTheFile: a page says that its file was changed by others, and takes the text over or keeps its own.
func TestOthersChangeTheFile(t *testing.T) {
	v := run(t, clusters)
	b := open(t, v.s.URL())
	b.until(`document.body.dataset.ready === "yes"`)
	others := func(text string) {
		t.Helper()
		if err := os.WriteFile(v.path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		eval[bool](b, `window.dispatchEvent(new Event("focus"))`)
		b.until(`!document.querySelector(".notice").hidden`)
	}
	others(strings.Replace(clusters, "nodes: 64", "nodes: 32", 1))
	b.press(button("Load it"))
	b.until(`plenum.state.model.plan.nodes === 32 && ` + settled)
	if got := eval[string](b, `document.querySelector(".delta").textContent`); got != "As saved" {
		t.Errorf("the text of the file is %q", got)
	}
	others(clusters)
	b.press(button("Keep this text"))
	b.until(`document.querySelector(".notice").hidden`)
	b.press(button("Save"))
	b.until(editorSays + ` === "Saved"`)
	if text, err := os.ReadFile(v.path); err != nil || !strings.Contains(string(text), "nodes: 32") {
		t.Errorf("saved: %s, %v", text, err)
	}
	b.Quiet()
}

// TestDraftsAreOffered: what was not saved when a page ended is offered by the next one, and not once it is dropped.
func TestDraftsAreOffered(t *testing.T) {
	v := run(t, clusters)
	b := open(t, v.s.URL())
	b.until(`document.body.dataset.ready === "yes"`)
	b.typed("name: Hall", "name: Barn")
	b.until(`Object.keys(localStorage).length === 1 && ` + settled)
	again := func() {
		t.Helper()
		b.Run(chromedp.Reload())
		b.untilPage(`document.body.dataset.ready === "yes"`)
	}
	// A press that is none of a hand: else the browser asks before the page is left.
	click := func(name string) { eval[bool](b, `(`+button(name)+`.click(), true)`) }
	again()
	click("Open it")
	b.until(`/name: Barn/.test(` + textOf + `) && ` + settled)
	again()
	click("Drop it")
	b.until(`Object.keys(localStorage).length === 0`)
	again()
	if !eval[bool](b, `document.querySelector(".notice").hidden`) {
		t.Error("what was dropped is offered again")
	}
}

// TestRefusedPages: an address that is out of date, and a file that is gone, lead to a page for people.
func TestRefusedPages(t *testing.T) {
	v := run(t, clusters)
	if err := os.Remove(v.path); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/?token=x": "no token, or a wrong one", "/?token=" + v.token: "no such file",
	} {
		a := v.ask("GET", path, "", func(r *http.Request) { r.Header.Del("Plenum-Token") })
		if a.status < 400 || !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") ||
			!strings.Contains(a.body, want) {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
}

// TestLayersOfADrawing lists the layers to choose from, and refuses a drawing of which none is named.
func TestLayersOfADrawing(t *testing.T) {
	t.Chdir(t.TempDir())
	v := start(t, serve.Options{Start: true})
	hall := [2]string{"hall.geojson", hallDrawing}
	a := v.sendForm("/api/layers", nil, hall)
	if want := `{"layers":[{"name":"COLS","shapes":1},{"name":"EDGE","shapes":1}]}`; a.status != http.StatusOK ||
		strings.TrimSpace(a.body) != want {
		t.Errorf("%d %s, want %s", a.status, a.body, want)
	}
	for _, files := range [][][2]string{nil, {hall, hall}, {{"hall.dxf", "no drawing"}}} {
		if a := v.sendForm("/api/layers", nil, files...); a.status < 400 {
			t.Errorf("%v: %d %s", files, a.status, a.body)
		}
	}
}
