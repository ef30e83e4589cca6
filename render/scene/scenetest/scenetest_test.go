package scenetest

import (
	"image/color"
	"math"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/render/scene"
)

// Every kind of fault is found, and a sound drawing has none.
func TestFaults(t *testing.T) {
	black, grey := color.NRGBA{A: 0xff}, color.NRGBA{0xaa, 0xaa, 0xaa, 0xff}
	text := func(x, y float64, s string) scene.Text {
		return scene.Text{Text: s, X: x, Y: y, Size: 16, Color: black}
	}
	over := scene.Fill{Box: scene.Box{X1: 400, Y1: 300}, Color: grey}
	for _, test := range []struct {
		name, want string
		marks      []scene.Mark
	}{
		{"sound", "", []scene.Mark{text(20, 40, "one"), text(20, 60, "two"), text(60, 40, "three")}},
		{"over each other", "overlap", []scene.Mark{text(20, 40, "one"), text(30, 45, "two")}},
		{"in one place", "overlap", []scene.Mark{text(20, 40, "one"), text(20, 40, "one")}},
		{"beyond the right edge", "beyond the page", []scene.Mark{text(390, 40, "one")}},
		{"right end at the edge", "", []scene.Mark{
			scene.Text{Text: "one", X: 400, Y: 40, Align: 1, Size: 16, Color: black},
		}},
		{"above the page", "beyond the page", []scene.Mark{text(20, 8, "one")}},
		{"too small", "points", []scene.Mark{scene.Text{Text: "one", X: 20, Y: 40, Size: 7, Color: black}}},
		{"grey on white", "contrast", []scene.Mark{scene.Text{Text: "one", X: 20, Y: 40, Size: 16, Color: grey}}},
		{"black on grey", "", []scene.Mark{over, text(20, 40, "one")}},
		{"grey behind black", "covered", []scene.Mark{text(20, 40, "one"), over}},
		{
			"black on a black polygon", "contrast",
			[]scene.Mark{
				scene.Path{Lines: [][][2]float64{{{0, 0}, {200, 0}, {0, 200}}}, Filled: true, Color: black},
				text(20, 40, "one"),
			},
		},
		{"beside a polygon", "", []scene.Mark{
			scene.Path{Lines: [][][2]float64{{{0, 0}, {20, 0}, {0, 20}}}, Filled: true, Color: black},
			text(120, 140, "one"),
		}},
		{"clipped", "cut off", []scene.Mark{
			scene.Clip{Box: scene.Box{X1: 30, Y1: 300}}, text(20, 40, "one"), scene.End{}, text(100, 40, "two"),
		}},
		{"turned upwards", "", []scene.Mark{
			scene.Turn{Angle: -math.Pi / 2, X: 20, Y: 200},
			text(20, 200, "one two"),
			scene.End{},
			text(30, 200, "three"),
		}},
		{"turned into another", "overlap", []scene.Mark{
			scene.Turn{Angle: -math.Pi / 2, X: 20, Y: 200},
			text(20, 200, "one two three"),
			scene.End{},
			text(5, 150, "four"),
		}},
		{"turned off the page", "beyond the page", []scene.Mark{
			scene.Turn{Angle: -math.Pi / 2, X: 20, Y: 30}, text(20, 30, "one two three"), scene.End{},
		}},
		{"an end too many", "ends no group", []scene.Mark{scene.End{}}},
	} {
		faults := Faults(&scene.Scene{W: 400, H: 300, Marks: test.marks}, Limits{})
		if len(faults) == 0 != (test.want == "") || !strings.Contains(strings.Join(faults, "\n"), test.want) {
			t.Errorf("%s: %q, want %q", test.name, faults, test.want)
		}
	}
	on := &scene.Scene{W: 400, H: 300, Paper: 0.13, Marks: []scene.Mark{text(20, 40, "one")}}
	if faults := Faults(on, Limits{}); len(faults) != 1 { // 16 x 0.13 mm are 5.9 points
		t.Errorf("on paper: %q", faults)
	}
	if faults := Faults(on, Limits{Points: 5}); len(faults) != 0 {
		t.Errorf("on paper, of 5 points: %q", faults)
	}
}
