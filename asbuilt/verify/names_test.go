package verify

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/exchange"
)

// read reads a source from a text.
func read(t *testing.T, name, text string) *exchange.Wiring {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	w, err := exchange.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

const leaves = `
topology: {family: leaf-spine, nodes: 8, down: 4, up: 4, spines: 2}
packaging: {leaf: {part: nvidia-qm9700}, spine: {part: nvidia-qm9700}}
`

// subnet writes what ibnetdiscover tells of the plan: name is what a switch or a chip of one is called in the subnet,
// and each link is there once for each of the planes, with a fourth of its lanes where there are four.
func subnet(w *exchange.Wiring, planes int, name func(box string, plane int) string) string {
	var b strings.Builder
	rate := map[int]string{1: "4xNDR", 4: "1xNDR"}[planes]
	id := func(box, plane int) string {
		if w.Boxes[box].Role == "switch" {
			return fmt.Sprintf("S-%016x", 0x1000*(box+1)+plane)
		}
		return fmt.Sprintf("H-%016x", 0x1000*(box+1)+plane)
	}
	called := func(box, plane int) string {
		if w.Boxes[box].Role == "switch" {
			return name(w.Boxes[box].Name, plane)
		}
		return w.Boxes[box].Name + " mlx5_0"
	}
	for box := range w.Boxes {
		for plane := range planes {
			record := "Ca\t1"
			if w.Boxes[box].Role == "switch" {
				record = "Switch\t64"
			}
			fmt.Fprintf(&b, "\n%s \"%s\"\t\t# \"%s\"\n", record, id(box, plane), called(box, plane))
			for _, l := range w.Links {
				for _, e := range [2][2]exchange.End{{l.A, l.B}, {l.B, l.A}} {
					if e[0].Box == box {
						far := e[1]
						fmt.Fprintf(&b, "[%s]\t\"%s\"[%s]\t\t# \"%s\" lid 7 %s\n", e[0].Port, id(far.Box, plane),
							far.Port, called(far.Box, plane), rate)
					}
				}
			}
		}
	}
	return b.String()
}

// TestSwitchesOfSeveralPlanes takes the chips of a switch for one box and the links of the planes between two ports for
// one cable, as wide as all together; one plane alone is too narrow.
func TestSwitchesOfSeveralPlanes(t *testing.T) {
	p, w := planned(t, plan(t, leaves), "")
	chips := func(box string, plane int) string { return fmt.Sprintf("MF0;%s:Q3400_RA/U%d", box, plane+1) }
	r := p.Compare([]*exchange.Wiring{read(t, "found.txt", subnet(w, 4, chips))})
	if !r.OK || r.Right != len(w.Links) || len(r.Strangers) > 0 {
		t.Errorf("%d right, %+v, %v", r.Right, r.Differences, r.Strangers)
	}
	text := subnet(w, 4, chips)
	r = p.Compare([]*exchange.Wiring{read(t, "found.txt", strings.ReplaceAll(text, "1xNDR", "1xHDR"))})
	for _, d := range r.Differences {
		if d.Kind != WrongWidth && d.Kind != WrongRate || d.Found[0].Rate != 200 {
			t.Errorf("%+v", d)
		}
	}
	if len(r.Differences) != len(w.Links) {
		t.Errorf("%d differences", len(r.Differences))
	}
}

// TestRatesOfLinks tells links that run slower than planned, or over fewer lanes, and none that run as planned.
func TestRatesOfLinks(t *testing.T) {
	p, w := planned(t, plan(t, leaves), "")
	managed := func(box string, _ int) string { return "MF0;" + box + ":MQM9700/U1" }
	text := subnet(w, 1, managed)
	for rate, want := range map[string]Kind{
		"4xNDR": "", "8xHDR": "", "4xXDR": "", "1xSDR": WrongRate, "4xHDR": WrongRate,
		"2xNDR": WrongWidth, "4xEDR": WrongRate,
		"4xQDR": WrongRate,
	} {
		r := p.Compare([]*exchange.Wiring{read(t, "found.txt", strings.ReplaceAll(text, "4xNDR", rate))})
		if want == "" {
			if !r.OK {
				t.Errorf("%s: %+v", rate, r.Differences[0])
			}
			continue
		}
		if len(r.Differences) != len(w.Links) || len(r.Moves) > 0 {
			t.Fatalf("%s: %d differences, %d moves", rate, len(r.Differences), len(r.Moves))
		}
		for _, d := range r.Differences {
			if d.Kind != want || d.Plan[0].Rate != 400 {
				t.Errorf("%s: %+v", rate, d)
			}
		}
	}
}

// TestBoxesCabledInEachOthersPlace names two switches that stand in each other's place, and no pair of which a link is
// exchanged alone.
func TestBoxesCabledInEachOthersPlace(t *testing.T) {
	p, w := planned(t, plan(t, leaves), "")
	swap := map[string]string{"LF1": "LF2", "LF2": "LF1"}
	other := func(box string, _ int) string {
		if s, ok := swap[box]; ok {
			box = s
		}
		return "MF0;" + box + ":MQM9700/U1"
	}
	r := p.Compare([]*exchange.Wiring{read(t, "found.txt", subnet(w, 1, other))})
	if len(r.Differences) != 8 || len(r.Exchanged) != 1 || r.Exchanged[0] != (Exchanged{[2]string{"LF1", "LF2"}, 8}) {
		t.Errorf("%d differences, %+v", len(r.Differences), r.Exchanged)
	}
	x := *w
	x.Links = append([]exchange.Link{}, w.Links...)
	x.Links[0].B, x.Links[4].B = x.Links[4].B, x.Links[0].B
	if r := p.Compare([]*exchange.Wiring{&x}); len(r.Exchanged) > 0 || len(r.Differences) != 1 {
		t.Errorf("%+v, %+v", r.Differences, r.Exchanged)
	}
}
