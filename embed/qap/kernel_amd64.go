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

// differencesAVX2 makes flow that to r less that to s, and distance that to s less that to r, n each, a positive
// multiple of 8. It returns how many flows differ.
//
//go:noescape
func differencesAVX2(flowR, flowS, nearR, nearS *int16, flow, distance *int32, n int) int

// sumBothAVX2 makes both[v] the product of row v of near with flowR and that of row v of flow with nearR; rows is a
// multiple of 4, the numbers of a row one of 16.
//
//go:noescape
func sumBothAVX2(near, flow, nearR, flowR *int16, both *int32, rows, stride int)

// renewAVX2 makes
//
//	anewR = both - ownR - own + 2 flowR nearR
//	anewS = before - both + own + ownR - cost + 2 (flowS (nearS - nearR) - flowR nearS)
//
// and adds flow distance to own.
//
//go:noescape
func renewAVX2(n *renewal)

// updateAVX2 takes (x[i] - x[j])(y[i] - y[j]) from d[i*stride+j], from <= i < to, j < i, and makes least[i] the least
// of that row. It makes anything of the numbers up to the next multiple of 8 of a row.
//
//go:noescape
func updateAVX2(d, x, y, least *int32, from, to, stride int)

// belowAVX2 has bit i set where row[i] is less than limit, for n numbers, 1 to 64; bits up to the next multiple of 8
// tell of the numbers behind them.
//
//go:noescape
func belowAVX2(row *int32, n int, limit int32) uint64

// leastAVX2 is the least of n numbers, a positive multiple of 8.
//
//go:noescape
func leastAVX2(row *int32, n int) int32
