package cabling

import (
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/units"
)

// Plugs has the ports into which all channels are plugged if these are not the topology's, and the cables that exist.
// Channels are numbered link by link, in the order of Graph.Links.
type Plugs struct {
	A, B []uint16 // the ports of each channel
	// Cable is the cable of each channel that lies between these ports, an index into Cables; -1 for none.
	Cable  []int32
	Cables []Laid
}

// Laid is a product of which cables lie already, in one length.
type Laid struct {
	Part   *catalog.Part
	Length units.Length
	Shared bool // it can carry several links
}

// plug sets the ports of channel n, from 0, of the link of c, and the cable that lies there.
func (w *worker) plug(c *channel, n int32) {
	c.portA, c.portB, c.laid = c.link.PortA+n, c.link.PortB+n, nil
	if p := w.p.Plugs; p != nil {
		at := c.first + int64(n)
		c.portA, c.portB = int32(p.A[at]), int32(p.B[at])
		if i := p.Cable[at]; i >= 0 {
			c.laid = &p.Cables[i]
		}
	}
}

// keep returns the product of a cable that lies already and may stay: it is long enough, and the ports and the media
// rule that decides allow it. Else it returns chosen and false.
func (w *worker) keep(ch *channel, class *linkClass, chosen int16, need units.Length) (int16, bool) {
	if ch.laid == nil || ch.laid.Shared || chosen < 0 || ch.laid.Length+1e-9 < need {
		return chosen, false
	}
	product := w.s.Products[chosen]
	if ch.laid.is(&product) {
		product.Stock = true
		return w.piece(product), true
	}
	b := &w.buyer
	rule := b.decides(w.layout, class, w.p.Graph.Levels()[class.level].Name, need)
	if rule < 0 {
		return chosen, false
	}
	if longest := b.rules[rule].Longest; longest > 0 && ch.laid.Length > longest {
		return chosen, false
	}
	for _, c := range w.substitutes(class, &product, rule) {
		if c.part != ch.laid.Part || c.reach > 0 && need > c.reach {
			continue
		}
		p := b.product(&c, ch.laid.Length, class)
		p.Stock = true
		kept := w.piece(p)
		if b.trays == nil || b.groups[kept] == b.groups[chosen] {
			return kept, true
		}
	}
	return chosen, false
}

// is reports whether it is a piece of a product.
func (l *Laid) is(p *Product) bool {
	return l.Part == p.Part && l.Length == p.Length
}

// countKept counts a cable that stays where it lies.
func (t *Tally) countKept(p *Product) {
	t.Kept++
	if p.Part.Cable.Medium.Fibre() {
		t.KeptFibre += int64(max(p.Part.Cable.Legs, 1))
	}
}

// KeepPatched counts the cords and trunks at panels that lie already as those that stay: exists reports whether the
// cable of a segment does. It does nothing for a schedule without a list of cables.
func (s *Schedule) KeepPatched(exists func(seg *Segment) bool) {
	seen := map[int32]bool{} // trunks are in several links
	for i := range s.Segments {
		seg := &s.Segments[i]
		if s.Panel(seg.A) < 0 && s.Panel(seg.B) < 0 || seg.Product < 0 || seen[seg.Cable] || !exists(seg) {
			continue
		}
		seen[seg.Cable] = true
		s.Tallies[seg.Level][seg.Within].countKept(&s.Products[seg.Product])
	}
}
