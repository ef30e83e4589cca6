package packet

// wheel holds what happens in the next cycles.
type wheel struct {
	mask    int64
	base    int32     // its first router
	words   int       // of a row of wakes
	wakes   []uint64  // routers to look at, by cycle
	woken   []bool    // whether there are any, by cycle
	credits [][]int32 // buffers that a packet has left, by cycle
	heads   [][]int32 // buffers whose head may go on, by cycle
	ports   [][]int32 // input ports that may send again, by cycle
	calls   [][]int32 // terminals to look at, by cycle
	calling []int32   // those that are looked at: room for more
	due     []int64   // by terminal: when, -1 if it is in no list
	arrived [][]int32 // messages whose last packet arrives, by cycle
}

func (w *wheel) build(longest int64, routers [2]int32, terminals int) {
	slots := int64(64)
	for slots < longest+1 {
		slots *= 2
	}
	w.mask = slots - 1
	w.base = routers[0]
	w.words = int(routers[1]-routers[0]+63) / 64
	w.wakes, w.woken = make([]uint64, int(slots)*w.words), make([]bool, slots)
	w.credits, w.heads, w.ports, w.calls = lists(slots), lists(slots), lists(slots), lists(slots)
	w.arrived = make([][]int32, slots)
	w.due = make([]int64, terminals)
	for t := range w.due {
		w.due[t] = -1
	}
}

// lists is an empty list for each cycle, with some room, so that short ones do not grow for long.
func lists(slots int64) [][]int32 {
	room := min(8, 1<<16/slots)
	block := make([]int32, slots*room)
	out := make([][]int32, slots)
	for i := range slots {
		out[i] = block[i*room : i*room : (i+1)*room]
	}
	return out
}

// wake has a router looked at in a cycle.
func (w *wheel) wake(router int32, at int64) {
	slot := at & w.mask
	router -= w.base
	w.wakes[int(slot)*w.words+int(router>>6)] |= 1 << (router & 63)
	w.woken[slot] = true
}

// call has a terminal looked at in a cycle, unless it is to be looked at already.
func (w *wheel) call(terminal int32, at int64) {
	if w.due[terminal] >= 0 {
		return
	}
	slot := at & w.mask
	w.due[terminal] = at
	w.calls[slot] = append(w.calls[slot], terminal)
}
