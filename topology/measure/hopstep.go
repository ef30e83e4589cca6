package measure

import "math/bits"

// line holds a bit for each of the sources that are searched together. It
// fills a cache line.
type line [lineWords]uint64

const lineWords = 8

const (
	// arcsAhead is how many arcs ahead a step fetches lines.
	arcsAhead = 32
	// rowsAhead is how many vertices ahead a look around fetches lines.
	rowsAhead = 8
)

// step is a step of a search for all sources of a block, at vertices that
// follow each other: those reached within one hop more.
type step struct {
	now, next []line // sources that reached each vertex before, and with the step
	full      *line  // sources that can reach the vertices
	in        *arcs
	begin     int32 // the vertices are begin ... end-1
	end       int32
}

// stepped is what a step counts.
type stepped struct {
	reached int64 // pairs of sources and vertices that have just met
	lacking int64 // pairs that have not met yet
	work    int64 // words that have changed, times the arcs of their vertex
}

// advancePlain collects at every vertex what its neighbours had.
func (s *step) advancePlain() stepped {
	var p stepped
	now, full := s.now, s.full
	for v := s.begin; v < s.end; v++ {
		old := &now[v]
		lacks := full[0]&^old[0] | full[1]&^old[1] | full[2]&^old[2] | full[3]&^old[3] |
			full[4]&^old[4] | full[5]&^old[5] | full[6]&^old[6] | full[7]&^old[7]
		if lacks == 0 {
			s.next[v] = *old
			continue
		}
		a0, a1, a2, a3, a4, a5, a6, a7 := old[0], old[1], old[2], old[3], old[4], old[5], old[6], old[7]
		tails := s.in.of(v)
		for _, u := range tails {
			x := &now[u]
			a0 |= x[0]
			a1 |= x[1]
			a2 |= x[2]
			a3 |= x[3]
			a4 |= x[4]
			a5 |= x[5]
			a6 |= x[6]
			a7 |= x[7]
		}
		s.next[v] = line{a0, a1, a2, a3, a4, a5, a6, a7}
		fresh := s.next[v].without(old)
		lack := full.without(&s.next[v])
		p.reached += int64(fresh.ones())
		p.lacking += int64(lack.ones())
		p.work += int64(bits.OnesCount8(fresh.mask())) * int64(len(tails))
	}
	return p
}

// uncoveredPlain lists the vertices that lack a source which none of their
// neighbours from begin on has in next: it puts them into rows, which is to have
// room for all, and returns how many they are.
func (s *step) uncoveredPlain(rows []int32) int {
	n := 0
	for v := s.begin; v < s.end; v++ {
		lack := s.full.without(&s.next[v])
		tails := s.in.of(v)
		for i := len(tails) - 1; i >= 0 && lack != (line{}); i-- {
			if u := tails[i]; u >= s.begin {
				lack = lack.without(&s.next[u])
			}
		}
		if lack != (line{}) {
			rows[n] = v
			n++
		}
	}
	return n
}

// without is the sources of x that are not in y.
func (x *line) without(y *line) line {
	return line{
		x[0] &^ y[0], x[1] &^ y[1], x[2] &^ y[2], x[3] &^ y[3],
		x[4] &^ y[4], x[5] &^ y[5], x[6] &^ y[6], x[7] &^ y[7],
	}
}

// mask is the words of x that are not zero, as bits.
func (x *line) mask() uint8 {
	var m uint8
	for k, word := range x {
		m |= uint8((word|-word)>>63) << k
	}
	return m
}

// ones is the number of sources in x.
func (x *line) ones() int {
	return bits.OnesCount64(x[0]) + bits.OnesCount64(x[1]) + bits.OnesCount64(x[2]) + bits.OnesCount64(x[3]) +
		bits.OnesCount64(x[4]) + bits.OnesCount64(x[5]) + bits.OnesCount64(x[6]) + bits.OnesCount64(x[7])
}
