package topology

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/internal/arith"
	"github.com/plenum-planner/plenum/internal/divisors"
)

// dragonfly is groups of a fully joined switches, with p nodes and up to h
// global channels on each switch and links_per_pair global channels between
// every two groups (J. Kim, W. J. Dally, S. Scott and D. Abts,
// "Technology-driven, highly-scalable dragonfly topology", ISCA 2008, section
// 3.1).
//
// With m channels per pair and g groups, a group has T = m(g-1) global
// channels. Channel e goes to group x+1 + (e mod (g-1)) of group x (modulo g)
// and is channel T-1-e there, so that the copies of a pair are spread over
// both groups. It belongs to switch floor(e a/T), which gives every switch its
// share. With m = 1 and the full a h + 1 groups that is the canonical
// arrangement: channel t of group x goes to group x+1+t from switch floor(t/h).
// Channels between the same two switches, which only m > a brings about, are
// one link.
//
// In the absolute arrangement, channels do not depend on the number of groups,
// so that more groups leave the links between the others as they are: group x
// counts the other groups from 0, and copy q of the channels to the t-th of
// them is channel e = t m + q, on port floor(e/a) of switch e mod a. Names of
// arrangements are those of E. Hastings et al., "Comparing global link
// arrangements for dragonfly networks", CLUSTER 2015; there, a switch has
// consecutive channels.
//
// The kinds are "switch" and "node"; the levels are terminal, local and global; the groupings are "block", a switch
// with its nodes, and "group". Node t of a switch is on its port t; a-1 local ports follow, for the other switches of
// the group in ascending order; then the global ports by the distance x+1, x+2, ... of the group they lead to, or
// by the number of the channel.
type dragonfly struct {
	p, a, h, groups, perPair int
	absolute                 bool // arrangement
	kinds                    []Kind
	levels                   []Level
}

var (
	_ Symmetric   = (*dragonfly)(nil)
	_ Formulas    = (*dragonfly)(nil)
	_ Counted     = (*dragonfly)(nil)
	_ Grouped     = (*dragonfly)(nil)
	_ UsualRouter = (*dragonfly)(nil)
	_ Placeable   = (*dragonfly)(nil)
	_ WorstCase   = (*dragonfly)(nil)
	_ Growable    = (*dragonfly)(nil)
)

func dragonflyLevels() []Level { return []Level{{Name: "terminal"}, {Name: "local"}, {Name: "global"}} }

// Values of Dragonfly.Arrangement.
const (
	// RelativeArrangement counts the global channels of a group by the distance to the other group.
	RelativeArrangement = "relative"
	// AbsoluteArrangement counts them by the number of the other group: the links between groups stay where groups are
	// added.
	AbsoluteArrangement = "absolute"
)

// Arrangements lists the values of Dragonfly.Arrangement.
func Arrangements() []string { return []string{RelativeArrangement, AbsoluteArrangement} }

var arrangementParam = Param{Name: "arrangement", Doc: "how global links are numbered: relative, by the distance to " +
	"the other group, when left out; absolute, by its number, keeps all links between groups where groups are added"}

var dragonflyParams = []Param{
	{Name: "p", Doc: "the number of nodes on each switch, at least 1; required unless local_ports is given"},
	{Name: "a", Doc: "the number of switches in a group, at least 1; required unless local_ports is given"},
	{Name: "h", Doc: "the number of ports for global links on each switch, at least 1; required unless local_ports " +
		"is given"},
	{Name: "groups", Doc: "the number of groups; as many as the global ports allow (a*h + 1 with one link per pair) " +
		"when left out"},
	{Name: "links_per_pair", Doc: "the number of global links between two groups; 1 when left out"},
	{Name: "local_ports", Doc: "makes each node its own switch, with this many links to the others of its group and " +
		"links_per_pair to other groups, in local_ports + 2 groups"},
	localParam,
	arrangementParam,
}

var dragonflyFamily = Family{
	Name:   "dragonfly",
	Doc:    "fully joined groups of switches, with global links between every two groups",
	Source: "J. Kim et al., Technology-driven, highly-scalable dragonfly topology, ISCA 2008, section 3.1",
	Params: dragonflyParams,
	Zero:   Dragonfly{},
	Sizes:  dragonflySizes,
	SizesDoc: "groups of h to 4h switches with h/2 to 2h nodes each, as many as there can be; with a = 2p = 2h " +
		"also fewer; nodes that are their own switches",
}

// Dragonfly is fully joined groups with global links between every two of them: of switches
// with nodes, or of nodes that are their own switches.
type Dragonfly struct {
	P int `yaml:"p,omitempty" json:"p,omitempty"` // nodes on each switch
	A int `yaml:"a,omitempty" json:"a,omitempty"` // switches of a group
	// ports for global links on each switch
	H int `yaml:"h,omitempty" json:"h,omitempty"`
	// as many as the global ports allow when left out
	Groups int `yaml:"groups,omitempty" json:"groups,omitempty"`
	// global links between two groups, 1 when left out
	LinksPerPair int `yaml:"links_per_pair,omitempty" json:"links_per_pair,omitempty"`
	// LocalPorts makes each node its own switch: the links of each within its group, one
	// fewer than the nodes of a group.
	LocalPorts int `yaml:"local_ports,omitempty" json:"local_ports,omitempty"`
	// Local is the network of a group; nil for fully joined groups.
	Local *Local `yaml:"local,omitempty" json:"local,omitempty"`
	// Arrangement of global links: one of Arrangements, RelativeArrangement when empty.
	Arrangement string `yaml:"arrangement,omitempty" json:"arrangement,omitempty"`
}

// Family is "dragonfly".
func (Dragonfly) Family() string { return "dragonfly" }

// Build makes the groups of either form.
func (p Dragonfly) Build(m *Mistakes) Graph {
	if p.LocalPorts != 0 {
		return newDirectDragonfly(p, m)
	}
	if g := newDragonfly(p, m); g != nil {
		return withLocal(g, p.Local, m)
	}
	return nil
}

func newDragonfly(p Dragonfly, m *Mistakes) *dragonfly {
	m.checkMissing(dragonflyParams, map[string]int{"p": p.P, "a": p.A, "h": p.H})
	m.Within("p", p.P, 1, MaxPorts)
	m.Within("a", p.A, 1, MaxPorts)
	m.Within("h", p.H, 1, MaxPorts)
	m.Within("groups", p.Groups, 1, MaxVertices)
	m.Within("links_per_pair", p.LinksPerPair, 1, MaxVertices)
	if p.Arrangement != "" && !slices.Contains(Arrangements(), p.Arrangement) {
		m.Add("arrangement", "must be %s, not %q", strings.Join(Arrangements(), " or "), p.Arrangement)
	}
	if !m.None() {
		return nil
	}
	g := &dragonfly{
		p: p.P, a: p.A, h: p.H, perPair: max(p.LinksPerPair, 1), absolute: p.Arrangement == AbsoluteArrangement,
		levels: dragonflyLevels(),
	}
	m.Ports("h", int64(p.P)+int64(p.A-1)+int64(p.H))
	channels := p.A * p.H
	if g.groups = p.Groups; g.groups == 0 {
		g.groups = channels/g.perPair + 1
	}
	if p.Groups == 0 && g.perPair > channels {
		m.Add("links_per_pair", "a group has %s, too few for %s to another group",
			plural(channels, "global port"), plural(g.perPair, "link"))
	} else if arith.Times(int64(g.perPair), int64(g.groups-1)) > int64(channels) {
		param := "groups"
		if p.LinksPerPair > 1 {
			param = "links_per_pair"
		}
		m.Add(param, "a group has %s, too few for %s to each of %s",
			plural(channels, "global port"), plural(g.perPair, "link"), plural(g.groups-1, "other group"))
	}
	switches := arith.Times(int64(g.groups), int64(g.a))
	vertices := arith.Times(switches, int64(1+g.p))
	m.Vertices("groups", vertices)
	if !m.None() {
		return nil
	}
	g.kinds = []Kind{
		{Name: "switch", Count: int(switches), Role: Switch, Ports: g.p + g.a - 1 + arith.CeilDiv(g.channels(), g.a)},
		{Name: "node", First: int(switches), Count: int(vertices - switches), Role: Terminal, Ports: 1},
	}
	return g
}

// channels is the number of global channels of a group.
func (g *dragonfly) channels() int { return g.perPair * (g.groups - 1) }

func (g *dragonfly) Family() string  { return "dragonfly" }
func (g *dragonfly) Kinds() []Kind   { return g.kinds }
func (g *dragonfly) Levels() []Level { return g.levels }

func (g *dragonfly) Groupings() []Grouping {
	block := blocks(g.kinds[0].Count, g.p)
	return []Grouping{block, {Name: "group", Count: g.groups, Of: func(v int) int32 {
		return block.Of(v) / int32(g.a)
	}}}
}

// Orbits is one for each switch of a group: the channels of a group depend on
// the difference to the other group's number only. In the absolute arrangement
// each switch is one.
func (g *dragonfly) Orbits() []Orbit {
	out := make([]Orbit, g.a)
	for i := range out {
		out[i] = Orbit{i, g.groups}
	}
	if g.absolute {
		out = make([]Orbit, g.groups*g.a)
		for i := range out {
			out[i] = Orbit{i, 1}
		}
	}
	return out
}

// ClosedForms are over switches. The diameter is known (3) in the relative arrangement with one channel per pair of
// groups and as many channels on every switch, and for a network of one group or of groups of one switch. Degrees are
// not known if there are more channels per pair than switches in a group.
func (g *dragonfly) ClosedForms() ClosedForms {
	switch {
	case g.groups == 1 && g.a == 1:
		return starForms(g.p)
	case g.groups == 1 || g.a == 1: // fully joined
		n, width := g.groups*g.a, 1
		if g.a == 1 {
			width = g.perPair
		}
		return ClosedForms{
			DegreeMin: n - 1, DegreeMax: n - 1, Diameter: 1, MeanHops: 1,
			Bisection:       halves(n) * float64(width),
			BisectionSource: "floor(n/2) ceil(n/2) channels between halves of n switches, each joined to all others",
		}
	}
	c := ClosedForms{
		DegreeMin: -1, DegreeMax: -1, Diameter: -1, MeanHops: math.NaN(),
		Bisection: halves(g.groups) * float64(g.perPair),
		BisectionSource: "s floor(g/2) ceil(g/2), between halves of the g groups with s channels for each pair; " +
			"about s g^2/4 in " + exascaleSource,
	}
	if g.perPair <= g.a { // no two channels between the same switches
		c.DegreeMin = g.a - 1 + g.channels()/g.a
		c.DegreeMax = g.a - 1 + arith.CeilDiv(g.channels(), g.a)
	}
	if g.perPair == 1 && g.channels()%g.a == 0 && !g.absolute {
		c.Diameter = 3
	}
	return c
}

// Label is the group and number of a switch, or those of a node's switch and
// the node's port there: "(32,7)", "(32,7):3".
func (g *dragonfly) Label(v int) string {
	switches := g.kinds[0].Count
	if v < switches {
		return fmt.Sprintf("(%d,%d)", v/g.a, v%g.a)
	}
	s := (v - switches) / g.p
	return fmt.Sprintf("(%d,%d):%d", s/g.a, s%g.a, (v-switches)%g.p)
}

// Links yields the terminals, the local links group by group, and the global
// links by the difference of the groups' numbers.
func (g *dragonfly) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		_ = terminalLinks(g.kinds[0].Count, g.p, yield) && g.local(yield) && g.global(yield)
	}
}

// otherLinks yields the terminals and the global links.
func (g *dragonfly) otherLinks(yield func(Link) bool) bool {
	return terminalLinks(g.kinds[0].Count, g.p, yield) && g.global(yield)
}

// cliqueForm describes the groups.
func (g *dragonfly) cliqueForm() cliqueForm {
	block := blocks(g.kinds[0].Count, g.p)
	return cliqueForm{
		param: "a", size: g.a, level: 1, port: g.p, ports: g.a - 1, grouping: 1,
		router: func(v int) int { return int(block.Of(v)) },
	}
}

func (g *dragonfly) local(yield func(Link) bool) bool {
	for first := 0; first < g.kinds[0].Count; first += g.a {
		for i := range g.a {
			for j := i + 1; j < g.a; j++ {
				if !yield(Link{
					A: int32(first + i), B: int32(first + j),
					PortA: int32(g.p + j - 1), PortB: int32(g.p + i), Level: 1, Width: 1,
				}) {
					return false
				}
			}
		}
	}
	return true
}

// global yields the links between groups, those of one distance between groups after the other.
func (g *dragonfly) global(yield func(Link) bool) bool {
	if g.absolute {
		return g.absoluteGlobal(yield)
	}
	for t := range g.groups - 1 { // from group x to group x+1+t
		for q := 0; q < g.perPair; {
			back := g.perPair - 1 - q
			a, b := g.runOf(t, q), g.runOf(g.groups-2-t, back)
			width := min(a.to-q, back+1-b.from)
			l := Link{
				A: int32(a.sw), PortA: int32(a.port + q - a.from),
				B: int32((1+t)*g.a + b.sw), PortB: int32(b.port + back + 1 - width - b.from),
				Level: 2, Width: int32(width),
			}
			for range g.groups - 1 - t {
				if !yield(l) {
					return false
				}
				l.A += int32(g.a)
				l.B += int32(g.a)
			}
			q += width
		}
	}
	return true
}

// absoluteGlobal yields the global links of the absolute arrangement: those of each group to the ones before it.
func (g *dragonfly) absoluteGlobal(yield func(Link) bool) bool {
	first := g.p + g.a - 1
	for y := range g.groups {
		for x := range y {
			for q := range min(g.perPair, g.a) { // the copies q, q+a, q+2a, ... are one link
				from, to := (y-1)*g.perPair+q, x*g.perPair+q
				if !yield(Link{
					A: int32(x*g.a + from%g.a), PortA: int32(first + from/g.a),
					B: int32(y*g.a + to%g.a), PortB: int32(first + to/g.a),
					Level: 2, Width: int32(arith.CeilDiv(g.perPair-q, g.a)),
				}) {
					return false
				}
			}
		}
	}
	return true
}

// run is the copies of a group's channels to another group that belong to one
// switch: copies from ... to-1, on ports from port on.
type run struct{ sw, port, from, to int }

// runOf finds the run of copy q of the channels to the group at distance 1+t.
func (g *dragonfly) runOf(t, q int) run {
	others, channels := g.groups-1, g.channels()
	sw := (q*others + t) * g.a / channels
	first := arith.CeilDiv(sw*channels, g.a) // channel of the switch, and of the next switch
	next := arith.CeilDiv((sw+1)*channels, g.a)
	// nearer counts the channels below e that lead to a nearer group.
	nearer := func(e int) int { return e/others*t + min(e%others, t) }
	// copies counts the channels below e that lead to this group.
	copies := func(e int) int { return (e + others - 1 - t) / others }
	return run{
		sw:   sw,
		port: g.p + g.a - 1 + nearer(next) - nearer(first),
		from: copies(first),
		to:   copies(next),
	}
}

// LevelChannels: p of every switch, all pairs of a group, perPair of all pairs of
// groups.
func (g *dragonfly) LevelChannels() []int64 {
	groups, a := int64(g.groups), int64(g.a)
	return []int64{
		int64(g.kinds[0].Count) * int64(g.p), groups * a * (a - 1) / 2,
		groups * (groups - 1) / 2 * int64(g.perPair),
	}
}

// RoutingGroups are the groups, every two of which are joined.
func (g *dragonfly) RoutingGroups() Grouping {
	groupings := g.Groupings()
	return groupings[len(groupings)-1]
}

// UsualRouting is UGAL by the queues of the source.
func (g *dragonfly) UsualRouting() string { return "ugal-l" }

// PlacementGroups are the groups.
func (g *dragonfly) PlacementGroups() (strategy string, grouping int) {
	return "groups", len(g.Groupings()) - 1
}

// WorstCaseTraffic sends all traffic of a group to the next one (J. Kim et al., ISCA 2008,
// section 4.2).
func (g *dragonfly) WorstCaseTraffic() string { return "next-group" }

// dragonflySizes offers, with h global ports on a switch, groups of a = h to 4h
// switches with p = h/2 to 2h nodes each, in as many groups as there can be.
// The balanced ones, a = 2p = 2h, come first; these also with fewer groups, where
// several links to each other group use all global ports. It also offers those
// of nodes that are their own switches, with any number of links between groups.
func dragonflySizes(s *SizeSearch) {
	for h := 1; ; h++ {
		least := int64(arith.CeilDiv(h, 2)) * int64(max(h, 2))
		if arith.Times(least, int64(max(h, 2)*h+1)) > int64(s.MaxNodes) || h >= s.MaxPorts {
			break
		}
		for a := max(h, 2); a <= 4*h; a++ {
			dragonflies(s, a, h)
		}
	}
	for h := 1; 4*h-1 <= s.MaxPorts && 4*h*h <= s.MaxNodes; h++ {
		for _, others := range divisors.OfSquare(2, h) {
			if perPair := 2 * h * h / others; perPair > 1 {
				s.Add(10_000+perPair, dragonflySize(h, 2*h, h, others+1, perPair))
			}
		}
	}
	for local := 1; (local+1)*(local+2) <= s.MaxNodes && local < s.MaxPorts; local++ {
		s.AddFittingRun(min(local+1, s.MaxPorts-local), (local+1)*(local+2), 0,
			func(i int) int { return 1<<30 + i }, func(i int) Size { return directDragonflySize(local, i+1) })
	}
}

// dragonflies offers the networks of a h + 1 groups of a switches, with h/2 to 2h nodes on each switch.
func dragonflies(s *SizeSearch, a, h int) {
	groups := a*h + 1
	step := a * groups
	rank := func(p int) int { return 1000*arith.Abs(a-2*h)/h + 1000*arith.Abs(p-h)/h }
	size := func(p int) Size { return dragonflySize(p, a, h, groups, 1) }
	few := arith.CeilDiv(h, 2)
	if step > s.MaxNodes/few { // of these, the fewest nodes are too many
		return
	}
	s.AddFittingRun(h+1, h*step, step, func(i int) int { return rank(h + i) }, func(i int) Size { return size(h + i) })
	s.AddFittingRun(h-few, (h-1)*step, -step, func(i int) int { return rank(h - 1 - i) },
		func(i int) Size { return size(h - 1 - i) })
}

// dragonflySize is a dragonfly whose global ports are all used. Its diameter is
// at most 3, and 3 if fewer routers than there are can be within two hops.
func dragonflySize(p, a, h, groups, perPair int) Size {
	params := Dragonfly{P: p, A: a, H: h}
	if perPair > 1 {
		params.Groups, params.LinksPerPair = groups, perPair
	}
	z := Size{
		Spec:      Spec{Params: params},
		Nodes:     p * a * groups,
		Switches:  a * groups,
		Terminals: p,
		Ports:     p + a - 1 + h,
		Diameter:  -1,
	}
	g := int64(groups)
	z.Links = int64(z.Nodes) + g*(int64(a)*int64(a-1)/2) + int64(perPair)*(g*(g-1)/2)
	if near := a + h + 2*(a-1)*h + h*(h-1); z.Switches > near {
		z.Diameter = 3
	}
	return z
}

// Grown returns a dragonfly with more groups, and fewer links between every two of them where the global ports do not
// suffice for as many.
func (g *dragonfly) Grown(nodes int) (Graph, error) {
	groups := g.groups + arith.CeilDiv(nodes, g.p*g.a)
	grown := Dragonfly{
		P: g.p, A: g.a, H: g.h, Groups: groups, LinksPerPair: max(1, min(g.perPair, g.a*g.h/max(groups-1, 1))),
	}
	if g.absolute {
		grown.Arrangement = AbsoluteArrangement
	}
	return New(grown)
}
