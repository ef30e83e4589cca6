package build

import (
	"cmp"
	"math"
	"slices"
)

// sumEffort adds up the work of each activity, and what it costs to install a cable.
func (d *Document) sumEffort() {
	p := d.project
	sums := map[work]*work{} // by activity and figure
	var order []work
	for i := range p.jobs {
		for _, w := range p.jobs[i].work {
			k := work{of: w.of, figure: w.figure}
			if sums[k] == nil {
				sums[k] = &work{of: w.of, figure: w.figure}
				order = append(order, k)
			}
			sums[k].pieces += w.pieces
			sums[k].metres += w.metres
		}
	}
	words := Activity("").Words()
	slices.SortFunc(order, func(a, b work) int {
		return cmp.Or(cmp.Compare(slices.Index(words, string(a.of)), slices.Index(words, string(b.of))),
			cmp.Compare(a.figure, b.figure))
	})
	d.Cost = &Range{}
	for _, k := range order {
		e := p.effortOf(sums[k])
		d.PersonHours = d.PersonHours.plus(e.Hours)
		switch {
		case e.Cost == nil:
			d.Cost = nil
		case d.Cost != nil:
			sum := d.Cost.plus(*e.Cost)
			d.Cost = &sum
		}
		d.Activities = append(d.Activities, e)
	}
	d.priceInstalls()
}

// effortOf is the work of an activity with its cost.
func (p *project) effortOf(w *work) Effort {
	f := &p.labour.Figures[w.figure]
	e := Effort{Of: w.of, Skill: f.Skill, Pieces: w.pieces, Source: f.Source, Confidence: f.Confidence}
	if f.PerMetre > 0 {
		e.Metres = math.Round(w.metres*10) / 10
	}
	h := float64(f.People) * f.of(w.pieces, w.metres) / 60
	factor := f.factors()
	e.Hours = Range{h * factor.At(0), h, h * factor.At(1)}
	if pay := p.labour.pay(f.Skill); pay != nil {
		low, high := *cmp.Or(pay.Low, &pay.PerHour), *cmp.Or(pay.High, &pay.PerHour)
		e.Cost = &Range{e.Hours.Low * low, e.Hours.Likely * pay.PerHour, e.Hours.High * high}
	}
	return e
}

// priceInstalls finds what it costs to install a cable, by where it runs.
func (d *Document) priceInstalls() {
	p := d.project
	minutes, cables := map[Span]map[Skill]float64{}, map[Span]int64{}
	for i := range p.jobs {
		for _, w := range p.jobs[i].work {
			g := p.jobs[i].group
			if g < 0 || w.of == Disconnect {
				continue
			}
			s := p.span(p.groups[g])
			if minutes[s] == nil {
				minutes[s] = map[Skill]float64{}
			}
			if w.of == Patch {
				cables[s] += w.pieces
			}
			f := &p.labour.Figures[w.figure]
			minutes[s][f.Skill] += float64(f.People) * f.of(w.pieces, w.metres)
		}
	}
	for _, s := range []Span{InRack, InRow, InRoom} {
		if cables[s] == 0 {
			continue
		}
		row := Install{Span: s, Cables: cables[s]}
		each, known := 0.0, true
		for _, skill := range Skills {
			h := minutes[s][skill] / 60 / float64(cables[s])
			row.Hours += h
			if pay := p.labour.pay(skill); pay != nil {
				each += float64(h * pay.PerHour)
			} else if h > 0 {
				known = false
			}
		}
		if known {
			row.Cost = &each
		}
		d.BySpan = append(d.BySpan, row)
	}
}

// of is the minutes of a team for pieces with their metres.
func (f *Figure) of(pieces int64, metres float64) float64 {
	return float64(f.Minutes*float64(pieces)) + float64(f.PerMetre*metres)
}

// plus adds two ranges.
func (r Range) plus(o Range) Range { return Range{r.Low + o.Low, r.Likely + o.Likely, r.High + o.High} }

// estimateMistakes estimates wrong plugs and optics that are dead on arrival.
func (d *Document) estimateMistakes(shares []float64) {
	p := d.project
	plugs, optics, commissioned := int64(0), int64(0), 0
	boxes := int64(0)
	for i := range p.jobs {
		for _, w := range p.jobs[i].work {
			switch w.of {
			case PlugOptic:
				optics += w.pieces
			case Commission:
				commissioned++
				boxes += w.pieces
			}
		}
	}
	for _, g := range p.groups {
		if g.racks[0] == g.racks[1] && p.preCabled[g.racks[0]] {
			continue
		}
		for product, c := range g.cables {
			ends := int64(2)
			if product >= 0 {
				ends = int64(1 + p.plan.Schedule.Products[product].Part.Cable.FarPlugs())
			}
			plugs += c.cables * ends
		}
	}
	if p.opt.Remove {
		return
	}
	each := func(of Activity) (float64, bool) {
		f := p.labour.find(of, &subject{})
		if f < 0 {
			return 0, false
		}
		return float64(p.labour.Figures[f].People) * p.labour.Figures[f].Minutes / 60, true
	}
	if correct, ok := each(CorrectPlug); ok && plugs > 0 {
		test, _ := each(Test)
		again, _ := each(Commission)
		if commissioned > 0 {
			again *= float64(boxes) / float64(commissioned)
		}
		for _, s := range shares {
			n := float64(plugs) * s / 100
			d.Mistakes = append(d.Mistakes, Mistake{s, n, n * correct, n * (correct + 2*test + 2*again)})
		}
	}
	dead := p.labour.DeadOnArrival
	if optics == 0 || dead == nil {
		return
	}
	n := func(share float64) float64 { return float64(optics) * share / 100 }
	row := &Dead{
		Optics: optics, Dead: Range{n(float64(dead.Share)), n(float64(dead.Share)), n(float64(dead.Share))},
		Source: dead.Source, Confidence: dead.Confidence,
	}
	if dead.Low != nil {
		row.Dead.Low = n(float64(*dead.Low))
	}
	if dead.High != nil {
		row.Dead.High = n(float64(*dead.High))
	}
	if swap, ok := each(SwapOptic); ok {
		row.Hours = row.Dead.Likely * swap
	}
	d.DeadOptics = row
}
