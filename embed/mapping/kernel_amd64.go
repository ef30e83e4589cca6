package mapping

import "golang.org/x/sys/cpu"

// distances returns the sum, over the positions in v, of their distance from b less that from a, minus the same sum
// over u. The distance is that of columns plus that of rows; a position is column | row<<8. The two lengths are
// multiples of listWord, or 0, and may differ: callers fill lists up with 0 and correct for it. None of this is
// checked.
//
//go:noescape
func distances(v, u []uint16, a, b uint16) int

// hasCacheLineKernel is whether the processor has the instructions of distancesInLine, which must not be called without
// them.
var hasCacheLineKernel = cpu.X86.HasAVX512BW

// distancesInLine returns distances of two lists of cacheLine positions, given by their first ones.
//
//go:noescape
func distancesInLine(v, u *uint16, a, b uint16) int
