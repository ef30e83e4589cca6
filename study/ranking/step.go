package ranking

import (
	"context"
	"math"

	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/sim/goal"
	"github.com/plenum-planner/plenum/sim/loggops"
	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/sim/workload"
	"github.com/plenum-planner/plenum/units"
)

// Player plays a workload on planned machines.
type Player struct {
	*workload.Workload
	RanksPerNode int // that share a node, each with a port of its own; at least 1
}

// Nodes is the number of nodes that have ranks.
func (p *Player) Nodes() int { return (p.Schedule.Ranks() + p.RanksPerNode - 1) / p.RanksPerNode }

// Play plays the workload on a network of a plan that has the lengths of its links. Ranks are on its first nodes, in
// turn. Messages take the delay of the planned paths (of the routing function that the topology has by default) and
// the time of their bytes at the rate of the slowest port, and do not share links; what no plan knows is LogGOPSim's.
// The step has no figures by cost or power yet. The error is a diag.FieldError of Placement where the nodes do not
// suffice.
func (p *Player) Play(ctx context.Context, r *machine.Result, n *machine.Network) (*report.Step, error) {
	opt := loggops.Options{Params: loggops.DefaultParams()}
	if rate := r.PortRate(n); rate > 0 {
		opt.GapByte = loggops.PerByteAt(rate)
	}
	seen := n.Seen()
	net, err := routing.NewNetwork(seen.Graph)
	if err != nil {
		return nil, err
	}
	by, err := routing.New(net, "", routing.Options{Delay: seen.Model.Arcs(seen.Graph, seen.Links)})
	if err != nil {
		return nil, err
	}
	pairs, err := delay.NewPairs(net, by, seen.Model, seen.Links, r.Spec.Embedding.Seed)
	if err != nil {
		return nil, err
	}
	place, err := traffic.ParsePlacement("consecutive", p.Nodes(), net.Terminals(), 0)
	if err != nil {
		return nil, diag.Fieldf("Placement", "%v", err)
	}
	each := int32(p.RanksPerNode)
	opt.Latency = func(src, dst int32) (units.Time, error) { return pairs.Between(place[src/each], place[dst/each]) }
	played, err := loggops.Play(ctx, p.Schedule, opt)
	if err != nil {
		return nil, err
	}
	step := &report.Step{
		Workload: p.Name, Ranks: p.Schedule.Ranks(), Nodes: p.Nodes(), Seconds: seconds(played.Makespan),
	}
	if j := p.Job; j != nil {
		computing := seconds(j.Calculates())
		tokens := float64(j.Tokens()) / step.Seconds
		step.Compute, step.Tokens, step.Source = &computing, &tokens, j.Compute.Source
	}
	return step, nil
}

func seconds(t units.Time) float64 { return float64(t) / 1e9 }

// LeastSeconds is a lower bound of the time of a step on any machine: the calculations of the processor that has the
// most to do, one after the other.
func (p *Player) LeastSeconds() float64 {
	most := 0.0
	ops := p.Schedule.Ops()
	for rank := range p.Schedule.Ranks() {
		from, to := p.Schedule.Of(rank)
		busy := map[uint8]float64{}
		for _, o := range ops[from:to] {
			if o.Kind == goal.Calc {
				busy[o.CPU] += float64(o.Size)
			}
		}
		for _, t := range busy {
			most = math.Max(most, t)
		}
	}
	return most / 1e9
}
