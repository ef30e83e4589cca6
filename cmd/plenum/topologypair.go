package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
	"github.com/plenum-planner/plenum/topology/names"
)

// pairReport is the document of the paths between two vertices.
type pairReport struct {
	From string `json:"from"` // the vertex that the paths begin at
	To   string `json:"to"`   // the vertex that they end at
	pairPaths
	// HopsFormula is the hops by the closed form of the family's source; left out where it has none.
	HopsFormula *int `json:"hops_formula,omitempty"`
	// HopsFormulaExact is whether that form is exact for this network; left out with it.
	HopsFormulaExact *bool `json:"hops_formula_exact,omitempty"`
	// Without is the paths that are left without the links of `--without`; left out without that flag.
	Without *pairWithout `json:"without,omitempty"`
}

// pairPaths counts the paths between two vertices of one graph.
type pairPaths struct {
	measure.PairPaths
	// Within is the paths of at most so many hops; null where there is no path at all.
	Within *measure.BoundedPaths `json:"within"`
}

// pairWithout is the same once links have failed.
type pairWithout struct {
	Links  []string `json:"links"`  // the ends of the failed links, as `A - B`
	Failed int      `json:"failed"` // how many links failed: all between these ends
	pairPaths
}

// pair prints the numbers of paths between the vertices of --from and --to and, with --without, those left without some
// links. Without --within, it also counts paths with at most one hop more than the minimal ones.
func (t *topologyCommand) pair(cmd *cobra.Command, g topology.Graph, called *names.Names) error {
	from, fromErr := called.Find(t.from)
	to, toErr := called.Find(t.to)
	failed, links, withoutErr := t.failedLinks(g, called)
	if err := errors.Join(fromErr, toErr, withoutErr); err != nil {
		return cli.InputError(err)
	}
	kinds := g.Kinds()
	forward := func(v int) bool { return kinds[topology.KindOf(kinds, v)].Role != topology.Terminal }
	within := t.within
	count := func(g topology.Graph) pairPaths {
		c := topology.NewCSR(g)
		p := pairPaths{PairPaths: measure.PathsBetween(c, from, to, forward)}
		if within = cmp.Or(within, p.Hops+1); p.Hops > 0 {
			bounded := measure.PathsWithin(c, from, to, within, forward)
			p.Within = &bounded
		}
		return p
	}
	report := &pairReport{From: called.NameOrAddress(from), To: called.NameOrAddress(to), pairPaths: count(g)}
	if f, ok := g.(topology.DistanceFormula); ok {
		if hops, exact, ok := f.FormulaHops(from, to); ok {
			report.HopsFormula, report.HopsFormulaExact = &hops, &exact
		}
	}
	if failed != nil {
		report.Without = &pairWithout{Links: links, pairPaths: count(failed)}
		for _, lost := range failed.Link {
			if lost {
				report.Without.Failed++
			}
		}
	}
	if t.asJSON {
		return render.Document(cmd.Context(), cmd.OutOrStdout(), report)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, from %s to %s\n\n", g.Family(), report.From, report.To)
	report.print(&b)
	if report.HopsFormula != nil {
		kind := "an upper bound here"
		if *report.HopsFormulaExact {
			kind = "exact here"
		}
		fmt.Fprintf(&b, "\nHops by the formula of the family's source: %d (%s)\n", *report.HopsFormula, kind)
	}
	if w := report.Without; w != nil {
		fmt.Fprintf(&b, "\nWithout %s between %s\n\n", english.Count(w.Failed, "link"), english.List(w.Links))
		w.print(&b)
	}
	return cli.Print(cmd.OutOrStdout(), b.String())
}

// print adds the counts to a report for people.
func (p *pairPaths) print(b *strings.Builder) {
	if p.Hops < 0 {
		b.WriteString("There is no path.\n")
		return
	}
	w := tabwriter.NewWriter(b, 0, 4, 2, ' ', 0)
	fmt.Fprintf(w, "  hops\t%d\n", p.Hops)
	fmt.Fprintf(w, "  minimal paths\t%v, of which %d share no link\n", p.Minimal, p.MinimalDisjoint)
	if x := p.Within; x != nil {
		share := fmt.Sprint(x.LinkDisjointLower)
		if x.LinkDisjointUpper > x.LinkDisjointLower {
			share = fmt.Sprintf("%d to %d", x.LinkDisjointLower, x.LinkDisjointUpper)
		}
		if x.Paths != nil {
			fmt.Fprintf(w, "  paths of at most %s\t%v, of which %s share no link\n", english.Count(x.Hops, "hop"),
				x.Paths, share)
		} else {
			fmt.Fprintf(w, "  paths of at most %s that share no link\t%s\n", english.Count(x.Hops, "hop"), share)
		}
	}
	fmt.Fprintf(w, "  paths that share no link\t%d\n", p.LinkDisjoint)
	fmt.Fprintf(w, "  paths that share no router\t%d\n", p.NodeDisjoint)
	w.Flush()
}

// failedLinks returns the graph in which all links between the ends that --without names have failed, and these ends as
// "A - B"; nil without the flag. Ends without a link between them are an error.
func (t *topologyCommand) failedLinks(g topology.Graph, called *names.Names) (*measure.Failed, []string, error) {
	if len(t.without) == 0 {
		return nil, nil, nil
	}
	var wrong []error
	var links []string
	lost := make(map[[2]int32]int) // links between two ends
	var asked [][2]int32
	for _, text := range t.without {
		a, b, err := linkEnds(text, called)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("--without: %w", err))
			continue
		}
		links = append(links, called.NameOrAddress(a)+" - "+called.NameOrAddress(b))
		asked = append(asked, [2]int32{int32(min(a, b)), int32(max(a, b))})
		lost[asked[len(asked)-1]] = 0
	}
	f := &measure.Failed{Graph: g}
	for l := range g.Links() {
		ends := [2]int32{min(l.A, l.B), max(l.A, l.B)}
		_, fails := lost[ends]
		f.Link = append(f.Link, fails)
		if fails {
			lost[ends]++
		}
	}
	for i, ends := range asked {
		if lost[ends] == 0 {
			wrong = append(wrong, fmt.Errorf("--without: there is no link %s", links[i]))
		}
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, nil, err
	}
	return f, links, nil
}

// linkEnds finds the two vertices of a link written as A - B. Names may have dashes of their own: the first dash with a
// vertex on both sides counts.
func linkEnds(text string, called *names.Names) (a, b int, err error) {
	var first error
	for i, c := range text {
		if c != '-' {
			continue
		}
		a, aErr := called.Find(strings.TrimSpace(text[:i]))
		b, bErr := called.Find(strings.TrimSpace(text[i+1:]))
		err := errors.Join(aErr, bErr)
		if err == nil {
			return a, b, nil
		}
		if first == nil || strings.HasPrefix(text[i:], "- ") {
			first = err
		}
	}
	if first == nil {
		first = fmt.Errorf("%q is not a link; write its two ends, as A - B", text)
	}
	return -1, -1, first
}
