package spec

import (
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/diag"
)

// checkRules finds suppressions of rules that do not exist, and without a reason.
func (s *Spec) checkRules(report Reporter) {
	ids := cabling.RuleIDs()
	for i, u := range s.Rules.Suppress {
		at := diag.Elem("rules.suppress", i)
		if u.Rule != "" && cabling.FindRule(u.Rule) == nil {
			report(at+".rule", "there is no rule %q\n%s", u.Rule, diag.Suggest(u.Rule, ids, "the rules are "))
		}
		if u.Rule != "" && strings.TrimSpace(u.Reason) == "" {
			report(at+".reason", "a suppression needs a reason\nsay why the violation is accepted")
		}
	}
}
