package verify

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/asbuilt"
	"github.com/plenum-planner/plenum/asbuilt/workorder"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/internal/english"
)

// FindOrder sets Order: a work order from what is found to the plan, in steps that keep what the options ask for.
// Faults that moves cannot mend are not in it. The error is that of asbuilt.Rewire.
//
// Steps are those of asbuilt.Rewire. Within a step, differences come in the order of places, and the moves of each in
// an order in which ports are free in time. A cable that is known to be another product than the plan has where its
// plug would go is not used again.
func (r *Result) FindOrder(ctx context.Context, opt asbuilt.Options) error {
	s := r.sight
	o := &orderer{
		sight: s, out: make([]int32, len(s.links)), in: make([]int32, len(s.p.links)),
		take: map[string]int{}, back: map[string]int{}, counted: map[int32]bool{}, relabel: map[string]string{},
	}
	mend := slices.DeleteFunc(slices.Clone(r.faults), func(f fault) bool { return !s.mendable(&f) })
	steps, faults, err := o.steps(ctx, mend, opt)
	if err != nil {
		return err
	}
	order := &workorder.Order{
		Machine: s.p.result.Spec.Name, From: "as found", To: "as planned", Steps: []workorder.Step{},
		Faults: []string{},
	}
	order.Faults = append(order.Faults, faults...)
	o.cords = o.plannedCords(mend)
	for i := range steps {
		st := workorder.Step{
			Paths: steps[i].Paths, Share: math.Floor(steps[i].Capacity*1e6) / 1e6, Cut: []string{},
			Moves: []workorder.Move{},
		}
		for _, c := range steps[i].Cut {
			st.Cut = append(st.Cut, s.p.schedule.Device(c.Box))
		}
		order.Steps = append(order.Steps, st)
	}
	o.fill(order, mend)
	order.Labels = workorder.LabelsOf(s.p.result, o.relabel)
	order.Number()
	order.SetColours(s.p.result)
	order.Take = workorder.Count(o.take, s.p.result.Bill.Rows)
	order.Return = workorder.Count(o.back, nil)
	r.Order = order
	return nil
}

// orderer makes a work order.
type orderer struct {
	*sight
	out []int32 // by found link, the step that takes it out
	in  []int32 // by planned link, the step that brings it in
	// cords are the cables of planned links that are connected: one, or over panels those at both ends.
	cords      map[int32][]cord
	take, back map[string]int    // cables by product
	counted    map[int32]bool    // cables that are in take
	relabel    map[string]string // cables by id that get labels, and why
}

// cord is a cable of a link.
type cord struct {
	cable   string
	product string
	number  int32
	links   int // that it may carry
}

// steps finds the steps, and notes in which of them links come and go.
func (o *orderer) steps(ctx context.Context, faults []fault, opt asbuilt.Options) ([]asbuilt.Step, []string, error) {
	var w asbuilt.Wiring
	var found, lack []int32
	differs := make([]bool, len(o.p.links))
	socket := func(port int32) asbuilt.Socket { return asbuilt.Socket{Box: o.p.vertex(port), Port: port} }
	for i := range faults {
		f := &faults[i]
		for _, l := range f.plan {
			differs[l] = true
			lack = append(lack, l)
			w.Lack = append(w.Lack, asbuilt.Wire{
				A: socket(o.p.links[l].a), B: socket(o.p.links[l].b), Level: int(o.p.links[l].level),
			})
		}
		for _, x := range f.found {
			found = append(found, x)
			l := &o.links[x]
			w.Found = append(w.Found, asbuilt.Wire{A: socket(l.a), B: socket(l.b), Level: o.levelOf(l)})
		}
	}
	for i := range o.p.links {
		if l := &o.p.links[i]; !differs[i] {
			w.Stay = append(w.Stay, asbuilt.Wire{A: socket(l.a), B: socket(l.b), Level: int(l.level)})
		}
	}
	steps, wrong, err := asbuilt.Rewire(ctx, o.p.result, w, opt)
	for i := range steps {
		for _, k := range steps[i].Out {
			o.out[found[k]] = int32(i)
		}
		for _, k := range steps[i].In {
			o.in[lack[k]] = int32(i)
		}
	}
	return steps, wrong, err
}

// levelOf is the level that a found link counts at: that of a planned link at one of its ports, or of one of its boxes.
func (o *orderer) levelOf(l *found) int {
	for _, port := range [2]int32{l.a, l.b} {
		if p := o.plannedAt(port); p >= 0 {
			return int(o.p.links[p].level)
		}
	}
	for _, port := range [2]int32{l.a, l.b} {
		v := o.p.vertex(port)
		for _, p := range o.p.planned[o.p.first[v]:o.p.first[v+1]] {
			if p >= 0 {
				return int(o.p.links[p].level)
			}
		}
	}
	return 0
}

// plannedCords lists the cables of the planned links of faults.
func (o *orderer) plannedCords(faults []fault) map[int32][]cord {
	out := map[int32][]cord{}
	for i := range faults {
		for _, l := range faults[i].plan {
			out[l] = nil
		}
	}
	s := o.p.schedule
	l := int32(0)
	for x := range exchange.PlannedLinks(o.p.result, "") {
		if _, wanted := out[l]; wanted {
			for i := range x.Segments {
				seg := &x.Segments[i]
				if s.Panel(seg.A) >= 0 && s.Panel(seg.B) >= 0 {
					continue // a trunk, which stays
				}
				c := cord{cable: s.CableID(int64(seg.Cable)), number: seg.Cable, links: 1}
				if seg.Product >= 0 {
					p := &s.Products[seg.Product]
					c.product, c.links = p.Item().String(), p.Links()
				}
				out[l] = append(out[l], c)
			}
		}
		l++
	}
	return out
}

// fill puts the moves of all faults into the steps of the order, notes products to take and to return, and labels.
func (o *orderer) fill(order *workorder.Order, faults []fault) {
	for i := range faults {
		jobs, _ := o.planJobs(&faults[i])
		h := &hands{orderer: o, jobs: jobs, state: make([]state, len(jobs)), taken: map[int32]bool{}}
		for k := range jobs {
			if jobs[k].found >= 0 {
				h.taken[jobs[k].from], h.taken[jobs[k].other] = true, true
			} else {
				h.state[k] = away
			}
		}
		for n := range order.Steps {
			h.step(int32(n), &order.Steps[n])
		}
		for k := range jobs {
			if j := &jobs[k]; j.plan >= 0 {
				o.label(j)
			}
		}
	}
}

// state is where a cable is.
type state uint8

const (
	placed  state = iota // both plugs as found
	hanging              // one plug is out
	away                 // not there
	done
)

// hands make the moves of a fault, step by step. Taken has the ports with a plug in at that time.
type hands struct {
	*orderer
	jobs  []job
	state []state
	taken map[int32]bool // ports with a plug in
}

// step makes the moves of a step: what is disconnected for good, then all moves whose ports are free; where nothing
// has, a plug is unplugged and hangs.
func (h *hands) step(n int32, st *workorder.Step) {
	add := func(k int, do workorder.Do) { st.Moves = append(st.Moves, h.move(&h.jobs[k], do)) }
	for k := range h.jobs {
		if j := &h.jobs[k]; j.plan < 0 && h.out[j.found] == n {
			h.taken[j.from], h.taken[j.other] = false, false
			h.state[k] = done
			add(k, workorder.TakeOut)
		}
	}
	for h.bring(n, add) || h.hang(n, add) {
	}
}

// bring plugs in what is to be plugged in by the step and has its ports free; it reports whether there was any.
func (h *hands) bring(n int32, add func(k int, do workorder.Do)) bool {
	any := false
	for k := range h.jobs {
		j := &h.jobs[k]
		if j.plan < 0 || h.state[k] == done || h.in[j.plan] > n || j.from != j.to && h.taken[j.to] ||
			h.state[k] == away && h.taken[j.other] {
			continue
		}
		do := workorder.MovePlug
		switch {
		case h.state[k] == away:
			do = workorder.Lay
		case h.state[k] == hanging:
			do = workorder.PlugIn
		case j.from == j.to:
			do = workorder.Exchange
		}
		if h.state[k] == placed {
			h.taken[j.from] = false
		}
		h.taken[j.to], h.taken[j.other] = true, true
		h.state[k] = done
		add(k, do)
		any = true
	}
	return any
}

// hang unplugs the last plug that is to be out in the step and still is in; it reports whether there was one.
func (h *hands) hang(n int32, add func(k int, do workorder.Do)) bool {
	for k := len(h.jobs) - 1; k >= 0; k-- {
		if j := &h.jobs[k]; j.found >= 0 && h.state[k] == placed && h.out[j.found] <= n {
			h.taken[j.from] = false
			h.state[k] = hanging
			add(k, workorder.Unplug)
			return true
		}
	}
	return false
}

// move words a move.
func (h *hands) move(j *job, do workorder.Do) workorder.Move {
	m := workorder.Move{Do: do, Other: h.workEnd(j.other)}
	switch do {
	case workorder.TakeOut, workorder.Unplug, workorder.MovePlug, workorder.Exchange:
		m.From = h.workEnd(j.from)
	}
	switch do {
	case workorder.PlugIn, workorder.MovePlug, workorder.Exchange, workorder.Lay:
		m.To = h.workEnd(j.to)
	}
	m.Source = workorder.Reused
	if do == workorder.TakeOut || do == workorder.Exchange {
		h.back[h.links[j.found].product]++
	}
	if do == workorder.TakeOut {
		m.Source, m.Product = workorder.ToStock, h.links[j.found].product
		return m
	}
	cords := h.cords[j.plan]
	var ids, notes []string
	for _, c := range cords {
		ids = append(ids, c.cable)
	}
	m.Cable, m.Product = h.p.cableName(j.plan), h.product(j.plan)
	if do == workorder.Lay || do == workorder.Exchange {
		m.Source = workorder.FromStock
		for _, c := range cords {
			if !h.counted[c.number] {
				h.counted[c.number] = true
				h.take[c.product]++
			}
		}
		if len(ids) > 1 {
			notes = append(notes, "over panels, by "+english.List(ids))
		}
	}
	if do == workorder.Exchange && h.links[j.found].product != "" {
		notes = append(notes, "in place of "+h.links[j.found].product)
	}
	if len(cords) > 0 && cords[0].links > 1 {
		notes = append(notes, "the cable may carry "+english.Count(cords[0].links, "link"))
	}
	m.Note = strings.Join(notes, "; ")
	return m
}

// workEnd writes a port for a work order.
func (o *orderer) workEnd(port int32) *workorder.End {
	v := o.p.vertex(port)
	e := workorder.At(o.p.schedule, v, uint16(port-o.p.first[v]))
	e.Port = o.p.portName(v, port)
	if o.p.planned[port] < 0 {
		e.Label = ""
	}
	return e
}

// label notes why a cable gets labels. Over panels a plug that is moved is that of the cord at its end.
func (o *orderer) label(j *job) {
	cords := o.cords[j.plan]
	why := workorder.Elsewhere
	switch {
	case len(cords) == 0:
	case j.found < 0:
		why = workorder.NewCable
	case j.from == j.to:
		why = workorder.OtherProduct
	case j.to == o.p.links[j.plan].a:
		cords = cords[:1]
	default:
		cords = cords[len(cords)-1:]
	}
	for _, c := range cords {
		if o.relabel[c.cable] != workorder.NewCable { // of several links of a cable
			o.relabel[c.cable] = why
		}
	}
}
