package goal

import (
	"fmt"
	"math"
)

// Bounds of a schedule.
const (
	MaxRanks = 1 << 22
	MaxOps   = 1 << 27
	MaxBytes = 1 << 40 // of a message
	MaxCalc  = 1e15    // nanoseconds of a calculation
)

// AnySource and AnyTag are the peer and the tag of a receive that takes a message
// from any rank, or with any tag.
const (
	AnySource int32  = -1
	AnyTag    uint32 = math.MaxUint32
)

// Kind is what an operation does.
type Kind uint8

// The kinds of operations, in the order in which those that become free at the same
// time are begun.
const (
	Send Kind = iota
	Recv
	Calc
)

// Op is an operation of a rank.
type Op struct {
	Size     int64  // bytes of a message, or nanoseconds of a calculation
	Peer     int32  // rank that it sends to or receives from
	Tag      uint32 // of a message
	Kind     Kind
	CPU, NIC uint8 // of the rank, which they take up
}

// Dependent is an operation that waits for another.
type Dependent uint32

const onStart Dependent = 1 << 31

// Op is the number of the operation that waits.
func (d Dependent) Op() int32 { return int32(d &^ onStart) }

// OnStart reports whether it waits for the beginning of the other only.
func (d Dependent) OnStart() bool { return d&onStart != 0 }

// Schedule is the operations of all ranks. Builder makes one, Read reads one. It is
// not changed by use.
type Schedule struct {
	name  string
	ranks int
	ops   []Op
	// The operations of a rank stand together. Ranks from len(first) on have none.
	first []int32
	count []int32 // -1 for a rank that was not begun
	deps  []Dependent
	depAt []int64 // dependents of operation i are deps[depAt[i]:depAt[i+1]]
	waits []int32 // operations that each waits for
	lines []int32 // of the file, nil for a schedule that was not read
	sends int
}

// Ranks is the number of ranks.
func (s *Schedule) Ranks() int { return s.ranks }

// Ops lists the operations of all ranks; the caller must not change them.
func (s *Schedule) Ops() []Op { return s.ops }

// Messages is the number of sends.
func (s *Schedule) Messages() int { return s.sends }

// Of returns the operations of a rank, as indices in Ops: from, up to but without to; 0 and 0 of a rank that was not
// begun.
func (s *Schedule) Of(rank int) (from, to int32) {
	if rank >= len(s.first) || s.count[rank] < 0 {
		return 0, 0
	}
	return s.first[rank], s.first[rank] + s.count[rank]
}

// Dependents lists those that wait for an operation, in the order in which they
// were stated.
func (s *Schedule) Dependents(op int32) []Dependent { return s.deps[s.depAt[op]:s.depAt[op+1]] }

// Waits is how many dependences an operation waits for.
func (s *Schedule) Waits(op int32) int32 { return s.waits[op] }

// Describe names an operation of a rank for messages, with its place if it was read
// from a file.
func (s *Schedule) Describe(rank int, op int32) string {
	o := &s.ops[op]
	text := o.text()
	if s.lines != nil {
		return fmt.Sprintf("%s:%d: %s of rank %d", s.name, s.lines[op], text, rank)
	}
	return fmt.Sprintf("%s of rank %d", text, rank)
}

// text is the operation as GOAL writes it.
func (o *Op) text() string {
	number := func(n uint64, any bool) string {
		if any {
			return "-1"
		}
		return fmt.Sprint(n)
	}
	tag := number(uint64(o.Tag), o.Tag == AnyTag)
	var text string
	switch o.Kind {
	case Calc:
		text = fmt.Sprintf("calc %d", o.Size)
	case Send:
		text = fmt.Sprintf("send %db to %d tag %s", o.Size, o.Peer, tag)
	default:
		text = fmt.Sprintf("recv %db from %s tag %s", o.Size, number(uint64(o.Peer), o.Peer == AnySource), tag)
	}
	if o.CPU != 0 {
		text += fmt.Sprintf(" cpu %d", o.CPU)
	}
	if o.NIC != 0 && o.Kind != Calc {
		text += fmt.Sprintf(" nic %d", o.NIC)
	}
	return text
}

// Builder makes a schedule, rank by rank.
type Builder struct {
	s      Schedule
	rank   int32 // -1 before the first
	edges  []edge
	starts []int32 // room for sorting edges
}

// edge is a dependence between operations of the current rank.
type edge struct {
	on   int32 // number of the operation that is waited for
	wait Dependent
}

// NewBuilder begins a schedule of a number of ranks, from 1 to MaxRanks.
func NewBuilder(ranks int) (*Builder, error) {
	if ranks < 1 || ranks > MaxRanks {
		return nil, fmt.Errorf("a schedule has from 1 to %d ranks, not %d", MaxRanks, ranks)
	}
	return &Builder{rank: -1, s: Schedule{ranks: ranks}}, nil
}

// Rank has what follows belong to a rank, which must not have been begun before. It comes before the first Add.
func (b *Builder) Rank(rank int32) error {
	switch {
	case rank < 0 || int(rank) >= b.s.ranks:
		return b.noRank(rank)
	case int(rank) < len(b.s.count) && b.s.count[rank] >= 0:
		return fmt.Errorf("rank %d has been given before", rank)
	}
	b.end()
	b.rank = rank
	for len(b.s.first) <= int(rank) {
		b.s.first, b.s.count = append(b.s.first, 0), append(b.s.count, -1)
	}
	b.s.first[rank], b.s.count[rank] = int32(len(b.s.ops)), 0
	return nil
}

func (b *Builder) noRank(rank int32) error {
	return fmt.Errorf("there is no rank %d: the schedule has %d, from 0", rank, b.s.ranks)
}

// Add appends an operation to the rank that Rank has begun, and returns its index in Ops. Errors are those of too many
// operations, of sizes and ranks out of range, and of a send with AnyTag.
func (b *Builder) Add(o Op) (int32, error) {
	if len(b.s.ops) >= MaxOps {
		return 0, fmt.Errorf("a schedule has at most %d operations", MaxOps)
	}
	most, unit := int64(MaxBytes), "bytes"
	if o.Kind == Calc {
		most, unit = MaxCalc, "nanoseconds"
	}
	if o.Size < 0 || o.Size > most {
		return 0, fmt.Errorf("must be from 0 to %d %s, not %d", most, unit, o.Size)
	}
	if o.Kind != Calc && int(o.Peer) >= b.s.ranks || o.Kind == Send && o.Peer < 0 || o.Peer < AnySource {
		return 0, b.noRank(o.Peer)
	}
	if o.Kind == Send {
		if o.Tag == AnyTag {
			return 0, fmt.Errorf("a send needs a tag from 0 to %d", AnyTag-1)
		}
		b.s.sends++
	}
	b.s.ops = append(b.s.ops, o)
	return int32(len(b.s.ops) - 1), nil
}

// Requires has op wait for the end of on. Both are operations of the rank that Rank has begun last, which is not
// checked.
func (b *Builder) Requires(op, on int32) { b.edges = append(b.edges, edge{on, Dependent(op)}) }

// RequiresStart has op wait for the beginning of on, as Requires does for the end.
func (b *Builder) RequiresStart(op, on int32) {
	b.edges = append(b.edges, edge{on, Dependent(op) | onStart})
}

// end sorts the dependences of the rank by what is waited for.
func (b *Builder) end() {
	if b.rank < 0 {
		return
	}
	s := &b.s
	from := s.first[b.rank]
	n := int32(len(s.ops)) - from
	s.count[b.rank] = n
	if cap(b.starts) < int(n)+1 {
		b.starts = make([]int32, max(int(n)+1, 2*cap(b.starts)))
	}
	starts := b.starts[:n+1]
	clear(starts)
	s.waits = append(s.waits, make([]int32, n)...)
	for _, e := range b.edges {
		starts[e.on-from+1]++
		s.waits[e.wait.Op()]++
	}
	base := len(s.deps)
	for i := range n {
		s.depAt = append(s.depAt, int64(base)+int64(starts[i]))
		starts[i+1] += starts[i]
	}
	s.deps = append(s.deps, make([]Dependent, len(b.edges))...)
	for _, e := range b.edges {
		at := &starts[e.on-from]
		s.deps[base+int(*at)] = e.wait
		*at++
	}
	b.edges = b.edges[:0]
}

// Schedule returns the schedule; the builder must not be used any more. Ranks that were not begun have no operations.
func (b *Builder) Schedule() *Schedule {
	b.end()
	b.rank = -1
	b.s.depAt = append(b.s.depAt, int64(len(b.s.deps)))
	s := b.s
	return &s
}
