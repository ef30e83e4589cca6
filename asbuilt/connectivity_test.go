package asbuilt

import (
	"testing"

	"pgregory.net/rapid"
)

// drawNetwork draws a network of boxes that pass messages on or not, and which of its links are up.
func drawNetwork(t *rapid.T) (n *network, links []link, now []bool) {
	boxes := rapid.IntRange(2, 10).Draw(t, "boxes")
	n = &network{forward: make([]bool, boxes), isEnd: make([]bool, boxes)}
	for v := range boxes {
		n.forward[v] = rapid.Bool().Draw(t, "forward")
		if n.isEnd[v] = !n.forward[v] || rapid.Bool().Draw(t, "end"); n.isEnd[v] {
			n.ends = append(n.ends, int32(v))
		}
	}
	box := rapid.Int32Range(0, int32(boxes)-1)
	for i := range rapid.IntRange(0, 30).Draw(t, "links") {
		l := link{a: box.Draw(t, "a"), b: box.Draw(t, "b"), levels: [2]int32{none, none}}
		if l.a == l.b {
			l.b = (l.a + 1) % int32(boxes)
		}
		for side := range l.levels {
			if rapid.IntRange(0, 4).Draw(t, "in") > 0 {
				l.levels[side] = 0
			}
		}
		links = append(links, l)
		n.links = append(n.links, int32(i))
		now = append(now, rapid.IntRange(0, 4).Draw(t, "up") > 0)
	}
	return n, links, now
}

// TestReachIsExact holds that ends share a part of what they reach where a path joins them.
func TestReachIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, links, now := drawNetwork(t)
		up := func(i int32) bool { return now[i] }
		sets := newPartSets()
		reached := n.reach(links, up, sets)
		for x, s := range n.ends {
			for y, d := range n.ends[:x] {
				if got, want := sets.meet(reached[x], reached[y]), n.pathsBetween(links, up, s, d) > 0; got != want {
					t.Fatalf("boxes %d and %d: %v, want %v", s, d, got, want)
				}
			}
		}
	})
}

// TestSortedEnds holds that the two ends of a link are the same pair from either end.
func TestSortedEnds(t *testing.T) {
	for _, p := range [][2]end{{3, 7}, {7, 3}} {
		if got := sorted(p); got != [2]end{3, 7} {
			t.Errorf("%v", got)
		}
	}
}

// TestEnoughIsExact holds the paths that are found over classes and hubs against flows between all pairs of ends, in
// drawn networks of boxes that pass messages on or not.
func TestEnoughIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, links, now := drawNetwork(t)
		most := rapid.IntRange(2, 4).Draw(t, "paths")
		exempt := make([]bool, len(n.ends))
		for e := range exempt {
			exempt[e] = rapid.IntRange(0, 5).Draw(t, "exempt") == 0
		}
		var err error
		if n.flows, err = newFlows(n, links, most); err != nil {
			t.Fatal(err)
		}
		states := []func(i int32) bool{
			func(i int32) bool { return links[i].levels[0] != none },
			func(i int32) bool { return links[i].levels[1] != none },
			func(i int32) bool { return now[i] },
		}
		want := true
		for x, s := range n.ends {
			for y, d := range n.ends[:x] {
				if exempt[x] || exempt[y] {
					continue
				}
				var has [3]int
				for k, up := range states {
					has[k] = n.pathsBetween(links, up, s, d)
				}
				wanted := min(has[0], has[1], most)
				want = want && (wanted < 2 || has[2] >= wanted) // cut looks for the first path
			}
		}
		if got := n.enough(links, states[2], exempt, most); got != want {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

// pathsBetween counts edge-disjoint paths that lead through no other end but those that pass messages on, one by one.
func (n *network) pathsBetween(links []link, up func(i int32) bool, s, t int32) int {
	flow := make([]int, len(links)) // 1 from a to b
	for count := 0; ; count++ {
		via := map[int32]int32{s: -1}
		for queue := []int32{s}; len(queue) > 0; queue = queue[1:] {
			v := queue[0]
			if v != s && !n.forward[v] {
				continue
			}
			for _, i := range n.links {
				l := &links[i]
				w, along := l.b, 1
				if l.b == v {
					w, along = l.a, -1
				} else if l.a != v {
					continue
				}
				if _, seen := via[w]; !seen && up(i) && flow[i] != along {
					via[w] = i
					queue = append(queue, w)
				}
			}
		}
		if _, found := via[t]; !found {
			return count
		}
		for v := t; v != s; {
			i := via[v]
			if links[i].b == v {
				flow[i]++
				v = links[i].a
			} else {
				flow[i]--
				v = links[i].b
			}
		}
	}
}
