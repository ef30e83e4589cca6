package rounds

import (
	"cmp"
	"math"
	"runtime"
	"slices"

	"github.com/plenum-planner/plenum/diag"
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
	// Capacity is the capacity of the links of levels above level1, by name: the messages that a link carries in a
	// round in each direction. A level that it does not name has the paper's: the clique size in the bundled form, else
	// 1.
	Capacity map[string]int
	Mode     Mode // Dense when left out

	// Load is the number of messages that each node sends; of all nodes together,
	// 2^31-1 at most.
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
	// lost, 1,000,000 at most, like Detours. Level 1 always repeats.
	Retries int

	// FailNodes and FailLinks are the probabilities with which each node and each
	// link fails; FailedNodes and FailedLinks are failed besides. A link fails in
	// both directions.
	FailNodes, FailLinks float64
	FailedNodes          []int32
	FailedLinks          []Edge
	// Detours is how often a message that found no way is sent on from a random
	// node of the copy, on each level. 2 when nil.
	Detours *int

	// Alpha is the time that a round takes, propagation left out; a second at most.
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
	// Progress, if set, receives what is being done.
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
}

// maxClique keeps the tables of a clique in memory.
const maxClique = 4096

// Most of what can be asked for.
const (
	maxRepeats  = 1_000_000       // retries, and detours on a level
	maxAlpha    = units.Time(1e9) // a second, so that sums fit
	maxMessages = math.MaxInt32   // of a run, whose messages are numbered by 32 bits
	maxMemory   = int64(100e9)    // bytes of a run
	maxLooks    = 1e12            // at messages that wait, in all phases of a level: some hours
)

// DefaultOptions is what is simulated when nothing else is asked for. A Topology
// must be set.
func DefaultOptions() Options {
	return Options{
		Mode: Dense, Load: 1, Destinations: Uniform, Detours: new(2), Seed: 1,
		Alpha:   100, // of the catalog's generic nodes
		Reading: Reading{CopyGrowth: 1},
	}
}

// Modes are the values of Mode.
func Modes() []string { return []string{string(Dense), string(Light)} }

// PlacesToGo are the values of Destinations.
func PlacesToGo() []string { return []string{string(Uniform), string(Permutation)} }

// Check says what is wrong with options, as diag.FieldErrors: all that is known without the topology if it has not been
// set. A field is taken as it is, where Run takes one that is left out for its default.
func (o *Options) Check() error {
	var wrong diag.FieldErrors
	oneOf(&wrong, "Mode", "mode", string(o.Mode), Modes())
	oneOf(&wrong, "Destinations", "destinations", string(o.Destinations), PlacesToGo())
	switch {
	case o.Messages != nil && (o.Load != 0 || o.Destination != nil):
		wrong.Add("Messages", "both a list of messages and a load")
	case o.Messages == nil:
		inRange(&wrong, "Load", o.Load, 1, maxMessages)
	case len(o.Messages) > maxMessages:
		wrong.Add("Messages", "more than %d messages", maxMessages)
	}
	if o.Valiant < 0 {
		wrong.Add("Valiant", "random nodes within level %d; 0 is for none", o.Valiant)
	}
	if !(o.Loss >= 0 && o.Loss < 1) {
		wrong.Add("Loss", "must be at least 0 and below 1, not %g: everything cannot be lost", o.Loss)
	}
	share(&wrong, "FailNodes", o.FailNodes)
	share(&wrong, "FailLinks", o.FailLinks)
	inRange(&wrong, "Retries", o.Retries, 0, maxRepeats)
	if o.Detours != nil {
		inRange(&wrong, "Detours", *o.Detours, 0, maxRepeats)
	}
	if !(o.Alpha >= 0) || o.Alpha > maxAlpha {
		wrong.Add("Alpha", "must be from 0 to 1e9, not %g", float64(o.Alpha))
	}
	wrong = append(wrong, diag.Fields(diag.Under("Reading", o.Reading.check()))...)
	if o.Topology != (topology.CLEX{}) {
		wrong = append(wrong, o.checkTopology()...)
	}
	return wrong.Err()
}

func (r *Reading) check() error {
	var wrong diag.FieldErrors
	inRange(&wrong, "Copies", r.Copies, 0, math.MaxInt32)
	inRange(&wrong, "CopyLimit", r.CopyLimit, 0, math.MaxInt32)
	if !(r.CopyGrowth >= 1) || math.IsInf(r.CopyGrowth, 0) {
		wrong.Add("CopyGrowth", "must be at least 1 and finite, not %g", r.CopyGrowth)
	}
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

// share refuses what is not a share of a whole.
func share(wrong *diag.FieldErrors, field string, v float64) {
	if !(v >= 0 && v <= 1) {
		wrong.Add(field, "must be from 0 to 1, not %g", v)
	}
}

// spec is the topology with the capacities of its levels.
func (o *Options) spec() topology.Spec {
	return topology.Spec{Params: o.Topology, LevelCapacity: topology.LevelCapacity{Capacity: o.Capacity}}
}

// checkTopology checks the topology and what depends on it.
func (o *Options) checkTopology() diag.FieldErrors {
	var wrong diag.FieldErrors
	if _, err := Machine(o.spec()); err != nil {
		return diag.Fields(err)
	}
	g, err := topology.New(o.spec())
	if err != nil {
		wrong.Add("Topology", "%v", err)
		return wrong
	}
	if c := g.Levels()[0].Channels(); c > 1 {
		wrong.Add("Topology.capacity.level1", "the algorithm within cliques is for links that carry one message a "+
			"round, not %d\nleave level1 out", c)
	}
	n := topology.Vertices(g)
	if o.Topology.Clique > maxClique {
		wrong.Add("Topology.Clique", "cliques of %d nodes; the most that are simulated are %d", o.Topology.Clique,
			maxClique)
	}
	wrong = append(wrong, o.checkLoad(n)...)
	for i, m := range o.Messages {
		if m.From < 0 || int(m.From) >= n || m.To < 0 || int(m.To) >= n {
			wrong.Add(diag.Elem("Messages", i), "from %d to %d; nodes are from 0 to %d", m.From, m.To, n-1)
			break
		}
	}
	if o.Valiant > o.Topology.Levels {
		wrong.Add("Valiant", "random nodes within level %d; levels are from 1 to %d", o.Valiant, o.Topology.Levels)
	}
	for i, v := range o.FailedNodes {
		if v < 0 || int(v) >= n {
			wrong.Add(diag.Elem("FailedNodes", i), "node %d; nodes are from 0 to %d", v, n-1)
		}
	}
	for i, e := range o.FailedLinks {
		if e.From < 0 || int(e.From) >= n || e.To < 0 || int(e.To) >= n || e.Level < 0 || e.Level >= o.Topology.Levels {
			wrong.Add(diag.Elem("FailedLinks", i), "a link from %d to %d on level %d does not exist", e.From, e.To,
				e.Level)
		}
	}
	if bytes := o.memory(n); wrong == nil && bytes > maxMemory {
		wrong.Add("Topology", "a run with %d nodes and %d messages a node takes %.0f GB of memory\nthe most is "+
			"%.0f GB: choose a smaller machine or a lower load", n, o.Load, float64(bytes)/1e9, float64(maxMemory)/1e9)
	}
	return wrong
}

// checkLoad checks that so many messages of every node can be numbered, and sent in hours.
func (o *Options) checkLoad(nodes int) diag.FieldErrors {
	var wrong diag.FieldErrors
	clique := o.Topology.Clique
	// A node passes on as many messages at a time as it has links; each phase looks at all that wait.
	most := max(int(math.Sqrt(maxLooks/float64(nodes)*float64(clique))), clique)
	switch {
	case o.Messages != nil || o.Load <= 0 || o.Load > maxMessages:
	case o.Load > maxMessages/nodes:
		wrong.Add("Load", "%d messages a node are more than %d messages\n%d nodes may send %d each at most", o.Load,
			maxMessages, nodes, maxMessages/nodes)
	case o.Load > most && clique <= maxClique:
		wrong.Add("Load", "%d messages a node wait for about %d phases, each of which looks at all that are left\n"+
			"with cliques of %d nodes, %d a node are the most that are simulated", o.Load, o.Load/clique, clique, most)
	}
	return wrong
}

// memory is what the arrays of a run take, in bytes: the messages twice, and a bit
// for every edge where any may fail.
func (o *Options) memory(nodes int) int64 {
	messages := int64(nodes) * int64(o.Load)
	if o.Messages != nil {
		messages = int64(len(o.Messages))
	}
	each := int64(2*14 + 6)
	if o.Wire != nil {
		each += 2 * 4
	}
	bytes := int64(0)
	if o.fails() {
		bytes += int64(nodes) * int64(o.Topology.Clique/64+1) * 8 * int64(o.Topology.Levels)
	}
	if o.fails() || o.Valiant == o.Topology.Levels {
		each += 2 * 4
	}
	return bytes + messages*each + 12*int64(nodes)
}

// fails reports whether anything may fail.
func (o *Options) fails() bool {
	return o.FailNodes != 0 || o.FailLinks != 0 || len(o.FailedNodes) > 0 || len(o.FailedLinks) > 0
}

// fill puts defaults where something is left out.
func (o *Options) fill() {
	usual := DefaultOptions()
	o.Mode = cmp.Or(o.Mode, usual.Mode)
	o.Destinations = cmp.Or(o.Destinations, usual.Destinations)
	if o.Detours == nil {
		o.Detours = usual.Detours
	}
	o.Reading.CopyGrowth = cmp.Or(o.Reading.CopyGrowth, usual.Reading.CopyGrowth)
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
}

// check fills in defaults and refuses wrong options.
func (o *Options) check() error {
	o.fill()
	if o.Topology == (topology.CLEX{}) {
		return diag.Fieldf("Topology", "is missing")
	}
	if err := o.Check(); err != nil {
		return err
	}
	r, clique := &o.Reading, o.Topology.Clique
	if r.Copies == 0 {
		r.Copies = 1
		if o.Mode == Light {
			r.Copies = max(1, int(math.Log(float64(clique))))
		}
	}
	if r.CopyLimit == 0 || r.CopyLimit > clique {
		r.CopyLimit = clique
	}
	return nil
}

// copies is the number of relays that a message asks in a phase, counted from
// 1.
func (r *Reading) copies(phase int) int {
	k := float64(r.Copies) * math.Pow(r.CopyGrowth, float64(phase-1))
	return int(math.Min(k, float64(r.CopyLimit)))
}
