package build

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/parallel"
	"github.com/plenum-planner/plenum/machine"
)

// All stands for all racks in Options.Integrated.
const All = "all"

// OneTeam is where one team works at a time.
type OneTeam string

// The places.
const (
	PerRack OneTeam = "rack" // in a rack: a team that patches between two racks takes both
	PerRow  OneTeam = "row"  // at a row
	PerNone OneTeam = "none" // any number of teams anywhere
)

// Words lists the places.
func (OneTeam) Words() []string { return []string{string(PerRack), string(PerRow), string(PerNone)} }

// DefaultPeople is how many people of each skill work in a shift where nothing is said.
var DefaultPeople = map[Skill]int{Rigging: 4, Cabling: 8, Testing: 4, Power: 2}

// DefaultWrong are the shares of wrong plugs, in per cent, for which the corrections are estimated: no published share
// was found.
var DefaultWrong = []float64{0.1, 0.5, 1, 3}

// Options are what a build is planned with.
type Options struct {
	Labour *Labour       // the default figures when nil
	People map[Skill]int // in each shift; of DefaultPeople where a skill is left out
	// Calendar is when people work; one shift of 8 hours from Monday to Friday when its Shifts are 0. The productive
	// share is that of Labour when 0.
	Calendar Calendar
	// Integrated names racks or types of racks that arrive with boxes and cables in them; All for all.
	Integrated []string
	OneTeam    OneTeam // PerRack when empty
	// First are fabrics that are needed before the others, the most urgent first.
	First    []string
	Remove   bool      // plan the removal of the machine instead
	Progress *Progress // nil where nothing is done
	Wrong    []float64 // shares of wrong plugs in per cent; DefaultWrong when nil
	Seed     uint64    // of the draws of figures that are ranges
}

// Document is the plan of a build.
type Document struct {
	Machine string `json:"machine"`         // its name
	Labour  string `json:"labour"`          // the set of labour figures
	Date    string `json:"date"`            // of the set
	Work    string `json:"work"`            // `build`, or `removal` of the machine
	Start   string `json:"start"`           // the first day, an ISO date; empty where none is given
	End     string `json:"end"`             // the last day, likewise
	People  []Crew `json:"people"`          // who works in each shift
	PerDay  int64  `json:"minutes_per_day"` // working minutes of a day: those of the shifts that are productive
	// Hours is how long the build takes, in working hours, and Days in working days.
	Hours float64 `json:"duration_h"`
	Days  int     `json:"days"`
	// Range is the duration when labour figures that are ranges are drawn from triangles; of the same people.
	Range Quantiles `json:"duration_h_range"`
	// LowerBound is a time before which no schedule with these people ends, in working hours.
	LowerBound float64 `json:"lower_bound_h"`
	// whether all smaller numbers of people were tried, so that one more person never makes it later
	Tried bool `json:"fewer_people_tried"`

	// CriticalPath is a longest chain of tasks that depend on each other, with any number of people.
	CriticalPath  []Step  `json:"critical_path"`
	CriticalHours float64 `json:"critical_path_h"` // when it ends, in working hours
	// Chain is what makes the end of this schedule: each task begins when the one before it ends, which it depends on
	// or whose people or place it takes.
	Chain []Step `json:"chain"`

	Racks  int   `json:"racks"`  // that are placed, or removed
	Boxes  int64 `json:"boxes"`  // that are mounted, or dismounted
	Cables int64 `json:"cables"` // that are patched or laid as trunks, or disconnected
	Links  int64 `json:"links"`  // that they carry
	// LinksPerDay is the mean number of links that are plugged in a day, from the first to the last day on which some
	// are; RacksPerDay is the same of racks that are placed.
	LinksPerDay float64 `json:"links_per_day"`
	RacksPerDay float64 `json:"racks_per_day"`
	ByDay       []Day   `json:"by_day"` // what is finished on each working day

	Activities  []Effort  `json:"activities"`   // the work, by activity
	PersonHours Range     `json:"person_hours"` // of all activities
	HoursRange  Quantiles `json:"person_hours_range"`
	Currency    string    `json:"currency"` // of costs
	Cost        *Range    `json:"cost"`     // of the hours; null where some have no pay
	BySpan      []Install `json:"by_span"`  // what it costs to install a cable, as lines of a quote

	Fabrics    []Ready    `json:"fabrics"`     // when each is in service
	Deliveries []Delivery `json:"deliveries"`  // what the work waits for
	Mistakes   []Mistake  `json:"mistakes"`    // expected wrong plugs
	DeadOptics *Dead      `json:"dead_optics"` // expected on arrival; null where there are none
	Stages     []Stage    `json:"stages"`      // when what is tested
	Progress   *Done      `json:"progress"`    // null without a progress table
	Tasks      int        `json:"tasks"`       // of the schedule
	Notes      []string   `json:"notes"`       // what the figures leave out

	project  *project
	schedule *Schedule
	dates    []string
}

// Crew is how many people of a skill work in each shift.
type Crew struct {
	// Skill is `rigging`, `cabling`, `testing` or `power`.
	Skill  Skill `json:"skill"`
	People int   `json:"people"` // in each shift
	// Used is how many of them the schedule takes.
	Used int `json:"used"`
	// Busy is the share of the duration in which they work.
	Busy float64 `json:"busy"`
}

// Step is a task of a chain.
type Step struct {
	Task  string  `json:"task"`
	Begin float64 `json:"begin_h"` // in working hours from the begin of the build
	End   float64 `json:"end_h"`
	// Why is what it waits for: `after`, what it depends on; `people`; `place`; `delivery` of a part; empty of the
	// first.
	Why string `json:"why,omitempty"`
}

// Quantiles are the values that 10, 50 and 90 per cent of the draws stay below.
type Quantiles struct {
	P10 float64 `json:"p10"`
	P50 float64 `json:"p50"`
	P90 float64 `json:"p90"`
}

// Range is an estimate with its bounds.
type Range struct {
	Low    float64 `json:"low"`    // the least
	Likely float64 `json:"likely"` // the likely figure
	High   float64 `json:"high"`   // the most
}

// Day is what is finished on a working day.
type Day struct {
	Day    int               `json:"day"`            // from 1
	Date   string            `json:"date,omitempty"` // left out where no start is given
	Racks  int               `json:"racks"`          // placed or removed
	Boxes  int64             `json:"boxes"`          // mounted or dismounted
	Cables int64             `json:"cables"`         // patched or disconnected
	Links  int64             `json:"links"`          // plugged in or out
	Hours  map[Skill]float64 `json:"person_hours"`   // that people work on this day, by skill
}

// Effort is the work of an activity.
type Effort struct {
	Of     Activity `json:"activity"`         // such as `patch`
	Skill  Skill    `json:"skill"`            // of those who do it
	Pieces int64    `json:"pieces"`           // racks, boxes, cables, plugs, links
	Metres float64  `json:"metres,omitempty"` // of cable or tray, where the time depends on it
	Hours  Range    `json:"person_hours"`     // of all of them
	Cost   *Range   `json:"cost"`             // null where the pay is not known
	Source string   `json:"source"`           // where the figure is from
	// Confidence is how good the figure is.
	Confidence catalog.Confidence `json:"confidence"`
}

// Install is what it costs to clean, patch, label and test cables that run in one rack, one row or the room.
type Install struct {
	Span   Span     `json:"span"`   // `rack`, `row` or `room`
	Cables int64    `json:"cables"` // of the build
	Hours  float64  `json:"person_hours_each"`
	Cost   *float64 `json:"cost_each"` // null where the pay is not known
}

// Ready is when a fabric is in service.
type Ready struct {
	Fabric string  `json:"fabric"`         // its name; empty where the machine has one network
	Hours  float64 `json:"ready_h"`        // in working hours
	Day    int     `json:"day"`            // from 1
	Date   string  `json:"date,omitempty"` // left out where no start is given
}

// Delivery is a part that work waits for.
type Delivery struct {
	Part string  `json:"part"`           // its id, of cables with the length
	Lead float64 `json:"lead_time_days"` // of the calendar
	Day  int     `json:"day"`            // the working day, from 1, on which it is there
	Date string  `json:"date,omitempty"` // left out where no start is given
	// Tasks is how many tasks begin no earlier because of it.
	Tasks int `json:"tasks"`
	// Begun is how many of them begin in the very minute in which it is there.
	Begun int `json:"begun_at_once"`
}

// Mistake is what a share of wrong plugs comes to.
type Mistake struct {
	Percent float64 `json:"percent"` // of all plugs
	Wrong   float64 `json:"wrong_plugs"`
	// AtOnce is the work of finding and correcting them when every bundle is checked after it is patched; Late is that
	// when they are found after the commissioning: then the two links of a plug are tested again, and their racks
	// commissioned again.
	AtOnce float64 `json:"person_hours_at_once"`
	Late   float64 `json:"person_hours_late"`
}

// Dead is optics that do not work on arrival.
type Dead struct {
	Optics     int64              `json:"optics"`       // that are plugged
	Dead       Range              `json:"dead"`         // expected among them
	Hours      float64            `json:"person_hours"` // of swapping the likely number
	Source     string             `json:"source"`       // where the share is from
	Confidence catalog.Confidence `json:"confidence"`   // how good it is
}

// Stage is a stage of tests.
type Stage struct {
	Stage string `json:"stage"`
	Check string `json:"check"` // what is looked at, and with which command
	Tasks int    `json:"tasks"`
	First int    `json:"first_day"` // from 1
	Last  int    `json:"last_day"`
}

// Done is what a progress table says.
type Done struct {
	Cables int64 `json:"cables"` // that are done
	Left   int64 `json:"left"`   // that are not
	// Factor is the measured time of a cable as a multiple of the figures, the median of Measured cables; the cables
	// that are left take this multiple. 0 where too few have times.
	Factor   float64 `json:"factor,omitempty"`
	Measured int     `json:"measured"`
}

// leastMeasured is the number of cables with times from which figures are calibrated.
const leastMeasured = 10

// ErrNoCables says that a plan has no list of its cables.
var ErrNoCables = errors.New("the plan is a summary without a list of cables, from which the work is made")

// Of plans the build of a machine. The error is that of the context, ErrNoCables, a MissingFigures, or names what is
// wrong with the options.
func Of(ctx context.Context, plan *machine.Result, opt Options) (*Document, error) {
	if plan.Schedule.Segments == nil {
		return nil, ErrNoCables
	}
	if err := opt.complete(plan); err != nil {
		return nil, err
	}
	done := opt.calibrate(plan)
	p := newProject(plan, &opt)
	if opt.Remove {
		p.remove()
	} else {
		p.build()
		p.hurry(opt.First)
	}
	if done != nil {
		done.Cables = p.done
	}
	people := make([]int, len(Skills))
	for i, s := range Skills {
		people[i] = opt.People[s]
	}
	for i := range p.tasks {
		if t := &p.tasks[i]; t.People > people[t.Skill] {
			return nil, fmt.Errorf("%q takes %d people for %s, and there %s %d", t.Name, t.People, Skills[t.Skill],
				verb(people[t.Skill]), people[t.Skill])
		}
	}
	d := &Document{
		Machine: plan.Spec.Name, Labour: opt.Labour.Name, Date: opt.Labour.Date, Work: "build",
		PerDay: opt.Calendar.PerDay(), Currency: opt.Labour.Currency, Tasks: len(p.tasks), project: p,
		CriticalPath: []Step{}, Chain: []Step{}, ByDay: []Day{}, Activities: []Effort{}, BySpan: []Install{},
		Fabrics: []Ready{}, Deliveries: []Delivery{}, Mistakes: []Mistake{}, Stages: []Stage{}, Notes: []string{},
	}
	if opt.Remove {
		d.Work = "removal"
	}
	var err error
	var with []int
	if d.schedule, with, d.Tried, err = bestOf(p.tasks, people); err != nil {
		return nil, err
	}
	d.LowerBound = hours(LowerBound(p.tasks, people))
	d.count(people)
	d.chains()
	d.days()
	d.effort()
	d.ready()
	d.mistakes(opt.Wrong)
	d.stages()
	if d.Progress = done; done != nil {
		done.Left = d.Cables
	}
	if err := d.draw(ctx, with, opt.Seed); err != nil {
		return nil, err
	}
	d.note()
	return d, nil
}

// verb is that of a number of people.
func verb(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// complete fills in what is left out and checks the options.
func (o *Options) complete(plan *machine.Result) error {
	if o.Labour == nil {
		o.Labour = DefaultLabour()
	}
	people := map[Skill]int{}
	for _, s := range Skills {
		n, ok := o.People[s]
		if !ok {
			n = DefaultPeople[s]
		}
		if n < 0 {
			return fmt.Errorf("the number of people for %s must not be negative", s)
		}
		people[s] = n
	}
	o.People = people
	c := &o.Calendar
	if c.Shifts == 0 {
		c.Shifts, c.Hours = 1, 8
	}
	if c.Productive == 0 {
		c.Productive = 1
		if p := o.Labour.Productive; p != nil {
			c.Productive = float64(p.Share) / 100
		}
	}
	if c.Days == ([7]bool{}) {
		c.Days = WorkWeek
	}
	switch {
	case !(c.Hours > 0) || c.Shifts < 0 || float64(c.Shifts)*c.Hours > 24:
		return fmt.Errorf("%d shifts of %v hours: they must be above 0 and fit into a day", c.Shifts, c.Hours)
	case !(c.Productive > 0 && c.Productive <= 1):
		return errors.New("the productive share must be above 0 and at most 1")
	}
	if o.OneTeam == "" {
		o.OneTeam = PerRack
	}
	if o.Wrong == nil {
		o.Wrong = DefaultWrong
	}
	for _, w := range o.Wrong {
		if !(w >= 0 && w <= 100) {
			return fmt.Errorf("a share of wrong plugs must be from 0 to 100 %%, not %v", w)
		}
	}
	for _, f := range o.First {
		if !slices.ContainsFunc(plan.Fabrics, func(n *machine.Network) bool { return n.Name == f }) {
			var names []string
			for _, n := range plan.Fabrics {
				names = append(names, n.Name)
			}
			if len(names) == 0 {
				return fmt.Errorf("there is no fabric %q: the machine has one network", f)
			}
			return fmt.Errorf("there is no fabric %q; the fabrics are %s", f, english.List(names))
		}
	}
	return nil
}

// hurry makes what fabrics need urgent, those that are named first the most.
func (p *project) hurry(first []string) {
	for i := len(p.tasks) - 1; i >= 0; i-- {
		if at := slices.Index(first, p.fabricNamed(p.jobs[i].fabric)); at >= 0 {
			p.tasks[i].Urgency = max(p.tasks[i].Urgency, len(first)-at)
		}
		for _, before := range p.tasks[i].After {
			p.tasks[before].Urgency = max(p.tasks[before].Urgency, p.tasks[i].Urgency)
		}
	}
}

func (p *project) fabricNamed(i int) string {
	if i < 0 {
		return ""
	}
	return p.fabrics[i]
}

func hours(minutes int64) float64 { return float64(minutes) / 60 }

func (d *Document) end(task int) int64 { return d.schedule.Begin[task] + d.project.tasks[task].Minutes }

// count counts people, racks, boxes and cables.
func (d *Document) count(people []int) {
	d.Hours = hours(d.schedule.End)
	d.Days = d.project.opt.Calendar.Day(d.schedule.End, true) + 1
	if d.schedule.End == 0 {
		d.Days = 0
	}
	if c := &d.project.opt.Calendar; c.Dated() {
		for _, day := range c.dates(max(d.Days, 1)) {
			d.dates = append(d.dates, day.Format("2006-01-02"))
		}
		d.Start, d.End = d.dates[0], d.dates[len(d.dates)-1]
	}
	work := make([]int64, len(people))
	for i := range d.project.tasks {
		t := &d.project.tasks[i]
		work[t.Skill] += int64(t.People) * t.Minutes
		for _, w := range d.project.jobs[i].work {
			switch w.of {
			case PlaceRack, RemoveRack:
				d.Racks += int(w.pieces)
			case MountBox, DismountBox:
				d.Boxes += w.pieces
			case Patch, Disconnect, LayTrunk:
				d.Cables += w.pieces
			}
		}
		d.Links += d.project.jobs[i].links
	}
	for i, s := range Skills {
		c := Crew{Skill: s, People: people[i], Used: d.used(i)}
		if d.schedule.End > 0 && people[i] > 0 {
			c.Busy = float64(work[i]) / float64(d.schedule.End) / float64(people[i])
		}
		d.People = append(d.People, c)
	}
}

// used is the most people of a skill who work at once.
func (d *Document) used(skill int) int {
	type change struct {
		at int64
		by int
	}
	var all []change
	for i := range d.project.tasks {
		if t := &d.project.tasks[i]; t.Skill == skill && t.Minutes > 0 {
			all = append(all, change{d.schedule.Begin[i], t.People}, change{d.end(i), -t.People})
		}
	}
	slices.SortFunc(all, func(a, b change) int {
		if a.at != b.at {
			if a.at < b.at {
				return -1
			}
			return 1
		}
		return a.by - b.by
	})
	now, most := 0, 0
	for _, c := range all {
		now += c.by
		most = max(most, now)
	}
	return most
}

// chains finds the critical path and what makes the end of the schedule.
func (d *Document) chains() {
	p := d.project
	path, end := CriticalPath(p.tasks)
	d.CriticalHours = hours(end)
	at := int64(0)
	for i, task := range path {
		t := &p.tasks[task]
		why := "after"
		if i == 0 {
			at, why = t.NotBefore, ""
			if at > 0 {
				why = "delivery"
			}
		}
		if t.Minutes > 0 {
			d.CriticalPath = append(d.CriticalPath, Step{t.Name, hours(at), hours(at + t.Minutes), why})
		}
		at += t.Minutes
	}
	byEnd := map[int64][]int{}
	last := -1
	for i := range p.tasks {
		byEnd[d.end(i)] = append(byEnd[d.end(i)], i)
		if d.end(i) == d.schedule.End && (last < 0 || p.tasks[i].Minutes > 0) {
			last = i
		}
	}
	for task := last; task >= 0; {
		before, why := d.before(task, byEnd[d.schedule.Begin[task]])
		if t := &p.tasks[task]; t.Minutes > 0 {
			d.Chain = append(d.Chain, Step{t.Name, hours(d.schedule.Begin[task]), hours(d.end(task)), why})
		}
		task = before
	}
	slices.Reverse(d.Chain)
}

// before returns the task, of those that end when a task begins, that it waited for, and why; -1 for none.
func (d *Document) before(task int, ended []int) (before int, why string) {
	t := &d.project.tasks[task]
	begin := d.schedule.Begin[task]
	if begin == 0 {
		return -1, ""
	}
	if begin == t.NotBefore {
		return -1, "delivery"
	}
	for _, i := range t.After {
		if d.end(i) == begin {
			return i, "after"
		}
	}
	worked := slices.DeleteFunc(slices.Clone(ended), func(i int) bool {
		return d.project.tasks[i].Minutes == 0 // it takes neither people nor place
	})
	for _, i := range worked {
		for _, place := range t.Places {
			if slices.Contains(d.project.tasks[i].Places, place) {
				return i, "place"
			}
		}
	}
	for _, i := range worked {
		if d.project.tasks[i].Skill == t.Skill {
			return i, "people"
		}
	}
	for _, i := range worked { // a task that others were preferred to until the last of them ended
		return i, "people"
	}
	return -1, "people"
}

// days counts what is finished on each day, and the hours of each.
func (d *Document) days() {
	p, c := d.project, &d.project.opt.Calendar
	for day := range d.Days {
		out := Day{Day: day + 1, Hours: map[Skill]float64{}}
		for _, s := range Skills {
			out.Hours[s] = 0
		}
		if d.dates != nil {
			out.Date = d.dates[day]
		}
		d.ByDay = append(d.ByDay, out)
	}
	firstLink, lastLink, firstRack, lastRack := -1, -1, -1, -1
	for i := range p.tasks {
		t := &p.tasks[i]
		if t.Minutes == 0 {
			continue
		}
		day := c.Day(d.end(i), true)
		out := &d.ByDay[day]
		note := func(first, last *int) {
			if *first < 0 || day < *first {
				*first = day
			}
			*last = max(*last, day)
		}
		for _, w := range p.jobs[i].work {
			switch w.of {
			case PlaceRack, RemoveRack:
				out.Racks += int(w.pieces)
				note(&firstRack, &lastRack)
			case MountBox, DismountBox:
				out.Boxes += w.pieces
			case Patch, Disconnect, LayTrunk:
				out.Cables += w.pieces
			}
		}
		if n := p.jobs[i].links; n > 0 {
			out.Links += n
			note(&firstLink, &lastLink)
		}
		for m := d.schedule.Begin[i]; m < d.end(i); { // day by day
			day := c.Day(m, false)
			until := min(d.end(i), int64(day+1)*c.PerDay())
			d.ByDay[day].Hours[Skills[t.Skill]] += hours((until - m) * int64(t.People))
			m = until
		}
	}
	if lastLink >= 0 {
		d.LinksPerDay = float64(d.Links) / float64(lastLink-firstLink+1)
	}
	if lastRack >= 0 {
		d.RacksPerDay = float64(d.Racks) / float64(lastRack-firstRack+1)
	}
}

// effort adds up the work of each activity, and what it costs to install a cable.
func (d *Document) effort() {
	p := d.project
	type key struct {
		of     Activity
		figure int
	}
	sums := map[key]*work{}
	var order []key
	type install struct {
		cables  int64
		minutes map[Skill]float64
	}
	spans := map[Span]*install{}
	for i := range p.jobs {
		for _, w := range p.jobs[i].work {
			k := key{w.of, w.figure}
			if sums[k] == nil {
				sums[k] = &work{of: w.of, figure: w.figure}
				order = append(order, k)
			}
			sums[k].pieces += w.pieces
			sums[k].metres += w.metres
			if g := p.jobs[i].group; g >= 0 && w.of != Disconnect {
				s := p.span(p.groups[g])
				if spans[s] == nil {
					spans[s] = &install{minutes: map[Skill]float64{}}
				}
				if w.of == Patch {
					spans[s].cables += w.pieces
				}
				f := &p.labour.Figures[w.figure]
				spans[s].minutes[f.Skill] += float64(f.People) * f.of(w.pieces, w.metres)
			}
		}
	}
	words := Activity("").Words()
	slices.SortFunc(order, func(a, b key) int {
		if x, y := slices.Index(words, string(a.of)), slices.Index(words, string(b.of)); x != y {
			return x - y
		}
		return a.figure - b.figure
	})
	cost := &Range{}
	for _, k := range order {
		w, f := sums[k], &p.labour.Figures[k.figure]
		e := Effort{
			Of: k.of, Skill: f.Skill, Pieces: w.pieces, Source: f.Source, Confidence: f.Confidence,
		}
		if f.PerMetre > 0 {
			e.Metres = math.Round(w.metres*10) / 10
		}
		h := float64(f.People) * f.of(w.pieces, w.metres) / 60
		tri := f.factors()
		e.Hours = Range{h * tri.At(0), h, h * tri.At(1)}
		d.PersonHours = d.PersonHours.plus(e.Hours)
		if pay := p.labour.pay(f.Skill); pay != nil {
			low, high := pay.PerHour, pay.PerHour
			if pay.Low != nil {
				low = *pay.Low
			}
			if pay.High != nil {
				high = *pay.High
			}
			e.Cost = &Range{e.Hours.Low * low, e.Hours.Likely * pay.PerHour, e.Hours.High * high}
			if cost != nil {
				sum := cost.plus(*e.Cost)
				cost = &sum
			}
		} else {
			cost = nil
		}
		d.Activities = append(d.Activities, e)
	}
	d.Cost = cost
	for _, s := range []Span{InRack, InRow, InRoom} {
		in := spans[s]
		if in == nil || in.cables == 0 {
			continue
		}
		row := Install{Span: s, Cables: in.cables}
		each, known := 0.0, true
		for _, skill := range Skills {
			m := in.minutes[skill]
			row.Hours += m / 60 / float64(in.cables)
			if pay := p.labour.pay(skill); pay != nil {
				each += m / 60 * pay.PerHour / float64(in.cables)
			} else if m > 0 {
				known = false
			}
		}
		if known {
			row.Cost = &each
		}
		d.BySpan = append(d.BySpan, row)
	}
}

// of is the minutes of a team for pieces with their metres.
func (f *Figure) of(pieces int64, metres float64) float64 {
	return float64(f.Minutes*float64(pieces)) + float64(f.PerMetre*metres)
}

// plus adds two ranges.
func (r Range) plus(o Range) Range { return Range{r.Low + o.Low, r.Likely + o.Likely, r.High + o.High} }

// date is the date of a working day from 0, empty without a start.
func (d *Document) date(day int) string {
	c := &d.project.opt.Calendar
	if !c.Dated() {
		return ""
	}
	if day >= len(d.dates) {
		all := c.dates(day + 1)
		return all[day].Format("2006-01-02")
	}
	return d.dates[day]
}

// ready finds when fabrics are in service, and what waits for deliveries.
func (d *Document) ready() {
	p, c := d.project, &d.project.opt.Calendar
	waits := map[string]*Delivery{}
	for i := range p.tasks {
		t, j := &p.tasks[i], &p.jobs[i]
		if j.fabric >= 0 && t.Minutes == 0 {
			at := d.schedule.Begin[i]
			day := c.Day(at, true)
			d.Fabrics = append(d.Fabrics, Ready{p.fabrics[j.fabric], hours(at), day + 1, d.date(day)})
		}
		if j.waits == "" {
			continue
		}
		w := waits[j.waits]
		if w == nil {
			day := c.Day(t.NotBefore, false)
			w = &Delivery{Part: j.waits, Day: day + 1, Date: d.date(day)}
			waits[j.waits] = w
		}
		w.Tasks++
		if d.schedule.Begin[i] == t.NotBefore {
			w.Begun++
		}
	}
	for i := range p.plan.Bill.Rows {
		r := &p.plan.Bill.Rows[i]
		if w := waits[r.Item.String()]; w != nil && float64(r.Lead) > w.Lead {
			w.Lead = float64(r.Lead)
		}
	}
	for _, w := range waits {
		d.Deliveries = append(d.Deliveries, *w)
	}
	slices.SortFunc(d.Deliveries, func(a, b Delivery) int {
		if a.Day != b.Day {
			return b.Day - a.Day
		}
		return strings.Compare(a.Part, b.Part)
	})
}

// mistakes estimates wrong plugs and optics that are dead on arrival.
func (d *Document) mistakes(shares []float64) {
	p := d.project
	plugs, optics, commissioned := int64(0), int64(0), 0
	boxes := int64(0)
	for i := range p.jobs {
		for _, w := range p.jobs[i].work {
			switch w.of {
			case PlugOptic:
				optics += w.pieces
			case Commission:
				commissioned++
				boxes += w.pieces
			}
		}
	}
	for _, g := range p.groups {
		if g.racks[0] == g.racks[1] && p.preset[g.racks[0]] {
			continue
		}
		for product, c := range g.cables {
			ends := int64(2)
			if product >= 0 {
				ends = int64(1 + p.plan.Schedule.Products[product].Part.Cable.FarPlugs())
			}
			plugs += c.cables * ends
		}
	}
	if p.opt.Remove {
		return
	}
	each := func(of Activity) (float64, bool) {
		f := p.labour.find(of, &subject{})
		if f < 0 {
			return 0, false
		}
		return float64(p.labour.Figures[f].People) * p.labour.Figures[f].Minutes / 60, true
	}
	if correct, ok := each(CorrectPlug); ok && plugs > 0 {
		test, _ := each(Test)
		again, _ := each(Commission)
		if commissioned > 0 {
			again *= float64(boxes) / float64(commissioned)
		}
		for _, s := range shares {
			n := float64(plugs) * s / 100
			d.Mistakes = append(d.Mistakes, Mistake{s, n, n * correct, n * (correct + 2*test + 2*again)})
		}
	}
	dead := p.labour.DeadOnArrival
	if optics == 0 || dead == nil {
		return
	}
	n := func(share float64) float64 { return float64(optics) * share / 100 }
	row := &Dead{
		Optics: optics, Dead: Range{n(float64(dead.Share)), n(float64(dead.Share)), n(float64(dead.Share))},
		Source: dead.Source, Confidence: dead.Confidence,
	}
	if dead.Low != nil {
		row.Dead.Low = n(float64(*dead.Low))
	}
	if dead.High != nil {
		row.Dead.High = n(float64(*dead.High))
	}
	if swap, ok := each(SwapOptic); ok {
		row.Hours = row.Dead.Likely * swap
	}
	d.DeadOptics = row
}

// stages lists when what is tested.
func (d *Document) stages() {
	checks := []struct {
		of          Activity
		name, check string
	}{
		{Clean, "before a plug is mated", "inspect and clean both sides of each joint of fibre"},
		{Patch, "after each bundle", "tick its cables in the progress table; plenum verify PLAN progress.csv"},
		{Test, "with power on", "light, polarity and rate of each link; plenum verify PLAN with LLDP or ibnetdiscover"},
		{Commission, "rack by rack, for each fabric", "errors of all links under load; plenum verify PLAN --strict"},
	}
	for _, c := range checks {
		s := Stage{Stage: c.name, Check: c.check}
		for i := range d.project.tasks {
			if !slices.ContainsFunc(d.project.jobs[i].work, func(w work) bool { return w.of == c.of }) {
				continue
			}
			first := d.project.opt.Calendar.Day(d.schedule.Begin[i], false) + 1
			last := d.project.opt.Calendar.Day(d.end(i), true) + 1
			if s.Tasks == 0 || first < s.First {
				s.First = first
			}
			s.Last = max(s.Last, last)
			s.Tasks++
		}
		if s.Tasks > 0 {
			d.Stages = append(d.Stages, s)
		}
	}
}

// Draws is how often labour figures are drawn: mostDraws, fewer for many tasks, but at least leastDraws.
const (
	mostDraws    = 200
	leastDraws   = 20
	tasksOfDraws = 100_000
)

// draw schedules the tasks with labour figures that are drawn from their ranges. A source is wrong for all of its work
// alike. The numbers of people are those of the best schedule.
func (d *Document) draw(ctx context.Context, people []int, seed uint64) error {
	p := d.project
	n := min(max(tasksOfDraws/max(len(p.tasks), 1), leastDraws), mostDraws)
	durations, efforts := make([]float64, n), make([]float64, n)
	err := parallel.Each(ctx, n, func(_ context.Context, draw int) error {
		factors := make([]float64, len(p.labour.Figures))
		for i := range factors {
			f := &p.labour.Figures[i]
			h := fnv.New64a()
			fmt.Fprintf(h, "%d %s", i, f.Of)
			random := rand.New(rand.NewPCG(seed+uint64(draw), h.Sum64()))
			tri := f.factors()
			factors[i] = tri.At(random.Float64())
		}
		tasks := slices.Clone(p.tasks)
		sum := 0.0
		for i := range tasks {
			tasks[i].Minutes = p.minutes(p.jobs[i].work, factors)
			for _, w := range p.jobs[i].work {
				f := &p.labour.Figures[w.figure]
				sum += float64(float64(f.People)*f.of(w.pieces, w.metres)) * factors[w.figure] / 60
			}
		}
		durations[draw], efforts[draw] = hours(newScheduler(tasks).schedule(people).End), sum
		return nil
	})
	if err != nil {
		return err
	}
	quantiles := func(all []float64) Quantiles {
		slices.Sort(all)
		at := func(share float64) float64 { return all[int(share*float64(len(all)-1)+0.5)] }
		return Quantiles{at(0.1), at(0.5), at(0.9)}
	}
	d.Range, d.HoursRange = quantiles(durations), quantiles(efforts)
	return nil
}

// note says what the figures leave out.
func (d *Document) note() {
	p := d.project
	add := func(format string, args ...any) { d.Notes = append(d.Notes, fmt.Sprintf(format, args...)) }
	estimates := 0
	for i := range d.Activities {
		if d.Activities[i].Confidence == catalog.Estimate {
			estimates++
		}
	}
	if estimates > 0 {
		add("%d of the %s are estimates without a published source: compare plans by the hours, until your own "+
			"times replace them (--labour, --progress)", estimates, english.Count(len(d.Activities), "labour figure"))
	}
	for _, of := range Activity("").Words() {
		if n := p.unknown[Activity(of)]; n > 0 {
			add("no labour figure covers %s: %s are in no sum", of, english.GroupedCount(n, "piece"))
		}
	}
	if !p.opt.Remove && len(p.noLead) > 0 {
		ids := make([]string, 0, len(p.noLead))
		for id := range p.noLead {
			ids = append(ids, id)
		}
		slices.Sort(ids)
		const few = 4
		more := ""
		if len(ids) > few {
			more = fmt.Sprintf(" and %d more", len(ids)-few)
			ids = ids[:few]
		}
		add("no lead time is known of %s%s: they count as delivered on the first day", strings.Join(ids, ", "), more)
	}
	if p.old.boxes+p.old.cables > 0 {
		add("%s and %s exist already and take no work", english.GroupedCount(p.old.boxes, "box"),
			english.GroupedCount(p.old.cables, "cable"))
	}
	if !d.Tried {
		add("there are too many tasks to try all smaller numbers of people: one more person may make the end later")
	}
	if p.plan.Room() == nil && !p.opt.Remove {
		add("the machine has no room: trays and bundles are in no figure")
	}
}

// calibrate scales the figures of patching by the times of the progress table, and says what it did; nil without a
// table.
func (o *Options) calibrate(plan *machine.Result) *Done {
	if o.Progress == nil {
		return nil
	}
	done := &Done{Measured: len(o.Progress.measured)}
	if done.Measured < leastMeasured {
		return done
	}
	var ratios []float64
	none := *o
	none.Progress = nil
	p := newProject(plan, &none)
	legs := plan.Schedule.Legs()
	plan.Schedule.Each(func(number int64, seg *cabling.Segment) bool {
		minutes, ok := o.Progress.measured[int32(number)]
		a, b := p.rackOf[seg.A], p.rackOf[seg.B]
		if legs.Next(seg) != 1 || !ok || a < 0 || b < 0 {
			return true
		}
		s := &subject{span: p.span(&group{racks: [2]int32{a, b}}), length: seg.Length}
		if made := plan.Schedule.Product(seg); made != nil {
			s.part, s.length = made.Part, made.Length
		}
		planned := 0.0
		for _, of := range []Activity{Patch, Label} {
			if f := o.Labour.find(of, s); f >= 0 {
				planned += o.Labour.Figures[f].of(1, float64(s.length))
			}
		}
		if planned > 0 {
			ratios = append(ratios, minutes/planned)
		}
		return true
	})
	if done.Measured = len(ratios); done.Measured < leastMeasured {
		return done
	}
	slices.Sort(ratios)
	done.Factor = ratios[len(ratios)/2]
	own := *o.Labour
	own.Figures = slices.Clone(own.Figures)
	for i := range own.Figures {
		f := &own.Figures[i]
		if f.Of != Patch && f.Of != Label {
			continue
		}
		f.Minutes, f.PerMetre = f.Minutes*done.Factor, f.PerMetre*done.Factor
		f.Low, f.High, f.LowShare, f.HighShare = nil, nil, nil, nil
		f.Source = fmt.Sprintf("measured: the median of %s is %.2f times the figure (%s)",
			english.Count(done.Measured, "cable"), done.Factor, f.Source)
		f.Confidence = catalog.User
	}
	o.Labour = &own
	return done
}
