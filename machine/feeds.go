package machine

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine/power"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// PowerPlan is which inlet is plugged into which outlet, and what the feeds of the room give.
type PowerPlan struct {
	Feeds []string // names in the order of room.feeds; power.Supply.Feed is an index into them
	Racks []PoweredRack
}

// PoweredRack is the power of a rack.
type PoweredRack struct {
	*power.Rack
	Place int32 // in Layout.Room.Places
	Row   int   // in Layout.Room.Rows
	// BoxAt and SupplyAt are the vertices of Rack.Boxes and Rack.Supplies.
	BoxAt, SupplyAt []int32
	Normal          *power.Loads   // with all feeds
	Without         []*power.Loads // after the loss of a feed, by feed; nil where the rack does not hang on it
	// Losses are the losses of supplies that the template of the rack states a redundancy of.
	Losses []SupplyLoss
	// Unfed says why supplies have no feed, by their number in Rack.Supplies; supplies with a feed are not in it.
	Unfed map[int]string
}

// SupplyLoss is the loss of as many supplies of a rack as may fail together by a redundancy: of all choices the one
// with most boxes dark, then the one in which another supply gives most.
type SupplyLoss struct {
	Redundancy catalog.Redundancy
	Lost       []int // of Rack.Supplies
	Loads      *power.Loads
	Most       int // of Rack.Supplies: the other one that gives most then; -1 for none
}

// supplyLosses finds the losses of the supplies of each entry of the template, whose supplies it is given.
func (rack *PoweredRack) supplyLosses(of map[*spec.Held][]int, holds []spec.Held) {
	for i := range holds {
		held := &holds[i]
		spare, _ := held.Redundancy.Spare(len(of[held]))
		if spare == 0 {
			continue
		}
		worst := SupplyLoss{Redundancy: held.Redundancy, Most: -1}
		choose(rack.alike(of[held], spare), spare, nil, func(lost []int) {
			l := SupplyLoss{held.Redundancy, slices.Clone(lost), rack.WithoutSupplies(lost), -1}
			for s := range rack.Supplies {
				if l.Most < 0 || rack.given(s, l.Loads) > rack.given(l.Most, l.Loads)+1e-9 {
					l.Most = s
				}
			}
			if worst.Loads == nil || cmp.Or(cmp.Compare(len(l.Loads.Dark), len(worst.Loads.Dark)),
				cmp.Compare(rack.given(l.Most, l.Loads), rack.given(worst.Most, worst.Loads))) > 0 {
				worst = l
			}
		})
		rack.Losses = append(rack.Losses, worst)
	}
}

// mostLosses is how many choices of supplies with outlets of their own are tried, each in a time that grows with the
// cords of a rack.
const mostLosses = 5000

// alike groups the supplies of an entry whose losses do the same: those of one feed that give to the busbar. One with
// outlets of its own takes down the boxes on these, so it is a group by itself; those of one feed count as alike only
// where there are more than mostLosses choices of n.
func (rack *PoweredRack) alike(supplies []int, n int) [][]int {
	single := choices(len(supplies), n) <= mostLosses
	byFeed, out := map[int][]int{}, [][]int(nil)
	for _, s := range supplies {
		if single && !rack.Supplies[s].HasBar() {
			out = append(out, []int{s})
			continue
		}
		byFeed[rack.Supplies[s].Feed] = append(byFeed[rack.Supplies[s].Feed], s)
	}
	for _, feed := range slices.Sorted(maps.Keys(byFeed)) {
		out = append(out, byFeed[feed])
	}
	return out
}

// choices is in how many ways n of a number of things can be chosen, as far as it is not above mostLosses.
func choices(of, n int) int {
	out := 1
	for i := range min(n, of-n) {
		if out = out * (of - i) / (i + 1); out > mostLosses {
			break
		}
	}
	return out
}

// choose visits the choices of n things out of groups of like ones: the first ones of each.
func choose(groups [][]int, n int, chosen []int, visit func([]int)) {
	if n == 0 {
		visit(chosen)
		return
	}
	if len(groups) == 0 {
		return
	}
	for k := min(n, len(groups[0])); k >= 0; k-- {
		choose(groups[1:], n-k, append(chosen[:len(chosen):len(chosen)], groups[0][:k]...), visit)
	}
}

// given is what a supply gives to others.
func (rack *PoweredRack) given(s int, l *power.Loads) units.Power {
	return rack.Supplies[s].Given(l.Phases[s])
}

// loss is what a supply draws with all feeds beyond what it gives to others and needs itself; 0 without a feed, and
// where its part states no efficiency.
func (rack *PoweredRack) loss(s int) units.Power {
	if rack.Supplies[s].Feed < 0 || rack.Supplies[s].Efficiency == 0 {
		return 0
	}
	return power.Sum(rack.Normal.Phases[s]) - rack.Supplies[s].Own - rack.given(s, rack.Normal)
}

// hasPowerSchedule reports whether the machine is in racks, and has feeds and boxes with outlets.
func (r *resolved) hasPowerSchedule() bool {
	return len(r.spec.Room.Feeds) > 0 && r.tree == nil && slices.ContainsFunc(r.boxes, func(b *cabling.Box) bool {
		return b != nil && b.Part.Supply != nil
	})
}

// powerPlan plugs power inlets in, rack by rack, as many as there are outlets for (power.New). It returns nil for a
// machine without a power schedule (hasPowerSchedule).
func (r *resolved) powerPlan(pl *embed.Placement, s *cabling.Schedule) *PowerPlan {
	if !r.hasPowerSchedule() {
		return nil
	}
	out := &PowerPlan{}
	for i := range r.spec.Room.Feeds {
		out.Feeds = append(out.Feeds, r.spec.Room.Feeds[i].Name)
	}
	room, kinds := pl.Layout.Room, r.graph.Kinds()
	in := make([][]int32, len(room.Places))
	for v := range topology.Vertices(r.graph) {
		place := pl.Layout.Container(layout.RackLevel, pl.Slot[v])
		in[place] = append(in[place], int32(v))
	}
	draws, before := r.embedding().Kinds, r.existing.findCords()
	for i := range pl.Racks {
		place := pl.Racks[i].Place
		boxes := in[place]
		slices.SortStableFunc(boxes, func(a, b int32) int {
			return cmp.Compare(pl.Layout.Unit(pl.Slot[a]), pl.Layout.Unit(pl.Slot[b]))
		})
		rack := PoweredRack{Place: place, Row: room.Places[place].Row, Unfed: map[int]string{}}
		feeds := r.newHanger(room, &pl.Racks[i])
		var supplies []power.Supply
		var fed []power.Box
		of := map[*spec.Held][]int{}
		for _, v := range boxes {
			kind := topology.KindOf(kinds, int(v))
			part, draw := s.Boxes[kind].Part, draws[kind].Power+s.Drawn[v]
			if part.Supply == nil {
				rack.BoxAt = append(rack.BoxAt, v)
				fed = append(fed, power.Box{Part: part, Power: draw})
				continue
			}
			supply := power.Supply{Supply: *part.Supply, Own: draw}
			held := feeds.held(kind, part, pl.Layout.Unit(pl.Slot[v]))
			if held != nil {
				of[held] = append(of[held], len(supplies))
			}
			var why string
			if supply.Feed, why = feeds.of(kind, held); supply.Feed < 0 {
				rack.Unfed[len(supplies)] = why
			} else {
				f := &r.spec.Room.Feeds[supply.Feed]
				supply.Volts = supply.OnFeed(f.Volts)
				if f.Breaker > 0 && (supply.Breaker == 0 || f.Breaker < supply.Breaker) {
					supply.Breaker = f.Breaker
				}
			}
			rack.SupplyAt = append(rack.SupplyAt, v)
			supplies = append(supplies, supply)
		}
		rack.Rack = power.New(fed, supplies, before.in(fed, rack.BoxAt, rack.SupplyAt))
		rack.Normal = rack.Rack.Without(power.NoFeed)
		for f := range out.Feeds {
			var lost *power.Loads
			if slices.ContainsFunc(supplies, func(s power.Supply) bool { return s.Feed == f }) {
				lost = rack.Rack.Without(f)
			}
			rack.Without = append(rack.Without, lost)
		}
		if feeds.template != nil {
			rack.supplyLosses(of, feeds.template.Holds)
		}
		out.Racks = append(out.Racks, rack)
	}
	return out
}

// hanger says which feed the boxes with outlets of a rack hang on.
type hanger struct {
	r        *resolved
	template *spec.RackTemplate // nil for none
	rack     string
	here     []int       // feeds that have the rack
	feeds    []int       // of the rack, which the boxes of each kind take in turn
	turn     map[int]int // boxes that have taken one of feeds, by kind
	beside   map[int]int // boxes beside the units so far, by kind
}

// newHanger begins with the boxes of a rack: those of each kind take the feeds of its template in turn or, where that
// names none, the feeds that have the position of the rack.
func (r *resolved) newHanger(room *layout.Room, rack *embed.Rack) *hanger {
	h := &hanger{r: r, rack: room.Name(int(rack.Place)), turn: map[int]int{}, beside: map[int]int{}}
	h.here = r.feedsAt(room, rack.Place)
	h.feeds = h.here
	for i := range r.spec.Racks {
		if t := &r.spec.Racks[i]; t.Name == rack.Name {
			h.template = t
			if t.Feeds != nil {
				h.feeds = nil
			}
			for _, name := range t.Feeds {
				h.feeds = append(h.feeds, r.feed(name))
			}
		}
	}
	return h
}

// feedsAt returns the feeds that have a rack position by room.feeds: a feed without a list of racks has all positions.
func (r *resolved) feedsAt(room *layout.Room, place int32) []int {
	var out []int
	for i := range r.spec.Room.Feeds {
		f := &r.spec.Room.Feeds[i]
		if len(f.Racks) == 0 || slices.ContainsFunc(f.Racks, func(entry string) bool {
			return r.hasPlace(room, entry, place)
		}) {
			out = append(out, i)
		}
	}
	return out
}

// hasPlace reports whether an entry of a list, such as A, B03 or B01-B12, names a rack position.
func (r *resolved) hasPlace(room *layout.Room, entry string, place int32) bool {
	at := &room.Places[place]
	return slices.ContainsFunc(spec.Spans(r.room, entry), func(s spec.RackSpan) bool {
		return s.Has(at.Row, at.Number)
	})
}

// feed returns the number of the feed of a name, -1 if there is none.
func (r *resolved) feed(name string) int {
	return slices.IndexFunc(r.spec.Room.Feeds, func(f spec.Feed) bool { return f.Name == name })
}

// of returns the feed of the next box of a kind, which an entry of the template holds, nil for none; -1, and why,
// without a feed. It is called once for each box, as boxes take feeds in turn.
func (h *hanger) of(kind int, held *spec.Held) (feed int, why string) {
	switch {
	case held != nil && held.Feed != "":
		feed = h.r.feed(held.Feed)
	case len(h.feeds) == 0:
		return -1, "no feed of room.feeds has the rack"
	default:
		feed = h.feeds[h.turn[kind]%len(h.feeds)]
		h.turn[kind]++
	}
	if !slices.Contains(h.here, feed) {
		return -1, fmt.Sprintf("its racks (%s) draw from feed %s, which does not have this rack by room.feeds",
			h.template.Name, h.r.spec.Room.Feeds[feed].Name)
	}
	return feed, ""
}

// held returns the entry of the template that holds the next box of a kind, at a rack unit; nil for none. Each call
// counts a box.
func (h *hanger) held(kind int, part *catalog.Part, unit int) *spec.Held {
	if h.template == nil {
		return nil
	}
	nth := h.beside[kind]
	h.beside[kind]++
	word := h.r.wordsOfKinds()[kind]
	for i := range h.template.Holds {
		held := &h.template.Holds[i]
		if !held.Names(word) {
			continue
		}
		if part.ZeroU {
			n := held.Places(0)
			if nth < n {
				return held
			}
			nth -= n
			continue
		}
		for _, p := range held.Units {
			if s, ok := p.Stretch(); ok && s.First <= unit && unit <= s.Last {
				return held
			}
		}
	}
	return nil
}

// few lists boxes by name: all of up to four, else the first three and how many more there are.
func few(s *cabling.Schedule, vertices []int32) string {
	const most = 3
	var out []string
	for i, v := range vertices {
		if i == most && len(vertices) > most+1 {
			out = append(out, fmt.Sprintf("%d more", len(vertices)-most))
			break
		}
		out = append(out, s.Device(v))
	}
	return english.List(out)
}

// states calls visit for the loads of a rack with all feeds, without each of those that it hangs on, and without the
// supplies that may fail.
func (p *PowerPlan) states(rack *PoweredRack, s *cabling.Schedule, visit func(when string, l *power.Loads)) {
	visit("", rack.Normal)
	for f, l := range rack.Without {
		if l != nil {
			visit(" without feed "+p.Feeds[f], l)
		}
	}
	for i := range rack.Losses {
		visit(" without "+few(s, rack.lost(&rack.Losses[i])), rack.Losses[i].Loads)
	}
}

// lost are the vertices of the supplies of a loss.
func (rack *PoweredRack) lost(l *SupplyLoss) []int32 {
	var out []int32
	for _, s := range l.Lost {
		out = append(out, rack.SupplyAt[s])
	}
	return out
}

// checkFeeds holds the loads of feeds against the rules of power.
func (r *resolved) checkFeeds(v *cabling.Violations, p *PowerPlan, s *cabling.Schedule) {
	room := s.Placement.Layout.Room
	for i := range p.Racks {
		rack := &p.Racks[i]
		name := room.Name(int(rack.Place))
		rack.checkOutlets(v, name, s, r.tooFewBeside(s.Placement, &s.Placement.Racks[i]))
		p.states(rack, s, func(when string, l *power.Loads) {
			r.checkLoads(v, rack, name, when, l, s)
		})
		for f, l := range rack.Without {
			if l != nil {
				rack.checkDark(v, name, "feed "+p.Feeds[f], l, s)
			}
		}
		for i := range rack.Losses {
			l := &rack.Losses[i]
			what := fmt.Sprintf("%s (redundancy %s)", few(s, rack.lost(l)), l.Redundancy)
			rack.checkDark(v, name, what, l.Loads, s)
		}
	}
	p.checkRows(v, r.spec.Room.Feeds, room)
}

// checkDark reports the boxes that go dark after a loss.
func (rack *PoweredRack) checkDark(
	v *cabling.Violations, name, lost string, l *power.Loads, s *cabling.Schedule,
) {
	if len(l.Dark) == 0 {
		return
	}
	dark, tripped := rack.dark(l), []int32(nil)
	for _, b := range l.Tripped {
		tripped = append(tripped, rack.SupplyAt[b])
	}
	also := ""
	if tripped != nil {
		also = "; " + few(s, tripped) + " would be overloaded and switch off"
	}
	v.Add(cabling.RuleFeedLoss, name, "without %s, %s: %s%s", lost,
		english.Count(len(dark), "box")+" "+goes(len(dark))+" dark", few(s, dark), also)
}

func goes(n int) string {
	if n == 1 {
		return "goes"
	}
	return "go"
}

// tooFewBeside says which count of the file leaves a rack without boxes with outlets beside its units; "" for none.
func (r *resolved) tooFewBeside(pl *embed.Placement, rack *embed.Rack) string {
	kinds := r.graph.Kinds()
	for i, b := range r.boxes {
		pack := r.packs[i]
		if !b.Part.ZeroU || b.Part.Supply == nil || pack.Racks != "" && pack.Racks != rack.Name ||
			slices.ContainsFunc(r.spec.Racks, func(t spec.RackTemplate) bool { return t.Name == pack.Racks }) {
			continue // templates say how many their racks hold
		}
		each, racks := max(pack.PerRack, 1), r.racksFor(pl, i)
		if kinds[i].Count < each*racks {
			return fmt.Sprintf("; boxes[%d].count is %d, too few %s for %d in each of %s: state %d, or leave it out", i,
				kinds[i].Count, kinds[i].Name, each, english.Count(racks, "rack"), each*racks)
		}
	}
	return ""
}

// checkOutlets finds supplies without a feed and inlets without an outlet. tooFew follows the message about a rack
// without supplies.
func (rack *PoweredRack) checkOutlets(v *cabling.Violations, name string, s *cabling.Schedule, tooFew string) {
	over := map[string][]int32{}
	for i, at := range rack.SupplyAt {
		if why := rack.Unfed[i]; why != "" {
			v.Add(cabling.RuleOutlets, name, "%s hangs on no feed: %s", s.Device(at), why)
		} else if types := rack.Supplies[i].OverVolts(); types != nil {
			text := rack.Supplies[i].OverVoltsText(types)
			over[text] = append(over[text], at)
		}
	}
	for _, text := range slices.Sorted(maps.Keys(over)) {
		v.Add(cabling.RuleOutlets, name, "%s: %s; %s", few(s, over[text]), text, catalog.OverVoltsHelp)
	}
	without := map[string][]int32{}
	count := map[string]int{}
	for i := range rack.Cords {
		c := &rack.Cords[i]
		if c.Supply == power.Nothing {
			count[c.Type]++
			if at := rack.BoxAt[c.Box]; !slices.Contains(without[c.Type], at) {
				without[c.Type] = append(without[c.Type], at)
			}
		}
	}
	have := map[string]int{}
	for i := range rack.Supplies {
		for _, g := range rack.Supplies[i].Outlets {
			if rack.Supplies[i].Feed >= 0 {
				have[g.Type] += max(g.Count, 1)
			}
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(without)) {
		fits := catalog.Outlets(kind)
		var there []string
		for _, o := range fits {
			if n := have[o]; n > 0 {
				there = append(there, fmt.Sprintf("%d of %s", n, o))
			}
		}
		has := "has none"
		if there != nil {
			has = "has " + english.List(there)
		}
		if rack.Supplies == nil {
			has, tooFew = has+" with a feed"+tooFew, ""
		} else {
			has += " with a feed"
		}
		v.Add(cabling.RuleOutlets, name, "%s of type %s have no outlet (%s): %s; the rack %s",
			english.Count(count[kind], "inlet"), kind, strings.Join(fits, " or "), few(s, without[kind]), has)
	}
}

// checkLoads holds the loads of a rack against the ratings of inlets, breakers and supplies. Boxes with inlets of one
// type share a message.
func (r *resolved) checkLoads(
	v *cabling.Violations, rack *PoweredRack, name, when string, l *power.Loads, s *cabling.Schedule,
) {
	worst, over := map[string]units.Current{}, map[string][]int32{}
	for i := range rack.Cords {
		c := &rack.Cords[i]
		most := catalog.InletRating(c.Type)
		if c.Supply < 0 || most == 0 {
			continue
		}
		volts := rack.Supplies[c.Supply].OutletVolts()
		if volts == 0 {
			continue
		}
		if amps := units.Current(float64(l.Cords[i]) / float64(volts)); amps > most+1e-6 {
			worst[c.Type] = max(worst[c.Type], amps)
			if at := rack.BoxAt[c.Box]; !slices.Contains(over[c.Type], at) {
				over[c.Type] = append(over[c.Type], at)
			}
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(over)) {
		whole, _ := cabling.Overshoot(worst[kind], catalog.InletRating(kind), "A")
		v.Add(cabling.RuleOutlets, name, "%s at an inlet %s%s, it takes %v: %s", whole, kind, when,
			catalog.InletRating(kind), few(s, over[kind]))
	}
	for i := range rack.Supplies {
		supply, box := &rack.Supplies[i], s.Device(rack.SupplyAt[i])
		if gives := rack.given(i, l); supply.Power > 0 && gives > supply.Power+1e-6 {
			whole, more := cabling.Overshoot(gives, supply.Power, "W")
			v.Add(cabling.RuleBreaker, name, "%s gives %s%s, it can give %v: %s too much", box, whole, when,
				supply.Power, more)
		}
		if supply.Feed < 0 || supply.Breaker == 0 {
			continue
		}
		share := cmp.Or(r.spec.Room.Feeds[supply.Feed].BreakerLoad, spec.DefaultBreakerLoad)
		limit := units.Current(float64(supply.Breaker) * float64(share) / 100)
		lines := supply.Lines(l.Phases[i])
		if most := slices.Max(lines[:]); most > limit+1e-6 {
			whole, more := cabling.Overshoot(most, limit, "A")
			v.Add(cabling.RuleBreaker, name, "%s draws %s%s%s, %d %% of its breaker of %v are %v: %s too much", box,
				whole, line(supply, slices.Index(lines[:], most)), when, share, supply.Breaker, limit, more)
		}
	}
}

// line names a line of a supply with three phases, "" for a supply with fewer.
func line(s *power.Supply, i int) string {
	if s.Phases < 3 {
		return ""
	}
	return fmt.Sprintf(" on L%d", i+1)
}

// checkRows holds what each feed gives to a row against what it can: with all feeds, and then without each other one.
// It reports the state in which a feed gives the most, of several the first.
func (p *PowerPlan) checkRows(v *cabling.Violations, feeds []spec.Feed, room *layout.Room) {
	for f := range feeds {
		most := feeds[f].RowPower
		if most == 0 {
			continue
		}
		for row := range room.Rows {
			worst, at := units.Power(0), power.NoFeed
			for lost := power.NoFeed; lost < len(feeds); lost++ {
				if gives := p.givenTo(row, f, lost); lost != f && gives > worst+1e-6 {
					worst, at = gives, lost
				}
			}
			if worst <= most+1e-6 {
				continue
			}
			when := ""
			if at >= 0 {
				when = " without feed " + p.Feeds[at]
			}
			whole, more := cabling.Overshoot(worst, most, "W")
			v.Add(cabling.RuleRowPower, "row "+room.Rows[row].Name, "feed %s gives %s%s, it supplies %v to a row: "+
				"%s too little", p.Feeds[f], whole, when, most, more)
		}
	}
}

// givenTo returns what a feed gives to a row after the loss of another, of none by power.NoFeed.
func (p *PowerPlan) givenTo(row, feed, lost int) units.Power {
	sum := units.Power(0)
	for i := range p.Racks {
		if p.Racks[i].Row == row {
			sum += p.Racks[i].powerFrom(feed, lost)
		}
	}
	return sum
}

// powerFrom returns what a feed gives to a rack after the loss of another, of none by power.NoFeed. It can be less than
// before the loss: boxes that need the lost feed go dark.
func (rack *PoweredRack) powerFrom(feed, lost int) units.Power {
	l := rack.Normal
	if lost >= 0 && rack.Without[lost] != nil {
		l = rack.Without[lost]
	}
	sum := units.Power(0)
	for s := range rack.Supplies {
		if rack.Supplies[s].Feed == feed {
			sum += power.Sum(l.Phases[s])
		}
	}
	return sum
}

// Given returns what a feed gives to all racks after the loss of another, of none by power.NoFeed. It can be less than
// before the loss, as boxes that need the lost feed go dark, and is 0 for the lost feed itself.
func (p *PowerPlan) Given(feed, lost int) units.Power {
	sum := units.Power(0)
	for i := range p.Racks {
		sum += p.Racks[i].powerFrom(feed, lost)
	}
	return sum
}

// Lost returns what supplies that state their efficiency lose with all feeds, beyond what they give and need
// themselves; 0 without a plan.
func (p *PowerPlan) Lost() units.Power {
	sum := units.Power(0)
	if p == nil {
		return sum
	}
	for i := range p.Racks {
		rack := &p.Racks[i]
		for s := range rack.Supplies {
			sum += rack.loss(s)
		}
	}
	return sum
}

// FeedOf returns the name of the feed of each box with outlets, by vertex; boxes without a feed are not in it.
func (p *PowerPlan) FeedOf() map[int32]string {
	out := map[int32]string{}
	for i := range p.Racks {
		rack := &p.Racks[i]
		for s, at := range rack.SupplyAt {
			if feed := rack.Supplies[s].Feed; feed >= 0 {
				out[at] = p.Feeds[feed]
			}
		}
	}
	return out
}

// Dark returns the vertices of the boxes that run with all feeds, and not without a feed (an index into Feeds), those
// included that lose their power as other supplies are overloaded and switch off.
func (p *PowerPlan) Dark(feed int) []int32 {
	var out []int32
	for i := range p.Racks {
		if l := p.Racks[i].Without[feed]; l != nil {
			out = append(out, p.Racks[i].dark(l)...)
		}
	}
	return out
}

// DarkWithout returns the same for the loss of each box with outlets, by its vertex.
func (p *PowerPlan) DarkWithout() map[int32][]int32 {
	out := map[int32][]int32{}
	for i := range p.Racks {
		rack := &p.Racks[i]
		for s, at := range rack.SupplyAt {
			out[at] = rack.dark(rack.WithoutSupplies([]int{s}))
		}
	}
	return out
}

// dark are the vertices of the boxes that go dark after a loss.
func (rack *PoweredRack) dark(l *power.Loads) []int32 {
	var out []int32
	for _, b := range l.Dark {
		out = append(out, rack.BoxAt[b])
	}
	return out
}

// feeds reports the feeds of a plan.
func (p *Result) feeds() []report.Feed {
	if p.Power == nil {
		return nil
	}
	var out []report.Feed
	for f, name := range p.Power.Feeds {
		feed := report.Feed{
			Name: name, Power: report.Round(p.Power.Given(f, power.NoFeed)), Dark: len(p.Power.Dark(f)),
		}
		for i := range p.Power.Racks {
			for s := range p.Power.Racks[i].Supplies {
				if p.Power.Racks[i].Supplies[s].Feed == f {
					feed.Supplies++
				}
			}
		}
		worst := feed.Power
		for lost := range p.Power.Feeds {
			if gives := report.Round(p.Power.Given(f, lost)); lost != f && gives > worst {
				worst, feed.WorstPower, feed.WorstLost = gives, gives, p.Power.Feeds[lost]
			}
		}
		out = append(out, feed)
	}
	return out
}

// supplyLosses reports the losses of supplies of a plan.
func (p *Result) supplyLosses() []report.SupplyLoss {
	if p.Power == nil {
		return nil
	}
	var out []report.SupplyLoss
	for i := range p.Power.Racks {
		rack := &p.Power.Racks[i]
		for j := range rack.Losses {
			l := &rack.Losses[j]
			to := report.SupplyLoss{
				Rack: p.Room().Name(int(rack.Place)), Redundancy: string(l.Redundancy), Dark: len(l.Loads.Dark),
				Most: p.Schedule.Device(rack.SupplyAt[l.Most]), Power: report.Round(rack.given(l.Most, l.Loads)),
				MostPower: report.Round(rack.Supplies[l.Most].Power),
			}
			for _, v := range rack.lost(l) {
				to.Lost = append(to.Lost, p.Schedule.Device(v))
			}
			out = append(out, to)
		}
	}
	return out
}

// powerNotes say what is not known of the power schedule.
func (r *resolved) powerNotes(p *PowerPlan, s *cabling.Schedule) []string {
	if p == nil {
		for i := range r.spec.Racks {
			if r.spec.Racks[i].Feeds != nil {
				return append(r.existing.cordNotes(nil, s), "racks "+r.spec.Racks[i].Name+" have feeds, and no box "+
					"has outlets: a part states them as supply; there is no power schedule")
			}
		}
		return r.existing.cordNotes(nil, s)
	}
	out := r.existing.cordNotes(p, s)
	inlets, watts, spare, limits := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	efficient := map[string]int{}
	unplugged := map[string]units.Power{}
	for i := range p.Racks {
		rack := &p.Racks[i]
		for b := range rack.Boxes {
			part := rack.Boxes[b].Part
			if len(part.Inlets) == 0 {
				inlets[part.ID]++
				unplugged[part.ID] += rack.Boxes[b].Power
			}
			if part.LacksPower() {
				watts[part.ID]++
			}
			if _, known := rack.Needs(b); !known {
				spare[part.ID]++
			}
		}
		for i, at := range rack.SupplyAt {
			supply, id := &rack.Supplies[i], r.boxes[topology.KindOf(r.graph.Kinds(), int(at))].Part.ID
			if supply.Volts == 0 || supply.Breaker == 0 {
				limits[id]++
			}
			if supply.Efficiency > 0 {
				efficient[fmt.Sprintf("%s at %v %%", id, float64(supply.Efficiency))]++
			}
		}
	}
	list := func(of map[string]int) string {
		var out []string
		for _, part := range slices.Sorted(maps.Keys(of)) {
			out = append(out, fmt.Sprintf("%s (%s)", part, english.Count(of[part], "box")))
		}
		return english.List(out)
	}
	if uneven := r.unevenPhases(p); uneven != nil {
		out = append(out, "phases are further apart than the largest cord draws, as outlets, or cords that stay, "+
			"leave no other choice: "+english.List(uneven)+"; spread the outlets of each type over the phases")
	}
	if len(inlets) > 0 {
		sum := units.Power(0)
		for _, part := range slices.Sorted(maps.Keys(unplugged)) {
			sum += unplugged[part]
		}
		what := "some boxes are on no outlet"
		if sum > 0 {
			what = fmt.Sprintf("the loads of feeds are without %s, which are on no outlet",
				units.Power(math.Round(float64(sum)*10)/10))
		}
		out = append(out, what+": their parts state no inlets: "+list(inlets))
	}
	if len(watts) > 0 {
		out = append(out, "the loads of feeds are lower bounds: the parts of these state no power: "+list(watts))
	}
	if len(efficient) > 0 {
		out = append(out, "the loads of feeds have what is lost in supplies that state their efficiency, and of no "+
			"others: "+list(efficient))
	}
	if len(spare) > 0 {
		out = append(out, "feed-loss takes boxes to run on one inlet whose part does not state their redundancy: "+
			list(spare))
	}
	if len(limits) > 0 {
		out = append(out, "breaker does not check currents of supplies without a voltage or a breaker, which their "+
			"part or room.feeds states: "+list(limits))
	}
	return out
}

// unevenPhases lists, for each part with outlets, how many boxes of it have uneven phases, and those of the worst one.
func (r *resolved) unevenPhases(p *PowerPlan) (out []string) {
	count, worst := map[string]int{}, map[string][3]units.Power{}
	spread := func(of [3]units.Power) units.Power { return slices.Max(of[:]) - slices.Min(of[:]) }
	for i := range p.Racks {
		rack := &p.Racks[i]
		for s, at := range rack.SupplyAt {
			if !rack.Uneven(s, rack.Normal) {
				continue
			}
			id, phases := r.boxes[topology.KindOf(r.graph.Kinds(), int(at))].Part.ID, rack.Normal.Phases[s]
			if count[id]++; count[id] == 1 || spread(phases) > spread(worst[id])+1e-6 {
				worst[id] = phases
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(count)) {
		var of []string
		for _, w := range worst[id] {
			of = append(of, units.Power(math.Round(float64(w))).String())
		}
		out = append(out, fmt.Sprintf("%s (%s, up to %s on L1, L2 and L3)", id, english.Count(count[id], "box"),
			english.List(of)))
	}
	return out
}
