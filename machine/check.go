package machine

import (
	"fmt"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/embed"
)

// check holds racks, rows, trays and prices against the design rules. It returns a copy of the placement whose racks
// have the power and weight of all that is plugged in, the power and cooling plans (nil where there are none), and all
// violations, those that the schedule has found included. For containers the placement stays as it is.
func check(
	r *resolved, pl *embed.Placement, s *cabling.Schedule, bill *cost.Bill,
) (*embed.Placement, *PowerPlan, *CoolingPlan, cabling.Violations) {
	v := s.Violations
	v.PowerBasis = r.spec.PowerBasis
	for _, item := range bill.Unpriced {
		v.Add(cabling.RulePrice, item.String(), "%s has no price for %s; the total excludes it", r.prices.Name, item)
	}
	if s.Trays != nil {
		v.CheckSeparation(r.trayHeights(), *r.spec.Room.Trays.Separation)
	}
	room := pl.Layout.Room
	if room == nil {
		r.checkNestedRacks(pl, s, &v)
		return pl, nil, nil, v
	}
	loaded := *pl
	loaded.Racks = s.LoadedRacks()
	v.CheckRacks(room, loaded.Racks, r.racks)
	v.CheckEntries(s, room, r.racks)
	feeds := r.powerPlan(&loaded, s)
	if feeds != nil {
		r.checkFeeds(&v, feeds, s)
	}
	r.checkTiers(&v, feeds, pl)
	each, _, _ := r.boxHeat(s)
	heat := r.rackHeat(&loaded, s, each, feeds)
	cooling := r.coolingPlan(&loaded, s, heat)
	r.checkCooling(&v, cooling, room, heat)
	return &loaded, feeds, cooling, v
}

// suppressions are what the machine file accepts.
func (r *resolved) suppressions() []cabling.Suppression {
	var out []cabling.Suppression
	for _, u := range r.spec.Rules.Suppress {
		out = append(out, cabling.Suppression{Rule: u.Rule, Where: u.Where, Reason: u.Reason})
	}
	return out
}

// unusedSuppressions notes suppressions that suppress nothing. A summary does not
// ask whether rails share a tray.
func unusedSuppressions(v *cabling.Violations, summary bool) []string {
	var out []string
	for _, u := range v.UnusedSuppressions() {
		if summary && u.Rule == cabling.RuleRedundancy.ID {
			continue
		}
		where := ""
		if u.Where != "" {
			where = " at " + u.Where
		}
		out = append(out, fmt.Sprintf("nothing breaks the rule %s%s, which is suppressed", u.Rule, where))
	}
	return out
}
