package serve

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
)

// copyBoxTo answers with a text in which there is one more box like a named one, at a unit of a rack where these are
// given, and with the plan of that text. It is refused where the machine does not allow it.
func (s *Server) copyBoxTo(w http.ResponseWriter, r *http.Request) {
	s.rearrange(w, r, func(
		ctx context.Context, with *machine.Planner, name string, text []byte, box, rack string,
	) ([]byte, error) {
		return copyBox(ctx, with, name, text, boxCopy{box, rack, r.URL.Query().Get("unit")})
	})
}

// boxCopy is a copy of a box that is asked for.
type boxCopy struct {
	box  string // its name
	rack string // the position of the rack of the copy, "" for any
	unit string // the lowest unit of the copy, "" for any
}

// copyBox returns the text of a machine file with one more box like a named one. In a rack of a template, every rack of
// the template has one more. Elsewhere the number of boxes of the kind grows by one, and the plan places it, which has
// to be where it was asked for.
func copyBox(ctx context.Context, with *machine.Planner, name string, text []byte, want boxCopy) ([]byte, error) {
	c, err := newCopier(ctx, with, name, text)
	if err != nil {
		return nil, err
	}
	v, err := c.findBox(want.box)
	if err != nil {
		return nil, err
	}
	kind := topology.KindOf(c.plan.Graph.Kinds(), v)
	if k := c.plan.Graph.Kinds()[kind]; k.Role == topology.Switch {
		return nil, fmt.Errorf("%s is a switch, and the number of switches follows from the topology", want.box)
	}
	unit, err := unitOf(want.unit)
	if err != nil {
		return nil, err
	}
	from := c.plan.Placement.Layout.Rack(c.plan.Placement.Slot[v])
	if want.rack == "" && (unit > 0 || c.templateAt(from) >= 0) {
		want.rack = from
	}
	if want.rack != "" {
		if _, err := c.rackAt(want.rack); err != nil {
			return nil, err
		}
	}
	out, template, err := c.withBox(kind, want.rack, unit)
	if err != nil {
		return nil, err
	}
	grown, err := newCopier(ctx, with, name, out)
	if err != nil {
		return nil, err
	}
	return out, grown.checkCopy(c, kind, boxCopy{want.box, want.rack, want.unit}, template)
}

// unitOf reads a rack unit, 0 for an empty text.
func unitOf(text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	unit, err := strconv.Atoi(text)
	if err != nil || unit < 1 || unit > 999 {
		return 0, fmt.Errorf("%q is not a rack unit\nuse a number from 1, the lowest unit of a rack", text)
	}
	return unit, nil
}

// findBox returns the box of a name, as the page shows it.
func (c *copier) findBox(name string) (int, error) {
	for v := range c.plan.Placement.Slot {
		if c.plan.Schedule.Device(int32(v)) == name {
			return v, nil
		}
	}
	return 0, fmt.Errorf("there is no box %q", name)
}

// templateAt returns the template of the rack at a position, -1 for none.
func (c *copier) templateAt(position string) int {
	name := c.nameOf(position)
	return slices.IndexFunc(c.stated.Racks, func(t spec.RackTemplate) bool { return name != "" && t.Name == name })
}

// withBox returns the text with one more box of a kind, in every rack of the template of a position, if it has one.
func (c *copier) withBox(kind int, rack string, unit int) (text []byte, template string, err error) {
	k, counts := c.plan.Graph.Kinds()[kind].Name, map[string]int{}
	t := -1
	if rack != "" {
		t = c.templateAt(rack)
	}
	if t < 0 {
		counts[k] = 1
		changes, _ := c.moreBoxes(counts)
		if len(changes) == 0 {
			return nil, "", fmt.Errorf("the file does not state how many boxes of kind %s there are\nstate their "+
				"number, add a rack of a template, or change the topology", k)
		}
		text, err = c.apply(changes)
		return text, "", err
	}
	template = c.stated.Racks[t].Name
	if unit, err = c.freeUnit(kind, rack, unit); err != nil {
		return nil, "", err
	}
	counts[k] = len(c.racksOf(template))
	changes, _ := c.moreBoxes(counts)
	text, err = c.apply(append(changes, c.changeHolds(t, k, unit)))
	return text, template, err
}

// changeHolds returns the change by which the racks of a template hold one more box of a kind: at a unit, or beside the
// units where that is 0.
func (c *copier) changeHolds(template int, kind string, unit int) [2]string {
	path := fmt.Sprintf("racks.%d.holds.", template)
	for i, h := range c.stated.Racks[template].Holds {
		switch at := path + strconv.Itoa(i); {
		case !h.Names(kind):
		case unit == 0:
			return [2]string{at + ".count", strconv.Itoa(max(h.Count, 1) + 1)}
		case len(h.Units) == 1: // which may be written without brackets
			return [2]string{at + ".units", fmt.Sprintf("[%s, %d]", h.Units[0], unit)}
		case len(h.Units) > 1:
			return [2]string{at + ".units.+", strconv.Itoa(unit)}
		}
	}
	if unit == 0 {
		return [2]string{path + "+", "{boxes: " + scalar(kind) + "}"}
	}
	return [2]string{path + "+", fmt.Sprintf("{boxes: %s, units: [%d]}", scalar(kind), unit)}
}

// freeUnit returns the unit at which a box of a kind stands in the rack at a position: the wanted one, which has to be
// free, or else the lowest free one for 0. It is 0 for boxes beside the units.
func (c *copier) freeUnit(kind int, rack string, wanted int) (int, error) {
	part := c.plan.Schedule.Boxes[kind].Part
	if part.ZeroU {
		if wanted > 0 {
			return 0, fmt.Errorf("boxes of part %s are mounted beside the units\nleave the unit empty", part.ID)
		}
		return 0, nil
	}
	taken, size := c.unitsOf(rack)
	height := max(part.Units, 1)
	free := func(unit int) bool {
		for u := unit; u < unit+height; u++ {
			if taken[u] != "" || u > size {
				return false
			}
		}
		return true
	}
	for unit := 1; unit+height-1 <= size && wanted == 0; unit++ {
		if free(unit) {
			return unit, nil
		}
	}
	switch {
	case wanted == 0:
		return 0, fmt.Errorf("no %d free units next to each other in %s", height, rack)
	case wanted+height-1 > size:
		return 0, fmt.Errorf("%s has %d units, and the box needs units %d to %d", rack, size, wanted, wanted+height-1)
	case !free(wanted):
		for u := wanted; ; u++ {
			if taken[u] != "" {
				return 0, fmt.Errorf("unit %d of %s holds %s\nchoose a free unit, or leave it empty", u, rack, taken[u])
			}
		}
	}
	return wanted, nil
}

// unitsOf returns the name of the box in every unit of the rack at a position, and the number of its units.
func (c *copier) unitsOf(rack string) (taken map[int]string, size int) {
	pl, kinds := c.plan.Placement, c.plan.Graph.Kinds()
	taken = map[int]string{}
	for v, slot := range pl.Slot {
		unit := pl.Layout.Unit(slot)
		if pl.Layout.Rack(slot) != rack || unit == 0 {
			continue
		}
		height := c.plan.Schedule.Boxes[topology.KindOf(kinds, v)].Part.Units
		if whole := pl.Layout.ChassisUnits(slot); whole > 0 {
			height = whole
		}
		for u := unit; u < unit+max(height, 1); u++ {
			taken[u] = c.plan.Schedule.Device(int32(v))
		}
	}
	return taken, pl.Layout.Room.Type(int32(c.placeOf(rack))).Units
}

// checkCopy returns an error unless a machine has more boxes of a kind than an older one, and one of them where it was
// asked for.
func (c *copier) checkCopy(old *copier, kind int, want boxCopy, template string) error {
	was := old.plan.Graph.Kinds()[kind]
	kinds := c.plan.Graph.Kinds()
	i := slices.IndexFunc(kinds, func(k topology.Kind) bool { return k.Name == was.Name })
	if i < 0 || kinds[i].Count <= was.Count {
		return fmt.Errorf("the machine would have no box of kind %s more\nchange the topology in the text", was.Name)
	}
	if want.rack == "" {
		return nil
	}
	pl, stands := c.plan.Placement, []string{}
	added := kinds[i].First + was.Count // the first box that is not in the older machine
	for v := kinds[i].First; v < kinds[i].First+kinds[i].Count; v++ {
		at, unit := pl.Layout.Rack(pl.Slot[v]), strconv.Itoa(pl.Layout.Unit(pl.Slot[v]))
		if at == want.rack && (template != "" || v >= added) && (want.unit == "" || want.unit == unit) {
			return nil
		}
		if v >= added {
			stands = append(stands, fmt.Sprintf("%s unit %s", at, unit))
		}
	}
	return fmt.Errorf("the plan would place the copy at %s\nleave rack and unit empty to have it there, or design the "+
		"rack once, under racks", strings.Join(stands, ", "))
}
