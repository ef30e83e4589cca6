package rounds

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/internal/splitmix"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// letter is a message of the slow simulation.
type letter struct {
	at, to, aim, wants int
	rounds             int
	wire               float64 // picoseconds
}

// slow simulates without failures or loss, one message after the other, with
// the random numbers of Run: what package documentation says, written down
// directly.
type slow struct {
	o       Options
	n1, n   int
	by      [][]*letter // by clique, in the order in which they came
	rounds  []int
	hops    []int
	most    []int
	load    []float64
	left    map[int]int
	letters []*letter
}

func (s *slow) pow(k int) int      { return int(math.Round(math.Pow(float64(s.n1), float64(k)))) }
func (s *slow) digit(v, k int) int { return v / s.pow(k-1) % s.n1 }
func (s *slow) spend(x *letter, k, n int) {
	x.rounds += n
	s.rounds[k] += n
}

func (s *slow) travel(x *letter, from, to, level int) float64 {
	if from == to || s.o.Wire == nil {
		return 0
	}
	if level > 0 && from/s.n1 == to/s.n1 {
		level = 0
	}
	return float64(s.o.Wire(int32(from), int32(to), level))
}

func (s *slow) cross(x *letter, ns float64) { x.wire = math.Floor(x.wire + ns*1000 + 0.5) }

func simulateSlowly(o Options) *Result {
	if err := o.check(); err != nil {
		panic(err)
	}
	l := o.Topology.Levels
	s := &slow{o: o, n1: o.Topology.Clique, left: map[int]int{}}
	s.n = s.pow(l)
	s.by = make([][]*letter, s.n/s.n1)
	s.rounds, s.hops, s.most, s.load = make([]int, l+1), make([]int, l+1), make([]int, l+1), make([]float64, l+1)
	s.write()
	if k := o.Valiant; k > 0 {
		size := s.pow(k)
		for c, list := range s.by {
			var rng stream
			rng.start(o.Seed, 0, c, 2)
			for _, x := range list {
				x.aim = c*s.n1/size*size + rng.below(size)
			}
		}
		for copy := range s.n / size {
			s.algorithm(k, copy, func(x *letter) int { return x.aim }, 1)
		}
	}
	s.algorithm(l, 0, func(x *letter) int { return x.to }, 2)
	return s.result()
}

func (s *slow) write() {
	var perm []int
	if s.o.Destinations == Permutation {
		for i := range s.n * s.o.Load {
			perm = append(perm, i/s.o.Load)
		}
		var rng stream
		rng.start(s.o.Seed, 0, 0, 1)
		for i := len(perm) - 1; i > 0; i-- {
			j := rng.below(i + 1)
			perm[i], perm[j] = perm[j], perm[i]
		}
	}
	for c := range s.by {
		var rng stream
		rng.start(s.o.Seed, 0, c, 0)
		for v := c * s.n1; v < (c+1)*s.n1; v++ {
			for range s.o.Load {
				x := &letter{at: v}
				if perm == nil {
					x.to = rng.below(s.n)
				} else {
					x.to = perm[len(s.letters)]
				}
				s.letters = append(s.letters, x)
				s.by[c] = append(s.by[c], x)
			}
		}
	}
}

func (s *slow) algorithm(k, copy int, to func(*letter) int, path uint64) {
	first, last := copy*s.pow(k-1), (copy+1)*s.pow(k-1)
	load := 0
	for _, list := range s.by[first:last] {
		load += len(list)
	}
	s.load[k] = max(s.load[k], float64(load)/float64(s.pow(k)))
	if k == 1 {
		for _, x := range s.by[copy] {
			x.wants = copy*s.n1 + s.digit(to(x), 1)
		}
		s.clique(copy, path)
		return
	}
	p := step(path, 0)
	for sub := copy * s.n1; sub < (copy+1)*s.n1; sub++ {
		var rng stream
		rng.start(s.o.Seed, k, sub, p)
		middle := map[*letter]int{}
		for c := sub * s.pow(k-2); c < (sub+1)*s.pow(k-2); c++ {
			for _, x := range s.by[c] {
				middle[x] = s.digit(to(x), k)
				if k > 2 {
					middle[x] += rng.below(s.pow(k-2)) * s.n1
				}
			}
		}
		s.algorithm(k-1, sub, func(x *letter) int { return middle[x] }, p)
	}
	s.hop(k, first, last, p)
	for sub := copy * s.n1; sub < (copy+1)*s.n1; sub++ {
		s.algorithm(k-1, sub, to, step(path, 1))
	}
}

// hop sends every message over an edge of level k.
func (s *slow) hop(k, first, last int, path uint64) {
	arrived := make([][]*letter, len(s.by))
	at := func(c int) [][]*letter {
		nodes := make([][]*letter, s.n1)
		for _, x := range s.by[c] {
			nodes[x.at%s.n1] = append(nodes[x.at%s.n1], x)
		}
		return nodes
	}
	if s.o.Topology.Bundled { // what is in its copy stays, and comes first
		for c := first; c < last; c++ {
			own := s.digit(c*s.n1, k)
			for _, x := range s.by[c] {
				if x.at%s.n1 == own {
					arrived[c] = append(arrived[c], x)
				}
			}
		}
	}
	for c := first; c < last; c++ {
		var rng, shared stream
		copyOf := c * s.n1 / s.pow(k-1)
		shared.start(s.o.Seed, 2*s.o.Topology.Levels+2+k, copyOf, path)
		edges := ascending(s.n1)
		for x := range edges {
			y := x + shared.below(s.n1-x)
			edges[x], edges[y] = edges[y], edges[x]
		}
		rng.start(s.o.Seed, s.o.Topology.Levels+2+k, c, path)
		for j, here := range at(c) {
			v := c*s.n1 + j
			i := s.digit(v, k)
			if s.o.Topology.Bundled && i == j {
				continue
			}
			width := s.n1 // messages in a round
			if capacity, given := s.o.Capacity[fmt.Sprintf("level%d", k)]; given {
				width = capacity
				if !s.o.Topology.Bundled {
					width *= s.n1
				}
			}
			for x := len(here) - 1; x > 0; x-- {
				y := rng.below(x + 1)
				here[x], here[y] = here[y], here[x]
			}
			for x, m := range here {
				e := edges[x%s.n1]
				if s.o.Topology.Bundled {
					e = i
				}
				to := s.along(v, k, e)
				s.spend(m, k, x/width+1)
				s.hops[k]++
				s.most[k] = max(s.most[k], x/width+1)
				s.cross(m, s.travel(m, v, to, k-1))
				m.at = to
				arrived[to/s.n1] = append(arrived[to/s.n1], m)
			}
		}
	}
	copy(s.by[first:last], arrived[first:last])
}

// along follows edge e of level k: (..., i, v_(k-1), ..., v_2, j) to (..., j, e, v_(k-1),
// ..., v_2).
func (s *slow) along(v, k, e int) int {
	var digits []int // the lowest first
	for i := 1; i <= s.o.Topology.Levels; i++ {
		digits = append(digits, s.digit(v, i))
	}
	to := slices.Clone(digits)
	copy(to[:k-2], digits[1:k-1])
	to[k-2], to[k-1] = e, digits[0]
	out := 0
	for i := range to {
		out += to[i] * s.pow(i)
	}
	return out
}

// clique brings all messages of a clique to where they want to go.
func (s *slow) clique(c int, path uint64) {
	var rng stream
	rng.start(s.o.Seed, 1, c, path)
	type link struct{ from, to int }
	on := map[link]*letter{}
	wanted := map[link]int{}
	var rest []*letter
	for _, x := range s.by[c] {
		l := link{x.at, x.wants}
		wanted[l]++
		if n := wanted[l]; n == 1 {
			on[l] = x
		} else if rng.below(n) == 0 {
			rest, on[l] = append(rest, on[l]), x
		} else {
			rest = append(rest, x)
		}
	}
	if len(s.by[c]) > 0 {
		s.left[0] += len(s.by[c])
		s.left[1] += len(rest)
		s.most[1] = max(s.most[1], 1)
	}
	for _, x := range s.by[c] {
		s.spend(x, 1, 1)
	}
	for l, x := range on {
		s.hops[1]++
		s.cross(x, s.travel(x, l.from, l.to, 0))
		x.at = l.to
	}
	extra := 0
	if s.o.Reading.Handshake && s.o.Mode == Dense {
		extra = 2
	}
	slices.SortStableFunc(rest, func(a, b *letter) int { return a.at - b.at })
	for phase := 1; len(rest) > 0; phase++ {
		rest = s.phase(&rng, c, rest, 2*phase+extra, s.o.Reading.copies(phase))
		s.left[phase+1] += len(rest)
		s.most[1] = max(s.most[1], 1+2*phase+extra)
	}
}

// phase asks relays for the messages left, sorted by the nodes that hold them,
// and returns those that are left then.
func (s *slow) phase(rng *stream, c int, rest []*letter, spent, copies int) []*letter {
	type service struct{ relay, to int }
	taken := map[service]*letter{}
	requests := map[*letter][]service{}
	count := map[service]int{}
	for i := 0; i < len(rest); {
		j := i
		for j < len(rest) && rest[j].at == rest[i].at {
			j++
		}
		mine := rest[i:j]
		k := copies
		if !s.o.Reading.Unbalanced {
			if len(mine) > s.n1 {
				for x := range s.n1 {
					y := x + rng.below(len(mine)-x)
					mine[x], mine[y] = mine[y], mine[x]
				}
				mine = mine[:s.n1]
			}
			k = max(1, min(k, s.n1/len(mine)))
		}
		pool, drawn := ascending(s.n1), 0
		for _, x := range mine {
			if s.o.Reading.Unbalanced {
				drawn = 0
			}
			for range k {
				y := drawn + rng.below(s.n1-drawn)
				pool[drawn], pool[y] = pool[y], pool[drawn]
				q := service{c*s.n1 + pool[drawn], x.wants}
				drawn++
				requests[x] = append(requests[x], q)
				count[q]++
				if n := count[q]; n == 1 || rng.below(n) == 0 {
					taken[q] = x
				}
			}
		}
		i = j
	}
	var left []*letter
	for _, x := range rest {
		best, found := math.Inf(1), false
		for _, q := range requests[x] {
			if s.o.Mode == Light {
				s.hops[1]++
			}
			if taken[q] != x || found && s.o.Mode == Dense {
				continue
			}
			s.hops[1]++
			there := s.travel(x, x.at, q.relay, 0)
			ns := there + s.travel(x, q.relay, x.wants, 0)
			if s.o.Mode == Dense {
				s.hops[1]++
				if s.o.Reading.Handshake {
					ns += 2 * there
				}
			}
			best, found = min(best, ns), true
		}
		if !found {
			left = append(left, x)
			continue
		}
		s.spend(x, 1, spent)
		s.cross(x, best)
		x.at = x.wants
	}
	return left
}

func ascending(n int) []int {
	x := make([]int, n)
	for i := range x {
		x[i] = i
	}
	return x
}

func (s *slow) result() *Result {
	m := float64(len(s.letters))
	r := &Result{Nodes: s.n, Messages: int64(len(s.letters)), SentMax: s.o.Load}
	received := make([]int, s.n)
	for k := 1; k <= s.o.Topology.Levels; k++ {
		l := Level{k, s.most[k], float64(s.rounds[k]) / m, s.load[k], float64(s.hops[k]) / m}
		r.Levels = append(r.Levels, l)
		r.Rounds += l.AvgRounds
		r.Hops += l.AvgHops
	}
	for phase := range len(s.left) {
		r.RemainingByPhase = append(r.RemainingByPhase, int64(s.left[phase]))
	}
	var delays []float64
	sum, wires := 0.0, 0.0
	for _, x := range s.letters {
		if x.at == x.to {
			r.Delivered++
			received[x.to]++
		}
		r.RoundsMax = max(r.RoundsMax, x.rounds)
		d := x.wire + float64(x.rounds+1)*math.Round(float64(s.o.Alpha)*1000)
		delays = append(delays, d/1000)
		sum += d
		wires += x.wire
	}
	r.ReceivedMax = slices.Max(received)
	slices.Sort(delays)
	at := func(share float64) units.Time {
		return units.Time(delays[int(math.Ceil(share*m))-1])
	}
	r.Delay = Delay{units.Time(sum / m / 1000), at(0.5), at(0.99), at(1), units.Time(wires / m / 1000)}
	return r
}

func drawOptions(t *rapid.T) Options {
	s := topology.CLEX{
		Clique:  rapid.IntRange(2, 9).Draw(t, "clique"),
		Bundled: rapid.Bool().Draw(t, "bundled"),
	}
	most := 1
	for n := s.Clique; n*s.Clique <= 300; n *= s.Clique {
		most++
	}
	s.Levels = rapid.IntRange(1, most).Draw(t, "levels")
	capacity := map[string]int{}
	for k := 2; k <= s.Levels; k++ {
		if rapid.Bool().Draw(t, "given") {
			capacity[fmt.Sprintf("level%d", k)] = rapid.IntRange(1, 2*s.Clique).Draw(t, "capacity")
		}
	}
	o := Options{
		Capacity:     capacity,
		Topology:     s,
		Mode:         rapid.SampledFrom([]Mode{Dense, Light}).Draw(t, "mode"),
		Load:         rapid.IntRange(1, 3*s.Clique).Draw(t, "load"),
		Destinations: rapid.SampledFrom([]Destinations{Uniform, Permutation}).Draw(t, "destinations"),
		Valiant:      rapid.IntRange(0, s.Levels).Draw(t, "valiant"),
		Seed:         rapid.Uint64().Draw(t, "seed"),
		Workers:      rapid.IntRange(1, 3).Draw(t, "workers"),
		Alpha:        units.Time(rapid.IntRange(0, 20).Draw(t, "alpha")),
		Reading: Reading{
			Copies:     rapid.IntRange(0, 3).Draw(t, "copies"),
			CopyGrowth: rapid.SampledFrom([]float64{1, 1.5, 3}).Draw(t, "growth"),
			CopyLimit:  rapid.IntRange(0, 4).Draw(t, "limit"),
			Unbalanced: rapid.Bool().Draw(t, "unbalanced"),
			Handshake:  rapid.Bool().Draw(t, "handshake"),
		},
	}
	if rapid.Bool().Draw(t, "wire") {
		o.Wire = func(from, to int32, level int) units.Time {
			return units.Time(splitmix.Mix(uint64(from)<<40|uint64(to)<<8|uint64(level))%4096) / 16
		}
	}
	return o
}

// Run gives to the last digit what the slow simulation gives with the same
// random numbers.
func TestAgainstSlowSimulation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := drawOptions(t)
		got, err := Run(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(simulateSlowly(o), got, near); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestLeastMachineAgainstSlowSimulation: two cliques of two nodes, a message each, in dense mode; as many messages
// remain by phase, and as many hops are made, as when every message is followed by itself.
func TestLeastMachineAgainstSlowSimulation(t *testing.T) {
	o := Options{
		Topology:     topology.CLEX{Clique: 2, Levels: 2},
		Mode:         Dense,
		Load:         1,
		Destinations: Uniform,
		Workers:      1,
		Reading:      Reading{CopyGrowth: 1},
	}
	got, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(simulateSlowly(o), got, near); diff != "" {
		t.Error(diff)
	}
	if got.Delivered != 4 || got.Lost != 0 {
		t.Errorf("%d delivered, %d lost of 4", got.Delivered, got.Lost)
	}
}

// near allows sums in another order.
var near = cmp.Options{
	cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Max(math.Abs(a), math.Abs(b)) }),
	cmp.Comparer(func(a, b units.Time) bool { return math.Abs(float64(a-b)) <= 1e-12*math.Abs(float64(a)) }),
}

// TestSmallTwin is the table's machine in small, C(3) of 16-cliques at 90 %
// load, with everything that the tables list.
func TestSmallTwin(t *testing.T) {
	for _, o := range []Options{{Load: 14}, {Load: 2, Mode: Light}} {
		o.Topology = topology.CLEX{Clique: 16, Levels: 3}
		o.Seed = 7
		got, err := Run(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(simulateSlowly(o), got, near); diff != "" {
			t.Error(diff)
		}
	}
}
