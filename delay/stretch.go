package delay

import (
	"context"
	"math"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Stretch is how much farther signals travel than the straight line between
// two ends: the length of the fastest hop-minimal path of a pair by the
// distance of its ends. Pairs whose ends are in one place have none.
type Stretch struct {
	// Mean is over the pairs, the close ones weighing as much as the far ones.
	Mean  float64 `json:"mean"`
	Total float64 `json:"total"` // the sum of all paths divided by the sum of all lines
	Max   float64 `json:"max"`   // the greatest of a pair
	// Exact is whether all nodes were searched from; if not, some drawn at random.
	Exact      bool         `json:"exact"`
	Sources    int          `json:"sources"`          // nodes that were searched from
	MeanStdErr float64      `json:"stderr,omitempty"` // the standard error of `mean`; left out where exact
	LineMean   units.Length `json:"-"`                // straight line
	Together   int64        `json:"-"`                // pairs in one place, left out
}

// stretched is the sums of one source.
type stretched struct {
	ratio, path, line, most float64
	pairs, together         int64
}

// MeasureStretch measures the stretch of the shortest paths of g, as Paths
// does, between vertices that stand at the points given by at.
func MeasureStretch(ctx context.Context, g topology.Graph, c *topology.CSR, m Model, l Links,
	at func(v int) [3]units.Length, opt Options,
) (*Stretch, error) {
	n, err := compiled(g, c, m, l, true)
	if err != nil {
		return nil, err
	}
	return n.measureStretch(ctx, g, c.Vertices(), at, opt)
}

func (n *network) measureStretch(ctx context.Context, g topology.Graph, vertices int,
	at func(v int) [3]units.Length, opt Options,
) (*Stretch, error) {
	sources, err := n.choose(vertices, opt)
	if err != nil {
		return nil, err
	}
	points := make([][3]units.Length, n.vertices())
	for i, v := range n.order {
		points[i] = at(int(v))
	}
	found := make([]stretched, len(sources))
	groups, rows := n.groupUp(sources), n.rows(g)
	if rows != nil {
		groups = rows.arrange(groups, false)
	}
	_, err = n.searchAll(ctx, sources, groups, lanes, nil, opt.Progress, func(t *tally) func([]group) {
		if rows != nil {
			s := newSweeper(t, rows)
			s.tell = func(g group, keys []uint64) { found[g.first] = n.stretchInRows(points, g.at, rows, keys) }
			return s.run
		}
		s := newSearcher(t, nil)
		s.tell = func(g group, reached []uint32, keys []uint64) {
			found[g.first] = n.stretch(points, reached, keys)
		}
		return s.run
	})
	if err != nil {
		return nil, err
	}
	return sumStretch(found, len(n.ends)), nil
}

// stretch is about the pairs of one source.
func (n *network) stretch(points [][3]units.Length, reached []uint32, keys []uint64) stretched {
	var s stretched
	p := points[reached[0]]
	for _, v := range reached[1:] {
		if n.at(v).count > 0 {
			s.add(&p, &points[v], keys[v]&(1<<n.lenBits-1))
		}
	}
	return s
}

// stretchInRows is stretch of what a sweeper tells: keys begin with the column of the source in every row.
func (n *network) stretchInRows(points [][3]units.Length, source uint32, rows *lattice, keys []uint64) stretched {
	var s stretched
	p, column, width := points[source], rows.coordinate(int(source), 0), rows.dims[0]
	for start := 0; start < len(keys); start += width {
		for x := range width {
			if v := start + x; v != int(source) {
				s.add(&p, &points[v], keys[start+(x+width-column)%width]&(1<<n.lenBits-1))
			}
		}
	}
	return s
}

// add adds a pair of points with a path of a length between them.
func (s *stretched) add(p, q *[3]units.Length, length uint64) {
	x, y, z := float64(p[0]-q[0]), float64(p[1]-q[1]), float64(p[2]-q[2])
	line := math.Sqrt(float64(x*x) + float64(y*y) + float64(z*z))
	if line < 1/perMetre {
		s.together++
		return
	}
	path := float64(length) / perMetre
	s.pairs++
	s.path += path
	s.line += line
	s.ratio += path / line
	s.most = max(s.most, path/line)
}

func sumStretch(found []stretched, ends int) *Stretch {
	out := &Stretch{Sources: len(found), Exact: len(found) == ends}
	var all stretched
	for _, s := range found {
		all.ratio += s.ratio
		all.path += s.path
		all.line += s.line
		all.pairs += s.pairs
		out.Together += s.together
		out.Max = max(out.Max, s.most)
	}
	if all.pairs == 0 {
		return out
	}
	out.Mean, out.Total = all.ratio/float64(all.pairs), all.path/all.line
	out.LineMean = units.Length(all.line / float64(all.pairs))
	if k := float64(len(found)); !out.Exact && k > 1 {
		var squares float64
		for _, s := range found {
			residual := s.ratio - float64(out.Mean*float64(s.pairs))
			squares += float64(residual * residual)
		}
		out.MeanStdErr = math.Sqrt((1-k/float64(ends))*squares/(k-1)/k) / (float64(all.pairs) / k)
	}
	return out
}
