package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
)

// errRowsElsewhere is that rows one by one would make another plan.
var errRowsElsewhere = errors.New("stated one by one, the rows would change the plan: write them into the text")

// stateRows returns the text with room.rows as a list of the rows of the plan. The plan stays the same: every rack
// stands where it stood, with the same boxes.
func stateRows(ctx context.Context, name string, text []byte) ([]byte, error) {
	before, err := placeText(ctx, name, text)
	if err != nil {
		return nil, err
	}
	room := before.Placement.Layout.Room
	if room == nil || before.Spec.Room.RackList != "" {
		return nil, errors.New("the machine has no rows of racks that can be stated one by one")
	}
	used := 0
	for i := range before.Placement.Racks {
		used = max(used, 1+int(room.Places[before.Placement.Racks[i].Place].Row))
	}
	least := len(room.Rows) // rows that are not spare
	if room.Spec.Spare {
		least = used
	}
	for ; least <= len(room.Rows); least++ { // the last rows that were tried may hold no rack
		out, err := writeRows(text, room, least)
		if err != nil {
			return nil, err
		}
		after, err := placeText(ctx, name, out)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err == nil && samePlaces(before, after) {
			return out, nil
		}
	}
	return nil, errRowsElsewhere
}

// rows answers with a text that states the rows of the plan one by one, and its plan.
func (s *Server) rows(w http.ResponseWriter, r *http.Request) {
	s.rearrange(w, r, func(
		ctx context.Context, _ *machine.Planner, name string, text []byte, _, _ string,
	) ([]byte, error) {
		return stateRows(ctx, name, text)
	})
}

// placeText places the boxes of a machine file.
func placeText(ctx context.Context, name string, text []byte) (*machine.Placed, error) {
	s, err := machine.Parse(name, text)
	if err != nil {
		return nil, err
	}
	return machine.Place(ctx, s, nil)
}

// writeRows writes the rows of a room as a list, of which those from least on are spare, and the gaps of rows that are
// not stated, which listed rows do not have by themselves.
func writeRows(text []byte, room *layout.Room, least int) ([]byte, error) {
	var rows []string
	for i := range room.Rows {
		row := fmt.Sprintf("{racks: %d", len(room.Rows[i].Left))
		if i >= least {
			row += ", spare: true"
		}
		rows = append(rows, row+"}")
	}
	out, err := change(text, "room.rows", "["+strings.Join(rows, ", ")+"]")
	if err != nil {
		return nil, err
	}
	_, says, err := readText(out)
	if err != nil || len(room.Spec.Gaps) == 0 || valueAt(says, []string{"room", "gaps"}) != nil {
		return out, err
	}
	var gaps []string
	for _, g := range room.Spec.Gaps {
		gaps = append(gaps, "{after: "+strconv.Itoa(g.After)+", width: "+g.Width.String()+"}")
	}
	return change(out, "room.gaps", "["+strings.Join(gaps, ", ")+"]")
}

// samePlaces reports whether two plans have the same rack positions, and every box at the same place.
func samePlaces(a, b *machine.Placed) bool {
	x, y := a.Placement.Layout.Room, b.Placement.Layout.Room
	return slices.EqualFunc(x.Places, y.Places, func(p, q layout.Place) bool {
		return (p.X-q.X).Abs() < 1e-6 && (p.Y-q.Y).Abs() < 1e-6 && p.Row == q.Row && p.Number == q.Number
	}) && slices.EqualFunc(x.Rows, y.Rows, func(p, q layout.Row) bool { return p.Turned == q.Turned }) &&
		slices.Equal(x.Spec.Trays.Cross, y.Spec.Trays.Cross) && slices.Equal(a.Placement.Slot, b.Placement.Slot) &&
		slices.Equal(a.Placement.Racks, b.Placement.Racks)
}
