package measure

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/plenum-planner/plenum/internal/parallel"
	"github.com/plenum-planner/plenum/topology"
)

// Bisection brackets the least number of channels between two halves of the
// ends of a graph. With n ends the halves have floor(n/2) and ceil(n/2).
//
// Of a direct network the routers are halved. Of a tree the terminals are
// halved and each switch stands on whichever side is better; a terminal may be
// cut off from its switch. A channel counts once, whichever way it carries, and as many times as its capacity.
type Bisection struct {
	Ends         Ends
	Count        int   // ends that are halved
	Lower, Upper int64 // channels
	// LowerMethod and UpperMethod say what gave the bounds.
	LowerMethod, UpperMethod string
	// Side is the side, 0 or 1, of every vertex in the partition that cuts Upper. There always is one, as every end
	// weighs the same. With fewer than two ends all figures are 0, all sides 0 and both methods "none".
	Side []uint8
}

// BisectionOptions says how hard to try.
type BisectionOptions struct {
	Seed uint64
	// Runs is the number of multilevel partitions; zero means as many as the
	// size allows, from 2 to 16.
	Runs int
	// Work limits the arcs that each bound from loads may follow; zero means
	// 2e8.
	Work int64
}

// Bisect brackets the bisection of g.
//
// The lower bounds are
//   - spectral: with lambda the second smallest eigenvalue of the Laplacian,
//     weighted with the channels, halves of a and b routers have at least
//     lambda a b/n channels between them (B. Mohar, "The Laplacian spectrum of
//     graphs", 1991). Lambda comes from Lanczos iterations and counts less the
//     norm of the residual. Direct networks only.
//   - load: if every end sends a unit to every other over its shortest paths,
//     split evenly, and no channel carries more than c, then the 2ab units
//     between the halves need 2ab/c channels (F. T. Leighton, Introduction to
//     Parallel Algorithms and Architectures, 1992, section 1.9).
//   - hubs: if each of m switches sends a unit to every end over its shortest
//     paths, split evenly, and no channel carries more than c, then the cut has
//     m floor(n/2)/c channels: on whichever side a switch stands, that many ends
//     are on the other, and its units for them cross. The switches of one kind
//     are tried at a time; those of the top tier of a tree give its true
//     bisection where units spread evenly, of which the bound from loads finds
//     half, as it lets a switch stand on both sides.
//
// The upper bound is the best of several partitions: multilevel, with
// heavy-edge matching and refinement by C. M. Fiduccia and R. M. Mattheyses (G.
// Karypis and V. Kumar, "A fast and high quality multilevel scheme for
// partitioning irregular graphs", SIAM J. Sci. Comput. 20 (1), 1998), by the
// numbering of the vertices, across each dimension of a Lattice, and by the
// Fiedler vector, all refined. The last two are for direct networks only. The
// error is that of ctx.
func Bisect(ctx context.Context, g topology.Graph, ends Ends, opt BisectionOptions) (*Bisection, error) {
	if opt.Work == 0 {
		opt.Work = 2e8
	}
	p := newCutGraph(g, ends)
	b := &Bisection{Ends: ends, Count: int(p.total), LowerMethod: "none", UpperMethod: "none"}
	if p.total < 2 {
		b.Side = make([]uint8, topology.Vertices(g))
		return b, nil
	}
	b.Upper = math.MaxInt64
	x := float64(p.total/2) * float64(p.total-p.total/2)
	load, ok := p.greatestLoad(ctx, g, opt.Work)
	if ok && load > 0 {
		b.raise(2*x/load, "load")
	}
	for _, k := range g.Kinds() {
		if k.Role != topology.Switch || ends == Routers {
			continue
		}
		if load, ok := p.hubLoad(ctx, g, k, opt.Work); ok && load > 0 {
			b.raise(float64(k.Count)*float64(p.total/2)/load, "hubs")
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, o := range p.orders(g) {
		b.keepBetter(p.polish(p.firstHalf(o.key), o.name))
	}
	if opt.Runs == 0 {
		opt.Runs = int(min(16, max(2, 4e6/(1+len(p.to)))))
	}
	if err := p.search(ctx, b, opt); err != nil {
		return nil, err
	}
	return b, nil
}

// raise sets the lower bound to bound, rounded up, if that is higher.
func (b *Bisection) raise(bound float64, method string) {
	if l := int64(math.Ceil(bound - 1e-6*max(1, bound))); l > b.Lower {
		b.Lower, b.LowerMethod = l, method
	}
}

// keepBetter keeps a partition if it has a smaller cut than all before it.
func (b *Bisection) keepBetter(h halves) {
	if h.cut < b.Upper {
		b.Upper, b.UpperMethod, b.Side = h.cut, h.method, h.side
	}
}

// halves is a partition and what found it.
type halves struct {
	side   []uint8
	cut    int64 // channels; math.MaxInt64 if its sides are not halves
	method string
}

// polish balances and refines side, which it changes. The cut is math.MaxInt64 if the sides are not halves then.
func (p *cutGraph) polish(side []uint8, method string) halves {
	p.balance(side)
	p.refine(side, p.slack())
	if !p.isBalanced(side) {
		return halves{cut: math.MaxInt64}
	}
	return halves{side, p.cutWeight(side), method}
}

// search improves the bounds by the Fiedler vector and by multilevel partitions, on all cores. What comes out is as if
// they had been made one after the other: of the best, the first counts, and only those are left out that come after
// one which no partition can beat.
func (p *cutGraph) search(ctx context.Context, b *Bisection, opt BisectionOptions) error {
	tries := make([]halves, 1+opt.Runs)
	for i := range tries {
		tries[i].cut = math.MaxInt64
	}
	var mutex sync.Mutex // holds tries and b
	needless := func(task int) bool {
		mutex.Lock()
		defer mutex.Unlock()
		return b.Upper <= b.Lower || slices.ContainsFunc(tries[:task], func(h halves) bool { return h.cut <= b.Lower })
	}
	err := parallel.Each(ctx, len(tries), func(ctx context.Context, task int) error {
		if needless(task) || task == 0 && !p.unit {
			return nil
		}
		var found halves
		bound := 0.0
		if task > 0 {
			found = p.polish(p.multilevel(rand.New(rand.NewPCG(opt.Seed, uint64(task)))), "multilevel")
		} else {
			var vector []float64
			if bound, vector = p.fiedler(ctx); vector == nil {
				return nil
			}
			found = p.polish(p.firstHalf(vector), "spectral")
		}
		mutex.Lock()
		defer mutex.Unlock()
		b.raise(bound*float64(p.total/2)*float64(p.total-p.total/2)/float64(p.total), "spectral")
		tries[task] = found
		return nil
	})
	if err != nil {
		return err
	}
	for _, h := range tries {
		b.keepBetter(h)
	}
	return nil
}

// cutGraph is an undirected graph whose vertices and edges have weights.
type cutGraph struct {
	first  []int64
	to     []int32
	width  []int64
	weight []int64 // ends at each vertex
	total  int64
	unit   bool // every vertex weighs 1
}

// newCutGraph takes the links of a graph that a cut between two halves of the ends can cross.
func newCutGraph(g topology.Graph, ends Ends) *cutGraph {
	role := roles(g)
	p := &cutGraph{weight: make([]int64, len(role)), unit: true}
	for v, r := range role {
		if r == topology.Node || (r == topology.Terminal) == (ends == Terminals) {
			p.weight[v] = 1
		}
		p.total += p.weight[v]
		p.unit = p.unit && (p.weight[v] == 1 || r == topology.Terminal)
	}
	keep := func(l topology.Link) bool {
		return l.A != l.B && (ends == Terminals || role[l.A] != topology.Terminal && role[l.B] != topology.Terminal)
	}
	p.first = make([]int64, len(role)+2)
	for l := range g.Links() {
		if keep(l) {
			p.first[l.A+2]++
			p.first[l.B+2]++
		}
	}
	for v := range role {
		p.first[v+2] += p.first[v+1]
	}
	arcs := p.first[len(role)+1]
	p.to, p.width = make([]int32, arcs), make([]int64, arcs)
	add := func(a, b int32, width int64) {
		p.to[p.first[a+1]], p.width[p.first[a+1]] = b, width
		p.first[a+1]++
	}
	levels := g.Levels()
	for l := range g.Links() {
		if keep(l) {
			channels := int64(l.Channels(levels))
			add(l.A, l.B, channels)
			add(l.B, l.A, channels)
		}
	}
	p.first = p.first[:len(role)+1]
	return p
}

func (p *cutGraph) vertices() int { return len(p.first) - 1 }

func (p *cutGraph) cutWeight(side []uint8) int64 {
	sum := int64(0)
	for v := range side {
		for i := p.first[v]; i < p.first[v+1]; i++ {
			if side[v] != side[p.to[i]] {
				sum += p.width[i]
			}
		}
	}
	return sum / 2
}

func (p *cutGraph) sideWeight(side []uint8) (w [2]int64) {
	for v, s := range side {
		w[s] += p.weight[v]
	}
	return w
}

func (p *cutGraph) isBalanced(side []uint8) bool {
	w := p.sideWeight(side)
	return max(w[0], w[1])-min(w[0], w[1]) <= p.total%2
}

// slack is how far from the half a side may be while vertices are moved: one
// vertex of the heaviest kind.
func (p *cutGraph) slack() int64 { return max(1, slices.Max(p.weight)) }

// order is a key by which vertices are cut in halves.
type order struct {
	name string
	key  []float64
}

// orders lists the plain ways to cut g.
func (p *cutGraph) orders(g topology.Graph) []order {
	n := p.vertices()
	number := make([]float64, n)
	for v := range number {
		number[v] = float64(v)
	}
	out := []order{{"numbering", number}}
	if l, ok := g.(topology.Lattice); ok && p.unit {
		stride := 1
		for _, side := range l.Dims() {
			key := make([]float64, n)
			for v := range key {
				key[v] = float64(v/stride%side)*float64(n) + float64(v)
			}
			out = append(out, order{"plane", key})
			stride *= side
		}
	}
	return out
}

// firstHalf puts the vertices with the least keys, up to half the ends, on
// side 0. Vertices without ends go where most of their channels lead.
func (p *cutGraph) firstHalf(key []float64) []uint8 {
	var list []int32
	for v, w := range p.weight {
		if w > 0 {
			list = append(list, int32(v))
		}
	}
	slices.SortFunc(list, func(a, b int32) int { return cmp.Or(cmp.Compare(key[a], key[b]), cmp.Compare(a, b)) })
	const unset = 2
	side := make([]uint8, p.vertices())
	for v := range side {
		side[v] = unset
	}
	sum := int64(0)
	for _, v := range list {
		side[v] = 1
		if sum < p.total/2 {
			side[v] = 0
		}
		sum += p.weight[v]
	}
	for left := true; left; {
		left = false
		progress := false
		for v := range side {
			if side[v] != unset {
				continue
			}
			var pull [3]int64
			for i := p.first[v]; i < p.first[v+1]; i++ {
				pull[side[p.to[i]]] += p.width[i]
			}
			if pull[0]+pull[1] == 0 {
				left = true
				continue
			}
			progress = true
			side[v] = 0
			if pull[1] > pull[0] {
				side[v] = 1
			}
		}
		if left && !progress {
			for v := range side {
				side[v] %= unset
			}
			break
		}
	}
	return side
}
