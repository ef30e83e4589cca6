package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// TestTablesFit draws tables of any size: no line is wider than the terminal unless two columns alone are, columns that
// are left out are named, and no cell of the others is lost.
func TestTablesFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell := rapid.StringMatching(`[a-z0-9]{1,8}( [a-z0-9]{1,8}){0,3}`)
		columns := rapid.IntRange(1, 20).Draw(t, "columns")
		rows := make([][]string, rapid.IntRange(1, 6).Draw(t, "rows"))
		for i := range rows {
			rows[i] = rapid.SliceOfN(cell, columns, columns).Draw(t, "row")
		}
		noted := columns > 2 && rapid.Bool().Draw(t, "notes")
		if noted {
			rows[0][columns-1] = ""
		}
		var b strings.Builder
		WriteTable(&b, rows, "table.csv")
		text := b.String()
		for i := 1; noted && i < len(rows); i++ {
			if note := strings.Fields(rows[i][columns-1])[0]; !strings.Contains(text, note) {
				t.Fatalf("the note %q is lost in\n%s", note, text)
			}
		}
		for line := range strings.Lines(text) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > minColumns &&
				!strings.Contains(line, "not shown here") {
				t.Fatalf("%d columns: %s", n, line)
			}
		}
		left := strings.Contains(text, "not shown here: ")
		if left != strings.HasSuffix(text, "; see table.csv\n") {
			t.Fatalf("no file in %s", text)
		}
		words := strings.Fields(text)
		for _, row := range rows {
			for _, word := range strings.Fields(row[0]) {
				if !strings.Contains(strings.Join(words, " "), word) {
					t.Fatalf("%q is lost in\n%s", word, text)
				}
			}
		}
	})
}

func TestWrapLines(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"short\n", "short\n"},
		{" a    one two three four\n", " a    one two three\n      four\n"},
		{"note: one two three four five\n", "note: one two three\n  four five\n"},
		{strings.Repeat("x", 30) + " y\n", strings.Repeat("x", 30) + "\n  y\n"},
	} {
		width := 20
		if got := wrapLines(c.text, width); got != c.want {
			t.Errorf("%q becomes %q, want %q", c.text, got, c.want)
		}
	}
}

// TestColour: marks and escape sequences are written on a terminal only, and --color and NO_COLOR decide.
func TestColour(t *testing.T) {
	text := "error: a\n  " + Best("7") + "  8\n"
	var b bytes.Buffer
	o := NewOutput(&b)
	if err := Print(o, text); err != nil || b.String() != "error: a\n  7  8\n" {
		t.Errorf("%q %v", b.String(), err)
	}
	b.Reset()
	o.Colour = true
	if err := Print(o, "warning: \x1b[0m\n"+text); err != nil {
		t.Error(err)
	}
	want := sgrYellow + "warning" + sgrReset + `: \x1b[0m` + "\n" + sgrRed + "error" + sgrReset + ": a\n  " + sgrGreen +
		"7" + sgrReset + "  8\n"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	t.Setenv("NO_COLOR", "1")
	if HasColour(os.Stdout, "auto") || !HasColour(&b, "always") || HasColour(&b,
		"never") || checkColour("allways") == nil {
		t.Error("wrong modes")
	}
}

func TestWrittenFiles(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for _, name := range []string{"a.csv", "b.csv"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, make([]byte, 8123), 0o666); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	if got := strings.Join(strings.Fields(WrittenFiles(paths)), " "); got != "written to "+dir+": a.csv (8.1 kB), "+
		"b.csv (8.1 kB)" {
		t.Error(got)
	}
	for n, want := range map[int64]string{
		0: "0 B", 999: "999 B", 1000: "1.0 kB", 9949: "9.9 kB", 9950: "10 kB", 999_499: "999 kB", 999_500: "1.0 MB",
		5e9: "5.0 GB",
	} {
		if got := byteSize(n); got != want {
			t.Errorf("%d bytes are %s, want %s", n, got, want)
		}
	}
}
