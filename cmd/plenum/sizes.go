package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/topology"
)

func newTopologySizes() *cobra.Command {
	var ask sizesFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "sizes --family FAMILY [--nodes FROM..TO] [--ports N] [--terminals N]",
		Short: "List the configurations of a family that exist in a range of sizes",
		Long: `List the configurations of a family that exist in a range of sizes. Each row
begins with a topology as a machine file and plenum topology take it:

  plenum topology sizes --family slim-fly --nodes 1000..100000 --ports 64

FROM..TO is a range of numbers of nodes; either end may be left out, and a single
number stands for itself. --ports is the most ports of a router. Diameters are
between the routers of a direct network, and between the nodes of a tree; a dash
stands where no closed form is known.

Where there are more than --limit, those are listed that are spread most evenly
over the range, the most regular of each step first, then those with the shortest
distances and the fewest routers; the last line tells how many are left out.

The last column marks shapes that the family's source does not call balanced, such
as a dragonfly without a = 2p = 2h: comparing one with other families compares its
shape. --terminals puts nodes on the routers of families whose routers are nodes:

  plenum topology sizes --family torus --nodes 1000..5000 --terminals 8

These configurations are regarded:
` + describeSearch(),
		Args: cli.Usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			found := make(chan *sizesReport, 1)
			if err := cli.Heard(cmd.Context(), func() error {
				q, list, err := ask.search()
				if err != nil {
					return cli.InputError(err)
				}
				found <- newSizesReport(ask.family, q, list)
				return nil
			}); err != nil {
				return err
			}
			if asJSON {
				return render.Document(cmd.Context(), cmd.OutOrStdout(), <-found)
			}
			return (<-found).print(cmd.OutOrStdout())
		},
	}
	// Numbers are read by ask.search, which reports all mistakes together.
	cmd.Flags().StringVar(&ask.family, "family", "", "the family to search (see plenum topology list)")
	cmd.Flags().StringVar(&ask.nodes, "nodes", "..", "how many nodes: 4096, 1000..100000, 1000.. or ..5000")
	cmd.Flags().StringVar(&ask.ports, "ports", "", "the most ports of a router (any number when left out)")
	cmd.Flags().StringVar(&ask.terminals, "terminals", "", "how many nodes stand on each router of a family "+
		"whose routers are nodes")
	cmd.Flags().StringVar(&ask.limit, "limit", "50", "the most rows to list, up to 10000")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// describeSearch lists, family by family, the members that are searched.
func describeSearch() string {
	var b strings.Builder
	for _, f := range topology.Families() {
		if doc := topology.SizesDoc(f.Name); doc != "" {
			fmt.Fprintf(&b, "\n  %s: %s", f.Name, doc)
		}
	}
	return b.String()
}

// sizesFlags holds the flags as given; "" where left out.
type sizesFlags struct{ family, nodes, ports, limit, terminals string }

// search reads the flags and lists the sizes. The error joins all mistakes.
func (f sizesFlags) search() (topology.SizeQuery, topology.SizeList, error) {
	var mistakes []error
	number := func(flag, text string, most int) int {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > most {
			mistakes = append(mistakes, fmt.Errorf("--%s: must be a number from 1 to %d, not %q", flag, most, text))
			return 0
		}
		return n
	}
	q := topology.SizeQuery{Limit: number("limit", f.limit, 10_000)}
	if f.ports != "" {
		q.MaxPorts = number("ports", f.ports, topology.MaxPorts)
	}
	if f.terminals != "" {
		q.Terminals = number("terminals", f.terminals, topology.MaxPorts)
	}
	var ok bool
	if q.MinNodes, q.MaxNodes, ok = cli.NodeRange(f.nodes); !ok {
		mistakes = append(mistakes, fmt.Errorf("--nodes: %q is neither a number of nodes from 1 to %d nor a range "+
			"like 1000..100000, 1000.. or ..5000",
			f.nodes, topology.MaxVertices))
		q.MinNodes, q.MaxNodes = 1, 1 // what else is wrong is found in no time
	}
	list, err := topology.Sizes(f.family, q)
	for _, e := range diag.Fields(err) {
		mistakes = append(mistakes, fmt.Errorf("--%s: %s", e.Path, e.Message))
	}
	return q, list, errors.Join(mistakes...)
}

// sizesReport is the JSON document.
type sizesReport struct {
	Family   string `json:"family"`    // the requested family
	Regarded string `json:"regarded"`  // the configurations among which sizes are listed
	NodesMin int    `json:"nodes_min"` // the least number of nodes that was asked for
	NodesMax int    `json:"nodes_max"` // the greatest number of nodes that was asked for
	// PortsMax is the most ports of a router that was asked for; null where any.
	PortsMax *int      `json:"ports_max"`
	Sizes    []sizeRow `json:"sizes"` // the configurations that fit
	// LeftOut is configurations that fit, beyond the limit of the list.
	LeftOut int `json:"left_out"`
	// Nearest is the next numbers of nodes below and above a range without sizes; left out where there are sizes.
	Nearest []int `json:"nearest,omitempty"`
}

// sizeRow is a configuration. What does not exist or is not known is null.
type sizeRow struct {
	Spec      string `json:"spec"`                 // what to write into a machine file
	Nodes     int    `json:"nodes"`                // vertices that send and receive messages
	Switches  int    `json:"switches"`             // vertices that only pass messages on
	Terminals int    `json:"terminals_per_router"` // nodes at a switch; 0 where nodes pass messages on
	Ports     int    `json:"ports"`                // those of the router with the most
	Links     int64  `json:"links"`                // channels, both directions as one
	// Diameter is the most hops, between the routers of a direct network and between the nodes of a tree; null where
	// not known.
	Diameter *int `json:"diameter"`
	// Unbalanced says how the shape differs from the shape that its source calls balanced; left out where it does not.
	Unbalanced string `json:"unbalanced,omitempty"`
}

func newSizesReport(family string, q topology.SizeQuery, list topology.SizeList) *sizesReport {
	r := &sizesReport{
		Family: family, Regarded: topology.SizesDoc(family), NodesMin: q.MinNodes, NodesMax: q.MaxNodes,
		Sizes: []sizeRow{}, LeftOut: list.LeftOut,
	}
	if q.MaxPorts > 0 {
		r.PortsMax = &q.MaxPorts
	}
	for i := range list.Sizes {
		z := &list.Sizes[i]
		row := sizeRow{
			Spec: z.Spec.String(), Nodes: z.Nodes, Switches: z.Switches,
			Terminals: z.Terminals, Ports: z.Ports, Links: z.Links,
			Unbalanced: topology.DescribeImbalance(z.Spec),
		}
		if z.Diameter >= 0 {
			row.Diameter = &z.Diameter
		}
		r.Sizes = append(r.Sizes, row)
	}
	if len(r.Sizes) == 0 {
		r.Nearest = nearestSizes(family, q)
	}
	return r
}

// nearestSizes returns the next number of nodes below and the next above a range without sizes; one or none if there is
// nothing below or above. Short ranges are searched before long ones.
func nearestSizes(family string, q topology.SizeQuery) []int {
	var out []int
	sizes := func(from, to int) []topology.Size {
		q := topology.SizeQuery{MinNodes: from, MaxNodes: to, MaxPorts: q.MaxPorts, Terminals: q.Terminals, Limit: 1000}
		list, err := topology.Sizes(family, q)
		if err != nil { // an empty range
			return nil
		}
		return list.Sizes
	}
	for to, reach := q.MinNodes-1, 16; to > 0 && len(out) == 0; reach *= 4 {
		from := max(1, to-reach)
		// A list may leave sizes out: the next one begins where it ends.
		for found := sizes(from, to); len(found) > 0; found = sizes(out[0]+1, to) {
			out = []int{found[len(found)-1].Nodes}
		}
		to = from - 1
	}
	above := 0
	for from, reach := q.MaxNodes+1, 16; from <= topology.MaxVertices && above == 0; reach *= 4 {
		to := min(from+reach, topology.MaxVertices)
		for found := sizes(from, to); len(found) > 0; found = sizes(from, above-1) {
			above = found[0].Nodes
		}
		from = to + 1
	}
	if above > 0 {
		out = append(out, above)
	}
	return out
}

// print prints the report for people.
func (r *sizesReport) print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s", r.Family, english.Grouped(int64(r.NodesMin)))
	if r.NodesMax > r.NodesMin {
		fmt.Fprintf(&b, " to %s", english.Grouped(int64(r.NodesMax)))
	}
	b.WriteString(" nodes")
	if r.PortsMax != nil {
		fmt.Fprintf(&b, ", up to %s ports", english.Grouped(int64(*r.PortsMax)))
	}
	fmt.Fprintf(&b, "\nregarded: %s\n\n", r.Regarded)
	table := [][]string{{"topology", "nodes", "switches", "nodes/switch", "ports", "links", "diameter"}}
	marked := slices.ContainsFunc(r.Sizes, func(z sizeRow) bool { return z.Unbalanced != "" })
	if marked {
		table[0] = append(table[0], "unbalanced")
	}
	for _, z := range r.Sizes {
		diameter := "-"
		if z.Diameter != nil {
			diameter = fmt.Sprint(*z.Diameter)
		}
		table = append(table, []string{
			z.Spec, english.Grouped(int64(z.Nodes)), cli.OrDash(z.Switches), cli.OrDash(z.Terminals),
			english.Grouped(int64(z.Ports)), english.Grouped(z.Links), diameter,
		})
		if marked {
			table[len(table)-1] = append(table[len(table)-1], cmp.Or(z.Unbalanced, "-"))
		}
	}
	if len(r.Sizes) > 0 {
		cli.WriteTable(&b, table)
		b.WriteString("\n")
	}
	b.WriteString(r.remark() + "\n")
	return cli.Print(w, b.String())
}

// remark returns a line about the number of sizes, how to list those left out, or the nearest ones if there are none.
func (r *sizesReport) remark() string {
	shown := english.Grouped(int64(len(r.Sizes)))
	switch {
	case r.LeftOut > 0:
		return fmt.Sprintf("%s of %s sizes; %s are left out: narrow --nodes or raise --limit",
			shown, english.Grouped(int64(len(r.Sizes)+r.LeftOut)), english.Grouped(int64(r.LeftOut)))
	case len(r.Sizes) == 1:
		return "1 size"
	case len(r.Sizes) > 1:
		return shown + " sizes"
	}
	var near []string
	for _, n := range r.Nearest {
		near = append(near, english.Grouped(int64(n)))
	}
	switch len(near) {
	case 0:
		return "no sizes"
	case 1:
		return "no sizes; the nearest has " + near[0] + " nodes"
	}
	return "no sizes; the nearest have " + strings.Join(near, " and ") + " nodes"
}
