package render

import (
	"slices"

	"github.com/plenum-planner/plenum/machine/report"
)

// step adds the rows about the workload that was played, if one was.
func (t *compareTable) step() {
	i := slices.IndexFunc(t.machines, func(m report.Compared) bool { return m.Step != nil })
	if i < 0 {
		return
	}
	row := func(figure, unit string, value func(s *report.Step) *float64) {
		t.row(figure, unit, func(m *report.Compared) any {
			if m.Step == nil || value(m.Step) == nil {
				return nil
			}
			return *value(m.Step)
		})
	}
	t.heading("Workload: " + t.machines[i].Step.Workload)
	t.row("nodes with ranks", "", func(m *report.Compared) any {
		if m.Step == nil {
			return nil
		}
		return int64(m.Step.Nodes)
	})
	row("time of a step", "s", func(s *report.Step) *float64 { return &s.Seconds })
	row("if messages took no time", "s", func(s *report.Step) *float64 { return s.Compute })
	row("tokens by second", "", func(s *report.Step) *float64 { return s.Tokens })
	row("tokens by second and 1,000 of the bill", "", func(s *report.Step) *float64 { return s.TokensByCost })
	row("tokens by second and kilowatt", "", func(s *report.Step) *float64 { return s.TokensByPower })
}
