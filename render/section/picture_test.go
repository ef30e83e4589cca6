package section

import (
	"testing"

	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/render/scene/scenetest"
)

// Every page of sections can be read on paper: texts in letters of 6 points at least, none over another, beyond the
// page or hard to tell from what is behind it.
func TestSectionsCanBeRead(t *testing.T) {
	texts := map[string]string{
		"few cables": "topology: {family: torus, dims: [3]}\npackaging: {node: {per_rack: 1}}\n",
		"long names": `
name: A machine with a long name that no title block has room for, built in two phases over three years
topology: {family: fat-tree, nodes: 128, radix: 32}
packaging: {node: {per_rack: 8}}
cabling:
  media:
    - {levels: [terminal], use: [a-cable-whose-id-is-much-longer-than-the-line-beside-a-section-has-room-for]}
    - {use: [any]}
parts:
  - {id: a-cable-whose-id-is-much-longer-than-the-line-beside-a-section-has-room-for, kind: cable, source: x,
     confidence: user, cable: {medium: active-optical, connector: qsfp112, rate: 400G, lengths: [3, 5, 10, 20, 50],
     diameter: 3 mm, propagation: 5}}
`,
	}
	for _, name := range []string{"frontier", "superpod-h100-4su", "basepod", "dragonfly-1056", "oracle-eight-rack"} {
		data, err := examples.Files.ReadFile(name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(data)
	}
	drawn := 0
	for name, text := range texts {
		r := planned(t, text)
		if r.Schedule.Trays == nil {
			continue
		}
		var all []string // the first dozens of pieces with cables, on as many pages as they take
		for piece := range r.Schedule.Trays.Loads {
			if r.Schedule.Trays.Loads[piece].Cables > 0 && len(all) < 40 {
				all = append(all, string(r.Schedule.Trays.AppendID(nil, int32(piece))))
			}
		}
		for _, trays := range [][]string{nil, all} {
			pages, err := Pages(r, Options{Trays: trays, Date: "1 May 2026"})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for i, page := range pages {
				drawn++
				for _, fault := range scenetest.Faults(page.Scene, scenetest.Limits{}) {
					t.Errorf("%s, page %d, %s: %s", name, i+1, page.Mark, fault)
				}
			}
		}
	}
	if drawn < 2*len(texts) {
		t.Errorf("%d pages of %d machines", drawn, len(texts))
	}
}
