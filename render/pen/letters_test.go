package pen

import (
	"strings"
	"testing"

	"golang.org/x/image/font"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/render/scene"
)

// A text that is fitted keeps its characters, for the formats that can show them, and is as narrow as it is with code
// points in their place.
func TestFitKeepsCharacters(t *testing.T) {
	l, err := NewLetters()
	if err != nil {
		t.Fatal(err)
	}
	k := Letter{Size: 10}
	for _, text := range []string{"Вычислитель", "机柜 机柜 机柜", "🚀🚀🚀", "plain words"} {
		whole := l.Width(text, k)
		if got := l.Fit(text, k, whole); got != text {
			t.Errorf("%q becomes %q", text, got)
		}
		got := l.Fit(text, k, 0.6*whole)
		start, shortened := strings.CutSuffix(got, "…")
		if !shortened || start == "" || !strings.HasPrefix(text, start) {
			t.Errorf("%q is shortened to %q", text, got)
		}
		if w := l.Width(scene.Legible(got), k); w > 0.6*whole || w != l.Width(got, k) {
			t.Errorf("%q is %v wide, %v are free", got, w, 0.6*whole)
		}
	}
}

// TestWidthsAreThoseOfTheFont holds that texts are as wide as the font says, before and after their characters are
// kept.
func TestWidthsAreThoseOfTheFont(t *testing.T) {
	l, err := NewLetters()
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		k := Letter{rapid.SampledFrom([]float64{6, 10, 11.5}).Draw(t, "size"), rapid.Bool().Draw(t, "bold")}
		text := rapid.StringOf(rapid.RuneFrom([]rune("AVTo.,-01 é→機"))).Draw(t, "text")
		f, err := l.face(k)
		if err != nil {
			t.Fatal(err)
		}
		want := font.MeasureString(f.Face, text)
		for range 2 {
			if got := f.measure(text); got != want {
				t.Fatalf("%q is %v wide, not %v", text, got, want)
			}
		}
	})
}
