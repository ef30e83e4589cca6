package workload

import (
	"fmt"
	"math/bits"

	"github.com/plenum-planner/plenum/sim/goal"
)

// Processors of a rank.
const (
	computes     = 0
	communicates = 1
	hosts        = 2
)

// Collective is an operation of all ranks of a group.
type Collective uint8

// The collectives, in the order in which Chakra numbers them.
const (
	AllReduce Collective = iota
	Reduce
	AllGather
	Gather
	Scatter
	Broadcast
	AllToAll
	ReduceScatter
	ReduceScatterBlock
	Barrier
)

var collectiveNames = [...]string{
	"all-reduce", "reduce", "all-gather", "gather", "scatter", "broadcast", "all-to-all", "reduce-scatter",
	"reduce-scatter-block", "barrier",
}

// String is its name.
func (c Collective) String() string {
	if int(c) < len(collectiveNames) {
		return collectiveNames[c]
	}
	return fmt.Sprintf("collective %d", uint8(c))
}

// group is the ranks that take part in a collective; at is the place of the rank that a schedule is made for.
type group struct {
	ranks []int32
	at    int
}

func (g *group) rank(i int) int32 {
	n := len(g.ranks)
	return g.ranks[((g.at+i)%n+n)%n]
}

// ops is how many operations a collective of n ranks has at one of them, at most.
func (c Collective) ops(n int64) int64 {
	switch c {
	case AllReduce:
		return 4 * (n - 1)
	case AllGather, ReduceScatter, ReduceScatterBlock, Gather, Scatter, AllToAll:
		return 2 * (n - 1)
	default:
		return 2 * int64(bits.Len64(uint64(n-1)))
	}
}

// maker adds operations to the rank of a builder, and keeps the first error.
type maker struct {
	*goal.Builder
	err error
}

func (m *maker) add(op goal.Op) int32 {
	n, err := m.Add(op)
	if m.err == nil {
		m.err = err
	}
	return n
}

// after adds an operation that waits for others.
func (m *maker) after(op goal.Op, on ...int32) int32 {
	n := m.add(op)
	for _, o := range on {
		if o >= 0 && m.err == nil {
			m.Requires(n, o)
		}
	}
	return n
}

// join is an operation that takes no time and waits for others.
func (m *maker) join(on ...int32) int32 {
	return m.after(goal.Op{Kind: goal.Calc, CPU: communicates}, on...)
}

func (m *maker) send(bytes int64, to int32, tag uint32, on ...int32) int32 {
	return m.after(goal.Op{Kind: goal.Send, Size: bytes, Peer: to, Tag: tag, CPU: communicates}, on...)
}

func (m *maker) receive(bytes int64, from int32, tag uint32, on ...int32) int32 {
	return m.after(goal.Op{Kind: goal.Recv, Size: bytes, Peer: from, Tag: tag, CPU: communicates}, on...)
}

// collective adds the part of a rank in a collective, which begins after some operations, and returns the operation
// with which it ends. The root is the first rank of the group.
func (m *maker) collective(c Collective, bytes int64, g group, tag uint32, on ...int32) int32 {
	n := len(g.ranks)
	begin := m.join(on...)
	if n < 2 {
		return begin
	}
	part := (bytes + int64(n) - 1) / int64(n)
	switch c {
	case AllReduce:
		return m.ring(2*(n-1), part, g, tag, begin)
	case ReduceScatter, ReduceScatterBlock:
		return m.ring(n-1, part, g, tag, begin)
	case AllGather:
		return m.ring(n-1, bytes, g, tag, begin)
	case AllToAll:
		ends := make([]int32, 0, 2*n)
		for i := 1; i < n; i++ {
			ends = append(ends, m.send(part, g.rank(i), tag, begin), m.receive(part, g.rank(-i), tag, begin))
		}
		return m.join(ends...)
	case Gather:
		return m.direct(bytes, false, g, tag, begin)
	case Scatter:
		return m.direct(part, true, g, tag, begin)
	case Broadcast:
		return m.broadcast(bytes, g, tag, begin)
	case Reduce:
		return m.reduce(bytes, g, tag, begin)
	default:
		return m.disseminate(g, tag, begin)
	}
}

// ring sends a part to the next rank in each step, once that of the step before has come.
func (m *maker) ring(steps int, part int64, g group, tag uint32, begin int32) int32 {
	ends := make([]int32, 0, steps+1)
	before := begin
	for range steps {
		ends = append(ends, m.send(part, g.rank(1), tag, before))
		before = m.receive(part, g.rank(-1), tag, before)
	}
	return m.join(append(ends, before)...)
}

// direct is a message between the first rank and every other.
func (m *maker) direct(bytes int64, out bool, g group, tag uint32, begin int32) int32 {
	switch {
	case g.at > 0 && out:
		return m.receive(bytes, g.ranks[0], tag, begin)
	case g.at > 0:
		return m.send(bytes, g.ranks[0], tag, begin)
	}
	ends := make([]int32, 0, len(g.ranks))
	for _, r := range g.ranks[1:] {
		if out {
			ends = append(ends, m.send(bytes, r, tag, begin))
		} else {
			ends = append(ends, m.receive(bytes, r, tag, begin))
		}
	}
	return m.join(ends...)
}

// broadcast: rank r gets the message from r less its highest bit and passes it on to r + 2^i for all 2^i above r.
func (m *maker) broadcast(bytes int64, g group, tag uint32, begin int32) int32 {
	got, d := begin, 1
	if g.at > 0 {
		high := 1 << (bits.Len(uint(g.at)) - 1)
		got, d = m.receive(bytes, g.ranks[g.at-high], tag, begin), 2*high
	}
	ends := []int32{got}
	for ; g.at+d < len(g.ranks); d *= 2 {
		ends = append(ends, m.send(bytes, g.ranks[g.at+d], tag, got))
	}
	return m.join(ends...)
}

// reduce is broadcast backwards.
func (m *maker) reduce(bytes int64, g group, tag uint32, begin int32) int32 {
	high, d := 0, 1
	if g.at > 0 {
		high = 1 << (bits.Len(uint(g.at)) - 1)
		d = 2 * high
	}
	have := []int32{begin}
	for ; g.at+d < len(g.ranks); d *= 2 {
		have = append(have, m.receive(bytes, g.ranks[g.at+d], tag, begin))
	}
	if g.at == 0 {
		return m.join(have...)
	}
	return m.send(bytes, g.ranks[g.at-high], tag, have...)
}

// disseminate is a barrier of empty messages over doubling distances.
func (m *maker) disseminate(g group, tag uint32, begin int32) int32 {
	before := begin
	for d := 1; d < len(g.ranks); d *= 2 {
		sent := m.send(0, g.rank(d), tag, before)
		before = m.join(sent, m.receive(0, g.rank(-d), tag, before))
	}
	return before
}
