// Package searchcmd is the command plenum search: flags and printing of what package search and those below it find.
package searchcmd

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/meter"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/study/search"
	"github.com/plenum-planner/plenum/topology"
)

// New is the command.
func New() *cobra.Command {
	cmd := withPaperGrid(newSearchMachines())
	cmd.AddCommand(newSearchGraph(), newSearchHyperX(), newSearchIBT(), newSearchThinTree())
	return cmd
}

func newSearchHyperX() *cobra.Command {
	var nodes, ports int
	var beta float64
	var regular, asJSON bool
	cmd := &cobra.Command{
		Use:   "hyperx --nodes N --ports R [--bisection B]",
		Short: "Find the HyperX with the fewest switches, then the fewest links",
		Long: `Find the HyperX with the fewest switches of R ports that carries at least N nodes
with a relative bisection of at least B, and of those with as many switches the
ones with the fewest links: all sides and widths, equal or not (J. H. Ahn et al.,
SC 2009, section 2). The relative bisection is the smallest K S/(2 T) over the
dimensions: S switches in a line, each two of them joined by K channels, and T
nodes on every switch; at 1, any half of the nodes can send to the other half at
full rate.

  plenum search hyperx --nodes 4096 --ports 48 --bisection 0.5

All that are best are listed. With --regular, only networks whose sides are equal
are regarded.`,
		Args: cli.Usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			find := topology.SmallestHyperX
			if regular {
				find = topology.SmallestRegularHyperX
			}
			found, err := find(nodes, ports, beta)
			if err != nil {
				return flagErrors(err, map[string]string{"beta": "bisection"})
			}
			r := newHyperXReport(nodes, ports, beta, regular, found)
			if asJSON {
				return render.Document(cmd.Context(), cmd.OutOrStdout(), r)
			}
			return r.print(cmd.OutOrStdout())
		},
	}
	cmd.Flags().IntVar(&nodes, "nodes", 0, "the fewest nodes")
	cmd.Flags().IntVar(&ports, "ports", 0, "the ports of a switch")
	cmd.Flags().Float64Var(&beta, "bisection", 0.5, "the least relative bisection")
	cmd.Flags().BoolVar(&regular, "regular", false, "regard only networks whose sides are equal")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// flagErrors puts mistakes in the parameters of a search down to the flags, some of which have other names.
func flagErrors(err error, named map[string]string) error {
	found := diag.Fields(err)
	if len(found) == 0 {
		return err
	}
	var out []error
	for _, e := range found {
		flag := e.Path
		if name, ok := named[flag]; ok {
			flag = name
		}
		out = append(out, fmt.Errorf("--%s: %s", flag, e.Message))
	}
	return cli.InputError(errors.Join(out...))
}

// hyperXReport is the JSON document.
type hyperXReport struct {
	Nodes     int     `json:"nodes"`     // the fewest that were asked for
	Ports     int     `json:"ports"`     // those of a switch
	Bisection float64 `json:"bisection"` // the least relative bisection that was asked for
	Regular   bool    `json:"regular"`   // whether only equal sides were regarded
	Best      hyperX  `json:"best"`      // the first of the optima
	// Optima is all networks with the fewest switches and, of those, the fewest links, in the order of the number of
	// dimensions, then of sides.
	Optima []hyperX `json:"optima"`
}

// hyperX is a network that was found.
type hyperX struct {
	Spec      string `json:"spec"`      // what to write into a machine file
	Dims      []int  `json:"dims"`      // switches along each dimension: S
	Widths    []int  `json:"widths"`    // channels between any two switches of a line, by dimension: K
	Terminals int    `json:"terminals"` // places for nodes at every switch: T
	Switches  int    `json:"switches"`  // how many there are
	Places    int    `json:"places"`    // for nodes, at all switches
	Ports     int    `json:"ports"`     // those of a switch that are used
	// Links is channels between switches and, for as many nodes as there are places, to nodes.
	Links int64 `json:"links"`
	// SwitchLinks is those between switches.
	SwitchLinks int64   `json:"switch_links"`
	Bisection   float64 `json:"bisection"` // relative, the smallest K S/(2 T); 0 for a single switch, which has none
}

func newHyperXReport(nodes, ports int, beta float64, regular bool, found []topology.HyperX) *hyperXReport {
	r := &hyperXReport{Nodes: nodes, Ports: ports, Bisection: beta, Regular: regular}
	for _, p := range found {
		x := hyperX{
			Spec: topology.Spec{Params: p}.String(), Dims: p.Dims, Terminals: p.Terminals, Switches: 1,
			Ports:     p.Terminals,
			Bisection: math.Inf(1),
		}
		for d, side := range p.Dims {
			width := 1
			if len(p.Widths) > 0 {
				width = p.Widths[d]
			}
			x.Widths = append(x.Widths, width)
			x.Switches *= side
			x.Ports += width * (side - 1)
			x.Bisection = min(x.Bisection, float64(width*side)/float64(2*p.Terminals))
		}
		if x.Switches == 1 {
			x.Bisection = 0
		}
		x.Places = x.Switches * p.Terminals
		x.SwitchLinks = int64(x.Ports-p.Terminals) * int64(x.Switches) / 2
		x.Links = x.SwitchLinks + int64(x.Places)
		r.Optima = append(r.Optima, x)
	}
	r.Best = r.Optima[0]
	return r
}

// print prints the report for people.
func (r *hyperXReport) print(w io.Writer) error {
	var b strings.Builder
	kind := "HyperX"
	if r.Regular {
		kind = "regular HyperX"
	}
	fmt.Fprintf(&b, "%s with the fewest switches of %s ports for %s nodes, relative bisection %g or more\n\n", kind,
		english.Grouped(int64(r.Ports)), english.Grouped(int64(r.Nodes)), r.Bisection)
	table := [][]string{{
		"topology", "switches", "places", "ports used", "links between switches",
		"relative bisection",
	}}
	for _, x := range r.Optima {
		bisection := fmt.Sprintf("%.4g", x.Bisection)
		if x.Switches == 1 {
			bisection = "-"
		}
		table = append(table, []string{
			x.Spec, english.Grouped(int64(x.Switches)), english.Grouped(int64(x.Places)),
			english.Grouped(int64(x.Ports)),
			english.Grouped(x.SwitchLinks), bisection,
		})
	}
	cli.WriteTable(&b, table)
	return cli.Print(w, b.String())
}

func newSearchIBT() *cobra.Command {
	var nodes string
	var q search.IBTQuery
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "ibt --nodes FROM..TO --degree D",
		Short: "Find the tori with bypass rings that have the shortest distances",
		Long: `Find the tori with interlaced bypass rings (P. Zhang, R. Powell and Y. Deng, IEEE
TPDS 22(2), 2011) with the lowest mean number of hops between nodes: of all sides
of at least 3, all numbers of dimensions with bypass rings, and up to --lengths
bypass lengths in any order. n dimensions make a degree of 2n + 2.

  plenum search ibt --nodes 31000..33000 --degree 8

The list is exact: a configuration is left out only if a lower bound on its mean
is above what was found. The range of the example takes half a minute of processor
time, with any number of lengths (--lengths 0) as well. In small networks there are
very many of several lengths: a narrower range, fewer --lengths and a shorter list
take less.`,
		Args: cli.Usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var unread error
			var ok bool
			if q.MinNodes, q.MaxNodes, ok = cli.NodeRange(nodes); !ok { // no nodes: the other flags are checked as well
				unread = fmt.Errorf("--nodes: %q is neither a number of nodes nor a range like 31000..33000", nodes)
			}
			progress := meter.New(cmd.ErrOrStderr())
			q.Progress = progress.Stage
			r, err := search.IBTs(cmd.Context(), q)
			progress.Clear()
			if err != nil {
				return ibtErrors(unread, err)
			}
			report := newIBTReport(q, r)
			if asJSON {
				return render.Document(cmd.Context(), cmd.OutOrStdout(), report)
			}
			return report.print(cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&nodes, "nodes", "", "how many nodes: 32400 or 31000..33000")
	cmd.Flags().IntVar(&q.Degree, "degree", 8, "the degree of a node: 4, 6, 8, 10 or 12")
	cmd.Flags().IntVar(&q.MaxLengths, "lengths", 3, "most bypass lengths; 0 for any number")
	cmd.Flags().IntVar(&q.Top, "top", 1, "how many to list, the best first")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// ibtErrors joins a range that could not be read with the mistakes of the other flags.
func ibtErrors(unread, err error) error {
	if unread == nil {
		return flagErrors(err, nil)
	}
	out := []error{unread}
	for _, e := range diag.Fields(err) {
		if e.Path != "nodes" {
			out = append(out, fmt.Errorf("--%s: %s", e.Path, e.Message))
		}
	}
	return cli.InputError(errors.Join(out...))
}

// ibtReport is the JSON document.
type ibtReport struct {
	NodesMin int `json:"nodes_min"` // the least number of nodes that was asked for
	NodesMax int `json:"nodes_max"` // the greatest number of nodes that was asked for
	Degree   int `json:"degree"`    // 2n + 2 in n dimensions; where two bypass links of a node are one, 1 less
	Regarded int `json:"regarded"`  // configurations that a bound on their whole class did not leave out
	Measured int `json:"measured"`  // networks whose distances were computed
	// LengthsMax is the most bypass lengths that were regarded; null for any number.
	LengthsMax *int       `json:"lengths_max"`
	Best       ibtFound   `json:"best"` // that with the lowest mean distance
	List       []ibtFound `json:"list"` // the best ones, in order; none that is left out is better than the last
}

// ibtFound is a configuration.
type ibtFound struct {
	Spec          string  `json:"spec"`           // what to write into a machine file
	Nodes         int     `json:"nodes"`          // how many there are
	Dims          []int   `json:"dims"`           // nodes along each dimension
	BypassDims    int     `json:"bypass_dims"`    // the first dimensions, which have bypass rings
	BypassLengths []int   `json:"bypass_lengths"` // in the order in which they take turns
	HopsMean      float64 `json:"hops_mean"`      // over pairs of different nodes
	// HopsMeanWithSelf counts the pairs of a node with itself, as the source does.
	HopsMeanWithSelf float64 `json:"hops_mean_with_self"`
	Diameter         int     `json:"diameter"` // hops
}

func newIBTReport(q search.IBTQuery, r *search.IBTResult) *ibtReport {
	out := &ibtReport{
		NodesMin: q.MinNodes, NodesMax: q.MaxNodes, Degree: q.Degree, Regarded: r.Regarded, Measured: r.Measured,
	}
	if q.MaxLengths > 0 {
		out.LengthsMax = &q.MaxLengths
	}
	for _, b := range r.Best {
		n := float64(b.Nodes)
		out.List = append(out.List, ibtFound{
			Spec: topology.Spec{Params: b.IBT}.String(), Nodes: b.Nodes, Dims: b.IBT.Dims, BypassDims: b.IBT.BypassDims,
			BypassLengths: b.IBT.BypassLengths, HopsMean: b.HopsMean, HopsMeanWithSelf: b.HopsMean * (n - 1) / n,
			Diameter: b.Diameter,
		})
	}
	out.Best = out.List[0]
	return out
}

// print prints the report for people.
func (r *ibtReport) print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "tori with bypass rings of degree %d, %s to %s nodes: the shortest mean distances\n\n", r.Degree,
		english.Grouped(int64(r.NodesMin)), english.Grouped(int64(r.NodesMax)))
	table := [][]string{{"topology", "nodes", "mean hops", "diameter"}}
	for _, f := range r.List {
		table = append(table, []string{
			f.Spec, english.Grouped(int64(f.Nodes)), fmt.Sprintf("%.4f", f.HopsMean), fmt.Sprint(f.Diameter),
		})
	}
	cli.WriteTable(&b, table)
	regarded := "any number of bypass lengths"
	if r.LengthsMax != nil {
		regarded = "at most " + english.Count(*r.LengthsMax, "bypass length")
	}
	fmt.Fprintf(&b, "\n%s; none that is left out is better than the last\n"+
		"bounds left %s configurations; %s networks of these, orders that differ, were measured\n", regarded,
		english.Grouped(int64(r.Regarded)), english.Grouped(int64(r.Measured)))
	return cli.Print(w, b.String())
}
