package scene

import (
	"fmt"
	"image/color"
	"slices"
	"strings"
	"sync"

	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
)

// letters is the font of pictures and PDFs, which has Latin, Greek and Cyrillic letters. The bold one has the same.
var letters = sync.OnceValue(func() *sfnt.Font {
	f, err := sfnt.Parse(goregular.TTF)
	if err != nil {
		panic(err) // it is part of the program
	}
	return f
})

// Legible is a text as pictures and PDFs have it: characters that their font lacks stand as their code points, in
// hexadecimal digits, those in a row together, as in ‹4E2D·6587›.
func Legible(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	var buffer sfnt.Buffer
	open := false
	for _, r := range s {
		if i, err := letters().GlyphIndex(&buffer, r); err == nil && i != 0 {
			if open {
				b.WriteString("›")
			}
			open = false
			b.WriteRune(r)
			continue
		}
		if open {
			b.WriteString("·")
		} else {
			b.WriteString("‹")
		}
		open = true
		fmt.Fprintf(&b, "%04X", r)
	}
	if open {
		b.WriteString("›")
	}
	return b.String()
}

// plain reports whether a text is printable ASCII, as most are.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// noted is what a drawing says that has code points.
const noted = "Characters that this font lacks stand as their code points, as in ‹4E2D›. " +
	"Tables, report and SVG have them."

// Legible is a scene whose texts are Legible. Where one was not, a note says what its codes are, below the drawing, or
// at its lower edge where the paper has a size.
func (s *Scene) Legible() *Scene {
	first := slices.IndexFunc(s.Marks, func(m Mark) bool {
		t, ok := m.(Text)
		return ok && Legible(t.Text) != t.Text
	})
	if first < 0 {
		return s
	}
	out := *s
	out.Marks = slices.Clone(s.Marks)
	for i := first; i < len(out.Marks); i++ {
		if t, ok := out.Marks[i].(Text); ok {
			t.Text = Legible(t.Text)
			out.Marks[i] = t
		}
	}
	if s.Bare {
		return &out
	}
	const (
		margin = 40 // as most drawings have
		most   = 13
		long   = 60 // times the size, or less, is how long the note is
	)
	left := min(margin, s.W/20)
	size := min(most, (s.W-2*left)/long)
	if s.Paper == 0 {
		out.H += 2 * size
	}
	out.Marks = append(out.Marks, Layer("notes"), Text{
		Text: noted, X: left, Y: out.H - size, Size: size, Color: color.NRGBA{0x40, 0x40, 0x40, 0xff},
	})
	return &out
}
