package packet

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/topology"
)

// slowWorm is wormhole switching phit by phit and cycle by cycle, without anything of
// the engine: every phit is a value with the cycle in which it may go on, every cycle
// looks at every switch. It knows routing functions with one hop and no chance only,
// and the arbiters RoundRobin and Age.
type slowWorm struct {
	cfg    Config
	now    int64
	inputs [][]*slowInput // by router: its channels, then its terminals
	behind []*slowInput   // by channel
	own    []*slowInput   // by terminal: what it sends into
	last   map[int]int    // by output: input that was served last
	eating []*slowFlight  // by terminal: packet that it takes
	queue  [][]*slowFlight
	ended  map[int64]int64
}

type slowFlight struct {
	routing.Header
	id, made int64
	src, dst int32
	vc       int // at the terminal
	sent     int // by the terminal
}

type slowPhit struct {
	of    *slowFlight
	ready int64
	head  bool
	tail  bool
}

type slowInput struct {
	lanes []*slowLane
	turn  int
	delay int64 // of a phit to it
	back  int64 // of room to the sender
}

type slowLane struct {
	phits  []slowPhit
	size   int
	used   int // as the sender knows it
	room   []int64
	owner  *slowFlight // that is sending into it
	out    int         // of the packet at its head, -1
	target *slowLane
}

func newSlowWorm(cfg Config, vcs, buffer, injection int) *slowWorm {
	n := cfg.Network
	s := &slowWorm{cfg: cfg, inputs: make([][]*slowInput, n.Routers()), last: map[int]int{}, ended: map[int64]int64{}}
	input := func(size int, delay, back int64) *slowInput {
		in := &slowInput{delay: delay, back: back}
		for range vcs {
			in.lanes = append(in.lanes, &slowLane{size: size, out: -1})
		}
		return in
	}
	s.behind = make([]*slowInput, n.Channels())
	for r := range n.Routers() {
		for _, c := range n.Into(int32(r)) {
			l := int64(cfg.Latency[n.Link[c]])
			s.behind[c] = input(buffer, l+int64(cfg.Pipeline), l+1)
			s.inputs[r] = append(s.inputs[r], s.behind[c])
		}
	}
	for t, r := range n.Home {
		size, l := injection, int64(cfg.NodeLink)
		if link := n.TerminalLink[t]; link >= 0 {
			size, l = buffer, int64(cfg.Latency[link])
		}
		in := input(size, l+int64(cfg.Inject), max(l+int64(cfg.Inject)-1, 0)+1)
		s.own = append(s.own, in)
		s.inputs[r] = append(s.inputs[r], in)
	}
	s.eating, s.queue = make([]*slowFlight, n.Terminals()), make([][]*slowFlight, n.Terminals())
	return s
}

func (l *slowLane) opens(shared bool) bool {
	return l.owner == nil && (l.used == 0 || shared && l.used < l.size)
}

// choose is the open lane of a class with most room.
func (s *slowWorm) choose(in *slowInput, from, to int) int {
	best := -1
	for v := from; v < to; v++ {
		if l := in.lanes[v]; l.opens(s.cfg.SharedBuffers) && (best < 0 || l.used < in.lanes[best].used) {
			best = v
		}
	}
	return best
}

func (s *slowWorm) cycle() {
	for _, ins := range s.inputs {
		for _, in := range ins {
			for _, l := range in.lanes {
				for len(l.room) > 0 && l.room[0] <= s.now {
					l.room = l.room[1:]
					l.used--
				}
			}
		}
	}
	for t := range s.queue {
		s.inject(t)
	}
	for r := range s.inputs {
		s.router(r)
	}
	s.now++
}

func (s *slowWorm) put(in *slowInput, l *slowLane, p slowPhit) {
	p.ready = s.now + in.delay
	l.phits = append(l.phits, p)
	l.used++
	l.owner = p.of
	if p.tail {
		l.owner = nil
	}
}

func (s *slowWorm) inject(t int) {
	if len(s.queue[t]) == 0 || s.queue[t][0].made > s.now {
		return
	}
	f, in := s.queue[t][0], s.own[t]
	if f.sent == 0 {
		if f.vc = s.choose(in, 0, len(in.lanes)); f.vc < 0 {
			return
		}
	}
	l := in.lanes[f.vc]
	if l.used == l.size {
		return
	}
	f.sent++
	s.put(in, l, slowPhit{of: f, head: f.sent == 1, tail: f.sent == s.cfg.PacketPhits})
	if f.sent == s.cfg.PacketPhits {
		s.queue[t] = s.queue[t][1:]
	}
}

type slowAsk struct {
	input, vc, to int
	hop           routing.Hop
}

func (s *slowWorm) router(r int) {
	n := s.cfg.Network
	asks := map[int][]slowAsk{}
	for i, in := range s.inputs[r] {
		for k := range in.lanes {
			v := (in.turn + k) % len(in.lanes)
			ask, out, ok := s.ask(r, in.lanes[v])
			if !ok {
				continue
			}
			ask.input, ask.vc = i, v
			asks[out] = append(asks[out], ask)
			if !s.cfg.FreeInputs {
				break
			}
		}
	}
	for out, list := range asks { // outputs do not touch each other
		won := s.winner(r, out, list)
		in := s.inputs[r][won.input]
		l := in.lanes[won.vc]
		p := l.phits[0]
		s.last[out] = won.input
		if !s.cfg.FreeInputs {
			in.turn = (won.vc + 1) % len(in.lanes)
		}
		if p.head && out < n.Channels() {
			p.of.Take(won.hop)
			l.target = s.behind[out].lanes[won.to]
		}
		l.out = out
		l.phits = l.phits[1:]
		l.room = append(l.room, s.now+in.back)
		if out < n.Channels() {
			s.put(s.behind[out], l.target, p)
		} else {
			t := out - n.Channels()
			s.eating[t] = p.of
			if p.tail {
				s.eating[t] = nil
				latency := int64(s.cfg.NodeLink)
				if link := n.TerminalLink[t]; link >= 0 {
					latency = int64(s.cfg.Latency[link])
				}
				s.ended[p.of.id] = max(s.now+1, s.now+latency+int64(s.cfg.Pipeline+s.cfg.Eject))
			}
		}
		if p.tail {
			l.out, l.target = -1, nil
		}
	}
}

func (s *slowWorm) ask(r int, l *slowLane) (ask slowAsk, out int, ok bool) {
	n := s.cfg.Network
	if len(l.phits) == 0 || l.phits[0].ready > s.now {
		return ask, 0, false
	}
	p := l.phits[0]
	switch {
	case !p.head && l.target != nil:
		return ask, l.out, l.target.used < l.target.size
	case !p.head:
		return ask, l.out, true
	case p.of.HasArrived(int32(r)):
		return ask, n.Channels() + int(p.of.dst), s.eating[p.of.dst] == nil
	}
	ask.hop = s.cfg.Routing.Next(&p.of.Header, int32(r), nil, nil)[0]
	vcs := routing.Split(s.cfg.Routing, len(s.own[0].lanes))[ask.hop.Class]
	ask.to = s.choose(s.behind[ask.hop.Channel], vcs.From, vcs.To)
	return ask, int(ask.hop.Channel), ask.to >= 0
}

func (s *slowWorm) winner(r, out int, asks []slowAsk) slowAsk {
	best := asks[0]
	if s.cfg.Arbiter == Age {
		made := func(a slowAsk) int64 { return s.inputs[r][a.input].lanes[a.vc].phits[0].of.made }
		for _, a := range asks {
			if made(a) < made(best) {
				best = a
			}
		}
		return best
	}
	for _, a := range asks {
		if last, ok := s.last[out]; ok && a.input > last {
			return a
		}
	}
	return best
}

// script is a workload of messages of one packet at given times.
type script struct {
	tasks    int
	messages []traffic.Message
	ended    func(id int64)
}

func (s *script) Tasks() int { return s.tasks }
func (s *script) Start(emit func(traffic.Message)) {
	for _, m := range s.messages {
		emit(m)
	}
}
func (s *script) Delivered(m traffic.Message, _ func(traffic.Message)) { s.ended(m.ID) }

// play runs a script on the engine and returns when each message had arrived.
func play(cfg Config, messages []traffic.Message) (map[int64]int64, error) {
	e, err := newEngine(cfg)
	if err != nil {
		return nil, err
	}
	ended := map[int64]int64{}
	place := make([]int32, cfg.Network.Terminals())
	for i := range place {
		place[i] = int32(i)
	}
	w := &script{len(place), messages, func(id int64) { ended[id] = e.now }}
	if err := e.startJob(w, place); err != nil {
		return nil, err
	}
	c := newCrew(e)
	for e.unsettled > 0 {
		if err := c.step(context.Background()); err != nil {
			return nil, err
		}
	}
	return ended, c.audit()
}

// TestWormsAgainstPhitByPhit: every message arrives in the same cycle.
func TestWormsAgainstPhitByPhit(t *testing.T) {
	line := topology.Mesh{Dims: topology.Ints{5}}
	square, tree := topology.Mesh{Dims: topology.Ints{3, 3}}, tree
	rapid.Check(t, func(rt *rapid.T) {
		n := network(t, rapid.SampledFrom([]topology.Params{line, square, cubes, tree}).Draw(rt, "topology"))
		name := rapid.SampledFrom([]string{"updown", "minimal", "dor"}).Draw(rt, "routing")
		if n.Graph.Family() == "k-ary-n-tree" && name == "dor" {
			name = "updown"
		}
		f := function(t, n, name)
		links := 0
		for range n.Graph.Links() {
			links++
		}
		cfg := Config{Network: n, Routing: f, Options: Options{
			Switching: Wormhole, VCs: f.Classes() + rapid.IntRange(0, 3).Draw(rt, "spare"),
			PacketPhits: rapid.IntRange(1, 6).Draw(rt, "phits"), BufferPhits: rapid.IntRange(1, 12).Draw(rt, "buffer"),
			InjectionPackets: rapid.IntRange(1, 3).Draw(rt, "injection"),
			SharedBuffers:    rapid.Bool().Draw(rt, "shared"),
			FreeInputs:       rapid.Bool().Draw(rt, "free inputs"),
			Arbiter:          rapid.SampledFrom([]Arbiter{RoundRobin, Age}).Draw(rt, "arbiter"),
			Pipeline:         rapid.IntRange(0, 2).Draw(rt, "pipeline"),
			Inject:           rapid.IntRange(0, 2).Draw(rt, "inject"),
			Eject:            rapid.IntRange(0, 2).Draw(rt, "eject"),
			NodeLink:         rapid.IntRange(0, 3).Draw(rt, "node link"),
		}}
		for range links {
			cfg.Latency = append(cfg.Latency, int32(rapid.IntRange(1, 4).Draw(rt, "latency")))
		}
		terminals := n.Terminals()
		slow := newSlowWorm(cfg, cfg.VCs, cfg.BufferPhits, cfg.InjectionPackets*cfg.PacketPhits)
		var messages []traffic.Message
		at := make([]int64, terminals)
		for id := range int64(rapid.IntRange(1, 150).Draw(rt, "messages")) {
			src := rapid.IntRange(0, terminals-1).Draw(rt, "src")
			dst := (src + rapid.IntRange(1, terminals-1).Draw(rt, "dst")) % terminals
			at[src] += int64(rapid.IntRange(0, 12).Draw(rt, "gap"))
			messages = append(messages,
				traffic.Message{ID: id, Src: int32(src), Dst: int32(dst), Bytes: 1, Delay: at[src]})
			slow.queue[src] = append(slow.queue[src], &slowFlight{
				Header: routing.NewHeader(n.Home[src], n.Home[dst]), id: id, made: at[src], src: int32(src),
				dst: int32(dst),
			})
		}
		fast, err := play(cfg, messages)
		if err != nil {
			rt.Fatal(err)
		}
		for len(slow.ended) < len(messages) && slow.now < 100_000 {
			slow.cycle()
		}
		if a, b := fmt.Sprint(fast), fmt.Sprint(slow.ended); a != b {
			rt.Fatalf("engine %s\nslow   %s", a, b)
		}
	})
}
