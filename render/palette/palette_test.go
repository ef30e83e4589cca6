package palette

import (
	"image/color"
	"math"
	"testing"
)

// matrix has the rows of a linear map of red, green and blue light.
type matrix [3][3]float64

func (m *matrix) of(c [3]float64) (out [3]float64) {
	for i, row := range m {
		out[i] = row[0]*c[0] + row[1]*c[1] + row[2]*c[2]
	}
	return out
}

// Light as it looks to those without one kind of cones: protan and deutan after Viénot, Brettel and Mollon, "Digital
// video colourmaps for checking the legibility of displays by dichromats", 1999; tritan after Brettel, Viénot and
// Mollon, "Computerized simulation of color appearance for dichromats", 1997, with one map on each side of a plane, in
// the figures of DaltonLens.
var (
	protan  = matrix{{0.11238, 0.88762, 0}, {0.11238, 0.88762, 0}, {0.00401, -0.00401, 1}}
	deutan  = matrix{{0.29275, 0.70725, 0}, {0.29275, 0.70725, 0}, {-0.02234, 0.02234, 1}}
	tritans = [2]matrix{
		{{1.01277, 0.13548, -0.14826}, {-0.01243, 0.86812, 0.14431}, {0.07589, 0.80500, 0.11911}},
		{{0.93678, 0.18979, -0.12657}, {0.06154, 0.81526, 0.12320}, {-0.37562, 1.12767, 0.24796}},
	}
	plane = [3]float64{0.03901, -0.02788, -0.01113}
	toXYZ = matrix{
		{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041},
	}
)

// light is a colour as linear light.
func light(c color.RGBA) (out [3]float64) {
	for i, v := range []uint8{c.R, c.G, c.B} {
		s := float64(v) / 255
		if out[i] = s / 12.92; s > 0.04045 {
			out[i] = math.Pow((s+0.055)/1.055, 2.4)
		}
	}
	return out
}

// lab is light in CIE 1976 L*a*b*, where distances are about what eyes see.
func lab(l [3]float64) [3]float64 {
	white := toXYZ.of([3]float64{1, 1, 1})
	for i := range l {
		l[i] = min(max(l[i], 0), 1)
	}
	t := toXYZ.of(l)
	for i := range t {
		if t[i] /= white[i]; t[i] > 216.0/24389 {
			t[i] = math.Cbrt(t[i])
		} else {
			t[i] = (24389.0/27*t[i] + 16) / 116
		}
	}
	return [3]float64{116*t[1] - 16, 500 * (t[0] - t[1]), 200 * (t[1] - t[2])}
}

// seen is a colour as it looks with all cones, and without one of each kind.
func seen(c color.RGBA) map[string][3]float64 {
	l := light(c)
	tritan := &tritans[0]
	if plane[0]*l[0]+plane[1]*l[1]+plane[2]*l[2] < 0 {
		tritan = &tritans[1]
	}
	return map[string][3]float64{
		"all cones": lab(l), "protan": lab(protan.of(l)), "deutan": lab(deutan.of(l)), "tritan": lab(tritan.of(l)),
	}
}

// lightness is L* of a grey print.
func lightness(c color.RGBA) float64 { return lab(light(c))[0] }

// set is colours that have to be distinguished, by at least these distances.
type set struct {
	name         string
	colours      []color.RGBA
	apart, light float64 // between any two: to all eyes; of lightness
}

// check reports colours of a set that look alike.
func (s *set) check() (wrong []string, worst float64) {
	worst = math.Inf(1)
	for i, a := range s.colours {
		for _, b := range s.colours[:i] {
			p, q := seen(a), seen(b)
			for eyes := range p {
				d := math.Hypot(math.Hypot(p[eyes][0]-q[eyes][0], p[eyes][1]-q[eyes][1]), p[eyes][2]-q[eyes][2])
				if worst = min(worst, d); d < s.apart {
					wrong = append(wrong, s.name+", "+eyes+": "+Hex(a)+" and "+Hex(b))
				}
			}
			if math.Abs(lightness(a)-lightness(b)) < s.light {
				wrong = append(wrong, s.name+", grey: "+Hex(a)+" and "+Hex(b))
			}
		}
	}
	return wrong, worst
}

func sets() []set {
	var all []color.RGBA
	for _, m := range media {
		all = append(all, m)
	}
	core := []color.RGBA{Free, NodeFill, ServiceFill, SwitchFill, PanelFill}
	racks := append([]color.RGBA{MixedFill, ServedFill, EndFill, MiddleFill}, core...)
	var grey []color.RGBA
	for _, c := range []color.RGBA{NodeFill, MixedFill, SwitchFill, ServedFill, MiddleFill} {
		grey = append(grey, Behind(c))
	}
	dim := func(of []color.RGBA) (out []color.RGBA) {
		for _, c := range of {
			out = append(out, Dim(c))
		}
		return out
	}
	return []set{
		{"the first four of a series", series[:4], 20, 7.5},
		{"series", series[:], 12, 3.4},
		{"media", all, 12, 3.4},
		{"boxes in racks", core, 13, 5.9},
		{"racks by what they hold", racks, 9, 2.9},
		{"racks behind cables", append(grey, Free), 6, 2.9},
		{"boxes on a dark page", dim(core[1:]), 6, 2},
		{"trays", trays[:], 6, 6},
		{"nodes, switches, service boxes and adapters", []color.RGBA{Nodes, Switches, Services, Adapters}, 12, 3.4},
	}
}

// What has to be distinguished is, by everyone and on a grey print.
func TestColoursAreToldApart(t *testing.T) {
	for _, s := range sets() {
		wrong, worst := s.check()
		for _, w := range wrong {
			t.Error(w)
		}
		t.Logf("%s: at least %.1f apart", s.name, worst)
	}
}

// The colours as Okabe and Ito chose them do not pass for everyone.
func TestCheckOfColours(t *testing.T) {
	green, purple := color.RGBA{0x00, 0x9e, 0x73, 0xff}, color.RGBA{0xcc, 0x79, 0xa7, 0xff}
	s := set{"in-band and out-of-band", []color.RGBA{green, purple}, 20, 7.5}
	if wrong, _ := s.check(); len(wrong) != 2 { // without the cones for green, and on a grey print
		t.Errorf("%q", wrong)
	}
	s = set{"grey and white", []color.RGBA{{0x77, 0x77, 0x77, 0xff}, White}, 40, 40}
	if wrong, worst := s.check(); wrong != nil || math.Abs(worst-50) > 1 { // L* of #777777 is 50
		t.Errorf("%q, %g apart", wrong, worst)
	}
	// Blue and yellow keep apart without the cones for green, red and green do not.
	a, b := seen(color.RGBA{0xc0, 0x30, 0, 0xff})["deutan"], seen(color.RGBA{0x50, 0x70, 0, 0xff})["deutan"]
	if math.Hypot(a[1]-b[1], a[2]-b[2]) > 10 {
		t.Errorf("red and green: %.0f and %.0f", a, b)
	}
}

// Fuller trays are darker, on dark pages brighter.
func TestTraysAreOrderedByLightness(t *testing.T) {
	for i := 1; i < len(trays); i++ {
		if lightness(Tray(i)) > lightness(Tray(i-1))-6 {
			t.Errorf("step %d is not darker than the one before", i)
		}
		if lightness(TrayBeside(i)) > lightness(TrayBeside(i-1))-6 && i > 1 {
			t.Errorf("step %d beside racks is not darker than the one before", i)
		}
		if lightness(DimTray(i)) < lightness(DimTray(i-1))+3 {
			t.Errorf("step %d is not brighter on a dark page", i)
		}
	}
}

// Words can be read on all fills.
func TestWordsOnFills(t *testing.T) {
	for _, c := range []color.RGBA{
		NodeFill, MixedFill, ServiceFill, ServedFill, SwitchFill, EndFill, MiddleFill, PanelFill, Cold, Hot, Ground,
	} {
		for _, c := range [...]color.RGBA{c, Behind(c)} {
			if r := Contrast(c, Ink); r < 4.5 {
				t.Errorf("words on %s have a contrast of %.1f", Hex(c), r)
			}
		}
	}
	for _, w := range [][2]color.RGBA{{Cold, ColdInk}, {Hot, HotInk}, {Ground, Faint}, {White, Faint}} {
		if r := Contrast(w[0], w[1]); r < 4.5 {
			t.Errorf("%s on %s has a contrast of %.1f", Hex(w[1]), Hex(w[0]), r)
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
			t.Errorf("%d %% is not a darker than what is less", i)
		} else {
			last = l
		}
	}
	if Heat(math.NaN()) != Heat(0) || Heat(-1) != Heat(0) || Heat(7) != Heat(1) {
		t.Error("what is out of range has no colour of the range")
	}
}

func TestTint(t *testing.T) {
	if Tint(Blue, 0) != White || Tint(Blue, 1) != Blue || Hex(Blue) != "196BAA" {
		t.Error(Tint(Blue, 0), Tint(Blue, 1), Hex(Blue))
	}
	if Round(7) != 0 || Round(8) != 1 || Series(8) != Series(0) {
		t.Error("series do not repeat after eight")
	}
}
