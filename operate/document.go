package operate

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/triangle"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Options are what the operation of a plan is estimated with.
type Options struct {
	Rates *Rates // the default ones when nil
	// LeadTime is how long a spare takes to arrive; that of the rates when 0.
	LeadTime units.Days
	// ServiceLevel is the probability that spares cover the demand, above 0 and below 1; DefaultServiceLevel when 0.
	ServiceLevel float64
	// Jobs are numbers of nodes; an eighth, a quarter, half and all of the nodes when empty.
	Jobs []int
	// Worst is how many losses of each kind are listed; DefaultWorst when 0.
	Worst int
	// Limits is the most that the loss of one thing of a kind may take, by the kind as Losses.Kind has it.
	Limits map[string]*Limit
	// Pairs asks for the loss of two things of a kind at once, Routes for the routes that the losses listed in Losses
	// and Pairs.Worst leave.
	Pairs, Routes bool
	Seed          uint64 // of the draws of rates; the same seed gives the same figures
}

// Defaults of Options.
const (
	DefaultServiceLevel = 0.99
	DefaultWorst        = 5
)

// draws is how often rates are drawn for Document.RepairsRange.
const draws = 10_000

// Document is what keeping a planned machine takes.
type Document struct {
	Machine string `json:"machine"` // its name
	Rates   string `json:"rates"`   // the set of failure rates
	Date    string `json:"date"`    // of the set
	Nodes   int    `json:"nodes"`   // of the plan
	Leaves  int    `json:"leaves"`  // switches that nodes or service boxes are linked to
	// Access is how many links join a switch and a box that is not a switch, on levels that have no other links.
	Access  int64    `json:"access_links"`
	Repairs []Repair `json:"repairs"` // what is expected to fail, by part
	// RepairsPerMonth is the sum of the likely figures, without what is within links and without unknown rates.
	RepairsPerMonth float64 `json:"repairs_per_month"`
	// RepairsRange is the sum when rates that are ranges are drawn from triangles.
	RepairsRange Quantiles `json:"repairs_per_month_range"`
	// HoursPerMonth is the work of these repairs as far as it is known.
	HoursPerMonth Range `json:"repair_hours_per_month"`
	// HoursUnknown is how many of the repairs a month have no known duration.
	HoursUnknown float64 `json:"repairs_without_hours_per_month"`
	// Unknown are the parts without a failure rate, which are in no figure.
	Unknown []Unknown `json:"unknown"`

	LeadTime     LeadTime `json:"lead_time"`     // of the spares
	ServiceLevel float64  `json:"service_level"` // the probability that the spares cover the demand
	Spares       []Spare  `json:"spares"`        // of every part with a known rate

	Jobs    []Job    `json:"jobs"`    // how much of the time jobs of some sizes run
	Restart Duration `json:"restart"` // the time that a job loses at an interruption

	// Capacity is the mean share of links that are up.
	Capacity Capacity `json:"capacity"`

	// Ends are the power, money and failures of the ends of all links, by kind: `dsp`, `lro`, `lpo`, `cpo`, `aoc`,
	// `aec`, `acc`, `dac`, `base-t`, empty where parts do not state it. They rest on the figures of the parts,
	// not on `rates`.
	Ends     []cost.EndCount `json:"ends"`
	Currency string          `json:"currency"` // of the costs of ends

	// Dark are the losses of cables, bundles, trays, panels, switches, service boxes, supplies, racks, feeds and rows;
	// empty without a list of cables.
	Dark []Losses `json:"losses"`
	// Notes say what the figures leave out.
	Notes []string `json:"notes"`

	meter *lossMeter
}

// Quantiles are the values that 10, 50 and 90 per cent of the draws stay below.
type Quantiles struct {
	P10 float64 `json:"p10"`
	P50 float64 `json:"p50"`
	P90 float64 `json:"p90"`
}

// Unknown is a part whose failure rate is not known.
type Unknown struct {
	Of     Subject `json:"of"`     // the kind of part
	Part   string  `json:"part"`   // its id
	Pieces int64   `json:"pieces"` // how many of them the plan has
}

// Job is how often the network interrupts a job, and how much of the time it runs. Failures of hosts, accelerators and
// software are not in it, unless the rates have them.
type Job struct {
	Nodes int `json:"nodes"` // that the job runs on
	// Interrupts is how often a month any access link, adapter or leaf of its nodes fails.
	Interrupts float64 `json:"interrupts_per_month"`
	// Availability is the share of the time that it runs when every such failure interrupts it.
	Availability float64 `json:"availability"`
	// CutOff is how often a month a failure of a link or a leaf cuts off one of its nodes, or an adapter of it fails;
	// null without a list of cables.
	CutOff *float64 `json:"interrupts_cut_off_per_month"`
	// AvailabilityCutOff is the share of the time that it runs when only these failures interrupt it.
	AvailabilityCutOff *float64 `json:"availability_cut_off"`
}

// Capacity is the mean share of links that are up, where a failure lasts until somebody has come and repaired it.
type Capacity struct {
	Access *float64 `json:"access"` // of access links; null where there are none
	All    float64  `json:"all"`    // of all links
	// whether some rates are not known, so that the shares are upper bounds
	Bound    bool     `json:"upper_bound"`
	Response Duration `json:"response"` // the time from a failure to the begin of its repair
}

// Of estimates the operation of a plan. For a plan without a list of cables, as a summary and a very large machine are,
// it measures no losses, and Pairs, Limits and Routes have no effect: a note says so. The error is that of ctx, a
// JobSizeError, or says that the service level is out of range.
func Of(ctx context.Context, plan *machine.Result, opt Options) (*Document, error) {
	if opt.Rates == nil {
		opt.Rates = DefaultRates()
	}
	if opt.ServiceLevel == 0 {
		opt.ServiceLevel = DefaultServiceLevel
	}
	if opt.Worst == 0 {
		opt.Worst = DefaultWorst
	}
	if !(opt.ServiceLevel > 0 && opt.ServiceLevel < 1) {
		return nil, fmt.Errorf("the service level must be above 0 and below 1, not %v", opt.ServiceLevel)
	}
	d := &Document{
		Machine: plan.Spec.Name, Rates: opt.Rates.Name, Date: opt.Rates.Date, Unknown: []Unknown{}, Jobs: []Job{},
		LeadTime: *opt.Rates.LeadTime, ServiceLevel: opt.ServiceLevel, Dark: []Losses{}, Notes: []string{},
		Restart: *opt.Rates.Restart, Ends: report.NewEnds(plan.Bill), Currency: plan.Bill.Currency,
	}
	if opt.LeadTime > 0 {
		d.LeadTime = LeadTime{opt.LeadTime, "given by the user", catalog.User}
	}
	c := newInventory(plan, opt.Rates)
	d.Repairs = c.repairs
	d.count(c)
	d.sum(opt.Seed)
	d.Spares = c.spares(float64(d.LeadTime.Days)*24/MonthHours, opt.ServiceLevel)
	if plan.Schedule.Segments != nil {
		d.meter = newLossMeter(plan, opt.Worst)
		d.meter.limits, d.meter.pairs = opt.Limits, opt.Pairs
		if err := d.meter.all(ctx); err != nil {
			return nil, err
		}
		d.Dark = d.meter.out
		if opt.Routes {
			if err := d.findRoutes(ctx, plan); err != nil {
				return nil, err
			}
		}
	} else {
		d.Notes = append(d.Notes, ErrNoCables.Error())
	}
	d.Capacity = c.capacity(*opt.Rates.Response)
	if err := d.jobs(c, opt.Jobs); err != nil {
		return nil, err
	}
	d.note(plan, c)
	return d, nil
}

// count counts nodes, leaves and access links.
func (d *Document) count(c *inventory) {
	for _, node := range isNode(c.plan) {
		if node {
			d.Nodes++
		}
	}
	for _, leaf := range c.leaf {
		if leaf {
			d.Leaves++
		}
	}
	for level, n := range c.links {
		if c.access[level] {
			d.Access += n
		}
	}
}

// sum adds up the repairs of a month, their hours and their range, and lists what has no known rate in Unknown. Rates
// from one source are drawn together, as a source is wrong for all pieces alike; those of different sources are
// independent.
func (d *Document) sum(seed uint64) {
	type drawn struct {
		of     triangle.Triangle
		pieces float64
	}
	var bySource []string
	ranges := map[string][]drawn{}
	fixed := 0.0
	for i := range d.Repairs {
		r := &d.Repairs[i]
		switch {
		case !r.known():
			d.Unknown = append(d.Unknown, Unknown{r.Of, r.Part, r.Pieces})
			continue
		case r.Within:
			continue
		}
		n := *r.RepairsPerMonth
		d.RepairsPerMonth += n.Likely
		if n.Low < n.High {
			if ranges[r.Source] == nil {
				bySource = append(bySource, r.Source)
			}
			ranges[r.Source] = append(ranges[r.Source],
				drawn{triangle.New(r.monthly.Low, r.monthly.Likely, r.monthly.High), float64(r.Pieces)})
		} else {
			fixed += n.Likely
		}
		if r.Hours == nil {
			d.HoursUnknown += n.Likely
			continue
		}
		h := r.Hours.bounds()
		d.HoursPerMonth.Low += float64(h.Low * n.Low)
		d.HoursPerMonth.Likely += float64(h.Likely * n.Likely)
		d.HoursPerMonth.High += float64(h.High * n.High)
	}
	sums := slices.Repeat([]float64{fixed}, draws)
	for _, source := range bySource {
		h := fnv.New64a()
		h.Write([]byte(source))
		random := rand.New(rand.NewPCG(seed, h.Sum64()))
		for i := range sums {
			u := random.Float64()
			for j := range ranges[source] {
				r := &ranges[source][j]
				sums[i] += float64(r.of.At(u) * r.pieces)
			}
		}
	}
	slices.Sort(sums)
	at := func(share float64) float64 { return sums[int(share*(draws-1)+0.5)] }
	d.RepairsRange = Quantiles{at(0.1), at(0.5), at(0.9)}
}

// rate is how often a month one link of a level fails, with its cable and optics: the rate of links if there is one,
// else the sum over the parts on the level divided by its number of links. Known is false if a part has no rate; then
// the sum is that of the others, a lower bound.
func (c *inventory) rate(level int) (monthly float64, known bool) {
	if r := c.rates.of(c.subject(level), nil); r != nil {
		return r.monthly().Likely, true
	}
	sum := 0.0
	known = true
	add := func(of Subject, part *catalog.Part, n int64) {
		r := c.rates.of(of, part)
		if r == nil {
			known = false
			return
		}
		sum += float64(r.monthly().Likely * float64(n))
	}
	for i := range c.plan.Schedule.Tallies[level] {
		t := &c.plan.Schedule.Tallies[level][i]
		for product, n := range t.Product {
			if n > 0 {
				add(Cable, c.plan.Schedule.Products[product].Part, n)
			}
		}
		for _, optic := range sortedParts(t.Optics) {
			add(Optic, optic, t.Optics[optic])
		}
	}
	return sum / float64(max(c.links[level], 1)), known
}

// switchRate is how often a month the switch of a vertex fails, and whether a rate is known. It is 0 and known for
// boxes that are not switches, as they do not count against links.
func (c *inventory) switchRate(v int, kind int) (monthly float64, known bool) {
	of := Switch
	if c.leaf[v] {
		of = Leaf
	}
	if c.plan.Schedule.Kinds[kind].Role != topology.Switch {
		return 0, true
	}
	r := c.rates.of(of, c.plan.Schedule.Boxes[kind].Part)
	if r == nil {
		return 0, false
	}
	return r.monthly().Likely, true
}

// capacity is the mean share of links that are up, from 0 to 1. A link is down for the response and the work after a
// failure of its own or of a switch at its ends; these times are added, as failures are rare enough not to overlap.
func (c *inventory) capacity(response Duration) Capacity {
	out := Capacity{Response: response}
	hours := func(of Subject) float64 {
		down := response.Hours
		if w := c.rates.work(of); w != nil {
			down += w.Hours
		}
		return down / MonthHours
	}
	levels := c.plan.Graph.Levels()
	linkDown := make([]float64, len(levels))
	for level := range levels {
		monthly, known := c.rate(level)
		out.Bound = out.Bound || !known && c.links[level] > 0
		linkDown[level] = monthly * hours(c.subject(level))
	}
	kinds := c.plan.Schedule.Kinds
	boxDown := make([]float64, len(c.leaf))
	for kind, k := range kinds {
		for v := k.First; v < k.First+k.Count; v++ {
			monthly, known := c.switchRate(v, kind)
			out.Bound = out.Bound || !known
			boxDown[v] = monthly * hours(Switch)
		}
	}
	var all, access, links, accessLinks float64
	for l := range c.plan.Graph.Links() {
		n := float64(l.Channels(levels))
		up := max(0, 1-linkDown[l.Level]-boxDown[l.A]-boxDown[l.B])
		all += float64(up * n)
		links += n
		if c.access[l.Level] {
			access += float64(up * n)
			accessLinks += n
		}
	}
	out.All = 1
	if links > 0 {
		out.All = all / links
	}
	if accessLinks > 0 {
		share := access / accessLinks
		out.Access = &share
	}
	return out
}

// jobs estimates how often failures interrupt jobs of some sizes, in numbers of nodes. Without access links it only
// adds a note. The error is a JobSizeError.
func (d *Document) jobs(c *inventory, sizes []int) error {
	if d.Nodes == 0 || d.Access == 0 {
		d.Notes = append(d.Notes, "no level of links joins nodes with switches alone, so that nothing is known of jobs")
		return nil
	}
	if len(sizes) == 0 {
		for _, of := range []int{8, 4, 2, 1} {
			if n := d.Nodes / of; n > 0 && !slices.Contains(sizes, n) {
				sizes = append(sizes, n)
			}
		}
	}
	var atNodes, atLeaves, cutNodes, cutLeaves float64 // failures a month of all that belongs to nodes, and of leaves
	levels := c.plan.Graph.Levels()
	for level := range levels {
		if c.access[level] {
			monthly, _ := c.rate(level)
			atNodes += float64(monthly * float64(c.ofNodes[level]))
			if d.meter != nil {
				for ch, cuts := range d.meter.cuts {
					n := d.meter.probe.network
					if cuts && int(n.level[ch]) == level && (n.node[n.a[ch]] || n.node[n.b[ch]]) {
						cutNodes += monthly
					}
				}
			}
		}
	}
	adapters := 0.0
	for i := range d.Repairs {
		if r := &d.Repairs[i]; r.Of == Adapter && r.known() || r.Of == Node && r.known() {
			adapters += r.RepairsPerMonth.Likely
		}
	}
	for kind, k := range c.plan.Schedule.Kinds {
		for v := k.First; v < k.First+k.Count; v++ {
			if c.leaf[v] {
				monthly, _ := c.switchRate(v, kind)
				atLeaves += monthly
				if d.meter != nil && d.meter.cutsSwitch[v] {
					cutLeaves += monthly
				}
			}
		}
	}
	perNode := c.leavesPerNode(d.Nodes)
	available := func(interrupts float64) float64 { return 1 / (1 + float64(interrupts*d.Restart.Hours/MonthHours)) }
	for _, n := range sizes {
		if n < 1 || n > d.Nodes {
			return &JobSizeError{n, d.Nodes}
		}
		share := float64(n) / float64(d.Nodes)
		touched := min(1, float64(float64(n)*perNode)/float64(max(d.Leaves, 1)))
		j := Job{Nodes: n, Interrupts: float64(share*(atNodes+adapters)) + float64(touched*atLeaves)}
		j.Availability = available(j.Interrupts)
		if d.meter != nil {
			cut := float64(share*(cutNodes+adapters)) + float64(touched*cutLeaves)
			a := available(cut)
			j.CutOff, j.AvailabilityCutOff = &cut, &a
		}
		d.Jobs = append(d.Jobs, j)
	}
	return nil
}

// leavesPerNode is the number of pairs of a leaf and a box at it on access levels, service boxes included, per node of
// the plan: an upper bound of the mean number of leaves that a node is linked to.
func (c *inventory) leavesPerNode(nodes int) float64 {
	pairs := 0
	for l := range c.plan.Graph.Links() { // no pair is listed twice on a level
		if c.leaf[l.A] != c.leaf[l.B] && c.access[l.Level] {
			pairs++
		}
	}
	return float64(pairs) / float64(max(nodes, 1))
}

// JobSizeError says that a job has more nodes than the plan, or none. Most is the number of nodes of the plan.
type JobSizeError struct{ Nodes, Most int }

// Error implements error.
func (e *JobSizeError) Error() string {
	return fmt.Sprintf("a job of %d nodes: must be from 1 to the %d nodes of the plan", e.Nodes, e.Most)
}

// note says what the figures leave out.
func (d *Document) note(plan *machine.Result, c *inventory) {
	if len(d.Unknown) > 0 {
		var names []string
		for _, u := range d.Unknown {
			if !slices.Contains(names, u.Part) {
				names = append(names, u.Part)
			}
		}
		d.Notes = append(d.Notes, "no failure rate is known of "+strings.Join(names, ", ")+"; they are in no sum")
	}
	d.Notes = append(d.Notes, "fans are in no sum: parts do not state how many they have")
	for level, l := range plan.Graph.Levels() {
		if !c.access[level] && c.ofBoxes[level] > 0 {
			d.Notes = append(d.Notes, fmt.Sprintf("%s also links switches with each other: its %s are not access "+
				"links", l.Name, english.Count(c.links[level], "link")))
		}
	}
	supplies := false
	for _, b := range plan.Schedule.Boxes {
		supplies = supplies || b != nil && b.Part.Supply != nil
	}
	if plan.Power == nil && supplies {
		d.Notes = append(d.Notes, "without room.feeds there is no power schedule: the loss of a box with outlets "+
			"takes only its own links")
	}
	if _, ok := plan.Graph.(topology.Optical); ok && d.meter != nil {
		d.Notes = append(d.Notes, "circuit switches count as able to join any of their ports to any other")
	}
	if d.meter != nil && plan.Room() == nil {
		d.Notes = append(d.Notes, "containers have no racks, rows and feeds whose loss could be measured")
	}
}

// ErrNoCables says that a plan has no list of cables, from which losses could be measured.
var ErrNoCables = errors.New("the plan keeps no list of cables, so that nothing is known of what a failure takes down")

// RackShares returns what the loss of each rack takes, by place in the room: the share of the bandwidth of all links,
// from 0 to 1, and the number of nodes that are down or cut off, both 0 for an empty place. Trays has the shares of all
// pieces of tray in the same way, nil without trays. The error is ErrNoCables, also for a plan without a room.
func (d *Document) RackShares() (shares []float64, nodes []int, trays []float64, err error) {
	if d.meter == nil || d.meter.racksLost == nil {
		return nil, nil, nil, ErrNoCables
	}
	for i := range d.meter.racksLost {
		l := &d.meter.racksLost[i]
		shares, nodes = append(shares, l.Share), append(nodes, l.NodesDown+l.NodesCutOff)
	}
	return shares, nodes, d.meter.trayLost, nil
}
