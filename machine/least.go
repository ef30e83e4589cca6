package machine

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
	"github.com/plenum-planner/plenum/units"
)

// Least is what the full plan of a machine comes to at least, wherever its boxes stand. A figure of which nothing is
// known is 0.
type Least struct {
	// Money bounds the total of the bill: what all boxes and adapters cost, and every link with the cheapest product
	// that joins its ports. It is 0 where quotes price by quantity, and where pieces are in stock or owned.
	Money units.Money
	Power units.Power // what all boxes and adapters draw
	// Cables bounds the pieces of cable: every link has its part of one that carries as many as any product that joins
	// its ports. Metres bounds what they need along their ways: each the least slack. Both are 0 where Money does not
	// count cables.
	Cables int64
	Metres units.Length
	// Delay bounds the mean delay of the fastest paths with the fewest hops: the mean number of routers that these
	// traverse, each at the least delay of a router. It is 0 where the plan draws the sources of its paths at random.
	Delay units.Time
	// Hops are the channels between nodes, mean over pairs.
	Hops float64
	// HopDelays are the different hop delays of switches and routers, ascending.
	HopDelays []units.Time
	// Rate is that of the slowest port of any box, but of ports for other networks, as Result.PortRate has it; 0 where
	// none states one.
	Rate units.Rate
}

// LeastOf bounds the plan of a machine with one topology. Errors in the spec are as those of PlanWith.
func LeastOf(ctx context.Context, given *spec.Spec) (*Least, error) {
	r, err := resolveRacked(ctx, given)
	if err != nil {
		return nil, located(given, err)
	}
	out := &Least{Rate: slowestPort(r.boxes)}
	out.Money, out.Power = r.leastBoxes()
	out.Power = max(0, out.Power-powerSlack)
	if len(r.offers) > 0 || len(r.stock) > 0 || r.existing != nil {
		out.Money = 0
	} else if err := r.leastCables(ctx, out); err != nil {
		return nil, err
	}
	return out, r.leastDelay(ctx, out)
}

// FabricFloor is what is known of one of several fabrics before the machine is planned.
type FabricFloor struct {
	// Graph is the topology with the boxes that are plugged into it, in the order of its ends.
	Graph topology.Graph
	// HopDelays are the different hop delays of its switches and routers, ascending.
	HopDelays []units.Time
	// Rate is that of the slowest port of its switches, as Result.PortRate has it; 0 where none states one.
	Rate units.Rate
}

// FloorOf returns what is known of a fabric. Errors in the spec are as those of PlanWith, and as those of
// spec.Spec.Fabric.
func FloorOf(ctx context.Context, given *spec.Spec, name string) (*FabricFloor, error) {
	if _, err := given.Fabric(name); err != nil {
		return nil, err
	}
	r, err := resolveRacked(ctx, given)
	if err != nil {
		return nil, located(given, err)
	}
	i := slices.IndexFunc(r.fabrics, func(f *fabric) bool { return f.name == name })
	f := r.fabrics[i]
	kinds, boxes, adapters := r.inMachine(f)
	var switches []int
	for k, of := range f.kinds {
		if kinds[k].Role == topology.Switch {
			switches = append(switches, of)
		}
	}
	g, model, _ := seen(f.graph, delay.Model{Hop: r.delaysOf(i).hops(kinds, boxes, adapters)}, delay.Links{})
	return &FabricFloor{Graph: f.graph, HopDelays: hopDelays(g, &model), Rate: slowestPort(r.boxes, switches...)}, nil
}

// hopDelays are the different hop delays of the vertices of a graph that pass messages on, ascending.
func hopDelays(g topology.Graph, model *delay.Model) []units.Time {
	var out []units.Time
	for i, k := range g.Kinds() {
		if k.Role != topology.Terminal && k.Count > 0 {
			out = append(out, model.Hop[i])
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// leastBoxes is what boxes and adapters cost and draw; those without a price cost nothing, as in the bill.
func (r *resolved) leastBoxes() (money units.Money, power units.Power) {
	quote := r.quoter()
	add := func(part *catalog.Part, n int64) {
		power += part.Power * units.Power(n)
		if q := quote(part, 0); q.Priced {
			money += q.Unit * units.Money(n)
		}
	}
	for i, k := range topology.CabledKinds(r.graph) {
		add(r.boxes[i].Part, int64(k.Count))
		if a := r.adapters[i]; a != nil {
			per := max(a.PortCount(), 1)
			add(a, int64((k.Ports+per-1)/per)*int64(k.Count))
		}
	}
	return money, power
}

// leastCables adds what cables cost at least, and bounds their pieces and metres. Where boxes share an enclosure, its
// traces may take their place; over patch panels links take other products; and links that no product makes cost
// nothing where rules are suppressed.
func (r *resolved) leastCables(ctx context.Context, out *Least) error {
	if len(r.chassis) > 0 || r.tree != nil || r.spec.Cabling.Structured != nil || len(r.spec.Rules.Suppress) > 0 {
		return nil
	}
	selector := cabling.NewSelector(r.catalog, r.quoter(), r.media(), r.excess(), nil)
	type ends struct{ a, b *catalog.PortGroup }
	type share struct {
		money  units.Money
		pieces float64
	}
	known := map[ends]share{}
	pieces := 0.0
	kinds := r.graph.Kinds()
	n := 0
	for l := range topology.Cables(r.graph) {
		if n++; n&0xffff == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		a := r.boxes[topology.KindOf(kinds, int(l.A))].Ports
		b := r.boxes[topology.KindOf(kinds, int(l.B))].Ports
		if int(l.PortA)+int(l.Width) > len(a) || int(l.PortB)+int(l.Width) > len(b) {
			continue // the plan refuses it
		}
		for w := range int(l.Width) {
			e := ends{a[int(l.PortA)+w].Group, b[int(l.PortB)+w].Group}
			part, ok := known[e]
			if !ok {
				part.money = selector.Least(e.a, e.b)
				if most := selector.MostLinks(e.a, e.b); most > 0 {
					part.pieces = 1 / float64(most)
				}
				known[e] = part
			}
			out.Money += part.money
			pieces += part.pieces
		}
	}
	out.Cables = int64(math.Ceil(pieces * (1 - 1e-9)))
	slack, rack := r.slack(), cabling.Parts{}
	between := rack
	slack.Extend(&rack, true)
	slack.Extend(&between, false)
	out.Metres = max(0, units.Length(out.Cables)*min(rack.Total(), between.Total())-lengthSlack)
	return nil
}

// lengthSlack is more than what rounding takes off the length of a plan's cables, in metres.
const lengthSlack = 1e-3

// powerSlack is more than what rounding takes off the power of a plan, in watts.
const powerSlack = 1e-3

// arcSlack is more than what rounding takes off the delay of an arc, in nanoseconds.
const arcSlack = 1e-3

// leastDelay fills in hops and delay.
func (r *resolved) leastDelay(ctx context.Context, out *Least) error {
	d := r.delaysOf(0)
	g, model, _ := seen(r.graph, delay.Model{Hop: d.hops(r.graph.Kinds(), r.boxes, r.adapters)}, delay.Links{})
	out.HopDelays = hopDelays(g, &model)
	hops, err := measure.Hops(ctx, g, measure.Terminals, measure.HopOptions{})
	if err != nil {
		return err
	}
	out.Hops = hops.Mean
	if !hops.Exact || topology.Vertices(g) > cmp.Or(r.spec.Delay.ExactLimit, DefaultExactLimit) {
		return nil
	}
	router, routers := units.Time(math.Inf(1)), math.Inf(1)
	for i, k := range g.Kinds() {
		if k.Count == 0 {
			continue
		}
		router = min(router, topology.Charge(k.Role, model.Hop[i], router))
		if k.Role != topology.Switch {
			routers = min(routers, topology.TraversedRouters(out.Hops, k.Role, k.Role))
		}
	}
	if !math.IsInf(float64(router), 1) && routers > 0 && !math.IsInf(routers, 1) {
		out.Delay = max(0, units.Time(routers)*router-units.Time(arcSlack*routers))
	}
	return nil
}
