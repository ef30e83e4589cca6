package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"plenum/cabling"
	"plenum/catalog"
)

func newExplain() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "explain RULE",
		Short: "Explain a design rule: what must hold, why, and what helps",
		Long: `Explain a design rule: what must hold, why it matters and how it is checked, and
what helps against a breach. plenum plan --rules lists the rules.`,
		Args: usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			r := cabling.FindRule(args[0])
			if r == nil {
				return inputError(fmt.Errorf("there is no rule %q%s", args[0], nearest(args[0], cabling.RuleIDs())))
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), ruleEntry{ID: r.ID, Severity: r.Severity, Text: r.Text, Why: r.Why, Mend: r.Mend})
			}
			return explainRule(cmd.OutOrStdout(), r)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// nearest ends a message about an unknown word: with the word that was perhaps
// meant, or with all.
func nearest(word string, known []string) string {
	if best, ok := catalog.Closest(word, known); ok {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	return "; there are " + strings.Join(known, ", ")
}
