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

// coded is a unit with its value of $INSUNITS in DXF.
type coded struct {
	Unit
	code int
}

// unitsOf lists the units that a user can name, the usual ones of buildings first.
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

// usualUnits is the number of units at the start of unitsOf in which buildings are usually drawn.
const usualUnits = 5

// UnitNames lists the units that a user can name, the usual ones first.
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

// unitOfCode returns the unit of a value of $INSUNITS, the zero Unit for a value that means none.
func unitOfCode(code int) Unit {
	for _, u := range unitsOf {
		if u.code == code {
			return u.Unit
		}
	}
	return Unit{}
}

// likely lists the usual units, except one, in which something of w by h in coordinates of the file would be as large
// as a building, for a message; "" if there is none.
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
