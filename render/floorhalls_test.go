package render

import (
	"testing"

	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/scene"
)

// TestHallsAreNamed: every hall has its name, once, within its walls or beside its rows, and clear of racks.
func TestHallsAreNamed(t *testing.T) {
	for _, halls := range []string{
		"[{name: North, rows: 1, width: 9 m, depth: 5 m}, {name: Upper, rows: 1, width: 9 m, depth: 5 m, floor: 4 m}]",
		"[{name: North, rows: 1}, {name: Upper, rows: 1, floor: 4 m}]",
	} {
		r := plan(t, toName(t, `{topology: {family: fat-tree, nodes: 64, radix: 32},
room: {racks_per_row: 6, halls: `+halls+`}}`))
		c, err := DrawFloor(t.Context(), r, FloorOptions{}, false)
		if err != nil {
			t.Fatal(err)
		}
		at := map[string][]scene.Text{}
		for _, m := range c.Scene.Marks {
			if text, is := m.(scene.Text); is {
				at[text.Text] = append(at[text.Text], text)
			}
		}
		for _, name := range []string{"North", "Upper, floor at 4 m"} {
			if len(at[name]) != 1 {
				t.Fatalf("%s: %q is written %d times", halls, name, len(at[name]))
			}
			text := at[name][0]
			for _, m := range c.Scene.Marks {
				f, is := m.(scene.Fill)
				if is && f.Block == "rack" && text.X < f.X1 && text.X > f.X0 && text.Y > f.Y0 &&
					text.Y-text.Size < f.Y1 {
					t.Errorf("%s: %q is written on rack %s", halls, name, f.Name)
				}
			}
		}
	}
}

// TestWallsHaveOpenings: where a path leads through a wall, the wall has a gap, and elsewhere none; an opening in a
// floor is marked; the floor ends at the walls.
func TestWallsHaveOpenings(t *testing.T) {
	r := plan(t, toName(t, `{topology: {family: fat-tree, nodes: 64, radix: 32}, room: {racks_per_row: 6, halls: [
{name: North, rows: 1, width: 9 m, depth: 5 m}, {name: South, rows: 1, width: 9 m, depth: 5 m, distance: 1 m},
{name: Upper, rows: 1, width: 9 m, depth: 5 m, floor: 4 m}], trays: {paths: [
{name: P1, from: {hall: North, wall: north, at: 3 m}, to: {hall: South, wall: south, at: 3 m}, width: 400 mm,
 height: 400 mm},
{name: riser, from: {hall: South, x: 1 m, y: 1 m}, to: {hall: Upper, x: 1 m, y: 1 m}}]}}}`))
	c, err := DrawFloor(t.Context(), r, FloorOptions{}, false)
	if err != nil {
		t.Fatal(err)
	}
	inWall := func(x, y float64) bool { // metres
		for _, m := range c.Scene.Marks {
			f, is := m.(scene.Fill)
			if is && f.Color == pen.NRGBA(palette.Wall) {
				px, py := c.Scene.X+x*c.Scene.Scale, c.Scene.Y-y*c.Scene.Scale
				if px >= f.X0 && px <= f.X1 && py >= f.Y0 && py <= f.Y1 {
					return true
				}
			}
		}
		return false
	}
	const outside = 0.03 // metres, in the middle of a wall
	for _, y := range []float64{5 + outside, 6 - outside} {
		for x, want := range map[float64]bool{3: false, 2.9: false, 2: true, 4: true} {
			if got := inWall(x, y); got != want {
				t.Errorf("wall at %v, %v: %v, want %v", x, y, got, want)
			}
		}
	}
	if !inWall(3, -outside) || !inWall(1, 11+outside) {
		t.Error("another wall has a gap")
	}
	crosses, grounds := 0, 0
	for _, m := range c.Scene.Marks {
		switch m := m.(type) {
		case scene.Frame:
			if m.Color == pen.NRGBA(palette.Wall) && m.Box.Width() < c.Scene.Scale {
				crosses++
			}
		case scene.Fill:
			if m.Color == pen.NRGBA(palette.Ground) {
				grounds++
			}
		}
	}
	if crosses != 3 || grounds != 3 { // two openings and the legend
		t.Errorf("%d crossed squares, %d floors", crosses, grounds)
	}
}
