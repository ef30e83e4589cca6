package scene

import (
	"bytes"
	"strings"
	"testing"
)

func TestLegible(t *testing.T) {
	for text, want := range map[string]string{
		"":                "",
		"rack A01":        "rack A01",
		"Größe 5 m²":      "Größe 5 m²",
		"Ряд Ω":           "Ряд Ω",
		"机柜":              "‹673A·67DC›",
		"机 柜-1":           "‹673A› ‹67DC›-1",
		"a🚀b":             "a‹1F680›b",
		"صف":              "‹0635·0641›",
		"x\u202ey":        "x‹202E›y", // what turns the direction of a text is not a part of it
		"\xff and \ufffd": "\ufffd and \ufffd",
	} {
		got := Legible(text)
		if got != want {
			t.Errorf("%q is drawn as %q, expected %q", text, got, want)
		}
		if Legible(got) != got {
			t.Errorf("%q is not legible", got)
		}
	}
}

// A drawing with characters that the font lacks has their code points and says so; SVG has the characters.
func TestLegibleScene(t *testing.T) {
	drawn := func(text string, paper float64, bare bool) *Scene {
		return &Scene{W: 800, H: 100, Paper: paper, Bare: bare, Marks: []Mark{
			Layer("texts"), Text{Text: "first", Size: 10}, Text{Text: text, Size: 10},
		}}
	}
	if s := drawn("Ряд", 0, false); s.Legible() != s {
		t.Error("a legible drawing is changed")
	}
	for _, c := range []struct {
		paper float64
		bare  bool
		marks int
		grown bool
	}{{0, false, 5, true}, {1, false, 5, false}, {0, true, 3, false}} {
		s := drawn("机柜", c.paper, c.bare)
		got := s.Legible()
		if s.Marks[2].(Text).Text != "机柜" || s.H != 100 {
			t.Error("the drawing itself is changed")
		}
		if got.Marks[2].(Text).Text != "‹673A·67DC›" || len(got.Marks) != c.marks || (got.H > s.H) != c.grown {
			t.Errorf("%+v: %+v", c, got)
		}
		if note, ok := got.Marks[len(got.Marks)-1].(Text); !c.bare && (!ok || note.Text != noted || note.Y > got.H) {
			t.Errorf("%+v: the note is %+v", c, note)
		}
		if again := got.Legible(); again != got {
			t.Error("a legible drawing is changed")
		}
	}
	var svg, pdf bytes.Buffer
	s := drawn("机柜", 0, false)
	if err := SVG(t.Context(), &svg, s); err != nil || !strings.Contains(svg.String(), "机柜") ||
		strings.Contains(svg.String(), "673A") {
		t.Errorf("%v, %s", err, svg.String())
	}
	if err := PDF(t.Context(), &pdf, s); err != nil {
		t.Error(err)
	}
}
