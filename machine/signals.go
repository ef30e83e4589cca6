package machine

import (
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology/fabrics"
	"github.com/plenum-planner/plenum/units"
)

// signals records what links do to signals as they are cabled, and how long the
// cables of every medium are.
type signals struct {
	*delay.Recorder
	level  []*media       // by level of the topology: those of its fabric
	cables []CableLengths // by medium; traces have none
	cable  int32          // number of the last one
	way    patchedWay
	// Of a machine with several fabrics: the number of the fabric of each level, -1 for uplinks, the links of every
	// fabric in its own order, and the number of the last one.
	fabric []int
	links  []delay.Links
	last   int32
}

// media are those of the links of a fabric by what these are made of, as the recorder numbers them.
type media struct {
	delays
	trace, unmade uint8              // of traces and of cables without a product
	product       []int16            // of products, -1 of those not met yet
	patched       map[[2]int16]uint8 // of links over panels by the products of the cords
}

// newSignals prepares to record. Links are kept if keep is set.
func newSignals(r *resolved, l *layout.Layout, keep bool) *signals {
	g, several := r.graph.(*fabrics.Machine)
	s := &signals{last: -1}
	if several {
		owner := r.ownerOfLevel()
		s.Recorder = delay.NewRecorder(r.graph, nil, len(l.Levels))
		s.HopOf = r.hopsByLevel(owner)
		own := make([]*media, len(r.fabrics))
		for i := range own {
			own[i] = s.newMedia(r.delaysOf(i))
		}
		for _, i := range owner {
			s.level = append(s.level, own[i])
		}
		if keep {
			s.fabric = r.fabricOfLevel(g)
			s.links = make([]delay.Links, len(r.fabrics))
		}
		return s
	}
	d := r.delaysOf(0)
	s.Recorder = delay.NewRecorder(r.graph, d.hops(r.graph.Kinds(), r.boxes, r.adapters), len(l.Levels))
	if s.Keep = keep; keep {
		s.Links.Reserve(int(r.links))
	}
	s.level = slices.Repeat([]*media{s.newMedia(d)}, len(r.graph.Levels()))
	return s
}

func (d *signals) newMedia(own delays) *media {
	return &media{
		delays: own, trace: d.Medium(own.trace()), unmade: d.Medium(own.unmade()),
		patched: map[[2]int16]uint8{},
	}
}

// of returns the medium of a segment.
func (d *signals) of(s *cabling.Schedule, seg *cabling.Segment) uint8 {
	m := d.level[seg.Level]
	switch seg.Product {
	case cabling.IsTrace:
		return m.trace
	case cabling.NoProduct:
		return m.unmade
	}
	for len(m.product) <= int(seg.Product) {
		m.product = append(m.product, -1)
	}
	medium := &m.product[seg.Product]
	if *medium < 0 {
		*medium = int16(d.Medium(m.cable(&s.Products[seg.Product])))
	}
	return uint8(*medium)
}

// visit is called with every segment. A link over panels is recorded when its
// last cord comes by.
func (d *signals) visit(s *cabling.Schedule, seg *cabling.Segment) {
	c := delay.Channel{
		Link: seg.Link, A: seg.A, B: seg.B, Level: seg.Level, Within: seg.Within,
		Length: seg.Length, Medium: d.of(s, seg),
	}
	if seg.Product >= 0 {
		c.Length = d.level[seg.Level].along(seg.Length, &s.Products[seg.Product])
	}
	if seg.Cable > d.cable { // cables are numbered as they come up: a shared one counts once
		d.cable = seg.Cable
		d.lengths(c.Medium).add(seg.Length)
	}
	switch {
	case s.Panel(seg.A) < 0 && s.Panel(seg.B) >= 0:
		d.way = patchedWay{from: seg.A, length: c.Length, product: seg.Product, within: seg.Within}
		return
	case s.Panel(seg.B) >= 0:
		d.way.length += c.Length
		d.way.within = min(d.way.within, seg.Within)
		return
	case s.Panel(seg.A) >= 0:
		c.A, c.Within = d.way.from, min(d.way.within, seg.Within)
		c.Length = (d.way.length + c.Length).Round4()
		c.Medium = d.overPanels(s, d.level[seg.Level], d.way.product, seg.Product)
	}
	d.Add(&c)
	if d.fabric == nil || c.Link == d.last {
		return
	}
	d.last = c.Link
	if f := d.fabric[c.Level]; f >= 0 {
		d.links[f].Add(c.Length, c.Medium)
	}
}

// patchedWay is the way of a link over panels so far.
type patchedWay struct {
	from    int32 // vertex
	within  uint8
	product int16 // of the first cord
	length  units.Length
}

// overPanels returns the medium of a link over panels whose cords are of the given
// products: cords and trunk delay a signal alike, and there is an optic at either
// end.
func (d *signals) overPanels(s *cabling.Schedule, m *media, a, b int16) uint8 {
	if a < 0 || b < 0 {
		return m.unmade
	}
	key := [2]int16{a, b}
	medium, ok := m.patched[key]
	if !ok {
		whole := s.Products[a]
		whole.OpticB = s.Products[b].OpticB
		medium = d.Medium(m.cable(&whole))
		m.patched[key] = medium
	}
	return medium
}

// CableLengths is about the cables of one medium: the lengths that they need.
type CableLengths struct {
	Medium catalog.Medium
	Cables int64
	Metres units.Length
	Spread delay.Spread[units.Length]
}

func (c *CableLengths) add(length units.Length) {
	c.Cables++
	c.Metres += length
	c.Spread.Add(length)
}

// lengths is about the cables of a medium of the model.
func (d *signals) lengths(medium uint8) *CableLengths {
	for i := len(d.cables); i <= int(medium); i++ {
		d.cables = append(d.cables, CableLengths{Medium: catalog.Medium(d.Model.Media[i].Name)})
	}
	return &d.cables[medium]
}

// byMedium merges what differs in delay only, in the order of the catalog's
// media.
func (d *signals) byMedium() []CableLengths {
	var out []CableLengths
	for _, medium := range catalog.Media {
		all := CableLengths{Medium: medium}
		for i := range d.cables {
			if c := &d.cables[i]; c.Medium == medium {
				all.Cables += c.Cables
				all.Metres += c.Metres
				all.Spread.Merge(&c.Spread)
			}
		}
		if all.Cables > 0 {
			out = append(out, all)
		}
	}
	return out
}
