package asbuilt

import (
	"fmt"

	"github.com/plenum-planner/plenum/internal/english"
)

// mostFlowWork bounds how many links are looked at to find out whether several paths are there, per moment.
const mostFlowWork = 3e8

// A TooManyPathsError refuses to look for several paths between all boxes of a machine that is too large for it.
type TooManyPathsError struct {
	Paths, Ends, Links int // that were asked for; boxes that send and receive; links of both plans
}

// Error says what is too much, and what can be had.
func (e *TooManyPathsError) Error() string {
	return fmt.Sprintf("%s are plugged in too differently over %s to look for %d paths between each two in bounded "+
		"time; ask for fewer", english.Count(e.Ends, "box"),
		english.Count(e.Links, "link"), e.Paths)
}

// flows knows which ends of a network have several paths in both plans.
type flows struct {
	plans [2][]*connectivity // for 2 paths and more
	over  bool               // some moment was too much to look at
}

// newFlows finds out for up to so many paths who has them in both plans.
func newFlows(n *network, links []link, most int) (*flows, error) {
	f := &flows{}
	for paths := 2; paths <= most; paths++ {
		for side := range f.plans {
			c := n.connectivityOf(links, func(i int32) bool { return links[i].levels[side] != none }, paths)
			f.plans[side] = append(f.plans[side], c)
			f.over = f.over || c.over
		}
	}
	return f, f.tooMany(n, most)
}

// tooMany is the error of what was too much.
func (f *flows) tooMany(n *network, most int) error {
	if !f.over {
		return nil
	}
	return &TooManyPathsError{Paths: most, Ends: len(n.ends), Links: len(n.links)}
}

// enough reports whether all ends have as many paths as both plans have and are asked for, at most most.
func (n *network) enough(links []link, up func(i int32) bool, exempt []bool, most int) bool {
	if n.flows == nil {
		return true
	}
	for paths := 2; paths <= most; paths++ {
		wanted, ok := n.enoughOf(links, up, exempt, paths)
		if !wanted || !ok {
			return ok
		}
	}
	return true
}

// group is ends that are plugged into the same in both plans and at the moment.
type group struct {
	old, new, now int32 // signatures
	several       bool
}

// enoughOf reports whether any two ends have so many paths in both plans, as far as is known, and whether all that do
// have
// them now.
func (n *network) enoughOf(links []link, up func(i int32) bool, exempt []bool, paths int) (wanted, ok bool) {
	old, new := n.flows.plans[0][paths-2], n.flows.plans[1][paths-2]
	index := map[[3]int32]int{}
	var groups []group
	now := (*connectivity)(nil)
	for e := range n.ends {
		if exempt != nil && exempt[e] || old.sigs[old.sig[e]].degree < paths || new.sigs[new.sig[e]].degree < paths {
			continue
		}
		if now == nil {
			now = n.connectivityOf(links, up, paths)
		}
		key := [3]int32{old.sig[e], new.sig[e], now.sig[e]}
		at, known := index[key]
		if !known {
			at = len(groups)
			index[key] = at
			groups = append(groups, group{old: key[0], new: key[1], now: key[2]})
		} else {
			groups[at].several = true
		}
	}
	if now == nil {
		return false, true
	}
	ok = n.hold(old, new, now, groups)
	n.flows.over = n.flows.over || old.over || new.over || now.over
	return true, ok && !now.over
}

// hold reports whether all ends of groups that have the paths in both plans have them now. Those that share a hub now
// do.
func (n *network) hold(old, new, now *connectivity, groups []group) bool {
	byHubs := [1 << mostHubs][]int{}
	for i := range groups {
		h := now.sigs[groups[i].now].hubs
		byHubs[h] = append(byHubs[h], i)
	}
	for p := range byHubs {
		for q := range byHubs[:p+1] {
			if p&q != 0 {
				continue
			}
			for _, i := range byHubs[p] {
				for _, j := range byHubs[q] {
					x, y := &groups[i], &groups[j]
					if p == q && (j > i || i == j && !x.several) {
						continue
					}
					if now.work++; now.work > mostFlowWork {
						now.over = true
						return false
					}
					if !now.areConnected(x.now, y.now) && old.areConnected(x.old, y.old) &&
						new.areConnected(x.new, y.new) {
						return false
					}
				}
			}
		}
	}
	return true
}
