package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/exchange/opensm"
	"github.com/plenum-planner/plenum/internal/meter"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/racklist"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/render/chart"
	"github.com/plenum-planner/plenum/units"
)

const renderHelp = `Export a planned machine: its topology with the planned length, the medium and
the latency of every link. PLAN is the directory that plenum plan wrote, its
plan.json, a machine file or an example; the machine is planned again, which gives
the same plan.

  ansible  inventory (YAML) of Ansible: boxes by kind, with part, rack and unit
  anynet   network file of BookSim; latencies both ways, between routers only, as
           BookSim takes none of its nodes: their links have one cycle there
  astra-sim
           network file (YAML) of ASTRA-sim's analytical networks: tori, HyperX and trees
           with even branches; latencies are means over the cables of a dimension
  checklists
           of every rack, all that is plugged in there, from the top down, with boxes to
           tick (-o FILE.pdf) or as a table (.csv); --rack and --fabric choose some
  dot      graph of Graphviz
  edges    list of links
  elevations
           racks from the front and the rear with all that stands in them: a book with
           an index and a floor (-o FILE.pdf), or one rack of --rack (.png, .svg)
  exploded the levels of packaging of a machine in containers, each drawn apart with the
           links of its level (-o FILE: .png, .svg, .pdf)
  gltf     model in three dimensions (glTF 2.0, .glb) of rooms, racks, boxes, trays and
           bundles
  graphml  graph of yEd, Gephi, NetworkX
  ifc      the same model for that of a building: IFC 4 in a STEP file
  floor    floor plan (-o FILE: .png, .svg, .pdf, .dxf), racks coloured by --colour, on
           sheets of paper at a true scale with --sheet; with --cable or another of its
           kind, or --fabric, the cables that meet all of them along their ways
  htsim    topology file of htsim: fat trees of two or three tiers
  ibnetdiscover
           the network as ibnetdiscover prints it and ibsim reads it; ports are
           numbers from 1, and a node is one adapter with all of its ports
  infragraph
           infrastructure (JSON) of InfraGraph, with rate and latency of every link
  json     vertices and links with their ports
  kubernetes-labels
           labels of the nodes of Kubernetes that say which switches they share, as
           NVIDIA's topograph writes them
  labels-csv
           labels for both ends of every cable as a table (CSV, UTF-8) for the programs
           of label printers: Brother, Brady, Dymo; --rack and --fabric choose some
  labels-pdf
           the same on sheets of --label with a QR code or, with
           --code datamatrix, a Data Matrix (-o FILE.pdf)
  labels-zpl
           the same for Zebra printers, in the size of --label at --dpi
  lldp     what lldpctl -f json should print on every box, a file for each in the directory
           -o
  ndt      topology file (CSV) of UFM's NDT plugin
  netbox   files for the bulk import of NetBox into the directory -o: sites,
           manufacturers, roles, device types, racks, devices and cables
  netbox-changes
           what makes the cables that NetBox has those of the plan, into the directory -o:
           which to delete, to add and to keep; --found has those of NetBox, as it exports
           them (CSV, All data) or its REST API answers (JSON)
  ns3      topology file of the ns-3 network of ASTRA-sim, with rate and delay of every link
  omnipath topology sheet (CSV) of Omni-Path, as opaxlattopology reads it
  opensm   forwarding tables of one InfiniBand fabric for opensm -R file -U FILE, up and
           down, free of deadlocks in one virtual lane; --found has its GUIDs. In several
           --lanes over shortest paths, with a QoS policy and options for opensm -F, into
           the directory -o
  point-to-point
           table (CSV) of NVIDIA's cable validation tool
  progress
           table (CSV) of all links in the order of pull-sheets with empty columns done, by
           and when, to be filled in on the floor; plenum verify takes it as a source
  ptm      graph of the prescriptive topology manager of Cumulus Linux (ptmd)
  pull-sheets
           of every bundle, in pull order, the cables in it with both ends (-o FILE.pdf or
           .csv), and of every rack those that stay in it
  racks    list of all rack positions (CSV), as room.rack_list of a machine file
           names one: with it the room is laid out as before
  report   the plan as one page for a browser, report.html of plenum plan
  sections
           cross-sections of the trays with their cables: of pieces of --tray, or the
           fullest of each level (-o FILE: .png, .svg, .pdf)
  simgrid  platform (XML) of SimGrid: hosts, routers, and links with rate and latency
  slurm-topology
           topology.conf of Slurm, or topology.yaml with -o FILE.yaml: the switches of a
           tree, or the blocks of any other network
  sst      Python module of SST: merlin's routers, and links with their latencies
  topo     topology file of ibutils (ibdmchk, ibtopodiff) and the definitions of its
           systems into the directory -o; IBDM_IBNL_PATH has to name it
  topology drawing of the topology into the file -o (.png, .svg or .pdf): a graph of up
           to 500 vertices, or a map of how many channels join which racks, for each
           fabric
  trays    plan of the trays with their numbers (.png, .svg, .pdf, .dxf)
  tt-metal cut sheet (CSV) and system description (textproto) of Tenstorrent's tt-metal
           into the directory -o
  usd      the model of gltf as OpenUSD in its text form (.usda)

A latency is the propagation delay of the planned length in its medium, with what
the ends of the medium take, in cycles of --clock-ghz, rounded up, at least one:
what plenum sim takes for the same clock.`

func newRender() *cobra.Command {
	var x renderCommand
	cmd := &cobra.Command{
		Use:   "render PLAN --format FORMAT",
		Short: "Export a planned machine in a format of another tool",
		Long:  renderHelp,
		Args:  cli.Usage(cobra.ExactArgs(1)),
		RunE:  func(cmd *cobra.Command, args []string) error { return x.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.StringVar(&x.format, "format", "", "what to write: "+strings.Join(renderedNames(), ", "))
	f.Float64Var((*float64)(&x.clock), "clock-ghz", 1, "cycles per nanosecond of the latencies")
	f.Float64Var((*float64)(&x.beta), "beta-ns-per-m", 0,
		"propagation delay of all links, in place of the machine file's")
	cli.FabricFlag(f, &x.fabric)
	x.drawing.flags(f)
	x.labelled.flags(f)
	f.StringVar(&x.found, "found", "",
		"output of ibnetdiscover in the fabric, for the GUIDs of --format opensm; or the cables of NetBox")
	f.IntVar(&x.lanes, "lanes", 1, "virtual lanes of --format opensm at most, 1 to 15")
	f.StringVarP(&x.output, "output", "o", "",
		"file to write, standard output when left out; directory for formats of several files")
	return cmd
}

// renderCommand holds the flags of plenum render.
type renderCommand struct {
	format, fabric, output, found string
	lanes                         int
	drawing                       drawingFlags
	labelled                      labelFlags
	clock                         units.Frequency
	beta                          units.Propagation
}

func (x *renderCommand) run(cmd *cobra.Command, arg string) error {
	wrong := append(x.drawing.check(cmd, x.format, x.output), x.labelled.check(cmd, x.format, x.output)...)
	if err := errors.Join(append(wrong, x.check())...); err != nil {
		return cli.InputError(err)
	}
	spec, err := cli.PlannedSpec(arg)
	if err != nil {
		return err
	}
	if _, err := spec.Fabric(x.fabric); err != nil && (!x.whole() || x.fabric != "") {
		return cli.Spelled(err, cli.FabricFlags)
	}
	progress := meter.New(cmd.ErrOrStderr())
	plan, err := machine.PlanWith(cmd.Context(), spec, machine.Options{Progress: progress.Stage})
	progress.Clear()
	if err != nil {
		return cli.AsInput(err)
	}
	switch x.format {
	case rackFormat:
		return x.racks(cmd, arg, plan)
	case opensmFormat:
		return x.opensm(cmd, arg, plan)
	case changesFormat:
		return x.changes(cmd, arg, plan)
	case diagramFormat:
		return x.diagram(cmd, plan)
	}
	if slices.Contains(labelFormats, x.format) {
		return x.labels(cmd, arg, plan)
	}
	if slices.Contains(handoutFormats, x.format) {
		return x.handouts(cmd, arg, plan)
	}
	if isDrawing(x.format) {
		return x.drawing.write(cmd, x.format, x.output, x.fabric, plan)
	}
	if _, ok := linkExports[x.format]; ok {
		return x.links(cmd, arg, plan)
	}
	if drawnFormats[x.format] != nil {
		return x.drawn(cmd, plan)
	}
	if simulatorFormats[x.format] != nil || schedulerFormats[x.format] != nil {
		return x.network(cmd, arg, plan)
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
		return cli.Inputf("%s: a plan of %d links is a summary, which does not keep their lengths; "+
			"plenum topology --export writes the topology alone", arg, plan.Counts.Links)
	}
	return exportGraph(cmd, render.Graph(network, cycles), exports[x.format], x.output)
}

// rackFormat is the format of lists of racks.
const rackFormat = "racks"

// ibFormat is the format of ibnetdiscover and ibsim.
const ibFormat = "ibnetdiscover"

// renderedNames lists, sorted, all formats of plenum render.
func renderedNames() []string {
	all := append(exportNames(), rackFormat, changesFormat, opensmFormat, diagramFormat)
	all = slices.AppendSeq(all, maps.Keys(linkExports))
	all = slices.AppendSeq(all, maps.Keys(drawings))
	all = slices.AppendSeq(all, maps.Keys(drawnFormats))
	all = slices.AppendSeq(all, maps.Keys(simulatorFormats))
	all = slices.AppendSeq(all, maps.Keys(schedulerFormats))
	all = append(all, labelFormats...)
	all = append(all, handoutFormats...)
	slices.Sort(all)
	return all
}

// racks writes the list of the racks of a plan.
func (x *renderCommand) racks(cmd *cobra.Command, arg string, plan *machine.Result) error {
	room := plan.Room()
	switch {
	case room == nil:
		return cli.Inputf("%s: containers have no racks to list", arg)
	case len(room.Spec.Halls) > 1:
		return cli.Inputf("%s: a list of racks is of one hall, and the room has %d", arg,
			len(room.Spec.Halls))
	}
	return x.file(cmd, func(w io.Writer) error { return racklist.Write(cmd.Context(), w, room) })
}

// file writes the file of -o, or to standard output if there is none. An error of the file is an input error, one of
// standard output is not.
func (x *renderCommand) file(cmd *cobra.Command, write func(io.Writer) error) error {
	if x.output == "" {
		return write(cmd.OutOrStdout())
	}
	if err := outfile.Write(cmd.Context(), x.output, write); err != nil {
		return cli.InputError(err)
	}
	return nil
}

// check returns all mistakes in the flags, except in those of drawings and of labels, which check themselves.
func (x *renderCommand) check() error {
	var wrong []error
	refuse := func(format string, a ...any) { wrong = append(wrong, fmt.Errorf(format, a...)) }
	if !slices.Contains(renderedNames(), x.format) {
		wrong = append(wrong, cli.NoValue("format", "format", x.format, renderedNames()))
	}
	if inDirectory(x.format) && x.output == "" {
		refuse("-o: %s is several files; expected a directory for them", x.format)
	}
	if x.format == diagramFormat && x.output == "" {
		refuse("-o: name a file for the drawing, .png, .svg or .pdf")
	} else if x.format == diagramFormat {
		if _, err := chart.FormatOf(x.output); err != nil {
			refuse("-o: %v", err)
		}
	}
	if err := checkHandout(x.format, x.output); err != nil {
		wrong = append(wrong, err)
	}
	if drawnFormats[x.format] != nil && x.fabric != "" {
		refuse("--fabric: %s shows the boxes and cables of all fabrics", x.format)
	}
	if (x.format == opensmFormat || x.format == changesFormat) != (x.found != "") {
		refuse("--found: goes with --format %s, which needs the output of ibnetdiscover, and with %s, which needs the "+
			"cables of NetBox", opensmFormat, changesFormat)
	}
	switch {
	case x.lanes < 1 || x.lanes > opensm.MostLanes:
		refuse("--lanes: %d is not from 1 to %d", x.lanes, opensm.MostLanes)
	case x.lanes > 1 && x.format != opensmFormat:
		refuse("--lanes: goes with --format %s", opensmFormat)
	case x.lanes > 1 && x.output == "":
		refuse("-o: routing in several lanes is several files; expected a directory for them")
	}
	flags := map[string]string{"Clock": "clock-ghz", "Propagation": "beta-ns-per-m"}
	for _, err := range []error{delay.CheckClock(x.clock), delay.Override{Propagation: &x.beta}.Check()} {
		if err != nil {
			wrong = append(wrong, cli.Spelled(err, flags))
		}
	}
	return errors.Join(wrong...)
}
