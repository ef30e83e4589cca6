package traffic

import "math/rand/v2"

// Pattern draws the destinations of open-loop traffic. Terminals are numbered
// from 0 in the order of the vertices that inject (roles topology.Node and
// topology.Terminal). A Pattern is not changed by use: many goroutines may ask
// it at once, each with a source of random numbers of its own.
type Pattern interface {
	// Destination returns the terminal to which terminal src sends its next
	// message, or -1 if src sends nothing at all. Whether src sends is the same
	// for every call. A fixed pattern takes no random numbers. The destination
	// may be src itself only where the definition of the pattern says so.
	Destination(src int32, r *rand.Rand) int32
}

// Message is a message of a closed loop. Its ends are tasks; a placement says on
// which terminals they run.
type Message struct {
	// ID is different for every message of a run, at least 0, and follows the
	// order in which a workload emits its messages: the first is 0.
	ID int64
	// Src and Dst are the tasks that send and receive. They are never the same.
	Src, Dst int32
	// Bytes is the length, at least 1. The network splits it into packets.
	Bytes int32
	// Delay is the time in cycles between the emission of the message and its
	// joining the queue of its sender, at least 0. It stands for computation
	// and for the start times of a trace; the synthetic workloads leave it 0.
	Delay int64
	// Tag belongs to the workload. A network hands it back unchanged.
	Tag int64
}

// Workload is a closed loop: a set of messages to begin with, and messages
// that are released as others arrive. It ends when all messages have been
// delivered. A Workload is used for one run, by one goroutine.
type Workload interface {
	// Tasks is the number of tasks. They are numbered from 0.
	Tasks() int
	// Start emits the messages that are free to go at cycle 0. Messages of one
	// task enter the network in the order in which they are emitted, unless
	// their Delay says otherwise.
	Start(emit func(Message))
	// Delivered takes note that the last byte of m has reached m.Dst, and emits
	// the messages that this releases. Each message is delivered exactly once.
	// Messages emitted during one call may have different senders.
	Delivered(m Message, emit func(Message))
}
