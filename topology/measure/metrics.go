package measure

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/plenum-planner/plenum/topology"
)

// Metric names a group of figures that takes time to work out.
type Metric string

// The metrics.
const (
	MetricHops         Metric = "hops"         // distances and what follows from them
	MetricBisection    Metric = "bisection"    // the bracket of the bisection
	MetricPaths        Metric = "paths"        // path diversity
	MetricAvailability Metric = "availability" // detours round a failed link or router
	MetricFailures     Metric = "failures"     // distances with random failures
)

// AllMetrics lists the metrics in the order in which they are reported.
func AllMetrics() []Metric {
	return []Metric{MetricHops, MetricBisection, MetricPaths, MetricAvailability, MetricFailures}
}

// MeasureOptions says what to measure. The zero value measures nothing but
// counts.
type MeasureOptions struct {
	Metrics []Metric
	Seed    uint64 // of whatever is drawn
	// Failed lists the shares of failed links and routers for MetricFailures;
	// nil means DefaultFailed. Draws is the number of times that each is drawn,
	// zero means 5.
	Failed []Failure
	Draws  int
	// MaxLinks is the most links of a graph that is measured in ways which need
	// all its links in memory: bisection, paths, availability and failures. Zero
	// means 2^24.
	MaxLinks int64
}

// Failure is a share of the links and a share of the routers, from 0 to 1, that
// fail at random.
type Failure struct {
	Links   float64 `json:"links_failed"`
	Routers float64 `json:"routers_failed"`
}

// DefaultFailed is what Measure lets fail when nothing is asked for.
func DefaultFailed() []Failure {
	return []Failure{{Links: .01}, {Links: .05}, {Links: .1}, {Routers: .01}, {Routers: .05}, {Routers: .1}}
}

// Metrics is what Measure finds. A figure that was not worked out, or that does
// not exist, is nil. Distances are over the ends that the literature uses (see
// HopEnds); those named Terminal always from terminal to terminal.
type Metrics struct {
	Family       string       `json:"family"`
	Vertices     int          `json:"vertices"`
	Switches     int          `json:"switches"`
	Terminals    int          `json:"terminals"`
	Links        int64        `json:"links"`         // channels
	SimplexLinks int64        `json:"simplex_links"` // those of Links that carry one way only
	Levels       []LevelLinks `json:"levels"`
	DegreeMin    int          `json:"degree_min"` // links of a router to other routers
	DegreeMax    int          `json:"degree_max"`
	DegreeMean   float64      `json:"degree_mean"`

	Diameter         *int     `json:"diameter"`
	HopsMean         *float64 `json:"hops_mean"`
	HopsMeanWithSelf *float64 `json:"hops_mean_with_self"`
	HopsStd          *float64 `json:"hops_std"` // population deviation, with self pairs
	HopsHistogram    []uint64 `json:"hops_histogram"`

	BisectionFormula *float64 `json:"bisection_formula"`
	FormulaSource    string   `json:"bisection_formula_source,omitempty"`
	BisectionLower   *int64   `json:"bisection_lower"`
	BisectionUpper   *int64   `json:"bisection_upper"`
	BisectionMethod  string   `json:"bisection_method"`

	// NetworkCost is degree times diameter, CostDegree the degree that enters:
	// the greatest, or that which the family's source uses.
	NetworkCost *float64 `json:"network_cost"`
	CostDegree  float64  `json:"network_cost_degree"`
	// PortsPerRouter is the ports that the router with the most uses, those to
	// terminals with them; PortsPerNode the ports of all routers by the number
	// of vertices that inject.
	PortsPerRouter int     `json:"ports_per_router"`
	PortsPerNode   float64 `json:"ports_per_node"`

	// MooreBound is the most routers that a graph of this degree and diameter
	// can have, MooreGap the share of them which this one lacks. HopsMeanBound
	// is the least mean distance of a graph of so many routers and this degree
	// (V. G. Cerf, D. D. Cowan, R. C. Mullin and R. G. Stanton, "A lower bound
	// on the average shortest path length in regular graphs", Networks 4, 1974).
	MooreBound    *int64   `json:"moore_bound"`
	MooreGap      *float64 `json:"moore_gap"`
	HopsMeanBound *float64 `json:"hops_mean_bound"`

	// Efficiency is the smallest bisection found by ports per router, mean
	// distance and number of ends that are halved: the figure of merit of S. Li,
	// P.-C. Huang and B. Jacob, MEMSYS 2016, section 3.2, scaled by size.
	Efficiency *float64 `json:"bisection_per_port_hop_node"`

	Exact            *bool    `json:"exact"`
	TerminalDiameter *int     `json:"terminal_diameter"`
	TerminalHopsMean *float64 `json:"terminal_hops_mean"`

	HopsOver    string   `json:"hops_over,omitempty"` // "routers" or "terminals"
	Unreachable uint64   `json:"unreachable_pairs,omitempty"`
	HopsMeanSE  *float64 `json:"hops_mean_stderr,omitempty"` // where sources were drawn
	HopsSources int      `json:"hops_sources,omitempty"`     // how many were drawn

	Paths        *PathDiversity `json:"path_diversity,omitempty"`
	Availability *Availability  `json:"availability,omitempty"`
	Failures     []FailureRow   `json:"failures,omitempty"`

	// NotMeasured names the metrics that were asked for and left out, with the
	// reason.
	NotMeasured []string `json:"not_measured,omitempty"`
}

// LevelLinks is the number of channels of a level.
type LevelLinks struct {
	Level string `json:"level"`
	Links int64  `json:"links"`
}

// FailureRow is what is left when a share of a graph fails.
type FailureRow struct {
	Failure
	FailureStats
}

// Measure works out the figures of g. The error is that of ctx.
func Measure(ctx context.Context, g topology.Graph, opt MeasureOptions) (*Metrics, error) {
	m := &Metrics{Family: g.Family(), Vertices: topology.Vertices(g)}
	m.count(g)
	if opt.MaxLinks == 0 {
		opt.MaxLinks = 1 << 24
	}
	for _, step := range []struct {
		metric Metric
		run    func(context.Context, topology.Graph, MeasureOptions) error
	}{
		{MetricHops, m.hops},
		{MetricBisection, m.bisection},
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
	if m.BisectionUpper != nil && m.HopsMean != nil && *m.HopsMean > 0 && m.PortsPerRouter > 0 {
		ends := m.Vertices - m.Terminals
		if HopEnds(g) == Terminals {
			ends = m.Vertices - m.Switches
		}
		e := float64(*m.BisectionUpper) / float64(m.PortsPerRouter) / *m.HopsMean / float64(ends)
		m.Efficiency = &e
	}
	return m, nil
}

func (m *Metrics) count(g topology.Graph) {
	census, degrees := topology.Count(g), RouterDegrees(g)
	m.Switches, m.Links, m.SimplexLinks = census.Switches, census.Links, census.Simplex
	m.Terminals = m.Vertices - m.Switches
	for _, k := range g.Kinds() {
		if k.Role == topology.Node {
			m.Terminals -= k.Count
		}
	}
	m.Levels = []LevelLinks{}
	for i, l := range g.Levels() {
		m.Levels = append(m.Levels, LevelLinks{l.Name, census.ByLevel[i]})
	}
	m.DegreeMin, m.DegreeMax, m.DegreeMean = degrees.Min, degrees.Max, degrees.Mean
	m.PortsPerRouter = degrees.Ports
	if census.Nodes > 0 {
		m.PortsPerNode = float64(degrees.Channels) / float64(census.Nodes)
	}
	m.CostDegree = float64(degrees.Max)
	f, ok := g.(topology.Formulas)
	if !ok {
		return
	}
	c := f.ClosedForms()
	if c.Bisection >= 0 { // false for NaN
		m.BisectionFormula, m.FormulaSource = &c.Bisection, c.BisectionSource
	}
	if c.CostDegree > 0 {
		m.CostDegree = c.CostDegree
	}
}

func (m *Metrics) hops(ctx context.Context, g topology.Graph, opt MeasureOptions) error {
	ends := HopEnds(g)
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
	cost := m.CostDegree * float64(h.Diameter)
	m.NetworkCost = &cost
	if !h.Exact {
		m.HopsMeanSE, m.HopsSources = &h.StdErr, h.Sources
	}
	if ends == Routers && m.SimplexLinks == 0 && h.Unreachable == 0 {
		routers := m.Vertices - m.Terminals
		bound := MeanHopsBound(routers, m.DegreeMax)
		m.HopsMeanBound = &bound
		if moore := MooreBound(m.DegreeMax, h.Diameter); moore < math.MaxInt64 {
			gap := 1 - float64(routers)/float64(moore)
			m.MooreBound, m.MooreGap = &moore, &gap
		}
	}
	return nil
}

func (m *Metrics) bisection(ctx context.Context, g topology.Graph, opt MeasureOptions) error {
	ends := HopEnds(g)
	b, err := Bisect(ctx, g, ends, BisectionOptions{Seed: opt.Seed})
	if err != nil {
		return err
	}
	m.BisectionLower, m.BisectionUpper = &b.Lower, &b.Upper
	m.BisectionMethod = fmt.Sprintf("%s halved; lower bound: %s; upper bound: %s", ends, b.LowerMethod, b.UpperMethod)
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
		s, err := UnderFailures(ctx, g, HopEnds(g), f.Links, f.Routers, opt.Draws, rng)
		if err != nil {
			return err
		}
		m.Failures = append(m.Failures, FailureRow{f, *s})
	}
	return nil
}
