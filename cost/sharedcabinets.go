package cost

import (
	"cmp"
	"maps"
	"slices"

	"github.com/plenum-planner/plenum/topology"
)

// apart reports whether boxes share cabinets by a name, or stand beside the units.
func (s *Stand) apart() bool { return s.Group != "" || s.Beside }

// among reports whether boxes stand in the cabinets that are filled one after the other.
func (s *Stand) among() bool { return !s.Network && !s.apart() }

// withSwitches places boxes and switches that have no cabinets of their own: before each box the switches that before
// lists for it, and at the end the switches that serve no box. The kinds of lead come one after the other, the other
// kinds of boxes mixed evenly among them.
func (f *cabinetFiller) withSwitches(kinds []topology.Kind, lead []int, before map[int32][]int32) {
	type queue struct {
		kinds        []int
		done, boxes  int // in all
		kind, number int // the next
	}
	queues := []*queue{{}}
	for i, k := range kinds {
		switch {
		case k.Role == topology.Switch || !f.stands[i].among():
		case slices.Contains(lead, i):
			queues[0].kinds = append(queues[0].kinds, i)
			queues[0].boxes += k.Count
		default:
			queues = append(queues, &queue{kinds: []int{i}, boxes: k.Count})
		}
	}
	share := func(q *queue) float64 { return (float64(q.done) + 0.5) / float64(q.boxes) }
	for {
		var q *queue
		for _, other := range queues {
			if other.done < other.boxes && (q == nil || share(other) < share(q)) {
				q = other
			}
		}
		if q == nil {
			break
		}
		kind := q.kinds[q.kind]
		v := kinds[kind].First + q.number
		for _, sw := range before[int32(v)] {
			f.switchOf(kinds, sw)
		}
		f.addVertex(kind, v)
		q.done++
		if q.number++; q.number == kinds[kind].Count {
			q.kind, q.number = q.kind+1, 0
		}
	}
	f.rest(kinds, (*Stand).among)
}

// switchesByBox lists, by box, the switches of which it is the box of the lowest number that they are linked to.
// Switches and boxes with cabinets of their own are left out.
func switchesByBox(g topology.Graph, stands []Stand) map[int32][]int32 {
	kinds := g.Kinds()
	first := map[int32]int32{}
	for l := range g.Links() {
		for _, e := range [2][2]int32{{l.A, l.B}, {l.B, l.A}} {
			box, sw := topology.KindOf(kinds, int(e[0])), topology.KindOf(kinds, int(e[1]))
			if kinds[box].Role == topology.Switch || kinds[sw].Role != topology.Switch || !stands[box].among() ||
				!stands[sw].among() {
				continue
			}
			if at, ok := first[e[1]]; !ok || e[0] < at {
				first[e[1]] = e[0]
			}
		}
	}
	out := map[int32][]int32{}
	for _, sw := range slices.Sorted(maps.Keys(first)) {
		out[first[sw]] = append(out[first[sw]], sw)
	}
	return out
}

// fillShared places the boxes of kinds with Stand.Group, either those with Stand.Network or the others: kind after
// kind, every box in the first cabinet of its group that has room for it, else in a new one.
func (f *cabinetFiller) fillShared(kinds []topology.Kind, network bool) {
	type cabinet struct {
		number, used int
		boxes        map[int]int // by kind
	}
	shared := map[string][]*cabinet{}
	for i, k := range kinds {
		s := &f.stands[i]
		if s.Group == "" || s.Beside || s.Network != network {
			continue
		}
		at := 0 // cabinets before have no room for this kind
		for v := k.First; v < k.First+k.Count; v++ {
			full := func(c *cabinet) bool {
				return c.used+max(1, s.Units) > f.units || s.PerRack > 0 && c.boxes[i] >= s.PerRack
			}
			for at < len(shared[s.Group]) && full(shared[s.Group][at]) {
				at++
			}
			if at == len(shared[s.Group]) {
				shared[s.Group] = append(shared[s.Group], &cabinet{number: f.count, boxes: map[int]int{}})
				f.count++
			}
			c := shared[s.Group][at]
			c.used += max(1, s.Units)
			c.boxes[i]++
			f.of[v] = int32(c.number)
		}
	}
}

// placeBeside places the boxes with Stand.Beside into the cabinets that the others have filled: kind after kind, each
// kind in cabinets without boxes of earlier ones, and a kind with a group only in cabinets of the group. Boxes for
// which no cabinet is left go to the last one.
func (f *cabinetFiller) placeBeside(kinds []topology.Kind) {
	f.count = max(f.count, 1)
	group, taken := make([]string, f.count), make([]bool, f.count)
	for i, k := range kinds {
		for v := k.First; v < k.First+k.Count && !f.stands[i].Beside; v++ {
			group[f.of[v]] = f.stands[i].Group
		}
	}
	for i, k := range kinds {
		s := &f.stands[i]
		if !s.Beside {
			continue
		}
		var free []int
		for c := range f.count {
			if !taken[c] && (s.Group == "" || s.Group == group[c]) {
				free = append(free, c)
			}
		}
		for n := range k.Count {
			c := f.count - 1
			if at := n / max(1, s.PerRack); at < len(free) {
				c = free[at]
			}
			f.of[k.First+n], taken[c] = int32(c), true
		}
	}
}

// compare compares the cabinets of two vertices by row, then by the place in the row; it is 0 in the same cabinet.
func (c *cabinets) compare(a, b int) int { return c.compareCabinets(c.of[a], c.of[b]) }

func (c *cabinets) compareCabinets(a, b int32) int {
	p, q := c.at[a], c.at[b]
	return cmp.Or(cmp.Compare(p[1], q[1]), cmp.Compare(p[0], q[0]))
}

// sortSwitches exchanges the cabinets of the switches of each kind such that the switches follow each other by number
// in the order in which cabinets stand.
func (c *cabinets) sortSwitches(kinds []topology.Kind) {
	for _, k := range kinds {
		slices.SortStableFunc(c.of[k.First:k.First+k.Count], c.compareCabinets)
	}
}
