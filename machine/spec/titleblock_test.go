package spec

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What a title block states is read as it stands, and a sheet has its default.
func TestTitleBlock(t *testing.T) {
	f, err := parse("machine.yaml", []byte(head+
		"drawing: {project: Hall 3, author: J. Doe, revision: B, date: 2026-05-01, scale: 1:50, north: -30}\n"))
	if err != nil {
		t.Fatal(err)
	}
	got := f.Spec.Drawing.Stated()
	if got.Project != "Hall 3" || got.Author != "J. Doe" || got.Revision != "B" || got.Date != "2026-05-01" ||
		got.Sheet != "A3" || got.SheetScale() != 50 || *got.North != -30 {
		t.Errorf("%+v", got)
	}
	var none *TitleBlock
	if got := none.Stated(); got != (TitleBlock{Sheet: "A3"}) || got.SheetScale() != 0 {
		t.Errorf("of nothing: %+v", got)
	}
}

// Mistakes in a title block name their place and what was expected.
func TestMistakesInTitleBlock(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"drawing: {sheet: A33}", `2:18+3 drawing.sheet: "A33" is not one of`},
		{"drawing: {sheet: ansi b}", `drawing.sheet: "ansi b" is not one of`},
		{"drawing: {date: 1 May}", `2:17+5 drawing.date: "1 May" is not a date | write it as 2026-05-01`},
		{"drawing: {date: 2026-02-30}", `"2026-02-30" is not a date`},
		{"drawing: {scale: 50}", `drawing.scale: 50 is not text`},
		{"drawing: {scale: '50'}", `drawing.scale: expected a scale such as 1:50, up to 1:100000, not "50"`},
		{"drawing: {scale: '1:0'}", `expected a scale such as 1:50`},
		{"drawing: {north: 361}", `2:18+3 drawing.north: 361 degrees are more than a full turn`},
		{"drawing: {north: up}", `2:18+2 drawing.north:`},
		{"drawing: {autor: x}", `did you mean "author"?`},
	} {
		got := strings.Join(mistakes(t, head+c.text), "\n")
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %s\nwant %s", c.text, got, c.want)
		}
	}
}

// A scale is read back as it is written, and nothing else is one.
func TestParseScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(-5, 200_000).Draw(t, "k")
		got, err := ParseScale(fmt.Sprintf("1:%d", k))
		if valid := k >= 1 && k <= 100_000; valid != (err == nil) || valid && got != k {
			t.Errorf("1:%d: %d, %v", k, got, err)
		}
	})
	for _, text := range []string{"", "50", "2:50", "1:", "1:x", "1:5.5", "1:50:2", " 1:50"} {
		if _, err := ParseScale(text); err == nil {
			t.Errorf("%q is a scale", text)
		}
	}
}

// The longer side of each A size is the root of two times the shorter one, to the millimetre, and every ANSI size is as
// long as the one before is wide twice.
func TestPaperSizes(t *testing.T) {
	for _, name := range Paper("").Words() {
		wide, high := Paper(name).Millimetres()
		if wide <= 0 || high <= wide {
			t.Errorf("%s is %v x %v", name, wide, high)
		}
		if name[1] >= '0' && name[1] <= '4' && math.Abs(high-math.Sqrt2*wide) > 1 {
			t.Errorf("%s is %v x %v", name, wide, high)
		}
	}
	for i, name := range []Paper{"ANSI B", "ANSI C", "ANSI D", "ANSI E"} {
		before := []Paper{"ANSI A", "ANSI B", "ANSI C", "ANSI D"}[i]
		w, h := before.Millimetres()
		if wide, high := name.Millimetres(); math.Abs(wide-h) > 1e-9 || math.Abs(high-2*w) > 1e-9 {
			t.Errorf("%s is %v x %v", name, wide, high)
		}
	}
	if w, h := Paper("A7").Millimetres(); w != 0 || h != 0 {
		t.Errorf("A7 is %v x %v", w, h)
	}
}
