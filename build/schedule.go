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
	People  int   // how many work on it at once, at least 1
	Minutes int64 // working time of the team, at least 0
	After   []int // the tasks that must be finished before, by index; each less than the task's own
	Places  []int // where no other team can work meanwhile, from 0, each once
	// NotBefore is the earliest time at which it can begin, such as the delivery of its parts.
	NotBefore int64
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
		case t.People < 1 || t.Minutes < 0 || t.NotBefore < 0:
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

// tails returns the shortest time from the begin of each task to the end of all tasks that depend on it.
func tails(tasks []Task) []int64 {
	out := make([]int64, len(tasks))
	for i := len(tasks) - 1; i >= 0; i-- {
		out[i] += tasks[i].Minutes
		for _, before := range tasks[i].After {
			out[before] = max(out[before], out[i])
		}
	}
	return out
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
// earliest begin of its tasks, their work shared by all who have the skill, and the least time that still follows one of
// them; and the same for each place, where one task is done at a time.
func LowerBound(tasks []Task, people []int) int64 {
	_, bound := CriticalPath(tasks)
	heads, behind := heads(tasks), tails(tasks)
	skills, places := make([]share, len(people)), map[int]*share{}
	for i := range tasks {
		t := &tasks[i]
		after := behind[i] - t.Minutes
		skills[t.Skill].add(int64(t.People)*t.Minutes, heads[i], after)
		for _, place := range t.Places {
			if places[place] == nil {
				places[place] = &share{}
			}
			places[place].add(t.Minutes, heads[i], after)
		}
	}
	for skill := range skills {
		bound = max(bound, skills[skill].end(int64(people[skill])))
	}
	for _, p := range places {
		bound = max(bound, p.end(1))
	}
	return bound
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

// List schedules tasks by priority: whenever people are free, the task with the longest path behind it begins, among
// those that can begin; equal ones in the order of the list. Tasks and people must pass Check.
func List(tasks []Task, people []int) *Schedule {
	l := newLister(tasks, people)
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
	tasks  []Task
	behind []int64
	waits  []int   // by task: tasks before it that are not finished
	after  [][]int // by task: the tasks that depend on it
	free   []int   // people, by skill
	taken  map[int]bool
	parked map[int][]int // by place: tasks that could begin but for the place
	// ready has the tasks that can begin, by skill and number of people.
	ready   map[crew]*queue
	crews   []crew // the keys of ready
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

func newLister(tasks []Task, people []int) *lister {
	l := &lister{
		tasks: tasks, behind: tails(tasks), waits: make([]int, len(tasks)), after: make([][]int, len(tasks)),
		free: slices.Clone(people), taken: map[int]bool{}, parked: map[int][]int{}, ready: map[crew]*queue{},
		out: &Schedule{Begin: make([]int64, len(tasks))},
	}
	l.later = &queue{less: func(a, b int) bool { return tasks[a].NotBefore < tasks[b].NotBefore }}
	l.running = &queue{less: func(a, b int) bool { return l.end(a) < l.end(b) }}
	for i := range tasks {
		l.waits[i] = len(tasks[i].After)
		for _, before := range tasks[i].After {
			l.after[before] = append(l.after[before], i)
		}
	}
	for i := range tasks {
		if l.waits[i] == 0 {
			heap.Push(l.later, i)
		}
	}
	return l
}

func (l *lister) end(task int) int64 { return l.out.Begin[task] + l.tasks[task].Minutes }

// before reports whether a task has priority over another.
func (l *lister) before(a, b int) bool {
	return cmp.Or(cmp.Compare(l.behind[b], l.behind[a]), cmp.Compare(a, b)) < 0
}

// offer makes a task ready.
func (l *lister) offer(task int) {
	c := crew{l.tasks[task].Skill, l.tasks[task].People}
	q := l.ready[c]
	if q == nil {
		q = &queue{less: l.before}
		l.ready[c] = q
		l.crews = append(l.crews, c)
	}
	heap.Push(q, task)
}

// begin starts all tasks that can begin now.
func (l *lister) begin(now int64) {
	for l.later.Len() > 0 && l.tasks[l.later.tasks[0]].NotBefore <= now {
		l.offer(heap.Pop(l.later).(int))
	}
	for {
		best := crew{skill: -1}
		for _, c := range l.crews {
			q := l.ready[c]
			if q.Len() > 0 && c.people <= l.free[c.skill] &&
				(best.skill < 0 || l.before(q.tasks[0], l.ready[best].tasks[0])) {
				best = c
			}
		}
		if best.skill < 0 {
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

// MostSteps is the number of tasks that Best schedules at most, each counted as often as it is scheduled.
const MostSteps = 4_000_000

// Best returns the shortest of the list schedules for the given people and for any fewer of them. List scheduling alone
// can take longer with more people; here one more person never makes it later, as all smaller numbers are tried as well.
// All reports whether they were: for many tasks and people not all can be, beyond MostSteps. Numbers whose lower bound
// is not below the best end found so far are passed over. The error is that of Check.
func Best(tasks []Task, people []int) (best *Schedule, all bool, err error) {
	if err := Check(tasks, people); err != nil {
		return nil, false, err
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
	bound := LowerBound(tasks, fewer)
	for steps := 0; ; {
		if best == nil || LowerBound(tasks, fewer) < best.End {
			if steps += len(tasks); best != nil && steps > MostSteps {
				return best, false, nil
			}
			if s := List(tasks, fewer); best == nil || s.End < best.End {
				best = s
			}
		}
		if best.End <= bound {
			return best, true, nil
		}
		i := 0
		for ; i < len(fewer); i++ { // the next of all numbers from the given ones down to the least
			if fewer[i]--; fewer[i] >= least[i] {
				break
			}
			fewer[i] = most[i]
		}
		if i == len(fewer) {
			return best, true, nil
		}
	}
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
