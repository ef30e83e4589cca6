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

// Lower estimates of the memory and the processor time of simulations. They are below the figures measured on tori of
// 32,768 and 262,144 nodes, random regular graphs and machines of a million nodes, in order not to refuse a run that
// would fit. A run that passes can still exceed the budget.
var (
	packetNeed = cli.PerGraph{ // sim packets and sim flows
		Vertex: budget.Need{Bytes: 500, Seconds: 1e-6}, Link: budget.Need{Bytes: 600, Seconds: 1e-6},
	}
	goalNeed = cli.PerGraph{ // sim goal
		Vertex: budget.Need{Bytes: 300, Seconds: 0.3e-6}, Link: budget.Need{Bytes: 250, Seconds: 0.3e-6},
	}
	roundsNodeNeed    = budget.Need{Bytes: 20, Seconds: 50e-9}   // sim rounds, for each node
	roundsMessageNeed = budget.Need{Bytes: 34, Seconds: 0.25e-6} // sim rounds, for each message
)

// Lower estimates of the seconds of processor time, or of the bytes, for each unit of work.
const (
	phitSeconds    = 0.1e-6 // for each phit and channel that it crosses
	messageSeconds = 0.3e-6 // for each message of a workload
	messageBytes   = 20     // for each message of a workload that is on its way in the beginning
	aloneSeconds   = 0.2e-6 // sim flows, for each terminal and each channel of the network, for each job played alone
	floodSeconds   = 5e-9   // sim flood, for each direction of a link, for each of the trees, one from every vertex
	probeSeconds   = 50e-6  // for each packet that is sent alone
)

// affordPackets refuses a network that is too large to send packets or flows over, packets sent alone over too many
// pairs of nodes, and loads that take too long. Workloads are not counted: see affordJobs.
func (s *packetsCommand) affordPackets(ctx context.Context, g topology.Graph) error {
	need := packetNeed
	switch {
	case s.onePacket:
		pairs := float64(countNodes(g)) * float64(countNodes(g))
		if s.single.Pairs > 0 {
			pairs = min(pairs, float64(s.single.Pairs))
		} else if pairs > packet.AllPairs {
			pairs = packet.DrawnPairs
		}
		need.Besides = budget.Need{Seconds: pairs * probeSeconds}
	case s.workload == "" && !s.saturation:
		phits := 0.0 // of all loads; each crosses one channel at least
		for _, load := range s.loads {
			phits += load * float64(s.open.Least()) * float64(countNodes(g))
		}
		need.Besides = budget.Need{Seconds: phits * phitSeconds}
	}
	return need.Afford(ctx, "simulating traffic on a network of", g)
}

// countNodes returns the number of vertices that send and receive packets: all except switches.
func countNodes(g topology.Graph) int64 {
	n := int64(0)
	for _, k := range g.Kinds() {
		if k.Role != topology.Switch {
			n += int64(k.Count)
		}
	}
	return n
}

// affordJobs refuses a workload with too many messages on one of the machines. It checks every workload on every
// machine by itself, with all seeds. It also returns an error if a machine cannot run a workload.
func (s *packetsCommand) affordJobs(ctx context.Context, machines []*simMachine) error {
	for _, m := range machines {
		for _, name := range s.suite.Workloads {
			job, _, err := s.suite.Job(m.Subject, name)
			if err != nil {
				return cli.Spelled(err, cli.PacketFlags)
			}
			need := budget.Need{
				Bytes:   messageBytes * float64(job.AtOnce),
				Seconds: messageSeconds * float64(job.Messages) * float64(s.suite.Seeds),
			}
			if err := cli.Afford(ctx, need, "the messages of %s", name); err != nil {
				return err
			}
		}
	}
	return nil
}

// affordRounds refuses more nodes and messages than the budget allows. It needs the topology and the load of the
// options, and no graph.
func (s *roundsCommand) affordRounds(ctx context.Context) error {
	nodes := int64(1)
	for range s.opt.Topology.Levels { // no overflow: the topology has been checked, and vertices are numbered by int32
		nodes *= int64(s.opt.Topology.Clique)
	}
	messages := float64(nodes) * float64(max(s.opt.Load, 1))
	if messages > math.MaxInt32 {
		return nil // the run refuses more messages than it can number, with a message of its own
	}
	return cli.Afford(ctx, roundsNodeNeed.Times(float64(nodes)).Plus(roundsMessageNeed.Times(messages)),
		"simulating %s of %s", english.Count(int64(messages), "message"),
		english.Count(nodes, "node"))
}

// affordFlood refuses a graph for which building a tree from every vertex, over both directions of every link, exceeds
// the budget.
func affordFlood(ctx context.Context, g topology.Graph) error {
	direction := budget.Need{Bytes: 20, Seconds: floodSeconds * float64(topology.Vertices(g))}
	return cli.PerGraph{
		Vertex: budget.Need{Bytes: 30, Seconds: 50e-9}, Link: direction.Times(2),
	}.Afford(ctx, "building the trees of", g)
}

// affordSchedule refuses a pattern with more operations than the budget allows. It lets an unknown pattern through,
// which is refused where the schedule is made.
func (s *goalCommand) affordSchedule(ctx context.Context) error {
	if s.pattern == "" {
		return nil
	}
	ops, err := goal.PatternOps(s.pattern, s.ranks)
	if err != nil {
		return nil //nolint:nilerr // making the schedule reports the mistake
	}
	return cli.Afford(ctx, cli.OpNeed.Times(float64(ops)), "%s of %d ranks", s.pattern, s.ranks)
}
