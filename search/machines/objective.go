package machines

import (
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/machine"
)

// The objectives: what the best machine has least of. The other axis of the front is the mean delay or, where that is
// the objective, money.
const (
	Money        = "money"
	MoneyPerNode = "money-per-node"
	Power        = "power"
	Delay        = "delay"
	Cables       = "cables"
	Metres       = "metres"
)

// Objectives lists the values of objective.
func Objectives() []string { return []string{Money, MoneyPerNode, Power, Delay, Cables, Metres} }

// figures are what machines are compared by. As lower bounds, those of which nothing is known are 0.
type figures struct {
	nodes, money, power, delay, cables, metres float64
}

// by is the figure of an objective.
func (f *figures) by(objective string) float64 {
	switch objective {
	case MoneyPerNode:
		return f.money / f.nodes
	case Power:
		return f.power
	case Delay:
		return f.delay
	case Cables:
		return f.cables
	case Metres:
		return f.metres
	}
	return f.money
}

// axes are the figure of an objective and the other axis of the front.
func (f *figures) axes(objective string) [2]float64 {
	if objective == Delay {
		return [2]float64{f.delay, f.money}
	}
	return [2]float64{f.by(objective), f.delay}
}

// beats tells whether figures are at least as good in both respects, and better in one.
func beats(a, b [2]float64) bool {
	return a[0] <= b[0] && a[1] <= b[1] && a != b
}

// leastOf are the lower bounds of a machine.
func leastOf(nodes int, l *machine.Least) figures {
	return figures{
		nodes: float64(nodes), money: l.Money.Float(), power: float64(l.Power), delay: float64(l.Delay),
	}
}

// estimated are the figures of an estimate, from which the order follows in which candidates are planned.
func estimated(least figures, e *cost.Estimate) figures {
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
