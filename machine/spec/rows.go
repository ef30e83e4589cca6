package spec

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/lazyregexp"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/units"
)

// Rows is how many rows a room has, or what each of them is like.
type Rows struct {
	Count int // of rows that are alike; 0 for as many as are needed
	List  []Row
}

// Row is the entry of one row of racks in room.rows.
type Row struct {
	Name  string        `yaml:"name,omitempty" json:"name,omitempty" letters:"64"`
	Racks int           `yaml:"racks,omitempty" json:"racks,omitempty" jsonschema:"minimum=1" most:"10000"`
	X     *units.Length `yaml:"x,omitempty" json:"x,omitempty" most:"10000"`
	Y     *units.Length `yaml:"y,omitempty" json:"y,omitempty" most:"10000"`

	Turned   *bool       `yaml:"turned,omitempty" json:"turned,omitempty"`
	Types    []RowType   `yaml:"types,omitempty" json:"types,omitempty"`
	Reserved []Positions `yaml:"reserved,omitempty" json:"reserved,omitempty"`
	For      string      `yaml:"reserved_for,omitempty" json:"reserved_for,omitempty"`
	// Spare is set for a row that racks take only where the rows before it do not hold them all.
	Spare bool `yaml:"spare,omitempty" json:"spare,omitempty"`
}

// RowType is positions of a row whose racks are of a type of the room.
type RowType struct {
	Positions Positions `yaml:"positions" json:"positions"`
	Type      string    `yaml:"type" json:"type"`
}

// RackType is a type of rack in addition to the rack part of the room. Rows name the positions that have it.
type RackType struct {
	Name   string      `yaml:"name" json:"name" letters:"64"`
	Part   string      `yaml:"part" json:"part"`
	Power  units.Power `yaml:"power,omitempty" json:"power,omitempty"`
	Weight units.Mass  `yaml:"weight,omitempty" json:"weight,omitempty"`
	For    []string    `yaml:"for,omitempty" json:"for,omitempty"`
}

// Positions is a position of a row, or a range of them: "3", "7-9".
type Positions string

var positionRange = lazyregexp.New(`^([1-9][0-9]{0,6})(?:-([1-9][0-9]{0,6}))?$`)

// Stretch returns the positions as a range. Ok is false if the text is not a position or a range of them.
func (p Positions) Stretch() (s layout.Stretch, ok bool) {
	m := positionRange.FindStringSubmatch(string(p))
	if m == nil {
		return s, false
	}
	s.First, _ = strconv.Atoi(m[1])
	if s.Last = s.First; m[2] != "" {
		s.Last, _ = strconv.Atoi(m[2])
	}
	return s, s.First <= s.Last
}

// Written implements strictyaml.Alternative: a list is the rows one by one, anything else their number.
func (r *Rows) Written(tag string) (target any, take func()) {
	if tag == "!!seq" {
		return &r.List, func() {}
	}
	return &r.Count, func() {}
}

// value returns the list of rows, or their number where there is no list.
func (r Rows) value() any {
	if r.List != nil {
		return r.List
	}
	return r.Count
}

// MarshalYAML writes a number or a list.
func (r Rows) MarshalYAML() (any, error) { return r.value(), nil }

// MarshalJSON writes a number or a list.
func (r Rows) MarshalJSON() ([]byte, error) { return json.Marshal(r.value()) }

// IsZero reports whether nothing is said about the rows.
func (r Rows) IsZero() bool { return r.Count == 0 && r.List == nil }

// Number is the number of rows, 0 where it is not given.
func (r *Rows) Number() int {
	if r.List != nil {
		return len(r.List)
	}
	return r.Count
}

// layoutRows converts the listed rows for package layout; nil where only their number is given.
func (r *Room) layoutRows() []layout.RowSpec {
	racks := r.RacksPerRow
	var out []layout.RowSpec
	for _, row := range r.Rows.List {
		l := layout.RowSpec{Name: row.Name, Racks: row.Racks, X: row.X, Y: row.Y, Turned: row.Turned, For: row.For}
		l.Spare = row.Spare
		if l.Racks == 0 {
			l.Racks = racks
		}
		for _, p := range row.Reserved {
			if s, ok := p.Stretch(); ok {
				l.Reserved = append(l.Reserved, s)
			}
		}
		for _, t := range row.Types {
			if s, ok := t.Positions.Stretch(); ok {
				l.Types = append(l.Types, layout.TypeStretch{Stretch: s, Type: 1 + r.typeNumber(t.Type)})
			}
		}
		out = append(out, l)
	}
	return out
}

// typeNumber returns the index of a type of racks by its name, -1 if there is none.
func (r *Room) typeNumber(name string) int {
	return slices.IndexFunc(r.RackTypes, func(t RackType) bool { return t.Name == name })
}

// Named returns a room that has only what the names of rows and positions depend on.
func (r *Room) Named() *layout.RoomSpec {
	return &layout.RoomSpec{Rows: r.Rows.Number(), PerRow: r.RacksPerRow, List: r.layoutRows()}
}

// mostRows is the most rows of a list.
const mostRows = 10000

// checkRowTypes checks the stretches of a row whose racks are of a type of their own.
func (s *Spec) checkRowTypes(report Reporter, at string, row *Row, racks int) {
	var names []string
	for _, t := range s.Room.RackTypes {
		names = append(names, t.Name)
	}
	for k, t := range row.Types {
		path := diag.Elem(at+".types", k)
		switch stretch, ok := t.Positions.Stretch(); {
		case !ok:
			report(path+".positions", "%q is not a position, nor a range of them\nwrite 3 or 7-9", string(t.Positions))
		case racks > 0 && stretch.Last > racks:
			report(path+".positions", "the row has only %d positions", racks)
		}
		if s.Room.typeNumber(t.Type) < 0 && !s.NamesLost("room.rack_types", len(names)) {
			report(path+".type", "there is no type %q under room.rack_types\n%s", t.Type,
				diag.Suggest(t.Type, names, "it is one of "))
		}
	}
}

// checkRackTypes checks types of racks, as far as is possible without knowing the kinds of boxes.
func (s *Spec) checkRackTypes(report Reporter) {
	r := &s.Room
	if len(r.RackTypes) > mostRackTypes {
		report("room.rack_types", "%d types of racks are more than %d", len(r.RackTypes), mostRackTypes)
		return
	}
	if len(r.RackTypes) > 0 && r.Rows.List == nil && r.RackList == "" {
		report("room.rack_types", "no row says which of its racks are of a type\nlist the rows with their types: "+
			"rows: [{racks: 12, types: [{positions: 5-6, type: %s}]}]", r.RackTypes[0].Name)
	}
	for i, t := range r.RackTypes {
		at := diag.Elem("room.rack_types", i)
		if t.Name == "" {
			report(at+".name", "every type needs a name")
		} else if j := r.typeNumber(t.Name); j < i {
			report(at+".name", "type %d is called %s too", j+1, t.Name)
		}
	}
}

// mostRackTypes is the most types of racks of a room.
const mostRackTypes = 32

// rowName is what a row may be called: its racks are called by it and their numbers.
var rowName = lazyregexp.New(`^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$`)

// checkRows checks the listed rows: numbers of racks, names, reserved positions and types. What depends on the size of
// racks is checked when the room is laid out.
func (s *Spec) checkRows(report Reporter) {
	r := &s.Room
	if len(r.Rows.List) > mostRows {
		report("room.rows", "%d rows are more than %d", len(r.Rows.List), mostRows)
		return
	}
	named := r.Named()
	names := map[string]int{}
	for i, row := range r.Rows.List {
		at := diag.Elem("room.rows", i)
		racks := named.List[i].Racks
		if racks == 0 {
			report(at+".racks", "missing\nwrite how many rack positions the row has, or racks_per_row for all rows")
		}
		name := named.RowName(i)
		switch {
		case row.Name != "" && !rowName.MatchString(row.Name):
			report(at+".name", "%q is not the name of a row\nuse letters, digits and -._ between them", row.Name)
		case names[name] > 0:
			report(at+".name", "row %d is called %s too\ngive every row a name of its own", names[name], name)
		}
		names[name] = i + 1
		if row.For != "" && len(row.Reserved) == 0 {
			report(at+".reserved_for", "no position is reserved\nlist them: reserved: [3, 7-9]")
		}
		switch {
		case row.Spare && i == 0:
			report(at+".spare", "the first row cannot be spare\nleave spare out of it: racks stand there first")
		case row.Spare && len(r.Halls) > 0:
			report(at+".spare", "rows of halls cannot be spare\nleave spare out")
		case !row.Spare && i > 0 && r.Rows.List[i-1].Spare:
			report(at, "row %s is not spare, and the row before it is\nwrite spare: true in all rows after the first "+
				"spare row", name)
		}
		s.checkRowTypes(report, at, &row, racks)
		for k, p := range row.Reserved {
			switch stretch, ok := p.Stretch(); {
			case !ok:
				report(diag.Elem(at+".reserved", k), "%q is not a position, nor a range of them\nwrite 3 or 7-9",
					string(p))
			case racks > 0 && stretch.Last > racks:
				report(diag.Elem(at+".reserved", k), "the row has only %d positions", racks)
			}
		}
	}
}
