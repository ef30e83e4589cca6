package scene

import (
	"bytes"
	"image"
	"io"
	"testing"
)

// TestPDFIsTheSameAgain: there is no time in it, and no order of a map.
func TestPDFIsTheSameAgain(t *testing.T) {
	s := &Scene{Name: "a", W: 300, H: 250, Scale: 10, Marks: []Mark{
		Layer("one"),
		Fill{Box: Box{0, 0, 10, 10}, Color: grey},
		Text{Text: "plain", Size: 10, Color: red},
		Layer("two"),
		Text{Text: "bold", Size: 12, Bold: true, Color: red},
		Layer("one"),
		Turn{Angle: 1},
		Hatch{[][2]float64{{100, 200}, {110, 200}, {110, 190}}, 8, red},
		End{},
		Path{Lines: [][][2]float64{{{0, 0}, {10, 10}}}, Width: 1, Dash: []float64{3, 5}, Color: red},
		Path{},
		Picture{
			Mask: image.NewAlpha(image.Rect(0, 0, 3, 4)), At: [6]float64{1, 0, 0, 0, 1, 0},
			Within: Box{0, 0, 9, 9},
		},
	}}
	var first []byte
	for range 8 {
		var b bytes.Buffer
		if err := PDF(t.Context(), &b, s); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = b.Bytes()
		}
		if !bytes.Equal(first, b.Bytes()) {
			t.Fatal("other bytes")
		}
	}
}

func TestPDFRefuses(t *testing.T) {
	for name, marks := range map[string][]Mark{
		"a layer inside a group": {Clip{Box{0, 0, 1, 1}}, Layer("inside"), End{}},
		"an open group":          {Layer("a"), Turn{}},
	} {
		if err := PDF(t.Context(), io.Discard, &Scene{W: 10, H: 10, Marks: marks}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
