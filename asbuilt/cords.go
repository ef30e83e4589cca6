package asbuilt

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/machine"
)

// LineChange is a power cord, or the hoses of a rack, that are not kept.
type LineChange struct {
	At     string `json:"at"`               // the inlet of a box, or the rack
	Change string `json:"change"`           // `re-plugged`, `relaid`, `exchanged`, `added` or `removed`
	Pieces int    `json:"pieces"`           // how many: two hoses of a rack
	From   string `json:"from,omitempty"`   // the outlet or the coolant distribution unit in the old plan
	To     string `json:"to,omitempty"`     // that in the new plan
	Old    string `json:"old,omitempty"`    // the hose of the old plan, where it has a part
	New    string `json:"new,omitempty"`    // the hose of the new plan, where it has a part
	Feed   string `json:"feed,omitempty"`   // the feed of the cord, in the new plan if it is there
	Rack   string `json:"rack"`             // where it is, in the new plan if it is there
	Label  string `json:"label,omitempty"`  // of the cord, in the new plan if it is there
	Colour string `json:"colour,omitempty"` // of the cord, in the new plan if it is there

	near []string // names of the boxes at it, and of the rack of hoses
}

// line is a power cord, or the hoses of a rack, in a plan.
type line struct {
	boxes   []int32 // at its ends, indices into Difference.Boxes
	end     string  // identifies the outlet, or the unit
	product string
	pieces  int
	words   LineChange // but for what both plans tell
	to      string     // the end in words
}

// lines are the lines of a plan by what identifies the end that takes them: the inlet, or the rack.
type lines map[string]*line

// cords are the power cords of a plan: inlets in outlets, without those on busbars.
func (inv *inventory) cords(boxes []Box) lines {
	out := lines{}
	if inv.plan.Power == nil {
		return out
	}
	room := inv.plan.Room()
	for i := range inv.plan.Power.Racks {
		rack := &inv.plan.Power.Racks[i]
		for j := range rack.Cords {
			c := &rack.Cords[j]
			if c.Supply < 0 {
				continue
			}
			box, supply := inv.box[rack.BoxAt[c.Box]], inv.box[rack.SupplyAt[c.Supply]]
			feed := inv.plan.Power.Feeds[rack.Supplies[c.Supply].Feed]
			out[fmt.Sprintf("%d %d", box, c.Inlet)] = &line{
				boxes: []int32{box, supply}, end: fmt.Sprintf("%d %d", supply, c.Outlet), pieces: 1,
				words: LineChange{
					At:   fmt.Sprintf("%s inlet %d", boxes[box].Name, c.Inlet),
					Feed: feed, Rack: room.Name(int(rack.Place)), Label: inv.plan.CordLabel(rack, c),
					Colour: inv.plan.FeedColour(feed), near: []string{boxes[box].Name, boxes[supply].Name},
				},
				to: fmt.Sprintf("%s outlet %d", boxes[supply].Name, c.Outlet),
			}
		}
	}
	return out
}

// hoses are the hoses of a plan by rack, without those that stay in a rack.
func (inv *inventory) hoses(boxes []Box) lines {
	out := lines{}
	if inv.plan.Cooling == nil {
		return out
	}
	room := inv.plan.Room()
	for i := range inv.plan.Cooling.Loops {
		l := &inv.plan.Cooling.Loops[i]
		for j := range l.Racks {
			rack := &l.Racks[j]
			if rack.Hose == 0 && !rack.OtherHall {
				continue
			}
			unit, name := inv.box[rack.CDU], room.Name(int(rack.Place))
			item, _ := l.Pieces(rack)
			out[name] = &line{
				boxes: []int32{unit}, end: fmt.Sprint(unit), product: item.String(), pieces: machine.HosesOfRack,
				words: LineChange{At: name, Rack: name, near: []string{boxes[unit].Name, name}}, to: boxes[unit].Name,
			}
		}
	}
	return out
}

// compareLines counts lines by what becomes of them, and lists those that are not kept; nil where neither plan has any.
func (d *Difference) compareLines(of func(inv *inventory) lines) (*CableCount, []LineChange) {
	old, new := of(d.inv[0]), of(d.inv[1])
	if len(old)+len(new) == 0 {
		return nil, nil
	}
	n := &CableCount{}
	var changes []LineChange
	all := slices.Concat(slices.Collect(maps.Keys(old)), slices.Collect(maps.Keys(new)))
	slices.Sort(all)
	for _, key := range slices.Compact(all) {
		was, is := old[key], new[key]
		l := cmp.Or(is, was)
		c := l.words
		c.Pieces = l.pieces
		if was != nil {
			c.From, c.Old = was.to, was.product
		}
		if is != nil {
			c.To, c.New = is.to, is.product
		}
		var count *int
		switch {
		case was == nil:
			c.Change, count = "added", &n.Added
		case is == nil:
			c.Change, count = "removed", &n.Removed
		case was.end != is.end:
			c.Change, count = wordOf[replugged], &n.Replugged
		case was.product != is.product:
			c.Change, count = wordOf[exchanged], &n.Exchanged
		case slices.ContainsFunc(is.boxes, func(box int32) bool { return d.Boxes[box].Fate != Kept }):
			c.Change, count = wordOf[relaid], &n.Relaid
		default:
			n.Kept += l.pieces
			continue
		}
		*count += l.pieces
		changes = append(changes, c)
	}
	slices.SortStableFunc(changes, func(a, b LineChange) int {
		return cmp.Or(cmp.Compare(a.Rack, b.Rack), cmp.Compare(a.At, b.At))
	})
	return n, changes
}

// lines adds power cords and hoses.
func (doc *Document) lines(d *Difference) {
	doc.PowerCords, doc.CordChanges = d.compareLines(func(inv *inventory) lines { return inv.cords(d.Boxes) })
	doc.Hoses, doc.HoseChanges = d.compareLines(func(inv *inventory) lines { return inv.hoses(d.Boxes) })
}

// WriteLines writes a CSV table with a row for each power cord, or for the hoses of each rack, that is not kept, with
// the step that adds, moves or removes the boxes at it, 0 if no step does.
func (doc *Document) WriteLines(ctx context.Context, w io.Writer, changes []LineChange) error {
	out := csvtable.NewWriter(ctx, w, []string{
		"rack", "at", "change", "pieces", "from", "to", "old", "new", "feed", "colour", "label", "step",
	})
	steps := doc.stepOfBoxes()
	for i := range doc.BoxChanges { // a rack is there with the last of its boxes
		c := &doc.BoxChanges[i]
		rack, _, _ := strings.Cut(cmp.Or(c.To, c.From), "/")
		steps[rack] = max(steps[rack], steps[c.Box])
	}
	for i := range changes {
		c, step := &changes[i], 0
		for _, name := range c.near {
			step = max(step, steps[name])
		}
		out.Texts(c.Rack, c.At, c.Change, strconv.Itoa(c.Pieces), c.From, c.To, c.Old, c.New, c.Feed, c.Colour, c.Label,
			strconv.Itoa(step))
		if err := out.End(); err != nil {
			return err
		}
	}
	return out.Flush()
}
