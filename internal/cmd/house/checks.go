package main

import (
	"cmp"
	"fmt"
	"slices"
)

// A check finds violations in the repository. Any violation fails the run.
type check struct {
	name string
	find func(*tree) []finding
}

var checks = []check{
	{"arrows", arrows},
	{"line-width", wideLines},
	{"documented", findUndocumented},
	{"package-comment", withoutPackageComment},
	{"internal types in exported signatures", internalSignatures},
	{"plain-words", privateWords},
}

// A size is a measurement that is printed and never fails: whether a piece of code is too long is for its reviewer to
// say.
type size struct {
	name    string
	measure func(*tree) []finding
}

var sizes = []size{
	{"lines a package", packageLines},
	{"lines a file", func(t *tree) []finding { return fileLines(t.code) }},
	{"lines a function", func(t *tree) []finding { return t.functionLines(t.code) }},
	{"complexity", complexities},
	{"lines a test file", func(t *tree) []finding { return fileLines(t.tests) }},
	{"lines a test function", func(t *tree) []finding { return t.functionLines(t.tests) }},
}

// largest returns the findings of a size in falling order, those of equal value by name.
func (s size) largest(t *tree) []finding {
	findings := s.measure(t)
	slices.SortFunc(findings, func(a, b finding) int {
		return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.name, b.name))
	})
	return findings
}

// violations returns a message for each violation of each check.
func violations(t *tree) []string {
	var out []string
	for _, c := range checks {
		for _, f := range c.find(t) {
			out = append(out, fmt.Sprintf("%s: %s", c.name, f))
		}
	}
	return out
}

// placesShown is the number of places that a message lists for one finding.
const placesShown = 5

// String names the finding and the first of its places, one to a line.
func (f finding) String() string {
	s := f.name
	for i, where := range f.where {
		if i == placesShown {
			return s + "\n\t..."
		}
		s += "\n\t" + where
	}
	return s
}
