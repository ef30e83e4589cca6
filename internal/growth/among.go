package growth

import "math/bits"

// mostAmongSteps bounds the work of mostAmong: states in all steps together.
const mostAmongSteps = 300_000_000

// mostAmong returns the most links among n of some vertices, which links joins; false where that takes too long. It
// takes the vertices one after the other, and of the chosen ones remembers only those with links to vertices that are
// still to come: there are few in networks that are narrow, such as rings, trees and tori of two dimensions (dynamic
// programming over a path decomposition: H. L. Bodlaender, Theoretical Computer Science 209 (1-2), 1998, section 4).
func mostAmong(links [][]neighbor, n int) (int64, bool) {
	order, width := narrowOrder(links)
	each := n + 1 // states of a choice, by how many are chosen
	// The number of chosen ones among the first so many vertices, which leaves enough and not too many.
	fewest := func(taken int) int { return max(0, n-(len(links)-taken)) }
	steps := 0
	for taken := range links {
		steps += min(taken+1, n) - fewest(taken) + 1
	}
	if width > 24 || max(steps, each) > mostAmongSteps>>width {
		return 0, false
	}
	// Links among the chosen ones, by bits of remembered ones and the number of chosen ones; -1 for none.
	most := make([]int32, each<<width)
	for i := range most {
		most[i] = -1
	}
	most[0] = 0
	slot := make([]int, len(links)) // bit of a vertex, -1 for none
	coming := make([]int, len(links))
	for v := range links {
		slot[v], coming[v] = -1, len(links[v])
	}
	used := 0 // bits
	low, high := 0, 0
	drop := func(v int32) {
		if slot[v] >= 0 {
			forget(most, each, width, low, high, 1<<slot[v])
			used &^= 1 << slot[v]
			slot[v] = -1
		}
	}
	for taken, v := range order {
		low, high = fewest(taken), min(taken, n)
		bit := 1 << bits.TrailingZeros(^uint(used))
		used |= bit
		for mask := range 1 << width {
			if mask&^used != 0 || mask&bit != 0 {
				continue
			}
			gain := int32(0)
			for _, to := range links[v] {
				if s := slot[to.at]; s >= 0 && mask>>s&1 > 0 {
					gain += to.links
				}
			}
			from, to := most[mask*each:][:each], most[(mask|bit)*each:][:each]
			for c := low; c <= min(high, n-1); c++ {
				if from[c] >= 0 {
					to[c+1] = from[c] + gain
				}
			}
		}
		low, high = fewest(taken+1), min(taken+1, n)
		slot[v] = bits.TrailingZeros(uint(bit))
		for _, to := range links[v] {
			if coming[to.at]--; coming[to.at] == 0 {
				drop(to.at)
			}
		}
		if coming[v] == 0 {
			drop(int32(v))
		}
	}
	return int64(most[n]), true
}

// forget keeps the better of every two choices that differ in a bit only, of those with low to high chosen ones.
func forget(most []int32, each, width, low, high, bit int) {
	for mask := range 1 << width {
		if mask&bit > 0 {
			continue
		}
		without, with := most[mask*each:][:each], most[(mask|bit)*each:][:each]
		for c := low; c <= high; c++ {
			without[c] = max(without[c], with[c])
			with[c] = -1
		}
	}
}

// narrowOrder returns an order of vertices, each the one after which the fewest vertices have links to those after
// them, and the most vertices that have such links at once, with the one that is taken.
func narrowOrder(links [][]neighbor) (order []int, width int) {
	taken, coming := make([]bool, len(links)), make([]int, len(links))
	for v := range links {
		coming[v] = len(links[v])
	}
	live := 0
	for range links {
		best, least := -1, 0
		for v := range links {
			if taken[v] {
				continue
			}
			after := min(coming[v], 1)
			for _, to := range links[v] {
				if taken[to.at] && coming[to.at] == 1 {
					after--
				}
			}
			if best < 0 || after < least || after == least && coming[v] < coming[best] {
				best, least = v, after
			}
		}
		taken[best] = true
		width = max(width, live+1)
		live += least
		for _, to := range links[best] {
			coming[to.at]--
		}
		order = append(order, best)
	}
	return order, width
}
