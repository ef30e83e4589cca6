package opensm

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// laned are tables whose destinations are shared among virtual lanes: every packet to a host goes in the lane of the
// host's switch, and in each lane no channels wait for each other in a circle.
type laned struct {
	tables [][]int // as balancePorts returns them
	lane   []int   // of the hosts of each switch, and of the switch itself
	used   int     // lanes
	// pairs counts ordered pairs of switches, longer those whose path is longer than the shortest.
	pairs, longer int
}

// router shares destinations among lanes.
type router struct {
	*fabric
	net   *channels
	lanes []*waits
	load  []int64 // of each channel: hosts that send to hosts over it
	hosts []int64 // at each switch
	far   []int   // from the switch that is routed to
	order []int32 // switches by that
	added [][2]int32
	queue []int32
	// The spanning tree: the channel up of each switch, and those down.
	up   []int32
	down [][]int32
}

// none is not a channel.
const none = -1

// routeLanes finds the shortest paths to every switch in as many lanes as are given, or fewer. A destination takes the
// first lane in which it has shortest paths from everywhere; where there is none, the lane with the fewest detours, and
// at worst it is routed over a spanning tree, up and down, the waits of which the last lane keeps free. The idea of
// giving destinations lanes and of choosing paths by what may still wait for what is that of J. Domke, T. Hoefler and
// S. Matsuoka, "Routing on the dependency graph: a new approach to deadlock-free high-performance routing", HPDC 2016.
func (f *fabric) routeLanes(ctx context.Context, lanes int) (*laned, error) {
	r := &router{fabric: f, net: channelsOf(f), far: make([]int, len(f.hops)), hosts: make([]int64, len(f.hops))}
	r.load = make([]int64, len(r.net.all))
	for _, h := range f.hosts {
		r.hosts[h.at]++
	}
	for range lanes {
		r.lanes = append(r.lanes, newWaits(r.net))
	}
	if err := r.keepTree(); err != nil {
		return nil, err
	}
	n := len(f.hops)
	out := &laned{lane: make([]int, n)}
	trees := make([][]int32, n)
	for _, d := range r.destinations() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r.measure(d)
		trees[d], out.lane[d] = r.place(d)
		r.count(trees[d], d, max(r.hosts[d], 1))
		out.used = max(out.used, out.lane[d]+1)
		for s := range n {
			if s != d {
				out.pairs++
				if r.hopsOver(trees[d], s, d) > r.far[s] {
					out.longer++
				}
			}
		}
	}
	return out, r.spreadLanes(ctx, trees, out)
}

// destinations are the switches, those with most hosts first.
func (r *router) destinations() []int {
	out := make([]int, len(r.hops))
	for s := range out {
		out[s] = s
	}
	slices.SortStableFunc(out, func(a, b int) int { return int(r.hosts[b] - r.hosts[a]) })
	return out
}

// measure finds the distances to a switch, and the order in which paths to it grow.
func (r *router) measure(d int) {
	for s := range r.far {
		r.far[s] = none
	}
	r.far[d] = 0
	r.order = append(r.order[:0], int32(d))
	for i := 0; i < len(r.order); i++ {
		s := int(r.order[i])
		for _, c := range r.net.into[s] {
			if t := r.net.all[c].from; r.far[t] == none {
				r.far[t] = r.far[s] + 1
				r.order = append(r.order, int32(t))
			}
		}
	}
}

// place gives a destination a lane and a tree: the channel by which each switch sends.
func (r *router) place(d int) (tree []int32, lane int) {
	least := len(r.hops)
	for i, w := range r.lanes {
		tree, stuck := r.grow(w, d)
		if stuck == 0 {
			return tree, i
		}
		if stuck < least {
			least, lane = stuck, i
		}
		r.undo(w)
	}
	w := r.lanes[lane]
	tree, _ = r.grow(w, d)
	if r.detour(w, tree, d) {
		return tree, lane
	}
	r.undo(w)
	lane = len(r.lanes) - 1
	return r.overTree(d), lane
}

// undo takes back the waits of a tree that is not to be.
func (r *router) undo(w *waits) {
	for _, x := range r.added {
		w.drop(x[0], x[1])
	}
}

// grow lets the shortest paths to a switch grow in a lane, and counts the switches that find none.
func (r *router) grow(w *waits, d int) (tree []int32, stuck int) {
	r.added = r.added[:0]
	tree = make([]int32, len(r.hops))
	for s := range tree {
		tree[s] = none
	}
	for _, s := range r.order[1:] {
		if tree[s] = r.choose(w, tree, int(s), d, true); tree[s] == none {
			stuck++
		}
	}
	return tree, stuck
}

// choose takes a channel from s into the tree: of those that lead on by a wait that there is the least loaded; else of
// those by one that fits the order as it stands; else the least loaded for which the order can be changed.
func (r *router) choose(w *waits, tree []int32, s, d int, shortest bool) int32 {
	best, kind := int32(none), 2
	r.queue = r.queue[:0]
	for c := r.net.out[s]; c < r.net.out[s+1]; c++ {
		to := r.net.all[c].to
		if shortest && r.far[to] != r.far[s]-1 || to != d && tree[to] == none {
			continue
		}
		k := 2
		switch {
		case to == d || w.has(c, tree[to]):
			k = 0
		case w.place[c] < w.place[tree[to]]:
			k = 1
		default:
			r.queue = append(r.queue, c)
		}
		if k < kind || k == kind && k < 2 && r.load[c] < r.load[best] {
			best, kind = c, k
		}
	}
	switch {
	case kind == 1:
		r.wait(w, best, tree[r.net.all[best].to])
	case best == none:
		slices.SortStableFunc(r.queue, func(a, b int32) int { return cmp.Compare(r.load[a], r.load[b]) })
		for _, c := range r.queue {
			if r.wait(w, c, tree[r.net.all[c].to]) {
				return c
			}
		}
	}
	return best
}

// wait adds a wait to a lane, to be taken back if need be.
func (r *router) wait(w *waits, a, b int32) bool {
	if !w.add(a, b) {
		return false
	}
	r.added = append(r.added, [2]int32{a, b})
	return true
}

// detour gives switches that found no shortest path a longer one, and reports whether all have one.
func (r *router) detour(w *waits, tree []int32, d int) bool {
	for {
		left, found := 0, false
		for _, s := range r.order[1:] {
			if tree[s] != none {
				continue
			}
			if tree[s] = r.choose(w, tree, int(s), d, false); tree[s] == none {
				left++
			} else {
				found = true
			}
		}
		if left == 0 || !found {
			return left == 0
		}
	}
}

// hopsOver counts the hops of the path from s to d over a tree.
func (r *router) hopsOver(tree []int32, s, d int) int {
	n := 0
	for ; s != d; n++ {
		s = r.net.all[tree[s]].to
	}
	return n
}

// count adds what hosts at d receive from all others over a tree to the load of the channels.
func (r *router) count(tree []int32, d int, hosts int64) {
	for s, from := range r.hosts {
		for ; s != d && from > 0; s = r.net.all[tree[s]].to {
			r.load[tree[s]] += from * hosts
		}
	}
}

// keepTree lets the last lane have the waits of all paths up and down a spanning tree, the root of which has the most
// links. It fails where not all switches are joined.
func (r *router) keepTree() error {
	root := 0
	for s := range r.hops {
		if len(r.hops[s]) > len(r.hops[root]) {
			root = s
		}
	}
	r.measure(root)
	if len(r.order) < len(r.hops) {
		return fmt.Errorf("there is no way from %s to %s", r.names[slices.Index(r.far, none)], r.names[root])
	}
	r.up, r.down = make([]int32, len(r.hops)), make([][]int32, len(r.hops))
	r.up[root] = none
	for _, x := range r.order[1:] {
		for c := r.net.out[x]; c < r.net.out[x+1]; c++ {
			if to := r.net.all[c].to; r.far[to] == r.far[x]-1 {
				r.up[x] = c
				r.down[to] = append(r.down[to], r.back(c))
				break
			}
		}
	}
	last := r.lanes[len(r.lanes)-1]
	for s, up := range r.up {
		for _, down := range r.down[s] {
			child := r.net.all[down].to
			if up != none {
				last.add(r.up[child], up)
				last.add(r.back(up), down)
			}
			for _, other := range r.down[s] {
				if other != down {
					last.add(r.up[child], other)
				}
			}
		}
	}
	return nil
}

// back is a channel that leads back from the end of one to its start: that of the same link where links are not
// doubled, else of one beside it.
func (r *router) back(c int32) int32 {
	x := r.net.all[c]
	for b := r.net.out[x.to]; b < r.net.out[x.to+1]; b++ {
		if r.net.all[b].to == x.from {
			return b
		}
	}
	return none
}

// overTree leads to d over the spanning tree.
func (r *router) overTree(d int) []int32 {
	tree := slices.Clone(r.up)
	tree[d] = none
	for s := d; r.up[s] != none; { // above d it leads down
		c := r.back(r.up[s])
		s = r.net.all[r.up[s]].to
		tree[s] = c
	}
	return tree
}

// spreadLanes gives every host a tree of its own, in the lane of its switch: of the channels that start shortest paths
// and need no wait that could close a circle, the least loaded; where that leads nowhere, the tree of its switch.
func (r *router) spreadLanes(ctx context.Context, trees [][]int32, out *laned) error {
	clear(r.load)
	out.tables = make([][]int, len(r.hops))
	for s := range out.tables {
		out.tables[s] = make([]int, len(r.fabric.hosts)+len(r.hops))
	}
	enter := func(column, d int, tree []int32) {
		for s, c := range tree {
			if s != d {
				out.tables[s][column] = r.net.all[c].port
			}
		}
	}
	for i, h := range r.fabric.hosts {
		if err := ctx.Err(); err != nil {
			return err
		}
		if i == 0 || r.fabric.hosts[i-1].at != h.at {
			r.measure(h.at)
		}
		tree := r.spreadTree(r.lanes[out.lane[h.at]], h.at)
		if tree == nil {
			tree = trees[h.at]
		}
		r.count(tree, h.at, 1)
		enter(i, h.at, tree)
		out.tables[h.at][i] = h.port
	}
	for d, tree := range trees {
		enter(len(r.fabric.hosts)+d, d, tree)
	}
	return nil
}

// spreadTree is nil where some switch has no such channel.
func (r *router) spreadTree(w *waits, d int) []int32 {
	tree := make([]int32, len(r.hops))
	for s := range tree {
		tree[s] = none
	}
	for _, x := range r.order[1:] {
		best := int32(none)
		for c := r.net.out[x]; c < r.net.out[x+1]; c++ {
			to := r.net.all[c].to
			if r.far[to] != r.far[x]-1 || to != d && !w.has(c, tree[to]) && w.place[c] > w.place[tree[to]] {
				continue
			}
			if best == none || r.load[c] < r.load[best] {
				best = c
			}
		}
		if best == none {
			return nil
		}
		if to := r.net.all[best].to; to != d {
			w.add(best, tree[to])
		}
		tree[x] = best
	}
	return tree
}
