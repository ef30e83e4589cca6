//go:build !amd64

package topology

import "unsafe"

// gatherLines sets into to the union of the lines that n tails stand for.
func gatherLines(into *line, lines *line, tails *int32, n int) {
	var a0, a1, a2, a3, a4, a5, a6, a7 uint64
	for _, u := range unsafe.Slice(tails, n) {
		x := (*line)(unsafe.Add(unsafe.Pointer(lines), uintptr(u)*unsafe.Sizeof(*lines)))
		a0 |= x[0]
		a1 |= x[1]
		a2 |= x[2]
		a3 |= x[3]
		a4 |= x[4]
		a5 |= x[5]
		a6 |= x[6]
		a7 |= x[7]
	}
	*into = line{a0, a1, a2, a3, a4, a5, a6, a7}
}
