package machine

import (
	"context"
	"math"
	"runtime"
	"strings"

	"github.com/plenum-planner/plenum/budget"
	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/embed/mapping"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
	"github.com/plenum-planner/plenum/topology/names"
	"github.com/plenum-planner/plenum/units"
)

// Placed is a machine whose boxes have places but no cables yet.
type Placed struct {
	Spec      *spec.Spec // with its defaults filled in
	Graph     topology.Graph
	Names     *names.Names // of the boxes
	Placement *embed.Placement
	Strategy  embed.Strategy // that was used
	// Lengths are those of straight lines between the boxes of linked vertices.
	Lengths []embed.LevelLength
	Notes   []string
}

// Place places the boxes of a machine and measures straight lines between them. Progress, unless nil, receives what is
// being done and how far it is. Unlike Plan it takes links that carry one way only, and refuses pitches that are fitted
// to cables.
func Place(ctx context.Context, given *spec.Spec, progress func(stage string, done, total int)) (*Placed, error) {
	if progress == nil {
		progress = func(string, int, int) {}
	}
	if err := unfitted(given); err != nil {
		return nil, err
	}
	r, err := resolveRacked(ctx, given)
	if err != nil {
		return nil, located(given, err)
	}
	boxes := int64(topology.Vertices(r.graph))
	if err := budget.Check(ctx, runtime.GOMAXPROCS(0), placeNeed.Times(float64(boxes)), "placing %s",
		english.Count(boxes, "box")); err != nil {
		return nil, located(given, r.tooLarge(err, ""))
	}
	p := &Placed{Spec: r.spec, Strategy: r.embedding().EffectiveStrategy(), Notes: r.placed()}
	if p.Placement, _, err = place(ctx, r, Options{Progress: progress}, nil); err != nil {
		return nil, located(given, err)
	}
	if r, p.Placement, err = r.plugByPlace(p.Placement); err != nil {
		return nil, located(given, err)
	}
	p.Graph = r.graph
	if err := r.callAnew(p.Placement); err != nil {
		return nil, located(given, err)
	}
	p.Names = r.naming.called
	p.Notes = append(p.Notes, p.Placement.Notes...)
	p.Lengths, err = embed.Lengths(ctx, p.Graph, p.Placement)
	return p, err
}

// place places the boxes, and has racks stand where the file says. Where places are optimised, it returns the total of
// the bill without that, nil if nothing could be placed without. Optimised places that are known are not searched
// again.
func place(ctx context.Context, r *resolved, opt Options, known *known) (*embed.Placement, *units.Money, error) {
	p := r.embedding()
	pl, err := r.structured(ctx, p)
	searched := r // with boxes plugged in as they are without optimising, near to the result
	if pl != nil && r.spec.Embedding.Effort != spec.NoEffort {
		if searched, _, err = r.plugByPlace(pl); err != nil {
			return nil, nil, err
		}
		p.Graph = searched.graph
	}
	var before *units.Money
	if o := searched.optimizer(ctx, opt); o != nil && ctx.Err() == nil {
		p.Optimizer = o
		pl, before, err = r.optimizePlacement(ctx, p, pl, known)
	}
	if err == nil {
		pl, err = p.Exchange(ctx, pl, r.moved)
	}
	return pl, before, r.spelled(err)
}

// embedding returns a new problem of placing the boxes, without an optimizer.
func (r *resolved) embedding() *embed.Problem {
	e := &r.spec.Embedding
	p := &embed.Problem{
		Graph: r.graph, Names: r.naming.called, Chassis: r.chassis, Tree: r.tree, Room: r.room,
		Strategy: e.Strategy, Seed: e.Seed, Fold: !e.Fold.None(),
		Blocks: map[string][]int{}, Pins: r.pins,
		ByPlace: len(r.spec.Fabrics) > 0 && r.spec.Fabrics[0].Order == spec.ByPlace,
	}
	if l := topology.GridOf(r.graph); l != nil {
		for d := range l.Dims() {
			if !e.Fold.Folded(d) {
				p.Straight = append(p.Straight, d)
			}
		}
	}
	for name, b := range e.Blocks {
		p.Blocks[name] = b
	}
	p.Together, p.FreeUnits = e.Together, e.FreeUnits
	p.AntiAffinity = r.crowds
	for _, words := range e.Contiguous {
		p.Contiguous = append(p.Contiguous, strings.Join(words, ", "))
	}
	p.Fill = map[string]embed.Fill{
		spec.FillRows: embed.FillRows, spec.FillColdAisles: embed.FillColdAisles,
		spec.FillHotAisles: embed.FillHotAisles,
	}[e.Fill]
	for i := range r.spec.Room.Feeds {
		f := &r.spec.Room.Feeds[i]
		feed := embed.Feed{Name: f.Name}
		for _, entry := range f.Racks {
			for _, s := range spec.Spans(r.room, entry) {
				feed.Spans = append(feed.Spans, embed.Span(s))
			}
		}
		p.Feeds = append(p.Feeds, feed)
	}
	p.Templates = r.racksAlike
	byPlace := map[int]bool{} // kinds of switches
	for i, f := range r.fabrics {
		for _, at := range f.switches {
			byPlace[at.Kind] = r.spec.Fabrics[i].Order == spec.ByPlace
		}
	}
	for i, k := range topology.CabledKinds(r.graph) {
		box, pack := r.boxes[i], r.pack(i)
		kind := embed.Kind{
			Types: r.rackTypesOf(i),
			Box:   box.Box, Power: box.Part.Power, Weight: box.Part.Weight,
			Class: classes[pack.Place], Block: r.blocks[i], Racks: pack.Racks, Units: pack.Units, PerRack: pack.PerRack,
			ByPlace: byPlace[i],
		}
		if box.Part.ZeroU {
			kind.Class = embed.Beside
		}
		if a := r.adapters[i]; a != nil {
			n := (k.Ports + max(a.PortCount(), 1) - 1) / max(a.PortCount(), 1)
			kind.Power += units.Power(float64(n) * float64(a.Power))
		}
		for c := range r.chassis {
			if r.chassis[c].Name == pack.Chassis {
				kind.Chassis = c + 1
			}
		}
		p.Kinds = append(p.Kinds, kind)
	}
	return p
}

// classes are those of racks by the words of the file.
var classes = map[string]embed.Class{
	spec.InRack: embed.InRack, spec.EndOfRow: embed.EndOfRow, spec.MiddleOfRow: embed.MiddleOfRow,
	spec.NetworkRow: embed.NetworkRow,
}

// Optimising is the stage that Options.Progress receives while places are
// optimised.
const Optimising = "optimising places"

// efforts are those of an optimised placement.
var efforts = map[string]mapping.Effort{"quick": mapping.Quick, "normal": mapping.Normal, "thorough": mapping.Thorough}

// optimizer is what improves the placement, nil for none.
func (r *resolved) optimizer(ctx context.Context, opt Options) *embed.Optimizer {
	e := &r.spec.Embedding
	effort, ok := efforts[e.Effort]
	if !ok {
		return nil
	}
	o := &embed.Optimizer{
		Effort: effort, Stop: opt.Stop,
		Goal:     func(pl *embed.Placement) (embed.Goal, error) { return r.goal(ctx, pl) },
		Progress: func(done, total, _ int64) { opt.Progress(Optimising, int(done>>10), int(total>>10)) },
	}
	switch w := r.weights(); {
	case e.Objective == spec.Longest:
		o.Objective.LongestFirst = true
	case w[spec.Longest] > 0:
		o.Objective.Lambda = max(1, int64(math.Round(w[spec.Longest]/w[spec.Length])))
	}
	return o
}

// weights are those of the objective, by the words of the file. An objective that minimizes the longest cable has the
// weight 1 of the length, as its second figure.
func (r *resolved) weights() map[string]float64 {
	e := &r.spec.Embedding
	switch {
	case len(e.Weights) > 0:
		return e.Weights
	case e.Objective == spec.Longest:
		return map[string]float64{spec.Length: 1}
	}
	return map[string]float64{e.Objective: 1}
}

// wire is the delay of a link between two places, by the fabric that has its level.
func (r *resolved) wire() func(*cabling.Measured) units.Time {
	owner := make([]int, len(r.graph.Levels()))
	if len(r.spec.Fabrics) > 0 {
		owner = r.ownerOfLevel()
	}
	var of []delays
	for _, fabric := range owner {
		of = append(of, r.delaysOf(fabric))
	}
	return func(m *cabling.Measured) units.Time { return of[m.Level].wire(m) }
}

// goal is what the objective makes small, for the links among the sites of a
// placement.
func (r *resolved) goal(ctx context.Context, pl *embed.Placement) (embed.Goal, error) {
	weights := r.weights()
	o := cabling.GoalOptions{
		Money: weights[spec.Money], Length: weights[spec.Length], Delay: weights[spec.MeanNs],
		Wire: r.wire(),
	}
	o.Install, o.Terminate = cost.NewWages(items(r.spec.Prices.Unit), r.offers, r.prices).ByLevel(pl.Layout)
	if o.Delay > 0 {
		var err error
		o.Loads, err = measure.LinkLoads(ctx, r.graph, measure.LoadOptions{Seed: r.spec.Embedding.Seed})
		if err != nil {
			return nil, err
		}
	}
	p := r.cabling(pl, true)
	if err := r.priceByQuantity(ctx, pl, p); err != nil {
		return nil, err
	}
	return cabling.NewGoal(p, o)
}
