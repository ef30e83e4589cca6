package throughput

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"iter"
	"math"
	"math/bits"
	"slices"
	"sync"

	"github.com/plenum-planner/plenum/topology"
)

// network has the vertices that forward, and what is attached to them. channels and ports are Bound.Channels and
// Bound.Ports.
type network struct {
	forwards *topology.CSR // arcs between vertices that forward
	ends     []end
	channels int64
	ports    int64
}

// end is all terminals that are attached to the same switches with the same numbers of channels, or a node that
// forwards. If terminals have one port, there is one end for each switch with terminals.
type end struct {
	at    []int32 // switches, or the node itself if it forwards
	ports int64   // of all terminals
	// terminals are their vertices, in order.
	terminals []int32
}

// forwarding is the part of a graph that forwards, with the vertices of all.
type forwarding struct {
	topology.Graph
	terminal []bool
}

// Links yields those between vertices that forward.
func (f *forwarding) Links() iter.Seq[topology.Link] {
	return func(yield func(topology.Link) bool) {
		for l := range f.Graph.Links() {
			if !f.terminal[l.A] && !f.terminal[l.B] && !yield(l) {
				return
			}
		}
	}
}

// attachment is a port of a terminal.
type attachment struct {
	terminal, at int32
	width        int64
}

func newNetwork(ctx context.Context, g topology.Graph) (*network, error) {
	n := &network{}
	f := &forwarding{g, make([]bool, topology.Vertices(g))}
	for _, k := range g.Kinds() {
		for v := k.First; v < k.First+k.Count; v++ {
			f.terminal[v] = k.Role == topology.Terminal
			if k.Role == topology.Node {
				n.ends = append(n.ends, end{at: []int32{int32(v)}, ports: 1, terminals: []int32{int32(v)}})
			}
		}
	}
	var attached []attachment
	levels := g.Levels()
	for l := range g.Links() {
		channels := int64(l.Channels(levels))
		switch a, b := f.terminal[l.A], f.terminal[l.B]; {
		case a && b:
		case a:
			attached = append(attached, attachment{l.A, l.B, channels})
		case b:
			attached = append(attached, attachment{l.B, l.A, channels})
		case l.Simplex:
			n.channels += channels
		default:
			n.channels += 2 * channels
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	n.attach(attached)
	if len(n.ends) == 0 {
		return nil, errors.New("there are no nodes or terminals that send")
	}
	for i := range n.ends {
		n.ports += n.ends[i].ports
	}
	n.forwards = topology.NewCSR(f)
	return n, nil
}

// attach adds an end for each set of terminals with the same attachments, in the order of their first terminals. It
// sorts attached.
func (n *network) attach(attached []attachment) {
	slices.SortStableFunc(attached, func(x, y attachment) int {
		return cmp.Or(cmp.Compare(x.terminal, y.terminal), cmp.Compare(x.at, y.at))
	})
	known := map[string]int{}
	var key []byte
	for from := 0; from < len(attached); {
		to := from
		key = key[:0]
		e := end{}
		for ; to < len(attached) && attached[to].terminal == attached[from].terminal; to++ {
			a := attached[to]
			key = binary.AppendVarint(binary.AppendVarint(key, int64(a.at)), a.width)
			e.at = append(e.at, a.at)
			e.ports += a.width
		}
		i, ok := known[string(key)]
		if !ok {
			i = len(n.ends)
			known[string(key)] = i
			n.ends = append(n.ends, end{at: slices.Compact(e.at)})
		}
		n.ends[i].ports += e.ports
		n.ends[i].terminals = append(n.ends[i].terminals, attached[from].terminal)
		from = to
	}
}

// bySymmetry sets the bounds of b if the graph knows that some symmetry takes any switch with terminals to any other;
// if not, it reports false. As many of these then lie at the greatest distance of each as each lies at that of others,
// so there is a permutation of which all pairs are at that distance (P. Hall's theorem), and none can be worse.
func (n *network) bySymmetry(ctx context.Context, g topology.Graph, b *Bound) (bool, error) {
	s, ok := g.(topology.Symmetric)
	if !ok {
		return false, nil
	}
	at := make(map[int32]int, len(n.ends)) // end by switch
	for i := range n.ends {
		if len(n.ends[i].at) > 1 || n.ends[i].ports != n.ends[0].ports {
			return false, nil
		}
		at[n.ends[i].at[0]] = i
	}
	from := -1
	for _, o := range s.Orbits() {
		if _, carries := at[int32(o.Vertex)]; carries {
			if from >= 0 || o.Size != len(n.ends) {
				return false, nil
			}
			from = o.Vertex
		}
	}
	if from < 0 {
		return false, nil
	}
	dist := make([]int32, n.forwards.Vertices())
	topology.HopDistances(n.forwards, from, dist, nil)
	sum, most, connected := 0.0, int32(0), true
	for v := range at {
		sum += float64(dist[v])
		most = max(most, dist[v])
		connected = connected && dist[v] >= 0
	}
	if !connected {
		sum, most = math.Inf(1), math.MaxInt32
		b.worst(sum)
		b.uniform(sum)
		return true, ctx.Err()
	}
	ports := float64(n.ends[0].ports)
	b.uniform(sum * ports * float64(b.Ports))
	b.worst(float64(b.Ports) * float64(most))
	return true, ctx.Err()
}

// matrix has the hops from every end to every other, at most unreachable-1; unreachable without a path.
type matrix struct {
	side int
	of   []uint8
}

func (m *matrix) row(u int) []uint8 { return m.of[u*m.side : (u+1)*m.side] }

// distances searches from 64 ends together, bit by bit, on all cores.
func (n *network) distances(ctx context.Context) (*matrix, error) {
	m := &matrix{side: len(n.ends), of: make([]uint8, len(n.ends)*len(n.ends))}
	for i := range m.of {
		m.of[i] = unreachable
	}
	attached := make([][]int32, n.forwards.Vertices()) // ends by switch
	for i := range n.ends {
		for _, v := range n.ends[i].at {
			attached[v] = append(attached[v], int32(i))
		}
	}
	batches := make(chan int)
	var all sync.WaitGroup
	for range cores() {
		all.Go(func() {
			s := &search{network: n, attached: attached, matrix: m}
			for first := range batches {
				s.run(first)
			}
		})
	}
	for first := 0; first < len(n.ends) && ctx.Err() == nil; first += 64 {
		batches <- first
	}
	close(batches)
	all.Wait()
	return m, ctx.Err()
}

// search is from ends first to first+63: a bit for each of them at every vertex.
type search struct {
	*network
	*matrix
	attached         [][]int32
	seen, front, now []uint64
}

func (s *search) run(first int) {
	count := s.forwards.Vertices()
	s.seen, s.front, s.now = zeros(s.seen, count), zeros(s.front, count), zeros(s.now, count)
	for i := first; i < min(first+64, s.side); i++ {
		for _, v := range s.ends[i].at {
			s.front[v] |= 1 << (i - first)
		}
	}
	for hops := 0; ; hops++ {
		moved := false
		for v, b := range s.front {
			if b &^= s.seen[v]; b == 0 {
				s.front[v] = 0
				continue
			}
			moved = true
			s.front[v] = b
			s.seen[v] |= b
			for _, to := range s.attached[v] {
				s.reach(first, int(to), b, uint8(min(hops, unreachable-1)))
			}
		}
		if !moved {
			return
		}
		for v, b := range s.front {
			if b != 0 {
				for _, w := range s.forwards.Neighbours(v) {
					s.now[w] |= b
				}
			}
		}
		s.front, s.now = s.now, s.front
		clear(s.now)
	}
}

// reach lowers the distances to end to, from the ends first+i for the bits i of from, to hops.
func (s *search) reach(first, to int, from uint64, hops uint8) {
	for ; from != 0; from &= from - 1 {
		at := (first+bits.TrailingZeros64(from))*s.side + to
		s.of[at] = min(s.of[at], hops)
	}
}

// zeros returns n zeros, in the space of old ones if there is enough.
func zeros(old []uint64, n int) []uint64 {
	if cap(old) < n {
		return make([]uint64, n)
	}
	clear(old[:n])
	return old[:n]
}
