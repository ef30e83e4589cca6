package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/sim/packet"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// packetReport is the document of the model of packets.
type packetReport struct {
	Model string `json:"model"` // `packet`
	// Machines is those that were simulated, in the order in which they were given.
	Machines []machineReport `json:"machines"`
	// Reference is the machine that times are relative to; left out without `--reference`.
	Reference *machineReport `json:"reference,omitempty"`

	Traffic     string `json:"traffic,omitempty"` // the pattern of destinations; left out for workloads
	PacketPhits int    `json:"packet_phits"`      // the length of a packet
	PhitBytes   int    `json:"phit_bytes"`        // what a phit carries
	// Switching is `virtual-cut-through`, `store-and-forward` or `wormhole`.
	Switching string `json:"switching"`
	// Shared is whether a buffer may hold phits of several packets under wormhole switching; left out where not.
	Shared bool `json:"shared_buffers,omitempty"`
	// Arbiter is which of several packets gets an output port: `random`, `round-robin`, `age` or `transit`.
	Arbiter string `json:"arbiter"`
	// Select is which of the outputs that its routing allows a packet asks for: `idle`, one that is free, or `room`,
	// the one behind which the largest share of a buffer is free, whether it is busy or not.
	Select string `json:"select"`
	Seed   uint64 `json:"seed"` // of the random numbers; of several runs the first
	// Seeds is runs of each workload, with seeds one after the other.
	Seeds        int `json:"seeds"`
	FailedLinks  int `json:"failed_links"` // links that were let fail
	FailedBoxes  int `json:"failed_nodes"` // nodes and switches that were let fail
	workloadsRun bool

	// OnePackets is one for each machine; left out without `--one-packet`.
	OnePackets []onePacketReport `json:"one_packet,omitempty"`
	// Runs is one for each machine and load; left out for a search for saturation and for workloads.
	Runs []runReport `json:"runs,omitempty"`
	// Saturations is where each machine saturates; left out unless searched for.
	Saturations []saturationReport `json:"saturation,omitempty"`
	// Workloads is one for each machine and workload; left out without workloads.
	Workloads  []workloadReport `json:"workloads,omitempty"`
	Phi        *float64         `json:"phi,omitempty"`          // that of the first machine; `machines` has all
	PhiStd     *float64         `json:"phi_std,omitempty"`      // that of the first machine
	PhiPerCost *packet.PerCost  `json:"phi_per_cost,omitempty"` // that of the first machine
	// Warnings is what may spoil the figures; left out where there is nothing.
	Warnings []string `json:"warnings,omitempty"`
}

type machineReport struct {
	// Name is that in the machine file, or what its family calls the topology.
	Name      string        `json:"name"`
	Topology  topology.Spec `json:"topology"`  // as in the machine file, or as given
	Terminals int           `json:"terminals"` // where packets are made and arrive
	Routers   int           `json:"routers"`   // switches, and nodes that pass packets on
	Channels  int           `json:"channels"`  // between routers, each direction for itself
	Routing   string        `json:"routing"`   // the name of the function
	VCs       int           `json:"vcs"`       // virtual channels of each channel
	// Clock is that of its cycles: a phit a cycle at the rate of its slowest port, unless `--clock-ghz` sets it; 1
	// where no rate is known.
	Clock units.Frequency `json:"clock_ghz"`
	packet.Buffer
	// Pipeline is what a packet takes through a switch, without waiting.
	Pipeline int `json:"pipeline_cycles"`
	// Lengths is whether links take the time of their planned lengths; if not, a cycle each.
	Lengths bool `json:"planned_lengths"`
	// Phi is the performance against the reference, 1 for the reference itself: the weights of the workloads over
	// the weighted sum of their relative times (J. Navaridas et al., Parallel Computing 36, 2010, section 6.1), of
	// mean times over the seeds. Left out without a reference.
	Phi *float64 `json:"phi,omitempty"`
	// PhiStd is the standard deviation of the phi of each seed; left out for one seed.
	PhiStd *float64 `json:"phi_std,omitempty"`
	// PhiPerCost is `phi` over what the switches cost against those of the reference, 1 for the reference itself
	// (section 6.2); left out without a reference.
	PhiPerCost *packet.PerCost `json:"phi_per_cost,omitempty"`
}

type runReport struct {
	Machine string `json:"machine"` // its name
	*packet.Result
	Latency packet.Latencies[units.Time] `json:"latency_ns"` // `latency_cycles` by the clock
}

type onePacketReport struct {
	Machine string `json:"machine"` // its name
	*packet.OnePacket
	Latency packet.Latencies[units.Time] `json:"latency_ns"` // `latency_cycles` by the clock
	// Planned is what the plan states for the same paths, without the length of a packet; left out without a room.
	Planned *plannedReport `json:"planned_ns,omitempty"`
}

// plannedReport is packet.PlannedPaths as times.
type plannedReport struct {
	Mean units.Time `json:"mean"` // delay of the same paths, mean over the pairs
	Max  units.Time `json:"max"`  // the greatest of any pair
	// Slower is by how much the latency less serialisation exceeds the planned delay at most, for each link of the
	// path.
	Slower units.Time `json:"slower_max"`
	// Faster is by how much it falls below the planned delay at most.
	Faster units.Time `json:"faster_max"`
	// Fastest is `delay.delay_mean_ns` of plan.json: the mean over all pairs of the fastest of the paths with the
	// fewest hops, which the routing need not take; left out where flags change the machine.
	Fastest *units.Time `json:"delay_mean_ns,omitempty"`
}

type saturationReport struct {
	Machine string `json:"machine"` // its name
	*packet.Saturation
}

// workloadReport has means over the seeds. Run is that of a single seed.
type workloadReport struct {
	Machine string `json:"machine"` // its name
	Name    string `json:"name"`    // that of the workload
	// Cycles is until its last message had arrived, mean over the seeds.
	Cycles float64 `json:"cycles"`
	// CyclesStd is the standard deviation over the seeds; left out for one seed.
	CyclesStd    *float64 `json:"cycles_std,omitempty"`
	CyclesBySeed []int64  `json:"cycles_by_seed,omitempty"` // the same for each seed; left out for one seed
	// JobCycles is until the last message of a job had arrived, mean over jobs that were played side by side and over
	// the seeds; left out for one job.
	JobCycles float64    `json:"job_cycles_mean,omitempty"`
	Time      units.Time `json:"time_ns"` // `cycles` by the clock
	// Reference is the mean cycles of the reference; left out without one.
	Reference float64 `json:"reference_cycles,omitempty"`
	// Relative is `cycles` divided by `reference_cycles`; left out without a reference.
	Relative float64 `json:"relative,omitempty"`
	// Run is figures of the run; left out where there are several seeds.
	Run *packet.JobResult `json:"run,omitempty"`
}

// channels returns the number of virtual channels of a port in words.
func (m *machineReport) channels() string {
	return english.Count(m.VCs, "virtual channel")
}

// unequal adds a warning to the report for each reason why machines are not measured on equal terms.
func (r *packetReport) unequal(machines []*simMachine) error {
	clocks := make([]units.Frequency, len(machines))
	for i, m := range machines {
		clocks[i] = m.Clock
	}
	unequal, err := packet.Unequal(contestants(machines), clocks)
	r.Warnings = append(r.Warnings, unequal...)
	return err
}

// printPackets prints a report for people.
func printPackets(w io.Writer, r *packetReport) error {
	var b strings.Builder
	for _, m := range r.Machines {
		lengths := "links of one cycle"
		if m.Lengths {
			lengths = "planned lengths"
		}
		buffers := fmt.Sprintf("%d packets of %d phits", m.Buffer.Packets, r.PacketPhits)
		if m.Buffer.Phits > 0 {
			buffers = fmt.Sprintf("%d phits, packets of %d phits as worms", m.Buffer.Phits, r.PacketPhits)
		}
		fmt.Fprintf(&b, "%s: %s terminals, %s switches, %s channels, %s; routing %s, %s, buffers of %s\n",
			m.Name, english.Grouped(int64(m.Terminals)), english.Grouped(int64(m.Routers)),
			english.Grouped(int64(m.Channels)), lengths, m.Routing, m.channels(), buffers)
	}
	if r.FailedLinks+r.FailedBoxes > 0 {
		fmt.Fprintf(&b, "failed: %s links, %s nodes and switches\n", english.Grouped(int64(r.FailedLinks)),
			english.Grouped(int64(r.FailedBoxes)))
	}
	b.WriteString("\n")
	switch {
	case len(r.OnePackets) > 0:
		printOnePackets(&b, r)
	case r.workloadsRun:
		printWorkloads(&b, r)
	case len(r.Saturations) > 0:
		table := [][]string{{"machine", "saturates at", "accepted there", "accepted at load 1", "runs"}}
		for _, s := range r.Saturations {
			at := fmt.Sprintf("%.3f to %.3f", s.Load, s.Above)
			if s.Load == 1 {
				at = "not at all"
			}
			table = append(table, []string{
				s.Machine, at, fmt.Sprintf("%.4f", s.Accepted), fmt.Sprintf("%.4f", s.Full),
				fmt.Sprint(s.Runs),
			})
		}
		cli.WriteTable(&b, table)
	default:
		table := [][]string{{
			"machine", "load", "accepted", "mean cycles", "±", "median", "p99", "max", "mean ns",
			"hops", "of it links", "queues", "",
		}}
		for _, run := range r.Runs {
			note := ""
			switch {
			case run.IsSaturated():
				note = "saturated"
			case !run.Stationary:
				note = "not stationary"
			}
			if run.Undeliverable > 0 {
				note = strings.TrimPrefix(note+fmt.Sprintf(", %s undeliverable", english.Grouped(run.Undeliverable)),
					", ")
			}
			l := run.Result.Latency
			table = append(table, []string{
				run.Machine, fmt.Sprintf("%.3g", run.Load), fmt.Sprintf("%.4f", run.Accepted),
				fmt.Sprintf("%.2f", l.Mean), fmt.Sprintf("%.2f", l.HalfWidth),
				fmt.Sprint(l.P50), fmt.Sprint(l.P99), fmt.Sprint(l.Max), fmt.Sprintf("%.1f", float64(run.Latency.Mean)),
				fmt.Sprintf("%.3f", run.Hops),
				fmt.Sprintf("%.2f", l.Propagation), fmt.Sprintf("%.2f", l.Queueing), note,
			})
		}
		cli.WriteTable(&b, table)
	}
	return cli.Print(w, b.String())
}

// printOnePackets prints the latencies of single packets beside the delays of the plan.
func printOnePackets(b *strings.Builder, r *packetReport) {
	head := []string{
		"machine", "pairs", "links", "routers", "mean ns", "±", "max ns", "serialisation ns", "rest of mean ns",
	}
	planned := slices.ContainsFunc(r.OnePackets, func(o onePacketReport) bool { return o.Planned != nil })
	if planned {
		head = append(head, "planned ns", "max", "off, ns a link", "fastest paths ns")
	}
	table := [][]string{head}
	ns := func(t units.Time) string { return fmt.Sprintf("%.1f", float64(t)) }
	for i := range r.OnePackets {
		o := &r.OnePackets[i]
		l := &o.Latency
		drawn := "all "
		if !o.Exact {
			drawn = ""
		}
		row := []string{
			o.Machine, drawn + english.Grouped(o.Pairs), fmt.Sprintf("%.3f", o.Links), fmt.Sprintf("%.3f", o.Routers),
			ns(l.Mean), ns(l.HalfWidth), ns(l.Max), ns(l.Serialisation), ns(l.Mean - l.Serialisation),
		}
		if q := o.Planned; q != nil {
			fastest := ""
			if q.Fastest != nil {
				fastest = ns(*q.Fastest)
			}
			row = append(row, ns(q.Mean), ns(q.Max), fmt.Sprintf("%.2f", float64(q.Slower)), fastest)
		}
		table = append(table, row)
	}
	cli.WriteTable(b, table)
	for i := range r.OnePackets {
		if o := &r.OnePackets[i]; o.Undeliverable > 0 {
			fmt.Fprintf(b, "%s: %s without a path\n", o.Machine, english.Count(o.Undeliverable, "pair"))
		}
	}
}

func printWorkloads(b *strings.Builder, r *packetReport) {
	head := []string{"machine", "workload", "cycles", "ns"}
	several := slices.ContainsFunc(r.Workloads, func(w workloadReport) bool { return w.JobCycles > 0 })
	if r.Seeds > 1 {
		fmt.Fprintf(b, "means over %d seeds, %d to %d, and standard deviations of one run\n\n", r.Seeds, r.Seed,
			r.Seed+uint64(r.Seeds)-1)
		head = slices.Insert(head, 3, "±")
	}
	if several {
		head = append(head, "cycles of a job")
	}
	if r.Reference != nil {
		head = append(head, r.Reference.Name, "relative")
	}
	table := [][]string{head}
	for _, w := range r.Workloads {
		row := []string{w.Machine, w.Name, english.Grouped(int64(math.Round(w.Cycles)))}
		if w.CyclesStd != nil {
			row = append(row, english.Grouped(int64(math.Round(*w.CyclesStd))))
		}
		row = append(row, fmt.Sprintf("%.0f", float64(w.Time)))
		if several {
			row = append(row, english.Grouped(int64(math.Round(w.JobCycles))))
		}
		if r.Reference != nil {
			row = append(row, english.Grouped(int64(math.Round(w.Reference))), fmt.Sprintf("%.4f", w.Relative))
		}
		table = append(table, row)
	}
	cli.WriteTable(b, table)
	if r.Reference == nil {
		return
	}
	head = []string{"machine", "phi", "phi per switch", "per port", "per port squared"}
	if r.Seeds > 1 {
		head = slices.Insert(head, 2, "±")
	}
	table = [][]string{head}
	for _, m := range r.Machines {
		row := []string{m.Name, fmt.Sprintf("%.4f", *m.Phi)}
		if m.PhiStd != nil {
			row = append(row, fmt.Sprintf("%.4f", *m.PhiStd))
		}
		table = append(table, append(row, fmt.Sprintf("%.4f", m.PhiPerCost.Constant),
			fmt.Sprintf("%.4f", m.PhiPerCost.Linear), fmt.Sprintf("%.4f", m.PhiPerCost.Quadratic)))
	}
	b.WriteString("\n")
	cli.WriteTable(b, table)
}

// untimed sets the wall-clock times of all runs to 0, so that the same runs give the same document.
func (r *packetReport) untimed() {
	for i := range r.Runs {
		r.Runs[i].Wall = 0
	}
	for i := range r.Workloads {
		if run := r.Workloads[i].Run; run != nil {
			run.Wall = 0
		}
	}
}
