package randomgraph

import "math/bits"

// pairs is a set of pairs of different vertices: a table of twice as many slots as pairs, in which a pair stands in the
// first free slot from where its hash leads (linear probing), so that a pair is found in one or two lines of the cache
// however many links a vertex has.
type pairs struct {
	slots []uint64 // the higher vertex, and the lower in the upper half; 0 is free, as the higher is not 0
	shift int      // from a hash to its slot
}

// newPairs makes room for a number of pairs.
func newPairs(most int) *pairs {
	size := max(bits.Len(uint(2*most)), 1)
	return &pairs{make([]uint64, 1<<size), 64 - size}
}

func key(a, b int32) uint64 { return uint64(min(a, b))<<32 | uint64(max(a, b)) }

// home is the slot from where a pair is looked for: multiplication by 2^64 over the golden ratio (D. E. Knuth, The Art
// of Computer Programming 3, section 6.4).
func (p *pairs) home(key uint64) int { return int(key * 0x9e3779b97f4a7c15 >> p.shift) }

// find returns the slot of a pair, or the free one where it would stand.
func (p *pairs) find(key uint64) int {
	i := p.home(key)
	for p.slots[i] != 0 && p.slots[i] != key {
		i = (i + 1) & (len(p.slots) - 1)
	}
	return i
}

func (p *pairs) has(a, b int32) bool { return p.slots[p.find(key(a, b))] != 0 }

// add puts a pair in; false if it was there.
func (p *pairs) add(a, b int32) bool {
	k := key(a, b)
	i := p.find(k)
	if p.slots[i] != 0 {
		return false
	}
	p.slots[i] = k
	return true
}

// remove takes a pair out that is there. Those behind it that would no longer be found move up (Knuth, algorithm R).
func (p *pairs) remove(a, b int32) {
	last := len(p.slots) - 1
	hole := p.find(key(a, b))
	for i := (hole + 1) & last; p.slots[i] != 0; i = (i + 1) & last {
		if (i-p.home(p.slots[i]))&last >= (i-hole)&last {
			p.slots[hole] = p.slots[i]
			hole = i
		}
	}
	p.slots[hole] = 0
}
