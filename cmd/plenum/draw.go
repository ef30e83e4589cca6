package main

import (
	"cmp"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/chart"
	"github.com/plenum-planner/plenum/render/diagram"
	"github.com/plenum-planner/plenum/topology"
)

// diagramFormat is the format of drawings of the topology.
const diagramFormat = "topology"

// diagram draws the topology of a plan.
func (x *renderCommand) diagram(cmd *cobra.Command, plan *machine.Result) error {
	subjects, err := diagram.Planned(plan, x.fabric)
	if err != nil {
		return err
	}
	return drawTopologies(cmd, plan.Spec.Name, subjects, x.output)
}

// drawTopologies draws the topologies of a machine into a file, in the format of its extension.
func drawTopologies(cmd *cobra.Command, machineName string, subjects []*diagram.Subject, path string) error {
	for _, s := range subjects {
		if err := cli.Walkable(s.Graph, "of which maps are drawn"); err != nil {
			return err
		}
	}
	format, err := chart.FormatOf(path)
	if err != nil {
		return cli.InputError(err)
	}
	c, err := diagram.DrawPanels(cmd.Context(), cmp.Or(machineName, "machine"), subjects)
	if err != nil {
		return err
	}
	d := chart.Drawing{Canvas: c}
	err = outfile.Write(cmd.Context(), path, func(w io.Writer) error { return d.Write(cmd.Context(), w, format) })
	if err != nil {
		return cli.InputError(fmt.Errorf("%s: %w", path, err))
	}
	return nil
}

// drawnName returns the title of a drawing of a topology: the name of the machine that arg names, or else the family.
func drawnName(arg string, g topology.Graph) string {
	if m, err := cli.MachineNamed(arg); err == nil && m != nil && m.Name != "" {
		return m.Name
	}
	return g.Family()
}
