package qap

import "golang.org/x/sys/cpu"

// hasAVX2 says that the processor has the instructions of the kernels, which
// multiply numbers of 32 bits.
var hasAVX2 = cpu.X86.HasAVX2

// addScaledAVX2 adds x times y to row: n numbers, a positive multiple of 4; x
// and y fit 32 bits.
//
//go:noescape
func addScaledAVX2(row, y *int64, n int, x int64)

// subtractAVX2 takes (xu - x)(yu - y) from row and returns the least of it and
// low: n numbers, a positive multiple of 4; the differences fit 32 bits.
//
//go:noescape
func subtractAVX2(row, x, y *int64, n int, xu, yu, low int64) int64
