package build

import (
	"cmp"
	"container/heap"
	"fmt"
	"slices"
)

// Task is a piece of work that one team does without a break.
type Task struct {
	Name    string
	Skill   int   // of the people who do it, an index into the numbers of people
	People  int   // how many work on it at once, at least 1; 0 for a milestone, which takes no time
	Minutes int64 // working time of the team, at least 0
	After   []int // the tasks that must be finished before, by index; each less than the task's own
	Places  []int // where no other team can work meanwhile, from 0, each once
	// NotBefore is the earliest time at which it can begin, such as the delivery of its parts.
	NotBefore int64
	// Urgency puts it before tasks of less urgency that could begin as well.
	Urgency int
}

// Schedule holds when tasks begin.
type Schedule struct {
	Begin []int64 // by task
	End   int64   // when all tasks are finished
}

// Check reports the first task that no schedule with so many people of each skill can hold; nil where there is none.
func Check(tasks []Task, people []int) error {
	for i := range tasks {
		t := &tasks[i]
		switch {
		case t.Skill < 0 || t.Skill >= len(people):
			return fmt.Errorf("task %q: there is no skill %d", t.Name, t.Skill)
		case t.People < 0 || t.People == 0 && t.Minutes > 0 || t.Minutes < 0 || t.NotBefore < 0:
			return fmt.Errorf("task %q: people or minutes are out of range", t.Name)
		case t.People > people[t.Skill]:
			return fmt.Errorf("task %q takes %d people of skill %d, and there are %d", t.Name, t.People, t.Skill,
				people[t.Skill])
		}
		for _, before := range t.After {
			if before < 0 || before >= i {
				return fmt.Errorf("task %q: comes after task %d, which is not before it in the list", t.Name, before)
			}
		}
		for j, place := range t.Places {
			if place < 0 || slices.Contains(t.Places[:j], place) {
				return fmt.Errorf("task %q: place %d is negative or listed twice", t.Name, place)
			}
		}
	}
	return nil
}

// tails returns, for each task, a time that passes at least from its begin to the end of the work: the longest path
// through the tasks that depend on it, where all that depends on a task and is done in one of its places is done one
// after the other.
func tails(tasks []Task) []int64 {
	out, after := make([]int64, len(tasks)), successors(tasks)
	loads := newLoads(tasks)
	for i := len(tasks) - 1; i >= 0; i-- {
		for _, next := range after[i] {
			out[i] = max(out[i], out[next])
		}
		out[i] = max(out[i], loads.behind(i, after)) + tasks[i].Minutes
	}
	return out
}

// successors returns the tasks that directly depend on each task.
func successors(tasks []Task) [][]int {
	out := make([][]int, len(tasks))
	for i := range tasks {
		for _, before := range tasks[i].After {
			out[before] = append(out[before], i)
		}
	}
	return out
}

// loads measures the work in places.
type loads struct {
	tasks []Task
	in    map[int]int // tasks of each place
	seen  []int       // by task: the last search that has reached it, from 1
	now   int
	todo  []int
}

// mostInPlace is the number of tasks in a place up to which the work behind each of them is added up, which takes time
// with the square of it.
const mostInPlace = 1000

func newLoads(tasks []Task) *loads {
	l := &loads{tasks: tasks, in: map[int]int{}, seen: make([]int, len(tasks))}
	for i := range tasks {
		for _, place := range tasks[i].Places {
			l.in[place]++
		}
	}
	return l
}

// behind returns the most minutes of tasks that depend on a task, by way of tasks in one of its places, and are done in
// that place.
func (l *loads) behind(task int, after [][]int) int64 {
	most := int64(0)
	for _, place := range l.tasks[task].Places {
		if l.in[place] > mostInPlace {
			continue
		}
		l.now++
		sum := int64(0)
		for l.todo = append(l.todo[:0], task); len(l.todo) > 0; {
			i := l.todo[len(l.todo)-1]
			l.todo = l.todo[:len(l.todo)-1]
			for _, next := range after[i] {
				if l.seen[next] < l.now && slices.Contains(l.tasks[next].Places, place) {
					l.seen[next] = l.now
					sum += l.tasks[next].Minutes
					l.todo = append(l.todo, next)
				}
			}
		}
		most = max(most, sum)
	}
	return most
}

// CriticalPath returns the tasks of a longest path through the dependencies, and its end: the earliest possible end of
// the work with any number of people.
func CriticalPath(tasks []Task) (path []int, end int64) {
	begin := make([]int64, len(tasks))
	from := make([]int, len(tasks))
	last := -1
	for i := range tasks {
		begin[i], from[i] = tasks[i].NotBefore, -1
		for _, before := range tasks[i].After {
			if at := begin[before] + tasks[before].Minutes; at > begin[i] || at == begin[i] && from[i] < 0 {
				begin[i], from[i] = at, before
			}
		}
		if at := begin[i] + tasks[i].Minutes; last < 0 || at > end {
			last, end = i, at
		}
	}
	for i := last; i >= 0; i = from[i] {
		path = append(path, i)
	}
	slices.Reverse(path)
	return path, end
}

// LowerBound returns a time before which no schedule ends: the greatest of the critical path; for each skill, the
// earliest begin of its tasks, their work shared by all who have the skill, and the least time that still follows one
// of them; and the same for each place, where one task is done at a time.
func LowerBound(tasks []Task, people []int) int64 { return newBounds(tasks, tails(tasks)).end(people) }

// bounds are the parts of LowerBound that do not depend on the number of people.
type bounds struct {
	least  int64 // for any number of them
	skills map[int]*share
}

// newBounds takes the times behind tasks that tails returns.
func newBounds(tasks []Task, behind []int64) *bounds {
	b := &bounds{skills: map[int]*share{}}
	heads, places := heads(tasks), map[int]*share{}
	add := func(to map[int]*share, key int, work, head, tail int64) {
		if to[key] == nil {
			to[key] = &share{}
		}
		to[key].add(work, head, tail)
	}
	for i := range tasks {
		t := &tasks[i]
		after := behind[i] - t.Minutes
		b.least = max(b.least, heads[i]+behind[i])
		add(b.skills, t.Skill, int64(t.People)*t.Minutes, heads[i], after)
		for _, place := range t.Places {
			add(places, place, t.Minutes, heads[i], after)
		}
	}
	for _, p := range places {
		b.least = max(b.least, p.end(1))
	}
	return b
}

// end is the bound for a number of people of each skill.
func (b *bounds) end(people []int) int64 {
	out := b.least
	for skill, s := range b.skills {
		out = max(out, s.end(int64(people[skill])))
	}
	return out
}

// heads returns the earliest begin of each task with any number of people.
func heads(tasks []Task) []int64 {
	out := make([]int64, len(tasks))
	for i := range tasks {
		out[i] = tasks[i].NotBefore
		for _, before := range tasks[i].After {
			out[i] = max(out[i], out[before]+tasks[before].Minutes)
		}
	}
	return out
}

// share is work that is divided among people, or that is done in one place.
type share struct {
	work       int64
	head, tail int64 // the least of its tasks
	any        bool
}

func (s *share) add(work, head, tail int64) {
	if work == 0 {
		return
	}
	if !s.any {
		s.head, s.tail, s.any = head, tail, true
	}
	s.work, s.head, s.tail = s.work+work, min(s.head, head), min(s.tail, tail)
}

// end is the earliest end of all that the work is part of.
func (s *share) end(among int64) int64 {
	if !s.any || among <= 0 {
		return 0
	}
	return s.head + (s.work+among-1)/among + s.tail
}

// List schedules tasks by priority: whenever people are free, the most urgent task begins of those that can begin; of
// equally urgent ones that with the longest time behind it (the lower bound of what passes until the end of the work),
// of equal ones the first in the list. Tasks and people must pass Check.
func List(tasks []Task, people []int) *Schedule { return list(tasks, people, tails(tasks)) }

// list is List with other priorities than the time behind tasks; the highest first.
func list(tasks []Task, people []int, priority []int64) *Schedule {
	l := newLister(tasks, people, priority)
	for now := int64(0); ; {
		l.begin(now)
		next, ok := l.next(now)
		if !ok {
			return l.out
		}
		now = next
	}
}

// lister is the state of List.
type lister struct {
	tasks   []Task
	behind  []int64 // the priority
	waits   []int   // by task: tasks before it that are not finished
	after   [][]int // by task: the tasks that depend on it
	free    []int   // people, by skill
	taken   map[int]bool
	parked  map[int][]int // by place: tasks that could begin but for the place
	ready   []*queue      // the tasks that can begin, by crew
	crews   []crew
	crewOf  []int  // by task: an index into crews
	later   *queue // tasks that only wait for their earliest time
	running *queue
	out     *Schedule
}

// crew is what a task takes of the people.
type crew struct{ skill, people int }

// queue is a heap of tasks.
type queue struct {
	tasks []int
	less  func(a, b int) bool
}

func (q *queue) Len() int           { return len(q.tasks) }
func (q *queue) Less(i, j int) bool { return q.less(q.tasks[i], q.tasks[j]) }
func (q *queue) Swap(i, j int)      { q.tasks[i], q.tasks[j] = q.tasks[j], q.tasks[i] }
func (q *queue) Push(x any)         { q.tasks = append(q.tasks, x.(int)) }
func (q *queue) Pop() any {
	last := q.tasks[len(q.tasks)-1]
	q.tasks = q.tasks[:len(q.tasks)-1]
	return last
}

func newLister(tasks []Task, people []int, priority []int64) *lister {
	l := &lister{
		tasks: tasks, behind: priority, waits: make([]int, len(tasks)), after: successors(tasks),
		free: slices.Clone(people), taken: map[int]bool{}, parked: map[int][]int{}, crewOf: make([]int, len(tasks)),
		out: &Schedule{Begin: make([]int64, len(tasks))},
	}
	l.later = &queue{less: func(a, b int) bool { return tasks[a].NotBefore < tasks[b].NotBefore }}
	l.running = &queue{less: func(a, b int) bool { return l.end(a) < l.end(b) }}
	for i := range tasks {
		c := crew{tasks[i].Skill, tasks[i].People}
		l.crewOf[i] = slices.Index(l.crews, c)
		if l.crewOf[i] < 0 {
			l.crewOf[i] = len(l.crews)
			l.crews, l.ready = append(l.crews, c), append(l.ready, &queue{less: l.before})
		}
		if l.waits[i] = len(tasks[i].After); l.waits[i] == 0 {
			heap.Push(l.later, i)
		}
	}
	return l
}

func (l *lister) end(task int) int64 { return l.out.Begin[task] + l.tasks[task].Minutes }

// before reports whether a task has priority over another.
func (l *lister) before(a, b int) bool {
	return cmp.Or(cmp.Compare(l.tasks[b].Urgency, l.tasks[a].Urgency), cmp.Compare(l.behind[b], l.behind[a]),
		cmp.Compare(a, b)) < 0
}

// offer makes a task ready.
func (l *lister) offer(task int) { heap.Push(l.ready[l.crewOf[task]], task) }

// begin starts all tasks that can begin now.
func (l *lister) begin(now int64) {
	for l.later.Len() > 0 && l.tasks[l.later.tasks[0]].NotBefore <= now {
		l.offer(heap.Pop(l.later).(int))
	}
	for {
		best := -1
		for i, c := range l.crews {
			if q := l.ready[i]; q.Len() > 0 && c.people <= l.free[c.skill] &&
				(best < 0 || l.before(q.tasks[0], l.ready[best].tasks[0])) {
				best = i
			}
		}
		if best < 0 {
			return
		}
		task := heap.Pop(l.ready[best]).(int)
		t := &l.tasks[task]
		if i := slices.IndexFunc(t.Places, func(p int) bool { return l.taken[p] }); i >= 0 {
			l.parked[t.Places[i]] = append(l.parked[t.Places[i]], task)
			continue
		}
		for _, place := range t.Places {
			l.taken[place] = true
		}
		l.free[t.Skill] -= t.People
		l.out.Begin[task] = now
		heap.Push(l.running, task)
	}
}

// next ends the tasks that end first, and returns when something can begin; false when all are finished.
func (l *lister) next(now int64) (int64, bool) {
	if l.running.Len() == 0 {
		if l.later.Len() == 0 {
			return 0, false
		}
		return l.tasks[l.later.tasks[0]].NotBefore, true
	}
	at := l.end(l.running.tasks[0])
	if l.later.Len() > 0 {
		if next := l.tasks[l.later.tasks[0]].NotBefore; next > now && next < at {
			return next, true
		}
	}
	for l.running.Len() > 0 && l.end(l.running.tasks[0]) == at {
		task := heap.Pop(l.running).(int)
		t := &l.tasks[task]
		l.free[t.Skill] += t.People
		for _, place := range t.Places {
			delete(l.taken, place)
			for _, waiting := range l.parked[place] {
				l.offer(waiting)
			}
			delete(l.parked, place)
		}
		for _, next := range l.after[task] {
			if l.waits[next]--; l.waits[next] == 0 {
				heap.Push(l.later, next)
			}
		}
	}
	l.out.End = max(l.out.End, at)
	return at, true
}

// MostSteps is the number of tasks that Best schedules at most, each counted as often as it is scheduled. For the given
// people it schedules any number.
const MostSteps = 1_500_000

// justified is how often the schedule of some people is justified.
const justified = 4

// Best returns the shortest of the list schedules for the given people and for any fewer of them. List scheduling alone
// can take longer with more people; here one more person never makes it later, as all smaller numbers are tried as
// well. All reports whether they were: for many tasks and people not all can be, beyond MostSteps. Numbers whose lower
// bound is not below the best end found so far are passed over. The error is that of Check.
//
// Each schedule is justified: tasks are scheduled backwards, those that end last first, and then forwards again in the
// order of that (V. Valls, F. Ballestin, S. Quintanilla, "Justification and RCPSP", European Journal of Operational
// Research 165, 2005). The shortest of these schedules counts.
func Best(tasks []Task, people []int) (best *Schedule, all bool, err error) {
	best, _, all, err = bestOf(tasks, people)
	return best, all, err
}

// bestOf is Best; with is the numbers of people of the schedule.
func bestOf(tasks []Task, people []int) (best *Schedule, with []int, all bool, err error) {
	if err := Check(tasks, people); err != nil {
		return nil, nil, false, err
	}
	least := make([]int, len(people))
	for i := range tasks {
		least[tasks[i].Skill] = max(least[tasks[i].Skill], tasks[i].People)
	}
	fewer := slices.Clone(people)
	for skill := range fewer { // more people than work for are of no use
		fewer[skill] = max(min(fewer[skill], atOnce(tasks, skill)), least[skill])
	}
	most := slices.Clone(fewer)
	s := newScheduler(tasks)
	bound := s.bound(fewer)
	for steps := 0; ; {
		if best == nil || s.bound(fewer) < best.End {
			if steps += (1 + 2*justified) * len(tasks); best != nil && steps > MostSteps {
				return best, with, false, nil
			}
			if found := s.schedule(fewer); best == nil || found.End < best.End {
				best, with = found, slices.Clone(fewer)
			}
		}
		if best.End <= bound {
			return best, with, true, nil
		}
		i := 0
		for ; i < len(fewer); i++ { // the next of all numbers from the given ones down to the least
			if fewer[i]--; fewer[i] >= least[i] {
				break
			}
			fewer[i] = most[i]
		}
		if i == len(fewer) {
			return best, with, true, nil
		}
	}
}

// scheduler schedules the same tasks for several numbers of people.
type scheduler struct {
	tasks, reverse []Task
	behind         []int64
	bounds         *bounds
}

func newScheduler(tasks []Task) *scheduler {
	s := &scheduler{tasks: tasks, reverse: make([]Task, len(tasks)), behind: tails(tasks)}
	s.bounds = newBounds(tasks, s.behind)
	last := len(tasks) - 1
	for i, after := range successors(tasks) {
		t := tasks[i]
		t.After, t.NotBefore, t.Urgency = nil, 0, -t.Urgency
		for _, next := range after {
			t.After = append(t.After, last-next)
		}
		s.reverse[last-i] = t
	}
	return s
}

// bound is LowerBound.
func (s *scheduler) bound(people []int) int64 { return s.bounds.end(people) }

// schedule is the shortest of a list schedule and of those that follow from it by justification.
func (s *scheduler) schedule(people []int) *Schedule {
	now := list(s.tasks, people, s.behind)
	best := now
	n := len(s.tasks)
	priority := make([]int64, n)
	for range justified {
		for i := range s.tasks {
			priority[n-1-i] = now.Begin[i] + s.tasks[i].Minutes
		}
		back := list(s.reverse, people, priority)
		for i := range s.tasks {
			priority[i] = back.Begin[n-1-i] + s.tasks[i].Minutes
		}
		if now = list(s.tasks, people, priority); now.End < best.End {
			best = now
		}
	}
	return best
}

// atOnce is the number of people who are busy when all tasks of a skill are done at once.
func atOnce(tasks []Task, skill int) int {
	n := 0
	for i := range tasks {
		if tasks[i].Skill == skill {
			n += tasks[i].People
		}
	}
	return n
}
