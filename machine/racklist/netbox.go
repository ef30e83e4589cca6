package racklist

import (
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/units"
)

// netboxOuter is what a table of racks of NetBox says of the size of a rack, as long as its unit is not known.
type netboxOuter struct {
	width, depth, weight float64 // 0 where it does not tell
	unit, weightUnit     string
}

// outerUnits are the units of the outer size of racks in NetBox, in metres, and weightUnits those of weights in
// kilograms; the first is that of a table that does not tell.
var (
	outerUnits  = map[string]units.Length{"": 1e-3, "mm": 1e-3, "millimeters": 1e-3, "in": 0.0254, "inches": 0.0254}
	weightUnits = map[string]units.Mass{
		"": 1, "kg": 1, "kilograms": 1, "g": 1e-3, "grams": 1e-3, "lb": 0.45359237, "pounds": 0.45359237,
		"oz": 0.028349523125, "ounces": 0.028349523125,
	}
)

// isNetBoxColumn reports whether names of columns are those of a table of racks of NetBox, as it imports or exports it.
func isNetBoxColumn(heads []string) bool {
	return csvtable.Has(heads, "name", "site") && (csvtable.Has(heads, "u_height") || csvtable.Has(heads, "height"))
}

// tellsPlaces reports whether a table of NetBox has columns that say where racks stand, which NetBox itself does not
// know, and refuses it otherwise.
func (r *reader) tellsPlaces(heads []string) bool {
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

// netboxHeading is what a column is in a table of NetBox: that of a list, or one of NetBox's own.
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
		return heading{column: -1, netbox: "other"} // the form of a rack, its own weight, 19 inches
	}
	if h.column < 0 {
		return heading{column: -1, netbox: "other"}
	}
	return h
}

// netboxValue reads a value of NetBox's own.
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
		// NetBox takes any text, such as Row A.
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
		size(&o.weight)
	case "weight_unit":
		o.weightUnit = strings.ToLower(f.text)
		if _, ok := weightUnits[o.weightUnit]; !ok {
			r.fail(f.at, "the unit %q is none of kg, g, lb and oz", clip(f.text))
		}
	}
}

// netboxLimits has a rack of NetBox bear what the table says.
func (r *reader) netboxLimits() {
	if o := &r.rack.outer; o.weight > 0 {
		r.rack.Weight = units.Mass(o.weight) * weightUnits[o.weightUnit]
	}
}

// fits refuses a rack of NetBox whose outer size is not that of its type.
func (l *List) fits(i int, base *Known) string {
	o := &l.Racks[i].outer
	in := outerUnits[o.unit]
	for _, d := range []struct {
		what      string
		is, other units.Length
	}{{"wide", units.Length(o.width) * in, base.Width}, {"deep", units.Length(o.depth) * in, base.Depth}} {
		if d.is > 0 && (d.is-d.other).Abs() > 0.011 {
			return d.is.Round4().String() + " " + d.what + ", and a " + base.Name + " is " + d.other.String()
		}
	}
	return ""
}
