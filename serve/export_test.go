package serve

import (
	"context"
	"time"
)

// SetValue sets a value in the text of a YAML file.
var SetValue = setValue

// SetRacks has the text of a machine file say other places of racks.
var SetRacks = setRacks

// Moved is a text in which two racks have changed places.
var Moved = moved

// OnPlan has a function called when a plan begins.
func OnPlan(s *Server, started func(ctx context.Context)) { s.plans.started = started }

// SetDiskTime limits how long the machine file may take to be read or written.
func SetDiskTime(s *Server, limit time.Duration) { s.diskTime = limit }

// Hang has a call to the file system hang until the function that it returns is called.
func Hang(s *Server) (release func()) {
	wait := make(chan struct{})
	_ = s.onDisk(context.Background(), func(context.Context) error { <-wait; return nil })
	return func() { close(wait) }
}
