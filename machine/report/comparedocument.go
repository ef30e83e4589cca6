package report

import (
	"math"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// CompareDocument is a comparison as one document: what `plenum compare --json`
// prints.
type CompareDocument struct {
	Version  string             `json:"version"` // of Plenum
	Machines []ComparedDocument `json:"machines"`
	// BreakEven compares every two machines, Fastest tells which is the fastest
	// for which alpha/beta, from 0 upwards.
	BreakEven []BreakEven `json:"break_even"`
	Fastest   []Fastest   `json:"fastest"`
}

// ComparedDocument is one machine. Figures that do not exist are null.
type ComparedDocument struct {
	Machine  string        `json:"machine"`
	File     string        `json:"file"`
	Topology topology.Spec `json:"topology"`

	Nodes    int         `json:"nodes"`
	Switches int         `json:"switches"`
	Racks    int         `json:"racks"`
	Ports    Ports       `json:"ports"`
	Links    int64       `json:"links"`
	Cables   int64       `json:"cables"`
	Length   LengthTotal `json:"length_m"`
	Lengths  []Lengths   `json:"lengths"`

	Currency    string      `json:"currency"`
	PriceSet    string      `json:"price_set"`
	Cost        Cost        `json:"cost"`
	CostPerNode units.Money `json:"cost_per_node"`
	Power       units.Power `json:"power_w"`
	PowerByNode units.Power `json:"power_per_node_w"`

	// Delay is by the machine's own hop and propagation delays, D by those of the
	// comparison.
	Delay     *Delay    `json:"delay"`
	D         []D       `json:"d"`
	Bisection Bisection `json:"bisection"`

	// Breaches is the number of broken design rules of severity error.
	Breaches int      `json:"breaches"`
	Notes    []string `json:"notes"`
}

// D is alpha*hops + beta*distance at one alpha and beta.
type D struct {
	Alpha  units.Time        `json:"alpha_ns"`
	Beta   units.Propagation `json:"beta_ns_per_m"`
	Ratio  units.Length      `json:"alpha_by_beta_m"`
	NsMean units.Time        `json:"delay_mean_ns"`
	NsMax  units.Time        `json:"delay_max_ns"`
}

// Bisection brackets the least number of channels between two halves of
// the nodes. The figures by money take the upper bound.
type Bisection struct {
	Lower       int64  `json:"lower"`
	Upper       int64  `json:"upper"`
	LowerMethod string `json:"lower_method"`
	UpperMethod string `json:"upper_method"`
	// Rate is of all its channels at the rate of the machine's slowest port, by
	// node and by a million of the currency besides.
	Rate       *units.Rate `json:"rate_gbps"`
	RateByNode *units.Rate `json:"rate_per_node_gbps"`
	Channels   *float64    `json:"channels_per_million"`
	RateByCost *units.Rate `json:"rate_per_million_gbps"`
}

// BreakEven is where two machines have the same D. Below it the machine
// with more hops is faster. Null where one is never slower than the other.
type BreakEven struct {
	A        string        `json:"a"`
	B        string        `json:"b"`
	MoreHops string        `json:"more_hops"`
	Mean     *units.Length `json:"alpha_by_beta_mean_m"`
	Max      *units.Length `json:"alpha_by_beta_max_m"`
}

// Fastest is a range of alpha/beta in which a machine has the least
// average D; To is null for no end.
type Fastest struct {
	Machine string        `json:"machine"`
	From    units.Length  `json:"alpha_by_beta_from_m"`
	To      *units.Length `json:"alpha_by_beta_to_m"`
}

// finite is nil for NaN and infinities.
func finite[T ~float64](x T) *T {
	if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
		return nil
	}
	x = Round(x)
	return &x
}

// Document puts a comparison together.
func (c *Comparison) Document() *CompareDocument {
	r := &CompareDocument{Version: c.Version, BreakEven: []BreakEven{}, Fastest: []Fastest{}}
	for i := range c.Machines {
		r.Machines = append(r.Machines, c.machine(&c.Machines[i]))
	}
	name := func(i int) string { return c.Machines[i].Machine }
	for _, k := range c.Crossings() {
		r.BreakEven = append(r.BreakEven, BreakEven{
			A: name(k.A), B: name(k.B), MoreHops: name(k.MoreHops),
			Mean: finite(k.Mean.Ratio), Max: finite(k.Max.Ratio),
		})
	}
	for _, k := range c.Fastest() {
		r.Fastest = append(r.Fastest, Fastest{name(k.Machine), Round(k.From), finite(k.To)})
	}
	return r
}

func (c *Comparison) machine(m *Compared) ComparedDocument {
	out := ComparedDocument{
		Machine: m.Machine, File: m.File, Topology: m.Topology,
		Nodes: m.Nodes, Switches: m.Switches, Racks: m.Racks, Ports: m.Ports,
		Links: m.Links, Cables: m.Cables, Length: m.Length, Lengths: m.Lengths,
		Currency: m.Currency, PriceSet: m.PriceSet, Cost: m.Cost, CostPerNode: m.PerNode(m.Cost.Total),
		Power: m.Power, Delay: m.Delay, D: []D{}, Breaches: m.Breaches, Notes: m.Notes,
	}
	if out.Notes == nil {
		out.Notes = []string{}
	}
	if m.Nodes > 0 {
		out.PowerByNode = Round(m.Power / units.Power(m.Nodes))
	}
	if m.Reach != nil {
		for _, alpha := range c.Alphas {
			mean, most := m.D(alpha, c.Beta)
			out.D = append(out.D, D{
				Alpha: alpha, Beta: c.Beta, Ratio: Round(units.Length(float64(alpha) / float64(c.Beta))),
				NsMean: Round(mean), NsMax: Round(most),
			})
		}
	}
	b := m.Bisection
	out.Bisection = Bisection{
		Lower: b.Lower, Upper: b.Upper, LowerMethod: b.LowerMethod, UpperMethod: b.UpperMethod,
		Channels: finite(m.PerMoney(float64(b.Upper))),
	}
	if rate := m.Rate * units.Rate(b.Upper); m.Rate > 0 {
		out.Bisection.Rate, out.Bisection.RateByCost = finite(rate), finite(units.Rate(m.PerMoney(float64(rate))))
		if m.Nodes > 0 {
			out.Bisection.RateByNode = finite(rate / units.Rate(m.Nodes))
		}
	}
	return out
}
