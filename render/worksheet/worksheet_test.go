package worksheet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/scene"
	"github.com/plenum-planner/plenum/render/scene/scenetest"
)

// set sets a book and returns its pages.
func set(t *testing.T, b *Book) []scene.Page {
	t.Helper()
	letters, err := pen.NewLetters()
	if err != nil {
		t.Fatal(err)
	}
	letters.Spare = 0
	s := newSetter(b, letters)
	for i := range b.Parts {
		s.part(&b.Parts[i])
	}
	return s.pages
}

// long is a book of so many rows, some of whose cells take several lines.
func long(rows int) *Book {
	p := Part{
		Title: "A part", Words: []string{strings.Repeat("many words ", 40)}, Mark: "part",
		Columns: []Column{
			{Tick: true, Share: 0.1}, {Head: "number", Share: 0.2, Right: true}, {Head: "text", Share: 0.7},
		},
	}
	for i := range rows {
		text := fmt.Sprintf("row %d", i)
		if i%5 == 0 {
			text += "\n" + strings.Repeat("long", 60) + "\nthird line"
		}
		p.Rows = append(p.Rows, Row{"", fmt.Sprint(i), text})
	}
	last := Part{Title: "Last", Page: true, Words: []string{"The end."}}
	return &Book{Name: "Book", About: "about", Parts: []Part{p, last}}
}

// TestRows: every row is on a page whole, with a box to tick, under the heads of the columns, and nothing leaves the
// page or lies on another line.
func TestRows(t *testing.T) {
	const rows = 200
	for _, wide := range []bool{false, true} {
		b := long(rows)
		b.Wide = wide
		pages := set(t, b)
		if len(pages) < 5 {
			t.Fatalf("%d pages", len(pages))
		}
		texts, ticks := map[string]int{}, 0
		for n, page := range pages {
			heads := false
			lines := map[[2]float64]string{} // by where they begin
			for _, m := range page.Marks {
				switch m := m.(type) {
				case scene.Text:
					texts[m.Text]++
					heads = heads || m.Text == "number"
					if m.Y > page.H-margin || m.X < margin || m.X > page.W-margin {
						t.Errorf("page %d: %q is at %v, %v", n+1, m.Text, m.X, m.Y)
					}
					if other, taken := lines[[2]float64{m.X, m.Y}]; taken {
						t.Errorf("page %d: %q lies on %q", n+1, m.Text, other)
					}
					lines[[2]float64{m.X, m.Y}] = m.Text
				case scene.Frame:
					ticks++
				}
			}
			if heads != (n < len(pages)-1) {
				t.Errorf("page %d has heads: %v", n+1, heads)
			}
		}
		for i := range rows {
			if texts[fmt.Sprintf("row %d", i)] != 1 {
				t.Errorf("row %d is there %d times", i, texts[fmt.Sprintf("row %d", i)])
			}
		}
		if ticks != rows || texts["third line"] != rows/5 || texts["The end."] != 1 {
			t.Errorf("%d boxes to tick, %d third lines, %d ends", ticks, texts["third line"], texts["The end."])
		}
	}
}

// TestWrap breaks texts at blanks, words that are too wide anywhere, and loses nothing unless lines are bounded.
func TestWrap(t *testing.T) {
	letters, err := pen.NewLetters()
	if err != nil {
		t.Fatal(err)
	}
	letters.Spare = 0
	s := newSetter(&Book{}, letters)
	for _, text := range []string{
		"", "word", "some words that take more than one line of this width", strings.Repeat("wide", 30),
		"Zürich 日本 and words", "a " + strings.Repeat("b", 50) + " c",
	} {
		lines := s.wrap(text, cellLetter, 20, 0)
		for _, line := range lines {
			if w := letters.Width(line, cellLetter); w > 20 {
				t.Errorf("%q is %v wide", line, w)
			}
		}
		joined := strings.ReplaceAll(strings.Join(lines, ""), " ", "")
		if want := strings.ReplaceAll(letters.Legible(text), " ", ""); joined != want {
			t.Errorf("%q becomes %q", want, joined)
		}
		if short := s.wrap(text, cellLetter, 20, 2); len(short) > 2 {
			t.Errorf("%q takes %d lines", text, len(short))
		}
	}
}

// TestTooManyRows refuses what nobody would print, and a cancelled context ends the work.
func TestTooManyRows(t *testing.T) {
	if err := PDF(t.Context(), &bytes.Buffer{}, long(Most+1)); !errors.As(err, new(*TooManyError)) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := PDF(ctx, &bytes.Buffer{}, long(10)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	var a, b bytes.Buffer
	if err := errors.Join(PDF(t.Context(), &a, long(100)), PDF(t.Context(), &b, long(100))); err != nil ||
		!bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("the same book has other bytes", err)
	}
	if err := PDF(t.Context(), &a, &Book{Name: "Empty"}); err != nil {
		t.Error(err)
	}
}

// TestAnyBookCanBeRead sets books of any texts and reads their pages as those who print them do: no text stands over
// another, beyond the page, or in letters below 6 points.
func TestAnyBookCanBeRead(t *testing.T) {
	letters, err := pen.NewLetters()
	if err != nil {
		t.Fatal(err)
	}
	letters.Spare = 0
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.OneOf(
			rapid.StringMatching(`[a-zA-Z0-9/-]{0,12}`), rapid.StringN(0, 40, -1),
			rapid.Map(rapid.IntRange(1, 200), func(n int) string { return strings.Repeat("W", n) }),
			rapid.Map(rapid.IntRange(1, 60), func(n int) string { return strings.Repeat("some words ", n) }),
		)
		lines := rapid.Map(rapid.SliceOfN(text, 1, 4), func(all []string) string { return strings.Join(all, "\n") })
		b := &Book{Name: text.Draw(rt, "name"), About: text.Draw(rt, "about"), Wide: rapid.Bool().Draw(rt, "wide")}
		for range rapid.IntRange(0, 4).Draw(rt, "parts") {
			p := Part{
				Title: text.Draw(rt, "title"), Words: rapid.SliceOfN(text, 0, 3).Draw(rt, "words"),
				Page: rapid.Bool().Draw(rt, "page"), Mark: text.Draw(rt, "mark"),
			}
			columns := rapid.IntRange(0, 7).Draw(rt, "columns")
			for i := range columns {
				p.Columns = append(p.Columns, Column{
					Head: text.Draw(rt, "head"), Share: 1 / float64(columns), Right: rapid.Bool().Draw(rt, "right"),
					Tick: i == 0,
				})
			}
			for range rapid.IntRange(0, 20).Draw(rt, "rows") {
				p.Rows = append(p.Rows, rapid.SliceOfN(lines, columns, columns).Draw(rt, "row"))
			}
			b.Parts = append(b.Parts, p)
		}
		s := newSetter(b, letters)
		for i := range b.Parts {
			s.part(&b.Parts[i])
		}
		for i := range s.pages {
			s.foot(i)
		}
		for i, page := range s.pages {
			for _, fault := range scenetest.Faults(page.Scene, scenetest.Limits{}) {
				rt.Errorf("page %d: %s", i+1, fault)
			}
		}
	})
}
