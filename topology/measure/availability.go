package measure

import (
	"context"
	"math/rand/v2"

	"github.com/plenum-planner/plenum/topology"
)

// Detour is what the failure of one link or router means for two others.
type Detour struct {
	Extra  int `json:"extra_hops"` // hops more than before, -1 if no path is left
	Routes int `json:"routes"`     // paths with the fewest hops that are left, which share no link
}

// LinkDetour returns the detour from end A to end B of a link, by its number from
// 0 in the order of Links, if the whole link fails. Detours do not lead through
// terminals. Extra is -1 if no path is left and for a number without a link.
func LinkDetour(g topology.Graph, link int) Detour {
	i := 0
	for l := range g.Links() {
		if i == link {
			d := newDetours(g)
			d.withoutLink = int32(link)
			return d.detour(l.A, l.B, 1)
		}
		i++
	}
	return Detour{Extra: -1}
}

// NodeDetour returns the detour from one vertex to another if a third fails. Extra
// is -1 if no path is left, or there was none before.
func NodeDetour(g topology.Graph, from, to, failed int) Detour {
	d := newDetours(g)
	_, before := d.find(from, to)
	d.withoutVertex = int32(failed)
	return d.detour(int32(from), int32(to), before)
}

// detours finds detours in one graph.
type detours struct{ *minimalFinder }

func newDetours(g topology.Graph) detours {
	role := roles(g)
	return detours{newMinimalFinder(topology.NewCSR(g), func(v int) bool { return role[v] != topology.Terminal })}
}

func (d detours) detour(from, to int32, before int) Detour {
	paths, hops := d.find(int(from), int(to))
	if hops < 0 {
		return Detour{Extra: -1}
	}
	return Detour{hops - before, DisjointPaths(paths, paths.Vertices()-1, 0, DisjointOptions{})}
}

// DetourStats sums up the detours round failed links, or round failed routers.
type DetourStats struct {
	Failures int `json:"failures"` // links or routers that were let fail, one at a time
	Pairs    int `json:"pairs"`    // ordered pairs whose detour was looked for
	// Exact is whether every failure was looked at, or one for all that are alike by symmetry; if not, some drawn at
	// random.
	Exact bool `json:"exact"`
	Lost  int  `json:"lost"` // pairs without any path left
	// Worst is the detour with the most extra hops, and of those with the fewest routes.
	Worst Detour `json:"worst"`
	// ExtraMean is hops more than before, mean over pairs that have a path left.
	ExtraMean float64 `json:"extra_hops_mean"`
	// RoutesMean is paths with the fewest hops that are left and share no link, mean over the same pairs.
	RoutesMean float64 `json:"routes_mean"`
}

// Availability says what the failure of a single link or router means for the
// pairs that it joined (S. Li, P.-C. Huang and B. Jacob, "Low latency, high
// bisection-bandwidth networks for exascale memory systems", MEMSYS 2016,
// section 2).
type Availability struct {
	// Links is between the two ends of a failed link, in the directions that it served; links to terminals are left
	// out, for nothing replaces them.
	Links DetourStats `json:"links"`
	// Routers is between the neighbours of a failed router, every two that are two hops apart; terminals are not
	// neighbours here.
	Routers DetourStats `json:"routers"`
}

// AvailabilityOptions says how much to look at.
type AvailabilityOptions struct {
	// MaxPairs bounds the pairs of either kind; of more failures, so many are
	// drawn that their pairs come near it. Zero means 20,000.
	MaxPairs int
	// Seed selects the failures drawn.
	Seed uint64
}

// MeasureAvailability fails the links and the routers of g, one at a time: every
// link, or some drawn; of routers one of each orbit, or some of these drawn, whose
// means count each orbit by its size. The error is that of ctx.
func MeasureAvailability(ctx context.Context, g topology.Graph, opt AvailabilityOptions) (*Availability, error) {
	if opt.MaxPairs == 0 {
		opt.MaxPairs = 20_000
	}
	m := &availability{ctx: ctx, detours: newDetours(g), role: roles(g), opt: opt, g: g}
	a := &Availability{}
	if err := m.links(&a.Links); err != nil {
		return nil, err
	}
	if err := m.routers(&a.Routers); err != nil {
		return nil, err
	}
	return a, nil
}

type availability struct {
	detours
	ctx  context.Context
	g    topology.Graph
	role []topology.Role
	opt  AvailabilityOptions
}

// tally adds up the figures of DetourStats.
type tally struct {
	*DetourStats
	weight, extra, routes float64
}

func (t *tally) add(d Detour, weight int) {
	t.Pairs++
	if d.Extra < 0 {
		t.Lost++
		return
	}
	if t.weight == 0 || d.Extra > t.Worst.Extra || d.Extra == t.Worst.Extra && d.Routes < t.Worst.Routes {
		t.Worst = d
	}
	t.weight += float64(weight)
	t.extra += float64(weight * d.Extra)
	t.routes += float64(weight * d.Routes)
}

func (t *tally) finish() {
	if t.weight > 0 {
		t.ExtraMean, t.RoutesMean = t.extra/t.weight, t.routes/t.weight
	}
}

// links sums up the detours around each link between routers, or around as many drawn ones as half of MaxPairs.
func (m *availability) links(s *DetourStats) error {
	between := func(l topology.Link) bool {
		return m.role[l.A] != topology.Terminal && m.role[l.B] != topology.Terminal
	}
	left := 0 // links that are not yet decided
	for l := range m.g.Links() {
		if between(l) {
			left++
		}
	}
	take := min(left, max(m.opt.MaxPairs/2, 1))
	t := tally{DetourStats: s}
	s.Exact = take == left
	rng := rand.New(rand.NewPCG(m.opt.Seed, 2))
	i := int32(0)
	for l := range m.g.Links() {
		if between(l) {
			// Each of those left is as likely as any other (selection sampling).
			if rng.IntN(left) < take {
				if err := m.ctx.Err(); err != nil {
					return err
				}
				take--
				s.Failures++
				m.withoutLink = i
				t.add(m.detour(l.A, l.B, 1), 1)
				if !l.Simplex {
					t.add(m.detour(l.B, l.A, 1), 1)
				}
			}
			left--
		}
		i++
	}
	m.withoutLink = -1
	t.finish()
	return nil
}

// routers sums up the detours around one router of each orbit, between its neighbours that have no link of their own;
// of more than MaxPairs pairs it draws routers.
func (m *availability) routers(s *DetourStats) error {
	list := representatives(m.g, m.role)
	pairs := 0
	for _, o := range list {
		pairs += len(m.in.Neighbours(o.Vertex)) * len(m.out.Neighbours(o.Vertex))
	}
	s.Exact = true
	if pairs > m.opt.MaxPairs && len(list) > 1 {
		s.Exact = false
		rng := rand.New(rand.NewPCG(m.opt.Seed, 3))
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		list = list[:max(1, int(float64(len(list))*float64(m.opt.MaxPairs)/float64(pairs)))]
	}
	t := tally{DetourStats: s}
	near := make([]bool, len(m.role))
	for _, o := range list {
		s.Failures++
		m.withoutVertex = int32(o.Vertex)
		for _, from := range m.in.Neighbours(o.Vertex) {
			if err := m.ctx.Err(); err != nil {
				return err
			}
			for _, w := range m.out.Neighbours(int(from)) {
				near[w] = true
			}
			for _, to := range m.out.Neighbours(o.Vertex) {
				if from != to && !near[to] && m.role[from] != topology.Terminal && m.role[to] != topology.Terminal {
					t.add(m.detour(from, to, 2), o.Size)
				}
			}
			for _, w := range m.out.Neighbours(int(from)) {
				near[w] = false
			}
		}
	}
	m.withoutVertex = -1
	t.finish()
	return nil
}

// representatives lists the routers, one of each orbit where the graph knows
// them.
func representatives(g topology.Graph, role []topology.Role) []topology.Orbit {
	if sym, ok := g.(topology.Symmetric); ok {
		return append([]topology.Orbit(nil), sym.Orbits()...)
	}
	var list []topology.Orbit
	for v, r := range role {
		if r != topology.Terminal {
			list = append(list, topology.Orbit{Vertex: v, Size: 1})
		}
	}
	return list
}
