package drawing

import (
	"fmt"
	"slices"
	"strings"
)

// Unit is a unit of length of drawings.
type Unit struct {
	Name   string
	Metres float64
}

// coded is a unit with the value of $INSUNITS that stands for it.
type coded struct {
	Unit
	code int
}

// unitsOf are those that can be asked for, the usual first.
var unitsOf = []coded{
	{Unit{"mm", 0.001}, 4},
	{Unit{"cm", 0.01}, 5},
	{Unit{"m", 1}, 6},
	{Unit{"in", 0.0254}, 1},
	{Unit{"ft", 0.3048}, 2},
	{Unit{"dm", 0.1}, 14},
	{Unit{"yd", 0.9144}, 10},
	{Unit{"km", 1000}, 7},
	{Unit{"mi", 1609.344}, 3},
	{Unit{"mil", 0.0254e-3}, 9},
	{Unit{"um", 1e-6}, 13},
	{Unit{"dam", 10}, 15},
	{Unit{"hm", 100}, 16},
	{Unit{"us-ft", 1200.0 / 3937}, 21},
	{Unit{"us-in", 100.0 / 3937}, 22},
}

// usualUnits is how many of them buildings are drawn in.
const usualUnits = 5

// UnitNames are the units that can be asked for, the usual first.
func UnitNames() []string {
	var out []string
	for _, u := range unitsOf {
		out = append(out, u.Name)
	}
	return out
}

func unitNamed(name string) (Unit, bool) {
	i := slices.IndexFunc(unitsOf, func(u coded) bool { return u.Name == name })
	if i < 0 {
		return Unit{}, false
	}
	return unitsOf[i].Unit, true
}

// unitOfCode is the unit of a value of $INSUNITS, the zero Unit if it stands for none.
func unitOfCode(code int) Unit {
	for _, u := range unitsOf {
		if u.code == code {
			return u.Unit
		}
	}
	return Unit{}
}

// likely says in which of the usual units something of the given extent, in the file's coordinates, would be as large
// as
// a building; "" if in none.
func likely(w, h float64, but Unit) string {
	const least, most = 5, 300 // metres, the longer side
	var out []string
	for _, u := range unitsOf[:usualUnits] {
		if l := max(w, h) * u.Metres; l >= least && l <= most && u.Unit != but {
			out = append(out, fmt.Sprintf("%s (%.4g m by %.4g m)", u.Name, w*u.Metres, h*u.Metres))
		}
	}
	return strings.Join(out, " or ")
}
