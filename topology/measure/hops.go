package measure

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/plenum-planner/plenum/topology"
)

// Ends says between which vertices hops are counted.
type Ends uint8

const (
	// Routers are the vertices that forward: nodes and switches.
	Routers Ends = iota
	// Terminals are the vertices that inject: terminals, and nodes that
	// forward as well. A path from terminal to terminal counts both terminal
	// links, and no path leads through a terminal.
	Terminals
)

// String names the ends, as in reports.
func (e Ends) String() string { return [...]string{"routers", "terminals"}[e] }

// HopEnds returns the ends between which the literature counts the hops of a
// graph like g: Routers of a direct network, Terminals of a tree. These are
// Terminals if the graph says that its minimal paths turn once (topology.UpDown),
// if a switch has no vertex of role Terminal, or if no two vertices that forward
// are linked; and Routers otherwise, also if there are no switches or no vertices
// that inject.
func HopEnds(g topology.Graph) Ends { return hopEnds(context.Background(), g) }

// hopEnds is HopEnds; when ctx is done the result is meaningless.
func hopEnds(ctx context.Context, g topology.Graph) Ends {
	if tree, ok := g.(topology.UpDown); ok && tree.TurnsOnce() {
		return Terminals
	}
	kinds := g.Kinds()
	switches, injectors := 0, 0
	for _, k := range kinds {
		if k.Role == topology.Switch {
			switches += k.Count
			continue
		}
		injectors += k.Count
	}
	if switches == 0 || injectors == 0 {
		return Routers
	}
	role := roles(g)
	carries := make([]bool, len(role))
	linked := false
	for l := range (walk{g, ctx}).Links() {
		linked = linked || role[l.A] != topology.Terminal && role[l.B] != topology.Terminal
		for _, x := range [][2]int32{{l.A, l.B}, {l.B, l.A}} {
			if v := x[0]; role[v] == topology.Switch && role[x[1]] == topology.Terminal && !carries[v] {
				carries[v] = true
				switches--
			}
		}
	}
	if switches > 0 || !linked {
		return Terminals
	}
	return Routers
}

// HopStats is the distribution of hop distances over all ordered pairs of
// ends. Means and deviation are over the pairs that have a path.
type HopStats struct {
	Ends  Ends
	Count int // number of ends
	// Histogram[h] is the number of ordered pairs that are h hops apart; entry
	// 0 is the pairs of an end with itself.
	Histogram    []uint64
	Unreachable  uint64 // ordered pairs without a path
	Diameter     int    // the longest distance; without pairs 0
	Mean         float64
	MeanWithSelf float64 // counting the pairs of an end with itself, at distance 0
	Std          float64 // population standard deviation, with self pairs

	// Exact is false if the figures are estimated from sources drawn at
	// random. The histogram then counts the pairs that begin at a drawn source,
	// the diameter is a lower bound, and StdErr the standard error of Mean.
	Exact   bool
	Sources int // searches made; 0 if the figures are from a closed form
	StdErr  float64
}

// HopOptions says how to measure.
type HopOptions struct {
	// MaxSources is the most sources that are searched one and all; of more,
	// SampleSize are drawn. Zero means 2^20. Symmetry lessens the sources.
	MaxSources int
	// SampleSize is the number of sources drawn; zero means 64.
	SampleSize int
	// Seed selects the sources drawn.
	Seed uint64
}

// Hops measures the distances between the ends of g exactly, up to the limits
// of opt: by searches from all ends, from one of each orbit where g is Symmetric,
// or by the closed form of a graph with HopCounts. The result is the same for any number of cores. The error is
// that of ctx.
//
// Searches for 512 sources run together, bit by bit (M. Then et al., "The more
// the merrier: efficient multi-source graph traversal", PVLDB 8 (4), 2014,
// doi:10.14778/2735496.2735507), so that memory is about 150 bytes per vertex
// and core, 300 in graphs of large diameter, besides the arcs.
func Hops(ctx context.Context, g topology.Graph, ends Ends, opt HopOptions) (*HopStats, error) {
	if s := closedHops(g, ends); s != nil {
		return s, nil
	}
	n, err := newHopNet(ctx, g, ends)
	if err != nil {
		return nil, err
	}
	if opt.MaxSources == 0 {
		opt.MaxSources = 1 << 20
	}
	if opt.SampleSize == 0 {
		opt.SampleSize = 64
	}
	if len(n.sources) > opt.MaxSources && opt.SampleSize < len(n.sources) {
		return n.sample(ctx, opt)
	}
	found, err := n.search(ctx)
	if err != nil {
		return nil, err
	}
	s := &HopStats{Ends: n.ends, Count: int(n.members), Exact: true, Sources: len(n.sources)}
	s.Histogram = n.histogram(found, n.members, n.twins)
	s.summarize(n.members)
	return s, nil
}

// closedHops returns the distances of a graph that states them (topology.HopCounts);
// nil for other graphs, and for Terminals unless all vertices are of role Node.
func closedHops(g topology.Graph, ends Ends) *HopStats {
	counts, ok := g.(topology.HopCounts)
	if !ok {
		return nil
	}
	for _, k := range g.Kinds() {
		if ends == Terminals && k.Role != topology.Node {
			return nil
		}
	}
	histogram := counts.HopCounts()
	if histogram == nil {
		return nil
	}
	routers := 0
	for _, k := range g.Kinds() {
		if k.Role != topology.Terminal {
			routers += k.Count
		}
	}
	s := &HopStats{Ends: ends, Count: routers, Exact: true, Histogram: histogram}
	s.summarize(uint64(routers))
	return s
}

// summarize derives the figures from the histogram; sources counts the sources
// of the pairs, with their weights.
func (s *HopStats) summarize(sources uint64) {
	var pairs, sum, squares float64
	reached := uint64(0)
	for h, c := range s.Histogram {
		reached += c
		pairs += float64(c)
		sum += float64(c) * float64(h)
		squares += float64(c) * float64(h) * float64(h)
	}
	s.Unreachable = sources*uint64(s.Count) - reached
	s.Diameter = max(len(s.Histogram)-1, 0)
	if pairs == 0 {
		return
	}
	s.MeanWithSelf = sum / pairs
	s.Std = math.Sqrt(max(squares/pairs-float64(s.MeanWithSelf*s.MeanWithSelf), 0))
	if others := pairs - float64(s.Histogram[0]); others > 0 {
		s.Mean = sum / others
	}
}

// histogram adds to what searches found the pairs that they leave out.
func (n *hopNet) histogram(found []uint64, self, twins uint64) []uint64 {
	h := append(make([]uint64, n.shift), found...)
	if len(h) == 0 {
		h = []uint64{0}
	}
	h[0] = self
	if twins > 0 {
		for len(h) < 3 {
			h = append(h, 0)
		}
		h[2] += twins
	}
	for len(h) > 1 && h[len(h)-1] == 0 {
		h = h[:len(h)-1]
	}
	return h
}

// sample searches from sources drawn at random, one by one. Every end is as
// likely as any other: a source is drawn with its weight.
func (n *hopNet) sample(ctx context.Context, opt HopOptions) (*HopStats, error) {
	rng := rand.New(rand.NewPCG(opt.Seed, 0x9e3779b97f4a7c15))
	upTo := make([]uint64, len(n.sources)) // ends of the sources up to each
	total := uint64(0)
	for i, s := range n.sources {
		total += s.weight
		upTo[i] = total
	}
	s := &HopStats{Ends: n.ends, Count: int(n.members), Sources: opt.SampleSize}
	w := newHopWorker(n)
	var means []float64
	var histogram []uint64
	for range opt.SampleSize {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		i, _ := slices.BinarySearch(upTo, rng.Uint64N(total)+1)
		source := n.sources[i]
		own := uint64(1)
		if n.weights != nil {
			own = n.weights[source.self]
		}
		source.weight = 1
		w.found = w.found[:0]
		w.plain(source)
		h := n.histogram(w.found, 1, 0)
		if own > 1 {
			h = n.histogram(w.found, 1, own-1)
		}
		one := HopStats{Count: s.Count, Histogram: h}
		one.summarize(1)
		means = append(means, one.Mean)
		histogram = addCounts(histogram, h)
	}
	s.Histogram = histogram
	s.summarize(uint64(opt.SampleSize))
	mean, squares := 0.0, 0.0
	for _, m := range means {
		mean += m / float64(len(means))
	}
	for _, m := range means {
		squares += float64((m - mean) * (m - mean))
	}
	if k := float64(len(means)); k > 1 {
		s.StdErr = math.Sqrt(squares / (k - 1) / k)
	}
	return s, nil
}

// addCounts adds histograms of any lengths.
func addCounts(to, more []uint64) []uint64 {
	for len(to) < len(more) {
		to = append(to, 0)
	}
	for i, c := range more {
		to[i] += c
	}
	return to
}
