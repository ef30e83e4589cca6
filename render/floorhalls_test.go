package render

import (
	"testing"

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
