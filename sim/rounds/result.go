package rounds

import (
	"errors"
	"math"
	"math/bits"
	"slices"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Level is what happened on one level. All means are over the messages sent.
type Level struct {
	Level int `json:"level"` // its number, from 1
	// MaxRounds is the most rounds that any call of the level took, without those of the calls for lower levels that
	// it made.
	MaxRounds int `json:"rounds_max"`
	// AvgRounds is rounds that a message spent on the level in all calls, mean over the messages sent.
	AvgRounds float64 `json:"rounds_mean"`
	// MaxAvgLoad is the most messages per node that any call had to deal with.
	MaxAvgLoad float64 `json:"load_mean_max"`
	// AvgHops is links of the level that were used for a message, mean over the messages sent; copies, loops and
	// what was lost included.
	AvgHops float64 `json:"hops_mean"`
}

// Delay is the distribution of the delays of the messages delivered.
type Delay struct {
	Mean units.Time `json:"mean"`
	P50  units.Time `json:"p50"`
	P99  units.Time `json:"p99"`
	Max  units.Time `json:"max"`
	// Propagation is the mean of what the wires take of it; 0 where nothing is known of them.
	Propagation units.Time `json:"propagation_mean"`
}

// Result is what a run found.
type Result struct {
	Nodes    int   `json:"nodes"`    // those of the machine
	Messages int64 `json:"messages"` // all that there were to send
	SentMax  int   `json:"sent_max"` // the most messages that any node had to send
	// ReceivedMax is the most messages that were delivered to one node.
	ReceivedMax int `json:"received_max"`

	Levels []Level `json:"levels"` // what happened on each level

	Delivered     int64 `json:"delivered"`     // messages that arrived
	Lost          int64 `json:"lost"`          // messages that met the loss asked for
	Undeliverable int64 `json:"undeliverable"` // messages that found no way round failures
	// DeadEnds is those of `undeliverable` that were never sent, since their source or destination had failed.
	DeadEnds int64 `json:"dead_ends"`

	// RemainingByPhase is messages, over all calls in cliques, that were left after so many phases: the first is all
	// of them, the second those that the direct phase left.
	RemainingByPhase []int64 `json:"remaining_by_phase"`

	// Rounds is rounds of a message: the sum of `levels[].rounds_mean`.
	Rounds float64 `json:"rounds_total"`
	// Hops is links that were used for a message: the sum of `levels[].hops_mean`.
	Hops float64 `json:"hops_mean"`

	// Delay is alpha for the node where a message begins and for each of its rounds + propagation of the links that it
	// crossed, over those delivered.
	Delay     Delay `json:"delay_ns"`
	RoundsMax int   `json:"message_rounds_max"` // the most rounds that any message delivered took
}

// tally is what a worker counted; levels from 1.
type tally struct {
	most               []int
	rounds, hops, load []int64
	remaining          []int64
	lost               int64
	dropped            uint64
}

func newTally(levels int) tally {
	return tally{
		most: make([]int, levels+1), rounds: make([]int64, levels+1),
		hops: make([]int64, levels+1), load: make([]int64, levels+1),
	}
}

// remain adds messages that were left after a number of phases.
func (t *tally) remain(phases, messages int) {
	for len(t.remaining) <= phases {
		t.remaining = append(t.remaining, 0)
	}
	t.remaining[phases] += int64(messages)
}

func (t *tally) add(u *tally) {
	for k := range t.most {
		t.most[k] = max(t.most[k], u.most[k])
		t.rounds[k] += u.rounds[k]
		t.hops[k] += u.hops[k]
		t.load[k] = max(t.load[k], u.load[k])
	}
	for phase, n := range u.remaining {
		t.remain(phase, int(n))
	}
	t.lost += u.lost
	t.dropped += u.dropped
}

var (
	errInvented = errors.New("rounds: messages were lost, invented or delivered to the wrong node: " +
		"a fault of the simulator")
	errWire = errors.New("rounds: propagation delays must not be negative, and less than 4 ms in all")
)

// result checks that what went in has come out, and sums up.
func (r *run) result(s *sums) (*Result, error) {
	all := newTally(r.levels)
	for _, w := range r.workers {
		if w.err != nil {
			return nil, w.err
		}
		all.add(&w.tally)
	}
	stuck, check := r.arrivals(s)
	out := &Result{
		Nodes: r.nodes, Messages: s.messages, SentMax: s.sentMax, ReceivedMax: s.receivedMax,
		Delivered: s.delivered, Lost: all.lost,
		Undeliverable: stuck + s.deadEnds, DeadEnds: s.deadEnds,
		RemainingByPhase: all.remaining,
	}
	switch {
	case check+all.dropped != s.check, out.Delivered+out.Lost+out.Undeliverable != s.messages,
		r.loss == 0 && out.Lost > 0, r.faults == nil && out.Undeliverable > 0:
		return nil, errInvented
	}
	sent := float64(max(1, s.messages-s.deadEnds))
	for k := 1; k <= r.levels; k++ {
		l := Level{
			Level: k, MaxRounds: all.most[k], AvgRounds: float64(all.rounds[k]) / sent,
			MaxAvgLoad: float64(all.load[k]) / float64(r.power[k]), AvgHops: float64(all.hops[k]) / sent,
		}
		out.Levels = append(out.Levels, l)
		out.Rounds += l.AvgRounds
		out.Hops += l.AvgHops
	}
	r.delays(out)
	return out, nil
}

// arrivals counts the messages that are where they should be, and those that
// are not.
func (r *run) arrivals(s *sums) (stuck int64, check uint64) {
	b := &r.buf[r.now]
	received := make([]int, r.clique) // by the nodes of a clique
	for c := range b.start {
		clear(received)
		for i := b.start[c]; i < b.start[c]+b.count[c]; i++ {
			if b.last[i] == gone {
				continue
			}
			check += fingerprint(b.id[i], b.target[i])
			if int(b.target[i]) == c*r.clique+int(b.last[i]) {
				s.delivered++
				received[b.last[i]]++
			} else {
				stuck++
				b.last[i] = gone
			}
		}
		s.receivedMax = max(s.receivedMax, slices.Max(received))
	}
	return stuck, check
}

// fine is the bits of a delay that one pass over the messages sorts by.
const fine = 20

// delays works out the distribution of delays in whole picoseconds.
func (r *run) delays(out *Result) {
	alpha := uint64(math.Round(float64(r.opt.Alpha) * 1000))
	b := &r.buf[r.now]
	visit := func(see func(ps, wire uint64)) {
		for c := range b.start {
			for i := b.start[c]; i < b.start[c]+b.count[c]; i++ {
				if b.last[i] == gone {
					continue
				}
				passed := topology.TraversedRouters(float64(b.rounds[i]), topology.Node, topology.Node)
				ps, wire := alpha*uint64(passed), uint64(0)
				if b.wire != nil {
					wire = uint64(b.wire[i])
				}
				out.RoundsMax = max(out.RoundsMax, int(b.rounds[i]))
				see(ps+wire, wire)
			}
		}
	}
	var sum, carry, most, n uint64
	var wires uint64 // less than 2^31 messages of less than 2^32 ps each
	visit(func(ps, wire uint64) {
		wires += wire
		var c uint64
		sum, c = bits.Add64(sum, ps, 0)
		carry += c
		most = max(most, ps)
		n++
	})
	if n == 0 {
		return
	}
	ns := func(ps float64) units.Time { return units.Time(ps / 1000) }
	bins := make([]int64, 1<<fine)
	at := func(share float64) units.Time {
		need := int64(math.Ceil(share * float64(n)))
		low, width := uint64(0), bits.Len64(most)
		for {
			shift := max(0, width-fine)
			clear(bins)
			visit(func(ps, _ uint64) {
				if ps >= low && (ps-low)>>width == 0 {
					bins[(ps-low)>>shift]++
				}
			})
			b := 0
			for need > bins[b] {
				need -= bins[b]
				b++
			}
			low, width = low+uint64(b)<<shift, shift
			if width == 0 {
				return ns(float64(low))
			}
		}
	}
	whole, rest := bits.Div64(carry%n, sum, n)
	out.Delay = Delay{
		Mean: ns(float64(whole) + float64(rest)/float64(n)), P50: at(0.5), P99: at(0.99), Max: ns(float64(most)),
		Propagation: ns(float64(wires) / float64(n)),
	}
}
