package serve

import "context"

// SetValue sets a value in the text of a YAML file.
var SetValue = setValue

// SetRacks has the text of a machine file say other places of racks.
var SetRacks = setRacks

// Moved is a text in which two racks have changed places.
var Moved = moved

// OnPlan has a function called when a plan begins.
func OnPlan(s *Server, started func(ctx context.Context)) { s.plans.started = started }
