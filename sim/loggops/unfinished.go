package loggops

import (
	"fmt"
	"strings"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/sim/goal"
)

// mostTold is the most operations that an UnfinishedError names of a kind.
const mostTold = 10

// UnfinishedError says why a schedule does not come to an end.
type UnfinishedError struct {
	// Receives have no message, and messages of Sends no receive: the first ten of
	// each, with their places. Waiting are operations that what they require keeps from
	// beginning.
	Receives, Sends, Waiting []string
	// How many there are of each.
	ReceiveCount, SendCount, WaitingCount int
}

// Error tells those that are listed, and how many there are of each.
func (e *UnfinishedError) Error() string {
	var b strings.Builder
	b.WriteString("the schedule does not come to an end")
	tell := func(what string, count int, list []string) {
		if count == 0 {
			return
		}
		fmt.Fprintf(&b, "\n%s %s:", english.Count(count, "operation"), what)
		for _, text := range list {
			b.WriteString("\n  " + text)
		}
		if count > len(list) {
			fmt.Fprintf(&b, "\n  ... and %s more", english.Grouped(int64(count-len(list))))
		}
	}
	tell("that no message reaches", e.ReceiveCount, e.Receives)
	tell("whose message nobody receives", e.SendCount, e.Sends)
	tell("that cannot begin", e.WaitingCount, e.Waiting)
	return b.String()
}

// findUnfinished finds what has not ended once there are no more events.
func (p *player) findUnfinished() error {
	e := &UnfinishedError{}
	tell := func(count *int, list *[]string, op int) {
		if *count++; *count <= mostTold {
			*list = append(*list, p.schedule.Describe(int(p.ops[op].rank), int32(op)))
		}
	}
	for i := range p.ops {
		switch o := &p.ops[i]; {
		case o.waits > 0:
			tell(&e.WaitingCount, &e.Waiting, i)
		case o.kind == goal.Recv && !o.done:
			tell(&e.ReceiveCount, &e.Receives, i)
		case o.kind == goal.Send && !o.done:
			tell(&e.SendCount, &e.Sends, i)
		}
	}
	if e.WaitingCount+e.ReceiveCount+e.SendCount == 0 {
		return nil
	}
	return e
}
