package elevation

import (
	"testing"

	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/render/scene/scenetest"
)

// Every page of a book can be read on paper: names in letters of 6 points at least, none over another, beyond the page
// or hard to tell from what is behind it.
func TestBooksCanBeRead(t *testing.T) {
	texts := map[string]string{
		"small": small, "large": large,
		"tall": `
topology: {family: torus, dims: [8, 8, 4]}
room: {rack: tall}
parts: [{id: tall, kind: rack, width: 0.6 m, depth: 1.2 m, height: 3.5 m, units: 78}]
`,
		"wide": `
topology: {family: torus, dims: [8, 8, 4]}
room: {rack: wide}
parts: [{id: wide, kind: rack, width: 2 m, depth: 1.2 m, height: 2 m, units: 42}]
`,
	}
	for _, name := range []string{"frontier", "superpod-h100-4su", "basepod", "tpu-v4", "nvl72-8"} {
		data, err := examples.Files.ReadFile(name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(data)
	}
	for name, text := range texts {
		r := planned(t, text)
		if len(Of(r)) == 0 {
			continue
		}
		for _, group := range []bool{false, true} {
			d, err := newDrawing(r, Options{Group: group, Date: "1 May 2026", Most: 12})
			if err != nil {
				t.Fatal(err)
			}
			pages, err := d.bookOf(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			for i, page := range pages {
				for _, fault := range scenetest.Faults(page.Scene, scenetest.Limits{}) {
					t.Errorf("%s, page %d, %s: %s", name, i+1, page.Mark, fault)
				}
			}
		}
	}
}
