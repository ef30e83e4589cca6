package cost

import (
	"context"
	"math"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
	"github.com/plenum-planner/plenum/units"
)

// Energy says what power costs.
type Energy struct {
	// PUE is the power of the site divided by that of its equipment; at least 1.
	PUE float64
	// Tariff is the price of a kWh in the currency of the bill, with its bounds, which equal it where no range is
	// stated.
	Tariff, TariffLow, TariffHigh units.Tariff
	Years                         float64
	// Idle is the share of its power, in per cent, that a switch draws with no port used; the rest is in proportion to
	// the ports in use. 100 makes the draw that of the part.
	Idle float64
	// PortPower, if not zero, is what a used port of a switch draws, in place of
	// the parts' own figures.
	PortPower units.Power
}

// HoursPerYear is of a mean Gregorian year.
const HoursPerYear = 8765.82

// Operation is what the power of a network costs over the years. Nodes draw
// power with any cables: they have a line of their own outside the total.
type Operation struct {
	// PUE is the power of the site divided by that of its equipment.
	PUE        float64      `json:"pue"`
	Tariff     units.Tariff `json:"tariff_per_kwh"`      // the price of energy
	TariffLow  units.Tariff `json:"tariff_low_per_kwh"`  // the least that it may be
	TariffHigh units.Tariff `json:"tariff_high_per_kwh"` // the most that it may be
	Years      float64      `json:"years"`               // over which the power is paid, 8,765.82 hours each
	UsedPorts  int64        `json:"switch_ports_used"`   // ports of switches at which a link ends
	// Switches are all switches, by the ports in use where the machine file says so.
	Switches OperationLine `json:"switches"`
	Optics   OperationLine `json:"optics"` // all transceivers
	Cables   OperationLine `json:"cables"` // both ends of all cables
	// Enclosures are midplanes, chassis and frames without the boxes in them; left out where none states a power.
	Enclosures OperationLine `json:"enclosures,omitzero"`
	// Nodes are all nodes with their adapters, which `total` leaves out.
	Nodes OperationLine `json:"nodes"`
	// SupplyLosses are what power supplies lose that state their efficiency, which `total` leaves out; left out where
	// none does.
	SupplyLosses OperationLine `json:"supply_losses,omitzero"`
	// Energy is over the years, of switches, optics, cables and enclosures, the site's overhead included.
	Energy units.Energy `json:"energy_kwh"`
	// Total is the cost of switches, optics, cables and enclosures over the years.
	Total units.Money `json:"total"`
}

// OperationLine is the power of one kind of equipment and what it costs.
type OperationLine struct {
	Power units.Power `json:"power_w"` // at the equipment, without the site's overhead
	Cost  units.Money `json:"cost"`    // over the years, the site's overhead included
}

// NewOperation prices the power of a bill. ports is the number of ports in use of each kind of vertex, in the order of
// s.Kinds. The power of switches follows from their parts and ports: power.Switches is not used.
func NewOperation(s *cabling.Schedule, power Power, ports []int64, e *Energy) *Operation {
	o := &Operation{PUE: e.PUE, Tariff: e.Tariff, TariffLow: e.TariffLow, TariffHigh: e.TariffHigh, Years: e.Years}
	line := e.line
	switches := units.Power(0)
	for i, k := range s.Kinds {
		if k.Role != topology.Switch {
			continue
		}
		o.UsedPorts += ports[i]
		switches += e.switchPower(s.Boxes[i].Part, k.Count, ports[i])
	}
	o.Switches, o.Optics, o.Cables, o.Nodes = line(switches), line(power.Optics), line(power.Cables), line(power.Nodes)
	o.Enclosures = line(power.Enclosures)
	network := switches + power.Optics + power.Cables + power.Enclosures
	o.Energy = units.Energy(math.Round(float64(e.energy(network))*1e3) / 1e3)
	o.Total = o.Switches.Cost.Plus(o.Optics.Cost).Plus(o.Cables.Cost).Plus(o.Enclosures.Cost)
	return o
}

// WithLosses returns the operation with what power supplies lose; nil of nil.
func (o *Operation) WithLosses(lost units.Power) *Operation {
	if o == nil {
		return nil
	}
	out := *o
	out.SupplyLosses = (&Energy{PUE: o.PUE, Tariff: o.Tariff, Years: o.Years}).line(lost)
	return &out
}

// line prices a power.
func (e *Energy) line(p units.Power) OperationLine {
	return OperationLine{units.Power(math.Round(float64(p)*1e6) / 1e6), e.Tariff.Over(e.energy(p)).Money()}
}

// energy is what a power takes over the years.
func (e *Energy) energy(p units.Power) units.Energy {
	return units.Energy(float64(p) / 1000 * HoursPerYear * e.Years * e.PUE)
}

// switchPower is what n switches draw with so many of their ports used.
func (e *Energy) switchPower(part *catalog.Part, n int, used int64) units.Power {
	if e.PortPower > 0 {
		return units.Power(float64(e.PortPower) * float64(used))
	}
	ports := float64(part.PortCount()) * float64(n)
	idle := e.Idle / 100
	share := 1.0
	if ports > 0 {
		share = min(1, float64(used)/ports)
	}
	return units.Power(float64(part.Power) * float64(n) * (idle + float64((1-idle)*share)))
}

// PerUnit is the capital by what a network gives. Figures are in units of the
// currency; those that do not exist are nil.
type PerUnit struct {
	Node *units.Money `json:"node"` // for each node; null without nodes
	Port *units.Money `json:"port"` // for each port in use, on switches and nodes
	// Injection is for 1 Gb/s that all nodes together can send; null where ports state no rate and of several fabrics.
	Injection *units.Money `json:"injection_gbps"`
	// Bisection is for 1 Gb/s through the bisection; null where that is not known.
	Bisection *units.Money `json:"bisection_gbps"`

	// InjectionRate is what all nodes can send together, through their ports in use.
	InjectionRate units.Rate `json:"injection_rate_gbps"`
	// BisectionRate is what the channels of the bisection carry, each at the rate of the slowest port of a router; 0
	// where not known.
	BisectionRate units.Rate `json:"bisection_rate_gbps"`
	// BisectionMethod is how the channels of the bisection are known: `formula` of the family's source, or
	// `partition`, the best found by a search, which may be more than the least; left out where not known.
	BisectionMethod string `json:"bisection_method,omitempty"`
}

// mostPartitioned is the number of links up to which a bisection without a formula
// is searched for.
const mostPartitioned = 5000

// NewPerUnit divides the total of a machine with one topology; used is the number of ports in use of each kind of
// vertex, in the order of s.Kinds. All ports of a node count at the rate of its first one. A bisection without a
// formula is searched for up to 5,000 links, and not known beyond. The error is that of ctx.
func NewPerUnit(ctx context.Context, total units.Money, s *cabling.Schedule, used []int64) (*PerUnit, error) {
	u := &PerUnit{}
	nodes, ports := int64(0), int64(0)
	for i, k := range s.Kinds {
		ports += used[i]
		if k.Role == topology.Switch {
			continue
		}
		nodes += int64(k.Count)
		if b := s.Boxes[i]; len(b.Ports) > 0 {
			u.InjectionRate += units.Rate(float64(used[i]) * float64(b.Ports[0].Group.Rate))
		}
	}
	channels, method, err := bisection(ctx, s)
	if err != nil {
		return nil, err
	}
	u.BisectionRate, u.BisectionMethod = units.Rate(float64(channels*float64(slowest(s)))), method
	u.Node, u.Port = perUnit(total, float64(nodes)), perUnit(total, float64(ports))
	u.Injection, u.Bisection = perUnit(total, float64(u.InjectionRate)), perUnit(total, float64(u.BisectionRate))
	return u, nil
}

// PerBox divides the total of a machine of several fabrics, which has no one rate, by its nodes and the ports in use.
func PerBox(total units.Money, nodes int, used []int64) *PerUnit {
	ports := int64(0)
	for _, n := range used {
		ports += n
	}
	return &PerUnit{Node: perUnit(total, float64(nodes)), Port: perUnit(total, float64(ports))}
}

// perUnit returns a share of an amount, nil where there is nothing to share among.
func perUnit(total units.Money, n float64) *units.Money {
	if n <= 0 {
		return nil
	}
	m := units.MoneyOf(total.Float() / n)
	return &m
}

// bisection is the channels of the bisection, 0 where nothing tells, and how they
// are known.
func bisection(ctx context.Context, s *cabling.Schedule) (channels float64, method string, err error) {
	if f, ok := s.Graph.(topology.Formulas); ok {
		if c := f.ClosedForms().Bisection; c > 0 {
			return c, "formula", nil
		}
	}
	links := int64(0)
	for _, tallies := range s.Tallies {
		for i := range tallies {
			links += tallies[i].Links
		}
	}
	if links > mostPartitioned {
		return 0, "", nil
	}
	b, err := measure.Bisect(ctx, s.Graph, measure.HopEnds(s.Graph), measure.BisectionOptions{Work: 1, Runs: 2})
	if err != nil || b.Upper <= 0 {
		return 0, "", err
	}
	return float64(b.Upper), "partition", nil
}

// slowest is the rate of the slowest port of the boxes that forward.
func slowest(s *cabling.Schedule) units.Rate {
	rate := units.Rate(0)
	for i, k := range s.Kinds {
		for p := range min(k.Ports, len(s.Boxes[i].Ports)) {
			if r := s.Boxes[i].Ports[p].Group.Rate; k.Role != topology.Terminal && k.Count > 0 &&
				(rate == 0 || r < rate) {
				rate = r
			}
		}
	}
	return rate
}
