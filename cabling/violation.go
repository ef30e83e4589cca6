package cabling

import (
	"fmt"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
)

// Violation is one violation of a rule.
type Violation struct {
	Rule     string        `json:"rule"`     // the id of the rule; docs/reference/rules.md
	Severity diag.Severity `json:"severity"` // `error` or `warning`
	// Where is the box, cable, rack or other place, as the plan names it; empty for the line that counts the rest.
	Where   string `json:"where"`
	Message string `json:"message"` // what is wrong there
	// Suppressed is the reason that the machine file gives why the violation does not count; left out where it counts.
	Suppressed string `json:"suppressed,omitempty"`
}

// Suppression keeps violations of a rule from counting. They stay listed, with the
// reason.
type Suppression struct {
	Rule   string // id
	Where  string // pattern of Violation.Where, * for any run of characters; any when empty
	Reason string
}

// mostListed is how many violations of a rule that count are listed one by one, and how many that each suppression
// covers.
const mostListed = 100

// Violations collects violations: of each rule the first hundred that count, and of each suppression the first hundred
// that it covers, one by one, and the rest as a number. Its zero value is empty and suppresses nothing.
type Violations struct {
	// PowerBasis is that of the figures of power, for messages; empty where it is what each part states as its power.
	PowerBasis catalog.PowerBasis

	suppress []Suppression
	used     []bool // of suppress
	list     []Violation
	count    map[violationClass]int
}

// violationClass is a rule with what suppresses its violation, an index in
// suppress, -1 for nothing.
type violationClass struct {
	rule string
	by   int
}

// Suppress sets the suppressions for the violations that Add records after it. It has to come before the first Add, as
// counts refer to suppressions by their index.
func (v *Violations) Suppress(list []Suppression) {
	v.suppress, v.used = list, make([]bool, len(list))
}

// Add records a violation at a place. The first suppression that covers rule and place, if any, keeps it from counting.
func (v *Violations) Add(r Rule, where, format string, args ...any) {
	if v.count == nil {
		v.count = map[violationClass]int{}
	}
	class := violationClass{r.ID, v.suppressor(r.ID, where)}
	v.count[class]++
	if v.count[class] > mostListed {
		return
	}
	found := Violation{Rule: r.ID, Severity: r.Severity, Where: where, Message: fmt.Sprintf(format, args...)}
	if class.by >= 0 {
		v.used[class.by] = true
		found.Suppressed = v.suppress[class.by].Reason
	}
	v.list = append(v.list, found)
}

// suppressor returns the first suppression that covers a violation, -1 for none.
func (v *Violations) suppressor(rule, where string) int {
	for i := range v.suppress {
		if s := &v.suppress[i]; s.Rule == rule && (s.Where == "" || matches(s.Where, where)) {
			return i
		}
	}
	return -1
}

// matches reports whether a text is a pattern in which * stands for any run of
// characters.
func matches(pattern, text string) bool {
	pieces := strings.Split(pattern, "*")
	rest, ok := strings.CutPrefix(text, pieces[0])
	if !ok || len(pieces) == 1 {
		return ok && rest == ""
	}
	for _, p := range pieces[1 : len(pieces)-1] {
		i := strings.Index(rest, p)
		if i < 0 {
			return false
		}
		rest = rest[i+len(p):]
	}
	return strings.HasSuffix(rest, pieces[len(pieces)-1])
}

// UnusedSuppressions lists the suppressions that covered no violation, or only such as an earlier one covered.
func (v *Violations) UnusedSuppressions() []Suppression {
	var out []Suppression
	for i, used := range v.used {
		if !used {
			out = append(out, v.suppress[i])
		}
	}
	return out
}

// Full reports whether further violations of a rule will only be counted, so that Add needs no message. It is false for
// a rule that any suppression names, as those go by the place.
func (v *Violations) Full(r Rule) bool {
	for i := range v.suppress {
		if v.suppress[i].Rule == r.ID {
			return false
		}
	}
	return v.count[violationClass{r.ID, -1}] >= mostListed
}

// Count returns the number of violations of a rule, suppressed ones too.
func (v *Violations) Count(r Rule) int {
	return v.count[violationClass{r.ID, -1}] + v.CountSuppressed(r)
}

// CountSuppressed returns the number of violations of a rule that do not count.
func (v *Violations) CountSuppressed(r Rule) int {
	n := 0
	for i := range v.suppress {
		n += v.count[violationClass{r.ID, i}]
	}
	return n
}

// Errors returns the number of violations that count of rules of severity error.
func (v *Violations) Errors() int { return sum(v.CountsOf(diag.Error)) }

// RuleCount is how many violations of a rule count.
type RuleCount struct {
	Rule  string // id
	Count int
}

// CountsOf returns the violations that count of every broken rule of a severity, in the order of Rules.
func (v *Violations) CountsOf(severity diag.Severity) []RuleCount {
	var out []RuleCount
	for i := range Rules {
		r := &Rules[i]
		if n := v.count[violationClass{r.ID, -1}]; n > 0 && r.Severity == severity {
			out = append(out, RuleCount{r.ID, n})
		}
	}
	return out
}

func sum(counts []RuleCount) int {
	n := 0
	for _, c := range counts {
		n += c.Count
	}
	return n
}

// List returns the violations in the order in which they were found; a last one
// per rule, and per suppression, says how many more there are.
func (v *Violations) List() []Violation {
	out := append([]Violation{}, v.list...)
	for i := range Rules {
		r := &Rules[i]
		for by := -1; by < len(v.suppress); by++ {
			more := v.count[violationClass{r.ID, by}] - mostListed
			if more <= 0 {
				continue
			}
			last := Violation{Rule: r.ID, Severity: r.Severity, Message: fmt.Sprintf("and %d more", more)}
			if by >= 0 {
				last.Suppressed = v.suppress[by].Reason
			}
			out = append(out, last)
		}
	}
	return out
}
