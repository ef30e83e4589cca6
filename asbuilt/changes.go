package asbuilt

import (
	"slices"

	"github.com/plenum-planner/plenum/machine"
)

// change is a unit of one of the plans that the other does not have as it is.
type change struct {
	unit   int32
	cables []int32 // that have to be pulled out or in, trunks left out
	trunks []int32 // likewise
	links  []int32
	boxes  []int32 // at its ends and on its way
}

// transition is two plans with all that changes between them, and the state on the way.
type transition struct {
	boxes    []Box
	inv      [2]*inventory
	pairs    *pairing
	levels   *names
	links    []link
	changes  [2][]change // to disconnect, and to connect
	changeOf []int32     // by link: the change, -1 for what stays; see levels of the link for the side
	networks []*network
	capacity *capacity
	products *names
}

// newTransition finds what changes between two plans.
func newTransition(old, new *machine.Result) *transition {
	m := match(old, new)
	products, ports := newNames(), newNames()
	t := &transition{boxes: m.boxes, levels: newNames(), products: products}
	t.inv[0] = newInventory(old, m.at[0], products, t.levels, ports)
	t.inv[1] = newInventory(new, m.at[1], products, t.levels, ports)
	t.pairs = pairCables(t.boxes, t.inv[0], t.inv[1])
	staying := t.linkUp()
	for side := range t.changes {
		t.collect(side, staying)
	}
	t.networks = networks([2]*machine.Result{old, new}, t.boxes, t.links, t.levels)
	return t
}

// stay reports whether a unit of a plan is left alone.
func (t *transition) stay(side int, u *unit) bool {
	for _, c := range u.cables {
		if t.pairs.of[side][c] != stays {
			return false
		}
	}
	return true
}

// linkUp lists the links that stay; it returns their numbers by their ports.
func (t *transition) linkUp() map[[2]end]int32 {
	level := map[[2]end]int32{} // of the old plan
	for i := range t.inv[0].units {
		u := &t.inv[0].units[i]
		if t.stay(0, u) {
			for _, c := range u.channels {
				ch := &t.inv[0].channels[c]
				if t.boxes[ch.a].Fate == Kept && t.boxes[ch.b].Fate == Kept {
					level[sorted(ch.ports)] = ch.level
				}
			}
		}
	}
	out := map[[2]end]int32{}
	for i := range t.inv[1].units {
		u := &t.inv[1].units[i]
		if !t.stay(1, u) {
			continue
		}
		for _, c := range u.channels {
			ch := &t.inv[1].channels[c]
			if l, ok := level[sorted(ch.ports)]; ok {
				out[sorted(ch.ports)] = int32(len(t.links))
				t.links = append(t.links, link{ch.a, ch.b, [2]int32{l, ch.level}})
				t.changeOf = append(t.changeOf, -1)
			}
		}
	}
	return out
}

func sorted(p [2]end) [2]end { return [2]end{min(p[0], p[1]), max(p[0], p[1])} }

// collect lists the changes of one side.
func (t *transition) collect(side int, staying map[[2]end]int32) {
	inv := t.inv[side]
	for i := range inv.units {
		u := &inv.units[i]
		if _, ok := staying[sorted(inv.channels[u.channels[0]].ports)]; ok && t.stay(side, u) {
			continue
		}
		c := change{unit: int32(i)}
		for _, k := range u.cables {
			if t.pairs.of[side][k] == stays {
				continue
			}
			if inv.cables[k].trunk {
				c.trunks = append(c.trunks, k)
			} else {
				c.cables = append(c.cables, k)
			}
			for _, e := range inv.cables[k].ports {
				c.boxes = append(c.boxes, e.box())
			}
		}
		for _, k := range u.channels {
			ch := &inv.channels[k]
			l := link{ch.a, ch.b, [2]int32{none, none}}
			l.levels[side] = ch.level
			c.links = append(c.links, int32(len(t.links)))
			c.boxes = append(c.boxes, ch.a, ch.b)
			t.links = append(t.links, l)
			t.changeOf = append(t.changeOf, int32(len(t.changes[side])))
		}
		slices.Sort(c.boxes)
		c.boxes = slices.Compact(c.boxes)
		t.changes[side] = append(t.changes[side], c)
	}
}

// orderByBox returns the order in which to make the changes of a side, such that every box loses its links in turn.
func (t *transition) orderByBox(side int) []int32 {
	seen := make([]int32, len(t.boxes))
	rank := make([]int32, len(t.changes[side]))
	order := make([]int32, len(rank))
	for i := range rank {
		order[i] = int32(i)
		l := &t.links[t.changes[side][i].links[0]]
		rank[i] = seen[l.a] + seen[l.b]
		seen[l.a]++
		seen[l.b]++
	}
	slices.SortStableFunc(order, func(a, b int32) int { return int(rank[a] - rank[b]) })
	return order
}

// chains orders the changes to disconnect so that those whose ports one new cable waits for follow each other. A change
// has few ports, so that changes and what waits for them form chains; those that can be begun at an end are.
func (t *transition) chains() []int32 {
	owner := [2]map[end]int32{{}, {}}
	for side := range owner {
		for i := range t.changes[side] {
			for _, k := range t.changes[side][i].cables {
				for _, e := range t.inv[side].cables[k].ports {
					owner[side][e] = int32(i)
				}
			}
		}
	}
	around := func(side int, i int32) (out []int32) { // changes of the other side with a port in common
		for _, k := range t.changes[side][i].cables {
			for _, e := range t.inv[side].cables[k].ports {
				if j, ok := owner[1-side][e]; ok && !slices.Contains(out, j) {
					out = append(out, j)
				}
			}
		}
		return out
	}
	var order []int32
	done := make([]bool, len(t.changes[0]))
	follow := func(i int32) {
		for stack := []int32{i}; len(stack) > 0; {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if done[i] {
				continue
			}
			done[i] = true
			order = append(order, i)
			for _, j := range around(0, i) {
				for _, next := range around(1, j) {
					if !done[next] {
						stack = append(stack, next)
					}
				}
			}
		}
	}
	spread := t.orderByBox(0)
	for _, i := range spread { // what lets something be plugged in by itself
		if slices.ContainsFunc(around(0, i), func(j int32) bool { return len(around(1, j)) == 1 }) {
			follow(i)
		}
	}
	for _, i := range spread {
		follow(i)
	}
	return order
}

// capacity counts the links that are up, by their level and the kind of box that they are counted at.
type capacity struct {
	percent float64
	classes map[[2]string]int
	least   []int32 // links of each class that both plans have
	of      [][4]int32
	count   []int32
}

// newCapacity counts the links of both plans at boxes that stay where they are, those of the fabrics alone if any are
// named. Classes of a link are -1 where there is none.
func newCapacity(t *transition, percent float64, fabrics []string) *capacity {
	c := &capacity{percent: percent, classes: map[[2]string]int{}}
	has := [2][]int32{}
	for _, l := range t.links {
		of := [4]int32{-1, -1, -1, -1}
		for side, level := range l.levels {
			for k, v := range [2]int32{l.a, l.b} {
				b := &t.boxes[v]
				if level == none || b.Fate != Kept || !ofFabrics(t.levels.text[level], fabrics) {
					continue
				}
				key := [2]string{t.levels.text[level], b.Kind}
				n, ok := c.classes[key]
				if !ok {
					n = len(c.classes)
					c.classes[key] = n
					has[0], has[1] = append(has[0], 0), append(has[1], 0)
				}
				has[side][n]++
				if side == 0 || of[k] != int32(n) { // one class for a link that is of the same level in both
					of[2*side+k] = int32(n)
				}
			}
		}
		c.of = append(c.of, of)
	}
	c.count = make([]int32, len(c.classes))
	for n := range c.classes {
		i := c.classes[n]
		for len(c.least) <= i {
			c.least = append(c.least, 0)
		}
	}
	for i := range c.least {
		c.least[i] = min(has[0][i], has[1][i])
	}
	return c
}

// ofFabrics reports whether a level of links is of one of the fabrics; true where none is named.
func ofFabrics(level string, fabrics []string) bool {
	return len(fabrics) == 0 ||
		slices.ContainsFunc(fabrics, func(name string) bool { return machine.InFabric(level, name) })
}

// set counts a link as up or down.
func (c *capacity) set(i int32, by int32) {
	for _, class := range c.of[i] {
		if class >= 0 {
			c.count[class] += by
		}
	}
}

// bears reports whether enough links stay up without those of a change.
func (c *capacity) bears(links []int32) bool {
	for _, i := range links {
		c.set(i, -1)
	}
	ok := true
	for _, i := range links {
		for _, class := range c.of[i] {
			if class >= 0 && float64(c.count[class])*100 < c.percent*float64(c.least[class]) {
				ok = false
			}
		}
	}
	for _, i := range links {
		c.set(i, 1)
	}
	return ok
}

// share is the least share of links that are up, in per cent.
func (c *capacity) share() float64 {
	out := 100.0
	for i, n := range c.count {
		if c.least[i] > 0 {
			out = min(out, 100*float64(n)/float64(c.least[i]))
		}
	}
	return out
}
