package machine

import (
	"math"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/units"
)

// Report is the plan as one document: what `plenum plan --json` prints and
// plan.json holds. Lengths are in metres, delays in nanoseconds, power in
// watts, money in units of Currency.
type Report struct {
	Version string `json:"version"` // of Plenum
	Machine string `json:"machine"`
	// Currency and PriceSet say what the figures of cost are in and from.
	Currency  string `json:"currency"`
	PriceSet  string `json:"price_set"`
	PriceDate string `json:"price_date"`

	Nodes    int         `json:"nodes"`
	Switches int         `json:"switches"`
	Links    int64       `json:"links"`  // channels: cables and traces
	Cables   int64       `json:"cables"` // pieces of cable
	Racks    int         `json:"racks"`
	Ports    PortsReport `json:"ports"`
	// Length is of the cables, traces left out, as routed with slack.
	Length LengthTotal `json:"length_m"`
	// Lengths splits it by medium.
	Lengths []LengthReport `json:"lengths"`

	Levels       []LevelReport `json:"levels"`        // of the topology
	LayoutLevels []LevelReport `json:"layout_levels"` // by the lowest container that holds both ends
	Media        []MediaReport `json:"media"`
	BOM          []cost.Row    `json:"bom"`
	Cost         CostReport    `json:"cost"`
	CostPer      *cost.PerUnit `json:"cost_per"` // of the total
	// Operation is left out without a tariff, Uncertainty where no price is a
	// range.
	Operation   *cost.Operation   `json:"operation,omitempty"`
	Uncertainty *cost.Uncertainty `json:"uncertainty,omitempty"`
	Power       units.Power       `json:"power_w"`
	PowerBy     PowerReport       `json:"power_by_kind_w"`
	// Delay is null in a summary.
	Delay *DelayReport `json:"delay"`
	// Placement is left out where places were not optimised.
	Placement *PlacementReport `json:"placement,omitempty"`
	// Consolidation is left out where every length is bought as it was chosen.
	Consolidation *ConsolidationReport `json:"consolidation,omitempty"`

	// Structured is left out where no link runs over patch panels.
	Structured *StructuredReport `json:"structured,omitempty"`
	// Trays and Bundles are left out where there are none.
	Trays   *TraysReport   `json:"trays,omitempty"`
	Bundles *BundlesReport `json:"bundles,omitempty"`

	Violations []cabling.Violation `json:"violations"`
	// Notes say what the figures leave out.
	Notes []string `json:"notes"`
	// Spec is the machine file with its defaults filled in; planning it again
	// gives the same plan.
	Spec *Spec `json:"spec"`
}

// PortsReport counts ports of all boxes. Cost is that of the switches and
// adapters, spares included: what the ports are bought with.
type PortsReport struct {
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

// LevelReport is about the links of one level. Cost is of their cables and of
// the optics that they light, without spares.
type LevelReport struct {
	Level  string                `json:"level"`
	Links  int64                 `json:"links"`
	Cables int64                 `json:"cables"`
	Length MeanMax[units.Length] `json:"length_m"`
	Delay  MeanMax[units.Time]   `json:"delay_ns"`
	// Delays counts the links by delay.
	Delays LinkHistogram `json:"delay_histogram"`
	Cost   units.Money   `json:"cost"`
}

// MediaReport is about one product; Length is that of one piece. Cost is null
// where no price is known.
type MediaReport struct {
	Product string         `json:"product"`
	Medium  catalog.Medium `json:"medium"`
	Length  units.Length   `json:"length_m"`
	Qty     int64          `json:"qty"`
	Cost    *units.Money   `json:"cost"`
}

// CostReport sums up the bill, spares included. Racks includes trays. Nodes is
// left out unless something prices them.
type CostReport struct {
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

// PowerReport splits the power.
type PowerReport struct {
	Nodes    units.Power `json:"nodes"`
	Switches units.Power `json:"switches"`
	Optics   units.Power `json:"optics"`
	Cables   units.Power `json:"cables"`
}

// DelayReport is about the paths between nodes. Of the paths with the fewest
// hops between two nodes, the one of least delay counts for NsMean, NsMax and
// the path lengths; NsPathsMean and NsPathsMax take the mean over all of them.
type DelayReport struct {
	HopsMean    float64      `json:"hops_mean"`
	HopsMax     int          `json:"hops_max"`
	PathMean    units.Length `json:"path_m_mean"`
	PathMax     units.Length `json:"path_m_max"`
	NsMean      units.Time   `json:"ns_mean"`
	NsMax       units.Time   `json:"ns_max"`
	NsPathsMean units.Time   `json:"ns_paths_mean"`
	NsPathsMax  units.Time   `json:"ns_paths_max"`
	NsP50       units.Time   `json:"ns_p50"`
	NsP90       units.Time   `json:"ns_p90"`
	NsP99       units.Time   `json:"ns_p99"`
	// Exact says that all pairs were looked at; otherwise Sources nodes were
	// drawn, the standard errors say how far the means may be off, and the
	// maxima are lower bounds.
	Exact          bool       `json:"exact"`
	Sources        int        `json:"sources"`
	HopsStdErr     float64    `json:"hops_mean_stderr,omitempty"`
	NsStdErr       units.Time `json:"ns_mean_stderr,omitempty"`
	UnreachedPairs int64      `json:"unreached_pairs,omitempty"`
	// NsFastestMean and NsFastestMax are of the fastest paths, whatever their
	// hops; for DetourPairs that is one with more hops than the fewest.
	NsFastestMean units.Time `json:"ns_fastest_mean"`
	NsFastestMax  units.Time `json:"ns_fastest_max"`
	DetourPairs   int64      `json:"detour_pairs"`
	// Definition is delay as the CLEX paper defines it.
	Definition DefinitionReport `json:"definition"`
	Stretch    delay.Stretch    `json:"stretch"`
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

// DefinitionReport is alpha*hops + beta*distance, on average and at most, with
// one hop delay alpha and one propagation delay beta: those of the links, on
// average.
type DefinitionReport struct {
	Alpha  units.Time        `json:"alpha_ns"`
	Beta   units.Propagation `json:"beta_ns_per_m"`
	NsMean units.Time        `json:"ns_mean"`
	NsMax  units.Time        `json:"ns_max"`
}

// LinkHistogram has bins of equal width: bin i counts links from i x BinNs.
type LinkHistogram struct {
	BinNs units.Time `json:"bin_ns"`
	Links []int64    `json:"links"`
}

// LengthReport is about the cables of one medium: how many need how much. Bin i
// of the histogram counts cables from i x BinMetres.
type LengthReport struct {
	Medium    catalog.Medium `json:"medium"`
	Cables    int64          `json:"cables"`
	Total     units.Length   `json:"length_m"`
	BinMetres units.Length   `json:"bin_m"`
	Bins      []int64        `json:"bins"`
}

// round keeps six decimals, beyond which processors may differ.
func round[T ~float64](x T) T { return T(math.Round(float64(x)*1e6) / 1e6) }

// roundAll rounds figures where they are.
func roundAll[T ~float64](figures ...*T) {
	for _, x := range figures {
		*x = round(*x)
	}
}

// Report sums the plan up.
func (p *Result) Report() *Report {
	s, bill := p.Schedule, p.Bill
	r := &Report{
		Version: Version, Machine: p.Spec.Name,
		Currency: bill.Currency, PriceSet: p.Prices.Name, PriceDate: p.Prices.Date,
		Nodes: p.Census.Nodes, Switches: p.Census.Switches, Links: p.Census.Links,
		Cables: s.Cables, Racks: len(p.Placement.Racks),
		BOM:        bill.Rows,
		Power:      round(bill.Power.Total()),
		Violations: p.Violations.List(), Notes: p.Notes, Spec: p.Spec,
		CostPer: p.PerUnit, Operation: p.Operation, Uncertainty: p.Uncertainty,
		Delay: p.delayReport(), Placement: p.placementReport(), Consolidation: p.consolidation(),
		Structured: p.structured(), Trays: p.traysReport(), Bundles: p.bundlesReport(),
	}
	b := bill.Power
	r.PowerBy = PowerReport{round(b.Nodes), round(b.Switches), round(b.Optics), round(b.Cables)}
	r.Ports = p.ports()
	r.Length = p.lengths()
	r.Lengths = []LengthReport{}
	for _, c := range p.Lengths {
		r.Lengths = append(r.Lengths, LengthReport{c.Medium, c.Cables, round(c.Metres), c.Spread.Width, c.Spread.Bins()})
	}
	r.Levels = p.levels(true)
	r.LayoutLevels = p.levels(false)
	r.Media = p.media()
	r.Cost = CostReport{
		Total:    bill.Total,
		Switches: bill.ByKind[catalog.KindSwitch], Cables: bill.ByKind[catalog.KindCable],
		Optics: bill.ByKind[catalog.KindOptic], Adapters: bill.ByKind[catalog.KindAdapter],
		Racks:   bill.ByKind[catalog.KindRack] + bill.ByKind[catalog.KindTray],
		Panels:  bill.ByKind[catalog.KindPanel],
		Labour:  bill.ByKind[catalog.KindLabour],
		Freight: bill.ByKind[catalog.KindFreight], Contingency: bill.ByKind[catalog.KindContingency],
	}
	r.Cost.Excludes = []string{}
	for i := range bill.Rows {
		if bill.Rows[i].UnitCost == nil {
			r.Cost.Excludes = append(r.Cost.Excludes, bill.Rows[i].Item.String())
		}
	}
	if n, ok := bill.ByKind[catalog.KindNode]; ok {
		r.Cost.Nodes = &n
	}
	return r
}

func (p *Result) ports() PortsReport {
	s := p.Schedule
	out := PortsReport{
		Used: s.PortsUsed.Switch + s.PortsUsed.Node,
		Cost: p.Bill.ByKind[catalog.KindSwitch] + p.Bill.ByKind[catalog.KindAdapter],
	}
	for i, k := range s.Kinds {
		out.Total += int64(k.Count) * int64(s.Boxes[i].Box.Total())
	}
	return out
}

// lengths sums up the cables, traces left out.
func (p *Result) lengths() LengthTotal {
	var total, longest units.Length
	for _, row := range p.Schedule.Tallies {
		for i := range row {
			total += row[i].CableMetres
			longest = max(longest, row[i].LongestCable)
		}
	}
	out := LengthTotal{Total: round(total), Max: round(longest)}
	if n := p.Schedule.Cables; n > 0 {
		out.Mean = round(total / units.Length(n))
	}
	return out
}

// levels reports by topology level, or by layout level, outermost first.
func (p *Result) levels(byTopology bool) []LevelReport {
	s := p.Schedule
	var names []string
	if byTopology {
		for _, l := range p.Graph.Levels() {
			names = append(names, l.Name)
		}
	} else {
		for _, l := range p.Placement.Layout.Levels {
			names = append(names, l.Name)
		}
	}
	out := make([]LevelReport, 0, len(names))
	for i, name := range names {
		r := LevelReport{Level: name}
		var metres units.Length
		var longest units.Length
		for a := range s.Tallies {
			for b := range s.Tallies[a] {
				if (byTopology && a != i) || (!byTopology && b != i) {
					continue
				}
				t := &s.Tallies[a][b]
				r.Links += t.Links
				r.Cables += t.Cables
				metres += t.Metres
				longest = max(longest, t.Longest)
				r.Cost += p.Bill.LevelCost[a][b]
			}
		}
		if r.Links > 0 {
			r.Length = MeanMax[units.Length]{round(metres / units.Length(r.Links)), round(longest)}
		}
		delays := p.LevelDelay
		if !byTopology {
			delays = p.LayoutDelay
		}
		r.Delay = MeanMax[units.Time]{round(delays[i].MeanDelay()), round(delays[i].MaxDelay)}
		r.Delays = LinkHistogram{delays[i].Spread.Width, delays[i].Spread.Bins()}
		out = append(out, r)
	}
	return out
}

func (p *Result) media() []MediaReport {
	out := []MediaReport{}
	for _, r := range p.Bill.Rows {
		if r.Kind != catalog.KindCable {
			continue
		}
		m := MediaReport{Product: r.Item.String(), Medium: r.Medium, Length: round(r.Item.Length), Qty: r.Qty}
		if r.UnitCost != nil {
			c := *r.UnitCost * units.Money(r.Qty)
			m.Cost = &c
		}
		out = append(out, m)
	}
	return out
}
