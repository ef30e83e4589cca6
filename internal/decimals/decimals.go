// Package decimals writes numbers with few decimals, of which drawings and tables have millions, several times as fast
// as strconv, digit for digit as that does.
package decimals

import (
	"math"
	"strconv"
)

// mostPlaces is the most that are written without strconv.
const mostPlaces = 9

var scales = [mostPlaces + 1]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9}

// AppendRounded appends v, rounded to so many places as math.Round does (half away from 0), without zeros at the end:
// strconv.AppendFloat(b, math.Round(v*scale)/scale, 'f', -1, 64), scale being that power of ten.
//
// A number of at most 15 digits is the shortest that reads as the float nearest to it, which that division is.
func AppendRounded(b []byte, v float64, places int) []byte {
	scale := math.Pow10(places)
	n := math.Round(v * scale)
	if places < 0 || places > mostPlaces || n == 0 || !(math.Abs(n) < 1e15) {
		return strconv.AppendFloat(b, n/scale, 'f', -1, 64)
	}
	return appendScaled(b, n < 0, uint64(math.Abs(n)), places)
}

// AppendFixed appends v as strconv.AppendFloat(b, v, 'f', places, 64) does, without zeros at the end: rounded from its
// exact value. What rounds to 0 is 0, without a sign.
func AppendFixed(b []byte, v float64, places int) []byte {
	if places >= 0 && places <= mostPlaces {
		x := math.Abs(v) * scales[places]
		whole := math.Floor(x)
		// The product is off by less than a thousandth, so that only what is near a half needs to be known better.
		if rest := x - whole; x < 1e12 && math.Abs(rest-0.5) > 1e-3 {
			if rest > 0.5 {
				whole++
			}
			if whole == 0 {
				return append(b, '0')
			}
			return appendScaled(b, v < 0, uint64(whole), places)
		}
	}
	from := len(b)
	b = strconv.AppendFloat(b, v, 'f', places, 64)
	if places > 0 && !math.IsInf(v, 0) && !math.IsNaN(v) {
		b = trimZeros(b)
	}
	if string(b[from:]) == "-0" {
		b = append(b[:from], '0')
	}
	return b
}

// appendScaled appends n with so many of its digits behind the point.
func appendScaled(b []byte, negative bool, n uint64, places int) []byte {
	if negative {
		b = append(b, '-')
	}
	for places > 0 && n%10 == 0 {
		n /= 10
		places--
	}
	if places == 0 {
		return strconv.AppendUint(b, n, 10)
	}
	scale := uint64(scales[places])
	b = append(strconv.AppendUint(b, n/scale, 10), '.')
	b = append(b, "000000000"[:places]...)
	for i, rest := len(b)-1, uint32(n%scale); rest > 0; i-- {
		b[i] = byte('0' + rest%10)
		rest /= 10
	}
	return b
}

// trimZeros cuts off zeros behind a point, and the point behind which there is nothing.
func trimZeros(b []byte) []byte {
	for b[len(b)-1] == '0' {
		b = b[:len(b)-1]
	}
	if b[len(b)-1] == '.' {
		b = b[:len(b)-1]
	}
	return b
}
