package delay

import (
	"context"
	"math"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/names"
	"github.com/plenum-planner/plenum/units"
)

// All-to-all communication, in which every node has a message for all others,
// by flooding every message along a tree (C. Lenzen and R. Wattenhofer,
// arXiv:1607.00298, section II-C). The paths of a tree have the fewest hops, and
// where several links could be the last of a path, the level decides.

// Prefer says which of several links that could be the last of a path is taken, by their levels.
type Prefer int

const (
	// Usual is Highest in a plain lattice, such as a torus, and Lowest in others.
	Usual Prefer = iota
	// Lowest prefers low levels, as the paper does for CLEX, whose low levels are
	// short.
	Lowest
	// Highest prefers high levels, which in a torus floods the dimensions in order,
	// as the paper does.
	Highest
)

// FloodLevel is the load of the links of a level. Each direction of a link counts as a channel of its own.
type FloodLevel struct {
	Level    string `json:"level"`    // its name
	Channels int64  `json:"channels"` // number of channels of the level, each direction counted separately
	// Mean is the mean number of messages over a channel of the level.
	Mean  float64 `json:"load_mean"`
	Max   int64   `json:"load_max"` // number of messages over the busiest channel
	Share float64 `json:"share"`    // share of the level in the loads of all channels together
}

// Flood is the load and the delay of all-to-all communication by flooding.
type Flood struct {
	Levels  []FloodLevel `json:"levels"`   // load of the channels, by level
	HopsMax int          `json:"hops_max"` // the depth of the deepest tree
	// HopsMean is the depth of a node in a tree, mean over all nodes and trees.
	HopsMean float64 `json:"hops_mean"`
	// Factor is the time for which the busiest channel is in use, divided by the minimum: the time in which a node
	// receives a message from every other node with all its bandwidth. Levels have the requested shares of bandwidth;
	// 0 if none were requested.
	Factor        float64 `json:"factor"`
	FactorUniform float64 `json:"factor_uniform"` // the same if all channels have equal bandwidth
	// FactorByLoad is the same if the bandwidth of every level is proportional to its load.
	FactorByLoad float64 `json:"factor_by_load"`
	// DelayMax is the delay of the slowest path of the trees, without queues; 0 without lengths.
	DelayMax units.Time `json:"delay_max_ns"`
	// DelayMean is the mean delay of all paths of the trees; 0 without lengths.
	DelayMean units.Time   `json:"delay_mean_ns"`
	PathMax   units.Length `json:"path_max_m"` // the longest path of a tree; 0 without lengths
	// BoundMax is an upper bound of `delay_max_ns` that does not depend on the trees: in a torus, half a ring of the
	// longest links of every dimension; 0 without lengths and for families without such a bound.
	BoundMax units.Time `json:"delay_bound_ns"`
}

// usualPrefer returns what Usual stands for in a graph.
func usualPrefer(g topology.Graph) Prefer {
	if _, ok := g.(topology.PlainLattice); ok {
		return Highest
	}
	return Lowest
}

// FloodOptions are the options of MeasureFlood.
type FloodOptions struct {
	Prefer Prefer
	// Shares of a node's bandwidth by level, in any proportion. Nil leaves Flood.Factor out.
	Shares []float64
	// Model and Links determine delays. Without lengths in Links, there are none in the result.
	Model    Model
	Links    Links
	Progress func(done, total int) // if not nil, receives the number of trees built and of all trees
	// Names has the names of vertices for messages; nil stands for names.Of.
	Names *names.Names
}

// maxFlood is the limit of the number of steps, sources times arcs, of MeasureFlood.
const maxFlood = 2e10

// MeasureFlood builds the trees of all nodes of a direct network and counts the messages over every channel. If several
// links of the preferred level could be the last of a path, the one with the fewest such choices so far is taken, in
// the order of the sources. Errors about the graph or the options are diag.FieldErrors; the field Graph stands for the
// graph.
func MeasureFlood(ctx context.Context, g topology.Graph, opt FloodOptions) (*Flood, error) {
	f, err := newFlood(g, opt)
	if err != nil {
		return nil, err
	}
	for s := range f.n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := f.tree(int32(s)); err != nil {
			return nil, err
		}
		if opt.Progress != nil {
			opt.Progress(s+1, f.n)
		}
	}
	return f.result(), nil
}

// flooding is the state of MeasureFlood.
type flooding struct {
	g     topology.Graph
	opt   FloodOptions
	n     int
	first []int64 // the arcs into vertex v are first[v] to first[v+1]-1
	from  []int32 // of every arc: the vertex that it leaves
	level []int8  // of every arc
	arc   []way   // delay and length of every arc
	load  []int64 // messages over every arc
	turns []int64 // of the load, messages for which there was another arc of the same level
	width []int32 // channels of every arc

	hops  []int32 // of every vertex in the present tree; -1 if not reached yet
	order []int32 // vertices reached at the present depth
	at    []way   // path to every vertex in the present tree
	depth int     // maximum over all trees so far
	sum   way     // of the paths of all trees
	most  way     // maxima over the paths of all trees
}

// check returns the errors of a graph and of options by field; the field Graph stands for the graph.
func (o *FloodOptions) check(g topology.Graph) error {
	var wrong diag.FieldErrors
	kinds, levels := g.Kinds(), len(g.Levels())
	for _, k := range kinds {
		if k.Role != topology.Node {
			wrong.Add("Graph", "all-to-all by flooding is for networks whose nodes pass messages on, and those of "+
				"kind %s of the %s are only switches or terminals", k.Name, g.Family())
			break
		}
	}
	if levels > math.MaxInt8 {
		wrong.Add("Graph", "%d levels; the most that are flooded are %d", levels, math.MaxInt8)
	}
	if o.Prefer < Usual || o.Prefer > Highest {
		wrong.Add("Prefer", "no preference %d", o.Prefer)
	}
	if o.Shares != nil && len(o.Shares) != levels {
		wrong.Add("Shares", "%d shares of bandwidth for %d levels", len(o.Shares), levels)
	}
	for i, s := range o.Shares {
		if !(s > 0) || math.IsInf(s, 1) {
			wrong.Add(diag.Elem("Shares", i), "a share of bandwidth is %g; it must be above 0", s)
		}
	}
	if o.Links.Count() > 0 {
		if err := o.Model.check(kinds, o.Links); err != nil {
			wrong.Add("Model", "%v", err)
		}
	}
	return wrong.Err()
}

// newFlood returns the state of MeasureFlood before the first tree.
func newFlood(g topology.Graph, opt FloodOptions) (*flooding, error) {
	if err := opt.check(g); err != nil {
		return nil, err
	}
	kinds := g.Kinds()
	if opt.Names == nil {
		opt.Names = names.Of(g)
	}
	f := &flooding{g: g, opt: opt, n: topology.Vertices(g)}
	if f.opt.Prefer == Usual {
		f.opt.Prefer = usualPrefer(g)
	}
	const tooMany = "trees from %d nodes over %s%d channels are too many to build; the two numbers must not give " +
		"more than %g when multiplied"
	if most := int64(maxFlood) / int64(max(f.n, 1)); !topology.AtMostLinks(g, most) {
		return nil, diag.Fieldf("Graph", tooMany, f.n, "more than ", most, maxFlood)
	}
	arcs := int64(0)
	f.first = make([]int64, f.n+2)
	for l := range g.Links() {
		for range ways(&l) {
			arcs++
		}
		f.first[l.B+2]++
		if !l.Simplex {
			f.first[l.A+2]++
		}
	}
	if float64(arcs)*float64(f.n) > maxFlood {
		return nil, diag.Fieldf("Graph", tooMany, f.n, "", arcs, maxFlood)
	}
	for v := range f.n {
		f.first[v+2] += f.first[v+1]
	}
	f.from, f.level, f.load, f.width = make([]int32, arcs), make([]int8, arcs), make([]int64, arcs), make([]int32, arcs)
	f.arc, f.turns = make([]way, arcs), make([]int64, arcs)
	kind := kindsOf(kinds, f.n)
	link, levels := int32(0), g.Levels()
	for l := range g.Links() {
		for _, e := range ways(&l) {
			i := f.first[e[1]+1]
			f.first[e[1]+1]++
			f.from[i], f.level[i], f.width[i] = e[0], int8(l.Level), l.Channels(levels)
			f.arc[i].hops = 1
			if opt.Links.Count() > 0 {
				if int(link) >= opt.Links.Count() {
					return nil, diag.Fieldf("Links", "%d lengths are too few", opt.Links.Count())
				}
				length, medium := opt.Links.At(int(link))
				f.arc[i] = way{1, float64(opt.Model.Arc(length, medium, int(kind[e[1]]))), float64(length)}
			}
		}
		link++
	}
	f.first = f.first[:f.n+1]
	f.hops, f.order, f.at = make([]int32, f.n), make([]int32, 0, f.n), make([]way, f.n)
	return f, nil
}

// ways returns the directions of a link, each as the vertices that it leads from and to.
func ways(l *topology.Link) [][2]int32 {
	both := [][2]int32{{l.A, l.B}, {l.B, l.A}}
	if l.Simplex {
		return both[:1]
	}
	return both
}

// tree builds the tree by which the message of s is flooded. The search goes level by level: every vertex not yet
// reached looks through the arcs into it for one from a vertex of the previous level.
func (f *flooding) tree(s int32) error {
	for v := range f.hops {
		f.hops[v] = -1
	}
	f.hops[s] = 0
	f.at[s] = f.start(s)
	reached := 1
	for depth := int32(1); reached < f.n; depth++ {
		f.order = f.order[:0]
		for v := range f.n {
			if f.hops[v] >= 0 {
				continue
			}
			best := f.parent(int32(v), depth)
			if best < 0 {
				continue
			}
			f.load[best]++
			f.at[v] = f.at[f.from[best]]
			f.at[v].add(f.arc[best], 1)
			f.order = append(f.order, int32(v))
			f.sum.add(f.at[v], 1)
			f.most.raise(f.at[v])
		}
		if len(f.order) == 0 {
			return diag.Fieldf("Graph", "%d nodes are not reached from %s",
				f.n-reached, f.opt.Names.NameOrAddress(int(s)))
		}
		for _, v := range f.order {
			f.hops[v] = depth
		}
		reached += len(f.order)
		f.depth = max(f.depth, int(depth))
	}
	return nil
}

// parent returns the arc over which v receives the message at a depth, -1 for none.
func (f *flooding) parent(v, depth int32) int64 {
	best, contested := int64(-1), false
	for a := f.first[v]; a < f.first[v+1]; a++ {
		if f.hops[f.from[a]] != depth-1 {
			continue
		}
		switch {
		case best < 0:
			best = a
		case f.level[a] != f.level[best]:
			if (f.level[a] < f.level[best]) == (f.opt.Prefer == Lowest) {
				best, contested = a, false
			}
		default:
			contested = true
			if f.turns[a]*int64(f.width[best]) < f.turns[best]*int64(f.width[a]) {
				best = a
			}
		}
	}
	if contested {
		f.turns[best]++
	}
	return best
}

// result returns the figures of all trees.
func (f *flooding) result() *Flood {
	names := f.g.Levels()
	out := &Flood{HopsMax: f.depth, Levels: make([]FloodLevel, len(names))}
	for i := range names {
		out.Levels[i].Level = names[i].Name
	}
	sums := make([]int64, len(names))
	worst := make([]float64, len(names)) // highest load of a channel of each level; a link's channels share its load
	for a, load := range f.load {
		l := &out.Levels[f.level[a]]
		l.Channels += int64(f.width[a])
		each := float64(load) / float64(f.width[a])
		l.Max = max(l.Max, int64(math.Ceil(each)))
		worst[f.level[a]] = max(worst[f.level[a]], each)
		sums[f.level[a]] += load
	}
	if f.n < 2 {
		return out
	}
	pairs := float64(f.n) * float64(f.n-1)
	out.HopsMean, out.DelayMean = f.sum.hops/pairs, units.Time(f.sum.time/pairs)
	out.DelayMax, out.PathMax = units.Time(f.most.time), units.Length(f.most.length)
	if f.opt.Links.Count() == 0 {
		out.DelayMean, out.DelayMax, out.PathMax = 0, 0, 0
	}
	channels, shares := 0.0, 0.0
	for i := range out.Levels {
		channels += float64(out.Levels[i].Channels)
	}
	for _, s := range f.opt.Shares {
		shares += s
	}
	// A node's bandwidth is 1 and it receives n-1 messages; a channel of a level
	// has the level's share, divided by the channels of the level per node.
	for i := range out.Levels {
		l := &out.Levels[i]
		if l.Channels == 0 {
			continue
		}
		l.Mean = float64(sums[i]) / float64(l.Channels)
		l.Share = float64(sums[i]) / pairs
		busy := worst[i] * float64(l.Channels) / pairs // if the level had all bandwidth
		out.FactorUniform = max(out.FactorUniform, busy*channels/float64(l.Channels))
		if l.Share > 0 {
			out.FactorByLoad = max(out.FactorByLoad, busy/l.Share)
		}
		if f.opt.Shares != nil {
			out.Factor = max(out.Factor, busy*shares/f.opt.Shares[i])
		}
	}
	out.BoundMax = f.bound()
	return out
}

// bound returns Flood.BoundMax: the delay of as many links of each level as the family states, each as slow as the
// slowest of its level.
func (f *flooding) bound() units.Time {
	if f.opt.Links.Count() == 0 {
		return 0
	}
	longest := make([]float64, len(f.g.Levels()))
	for a := range f.arc {
		longest[f.level[a]] = max(longest[f.level[a]], f.arc[a].time)
	}
	sum := 0.0
	if g, ok := f.g.(topology.FloodBounded); ok {
		for s := range f.n {
			sum = max(sum, f.start(int32(s)).time)
		}
		for _, l := range g.FloodBound(f.depth) {
			sum += float64(longest[l.Level] * float64(l.Hops))
		}
	}
	return units.Time(sum)
}

// start returns the delay of a source itself, zero without lengths.
func (f *flooding) start(s int32) way {
	if f.opt.Links.Count() == 0 {
		return way{}
	}
	return way{time: float64(f.opt.Model.Start(topology.KindOf(f.g.Kinds(), int(s))))}
}
