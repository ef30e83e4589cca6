//go:build !amd64

package mapping

import "unsafe"

// distances is the sum, over the positions of v, of their distance from b less that from a, less the same over those of
// u. A position is a column and a row << 8.
func distances(v, u []uint16, a, b uint16) int {
	distance := func(p, q uint16) int { return manhattan(int(p&0xff)-int(q&0xff), int(p>>8)-int(q>>8)) }
	sum := 0
	for _, p := range v {
		sum += distance(p, b) - distance(p, a)
	}
	for _, p := range u {
		sum -= distance(p, b) - distance(p, a)
	}
	return sum
}

// hasCacheLineKernel says that a cache line for each list does not pay here.
const hasCacheLineKernel = false

// distancesInLine is distances where both lists have cacheLine positions.
func distancesInLine(v, u *uint16, a, b uint16) int {
	return distances(unsafe.Slice(v, cacheLine), unsafe.Slice(u, cacheLine), a, b)
}
