package chart

import (
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/sim/rounds"
)

// Remaining draws, as Fig. 3 of the CLEX paper (arXiv 1607.00298) does, how many messages are left after how many
// phases of A(1), over all its calls. The scale is logarithmic; where none are left the curve ends.
func Remaining(r *rounds.Result, name string, style Style) (*Drawing, error) {
	d, area, err := begin(style, head{
		name, "Messages left in the cliques after each phase of A(1), summed over all its calls. Logarithmic scale.",
	}, 720, leastPanel, nil)
	if err != nil {
		return nil, err
	}
	d.Data = &Table{Head: []string{"phases passed", "messages left"}}
	var points [][2]float64
	y := axis{label: "messages left", lo: 0.7, hi: 1, log: true}
	for phase, n := range r.RemainingByPhase {
		d.Data.add(int64(phase), n)
		if n > 0 {
			points = append(points, [2]float64{float64(phase), float64(n)})
			y.hi = max(y.hi, 2*float64(n))
		}
	}
	if len(points) == 0 {
		d.empty(area, "No messages went through cliques.")
		return d, nil
	}
	p := d.panel(area, axis{
		label: "phases passed", integral: true, lo: 0,
		hi: max(1, float64(len(r.RemainingByPhase)-1)) * 1.02,
	}, y)
	p.line(look{colour: palette.Series(0)}, 3, points)
	var all []label
	for _, q := range points {
		at := p.at(q[0], q[1])
		marker(d.Canvas, look{colour: palette.Series(0)}, at[0], at[1], 7, false)
		all = append(all, label{at, []string{english.Grouped(int64(q[1])), Short(q[1])}})
	}
	d.placeLabels(all, nil, p.Box)
	return d, nil
}
