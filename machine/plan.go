package machine

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/fabrics"
	"github.com/plenum-planner/plenum/topology/graphio"
	"github.com/plenum-planner/plenum/units"
)

// MaxScheduled is the number of links up to which every cable is listed. A
// machine with more is planned as a summary: counts, lengths, cost and floor,
// but no cable schedule.
const MaxScheduled = 10_000_000

// MaxPathLinks is the number of links up to which a summary measures paths if
// it is asked to: about 50 bytes each.
const MaxPathLinks = 40_000_000

// MaxVertices is the most nodes and switches of a machine that is planned.
const MaxVertices = 1 << 24

// MaxLinks is the most links of a machine that is planned, which each pass over them walks one by one.
const MaxLinks = 1 << 28

// Options changes how a spec is planned, not what is planned.
type Options struct {
	// Summary leaves out the cable schedule and the delays over paths. A machine with more than MaxScheduled links is
	// planned so in any case, which a note of the plan says.
	Summary bool
	// Paths measures the delays over paths in a summary, too, of at most MaxPathLinks links. NoPaths does not count
	// then.
	Paths bool
	// NoPaths leaves out the delays over paths of a whole plan, which take most of its time in large networks.
	NoPaths bool
	// Stop, when done, ends the optimising of places: the best placement so far is planned. Nil never ends it.
	Stop context.Context
	// Cabled, if set, is called before the delays over paths are measured, which take most of the time in large
	// networks, with all of the plan but these and what they are measured of. It is not called where none are to be
	// measured.
	Cabled func(*Result)
	// estimate leaves out the figures of the bill that no estimate has, which take most of the time of a summary.
	estimate bool
	// Progress, if set, receives what is being done and how far it is.
	Progress func(stage string, done, total int)
}

// Plan plans a machine with its cable schedule and delays, as PlanWith does without options.
func Plan(ctx context.Context, given *spec.Spec) (*Result, error) {
	return PlanWith(ctx, given, Options{})
}

// PlanWith plans a machine with options. Errors in the spec are a diag.List if the spec was read from a file, else
// diag.FieldErrors; violations of design rules are not errors. The spec is not changed.
func PlanWith(ctx context.Context, given *spec.Spec, opt Options) (*Result, error) {
	return planWith(ctx, given, opt, nil)
}

// planWith plans with the places and delays that are known, if any, and adds those that it computes.
func planWith(ctx context.Context, given *spec.Spec, opt Options, known *known) (*Result, error) {
	if opt.Progress == nil {
		opt.Progress = func(string, int, int) {}
	}
	p := &planning{given: given, opt: opt, known: known}
	measure := len(stages) - 1
	err := p.run(ctx, stages[:measure])
	if err == nil {
		p, err = p.grow(ctx, stages[:measure])
	}
	if err == nil && opt.Cabled != nil && p.extent.paths {
		var r *Result
		if r, err = p.unmeasured(ctx); err == nil {
			opt.Cabled(r)
		}
	}
	if err == nil {
		err = p.run(ctx, stages[measure:])
	}
	if err != nil {
		return nil, located(given, err)
	}
	return p.result(), nil
}

// unmeasured returns the plan without the delays over paths and without what they are measured of.
func (p *planning) unmeasured(ctx context.Context) (*Result, error) {
	without := *p
	m := p.measuring()
	m.extent.paths = false
	var err error
	if without.delays, without.fabrics, err = m.networks(ctx); err != nil {
		return nil, err
	}
	r := without.result()
	if _, optical := m.graph.(topology.Optical); !optical && len(m.fabrics) == 1 {
		r.wires = sync.OnceValue(m.wireBound)
	}
	return r, nil
}

func (p *planning) measuring() *measuring {
	return &measuring{p.names, p.placement, p.cables, p.extent, p.adjacent, p.opt.Progress, p.known}
}

// planning holds what the stages of a plan make, in their order.
type planning struct {
	given *spec.Spec
	opt   Options
	known *known // nil where nothing is kept for further plans
	// trays is the number of trays side by side that was chosen and is laid, 0 where none was chosen yet; sized tells
	// that it needs no other.
	trays int
	sized bool
	freed int      // units at the top of racks that were chosen to stay free, 0 where none were
	fit   *fitting // nil until pitches of containers were fitted to cables

	names     *resolved
	counts    topology.Counts
	extent    extent
	placement *embed.Placement
	// unoptimized is what the bill would come to without optimising, nil where there
	// is nothing to tell.
	unoptimized *units.Money
	cables      *cabled
	adjacent    []func() *topology.CSR // as measuring has them
	costs       Costs
	power       *PowerPlan
	cooling     *CoolingPlan
	violations  cabling.Violations
	delays      Delays
	fabrics     []*Network // of a machine that has several
}

// stage is a step from a spec to a plan.
type stage struct {
	name string // as Options.Progress receives it
	run  func(context.Context, *planning) error
}

// stages lead from a spec to a plan. Each is a function of what those above it
// have made, and its result is new. The last measures delays.
var stages = []stage{
	{"resolving names", func(ctx context.Context, p *planning) (err error) {
		p.names, err = resolveRacked(ctx, p.given)
		return err
	}},
	{"counting links", func(ctx context.Context, p *planning) (err error) {
		if p.counts, p.extent, err = count(p.names, p.opt); err != nil {
			return err
		}
		p.names.links = p.counts.Links
		return affordable(ctx, p.names, p.counts, p.extent)
	}},
	{"placing boxes", func(ctx context.Context, p *planning) (err error) {
		if p.placement, p.unoptimized, err = place(ctx, p.names, p.opt, p.known); err != nil {
			return err
		}
		if p.names, p.placement, err = p.names.plugByPlace(p.placement); err != nil {
			return err
		}
		if err = p.names.callAnew(p.placement); err == nil {
			p.names, err = p.names.keepPorts()
		}
		return err
	}},
	{"scheduling cables", func(ctx context.Context, p *planning) (err error) {
		p.adjacent = p.names.adjacent(p.extent)
		if p.cables, err = schedule(ctx, p.names, p.placement, p.extent); err != nil {
			return err
		}
		p.names.keepPatches(p.cables.schedule)
		return p.names.checkPanels(p.cables.schedule)
	}},
	{"making the bill", func(ctx context.Context, p *planning) (err error) {
		p.costs, err = price(ctx, p.names, p.placement, p.cables, p.counts.Nodes, p.opt.estimate)
		return err
	}},
	{"checking racks", func(_ context.Context, p *planning) error {
		p.placement, p.power, p.cooling, p.violations = check(p.names, p.placement, p.cables.schedule, p.costs.Bill)
		return nil
	}},
	{"measuring delays", func(ctx context.Context, p *planning) (err error) {
		p.delays, p.fabrics, err = p.measuring().networks(ctx)
		return err
	}},
}

// run goes through stages. Where more trays lie side by side than were laid, or containers have to stand farther apart
// for their cables, it goes through those so far again.
func (p *planning) run(ctx context.Context, stages []stage) error {
	for i, s := range stages {
		p.opt.Progress(s.name, 0, 1)
		if err := s.run(ctx, p); err != nil {
			free := p.freeingUnits(err)
			if free == nil {
				return err
			}
			if again := free.run(ctx, stages[:i+1]); ctx.Err() != nil {
				return again
			} else if again != nil {
				return err // with the units that the file has
			}
			*p = *free
		}
		if wide := p.fitted(); wide != nil {
			if err := wide.run(ctx, stages[:i+1]); err != nil {
				return err
			}
			*p = *wide
		}
		wide := p.wider()
		if wide == nil {
			continue
		}
		if err := wide.run(ctx, stages[:i+1]); err == nil {
			*p = *wide
		} else if ctx.Err() != nil {
			return err
		} else { // they do not fit: a note says so
			p.names.spec.Room.Trays.Count = 0
		}
	}
	return nil
}

// freeingUnits returns the same planning with more units at the top of each rack free, after an error that racks are
// too full for the panels of shuffles. It returns nil after any other error, where the machine file says how many stay
// free, or where half of the tallest rack is free already.
func (p *planning) freeingUnits(err error) *planning {
	if !errors.As(err, new(fullRacks)) || p.given.Embedding.FreeUnits != p.freed || p.names.room == nil ||
		2*max(2*p.freed, 1) > p.names.room.Tallest() {
		return nil
	}
	given := *p.given
	given.Embedding.FreeUnits = max(2*p.freed, 1)
	return &planning{given: &given, opt: p.opt, known: p.known, freed: given.Embedding.FreeUnits}
}

// result is the finished plan.
func (p *planning) result() *Result {
	r, heat := p.names, p.heat()
	costs := p.costs
	costs.Operation = costs.Operation.WithLosses(p.power.Lost())
	out := &Result{
		Spec: r.spec, Fabrics: p.fabrics,
		Network: Network{
			Topology: r.spec.Topology, Graph: r.graph, Names: r.naming.called, Counts: p.counts,
			Delays: p.delays,
		},
		Catalog: r.catalog, Prices: r.prices, Placement: p.placement, Schedule: p.cables.schedule, Costs: costs,
		Lengths: p.cables.signals.byMedium(), Violations: p.violations, Notes: p.notes(heat), Power: p.power,
		Heat: heat, Cooling: p.cooling,
		loads: r.loadsOf(p.placement, p.cables.schedule),
		stock: r.stock, trayParts: r.trayParts(), rackParts: r.racks, adapters: r.adapters,
		cables: p.cables.problem, unbilled: r.quoter(),
		Existing:    r.existing.vertices(),
		Plugs:       r.existing.plugged(),
		unoptimized: p.unoptimized,
	}
	out.onTrays = sync.OnceValue(func() *report.Trays {
		return report.NewTrays(out.Schedule.Trays, out.trayParts, unstatedDiameters(out.Schedule))
	})
	if p.fit != nil {
		out.fitted = p.fit.fit
	}
	if r.building != nil {
		out.Drawing = r.building.drawing
	}
	return out
}

// extent says how much of a machine is planned.
type extent struct {
	summary bool // no list of cables
	paths   bool // delays over paths
	// large tells that there are too many links for a list, and manyPaths that
	// there are too many for the paths that were asked for.
	large, manyPaths bool
}

// oneWay returns an error for each topology that has links of one way, nil if none has.
func oneWay(fabrics []*fabric) error {
	var all diag.FieldErrors
	for _, f := range fabrics {
		if n := topology.Count(f.graph).Simplex; n > 0 {
			help := "give it links that carry both ways"
			switch f.graph.Family() {
			case topology.CLEX{}.Family():
				help = "a clex can be planned with bundled: true"
			case graphio.File{}.Family():
				help = "leave out directed, and in the file simplex=true: edges carry both ways then"
			}
			all.Add(f.path, "%d of the links carry one way only, which no cable of the catalog does\n%s", n, help)
		}
	}
	return all.Err()
}

// count counts the links of a machine and its boxes, without services, and says how much can be planned of so many.
// Links that carry one way only are an error.
func count(r *resolved, opt Options) (topology.Counts, extent, error) {
	var counts topology.Counts
	if g, several := r.graph.(*fabrics.Machine); several {
		counts = g.Counts()
	} else {
		counts = topology.Count(r.graph)
	}
	for _, b := range r.spec.Boxes {
		if b.Role == spec.Service {
			counts.Nodes -= b.Count
		}
	}
	if counts.Simplex > 0 {
		return counts, extent{}, oneWay(r.fabrics)
	}
	e := extent{summary: opt.Summary, paths: !opt.Summary && !opt.NoPaths}
	if !e.summary && counts.Links > MaxScheduled {
		e = extent{summary: true, large: true}
	}
	if e.summary && opt.Paths {
		e.paths = counts.Links <= MaxPathLinks
		e.manyPaths = !e.paths
	}
	return counts, e, nil
}

// notes say what the figures of a plan leave out.
func (p *planning) notes(heat *report.Heat) []string {
	var out []string
	if p.extent.large {
		out = append(out, fmt.Sprintf("%d links are more than the %d that a schedule lists: "+
			"this is a summary without cable schedule and path delays", p.counts.Links, MaxScheduled))
	}
	if p.names.cropped != "" {
		out = append(out, p.names.cropped)
	}
	if n := p.names.spec.Embedding.FreeUnits; n > 0 {
		out = append(out, fmt.Sprintf("boxes leave the highest %s of each rack free for panels (embedding.free_units)",
			english.Count(n, "unit")))
	}
	out = append(out, p.names.spec.Unusual()...)
	if b := p.names.building; b != nil {
		out = append(out, b.notes...)
		out = append(out, b.unseen(p.placement.Layout.Room)...)
	}
	if own := p.names.existing; own != nil {
		out = append(out, own.notes...)
	}
	out = append(out, p.names.placed()...)
	out = append(out, p.names.unpluggedNotes()...)
	out = append(out, p.names.passed...)
	out = append(out, p.fitNotes()...)
	out = append(out, p.names.colourNotes()...)
	for _, f := range p.names.fabrics {
		out = append(out, f.advice()...)
	}
	out = append(out, p.placement.Notes...)
	if o := p.placement.Optimized; o != nil {
		out = append(out, o.Notes...)
		if len(p.names.stock) > 0 && p.names.weights()[spec.Money] > 0 {
			out = append(out, "places were optimised as if all cables were bought: pieces in stock go to the cables "+
				"of the places that were found")
		}
	}
	if p.extent.manyPaths {
		out = append(out, fmt.Sprintf("the delays of paths are not measured over more than %d links", MaxPathLinks))
	}
	out = append(out, consolidatedNotes(p.cables.schedule, p.names.spec.Cabling.Consolidate)...)
	out = append(out, p.cables.unquoted...)
	out = append(out, p.names.limitlessNotes(p.placement)...)
	out = append(out, p.names.besideNotes(p.placement)...)
	out = append(out, p.names.powerNotes(p.power, p.cables.schedule)...)
	out = append(out, p.names.coolingNotes(p.cooling, p.cables.schedule)...)
	out = append(out, structuredNotes(p.cables.schedule)...)
	out = append(out, trayNotes(p.cables.schedule.Trays)...)
	out = append(out, longNotes(p.cables.schedule)...)
	out = append(out, uncoveredNotes(p.cables.schedule, *p.names.spec.Cabling.Slack.Fixed)...)
	if u := p.delays.HopUnstated; len(u) > 0 {
		out = append(out, "delays are lower bounds: "+report.Missing(u)+" state no hop delay; give them `hop`, or "+
			"their kind one under `delay.hop`")
	}
	if u := unstatedDiameters(p.cables.schedule); len(u) > 0 {
		what, between := "the fill of trays and the size of bundles are lower bounds: ", " cables between racks"
		if p.names.tree != nil {
			what, between = "the fill of the gaps between containers is a lower bound: ", " cables between containers"
		}
		out = append(out, what+report.Missing(u)+between+" state no diameter")
	}
	out = append(out, p.costs.Bill.PowerBasis.Sentences()...)
	if heat != nil && len(heat.Missing) > 0 {
		out = append(out, "heat to liquid and to air leaves out "+report.Missing(heat.Missing)+", which state no "+
			"share of liquid, and optics and cable ends; give parts `liquid`")
	}
	out = append(out, p.costs.Bill.Notes...)
	return append(out, unusedSuppressions(&p.violations, p.extent.summary)...)
}
