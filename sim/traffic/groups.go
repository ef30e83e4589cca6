package traffic

import (
	"fmt"
	"math/rand/v2"
)

// NextGroup returns the pattern in which every terminal of group i sends to
// random terminals of group i+1, the last group to the first. On a dragonfly it
// is the worst case of minimal routing, since a group's whole traffic wants the
// one link to the next group (J. Kim, W. J. Dally, S. Scott and D. Abts,
// "Technology-driven, highly-scalable dragonfly topology", ISCA 2008, section
// 4.2). groupOf gives the group of each terminal, from 0. A terminal without a group, an empty group and fewer than two
// groups are errors.
func NextGroup(groupOf []int32) (Pattern, error) {
	groups := int32(-1)
	for t, g := range groupOf {
		if g < 0 {
			return nil, fmt.Errorf("terminal %d belongs to no group", t)
		}
		groups = max(groups, g)
	}
	groups++
	if groups < 2 {
		return nil, fmt.Errorf("traffic between groups needs at least 2 groups, not %d", groups)
	}
	p := &nextGroup{groupOf: append([]int32(nil), groupOf...), start: make([]int32, groups+1)}
	for _, g := range groupOf {
		p.start[g+1]++
	}
	for g := range groups {
		if p.start[g+1] == 0 {
			return nil, fmt.Errorf("group %d has no terminals", g)
		}
		p.start[g+1] += p.start[g]
	}
	next := append([]int32(nil), p.start...)
	p.members = make([]int32, len(groupOf))
	for t, g := range groupOf {
		p.members[next[g]] = int32(t)
		next[g]++
	}
	return p, nil
}

type nextGroup struct {
	groupOf []int32
	start   []int32 // members[start[g]:start[g+1]] are the terminals of group g
	members []int32
}

func (p *nextGroup) Destination(src int32, r *rand.Rand) int32 {
	g := int(p.groupOf[src]+1) % (len(p.start) - 1)
	first, end := p.start[g], p.start[g+1]
	return p.members[first+r.Int32N(end-first)]
}
