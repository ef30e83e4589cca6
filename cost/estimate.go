package cost

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
	"github.com/plenum-planner/plenum/units"
)

// slimFlyPortPower is what a port draws: four lanes of 0.7 W (Besta and Hoefler,
// SC 2014).
const slimFlyPortPower units.Power = 2.8

// EstimateInput is what an estimate is made from.
type EstimateInput struct {
	Graph topology.Graph
	Model string
	// Floor and Stands say how boxes stand; a model with a layout of its own
	// keeps to that instead of Floor.
	Floor  Floor
	Stands []Stand
	// Boxes, Adapters, Selector and Quote price the models that use the machine's
	// own parts.
	Boxes    []*cabling.Box
	Adapters []*catalog.Part
	Selector *cabling.Selector
	Quote    Quoter
	Wages    Wages
	Currency string
	// Fabrics are the networks of a machine that has several, over whose boxes Graph joins them; Services is how many
	// of the boxes are no nodes. Plug plugs boxes into the fabrics anew, now that it is known which of two vertices
	// stands first: it returns the graph, and the kinds of switches that take turns in the same order.
	Fabrics  []EstimatedFabric
	Services int
	Plug     func(compare func(a, b int) int) (topology.Graph, []topology.Kind, error)
	// Catalog and Perseus serve the model of that name.
	Catalog *catalog.Catalog
	Perseus *catalog.PriceSet
}

// Estimate is what a network takes, reckoned without a room. Figures that a model
// does not have are nil.
type Estimate struct {
	Family string `json:"family"` // that of the topology; `machine` where there are several fabrics
	// Model is how it was reckoned; docs/cost.md#estimates-without-a-room.
	Model  string `json:"model"`
	Source string `json:"source"` // where the model is from
	// Layout is where racks are assumed to stand; left out by models without lengths.
	Layout string `json:"layout,omitempty"`
	// Currency is the ISO 4217 code for all money; left out by models without money.
	Currency string `json:"currency,omitempty"`

	Nodes    int `json:"nodes"`    // vertices that send and receive messages
	Switches int `json:"switches"` // vertices that only pass messages on
	// Routers are vertices that pass messages on: switches, and nodes that do.
	Routers int   `json:"routers"`
	Radix   int   `json:"radix"` // ports of the router with the most
	Ports   int64 `json:"ports"` // those at routers at which a link ends
	Links   int64 `json:"links"` // channels, both directions as one
	// Racks is those that the layout fills; left out by models without lengths.
	Racks int `json:"racks,omitempty"`
	// Cables is one for each channel that leaves its chassis; left out by models without lengths.
	Cables int64 `json:"cables,omitempty"`

	// Fabrics are the networks of a machine that has several, in the order of the machine file; left out where there is
	// one topology.
	Fabrics []EstimateFabric `json:"fabrics,omitempty"`

	Length *EstimateLength `json:"length_m,omitempty"` // of the cables
	// Levels are the links by the level of the topology; of several fabrics, each named by its fabric: compute/tier1.
	Levels []EstimateLevel `json:"levels"`
	// Cost is of ports and cables; left out by models without money.
	Cost *EstimateCost `json:"cost,omitempty"`
	// Power is what switches, adapters, cables and optics draw, or the model's figure for each port; left out by
	// models without power.
	Power        *units.Power `json:"power_w,omitempty"`
	PowerPerNode *units.Power `json:"power_per_node_w,omitempty"` // the same divided by the number of nodes

	// Constant is the cost of a thin tree whose switches cost the same whatever their ports: their number; this and
	// the next two are in no unit.
	Constant *int64 `json:"c_c,omitempty"`
	// Linear is the same with a cost by the ports of the largest switch.
	Linear    *int64 `json:"c_l,omitempty"`
	Quadratic *int64 `json:"c_q,omitempty"` // the same with a cost by the square of these ports
	// NetworkPorts are the ports of the router with the most, without those to terminals.
	NetworkPorts    *int   `json:"network_ports,omitempty"`
	AllNetworkPorts *int64 `json:"network_ports_total,omitempty"` // those of all routers, likewise

	// Accuracy is how far such estimates usually are from a full plan; left out where there is nothing to compare
	// with.
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
	Level  string       `json:"level"`         // its name
	Links  int64        `json:"links"`         // channels, both directions as one
	Cables int64        `json:"cables"`        // one for each link that leaves its chassis
	Mean   units.Length `json:"length_mean_m"` // the mean of its cables
	Max    units.Length `json:"length_max_m"`  // that of its longest cable
	// Cost is of cables and their optics; left out where no price is known.
	Cost *units.Money `json:"cost,omitempty"`
}

// EstimateCost is of ports and cables only: no nodes, racks, trays and spares.
type EstimateCost struct {
	Switches units.Money `json:"switches"` // boxes of all switches
	Adapters units.Money `json:"adapters"` // network adapters of nodes
	Cables   units.Money `json:"cables"`   // all cables with their optics
	Labour   units.Money `json:"labour"`   // installing cables and terminating fibre
	Total    units.Money `json:"total"`    // the four above; no nodes, racks, trays or spares
	PerNode  units.Money `json:"per_node"` // the total for each node
	PerPort  units.Money `json:"per_port"` // the total for each port of a router in use
	Excludes []string    `json:"excludes"` // what has no price, and is left out of the total
}

// NewEstimate reckons what a network takes. The error is that of ctx.
func NewEstimate(ctx context.Context, in *EstimateInput) (*Estimate, error) {
	e := &Estimate{Family: in.Graph.Family(), Model: in.Model, Notes: []string{}}
	for i := range Models {
		if Models[i].Name == in.Model {
			e.Source = Models[i].Source
		}
	}
	e.count(in.Graph)
	e.Nodes -= in.Services
	switch in.Model {
	case ModelThinTree:
		s, r := int64(e.Routers), int64(e.Radix)
		c, l, q := s, s*r, s*r*r
		e.Constant, e.Linear, e.Quadratic = &c, &l, &q
		return e, nil
	case ModelPorts:
		e.networkPorts(in.Graph)
		return e, nil
	}
	floor := in.Floor
	switch in.Model {
	case ModelCabinet, ModelPerseus:
		floor = CabinetFloor
	case ModelSlimFly:
		floor = SlimFlyFloor
	}
	r := &reckoner{in: in, e: e, floor: &floor, switchCost: make([]units.Money, len(in.Fabrics))}
	if err := r.measure(ctx); err != nil {
		return nil, err
	}
	switch in.Model {
	case ModelSlimFly:
		r.slimFly()
	case ModelPerseus:
		r.perseus()
	default:
		r.parts()
	}
	r.total()
	if e.Cost.Total >= units.MostMoney {
		return nil, TooMuch("prices")
	}
	r.fabrics()
	return e, nil
}

// TooMuch is the mistake of a section that makes costs too large to be summed up to the cent.
func TooMuch(section string) error {
	return diag.Fieldf(section, "the costs come to %v or more, which cannot be summed up to the cent", units.MostMoney)
}

// count fills in what kinds and levels tell.
func (e *Estimate) count(g topology.Graph) {
	channels := topology.Channels(g)
	for i, l := range g.Levels() {
		e.Levels = append(e.Levels, EstimateLevel{Level: l.Name, Links: channels[i]})
		e.Links += channels[i]
	}
	terminals := int64(0)
	for _, k := range topology.CabledKinds(g) {
		switch k.Role {
		case topology.Terminal:
			e.Nodes += k.Count
			terminals += int64(k.Count) * int64(k.Ports)
		case topology.Switch:
			e.Switches += k.Count
		default:
			e.Nodes += k.Count
		}
		if k.Role != topology.Terminal {
			e.Routers += k.Count
			e.Radix = max(e.Radix, k.Ports)
		}
	}
	e.Ports = 2*e.Links - terminals
}

// networkPorts counts ports between routers.
func (e *Estimate) networkPorts(g topology.Graph) {
	d := measure.RouterDegrees(g)
	most := d.Max
	all := e.Ports
	for _, k := range topology.CabledKinds(g) {
		if k.Role == topology.Terminal {
			all -= int64(k.Count) * int64(k.Ports)
		}
	}
	e.NetworkPorts, e.AllNetworkPorts = &most, &all
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
}

// measure walks the links once.
func (r *reckoner) measure(ctx context.Context) error {
	g := r.in.Graph
	several := len(r.in.Fabrics) > 0
	c := newCabinets(g, r.floor, r.in.Stands, r.lead())
	if r.in.Plug != nil {
		plugged, turning, err := r.in.Plug(c.compare)
		if err != nil {
			return err
		}
		c.turn(turning)
		g = plugged
	}
	if several {
		r.e.Ports = 0 // a box may have ports that are not plugged in
	}
	r.e.Racks, r.e.Layout = c.count, r.floor.String()
	r.index = map[class]int{}
	kinds := g.Kinds()
	last, lastIndex := class{level: -1}, 0
	n, simplex := 0, int64(0)
	for l := range topology.Cables(g) {
		if n++; n&0xffff == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if several {
			r.ports(kinds, &l)
		}
		if c.chassis != nil && c.chassis[l.A] >= 0 && c.chassis[l.A] == c.chassis[l.B] {
			continue
		}
		if l.Simplex {
			simplex += int64(l.Width)
		}
		a, b := c.of[l.A], c.of[l.B]
		k := class{level: int(l.Level), inRack: a == b, inRow: c.at[a][1] == c.at[b][1]}
		k.kindA, k.kindB = topology.KindOf(kinds, int(l.A)), topology.KindOf(kinds, int(l.B))
		if r.in.Boxes != nil {
			k.portA, k.portB = group(r.in.Boxes[k.kindA], l.PortA), group(r.in.Boxes[k.kindB], l.PortB)
		}
		k.length = c.length(r.floor, a, b, across(k.portA, k.portB)) + r.beyond(k.kindA) + r.beyond(k.kindB)
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
	}
	if simplex > 0 {
		r.e.Notes = append(r.e.Notes, fmt.Sprintf("%d links carry one way only; each is reckoned as a cable", simplex))
	}
	r.lengths()
	return nil
}

// across tells whether two ports are at opposite faces of their boxes.
func across(a, b *catalog.PortGroup) bool {
	return a != nil && b != nil && (a.Face == catalog.Front) != (b.Face == catalog.Front)
}

// group is the group of a port, the last of a box with too few.
func group(b *cabling.Box, port int32) *catalog.PortGroup {
	if len(b.Ports) == 0 {
		return nil
	}
	return b.Ports[min(int(port), len(b.Ports)-1)].Group
}

// lengths sums up in order, so that the sums never change.
func (r *reckoner) lengths() {
	order := make([]int, len(r.class))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return r.class[order[i]].length < r.class[order[j]].length })
	e := r.e
	e.Length, r.metres = &EstimateLength{}, make([]units.Length, len(e.Levels))
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
			l.Mean = rounded(l.Mean / units.Length(l.Cables))
		}
	}
	if e.Cables > 0 {
		e.Length.Mean = rounded(e.Length.Total / units.Length(e.Cables))
	}
	e.Length.Total = rounded(e.Length.Total)
}

// rounded keeps four decimals.
func rounded[T ~float64](x T) T { return T(math.Round(float64(x)*1e4) / 1e4) }

// add books cables of a class at a unit price.
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
	per := rounded(watts / units.Power(max(r.e.Nodes, 1)))
	watts = rounded(watts)
	r.e.Power, r.e.PowerPerNode = &watts, &per
}

// perseus prices ports and stock cables as Perseus does.
func (r *reckoner) perseus() {
	e := r.e
	e.Currency, e.Cost = r.in.Perseus.Currency, &EstimateCost{}
	e.Cost.Switches = 500_00 * units.Money(e.Ports)
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

// switches prices the boxes of a kind; one with too few ports counts as many
// times as its ports are needed.
func (r *reckoner) switches(box *cabling.Box, k topology.Kind) units.Money {
	q := r.in.Quote(box.Part, 0, int64(k.Count))
	if !q.Priced {
		r.exclude(box.Part.ID)
		return 0
	}
	if have := len(box.Ports); have < k.Ports && have > 0 {
		r.e.Notes = append(r.e.Notes, fmt.Sprintf("a %s takes %d ports and %s has %d: it is priced by the port", k.Name,
			k.Ports, box.Part.ID, have))
		return units.MoneyOf(q.Unit.Float() * float64(k.Ports) / float64(have)).Times(int64(k.Count))
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
	for i, o := range []*catalog.Part{p.OpticA, p.OpticB} {
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
		id := Installing(room, within)
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
	c := r.e.Cost
	c.Total = c.Switches.Plus(c.Adapters).Plus(c.Cables).Plus(c.Labour)
	c.PerNode = units.MoneyOf(c.Total.Float() / float64(max(r.e.Nodes, 1)))
	c.PerPort = units.MoneyOf(c.Total.Float() / float64(max(r.e.Ports, 1)))
	slices.Sort(c.Excludes)
	if c.Excludes == nil {
		c.Excludes = []string{}
	}
}
