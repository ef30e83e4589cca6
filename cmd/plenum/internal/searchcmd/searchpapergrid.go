package searchcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/meter"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/render/chart"
	"github.com/plenum-planner/plenum/study/search/exascale"
)

// withPaperGrid gives plenum search the flag --paper-grid, which takes the place of a search file.
func withPaperGrid(cmd *cobra.Command) *cobra.Command {
	var asked bool
	cmd.Flags().BoolVar(&asked, "paper-grid", false,
		"in place of FILE: compare the networks of the exascale memory paper from 100 to 1,000,000 nodes")
	cmd.Long += `

--paper-grid is the comparison of S. Li et al. (MEMSYS 2016), section 3: ports, mean
hops and bisection of tori, flattened butterflies, Moore bounds, dragonflies,
Angelfish and Flying Fish. -o writes the table and the paper's Figures 11 to 14.

  plenum search --paper-grid -o grid`
	search, args := cmd.RunE, cmd.Args
	cmd.Args = func(cmd *cobra.Command, given []string) error {
		if asked && len(given) > 0 {
			return cli.InputError(errors.New("--paper-grid takes no search file"))
		}
		return args(cmd, given)
	}
	cmd.RunE = func(cmd *cobra.Command, given []string) error {
		if asked {
			return runPaperGrid(cmd)
		}
		return search(cmd, given)
	}
	return cmd
}

// paperGrid is the JSON document of --paper-grid.
type paperGrid struct {
	NodesMin int64 `json:"nodes_min"` // the fewest nodes of a network
	NodesMax int64 `json:"nodes_max"` // the most
	// Networks is curve by curve, by size.
	Networks []exascale.Network `json:"networks"`
}

func runPaperGrid(cmd *cobra.Command) error {
	for _, flag := range []string{"engine", "resume", "shard", "wait"} {
		if cmd.Flags().Changed(flag) {
			return cli.InputError(fmt.Errorf("--%s: goes with a search file, not with --paper-grid", flag))
		}
	}
	dir, err := cmd.Flags().GetString("output")
	if err != nil {
		return err
	}
	asJSON, err := cmd.Flags().GetBool("json")
	if err != nil {
		return err
	}
	charts, err := searchCharts(cmd, dir)
	if err != nil {
		return err
	}
	progress := meter.New(cmd.ErrOrStderr())
	networks, err := exascale.Compare(cmd.Context(), exascale.Options{
		Progress: func(done, of int) { progress.Stage("measuring networks", done, of) },
	})
	progress.Clear()
	if err != nil {
		return err
	}
	if dir != "" {
		if err := writePaperGrid(cmd.Context(), dir, networks, charts); err != nil {
			return err
		}
	}
	if asJSON {
		return render.Document(cmd.Context(), cmd.OutOrStdout(),
			&paperGrid{NodesMin: exascale.MinNodes, NodesMax: exascale.MaxNodes, Networks: networks})
	}
	return printPaperGrid(cmd.OutOrStdout(), networks, dir)
}

func writePaperGrid(
	ctx context.Context, dir string, networks []exascale.Network, charts chart.Options,
) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return cli.InputError(err)
	}
	if err := outfile.Write(ctx, filepath.Join(dir, "paper-grid.csv"), func(w io.Writer) error {
		return exascale.WriteTable(ctx, w, networks)
	}); err != nil {
		return err
	}
	for _, f := range exascale.Figures(networks) {
		d, err := f.Chart.Draw(charts.Style)
		if err != nil {
			return err
		}
		for _, file := range charts.Files(f.Name, d) {
			path := filepath.Join(dir, file.Name)
			if err := outfile.Write(ctx, path, func(w io.Writer) error { return file.Write(ctx, w) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// printPaperGrid prints for every factor of ten in size the network of each group that has the most bisection for each
// port, hop and node.
func printPaperGrid(w io.Writer, networks []exascale.Network, dir string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s to %s nodes; of each kind and factor of ten the one with the most\n"+
		"bisection for each port, hop and node\n\n", english.Count(len(networks), "network"),
		english.Grouped(exascale.MinNodes), english.Grouped(exascale.MaxNodes))
	table := [][]string{{"network", "nodes", "ports", "mean hops", "bisection per node", "per port, hop and node"}}
	for from := int64(exascale.MinNodes); from < exascale.MaxNodes; from *= 10 {
		for _, n := range bestOfGroups(networks, from, 10*from) {
			table = append(table, []string{
				n.Curve, english.Grouped(n.Nodes), fmt.Sprint(n.Ports), fmt.Sprintf("%.3f", n.HopsMean),
				fmt.Sprintf("%.3f", n.BisectionPerNode), fmt.Sprintf("%.5f", n.Efficiency),
			})
		}
	}
	cli.WriteTable(&b, table)
	if dir != "" {
		fmt.Fprintf(&b, "\npaper-grid.csv and the charts of Figures 11 to 14 are in %s\n", dir)
	}
	return cli.Print(w, b.String())
}

// bestOfGroups are the best networks of a range of sizes, one of each group, in the order of the groups.
func bestOfGroups(networks []exascale.Network, from, below int64) []exascale.Network {
	var out []exascale.Network
	var groups []string
	for _, n := range networks {
		if len(groups) == 0 || groups[len(groups)-1] != n.Group {
			groups = append(groups, n.Group)
		}
	}
	for _, group := range groups {
		best := exascale.Network{Efficiency: math.Inf(-1)}
		for _, n := range networks {
			inside := n.Nodes >= from && (n.Nodes < below || below >= exascale.MaxNodes)
			if n.Group == group && inside && n.Efficiency > best.Efficiency {
				best = n
			}
		}
		if best.Nodes > 0 {
			out = append(out, best)
		}
	}
	return out
}
