package chart

import (
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/sim/rounds"
)

// Remaining draws, as Fig. 3 of the CLEX paper (arXiv 1607.00298) does, how
// many messages are left after how many phases of A(1), over all its calls. The
// scale is logarithmic; where none are left the curve ends.
func Remaining(r *rounds.Result, name string) (*Drawing, error) {
	d, area, err := begin(name, "messages that are left in the cliques after each phase of A(1), over all its "+
		"calls; a logarithmic scale", 720, nil)
	if err != nil {
		return nil, err
	}
	var points [][2]float64
	y := axis{label: "messages left", lo: 0.7, hi: 1, log: true}
	for phase, n := range r.RemainingByPhase {
		if n > 0 {
			points = append(points, [2]float64{float64(phase), float64(n)})
			y.hi = max(y.hi, 2*float64(n))
		}
	}
	if len(points) == 0 {
		d.empty(area, "no messages went through cliques")
		return d, nil
	}
	p := d.panel(area, axis{
		label: "phases passed", integral: true, lo: 0,
		hi: max(1, float64(len(r.RemainingByPhase)-1)) * 1.02,
	}, y)
	p.curve(0, points)
	p.dots(palette.Series(0), 7, 0, points...)
	p.draw()
	for _, q := range points {
		at := p.at(q[0], q[1])
		align := 0.5
		if q[0] == 0 {
			align = 0
		}
		d.Text(english.Grouped(int64(q[1])), markLetter, at[0]+14*(1-2*align), max(at[1]-20, p.Y0+12), align,
			palette.Ink)
	}
	return d, nil
}
