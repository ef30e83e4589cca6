package cabling

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/topology"
)

// checked schedules a problem with all checks.
func checked(t rapid.TB, p *Problem) *Schedule {
	t.Helper()
	c := NewChecker(p)
	p.Visit = c.Visit
	s, err := Run(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	c.Finish(s, nil)
	return s
}

// Two links at one port are found, whichever way they come.
func TestTwoLinksAtOnePort(t *testing.T) {
	p, err := machineOf(newGraph(t, topology.Torus{Dims: []int{4, 4}}), directParts, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := checked(t, p)
	if n := s.Violations.Count(RulePorts); n > 0 {
		t.Fatalf("%d breaches", n)
	}
	c := NewChecker(p)
	for i := range s.Segments {
		c.Visit(s, &s.Segments[i])
	}
	again := s.Segments[5]
	c.Visit(s, &again)
	if n := s.Violations.Count(RulePorts); n != 2 {
		t.Errorf("%d violations, want one at each end: %+v", n, s.Violations.List())
	}
}

// Optics that do not talk to each other are found.
func TestOpticsThatDisagree(t *testing.T) {
	g := newGraph(t, topology.FatTree{Nodes: 4, Radix: 64, Rails: 8, Down: 32, Up: 4, Spines: 2})
	p, err := machineOf(g, map[string]string{
		"node": "nvidia-dgx-h100", "leaf": "nvidia-qm9700",
		"spine": "nvidia-qm9700",
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p.Media = []MediaRule{{Media: []catalog.Medium{catalog.Multimode}}}
	s := checked(t, p)
	if n := s.Violations.Count(RuleOptics); n > 0 {
		t.Fatalf("%d violations: %+v", n, s.Violations.List())
	}
	for i := range s.Products {
		s.Products[i].OpticB = catalog.Default().Part("nvidia-mms4x00-ns")
	}
	NewChecker(p).optics(s)
	if n := s.Violations.Count(RuleOptics); n != len(s.Products) {
		t.Errorf("%d violations for %d products", n, len(s.Products))
	}
}

// The rule about labels is broken exactly where two ends are labelled alike, or
// could be.
func TestLabelsAreUnique(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawMachine(t)
		s := checked(t, p)
		seen := map[string]bool{}
		twice := 0
		for i := range s.Segments {
			seg := &s.Segments[i]
			for _, label := range []string{s.Label(seg.A, seg.PortA), s.Label(seg.B, seg.PortB)} {
				if label == "" || seen[label] {
					twice++
				}
				seen[label] = true
			}
		}
		if n := s.Violations.Count(RuleLabels) + s.Violations.Count(RulePorts); twice > 0 && n == 0 {
			t.Fatalf("%d labels come twice, and no rule is broken", twice)
		} else if twice == 0 && n > 0 && s.Violations.Count(RulePorts) == 0 {
			t.Fatalf("every label is unique, but %+v", s.Violations.List())
		}
	})
}

func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"A03", "A03", true},
		{"A03", "A031", false},
		{"A*", "A03/U12", true},
		{"*02", "A02", true},
		{"*02", "A021", false},
		{"*", "", true},
		{"A*3*5", "A03/U5", true},
		{"A*3*5", "A05/U3", false},
		{"aa*aa", "aaa", false},
		{"row ?", "row A", false},
	} {
		if got := matches(c.pattern, c.text); got != c.want {
			t.Errorf("%q of %q: %v", c.pattern, c.text, got)
		}
	}
}

// Suppressed violations are counted and listed apart.
func TestSuppressedViolations(t *testing.T) {
	var v Violations
	v.Suppress([]Suppression{{"reach", "1*", "accepted"}, {"ports", "", "never"}})
	for i := range 250 {
		v.Add(RuleReach, fmt.Sprint(i), "too long")
	}
	if v.Count(RuleReach) != 250 || v.CountSuppressed(RuleReach) != 111 || v.Errors() != 139 {
		t.Errorf("%d, of which %d suppressed, %d errors", v.Count(RuleReach), v.CountSuppressed(RuleReach), v.Errors())
	}
	list := v.List()
	if len(list) != 202 || list[200].Message != "and 39 more" || list[200].Suppressed != "" ||
		list[201].Message != "and 11 more" || list[201].Suppressed != "accepted" {
		t.Errorf("%d listed, the last %+v", len(list), list[len(list)-2:])
	}
	if u := v.UnusedSuppressions(); len(u) != 1 || u[0].Rule != "ports" {
		t.Errorf("unused %+v", u)
	}
}

// docs/reference/rules.md lists the rules as they are. PLENUM_UPDATE=1 writes it.
func TestDocumentedRules(t *testing.T) {
	var b strings.Builder
	b.WriteString(`# Design rules

A plan is held against these rules. A violation of severity error means that the plan cannot be built as it is, and ends
` + "`plenum plan`" + ` with status 1; a warning does not. ` + "`plenum plan --rules`" +
		` lists the rules, ` + "`plenum plan --rules FILE`" + `
how a machine keeps them, ` + "`plenum explain RULE`" + ` explains one.

Violations can be accepted in the machine file, with a reason; they stay listed as suppressed and do not count. ` +
		"`where`" + `
is what the plan lists, with ` + "`*`" + ` for any run of characters:

` + "```yaml" + `
rules:
  suppress:
    - {rule: redundancy, where: "row A", reason: the rails are there for bandwidth}
` + "```" + `

<!-- The rest is written by PLENUM_UPDATE=1 go test ./cabling -run DocumentedRules -->
`)
	for _, r := range Rules {
		fmt.Fprintf(&b, "\n## %s (%s)\n\n%s\n\n%s\n\n%s\n", r.ID, r.Severity, wrapped(r.Text),
			wrapped(r.Why), wrapped("What helps: "+r.Mend))
		if !strings.HasSuffix(r.Text, ".") || !strings.HasSuffix(r.Why, ".") || !strings.HasSuffix(r.Mend, ".") {
			t.Errorf("%s is not told in sentences", r.ID)
		}
	}
	const path = "../docs/reference/rules.md"
	if os.Getenv("PLENUM_UPDATE") == "1" {
		if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != b.String() {
		t.Errorf("%s does not list the rules as they are; run PLENUM_UPDATE=1 go test ./cabling -run DocumentedRules "+
			"(%v)", path, err)
	}
	ids := RuleIDs()
	if slices.Sort(ids); len(slices.Compact(ids)) != len(Rules) {
		t.Error("two rules have one id")
	}
}

// wrapped breaks a paragraph into lines of at most 120 columns.
func wrapped(text string) string {
	var b strings.Builder
	column := 0
	for i, word := range strings.Fields(text) {
		width := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case column+1+width > 120:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += width
	}
	return b.String()
}
