package delay

import (
	"context"
	"math"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Stretch is how much farther signals travel than the straight line between two ends: the length of the fastest
// hop-minimal path of a pair divided by the distance of its ends. All figures are over the ordered pairs of a searched
// source and another end that have a path and are at least 0.1 mm apart; without such a pair they are 0.
type Stretch struct {
	// Mean is the mean of the ratios of pairs, without weights.
	Mean  float64 `json:"mean"`
	Total float64 `json:"total"` // the sum of all paths divided by the sum of all lines
	Max   float64 `json:"max"`   // the greatest of a pair
	// Exact is whether all nodes were searched from; if not, some drawn at random.
	Exact      bool         `json:"exact"`
	Sources    int          `json:"sources"`          // nodes that were searched from
	MeanStdErr float64      `json:"stderr,omitempty"` // the standard error of `mean`; left out where exact
	LineMean   units.Length `json:"-"`                // mean straight line of the pairs
	Together   int64        `json:"-"`                // pairs of searched sources in one place, left out
}

// stretched has the sums of one source. Path lengths are in 0.1 mm, lines in metres, and ratios are the quotients of
// both.
type stretched struct {
	path              uint64
	line, ratio, most float64
	pairs, together   int64
}

// MeasureStretch measures the stretch of the paths that Paths measures, with the same ends, sample and errors. at
// returns the point of a vertex, in metres, and c is the adjacency of g.
func MeasureStretch(ctx context.Context, g topology.Graph, c *topology.CSR, m Model, l Links,
	at func(v int) [3]units.Length, opt Options,
) (*Stretch, error) {
	n, err := compile(g, c, m, l, true)
	if err != nil {
		return nil, err
	}
	return n.measureStretch(ctx, g, c.Vertices(), at, opt, false)
}

// measureStretch searches from all ends or from a sample; if enough is true, only from the first Options.First sources
// of the sample, as Paths may do.
func (n *network) measureStretch(ctx context.Context, g topology.Graph, vertices int,
	at func(v int) [3]units.Length, opt Options, enough bool,
) (*Stretch, error) {
	sources, err := n.choose(vertices, opt)
	if err != nil {
		return nil, err
	}
	if enough {
		sources, _ = split(sources, opt)
	}
	s := n.newStretching(n.rows(g), at, len(sources))
	s.tree = n.tree
	groups := n.groupUp(sources)
	switch {
	case s.tree != nil:
		groups = s.tree.arrange(groups, false)
	case s.lattice != nil:
		groups = s.lattice.arrange(groups, false)
	}
	_, err = n.searchAll(ctx, sources, groups, s.abreast(), nil, opt.Progress, func(t *tally) func([]group) {
		return s.worker(t, nil, true)
	})
	if err != nil {
		return nil, err
	}
	return sumStretch([]*stretching{s}), nil
}

// stretching measures the stretch of pairs from some sources. Workers of different cores may fill it at once, as each
// source has its own sums.
type stretching struct {
	net     *network
	lattice *lattice          // nil unless pairs are measured row by row
	tree    *tree             // nil unless sources of a tree are measured together
	points  [][3]units.Length // by vertex
	found   []stretched       // by source
}

// newStretching returns a stretching for a number of sources, whose pairs are measured row by row of l unless that is
// nil.
func (n *network) newStretching(l *lattice, at func(v int) [3]units.Length, sources int) *stretching {
	s := &stretching{net: n, lattice: l, points: make([][3]units.Length, n.vertices())}
	for i, v := range n.order {
		s.points[i] = at(int(v))
	}
	return s.from(sources)
}

// from returns a stretching of the same network for a number of other sources. It shares the points, and has no tree.
func (s *stretching) from(sources int) *stretching {
	return &stretching{net: s.net, lattice: s.lattice, points: s.points, found: make([]stretched, sources)}
}

// worker returns a function for one core that measures the stretch of groups of sources. If alone is false, it also
// counts their delays in the tally. c is the cover for searches along arcs, nil for none.
func (s *stretching) worker(t *tally, c *cover, alone bool) func([]group) {
	if s.tree != nil { // always alone: see measureStretch
		w := newTreeSweeper(t, s.tree)
		w.tell = s.addLeaves
		return w.run
	}
	if s.lattice != nil {
		w := newSweeper(t, s.lattice)
		if w.observe = s.rows; alone {
			w.receive, w.observe = s.rows, nil
		}
		return w.run
	}
	w := newSearcher(t, c)
	if w.observe = s.addReached; alone {
		w.receive, w.observe = s.addReached, nil
	}
	return w.run
}

// abreast returns how many groups a worker is given at a time.
func (s *stretching) abreast() int {
	if s.tree != nil {
		return s.tree.abreast()
	}
	return lanes
}

// withStretch returns the worker of a method. It also measures the stretch if the method is a lattice, which is passed
// to also, or a search by source, for which also gets nil, and if also returns a stretching.
func withStretch(by method, sources int, also func(*lattice, int) *stretching) func(*tally) func([]group) {
	var s *stretching
	var c *cover
	switch by := by.(type) {
	case *lattice:
		s = also(by, sources)
	case bySource:
		s, c = also(nil, sources), by.cover
	}
	if s == nil {
		return by.worker
	}
	return func(t *tally) func([]group) { return s.worker(t, c, false) }
}

// addReached measures the pairs of a source, given the vertices that it reaches, itself first, and the keys of all
// vertices by number. The lowest lenBits bits of a key are the length of the path in 0.1 mm.
func (s *stretching) addReached(g group, reached []uint32, keys []uint64) {
	var sum stretched
	n, p := s.net, s.points[reached[0]]
	for _, v := range reached[1:] {
		if n.at(v).count > 0 {
			sum.add(&p, &s.points[v], keys[v]&(1<<n.lenBits-1))
		}
	}
	s.found[g.first] = sum
}

// addLeaves measures the pairs of a source in a tree, given the keys of all leaves by place.
func (s *stretching) addLeaves(g group, keys []uint64) {
	var sum stretched
	p, mask := s.points[g.at], uint64(1)<<s.net.lenBits-1
	for i, key := range keys {
		sum.add(&p, &s.points[s.tree.vertex[i]], key&mask)
	}
	sum.together-- // the source itself
	s.found[g.first] = sum
}

// rows measures the pairs of a source in a lattice, given the keys of all vertices row by row, each row rotated so that
// it begins with the column of the source.
func (s *stretching) rows(g group, keys []uint64) {
	var sum stretched
	column, width := s.lattice.coordinate(int(g.at), 0), s.lattice.dims[0]
	for row := 0; row < len(keys); row += width {
		turn := row + width - column
		s.run(&sum, int(g.at), row+column, keys[row:turn])
		s.run(&sum, int(g.at), row, keys[turn:row+width])
	}
	sum.together-- // the source itself
	s.found[g.first] = sum
}

// run adds the pairs of a source with the vertices first, first+1 and so on, which have the given keys.
func (s *stretching) run(sum *stretched, source, first int, keys []uint64) {
	mask := uint64(1)<<s.net.lenBits - 1
	p, points := s.points[source], s.points[first:][:len(keys)]
	for i, key := range keys {
		sum.add(&p, &points[i], key&mask)
	}
}

// add adds the pair of points p and q, between which the path has the given length in 0.1 mm. Points less than 0.1 mm
// apart only count as together.
func (s *stretched) add(p, q *[3]units.Length, length uint64) {
	x, y, z := float64(p[0]-q[0]), float64(p[1]-q[1]), float64(p[2]-q[2])
	line := math.Sqrt(float64(x*x) + float64(y*y) + float64(z*z))
	if line < 1/perMetre {
		s.together++
		return
	}
	ratio := float64(int64(length)) / line
	s.pairs++
	s.path += length
	s.line += line
	s.ratio += ratio
	if ratio > s.most {
		s.most = ratio
	}
}

// sumStretch returns the stretch over all sources of several stretchings of one network, which have no source in
// common.
func sumStretch(of []*stretching) *Stretch {
	var found []stretched
	for _, s := range of {
		found = append(found, s.found...)
	}
	ends := len(of[0].net.ends)
	out := &Stretch{Sources: len(found), Exact: len(found) == ends}
	var all stretched
	path := 0.0 // of all, as integers may not hold it
	for _, s := range found {
		all.ratio += s.ratio
		path += float64(s.path)
		all.line += s.line
		all.pairs += s.pairs
		out.Together += s.together
		all.most = max(all.most, s.most)
	}
	if all.pairs == 0 {
		return out
	}
	mean := all.ratio / float64(all.pairs)
	out.Mean, out.Total, out.Max = mean/perMetre, path/perMetre/all.line, all.most/perMetre
	out.LineMean = units.Length(all.line / float64(all.pairs))
	if k := float64(len(found)); !out.Exact && k > 1 {
		var squares float64
		for _, s := range found {
			residual := s.ratio - float64(mean*float64(s.pairs))
			squares += float64(residual * residual)
		}
		out.MeanStdErr = math.Sqrt((1-k/float64(ends))*squares/(k-1)/k) / (float64(all.pairs) / k) / perMetre
	}
	return out
}
