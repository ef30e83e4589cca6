package routing

// twoPhase sends packets to an intermediate router and from there to their
// destination, each leg by an inner function with classes of its own (L. G.
// Valiant, "A scheme for fast parallel communication", SIAM J. Computing 11,
// 1982). The choice at the source says which intermediate, or none.
//
// No deadlock: the classes of the second leg are waited for by packets of both
// legs, those of the first leg by packets of the first only; within a leg the
// inner function has no cycle.
type twoPhase struct {
	name   string
	net    *Network
	inner  Function
	choose choice
	// via draws an intermediate.
	via       func(h *Header, state *State) int32
	threshold int
	loads     LoadUse // by the choice
	// again lets packets on their minimal path choose once more at every router
	// for which it holds.
	again func(h *Header, at int32) bool
	// climb chooses the rest of the way to the intermediate anew at every router on
	// it, in later dimensions only than the packet has moved in.
	climb func(h *Header, at int32, state *State) int32
}

// choice returns the intermediate of a packet, -1 for none.
type choice func(f *twoPhase, h *Header, at int32, state *State) int32

// choices are those of the functions with one intermediate, by name, and what loads are to them.
var choices = map[string]struct {
	choose choice
	loads  LoadUse
}{
	"valiant": {valiant, LoadUse{}},
	"ugal-l":  {ugal(localCosts), LoadUse{Read: true}},
	"ugal-g":  {ugal(globalCosts), LoadUse{Read: true, Remote: true}},
	"par":     {ugal(localCosts), LoadUse{Read: true}},
}

// newTwoPhase makes the function of a name on an inner one.
func newTwoPhase(
	n *Network, name string, inner Function, via func(h *Header, state *State) int32, opt Options,
) *twoPhase {
	c := choices[name]
	return &twoPhase{
		name: name, net: n, inner: inner, via: via, threshold: opt.Threshold, choose: c.choose, loads: c.loads,
	}
}

func (f *twoPhase) Name() string { return f.name }

// legs is 2, and 3 if a packet may leave its minimal path under way.
func (f *twoPhase) legs() int {
	if f.again != nil {
		return 3
	}
	return 2
}

func (f *twoPhase) Classes() int { return f.legs() * f.inner.Classes() }

// SinglePath implements the interface of that name.
func (f *twoPhase) SinglePath() bool { return IsSinglePath(f.inner) }

// LoadUse implements LoadAware.
func (f *twoPhase) LoadUse() LoadUse { return f.loads }

// legHops counts the hops of a leg; all count as one where the inner function does not know.
func (f *twoPhase) legHops(from, to int32) int {
	if c, ok := f.inner.(HopCounter); ok {
		return c.HopCount(from, to)
	}
	return 1
}

func (f *twoPhase) Arrive(h *Header, at int32, state *State) {
	switch {
	case h.Last < 0:
		f.inner.Arrive(h, at, state)
		if at != h.Dst {
			f.turn(h, f.choose(f, h, at, state), false)
		}
	case f.again != nil && h.Phase == 0 && h.Goal == h.Dst && at != h.Dst && f.again(h, at):
		f.turn(h, f.choose(f, h, at, state), true)
	case f.climb != nil && h.Phase == 0 && h.Goal != h.Dst:
		h.Goal = f.climb(h, at, state)
		if h.Goal == h.Dst {
			h.Turn = h.Hops
			h.Phase++
		}
	}
	if at == h.Goal && h.Goal != h.Dst {
		h.Goal, h.Turn = h.Dst, h.Hops
		h.Phase++
	}
}

// turn sends a packet to an intermediate.
func (f *twoPhase) turn(h *Header, via int32, late bool) {
	if via < 0 || via == h.Dst {
		return
	}
	h.Goal = via
	if late {
		h.Phase++
		h.Turn = h.Hops
	}
}

// leg changes a header to what the inner function sees of it: one that begins where the present leg does.
func (f *twoPhase) leg(h *Header) {
	if h.Phase == 0 {
		return
	}
	h.Hops -= h.Turn
	if h.Hops == 0 {
		h.Last, h.Class = -1, 0
	} else {
		h.Class -= h.Phase * uint8(f.inner.Classes())
	}
}

func (f *twoPhase) Next(h *Header, at int32, state *State, hops []Hop) []Hop {
	whole := *h // a header of its own would be allocated for every call
	f.leg(h)
	from := len(hops)
	hops = f.inner.Next(h, at, state, hops)
	*h = whole
	for i := from; i < len(hops); i++ {
		hops[i].Class += h.Phase * uint8(f.inner.Classes())
	}
	return hops
}

// ViaAny reports whether f sends every packet by way of a router that is drawn from all with terminals, each with the
// same chance, and returns the function of both legs; nil and false for all others, valiant of a dragonfly among them.
func ViaAny(f Function) (leg Function, ok bool) {
	t, ok := f.(*twoPhase)
	if !ok || t.name != "valiant" || isDragonfly(t.net) || t.net.Ends != nil {
		return nil, false
	}
	return t.inner, true
}

// anyRouter draws the intermediate from all routers that carry terminals.
func anyRouter(n *Network) func(*Header, *State) int32 {
	var all []int32
	seen := make([]bool, n.Routers())
	for _, r := range n.Home {
		if r >= 0 && !seen[r] && (n.Ends == nil || !n.Ends[r]) {
			seen[r] = true
			all = append(all, r)
		}
	}
	if len(all) == 0 { // terminals on several switches each
		for r := range n.Routers() {
			if n.Ends == nil || !n.Ends[r] {
				all = append(all, int32(r))
			}
		}
	}
	return func(_ *Header, state *State) int32 { return all[state.draw(len(all))] }
}

// valiant always takes the intermediate.
func valiant(f *twoPhase, h *Header, _ int32, state *State) int32 { return f.via(h, state) }

// ugal takes the intermediate if that costs less than the minimal path by more than the threshold, in packets times
// hops (A. Singh, "Load-balanced routing in interconnection networks", Stanford 2005, section 4: UGAL).
func ugal(costs func(f *twoPhase, h *Header, at, via int32, state *State) (minimal, other int)) choice {
	return func(f *twoPhase, h *Header, at int32, state *State) int32 {
		via := f.via(h, state)
		if via == h.Dst || via == at {
			return -1
		}
		if minimal, other := costs(f, h, at, via, state); minimal <= other+f.threshold {
			return -1
		}
		return via
	}
}

// localCosts is what can be seen from here: the queue of the first channel, with the packet itself, times hops (J. Kim
// et al., ISCA 2008, section 4: UGAL-L).
func localCosts(f *twoPhase, h *Header, at, via int32, state *State) (minimal, other int) {
	minimal = (f.first(at, h.Dst, h, state) + 1) * f.legHops(at, h.Dst)
	other = (f.first(at, via, h, state) + 1) * (f.legHops(at, via) + f.legHops(via, h.Dst))
	return minimal, other
}

// globalCosts adds up the queues of all channels of the two paths: UGAL-G, which no router could know. Those of other
// routers are from before this time.
func globalCosts(f *twoPhase, h *Header, at, via int32, state *State) (minimal, other int) {
	q0, n0 := f.path(at, at, h.Dst, h, state)
	q1, n1 := f.path(at, at, via, h, state)
	q2, n2 := f.path(at, via, h.Dst, h, state)
	return q0 + n0, q1 + q2 + n1 + n2
}

// first is the least load of the channels that a packet could leave by.
func (f *twoPhase) first(at, to int32, h *Header, state *State) int {
	whole := *h
	*h = Header{Src: at, Dst: to, Goal: to, Last: -1, Marks: h.Marks}
	best := -1
	next := f.inner.Next(h, at, state, state.scratch())
	for _, hop := range next {
		if load := state.load(hop.Channel); best < 0 || load < best {
			best = load
		}
	}
	state.keep(next)
	*h = whole
	return max(best, 0)
}

// path adds up the loads of a path, as a router sees them.
func (f *twoPhase) path(from, at, to int32, h *Header, state *State) (load, hops int) {
	whole := *h
	*h = Header{Src: at, Dst: to, Goal: to, Last: -1, Marks: h.Marks}
	for at != to && hops < 64 {
		next := f.inner.Next(h, at, state, state.scratch())
		state.keep(next)
		if len(next) == 0 {
			break
		}
		if at == from {
			load += state.load(next[0].Channel)
		} else {
			load += state.loadSeen(next[0].Channel)
		}
		h.Take(next[0])
		at = f.net.To[next[0].Channel]
		hops++
	}
	*h = whole
	return load, hops
}
