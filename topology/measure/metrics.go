package measure

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/plenum-planner/plenum/budget"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/topology"
)

// Metric names a group of figures that takes time to work out.
type Metric string

// The metrics.
const (
	MetricHops         Metric = "hops"         // distances and what follows from them
	MetricBisection    Metric = "bisection"    // the bracket of the bisection
	MetricThroughput   Metric = "throughput"   // bounds of the traffic that is carried
	MetricPaths        Metric = "paths"        // path diversity
	MetricAvailability Metric = "availability" // detours round a failed link or router
	MetricFailures     Metric = "failures"     // distances with random failures
)

// AllMetrics lists the metrics in the order in which they are reported.
func AllMetrics() []Metric {
	return []Metric{MetricHops, MetricBisection, MetricThroughput, MetricPaths, MetricAvailability, MetricFailures}
}

// MaxSearched is the most vertices of a graph that Measure searches: their arrays take 4 GB.
const MaxSearched = 1 << 24

// MaxWalked is the most links of a graph that Measure walks: their arcs take 1 GB, with what numbers them anew 3 GB.
const MaxWalked = 1 << 27

// MeasureOptions says what to measure. The zero value measures nothing but
// counts.
type MeasureOptions struct {
	Metrics []Metric
	Seed    uint64 // of random draws
	// Failed lists the shares of failed links and routers for MetricFailures;
	// nil means DefaultFailed. Draws is the number of times that each is drawn,
	// zero means 5.
	Failed []Failure
	Draws  int
	// MaxLinks is the most channels of a graph for all metrics except
	// MetricHops, which need its links in memory; of a larger graph they are
	// named in Metrics.NotMeasured. Zero means 2^24.
	MaxLinks int64
	// MaxVertices is the most vertices of a graph whose links are walked. Of a larger one only
	// what follows from closed forms is worked out. Zero means MaxSearched.
	MaxVertices int
	// MaxWalked is the same of links: the most of a graph whose links are walked. Zero means the constant MaxWalked.
	MaxWalked int64
}

// Failure is a share of the links and a share of the routers, from 0 to 1, that
// fail at random.
type Failure struct {
	// Links is the chance of each link to fail; links to terminals do not.
	Links   float64 `json:"links_failed"`
	Routers float64 `json:"routers_failed"` // the chance of each router to fail
}

// DefaultFailed is what Measure lets fail when nothing is asked for.
func DefaultFailed() []Failure {
	return []Failure{{Links: .01}, {Links: .05}, {Links: .1}, {Routers: .01}, {Routers: .05}, {Routers: .1}}
}

// Metrics is what Measure finds. A figure that was not worked out, or that does
// not exist, is nil. Distances are over the ends that the literature uses (see
// HopEnds); those named Terminal always from terminal to terminal.
type Metrics struct {
	Family    string `json:"family"`    // its name
	Vertices  int    `json:"vertices"`  // all of them
	Switches  int    `json:"switches"`  // those that only pass messages on
	Terminals int    `json:"terminals"` // those that only send and receive
	// Links is channels, both directions as one, each of several in parallel.
	Links        int64        `json:"links"`
	SimplexLinks int64        `json:"simplex_links"` // those of `links` that carry one way only
	Levels       []LevelLinks `json:"levels"`        // the links by level
	// DegreeMin is channels of a router to other routers: the least of any.
	DegreeMin  int     `json:"degree_min"`
	DegreeMax  int     `json:"degree_max"`  // the most of any router
	DegreeMean float64 `json:"degree_mean"` // the mean over all routers

	// Diameter is the most hops between two ends, on paths with the fewest, over all pairs that have one; a lower
	// bound where `exact` is false.
	Diameter *int `json:"diameter"`
	// HopsMean is hops on paths with the fewest, mean over ordered pairs of different ends that have a path.
	HopsMean *float64 `json:"hops_mean"`
	// HopsMeanWithSelf is the same with every end paired with itself too, at 0 hops.
	HopsMeanWithSelf *float64 `json:"hops_mean_with_self"`
	// HopsStd is the standard deviation of the hops, over the same pairs as `hops_mean_with_self`.
	HopsStd *float64 `json:"hops_std"`
	// HopsHistogram is ordered pairs by their hops, the first those of an end with itself; where `exact` is false,
	// pairs from the ends that were drawn; empty where pairs were not counted.
	HopsHistogram []uint64 `json:"hops_histogram"`

	// BisectionFormula is channels between two halves by the closed form of the family's source; null where it has
	// none.
	BisectionFormula *float64 `json:"bisection_formula"`
	FormulaSource    string   `json:"bisection_formula_source,omitempty"` // where it is from; left out without one
	// BisectionLower is a bound: no halves of the ends have fewer channels between them; null where not measured.
	BisectionLower *int64 `json:"bisection_lower"`
	// BisectionUpper is the channels between the best halves that were found; null where not measured.
	BisectionUpper *int64 `json:"bisection_upper"`
	// BisectionMethod is what was halved, and how both bounds were found; empty where not measured.
	BisectionMethod string `json:"bisection_method"`

	// ThroughputUniform is a bound: of uniform traffic, no routing carries a larger share of what the ports of all
	// terminals can send together. Above 1, the ports are the limit. Null where not measured, and where no two
	// terminals are hops apart.
	ThroughputUniform *float64 `json:"throughput_uniform_upper"`
	// ThroughputWorst is the same for the worst traffic: the least of what the hops of the longest matching of switches
	// allow (P. Namyar et al., "A throughput-centric view of the performance of datacenter topologies", SIGCOMM 2021),
	// of what the best halves that were found allow, and of `throughput_uniform_upper`.
	ThroughputWorst *float64 `json:"throughput_worst_upper"`
	// ThroughputMethod is which of them it is: `longest matching`, `cut` or `uniform traffic`; left out where not
	// measured.
	ThroughputMethod string `json:"throughput_worst_method,omitempty"`

	// NetworkCost is `network_cost_degree` x `diameter`; null where hops were not measured, or not all ends have paths.
	NetworkCost *float64 `json:"network_cost"`
	// CostDegree is the greatest degree of a router, or the degree that the family's source uses.
	CostDegree float64 `json:"network_cost_degree"`
	// PortsPerRouter is channels at the router with the most, those to terminals included.
	PortsPerRouter int `json:"ports_per_router"`
	// PortsPerNode is channels at all routers, those to terminals included, divided by the number of vertices that
	// send and receive.
	PortsPerNode float64 `json:"ports_per_node"`

	// MooreBound is the most routers that a graph of this greatest degree and diameter can have; null where hops are
	// not between routers, or none can be had.
	MooreBound *int64   `json:"moore_bound"`
	MooreGap   *float64 `json:"moore_gap"` // the share of the bound that this graph lacks
	// LargestKnown is the routers of the largest graph of this greatest degree and diameter that was known in 2016 (S.
	// Li, P.-C. Huang and B. Jacob, MEMSYS 2016, Table 1); null where `moore_bound` is, and outside degrees 3 to 16
	// and diameters 2 to 4.
	LargestKnown    *int64   `json:"largest_known"`
	LargestKnownGap *float64 `json:"largest_known_gap"` // the share of these routers that this graph lacks
	// HopsMeanBound is the least mean hops of any graph of so many routers and this greatest degree (V. G. Cerf, D.
	// D. Cowan, R. C. Mullin and R. G. Stanton, "A lower bound on the average shortest path length in regular
	// graphs", Networks 4, 1974).
	HopsMeanBound *float64 `json:"hops_mean_bound"`

	// Efficiency is `bisection_upper` divided by `ports_per_router`, `hops_mean` and the number of ends: the figure
	// of merit of S. Li, P.-C. Huang and B. Jacob, MEMSYS 2016, section 3.2, scaled by size; null where one of these
	// is not known, or not all ends have paths.
	Efficiency *float64 `json:"bisection_per_port_hop_node"`

	// Exact is whether the figures of hops are exact; if not, hops were counted from some ends drawn at random; null
	// where not measured.
	Exact *bool `json:"exact"`
	// TerminalDiameter is the most hops between vertices that send and receive, links to terminals included.
	TerminalDiameter *int     `json:"terminal_diameter"`
	TerminalHopsMean *float64 `json:"terminal_hops_mean"` // the mean over ordered pairs of them

	// HopsOver is the ends between which hops are counted, as the literature does: `routers` in a direct network,
	// `terminals` in a tree; left out where not measured.
	HopsOver string `json:"hops_over,omitempty"`
	// Unreachable is ordered pairs of ends without a path; left out where there are none.
	Unreachable uint64 `json:"unreachable_pairs,omitempty"`
	// HopsMeanSE is the standard error of `hops_mean`; left out where exact.
	HopsMeanSE *float64 `json:"hops_mean_stderr,omitempty"`
	// HopsSources is ends that were drawn to count from; left out where exact.
	HopsSources int `json:"hops_sources,omitempty"`

	// Paths is how many paths there are between two routers; left out where not asked for.
	Paths *PathDiversity `json:"path_diversity,omitempty"`
	// Availability is what the failure of one link or router means; left out where not asked for.
	Availability *Availability `json:"availability,omitempty"`
	// Failures is what is left when links and routers fail at random; left out where not asked for.
	Failures []FailureRow `json:"failures,omitempty"`

	// NotMeasured is the metrics that were asked for and left out, with the reason; left out where there are none.
	NotMeasured []string `json:"not_measured,omitempty"`

	halves *Bisection // where the bisection was measured
}

// LevelLinks is the number of channels of a level.
type LevelLinks struct {
	Level string `json:"level"` // its name
	Links int64  `json:"links"` // channels, both directions as one
	// Capacity is what each of them carries each way, in units of the rate of a port; left out where it is 1.
	// Bisection and throughput count a link of capacity c as c channels.
	Capacity int32 `json:"capacity,omitempty"`
}

// capacityOf is LevelLinks.Capacity of a level.
func capacityOf(l *topology.Level) int32 {
	if c := l.Channels(); c > 1 {
		return c
	}
	return 0
}

// FailureRow is what is left when a share of a graph fails.
type FailureRow struct {
	Failure
	FailureStats
}

// Measure works out the figures of g. Those of a topology.Optical are of the graph that packets see, and only vertices,
// switches and links are counted on that of its cables. A graph with more than opt.MaxVertices vertices or
// opt.MaxWalked links is measured from closed forms only, and metrics without them are named in Metrics.NotMeasured.
// The error is that of ctx; that of budget.Check if the graph needs more than the budget; or, if such a large graph has
// not even closed forms of its links and degrees, a *TooManyVerticesError or *TooManyLinksError.
func Measure(ctx context.Context, g topology.Graph, opt MeasureOptions) (*Metrics, error) {
	m := &Metrics{Family: g.Family(), Vertices: topology.Vertices(g)}
	opt.MaxLinks = cmp.Or(opt.MaxLinks, 1<<24)
	opt.MaxVertices = cmp.Or(opt.MaxVertices, MaxSearched)
	opt.MaxWalked = cmp.Or(opt.MaxWalked, MaxWalked)
	if o, ok := g.(topology.Optical); ok && m.Vertices <= opt.MaxVertices {
		inner, err := Measure(ctx, o.Logical(), opt)
		if err != nil {
			return nil, err
		}
		inner.Vertices, inner.Switches, inner.Links = m.Vertices, 0, 0
		inner.countKinds(g)
		inner.countLevels(g, topology.Count(g).ByLevel)
		return inner, nil
	}
	var tooLarge error
	switch {
	case m.Vertices > opt.MaxVertices:
		tooLarge = &TooManyVerticesError{g.Family(), m.Vertices, opt.MaxVertices}
	case !topology.AtMostLinks(g, opt.MaxWalked):
		tooLarge = &TooManyLinksError{g.Family(), opt.MaxWalked}
	}
	if tooLarge != nil {
		if !m.fromClosedForms(g, opt) {
			return nil, tooLarge
		}
		return m, nil
	}
	m.count(g, walk{g, ctx})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := budget.Check(ctx, 1, Need(int64(m.Vertices), m.Links), "measuring a graph of %s vertices and %s",
		english.Grouped(int64(m.Vertices)), english.Count(m.Links, "link")); err != nil {
		return nil, err
	}
	for _, step := range []struct {
		metric Metric
		run    func(context.Context, topology.Graph, MeasureOptions) error
	}{
		{MetricHops, m.hops},
		{MetricBisection, m.bisection},
		{MetricThroughput, m.throughput},
		{MetricPaths, m.paths},
		{MetricAvailability, m.availability},
		{MetricFailures, m.failures},
	} {
		if !slices.Contains(opt.Metrics, step.metric) {
			continue
		}
		if step.metric != MetricHops && m.Links > opt.MaxLinks {
			m.NotMeasured = append(m.NotMeasured, fmt.Sprintf("%s: more than %d links", step.metric, opt.MaxLinks))
			continue
		}
		if err := step.run(ctx, g, opt); err != nil {
			return nil, err
		}
	}
	if m.BisectionUpper != nil && m.HopsMean != nil && *m.HopsMean > 0 && m.PortsPerRouter > 0 && m.Unreachable == 0 {
		ends := m.Vertices - m.Terminals
		if hopEnds(ctx, g) == Terminals {
			ends = m.Vertices - m.Switches
		}
		e := float64(*m.BisectionUpper) / float64(m.PortsPerRouter) / *m.HopsMean / float64(ends)
		m.Efficiency = &e
	}
	return m, nil
}

// Need is what measuring a graph takes at least: rows of its arcs, marks of the vertices, and a few walks over its
// links. Both were measured on random regular graphs of 2^15 to 2^22 vertices.
func Need(vertices, links int64) budget.Need {
	return budget.Need{Bytes: 64, Seconds: 50e-9}.Times(float64(vertices)).
		Plus(budget.Need{Bytes: 16, Seconds: 50e-9}.Times(float64(links)))
}

func (m *Metrics) count(g topology.Graph, w walk) {
	counts, degrees := topology.Count(w), RouterDegrees(w)
	m.SimplexLinks = counts.Simplex
	m.countKinds(g)
	m.countLevels(g, counts.ByLevel)
	m.DegreeMin, m.DegreeMax, m.DegreeMean = degrees.Min, degrees.Max, degrees.Mean
	m.PortsPerRouter = degrees.Ports
	if counts.Nodes > 0 {
		m.PortsPerNode = float64(degrees.Channels) / float64(counts.Nodes)
	}
	if f, ok := g.(topology.Formulas); ok {
		m.formulas(g, f.ClosedForms())
	} else {
		m.CostDegree = float64(degrees.Max)
	}
}

// countKinds counts the vertices by what they do.
func (m *Metrics) countKinds(g topology.Graph) {
	for _, k := range g.Kinds() {
		switch k.Role {
		case topology.Switch:
			m.Switches += k.Count
		case topology.Terminal:
			m.Terminals += k.Count
		}
	}
}

// countLevels adds the channels of the levels up.
func (m *Metrics) countLevels(g topology.Graph, channels []int64) {
	m.Levels = []LevelLinks{}
	for i, l := range g.Levels() {
		m.Levels = append(m.Levels, LevelLinks{l.Name, channels[i], capacityOf(&l)})
		m.Links += channels[i]
	}
}

// formulas sets BisectionFormula, its source and CostDegree from c. The degrees are set already.
func (m *Metrics) formulas(g topology.Graph, c topology.ClosedForms) {
	if c.Bisection >= 0 && !topology.HasCapacity(g) { // false for NaN; sources do not know capacities
		m.BisectionFormula, m.FormulaSource = &c.Bisection, c.BisectionSource
	}
	m.CostDegree = cmp.Or(c.CostDegree, float64(m.DegreeMax))
}

// hops measures distances, between the terminals as well where the others are between routers.
func (m *Metrics) hops(ctx context.Context, g topology.Graph, opt MeasureOptions) error {
	ends := hopEnds(ctx, g)
	h, err := Hops(ctx, g, ends, HopOptions{Seed: opt.Seed})
	if err != nil {
		return err
	}
	terminal := h
	if ends == Routers && m.Terminals > 0 {
		if terminal, err = Hops(ctx, g, Terminals, HopOptions{Seed: opt.Seed}); err != nil {
			return err
		}
	}
	exact := h.Exact && terminal.Exact
	m.HopsOver, m.Unreachable, m.Exact = h.Ends.String(), h.Unreachable, &exact
	m.Diameter, m.HopsMean, m.HopsMeanWithSelf = &h.Diameter, &h.Mean, &h.MeanWithSelf
	m.HopsStd, m.HopsHistogram = &h.Std, h.Histogram
	m.TerminalDiameter, m.TerminalHopsMean = &terminal.Diameter, &terminal.Mean
	if h.Unreachable == 0 {
		cost := m.CostDegree * float64(h.Diameter)
		m.NetworkCost = &cost
	}
	if !h.Exact {
		m.HopsMeanSE, m.HopsSources = &h.StdErr, h.Sources
	}
	if ends == Routers && m.SimplexLinks == 0 && h.Unreachable == 0 {
		m.bounds(h.Diameter)
	}
	return nil
}

// bounds sets the bounds of Moore, of the mean hops and the largest known graph, for a network whose diameter is
// between routers. DegreeMax is set already.
func (m *Metrics) bounds(diameter int) {
	routers := m.Vertices - m.Terminals
	bound := MeanHopsBound(routers, m.DegreeMax)
	m.HopsMeanBound = &bound
	if moore := MooreBound(m.DegreeMax, diameter); moore < math.MaxInt64 {
		gap := 1 - float64(routers)/float64(moore)
		m.MooreBound, m.MooreGap = &moore, &gap
	}
	if known := LargestKnown(m.DegreeMax, diameter); known > 0 {
		gap := 1 - float64(routers)/float64(known)
		m.LargestKnown, m.LargestKnownGap = &known, &gap
	}
}

func (m *Metrics) bisection(ctx context.Context, g topology.Graph, opt MeasureOptions) error {
	ends := hopEnds(ctx, g)
	b, err := Bisect(ctx, g, ends, BisectionOptions{Seed: opt.Seed})
	if err != nil {
		return err
	}
	m.halves = b
	m.BisectionLower, m.BisectionUpper = &b.Lower, &b.Upper
	m.BisectionMethod = fmt.Sprintf("%s halved; lower bound: %s; upper bound: %s", ends, b.LowerMethod, b.UpperMethod)
	return nil
}

// throughput sets the bounds of throughput, with the halves of the bisection if it was measured. A graph for which
// there are no bounds is not an error: it is named in NotMeasured.
func (m *Metrics) throughput(ctx context.Context, g topology.Graph, _ MeasureOptions) error {
	b, err := Throughput(ctx, g, m.halves)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		m.NotMeasured = append(m.NotMeasured, fmt.Sprintf("%s: %v", MetricThroughput, err))
		return nil
	}
	finite := func(share float64) *float64 {
		if math.IsInf(share, 0) {
			return nil
		}
		return &share
	}
	m.ThroughputUniform, m.ThroughputWorst = finite(b.Uniform), finite(b.Worst)
	if m.ThroughputWorst != nil {
		m.ThroughputMethod = b.WorstMethod
	}
	return nil
}

func (m *Metrics) paths(ctx context.Context, g topology.Graph, opt MeasureOptions) error {
	var err error
	m.Paths, err = MeasurePaths(ctx, g, PathOptions{Seed: opt.Seed})
	return err
}

func (m *Metrics) availability(ctx context.Context, g topology.Graph, opt MeasureOptions) error {
	var err error
	m.Availability, err = MeasureAvailability(ctx, g, AvailabilityOptions{Seed: opt.Seed})
	return err
}

func (m *Metrics) failures(ctx context.Context, g topology.Graph, opt MeasureOptions) error {
	if opt.Failed == nil {
		opt.Failed = DefaultFailed()
	}
	if opt.Draws == 0 {
		opt.Draws = 5
	}
	for i, f := range opt.Failed {
		rng := rand.New(rand.NewPCG(opt.Seed, uint64(i)))
		s, err := UnderFailures(ctx, g, hopEnds(ctx, g), f.Links, f.Routers, opt.Draws, rng)
		if err != nil {
			return err
		}
		m.Failures = append(m.Failures, FailureRow{f, *s})
	}
	return nil
}
