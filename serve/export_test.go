package serve

import "context"

// SetValue sets a value in the text of a YAML file.
var SetValue = setValue

// OnPlan has a function called when a plan begins.
func OnPlan(s *Server, started func(ctx context.Context)) { s.plans.started = started }
