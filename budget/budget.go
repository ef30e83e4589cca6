// Package budget bounds what a run may take: memory and time. The need of a request is estimated before work begins, so
// that what cannot be done is refused at once, with what it would take.
//
// A budget travels in a context. Code that estimates a need calls Check; a context without a budget allows everything,
// which is how tests and users of the library begin.
package budget

import (
	"context"
	"fmt"
	"math"
	"time"
)

// A Budget is what a run may take. A part at zero is not bounded.
type Budget struct {
	Memory int64         // bytes, in all
	Time   time.Duration // from beginning to end
}

// A Need is what a piece of work takes, as estimated from sizes.
type Need struct {
	Bytes   float64 // of memory
	Seconds float64 // of processor time on one core
}

// Plus is both needs.
func (n Need) Plus(m Need) Need { return Need{n.Bytes + m.Bytes, n.Seconds + m.Seconds} }

// Times is a need for each of a number of things.
func (n Need) Times(count float64) Need { return Need{n.Bytes * count, n.Seconds * count} }

// String tells a need for people: "about 12 GB of memory and 3 minutes".
func (n Need) String() string {
	return fmt.Sprintf("about %s of memory and %s", Size(n.Bytes), Span(n.Seconds))
}

// An ExceededError refuses work that takes more than the budget.
type ExceededError struct {
	What   string // what is to be done: "planning 5 nodes and 7 links"
	Need   Need
	Budget Budget
}

// Error tells what the work would take and what is allowed.
func (e *ExceededError) Error() string {
	allowed := "--max-memory allows " + Size(float64(e.Budget.Memory))
	if !e.memory() {
		allowed = "--max-time allows " + e.Budget.Time.String()
	}
	return fmt.Sprintf("%s would take %s; %s", e.What, e.Need, allowed)
}

func (e *ExceededError) memory() bool {
	return e.Budget.Memory > 0 && e.Need.Bytes > float64(e.Budget.Memory)
}

// key is that of the budget in a context.
type key struct{}

// With is a context with a budget.
func With(ctx context.Context, b Budget) context.Context { return context.WithValue(ctx, key{}, b) }

// Of is the budget of a context, the zero one if it has none.
func Of(ctx context.Context) Budget {
	b, _ := ctx.Value(key{}).(Budget)
	return b
}

// Check refuses work that takes more than the budget of a context: the error is an *ExceededError, nil where the work
// may begin. Time is judged by cores, all of which may be at work.
func Check(ctx context.Context, cores int, n Need, format string, args ...any) error {
	b := Of(ctx)
	slow := b.Time > 0 && n.Seconds/float64(max(cores, 1)) > b.Time.Seconds()
	if slow || b.Memory > 0 && n.Bytes > float64(b.Memory) {
		return &ExceededError{fmt.Sprintf(format, args...), n, b}
	}
	return nil
}

// Size writes a number of bytes in the largest decimal unit that it reaches: "12 GB".
func Size(bytes float64) string {
	return formatScaled(bytes, []step{
		{1, "bytes"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}, {1e15, "PB"}, {1e18, "EB"},
	})
}

// Span writes a number of seconds in the largest unit that it reaches: "3 minutes".
func Span(seconds float64) string {
	if seconds < 1 {
		return "less than a second"
	}
	return formatScaled(seconds, []step{
		{1, "seconds"}, {60, "minutes"}, {3600, "hours"}, {86400, "days"}, {365.25 * 86400, "years"},
	})
}

// step is a unit and the amount at which it begins.
type step struct {
	from float64
	unit string
}

// formatScaled writes an amount with two digits in the last unit that it reaches.
func formatScaled(amount float64, steps []step) string {
	s := steps[0]
	for _, next := range steps {
		if amount >= next.from {
			s = next
		}
	}
	n := amount / s.from
	if digits := math.Pow(10, math.Floor(math.Log10(max(n, 1)))-1); digits > 0 {
		n = math.Round(n/digits) * digits
	}
	if n >= 1e6 {
		return fmt.Sprintf("%.1g %s", n, s.unit)
	}
	return fmt.Sprintf("%.4g %s", n, s.unit)
}
