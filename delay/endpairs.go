package delay

import (
	"cmp"
	"math"
	"slices"
)

const (
	// fewPairs is the number of pairs of end delays up to which a pair of vertices is counted immediately.
	fewPairs = 4
	// waySlots is the size of the hash table of ways, a power of two; with fullWays ways it is full.
	waySlots = 1 << 14
	fullWays = waySlots / 2
	// fullSums is the number of sums of a way and a delay of leaving that are collected before they are counted.
	fullSums = 1 << 16
	// manyCuts is the highest number of delays of entering with which sums are counted by bin.
	manyCuts = math.MaxUint8
	// manyOrigins is the number of origins whose ways are collected at the same time.
	manyOrigins = 32
	// lookBits is the number of bits of a remainder that index origin.look.
	lookBits = 12
)

// endPairs counts pairs of ends by delay, in bins. An end is a terminal with a single link, or a vertex itself if it
// injects. The delay of a pair is the sum of three delays: of entering the network at the source, of the way between
// the two vertices, and of leaving the network at the target. Nothing is stored for a pair of vertices. Equal ways from
// sources whose ends have the same delays of entering (an origin) are counted together, then added to each delay of
// leaving; these sums are counted by bin, and the counts of all bins are added up once for each delay of entering. The
// remainders of a sum and of a delay of entering decide whether their sum falls one bin further, so that every pair is
// counted in its exact bin.
type endPairs struct {
	bins  []uint64   // the result: number of pairs in each bin
	shift uint       // binary logarithm of the width of a bin
	downs [][]bundle // lists of the delays of leaving of a vertex's ends, by number

	origins []*origin    // at most manyOrigins
	now     *origin      // that of the present source
	sums    []countedSum // collected sums of a way and a delay of leaving
	moved   []countedSum // sums, sorted by the first cut that they reach
	at      []uint32     // number of sums by bin
	added   uint64       // number of additions so far
}

// steps returns the work of the spread methods so far, in the unit of Options.Work.
func (e *endPairs) steps() uint64 { return e.added / 4 }

// origin collects the ways from all sources whose ends have the same delays of entering.
type origin struct {
	up    []bundle // these delays
	cuts  []cut    // up as cuts, by falling field least
	look  []uint8  // by the highest lookBits bits of a remainder: the index of the first cut that it may reach
	above uint     // number of the lower bits of a remainder

	ways []countedWay // hash table; a count of 0 marks a free place
	used []uint32     // taken places of ways
}

// cut is a delay of entering, prepared for counting by bin.
type cut struct {
	least uint64 // the lowest remainder of a sum with which the total falls one bin further
	bins  uint64 // the delay in whole bins
	count uint64 // number of ends with this delay
}

// countedWay is a number of ways of the same delay to vertices whose ends have the same delays of leaving.
type countedWay struct {
	time  uint64 // the delay
	down  uint32 // index in endPairs.downs
	count uint32
}

// countedSum is a number of equal sums of the delay of a way and a delay of leaving.
type countedSum struct {
	time, count uint64
}

// newEndPairs returns an endPairs that counts into bins of width 1<<shift.
func newEndPairs(bins []uint64, shift uint, downs [][]bundle) endPairs {
	return endPairs{bins: bins, shift: shift, downs: downs}
}

// from selects the origin of the following calls of wait: sources whose ends have the given delays of entering.
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
	} else { // the oldest origin is counted and used again
		e.spreadWays(e.origins[0])
		e.now = e.origins[0]
		e.origins = append(e.origins[1:], e.now)
	}
	e.now.up, e.now.cuts = append(e.now.up[:0], up...), e.now.cuts[:0]
}

// wait adds a way of the given delay from the selected origin to a vertex whose ends have the delays of leaving
// downs[down]. The pairs may be counted only later, by countAll.
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

// countAll counts all collected ways in the bins.
func (e *endPairs) countAll() {
	for _, o := range e.origins {
		e.spreadWays(o)
	}
}

// spreadWays counts the collected ways of an origin in the bins.
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

// spreadSums counts the collected sums with each delay of entering in the bins: one by one, or all sums of a bin at
// once if that takes less work.
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
	// Work in the unit of one pair: counting by bin takes eight units for each sum, and half a unit for each bin.
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

// addSingly counts every pair of a sum and a delay of entering.
func (e *endPairs) addSingly(o *origin) {
	bins, shift := e.bins, e.shift&63
	for _, u := range o.up {
		for _, s := range e.sums {
			bins[(s.time+u.time)>>shift] += u.count * s.count
		}
	}
}

// addByBin counts the sums, which lie in bins from first on, bin by bin. It takes the delays of entering by rising
// remainder: with each, more of the sums fall one bin further, and are moved there before the bins are added up.
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

// cut fills in cuts and look.
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
