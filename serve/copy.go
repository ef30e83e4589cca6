package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
)

// copyTo answers with a text in which a rack like that at one position stands at another, which is free, and with the
// plan of that text. It is refused where the machine does not allow it.
func (s *Server) copyTo(w http.ResponseWriter, r *http.Request) {
	s.rearrange(w, r, copyRack)
}

// copyRack returns the text of a machine file with one more rack like that at a position. A rack of a template is one
// more of it. Of other racks, the numbers of boxes grow by those in the rack.
func copyRack(
	ctx context.Context, with *machine.Planner, name string, text []byte, from, to string,
) ([]byte, error) {
	c, err := newCopier(ctx, with, name, text)
	if err != nil {
		return nil, err
	}
	of, err := c.rackAt(from)
	if err != nil {
		return nil, err
	}
	if len(of) == 0 {
		return nil, fmt.Errorf("nothing stands at %s", from)
	}
	if taken, err := c.rackAt(to); err != nil {
		return nil, err
	} else if len(taken) > 0 {
		return nil, fmt.Errorf("a copy needs a free position, and %s holds %s", to, english.Count(len(taken), "box"))
	}
	template := slices.IndexFunc(c.stated.Racks, func(t spec.RackTemplate) bool { return t.Name == c.nameOf(from) })
	if template >= 0 {
		return c.copyOfTemplate(template, of, to)
	}
	return c.copyOfBoxes(ctx, with, of, from, to)
}

// copier is a planned machine file of which a rack is copied.
type copier struct {
	name   string
	text   []byte
	stated *spec.Spec // what the file says, without defaults
	plan   *machine.Result
}

// newCopier plans a machine file of which a rack is copied.
func newCopier(ctx context.Context, with *machine.Planner, name string, text []byte) (*copier, error) {
	stated, err := machine.Parse(name, text)
	if err != nil {
		return nil, err
	}
	plan, err := with.PlanWith(ctx, stated, machine.Options{Summary: true})
	if err != nil {
		return nil, err
	}
	if plan.Placement.Layout.Room == nil {
		return nil, errors.New("containers are not copied: change their number in the text")
	}
	return &copier{name, text, stated, plan}, nil
}

// placeOf returns the index of a rack position in layout.Room.Places, -1 if the room has none of that name.
func (c *copier) placeOf(position string) int {
	room := c.plan.Placement.Layout.Room
	for i := range room.Places {
		if room.Name(i) == position {
			return i
		}
	}
	return -1
}

// rackAt returns the boxes at a rack position.
func (c *copier) rackAt(position string) (boxes []int, err error) {
	l := c.plan.Placement.Layout
	if c.placeOf(position) < 0 {
		return nil, fmt.Errorf("there is no rack position %q", position)
	}
	for v, slot := range c.plan.Placement.Slot {
		if l.Rack(slot) == position {
			boxes = append(boxes, v)
		}
	}
	return boxes, nil
}

// nameOf returns the name that a rack has in the file, such as that of its template; "" for none.
func (c *copier) nameOf(position string) string {
	for _, r := range c.plan.Placement.Racks {
		if c.plan.Placement.Layout.Room.Name(int(r.Place)) == position {
			return r.Name
		}
	}
	return ""
}

// countKinds counts boxes by kind.
func (c *copier) countKinds(boxes []int) map[string]int {
	kinds, out := c.plan.Graph.Kinds(), map[string]int{}
	for _, v := range boxes {
		out[kinds[topology.KindOf(kinds, v)].Name]++
	}
	return out
}

// moreBoxes returns the changes by which the file states more boxes, those kinds whose number it states, and the kinds
// whose number it does not.
func (c *copier) moreBoxes(counts map[string]int) (changes [][2]string, without []string) {
	for i, b := range c.stated.Boxes {
		if n := counts[b.Name]; n > 0 && b.Count > 0 {
			changes = append(changes, [2]string{fmt.Sprintf("boxes.%d.count", i), strconv.Itoa(b.Count + n)})
		} else if n > 0 {
			without = append(without, b.Name)
		}
	}
	if n := counts["node"]; n > 0 && len(c.stated.Boxes) == 0 {
		if nodes, ok := statedNodes(c.text); ok {
			return append(changes, [2]string{"topology.nodes", strconv.Itoa(nodes + n)}), without
		}
		without = append(without, "node")
	}
	return changes, without
}

// statedNodes reads topology.nodes of a text.
func statedNodes(text []byte) (nodes int, ok bool) {
	_, says, err := readText(text)
	if err != nil {
		return 0, false
	}
	nodes, ok = valueAt(says, []string{"topology", "nodes"}).(int)
	return nodes, ok
}

// apply makes changes of the text, in their order.
func (c *copier) apply(changes [][2]string) ([]byte, error) {
	out := c.text
	for _, c := range changes {
		var err error
		if out, err = change(out, c[0], c[1]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// copyOfTemplate returns the text with one more rack of a template. All of them are at stated positions then.
func (c *copier) copyOfTemplate(i int, boxes []int, to string) ([]byte, error) {
	t := &c.stated.Racks[i]
	at, racks := t.At, c.racksOf(t.Name)
	if len(at) == 0 {
		at = racks
	}
	changes, _ := c.moreBoxes(c.countKinds(boxes))
	quoted := make([]string, 0, len(at)+1)
	for _, position := range append(slices.Clone(at), to) {
		quoted = append(quoted, scalar(position))
	}
	path := fmt.Sprintf("racks.%d.", i)
	changes = append(changes, [2]string{path + "count", strconv.Itoa(max(t.Count, len(racks)) + 1)},
		[2]string{path + "at", "[" + strings.Join(quoted, ", ") + "]"})
	return c.apply(changes)
}

// racksOf returns the positions of the racks of a template, in the order in which boxes fill them.
func (c *copier) racksOf(template string) (out []string) {
	mine := map[string]bool{}
	l := c.plan.Placement.Layout
	for _, r := range c.plan.Placement.Racks {
		mine[l.Room.Name(int(r.Place))] = r.Name == template
	}
	for _, slot := range c.plan.Placement.Slot {
		if at := l.Rack(slot); mine[at] {
			out, mine[at] = append(out, at), false
		}
	}
	return out
}

// copyOfBoxes returns the text with more boxes, as many as a rack without template holds, whose rack stands at a
// position.
func (c *copier) copyOfBoxes(
	ctx context.Context, with *machine.Planner, boxes []int, from, to string,
) ([]byte, error) {
	counts := c.countKinds(boxes)
	changes, without := c.moreBoxes(counts)
	switch {
	case len(changes) == 0 && len(without) > 0:
		return nil, fmt.Errorf("the file does not state how many boxes of kind %s there are\ndesign the rack once, "+
			"under racks, or change the topology", english.List(without))
	case len(changes) == 0:
		return nil, fmt.Errorf("%s holds switches only, whose number follows from the topology", from)
	}
	text, err := c.apply(changes)
	if err != nil {
		return nil, err
	}
	grown, err := newCopier(ctx, with, c.name, text)
	if err != nil {
		return nil, err
	}
	stands, err := grown.rackOfMore(c, counts)
	if err != nil || stands == to {
		return text, err
	}
	return exchangeRacks(ctx, c.name, text, stands, to)
}

// rackOfMore returns the position of the one rack in which the boxes of some kinds stand that a machine has more than
// an older one.
func (c *copier) rackOfMore(old *copier, copied map[string]int) (position string, err error) {
	before := map[string]int{}
	for _, k := range old.plan.Graph.Kinds() {
		before[k.Name] = k.Count
	}
	l := c.plan.Placement.Layout
	for _, k := range c.plan.Graph.Kinds() {
		if copied[k.Name] == 0 || k.Role == topology.Switch {
			continue
		}
		for v := k.First + before[k.Name]; v < k.First+k.Count; v++ {
			at := l.Rack(c.plan.Placement.Slot[v])
			if position != "" && at != position {
				return "", errors.New("the boxes of the copy would not stand in a rack of their own, but fill others " +
					"first\nfill these, or design the rack once, under racks")
			}
			position = at
		}
	}
	return position, nil
}
