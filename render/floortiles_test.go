package render

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/render/scene"
)

// The grid of tiles goes through the corner that the machine file gives, tiles are as large as it says, and names count
// from the lower left corner of the room.
func TestTilesAreThoseOfTheFile(t *testing.T) {
	for _, c := range []struct {
		tile             string
		x, y, wide, high float64
		columns, rows    int
		firstColumn      float64 // the right edge of A in the room
	}{
		{"{}", 0, 0, 0.6, 0.6, 17, 15, 0.6},
		{"{x: 0.2 m, y: -5 m}", 0.2, -5, 0.6, 0.6, 18, 16, 0.2},
		{"{width: 0.5 m, depth: 0.75 m, x: 10 m}", 10, 0, 0.5, 0.75, 20, 12, 0.5},
	} {
		r := plan(t, toName(t, `{topology: {family: fat-tree, nodes: 32, radix: 16},
room: {width: 10 m, depth: 9 m, tile: `+c.tile+`}}`))
		drawn, err := DrawFloor(t.Context(), r, FloorOptions{}, false)
		if err != nil {
			t.Fatal(err)
		}
		layer, named := "", map[string]bool{}
		var first float64 = math.Inf(1)
		for _, m := range drawn.Scene.Marks {
			switch m := m.(type) {
			case scene.Layer:
				layer = string(m)
			case scene.Text:
				if layer == "tile-names" {
					named[m.Text] = true
				}
			case scene.Path:
				if layer != "tiles" {
					continue
				}
				for _, line := range m.Lines {
					x, y := drawn.Scene.Metres(line[0][0], line[0][1])
					at, side := (x-c.x)/c.wide, c.wide
					if line[0][1] == line[1][1] {
						at, side = (y-c.y)/c.high, c.high
					} else {
						first = min(first, x)
					}
					if away := math.Abs(at-math.Round(at)) * side; away > 0.001 {
						t.Errorf("%s: a line is %g m beside an edge of a tile", c.tile, away)
					}
				}
			}
		}
		if math.Abs(first-c.firstColumn) > 0.001 {
			t.Errorf("%s: column A ends at %g m, want %g m", c.tile, first, c.firstColumn)
		}
		for _, name := range []string{"A", layout.RowName(c.columns - 1), "1", strconv.Itoa(c.rows)} {
			if !named[name] {
				t.Errorf("%s: no tile %s", c.tile, name)
			}
		}
		if len(named) != c.columns+c.rows {
			t.Errorf("%s: %d names, want %d", c.tile, len(named), c.columns+c.rows)
		}
	}
}

// Tiles of a hall that would be a grey surface are left out, and the legend says so; a file that can be enlarged has
// them.
func TestSmallTilesAreLeftOut(t *testing.T) {
	r := plan(t, toName(t, `{topology: {family: torus, dims: [8, 8, 8]},
room: {width: 900 m, depth: 900 m, margin: 3 m, tile: {}}}`))
	has := func(enlarged bool) bool {
		c, err := DrawFloor(t.Context(), r, FloorOptions{}, enlarged)
		if err != nil {
			t.Fatal(err)
		}
		tiles, told := false, false
		for _, m := range c.Scene.Marks {
			tiles = tiles || m == scene.Mark(scene.Layer("tiles"))
			if text, is := m.(scene.Text); is {
				told = told || strings.HasSuffix(text.Text, "too small to draw")
			}
		}
		if told == tiles {
			t.Errorf("tiles: %v, explained: %v", tiles, told)
		}
		return tiles
	}
	if has(false) || !has(true) {
		t.Error("tiles in a picture, or none in a file")
	}
}
