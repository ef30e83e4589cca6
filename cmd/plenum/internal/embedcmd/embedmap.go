package embedcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/budget"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/embed/mapping"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/meter"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/graphio"
	"github.com/plenum-planner/plenum/topology/names"
)

func newEmbedMap() *cobra.Command {
	var job mapJob
	var grid string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "map FILE.edges|SPEC",
		Short: "Map a graph on a grid of equal racks",
		Long: `Map the vertices of a graph on a grid of equal racks such that the sum over all
links of the Manhattan distances between racks is small. The graph is a file (edge
list, DOT, GraphML, GML, JSON, METIS, Matrix Market, BookSim anynet; the ending
tells), a machine file, or the topology section of one, written inline:

  plenum embed map net.edges --grid 16x16
  plenum embed map '{family: torus, dims: [16, 16, 16]}' --grid 16x16 -o placement.csv

All vertices count, terminals too, and each takes one of --capacity slots of its
rack; a link of many channels counts as often. The search starts from placements
of its own and from --start: with auto, the blocks of a lattice and the order of
the vertices along a Hilbert curve; with random, a random placement; or a
placement as -o writes it. The result is never worse than these.

The effort is a number of steps, so that the same seed gives the same result on
any number of cores; more effort never gives a worse one. An interrupt ends the
search, and the best so far is printed.`,
		Args: cli.Usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if job.w, job.h, err = cli.ParseGrid(grid); err != nil {
				return cli.InputError(err)
			}
			if !slices.Contains(mapping.Efforts(), job.effort()) {
				return cli.InputError(cli.NoValue("effort", "effort", string(job.Effort), mapping.Efforts()))
			}
			if cmd.Flags().Changed("capacity") && (job.Capacity < 1 || job.Capacity > math.MaxInt32) {
				return cli.Inputf("--capacity must be from 1 to %d, not %d", math.MaxInt32, job.Capacity)
			}
			g, called, err := graphOf(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			progress := meter.New(cmd.ErrOrStderr())
			err = job.run(cmd.Context(), g, called, progress)
			progress.Clear()
			if err != nil {
				return err
			}
			if asJSON {
				return render.Document(cmd.Context(), cmd.OutOrStdout(), &job.mapReport)
			}
			return printMap(cmd.OutOrStdout(), &job.mapReport)
		},
	}
	cmd.Flags().StringVar(&grid, "grid", "", "columns and rows of racks: 16x16 (required)")
	cmd.Flags().Int64Var(&job.Capacity, "capacity", 0,
		"vertices that a rack holds (as few as hold them all when left out)")
	cmd.Flags().StringVar(&job.Effort, "effort", string(mapping.Normal), "how long to search: quick, normal, thorough")
	cmd.Flags().Uint64Var(&job.Seed, "seed", 0, "seed of the search")
	cmd.Flags().StringVar(&job.Start, "start", "auto", "where to start: auto, random, or a placement file")
	cmd.Flags().StringVarP(&job.output, "output", "o", "", "file to write the placement to (CSV)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// mapNeed is the least that mapping a graph needs, measured on tori of 32,768 and 262,144 vertices. The time of the
// search is not in it: the search ends with the best placement so far when time is up.
var mapNeed = cli.PerGraph{
	Vertex: budget.Need{Bytes: 300, Seconds: 1e-6}, Link: budget.Need{Bytes: 200, Seconds: 0.3e-6},
}

// graphOf reads a graph from a file in one of the formats of graphs, or from an argument as plenum topology takes it.
func graphOf(ctx context.Context, arg string) (topology.Graph, *names.Names, error) {
	info, err := os.Stat(arg)
	ending := strings.ToLower(filepath.Ext(arg))
	if err != nil || !info.Mode().IsRegular() || ending == ".yaml" || ending == ".yml" {
		if _, err := cli.TopologySpec(arg); err != nil {
			return nil, nil, err
		}
		g, called, err := cli.TopologyOf(arg, "")
		if err != nil {
			return nil, nil, err
		}
		return g, called, mappable(ctx, g)
	}
	g, err := topology.New(topology.Spec{Params: graphio.File{Path: arg}})
	if err != nil {
		return nil, nil, cli.InputError(err)
	}
	return g, names.Of(g), mappable(ctx, g)
}

// mappable returns an error if a graph is too large for the budget.
func mappable(ctx context.Context, g topology.Graph) error {
	if err := mapNeed.Afford(ctx, "mapping", g); err != nil {
		return err
	}
	return cli.Walkable(g, "that are mapped")
}

// mapReport is the JSON document. The start's cost is that of the best placement
// to start from; the bound is null where none is known.
type mapReport struct {
	Vertices int   `json:"vertices"` // those of the graph
	Links    int64 `json:"links"`    // channels, both directions as one
	Grid     []int `json:"grid"`     // columns and rows of racks
	Capacity int64 `json:"capacity"` // vertices that a rack holds
	// Cost is the sum over links of their lengths, in racks along columns and rows; docs/embedding.md.
	Cost      int64    `json:"cost"`
	EdgeCut   int64    `json:"edge_cut"`   // links between different racks
	Longest   int64    `json:"longest"`    // the length of the longest link, in racks
	Loads     mapLoads `json:"loads"`      // vertices in a rack
	Start     string   `json:"start"`      // where the search began: `auto`, `random` or a file
	StartCost int64    `json:"start_cost"` // the cost of the best placement to start from
	// LowerBound is what no placement can cost less than; null where none is known.
	LowerBound       *int64   `json:"lower_bound"`
	LowerBoundMethod *string  `json:"lower_bound_method"` // how the bound was found; null without one
	GapToBound       *float64 `json:"gap_to_bound"`       // (cost - lower_bound) / cost; null without a bound
	// Effort is how long was searched: `quick`, `normal` or `thorough`.
	Effort      string `json:"effort"`
	Seed        uint64 `json:"seed"`        // of the random numbers
	Steps       int64  `json:"steps"`       // moves and exchanges that the search looked at
	Interrupted bool   `json:"interrupted"` // whether it was stopped early: the best so far
	// PlacementFile is where the placement was written; null where that was not asked for.
	PlacementFile *string `json:"placement_file"`
}

type mapLoads struct {
	Min int64 `json:"min"`
	Max int64 `json:"max"`
}

type mapJob struct {
	mapReport
	w, h   int
	output string
}

func (j *mapJob) effort() mapping.Effort { return mapping.Effort(j.Effort) }

func (j *mapJob) run(ctx context.Context, g topology.Graph, called *names.Names, progress *meter.Line) error {
	p, err := embed.OnGrid(g, j.w, j.h, j.Capacity)
	if err != nil {
		return cli.InputError(err)
	}
	j.Vertices, j.Links = topology.Vertices(g), topology.Count(g).Links
	j.Grid, j.Capacity = []int{j.w, j.h}, p.Capacity[0]
	starts, err := j.starts(g, p)
	if err != nil {
		return cli.InputError(err)
	}
	progress.Stage("lower bound", 0, 0)
	bound, err := mapping.LowerBound(p)
	if err != nil {
		return asMapInput(err)
	}
	best := slices.MinFunc(starts, func(a, b []int32) int {
		return cmp.Compare(mapping.ScoreOf(p.Graph, p.Costs, a).Sum, mapping.ScoreOf(p.Graph, p.Costs, b).Sum)
	})
	j.StartCost = mapping.ScoreOf(p.Graph, p.Costs, best).Sum
	r, err := mapping.Map(ctx, p, mapping.Options{
		Effort: j.effort(), Seed: j.Seed, Starts: starts,
		Progress: func(x mapping.Progress) {
			progress.Stage(fmt.Sprintf("cost %s, step", english.Grouped(x.Best.Sum)), int(x.Steps), int(x.Total))
		},
	})
	if err != nil {
		return asMapInput(err)
	}
	j.report(p, r, bound)
	if j.output == "" {
		return nil
	}
	j.PlacementFile = &j.output
	// What was found is worth keeping even if the search was interrupted.
	return outfile.Write(context.WithoutCancel(ctx), j.output, func(w io.Writer) error {
		return mapping.WriteGrid(w, j.w, r.Place, called.NameOrAddress)
	})
}

// asMapInput makes the error about a problem without a solution one about the user's input.
func asMapInput(err error) error {
	if errors.Is(err, mapping.ErrInfeasible) {
		return cli.InputError(err)
	}
	return err
}

// starts returns the placements to start from: those of embed.GridStarts for auto, which may exceed the capacity (the
// optimizer mends them), one drawn at random for random, else that of a file. The error about a file names a vertex for
// which its rack has no room.
func (j *mapJob) starts(g topology.Graph, p *mapping.Problem) ([][]int32, error) {
	switch j.Start {
	case "auto":
		return embed.GridStarts(g, j.w, j.h, j.Capacity), nil
	case "random":
		return [][]int32{mapping.Random(j.Vertices, p.Capacity, j.Seed)}, nil
	}
	f, err := os.Open(j.Start)
	if err != nil {
		return nil, fmt.Errorf("--start is neither auto nor random nor a file: %w", err)
	}
	defer f.Close()
	place, err := mapping.ReadGrid(j.Start, f, j.Vertices, j.w, j.h)
	if err != nil {
		return nil, err
	}
	loads := make([]int64, j.w*j.h)
	for v, q := range place {
		if loads[q]++; loads[q] > j.Capacity {
			return nil, fmt.Errorf("%s: vertex %d is one more than the %d that rack %d,%d holds", j.Start, v,
				j.Capacity, int(q)%j.w, int(q)/j.w)
		}
	}
	return [][]int32{place}, nil
}

func (j *mapJob) report(p *mapping.Problem, r *mapping.Result, bound mapping.Bound) {
	j.Cost, j.Longest, j.Steps, j.Interrupted = r.Score.Sum, r.Score.Longest, r.Steps, r.Interrupted
	loads := make([]int64, p.Costs.Places())
	for _, q := range r.Place {
		loads[q]++
	}
	j.Loads = mapLoads{slices.Min(loads), slices.Max(loads)}
	j.EdgeCut = mapping.EdgeCut(p.Graph, r.Place)
	j.LowerBound, j.LowerBoundMethod = &bound.Value, &bound.Method
	gap := bound.Gap(j.Cost)
	j.GapToBound = &gap
}

// printMap prints a report for people.
func printMap(w io.Writer, r *mapReport) error {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 4, 2, ' ', 0)
	row := func(format string, args ...any) { fmt.Fprintf(t, format+"\n", args...) }
	row("vertices\t%s, %s links", english.Grouped(int64(r.Vertices)), english.Grouped(r.Links))
	row("racks\t%d x %d, %s vertices each at most", r.Grid[0], r.Grid[1], english.Grouped(r.Capacity))
	row("cost\t%s, from %s (start %s)", english.Grouped(r.Cost), english.Grouped(r.StartCost), r.Start)
	row("lower bound\t%s (%s), gap %.1f %%", english.Grouped(*r.LowerBound), *r.LowerBoundMethod, 100**r.GapToBound)
	row("edge cut\t%s", english.Grouped(r.EdgeCut))
	row("longest link\t%s", english.Grouped(r.Longest))
	row("loads\t%s to %s", english.Grouped(r.Loads.Min), english.Grouped(r.Loads.Max))
	row("steps\t%s (%s, seed %d)", english.Grouped(r.Steps), r.Effort, r.Seed)
	if r.Interrupted {
		row("interrupted\tthe best so far")
	}
	if r.PlacementFile != nil {
		row("placement\t%s", *r.PlacementFile)
	}
	t.Flush()
	return cli.Print(w, b.String())
}
