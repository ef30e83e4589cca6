package report

import (
	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/units"
)

// Plan is the plan as one document: what `plenum plan --json` prints and
// plan.json holds. Lengths are in metres, delays in nanoseconds, power in
// watts, money in units of Currency.
type Plan struct {
	Version string `json:"version"` // of Plenum
	Machine string `json:"machine"`
	// Currency and PriceSet say what the figures of cost are in and from.
	Currency  string `json:"currency"`
	PriceSet  string `json:"price_set"`
	PriceDate string `json:"price_date"`

	Nodes    int   `json:"nodes"`
	Switches int   `json:"switches"`
	Links    int64 `json:"links"`  // channels: cables and traces
	Cables   int64 `json:"cables"` // pieces of cable
	Racks    int   `json:"racks"`
	Ports    Ports `json:"ports"`
	// Length is of the cables, traces left out, as routed with slack.
	Length LengthTotal `json:"length_m"`
	// Lengths splits it by medium.
	Lengths []Lengths `json:"lengths"`

	Levels       []Level       `json:"levels"`        // of the topology
	LayoutLevels []Level       `json:"layout_levels"` // by the lowest container that holds both ends
	Media        []Product     `json:"media"`
	BOM          []cost.Row    `json:"bom"`
	Cost         Cost          `json:"cost"`
	CostPer      *cost.PerUnit `json:"cost_per"` // of the total
	// Operation is left out without a tariff, Uncertainty where no price is a
	// range.
	Operation   *cost.Operation   `json:"operation,omitempty"`
	Uncertainty *cost.Uncertainty `json:"uncertainty,omitempty"`
	Power       units.Power       `json:"power_w"`
	PowerBy     Power             `json:"power_by_kind_w"`
	// Delay is null in a summary.
	Delay *Delay `json:"delay"`
	// Placement is left out where places were not optimised.
	Placement *Placement `json:"placement,omitempty"`
	// Consolidation is left out where every length is bought as it was chosen.
	Consolidation *Consolidation `json:"consolidation,omitempty"`

	// Structured is left out where no link runs over patch panels.
	Structured *Structured `json:"structured,omitempty"`
	// Trays and Bundles are left out where there are none.
	Trays   *Trays   `json:"trays,omitempty"`
	Bundles *Bundles `json:"bundles,omitempty"`

	Violations []cabling.Violation `json:"violations"`
	// Notes say what the figures leave out.
	Notes []string `json:"notes"`
	// Spec is the machine file with its defaults filled in; planning it again
	// gives the same plan.
	Spec *spec.Spec `json:"spec"`
}

// Ports counts ports of all boxes. Cost is that of the switches and
// adapters, spares included: what the ports are bought with.
type Ports struct {
	Total int64       `json:"total"`
	Used  int64       `json:"used"`
	Cost  units.Money `json:"cost"`
}

// LengthTotal sums lengths up.
type LengthTotal struct {
	Total units.Length `json:"total"`
	Mean  units.Length `json:"mean"`
	Max   units.Length `json:"max"`
}

// MeanMax is a mean and a maximum.
type MeanMax[T ~float64] struct {
	Mean T `json:"mean"`
	Max  T `json:"max"`
}

// Level is about the links of one level. Cost is of their cables and of
// the optics that they light, without spares.
type Level struct {
	Level  string                `json:"level"`
	Links  int64                 `json:"links"`
	Cables int64                 `json:"cables"`
	Length MeanMax[units.Length] `json:"length_m"`
	Delay  MeanMax[units.Time]   `json:"delay_ns"`
	// Delays counts the links by delay.
	Delays LinkHistogram `json:"delay_histogram"`
	Cost   units.Money   `json:"cost"`
}

// Product is about one product; Length is that of one piece. Cost is null
// where no price is known.
type Product struct {
	Product string         `json:"product"`
	Medium  catalog.Medium `json:"medium"`
	Length  units.Length   `json:"length_m"`
	Qty     int64          `json:"qty"`
	Cost    *units.Money   `json:"cost"`
}

// Cost sums up the bill, spares included. Racks includes trays. Nodes is
// left out unless something prices them.
type Cost struct {
	Total units.Money `json:"total"`
	// Excludes are the parts of the bill that have no price, nodes too.
	Excludes []string    `json:"excludes"`
	Switches units.Money `json:"switches"`
	Cables   units.Money `json:"cables"`
	Optics   units.Money `json:"optics"`
	Adapters units.Money `json:"adapters"`
	Racks    units.Money `json:"racks"`
	// Panels are left out where there are none.
	Panels units.Money `json:"panels,omitzero"`
	Labour units.Money `json:"labour"`
	// Freight and Contingency are left out where the machine file has none.
	Freight     units.Money  `json:"freight,omitzero"`
	Contingency units.Money  `json:"contingency,omitzero"`
	Nodes       *units.Money `json:"nodes,omitempty"`
}

// Power splits the power.
type Power struct {
	Nodes    units.Power `json:"nodes"`
	Switches units.Power `json:"switches"`
	Optics   units.Power `json:"optics"`
	Cables   units.Power `json:"cables"`
}

// Delay is about the paths between nodes. Of the paths with the fewest
// hops between two nodes, the one of least delay counts for NsMean, NsMax and
// the path lengths; NsPathsMean and NsPathsMax take the mean over all of them.
type Delay struct {
	HopsMean    float64      `json:"hops_mean"`
	HopsMax     int          `json:"hops_max"`
	PathMean    units.Length `json:"path_mean_m"`
	PathMax     units.Length `json:"path_max_m"`
	NsMean      units.Time   `json:"delay_mean_ns"`
	NsMax       units.Time   `json:"delay_max_ns"`
	NsPathsMean units.Time   `json:"delay_paths_mean_ns"`
	NsPathsMax  units.Time   `json:"delay_paths_max_ns"`
	NsP50       units.Time   `json:"delay_p50_ns"`
	NsP90       units.Time   `json:"delay_p90_ns"`
	NsP99       units.Time   `json:"delay_p99_ns"`
	// Exact says that all pairs were looked at; otherwise Sources nodes were
	// drawn, the standard errors say how far the means may be off, and the
	// maxima are lower bounds.
	Exact          bool       `json:"exact"`
	Sources        int        `json:"sources"`
	HopsStdErr     float64    `json:"hops_mean_stderr,omitempty"`
	NsStdErr       units.Time `json:"delay_mean_stderr_ns,omitempty"`
	UnreachedPairs int64      `json:"unreached_pairs,omitempty"`
	// NsFastestMean and NsFastestMax are of the fastest paths, whatever their
	// hops; for DetourPairs that is one with more hops than the fewest.
	NsFastestMean units.Time `json:"delay_fastest_mean_ns"`
	NsFastestMax  units.Time `json:"delay_fastest_max_ns"`
	DetourPairs   int64      `json:"detour_pairs"`
	// Definition is delay as the CLEX paper defines it.
	Definition Definition    `json:"definition"`
	Stretch    delay.Stretch `json:"stretch"`
	// Routed is the paths of routing functions that the machine file asks for.
	Routed []delay.Routed `json:"routed"`
	// Histogram counts ordered pairs of nodes by least delay.
	Histogram DelayHistogram `json:"histogram"`
}

// DelayHistogram has bins of equal width: bin i counts delays from i x BinNs.
type DelayHistogram struct {
	BinNs units.Time `json:"bin_ns"`
	Pairs []int64    `json:"pairs"`
}

// Definition is alpha*hops + beta*distance, on average and at most, with
// one hop delay alpha and one propagation delay beta: those of the links, on
// average.
type Definition struct {
	Alpha  units.Time        `json:"alpha_ns"`
	Beta   units.Propagation `json:"beta_ns_per_m"`
	NsMean units.Time        `json:"delay_mean_ns"`
	NsMax  units.Time        `json:"delay_max_ns"`
}

// LinkHistogram has bins of equal width: bin i counts links from i x BinNs.
type LinkHistogram struct {
	BinNs units.Time `json:"bin_ns"`
	Links []int64    `json:"links"`
}

// Lengths is about the cables of one medium: how many need how much. Bin i
// of the histogram counts cables from i x BinMetres.
type Lengths struct {
	Medium    catalog.Medium `json:"medium"`
	Cables    int64          `json:"cables"`
	Total     units.Length   `json:"length_m"`
	BinMetres units.Length   `json:"bin_m"`
	Bins      []int64        `json:"bins"`
}

// NewPorts counts the ports of a schedule.
func NewPorts(s *cabling.Schedule, bill *cost.Bill) Ports {
	out := Ports{
		Used: s.PortsUsed.Switch + s.PortsUsed.Node,
		Cost: bill.ByKind[catalog.KindSwitch] + bill.ByKind[catalog.KindAdapter],
	}
	for i, k := range s.Kinds {
		out.Total += int64(k.Count) * int64(s.Boxes[i].Box.Total())
	}
	return out
}

// NewLengthTotal sums up the cables of a schedule, traces left out.
func NewLengthTotal(s *cabling.Schedule) LengthTotal {
	var total, longest units.Length
	for _, row := range s.Tallies {
		for i := range row {
			total += row[i].CableMetres
			longest = max(longest, row[i].LongestCable)
		}
	}
	out := LengthTotal{Total: Round(total), Max: Round(longest)}
	if n := s.Cables; n > 0 {
		out.Mean = Round(total / units.Length(n))
	}
	return out
}

// NewLevels reports by topology level.
func NewLevels(s *cabling.Schedule, bill *cost.Bill, delays []delay.Class) []Level {
	out := make([]Level, 0, len(s.Tallies))
	for a, l := range s.Graph.Levels() {
		var r levelSum
		for b := range s.Placement.Layout.Levels {
			r.add(&s.Tallies[a][b], bill.LevelCost[a][b])
		}
		out = append(out, r.report(l.Name, &delays[a]))
	}
	return out
}

// NewLayoutLevels reports by layout level, outermost first.
func NewLayoutLevels(s *cabling.Schedule, bill *cost.Bill, delays []delay.Class) []Level {
	out := make([]Level, 0, len(delays))
	for b, l := range s.Placement.Layout.Levels {
		var r levelSum
		for a := range s.Tallies {
			r.add(&s.Tallies[a][b], bill.LevelCost[a][b])
		}
		out = append(out, r.report(l.Name, &delays[b]))
	}
	return out
}

// levelSum adds up the links of a level.
type levelSum struct {
	links, cables   int64
	metres, longest units.Length
	cost            units.Money
}

func (r *levelSum) add(t *cabling.Tally, cost units.Money) {
	r.links += t.Links
	r.cables += t.Cables
	r.metres += t.Metres
	r.longest = max(r.longest, t.Longest)
	r.cost += cost
}

func (r *levelSum) report(name string, d *delay.Class) Level {
	out := Level{
		Level: name, Links: r.links, Cables: r.cables, Cost: r.cost,
		Delay:  MeanMax[units.Time]{Round(d.MeanDelay()), Round(d.MaxDelay)},
		Delays: LinkHistogram{units.Time(d.Spread.Width), d.Spread.Bins()},
	}
	if r.links > 0 {
		out.Length = MeanMax[units.Length]{Round(r.metres / units.Length(r.links)), Round(r.longest)}
	}
	return out
}

// NewProducts lists the cables of a bill.
func NewProducts(bill *cost.Bill) []Product {
	out := []Product{}
	for _, r := range bill.Rows {
		if r.Kind != catalog.KindCable {
			continue
		}
		m := Product{Product: r.Item.String(), Medium: r.Medium, Length: Round(r.Item.Length), Qty: r.Qty}
		if r.UnitCost != nil {
			c := *r.UnitCost * units.Money(r.Qty)
			m.Cost = &c
		}
		out = append(out, m)
	}
	return out
}

// NewCost sums up a bill.
func NewCost(bill *cost.Bill) Cost {
	out := Cost{
		Total:    bill.Total,
		Switches: bill.ByKind[catalog.KindSwitch], Cables: bill.ByKind[catalog.KindCable],
		Optics: bill.ByKind[catalog.KindOptic], Adapters: bill.ByKind[catalog.KindAdapter],
		Racks:   bill.ByKind[catalog.KindRack] + bill.ByKind[catalog.KindTray],
		Panels:  bill.ByKind[catalog.KindPanel],
		Labour:  bill.ByKind[catalog.KindLabour],
		Freight: bill.ByKind[catalog.KindFreight], Contingency: bill.ByKind[catalog.KindContingency],
	}
	out.Excludes = []string{}
	for i := range bill.Rows {
		if bill.Rows[i].UnitCost == nil {
			out.Excludes = append(out.Excludes, bill.Rows[i].Item.String())
		}
	}
	if n, ok := bill.ByKind[catalog.KindNode]; ok {
		out.Nodes = &n
	}
	return out
}

// NewPower splits the power of a bill.
func NewPower(bill *cost.Bill) Power {
	b := bill.Power
	return Power{Round(b.Nodes), Round(b.Switches), Round(b.Optics), Round(b.Cables)}
}
