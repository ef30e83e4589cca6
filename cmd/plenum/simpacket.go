package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/render"
)

// packets runs the model of packets.
func (s *simCommand) packets(cmd *cobra.Command, args []string) error {
	f := &s.packet
	if err := s.checkPacket(cmd, args); err != nil {
		return inputError(err)
	}
	report := &packetReport{
		Model: "packet", PacketPhits: f.opt.PacketPhits, PhitBytes: f.opt.PhitBytes, Switching: f.switching,
		Shared: f.opt.SharedBuffers, Arbiter: f.arbiter, Select: f.selects,
		Clock: f.clock, Seed: s.seed, Seeds: f.seeds,
	}
	progress := newProgress(cmd.ErrOrStderr())
	defer progress.clear()
	machines, err := s.simMachines(cmd, args, progress, report)
	if err != nil {
		return err
	}
	for _, m := range machines {
		report.Machines = append(report.Machines, m.machineReport)
	}
	if f.workload != "" {
		err = s.workloads(cmd, machines, report, progress)
	} else {
		err = s.openLoops(cmd, machines, report, progress)
	}
	if err != nil {
		return err
	}
	progress.clear()
	for _, w := range report.Warnings {
		fmt.Fprintln(cmd.ErrOrStderr(), "plenum:", w)
	}
	if f.out != "" {
		if err := s.charts(cmd.Context(), report); err != nil {
			return err
		}
	}
	if s.asJSON {
		return render.Document(cmd.OutOrStdout(), report)
	}
	return printPackets(cmd.OutOrStdout(), report)
}
