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
	choose func(f *twoPhase, h *Header, at int32, look *Look) int32
	// via draws an intermediate.
	via       func(h *Header, look *Look) int32
	threshold int
	looks     bool // the choice depends on loads
	far       bool // on those of other routers too
	// again lets packets on their minimal path choose once more at every router
	// for which it holds.
	again func(h *Header, at int32) bool
	// climb chooses the rest of the way to the intermediate anew at every router on
	// it, in later dimensions only than the packet has moved in.
	climb func(h *Header, at int32, look *Look) int32
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
func (f *twoPhase) single() bool { return Single(f.inner) }

func (f *twoPhase) hops(from, to int32) int {
	if c, ok := f.inner.(counter); ok {
		return c.hops(from, to)
	}
	return 1
}

func (f *twoPhase) Arrive(h *Header, at int32, look *Look) {
	switch {
	case h.Last < 0:
		f.inner.Arrive(h, at, look)
		if at != h.Dst {
			f.turn(h, f.choose(f, h, at, look), false)
		}
	case f.again != nil && h.Phase == 0 && h.Goal == h.Dst && at != h.Dst && f.again(h, at):
		f.turn(h, f.choose(f, h, at, look), true)
	case f.climb != nil && h.Phase == 0 && h.Goal != h.Dst:
		h.Goal = f.climb(h, at, look)
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

// leg makes a header what the inner function sees of it.
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

func (f *twoPhase) Next(h *Header, at int32, look *Look, hops []Hop) []Hop {
	whole := *h // a header of its own would be allocated for every call
	f.leg(h)
	from := len(hops)
	hops = f.inner.Next(h, at, look, hops)
	*h = whole
	for i := from; i < len(hops); i++ {
		hops[i].Class += h.Phase * uint8(f.inner.Classes())
	}
	return hops
}

// anyRouter draws the intermediate from all routers that carry terminals.
func anyRouter(n *Network) func(*Header, *Look) int32 {
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
	return func(_ *Header, look *Look) int32 { return all[look.draw(len(all))] }
}

// valiant always takes the intermediate.
func valiant(f *twoPhase, h *Header, _ int32, look *Look) int32 { return f.via(h, look) }

// ugalLocal takes the intermediate if that seems faster from here: the queue of the
// first channel, with the packet itself, times hops (A. Singh, "Load-balanced
// routing in interconnection networks", Stanford 2005, section 4: UGAL; J. Kim et
// al., ISCA 2008, section 4: UGAL-L).
func ugalLocal(f *twoPhase, h *Header, at int32, look *Look) int32 {
	via := f.via(h, look)
	if via == h.Dst || via == at {
		return -1
	}
	minimal := (f.first(at, h.Dst, h, look) + 1) * f.hops(at, h.Dst)
	other := (f.first(at, via, h, look) + 1) * (f.hops(at, via) + f.hops(via, h.Dst))
	if minimal <= other+f.threshold {
		return -1
	}
	return via
}

// ugalGlobal compares the queues of all channels of the two paths: UGAL-G, which
// no router could know.
func ugalGlobal(f *twoPhase, h *Header, at int32, look *Look) int32 {
	via := f.via(h, look)
	if via == h.Dst || via == at {
		return -1
	}
	q0, n0 := f.path(at, h.Dst, h, look)
	q1, n1 := f.path(at, via, h, look)
	q2, n2 := f.path(via, h.Dst, h, look)
	if q0+n0 <= q1+q2+n1+n2+f.threshold {
		return -1
	}
	return via
}

// first is the least load of the channels that a packet could leave by.
func (f *twoPhase) first(at, to int32, h *Header, look *Look) int {
	whole := *h
	*h = Header{Src: at, Dst: to, Goal: to, Last: -1, Marks: h.Marks}
	best := -1
	next := f.inner.Next(h, at, look, look.scratch())
	for _, hop := range next {
		if load := look.load(hop.Channel); best < 0 || load < best {
			best = load
		}
	}
	look.keep(next)
	*h = whole
	return max(best, 0)
}

// path adds up the loads of a path.
func (f *twoPhase) path(at, to int32, h *Header, look *Look) (load, hops int) {
	whole := *h
	*h = Header{Src: at, Dst: to, Goal: to, Last: -1, Marks: h.Marks}
	for at != to && hops < 64 {
		next := f.inner.Next(h, at, look, look.scratch())
		look.keep(next)
		if len(next) == 0 {
			break
		}
		load += look.load(next[0].Channel)
		h.Take(next[0])
		at = f.net.To[next[0].Channel]
		hops++
	}
	*h = whole
	return load, hops
}
