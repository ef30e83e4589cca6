package delay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"github.com/plenum-planner/plenum/internal/parallel"
	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Defaults of Options.Limit in MeasureRouted: the highest number of routers with terminals with which
// paths are followed from all of them. Above DefaultRoutedLimit, a sample of them is; above DefaultValiantLimit,
// Valiant's routing, which needs all of them, is not measured.
const (
	DefaultRoutedLimit  = 2048
	DefaultValiantLimit = 4096
)

// Valiant is the name of routing over a random intermediate router. Where that may be any router with terminals
// (routing.ViaAny), the delay of a pair is computed as the mean over all intermediate routers.
const Valiant = "valiant"

// Routed has the figures of the paths that a routing function chooses on an idle network, over ordered pairs of
// different injecting vertices. Where Exact is false, the sources are a sample, and maxima are lower bounds.
type Routed struct {
	Routing  string       `json:"routing"`       // the name of the function
	HopsMean float64      `json:"hops_mean"`     // links on the path taken, mean over the pairs
	HopsMax  int          `json:"hops_max"`      // the most of any path that may be taken
	PathMean units.Length `json:"path_mean_m"`   // the length of the path taken, mean over the pairs
	PathMax  units.Length `json:"path_max_m"`    // the longest of any path that may be taken
	Mean     units.Time   `json:"delay_mean_ns"` // the delay of the path taken, mean over the pairs
	Max      units.Time   `json:"delay_max_ns"`  // the greatest of any path that may be taken
	// PairMax is the greatest delay of a pair, which for `valiant` is the mean over its paths.
	PairMax units.Time `json:"delay_pair_max_ns"`
	// Exact is whether paths were followed from all routers; if not, from some drawn at random: maxima are then
	// lower bounds.
	Exact   bool `json:"exact"`
	Sources int  `json:"sources"` // routers from which paths were followed
	// StdErr is the standard error of `delay_mean_ns`; left out where exact.
	StdErr units.Time `json:"delay_mean_stderr_ns,omitempty"`
	// Undelivered are pairs for which the function has no way, which no figure counts; left out where there are
	// none.
	Undelivered int64 `json:"undelivered_pairs,omitempty"`
	Pairs       int64 `json:"-"`
}

// MeasureRouted measures the paths of the routing function of a name (see routing.Functions; "" for the default of the
// family) in g. If a function allows several next hops, packets take the one that routing.Path takes on an idle
// network; random choices depend on opt.Seed and the pair of routers only. Valiant over any router with terminals
// (routing.ViaAny) is averaged over all of them exactly, and is an error if these are more than opt.Limit. Limit counts
// routers with terminals here; Work, First and Within are ignored.
func MeasureRouted(ctx context.Context, g topology.Graph, name string, m Model, l Links, opt Options) (*Routed, error) {
	if err := m.check(g.Kinds(), l); err != nil {
		return nil, err
	}
	n, err := routing.NewNetwork(g)
	if err != nil {
		return nil, err
	}
	if links := linksOf(g); links != len(l.length) {
		return nil, fmt.Errorf("delay: %d links and %d lengths", links, len(l.length))
	}
	if opt.Sources == 0 {
		opt.Sources = DefaultSources
	}
	f, err := routing.New(n, name, routing.Options{Delay: m.Arcs(g, l)})
	if err != nil {
		return nil, err
	}
	if leg, ok := routing.ViaAny(f); ok {
		opt.Limit = cmp.Or(opt.Limit, DefaultValiantLimit)
		return newWalk(n, leg, m, l, opt.Seed).valiant(ctx, opt)
	}
	opt.Limit = cmp.Or(opt.Limit, DefaultRoutedLimit)
	return newWalk(n, f, m, l, opt.Seed).single(ctx, opt)
}

func linksOf(g topology.Graph) int {
	n := 0
	for range g.Links() {
		n++
	}
	return n
}

// way has the hops, the delay in ns and the length in metres of a path, or sums or maxima of these over several paths.
type way struct{ hops, time, length float64 }

// add adds v multiplied by times.
func (w *way) add(v way, times float64) {
	w.hops += float64(times * v.hops)
	w.time += float64(times * v.time)
	w.length += float64(times * v.length)
}

// raise sets each figure to the maximum of its value and that of v.
func (w *way) raise(v way) {
	w.hops, w.time, w.length = max(w.hops, v.hops), max(w.time, v.time), max(w.length, v.length)
}

// stop is a router with terminals.
type stop struct {
	router       int32
	count        float64 // number of its terminals
	up, down     way     // sums of the ways from its terminals to the router, and back
	upMax        way
	downMax      way
	between, far way // sum and maximum over the pairs of its own terminals
}

// walk follows the paths of a routing function.
type walk struct {
	net   *routing.Network
	f     routing.Function
	seed  uint64
	stops []stop
	hop   []way // of every channel, with the router entered
}

func newWalk(n *routing.Network, f routing.Function, m Model, l Links, seed uint64) *walk {
	kind, arcs := kindsOf(n.Graph.Kinds(), topology.Vertices(n.Graph)), m.Arcs(n.Graph, l)
	over := func(link int32, to int32) way {
		length, _ := l.At(int(link))
		return way{1, arcs(link, to), float64(length)}
	}
	w := &walk{net: n, f: f, seed: seed, hop: make([]way, n.Channels())}
	for c := range w.hop {
		w.hop[c] = over(n.Link[c], n.Vertex[n.To[c]])
	}
	at := make([]int, n.Routers())
	type ends struct{ up, down []way }
	var own []ends
	for i, home := range n.Home {
		if home < 0 {
			continue
		}
		if at[home] == 0 {
			w.stops = append(w.stops, stop{router: home})
			own = append(own, ends{})
			at[home] = len(w.stops)
		}
		up, down := way{time: float64(m.Start(int(kind[n.Terminal[i]])))}, way{}
		if link := n.TerminalLink[i]; link >= 0 {
			up.add(over(link, n.Vertex[home]), 1)
			down = over(link, n.Terminal[i])
		}
		e := &own[at[home]-1]
		e.up, e.down = append(e.up, up), append(e.down, down)
	}
	for i := range w.stops {
		w.stops[i].sumTerminals(own[i].up, own[i].down)
	}
	return w
}

// sumTerminals sums up the terminals of a router.
func (s *stop) sumTerminals(up, down []way) {
	s.count = float64(len(up))
	var own way
	for i := range up {
		s.up.add(up[i], 1)
		s.down.add(down[i], 1)
		s.upMax.raise(up[i])
		s.downMax.raise(down[i])
		own.add(up[i], 1)
		own.add(down[i], 1)
	}
	if len(up) < 2 {
		return
	}
	s.between.add(s.up, s.count)
	s.between.add(s.down, s.count)
	s.between.add(own, -1)
	s.far = way{hops: s.upMax.hops + s.downMax.hops}
	for i := range up { // the two greatest would do; routers have few terminals
		for j := range down {
			if i != j {
				s.far.raise(way{0, up[i].time + down[j].time, up[i].length + down[j].length})
			}
		}
	}
}

// path follows the path between two stops. ok is false if the routing function has no path. space is a buffer, and
// channels is the buffer to pass next.
func (w *walk) path(from, to *stop, space []int32) (sum way, ok bool, channels []int32) {
	channels, err := routing.Path(w.net, w.f, from.router, to.router, w.seed, space[:0])
	for _, c := range channels {
		sum.add(w.hop[c], 1)
	}
	return sum, err == nil, channels
}

// routedRow has the results of one source.
type routedRow struct {
	sum, most   way
	pairs       float64
	undelivered float64
}

// each calls do for every source, on all cores. space is a buffer of the core.
func (w *walk) each(ctx context.Context, sources []int32, progress func(done, total int),
	do func(i int, from *stop, space *[]int32),
) error {
	spaces := make([]*[]int32, parallel.Cores(len(sources)))
	for i := range spaces {
		spaces[i] = new([]int32)
	}
	var lock sync.Mutex
	done := 0
	return parallel.With(ctx, spaces, len(sources), func(_ context.Context, space *[]int32, i int) error {
		do(i, &w.stops[sources[i]], space)
		if progress != nil {
			lock.Lock()
			defer lock.Unlock()
			done++
			progress(done, len(sources))
		}
		return nil
	})
}

// sources returns the stops to follow paths from: all of them, or a sample.
func (w *walk) sources(opt Options) []int32 {
	count := len(w.stops)
	if count > opt.Limit {
		count = min(count, opt.Sources)
	}
	return sample(len(w.stops), count, opt.Seed)
}

// single measures a function whose paths are followed one by one.
func (w *walk) single(ctx context.Context, opt Options) (*Routed, error) {
	sources := w.sources(opt)
	rows := make([]routedRow, len(sources))
	err := w.each(ctx, sources, opt.Progress, func(i int, from *stop, space *[]int32) {
		r := &rows[i]
		r.sum.add(from.between, 1)
		r.most.raise(from.far)
		r.pairs = from.count * (from.count - 1)
		for k := range w.stops {
			to := &w.stops[k]
			if to.router == from.router {
				continue
			}
			p, ok, used := w.path(from, to, *space)
			*space = used
			if !ok {
				r.undelivered += from.count * to.count
				continue
			}
			r.pairs += from.count * to.count
			r.sum.add(p, from.count*to.count)
			r.sum.add(from.up, to.count)
			r.sum.add(to.down, from.count)
			p.add(from.upMax, 1)
			p.add(to.downMax, 1)
			r.most.raise(p)
		}
	})
	if err != nil {
		return nil, err
	}
	out := w.sum(rows, w.f.Name())
	out.PairMax = out.Max
	return out, nil
}

// sum adds the rows up.
func (w *walk) sum(rows []routedRow, name string) *Routed {
	out := &Routed{Routing: name, Exact: len(rows) == len(w.stops), Sources: len(rows)}
	var sum, most way
	var pairs, undelivered float64
	for i := range rows {
		sum.add(rows[i].sum, 1)
		most.raise(rows[i].most)
		pairs += rows[i].pairs
		undelivered += rows[i].undelivered
	}
	out.Pairs, out.Undelivered = int64(pairs), int64(undelivered)
	if pairs == 0 {
		return out
	}
	out.HopsMean, out.Mean, out.PathMean = sum.hops/pairs, units.Time(sum.time/pairs), units.Length(sum.length/pairs)
	out.HopsMax, out.Max, out.PathMax = int(most.hops), units.Time(most.time), units.Length(most.length)
	if k := float64(len(rows)); !out.Exact && k > 1 {
		var squares float64
		for i := range rows {
			residual := rows[i].sum.time - float64(sum.time/pairs*rows[i].pairs)
			squares += float64(residual * residual)
		}
		out.StdErr = units.Time(math.Sqrt((1-k/float64(len(w.stops)))*squares/(k-1)/k) / (pairs / k))
	}
	return out
}

// leg sums up the paths between one stop and all others.
type leg struct {
	sum                way // of the paths
	hops, time, length farthest
}

// farthest has the two stops that are farthest by one measure.
type farthest struct{ best, next far }

// far is a stop at a distance.
type far struct {
	stop int
	away float64
}

// reach adds a stop.
func (r *farthest) reach(stop int, away float64) {
	switch {
	case away > r.best.away:
		r.best, r.next = far{stop, away}, r.best
	case away > r.next.away:
		r.next = far{stop, away}
	}
}

func (l *leg) reach(stop int, w way) {
	l.hops.reach(stop, w.hops)
	l.time.reach(stop, w.time)
	l.length.reach(stop, w.length)
}

// there returns the maximum, over all pairs of different stops, of the way from one over an intermediate stop to the
// other, given the farthest stops into and out of the intermediate.
func there(in, out *farthest) float64 {
	if in.best.stop == out.best.stop {
		return max(in.best.away+out.next.away, in.next.away+out.best.away)
	}
	return in.best.away + out.best.away
}

// valiant measures the mean of d(s,w) + d(w,t) over all intermediate stops w. It follows the paths from all stops, as
// each is an intermediate of all others.
func (w *walk) valiant(ctx context.Context, opt Options) (*Routed, error) {
	count := len(w.stops)
	if count > opt.Limit {
		return nil, fmt.Errorf("delay: %d routers with terminals are more than the %d over which the mean over all "+
			"intermediates is taken", count, opt.Limit)
	}
	paths := make([][]way, count) // rows are long, but no longer than the limit allows
	var lost atomic.Bool
	all := sample(count, count, 0)
	err := w.each(ctx, all, opt.Progress, func(i int, from *stop, space *[]int32) {
		row := make([]way, count)
		for k := range w.stops {
			p, ok, used := w.path(from, &w.stops[k], *space)
			*space = used
			if !ok {
				lost.Store(true)
			}
			row[k] = p
		}
		paths[i] = row
	})
	if err != nil {
		return nil, err
	}
	if lost.Load() {
		return nil, errors.New("delay: some pairs have no path, so that not every router can be an intermediate")
	}
	return w.viaAll(paths), nil
}

// viaAll returns the figures of Valiant's routing, given the paths between all pairs of stops.
func (w *walk) viaAll(paths [][]way) *Routed {
	count := len(paths)
	in, out := make([]leg, count), make([]leg, count) // into and out of each stop
	for s, row := range paths {
		for t, p := range row {
			out[s].sum.add(p, 1)
			in[t].sum.add(p, 1)
			longIn, longOut := p, p
			longIn.add(w.stops[s].upMax, 1)
			longOut.add(w.stops[t].downMax, 1)
			in[t].reach(s, longIn)
			out[s].reach(t, longOut)
		}
	}
	rows := make([]routedRow, count)
	pairMax := 0.0
	for s := range paths {
		from, r := &w.stops[s], &rows[s]
		r.sum.add(from.between, 1)
		r.most.raise(from.far)
		r.pairs = from.count * (from.count - 1)
		pairMax = max(pairMax, from.far.time)
		for t := range paths {
			if s == t {
				continue
			}
			to := &w.stops[t]
			mean := out[s].sum
			mean.add(in[t].sum, 1)
			scaled := way{mean.hops / float64(count), mean.time / float64(count), mean.length / float64(count)}
			r.pairs += from.count * to.count
			r.sum.add(scaled, from.count*to.count)
			r.sum.add(from.up, to.count)
			r.sum.add(to.down, from.count)
			pairMax = max(pairMax, scaled.time+from.upMax.time+to.downMax.time)
		}
	}
	if count > 1 {
		for v := range paths {
			i, o := &in[v], &out[v]
			rows[0].most.raise(way{there(&i.hops, &o.hops), there(&i.time, &o.time), there(&i.length, &o.length)})
		}
	}
	r := w.sum(rows, Valiant)
	r.PairMax = units.Time(pairMax)
	return r
}
