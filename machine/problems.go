package machine

import (
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

func (r *resolved) embedding() *embed.Problem {
	e := &r.spec.Embedding
	p := &embed.Problem{
		Graph: r.graph, Chassis: r.chassis, Tree: r.tree, Room: r.room,
		Strategy: e.Strategy, Seed: e.Seed, Fold: !e.Fold.none(),
		Blocks: map[string][]int{}, Pins: r.pins,
	}
	if l, ok := r.graph.(topology.Lattice); ok {
		for d := range l.Dims() {
			if !e.Fold.folded(d) {
				p.Straight = append(p.Straight, d)
			}
		}
	}
	for name, b := range e.Blocks {
		p.Blocks[name] = b
	}
	p.Together = e.Together
	for _, a := range e.Apart {
		p.Apart = append(p.Apart, embed.Apart{Of: a.Of, Row: a.Within == "row", AtMost: max(a.AtMost, 1)})
	}
	class := map[string]embed.Class{InRack: embed.InRack, EndOfRow: embed.EndOfRow, NetworkRow: embed.NetworkRow}
	for i, k := range r.graph.Kinds() {
		box, pack := r.boxes[i], r.packs[i]
		kind := embed.Kind{
			Box: box.Box, Power: box.Part.Power, Weight: box.Part.Weight,
			Class: class[pack.Place], Units: pack.Units, PerRack: pack.PerRack, Chassis: -1,
		}
		if a := r.adapters[i]; a != nil {
			n := (k.Ports + max(a.PortCount(), 1) - 1) / max(a.PortCount(), 1)
			kind.Power += units.Power(float64(n) * float64(a.Power))
		}
		for c := range r.chassis {
			if r.chassis[c].Name == pack.Chassis {
				kind.Chassis = c
			}
		}
		p.Kinds = append(p.Kinds, kind)
	}
	return p
}

func (r *resolved) cabling(pl *embed.Placement, summary bool) *cabling.Problem {
	c := &r.spec.Cabling
	p := &cabling.Problem{
		Graph: r.graph, Boxes: r.boxes, Placement: pl, Catalog: r.catalog,
		Quote: r.quoter(), Mode: cabling.Mode(c.Route),
		Slack: cabling.Slack{
			Fixed: *c.Slack.Fixed, InRack: *c.Slack.InRack, Percent: c.Slack.Percent, Loop: c.Slack.Loop,
			Manager: cabling.Side(c.Manager), RoundUp: c.RoundUp,
		},
		Trays: r.trayRules(), Bundle: c.Bundle, Summary: summary, Suppress: r.spec.suppressions(),
	}
	if k := c.Consolidate; k != nil {
		p.Consolidate = &cabling.Consolidation{Most: k.Most, PerFamily: k.Per != PerAll}
	}
	if k := c.Structured; k != nil {
		p.Structured = &cabling.Structured{
			Levels: k.Levels, Beyond: k.Beyond, AtLeast: k.AtLeast, Spare: k.Spare,
			Panel: r.catalog.Part(k.Panel), Trunk: r.catalog.Part(k.Trunk),
		}
	}
	if c.Crossing != nil {
		p.Slack.Crossing = *c.Crossing
	}
	switch c.Door { // cables keep clear of the hinges
	case string(cabling.Left):
		p.Slack.Manager = cabling.Right
	case string(cabling.Right):
		p.Slack.Manager = cabling.Left
	}
	p.Media = r.media()
	return p
}

// media is the media policy.
func (r *resolved) media() []cabling.MediaRule {
	var out []cabling.MediaRule
	for _, m := range r.spec.Cabling.Media {
		rule := cabling.MediaRule{Levels: m.Levels, Within: m.Within, Beyond: m.Beyond, Longest: m.Longest}
		for _, u := range m.Use {
			if alias, ok := catalog.MediumAliases[u]; ok {
				rule.Media = append(rule.Media, alias...)
			} else if slices.Contains(catalog.Media, catalog.Medium(u)) {
				rule.Media = append(rule.Media, catalog.Medium(u))
			} else {
				rule.Parts = append(rule.Parts, u)
			}
		}
		out = append(out, rule)
	}
	return out
}

// quoter ranks products by the price of the smallest quantity on offer: how many
// are bought is known only when all are chosen.
func (r *resolved) quoter() cabling.Quoter {
	quote := cost.NewQuoter(items(r.spec.Prices.Unit), r.offers, r.prices)
	return func(part *catalog.Part, length units.Length) catalog.Quote { return quote(part, length, 0) }
}

func (r *resolved) bill(pl *embed.Placement, s *cabling.Schedule) *cost.Input {
	in := &cost.Input{
		Schedule: s, Catalog: r.catalog, Prices: r.prices, Offers: r.offers, Own: items(r.spec.Prices.Unit),
		Spares: map[catalog.Kind]float64{}, Adapters: r.adapters,
		Rack: r.rack, Racks: len(pl.Racks),
		Ranges: items(r.spec.Prices.ranges()), Freight: r.spec.Prices.Freight, Contingency: r.spec.Prices.Contingency,
	}
	for kind, percent := range r.spec.Prices.Spares {
		in.Spares[catalog.Kind(kind)] = percent
	}
	if s.Trays != nil {
		for level, t := range r.trays {
			in.Trays = append(in.Trays, cost.Laid{Part: t.part, Run: s.Trays.Network.Length(level), Count: s.Trays.Rules[level].Count})
		}
	}
	return in
}
