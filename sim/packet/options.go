package packet

import (
	"errors"
	"fmt"
	"math"

	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/sim/traffic"
)

// Switching says when a packet may go on.
type Switching string

const (
	// CutThrough lets a packet go on when its first phit has come and the next
	// buffer has room for all of it.
	CutThrough Switching = "virtual-cut-through"
	// StoreAndForward waits for its last phit.
	StoreAndForward Switching = "store-and-forward"
	// Wormhole sends phit by phit, into whatever room there is: a packet may lie in
	// several buffers. It holds each virtual channel until its last phit has passed
	// (W. J. Dally, "Virtual-channel flow control", IEEE TPDS 3 (2), 1992). It is
	// refused for routing functions that may then deadlock (routing.Wormhole).
	Wormhole Switching = "wormhole"
)

// Arbiter says which of several packets gets an output port.
type Arbiter string

// The arbiters.
const (
	Random     Arbiter = "random"      // each with the same chance
	RoundRobin Arbiter = "round-robin" // the next input port after the last that was served
	Age        Arbiter = "age"         // the one made first
	// Transit takes packets from other switches before those from terminals, each
	// with the same chance among its like: a full network takes in no more.
	Transit Arbiter = "transit"
)

// Options of the switches and terminals. The zero value is the default.
type Options struct {
	// VCs is the number of virtual channels, as many as the routing needs when 0;
	// 64 at most.
	VCs int
	// PacketPhits is the length of a packet, 16 when 0.
	PacketPhits int
	// PhitBytes is what a phit carries, 16 bytes when 0.
	PhitBytes int
	// BufferPackets is the packets that the buffer of a virtual channel holds. When
	// 0, it is 4, or more where a link is so long that a single packet stream would
	// wait for returned room.
	BufferPackets int
	// BufferPhits is the phits that it holds instead, under Wormhole only; it may be
	// less than a packet.
	BufferPhits int
	// InjectionPackets is the same for the inputs of terminals that are their own
	// switches, 8 when 0.
	InjectionPackets int
	Switching        Switching // CutThrough when empty
	Arbiter          Arbiter   // Random when empty
	Select           Selection // Idle when empty
	// Pipeline is the cycles that a switch takes besides those of waiting and of
	// the link.
	Pipeline int
	// Inject and Eject are cycles at the terminals besides those of their links.
	Inject, Eject int
	// FreeInputs lets the virtual channels of an input port send at the same time.
	FreeInputs bool
	// SharedBuffers lets a buffer hold phits of several packets, one behind the
	// other, under Wormhole. Otherwise a virtual channel takes the next packet when
	// the buffer behind is known to be empty. The other switchings always share.
	SharedBuffers bool
	// Patience is the cycles without any movement after which a run gives up;
	// 100,000 when 0.
	Patience int
}

// Config is a run, but for what is sent.
type Config struct {
	Network *routing.Network
	Routing routing.Function
	// Latency is the cycles that a signal takes on each link, in the order of
	// Graph.Links; 1 everywhere when nil. Entries of 0 count as 1.
	Latency []int32
	Options
	Seed uint64
	// Cores is how many cores the run may use, one when 0. The result is the same for
	// any number. It takes one under Wormhole, with Room, with UGAL-G, and where few
	// packets are sent in a cycle.
	Cores int
}

// filled returns the options with defaults, or what is wrong.
func (o Options) filled() (Options, error) {
	var found []error
	wrong := func(format string, a ...any) { found = append(found, fmt.Errorf(format, a...)) }
	set := func(v *int, def int) {
		if *v == 0 {
			*v = def
		}
	}
	set(&o.PacketPhits, 16)
	set(&o.PhitBytes, 16)
	set(&o.InjectionPackets, 8)
	set(&o.Patience, 100_000)
	if o.Switching == "" {
		o.Switching = CutThrough
	}
	if o.Arbiter == "" {
		o.Arbiter = Random
	}
	if o.Select == "" {
		o.Select = Idle
	}
	for _, x := range []struct {
		name    string
		v, most int
	}{
		{"virtual channels", o.VCs, 64},
		{"phits of a packet", o.PacketPhits, 1 << 16},
		{"bytes of a phit", o.PhitBytes, 1 << 16},
		{"packets of a buffer", o.BufferPackets, 1 << 20},
		{"phits of a buffer", o.BufferPhits, 1 << 30},
		{"packets of an injection queue", o.InjectionPackets, 1 << 20},
		{"pipeline cycles", o.Pipeline, 1 << 16},
		{"injection cycles", o.Inject, 1 << 16},
		{"ejection cycles", o.Eject, 1 << 16},
		{"cycles of patience", o.Patience, math.MaxInt32},
	} {
		if x.v < 0 || x.v > x.most {
			wrong("packet: %d %s; from 0 to %d", x.v, x.name, x.most)
		}
	}
	switch o.Switching {
	case Wormhole:
		if o.BufferPhits > 0 && o.BufferPackets > 0 {
			wrong("packet: buffers of %d packets and of %d phits; give one of them", o.BufferPackets, o.BufferPhits)
		}
	case CutThrough, StoreAndForward:
		if o.BufferPhits > 0 {
			wrong("packet: buffers in phits go with %s only; %s needs room for whole packets", Wormhole, o.Switching)
		}
		if o.SharedBuffers {
			wrong("packet: sharing buffers is a choice of %s only; with %s packets always share", Wormhole, o.Switching)
		}
	default:
		wrong("packet: no switching %q; there are %s, %s, %s", o.Switching, CutThrough, StoreAndForward, Wormhole)
	}
	switch o.Arbiter {
	case Random, RoundRobin, Age, Transit:
	default:
		wrong("packet: no arbiter %q; there are %s, %s, %s, %s", o.Arbiter, Random, RoundRobin, Age, Transit)
	}
	switch o.Select {
	case Idle, Room:
	default:
		wrong("packet: no selection %q; there are %s, %s", o.Select, Idle, Room)
	}
	return o, errors.Join(found...)
}

// Check says what is wrong with the options by themselves.
func (o Options) Check() error {
	_, err := o.filled()
	return err
}

// Check says what is wrong with a configuration. It returns the smallest buffer
// between switches, as Result does, and warnings.
func Check(cfg Config) (buffer Buffer, warnings []string, err error) {
	e, err := newEngine(cfg)
	if err != nil {
		return Buffer{}, nil, err
	}
	buffer, warnings = e.buffering()
	return buffer, warnings, nil
}

// OpenLoop is traffic that terminals send at a rate.
type OpenLoop struct {
	Pattern traffic.Pattern
	// Load is phits per cycle and terminal, above 0 and at most 1.
	Load float64
	// Sizes is the sizes of messages in phits; one packet when nil.
	Sizes *traffic.Sizes
	// Burst is the mean number of messages of a burst, 0 for Bernoulli arrivals.
	Burst float64
	Measurement
}

// Measurement says how long an open loop runs. The zero value is the procedure of
// J. Navaridas et al., Parallel Computing 36, 2010, section 5.1: 30,000 cycles,
// then batches of 1,000 until the accepted load of four in a row lies within 5 %,
// then 10 batches of 5,000.
type Measurement struct {
	Warmup  int // cycles, 30,000 when 0, none when negative
	Check   int // cycles of a batch of the warm-up, 1,000 when 0
	Checks  int // batches of the warm-up at most, 100 when 0
	Batches int // measured, 10 when 0
	Batch   int // cycles of each, 5,000 when 0
}

func (m Measurement) filled() (Measurement, error) {
	set := func(v *int, def int) {
		if *v == 0 {
			*v = def
		}
	}
	set(&m.Warmup, 30_000)
	set(&m.Check, 1_000)
	set(&m.Checks, 100)
	set(&m.Batches, 10)
	set(&m.Batch, 5_000)
	m.Warmup = max(m.Warmup, 0)
	for _, v := range []int{m.Check, m.Checks, m.Batches, m.Batch} {
		if v < 1 || v > 1<<30 {
			return m, fmt.Errorf("packet: a measurement of %d; from 1 to %d", v, 1<<30)
		}
	}
	return m, nil
}
