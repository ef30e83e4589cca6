package qap

import "math"

// assign gives each of n rows a column of its own such that the sum of the
// costs is least, by shortest augmenting paths (R. Jonker and A. Volgenant, "A
// shortest augmenting path algorithm for dense and sparse linear assignment
// problems", Computing 38, 1987): O(n^3).
func assign(n int, cost []int64) (columns []int, sum int64) {
	const none = -1
	rowPrice, columnPrice := make([]int64, n), make([]int64, n)
	columns = make([]int, n)
	rowOf, from := make([]int, n), make([]int, n)
	slack, reached := make([]int64, n), make([]bool, n)
	for j := range n {
		rowOf[j] = none
	}
	for i := range n {
		for j := range n {
			slack[j], reached[j], from[j] = math.MaxInt64, false, none
		}
		row, last := i, none // the row to leave from, and its column
		for {
			next, least := none, int64(math.MaxInt64)
			for j := range n {
				if reached[j] {
					continue
				}
				if c := cost[row*n+j] - rowPrice[row] - columnPrice[j]; c < slack[j] {
					slack[j], from[j] = c, last
				}
				if slack[j] < least {
					next, least = j, slack[j]
				}
			}
			rowPrice[i] += least
			for j := range n {
				if reached[j] {
					rowPrice[rowOf[j]] += least
					columnPrice[j] -= least
				} else {
					slack[j] -= least
				}
			}
			reached[next] = true
			last = next
			if row = rowOf[next]; row == none {
				break
			}
		}
		for last != none { // shift the path by one
			before := from[last]
			if before == none {
				rowOf[last] = i
			} else {
				rowOf[last] = rowOf[before]
			}
			last = before
		}
	}
	for j, i := range rowOf {
		columns[i] = j
		sum += cost[i*n+j]
	}
	return columns, sum
}
