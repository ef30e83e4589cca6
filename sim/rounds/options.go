package rounds

import (
	"errors"
	"fmt"
	"math"
	"runtime"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Mode says how much bandwidth there is to spare.
type Mode string

const (
	// Dense asks a relay before a message is sent to it; the default.
	Dense Mode = "dense"
	// Light sends copies to relays without asking.
	Light Mode = "light"
)

// Destinations says where messages go that Options does not list.
type Destinations string

const (
	// Uniform draws every destination independently; the default.
	Uniform Destinations = "uniform"
	// Permutation shuffles a list that holds every node Load times.
	Permutation Destinations = "permutation"
)

// Message is one message of a given traffic pattern.
type Message struct{ From, To int32 }

// Edge is a link of the graph in one direction. Level is an index into the
// graph's levels.
type Edge struct {
	From, To int32
	Level    int
}

// Options is what to simulate.
type Options struct {
	Topology topology.CLEX // full or bundled
	Mode     Mode          // Dense when left out

	// Load is the number of messages that each node sends.
	Load         int
	Destinations Destinations
	// Destination, if set, is where message m of a node goes, for m from 0 to
	// Load-1. It may be called from several goroutines.
	Destination func(node, m int) int32
	// Messages, if not nil, is all the traffic in place of Load.
	Messages []Message

	// Valiant is the level of the copies within which messages are first sent to
	// a random node (Valiant's trick): 0 for none, the number of levels for the
	// whole machine.
	Valiant int

	// Loss is the chance that a message, copy or request is lost on a link.
	Loss float64
	// Retries is how often a hop above level 1 is repeated when its message was
	// lost. Level 1 always repeats.
	Retries int

	// FailNodes and FailLinks are the probabilities with which each node and each
	// link fails; FailedNodes and FailedLinks are failed besides. A link fails in
	// both directions.
	FailNodes, FailLinks float64
	FailedNodes          []int32
	FailedLinks          []Edge
	// Detours is how often a message that found no way is sent on from a random
	// node of the copy, on each level. 2 when left out; negative for never.
	Detours int

	// Alpha is the time that a round takes, propagation left out.
	Alpha units.Time
	// Wire, if set, is the propagation delay of a link. It may be called from
	// several goroutines, and not for loops, which have no wire. Level is an index
	// into the graph's levels; an edge of a higher level that stays inside a
	// clique is asked for with level 0, whose link it runs beside.
	Wire func(from, to int32, level int) units.Time

	Reading Reading
	Seed    uint64
	// Workers is the number of goroutines, GOMAXPROCS when left out. The result
	// does not depend on it.
	Workers int
	// Progress, if set, is told what is being done.
	Progress func(stage string)
}

// Reading settles what the paper leaves open. The zero value is the reading
// that comes nearest to its tables.
type Reading struct {
	// Copies is the number of relays that a message asks in its first phase
	// after the direct one, and CopyGrowth the factor from phase to phase, up to
	// CopyLimit. Left out: 1 when dense, the natural logarithm of the clique size
	// rounded down when light; no growth; the clique size.
	Copies     int
	CopyGrowth float64
	CopyLimit  int
	// Unbalanced lets every message draw its relays on its own. Otherwise the
	// messages of a node ask different relays, so that no link is asked for two
	// at once.
	Unbalanced bool
	// Handshake counts the two more rounds, and the way to the relay and back,
	// of a request and its answer. The paper's text counts them, its mean rounds
	// do not.
	Handshake bool
	// Subset says who draws the edges that carry one message more.
	Subset Subset
}

// Subset is a reading of "the subset of neighbors receiving one message more
// than the others" on levels above 1.
type Subset uint8

const (
	// OwnSubset: every node draws its own.
	OwnSubset Subset = iota
	// PairSubset: the nodes of a copy whose edges lead to the same copy draw one
	// together.
	PairSubset
)

// maxClique keeps the tables of a clique in memory.
const maxClique = 4096

// OptionsError is what is wrong with Options.
type OptionsError struct{ err error }

func (e *OptionsError) Error() string { return e.err.Error() }
func (e *OptionsError) Unwrap() error { return e.err }

// check refuses options, all that is wrong in one error, and fills in
// defaults.
func (o *Options) check() error {
	var wrong []error
	refuse := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf(format, args...)) }
	g, err := topology.New(o.Topology)
	if err != nil {
		return &OptionsError{err}
	}
	n := topology.Vertices(g)
	if o.Topology.Clique > maxClique {
		refuse("cliques of %d nodes; the most that are simulated are %d", o.Topology.Clique, maxClique)
	}
	switch o.Mode {
	case "":
		o.Mode = Dense
	case Dense, Light:
	default:
		refuse("no mode %q; there are dense, light", o.Mode)
	}
	switch o.Destinations {
	case "":
		o.Destinations = Uniform
	case Uniform, Permutation:
	default:
		refuse("no destinations %q; there are uniform, permutation", o.Destinations)
	}
	switch {
	case o.Messages != nil && (o.Load != 0 || o.Destination != nil):
		refuse("both a list of messages and a load")
	case o.Messages == nil && o.Load < 1:
		refuse("load %d; every node sends at least 1 message", o.Load)
	case o.Messages == nil && int64(o.Load)*int64(n) > math.MaxInt32 || len(o.Messages) > math.MaxInt32:
		refuse("more than %d messages", math.MaxInt32)
	}
	for i, m := range o.Messages {
		if m.From < 0 || int(m.From) >= n || m.To < 0 || int(m.To) >= n {
			refuse("message %d from %d to %d; nodes are from 0 to %d", i, m.From, m.To, n-1)
			break
		}
	}
	if o.Valiant < 0 || o.Valiant > o.Topology.Levels {
		refuse("random nodes within level %d; levels are from 1 to %d", o.Valiant, o.Topology.Levels)
	}
	if !(o.Loss >= 0 && o.Loss < 1) {
		refuse("loss %g; it must be at least 0 and below 1", o.Loss)
	}
	for _, share := range []float64{o.FailNodes, o.FailLinks} {
		if !(share >= 0 && share <= 1) {
			refuse("a failed share of %g; it must be from 0 to 1", share)
		}
	}
	for _, v := range o.FailedNodes {
		if v < 0 || int(v) >= n {
			refuse("failed node %d; nodes are from 0 to %d", v, n-1)
		}
	}
	for _, e := range o.FailedLinks {
		if e.From < 0 || int(e.From) >= n || e.To < 0 || int(e.To) >= n || e.Level < 0 || e.Level >= o.Topology.Levels {
			refuse("failed link from %d to %d on level %d does not exist", e.From, e.To, e.Level)
		}
	}
	if o.Retries < 0 {
		refuse("%d retries", o.Retries)
	}
	if !(o.Alpha >= 0) || o.Alpha > maxAlpha {
		refuse("a hop delay of %g ns; it must be from 0 to %g", float64(o.Alpha), float64(maxAlpha))
	}
	r := &o.Reading
	if r.Copies < 0 || r.CopyLimit < 0 || r.CopyGrowth != 0 && !(r.CopyGrowth >= 1) {
		refuse("copies %d, growing by %g up to %d", r.Copies, r.CopyGrowth, r.CopyLimit)
	}
	if len(wrong) > 0 {
		return &OptionsError{errors.Join(wrong...)}
	}
	if r.Copies == 0 {
		r.Copies = 1
		if o.Mode == Light {
			r.Copies = max(1, int(math.Log(float64(o.Topology.Clique))))
		}
	}
	if r.CopyGrowth == 0 {
		r.CopyGrowth = 1
	}
	if r.CopyLimit == 0 || r.CopyLimit > o.Topology.Clique {
		r.CopyLimit = o.Topology.Clique
	}
	if o.Detours == 0 {
		o.Detours = 2
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	return nil
}

// maxAlpha is a second, so that sums fit.
const maxAlpha units.Time = 1e9

// copies is the number of relays that a message asks in a phase, counted from
// 1.
func (r *Reading) copies(phase int) int {
	k := float64(r.Copies) * math.Pow(r.CopyGrowth, float64(phase-1))
	return int(math.Min(k, float64(r.CopyLimit)))
}
