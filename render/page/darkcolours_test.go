package page_test

import (
	"fmt"
	"image/color"
	"math"
	"testing"

	"github.com/plenum-planner/plenum/render/palette"
)

// TestLegendIsToldApartInTheDark: fills of the legend differ on a dark page nearly as much as on a light one, whose
// colours the tests of package palette judge, and words on them can be read.
func TestLegendIsToldApartInTheDark(t *testing.T) {
	const nearly, enough = 0.9, 25 // of the distance on a light page; and what always is enough
	names := []string{
		"rack-nodes-behind", "rack-mixed-behind", "rack-switches-behind", "rack-service-behind", "rack-servers-behind",
		"rack-end-behind", "rack-middle-behind", "free", "column", "keep-out", "door-zone", "beyond",
	}
	b := open(t, write(t, planOf(t, twoHalls)), 800, 600)
	colours := func(theme, name string) (c color.RGBA) {
		text := eval[string](b, `(document.documentElement.dataset.theme = `+quoted(theme)+`,
			getComputedStyle(document.documentElement).getPropertyValue(`+quoted("--"+name)+`).trim())`)
		if _, err := fmt.Sscanf(text, "#%02x%02x%02x", &c.R, &c.G, &c.B); err != nil {
			t.Fatal(name, text, err)
		}
		return c
	}
	distance := func(a, b color.RGBA) float64 {
		return math.Hypot(math.Hypot(float64(a.R)-float64(b.R), float64(a.G)-float64(b.G)), float64(a.B)-float64(b.B))
	}
	ink := colours("dark", "rack-ink")
	for i, a := range names {
		dark := colours("dark", a)
		if r := palette.Contrast(dark, ink); i < 7 && r < 4.5 {
			t.Errorf("words on --%s, %s, have a contrast of %.1f", a, palette.Hex(dark), r)
		}
		for _, other := range names[:i] {
			want := min(enough, nearly*distance(colours("light", a), colours("light", other)))
			if got := distance(dark, colours("dark", other)); got < want {
				t.Errorf("--%s and --%s differ by %.0f on a dark page, want %.0f", a, other, got, want)
			}
		}
	}
}
