package embed

import (
	"cmp"
	"errors"
	"slices"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/embed/mapping"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
)

// Domain is a type of failure domain: boxes in the same domain may fail together. The types are in the order of their
// usual size, the smallest first.
type Domain uint8

// The domains of a room.
const (
	RackDomain Domain = iota
	RowDomain
	FeedDomain // one domain for each of Problem.Feeds, and one for all positions without a feed
	HallDomain
)

// domainNames are the names of the domain types in messages.
var domainNames = [...]string{RackDomain: "rack", RowDomain: "row", FeedDomain: "feed", HallDomain: "hall"}

// AntiAffinity is an anti-affinity rule: at most AtMost boxes of each of Groups may be in one failure domain. Boxes of
// class Beside do not count.
type AntiAffinity struct {
	Groups []Group
	Within Domain
	AtMost int // at least 1
}

// Group is a set of boxes of which an anti-affinity rule limits how many may be in one failure domain.
type Group struct {
	Name     string // for messages: "spine", "leaf of rail 3"
	Vertices []int32
}

// Feed is a supply of power and the rack positions that draw from it.
type Feed struct {
	Name string
	// Spans are positions of rows; no position is in two feeds.
	Spans []Span
}

// Span is the positions From to To of a row; positions count from 1, rows from 0. To is 0 for all of the row.
type Span struct{ Row, From, To int }

// antiAffinity holds the anti-affinity rules by vertex. While racks are filled, a rule for a larger domain is applied
// to each rack alone, as a rack lies within one domain; the domains themselves are checked once the racks have
// positions.
type antiAffinity struct {
	groups []antiAffinityGroup
	of     [][]int32 // groups of each vertex; nil without rules
}

// antiAffinityGroup is a group of boxes that one rule limits.
type antiAffinityGroup struct {
	Group
	rule   int
	within Domain
	atMost int32
}

// groupCount is the number of boxes of a group in a rack.
type groupCount struct{ group, boxes int32 }

// newAntiAffinity indexes the rules of a problem by vertex.
func (p *Problem) newAntiAffinity() antiAffinity {
	var c antiAffinity
	for i, a := range p.AntiAffinity {
		for _, g := range a.Groups {
			c.groups = append(c.groups, antiAffinityGroup{Group: g, rule: i, within: a.Within, atMost: int32(a.AtMost)})
		}
	}
	if c.groups == nil {
		return c
	}
	kinds := p.Graph.Kinds()
	c.of = make([][]int32, topology.Vertices(p.Graph))
	for i := range c.groups {
		g := &c.groups[i]
		g.Vertices = slices.DeleteFunc(slices.Clone(g.Vertices), func(v int32) bool {
			return p.Kinds[topology.KindOf(kinds, int(v))].Class == Beside
		})
		for _, v := range g.Vertices {
			c.of[v] = append(c.of[v], int32(i))
		}
	}
	return c
}

// wide reports whether a rule has a domain larger than a rack.
func (c *antiAffinity) wide() bool {
	return slices.ContainsFunc(c.groups, func(g antiAffinityGroup) bool { return g.within > RackDomain })
}

// takes reports whether vertex v may be added to a rack without a violation of a rule.
func (c *antiAffinity) takes(r *rackState, v int32) bool {
	if c.of == nil {
		return true
	}
	for _, g := range c.of[v] {
		if i := slices.IndexFunc(r.groupCounts, func(x groupCount) bool { return x.group == g }); i >= 0 &&
			r.groupCounts[i].boxes >= c.groups[g].atMost {
			return false
		}
	}
	return true
}

// add counts a vertex in a rack.
func (c *antiAffinity) add(r *rackState, v int32) {
	if c.of == nil || c.of[v] == nil {
		return
	}
	r.groupCounts = slices.Clone(r.groupCounts) // other states of the rack keep theirs
	for _, g := range c.of[v] {
		i := slices.IndexFunc(r.groupCounts, func(x groupCount) bool { return x.group == g })
		if i < 0 {
			i = len(r.groupCounts)
			r.groupCounts = append(r.groupCounts, groupCount{group: g})
		}
		r.groupCounts[i].boxes++
	}
}

// domains returns the number of the domain of the given type that each rack position is in.
func (p *Problem) domains(room *layout.Room, within Domain) []int32 {
	out := make([]int32, len(room.Places))
	for i := range room.Places {
		at := &room.Places[i]
		switch within {
		case RackDomain:
			out[i] = int32(i)
		case RowDomain:
			out[i] = int32(at.Row)
		case HallDomain:
			out[i] = int32(room.Rows[at.Row].Hall)
		case FeedDomain:
			out[i] = int32(slices.IndexFunc(p.Feeds, func(f Feed) bool {
				return slices.ContainsFunc(f.Spans, func(s Span) bool {
					return s.Row == at.Row && (s.To == 0 || s.From <= at.Number && at.Number <= s.To)
				})
			}))
			if out[i] < 0 {
				out[i] = int32(len(p.Feeds))
			}
		}
	}
	return out
}

// domainName returns the name of a domain for messages, such as "row B".
func (p *Problem) domainName(room *layout.Room, within Domain, domain int32) string {
	switch {
	case within == RackDomain:
		return "rack " + room.Name(int(domain))
	case within == RowDomain:
		return "row " + room.Rows[domain].Name
	case within == HallDomain && len(room.Spec.Halls) > 0:
		return "hall " + room.Spec.Halls[domain].Name
	case within == FeedDomain && int(domain) < len(p.Feeds):
		return "feed " + p.Feeds[domain].Name
	case within == FeedDomain:
		return "the rows and racks that no feed has"
	}
	return "the room"
}

// antiAffinityViolation returns an error about the first group with too many boxes in a domain, which names the domain
// with the most; nil if there is none. places has the rack position of each of the filler's racks.
func (f *filler) antiAffinityViolation(room *layout.Room, places []int32) error {
	_, err := f.violatedGroup(room, places)
	return err
}

// violatedGroup is antiAffinityViolation with the index of the group, -1 if there is none.
func (f *filler) violatedGroup(room *layout.Room, places []int32) (int, error) {
	p := f.p
	for i := range f.antiAffinity.groups {
		g := &f.antiAffinity.groups[i]
		of, count := p.domains(room, g.within), map[int32]int32{}
		worst := int32(-1)
		for _, v := range g.Vertices {
			d := of[places[f.spots[v].rack]]
			if count[d]++; count[d] > g.atMost && (worst < 0 || d == worst || count[d] > count[worst]) {
				worst = d
			}
		}
		if worst >= 0 {
			return i, diag.Fieldf(diag.Elem("AntiAffinity", g.rule),
				"%d of %s in %s, and at most %d of the %d may share a %s",
				count[worst], g.Name, p.domainName(room, g.within, worst), g.atMost, len(g.Vertices),
				domainNames[g.within])
		}
	}
	return -1, nil
}

// checkDomains returns an error if a group needs more domains than the room has; nil if there are enough for all
// groups.
func (fl *floor) checkDomains(room *layout.Room) error {
	p := fl.p
	for i := range fl.f.antiAffinity.groups {
		g := &fl.f.antiAffinity.groups[i]
		of := slices.Clone(p.domains(room, g.within))
		slices.Sort(of)
		n := len(slices.Compact(of))
		if need := (len(g.Vertices) + int(g.atMost) - 1) / int(g.atMost); need > n {
			return diag.Fieldf(diag.Elem("AntiAffinity", g.rule),
				"%d of %s with at most %d in a %s need %s, and there %s %d",
				len(g.Vertices), g.Name, g.atMost, domainNames[g.within],
				english.Count(need, domainNames[g.within]), isOrAre(n), n)
		}
	}
	return nil
}

// remainingViolation returns an error about an anti-affinity rule that is still violated after racks were exchanged;
// nil if there is none.
func (fl *floor) remainingViolation(room *layout.Room, places []int32) error {
	group, err := fl.f.violatedGroup(room, places)
	var violation *diag.FieldError
	if !errors.As(err, &violation) {
		return nil
	}
	why := cmp.Or(fl.fewDomains(room, places, group), "no arrangement of the racks was found that keeps to it")
	return diag.Fieldf(violation.Path, "%s: %s\nallow more, spread the boxes over more racks (per_rack), or give the "+
		"room more positions", violation.Message, why)
}

func isOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// keepApart moves racks to other positions until the anti-affinity rules hold in the domains larger than a rack, and
// reports whether they do. Racks move as short a way as possible: two racks exchange positions, or a rack takes one of
// the free positions. Where that does not suffice, racks are arranged anew (separate). Racks at the ends and in the
// middle of rows exchange positions only with their like, and racks of a block of rows only within it.
func (fl *floor) keepApart(room *layout.Room, places []int32, free []bool) bool {
	f := fl.f
	if !f.antiAffinity.wide() || f.antiAffinityViolation(room, places) == nil {
		return true
	}
	settled := fl.settle(room, places, free)
	if settled == nil || f.antiAffinityViolation(room, settled) != nil {
		if apart := fl.separate(room, places, free); apart != nil {
			if apart = fl.settle(room, apart, free); apart != nil {
				settled = apart
			}
		}
	}
	if settled == nil {
		return false
	}
	copy(places, settled)
	return f.antiAffinityViolation(room, places) == nil
}

// settle exchanges racks until rules and the limits of rows hold, as far as exchanges go, and has those for the ends
// and the middle of rows stand there again. It returns nil if an exchange cannot take the racks.
func (fl *floor) settle(room *layout.Room, places []int32, free []bool) []int32 {
	m, err := fl.exchangeProblem(room, places, free)
	if err != nil {
		return nil
	}
	settled, err := mapping.Settle(m, places, fl.p.Seed)
	if err != nil {
		return nil
	}
	restoreEnds(room, fl.f.racks, settled, free)
	return settled
}

// restoreEnds exchanges racks within their rows, so that racks of class EndOfRow are at the ends again and those of
// class MiddleOfRow in the middle.
func restoreEnds(room *layout.Room, racks []filledRack, places []int32, free []bool) {
	rackAt := make([]int32, len(room.Places))
	for i := range rackAt {
		rackAt[i] = -1
	}
	for r, place := range places {
		rackAt[place] = int32(r)
	}
	swap := func(a, b int32) {
		rackAt[a], rackAt[b] = rackAt[b], rackAt[a]
		for _, place := range [2]int32{a, b} {
			if r := rackAt[place]; r >= 0 {
				places[r] = place
			}
		}
	}
	for i := range room.Rows {
		row := slices.DeleteFunc(slices.Clone(room.Rows[i].Position), func(place int32) bool {
			return place < 0 || !free[place] && rackAt[place] < 0
		})
		gather := func(class Class, first func(n int) int) int {
			is := func(place int32) bool { return rackAt[place] >= 0 && racks[rackAt[place]].home.class == class }
			n := 0
			for _, place := range row {
				if is(place) {
					n++
				}
			}
			to := row[first(n):][:n]
			for _, place := range row {
				if !is(place) || slices.Contains(to, place) {
					continue
				}
				if into := slices.IndexFunc(to, func(p int32) bool {
					return !is(p) && room.Places[p].Type == room.Places[place].Type
				}); into >= 0 {
					swap(place, to[into])
				}
			}
			return n
		}
		n := gather(EndOfRow, func(n int) int { return len(row) - n })
		row = row[:len(row)-n]
		gather(MiddleOfRow, func(n int) int { return (len(row) - n) / 2 })
	}
}

// exchangeProblem returns the mapping problem whose vertices are racks and whose sites are the rack positions of the
// room. It has no edges: only limits, rules, and the distances between positions count.
func (fl *floor) exchangeProblem(room *layout.Room, places []int32, free []bool) (*mapping.Problem, error) {
	f := fl.f
	n, sites := len(f.racks), len(room.Places)
	m := &mapping.Problem{
		Resources: []string{"racks"}, Capacity: slices.Repeat([]int64{1}, sites),
		Allowed: make([]uint64, n), PlaceClass: make([]uint8, sites),
	}
	x, y := make([]int32, sites), make([]int32, sites)
	all := make([]int32, sites)
	for i := range room.Places {
		all[i] = int32(i)
		x[i], y[i] = millimetres(room.Places[i].X), millimetres(room.Places[i].Y)
		if !free[i] {
			m.PlaceClass[i] = noClass
		}
	}
	types := len(room.Spec.Types) + 1
	first := func(block, of int) uint8 { return uint8(block*types+of) * classes }
	for i, block := range (&filled{f: f, room: room, places: places}).blockOf() {
		for _, place := range room.Rows[i].Position {
			if place >= 0 && free[place] {
				m.PlaceClass[place] = first(block, room.Places[place].Type)
			}
		}
	}
	for r := range f.racks {
		class := positionClass(f.racks[r].home.class)
		at := first(f.racks[r].home.block, f.racks[r].state.of)
		m.PlaceClass[places[r]] = at + class
		m.Allowed[r] = map[uint8]uint64{
			0:           1 | 1<<nextEnd | 1<<nextMiddle,
			endClass:    1<<endClass | 1<<nextEnd,
			middleClass: 1<<middleClass | 1<<nextMiddle,
		}[class] << at
	}
	nextInRows(room, m.PlaceClass)
	var err error
	if m.Costs, err = mapping.Taxicab(x, y, nil); err != nil {
		return nil, err
	}
	if m.Graph, err = mapping.NewGraph(n, nil); err != nil {
		return nil, err
	}
	if s := &room.Spec; s.RowPower > 0 || s.RowWeight > 0 {
		rowLimits(m, &filled{f: f, room: room, places: places}, all, places)
	}
	f.rackRules(m, room, all)
	return m, nil
}

// Classes of rack positions in an exchange. A rack at the end or in the middle of a row may exchange with another such
// rack, or take the position where the next such rack of a row would stand. All other racks, those of network rows
// too, are of class 0.
const (
	endClass    = 1  // held by a rack at the end of a row
	middleClass = 2  // held by a rack in the middle of a row
	nextEnd     = 3  // where the next rack at the end of the row would stand
	nextMiddle  = 4  // where the next rack in the middle of the row would stand
	classes     = 5  // number of classes of each block and rack type
	noClass     = 63 // of positions that no rack may take
)

// mostSorts is the highest number of pairs of a block (with the racks of no block as one more) and a rack type in an
// exchange; a mapping problem has 64 classes of sites.
const mostSorts = noClass / classes

// positionClass returns the class of the positions that racks of class c hold.
func positionClass(c Class) uint8 {
	switch c {
	case EndOfRow:
		return endClass
	case MiddleOfRow:
		return middleClass
	}
	return 0
}

// nextInRows marks, in every row, the position that a further rack at its end would take and the one that a further
// rack in its middle would take: it changes their class from 0 to nextEnd and nextMiddle.
func nextInRows(room *layout.Room, class []uint8) {
	for i := range room.Rows {
		var row []int32
		for _, place := range room.Rows[i].Position {
			if place >= 0 && class[place] != noClass {
				row = append(row, place)
			}
		}
		for at := len(row) - 1; at >= 0; at-- {
			if class[row[at]]%classes != endClass {
				if class[row[at]]%classes == 0 {
					class[row[at]] += nextEnd
				}
				break
			}
		}
		for away := range len(row) { // from the middle, on both sides in turn
			at := len(row)/2 + (away+1)/2*(1-2*(away&1))
			if at < 0 || at >= len(row) || class[row[at]]%classes == middleClass {
				continue
			}
			if class[row[at]]%classes == 0 {
				class[row[at]] += nextMiddle
			}
			break
		}
	}
}

// rackRules adds the anti-affinity rules of domains larger than a rack to a mapping problem whose vertices are racks.
// sites has the rack position of each site of the problem.
func (f *filler) rackRules(m *mapping.Problem, room *layout.Room, sites []int32) {
	layers := map[Domain]int{}
	members := make([][]groupCount, len(f.antiAffinity.groups)) // of each group: rack (in field group) and its boxes
	for r := range f.racks {
		for _, c := range f.racks[r].state.groupCounts {
			members[c.group] = append(members[c.group], groupCount{int32(r), c.boxes})
		}
	}
	for i := range f.antiAffinity.groups {
		g := &f.antiAffinity.groups[i]
		if g.within == RackDomain {
			continue
		}
		rule := mapping.AntiAffinity{AtMost: int(g.atMost), Layer: f.p.layer(m, layers, g.within, room, sites)}
		for _, c := range members[i] {
			rule.Vertices, rule.Times = append(rule.Vertices, c.group), append(rule.Times, c.boxes)
		}
		if len(rule.Vertices) > 0 {
			m.AntiAffinity = append(m.AntiAffinity, rule)
		}
	}
}

// layer returns the number of the layer of m that divides its sites into domains, 0 for racks, which need none. It adds
// the layer if m has none for the domain type yet. sites has the rack position of each site; layers has the numbers of
// the layers added so far.
func (p *Problem) layer(
	m *mapping.Problem, layers map[Domain]int, within Domain, room *layout.Room, sites []int32,
) int {
	if within == RackDomain {
		return 0
	}
	if layers[within] == 0 {
		of := p.domains(room, within)
		layer := mapping.Layer{Of: make([]int32, len(sites))}
		for i, s := range sites {
			layer.Of[i] = of[s]
		}
		m.Layers = append(m.Layers, layer)
		layers[within] = len(m.Layers)
	}
	return layers[within]
}
