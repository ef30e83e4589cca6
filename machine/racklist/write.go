package racklist

import (
	"context"
	"io"
	"math"
	"strconv"

	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/layout"
)

// written are the columns of a list that is written.
var written = []string{
	"name", "row", "position", "x_m", "y_m", "type", "power_w", "weight_kg", "units", "turned", "reserved",
	"reserved_for",
}

// Write writes the list of all rack positions of a room, those at which no rack can stand as reserved. Limits that are
// not stated stay empty.
func Write(ctx context.Context, out io.Writer, room *layout.Room) error {
	w := csvtable.NewWriter(ctx, out, written)
	number := func(v float64) {
		w.Text(strconv.FormatFloat(math.Round(v*1e9)/1e9, 'f', -1, 64))
	}
	limit := func(v float64) {
		if v == 0 {
			w.Text("")
			return
		}
		number(v)
	}
	lost := map[layout.Position]layout.Lost{}
	for _, l := range room.Lost {
		lost[layout.Position{Row: l.Row, Number: l.Number}] = l
	}
	for i := range room.Rows {
		row := &room.Rows[i]
		for n := 1; n <= len(row.Left); n++ {
			p := room.At(i, n)
			t := room.Spec.Type(p.Type)
			w.Texts(room.PositionName(i, n), row.Name)
			w.Int(int64(room.PositionNumber(i, n)))
			number(float64(row.Left[n-1]))
			number(float64(p.Y - t.Depth/2))
			w.Text(t.Listed)
			limit(float64(t.Power))
			limit(float64(t.Weight))
			w.Int(int64(t.Units))
			w.Text(yes(row.Turned))
			l, is := lost[layout.Position{Row: i, Number: n}]
			w.Text(yes(is))
			w.Text(why(room, l, is))
			if err := w.End(); err != nil {
				return err
			}
		}
	}
	return w.Flush()
}

func yes(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

// causes are what positions are lost to.
var causes = [layout.Causes]string{
	layout.Column: "column", layout.DoorZone: "floor before a door", layout.KeptFree: "keep-out", layout.Walled: "wall",
}

// why says what a position that stays empty is kept for.
func why(room *layout.Room, l layout.Lost, is bool) string {
	switch {
	case !is:
		return ""
	case l.Why == layout.Reserved:
		return room.Spec.KeptFor(l.Row, l.Number)
	}
	return causes[l.Why]
}
