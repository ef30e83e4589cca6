package machine

import (
	"context"
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/internal/arith"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
)

// tier is the switches of one kind in one fabric, such as all spines: two or more.
type tier struct {
	kind   int   // of the switches, an index into the kinds of the machine's graph
	fabric []int // the kinds of all boxes of the fabric
}

// tiers lists the tiers of all fabrics.
func (r *resolved) tiers() []tier {
	var out []tier
	kinds := r.graph.Kinds()
	for _, f := range r.fabrics {
		of, own := slices.Clone(f.kinds), f.graph.Kinds()
		for k := range kinds {
			if f.part < 0 { // the graph of the machine is that of the fabric
				of, own = append(of, k), kinds
			}
		}
		for i, k := range of {
			// Switches of other fabrics are plugged in as nodes.
			if own[i].Role == topology.Switch && kinds[k].Count > 1 {
				out = append(out, tier{k, of})
			}
		}
	}
	return out
}

// singlePoint is a single point of failure: a rack or a feed whose loss takes all switches of a tier.
type singlePoint struct {
	tier
	within embed.Domain
	rack   int32 // rack position; only if within is RackDomain
	feed   int   // index in room.feeds; only if within is FeedDomain
}

// singlePoints finds the tiers whose switches are all in one rack, or all in racks that draw from the same single feed.
// It returns none, of racks as of feeds, if the room has fewer than two feeds. A tier in one rack is not exposed if the
// whole fabric is in this rack: it loses all its boxes with the rack anyway.
func (r *resolved) singlePoints(pl *embed.Placement) []singlePoint {
	room, kinds := pl.Layout.Room, r.graph.Kinds()
	if room == nil || len(r.spec.Room.Feeds) < 2 {
		return nil
	}
	rackOf := func(v int) int32 { return pl.Layout.Container(layout.RackLevel, pl.Slot[v]) }
	only := r.onlyFeeds(room)
	var out []singlePoint
	for _, t := range r.tiers() {
		k := &kinds[t.kind]
		rack, feed := rackOf(k.First), only[rackOf(k.First)]
		oneRack := true
		for v := k.First + 1; v < k.First+k.Count; v++ {
			at := rackOf(v)
			oneRack = oneRack && at == rack
			if only[at] != feed {
				feed = -1
			}
		}
		if oneRack && slices.ContainsFunc(t.fabric, func(other int) bool {
			for v := kinds[other].First; v < kinds[other].First+kinds[other].Count; v++ {
				if rackOf(v) != rack {
					return true
				}
			}
			return false
		}) {
			out = append(out, singlePoint{tier: t, within: embed.RackDomain, rack: rack})
		}
		if feed >= 0 {
			out = append(out, singlePoint{tier: t, within: embed.FeedDomain, feed: feed})
		}
	}
	return out
}

// onlyFeeds returns, for each rack position, the feed that supplies it alone; -1 if no feed or several feeds do.
func (r *resolved) onlyFeeds(room *layout.Room) []int {
	out := make([]int, len(room.Places))
	for place := range out {
		out[place] = -1
		if here := r.feedsAt(room, int32(place)); len(here) == 1 {
			out[place] = here[0]
		}
	}
	return out
}

// checkTiers adds a violation of RuleTierLoss for every tier that is lost as a whole with one rack or one feed. The
// power schedule p says which boxes lose power without a feed; if p is nil, racks draw from the feeds that supply their
// position.
func (r *resolved) checkTiers(v *cabling.Violations, p *PowerPlan, pl *embed.Placement) {
	kinds, words := r.graph.Kinds(), r.wordsOfKinds()
	all := func(t tier) string {
		k := &kinds[t.kind]
		return fmt.Sprintf("all %s", english.Count(k.Count, "switch"))
	}
	for _, e := range r.singlePoints(pl) {
		switch {
		case e.within == embed.RackDomain:
			v.Add(cabling.RuleTierLoss, words[e.kind], "%s stand in rack %s, and the fabric has boxes in other racks",
				all(e.tier), pl.Layout.Room.Name(int(e.rack)))
		case p == nil:
			v.Add(cabling.RuleTierLoss, words[e.kind], "%s are in racks that draw from feed %s alone", all(e.tier),
				r.spec.Room.Feeds[e.feed].Name)
		}
	}
	if p == nil || len(p.Feeds) < 2 {
		return
	}
	for f := range p.Feeds {
		dark := map[int32]bool{}
		for i := range p.Racks {
			if l := p.Racks[i].Without[f]; l != nil {
				for _, b := range l.Dark {
					dark[p.Racks[i].BoxAt[b]] = true
				}
			}
		}
		for _, t := range r.tiers() {
			k, lost := &kinds[t.kind], 0
			for u := k.First; u < k.First+k.Count; u++ {
				if dark[int32(u)] {
					lost++
				}
			}
			if lost == k.Count {
				v.Add(cabling.RuleTierLoss, words[t.kind], "%s go dark without feed %s", all(t), p.Feeds[f])
			}
		}
	}
}

// spreadRisks places the boxes again if all switches of a tier are in one rack or on one feed, or if the cables of a
// rack do not fit through its openings and the rack has several switches of a tier. Each round halves the number of
// switches of the tier that may share a rack or feed (limitTiers), until no such rack or tier is left, no limit is new,
// or the room does not allow the limits. It returns the placement with the fewest errors and, among those, the fewest
// single points of failure, and adds the limits of this placement to p.AntiAffinity. The design rules report the tiers
// and racks that remain.
func (r *resolved) spreadRisks(ctx context.Context, p *embed.Problem, pl *embed.Placement) (*embed.Placement, error) {
	if !r.maySpread() {
		return pl, nil
	}
	least, err := r.evaluate(ctx, pl)
	if err != nil {
		return nil, err
	}
	risks := len(r.singlePoints(pl))
	asked := slices.Clone(p.AntiAffinity)
	limits := map[embed.Domain]map[int]int{embed.RackDomain: {}, embed.FeedDomain: {}} // by kind
	for last, lastRisks, at := least, risks, pl; last.narrow != nil || lastRisks > 0; {
		if !r.limitTiers(limits, at, last.narrow) {
			break
		}
		trial := *p
		trial.Grouped = !pl.SharesRacks // groups stay together where they fit
		trial.AntiAffinity = append(slices.Clone(asked), r.antiAffinityOf(limits)...)
		next, err := embed.Place(ctx, &trial)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			if diag.Fields(err) == nil {
				return nil, err
			}
			break // the room does not let them stand apart
		}
		at = next
		if last, err = r.evaluate(ctx, next); err != nil {
			return nil, err
		}
		lastRisks = len(r.singlePoints(next))
		errors, leastErrors := last.violations.Errors(), least.violations.Errors()
		if errors < leastErrors || errors == leastErrors && lastRisks < risks {
			pl, least, risks, p.AntiAffinity = next, last, lastRisks, trial.AntiAffinity
		}
	}
	if len(p.AntiAffinity) > len(asked) {
		pl.Notes = append(pl.Notes, r.spreadNotes(p.AntiAffinity[len(asked):])...)
	}
	return pl, nil
}

// maySpread reports whether spreadRisks may have a reason to place boxes again: the machine has tiers, and its room
// several feeds or racks with openings.
func (r *resolved) maySpread() bool {
	return r.room != nil && (len(r.spec.Room.Feeds) > 1 || r.hasOpenings()) && len(r.tiers()) > 0
}

// hasOpenings reports whether any type of rack has openings for cables.
func (r *resolved) hasOpenings() bool {
	return slices.ContainsFunc(r.racks, func(p *catalog.Part) bool { return p.Rack != nil && len(p.Rack.Openings) > 0 })
}

// limitTiers lowers the limits of how many switches of a tier may share a rack or a feed, by domain and kind: for an
// exposed tier to half of its switches, and for a tier with several switches in a rack of narrow (racks whose cables do
// not fit through the openings) to half of its switches there, rounded up. It reports whether any limit is new.
func (r *resolved) limitTiers(limits map[embed.Domain]map[int]int, pl *embed.Placement, narrow []int32) bool {
	kinds, changed := r.graph.Kinds(), false
	limit := func(within embed.Domain, kind, most int) {
		if before, ok := limits[within][kind]; !ok || most < before {
			limits[within][kind], changed = most, true
		}
	}
	for _, e := range r.singlePoints(pl) {
		limit(e.within, e.kind, arith.CeilDiv(kinds[e.kind].Count, 2))
	}
	for _, t := range r.tiers() {
		in := map[int32]int{} // switches of the tier in each rack
		for v := kinds[t.kind].First; v < kinds[t.kind].First+kinds[t.kind].Count; v++ {
			in[pl.Layout.Container(layout.RackLevel, pl.Slot[v])]++
		}
		for _, rack := range narrow {
			if n := in[rack]; n > 1 {
				limit(embed.RackDomain, t.kind, arith.CeilDiv(n, 2))
			}
		}
	}
	return changed
}

// antiAffinityOf returns limits as rules of anti-affinity, in the order of kinds.
func (r *resolved) antiAffinityOf(limits map[embed.Domain]map[int]int) []embed.AntiAffinity {
	var out []embed.AntiAffinity
	for i, k := range r.graph.Kinds() {
		for _, within := range []embed.Domain{embed.RackDomain, embed.FeedDomain} {
			most, ok := limits[within][i]
			if !ok {
				continue
			}
			g := embed.Group{Name: r.wordsOfKinds()[i]}
			for v := k.First; v < k.First+k.Count; v++ {
				g.Vertices = append(g.Vertices, int32(v))
			}
			out = append(out, embed.AntiAffinity{Groups: []embed.Group{g}, Within: within, AtMost: most})
		}
	}
	return out
}

// spreadNotes returns a note for the user on each limit that spreadRisks added.
func (r *resolved) spreadNotes(apart []embed.AntiAffinity) []string {
	var out []string
	for _, a := range apart {
		domain := "rack"
		if a.Within == embed.FeedDomain {
			domain = "feed"
		}
		out = append(out, fmt.Sprintf("at most %d of %s share a %s, so that the rules entry and tier-loss are kept as "+
			"far as the room allows; embedding.apart sets another limit", a.AtMost, a.Groups[0].Name, domain))
	}
	return out
}
