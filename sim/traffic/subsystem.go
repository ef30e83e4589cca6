package traffic

import (
	"errors"
	"fmt"
	"strings"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/topology"
)

// PlaceJobs returns the terminal of every task of a number of jobs (at least 1) with a number of tasks each (at least
// 1); the tasks of a job follow each other. It reads every placement that ParsePlacement reads, applied to all tasks
// together, and "subsystem", which places each job on terminals of one subsystem of the graph; seed is for the others.
//
// "subsystem" uses the first of these divisions of the graph in which all jobs fit: the graph's Groupings, finest
// first, such as the copies of a CLEX, the groups of a dragonfly or the subtrees of a tree; then, for a lattice, the
// sublattices in which the first dimensions vary and the others are fixed, smallest first. If the jobs fit in none of
// the divisions, the error says how many subsystems each has.
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
	for _, d := range divisions(g) {
		if place := d.placeJobs(jobs, tasks); place != nil {
			return place, nil
		}
		tried = append(tried, d.String())
	}
	if tried == nil {
		return nil, errors.New("the topology has no subsystems")
	}
	return nil, fmt.Errorf("no subsystems hold %s of %s, each in one of them; there are %s", english.Count(jobs, "job"),
		english.Count(tasks, "task"), english.List(tried))
}

// division divides the terminals of a graph into subsystems. Terminals without a group in a Grouping are in none.
type division struct {
	name   string
	groups [][]int32 // the terminals of each subsystem
}

// divisions lists the divisions of a graph's terminals in the order in which PlaceJobs tries them.
func divisions(g topology.Graph) []division {
	var vertices []int // the vertex of each terminal
	for _, k := range g.Kinds() {
		for v := k.First; k.Role != topology.Switch && v < k.First+k.Count; v++ {
			vertices = append(vertices, v)
		}
	}
	var out []division
	add := func(name string, count int, of func(terminal int) int32) {
		d := division{name, make([][]int32, count)}
		for t := range vertices {
			if i := of(t); i >= 0 {
				d.groups[i] = append(d.groups[i], int32(t))
			}
		}
		out = append(out, d)
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

// String returns how many subsystems there are, and the number of terminals of the largest.
func (d *division) String() string {
	most := 0
	for _, g := range d.groups {
		most = max(most, len(g))
	}
	return fmt.Sprintf("%d of %s (%s)", len(d.groups), english.Count(most, "terminal"), d.name)
}

// placeJobs fills one subsystem after the other with whole jobs, and returns the terminal of every task; nil if not all
// fit.
func (d *division) placeJobs(jobs, tasks int) []int32 {
	var place []int32
	for _, g := range d.groups {
		for ; len(g) >= tasks && len(place) < jobs*tasks; g = g[tasks:] {
			place = append(place, g[:tasks]...)
		}
	}
	if len(place) < jobs*tasks {
		return nil
	}
	return place
}
