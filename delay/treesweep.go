package delay

import (
	"math"
	"slices"
)

// abreast is the number of sources of a tree that are measured together.
const abreast = 16

// keysOf has the key of a vertex from each of the sources that are measured together.
type keysOf [abreast]uint64

// treeSweeper measures sources of a tree: it goes up from each source and, from the top of every part that contains the
// source, down to the leaves that no smaller part with the source contains. Sources with adjacent places are mostly in
// the same parts, so that an arc is followed for all of them at once.
type treeSweeper struct {
	*tally
	*tree
	keys   []keysOf          // by place
	kept   []keysOf          // saved keys of the tops of parts with sources
	in     []held            // the parts that contain the sources
	lanes  []uint64          // keys of all leaves, source by source
	sooner [abreast][]uint32 // by source: places from which an arc leads to a vertex sooner
	faster *corrector
	looked uint64 // number of arcs looked at for a single source
	passed uint64 // number of arcs followed for all sources at once
	// tell, if not nil, receives the keys of all leaves by place for every group, which the tally does not count then.
	tell func(g group, keys []uint64)
}

// held is a range of sources in the same part.
type held struct {
	part     int32
	from, to int // range of sources
}

func newTreeSweeper(t *tally, of *tree) *treeSweeper {
	s := &treeSweeper{
		tally: t, tree: of, keys: make([]keysOf, len(of.vertex)), lanes: make([]uint64, abreast*of.leaves),
		faster: newCorrector(of.net),
	}
	for v := range uint32(len(of.vertex)) {
		s.faster.reached = append(s.faster.reached, v)
	}
	return s
}

// run measures at most abreast groups.
func (s *treeSweeper) run(groups []group) {
	s.sweep(groups)
	for from := 0; from < s.leaves; from += tile {
		keys := s.keys[from:min(from+tile, s.leaves)]
		for b := range groups {
			lane := s.lanes[b*s.leaves+from:]
			lane = lane[:len(keys)]
			for i := range lane {
				lane[i] = keys[i][b]
			}
		}
	}
	for b, g := range groups {
		keys := s.lanes[b*s.leaves : (b+1)*s.leaves]
		if s.tell != nil {
			s.tell(g, keys)
			continue
		}
		r := s.begin(g)
		s.reach(&r, int(s.place[g.at]), keys)
		r.keepFast()
		if len(s.sooner[b]) > 0 && s.correct(g.at, b) {
			s.recordFast(&r, s.faster)
		}
		s.finish(g, &r)
	}
}

// steps returns the work so far, in the unit of Options.Work.
func (s *treeSweeper) steps() uint64 { return s.passed + s.looked + s.faster.looked }

// sweep computes the keys of all vertices; unused lanes repeat the last group.
func (s *treeSweeper) sweep(groups []group) {
	s.in = s.in[:0]
	for b := range abreast {
		leaf := s.place[groups[min(b, len(groups)-1)].at]
		s.keys[leaf][b] = 0
		s.sooner[b] = s.sooner[b][:0]
		s.in = append(s.in, held{int32(s.home[leaf]), b, b + 1})
	}
	for s.parts[s.in[0].part].parent >= 0 {
		above := s.in[:0]
		for first := 0; first < len(s.in); {
			parent := s.parts[s.in[first].part].parent
			last := first
			for last < len(s.in) && s.parts[s.in[last].part].parent == parent {
				s.rise(s.in[last])
				last++
			}
			kids := s.in[first:last]
			all := held{parent, kids[0].from, kids[len(kids)-1].to}
			s.fall(all, kids)
			above = append(above, all) // overwrites an entry of kids, which is not needed any more
			first = last
		}
		s.in = above
	}
}

// rise computes the keys of the top of a part's parent from those of its own top, for the sources in the part.
func (s *treeSweeper) rise(h held) {
	child := &s.parts[h.part]
	climbs := s.climbs[child.climb:]
	for _, v := range s.parts[child.parent].top {
		to := s.keys[v][h.from:h.to]
		for i, a := range climbs[:child.degree] {
			from := s.keys[a.from][h.from:h.to]
			for b, key := range from {
				if key += a.key; i == 0 || key < to[b] {
					to[b] = key
				}
			}
		}
		climbs = climbs[child.degree:]
	}
}

// fall computes the keys of the vertices below the top of a part, except for those in the child that contains the
// source. kids are the children that contain sources.
func (s *treeSweeper) fall(h held, kids []held) {
	p := &s.parts[h.part]
	s.kept = s.kept[:0]
	for _, kid := range kids {
		for _, v := range s.parts[kid.part].top {
			s.kept = append(s.kept, s.keys[v])
		}
	}
	whole := h.to-h.from == abreast
	s.pass(p, h.from, h.to)
	kept := s.kept
	for _, kid := range kids {
		top := s.parts[kid.part].top
		for b := kid.from; b < kid.to; b++ {
			sooner := false
			for i, v := range top {
				sooner = sooner || s.keys[v][b] < kept[i][b]
				s.keys[v][b] = kept[i][b]
			}
			if sooner { // by going up and down again into the part of the source
				s.sooner[b] = append(s.sooner[b], p.top...)
			}
		}
		kept = kept[len(top):]
	}
	if p.rank == 1 { // nothing is below the leaves
		return
	}
	for _, c := range p.children {
		i := slices.IndexFunc(kids, func(k held) bool { return k.part == c })
		switch {
		case i >= 0:
			s.descend(c, h.from, kids[i].from)
			for i < len(kids) && kids[i].part == c { // a part may hold sources of several groups
				i++
			}
			s.descend(c, kids[i-1].to, h.to)
		case whole:
			s.descend(c, 0, abreast)
		default:
			s.descend(c, h.from, h.to)
		}
	}
}

// descend computes the keys of all vertices below the top of a part, for a range of the sources.
func (s *treeSweeper) descend(part int32, from, to int) {
	p := &s.parts[part]
	if from == to || p.rank == 0 {
		return
	}
	s.pass(p, from, to)
	if p.rank == 1 {
		return
	}
	for _, c := range p.children {
		s.descend(c, from, to)
	}
}

// pass computes the keys of the tops of a part's children from those of its top, for a range of the sources.
func (s *treeSweeper) pass(p *part, from, to int) {
	for i := range s.blocks[p.blocks[0]:p.blocks[1]] {
		b := &s.blocks[p.blocks[0]+i]
		if to-from < abreast {
			for lane := from; lane < to; lane++ {
				s.passOne(b, lane)
			}
			continue
		}
		s.passed += uint64(b.heads * b.tails)
		if !s.passAll(b) {
			continue
		}
		s.passed += uint64(b.heads * b.tails)
		if s.backAll(b) {
			for lane := range abreast {
				s.lookBack(b, lane)
			}
		}
	}
}

// passPlain computes the keys of the heads of a block from those of its tails, and reports whether an arc from a head
// may lead to a tail sooner.
func (s *treeSweeper) passPlain(b *block) bool {
	tails, arcs := s.tails[b.tail:b.tail+b.tails], s.down[b.arc:]
	near := false
	for lane := 0; lane < abreast; lane += 4 {
		var most [4]uint64
		for _, t := range tails {
			from := (*[4]uint64)(s.keys[t][lane:])
			for i, key := range from {
				most[i] = max(most[i], key)
			}
		}
		row := arcs
		for v := b.head; v < b.head+b.heads; v++ {
			k0 := uint64(math.MaxUint64)
			k1, k2, k3 := k0, k0, k0
			for i, key := range row[:len(tails)] {
				from := (*[4]uint64)(s.keys[tails[i]][lane:])
				k0 = min(k0, from[0]+key)
				k1 = min(k1, from[1]+key)
				k2 = min(k2, from[2]+key)
				k3 = min(k3, from[3]+key)
			}
			row = row[len(tails):]
			*(*[4]uint64)(s.keys[v][lane:]) = [4]uint64{k0, k1, k2, k3}
			back := s.nearest[v]
			near = near || k0+back < most[0] || k1+back < most[1] || k2+back < most[2] || k3+back < most[3]
		}
	}
	return near
}

// backPlain reports whether an arc from a head of a block leads to a tail sooner.
func (s *treeSweeper) backPlain(b *block) bool {
	tails, arcs := s.tails[b.tail:b.tail+b.tails], s.back[b.arc:]
	sooner := false
	for v := b.head; v < b.head+b.heads; v++ {
		if s.nearest[v] < math.MaxInt64 {
			own := &s.keys[v]
			for i, key := range arcs[:len(tails)] {
				for lane, far := range &s.keys[tails[i]] {
					sooner = sooner || own[lane]+key < far
				}
			}
		}
		arcs = arcs[len(tails):]
	}
	return sooner
}

// passOne does the same as passPlain for one source, followed by lookBack.
func (s *treeSweeper) passOne(b *block, lane int) {
	tails, arcs := s.tails[b.tail:b.tail+b.tails], s.down[b.arc:]
	for v := b.head; v < b.head+b.heads; v++ {
		least := uint64(math.MaxUint64)
		for i, key := range arcs[:len(tails)] {
			least = min(least, s.keys[tails[i]][lane]+key)
		}
		s.keys[v][lane] = least
		arcs = arcs[len(tails):]
	}
	s.looked += uint64(b.heads * b.tails)
	s.lookBack(b, lane)
}

// lookBack adds the heads of a block from which an arc leads to a tail sooner to sooner, for one source.
func (s *treeSweeper) lookBack(b *block, lane int) {
	tails := s.tails[b.tail : b.tail+b.tails]
	most := uint64(0)
	for _, t := range tails {
		most = max(most, s.keys[t][lane])
	}
	for i := range b.heads {
		v := b.head + i
		key := s.keys[v][lane]
		if key+s.nearest[v] >= most {
			continue
		}
		s.looked += uint64(len(tails))
		for k, back := range s.back[b.arc+i*len(tails) : b.arc+(i+1)*len(tails)] {
			if key+back < s.keys[tails[k]][lane] {
				s.sooner[lane] = append(s.sooner[lane], uint32(v))
				break
			}
		}
	}
}

// reach adds the paths from a leaf to all other leaves, which have the given keys, to the results r.
func (s *treeSweeper) reach(r *row, leaf int, keys []uint64) {
	within := &s.parts[s.home[leaf]]
	for within.parent >= 0 {
		p := &s.parts[within.parent]
		s.reachRange(r, leaf, p, p.first, within.first, keys)
		s.reachRange(r, leaf, p, within.last, p.last, keys)
		within = p
	}
}

// reachRange adds the paths from a leaf to a range of others; all paths turn at the top of p.
func (s *treeSweeper) reachRange(r *row, leaf int, p *part, from, to int, keys []uint64) {
	n := s.tally.net
	own, means := s.upMean[p.rank][leaf], s.downMean[p.rank]
	for from < to {
		at := n.placeOf[s.vertex[from]]
		last := from + 1
		for last < to && n.placeOf[s.vertex[last]] == at {
			last++
		}
		place := &n.places[at]
		c := s.sumVertices(keys[from:last], means[from:last], own)
		s.addPlace(r, place, &c, uint64(2*p.rank))
		s.spreadKeys(keys[from:last], place.down)
		from = last
	}
}

// sumVertices sums up leaves with the given keys. means has the mean delays of the paths down to them, own is the
// mean delay of the paths up from the source.
func (s *treeSweeper) sumVertices(keys, means []uint64, own uint64) placeSum {
	lenBits := s.tally.net.lenBits & 63
	mask := uint64(1)<<lenBits - 1
	var least, mean, length, mostKey, mostMean, mostLength uint64
	means = means[:len(keys)]
	for i, key := range keys {
		down := means[i]
		least += key >> lenBits
		length += key & mask
		mean += down
		mostKey, mostMean, mostLength = max(mostKey, key), max(mostMean, down), max(mostLength, key&mask)
	}
	size := uint64(len(keys))
	return placeSum{
		size: size, least: least, mean: size*own + mean, length: length,
		mostLeast: mostKey >> lenBits, mostMean: own + mostMean, mostLength: mostLength,
	}
}

// spreadKeys counts the pairs of ends over ways with the given keys; the ends of the targets have the delays of leaving
// downs[down].
func (s *treeSweeper) spreadKeys(keys []uint64, down uint32) {
	lenBits := s.tally.net.lenBits & 63
	up, to := s.up, s.ends.downs[down]
	if len(up) != 1 || len(to) != 1 {
		for _, key := range keys {
			s.ends.wait(key>>lenBits, down)
		}
		return
	}
	bins, shift, beside, count := s.bins, s.shift&63, up[0].time+to[0].time, up[0].count*to[0].count
	for _, key := range keys {
		bins[(key>>lenBits+beside)>>shift] += count
	}
}

// correct finds the fastest paths of a source, starting from the vertices in sooner, and reports whether any are faster
// than the hop-minimal ones.
func (s *treeSweeper) correct(source uint32, lane int) bool {
	c, most := s.faster, uint64(0)
	c.forget()
	for i := range s.keys {
		key := s.keys[i][lane]
		c.dist[s.vertex[i]] = key
		if i < s.leaves {
			most = max(most, key)
		}
	}
	c.source, c.bound = source, most-min(most, s.faster.net.weights[0].key)
	for _, v := range s.sooner[lane] {
		c.relax(s.vertex[v])
	}
	return c.settle()
}
