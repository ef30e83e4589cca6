package handout

import (
	"cmp"
	"context"
	"io"
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
)

var progressColumns = []string{
	"cable_id", "product", "pull_order", "a_rack", "a_unit", "a_device", "a_port", "b_rack", "b_unit", "b_device",
	"b_port", "done", "by", "when",
}

// Progress writes a table of all links of cables to be filled in as they are plugged in, in the order of pull sheets:
// done, by and when are empty. plenum verify takes it as a source.
func Progress(ctx context.Context, w io.Writer, r *machine.Result, fabric string) error {
	s := r.Schedule
	var within []bool
	for _, level := range s.Graph.Levels() {
		within = append(within, machine.InFabric(level.Name, fabric))
	}
	pull := make([]int32, len(s.Bundles)+1)
	for i, b := range s.PullOrder() {
		pull[b+1] = int32(i) + 1
	}
	var order []int32
	for i := range s.Segments {
		if seg := &s.Segments[i]; seg.Product != cabling.IsTrace && within[seg.Level] {
			order = append(order, int32(i))
		}
	}
	l := s.Placement.Layout
	slices.SortStableFunc(order, func(x, y int32) int {
		p, q := &s.Segments[x], &s.Segments[y]
		if c := cmp.Compare(uint32(pull[p.Bundle])-1, uint32(pull[q.Bundle])-1); c != 0 { // those without last
			return c
		}
		a, _ := render.WalkEnds(l, s.Placement.Slot, p)
		b, _ := render.WalkEnds(l, s.Placement.Slot, q)
		return a.Compare(b)
	})
	out := csvtable.NewWriter(ctx, w, progressColumns)
	for _, i := range order {
		seg := &s.Segments[i]
		product := ""
		if seg.Product >= 0 {
			product = s.Products[seg.Product].Item().String()
		}
		out.Texts(s.CableID(int64(seg.Cable)), product)
		number(out, int(pull[seg.Bundle]))
		for _, e := range []struct {
			v    int32
			port uint16
		}{{seg.A, seg.PortA}, {seg.B, seg.PortB}} {
			out.Text(l.Rack(s.Placement.Slot[e.v]))
			number(out, l.Unit(s.Placement.Slot[e.v]))
			out.Texts(s.Device(e.v), s.PortName(e.v, e.port))
		}
		out.Empty(3)
		if err := out.End(); err != nil {
			return err
		}
	}
	return out.Flush()
}
