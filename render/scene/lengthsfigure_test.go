package scene_test

import (
	"bytes"
	"image/color"
	"math"
	"os"
	"testing"

	"github.com/plenum-planner/plenum/render/scene"
)

// The colours of the figure: those of Okabe and Ito for the pieces of a length.
var (
	ink    = color.NRGBA{0x22, 0x2b, 0x36, 0xff}
	pale   = color.NRGBA{0xee, 0xf1, 0xf4, 0xff}
	grey   = color.NRGBA{0x9a, 0xa5, 0xb1, 0xff}
	white  = color.NRGBA{0xff, 0xff, 0xff, 0xff}
	blue   = color.NRGBA{0x00, 0x72, 0xb2, 0xff}
	orange = color.NRGBA{0xd5, 0x5e, 0x00, 0xff}
	green  = color.NRGBA{0x00, 0x9e, 0x73, 0xff}
	pink   = color.NRGBA{0xcc, 0x79, 0xa7, 0xff}
	amber  = color.NRGBA{0xe6, 0x9f, 0x00, 0xff}
)

// figure draws marks one after the other.
type figure struct{ scene.Scene }

func (f *figure) add(m ...scene.Mark) { f.Marks = append(f.Marks, m...) }

func (f *figure) box(x0, y0, x1, y1 float64, fill color.NRGBA) {
	b := scene.Box{X0: x0, Y0: y0, X1: x1, Y1: y1}
	f.add(scene.Fill{Box: b, Color: fill}, scene.Frame{Box: b, Width: 1.5, Color: ink})
}

func (f *figure) line(c color.NRGBA, width float64, points ...[2]float64) {
	f.add(scene.Path{Lines: [][][2]float64{points}, Width: width, Color: c})
}

func (f *figure) text(x, y, align float64, c color.NRGBA, bold bool, text string) {
	f.add(scene.Text{Text: text, X: x, Y: y, Align: align, Size: 15, Bold: bold, Color: c})
}

// port is a plug.
func (f *figure) port(x, y float64) {
	f.add(scene.Fill{Box: scene.Box{X0: x - 5, Y0: y - 5, X1: x + 5, Y1: y + 5}, Color: ink})
}

// rack is a rack with some devices in it, from the front.
func (f *figure) rack(x0, top, x1, bottom, port float64, name string) {
	f.box(x0, top, x1, bottom, pale)
	f.box(x0+26, port-11, x1-26, port+11, white)
	for y := top + 20; y+22 < bottom; y += 34 {
		if math.Abs(y+11-port) < 50 {
			continue // room for what is written there
		}
		f.add(scene.Frame{Box: scene.Box{X0: x0 + 26, Y0: y, X1: x1 - 26, Y1: y + 22}, Width: 1, Color: grey})
	}
	f.text((x0+x1)/2, bottom+22, 0.5, ink, false, name)
}

// lengths draws what a length is made of: two racks of a row from the front, and one from the side.
func lengths() *scene.Scene {
	f := &figure{scene.Scene{
		Name: "The pieces of the length of a cable", About: "rise, run, drop, slack, manager and crossing",
		W: 980, H: 540,
	}}
	f.add(scene.Layer("figure"), scene.Fill{Box: scene.Box{X1: f.W, Y1: f.H}, Color: white})
	f.text(40, 40, 0, ink, true, "Two racks of a row, seen from the side of their ports")
	const tray, a, b = 110, 337, 290 // of the ports, in the middle of a device
	f.rack(60, 190, 240, 470, a, "rack A01")
	f.rack(420, 190, 600, 470, b, "rack A04")
	f.add(scene.Path{Lines: [][][2]float64{{{240, 470}, {420, 470}}}, Width: 1.5, Dash: []float64{4, 4}, Color: grey})
	f.box(40, 104, 620, 116, grey)
	f.text(48, 96, 0, ink, false, "tray above the row")

	f.line(pink, 5, [2]float64{130, a}, [2]float64{226, a})
	f.line(blue, 5, [2]float64{226, a}, [2]float64{226, tray})
	f.line(orange, 5, [2]float64{226, tray}, [2]float64{586, tray})
	f.line(green, 5, [2]float64{586, tray}, [2]float64{586, b})
	f.line(pink, 5, [2]float64{586, b}, [2]float64{500, b})
	f.port(130, a)
	f.port(500, b)
	loop := make([][2]float64, 0, 41)
	for i := range 41 {
		s, c := math.Sincos(2 * math.Pi * float64(i) / 40)
		loop = append(loop, [2]float64{586 + 18 - 18*c, 230 + 18*s})
	}
	f.line(amber, 4, loop...)
	f.text(236, 160, 0, blue, true, "rise")
	f.text(406, 136, 0.5, orange, true, "run")
	f.text(576, 160, 1, green, true, "drop")
	f.text(172, a-18, 0.5, pink, true, "manager")
	f.text(536, b-18, 0.5, pink, true, "manager")
	f.text(630, 235, 0, amber, true, "slack")
	f.text(116, a+28, 0, ink, false, "port A")
	f.text(486, b+28, 0, ink, false, "port B")

	f.text(720, 40, 0, ink, true, "A rack from the side")
	f.box(740, 190, 920, 470, pale)
	f.box(740, 330, 880, 352, white)
	f.box(812, 104, 848, 116, grey)
	f.text(860, 116, 0, ink, false, "tray")
	f.text(740, 492, 0, ink, false, "front")
	f.text(920, 492, 1, ink, false, "rear")
	f.line(ink, 5, [2]float64{740, 341}, [2]float64{728, 341}, [2]float64{728, 212})
	f.line(ink, 5, [2]float64{728, 212}, [2]float64{740, 212})
	f.line(color.NRGBA{0x56, 0xb4, 0xe9, 0xff}, 5, [2]float64{740, 212}, [2]float64{920, 212})
	f.port(740, 341)
	f.text(830, 236, 0.5, color.NRGBA{0x1b, 0x7f, 0xb8, 0xff}, true, "crossing")
	f.text(830, 258, 0.5, ink, false, "where the other port")
	f.text(830, 277, 0.5, ink, false, "is at a rear")

	f.text(40, 528, 0, ink, false,
		"length = rise + run + drop + manager + crossing + slack; what is bought is the next longer cable that is sold")
	return &f.Scene
}

// TestFigureOfLengths keeps the figure of docs/cabling.md. PLENUM_UPDATE=1 writes it.
func TestFigureOfLengths(t *testing.T) { keepFigure(t, "lengths.svg", "FigureOfLengths", lengths()) }

// keepFigure holds a figure of the documentation against its file, and writes it with PLENUM_UPDATE=1.
func keepFigure(t *testing.T, name, test string, drawn *scene.Scene) {
	t.Helper()
	path := "../../docs/img/" + name
	var b bytes.Buffer
	if err := scene.SVG(t.Context(), &b, drawn); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("PLENUM_UPDATE") == "1" {
		if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if kept, err := os.ReadFile(path); err != nil || !bytes.Equal(kept, b.Bytes()) {
		t.Errorf("%s is not as it is drawn (%v); run PLENUM_UPDATE=1 go test ./render/scene -run %s", path, err, test)
	}
}
