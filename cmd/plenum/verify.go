package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/asbuilt/verify"
	"github.com/plenum-planner/plenum/asbuilt/watch"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/identity"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/meter"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
)

// verifyOptions holds the flags of plenum verify.
type verifyOptions struct {
	fabric  string
	failed  []string
	maps    []string
	strict  bool
	allowed int64 // links that may be unknown
	asJSON  bool
	work    workOptions
	draw    faultDrawings
	watch   watchOptions
	racks   bool
}

func newVerify() *cobra.Command {
	o := &verifyOptions{}
	cmd := &cobra.Command{
		Use:   "verify PLAN [SOURCE...]",
		Short: "Compare a plan with what is really cabled, and say how to mend it",
		Long: `Compare a plan with what is really cabled: which links are right, missing, extra or
plugged in elsewhere, and the fewest moves that mend it, in the order of the racks.

  plenum verify plan-out ibnetdiscover.txt --fabric compute
  plenum verify plan-out lldp/*.json

PLAN is the directory that plenum plan wrote, its plan.json, a machine file or an
example; the machine is planned again, which gives the same plan. Every SOURCE is what
some program or person has seen:

  InfiniBand             the output of ibnetdiscover (also with -g, -f or -p) or iblinkinfo
                         (also with --line); ibdiagnet2.net_dump, .lst or .db_csv
  LLDP                   lldpctl -f json or json0 of a host, in a file that has its name:
                         node-7.json; likewise what Cumulus, EOS, NX-OS, Junos (JSON)
                         and SONiC (show lldp table) show on a switch
  SONiC                  config_db.json or minigraph.xml
  labs, designs          containerlab, netlab, DSX Air, Batfish layer 1, CANU paddle,
                         infragraph
  NetBox                 cables, devices and racks: the tables of its import forms, those
                         that it exports, or the JSON of its REST API, all pages
  Omni-Path              opareport -o links -x, opaextractlink, or a topology sheet (CSV)
  UFM                    topology file of the NDT plugin (CSV)
  IBDM, ibdiagnet        topology file (fabric.topo)
  ptmd, NVIDIA Air       topology.dot, whose links name ports
  NVIDIA CVT             point-to-point sheet (CSV or .xlsx)
  Arista AVD             FABRIC-topology.csv
  CANU                   SHCD workbook (.xlsx), or a sheet of it as CSV
  tt-metal               cut sheet (CSV), system description (textproto) or what
                         the validation of a cluster discovers (YAML)
  cables.csv             of the plan, as it was filled in on the floor; a cable that is
                         not there has no devices, or nothing, no, not yet or the like
                         in a column named done
  the plan's workbook    filled in likewise, or any .xlsx with such a sheet

Boxes and ports are found by what they are called: by name, by what is printed, by what
systems call a port, by the number in a subnet; other names stand in --map FILE. What
is not identified is listed, and nothing is proposed for it. --strict takes no guess: no
box by how it is cabled, and no port by a number in its name.

What no source sees is unknown, and not a difference; but the exit status is 1 where
more links are unknown than --allow-unknown says.

Where something differs, verify also reports what still works: unreachable nodes, lost
bandwidth, and whether tables route the rest without deadlocks. --failed names boxes,
panels and cables that are out of order, or files that list them, one a line; it needs
no source:

  plenum verify plan-out --failed leaf-03 --failed C00017 --failed down.txt

--watch follows an installation: it reads the files that come into a directory as soon
as they are whole, and prints progress by rack until all is right or you press Ctrl-C.

  plenum verify plan-out --watch as-built

--floor and --elevations draw what differs on the floor plan and in the racks.

--work-order writes the way from what is found to the plan for those who do the work:
steps that keep --paths edge-disjoint paths between every two boxes and --capacity per
cent of the links up, as plenum diff has them, with both ends of every cable.

Exit status 1 means that something differs, that a node is cut off, or that links are
unknown.`,
		Args: cli.Usage(func(cmd *cobra.Command, args []string) error {
			if len(o.failed) > 0 || o.watch.dir != "" {
				return cobra.MinimumNArgs(1)(cmd, args)
			}
			return cobra.MinimumNArgs(2)(cmd, args)
		}),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	cli.FabricFlag(cmd.Flags(), &o.fabric)
	cmd.Flags().StringArrayVar(&o.failed, "failed", nil,
		"a box, panel or cable that is out of order, or a file that lists them; may be given several times")
	cmd.Flags().StringArrayVar(&o.maps, "map", nil,
		"a file that says what others call boxes and ports: a table, YAML, a map of GUIDs, hca_mapping; may be given "+
			"several times")
	cmd.Flags().BoolVar(&o.strict, "strict", false, "refuse what can only be guessed")
	cmd.Flags().Int64Var(&o.allowed, "allow-unknown", 0,
		"how many links may be unknown without an exit status of 1; -1 for any number")
	o.work.flags(cmd.Flags())
	o.draw.flags(cmd.Flags())
	o.watch.flags(cmd.Flags())
	cmd.Flags().BoolVar(&o.racks, "racks", false, "print how far every rack is: right, missing, wrong, unknown")
	cmd.Flags().BoolVar(&o.asJSON, "json", false, "print one JSON document")
	return cmd
}

// run compares the plan of args[0] with its sources, the other args, and prints the result, or follows the directory of
// --watch. Differences and unknown links are an error with status 1, after all output.
func (o *verifyOptions) run(cmd *cobra.Command, args []string) error {
	watched := o.watch.dir != ""
	err := errors.Join(o.work.check(cmd, len(args) > 1), o.draw.check(len(args) > 1 || watched), o.watch.check(cmd))
	if err != nil {
		return cli.InputError(err)
	}
	s, err := cli.PlannedSpec(args[0])
	if err != nil {
		return err
	}
	if o.fabric != "" {
		if _, err := s.Fabric(o.fabric); err != nil {
			return cli.Spelled(err, cli.FabricFlags)
		}
	}
	sources, err := readSources(args[1:])
	if err != nil {
		return err
	}
	var dir *watch.Dir
	if watched {
		if dir, err = watch.Open(o.watch.dir); err != nil {
			return cli.Inputf("--watch: %w", err)
		}
	}
	progress := meter.New(cmd.ErrOrStderr())
	plan, err := machine.PlanWith(cmd.Context(), s, machine.Options{NoPaths: true, Progress: progress.Stage})
	progress.Clear()
	if err != nil {
		return cli.AsInput(err)
	}
	p, err := verify.NewPlan(plan, o.fabric)
	if err != nil {
		return cli.Inputf("%s: %w", args[0], err)
	}
	if err := o.useMaps(p); err != nil {
		return err
	}
	if watched {
		return o.follow(cmd, p, dir, sources)
	}
	out, err := readFailed(p, o.failed)
	if err != nil {
		return err
	}
	r := p.Compare(sources)
	if err := o.refuseGuesses(r); err != nil {
		return err
	}
	if len(r.Differences) > 0 || len(o.failed) > 0 {
		if err := r.FindLeft(cmd.Context(), out); err != nil {
			return err
		}
	}
	if err := o.work.write(cmd.Context(), r); err != nil {
		return err
	}
	if err := o.draw.write(cmd.Context(), plan, r); err != nil {
		return err
	}
	if o.asJSON {
		err = render.Document(cmd.Context(), cmd.OutOrStdout(), r)
	} else {
		err = o.print(cmd.OutOrStdout(), r, len(sources) > 0)
	}
	if err != nil {
		return err
	}
	if err := verdict(r); err != nil || len(sources) == 0 {
		return err
	}
	return o.checkUnknown(r)
}

// checkUnknown returns an error with status 1 if more links are unknown than --allow-unknown permits; below 0 permits
// all.
func (o *verifyOptions) checkUnknown(r *verify.Result) error {
	if o.allowed >= 0 && int64(r.Unknown) > o.allowed {
		return cli.Brokenf("not all is seen: %s unknown; --allow-unknown %d takes that",
			english.Count(r.Unknown, "planned link"), r.Unknown)
	}
	return nil
}

// useMaps reads the files of --map, the names that sources give to boxes and ports, and makes p use them.
func (o *verifyOptions) useMaps(p *verify.Plan) error {
	all := &identity.Map{}
	for _, path := range o.maps {
		m, err := identity.LoadMap(path)
		if err != nil {
			return cli.InputUnlessDiagnosed(err)
		}
		all.Add(m)
	}
	if len(o.maps) == 0 {
		return nil
	}
	if err := p.Use(all); err != nil {
		return cli.InputUnlessDiagnosed(err)
	}
	return nil
}

// refuseGuesses returns an error, with --strict, if boxes or ports were identified otherwise than by name.
func (o *verifyOptions) refuseGuesses(r *verify.Result) error {
	boxes, ports := r.Identification.Guesses()
	if !o.strict || boxes+ports == 0 {
		return nil
	}
	var of []string
	if boxes > 0 {
		of = append(of, english.Count(boxes, "box")+" by how they are cabled")
	}
	if ports > 0 {
		of = append(of, english.Count(ports, "port")+" by a number in what they are called")
	}
	return cli.Inputf("--strict: the sources tell %s\nname them with --map FILE", strings.Join(of, ", and "))
}

// readSources reads all sources; the error joins the mistakes of all.
func readSources(paths []string) ([]*exchange.Wiring, error) {
	var sources []*exchange.Wiring
	var wrong []error
	for _, path := range paths {
		w, err := exchange.Read(path)
		if err != nil {
			wrong = append(wrong, err)
		}
		sources = append(sources, w)
	}
	if len(wrong) > 0 {
		return nil, cli.InputUnlessDiagnosed(errors.Join(wrong...))
	}
	return sources, nil
}

// verdict returns an error with status 1 about the first of: differences in cabling, boxes in other places, nodes cut
// off. It returns nil if there are none; unknown links do not count.
func verdict(r *verify.Result) error {
	if len(r.Differences) > 0 {
		return cli.Brokenf("what is cabled differs from the plan: %s",
			english.Count(len(r.Differences), "difference"))
	}
	if !r.OK {
		return cli.Brokenf("what is built differs from the plan: %s", english.Count(len(r.Places), "place"))
	}
	for _, l := range r.Left {
		if n := len(l.CutOff); n > 0 {
			return cli.Brokenf("cut off%s: %s", ofFabric(l.Fabric), english.Count(n, "node"))
		}
	}
	return nil
}

// print prints what differs, the moves, and what is left.
func (o *verifyOptions) print(w io.Writer, r *verify.Result, sources bool) error {
	var b strings.Builder
	if sources {
		fmt.Fprintf(&b, "%s checked: %s right, %s; %s unknown, which no source sees\n",
			english.Count(r.Checked, "planned link"), english.Grouped(int64(r.Right)),
			english.Count(len(r.Differences), "difference"), english.Grouped(int64(r.Unknown)))
	}
	if sources {
		printWays(&b, &r.Identification)
	}
	if len(r.Differences) > 0 {
		b.WriteString("\nDifferences\n")
	}
	for i := range r.Differences {
		printDifference(&b, &r.Differences[i])
	}
	for _, x := range r.Exchanged {
		fmt.Fprintf(&b, "  %s and %s are cabled in each other's place: all %s of each\n", x.Boxes[0], x.Boxes[1],
			english.Count(x.Links, "link"))
	}
	if len(r.Places) > 0 {
		b.WriteString("\nPlaces\n")
	}
	for _, m := range r.Places {
		fmt.Fprintf(&b, "  %s: planned %s, found %s\n", m.What, m.Plan, m.Found)
	}
	if len(r.Moves) > 0 {
		mend := "mend it, in this order"
		if len(r.Moves) == 1 {
			mend = "mends it"
		}
		fmt.Fprintf(&b, "\n%s that %s\n", english.Count(len(r.Moves), "move"), mend)
		t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, m := range r.Moves {
			fmt.Fprintf(t, "  %d\t%s\n", m.Step, describeMove(&m))
		}
		t.Flush()
	}
	printWork(&b, r.Order, o.work.file)
	if o.racks {
		b.WriteString("\nRacks\n")
		writeRacks(&b, r.Racks, len(r.Racks))
	}
	for i := range r.Left {
		if sources || i > 0 {
			b.WriteString("\n")
		}
		printLeft(&b, &r.Left[i])
	}
	if n := len(r.Identified); n > 0 {
		fmt.Fprintf(&b, "note: found by their links, not by name: %s is %s", r.Identified[0].Found, r.Identified[0].Box)
		if n > 1 {
			fmt.Fprintf(&b, ", and %s more, which --json lists", english.Grouped(int64(n-1)))
		}
		b.WriteString("\n")
	}
	for _, n := range r.Strangers {
		fmt.Fprintf(&b, "note: the plan has no box %s\n", n)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	return cli.Print(w, b.String())
}

// printWays prints how ports were identified, and what was not.
func printWays(b *strings.Builder, i *verify.Identification) {
	var by []string
	for _, w := range identity.Ways {
		if n := i.Ports[w]; n > 0 || w == identity.ByNumber {
			by = append(by, fmt.Sprintf("%s by %s", english.Grouped(int64(n)), w))
		}
	}
	fmt.Fprintf(b, "ports identified: %s\n", strings.Join(by, ", "))
	if n := i.Unidentified; n > 0 {
		var called []string
		for _, t := range i.NotPorts[:min(len(i.NotPorts), mostTexts)] {
			called = append(called, fmt.Sprintf("%q (%d)", t.Text, t.Ends))
		}
		if more := len(i.NotPorts) - len(called); more > 0 {
			called = append(called, fmt.Sprintf("%d more", more))
		}
		fmt.Fprintf(b, "not identified as ports of the plan: %s, called %s\n", english.Count(n, "end"),
			strings.Join(called, ", "))
	}
}

// mostTexts is the highest number of names of ports that are not identified that are printed.
const mostTexts = 8

// printDifference prints what is planned and what is found of a difference.
func printDifference(b *strings.Builder, d *verify.Difference) {
	fmt.Fprintf(b, "  %s", d.Kind)
	if d.Confidence != verify.Certain {
		fmt.Fprintf(b, " (%s)", d.Confidence)
	}
	b.WriteString("\n")
	for _, l := range d.Plan {
		fmt.Fprintf(b, "    planned %s: %s to %s", l.Cable, l.A, l.B)
		if l.Rate > 0 {
			fmt.Fprintf(b, ", %g Gb/s", l.Rate)
		}
		b.WriteString("\n")
	}
	for _, l := range d.Found {
		fmt.Fprintf(b, "    found: %s to %s", l.A, l.B)
		switch d.Kind {
		case verify.WrongProduct:
			fmt.Fprintf(b, ", %s in place of %s", l.Product, d.Plan[0].Product)
		case verify.WrongPolarity:
			fmt.Fprintf(b, ", cables of type %s in place of %s", l.Polarity, d.Plan[0].Polarity)
		case verify.WrongRate, verify.WrongWidth:
			fmt.Fprintf(b, ", %g Gb/s over %s", l.Rate, english.Count(l.Lanes, "lane"))
		case verify.Degraded:
			fmt.Fprintf(b, ", %s", english.Count(l.Errors, "error"))
		case verify.Conflict:
			fmt.Fprintf(b, ", as %s says", l.Source)
		}
		b.WriteString("\n")
	}
}

// describeMove returns the instruction of a move.
func describeMove(m *verify.Move) string {
	cable := "the cable"
	if m.Cable != "" {
		cable = m.Cable
	}
	switch m.Do {
	case verify.Lay:
		return fmt.Sprintf("lay %s from %s to %s", cable, m.To, m.Other)
	case verify.TakeOut:
		return fmt.Sprintf("disconnect the cable from %s to %s", m.From, m.Other)
	case verify.Exchange:
		return fmt.Sprintf("exchange %s from %s to %s for the planned product", cable, m.From, m.Other)
	case verify.Unplug:
		return fmt.Sprintf("unplug at %s the cable from %s", m.From, m.Other)
	case verify.Plug:
		return fmt.Sprintf("plug it into %s: it is %s", m.To, cable)
	}
	return fmt.Sprintf("move the plug of the cable from %s out of %s into %s: it is %s", m.Other, m.From, m.To, cable)
}
