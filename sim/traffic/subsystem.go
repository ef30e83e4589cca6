package traffic

import (
	"errors"
	"fmt"
	"strings"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/topology"
)

// PlaceJobs says on which terminal each task runs of jobs with so many tasks each, at least one of either; the tasks of
// a job follow each other. It reads what ParsePlacement reads, for all tasks together, and "subsystem": every job has
// terminals of one subsystem of the graph only, of the smallest subsystems in which there is room for all jobs. These
// are the groups of the graph's nests, such as the copies of a CLEX, the groups of a dragonfly or the subtrees of a
// tree, and of a lattice the parts in which the first dimensions vary and the others are fixed.
func PlaceJobs(text string, g topology.Graph, jobs, tasks int, seed uint64) ([]int32, error) {
	terminals := topology.Count(g).Nodes
	name, _, hasArgument := strings.Cut(text, ":")
	switch {
	case !strings.EqualFold(name, "subsystem"):
		return parsePlacement(text, jobs*tasks, terminals, seed, append([]string{"subsystem"}, placements...))
	case hasArgument:
		return nil, fmt.Errorf("the placement %s takes no argument", name)
	case int64(jobs)*int64(tasks) > int64(terminals):
		return nil, fmt.Errorf("%s of %s do not fit on %d terminals", english.Count(jobs, "job"),
			english.Count(tasks, "task"), terminals)
	}
	var tried []string
	for _, s := range subsystems(g) {
		if place := s.place(jobs, tasks); place != nil {
			return place, nil
		}
		tried = append(tried, s.String())
	}
	if tried == nil {
		return nil, errors.New("the topology has no subsystems")
	}
	return nil, fmt.Errorf("no subsystems hold %s of %s, each in one of them; there are %s", english.Count(jobs, "job"),
		english.Count(tasks, "task"), english.List(tried))
}

// subsystem is a grouping of all terminals.
type subsystem struct {
	name   string
	groups [][]int32 // terminals of each group
}

// subsystems lists the groupings of a graph's terminals, those with most groups first.
func subsystems(g topology.Graph) []subsystem {
	var vertices []int // of the terminals
	for _, k := range g.Kinds() {
		for v := k.First; k.Role != topology.Switch && v < k.First+k.Count; v++ {
			vertices = append(vertices, v)
		}
	}
	var out []subsystem
	add := func(name string, count int, of func(terminal int) int32) {
		s := subsystem{name, make([][]int32, count)}
		for t := range vertices {
			if i := of(t); i >= 0 {
				s.groups[i] = append(s.groups[i], int32(t))
			}
		}
		out = append(out, s)
	}
	for _, n := range g.Groupings() {
		add(n.Name, n.Count, func(t int) int32 { return n.Of(vertices[t]) })
	}
	if l, ok := g.(topology.Lattice); ok {
		size := max(1, l.TerminalsPerRouter())
		for d, side := range l.Dims()[:len(l.Dims())-1] {
			size *= side
			add("part of "+english.Count(d+1, "dimension"), len(vertices)/size,
				func(t int) int32 { return int32(t / size) })
		}
	}
	return out
}

// String tells how many groups there are, and the terminals of the largest.
func (s *subsystem) String() string {
	most := 0
	for _, g := range s.groups {
		most = max(most, len(g))
	}
	return fmt.Sprintf("%d of %s (%s)", len(s.groups), english.Count(most, "terminal"), s.name)
}

// place fills one group after the other with whole jobs; nil if not all fit.
func (s *subsystem) place(jobs, tasks int) []int32 {
	var place []int32
	for _, g := range s.groups {
		for ; len(g) >= tasks && len(place) < jobs*tasks; g = g[tasks:] {
			place = append(place, g[:tasks]...)
		}
	}
	if len(place) < jobs*tasks {
		return nil
	}
	return place
}
