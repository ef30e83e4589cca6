package machine

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// How far estimates of the examples in racks are from their full plans, at most:
// the money of ports and cables either way, the mean length of cables.
const (
	EstimateMoney = 0.25
	EstimateShort = 0.4
	EstimateLong  = 1.5
)

// Estimate reckons ports and cables of a machine without a room, by the model of
// its prices. Errors in the spec are as those of PlanWith.
func Estimate(ctx context.Context, given *spec.Spec) (*cost.Estimate, error) {
	if err := unfitted(given, "an estimate"); err != nil {
		return nil, err
	}
	if m := given.Prices.Model; m != "" && m != cost.ModelParts && m != cost.ModelCabinet {
		return published(ctx, given)
	}
	own := *given
	var notes []string
	if len(own.Room.Containers) > 0 {
		// Containers say where things stand, and an estimate asks no such thing.
		own.Room = spec.Room{}
		own.Cabling.Route, own.Cabling.Media = "", nil
		own.Embedding = spec.Embedding{}
		notes = append(notes, "room.containers and cabling.media are left out: the estimate reckons with racks in rows")
	}
	own.Embedding.Placement, own.Embedding.Effort, own.Embedding.Objective = "", "", ""
	own.Embedding.Weights, own.Embedding.Together, own.Embedding.Apart = nil, nil, nil
	own.Embedding.Lock, own.Embedding.Racks = nil, nil
	r, err := resolveRacked(ctx, &own)
	if err != nil {
		return nil, located(given, err)
	}
	model := r.spec.Prices.Model
	if model == "" {
		model = cost.ModelParts
	}
	in := &cost.EstimateInput{
		Graph: r.graph, Model: model, Floor: r.floor(), Stands: r.stands(),
		Boxes: r.boxes, Adapters: r.adapters, Currency: r.prices.Currency,
		Quote:    cost.NewQuoter(items(r.spec.Prices.Unit), r.offers, r.prices),
		Wages:    cost.NewWages(items(r.spec.Prices.Unit), r.offers, r.prices),
		Selector: cabling.NewSelector(r.catalog, r.quoter(), r.media(), r.chassisNames()),
	}
	r.severalIn(in)
	e, err := cost.NewEstimate(ctx, in)
	if err != nil {
		return nil, located(given, err)
	}
	e.Notes = append(e.Notes, notes...)
	if len(r.stock) > 0 {
		e.Notes = append(e.Notes, "nothing in store or owned is taken off: the estimate buys everything")
	}
	switch {
	case own.Room.RackList != "":
		e.Notes = append(e.Notes, "room.rack_list is left out: the estimate reckons with racks of the type of most")
	case len(own.Room.RackTypes) > 0:
		e.Notes = append(e.Notes, "room.rack_types is left out: the estimate reckons with racks of room.rack alone")
	}
	for _, f := range r.fabrics {
		e.Notes = append(e.Notes, f.advice()...)
	}
	if model == cost.ModelParts && len(notes) == 0 {
		e.Accuracy = fmt.Sprintf("against full plans of the examples in racks, counts are equal, money is within "+
			"%.0f %%, mean lengths are %.0f %% too short to %.0f %% too long",
			100*EstimateMoney, 100*EstimateShort, 100*EstimateLong)
	}
	return e, nil
}

// severalIn tells an estimate of the fabrics of a machine that has several.
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
		own, turning, err := r.pluggedAnew(compare)
		if err != nil {
			return nil, nil, err
		}
		return own.graph, turning, nil
	}
}

// published reckons by a model that needs no parts: a 1U box for every vertex,
// switches without nodes in racks of their own.
func published(ctx context.Context, given *spec.Spec) (*cost.Estimate, error) {
	if len(given.Fabrics) > 0 {
		return nil, located(given, diag.FieldErrors{diag.Fieldf("prices.model",
			"the model %s is of one topology, and the machine has several fabrics\nreckon with parts or cabinet, or "+
				"estimate the topology of each fabric", given.Prices.Model)})
	}
	r := &resolver{resolved: resolved{spec: given}}
	if r.topology(); r.graph == nil {
		return nil, given.Locate(r.faults)
	}
	for i := range r.graph.Levels() { // such a model knows ports of one rate
		l := &r.graph.Levels()[i]
		l.Cables = l.Channels()
	}
	in := &cost.EstimateInput{
		Graph: r.graph, Model: given.Prices.Model,
		Catalog: catalog.Default(), Perseus: catalog.Default().PriceSet("perseus-2011"),
	}
	for _, k := range r.graph.Kinds() {
		in.Stands = append(in.Stands, cost.Stand{Units: 1, Network: k.Role == topology.Switch &&
			r.defaultPlace(r.graph, k, &spec.Box{}) == spec.NetworkRow})
	}
	return cost.NewEstimate(ctx, in)
}

func (r *resolved) chassisNames() []string {
	var names []string
	for i := range r.chassis {
		names = append(names, r.chassis[i].Name)
	}
	return names
}

// floor is the length model of the machine's own racks, rows and slack: ways
// between racks rise to the tray and drop again from the middle of a rack, those
// inside run a quarter of its height, and half its width where no way to the side
// of the rack is measured instead.
func (r *resolved) floor() cost.Floor {
	t := rackType(r.rack)
	f := cost.Floor{
		Name: "the machine's racks", Width: t.Width,
		Depth: t.Depth + (*r.spec.Room.ColdAisle+*r.spec.Room.HotAisle)/2,
		Units: t.Units, Source: "the machine file and its defaults",
	}
	middle := units.Length(float64(t.Height) / 2)
	slack := r.slack()
	f.Slack, f.Inside = &slack, t.Height/4
	if r.spec.Cabling.Route == spec.Tray {
		f.Overhead = 2 * units.Length(math.Abs(float64(r.spec.Room.Trays.Height-middle)))
	}
	if slack.Manager == cabling.AnySide {
		f.Inside += t.Width / 2
	}
	return f
}

// stands says how the boxes of every kind stand.
func (r *resolved) stands() []cost.Stand {
	var out []cost.Stand
	for i := range r.graph.Kinds() {
		pack := r.packs[i]
		s := cost.Stand{
			Units: max(1, r.boxes[i].Part.Units), PerRack: pack.PerRack,
			Network: slices.Contains([]string{spec.NetworkRow, spec.EndOfRow, spec.MiddleOfRow}, pack.Place),
			Group:   pack.Racks, Beside: r.boxes[i].Part.ZeroU,
		}
		if n := len(pack.Units); n > 0 && (s.PerRack == 0 || n < s.PerRack) {
			s.PerRack = n
		}
		if c := r.chassisNamed(pack.Chassis); c != nil {
			s.Units, s.Chassis, s.Traces, s.PerRack = c.Units, c.Cells(), c.Traces, c.PerRack
		}
		out = append(out, s)
	}
	return out
}

func (r *resolved) chassisNamed(name string) *layout.Chassis {
	for i := range r.chassis {
		if r.chassis[i].Name == name {
			return &r.chassis[i]
		}
	}
	return nil
}
