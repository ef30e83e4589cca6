package rounds

import (
	"math"

	"github.com/plenum-planner/plenum/diag"
)

// Bounds sets a run beside what section II of the CLEX paper proves of its algorithm. The paper's upper bounds are
// orders of growth: they hold with high probability and up to constants that it does not state. Their formulas are lost
// from the copies of the paper at hand; docs/internals/reproduction.md says from which of its sentences each is put
// together.
type Bounds struct {
	// PerRound is the messages that a node can send in a round, and receive, over all of its links: `levels` times the
	// clique size.
	PerRound int `json:"messages_per_round"`
	// Least is the fewest rounds in which any algorithm can deliver the messages: the larger of `sent_max` and
	// `received_max`, divided by `messages_per_round` and rounded up (section II-B).
	Least int `json:"rounds_least"`
	// Rounds is the rounds of the algorithm if every step lasts as long as its slowest call: the sum of
	// `bounds.levels[].calls` times `levels[].rounds_max`.
	Rounds int `json:"rounds"`
	// Levels is what is known of the calls of each level.
	Levels []LevelBounds `json:"levels"`
	// Clique is corollary II.5, of a call in a clique of n1 nodes: `order` is the greatest mean load of a call, divided
	// by n1, plus log* n1, and `constant` is the most rounds of a call divided by it.
	Clique Order `json:"corollary_ii_5"`
	// Whole is theorem II.6, of the algorithm on the whole machine of n nodes: `order` is the larger of `sent_max` and
	// `received_max`, divided by the clique size, plus log* n, and `constant` is `bounds.rounds` divided by it.
	Whole Order `json:"theorem_ii_6"`
}

// LevelBounds is what is known of the calls of a level.
type LevelBounds struct {
	Level int `json:"level"` // its number, from 1
	// Calls is how many calls a message is part of, one after the other: 2^(levels-k) for level k, and those of
	// Valiant's trick.
	Calls int `json:"calls"`
	// Least is the fewest rounds that the slowest call of the level can take: the mean load divided by the clique size,
	// rounded up. Null above level 1 of a bundled machine, where messages may have arrived already.
	Least *int `json:"rounds_least"`
}

// Order is an upper bound without its constant.
type Order struct {
	LogStar  int     `json:"log_star"` // the iterated logarithm to base 2 in it
	Order    float64 `json:"order"`    // the bound with a constant of 1, in rounds
	Constant float64 `json:"constant"` // the least constant with which it holds for this run
}

// CheckBounds says which options the bounds do not cover, as diag.FieldErrors: loss, failures, and capacities that are
// not the paper's.
func (o *Options) CheckBounds() error {
	var wrong diag.FieldErrors
	if o.Loss != 0 {
		wrong.Add("Loss", "the bounds are of links that lose nothing; leave it out")
	}
	const working = "the bounds are of a network without failures; leave it out"
	if o.FailNodes != 0 || len(o.FailedNodes) > 0 {
		wrong.Add("FailNodes", working)
	}
	if o.FailLinks != 0 || len(o.FailedLinks) > 0 {
		wrong.Add("FailLinks", working)
	}
	usual := 1
	if o.Topology.Bundled {
		usual = o.Topology.Clique
	}
	for _, c := range o.Capacity {
		if c != usual {
			wrong.Add("Topology.capacity", "the bounds are of links that carry %d messages a round, as in the paper; "+
				"leave it out", usual)
			break
		}
	}
	return wrong.Err()
}

// Bounds sets the run beside the bounds of the paper. The options are those of the run, which CheckBounds has accepted.
func (r *Result) Bounds(o Options) Bounds {
	levels, n1 := o.Topology.Levels, o.Topology.Clique
	most := max(r.SentMax, r.ReceivedMax)
	b := Bounds{PerRound: levels * n1}
	b.Least = roundsFor(int64(most), int64(b.PerRound))
	for k := 1; k <= levels; k++ {
		l := LevelBounds{Level: k, Calls: 1 << (levels - k)}
		if k <= o.Valiant {
			l.Calls += 1 << (o.Valiant - k)
		}
		if k == 1 || !o.Topology.Bundled {
			l.Least = new(roundsFor(r.Messages, int64(r.Nodes)*int64(n1)))
		}
		b.Levels = append(b.Levels, l)
		b.Rounds += l.Calls * r.Levels[k-1].MaxRounds
	}
	b.Clique = newOrder(r.Levels[0].MaxAvgLoad, n1, n1, r.Levels[0].MaxRounds)
	b.Whole = newOrder(float64(most), n1, r.Nodes, b.Rounds)
	return b
}

// newOrder is the bound messages/width + log* nodes, which a run has met with some rounds.
func newOrder(messages float64, width, nodes, rounds int) Order {
	star := LogStar(float64(nodes))
	order := messages/float64(width) + float64(star)
	return Order{LogStar: star, Order: order, Constant: over(float64(rounds), order)}
}

// roundsFor is the rounds that messages take of which so many go in a round.
func roundsFor(messages, width int64) int { return int((messages + width - 1) / width) }

// LogStar returns the iterated logarithm to base 2, the inverse of the tower function: how often the logarithm has to
// be taken until x is at most 1. It is at most 5 for x up to 2^65536 (footnote 10 of the CLEX paper).
func LogStar(x float64) int {
	times := 0
	for ; x > 1; x = math.Log2(x) {
		times++
	}
	return times
}
