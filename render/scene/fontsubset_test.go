package scene

import (
	"reflect"
	"testing"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"pgregory.net/rapid"
)

// A font with some of its letters has the outlines and widths that the whole font has, and is smaller.
func TestSubsetOfAFont(t *testing.T) {
	for name, ttf := range map[string][]byte{"regular": goregular.TTF, "bold": gobold.TTF} {
		whole, err := sfnt.Parse(ttf)
		if err != nil {
			t.Fatal(err)
		}
		rapid.Check(t, func(t *rapid.T) {
			letters := rapid.SampledFrom([]rune("aeinost AXZ019.,()%/äöüÅéñçß×±…–€Жλ"))
			runes := rapid.SliceOfN(letters, 1, 30).Draw(t, "runes")
			data, err := subset(ttf, runes)
			if err != nil {
				t.Fatal(err)
			}
			if len(data) > len(ttf)/2 {
				t.Fatalf("%s: %d of %d bytes", name, len(data), len(ttf))
			}
			part, err := sfnt.Parse(data)
			if err != nil {
				t.Fatal(err)
			}
			if sum := checksum(data); sum != 0xb1b0afba {
				t.Fatalf("%s: checksum %x", name, sum)
			}
			var b, c sfnt.Buffer
			size := fixed.I(1000)
			for _, r := range runes {
				i, _ := whole.GlyphIndex(&b, r)
				if j, err := part.GlyphIndex(&c, r); err != nil || i != j {
					t.Fatalf("%s: %q is glyph %d and %d, %v", name, r, i, j, err)
				}
				want, err := whole.LoadGlyph(&b, i, size, nil)
				got, also := part.LoadGlyph(&c, i, size, nil)
				if err != nil || also != nil || !reflect.DeepEqual(got, want) {
					t.Fatalf("%s: %q has another outline: %v, %v", name, r, err, also)
				}
				x, _ := whole.GlyphAdvance(&b, i, size, 0)
				if y, err := part.GlyphAdvance(&c, i, size, 0); err != nil || x != y {
					t.Fatalf("%s: %q is %v and %v wide, %v", name, r, x, y, err)
				}
			}
		})
	}
	for _, wrong := range [][]byte{nil, make([]byte, 12), goregular.TTF[:100]} {
		if _, err := subset(wrong, []rune("a")); err == nil && len(wrong) != 12 {
			t.Errorf("%d bytes are a font", len(wrong))
		}
	}
}
