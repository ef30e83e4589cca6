package cabling

import "github.com/plenum-planner/plenum/catalog"

// cageOptics are the transceivers in the cages of a machine. Cages in which links of the same classes light the same
// transceiver are alike: a number for each cage tells which, so that memory does not follow the links.
type cageOptics struct {
	stateOf []uint32    // of every cage, the index in states; made when the first optic is needed
	states  []cageState // the first is that of empty cages
}

// cageState is what cages hold that are alike.
type cageState struct {
	optic *catalog.Part
	links []litLinks // in the order in which their classes came
	next  []plugging // what one more link has led to
}

// litLinks is how many links of a class light a transceiver.
type litLinks struct {
	class *Tally
	links int
}

// plugging is one more link of a class that lights an optic, and the state in which the cage is then.
type plugging struct {
	class *Tally
	optic *catalog.Part
	to    uint32
}

// plug has one more link of a class light the optic of a cage in a state, and returns the state of the cage then.
func (c *cageOptics) plug(from uint32, class *Tally, optic *catalog.Part) uint32 {
	for _, n := range c.states[from].next {
		if n.class == class && n.optic == optic {
			return n.to
		}
	}
	to := uint32(len(c.states))
	s := cageState{optic: optic, links: append([]litLinks(nil), c.states[from].links...)}
	at := 0
	for at < len(s.links) && s.links[at].class != class {
		at++
	}
	if at == len(s.links) {
		s.links = append(s.links, litLinks{class: class})
	}
	s.links[at].links++
	c.states[from].next = append(c.states[from].next, plugging{class, optic, to})
	c.states = append(c.states, s)
	return to
}

// count fills Tally.Optics and Tally.OpticShares.
func (c *cageOptics) count() {
	cages := make([]int64, len(c.states))
	for _, state := range c.stateOf {
		cages[state]++
	}
	for i := range c.states {
		s := &c.states[i]
		if s.optic == nil || cages[i] == 0 {
			continue
		}
		all := 0
		for _, l := range s.links {
			all += l.links
		}
		for at, l := range s.links {
			if l.class.OpticShares == nil {
				l.class.Optics, l.class.OpticShares = map[*catalog.Part]int64{}, map[*catalog.Part]float64{}
			}
			if at == 0 {
				l.class.Optics[s.optic] += cages[i]
			}
			l.class.OpticShares[s.optic] += float64(cages[i]) * float64(l.links) / float64(all)
		}
	}
}

// plugOptic puts an optic into the cage of a port, unless it is there already or inside the box.
func (w *worker) plugOptic(class *Tally, e *ends, v int32, port uint16, cage int, optic *catalog.Part) {
	if optic.IsBuiltIn() {
		return
	}
	if w.lit.stateOf == nil {
		w.lit = cageOptics{make([]uint32, w.cageCount()), make([]cageState, 1)}
	}
	i := e.cageBase + int64(v-e.first)*int64(e.cages) + int64(cage)
	switch held := w.lit.states[w.lit.stateOf[i]].optic; held {
	case nil:
		w.draw(v, optic.Power)
	case optic:
	default:
		w.s.Violations.Add(RuleOptics, w.s.Label(v, port), "%s and %s in one cage", held.ID, optic.ID)
		return
	}
	w.lit.stateOf[i] = w.lit.plug(w.lit.stateOf[i], class, optic)
}
