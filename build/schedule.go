package build

import (
	"cmp"
	"fmt"
	"slices"
)

// NoPlace is the place of a task that can be done beside any other.
const NoPlace = -1

// Task is a piece of work that one team does without a break.
type Task struct {
	Name    string
	Skill   int   // of the people that it takes, an index into the numbers of people
	People  int   // how many work on it at once, at least 1
	Minutes int64 // how long they take, at least 0
	After   []int // the tasks that must be done before, by index; each less than the task's own
	Place   int   // where no other team can work meanwhile, from 0; NoPlace for none
	// NotBefore is when it can begin at the earliest, such as on the delivery of its parts.
	NotBefore int64
}

// Schedule is when the tasks begin.
type Schedule struct {
	Begin []int64 // by task
	End   int64   // when all are done
}

// Check reports the first task that no schedule with so many people of each skill can hold; nil where there is none.
func Check(tasks []Task, people []int) error {
	for i := range tasks {
		t := &tasks[i]
		switch {
		case t.Skill < 0 || t.Skill >= len(people):
			return fmt.Errorf("task %q: there is no skill %d", t.Name, t.Skill)
		case t.People < 1 || t.Minutes < 0 || t.NotBefore < 0 || t.Place < NoPlace:
			return fmt.Errorf("task %q: people, minutes or place are out of range", t.Name)
		case t.People > people[t.Skill]:
			return fmt.Errorf("task %q takes %d people of skill %d, and there are %d", t.Name, t.People, t.Skill,
				people[t.Skill])
		}
		for _, before := range t.After {
			if before < 0 || before >= i {
				return fmt.Errorf("task %q: comes after task %d, which is not before it in the list", t.Name, before)
			}
		}
	}
	return nil
}

// tails is how long it takes at least from the begin of each task to the end of all that follows it.
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

// CriticalPath returns the tasks of a longest path and when it ends at the earliest, whatever the number of people.
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

// LowerBound returns a time before which no schedule ends: the greatest of the critical path, of the work of each skill
// shared by all who have it, and of the work in each place.
func LowerBound(tasks []Task, people []int) int64 {
	_, bound := CriticalPath(tasks)
	work := make([]int64, len(people))
	places := map[int]int64{}
	for i := range tasks {
		t := &tasks[i]
		work[t.Skill] += int64(t.People) * t.Minutes
		if t.Place != NoPlace {
			places[t.Place] += t.Minutes
		}
	}
	for skill, minutes := range work {
		if n := int64(people[skill]); n > 0 {
			bound = max(bound, (minutes+n-1)/n)
		}
	}
	for _, minutes := range places {
		bound = max(bound, minutes)
	}
	return bound
}

// List schedules tasks by priority: whenever people are free, the task that can begin with the longest path behind it
// begins; equal ones in the order of the list. Tasks and people must pass Check.
func List(tasks []Task, people []int) *Schedule {
	s := &Schedule{Begin: make([]int64, len(tasks))}
	behind := tails(tasks)
	waits, after := make([]int, len(tasks)), make([][]int, len(tasks))
	for i := range tasks {
		waits[i] = len(tasks[i].After)
		for _, before := range tasks[i].After {
			after[before] = append(after[before], i)
		}
	}
	free, taken := slices.Clone(people), map[int]bool{}
	var ready, running []int
	for i := range tasks {
		if waits[i] == 0 {
			ready = append(ready, i)
		}
	}
	rank := func(a, b int) int { return cmp.Or(cmp.Compare(behind[b], behind[a]), cmp.Compare(a, b)) }
	end := func(i int) int64 { return s.Begin[i] + tasks[i].Minutes }
	for now := int64(0); len(ready)+len(running) > 0; {
		slices.SortFunc(ready, rank)
		next := int64(-1)
		ready = slices.DeleteFunc(ready, func(i int) bool {
			t := &tasks[i]
			if t.NotBefore > now {
				if next < 0 || t.NotBefore < next {
					next = t.NotBefore
				}
				return false
			}
			if t.People > free[t.Skill] || t.Place != NoPlace && taken[t.Place] {
				return false
			}
			free[t.Skill] -= t.People
			if t.Place != NoPlace {
				taken[t.Place] = true
			}
			s.Begin[i] = now
			running = append(running, i)
			return true
		})
		for _, i := range running {
			if next < 0 || end(i) < next {
				next = end(i)
			}
		}
		now = next
		running = slices.DeleteFunc(running, func(i int) bool {
			if end(i) > now {
				return false
			}
			t := &tasks[i]
			free[t.Skill] += t.People
			delete(taken, t.Place)
			for _, j := range after[i] {
				if waits[j]--; waits[j] == 0 {
					ready = append(ready, j)
				}
			}
			s.End = max(s.End, end(i))
			return true
		})
	}
	return s
}

// Best returns the shortest of the list schedules for the given people and for any fewer of them. List scheduling alone
// can take longer with more people; here one more never makes it later, as what fewer can do is tried as well.
// The error is that of Check.
func Best(tasks []Task, people []int) (*Schedule, error) {
	if err := Check(tasks, people); err != nil {
		return nil, err
	}
	least := make([]int, len(people))
	for i := range tasks {
		least[tasks[i].Skill] = max(least[tasks[i].Skill], tasks[i].People)
	}
	var best *Schedule
	fewer := slices.Clone(least)
	for {
		if s := List(tasks, fewer); best == nil || s.End <= best.End {
			best = s
		}
		i := 0
		for ; i < len(fewer); i++ { // the next of all numbers from the least to the given ones
			if fewer[i]++; fewer[i] <= people[i] {
				break
			}
			fewer[i] = least[i]
		}
		if i == len(fewer) {
			return best, nil
		}
	}
}
