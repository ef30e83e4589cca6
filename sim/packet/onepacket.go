package packet

import (
	"context"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/parallel"
	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/topology"
)

// OnePacketOptions say between which terminals single packets are sent.
type OnePacketOptions struct {
	// Pairs is how many ordered pairs of different terminals are drawn at random, if there are more, 2^31-1 at most.
	// When 0, all pairs are taken up to AllPairs, and DrawnPairs are drawn above.
	Pairs int
	// Planned, if set, is the delay that a plan states for the path of a packet between two terminals, in cycles. It
	// may be asked by several goroutines at once.
	Planned func(src, dst int32) (float64, error)
	// Progress, if set, receives how many packets of how many have been sent.
	Progress func(done, total int)
}

// The pairs of a OnePacketOptions that says nothing else.
const (
	AllPairs   = 1 << 17
	DrawnPairs = 1 << 16
)

// Check says what is wrong with the options, as diag.FieldErrors.
func (o OnePacketOptions) Check() error {
	var wrong diag.FieldErrors
	inRange(&wrong, "Pairs", o.Pairs, 0, math.MaxInt32)
	return wrong.Err()
}

// OnePacket is what single packets take, each sent when the one before has arrived and left no trace: the latency at no
// load, over ordered pairs of different terminals.
type OnePacket struct {
	Pairs int64 `json:"pairs"` // those between which a packet was sent
	Exact bool  `json:"exact"` // whether these are all; if not, they were drawn at random
	// Undeliverable is pairs without a path, which no figure counts; left out where there are none.
	Undeliverable int64 `json:"undeliverable,omitempty"`
	// Links is links of a path, those of the terminals included, mean over the pairs.
	Links float64 `json:"links_mean"`
	// Routers is routers that a packet traverses, those of its source and destination included, mean over the pairs.
	Routers float64 `json:"routers_mean"`
	// Latency is from the creation of a packet to the arrival of its last phit.
	Latency Latency `json:"latency_cycles"`
	// Planned is what the plan states for the same paths; left out without a plan.
	Planned *PlannedPaths `json:"planned_cycles,omitempty"`
}

// PlannedPaths are delays of paths as a plan states them, in cycles, without the length of a packet.
type PlannedPaths struct {
	Mean float64 `json:"mean"` // over the pairs
	Max  float64 `json:"max"`  // the greatest of any pair
	// Slower is by how much the latency less serialisation exceeds the planned delay at most, in cycles a link of the
	// path. Links take whole cycles, rounded up.
	Slower float64 `json:"slower_max"`
	// Faster is by how much it falls below the planned delay at most, in cycles a path.
	Faster float64 `json:"faster_max"`
}

// onePacketBlock is how many pairs one engine takes at a time.
const onePacketBlock = 1 << 10

// pairSum is what a block of pairs adds up to. Blocks are added up in their order, so that the sums are the same on any
// number of cores.
type pairSum struct {
	window
	undeliverable  int64
	links, routers float64
	squares        float64 // of latencies
	planned        PlannedPaths
}

// SendOnePacket sends one packet at a time between every ordered pair of terminals, or between a sample of pairs that
// the seed draws. The packet takes the path that routing.Path takes with the same seed. Errors
// are those of opt.Check, of Check, of packets that cannot be delivered, and of ctx.
func SendOnePacket(ctx context.Context, cfg Config, opt OnePacketOptions) (*OnePacket, error) {
	if err := opt.Check(); err != nil {
		return nil, err
	}
	if _, _, err := Check(cfg); err != nil {
		return nil, err
	}
	pairs := newPairList(cfg.Network, opt.Pairs, cfg.Seed)
	blocks := (pairs.count + onePacketBlock - 1) / onePacketBlock
	probes := make([]*probe, max(1, parallel.Cores(int(blocks))))
	for i := range probes {
		var err error
		if probes[i], err = newProbe(cfg, opt.Planned); err != nil {
			return nil, err
		}
	}
	var lock sync.Mutex
	done := 0
	sums := make([]pairSum, blocks)
	err := parallel.With(ctx, probes, int(blocks), func(ctx context.Context, p *probe, block int) error {
		from := int64(block) * onePacketBlock
		to := min(from+onePacketBlock, pairs.count)
		if err := p.send(ctx, &pairs, from, to, &sums[block]); err != nil || opt.Progress == nil {
			return err
		}
		lock.Lock()
		defer lock.Unlock()
		done += int(to - from)
		opt.Progress(done, int(pairs.count))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return probes[0].result(pairs.exact, sums), nil
}

// pairList is ordered pairs of different terminals that work.
type pairList struct {
	terminals []int32
	count     int64
	exact     bool
	drawn     [][2]int32 // where not exact
}

func newPairList(n *routing.Network, most int, seed uint64) pairList {
	var l pairList
	for t, home := range n.Home {
		if home >= 0 {
			l.terminals = append(l.terminals, int32(t))
		}
	}
	all := int64(len(l.terminals)) * int64(max(len(l.terminals)-1, 0))
	if most == 0 && all > AllPairs {
		most = DrawnPairs
	}
	if l.exact = most == 0 || all <= int64(most); l.exact {
		l.count = all
		return l
	}
	l.count = int64(most)
	rng := rand.New(rand.NewPCG(seed, 0x6f6e65))
	for range l.count {
		l.drawn = append(l.drawn, l.number(rng.Int64N(all)))
	}
	return l
}

// number is a pair of all.
func (l *pairList) number(i int64) [2]int32 {
	others := int64(len(l.terminals) - 1)
	src, dst := i/others, i%others
	if dst >= src {
		dst++
	}
	return [2]int32{l.terminals[src], l.terminals[dst]}
}

func (l *pairList) at(i int64) [2]int32 {
	if l.exact {
		return l.number(i)
	}
	return l.drawn[i]
}

// probe sends packets over a network of its own. It is a traffic.Workload, whose tasks are the terminals that work.
type probe struct {
	*engine
	crew    *crew
	given   routing.Function
	gap     int64 // cycles until all room that a packet has left is known to be free
	planned func(src, dst int32) (float64, error)
	task    []int32 // by terminal
	pairs   *pairList
	next    int64 // pair
	end     int64
	sent    int64 // messages so far
	before  int64 // sum of latencies
	sum     *pairSum
	path    []int32
	failed  error
}

// newProbe prepares the sending of single packets from all terminals that have not failed.
func newProbe(cfg Config, planned func(src, dst int32) (float64, error)) (*probe, error) {
	if _, err := planEngine(cfg); err != nil { // of the routing function as it is
		return nil, err
	}
	given := cfg.Routing
	cfg.Cores, cfg.Routing = 1, routing.NewUnloaded(cfg.Network, given, cfg.Seed)
	e, err := newEngine(cfg)
	if err != nil {
		return nil, err
	}
	p := &probe{
		engine: e, given: given, gap: e.longest(), planned: planned, task: make([]int32, cfg.Network.Terminals()),
	}
	var place []int32
	for t, home := range cfg.Network.Home {
		if home >= 0 {
			p.task[t] = int32(len(place))
			place = append(place, int32(t))
		}
	}
	if err := e.startJob(nothing(len(place)), place); err != nil {
		return nil, err
	}
	e.job, p.crew = p, newCrew(e)
	return p, nil
}

// nothing is a workload of tasks that send nothing.
type nothing int

func (n nothing) Tasks() int                                         { return int(n) }
func (nothing) Start(func(traffic.Message))                          {}
func (nothing) Delivered(_ traffic.Message, _ func(traffic.Message)) {}

// send sends the packets of some pairs, one after the other.
func (p *probe) send(ctx context.Context, pairs *pairList, from, to int64, sum *pairSum) error {
	p.pairs, p.next, p.end, p.sum, p.failed = pairs, from, to, sum, nil
	p.stats.clear()
	p.before = 0
	p.Start(p.emit)
	for p.unsettled > 0 {
		if err := p.crew.step(ctx); err != nil {
			return err
		}
	}
	sum.merge(&p.stats.window)
	return p.failed
}

// Tasks implements traffic.Workload.
func (p *probe) Tasks() int { return len(p.place) }

// Start implements traffic.Workload: it sends the next packet that can be delivered.
func (p *probe) Start(emit func(traffic.Message)) {
	for ; p.next < p.end && p.failed == nil; p.next++ {
		pair := p.pairs.at(p.next)
		var err error
		from, to := p.net.Home[pair[0]], p.net.Home[pair[1]]
		if p.path = p.path[:0]; from != to {
			p.path, err = routing.Path(p.net, p.given, from, to, p.cfg.Seed, p.path)
		}
		if err != nil {
			p.sum.undeliverable++
			continue
		}
		emit(traffic.Message{ID: p.sent, Src: p.task[pair[0]], Dst: p.task[pair[1]], Bytes: 1, Delay: p.gap})
		p.sent++
		return
	}
}

// Delivered implements traffic.Workload.
func (p *probe) Delivered(_ traffic.Message, emit func(traffic.Message)) {
	latency := float64(p.stats.latency - p.before)
	p.before = p.stats.latency
	pair := p.pairs.at(p.next)
	links := float64(len(p.path))
	for _, t := range pair {
		if p.net.TerminalLink[t] >= 0 {
			links++
		}
	}
	kinds := p.net.Graph.Kinds()
	role := func(t int32) topology.Role { return kinds[topology.KindOf(kinds, int(p.net.Terminal[t]))].Role }
	p.sum.links += links
	p.sum.routers += topology.TraversedRouters(links, role(pair[0]), role(pair[1]))
	p.sum.squares += float64(latency * latency)
	if p.planned != nil {
		cycles, err := p.planned(pair[0], pair[1])
		if err != nil {
			p.failed = err
		}
		q := &p.sum.planned
		q.Mean += cycles
		q.Max = max(q.Max, cycles)
		off := latency - p.serialisation(float64(len(p.path))) - p.added(pair) - cycles
		q.Slower = max(q.Slower, off/links)
		q.Faster = max(q.Faster, -off)
	}
	p.next++
	p.Start(emit)
}

// added is the cycles of a pair that the options add to those of a plan.
func (p *probe) added(pair [2]int32) float64 {
	cycles := p.cfg.Inject + p.cfg.Eject
	for _, t := range pair {
		if p.net.TerminalLink[t] < 0 {
			cycles += p.cfg.NodeLink
		}
	}
	return float64(cycles)
}

// result adds up blocks of pairs.
func (p *probe) result(exact bool, sums []pairSum) *OnePacket {
	out := &OnePacket{Exact: exact}
	var all pairSum
	for i := range sums {
		s := &sums[i]
		all.merge(&s.window)
		out.Undeliverable += s.undeliverable
		all.links, all.routers, all.squares = all.links+s.links, all.routers+s.routers, all.squares+s.squares
		q := &all.planned
		q.Mean, q.Max = q.Mean+s.planned.Mean, max(q.Max, s.planned.Max)
		q.Slower, q.Faster = max(q.Slower, s.planned.Slower), max(q.Faster, s.planned.Faster)
	}
	if out.Pairs = all.packets; out.Pairs == 0 {
		return out
	}
	n := float64(out.Pairs)
	out.Links, out.Routers, out.Latency = all.links/n, all.routers/n, p.latencies(&all.window)
	if !exact {
		variance := max(0, all.squares/n-float64(out.Latency.Mean*out.Latency.Mean))
		out.Latency.HalfWidth = 1.96 * math.Sqrt(variance/n)
	}
	if p.planned != nil {
		all.planned.Mean /= n
		out.Planned = &all.planned
	}
	return out
}
