package cost

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// slimFlyPortPower is what a port draws: four lanes of 0.7 W (Besta and Hoefler,
// SC 2014).
const slimFlyPortPower units.Power = 2.8

// EstimateInput is what an estimate by a published model is made from.
type EstimateInput struct {
	Graph topology.Graph
	Model string // any of Models but ModelParts, whose estimates package machine makes
	// Stands says how boxes stand in the cabinets of the model.
	Stands []Stand
	// Boxes, Adapters, Selector and Quote price the model that uses the machine's own parts, ModelCabinet.
	Boxes    []*cabling.Box
	Adapters []*catalog.Part
	Selector *cabling.Selector
	Quote    Quoter
	Wages    Wages
	Currency string
	// Fabrics are the networks of a machine that has several, which Graph joins over their boxes; Services is how many
	// boxes that are not switches are not nodes either. Plug, if set, plugs boxes into the fabrics again once the boxes
	// have cabinets, whose order compare gives: it returns the new graph with the same vertices, and the kinds of
	// switches that are put into the same order.
	Fabrics  []EstimatedFabric
	Services int
	Plug     func(compare func(a, b int) int) (topology.Graph, []topology.Kind, error)
	// Catalog and Perseus serve the model of that name.
	Catalog *catalog.Catalog
	Perseus *catalog.PriceSet
}

// Estimate is what a network takes: the summary of a plan, or the figures of a published model that asks for no room.
// Figures that a model does not have are nil.
type Estimate struct {
	Family string `json:"family"` // that of the topology; `machine` where there are several fabrics
	// Model is how it was estimated; docs/cost.md#estimates.
	Model  string `json:"model"`
	Source string `json:"source"` // where the model is from
	// Layout is where racks are assumed to stand; left out by models without lengths.
	Layout string `json:"layout,omitempty"`
	// Currency is the ISO 4217 code for all money; left out by models without money.
	Currency string `json:"currency,omitempty"`

	Nodes    int `json:"nodes"`    // vertices that send and receive messages
	Switches int `json:"switches"` // vertices that only pass messages on
	// Routers are vertices that pass messages on: switches, and nodes that do.
	Routers int `json:"routers"`
	Radix   int `json:"radix"` // ports of the router with the most
	// Ports are those of all vertices at which a link ends. Links of one direction share them: a port has a lane to
	// transmit and a lane to receive.
	Ports int64 `json:"ports"`
	// PortsTotal are those that all vertices have, used or not: of their parts, where a port that `breakout` splits
	// counts as its parts, or by a model without parts of the topology.
	PortsTotal int64 `json:"ports_total"`
	Links      int64 `json:"links"` // channels, both directions as one
	// Racks is those that the layout fills; left out by models without lengths.
	Racks int `json:"racks,omitempty"`
	// Cables is those of the plan; by the other models one for each channel. Left out by models
	// without lengths.
	Cables int64 `json:"cables,omitempty"`

	// Fabrics are the networks of a machine that has several, in the order of the machine file; left out where there is
	// one topology.
	Fabrics []EstimateFabric `json:"fabrics,omitempty"`

	Length *EstimateLength `json:"length_m,omitempty"` // of the cables
	// Levels are the links by the level of the topology; of several fabrics, each named by its fabric: compute/tier1.
	Levels []EstimateLevel `json:"levels"`
	// Cost is of ports and cables; left out by models without money.
	Cost *EstimateCost `json:"cost,omitempty"`
	// BOM is the bill of materials of the plan, sorted by kind, then by part and length; left out by the published
	// models.
	BOM []Row `json:"bom,omitempty"`
	// Power is what all boxes, optics and cables of the plan draw; by model `cabinet` without nodes, by `slim-fly` the
	// model's figure for each port; left out by models without power.
	Power        *units.Power `json:"power_w,omitempty"`
	PowerPerNode *units.Power `json:"power_per_node_w,omitempty"` // the same divided by the number of nodes
	// PowerBasis is the basis of the figures of power; left out where the machine file names none.
	PowerBasis *PowerBasis `json:"power_basis,omitempty"`
	// PowerUnstated are the parts of boxes that state no power, which the power leaves out.
	PowerUnstated []OtherPower `json:"power_unstated,omitempty"`

	// Constant is the cost of a thin tree whose switches cost the same for any number of ports: their number; this and
	// the next two are in no unit.
	Constant *int64 `json:"c_c,omitempty"`
	// Linear is the same with a cost by the ports of the largest switch.
	Linear    *int64 `json:"c_l,omitempty"`
	Quadratic *int64 `json:"c_q,omitempty"` // the same with a cost by the square of these ports
	// NetworkPorts are the ports of the router with the most, without those to terminals.
	NetworkPorts    *int   `json:"network_ports,omitempty"`
	AllNetworkPorts *int64 `json:"network_ports_total,omitempty"` // those of all routers, likewise

	// Accuracy is how far the estimate is from a full plan; left out by the published models.
	Accuracy string   `json:"accuracy,omitempty"`
	Notes    []string `json:"notes"` // what the figures leave out or assume
}

// EstimateLength sums lengths of cables up.
type EstimateLength struct {
	Total units.Length `json:"total"` // the sum over all cables
	Mean  units.Length `json:"mean"`  // the mean of a cable
	Max   units.Length `json:"max"`   // that of the longest cable
}

// EstimateLevel is about the links of one level.
type EstimateLevel struct {
	Level  string `json:"level"`  // its name
	Links  int64  `json:"links"`  // channels, both directions as one
	Cables int64  `json:"cables"` // those of these links; one for several links counts once
	// Mean is the mean of its links, traces included, as in the plan; by the published models that of its cables.
	Mean units.Length `json:"length_mean_m"`
	Max  units.Length `json:"length_max_m"` // that of the longest, likewise
	// Cost is of cables and their optics; left out where no price is known.
	Cost *units.Money `json:"cost,omitempty"`
}

// EstimateCost is of ports and cables only: no nodes, racks and trays. Of a plan it includes spares, and pieces in
// stock cost nothing.
type EstimateCost struct {
	Switches units.Money `json:"switches"`        // boxes of all switches
	Adapters units.Money `json:"adapters"`        // network adapters of nodes
	Cables   units.Money `json:"cables"`          // all cables with their optics
	Panels   units.Money `json:"panels,omitzero"` // patch panels; left out where there are none
	// Midplanes are midplanes and backplanes, whose traces take the place of cables; left out where there are none.
	Midplanes units.Money `json:"midplanes,omitzero"`
	Labour    units.Money `json:"labour"`   // installing cables and terminating fibre
	Total     units.Money `json:"total"`    // the six above; no nodes, racks or trays
	PerNode   units.Money `json:"per_node"` // the total for each node
	PerPort   units.Money `json:"per_port"` // the total for each port in use
	// Bill is the total of the bill of materials of the plan; left out by the published models.
	Bill     *units.Money `json:"bill,omitempty"`
	Excludes []string     `json:"excludes"` // what has no price, and is left out of the total
	// NotInBill are the levels of packaging for which the machine file names no part, outermost first; left out where
	// there are none, and by the published models.
	NotInBill []NotInBill `json:"not_in_bill,omitempty"`
	// Unmade counts the cables that no product makes, which no sum counts; left out where there are none.
	Unmade int64 `json:"cables_without_product,omitempty"`
}

// NewEstimate estimates what a network takes by a published model. The error is that of ctx, or of costs that are too
// large, or says which field that the model needs is missing.
func NewEstimate(ctx context.Context, in *EstimateInput) (*Estimate, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	e := &Estimate{Family: in.Graph.Family(), Model: in.Model, Source: SourceOf(in.Model), Notes: []string{}}
	floor := CabinetFloor
	if in.Model == ModelSlimFly {
		floor = SlimFlyFloor
	}
	e.CountVertices(topology.CabledKinds(in.Graph))
	e.Nodes -= in.Services
	r := &reckoner{in: in, e: e, floor: &floor, switchCost: make([]units.Money, len(in.Fabrics))}
	for _, l := range in.Graph.Levels() {
		e.Levels = append(e.Levels, EstimateLevel{Level: l.Name})
	}
	var err error
	if in.Model == ModelThinTree || in.Model == ModelPorts {
		err = r.walk(ctx, in.Graph, func(topology.Link) {})
	} else {
		err = r.measure(ctx)
	}
	if err != nil {
		return nil, err
	}
	switch in.Model {
	case ModelThinTree:
		s, r := int64(e.Routers), int64(e.Radix)
		c, l, q := s, s*r, s*r*r
		e.Constant, e.Linear, e.Quadratic = &c, &l, &q
	case ModelPorts:
		e.NetworkPorts, e.AllNetworkPorts = &r.networkMost, &r.networkPorts
	case ModelSlimFly:
		r.slimFly()
	case ModelPerseus:
		r.perseus()
	default:
		r.parts()
	}
	if e.Cost != nil {
		if r.total(); e.Cost.Total >= units.MostMoney {
			return nil, TooMuch("prices")
		}
	}
	r.fabrics()
	return e, nil
}

// check returns an error where a field that the model needs is missing.
func (in *EstimateInput) check() error {
	switch {
	case in.Graph == nil:
		return errors.New("cost: an estimate needs a graph")
	case in.Model == ModelParts || SourceOf(in.Model) == "":
		return fmt.Errorf("cost: there is no model %q of estimates from a graph", in.Model)
	case in.Model == ModelPerseus && (in.Catalog == nil || in.Perseus == nil):
		return errors.New("cost: the model perseus needs a catalog and a price set")
	case in.Model == ModelCabinet && (in.Selector == nil || in.Quote == nil || in.Wages == nil):
		return errors.New("cost: the model cabinet needs a selector of cables, prices and wages")
	}
	kinds := len(topology.CabledKinds(in.Graph))
	if in.Model == ModelCabinet && (len(in.Boxes) != kinds || len(in.Adapters) != kinds) {
		return fmt.Errorf("cost: %d boxes and %d adapters for %d kinds of vertices", len(in.Boxes), len(in.Adapters),
			kinds)
	}
	return nil
}

// TooMuch returns the error that the costs of a section of the machine file, by its key, are too large to be summed up
// to the cent.
func TooMuch(section string) error {
	return diag.Fieldf(section, "the costs come to %v or more, which cannot be summed up to the cent", units.MostMoney)
}

// CountVertices adds the vertices of kinds to Nodes (all that are not switches), Switches and Routers (all that are not
// terminals), and raises Radix to the most ports of a router.
func (e *Estimate) CountVertices(kinds []topology.Kind) {
	for _, k := range kinds {
		if k.Role == topology.Switch {
			e.Switches += k.Count
		} else {
			e.Nodes += k.Count
		}
		if k.Role != topology.Terminal {
			e.Routers += k.Count
			e.Radix = max(e.Radix, k.Ports)
		}
	}
}

// class is the cables of one level that are alike.
type class struct {
	level, kindA, kindB int
	portA, portB        *catalog.PortGroup
	inRack, inRow       bool
	length              units.Length
}

// reckoner measures and prices the cables of an estimate.
type reckoner struct {
	in    *EstimateInput
	e     *Estimate
	floor *Floor
	// cables counts them, in the order of first sight.
	index  map[class]int
	class  []class
	cables []int64
	metres []units.Length // by level
	// switchCost is what the switches of each fabric cost.
	switchCost []units.Money
	// routerPorts are the ports in use at routers. networkPorts are those of them that do not lead to terminals,
	// networkMost those of the router with the most.
	routerPorts, networkPorts int64
	networkMost               int
}

// walk goes through the links once, and counts links and ports. It calls each with every link.
func (r *reckoner) walk(ctx context.Context, g topology.Graph, each func(topology.Link)) error {
	e, kinds := r.e, topology.CabledKinds(g)
	terminal := func(v int32) bool { return kinds[topology.KindOf(kinds, int(v))].Role == topology.Terminal }
	terminals := slices.ContainsFunc(kinds, func(k topology.Kind) bool { return k.Role == topology.Terminal })
	all := topology.NewPortUse(g)
	network := all
	if terminals {
		network = topology.NewPortUse(g)
	}
	n, simplex := 0, int64(0)
	for l := range topology.Cables(g) {
		if n++; n&0xffff == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		e.Links += int64(l.Width)
		e.Levels[l.Level].Links += int64(l.Width)
		all.Add(&l)
		if terminals && !terminal(l.A) && !terminal(l.B) {
			network.Add(&l)
		}
		if l.Simplex {
			simplex += int64(l.Width)
		}
		each(l)
	}
	for i, k := range kinds {
		used := all.Of(k)
		e.Ports += used
		if r.in.Boxes != nil {
			e.PortsTotal += int64(k.Count) * int64(r.in.Boxes[i].PortTotal())
		} else {
			e.PortsTotal += int64(k.Count) * int64(k.Ports)
		}
		if k.Role == topology.Terminal {
			continue
		}
		r.routerPorts += used
		for v := k.First; v < k.First+k.Count; v++ {
			r.networkPorts += int64(network.At(v))
			r.networkMost = max(r.networkMost, network.At(v))
		}
	}
	if simplex > 0 && e.Length != nil {
		e.Notes = append(e.Notes, fmt.Sprintf("%d links carry one way only; each counts as a cable", simplex))
	}
	return nil
}

// measure puts the boxes into cabinets and measures the cables between them.
func (r *reckoner) measure(ctx context.Context) error {
	g := r.in.Graph
	c := newCabinets(g, r.floor, r.in.Stands, r.lead())
	if r.in.Plug != nil {
		plugged, turning, err := r.in.Plug(c.compare)
		if err != nil {
			return err
		}
		c.sortSwitches(turning)
		g = plugged
	}
	r.e.Racks, r.e.Layout, r.e.Length = c.count, r.floor.String(), &EstimateLength{}
	r.index = map[class]int{}
	kinds := g.Kinds()
	last, lastIndex := class{level: -1}, 0
	err := r.walk(ctx, g, func(l topology.Link) {
		a, b := c.of[l.A], c.of[l.B]
		k := class{level: int(l.Level), inRack: a == b, inRow: c.at[a][1] == c.at[b][1]}
		k.kindA, k.kindB = topology.KindOf(kinds, int(l.A)), topology.KindOf(kinds, int(l.B))
		if r.in.Boxes != nil {
			k.portA, k.portB = group(r.in.Boxes[k.kindA], l.PortA), group(r.in.Boxes[k.kindB], l.PortB)
		}
		k.length = c.length(r.floor, a, b) + r.beyond(k.kindA) + r.beyond(k.kindB)
		if k != last {
			i, ok := r.index[k]
			if !ok {
				i = len(r.class)
				r.index[k] = i
				r.class, r.cables = append(r.class, k), append(r.cables, 0)
			}
			last, lastIndex = k, i
		}
		r.cables[lastIndex] += int64(l.Width)
	})
	if err != nil {
		return err
	}
	r.lengths()
	return nil
}

// group returns the group of a port; that of the last port where the box has fewer, nil where it has none.
func group(b *cabling.Box, port int32) *catalog.PortGroup {
	if len(b.Ports) == 0 {
		return nil
	}
	return b.Ports[min(int(port), len(b.Ports)-1)].Group
}

// lengths sums up the cables and their lengths, of each level and of all, from the shortest class to the longest, so
// that the sums never change.
func (r *reckoner) lengths() {
	order := make([]int, len(r.class))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return r.class[order[i]].length < r.class[order[j]].length })
	e := r.e
	r.metres = make([]units.Length, len(e.Levels))
	for _, i := range order {
		k, n := &r.class[i], r.cables[i]
		l := &e.Levels[k.level]
		metres := k.length * units.Length(n)
		l.Cables += n
		l.Mean += metres
		r.metres[k.level] += metres
		l.Max = max(l.Max, k.length)
		e.Cables += n
		e.Length.Total += metres
		e.Length.Max = max(e.Length.Max, k.length)
	}
	for i := range e.Levels {
		if l := &e.Levels[i]; l.Cables > 0 {
			l.Mean = roundTo4(l.Mean / units.Length(l.Cables))
		}
	}
	if e.Cables > 0 {
		e.Length.Mean = roundTo4(e.Length.Total / units.Length(e.Cables))
	}
	e.Length.Total = roundTo4(e.Length.Total)
}

// roundTo4 rounds to four decimals.
func roundTo4[T ~float64](x T) T { return T(math.Round(float64(x)*1e4) / 1e4) }

// add adds the cost of the cables of class i, each at a unit price, to its level and to all cables.
func (r *reckoner) add(i int, unit units.Money) {
	l := &r.e.Levels[r.class[i].level]
	if l.Cost == nil {
		l.Cost = new(units.Money)
	}
	cost := unit.Times(r.cables[i])
	*l.Cost = l.Cost.Plus(cost)
	r.e.Cost.Cables = r.e.Cost.Cables.Plus(cost)
}

// slimFly prices by the lines of the Slim Fly paper.
func (r *reckoner) slimFly() {
	e := r.e
	e.Currency, e.Cost = "USD", &EstimateCost{}
	ports := 0.0
	for _, k := range topology.CabledKinds(r.in.Graph) {
		if k.Role != topology.Terminal {
			each := units.MoneyOf(max(0, 350.4*float64(k.Ports)-892.3))
			e.Cost.Switches = e.Cost.Switches.Plus(each.Times(int64(k.Count)))
			ports += float64(k.Ports) * float64(k.Count)
		}
	}
	r.power(slimFlyPortPower * units.Power(ports))
	for i, k := range r.class {
		x := float64(k.length)
		perGbps := 0.0919*x + 7.2745
		if k.inRack {
			perGbps = 0.4079*x + 0.5771
		}
		r.add(i, units.MoneyOf(perGbps*40))
	}
}

// power fills in the power.
func (r *reckoner) power(watts units.Power) {
	per := roundTo4(watts / units.Power(max(r.e.Nodes, 1)))
	watts = roundTo4(watts)
	r.e.Power, r.e.PowerPerNode = &watts, &per
}

// perseus prices ports and stock cables as Perseus does.
func (r *reckoner) perseus() {
	e := r.e
	e.Currency, e.Cost = r.in.Perseus.Currency, &EstimateCost{}
	e.Cost.Switches = 500_00 * units.Money(r.routerPorts)
	copper, fibre := r.in.Catalog.Part("dac-40g-qsfp"), r.in.Catalog.Part("aoc-40g-qsfp")
	labour := r.in.Perseus.Labour
	for i, k := range r.class {
		rate := labour.BetweenRacks
		if k.inRack {
			rate = labour.InRack
		}
		e.Cost.Labour = e.Cost.Labour.Plus(rate.Times(r.cables[i]))
		part := copper
		length, ok := part.Stock(k.length)
		if !ok {
			part = fibre
			length, ok = part.Stock(k.length)
		}
		q := r.in.Perseus.Quote(part, length)
		if !ok || !q.Priced {
			r.exclude(fmt.Sprintf("%s beyond its longest piece", fibre.ID))
			continue
		}
		r.add(i, q.Unit)
	}
}

// exclude notes what has no price.
func (r *reckoner) exclude(what string) {
	if !slices.Contains(r.e.Cost.Excludes, what) {
		r.e.Cost.Excludes = append(r.e.Cost.Excludes, what)
	}
}

// parts prices with the machine's own parts.
func (r *reckoner) parts() {
	in, e := r.in, r.e
	e.Currency, e.Cost = in.Currency, &EstimateCost{}
	watts := units.Power(0)
	for i, k := range topology.CabledKinds(in.Graph) {
		box := in.Boxes[i]
		if k.Role == topology.Switch {
			watts += box.Part.Power * units.Power(k.Count)
			price := r.switches(box, k)
			e.Cost.Switches = e.Cost.Switches.Plus(price)
			r.ofSwitches(i, price)
		}
		if a := in.Adapters[i]; a != nil {
			per := max(a.PortCount(), 1)
			n := int64((k.Ports+per-1)/per) * int64(k.Count)
			watts += a.Power * units.Power(n)
			if q := in.Quote(a, 0, n); q.Priced {
				e.Cost.Adapters = e.Cost.Adapters.Plus(q.Unit.Times(n))
			} else {
				r.exclude(a.ID)
			}
		}
	}
	for i, k := range r.class {
		watts += r.cable(i, &k)
	}
	r.power(watts)
	r.labour()
}

// switches prices the boxes of a kind.
func (r *reckoner) switches(box *cabling.Box, k topology.Kind) units.Money {
	q := r.in.Quote(box.Part, 0, int64(k.Count))
	if !q.Priced {
		r.exclude(box.Part.ID)
		return 0
	}
	return q.Unit.Times(int64(k.Count))
}

// cable books the cables of a class with their optics, and returns what they
// draw.
func (r *reckoner) cable(i int, k *class) (watts units.Power) {
	if k.portA == nil || k.portB == nil {
		r.exclude("cables of boxes without ports")
		return 0
	}
	within := layout.HallLevel
	switch {
	case k.inRack:
		within = layout.RackLevel
	case k.inRow:
		within = layout.RowLevel
	}
	level := r.e.Levels[k.level].Level
	p, links := r.in.Selector.Choose(k.portA, k.portB, level, within, k.length)
	if p == nil {
		r.exclude(fmt.Sprintf("%s cables that no part makes", level))
		return 0
	}
	// In hundredths of a cent, so that shares of optics stay exact.
	cents, priced := int64(0), true
	part := func(c *catalog.Part, length units.Length, share int64) {
		q := r.in.Quote(c, length, 0)
		if !q.Priced {
			priced = false
			r.exclude(c.ID)
		}
		cents += int64(q.Unit) * 100 / share
	}
	part(p.Part, p.Length, int64(links))
	watts = 2 * p.Part.Power
	if links > 1 {
		watts = p.Part.CablePower() / units.Power(links)
	}
	for i, o := range p.Transceivers() {
		if o != nil {
			share := int64(max(o.Optic.Ports, 1))
			if i == 0 && links > 1 { // it fills the cage, and carries all links
				share = int64(links)
			}
			part(o, 0, share)
			watts += o.Power / units.Power(share)
		}
	}
	if priced {
		r.add(i, units.Money((cents+50)/100))
	}
	if p.Part.Cable.Medium.Fibre() {
		r.e.Cost.Labour = r.e.Cost.Labour.Plus(r.in.Wages(TerminateFibre, 0).Unit.Times(r.cables[i]))
	}
	return watts * units.Power(r.cables[i])
}

// labour prices installing.
func (r *reckoner) labour() {
	for i, k := range r.class {
		within := layout.HallLevel
		switch {
		case k.inRack:
			within = layout.RackLevel
		case k.inRow:
			within = layout.RowLevel
		}
		id := InstallLabour(room, within)
		q := r.in.Wages(id, 0)
		if !q.Priced {
			r.exclude(id)
			continue
		}
		r.e.Cost.Labour = r.e.Cost.Labour.Plus(q.Unit.Times(r.cables[i]))
	}
}

// total adds up.
func (r *reckoner) total() {
	r.e.Cost.Sum(r.e.Nodes, r.e.Ports)
}

// Sum sets Total, PerNode and PerPort from the other costs, for a number of nodes and of ports in use (0 counts as 1),
// and sorts Excludes.
func (c *EstimateCost) Sum(nodes int, ports int64) {
	c.Total = c.Switches.Plus(c.Adapters).Plus(c.Cables).Plus(c.Panels).Plus(c.Midplanes).Plus(c.Labour)
	c.PerNode = units.MoneyOf(c.Total.Float() / float64(max(nodes, 1)))
	c.PerPort = units.MoneyOf(c.Total.Float() / float64(max(ports, 1)))
	slices.Sort(c.Excludes)
	if c.Excludes == nil {
		c.Excludes = []string{}
	}
}
