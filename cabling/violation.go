package cabling

import "fmt"

// Severity says how bad a violation is.
type Severity string

// The severities: a plan with an error cannot be built as it is.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Rule is a design rule that a plan is checked against.
type Rule struct {
	ID       string
	Severity Severity
	Text     string
}

// The rules.
var (
	RuleReach     = Rule{"reach", Error, "Every cable needs a product that is long enough, fits both ports and is allowed by the media policy."}
	RulePorts     = Rule{"ports", Error, "A box has at least as many ports as its vertex has links."}
	RuleOptics    = Rule{"optics", Error, "All links of one cage use the same transceiver."}
	RulePower     = Rule{"rack-power", Error, "The boxes, optics and cables of a rack draw no more than the rack can supply."}
	RuleWeight    = Rule{"rack-weight", Error, "The boxes of a rack weigh no more than it bears."}
	RuleRowPower  = Rule{"row-power", Error, "The racks of a row draw no more than the row can supply."}
	RuleRowWeight = Rule{"row-weight", Error, "The boxes of a row weigh no more than its floor bears."}
	RulePrice     = Rule{"price", Warning, "Every part that is bought has a price; a total without one excludes it."}
)

// Rules lists all design rules.
var Rules = []Rule{RuleReach, RulePorts, RuleOptics, RulePower, RuleWeight, RuleRowPower, RuleRowWeight, RulePrice}

// Violation is one breach of a rule.
type Violation struct {
	Rule     string   `json:"rule"`
	Severity Severity `json:"severity"`
	Where    string   `json:"where"`
	Message  string   `json:"message"`
}

// mostListed is how many violations of one rule are listed one by one.
const mostListed = 100

// Violations collects breaches: of each rule the first hundred one by one, the
// rest as a number.
type Violations struct {
	list  []Violation
	count map[string]int
}

// Add records a breach.
func (v *Violations) Add(r Rule, where, format string, args ...any) {
	if v.count == nil {
		v.count = map[string]int{}
	}
	v.count[r.ID]++
	if v.count[r.ID] <= mostListed {
		v.list = append(v.list, Violation{r.ID, r.Severity, where, fmt.Sprintf(format, args...)})
	}
}

// Full tells whether further breaches of a rule will only be counted.
func (v *Violations) Full(r Rule) bool { return v.count[r.ID] >= mostListed }

// Count returns the number of breaches of a rule.
func (v *Violations) Count(r Rule) int { return v.count[r.ID] }

// Errors returns the number of breaches of rules of severity error.
func (v *Violations) Errors() int {
	n := 0
	for _, r := range Rules {
		if r.Severity == Error {
			n += v.count[r.ID]
		}
	}
	return n
}

// List returns the breaches in the order in which they were found; a last one
// per rule says how many more there are.
func (v *Violations) List() []Violation {
	out := append([]Violation{}, v.list...)
	for _, r := range Rules {
		if more := v.count[r.ID] - mostListed; more > 0 {
			out = append(out, Violation{r.ID, r.Severity, "", fmt.Sprintf("and %d more", more)})
		}
	}
	return out
}
