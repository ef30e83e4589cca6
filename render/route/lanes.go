package route

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// mostLanes is the most runs of cables that have lanes of their own.
const mostLanes = 400

// axis is a line along x or y, at a tenth of a millimetre.
type axis struct {
	along int // 0 for a line along x, 1 along y
	at    int64
}

// part is a piece of a line along an axis.
type part struct {
	axis
	from, to int64
}

// tenths is a coordinate in tenths of a millimetre, so that what lies on one line is found.
func tenths(v float64) int64 { return int64(math.Round(v * 1e4)) }

// partOf is the piece between two points; false where it runs along no axis.
func partOf(a, b [2]float64) (part, bool) {
	x0, y0, x1, y1 := tenths(a[0]), tenths(a[1]), tenths(b[0]), tenths(b[1])
	switch {
	case y0 == y1:
		return part{axis{0, y0}, min(x0, x1), max(x0, x1)}, true
	case x0 == x1:
		return part{axis{1, x0}, min(y0, y1), max(y0, y1)}, true
	}
	return part{}, false
}

// Lanes puts runs beside each other so that none covers another. It returns the lane of each run, 0 in the middle, 1
// and -1 beside it, or nil if they need more than most lanes or there are more than 400 runs (mostLanes).
func (c *Runs) Lanes(most int) []int {
	if len(c.Runs) > mostLanes {
		return nil
	}
	type taken struct {
		lane     int
		from, to int64
	}
	on := map[axis][]taken{}
	out := make([]int, len(c.Runs))
	for i := range c.Runs {
		var parts []part
		points := c.Runs[i].Points
		for k := 1; k < len(points); k++ {
			if p, ok := partOf(points[k-1], points[k]); ok {
				parts = append(parts, p)
			}
		}
		n := 0
		for ; n < most; n++ {
			free := !slices.ContainsFunc(parts, func(p part) bool {
				return slices.ContainsFunc(on[p.axis], func(t taken) bool {
					return t.lane == n && t.from < p.to && p.from < t.to
				})
			})
			if free {
				break
			}
		}
		if n == most {
			return nil
		}
		for _, p := range parts {
			on[p.axis] = append(on[p.axis], taken{n, p.from, p.to})
		}
		out[i] = (n + 1) / 2
		if n%2 == 1 {
			out[i] = -out[i]
		}
	}
	return out
}

// Stretch is a piece of a line with as many cables of each class all along it.
type Stretch struct {
	From, To [2]float64 // metres of the floor
	Cables   []int64    // of each class
	// Beyond is how many cables lie on the stretch with which this one makes a corner where it begins and where it
	// ends: its band goes on half as far as that one is wide, which fills the corner. It is 0 where a stretch goes on
	// straight, or at right angles to both sides.
	Beyond [2]int64
}

// Total is the cables of all classes.
func (s *Stretch) Total() int64 { return Sum(s.Cables) }

// Stretches sums runs up: pieces of the floor's lines on which the same cables run. The legend and the drawing share
// one result, which callers must not change.
func (c *Runs) Stretches() []Stretch {
	c.summed.Do(func() { c.stretches = c.sumStretches() })
	return c.stretches
}

func (c *Runs) sumStretches() []Stretch {
	type change struct {
		at    int64
		class int
		by    int64
	}
	on := map[axis][]change{}
	slanted := map[[4]int64]*Stretch{}
	for i := range c.Runs {
		run := &c.Runs[i]
		for k := 1; k < len(run.Points); k++ {
			a, b := run.Points[k-1], run.Points[k]
			if p, ok := partOf(a, b); ok {
				on[p.axis] = append(on[p.axis], change{p.from, run.Class, run.Cables},
					change{p.to, run.Class, -run.Cables})
				continue
			}
			if cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) > 0 {
				a, b = b, a
			}
			key := [4]int64{tenths(a[0]), tenths(a[1]), tenths(b[0]), tenths(b[1])}
			if slanted[key] == nil {
				slanted[key] = &Stretch{From: a, To: b, Cables: make([]int64, len(c.Classes))}
			}
			slanted[key].Cables[run.Class] += run.Cables
		}
	}
	var out []Stretch
	for _, line := range slices.SortedFunc(maps.Keys(on), func(a, b axis) int {
		return cmp.Or(cmp.Compare(a.along, b.along), cmp.Compare(a.at, b.at))
	}) {
		changes := on[line]
		slices.SortFunc(changes, func(a, b change) int { return cmp.Compare(a.at, b.at) })
		now, first := make([]int64, len(c.Classes)), len(out)
		for i := 0; i < len(changes); {
			at := changes[i].at
			for ; i < len(changes) && changes[i].at == at; i++ {
				now[changes[i].class] += changes[i].by
			}
			if i == len(changes) || !slices.ContainsFunc(now, func(n int64) bool { return n > 0 }) {
				continue
			}
			s := Stretch{Cables: slices.Clone(now)}
			from, to, across := float64(at)/1e4, float64(changes[i].at)/1e4, float64(line.at)/1e4
			s.From, s.To = [2]float64{from, across}, [2]float64{to, across}
			if line.along == 1 {
				s.From, s.To = [2]float64{across, from}, [2]float64{across, to}
			}
			if n := len(out); n > first && out[n-1].To == s.From && slices.Equal(out[n-1].Cables, s.Cables) {
				out[n-1].To = s.To
				continue
			}
			out = append(out, s)
		}
	}
	findCorners(out)
	order := slices.SortedFunc(maps.Keys(slanted), func(a, b [4]int64) int { return slices.Compare(a[:], b[:]) })
	for _, key := range order {
		out = append(out, *slanted[key])
	}
	return out
}

// findCorners sets Beyond of stretches along the axes.
func findCorners(sums []Stretch) {
	type end struct{ x, y int64 }
	most := map[end]*[2][2]int64{} // the most cables of those that leave along x and along y, forwards and backwards
	ends := func(s *Stretch, visit func(end int, axis int, at *[2][2]int64)) {
		axis := 0
		if s.From[0] == s.To[0] {
			axis = 1
		}
		for i, p := range [...][2]float64{s.From, s.To} {
			key := end{tenths(p[0]), tenths(p[1])}
			if most[key] == nil {
				most[key] = new([2][2]int64)
			}
			visit(i, axis, most[key])
		}
	}
	for i := range sums {
		ends(&sums[i], func(end, axis int, at *[2][2]int64) {
			at[axis][end] = max(at[axis][end], sums[i].Total())
		})
	}
	for i := range sums {
		ends(&sums[i], func(end, axis int, at *[2][2]int64) {
			if at[axis][1-end] == 0 && min(at[1-axis][0], at[1-axis][1]) == 0 {
				sums[i].Beyond[end] = max(at[1-axis][0], at[1-axis][1])
			}
		})
	}
}
