package packet

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/plenum-planner/plenum/sim/traffic"
)

// slowTree is the network of J. Navaridas et al., Parallel Computing 36, 2010,
// section 4.1, phit by phit and cycle by cycle, without anything of the engine or of
// package topology: every cycle, each queue whose first phit is the head of a packet
// asks for an output, each free output takes one that asks at random, and each
// output that is taken moves one phit. Terminals are elements of the network too,
// with a queue of 8 packets to inject from and one of 4 for what arrives.
type slowTree struct {
	down, up, levels int
	rng              *rand.Rand
	elements         []*slowElement // terminals, then the switches level by level
	firstOf          []int          // element of the first switch of each level
	waiting          [][]slowMessage
	left             map[int64]int // packets of a message that have not arrived
}

const (
	slowPhits  = 16
	slowQueue  = 4 * slowPhits
	slowInject = 8 * slowPhits
)

type slowMessage struct {
	traffic.Message
	packets int
}

type slowPacket struct {
	traffic.Message
	climb int // levels to go up yet
}

type slowPort struct {
	queue    []slowPacket
	phits    int // in the queue
	gone     int // phits of the first packet that have left
	output   int // that it has been given, -1
	neighbor *slowElement
	theirs   int // port at the neighbour
	input    int // that this output has been given to, -1
}

type slowElement struct {
	ports []*slowPort
	level int // -1 for a terminal: port 0 is the network, port 1 its processor
}

func newSlowTree(x thinTree, seed uint64) *slowTree {
	s := &slowTree{
		down: x.down, up: x.up, levels: x.levels, rng: rand.New(rand.NewPCG(seed, 3)),
		left: make(map[int64]int),
	}
	terminals := power(x.down, x.levels)
	add := func(count, ports, level int) {
		for range count {
			e := &slowElement{level: level}
			for range ports {
				e.ports = append(e.ports, &slowPort{output: -1, input: -1})
			}
			s.elements = append(s.elements, e)
		}
	}
	add(terminals, 2, -1)
	for l := range x.levels {
		s.firstOf = append(s.firstOf, len(s.elements))
		add(power(x.up, l)*power(x.down, x.levels-1-l), x.up+x.down, l)
	}
	s.waiting = make([][]slowMessage, terminals)
	join := func(a, i, b, j int) {
		p, q := s.elements[a].ports[i], s.elements[b].ports[j]
		p.neighbor, p.theirs, q.neighbor, q.theirs = s.elements[b], j, s.elements[a], i
	}
	for t := range terminals {
		join(t, 0, s.firstOf[0]+t/x.down, x.up+t%x.down)
	}
	for l := range x.levels - 1 {
		wide := power(x.up, l)
		for sw := range s.firstOf[l+1] - s.firstOf[l] {
			for p := range x.up {
				above := p*wide + sw%wide + sw/(x.down*wide)*wide*x.up
				join(s.firstOf[l]+sw, p, s.firstOf[l+1]+above, x.up+sw/wide%x.down)
			}
		}
	}
	return s
}

func power(base, exponent int) int {
	p := 1
	for range exponent {
		p *= base
	}
	return p
}

// run returns the cycle in which the last phit is consumed.
func (s *slowTree) run(w traffic.Workload) int64 {
	emit := func(m traffic.Message) {
		n := (int(m.Bytes) + 16*slowPhits - 1) / (16 * slowPhits)
		s.left[m.ID] = n
		s.waiting[m.Src] = append(s.waiting[m.Src], slowMessage{m, n})
	}
	w.Start(emit)
	now := int64(0)
	for ; len(s.left) > 0; now++ {
		for t := range s.waiting {
			s.generate(t)
		}
		for _, e := range s.elements {
			s.arbitrate(e)
		}
		var ended []traffic.Message
		for _, e := range s.elements {
			ended = append(ended, s.move(e)...)
		}
		for _, m := range ended {
			w.Delivered(m, emit)
		}
	}
	return now
}

// generate puts a packet of the first message that waits into the queue.
func (s *slowTree) generate(t int) {
	queue := s.elements[t].ports[1]
	if len(s.waiting[t]) == 0 || queue.phits > slowInject-slowPhits {
		return
	}
	m := &s.waiting[t][0]
	climb := 1
	for int(m.Src)/power(s.down, climb) != int(m.Dst)/power(s.down, climb) {
		climb++
	}
	queue.queue = append(queue.queue, slowPacket{m.Message, climb - 1})
	queue.phits += slowPhits
	if m.packets--; m.packets == 0 {
		s.waiting[t] = s.waiting[t][1:]
	}
}

// arbitrate lets queues ask for outputs.
func (s *slowTree) arbitrate(e *slowElement) {
	asking := make(map[int][]int)
	for i, p := range e.ports {
		if len(p.queue) > 0 && p.output < 0 && p.phits > 0 {
			if out := s.output(e, p.queue[0]); out >= 0 {
				asking[out] = append(asking[out], i)
			}
		}
	}
	for out, p := range e.ports { // in order, as a map has none
		if ask := asking[out]; len(ask) > 0 && p.input < 0 {
			i := ask[s.rng.IntN(len(ask))]
			p.input, e.ports[i].output = i, out
		}
	}
}

// output is what a packet asks for, -1 if there is no room behind it.
func (s *slowTree) output(e *slowElement, p slowPacket) int {
	out := 0
	switch {
	case e == s.elements[p.Dst]:
		return 1 // to the processor
	case e.level < 0:
	case p.climb > 0:
		least, ties := math.MaxInt, 0
		for i := range s.up {
			switch phits := e.ports[i].behind().phits; {
			case phits < least:
				least, ties, out = phits, 1, i
			case phits == least:
				if ties++; s.rng.IntN(ties) == 0 {
					out = i
				}
			}
		}
	default:
		out = s.up + int(p.Dst)/power(s.down, e.level)%s.down
	}
	if e.ports[out].behind().phits > slowQueue-slowPhits {
		return -1
	}
	return out
}

// behind is the queue that an output leads to.
func (p *slowPort) behind() *slowPort { return p.neighbor.ports[p.theirs] }

// move moves a phit over every output of an element.
func (s *slowTree) move(e *slowElement) (ended []traffic.Message) {
	for out, p := range e.ports {
		if p.input < 0 {
			continue
		}
		from := e.ports[p.input]
		packet := from.queue[0]
		from.phits--
		from.gone++
		last := from.gone == slowPhits
		if e.level < 0 && out == 1 {
			if last {
				if s.left[packet.ID]--; s.left[packet.ID] == 0 {
					delete(s.left, packet.ID)
					ended = append(ended, packet.Message)
				}
			}
		} else {
			to := p.behind()
			if from.gone == 1 {
				if e.level >= 0 && out < s.up {
					packet.climb--
				}
				to.queue = append(to.queue, packet)
			}
			to.phits++
		}
		if last {
			from.queue, from.gone, from.output = from.queue[1:], 0, -1
			p.input = -1
		}
	}
	return ended
}

// The engine and the slow network draw other random numbers, so means over seeds
// are compared, to 1 % besides the chance. The slow one hands a message to its terminal one cycle later.
func TestWorkloadsTakeAsLongAsOnASlowTree(t *testing.T) {
	seeds := 16
	if long() {
		seeds = 100
	}
	for _, x := range []thinTree{
		{down: 4, up: 4, levels: 2},
		{down: 4, up: 1, levels: 2},
		{down: 3, up: 2, levels: 3},
	} {
		for _, name := range []string{
			"W2:dims=4x4", "W3:dims=4x2x2", "M2:dims=4x4", "M3:dims=4x2x2", "BU:tasks=16",
			"BT:tasks=16", "WF:dims=4x4,waves=8",
		} {
			if name[:2] != "WF" {
				name += ",bytes=2KiB"
			}
			n := network(t, x.spec())
			job, err := traffic.ParseJob(name, n.Terminals())
			if err != nil {
				t.Fatal(err)
			}
			place, err := traffic.ParsePlacement("consecutive", 16, n.Terminals(), 1)
			if err != nil {
				t.Fatal(err)
			}
			var fast, slow []float64
			for seed := range seeds {
				cfg := Config{Network: n, Routing: function(t, n, "tree"), Options: paperSwitch, Seed: uint64(seed)}
				r, err := RunJob(context.Background(), cfg, job.New(), place)
				if err != nil {
					t.Fatal(err)
				}
				fast = append(fast, float64(r.Cycles))
				slow = append(slow, float64(newSlowTree(x, uint64(seed)).run(job.New())))
			}
			f, errF := meanAndError(fast)
			s, errS := meanAndError(slow)
			t.Logf("%v %s: %.1f +- %.1f cycles, slow %.1f +- %.1f (%+.2f %%)", x, name, f, errF, s, errS, 100*(f/s-1))
			if math.Abs(f-s) > 0.01*s+4*math.Hypot(errF, errS) {
				t.Errorf("%v %s: %.1f +- %.1f cycles, slow tree %.1f +- %.1f", x, name, f, errF, s, errS)
			}
		}
	}
}

func meanAndError(x []float64) (mean, standardError float64) {
	n := float64(len(x))
	for _, v := range x {
		mean += v / n
	}
	for _, v := range x {
		standardError += (v - mean) * (v - mean) / (n - 1)
	}
	return mean, math.Sqrt(standardError / n)
}
