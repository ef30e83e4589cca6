package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/units"
)

func newRender() *cobra.Command {
	var x renderCommand
	cmd := &cobra.Command{
		Use:   "render PLAN --format FORMAT",
		Short: "Export a planned machine in a format of another tool",
		Long: `Export a planned machine: its topology with the planned length, the medium and
the latency of every link. PLAN is the directory that plenum plan wrote, its
plan.json, a machine file or an example; the machine is planned again, which gives
the same plan.

  anynet   network file of BookSim; latencies both ways, between routers only, as
           BookSim takes none of its nodes: their links have one cycle there
  dot      graph of Graphviz
  edges    list of links
  graphml  graph of yEd, Gephi, NetworkX
  json     vertices and links with their ports

A latency is the propagation delay of the planned length in its medium, with what
the ends of the medium take, in cycles of --clock-ghz, rounded up, at least one:
what plenum sim takes for the same clock.`,
		Args: usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return x.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.StringVar(&x.format, "format", "", "what to write: "+strings.Join(exportNames(), ", "))
	f.Float64Var((*float64)(&x.clock), "clock-ghz", 1, "cycles per nanosecond of the latencies")
	f.Float64Var((*float64)(&x.beta), "beta-ns-per-m", 0,
		"propagation delay of all links, in place of the machine file's")
	fabricFlag(f, &x.fabric)
	f.StringVarP(&x.output, "output", "o", "", "file to write; standard output when left out")
	return cmd
}

// renderCommand is the flags of plenum render.
type renderCommand struct {
	format, fabric, output string
	clock                  units.Frequency
	beta                   units.Propagation
}

func (x *renderCommand) run(cmd *cobra.Command, arg string) error {
	if err := x.check(); err != nil {
		return inputError(err)
	}
	spec, err := plannedSpec(arg)
	if err != nil {
		return err
	}
	if _, err := spec.Fabric(x.fabric); err != nil {
		return spelled(err, fabricFlags)
	}
	progress := newProgress(cmd.ErrOrStderr())
	plan, err := machine.PlanWith(cmd.Context(), spec, machine.Options{Progress: progress.stage})
	progress.clear()
	if err != nil {
		return asInput(err)
	}
	network, err := plan.Fabric(x.fabric)
	if err != nil {
		return err
	}
	var o delay.Override
	if cmd.Flags().Changed("beta-ns-per-m") {
		o.Propagation = &x.beta
	}
	cycles := network.Cycles(x.clock, o)
	if cycles == nil {
		return inputError(fmt.Errorf("%s: a plan of %d links is a summary, which does not keep their lengths; "+
			"plenum topology --export writes the topology alone", arg, plan.Census.Links))
	}
	return exportGraph(cmd, render.Graph(network, cycles), exports[x.format], x.output)
}

// check checks the flags, all of them.
func (x *renderCommand) check() error {
	var wrong []error
	refuse := func(format string, a ...any) { wrong = append(wrong, fmt.Errorf(format, a...)) }
	if _, known := exports[x.format]; !known {
		refuse("--format: no format %q%s", x.format, nearest(x.format, exportNames()))
	}
	flags := map[string]string{"Clock": "clock-ghz", "Propagation": "beta-ns-per-m"}
	for _, err := range []error{delay.CheckClock(x.clock), delay.Override{Propagation: &x.beta}.Check()} {
		if err != nil {
			wrong = append(wrong, spelled(err, flags))
		}
	}
	return errors.Join(wrong...)
}
