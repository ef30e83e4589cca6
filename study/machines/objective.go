package machines

import (
	"fmt"
	"math"
	"strings"

	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// The objectives: what the best machine has least of. The other axis of the front is the mean delay or, where that or
// the time of a step is the objective, money.
const (
	Money        = "money"
	MoneyPerNode = "money-per-node"
	// MoneyPerThroughput is money by Gb/s of uniform traffic that all nodes together send at most, by an upper bound.
	MoneyPerThroughput = "money-per-throughput"
	Power              = "power"
	Delay              = "delay"
	Cables             = "cables"
	Metres             = "metres"
	// Switches is boxes that only pass messages on, and BundleTypes the types of bundles of package deployability.
	Switches    = "switches"
	BundleTypes = "bundle-types"
	// StepTime is the time of a step of the workload, and MoneyPerTokens money by tokens a second of it. The other axis
	// of StepTime is money.
	StepTime       = "step-time"
	MoneyPerTokens = "money-per-tokens"
	// Weighted is the sum of several, of Weights.
	Weighted = "weighted"
)

// Objectives lists the values of objective that are one word.
func Objectives() []string {
	return []string{
		Money, MoneyPerNode, MoneyPerThroughput, Power, Delay, Cables, Metres, Switches, BundleTypes, StepTime,
		MoneyPerTokens,
	}
}

// Objective is what the best machine has least of: a word, or a sum of several figures with weights.
type Objective struct {
	Name    string
	Weights *Weights
}

// Weights are what a unit of each figure is worth, in the currency of the prices.
type Weights struct {
	Money  float64 `yaml:"money,omitempty" json:"money"`   // a unit of the total of the bill; 1 makes the sum money
	Power  float64 `yaml:"power,omitempty" json:"power"`   // a watt
	Delay  float64 `yaml:"delay,omitempty" json:"delay"`   // a nanosecond of the mean delay
	Cables float64 `yaml:"cables,omitempty" json:"cables"` // a piece of cable
	Metres float64 `yaml:"metres,omitempty" json:"metres"` // a metre of cable along its way
}

// Written has a mapping read as weights, and anything else as a word.
func (o *Objective) Written(tag string) (target any, take func()) {
	if tag == "!!map" {
		o.Name, o.Weights = Weighted, &Weights{}
		return o.Weights, func() {}
	}
	return &o.Name, func() {}
}

// String is the objective in words.
func (o *Objective) String() string {
	if o.Weights == nil {
		return o.Name
	}
	var sum []string
	for _, part := range []struct {
		weight float64
		of     string
	}{
		{o.Weights.Money, Money},
		{o.Weights.Power, Power},
		{o.Weights.Delay, Delay},
		{o.Weights.Cables, Cables},
		{o.Weights.Metres, Metres},
	} {
		if part.weight > 0 {
			sum = append(sum, fmt.Sprintf("%g x %s", part.weight, part.of))
		}
	}
	return strings.Join(sum, " + ")
}

// figures are what machines are compared by. As lower bounds, those of which nothing is known are 0.
type figures struct {
	nodes, money, power, delay, cables, metres, switches, bundleTypes float64
	// accepted is what all nodes together send at most of uniform traffic, in Gb/s: an upper bound, for bounds and
	// plans alike. 0 where it is not asked for.
	accepted float64
	// step is the seconds of a step of the workload, 0 where there is none, and tokens those of a step.
	step, tokens float64
}

// by is the figure of an objective. It does not fall where any of the figures rises, but for nodes, tokens and what is
// accepted. Of upper bounds of these three and lower bounds of all others it is a lower bound.
func (f *figures) by(o *Objective) float64 {
	switch o.Name {
	case MoneyPerNode:
		return f.money / f.nodes
	case MoneyPerThroughput:
		return f.money / f.accepted
	case Power:
		return f.power
	case Delay:
		return f.delay
	case Cables:
		return f.cables
	case Metres:
		return f.metres
	case Switches:
		return f.switches
	case BundleTypes:
		return f.bundleTypes
	case StepTime:
		return f.step
	case MoneyPerTokens:
		return f.money * f.step / f.tokens
	case Weighted:
		w := o.Weights
		sum := float64(w.Money * f.money)
		sum += float64(w.Power * f.power)
		sum += float64(w.Delay * f.delay)
		sum += float64(w.Cables * f.cables)
		return sum + float64(w.Metres*f.metres)
	}
	return f.money
}

// againstMoney reports whether the other axis of an objective is money, not delay.
func againstMoney(objective string) bool { return objective == Delay || objective == StepTime }

// axes are the figure of an objective and the other axis of the front.
func (f *figures) axes(o *Objective) [2]float64 {
	if againstMoney(o.Name) {
		return [2]float64{f.by(o), f.money}
	}
	return [2]float64{f.by(o), f.delay}
}

// beats reports whether figures are at least as good in both respects, and better in one.
func beats(a, b [2]float64) bool {
	return a[0] <= b[0] && a[1] <= b[1] && a != b
}

// leastOf are the lower bounds of a machine.
func (s *Search) leastOf(size *topology.Size, l *machine.Least, accepted float64) figures {
	return figures{
		step: s.leastStep, tokens: s.tokens,
		nodes: float64(size.Nodes), switches: float64(size.Switches),
		money: l.Money.Float(), power: float64(l.Power), delay: float64(l.Delay),
		cables: float64(l.Cables), metres: float64(l.Metres), accepted: accepted,
	}
}

// acceptedTraffic returns what ports of a rate send at most, where a network carries a share of it; 0 where it is not
// known.
func acceptedTraffic(share float64, ports int64, rate units.Rate) float64 {
	if math.IsNaN(share) || rate <= 0 {
		return 0
	}
	return float64(ports) * float64(rate) * min(1, share)
}

// estimatedFigures returns the figures of an estimate, from which the order follows in which candidates are planned.
func estimatedFigures(least figures, e *cost.Estimate) figures {
	out := least
	if e.Cost != nil {
		out.money = max(out.money, e.Cost.Total.Float())
	}
	if e.Power != nil {
		out.power = max(out.power, float64(*e.Power))
	}
	out.cables = float64(e.Cables)
	if e.Length != nil {
		out.metres = float64(e.Length.Total)
	}
	return out
}
