package chart

import (
	"math"

	"gonum.org/v1/plot"
)

// axis is the range of an axis, in proportion or by its logarithms.
type axis struct {
	label    string
	lo, hi   float64
	log      bool
	integral bool     // only whole numbers make sense
	names    []string // in place of numbers, from 0
}

// logarithmic tells whether values spread so widely that their logarithms are
// drawn.
func logarithmic(lo, hi float64) bool { return lo > 0 && hi/lo > 20 }

// widen makes a range that has room around its values and is not empty.
func (a *axis) widen() {
	switch {
	case !(a.hi >= a.lo): // nothing to draw
		a.lo, a.hi = 0, 1
	case a.log:
		a.lo, a.hi = a.lo/1.25, a.hi*1.25
	default:
		room := (a.hi - a.lo) * 0.06
		if room == 0 {
			room = max(math.Abs(a.hi)*0.1, 1e-9)
		}
		if a.lo > 0 || a.lo-room < 0 && a.lo >= 0 {
			a.lo = max(0, a.lo-room)
		} else {
			a.lo -= room
		}
		a.hi += room
	}
}

// ticker has gonum/plot mark an axis: its own ticks are few and may read the same.
type ticker struct {
	axis
	most int
}

// Ticks are round values inside the range, with labels that differ.
func (t ticker) Ticks(_, _ float64) []plot.Tick {
	var out []plot.Tick
	if t.names != nil {
		for i, name := range t.names {
			out = append(out, plot.Tick{Value: float64(i), Label: name})
		}
		return out
	}
	ticks := t.ticks(t.most)
	words := labels(ticks)
	for i, v := range ticks {
		out = append(out, plot.Tick{Value: v, Label: words[i]})
	}
	return out
}

// set puts a range on an axis of gonum/plot.
func (a axis) set(to *plot.Axis, most int) {
	to.Min, to.Max, to.Label.Text = a.lo, a.hi, a.label
	to.Tick.Marker = ticker{a, most}
	if a.log {
		to.Scale = plot.LogScale{}
	}
}

// ticks are round values inside the range.
func (a *axis) ticks(most int) []float64 {
	var out []float64
	if a.log {
		for _, digits := range [][]float64{{1, 2, 5}, {1, 3}, {1}} {
			out = out[:0]
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
	unit := math.Pow(10, math.Floor(math.Log10((a.hi-a.lo)/float64(most))))
	for _, n := range []float64{1, 2, 5, 10} {
		if (a.hi-a.lo)/(n*unit) <= float64(most) {
			unit *= n
			break
		}
	}
	if a.integral {
		unit = max(unit, 1)
	}
	for i := math.Ceil(a.lo/unit - 1e-9); i*unit <= a.hi+unit*1e-9; i++ {
		out = append(out, i*unit+0) // + 0: no negative zero
	}
	return out
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
