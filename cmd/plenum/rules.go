package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
)

// printViolations lists the violations of design rules: those that count one by
// one, suppressed ones in one line for each rule and reason.
func printViolations(b *strings.Builder, plan *machine.Result) {
	type group struct {
		rule, reason string
		where        []string
	}
	var suppressed []*group
	for _, line := range violationLines(&plan.Violations, func(cabling.Violation) bool { return true }) {
		fmt.Fprintf(b, "  %s\n", line)
	}
	for _, v := range plan.Violations.List() {
		if v.Suppressed == "" {
			continue
		}
		var g *group
		for _, s := range suppressed {
			if s.rule == v.Rule && s.reason == v.Suppressed {
				g = s
			}
		}
		if g == nil {
			g = &group{rule: v.Rule, reason: v.Suppressed}
			suppressed = append(suppressed, g)
		}
		g.where = append(g.where, cmp.Or(v.Where, v.Message))
	}
	const shown = 8
	for _, g := range suppressed {
		where := g.where
		if n := len(where) - shown; n > 0 {
			where = append(where[:shown:shown], fmt.Sprintf("%d more", n))
		}
		fmt.Fprintf(b, "  suppressed: %s: %s (%s)\n", g.rule, strings.Join(where, ", "), g.reason)
	}
}

// mostBreaches is the highest number of violations of one rule that are listed for people.
const mostBreaches = 8

// violationLines returns a line for each violation that is wanted and not suppressed, grouped by rule in the order of
// the first violations: at most mostBreaches of each rule, then a line with the number of all that are not suppressed.
func violationLines(all *cabling.Violations, wanted func(cabling.Violation) bool) []string {
	var order []string
	byRule := map[string][]cabling.Violation{}
	for _, v := range all.List() {
		if v.Suppressed != "" || !wanted(v) {
			continue
		}
		if byRule[v.Rule] == nil {
			order = append(order, v.Rule)
		}
		byRule[v.Rule] = append(byRule[v.Rule], v)
	}
	var lines []string
	for _, id := range order {
		found := byRule[id]
		for _, v := range found[:min(len(found), mostBreaches)] {
			where := v.Where
			if where != "" {
				where += ": "
			}
			lines = append(lines, fmt.Sprintf("%s: %s: %s%s", v.Severity, v.Rule, where, v.Message))
		}
		rule := cabling.FindRule(id)
		if rule == nil || len(found) <= mostBreaches {
			continue
		}
		count := all.Count(*rule) - all.CountSuppressed(*rule)
		lines = append(lines, fmt.Sprintf("%s: %s: and %s more, %s in all", rule.Severity, id,
			english.Grouped(int64(count-mostBreaches)), english.Grouped(int64(count))))
	}
	return lines
}

// ruleEntry is a design rule in a JSON document. The counts are left out where no
// machine was planned.
type ruleEntry struct {
	ID       string        `json:"id"`       // what machine files and violations name it by
	Severity diag.Severity `json:"severity"` // `error` or `warning`
	Text     string        `json:"text"`     // what must hold
	Why      string        `json:"why"`      // why, and how it is checked
	Mend     string        `json:"mend"`     // what helps
	// Breaches is how often it is broken, suppressed violations left out; left out where no machine was planned.
	Breaches *int `json:"breaches,omitempty"`
	// Suppressed is violations that the machine file suppresses; left out where no machine was planned.
	Suppressed *int `json:"suppressed,omitempty"`
	// Unchecked is why the plan has nothing to check; left out where it has, or where no machine was planned.
	Unchecked string `json:"unchecked,omitempty"`
	// Partly is what the rule could not check, for want of figures; left out where it checked all that there is.
	Partly string `json:"partly,omitempty"`
}

// rulesReport is the document of plan --rules.
type rulesReport struct {
	Rules      []ruleEntry          `json:"rules"`                // all there are; docs/reference/rules.md
	Violations *[]cabling.Violation `json:"violations,omitempty"` // as in a plan; left out where no machine was planned
}

func ruleEntries(plan *machine.Result) []ruleEntry {
	var out []ruleEntry
	var unchecked, partly map[string]string
	if plan != nil {
		unchecked, partly = plan.Unchecked(), plan.PartlyChecked()
	}
	for _, r := range cabling.Rules {
		e := ruleEntry{ID: r.ID, Severity: r.Severity, Text: r.Text, Why: r.Why, Mend: r.Mend}
		if plan != nil {
			suppressed := plan.Violations.CountSuppressed(r)
			violations := plan.Violations.Count(r) - suppressed
			e.Breaches, e.Suppressed = &violations, &suppressed
			e.Unchecked, e.Partly = unchecked[r.ID], partly[r.ID]
		}
		out = append(out, e)
	}
	return out
}

// listRules prints the design rules and, unless plan is nil, how often it breaks each, and the violations.
func listRules(ctx context.Context, w io.Writer, plan *machine.Result, asJSON bool) error {
	entries := ruleEntries(plan)
	if asJSON {
		doc := &rulesReport{Rules: entries}
		if plan != nil {
			list := plan.Violations.List()
			doc.Violations = &list
		}
		return render.Document(ctx, w, doc)
	}
	var b strings.Builder
	width := 0
	for _, e := range entries {
		width = max(width, len(e.ID))
	}
	for _, e := range entries {
		fmt.Fprintf(&b, "%-*s  %-7s", width, e.ID, e.Severity)
		if plan != nil {
			fmt.Fprintf(&b, "  %-22s", describeCounts(&e))
		}
		fmt.Fprintf(&b, "  %s\n", e.Text)
	}
	title := "\nChecked in part\n"
	for _, e := range entries {
		if e.Partly != "" {
			fmt.Fprintf(&b, "%s  %-*s  %s\n", title, width, e.ID, e.Partly)
			title = ""
		}
	}
	if plan != nil && len(plan.Violations.List()) > 0 {
		b.WriteString("\n")
		printViolations(&b, plan)
	}
	return cli.Print(w, b.String())
}

// describeCounts returns "kept", "kept in part" or "nothing to check", or how often a rule is broken and suppressed.
func describeCounts(e *ruleEntry) string {
	violations, suppressed := *e.Breaches, *e.Suppressed
	switch {
	case e.Unchecked != "":
		return "nothing to check"
	case e.Partly != "":
		return "kept in part"
	case violations == 0 && suppressed == 0:
		return "kept"
	case suppressed == 0:
		return fmt.Sprintf("broken %s times", english.Grouped(int64(violations)))
	}
	return fmt.Sprintf("broken %s, suppressed %s", english.Grouped(int64(violations)),
		english.Grouped(int64(suppressed)))
}

// explainRule prints what a design rule is about.
func explainRule(w io.Writer, r *cabling.Rule) error {
	_, err := fmt.Fprintf(w, "%s (%s)\n\n%s\n\n%s\n\nWhat helps: %s\n\nA machine file may accept violations:\n\n  "+
		"rules:\n    suppress:\n      - {rule: %s, where: \"*\", reason: ...}\n",
		r.ID, r.Severity, r.Text, r.Why, r.Mend, r.ID)
	return err
}
