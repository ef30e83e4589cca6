//go:build !amd64

package qap

const hasAVX2 = false

func addScaledAVX2(row, y *int64, n int, x int64) { panic("not here") }

func subtractAVX2(row, x, y *int64, n int, xu, yu, low int64) int64 { panic("not here") }

func addProductAVX2(c, x, y *int32, rows, stride int) { panic("not here") }

func updateAVX2(d, x, y, least *int32, from, to, stride int) { panic("not here") }

func firstBelowAVX2(row *int32, n int, limit int32) int { panic("not here") }
