package main

import (
	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/sim/packet"
)

// readLike sets the options of switches and packets to those of the paper that --like names, except options whose flags
// are given.
func (s *packetsCommand) readLike(cmd *cobra.Command) error {
	if s.like == "" {
		return nil
	}
	paper, err := packet.Like(s.like)
	if err != nil {
		return err
	}
	given := cmd.Flags().Changed
	o := &s.setup.Options
	for flag, number := range map[string]struct{ ours, theirs *int }{
		"vcs":               {&o.VCs, &paper.VCs},
		"packet-phits":      {&o.PacketPhits, &paper.PacketPhits},
		"phit-bytes":        {&o.PhitBytes, &paper.PhitBytes},
		"buffer-packets":    {&o.BufferPackets, &paper.BufferPackets},
		"injection-packets": {&o.InjectionPackets, &paper.InjectionPackets},
		"pipeline":          {&o.Pipeline, &paper.Pipeline},
		"inject":            {&o.Inject, &paper.Inject},
		"eject":             {&o.Eject, &paper.Eject},
		"node-link":         {&o.NodeLink, &paper.NodeLink},
	} {
		if !given(flag) && (flag != "buffer-packets" || !given("buffer-phits")) {
			*number.ours = *number.theirs
		}
	}
	if !given("switching") {
		o.Switching = paper.Switching
	}
	if !given("arbiter") {
		o.Arbiter = paper.Arbiter
	}
	if !given("select") {
		o.Select = paper.Select
	}
	return nil
}
