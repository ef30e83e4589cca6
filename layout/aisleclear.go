package layout

import (
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/clip"

	"github.com/plenum-planner/plenum/units"
)

// Obstruction is a column, a wall or a keep-out that leaves too little of an aisle free.
type Obstruction struct {
	Aisle   int // index in Room.Aisles
	KeepOut int // index in Room.KeepOuts
	// Free is the widest way past it, across the aisle, where other obstacles stand beside it too.
	Free units.Length
}

// Obstructions returns what leaves less of an aisle free than RoomSpec.AisleClear, or than the width of an aisle that
// is narrower anyway. An obstacle counts as the rectangle around its part in the aisle, the floor before a door not at
// all.
func (r *Room) Obstructions() []Obstruction {
	var out []Obstruction
	for a := range r.Aisles {
		bound := r.Aisles[a].Bound
		least := min(float64(r.Spec.AisleClear), bound.Max[1]-bound.Min[1])
		var boxes []orb.Bound
		var of []int
		for i := range r.KeepOuts {
			k := &r.KeepOuts[i]
			if k.Why != DoorZone && k.covers(bound) {
				boxes, of = append(boxes, clip.Polygon(bound, k.Area.Clone()).Bound()), append(of, i)
			}
		}
		for i, b := range boxes {
			if free := widestWay(bound, b, boxes); free < least-float64(stopTolerance) {
				out = append(out, Obstruction{a, of[i], units.Length(free)})
			}
		}
	}
	return out
}

// widestWay returns the least width, along x, of the widest free stretch across an aisle beside an obstacle.
func widestWay(aisle, beside orb.Bound, boxes []orb.Bound) float64 {
	ends := []float64{beside.Min[0], beside.Max[0]}
	for _, b := range boxes {
		for _, x := range []float64{b.Min[0], b.Max[0]} {
			if x > beside.Min[0] && x < beside.Max[0] {
				ends = append(ends, x)
			}
		}
	}
	slices.Sort(ends)
	least := math.Inf(1)
	const thin = 1e-6                // metres: a difference of roundings
	for i := 1; i < len(ends); i++ { // between two ends, the same obstacles stand side by side
		if ends[i]-ends[i-1] > thin {
			least = min(least, widestGap(aisle, (ends[i-1]+ends[i])/2, boxes))
		}
	}
	return least
}

// widestGap returns the widest free stretch across an aisle at one x.
func widestGap(aisle orb.Bound, x float64, boxes []orb.Bound) float64 {
	var taken [][2]float64
	for _, b := range boxes {
		if b.Min[0] <= x && x <= b.Max[0] {
			taken = append(taken, [2]float64{b.Min[1], b.Max[1]})
		}
	}
	slices.SortFunc(taken, func(a, b [2]float64) int { return slices.Compare(a[:], b[:]) })
	widest, from := 0.0, aisle.Min[1]
	for _, t := range taken {
		widest, from = max(widest, t[0]-from), max(from, t[1])
	}
	return max(widest, aisle.Max[1]-from)
}

// AisleFloors returns the aisles as the walls of the building leave them: cut where a wall stands in an aisle, without
// the stretches that neither of its rows has a position beside.
func (r *Room) AisleFloors() []Aisle {
	var out []Aisle
	for i := range r.Aisles {
		a := r.Aisles[i]
		for _, s := range r.stretchesOf(&a) {
			a.Bound.Min[0], a.Bound.Max[0] = s[0], s[1]
			out = append(out, a)
		}
	}
	return out
}

// stretchesOf returns the ends, along x, of the parts of an aisle between walls that have a position of its rows beside
// them.
func (r *Room) stretchesOf(a *Aisle) [][2]float64 {
	x0, x1 := a.Bound.Min[0], a.Bound.Max[0]
	ends := []float64{x0, x1}
	for i := range r.KeepOuts {
		if k := &r.KeepOuts[i]; k.Why == Walled && k.covers(a.Bound) {
			b := clip.Polygon(a.Bound, k.Area.Clone()).Bound()
			ends = append(ends, b.Min[0], b.Max[0])
		}
	}
	if len(ends) == 2 {
		return [][2]float64{{x0, x1}}
	}
	slices.Sort(ends)
	beside := r.positionsBeside(a)
	var out [][2]float64
	for i := 1; i < len(ends); i++ {
		from, to := ends[i-1], ends[i]
		if !slices.ContainsFunc(beside, func(x float64) bool { return from < x && x < to }) {
			continue
		}
		if n := len(out); n > 0 && out[n-1][1] == from {
			out[n-1][1] = to
			continue
		}
		out = append(out, [2]float64{from, to})
	}
	return out
}

// positionsBeside returns the middles, along x, of the positions of the rows of an aisle, those that are reserved among
// them.
func (r *Room) positionsBeside(a *Aisle) []float64 {
	var out []float64
	for i := range r.Places {
		if p := &r.Places[i]; p.Row == a.Before || p.Row == a.After {
			out = append(out, float64(p.X))
		}
	}
	for _, l := range r.Lost {
		if l.Why == Reserved && (l.Row == a.Before || l.Row == a.After) {
			out = append(out, float64(r.boundary(l.Row, l.Number-1)+r.boundary(l.Row, l.Number))/2)
		}
	}
	return out
}
