package delay

import (
	"cmp"
	"math"
	"slices"
)

const (
	// fewPairs is how many delays of ends a pair of vertices has at most for them to
	// be counted one by one.
	fewPairs = 4
	// lookBits is the number of bits of a rest that are looked up in a table.
	lookBits = 12
	// fullCounters is how many counters of four bytes there are at most before they are spread over the bins.
	fullCounters = 24 << 20
	// manyTables is how many lists of ends of sources are kept apart.
	manyTables = 32
)

// endPairs counts pairs of ends by delay. Many ends hang on a vertex, at few different
// delays, and all pairs of ends at two vertices have the same way between these. So
// the ways are counted, each once, by bin and by what they leave over of a bin: as finely
// as it takes to know into which bin they come together with any delay of two ends.
// spread does that for all ways of a bin at once.
type endPairs struct {
	bins   []uint64
	shift  uint
	downs  [][]bundle
	tables []*upTable // of sources by the delays of their ends
	now    *upTable

	waiting  []*waitingWays // by number of the delays of ends
	waits    []uint32       // those that there are
	at       [wayTile]int32 // counters
	counted  int            // since they were spread
	counters int
}

// upTable is the ways from vertices whose ends have the same delays.
type upTable struct {
	up     []bundle
	byDown []*wayTable // to vertices by the number of the delays of their ends
}

// wayTable counts ways by bin and by part of the bin.
type wayTable struct {
	ends  []endPair
	cuts  []uint64 // where the parts of a bin end, the last beyond all
	look  []uint16 // the first part that a rest may lie in, by its highest bits
	above uint     // bits of a rest below these
	page  []int32  // by bin: which of the counters is its first, counted from one
	bins  []uint32 // those that have counters, in turn
	// counters of the parts of these bins
	counters []uint32
}

// endPair is the delay of an end left and an end entered, in whole bins and the parts whose
// ways come into the next bin by the rest.
type endPair struct {
	bins   uint64
	later  int
	number uint64
}

// waitingWays is ways that are to be counted together.
type waitingWays struct {
	times [wayTile]uint64
	size  int
}

// wayTile is the number of ways that are counted together.
const wayTile = 128

// wait counts a way of a delay, to a vertex whose ends have the delays of that number, with others later.
func (e *endPairs) wait(time uint64, down uint32) {
	w := e.waiting[down]
	if w == nil {
		w = new(waitingWays)
		e.waiting[down] = w
		e.waits = append(e.waits, down)
	}
	w.times[w.size] = time
	if w.size++; w.size == wayTile {
		e.add(w.times[:], down)
		w.size = 0
	}
}

// from prepares for the ways from vertices with ends of the given delays.
func (e *endPairs) from(up []bundle) {
	if e.now != nil && slices.Equal(e.now.up, up) {
		return
	}
	e.countWaiting()
	for _, t := range e.tables {
		if slices.Equal(t.up, up) {
			e.now = t
			return
		}
	}
	if len(e.tables) == manyTables {
		e.spreadCounted()
		e.release()
	}
	e.now = &upTable{slices.Clone(up), make([]*wayTable, len(e.downs))}
	e.tables = append(e.tables, e.now)
}

// countWaiting counts the ways that wait.
func (e *endPairs) countWaiting() {
	for _, down := range e.waits {
		if w := e.waiting[down]; w.size > 0 {
			e.add(w.times[:w.size], down)
			w.size = 0
		}
	}
}

// newEndPairs counts into bins.
func newEndPairs(bins []uint64, shift uint, downs [][]bundle) endPairs {
	return endPairs{bins: bins, shift: shift, downs: downs, waiting: make([]*waitingWays, len(downs))}
}

// add counts ways of some delays, wayTile at most, to vertices whose ends have the delays of that number.
func (e *endPairs) add(times []uint64, down uint32) {
	up, to := e.now.up, e.downs[down]
	if len(up)*len(to) <= fewPairs {
		for _, u := range up {
			for _, d := range to {
				ends, number := u.time+d.time, u.count*d.count
				for _, time := range times {
					e.bins[(time+ends)>>e.shift] += number
				}
			}
		}
		return
	}
	t := e.now.byDown[down]
	if t == nil {
		t = newWayTable(up, to, e.shift, len(e.bins))
		e.now.byDown[down] = t
	}
	at := &e.at // all are found before any is counted up, so that the processor can fetch many at once
	shift, above := e.shift&63, t.above&63
	mask, look, cuts, page := uint64(1)<<shift-1, t.look, t.cuts, t.page
	for i, time := range times {
		bin, rest := time>>shift, time&mask
		part := int32(look[rest>>above])
		for rest >= cuts[part] {
			part++
		}
		first := page[bin]
		if first == 0 {
			first = t.open(bin)
			e.counters += len(t.cuts)
		}
		at[i] = first - 1 + part
	}
	counters := t.counters
	for _, i := range at[:len(times)] {
		counters[i]++
	}
	if e.counted += len(times); e.counters > fullCounters || e.counted > math.MaxUint32-wayTile {
		e.spreadCounted()
	}
}

// open gives a bin its counters.
func (t *wayTable) open(bin uint64) int32 {
	first := len(t.counters)
	t.bins = append(t.bins, uint32(bin))
	t.counters = slices.Grow(t.counters, len(t.cuts))[:first+len(t.cuts)]
	clear(t.counters[first:])
	t.page[bin] = int32(first + 1)
	return t.page[bin]
}

// newWayTable prepares to count ways between vertices with ends of given delays.
func newWayTable(up, down []bundle, shift uint, bins int) *wayTable {
	n := len(up) * len(down)
	t := &wayTable{ends: make([]endPair, 0, n), cuts: make([]uint64, 0, n)}
	if kept, ok := pagePool.Get().(*[fineBins]int32); ok && bins == fineBins {
		t.page = kept[:]
	} else {
		t.page = make([]int32, bins)
	}
	mask := uint64(1)<<shift - 1
	sums := make([]bundle, 0, n)
	for _, u := range up {
		for _, d := range down {
			sums = append(sums, bundle{u.time + d.time, u.count * d.count})
		}
	}
	slices.SortFunc(sums, func(a, b bundle) int { return cmp.Compare(a.time, b.time) })
	for i, s := range sums {
		if i > 0 && sums[i-1].time == s.time {
			t.ends[len(t.ends)-1].number += s.count
			continue
		}
		t.ends = append(t.ends, endPair{bins: s.time, number: s.count})
		if rest := s.time & mask; rest > 0 {
			t.cuts = append(t.cuts, mask+1-rest)
		}
	}
	slices.Sort(t.cuts)
	t.cuts = append(slices.Compact(t.cuts), math.MaxUint64)
	for i := range t.ends {
		p := &t.ends[i]
		p.later = len(t.cuts)
		if rest := p.bins & mask; rest > 0 {
			cut, _ := slices.BinarySearch(t.cuts, mask+1-rest)
			p.later = cut + 1
		}
		p.bins >>= shift
	}
	t.above = max(shift, lookBits) - lookBits
	t.look = make([]uint16, 0, mask>>t.above+1)
	part := 0
	for first := uint64(0); first <= mask; first += 1 << t.above {
		for t.cuts[part] <= first { // a cut is the first of the next part
			part++
		}
		t.look = append(t.look, uint16(part))
	}
	return t
}

// release gives up the tables, which have been spread: their pages are empty.
func (e *endPairs) release() {
	for _, of := range e.tables {
		for _, t := range of.byDown {
			if t != nil && len(t.page) == fineBins {
				pagePool.Put((*[fineBins]int32)(t.page))
			}
		}
	}
	e.tables, e.now = e.tables[:0], nil
}

// spread brings what was counted into the bins.
func (e *endPairs) spread() {
	e.countWaiting()
	e.spreadCounted()
}

func (e *endPairs) spreadCounted() {
	e.counted, e.counters = 0, 0
	for _, of := range e.tables {
		for _, t := range of.byDown {
			if t != nil {
				t.spread(e.bins)
			}
		}
	}
}

func (t *wayTable) spread(bins []uint64) {
	parts := len(t.cuts)
	for i, bin := range t.bins {
		page := t.counters[i*parts : (i+1)*parts]
		for part := 1; part < len(page); part++ {
			page[part] += page[part-1]
		}
		all := page[len(page)-1]
		for _, p := range t.ends {
			at, sooner := uint64(bin)+p.bins, page[p.later-1]
			bins[at] += p.number * uint64(sooner)
			if sooner < all {
				bins[at+1] += p.number * uint64(all-sooner)
			}
		}
		t.page[bin] = 0
	}
	t.bins, t.counters = t.bins[:0], t.counters[:0]
}
