package render

import (
	"io"

	"github.com/plenum-planner/plenum/sim/rounds"
)

// RemainingChart draws, as Fig. 3 of the CLEX paper (arXiv 1607.00298) does, how
// many messages are left after how many phases of A(1), over all its calls. The
// scale is logarithmic; where none are left the curve ends.
func RemainingChart(w io.Writer, r *rounds.Result, name string) error {
	can, area, err := picture(name, "messages that are left in the cliques after each phase of A(1), over all its "+
		"calls; a logarithmic scale", 720, nil)
	if err != nil {
		return err
	}
	area = box{area.X0 + 90, area.Y0, area.X1 - 10, area.Y1 - 70}
	var points [][2]float64
	y := axis{label: "messages left", lo: 0.7, hi: 1, log: true}
	for phase, n := range r.RemainingByPhase {
		if n > 0 {
			points = append(points, [2]float64{float64(phase), float64(n)})
			y.hi = max(y.hi, 2*float64(n))
		}
	}
	if len(points) == 0 {
		can.empty(area, "no messages went through cliques")
		return encode(w, can, nil)
	}
	p := newPanel(area, axis{
		label: "phases passed", integral: true, lo: 0,
		hi: max(1, float64(len(r.RemainingByPhase)-1)) * 1.02,
	}, y)
	p.grid(can)
	p.curve(can, 0, points)
	for _, q := range points {
		x, at := p.x.at(q[0]), p.y.at(q[1])
		can.disc(x, at, 7, colour(0))
		align := 0.5
		if q[0] == 0 {
			align = 0
		}
		can.text(grouped(int64(q[1])), markLetter, x+14*(1-2*align), max(at-20, p.Y0+12), align, ink)
	}
	return encode(w, can, nil)
}
