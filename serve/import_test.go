package serve_test

import (
	"bytes"
	"encoding/json"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/chromedp"

	"github.com/plenum-planner/plenum/internal/browsertest"
	"github.com/plenum-planner/plenum/serve"
)

// cableSheet is how four nodes are cabled to a switch.
const cableSheet = `a_device,a_port,b_device,b_port
node-1,p1,leaf-1,1
node-2,p1,leaf-1,2
node-3,p1,leaf-1,3
node-4,p1,leaf-1,4
`

// rackSheet is a list of six racks.
const rackSheet = `Name,Row,Position,X,Y
A1,A,1,1.8,1.5
A2,A,2,2.4,1.5
A3,A,3,3.0,1.5
B1,B,1,1.8,4.5
B2,B,2,2.4,4.5
B3,B,3,3.0,4.5
`

// hallDrawing is the outline of a hall with a column.
const hallDrawing = `{"type": "FeatureCollection", "features": [
{"type": "Feature", "properties": {"layer": "EDGE"}, "geometry": {"type": "Polygon",
 "coordinates": [[[0, 0], [18, 0], [18, 12], [0, 12], [0, 0]]]}},
{"type": "Feature", "properties": {"layer": "COLS"}, "geometry": {"type": "Polygon",
 "coordinates": [[[9, 6], [9.4, 6], [9.4, 6.4], [9, 6.4], [9, 6]]]}}]}
`

// made is what an import answers.
type made struct {
	ID    string
	Files []struct{ Name string }
	Facts []string
	reply
}

// imports sends a form with fields and files, each a name and a text.
func (v *served) imports(fields map[string]string, files ...[2]string) (answered, made) {
	v.t.Helper()
	all := map[string]string{"name": "found", "nodes": "96", "ports": "1", "rate": "400G", "kind": "wiring"}
	for k, text := range fields {
		all[k] = text
	}
	a := v.sendForm("/api/import", all, files...)
	var m made
	if err := json.Unmarshal([]byte(a.body), &m); err != nil {
		v.t.Fatal(err, a.body)
	}
	return a, m
}

// sendForm sends fields and files, each a name and a text.
func (v *served) sendForm(path string, fields map[string]string, files ...[2]string) answered {
	v.t.Helper()
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	for k, text := range fields {
		if err := form.WriteField(k, text); err != nil {
			v.t.Fatal(err)
		}
	}
	for _, f := range files {
		w, err := form.CreateFormFile("file", f[0])
		if err != nil {
			v.t.Fatal(err)
		}
		_, _ = w.Write([]byte(f[1]))
	}
	form.Close()
	return v.ask("POST", path, b.String(), func(r *http.Request) {
		r.Header.Set("Content-Type", form.FormDataContentType())
	})
}

// TestImport reads files of each kind, refuses wrong ones with their lines, and writes only when that is confirmed.
func TestImport(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	v := start(t, serve.Options{Start: true})
	empty := func(when string) {
		t.Helper()
		if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
			t.Fatalf("%s: %v %v", when, list, err)
		}
	}
	sheet := [2]string{"../up/cables.csv", cableSheet}
	racks := [2]string{"hall.csv", rackSheet}
	hall := [2]string{"hall.geojson", hallDrawing}
	drawn := func(outline string) map[string]string {
		return map[string]string{"kind": "drawing", "outline": outline, "columns": "COLS", "unit": "m", "nodes": "64"}
	}
	for _, tt := range []struct {
		name   string
		fields map[string]string
		files  [][2]string
		status int
		why    string
		file   string
		line   int
	}{
		{"no file", nil, nil, 422, "choose the files", "", 0},
		{"no form of ours", nil, [][2]string{{"x.txt", "hello\n"}}, 422, "none of the forms", "x.txt", 1},
		{
			"a mistake in one of two files", nil,
			[][2]string{sheet, {"b.csv", strings.Replace(cableSheet, "node-2,p1,leaf-1", "node-2,p1,", 1)}},
			422, "end of the cable", "b.csv", 3,
		},
		{"another kind", map[string]string{"kind": "magic"}, [][2]string{sheet}, 422, "not wiring", "", 0},
		{"a path for a name", map[string]string{"name": "../x"}, [][2]string{sheet}, 422, "not one of a file", "", 0},
		{"the name of an example", map[string]string{"name": "basepod"}, [][2]string{sheet}, 422, "an example", "", 0},
		{"no name", map[string]string{"name": " "}, [][2]string{sheet}, 422, "needs a name", "", 0},
		{"two lists", map[string]string{"kind": "racks"}, [][2]string{racks, racks}, 422, "one file", "", 0},
		{
			"a mistake in a list",
			map[string]string{"kind": "racks"},
			[][2]string{{"hall.csv", strings.Replace(rackSheet, "3.0,4.5", "x,4.5", 1)}},
			422, `"x"`, "hall.csv", 7,
		},
		{"too few racks", map[string]string{"kind": "racks", "nodes": "1024"}, [][2]string{racks}, 422, "rack", "", 0},
		{"a drawing of another kind", drawn("EDGE"), [][2]string{{"hall.dwg", "x"}}, 422, ".dxf or .geojson", "", 0},
		{"a layer that is not there", drawn("EDG"), [][2]string{hall}, 422, "EDG", "found.yaml", -1},
		{"too large", nil, [][2]string{{"x.csv", strings.Repeat("x", 17<<20)}}, 413, "16 MiB", "", 0},
	} {
		a, m := v.imports(tt.fields, tt.files...)
		if a.status != tt.status || !strings.Contains(m.Error, tt.why) {
			t.Errorf("%s: %d %s", tt.name, a.status, m.Error)
		}
		if tt.file != "" && (len(m.Messages) == 0 || m.Messages[0].File != tt.file || tt.line > 0 &&
			m.Messages[0].Line != tt.line) {
			t.Errorf("%s: %+v", tt.name, m.Messages)
		}
		if strings.Contains(a.body, os.TempDir()) {
			t.Errorf("%s: names a directory of ours: %s", tt.name, a.body)
		}
		empty(tt.name)
	}
	if a := v.ask("POST", "/api/import", "{}", nil); a.status != 400 {
		t.Error(a)
	}
	for _, tt := range []struct {
		fields map[string]string
		file   [2]string
		want   string
	}{
		{map[string]string{"kind": "racks"}, racks, "room: {rack_list: found-racks.csv}"},
		{drawn("EDGE"), hall, "file: found-room.geojson"},
		{nil, sheet, "named_ports"},
	} {
		a, m := v.imports(tt.fields, tt.file)
		if a.status != 200 || !strings.Contains(m.Text, tt.want) || len(m.Facts) == 0 || m.ID == "" {
			t.Errorf("%s: %d %s", tt.file[0], a.status, a.body)
		}
		empty(tt.file[0])
	}

	// The last import is written, and no other one; never over a file.
	_, list := v.imports(map[string]string{"kind": "racks"}, racks)
	a, m := v.imports(nil, sheet)
	for _, id := range []string{"", list.ID} {
		if a := v.ask("POST", "/api/imported?id="+id, "", nil); a.status != 409 {
			t.Errorf("%q: %v", id, a)
		}
	}
	empty("another import")
	if err := os.WriteFile("found.yaml", []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if a = v.ask("POST", "/api/imported?id="+m.ID, "", nil); a.status != 422 || !strings.Contains(a.body, "exists") {
		t.Error(a)
	}
	if entries, _ := os.ReadDir("."); len(entries) != 1 {
		t.Errorf("files were left: %v", entries)
	}
	if err := os.Remove("found.yaml"); err != nil {
		t.Fatal(err)
	}
	if a = v.ask("POST", "/api/imported?id="+m.ID, "", nil); a.status != 200 {
		t.Fatal(a)
	}
	for _, f := range m.Files {
		if _, err := os.Stat(f.Name); err != nil {
			t.Error(err)
		}
	}
	if a, _ := v.imports(nil, sheet); a.status != 409 {
		t.Error("a second machine is imported:", a.status)
	}
	page := v.ask("GET", "/?token="+v.token, "", nil)
	if page.status != 200 || !strings.Contains(page.body, "editbar") {
		t.Error("the file that was written is not served:", page.status)
	}
}

// TestImportByPage chooses a file in the browser, sees a mistake with its line, and writes what the mended file makes.
func TestImportByPage(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "hall.yaml")
	v := start(t, serve.Options{Path: path, Name: path, Start: true})
	b := &browser{browsertest.New(t, 1440, 900, "http://127.0.0.1:")}
	b.Run(chromedp.Navigate(v.s.URL()), chromedp.WaitVisible(chromedp.CSS(`#import`)))
	choose := func(name, text string) {
		t.Helper()
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		doc := browsertest.Call(b.Page, dom.GetDocument, dom.GetDocumentParams{})
		node := browsertest.Call(b.Page, dom.QuerySelector, dom.QuerySelectorParams{
			NodeID: doc.Root.NodeID, Selector: `#import [name="file"]`,
		})
		browsertest.Call(b.Page, dom.SetFileInputFiles, dom.SetFileInputFilesParams{
			Files: []string{file}, NodeID: node.NodeID,
		})
	}
	eval[bool](b, `(() => { const e = document.querySelector('#import [name="kind"]'); e.value = "racks";
		return e.dispatchEvent(new Event("change")); })()`)
	choose("racks.csv", strings.Replace(rackSheet, "3.0,4.5", "x,4.5", 1))
	b.press(button("Read the files"))
	b.untilPage(`document.querySelectorAll("#importwrong li").length === 1`)
	got := eval[string](b, `document.querySelector("#importwrong li").textContent`)
	if !strings.HasPrefix(got, "racks.csv:7:") {
		t.Errorf("the mistake is %q", got)
	}
	b.Shot("import-wrong")
	choose("racks.csv", rackSheet)
	b.press(button("Read the files"))
	b.untilPage(`document.querySelector("#preview pre")`)
	b.Shot("import")
	if _, err := os.Stat(path); err == nil {
		t.Error("the file is written before that is confirmed")
	}
	b.press(button("Write these files and open them"))
	b.Run(chromedp.WaitVisible(chromedp.CSS(`.editbar .save`)))
	for name, want := range map[string]string{"hall.yaml": "rack_list: hall-racks.csv", "hall-racks.csv": "B3,B,3"} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %s, %v", name, text, err)
		}
	}
	b.until(`document.body.dataset.ready === "yes"`)
	for _, e := range b.Errors() { // a refusal is a response of status 422
		if !strings.Contains(e, "422") {
			t.Error(e)
		}
	}
}
