package pen

import (
	"math"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"github.com/plenum-planner/plenum/render/scene"
)

// Letters measures text and makes the faces to draw it.
type Letters struct {
	fonts [2]*opentype.Font // regular, bold
	faces map[Letter]*face
	// Spare is what texts may be wider in the end, as a share.
	Spare float64
}

// Spare is what the letters of other fonts are wider than those of Go, which a drawing's reader need not have: DejaVu
// Sans, the widest of those in use, by up to 15 % in bold words.
const Spare = 0.15

// Letter is a size of letters, in units of a drawing, and whether they are bold.
type Letter struct {
	Size float64
	Bold bool
}

// NewLetters has the letters of Go, which are part of the program.
func NewLetters() (*Letters, error) {
	l := &Letters{faces: map[Letter]*face{}}
	for i, ttf := range [][]byte{goregular.TTF, gobold.TTF} {
		f, err := opentype.Parse(ttf)
		if err != nil {
			return nil, err
		}
		l.fonts[i] = f
	}
	return l, nil
}

// face is a font in one size.
type face struct {
	font.Face
	// advances are the widths of characters by the character before, -1 for none. To look one up in the font takes ten
	// times as long.
	advances map[[2]rune]fixed.Int26_6
}

// measure is font.MeasureString.
func (f *face) measure(s string) fixed.Int26_6 {
	sum, before := fixed.Int26_6(0), rune(-1)
	for _, c := range s {
		pair := [2]rune{before, c}
		advance, ok := f.advances[pair]
		if !ok {
			advance, _ = f.GlyphAdvance(c)
			if before >= 0 {
				advance += f.Kern(before, c)
			}
			f.advances[pair] = advance
		}
		sum, before = sum+advance, c
	}
	return sum
}

func (l *Letters) face(k Letter) (*face, error) {
	if f, ok := l.faces[k]; ok {
		return f, nil
	}
	i := 0
	if k.Bold {
		i = 1
	}
	ofSize, err := opentype.NewFace(l.fonts[i], &opentype.FaceOptions{Size: k.Size, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		return nil, err
	}
	f := &face{ofSize, map[[2]rune]fixed.Int26_6{}}
	l.faces[k] = f
	return f, nil
}

// Width is how wide a text is, at most.
func (l *Letters) Width(s string, k Letter) float64 { return l.measured(s, k) * (1 + l.Spare) }

// measured is how wide a text is in these letters.
func (l *Letters) measured(s string, k Letter) float64 {
	f, err := l.face(k)
	if err != nil {
		return 0 // PNG reports it
	}
	return float64(f.measure(scene.Legible(s))) / 64
}

// Fit shortens a text to a width, with an ellipsis for what is left out.
func (l *Letters) Fit(s string, k Letter, width float64) string {
	return l.fit(s, k, width, func(runes []rune, n int) string {
		return strings.TrimRight(string(runes[:n]), " ") + "…"
	})
}

// FitName shortens a name to a width, with an ellipsis in its middle: names that are alike differ in their ends.
func (l *Letters) FitName(s string, k Letter, width float64) string {
	return l.fit(s, k, width, func(runes []rune, n int) string {
		return string(runes[:n/2]) + "…" + string(runes[len(runes)-(n+1)/2:])
	})
}

// fit shortens a text to a width: kept is the text with n of its characters and an ellipsis.
func (l *Letters) fit(s string, k Letter, width float64, kept func(runes []rune, n int) string) string {
	s = strings.Join(strings.Fields(s), " ")
	if l.Width(s, k) <= width {
		return s
	}
	runes := []rune(s)
	lo, hi := 0, len(runes)
	for lo < hi { // the most runes that fit
		mid := (lo + hi + 1) / 2
		if l.Width(kept(runes, mid), k) <= width {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	if lo == 0 {
		return ""
	}
	return kept(runes, lo)
}

// Wrap breaks a text at its words into lines of a width, at most as many as given. What is left out after the last
// line, and of a word that is wider than a line, is an ellipsis.
func (l *Letters) Wrap(s string, k Letter, width float64, most int) []string {
	var lines []string
	words := strings.Fields(s)
	for len(words) > 0 {
		n := 1
		for n < len(words) && l.Width(strings.Join(words[:n+1], " "), k) <= width {
			n++
		}
		if len(lines)+1 < most || n == len(words) {
			lines = append(lines, l.Fit(strings.Join(words[:n], " "), k, width))
			words = words[n:]
			continue
		}
		for n > 1 && l.Width(strings.Join(words[:n], " ")+" …", k) > width {
			n--
		}
		return append(lines, l.Fit(strings.Join(words[:n], " ")+" …", k, width))
	}
	return lines
}

// Legible is a text as it can be drawn, with code points for characters that the font has no letter for.
func (l *Letters) Legible(s string) string { return scene.Legible(s) }

// Flow breaks things of the given widths into lines.
func Flow(widths []float64, width, gap float64) [][]int {
	var lines [][]int
	x := math.Inf(1)
	for i, w := range widths {
		if x+w > width {
			lines = append(lines, nil)
			x = 0
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], i)
		x += w + gap
	}
	return lines
}
