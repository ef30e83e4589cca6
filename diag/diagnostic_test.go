package diag_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/diag"
)

// What is known of a mistake is said, in the same order everywhere.
func TestWordsOfAMistake(t *testing.T) {
	at := diag.Position{File: "m.yaml", Line: 14, Column: 9}
	for _, test := range []struct {
		name string
		err  error
		want string
	}{
		{"all of it", &diag.Diagnostic{
			Pos: at, Length: 2, Path: "room.rows",
			Message: `"4x" is not a whole number`, Suggestion: "write 4", SourceLine: "  rows: 4x",
		}, "m.yaml:14:9: room.rows: \"4x\" is not a whole number\n   14 |   rows: 4x\n      |         ^^ write 4"},
		{
			"an empty line",
			&diag.Diagnostic{Pos: diag.Position{File: "m.yaml", Line: 1, Column: 1}, Length: 1, Message: "empty"},
			"m.yaml:1:1: empty\n    1 | \n      | ^",
		},
		{
			"a mark past the end", &diag.Diagnostic{Pos: at, Length: 3, Message: "m", SourceLine: "ab"},
			"m.yaml:14:9: m\n   14 | ab\n      |   ^",
		},
		{"no line at hand", &diag.Diagnostic{Pos: at, Message: "m", Suggestion: "s"}, "m.yaml:14:9: m; s"},
		{"no column", &diag.Diagnostic{Pos: diag.Position{File: "t.csv", Line: 3}, Message: "m"}, "t.csv:3: m"},
		{
			"a cell", diag.Position{File: "q.xlsx", Sheet: "Prices", Line: 7, Column: 28}.Errorf("m"),
			"q.xlsx:Prices!AB7: m",
		},
		{"no line number", &diag.Diagnostic{Pos: diag.Position{File: "t.csv"}, Message: "m"}, "t.csv: m"},
		{
			"a warning", &diag.Diagnostic{Pos: at, Severity: diag.Warning, Path: "p", Message: "m"},
			"m.yaml:14:9: warning: p: m",
		},
		{"a field", diag.Fieldf("rows", "%d are too many\nat most 9", 10), "rows: 10 are too many; at most 9"},
		{
			"a field of something", &diag.FieldError{Subject: `part "x"`, Path: "cable.lengths", Message: "m"},
			`part "x": cable.lengths: m`,
		},
	} {
		if got := test.err.Error(); got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

// Of a long line the part around the mark is shown, and a terminal is not told to
// do anything.
func TestLongAndTabbedLines(t *testing.T) {
	const shown = 120
	d := diag.Diagnostic{
		Pos: diag.Position{File: "f", Line: 1, Column: 203}, Length: 3, Message: "m",
		SourceLine: strings.Repeat("\t\x1b", 101) + "bad" + strings.Repeat("y", 500),
	}
	lines := strings.Split(d.Error(), "\n")
	if n := len([]rune(lines[1])); n > shown+8 {
		t.Errorf("%d characters", n)
	}
	source, mark := []rune(lines[1]), []rune(lines[2])
	if at := len(mark) - 3; string(source[at:at+3]) != "bad" || strings.Contains(lines[1], "\x1b") {
		t.Errorf("%q", lines)
	}
}

// All mistakes are reported in the order of their places, each once, up to a number.
func TestList(t *testing.T) {
	var l diag.List
	if l.Err() != nil {
		t.Error("an empty list is an error")
	}
	for _, line := range []int{3, 1, 3, 2} {
		l.Addf(diag.Position{File: "f", Line: line}, "m\n%s", "")
	}
	l.Sort()
	if got, want := l.Err().Error(), "f:1: m\nf:2: m\nf:3: m"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	for line := range 2 * diag.Most {
		l.Addf(diag.Position{File: "f", Line: line + 10}, "m")
	}
	const more = "\nand 203 more mistakes"
	if len(l) != diag.Most || !l.Full() || !strings.HasSuffix(l.Error(), more) {
		t.Errorf("%d mistakes: %s", len(l), l.Error())
	}
}

// The mistakes in fields are found wherever they are joined or wrapped.
func TestFields(t *testing.T) {
	a, b, c := diag.Fieldf("a", "x"), diag.Fieldf("b", "y"), diag.Fieldf("c", "z")
	twice := fmt.Errorf("twice: %w", diag.FieldErrors{b, c})
	err := fmt.Errorf("placing: %w", errors.Join(a, errors.New("other"), twice))
	got := diag.Fields(err)
	if len(got) != 3 || got[0] != a || got[1] != b || got[2] != c || got.Error() != "a: x\nb: y\nc: z" {
		t.Error(got)
	}
	if diag.Fields(errors.New("other")) != nil || diag.FieldErrors(nil).Err() != nil {
		t.Error("a mistake from nowhere")
	}
	if e := new(diag.FieldError); !errors.As(err, &e) || e != a {
		t.Error(e)
	}
}

func TestPaths(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{diag.Key("", "room"), "room"},
		{diag.Key("room", "rows"), "room.rows"},
		{diag.Key("prices.unit", "dac@3 m"), `prices.unit["dac@3 m"]`},
		{diag.Key("prices.unit", ""), `prices.unit[""]`},
		{diag.Elem("room.columns", 2), "room.columns[2]"},
		{diag.Parent("room.columns[2].x"), "room.columns[2]"},
		{diag.Parent("room.columns[2]"), "room.columns"},
		{diag.Parent("room"), ""},
		{diag.Parent(""), ""},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
}

func Example() {
	keys := []string{"rows", "racks_per_row", "aisle"}
	var found diag.List
	found.Add(diag.Diagnostic{
		Pos: diag.Position{File: "machine.yaml", Line: 14, Column: 3}, Length: 3, Path: "room.row",
		Message: "unknown key", Suggestion: diag.Suggest("row", keys, "the keys here are "), SourceLine: "  row: 4",
	})
	if err := found.Err(); err != nil {
		fmt.Println(err)
	}
	fmt.Println(diag.Fieldf("Rows", "%d rows; at least one is needed", 0))
	// Output:
	// machine.yaml:14:3: room.row: unknown key
	//    14 |   row: 4
	//       |   ^^^ did you mean "rows"?
	// Rows: 0 rows; at least one is needed
}
