package operate

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
)

// Loss is what stops working when one thing fails, until it is repaired.
type Loss struct {
	Name string `json:"name"` // of the cable, bundle, piece of tray, panel, switch, rack, feed or row
	// NodesDown is how many nodes lose their power or are part of what fails.
	NodesDown int `json:"nodes_down"`
	// NodesCutOff is how many other nodes no longer reach the largest rest of one of the networks that they are on.
	NodesCutOff int `json:"nodes_cut_off"`
	Links       int `json:"links"` // links that are lost
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

// nodes is how many nodes are down or cut off.
func (l *Loss) nodes() int { return l.NodesDown + l.NodesCutOff }

// Losses are the losses of all things of one kind.
type Losses struct {
	Kind  string `json:"kind"`  // `cable`, `bundle`, `tray`, `panel`, `switch`, `rack`, `feed` or `row`
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
var LossKinds = []string{"cable", "bundle", "tray", "panel", "switch", "rack", "feed", "row"}

// Limit is the most that the loss of one thing may take.
type Limit struct {
	Nodes *int `json:"nodes,omitempty"` // down or cut off; left out where any number may be
	// Bandwidth is the share of the rates of all links, from 0 to 1; left out where any may be lost.
	Bandwidth *float64 `json:"bandwidth_share,omitempty"`
}

// exceededBy reports whether a loss takes more.
func (m *Limit) exceededBy(l *Loss) bool {
	return m != nil && (m.Nodes != nil && l.nodes() > *m.Nodes || m.Bandwidth != nil && l.Share > *m.Bandwidth+1e-9)
}

// insert adds a loss to a list of the worst, of which most are kept; less orders them, the worst first.
func insert(list []Loss, most int, l *Loss, less func(a, b *Loss) int, name func() string) []Loss {
	at := len(list)
	for at > 0 && less(l, &list[at-1]) < 0 {
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

// worse orders losses, the worst first.
func worse(a, b *Loss) int {
	return cmp.Or(cmp.Compare(b.nodes(), a.nodes()),
		cmp.Compare(b.Bandwidth, a.Bandwidth), cmp.Compare(b.Links, a.Links))
}

// groups are lists of channels or boxes by a number, one after the other.
type groups struct{ first, of []int32 }

func (g *groups) list(i int32) []int32 { return g.of[g.first[i]:g.first[i+1]] }

// group sorts pairs of a number below count and what belongs to it, which each yields.
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

// blast measures what every part of a plan takes down.
type blast struct {
	plan   *machine.Result
	probe  *probe
	names  []string          // of the levels of the topology
	levels []int             // links of each level
	most   int               // losses kept of each kind
	limits map[string]*Limit // by kind
	pairs  bool              // whether two failures at once are measured
	out    []Losses

	cables, bundles, panels *groups // channels
	racks                   *groups // boxes
	rackPanels              *groups
	// cuts says of each channel whether the loss of one of its cables cuts nodes off, cutsSwitch the same of each
	// vertex and the loss of its switch.
	cuts, cutsSwitch []bool
	racksLost        []Loss    // by place
	trayLost         []float64 // by piece, shares of the bandwidth
}

// channelsBy groups channels by the numbers that their segments have, -1 for none. A channel is in a group as often as
// its segments have the number.
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

// newBlast groups the channels and boxes of a plan by what they lie on and stand in.
func newBlast(plan *machine.Result, most int) *blast {
	s := plan.Schedule
	levels := plan.Graph.Levels()
	b := &blast{plan: plan, probe: newProbe(newNetwork(plan), len(levels)), most: most}
	b.levels = make([]int, len(levels))
	for i := range levels {
		b.names = append(b.names, levels[i].Name)
	}
	for _, l := range b.probe.level {
		b.levels[l]++
	}
	b.cuts, b.cutsSwitch = make([]bool, len(b.probe.a)), make([]bool, len(b.probe.node))
	b.cables = channelsBy(plan, int(s.Cables)+1, func(i int) [2]int32 {
		return [2]int32{s.Segments[i].Cable, -1}
	})
	b.bundles = channelsBy(plan, len(s.Bundles)+1, func(i int) [2]int32 { return [2]int32{s.Segments[i].Bundle, -1} })
	if p := s.Patching; p != nil {
		b.panels = channelsBy(plan, len(p.Panels), func(i int) [2]int32 {
			seg := &s.Segments[i]
			return [2]int32{int32(s.Panel(seg.A)), int32(s.Panel(seg.B))}
		})
		if plan.Room() != nil {
			b.rackPanels = group(len(plan.Room().Places), func(yield func(number, of int32)) {
				for i := range p.Panels {
					yield(p.Panels[i].Rack, int32(i))
				}
			})
		}
	}
	if plan.Room() != nil {
		b.racks = group(len(plan.Room().Places), func(yield func(number, of int32)) {
			for v := range b.probe.node {
				yield(plan.Placement.Layout.Container(layout.RackLevel, plan.Placement.Slot[v]), int32(v))
			}
		})
	}
	return b
}

// measure measures one loss.
func (b *blast) measure(name func() string, boxes, channels []int32) Loss {
	i := b.probe.without(boxes, channels)
	l := Loss{
		NodesDown: i.down, NodesCutOff: i.cut, Links: i.links, Bandwidth: i.gbps,
		place: -1,
	}
	if b.probe.total > 0 {
		l.Share = i.gbps / b.probe.total
	}
	for level, n := range b.probe.count {
		if share := float64(n) / float64(max(b.levels[level], 1)); share > l.WorstLevelShare {
			l.WorstLevel, l.WorstLevelShare = b.names[level], share
		}
	}
	if name != nil {
		l.Name = name()
	}
	return l
}

// lossOf is one thing that may fail.
type lossOf struct {
	name            func() string
	boxes, channels []int32
	place           int32
	then            func(l *Loss)
}

// kind measures all things of a kind; it adds nothing where there are none.
func (b *blast) kind(ctx context.Context, name string, each func(yield func(t lossOf) bool)) error {
	k := Losses{Kind: name, Worst: []Loss{}}
	k.Limit = b.limits[name]
	var err error
	var things []lossOf // for pairs
	var alone []int     // nodes that each takes
	each(func(t lossOf) bool {
		if err = ctx.Err(); err != nil {
			return false
		}
		l := b.measure(nil, t.boxes, t.channels)
		l.place, l.boxes, l.channels = t.place, t.boxes, t.channels
		k.Count++
		if l.nodes() > 0 {
			k.Harmful++
		}
		if t.then != nil {
			t.then(&l)
		}
		k.Worst = insert(k.Worst, b.most, &l, worse, t.name)
		if k.Limit.exceededBy(&l) {
			k.Over++
			k.WorstOver = insert(k.WorstOver, b.most, &l, worse, t.name)
		}
		if b.pairs {
			things, alone = append(things, t), append(alone, l.nodes())
		}
		return true
	})
	if err == nil && len(things) > 1 {
		k.Pairs, err = b.measurePairs(ctx, things, alone)
	}
	if k.Count > 0 {
		b.out = append(b.out, k)
	}
	return err
}

// all measures everything that may fail, kind by kind.
func (b *blast) all(ctx context.Context) error {
	for _, of := range []func(ctx context.Context) error{
		b.ofCables, b.ofBundles, b.ofTrays, b.ofPanels, b.ofSwitches, b.ofRacks, b.ofFeeds, b.ofRows,
	} {
		if err := of(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (b *blast) ofCables(ctx context.Context) error {
	return b.kind(ctx, "cable", func(yield func(t lossOf) bool) {
		for c := int32(1); int64(c) <= b.plan.Schedule.Cables; c++ {
			channels := b.cables.list(c)
			if len(channels) > 0 && !yield(lossOf{
				name: func() string { return b.plan.Schedule.CableID(int64(c)) }, channels: channels,
				then: func(l *Loss) {
					for _, ch := range channels {
						b.cuts[ch] = b.cuts[ch] || l.NodesCutOff > 0
					}
				},
			}) {
				return
			}
		}
	})
}

func (b *blast) ofBundles(ctx context.Context) error {
	return b.kind(ctx, "bundle", func(yield func(t lossOf) bool) {
		for i := int32(1); int(i) <= len(b.plan.Schedule.Bundles); i++ {
			name := func() string {
				k := &b.plan.Schedule.Bundles[i-1]
				room := b.plan.Room()
				return fmt.Sprintf("%d, %s to %s", i, room.Name(int(k.A)), room.Name(int(k.B)))
			}
			if channels := b.bundles.list(i); len(channels) > 0 && !yield(lossOf{name: name, channels: channels}) {
				return
			}
		}
	})
}

// ofTrays measures the loss of each piece of tray: of all bundles on it.
func (b *blast) ofTrays(ctx context.Context) error {
	t := b.plan.Schedule.Trays
	if t == nil {
		return nil
	}
	s := b.plan.Schedule
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
	b.trayLost = make([]float64, len(t.Loads))
	return b.kind(ctx, "tray", func(yield func(t lossOf) bool) {
		var channels []int32
		for piece := range int32(len(t.Loads)) {
			channels = nil
			for _, bundle := range on.list(piece) {
				channels = append(channels, b.bundles.list(bundle)...)
			}
			if len(channels) == 0 {
				continue
			}
			name := func() string { return t.ID(piece) + ", " + t.PieceName(piece) }
			if !yield(lossOf{name: name, channels: channels, then: func(l *Loss) { b.trayLost[piece] = l.Share }}) {
				return
			}
		}
	})
}

func (b *blast) ofPanels(ctx context.Context) error {
	return b.kind(ctx, "panel", func(yield func(t lossOf) bool) {
		if b.panels == nil {
			return
		}
		p := b.plan.Schedule.Patching
		for i := range int32(len(p.Panels)) {
			name := func() string { return b.plan.Schedule.Device(p.Vertex(i)) }
			if channels := b.panels.list(i); len(channels) > 0 && !yield(lossOf{name: name, channels: channels}) {
				return
			}
		}
	})
}

func (b *blast) ofSwitches(ctx context.Context) error {
	return b.kind(ctx, "switch", func(yield func(t lossOf) bool) {
		for v := range int32(len(b.probe.node)) {
			if b.probe.node[v] || len(b.probe.channels(v)) == 0 {
				continue
			}
			if !yield(lossOf{
				name: func() string { return b.plan.Schedule.Device(v) }, boxes: []int32{v},
				then: func(l *Loss) { b.cutsSwitch[v] = l.NodesCutOff > 0 },
			}) {
				return
			}
		}
	})
}

// inRack are the boxes of a rack, and the channels over its panels.
func (b *blast) inRack(place int32) (boxes, channels []int32) {
	boxes = b.racks.list(place)
	if b.rackPanels != nil {
		for _, panel := range b.rackPanels.list(place) {
			channels = append(channels, b.panels.list(panel)...)
		}
	}
	return boxes, channels
}

func (b *blast) ofRacks(ctx context.Context) error {
	if b.racks == nil {
		return nil
	}
	room := b.plan.Room()
	b.racksLost = make([]Loss, len(room.Places))
	return b.kind(ctx, "rack", func(yield func(t lossOf) bool) {
		for place := range int32(len(room.Places)) {
			boxes, channels := b.inRack(place)
			if len(boxes)+len(channels) == 0 {
				continue
			}
			if !yield(lossOf{
				name: func() string { return room.Name(int(place)) }, boxes: boxes, channels: channels, place: place,
				then: func(l *Loss) { b.racksLost[place] = *l },
			}) {
				return
			}
		}
	})
}

func (b *blast) ofFeeds(ctx context.Context) error {
	p := b.plan.Power
	if p == nil {
		return nil
	}
	return b.kind(ctx, "feed", func(yield func(t lossOf) bool) {
		for f, name := range p.Feeds {
			var boxes []int32
			for i := range p.Racks {
				if lost := p.Racks[i].Without[f]; lost != nil {
					for _, dark := range lost.Dark {
						boxes = append(boxes, p.Racks[i].BoxAt[dark])
					}
				}
			}
			if !yield(lossOf{name: func() string { return name }, boxes: boxes}) {
				return
			}
		}
	})
}

func (b *blast) ofRows(ctx context.Context) error {
	if b.racks == nil {
		return nil
	}
	room := b.plan.Room()
	return b.kind(ctx, "row", func(yield func(t lossOf) bool) {
		for row := range room.Rows {
			var boxes, channels []int32
			for place := range int32(len(room.Places)) {
				if room.Places[place].Row == row {
					in, over := b.inRack(place)
					boxes, channels = append(boxes, in...), append(channels, over...)
				}
			}
			if len(boxes)+len(channels) == 0 {
				continue
			}
			if !yield(lossOf{name: func() string { return rowName(room, row) }, boxes: boxes, channels: channels}) {
				return
			}
		}
	})
}

// rowName is what a row is called.
func rowName(room *layout.Room, row int) string { return room.Rows[row].Name }
