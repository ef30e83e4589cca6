package operate

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// Loss is what stops working when one thing fails, until it is repaired; in Pairs, when two fail at once.
//
// Links are counted as channels: a link of the topology with several channels counts as many times, and losing one of
// its cables takes only the channels of that cable. The channels of boxes that are down are lost, too. Bandwidth is the
// sum of the rates of the lost channels in Gb/s, each that of the slower of its two ports, one direction only; channels
// whose rate is not known add nothing. Both shares are from 0 to 1. Of levels with the same share WorstLevel is the
// first.
//
// A node is cut off if it is not down, and in one of its fabrics it can no longer reach most others. Before the loss a
// fabric consists of connected parts, usually one. The loss can split a part into several pieces: the piece with the
// most nodes stays in service, and the nodes of the others are cut off, each counted once however many fabrics it is
// cut off in. Of pieces with equally many nodes one is taken, always the same. A node that keeps a working port into
// that piece is not cut off. NodesDown and NodesCutOff have no node in common, so that their sum is the nodes lost.
//
// Beyond is that sum for the two things less those of each alone, at least 0.
type Loss struct {
	Name string `json:"name"` // of the cable, bundle, piece of tray, panel, switch, rack, feed or row
	// NodesDown is how many nodes lose their power or are part of what fails.
	NodesDown int `json:"nodes_down"`
	// NodesCutOff is how many other nodes no longer reach the largest rest of one of the networks that they are on.
	NodesCutOff int `json:"nodes_cut_off"`
	Links       int `json:"links"` // lost channels of links
	// Bandwidth is the sum of their rates, one way.
	Bandwidth float64 `json:"bandwidth_lost_gbps"`
	// Share is that of the rates of all links of the plan.
	Share float64 `json:"bandwidth_lost_share"`
	// WorstLevel is the level of links that loses the largest share of its links; empty where no link is lost.
	WorstLevel string `json:"worst_level"`
	// WorstLevelShare is that share.
	WorstLevelShare float64 `json:"worst_level_lost_share"`

	// Beyond is, of the loss of two things at once, how many more nodes are down or cut off than by the loss of each
	// alone; left out of the loss of one.
	Beyond int `json:"nodes_beyond,omitempty"`
	// Routes is how packets are routed over what is left of each network that loses links; left out where nobody asked.
	Routes []Routes `json:"routes,omitempty"`

	place           int32 // of a rack in the room
	boxes, channels []int32
}

// nodes is how many nodes are down or cut off: the sum of both.
func (l *Loss) nodes() int { return l.NodesDown + l.NodesCutOff }

// Losses are the losses of all things of one kind, one by one. Count leaves out things whose loss takes no box and no
// channel: panels, pieces of tray and bundles without cables, switches and service boxes without links, empty racks and
// rows. Feeds and supplies are all counted. Worst and WorstOver have no more than Options.Worst entries. Where Worst
// orders by the bandwidth lost and that is equal, the loss with more links comes first, then the thing with the lower
// number.
type Losses struct {
	// Kind is `cable`, `bundle`, `tray`, `panel`, `switch`, `service` (a service box that no others draw power from),
	// `supply` (a box with outlets: a power distribution unit or power shelf), `rack`, `feed` or `row`.
	Kind  string `json:"kind"`
	Count int    `json:"count"` // how many of them the plan has
	// Harmful is how many of them take a node down or cut one off.
	Harmful int `json:"harmful"`
	// Worst are those with the most nodes down and cut off, then the most bandwidth lost, then the first by number.
	Worst []Loss `json:"worst"`
	// Limit is the most that one of them may take; left out where none is stated.
	Limit *Limit `json:"limit,omitempty"`
	// Over is how many of them take more.
	Over int `json:"over_limit,omitempty"`
	// WorstOver are the worst of those, as many as Worst has at most.
	WorstOver []Loss `json:"worst_over_limit,omitempty"`
	Pairs     *Pairs `json:"pairs,omitempty"` // of two at once; left out where nobody asked
}

// LossKinds are the kinds of things whose loss is measured.
var LossKinds = []string{"cable", "bundle", "tray", "panel", "switch", "service", "supply", "rack", "feed", "row"}

// Limit is the most that the loss of one thing may take: a loss of exactly this much is within the limit. Both bounds
// have to be kept where both are stated.
type Limit struct {
	Nodes *int `json:"nodes,omitempty"` // down or cut off; left out where any number may be
	// Bandwidth is the share of the rates of all links, from 0 to 1; left out where any may be lost.
	Bandwidth *float64 `json:"bandwidth_share,omitempty"`
}

// exceededBy reports whether a loss takes more than the limit; a nil limit is never exceeded. Shares may be above it by
// 1e-9, for errors of rounding.
func (m *Limit) exceededBy(l *Loss) bool {
	return m != nil && (m.Nodes != nil && l.nodes() > *m.Nodes || m.Bandwidth != nil && l.Share > *m.Bandwidth+1e-9)
}

// insert adds a copy of a loss to a list of the worst, ordered by compare, the worst first, and returns the list with
// at most so many entries. A loss goes behind its equals. Name, which may take long, is called only for losses that
// enter.
func insert(list []Loss, most int, l *Loss, compare func(a, b *Loss) int, name func() string) []Loss {
	at := len(list)
	for at > 0 && compare(l, &list[at-1]) < 0 {
		at--
	}
	if at >= most {
		return list
	}
	kept := *l
	kept.Name = name()
	list = slices.Insert(list, at, kept)
	return list[:min(len(list), most)]
}

// compareLosses orders losses, the worst first: by nodes down and cut off, by bandwidth, by links. Equals keep the
// order in which they are measured.
func compareLosses(a, b *Loss) int {
	return cmp.Or(cmp.Compare(b.nodes(), a.nodes()),
		cmp.Compare(b.Bandwidth, a.Bandwidth), cmp.Compare(b.Links, a.Links))
}

// groups are lists of what belongs to each number, such as the channels of each cable. The list of number i is
// of[first[i]:first[i+1]].
type groups struct{ first, of []int32 }

func (g *groups) list(i int32) []int32 { return g.of[g.first[i]:g.first[i+1]] }

// group makes groups of pairs that each yields: a number from 0 to below count, and what belongs to it. It calls each
// twice, and keeps the order of the pairs.
func group(count int, each func(yield func(number, of int32))) *groups {
	g := &groups{first: make([]int32, count+1)}
	each(func(number, _ int32) { g.first[number+1]++ })
	for i := range count {
		g.first[i+1] += g.first[i]
	}
	g.of = make([]int32, g.first[count])
	at := slices.Clone(g.first)
	each(func(number, of int32) {
		g.of[at[number]] = of
		at[number]++
	})
	return g
}

// lossMeter measures what the loss of every thing of a plan takes down, kind by kind. Of calls newLossMeter, sets
// limits and pairs, calls all, and gets the losses from its field out.
type lossMeter struct {
	plan   *machine.Result
	probe  *probe
	names  []string          // of the levels of the topology
	levels []int             // channels of each level
	most   int               // losses kept of each kind
	limits map[string]*Limit // by kind
	pairs  bool              // whether two failures at once are measured
	out    []Losses

	cables, bundles *groups // channels by cable and bundle, from 1
	panels          *groups // channels by panel, from 0; nil without panels
	racks           *groups // boxes by place in the room; nil for a machine without racks
	rackPanels      *groups // panels by place in the room; nil without either
	// cuts says of each channel whether the loss of one of its cables cuts nodes off, cutsSwitch the same of each
	// vertex and the loss of its switch.
	cuts, cutsSwitch []bool
	// fedBy has the boxes that go dark without each box with outlets; nil without a power schedule.
	fedBy     map[int32][]int32
	racksLost []Loss    // by place in the room; nil for a machine without racks
	trayLost  []float64 // by piece of tray, the share of bandwidth that goes with it; nil without trays
}

// channelsBy groups channels by the one or two numbers that each of their segments has, -1 for none. Over panels a
// channel has several segments, and is in a group once for each that has the number. Channels count from 0 in the order
// of the segments that begin them, as in network.
func channelsBy(plan *machine.Result, count int, numbers func(i int) [2]int32) *groups {
	s := plan.Schedule
	return group(count, func(yield func(number, of int32)) {
		channel := int32(-1)
		for i := range s.Segments {
			if !s.Continues(&s.Segments[i]) {
				channel++
			}
			n := numbers(i)
			for j, number := range n {
				if number >= 0 && (j == 0 || number != n[0]) {
					yield(number, channel)
				}
			}
		}
	})
}

// newLossMeter groups the channels and boxes of a plan, which must have its segments, by what they lie on and stand in.
// Most is how many losses of each kind are kept.
func newLossMeter(plan *machine.Result, most int) *lossMeter {
	s := plan.Schedule
	levels := plan.Graph.Levels()
	m := &lossMeter{plan: plan, probe: newProbe(newNetwork(plan), len(levels)), most: most}
	m.levels = make([]int, len(levels))
	for i := range levels {
		m.names = append(m.names, levels[i].Name)
	}
	for _, l := range m.probe.level {
		m.levels[l]++
	}
	if plan.Power != nil {
		m.fedBy = plan.Power.DarkWithout()
	}
	m.cuts, m.cutsSwitch = make([]bool, len(m.probe.a)), make([]bool, len(m.probe.node))
	m.cables = channelsBy(plan, int(s.Cables)+1, func(i int) [2]int32 {
		return [2]int32{s.Segments[i].Cable, -1}
	})
	m.bundles = channelsBy(plan, len(s.Bundles)+1, func(i int) [2]int32 { return [2]int32{s.Segments[i].Bundle, -1} })
	if p := s.Patching; p != nil {
		m.panels = channelsBy(plan, len(p.Panels), func(i int) [2]int32 {
			seg := &s.Segments[i]
			return [2]int32{int32(s.Panel(seg.A)), int32(s.Panel(seg.B))}
		})
		if plan.Room() != nil {
			m.rackPanels = group(len(plan.Room().Places), func(yield func(number, of int32)) {
				for i := range p.Panels {
					yield(p.Panels[i].Rack, int32(i))
				}
			})
		}
	}
	if plan.Room() != nil {
		m.racks = group(len(plan.Room().Places), func(yield func(number, of int32)) {
			for v := range m.probe.node {
				yield(plan.Placement.Layout.Container(layout.RackLevel, plan.Placement.Slot[v]), int32(v))
			}
		})
	}
	return m
}

// measure measures the loss of boxes and of channels, either of which may be listed twice. A nil name leaves Name
// empty.
func (m *lossMeter) measure(name func() string, boxes, channels []int32) Loss {
	i := m.probe.without(boxes, channels)
	l := Loss{
		NodesDown: i.down, NodesCutOff: i.cut, Links: i.links, Bandwidth: i.gbps,
		place: -1,
	}
	if m.probe.total > 0 {
		l.Share = i.gbps / m.probe.total
	}
	for level, n := range m.probe.count {
		if share := float64(n) / float64(max(m.levels[level], 1)); share > l.WorstLevelShare {
			l.WorstLevel, l.WorstLevelShare = m.names[level], share
		}
	}
	if name != nil {
		l.Name = name()
	}
	return l
}

// failure is one thing that may fail, with the boxes and channels that it takes with it.
type failure struct {
	name            func() string
	boxes, channels []int32
	place           int32         // of a rack in the room; 0 for all others
	keep            func(l *Loss) // called with the measured loss of this thing alone; may be nil
}

// kind measures all things of a kind that each yields, and pairs of them if asked for, and appends the result to out;
// nothing where there are none. The error is that of ctx.
func (m *lossMeter) kind(ctx context.Context, name string, each func(yield func(t failure) bool)) error {
	k := Losses{Kind: name, Worst: []Loss{}}
	k.Limit = m.limits[name]
	var err error
	var things []failure // for pairs
	var alone []int      // nodes that each takes
	each(func(t failure) bool {
		if err = ctx.Err(); err != nil {
			return false
		}
		l := m.measure(nil, t.boxes, t.channels)
		l.place, l.boxes, l.channels = t.place, t.boxes, t.channels
		k.Count++
		if l.nodes() > 0 {
			k.Harmful++
		}
		if t.keep != nil {
			t.keep(&l)
		}
		k.Worst = insert(k.Worst, m.most, &l, compareLosses, t.name)
		if k.Limit.exceededBy(&l) {
			k.Over++
			k.WorstOver = insert(k.WorstOver, m.most, &l, compareLosses, t.name)
		}
		if m.pairs {
			things, alone = append(things, t), append(alone, l.nodes())
		}
		return true
	})
	if err == nil && len(things) > 1 {
		k.Pairs, err = m.measurePairs(ctx, things, alone)
	}
	if k.Count > 0 {
		m.out = append(m.out, k)
	}
	return err
}

// all measures everything that may fail, in the order of LossKinds. The error is that of ctx.
func (m *lossMeter) all(ctx context.Context) error {
	for _, of := range []func(ctx context.Context) error{
		m.ofCables, m.ofBundles, m.ofTrays, m.ofPanels,
		m.ofBoxes("switch"), m.ofBoxes("service"), m.ofBoxes("supply"), m.ofRacks, m.ofFeeds, m.ofRows,
	} {
		if err := of(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (m *lossMeter) ofCables(ctx context.Context) error {
	return m.kind(ctx, "cable", func(yield func(t failure) bool) {
		for c := int32(1); int64(c) <= m.plan.Schedule.Cables; c++ {
			channels := m.cables.list(c)
			if len(channels) > 0 && !yield(failure{
				name: func() string { return m.plan.Schedule.CableID(int64(c)) }, channels: channels,
				keep: func(l *Loss) {
					for _, ch := range channels {
						m.cuts[ch] = m.cuts[ch] || l.NodesCutOff > 0
					}
				},
			}) {
				return
			}
		}
	})
}

func (m *lossMeter) ofBundles(ctx context.Context) error {
	return m.kind(ctx, "bundle", func(yield func(t failure) bool) {
		for i := int32(1); int(i) <= len(m.plan.Schedule.Bundles); i++ {
			name := func() string {
				k := &m.plan.Schedule.Bundles[i-1]
				room := m.plan.Room()
				return fmt.Sprintf("%d, %s to %s", i, room.Name(int(k.A)), room.Name(int(k.B)))
			}
			if channels := m.bundles.list(i); len(channels) > 0 && !yield(failure{name: name, channels: channels}) {
				return
			}
		}
	})
}

// ofTrays measures the loss of each piece of tray, which takes all bundles on it; nothing without trays.
func (m *lossMeter) ofTrays(ctx context.Context) error {
	t := m.plan.Schedule.Trays
	if t == nil {
		return nil
	}
	s := m.plan.Schedule
	on := group(len(t.Loads), func(yield func(number, of int32)) { // bundles on each piece
		for i := range s.Bundles {
			if s.Bundles[i].Way < 0 {
				continue
			}
			for _, leg := range s.WayLegs(s.Bundles[i].Way) {
				leg.Pieces(func(piece int32) { yield(piece, int32(i+1)) })
			}
		}
	})
	m.trayLost = make([]float64, len(t.Loads))
	return m.kind(ctx, "tray", func(yield func(t failure) bool) {
		var channels []int32
		for piece := range int32(len(t.Loads)) {
			channels = nil
			for _, bundle := range on.list(piece) {
				channels = append(channels, m.bundles.list(bundle)...)
			}
			if len(channels) == 0 {
				continue
			}
			name := func() string { return t.ID(piece) + ", " + t.PieceName(piece) }
			if !yield(failure{name: name, channels: channels, keep: func(l *Loss) { m.trayLost[piece] = l.Share }}) {
				return
			}
		}
	})
}

func (m *lossMeter) ofPanels(ctx context.Context) error {
	return m.kind(ctx, "panel", func(yield func(t failure) bool) {
		if m.panels == nil {
			return
		}
		p := m.plan.Schedule.Patching
		for i := range int32(len(p.Panels)) {
			name := func() string { return m.plan.Schedule.Device(p.Vertex(i)) }
			if channels := m.panels.list(i); len(channels) > 0 && !yield(failure{name: name, channels: channels}) {
				return
			}
		}
	})
}

// kindOf says as what kind of thing the loss of a vertex is measured; "" for nodes, whose loss is their own. Without
// a power schedule nothing says what hangs on a box with outlets, which is a service box then.
func (m *lossMeter) kindOf(v int32) string {
	_, supplies := m.fedBy[v]
	switch {
	case supplies:
		return "supply"
	case m.probe.node[v]:
		return ""
	case isService(m.plan, topology.KindOf(m.plan.Schedule.Kinds, int(v))):
		return "service"
	}
	return "switch"
}

// ofBoxes measures the loss of each box of a kind, which takes the boxes that do not run without its outlets.
func (m *lossMeter) ofBoxes(kind string) func(context.Context) error {
	return func(ctx context.Context) error {
		return m.kind(ctx, kind, func(yield func(t failure) bool) {
			for v := range int32(len(m.probe.node)) {
				if m.kindOf(v) != kind || kind != "supply" && len(m.probe.channels(v)) == 0 {
					continue
				}
				if !yield(failure{
					name:  func() string { return m.plan.Schedule.Device(v) },
					boxes: append([]int32{v}, m.fedBy[v]...),
					keep:  func(l *Loss) { m.cutsSwitch[v] = l.NodesCutOff > 0 },
				}) {
					return
				}
			}
		})
	}
}

// inRack returns what the loss of the rack at a place takes: its boxes, and the channels over its panels. Cables that
// only pass over the rack in a tray stay.
func (m *lossMeter) inRack(place int32) (boxes, channels []int32) {
	boxes = m.racks.list(place)
	if m.rackPanels != nil {
		for _, panel := range m.rackPanels.list(place) {
			channels = append(channels, m.panels.list(panel)...)
		}
	}
	return boxes, channels
}

func (m *lossMeter) ofRacks(ctx context.Context) error {
	if m.racks == nil {
		return nil
	}
	room := m.plan.Room()
	m.racksLost = make([]Loss, len(room.Places))
	return m.kind(ctx, "rack", func(yield func(t failure) bool) {
		for place := range int32(len(room.Places)) {
			boxes, channels := m.inRack(place)
			if len(boxes)+len(channels) == 0 {
				continue
			}
			if !yield(failure{
				name: func() string { return room.Name(int(place)) }, boxes: boxes, channels: channels, place: place,
				keep: func(l *Loss) { m.racksLost[place] = *l },
			}) {
				return
			}
		}
	})
}

// ofFeeds measures the loss of each feed, which takes the boxes that no longer run without it: their other supplies
// have no feed, are too weak, or trip a breaker. It takes none where racks are fed twice and one feed is enough.
func (m *lossMeter) ofFeeds(ctx context.Context) error {
	p := m.plan.Power
	if p == nil {
		return nil
	}
	return m.kind(ctx, "feed", func(yield func(t failure) bool) {
		for f, name := range p.Feeds {
			if !yield(failure{name: func() string { return name }, boxes: p.Dark(f)}) {
				return
			}
		}
	})
}

// ofRows measures the loss of each row, which takes its racks with their panels, not the trays over it.
func (m *lossMeter) ofRows(ctx context.Context) error {
	if m.racks == nil {
		return nil
	}
	room := m.plan.Room()
	return m.kind(ctx, "row", func(yield func(t failure) bool) {
		for row := range room.Rows {
			var boxes, channels []int32
			for place := range int32(len(room.Places)) {
				if room.Places[place].Row == row {
					in, over := m.inRack(place)
					boxes, channels = append(boxes, in...), append(channels, over...)
				}
			}
			if len(boxes)+len(channels) == 0 {
				continue
			}
			if !yield(failure{name: func() string { return rowName(room, row) }, boxes: boxes, channels: channels}) {
				return
			}
		}
	})
}

// rowName returns the name of row number row, from 0.
func rowName(room *layout.Room, row int) string { return room.Rows[row].Name }
