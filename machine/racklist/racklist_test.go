package racklist_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/paulmach/orb"
	"github.com/xuri/excelize/v2"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine/racklist"
	"github.com/plenum-planner/plenum/units"
)

// known are the types of racks of the tests.
var known = []racklist.Known{
	{Name: "rack-42u", RackType: layout.RackType{
		Listed: "rack-42u", Units: 42, Width: 0.6, Depth: 1.2, Height: 2, Power: 12000, Weight: 1000,
	}},
	{Name: "network", Taken: true, RackType: layout.RackType{
		Listed: "network", Units: 42, Width: 0.8, Depth: 1.2, Height: 2, Power: 8000,
	}},
	{Name: "rack-48u", RackType: layout.RackType{Listed: "rack-48u", Units: 48, Width: 0.6, Depth: 1, Height: 2.3}},
}

// book is a workbook whose second sheet has the table of a text under a title, which may be empty.
func book(t *testing.T, title, text string) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	if _, err := f.NewSheet("Racks"); err != nil {
		t.Fatal(err)
	}
	cell := func(row, column int, value any) {
		name, err := excelize.CoordinatesToCellName(column, row)
		if err == nil {
			err = f.SetCellValue("Racks", name, value)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if title != "" {
		lines = append([]string{title}, lines...)
	}
	for i, line := range lines {
		for k, value := range strings.Split(line, ",") {
			if n, err := strconv.ParseFloat(value, 64); err == nil {
				cell(i+1, k+1, n)
			} else if value != "" {
				cell(i+1, k+1, value)
			}
		}
	}
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestWorkbookIsReadAsItsText: the sheet of a workbook is the same list as the text, and mistakes name its cells.
func TestWorkbookIsReadAsItsText(t *testing.T) {
	for _, text := range []string{
		"Name,Row,Position,X (mm),Y (mm),Power (kW),Turned,Reserved\n" +
			"A1,A,1,1200,1500,12.5,yes,\n\nA2,A,2,1800,1500,,,x\n",
		"name\nA1\nA2\n",
		"name,x,y\nA1,1200,1500\nA2,1800,1500\n",
		"name,pwoer\nA1,3\n",
		"name,power\nA1,3\n,4 kW\nA1,5 kW\n",
		"name,row\n",
		"titles,alone\n1,2\n",
	} {
		said := func(data []byte) string {
			l, err := racklist.Read("racks", data)
			var found diag.List
			errors.As(err, &found)
			for i := range found {
				// Columns are cells in one and characters in the other.
				found[i].Pos.Sheet, found[i].Pos.Column = "", 0
			}
			var out strings.Builder
			for i := range l.Racks {
				r := &l.Racks[i]
				fmt.Fprintln(&out, r.Name, r.Row, r.Position, r.X != nil, r.Power, r.Turned != nil, r.Reserved)
				if r.X != nil {
					fmt.Fprintln(&out, *r.X, *r.Y)
				}
			}
			return out.String() + fmt.Sprint(found)
		}
		if got, want := said(book(t, "", text)), said([]byte(text)); got != want {
			t.Errorf("%q: the workbook gives\n%s\nwant\n%s", text, got, want)
		}
	}
	_, err := racklist.Read("r.xlsx", book(t, "Hall 2 as surveyed", "name,power\nA1,3\n"))
	if err == nil || !strings.HasPrefix(err.Error(), "r.xlsx:Racks!B3: ") {
		t.Errorf("a mistake in a cell: %v", err)
	}
}

// room is an empty room between walls.
func room() *layout.RoomSpec {
	return &layout.RoomSpec{
		Width: 20, Depth: 10, Cold: 1.2, Hot: 1, Alternate: true, Margin: 1,
		KeepOuts: []layout.KeepOut{{Why: layout.Column, Area: area(15, 5, 15.4, 5.4)}},
	}
}

// lay reads a list and lays it out in a room.
func lay(s *layout.RoomSpec, text string) (*layout.Room, error) {
	l, err := racklist.Read("racks.csv", []byte(text))
	if err != nil {
		return nil, err
	}
	kinds, of, err := l.Kinds(known)
	if err != nil {
		return nil, err
	}
	s.Rack, s.Types = kinds[0].RackType, nil
	for _, k := range kinds[1:] {
		s.Types = append(s.Types, k.RackType)
	}
	if err := l.Lay(s, of); err != nil {
		return nil, err
	}
	if err := l.Check(s); err != nil {
		return nil, err
	}
	return s.Survey(), nil
}

// sketch is a room in words: its rows, and where which rack stands.
func sketch(r *layout.Room) string { return drawn(r, false) }

// drawn is a room as text, with the type of every rack or of those that have not the usual one. Which that is, the
// first rack of a list says.
func drawn(r *layout.Room, usual bool) string {
	var b strings.Builder
	for i := range r.Rows {
		row := &r.Rows[i]
		fmt.Fprintf(&b, "%s y %.4g", row.Name, row.Y0)
		if row.Turned {
			b.WriteString(" turned")
		}
		for n := range row.Left {
			at := r.At(i, n+1)
			fmt.Fprintf(&b, " %s#%d@%.4g", r.PositionName(i, n+1), r.PositionNumber(i, n+1), row.Left[n])
			if t := r.Spec.Type(at.Type); usual || at.Type > 0 {
				fmt.Fprintf(&b, "(%s %v %v)", t.Listed, t.Power, t.Weight)
			}
			if row.Position[n] < 0 {
				b.WriteString("-")
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestLists(t *testing.T) {
	for _, test := range []struct{ name, list, want string }{
		{
			"rows and positions, of which some are missing",
			"name,row,position\nA01,A,1\nA02,A,2\nA04,A,4\nB3,B,3\nB1,B,1\n",
			"A y 1 turned A01#1@1 A02#2@1.6 A04#4@2.8\nB y 3.4 B1#1@1 B3#3@2.2\n",
		},
		{
			"places alone, in any order; rows by the stems of names",
			"name,x,y\nR2-b1,1,4\nR1-a2,1.6,1\nR1-a1,1,1.05\nR2-b2,3,4\n",
			"R1-a y 1 turned R1-a1#1@1 R1-a2#2@1.6\nR2-b y 4 R2-b1#1@1 R2-b2#2@3\n",
		},
		{
			"rows by letters where names tell none", "name,x,y\n1,1,4\n2,1.6,1\n3,1,1.05\n",
			"A y 1 turned 3#1@1 2#2@1.6\nB y 4 1#1@1\n",
		},
		{
			"what a spreadsheet writes: a mark, line ends, quotes, other case, empty rows",
			"\ufeff\"Name\",Row,Position,Power,Reserved,Reserved for\r\nA1,A,1,12 kW,FALSE,\r\n,,,,,\r\n" +
				"A2,A,2,,TRUE,\"PDU, main\"\r\n",
			"A y 1 turned A1#1@1 A2#2@1.6-\n",
		},
		{
			"columns with units, types, limits; deep and shallow racks with their fronts in line",
			"name,row,position,x_m,y_m,type,power_kw,weight_kg,turned\na,Z,7,1,1,,12,1000,no\n" +
				"b,Z,8,1.6,1,rack-48u,,900,no\nc,Z,9,2.2,1,network,,,no\n",
			"Z y 1 a#7@1 b#8@1.6(rack-48u 0 W 900 kg) c#9@2.2(network 8 kW 0 kg)\n",
		},
		{
			"headings with units", "Name,X (m),Y [m],Power (kW)\nA1,1,1,8.5\n", "A y 1 turned A1#1@1\n",
		},
		{
			"semicolons and decimal commas under a title",
			"Racks of hall 2; as measured\n\nName;X;Y\nA1;1,2;1,5\nA2;1,8;1,5\n",
			"A y 1.5 turned A1#1@1.2 A2#2@1.8\n",
		},
		{
			"millimetres that are named", "sep=;\nName;X [mm];Y (mm)\nA1;1200;1500\nA2;1800;1500\n",
			"A y 1.5 turned A1#1@1.2 A2#2@1.8\n",
		},
		{
			"a sparse room in metres", "name,x,y\nA1,1,1\nA2,3,1\nA3,5,1\nA4,5.6,1\nB1,1,4\nB2,3,4\n",
			"A y 1 turned A1#1@1 A2#2@3 A3#3@5 A4#4@5.6\nB y 4 B1#1@1 B2#2@3\n",
		},
		{"units beside numbers", "name,x,y\nA1,1200 mm,4 ft\n", "A y 1.219 turned A1#1@1.2\n"},
		{
			"racks of NetBox, with positions",
			"Name,Site,Location,Status,Role,Height,Outer width,Outer depth,Outer unit,Max weight,Weight " +
				"unit,Position\n" +
				"A1,S,Row A,Active,,42,600,1200,Millimeters,900,Kilograms,1\n" +
				"A2,S,Row A,Reserved,,42,23.62,,Inches,,,2\nB1,S,Row B,Planned,,42,,,,,,1\n",
			"Row-A y 1 turned A1#1@1 A2#2@1.6(rack-42u 12 kW 1000 kg)-\n" +
				"Row-B y 3.4 B1#1@1(rack-42u 12 kW 1000 kg)\n",
		},
		{
			"racks of NetBox, measured", "name,site,location,u_height,x_m,y_m\nA1,S,Hall 1,42,1,1\nA2,S,Hall " +
				"1,42,1.6,1\n" +
				"B1,S,Hall 1,42,1,4\n",
			"A y 1 turned A1#1@1 A2#2@1.6\nB y 4 B1#1@1\n",
		},
		{
			"the type of most comes first", "name,row,position,type\na,A,1,\nb,A,2,rack-48u\nc,A,3,rack-48u\n",
			"A y 1 turned a#1@1(rack-42u 12 kW 1000 kg) b#2@1.6 c#3@2.2\n",
		},
	} {
		r, err := lay(room(), test.list)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		} else if diff := cmp.Diff(test.want, sketch(r)); diff != "" {
			t.Errorf("%s:\n%s", test.name, diff)
		}
	}
}

func TestMistakesInLists(t *testing.T) {
	for _, test := range []struct{ name, list, want string }{
		{"nothing", "", "racks.csv:1:1: the list is empty; its first line names the columns: name,row"},
		{"a header alone", "name,row,position\n", "racks.csv:1:1: no rack is listed below the header"},
		{"millimetres", "name,x,y\nA1,1200,1500\nA2,1800,1500\n", "racks.csv:2:4: x and y without a unit are " +
			"metres, and " +
			"every rack would stand 600 m or more from the others; write the unit, such as 1200 mm, or name the " +
			"columns " +
			"x_mm and y_mm"},
		{"centimetres", "name,x,y\nA1,120,150\nA2,180,150\n", "racks.csv:2:4: x and y without a unit are metres, and " +
			"every rack would stand 60 m or more from the others; write the unit, such as 120 cm"},
		{"inches", "name,x,y\nA1,47,59\nA2,70.6,59\n", "racks.csv:2:4: x and y without a unit are metres, and " +
			"every rack would stand 23.6 m or more from the others; write the unit, such as 47 in, or"},
		{"feet", "name,x,y\nA1,4,5\nA2,6,5\nB1,4,205\n", "racks.csv:2:4: x and y without a unit are metres, and " +
			"racks would stand up to 200 m apart; write the unit, such as 4 ft"},
		{"feet of a small room", "name,x,y\nA1,4,5\nA2,6,5\nA3,8,5\nB1,4,12\nB2,6,12\nB3,8,12\n", "racks.csv:2:4: x " +
			"and y without a unit are metres, and the racks of rows would stand 2 m apart, which is the pitch of " +
			"600 mm racks in feet; write the unit, such as 4 ft, or name the columns x_ft and y_ft"},
		{"one rack in millimetres", "name,x,y\nA1,1200,1500\n", "racks.csv:2:4: x and y without a unit are metres, " +
			"and " +
			"the racks would stand 1500 m from the corner of the room; write the unit, such as 1200 mm"},
		{"kilometres", "name,x,y\nA1,0.0012,0.0015\nA2,0.0018,0.0015\n", "racks.csv:2:4: x and y without a unit are " +
			"metres, and all racks would stand within 0.001 m"},
		{
			"racks of NetBox", "site,name,status,width,u_height,outer_width\nS,A1,planned,19,42,600\n",
			"racks.csv:1:1: this is a table of racks of NetBox, which does not tell where on the floor they stand; " +
				"add the",
		},
		{
			"wide racks of NetBox", "Name,Site,Height,Outer width,Outer " +
				"unit,Location,Position\nA1,S,42,800,Millimeters,Row A,1\n",
			"racks.csv:2:1: rack A1 is 0.8 m wide, and a rack-42u is 0.6 m; name a type of this size",
		},
		{"UTF-32", "\xff\xfe\x00\x00n\x00\x00\x00", "racks.csv:1:1: the file is UTF-32 text; save it as UTF-8"},
		{"a workbook", "PK\x03\x04...", "racks.csv: the workbook cannot be read"},
		{"Latin-1", "name,row,position\nA\xe91,A,1\n", "racks.csv:2:2: the byte 0xe9 at offset 19 is not UTF-8 text"},
		{
			"a column unknown", "name,pwoer\nA1,3\n",
			"racks.csv:1:6: there is no column \"pwoer\"; did you mean \"power\"?",
		},
		{"a column twice", "name,x,x_m\nA1,3,3\n", "racks.csv:1:8: column 2 is the x too"},
		{"no names", "row,position\nA,1\n", "racks.csv:1:1: a column name is missing"},
		{"a name missing", "name,row,position\n,A,1\n", "racks.csv:2:1: the name is missing"},
		{"a name twice", "name,row,position\nA1,A,1\nA1,A,2\n", "racks.csv:3:1: line 2 is called A1 too"},
		{"no name", "name,row,position\nA/1,A,1\n", "racks.csv:2:1: \"A/1\" is not the name of a rack; use letters"},
		{"a value too few", "name,row,position\nA1,A\n", "racks.csv:2:1: 2 values for 3 columns"},
		{"quotation marks", "name,row,position\nA1,A,1\"\n", "racks.csv:2:6: a quotation mark inside a value"},
		{
			"all at once", "name,row,position,power,weight,turned\nA1,A,0,12,-,maybe\nA2,A,x,12 kg,0,no\n",
			"racks.csv:2:6: \"0\" is not a position of a row; write a number from 1 to 10000\n" +
				"racks.csv:2:8: 12 W is less than any rack draws; write the unit, such as 12 kW, or name the column " +
				"power_kw\n" +
				"racks.csv:2:11: \"-\" is not a mass (a number and one of kg, g, lb, t)\n" +
				"racks.csv:2:13: \"maybe\" is neither yes nor no\n" +
				"racks.csv:3:6: \"x\" is not a position",
		},
		{"a comma for a point", "name,x,y\nA1,\"1,2\",1\n", "racks.csv:2:4: \"1,2\" is not a length"},
		{"no number", "name,x_m,y_m\nA1,1 m,1\n", "racks.csv:2:4: \"1 m\" is not a number of m"},
		{"beyond the corner", "name,x,y\nA1,-1,1\n", "racks.csv:2:4: -1 m is not within 0 to 10000 m"},
		{"half a place", "name,x,y\nA1,1,\n", "racks.csv:2:6: x is given, and y is missing"},
		{
			"places of some", "name,row,position,x,y\nA1,A,1,1,1\nA2,A,2,,\n",
			"racks.csv:3:8: x and y are missing; rack A1 has",
		},
		{"rows of some", "name,row,x,y\nA1,A,1,1\nA2,,2,1\n", "racks.csv:3:4: the row is missing; rack A1 has one"},
		{"nowhere", "name,row\nA1,A\n", "racks.csv:2:1: nothing says where rack A1 stands; give its row and position"},
		{"a position of no row", "name,position,x,y\nA1,2,1,1\n", "racks.csv:2:4: position 2 of which row?"},
		{
			"a position twice", "name,row,position\nA1,A,1\nA2,A,1\n",
			"racks.csv:3:6: position 1 of row A is on line 2 already",
		},
		{
			"a type unknown", "name,row,position,type\nA1,A,1,rack-42\n",
			"racks.csv:2:8: there is no type of racks \"rack-42\"; did",
		},
		{"too many units", "name,row,position,units\nA1,A,1,44\n", "racks.csv:2:8: a rack-42u has 42 units, not 44"},
		{
			"reserved for", "name,row,position,reserved_for\nA1,A,1,x\n",
			"racks.csv:2:8: the rack is not reserved; write yes",
		},
		{
			"fronts on both sides", "name,row,position,turned\nA1,A,1,yes\nA2,A,2,no\n",
			"racks.csv:3:8: rack A1 of row A faces the other way; give it a row of its own",
		},
		{
			"beside its row", "name,row,x,y\na,A,1,1\nb,A,1.6,1\nc,A,2.2,2.4\n",
			"racks.csv:4:9: rack c stands 1.4 m off the line of",
		},
		{
			"one on the other", "name,x,y\na,1,1\nb,1.5,1\n",
			"racks.csv:3:1: rack b stands on the floor of rack a of line 2: from x 1.50",
		},
		{
			"through a wall", "name,x,y\na,19.5,1\n",
			"racks.csv:2:3: rack a takes the floor from x 19.50 m, y 1.00 m to x 20.10",
		},
		{"through another wall", "name,x,y\na,1,9\n", "racks.csv:2:5: rack a takes the floor"},
		{
			"on a column", "name,x,y\na,14.9,5\n",
			"racks.csv:2:1: rack a stands on a column; move it, or reserve its position",
		},
		{
			"rows across each other", "name,row,x,y\na,A,1,1\nb,A,5,1\nc,B,3,1\n",
			"racks.csv:4:3: row B stands on the floor of row A",
		},
		{
			"all rows but one at places that are taken", "name,row,position,x,y\na,A,1,1,1\nb,B,1,1,1\nc,C,1,1,1\n",
			"racks.csv:3:1: rack b stands on the floor of rack a of line 2: from x 1.00 m to 1.60 m, y 1.00 m to " +
				"2.20 m\nracks.csv:4:1: rack c stands on the floor of rack a",
		},
	} {
		_, err := lay(room(), test.list)
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s:\n%v\nwant\n%s", test.name, err, test.want)
		}
	}
}

// Positions that stay empty may be where racks cannot stand.
func TestReservedOnAColumn(t *testing.T) {
	r, err := lay(room(), "name,x,y,reserved,reserved_for\na,14.9,5,yes,column\nb,2,5,,\n")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := sketch(r), "A y 5 turned b#1@2 a#2@14.9-\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Lists have their bounds.
func TestBoundsOfLists(t *testing.T) {
	var b strings.Builder
	b.WriteString("name,row,position,power\n")
	for i := range racklist.MaxRacks + 5 {
		fmt.Fprintf(&b, "r%d,%d,%d,%d\n", i, i/1000, i%1000+1, 1000+i)
	}
	_, err := lay(room(), b.String())
	if err == nil || err.Error() != "racks.csv:20002:1: more than 20000 racks" {
		t.Error(err)
	}
	lines := strings.SplitAfterN(b.String(), "\n", racklist.MaxKinds+3)
	_, err = lay(room(), strings.Join(lines[:racklist.MaxKinds+2], ""))
	if err == nil || !strings.HasPrefix(err.Error(), "racks.csv:130:1: more than 128 kinds of racks") {
		t.Error(err)
	}
	_, err = racklist.Read("racks.csv", bytes.Repeat([]byte("#"), racklist.MaxSize+1))
	if err == nil || err.Error() != "racks.csv:1: the list is larger than 4 MiB" {
		t.Error(err)
	}
	if _, err := racklist.Load(filepath.Join(t.TempDir(), "none.csv")); !os.IsNotExist(err) {
		t.Error(err)
	}
}

// The list that is written of any room gives the same positions again.
func TestListOfARoom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := layout.RoomSpec{
			Rack: known[0].RackType, Types: []layout.RackType{known[1].RackType, known[2].RackType},
			Cold: 1.2, Hot: 0.9, Alternate: rapid.Bool().Draw(t, "alternate"), Margin: 1.2,
			KeepOuts: []layout.KeepOut{{Why: layout.Column, Area: area(3, 3, 3.5, 3.5)}},
		}
		if rapid.Bool().Draw(t, "gap") {
			s.Gaps = []layout.Gap{{After: 3, Width: 1.2}}
		}
		s.Rows = rapid.IntRange(1, 4).Draw(t, "rows")
		for range s.Rows {
			row := layout.RowSpec{Racks: rapid.IntRange(1, 9).Draw(t, "racks"), For: "later"}
			if rapid.Bool().Draw(t, "shifted") {
				x := units.Length(rapid.IntRange(0, 50).Draw(t, "x")) / 7
				row.X = &x
			}
			if n := rapid.IntRange(0, row.Racks).Draw(t, "reserved"); n > 0 {
				row.Reserved = []layout.Stretch{{First: n, Last: n}}
			}
			if n := rapid.IntRange(0, row.Racks).Draw(t, "typed"); n > 0 {
				row.Types = []layout.TypeStretch{{Stretch: layout.Stretch{First: n, Last: row.Racks}, Type: 1}}
			}
			s.List, s.PerRow = append(s.List, row), max(s.PerRow, row.Racks)
		}
		if s.PerRow < 4 {
			s.Gaps = nil
		}
		before, err := layout.NewRoom(s.Complete())
		if err != nil {
			t.Skip(err)
		}
		var b bytes.Buffer
		if err := racklist.Write(t.Context(), &b, before); err != nil {
			t.Fatal(err)
		}
		again := layout.RoomSpec{Alternate: s.Alternate, Margin: 1.2, Cold: 1.2, Hot: 0.9, KeepOuts: s.KeepOuts}
		if _, err := lay(&again, b.String()); err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
		after, err := layout.NewRoom(again.Complete())
		if err != nil {
			t.Fatal(err)
		}
		type place struct {
			Name, Type string
			X, Y       float64
			Turned     bool
		}
		places := func(r *layout.Room) (out []place) {
			for i, p := range r.Places {
				out = append(out, place{r.Name(i), r.Spec.Type(p.Type).Listed, float64(p.X), float64(p.Y), p.Turned})
			}
			return out
		}
		near := cmpopts.EquateApprox(0, 1e-9)
		if diff := cmp.Diff(places(before), places(after), near); diff != "" {
			t.Fatalf("%s\n%s", diff, b.String())
		}
		if diff := cmp.Diff(before.Spec.Complete().Trays.Cross, after.Spec.Complete().Trays.Cross); diff != "" {
			t.Fatalf("%s\n%s", diff, b.String())
		}
	})
}

// No list makes the reader fall, and what it takes is laid out or refused.
func FuzzRead(f *testing.F) {
	f.Add([]byte("name,row,position,power\nA1,A,1,12 kW\nA2,A,2,\n"))
	f.Add([]byte("\ufeffName,X_m,Y_m,Type,Turned,Reserved\r\nA1,1.2,1.2,rack-48u,yes,\r\nA2,1.8,1.2,network,,no\r\n"))
	f.Add([]byte("name;x;y\n"))
	f.Add([]byte("name,x,y\n\"a\"b,1,2\n'=c,\"1\",2\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := lay(room(), string(data))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := racklist.Write(t.Context(), &b, r); err != nil {
			t.Fatal(err)
		}
		if again, err := lay(room(), b.String()); err != nil || drawn(again, true) != drawn(r, true) {
			t.Fatalf("%v\n%s", err, b.String())
		}
	})
}

// area is a rectangle on the floor.
func area(x0, y0, x1, y1 float64) orb.Polygon {
	return orb.Bound{Min: orb.Point{x0, y0}, Max: orb.Point{x1, y1}}.ToPolygon()
}
