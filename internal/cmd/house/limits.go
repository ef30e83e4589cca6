package main

import (
	"cmp"
	"fmt"
	"slices"
)

// A limit is what must not be exceeded.
type limit struct {
	name    string
	most    int
	unit    string // what is counted; empty where a finding is one thing
	measure func(*tree) []finding
	kernels bool // functions named in kernels.txt may exceed it
}

var limits = []limit{
	{name: "arrows", measure: arrows},
	{name: "package-lines", most: 9000, unit: "lines", measure: packageLines},
	{
		name: "file-lines", most: 600, unit: "lines",
		measure: func(t *tree) []finding { return fileLines(t.code) },
	},
	{
		name: "function-lines", most: 80, unit: "lines", kernels: true,
		measure: func(t *tree) []finding { return t.functionLines(t.code) },
	},
	{name: "complexity", most: 25, unit: "branches", measure: complexities, kernels: true},
	{name: "line-width", unit: "lines too wide", measure: wideLines},
	{name: "documented", measure: undocumented},
	{name: "package-comment", measure: withoutPackageComment},
}

// testSizes are reported and not limited.
var testSizes = []limit{
	{
		name: "file-lines", most: 600, unit: "lines",
		measure: func(t *tree) []finding { return fileLines(t.tests) },
	},
	{
		name: "function-lines", most: 80, unit: "lines",
		measure: func(t *tree) []finding { return t.functionLines(t.tests) },
	},
}

// over returns what exceeds the limit, the worst first, and the greatest value of all.
func (l limit) over(t *tree) (breaches []finding, greatest finding) {
	for _, f := range l.measure(t) {
		if f.value > greatest.value {
			greatest = f
		}
		if f.value > l.most {
			breaches = append(breaches, f)
		}
	}
	slices.SortFunc(breaches, func(a, b finding) int {
		return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.name, b.name))
	})
	return breaches, greatest
}

// A verdict is what came out for one limit.
type verdict struct {
	limit
	greatest finding
	breaches []finding
	known    int // of the breaches
	excused  int // of the breaches, as kernels
}

// A result is what came out for all.
type result struct {
	verdicts []verdict
	tests    []verdict
	failures failures
}

// A failure is what makes the check fail.
type failure struct {
	kind    kind
	message string
}

type failures []failure

type kind int

const (
	broken kind = iota // a breach that is new or has grown
	stale              // an entry of known.txt that is no breach
	idle               // an entry of kernels.txt that is no breach, or is repeated
)

func (f failures) without(k kind) failures {
	return slices.DeleteFunc(f, func(x failure) bool { return x.kind == k })
}

func (r *result) fail(k kind, format string, args ...any) {
	r.failures = append(r.failures, failure{k, fmt.Sprintf(format, args...)})
}

// inspect holds a tree to its limits.
func inspect(t *tree) *result {
	r := &result{}
	known := map[string]int{}
	for _, k := range t.known {
		known[k.limit+" "+k.name] = k.value
	}
	for _, l := range limits {
		v := verdict{limit: l}
		v.breaches, v.greatest = l.over(t)
		for _, f := range v.breaches {
			size, isKnown := known[l.name+" "+f.name]
			switch {
			case l.kernels && t.isKernel(f.name):
				v.excused++
			case !isKnown:
				r.fail(broken, "%s: %s", l.name, l.describe(f))
			case f.value > size:
				r.fail(broken, "%s: %s, more than the %d that are known", l.name, l.describe(f), size)
			default:
				v.known++
			}
		}
		r.verdicts = append(r.verdicts, v)
	}
	for _, l := range testSizes {
		v := verdict{limit: l}
		v.breaches, v.greatest = l.over(t)
		r.tests = append(r.tests, v)
	}
	r.checkLists(t)
	return r
}

// checkLists finds the entries of known.txt and kernels.txt that nothing needs.
func (r *result) checkLists(t *tree) {
	for _, k := range t.known {
		if _, ok := r.breach(k.limit, k.name); !ok || t.isKernel(k.name) {
			r.fail(stale, "%s: %s %s is no breach: take it out, or run house -shrink", knownFile, k.limit, k.name)
		}
	}
	seen := map[string]bool{}
	for _, k := range t.kernels {
		_, long := r.breach("function-lines", k.name)
		_, branched := r.breach("complexity", k.name)
		switch {
		case seen[k.name]:
			r.fail(idle, "%s: %s is listed twice", kernelsFile, k.name)
		case !long && !branched:
			r.fail(idle, "%s: %s breaks no limit", kernelsFile, k.name)
		}
		seen[k.name] = true
	}
}

// placesShown is how many places of one finding a failure lists.
const placesShown = 5

// counted reports whether values of the limit say more than that there is something.
func (l limit) counted() bool { return l.unit != "" }

// describe says what a finding is.
func (l limit) describe(f finding) string {
	s := f.name
	if l.counted() {
		s += fmt.Sprintf(": %s %d, at most %d", l.unit, f.value, l.most)
	}
	for i, where := range f.where {
		if i == placesShown {
			return s + "\n\t..."
		}
		s += "\n\t" + where
	}
	return s
}

// breach returns what breaks a limit by its name.
func (r *result) breach(limit, name string) (finding, bool) {
	for _, v := range r.verdicts {
		if v.name != limit {
			continue
		}
		if i := slices.IndexFunc(v.breaches, func(f finding) bool { return f.name == name }); i >= 0 {
			return v.breaches[i], true
		}
	}
	return finding{}, false
}
