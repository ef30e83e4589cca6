package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine"
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
		Args: usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			spec, err := loadSpec(args)
			if err != nil {
				return err
			}
			placed, err := machine.Place(cmd.Context(), spec)
			if err != nil {
				return asInput(err)
			}
			if output != "" {
				err := render.WriteFile(cmd.Context(), output, func(w io.Writer) error {
					return embed.WriteCSV(cmd.Context(), w, placed.Graph, placed.Placement)
				})
				if err != nil {
					return err
				}
			}
			r := newPlacedReport(placed)
			if asJSON {
				return render.Document(cmd.OutOrStdout(), r)
			}
			return r.print(cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "file to write the places into")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// placedReport is the JSON document about a placement. Growth is that of the
// mean length over the level before, null for the first; GrowthMean is its
// geometric mean.
type placedReport struct {
	Machine  string        `json:"machine"`  // its name in the machine file
	Strategy string        `json:"strategy"` // how the boxes were placed; docs/embedding.md
	Vertices int           `json:"vertices"` // those of the topology
	Racks    int           `json:"racks"`    // those that hold boxes; 0 with nested containers
	Levels   []placedLevel `json:"levels"`   // the links by the level of the topology
	// GrowthMean is the geometric mean of `levels[].growth`; null where there is one level, or a level without
	// length.
	GrowthMean *float64 `json:"growth_mean"`
	Notes      []string `json:"notes"` // what could not be kept, and what was assumed
}

type placedLevel struct {
	Level string  `json:"level"`         // its name
	Links int64   `json:"links"`         // those of the level
	Mean  float64 `json:"length_mean_m"` // the mean of the straight lines between linked boxes
	Max   float64 `json:"length_max_m"`  // that of the longest such line
	// Growth is the mean length divided by that of the level before; null for the first, and where one of the two is
	// 0.
	Growth *float64 `json:"growth"`
	// MaxGrowth is the greatest length divided by that of the level before; null likewise.
	MaxGrowth *float64 `json:"growth_max"`
}

func newPlacedReport(p *machine.Placed) *placedReport {
	r := &placedReport{
		Machine: p.Spec.Name, Strategy: string(p.Strategy), Vertices: len(p.Placement.Slot),
		Racks: len(p.Placement.Racks), Levels: []placedLevel{}, Notes: p.Notes,
	}
	ratio := func(a, b float64) *float64 {
		if a <= 0 || b <= 0 {
			return nil
		}
		x := math.Round(a/b*1e6) / 1e6
		return &x
	}
	for i := range p.Lengths {
		l := &p.Lengths[i]
		level := placedLevel{
			Level: l.Level, Links: l.Links, Mean: math.Round(float64(l.Mean())*1e6) / 1e6,
			Max: math.Round(float64(l.Max)*1e6) / 1e6,
		}
		if i > 0 {
			level.Growth = ratio(float64(l.Mean()), float64(p.Lengths[i-1].Mean()))
			level.MaxGrowth = ratio(float64(l.Max), float64(p.Lengths[i-1].Max))
		}
		r.Levels = append(r.Levels, level)
	}
	if n := len(p.Lengths) - 1; n > 0 {
		if x := ratio(float64(p.Lengths[n].Mean()), float64(p.Lengths[0].Mean())); x != nil {
			growth := math.Round(math.Pow(*x, 1/float64(n))*1e6) / 1e6
			r.GrowthMean = &growth
		}
	}
	return r
}

func (r *placedReport) print(w io.Writer) error {
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
			l.Level, english.Grouped(l.Links), fmt.Sprintf("%.3f", l.Mean),
			fmt.Sprintf("%.3f", l.Max), times(l.Growth), times(l.MaxGrowth),
		})
	}
	writeTable(&b, table)
	if r.GrowthMean != nil {
		fmt.Fprintf(&b, "\nGeometric mean of the growth: %.3f\n", *r.GrowthMean)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "\nnote: %s\n", n)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
