package packet

import (
	"cmp"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/diag"
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
	// Wormhole sends phit by phit, into any free room: a packet may lie in
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

// Options of the switches and terminals. The zero value has Run take those of DefaultOptions.
type Options struct {
	// VCs is the number of virtual channels of a port, 64 at most. When 0, it is FairVCs, or as many as the routing
	// needs if these are more: all networks have the same, so that none wins by what its routing happens to need.
	// Needed is as many as the routing needs and no more. Check has the ranges of all numbers.
	VCs int
	// PacketPhits is the length of a packet, 16 when 0.
	PacketPhits int
	// PhitBytes is what a phit carries, 16 bytes when 0.
	PhitBytes int
	// BufferPackets is the packets that the buffer of a virtual channel holds. When
	// 0, it is 4, or more where a link is so long that a single packet stream would
	// wait for returned room. Where VCs is 0 too, and the routing needs more than
	// FairVCs, these share what FairVCs of them would have.
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
	// Pipeline is the cycles that a router takes besides those of waiting and of
	// the link, if Config.Vertex does not say so for each kind.
	Pipeline int
	// Inject and Eject are cycles at the terminals besides those of their links.
	Inject, Eject int
	// NodeLink is the cycles of the link between a terminal that is its own switch and that switch, in each direction;
	// 0 where there is no such link. It has no effect on terminals whose links are in the graph.
	NodeLink int
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

// Values of Options.VCs.
const (
	// FairVCs is the virtual channels of a port where nothing else is asked for.
	FairVCs = 8
	// Needed asks for as many as the routing needs.
	Needed = -1
)

// Config is a run, but for what is sent.
type Config struct {
	Network *routing.Network
	Routing routing.Function
	// Latency is the cycles that a signal takes on each link, in the order of
	// Graph.Links; 1 everywhere when nil. Entries of 0 count as 1.
	Latency []int32
	// Vertex is the cycles that a vertex of each kind, in the order of Graph.Kinds, costs a packet whose path it is on
	// (topology.Charge). When nil, every router takes Options.Pipeline, and end nodes nothing.
	Vertex []int32
	Options
	Seed uint64
	// Cores is how many cores the run may use, one when 0. The result is the same for
	// any number. It takes one where few hops are made in a cycle.
	Cores int
}

// DefaultOptions are those of a run for which nothing else is asked. Numbers that
// stay 0 follow from the network.
func DefaultOptions() Options {
	return Options{
		PacketPhits: 16, PhitBytes: 16, InjectionPackets: 8, Patience: 100_000,
		Switching: CutThrough, Arbiter: Random, Select: Idle,
	}
}

// Switchings are the values of Switching.
func Switchings() []string {
	return []string{string(CutThrough), string(StoreAndForward), string(Wormhole)}
}

// Arbiters are the values of Arbiter.
func Arbiters() []string {
	return []string{string(Random), string(RoundRobin), string(Age), string(Transit)}
}

// Selections are the values of Selection.
func Selections() []string { return []string{string(Idle), string(Room)} }

// withDefaults returns the options with defaults where something is left out, or what is
// wrong.
func (o Options) withDefaults() (Options, error) {
	usual := DefaultOptions()
	o.PacketPhits = cmp.Or(o.PacketPhits, usual.PacketPhits)
	o.PhitBytes = cmp.Or(o.PhitBytes, usual.PhitBytes)
	o.InjectionPackets = cmp.Or(o.InjectionPackets, usual.InjectionPackets)
	o.Patience = cmp.Or(o.Patience, usual.Patience)
	o.Switching = cmp.Or(o.Switching, usual.Switching)
	o.Arbiter = cmp.Or(o.Arbiter, usual.Arbiter)
	o.Select = cmp.Or(o.Select, usual.Select)
	return o, o.Check()
}

// Check says what is wrong with the options by themselves, as diag.FieldErrors. A
// field is taken as it is, where Run takes one that is left out for its default.
func (o Options) Check() error {
	var wrong diag.FieldErrors
	inRange(&wrong, "VCs", o.VCs, Needed, 64)
	inRange(&wrong, "PacketPhits", o.PacketPhits, 1, 1<<16)
	inRange(&wrong, "PhitBytes", o.PhitBytes, 1, 1<<16)
	inRange(&wrong, "BufferPackets", o.BufferPackets, 0, 1<<20)
	inRange(&wrong, "BufferPhits", o.BufferPhits, 0, 1<<30)
	inRange(&wrong, "InjectionPackets", o.InjectionPackets, 1, 1<<20)
	inRange(&wrong, "Pipeline", o.Pipeline, 0, 1<<16)
	inRange(&wrong, "Inject", o.Inject, 0, 1<<16)
	inRange(&wrong, "Eject", o.Eject, 0, 1<<16)
	inRange(&wrong, "NodeLink", o.NodeLink, 0, 1<<16)
	inRange(&wrong, "Patience", o.Patience, 1, math.MaxInt32)
	oneOf(&wrong, "Switching", "switching", string(o.Switching), Switchings())
	switch o.Switching {
	case Wormhole:
		if o.BufferPhits > 0 && o.BufferPackets > 0 {
			wrong.Add("BufferPhits", "buffers of %d packets and of %d phits; give one of them", o.BufferPackets,
				o.BufferPhits)
		}
		if most := math.MaxInt32 / max(o.PacketPhits, 1); max(o.BufferPackets, o.InjectionPackets) > most {
			wrong.Add("PacketPhits", "a buffer holds 2^31-1 phits at most, %d packets of %d phits", most, o.PacketPhits)
		}
	case CutThrough, StoreAndForward:
		if o.BufferPhits > 0 {
			wrong.Add("BufferPhits", "buffers in phits go with %s only; %s needs room for whole packets", Wormhole,
				o.Switching)
		}
		if o.SharedBuffers {
			wrong.Add("SharedBuffers", "sharing buffers is a choice of %s only; with %s packets always share", Wormhole,
				o.Switching)
		}
	}
	oneOf(&wrong, "Arbiter", "arbiter", string(o.Arbiter), Arbiters())
	oneOf(&wrong, "Select", "selection", string(o.Select), Selections())
	return wrong.Err()
}

// oneOf refuses a word that is none of those known.
func oneOf(wrong *diag.FieldErrors, field, what, word string, known []string) {
	if !slices.Contains(known, word) {
		wrong.Add(field, "no %s %q\n%s", what, word, diag.Suggest(word, known, "there are "))
	}
}

// inRange refuses a number out of its range.
func inRange(wrong *diag.FieldErrors, field string, v, least, most int) {
	if v < least || v > most {
		wrong.Add(field, "must be from %d to %d, not %d", least, most, v)
	}
}

// Check says what is wrong with a configuration, fields of which are named by
// diag.FieldErrors. It returns the smallest buffer
// between switches, as Result does, and warnings.
func Check(cfg Config) (buffer Buffer, warnings []string, err error) {
	e, err := planEngine(cfg)
	if err != nil {
		return Buffer{}, nil, err
	}
	buffer, warnings = e.smallestBuffer()
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
	// Progress, if set, receives from time to time how many cycles of how many have been simulated, those of all runs
	// of FindSaturation. How many there are to be is an estimate, as nobody knows when a network is stationary.
	Progress func(cycles, of int64)
}

// least is the fewest cycles of a run.
func (m Measurement) least() int64 {
	return int64(*m.Warmup) + int64(min(m.Checks, settledChecks)*m.Check) + int64(m.Batches)*int64(m.Batch)
}

// Measurement says how long an open loop runs. The zero value is the procedure of
// J. Navaridas et al., Parallel Computing 36, 2010, section 5.1: 30,000 cycles,
// then batches of 1,000 until the accepted load of four in a row lies within 5 %,
// then 10 batches of 5,000.
type Measurement struct {
	Warmup  *int // cycles, 30,000 when nil; 1e9 at most
	Check   int  // cycles of a batch of the warm-up, 1,000 when 0; 1e9 at most
	Checks  int  // batches of the warm-up at most, 100 when 0; a million at most
	Batches int  // measured, 10 when 0; a million at most
	Batch   int  // cycles of each, 5,000 when 0; 1e9 at most, also of all together
	// Tolerance is the width of the last interval of FindSaturation, as a share of
	// its upper end, above 0 and below 1; 0.01 when 0.
	Tolerance float64
}

// Most cycles and batches of a run.
const (
	maxCycles  = 1_000_000_000
	maxBatches = 1_000_000
)

// DefaultMeasurement is the zero Measurement, written out.
func DefaultMeasurement() Measurement {
	return Measurement{Warmup: new(30_000), Check: 1_000, Checks: 100, Batches: 10, Batch: 5_000, Tolerance: 0.01}
}

// Least is how many cycles are simulated at least, without the checks of the warm-up; 0 of a measurement that Validate
// refuses.
func (m Measurement) Least() int64 {
	m, err := m.withDefaults()
	if err != nil {
		return 0
	}
	return int64(*m.Warmup) + int64(m.Batches)*int64(m.Batch)
}

// withDefaults returns the measurement with defaults where something is left out, or what
// is wrong.
func (m Measurement) withDefaults() (Measurement, error) {
	usual := DefaultMeasurement()
	if m.Warmup == nil {
		m.Warmup = usual.Warmup
	}
	m.Check, m.Checks = cmp.Or(m.Check, usual.Check), cmp.Or(m.Checks, usual.Checks)
	m.Batches, m.Batch = cmp.Or(m.Batches, usual.Batches), cmp.Or(m.Batch, usual.Batch)
	m.Tolerance = cmp.Or(m.Tolerance, usual.Tolerance)
	return m, m.Validate()
}

// Validate says what is wrong, as diag.FieldErrors. A field is taken as it is, where
// Run takes one that is left out for its default.
func (m Measurement) Validate() error {
	var wrong diag.FieldErrors
	if m.Warmup != nil {
		inRange(&wrong, "Warmup", *m.Warmup, 0, maxCycles)
	}
	inRange(&wrong, "Check", m.Check, 1, maxCycles)
	inRange(&wrong, "Checks", m.Checks, 1, maxBatches)
	inRange(&wrong, "Batches", m.Batches, 1, maxBatches)
	inRange(&wrong, "Batch", m.Batch, 1, maxCycles)
	if wrong == nil && m.Batches > maxCycles/m.Batch {
		wrong.Add("Batches", "%d batches of %d cycles; a run measures %d cycles at most, %d of such batches", m.Batches,
			m.Batch, maxCycles, maxCycles/m.Batch)
	}
	if !(m.Tolerance > 0 && m.Tolerance < 1) {
		wrong.Add("Tolerance", "must be above 0 and below 1, not %g", m.Tolerance)
	}
	return wrong.Err()
}
