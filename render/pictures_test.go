package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/render/pick"
	"github.com/plenum-planner/plenum/render/scene"
	"github.com/plenum-planner/plenum/render/scene/scenetest"
)

// pictured are the machines whose drawings are looked at: of each kind of room, the smallest ones, and large ones.
var pictured = map[string]string{
	"two-nodes": `{name: Two nodes, topology: {family: torus, dims: [2]}}`,
	"long-names": `
name: A machine with a long name that no title block has room for, built in two phases over three years
description: A sentence.
topology: {family: fat-tree, nodes: 64, radix: 16}
`,
	"names-at-their-limit": `
name: ` + strings.Repeat("Long name ", 1000) + `
topology: {family: fat-tree, nodes: 8, radix: 8}
room:
  rows:
  - {name: ` + strings.Repeat("R", 64) + `, racks: 4, reserved: ["4"],
     reserved_for: ` + strings.Repeat("cooling ", 1000) + `}
  - {name: ` + strings.Repeat("S", 64) + `, racks: 6}
  width: 20 m
  depth: 12 m
  doors: [{name: ` + strings.Repeat("d", 1000) + `, wall: south, at: 1 m, width: 2 m}]
  keep_outs: [{name: ` + strings.Repeat("k", 1000) + `, points: [[16 m, 8 m], [19 m, 8 m], [19 m, 11 m], [16 m, 11 m]]}]
`,
	"wide-room": `
topology: {family: torus, dims: [8, 8]}
room: {width: 120 m, depth: 12 m, rows: 2, racks_per_row: 60}
`,
	"vast-hall": `
topology: {family: torus, dims: [20, 20, 20]}
packaging: {node: {per_rack: 8}}
room: {racks_per_row: 40}
`,
}

// faults are those of all drawings of a machine, each with the name of the drawing.
func picturesOf(t *testing.T, r *machine.Result) map[string]*scene.Scene {
	t.Helper()
	ctx := t.Context()
	out := map[string]*scene.Scene{}
	if r.Placement.Layout.Tree != nil {
		c, err := Exploded(ctx, r)
		if err != nil {
			t.Fatal(err)
		}
		out["exploded"] = c.Scene
	}
	floor := func(name string, opt FloorOptions, enlarged bool) {
		c, err := DrawFloor(ctx, r, opt, enlarged)
		if err != nil {
			t.Logf("%s: %v", name, err)
			return
		}
		out[name] = c.Scene
	}
	floor("floor.png", FloorOptions{}, false)
	floor("floor.svg", FloorOptions{}, true)
	for _, size := range []spec.Paper{"A0", "A3", "A4", "ANSI B"} {
		pages, err := FloorSheets(ctx, r, FloorOptions{Date: "1 May 2026"}, size, 0)
		if err != nil {
			t.Logf("%s: %v", size, err)
		}
		for i, p := range pages {
			out[fmt.Sprintf("sheet %s %d", size, i)] = p.Scene
		}
	}
	if r.Room() == nil {
		return out
	}
	for _, colour := range FloorColours {
		floor("floor by "+colour, FloorOptions{Colour: colour, RackPower: colour == "power"}, false)
		floor("floor by "+colour+".pdf", FloorOptions{Colour: colour, RackPower: colour == "power"}, true)
	}
	if chosen, err := pick.Of(r, pick.Filter{}); err == nil {
		floor("floor with cables", FloorOptions{Cables: chosen}, false)
	}
	if r.Schedule.Trays != nil {
		for _, enlarged := range []bool{false, true} {
			c, err := drawTrays(ctx, r, enlarged)
			if err != nil {
				t.Fatal(err)
			}
			out[fmt.Sprint("trays, enlarged ", enlarged)] = c.Scene
		}
	}
	return out
}

// TestPicturesCanBeRead looks at drawings of the room as a reader does: no text stands over another, beyond the page,
// in letters too small for print or a screen, or on a ground on which it cannot be seen.
func TestPicturesCanBeRead(t *testing.T) {
	texts := map[string]string{}
	for name, text := range pictured {
		texts[name] = text
	}
	for _, name := range []string{
		"basepod", "superpod-h100-4su", "dragonfly-1056", "frontier", "torus-4096-cubes", "oracle-eight-rack",
		"bluegene-l", "nvl72-8", "clex-4096",
	} {
		text, err := examples.Files.ReadFile(name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(text)
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			s, err := machine.Parse("machine.yaml", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			r, err := machine.Plan(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			for what, drawn := range picturesOf(t, r) {
				l := scenetest.Limits{}
				for _, fault := range scenetest.Faults(drawn, l) {
					t.Errorf("%s: %s", what, fault)
				}
			}
		})
	}
}
