package machine_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine"
)

// TestExplainRulesOfFabrics explains cables of fabrics with media rules of their own, and of one that has none, by the
// rule that decided.
func TestExplainRulesOfFabrics(t *testing.T) {
	text := strings.Replace(hundredThousand, "count: 100000", "count: 100", 1)
	text = strings.Replace(text, "- name: storage", "  media: [{use: [optical]}]\n- name: storage", 1)
	s, err := machine.Parse("m.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := machine.Plan(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for i := range plan.Schedule.Segments {
		seg := &plan.Schedule.Segments[i]
		level := plan.Graph.Levels()[seg.Level].Name
		if fabric, _, _ := strings.Cut(level, "/"); !slices.Contains(told, fabric) {
			told = append(told, fabric)
			c, err := plan.ExplainCable(context.Background(), plan.Schedule.CableID(int64(seg.Cable)))
			if err != nil {
				t.Fatal(err)
			}
			want := "all links: use any"
			if fabric == "compute" {
				want = "levels compute/"
			}
			if !strings.HasPrefix(c.RuleText, want) {
				t.Errorf("%s: rule %d, %s", level, c.Rule, c.RuleText)
			}
		}
	}
	if len(told) != 4 {
		t.Errorf("fabrics %v", told)
	}
}
