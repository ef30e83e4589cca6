package csvtable

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFields(t *testing.T) {
	for _, test := range []struct{ text, field string }{
		{"", ""},
		{"dac-400g@1.5 m", "dac-400g@1.5 m"},
		{"(0,1)", `"(0,1)"`},
		{`19"`, `"19"""`},
		{"a; b", `"a; b"`},
		{" a", `" a"`},
		{"a ", `"a "`},
		{"a\nb", "a b"},
		{"é", "é"},
		{"\xff", `" "`},
		// formulas
		{"=1+1", "'=1+1"},
		{"+SUM(A1)", "'+SUM(A1)"},
		{"-2+3", "'-2+3"},
		{"@SUM(A1)", "'@SUM(A1)"},
		{"＝1+1", "'＝1+1"},
		{" ＠SUM(A1)", "' ＠SUM(A1)"},
		{"＋1", "'＋1"},
		{"－1", "'－1"},
		{"\t=1", "' =1"},
		{"\r=1", "' =1"},
		{" =1", "' =1"},
		{`=HYPERLINK("x","y")`, `"'=HYPERLINK(""x"",""y"")"`},
		{"+49 30 1234", "'+49 30 1234"},
		{"-", "'-"},
		{"-inf", "'-inf"},
		{"-0x10", "'-0x10"},
		// numbers
		{"-3", "-3"},
		{"-3.25", "-3.25"},
		{"+1e-3", "+1e-3"},
		{"12", "12"},
		// the guard's own mark
		{"'quoted'", "''quoted'"},
		{"'", "''"},
		{"it's", "it's"},
	} {
		if got := string(AppendText(nil, test.text)); got != test.field {
			t.Errorf("%q is written %s, want %s", test.text, got, test.field)
		}
	}
}

// Whatever a text is, no reader of the table sees a formula in it, and Unguard
// finds the text again.
func TestTextsComeBack(t *testing.T) {
	text := rapid.OneOf(
		rapid.String(), rapid.StringMatching(`['=+@ \-]{0,4}[a1.e\-]{0,3}`),
		rapid.StringMatching("[\"',;\\s\\-=x]{0,6}"),
	)
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.SliceOfN(text, 3, 3), 0, 5).Draw(t, "rows")
		var b bytes.Buffer
		w := NewWriter(context.Background(), &b, []string{"a", "b", "c"})
		for _, row := range rows {
			w.Texts(row...)
			w.End()
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(b.String(), "\r\n"); lines != len(rows)+1 {
			t.Fatalf("%d lines for %d rows:\n%q", lines, len(rows), b.String())
		}
		read, err := csv.NewReader(&b).ReadAll()
		if err != nil || len(read) != len(rows)+1 {
			t.Fatalf("%v %v", read, err)
		}
		for i, row := range read[1:] {
			for j, field := range row {
				trimmed := strings.TrimSpace(field)
				if trimmed != "" && strings.IndexByte("=+-@", trimmed[0]) >= 0 && !isNumber(trimmed) {
					t.Fatalf("%q became the formula %q", rows[i][j], field)
				}
				if got := Unguard(field); got != OneLine(rows[i][j]) {
					t.Fatalf("%q is written %q and read %q", rows[i][j], field, got)
				}
			}
		}
	})
}

// The short cut for plain texts writes what the rules do.
func TestPlainTextsNeedNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-c0-9 ,;"'=(]{0,5}`).Draw(t, "text")
		if got := string(AppendText(nil, text)); Plain(text) && (got != text || Guard(text) != text) {
			t.Fatalf("%q is plain and guarded as %q", text, Guard(text))
		}
	})
}

func TestRows(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(context.Background(), &b, []string{"name", "n", "x", "y", "z", "note"})
	w.Text("a, b")
	w.Int(-12)
	w.Append(2, func(row []byte) []byte { return append(row, "1.5,-2"...) })
	w.Empty(2)
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if want := "name,n,x,y,z,note\r\n\"a, b\",-12,1.5,-2,,\r\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	w.Int(1)
	if err := w.End(); err == nil || err.Error() != "csvtable: 1 fields for 6 columns" {
		t.Error(err)
	}
}

// Rows writes what Append and End do, row by row, over more than one piece; a row that was begun is reported.
func TestRowsAtOnce(t *testing.T) {
	var one, all bytes.Buffer
	x := NewWriter(context.Background(), &one, []string{"a", "b"})
	y := NewWriter(context.Background(), &all, []string{"a", "b"})
	for n := range 60_000 {
		x.Int(int64(n))
		x.Text("text")
		x.End()
		if n%3 == 0 {
			y.Int(int64(n))
			y.Text("text")
			y.End()
			continue
		}
		if err := y.Rows(1, func(b []byte) []byte { return fmt.Appendf(b, "%d,text%s", n, RowEnd) }); err != nil {
			t.Fatal(err)
		}
	}
	if x.Flush() != nil || y.Flush() != nil || one.Len() < 2*piece || !bytes.Equal(one.Bytes(), all.Bytes()) {
		t.Errorf("%d and %d bytes", one.Len(), all.Len())
	}
	y.Int(1)
	if err := y.Rows(1, func(b []byte) []byte { return b }); err == nil {
		t.Error("rows within a row")
	}
}

// failing fails to write.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

func TestErrorsEndTheTable(t *testing.T) {
	w := NewWriter(context.Background(), failing{}, []string{"n"})
	var err error
	for n := 0; err == nil && n < 1<<20; n++ {
		w.Int(int64(n))
		err = w.End()
	}
	if err == nil || w.Flush() != err || err.Error() != "the disk is full" {
		t.Error(err)
	}
	gone := errors.New("nobody waits for it")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(gone)
	w = NewWriter(ctx, &bytes.Buffer{}, []string{"n"})
	w.Int(1)
	if err := w.End(); err != gone {
		t.Error(err)
	}
	if err := w.Flush(); err != gone {
		t.Error(err)
	}
}
