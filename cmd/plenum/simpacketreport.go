package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/sim/packet"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// packetReport is the document of the model of packets.
type packetReport struct {
	Model     string          `json:"model"`
	Machines  []machineReport `json:"machines"`
	Reference *machineReport  `json:"reference,omitempty"`

	Traffic      string          `json:"traffic,omitempty"`
	PacketPhits  int             `json:"packet_phits"`
	PhitBytes    int             `json:"phit_bytes"`
	Switching    string          `json:"switching"`
	Shared       bool            `json:"shared_buffers,omitempty"`
	Arbiter      string          `json:"arbiter"`
	Select       string          `json:"select"`
	Clock        units.Frequency `json:"clock_ghz"`
	Seed         uint64          `json:"seed"`
	Seeds        int             `json:"seeds"`
	FailedLinks  int             `json:"failed_links"`
	FailedBoxes  int             `json:"failed_nodes"`
	workloadsRun bool

	Runs        []runReport        `json:"runs,omitempty"`
	Saturations []saturationReport `json:"saturation,omitempty"`
	Workloads   []workloadReport   `json:"workloads,omitempty"`
	// Phi and PhiPerCost are those of the first machine; Machines has all.
	Phi        *float64        `json:"phi,omitempty"`
	PhiStd     *float64        `json:"phi_std,omitempty"`
	PhiPerCost *packet.PerCost `json:"phi_per_cost,omitempty"`
	Warnings   []string        `json:"warnings,omitempty"`
}

type machineReport struct {
	Name      string        `json:"name"`
	Topology  topology.Spec `json:"topology"`
	Terminals int           `json:"terminals"`
	Routers   int           `json:"routers"`
	Channels  int           `json:"channels"`
	Routing   string        `json:"routing"`
	VCs       int           `json:"vcs"`
	packet.Buffer
	Pipeline   int             `json:"pipeline_cycles"`
	Lengths    bool            `json:"planned_lengths"`
	Phi        *float64        `json:"phi,omitempty"`     // of the mean times over the seeds
	PhiStd     *float64        `json:"phi_std,omitempty"` // of the phi of every seed
	PhiPerCost *packet.PerCost `json:"phi_per_cost,omitempty"`
}

type runReport struct {
	Machine string `json:"machine"`
	*packet.Result
	Latency packet.Latencies[units.Time] `json:"latency_ns"`
}

type saturationReport struct {
	Machine string `json:"machine"`
	*packet.Saturation
}

// workloadReport has means over the seeds. Run is that of a single seed.
type workloadReport struct {
	Machine      string            `json:"machine"`
	Name         string            `json:"name"`
	Cycles       float64           `json:"cycles"`
	CyclesStd    *float64          `json:"cycles_std,omitempty"`
	CyclesBySeed []int64           `json:"cycles_by_seed,omitempty"`
	Time         units.Time        `json:"time_ns"`
	Reference    float64           `json:"reference_cycles,omitempty"`
	Relative     float64           `json:"relative,omitempty"`
	Run          *packet.JobResult `json:"run,omitempty"`
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
		classes := "1 virtual channel"
		if m.VCs > 1 {
			classes = fmt.Sprintf("%d virtual channels", m.VCs)
		}
		fmt.Fprintf(&b, "%s: %s terminals, %s switches, %s channels, %s; routing %s, %s, buffers of %s\n",
			m.Name, english.Grouped(int64(m.Terminals)), english.Grouped(int64(m.Routers)),
			english.Grouped(int64(m.Channels)), lengths, m.Routing, classes, buffers)
	}
	if r.FailedLinks+r.FailedBoxes > 0 {
		fmt.Fprintf(&b, "failed: %s links, %s nodes and switches\n", english.Grouped(int64(r.FailedLinks)),
			english.Grouped(int64(r.FailedBoxes)))
	}
	b.WriteString("\n")
	switch {
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
		writeTable(&b, table)
	default:
		table := [][]string{{
			"machine", "load", "accepted", "mean cycles", "±", "median", "p99", "max", "mean ns",
			"hops", "of it links", "queues", "",
		}}
		for _, run := range r.Runs {
			note := ""
			switch {
			case run.Saturated():
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
		writeTable(&b, table)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func printWorkloads(b *strings.Builder, r *packetReport) {
	head := []string{"machine", "workload", "cycles", "ns"}
	if r.Seeds > 1 {
		fmt.Fprintf(b, "means over %d seeds, %d to %d, and standard deviations of one run\n\n", r.Seeds, r.Seed,
			r.Seed+uint64(r.Seeds)-1)
		head = slices.Insert(head, 3, "±")
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
		if r.Reference != nil {
			row = append(row, english.Grouped(int64(math.Round(w.Reference))), fmt.Sprintf("%.4f", w.Relative))
		}
		table = append(table, row)
	}
	writeTable(b, table)
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
	writeTable(b, table)
}
