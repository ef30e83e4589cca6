package machine

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
)

// cabled is what scheduling cables makes.
type cabled struct {
	problem   *cabling.Problem
	schedule  *cabling.Schedule
	signals   *signals
	portsUsed []int64  // by kind
	unquoted  []string // notes
}

// schedule gives every link its cables. It gathers what needs every segment as they come by: the delays of links, and
// violations of design rules. It sets the number of trays in the spec that it has chosen.
func schedule(ctx context.Context, r *resolved, pl *embed.Placement, e extent) (*cabled, error) {
	c := &cabled{problem: r.cabling(pl, e.summary)}
	c.problem.Drawn = r.hasPowerSchedule()
	if err := r.priceByQuantity(ctx, pl, c.problem); err != nil {
		return nil, err
	}
	var rules *cabling.Checker
	var recorded *behind
	var longer *unquoted
	begin := func() {
		longer = r.newUnquoted(c.problem)
		c.signals, rules = newSignals(r, pl.Layout, e.paths), cabling.NewChecker(c.problem)
		recorded = newBehind(c.signals)
	}
	begin()
	c.problem.Again = func() {
		recorded.end(nil)
		begin()
	}
	c.problem.Visit = func(s *cabling.Schedule, seg *cabling.Segment) {
		recorded.visit(s, seg)
		rules.Visit(s, seg)
		longer.visit(s, seg)
	}
	var err error
	c.schedule, err = cabling.Run(ctx, c.problem)
	recorded.end(c.schedule)
	if err = cmp.Or(err, c.signals.Err()); err != nil {
		return nil, r.spelled(err)
	}
	rules.Finish(c.schedule, r.trayParts())
	c.portsUsed, c.unquoted = rules.PortsUsed(), longer.notes(c.schedule)
	r.setTrayCount(c.schedule)
	return c, nil
}

// cabling returns a new problem of cabling a placement, with the prices of the smallest quantities.
func (r *resolved) cabling(pl *embed.Placement, summary bool) *cabling.Problem {
	c := &r.spec.Cabling
	p := &cabling.Problem{
		Graph: r.graph, Channels: r.links, Boxes: r.boxes, Placement: pl, Naming: r.calls(), Catalog: r.catalog,
		Quote: r.quoter(), Mode: cabling.Mode(c.Route),
		Slack: r.slack(),
		Trays: r.trayRules(), Bundle: c.Bundle, Summary: summary, Suppress: r.suppressions(),
	}
	if k := c.Consolidate; k != nil {
		p.Consolidate = &cabling.Consolidation{Most: k.Most, PerFamily: k.Per != spec.PerAll}
	}
	if k := c.Structured; k != nil {
		p.Structured = &cabling.Structured{
			Levels: k.Levels, Beyond: k.Beyond, AtLeast: k.AtLeast, Spare: k.Spare,
			Method: cabling.Polarity(k.Polarity),
			Panel:  r.catalog.Part(k.Panel), Trunk: r.catalog.Part(k.Trunk),
			PanelsOf: map[string]*catalog.Part{},
		}
		for rack, part := range k.Panels {
			p.Structured.PanelsOf[rack] = r.catalog.Part(part)
		}
	}
	p.MatedPairs = c.MatedPairs
	if c.Shuffle != spec.NoShuffle {
		p.Shuffle = &cabling.Shuffling{Part: r.catalog.Part(c.Shuffle), Octopus: c.Shuffle == spec.OctopusShuffle}
	}
	for i := range r.spec.Room.Containers {
		p.GapFill = append(p.GapFill, r.spec.Room.Containers[i].Fill/100)
	}
	p.Media, p.Excess, p.Colours = r.media(), r.excess(), r.colours()
	p.Stock = r.cablesInStore()
	if r.existing != nil {
		p.Plugs = r.existing.plugs
	}
	return p
}

// slack is what is added to the routes of cables.
func (r *resolved) slack() cabling.Slack {
	c := &r.spec.Cabling
	s := cabling.Slack{
		Fixed: *c.Slack.Fixed, InRack: *c.Slack.InRack, Percent: c.Slack.Percent, Loop: c.Slack.Loop,
		Manager: cabling.Side(c.Manager), RoundUp: c.RoundUp,
	}
	if c.Crossing != nil {
		s.Crossing = *c.Crossing
	}
	switch c.Door { // cables keep clear of the hinges
	case string(cabling.Left):
		s.Manager = cabling.Right
	case string(cabling.Right):
		s.Manager = cabling.Left
	}
	return s
}

// excess is how much too long pieces may be bought, nil for no limit.
func (r *resolved) excess() *cabling.Excess {
	e := r.spec.Cabling.Excess
	if e == nil {
		return nil
	}
	return &cabling.Excess{Share: e.Share(), Length: e.Length()}
}

// media is the media policy.
func (r *resolved) media() []cabling.MediaRule {
	var out []cabling.MediaRule
	for _, m := range mediaRules(r.spec, r.graph) {
		out = append(out, r.mediaRule(&m))
	}
	return out
}

// mediaRules are the rules of the media policy in the order in which they are asked: those of the fabrics, about the
// machine's levels, then those of the machine.
func mediaRules(s *spec.Spec, g topology.Graph) []spec.MediaRule {
	var out []spec.MediaRule
	for i := range s.Fabrics {
		f := &s.Fabrics[i]
		for _, m := range f.Media {
			own := m
			own.Levels = levelsOf(g, f.Name, func(own, _ string) bool {
				return len(m.Levels) == 0 || slices.Contains(m.Levels, own)
			})
			out = append(out, own)
		}
	}
	if len(s.Cabling.Media) == 0 && len(out) > 0 {
		return append(out, spec.MediaRule{Use: []string{"any"}}) // for the fabrics that have none
	}
	for _, m := range s.Cabling.Media {
		own := m
		if len(m.Fabrics) > 0 {
			own.Levels = nil
		}
		for _, f := range m.Fabrics {
			own.Levels = append(own.Levels, levelsOf(g, f, func(_, level string) bool {
				return len(m.Levels) == 0 || slices.Contains(m.Levels, level)
			})...)
		}
		out = append(out, own)
	}
	return out
}

// levelsOf lists the levels of a fabric that are wanted, by their names in the fabric and in the machine.
func levelsOf(g topology.Graph, fabric string, want func(own, level string) bool) []string {
	var out []string
	for _, level := range g.Levels() {
		if own, ok := strings.CutPrefix(level.Name, fabric+"/"); ok && want(own, level.Name) {
			out = append(out, level.Name)
		}
	}
	return out
}

// mediaRule is one rule of the media policy.
func (r *resolved) mediaRule(m *spec.MediaRule) cabling.MediaRule {
	rule := cabling.MediaRule{Levels: m.Levels, Within: m.Within, Beyond: m.Beyond, Longest: m.Longest, Kinds: m.Ends}
	if len(m.Boxes) > 0 {
		rule.Ends = []*catalog.PortGroup{nil} // of no box, in case that nothing is plugged into those of the rule
	}
	for kind, word := range r.words {
		if slices.ContainsFunc(m.Boxes, func(boxes string) bool { return matches(boxes, word) }) {
			rule.Ends = append(rule.Ends, r.groups[kind]...)
		}
	}
	for _, u := range m.Use {
		if alias, ok := catalog.MediumAliases[u]; ok {
			rule.Media = append(rule.Media, alias...)
		} else if slices.Contains(catalog.Media, catalog.Medium(u)) {
			rule.Media = append(rule.Media, catalog.Medium(u))
		} else {
			rule.Parts = append(rule.Parts, u)
		}
	}
	return rule
}

// quoter ranks products by the price of the smallest quantity on offer.
func (r *resolved) quoter() cabling.PriceFunc { return r.quoterAt(nil, 0, false) }
