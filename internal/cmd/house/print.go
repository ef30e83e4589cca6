package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// largestShown is the number of the largest that are printed of each size.
const largestShown = 3

// printSizes prints how large the repository is, how its sizes are distributed, and what the largest are.
func (t *tree) printSizes(w io.Writer) {
	var lines, comments, testLines, files int
	packages := map[string]bool{}
	for s := range t.tests {
		testLines += len(s.lines)
	}
	for s := range t.code {
		files++
		packages[s.folder()] = true
		lines += len(s.lines)
		for _, line := range s.lines {
			if strings.HasPrefix(strings.TrimSpace(line), "//") {
				comments++
			}
		}
	}
	fmt.Fprintf(w, "%d packages, %d files, %d lines (%d %% of them comments), and %d lines of tests (%.2f a line)\n\n",
		len(packages), files, lines, 100*comments/max(lines, 1), testLines, float64(testLines)/float64(max(lines, 1)))
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "size\tmedian\t95 %\t99 %\tlargest")
	for _, s := range sizes {
		findings := s.largest(t)
		fmt.Fprint(tw, s.name, "\t")
		for _, percent := range []int{50, 95, 99} {
			fmt.Fprint(tw, quantile(findings, percent), "\t")
		}
		var names []string
		for _, f := range findings[:min(len(findings), largestShown)] {
			names = append(names, fmt.Sprint(f.name, " ", f.value))
		}
		fmt.Fprintln(tw, strings.Join(names, ", "))
	}
	tw.Flush()
}

// quantile returns the value that so many per cent of findings, sorted in falling order, do not exceed.
func quantile(falling []finding, percent int) int {
	if len(falling) == 0 {
		return 0
	}
	return falling[len(falling)-max(len(falling)*percent/100, 1)].value
}
