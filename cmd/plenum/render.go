package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/internal/meter"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/racklist"
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

  ansible  inventory (YAML) of Ansible: boxes by kind, with part, rack and unit
  anynet   network file of BookSim; latencies both ways, between routers only, as
           BookSim takes none of its nodes: their links have one cycle there
  dot      graph of Graphviz
  edges    list of links
  graphml  graph of yEd, Gephi, NetworkX
  ibnetdiscover
           the network as ibnetdiscover prints it and ibsim reads it; ports are
           numbers from 1, and a node is one adapter with all of its ports
  json     vertices and links with their ports
  netbox   files for the bulk import of NetBox into the directory -o: sites,
           manufacturers, roles, device types, racks, devices and cables
  omnipath topology sheet (CSV) of Omni-Path, as opaxlattopology reads it
  point-to-point
           table (CSV) of NVIDIA's cable validation tool
  ptm      graph of the prescriptive topology manager of Cumulus Linux (ptmd)
  racks    list of all rack positions (CSV), as room.rack_list of a machine file
           names one: with it the room is the same, whatever laid it out before
  topo     topology file of ibutils (ibdmchk, ibtopodiff) and the definitions of its
           systems into the directory -o; IBDM_IBNL_PATH has to name it

A latency is the propagation delay of the planned length in its medium, with what
the ends of the medium take, in cycles of --clock-ghz, rounded up, at least one:
what plenum sim takes for the same clock.`,
		Args: usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return x.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.StringVar(&x.format, "format", "", "what to write: "+strings.Join(renderedNames(), ", "))
	f.Float64Var((*float64)(&x.clock), "clock-ghz", 1, "cycles per nanosecond of the latencies")
	f.Float64Var((*float64)(&x.beta), "beta-ns-per-m", 0,
		"propagation delay of all links, in place of the machine file's")
	fabricFlag(f, &x.fabric)
	f.StringVarP(&x.output, "output", "o", "",
		"file to write, standard output when left out; directory for formats of several files")
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
	if _, err := spec.Fabric(x.fabric); err != nil && (!x.whole() || x.fabric != "") {
		return spelled(err, fabricFlags)
	}
	progress := meter.New(cmd.ErrOrStderr())
	plan, err := machine.PlanWith(cmd.Context(), spec, machine.Options{Progress: progress.Stage})
	progress.Clear()
	if err != nil {
		return asInput(err)
	}
	switch x.format {
	case rackFormat:
		return x.racks(cmd, arg, plan)
	case ibFormat:
		return x.ibnetdiscover(cmd, arg, plan)
	case netboxFormat:
		return x.netbox(cmd, arg, plan)
	case topoFormat:
		return x.topo(cmd, arg, plan)
	}
	if linkFormats[x.format] != nil {
		return x.links(cmd, arg, plan)
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

// rackFormat is the format of lists of racks, which is none of a graph.
const rackFormat = "racks"

// ibFormat is that of ibnetdiscover and ibsim.
const ibFormat = "ibnetdiscover"

// ibnetdiscover writes the links of a plan as ibnetdiscover would find them.
func (x *renderCommand) ibnetdiscover(cmd *cobra.Command, arg string, plan *machine.Result) error {
	w, err := exchange.Planned(plan, x.fabric)
	if err != nil {
		return inputError(fmt.Errorf("%s: %w", arg, err))
	}
	return x.file(cmd, func(out io.Writer) error { return exchange.WriteIBNetDiscover(cmd.Context(), out, w) })
}

// renderedNames are the formats of plans.
func renderedNames() []string {
	all := append(exportNames(), rackFormat, ibFormat, netboxFormat, topoFormat)
	all = slices.AppendSeq(all, maps.Keys(linkFormats))
	slices.Sort(all)
	return all
}

// racks writes the list of the racks of a plan.
func (x *renderCommand) racks(cmd *cobra.Command, arg string, plan *machine.Result) error {
	room := plan.Room()
	switch {
	case room == nil:
		return inputError(fmt.Errorf("%s: nested containers have no racks to list", arg))
	case len(room.Spec.Halls) > 1:
		return inputError(fmt.Errorf("%s: a list of racks is of one hall, and the room has %d", arg,
			len(room.Spec.Halls)))
	}
	return x.file(cmd, func(w io.Writer) error { return racklist.Write(cmd.Context(), w, room) })
}

// file writes a file, or to standard output.
func (x *renderCommand) file(cmd *cobra.Command, write func(io.Writer) error) error {
	if x.output == "" {
		return write(cmd.OutOrStdout())
	}
	if err := render.WriteFile(cmd.Context(), x.output, write); err != nil {
		return inputError(err)
	}
	return nil
}

// check checks the flags, all of them.
func (x *renderCommand) check() error {
	var wrong []error
	refuse := func(format string, a ...any) { wrong = append(wrong, fmt.Errorf(format, a...)) }
	if !slices.Contains(renderedNames(), x.format) {
		refuse("--format: no format %q%s", x.format, nearest(x.format, renderedNames()))
	}
	if slices.Contains(directoryFormats, x.format) && x.output == "" {
		refuse("-o: %s is several files; expected a directory for them", x.format)
	}
	flags := map[string]string{"Clock": "clock-ghz", "Propagation": "beta-ns-per-m"}
	for _, err := range []error{delay.CheckClock(x.clock), delay.Override{Propagation: &x.beta}.Check()} {
		if err != nil {
			wrong = append(wrong, spelled(err, flags))
		}
	}
	return errors.Join(wrong...)
}
