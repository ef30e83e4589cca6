package opensm

import (
	"errors"
	"fmt"
	"slices"
)

// fabric is a subnet as switches see it.
type fabric struct {
	names []string
	hops  [][]hop // of each switch to others, by port
	hosts []host
	order []int // the place of each switch: up leads to a lower one
	tree  bool  // links are between neighbouring tiers alone
	// to[d][s] are the ports of switch s towards the ends of switch d, far[d][s] the hops: -1 where there is no way.
	far [][]int
	to  [][][]int
}

// hop is a link to another switch.
type hop struct{ port, to int }

// host is an adapter's port behind a port of a switch.
type host struct{ at, port int }

// rank puts the switches in order. Those that are farther from all hosts are above, as in a tree, where hosts are at
// the leaves alone; where that tells nothing, because most switches have hosts, it is the distance from the switch with
// most links.
func (f *fabric) rank() {
	n := len(f.hops)
	var leaves []int
	seen := make([]bool, n)
	for _, h := range f.hosts {
		if !seen[h.at] {
			seen[h.at] = true
			leaves = append(leaves, h.at)
		}
	}
	tier := f.distances(leaves)
	less := func(a, b int) bool { return tier[a] > tier[b] }
	if f.tree = f.isLayered(tier); !f.tree {
		root := 0
		for s := range f.hops {
			if len(f.hops[s]) > len(f.hops[root]) {
				root = s
			}
		}
		tier = f.distances([]int{root})
		less = func(a, b int) bool { return tier[a] < tier[b] }
	}
	by := make([]int, n)
	for s := range by {
		by[s] = s
	}
	slices.SortStableFunc(by, func(a, b int) int {
		switch {
		case less(a, b):
			return -1
		case less(b, a):
			return 1
		}
		return 0
	})
	f.order = make([]int, n)
	for i, s := range by {
		f.order[s] = i
	}
}

// isLayered reports whether every link is between neighbouring tiers, as in a tree.
func (f *fabric) isLayered(tier []int) bool {
	for s, hops := range f.hops {
		for _, h := range hops {
			if d := tier[s] - tier[h.to]; d != 1 && d != -1 {
				return false
			}
		}
	}
	return true
}

// distances are the hops from the nearest of some switches.
func (f *fabric) distances(from []int) []int {
	far := make([]int, len(f.hops))
	for s := range far {
		far[s] = len(f.hops)
	}
	queue := slices.Clone(from)
	for _, s := range from {
		far[s] = 0
	}
	for i := 0; i < len(queue); i++ {
		for _, h := range f.hops[queue[i]] {
			if far[h.to] > far[queue[i]]+1 {
				far[h.to] = far[queue[i]] + 1
				queue = append(queue, h.to)
			}
		}
	}
	return far
}

// route finds the ways to every switch: down where links down alone lead there, else up. A switch that has a way down
// never sends up, so the next hop depends on the destination alone, and no packet goes up after down: no channel waits
// for another in a circle (M. D. Schroeder et al., "Autonet", IEEE JSAC 9 (8), 1991).
func (f *fabric) route() {
	n := len(f.hops)
	by := make([]int, n)
	for s, i := range f.order {
		by[i] = s
	}
	for d := range n {
		far, down, to := make([]int, n), make([]bool, n), make([][]int, n)
		for s := range far {
			far[s] = -1
		}
		far[d], down[d] = 0, true
		queue := []int{d}
		for i := 0; i < len(queue); i++ {
			s := queue[i]
			for _, h := range f.hops[s] {
				if f.order[h.to] < f.order[s] && far[h.to] < 0 {
					far[h.to], down[h.to] = far[s]+1, true
					queue = append(queue, h.to)
				}
			}
		}
		for _, s := range by { // those above come first
			for _, h := range f.hops[s] {
				up := f.order[h.to] < f.order[s]
				if !down[s] && up && far[h.to] >= 0 && (far[s] < 0 || far[h.to]+1 < far[s]) {
					far[s] = far[h.to] + 1
				}
			}
			for _, h := range f.hops[s] {
				up := f.order[h.to] < f.order[s]
				if s != d && far[s] > 0 && far[h.to] == far[s]-1 && (down[s] && !up && down[h.to] || !down[s] && up) {
					to[s] = append(to[s], h.port)
				}
			}
		}
		f.far, f.to = append(f.far, far), append(f.to, to)
	}
}

// balancePorts returns the port of every switch towards every host: tables[s][i] for host i, and for the switches after
// the hosts; 0 if there is no path. Of the ports on shortest paths it chooses the one that the fewest hosts before use.
func (f *fabric) balancePorts() [][]int {
	n := len(f.hops)
	tables := make([][]int, n)
	for s := range tables {
		used := map[int]int{}
		choose := func(d int) int {
			best := 0
			for _, p := range f.to[d][s] {
				if best == 0 || used[p] < used[best] {
					best = p
				}
			}
			used[best]++
			return best
		}
		for _, h := range f.hosts {
			if h.at == s {
				tables[s] = append(tables[s], h.port)
			} else {
				tables[s] = append(tables[s], choose(h.at))
			}
		}
		for d := range n {
			if d == s {
				tables[s] = append(tables[s], 0)
			} else {
				tables[s] = append(tables[s], choose(d))
			}
		}
	}
	return tables
}

// check follows the tables themselves, lane by lane: every pair of hosts is joined, and no channels wait for each
// other.
func (f *fabric) check(tables [][]int, lane []int) error {
	next := make([]map[int]int, len(f.hops)) // the switch behind a port
	for s, hops := range f.hops {
		next[s] = map[int]int{}
		for _, h := range hops {
			next[s][h.port] = h.to
		}
	}
	columns := make([][]int, slices.Max(lane)+1)
	for i := range tables[0] {
		at := i - len(f.hosts)
		if i < len(f.hosts) {
			at = f.hosts[i].at
		}
		columns[lane[at]] = append(columns[lane[at]], i)
	}
	for _, of := range columns {
		if err := f.checkLane(tables, of, next); err != nil {
			return err
		}
	}
	return nil
}

// checkLane checks the columns of one lane.
func (f *fabric) checkLane(tables [][]int, columns []int, next []map[int]int) error {
	type port struct{ s, port int }
	waits := map[port]map[port]bool{}
	into := map[port]int{}
	for _, i := range columns {
		for s := range tables {
			p := tables[s][i]
			if p == 0 && i < len(f.hosts) {
				return fmt.Errorf("there is no way from %s to %s", f.names[s], f.names[f.hosts[i].at])
			}
			t, ok := next[s][p]
			if !ok {
				if i < len(f.hosts) && (host{s, p}) != f.hosts[i] {
					return fmt.Errorf("%s sends to port %d what is for a host of %s", f.names[s], p,
						f.names[f.hosts[i].at])
				}
				continue
			}
			q := tables[t][i]
			if _, ok := next[t][q]; !ok {
				continue
			}
			a, b := port{s, p}, port{t, q}
			if waits[a] == nil {
				waits[a] = map[port]bool{}
			}
			if !waits[a][b] {
				waits[a][b] = true
				into[b]++
			}
		}
	}
	var free []port
	for a := range waits {
		if into[a] == 0 {
			free = append(free, a)
		}
	}
	for len(free) > 0 {
		a := free[len(free)-1]
		free = free[:len(free)-1]
		for b := range waits[a] {
			if into[b]--; into[b] == 0 {
				free = append(free, b)
			}
		}
	}
	for _, left := range into {
		if left > 0 {
			return errors.New("channels of the tables wait for each other in a circle")
		}
	}
	return nil
}
