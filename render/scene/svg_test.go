package scene

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image"
	"image/color"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	red  = color.NRGBA{0xff, 0, 0, 0xff}
	grey = color.NRGBA{0x80, 0x80, 0x80, 0x80}
)

// TestSVGOfEveryMark is a drawing of 10 units to a metre whose floor begins at 100, 200: 100 mm a unit.
func TestSVGOfEveryMark(t *testing.T) {
	s := &Scene{
		Name: "a & b", About: "all", W: 300, H: 250, Scale: 10, X: 100, Y: 200,
		Marks: []Mark{
			Layer("unused"), Layer("racks"),
			Fill{Box: Box{100, 180, 106, 200}, Color: red, Name: "A01 <1>", About: "full"},
			Frame{Box{100, 180, 106, 200}, 1, grey},
			Fill{Box: Box{110, 180, 110, 200}, Color: grey},
			Frame{Box{110, 180, 120, 200}, 2, red},
			Layer("lines"),
			Clip{Box{100, 100, 200, 200}},
			Path{
				Lines: [][][2]float64{{{100, 200}, {110, 190}}, {{0, 0}, {1, 1}, {2, 0}}},
				Width: 2, Dash: []float64{3, 5}, Color: red,
			},
			Turn{Angle: -1.5707963267948966, X: 100, Y: 150},
			Text{Text: "1 < 2", X: 100, Y: 150, Align: 0.5, Size: 14, Bold: true, Color: red},
			End{},
			End{},
			Layer("racks"),
			Path{Lines: [][][2]float64{{{100, 200}, {110, 190}, {120, 200}}}, Filled: true, Color: grey},
			Circle{150, 150, 5, 0, red},
			Circle{150, 150, 5, 2, red},
			Hatch{[][2]float64{{100, 200}, {110, 200}, {110, 190}}, 8, red},
			Text{Text: "end", X: 100, Y: 150, Align: 1, Size: 10.5, Color: red},
		},
	}
	const want = `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" version="1.1" ` +
		`width="600.00mm" height="500.00mm" viewBox="-10000 -20000 30000 25000" font-family="` + fonts + `">
<title>a &amp; b</title>
<desc>all</desc>
<defs><pattern id="hatch-ff0000-8" patternUnits="userSpaceOnUse" width="800" height="800">` +
		`<path d="M-200 1000L1000 -200M-200 200L200 -200M600 1000L1000 600" stroke="#ff0000" stroke-width="100"/>` +
		`</pattern></defs>
<rect x="-10000" y="-20000" width="30000" height="25000" fill="#ffffff"/>
<g id="racks">
<rect x="50" y="-1950" width="500" height="1900" fill="#ff0000" stroke="#808080" stroke-opacity="0.502" ` +
		`stroke-width="100"><title>A01 &lt;1&gt;: full</title></rect>
<rect x="1000" y="-2000" width="100" height="2000" fill="#808080" fill-opacity="0.502"/>
<rect x="1100" y="-1900" width="800" height="1800" fill="none" stroke="#ff0000" stroke-width="200"/>
</g>
<g id="lines">
<clipPath id="clip1"><rect x="0" y="-10000" width="10000" height="10000" />
</clipPath><g clip-path="url(#clip1)">
<path d="M0 0L1000 -1000M-10000 -20000L-9900 -19900L-9800 -20000" fill="none" stroke-linecap="round" ` +
		`stroke-linejoin="round" stroke="#ff0000" stroke-width="200" stroke-dasharray="300 500"/>
<g transform="rotate(-90 0 -5000)">
<text x="0" y="-5000" font-size="1400" text-anchor="middle" font-weight="bold" fill="#ff0000">1 &lt; 2</text>
</g>
</g>
</g>
<g id="racks-2">
<path d="M0 0L1000 -1000L2000 0Z" fill="#808080" fill-opacity="0.502"/>
<circle cx="5000" cy="-5000" r="500" fill="#ff0000"/>
<circle cx="5000" cy="-5000" r="500" fill="none" stroke="#ff0000" stroke-width="200"/>
<path d="M0 0L1000 0L1000 -1000Z" fill="url(#hatch-ff0000-8)" stroke="#ff0000" stroke-width="100"/>
<text x="0" y="-5000" font-size="1050" text-anchor="end" fill="#ff0000">end</text>
</g>
</svg>
`
	var b bytes.Buffer
	if err := SVG(t.Context(), &b, s); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

// A picture is written where its pixels lie, and what is beside it is cut off.
func TestSVGOfPicture(t *testing.T) {
	mask := image.NewAlpha(image.Rect(2, 3, 6, 5))
	s := &Scene{W: 100, H: 100, Scale: 10, X: 0, Y: 100, Marks: []Mark{
		Picture{Mask: mask, At: [6]float64{5, 0, 10, 0, 5, 20}, Within: Box{0, 0, 50, 50}},
	}}
	var b bytes.Buffer
	if err := SVG(t.Context(), &b, s); err != nil {
		t.Fatal(err)
	}
	// Pixel 2, 3 begins at 20, 35 units: 2 m to the right, 6.5 m above the origin.
	const want = `<image width="4" height="2" transform="matrix(500 0 0 500 2000 -6500)"`
	if !strings.Contains(b.String(), want) {
		t.Errorf("no %s in\n%s", want, &b)
	}
	for d := xml.NewDecoder(&b); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestDrafting(t *testing.T) {
	for _, c := range []struct {
		metres float64
		want   string
	}{
		{0.001, "1000:1"},
		{0.3, "2:1"},
		{1.189, "1:1"},
		{1.2, "1:2"},
		{12, "1:20"},
		{30, "1:50"},
		{59.4, "1:50"},
		{59.5, "1:100"},
		{1000, "1:1000"},
	} {
		s := &Scene{W: c.metres * 7, H: c.metres, Scale: 7}
		if got := s.Drafting().String(); got != c.want {
			t.Errorf("%g m: %s, want %s", c.metres, got, c.want)
		}
	}
}

func TestSVGRefuses(t *testing.T) {
	full := &Scene{W: 10, H: 10, Marks: []Mark{Clip{Box{0, 0, 1, 1}}, Layer("inside"), End{}}}
	if err := SVG(t.Context(), io.Discard, full); err == nil {
		t.Error("a layer inside a group was written")
	}
}
