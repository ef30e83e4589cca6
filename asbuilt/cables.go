package asbuilt

import "slices"

// fate is what becomes of a cable.
type fate uint8

const (
	goes      fate = iota // it is in one plan only
	stays                 // both ends as before, the same product
	relaid                // likewise, but a box at its ends moves, so that it is pulled out meanwhile
	exchanged             // both ends as before, another product
	replugged             // one end as before, the same product
)

// pairing says what becomes of the cables of both plans.
type pairing struct {
	of    [2][]fate
	other [2][]int32 // the cable of the other plan that a cable becomes or was, -1 for none
}

// same reports whether cables have the same ends.
func same(a, b *cable) bool { return slices.Equal(a.legs, b.legs) && a.trunk == b.trunk }

// alike reports whether cables with an end in common are the same product, with the same optics at that end and the
// other.
func alike(a, b *cable, e end) bool {
	x, y := a.optics, b.optics
	if a.legs[0][0] != e {
		x[0], x[1] = x[1], x[0]
	}
	if b.legs[0][0] != e {
		y[0], y[1] = y[1], y[0]
	}
	return a.item == b.item && x == y
}

// pairCables finds out what becomes of cables.
func pairCables(boxes []Box, old, new *inventory) *pairing {
	p := &pairing{}
	inv := [2]*inventory{old, new}
	byEnd := [2]map[end]int32{}
	for side, i := range inv {
		p.of[side] = make([]fate, len(i.cables))
		p.other[side] = slices.Repeat([]int32{-1}, len(i.cables))
		byEnd[side] = make(map[end]int32, 2*len(i.cables))
		for c := range i.cables {
			for _, leg := range i.cables[c].legs {
				byEnd[side][leg[0]], byEnd[side][leg[1]] = int32(c), int32(c)
			}
		}
	}
	for c := range old.cables {
		a := &old.cables[c]
		n, ok := byEnd[1][a.legs[0][0]]
		if !ok || p.other[1][n] >= 0 || !same(a, &new.cables[n]) {
			continue
		}
		f := exchanged
		if a.product == new.cables[n].product {
			f = stays
			for _, leg := range a.legs {
				for _, e := range leg {
					if boxes[e.box()].Fate != Kept {
						f = relaid
					}
				}
			}
		}
		p.join(int32(c), n, f)
	}
	p.replug(old, new, byEnd[1])
	return p
}

func (p *pairing) join(old, new int32, f fate) {
	p.of[0][old], p.of[1][new] = f, f
	p.other[0][old], p.other[1][new] = new, old
}

// replug finds cables of which one end moves. Each has at most two of the other plan that share an end with it, so that
// they form paths and rings; of these as many as possible are used again, from the ends of paths on.
func (p *pairing) replug(old, new *inventory, byEnd map[end]int32) {
	r := replugger{pairing: p, next: [2][][]int32{make([][]int32, len(old.cables)), make([][]int32, len(new.cables))}}
	single := func(c *cable) bool { return len(c.legs) == 1 && !c.trunk }
	for c := range old.cables {
		a := &old.cables[c]
		if p.of[0][c] != goes || !single(a) {
			continue
		}
		for _, e := range a.legs[0] {
			n, ok := byEnd[e]
			if ok && p.of[1][n] == goes && single(&new.cables[n]) && alike(a, &new.cables[n], e) &&
				!slices.Contains(r.next[0][c], n) {
				r.next[0][c] = append(r.next[0][c], n)
				r.next[1][n] = append(r.next[1][n], int32(c))
			}
		}
	}
	for round := range 2 { // ends of paths first, then rings
		for side := range r.next {
			for c := range r.next[side] {
				_, choices := r.free(side, int32(c))
				if p.of[side][c] == goes && (choices == 1 || choices > 0 && round == 1) {
					r.walk(side, int32(c))
				}
			}
		}
	}
}

// replugger pairs cables of two plans that may be one.
type replugger struct {
	*pairing
	next [2][][]int32 // by cable, those of the other plan
}

// free is the first cable that may be the other of one, -1 for none, and how many there are.
func (r *replugger) free(side int, c int32) (other int32, choices int) {
	other = -1
	for _, n := range r.next[side][c] {
		if r.of[1-side][n] == goes {
			if other < 0 {
				other = n
			}
			choices++
		}
	}
	return other, choices
}

// walk pairs along a path from one end of it.
func (r *replugger) walk(side int, c int32) {
	for r.of[side][c] == goes {
		n, choices := r.free(side, c)
		if choices == 0 {
			return
		}
		pair := [2]int32{c, n}
		if side == 1 {
			pair = [2]int32{n, c}
		}
		r.join(pair[0], pair[1], replugged)
		for _, m := range r.next[1-side][n] {
			if r.of[side][m] == goes {
				c = m // it has lost a choice
			}
		}
	}
}
