package asbuilt

import (
	"context"
	"fmt"
	"slices"
)

// Step is a batch of moves. What it disconnects may be disconnected in any order, then boxes are removed and placed,
// then what it brings is plugged in, in any order.
type Step struct {
	Out   []int32 // cables of the old plan, by their index
	Away  []int32 // boxes that are taken from where they stand, by their index in Difference.Boxes
	Stand []int32 // boxes that are put in their places of the new plan
	In    []int32 // cables of the new plan
	// Paths is how many paths are kept between each two ends, as far as both plans have so many.
	Paths int
	// Capacity is the least share of links that stay up while cables are out, in per cent; see Options.
	Capacity float64
	Cut      []Cut // who has no path meanwhile
}

// Cut is a box without its paths in a network.
type Cut struct {
	Box     int32
	Network string // the fabric, "" of a machine with one topology
}

// stepper plans steps.
type stepper struct {
	*transition
	paths int
	limit float64

	up         []bool // by link
	pending    [2][]int32
	occupied   map[end]int32 // the cable of the old plan that is in a port; -1 for one of the new
	plugged    []int32       // by box: plugged cables that change
	inNewPlace []bool        // by box: it has its place of the new plan, or always had it
	removed    []bool        // no longer where the old plan has it
	blockers   [][]int32
	trunks     [2][]int32 // by cable: old ones, how many changes still use it; new ones, 1 once they lie
	steps      []Step
	below      []int // numbers of steps that leave fewer links than was asked for

	at           [][]int32        // by box, the changes to disconnect
	gone         []bool           // by change: disconnected
	changeOfUnit []int32          // of the old plan, -1 for what stays
	staysLinked  []map[int32]bool // of each network, the boxes that keep a link
}

// planSteps finds the steps from the old plan to the new.
func planSteps(ctx context.Context, t *transition, opt Options) ([]Step, []string, error) {
	s := &stepper{
		transition: t, paths: max(opt.Paths, 1), limit: opt.Capacity, up: make([]bool, len(t.links)),
		occupied: map[end]int32{}, plugged: make([]int32, len(t.boxes)), inNewPlace: make([]bool, len(t.boxes)),
		removed: make([]bool, len(t.boxes)), blockers: blockers(t.boxes),
	}
	t.capacity = newCapacity(t, opt.Capacity, opt.Fabrics)
	for i, l := range t.links {
		if s.up[i] = l.levels[0] != none; s.up[i] {
			t.capacity.set(int32(i), 1)
		}
	}
	s.pending = [2][]int32{t.chains(), t.orderByBox(1)}
	s.index()
	s.trunks = [2][]int32{make([]int32, len(t.inv[0].cables)), make([]int32, len(t.inv[1].cables))}
	for i := range t.changes[0] {
		c := &t.changes[0][i]
		s.count(c, 1)
		for _, k := range c.trunks {
			s.trunks[0][k]++
			s.occupy(&t.inv[0].cables[k], k)
		}
		for _, k := range c.cables {
			s.occupy(&t.inv[0].cables[k], k)
		}
	}
	for v := range t.boxes {
		s.inNewPlace[v] = t.boxes[v].Fate == Kept
	}
	for _, n := range t.networks {
		n.sets = newPartSets()
		for side := range n.before {
			n.before[side] = n.reach(t.links, func(i int32) bool { return t.links[i].levels[side] != none }, n.sets)
		}
		if s.paths > 1 {
			var err error
			if n.flows, err = newFlows(n, t.links, s.paths); err != nil {
				return nil, nil, err
			}
		}
	}
	s.step(nil, s.paths, nil) // what can be had without taking anything out
	for len(s.pending[0]) > 0 || len(s.pending[1]) > 0 {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		left := len(s.pending[0]) + len(s.pending[1])
		s.next()
		for _, n := range s.networks {
			if n.flows != nil && n.flows.over {
				return nil, nil, n.flows.tooMany(n, s.paths)
			}
		}
		if len(s.pending[0])+len(s.pending[1]) == left {
			return nil, nil, fmt.Errorf("asbuilt: no step leads on from step %d", len(s.steps))
		}
	}
	s.step(nil, s.paths, nil) // boxes without cables
	return s.steps, s.shortfall(), nil
}

// index finds changes by box and by unit, and what keeps a link.
func (s *stepper) index() {
	s.at, s.gone = make([][]int32, len(s.boxes)), make([]bool, len(s.changes[0]))
	s.changeOfUnit = slices.Repeat([]int32{-1}, len(s.inv[0].units))
	for i := range s.changes[0] {
		c := &s.changes[0][i]
		s.changeOfUnit[c.unit] = int32(i)
		for _, v := range c.boxes {
			s.at[v] = append(s.at[v], int32(i))
		}
	}
	for _, n := range s.networks {
		linked := map[int32]bool{}
		for _, i := range n.links {
			if l := &s.links[i]; l.levels[0] != none && l.levels[1] != none {
				linked[l.a], linked[l.b] = true, true
			}
		}
		s.staysLinked = append(s.staysLinked, linked)
	}
}

// blockers lists for every box those that stand in its new place.
func blockers(boxes []Box) [][]int32 {
	at := map[string][]int32{}
	for v := range boxes {
		if b := &boxes[v]; b.Fate != Kept && b.From != nil {
			at[b.From.Container] = append(at[b.From.Container], int32(v))
		}
	}
	out := make([][]int32, len(boxes))
	for v := range boxes {
		b := &boxes[v]
		if b.Fate == Kept || b.To == nil {
			continue
		}
		for _, w := range at[b.To.Container] {
			if boxes[w].From.overlaps(b.To) {
				out[v] = append(out[v], w)
			}
		}
	}
	return out
}

// count counts what is plugged into boxes: every change of the old plan counts at each of its boxes.
func (s *stepper) count(c *change, by int32) {
	for _, v := range c.boxes {
		s.plugged[v] += by
	}
}

// occupy notes which cable is in its ports: one of the old plan, or -1 for one of the new.
func (s *stepper) occupy(c *cable, by int32) {
	for _, e := range c.ports {
		s.occupied[e] = by
	}
}

// free frees the ports of a cable.
func (s *stepper) free(c *cable) {
	for _, e := range c.ports {
		delete(s.occupied, e)
	}
}

// step disconnects changes and connects what then fits. Boxes of each network in exempt may lose their paths.
func (s *stepper) step(out []int32, paths int, exempt [][]bool) {
	st := Step{Paths: paths}
	for _, i := range out {
		s.takeOut(i, &st)
	}
	st.Capacity = s.capacity.share()
	for k, n := range s.networks {
		for e, v := range n.ends {
			if exempt != nil && exempt[k] != nil && exempt[k][e] {
				st.Cut = append(st.Cut, Cut{v, n.name})
			}
		}
	}
	if len(out) > 0 {
		s.pending[0] = slices.DeleteFunc(s.pending[0], func(i int32) bool { return s.gone[i] })
	}
	s.moveBoxes(&st)
	s.pending[1] = slices.DeleteFunc(s.pending[1], func(i int32) bool { return s.bringIn(i, &st) })
	slices.Sort(st.Out)
	slices.Sort(st.In)
	if len(st.Out)+len(st.In)+len(st.Away)+len(st.Stand) > 0 {
		s.steps = append(s.steps, st)
	}
}

// takeOut disconnects a change.
func (s *stepper) takeOut(i int32, st *Step) {
	c := &s.changes[0][i]
	s.gone[i] = true
	for _, l := range c.links {
		s.up[l] = false
		s.capacity.set(l, -1)
	}
	for _, k := range c.cables {
		s.free(&s.inv[0].cables[k])
		st.Out = append(st.Out, k)
	}
	for _, k := range c.trunks {
		if s.trunks[0][k]--; s.trunks[0][k] == 0 {
			s.free(&s.inv[0].cables[k])
			st.Out = append(st.Out, k)
		}
	}
	s.count(c, -1)
}

// moveBoxes removes, in step st, the boxes without connected cables that are to leave their places, and places boxes
// whose new places are free.
func (s *stepper) moveBoxes(st *Step) {
	for v := range s.boxes {
		if b := &s.boxes[v]; b.Fate != Kept && b.From != nil && !s.removed[v] && s.plugged[v] == 0 {
			s.removed[v] = true
			st.Away = append(st.Away, int32(v))
		}
	}
	for v := range s.boxes {
		b := &s.boxes[v]
		if s.inNewPlace[v] || b.To == nil || b.From != nil && !s.removed[v] ||
			slices.ContainsFunc(s.blockers[v], func(w int32) bool { return !s.removed[w] }) {
			continue
		}
		s.inNewPlace[v] = true
		st.Stand = append(st.Stand, int32(v))
	}
}

// bringIn connects a change if its boxes stand and its ports are free.
func (s *stepper) bringIn(i int32, st *Step) bool {
	c := &s.changes[1][i]
	cables := s.inv[1].cables
	for _, v := range c.boxes {
		if !s.inNewPlace[v] {
			return false
		}
	}
	taken := func(k int32) bool {
		return slices.ContainsFunc(cables[k].ports, func(e end) bool {
			_, is := s.occupied[e]
			return is
		})
	}
	if slices.ContainsFunc(c.cables, taken) ||
		slices.ContainsFunc(c.trunks, func(k int32) bool { return s.trunks[1][k] == 0 && taken(k) }) {
		return false
	}
	for _, k := range c.trunks {
		if s.trunks[1][k] == 0 {
			s.trunks[1][k] = 1
			s.occupy(&cables[k], -1)
			st.In = append(st.In, k)
		}
	}
	for _, k := range c.cables {
		s.occupy(&cables[k], -1)
		st.In = append(st.In, k)
	}
	for _, l := range c.links {
		s.up[l] = true
		s.capacity.set(l, 1)
	}
	return true
}
