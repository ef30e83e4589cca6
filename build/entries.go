package build

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/plenum-planner/plenum/layout"
)

// Entry is a task of the calendar.
type Entry struct {
	Task     string
	Activity Activity
	Skill    Skill
	People   int
	Racks    []string // in which it is done; none for trays
	Bundle   int      // number of the bundle of cables that it works on; 0 for none
	Order    int      // when the pull sheets have that bundle, from 1; 0 for none
	Pieces   int64
	Links    int64 // that it plugs in or out
	Fabric   string
	Minutes  int64   // of work of the team
	Begin    float64 // in working hours from the begin of the build
	End      float64
	// BeginDay and EndDay are working days from 1; BeginAt and EndAt are dates and times, or only times of the day
	// where no start is given.
	BeginDay, EndDay int
	BeginAt, EndAt   string
	Waits            string // the part on whose delivery it waits longest; empty for none
}

// Calendar lists the tasks that take time, in the order in which they begin.
func (d *Document) Calendar() []Entry {
	p, c := d.project, &d.project.opt.Calendar
	var out []Entry
	var order []int
	for i := range p.tasks {
		if p.tasks[i].Minutes > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(d.schedule.Begin[a], d.schedule.Begin[b]) })
	for _, i := range order {
		t, j := &p.tasks[i], &p.jobs[i]
		begin, end := d.schedule.Begin[i], d.end(i)
		e := Entry{
			Task: t.Name, Activity: j.of, Skill: Skills[t.Skill], People: t.People, Links: j.links,
			Minutes: t.Minutes, Begin: hours(begin), End: hours(end),
			BeginDay: c.Day(begin, false) + 1, EndDay: c.Day(end, true) + 1, Waits: j.waits,
		}
		e.BeginAt, e.EndAt = d.clock(begin, false), d.clock(end, true)
		for _, r := range j.racks {
			if r >= 0 {
				e.Racks = append(e.Racks, p.racks[r])
			}
		}
		if j.group >= 0 {
			e.Bundle, e.Order = int(p.groups[j.group].bundle), int(p.groups[j.group].order)
		}
		if j.fabric >= 0 {
			e.Fabric = p.fabrics[j.fabric]
		}
		for _, w := range j.work {
			if w.of == j.of {
				e.Pieces += w.pieces
			}
		}
		out = append(out, e)
	}
	return out
}

// Turns returns when the patching or laying of each cable begins, as Entry.BeginAt has it, and in which order, from
// 1: cables of one task have the same number. It is by the id of the cable, and lacks those that take no work.
func (d *Document) Turns() map[string]Turn {
	p := d.project
	var order []int
	for i := range p.jobs {
		if len(p.jobs[i].cables) > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(d.schedule.Begin[a], d.schedule.Begin[b]) })
	out := map[string]Turn{}
	for n, i := range order {
		turn := Turn{
			n + 1, d.project.opt.Calendar.Day(d.schedule.Begin[i], false) + 1, d.clock(d.schedule.Begin[i], false),
		}
		for _, cable := range p.jobs[i].cables {
			id := p.plan.Schedule.CableID(int64(cable))
			if _, ok := out[id]; !ok { // else a smaller team has begun it
				out[id] = turn
			}
		}
	}
	return out
}

// Turn is when a cable is patched or laid.
type Turn struct {
	Order int    // among the tasks that plug cables in, from 1
	Day   int    // the working day, from 1
	Begin string // date and time, or only the time of the day where no start is given
}

// clock is the date and time of a working minute, without a date where no start is given.
func (d *Document) clock(minute int64, ends bool) string {
	c := &d.project.opt.Calendar
	at, day := c.clock(minute, ends), c.Day(minute, ends)
	text := d.date(day)
	if at >= 24*60 && text != "" { // after midnight
		date, _ := time.Parse(time.DateOnly, text)
		text = date.AddDate(0, 0, at/(24*60)).Format(time.DateOnly)
	}
	at %= 24 * 60
	if text != "" {
		text += " "
	}
	return text + fmt.Sprintf("%02d:%02d", at/60, at%60)
}

// Aisle is the work at the racks of a row, or in a rack, day by day.
type Aisle struct {
	Name string
	// Hours are the hours of people on each day, by skill in the order of Skills.
	Hours [][]float64
}

// mostRacks is the number of racks up to which Aisles has one for each rack.
const mostRacks = 40

// Aisles returns the work of each day in each rack, or in each row where there are many racks. What is done in two of
// them counts half in each; trays are at none.
func (d *Document) Aisles() []Aisle {
	p, c := d.project, &d.project.opt.Calendar
	l := p.plan.Schedule.Placement.Layout
	byRow := len(p.racks) > mostRacks && l.LevelOf(layout.RoleRow) >= 0
	number := map[string]int{}
	var out []Aisle
	at := make([]int, len(p.racks))
	order := make([]int, len(p.racks))
	for r := range order {
		order[r] = r
	}
	slices.SortFunc(order, func(a, b int) int { return natural(p.racks[a], p.racks[b]) })
	for _, r := range order {
		name := p.racks[r]
		if byRow {
			name = "row " + l.ContainerName(l.LevelOf(layout.RoleRow), p.rows[r])
		}
		i, ok := number[name]
		if !ok {
			i = len(out)
			number[name] = i
			out = append(out, Aisle{Name: name, Hours: make([][]float64, d.Days)})
			for day := range d.Days {
				out[i].Hours[day] = make([]float64, len(Skills))
			}
		}
		at[r] = i
	}
	for i := range p.tasks {
		t := &p.tasks[i]
		var in []int
		for _, r := range p.jobs[i].racks {
			if r >= 0 {
				in = append(in, at[r])
			}
		}
		for m := d.schedule.Begin[i]; m < d.end(i); {
			day := c.Day(m, false)
			until := min(d.end(i), int64(day+1)*c.PerDay())
			for _, aisle := range in {
				out[aisle].Hours[day][t.Skill] += hours((until-m)*int64(t.People)) / float64(len(in))
			}
			m = until
		}
	}
	return out
}

// natural orders names of racks by what comes before their number, then the shorter ones first, so that A9 comes before
// A10.
func natural(a, b string) int {
	return cmp.Or(cmp.Compare(rowOf(a), rowOf(b)), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// rowOf is what a name of a rack begins with, before its number.
func rowOf(name string) string {
	for i, r := range name {
		if r >= '0' && r <= '9' {
			return name[:i]
		}
	}
	return name
}
