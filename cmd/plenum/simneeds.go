package main

import (
	"context"
	"math"

	"github.com/plenum-planner/plenum/budget"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/sim/goal"
	"github.com/plenum-planner/plenum/sim/packet"
	"github.com/plenum-planner/plenum/topology"
)

// What simulations take at least, as it was measured on tori of 32,768 and 262,144 nodes, random regular graphs and
// machines of a million nodes: less than they took, so that nothing is refused that goes.
var (
	packetNeed = cli.PerGraph{
		Vertex: budget.Need{Bytes: 500, Seconds: 1e-6}, Link: budget.Need{Bytes: 600, Seconds: 1e-6},
	}
	goalNeed = cli.PerGraph{
		Vertex: budget.Need{Bytes: 300, Seconds: 0.3e-6}, Link: budget.Need{Bytes: 250, Seconds: 0.3e-6},
	}
	roundsNeed  = budget.Need{Bytes: 20, Seconds: 50e-9}   // of a node
	messageNeed = budget.Need{Bytes: 34, Seconds: 0.25e-6} // of a message of the model of rounds
)

const (
	phitSeconds  = 0.1e-6 // of a phit over a channel
	jobSeconds   = 0.3e-6 // of a message of a workload
	sentBytes    = 20     // of one that is on its way
	aloneSeconds = 0.2e-6 // of a terminal or channel of the network of a job that is played alone as flows
	floodSeconds = 5e-9   // of a channel in the tree of a node
	probeSeconds = 50e-6  // of a packet that is sent alone
)

// affordPackets refuses a network that is too large to send packets or flows over, or loads that take too long.
func (s *packetsCommand) affordPackets(ctx context.Context, g topology.Graph) error {
	need := packetNeed
	switch {
	case s.onePacket:
		pairs := float64(nodesOf(g)) * float64(nodesOf(g))
		if s.single.Pairs > 0 {
			pairs = min(pairs, float64(s.single.Pairs))
		} else if pairs > packet.AllPairs {
			pairs = packet.DrawnPairs
		}
		need.Besides = budget.Need{Seconds: pairs * probeSeconds}
	case s.workload == "" && !s.saturation:
		phits := 0.0 // over one channel each
		for _, load := range s.loads {
			phits += load * float64(s.open.Least()) * float64(nodesOf(g))
		}
		need.Besides = budget.Need{Seconds: phits * phitSeconds}
	}
	return need.Afford(ctx, "simulating traffic on a network of", g)
}

// nodesOf is how many vertices send and receive.
func nodesOf(g topology.Graph) int64 {
	n := int64(0)
	for _, k := range g.Kinds() {
		if k.Role != topology.Switch {
			n += int64(k.Count)
		}
	}
	return n
}

// affordJobs refuses workloads of so many messages that they take too long.
func (s *packetsCommand) affordJobs(ctx context.Context, machines []*simMachine) error {
	for _, m := range machines {
		for _, name := range s.suite.Workloads {
			job, _, err := s.suite.Job(m.Subject, name)
			if err != nil {
				return cli.Spelled(err, cli.PacketFlags)
			}
			need := budget.Need{
				Bytes:   sentBytes * float64(job.AtOnce),
				Seconds: jobSeconds * float64(job.Messages) * float64(s.suite.Seeds),
			}
			if err := cli.Afford(ctx, need, "the messages of %s", name); err != nil {
				return err
			}
		}
	}
	return nil
}

// affordRounds refuses more nodes and messages than the budget allows.
func (s *roundsCommand) affordRounds(ctx context.Context) error {
	nodes := int64(1)
	for range s.opt.Topology.Levels { // as many as vertices can have numbers
		nodes *= int64(s.opt.Topology.Clique)
	}
	messages := float64(nodes) * float64(max(s.opt.Load, 1))
	if messages > math.MaxInt32 {
		return nil // more than can be numbered, as the run says before anything else
	}
	return cli.Afford(ctx, roundsNeed.Times(float64(nodes)).Plus(messageNeed.Times(messages)),
		"simulating %s of %s", english.GroupedCount(int64(messages), "message"),
		english.GroupedCount(nodes, "node"))
}

// affordFlood refuses a graph with more trees and channels than the budget allows.
func affordFlood(ctx context.Context, g topology.Graph) error {
	channel := budget.Need{Bytes: 20, Seconds: floodSeconds * float64(topology.Vertices(g))}
	return cli.PerGraph{
		Vertex: budget.Need{Bytes: 30, Seconds: 50e-9}, Link: channel.Times(2),
	}.Afford(ctx, "building the trees of", g)
}

// affordSchedule refuses a pattern with more operations than the budget allows.
func (s *goalCommand) affordSchedule(ctx context.Context) error {
	if s.pattern == "" {
		return nil
	}
	ops, err := goal.PatternOps(s.pattern, s.ranks)
	if err != nil {
		return nil //nolint:nilerr // making it tells what is wrong with it
	}
	return cli.Afford(ctx, cli.OpNeed.Times(float64(ops)), "%s of %d ranks", s.pattern, s.ranks)
}
