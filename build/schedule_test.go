package build

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawnTasks draws tasks that follow each other, and people who can do them.
func drawnTasks(t *rapid.T) (tasks []Task, people []int) {
	people = rapid.SliceOfN(rapid.IntRange(1, 4), 1, 3).Draw(t, "people")
	for i := range rapid.IntRange(0, 14).Draw(t, "tasks") {
		skill := rapid.IntRange(0, len(people)-1).Draw(t, "skill")
		task := Task{
			Skill: skill, People: rapid.IntRange(1, people[skill]).Draw(t, "of them"),
			Minutes:   rapid.Int64Range(0, 20).Draw(t, "minutes"),
			NotBefore: rapid.SampledFrom([]int64{0, 0, 0, 7, 25}).Draw(t, "not before"),
			Urgency:   rapid.SampledFrom([]int{0, 0, 1}).Draw(t, "urgency"),
		}
		task.Places = rapid.SliceOfNDistinct(rapid.IntRange(0, 3), 0, 2, rapid.ID).Draw(t, "places")
		for before := range i {
			if rapid.IntRange(0, 3).Draw(t, "after") == 0 {
				task.After = append(task.After, before)
			}
		}
		tasks = append(tasks, task)
	}
	return tasks, people
}

// simulate plays a schedule through all times at which something begins or ends: it tells what breaks it, and when all
// is done.
func simulate(tasks []Task, people []int, s *Schedule) (wrong string, end int64) {
	done := make([]bool, len(tasks))
	times := []int64{0}
	for i := range tasks {
		times = append(times, s.Begin[i], s.Begin[i]+tasks[i].Minutes)
	}
	slices.Sort(times)
	for _, minute := range slices.Compact(times) {
		for again := true; again; { // tasks of no length may follow each other at once
			again = false
			for i := range tasks {
				if !done[i] && s.Begin[i]+tasks[i].Minutes <= minute {
					for _, before := range tasks[i].After {
						if s.Begin[before]+tasks[before].Minutes > s.Begin[i] {
							return "a task begins before another is done", 0
						}
					}
					done[i], again = true, true
					end = max(end, s.Begin[i]+tasks[i].Minutes)
				}
			}
		}
		at, in := make([]int, len(people)), map[int]int{}
		for i := range tasks {
			if t := &tasks[i]; s.Begin[i] <= minute && minute < s.Begin[i]+t.Minutes {
				at[t.Skill] += t.People
				for _, place := range t.Places {
					in[place]++
				}
			}
			if s.Begin[i] < tasks[i].NotBefore {
				return "a task begins before its parts are there", 0
			}
		}
		for skill, n := range at {
			if n > people[skill] {
				return "more people work than there are", 0
			}
		}
		for _, n := range in {
			if n > 1 {
				return "two teams work in one place", 0
			}
		}
	}
	if slices.Contains(done, false) {
		return "it does not end", 0
	}
	return "", end
}

// plainTails is tails by looking at what can be reached from each task.
func plainTails(tasks []Task) []int64 {
	out := make([]int64, len(tasks))
	for i := len(tasks) - 1; i >= 0; i-- {
		for j := i + 1; j < len(tasks); j++ {
			if slices.Contains(tasks[j].After, i) {
				out[i] = max(out[i], out[j])
			}
		}
		for _, place := range tasks[i].Places {
			reached, sum := map[int]bool{i: true}, int64(0)
			for j := i + 1; j < len(tasks); j++ {
				if slices.Contains(tasks[j].Places, place) &&
					slices.ContainsFunc(tasks[j].After, func(k int) bool { return reached[k] }) {
					reached[j] = true
					sum += tasks[j].Minutes
				}
			}
			out[i] = max(out[i], sum)
		}
		out[i] += tasks[i].Minutes
	}
	return out
}

// plainList is List without queues, for tasks that take time: in every minute it looks at all tasks.
func plainList(tasks []Task, people []int) *Schedule {
	s := &Schedule{Begin: slices.Repeat([]int64{-1}, len(tasks))}
	behind := plainTails(tasks)
	order := make([]int, len(tasks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(tasks[b].Urgency, tasks[a].Urgency), cmp.Compare(behind[b], behind[a]))
	})
	end := func(i int) int64 { return s.Begin[i] + tasks[i].Minutes }
	for now := int64(0); slices.Contains(s.Begin, -1); now++ {
		for _, i := range order {
			t := &tasks[i]
			ready := s.Begin[i] < 0 && t.NotBefore <= now && !slices.ContainsFunc(t.After, func(j int) bool {
				return s.Begin[j] < 0 || end(j) > now
			})
			busy := t.People
			for j := range tasks {
				if s.Begin[j] < 0 || end(j) <= now {
					continue
				}
				if tasks[j].Skill == t.Skill {
					busy += tasks[j].People
				}
				for _, place := range tasks[j].Places {
					ready = ready && !slices.Contains(t.Places, place)
				}
			}
			if ready && busy <= people[t.Skill] {
				s.Begin[i] = now
			}
		}
	}
	for i := range tasks {
		s.End = max(s.End, end(i))
	}
	return s
}

// TestList: the queues of List find what a look at all tasks in every minute finds.
func TestList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tasks, people := drawnTasks(t)
		for i := range tasks {
			tasks[i].Minutes++
		}
		got, want := List(tasks, people), plainList(tasks, people)
		if !slices.Equal(got.Begin, want.Begin) || got.End != want.End {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

// TestBest: a schedule keeps all conditions, ends when a simulation says so, not before the bound, and not later than
// the work of all tasks one after the other.
func TestBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tasks, people := drawnTasks(t)
		s, _, err := Best(tasks, people)
		if err != nil {
			t.Fatal(err)
		}
		wrong, end := simulate(tasks, people, s)
		if wrong != "" || end != s.End {
			t.Fatalf("%s: ends at %d, simulated %d: %v", wrong, s.End, end, s.Begin)
		}
		if bound := LowerBound(tasks, people); s.End < bound {
			t.Fatalf("ends at %d, before the bound %d", s.End, bound)
		}
		last, sum := int64(0), int64(0)
		for i := range tasks {
			last, sum = max(last, tasks[i].NotBefore), sum+tasks[i].Minutes
		}
		if s.End > last+sum {
			t.Fatalf("ends at %d, one after the other at %d", s.End, last+sum)
		}
	})
}

// TestMorePeopleAreNotLater: one more person of any skill never makes the work end later.
func TestMorePeopleAreNotLater(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tasks, people := drawnTasks(t)
		before, _, err := Best(tasks, people)
		if err != nil {
			t.Fatal(err)
		}
		people[rapid.IntRange(0, len(people)-1).Draw(t, "more")]++
		after, _, err := Best(tasks, people)
		if err != nil || after.End > before.End {
			t.Fatalf("%v: %d after %d", err, after.End, before.End)
		}
	})
}

// TestCriticalPath: its tasks follow each other, and its end is that of all tasks with people and places without end.
func TestCriticalPath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tasks, people := drawnTasks(t)
		path, end := CriticalPath(tasks)
		for i := range people {
			people[i] = 1000
		}
		for i, task := range path {
			if i > 0 && !slices.Contains(tasks[task].After, path[i-1]) {
				t.Fatalf("%v: task %d does not follow task %d", path, task, path[i-1])
			}
		}
		for i := range tasks {
			tasks[i].Places = nil
		}
		if got := List(tasks, people).End; got != end {
			t.Fatalf("critical path ends at %d, the work at %d", end, got)
		}
		at := int64(0)
		for i, task := range path {
			if i == 0 {
				at = tasks[task].NotBefore
			}
			at += tasks[task].Minutes
		}
		if at != end {
			t.Fatalf("the tasks of the path end at %d, not at %d", at, end)
		}
	})
}

// TestAnomaly: nine tasks that list scheduling alone ends later with three people than with two.
func TestAnomaly(t *testing.T) {
	tasks := []Task{
		{Minutes: 4},
		{Minutes: 3},
		{Minutes: 5, After: []int{0}},
		{Minutes: 6},
		{Minutes: 4, After: []int{3}},
		{Minutes: 3, After: []int{3}},
		{Minutes: 4, After: []int{4, 5}},
		{Minutes: 6, After: []int{6}},
		{Minutes: 4, After: []int{0, 1}},
	}
	for i := range tasks {
		tasks[i].People = 1
	}
	if two, three := List(tasks, []int{2}).End, List(tasks, []int{3}).End; two != 20 || three != 21 {
		t.Errorf("lists end at %d with two and %d with three people, want 20 and 21", two, three)
	}
	if s, _, err := Best(tasks, []int{3}); err != nil || s.End != 20 {
		t.Errorf("%v, %v; want 20", s, err)
	}
	if _, _, err := Best([]Task{{Name: "lift", People: 2}}, []int{1}); err == nil {
		t.Error("a task for two is done by one")
	}
}
