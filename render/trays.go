package render

import (
	"context"
	"errors"
	"io"
	"strconv"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/internal/decimals"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/units"
)

// trayColumns are the columns of the list of trays, in every format.
var trayColumns = []string{
	"segment", "level", "tray",
	"a_x_m", "a_y_m", "a_z_m", "b_x_m", "b_y_m", "b_z_m", "length_m",
	"section_mm2", "limit_percent", "cables", "cables_mm2", "fill_percent", "excess_mm2",
	"weight_kg_m", "weight_kg", "cables_without_diameter", "name",
}

// bundleColumns are the columns of the list of bundles, in every format.
var bundleColumns = []string{
	"bundle", "pull_order", "a_rack", "b_rack", "kind", "cables", "shortest_m", "longest_m",
	"diameter_mm", "cables_mm2", "weight_kg_m", "weight_kg", "tray_level", "run_m", "tray_route",
	"cables_without_diameter",
}

// errNoTrays is the error of a plan whose cables do not run on trays.
var errNoTrays = errors.New("cables do not run on trays")

// Trays writes every piece of tray with what lies on it as comma-separated values, and where it is as its name. A plan
// without trays (see Lacks) is an error. The tray_route of a cable names the pieces that it lies on, by segment: adding
// up the circles of the diameters of the cables gives cables_mm2. Section and limit are empty where none is stated.
// With cables whose parts state no diameter, the cross-section of the cables and the fill are lower bounds, and empty
// where no cable has one.
func Trays(ctx context.Context, w io.Writer, r *machine.Result) error {
	t := r.Schedule.Trays
	if t == nil {
		return errNoTrays
	}
	out := newRows(ctx, w, trayColumns)
	for piece := range int32(t.Network.Pieces()) {
		if !t.Network.IsLaid(piece) {
			continue
		}
		p, l := t.Network.Piece(piece), &t.Loads[piece]
		rule := &t.Rules[p.Level]
		out.Append(1, func(row []byte) []byte { return t.AppendID(row, piece) })
		out.Texts(t.Network.Levels[p.Level].Name, p.Name)
		for _, v := range []units.Length{p.From.X, p.From.Y, p.From.Z, p.To.X, p.To.Y, p.To.Z, p.Length} {
			out.metres(v)
		}
		section := t.SectionAt(piece)
		stated := section > 0
		known := l.Area() > 0 || l.Bare == 0
		out.decimal(float64(section), 3, stated)
		out.decimal(100*rule.Fill, 9, stated && rule.Fill > 0)
		out.Int(l.Cables)
		out.decimal(float64(l.Area()), 3, known)
		out.decimal(100*t.Fill(piece), 3, stated && known)
		out.decimal(float64(t.Excess(piece)), 3, stated && rule.Fill > 0 && known)
		out.decimal(float64(l.LineWeight()), 4, true)
		out.decimal(float64(l.LineWeight())*float64(p.Length), 3, true)
		out.Int(l.Bare)
		out.Text(t.Network.DescribeRun(piece, piece))
		if err := out.End(); err != nil {
			return err
		}
	}
	return out.Flush()
}

// Bundles writes the bundles as comma-separated values. Where cables state no
// diameter, the diameter and the cross-section are lower bounds, as in Trays.
func Bundles(ctx context.Context, w io.Writer, r *machine.Result) error {
	out := newRows(ctx, w, bundleColumns)
	text := newBundleText(r)
	for i := range r.Schedule.Bundles {
		b := &r.Schedule.Bundles[i]
		out.Append(1, func(row []byte) []byte { return text.appendID(row, int32(i)+1) })
		out.Int(int64(text.pull[i]))
		out.Texts(text.room.Name(int(b.A)), text.room.Name(int(b.B)), b.Kind())
		out.Int(int64(b.Cables))
		out.metres(b.Shortest)
		out.metres(b.Longest)
		known := b.Area() > 0 || b.Bare == 0
		out.decimal(float64(b.Diameter())*1e3, 1, known)
		out.decimal(float64(b.Area()), 3, known)
		out.decimal(float64(b.LineWeight()), 4, true)
		out.decimal(float64(b.Weight()), 3, true)
		level, run, route := text.way(b)
		out.Text(level)
		if level == "" {
			out.Empty(1)
		} else {
			out.metres(run)
		}
		out.Append(1, func(row []byte) []byte { return append(row, route...) })
		out.Int(int64(b.Bare))
		if err := out.End(); err != nil {
			return err
		}
	}
	return out.Flush()
}

// bundleText names bundles and their ways.
type bundleText struct {
	s      *cabling.Schedule
	room   *layout.Room
	digits int
	pull   []int32 // of each bundle, from 1
	// last is the way whose route was asked for last, there and back.
	last  int32
	route [2][]byte
}

func newBundleText(r *machine.Result) *bundleText {
	t := &bundleText{s: r.Schedule, room: r.Room(), last: -1}
	t.digits = max(4, len(strconv.Itoa(len(t.s.Bundles))))
	t.pull = make([]int32, len(t.s.Bundles))
	for i, b := range t.s.PullOrder() {
		t.pull[b] = int32(i) + 1
	}
	return t
}

// appendID appends the id of a bundle, "B0012", from its number.
func (t *bundleText) appendID(b []byte, number int32) []byte {
	return cabling.AppendNumber(append(b, 'B'), int64(number), t.digits)
}

// routeOf is the route of a way from its A, or back from its B.
func (t *bundleText) routeOf(way int32, back bool) []byte {
	if way != t.last {
		legs := t.s.WayLegs(way)
		t.route[0] = t.s.Trays.AppendRoute(t.route[0][:0], legs)
		t.route[1] = t.s.Trays.AppendRoute(t.route[1][:0], layout.ReverseRoute(legs))
		t.last = way
	}
	if back {
		return t.route[1]
	}
	return t.route[0]
}

// way is the level, the length and the route of a bundle; empty off the trays.
func (t *bundleText) way(b *cabling.Bundle) (level string, run units.Length, route []byte) {
	if b.Way < 0 {
		return "", 0, nil
	}
	w := &t.s.Ways[b.Way]
	return t.s.Trays.Network.Levels[w.Level].Name, w.Run, t.routeOf(b.Way, false)
}

// rows writes comma-separated values with numbers as Plenum has them.
type rows struct{ *csvtable.Writer }

func newRows(ctx context.Context, w io.Writer, columns []string) rows {
	return rows{csvtable.NewWriter(ctx, w, columns)}
}

func (r rows) metres(l units.Length) {
	r.Append(1, func(row []byte) []byte { return appendMetres(row, l.Round4()) })
}

// decimal adds a number with as many digits, or nothing where it is not known.
func (r rows) decimal(v float64, digits int, known bool) {
	if !known {
		r.Empty(1)
		return
	}
	r.Append(1, func(row []byte) []byte { return appendDecimal(row, v, digits) })
}

// appendDecimal appends a number with at most so many digits.
func appendDecimal(b []byte, v float64, digits int) []byte {
	return decimals.AppendRounded(b, v, digits)
}
