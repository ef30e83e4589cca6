package render

import (
	"bytes"
	"context"
	"errors"
	"image/color"
	"image/png"
	"io"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/scene"
)

// The plan of the trays has its numbers in ink of their own, in the half of the racks without names, and none where
// they cannot be read.
func TestTrayPlanIsNumbered(t *testing.T) {
	for _, text := range []string{
		`topology: {family: fat-tree, nodes: 32, radix: 16}`,
		`topology: {family: fat-tree, nodes: 512, radix: 32}
room: {racks_per_row: 12, gaps: [{after: 4, width: 1.2 m}], columns: [{x: 4 m, y: 2.5 m, width: 40 cm, depth: 40 cm}],
  trays: {levels: [{name: copper, height: 2.4 m}, {name: fibre, height: 2.7 m}]}}`,
	} {
		r := plan(t, toName(t, text))
		var b bytes.Buffer
		if err := TrayPlan(context.Background(), &b, r); err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		inked := 0
		for y := range img.Bounds().Dy() {
			for x := range img.Bounds().Dx() {
				if color.RGBAModel.Convert(img.At(x, y)) == crossInk {
					inked++
				}
			}
		}
		// A digit has some pixels of full ink, and all others are mixed with the ground.
		if pieces := r.Schedule.Trays.Network.Pieces(); inked < 2*pieces || inked > 40*pieces {
			t.Errorf("%s: %d pixels of numbers for %d pieces", text, inked, pieces)
		}
	}
}

// TestTrayPlanNamesItsCrossTrays: the footer has a cross tray of the plan as its example, and none where there is none.
func TestTrayPlanNamesItsCrossTrays(t *testing.T) {
	for room, want := range map[string]string{
		"room: {rows: 2, racks_per_row: 6, trays: {cross: [0, 6]}}": "such as A06/B06; A00/B00 is before the first",
		"room: {rows: 2, racks_per_row: 6, trays: {cross: [4]}}":    "such as A04/B04.",
		"room: {rows: 1, racks_per_row: 12}":                        "",
	} {
		r := plan(t, toName(t, "topology: {family: fat-tree, nodes: 128, radix: 16}\n"+room))
		c, err := drawTrays(t.Context(), r, false)
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, m := range c.Scene.Marks {
			if m, ok := m.(scene.Text); ok {
				text += m.Text + "\n"
			}
		}
		if !strings.Contains(text, want) || strings.Contains(text, "Cross trays") != (want != "") {
			t.Errorf("%s: %q is not in %s", room, want, text)
		}
	}
}

// TestTraysWithoutCablesAreSeen: they are lines of two units in a colour that stands out from the floor, and the legend
// has that colour.
func TestTraysWithoutCablesAreSeen(t *testing.T) {
	r := plan(t, toName(t, "topology: {family: fat-tree, nodes: 32, radix: 16}\nroom: {rows: 3, racks_per_row: 12}"))
	c, err := drawTrays(t.Context(), r, false)
	if err != nil {
		t.Fatal(err)
	}
	if ratio := palette.Contrast(palette.BareTray, palette.Ground); ratio < 3 {
		t.Errorf("a contrast of %.1f", ratio)
	}
	bare := 0
	for _, m := range c.Scene.Marks {
		if m, ok := m.(scene.Fill); ok && m.Color == pen.NRGBA(palette.BareTray) {
			if b := m.Box; min(b.Width(), b.Height()) < leastTray-1e-9 {
				t.Errorf("a tray of %v", b)
			}
			bare++
		}
	}
	if bare < 3 {
		t.Errorf("%d fills in the colour of trays without cables", bare)
	}
}

// TestTraysOfContainers: a plan without trays is an error of every writer of trays, not a panic.
func TestTraysOfContainers(t *testing.T) {
	r := plan(t, toName(t, "topology: {family: torus, dims: [4]}\n"+
		"room: {containers: [{name: cube, count: 2, pitch: 1 m}]}"))
	for i, write := range []Writer{Trays, TrayPlan, TrayPlanSVG, TrayPlanPDF, TrayPlanDXF} {
		if err := write(context.Background(), io.Discard, r); !errors.Is(err, errNoTrays) {
			t.Errorf("writer %d: %v", i, err)
		}
	}
}

// TestTrayPlanExplainsRoom: the legend has what is drawn of racks, columns, doors and keep-outs, and nothing else.
func TestTrayPlanExplainsRoom(t *testing.T) {
	for text, want := range map[string]string{
		"topology: {family: fat-tree, nodes: 96, radix: 32}\n": "rack",
		"topology: {family: fat-tree, nodes: 96, radix: 32}\n" +
			"room: {width: 12 m, depth: 9 m, rows: 2, racks_per_row: 6,\n" +
			"  columns: [{x: 5 m, y: 4.2 m, width: 0.5 m, depth: 0.5 m}],\n" +
			"  keep_outs: [{name: sink, points: [[8, 6.2], [9, 6.2], [9, 7], [8, 7]]}],\n" +
			"  doors: [{wall: south, at: 1 m, width: 1.2 m}]}\n": "rack, free rack position, keep-out, " +
			"door, and the floor before it, building column, 0.5 m x 0.5 m",
	} {
		r := plan(t, toName(t, text))
		d := &trayDrawing{roomDrawing: roomDrawing{room: r.Room(), racks: rackContents(r), trays: r.Schedule.Trays}}
		d.count()
		var got []string
		for _, item := range d.legend() {
			if !strings.Contains(item.Text, "tray") && !strings.Contains(item.Text, "limit") &&
				!strings.HasPrefix(item.Text, "line width") {
				got = append(got, item.Text)
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
