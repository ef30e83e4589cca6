package build

import (
	"math"
	"slices"
	"time"
)

// Calendar says when people work. It counts time in working minutes, in which people get on with their tasks.
type Calendar struct {
	// Start is the first day; the zero time if no date is given: then the first day is a Monday.
	Start time.Time
	// Shifts is the number of shifts of a day, each of Hours hours. The first one begins Begin minutes after midnight.
	Shifts int
	Hours  float64
	Begin  int
	// Productive is the share of the hours in which people get on with their tasks, above 0 and at most 1.
	Productive float64
	Days       [7]bool     // days of the week on which people work, from Sunday
	Off        []time.Time // days on which nobody works
}

// WorkWeek is Monday to Friday.
var WorkWeek = [7]bool{
	time.Monday: true, time.Tuesday: true, time.Wednesday: true, time.Thursday: true, time.Friday: true,
}

// HasDates reports whether the calendar has a start date.
func (c *Calendar) HasDates() bool { return !c.Start.IsZero() }

// PerDay returns the number of working minutes of a day, at least 1.
func (c *Calendar) PerDay() int64 {
	return max(1, int64(math.Round(float64(float64(c.Shifts)*c.Hours*60*c.Productive))))
}

// first returns the first day of the calendar.
func (c *Calendar) first() time.Time {
	if c.HasDates() {
		return c.Start
	}
	return time.Date(2024, time.January, 1, 0, 0, 0, 0, time.UTC) // a Monday
}

// works reports whether people work on a day.
func (c *Calendar) works(day time.Time) bool {
	return c.Days[day.Weekday()] && !slices.ContainsFunc(c.Off, day.Equal)
}

// Day returns the number, from 0, of the working day of a working minute. The minute between two days belongs to the
// later one; with ends, which is for the end of a task, to the earlier one.
func (c *Calendar) Day(minute int64, ends bool) int {
	if ends && minute > 0 {
		minute--
	}
	return int(minute / c.PerDay())
}

// dates returns the dates of the first n working days.
func (c *Calendar) dates(n int) []time.Time {
	out := make([]time.Time, 0, n)
	for day := c.first(); len(out) < n; day = day.AddDate(0, 0, 1) {
		if c.works(day) {
			out = append(out, day)
		}
	}
	return out
}

// clock returns the time of a working minute, in minutes after midnight of its working day: more than 1440 in a shift
// that ends after midnight. ends is that of Day.
func (c *Calendar) clock(minute int64, ends bool) int {
	within := minute - int64(c.Day(minute, ends))*c.PerDay()
	return c.Begin + int(math.Round(float64(float64(within)/float64(c.PerDay()))*float64(c.Shifts)*c.Hours*60))
}

// after returns the first working minute of the first working day that is at least the given number of calendar days
// after the first day.
func (c *Calendar) after(days float64) int64 {
	last := c.first().AddDate(0, 0, int(math.Ceil(days-1e-9)))
	n := int64(0)
	for day := c.first(); day.Before(last); day = day.AddDate(0, 0, 1) {
		if c.works(day) {
			n++
		}
	}
	return n * c.PerDay()
}
