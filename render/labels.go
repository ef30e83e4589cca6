package render

import (
	"cmp"
	"context"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// labelColumns are the columns of the list of labels.
var labelColumns = []string{"rack", "pull_order", "bundle", "cable_id", "end", "label", "near", "far", "far_rack"}

// between stands between the near and the far end on a label. ANSI/TIA-606 has a slash; with blanks, it is told from
// those in names of ports.
const between = " / "

// Labels writes what stands on the labels of cables as comma-separated values: a row for every plug of every cable, by
// the rack in which it is plugged in (or innermost container), there by the pull order of its bundle as in bundles.csv,
// cables that stay in the rack last, and then by the number of the cable. The label has the end at which it sticks
// first, and the other behind it; end is A or B, as in cables.csv. A plug that carries several links is labelled by the
// first.
func Labels(ctx context.Context, w io.Writer, r *machine.Result) error {
	return labels(ctx, w, r, newEndText(r.Schedule))
}

func labels(ctx context.Context, w io.Writer, r *machine.Result, ends *endText) error {
	out := csvtable.NewWriter(ctx, w, labelColumns)
	t := newLabelText(r)
	for _, p := range t.plugs() {
		out.Append(len(labelColumns), func(row []byte) []byte { return t.append(row, p, ends) })
		if err := out.End(); err != nil {
			return err
		}
	}
	return out.Flush()
}

// append appends the row of a plug.
func (t *labelText) append(row []byte, p plug, ends *endText) []byte {
	near, far, name := t.ends(p)
	row = append(append(row, ends.rack(near.v)...), ',')
	seg := &t.s.Segments[p.seg]
	if seg.Bundle > 0 {
		row = append(strconv.AppendInt(row, int64(t.bundles.pull[seg.Bundle-1]), 10), ',')
		row = t.bundles.appendID(row, seg.Bundle)
	} else {
		row = append(row, ',')
	}
	row = append(ends.appendID(append(row, ','), int64(seg.Cable)), ',')
	row = append(append(row, name...), ',')
	row = append(ends.appendBoth(row, near, far), ',')
	row = append(ends.appendLabel(row, near.v, near.port), ',')
	row = append(ends.appendLabel(row, far.v, far.port), ',')
	return append(row, ends.rack(far.v)...)
}

// labelText puts labels together.
type labelText struct {
	s       *cabling.Schedule
	bundles *bundleText
	level   int // of racks, or of innermost containers
}

func newLabelText(r *machine.Result) *labelText {
	t := &labelText{s: r.Schedule, bundles: newBundleText(r)}
	t.level = t.layout().Stands()
	return t
}

// plug is one plug of a cable: at end A of a segment, or at its end B.
type plug struct {
	seg int32
	b   bool
}

// plugEnd is where a plug is plugged in.
type plugEnd struct {
	v    int32
	port uint16
}

func (t *labelText) layout() *layout.Layout { return t.s.Placement.Layout }

// ends are those of a plug's cable, its own first, and the name of its own.
func (t *labelText) ends(p plug) (near, far plugEnd, name string) {
	seg := &t.s.Segments[p.seg]
	near, far = plugEnd{seg.A, seg.PortA}, plugEnd{seg.B, seg.PortB}
	if p.b {
		return far, near, "B"
	}
	return near, far, "A"
}

// plugs lists the plugs of all cables in the order of the labels. Those of a rack are counted first, so that only few
// at a time have to be sorted.
func (t *labelText) plugs() []plug {
	l, slot := t.layout(), t.s.Placement.Slot
	rack := func(p plug) int {
		near, _, _ := t.ends(p)
		return int(l.Container(t.level, slot[near.v])) + 1 // 0 for none
	}
	var first []int // of each rack, in the end of the one after it
	t.each(func(p plug) {
		for i := rack(p) + 2; len(first) <= i; {
			first = append(first, 0)
		}
		first[rack(p)+2]++
	})
	for i := range max(len(first)-1, 0) {
		first[i+1] += first[i]
	}
	if len(first) == 0 {
		return nil
	}
	out := make([]plug, first[len(first)-1])
	t.each(func(p plug) {
		next := &first[rack(p)+1]
		out[*next] = p
		*next++
	})
	for i := range len(first) - 1 {
		slices.SortStableFunc(out[first[i]:first[i+1]], func(x, y plug) int {
			p, q := &t.s.Segments[x.seg], &t.s.Segments[y.seg]
			return cmp.Or(cmp.Compare(t.pull(p), t.pull(q)), cmp.Compare(p.Cable, q.Cable))
		})
	}
	return out
}

// each calls do for the plugs of all cables, in the order of the schedule.
func (t *labelText) each(do func(p plug)) {
	type cage struct{ cable, v, cage int32 }
	seen := map[cage]bool{} // of cables that carry several links
	legs := t.s.Legs()
	for i := range t.s.Segments {
		seg := &t.s.Segments[i]
		if seg.Product == cabling.IsTrace {
			continue
		}
		first := legs.Next(seg) == 1
		for _, p := range []plug{{int32(i), false}, {int32(i), true}} {
			if seg.Product >= 0 && t.s.Products[seg.Product].Links() > 1 {
				near, _, _ := t.ends(p)
				at := cage{seg.Cable, near.v, t.cageOf(near)}
				if !first && seen[at] {
					continue
				}
				seen[at] = true
			}
			do(p)
		}
	}
}

// pull is the pull order of a cable; after all others for one that stays in a rack.
func (t *labelText) pull(seg *cabling.Segment) int32 {
	if seg.Bundle == 0 {
		return math.MaxInt32
	}
	return t.bundles.pull[seg.Bundle-1]
}

// cageOf is the cage of a port. Every adapter of a panel takes a plug of its own.
func (t *labelText) cageOf(e plugEnd) int32 {
	if t.s.Panel(e.v) >= 0 {
		return int32(e.port)
	}
	box := t.s.Boxes[topology.KindOf(t.s.Kinds, int(e.v))]
	if int(e.port) < len(box.Ports) {
		return int32(box.Ports[e.port].Cage)
	}
	return -1 - int32(e.port)
}
