package layout

import "math/bits"

// MaxUnits is the tallest rack, in rack units.
const MaxUnits = 256

// UnitSet is a set of the units of a rack, numbered from 1 at the bottom to MaxUnits. Units beyond are in no set.
type UnitSet [MaxUnits / 64]uint64 // bit i of word w is unit 64w+i+1

// Add adds n units from u upwards.
func (s *UnitSet) Add(u, n int) {
	if u >= 1 && n >= 1 && u+n-1 <= 64 {
		s[0] |= (1<<n - 1) << (u - 1)
		return
	}
	for i := max(u, 1) - 1; i < min(u+n-1, MaxUnits); i++ {
		s[i/64] |= 1 << (i % 64)
	}
}

// Overlaps reports whether any of n units from u upwards is in the set.
func (s *UnitSet) Overlaps(u, n int) bool {
	var span UnitSet
	span.Add(u, n)
	return s[0]&span[0]|s[1]&span[1]|s[2]&span[2]|s[3]&span[3] != 0
}

// Union returns the units that are in either set.
func (s *UnitSet) Union(t *UnitSet) UnitSet {
	return UnitSet{s[0] | t[0], s[1] | t[1], s[2] | t[2], s[3] | t[3]}
}

// Len returns the number of units in the set.
func (s *UnitSet) Len() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// Free finds the lowest or the highest n adjacent units that are not in the set, in a rack of the given number of
// units, and returns the lowest of them. n must be at least 1.
func (s *UnitSet) Free(n, units int, highest bool) (unit int, ok bool) {
	if n > units {
		return 0, false
	}
	if units > 64 {
		return s.freeInTall(n, units, highest)
	}
	free := ^s[0]
	if units < 64 {
		free &= 1<<units - 1
	}
	fit := free // bit u-1: units u ... u+n-1 are free
	for i := 1; i < n; i++ {
		fit &= free >> i
	}
	switch {
	case fit == 0:
		return 0, false
	case highest:
		return bits.Len64(fit), true
	}
	return bits.TrailingZeros64(fit) + 1, true
}

// freeInTall does the same as Free, unit by unit, for racks of more than 64 units.
func (s *UnitSet) freeInTall(n, units int, highest bool) (unit int, ok bool) {
	run := 0
	for i := range units {
		at := i
		if highest {
			at = units - 1 - i
		}
		if run++; s[at/64]>>(at%64)&1 == 1 {
			run = 0
		}
		switch {
		case run == n && highest:
			return at + 1, true
		case run == n:
			return at - n + 2, true
		}
	}
	return 0, false
}
