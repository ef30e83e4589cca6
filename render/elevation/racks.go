// Package elevation says what stands in every rack and draws it, from the front and from the rear: a drawing of a rack,
// and a book with a page for each, an index and a floor that says which page is where.
package elevation

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Kind is what takes units of a rack.
type Kind uint8

// The kinds: nothing, and what boxes are for.
const (
	Free Kind = iota
	Node
	Switch
	Service
	Panel
)

// Mounted is what takes some units of a rack: a box, a chassis with its boxes, a panel, or nothing.
type Mounted struct {
	Kind        Kind
	Unit, Units int // the lowest one and how many; a unit of 0 is beside the units
	What, Part  string
	Name        string // of the kind of the first box, as the machine file has it
	Boxes       int
	Face        string       // front or rear
	Feed        string       // that a box with outlets hangs on, "" for none
	Wide, High  units.Length // of a box beside the units
	// Ports are those of the boxes, Used those with a cable in them; both are 0 where a plan does not keep its cables.
	Ports, Used int
	// Unweighed are those of the boxes whose part states no weight.
	Unweighed int
	// OtherPower are those whose part states no power, or none on the basis that is planned; Unpowered are those of
	// them whose part states none at all.
	OtherPower, Unpowered int
}

// Top is the highest unit.
func (m *Mounted) Top() int { return m.Unit + m.Units - 1 }

// Rack is what stands at a rack position.
type Rack struct {
	Place     int // in the room
	Name, Row string
	Units     int       // of the rack
	Stack     []Mounted // from the top down, free units included, and what is beside the units
	// Power and Weight are of all that stands in it, Power including optics and Weight including cables, by
	// cabling.RackCables; limits are 0 where none is stated.
	Power, PowerLimit   units.Power
	Weight, WeightLimit units.Mass
	// UnweighedCables are those of its cables whose part states no weight.
	UnweighedCables int64
	// Width and Depth are the rack's, outside.
	Width, Depth units.Length
	// Entries are the openings for cables and the cable managers that its part states.
	Entries []Entry
}

// title is the name of what stands there, with the feed that it hangs on.
func (m *Mounted) title() string { return m.fed(m.What) }

// shortTitle is the title of a chassis with the numbers of its boxes in place of their names: "switches8: 0029 to
// 0032".
func (m *Mounted) shortTitle() string {
	first, last, several := strings.Cut(m.What, " to ")
	chassis, first, _ := strings.Cut(first, ": ")
	digits := func(name string) string { return name[len(strings.TrimRight(name, "0123456789")):] }
	if a, b := digits(first), digits(last); several && a != "" && b != "" {
		return m.fed(chassis + ": " + a + " to " + b)
	}
	return m.title()
}

// fed is a name with the feed.
func (m *Mounted) fed(name string) string {
	if m.Feed == "" {
		return name
	}
	return name + ", feed " + m.Feed
}

// UsedUnits are the units that are not free.
func (r *Rack) UsedUnits() int {
	n := r.Units
	for i := range r.Stack {
		if r.Stack[i].Kind == Free {
			n -= r.Stack[i].Units
		}
	}
	return n
}

// Boxes are the boxes in it, without panels.
func (r *Rack) Boxes() int {
	n := 0
	for i := range r.Stack {
		if r.Stack[i].Kind != Panel {
			n += r.Stack[i].Boxes
		}
	}
	return n
}

// Unweighed are the boxes and panels whose part states no weight, which Weight is without.
func (r *Rack) Unweighed() int {
	n := 0
	for i := range r.Stack {
		n += r.Stack[i].Unweighed
	}
	return n
}

// OtherPower are the boxes whose part states no power, or none on the basis that is planned, so that another figure is
// counted.
func (r *Rack) OtherPower() int {
	n := 0
	for i := range r.Stack {
		n += r.Stack[i].OtherPower
	}
	return n
}

// Unpowered are the boxes whose part draws power and does not state how much, which Power is without.
func (r *Rack) Unpowered() int {
	n := 0
	for i := range r.Stack {
		n += r.Stack[i].Unpowered
	}
	return n
}

// free names units in which nothing stands.
const free = "free"

// Of lists the racks in which anything stands in the order of their places.
func Of(r *machine.Result) []Rack {
	var out []Rack
	for rack := range each(r, usedPorts(r.Schedule), true) {
		out = append(out, *rack)
	}
	return out
}

// Each yields the racks of Of one at a time, so that no more than one of a large machine is held. Their ports are not
// counted, which would take longer than all the rest.
func Each(r *machine.Result) iter.Seq[*Rack] { return each(r, nil, true) }

// Nameless is Each without the names of boxes, for who counts what takes units.
func Nameless(r *machine.Result) iter.Seq[*Rack] { return each(r, nil, false) }

// Count is how many racks Of lists.
func Count(r *machine.Result) int {
	room := r.Room()
	if room == nil {
		return 0
	}
	s := r.Schedule
	stands := make([]bool, len(room.Places)+1) // for what stands nowhere, the first
	for v := range topology.Vertices(r.Graph) {
		stands[s.Placement.Layout.Container(layout.RackLevel, s.Placement.Slot[v])+1] = true
	}
	if s.Patching != nil {
		for _, p := range s.Patching.Panels {
			stands[p.Rack+1] = true
		}
	}
	n := 0
	for _, any := range stands[1:] {
		if any {
			n++
		}
	}
	return n
}

// each yields the racks, with the ports of which as many are used.
func each(r *machine.Result, used []int32, named bool) iter.Seq[*Rack] {
	return func(yield func(*Rack) bool) {
		room := r.Room()
		if room == nil {
			return
		}
		b := newStacker(r, room, used)
		b.named = named
		loaded, cables, out := map[int32]int{}, r.Schedule.RackCables(), leaving(r)
		for i := range r.Placement.Racks {
			loaded[r.Placement.Racks[i].Place] = i
		}
		for place := range room.Places {
			stack := b.stack(place)
			if len(stack) == 0 {
				continue
			}
			t := room.Type(int32(place))
			rack := &Rack{
				Place: place, Name: room.Name(place), Row: room.Rows[room.Places[place].Row].Name, Units: t.Units,
				Stack: stacked(stack, t.Units), PowerLimit: t.Power, WeightLimit: t.Weight, Width: t.Width,
				Depth: t.Depth, Entries: entriesOf(r.RackPart(int32(place)), out[int32(place)]),
			}
			if cables != nil {
				rack.UnweighedCables = cables[place].Unweighed
			}
			if i, ok := loaded[int32(place)]; ok {
				rack.Power, rack.Weight = r.Placement.Racks[i].Power, r.Placement.Racks[i].Weight
			}
			if !yield(rack) {
				return
			}
		}
	}
}

// stacker finds what stands at rack positions.
type stacker struct {
	r     *machine.Result
	kinds []topology.Kind
	used  []int32 // ports of every vertex; nil where they are not counted
	named bool    // what takes units has its name
	ports []int   // of a box of each kind, free ones too
	// boxes are the vertices, those of a rack together: from first[rack] to first[rack+1].
	boxes, first []int32
	panels       map[int32][]int32 // by rack
	open         []Mounted
	chassis      map[string]int   // place in its rack's list, from 1
	feed         map[int32]string // of the boxes with outlets
}

func newStacker(r *machine.Result, room *layout.Room, used []int32) *stacker {
	s := r.Schedule
	l := s.Placement.Layout
	n := topology.Vertices(r.Graph)
	b := &stacker{
		r: r, kinds: r.Graph.Kinds(), used: used, boxes: make([]int32, n),
		first: make([]int32, len(room.Places)+2), panels: map[int32][]int32{}, chassis: map[string]int{},
	}
	b.ports = make([]int, len(b.kinds))
	for kind := range b.kinds {
		b.ports[kind] = s.Boxes[kind].PortTotal()
	}
	if r.Power != nil {
		b.feed = r.Power.FeedOf()
	}
	rack := func(v int) int32 { return l.Container(layout.RackLevel, s.Placement.Slot[v]) }
	for v := range n {
		b.first[rack(v)+2]++
	}
	for i := 2; i < len(b.first); i++ {
		b.first[i] += b.first[i-1]
	}
	for v := range n { // first[rack+1] moves up to where the next rack begins
		at := &b.first[rack(v)+1]
		b.boxes[*at] = int32(v)
		*at++
	}
	if k := s.Patching; k != nil {
		for i, p := range k.Panels {
			b.panels[p.Rack] = append(b.panels[p.Rack], int32(i))
		}
	}
	return b
}

// stack finds what stands at a rack position. It is valid until the next call.
func (b *stacker) stack(place int) []Mounted {
	s := b.r.Schedule
	l := s.Placement.Layout
	clear(b.chassis)
	b.open = b.open[:0]
	for _, vertex := range b.boxes[b.first[place]:b.first[place+1]] {
		v := int(vertex)
		slot, kind := s.Placement.Slot[v], topology.KindOf(b.kinds, v)
		part := s.Boxes[kind].Part
		m := Mounted{
			Kind: boxKind(b.r, kind), Unit: l.Unit(slot), Units: max(part.Units, 1), Part: part.ID, Boxes: 1,
			Face: "front", Name: s.Kinds[kind].Name,
		}
		if part.Weight == 0 {
			m.Unweighed = 1
		}
		if b.r.Bill.PowerBasis.Lacks(part.ID) || part.LacksPower() {
			m.OtherPower = 1
		}
		if part.LacksPower() {
			m.Unpowered = 1
		}
		if b.named {
			m.What, m.Feed = s.Device(vertex), b.feed[vertex]
		}
		if b.used != nil {
			m.Ports, m.Used = b.ports[kind], int(b.used[v])
		}
		if l.Rear(slot) {
			m.Face = "rear"
		}
		if part.ZeroU {
			m.Unit, m.Units = 0, 0
			m.Wide, m.High = part.Width, part.Height
		}
		if name := l.Innermost(slot); strings.Contains(name, "/") {
			if i := b.chassis[name]; i > 0 {
				b.open[i-1].addToChassis(&m)
				continue
			}
			b.chassis[name] = len(b.open) + 1
			_, inner, _ := strings.Cut(name, "/")
			m.Units = max(b.r.Spec.Packaging.Chassis[strings.TrimRight(inner, "0123456789")].Units, 1)
			m.What = inner + ": " + m.What
		}
		b.open = append(b.open, m)
	}
	for _, i := range b.panels[int32(place)] {
		k := s.Patching
		p := &k.Panels[i]
		m := Mounted{
			Kind: Panel, Unit: p.Unit, Units: max(p.Part.Units, 1), What: s.Device(k.Vertex(i)), Part: p.Part.ID,
			Boxes: 1, Face: "front", Ports: p.Ports, Used: p.Links,
		}
		if p.Part.Weight == 0 {
			m.Unweighed = 1
		}
		b.open = append(b.open, m)
	}
	return b.open
}

// addToChassis adds another box to a chassis.
func (m *Mounted) addToChassis(box *Mounted) {
	m.Boxes++
	m.Unweighed += box.Unweighed
	m.OtherPower, m.Unpowered = m.OtherPower+box.OtherPower, m.Unpowered+box.Unpowered
	m.Ports, m.Used = m.Ports+box.Ports, m.Used+box.Used
	first, _, _ := strings.Cut(m.What, " to ")
	m.What = first + " to " + box.What
}

// boxKind is what boxes of a kind of vertices are for.
func boxKind(r *machine.Result, kind int) Kind {
	switch {
	case r.Schedule.Kinds[kind].Role == topology.Switch:
		return Switch
	case kind < len(r.Spec.Boxes) && r.Spec.Boxes[kind].Role == spec.Service:
		return Service
	}
	return Node
}

// usedPorts counts the ports of every vertex with a cable in them; nil where a plan does not keep its cables.
func usedPorts(s *cabling.Schedule) []int32 {
	if s.Segments == nil {
		return nil
	}
	first := make([]int, len(s.Kinds)+1) // of each kind: the entry of its first port
	own := make([][]int, len(s.Kinds))   // of each kind: the ports that links are plugged into, as one box has them
	vertices := 0
	for i, k := range s.Kinds {
		_, own[i] = s.Boxes[i].AllPorts()
		first[i+1] = first[i] + k.Count*len(own[i])
		vertices = max(vertices, k.First+k.Count)
	}
	seen := make([]bool, first[len(s.Kinds)])
	used := make([]int32, vertices)
	take := func(v int32, port int) {
		if s.Panel(v) >= 0 {
			return
		}
		kind := topology.KindOf(s.Kinds, int(v))
		ports := len(own[kind])
		if port >= ports {
			return
		}
		if i := first[kind] + (int(v)-s.Kinds[kind].First)*ports + own[kind][port]; !seen[i] {
			seen[i] = true
			used[v]++
		}
	}
	for i := range s.Segments {
		if seg := &s.Segments[i]; seg.Product != cabling.IsTrace {
			take(seg.A, int(seg.PortA))
			take(seg.B, int(seg.PortB))
		}
	}
	return used
}

// stacked puts a stack into order and names its free units.
func stacked(stack []Mounted, units int) []Mounted {
	if rises(stack) {
		slices.Reverse(stack)
	} else {
		slices.SortStableFunc(stack, func(x, y Mounted) int { return cmp.Compare(y.Unit, x.Unit) })
	}
	out := make([]Mounted, 0, len(stack)+1)
	next := units // the highest unit that nothing above takes
	for _, m := range stack {
		if m.Unit > 0 && m.Top() < next {
			out = append(out, Mounted{Unit: m.Top() + 1, Units: next - m.Top(), What: free})
		}
		if m.Unit == 0 && next > 0 {
			out = append(out, Mounted{Unit: 1, Units: next, What: free})
			next = 0
		}
		out = append(out, m)
		if m.Unit > 0 {
			next = min(next, m.Unit-1)
		}
	}
	if next > 0 {
		out = append(out, Mounted{Unit: 1, Units: next, What: free})
	}
	return out
}

// rises reports whether each is above the one before it, as racks are filled: to sort these, the other way round, is
// the most work.
func rises(stack []Mounted) bool {
	for i := 1; i < len(stack); i++ {
		if stack[i].Unit <= stack[i-1].Unit {
			return false
		}
	}
	return true
}

// alike is what racks that are built alike have in common: all but the names of what stands in them, and their weights,
// which differ by the lengths of cables.
func (r *Rack) alike() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %g %g %g %g %.0f", r.Units, r.PowerLimit, r.WeightLimit, r.Width, r.Depth, r.Power)
	for i := range r.Stack {
		m := &r.Stack[i]
		fmt.Fprintf(&b, "|%d %d %d %s %d %s %d %d", m.Kind, m.Unit, m.Units, m.Part, m.Boxes, m.Face, m.Ports, m.Used)
	}
	for i := range r.Entries {
		fmt.Fprintf(&b, "|%s %d %g", r.Entries[i].At(), r.Entries[i].Cables, r.Entries[i].Area)
	}
	return b.String()
}

// Group is racks that share a drawing.
type Group []*Rack

// Groups has a group for each rack or, where they are to be grouped, for all that are built alike: the same parts in
// the same units with as many cables, drawing the same power. The first of a group comes in the order of places.
func Groups(racks []Rack, grouped bool) []Group {
	var out []Group
	at := map[string]int{}
	for i := range racks {
		if grouped {
			key := racks[i].alike()
			if g, ok := at[key]; ok {
				out[g] = append(out[g], &racks[i])
				continue
			}
			at[key] = len(out)
		}
		out = append(out, Group{&racks[i]})
	}
	return out
}
