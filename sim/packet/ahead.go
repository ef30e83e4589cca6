package packet

import (
	"math/bits"

	"github.com/plenum-planner/plenum/routing"
)

// What a hop looks at of a large network is not in the processor's caches, and each thing tells only where the next one
// is: a port its buffer, a buffer its packet, a packet its output. To look at one packet after the other is to wait for
// memory several times for each. So what many packets need is looked at first, step by step for all of them: reads that
// do not depend on each other are under way at the same time. It has no other effect.

// aheadFrom is the buffers from which on an engine looks ahead, some 8 MB with all that belongs to them: of fewer, most
// is in the caches.
var aheadFrom = 1 << 16

// batch is how many events are looked at ahead: what they need stays in the nearest caches.
const batch = 64

// looksAhead reports whether an engine is to look ahead.
func (e *engine) looksAhead() bool {
	return e.cfg.Switching != Wormhole && len(e.buffers) >= aheadFrom
}

// ahead is what is known of looking ahead.
type ahead struct {
	looks bool
	// decides: the output of a packet is the same in every cycle, and who asks for it draws nothing. Of others,
	// switches are not looked at: where most packets wait for one of several outputs, it takes longer than it saves.
	decides bool
	list    []int32
	table   routing.Tabled // the routing function, if it has a table
	seen    int32          // keeps the reads from being left out
}

// seeRouters looks at what routers of a word of bits have to send, from a first one on, and finds the outputs of
// packets where it does not matter when. It returns the routers that it has looked at.
func (e *engine) seeRouters(first int32, word uint64) (some uint64) {
	e.ahead.list = e.ahead.list[:0]
	seen := int32(0)
	for left := word; left != 0 && len(e.ahead.list) < batch; left &= left - 1 {
		some |= left & -left
		e.listInputs(first + int32(bits.TrailingZeros64(left)))
	}
	list := e.ahead.list[:0]
	for _, b := range e.ahead.list {
		if buf := &e.buffers[b]; buf.ready <= e.now {
			seen += buf.head
			list = append(list, b)
		}
	}
	for _, b := range list {
		seen += e.packets[e.buffers[b].head].Goal
	}
	if e.ahead.table != nil {
		for _, b := range list {
			if buf := &e.buffers[b]; buf.out == noOut {
				seen += e.ahead.table.Look(e.packets[buf.head].Goal, e.inputs[e.perVCs(b)].router)
			}
		}
	}
	for _, b := range list {
		e.decideAhead(b)
	}
	e.ahead.seen += seen + e.seeOutputs(list)
	return some
}

// listInputs lists the buffers with something to send at a router.
func (e *engine) listInputs(r int32) {
	vcs := int32(e.vcs)
	for w := e.firstWord[r]; w < e.firstWord[r+1]; w++ {
		port := e.firstPort[r] + (w-e.firstWord[r])<<6
		for word := e.busyPorts[w]; word != 0; word &= word - 1 {
			i := port + int32(bits.TrailingZeros64(word))
			if e.inputs[i].free > e.now {
				continue
			}
			for mask := e.inputs[i].waiting; mask != 0; mask &= mask - 1 {
				e.ahead.list = append(e.ahead.list, i*vcs+int32(bits.TrailingZeros64(mask)))
			}
		}
	}
}

// seeOutputs looks at the outputs that the heads of buffers wait for, and at the buffers behind these.
func (e *engine) seeOutputs(list []int32) (seen int32) {
	vcs := int32(e.vcs)
	for _, b := range list {
		if out := e.buffers[b].out; out >= 0 {
			seen += e.outputs[out].port + e.credits[out*vcs]
		}
	}
	for _, b := range list {
		if out := e.buffers[b].out; out >= 0 && int(out) < e.channels {
			seen += e.buffers[e.outputs[out].port*vcs+int32(e.buffers[b].lo)].head
		}
	}
	return seen
}

// decideAhead finds the output of a head before it asks for it.
func (e *engine) decideAhead(b int32) {
	buf := &e.buffers[b]
	if buf.out != noOut {
		return
	}
	p := &e.packets[buf.head]
	if p.Last < 0 && !e.undecided {
		return
	}
	e.find(buf, p, e.inputs[e.perVCs(b)].router) // if there is none, it is dropped when it asks
}

// seeTerminals looks at what terminals need to send.
func (e *engine) seeTerminals(terminals []int32) {
	seen, vcs := int32(0), int32(e.vcs)
	streams := e.streams.state[e.net.Routers():]
	for _, t := range terminals {
		out := int32(e.channels) + t
		seen += e.senders[t].dst + e.outputs[out].port + e.credits[out*vcs]
		seen += int32(streams[t]) + int32(e.wheel.due[t])
	}
	for _, t := range terminals {
		if port := e.outputs[e.channels+int(t)].port; port >= 0 {
			seen += e.buffers[port*vcs].head
		}
	}
	e.ahead.seen += seen
}

// drawAhead has terminals draw the messages that they are about to send, and looks at where these go, and at the
// records that they will be in.
func (e *engine) drawAhead(terminals []int32) {
	if e.open == nil {
		return
	}
	for _, t := range terminals {
		if s := &e.senders[t]; s.left == 0 && s.nextMade <= e.now {
			e.nextMessage(t)
		}
	}
	seen := int32(0)
	for _, t := range terminals {
		seen += e.net.Home[e.senders[t].dst]
	}
	for _, i := range e.free[max(len(e.free)-len(terminals), 0):] {
		seen += e.packets[i].next
	}
	e.ahead.seen += seen
}

// seePorts looks at the input ports of buffers.
func (e *engine) seePorts(buffers []int32) {
	seen := int32(0)
	for _, b := range buffers {
		seen += e.inputs[e.perVCs(b)].router
	}
	e.ahead.seen += seen
}

// seeLanes looks at what room is returned to.
func (e *engine) seeLanes(lanes []int32) {
	seen := int32(0)
	for _, lane := range lanes {
		c := e.perVCs(lane)
		seen += e.credits[lane]
		if t := int(c) - e.channels; t >= 0 {
			seen += e.senders[t].left
		} else {
			seen += e.net.From[c]
		}
	}
	e.ahead.seen += seen
}

// seeWinners looks at packets that are about to be sent, and at those behind them.
func (e *engine) seeWinners(outs []int32) {
	seen := int32(0)
	for _, out := range outs {
		seen += e.packets[e.buffers[e.outputs[out].winner].head].next
	}
	e.ahead.seen += seen
}

// seeTransfers looks at the buffers that packets of another engine come into.
func (e *engine) seeTransfers(packets []transfer) {
	seen := int32(0)
	for i := range packets {
		seen += e.buffers[packets[i].buffer].head
	}
	e.ahead.seen += seen
}

// batches calls do for all of a list, and see before that for parts of it if the engine looks ahead.
func batches[T any](looks bool, list []T, see, do func([]T)) {
	if !looks {
		do(list)
		return
	}
	for len(list) > 0 {
		n := min(batch, len(list))
		see(list[:n])
		do(list[:n])
		list = list[n:]
	}
}
