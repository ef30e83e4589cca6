package racklist

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/units"
)

// Bounds within which numbers without a unit are metres: halls are smaller than farthestPlain, and racks stand in
// groups of some, nearer to each other than loneliest, but not all within a rack's width.
const (
	farthestPlain units.Length = 100
	loneliest     units.Length = 20
	narrowest     units.Length = 0.45
)

// otherUnits are units that people may have meant, with what they are in metres.
var otherUnits = []struct {
	name string
	in   units.Length
}{{"mm", 1e-3}, {"cm", 1e-2}, {"in", 0.0254}, {"ft", 0.3048}}

// metres refuses positions without a unit that would put racks farther from each other than in any hall, or nearer than
// they are wide, if they were metres.
func (r *reader) metres() {
	var least, most [2]units.Length
	at := make([][2]units.Length, 0, len(r.Racks))
	for _, rack := range r.Racks {
		if rack.X == nil || rack.Y == nil {
			return
		}
		p := [2]units.Length{*rack.X, *rack.Y}
		if len(at) == 0 {
			least, most = p, p
		}
		for i := range p {
			least[i], most[i] = min(least[i], p[i]), max(most[i], p[i])
		}
		at = append(at, p)
	}
	across := max(most[0]-least[0], most[1]-least[1])
	pitch := units.Length(math.Inf(1))
	for _, first := range []int{0, 1} {
		slices.SortFunc(at, func(p, q [2]units.Length) int {
			return cmp.Or(cmp.Compare(p[first], q[first]), cmp.Compare(p[1-first], q[1-first]))
		})
		for i := 1; i < len(at); i++ {
			d := math.Hypot(float64(at[i][0]-at[i-1][0]), float64(at[i][1]-at[i-1][1]))
			if d > 0 {
				pitch = min(pitch, units.Length(d))
			}
		}
	}
	wrong := ""
	switch {
	case len(at) > 1 && across < narrowest && across > 0:
		wrong = fmt.Sprintf("all racks would stand within %v", across.Round4())
	case len(at) > 1 && pitch > loneliest && across > 0:
		wrong = fmt.Sprintf("every rack would stand %v or more from the others", pitch.Round4())
	case across > farthestPlain:
		wrong = fmt.Sprintf("racks would stand up to %v apart", across.Round4())
	case max(most[0], most[1]) > farthestPlain:
		wrong = fmt.Sprintf("the racks would stand %v from the corner of the room", max(most[0], most[1]).Round4())
	default:
		return
	}
	meant := "m"
	for _, u := range otherUnits {
		if d := pitch * u.in; d >= narrowest && d <= 1.6 {
			meant = u.name
			break
		}
		if math.IsInf(float64(pitch), 1) && max(most[0], most[1])*u.in <= farthestPlain { // one rack
			meant = u.name
			break
		}
	}
	r.line = r.Racks[0].line
	r.fail(max(r.Racks[0].at[X], 1), "x and y without a unit are metres, and %s\nwrite the unit, such as %s %s, or "+
		"name "+
		"the columns x_%s and y_%s", wrong, number(*r.Racks[0].X), meant, meant, meant)
}

// number is a length in metres without its unit.
func number(l units.Length) string { return fmt.Sprintf("%.10g", float64(l)) }
