package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/fzipp/gocyclo"
)

// offenders is how many of the worst are printed for a limit.
const offenders = 3

// printFacts prints how large the repository is and how its sizes are distributed, tests left out.
func (t *tree) printFacts(w io.Writer) {
	var lines, comments, testLines, files int
	var perFile, perFunction, branches, width []int
	packages := map[string]bool{}
	for s := range t.tests {
		testLines += len(s.lines)
	}
	for s := range t.code {
		files++
		packages[s.folder()] = true
		lines += len(s.lines)
		perFile = append(perFile, len(s.lines))
		for _, line := range s.lines {
			width = append(width, columns(line))
			if strings.HasPrefix(strings.TrimSpace(line), "//") {
				comments++
			}
		}
		for f := range s.functions {
			branches = append(branches, gocyclo.Complexity(f.node))
		}
	}
	for _, f := range t.functionLines(t.code) {
		perFunction = append(perFunction, f.value)
	}
	fmt.Fprintf(w, "%d packages, %d files, %d lines (%d %% of them comments), and %d lines of tests (%.2f a line)\n\n",
		len(packages), files, lines, 100*comments/max(lines, 1), testLines, float64(testLines)/float64(max(lines, 1)))
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "\tmedian\t95 %\t99 %\tgreatest\t")
	for _, row := range []struct {
		name   string
		values []int
	}{
		{"lines a file", perFile},
		{"lines a function", perFunction},
		{"complexity", branches},
		{"columns a line", width},
	} {
		slices.Sort(row.values)
		fmt.Fprint(tw, row.name, "\t")
		for _, percent := range []int{50, 95, 99, 100} {
			fmt.Fprint(tw, quantile(row.values, percent), "\t")
		}
		fmt.Fprintln(tw)
	}
	tw.Flush()
	fmt.Fprintln(w)
}

// quantile returns the value of a sorted list that so many per cent do not exceed.
func quantile(sorted []int, percent int) int {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[max(len(sorted)*percent/100, 1)-1]
}

// print prints the limits, their worst offenders, and what fails.
func (r *result) print(w io.Writer) {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "limit\tat most\tbroken by\tknown\tkernels\tworst")
	for _, v := range r.verdicts {
		fmt.Fprintf(tw, "%s\t%d\t%d\t%d\t%d\t%s\n", v.name, v.most, len(v.breaches), v.known, v.excused, v.worst())
	}
	tw.Flush()
	fmt.Fprintln(w, "\nof tests, for information")
	for _, v := range r.tests {
		fmt.Fprintf(tw, "%s\t%d\t%d\t%s\n", v.name, v.most, len(v.breaches), v.worst())
	}
	tw.Flush()
	if len(r.failures) > 0 {
		fmt.Fprintln(w)
	}
	for _, f := range r.failures {
		fmt.Fprintln(w, f.message)
	}
}

// worst names the worst offenders, or the greatest value where nothing offends.
func (v verdict) worst() string {
	show := v.breaches[:min(len(v.breaches), offenders)]
	if len(show) == 0 && v.greatest.value > 0 {
		show = []finding{v.greatest}
	}
	var out []string
	for _, f := range show {
		s := f.name
		if v.counted() {
			s = fmt.Sprintf("%s %d", s, f.value)
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

// list prints every breach as known.txt has it, and behind it the places.
func (r *result) list(w io.Writer) {
	for _, v := range r.verdicts {
		for _, f := range v.breaches {
			fmt.Fprintln(w, v.name, f.name, f.value)
			for _, where := range f.where {
				fmt.Fprintln(w, "\t"+where)
			}
		}
	}
}
