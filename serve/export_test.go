package serve

import (
	"context"
	"time"

	"github.com/plenum-planner/plenum/machine"
)

// Change makes one change to the text of a YAML file.
var Change = change

// SetRacks has the text of a machine file say other places of racks.
var SetRacks = setRacks

// Moved is a text in which two racks have changed places.
var Moved = exchangeRacks

// ErrRowsElsewhere is that rows one by one would make another plan.
var ErrRowsElsewhere = errRowsElsewhere

// StateRows is a text with the rows of its plan one by one.
var StateRows = stateRows

// OnPlan has a function called when a plan begins.
func OnPlan(s *Server, started func(ctx context.Context)) { s.plans.started = started }

// SetDiskTime limits how long files may take to be read or written.
func SetDiskTime(s *Server, limit time.Duration) { s.diskTime, s.plans.patience = limit, limit }

// Hang has a call to the file system hang until the function that it returns is called.
func Hang(s *Server) (release func()) {
	wait := make(chan struct{})
	_, _ = onDisk(context.Background(), s, func(context.Context) (any, error) { <-wait; return nil, nil })
	return func() { close(wait) }
}

// HangPlan has a plan of a page that ends hang until the function that it returns is called.
func HangPlan(s *Server, page string) (ended chan error, release func()) {
	wait, begun, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		of := asker{page: page}
		_, err := inTurn(context.Background(), &s.plans, of, func(context.Context, *machine.Planner) (any, error) {
			close(begun)
			<-wait
			return nil, nil
		})
		ended <- err
	}()
	<-begun
	return ended, func() { close(wait) }
}
