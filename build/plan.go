package build

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/parallel"
	"github.com/plenum-planner/plenum/machine"
)

// ErrNoCables says that a plan has no list of its cables.
var ErrNoCables = errors.New("the plan is a summary without a list of cables, from which the work is made")

// Of plans the build of a machine. The error is that of the context, ErrNoCables, or names what is wrong with
// the options.
func Of(ctx context.Context, plan *machine.Result, opt Options) (*Document, error) {
	if plan.Schedule.Segments == nil {
		return nil, ErrNoCables
	}
	if opt.From != nil && (opt.From.New != plan || opt.Remove || opt.Progress != nil) {
		return nil, errors.New("steps of a growth lead to the plan that is built, and are not scheduled together " +
			"with a removal or with what is done")
	}
	if err := opt.complete(plan); err != nil {
		return nil, err
	}
	first := opt // of the calendar without progress
	done := opt.calibrate(plan)
	if !first.PlannedStart.IsZero() {
		if first.Calendar.Start = first.PlannedStart; opt.Ordered.IsZero() {
			opt.Ordered = first.PlannedStart
		}
	}
	first.Progress = nil
	p := newProject(plan, &opt)
	if opt.Remove {
		p.remove()
	} else {
		p.build()
		p.raiseUrgency(opt.First)
	}
	if done != nil {
		done.Cables = p.done
	}
	people := make([]int, len(Skills))
	for i, s := range Skills {
		people[i] = opt.People[s]
	}
	if err := p.checkPeople(people); err != nil {
		return nil, err
	}
	d := &Document{
		Machine: plan.Spec.Name, Labour: opt.Labour.Name, Date: opt.Labour.Date, Work: "build",
		PerDay: opt.Calendar.PerDay(), Currency: opt.Labour.Currency, Tasks: len(p.tasks), project: p,
		CriticalPath: []Step{}, Chain: []Step{}, ByDay: []Day{}, Activities: []Effort{}, BySpan: []Install{},
		Fabrics: []Ready{}, Deliveries: []Delivery{}, Orders: []Order{},
		Mistakes: []Mistake{}, Stages: []Stage{}, Notes: []string{},
	}
	if opt.Remove {
		d.Work = "removal"
	}
	if opt.From != nil {
		d.GrownFrom, d.Steps = opt.From.Old.Spec.Name, len(opt.From.Steps)
	}
	var err error
	var with []int
	if d.schedule, with, d.Tried, err = bestOf(p.tasks, people); err != nil {
		return nil, err
	}
	d.LowerBound = hours(LowerBound(p.tasks, people))
	d.count(people)
	d.findChains()
	d.countDays()
	d.sumEffort()
	d.findReady()
	d.findOrders()
	d.estimateMistakes(opt.Wrong)
	d.listStages()
	if d.Progress = done; done != nil {
		done.Left = d.Cables
		if err := d.compare(&first, people); err != nil {
			return nil, err
		}
	}
	if err := d.drawRanges(ctx, with, opt.Seed); err != nil {
		return nil, err
	}
	d.addNotes()
	return d, nil
}

// checkPeople refuses crews that are too small for a task.
func (p *project) checkPeople(people []int) error {
	for i := range p.tasks {
		if t := &p.tasks[i]; t.People > people[t.Skill] {
			return fmt.Errorf("%q takes %d people for %s, and the crew has %d", t.Name, t.People, Skills[t.Skill],
				people[t.Skill])
		}
	}
	return nil
}

// complete fills in what is left out and checks the options.
func (o *Options) complete(plan *machine.Result) error {
	if o.Labour == nil {
		o.Labour = DefaultLabour()
	}
	o.Labour = o.Labour.in(plan)
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
	if !o.Ordered.IsZero() && !c.HasDates() {
		return errors.New("parts are ordered on a day, and the first day of work has no date")
	}
	if !o.PlannedStart.IsZero() {
		switch {
		case o.Progress == nil:
			return errors.New("the first day of the calendar without progress is compared with progress, and none is " +
				"given")
		case !c.HasDates():
			return errors.New("the calendar without progress begins on a day, and the first day of work has no date")
		case o.PlannedStart.After(c.Start):
			return fmt.Errorf("the calendar without progress begins on %s, after the first day of what is left, %s",
				o.PlannedStart.Format(time.DateOnly), c.Start.Format(time.DateOnly))
		}
	}
	switch {
	case !(c.Hours > 0) || c.Shifts < 0 || float64(c.Shifts)*c.Hours > 24:
		return fmt.Errorf("%d shifts of %v hours: they must be above 0 and fit into a day", c.Shifts, c.Hours)
	case !(c.Productive > 0 && c.Productive <= 1):
		return errors.New("the productive share must be above 0 and at most 1")
	}
	if o.Draws < 0 {
		return fmt.Errorf("the number of draws must be at least 1, not %d", o.Draws)
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

// raiseUrgency makes what fabrics need urgent, those that are named first the most.
func (p *project) raiseUrgency(first []string) {
	for i := len(p.tasks) - 1; i >= 0; i-- {
		if fabric := p.jobs[i].fabric; fabric >= 0 {
			if at := slices.Index(first, p.fabrics[fabric]); at >= 0 {
				p.tasks[i].Urgency = max(p.tasks[i].Urgency, len(first)-at)
			}
		}
		for _, before := range p.tasks[i].After {
			p.tasks[before].Urgency = max(p.tasks[before].Urgency, p.tasks[i].Urgency)
		}
	}
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
	if c := &d.project.opt.Calendar; c.HasDates() {
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
			case MountBox:
				d.Boxes += w.pieces
			case DismountBox:
				if d.GrownFrom == "" {
					d.Boxes += w.pieces
				}
			case Patch, LayTrunk:
				d.Cables += w.pieces
			case Disconnect:
				if d.GrownFrom == "" {
					d.Cables += w.pieces
				} else {
					d.Disconnected += w.pieces
				}
			}
		}
		d.Links += d.project.jobs[i].links
	}
	for i, s := range Skills {
		c := Crew{Skill: s, People: people[i], Used: d.mostAtOnce(i)}
		if d.schedule.End > 0 && people[i] > 0 {
			c.Busy = float64(work[i]) / float64(d.schedule.End) / float64(people[i])
		}
		d.People = append(d.People, c)
	}
}

// mostAtOnce is the most people of a skill who work at once.
func (d *Document) mostAtOnce(skill int) int {
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

// findChains finds the critical path and what makes the end of the schedule.
func (d *Document) findChains() {
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
	if len(worked) > 0 { // others were preferred to the task until the first of these ended
		return worked[0], "people"
	}
	return -1, "people"
}

// countDays counts what is finished on each day, and the hours of each.
func (d *Document) countDays() {
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

// date is the date of a working day from 0, empty without a start.
func (d *Document) date(day int) string {
	c := &d.project.opt.Calendar
	if !c.HasDates() {
		return ""
	}
	if day >= len(d.dates) {
		all := c.dates(day + 1)
		return all[day].Format("2006-01-02")
	}
	return d.dates[day]
}

// findReady finds when fabrics are in service, and what waits for deliveries.
func (d *Document) findReady() {
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

// findOrders finds when parts with a lead time have to be ordered, the earliest first. A part that comes on the working
// day on which the first task begins that needs it is there at the begin of that day.
func (d *Document) findOrders() {
	p, c := d.project, &d.project.opt.Calendar
	if !c.HasDates() {
		return
	}
	first := map[catalog.Item]int{} // the task that begins first
	for i := range p.jobs {
		for _, item := range p.jobs[i].needs {
			if at, ok := first[item]; !ok || d.schedule.Begin[i] < d.schedule.Begin[at] {
				first[item] = i
			}
		}
	}
	lead := map[catalog.Item]float64{} // the longest of several lines
	for i := range p.plan.Bill.Rows {
		if r := &p.plan.Bill.Rows[i]; r.Buy > 0 {
			lead[r.Item] = max(lead[r.Item], float64(r.Lead))
		}
	}
	for _, item := range slices.SortedFunc(maps.Keys(first), compareItems) {
		needed := d.date(c.Day(d.schedule.Begin[first[item]], false))
		day, err := time.Parse(time.DateOnly, needed)
		if err != nil {
			continue // a year of five digits
		}
		d.Orders = append(d.Orders, Order{
			Part: item.String(), Lead: lead[item], Begin: needed, Task: p.tasks[first[item]].Name,
			By: day.AddDate(0, 0, -int(math.Ceil(lead[item]-1e-9))).Format(time.DateOnly),
		})
	}
	slices.SortStableFunc(d.Orders, func(a, b Order) int { return strings.Compare(a.By, b.By) })
}

// OrderBy returns the last date on which each part with a lead time can be ordered, by its id, of cables with the
// length; none where no start is given.
func (d *Document) OrderBy() map[string]string {
	out := map[string]string{}
	for _, o := range d.Orders {
		out[o.Part] = o.By
	}
	return out
}

// listStages lists when what is tested.
func (d *Document) listStages() {
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

// Labour figures are drawn mostDraws times; less often for many tasks, but at least leastDraws times.
const (
	mostDraws    = 100
	leastDraws   = 20
	tasksOfDraws = 100_000
)

// drawRanges sets the ranges of the duration and of the hours: it schedules the tasks again and again with labour
// figures that are drawn from their ranges. A draw multiplies one figure by the same factor in all tasks, since an
// error of a figure affects all of its work alike. The numbers of people are those of the best schedule.
func (d *Document) drawRanges(ctx context.Context, people []int, seed uint64) error {
	p := d.project
	n := p.opt.Draws
	if n == 0 {
		n = min(max(tasksOfDraws/max(len(p.tasks), 1), leastDraws), mostDraws)
	}
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

// addNotes says what the figures leave out.
func (d *Document) addNotes() {
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
			add("no labour figure covers %s: %s are in no sum", of, english.Count(n, "piece"))
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
		add("%s, %s and all trays exist already and take no work", english.Count(p.old.boxes, "box"),
			english.Count(p.old.cables, "cable"))
	}
	if bill := p.plan.Bill.Currency; d.Currency != bill {
		add("costs are in %s, the bill is in %s: prices.rates of the machine file has no rate for %s", d.Currency, bill,
			d.Currency)
	}
	if !d.Tried {
		add("there are too many tasks to try all smaller numbers of people: one more person may make the end later")
	}
	if p.plan.Room() == nil && !p.opt.Remove {
		add("the machine has no room: trays and bundles are in no figure")
	}
}
