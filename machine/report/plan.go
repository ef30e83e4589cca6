package report

import (
	"fmt"
	"path/filepath"
	"slices"

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
	Version string `json:"version"` // that of the program that made the plan
	Machine string `json:"machine"` // its name in the machine file
	// Currency is the ISO 4217 code of the price set, for all money in the document.
	Currency string `json:"currency"`
	// PriceSet is the price set, which prices what neither the machine file nor a quote does.
	PriceSet  string `json:"price_set"`
	PriceDate string `json:"price_date"` // the date that the price set states

	// Nodes are vertices that send and receive messages: terminals, and nodes that also pass messages on.
	Nodes int `json:"nodes"`
	// Switches are vertices that only pass messages on; 0 in a direct network.
	Switches int `json:"switches"`
	// Links are the channels between vertices, whether cables or traces: both directions are one, every one of
	// several in parallel counts.
	Links int64 `json:"links"`
	// Cables are the pieces of cable, cords and trunks at patch panels with them: one that carries several links
	// counts once, and those that no product can make count too.
	Cables int64 `json:"cables"`
	// Racks is those that hold boxes; 0 where no level of containers is a rack.
	Racks int `json:"racks"`
	// Floor counts the rack positions of the room; left out with containers.
	Floor *Floor `json:"floor,omitempty"`
	Ports Ports  `json:"ports"` // on all boxes, for links
	// Length is what the cables need along their ways, slack included, before it is rounded up to a length that is
	// sold; traces are left out.
	Length  LengthTotal `json:"length_m"`
	Lengths []Lengths   `json:"lengths"` // the same needs by medium, as histograms

	// Boxes are the kinds of boxes of a machine of several fabrics; left out where there is one topology.
	Boxes []Boxes `json:"boxes,omitempty"`
	// Fabrics are its networks, in the order of the machine file; left out where there is one topology.
	Fabrics []Fabric `json:"fabrics,omitempty"`
	// MainFabric is the fabric whose links carry the most together, each as much as the slowest port of the fabric's
	// switches; left out where there is one topology.
	MainFabric string `json:"main_fabric,omitempty"`

	// Levels are the links by the level of the topology that they belong to; of several fabrics, each named by its
	// fabric: compute/tier1.
	Levels []Level `json:"levels"`
	// LayoutLevels are the links by the level of the layout, such as rack, row or hall, of the smallest container
	// that holds both ends; outermost first.
	LayoutLevels []Level   `json:"layout_levels"`
	Media        []Product `json:"media"` // the cables that are bought, by product and length
	// BOM is the bill of materials, sorted by kind, then by part and length.
	BOM  []cost.Row `json:"bom"`
	Cost Cost       `json:"cost"` // the total of the bill, and its parts; docs/cost.md
	// CostPer is the total of the bill divided by what the network gives.
	CostPer *cost.PerUnit `json:"cost_per"`
	// Operation is what the power costs over the years; left out where the machine file has no tariff.
	Operation *cost.Operation `json:"operation,omitempty"`
	// Uncertainty is how far the totals may be off; left out where no price is a range.
	Uncertainty *cost.Uncertainty `json:"uncertainty,omitempty"`
	Power       units.Power       `json:"power_w"`         // what all boxes, optics and cables draw
	PowerBy     Power             `json:"power_by_kind_w"` // the same by kind; spares draw nothing
	// PowerDelivered is what supplies take in for it: power_w, and what those lose that state their efficiency; left
	// out where none does.
	PowerDelivered units.Power `json:"power_delivered_w,omitzero"`
	// PowerBasis is the basis of all figures of power, and the parts that state none on it; left out where the machine
	// file names no basis: figures are the power that each part states then.
	PowerBasis *cost.PowerBasis `json:"power_basis,omitempty"`
	// PowerUnstated are the parts of boxes that state no power, which figures of power leave out; left out where all
	// state it.
	PowerUnstated []cost.OtherPower `json:"power_unstated,omitempty"`
	// Heat is where the heat goes that the power becomes; left out where no part states a share of liquid.
	Heat *Heat `json:"heat,omitempty"`
	// Ends are those of all links by kind: what they draw and cost, how often they fail; docs/cabling.md#kinds-of-ends.
	Ends []cost.EndCount `json:"ends"`
	// HopUnstated are the parts of the whole machine that pass messages on and state no hop delay; left out where all
	// do. The delays of links and levels are lower bounds then.
	HopUnstated []Unstated `json:"hop_unstated,omitempty"`
	// Delay is what paths between nodes take, over ordered pairs of different nodes; null where none were measured,
	// as in a summary, and where there are several fabrics, each of which has its own; docs/delay.md.
	Delay *Delay `json:"delay"`
	// Placement is what optimising the places of the boxes has gained; left out where nothing was optimised;
	// docs/embedding.md#optimising.
	Placement *Placement `json:"placement,omitempty"`
	// Consolidation is what it costs to buy fewer products; left out where every length is bought as it was chosen;
	// docs/cabling.md#fewer-lengths.
	Consolidation *Consolidation `json:"consolidation,omitempty"`

	// Stock is what the machine takes from stock; left out where the machine file has none;
	// docs/cost.md#what-is-in-stock.
	Stock *Stock `json:"stock,omitempty"`

	// Structured is about the patch panels and trunks; left out where the machine file asks for none;
	// docs/cabling.md#structured-cabling.
	Structured *Structured `json:"structured,omitempty"`
	// Trays are the cable trays and what lies on them; left out without trays.
	Trays *Trays `json:"trays,omitempty"`
	// Gaps are those between containers, and how full cables make them; left out without containers, and where there is
	// only one of each level but the innermost; docs/cabling.md#gaps-between-containers.
	Gaps *Gaps `json:"gaps,omitempty"`
	// Bundles are the cables between racks, tied together; left out with containers.
	Bundles *Bundles `json:"bundles,omitempty"`

	// Feeds are the supplies of power of the room, with what hangs on them; left out without a power schedule;
	// docs/racks.md#feeds.
	Feeds []Feed `json:"feeds,omitempty"`
	// SupplyLosses are the losses of power shelves and other boxes with outlets whose redundancy a template states;
	// left out without one; docs/racks.md#feeds.
	SupplyLosses []SupplyLoss `json:"supply_losses,omitempty"`
	// Cooling is which coolant distribution units serve which racks; left out without such units;
	// docs/racks.md#cooling.
	Cooling *Cooling `json:"cooling,omitempty"`

	// Violations are violations of the design rules, in the order in which they were found: of each rule the first
	// hundred, the rest as a number; docs/reference/rules.md.
	Violations []cabling.Violation `json:"violations"`
	Notes      []string            `json:"notes"` // what the figures leave out, and what was assumed
	Spec       *spec.Spec          `json:"spec"`
}

// Ports counts ports of all boxes, those that are used only by name (management ports) included. A port that `breakout`
// splits counts as its parts, whether cables are in them or not: as `ports.csv` lists them. Cost is that of the
// switches and adapters, spares included: what the ports are bought with.
type Ports struct {
	Total int64       `json:"total"` // all that the boxes have, used or not; a split port counts as its parts
	Used  int64       `json:"used"`  // those at which a link ends, on switches and nodes
	Cost  units.Money `json:"cost"`  // what switches and adapters cost, spares included
}

// LengthTotal sums lengths up.
type LengthTotal struct {
	Total units.Length `json:"total"` // the sum over all cables
	Mean  units.Length `json:"mean"`  // the mean of a cable
	Max   units.Length `json:"max"`   // that of the longest cable
}

// MeanMax is a mean and a maximum.
type MeanMax[T ~float64] struct {
	Mean T `json:"mean"`
	Max  T `json:"max"`
}

// Level is about the links of one level. Cost is of their cables and of
// the optics that they light, without spares.
type Level struct {
	Level string `json:"level"` // its name
	Links int64  `json:"links"` // channels: cables and traces
	// Capacity is what a link of the topology carries each way, in units of the rate of a port; left out where it is 1.
	Capacity int32 `json:"capacity,omitempty"`
	// CablesPerLink is the cables that it takes, each of which counts in `links`; left out where it is 1.
	CablesPerLink int32 `json:"cables_per_link,omitempty"`
	// Cables are those of these links; one for several links counts once.
	Cables int64 `json:"cables"`
	// Length is what the links need, slack included; a link over patch panels counts from box to box, and traces
	// count as well.
	Length MeanMax[units.Length] `json:"length_m"`
	// Delay is of a link: its length, ends and hop delay, the mean of both directions.
	Delay  MeanMax[units.Time] `json:"delay_ns"`
	Delays LinkHistogram       `json:"delay_histogram"` // the number of links by delay
	// Cost is that of the cables and of the optics that these links light, without spares and labour; an optic that
	// links of several levels light is shared by them evenly.
	Cost units.Money `json:"cost"`
	// Unmade counts the cables of these links that no product makes, which the cost leaves out; left out where there
	// are none.
	Unmade int64 `json:"cables_without_product,omitempty"`
}

// Unknown stands in tables for a figure that is not known.
const Unknown = "-"

// CostText writes the cost of a level: Unknown where no product makes any of its cables.
func (l *Level) CostText() string {
	if l.Unmade > 0 && l.Unmade == l.Cables {
		return Unknown
	}
	return l.Cost.String()
}

// Product is about one product; Length is that of one piece. Cost is null
// where no price is known.
type Product struct {
	Product string `json:"product"` // the id of the part, with the length that is bought
	// Medium is `passive-copper`, `active-copper`, `active-optical`, `multimode` or `single-mode`.
	Medium catalog.Medium `json:"medium"`
	Length units.Length   `json:"length_m"` // of one piece, as bought
	Qty    int64          `json:"qty"`      // pieces, without spares
	// Cost is that of all these pieces; null where no price is known.
	Cost *units.Money `json:"cost"`
}

// Cost sums up the bill, spares included. Racks includes chassis, frames and trays. Nodes is
// left out unless something prices them.
type Cost struct {
	// Total is the sum of all lines of the bill that have a price, spares included.
	Total units.Money `json:"total"`
	// Network is what switches, adapters, cables, optics, panels and midplanes cost, spares included: without nodes,
	// chassis, frames, racks, trays, hoses, labour, freight and contingency.
	Network units.Money `json:"network"`
	// Excludes are the items of the bill without a price, which the total leaves out; nodes are among them.
	Excludes []string `json:"excludes"`
	// UnpricedKinds are the kinds of the items in `excludes`; left out where all have a price.
	UnpricedKinds []UnpricedKind `json:"excludes_by_kind,omitempty"`
	// NotInBill are the levels of packaging for which the machine file names no part: the bill has no line for their
	// containers, and the total leaves them out; docs/cost.md.
	NotInBill []cost.NotInBill `json:"not_in_bill"`
	// Unmade counts the cables that no product makes, which no sum counts; left out where there are none.
	Unmade   int64       `json:"cables_without_product,omitempty"`
	Switches units.Money `json:"switches"` // boxes of all switches
	Cables   units.Money `json:"cables"`   // all cables, cords and trunks
	Optics   units.Money `json:"optics"`   // transceivers at cable ends
	Adapters units.Money `json:"adapters"` // network adapters of nodes
	// Racks is racks, trays, chassis and frames.
	Racks     units.Money `json:"racks"`
	Hoses     units.Money `json:"hoses,omitzero"`     // for coolant; left out where none has a price
	Panels    units.Money `json:"panels,omitzero"`    // patch panels; left out where there are none
	Midplanes units.Money `json:"midplanes,omitzero"` // midplanes and backplanes; left out where there are none
	Labour    units.Money `json:"labour"`             // installing cables and terminating fibre
	// Freight is the surcharge on parts that the machine file asks for; left out without one.
	Freight units.Money `json:"freight,omitzero"`
	// Contingency is the surcharge on parts, labour and freight that the machine file asks for; left out without
	// one.
	Contingency units.Money `json:"contingency,omitzero"`
	// Nodes are boxes of all nodes; left out unless a price for them is known.
	Nodes *units.Money `json:"nodes,omitempty"`
	// Services are boxes of parts that only service boxes have; left out unless a price for them is known.
	Services units.Money `json:"services,omitzero"`
}

// Power splits the power.
type Power struct {
	Nodes    units.Power `json:"nodes"`    // boxes of all nodes, and their adapters
	Switches units.Power `json:"switches"` // boxes of all switches, as their parts state it
	Optics   units.Power `json:"optics"`   // all transceivers
	Cables   units.Power `json:"cables"`   // both ends of all cables
	// Enclosures is midplanes, chassis and frames without the boxes in them; left out where none states a power.
	Enclosures units.Power `json:"enclosures,omitzero"`
}

// Delay is about the paths between nodes. Of the paths with the fewest
// hops between two nodes, the one of least delay counts for NsMean, NsMax and
// the path lengths; NsPathsMean and NsPathsMax take the mean over all of them.
type Delay struct {
	HopsMean float64 `json:"hops_mean"` // links on a path with the fewest, mean over the pairs
	HopsMax  int     `json:"hops_max"`  // the most that any pair needs
	// PathMean is the length of the fastest path with the fewest hops, mean over the pairs.
	PathMean units.Length `json:"path_mean_m"`
	PathMax  units.Length `json:"path_max_m"` // the longest of these paths
	// NsMean is the delay of the fastest path with the fewest hops, mean over the pairs.
	NsMean units.Time `json:"delay_mean_ns"`
	NsMax  units.Time `json:"delay_max_ns"` // the greatest of these delays
	// NsPathsMean is the mean delay over all paths with the fewest hops of a pair, mean over the pairs.
	NsPathsMean units.Time `json:"delay_paths_mean_ns"`
	NsPathsMax  units.Time `json:"delay_paths_max_ns"` // the greatest of these means of a pair
	// NsP50 is what half of the pairs stay within on their fastest path with the fewest hops.
	NsP50 units.Time `json:"delay_p50_ns"`
	NsP90 units.Time `json:"delay_p90_ns"` // what 90 % of the pairs stay within, likewise
	NsP99 units.Time `json:"delay_p99_ns"` // what 99 % of the pairs stay within, likewise
	// Exact is whether paths were followed from all nodes; if not, from some drawn at random: means then have a
	// standard error, and maxima are lower bounds.
	Exact bool `json:"exact"`
	// HopUnstated are the parts that pass messages on and state no hop delay; left out where all do. All delays are
	// then lower bounds, of what is known.
	HopUnstated []Unstated `json:"hop_unstated,omitempty"`
	Sources     int        `json:"sources"` // nodes from which paths were followed
	// HopsStdErr is the standard error of `hops_mean`; left out where exact.
	HopsStdErr float64 `json:"hops_mean_stderr,omitempty"`
	// NsStdErr is the standard error of `delay_mean_ns`; left out where exact.
	NsStdErr units.Time `json:"delay_mean_stderr_ns,omitempty"`
	// UnreachedPairs are pairs without a path, which no figure counts; left out where there are none.
	UnreachedPairs int64 `json:"unreached_pairs,omitempty"`
	// NsFastestMean is the delay of the fastest path, with any number of hops, mean over the pairs.
	NsFastestMean units.Time `json:"delay_fastest_mean_ns"`
	NsFastestMax  units.Time `json:"delay_fastest_max_ns"` // the greatest delay of a fastest path
	// DetourPairs are pairs whose fastest path has more hops than the fewest.
	DetourPairs int64 `json:"detour_pairs"`
	// Definition is delay as the CLEX paper defines it, alpha x hops + beta x distance; docs/delay.md#a-path.
	Definition Definition `json:"definition"`
	// Stretch is the length of the fastest path with the fewest hops, divided by the straight line between its ends;
	// pairs in one place are left out.
	Stretch delay.Stretch `json:"stretch"`
	// Routed are the paths that routing functions take, for each that the machine file or `--routing` asks for.
	Routed []delay.Routed `json:"routed"`
	// Histogram is the number of pairs by the delay of the fastest path with the fewest hops.
	Histogram DelayHistogram `json:"histogram"`
}

// DelayHistogram has bins of equal width: bin i counts delays from i x BinNs.
type DelayHistogram struct {
	BinNs units.Time `json:"bin_ns"` // the width of a bin
	Pairs []int64    `json:"pairs"`  // pairs in each bin, the first from delay 0
}

// Definition is alpha*hops + beta*distance, on average and at most, with
// one hop delay alpha and one propagation delay beta: those of the links, on
// average.
type Definition struct {
	// Alpha is one hop delay for all: the mean over the ends of links; null where a part states none.
	Alpha *units.Time `json:"alpha_ns"`
	// Beta is one propagation delay for all: the mean over the metres of link.
	Beta units.Propagation `json:"beta_ns_per_m"`
	// NsMean is alpha x `hops_mean` + beta x `path_mean_m`; null without alpha.
	NsMean *units.Time `json:"delay_mean_ns"`
	// NsMax is alpha x `hops_max` + beta x `path_max_m`, even if these are of two pairs; null without alpha.
	NsMax *units.Time `json:"delay_max_ns"`
}

// LinkHistogram has bins of equal width: bin i counts links from i x BinNs.
type LinkHistogram struct {
	BinNs units.Time `json:"bin_ns"` // the width of a bin
	Links []int64    `json:"links"`  // links in each bin, the first from delay 0
}

// Lengths is about the cables of one medium: how many need how much. Bin i
// of the histogram counts cables from i x BinMetres.
type Lengths struct {
	// Medium is `passive-copper`, `active-copper`, `active-optical`, `multimode` or `single-mode`, which cables that
	// no product can make count as.
	Medium    catalog.Medium `json:"medium"`
	Cables    int64          `json:"cables"`   // pieces of cable
	Total     units.Length   `json:"length_m"` // the sum of what they need
	BinMetres units.Length   `json:"bin_m"`    // the width of a bin of the histogram
	Bins      []int64        `json:"bins"`     // cables in each bin, the first from length 0
}

// NewPorts counts the ports of a schedule.
func NewPorts(s *cabling.Schedule, bill *cost.Bill) Ports {
	out := Ports{
		Used: s.PortsUsed.Switch + s.PortsUsed.Node,
		Cost: bill.ByKind[catalog.KindSwitch] + bill.ByKind[catalog.KindAdapter],
	}
	for i, k := range s.Kinds {
		out.Total += int64(k.Count) * int64(s.Boxes[i].PortTotal())
	}
	return out
}

// NewLengthTotal sums up the cables of a schedule, or of some of its topology's levels alone; traces are left out.
func NewLengthTotal(s *cabling.Schedule, levels ...int) LengthTotal {
	var total, longest units.Length
	cables := int64(0)
	for level, row := range s.Tallies {
		if len(levels) > 0 && !slices.Contains(levels, level) {
			continue
		}
		for i := range row {
			cables += row[i].Cables
			total += row[i].CableMetres
			longest = max(longest, row[i].LongestCable)
		}
	}
	out := LengthTotal{Total: Round(total), Max: Round(longest)}
	if cables > 0 {
		out.Mean = Round(total / units.Length(cables))
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
		level := r.report(l.Name, &delays[a])
		level.Capacity, level.CablesPerLink = above1(l.Channels()), above1(l.Ports())
		out = append(out, level)
	}
	return out
}

// above1 is a number, 0 for 1.
func above1(n int32) int32 {
	if n > 1 {
		return n
	}
	return 0
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
	unmade          int64
	metres, longest units.Length
	cost            units.Money
}

func (r *levelSum) add(t *cabling.Tally, cost units.Money) {
	r.links += t.Links
	r.cables += t.Cables
	r.unmade += t.Unmade()
	r.metres += t.Metres
	r.longest = max(r.longest, t.Longest)
	r.cost += cost
}

func (r *levelSum) report(name string, d *delay.Class) Level {
	out := Level{
		Level: name, Links: r.links, Cables: r.cables, Cost: r.cost, Unmade: r.unmade,
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
			c := r.UnitCost.Times(r.Qty)
			m.Cost = &c
		}
		out = append(out, m)
	}
	return out
}

// NewCost sums up a bill.
func NewCost(bill *cost.Bill) Cost {
	out := Cost{
		Total: bill.Total, Network: bill.Network,
		Switches: bill.ByKind[catalog.KindSwitch], Cables: bill.ByKind[catalog.KindCable],
		Optics: bill.ByKind[catalog.KindOptic], Adapters: bill.ByKind[catalog.KindAdapter],
		Racks: bill.ByKind[catalog.KindRack] + bill.ByKind[catalog.KindTray] + bill.ByKind[catalog.KindChassis] +
			bill.ByKind[catalog.KindFrame],
		Hoses:  bill.ByKind[catalog.KindHose],
		Panels: bill.ByKind[catalog.KindPanel], Midplanes: bill.ByKind[catalog.KindMidplane],
		Labour: bill.ByKind[catalog.KindLabour], Services: bill.ByKind[catalog.KindService],
		Freight: bill.ByKind[catalog.KindFreight], Contingency: bill.ByKind[catalog.KindContingency],
	}
	out.Excludes, out.NotInBill = []string{}, append([]cost.NotInBill{}, bill.NotInBill...)
	omitted := OmittedOf(bill.Rows, nil)
	out.Excludes, out.UnpricedKinds = append(out.Excludes, omitted.Parts...), omitted.Kinds
	out.Unmade = bill.Unmade
	if n, ok := bill.ByKind[catalog.KindNode]; ok {
		out.Nodes = &n
	}
	return out
}

// PowerWords is the power, or that it is unknown where no part that draws any states it.
func (p *Plan) PowerWords() string {
	if p.Power == 0 && len(p.PowerUnstated) > 0 {
		return "unknown"
	}
	return p.Power.String()
}

// PowerNote says what the power is of, and what it leaves out.
func (p *Plan) PowerNote() cost.PowerNote { return cost.NewPowerNote(p.PowerBasis, p.PowerUnstated) }

// Delivered returns what supplies take in for a power, with what they lose of it; 0 where they lose nothing.
func Delivered(power, lost units.Power) units.Power {
	if lost < 0.5 { // of rounding
		return 0
	}
	return Round(power + lost)
}

// DeliveredWords says what supplies take in, for the end of a sentence about power: ", 2.93 MW delivered with the
// losses of power supplies". It is empty where none states its efficiency.
func (p *Plan) DeliveredWords() string {
	if p.PowerDelivered == 0 {
		return ""
	}
	return fmt.Sprintf(", %v %s", p.PowerDelivered, DeliveredName)
}

// DeliveredName names the power that is delivered.
const DeliveredName = "delivered with the losses of power supplies"

// NewPower splits the power of a bill.
func NewPower(bill *cost.Bill) Power {
	b := bill.Power
	return Power{Round(b.Nodes), Round(b.Switches), Round(b.Optics), Round(b.Cables), Round(b.Enclosures)}
}

// NewEnds are the ends of links of a bill, rounded.
func NewEnds(b *cost.Bill) []cost.EndCount {
	out := append([]cost.EndCount{}, b.Ends...)
	for i := range out {
		e := &out[i]
		e.Power, e.Failures, e.Flaps = Round(e.Power), Round(e.Failures), Round(e.Flaps)
	}
	return out
}

// PriceSources lists where the prices of the bill come from: the price set with its date, then the names of the files
// of quotes, which go before it.
func (p *Plan) PriceSources() []string {
	out := []string{p.PriceSet + ", " + p.PriceDate}
	for _, path := range p.Spec.Prices.Quote {
		out = append(out, filepath.Base(path))
	}
	return out
}
