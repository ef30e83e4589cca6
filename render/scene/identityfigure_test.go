package scene_test

import (
	"image/color"
	"testing"

	"github.com/plenum-planner/plenum/render/scene"
)

// claimed is a row of the figure: what a source calls an end, and the name of the port that it is.
type claimed struct {
	source, text string
	way, name    string // "" where no port is called so
	color        color.NRGBA
}

// identities draws how the names of several sources lead to the two ends of one planned cable.
func identities() *scene.Scene {
	f := &figure{scene.Scene{
		Name:  "What names mean",
		About: "what sources call two ports, and the names of these in the plan",
		W:     980, H: 630,
	}}
	f.add(scene.Layer("figure"), scene.Fill{Box: scene.Box{X1: f.W, Y1: f.H}, Color: white})
	f.text(40, 40, 0, ink, true, "Sources name an end ...")
	f.text(560, 40, 0, ink, true, "... by one of the names of a port in the plan")
	const cableX = 900
	top := f.claims(70, "dgx-1 (nvidia-dgx-h100)", []claimed{
		{"cables.csv", "dgx-1  OSFP1P1", "label", "OSFP1P1", blue},
		{"NetBox", "DGX-01.example.org  ibp220s0", "interface", "ibp220s0", green},
		{"ibnetdiscover", "dgx-1 mlx5_11", "device", "mlx5_11", orange},
		{"PCI address", "dgx-1  0000:dc:00.0", "pci", "dc:00.0", pink},
		{"sheet, --map", "gpu-a  rail0", "map", "from the map", amber},
		{"sheet", "dgx-1  port 1", "", "not identified", grey},
	})
	bottom := f.claims(370, "compute-leaf-1 (nvidia-qm9700)", []claimed{
		{"cables.csv", "compute-leaf-1  1", "label", "1", blue},
		{"NetBox", "Compute-Leaf-01  sw1p1", "interface", "sw1p1", green},
		{"command line", "compute-leaf-1  ib 1/1/1", "alias", "ib 1/1/1", amber},
		{"ibnetdiscover", "MF0;compute-leaf-1:MQM9700/U1 [1]", "subnet port", "1 in its subnet", orange},
	})
	f.line(ink, 5, [2]float64{cableX - 20, top}, [2]float64{cableX, top}, [2]float64{cableX, bottom},
		[2]float64{cableX - 20, bottom})
	f.port(cableX-20, top)
	f.port(cableX-20, bottom)
	f.text(cableX+10, (top+bottom)/2, 0, ink, true, "C0001")
	f.text(40, 610, 0, ink, false,
		"The text of a name has to be one that the port has. A number in a text proves nothing: "+
			"port 1 might be any of eight.")
	return &f.Scene
}

// claims draws a box with the names of a port, and the names that sources have for it beside them. It returns how far
// down the port is.
func (f *figure) claims(y float64, box string, rows []claimed) float64 {
	const height = 38
	bottom := y + 34 + height*float64(len(rows))
	f.box(560, y, 880, bottom+8, pale)
	f.text(576, y+24, 0, ink, true, box)
	for i, r := range rows {
		mid := y + 34 + height*(float64(i)+0.5)
		f.text(40, mid+5, 0, ink, false, r.source)
		f.add(scene.Frame{Box: scene.Box{X0: 176, Y0: mid - 14, X1: 490, Y1: mid + 14}, Width: 1, Color: grey})
		f.text(186, mid+5, 0, ink, false, r.text)
		if r.way == "" {
			f.add(scene.Path{
				Lines: [][][2]float64{{{490, mid}, {530, mid}}}, Width: 2, Dash: []float64{5, 4}, Color: grey,
			})
			f.line(orange, 3, [2]float64{530, mid - 7}, [2]float64{544, mid + 7})
			f.line(orange, 3, [2]float64{530, mid + 7}, [2]float64{544, mid - 7})
			f.text(576, mid+5, 0, ink, false, "no name of a port: "+r.name)
			continue
		}
		f.line(r.color, 3, [2]float64{490, mid}, [2]float64{576, mid})
		f.add(scene.Fill{Box: scene.Box{X0: 576, Y0: mid - 14, X1: 864, Y1: mid + 14}, Color: white},
			scene.Frame{Box: scene.Box{X0: 576, Y0: mid - 14, X1: 864, Y1: mid + 14}, Width: 2, Color: r.color})
		f.text(588, mid+5, 0, ink, true, r.way)
		f.text(700, mid+5, 0, ink, false, r.name)
	}
	return (y + bottom) / 2
}

// TestFigureOfIdentities keeps the figure of docs/verify.md. PLENUM_UPDATE=1 writes it.
func TestFigureOfIdentities(t *testing.T) {
	keepFigure(t, "identity.svg", "FigureOfIdentities", identities())
}
