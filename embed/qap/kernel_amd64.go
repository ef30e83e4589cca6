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

// addProductAVX2 adds x[i] y[j] to c[i*stride+j], i < rows, j < stride, a multiple of 8.
//
//go:noescape
func addProductAVX2(c, x, y *int32, rows, stride int)

// updateAVX2 takes (x[i] - x[j])(y[i] - y[j]) from d[i*stride+j], from <= i < to, j < i, and makes least[i] the least
// of that row. It makes anything of the numbers up to the next multiple of 8 of a row.
//
//go:noescape
func updateAVX2(d, x, y, least *int32, from, to, stride int)

// firstBelowAVX2 is the first index of a number less than limit among n, a positive multiple of 8, or n.
//
//go:noescape
func firstBelowAVX2(row *int32, n int, limit int32) int
