package traffic

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/topology"
)

// Jobs on subsystems stay within them: by the addresses of the nodes, which tell the groups.
func TestSubsystemsOfFamilies(t *testing.T) {
	for _, c := range []struct {
		spec  topology.Params
		jobs  int
		tasks int
		group func(terminal int32) int32 // that no two jobs may be in with their tasks apart
	}{
		{topology.CLEX{Clique: 4, Levels: 3}, 4, 16, func(t int32) int32 { return t / 16 }},
		{topology.CLEX{Clique: 4, Levels: 3}, 16, 4, func(t int32) int32 { return t / 4 }},
		{topology.Dragonfly{P: 2, A: 4, H: 2}, 9, 8, func(t int32) int32 { return t / 8 }},
		{topology.Dragonfly{P: 2, A: 4, H: 2}, 9, 5, func(t int32) int32 { return t / 8 }},
		{topology.KAryNTree{Down: 4, Levels: 3}, 4, 16, func(t int32) int32 { return t / 16 }},
		{topology.KAryNTree{Down: 4, Levels: 3}, 16, 3, func(t int32) int32 { return t / 4 }},
		{topology.HyperX{Dims: topology.Ints{3, 4}, Terminals: 2}, 4, 6, func(t int32) int32 { return t / 6 }},
		{topology.HyperX{Dims: topology.Ints{3, 4}, Terminals: 2}, 12, 2, func(t int32) int32 { return t / 2 }},
		{topology.Torus{Dims: topology.Ints{4, 4, 4}}, 4, 16, func(t int32) int32 { return t / 16 }},
		{topology.Torus{Dims: topology.Ints{4, 4, 4}}, 32, 2, func(t int32) int32 { return t / 4 }},
	} {
		g, err := topology.New(topology.Spec{Params: c.spec})
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("%s, %d jobs of %d", g.Family(), c.jobs, c.tasks)
		place, err := PlaceJobs("subsystem", g, c.jobs, c.tasks, 1)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for job := range slices.Chunk(place, c.tasks) {
			for _, at := range job {
				if c.group(at) != c.group(job[0]) {
					t.Errorf("%s: terminals %v are in several subsystems", name, job)
				}
			}
		}
	}
}

// Whatever fits is placed on different terminals, none of a job outside of one group, and what is refused fits nowhere.
func TestSubsystemsHoldJobs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.IntRange(1, 3).Draw(t, "p")
		spec := topology.Dragonfly{P: p, A: rapid.IntRange(1, 4).Draw(t, "a"), H: 1}
		g, err := topology.New(topology.Spec{Params: spec})
		if err != nil {
			t.Fatal(err)
		}
		group := p * spec.A
		groups := topology.Count(g).Nodes / group
		jobs, tasks := rapid.IntRange(1, 12).Draw(t, "jobs"), rapid.IntRange(1, 14).Draw(t, "tasks")
		place, err := PlaceJobs("subsystem", g, jobs, tasks, 1)
		room := max(groups*(group/tasks), groups*spec.A*(p/tasks))
		if fits := room >= jobs; fits != (err == nil) {
			t.Fatalf("%d jobs of %d, room for %d: %v", jobs, tasks, room, err)
		}
		if err != nil {
			return
		}
		seen := map[int32]bool{}
		for job := range slices.Chunk(place, tasks) {
			for _, at := range job {
				if seen[at] || int(at)/group != int(job[0])/group {
					t.Fatalf("%d jobs of %d on %v", jobs, tasks, place)
				}
				seen[at] = true
			}
		}
		if len(seen) != jobs*tasks {
			t.Fatalf("%d tasks placed of %d", len(seen), jobs*tasks)
		}
	})
}

func TestPlaceJobsRefuses(t *testing.T) {
	dragonfly, err := topology.New(topology.Spec{Params: topology.Dragonfly{P: 2, A: 4, H: 2}})
	if err != nil {
		t.Fatal(err)
	}
	ring, err := topology.New(topology.Spec{Params: topology.Torus{Dims: topology.Ints{8}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text        string
		g           topology.Graph
		jobs, tasks int
		want        string
	}{
		{"subsystem", dragonfly, 3, 9, "no subsystems hold 3 jobs of 9 tasks, each in one of them; there are 36 of 2 " +
			"terminals (block) and 9 of 8 terminals (group)"},
		{"subsystem", dragonfly, 10, 8, "10 jobs of 8 tasks do not fit on 72 terminals"},
		{"subsystem", ring, 2, 4, "the topology has no subsystems"},
		{"subsystem:2", ring, 2, 4, "the placement subsystem takes no argument"},
		{"subsytem", ring, 2, 4, `did you mean "subsystem"`},
		{"consecutive", ring, 3, 4, "12 tasks do not fit on 8 terminals"},
	} {
		if _, err := PlaceJobs(c.text, c.g, c.jobs, c.tasks, 1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, expected %s", c.text, err, c.want)
		}
	}
}

// Jobs side by side exchange the messages that each has alone.
func TestSideBySide(t *testing.T) {
	fresh := func() Workload {
		w, err := NewAllToAll(4, 2, 100)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	pairs := func(w Workload) map[[2]int32]int {
		out := map[[2]int32]int{}
		var queue []Message
		emit := func(m Message) {
			if m.ID != int64(len(out)) {
				t.Errorf("message %d is the %d. one", m.ID, len(out))
			}
			out[[2]int32{m.Src, m.Dst}]++
			queue = append(queue, m)
		}
		w.Start(emit)
		for len(queue) > 0 { // the last first, so that jobs mix
			m := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			w.Delivered(m, emit)
		}
		return out
	}
	alone, s := pairs(fresh()), NewSideBySide(fresh, 3)
	if s.Tasks() != 12 || s.Jobs() != 3 || s.JobOf(3) != 0 || s.JobOf(11) != 2 {
		t.Errorf("%d tasks of %d jobs", s.Tasks(), s.Jobs())
	}
	together := pairs(s)
	if len(together) != 3*len(alone) {
		t.Errorf("%d messages of 3 jobs, %d alone", len(together), len(alone))
	}
	for pair := range together {
		job := pair[0] / 4
		if alone[[2]int32{pair[0] - 4*job, pair[1] - 4*job}] != 1 {
			t.Errorf("a message from task %d to %d", pair[0], pair[1])
		}
	}
}
