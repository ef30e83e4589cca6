package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/sim/packet"
	"github.com/plenum-planner/plenum/sim/traffic"
)

// packetFlags are the flags of the model of packets.
type packetFlags struct {
	opt                          packet.Options
	switching, arbiter, selects  string
	routing                      string
	threshold                    int
	traffic, injection, sizes    string
	workload, reference, weights string
	placement                    string
	tasks, seeds                 int
	faults                       string
	clock                        float64
	saturation                   bool
	tolerance                    float64
	measure                      packet.Measurement
	out                          string
}

// packetOnly and roundsOnly name the flags that the other model does not take.
var (
	packetOnly = []string{
		"traffic", "injection", "sizes", "workload", "reference", "weights", "tasks", "seeds", "placement", "routing",
		"threshold", "vcs",
		"packet-phits", "phit-bytes", "buffer-packets", "buffer-phits", "shared-buffers", "injection-packets",
		"switching", "arbiter", "select", "pipeline", "inject",
		"eject", "free-inputs", "faults", "clock-ghz", "saturation", "tolerance", "warmup", "batches", "batch",
		"output",
	}
	roundsOnly = []string{
		"mode", "valiant", "destinations", "loss", "retries", "fail-links", "detours", "copies",
		"copy-growth", "handshake", "alpha-ns", "against", "chart",
	}
)

func (f *packetFlags) add(cmd *cobra.Command) {
	s := cmd.Flags()
	s.StringVar(&f.traffic, "traffic", "uniform", "open-loop traffic: "+strings.Join(patternNames(), ", "))
	s.StringVar(&f.injection, "injection", "bernoulli", "when messages are made: bernoulli, or burst:N")
	s.StringVar(&f.sizes, "sizes", "",
		"sizes of open-loop messages in phits, like 16, 8-64 or 8*0.9,64*0.1; one packet when left out")
	s.StringVar(&f.workload, "workload", "", "closed loop instead: "+strings.Join(jobNames(),
		", ")+", trace:FILE, a list of these, or all for the seven of the thin-tree paper")
	s.StringVar(&f.reference, "reference", "", "topology or machine file that workload times are relative to")
	s.StringVar(&f.weights, "weights", "", "weights of the workloads in phi, like W2=2,BU=0.5; 1 for those left out")
	s.IntVar(&f.tasks, "tasks", 0, "tasks of each workload; one for each terminal when 0")
	s.IntVar(&f.seeds, "seeds", 1, "play workloads with this many seeds from --seed on, and give means and standard "+
		"deviations")
	s.StringVar(&f.placement, "placement", "consecutive", "terminals of the tasks: consecutive, random or file:NAME")
	s.StringVar(&f.routing, "routing", "",
		"routing function; the usual one of the family when left out: "+strings.Join(routingNames(), ", "))
	s.IntVar(&f.threshold, "threshold", 0,
		"packets times hops by which UGAL, PAR, Clos-AD and DAL prefer the minimal path")
	s.IntVar(&f.opt.VCs, "vcs", 0, "virtual channels; as many as the routing needs when 0")
	s.IntVar(&f.opt.PacketPhits, "packet-phits", 16, "phits of a packet")
	s.IntVar(&f.opt.PhitBytes, "phit-bytes", 16, "bytes of a phit")
	s.IntVar(&f.opt.BufferPackets, "buffer-packets", 0,
		"packets that the buffer of a virtual channel holds; 4, or more where a link's round trip needs them, when 0")
	s.IntVar(&f.opt.BufferPhits, "buffer-phits", 0,
		"the same in phits, with --switching wormhole; may be less than a packet")
	s.BoolVar(&f.opt.SharedBuffers, "shared-buffers", false,
		"with --switching wormhole, let a buffer hold phits of several packets; otherwise it takes the next packet "+
			"when it is empty")
	s.IntVar(&f.opt.InjectionPackets, "injection-packets", 8,
		"the same for the injection queue of a node that is its own switch")
	s.StringVar(&f.switching, "switching", string(packet.CutThrough),
		"virtual-cut-through, store-and-forward or wormhole (refused for routings that may then deadlock: bubble, "+
			"dal, min-ad)")
	s.StringVar(&f.arbiter, "arbiter", string(packet.Random),
		"of output ports: random, round-robin, age or transit (packets from other switches before those from terminals)")
	s.StringVar(&f.selects, "select", string(packet.Idle),
		"output that a packet asks for where the routing allows several: idle (a free one with most room) or room "+
			"(most room, free or not)")
	s.IntVar(&f.opt.Pipeline, "pipeline", 0,
		"cycles of a switch besides the link's; those of the machine file's hop delay when left out")
	s.IntVar(&f.opt.Inject, "inject", 0, "cycles of a sending terminal besides its link's")
	s.IntVar(&f.opt.Eject, "eject", 0, "cycles of a receiving terminal besides its link's")
	s.BoolVar(&f.opt.FreeInputs, "free-inputs", false,
		"let the virtual channels of an input port send at the same time")
	s.StringVar(&f.faults, "faults", "0",
		"failed links between switches: a share like 5%, drawn by the seed, or links like A--B;C--D by their labels")
	s.Float64Var(&f.clock, "clock-ghz", 1, "cycles per nanosecond: a cycle is the time of a phit on a link")
	s.BoolVar(&f.saturation, "saturation", false, "find the load at which the network saturates, by halving intervals")
	s.Float64Var(&f.tolerance, "tolerance", 0.01,
		"width of the last interval of --saturation, as a share of its upper end")
	s.IntVar(&f.measure.Warmup, "warmup", 30000,
		"cycles before the batches that decide whether the network is stationary")
	s.IntVar(&f.measure.Batches, "batches", 10, "batches that are measured")
	s.IntVar(&f.measure.Batch, "batch", 5000, "cycles of a batch")
	s.StringVarP(&f.out, "output", "o", "", "directory for the charts load-latency.png and load-throughput.png")
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

// checkPacket checks the flags as far as they go without a network.
func (s *simCommand) checkPacket(cmd *cobra.Command, args []string) error {
	f := &s.packet
	var wrong []error
	refuse := func(format string, a ...any) { wrong = append(wrong, fmt.Errorf(format, a...)) }
	for _, name := range roundsOnly {
		if cmd.Flags().Changed(name) {
			refuse("--%s: is of the model of rounds", name)
		}
	}
	if len(args) == 0 && len(s.topology) == 0 {
		refuse("a machine file or --topology is needed")
	}
	if len(args) == 0 && cmd.Flags().Changed("beta-ns-per-m") {
		refuse("--beta-ns-per-m: a topology has no lengths; give a machine file")
	}
	if !(s.beta >= 0) || s.beta > 1e9 {
		refuse("--beta-ns-per-m: must be from 0 to 1e9, not %g", s.beta)
	}
	for _, name := range []string{"packet-phits", "phit-bytes", "injection-packets", "batches", "batch"} {
		if v, err := cmd.Flags().GetInt(name); err == nil && v < 1 {
			refuse("--%s: must be at least 1, not %d", name, v)
		}
	}
	for _, name := range []string{
		"vcs", "buffer-packets", "buffer-phits", "pipeline", "inject", "eject", "warmup",
		"tasks", "threshold",
	} {
		if v, err := cmd.Flags().GetInt(name); err == nil && v < 0 {
			refuse("--%s: must not be negative", name)
		}
	}
	if f.seeds < 1 || f.seeds > 1000 {
		refuse("--seeds: must be from 1 to 1000, not %d", f.seeds)
	}
	if f.measure.Warmup == 0 {
		f.measure.Warmup = -1
	}
	if !(f.clock > 0) || f.clock > 1000 {
		refuse("--clock-ghz: must be above 0 and at most 1000, not %g", f.clock)
	}
	if !(f.tolerance > 0 && f.tolerance < 1) {
		refuse("--tolerance: must be above 0 and below 1, not %g", f.tolerance)
	}
	f.opt.Switching, f.opt.Arbiter, f.opt.Select = packet.Switching(f.switching), packet.Arbiter(f.arbiter),
		packet.Selection(f.selects)
	if err := f.opt.Check(); err != nil {
		wrong = append(wrong, err)
	}
	if f.workload != "" {
		for _, name := range []string{
			"load", "traffic", "injection", "sizes", "saturation", "warmup", "batches",
			"batch", "output",
		} {
			if cmd.Flags().Changed(name) {
				refuse("--%s: is of an open loop and does not go with --workload", name)
			}
		}
	} else {
		for _, name := range []string{"reference", "weights", "tasks", "placement"} {
			if cmd.Flags().Changed(name) {
				refuse("--%s: goes with --workload only", name)
			}
		}
		if cmd.Flags().Changed("seeds") {
			refuse("--seeds: goes with --workload only; an open loop has confidence intervals over its batches")
		}
		if _, err := s.loads(); err != nil {
			wrong = append(wrong, err)
		}
	}
	return errors.Join(wrong...)
}

// loads reads --load: a number, a list, or from:to:step.
func (s *simCommand) loads() ([]float64, error) {
	if s.load == "" {
		return []float64{0.5}, nil
	}
	var out []float64
	for item := range strings.SplitSeq(s.load, ",") {
		part := strings.Split(item, ":")
		var v [3]float64
		for i, text := range part {
			x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			if err != nil || i > 2 || !(x > 0 && x <= 1) {
				return nil, fmt.Errorf("--load: %q is not a load above 0 and at most 1 phit per cycle, nor a range "+
					"like 0.1:1.0:0.1", item)
			}
			v[i] = x
		}
		switch {
		case len(part) == 1:
			out = append(out, v[0])
		case len(part) == 3 && v[1] >= v[0] && (v[1]-v[0])/v[2] < 1000:
			for i := 0; ; i++ {
				load := v[0] + float64(float64(i)*v[2])
				if load > v[1]*(1+1e-9) {
					break
				}
				out = append(out, math.Round(load*1e9)/1e9)
			}
		default:
			return nil, fmt.Errorf("--load: %q is not a range like 0.1:1.0:0.1 of at most 1000 loads", item)
		}
	}
	return out, nil
}
