package measure

import "math/bits"

// line holds a bit for each of the sources that are searched together. It
// fills a cache line.
type line [lineWords]uint64

const lineWords = 8

// pullAhead is how many arcs ahead a pull fetches lines.
const pullAhead = 32

// lines is the state of a search at every vertex.
type lines struct {
	cur, nxt []line  // sources that reached it in the last step and in this one
	seen     []line  // those that have reached it so far
	nxtMask  []uint8 // words of nxt that are not zero
	full     line    // all sources
}

// pulled is what a pull counts.
type pulled struct {
	reached int64 // pairs of sources and vertices that have just met
	work    int64 // words that pushing the new frontier would write
}

// pullPlain collects at every vertex the frontier of the arcs that enter it.
func pullPlain(s *lines, in, out *arcs) pulled {
	var p pulled
	cur, nxt, mask, full := s.cur, s.nxt, s.nxtMask, s.full
	for v := range s.seen {
		seen, fresh := &s.seen[v], &nxt[v]
		lacks := full[0]&^seen[0] | full[1]&^seen[1] | full[2]&^seen[2] | full[3]&^seen[3] |
			full[4]&^seen[4] | full[5]&^seen[5] | full[6]&^seen[6] | full[7]&^seen[7]
		if lacks == 0 {
			*fresh, mask[v] = line{}, 0
			continue
		}
		var a0, a1, a2, a3, a4, a5, a6, a7 uint64
		for _, u := range in.of(int32(v)) {
			x := &cur[u]
			a0 |= x[0]
			a1 |= x[1]
			a2 |= x[2]
			a3 |= x[3]
			a4 |= x[4]
			a5 |= x[5]
			a6 |= x[6]
			a7 |= x[7]
		}
		*fresh = line{
			a0 &^ seen[0], a1 &^ seen[1], a2 &^ seen[2], a3 &^ seen[3],
			a4 &^ seen[4], a5 &^ seen[5], a6 &^ seen[6], a7 &^ seen[7],
		}
		m := nonZero(fresh)
		mask[v] = m
		if m == 0 {
			continue
		}
		for k := range seen {
			seen[k] |= fresh[k]
		}
		p.reached += int64(onesCount(fresh))
		p.work += int64(bits.OnesCount8(m)) * (out.first[v+1] - out.first[v])
	}
	return p
}

func onesCount(x *line) int {
	return bits.OnesCount64(x[0]) + bits.OnesCount64(x[1]) + bits.OnesCount64(x[2]) + bits.OnesCount64(x[3]) +
		bits.OnesCount64(x[4]) + bits.OnesCount64(x[5]) + bits.OnesCount64(x[6]) + bits.OnesCount64(x[7])
}
