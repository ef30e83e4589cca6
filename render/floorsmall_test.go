package render

import (
	"bytes"
	"image/png"
	"testing"

	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/scene"
	"github.com/plenum-planner/plenum/render/scene/scenetest"
)

// TestSmallFloors: floors that are shown side by side are equally wide, for every shape of the room, have the
// bands of the report and a scale bar, and can be read at the size at which they are shown.
func TestSmallFloors(t *testing.T) {
	l, err := pen.NewLetters()
	if err != nil {
		t.Fatal(err)
	}
	for _, room := range []string{"{racks_per_row: 4}", "{racks_per_row: 30}", "{racks_per_row: 1}"} {
		r := plan(t, toName(t, "{topology: {family: fat-tree, nodes: 64, radix: 32}, room: "+room+"}"))
		opt, err := FloorOptions{}.withDefaults(r)
		if err != nil {
			t.Fatal(err)
		}
		d, err := newRoomDrawing(l, r, opt)
		if err != nil {
			t.Fatal(err)
		}
		c := d.drawSmall(t.Context(), l, newBlock(l, r, ""))
		if wide := smallWide + leftOf + rightOf + 2*smallMargin; c.Scene.W != wide {
			t.Errorf("%s: %v wide, not %v", room, c.Scene.W, wide)
		}
		for _, fault := range scenetest.Faults(c.Scene, scenetest.Limits{}) {
			t.Errorf("%s: %s", room, fault)
		}
		layers := map[string]bool{}
		for _, m := range c.Scene.Marks {
			if layer, is := m.(scene.Layer); is {
				layers[string(layer)] = true
			}
		}
		if !layers["sheet"] || d.cables == nil {
			t.Errorf("%s: no legend or no cables", room)
		}
		var b bytes.Buffer
		if err := SmallFloor(t.Context(), &b, r); err != nil {
			t.Fatal(err)
		}
		size, err := png.DecodeConfig(&b)
		if err != nil || float64(size.Width) != smallTimes*c.Scene.W {
			t.Errorf("%s: a picture %d wide: %v", room, size.Width, err)
		}
	}
}
