package asbuilt

import (
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/identity"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// Fate is what becomes of a box.
type Fate uint8

const (
	// Kept boxes stay where they are.
	Kept Fate = iota
	// Moved boxes stand elsewhere in the new plan.
	Moved
	// Replaced boxes give way to another part.
	Replaced
	// Added boxes are in the new plan only.
	Added
	// Removed boxes are in the old plan only.
	Removed
)

// String is the fate in a word.
func (f Fate) String() string { return [...]string{"kept", "moved", "replaced", "added", "removed"}[f] }

// MarshalText writes the word.
func (f Fate) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// Place is where a box stands.
type Place struct {
	Container string // the innermost: "A03", "A03/midplane2", "cube4-0.2.3"
	Cell      int    // in a chassis or container, from 0; -1 for none
	Unit      int    // lowest rack unit, from 1; 0 where there are no units
	Units     int    // how many the box fills
	Rear      bool   // it has its front at the rear of the rack
}

// String is the place as labels of cables have it: "A03/U12".
func (p *Place) String() string {
	out := p.Container
	if p.Unit > 0 {
		out += fmt.Sprintf("/U%02d", p.Unit)
	}
	if p.Cell >= 0 {
		out += fmt.Sprintf("/%d", p.Cell+1)
	}
	if p.Rear {
		out += " rear"
	}
	return out
}

// overlaps reports whether boxes of both places would be in each other's way.
func (p *Place) overlaps(o *Place) bool {
	if p.Container != o.Container {
		return false
	}
	if p.Cell >= 0 || o.Cell >= 0 {
		return p.Cell == o.Cell
	}
	return p.Unit < o.Unit+o.Units && o.Unit < p.Unit+p.Units
}

// Box is a box of either plan.
type Box struct {
	Name string // in the new plan, of a removed one in the old
	Kind string
	// OldPart and Part are those of the old and the new plan, "" where it is not in it.
	OldPart, Part string
	// From and To are where it stands in both.
	From, To *Place
	Fate     Fate

	panel   bool
	forward bool // forwards packets of others: a node of a torus
	swtch   bool
}

// matcher numbers the boxes of two plans alike.
type matcher struct {
	boxes []Box
	at    [2][]int32 // of the old plan and the new, by vertex and panel
}

// match finds out which boxes of two plans are the same.
func match(old, new *machine.Result) *matcher {
	m := &matcher{}
	plans := [2]*machine.Result{old, new}
	keys := [2][2][]string{} // labels and names
	for side, p := range plans {
		n := topology.Vertices(p.Graph)
		m.at[side] = make([]int32, len(p.Schedule.Placement.Slot))
		for v := range m.at[side] {
			m.at[side][v] = -1
		}
		for _, k := range p.Schedule.Kinds {
			for v := k.First; v < k.First+k.Count; v++ {
				keys[side][0] = append(keys[side][0], k.Name+"\n"+identity.Key(p.Graph.Label(v)))
				keys[side][1] = append(keys[side][1], k.Name+"\n"+identity.Key(p.Schedule.Device(int32(v))))
			}
		}
		for v := n; v < len(m.at[side]); v++ { // panels are where they stand
			l, slot := p.Schedule.Placement.Layout, p.Schedule.Placement.Slot[v]
			for by := range 2 {
				keys[side][by] = append(keys[side][by], "panel\n"+l.Path(slot))
			}
		}
	}
	partner := pair(len(m.at[0]), len(m.at[1]), [2][]string{keys[0][0], keys[1][0]}, findOwned(old, new))
	partner = pair(len(m.at[0]), len(m.at[1]), [2][]string{keys[0][1], keys[1][1]}, partner)
	for v, of := range partner { // of the old plan, in its order
		b := box(old, int32(v))
		b.From, b.OldPart, b.Fate, b.To, b.Part = b.To, b.Part, Removed, nil, ""
		m.at[0][v] = int32(len(m.boxes))
		if of >= 0 {
			b.become(box(new, of))
			m.at[1][of] = int32(len(m.boxes))
		}
		m.boxes = append(m.boxes, b)
	}
	for v, at := range m.at[1] {
		if at < 0 {
			m.at[1][v] = int32(len(m.boxes))
			m.boxes = append(m.boxes, box(new, int32(v)))
		}
	}
	return m
}

// findOwned returns for every box of the old plan the box that it is in the new one, by the machine file of the new
// plan; -1 for none. It returns nil where that file does not own boxes of the old plan.
func findOwned(old, new *machine.Result) []int32 {
	if len(new.Existing) == 0 {
		return nil
	}
	out := slices.Repeat([]int32{-1}, len(old.Schedule.Placement.Slot))
	for _, k := range old.Schedule.Kinds {
		for v := k.First; v < k.First+k.Count; v++ {
			to, ok := new.Existing[old.Schedule.Device(int32(v))]
			if ok && new.Schedule.Kinds[topology.KindOf(new.Schedule.Kinds, int(to))].Name == k.Name {
				out[v] = to
			}
		}
	}
	return out
}

// pair finds for what has no partner yet the only one of the other plan with the same key, -1 for none.
func pair(old, new int, keys [2][]string, partner []int32) []int32 {
	taken := make([]bool, new)
	out := make([]int32, old)
	for v := range out {
		out[v] = -1
		if partner != nil && partner[v] >= 0 {
			out[v] = partner[v]
			taken[partner[v]] = true
		}
	}
	const several = -2
	index := [2]map[string]int32{{}, {}}
	for side, free := range [2]func(v int) bool{
		func(v int) bool { return out[v] < 0 }, func(v int) bool { return !taken[v] },
	} {
		for v, key := range keys[side] {
			if !free(v) {
				continue
			}
			if _, twice := index[side][key]; twice {
				index[side][key] = several
			} else {
				index[side][key] = int32(v)
			}
		}
	}
	for v, key := range keys[0] {
		if n, ok := index[1][key]; out[v] < 0 && ok && n >= 0 && index[0][key] == int32(v) {
			out[v] = n
		}
	}
	return out
}

// box is a box of the new plan.
func box(p *machine.Result, v int32) Box {
	s := p.Schedule
	b := Box{Name: s.Device(v), Fate: Added}
	l, slot := s.Placement.Layout, s.Placement.Slot[v]
	b.To = &Place{Container: l.Innermost(slot), Cell: l.Cell(slot), Unit: l.Unit(slot), Rear: l.Rear(slot)}
	if i := s.Panel(v); i >= 0 {
		part := s.Patching.Panels[i].Part
		b.Kind, b.Part, b.panel, b.To.Units = "panel", part.ID, true, max(part.Units, 1)
		return b
	}
	k := topology.KindOf(s.Kinds, int(v))
	kind := &s.Kinds[k]
	b.Kind, b.Part = kind.Name, s.Boxes[k].Part.ID
	b.forward, b.swtch = kind.Role == topology.Node, kind.Role == topology.Switch
	b.To.Units = height(s.Boxes[k], l)
	return b
}

// height is how many rack units a box fills, 0 for one beside them.
func height(b *cabling.Box, l *layout.Layout) int {
	if l.Room == nil {
		return 0
	}
	return b.Box.Units
}

// become makes a box of the old plan one that the new plan has too.
func (b *Box) become(n Box) {
	b.Name, b.Kind, b.Part, b.To = n.Name, n.Kind, n.Part, n.To
	b.forward, b.swtch = b.forward || n.forward, b.swtch && n.swtch
	switch {
	case b.OldPart != b.Part:
		b.Fate = Replaced
	case b.From.String() != b.To.String():
		b.Fate = Moved
	default:
		b.Fate = Kept
	}
}
