package embed

import (
	"testing"

	"pgregory.net/rapid"
)

// fits reports whether racks at sites hold the rules and find room there.
func fits(groups []antiAffinityGroup, racks []apartRack, sites []site, room []int, of []int32) bool {
	used, count := make([]int, len(sites)), map[[3]int32]int32{}
	for i, s := range of {
		if used[s]++; used[s] > room[s] {
			return false
		}
		for _, c := range racks[i].counts {
			g := &groups[c.group]
			at := [3]int32{c.group, int32(g.within), sites[s].domain[g.within]}
			if count[at] += c.boxes; count[at] > g.atMost {
				return false
			}
		}
	}
	return true
}

// bruteForce reports whether any choice of sites fits.
func bruteForce(groups []antiAffinityGroup, racks []apartRack, sites []site, room []int, of []int32) bool {
	if len(of) == len(racks) {
		return fits(groups, racks, sites, room, of)
	}
	for _, s := range racks[len(of)].sites {
		if bruteForce(groups, racks, sites, room, append(of, s)) {
			return true
		}
	}
	return false
}

// TestSeparateRacks finds sites wherever there are any, as trying all finds.
func TestSeparateRacks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		small := func(name string, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(t, name) }
		var groups []antiAffinityGroup
		for range small("groups", 1, 3) {
			groups = append(groups, antiAffinityGroup{
				within: Domain(small("within", int(RowDomain), int(HallDomain))), atMost: int32(small("most", 1, 2)),
			})
		}
		var sites []site
		var room []int
		for range small("sites", 1, 4) {
			s := site{}
			for within := range s.domain {
				s.domain[within] = int32(small("domain", 0, 2))
			}
			sites, room = append(sites, s), append(room, small("room", 0, 3))
		}
		var racks []apartRack
		for range small("racks", 1, 6) {
			var r apartRack
			for g := range groups {
				if n := small("boxes", 0, 1); n > 0 {
					r.counts = append(r.counts, groupCount{int32(g), int32(n)})
				}
			}
			for s := range sites {
				if small("may", 0, 3) > 0 {
					r.sites = append(r.sites, int32(s))
				}
			}
			racks = append(racks, r)
		}
		of, exhausted := separateRacks(groups, racks, sites, room)
		exists := bruteForce(groups, racks, sites, room, nil)
		if (of != nil) != exists || exhausted == exists || of != nil && !fits(groups, racks, sites, room, of) {
			t.Fatalf("%v, exhausted %v; a choice exists: %v", of, exhausted, exists)
		}
	})
}
