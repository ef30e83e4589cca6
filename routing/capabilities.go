package routing

// What a Function can say of itself besides what Function asks of all. Each is an interface of its own, so that a
// function of another package can offer it too; who does not is taken for the general case, which is always right but
// may be slower, or refused where a proof is asked for. A Function that wraps another one says what holds of both.

// SinglePath is a Function that may leave a packet no choice under way.
type SinglePath interface {
	// SinglePath reports whether Next offers one hop at most everywhere, which does not depend on the state of the
	// network once Arrive has been called.
	SinglePath() bool
}

// IsSinglePath reports whether f offers at most one hop everywhere, which does not change while the packet waits.
func IsSinglePath(f Function) bool {
	s, ok := f.(SinglePath)
	return ok && s.SinglePath()
}

// Stepper is a SinglePath Function that tells its hop without a list of hops, which takes less time.
type Stepper interface {
	// Step is the channel, class and room of the hop that Next offers, which has nothing else; -1 if it offers none.
	Step(h *Header, at int32) (channel int32, class, room uint8)
}

// Steady is a Function whose hops stay the same while a packet waits.
type Steady interface {
	// Steady reports whether all that Next offers a packet at a router is of one tier and one class, asks for no more
	// room than for the packet, marks nothing, and does not depend on the state of the network.
	Steady() bool
}

// IsSteady reports whether what f offers a packet at a router is of one tier and class and stays the same.
func IsSteady(f Function) bool {
	s, ok := f.(Steady)
	return ok && s.Steady()
}

// SourceDecided is a Function whose Arrive may do nothing but at the source.
type SourceDecided interface {
	// SourceDecided reports whether Arrive need be called at the source of a packet only.
	SourceDecided() bool
}

// IsSourceDecided reports whether Arrive need be called at the source of a packet only.
func IsSourceDecided(f Function) bool {
	s, ok := f.(SourceDecided)
	return ok && s.SourceDecided()
}

// Undecided is a Function that decides nothing when a packet comes to a router.
type Undecided interface {
	// Undecided reports whether Arrive does nothing.
	Undecided() bool
}

// IsUndecided reports whether Arrive of f does nothing, at the source of a packet either.
func IsUndecided(f Function) bool {
	u, ok := f.(Undecided)
	return ok && u.Undecided()
}

// Tabled is a Function whose Next reads a table that may be too large for the caches of a processor.
type Tabled interface {
	// Look reads what Next will read for a packet to goal at a router, and returns what it read. It decides nothing:
	// who calls it for many packets before Next for each of them waits for memory once, not for each.
	Look(goal, at int32) int32
}

// LoadUse is what the loads of channels, State.Wait and State.Sent, are to a Function. The zero value is of one that
// does not ask for them.
type LoadUse struct {
	// Read: decisions of Arrive or the hops of Next depend on them.
	Read bool
	// Waiting: the hops of Next do, so that they change while a packet waits.
	Waiting bool
	// Remote: those of channels of other routers than the one that is decided for are read too.
	Remote bool
}

// LoadAware is a Function that may choose by the loads of channels.
type LoadAware interface{ LoadUse() LoadUse }

// LoadUseOf is what loads are to f.
func LoadUseOf(f Function) LoadUse {
	l, ok := f.(LoadAware)
	if !ok {
		return LoadUse{}
	}
	use := l.LoadUse()
	use.Read = use.Read || use.Waiting || use.Remote
	return use
}

// HopCounter is a Function that knows how many hops its paths have.
type HopCounter interface {
	// HopCount is the hops of a path from one router to another on an idle network, -1 if there is none.
	HopCount(from, to int32) int
}

// AdaptiveClass is a Function that is free of deadlocks by one virtual channel for each class but one: the class of
// its adaptive hops, which takes all others that there are (see Split).
type AdaptiveClass interface {
	// AdaptiveClass is that class, -1 if there is none.
	AdaptiveClass() int
}

// BubbleFlow is a Function that may be free of deadlocks by bubble flow control: hops into a ring ask for room for
// two packets, so that a ring never fills up and hops inside it, which ask for one, always become possible.
type BubbleFlow interface{ BubbleFlow() bool }

// IsBubbleFlow reports whether f stands on bubble flow control. It then needs buffers of two packets.
func IsBubbleFlow(f Function) bool {
	b, ok := f.(BubbleFlow)
	return ok && b.BubbleFlow()
}

// CutThroughOnly is a Function that may be free of deadlocks only where a packet that has moved on holds nothing behind
// it, as under virtual cut-through and store-and-forward.
type CutThroughOnly interface {
	// CutThroughOnly is the reason, such as "bubbles are room for whole packets"; empty if there is none.
	CutThroughOnly() string
}

// AtomicBuffers is a Function that may need, to be free of deadlocks under wormhole switching, that a buffer holds
// phits of one packet only: that a virtual channel is given anew when the buffer behind it is empty.
type AtomicBuffers interface{ AtomicBuffers() bool }
