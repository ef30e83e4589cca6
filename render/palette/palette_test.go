package palette

import (
	"image/color"
	"math"
	"testing"
)

// deficient is how a colour looks to those without one kind of cones, after Viénot, Brettel and Mollon, "Digital video
// colourmaps for checking the legibility of displays by dichromats", 1999: rows of a matrix on linear light.
var deficient = map[string][3][3]float64{
	"protan": {{0.11238, 0.88762, 0}, {0.11238, 0.88762, 0}, {0.00401, -0.00401, 1}},
	"deutan": {{0.29275, 0.70725, 0}, {0.29275, 0.70725, 0}, {-0.02234, 0.02234, 1}},
}

// seen is a colour as it looks to them, as three values from 0 to 255.
func seen(c color.RGBA, m [3][3]float64) (out [3]float64) {
	in := [3]float64{}
	for i, v := range []uint8{c.R, c.G, c.B} {
		in[i] = math.Pow(float64(v)/255, 2.2)
	}
	for i, row := range m {
		v := row[0]*in[0] + row[1]*in[1] + row[2]*in[2]
		out[i] = 255 * math.Pow(min(max(v, 0), 1), 1/2.2)
	}
	return out
}

// No two colours of a series, and none of two media, look alike to those who see few colours.
func TestColoursAreToldApart(t *testing.T) {
	sets := map[string][]color.RGBA{"series": series[:], "media": nil}
	for _, c := range media {
		sets["media"] = append(sets["media"], c)
	}
	for name, set := range sets {
		for kind, m := range deficient {
			for i, a := range set {
				for _, b := range set[:i] {
					p, q := seen(a, m), seen(b, m)
					if d := math.Hypot(math.Hypot(p[0]-q[0], p[1]-q[1]), p[2]-q[2]); d < 25 {
						t.Errorf("%s, %s: %v and %v are %.0f apart", name, kind, a, b, d)
					}
				}
			}
		}
	}
}

// Words on any colour of the heat map can be read, and more is always darker.
func TestHeat(t *testing.T) {
	last := 2.0
	for i := range 101 {
		c := Heat(float64(i) / 100)
		if r := Contrast(c, On(c)); r < 4.5 {
			t.Errorf("words on %v have a contrast of %.1f", c, r)
		}
		if l := luminance(c); l >= last {
			t.Errorf("%d %% is no darker than what is less", i)
		} else {
			last = l
		}
	}
	if Heat(math.NaN()) != Heat(0) || Heat(-1) != Heat(0) || Heat(7) != Heat(1) {
		t.Error("what is out of range has no colour of the range")
	}
}

func TestTint(t *testing.T) {
	if Tint(Blue, 0) != White || Tint(Blue, 1) != Blue || Hex(Blue) != "0072B2" {
		t.Error(Tint(Blue, 0), Tint(Blue, 1), Hex(Blue))
	}
	if Round(7) != 0 || Round(8) != 1 || Series(8) != Series(0) {
		t.Error("series do not repeat after eight")
	}
}
