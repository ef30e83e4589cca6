package spec

import (
	"encoding/json"
	"regexp"
	"strconv"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/units"
)

// Rows is how many rows a room has, or what each of them is like.
type Rows struct {
	Count int // of rows that are alike; 0 for as many as are needed
	List  []Row
}

// Row is one row of racks, as it stands.
type Row struct {
	Name  string        `yaml:"name,omitempty" json:"name,omitempty"`
	Racks int           `yaml:"racks,omitempty" json:"racks,omitempty" jsonschema:"minimum=1" most:"10000"`
	X     *units.Length `yaml:"x,omitempty" json:"x,omitempty" most:"10000"`
	Y     *units.Length `yaml:"y,omitempty" json:"y,omitempty" most:"10000"`

	Turned   *bool       `yaml:"turned,omitempty" json:"turned,omitempty"`
	Reserved []Positions `yaml:"reserved,omitempty" json:"reserved,omitempty"`
	For      string      `yaml:"reserved_for,omitempty" json:"reserved_for,omitempty"`
}

// Positions is a position of a row, or a range of them: "3", "7-9".
type Positions string

var positionRange = regexp.MustCompile(`^([1-9][0-9]{0,6})(?:-([1-9][0-9]{0,6}))?$`)

// Stretch is the positions as a layout has them.
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

// Written has a list read as rows one by one, and anything else as their number.
func (r *Rows) Written(tag string) (target any, take func()) {
	if tag == "!!seq" {
		return &r.List, func() {}
	}
	return &r.Count, func() {}
}

// written is a number or a list.
func (r Rows) written() any {
	if r.List != nil {
		return r.List
	}
	return r.Count
}

// MarshalYAML writes a number or a list.
func (r Rows) MarshalYAML() (any, error) { return r.written(), nil }

// MarshalJSON writes a number or a list.
func (r Rows) MarshalJSON() ([]byte, error) { return json.Marshal(r.written()) }

// IsZero tells whether nothing is said about the rows.
func (r Rows) IsZero() bool { return r.Count == 0 && r.List == nil }

// Number is the number of rows, 0 where it is not given.
func (r *Rows) Number() int {
	if r.List != nil {
		return len(r.List)
	}
	return r.Count
}

// Layout is the rows of a list as a layout has them; those that do not say how many racks they have get so many.
func (r *Rows) Layout(racks int) []layout.RowSpec {
	var out []layout.RowSpec
	for _, row := range r.List {
		l := layout.RowSpec{Name: row.Name, Racks: row.Racks, X: row.X, Y: row.Y, Turned: row.Turned, For: row.For}
		if l.Racks == 0 {
			l.Racks = racks
		}
		for _, p := range row.Reserved {
			if s, ok := p.Stretch(); ok {
				l.Reserved = append(l.Reserved, s)
			}
		}
		out = append(out, l)
	}
	return out
}

// named is the room as far as its positions have names.
func (r *Room) named() *layout.RoomSpec {
	return &layout.RoomSpec{Rows: r.Rows.Number(), PerRow: r.RacksPerRow, List: r.Rows.Layout(r.RacksPerRow)}
}

// mostRows is the most rows of a list.
const mostRows = 10000

// rowName is what a row may be called: its racks are called by it and their numbers.
var rowName = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$`)

// checkRows checks rows that are stated one by one, as far as can be told without the size of their racks.
func (s *Spec) checkRows(report Reporter) {
	r := &s.Room
	if len(r.Rows.List) > mostRows {
		report("room.rows", "%d rows are more than %d", len(r.Rows.List), mostRows)
		return
	}
	named := r.named()
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
			report(at+".name", "%q is no name of a row\nuse letters, digits and -._ between them", row.Name)
		case names[name] > 0:
			report(at+".name", "row %d is called %s too\ngive every row a name of its own", names[name], name)
		}
		names[name] = i + 1
		if row.For != "" && len(row.Reserved) == 0 {
			report(at+".reserved_for", "no position is reserved\nlist them: reserved: [3, 7-9]")
		}
		for k, p := range row.Reserved {
			switch stretch, ok := p.Stretch(); {
			case !ok:
				report(diag.Elem(at+".reserved", k), "%q is no position, nor a range of them\nwrite 3 or 7-9",
					string(p))
			case racks > 0 && stretch.Last > racks:
				report(diag.Elem(at+".reserved", k), "the row has only %d positions", racks)
			}
		}
	}
}
