package mapping

import "golang.org/x/sys/cpu"

// distances is the sum, over the positions of v, of their distance from b less that from a, less the same over those of
// u. A position is a column and a row << 8. Lengths are multiples of listWord.
//
//go:noescape
func distances(v, u []uint16, a, b uint16) int

// hasCacheLineKernel says that the processor has the instructions of distancesInLine.
var hasCacheLineKernel = cpu.X86.HasAVX512BW

// distancesInLine is distances where both lists have cacheLine positions.
//
//go:noescape
func distancesInLine(v, u *uint16, a, b uint16) int
