// Package budget limits the memory and the time of a run. The need of a request is estimated before work begins, so
// that a request above the limits fails immediately, with an error that states what it would take.
//
// A context carries the budget. Code that estimates a need calls Check. A context without a budget, as tests and users
// of the library have it unless they call With, allows everything.
package budget

import (
	"context"
	"fmt"
	"math"
	"time"
)

// A Budget has the limits of a run. Zero stands for no limit.
type Budget struct {
	Memory int64         // bytes, in total
	Time   time.Duration // from start to end
}

// A Need is the estimated memory and time of a piece of work.
type Need struct {
	Bytes   float64 // of memory
	Seconds float64 // of processor time on one core
}

// Plus returns the sum of two needs.
func (n Need) Plus(m Need) Need { return Need{n.Bytes + m.Bytes, n.Seconds + m.Seconds} }

// Times returns the need multiplied by a count.
func (n Need) Times(count float64) Need { return Need{n.Bytes * count, n.Seconds * count} }

// String returns the need as text: "about 12 GB of memory and 3 minutes".
func (n Need) String() string {
	return fmt.Sprintf("about %s of memory and %s", Size(n.Bytes), Span(n.Seconds))
}

// An ExceededError is the error about work that takes more than the budget.
type ExceededError struct {
	What   string // the work: "planning 5 nodes and 7 links"
	Need   Need
	Budget Budget
}

// Error returns a text about what the work would take, and the option that sets the limit.
func (e *ExceededError) Error() string {
	allowed := "--max-memory allows " + Size(float64(e.Budget.Memory))
	if !e.memory() {
		allowed = "--max-time allows " + e.Budget.Time.String()
	}
	return fmt.Sprintf("%s would take %s; %s", e.What, e.Need, allowed)
}

// memory reports whether the work takes more memory than the budget, not only more time.
func (e *ExceededError) memory() bool {
	return e.Budget.Memory > 0 && e.Need.Bytes > float64(e.Budget.Memory)
}

// key is the key of the budget in a context.
type key struct{}

// With returns a context with a budget.
func With(ctx context.Context, b Budget) context.Context { return context.WithValue(ctx, key{}, b) }

// Of returns the budget of a context, the zero Budget if it has none.
func Of(ctx context.Context) Budget {
	b, _ := ctx.Value(key{}).(Budget)
	return b
}

// Check returns an *ExceededError if work takes more than the budget of a context, nil if it may begin. The time is the
// processor time divided by the number of cores. format and args are the text of ExceededError.What.
func Check(ctx context.Context, cores int, n Need, format string, args ...any) error {
	b := Of(ctx)
	slow := b.Time > 0 && n.Seconds/float64(max(cores, 1)) > b.Time.Seconds()
	if slow || b.Memory > 0 && n.Bytes > float64(b.Memory) {
		return &ExceededError{fmt.Sprintf(format, args...), n, b}
	}
	return nil
}

// Size formats a number of bytes in the largest decimal unit that is not larger than it: "12 GB".
func Size(bytes float64) string {
	return formatScaled(bytes, []step{
		{1, "bytes"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}, {1e15, "PB"}, {1e18, "EB"},
	})
}

// Span formats a number of seconds in the largest unit that is not larger than it: "3 minutes".
func Span(seconds float64) string {
	if seconds < 1 {
		return "less than a second"
	}
	return formatScaled(seconds, []step{
		{1, "seconds"}, {60, "minutes"}, {3600, "hours"}, {86400, "days"}, {365.25 * 86400, "years"},
	})
}

// step is a unit and its size, which is also the lowest amount that is written in it.
type step struct {
	from float64
	unit string
}

// formatScaled formats an amount with two significant digits, in the last of the units that are not larger than it.
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
