package mapping

import (
	"errors"
	"fmt"
	"math"
)

// ErrInfeasible marks problems that no placement solves, or none that was found.
var ErrInfeasible = errors.New("does not fit")

// infeasible returns an error that wraps ErrInfeasible.
func infeasible(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrInfeasible, fmt.Sprintf(format, args...))
}

// checkSolvable finds what no placement can solve, as far as that is seen without
// a search.
func (t *instance) checkSolvable() error {
	if t.costs.places == 0 {
		return infeasible("there are no places")
	}
	if err := t.checkTotals(); err != nil {
		return err
	}
	empty := newOccupancy(t)
	for v := range int32(t.g.Vertices()) {
		if !t.fitsSomewhere(empty, v) {
			return t.unplaceable(v)
		}
	}
	return t.checkApart()
}

// checkTotals finds resources of which the vertices take more than there is.
func (t *instance) checkTotals() error {
	for r, name := range t.names {
		need, offer := int64(0), int64(0)
		for v := range t.g.Vertices() {
			s := t.size[v*t.resources+r]
			if need > math.MaxInt64-s {
				return infeasible("the vertices take more %s than can be counted", name)
			}
			need += s
		}
		for p := range t.costs.places {
			offer = addSaturated(offer, t.capacity[p*t.resources+r])
		}
		if need > offer {
			return infeasible("the vertices take %d %s, the places offer %d", need, name, offer)
		}
		for l := 1; l < t.layers; l++ {
			offer = 0
			for c := range t.domains(l) {
				offer = addSaturated(offer, t.capacity[c*t.resources+r])
			}
			if need > offer {
				return infeasible("the vertices take %d %s, the domains of layer %d offer %d", need, name, l-1, offer)
			}
		}
	}
	return nil
}

// checkApart finds apart groups with more vertices than domains can take.
func (t *instance) checkApart() error {
	members := make([]int, len(t.apart))
	for v := range t.groups {
		for i, group := range t.groups[v] {
			members[group] += int(t.times[v][i])
		}
	}
	for i, a := range t.apart {
		domains := 0
		for range t.domains(a.Layer) {
			domains++
		}
		if members[i] > a.AtMost*domains {
			return infeasible("apart group %d has %d vertices, of which at most %d may share one of %d domains",
				i, members[i], a.AtMost, domains)
		}
	}
	return nil
}

// addSaturated returns a + b, at most the largest int64; a and b are not negative.
func addSaturated(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// domains yields the containers of a layer, those of places being layer 0.
func (t *instance) domains(layer int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		last := int32(-1)
		seen := make(map[int32]bool)
		for p := range t.costs.places {
			c := t.within[p*t.layers+layer]
			if c == last || seen[c] {
				continue
			}
			last, seen[c] = c, true
			if !yield(int(c)) {
				return
			}
		}
	}
}

// fitsSomewhere reports whether some place has room for v in r and is allowed to it; of a pinned vertex, its own.
func (t *instance) fitsSomewhere(r *occupancy, v int32) bool {
	if t.pinned != nil && t.pinned[v] >= 0 {
		return r.fits(v, t.pinned[v])
	}
	for p := range int32(t.costs.places) {
		if r.fits(v, p) {
			return true
		}
	}
	return false
}

// unplaceable explains why v has no place even when all are empty.
func (t *instance) unplaceable(v int32) error {
	if t.pinned != nil && t.pinned[v] >= 0 {
		p := t.pinned[v]
		if !t.isAllowed(v, p) {
			return infeasible("%s is pinned to place %d, whose class is not allowed to it", t.name(v), p)
		}
		return infeasible("%s is pinned to place %d, which is too small for it", t.name(v), p)
	}
	allowed := false
	for p := range int32(t.costs.places) {
		allowed = allowed || t.isAllowed(v, p)
	}
	if !allowed {
		return infeasible("no place is of a class allowed to %s", t.name(v))
	}
	for r, name := range t.names {
		most := int64(0)
		for p := range int32(t.costs.places) {
			if t.isAllowed(v, p) {
				most = max(most, t.capacity[int(p)*t.resources+r])
			}
		}
		if s := t.size[int(v)*t.resources+r]; s > most {
			return infeasible("%s takes %d %s, the largest place allowed to it offers %d", t.name(v), s, name, most)
		}
	}
	return infeasible("%s is too large for every place allowed to it", t.name(v))
}

// feasible reports whether a placement keeps capacities and all other rules.
func (t *instance) feasible(place []int32) bool {
	r := newOccupancy(t)
	for v, p := range place {
		if t.pinned != nil && t.pinned[v] >= 0 && t.pinned[v] != p || !r.fits(int32(v), p) {
			return false
		}
		r.add(int32(v), p)
	}
	return true
}
