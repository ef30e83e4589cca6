package report

import (
	"fmt"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/units"
)

// Step is a workload that was played on a machine: messages take the delays of planned paths and the time of their
// bytes at the rate of the slowest port, and do not share links.
type Step struct {
	Workload string  `json:"workload"` // its name
	Ranks    int     `json:"ranks"`    // of the workload
	Nodes    int     `json:"nodes"`    // that have ranks
	Seconds  float64 `json:"step_s"`   // until the last rank has ended
	// Compute is the seconds of a step of a training job if no message took time; null for traces.
	Compute *float64 `json:"compute_s"`
	// Source is where the times of calculations of a training job are from; left out for traces.
	Source string `json:"compute_source,omitempty"`
	// Tokens is those of a training job by second; null for traces.
	Tokens *float64 `json:"tokens_per_s"`
	// TokensByCost is the same for every 1,000 of the currency of the bill; null where either is not known.
	TokensByCost *float64 `json:"tokens_per_s_per_1000"`
	// TokensByPower is the same for every kilowatt of the machine; null where either is not known.
	TokensByPower *float64 `json:"tokens_per_s_per_kw"`
}

// Rate fills in the tokens by cost and power of a machine.
func (s *Step) Rate(total units.Money, power units.Power) {
	if s.Tokens == nil {
		return
	}
	if total > 0 {
		by := *s.Tokens / total.Float() * 1000
		s.TokensByCost = &by
	}
	if power > 0 {
		by := *s.Tokens / float64(power) * 1000
		s.TokensByPower = &by
	}
}

// Words says what the figures rest on, of a machine with a number of nodes.
func (s *Step) Words(nodes int) []string {
	out := []string{
		"messages of the workload take planned delays and the rate of the slowest port, and do not share links",
	}
	if s.Source != "" {
		out = append(out, "compute times of the workload: "+s.Source)
	}
	if s.Nodes < nodes {
		out = append(out, fmt.Sprintf("the workload runs on %s of %s; tokens by cost and power are those of the whole "+
			"machine", english.Grouped(int64(s.Nodes)), english.Count(nodes, "node")))
	}
	return out
}
