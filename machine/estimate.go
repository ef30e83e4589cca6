package machine

import (
	"context"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Estimate estimates ports and cables of a machine by the model of its prices. By the model of its own parts, the
// estimate is the summary of its plan. Errors in the spec are as those of PlanWith; an option that the model cannot
// take is one of them.
func Estimate(ctx context.Context, given *spec.Spec) (*cost.Estimate, error) {
	switch model := given.Prices.Model; model {
	case "", cost.ModelParts:
		r, err := planWith(ctx, given, Options{Summary: true, estimate: true}, nil)
		if err != nil {
			return nil, err
		}
		return r.estimate(), nil
	default:
		in, err := published(ctx, given)
		if err != nil {
			return nil, located(given, err)
		}
		e, err := cost.NewEstimate(ctx, in)
		return e, located(given, err)
	}
}

// estimate takes the figures of an estimate from the plan.
func (p *Result) estimate() *cost.Estimate {
	doc := p.Report()
	e := &cost.Estimate{
		Family: p.Graph.Family(), Model: cost.ModelParts, Source: cost.SourceOf(cost.ModelParts),
		Layout: "as planned", Currency: doc.Currency, Links: doc.Links,
		Ports: doc.Ports.Used, PortsTotal: doc.Ports.Total, Racks: doc.Racks, Cables: doc.Cables,
		Length: (*cost.EstimateLength)(&doc.Length), Levels: estimateLevels(doc.Levels), BOM: doc.BOM,
		Accuracy: "counts, lengths and money are those of the full plan",
		Notes:    slices.Concat([]string{}, doc.Notes),
	}
	e.CountVertices(topology.CabledKinds(p.Graph))
	e.Nodes = doc.Nodes
	for i := range doc.Fabrics {
		f := &doc.Fabrics[i]
		var levels []int
		for level, l := range doc.Levels {
			if strings.HasPrefix(l.Level, f.Name+"/") {
				levels = append(levels, level)
			}
		}
		own := cost.EstimateFabric{
			Name: f.Name, Topology: f.Topology, Nodes: f.Nodes, Ends: f.Ends, Switches: f.Switches, Links: f.Links,
			Cables: f.Cables, Levels: estimateLevels(f.Levels), Cost: &f.Cost,
		}
		if len(levels) > 0 {
			own.Length = cost.EstimateLength(report.NewLengthTotal(p.Schedule, levels...))
		}
		e.Fabrics = append(e.Fabrics, own)
	}
	c := &doc.Cost
	e.Cost = &cost.EstimateCost{
		Switches: c.Switches, Adapters: c.Adapters, Cables: c.Cables.Plus(c.Optics), Panels: c.Panels,
		Midplanes: c.Midplanes, Labour: c.Labour, Bill: &c.Total, NotInBill: doc.Cost.NotInBill,
		Unmade: c.Unmade,
	}
	for i := range doc.BOM {
		if row := &doc.BOM[i]; !row.HasCost() && !slices.Contains(outsideNetwork, row.Kind) {
			e.Cost.Excludes = append(e.Cost.Excludes, row.Item.String())
		}
	}
	e.Cost.Sum(e.Nodes, e.Ports)
	perNode := report.Round(doc.Power / units.Power(max(e.Nodes, 1)))
	e.Power, e.PowerPerNode, e.PowerBasis = &doc.Power, &perNode, doc.PowerBasis
	e.PowerUnstated = doc.PowerUnstated
	if n := p.Violations.Errors(); n > 0 {
		e.Notes = append(e.Notes, "the plan breaks "+english.Count(n, "design rule")+"; `plenum plan` lists them")
	}
	return e
}

// outsideNetwork are the kinds of parts that EstimateCost.Total leaves out.
var outsideNetwork = []catalog.Kind{
	catalog.KindNode, catalog.KindService, catalog.KindRack, catalog.KindTray, catalog.KindChassis, catalog.KindFrame,
	catalog.KindHose,
}

// estimateLevels are the levels of a plan as an estimate reports them.
func estimateLevels(levels []report.Level) []cost.EstimateLevel {
	out := make([]cost.EstimateLevel, 0, len(levels))
	for i := range levels {
		l := &levels[i]
		own := cost.EstimateLevel{
			Level: l.Level, Links: l.Links, Cables: l.Cables, Mean: l.Length.Mean, Max: l.Length.Max,
		}
		if l.Cost > 0 {
			own.Cost = &l.Cost
		}
		out = append(out, own)
	}
	return out
}

// published is what a published model makes an estimate from. Models that price the machine's own parts, and those of a
// machine with several fabrics, need all of the spec; the others take its topology alone, and a box of one rack unit
// for every vertex.
func published(ctx context.Context, given *spec.Spec) (*cost.EstimateInput, error) {
	model := given.Prices.Model
	if err := unmodelled(given); err != nil {
		return nil, err
	}
	if model != cost.ModelCabinet && len(given.Fabrics) == 0 {
		r := &resolver{resolved: resolved{spec: given}}
		if r.topology(); r.graph == nil {
			return nil, r.faults
		}
		for i := range r.graph.Levels() { // such a model knows ports of one rate
			l := &r.graph.Levels()[i]
			l.Cables = l.Channels()
		}
		in := &cost.EstimateInput{
			Graph: r.graph, Model: model,
			Catalog: catalog.Default(), Perseus: catalog.Default().PriceSet("perseus-2011"),
		}
		for _, k := range r.graph.Kinds() {
			in.Stands = append(in.Stands, cost.Stand{Units: 1, Network: k.Role == topology.Switch &&
				r.defaultPlace(r.graph, k, &spec.Box{}) == spec.NetworkRow})
		}
		return in, nil
	}
	r, err := resolveRacked(ctx, given)
	if err != nil {
		return nil, err
	}
	in := &cost.EstimateInput{Graph: r.graph, Model: model}
	r.severalIn(in)
	if model == cost.ModelCabinet {
		if err := oneWay(r.fabrics); err != nil {
			return nil, err
		}
		in.Stands, in.Boxes, in.Adapters, in.Currency = r.stands(), r.boxes, r.adapters, r.prices.Currency
		in.Quote = cost.NewQuoter(items(r.spec.Prices.Unit), r.offers, r.prices)
		in.Wages = cost.NewWages(items(r.spec.Prices.Unit), r.offers, r.prices)
		in.Selector = cabling.NewSelector(r.catalog, r.quoter(), r.media(), r.excess(), nil)
	}
	return in, nil
}

// unmodelled refuses the options of a spec that change what a published model counts, and that it cannot take.
func unmodelled(s *spec.Spec) error {
	var all diag.FieldErrors
	model := s.Prices.Model
	refuse := func(given bool, path, why string) {
		if given {
			all.Add(path, "the model %s %s\nremove it, or estimate with the model %s", model, why, cost.ModelParts)
		}
	}
	floor := model == cost.ModelCabinet || model == cost.ModelSlimFly || model == cost.ModelPerseus
	if model != cost.ModelCabinet && model != cost.ModelPorts && len(s.Fabrics) > 0 {
		all.Add("prices.model", "the model %s is of one topology, and the machine has several fabrics\nestimate with "+
			"parts, cabinet or ports, or estimate the topology of each fabric", model)
	}
	refuse(s.PowerBasis != "", "power_basis", "counts power by its own figures, or the power of each part, or none")
	if floor {
		refuse(len(s.Packaging.Chassis) > 0, "packaging.chassis", "has a cable for each link, and no traces")
		refuse(len(s.Room.Containers) > 0, "room.containers", "has cabinets in rows")
		refuse(s.Cabling.Structured != nil, "cabling.structured", "has one cable for each link, and no panels")
		refuse(s.Cabling.Consolidate != nil, "cabling.consolidate", "buys every cable in the length that it needs")
		refuse(len(s.Stock) > 0, "stock", "buys everything")
		refuse(s.Owned != nil, "owned", "buys everything")
	}
	return all.Err()
}

// severalIn adds the fabrics of a machine that has several.
func (r *resolved) severalIn(in *cost.EstimateInput) {
	if len(r.spec.Fabrics) == 0 {
		return
	}
	for i, f := range r.fabrics {
		of := cost.EstimatedFabric{
			Name: f.name, Topology: r.spec.Fabrics[i].Topology, Nodes: nodesOf(r.spec, &r.spec.Fabrics[i]),
		}
		for j, e := range f.ends {
			of.Ends += e.Count
			of.Boxes = append(of.Boxes, f.attached[j].Kind)
		}
		for _, at := range f.switches {
			of.Kinds = append(of.Kinds, at.Kind)
		}
		in.Fabrics = append(in.Fabrics, of)
	}
	for _, b := range r.spec.Boxes {
		if b.Role == spec.Service {
			in.Services += b.Count
		}
	}
	in.Plug = func(compare func(a, b int) int) (topology.Graph, []topology.Kind, error) {
		own, turning, err := r.pluggedAnew(nil, compare)
		if err != nil {
			return nil, nil, err
		}
		return own.graph, turning, nil
	}
}

// stands says how the boxes of every kind stand.
func (r *resolved) stands() []cost.Stand {
	var out []cost.Stand
	for i := range r.graph.Kinds() {
		pack := r.pack(i)
		s := cost.Stand{
			Units: max(1, r.boxes[i].Part.Units), PerRack: pack.PerRack,
			Network: slices.Contains([]string{spec.NetworkRow, spec.EndOfRow, spec.MiddleOfRow}, pack.Place),
			Group:   pack.Racks, Beside: r.boxes[i].Part.ZeroU,
		}
		if n := len(pack.Units); n > 0 && (s.PerRack == 0 || n < s.PerRack) {
			s.PerRack = n
		}
		out = append(out, s)
	}
	return out
}
