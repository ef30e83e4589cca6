package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"plenum/machine"
	"plenum/render"
	"plenum/topology"
)

// topologyMetrics names the groups of figures that cost time, in the order in
// which they are reported.
var topologyMetrics = []string{"hops", "bisection"}

func newTopology() *cobra.Command {
	var only []string
	var export, output string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "topology SPEC",
		Short: "Measure a topology: links, distances, bisection",
		Long: `Measure a topology. SPEC is the topology section of a machine file, written
inline, or the name of a machine file:

  plenum topology '{family: torus, dims: [32, 32, 32]}'
  plenum topology machine.yaml

Distances are between the routers of a direct network, and between the terminals
of a tree; terminal_* are always from terminal to terminal. The standard
deviation counts the pairs of a vertex with itself. The bisection is bracketed by
computing; what a formula of the family's source says stands beside it.

With --export, the graph itself is written instead, to standard output or to the
file of -o.`,
		Args: usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, name := range only {
				if !slices.Contains(topologyMetrics, name) {
					return inputError(fmt.Errorf("--metrics: no metric %q; there are %s", name, strings.Join(topologyMetrics, ", ")))
				}
			}
			write, known := exports[export]
			switch {
			case export == "" && output != "":
				return inputError(errors.New("-o goes with --export"))
			case export != "" && !known:
				return inputError(fmt.Errorf("--export: no format %q; there are %s", export, strings.Join(exportNames(), ", ")))
			case export != "" && (asJSON || len(only) > 0):
				return inputError(errors.New("--export writes the graph: it goes neither with --json nor with --metrics"))
			}
			spec, err := topologySpec(args[0])
			if err != nil {
				return err
			}
			g, err := topology.New(spec)
			if err != nil {
				return inputError(err)
			}
			if export != "" {
				return exportGraph(cmd, g, write, output)
			}
			if len(only) == 0 {
				only = topologyMetrics
			}
			r, err := measureTopology(cmd.Context(), g, only)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), r)
			}
			return printTopology(cmd.OutOrStdout(), r)
		},
	}
	cmd.Flags().StringSliceVar(&only, "metrics", nil, "figures to work out besides the counts: "+strings.Join(topologyMetrics, ", ")+" (all when left out)")
	cmd.Flags().StringVar(&export, "export", "", "write the graph: "+strings.Join(exportNames(), ", "))
	cmd.Flags().StringVarP(&output, "output", "o", "", "file to export to")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	cmd.AddCommand(newTopologyList())
	return cmd
}

// exports are the formats of graphs.
var exports = map[string]func(io.Writer, topology.Graph) error{
	"anynet": topology.WriteAnynet, "dot": topology.WriteDOT, "edges": topology.WriteEdges,
	"graphml": topology.WriteGraphML, "json": topology.WriteJSON,
}

func exportNames() []string { return slices.Sorted(maps.Keys(exports)) }

// exportGraph writes a graph to a file, whole or not at all, or to standard
// output.
func exportGraph(cmd *cobra.Command, g topology.Graph, write func(io.Writer, topology.Graph) error, output string) error {
	if output == "" {
		return write(cmd.OutOrStdout(), g)
	}
	return render.WriteFile(cmd.Context(), output, func(w io.Writer) error { return write(w, g) })
}

// topologySpec reads an inline topology, or that of a machine file.
func topologySpec(arg string) (topology.Spec, error) {
	if _, err := os.Stat(arg); err == nil {
		m, err := machine.Load(arg)
		if errors.As(err, new(*fs.PathError)) {
			return topology.Spec{}, inputError(err)
		}
		if err != nil {
			return topology.Spec{}, err
		}
		return m.Topology, nil
	}
	if strings.TrimSpace(arg) == "" {
		arg = "{}" // whose error names the families
	}
	if !strings.ContainsAny(arg, "{:[") {
		return topology.Spec{}, inputError(fmt.Errorf("%s is neither a file nor a topology like '{family: torus, dims: [8, 8]}'; plenum topology list shows the families", arg))
	}
	return machine.ParseTopology(arg)
}

// topologyReport is the JSON document. A figure that was not worked out, or
// that does not exist, is null.
type topologyReport struct {
	Family           string          `json:"family"`
	Vertices         int             `json:"vertices"`
	Switches         int             `json:"switches"`
	Terminals        int             `json:"terminals"`
	Links            int64           `json:"links"`
	SimplexLinks     int64           `json:"simplex_links"`
	Levels           []topologyLevel `json:"levels"`
	DegreeMin        int             `json:"degree_min"`
	DegreeMax        int             `json:"degree_max"`
	Diameter         *int            `json:"diameter"`
	HopsMean         *float64        `json:"hops_mean"`
	HopsMeanWithSelf *float64        `json:"hops_mean_with_self"`
	HopsStd          *float64        `json:"hops_std"`
	HopsHistogram    []uint64        `json:"hops_histogram"`
	BisectionFormula *float64        `json:"bisection_formula"`
	BisectionLower   *int64          `json:"bisection_lower"`
	BisectionUpper   *int64          `json:"bisection_upper"`
	BisectionMethod  string          `json:"bisection_method"`
	NetworkCost      *int            `json:"network_cost"`
	PortsPerRouter   int             `json:"ports_per_router"`
	MooreBound       *int64          `json:"moore_bound"`
	Exact            *bool           `json:"exact"`
	TerminalDiameter *int            `json:"terminal_diameter"`
	TerminalHopsMean *float64        `json:"terminal_hops_mean"`

	// Beside the figures: between what hops are counted, what has no path, and
	// the standard error where sources were drawn.
	HopsOver     string   `json:"hops_over,omitempty"`
	Unreachable  uint64   `json:"unreachable_pairs,omitempty"`
	HopsMeanSE   *float64 `json:"hops_mean_std_err,omitempty"`
	formulaFrom  string
	stdErr       float64
	sourcesDrawn int
}

type topologyLevel struct {
	Level string `json:"level"`
	Links int64  `json:"links"`
}

func measureTopology(ctx context.Context, g topology.Graph, metrics []string) (*topologyReport, error) {
	census := topology.Count(g)
	degrees := topology.RouterDegrees(g)
	r := &topologyReport{
		Family: g.Family(), Vertices: topology.Vertices(g), Switches: census.Switches,
		Links: census.Links, SimplexLinks: census.Simplex, Levels: []topologyLevel{},
		DegreeMin: degrees.Min, DegreeMax: degrees.Max, PortsPerRouter: degrees.Ports,
	}
	for _, k := range g.Kinds() {
		if k.Role == topology.Terminal {
			r.Terminals += k.Count
		}
	}
	for i, l := range g.Levels() {
		r.Levels = append(r.Levels, topologyLevel{l.Name, census.ByLevel[i]})
	}
	if f, ok := g.(topology.Formulas); ok {
		if c := f.ClosedForms(); c.Bisection >= 0 { // false for NaN
			r.BisectionFormula, r.formulaFrom = &c.Bisection, c.BisectionSource
		}
	}
	ends := topology.HopEnds(g)
	if slices.Contains(metrics, "hops") {
		if err := r.measureHops(ctx, g, ends); err != nil {
			return nil, err
		}
	}
	if slices.Contains(metrics, "bisection") {
		b, err := topology.Bisect(ctx, g, ends, topology.BisectionOptions{})
		if err != nil {
			return nil, err
		}
		r.BisectionLower, r.BisectionUpper = &b.Lower, &b.Upper
		r.BisectionMethod = fmt.Sprintf("%s halved; lower bound: %s; upper bound: %s", ends, b.LowerMethod, b.UpperMethod)
	}
	return r, nil
}

func (r *topologyReport) measureHops(ctx context.Context, g topology.Graph, ends topology.Ends) error {
	h, err := topology.Hops(ctx, g, ends, topology.HopOptions{})
	if err != nil {
		return err
	}
	terminal := h
	if ends == topology.Routers && r.Terminals > 0 {
		if terminal, err = topology.Hops(ctx, g, topology.Terminals, topology.HopOptions{}); err != nil {
			return err
		}
	}
	exact := h.Exact && terminal.Exact
	cost := r.DegreeMax * h.Diameter
	moore := topology.MooreBound(r.DegreeMax, h.Diameter)
	r.HopsOver, r.Unreachable, r.Exact = h.Ends.String(), h.Unreachable, &exact
	r.Diameter, r.HopsMean, r.HopsMeanWithSelf = &h.Diameter, &h.Mean, &h.MeanWithSelf
	r.HopsStd, r.HopsHistogram = &h.Std, h.Histogram
	r.TerminalDiameter, r.TerminalHopsMean = &terminal.Diameter, &terminal.Mean
	r.NetworkCost = &cost
	if ends == topology.Routers && r.SimplexLinks == 0 && moore < math.MaxInt64 {
		r.MooreBound = &moore
	}
	if !h.Exact {
		r.HopsMeanSE, r.stdErr, r.sourcesDrawn = &h.StdErr, h.StdErr, h.Sources
	}
	return nil
}

// printTopology prints a report for people.
func printTopology(w io.Writer, r *topologyReport) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", r.Family)
	t := tabwriter.NewWriter(&b, 0, 4, 2, ' ', 0)
	row := func(format string, args ...any) { fmt.Fprintf(t, "  "+format+"\n", args...) }
	row("vertices\t%s", grouped(int64(r.Vertices)))
	if r.Switches > 0 {
		row("switches\t%s", grouped(int64(r.Switches)))
	}
	if r.Terminals > 0 {
		row("terminals\t%s", grouped(int64(r.Terminals)))
	}
	row("links\t%s", grouped(r.Links))
	if r.SimplexLinks > 0 {
		row("simplex links\t%s", grouped(r.SimplexLinks))
	}
	row("degree\t%d to %d", r.DegreeMin, r.DegreeMax)
	row("ports per router\t%d at most", r.PortsPerRouter)
	if r.Diameter != nil {
		row("diameter\t%d hops between %s", *r.Diameter, r.HopsOver)
		row("mean distance\t%.6g hops; %.6g +- %.6g with self pairs", *r.HopsMean, *r.HopsMeanWithSelf, *r.HopsStd)
		if r.Terminals > 0 {
			row("terminal to terminal\t%d hops at most, %.6g mean", *r.TerminalDiameter, *r.TerminalHopsMean)
		}
		if r.Unreachable > 0 {
			row("unreachable\t%s pairs", grouped(int64(r.Unreachable)))
		}
		if !*r.Exact {
			row("estimated\tfrom %d sources drawn, standard error of the mean %.3g; the diameter is a lower bound", r.sourcesDrawn, r.stdErr)
		}
		row("network cost\t%d (degree x diameter)", *r.NetworkCost)
		if r.MooreBound != nil {
			row("Moore bound\t%s vertices", grouped(*r.MooreBound))
		}
	}
	if r.BisectionLower != nil {
		row("bisection\t%s to %s channels (%s)", grouped(*r.BisectionLower), grouped(*r.BisectionUpper), r.BisectionMethod)
	}
	if r.BisectionFormula != nil {
		row("bisection by formula\t%.6g (%s)", *r.BisectionFormula, r.formulaFrom)
	}
	t.Flush()
	table := [][]string{{"level", "links"}}
	for _, l := range r.Levels {
		table = append(table, []string{l.Level, grouped(l.Links)})
	}
	b.WriteString("\nLinks by level\n")
	writeTable(&b, table)
	if len(r.HopsHistogram) > 0 {
		table = [][]string{{"hops", "ordered pairs"}}
		for h, c := range r.HopsHistogram {
			table = append(table, []string{fmt.Sprint(h), grouped(int64(c))})
		}
		b.WriteString("\nDistances\n")
		writeTable(&b, table)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func newTopologyList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the families of topologies and their parameters",
		Args:  usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), map[string]any{"families": familyList()})
			}
			return printFamilies(cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

type familyEntry struct {
	Family      string        `json:"family"`
	Description string        `json:"description"`
	Source      string        `json:"source"`
	Parameters  []familyParam `json:"parameters"`
}

type familyParam struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Required    bool   `json:"required"`
}

func familyList() []familyEntry {
	var out []familyEntry
	for _, f := range topology.Families() {
		e := familyEntry{f.Name, f.Doc, f.Source, []familyParam{}}
		for _, p := range f.Params {
			e.Parameters = append(e.Parameters, familyParam{p.Name, p.Doc, p.Required})
		}
		out = append(out, e)
	}
	return out
}

func printFamilies(w io.Writer) error {
	var b strings.Builder
	for i, f := range familyList() {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%s: %s\n", f.Family, f.Description)
		t := tabwriter.NewWriter(&b, 0, 4, 2, ' ', 0)
		for _, p := range f.Parameters {
			need := ""
			if p.Required {
				need = " (required)"
			}
			fmt.Fprintf(t, "  %s\t%s%s\n", p.Name, p.Description, need)
		}
		t.Flush()
		fmt.Fprintf(&b, "  source: %s\n", f.Source)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
