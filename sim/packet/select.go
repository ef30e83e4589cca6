package packet

import (
	"math"

	"github.com/plenum-planner/plenum/routing"
)

// Selection says which of several outputs a packet asks for.
type Selection string

const (
	// Idle takes an output that is free, of these the one behind which the largest
	// share of the buffers is free. Buffers grow with the length of a link, so that
	// by their room packets of an idle network would take the longest link.
	Idle Selection = "idle"
	// Room takes the output behind which the largest share of a buffer is free,
	// counted in phits, whether the output is free or not; a packet whose choice is
	// busy chooses anew in the next cycle (J. Navaridas et al., Parallel Computing
	// 36, 2010, section 4.1: "when several output ports are feasible, the one with
	// more available credits is selected"; there, all buffers are of one size).
	Room Selection = "room"
)

// moving is what Room needs to know of buffers in which a packet is arriving or
// that one is leaving. It is empty otherwise.
type moving struct {
	lastVC []uint8 // by channel: virtual channel of the last packet sent
	// lastLeft is when the last head of the buffer behind a lane of a channel began to leave, as of the end of the
	// cycle before: so nothing depends on which router of a cycle is looked at first, nor on which engine of a crew it
	// is of.
	lastLeft []int64
	// leaving is the lanes from an engine's own routers behind which a head has begun to leave in this cycle.
	leaving []int32
}

func (e *engine) newMoving() moving {
	p := moving{lastVC: make([]uint8, e.channels), lastLeft: make([]int64, e.channels*e.vcs)}
	for b := range p.lastLeft {
		p.lastLeft[b] = math.MinInt64 / 2
	}
	return p
}

// tellLeaving tells the router before an input that a packet begins to leave it: the next cycle sees it.
func (e *engine) tellLeaving(in *input, lane int32) {
	list := &e.leaving
	if in.part != e.number {
		list = &e.to[in.part].leaving[e.now&1]
	}
	if int(in.source) < e.channels {
		*list = append(*list, lane)
	}
}

// seeLeaving takes note of what packets began to leave in a cycle, and empties the list.
func (p *moving) seeLeaving(lanes *[]int32, at int64) {
	for _, lane := range *lanes {
		p.lastLeft[lane] = at
	}
	*lanes = (*lanes)[:0]
}

// tier is what there is of a tier among the hops of a head.
type tier struct {
	hop  int     // to ask for, -1
	vc   uint8   // on which virtual channel
	room float64 // what hop was chosen by: the largest share of buffers that is free
	ties uint32
	busy int32 // channel with room whose output is busy, that fewest wait for; -1
	free int64 // when the first busy output will be free
	more bool  // there are later tiers
}

// weighTier finds the best hop of a tier. For Idle that is one by the free share of its class, if its output is free
// and a virtual channel has room for the packet.
func (e *engine) weighTier(number uint8) tier {
	t := tier{hop: -1, room: math.Inf(-1), busy: -1, free: never}
	for i := range e.hops {
		hop := &e.hops[i]
		if hop.Tier != number {
			t.more = t.more || hop.Tier > number
			continue
		}
		if e.worm != nil {
			e.weighOpen(&t, i)
			continue
		}
		if e.lastLeft != nil {
			e.weighRoom(&t, i)
			continue
		}
		vcs := e.classes[hop.Class]
		v, ok := e.roomiest(hop.Channel, uint8(vcs.From), uint8(vcs.To), int32(max(hop.Room, 1)))
		if !ok {
			continue
		}
		if free := e.outputs[hop.Channel].free; free > e.now {
			t.free = min(t.free, free)
			if t.busy < 0 || e.want[hop.Channel] < e.want[t.busy] {
				t.busy = hop.Channel
			}
			continue
		}
		room := e.roomOf(hop.Channel, vcs) - e.outputs[hop.Channel].asked
		e.offer(&t, i, v, e.share(room, hop.Channel, vcs.To-vcs.From))
	}
	return t
}

// share is the part of so many buffers behind a channel that room for so many cells is: 1 of empty ones, however large.
func (e *engine) share(room int32, channel int32, buffers int) float64 {
	return float64(room) / float64(int64(e.sizes[channel])*int64(buffers))
}

// offer makes a hop the best of its tier if a larger share of buffers is free than behind the others.
// Of equals, each has the same chance.
func (e *engine) offer(t *tier, hop int, vc uint8, room float64) {
	switch {
	case room > t.room:
		t.hop, t.vc, t.room, t.ties = hop, vc, room, 1
	case room == t.room:
		if t.ties++; e.rng.Uint32N(t.ties) == 0 {
			t.hop, t.vc = hop, vc
		}
	}
}

// weighRoom weighs a hop for Room: each virtual channel with room for the packet by its
// phits, whether the output is free or not.
func (e *engine) weighRoom(t *tier, i int) {
	hop := &e.hops[i]
	vcs := e.classes[hop.Class]
	first := hop.Channel * int32(e.vcs)
	for v := uint8(vcs.From); v < uint8(vcs.To); v++ {
		if e.credits[first+int32(v)] >= int32(max(hop.Room, 1)) {
			e.offer(t, i, v, float64(e.phitsFree(hop.Channel, v))/float64(int64(e.sizes[hop.Channel])*e.phits))
		}
	}
}

// weighOpen weighs a hop of a worm: by the free share of its roomiest virtual channel that
// is open, and for Idle by that of the class, where channels that no packet is passing over
// come first.
func (e *engine) weighOpen(t *tier, i int) {
	hop := &e.hops[i]
	vcs := e.classes[hop.Class]
	o := &e.outputs[hop.Channel]
	lane := e.roomiestOpen(hop.Channel, o, o.held, vcs.From, vcs.To)
	if lane < 0 {
		return
	}
	room := e.share(e.credits[lane], hop.Channel, 1)
	if e.cfg.Select == Idle {
		room = e.share(e.roomOf(hop.Channel, vcs), hop.Channel, vcs.To-vcs.From)
		if o.held == 0 {
			room += 2 // more than any share
		}
	}
	e.offer(t, i, uint8(lane-hop.Channel*int32(e.vcs)), room)
}

// roomOf is the room of a class on a channel.
func (e *engine) roomOf(channel int32, vcs routing.Range) int32 {
	credits := e.credits[int(channel)*e.vcs:]
	sum := int32(0)
	for v := vcs.From; v < vcs.To; v++ {
		sum += credits[v]
	}
	return sum
}

// phitsFree is the room behind a channel in phits. Of the packet that is being sent
// there only the phits sent so far count, of the one that is leaving only those that
// are left.
func (e *engine) phitsFree(channel int32, vc uint8) int64 {
	o, lane := &e.outputs[channel], channel*int32(e.vcs)+int32(vc)
	free := int64(e.credits[lane]) * e.phits
	if unsent := o.free - e.now; unsent > 0 && e.lastVC[channel] == vc {
		free += unsent
	}
	since := e.now - e.lastLeft[lane]
	if since < int64(e.inputs[o.port].credit) {
		free += min(since, e.phits)
	}
	return free
}
