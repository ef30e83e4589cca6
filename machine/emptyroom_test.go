package machine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine"
)

// Rooms of up to four million positions for six boxes are planned with few of them, and the plan says so.
func TestEmptyRooms(t *testing.T) {
	t.Parallel()
	for _, room := range []string{
		"{rows: 500, racks_per_row: 500}", "{rows: 2000, racks_per_row: 2000}", "{width: 300 m, depth: 300 m}",
		"{rows: 2000, racks_per_row: 2000, columns: [{x: 0 m, y: 0 m, width: 20 m, depth: 20 m}]}",
		"{rows: 2000, racks_per_row: 2000, row_power: 5 kW}",
	} {
		text := fmt.Sprintf("topology: {family: fat-tree, nodes: 4, radix: 64}\nroom: %s\n", room)
		s, err := machine.Parse("m.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		r, err := machine.Plan(context.Background(), s)
		if err != nil {
			t.Errorf("%s: %v", room, err)
			continue
		}
		notes := strings.Join(r.Notes, "\n")
		if n := len(r.Placement.Layout.Room.Places); n > 1000 || !strings.Contains(notes, "are laid out") {
			t.Errorf("%s: %d positions are laid out; %q", room, n, r.Notes)
		}
	}
}
