package render

import (
	"context"
	"io"
	"slices"
	"strconv"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// labelColumns are the columns of the list of labels.
var labelColumns = []string{
	"rack", "pull_order", "bundle", "cable_id", "end", "label", "near", "far", "far_rack",
	"colour",
}

// between stands between the near and the far end on a label. ANSI/TIA-606 has a slash; with blanks, it differs from
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
	for some := range slices.Chunk(t.plugs(), 64) {
		err := out.Rows(len(some), func(b []byte) []byte {
			for _, p := range some {
				b = append(t.append(b, p, ends), csvtable.RowEnd...)
			}
			return b
		})
		if err != nil {
			return err
		}
	}
	return out.Flush()
}

// append appends the row of a plug.
func (t *labelText) append(row []byte, p plug, ends *endText) []byte {
	near, far, name := t.ends(p)
	row = append(append(row, ends.rack(near.v)...), ',')
	seg := &t.s.Segments[p.seg()]
	if seg.Bundle > 0 {
		row = append(strconv.AppendInt(row, int64(t.bundles.pull[seg.Bundle-1]), 10), ',')
		row = t.bundles.appendID(row, seg.Bundle)
	} else {
		row = append(row, ',')
	}
	row = append(ends.appendID(append(row, ','), int64(seg.Cable)), ',')
	row = append(append(row, name...), ',')
	row = append(ends.appendLabels(row, near, far), ',')
	row = append(append(row, ends.rack(far.v)...), ',')
	return append(row, t.s.Colour(seg)...)
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

// plug is one plug of a cable: twice the number of its segment, and 1 more at end B.
type plug int32

func (p plug) seg() int32 { return int32(p >> 1) }
func (p plug) b() bool    { return p&1 != 0 }

// plugEnd is where a plug is plugged in.
type plugEnd struct {
	v    int32
	port uint16
}

func (t *labelText) layout() *layout.Layout { return t.s.Placement.Layout }

// ends are those of a plug's cable, its own first, and the name of its own.
func (t *labelText) ends(p plug) (near, far plugEnd, name string) {
	seg := &t.s.Segments[p.seg()]
	near = plugEnd{seg.A, t.s.PlugPort(seg.A, seg.PortA)}
	far = plugEnd{seg.B, t.s.PlugPort(seg.B, seg.PortB)}
	if p.b() {
		return far, near, "B"
	}
	return near, far, "A"
}

// plugs lists the plugs of all cables in the order of the labels. They are put in order by what counts least first,
// each time leaving alone the order of those that are alike, so that nothing has to be compared.
func (t *labelText) plugs() []plug {
	s := t.s
	var all []plug
	l := t.layout()
	racks := make([]int32, len(s.Placement.Slot))
	most := int32(0)
	for v, slot := range s.Placement.Slot {
		racks[v] = l.Container(t.level, slot) + 1 // 0 for none
		most = max(most, racks[v])
	}
	rack := func(p plug) int32 {
		near, _, _ := t.ends(p)
		return racks[near.v]
	}
	last, rises := int32(0), true
	inRack, inPull := make([]int32, most+2), make([]int32, len(s.Bundles)+2) // counts, behind a 0
	t.each(func(p plug) {
		if all == nil {
			all = make([]plug, 0, 2*s.Wired)
		}
		seg := &s.Segments[p.seg()]
		rises, last = rises && seg.Cable >= last, seg.Cable
		inRack[rack(p)+1]++
		inPull[t.pull(seg)]++
		all = append(all, p)
	})
	spare := make([]plug, len(all))
	by := func(counts []int32, key func(p plug) int32) {
		sortByCounts(spare, all, counts, key)
		all, spare = spare, all
	}
	if !rises {
		cable := func(p plug) int32 { return s.Segments[p.seg()].Cable }
		counts := make([]int32, s.Cables+2)
		for _, p := range all {
			counts[cable(p)+1]++
		}
		by(counts, cable)
	}
	by(inPull, func(p plug) int32 { return t.pull(&s.Segments[p.seg()]) - 1 })
	by(inRack, rack)
	return all
}

// sortByCounts copies plugs from `from` to `to` in the order of a key; plugs with equal keys keep their order (counting
// sort). counts[k+1] is the number of plugs with key k, counts[0] is 0; it is overwritten.
func sortByCounts(to, from []plug, counts []int32, key func(p plug) int32) {
	for i := range len(counts) - 1 {
		counts[i+1] += counts[i]
	}
	for _, p := range from {
		at := &counts[key(p)]
		to[*at] = p
		*at++
	}
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
		for p := plug(2 * i); p <= plug(2*i+1); p++ {
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

// pull is the pull order of a cable, from 1; after all others for one that stays in a rack.
func (t *labelText) pull(seg *cabling.Segment) int32 {
	if seg.Bundle == 0 {
		return int32(len(t.bundles.pull)) + 1
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
