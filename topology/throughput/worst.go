package throughput

import (
	"context"
	"math"
	"math/bits"
	"runtime"
)

// cores returns the number of processors that the program may use.
func cores() int { return runtime.GOMAXPROCS(0) }

// worstPermutation returns the greatest sum of demand times distance of a permutation of the ends, where the demand of
// a pair is the ports of the end that has fewer.
//
// It is a matching of greatest weight between ends that send and ends that receive, found by the primal-dual method in
// phases, in which all free senders have the same price: that of H. W. Kuhn, "The Hungarian method for the assignment
// problem", Naval Research Logistics Quarterly 2, 1955, where each phase matches as many as can be along tight pairs at
// once, by the method of J. E. Hopcroft and R. M. Karp, SIAM Journal on Computing 2 (4), 1973. Weights are small whole
// numbers, so there are few phases.
func (n *network) worstPermutation(ctx context.Context, apart *matrix) (int64, error) {
	a, err := worstAssignment(ctx, n, apart)
	if err != nil {
		return 0, err
	}
	return a.sum(), nil
}

// worstAssignment computes the matching of greatest weight that worstPermutation describes.
func worstAssignment(ctx context.Context, n *network, apart *matrix) (*assignment, error) {
	a := newAssignment(n, apart)
	for a.free > 0 && a.price > 0 {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		a.tighten()
		a.augment()
		if a.free > 0 {
			a.lower()
		}
	}
	return a, nil
}

// sum is demand times distance of all that are matched.
func (a *assignment) sum() int64 {
	sum := int64(0)
	for u, v := range a.to {
		if v >= 0 {
			sum += a.weight(u, int(v)) * a.unit
		}
	}
	return sum
}

// assignment is the state of the primal-dual method. Senders are rows, receivers columns.
type assignment struct {
	n     *network
	apart *matrix
	unit  int64 // of demand: all weights are multiples of it

	to, from   []int32 // whom a row is matched with, and a column; -1 for none
	free       int     // rows that are not matched
	row        []int64 // prices, each pair's of at least its weight
	column     []int64
	price      int64 // of the free rows
	words      int
	tight      []uint64   // of each row, the columns where prices are the weight
	level      []int32    // of rows from the free ones, -1 for those out of reach
	beyond     [][]uint64 // of each level, columns whose row is of the next, or at the last free ones
	unseen     []uint64   // columns out of reach
	rows, next []int32
}

func newAssignment(n *network, apart *matrix) *assignment {
	side := len(n.ends)
	words := (side + 63) / 64
	a := &assignment{
		n: n, apart: apart, to: make([]int32, side), from: make([]int32, side), free: side,
		row: make([]int64, side), column: make([]int64, side), words: words, tight: make([]uint64, side*words),
		level: make([]int32, side), unseen: make([]uint64, words),
	}
	for _, e := range n.ends {
		a.unit = divisor(e.ports, a.unit)
	}
	for u := range side {
		a.to[u], a.from[u] = -1, -1
		for v := range side {
			a.price = max(a.price, a.weight(u, v))
		}
	}
	for u := range side {
		a.row[u] = a.price
	}
	return a
}

// divisor returns the greatest common divisor.
func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func (a *assignment) weight(u, v int) int64 {
	return int64(a.apart.of[u*a.apart.side+v]) * (min(a.n.ends[u].ports, a.n.ends[v].ports) / a.unit)
}

// tighten notes the pairs whose prices are their weight.
func (a *assignment) tighten() {
	clear(a.tight)
	for u := range a.to {
		tight := a.tight[u*a.words:][:a.words]
		for v, price := range a.column {
			if a.row[u]+price == a.weight(u, v) {
				tight[v>>6] |= 1 << (v & 63)
			}
		}
	}
}

// augment matches as many rows as can be along tight pairs, by shortest alternating paths.
func (a *assignment) augment() {
	for a.layer() {
		for u := range a.to {
			if a.to[u] < 0 && a.extend(u) {
				a.free--
			}
		}
	}
}

// layer numbers the rows by their distance from the free ones along alternating paths, up to the first free column. It
// reports whether there is one.
func (a *assignment) layer() bool {
	for i := range a.unseen {
		a.unseen[i] = math.MaxUint64
	}
	if over := len(a.to) & 63; over != 0 {
		a.unseen[a.words-1] = 1<<over - 1
	}
	a.rows = a.rows[:0]
	for u := range a.to {
		a.level[u] = -1
		if a.to[u] < 0 {
			a.level[u] = 0
			a.rows = append(a.rows, int32(u))
		}
	}
	found := false
	for at := int32(0); len(a.rows) > 0 && !found; at++ {
		if len(a.beyond) <= int(at) {
			a.beyond = append(a.beyond, make([]uint64, a.words))
		}
		matched, free := a.beyond[at], make([]uint64, a.words)
		clear(matched)
		a.next = a.next[:0]
		for _, u := range a.rows {
			for i, b := range a.tight[int(u)*a.words:][:a.words] {
				b &= a.unseen[i]
				a.unseen[i] &^= b
				for ; b != 0; b &= b - 1 {
					v := i<<6 + bits.TrailingZeros64(b)
					bit := uint64(1) << (v & 63)
					if w := a.from[v]; w >= 0 {
						matched[i] |= bit
						a.level[w] = at + 1
						a.next = append(a.next, w)
					} else {
						free[i] |= bit
						found = true
					}
				}
			}
		}
		if found {
			copy(matched, free)
		}
		a.rows, a.next = a.next, a.rows
	}
	return found
}

// extend finds an alternating path from a row on, from level to level, and matches along it.
func (a *assignment) extend(u int) bool {
	beyond := a.beyond[a.level[u]]
	for i, b := range a.tight[u*a.words:][:a.words] {
		for b &= beyond[i]; b != 0; b = a.tight[u*a.words+i] & beyond[i] {
			v := i<<6 + bits.TrailingZeros64(b)
			beyond[i] &^= 1 << (v & 63) // no other path leads there
			if w := a.from[v]; w < 0 || a.extend(int(w)) {
				a.to[u], a.from[v] = int32(v), int32(u)
				return true
			}
		}
	}
	return false
}

// lower lowers the prices of the rows within reach of free ones, and raises those of the columns, until another pair
// becomes tight or free rows have a price of 0: they are then matched with no matter whom.
func (a *assignment) lower() {
	a.layer() // there is no free column, so it goes to the end
	step := a.price
	for u := range a.to {
		if a.level[u] < 0 {
			continue
		}
		for v, price := range a.column {
			if a.unseen[v>>6]&(1<<(v&63)) != 0 {
				step = min(step, a.row[u]+price-a.weight(u, v))
			}
		}
	}
	for u := range a.to {
		if a.level[u] >= 0 {
			a.row[u] -= step
		}
	}
	for v := range a.column {
		if a.unseen[v>>6]&(1<<(v&63)) == 0 {
			a.column[v] += step
		}
	}
	a.price -= step
}
