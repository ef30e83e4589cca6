package delay

import (
	"cmp"
	"math"
	"slices"
)

const (
	// fewPairs is the number of pairs of end delays up to which a pair of vertices is counted at once.
	fewPairs = 4
	// waySlots is the size of the table of ways, a power of two; fullWays is the number of ways that it holds.
	waySlots = 1 << 14
	fullWays = waySlots / 2
	// fullSums is the number of sums of a way and a delay of leaving that are kept.
	fullSums = 1 << 16
	// manyCuts is the number of delays of entering up to which sums are counted by bin.
	manyCuts = math.MaxUint8
	// manyOrigins is the number of lists of delays of entering whose ways are kept.
	manyOrigins = 32
	// lookBits is the number of bits of a remainder that are looked up in a table.
	lookBits = 12
)

// endPairs counts pairs of ends by delay: the delay of a pair is the sum of the delay of entering the network at the
// source, that of the way between the two vertices, and that of leaving the network at the target. Nothing is kept for
// a pair of vertices. Ways that are equal, from sources whose ends have the same delays of entering, are first counted
// together, then added to each delay of leaving; these sums are counted by bin, and the counts of all bins are added up
// once for each delay of entering. Whether a sum and a delay of entering reach one bin further is decided by their
// remainders, so that every pair gets its exact bin.
type endPairs struct {
	bins  []uint64
	shift uint
	downs [][]bundle

	origins []*origin // manyOrigins at most
	now     *origin   // that of the present source
	sums    []countedSum
	moved   []countedSum // sums by the cut that they reach first
	at      []uint32     // sums by bin
	added   uint64       // additions that spreading has taken so far
}

// steps returns the work of spreading so far in the unit of Options.Work.
func (e *endPairs) steps() uint64 { return e.added / 4 }

// origin is the ways from sources whose ends have the same delays of entering.
type origin struct {
	up    []bundle // these delays
	cuts  []cut    // of up, by falling remainder that carries into the next bin
	look  []uint8  // by the highest bits of a remainder: the first cut that it may reach
	above uint     // bits of a remainder below these

	ways []countedWay // hash table, in which a count of 0 is a free place
	used []uint32     // places in it
}

// cut is a delay of entering: in whole bins, the least remainder with which a sum reaches one bin further, and the
// number of ends that have it.
type cut struct {
	least, bins, count uint64
}

// countedWay is a number of ways of the same delay to vertices whose ends have the same delays of leaving.
type countedWay struct {
	time  uint64
	down  uint32
	count uint32
}

// countedSum is a delay that a number of ends have up to the delay of entering.
type countedSum struct {
	time, count uint64
}

// newEndPairs counts into bins.
func newEndPairs(bins []uint64, shift uint, downs [][]bundle) endPairs {
	return endPairs{bins: bins, shift: shift, downs: downs}
}

// from prepares for the ways from vertices whose ends have the given delays of entering.
func (e *endPairs) from(up []bundle) {
	if e.now != nil && slices.Equal(e.now.up, up) {
		return
	}
	for _, o := range e.origins {
		if slices.Equal(o.up, up) {
			e.now = o
			return
		}
	}
	if len(e.origins) < manyOrigins {
		e.now = new(origin)
		e.origins = append(e.origins, e.now)
	} else { // the one that was begun first makes room
		e.spreadWays(e.origins[0])
		e.now = e.origins[0]
		e.origins = append(e.origins[1:], e.now)
	}
	e.now.up, e.now.cuts = append(e.now.up[:0], up...), e.now.cuts[:0]
}

// wait counts a way of a delay to a vertex whose ends have the delays of leaving of that number.
func (e *endPairs) wait(time uint64, down uint32) {
	to, o := e.downs[down], e.now
	if len(o.up)*len(to) <= fewPairs {
		for _, u := range o.up {
			for _, d := range to {
				e.bins[(time+u.time+d.time)>>e.shift] += u.count * d.count
			}
		}
		return
	}
	if o.ways == nil {
		o.ways = make([]countedWay, waySlots)
	}
	slot := (time*0x9e3779b97f4a7c15 + uint64(down)*0xd1b54a32d192ed03) >> 40 % waySlots
	for {
		w := &o.ways[slot]
		if w.count == 0 {
			*w = countedWay{time, down, 1}
			o.used = append(o.used, uint32(slot))
			break
		}
		if w.time == time && w.down == down {
			w.count++
			if w.count == math.MaxUint32 {
				e.spreadWays(o)
			}
			return
		}
		slot = (slot + 1) % waySlots
	}
	if len(o.used) == fullWays {
		e.spreadWays(o)
	}
}

// spread brings everything that was counted into the bins.
func (e *endPairs) spread() {
	for _, o := range e.origins {
		e.spreadWays(o)
	}
}

// spreadWays brings the ways from an origin into the bins.
func (e *endPairs) spreadWays(o *origin) {
	for _, slot := range o.used {
		w := &o.ways[slot]
		for _, d := range e.downs[w.down] {
			e.sums = append(e.sums, countedSum{w.time + d.time, uint64(w.count) * d.count})
		}
		w.count = 0
		if len(e.sums) >= fullSums {
			e.spreadSums(o)
		}
	}
	o.used = o.used[:0]
	e.spreadSums(o)
}

// spreadSums adds the sums to the delays of entering: one by one, or all of a bin at once where these are many.
func (e *endPairs) spreadSums(o *origin) {
	if len(e.sums) == 0 {
		return
	}
	least, most := uint64(math.MaxUint64), uint64(0)
	all := uint64(0)
	for _, s := range e.sums {
		least, most = min(least, s.time), max(most, s.time)
		all += s.count
	}
	first := least >> e.shift
	span := int(most>>e.shift-first) + 2
	// A sum takes as long as eight pairs where it is counted by bin, and two bins as long as a pair.
	single, byBin := len(e.sums)*len(o.up), 8*len(e.sums)+len(o.up)*span/2
	if all > math.MaxUint32 || len(o.up) > manyCuts || single <= byBin {
		e.added += uint64(single)
		e.addSingly(o)
	} else {
		e.added += uint64(byBin)
		e.addByBin(o, first, span)
	}
	e.sums = e.sums[:0]
}

func (e *endPairs) addSingly(o *origin) {
	bins, shift := e.bins, e.shift&63
	for _, u := range o.up {
		for _, s := range e.sums {
			bins[(s.time+u.time)>>shift] += u.count * s.count
		}
	}
}

// addByBin adds the sums, which lie in bins from first on. It takes the delays of entering by rising remainder. With
// each, more sums reach one bin further, and the sums of a bin are counted there.
func (e *endPairs) addByBin(o *origin, first uint64, span int) {
	if len(o.cuts) == 0 {
		o.cut(e.shift)
	}
	shift, above := e.shift&63, o.above&63
	mask := uint64(1)<<shift - 1
	e.at = slices.Grow(e.at[:0], span)[:span]
	clear(e.at)
	starts := make([]int, len(o.cuts)+2)
	e.moved = slices.Grow(e.moved[:0], len(e.sums))[:len(e.sums)]
	for i := range e.sums {
		s := &e.sums[i]
		rest := s.time & mask
		k := int(o.look[rest>>above])
		for k < len(o.cuts) && rest < o.cuts[k].least {
			k++
		}
		starts[k+1]++
		bin := s.time>>shift - first
		s.time = bin<<8 | uint64(k)
		e.at[bin] += uint32(s.count)
	}
	for k := range o.cuts {
		starts[k+1] += starts[k]
	}
	place := slices.Clone(starts)
	for _, s := range e.sums {
		k := s.time & 255
		e.moved[place[k]] = s
		place[k]++
	}
	for k, c := range o.cuts {
		for _, s := range e.moved[starts[k]:starts[k+1]] {
			e.at[s.time>>8] -= uint32(s.count)
			e.at[s.time>>8+1] += uint32(s.count)
		}
		bins := e.bins[first+c.bins:]
		at := e.at[:min(span, len(bins))] // the last bin is empty unless a sum has reached it
		bins = bins[:len(at)]
		if c.count == 1 {
			for i, n := range at {
				bins[i] += uint64(n)
			}
			continue
		}
		for i, n := range at {
			bins[i] += c.count * uint64(n)
		}
	}
}

// cut sorts the delays of entering.
func (o *origin) cut(shift uint) {
	mask := uint64(1)<<shift - 1
	for _, u := range o.up {
		o.cuts = append(o.cuts, cut{mask + 1 - u.time&mask, u.time >> shift, u.count})
	}
	slices.SortFunc(o.cuts, func(a, b cut) int { return cmp.Compare(b.least, a.least) })
	o.above = max(shift, lookBits) - lookBits
	o.look = o.look[:0]
	for first := uint64(0); first <= mask; first += 1 << o.above {
		last := first + 1<<o.above - 1
		k := 0
		for k < len(o.cuts) && last < o.cuts[k].least {
			k++
		}
		o.look = append(o.look, uint8(k))
	}
}
