package mapping

import "slices"

// Blocks returns placements, to start from, of the points of a lattice on a w x h grid of equal places (see Grid): the
// ways to give each dimension to one axis of the grid, cut it into equal blocks, and fold the rings (all or none), such
// that every place gets one block of at most capacity points. It returns at most 65 of them, and none if there is no
// such way. Point v has coordinates v = c0 + dims[0] * (c1 + ...).
func Blocks(dims []int, wraps func(d int) bool, w, h, capacity int) [][]int32 {
	const most = 64
	var starts [][]int32
	n := 1
	for _, side := range dims {
		n *= side
	}
	// cut[d] is the number of blocks along dimension d, axis[d] its axis.
	cut, axis := make([]int, len(dims)), make([]int, len(dims))
	var choose func(d, x, y int)
	choose = func(d, x, y int) {
		if len(starts) >= most {
			return
		}
		if d == len(dims) {
			if x == 1 && y == 1 {
				for _, fold := range []bool{false, true} {
					if s := blockStart(n, dims, cut, axis, fold, wraps, w, h, capacity); s != nil {
						starts = append(starts, s)
					}
				}
			}
			return
		}
		for _, a := range []int{0, 1} {
			left := x
			if a == 1 {
				left = y
			}
			for c := min(dims[d], left); c >= 1; c-- {
				if dims[d]%c != 0 || left%c != 0 || a == 1 && c == 1 {
					continue
				}
				cut[d], axis[d] = c, a
				if a == 0 {
					choose(d+1, x/c, y)
				} else {
					choose(d+1, x, y/c)
				}
			}
		}
	}
	choose(0, w, h)
	return starts
}

// blockStart returns the start in which dimension d is cut into cut[d] blocks along axis[d] (0 for x, 1 for y); nil if
// its blocks are too large for a place. Several dimensions on one axis count like digits, the first slowest.
func blockStart(n int, dims, cut, axis []int, fold bool, wraps func(int) bool, w, h, capacity int) []int32 {
	block := n
	for _, c := range cut {
		block /= c
	}
	if block > capacity {
		return nil
	}
	rank := make([][]int, len(dims))
	for d, c := range cut {
		rank[d] = make([]int, c)
		for i := range c {
			rank[d][i] = i
			if fold && wraps(d) { // 0, c-1, 1, c-2, ... side by side
				rank[d][i] = min(2*i, 2*(c-i)-1)
			}
		}
	}
	place := make([]int32, n)
	for v := range place {
		var at [2]int
		rest := v
		for d, side := range dims {
			i := rest % side / (side / cut[d])
			rest /= side
			at[axis[d]] = at[axis[d]]*cut[d] + rank[d][i]
		}
		place[v] = int32(at[0] + w*at[1])
	}
	return slices.Clip(place)
}
