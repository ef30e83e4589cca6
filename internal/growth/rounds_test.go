package growth

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawDrain draws links of a few vertices, and how many of them each can do without.
func drawDrain(t *rapid.T, bipartite bool) (most []int, links [][2]int32) {
	n := rapid.IntRange(2, 7).Draw(t, "vertices")
	for range n {
		most = append(most, rapid.IntRange(1, 3).Draw(t, "most"))
	}
	half := int32(n / 2)
	for range rapid.IntRange(0, 14).Draw(t, "links") {
		a := rapid.Int32Range(0, half-1).Draw(t, "a")
		b := rapid.Int32Range(half, int32(n)-1).Draw(t, "b")
		if !bipartite {
			a = rapid.Int32Range(0, int32(n)-2).Draw(t, "any a")
			b = rapid.Int32Range(a+1, int32(n)-1).Draw(t, "any b")
		}
		links = append(links, [2]int32{a, b})
	}
	return most, links
}

// keeps reports whether no vertex does without more links in a round than it can.
func keeps(most []int, links [][2]int32, round []int32) bool {
	out := map[[2]int32]int{}
	for i, l := range links {
		for _, v := range l {
			key := [2]int32{v, round[i]}
			if out[key]++; out[key] > most[v] {
				return false
			}
		}
	}
	return true
}

// Rounds keep to what vertices can do without, the bound is that of the vertex with the most links for it, and of a
// bipartite graph there are as many rounds as the bound says.
func TestRoundsKeepTheLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bipartite := rapid.Bool().Draw(t, "bipartite")
		most, links := drawDrain(t, bipartite)
		round, least := Rounds(most, links)
		if !keeps(most, links, round) {
			t.Fatalf("%v of %v, %v each", round, links, most)
		}
		bound := 0
		for v := range most {
			n := 0
			for _, l := range links {
				if l[0] == int32(v) || l[1] == int32(v) {
					n++
				}
			}
			for n > bound*most[v] {
				bound++
			}
		}
		used := 0
		for _, r := range round {
			used = max(used, int(r)+1)
		}
		if least != bound || used < least || bipartite && used != least {
			t.Fatalf("%d rounds, at least %d, the bound is %d, bipartite %v", used, least, bound, bipartite)
		}
	})
}

// The fewest rounds by trying all are within the bound and what is found, which is below twice the bound.
func TestFewestRoundsAreWithin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most, links := drawDrain(t, false)
		if len(links) > 7 {
			links = links[:7]
		}
		round, least := Rounds(most, links)
		used := 0
		for _, r := range round {
			used = max(used, int(r)+1)
		}
		fewest := least
		for ; len(links) > 0 && !splits(most, links, nil, int32(fewest)); fewest++ {
		}
		if fewest < least || used < fewest || used > max(0, 2*least-1) {
			t.Fatalf("%d rounds of %v, %v each: %d suffice, the bound is %d", used, links, most, fewest, least)
		}
	})
}

// splits tries all ways to put links in a number of rounds.
func splits(most []int, links [][2]int32, round []int32, rounds int32) bool {
	if len(round) == len(links) {
		return true
	}
	for r := range rounds {
		next := append(slices.Clone(round), r)
		if keeps(most, links[:len(next)], next) && splits(most, links, next, rounds) {
			return true
		}
	}
	return false
}
