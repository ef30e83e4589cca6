//go:build !amd64

package mapping

import "unsafe"

// distances returns the sum, over the positions in v, of their distance from b less that from a, minus the same sum
// over u. The distance is that of columns plus that of rows; a position is column | row<<8.
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

// hasCacheLineKernel is false: a cache line for each list does not pay without the instructions of amd64.
const hasCacheLineKernel = false

// distancesInLine returns distances of two lists of cacheLine positions, given by their first ones.
func distancesInLine(v, u *uint16, a, b uint16) int {
	return distances(unsafe.Slice(v, cacheLine), unsafe.Slice(u, cacheLine), a, b)
}
