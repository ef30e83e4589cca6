package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/render/chart"
	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/sim/packet"
	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/units"
)

// packetsCommand is the model of packets.
type packetsCommand struct {
	*simInput
	setup packet.Setup
	open  packet.OpenLoop // but for its pattern and load
	loads []float64
	suite packet.Suite
	clock units.Frequency

	traffic, injection, sizes    string
	workload, reference, weights string
	saturation, onePacket        bool
	single                       packet.OnePacketOptions
	charts                       cli.ChartFlags
	drawn                        chart.Options
	out, like                    string
}

func newPacketsCommand(in *simInput) *packetsCommand {
	s := &packetsCommand{simInput: in, suite: packet.Suite{Seeds: 1}}
	s.setup.Options, s.open.Measurement = packet.DefaultOptions(), packet.DefaultMeasurement()
	return s
}

func newSimPackets(s *packetsCommand) *simModel {
	cmd := &cobra.Command{
		Use:   "packets [FILE...]",
		Short: "Simulate packets cycle by cycle, on any topology",
		Long: `Simulate packets on planned machines, with the lengths of their links, and on
topologies without a room:

  plenum sim packets machine.yaml --load 0.1:1.0:0.1 -o charts
  plenum sim packets --topology '{family: torus, dims: [8, 8, 8]}' --traffic tornado
  plenum sim packets machine.yaml --workload W2,BU
  plenum sim packets machine.yaml --one-packet

Switches with input buffers, virtual channels and credits are played cycle by cycle.
--load is in phits per cycle and terminal: a number, a list, or FROM:TO:STEP; loads
and machines run side by side. A cycle is what a phit of --phit-bytes takes at the
rate of the machine's ports, or follows from --clock-ghz. Links take the cycles of
their planned lengths, without a room one cycle. --saturation looks for the load that the
network does not carry any more. All switches have the same buffers and virtual
channels unless a routing needs more: a warning says so. --workload plays messages that
release each other instead: all stands for the seven of the thin-tree paper, whose times are then set
against those of --reference. --one-packet sends one packet at a time between every
two terminals, and sets its latency against the delay that the plan states.`,
	}
	m := newModel("packet", cmd, s.run)
	s.trafficFlags(cmd)
	s.switchFlags(cmd)
	s.delayFlags(cmd)
	return m
}

// delayFlags adds the flags of the clock, of delays and of failures.
func (s *packetsCommand) delayFlags(cmd *cobra.Command) {
	under(cmd, "Delays and failures", func(f *pflag.FlagSet) {
		f.Float64Var((*float64)(&s.clock), "clock-ghz", 0,
			"cycles per nanosecond, above 0 and at most 1000: a cycle is the time of a phit on a link; when left out, "+
				"that of the machine's slowest port, and 1 where no rate is stated")
		s.propagationFlag(f)
		f.StringVar(&s.setup.Failures.Links, "faults", "0", "failed links between switches: a share "+
			"like 5%, drawn by the seed, or links like A--B;C--D by their labels")
		s.failNodesFlag(f, "share of the nodes and switches that fail at random, like 1%, or labels: A;B")
	})
}

// sizeFlags adds those of packets and phits.
func (s *packetsCommand) sizeFlags(f *pflag.FlagSet) {
	o := &s.setup.Options
	f.IntVar(&o.PacketPhits, "packet-phits", o.PacketPhits, "phits of a packet, from 1 to 65536")
	f.IntVar(&o.PhitBytes, "phit-bytes", o.PhitBytes, "bytes of a phit, from 1 to 65536")
}

// workloadFlags adds what is played and where.
func (s *packetsCommand) workloadFlags(f *pflag.FlagSet, usage string) {
	f.StringVar(&s.workload, "workload", "", usage+strings.Join(jobNames(),
		", ")+", trace:FILE, a list of these, or all for the seven of the thin-tree paper")
	f.IntVar(&s.suite.Tasks, "tasks", 0, "tasks of each job; one for each terminal when 0, shared among the jobs")
	s.placementFlag(f)
	f.Lookup("placement").Usage = "terminals of the tasks: consecutive, random, subsystem (each job in one " +
		"group, copy, subtree or part of the topology) or file:NAME"
	f.IntVar(&s.suite.Jobs, "jobs", 1, "play each workload so often at the same time, each time as a job with "+
		"tasks of its own")
}

// machineFlags adds the machines, the seed and the form of the output.
func (s *packetsCommand) machineFlags(cmd *cobra.Command) {
	under(cmd, generalFlags, func(f *pflag.FlagSet) {
		s.topologyFlag(f)
		cli.FabricFlag(f, &s.fabric)
		f.Lookup("topology").Usage += "; may be given several times"
		s.seedFlag(f)
		s.jsonFlag(f)
		s.timingFlag(f)
	})
}

// trafficFlags adds the flags of what is sent and how it is measured.
func (s *packetsCommand) trafficFlags(cmd *cobra.Command) {
	s.machineFlags(cmd)
	under(cmd, "Charts", func(f *pflag.FlagSet) {
		f.StringVarP(&s.out, "output", "o", "", "directory for the charts load-latency.png and load-throughput.png")
		s.charts.Flags(f)
	})
	under(cmd, "One packet at a time", func(f *pflag.FlagSet) {
		f.BoolVar(&s.onePacket, "one-packet", false, "send one packet at a time between every ordered pair of "+
			"terminals, in place of a load, and compare its latency with the planned delay of the same path")
		f.IntVar(&s.single.Pairs, "pairs", 0, fmt.Sprintf("pairs that --one-packet draws at random; when 0, all up to "+
			"%d, and of more %d", packet.AllPairs, packet.DrawnPairs))
	})
	under(cmd, "Open loop", func(f *pflag.FlagSet) {
		f.StringVar(&s.load, "load", "",
			"phits per cycle and terminal, above 0 and at most 1: 0.5 when left out, a list, or FROM:TO:STEP")
		f.StringVar(&s.traffic, "traffic", "uniform", "open-loop traffic: "+strings.Join(patternNames(), ", "))
		f.StringVar(&s.injection, "injection", "bernoulli", "when messages are made: bernoulli, or burst:N")
		f.StringVar(&s.sizes, "sizes", "",
			"sizes of open-loop messages in phits, like 16, 8-64 or 8*0.9,64*0.1; one packet when left out")
		f.BoolVar(&s.saturation, "saturation", false,
			"find the load at which the network saturates, by halving intervals")
		m := &s.open.Measurement
		f.Float64Var(&m.Tolerance, "tolerance", m.Tolerance,
			"width of the last interval of --saturation, as a share of its upper end, above 0 and below 1")
		f.IntVar(m.Warmup, "warmup", *m.Warmup,
			"cycles before the batches that decide whether the network is stationary, 1000000000 at most")
		f.IntVar(&m.Batches, "batches", m.Batches, "batches that are measured, from 1 to 1000000")
		f.IntVar(&m.Batch, "batch", m.Batch, "cycles of a batch, from 1; 1000000000 in all batches at most")
	})
	under(cmd, "Closed loop", func(f *pflag.FlagSet) {
		s.workloadFlags(f, "closed loop instead: ")
		f.StringVar(&s.reference, "reference", "", "topology or machine file that workload times are relative to")
		f.StringVar(&s.weights, "weights", "",
			"weights of the workloads in phi, like W2=2,BU=0.5; 1 for those left out")
		f.IntVar(&s.suite.Seeds, "seeds", s.suite.Seeds, "play workloads with this many seeds from --seed on, from 1 "+
			"to 1000, and give means and standard deviations")
	})
}

// switchFlags adds the flags of routing, switches and terminals.
func (s *packetsCommand) switchFlags(cmd *cobra.Command) {
	o := &s.setup.Options
	under(cmd, "Routing and switches", func(f *pflag.FlagSet) {
		f.StringVar(&s.like, "like", "",
			"switches of a paper or simulator whose figures are compared, in place of the defaults "+
				"of the flags below: "+strings.Join(packet.Readings(), ", "))
		s.routingFlag(f)
		f.IntVar(&s.setup.Threshold, "threshold", 0,
			"packets times hops by which UGAL, PAR, Clos-AD and DAL prefer the "+
				"minimal path, 1073741824 at most")
		f.IntVar(&o.VCs, "vcs", o.VCs, "virtual channels of a port, 64 at most; 8, or as many "+
			"as the routing needs if more, when 0; as many as it needs when -1")
		s.sizeFlags(f)
		f.IntVar(&o.BufferPackets, "buffer-packets", o.BufferPackets, "packets that the buffer of a virtual channel "+
			"holds, 1048576 at most; 4, or more where a link's round trip needs them, when 0")
		f.IntVar(&o.BufferPhits, "buffer-phits", o.BufferPhits, "the same in phits, with --switching wormhole, "+
			"1073741824 at most; may be less than a packet")
		f.BoolVar(&o.SharedBuffers, "shared-buffers", false, "with --switching wormhole, let a buffer hold phits of "+
			"several packets; otherwise it takes the next packet when it is empty")
		f.IntVar(&o.InjectionPackets, "injection-packets", o.InjectionPackets,
			"the same for the injection queue of a node that is its own switch, from 1 to 1048576")
		f.StringVar((*string)(&o.Switching), "switching", string(o.Switching), "virtual-cut-through, "+
			"store-and-forward or wormhole (refused for routings that may then deadlock: bubble, dal, min-ad)")
		f.StringVar((*string)(&o.Arbiter), "arbiter", string(o.Arbiter),
			"of output ports: random, round-robin, age or "+
				"transit (packets from other switches before those from terminals)")
		f.StringVar((*string)(&o.Select), "select", string(o.Select),
			"output that a packet asks for where the routing "+
				"allows several, by the free share of the buffers behind: idle (of those not busy) or room (of all)")
		f.IntVar(&o.Pipeline, "pipeline", o.Pipeline, "cycles of a switch besides the link's, 65536 at most; those of "+
			"the machine file's hop delay when left out")
		f.IntVar(&o.Inject, "inject", o.Inject, "cycles of a sending terminal besides its link's, 65536 at most")
		f.IntVar(&o.Eject, "eject", o.Eject, "cycles of a receiving terminal besides its link's, 65536 at most")
		f.IntVar(&o.NodeLink, "node-link", o.NodeLink, "cycles of the link between a node that is its own switch and "+
			"that switch, in each direction, 65536 at most")
		f.BoolVar(&o.FreeInputs, "free-inputs", false,
			"let the virtual channels of an input port send at the same time")
	})
}

func patternNames() []string {
	var out []string
	for _, p := range traffic.Patterns() {
		out = append(out, p.Syntax)
	}
	return out
}

func jobNames() []string {
	var out []string
	for _, j := range traffic.Jobs() {
		out = append(out, j.Name)
	}
	return out
}

func routingNames() []string {
	var out []string
	for _, f := range routing.Functions() {
		out = append(out, f.Name)
	}
	return out
}
