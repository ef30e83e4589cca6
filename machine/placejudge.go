package machine

import (
	"context"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// evaluation has the violations, the cost and the objective of a placement, with every cable measured from port to
// port.
type evaluation struct {
	// violations are of the rules for cables, trays, racks and rows. Rules that need the whole plan, such as those for
	// feeds, cooling and prices, are not checked, nor are racks in containers.
	violations cabling.Violations
	// figures are the values that the objective minimizes, the most important first; nil if the objective is about
	// delays, or mixed.
	figures []float64
	bill    units.Money   // total
	plugged []units.Power // by kind of vertices: the highest power of the optics and cable ends in one of the boxes
	// narrow has the positions of racks whose openings or cable managers are too small for their cables, accepted
	// violations of cabling.RuleEntry included. Racks that only bend cables too tightly break the rule as well and are
	// not among them.
	narrow []int32
}

// evaluate cables a placement as a plan does, without keeping the cables. An error means wrong input, or that ctx
// ended.
func (r *resolved) evaluate(ctx context.Context, pl *embed.Placement) (*evaluation, error) {
	r, pl, err := r.plugByPlace(pl)
	if err != nil {
		return nil, err
	}
	p := r.cabling(pl, true)
	p.Drawn = true
	if err := r.priceByQuantity(ctx, pl, p); err != nil {
		return nil, err
	}
	var rules *cabling.Checker
	begin := func() { rules = cabling.NewChecker(p) }
	begin()
	p.Again = begin
	p.Visit = func(s *cabling.Schedule, seg *cabling.Segment) { rules.Visit(s, seg) }
	s, err := cabling.Run(ctx, p)
	if err != nil {
		return nil, err
	}
	rules.Finish(s, r.trayParts())
	j := &evaluation{violations: s.Violations, bill: cost.NewBill(r.bill(pl, s)).Total}
	if room := pl.Layout.Room; room != nil {
		j.violations.CheckRacks(room, s.LoadedRacks(), r.racks)
		j.narrow = j.violations.CheckEntries(s, room, r.racks)
	}
	for _, k := range r.graph.Kinds() {
		most := units.Power(0)
		for _, drawn := range s.Drawn[k.First : k.First+k.Count] {
			most = max(most, drawn)
		}
		j.plugged = append(j.plugged, most)
	}
	j.figures = r.figures(s, j.bill)
	return j, nil
}

// figures returns evaluation.figures.
func (r *resolved) figures(s *cabling.Schedule, bill units.Money) []float64 {
	var total, longest float64
	for _, tallies := range s.Tallies {
		for _, t := range tallies {
			total += float64(t.CableMetres)
			longest = max(longest, float64(t.LongestCable))
		}
	}
	switch r.spec.Embedding.Objective {
	case spec.Money:
		return []float64{float64(s.Violations.Count(cabling.RuleReach)), float64(bill)}
	case spec.Longest:
		return []float64{longest, total}
	case spec.Length:
		return []float64{total}
	}
	return nil
}

// overloads returns the number of racks and rows that draw more power than they supply, without those that the machine
// file accepts.
func (j *evaluation) overloads() int {
	return j.count(cabling.RulePower) + j.count(cabling.RuleRowPower)
}

// count returns the number of violations of a rule that the machine file does not accept.
func (j *evaluation) count(r cabling.Rule) int {
	return j.violations.Count(r) - j.violations.CountSuppressed(r)
}

// breaks lists the rules of severity error that the placement of j breaks and that of other keeps.
func (j *evaluation) breaks(other *evaluation) []string {
	var out []string
	for _, r := range cabling.Rules {
		if r.Severity == diag.Error && j.count(r) > 0 && other.count(r) == 0 {
			out = append(out, r.ID)
		}
	}
	return out
}

// maybeOverloaded reports whether racks or rows of a room could draw more power than they supply if every port had the
// optics with the highest power. If not, the placement need not be cabled to find out (see refill). It is false for
// containers, which are not refilled.
func (r *resolved) maybeOverloaded(pl *embed.Placement) bool {
	room := pl.Layout.Room
	if room == nil {
		return false
	}
	row, limited := room.Spec.RowPower, room.Spec.Rack.Power > 0
	for i := range room.Spec.Types {
		limited = limited || room.Spec.Types[i].Power > 0
	}
	if !limited && row <= 0 {
		return false
	}
	plugged := cabling.PlugPower(r.cabling(pl, true))
	kinds := r.graph.Kinds()
	draws, rows := make([]units.Power, len(room.Places)), make([]units.Power, len(room.Rows))
	for i := range pl.Racks {
		draws[pl.Racks[i].Place] = pl.Racks[i].Power
	}
	for v, slot := range pl.Slot {
		draws[pl.Layout.Container(layout.RackLevel, slot)] += plugged[topology.KindOf(kinds, v)]
	}
	for i, power := range draws {
		rows[room.Places[i].Row] += power
		if rack := room.Type(int32(i)).Power; rack > 0 && power > rack {
			return true
		}
	}
	for _, power := range rows {
		if row > 0 && power > row {
			return true
		}
	}
	return false
}
