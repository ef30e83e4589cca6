// Package power plugs the power inlets of boxes in a rack into the outlets of the supplies (power distribution units,
// power shelves) there, and computes what every supply gives on each phase, with all feeds and without one of them.
//
// A supply hangs on one feed. New alternates the inlets of a box over the feeds of its rack and balances the phases of
// every supply; the result depends on the order of boxes and supplies only. A busbar has no outlets of its own: all
// supplies that feed it share what its boxes draw.
//
// Powers are active powers in watts, and currents are those at a power factor of 1. The package knows neither racks of
// a room nor machines.
package power

import (
	"cmp"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/units"
)

// Box is a box that may draw power from the supplies of its rack.
type Box struct {
	Part  *catalog.Part
	Power units.Power // with what is plugged into it; 0 where none is known
}

// Supply is a box with outlets.
type Supply struct {
	catalog.Supply             // with the voltage and the breaker that count
	Own            units.Power // what it draws itself
	Feed           int         // from 0; -1 for none: its outlets have no power
}

// What a cord is plugged into besides the supply of a number.
const (
	Nothing = -1 // no outlet was free
	Bar     = -2 // the busbar of the rack
)

// Cord leads from an inlet of a box to an outlet.
type Cord struct {
	Box    int    // of Rack.Boxes
	Inlet  int    // of the box, from 1
	Type   string // of the inlet
	Supply int    // of Rack.Supplies; Nothing or Bar
	Outlet int    // of the supply, from 1; of the busbar, in the order of its boxes as they came; 0 without one
	Fits   string // type of the outlet
	Phase  int    // from 1; between this phase and the next where the supply is wired in delta; 0 for all phases alike
}

// Outlet is an outlet of a supply, or a place on the busbar.
type Outlet struct {
	Supply int // of Rack.Supplies; Bar
	Number int // from 1, as Cord.Outlet
}

// Inlet is an inlet of a box.
type Inlet struct {
	Box    int // of Rack.Boxes
	Number int // from 1, as Cord.Inlet
}

// Rack is what is plugged into what in a rack.
type Rack struct {
	Boxes    []Box
	Supplies []Supply
	Cords    []Cord // by box and inlet
	first    []int  // first cord of each box, and one entry more
}

// outlet is a free or taken outlet of a supply.
type outlet struct {
	supply, number, phase int
	kind                  string
	cord                  int // -1 for none
}

// plugger plugs cords in.
type plugger struct {
	*Rack
	outlets []outlet
	at      []int         // outlet of each cord, -1 for none
	watts   []units.Power // of each cord
	load    [][4]units.Power
	feeds   []int // with outlets for cords
	bar     bool
	kept    []Outlet // of each cord, the one that it had; zero for none
}

// New plugs the inlets of boxes into the outlets of supplies. As many inlets have an outlet as can have one. Kept are
// the outlets that inlets have already. A cord stays there unless the outlet is missing, does not fit or has no feed,
// the box would have more inlets on the feed than an even share, or another cord fits no outlet but this one.
func New(boxes []Box, supplies []Supply, kept map[Inlet]Outlet) *Rack {
	r := &Rack{Boxes: boxes, Supplies: supplies}
	p := &plugger{Rack: r, load: make([][4]units.Power, len(supplies))}
	for b := range boxes {
		r.first = append(r.first, len(r.Cords))
		types := boxes[b].Part.InletTypes()
		for i, t := range types {
			r.Cords = append(r.Cords, Cord{Box: b, Inlet: i + 1, Type: t, Supply: Nothing})
			p.watts = append(p.watts, boxes[b].Power/units.Power(len(types)))
			p.at = append(p.at, -1)
			p.kept = append(p.kept, kept[Inlet{b, i + 1}])
		}
	}
	r.first = append(r.first, len(r.Cords))
	for s := range supplies {
		own := &supplies[s]
		if own.Feed < 0 {
			continue
		}
		if own.HasBar() {
			p.bar = true
			continue
		}
		if len(own.Outlets) > 0 && !slices.Contains(p.feeds, own.Feed) {
			p.feeds = append(p.feeds, own.Feed)
		}
		p.add(s)
	}
	slices.Sort(p.feeds)
	p.keep()
	order := make([]int, len(boxes))
	for b := range order {
		order[b] = b
	}
	had := func(b int) int {
		if slices.ContainsFunc(p.kept[r.first[b]:r.first[b+1]], func(o Outlet) bool { return o.Number > 0 }) {
			return 0
		}
		return 1
	}
	// Those that had outlets first, then the large ones, so that the small ones even phases out.
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(had(a), had(b)), cmp.Compare(boxes[b].Power, boxes[a].Power))
	})
	for _, b := range order {
		p.plugBox(b)
	}
	p.balance()
	p.finish()
	return r
}

// add adds the outlets of a supply.
func (p *plugger) add(s int) {
	number := 0
	for _, g := range p.Supplies[s].Outlets {
		for i := range max(g.Count, 1) {
			number++
			phase := g.Phase
			if phase == 0 {
				phase = i%max(p.Supplies[s].Phases, 1) + 1
			}
			p.outlets = append(p.outlets, outlet{supply: s, number: number, phase: phase, kind: g.Type, cord: -1})
		}
	}
}

// keep plugs cords in where they were: of each box at most an even share of its inlets on each feed.
func (p *plugger) keep() {
	if len(p.feeds) == 0 {
		return
	}
	numbers := map[Outlet]int{}
	for o := range p.outlets {
		numbers[Outlet{p.outlets[o].supply, p.outlets[o].number}] = o
	}
	for b := range p.Boxes {
		cords := p.CordsOf(b)
		plugs := 0
		for i := range cords {
			if cords[i].Type != catalog.Busbar {
				plugs++
			}
		}
		on := map[int]int{} // inlets on each feed
		for c := p.first[b]; c < p.first[b+1]; c++ {
			o, ok := numbers[p.kept[c]]
			if !ok || p.outlets[o].cord >= 0 || !slices.Contains(catalog.Outlets(p.Cords[c].Type), p.outlets[o].kind) {
				continue
			}
			feed := p.Supplies[p.outlets[o].supply].Feed
			if on[feed] < (plugs+len(p.feeds)-1)/len(p.feeds) {
				on[feed]++
				p.plug(c, o)
			}
		}
	}
}

// plugBox plugs the inlets of a box in that are not yet, each on a feed with as few of its others as can be. The first
// one goes to the first feed where the inlets are the same number for each, else to the feed with the smallest load.
func (p *plugger) plugBox(b int) {
	if len(p.feeds) == 0 {
		return
	}
	start, n := 0, p.first[b+1]-p.first[b]
	if n%len(p.feeds) != 0 {
		for i := range p.feeds {
			if p.onFeed(p.feeds[i]) < p.onFeed(p.feeds[start]) {
				start = i
			}
		}
	}
	on := make([]int, len(p.feeds)) // inlets of the box
	plugged := func(c int) {
		if p.at[c] >= 0 {
			on[slices.Index(p.feeds, p.Supplies[p.outlets[p.at[c]].supply].Feed)]++
		}
	}
	for c := p.first[b]; c < p.first[b+1]; c++ {
		plugged(c)
	}
	rank := func(supply int) int {
		i := slices.Index(p.feeds, p.Supplies[supply].Feed)
		return on[i]*len(p.feeds) + (i-start+len(p.feeds))%len(p.feeds)
	}
	for c := p.first[b]; c < p.first[b+1]; c++ {
		if p.Cords[c].Type == catalog.Busbar || p.at[c] >= 0 {
			continue
		}
		if o := p.best(c, rank); o >= 0 {
			p.plug(c, o)
		} else {
			p.makeRoom(c, rank)
		}
		plugged(c)
	}
}

// onFeed is what is plugged into a feed so far.
func (p *plugger) onFeed(feed int) units.Power {
	sum := units.Power(0)
	for s := range p.Supplies {
		if p.Supplies[s].Feed == feed {
			sum += p.load[s][0]
		}
	}
	return sum
}

// best finds the free outlet for a cord: on the feed of the lowest rank, the one that it had, of a type for this cord
// alone, then on the phase and on the supply with the smallest load. It returns -1 where none is free.
func (p *plugger) best(c int, rank func(supply int) int) int {
	fits := catalog.Outlets(p.Cords[c].Type)
	best, least := -1, [5]float64{}
	for o := range p.outlets {
		out := &p.outlets[o]
		kind := slices.Index(fits, out.kind)
		if out.cord >= 0 || kind < 0 {
			continue
		}
		load, other := &p.load[out.supply], 1.0
		if p.had(c, o) {
			other = 0
		}
		is := [5]float64{float64(rank(out.supply)), other, float64(kind), float64(load[out.phase]), float64(load[0])}
		if best < 0 || slices.Compare(is[:], least[:]) < 0 {
			best, least = o, is
		}
	}
	return best
}

// had reports whether a cord had an outlet already.
func (p *plugger) had(c, o int) bool {
	return p.kept[c] == Outlet{p.outlets[o].supply, p.outlets[o].number}
}

// plug plugs a cord into an outlet.
func (p *plugger) plug(c, o int) {
	out := &p.outlets[o]
	out.cord, p.at[c] = c, o
	p.load[out.supply][0] += p.watts[c]
	p.load[out.supply][out.phase] += p.watts[c]
}

// makeRoom moves a cord from an outlet that takes two types of plugs to a free one of its own, on the same feed if it
// can and rather one that did not have its outlet before, and plugs another in. Only these outlets take two types:
// where no such move is found, no other moves would make room.
func (p *plugger) makeRoom(c int, rank func(supply int) int) {
	fits := catalog.Outlets(p.Cords[c].Type)
	from, to, least := -1, -1, 0
	for o := range p.outlets {
		out := &p.outlets[o]
		if out.cord < 0 || !slices.Contains(fits, out.kind) {
			continue
		}
		elsewhere := func(supply int) int {
			if p.Supplies[supply].Feed == p.Supplies[out.supply].Feed {
				return 0
			}
			return 1
		}
		other := p.best(out.cord, elsewhere)
		if other < 0 {
			continue
		}
		is := 4*rank(out.supply) + elsewhere(p.outlets[other].supply)
		if p.had(out.cord, o) {
			is += 2
		}
		if from < 0 || is < least {
			from, to, least = o, other, is
		}
	}
	if from < 0 {
		return
	}
	moved, out := p.outlets[from].cord, &p.outlets[from]
	p.load[out.supply][0] -= p.watts[moved]
	p.load[out.supply][out.phase] -= p.watts[moved]
	p.plug(moved, to)
	p.plug(c, from)
}

// finish writes down where cords are plugged in. Places on the busbar that boxes had keep their numbers, and others
// have numbers above these.
func (p *plugger) finish() {
	clips := map[int]bool{} // numbers that are taken
	last := 0
	for c := range p.Cords {
		if k := p.kept[c]; p.bar && p.Cords[c].Type == catalog.Busbar && k.Supply == Bar && !clips[k.Number] {
			clips[k.Number], last = true, max(last, k.Number)
			p.Cords[c].Supply, p.Cords[c].Outlet, p.Cords[c].Fits = Bar, k.Number, catalog.Busbar
		}
	}
	for c := range p.Cords {
		cord := &p.Cords[c]
		switch {
		case cord.Supply == Bar:
		case cord.Type == catalog.Busbar && p.bar:
			last++
			cord.Supply, cord.Outlet, cord.Fits = Bar, last, catalog.Busbar
		case p.at[c] >= 0:
			o := &p.outlets[p.at[c]]
			cord.Supply, cord.Outlet, cord.Fits, cord.Phase = o.supply, o.number, o.kind, o.phase
		}
	}
}

// CordsOf are the cords of a box.
func (r *Rack) CordsOf(box int) []Cord { return r.Cords[r.first[box]:r.first[box+1]] }

// Needs is how many inlets of a box must have power for it to run. It is not known where the part does not state the
// redundancy of several inlets: the box is taken to run on one of them then.
func (r *Rack) Needs(box int) (inlets int, known bool) {
	n := r.first[box+1] - r.first[box]
	spare, known := r.Boxes[box].Part.Redundancy.Spare(n)
	if !known {
		return min(n, 1), n == 0
	}
	return n - spare, true
}

// Loads is what is drawn in a rack.
type Loads struct {
	Cords []units.Power // of each cord
	// Phases is what each supply draws on each phase for what it gives and for itself: a third on each for a busbar.
	Phases [][3]units.Power
	// Unplugged is what boxes without an outlet draw.
	Unplugged units.Power
	// Dark are the boxes that run with all feeds and do not without one, in ascending order. Tripped are the supplies
	// that switch off as breakers trip, or as they cannot give so much, once the feed is lost.
	Dark, Tripped []int
}

// NoFeed is not a feed, for With all of them.
const NoFeed = -1

// Without computes the loads after the loss of a feed, of none by NoFeed. Boxes spread what they draw evenly over their
// inlets with power. Figures are those before anything else switches off; Dark also has the boxes that lose their power
// as supplies are overloaded, until no further one is.
func (r *Rack) Without(feed int) *Loads {
	if feed == NoFeed {
		l, _ := r.loads(r.fed())
		return l
	}
	return r.after(func(s int) bool { return r.Supplies[s].Feed == feed })
}

// WithoutSupplies computes the loads after the loss of some supplies, as Without does for a feed.
func (r *Rack) WithoutSupplies(lost []int) *Loads {
	return r.after(func(s int) bool { return slices.Contains(lost, s) })
}

// fed reports for each supply whether it hangs on a feed.
func (r *Rack) fed() []bool {
	out := make([]bool, len(r.Supplies))
	for s := range out {
		out[s] = r.Supplies[s].Feed >= 0
	}
	return out
}

// after computes the loads after the loss of supplies.
func (r *Rack) after(lost func(supply int) bool) *Loads {
	live := r.fed()
	for s := range live {
		live[s] = live[s] && !lost(s)
	}
	first, runs := r.loads(live)
	for l := first; ; l, runs = r.loads(live) {
		over := 0
		for s := range live {
			if live[s] && r.Overloaded(s, l.Phases[s]) {
				live[s] = false
				first.Tripped = append(first.Tripped, s)
				over++
			}
		}
		if over == 0 {
			break
		}
	}
	slices.Sort(first.Tripped)
	_, before := r.loads(r.fed())
	for b := range r.Boxes {
		if before[b] && !runs[b] {
			first.Dark = append(first.Dark, b)
		}
	}
	return first
}

// loads computes what is drawn while some supplies have power, and which boxes run.
func (r *Rack) loads(live []bool) (*Loads, []bool) {
	l := &Loads{Cords: make([]units.Power, len(r.Cords)), Phases: make([][3]units.Power, len(r.Supplies))}
	runs := make([]bool, len(r.Boxes))
	share := r.shares(live)
	bar := units.Power(0)
	for b := range r.Boxes {
		power := r.Boxes[b].Power
		on, plugged := 0, 0
		powered := func(c *Cord) bool {
			return c.Supply >= 0 && live[c.Supply] || c.Supply == Bar && share != nil
		}
		cords := r.CordsOf(b)
		for i := range cords {
			if cords[i].Supply != Nothing {
				plugged++
			}
			if powered(&cords[i]) {
				on++
			}
		}
		if plugged == 0 {
			l.Unplugged += power
			continue
		}
		if need, _ := r.Needs(b); on < need {
			continue
		}
		runs[b] = true
		each := power / units.Power(on)
		for i := range cords {
			c := &cords[i]
			if !powered(c) {
				continue
			}
			l.Cords[r.first[b]+i] = each
			if c.Supply == Bar {
				bar += each
			} else {
				l.Phases[c.Supply][max(c.Phase, 1)-1] += r.Supplies[c.Supply].Draws(each)
			}
		}
	}
	for s := range r.Supplies {
		if !live[s] {
			continue
		}
		even := r.Supplies[s].Own
		if share != nil {
			even += r.Supplies[s].Draws(bar * units.Power(share[s]))
		}
		phases := max(r.Supplies[s].Phases, 1)
		for i := range phases {
			l.Phases[s][i] += even / units.Power(phases)
		}
	}
	return l, runs
}

// shares is the share of each supply in what the busbar gives: in proportion to the most that each can give, the same
// where one does not state it. It is nil where no supply gives power to a bar.
func (r *Rack) shares(live []bool) []float64 {
	out := make([]float64, len(r.Supplies))
	sum, stated := 0.0, true
	for s := range r.Supplies {
		if live[s] && r.Supplies[s].HasBar() {
			out[s] = float64(r.Supplies[s].Power)
			stated = stated && out[s] > 0
		}
	}
	for s := range out {
		if live[s] && r.Supplies[s].HasBar() {
			if !stated {
				out[s] = 1
			}
			sum += out[s]
		}
	}
	if sum == 0 {
		return nil
	}
	for s := range out {
		out[s] /= sum
	}
	return out
}

// Given is what a supply gives where it draws so much on its phases.
func (s *Supply) Given(phases [3]units.Power) units.Power { return s.Gives(Sum(phases) - s.Own) }

// Sum is what a supply draws over all phases.
func Sum(phases [3]units.Power) units.Power { return phases[0] + phases[1] + phases[2] }

// Lines is the current in each line of a supply; zero where its voltage is not stated. In delta, a line carries the
// currents of two pairs of phases, which are 120 degrees apart: two equal ones make the square root of 3 of one.
func (s *Supply) Lines(phases [3]units.Power) (out [3]units.Current) {
	volts := float64(s.OutletVolts())
	if volts <= 0 {
		return out
	}
	var amps [3]float64
	for i := range amps {
		amps[i] = float64(phases[i]) / volts
	}
	if s.IsDelta() {
		for i := range amps { // line 1 is in the pairs 3-1 and 1-2
			a, b := amps[i], amps[(i+2)%3]
			out[i] = units.Current(math.Sqrt(a*a + b*b + a*b))
		}
		return out
	}
	for i := range amps {
		out[i] = units.Current(amps[i])
	}
	return out
}

// rounding is what sums of watts and amperes may be off.
const rounding = 1e-6

// Overloaded reports whether a supply gives more than its breaker carries or more than it can.
func (r *Rack) Overloaded(supply int, phases [3]units.Power) bool {
	s := &r.Supplies[supply]
	if s.Power > 0 && s.Given(phases) > s.Power+rounding {
		return true
	}
	lines := s.Lines(phases)
	return s.Breaker > 0 && slices.Max(lines[:]) > s.Breaker+rounding
}
