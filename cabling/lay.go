package cabling

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/units"
)

// trays prepares the trays and the bundles.
func (w *worker) trays() error {
	w.bundler = bundler{s: w.s, most: int32(w.p.Bundle)}
	if w.bundler.most <= 0 {
		w.bundler.most = DefaultBundle
	}
	if w.layout.Room == nil || w.p.Mode != Tray {
		return nil
	}
	net := w.layout.Room.Trays
	if len(net.Levels) > maxTrayLevels {
		return fmt.Errorf("cabling: more than %d levels of trays", maxTrayLevels)
	}
	rules := slices.Clone(w.p.Trays)
	if rules == nil {
		rules = make([]TrayRule, len(net.Levels))
	}
	if len(rules) != len(net.Levels) {
		return fmt.Errorf("cabling: %d rules for %d levels of trays", len(rules), len(net.Levels))
	}
	w.s.Trays = &Trays{Network: net, Rules: rules, digits: max(4, len(strconv.Itoa(net.Pieces())))}
	w.s.router.trays = newTrayRouter(net, rules)
	w.buyer.trays = w.s.router.trays
	return nil
}

// lay sets the way, the length and the product of a cable that carries one link, and counts it in its bundle; it sets
// class.barred. A class without ports has no product. It reports whether the cable lies there already.
func (w *worker) lay(seg *Segment, ch *channel, class *linkClass) (kept bool) {
	r := &w.s.router
	seg.Product = NoProduct
	if !r.onTrays(ch.common) {
		if class.groupA != nil {
			seg.Product = w.chooserOf(class).choose(seg.Length)
			if seg.Product, kept = w.keep(ch, class, seg.Product, seg.Length); !kept {
				w.countNeed(class, seg.Level, seg.Product, seg.Length)
				seg.Product, _ = w.fromStock(class, seg.Product, seg.Length)
			}
		}
		w.tie(seg)
		return kept
	}
	rc, options := w.reachOf(ch)
	class.barred = rc.barred
	var c *chooser
	if class.groupA != nil {
		c = w.chooserOf(class)
	}
	group, product := pick(c, options, w.buyer.groups)
	if group < 0 {
		a, b := w.ends(ch)
		seg.Length = r.parts(a, b, ch.common).Total()
		return false
	}
	o := &options[group]
	seg.Product, seg.Length = product, o.total
	spare := units.Length(math.Inf(1))
	if c != nil {
		spare = c.longest() - seg.Length
	}
	back := func() {}
	if class.groupA != nil {
		if seg.Product, kept = w.keep(ch, class, product, seg.Length); !kept {
			seg.Product, back = w.fromStock(class, product, seg.Length)
		}
	}
	way := w.tieOn(seg, rc.pair, o.level, uint8(group), o.run)
	if way.detour >= 0 {
		back()
		class.barred = r.trays.barredOn(int32(way.Level))
		seg.Length = r.total(w.across(ch), int(way.Level), way.Run.Round4())
		made := product != NoProduct
		if class.groupA != nil {
			product = w.chooserOf(class).choose(seg.Length)
			if seg.Product, kept = w.keep(ch, class, product, seg.Length); !kept {
				seg.Product, _ = w.fromStock(class, product, seg.Length)
			}
		}
		if seg.Product == NoProduct && made {
			w.failed = append(w.failed, seg.Bundle-1)
		}
	}
	if class.groupA != nil && !kept {
		w.countNeed(class, seg.Level, product, seg.Length)
	}
	w.countBundled(seg, rc.heights, o.total, spare)
	return kept
}

// laySharing finds the way and the length of a link whose cable is shared by the
// links of near cage n and leads to far cage f. The cable is what n needs as a
// whole: where it is led around full trays, it stays the same piece.
func (w *worker) laySharing(seg *Segment, ch *channel, n, f *cage) {
	r := &w.s.router
	if !r.onTrays(ch.common) {
		if f.bundle == 0 {
			w.tie(seg)
			f.bundle = cmp.Or(seg.Bundle, unbundled)
		}
		seg.Bundle = max(f.bundle, 0)
		return
	}
	rc, options := w.reachOf(ch)
	group := w.buyer.groups[n.product]
	o := &options[group]
	seg.Length = o.total
	first := f.bundle == 0
	var way *Way
	if first {
		way = w.tieOn(seg, rc.pair, o.level, group, o.run)
		f.bundle = seg.Bundle
	} else { // in the jacket of another link
		seg.Bundle = f.bundle
		way = &w.s.Ways[w.s.Bundles[seg.Bundle-1].Way]
	}
	piece := w.s.Products[n.product].Length
	if way.detour >= 0 || int32(way.Level) != o.level {
		seg.Length = r.total(w.across(ch), int(way.Level), way.Run.Round4())
		if seg.Length > piece+1e-9 {
			w.failed = append(w.failed, seg.Bundle-1)
		}
	}
	if first {
		w.countBundled(seg, rc.heights, o.total, piece-n.need)
	}
}

// routes finds the ways of a cable between racks; they hold until the next call.
func (w *worker) routes(sp *span) (options []trayOption, barred uint8) {
	r := &w.s.router
	w.found, barred = r.trays.options(w.found[:0], r, sp, w.pairs.runsOf(sp.pair))
	return w.found, barred
}

// pick chooses the product of a cable on trays, whose length depends on its
// medium. It starts from the shortest way of all and, where the product chosen
// may not use that way, goes on with the length that it would have. Every product
// that is returned is long enough for its own group's way. Group is that of the
// product; where none fits, of the last one that was tried, -1 where no tray
// joins the racks at all.
func pick(c *chooser, options []trayOption, groups []uint8) (group int, product int16) {
	group = -1
	for g := range options {
		if options[g].level >= 0 && (group < 0 || options[g].total < options[group].total) {
			group = g
		}
	}
	if group < 0 || c == nil {
		return group, NoProduct
	}
	need := options[group].total
	for {
		product = c.choose(need)
		if product < 0 {
			return group, product
		}
		group = int(groups[product])
		own := options[group].total
		if own > need+1e-9 {
			need = own
			continue
		}
		if own < need { // the detour of another medium is not its own
			if p := c.choose(own); p >= 0 && int(groups[p]) == group {
				product = p
			}
		}
		return group, product
	}
}

// reachOf returns what was measured of a channel on trays: what it needs, and its ways by group of media.
func (w *worker) reachOf(ch *channel) (*reach, []trayOption) {
	groups := len(w.s.router.trays.groups)
	return &ch.reaches[ch.n], ch.ways[int(ch.n)*groups:][:groups]
}

// rack is the rack of a vertex, -1 where there are no racks.
func (w *worker) rack(v int32) int32 { return w.s.router.rack(w.slot[v]) }

// tie puts a cable that lies on no tray into a bundle, if it leaves its rack, or into the gaps between containers.
func (w *worker) tie(seg *Segment) {
	if w.s.Gaps != nil {
		w.s.Gaps.add(w.slot[seg.A], w.slot[seg.B], w.strand(seg))
	}
	if w.layout.Room == nil {
		return
	}
	if w.s.router.inRack(int(seg.Within)) {
		w.weigh(seg, seg.A)
		return
	}
	seg.Bundle = w.bundler.bundle(w.bundler.base(w.rack(seg.A), w.rack(seg.B), -1, 0, w.copper(seg), 0))
	w.s.Bundles[seg.Bundle-1].add(seg.Length, w.strand(seg), 0)
}

// weigh counts a cable that stays inside a rack, that of a vertex.
func (w *worker) weigh(seg *Segment, v int32) {
	st := w.strand(seg)
	if st == nil || w.layout.Room == nil {
		return
	}
	c := &w.s.cords[w.rack(v)]
	c.cables++
	c.light += int64(st.light)
	c.mass += st.mass
}

// tieOn puts a cable, whose shortest way is on a level, into a bundle and returns
// the way of that.
func (w *worker) tieOn(seg *Segment, pair, level int32, group uint8, run units.Length) *Way {
	seg.Bundle = w.bundler.bundle(w.base(seg, pair, level, group, run))
	return &w.s.Ways[w.s.Bundles[seg.Bundle-1].Way]
}

// countBundled counts a cable in the bundle that it was put in. Heights is as a span has it, shortest its length on its
// shortest way, spare what may be added to that.
func (w *worker) countBundled(seg *Segment, heights, shortest, spare units.Length) {
	t := w.s.Trays
	u := &w.s.Bundles[seg.Bundle-1]
	if w.s.Ways[u.Way].detour >= 0 {
		t.Rerouted++
		t.Extra += seg.Length - shortest
	}
	u.spare = min(u.spare, float32(w.p.Slack.detour(spare)))
	u.add(seg.Length, w.strand(seg), heights)
}

// copper reports whether a segment's product is of copper.
func (w *worker) copper(seg *Segment) bool {
	return seg.Product >= 0 && w.strand(seg).copper > 0
}

// strand is what a segment's product adds to a bundle, nil for none.
func (w *worker) strand(seg *Segment) *strand {
	if seg.Product < 0 {
		return nil
	}
	b := &w.bundler
	for n := len(b.strands); n <= int(seg.Product); n++ {
		b.strands = append(b.strands, newStrand(&w.s.Products[n]))
	}
	return &b.strands[seg.Product]
}

// mediaWithoutTray says which media find no tray for a cable.
func (w *worker) mediaWithoutTray(barred uint8, seg *Segment) string {
	var media []string
	for _, m := range catalog.Media {
		if w.s.router.trays.bars(m, barred) {
			media = append(media, string(m))
		}
	}
	room := w.layout.Room
	hall := func(vertex int32) int {
		return room.Rows[room.Places[w.layout.Container(layout.RackLevel, w.slot[vertex])].Row].Hall
	}
	between := "these racks"
	if a, b := hall(seg.A), hall(seg.B); a != b {
		between = fmt.Sprintf("halls %s and %s", room.Spec.Halls[a].Name, room.Spec.Halls[b].Name)
	}
	if len(media) == len(catalog.Media) {
		return "; no tray joins " + between
	}
	return "; no tray between " + between + " takes " + strings.Join(media, ", ")
}
