package power

import (
	"cmp"
	"slices"

	"github.com/plenum-planner/plenum/units"
)

// balance moves cords between outlets of the supply that they are on, and exchanges phases of a supply, while that
// evens the phases out: while it lowers the sum of the squares of the loads of all phases of supplies and of feeds. The
// supply of a cord stays, so a lost feed or supply takes the same boxes down, and cords of boxes that had outlets stay
// where they are. Every step lowers the sum, so it ends.
func (p *plugger) balance() {
	on := make([][]int, len(p.Supplies)) // outlets of each supply
	for o := range p.outlets {
		on[p.outlets[o].supply] = append(on[p.outlets[o].supply], o)
	}
	for changed := true; changed; {
		changed = false
		for s := range p.Supplies {
			if p.Supplies[s].Phases == 3 && (p.balanceCords(on[s]) || p.exchangePhases(s, on[s])) {
				changed = true
			}
		}
	}
}

// balanceCords exchanges the cords, or lack of one, of two outlets of a type of a supply where that evens phases out,
// and reports whether it has.
func (p *plugger) balanceCords(outlets []int) (changed bool) {
	for i, a := range outlets {
		for _, b := range outlets[i+1:] {
			x, y := &p.outlets[a], &p.outlets[b]
			if x.kind != y.kind || x.phase == y.phase || p.stays(x) || p.stays(y) {
				continue
			}
			if w := p.drawn(x) - p.drawn(y); w != 0 && p.evens(x.supply, x.phase, y.phase, w) {
				p.shift(x.supply, x.phase, y.phase, w)
				p.exchange(a, b)
				changed = true
			}
		}
	}
	return changed
}

// exchangePhases exchanges all cords of two phases of a supply that have the same outlets, where that evens out the
// phases of its feed, and reports whether it has.
func (p *plugger) exchangePhases(s int, outlets []int) (changed bool) {
	for i := 1; i <= 3; i++ {
		for j := i + 1; j <= 3; j++ {
			a, b := p.ofPhase(outlets, i), p.ofPhase(outlets, j)
			alike := slices.EqualFunc(a, b, func(x, y int) bool { return p.outlets[x].kind == p.outlets[y].kind })
			w := p.load[s][i] - p.load[s][j]
			stays := func(o int) bool { return p.stays(&p.outlets[o]) }
			if !alike || w == 0 || slices.ContainsFunc(slices.Concat(a, b), stays) || !p.evens(s, i, j, w) {
				continue
			}
			p.shift(s, i, j, w)
			for k := range a {
				p.exchange(a[k], b[k])
			}
			changed = true
		}
	}
	return changed
}

// ofPhase lists the outlets of a phase, those of a type together.
func (p *plugger) ofPhase(outlets []int, phase int) (out []int) {
	for _, o := range outlets {
		if p.outlets[o].phase == phase {
			out = append(out, o)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(p.outlets[a].kind, p.outlets[b].kind) })
	return out
}

// stays reports whether the cord in an outlet is one that was in an outlet before.
func (p *plugger) stays(o *outlet) bool { return o.cord >= 0 && p.kept[o.cord].Number > 0 }

// drawn is what the cord in an outlet draws.
func (p *plugger) drawn(o *outlet) units.Power {
	if o.cord < 0 {
		return 0
	}
	return p.watts[o.cord]
}

// evens reports whether moving w from one phase of a supply to another lowers the sum of squares. Of two loads a and b,
// it changes the sum of their squares by 2w(b-a+w).
func (p *plugger) evens(s, from, to int, w units.Power) bool {
	var a, b units.Power // of the feed
	for other := range p.Supplies {
		if p.Supplies[other].Feed == p.Supplies[s].Feed && p.Supplies[other].Phases == 3 {
			a, b = a+p.load[other][from], b+p.load[other][to]
		}
	}
	change := w*(p.load[s][to]-p.load[s][from]+w) + w*(b-a+w)
	return change < -rounding
}

// shift moves w from one phase of a supply to another.
func (p *plugger) shift(s, from, to int, w units.Power) {
	p.load[s][from] -= w
	p.load[s][to] += w
}

// exchange exchanges the cords of two outlets.
func (p *plugger) exchange(a, b int) {
	x, y := &p.outlets[a], &p.outlets[b]
	x.cord, y.cord = y.cord, x.cord
	if x.cord >= 0 {
		p.at[x.cord] = a
	}
	if y.cord >= 0 {
		p.at[y.cord] = b
	}
}

// Uneven reports whether the phases of a supply are further apart than the largest cord draws that it carries. Were
// its outlets free to be on any phase, moving a cord would bring them closer together.
func (r *Rack) Uneven(s int, l *Loads) bool {
	if r.Supplies[s].Phases != 3 {
		return false
	}
	largest := units.Power(0)
	for c := range r.Cords {
		if r.Cords[c].Supply == s {
			largest = max(largest, r.Supplies[s].Draws(l.Cords[c]))
		}
	}
	phases := l.Phases[s]
	return slices.Max(phases[:])-slices.Min(phases[:]) > largest+rounding
}
