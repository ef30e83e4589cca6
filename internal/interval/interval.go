// Package interval is about the confidence in means of a few measurements.
package interval

import (
	"math"
	"slices"
)

// Mean is the mean of independent measurements and half the width of its 95 % confidence interval, by Student's
// distribution; 0 of fewer than two, which do not tell how far they are off.
func Mean(x []float64) (mean, half float64) {
	n := float64(len(x))
	if n == 0 {
		return 0, 0
	}
	if slices.Min(x) == slices.Max(x) { // exactly, where a sum is rounded
		return x[0], 0
	}
	for _, v := range x {
		mean += v
	}
	mean /= n
	sum := 0.0
	for _, v := range x {
		sum += (v - mean) * (v - mean)
	}
	return mean, student(len(x)-1) * math.Sqrt(sum/(n-1)/n)
}

// student is the 97.5 % quantile of Student's distribution: of up to 20 degrees of freedom from a table, of more by the
// first terms of its expansion in their inverse (M. Abramowitz and I. Stegun, Handbook of Mathematical Functions, 1964,
// 26.7.5).
func student(freedom int) float64 {
	table := []float64{
		12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
		2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
	}
	if freedom <= len(table) {
		return table[freedom-1]
	}
	const z = 1.959964 // of the normal distribution
	const first, second = (z*z*z + z) / 4, (5*z*z*z*z*z + 16*z*z*z + 3*z) / 96
	inverse := 1 / float64(freedom)
	return z + float64((first+float64(second*inverse))*inverse)
}
