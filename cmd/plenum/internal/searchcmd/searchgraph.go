package searchcmd

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/meter"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/study/search"
)

func newSearchGraph() *cobra.Command {
	var grid string
	var seconds float64
	var job gridJob
	cmd := &cobra.Command{
		Use:   "graph --grid CxR --degree D --longest L",
		Short: "Find a graph with short cables and short distances over a floor of racks",
		Long: `Find a graph over a floor of C columns and R rows of racks with the least mean
number of hops, among those with at most D links at each rack, none longer than L.
The length of a link is the steps along columns and rows between its racks.

  plenum search graph --grid 20x20 --degree 6 --longest 3 --seconds 60 -o net.edges

Random graphs are annealed, one on each core, among those that look the same when
the floor is turned (--symmetry). What is found in --seconds depends on the machine;
with --steps, changes tried from each of --starts graphs, it is the same everywhere.
The mean is rarely the least there is: the bound tells how far off it may be.

-o writes an edge list, which the topology "file" reads. Racks are called by column
and row, "0,0" to "C-1,R-1"; --places writes a table that puts them there (embedding:
{placement: FILE}).`,
		Args: cli.Usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var wrong error
			switch flags := cmd.Flags(); {
			case flags.Changed("steps") && flags.Changed("seconds"):
				wrong = errors.New("--steps and --seconds: only one of the two bounds the search")
			case flags.Changed("steps") && job.query.Steps == 0:
				wrong = errors.New("--steps: must be at least 1")
			case !(seconds > 0 && seconds < 1e6):
				wrong = errors.New("--seconds: must be above 0 and below 1,000,000")
			}
			return job.run(cmd, grid, seconds, wrong)
		},
	}
	cmd.Flags().StringVar(&grid, "grid", "", "columns and rows of racks: 20x20 (required)")
	cmd.Flags().IntVar(&job.query.Degree, "degree", 4, "most links at a rack")
	cmd.Flags().IntVar(&job.query.Longest, "longest", 2, "the greatest length of a link, in racks")
	cmd.Flags().Float64Var(&seconds, "seconds", 10, "how long to search")
	cmd.Flags().Int64Var(&job.query.Steps, "steps", 0, "in place of --seconds: changes to try from every start")
	cmd.Flags().IntVar(&job.query.Starts, "starts", 0,
		"graphs to start from (default: as many as cores; with --steps, 4)")
	cmd.Flags().IntVar(&job.query.Symmetry, "symmetry", 0,
		"1, 2 (half a turn) or 4 (quarters); default the most that the grid has")
	cmd.Flags().Uint64Var(&job.query.Seed, "seed", 0, "seed of the random numbers")
	cmd.Flags().StringVarP(&job.output, "output", "o", "", "file to write the graph to (edge list)")
	cmd.Flags().StringVar(&job.places, "places", "", "file to write the places of the racks to (CSV)")
	cmd.Flags().BoolVar(&job.asJSON, "json", false, "print one JSON document")
	return cmd
}

// gridJob is a search with what is to be written.
type gridJob struct {
	query          search.GridQuery
	output, places string
	asJSON         bool
}

func (j *gridJob) run(cmd *cobra.Command, grid string, seconds float64, wrong error) error {
	q := &j.query
	var unread error
	if q.Columns, q.Rows, unread = cli.ParseGrid(grid); unread != nil {
		q.Columns, q.Rows = 2, 2 // the other flags are checked as well
	}
	if q.Time = time.Duration(seconds * float64(time.Second)); wrong != nil {
		q.Time = time.Second
	}
	if err := errors.Join(wrong, unread); err != nil {
		for _, e := range diag.Fields(q.Check()) {
			err = errors.Join(err, fmt.Errorf("--%s: %s", e.Path, e.Message))
		}
		return cli.InputError(err)
	}
	progress := meter.New(cmd.ErrOrStderr())
	q.Progress = progress.Stage
	r, err := search.GridGraph(cmd.Context(), *q)
	progress.Clear()
	if err != nil {
		return flagErrors(err, nil)
	}
	report := newGridReport(*q, r)
	if j.output != "" {
		report.File = &j.output
		err := outfile.Write(cmd.Context(), j.output, func(w io.Writer) error {
			return writeGridEdges(w, q.Columns, r.Edges)
		})
		if err != nil {
			return err
		}
	}
	if j.places != "" {
		report.PlacementFile = &j.places
		err := outfile.Write(cmd.Context(), j.places, func(w io.Writer) error {
			return writeGridPlaces(w, q.Columns, q.Rows)
		})
		if err != nil {
			return err
		}
	}
	if j.asJSON {
		return render.Document(cmd.Context(), cmd.OutOrStdout(), report)
	}
	return report.print(cmd.OutOrStdout())
}

// writeGridEdges writes an edge list in the form of Graph Golf's grids: "0,0 1,2".
func writeGridEdges(w io.Writer, columns int, edges [][2]int32) error {
	c := int32(columns)
	var b strings.Builder
	for _, e := range edges {
		fmt.Fprintf(&b, "%d,%d %d,%d\n", e[0]%c, e[0]/c, e[1]%c, e[1]/c)
	}
	return cli.Print(w, b.String())
}

// writeGridPlaces writes which vertex stands in which rack, at the bottom.
func writeGridPlaces(w io.Writer, columns, rows int) error {
	out := csv.NewWriter(w)
	lines := [][]string{{"address", "container", "unit"}}
	for y := range rows {
		for x := range columns {
			lines = append(lines, []string{
				fmt.Sprintf("%d,%d", x, y), fmt.Sprintf("%s%02d", layout.RowName(y), x+1), "1",
			})
		}
	}
	return out.WriteAll(lines)
}

// gridReport is the JSON document.
type gridReport struct {
	Grid     []int   `json:"grid"`      // columns and rows of racks
	Degree   int     `json:"degree"`    // most links at a rack
	Longest  int     `json:"longest"`   // the greatest length that was allowed, in steps from rack to rack
	HopsMean float64 `json:"hops_mean"` // over pairs of different racks
	Diameter int     `json:"diameter"`  // hops
	// Bound is what the mean of no graph with such links can be below.
	Bound float64 `json:"bound"`
	// DiameterBound is what the diameter of no graph with such links can be below.
	DiameterBound int    `json:"diameter_bound"`
	Links         int    `json:"links"`    // between racks
	Symmetry      int    `json:"symmetry"` // turns of the floor that leave the graph as it is
	Seed          uint64 `json:"seed"`     // of the random numbers
	Starts        int    `json:"starts"`   // graphs that were annealed
	Steps         int64  `json:"steps"`    // changes that were tried, in all starts
	// File is where the graph was written; null where that was not asked for.
	File *string `json:"file"`
	// PlacementFile is where the places of the racks were written; null where that was not asked for.
	PlacementFile *string `json:"placement_file"`
}

func newGridReport(q search.GridQuery, r *search.GridResult) *gridReport {
	return &gridReport{
		Grid: []int{q.Columns, q.Rows}, Degree: q.Degree, Longest: q.Longest, HopsMean: r.HopsMean,
		Diameter: r.Diameter, Bound: r.Bound, DiameterBound: r.BoundDiameter, Links: len(r.Edges),
		Symmetry: r.Symmetry, Seed: q.Seed, Starts: r.Starts, Steps: r.Steps,
	}
}

// print prints the report for people.
func (r *gridReport) print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "graph over %d x %d racks, up to %s each, of at most %s\n\n", r.Grid[0], r.Grid[1],
		english.Count(r.Degree, "link"), english.Count(r.Longest, "step"))
	cli.WriteTable(&b, [][]string{
		{"links", "mean hops", "bound", "diameter", "bound"},
		{
			english.Grouped(int64(r.Links)), fmt.Sprintf("%.4f", r.HopsMean), fmt.Sprintf("%.4f", r.Bound),
			fmt.Sprint(r.Diameter), fmt.Sprint(r.DiameterBound),
		},
	})
	fmt.Fprintf(&b, "\nsymmetry %d, %s, %s changes tried\n", r.Symmetry, english.Count(r.Starts, "start"),
		english.Grouped(r.Steps))
	if r.File != nil {
		fmt.Fprintf(&b, "graph %s\n", *r.File)
	}
	if r.PlacementFile != nil {
		fmt.Fprintf(&b, "places %s\n", *r.PlacementFile)
	}
	return cli.Print(w, b.String())
}
