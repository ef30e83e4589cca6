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

// withSwitches stands the boxes among the cabinets, each after the switches that serve none before it, then the
// switches that serve none. The kinds of lead come one after the other, the rest mixed evenly among them. before has
// the switches by box.
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

// switchesByBox lists the switches among the cabinets by the first of the boxes there that each is linked to.
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

// groups fills the cabinets that kinds share by a name, those of network rows or those among the others: kind after
// kind, every box in the first that has room for it.
func (f *cabinetFiller) groups(kinds []topology.Kind, network bool) {
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

// beside stands the boxes that take no units in the cabinets that the others have filled: kind after kind, those of
// earlier kinds passed over, and of a kind with a group in its cabinets only. What finds no cabinet stands in the last.
func (f *cabinetFiller) beside(kinds []topology.Kind) {
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

// compare says which of two vertices stands first: by row, then by the place in the row.
func (c *cabinets) compare(a, b int) int { return c.compareCabinets(c.of[a], c.of[b]) }

func (c *cabinets) compareCabinets(a, b int32) int {
	p, q := c.at[a], c.at[b]
	return cmp.Or(cmp.Compare(p[1], q[1]), cmp.Compare(p[0], q[0]))
}

// turn has kinds of switches take turns in the order in which cabinets stand.
func (c *cabinets) turn(kinds []topology.Kind) {
	for _, k := range kinds {
		slices.SortStableFunc(c.of[k.First:k.First+k.Count], c.compareCabinets)
	}
}
