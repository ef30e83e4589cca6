package scene_test

import (
	"fmt"
	"image/color"
	"testing"

	"github.com/plenum-planner/plenum/render/scene"
)

// router is a box that a packet pays for, end one that it does not.
func (f *figure) router(x, y float64, number int, name string) {
	f.box(x-52, y-28, x+52, y+28, orange)
	f.text(x, y+5, 0.5, white, true, fmt.Sprintf("router %d", number))
	f.text(x, y+50, 0.5, ink, false, name)
}

func (f *figure) end(x, y float64, name, what string) {
	f.box(x-52, y-28, x+52, y+28, grey)
	f.text(x, y+5, 0.5, ink, true, name)
	f.text(x, y+50, 0.5, ink, false, what)
}

// cable leads from box to box, with an end at each of its plugs.
func (f *figure) cable(x0, x1, y float64, number int) {
	f.line(blue, 4, [2]float64{x0 + 52, y}, [2]float64{x1 - 52, y})
	for _, x := range [2]float64{x0 + 57, x1 - 57} {
		f.add(scene.Fill{Box: scene.Box{X0: x - 5, Y0: y - 5, X1: x + 5, Y1: y + 5}, Color: green})
	}
	f.text((x0+x1)/2, y-12, 0.5, blue, true, fmt.Sprintf("link %d", number))
}

// path is boxes side by side with links between them, and what is counted of them.
func (f *figure) path(y float64, title, sum string, places int, at func(i int, x float64)) {
	f.text(40, y-64, 0, ink, true, title)
	x := func(i int) float64 { return 110 + float64(i)*190 }
	for i := range places - 1 {
		f.cable(x(i), x(i+1), y, i+1)
	}
	for i := range places {
		at(i, x(i))
	}
	f.text(40, y+84, 0, ink, false, sum)
}

// traversed draws what the delay of a path counts.
func traversed() *scene.Scene {
	f := &figure{scene.Scene{
		Name: "What the delay of a path counts", About: "routers, links and their ends", W: 980, H: 690,
	}}
	f.add(scene.Layer("figure"), scene.Fill{Box: scene.Box{X1: f.W, Y1: f.H}, Color: white})
	role := func(i int) string { return map[int]string{0: "source", 2: "destination"}[i] }
	f.path(110, "Nodes that pass messages on (torus, mesh, CLEX): 2 links, 3 routers",
		"3 routers + 2 links + 4 ends of links", 3, func(i int, x float64) { f.router(x, 110, i+1, role(i)) })
	f.path(330, "The same network of switches with a node each: 4 links, 3 routers",
		"3 routers + 4 links + 8 ends of links", 5, func(i int, x float64) {
			switch i {
			case 0:
				f.end(x, 330, "node", "source")
			case 4:
				f.end(x, 330, "node", "destination")
			default:
				f.router(x, 330, i, "switch")
			}
		})
	f.path(550, "Nodes with a port on each of several rails or planes: 2 links, 1 router",
		"1 router + 2 links + 4 ends of links: the further ports of a node cost nothing", 3, func(i int, x float64) {
			if i == 1 {
				f.router(x, 550, 1, "switch of rail 1")
				return
			}
			f.end(x, 550, "node", role(i))
			side := map[bool]float64{true: 1, false: -1}[i == 0]
			for _, y := range [2]float64{561, 572} { // ports of other rails
				f.line(grey, 2, [2]float64{x + side*52, y}, [2]float64{x + side*76, y})
			}
		})
	key := func(x float64, c color.NRGBA, text string) {
		f.add(scene.Fill{Box: scene.Box{X0: x, Y0: 662, X1: x + 14, Y1: 676}, Color: c})
		f.text(x+22, 674, 0, ink, false, text)
	}
	key(40, orange, "delay of a router")
	key(220, blue, "length x propagation")
	key(420, green, "delay of an end")
	key(590, grey, "end node: its adapter, if stated")
	return &f.Scene
}

// TestFigureOfDelay keeps the figure of docs/delay.md. PLENUM_UPDATE=1 writes it.
func TestFigureOfDelay(t *testing.T) { keepFigure(t, "delay.svg", "FigureOfDelay", traversed()) }
