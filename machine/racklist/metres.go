package racklist

import (
	"cmp"
	"fmt"
	"maps"
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
	inFeet := ""
	if r.pitchInFeet() {
		inFeet = "ft"
	}
	switch {
	case inFeet != "":
		wrong = "the racks of rows would stand 2 m apart, which is the pitch of 600 mm racks in feet"

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
	meant := cmp.Or(inFeet, "m")
	for _, u := range otherUnits {
		if inFeet != "" {
			break
		}
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

// pitchInFeet reports whether positions without a unit look like those of racks of 600 mm (2 ft) side by side in feet:
// most neighbours in lines are 2 apart, none nearer, and the lines 6 or more, as rows with their aisles are in feet. In
// metres no racks of a row would touch, and between all rows would be room for another one.
func (r *reader) pitchInFeet() bool {
	const pitch, near, rows = 2, 0.01, 6
	for axis := range 2 {
		lines := map[units.Length][]units.Length{}
		for _, rack := range r.Racks {
			p := [2]units.Length{*rack.X, *rack.Y}
			lines[p[1-axis]] = append(lines[p[1-axis]], p[axis])
		}
		pairs, even, least := 0, 0, units.Length(math.Inf(1))
		across := slices.Sorted(maps.Keys(lines))
		for i := 1; i < len(across); i++ {
			if across[i]-across[i-1] < rows {
				across = nil
				break
			}
		}
		if len(across) < 2 {
			continue
		}
		for _, line := range lines {
			if len(line) < 3 {
				continue
			}
			slices.Sort(line)
			for i := 1; i < len(line); i++ {
				d := line[i] - line[i-1]
				pairs, least = pairs+1, min(least, d)
				if math.Abs(float64(d-pitch)) < near {
					even++
				}
			}
		}
		if pairs > 0 && even*4 >= pairs*3 && least > pitch-near {
			return true
		}
	}
	return false
}

// number is a length in metres without its unit.
func number(l units.Length) string { return fmt.Sprintf("%.10g", float64(l)) }
