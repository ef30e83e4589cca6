package main

import (
	"fmt"
	"sync"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// defaultAlpha is the hop delay of the catalog's generic nodes, for topologies
// without a machine file.
const defaultAlpha = 100

// simModels are the models of simulation, by name.
var simModels = map[string]func(*simCommand, *cobra.Command, []string) error{
	"flood":  (*simCommand).flood,
	"packet": (*simCommand).packets,
	"rounds": (*simCommand).rounds,
}

func newSim() *cobra.Command {
	var s simCommand
	cmd := &cobra.Command{
		Use:   "sim [FILE...]",
		Short: "Simulate traffic on a planned machine, or on a topology alone",
		Long: `Simulate traffic on the machine of a machine file, with the lengths of its
planned links, or with --topology on a topology without a room:

  plenum sim machine.yaml --load 0.1:1.0:0.1 -o charts
  plenum sim --topology '{family: torus, dims: [8, 8, 8]}' --traffic tornado
  plenum sim --topology '{family: clex, clique: 32, levels: 4}' --load 28

The model of packets plays switches with input buffers, virtual channels and
credits cycle by cycle. --load is in phits per cycle and terminal: a number, a
list, or FROM:TO:STEP; loads and machines run side by side. Links take the cycles
of their planned lengths at --clock-ghz, without a room one cycle. --saturation
looks for the load that the network does not carry any more. --workload plays
messages that release each other instead: all stands for the seven of the thin-tree
paper, whose times are then set against those of --reference.

The model of rounds, the usual one for clex unless a flag of the other is given, is that of the CLEX paper (arXiv 1607.00298): all messages
start at once, and in a round every link carries one message in each direction.
It knows one family, clex, full or bundled. Per level, it counts the most rounds
of any call of the algorithm, the mean rounds and hops of a message, and the
greatest mean load of any call.

Delays are rounds x alpha + propagation. Alpha is the hop delay of the machine
file's nodes, 100 ns for a topology alone; without a room, nothing is known of
lengths, and delays are those of the hops only. The comparison with a torus of as
many nodes follows the formulas of the paper (docs/reproduction.md); --against takes
the planned lengths of another machine in place of its assumptions.

--valiant sends every message to a random node first: of the whole machine
(full), of its copy of C(2) (light; a clique if there are two levels), or of its
copy of C(K).

The model of flooding is all-to-all communication (section II-C of the CLEX paper):
every node's message floods a tree of paths with the fewest hops, in a torus
dimension by dimension, otherwise with low levels last. It counts what crosses the
channels, and how many times the least possible time that takes.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if s.model == "" {
				s.model = s.usualModel(cmd, args)
			}
			model, ok := simModels[s.model]
			if !ok {
				return inputError(fmt.Errorf("--model: no model %q; there are flood, packet, rounds", s.model))
			}
			return model(&s, cmd, args)
		},
	}
	f := cmd.Flags()
	f.StringVar(&s.model, "model", "", "model of the network: packet, rounds or flood")
	f.StringArrayVar(&s.topology, "topology", nil, "simulate this topology, without a room; may be given several times")
	f.Uint64Var(&s.seed, "seed", 1, "seed of whatever is drawn at random")
	f.BoolVar(&s.asJSON, "json", false, "print one JSON document")
	f.StringVar(&s.load, "load", "", "phits per cycle and terminal: 0.5 when left out, a list, or FROM:TO:STEP; in "+
		"rounds the messages that each node sends, 1 when left out")
	f.StringVar(&s.mode, "mode", "dense", "traffic: dense (relays are asked first) or light (copies are sent at once)")
	f.StringVar(&s.valiant, "valiant", "off",
		"random node that a message is sent to first: off, light, full or a level K")
	f.StringVar(&s.destinations, "destinations", "uniform",
		"where messages go: uniform (independent) or permutation (every node receives as many)")
	f.StringVar(&s.loss, "loss", "0", "chance that a message is lost on a link, like 1%")
	f.IntVar(&s.retries, "retries", 0, "times that a hop above level 1 is repeated when its message was lost")
	f.StringVar(&s.failNodes, "fail-nodes", "0",
		"share of the nodes that fail at random, like 1%; of packets also labels of nodes and switches: A;B")
	f.StringVar(&s.failLinks, "fail-links", "0", "share of the links that fail at random")
	f.IntVar(&s.detours, "detours", 2, "times that a message tries a way round failures, on each level")
	f.IntVar(&s.copies, "copies", 0, "relays that a message asks in its first phase after the direct one (1 when "+
		"dense, ln n1 when light)")
	f.Float64Var(&s.growth, "copy-growth", 1, "factor by which they grow from phase to phase")
	f.BoolVar(&s.handshake, "handshake", false, "count the two rounds of a request and its answer")
	f.Float64Var(&s.alpha, "alpha-ns", defaultAlpha,
		"time that a round takes besides propagation, in place of the machine file's hop delay")
	f.Float64Var(&s.beta, "beta-ns-per-m", 0, "propagation delay of all links, in place of the machine file's")
	f.StringVar(&s.against, "against", "",
		"machine file or example of a direct network, such as a torus, whose plan the run is set against")
	f.StringVar(&s.chart, "chart", "", "PNG file to draw the messages left after each phase into")
	s.packet.add(cmd)
	return cmd
}

// simCommand is the flags of plenum sim.
type simCommand struct {
	model                      string
	topology                   []string
	seed                       uint64
	asJSON                     bool
	load                       string
	mode, valiant              string
	destinations               string
	loss, failNodes, failLinks string
	retries, detours, copies   int
	growth                     float64
	handshake                  bool
	alpha, beta                float64
	against, chart             string

	packet packetFlags
	lock   sync.Mutex // of what parallel runs report
}

// usualModel is rounds for a clex, unless a flag belongs to packets alone.
func (s *simCommand) usualModel(cmd *cobra.Command, args []string) string {
	for _, name := range packetOnly {
		if cmd.Flags().Changed(name) {
			return "packet"
		}
	}
	var spec topology.Spec
	switch {
	case len(args)+len(s.topology) > 1:
		if len(args) == 1 && len(s.topology) == 1 {
			return "rounds" // which says that it is one too many
		}
	case len(args) == 1:
		if m, err := namedSpec(args[0]); err == nil {
			spec = m.Topology
		}
	case len(s.topology) == 1:
		spec, _ = topologySpec(s.topology[0])
	}
	if spec.Family() == "clex" {
		return "rounds"
	}
	return "packet"
}

// propagation is the delay that takes the place of the planned media's, negative
// when none does.
func (s *simCommand) propagation(cmd *cobra.Command) units.Propagation {
	if cmd.Flags().Changed("beta-ns-per-m") {
		return units.Propagation(s.beta)
	}
	return -1
}

func noLengths(file string, plan *machine.Result) error {
	return inputError(fmt.Errorf("%s: a plan of %d links is a summary, which does not keep their lengths; simulate "+
		"the topology alone with --topology", file, plan.Census.Links))
}
