package report

import "math"

// Round keeps six decimals, beyond which processors may differ.
func Round[T ~float64](x T) T { return T(math.Round(float64(x)*1e6) / 1e6) }

// roundAll rounds figures where they are.
func roundAll[T ~float64](figures ...*T) {
	for _, x := range figures {
		*x = Round(*x)
	}
}
