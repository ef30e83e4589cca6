package delay

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/plenum-planner/plenum/internal/parallel"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Defaults of Options.Limit and Options.Sources.
const (
	DefaultLimit   = 65536
	DefaultSources = 512
)

// ModestWork is an Options.Work that takes about two seconds of processor time on one core.
const ModestWork = 1 << 28

// Options of Paths.
type Options struct {
	// Limit is the highest number of vertices with which all sources are searched from; zero stands for DefaultLimit.
	// In larger graphs, only a sample of the sources is, but see Work.
	Limit int
	// Work is the number of steps up to which all sources are searched from in larger graphs too. A step is an arc
	// followed from one source, or from all sources of a tree that are searched at the same time; or half of a pair in
	// a torus or mesh that is measured row by row; or four additions to the bins of delays. Sources that are equivalent
	// by symmetry count once.
	Work uint64
	// Sources is the size of the sample; zero stands for DefaultSources.
	Sources int
	// First is the number of sources of the sample that are searched from first; zero for all. The others are omitted
	// if the relative standard error of the mean of the least delays is at most Within after these.
	First  int
	Within float64
	// Seed is the seed of the random choice of the sample.
	Seed uint64
	// Progress, if not nil, receives the number of searches done and of all searches, one call at a time.
	Progress func(done, total int)
}

// sameSample reports whether both options choose the same sample of sources.
func (o *Options) sameSample(p *Options) bool {
	return o.Sources == p.Sources && o.First == p.First && o.Within == p.Within && o.Seed == p.Seed
}

// Result is the result of Paths. Every figure is over ordered pairs of a source and another injecting vertex. Where
// Exact is false, the sources are a sample: means then have standard errors (0 otherwise), and maxima are lower bounds.
type Result struct {
	Exact       bool
	Injectors   int   // number of nodes and terminals
	Sources     int   // number of these that were searched from
	Pairs       int64 // pairs with a path
	Unreachable int64 // pairs without a path

	HopsMean   float64
	HopsStdErr float64
	HopsMax    int

	// Length of the fastest hop-minimal path.
	PathMean units.Length
	PathMax  units.Length

	// Lowest delay of a pair's hop-minimal paths.
	LeastMean   units.Time
	LeastStdErr units.Time
	LeastMax    units.Time

	// Mean delay of a pair's hop-minimal paths.
	AverageMean   units.Time
	AverageStdErr units.Time
	AverageMax    units.Time

	// Delay and length of the fastest path of a pair, with any number of hops, and the number of pairs (Detours) for
	// which it is faster than all hop-minimal paths.
	FastestMean     units.Time
	FastestStdErr   units.Time
	FastestMax      units.Time
	FastestPathMean units.Length
	FastestPathMax  units.Length
	Detours         int64

	// Percentiles of the lowest delay of hop-minimal paths, at most Resolution above the true ones.
	P50        units.Time
	P90        units.Time
	P99        units.Time
	Resolution units.Time

	Histogram Histogram
}

// Paths measures the shortest paths of g between all injecting vertices; c is the adjacency of g. The error is that of
// the context, or says that adjacency, model, links or options do not fit, or that paths are too long for the sums.
func Paths(ctx context.Context, g topology.Graph, c *topology.CSR, m Model, l Links, opt Options) (*Result, error) {
	n, err := compile(g, c, m, l, false)
	if err != nil {
		return nil, err
	}
	return n.paths(ctx, g, c.Vertices(), opt, nil)
}

// PathsAndStretch returns the results of Paths and MeasureStretch, each with its options. It saves time where both
// prepare the same network, or search from the same sample.
func PathsAndStretch(ctx context.Context, g topology.Graph, c *topology.CSR, m Model, l Links,
	at func(v int) [3]units.Length, paths, stretch Options,
) (*Result, *Stretch, error) {
	n, err := compile(g, c, m, l, false)
	if err != nil {
		return nil, nil, err
	}
	taken := n.vertices() < c.Vertices() // terminals were removed from the network
	same := paths.sameSample(&stretch) && c.Vertices() > cmp.Or(stretch.Limit, DefaultLimit)
	var both []*stretching
	r, err := n.paths(ctx, g, c.Vertices(), paths, func(l *lattice, sources int) *stretching {
		switch {
		case taken || !same:
			return nil
		case len(both) == 0:
			both = append(both, n.newStretching(l, at, sources))
		default:
			both = append(both, both[0].from(sources))
		}
		return both[len(both)-1]
	})
	if err != nil {
		return nil, nil, err
	}
	if len(both) > 0 {
		return r, sumStretch(both), nil
	}
	if taken {
		if n, err = compile(g, c, m, l, true); err != nil {
			return nil, nil, err
		}
	}
	enough := same && !r.Exact && r.Sources == paths.First
	s, err := n.measureStretch(ctx, g, c.Vertices(), at, stretch, enough)
	return r, s, err
}

// compile checks a graph, a model and links, and returns their network.
func compile(g topology.Graph, c *topology.CSR, m Model, l Links, keep bool) (*network, error) {
	if err := check(g, c, m, l); err != nil {
		return nil, err
	}
	return newNetwork(g.Kinds(), c, m, l, keep)
}

// method is an algorithm that measures the paths from many sources.
type method interface {
	// worker returns a function that measures groups of sources and adds the results to a tally.
	worker(t *tally) func([]group)
	// arrange sorts the groups and, if all vertices are to be searched from, keeps one of each set of groups that are
	// equivalent by symmetry.
	arrange(groups []group, all bool) []group
	// work returns the work of measuring one group, in the unit of Options.Work.
	work(n *network) uint64
	// abreast returns how many groups a worker is given at a time.
	abreast() int
}

// shortRow is the length of rows below which measuring a lattice row by row is not faster than searching.
const shortRow = 8

// methodFor returns the fastest method for the network of a graph.
func (n *network) methodFor(g topology.Graph) method {
	if n.tree = newTree(n); n.tree != nil {
		return n.tree
	}
	if l := n.rows(g); l != nil {
		return l
	}
	if o := newOrbit(n, sidesOf(g)); o != nil {
		return o
	}
	return bySource{newCover(n)}
}

// sidesOf returns the sides of the grid whose points are the vertices of a graph in order, nil for none.
func sidesOf(g topology.Graph) []int {
	switch g := g.(type) {
	case topology.Lattice:
		return g.Dims()
	case topology.GridOrdered:
		return g.GridSides()
	}
	return nil
}

// rows returns the network as a lattice that can be measured row by row, nil if it cannot.
func (n *network) rows(g topology.Graph) *lattice {
	sides := sidesOf(g)
	if len(sides) == 0 || sides[0] < shortRow {
		return nil
	}
	if !n.looked { // both Paths and MeasureStretch need it
		n.lattice, n.looked = newLattice(n, sides), true
	}
	return n.lattice
}

// bySource is the method that searches from one vertex at a time.
type bySource struct {
	cover *cover // nil for none
}

func (b bySource) worker(t *tally) func([]group) { return newSearcher(t, b.cover).run }

func (bySource) arrange(groups []group, _ bool) []group { return groups }

func (bySource) abreast() int { return lanes }

// trials is the highest number of blocks of sources that bySource.work measures.
const trials = 8

// work estimates the work of a source by measuring a few blocks of sources, evenly spaced: the maximum of the arcs
// followed (see searcher.steps), two steps for every vertex with ends, and the mean work of counting pairs of ends.
func (b bySource) work(n *network) uint64 {
	t := &tally{net: n, sources: n.everyEnd(), shift: n.binShift()}
	groups := n.groupUp(t.sources)
	if len(groups) == 0 {
		return 0
	}
	t.count()
	defer t.release()
	s := newSearcher(t, b.cover)
	size := 1
	if s.searchesSeveral() {
		size = lanes
	}
	most, measured := uint64(0), 0
	blocks := min(trials, (len(groups)+size-1)/size)
	for i := range blocks {
		at := i * len(groups) / blocks
		some := groups[at:min(at+size, len(groups))]
		before := s.steps()
		s.run(some)
		most = max(most, (s.steps()-before)/uint64(len(some)))
		measured += len(some)
	}
	t.completeBins()
	return most + uint64(2*len(groups)) + t.ends.steps()/uint64(measured)
}

// check returns an error if the adjacency, the model or the links do not fit the graph.
func check(g topology.Graph, c *topology.CSR, m Model, l Links) error {
	kinds := g.Kinds()
	if v := topology.Vertices(g); v != c.Vertices() {
		return fmt.Errorf("delay: graph of %d vertices with an adjacency of %d", v, c.Vertices())
	}
	if len(c.To) != 2*len(l.length) {
		return fmt.Errorf("delay: %d links and %d lengths", len(c.To)/2, len(l.length))
	}
	return m.check(kinds, l)
}

// paths measures all pairs by the factors of a product where possible, else by searches. If it searches from a sample,
// along arcs or row by row in a lattice (l, else nil), it calls also, unless that is nil, with the number of sources;
// the stretching that also returns, unless nil, then measures the stretch in the same searches.
func (n *network) paths(ctx context.Context, g topology.Graph, vertices int, opt Options,
	also func(l *lattice, sources int) *stretching,
) (*Result, error) {
	if opt.Limit >= 0 && opt.Sources >= 0 {
		p := newProduct(n, sidesOf(g))
		if p != nil && (vertices <= cmp.Or(opt.Limit, DefaultLimit) || p.work() <= opt.Work) {
			r, ok, err := p.measure(ctx, n, opt.Progress)
			if ok || err != nil {
				return r, err
			}
		}
	}
	by := method(nil)
	if n.mustSample(vertices, opt) {
		by = bySource{newCover(n)} // the method of samples, without looking for a tree
	} else {
		by = n.methodFor(g)
	}
	return n.measure(ctx, vertices, by, opt, also)
}

// mustSample reports whether measuring all pairs takes more work than the options allow by any method: every pair of
// vertices with ends takes a step at least. It returns false for plain networks, in which symmetry may save work.
func (n *network) mustSample(vertices int, opt Options) bool {
	if n.plain || vertices <= cmp.Or(opt.Limit, DefaultLimit) || len(n.ends) <= cmp.Or(opt.Sources, DefaultSources) {
		return false
	}
	groups := uint64(len(n.groupUp(n.everyEnd())))
	return groups*groups > opt.Work
}

// measure searches from all ends, or from a sample if the graph has more vertices than Options.Limit and
// takes more than Options.Work.
func (n *network) measure(ctx context.Context, vertices int, by method, opt Options,
	also func(l *lattice, sources int) *stretching,
) (*Result, error) {
	groups := by.arrange(n.groupUp(n.everyEnd()), true)
	if vertices > cmp.Or(opt.Limit, DefaultLimit) && opt.Work > 0 && !n.mustSample(vertices, opt) &&
		uint64(len(groups))*by.work(n) <= opt.Work {
		opt.Limit = vertices
	}
	sources, err := n.choose(vertices, opt)
	if err != nil {
		return nil, err
	}
	if len(sources) < len(n.ends) {
		return n.measureSample(ctx, by, sources, opt, also)
	}
	t, err := n.searchAll(ctx, sources, groups, by.abreast(), nil, opt.Progress, countingWorker(by.worker))
	defer t.release()
	if err != nil {
		return nil, err
	}
	return t.result(), nil
}

// countingWorker wraps a method's worker so that its tally counts delays in bins.
func countingWorker(worker func(*tally) func([]group)) func(*tally) func([]group) {
	return func(t *tally) func([]group) {
		t.count()
		return worker(t)
	}
}

// measureSample searches from a sample of the ends.
func (n *network) measureSample(ctx context.Context, by method, sources []int32, opt Options,
	also func(l *lattice, sources int) *stretching,
) (*Result, error) {
	if _, ok := by.(*tree); ok { // a tree is measured part by part, and the sample has few sources in each
		by = bySource{}
	}
	search := func(sources []int32, before, others int) (*tally, error) {
		var progress func(done, total int)
		if opt.Progress != nil {
			progress = func(done, total int) { opt.Progress(before+done, before+total+others) }
		}
		worker := by.worker
		if also != nil {
			worker = withStretch(by, len(sources), also)
		}
		groups := by.arrange(n.groupUp(sources), false)
		return n.searchAll(ctx, sources, groups, by.abreast(), make([]sums, len(sources)), progress,
			countingWorker(worker))
	}
	first, others := split(sources, opt)
	t, err := search(first, 0, len(others))
	defer t.release()
	if err != nil {
		return nil, err
	}
	r := t.result()
	if len(others) == 0 || r.Pairs > 0 && float64(r.LeastStdErr) <= opt.Within*float64(r.LeastMean) {
		return r, nil
	}
	u, err := search(others, len(first), 0)
	defer u.release()
	if err != nil {
		return nil, err
	}
	t.merge(u)
	t.samples = inOrder(sources, first, t.samples, u.samples)
	t.sources = sources
	return t.result(), nil
}

// choose returns the ends to search from: all of them, or a sample.
func (n *network) choose(vertices int, opt Options) ([]int32, error) {
	if opt.Limit == 0 {
		opt.Limit = DefaultLimit
	}
	if opt.Sources == 0 {
		opt.Sources = DefaultSources
	}
	if opt.Limit < 0 || opt.Sources < 0 {
		return nil, fmt.Errorf("delay: limit %d, %d sources", opt.Limit, opt.Sources)
	}
	count := len(n.ends)
	if vertices > opt.Limit {
		count = min(count, opt.Sources)
	}
	return sample(len(n.ends), count, opt.Seed), nil
}

// split divides a sample at random into the Options.First sources that are searched from first and the others.
func split(sources []int32, opt Options) (first, others []int32) {
	if opt.First <= 0 || opt.First >= len(sources) {
		return sources, nil
	}
	all := slices.Clone(sources)
	rng := rand.New(rand.NewPCG(opt.Seed, 1))
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	first, others = all[:opt.First:opt.First], all[opt.First:]
	slices.Sort(first)
	slices.Sort(others)
	return first, others
}

// inOrder merges the sums of the first and the other sources in the order of sources, so that the result does not
// depend on the division.
func inOrder(sources, first []int32, ofFirst, ofOthers []sums) []sums {
	out := make([]sums, 0, len(sources))
	for _, source := range sources {
		of := &ofOthers
		if len(first) > 0 && first[0] == source {
			of, first = &ofFirst, first[1:]
		}
		out = append(out, (*of)[0])
		*of = (*of)[1:]
	}
	return out
}

// everyEnd returns the indices of all ends.
func (n *network) everyEnd() []int32 { return sample(len(n.ends), len(n.ends), 0) }

// sample draws k of the numbers below n without replacement (R. W. Floyd's algorithm, Comm. ACM
// 30(9), 1987, doi:10.1145/30401.315746), and returns them in rising order.
func sample(n, k int, seed uint64) []int32 {
	out := make([]int32, 0, k)
	if k == n {
		for i := range n {
			out = append(out, int32(i))
		}
		return out
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	drawn := make(map[int32]bool, k)
	for top := n - k; top < n; top++ {
		i := int32(rng.IntN(top + 1))
		if drawn[i] {
			i = int32(top)
		}
		drawn[i] = true
		out = append(out, i)
	}
	slices.Sort(out)
	return out
}

// groupUp divides sources, which are indices of ends in rising order, into groups by their vertex.
func (n *network) groupUp(sources []int32) []group {
	groups := make([]group, 0, min(len(sources), n.vertices()))
	i := 0
	for v := range n.vertices() {
		from := i
		for i < len(sources) && sources[i] < n.endsOf[v+1] {
			i++
		}
		if i > from {
			groups = append(groups, group{uint32(v), from, i, 1})
		}
	}
	return groups
}

// searchAll measures groups, in blocks of abreast groups, on all cores, and returns the merged tally. worker returns
// the function by which one core measures blocks for its tally. samples, if not nil, receives the sums of each source.
func (n *network) searchAll(ctx context.Context, sources []int32, groups []group, abreast int, samples []sums,
	progress func(done, total int), worker func(*tally) func([]group),
) (*tally, error) {
	shift := n.binShift()
	blocks := (len(groups) + abreast - 1) / abreast
	tallies := make([]*tally, max(1, parallel.Cores(blocks)))
	searches := make([]func([]group), len(tallies))
	for i := range tallies {
		tallies[i] = &tally{net: n, sources: sources, samples: samples, shift: shift}
		searches[i] = worker(tallies[i])
	}
	var lock sync.Mutex
	done := 0
	err := parallel.With(ctx, searches, blocks, func(_ context.Context, search func([]group), b int) error {
		block := groups[b*abreast : min((b+1)*abreast, len(groups))]
		search(block)
		if progress != nil {
			lock.Lock()
			defer lock.Unlock()
			done += len(block)
			progress(done, len(groups))
		}
		return nil
	})
	tallies[0].completeBins()
	for _, t := range tallies[1:] {
		t.completeBins()
		tallies[0].merge(t)
		t.release()
	}
	return tallies[0], err
}

// result returns the figures of a tally.
func (t *tally) result() *Result {
	n := t.net
	count, injectors := len(t.sources), len(n.ends)
	fine := n.ns(math.Ldexp(1, int(t.shift)))
	r := &Result{
		Exact:       count == injectors,
		Injectors:   injectors,
		Sources:     count,
		Pairs:       int64(t.pairs),
		Unreachable: int64(count)*int64(injectors-min(injectors, 1)) - int64(t.pairs),
		HopsMax:     int(t.peaks.hops),
		PathMax:     units.Length(float64(t.peaks.length) / perMetre),
		LeastMax:    units.Time(n.ns(float64(t.peaks.least))),
		AverageMax:  units.Time(n.ns(float64(t.peaks.mean))),
		FastestMax:  units.Time(n.ns(float64(t.peaks.fast))),
		Detours:     int64(t.detours),

		FastestPathMax: units.Length(float64(t.peaks.reach) / perMetre),

		Resolution: units.Time(fine),
		Histogram:  coarsen(t.bins, fine, n.ns(float64(t.peaks.least))),
	}
	if t.pairs == 0 {
		return r
	}
	pairs := float64(t.pairs)
	r.HopsMean = t.hops.float() / pairs
	r.PathMean = units.Length(t.length.float() / perMetre / pairs)
	r.LeastMean = units.Time(n.ns(t.least.float() / pairs))
	r.AverageMean = units.Time(n.ns(t.mean.float() / pairs))
	r.FastestMean = units.Time(n.ns(t.fast.float() / pairs))
	r.FastestPathMean = units.Length(t.reach.float() / perMetre / pairs)
	at := func(p float64) units.Time {
		return min(units.Time(percentile(t.bins, fine, t.pairs, p)), r.LeastMax)
	}
	r.P50, r.P90, r.P99 = at(0.5), at(0.9), at(0.99)
	if t.samples != nil {
		r.HopsStdErr = t.stdErr(r.HopsMean, func(s sums) uint64 { return s.hops })
		r.LeastStdErr = units.Time(n.ns(t.stdErr(t.least.float()/pairs, func(s sums) uint64 { return s.least })))
		r.FastestStdErr = units.Time(n.ns(t.stdErr(t.fast.float()/pairs, func(s sums) uint64 { return s.fast })))
		r.AverageStdErr = units.Time(n.ns(t.stdErr(t.mean.float()/pairs, func(s sums) uint64 { return s.mean })))
	}
	return r
}

// stdErr returns the standard error of a mean over pairs whose sources are a sample without replacement. It is that of
// the ratio estimator, because sources may reach different numbers of targets (W. G. Cochran, Sampling Techniques, 3rd
// ed., 1977, section 6.4).
func (t *tally) stdErr(mean float64, of func(sums) uint64) float64 {
	k := float64(len(t.samples))
	if k < 2 {
		return 0
	}
	var squares float64
	for _, s := range t.samples {
		residual := float64(of(s)) - float64(mean*float64(s.pairs))
		squares += float64(residual * residual)
	}
	unsampled := 1 - k/float64(len(t.net.ends))
	return math.Sqrt(unsampled*squares/(k-1)/k) / (float64(t.pairs) / k)
}

// Least returns LeastMean with the delays of an override, and its part that cables cause. hop is the model's hop delay,
// which must be the same for all routers. If the override has a propagation delay, the part of the cables is that delay
// over PathMean, without ends.
func (d *Result) Least(hop units.Time, o Override) (wire, all units.Time) {
	routers := units.Time(topology.TraversedRouters(d.HopsMean, topology.Node, topology.Node))
	wire = d.LeastMean - routers*hop
	if o.Propagation != nil {
		wire = o.Propagation.Over(d.PathMean)
	}
	if o.Hop != nil {
		hop = *o.Hop
	}
	return wire, wire + routers*hop
}
