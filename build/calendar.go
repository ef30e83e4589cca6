package build

import (
	"math"
	"slices"
	"time"
)

// Calendar is when people work. Its working minutes are those in which they get on with their tasks.
type Calendar struct {
	// Start is the first day; the zero time where no date is known, and the first day is a Monday.
	Start time.Time
	// Shifts of Hours each follow each other from Begin on, in minutes after midnight.
	Shifts int
	Hours  float64
	Begin  int
	// Productive is the share of the hours in which people get on with their tasks, above 0 and at most 1.
	Productive float64
	Days       [7]bool     // of the week, from Sunday, on which people work
	Off        []time.Time // days on which nobody works
}

// WorkWeek is Monday to Friday.
var WorkWeek = [7]bool{
	time.Monday: true, time.Tuesday: true, time.Wednesday: true, time.Thursday: true, time.Friday: true,
}

// HasDates reports whether the days have dates.
func (c *Calendar) HasDates() bool { return !c.Start.IsZero() }

// PerDay is the number of working minutes of a day.
func (c *Calendar) PerDay() int64 {
	return max(1, int64(math.Round(float64(float64(c.Shifts)*c.Hours*60*c.Productive))))
}

// first is the first day of the calendar.
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

// Day returns the working day, from 0, of a working minute. The last minute of a day is the begin of the next one,
// unless something ends then.
func (c *Calendar) Day(minute int64, ends bool) int {
	if ends && minute > 0 {
		minute--
	}
	return int(minute / c.PerDay())
}

// dates lists the dates of the first n working days.
func (c *Calendar) dates(n int) []time.Time {
	out := make([]time.Time, 0, n)
	for day := c.first(); len(out) < n; day = day.AddDate(0, 0, 1) {
		if c.works(day) {
			out = append(out, day)
		}
	}
	return out
}

// clock returns the minute after midnight of a working minute, on its working day. It is above that of a day where the
// last shift ends after midnight.
func (c *Calendar) clock(minute int64, ends bool) int {
	within := minute - int64(c.Day(minute, ends))*c.PerDay()
	return c.Begin + int(math.Round(float64(float64(within)/float64(c.PerDay()))*float64(c.Shifts)*c.Hours*60))
}

// after returns the first working minute of the first working day that is so many days of the calendar after the first
// day, or later.
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
