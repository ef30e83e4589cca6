//go:build !amd64

package qap

const hasAVX2 = false

func addScaledAVX2(row, y *int64, n int, x int64) { panic("not here") }

func subtractAVX2(row, x, y *int64, n int, xu, yu, low int64) int64 { panic("not here") }

func differencesAVX2(flowR, flowS, nearR, nearS *int16, flow, distance *int32, n int) int {
	panic("not here")
}

func sumBothAVX2(near, flow, nearR, flowR *int16, both *int32, rows, stride int) { panic("not here") }

func renewAVX2(n *renewal) { panic("not here") }

func updateAVX2(d, x, y, least *int32, from, to, stride int) { panic("not here") }

func belowAVX2(row *int32, n int, limit int32) uint64 { panic("not here") }

func leastAVX2(row *int32, n int) int32 { panic("not here") }
