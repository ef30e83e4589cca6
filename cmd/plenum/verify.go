package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/asbuilt/verify"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/meter"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
)

func newVerify() *cobra.Command {
	var fabric string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify PLAN SOURCE...",
		Short: "Compare a plan with what is really cabled, and say how to mend it",
		Long: `Compare a plan with what is really cabled: which links are right, missing, extra or
plugged in elsewhere, and the fewest moves that mend it, in the order of the racks.

  plenum verify plan-out ibnetdiscover.txt --fabric compute
  plenum verify plan-out lldp/*.json

PLAN is the directory that plenum plan wrote, its plan.json, a machine file or an
example; the machine is planned again, which gives the same plan. Every SOURCE is what
some program or person has seen:

  ibnetdiscover          its output, also with -p
  lldpctl -f json        of a host, in a file that has the host's name: node-7.json
  cables.csv             of the plan, as it was filled in on the floor; a cable that is
                         not there has no devices, or nothing in a column named done

Boxes are found by name, in small or capital letters, with a domain or without, and
with other leading zeros. What no source sees is unknown, and not a difference.

Exit status 1 means that something differs.`,
		Args: cli.Usage(cobra.MinimumNArgs(2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := cli.PlannedSpec(args[0])
			if err != nil {
				return err
			}
			if fabric != "" {
				if _, err := s.Fabric(fabric); err != nil {
					return cli.Spelled(err, cli.FabricFlags)
				}
			}
			var sources []*exchange.Wiring
			var wrong []error
			for _, path := range args[1:] {
				w, err := exchange.Read(path)
				if err != nil {
					wrong = append(wrong, err)
				}
				sources = append(sources, w)
			}
			if len(wrong) > 0 {
				return cli.InputUnlessDiagnosed(errors.Join(wrong...))
			}
			progress := meter.New(cmd.ErrOrStderr())
			plan, err := machine.PlanWith(cmd.Context(), s, machine.Options{Progress: progress.Stage})
			progress.Clear()
			if err != nil {
				return cli.AsInput(err)
			}
			p, err := verify.NewPlan(plan, fabric)
			if err != nil {
				return cli.Inputf("%s: %w", args[0], err)
			}
			r := p.Compare(sources)
			if asJSON {
				err = render.Document(cmd.OutOrStdout(), r)
			} else {
				err = printVerified(cmd.OutOrStdout(), r)
			}
			if err == nil && !r.OK {
				err = cli.Brokenf("what is cabled differs from the plan: %s",
					english.Count(len(r.Differences), "difference"))
			}
			return err
		},
	}
	cli.FabricFlag(cmd.Flags(), &fabric)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// printVerified prints what differs, and the moves.
func printVerified(w io.Writer, r *verify.Result) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s checked: %s right, %s; %s unknown, which no source sees\n",
		english.Count(r.Checked, "planned link"), english.Grouped(int64(r.Right)),
		english.Count(len(r.Differences), "difference"), english.Grouped(int64(r.Unknown)))
	if len(r.Differences) > 0 {
		b.WriteString("\nDifferences\n")
	}
	for _, d := range r.Differences {
		fmt.Fprintf(&b, "  %s\n", d.Kind)
		for _, l := range d.Plan {
			fmt.Fprintf(&b, "    planned %s: %s to %s\n", l.Cable, l.A, l.B)
		}
		for _, l := range d.Found {
			fmt.Fprintf(&b, "    found: %s to %s", l.A, l.B)
			if d.Kind == verify.WrongProduct {
				fmt.Fprintf(&b, ", %s in place of %s", l.Product, d.Plan[0].Product)
			}
			b.WriteString("\n")
		}
	}
	if len(r.Moves) > 0 {
		fmt.Fprintf(&b, "\n%s that mend it, in this order\n", english.Count(len(r.Moves), "move"))
		t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, m := range r.Moves {
			fmt.Fprintf(t, "  %d\t%s\n", m.Step, inWords(&m))
		}
		t.Flush()
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
	_, err := io.WriteString(w, b.String())
	return err
}

// inWords says what to do.
func inWords(m *verify.Move) string {
	cable := "the cable"
	if m.Cable != "" {
		cable = m.Cable
	}
	switch m.Do {
	case verify.Lay:
		return fmt.Sprintf("lay %s from %s to %s", cable, m.To, m.Other)
	case verify.TakeOut:
		return fmt.Sprintf("take out the cable from %s to %s", m.From, m.Other)
	case verify.Exchange:
		return fmt.Sprintf("exchange %s from %s to %s for the planned product", cable, m.From, m.Other)
	case verify.Unplug:
		return fmt.Sprintf("unplug at %s the cable from %s", m.From, m.Other)
	case verify.Plug:
		return fmt.Sprintf("plug it into %s: it is %s", m.To, cable)
	}
	return fmt.Sprintf("move the plug of the cable from %s out of %s into %s: it is %s", m.Other, m.From, m.To, cable)
}
