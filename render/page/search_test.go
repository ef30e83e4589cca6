package page_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// rows is a machine in racks in rows, each of which holds two boards.
const rows = `topology: {family: torus, dims: [2, 3, 4]}
room:
  containers:
    - {name: hall, count: [1, 3, 1], pitch: [6]}
    - {name: row, count: [4, 1, 1], pitch: [1]}
    - {name: rack, count: [1, 1, 2], pitch: [0.4]}
    - {name: board, count: [1, 1, 1], pitch: [0.3]}
cabling: {route: manhattan}
`

// found searches for a text, and returns the names that are listed and what is said below them.
func (b *browser) found(text string) (names, said string) {
	b.T.Helper()
	list := eval[[]string](b, `(() => { const e = document.querySelector(".search input");
		e.focus();
		e.value = `+quoted(text)+`;
		e.dispatchEvent(new Event("input"));
		return [...document.querySelectorAll(".found li b"), document.querySelector(".found.told")].map((e) =>
			e.textContent); })()`)
	return strings.Join(list[:len(list)-1], ", "), list[len(list)-1]
}

// enter shows the first hit of the search.
func (b *browser) enter() {
	b.T.Helper()
	eval[bool](b, `document.querySelector(".search input")
		.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }))`)
}

// TestSearchFindsPlaces finds rows, halls, racks and containers by the names that the floor shows: those that have the
// text for a name come first, then those that begin with it, then the others.
func TestSearchFindsPlaces(t *testing.T) {
	for source, want := range map[string]map[string]string{
		rows: {
			"row 2 rack 3":           "row 2 rack 3, row 2 rack 3 board 0, row 2 rack 3 board 1",
			"2/3":                    "row 2 rack 3, row 2 rack 3 board 0, row 2 rack 3 board 1",
			"ROW 1,  rack 0 board 1": "row 1 rack 0 board 1",
			"board 1":                "", // checked below
			"nowhere":                "",
		},
		"superpod-h100-4su": {
			"row c":        "row C, C01, C02, C03, C04, C05, C06, C07, C08",
			"c02":          "C02, C0002",
			"row C rack 2": "C02",
			"c 2":          "C02",
			"rack 4":       "A04, B04, C04, D04, E04",
			"C0005":        "C0005, C05",
			"dgx-012":      "dgx-012",
		},
	} {
		b := open(t, write(t, planOf(t, source)), 1200, 800)
		for text, want := range want {
			if text == "board 1" {
				if names, said := b.found(text); strings.Count(names, "board 1") != 12 || said != "" {
					t.Errorf("%q finds %s; %s", text, names, said)
				}
				continue
			}
			names, said := b.found(text)
			if names != want || (names == "") != (said == `Nothing is named "`+text+`".`) {
				t.Errorf("%q finds %s; %q, want %s", text, names, said, want)
			}
		}
		if source != rows {
			if names, said := b.found("leaf"); strings.Count(names, "leaf") != 12 || !strings.HasPrefix(said, "and ") {
				t.Errorf("leaf finds %s; %q", names, said)
			}
			b.found("row c")
			b.Shot("search")
			b.enter()
			b.settle()
			if got := b.text(".details"); !strings.HasPrefix(got, "Row C") || !strings.Contains(got, "C02") {
				t.Errorf("the row is shown as %q", got)
			}
			b.Run(chromedp.Click(chromedp.CSS(".racklinks button")))
			if got := b.text(".details h3"); got != "Rack C02" {
				t.Errorf("the first rack of the row leads to %q", got)
			}
			b.Quiet()
			continue
		}
		b.found("row 2 rack 3")
		b.enter()
		b.settle()
		if got := b.text(".details h3"); got != "Row 2 rack 3" {
			t.Errorf("the rack is shown as %q", got)
		}
		box := eval[[]float64](b, `(() => { const v = plenum.state.floor.view; return [v.x, v.y]; })()`)
		if box[0] < 3 || box[1] < 11 {
			t.Errorf("the floor is at %v, the rack is in its far corner", box)
		}
		b.Shot("search-rack")
		b.Quiet()
	}
}
