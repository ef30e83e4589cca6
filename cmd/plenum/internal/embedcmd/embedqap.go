package embedcmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/budget"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/embed/qap"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/meter"
	"github.com/plenum-planner/plenum/render"
)

func newEmbedQAP() *cobra.Command {
	var effort, bestKnown, start string
	var seed uint64
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "qap FILE.dat",
		Short: "Solve a quadratic assignment problem",
		Long: `Solve a quadratic assignment problem in the format of QAPLIB: n, the n x n
numbers of A and those of B. The cost of a permutation p is the sum over all i and
j of a(i,j) b(p(i),p(j)). Permutations are printed as in QAPLIB's .sln files: the
location of every object, both counted from 1.

The effort is a number of steps, so that the same seed gives the same result on
any number of cores; more effort never gives a worse one. An interrupt ends the
search, and the best so far is printed.

gap_to_bound is (cost - lower_bound) / cost, and gap_to_best_known is (cost -
best_known) / best_known; where the divisor is 0, the gap is 0 or null.
--best-known takes the value, or a file with the name of an instance, its size and
the value on every line.`,
		Args: cli.Usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			e := qap.Effort(effort)
			if !slices.Contains(qap.Efforts(), e) {
				return cli.InputError(cli.NoValue("effort", "effort", effort, qap.Efforts()))
			}
			q, err := readFile(args[0], qap.Read)
			if err != nil {
				return cli.InputError(err)
			}
			need := matrixNeed.Times(float64(q.N) * float64(q.N))
			if err := cli.Afford(cmd.Context(), need, "the assignment of %s objects",
				english.Grouped(int64(q.N))); err != nil {
				return err
			}
			opt := qap.Options{Effort: e, Seed: seed}
			if start != "" {
				opt.Start, err = readFile(start, func(name string, r io.Reader) ([]int, error) {
					p, _, err := qap.ReadSolution(name, r, q.N)
					return p, err
				})
				if err != nil {
					return cli.InputError(err)
				}
			}
			r := &qapReport{
				Instance: instanceName(args[0]), N: q.N, Effort: effort, Seed: seed,
				compared: bestKnown != "",
			}
			if r.compared {
				if r.BestKnown, err = findBestKnown(bestKnown, r.Instance); err != nil {
					return cli.InputError(err)
				}
			}
			progress := meter.New(cmd.ErrOrStderr())
			err = r.solve(cmd.Context(), q, opt, progress)
			progress.Clear()
			if err != nil {
				return err
			}
			if asJSON {
				return r.writeJSON(cmd.Context(), cmd.OutOrStdout())
			}
			return printQAP(cmd.OutOrStdout(), r)
		},
	}
	cmd.Flags().StringVar(&effort, "effort", string(qap.Normal), "how long to search: "+effortNames())
	cmd.Flags().Uint64Var(&seed, "seed", 0, "seed of the search")
	cmd.Flags().StringVar(&bestKnown, "best-known", "", "best known cost, or a file of them, to compare with")
	cmd.Flags().StringVar(&start, "start", "", "permutation to start from, a .sln file; the result is never worse")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// matrixNeed is what an assignment takes at least for every entry of its matrices, as it was measured with 1,000
// objects.
var matrixNeed = budget.Need{Bytes: 60, Seconds: 50e-9}

func effortNames() string {
	var names []string
	for _, e := range qap.Efforts() {
		names = append(names, string(e))
	}
	return strings.Join(names, ", ")
}

// readFile opens a file and reads it.
func readFile[T any](name string, read func(name string, r io.Reader) (T, error)) (T, error) {
	f, err := os.Open(name)
	if err != nil {
		var none T
		return none, err
	}
	defer f.Close()
	return read(name, f)
}

// instanceName is the name of an instance, from that of its file.
func instanceName(file string) string {
	base := filepath.Base(file)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// findBestKnown is the value itself, or that of the instance in the file named.
func findBestKnown(arg, instance string) (int64, error) {
	if v, err := strconv.ParseInt(arg, 10, 64); err == nil {
		return v, nil
	}
	return readFile(arg, func(name string, r io.Reader) (int64, error) {
		lines := bufio.NewScanner(r)
		for line := 1; lines.Scan(); line++ {
			fields := strings.Fields(lines.Text())
			if len(fields) == 0 || fields[0] != instance {
				continue
			}
			at := diag.Position{File: name, Line: line}
			if len(fields) < 3 {
				return 0, at.Errorf("expected a name, a size and a value")
			}
			v, err := strconv.ParseInt(fields[2], 10, 64)
			if err != nil {
				return 0, at.Errorf("%q is not a whole number", fields[2])
			}
			return v, nil
		}
		if err := lines.Err(); err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
		return 0, fmt.Errorf("%s: there is no instance %q", name, instance)
	})
}

// qapReport is the JSON document without what --best-known adds. The bound is
// null when it was interrupted.
type qapReport struct {
	Instance    string `json:"instance"`    // its name, as that of its file
	N           int    `json:"n"`           // objects, and locations
	Cost        int64  `json:"cost"`        // the sum of the flows x distances of the solution
	Permutation []int  `json:"permutation"` // the location of every object, counted from 1
	// LowerBound is what no solution can cost less than; null where it was interrupted.
	LowerBound       *int64   `json:"lower_bound"`
	LowerBoundMethod *string  `json:"lower_bound_method"` // how the bound was found; null without one
	GapToBound       *float64 `json:"gap_to_bound"`       // (cost - lower_bound) / cost; null without a bound
	// Effort is how long was searched: `quick`, `normal` or `thorough`.
	Effort      string `json:"effort"`
	Seed        uint64 `json:"seed"`        // of the random numbers
	Steps       int64  `json:"steps"`       // exchanges that the search made
	Interrupted bool   `json:"interrupted"` // whether it was stopped early: the best so far

	compared  bool
	BestKnown int64 `json:"-"`
}

// bestKnownReport is the document of embed qap with --best-known.
type bestKnownReport struct {
	*qapReport
	BestKnown int64 `json:"best_known"` // the cost that `--best-known` gives
	// GapToBestKnown is (cost - best_known) / best_known; null where the best known cost is 0.
	GapToBestKnown *float64 `json:"gap_to_best_known"`
}

// writeJSON adds the best known value, if there is one.
func (r *qapReport) writeJSON(ctx context.Context, w io.Writer) error {
	if !r.compared {
		return render.Document(ctx, w, r)
	}
	return render.Document(ctx, w, &bestKnownReport{r, r.BestKnown, gap(r.Cost-r.BestKnown, r.BestKnown)})
}

func (r *qapReport) solve(ctx context.Context, q *qap.Instance, opt qap.Options, progress *meter.Line) error {
	progress.Stage("lower bound", 0, 0)
	bound, err := qap.LowerBound(ctx, q)
	switch {
	case err == nil:
		r.LowerBound, r.LowerBoundMethod = &bound.Value, &bound.Method
		opt.Bound = &bound.Value
	case !errors.Is(err, ctx.Err()):
		return err
	}
	opt.Progress = func(p qap.Progress) {
		progress.Stage(fmt.Sprintf("cost %s, step", english.Grouped(p.Cost)), int(p.Steps), int(p.Total))
	}
	found, err := qap.Solve(ctx, q, opt)
	if err != nil {
		return err
	}
	r.Cost, r.Steps, r.Interrupted = found.Cost, found.Steps, found.Interrupted
	for _, k := range found.Permutation {
		r.Permutation = append(r.Permutation, k+1)
	}
	if r.LowerBound != nil {
		r.GapToBound = gap(r.Cost-*r.LowerBound, r.Cost)
	}
	return nil
}

// gap is a fraction, nil where there is none.
func gap(difference, of int64) *float64 {
	g := 0.0
	if difference != 0 {
		if of == 0 {
			return nil
		}
		g = float64(difference) / float64(of)
	}
	return &g
}

// printQAP prints a report for people.
func printQAP(w io.Writer, r *qapReport) error {
	var b strings.Builder
	percent := func(g *float64) string {
		if g == nil {
			return "no gap as a fraction"
		}
		return fmt.Sprintf("%.3f %%", 100**g)
	}
	fmt.Fprintf(&b, "%s\n\n", r.Instance)
	t := tabwriter.NewWriter(&b, 0, 4, 2, ' ', 0)
	row := func(format string, args ...any) { fmt.Fprintf(t, "  "+format+"\n", args...) }
	row("objects\t%d", r.N)
	row("cost\t%s", english.Grouped(r.Cost))
	if r.LowerBound != nil {
		row("lower bound\t%s (%s), gap %s", english.Grouped(*r.LowerBound), *r.LowerBoundMethod, percent(r.GapToBound))
	}
	if r.compared {
		row("best known\t%s, gap %s", english.Grouped(r.BestKnown), percent(gap(r.Cost-r.BestKnown, r.BestKnown)))
	}
	row("steps\t%s (%s, seed %d)", english.Grouped(r.Steps), r.Effort, r.Seed)
	if r.Interrupted {
		row("interrupted\tthe best so far")
	}
	t.Flush()
	b.WriteString("\nPermutation")
	for i, k := range r.Permutation {
		if i%20 == 0 {
			b.WriteString("\n ")
		}
		fmt.Fprintf(&b, " %d", k)
	}
	b.WriteString("\n")
	return cli.Print(w, b.String())
}
