package cabling

// ProblemOf is a problem that leads to a schedule: that of its links, boxes and places, with the way in which it
// measures. Media rules, stores and panels are left out.
func ProblemOf(s *Schedule) *Problem {
	p := &Problem{
		Graph: s.Graph, Boxes: s.Boxes, Placement: s.Placement, Naming: s.Naming, Mode: s.router.mode,
		Slack: s.router.slack,
	}
	if s.Trays != nil {
		p.Trays = s.Trays.Rules
	}
	return p
}
