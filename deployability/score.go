package deployability

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// DefaultResidual is the default of Options.Residual: the share of the capacity that stays in service during an
// expansion.
const DefaultResidual = 0.75

// DefaultGrowth is the default of Options.Growth.
const DefaultGrowth = 0.25

// Options describes the expansion that Score considers.
type Options struct {
	// Residual is the share of its capacity that every switch keeps in each step of the expansion, at least 0 and below
	// 1; nil stands for DefaultResidual.
	Residual *float64
	// Growth is the minimum number of added nodes divided by the present number of nodes, above 0 and at most 100; 0
	// stands for DefaultGrowth.
	Growth float64
}

// ErrSummary is the error of a plan that has no list of cables.
var ErrSummary = errors.New("the plan is a summary, which has no list of cables to score")

// Check returns a *diag.FieldError for each option out of range.
func (o Options) Check() error {
	var wrong diag.FieldErrors
	if o.Residual != nil && !(*o.Residual >= 0 && *o.Residual < 1) {
		wrong.Add("Residual", "must be from 0 and below 1, not %v", *o.Residual)
	}
	if o.Growth != 0 && !(o.Growth > 0 && o.Growth <= 100) {
		wrong.Add("Growth", "must be above 0 and at most 100, not %v", o.Growth)
	}
	return wrong.Err()
}

func (o Options) residual() float64 {
	if o.Residual == nil {
		return DefaultResidual
	}
	return *o.Residual
}

func (o Options) growth() float64 {
	if o.Growth == 0 {
		return DefaultGrowth
	}
	return o.Growth
}

// Score returns all figures of a plan. Those of an expansion are about one network of the plan. The error is ErrSummary
// or that of Options.Check.
func Score(plan *machine.Result, network *machine.Network, opt Options) (*report.Deployability, error) {
	if err := opt.Check(); err != nil {
		return nil, err
	}
	s := plan.Schedule
	if s.Segments == nil && s.Cables > 0 {
		return nil, ErrSummary
	}
	d := &report.Deployability{
		Switches: plan.Counts.Switches, Bundling: bundling(s), Unit: deployUnit(plan.Graph, s.Placement),
		Replaceable: replaceable(s.Placement.Layout, s.Placement.Slot[:topology.Vertices(plan.Graph)]),
		LongestRun:  longestRun(s), Busiest: busiest(s.Trays),
	}
	d.Panels, d.Racks = panels(s.Patching)
	d.Lengths, d.Products, d.Items = variety(s)
	d.Weight, d.Unweighed = weight(s)
	d.Weight = report.Round(d.Weight)
	var unknown error
	if d.Expansion, unknown = expand(network.Graph, opt); unknown != nil {
		d.ExpansionUnknown = unknown.Error()
	} else if d.Racks > 0 && d.Expansion.Steps > 0 {
		each := report.Round(float64(d.Expansion.Rewired) / float64(d.Racks*d.Expansion.Steps))
		d.Expansion.PerPanelRack = &each
	}
	return d, nil
}

// eachCable calls visit once for every cable that has a product, with its first segment.
func eachCable(s *cabling.Schedule, visit func(seg *cabling.Segment, p *cabling.Product)) {
	seen := make([]bool, s.Cables+1)
	s.Each(func(number int64, seg *cabling.Segment) bool {
		if p := s.Product(seg); p != nil && !seen[number] {
			visit(seg, p)
			seen[number] = true
		}
		return true
	})
}

// harness is the cables between two racks, given by the racks, the lower number first.
type harness struct{ a, b int32 }

// harnesses returns the pairs of racks with cables between them, in the order of their first cables, and the ordered
// lengths of the cables of each pair, in rising order. A splitter counts for the rack that its first leg leads to.
func harnesses(s *cabling.Schedule, rack int) (order []harness, lengths map[harness][]units.Length) {
	lengths = map[harness][]units.Length{}
	l := s.Placement.Layout
	eachCable(s, func(seg *cabling.Segment, p *cabling.Product) {
		a, b := l.Container(rack, s.Placement.Slot[seg.A]), l.Container(rack, s.Placement.Slot[seg.B])
		if a == b {
			return
		}
		h := harness{min(a, b), max(a, b)}
		if lengths[h] == nil {
			order = append(order, h)
		}
		lengths[h] = append(lengths[h], p.Length)
	})
	for _, all := range lengths {
		slices.Sort(all)
	}
	return order, lengths
}

// bundling counts the cables, harnesses and bundles between racks; nil if no level of the layout is a rack.
func bundling(s *cabling.Schedule) *report.Bundling {
	rack := s.Placement.Layout.LevelOf(layout.RoleRack)
	if rack < 0 {
		return nil
	}
	order, lengths := harnesses(s, rack)
	out := &report.Bundling{Harnesses: len(order)}
	out.Links, out.Bundles, out.Types = bundles(s, rack)
	kinds := map[string]int{}
	for _, h := range order {
		all := lengths[h]
		out.Cables += int64(len(all))
		var kind []byte
		for i := 0; i < len(all); {
			n := 1
			for i+n < len(all) && all[i+n] == all[i] {
				n++
			}
			kind = binary.AppendUvarint(kind, uint64(n))
			kind = binary.AppendUvarint(kind, uint64(float64(all[i])*1e4+0.5))
			i += n
		}
		kinds[string(kind)]++
	}
	out.HarnessKinds = len(kinds)
	if len(order) > 0 {
		standard := 0
		for _, n := range kinds {
			if n > 1 {
				standard += n
			}
		}
		share := report.Round(float64(standard) / float64(len(order)))
		out.StandardShare = &share
	}
	return out
}

// bundles counts the links between different racks; the bundles, each the links between two racks in cables
// of one length; and the types of bundles, each a different pair of number of links and length.
func bundles(s *cabling.Schedule, rack int) (between int64, count, types int) {
	type bundle struct {
		between harness
		length  units.Length
	}
	links := map[bundle]int{}
	l := s.Placement.Layout
	s.Each(func(_ int64, seg *cabling.Segment) bool {
		a, b := l.Container(rack, s.Placement.Slot[seg.A]), l.Container(rack, s.Placement.Slot[seg.B])
		if p := s.Product(seg); p != nil && a != b {
			links[bundle{harness{min(a, b), max(a, b)}, p.Length}]++
			between++
		}
		return true
	})
	type kind struct {
		links  int
		length units.Length
	}
	kinds := map[kind]bool{}
	for b, n := range links {
		kinds[kind{n, b.length}] = true
	}
	return between, len(links), len(kinds)
}

// BundleTypes returns the number of types of bundles of a schedule: different pairs of the number of links of a bundle
// and its length. It is nil if no level of the layout is a rack, and for a summary.
func BundleTypes(s *cabling.Schedule) *int {
	rack := s.Placement.Layout.LevelOf(layout.RoleRack)
	if rack < 0 || s.Segments == nil {
		return nil
	}
	_, _, types := bundles(s, rack)
	return &types
}

// panels counts the patch panels, and the racks that hold them.
func panels(p *cabling.Patching) (count, racks int) {
	if p == nil {
		return 0, 0
	}
	in := map[int32]bool{}
	for i := range p.Panels {
		in[p.Panels[i].Rack] = true
	}
	return len(p.Panels), len(in)
}

// variety counts the different lengths of cables, parts, and parts with their lengths.
func variety(s *cabling.Schedule) (lengths, products, items int) {
	length, product, item := map[units.Length]bool{}, map[*catalog.Part]bool{}, map[catalog.Item]bool{}
	eachCable(s, func(_ *cabling.Segment, p *cabling.Product) {
		length[p.Length], product[p.Part], item[p.Item()] = true, true, true
	})
	return len(length), len(product), len(item)
}

// longestRun returns the highest required length of a cable.
func longestRun(s *cabling.Schedule) units.Length {
	longest := units.Length(0)
	s.Each(func(_ int64, seg *cabling.Segment) bool {
		longest = max(longest, seg.Length)
		return true
	})
	return longest
}

// weight returns the weight of all cables in their ordered lengths, and the number of cables that it leaves out because
// they have no product or their part states no weight.
func weight(s *cabling.Schedule) (all units.Mass, unweighed int64) {
	grams := int64(0) // an integer, in tenths of a milligram, so that the sum does not depend on the order
	unweighed = s.Cables
	eachCable(s, func(_ *cabling.Segment, p *cabling.Product) {
		if p.Part.Weight > 0 {
			grams += int64(float64(p.Part.Weight)*float64(p.Length)*1e7 + 0.5)
			unweighed--
		}
	})
	return units.Mass(float64(grams) / 1e7), unweighed
}

// busiest returns the highest number of cables in a piece of tray; nil without trays.
func busiest(t *cabling.Trays) *int64 {
	if t == nil {
		return nil
	}
	most := int64(0)
	for i := range t.Loads {
		most = max(most, t.Loads[i].Cables)
	}
	return &most
}
