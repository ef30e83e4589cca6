package packet

// seen is the loads of channels as routing functions see those of other routers (routing.LoadUse.Remote): those at the
// end of the cycle before. So nothing depends on which router of a cycle is looked at first, nor on which engine of a
// crew it is of.
type seen struct {
	// loads are those of a cycle, by its parity: what engines read in one is not what they write. They are nil if
	// nobody asks for them.
	loads [2][]int32
	// changed is the channels of an engine whose loads have changed in a cycle, by its parity.
	changed [2][]int32
}

// newSeen is the loads of a network without packets.
func (e *engine) newSeen() seen {
	return seen{loads: [2][]int32{make([]int32, e.channels), make([]int32, e.channels)}}
}

// note has the load of a channel seen in the next cycle.
func (e *engine) note(channel int32) {
	if e.seen.loads[0] != nil {
		e.seen.changed[e.now&1] = append(e.seen.changed[e.now&1], channel)
	}
}

// publish has others see in the next cycle what has changed in this one, and in the one before, of which the next one's
// loads do not know.
func (e *engine) publish() {
	if e.seen.loads[0] == nil {
		return
	}
	next := (e.now + 1) & 1
	for _, changed := range e.seen.changed {
		for _, c := range changed {
			e.seen.loads[next][c] = e.want[c] + max(e.state.Sent[c], 0)
		}
	}
	e.seen.changed[next] = e.seen.changed[next][:0]
}
