package racklist

import (
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/units"
)

// netboxOuter has the outer size and the maximum weight in the row of a rack in a table of NetBox. The units have
// columns of their own, which can come after those of the numbers.
type netboxOuter struct {
	width, depth, maxWeight float64 // 0 if not stated
	unit, weightUnit        string  // "" if not stated
}

// outerUnits are the units of outer sizes in NetBox, in metres, and weightUnits those of weights, in kilograms. The
// empty string is for a table that states no unit.
var (
	outerUnits  = map[string]units.Length{"": 1e-3, "mm": 1e-3, "millimeters": 1e-3, "in": 0.0254, "inches": 0.0254}
	weightUnits = map[string]units.Mass{
		"": 1, "kg": 1, "kilograms": 1, "g": 1e-3, "grams": 1e-3, "lb": 0.45359237, "pounds": 0.45359237,
		"oz": 0.028349523125, "ounces": 0.028349523125,
	}
)

// isNetBoxTable reports whether heads, the names of all columns, are from a table of racks as NetBox imports or exports
// it.
func isNetBoxTable(heads []string) bool {
	return csvtable.Has(heads, "name", "site") && (csvtable.Has(heads, "u_height") || csvtable.Has(heads, "height"))
}

// hasPlaces reports whether a table of NetBox has columns for the places of racks, which NetBox itself does not know: x
// and y, or position with row or with location (a column of NetBox). Otherwise it records a mistake, which ends the
// reading.
func (r *reader) hasPlaces(heads []string) bool {
	has := func(column Column) bool {
		return slices.ContainsFunc(heads, func(head string) bool {
			of, ok := withUnit[head]
			return head == columnNames[column] || ok && of.column == column
		})
	}
	if has(Position) && (has(Row) || csvtable.Has(heads, "location")) || has(X) && has(Y) {
		return true
	}
	r.header = []heading{{column: -1}}
	r.fail(1, "this is a table of racks of NetBox, which does not tell where on the floor they stand\n"+
		"add the columns x_m and y_m, or row and position; where location is the row, position is enough")
	return false
}

// netboxHeading returns the meaning of a column in a table of NetBox; h is its meaning in a list. NetBox's columns
// type, weight and reserved_for differ from those of a list and are ignored; a type of racks is in rack_type, a weight
// in weight_kg or max_weight. The column location is the row if the table has a position and no row. The other columns
// of a list keep their meaning, and the other columns of NetBox are ignored.
func netboxHeading(h heading, name string, heads []string) heading {
	switch name {
	case "u_height", "height":
		return heading{column: Units}
	case "rack_type":
		return heading{column: Type}
	case "location":
		if csvtable.Has(heads, "position") && !csvtable.Has(heads, "row") {
			return heading{column: -1, netbox: name}
		}
		return heading{column: -1, netbox: "other"}
	case "status", "outer_width", "outer_depth", "outer_unit", "max_weight", "weight_unit":
		return heading{column: -1, netbox: name}
	case "type", "weight", "width", "reserved_for":
		// The form factor of the rack, its own weight and the width between its rails, such as 19 inches.
		return heading{column: -1, netbox: "other"}
	}
	if h.column < 0 {
		return heading{column: -1, netbox: "other"}
	}
	return h
}

// netboxValue reads a value of a column with heading.netbox set into the rack of the line.
func (r *reader) netboxValue(h heading, f field) {
	o := &r.rack.outer
	size := func(v *float64) {
		if f.text == "" || f.text == "—" {
			return
		}
		n, err := strconv.ParseFloat(f.text, 64)
		if err != nil || !(n >= 0 && n < 1e6) {
			r.fail(f.at, "%q is not a number", clip(f.text))
		}
		*v = n
	}
	switch h.netbox {
	case "status":
		r.rack.Reserved = r.rack.Reserved || strings.EqualFold(f.text, "reserved")
	case "location":
		// NetBox accepts any text. Row A becomes the row Row-A.
		text := strings.Trim(strings.Map(func(c rune) rune {
			if rackName.MatchString(string(c)) || strings.ContainsRune("-._", c) {
				return c
			}
			return '-'
		}, f.text), "-._")
		if text != "" {
			r.rack.at[Row] = f.at
			r.value(heading{column: Row}, field{text, f.at})
		}
	case "outer_width":
		size(&o.width)
	case "outer_depth":
		size(&o.depth)
	case "outer_unit":
		o.unit = strings.ToLower(f.text)
		if _, ok := outerUnits[o.unit]; !ok {
			r.fail(f.at, "the unit %q is neither mm nor in", clip(f.text))
		}
	case "max_weight":
		size(&o.maxWeight)
	case "weight_unit":
		o.weightUnit = strings.ToLower(f.text)
		if _, ok := weightUnits[o.weightUnit]; !ok {
			r.fail(f.at, "the unit %q is none of kg, g, lb and oz", clip(f.text))
		}
	}
}

// netboxLimits sets the weight that a rack bears to the max_weight of the table of NetBox, if that states one, at the
// end of its line, when the unit is known.
func (r *reader) netboxLimits() {
	if o := &r.rack.outer; o.maxWeight > 0 {
		r.rack.Weight = units.Mass(o.maxWeight) * weightUnits[o.weightUnit]
	}
}

// sizeTolerance accepts rounded sizes, such as 24 inches (609.6 mm) for 600 mm.
const sizeTolerance units.Length = 0.011

// outerMismatch returns how the outer size of rack i in a table of NetBox differs from that of its type, as part of a
// message: "0.8 m wide, and a NAME is 0.6 m". It returns "" if the sizes agree within sizeTolerance or the table states
// none.
func (l *List) outerMismatch(i int, base *Known) string {
	o := &l.Racks[i].outer
	in := outerUnits[o.unit]
	for _, d := range []struct {
		what      string
		is, other units.Length
	}{{"wide", units.Length(o.width) * in, base.Width}, {"deep", units.Length(o.depth) * in, base.Depth}} {
		if d.is > 0 && (d.is-d.other).Abs() > sizeTolerance {
			return d.is.Round4().String() + " " + d.what + ", and a " + base.Name + " is " + d.other.String()
		}
	}
	return ""
}
