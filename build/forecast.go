package build

import (
	"cmp"
	"slices"
	"time"
)

// Forecast compares the schedule of what is left with the first calendar: that of the same plan, people and labour
// figures without progress.
type Forecast struct {
	Start string `json:"planned_start"` // the first day of the first calendar, an ISO date; empty where none is given
	// Begins is the working day of the first calendar, from 1, on which the schedule of what is left begins.
	Begins int `json:"begins_on_day"`
	// Planned is how many cables the first calendar has patched before that day; Done.Cables is how many are.
	Planned int64  `json:"planned_cables"`
	Late    []Late `json:"late"` // the build, fabrics, activities and racks, whether late or not
}

// Late is when a part of the work ends, beside the first calendar. Days are working days from the first day of the
// first calendar, from 1.
type Late struct {
	Of   string `json:"of"`   // `build`, `fabric`, `activity` or `rack`
	Name string `json:"name"` // of the fabric, activity or rack; empty for the build and for the only network
	// Planned is the day on which the last of it ends in the first calendar.
	Planned     int    `json:"planned_end_day"`
	PlannedDate string `json:"planned_end,omitempty"` // left out where no start is given
	// End is the day on which what is left of it ends in the schedule; 0 where nothing is left.
	End     int    `json:"forecast_end_day"`
	EndDate string `json:"forecast_end,omitempty"` // left out where no start is given, or nothing is left
	// Days is how many working days it ends after the planned day, below 0 before it; null where nothing is left.
	Days *int `json:"days_late"`
	// Overdue reports whether it was to end before the schedule begins, and something is left.
	Overdue bool `json:"overdue"`
}

// What Late.Of says.
const (
	OfBuild    = "build"
	OfFabric   = "fabric"
	OfActivity = "activity"
	OfRack     = "rack"
)

// part is the build, a fabric, an activity or a rack.
type part struct{ of, name string }

// ends returns the working minute in which each part of the work ends in a schedule of the tasks.
func (p *project) ends(s *Schedule) map[part]int64 {
	out := map[part]int64{}
	for i := range p.tasks {
		t, j := &p.tasks[i], &p.jobs[i]
		end := s.Begin[i] + t.Minutes
		note := func(of, name string) { out[part{of, name}] = max(out[part{of, name}], end) }
		if j.fabric >= 0 && t.Minutes == 0 {
			note(OfFabric, p.fabrics[j.fabric])
		}
		if t.Minutes == 0 {
			continue
		}
		note(OfBuild, "")
		for _, w := range j.work {
			note(OfActivity, string(w.of))
		}
		for _, r := range j.racks {
			if r >= 0 {
				note(OfRack, p.racks[r])
			}
		}
	}
	return out
}

// compare compares the schedule with that of the first calendar, whose options are first. Where the people cannot do
// all of the first calendar's work, a note says so.
func (d *Document) compare(first *Options, people []int) error {
	p := newProject(d.project.plan, first)
	if first.Remove {
		p.remove()
	} else {
		p.build()
		p.raiseUrgency(first.First)
	}
	if err := p.checkPeople(people); err != nil {
		d.Notes = append(d.Notes, "nothing is forecast against the calendar without progress: "+err.Error())
		return nil
	}
	s, _, _, err := bestOf(p.tasks, people)
	if err != nil {
		return err
	}
	c, now := &first.Calendar, &d.project.opt.Calendar
	begins := 0 // working days of the first calendar before the schedule begins
	if c.HasDates() {
		begins = c.Day(c.after(now.Start.Sub(c.Start).Hours()/24), false)
	}
	out := &Forecast{Begins: begins + 1}
	for i := range p.tasks {
		if s.Begin[i]+p.tasks[i].Minutes > int64(begins)*c.PerDay() {
			continue
		}
		for _, w := range p.jobs[i].work {
			if w.of == Patch {
				out.Planned += w.pieces
			}
		}
	}
	planned, left := p.ends(s), d.project.ends(d.schedule)
	last := 0
	for at, end := range planned {
		l := Late{Of: at.of, Name: at.name, Planned: c.Day(end, true) + 1}
		if end, ok := left[at]; ok {
			l.End = begins + now.Day(end, true) + 1
			days := l.End - l.Planned
			l.Days, l.Overdue = &days, l.Planned <= begins
		}
		last = max(last, l.Planned, l.End)
		out.Late = append(out.Late, l)
	}
	kinds, activities := []string{OfBuild, OfFabric, OfActivity, OfRack}, Activity("").Words()
	slices.SortFunc(out.Late, func(a, b Late) int {
		return cmp.Or(cmp.Compare(slices.Index(kinds, a.Of), slices.Index(kinds, b.Of)),
			cmp.Compare(p.order(activities, &a), p.order(activities, &b)), cmp.Compare(a.Name, b.Name))
	})
	if c.HasDates() {
		dates := c.dates(max(last, 1))
		date := func(day int) string {
			if day == 0 {
				return ""
			}
			return dates[day-1].Format(time.DateOnly)
		}
		out.Start = date(1)
		for i := range out.Late {
			l := &out.Late[i]
			l.PlannedDate, l.EndDate = date(l.Planned), date(l.End)
		}
	}
	d.Forecast = out
	return nil
}

// order is the place of a fabric, activity or rack among those of its kind.
func (p *project) order(activities []string, l *Late) int {
	switch l.Of {
	case OfFabric:
		return slices.Index(p.fabrics, l.Name)
	case OfActivity:
		return slices.Index(activities, l.Name)
	case OfRack:
		return slices.Index(p.racks, l.Name)
	}
	return 0
}
