package embedcmd

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/meter"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/render"
)

func newEmbedPlace() *cobra.Command {
	var output string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "place FILE",
		Short: "Place a machine and measure the lines between linked boxes",
		Long: `Place the boxes of a machine file, without cabling them, and measure the
straight lines between linked boxes, level by level: mean, longest, and how many
times those of the level before they are. A machine whose links carry one way
only, which cannot be planned, can be placed.

With -o, the places are written to a file, which a machine file reads as its
embedding.placement.`,
		Args: cli.Usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			spec, err := cli.LoadSpec(args)
			if err != nil {
				return err
			}
			progress := meter.New(cmd.ErrOrStderr())
			placed, err := machine.Place(cmd.Context(), spec, progress.Stage)
			progress.Clear()
			if err != nil {
				return cli.AsInput(err)
			}
			if output != "" {
				err := outfile.Write(cmd.Context(), output, func(w io.Writer) error {
					return embed.WriteCSV(cmd.Context(), w, placed.Graph, placed.Names, placed.Placement)
				})
				if err != nil {
					return err
				}
			}
			r := placed.Report()
			if asJSON {
				return render.Document(cmd.Context(), cmd.OutOrStdout(), r)
			}
			return printPlaced(cmd.OutOrStdout(), r)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "file to write the places into")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// printPlaced writes the figures for a terminal.
func printPlaced(w io.Writer, r *report.Placed) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n  %s vertices placed by strategy %s", r.Machine, english.Grouped(int64(r.Vertices)),
		r.Strategy)
	if r.Racks > 0 {
		fmt.Fprintf(&b, " in %s racks", english.Grouped(int64(r.Racks)))
	}
	b.WriteString("\n\nStraight lines between linked boxes\n")
	table := [][]string{{"level", "links", "mean m", "longest m", "growth", "of longest"}}
	times := func(x *float64) string {
		if x == nil {
			return "-"
		}
		return fmt.Sprintf("%.3f", *x)
	}
	for _, l := range r.Levels {
		table = append(table, []string{
			l.Level, english.Grouped(l.Links), fmt.Sprintf("%.3f", float64(l.Mean)),
			fmt.Sprintf("%.3f", float64(l.Max)), times(l.Growth), times(l.GrowthMax),
		})
	}
	cli.WriteTable(&b, table)
	if r.GrowthMean != nil {
		fmt.Fprintf(&b, "\nGeometric mean of the growth: %.3f\n", *r.GrowthMean)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "\nnote: %s\n", n)
	}
	return cli.Print(w, b.String())
}
