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

	place int32 // of a rack in the room
}

// Losses are the losses of all things of one kind.
type Losses struct {
	Kind  string `json:"kind"`  // `cable`, `bundle`, `tray`, `panel`, `switch`, `rack`, `feed` or `row`
	Count int    `json:"count"` // how many of them the plan has
	// Harmful is how many of them take a node down or cut one off.
	Harmful int `json:"harmful"`
	// Worst are those with the most nodes down and cut off, then the most bandwidth lost, then the first by number.
	Worst []Loss `json:"worst"`
}

// worse orders losses, the worst first.
func worse(a, b *Loss) int {
	return cmp.Or(cmp.Compare(b.NodesDown+b.NodesCutOff, a.NodesDown+a.NodesCutOff),
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
	levels []int // links of each level of the topology
	most   int   // losses kept of each kind
	out    []Losses

	cables, bundles, panels *groups // channels
	racks                   *groups // boxes
	rackPanels              *groups
	// cuts are what the losses of single cables and switches cut off: by channel, and by vertex.
	cuts, cutsSwitch []bool
	racksLost        []Loss    // by place
	trayLost         []float64 // by piece, shares of the bandwidth
}

// channelsBy groups channels by a number that their segments have, -1 for none.
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
			l.WorstLevel, l.WorstLevelShare = b.plan.Graph.Levels()[level].Name, share
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
	var err error
	each(func(t lossOf) bool {
		if err = ctx.Err(); err != nil {
			return false
		}
		l := b.measure(nil, t.boxes, t.channels)
		l.place = t.place
		k.Count++
		if l.NodesDown+l.NodesCutOff > 0 {
			k.Harmful++
		}
		if t.then != nil {
			t.then(&l)
		}
		at := len(k.Worst)
		for at > 0 && worse(&l, &k.Worst[at-1]) < 0 {
			at--
		}
		if at < b.most {
			l.Name = t.name()
			k.Worst = slices.Insert(k.Worst, at, l)
			k.Worst = k.Worst[:min(len(k.Worst), b.most)]
		}
		return true
	})
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
			channels = channels[:0]
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
