package packet

import "math"

// Selection says which of several outputs a packet asks for.
type Selection string

const (
	// Idle takes an output that is free, of these the one with room for most
	// packets behind it.
	Idle Selection = "idle"
	// Room takes the output with most room behind it, counted in phits, whether it
	// is free or not; a packet whose choice is busy chooses anew in the next cycle
	// (J. Navaridas et al., Parallel Computing 36, 2010, section 4.1: "when several
	// output ports are feasible, the one with more available credits is selected").
	Room Selection = "room"
)

// moving is what Room needs to know of buffers in which a packet is arriving or
// that one is leaving. It is empty otherwise.
type moving struct {
	lastVC   []uint8 // by channel: virtual channel of the last packet sent
	lastLeft []int64 // by buffer: when its last head began to leave
}

func (e *engine) newMoving() moving {
	p := moving{make([]uint8, e.channels), make([]int64, len(e.buffers))}
	for b := range p.lastLeft {
		p.lastLeft[b] = math.MinInt64 / 2
	}
	return p
}

// askByRoom is askAny for Room: tiers still come one after the other.
func (e *engine) askByRoom(port, b int32) (asked bool, when int64) {
	buf := &e.buffers[b]
	for tier := uint8(0); tier < 4; tier++ {
		best, vc, more := e.roomiestHop(tier)
		if best >= 0 {
			hop := &e.hops[best]
			e.waitFor(buf, hop.Channel)
			if e.outFree[hop.Channel] > e.now {
				return false, e.now + 1
			}
			e.request(hop.Channel, port, b, vc, hop)
			return true, 0
		}
		if !more {
			break
		}
	}
	if buf.wants < 0 {
		e.waitFor(buf, e.hops[0].Channel)
	}
	return false, math.MaxInt64 // returned room will tell
}

// roomiestHop finds the hop of a tier, and its virtual channel, with most room in
// phits of those with room for the packet; -1 if there is none.
func (e *engine) roomiestHop(tier uint8) (best int, vc uint8, more bool) {
	best = -1
	most, ties := int64(-1), uint32(0)
	for i := range e.hops {
		hop := &e.hops[i]
		if hop.Tier != tier {
			more = more || hop.Tier > tier
			continue
		}
		vcs := e.classes[hop.Class]
		first := e.portOf[hop.Channel] * int32(e.vcs)
		for v := uint8(vcs.From); v < uint8(vcs.To); v++ {
			if e.credits[first+int32(v)] < int32(max(hop.Room, 1)) {
				continue
			}
			switch room := e.phitsFree(hop.Channel, v); {
			case room > most:
				best, vc, most, ties = i, v, room, 1
			case room == most:
				if ties++; e.rng.Uint32N(ties) == 0 {
					best, vc = i, v
				}
			}
		}
	}
	return best, vc, more
}

// phitsFree is the room behind a channel in phits. Of the packet that is being sent
// there only the phits sent so far count, of the one that is leaving only those that
// are left.
func (e *engine) phitsFree(channel int32, vc uint8) int64 {
	b := e.portOf[channel]*int32(e.vcs) + int32(vc)
	free := int64(e.credits[b]) * e.phits
	if unsent := e.outFree[channel] - e.now; unsent > 0 && e.lastVC[channel] == vc {
		free += unsent
	}
	if since := e.now - e.lastLeft[b]; since < int64(e.credit[channel]) {
		free += min(since, e.phits)
	}
	return free
}
