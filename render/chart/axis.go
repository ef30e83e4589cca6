package chart

import "math"

// axis is the range of an axis, in proportion or by its logarithms.
type axis struct {
	label    string
	lo, hi   float64
	log      bool
	integral bool     // only whole numbers make sense
	names    []string // in place of numbers, from 0
}

// logarithmic reports whether values spread so widely that their logarithms are drawn.
func logarithmic(lo, hi float64) bool { return lo > 0 && hi/lo > 20 }

// alike is the share of their size by which values differ that are drawn as one: fewer digits tell them apart than a
// float64 keeps after additions.
const alike = 1e-9

// widen makes a range that has room around its values and is not empty.
func (a *axis) widen() {
	size := max(math.Abs(a.lo), math.Abs(a.hi))
	switch {
	case !(a.hi >= a.lo): // nothing to draw
		a.lo, a.hi = 0, 1
	case a.log:
		a.lo, a.hi = a.lo/1.25, a.hi*1.25
	default:
		room := (a.hi - a.lo) * 0.06
		if a.hi-a.lo <= alike*size || room < math.SmallestNonzeroFloat64*1e9 {
			room = max(size*0.1, 1e-9)
		}
		if a.lo >= 0 {
			a.lo = max(0, a.lo-room)
		} else {
			a.lo -= room
		}
		a.hi += room
	}
}

// norm is where a value is on the axis, from 0 at its lower end to 1 at its upper one.
func (a *axis) norm(v float64) float64 {
	if a.log {
		return (math.Log(v) - math.Log(a.lo)) / (math.Log(a.hi) - math.Log(a.lo))
	}
	return (v - a.lo) / (a.hi - a.lo)
}

// ticks are round values inside the range: at most as many as given, if that leaves three.
func (a *axis) ticks(most int) []float64 {
	most = max(most, 3)
	if a.log {
		if out := a.decades(most); len(out) > 2 || len(out) == 2 && a.hi/a.lo > 10 {
			return out
		}
		// within a decade, steps
	}
	steps := [...]float64{10, 5, 2, 1}
	unit := math.Pow(10, math.Floor(math.Log10((a.hi-a.lo)/float64(most))))
	var out []float64
	for _, n := range []float64{1, 2, 5, 10} {
		if (a.hi-a.lo)/(n*unit) <= float64(most) {
			out = a.multiples(n * unit)
			break
		}
	}
	for _, n := range steps { // finer ones, if there is no third tick
		if len(out) < 3 {
			out = a.multiples(n * unit)
		}
	}
	return out
}

// multiples are those of a step inside the range; of whole numbers, if nothing else makes sense.
func (a *axis) multiples(step float64) (out []float64) {
	if a.integral {
		step = max(step, 1)
	}
	for i := math.Ceil(a.lo/step - 1e-9); i*step <= a.hi+step*1e-9; i++ {
		out = append(out, i*step+0) // + 0: no negative zero
	}
	return out
}

// decades are powers of ten inside the range, with 2 and 5 or 3 times these where there is room.
func (a *axis) decades(most int) (out []float64) {
	for _, digits := range [][]float64{{1, 2, 5}, {1, 3}, {1}} {
		out = nil
		for e := math.Floor(math.Log10(a.lo)); e <= math.Ceil(math.Log10(a.hi)); e++ {
			for _, d := range digits {
				if v := d * math.Pow(10, e); v >= a.lo*(1-1e-9) && v <= a.hi*(1+1e-9) {
					out = append(out, v)
				}
			}
		}
		if len(out) <= most {
			return out
		}
	}
	return thinned(out, most)
}

// thinned leaves out values between others.
func thinned(values []float64, most int) []float64 {
	step := (len(values) + most - 1) / max(most, 1)
	var out []float64
	for i := 0; i < len(values); i += max(step, 1) {
		out = append(out, values[i])
	}
	return out
}
