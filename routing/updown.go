package routing

import (
	"fmt"

	"github.com/plenum-planner/plenum/internal/splitmix"
)

// upDown goes up a spanning tree of the working network and down again, over tree channels and others alike: a channel
// leads up if it leads to a router that comes earlier in a breadth-first order from the root. Of these paths it takes
// the shortest (M. D. Schroeder et al., "Autonet", IEEE JSAC 9 (8), 1991). It delivers every pair that is connected.
//
// No deadlock in one class: channels up are ordered towards the root, channels
// down away from it, and none up follows one down.
type upDown struct {
	undecided
	net      *Network
	order    []int32 // place of each router in the order, the root first
	routers  int
	up, down []uint16 // distances by legal paths; down: by channels down alone; row of a destination
	row      []int32
}

// noPath is a distance that is none.
const noPath = 1<<16 - 1

func newUpDown(n *Network, _ Options) (Function, error) { return buildUpDown(n, homes(n)) }

func buildUpDown(n *Network, to []int32) (*upDown, error) {
	for _, r := range n.Reverse {
		if r < 0 {
			return nil, fmt.Errorf("updown needs channels both ways")
		}
	}
	if bytes := int64(n.Routers()) * int64(len(to)) * 4; bytes > maxTable {
		return nil, fmt.Errorf("updown for %d routers and %d destinations takes a table of %d MiB; %d MiB at most",
			n.Routers(), len(to), bytes>>20, maxTable>>20)
	}
	f := &upDown{net: n, routers: n.Routers(), row: make([]int32, n.Routers())}
	f.rank()
	cells := n.Routers() * len(to)
	f.up, f.down = make([]uint16, cells), make([]uint16, cells)
	for i := range f.row {
		f.row[i] = -1
	}
	byOrder := make([]int32, n.Routers())
	for r, o := range f.order {
		byOrder[o] = int32(r)
	}
	var queue []int32
	for i, r := range to {
		f.row[r] = int32(i)
		queue = f.fill(i, r, byOrder, queue)
	}
	return f, nil
}

// rank orders the routers, component by component, breadth first from the one
// with most channels.
func (f *upDown) rank() {
	n := f.net
	f.order = make([]int32, n.Routers())
	for r := range f.order {
		f.order[r] = -1
	}
	next := int32(0)
	for {
		root, most := int32(-1), -1
		for r := range int32(n.Routers()) {
			degree := 0
			for c := n.First[r]; c < n.First[r+1]; c++ {
				if n.Works(c) {
					degree++
				}
			}
			if n.Ends != nil && n.Ends[r] {
				degree = 0
			}
			if f.order[r] < 0 && degree > most {
				root, most = r, degree
			}
		}
		if root < 0 {
			return
		}
		queue := []int32{root}
		f.order[root] = next
		next++
		for i := 0; i < len(queue); i++ {
			r := queue[i]
			if n.Ends != nil && n.Ends[r] {
				continue
			}
			for c := n.First[r]; c < n.First[r+1]; c++ {
				if to := n.To[c]; f.order[to] < 0 && n.Works(c) {
					f.order[to] = next
					next++
					queue = append(queue, to)
				}
			}
		}
	}
}

// fill computes the distances to a destination.
func (f *upDown) fill(i int, to int32, byOrder, queue []int32) []int32 {
	n := f.net
	up, down := f.up[i*f.routers:(i+1)*f.routers], f.down[i*f.routers:(i+1)*f.routers]
	for r := range up {
		up[r], down[r] = noPath, noPath
	}
	if n.DeadRouter != nil && n.DeadRouter[to] {
		return queue
	}
	down[to] = 0
	queue = append(queue[:0], to)
	for k := 0; k < len(queue); k++ {
		r := queue[k]
		if n.Ends != nil && n.Ends[r] && r != to {
			continue
		}
		for _, c := range n.Into(r) {
			from := n.From[c]
			if f.order[from] < f.order[r] && n.Works(c) && down[from] == noPath {
				down[from] = down[r] + 1
				queue = append(queue, from)
			}
		}
	}
	for _, r := range byOrder { // those above come first
		best := down[r]
		for c := n.First[r]; c < n.First[r+1]; c++ {
			next := n.To[c]
			if f.order[next] < f.order[r] && n.Works(c) && up[next] != noPath && up[next]+1 < best &&
				(n.Ends == nil || !n.Ends[next]) {
				best = up[next] + 1
			}
		}
		up[r] = best
	}
	return queue
}

func (f *upDown) Name() string { return "updown" }
func (f *upDown) Classes() int { return 1 }

// SinglePath implements the interface of that name.
func (f *upDown) SinglePath() bool { return true }

// descends reports whether a channel leads away from the root.
func (f *upDown) descends(c int32) bool { return f.order[f.net.To[c]] > f.order[f.net.From[c]] }

func (f *upDown) Next(h *Header, at int32, state *State, hops []Hop) []Hop {
	if c := f.channel(at, h.Goal, h.Last >= 0 && f.descends(h.Last)); c >= 0 {
		hops = append(hops, Hop{Channel: c})
	}
	return hops
}

// channel is that of the shortest legal path; of several, one that depends on the
// two routers.
func (f *upDown) channel(at, goal int32, descending bool) int32 {
	n, i := f.net, f.row[goal]
	if i < 0 {
		return -1
	}
	up, down := f.up[int(i)*f.routers:], f.down[int(i)*f.routers:]
	var best [64]int32
	found := best[:0]
	want := up[at]
	if descending {
		want = down[at]
	}
	if want == noPath {
		return -1
	}
	for c := n.First[at]; c < n.First[at+1]; c++ {
		next := n.To[c]
		if !n.Works(c) || n.Ends != nil && n.Ends[next] && next != goal {
			continue
		}
		down := down[next]
		if f.descends(c) {
			if down != noPath && down+1 == want {
				found = append(found, c)
			}
		} else if !descending && up[next] != noPath && up[next]+1 == want {
			found = append(found, c)
		}
	}
	if len(found) == 0 {
		return -1
	}
	return found[splitmix.First(uint64(at)<<32|uint64(uint32(goal)))%uint64(len(found))]
}

// HopCount counts the hops of a path, -1 if there is none.
func (f *upDown) HopCount(from, to int32) int {
	if i := f.row[to]; i >= 0 && f.up[int(i)*f.routers+int(from)] != noPath {
		return int(f.up[int(i)*f.routers+int(from)])
	}
	return -1
}
